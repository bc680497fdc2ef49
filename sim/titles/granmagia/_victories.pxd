# cython: language_level=3
"""Truth, and special victories (GM-W2 to GM-W9). Twin of ``victories.py``.

An event is judged for the seat that brings it about, which is the one on turn. Most events are
nobody's condition; they cost the comparison in ``judge``.
"""

from libc.stdint cimport int64_t

from sim.titles.granmagia._records cimport SPECIAL
from sim.titles.granmagia._state cimport Game, Seat, own_witch
from sim.titles.granmagia._tables cimport (
    ARCANA,
    AT_ONCE,
    CURSE,
    VICTORY_CURSES,
    VICTORY_GOLD,
    VICTORY_KINDS,
    VICTORY_MANA,
    VICTORY_OWNED,
    VICTORY_REWARDS,
    VICTORY_SPREAD,
    VICTORY_TOKENS,
    VICTORY_USES,
    Witch,
)


cdef inline int penalty(const Game* game, const Seat* seat) noexcept nogil:
    """Return the truth that other seats' witches take for a seat's curses (GM-N2)."""
    cdef int i, each, taken = 0
    for i in range(game.players):
        if i != seat.index:
            each = own_witch(game, &game.seats[i]).curse_penalty
            if each > 0:
                taken += seat.owned[CURSE] // each
    return taken


cdef inline int truth_of(const Game* game, const Seat* seat) noexcept nogil:
    """Return a seat's truth (GM-W2)."""
    return seat.truth - penalty(game, seat) if game.penalties else seat.truth


cdef inline void record_round(Game* game) noexcept nogil:
    """Keep the truth at the end of a round, when the series group was asked for."""
    cdef int i
    if game.series:
        for i in range(game.players):
            game.series[i * game.series_rounds + game.round - 1] = <short>truth_of(
                game, &game.seats[i]
            )


cdef inline int rivals_curses(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, found = 0
    for i in range(game.players):
        if i != seat.index:
            found += game.seats[i].owned[CURSE]
    return found


cdef inline int _all_curses(const Game* game, const Seat* seat) noexcept nogil:
    cdef int left = game.piles[CURSE] if game.piles[CURSE] > 0 else 0
    return left + game.burned[CURSE] + seat.owned[CURSE] + rivals_curses(game, seat)


cdef inline int _arcana_of_rivals(const Game* game, const Seat* seat, bint most) noexcept nogil:
    """Return the most, or the fewest, arcana that another seat has obtained."""
    cdef int i, found = -1
    for i in range(game.players):
        if i == seat.index:
            continue
        if found < 0 or (game.seats[i].arcana_taken > found) == most:
            found = game.seats[i].arcana_taken
    return found


cdef inline int64_t progress(const Game* game, const Seat* seat) noexcept nogil:
    """Return how far a seat's special victory is; 0 without one."""
    cdef int victory = seat.victory
    if victory == VICTORY_MANA:
        return game.mana_obtained if seat.index == game.on_turn else 0
    elif victory == VICTORY_CURSES:
        return rivals_curses(game, seat)
    elif victory == VICTORY_TOKENS:
        return seat.tokens
    elif victory == VICTORY_REWARDS:
        return seat.rewards
    elif victory == VICTORY_USES:
        return seat.uses[own_witch(game, seat).card]
    elif victory == VICTORY_SPREAD:
        return seat.arcana_taken - _arcana_of_rivals(game, seat, False)
    elif victory == VICTORY_GOLD:
        return seat.gold
    elif victory == VICTORY_KINDS:
        return seat.kinds_cast
    elif victory == VICTORY_OWNED:
        return seat.owned[ARCANA]
    return 0


cdef inline int progress_needed(const Game* game, const Seat* seat) noexcept nogil:
    """Return what a seat's special victory needs; 0 without one."""
    cdef const Witch* terms = own_witch(game, seat)
    if not seat.victory:
        return 0
    if seat.victory == VICTORY_CURSES:
        return _all_curses(game, seat)
    if game.players == 2:
        return terms.need2
    return terms.need3 if game.players == 3 else terms.need4


cdef inline bint _fulfilled(const Game* game, const Seat* seat) noexcept nogil:
    """Whether a seat's condition holds and its truth suffices."""
    cdef int needed = progress_needed(game, seat)
    if progress(game, seat) < needed or truth_of(game, seat) < own_witch(game, seat).truth:
        return False
    if seat.victory == VICTORY_CURSES:
        return needed > 0
    if seat.victory == VICTORY_SPREAD:
        return seat.arcana_taken > _arcana_of_rivals(game, seat, True)
    return True


cdef inline void _win(Game* game, const Seat* seat) noexcept nogil:
    game.end_reason = SPECIAL
    game.winner = seat.index
    record_round(game)


cdef inline void _judge(Game* game, Seat* seat) noexcept nogil:
    if not _fulfilled(game, seat):
        return
    if own_witch(game, seat).timing == AT_ONCE:
        _win(game, seat)
    elif not seat.announced:
        seat.announced = 1
        seat.announcements += 1


cdef inline void judge(Game* game, Seat* seat, int victory) noexcept nogil:
    """Judge an event that feeds one kind of victory: won, announced, or nothing (GM-W3, GM-W4)."""
    if seat.victory == victory:
        _judge(game, seat)


cdef inline void judge_contract(Game* game, Seat* seat) noexcept nogil:
    """Judge a contract, an event for every condition without a moment of its own (GM-W9)."""
    if seat.victory and seat.victory != VICTORY_CURSES and seat.victory != VICTORY_GOLD:
        _judge(game, seat)


cdef inline void judge_start(Game* game, Seat* seat) noexcept nogil:
    """Judge at the start of a normal turn: an announcement, then the curses (GM-W4, GM-N2)."""
    if seat.announced:
        seat.announced = 0
        if _fulfilled(game, seat):
            _win(game, seat)
            return
    judge(game, seat, VICTORY_CURSES)
