"""The words of the title: options, groups, observables and the primitives of card texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.core.expression import Primitive
from sim.core.vocabulary import STOP, Vocabulary
from sim.titles.granmagia.info import DECISIONS
from sim.titles.granmagia.observe import OBSERVABLES
from sim.titles.granmagia.schema import (
    ATTRIBUTES,
    FIXED_GROUPS,
    TAGS,
    kind_order,
    witch_order,
)

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "ATTACKS",
    "PLACES",
    "PRIMITIVES",
    "SEALS",
    "groups",
    "kind_ids",
    "seal_ids",
    "vocabulary",
    "witch_ids",
]

#: Where a received card goes; a place's number is its index.
PLACES = ("discard", "hand")

_PLACE = "|".join(PLACES)

#: The primitives of effects. Their order gives the codes that both engines interpret.
PRIMITIVES = (
    Primitive("casts", ("int",), "that many casts more"),
    Primitive("acquisitions", ("int",), "that many acquisitions more"),
    Primitive("mana", ("int",), "that much mana"),
    Primitive("gold", ("int",), "that much gold"),
    Primitive("draw", ("int",), "draw that many cards"),
    Primitive("draw_to", ("int",), "draw until that many cards are in hand"),
    Primitive("discard", ("int",), "discard that many cards from hand"),
    Primitive("discard_up_to", ("int",), "discard up to that many cards from hand"),
    Primitive("burn", ("int",), "burn that many cards from hand"),
    Primitive("burn_up_to", ("int",), "burn up to that many cards from hand"),
    Primitive("trade", ("int",), "may burn a card from hand for one that costs up to n more"),
    Primitive("receive", ("int", "group", _PLACE), "receive a card of a group that costs up to n"),
    Primitive("upgrade", ("int",), "exchange up to that many stones in hand for larger ones"),
    Primitive("look", ("int",), "look at that many cards of the own deck, discard any of them"),
    Primitive("take_curses", ("int",), "take that many curses into the own discard pile"),
    Primitive("barrier", ("int",), "that many barriers more"),
    Primitive("tokens", ("int",), "that many truth tokens more"),
    Primitive("extra_turn", ("int",), "an extra turn after this one, with an amount above 0"),
    Primitive("seal", ("seal",), "place a seal anew on a pile of its group"),
    Primitive("curses", ("int",), "attack: that many curses to each other seat"),
    Primitive("pass_curses", ("int",), "attack: up to that many curses from hand to each other"),
    Primitive("others_discard", ("int",), "attack: each other seat discards that many cards"),
    Primitive("others_discard_to", ("int",), "attack: the others discard down to that many cards"),
    Primitive("take_gold", ("int",), "attack: up to that much gold from each other seat"),
)

#: The primitive whose amount is the number of a seal.
SEALS = "seal"

#: Primitives that work on the other seats, and that defences stop (GM-K9).
ATTACKS = ("curses", "pass_curses", "others_discard", "others_discard_to", "take_gold")


def kind_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of a ruleset in the order of their codes."""
    return kind_order(
        {name: (card["sort"], card.get("chapter")) for name, card in values["cards"].items()}
    )


def witch_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the witches of a ruleset in the order of their codes."""
    return witch_order(list(values["witches"]))


def seal_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the seals of a ruleset in the order of their numbers."""
    return tuple(sorted(values["seals"]))


def groups(values: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the groups of a ruleset: sorts, attributes, tags, each with its option codes.

    ``card`` is every kind, ``magic`` the kinds that are cast (common, rare, exclusive), ``piles``
    the kinds that seals may lie on (stones and truth cards).
    """
    kinds = kind_ids(values)
    cards = [values["cards"][name] for name in kinds]
    witches = range(len(kinds), len(kinds) + len(values["witches"]))

    def of_sort(*sorts: str) -> tuple[int, ...]:
        return tuple(code for code, card in enumerate(cards) if card["sort"] in sorts)

    found: dict[str, tuple[int, ...]] = dict(
        zip(
            FIXED_GROUPS,
            (
                tuple(range(len(kinds))),
                of_sort("stone"),
                of_sort("truth"),
                of_sort("magic", "rare", "exclusive"),
                of_sort("magic"),
                of_sort("rare"),
                of_sort("exclusive"),
                tuple(witches),
                of_sort("stone", "truth"),
            ),
            strict=True,
        )
    )
    tags = sorted({tag for card in cards for tag in card["tags"]} - set(TAGS))
    for attribute in ATTRIBUTES:
        found[attribute] = tuple(
            code for code, card in enumerate(cards) if attribute in card["attributes"]
        )
    for tag in (*TAGS, *tags):
        found[tag] = tuple(code for code, card in enumerate(cards) if tag in card["tags"])
    return found


def vocabulary(ruleset: Ruleset) -> Vocabulary:
    """Return the words that policies and card texts may use under a ruleset.

    Option codes are the kinds (basic ones first, then magic kinds by chapter and id, rares,
    exclusives), then the witches, and ``stop`` last.
    """
    values = ruleset.values
    kinds, witches, named = kind_ids(values), witch_ids(values), groups(values)
    costs = [values["cards"][name]["cost"] for name in kinds]
    costs += [values["witches"][name]["cost"] for name in witches]
    return Vocabulary(
        options=(*kinds, *witches, STOP),
        groups=named,
        observables=OBSERVABLES,
        arguments={
            "kind": {name: code for code, name in enumerate(kinds)},
            "group": {name: number for number, name in enumerate(named)},
            "witch": {name: number for number, name in enumerate(witches)},
            "seal": {name: number for number, name in enumerate(seal_ids(values))},
        },
        attributes={
            "cost": (*costs, 0),
            "truth": (*(values["cards"][name]["truth"] for name in kinds), *[0] * len(witches), 0),
            "mana": (*(values["cards"][name]["mana"] for name in kinds), *[0] * len(witches), 0),
        },
        decisions=DECISIONS,
        option_argument="kind",
    )
