"""What a proof that two engines agree has to reach: every branch of the rules by name."""

from __future__ import annotations

from sim.titles.granmagia.info import DECISIONS, END_REASONS
from sim.titles.granmagia.observe import OBSERVABLES
from sim.titles.granmagia.schema import TIMINGS, VICTORIES
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.words import PRIMITIVES

__all__ = ["OF_A_CARD", "wanted"]

#: Names by subject; what is counted for each card, witch, seal, … is added by ``wanted``.
_BRANCHES = {
    "supply": (
        "third burn kind accepted",
        "third burn kind refused",
        "set thrown away",
        "no set found",
        "drawn set holds attack and defence",
    ),
    "set-up": ("start decks come out of the piles",),
    "field": ("second card of a shown kind", "fewer kinds than wanted"),
    "slip": ("made", "not made"),
    "choice": (
        "barred option left out",
        "barred witch left out",
        "barred card to receive",
        "barred upgrade",
    ),
    "draw": ("from a settled deck", "lost, nothing left", "asked for less than none"),
    "look": (
        "short deck",
        "reshuffled first",
        "kept",
        "discarded",
        "nothing to look at",
    ),
    "effect": (
        "condition holds",
        "condition fails",
        "multiplied by none",
        "multiplied by less than none",
        "resource stops at 0",
        "coins stop at 0",
        "the rest of a text is not played, the game is over",
    ),
    "hand choice": ("empty hand", "stopped"),
    "receive": (
        "nothing on offer",
        "to hand",
        "by the printed cost, though sealed",
        "ritual or arcana left out for an apprentice",
    ),
    "upgrade": ("none possible", "stopped"),
    "trade": ("nothing for it", "declined"),
    "obtain": (
        "from the field",
        "last card of a shown kind",
        "from a pile",
        "from an endless pile",
        "last card of a pile",
        "pile is empty",
        "exclusive",
        "rare",
    ),
    "arcana": ("burned the magic deck", "magic deck too small", "received"),
    "price": (
        "raised by a seal",
        "lowered by a seal",
        "of two seals",
        "stops at 0",
        "arcana discounted",
        "arcana discounted and sealed",
        "out of reach by a seal",
        "in reach by a discount",
    ),
    "pay": (
        "silver",
        "gold",
        "silver and gold",
        "mana only card bought",
        "mana only card out of reach",
        "a raised price with gold",
    ),
    "silver": ("lost at the end of a turn",),
    "stones": ("gold for those laid down", "none laid down with that power"),
    "contract": (
        "at full cost",
        "discounted",
        "discount stops at 0",
        "note burned from settled deck",
        *(f"note burned from {zone}" for zone in ("hand", "deck", "discard", "play", "own")),
        *(f"apprentice removed from {zone}" for zone in ("hand", "deck", "discard", "play", "own")),
        "no note",
        "one note",
        "two notes",
        "old note",
        "gifts",
        "gift to hand",
        "acquisition left",
        "notes count as arcana",
        "no note counts as arcana",
    ),
    "cast": (
        "needs met",
        "needs not met",
        "by an apprentice",
        "again by a contracted seat",
        "start card counts as no kind",
    ),
    "lasting": (
        "duration card goes after its turn start",
        "duration card at the start of an extra turn",
        "permanent card stays",
        "permanent card at the start of an extra turn",
        "two cards in the own field at a turn start",
    ),
    "gives": ("not yet", "again", "nothing to an apprentice"),
    "reward": (
        "at a use",
        "at a turn start",
        "none without the power",
        "none of an apprentice",
        "none at a turn start without effects",
        "without a text",
    ),
    "seal": (
        "placed first",
        "moved",
        "kept where it was",
        "on an empty pile",
        "two on a pile",
        "one pile alone is not asked",
        "effects of two at one acquisition",
        "without effects",
    ),
    "attack": (
        "amount of none",
        "amount below none",
        "hit",
        "nobody hit",
        "some hit, some not",
        "later effect spares who defended",
        "later effect goes on for who was hit",
        "own effect though all defend",
    ),
    "defence": (
        "barrier",
        "barrier, one of many",
        "barrier takes a cast",
        "barrier finds no cast left",
        "barrier before a doll",
        "doll free",
        "second doll free",
        "free doll before paying for another",
        "doll paid",
        "doll paid with nothing",
        "doll declined",
        "doll without gold",
        "doll declined, then from hand",
        "doll without gold, then from hand",
        "doll declined, then hit",
        "from hand, chosen",
        "from hand, the only kind",
    ),
    "curses": (
        "pile empty",
        "pile runs out among seats",
        "many to a seat",
        "none in hand to pass",
        "fewer to pass than asked for",
        "passed to a second seat",
        "taken by oneself",
        "taken by oneself, too few left",
        "burned",
    ),
    "others discard": ("short hand", "empty hand", "a choice", "hand small enough"),
    "take gold": ("all of it", "part of it", "none there"),
    "tokens": (
        "burned a truth card",
        "declined",
        "no truth card in hand",
        "burned one worth nothing",
        "two kinds to choose from",
        "drawn for it",
        "none drawn for it",
    ),
    "extra turn": (
        "by a card",
        "by a card, gold not asked for",
        "by gold",
        "declined",
        "too little gold",
        "none inside another",
        "earned twice",
        "of an apprentice",
        "cancelled by the end",
        "after the last turn before the cap",
        "of a middle seat",
        "announcement waits",
    ),
    "victory": (
        "condition fails by what others have",
        "no curse in the game",
        "a curse is left in the pile",
        "a curse is burned",
        "a curse is the own one",
        "announced already",
        "lapses by its condition",
        "lapses by truth",
        "switched off",
        "others stand announced",
        "winner has less truth than another",
        "losers level",
        "in an extra turn",
        "in the middle of a round",
        "by a gift",
        "announced by a contract",
        "curses hold at a contract, which is no event for them",
        "extra_gold holds at a contract, which is no event for it",
        "announcement unripe at another end",
        *(f"won in phase {phase}" for phase in ("start", "cast", "acquire", "end")),
    ),
    "penalty": ("taken", "by two witches", "an odd curse is free", "makes somebody lose"),
    "end": (
        "one winner",
        "shared by two",
        "level in truth, fewer turns wins",
        "in the middle of a round",
        "in an extra turn",
        "negative truth",
        "tokens count",
    ),
}

