"""Fixtures that several tests of a refresh share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .aws_rest import signed_in
from .server import Server


@pytest.fixture(scope="module")
def account() -> Iterator[Server]:
    """A server that answers as AWS to a signed-in account."""
    with signed_in() as found:
        yield found
