"""The records of a finished game, by the column table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from sim.core.records import FinishedGame
from sim.titles.classic.schema import BASIC, MOST_IN_COLUMN, PROVINCE

if TYPE_CHECKING:
    from sim.titles.classic.reference import Game
    from sim.titles.classic.state import Seat

__all__ = ["finished", "seat_record"]

#: Counters that a seat and its record call by the same name.
COUNTERS = (
    "plays",
    "bought",
    "coins_spent",
    "receipts",
    "trashes",
    "shuffles",
    "attacks",
    "reactions",
    "curses_given",
    "curses_taken",
)


def finished(game: Game) -> FinishedGame:
    """Return the records of a finished game."""
    return FinishedGame(
        game={
            "rounds": game.round,
            "turns": game.turn,
            "end_reason": game.end_reason,
            "piles_out": game.piles_out(),
            "provinces_left": game.piles[PROVINCE],
        },
        seats=[
            {
                "win60": game.win60[seat.index],
                "score": game.points(seat),
                "rank": game.ranks[seat.index],
                **seat_record(game, seat),
            }
            for seat in game.seats
        ],
        cards=np.minimum(game.counts, MOST_IN_COLUMN).astype(np.uint16),  # CL-E5
        series=game.series,
        trace=game.story.events if game.story else [],
    )


def seat_record(game: Game, seat: Seat) -> dict[str, int]:
    """Return a seat's columns as they stand now, without outcomes."""
    own = Counter(card.kind for card in seat.cards())
    number = {name: own[kind] for kind, name in enumerate(BASIC)}
    worth = {name: own[kind] * game.tables.faces[kind].points for kind, name in enumerate(BASIC)}
    return {
        **{name: getattr(seat, name) for name in COUNTERS},
        "points_estate": worth["estate"],
        "points_duchy": worth["duchy"],
        "points_province": worth["province"],
        "points_curse": worth["curse"],
        "deck_size": own.total(),
        "coppers": number["copper"],
        "silvers": number["silver"],
        "golds": number["gold"],
        "estates": number["estate"],
        "duchies": number["duchy"],
        "provinces": number["province"],
        "curses": number["curse"],
        "action_cards": own.total() - sum(number.values()),
    }
