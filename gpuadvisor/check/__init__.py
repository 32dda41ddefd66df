"""Infrastructure findings -> cost before, after and at most -> verdict of a policy.

The public function has the room's name, so that this module can be called as well:
`from gpuadvisor import check` gives a callable whether or not the room was imported before.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    def __call__(self, *arguments: Any, **fields: Any) -> Any:
        """`gpuadvisor.check.run.check`."""
        from gpuadvisor.check.run import check

        return check(*arguments, **fields)


sys.modules[__name__].__class__ = _Room
