"""The records of a finished game, by the column table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.records import FinishedGame
from sim.errors import COUNTER_OVERFLOW, EngineError
from sim.titles.granmagia.info import INFO
from sim.titles.granmagia.schema import ATTRIBUTES, SORTS
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.victories import penalty

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["finished", "seat_record"]


def finished(game: Game) -> FinishedGame:
    """Return the records of a finished game.

    Raises
    ------
    EngineError
        With ``COUNTER_OVERFLOW`` when a counter is more than its column holds (GM-W11). That goes
        for the cards group too, which is always counted here. The kernel counts it only where it
        is collected, and otherwise plays on.
    """
    seats = [seat_record(game, seat) for seat in game.seats]
    for column in INFO.level("seat"):
        if column.role == "counter":
            most = np.iinfo(column.dtype).max
            if any(record[column.name] > most for record in seats):
                raise EngineError(COUNTER_OVERFLOW, INFO.id)
    if (game.counts > np.iinfo(np.uint16).max).any():
        raise EngineError(COUNTER_OVERFLOW, INFO.id)
    return FinishedGame(
        game={
            "rounds": game.round,
            "turns": game.turn,
            "end_reason": game.end_reason,
            "kinds_left": len(game.field),
            "magic_deck_left": len(game.magic_deck.cards),
        },
        seats=[
            {
                "win60": game.win60[seat.index],
                "score": game.truth(seat),
                "rank": game.ranks[seat.index],
                **record,
            }
            for seat, record in zip(game.seats, seats, strict=True)
        ],
        cards=game.counts.astype(np.uint16),
        series=game.series,
        trace=game.story.events if game.story else [],
    )


def seat_record(game: Game, seat: Seat) -> dict[str, int]:
    """Return a seat's columns as they stand now, without outcomes."""
    tables = game.tables
    number = dict.fromkeys(tables.kind_names, 0)
    by_sort = dict.fromkeys(SORTS, 0)
    by_attribute = dict.fromkeys(ATTRIBUTES, 0)
    for card in seat.cards():
        for attribute in ATTRIBUTES:
            has = bool(tables.flags[card.kind] & getattr(Flag, attribute.upper()))
            by_attribute[attribute] += has
        number[tables.kind_names[card.kind]] += 1
        by_sort[tables.sort[card.kind]] += 1
    truth = dict(zip(tables.kind_names, tables.truth, strict=True))
    return {
        "witch": seat.witch + 1,
        "contract_round": seat.contract_round,
        "casts": seat.casts,
        "acquisitions": seat.acquisitions,
        "receipts": seat.receipts,
        "burns": seat.burns,
        "reversals": seat.reversals,
        "shuffles": seat.shuffles,
        "gold_spent": seat.gold_spent,
        "mana_total": seat.mana_total,
        "special_victory": seat.special_victory,
        "announcements": seat.announcements,
        "extra_turns": seat.extra_turns,
        "familiar_rewards": seat.rewards,
        "attacks": seat.attacks,
        "hits": seat.hits,
        "barriers_used": seat.barriers_used,
        "dolls_used": seat.dolls_used,
        "defences_used": seat.defences_used,
        "curses_given": seat.curses_given,
        "curses_taken": seat.curses_taken,
        "truth_charm": number["charm"] * truth["charm"],
        "truth_ritual": number["ritual"] * truth["ritual"],
        "truth_arcana": number["arcana"] * truth["arcana"],
        "truth_curses": number["curse"] * truth["curse"],
        "truth_tokens": seat.tokens,
        "truth_penalty": -penalty(game, seat),
        "deck_size": sum(by_sort.values()),
        "fragments": number["fragment"],
        "stones": number["stone"],
        "great_stones": number["great_stone"],
        "charms": number["charm"],
        "rituals": number["ritual"],
        "arcana": number["arcana"],
        "curses": number["curse"],
        "starting_cards": by_sort["start"],
        "magic_common": by_sort["magic"],
        "magic_rare": by_sort["rare"],
        "magic_exclusive": by_sort["exclusive"],
        **{f"magic_{attribute}": by_attribute[attribute] for attribute in ATTRIBUTES},
    }
