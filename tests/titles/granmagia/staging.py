"""Helpers of the rule tests: short positions, refused steps, and the data as its files print it.

The rule tests know the rules, the data files and the door through which games are driven step by
step; they know nothing of how an engine is written.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from sim.errors import InputError
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.position import from_position
from sim.titles.granmagia.position import new_game as fresh_game

ROOT = Path(__file__).parents[3]
DATA = ROOT / "sim" / "titles" / "granmagia" / "data"

ZONES = ("hand", "deck", "discard", "play_area", "own")

#: What a seat can be asked.
DECISIONS = (
    *("cast", "acquire", "discard", "burn", "receive", "upgrade", "look"),
    *("defend", "doll", "seal", "tokens", "extra_turn"),
)

#: Nothing that these tests discard by accident makes a difference with such a deck below.
DEEP = ["fragment"] * 30


def _plain(leaf):
    return leaf["value"] if isinstance(leaf, dict) and "value" in leaf else leaf


def _tables(file, section):
    with (DATA / file).open("rb") as handle:
        tables = tomllib.load(handle)[section]
    return {
        name: {key: _plain(leaf) for key, leaf in table.items()} for name, table in tables.items()
    }


CARDS = _tables("cards.toml", "cards")
WITCHES = _tables("witches.toml", "witches")
#: What a contract costs in the first ten rounds.
COST = {witch: data["cost"] for witch, data in WITCHES.items()}


def kinds_of(sort=None, *, chapter=None, tag=None):
    """Return the kinds of a sort, of a chapter or with a tag, in the order of the data."""
    return [
        kind
        for kind, card in CARDS.items()
        if (sort is None or card["sort"] == sort)
        and (chapter is None or card.get("chapter") == chapter)
        and (tag is None or tag in card.get("tags", []))
    ]


MAGIC = kinds_of("magic")
RARES = kinds_of("rare")
EXCLUSIVES = kinds_of("exclusive")
#: The field of a position that states none.
EIGHT = MAGIC[:8]


def shown(*kinds, cards=5):
    """Return a field with the same number of cards of each kind."""
    return dict.fromkeys(kinds, cards)


@cache
def rules(*overrides):
    """Load the printed rules with some values changed, once each."""
    return TITLE.load(overrides=overrides)


def new_game(players, *, overrides=(), **more):
    """Set up a whole game."""
    return fresh_game(players, rules=rules(*overrides), **more)


def stage(*seats, overrides=(), choices=(), lineup=None, seed=1, deal=0, **position):
    """Start a game from seats and the other entries of a position."""
    return from_position(
        {"seats": [dict(seat) for seat in seats], **position},
        rules=rules(*overrides),
        choices=choices,
        lineup=lineup,
        seed=seed,
        deal=deal,
    )


def own_cards(game, seat):
    """Count the own cards of a seat, its witch left out."""
    cards = Counter()
    for zone in ZONES:
        cards.update(getattr(game, zone)(seat))
    cards.pop(game.witch(seat), None)
    return cards


def situation(game):
    """Return everything that can be read, so that nothing moved can be asserted."""
    return {
        "table": (game.phase, game.round, game.seat),
        "turn": (game.mana, game.casts, game.acquisitions, game.mana_obtained),
        "extra": (game.extra, game.extra_earned, game.turn),
        "seats": [
            [list(getattr(game, zone)(seat)) for zone in ZONES]
            + [getattr(game, name)(seat) for name in ("silver", "gold", "truth", "tokens")]
            + [getattr(game, name)(seat) for name in ("turns", "witch", "arcana_taken")]
            + [getattr(game, name)(seat) for name in ("barriers", "dolls_spent", "rewards")]
            + [getattr(game, name)(seat) for name in ("announced", "kinds_cast", "progress")]
            for seat in range(1, game.players + 1)
        ],
        "field": list(game.field.items()),
        "piles": dict(game.piles),
        "lists": [list(game.magic_deck), list(game.burned), list(game.removed)],
        "witches": list(game.witches),
        "seals": dict(game.seals),
    }


def refuse(game, step, *arguments):
    """Assert that a step is not legal and leaves the game as it was."""
    before = situation(game)
    with pytest.raises(InputError):
        getattr(game, step)(*arguments)
    assert situation(game) == before


class Asked:
    """A line-up entry that remembers what was asked, and answers from lists or with the last.

    The last option is ``stop`` wherever there is one.
    """

    def __init__(self, **answers):
        self.answers = {decision: list(given) for decision, given in answers.items()}
        self.heard = []

    def _answer(self, decision, options):
        options = list(options)
        self.heard.append((decision, options))
        waiting = self.answers.get(decision)
        return waiting.pop(0) if waiting else options[-1]

    def options(self, decision):
        """Return the options of every time that a decision was asked."""
        return [options for name, options in self.heard if name == decision]

    def __getattr__(self, name):
        if name in DECISIONS:
            return lambda view, options: self._answer(name, options)
        raise AttributeError(name)


@cache
def setups(seed, games, players=2, overrides=()):
    """Set up many games and keep what the statistical tests look at."""
    found = []
    for deal in range(games):
        game = new_game(players, seed=seed, deal=deal, overrides=overrides)
        found.append(
            SimpleNamespace(
                chosen=tuple(game.chosen),
                rares=tuple(game.rares),
                field=tuple(game.field.items()),
                hands=tuple(tuple(game.hand(seat)) for seat in range(1, players + 1)),
            )
        )
    return found
