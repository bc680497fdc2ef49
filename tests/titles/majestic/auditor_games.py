"""Games of Majestic Magic, told, under rules that let everything happen."""

from __future__ import annotations

import json
from functools import cache

import sim
from sim.core.policy import available
from sim.titles.majestic import TITLE

__all__ = ["DECKS", "POLICIES", "RULES", "Told", "played", "traces"]

POLICIES = available(TITLE.data / "policies")

DECKS = [loadout.id for loadout in TITLE.loadouts(TITLE.load())]

#: Games are played by these numbers, most of them moved far from the printed ones.
RULES = {
    "printed": (),
    "few LP": ("start.lp=1", "turn.first_draw=1", "start.redraws=0"),
    "many LP": ("start.lp=7", "turn.draw=3", "turn.hand_limit=1"),
    "narrow": ("turn.area_limit=1", "turn.mana_draw=2", "start.hand=7"),
    "caps": (
        *("limits.round_cap=5", "limits.acts_cap=1", "turn.hand_limit=0"),
        *(f"sorcerers.{name}.ability.cost=0" for name in ("pyra", "terran", "aeris")),
    ),
    "free": ("sorcerers.pyra.ability.cost=0", "sorcerers.pyra.ability.down=false", "start.lp=3"),
}


class Told:
    """A game: its events as they are read from a file, and its records."""

    def __init__(self, lineup, game, overrides):
        told = sim.trace("majestic", game=game, lineup=lineup, overrides=overrides)
        self.events = json.loads(json.dumps(told.events))
        self.result = told.result


def played(rules, first, last):
    """Play games with these numbers; policies, decks and slips follow from the number."""
    for game in range(first, last):
        seats = [
            f"{POLICIES[(game + step * (1 + game // 4)) % len(POLICIES)]}"
            f":{DECKS[(game + step * (game // len(DECKS))) % len(DECKS)]}@{(0.3, 0)[game % 2]}"
            for step in (0, 1)
        ]
        yield Told(",".join(seats), game, RULES[rules])


@cache
def traces(rules):
    """Play two games for each deck and keep them."""
    return list(played(rules, 0, 2 * len(DECKS)))
