# cython: language_level=3
"""A game from its set-up to its end (MG-S, MG-R, MG-D, MG-P, MG-W, MG-X, MG-O)."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sim.core._mask cimport Mask, mask_empty, mask_has, mask_put, mask_take
from sim.core._piles cimport pile_draw, pile_shuffle
from sim.core._policy cimport conditions_hold
from sim.core._rng cimport Stream, stream_bounded, stream_open
from sim.titles.magnolia._choosing cimport CARD, CELL, DISCARD, decide
from sim.titles.magnolia._effects cimport asked, count_power, pay_lines, work
from sim.titles.magnolia._field cimport (
    cell_at,
    count_bits,
    field_clear,
    field_put,
    free_cells,
    lowest_bit,
)
from sim.titles.magnolia._state cimport (
    COUNTER_OVERFLOW,
    NOT_RECEIVED,
    RECEIVED,
    Game,
    Plan,
    Seat,
    change,
    count_card,
    gold_for,
    gold_left,
    kinds_in_hand,
    look,
    take_from_hand,
)
from sim.titles.magnolia._tables cimport (
    CHECK_BONUS,
    CHECK_PHASE,
    CHECK_ROUND,
    DEVELOPMENT,
    DISCARDED,
    DRAWN,
    FAITH,
    FIELD_END,
    FROM_GOLD,
    FROM_OBJECTIVES,
    FROM_WAR,
    GOLD,
    INCOME,
    LIKENESSES,
    MOST_COUNTED,
    MOST_LAID,
    MOST_SEATS,
    OPENING,
    PLACEMENT,
    PLAYED,
    ROUND_CAP,
    SERIES_FIELDS,
    SHARED_FULL,
    TECHNOLOGY,
    VP,
    VP_AND_FIELD_END,
    VP_END,
    VP_PHASE,
    WAR,
    Objective,
)

cdef enum:
    # info.STREAMS
    STREAM_DECK = 1
    STREAM_ORDER = 2
    STREAM_OBJECTIVES = 3
    STREAM_POLICY = 32

    MOST_OBJECTIVES = 32    # schema.Objectives


cdef inline void _shuffle(int* items, int count, Stream* stream) noexcept nogil:
    """Shuffle as ``Stream.shuffled`` does."""
    cdef int last, j, item
    for last in range(count - 1, 0, -1):
        j = <int>stream_bounded(stream, <uint32_t>(last + 1))
        item = items[j]
        items[j] = items[last]
        items[last] = item


cdef inline void _fill_hands(Game* game, const int* order) noexcept nogil:
    """Fill hands, each whole before the next one (MG-D2, MG-D3)."""
    cdef Seat* seat
    cdef int i
    for i in range(game.players):
        seat = &game.seats[order[i]]
        while seat.hand_size < game.book.rules.hand:
            if game.deck.size == 0:
                if game.discard_size == 0:
                    return
                pile_shuffle(&game.deck, game.discard, game.discard_size)
                game.discard_size = 0
                game.shuffles += 1
            seat.hand[seat.hand_size] = pile_draw(&game.deck, &game.deck_stream)
            count_card(game, seat, seat.hand[seat.hand_size], DRAWN)
            seat.hand_size += 1


cdef inline void _fill_order(Game* game, int* order) noexcept nogil:
    cdef int i
    for i in range(game.players):
        order[i] = i
    _shuffle(order, game.players, &game.order_stream)


cdef inline void _open_objectives(Game* game, const uint64_t* key, uint64_t deal) noexcept nogil:
    cdef int cards[MOST_OBJECTIVES]
    cdef Stream stream
    cdef int i
    game.objectives = 0
    if game.book.rules.objectives_open == 0:
        return
    stream_open(&stream, key, STREAM_OBJECTIVES, deal)
    for i in range(game.book.objective_count):
        cards[i] = i
    _shuffle(cards, game.book.objective_count, &stream)
    for i in range(game.book.rules.objectives_open):
        game.objectives |= <uint64_t>1 << cards[i]


cdef inline void set_up(
    Game* game, const uint64_t* key, uint64_t deal, const int16_t* lineup
) noexcept nogil:
    """Set a game up (MG-S1, MG-O1)."""
    cdef int order[MOST_SEATS]
    cdef Seat* seat
    cdef int i, k
    game.status = 0
    game.end_reason = -1
    game.round = 1
    game.shuffles = game.acting = game.cell = game.line_alike = game.discard_size = 0
    game.step = -1
    stream_open(&game.deck_stream, key, STREAM_DECK, deal)
    stream_open(&game.order_stream, key, STREAM_ORDER, deal)
    pile_shuffle(&game.deck, game.book.deck, game.book.deck_size)
    _open_objectives(game, key, deal)
    for i in range(game.players):
        seat = &game.seats[i]
        memset(seat, 0, sizeof(Seat))
        seat.index = i
        seat.policy = lineup[i]
        seat.banned = game.book.bans[i]
        seat.holding = -1
        seat.has[GOLD] = game.book.rules.start_gold
        field_clear(&seat.field)
        stream_open(&seat.deciding, key, STREAM_POLICY + i, deal)
    _fill_order(game, order)
    _fill_hands(game, order)
    for i in range(game.players):
        seat = &game.seats[i]
        for k in range(seat.hand_size):
            count_card(game, seat, seat.hand[k], OPENING)
    look(game)


cdef inline void _choose_discards(Game* game, Seat* seat) noexcept nogil:
    cdef int stop = game.policies.stop, code
    cdef Mask legal
    while True:
        legal = kinds_in_hand(seat)
        mask_put(&legal, stop)
        code = decide(game, seat, DISCARD, &legal)
        if code == stop:
            return
        take_from_hand(seat, code)
        seat.leaving[seat.leaving_size] = <uint8_t>code
        seat.leaving_size += 1


cdef inline void _draw_phase(Game* game) noexcept nogil:
    """Discard, and fill hands (MG-D1, MG-D2)."""
    cdef int order[MOST_SEATS]
    cdef Seat* seat
    cdef int i, k
    look(game)
    if game.round >= game.book.rules.exchange_from:
        for i in range(game.players):
            _choose_discards(game, &game.seats[i])
    _fill_order(game, order)
    for i in range(game.players):
        seat = &game.seats[order[i]]
        for k in range(seat.leaving_size):
            game.discard[game.discard_size] = seat.leaving[k]
            game.discard_size += 1
            count_card(game, seat, seat.leaving[k], DISCARDED)
        seat.discarded += seat.leaving_size
        seat.leaving_size = 0
    _fill_hands(game, order)
    _check(game, CHECK_PHASE)


cdef inline Mask _card_options(Game* game, Seat* seat) noexcept nogil:
    """Return which kinds can be laid down next; ``stop`` lays down no more (MG-P1)."""
    cdef Mask found, kinds
    cdef int kind, left
    found.low = found.high = 0
    if seat.laid < MOST_LAID and free_cells(&seat.field):
        left = gold_left(game, seat, seat.laid + 1, seat.laid_cost)
        kinds = kinds_in_hand(seat)
        while not mask_empty(&kinds):
            kind = mask_take(&kinds)
            if game.book.faces[kind].cost <= left and not mask_has(&seat.banned, kind):
                mask_put(&found, kind)
    mask_put(&found, game.policies.stop)
    return found


cdef inline void _lay(Game* game, Seat* seat, int kind, int cell) noexcept nogil:
    """Lay a card from hand face down."""
    cdef Plan* plan = &seat.plan
    cdef int step = seat.laid - plan.start
    if plan.made and (plan.kinds[step] != kind or plan.cells[step] != cell):
        plan.made = False
    take_from_hand(seat, kind)
    field_put(&seat.field, &game.book.faces[kind], kind, cell)
    seat.fresh |= <uint64_t>1 << cell
    seat.laid += 1
    seat.laid_cost += game.book.faces[kind].cost


cdef inline void _choose_placement(Game* game, Seat* seat) noexcept nogil:
    cdef int kind, kinds = game.book.rules.kinds, place
    cdef uint64_t cells
    cdef Mask legal
    seat.fresh = 0
    seat.plan.made = False
    while True:
        legal = _card_options(game, seat)
        kind = decide(game, seat, CARD, &legal)
        if kind == game.policies.stop:
            return
        seat.holding = kind
        cells = free_cells(&seat.field)
        legal.low = legal.high = 0
        for place in range(count_bits(cells)):
            mask_put(&legal, kinds + place)
        place = decide(game, seat, CELL, &legal) - kinds
        seat.holding = -1
        _lay(game, seat, kind, cell_at(cells, place))


cdef inline void _settle(Game* game, Seat* seat) noexcept nogil:
    """Turn up what a seat laid down, give the gold of its option, and pay (MG-P1, MG-P2)."""
    cdef uint64_t cells = seat.fresh
    cdef int likeness
    change(game, seat, GOLD, gold_for(game, seat.laid), RECEIVED)
    change(game, seat, GOLD, -seat.laid_cost, NOT_RECEIVED)
    seat.gold_spent += seat.laid_cost
    seat.played += seat.laid
    while cells:
        count_card(game, seat, seat.field.kinds[lowest_bit(cells)], PLAYED)
        cells &= cells - 1
    seat.open_cards = seat.field.cards
    for likeness in range(LIKENESSES):
        seat.open_tally[likeness] = seat.field.tally[likeness]
    seat.laid = seat.laid_cost = 0


cdef inline void _placement_phase(Game* game) noexcept nogil:
    """Lay cards down, turn them up, pay; then bonuses, then abilities (MG-P, MG-E1)."""
    cdef int i
    look(game)
    for i in range(game.players):
        _choose_placement(game, &game.seats[i])
    for i in range(game.players):
        _settle(game, &game.seats[i])
    pay_lines(game)
    _check(game, CHECK_BONUS)
    if game.status == 0:
        work(game, PLACEMENT, False)
    _check(game, CHECK_PHASE)


cdef inline int _rank_vp(const Game* game, int rank, int tied) noexcept nogil:
    cdef int i, vp = 0
    if game.book.rules.shared == SHARED_FULL:
        return game.book.war_vp[rank - 1]
    for i in range(tied):
        vp += game.book.war_vp[rank - 1 + i]
    return vp // tied


cdef inline void _rank_seats(Game* game) noexcept nogil:
    """Rank who takes part, and give VP by rank (MG-W2)."""
    cdef int least = game.book.rules.least_power, i, k, tied
    cdef Seat* seat
    for i in range(game.players):
        seat = &game.seats[i]
        if seat.power < least:
            continue
        seat.war_rank = 1
        tied = 0
        for k in range(game.players):
            seat.war_rank += game.seats[k].power > seat.power
            tied += game.seats[k].power == seat.power
        seat.war_vp = _rank_vp(game, seat.war_rank, tied)
        seat.wars_led += seat.war_rank == 1
        seat.wars_paid += seat.war_vp > 0
        change(game, seat, VP, seat.war_vp, FROM_WAR)


cdef inline void _war_phase(Game* game) noexcept nogil:
    cdef int64_t power
    cdef Seat* seat
    cdef int i
    look(game)
    for i in range(game.players):
        seat = &game.seats[i]
        power = count_power(game, seat)
        if power > MOST_COUNTED:
            game.status = COUNTER_OVERFLOW
            return
        seat.war_power += <int>power
        seat.power = <int32_t>power
    _rank_seats(game)
    if game.status == 0:
        work(game, WAR, True)
    _check(game, CHECK_PHASE)


cdef inline void _income_phase(Game* game) noexcept nogil:
    cdef int i
    look(game)
    for i in range(game.players):
        change(game, &game.seats[i], GOLD, game.book.rules.income, RECEIVED)
    if game.status == 0:
        work(game, INCOME, True)
    _check(game, CHECK_PHASE)


cdef inline void _check(Game* game, int when) noexcept nogil:
    """Give open objectives to all that meet them (MG-O2)."""
    cdef uint64_t met[MOST_SEATS]
    cdef uint64_t left, one
    cdef const Objective* goal
    cdef int i
    if game.objectives == 0 or game.book.rules.objectives_check != when or game.status:
        return
    look(game)
    for i in range(game.players):
        met[i] = 0
        game.acting = i
        left = game.objectives
        while left:
            goal = &game.book.objectives[lowest_bit(left)]
            if conditions_hold(
                game.book.conds, goal.cond_first, goal.cond_count, &asked, game
            ):
                met[i] |= left & -left
            left &= left - 1
    for i in range(game.players):
        left = met[i]
        while left:
            one = left & -left
            game.seats[i].objectives += 1
            change(
                game, &game.seats[i], VP, game.book.objectives[lowest_bit(left)].vp, FROM_OBJECTIVES
            )
            game.objectives &= ~one
            left &= left - 1


cdef inline void _record_round(Game* game) noexcept nogil:
    cdef int16_t* row
    cdef int i
    if game.series:
        for i in range(game.players):
            row = &game.series[(i * game.series_rounds + game.round - 1) * SERIES_FIELDS]
            row[0] = <int16_t>game.seats[i].has[VP]
            row[1] = <int16_t>game.seats[i].power
            row[2] = <int16_t>game.seats[i].has[TECHNOLOGY]
            row[3] = <int16_t>game.seats[i].has[FAITH]


cdef inline void _end_round(Game* game) noexcept nogil:
    """Test the end, for all at once (MG-X1, MG-X3)."""
    cdef bint enough = False, full = False
    cdef int i
    _record_round(game)
    for i in range(game.players):
        enough |= game.seats[i].has[VP] >= game.book.rules.end_vp
        full |= game.seats[i].field.cards >= game.book.rules.end_cards
    if enough and full:
        game.end_reason = VP_AND_FIELD_END
    elif enough:
        game.end_reason = VP_END
    elif full:
        game.end_reason = FIELD_END
    elif game.round >= game.book.rules.round_cap:
        game.end_reason = ROUND_CAP
    else:
        game.round += 1
        for i in range(game.players):
            game.seats[i].war_rank = 0
            game.seats[i].war_vp = 0


cdef inline void play_round(Game* game) noexcept nogil:
    """Play the six phases (MG-R1)."""
    _draw_phase(game)
    if game.status == 0:
        _placement_phase(game)
    if game.status == 0:
        _war_phase(game)
    if game.status == 0:
        work(game, DEVELOPMENT, True)
        _check(game, CHECK_PHASE)
    if game.status == 0:
        _income_phase(game)
    if game.status == 0:
        work(game, VP_PHASE, True)
        _check(game, CHECK_PHASE)
        _check(game, CHECK_ROUND)
    if game.status == 0:
        _end_round(game)


cdef inline void count_gold(Game* game) noexcept nogil:
    """Give VP for gold at the end (MG-X2)."""
    cdef int i, per = game.book.rules.gold_per_vp
    for i in range(game.players):
        change(game, &game.seats[i], VP, (game.seats[i].has[GOLD] + per - 1) // per, FROM_GOLD)
