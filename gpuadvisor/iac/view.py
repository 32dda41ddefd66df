"""How the field map looks at a resource, whatever file format holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gpuadvisor.iac.fieldmap import Path, Reference


class Opaque:
    """A value that is set but cannot be read; `why` is the message id that says so."""

    __slots__ = ("why",)

    def __init__(self, why: str) -> None:
        self.why = why


UNKNOWN = Opaque("iac.value_unknown")
"""Depends on another resource or is known only after the change is applied."""
SENSITIVE = Opaque("iac.value_sensitive")
"""Marked as a secret, so neither read nor shown."""
PLACEHOLDER = Opaque("iac.value_placeholder")
"""A template placeholder that nobody rendered, such as `${GPU_COUNT}` or `{{ .Values.x }}`."""


class View(Protocol):
    """A resource, or one block of it. Paths beginning with `/` start at the resource."""

    @property
    def address(self) -> str:
        """The resource's address in its file."""

    @property
    def kind(self) -> str:
        """The resource type."""

    def get(self, path: Path) -> Any:
        """The value, None where nobody set it, or an `Opaque`."""

    def blocks(self, path: Path) -> Sequence[View] | Opaque:
        """The blocks of a list (a single block counts as a list of one)."""

    def follow(self, reference: Reference) -> Sequence[View]:
        """The resources in the same file that the field refers to; several where it is unclear."""

    def refers(self, reference: Reference) -> bool:
        """Is the field set at all, even to something outside the file."""

    def prior(self, path: Path) -> Any:
        """The value in the state before the change, None where there is none."""

    def setting(self, path: Path) -> Any:
        """A setting of the provider that manages the resource (its region)."""


def text(value: Any) -> str | None:
    """A value as clean text: lone surrogates replaced, None for blocks and opaque values."""
    if value.__class__ is str:
        return clean(value) if value else None
    if value.__class__ in (int, float):
        return str(value)
    return None


def clean(value: str) -> str:
    """Text that any encoder can write: JSON may carry half of a surrogate pair."""
    if value.isascii():
        return value
    return value.encode("utf-8", "replace").decode("utf-8")


def whole(value: Any) -> int | None:
    """A count: 2, "2" and 2.0 are 2; negative, fractional or absurd values are None."""
    if value.__class__ is str and value.isascii() and value.strip().isdigit() and len(value) < 16:
        return int(value)
    if value.__class__ is float and value.is_integer() and 0 <= value < 1e15:
        return int(value)
    if value.__class__ is int and 0 <= value < 10**15:
        return int(value)
    return None
