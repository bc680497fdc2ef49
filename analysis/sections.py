"""Which rates are told of a run, from which games, and by which margin: the one place that decides.

Pages and the summary of the command line both follow it, so that they never tell two stories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.core.title import Column, TitleInfo
    from sim.run.plan import Plan

__all__ = ["MARGINS", "RateSection", "rate_sections"]

#: Largest deviation from parity that counts as balanced, as rates, by what is compared.
MARGINS: Mapping[str, float] = {"seats": 0.02, "policies": 0.05, "categories": 0.05}


@dataclass(frozen=True, slots=True)
class RateSection:
    """One table of rates.

    Attributes
    ----------
    id : str
        ``seats``, ``policies``, ``policy_seat``, ``clear`` or ``category``.
    by : tuple of str
        Keys of the table, ``players`` first.
    designs : tuple of str
        Designs of the blocks whose games are used.
    margin : str or None
        Key of the margin; without it there is no verdict.
    captions : tuple of str
        What a reader has to know about it.
    column : Column or None
        The category, for ``category``.
    """

    id: str
    by: tuple[str, ...]
    designs: tuple[str, ...]
    margin: str | None
    captions: tuple[str, ...] = ()
    column: Column | None = None

    @property
    def selected(self) -> bool:
        """Whether the key is chosen during play, so that its rates describe and do not explain."""
        return "selected" in self.captions


def rate_sections(info: TitleInfo, plan: Plan) -> tuple[RateSection, ...]:
    """Return the tables of rates of a run, most important first.

    Seats are compared in mirrors and full rotations, where a seat's share owes nothing to who sits
    there; policies outside mirrors, where their share is parity by construction. Seats of a title
    whose players decide at the same time are a check of the simulation, without a verdict.

    Parameters
    ----------
    info : TitleInfo
    plan : Plan
    """
    present = tuple(dict.fromkeys(block.design for block in plan.blocks if block.deals))
    several = len(plan.policies) > 1
    sections = []

    def add(
        id_: str,
        key: str,
        designs: tuple[str, ...],
        margin: str | None,
        *captions: str,
        column: Column | None = None,
    ) -> None:
        if designs == ("fixed",) and several and info.seats != "none":
            captions = (*captions, "fixed")
        by = ("players", *key.split(","))
        sections.append(RateSection(id_, by, designs, margin, captions, column))

    if info.seats == "none":
        add("clear", "policy", present, None)
    else:
        fair = tuple(name for name in present if name in {"mirror", "rotation"}) or present
        if info.seats == "symmetric":
            add("seats", "seat", fair, None, "symmetric")
        else:
            add("seats", "seat", fair, "seats", "who")
        free = tuple(name for name in present if name != "mirror")
        if free and several:
            left_out = ("mirrors",) if "mirror" in present else ()
            add("policies", "policy", free, "policies", *left_out)
            add("policy_seat", "policy,seat", free, "policies", *left_out)
    for column in info.level("seat"):
        if column.role == "category":
            captions = ("selected",) if column.selected else ()
            margin = None if info.seats == "none" else "categories"
            add("category", column.name, present, margin, *captions, column=column)
    return tuple(sections)
