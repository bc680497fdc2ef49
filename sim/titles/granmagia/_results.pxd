# cython: language_level=3
"""The end of a game: ranks, shared wins, records (GM-W1, GM-W2). Twin of ``results.py``."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t

from sim.core._mask cimport Mask, mask_empty, mask_has, mask_take
from sim.titles.granmagia._records cimport (
    CARD_FIELDS,
    OWNED,
    WIN,
    GameRecord,
    SeatRecord,
)
from sim.titles.granmagia._state cimport (
    COUNTER_OVERFLOW,
    MOST_IN_COLUMN,
    Game,
    Seat,
    stop_with,
)
from sim.titles.granmagia._tables cimport (
    ARCANA,
    ATTACK,
    CHARM,
    CURSE,
    DEFENCE,
    DURATION,
    FAMILIAR,
    FRAGMENT,
    GREAT_STONE,
    PERMANENT,
    RITUAL,
    SORT_EXCLUSIVE,
    SORT_MAGIC,
    SORT_RARE,
    SORT_START,
    STONE,
)
from sim.titles.granmagia._victories cimport penalty, truth_of


cdef inline bint _better(const Game* game, int one, int other) noexcept nogil:
    """Whether a seat stands strictly before another: it has won, more truth, fewer own turns."""
    cdef int own = truth_of(game, &game.seats[one]), rival = truth_of(game, &game.seats[other])
    if one == game.winner or other == game.winner:
        return one == game.winner and other != game.winner
    if own != rival:
        return own > rival
    return game.seats[one].turns < game.seats[other].turns


cdef inline void _write_attributes(SeatRecord* out, int flags, uint8_t cards) noexcept nogil:
    """Count cards of a kind by its attributes; each field was cleared."""
    if flags & ATTACK:
        out.magic_attack += cards
    if flags & DEFENCE:
        out.magic_defence += cards
    if flags & DURATION:
        out.magic_duration += cards
    if flags & PERMANENT:
        out.magic_permanent += cards
    if flags & FAMILIAR:
        out.magic_familiar += cards


cdef inline void _write_owned(const Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    """Write what a seat's own cards are at the end."""
    cdef uint16_t by_sort[16]
    cdef Mask there = seat.owned_kinds
    cdef int kind, sort
    for sort in range(16):
        by_sort[sort] = 0
    out.magic_attack = out.magic_defence = out.magic_duration = 0
    out.magic_permanent = out.magic_familiar = 0
    while not mask_empty(&there):
        kind = mask_take(&there)
        by_sort[game.book.kinds[kind].sort & 15] += seat.owned[kind]
        if game.cards:
            game.cards[
                (seat.index * game.book.rules.kinds + kind) * CARD_FIELDS + OWNED
            ] = seat.owned[kind]
        if mask_has(&game.book.attributed, kind):
            _write_attributes(out, game.book.kinds[kind].flags, seat.owned[kind])
    out.truth_charm = <int16_t>(seat.owned[CHARM] * game.book.truth[CHARM])
    out.truth_ritual = <int16_t>(seat.owned[RITUAL] * game.book.truth[RITUAL])
    out.truth_arcana = <int16_t>(seat.owned[ARCANA] * game.book.truth[ARCANA])
    out.truth_curses = <int16_t>(seat.owned[CURSE] * game.book.truth[CURSE])
    out.truth_tokens = <int16_t>seat.tokens
    out.truth_penalty = <int16_t>-penalty(game, seat)
    out.deck_size = <uint16_t>seat.cards
    out.fragments = seat.owned[FRAGMENT]
    out.stones = seat.owned[STONE]
    out.great_stones = seat.owned[GREAT_STONE]
    out.charms = seat.owned[CHARM]
    out.rituals = seat.owned[RITUAL]
    out.arcana = seat.owned[ARCANA]
    out.curses = seat.owned[CURSE]
    out.starting_cards = by_sort[SORT_START]
    out.magic_common = by_sort[SORT_MAGIC]
    out.magic_rare = by_sort[SORT_RARE]
    out.magic_exclusive = by_sort[SORT_EXCLUSIVE]


cdef inline uint16_t _counter(Game* game, int64_t value) noexcept nogil:
    """Return a counter as the record holds it."""
    if value > MOST_IN_COLUMN:
        stop_with(game, COUNTER_OVERFLOW)
    return <uint16_t>value


cdef inline void _write_seat(Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    out.score = <int16_t>truth_of(game, seat)
    out.witch = <uint8_t>(seat.witch + 1)
    out.contract_round = <uint16_t>seat.contract_round
    out.casts = _counter(game, seat.casts)
    out.acquisitions = _counter(game, seat.acquisitions)
    out.receipts = _counter(game, seat.receipts)
    out.burns = _counter(game, seat.burns)
    out.reversals = _counter(game, seat.reversals)
    out.shuffles = _counter(game, seat.shuffles)
    out.gold_spent = _counter(game, seat.gold_spent)
    out.mana_total = <uint32_t>seat.mana_total
    out.special_victory = seat.index == game.winner
    out.announcements = _counter(game, seat.announcements)
    out.extra_turns = _counter(game, seat.extra_turns)
    out.familiar_rewards = _counter(game, seat.rewards)
    out.attacks = _counter(game, seat.attacks)
    out.hits = _counter(game, seat.hits)
    out.barriers_used = _counter(game, seat.barriers_used)
    out.dolls_used = _counter(game, seat.dolls_used)
    out.defences_used = _counter(game, seat.defences_used)
    out.curses_given = _counter(game, seat.curses_given)
    out.curses_taken = _counter(game, seat.curses_taken)
    _write_owned(game, seat, out)


cdef inline void write_results(Game* game, GameRecord* out, SeatRecord* seats) noexcept nogil:
    """Write the records of a finished game."""
    cdef int i, k, rank, winners = 0
    out.rounds = <uint16_t>game.round
    out.turns = <uint16_t>game.turn
    out.end_reason = <uint8_t>game.end_reason
    out.kinds_left = <uint8_t>game.field_kinds
    out.magic_deck_left = <uint8_t>game.magic_deck.size
    for i in range(game.players):
        rank = 1
        for k in range(game.players):
            rank += _better(game, k, i)
        seats[i].rank = <uint8_t>rank
        winners += rank == 1
        _write_seat(game, &game.seats[i], &seats[i])
    for i in range(game.players):
        seats[i].win60 = <uint8_t>(WIN // winners) if seats[i].rank == 1 else 0
