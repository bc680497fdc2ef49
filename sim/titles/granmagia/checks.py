"""What a ruleset must satisfy beyond the shape of its values; every fault with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sim.core.expression import ExpressionError, parse_effect
from sim.core.title import MASK_WORDS
from sim.core.vocabulary import ANY, KEYWORDS, STOP
from sim.errors import nearest
from sim.titles.granmagia.limits import MAX_AMOUNT, MAX_EFFECTS, PILE_CAPACITY
from sim.titles.granmagia.schema import ATTRIBUTES, BASIC, FIXED_GROUPS, ID, TAGS
from sim.titles.granmagia.tables import Flag, card_flags
from sim.titles.granmagia.words import PRIMITIVES, vocabulary

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.errors import Problem

__all__ = ["problems"]

#: Primitives whose amount may be negative: what they change stops at 0 (GM-T15).
SIGNED = ("casts", "acquisitions", "mana", "gold")

_RESERVED = {STOP, ANY, *KEYWORDS, *FIXED_GROUPS, *ATTRIBUTES, *TAGS}


def problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield all faults of a ruleset that its model cannot see."""
    found = list(_names(ruleset))
    yield from found
    if found:
        return  # without right names there is no vocabulary to check the rest with
    yield from _cards(ruleset)
    yield from _witches(ruleset)
    yield from _effects(ruleset)
    yield from _field(ruleset)
    yield from _supply(ruleset)


def _names(ruleset: Ruleset) -> Iterator[Problem]:
    values = ruleset.values
    cards, witches = values["cards"], values["witches"]
    for name, sort in BASIC.items():
        if name not in cards:
            yield ruleset.problem(("cards",), f"no card {name!r}", "a set with all basic cards")
        elif cards[name]["sort"] != sort:
            yield ruleset.problem(
                ("cards", name, "sort"), repr(cards[name]["sort"]), f"{sort!r} for this card"
            )
    for table in ("cards", "witches"):
        for name in values[table]:
            if not ID.fullmatch(name) or name in _RESERVED:
                yield ruleset.problem(
                    (table, name), f"the id {name!r}", "words like night_market, not taken yet"
                )
    for name in sorted(set(cards) & set(witches)):
        yield ruleset.problem(("witches", name), f"the id {name!r} of a card", "an id of its own")
    taken = {*cards, *witches, *FIXED_GROUPS, *ATTRIBUTES, STOP, ANY, *KEYWORDS}
    for name, card in cards.items():
        for place, tag in enumerate(card["tags"]):
            if tag in taken:
                yield ruleset.problem(
                    ("cards", name, "tags", place), f"the tag {tag!r}", "a word not taken yet"
                )
    codes, most = len(cards) + len(witches) + 1, 64 * MASK_WORDS
    if codes > most:
        yield ruleset.problem(
            ("cards",), f"{codes} cards, witches and stop together", f"at most {most}"
        )


def _cards(ruleset: Ruleset) -> Iterator[Problem]:
    cards = ruleset.values["cards"]
    for name, card in cards.items():
        sort = card["sort"]
        if sort in ("stone", "truth", "curse", "start") and name not in BASIC:
            yield ruleset.problem(
                ("cards", name, "sort"), repr(sort), "magic, rare or exclusive for a card of yours"
            )
        if (sort == "magic") != (card["chapter"] is not None):
            yield ruleset.problem(
                ("cards", name, "chapter"),
                "no chapter" if sort == "magic" else "a chapter",
                "a chapter for sort magic, none for the others",
            )
        if card["effects"] and sort in ("stone", "truth", "curse"):
            yield ruleset.problem(
                ("cards", name, "effects"), "effects", f"none for a card of sort {sort!r} (GM-K8)"
            )
        if card["mana"] and sort != "stone":
            yield ruleset.problem(
                ("cards", name, "mana"), str(card["mana"]), "0: only stones are laid down (GM-T4)"
            )
        if card["truth"] and sort not in ("truth", "curse"):
            yield ruleset.problem(
                ("cards", name, "truth"),
                str(card["truth"]),
                "0: only truth cards and the curse count (GM-W2)",
            )
        larger = card["upgrade"]
        if larger is not None:
            stones = [other for other in cards if cards[other]["sort"] == "stone"]
            allowed = [other for other in stones if other != name] if name in stones else []
            if larger not in allowed:
                yield ruleset.problem(
                    ("cards", name, "upgrade"),
                    repr(larger),
                    ", ".join(allowed) or "nothing: only stones are upgraded",
                    hint=nearest(larger, allowed),
                )
            elif name in _above(name, cards):
                # A stone that can be upgraded for ever would keep a card busy for ever.
                yield ruleset.problem(
                    ("cards", name, "upgrade"), repr(larger), "a stone that does not lead back"
                )


