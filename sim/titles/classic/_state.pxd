# cython: language_level=3
"""The state of a game, and the moves of cards that all rules are made of.

A ``Game`` is one struct that is made once a call and set up anew for each game. Zones hold kinds,
in the order conventions of ``reference.py``. Who breaks a limit (CL-E5) sets ``status``; the game
is then abandoned.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memmove

from sim.core._mask cimport MASK_CODES, Mask, mask_drop
from sim.core._piles cimport PILE_CAPACITY, Pile, pile_draw, pile_shuffle
from sim.core._policy cimport Policies
from sim.core._rng cimport Stream
from sim.titles.classic._tables cimport (
    ACQUIRED,
    CARD_FIELDS,
    DRAWN,
    MOST_COST,
    Book,
    SeatRecord,
)

cdef enum:
    MOST_SEATS = 4
    SPARE = 16              # room behind the cards of a zone, see pour
    MOST_COUNTED = 1000000000
    MOST_IN_COLUMN = 65535

    # sim.errors.STATUS
    PILE_OVERFLOW = 2
    COUNTER_OVERFLOW = 3


cdef struct Zone:
    # Cards in an order that nobody shuffles: a hand, a discard pile, a play area.
    int size
    uint8_t cards[PILE_CAPACITY + SPARE]


cdef struct Seat:
    int index
    int policy
    int turns
    int points
    int cards                   # own cards, wherever they are
    int action_cards            # those of them that are actions
    SeatRecord* record          # where this game's counters are counted
    Mask banned
    Stream shuffling
    Stream deciding
    Pile deck
    Zone hand
    Zone discard
    Zone play
    uint16_t owned[MASK_CODES]  # own cards by kind


cdef struct Game:
    const Book* book
    const Policies* policies
    uint16_t* counts            # this game's row of the cards group, or NULL
    int16_t* series             # this game's row of the series group, or NULL
    int series_rounds
    int status
    int end_reason
    int players
    int round
    int turn
    int on_turn
    int acting                  # the seat that is asked: on turn, but for its victims' decisions
    int64_t actions
    int64_t buys
    int64_t coins
    int just_discarded
    int piles_out               # empty ones of the supply
    Mask offer                  # kinds whose pile is not empty
    int16_t piles[MASK_CODES]
    Seat seats[MOST_SEATS]


cdef inline void count_card(
    Game* game, const Seat* seat, int kind, int what, int by
) noexcept nogil:
    """Count for the cards group, when it was asked for."""
    cdef uint16_t* count
    if game.counts:
        count = &game.counts[(seat.index * game.book.rules.kinds + kind) * CARD_FIELDS + what]
        count[0] = <uint16_t>(count[0] + by if count[0] + by < MOST_IN_COLUMN else MOST_IN_COLUMN)


cdef inline int64_t changed(Game* game, int64_t before, int64_t by) noexcept nogil:
    """Return what actions, buys or coins are after an effect (CL-E5)."""
    cdef int64_t now = before + by
    if now > MOST_COUNTED:
        game.status = COUNTER_OVERFLOW
    return now


cdef inline void put(Zone* zone, uint8_t kind) noexcept nogil:
    zone.cards[zone.size] = kind
    zone.size += 1


cdef inline void pour(Zone* source, Zone* target) noexcept nogil:
    """Move all cards of a zone, in their order, to the end of another."""
    # Few cards are the rule, and a copy of fixed length needs no guess at how many there are.
    if source.size <= SPARE:
        memcpy(&target.cards[target.size], source.cards, SPARE)
    else:
        memcpy(&target.cards[target.size], source.cards, source.size)
    target.size += source.size
    source.size = 0


cdef inline Mask kinds_in(const Zone* zone) noexcept nogil:
    """Return the kinds of which there are cards in a zone."""
    cdef Mask found
    cdef uint64_t bit, upper
    cdef int i
    found.low = found.high = 0
    for i in range(zone.size):
        bit = <uint64_t>1 << (zone.cards[i] & 63)
        upper = -<uint64_t>(zone.cards[i] >> 6)     # all ones for the upper word, else 0
        found.low |= bit & ~upper
        found.high |= bit & upper
    return found


cdef inline void take_from_hand(Seat* seat, int kind) noexcept nogil:
    """Take the first card of a kind, of which there is one, out of a hand."""
    cdef int i = 0
    while seat.hand.cards[i] != kind:
        i += 1
    seat.hand.size -= 1
    memmove(&seat.hand.cards[i], &seat.hand.cards[i + 1], seat.hand.size - i)


cdef inline void own(const Game* game, Seat* seat, int kind, int by) noexcept nogil:
    """Enter a card into a seat's books, or strike it off."""
    seat.owned[kind] = <uint16_t>(seat.owned[kind] + by)
    seat.points += by * game.book.points[kind]
    seat.cards += by
    seat.action_cards += by * game.book.is_action[kind]


cdef inline void draw(Game* game, Seat* seat, int64_t number) noexcept nogil:
    """Draw cards one at a time; with deck and discard pile empty the rest is lost (CL-T6)."""
    cdef int held = seat.hand.size, first = held, left
    while number > 0:
        if seat.deck.size == 0:
            if seat.discard.size == 0:
                break
            pile_shuffle(&seat.deck, seat.discard.cards, seat.discard.size)
            seat.discard.size = 0
            seat.record.shuffles += 1
        left = seat.deck.size
        if number < left:
            left = <int>number
        number -= left
        # Counting comes afterwards: what stands between two draws slows both.
        while left > 0:
            seat.hand.cards[held] = pile_draw(&seat.deck, &seat.shuffling)
            held += 1
            left -= 1
    seat.hand.size = held
    if game.counts:
        while first < held:
            count_card(game, seat, seat.hand.cards[first], DRAWN, 1)
            first += 1


cdef inline Mask kinds_on_offer(const Game* game, const Seat* seat, int64_t most) noexcept nogil:
    """Return the kinds that a seat may obtain by choice and that cost up to so much."""
    cdef Mask found = game.book.within[MOST_COST if most > MOST_COST else most]
    found.low &= game.offer.low & ~seat.banned.low
    found.high &= game.offer.high & ~seat.banned.high
    return found


cdef inline void obtain(Game* game, Seat* seat, int kind) noexcept nogil:
    """Move a card from its pile, which is not empty, to a seat's discard pile."""
    if seat.cards >= PILE_CAPACITY:
        game.status = PILE_OVERFLOW
        return
    game.piles[kind] -= 1
    if game.piles[kind] == 0:
        mask_drop(&game.offer, kind)
        game.piles_out += 1
    own(game, seat, kind, 1)
    put(&seat.discard, <uint8_t>kind)
    count_card(game, seat, kind, ACQUIRED, 1)
