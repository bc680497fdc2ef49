"""What texts can do, and the words in which they are written."""

from __future__ import annotations

from sim.core.expression import Primitive
from sim.core.vocabulary import Vocabulary
from sim.titles.majestic.schema import (
    AREAS,
    ATTRIBUTES,
    KEYWORDS,
    SIDES,
    SORTS,
    UPRIGHT,
    WHOM,
)
from sim.titles.majestic.texts import TEXT_OBSERVABLES

__all__ = ["PRIMITIVES", "TEXTS"]

_WHOM, _SIDE, _AREA = "|".join(WHOM), "|".join(SIDES), "|".join((*AREAS, "other"))
_FETCHED = "|".join((*SORTS, "card"))

#: What texts can do. The tables hold at most two words and one number of each.
PRIMITIVES = (
    Primitive("damage", (_WHOM, "int"), "deal that much damage"),
    Primitive("destroy", (_WHOM,), "destroy"),
    Primitive("return", (_WHOM,), "return to its owner's hand"),
    Primitive("ap", (_WHOM, "int"), "that much AP until the end of the turn, or less AP"),
    Primitive("dp", (_WHOM, "int"), "that much DP until the end of the turn, or less DP"),
    Primitive("grant", (_WHOM, "|".join(KEYWORDS)), "give a keyword until the end of the turn"),
    Primitive("ready", (_WHOM,), "turn up"),
    Primitive("turn_down", (_WHOM,), "turn down"),
    Primitive("shift", (_WHOM, _AREA), "to that area; not the move of MM-T3"),
    Primitive("draw", (_SIDE, "int"), "draw that many cards"),
    Primitive("discard", (_SIDE, "int"), "discard that many cards, of the seat's own choice"),
    Primitive("mill", (_SIDE, "int"), "that many cards from the main deck to the trash"),
    Primitive("hit", (_SIDE, "int"), "lose that many LP, as by MM-B5"),
    Primitive("heal", (_SIDE, "int"), "that many LP from the mana deck"),
    Primitive("mana", ("|".join(UPRIGHT), "int"), "that many cards from own mana deck to the zone"),
    Primitive("refresh", ("int",), "turn that many own mana cards up"),
    Primitive("recycle", ("int",), "the last n cards of the own trash into the main deck; shuffle"),
    Primitive("search", (_FETCHED, "int"), "a card of cost n or less from main deck to hand"),
    Primitive("salvage", (_FETCHED, "int"), "a card of cost n or less from the own trash to hand"),
    Primitive("revive", ("int",), "a unit of cost n or less from the own trash onto the field"),
    Primitive("deploy", ("int",), "a unit of cost n or less from hand onto the field"),
)

#: The words of texts. Policies have others.
TEXTS = Vocabulary(
    options=(),
    groups={},
    observables=TEXT_OBSERVABLES,
    arguments={"attribute": {name: place for place, name in enumerate(ATTRIBUTES)}},
    attributes={},
    decisions=(),
)
