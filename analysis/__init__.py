"""Statistics, figures and reports over stores and frames: the public names.

Importing this package loads none of the libraries behind it; a name is fetched when it is used.

Examples
--------
>>> import analysis
>>> sorted(analysis.__all__)[:3]
['compare', 'end_reasons', 'estimates']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis import estimates, plots
    from analysis.compare import compare
    from analysis.frames import end_reasons, histogram, outcomes, win_rates
    from analysis.impact import presence_effects, supply_effects
    from analysis.report import write_report
    from analysis.stopping import stop_rule

__all__ = [
    "compare",
    "end_reasons",
    "estimates",
    "histogram",
    "outcomes",
    "plots",
    "presence_effects",
    "stop_rule",
    "supply_effects",
    "win_rates",
    "write_report",
]

_MODULES = ("estimates", "plots")
#: Where names live that are not in ``analysis.frames``.
_HOMES = {
    "compare": "analysis.compare",
    "presence_effects": "analysis.impact",
    "stop_rule": "analysis.stopping",
    "supply_effects": "analysis.impact",
    "write_report": "analysis.report",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    value = getattr(import_module(_HOMES.get(name, "analysis.frames")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
