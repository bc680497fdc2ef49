# cython: language_level=3
"""What card texts ask and do: twin of ``texts.py``, ``effects.py`` and ``bonuses.py``."""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from sim.core._mask cimport Mask, mask_put
from sim.core._policy cimport conditions_hold
from sim.titles.magnolia._choosing cimport BONUS, ORDER, decide, on_offer, rivals
from sim.titles.magnolia._field cimport (
    LINES,
    NO_TOP,
    SIDE,
    WIDTH,
    alike_count_beside,
    card_count_beside,
    is_in_front,
    lowest_bit,
)
from sim.titles.magnolia._state cimport (
    NOT_RECEIVED,
    Game,
    Seat,
    best_other,
    change,
    from_cards,
    look,
)
from sim.titles.magnolia._tables cimport (
    BEFORE_BONUSES,
    CELLS,
    FAITH,
    FROM_LINES,
    FRONT,
    GOLD,
    LIKENESSES,
    MOST_SEATS,
    OP_OTHERS_GOLD,
    RACES,
    RESOURCES,
    STEPS,
    TAKEN,
    TECHNOLOGY,
    VP,
    Effect,
    Step,
)

cdef enum:
    # texts.ASKED
    ASKED_ROUND = 0
    ASKED_PLAYERS = 1
    ASKED_GOLD = 2
    ASKED_VP = 3
    ASKED_TECHNOLOGY = 4
    ASKED_FAITH = 5
    ASKED_POWER = 6
    ASKED_WAR_RANK = 7
    ASKED_WAR_VP = 8
    ASKED_GAINED = 9
    ASKED_CARDS = 10
    ASKED_EMPTY = 11
    ASKED_LINES = 12
    ASKED_RACES = 13
    ASKED_JOBS = 14
    ASKED_MOST_OF_RACE = 15
    ASKED_MOST_OF_JOB = 16
    ASKED_VP_LEAD = 17
    ASKED_TECHNOLOGY_LEAD = 18
    ASKED_FAITH_LEAD = 19
    ASKED_FIELD = 20
    ASKED_RIVALS = 21
    ASKED_NEIGHBOURS = 22
    ASKED_NEXT_TO = 23
    ASKED_ROW = 24
    ASKED_COLUMN = 25
    ASKED_FRONT = 26


cdef inline int _different(const Seat* seat, int first, int end) noexcept nogil:
    cdef int likeness, found = 0
    for likeness in range(first, end):
        found += seat.field.tally[likeness] != 0
    return found


cdef inline int _most(const Seat* seat, int first, int end) noexcept nogil:
    cdef int likeness, most = 0
    for likeness in range(first, end):
        if seat.field.tally[likeness] > most:
            most = seat.field.tally[likeness]
    return most


cdef inline bint _gained(const Game* game, const Seat* seat) noexcept nogil:
    """Whether war VP were gained in this round's war (MG-W3)."""
    return seat.war_rank > 0 and seat.war_vp >= game.book.rules.gained_from


