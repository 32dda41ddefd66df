"""gpuadvisor: which cloud GPU instances to rent, on which terms, at what cost, and why.

The functions of the public API are the ones the command line calls; they are imported on first
use, so that `import gpuadvisor` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from gpuadvisor.advice.compare import compare
    from gpuadvisor.advice.estimate import estimate
    from gpuadvisor.advice.fit import fit
    from gpuadvisor.advice.own import own
    from gpuadvisor.advice.quote import quote
    from gpuadvisor.advice.recommend import recommend
    from gpuadvisor.advice.reserve import reserve
    from gpuadvisor.catalog.store import load_catalog
    from gpuadvisor.check.run import check

_HOMES = {
    "check": "gpuadvisor.check.run",
    "fit": "gpuadvisor.advice.fit",
    "compare": "gpuadvisor.advice.compare",
    "estimate": "gpuadvisor.advice.estimate",
    "own": "gpuadvisor.advice.own",
    "quote": "gpuadvisor.advice.quote",
    "recommend": "gpuadvisor.advice.recommend",
    "reserve": "gpuadvisor.advice.reserve",
    "load_catalog": "gpuadvisor.catalog.store",
}

__all__ = [
    "__version__",
    "check",
    "compare",
    "estimate",
    "fit",
    "load_catalog",
    "own",
    "quote",
    "recommend",
    "reserve",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'gpuadvisor' has no attribute {name!r}")
