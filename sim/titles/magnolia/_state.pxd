# cython: language_level=3
"""The state of a game, and the changes that all rules are made of.

A ``Game`` is one struct that is made once a call and set up anew for each game; zones hold kinds,
in the order conventions of ``reference.py``. A seat that would have too much (MG-X4) sets
``status``; the game is then abandoned.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memmove

from sim.core._mask cimport Mask, mask_put
from sim.core._piles cimport PILE_CAPACITY, Pile
from sim.core._policy cimport POLICY_CODES, Policies
from sim.core._rng cimport Stream
from sim.titles.magnolia._field cimport Field
from sim.titles.magnolia._tables cimport (
    CARD_FIELDS,
    FROM_CARDS,
    GOLD,
    LIKENESSES,
    MOST_COUNTED,
    MOST_HAND,
    MOST_LAID,
    MOST_SEATS,
    PLACEMENT,
    RESOURCES,
    SOURCES,
    VP,
    Book,
)

cdef enum:
    COUNTER_OVERFLOW = 3    # sim.errors.STATUS
    # Sources of gold: whether it counts as received.
    NOT_RECEIVED = -1
    RECEIVED = 0


cdef struct Plan:
    # The placement that a seat's policy found best, and how it was found: it holds as long as the
    # cards laid down since are the ones it begins with.
    bint made
    int start               # cards that lay there when it was made
    int kinds[MOST_LAID]    # -1: lays down no more
    int cells[MOST_LAID]


cdef struct Seat:
    int index
    int policy
    Mask banned
    Stream deciding
    int32_t has[RESOURCES]
    int32_t power
    int war_rank
    int32_t war_vp
    int lines               # how many have paid
    int lines_race
    int lines_job
    int objectives
    uint16_t paid           # bits of rows, then of columns
    int hand_size
    uint8_t hand[MOST_HAND]
    int leaving_size
    uint8_t leaving[MOST_HAND]
    Field field             # as its owner knows it, with what lies face down
    int open_cards          # of it what all can see
    uint8_t open_tally[LIKENESSES]
    int laid                # cards that lie face down
    int laid_cost
    uint64_t fresh          # cells of the cards laid down this round
    int holding             # kind chosen, its cell not yet; -1: none
    int32_t vp_from[SOURCES]
    int gold_spent
    int gold_gained
    int played
    int discarded
    int wars_led
    int wars_paid
    int war_power
    Plan plan


cdef struct Shown:
    # What the table showed of a seat before the step (MG-S2).
    int32_t has[RESOURCES]
    int32_t power


cdef struct Game:
    const Book* book
    const Policies* policies
    uint16_t* counts        # this game's row of the cards group, or NULL
    int16_t* series         # this game's row of the series group, or NULL
    int series_rounds
    int status
    int end_reason
    int players
    int round
    int shuffles
    int acting              # the seat that is asked, or whose card works
    int cell                # the cell whose card is read
    int step                # the step under way, -1 for none
    int line_alike          # what the line has in common that pays
    uint64_t objectives     # open ones
    Stream deck_stream
    Stream order_stream
    Pile deck
    int discard_size
    uint8_t discard[PILE_CAPACITY]
    Shown shown[MOST_SEATS]
    Seat seats[MOST_SEATS]


cdef inline void count_card(Game* game, const Seat* seat, int kind, int what) noexcept nogil:
    """Count for the cards group, when it was asked for."""
    if game.counts:
        game.counts[(seat.index * game.book.rules.kinds + kind) * CARD_FIELDS + what] += 1


cdef inline void look(Game* game) noexcept nogil:
    """Remember what the table shows before a step (MG-S2)."""
    cdef int i, what
    for i in range(game.players):
        for what in range(RESOURCES):
            game.shown[i].has[what] = game.seats[i].has[what]
        game.shown[i].power = game.seats[i].power


cdef inline int32_t best_other(const Game* game, const Seat* seat, int what) noexcept nogil:
    """Return the most that another seat had before the step."""
    cdef int i
    cdef int32_t best = -1
    for i in range(game.players):
        if i != seat.index and game.shown[i].has[what] > best:
            best = game.shown[i].has[what]
    return best


cdef inline void change(Game* game, Seat* seat, int what, int64_t by, int source) noexcept nogil:
    """Change what a seat has; VP are counted by where they come from (MG-X4)."""
    cdef int64_t now = seat.has[what] + by
    if now > MOST_COUNTED:
        game.status = COUNTER_OVERFLOW
        return
    seat.has[what] = <int32_t>now
    if what == VP:
        seat.vp_from[source] += <int32_t>by
    elif what == GOLD and source != NOT_RECEIVED:
        seat.gold_gained += <int>by


cdef inline int from_cards(int step) noexcept nogil:
    """Return where VP come from that cards give in a step."""
    return FROM_CARDS + step - PLACEMENT


cdef inline Mask kinds_in_hand(const Seat* seat) noexcept nogil:
    cdef Mask found
    cdef int i
    found.low = found.high = 0
    for i in range(seat.hand_size):
        mask_put(&found, seat.hand[i])
    return found


cdef inline void take_from_hand(Seat* seat, int kind) noexcept nogil:
    """Take the first card of a kind, of which there is one, out of a hand."""
    cdef int i = 0
    while seat.hand[i] != kind:
        i += 1
    seat.hand_size -= 1
    memmove(&seat.hand[i], &seat.hand[i + 1], seat.hand_size - i)


cdef inline const int32_t* weights_of(
    const Game* game, const Seat* seat, int decision
) noexcept nogil:
    """Return a policy's weights at a decision point, by option code."""
    cdef const Policies* policies = game.policies
    return &policies.weights[(seat.policy * policies.decisions + decision) * POLICY_CODES]


cdef inline int gold_for(const Game* game, int cards) noexcept nogil:
    """Return the gold of the option to lay down so many cards (MG-P1)."""
    return (&game.book.rules.gold_for_0)[cards]


cdef inline int gold_left(const Game* game, const Seat* seat, int cards, int spent) noexcept nogil:
    """Return what a seat has left that lays down so many cards for so much."""
    return seat.has[GOLD] - spent + gold_for(game, cards)
