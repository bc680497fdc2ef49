"""The records of a finished game, by the column table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.records import FinishedGame
from sim.titles.wizard.info import LP_SOURCES, ROUTES
from sim.titles.wizard.schema import ABILITIES, COMPANIONS, DEALT, PLACES

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = ["finished", "seat_record"]

_NO_PLACE, _LEFT, _RIGHT, _BOTH, _EVERY = range(len(ROUTES))

#: Counters by the name of their column; most are called the same in the state.
_COUNTERS = {
    "battles_won": "battles_won",
    "yellow_won": "yellow_won",
    "red_won": "red_won",
    "battle_turns": "battle_turns",
    "drawn": "parts_drawn",
    "spells_cast": "spells_cast",
    "damage": "damage",
    "companions_lost": "companions_lost",
    "healed_at_0": "healed_at_0",
    "recoveries": "recoveries",
    "sea_moves": "sea_moves",
}


def finished(game: Game) -> FinishedGame:
    """Return the records of a finished game."""
    return FinishedGame(
        game={"rounds": game.round, "turns": game.turn, "end_reason": game.end_reason},
        seats=[
            {
                "win60": game.win60[0],
                "score": game.wizard.lp,
                "rank": game.ranks[0],
                **seat_record(game),
            }
        ],
        cards=game.counts.astype(np.uint16),
        series=game.series,
        trace=game.story.events if game.story else [],
    )


def seat_record(game: Game) -> dict[str, int]:
    """Return the seat's columns as they stand now, without outcomes."""
    wizard = game.wizard
    owned = {card.kind for card in (*wizard.hand, *wizard.deck.cards, *wizard.drawn)}
    owned |= {one.card.kind for one in wizard.companions}
    code = {name: kind for kind, name in enumerate(ABILITIES)}
    return {
        **{column: getattr(wizard, counter) for column, counter in _COUNTERS.items()},
        **{f"lp_{source}": wizard.sources[source] for source in LP_SOURCES},
        "lost_at": game.lost_at,
        "lost_to": game.lost_to,
        "route": _route(game),
        **{f"way_{name}": 1 + wizard.ways_laid.get(code[name], -1) for name in COMPANIONS},
        **{
            f"lot_{name}": game.ways_of(code[name]).index(game.lots[code[name]])
            for name in COMPANIONS
        },
        **{f"order_{name}": place.order for name, place in zip(PLACES, game.places, strict=True)},
        **{f"start_{name}": int(code[name] in wizard.started_with) for name in DEALT},
        **{f"own_{name}": int(code[name] in owned) for name in DEALT},
    }


def _route(game: Game) -> int:
    half = len(PLACES) // 2
    fought = [place.order > 0 for place in game.places]
    left, right = any(fought[:half]), any(fought[half:])
    if all(fought):
        return _EVERY
    if left and right:
        return _BOTH
    return _LEFT if left else _RIGHT if right else _NO_PLACE
