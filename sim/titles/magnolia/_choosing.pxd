# cython: language_level=3
"""What seats see and how they choose: twin of ``observe.py`` and ``choosing.py``."""

from libc.stdint cimport int64_t

from sim.core._mask cimport Mask, mask_has
from sim.core._policy cimport policy_decide
from sim.titles.magnolia._field cimport (
    WIDTH,
    Field,
    card_count_beside,
    cell_at,
    free_cells,
)
from sim.titles.magnolia._search cimport next_step
from sim.titles.magnolia._state cimport Game, Seat, best_other, gold_left, weights_of
from sim.titles.magnolia._tables cimport (
    BEFORE_BONUSES,
    FAITH,
    GOLD,
    MOST_LAID,
    RACES,
    RESOURCES,
    STEPS,
    TECHNOLOGY,
    VP,
)

cdef enum:
    # info.DECISIONS
    DISCARD = 0
    CARD = 1
    CELL = 2
    BONUS = 3
    ORDER = 4
    DECISIONS = 5

    # observe.OBSERVED
    SEEN_ROUND = 0
    SEEN_PLAYERS = 1
    SEEN_GOLD = 2
    SEEN_BUDGET = 3
    SEEN_VP = 4
    SEEN_TECHNOLOGY = 5
    SEEN_FAITH = 6
    SEEN_POWER = 7
    SEEN_CARDS = 8
    SEEN_LAID = 9
    SEEN_HAND = 10
    SEEN_LEAVING = 11
    SEEN_LINES = 12
    SEEN_VP_LEAD = 13
    SEEN_POWER_LEAD = 14
    SEEN_TECHNOLOGY_LEAD = 15
    SEEN_FAITH_LEAD = 16
    SEEN_MOST_CARDS = 17
    SEEN_FIELD = 18
    SEEN_IN_HAND = 19
    SEEN_RIVALS = 20
    SEEN_COST = 21
    SEEN_VALUE = 22
    SEEN_BEST = 23
    SEEN_READS = 24
    SEEN_TOP = 25
    SEEN_BESIDE = 26
    SEEN_BONUS_GOLD = 27
    SEEN_BONUS_FAITH = 30


