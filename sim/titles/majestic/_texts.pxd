# cython: language_level=3
"""What texts ask, whom they can be aimed at, whether they can be used: twin of ``texts.py``."""

from libc.stdint cimport int64_t, uint64_t

from sim.core._policy cimport conditions_hold
from sim.titles.majestic._state cimport (
    NOBODY,
    Game,
    Seat,
    ap_of,
    count_bits,
    dp_of,
    face_at,
    fights,
    is_on,
    lowest_bit,
    ready_mana,
)
from sim.titles.majestic._tables cimport (
    BY_ABILITIES,
    BY_SORCERER,
    BY_SPELLS,
    BY_UNITS,
    CODE_ENEMY,
    CODE_OWN,
    CODE_SORCERY,
    PLACES,
    PLAYERS,
    TARGET_ANY,
    TARGET_ENEMY,
    TARGET_NONE,
    TARGET_OWN,
    UNIT,
    Text,
)

cdef enum:
    # texts.ASKED
    ASKED_HAND = 0
    ASKED_ENEMY_HAND = 1
    ASKED_LP = 2
    ASKED_ENEMY_LP = 3
    ASKED_MANA = 4
    ASKED_READY_MANA = 5
    ASKED_MANA_OF = 6
    ASKED_ENEMY_MANA = 7
    ASKED_UNITS = 8
    ASKED_FRONT = 9
    ASKED_BACK = 10
    ASKED_ENEMY_UNITS = 11
    ASKED_ENEMY_FRONT = 12
    ASKED_ENEMY_BACK = 13
    ASKED_TRASH = 14
    ASKED_OWN_TURN = 15
    ASKED_IN_MAIN = 16
    ASKED_EXCHANGE = 17
    ASKED_SELF_AP = 18
    ASKED_SELF_DAMAGE = 19
    ASKED_SELF_FRONT = 20
    ASKED_SELF_FIGHTS = 21
    ASKED_TARGET_COST = 22
    ASKED_TARGET_AP = 23
    ASKED_TARGET_DP = 24
    ASKED_TARGET_DAMAGE = 25
    ASKED_TARGET_DOWN = 26
    ASKED_TARGET_FRONT = 27
    ASKED_TARGET_FIGHTS = 28


cdef struct Offer:
    # A text that could be used, the unit that bears it, and where its LP losses are counted.
    const Text* text        # NULL for none
    int unit
    int source


cdef inline int64_t asked(const void* state, int number, int argument) noexcept nogil:
    """Return what a text asks in the context that is set."""
    cdef const Game* game = <const Game*>state
    cdef const Seat* seat = &game.seats[game.context_seat]
    cdef const Seat* other = &game.seats[1 - game.context_seat]
    cdef int unit = game.context_unit, target = game.context_target
    if number >= ASKED_TARGET_COST:
        return 0 if target < 0 else _of_target(game, number, target)
    elif number >= ASKED_SELF_AP:
        return 0 if unit < 0 else _of_unit(game, number, unit)
    elif number == ASKED_EXCHANGE:
        return game.battle.exchange
    elif number == ASKED_OWN_TURN:
        return game.on_turn == game.context_seat
    elif number == ASKED_IN_MAIN:
        return game.in_main
    elif number == ASKED_HAND:
        return seat.hand_size
    elif number == ASKED_ENEMY_HAND:
        return other.hand_size
    elif number == ASKED_LP:
        return seat.lp_size
    elif number == ASKED_ENEMY_LP:
        return other.lp_size
    elif number == ASKED_MANA:
        return seat.mana_size
    elif number == ASKED_READY_MANA:
        return ready_mana(seat)
    elif number == ASKED_MANA_OF:
        return count_bits(seat.mana_of[argument])
    elif number == ASKED_ENEMY_MANA:
        return other.mana_size
    elif number == ASKED_UNITS:
        return count_bits(seat.taken)
    elif number == ASKED_FRONT:
        return count_bits(seat.taken & seat.front)
    elif number == ASKED_BACK:
        return count_bits(seat.taken & ~seat.front)
    elif number == ASKED_ENEMY_UNITS:
        return count_bits(other.taken)
    elif number == ASKED_ENEMY_FRONT:
        return count_bits(other.taken & other.front)
    elif number == ASKED_ENEMY_BACK:
        return count_bits(other.taken & ~other.front)
    return seat.trash_size