def _above(name: str, cards: Mapping[str, Any]) -> set[str]:
    """Return the stones that a stone can become, one upgrade after the other."""
    found: set[str] = set()
    larger = cards[name]["upgrade"]
    while larger in cards and larger not in found:
        found.add(larger)
        larger = cards[larger]["upgrade"]
    return found


def _witches(ruleset: Ruleset) -> Iterator[Problem]:
    cards = ruleset.values["cards"]
    gifts = [name for name in cards if cards[name]["sort"] in ("stone", "truth", "exclusive")]
    for name, witch in ruleset.values["witches"].items():
        for key in ("gifts", "note_gifts"):
            for place, gift in enumerate(witch[key]):
                if gift not in gifts:
                    yield ruleset.problem(
                        ("witches", name, key, place),
                        repr(gift),
                        ", ".join(gifts),
                        hint=nearest(gift, gifts),
                    )


def _effects(ruleset: Ruleset) -> Iterator[Problem]:
    words = vocabulary(ruleset)
    for name, card in ruleset.values["cards"].items():
        if len(card["effects"]) > MAX_EFFECTS:
            yield ruleset.problem(
                ("cards", name, "effects"), f"{len(card['effects'])} effects", f"{MAX_EFFECTS}"
            )
        for place, text in enumerate(card["effects"]):
            path = ("cards", name, "effects", place)
            try:
                effect = parse_effect(text, PRIMITIVES, words)
            except ExpressionError as error:
                yield ruleset.problem(
                    path,
                    f"{error.found} at column {error.column} of the effect",
                    error.allowed,
                    hint=error.hint,
                    offset=error.column - 1,
                )
                continue
            low = -MAX_AMOUNT if effect.primitive in SIGNED else 0
            if not low <= effect.args[0] <= MAX_AMOUNT:
                yield ruleset.problem(
                    path, f"the amount {effect.args[0]}", f"{low} to {MAX_AMOUNT}"
                )


def _field(ruleset: Ruleset) -> Iterator[Problem]:
    field, supply = ruleset.values["field"], ruleset.values["supply"]
    if field["kinds"] > supply["kinds"]:
        yield ruleset.problem(
            ("field", "kinds"), str(field["kinds"]), f"at most supply.kinds, {supply['kinds']}"
        )
    if field["end_kinds"] >= field["kinds"]:
        yield ruleset.problem(
            ("field", "end_kinds"),
            str(field["end_kinds"]),
            f"less than field.kinds, {field['kinds']}",
        )


def _supply(ruleset: Ruleset) -> Iterator[Problem]:
    """Refuse chapters that cannot satisfy GM-F2, before a game tries in vain (GM-F9)."""
    values = ruleset.values
    supply = values["supply"]
    chapters, kinds = sorted(set(supply["chapters"])), supply["kinds"]
    where = "chapter " + " and ".join(map(str, chapters))
    flags = [
        card_flags(name, card)
        for name, card in values["cards"].items()
        if card["chapter"] in chapters
    ]
    if len(flags) < kinds:
        yield ruleset.problem(
            ("supply", "kinds"), str(kinds), f"at most {len(flags)}, the magic kinds of {where}"
        )
    for flag, what in ((Flag.HAND_GROWING, "hand-growing"), (Flag.BURN, "burn")):
        if not any(bits & flag for bits in flags):
            yield ruleset.problem(
                ("supply", "chapters"), f"{where} without a {what} kind", "one at least (GM-F2)"
            )
    peaceful = sum(not bits & Flag.ATTACK for bits in flags)
    if peaceful < kinds and not any(bits & Flag.DEFENCE for bits in flags):
        yield ruleset.problem(
            ("supply", "chapters"), f"{where} with attacks and no defence", "a defence (GM-F2)"
        )
    plain = sum(not bits & Flag.BURN for bits in flags)
    if not supply["third_burn_accept"] and plain + 2 < kinds:
        yield ruleset.problem(
            ("supply", "third_burn_accept"),
            "0",
            f"more, as {where} need a third burn kind to make {kinds}",
        )
    yield from _magic_deck(ruleset, values)


def _magic_deck(ruleset: Ruleset, values: Mapping[str, Any]) -> Iterator[Problem]:
    supply = values["supply"]
    rares = sum(card["sort"] == "rare" for card in values["cards"].values())
    if rares < 4 * supply["rares_per_player"]:
        yield ruleset.problem(
            ("supply", "rares_per_player"),
            str(supply["rares_per_player"]),
            f"at most {rares // 4}, as there are {rares} rares for four players",
        )
    for players in (2, 3, 4):
        copies = supply["copies"][f"{players}p"]
        cards = supply["kinds"] * copies + players * supply["rares_per_player"]
        if cards > PILE_CAPACITY:
            yield ruleset.problem(
                ("supply", "copies", f"{players}p"),
                f"{copies}, a magic deck of {cards} cards",
                f"a magic deck of at most {PILE_CAPACITY} cards",
            )
