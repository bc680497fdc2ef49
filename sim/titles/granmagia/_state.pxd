# cython: language_level=3
"""The state of a game, and the moves of cards that all rules are made of.

A ``Game`` is one struct without pointers of its own; it is made once a call and set up anew for
each game. Zones hold kinds, in the order conventions of ``reference.py``. What rules and policies
ask for often is kept up to date as cards come and go: a seat's own cards by kind, its truth, the
kinds in the field, the piles that are not empty. A hand is short, so what it holds is looked up.

Limits: a seat may own ``PILE_CAPACITY`` cards, which also bounds each of its zones, and nothing
that is counted may pass ``MOST_COUNTED``, tokens not ``MOST_TOKENS``, nor a count of the cards
group ``MOST_IN_COLUMN``. Who goes beyond sets ``status``; the game is then abandoned at the end of
the turn. A special victory sets ``end_reason`` and leaves what it finds: whoever did something that
can bring one about asks for ``end_reason`` before the next thing is done.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove

from sim.core._mask cimport MASK_CODES, Mask, mask_drop, mask_none, mask_put
from sim.core._piles cimport PILE_CAPACITY, Pile, pile_draw, pile_shuffle
from sim.core._policy cimport Policies
from sim.core._rng cimport Stream
from sim.titles.granmagia._records cimport CARD_FIELDS, DRAWN
from sim.titles.granmagia._tables cimport MOST_SEALS, Book, Witch

cdef enum:
    MOST_SEATS = 4
    MOST_COUNTED = 1000000000   # of mana, casts, acquisitions, coins, barriers; fits 32 bits
    MOST_TOKENS = 5000
    MOST_IN_COLUMN = 65535      # what a counter of a seat or of the cards group holds

    # sim.errors.STATUS
    NO_SUPPLY = 1
    PILE_OVERFLOW = 2
    COUNTER_OVERFLOW = 3

    # words.PLACES
    TO_DISCARD = 0
    TO_HAND = 1


cdef struct Zone:
    # Cards in an order that nobody shuffles: a hand, a discard pile, a play area.
    int size
    # One more than there can be: laying down stones writes a card before it knows where it goes.
    uint8_t cards[PILE_CAPACITY + 1]


cdef struct Seat:
    int index
    int policy
    int witch                   # -1 for an apprentice
    int victory                 # the witch's, so that most events are one comparison
    int truth                   # of the own cards, tokens included, a penalty not
    int cards                   # own cards, wherever they are
    int turns                   # extra turns not among them
    int tokens
    int arcana_taken
    int announced
    int rewards
    int kinds_cast
    int64_t silver
    int64_t gold
    int64_t barriers
    # Counters of the records.
    int contract_round
    int casts
    int acquisitions
    int receipts
    int burns
    int reversals
    int shuffles
    int64_t gold_spent
    int64_t mana_total
    int announcements
    int extra_turns
    int attacks
    int hits
    int barriers_used
    int dolls_used
    int defences_used
    int curses_given
    int curses_taken

    Mask banned
    Mask owned_kinds            # kinds of which there are own cards
    uint8_t owned[MASK_CODES]   # own cards by kind
    Stream shuffling
    Stream deciding
    Pile deck
    Zone hand
    Zone discard
    Zone play
    Zone own                            # the own field
    uint8_t spent[PILE_CAPACITY + 1]    # of each card there, whether it has defended
    uint32_t uses[MASK_CODES]           # casts by kind; only set once there is a contract


cdef struct Game:
    const Book* book
    const Policies* policies
    uint16_t* cards             # this game's row of the cards group, or NULL
    int16_t* series             # this game's row of the series group, or NULL
    int series_rounds
    int status
    int end_reason
    int winner                  # of a special victory

    int players
    int round
    int turn
    int on_turn
    int acting                  # the seat that is asked: on turn, but for its victims' decisions
    int extra                   # 1 in an extra turn
    int extra_earned
    int64_t mana
    int64_t mana_obtained
    int64_t casts
    int64_t acquisitions
    int just_discarded          # by the card in effect; 0 when there is none
    int just_burned
    uint32_t settled            # seats, bit by bit, that the card in effect has attacked,
    uint32_t struck             # and those of them that did not defend

    int penalties               # witches with a curse penalty that have been contracted
    Mask sealed                 # kinds with a seal on their pile
    int seals[MOST_SEALS]       # the kind that each lies on, -1 for none
    int field_kinds             # how many kinds lie in the field
    Mask on_offer               # kinds in the field, and kinds whose pile is not empty
    Mask witches                # codes of the witches in the field
    uint8_t field[MASK_CODES]   # cards by kind
    int32_t burned[MASK_CODES]  # the burned zone
    int16_t piles[MASK_CODES]
    Stream magic
    Pile magic_deck
    Seat seats[MOST_SEATS]


cdef inline void stop_with(Game* game, int status) noexcept nogil:
    """Abandon a game; what went wrong first is told, as the readable engine tells it."""
    if game.status == 0:
        game.status = status


cdef inline void count_card(Game* game, const Seat* seat, int kind, int what) noexcept nogil:
    """Count for the cards group, when it was asked for; only then it can overflow (GM-W11)."""
    cdef uint16_t* count
    if game.cards:
        count = &game.cards[(seat.index * game.book.rules.kinds + kind) * CARD_FIELDS + what]
        if count[0] == MOST_IN_COLUMN:
            stop_with(game, COUNTER_OVERFLOW)
        else:
            count[0] += 1


cdef inline void put(Zone* zone, uint8_t kind) noexcept nogil:
    """Put a card at the end of a zone, which has room for all own cards."""
    zone.cards[zone.size] = kind
    zone.size += 1


cdef inline Mask kinds_in(const Zone* zone) noexcept nogil:
    """Return the kinds of which there are cards in a zone."""
    cdef Mask found = mask_none()
    cdef uint64_t bit, upper
    cdef int i
    for i in range(zone.size):
        bit = <uint64_t>1 << (zone.cards[i] & 63)
        upper = -<uint64_t>(zone.cards[i] >> 6)     # all ones for the upper word, else 0
        found.low |= bit & ~upper
        found.high |= bit & upper
    return found


cdef inline void pour(Zone* source, Zone* target) noexcept nogil:
    """Move all cards of a zone, in their order, to the end of another."""
    memcpy(&target.cards[target.size], source.cards, source.size)
    target.size += source.size
    source.size = 0


cdef inline void take_from_hand(Seat* seat, int kind) noexcept nogil:
    """Take the first card of a kind, of which there is one, out of a hand."""
    cdef int i = 0
    while seat.hand.cards[i] != kind:
        i += 1
    seat.hand.size -= 1
    memmove(&seat.hand.cards[i], &seat.hand.cards[i + 1], seat.hand.size - i)


cdef inline void lay(Seat* seat, uint8_t kind) noexcept nogil:
    """Lay a card down in the own field."""
    seat.spent[seat.own.size] = 0
    put(&seat.own, kind)


cdef inline void take_up(Seat* seat, int place) noexcept nogil:
    """Take a card out of the own field; the others move up."""
    cdef int behind
    seat.own.size -= 1
    behind = seat.own.size - place
    memmove(&seat.own.cards[place], &seat.own.cards[place + 1], behind)
    memmove(&seat.spent[place], &seat.spent[place + 1], behind)


cdef inline const Witch* own_witch(const Game* game, const Seat* seat) noexcept nogil:
    """Return the terms of a seat's witch; an apprentice's are all zero."""
    return &game.book.witches[seat.witch] if seat.witch >= 0 else &game.book.nobody


cdef inline void own(const Game* game, Seat* seat, int kind) noexcept nogil:
    """Enter a card into a seat's books."""
    seat.owned[kind] += 1
    if seat.owned[kind] == 1:
        mask_put(&seat.owned_kinds, kind)
    seat.truth += game.book.truth[kind]
    seat.cards += 1


