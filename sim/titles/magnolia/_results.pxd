# cython: language_level=3
"""The records of a finished game (twin of ``results.py``)."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sim.titles.magnolia._field cimport lowest_bit
from sim.titles.magnolia._state cimport Game, Seat
from sim.titles.magnolia._tables cimport (
    COSTS,
    FAITH,
    GOLD,
    JOBS,
    LIKENESSES,
    RACES,
    SOURCES,
    TECHNOLOGY,
    VP,
    Face,
    GameRecord,
    SeatRecord,
)

cdef enum:
    WIN = 60        # sim.core.title.WIN


cdef inline uint8_t _main(const uint8_t* tally, int count) noexcept nogil:
    """Return 1 + what there is most of, 0 when several are equal or there is nothing."""
    cdef int i, most = 0, main = 0
    for i in range(count):
        if tally[i] > most:
            most = tally[i]
            main = i + 1
        elif tally[i] == most:
            main = 0
    return <uint8_t>main


cdef inline void _write_field(const Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    cdef uint64_t cells = seat.field.taken
    cdef uint16_t cost[COSTS]
    cdef uint16_t tally[LIKENESSES]
    cdef uint16_t pairs[RACES * JOBS]
    cdef const Face* face
    cdef int i
    memset(cost, 0, sizeof(cost))
    memset(pairs, 0, sizeof(pairs))
    out.main_race = _main(seat.field.tally, RACES)
    out.main_job = _main(&seat.field.tally[RACES], JOBS)
    out.field_cards = <uint16_t>seat.field.cards
    for i in range(LIKENESSES):
        tally[i] = seat.field.tally[i]
    while cells:
        face = &game.book.faces[seat.field.kinds[lowest_bit(cells)]]
        cells &= cells - 1
        out.field_cost += face.cost
        cost[face.cost if face.cost < COSTS else COSTS - 1] += 1
        pairs[face.race * JOBS + face.job] += 1
    memcpy(&out.cost_0, cost, sizeof(cost))
    memcpy(&out.field_human, tally, sizeof(tally))
    memcpy(&out.field_human_lord, pairs, sizeof(pairs))


cdef inline void _write_seat(const Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    memset(out, 0, sizeof(SeatRecord))
    out.score = <int16_t>seat.has[VP]
    out.played = <uint16_t>seat.played
    out.discarded = <uint16_t>seat.discarded
    out.gold_spent = <uint32_t>seat.gold_spent
    out.gold_gained = <uint32_t>seat.gold_gained
    out.wars_led = <uint16_t>seat.wars_led
    out.wars_paid = <uint16_t>seat.wars_paid
    out.war_power = <uint32_t>seat.war_power
    out.lines_race = <uint16_t>seat.lines_race
    out.lines_job = <uint16_t>seat.lines_job
    out.objectives = <uint16_t>seat.objectives
    out.technology = <uint16_t>seat.has[TECHNOLOGY]
    out.faith = <uint16_t>seat.has[FAITH]
    out.gold_left = <uint16_t>seat.has[GOLD]
    memcpy(&out.vp_war, seat.vp_from, SOURCES * sizeof(int32_t))
    _write_field(game, seat, out)


cdef inline void write_results(Game* game, GameRecord* out, SeatRecord* seats) noexcept nogil:
    """Write the records of a finished game."""
    cdef int i, k, rank, winners = 0
    out.rounds = <uint16_t>game.round
    out.turns = <uint16_t>(game.round * game.players)
    out.end_reason = <uint8_t>game.end_reason
    out.shuffles = <uint16_t>game.shuffles
    for i in range(game.players):
        _write_seat(game, &game.seats[i], &seats[i])
        rank = 1
        for k in range(game.players):
            rank += game.seats[k].has[VP] > game.seats[i].has[VP]
        seats[i].rank = <uint8_t>rank
        winners += rank == 1
    for i in range(game.players):
        seats[i].win60 = <uint8_t>(WIN // winners) if seats[i].rank == 1 else 0
