"""The words of the title: of policies, and of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.core.expression import ParsedEffect, parse_effect
from sim.core.title import MASK_WORDS
from sim.core.vocabulary import STOP, Vocabulary
from sim.titles.majestic.info import DECISIONS
from sim.titles.majestic.observe import OBSERVABLES
from sim.titles.majestic.primitives import PRIMITIVES, TEXTS
from sim.titles.majestic.schema import ATTRIBUTES, PLACES, SIDES, SORTS, WHOM

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "FIXED_GROUPS",
    "MOST_KINDS",
    "WORDS",
    "Codes",
    "codes",
    "kind_ids",
    "mana_ids",
    "role",
    "sorcerer_ids",
    "vocabulary",
]

OWN = tuple(f"own_{place}" for place in range(1, PLACES + 1))
ENEMY = tuple(f"enemy_{place}" for place in range(1, PLACES + 1))

#: Options after the kinds, in the order of their codes, ``stop`` left out.
WORDS = (
    *OWN,
    *ENEMY,
    "advance",
    "retreat",
    "sorcery",
    "to_front",
    "to_back",
    "redraw",
    "put_mana",
    "draw_card",
    "use_effect",
)

#: Option codes that are left for kinds of main decks.
MOST_KINDS = 64 * MASK_WORDS - len(WORDS) - 1

#: Groups by cost: ``up_to_2`` are the cards that cost 2 or less.
_COSTS = (1, 2, 3, 4)

#: Groups by what the text of a spell does, a card may be in several.
_ROLES = ("removal", "booster", "drawer", "burner", "ramper")

FIXED_GROUPS = (
    *(f"any_{sort}" for sort in SORTS),
    *ATTRIBUTES,
    *(f"up_to_{cost}" for cost in _COSTS),
    "from_5",
    *_ROLES,
    "own_unit",
    "enemy_unit",
)


class Codes(NamedTuple):
    """Codes of options that are no kinds; of the places, that of the first one."""

    own: int
    enemy: int
    advance: int
    retreat: int
    sorcery: int
    front: int
    back: int
    redraw: int
    put: int
    draw: int
    use: int


def codes(kinds: int) -> Codes:
    """Return the codes of the options after so many kinds."""
    first = (OWN[0], ENEMY[0], *WORDS[2 * PLACES :])
    return Codes(*(kinds + WORDS.index(word) for word in first))


def kind_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of main decks in the order of their codes."""
    return tuple(sorted(values["cards"]))


def mana_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of mana cards in the order of their numbers."""
    return tuple(sorted(values["mana"]))


def sorcerer_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sorcerers in the order of their numbers."""
    return tuple(sorted(values["sorcerers"]))


def vocabulary(ruleset: Ruleset) -> Vocabulary:
    """Return the words of policies: kinds, places, the other options, then stop."""
    cards = ruleset.values["cards"]
    kinds = kind_ids(ruleset.values)
    described = (*kinds, *WORDS)

    faces = [cards[kind] for kind in kinds]
    groups: dict[str, tuple[int, ...]] = {}
    for sort in SORTS:
        groups[f"any_{sort}"] = _places(card["sort"] == sort for card in faces)
    for name in ATTRIBUTES:
        groups[name] = _places(card["attribute"] == name for card in faces)
    for cost in _COSTS:
        groups[f"up_to_{cost}"] = _places(card["cost"] <= cost for card in faces)
    groups["from_5"] = _places(card["cost"] >= 5 for card in faces)
    for role in _ROLES:
        groups[role] = _places(role in _roles(card) for card in faces)
    code = codes(len(kinds))
    places = {"own_unit": code.own, "enemy_unit": code.enemy}
    groups |= {name: tuple(range(first, first + PLACES)) for name, first in places.items()}
    beyond = (0,) * (len(WORDS) + 1)
    return Vocabulary(
        options=(*described, STOP),
        groups=groups,
        observables=OBSERVABLES,
        arguments={
            "option": {name: code for code, name in enumerate(described)},
            "attribute": dict(TEXTS.arguments["attribute"]),
            "group": {group: number for number, group in enumerate(FIXED_GROUPS)},
        },
        attributes={
            name: (*(cards[kind][name] for kind in kinds), *beyond) for name in ("cost", "ap", "dp")
        },
        decisions=DECISIONS,
        option_argument="option",
    )


def _places(hold: Iterable[bool]) -> tuple[int, ...]:
    return tuple(place for place, one in enumerate(hold) if one)


def _roles(card: Mapping[str, Any]) -> set[str]:
    return {role(parse_effect(text, PRIMITIVES, TEXTS)) for text in card["effects"]} - {""}


def role(effect: ParsedEffect) -> str:
    """Return what an effect is good for, by its primitive and whom it works on."""
    amount, side = effect.args[-1], effect.args[0]
    match effect.primitive:
        case "damage" | "destroy" | "return" if WHOM[side] in ("target", "enemy", "attacker"):
            return "removal"
        case "ap" | "dp" if amount < 0:
            return "removal"
        case "ap" | "dp":
            return "booster"
        case "draw" | "search" | "salvage":
            return "drawer"
        case "hit" if SIDES[side] == "enemy":
            return "burner"
        case "mana":
            return "ramper"
    return ""
