"""tenbin plays tabletop games by the million: the public names.

Importing this package loads none of the libraries behind it; a name is fetched when it is used.
Titles are in :mod:`sim.titles` (``sim.titles.TITLES``).

Examples
--------
>>> import sim
>>> sorted(sim.__all__)[:4]
['Run', 'bench', 'load', 'make_plan']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.run.api import load, make_plan, open_run, simulate, title_infos
    from sim.run.bench import bench
    from sim.run.merging import merge
    from sim.run.remote import publish
    from sim.run.result import Run
    from sim.run.tracing import trace

__all__ = [
    "Run",
    "bench",
    "load",
    "make_plan",
    "merge",
    "open_run",
    "publish",
    "simulate",
    "title_infos",
    "trace",
]

_HOMES = {
    "Run": "sim.run.result",
    "bench": "sim.run.bench",
    "merge": "sim.run.merging",
    "publish": "sim.run.remote",
    "trace": "sim.run.tracing",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "sim.run.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
