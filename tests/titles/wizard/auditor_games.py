"""Games, told, under rules that let everything happen."""

from __future__ import annotations

import json
from functools import cache

import sim
from sim.core.policy import available
from sim.titles.wizard import TITLE

__all__ = ["BARRED", "ENTRIES", "RULES", "Told", "played", "traces"]

POLICIES = available(TITLE.data / "policies")

#: What slips all the time anyway.
RANDOM = ("random", "@0.2")

#: Policies, and how often they take any legal option instead.
ENTRIES = tuple(
    f"{name}{slip}" for name in POLICIES for slip in ("", "@0.2") if (name, slip) != RANDOM
)

#: A strong wizard, which gets to the king.
STRONG = ("start.lp=60", "lp.most=60")

MOVED = (
    *("start.cards=6", "lp.most=28", "lp.after_loss=5", "casting.cost=2", "casting.most_drawn=3"),
    *("cards.porcupine.ways.swim.sea=2", "cards.knight.ways.shield.guard=2"),
    *("cards.knight.ways.shield.sea=3", "cards.hero.ways.banner.turn_damage=2"),
    *("cards.monk.ways.care.recover=5", 'cards.monk.ways.sermon.family="psi"'),
    *("enemies.zaza.mend=1", "enemies.karu.block.red=0", "enemies.nunu.recover=1"),
    *("enemies.ra.lp=3", "enemies.ra.ap=[5, 1, 4]", "terrains.forest.block.red=2"),
    *("spells.green_1.heal=1", "spells.red_2.power.blue=3", "maps.long.hexes.b1.recover=2"),
    "maps.long.hexes.b1.cost=0",
    *("maps.long.hexes.c2.cost=3", 'maps.long.hexes.c2.terrain="desert"', 'maps.long.start="c4"'),
)

#: Spells of which different sets can be cast, some of them equal, some with a spell in common.
SPELLS = (
    *("start.cards=10", "casting.left=0", "spells.blue_3.power.blue=4"),
    *('spells.storm_3.parts=["green_basic", "blue_basic"]', "spells.storm_3.power.green=5"),
    *("spells.storm_3.power.blue=0", 'spells.mending_4.parts=["green_basic"]'),
)

RULES = {
    "printed": (),
    "short": ('journey.map="short"',),
    "strong": STRONG,
    "chosen": ('casting.deck="chosen"', "start.cards=6"),
    "caps": ("limits.round_cap=12", "limits.battle_cap=3", "lp.most=99"),
    "many cards": ("start.cards=9", "casting.left=0", *STRONG, 'journey.map="short"'),
    "few cards": ("start.cards=0", "start.lp=8", "maps.long.hexes.c2.cost=9"),
    "start": (
        *("start.cards=10", 'cards.knight.ways.charge.family=""'),
        *("cards.knight.ways.charge.start_damage=12", "cards.knight.ways.charge.sea=3"),
    ),
    "moved": MOVED,
    "spells": SPELLS,
    "barred": ("start.cards=4",),
    "all barred": ("start.cards=10",),
}

#: What is barred, by rules.
BARRED = {
    "barred": ["hero", "red_extension", "go_up", "draw_2", "knight_charge", "monk"],
    "all barred": ["draw_1", "draw_2", "draw_3", "draw_4", "red_1", "hero", "princess", "stop"],
}


class Told:
    """A game: its events as they are read from a file, its rules and its records."""

    def __init__(self, rules, entry, game, other=()):
        keys = {text.partition("=")[0]: text for text in (*RULES[rules], *other)}
        self.overrides = tuple(keys.values())
        bans = {1: BARRED[rules]} if rules in BARRED else None
        told = sim.trace("wizard", game=game, lineup=entry, overrides=self.overrides, bans=bans)
        self.events = json.loads(json.dumps(told.events))
        self.result = told.result


def played(rules, *, games=1, other=()):
    """Play games of all policies and tell them; ``other`` are overrides that go before."""
    for place, entry in enumerate(ENTRIES):
        for game in range(games):
            yield Told(rules, entry, place + game * len(ENTRIES), other)


@cache
def traces(rules):
    """Play a game of each policy and keep them."""
    return list(played(rules))