cdef inline void disown(const Game* game, Seat* seat, int kind) noexcept nogil:
    """Strike a card off a seat's books."""
    seat.owned[kind] -= 1
    if seat.owned[kind] == 0:
        mask_drop(&seat.owned_kinds, kind)
    seat.truth -= game.book.truth[kind]
    seat.cards -= 1


cdef inline bint reshuffle(Seat* seat) noexcept nogil:
    """Shuffle the discard pile into a new deck; False when there is nothing (GM-T8)."""
    if seat.discard.size == 0:
        return False
    pile_shuffle(&seat.deck, seat.discard.cards, seat.discard.size)
    seat.discard.size = 0
    seat.shuffles += 1
    return True


cdef inline void draw(Game* game, Seat* seat, int64_t number) noexcept nogil:
    """Draw cards one at a time; with deck and discards empty the rest is lost (GM-T8)."""
    cdef uint8_t kind
    while number > 0:
        if seat.deck.size == 0 and not reshuffle(seat):
            break
        kind = pile_draw(&seat.deck, &seat.shuffling)
        put(&seat.hand, kind)
        count_card(game, seat, kind, DRAWN)
        number -= 1


cdef inline void burn(Game* game, Seat* seat, int kind) noexcept nogil:
    """Burn an own card that was taken from its zone (GM-T6, GM-T11)."""
    disown(game, seat, kind)
    seat.burns += 1
    game.burned[kind] += 1


cdef inline int64_t changed(Game* game, int64_t before, int64_t by) noexcept nogil:
    """Return what a resource is after a change: never below 0 (GM-T15), nor beyond the limit."""
    cdef int64_t now = before + by
    if now < 0:
        return 0
    if now > MOST_COUNTED:
        stop_with(game, COUNTER_OVERFLOW)
        return MOST_COUNTED
    return now


cdef inline void spend_acquisition(Game* game, Seat* seat) noexcept nogil:
    """Take one acquisition off the turn's; a turn that wins back all ends here (GM-W11)."""
    game.acquisitions -= 1
    seat.acquisitions += 1
    if seat.acquisitions > MOST_IN_COLUMN:
        stop_with(game, COUNTER_OVERFLOW)


cdef inline Mask kinds_on_offer(const Game* game, const Seat* seat) noexcept nogil:
    """Return the kinds that a seat may obtain by choice, whatever they cost (GM-F5, GM-C3)."""
    cdef Mask found = game.on_offer
    found.low &= ~seat.banned.low
    found.high &= ~seat.banned.high
    if seat.witch < 0:
        found.low &= ~game.book.named_only.low
        found.high &= ~game.book.named_only.high
    return found
