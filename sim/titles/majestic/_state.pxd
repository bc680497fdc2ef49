# cython: language_level=3
"""The state of a game, and the moves of cards that all rules are made of.

A ``Game`` is one struct that is made once a call and set up anew for each game. What holds of units
is kept as bits by place, so that who may attack or block is a matter of a few words. Hands are
counts by kind: nothing but the redraw depends on their order. When a seat has lost, ``end_reason``
is set, and whatever is under way returns (``reference.py`` leaves it by an exception).
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from sim.core._mask cimport MASK_CODES, Mask, mask_drop, mask_put
from sim.core._piles cimport PILE_CAPACITY, Pile, pile_draw
from sim.core._policy cimport Policies
from sim.core._rng cimport Stream
from sim.titles.majestic._tables cimport (
    ATTRIBUTES,
    BOUND,
    BOTH_END,
    CARD_FIELDS,
    DISCARDED,
    DRAWN,
    EVASIVE,
    FALLEN,
    KEYWORDS,
    MAIN_DECK_END,
    MOST_COST,
    MOST_MANA,
    PLACES,
    PLAYERS,
    RANGED,
    SENTINEL,
    SERIES_FIELDS,
    SOURCES,
    SWIFT,
    Book,
    Counters,
    Kind,
    Text,
)

cdef extern from *:
    """
    #define majestic_lowest(word) __builtin_ctzll(word)
    /* Inline: without a machine flag the compiler's own is a call. */
    static inline int majestic_count(uint64_t word) {
        word -= word >> 1 & 0x5555555555555555u;
        word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
        word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
        return (int)(word * 0x0101010101010101u >> 56);
    }
    """
    int lowest_bit "majestic_lowest"(uint64_t word) noexcept nogil    # undefined for 0
    int count_bits "majestic_count"(uint64_t word) noexcept nogil

cdef enum:
    NOBODY = -1
    NO_LOSS = -1
    MOST_HAND = 64


cdef struct Ref:
    # A unit: seat and place, and which of those that ever lay there. `at` is NOBODY for none.
    int at                  # PLACES * seat + place
    uint32_t serial


cdef struct Seat:
    int index
    int policy
    int deck_list
    int sorcerer
    Counters counted
    int most_units
    Mask banned
    Stream shuffling
    Stream mana_shuffling
    Stream deciding
    Pile deck
    Pile mana_deck
    int lp_size
    uint8_t lp[MOST_MANA]
    # The mana zone: positions in the order in which cards came, as bits.
    int mana_size
    uint64_t mana_ready
    uint64_t mana_of[ATTRIBUTES]
    int hand_size
    Mask hand               # kinds of which there are cards
    uint8_t hand_of[MASK_CODES]
    int trash_size
    uint8_t trash[PILE_CAPACITY]
    bint sorcerer_ready
    bint sorcerer_spent
    int acts
    uint16_t lp_by[SOURCES]     # LP taken from the other seat by where that came from
    # Units, as bits by place.
    uint16_t taken
    uint16_t front
    uint16_t ready
    uint16_t fresh
    uint16_t moved
    uint16_t spent
    uint16_t has[KEYWORDS]
    uint16_t printed[KEYWORDS]
    uint8_t kinds[PLACES]
    int32_t damage[PLACES]
    int32_t ap_bonus[PLACES]
    int32_t dp_bonus[PLACES]
    uint32_t serial[PLACES]
    bint recorded           # in the series of this round


cdef struct Battle:
    int exchange            # 0 outside of battles
    bint blocked
    Ref attacker            # nobody again when it has left the field
    Ref blocker


cdef struct Game:
    const Book* book
    const Policies* policies
    uint16_t* counts        # this game's row of the cards group, or NULL
    int16_t* series         # this game's row of the series group, or NULL
    int series_rounds
    int end_reason
    int winner              # a seat, NOBODY for a draw
    int round
    int turn
    int on_turn
    bint in_setup
    bint in_main
    uint32_t serials        # units that have come to the field so far
    Battle battle
    # What decisions look at.
    int acting
    int asking
    int coming
    Mask legal
    const Text* pending
    int pending_unit
    # What a text looks at: whose it is, its unit, its target.
    int context_seat
    int context_unit
    int context_target
    Seat seats[PLAYERS]


# -- looking ---------------------------------------------------------------------------------------


cdef inline Seat* seat_at(Game* game, int at) noexcept nogil:
    return &game.seats[at // PLACES]


cdef inline Ref ref_to(const Game* game, int at) noexcept nogil:
    """Return what remembers the unit that lies at a place now."""
    cdef Ref ref
    ref.at = at
    ref.serial = game.seats[at // PLACES].serial[at % PLACES] if at >= 0 else 0
    return ref


cdef inline int where(const Game* game, const Ref* ref) noexcept nogil:
    """Return where a unit lies, NOBODY when it has left."""
    cdef const Seat* seat
    if ref.at < 0:
        return NOBODY
    seat = &game.seats[ref.at // PLACES]
    if seat.taken >> (ref.at % PLACES) & 1 and seat.serial[ref.at % PLACES] == ref.serial:
        return ref.at
    return NOBODY


cdef inline const Kind* face_at(const Game* game, int at) noexcept nogil:
    return &game.book.kinds[game.seats[at // PLACES].kinds[at % PLACES]]


cdef inline int ap_of(const Game* game, int at) noexcept nogil:
    """Return the AP of a unit (MM-U3)."""
    cdef int ap = face_at(game, at).ap + game.seats[at // PLACES].ap_bonus[at % PLACES]
    return ap if ap > 0 else 0


cdef inline int dp_of(const Game* game, int at) noexcept nogil:
    return face_at(game, at).dp + game.seats[at // PLACES].dp_bonus[at % PLACES]


cdef inline int left_of(const Game* game, int at) noexcept nogil:
    """Return how much damage would destroy a unit."""
    return dp_of(game, at) - game.seats[at // PLACES].damage[at % PLACES]


cdef inline int worth_of(const Game* game, int at) noexcept nogil:
    return face_at(game, at).cost + ap_of(game, at) + left_of(game, at)


cdef inline bint is_on(const uint16_t* bits, int at) noexcept nogil:
    return bits[0] >> (at % PLACES) & 1


cdef inline bint fights(const Game* game, int at) noexcept nogil:
    """Whether the unit at a place attacks or blocks."""
    return at == game.battle.attacker.at or at == game.battle.blocker.at


cdef inline int fighters(const Game* game) noexcept nogil:
    """Return the units that fight, as bits by PLACES * seat + place."""
    cdef int found = 0
    if game.battle.attacker.at >= 0:
        found |= 1 << game.battle.attacker.at
    if game.battle.blocker.at >= 0:
        found |= 1 << game.battle.blocker.at
    return found


cdef inline int could_attack(const Seat* seat) noexcept nogil:
    """Return the units that stand where they may attack, as bits."""
    return seat.taken & (seat.front | seat.has[RANGED]) & ~seat.has[BOUND]


cdef inline int could_block(const Seat* seat) noexcept nogil:
    """Return the units that stand where they may block."""
    return seat.taken & (~seat.front | seat.has[SENTINEL]) & ~seat.has[BOUND]


cdef inline int restricted(const Seat* seat) noexcept nogil:
    """Return the units that may not attack, move or turn down for an ability (MM-U1)."""
    return seat.fresh & ~seat.has[SWIFT]


cdef inline int attackers(const Seat* seat) noexcept nogil:
    """Return the units that may attack now (MM-B1)."""
    return could_attack(seat) & seat.ready & ~restricted(seat)


cdef inline int blockers(const Game* game, const Seat* seat, int attacker) noexcept nogil:
    """Return the units that may block now, a certain attacker or any (MM-B3)."""
    if attacker >= 0 and is_on(&game.seats[attacker // PLACES].has[EVASIVE], attacker):
        return 0
    return could_block(seat) & seat.ready


cdef inline bint has_room(const Game* game, const Seat* seat, bint front) noexcept nogil:
    """Whether an area has room for a unit more (MM-U1)."""
    cdef int there = seat.taken & (seat.front if front else ~seat.front)
    return count_bits(there) < game.book.area_room


cdef inline int mana_count(const Seat* seat, int attribute) noexcept nogil:
    return count_bits(seat.mana_ready & seat.mana_of[attribute])


cdef inline int ready_mana(const Seat* seat) noexcept nogil:
    return count_bits(seat.mana_ready)


# -- counting --------------------------------------------------------------------------------------


cdef inline void count_card(Game* game, const Seat* seat, int kind, int what) noexcept nogil:
    """Count for the cards group, when it was asked for."""
    if game.counts:
        game.counts[(seat.index * game.book.rules.kinds + kind) * CARD_FIELDS + what] += 1


cdef inline void record_round(Game* game, Seat* seat) noexcept nogil:
    cdef int16_t* row
    seat.recorded = True
    if game.series:
        row = &game.series[
            (seat.index * game.series_rounds + game.round - 1) * SERIES_FIELDS
        ]
        row[0] = <int16_t>seat.lp_size
        row[1] = <int16_t>seat.hand_size
        row[2] = <int16_t>seat.mana_size
        row[3] = <int16_t>count_bits(seat.taken)


cdef inline void finish(Game* game, int reason, int winner) noexcept nogil:
    """End the game; it is over at this moment."""
    cdef int i
    for i in range(PLAYERS):
        if not game.seats[i].recorded:
            record_round(game, &game.seats[i])
    game.end_reason = reason
    game.winner = winner


cdef inline void judge(Game* game, const Seat* seat, int loss) noexcept nogil:
    """End the game if one seat has lost (MM-G)."""
    if loss != NO_LOSS:
        finish(game, loss, 1 - seat.index)


cdef inline void judge_both(Game* game, int first, int second) noexcept nogil:
    """End the game if one seat or both have lost, at the same time (MM-G2)."""
    if first != NO_LOSS and second != NO_LOSS:
        finish(game, BOTH_END, NOBODY)
    elif first != NO_LOSS:
        finish(game, first, 1)
    elif second != NO_LOSS:
        finish(game, second, 0)


# -- cards and zones -------------------------------------------------------------------------------


cdef inline void add_to_hand(Seat* seat, int kind) noexcept nogil:
    seat.hand_of[kind] += 1
    seat.hand_size += 1
    mask_put(&seat.hand, kind)


cdef inline void take_from_hand(Seat* seat, int kind) noexcept nogil:
    seat.hand_of[kind] -= 1
    seat.hand_size -= 1
    if seat.hand_of[kind] == 0:
        mask_drop(&seat.hand, kind)


cdef inline void put_to_trash(Seat* seat, int kind) noexcept nogil:
    seat.trash[seat.trash_size] = <uint8_t>kind
    seat.trash_size += 1


cdef inline void put_to_mana(const Game* game, Seat* seat, int card, bint ready) noexcept nogil:
    cdef uint64_t bit = <uint64_t>1 << seat.mana_size
    seat.mana_of[game.book.mana_kinds[card].attribute] |= bit
    if ready:
        seat.mana_ready |= bit
    seat.mana_size += 1


cdef inline int top_card(Game* game, Seat* seat) noexcept nogil:
    """Draw the top card of a main deck that is not empty; return its kind."""
    cdef int kind = pile_draw(&seat.deck, &seat.shuffling)
    add_to_hand(seat, kind)
    count_card(game, seat, kind, DRAWN)
    return kind


cdef inline int draw_card(Game* game, Seat* seat) noexcept nogil:
    """Draw a card, if there is one; return how the seat loses by it (MM-G2)."""
    if seat.deck.size == 0:
        return NO_LOSS
    top_card(game, seat)
    seat.counted.drawn += not game.in_setup
    return NO_LOSS if seat.deck.size else MAIN_DECK_END


cdef inline void draw(Game* game, Seat* seat, int number) noexcept nogil:
    """Draw cards one by one."""
    while number > 0 and game.end_reason < 0:
        judge(game, seat, draw_card(game, seat))
        number -= 1


cdef inline int top_mana(Seat* seat) noexcept nogil:
    """Take the top card of a mana deck that is not empty."""
    return pile_draw(&seat.mana_deck, &seat.mana_shuffling)


# -- units -----------------------------------------------------------------------------------------


cdef inline int put_unit(Game* game, Seat* seat, int kind, bint front, bint fresh) noexcept nogil:
    """Put a unit onto the field, into the lowest free place (MM-U2); return where."""
    cdef int place = lowest_bit(~<uint64_t>seat.taken), word, units
    cdef int bit = 1 << place
    cdef int keywords = game.book.kinds[kind].keywords
    seat.taken |= bit
    seat.ready |= bit
    seat.front = <uint16_t>(seat.front | bit if front else seat.front & ~bit)
    seat.fresh = <uint16_t>(seat.fresh | bit if fresh else seat.fresh & ~bit)
    seat.moved &= ~bit
    seat.spent &= ~bit
    for word in range(KEYWORDS):
        seat.printed[word] &= ~bit
        if keywords >> word & 1:
            seat.printed[word] |= bit
        seat.has[word] = <uint16_t>(seat.has[word] & ~bit | seat.printed[word] & bit)
    seat.kinds[place] = <uint8_t>kind
    seat.damage[place] = seat.ap_bonus[place] = seat.dp_bonus[place] = 0
    game.serials += 1
    seat.serial[place] = game.serials
    units = count_bits(seat.taken)
    if units > seat.most_units:
        seat.most_units = units
    return seat.index * PLACES + place


cdef inline int leave(Game* game, int at) noexcept nogil:
    """Take a unit from the field; return its kind (MM-U5)."""
    cdef Seat* seat = seat_at(game, at)
    seat.taken &= ~(1 << at % PLACES)
    if game.battle.attacker.at == at:
        game.battle.attacker.at = NOBODY
    if game.battle.blocker.at == at:
        game.battle.blocker.at = NOBODY
    return seat.kinds[at % PLACES]


cdef inline void destroy(Game* game, int at) noexcept nogil:
    cdef Seat* seat = seat_at(game, at)
    cdef int kind = leave(game, at)
    seat.counted.units_lost += 1
    count_card(game, seat, kind, FALLEN)
    put_to_trash(seat, kind)


cdef inline void bury(Game* game, int first) noexcept nogil:
    """Destroy all units that have fallen, one seat's first (MM-B4, MM-K2)."""
    cdef int turn, seat, at
    cdef uint64_t units
    for turn in range(PLAYERS):
        seat = first if turn == 0 else 1 - first
        units = game.seats[seat].taken
        while units:
            at = seat * PLACES + lowest_bit(units)
            units &= units - 1
            if left_of(game, at) <= 0:
                destroy(game, at)


