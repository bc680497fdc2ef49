# cython: language_level=3
"""The records of a finished game, by the column table."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

from sim.titles.majestic._state cimport NOBODY, Game, Seat
from sim.titles.majestic._tables cimport (
    COMPOSITION,
    COUNTER_OVERFLOW,
    COUNTERS,
    MOST_IN_COLUMN,
    PLAYERS,
    SOURCES,
    GameRecord,
    SeatRecord,
)

cdef enum:
    WIN = 60                # sim.core.title.WIN


cdef inline int _write_counters(const Seat* seat, SeatRecord* out) noexcept nogil:
    """Write the counters; return a status code when one is more than its column holds."""
    cdef const uint32_t* counted = &seat.counted.redraws
    cdef uint16_t narrow[COUNTERS]
    cdef int i
    for i in range(COUNTERS):
        # What is counted by kind comes to no more than this, but for two opening hands.
        if counted[i] > MOST_IN_COLUMN - 16:
            return COUNTER_OVERFLOW
        narrow[i] = <uint16_t>counted[i]
    memcpy(&out.redraws, narrow, sizeof(narrow))
    return 0


cdef inline int _write_seat(const Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    cdef const int16_t* made_of = &game.book.compositions[seat.deck_list * COMPOSITION]
    cdef int i, score = 0
    out.deck = <uint8_t>seat.deck_list
    out.sorcerer = <uint8_t>seat.sorcerer
    out.lp_left = <uint16_t>seat.lp_size
    out.most_units = <uint16_t>seat.most_units
    for i in range(SOURCES):
        score += seat.lp_by[i]
    out.score = <int16_t>score
    memcpy(&out.lp_by_attacks, seat.lp_by, sizeof(seat.lp_by))
    memcpy(&out.deck_units, made_of, COMPOSITION * sizeof(int16_t))
    return _write_counters(seat, out)


cdef inline int write_results(
    const Game* game, GameRecord* out, SeatRecord* seats
) noexcept nogil:
    """Write the records of a finished game; return a status code, 0 when all of it fits."""
    cdef int i, status = 0
    out.rounds = <uint16_t>game.round
    out.turns = <uint16_t>game.turn
    out.end_reason = <uint8_t>game.end_reason
    for i in range(PLAYERS):
        status = _write_seat(game, &game.seats[i], &seats[i]) or status
        seats[i].rank = 1 if game.winner in (NOBODY, i) else 2
        if game.winner == NOBODY:
            seats[i].win60 = WIN // PLAYERS
        else:
            seats[i].win60 = WIN if game.winner == i else 0
    return status
