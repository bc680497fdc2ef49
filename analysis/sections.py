"""Which rates are told of a run, from which games, and by which margin: the one place that decides.

Pages and the summary of the command line both follow it, so that they never tell two stories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.core.title import Column, TitleInfo
    from sim.run.plan import Plan

__all__ = [
    "RateSection",
    "default_margin",
    "designs_for",
    "designs_of_choices",
    "present",
    "rate_sections",
]


@dataclass(frozen=True, slots=True)
class RateSection:
    """One table of rates.

    Attributes
    ----------
    id : str
        ``seats``, ``seat_design``, ``policies``, ``policy_seat``, ``clear`` or ``category``.
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

    @property
    def confounded(self) -> bool:
        """Whether one line-up was played in fixed seats, so that no verdict can be given."""
        return "fixed" in self.captions


def present(plan: Plan) -> tuple[str, ...]:
    """Return the designs that a plan plays, in its order.

    Parameters
    ----------
    plan : Plan
    """
    return tuple(dict.fromkeys(block.design for block in plan.blocks if block.deals))


def designs_for(keys: Sequence[str], there: Sequence[str]) -> tuple[str, ...]:
    """Return the designs whose games answer a question about seats or policies.

    Policies are compared in full rotations: in mirrors their share is parity by construction, and
    line-ups that are drawn put a policy beside itself, which pulls its share towards parity. Where
    there are no rotations, what there is beside mirrors has to do. Seats are compared in mirrors
    and full rotations, where a seat's share owes nothing to who sits there.

    Parameters
    ----------
    keys : sequence of str
        Keys of a table.
    there : sequence of str
        Designs that were played.

    Examples
    --------
    >>> designs_for(["players", "policy"], ["mirror", "rotation", "pool"])
    ('rotation',)
    >>> designs_for(["players", "seat"], ["mirror", "rotation", "pool"])
    ('mirror', 'rotation')
    >>> designs_for(["players", "policy"], ["pool"])
    ('pool',)
    """
    there = tuple(there)
    if {"design", "block", "cell"} & set(keys):
        return there  # told apart in the table itself
    if "policy" in keys:
        rotations = tuple(name for name in there if name == "rotation")
        return rotations or tuple(name for name in there if name != "mirror") or there
    if set(keys) <= {"players", "seat"} and "seat" in keys:
        return tuple(name for name in there if name in {"mirror", "rotation"}) or there
    return there


def designs_of_choices(there: Sequence[str]) -> tuple[str, ...]:
    """Return the designs whose games tell who wins with what was chosen during play.

    Seats whose policies are drawn each for itself are used where there are such: a rotation would
    count every choice with the rivals that its policy happened to meet.

    Parameters
    ----------
    there : sequence of str
        Designs that were played.

    Examples
    --------
    >>> designs_of_choices(["mirror", "rotation", "pool"]), designs_of_choices(["fixed"])
    (('pool',), ('fixed',))
    """
    return ("pool",) if "pool" in there else tuple(there)


def default_margin(
    info: TitleInfo, plan: Plan, keys: Sequence[str], designs: Sequence[str]
) -> float | None:
    """Return the margin of the page's table with these keys, or None where it has no verdict.

    Parameters
    ----------
    info : TitleInfo
    plan : Plan
    keys : sequence of str
        Keys of a table.
    designs : sequence of str
        Designs whose games are used.

    Returns
    -------
    float or None
        As a rate.
    """
    from analysis.spec import margins_of

    asked = set(keys) - {"players", "design", "block", "cell"}
    if tuple(designs) == ("mirror",) and "policy" in asked:
        return None  # parity by construction
    if tuple(designs) == ("fixed",) and len(plan.policies) > 1:
        return None  # seat and policy cannot be told apart
    for section in rate_sections(info, plan):
        if asked == set(section.by) - {"players"} and not section.selected:
            return None if section.margin is None else margins_of(info)[section.margin]
    return None


def rate_sections(info: TitleInfo, plan: Plan) -> tuple[RateSection, ...]:
    """Return the tables of rates of a run, most important first.

    Which games they use: :func:`designs_for`. Seats of a title whose players decide at the same
    time are a check of the simulation (:mod:`analysis.selfcheck`), without a margin, and nothing is
    told by seat beyond that.

    Parameters
    ----------
    info : TitleInfo
    plan : Plan
    """
    there = present(plan)
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
        add("clear", "policy", there, None)
    else:
        fair = designs_for(["seat"], there)
        if info.seats == "symmetric":
            add("seats", "seat", fair, None, "symmetric")
        else:
            add("seats", "seat", fair, "seats", "who")
        ordered = info.seats == "ordered"
        if len(there) > 1 and ordered:
            add("seat_design", "design,seat", there, None, "designs")
        free = designs_for(["policy"], there)
        if free and free != ("mirror",) and several:
            why = []
            if free == ("rotation",) and len(there) > 1:
                why.append("rotations")
            elif "mirror" in there:
                why.append("mirrors")
            if free == ("pool",):
                why.append("pool")
            add("policies", "policy", free, "policies", *why)
            if ordered:
                add("policy_seat", "policy,seat", free, "policies", *why)
    for column in info.level("seat"):
        if column.role == "category":
            solo = info.seats == "none"
            captions = ("selected",) if column.selected else ("assigned",) * solo
            margin = None if solo else "categories"
            add("category", column.name, there, margin, *captions, column=column)
    return tuple(sections)
