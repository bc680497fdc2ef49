"""Short positions with the cards and seals of ``made_up.toml``: attacks and lasting cards."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sim.titles.granmagia import TITLE
from sim.titles.granmagia.position import from_position
from tests.titles.granmagia.staging import DEEP, Asked

OVERLAY = Path(__file__).with_suffix(".toml")

#: Every seat that can be on turn, for each number of players: (players, seat).
TABLES = [(players, seat) for players in (2, 3, 4) for seat in range(1, players + 1)]


@cache
def rules(*overrides):
    """Load the printed rules with the made-up cards and some values changed, once each."""
    return TITLE.load(overlays=[OVERLAY], overrides=overrides)


def effects_of(card, *effects, key="effects"):
    """Return the override that gives a made-up card its effects."""
    return f"cards.{card}.{key}=[" + ", ".join(f'"{effect}"' for effect in effects) + "]"


def stage(*seats, overrides=(), choices=(), lineup=None, seed=1, deal=0, **position):
    """Start a game with the made-up cards from seats and the other entries of a position."""
    return from_position(
        {"seats": [dict(seat) for seat in seats], **position},
        rules=rules(*overrides),
        choices=choices,
        lineup=lineup,
        seed=seed,
        deal=deal,
    )


def after(seat, players):
    """Return the other seats in the order in which an attack of this seat goes."""
    return [(seat - 1 + step) % players + 1 for step in range(1, players)]


def armed(effects, *seats, seat=1, times=1, overrides=(), **more):
    """Stage a cast phase of a seat that holds attacks with these effects, first in its hand."""
    seats = [dict(each) for each in seats]
    attacker = seats[seat - 1]
    attacker["hand"] = ["my_attack"] * times + list(attacker.get("hand", ()))
    more = {"phase": "cast", "casts": times, **more}
    changed = (effects_of("my_attack", *effects), *overrides)
    return stage(*seats, seat=seat, overrides=changed, **more)


def attack(effects, *seats, **more):
    """Cast one attack with these effects, or as many as ``times`` says."""
    game = armed(effects, *seats, **more)
    for _ in range(more.get("times", 1)):
        game.cast("my_attack")
    return game


def one_against(victim, *, others=(), attacker=None):
    """Return seats: an attacker, the seat it attacks first, and the others."""
    return [attacker or {}, victim, *others]


def deep(players, **seats):
    """Return seats with deep decks; ``seat1={...}`` adds to one of them."""
    return [{"deck": DEEP, **seats.get(f"seat{seat}", {})} for seat in range(1, players + 1)]


def to_next_start(game):
    """End the turn under way and take the start steps of the next one, whoever's it is."""
    game.end_turn()
    game.start_turn()


def to_own_start(game, seat):
    """Play on, with nothing done by anybody, until the start steps of a seat's next turn."""
    to_next_start(game)
    while game.seat != seat:
        to_next_start(game)


class Seated(Asked):
    """An entry of a line-up that writes what it was asked into a log of the whole table."""

    def __init__(self, seat, log, **answers):
        super().__init__(**answers)
        self.seat, self.log = seat, log

    def _answer(self, decision, options):
        choice = super()._answer(decision, options)
        self.log.append((self.seat, decision, choice))
        return choice


def seated(players, **answers):
    """Return a log and a line-up that shares it; ``seat2={"doll": [...]}`` gives answers."""
    log = []
    lineup = [Seated(seat, log, **answers.get(f"seat{seat}", {})) for seat in range(1, players + 1)]
    return log, lineup
