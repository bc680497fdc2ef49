"""What the tests of the rules share: plain made-up units, cards in one line, seats that answer.

Their cards are made for them, so that no test of a rule depends on a list of cards; of the pool
they take basic mana (``fire_mana`` and so on) alone, and of the title the numbers of its rules.
"""

from __future__ import annotations

import json
import tempfile
from functools import lru_cache
from pathlib import Path

from sim.core.vocabulary import STOP
from sim.titles.majestic.info import DECISIONS
from sim.titles.majestic.schema import ATTRIBUTES
from tests.titles.majestic import staging
from tests.titles.majestic.staging import card, rules_with

__all__ = [
    "BODIES",
    "MUTE",
    "Asked",
    "asked",
    "basic",
    "cast",
    "deck",
    "fought",
    "made",
    "played",
    "sorcerer",
    "spell",
    "stage",
    "unit",
    "where",
]

#: Where the cards of a seat lie.
ZONES = ("hand", "deck", "mana_deck", "lp", "mana", "trash", "played", "front", "back")


@lru_cache(maxsize=32)
def made(*texts, overrides=()):
    """Return the rules of the pool with made-up cards, texts of overlays, laid over them."""
    with tempfile.TemporaryDirectory() as folder:
        return rules_with(Path(folder), MUTE, *texts, overrides=overrides)


def unit(name, ap=2, dp=3, *keywords, **fields):
    """Return the overlay text of a unit of fire that costs nothing unless said otherwise."""
    return card(name, "unit", ap=ap, dp=dp, keywords=list(keywords), **fields)


def spell(name, *effects, **fields):
    """Return the overlay text of a spell of fire that costs nothing unless said otherwise."""
    return card(name, "spell", effects=list(effects), **fields)


def sorcerer(name, *effects, attribute="fire", **ability):
    """Return the overlay text of a sorcerer with that ability."""
    entries = {"cost": 0, **ability, "effects": list(effects)}
    lines = [
        f"[sorcerers.{name}]",
        f'label = {{ en = "{name}", ja = "{name}" }}',
        f'attribute = "{attribute}"',
        f"[sorcerers.{name}.ability]",
        *(f"{key} = {json.dumps(value)}" for key, value in entries.items()),
    ]
    return "\n".join(lines) + "\n"


def deck(name, main, mana, who="mute"):
    """Return the overlay text of a deck."""
    parts = [
        f"[decks.{name}]",
        f'label = {{ en = "{name}", ja = "{name}" }}',
        f'sorcerer = "{who}"',
    ]
    for part, cards in (("main", main), ("mana", mana)):
        parts += [f"[decks.{name}.{part}]", *(f"{kind} = {n}" for kind, n in cards.items())]
    return "\n".join(parts) + "\n"


def basic(**numbers):
    """Return ready basic mana by attributes: ``basic(fire=2, wind=1)``."""
    return [f"{name}_mana" for name in ATTRIBUTES for _ in range(numbers.get(name, 0))]


#: A sorcerer that can do nothing; it is that of every seat unless said otherwise.
MUTE = sorcerer("mute", "draw own 1", cost=20, needs="units >= 20")

#: Units without texts, with 2, 4, 1, 0 AP and 3, 5, 1, 6 DP.
BODIES = (unit("grunt"), unit("brute", 4, 5), unit("rat", 1, 1), unit("rock", 0, 6))


def stage(*seats, rules=None, overrides=(), **more):
    """Return a game that stands as the position says, with sorcerers that can do nothing."""
    seats = [{"sorcerer": "mute", **seat} for seat in seats]
    return staging.stage(*seats, rules=rules or made(overrides=tuple(overrides)), **more)


def fought(one, other, *, rules, **more):
    """Return the game after one attack, as ``staging.fought``, with sorcerers that do nothing."""
    one, other = ({"sorcerer": "mute", **seat} for seat in (one, other))
    return staging.fought(one, other, rules=rules, **more)


def played(one, other, *choices, answers=(), **more):
    """Return the game after a main phase of seat 1 in which it chose so, and seat 2 too."""
    game = stage(one, other, **more)
    game.choices[1].extend(choices)
    game.choices[2].extend(answers)
    game.main_phase()
    assert not game.choices[1], "every choice of seat 1 was asked for"
    assert not game.choices[2], "every choice of seat 2 was asked for"
    return game


def cast(one, other, *effects, texts=(), lineup=None, choices=(), answers=()):
    """Return the game after seat 1 has cast a free spell with these effects."""
    rules = made(*BODIES, *texts, spell("rite", *effects))
    one = {**one, "hand": ["rite", *one.get("hand", ())]}
    if lineup is not None:
        game = stage(one, other, rules=rules, lineup=lineup)
        game.main_phase()
        return game
    return played(one, other, "rite", *choices, answers=answers, rules=rules)


def where(game, seat):
    """Return all zones of a seat that hold cards, by their names."""
    zones = {zone: getattr(game, zone)(seat) for zone in ZONES}
    return {zone: cards for zone, cards in zones.items() if cards}


class Asked:
    """A line-up entry that remembers what it was asked, and answers from lists.

    Without an answer left it says ``stop`` when that is legal, else the first option. ``log`` is
    shared by both seats: (seat, decision, options) in the order in which they came.
    """

    def __init__(self, seat, log, **answers):
        self.seat, self.log = seat, log
        self.answers = {decision: list(given) for decision, given in answers.items()}

    def _answer(self, decision, options):
        options = list(options)
        self.log.append((self.seat, decision, options))
        waiting = self.answers.get(decision)
        if waiting:
            return waiting.pop(0)
        return STOP if STOP in options else options[0]

    def __getattr__(self, name):
        if name in {decision.id for decision in DECISIONS}:
            return lambda view, options: self._answer(name, options)
        raise AttributeError(name)


def asked(first=None, second=None):
    """Return a line-up whose seats share one log, with their answers by decision."""
    log = []
    return [Asked(seat, log, **(given or {})) for seat, given in ((1, first), (2, second))]
