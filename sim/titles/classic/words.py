"""The words of the title: primitives of card texts, groups, and the vocabulary of policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sim.core.expression import Primitive
from sim.core.vocabulary import STOP, Vocabulary
from sim.titles.classic.info import DECISIONS
from sim.titles.classic.observe import OBSERVABLES
from sim.titles.classic.schema import BASIC, SORTS

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["ATTACKS", "FIXED_GROUPS", "PRIMITIVES", "kind_ids", "vocabulary"]

PRIMITIVES = (
    Primitive("draw", ("int",), "draw that many cards"),
    Primitive("actions", ("int",), "that many actions more"),
    Primitive("buys", ("int",), "that many buys more"),
    Primitive("coins", ("int",), "that many coins more"),
    Primitive("discard_up_to", ("int",), "discard up to that many cards from hand"),
    Primitive("trash_up_to", ("int",), "trash up to that many cards from hand"),
    Primitive("receive", ("int",), "receive a card that costs up to n"),
    Primitive("exchange", ("int",), "trash a card from hand for one that costs up to n more"),
    Primitive("curses", ("int",), "attack: that many curses to each other seat"),
    Primitive("others_discard_to", ("int",), "attack: the others discard down to that many cards"),
)

#: Primitives that work on the other seats, and that reactions stop (CL-A1).
ATTACKS = ("curses", "others_discard_to")

#: Groups that there are in every ruleset.
FIXED_GROUPS = ("card", *SORTS[:2], "action", "attack", "reaction")


def kind_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of a ruleset in the order of their codes."""
    return (*BASIC, *sorted(set(values["cards"]) - set(BASIC)))


def _attacks(card: Mapping[str, Any]) -> bool:
    return any(text.split()[:1] == [attack] for text in card["effects"] for attack in ATTACKS)


def vocabulary(ruleset: Ruleset) -> Vocabulary:
    """Return the words that policies and card texts may use: option codes are kinds, then stop."""
    cards = ruleset.values["cards"]
    kinds = kind_ids(ruleset.values)
    members: dict[str, Callable[[Mapping[str, Any]], bool]] = {
        "card": lambda card: True,
        "treasure": lambda card: bool(card["sort"] == "treasure"),
        "victory": lambda card: bool(card["sort"] == "victory"),
        "action": lambda card: bool(card["sort"] == "action"),
        "attack": _attacks,
        "reaction": lambda card: bool(card["reaction"]),
    }
    return Vocabulary(
        options=(*kinds, STOP),
        groups={
            group: tuple(code for code, kind in enumerate(kinds) if members[group](cards[kind]))
            for group in FIXED_GROUPS
        },
        observables=OBSERVABLES,
        arguments={
            "kind": {kind: code for code, kind in enumerate(kinds)},
            "group": {group: number for number, group in enumerate(FIXED_GROUPS)},
        },
        attributes={
            name: (*(cards[kind][name] for kind in kinds), 0)
            for name in ("cost", "coins", "points")
        },
        decisions=DECISIONS,
        option_argument="kind",
    )
