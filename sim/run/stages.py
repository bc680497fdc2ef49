"""Runs that end early: at which numbers of games they are looked at, and what decides.

A look is taken when all games up to it are finished, in the order of the deals. So the number of
workers, and which of them was fast, cannot matter to where a run ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from sim.run.plan import Plan
    from sim.run.result import Run

__all__ = ["FIRST", "GROWTH", "Look", "StopRule", "looks", "outline"]

#: Games before the first look, and by what the games grow from look to look.
FIRST, GROWTH = 5_000, (5, 4)


class Look(NamedTuple):
    """What a look found: whether the run may end, and a sentence that says why or why not."""

    met: bool
    why: str


class StopRule(Protocol):
    """Decides at each look whether a run ends; ``analysis.stop_rule`` makes them."""

    def outline(self) -> Mapping[str, Any]:
        """Return the rule as plain JSON values, its text as ``rule``: part of the identity."""
        ...

    def check(self, plan: Plan, info: Any) -> None:
        """Raise when no run of a plan could ever meet it."""
        ...

    def __call__(self, run: Run, /) -> Look:
        """Look at all games so far."""
        ...


def outline(rule: StopRule) -> dict[str, Any]:
    """Return what a run's identity says of its end."""
    return {**rule.outline(), "looks": {"first": FIRST, "growth": list(GROWTH)}}


def looks(plan: Plan) -> Iterator[int]:
    """Yield the numbers of games at which a run is looked at, ascending; the last is the plan's.

    Examples
    --------
    >>> import sim
    >>> list(looks(sim.make_plan("classic", games=8_000)))
    [5000, 6250, 7813, 8000]
    """
    step = 1
    if {block.design for block in plan.blocks} == {"rotation"}:  # games come in whole deals only
        step = plan.blocks[0].games_per_deal
    games = FIRST
    while (rounded := -(-games // step) * step) < plan.games:
        yield rounded
        games = -(-games * GROWTH[0] // GROWTH[1])
    yield plan.games