cdef inline int64_t _of_target(const Game* game, int number, int at) noexcept nogil:
    cdef const Seat* seat = &game.seats[at // PLACES]
    if number == ASKED_TARGET_COST:
        return face_at(game, at).cost
    elif number == ASKED_TARGET_AP:
        return ap_of(game, at)
    elif number == ASKED_TARGET_DP:
        return dp_of(game, at)
    elif number == ASKED_TARGET_DAMAGE:
        return seat.damage[at % PLACES]
    elif number == ASKED_TARGET_DOWN:
        return not is_on(&seat.ready, at)
    elif number == ASKED_TARGET_FRONT:
        return is_on(&seat.front, at)
    return fights(game, at)


cdef inline int64_t _of_unit(const Game* game, int number, int at) noexcept nogil:
    if number == ASKED_SELF_AP:
        return ap_of(game, at)
    elif number == ASKED_SELF_DAMAGE:
        return game.seats[at // PLACES].damage[at % PLACES]
    elif number == ASKED_SELF_FRONT:
        return is_on(&game.seats[at // PLACES].front, at)
    return fights(game, at)


cdef inline bint holds(
    Game* game, int seat, int unit, int target, int first, int count
) noexcept nogil:
    """Whether conditions of a text hold."""
    if count == 0:
        return True
    game.context_seat = seat
    game.context_unit = unit
    game.context_target = target
    return conditions_hold(game.book.conds, first, count, &asked, game)


cdef inline int unit_at(const Game* game, const Seat* seat, int option) noexcept nogil:
    """Return where the unit lies that an option stands for as a seat calls it, or NOBODY."""
    cdef int first = option - game.book.rules.kinds - CODE_OWN, owner
    if first < 0 or first >= 2 * PLACES:
        return NOBODY
    owner = seat.index if first < PLACES else 1 - seat.index
    if not game.seats[owner].taken >> (first % PLACES) & 1:
        return NOBODY
    return owner * PLACES + first % PLACES


cdef inline int code_of(const Game* game, const Seat* seat, int at) noexcept nogil:
    """Return the option by which a seat calls a unit."""
    cdef int first = CODE_OWN if at // PLACES == seat.index else CODE_ENEMY
    return game.book.rules.kinds + first + at % PLACES


cdef inline Offer offered(const Game* game, const Seat* seat, int option) noexcept nogil:
    """Return the text that an option of a main phase or an exchange would use."""
    cdef Offer offer
    cdef int kinds = game.book.rules.kinds, ability
    offer.text = NULL
    offer.unit = NOBODY
    offer.source = BY_SPELLS
    if option < kinds:
        offer.text = &game.book.texts[game.book.kinds[option].text]
        if game.book.kinds[option].sort == UNIT:
            offer.source = BY_UNITS
    elif option == kinds + CODE_SORCERY:
        offer.text = &game.book.texts[game.book.sorcerers[seat.sorcerer].text]
        offer.source = BY_SORCERER
    elif option < kinds + CODE_ENEMY:
        offer.unit = unit_at(game, seat, option)
        offer.source = BY_ABILITIES
        if offer.unit >= 0:
            ability = face_at(game, offer.unit).ability
            if ability >= 0:
                offer.text = &game.book.texts[ability]
    return offer


cdef inline int targets(Game* game, const Seat* seat, const Offer* offer) noexcept nogil:
    """Return the legal targets of a text, as bits by PLACES * seat + place."""
    cdef const Text* text = offer.text
    cdef int found = 0, side, at
    cdef uint64_t units
    if text.target == TARGET_NONE:
        return 0
    for side in range(PLAYERS):
        if text.target == TARGET_OWN and side != seat.index:
            continue
        if text.target == TARGET_ENEMY and side == seat.index:
            continue
        units = game.seats[side].taken
        if text.where_count == 0:
            found |= <int>units << side * PLACES
            continue
        while units:
            at = side * PLACES + lowest_bit(units)
            units &= units - 1
            if holds(game, seat.index, offer.unit, at, text.where_first, text.where_count):
                found |= 1 << at
    return found


cdef inline bint usable(Game* game, const Seat* seat, const Offer* offer) noexcept nogil:
    """Whether what a text needs holds, and it has a target if it wants one (MM-P1)."""
    cdef const Text* text = offer.text
    if not holds(game, seat.index, offer.unit, NOBODY, text.needs_first, text.needs_count):
        return False
    return text.target == TARGET_NONE or targets(game, seat, offer) != 0
