"""Helpers of the rule tests: the numbers of the rulebook, short positions, refused steps.

The rule tests know the rules, the ids of the data and the door through which games are driven step
by step; they know nothing of how an engine is written. Numbers are those of ``RULES.md``, stated
here once more, so that a slip in the data is found.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from sim.errors import InputError
from sim.titles.classic import TITLE
from sim.titles.classic.position import from_position
from sim.titles.classic.position import new_game as fresh_game

#: CL-K1 and the list of action kinds: what each card costs.
COST = {
    **{"copper": 0, "silver": 3, "gold": 6, "estate": 2, "duchy": 5, "province": 8, "curse": 0},
    **{"forge": 4, "crone": 5, "furnace": 2, "homestead": 3, "trade_fair": 5, "levy": 4},
    **{"rampart": 2, "joinery": 3, "rework": 4, "reading_room": 5, "holiday": 5, "pantry": 2},
}
#: Options come in the order of the title's kinds; the rules have no order.
KINDS = [kind.id for kind in TITLE.kinds(TITLE.load())]
TREASURES, VICTORIES, CURSES = KINDS[:3], KINDS[3:6], KINDS[6:7]
ACTIONS = KINDS[7:]
COINS = {"copper": 1, "silver": 2, "gold": 3}
POINTS = {"estate": 1, "duchy": 3, "province": 6, "curse": -1}

ZONES = ("hand", "deck", "discard", "play_area")

#: A deck that does not run out: nothing is shuffled while it lies below.
DEEP = ["copper"] * 30

#: What a seat can be asked.
DECISIONS = ("action", "buy", "discard", "trash", "receive")

STOP = "stop"


def affordable(coins, but=()):
    """Return the kinds that cost no more than that, in their order, some left out."""
    return [kind for kind in KINDS if COST[kind] <= coins and kind not in but]


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


def effects(kind, *texts):
    """Return the override that gives an action kind other effects."""
    return f"cards.{kind}.effects=[" + ", ".join(f'"{text}"' for text in texts) + "]"


def own_cards(game, seat):
    """Count the own cards of a seat."""
    return sum((Counter(getattr(game, zone)(seat)) for zone in ZONES), Counter())


def all_cards(game):
    """Count every card of the game, wherever it lies."""
    seats = range(1, game.players + 1)
    return (
        sum((own_cards(game, seat) for seat in seats), Counter())
        + Counter(game.piles)
        + Counter(game.trash)
    )


def situation(game):
    """Return everything that can be read, so that nothing moved can be asserted."""
    return {
        "table": (game.phase, game.round, game.seat, game.turn),
        "turn": (game.actions, game.buys, game.coins),
        "seats": [
            [list(getattr(game, zone)(seat)) for zone in ZONES] + [game.turns(seat)]
            for seat in range(1, game.players + 1)
        ],
        "piles": dict(game.piles),
        "trash": list(game.trash),
    }


def refuse(game, step, *arguments):
    """Assert that a step is not legal and leaves the game as it was."""
    before = situation(game)
    with pytest.raises(InputError):
        getattr(game, step)(*arguments)
    assert situation(game) == before


class Asked:
    """A line-up entry that remembers what was asked, and answers from lists or with the last.

    The last option is ``stop`` wherever there is one. ``log`` may be shared by several seats.
    """

    def __init__(self, seat=0, log=None, **answers):
        self.seat, self.log = seat, [] if log is None else log
        self.answers = {decision: list(given) for decision, given in answers.items()}

    def _answer(self, decision, options):
        options = list(options)
        self.log.append((self.seat, decision, options))
        waiting = self.answers.get(decision)
        return waiting.pop(0) if waiting else options[-1]

    def options(self, decision):
        """Return the options of every time that a decision was asked."""
        return [
            options for seat, name, options in self.log if name == decision and seat == self.seat
        ]

    def __getattr__(self, name):
        if name in DECISIONS:
            return lambda view, options: self._answer(name, options)
        raise AttributeError(name)


def asked(players, **answers):
    """Return a line-up whose seats share one log; seat 1 answers from the lists."""
    log = []
    return [Asked(seat, log, **(answers if seat == 1 else {})) for seat in range(1, players + 1)]
