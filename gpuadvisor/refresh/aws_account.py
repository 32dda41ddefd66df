"""The way into an AWS account: boto3 clients by its own credential chain, refusals in words.

Nothing that an SDK's exception says is repeated: its texts hold account ids and role names.
boto3 is imported here alone, when a refresh runs with an account.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.refresh.interface import Missing

HOME = "us-east-1"
"""Home of the price list and of Savings Plans, which are services without regions."""
_CONNECT_SECONDS, _READ_SECONDS = 5, 60
_REGION_ATTEMPTS, _HOME_ATTEMPTS = 2, 8
_lock = threading.Lock()

_OPT_IN = frozenset(
    {
        "AuthFailure",
        "OptInRequired",
        "InvalidClientTokenId",
        "UnrecognizedClientException",
        "Blocked",
    }
)
_FORBIDDEN = frozenset(
    {"UnauthorizedOperation", "AccessDenied", "AccessDeniedException", "NotAuthorized"}
)
_EXPIRED = frozenset(
    {"ExpiredToken", "ExpiredTokenException", "RequestExpired", "SignatureDoesNotMatch"}
)
_THROTTLED = frozenset(
    {
        "Throttling",
        "ThrottlingException",
        "ThrottledException",
        "RequestLimitExceeded",
        "TooManyRequestsException",
        "RequestThrottled",
        "SlowDown",
    }
)


def has_credentials() -> bool:
    """Whether boto3 is installed and its chain finds credentials (they are not looked at)."""
    with _lock:
        try:
            session = _session()
        except ImportError:
            return False
        from botocore.exceptions import BotoCoreError

        try:
            return session.get_credentials() is not None
        except BotoCoreError:
            return False


def home_region() -> str:
    """The region of the account's own configuration, where its calls surely work."""
    with _lock:
        return _session().region_name or HOME


def client(service: str, region: str) -> Any:
    """A client, kept for the process: clients may cross threads, building one may not."""
    with _lock:
        return _client(service, region)


def forget() -> None:
    """Drop session and clients, so that changed credentials and endpoints are read anew."""
    with _lock:
        _client.cache_clear()
        _session.cache_clear()


@lru_cache(maxsize=1)
def _session() -> Any:
    import boto3

    return boto3.Session()


@lru_cache(maxsize=256)
def _client(service: str, region: str) -> Any:
    from botocore.config import Config

    # A region that is down must not hold up the rest; the home has to bear all the paging.
    attempts = _REGION_ATTEMPTS if service == "ec2" else _HOME_ATTEMPTS
    config = Config(
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        retries={"mode": "adaptive", "total_max_attempts": attempts},
    )
    return _session().client(service, region_name=region, config=config)


@contextmanager
def refusals(region: str) -> Iterator[None]:
    """Turn what botocore raises into Missing, with the error's code at most."""
    from botocore.exceptions import BotoCoreError, ClientError
    from botocore.parsers import ResponseParserError

    try:
        yield
    except ClientError as error:
        raise Missing(_refused(error_code(error), region)) from None
    except BotoCoreError as error:
        raise Missing(_broken(error, region)) from None
    except (ResponseParserError, ValueError) as error:
        # An answer that breaks off, or a time stamp that is none.
        what = message("refresh_aws.garbled", region=region, code=type(error).__name__)
        raise Missing(what) from None


def error_code(error: Any) -> str:
    """The code of a ClientError, `Unknown` where the answer had none."""
    return str(error.response.get("Error", {}).get("Code") or "Unknown")


def _refused(code: str, region: str) -> Message:
    if code in _OPT_IN:
        return message("refresh_aws.not_opted_in", region=region, code=code)
    if code in _FORBIDDEN or code.startswith("AccessDenied"):
        return message("refresh_aws.forbidden", region=region, code=code)
    if code in _EXPIRED:
        return message("refresh_aws.expired", region=region, code=code)
    if code in _THROTTLED:
        return message("refresh_aws.throttled", region=region, code=code)
    return message("refresh_aws.refused", region=region, code=code)


def _broken(error: Any, region: str) -> Message:
    from botocore import exceptions as e

    if isinstance(error, e.ConnectTimeoutError | e.ReadTimeoutError):
        return message("refresh_aws.timed_out", region=region)
    if isinstance(error, e.NoCredentialsError | e.PartialCredentialsError):
        return message("refresh_aws.no_credentials", region=region)
    if isinstance(error, e.CredentialRetrievalError | e.TokenRetrievalError | e.SSOError):
        return message("refresh_aws.bad_credentials", region=region)
    if isinstance(error, e.ConnectionError | e.HTTPClientError):
        return message("refresh_aws.unreachable", region=region)
    return message("refresh_aws.refused", region=region, code=type(error).__name__)
