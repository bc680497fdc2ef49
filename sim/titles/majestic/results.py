"""The records of a finished game, by the column table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.records import FinishedGame
from sim.errors import COUNTER_OVERFLOW, EngineError
from sim.titles.majestic.info import INFO, SOURCES

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat

__all__ = ["finished", "seat_record"]

#: Counters that a seat and its record call by the same name.
COUNTERS = (
    "redraws",
    "drawn",
    "mana_put",
    "mana_drawn",
    "mana_spent",
    "special_used",
    "units_played",
    "spells_played",
    "spells_in_battle",
    "abilities_used",
    "sorcerer_used",
    "moves",
    "attacks",
    "attacks_blocked",
    "attacks_ended",
    "blocks",
    "units_lost",
    "units_returned",
    "discarded",
    "lp_gained",
)

#: Columns that tell what a deck is made of, in the order of ``Tables.compositions``.
COMPOSITION = tuple(column.name for column in INFO.columns if column.role == "composition")


#: Most that a counter holds, less the cards of two opening hands: then what is counted by kind,
#: these among them, fits its column as well.
_MOST = np.iinfo(np.uint16).max - 16


def finished(game: Game) -> FinishedGame:
    """Return the records of a finished game.

    Raises
    ------
    EngineError
        With ``COUNTER_OVERFLOW`` when more was counted than a column holds.
    """
    if any(getattr(seat, name) > _MOST for seat in game.seats for name in COUNTERS):
        raise EngineError(COUNTER_OVERFLOW, INFO.id)
    return FinishedGame(
        game={"rounds": game.round, "turns": game.turn, "end_reason": game.end_reason},
        seats=[
            {
                "win60": game.win60[seat.index],
                "score": seat.sources.total(),
                "rank": game.ranks[seat.index],
                **seat_record(game, seat),
            }
            for seat in game.seats
        ],
        cards=game.counts.astype(np.uint16),
        series=game.series,
        trace=game.story.events if game.story else [],
    )


def seat_record(game: Game, seat: Seat) -> dict[str, int]:
    """Return a seat's columns as they stand now, without outcomes."""
    made_of = game.tables.compositions[seat.deck_list].tolist()
    return {
        "deck": seat.deck_list,
        "sorcerer": seat.sorcerer,
        **{name: getattr(seat, name) for name in COUNTERS},
        "lp_left": len(seat.lp),
        "most_units": seat.most_units,
        **{f"lp_by_{source}": seat.sources[source] for source in SOURCES},
        **dict(zip(COMPOSITION, made_of, strict=True)),
    }
