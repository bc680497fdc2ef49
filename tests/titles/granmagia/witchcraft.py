"""Helpers of the tests of witches: cards made to measure, and seats close to a victory.

Nothing here leans on what a stand-in card does: a card that is used gets its effects from
:func:`made`. The numbers of the witches are read from the data and held against the rules in
``test_rules_victories.py``.
"""

from __future__ import annotations

import json

from tests.titles.granmagia import staging
from tests.titles.granmagia.staging import DEEP, Asked, rules

CARDS = rules().values["cards"]
WITCHES = rules().values["witches"]
SEALS = rules().values.get("seals", {})

#: Magic kinds without an attribute, whose effects can be replaced by any others.
PLAIN = [kind for kind, card in CARDS.items() if card["sort"] == "magic" and not card["attributes"]]
#: Cards for the parts that a test needs; what they do is said in the test.
SPELL, OTHER, LASTING, FAMILIAR, DRAGON, HOURGLASS, BANE, LIFT = PLAIN[:8]

#: Witches that a card can bring to their victory.
BY_CAST = ("celestina", "sophia", "felicia", "ignis", "brynhild")
#: Witches that an arcana brings to their victory.
BY_ARCANA = ("eclair", "beelzebel")


def stage(*seats, overrides=(), **position):
    """Start a game without stand-ins: what a witch costs, does and gives is said by the test."""
    given = {change.split("=")[0] for change in overrides}
    plain = {"ability": "[]", "gifts": "[]", "cost": str(CONTRACT)}
    changes = {f"witches.{witch}.{key}": plain[key] for witch in WITCHES for key in plain}
    changes = [f"{key}={value}" for key, value in changes.items() if key not in given]
    return staging.stage(*seats, overrides=(*changes, *overrides), **position)


def named(label):
    """Return the kind that has a Japanese name."""
    (kind,) = [kind for kind, card in CARDS.items() if card["label"]["ja"] == label]
    return kind


def made(kind, *effects, **fields):
    """Return the overrides that make a card to measure."""
    values = {"effects": effects, **fields}
    return tuple(f"cards.{kind}.{key}={json.dumps(value)}" for key, value in values.items())


def victory(witch, **fields):
    """Return the overrides that change a special victory; ``need`` goes for all players."""
    need = fields.pop("need", None)
    changed = [f"witches.{witch}.victory.{key}={json.dumps(v)}" for key, v in fields.items()]
    if need is not None:
        changed += [f"witches.{witch}.victory.need.{n}p={need}" for n in (2, 3, 4)]
    return tuple(changed)


def least(witch):
    """Return the least truth of a special victory."""
    return WITCHES[witch]["victory"]["truth"]


def need(witch, players=2):
    """Return how much of its condition a special victory needs."""
    return WITCHES[witch]["victory"]["need"][f"{players}p"]


def worth(truth):
    """Return cards of that much truth, none of them an arcana."""
    rituals, charms = divmod(max(truth, 0), 3)
    return ["ritual"] * rituals + ["charm"] * charms + ["curse"] * max(-truth, 0)


def table(seat, own, players, rivals=()):
    """Return the seats of a position: one that matters among others with a deck alone."""
    others = [{"deck": DEEP, **rival} for rival in rivals]
    others += [{"deck": DEEP} for _ in range(players - 1 - len(others))]
    return [*others[: seat - 1], {"deck": DEEP, **own}, *others[seat - 1 :]]


#: What every contract costs here in the first ten rounds.
CONTRACT = 7

#: What is counted since a contract, and has no place in a seat without one.
COUNTED = ("rewards", "uses", "kinds_cast")

#: Casting it brings a charm into the discard pile.
LIFTING = made(LIFT, "receive 2 truths discard")


def close(witch, truth, *, then=(), players=2, seat=1, own=(), rivals=(), overrides=(), **more):
    """Stage a seat whose next cast of a feeding card meets the condition of its victory.

    ``truth`` is what it has at that event, ``then`` are effects that the feeding card has after
    what feeds. Returns the game and the feeding cards, which are in hand with two charms to come.
    """
    needed = need(witch, players)
    entries = {"discard": worth(truth)}
    position = {"phase": "cast", "mana": 2, "casts": 9}
    feeds = [SPELL] * 3
    if witch == "celestina":
        position |= {"mana": needed - 1}
        changed = made(SPELL, "mana 1", *then)
    elif witch == "sophia":
        entries = {"tokens": needed - 1, "discard": worth(truth - needed)}
        changed = made(SPELL, "tokens 1", *then)
    elif witch == "felicia":
        entries["rewards"] = needed - 1
        changed = made(SPELL, *then, attributes=["familiar"], reward=["gold 1"])
    elif witch == "ignis":
        feeds = [WITCHES["ignis"]["victory"]["card"]] * 3
        position |= {"mana": 10}
        entries["uses"] = {feeds[0]: needed - 1} if needed > 1 else {}
        changed = made(feeds[0], *then)
    else:
        feeds = PLAIN[8:11]
        known = [*PLAIN[:8], *(kind for kind in CARDS if CARDS[kind]["sort"] == "rare")]
        entries["kinds_cast"] = known[: needed - 1]
        assert len(entries["kinds_cast"]) == needed - 1
        changed = tuple(change for kind in feeds for change in made(kind, "gold 0", *then))
    entries |= {"witch": witch, "hand": [*feeds, LIFT, LIFT], **dict(own)}
    if entries["witch"] is None:
        entries = {key: entries[key] for key in entries if key not in COUNTED}
    game = stage(
        *table(seat, entries, players, rivals),
        seat=seat,
        overrides=(*LIFTING, *changed, *overrides),
        **position | more,
    )
    return game, feeds


def close_by_arcana(witch, truth, *, players=2, seat=1, own=(), rivals=(), **more):
    """Stage a seat whose next arcana meets the condition of its victory, with two to be had.

    ``truth`` is what it has when the first of them has come.
    """
    if witch == "eclair":
        entries = {"arcana_taken": need(witch, players) - 1, "discard": worth(truth - 6)}
    else:
        held = need(witch, players) - 1
        entries = {"discard": ["arcana"] * held + worth(truth - 6 * held - 6)}
    entries |= {"witch": witch, **dict(own)}
    position = {"phase": "acquire", "mana": 16, "acquisitions": 2, **more}
    return stage(*table(seat, entries, players, rivals), seat=seat, **position)


def pass_turns(game, seat=None):
    """End the turn and let the others do nothing until a seat is about to start its turn."""
    seat = seat or game.seat
    game.end_turn()
    while not game.over and game.seat != seat:
        game.start_turn()
        if not game.over:
            game.end_turn()


def won(game, seat):
    """Tell whether a seat has won by its witch."""
    return game.over and game.end_reason == "special" and game.ranks[seat - 1] == 1


class Answers(Asked):
    """An :class:`Asked` that hears the decisions about witches, attacks and seals as well."""

    def __getattr__(self, name):
        if name in ("defend", "doll", "seal", "tokens", "extra_turn"):
            return lambda view, options: self._answer(name, options)
        return super().__getattr__(name)
