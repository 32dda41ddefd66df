"""Google credentials and clients: only through Google's own chain, never shown, never stored."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import Any, TypeVar

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh import gcp_billing
from gpuadvisor.refresh.endpoints import endpoint, is_loopback
from gpuadvisor.refresh.interface import Context, Missing, Wanted

COMPUTE = "https://compute.googleapis.com"
KEY_NAMES = ("GPUADVISOR_GCP_API_KEY", "GOOGLE_API_KEY")
SCOPES = (
    "https://www.googleapis.com/auth/compute.readonly",
    "https://www.googleapis.com/auth/cloud-billing.readonly",
)
SECONDS = 120.0
"""Longest wait for one answer of the Compute API."""
FIRST_PAUSE, LONGEST_PAUSE, RETRY_SECONDS = 1.0, 30.0, 180.0
"""Seconds between the tries for a page, and until it is given up."""
MOST_PAGES = 2000

Found = TypeVar("Found")


def compute_address(context: Context) -> str:
    """Root of the Compute Engine API. Raises UsageError for plain http elsewhere."""
    return endpoint(context, "gcp-compute", COMPUTE)


def billing_address(context: Context) -> str:
    """Root of the Cloud Billing API. Raises UsageError for plain http elsewhere."""
    return endpoint(context, "gcp-billing", gcp_billing.PUBLIC)


def has_client() -> bool:
    """Whether the `gcp` extra is installed; nothing of it is imported."""
    try:
        return find_spec("google.cloud.compute_v1") is not None
    except ModuleNotFoundError:
        return False


def api_key() -> str | None:
    """The API key of the environment, if any."""
    return next((os.environ[name] for name in KEY_NAMES if os.environ.get(name)), None)


def billing_headers(context: Context) -> Mapping[str, str]:
    """The credential of the Billing Catalog as a header: an API key, else a token of Google's
    default credentials. A server on this machine needs none. Raises Missing without any."""
    key = api_key()
    if key:
        return {"X-Goog-Api-Key": key}
    if is_loopback(billing_address(context)):
        return {}
    credentials, project = _defaults()
    try:
        from google.auth.transport.requests import Request

        credentials.refresh(Request())
    except Exception as error:
        raise _failed(error) from None
    headers = {"Authorization": f"Bearer {credentials.token}"}
    # End-user credentials are refused without a project that pays for the call.
    quota = getattr(credentials, "quota_project_id", None) or project
    return {**headers, "X-Goog-User-Project": quota} if quota else headers


class Compute:
    """The Compute Engine API as Google's client speaks it, for one project."""

    def __init__(self, wanted: Wanted, context: Context) -> None:
        """Raises Missing without the extra, without credentials, or without a project."""
        if not has_client():
            raise Missing(message("refresh_gcp.no_extra"))
        self._address = compute_address(context)
        self._moved = context.moved
        project = wanted.account.get("project")
        if is_loopback(self._address):
            from google.auth import credentials

            nobody: Any = credentials.AnonymousCredentials
            self._credentials: Any = nobody()
        else:
            self._credentials, found = _defaults()
            project = project or found
        if not project:
            raise Missing(message("refresh_gcp.no_project"))
        self._project = project

    def machine_types(self, filter: str) -> Iterator[tuple[str, Any]]:
        """(scope, MachineTypesScopedList) of every zone."""
        from google.cloud.compute_v1 import AggregatedListMachineTypesRequest as Asked
        from google.cloud.compute_v1 import MachineTypesClient

        client = self._called(lambda: MachineTypesClient(**self._options()))
        return self._scopes(client, Asked, filter)

    def accelerator_types(self) -> Iterator[tuple[str, Any]]:
        """(scope, AcceleratorTypesScopedList) of every zone."""
        from google.cloud.compute_v1 import AcceleratorTypesClient
        from google.cloud.compute_v1 import AggregatedListAcceleratorTypesRequest as Asked

        client = self._called(lambda: AcceleratorTypesClient(**self._options()))
        return self._scopes(client, Asked, "")

    def _options(self) -> dict[str, Any]:
        public = self._address == COMPUTE
        return {
            "credentials": self._credentials,
            "client_options": {} if public else {"api_endpoint": self._address},
        }

    def _scopes(self, client: Any, asked: Any, filter: str) -> Iterator[tuple[str, Any]]:
        request = asked(project=self._project, filter=filter, max_results=500)
        # Not every release of the client has the field; without it one zone that does not answer
        # fails the whole list.
        if "return_partial_success" in asked.meta.fields:
            request.return_partial_success = True
        pager = self._called(
            lambda: client.aggregated_list(request=request, timeout=SECONDS, retry=_patience())
        )
        tokens: set[str] = set()
        pages: Iterator[Any] = iter(pager.pages)
        while True:
            page = self._called(lambda: next(pages, None))
            if page is None:
                return
            token = page.next_page_token
            if token in tokens or len(tokens) > MOST_PAGES:
                raise Missing(message("refresh_gcp.page_circle"))
            if token:
                tokens.add(token)
            for zone in page.unreachables:
                yield zone, None
            items: Iterable[tuple[str, Any]] = page.items.items()
            for scope, scoped in items:
                self._moved(1)
                yield scope, scoped

    def _called(self, call: Callable[[], Found]) -> Found:
        """The client's errors hold addresses with the project: only their kind is kept."""
        try:
            return call()
        except Exception as error:
            raise _failed(error) from None


def _patience() -> Any:
    """Retries of one page. By itself the client asks again after 503 alone."""
    from google.api_core import exceptions, retry

    again = (
        exceptions.TooManyRequests,
        exceptions.InternalServerError,
        exceptions.BadGateway,
        exceptions.ServiceUnavailable,
        exceptions.GatewayTimeout,
    )
    return retry.Retry(
        predicate=retry.if_exception_type(*again),
        initial=FIRST_PAUSE,
        maximum=LONGEST_PAUSE,
        timeout=RETRY_SECONDS,
    )


def _defaults() -> tuple[Any, str | None]:
    """Google's application default credentials and their project."""
    if not has_client():
        raise Missing(message("refresh_gcp.no_key"))
    try:
        import google.auth

        credentials, project = google.auth.default(scopes=list(SCOPES))
    except Exception as error:
        raise _failed(error) from None
    return credentials, project


def _failed(error: Exception) -> Missing:
    """A client's fault in words: its HTTP status, else the kind of the exception."""
    # When the retries are over, the last fault is the cause.
    code = getattr(getattr(error, "cause", None) or error, "code", None)
    if isinstance(code, int):
        return Missing(message("refresh_gcp.status", status=int(code)))
    if type(error).__name__ == "DefaultCredentialsError":
        return Missing(message("refresh_gcp.no_credentials"))
    return Missing(message("refresh_gcp.failed", kind=type(error).__name__))
