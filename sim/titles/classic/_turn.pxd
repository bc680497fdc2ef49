# cython: language_level=3
"""A game from its set-up to its records (CL-S, CL-T, CL-E)."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from sim.core._mask cimport MASK_CODES, Mask, mask_drop, mask_empty, mask_put
from sim.core._piles cimport pile_shuffle
from sim.core._rng cimport Stream, stream_bounded, stream_open
from sim.titles.classic._effects cimport ACTION, BUY, decide, play_effects
from sim.titles.classic._state cimport (
    Game,
    Seat,
    changed,
    count_card,
    draw,
    kinds_in,
    kinds_on_offer,
    obtain,
    own,
    pour,
    put,
    take_from_hand,
)
from sim.titles.classic._tables cimport (
    COPPER,
    CURSE,
    DUCHY,
    ESTATE,
    GOLD,
    OFFERED,
    OPENING,
    OWNED,
    PILES_END,
    PROVINCE,
    PROVINCES_END,
    ROUND_CAP,
    SERIES_FIELDS,
    SILVER,
    GameRecord,
    SeatRecord,
)

cdef enum:
    # info.STREAMS
    STREAM_SUPPLY = 1
    STREAM_DECK = 16
    STREAM_POLICY = 32

    WIN = 60                # sim.core.title.WIN


cdef inline void _draw_supply(Game* game, const uint64_t* key, uint64_t deal) noexcept nogil:
    """Lay out the piles, and draw which action kinds are among them (CL-S3, CL-S4)."""
    cdef Stream stream
    cdef int16_t pool[MASK_CODES]
    cdef int i, j, _draw, left = game.book.pool_count
    memcpy(pool, game.book.pool, left * sizeof(int16_t))
    memcpy(game.piles, game.book.piles, game.book.rules.kinds * sizeof(int16_t))
    game.offer = game.book.offer
    game.piles_out = 0
    stream_open(&stream, key, STREAM_SUPPLY, deal)
    for _draw in range(game.book.rules.supply_kinds - game.book.fixed_count):
        j = <int>stream_bounded(&stream, left)
        left -= 1
        pool[j] = pool[left]
    for i in range(left):       # what was not drawn
        game.piles[pool[i]] = 0
        mask_drop(&game.offer, pool[i])


cdef inline void set_up(
    Game* game, const uint64_t* key, uint64_t deal, const int16_t* lineup, SeatRecord* records
) noexcept nogil:
    """Set a game up (CL-S)."""
    cdef Seat* seat
    cdef int i, k, kind
    game.status = 0
    game.end_reason = -1
    game.round = 1
    game.turn = game.on_turn = game.acting = game.just_discarded = 0
    _draw_supply(game, key, deal)
    memset(records, 0, game.players * sizeof(SeatRecord))
    for i in range(game.players):
        seat = &game.seats[i]
        seat.index = i
        seat.policy = lineup[i]
        seat.banned = game.book.bans[i]
        seat.record = &records[i]
        seat.turns = seat.points = seat.cards = seat.action_cards = 0
        memset(seat.owned, 0, sizeof(seat.owned))
        for k in range(game.book.start_size):
            own(game, seat, game.book.start[k], 1)
        stream_open(&seat.shuffling, key, STREAM_DECK + i, deal)
        stream_open(&seat.deciding, key, STREAM_POLICY + i, deal)
        pile_shuffle(&seat.deck, game.book.start, game.book.start_size)
        seat.hand.size = seat.discard.size = seat.play.size = 0
        draw(game, seat, game.book.rules.hand)
        if game.counts:
            for k in range(seat.hand.size):
                count_card(game, seat, seat.hand.cards[k], OPENING, 1)
            for kind in range(game.book.rules.kinds):
                count_card(game, seat, kind, OFFERED, game.piles[kind] > 0)


cdef inline void _play_actions(Game* game, Seat* seat) noexcept nogil:
    """Play action cards until the seat stops (CL-T2)."""
    cdef int stop = game.book.rules.kinds, code
    cdef Mask legal
    if seat.action_cards == 0:
        return
    while game.actions > 0 and game.status == 0:
        legal = kinds_in(&seat.hand)
        legal.low &= game.book.actions.low
        legal.high &= game.book.actions.high
        if mask_empty(&legal):
            return
        mask_put(&legal, stop)
        code = decide(game, seat, ACTION, &legal)
        if code == stop:
            return
        game.actions -= 1
        seat.record.plays += 1
        take_from_hand(seat, code)
        put(&seat.play, <uint8_t>code)
        play_effects(game, seat, code)


cdef inline void _lay_treasures(Game* game, Seat* seat) noexcept nogil:
    """Lay down all treasures in hand (CL-T3)."""
    cdef int i, is_treasure, kept = 0, coins = 0
    cdef uint8_t kind
    for i in range(seat.hand.size):
        # Written to both places, and kept in one: a guess would often be wrong.
        kind = seat.hand.cards[i]
        is_treasure = game.book.is_treasure[kind]
        seat.play.cards[seat.play.size] = kind
        seat.play.size += is_treasure
        seat.hand.cards[kept] = kind
        kept += 1 - is_treasure
        coins += game.book.coins[kind]
    seat.hand.size = kept
    game.coins = changed(game, game.coins, coins)


cdef inline void _buy_cards(Game* game, Seat* seat) noexcept nogil:
    """Buy cards until the seat stops (CL-T4)."""
    cdef int stop = game.book.rules.kinds, code, cost
    cdef Mask legal
    while game.buys > 0 and game.status == 0:
        legal = kinds_on_offer(game, seat, game.coins)
        if mask_empty(&legal):
            return
        mask_put(&legal, stop)
        code = decide(game, seat, BUY, &legal)
        if code == stop:
            return
        cost = game.book.kinds[code].cost
        game.coins -= cost
        game.buys -= 1
        seat.record.bought += 1
        seat.record.coins_spent += cost
        obtain(game, seat, code)


cdef inline void _record_round(Game* game) noexcept nogil:
    cdef int16_t* row
    cdef int i
    if game.series:
        for i in range(game.players):
            row = &game.series[(i * game.series_rounds + game.round - 1) * SERIES_FIELDS]
            row[0] = <int16_t>game.seats[i].points
            row[1] = <int16_t>game.seats[i].owned[PROVINCE]


cdef inline void _end_turn(Game* game, Seat* seat) noexcept nogil:
    """Clean up, test the end, pass on (CL-T5, CL-E1, CL-E4)."""
    cdef bint last = game.on_turn + 1 == game.players
    pour(&seat.play, &seat.discard)
    pour(&seat.hand, &seat.discard)
    draw(game, seat, game.book.rules.hand)
    if game.piles[PROVINCE] == 0 and game.book.piles[PROVINCE] > 0:
        game.end_reason = PROVINCES_END
    elif game.piles_out >= game.book.rules.end_piles:
        game.end_reason = PILES_END
    elif last and game.round >= game.book.rules.round_cap:
        game.end_reason = ROUND_CAP
    if game.end_reason >= 0:
        _record_round(game)
    elif last:
        _record_round(game)
        game.round += 1
        game.on_turn = 0
    else:
        game.on_turn += 1


cdef inline void play_turn(Game* game) noexcept nogil:
    cdef Seat* seat = &game.seats[game.on_turn]
    game.acting = game.on_turn
    game.turn += 1
    seat.turns += 1
    game.actions = game.book.rules.actions
    game.buys = game.book.rules.buys
    game.coins = 0
    _play_actions(game, seat)
    _lay_treasures(game, seat)
    _buy_cards(game, seat)
    if game.status == 0:
        _end_turn(game, seat)


cdef inline void _write_seat(Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    cdef int kind
    if game.counts:
        for kind in range(game.book.rules.kinds):
            count_card(game, seat, kind, OWNED, seat.owned[kind])
    out.score = <int16_t>seat.points
    out.points_estate = <int16_t>(seat.owned[ESTATE] * game.book.points[ESTATE])
    out.points_duchy = <int16_t>(seat.owned[DUCHY] * game.book.points[DUCHY])
    out.points_province = <int16_t>(seat.owned[PROVINCE] * game.book.points[PROVINCE])
    out.points_curse = <int16_t>(seat.owned[CURSE] * game.book.points[CURSE])
    out.deck_size = <uint16_t>seat.cards
    out.coppers = seat.owned[COPPER]
    out.silvers = seat.owned[SILVER]
    out.golds = seat.owned[GOLD]
    out.estates = seat.owned[ESTATE]
    out.duchies = seat.owned[DUCHY]
    out.provinces = seat.owned[PROVINCE]
    out.curses = seat.owned[CURSE]
    out.action_cards = <uint16_t>seat.action_cards


cdef inline bint _better(const Seat* one, const Seat* other) noexcept nogil:
    """Whether a seat stands strictly before another: more points, then fewer turns (CL-E3)."""
    if one.points != other.points:
        return one.points > other.points
    return one.turns < other.turns


cdef inline void write_results(Game* game, GameRecord* out, SeatRecord* seats) noexcept nogil:
    """Write the records of a finished game."""
    cdef int i, k, rank, winners = 0
    out.rounds = <uint16_t>game.round
    out.turns = <uint16_t>game.turn
    out.end_reason = <uint8_t>game.end_reason
    out.piles_out = <uint8_t>game.piles_out
    out.provinces_left = <uint8_t>game.piles[PROVINCE]
    for i in range(game.players):
        rank = 1
        for k in range(game.players):
            rank += _better(&game.seats[k], &game.seats[i])
        seats[i].rank = <uint8_t>rank
        winners += rank == 1
        _write_seat(game, &game.seats[i], &seats[i])
    for i in range(game.players):
        seats[i].win60 = <uint8_t>(WIN // winners) if seats[i].rank == 1 else 0