#: Victories that are judged when a contract is made.
AT_A_CONTRACT = tuple(
    victory for victory in VICTORIES if victory not in ("none", "curses", "extra_gold")
)

#: Observables that tell what the card in effect did, and are 0 when none is.
OF_A_CARD = ("just_discarded", "just_burned")

#: Decisions that no card asks for.
AFTER = ("cast", "acquire")


def wanted(tables):
    """Return all names of things that a proof has to hit, for a ruleset's tables."""
    names = [f"{subject}: {name}" for subject, some in _BRANCHES.items() for name in some]
    names.append("reshuffle")
    for primitive in PRIMITIVES:
        names += [f"primitive: {primitive.id}", f"primitive without effect: {primitive.id}"]
    for point in DECISIONS:
        names += [f"decision: {point.id}", f"slipped: {point.id}", f"not slipped: {point.id}"]
    names += [f"end reason: {reason.id}" for reason in END_REASONS]
    # One value alone would let an engine show a constant.
    names += [f"policies saw different values: {seen.id}" for seen in OBSERVABLES]
    for name in OF_A_CARD:
        names.append(f"texts asked: {name}")
        names += [f"policies saw above 0 in a card: {name}"]
        names += [f"policies asked after it was above 0, at {point}: {name}" for point in AFTER]
    return [*names, *_of_victories(), *_of_cards(tables), *_of_witches(tables)]


def _of_victories():
    for victory in VICTORIES[1:]:
        # Mana is no more there when its turn is over: the checks refuse it at a turn start.
        for timing in TIMINGS[: 1 if victory == "mana" else None]:
            start = f"victory {victory}, {timing}: "
            yield from (start + what for what in ("not met", "short of truth", "won"))
            if timing == "turn_start":
                yield from (start + what for what in ("announced", "lapsed"))
    for victory in AT_A_CONTRACT:
        yield f"victory {victory}: won by the contract"


def _of_cards(tables):
    for kind, name in enumerate(tables.kind_names):
        flags = tables.flags[kind]
        if flags & Flag.CASTABLE:
            yield f"cast: {name}"
        if flags & (Flag.DEFENDS_HAND | Flag.DEFENDS_FIELD):
            yield f"defends: {name}"
        if tables.kind_turn_start[kind]:
            yield f"turn start: {name}"
        if tables.kind_reward[kind]:
            yield f"reward: {name}"
            if flags & Flag.PERMANENT:
                yield f"reward at a turn start: {name}"
        if tables.kind_needs[kind]:
            yield from (f"needs {what}: {name}" for what in ("met", "not met"))
        if tables.kind_gives[kind][0] >= 0:
            yield f"gives: {name}"


def _of_witches(tables):
    for number, name in enumerate(tables.witch_names):
        yield f"contract: {name}"
        if tables.witch_ability[number]:
            yield f"ability: {name}"
        if tables.witch_fields[number]["victory"]:
            yield f"special victory: {name}"
    for number, name in enumerate(tables.seal_names):
        yield f"seal placed: {name}"
        if tables.seal_effects[number]:
            yield f"seal effects: {name}"