cdef inline int64_t _power_lead(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i
    cdef int64_t best = -1
    for i in range(game.players):
        if i != seat.index and game.shown[i].power > best:
            best = game.shown[i].power
    return seat.power - best


cdef inline int _most_cards(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, most = 0
    for i in range(game.players):
        if i != seat.index and game.seats[i].open_cards > most:
            most = game.seats[i].open_cards
    return most


cdef inline int rivals(const Game* game, const Seat* seat, int likeness) noexcept nogil:
    """Return how many open cards of a race or job lie in all other fields."""
    cdef int i, found = 0
    for i in range(game.players):
        if i != seat.index:
            found += game.seats[i].open_tally[likeness]
    return found


cdef inline int _in_hand(const Game* game, const Seat* seat, int likeness) noexcept nogil:
    cdef int i, found = 0
    for i in range(seat.hand_size):
        found += game.book.faces[seat.hand[i]].alike >> likeness & 1
    return found


cdef inline int64_t _value(const Game* game, const Seat* seat, int option) noexcept nogil:
    """Return a policy's weight of a card; barred kinds are worth nothing, so they are exchanged."""
    return 0 if mask_has(&seat.banned, option) else weights_of(game, seat, CARD)[option]


cdef inline int _reads(const Game* game, int option) noexcept nogil:
    if game.step < 0 or option >= game.book.rules.kinds:
        return 0
    return game.book.steps[option * STEPS + game.step].reads != 0


cdef inline int _about_cell(
    const Game* game, const Field* field, int option, bint top
) noexcept nogil:
    """Return whether a card in the cell of an option would be in front, or the cards beside it."""
    cdef int cell = cell_at(free_cells(field), option - game.book.rules.kinds)
    if cell < 0:
        return 0
    if top:
        return cell // WIDTH < field.top[cell % WIDTH]
    return card_count_beside(field, cell)


cdef inline int on_offer(const Game* game, int option, int what) noexcept nogil:
    """Return how much of something the option race or job pays for the line in question."""
    cdef int races = (1 << RACES) - 1, alike = 0, likeness = -1
    if option == game.book.rules.kinds + BEFORE_BONUSES:
        alike = game.line_alike & races
    elif option == game.book.rules.kinds + BEFORE_BONUSES + 1:
        alike = game.line_alike & ~races
    while alike:
        alike >>= 1
        likeness += 1
    return 0 if likeness < 0 else game.book.bonuses[likeness * RESOURCES + what]


cdef inline int64_t observe(const void* state, int number, int argument) noexcept nogil:
    """Return an observable's value for the seat that is asked."""
    cdef Game* game = <Game*>state
    cdef Seat* seat = &game.seats[game.acting]
    if number == SEEN_BEST:
        return argument == next_step(game, seat, CARD)
    elif number == SEEN_VALUE:
        return _value(game, seat, argument)
    elif number == SEEN_ROUND:
        return game.round
    elif number == SEEN_PLAYERS:
        return game.players
    elif number == SEEN_GOLD:
        return seat.has[GOLD]
    elif number == SEEN_BUDGET:
        return gold_left(
            game, seat, seat.laid + 1 if seat.laid < MOST_LAID else MOST_LAID, seat.laid_cost
        )
    elif number == SEEN_VP:
        return seat.has[VP]
    elif number == SEEN_TECHNOLOGY:
        return seat.has[TECHNOLOGY]
    elif number == SEEN_FAITH:
        return seat.has[FAITH]
    elif number == SEEN_POWER:
        return seat.power
    elif number == SEEN_CARDS:
        return seat.field.cards
    elif number == SEEN_LAID:
        return seat.laid
    elif number == SEEN_HAND:
        return seat.hand_size
    elif number == SEEN_LEAVING:
        return seat.leaving_size
    elif number == SEEN_LINES:
        return seat.lines
    elif number == SEEN_VP_LEAD:
        return seat.has[VP] - best_other(game, seat, VP)
    elif number == SEEN_POWER_LEAD:
        return _power_lead(game, seat)
    elif number == SEEN_TECHNOLOGY_LEAD:
        return seat.has[TECHNOLOGY] - best_other(game, seat, TECHNOLOGY)
    elif number == SEEN_FAITH_LEAD:
        return seat.has[FAITH] - best_other(game, seat, FAITH)
    elif number == SEEN_MOST_CARDS:
        return _most_cards(game, seat)
    elif number == SEEN_FIELD:
        return seat.field.tally[argument]
    elif number == SEEN_IN_HAND:
        return _in_hand(game, seat, argument)
    elif number == SEEN_RIVALS:
        return rivals(game, seat, argument)
    elif number == SEEN_COST:
        return game.book.faces[argument].cost if argument < game.book.rules.kinds else 0
    elif number == SEEN_READS:
        return _reads(game, argument)
    elif number == SEEN_TOP:
        return _about_cell(game, &seat.field, argument, True)
    elif number == SEEN_BESIDE:
        return _about_cell(game, &seat.field, argument, False)
    elif SEEN_BONUS_GOLD <= number <= SEEN_BONUS_FAITH:
        return on_offer(game, argument, number - SEEN_BONUS_GOLD)
    return 0


cdef inline int decide(Game* game, Seat* seat, int decision, const Mask* legal) noexcept nogil:
    """Let a seat choose among option codes, of which there is at least one."""
    game.acting = seat.index
    if decision != CARD and decision != CELL:
        # What was planned for a placement holds within it only.
        seat.plan.made = False
    return policy_decide(
        game.policies, seat.policy, decision, legal, &seat.deciding, &observe, game
    )