cdef inline Mask payable(const Game* game, const Seat* seat) noexcept nogil:
    """Return the kinds whose cost a seat could pay (MM-C1)."""
    cdef int ready = ready_mana(seat), attribute
    cdef Mask found = game.book.within[0]
    cdef Mask within = game.book.within[ready if ready < MOST_COST else MOST_COST]
    for attribute in range(ATTRIBUTES):
        if seat.mana_ready & seat.mana_of[attribute]:
            found.low |= within.low & game.book.of_attribute[attribute].low
            found.high |= within.high & game.book.of_attribute[attribute].high
    return found


cdef inline bint can_pay(const Seat* seat, int attribute, int cost) noexcept nogil:
    """Whether a cost can be paid (MM-C1)."""
    if cost == 0:
        return True
    return (seat.mana_ready & seat.mana_of[attribute]) != 0 and ready_mana(seat) >= cost


cdef inline void pay(Seat* seat, int attribute, int cost) noexcept nogil:
    """Turn mana down (MM-C1), by the rule of MM-C2."""
    cdef int number, chosen, most, ready, other
    cdef uint64_t cards
    for number in range(cost):
        chosen = attribute
        if number:
            # Most ready first; the own attribute last of equal ones, then the first attribute.
            most = 0
            for other in range(ATTRIBUTES):
                ready = mana_count(seat, other)
                if ready > most or (ready == most and chosen == attribute and ready):
                    most = ready
                    chosen = other
        cards = seat.mana_ready & seat.mana_of[chosen]
        seat.mana_ready &= ~(cards & -cards)
    seat.counted.mana_spent += cost
