# cython: language_level=3
"""What a policy makes of the placements it could choose: twin of ``worth.py``, which states it."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from sim.core._mask cimport Mask, mask_empty, mask_has, mask_take
from sim.titles.magnolia._field cimport (
    NO_TOP,
    WIDTH,
    Field,
    alike_count_beside,
    field_put,
    free_cells,
    lowest_bit,
    place_of,
)
from sim.titles.magnolia._state cimport (
    Game,
    Plan,
    Seat,
    gold_left,
    kinds_in_hand,
    weights_of,
)
from sim.titles.magnolia._tables cimport (
    BEFORE_FEATURES,
    CELLS,
    FEATURE_GOLD,
    FEATURE_KIN,
    FEATURE_LINE,
    FEATURE_NEIGHBOUR,
    FEATURE_PAIR,
    FEATURE_POWER,
    MOST_HAND,
    MOST_LAID,
    Face,
)


cdef struct Search:
    # What stays the same while placements are looked through.
    const Game* game
    const Seat* seat
    const int32_t* weights      # of kinds
    const int32_t* feature
    int count                   # different kinds in hand that the seat is not barred from
    uint8_t kinds[MOST_HAND]    # ascending
    uint8_t copies[MOST_HAND]


cdef inline void _begin(
    Search* search, const Game* game, const Seat* seat, int card
) noexcept nogil:
    cdef Mask kinds = kinds_in_hand(seat)
    cdef int i, kind
    search.game = game
    search.seat = seat
    search.weights = weights_of(game, seat, card)
    search.feature = search.weights + game.book.rules.kinds + BEFORE_FEATURES
    search.count = 0
    while not mask_empty(&kinds):
        kind = mask_take(&kinds)
        if mask_has(&seat.banned, kind):
            continue
        search.kinds[search.count] = <uint8_t>kind
        search.copies[search.count] = 0
        for i in range(seat.hand_size):
            search.copies[search.count] += seat.hand[i] == kind
        search.count += 1


cdef inline int64_t _gain(
    const Search* search, const Field* field, int kind, int cell
) noexcept nogil:
    """Return what a card in a cell adds to the worth of a placement, gold aside."""
    cdef const Face* face = &search.game.book.faces[kind]
    cdef const int32_t* feature = search.feature
    cdef int row = cell // WIDTH, column = cell % WIDTH
    cdef int top = field.top[column]
    cdef int64_t worth = search.weights[kind]
    worth += <int64_t>feature[FEATURE_NEIGHBOUR] * alike_count_beside(field, cell, face.alike)
    worth += <int64_t>feature[FEATURE_KIN] * field.tally[face.race]
    worth += _line_worth(feature, field, row, face.alike)
    worth += _line_worth(feature, field, WIDTH + column, face.alike)
    if top == NO_TOP:
        worth += <int64_t>feature[FEATURE_POWER] * face.power
    elif row < top:
        worth += <int64_t>feature[FEATURE_POWER] * (
            face.power - search.game.book.faces[field.kinds[top * WIDTH + column]].power
        )
    return worth


cdef inline int64_t _line_worth(
    const int32_t* feature, const Field* field, int line, int alike
) noexcept nogil:
    if field.line_cards[line] == 0 or not field.line_alike[line] & alike:
        return 0
    return feature[FEATURE_PAIR if field.line_cards[line] == 1 else FEATURE_LINE]


cdef inline int64_t _gold_worth(const Search* search, int cards, int spent) noexcept nogil:
    """Return what the gold is worth that is left after so many cards for so much."""
    cdef int64_t left = gold_left(search.game, search.seat, cards, spent)
    return left * search.feature[FEATURE_GOLD]


cdef inline int64_t _best_last(
    const Search* search, const Field* field, int used, int cards, int spent, int* kind, int* cell
) noexcept nogil:
    """Return what is best when at most one card may follow, and which card and where.

    `used` is the place in hand of a card that is laid down before, -1 for none.
    """
    cdef int64_t best = _gold_worth(search, cards, spent), worth, gold
    cdef uint64_t cells, free
    cdef int i, cost, at
    kind[0] = cell[0] = -1
    if cards >= MOST_LAID or field.cards == CELLS:
        return best
    free = free_cells(field)
    for i in range(search.count):
        if i == used and search.copies[i] == 1:
            continue
        cost = search.game.book.faces[search.kinds[i]].cost
        if cost > gold_left(search.game, search.seat, cards + 1, spent):
            continue
        gold = _gold_worth(search, cards + 1, spent + cost)
        cells = free
        while cells:
            at = lowest_bit(cells)
            cells &= cells - 1
            worth = gold + _gain(search, field, search.kinds[i], at)
            if worth > best:
                best = worth
                kind[0] = search.kinds[i]
                cell[0] = at
    return best


cdef inline int64_t _try_first(
    const Search* search, int i, int cards, int spent, int64_t best, Plan* plan
) noexcept nogil:
    """Try a card of the hand in every cell, followed by what is best then; return what is best."""
    cdef const Field* field = &search.seat.field
    cdef int kind = search.kinds[i], second, second_cell, cell
    cdef const Face* face = &search.game.book.faces[kind]
    cdef uint64_t cells = free_cells(field)
    cdef int64_t worth
    cdef Field after
    while cells:
        cell = lowest_bit(cells)
        cells &= cells - 1
        after = field[0]
        field_put(&after, face, kind, cell)
        worth = _gain(search, field, kind, cell)
        worth += _best_last(
            search, &after, i, cards + 1, spent + face.cost, &second, &second_cell
        )
        if worth > best:
            best = worth
            plan.kinds[0] = kind
            plan.cells[0] = cell
            plan.kinds[1] = second
            plan.cells[1] = second_cell
    return best


cdef inline void _make_plan(const Game* game, Seat* seat, int card) noexcept nogil:
    """Find the best placement from what the seat has laid down, and chosen, already."""
    cdef Search search
    cdef Plan* plan = &seat.plan
    cdef int i, cost
    cdef int64_t best
    _begin(&search, game, seat, card)
    plan.made = True
    plan.start = seat.laid
    plan.kinds[0] = plan.kinds[1] = plan.cells[0] = plan.cells[1] = -1
    if seat.holding >= 0:
        best = -(<int64_t>1 << 62)
        for i in range(search.count):
            if search.kinds[i] == seat.holding:
                _try_first(&search, i, seat.laid, seat.laid_cost, best, plan)
        return
    best = _gold_worth(&search, seat.laid, seat.laid_cost)
    if seat.laid >= MOST_LAID or seat.field.cards == CELLS:
        return
    for i in range(search.count):
        cost = game.book.faces[search.kinds[i]].cost
        if cost <= gold_left(game, seat, seat.laid + 1, seat.laid_cost):
            best = _try_first(&search, i, seat.laid, seat.laid_cost, best, plan)


cdef inline int next_step(const Game* game, Seat* seat, int card) noexcept nogil:
    """Return the option that begins the placement worth most."""
    cdef Plan* plan = &seat.plan
    cdef int step = seat.laid - plan.start
    if not plan.made or (seat.holding >= 0 and seat.holding != plan.kinds[step]):
        _make_plan(game, seat, card)
        step = 0
    if seat.holding < 0:
        return game.policies.stop if plan.kinds[step] < 0 else plan.kinds[step]
    return game.book.rules.kinds + place_of(free_cells(&seat.field), plan.cells[step])