cdef inline int64_t asked(const void* state, int number, int argument) noexcept nogil:
    """Return what a text asks about the acting seat and the card in ``cell``."""
    cdef const Game* game = <const Game*>state
    cdef const Seat* seat = &game.seats[game.acting]
    if number == ASKED_GAINED:
        return _gained(game, seat)
    elif number == ASKED_FIELD:
        return seat.field.tally[argument]
    elif number == ASKED_NEXT_TO:
        return alike_count_beside(&seat.field, game.cell, 1 << argument)
    elif number == ASKED_TECHNOLOGY:
        return seat.has[TECHNOLOGY]
    elif number == ASKED_FAITH:
        return seat.has[FAITH]
    elif number == ASKED_ROUND:
        return game.round
    elif number == ASKED_PLAYERS:
        return game.players
    elif number == ASKED_GOLD:
        return seat.has[GOLD]
    elif number == ASKED_VP:
        return seat.has[VP]
    elif number == ASKED_POWER:
        return seat.power
    elif number == ASKED_WAR_RANK:
        return seat.war_rank
    elif number == ASKED_WAR_VP:
        return seat.war_vp
    elif number == ASKED_CARDS:
        return seat.field.cards
    elif number == ASKED_EMPTY:
        return CELLS - seat.field.cards
    elif number == ASKED_LINES:
        return seat.lines
    elif number == ASKED_RACES:
        return _different(seat, 0, RACES)
    elif number == ASKED_JOBS:
        return _different(seat, RACES, LIKENESSES)
    elif number == ASKED_MOST_OF_RACE:
        return _most(seat, 0, RACES)
    elif number == ASKED_MOST_OF_JOB:
        return _most(seat, RACES, LIKENESSES)
    elif number == ASKED_VP_LEAD:
        return seat.has[VP] - best_other(game, seat, VP)
    elif number == ASKED_TECHNOLOGY_LEAD:
        return seat.has[TECHNOLOGY] - best_other(game, seat, TECHNOLOGY)
    elif number == ASKED_FAITH_LEAD:
        return seat.has[FAITH] - best_other(game, seat, FAITH)
    elif number == ASKED_RIVALS:
        return rivals(game, seat, argument)
    elif number == ASKED_NEIGHBOURS:
        return card_count_beside(&seat.field, game.cell)
    elif number == ASKED_ROW:
        return seat.field.line_cards[game.cell // WIDTH]
    elif number == ASKED_COLUMN:
        return seat.field.line_cards[WIDTH + game.cell % WIDTH]
    elif number == ASKED_FRONT:
        return is_in_front(&seat.field, game.cell)
    return 0


cdef inline int64_t _amount(const Game* game, const Effect* effect) noexcept nogil:
    """Return how much an effect of the acting seat's card in ``cell`` is worth now."""
    cdef int64_t amount
    if not conditions_hold(
        game.book.conds, effect.cond_first, effect.cond_count, &asked, game
    ):
        return 0
    amount = effect.amount
    if effect.per_observable >= 0:
        amount *= asked(game, effect.per_observable, effect.per_argument)
    return amount if amount > 0 else 0


cdef inline const Step* _text(const Game* game, const Seat* seat, int cell) noexcept nogil:
    """Return what the card in a cell says for the step under way."""
    return &game.book.steps[seat.field.kinds[cell] * STEPS + game.step]


cdef inline int64_t count_power(Game* game, Seat* seat) noexcept nogil:
    """Return the power of the cards in front (MG-W1)."""
    cdef int64_t power = 0
    cdef int column, i
    cdef const Step* step
    game.acting = seat.index
    for column in range(1, WIDTH - 1):
        if seat.field.top[column] == NO_TOP:
            continue
        game.cell = seat.field.top[column] * WIDTH + column
        power += game.book.faces[seat.field.kinds[game.cell]].power
        step = &game.book.steps[seat.field.kinds[game.cell] * STEPS + FRONT]
        for i in range(step.first, step.first + step.count):
            power += _amount(game, &game.book.effects[i])
    return power


cdef inline bint _order_matters(
    const Game* game, const Seat* seat, uint64_t pending
) noexcept nogil:
    """Whether a card reads what one of another kind may change (MG-E3)."""
    cdef uint64_t readers = pending, givers
    cdef int reader, giver, reads = 0, gives = 0
    while readers:
        reader = lowest_bit(readers)
        readers &= readers - 1
        reads |= _text(game, seat, reader).reads
        gives |= _text(game, seat, reader).gives
    if not reads & gives:
        return False
    readers = pending
    while readers:
        reader = lowest_bit(readers)
        readers &= readers - 1
        givers = pending
        while givers:
            giver = lowest_bit(givers)
            givers &= givers - 1
            if (
                _text(game, seat, reader).reads & _text(game, seat, giver).gives
                and seat.field.kinds[reader] != seat.field.kinds[giver]
            ):
                return True
    return False


cdef inline int _next(Game* game, Seat* seat, uint64_t pending) noexcept nogil:
    """Return the cell whose card works next."""
    cdef uint64_t cells = pending
    cdef Mask kinds
    cdef int kind, cell
    if not _order_matters(game, seat, pending):
        return lowest_bit(pending)
    kinds.low = kinds.high = 0
    while cells:
        mask_put(&kinds, seat.field.kinds[lowest_bit(cells)])
        cells &= cells - 1
    kind = decide(game, seat, ORDER, &kinds)
    cells = pending
    while True:
        cell = lowest_bit(cells)
        if seat.field.kinds[cell] == kind:
            return cell
        cells &= cells - 1


cdef inline void _work_card(
    Game* game, Seat* seat, int cell, int64_t (*losses)[2]
) noexcept nogil:
    """Let the ability of a card work; what others lose is noted in ``losses``."""
    cdef const Step* step = _text(game, seat, cell)
    cdef const Effect* effect
    cdef int64_t amount
    cdef int i, other
    for i in range(step.first, step.first + step.count):
        # Deciding on an order may have asked another question in between.
        game.acting = seat.index
        game.cell = cell
        effect = &game.book.effects[i]
        amount = _amount(game, effect)
        if effect.op < RESOURCES:
            change(game, seat, effect.op, amount, from_cards(game.step))
            if game.status:
                return
        else:
            for other in range(game.players):
                if other != seat.index:
                    losses[other][effect.op - OP_OTHERS_GOLD] += amount


cdef inline void work(Game* game, int step, bint all_cells) noexcept nogil:
    """Let the abilities of a step work, of all cells or of those just laid (MG-E)."""
    cdef int64_t losses[MOST_SEATS][2]
    cdef int64_t amount
    cdef uint64_t cells, pending
    cdef Seat* seat
    cdef int i, cell, what
    look(game)
    game.step = step
    for i in range(game.players):
        losses[i][0] = losses[i][1] = 0
    for i in range(game.players):
        seat = &game.seats[i]
        cells = seat.field.taken if all_cells else seat.fresh
        pending = 0
        while cells:
            cell = lowest_bit(cells)
            if _text(game, seat, cell).count:
                pending |= cells & -cells
            cells &= cells - 1
        while pending:
            cell = _next(game, seat, pending)
            pending &= ~(<uint64_t>1 << cell)
            _work_card(game, seat, cell, losses)
            if game.status:
                return
    game.step = -1
    for i in range(game.players):
        seat = &game.seats[i]
        for what in range(2):
            amount = losses[i][what]
            if amount > 0:
                if amount > seat.has[what]:
                    amount = seat.has[what]
                change(game, seat, what, -amount, TAKEN if what == VP else NOT_RECEIVED)


cdef inline void _pay_line(Game* game, Seat* seat, int line) noexcept nogil:
    """Pay a line that is alike, once a game (MG-B1)."""
    cdef int races = (1 << RACES) - 1, first = game.book.rules.kinds + BEFORE_BONUSES, code, what
    cdef Mask offers
    offers.low = offers.high = 0
    if game.line_alike & races:
        mask_put(&offers, first)
    if game.line_alike & ~races:
        mask_put(&offers, first + 1)
    code = decide(game, seat, BONUS, &offers)
    seat.paid |= <uint16_t>(1 << line)
    seat.lines += 1
    if code == first:
        seat.lines_race += 1
    else:
        seat.lines_job += 1
    for what in range(RESOURCES):
        change(game, seat, what, on_offer(game, code, what), FROM_LINES)


cdef inline void pay_lines(Game* game) noexcept nogil:
    """Pay the lines that are complete and alike and have not paid yet, of all seats (MG-B1)."""
    cdef Seat* seat
    cdef int i, line
    look(game)
    for i in range(game.players):
        seat = &game.seats[i]
        if not seat.fresh:
            continue
        for line in range(LINES):
            if seat.field.line_cards[line] < SIDE or seat.paid >> line & 1:
                continue
            game.line_alike = seat.field.line_alike[line]
            if game.line_alike:
                _pay_line(game, seat, line)
    game.line_alike = 0
