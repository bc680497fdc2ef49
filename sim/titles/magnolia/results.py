"""The records of a finished game, by the column table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.titles.magnolia.schema import JOBS, RACES

if TYPE_CHECKING:
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["FinishedGame", "finished", "seat_record"]

#: Counters that a seat and its record call by the same name.
COUNTERS = (
    "played",
    "discarded",
    "gold_spent",
    "gold_gained",
    "wars_led",
    "wars_paid",
    "war_power",
    "lines_race",
    "lines_job",
    "objectives",
    "technology",
    "faith",
)

#: Where VP come from; the records have a column ``vp_…`` for each.
SOURCES = (
    "war",
    "lines",
    "placement_cards",
    "war_cards",
    "development_cards",
    "income_cards",
    "vp_cards",
    "objectives",
    "taken",
    "gold",
)


@dataclass
class FinishedGame:
    """A finished game of the reference engine (see ``sim.core.title.ReferenceGame``)."""

    game: Mapping[str, int]
    seats: Sequence[Mapping[str, int]]
    cards: npt.NDArray[np.uint16]
    series: npt.NDArray[np.int16]
    trace: Sequence[Mapping[str, Any]]


def finished(game: Game) -> FinishedGame:
    """Return the records of a finished game."""
    return FinishedGame(
        game={
            "rounds": game.round,
            "turns": game.round * len(game.seats),
            "end_reason": game.end_reason,
            "shuffles": game.shuffles,
        },
        seats=[
            {
                "win60": game.win60[seat.index],
                "score": seat.vp,
                "rank": game.ranks[seat.index],
                **seat_record(game, seat),
            }
            for seat in game.seats
        ],
        cards=game.counts,
        series=game.series,
        trace=game.story.events if game.story else [],
    )


def seat_record(game: Game, seat: Seat) -> dict[str, int]:
    """Return a seat's columns as they stand now, without outcomes."""
    faces = [game.faces[card.kind] for card in seat.field.values()]
    races, jobs = Counter(face.race for face in faces), Counter(face.job for face in faces)
    pairs = Counter((face.race, face.job) for face in faces)
    costs = Counter(min(face.cost, 6) for face in faces)
    return {
        "main_race": _main(races),
        "main_job": _main(jobs),
        **{name: getattr(seat, name) for name in COUNTERS},
        "gold_left": seat.gold,
        **{f"vp_{source}": seat.sources[source] for source in SOURCES},
        "field_cards": len(faces),
        "field_cost": sum(face.cost for face in faces),
        **{f"cost_{cost}": costs[cost] for cost in range(7)},
        **{f"field_{name}": races[number] for number, name in enumerate(RACES)},
        **{f"field_{name}": jobs[number] for number, name in enumerate(JOBS)},
        **{
            f"field_{race}_{job}": pairs[r, j]
            for r, race in enumerate(RACES)
            for j, job in enumerate(JOBS)
        },
    }


def _main(numbers: Counter[int]) -> int:
    """Return 1 + what there is most of, 0 when several are equal or there is nothing."""
    (first, most), (_, second) = (*numbers.most_common(2), (-1, 0), (-1, 0))[:2]
    return first + 1 if most > second else 0
