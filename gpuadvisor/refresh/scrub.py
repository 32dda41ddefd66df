"""Takes account ids, keys and tokens out of what is shown, written or kept.

An SDK's error text may hold any of them: of an unexpected error only its kind and its code are
told. Reasons and details that a provider's module words itself pass through here all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gpuadvisor.catalog.message import Message, message

HIDDEN = "***"
_SECRETS = re.compile(
    r"""
    (?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}                               # AWS keys and principals
    | \b\d{12}\b                                                       # AWS account
    | \b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b         # Azure ids
    | \bAIza[0-9A-Za-z_-]{20,}                                         # Google API key
    | \bya29\.[0-9A-Za-z_.-]+                                          # Google access token
    | \beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)?      # JSON web token
    | (?i:\bbearer\s+)[0-9A-Za-z._~+/=-]{8,}
    | (?i:\b(?:key|token|secret|password|signature|credential)\b)\s*[=:]\s*[^\s,;&'"]+
    | [0-9A-Za-z._%+-]+@[0-9A-Za-z-]+\.[0-9A-Za-z.-]+                  # e-mail, service account
    | (?<=projects/)[a-z][a-z0-9-]{4,}
    | \b(?=[0-9A-Za-z+/]*\d)(?=[0-9A-Za-z+/]*[A-Z])(?=[0-9A-Za-z+/]*[a-z])[0-9A-Za-z+/]{40,}={0,2}
    """,
    re.VERBOSE,
)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,60}")


def scrub(value: Any, words: Iterable[str] = ()) -> Any:
    """`value` (a text, a message, or tuples and lists of them) without secrets.

    `words` are the account's own (a project, a subscription), hidden wherever they stand.
    """
    known = tuple(word for word in words if len(word) > 2)
    if isinstance(value, str):
        for word in known:
            value = value.replace(word, HIDDEN)
        return _SECRETS.sub(HIDDEN, value)
    if isinstance(value, Message):
        return Message(value.id, {k: scrub(v, known) for k, v in value.params.items()})
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return type(value)._make(scrub(part, known) for part in value)
    if isinstance(value, list | tuple):
        return type(value)(scrub(part, known) for part in value)
    return value


def unexpected(error: BaseException) -> Message:
    """What to say of an SDK's exception: its kind and its code, none of its text."""
    kind = type(error).__name__
    code = _code(error)
    if code and code != kind:
        return message("refresh.sdk_code", kind=kind, code=code)
    return message("refresh.sdk_error", kind=kind)


def _code(error: BaseException) -> str:
    """botocore's `Error.Code` or azure-core's `error.code`, where it reads like a code."""
    response = getattr(error, "response", None)
    found: object = None
    if isinstance(response, dict) and isinstance(response.get("Error"), dict):
        found = response["Error"].get("Code")
    if found is None:
        found = getattr(getattr(error, "error", None), "code", None)
    if found is None:
        found = getattr(error, "status_code", None)
    text = str(found) if isinstance(found, str | int) else ""
    return text if text.isdigit() or _CODE.fullmatch(text) else ""
