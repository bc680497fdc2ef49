"""What a ruleset must satisfy beyond the shape of its values; every fault with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.core.expression import ExpressionError, ParsedEffect, parse_conditions, parse_effect
from sim.core.title import MASK_WORDS
from sim.core.toml_source import dotted
from sim.core.vocabulary import ANY, KEYWORDS, STOP
from sim.errors import nearest
from sim.titles.granmagia.limits import MAX_AMOUNT, MAX_EFFECTS, MAX_SEALS, PILE_CAPACITY
from sim.titles.granmagia.schema import ATTRIBUTES, BASIC, FIXED_GROUPS, ID, TAGS
from sim.titles.granmagia.tables import Flag, card_flags, castable
from sim.titles.granmagia.words import ATTACKS, PRIMITIVES, SEALS, vocabulary

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.core.toml_source import KeyPath
    from sim.core.vocabulary import Vocabulary
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
    yield from _lasting(ruleset)
    yield from _witches(ruleset)
    yield from _seals(ruleset)
    yield from _texts(ruleset)
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
    for table in ("cards", "witches", "seals"):
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
        if sort in ("stone", "truth", "curse"):
            for key in ("effects", "turn_start", "reward", "needs", "attributes"):
                if card[key]:
                    never = f"none for a card of sort {sort!r} (GM-K8)"
                    yield ruleset.problem(("cards", name, key), key, never)
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


def _lasting(ruleset: Ruleset) -> Iterator[Problem]:
    """Check what attributes ask of the texts of their cards, and the other way round."""
    cards = ruleset.values["cards"]
    exclusives = [name for name in cards if cards[name]["sort"] == "exclusive"]
    for name, card in cards.items():
        path, attributes = ("cards", name), card["attributes"]

        def fault(
            key: str, found: str, allowed: str, path: KeyPath = path, hint: str | None = None
        ) -> Problem:
            return ruleset.problem((*path, key), found, allowed, hint=hint)

        if "duration" in attributes and "permanent" in attributes:
            yield fault("attributes", "duration and permanent", "one of them (GM-K1, GM-K2)")
        if "duration" in attributes and not card["turn_start"]:
            yield fault("attributes", "duration without turn_start", "a turn_start (GM-K1)")
        if card["turn_start"] and not {"duration", "permanent"} & set(attributes):
            allowed = "none without the attribute duration or permanent (GM-K1, GM-K2)"
            yield fault("turn_start", "turn_start", allowed)
        if card["reward"] and "familiar" not in attributes:
            yield fault("reward", "a reward", "none without the attribute familiar (GM-K3)")
        attacks = any(_primitive(text) in ATTACKS for text in card["effects"])
        if attacks != ("attack" in attributes):
            found = f"{'effects' if attacks else 'no effect'} that attack{'' if attacks else 's'}"
            allowed = "the attribute attack together with one of " + ", ".join(ATTACKS)
            yield fault("attributes", found, f"{allowed} (GM-K9)")
        if card["defends"] == "field" and "permanent" not in attributes:
            yield fault("defends", "'field'", "'hand', or the attribute permanent too (GM-A2)")
        barriers = any(
            _primitive(effect) == "barrier"
            for text in ("effects", "turn_start", "reward")
            for effect in card[text]
        )
        if card["defends"] and "defence" not in attributes:
            yield fault("defends", repr(card["defends"]), "the attribute defence too (GM-K9)")
        if "defence" in attributes and not card["defends"] and not barriers:
            allowed = "defends, or an effect barrier, with it (GM-K9)"
            yield fault("attributes", "defence without a defence", allowed)
        if card["gives"] is not None and card["gives"] not in exclusives:
            near = nearest(card["gives"], exclusives)
            allowed = ", ".join(exclusives) or "nothing: there is no exclusive"
            yield fault("gives", repr(card["gives"]), allowed, hint=near)
        if card["gives"] is not None and not castable(card):
            yield fault("gives", repr(card["gives"]), "nothing for a card that is never used")
        if (card["gives"] is None) != (card["gives_every"] == 0):
            allowed = "1 to 99 with gives, none without"
            yield fault("gives_every", str(card["gives_every"]), allowed)


def _primitive(text: str) -> str:
    return (text.split() or [""])[0]


def _witches(ruleset: Ruleset) -> Iterator[Problem]:
    cards = ruleset.values["cards"]
    gifts = [name for name in cards if cards[name]["sort"] in ("stone", "truth", "exclusive")]
    used = [name for name in cards if castable(cards[name])]
    stated = set(ruleset.keys())
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
        yield from _powers(ruleset, name, witch)
        path, victory = ("witches", name, "victory"), witch["victory"]
        kind, card = victory["kind"] or "none", victory["card"]
        if kind == "none" and victory["enabled"]:
            yield ruleset.problem((*path, "enabled"), "true", "false without a kind of victory")
        if kind != "none" and victory["timing"] is None:
            yield ruleset.problem(
                (*path, "timing"), "nothing", "'at_once' or 'turn_start' (GM-W4, GM-W5)"
            )
        if kind == "mana" and victory["timing"] == "turn_start":
            # A turn starts with no mana obtained: announced, she could never win.
            yield ruleset.problem((*path, "timing"), "'turn_start'", "'at_once' for kind 'mana'")
        if victory["enabled"] and kind not in ("none", "curses"):
            for number in victory["need"]:
                if dotted((*path, "need", number)) not in stated:
                    # It would be 0 unsaid: won with the contract.
                    yield ruleset.problem(
                        (*path, "need", number), "nothing", f"how many {kind!r} win (GM-W3)"
                    )
        if card is not None and kind != "uses":
            yield ruleset.problem(
                (*path, "card"), repr(card), "nothing: only the kind 'uses' counts a card"
            )
        elif kind == "uses" and card not in used:
            yield ruleset.problem(
                (*path, "card"),
                "nothing" if card is None else repr(card),
                ", ".join(used),
                hint=None if card is None else nearest(card, used),
            )


def _powers(ruleset: Ruleset, name: str, witch: Mapping[str, Any]) -> Iterator[Problem]:
    """Refuse what does nothing for want of a power (GM-N3, GM-N4)."""
    path, powers, victory = ("witches", name), witch["powers"], witch["victory"]
    if powers["token_draw"] and not powers["tokens_for_truth"]:
        yield ruleset.problem(
            (*path, "powers", "token_draw"),
            str(powers["token_draw"]),
            "0 without powers.tokens_for_truth, after which she draws (GM-N3)",
        )
    if victory["enabled"] and victory["kind"] == "rewards" and not powers["rewards"]:
        yield ruleset.problem(
            (*path, "victory", "kind"),
            "'rewards'",
            "a kind that she can count; this one needs powers.rewards = true (GM-N4)",
        )


def _seals(ruleset: Ruleset) -> Iterator[Problem]:
    seals, groups = ruleset.values["seals"], vocabulary(ruleset).groups
    if len(seals) > MAX_SEALS:
        yield ruleset.problem(("seals",), f"{len(seals)} seals", f"at most {MAX_SEALS}")
    for name, seal in seals.items():
        piles = [group for group in groups if set(groups[group]) & set(groups["piles"])]
        if seal["piles"] not in piles:
            yield ruleset.problem(
                ("seals", name, "piles"),
                repr(seal["piles"]),
                f"a group with stones or truth cards ({', '.join(piles)}; GM-K4)",
                hint=nearest(seal["piles"], piles),
            )


def _texts(ruleset: Ruleset) -> Iterator[Problem]:
    """Check all texts of cards, witches and seals."""
    words, values = vocabulary(ruleset), ruleset.values
    for name, card in values["cards"].items():
        yield from _effects(ruleset, words, ("cards", name, "effects"), card["effects"])
        for key in ("turn_start", "reward"):
            yield from _effects(ruleset, words, ("cards", name, key), card[key], barred=ATTACKS)
        yield from _needs(ruleset, words, ("cards", name, "needs"), card["needs"])
    for name, witch in values["witches"].items():
        place = ("witches", name, "ability")
        yield from _effects(ruleset, words, place, witch["ability"], barred=ATTACKS)
    for name, seal in values["seals"].items():
        place = ("seals", name, "effects")
        yield from _effects(ruleset, words, place, seal["effects"], barred=(*ATTACKS, SEALS))


def _effects(
    ruleset: Ruleset,
    words: Vocabulary,
    path: KeyPath,
    texts: Sequence[str],
    barred: Collection[str] = (),
) -> Iterator[Problem]:
    if len(texts) > MAX_EFFECTS:
        yield ruleset.problem(path, f"{len(texts)} effects", f"{MAX_EFFECTS}")
    for place, text in enumerate(texts):
        try:
            effect = parse_effect(text, PRIMITIVES, words)
        except ExpressionError as error:
            yield _unread(ruleset, (*path, place), error, "effect")
            continue
        if effect.primitive in barred:
            yield ruleset.problem(
                (*path, place), repr(effect.primitive), f"others than {', '.join(barred)} here"
            )
        yield from _amount(ruleset, (*path, place), effect)


def _amount(ruleset: Ruleset, path: KeyPath, effect: ParsedEffect) -> Iterator[Problem]:
    if effect.primitive == SEALS:
        if effect.per is not None:
            yield ruleset.problem(path, "'per'", "a seal without it: it is placed once (GM-K4)")
        return
    low = -MAX_AMOUNT if effect.primitive in SIGNED else 0
    if not low <= effect.args[0] <= MAX_AMOUNT:
        yield ruleset.problem(path, f"the amount {effect.args[0]}", f"{low} to {MAX_AMOUNT}")


def _needs(
    ruleset: Ruleset, words: Vocabulary, path: KeyPath, texts: Sequence[str]
) -> Iterator[Problem]:
    if len(texts) > MAX_EFFECTS:
        yield ruleset.problem(path, f"{len(texts)} conditions", f"{MAX_EFFECTS}")
    for place, text in enumerate(texts):
        try:
            parse_conditions(text, words)
        except ExpressionError as error:
            yield _unread(ruleset, (*path, place), error, "condition")


def _unread(ruleset: Ruleset, path: KeyPath, error: ExpressionError, what: str) -> Problem:
    return ruleset.problem(
        path,
        f"{error.found} at column {error.column} of the {what}",
        error.allowed,
        hint=error.hint,
        offset=error.column - 1,
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
