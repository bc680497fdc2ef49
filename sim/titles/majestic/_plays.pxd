# cython: language_level=3
"""Playing cards and using abilities: twin of ``plays.py``."""

from libc.stdint cimport uint64_t

from sim.core._mask cimport Mask, mask_drop, mask_empty, mask_none, mask_put, mask_take
from sim.titles.majestic._choosing cimport MOVE, decide
from sim.titles.majestic._effects cimport any_room, choose_area, choose_target, work
from sim.titles.majestic._state cimport (
    NOBODY,
    Game,
    Seat,
    can_pay,
    count_card,
    face_at,
    has_room,
    lowest_bit,
    pay,
    payable,
    put_to_trash,
    put_unit,
    restricted,
    take_from_hand,
)
from sim.titles.majestic._tables cimport (
    BY_ABILITIES,
    BY_SORCERER,
    BY_SPELLS,
    BY_UNITS,
    CODE_ADVANCE,
    CODE_OWN,
    CODE_RETREAT,
    CODE_SORCERY,
    PLACES,
    PLAYED,
    UNIT,
    Text,
)
from sim.titles.majestic._texts cimport Offer, holds, offered, unit_at, usable


cdef inline bint _is_free(const Text* text) noexcept nogil:
    """Whether an ability takes nothing, and is used once for that (MM-P2)."""
    return text.cost == 0 and not text.down


cdef inline bint _ability(
    Game* game, const Seat* seat, const Offer* offer, bint ready, bint used
) noexcept nogil:
    """Whether an ability can be used (MM-P1, MM-P2, MM-U1)."""
    cdef const Text* text = offer.text
    if (text.down and not ready) or (used and _is_free(text)):
        return False
    return can_pay(seat, text.attribute, text.cost) and usable(game, seat, offer)


cdef inline void _add_spells(
    Game* game, const Seat* seat, Mask kinds, Mask* options
) noexcept nogil:
    """Add the spells among kinds that can be paid which can be played."""
    cdef Offer offer
    cdef Mask asking
    cdef int kind
    options.low |= kinds.low & game.book.plain_spells.low
    options.high |= kinds.high & game.book.plain_spells.high
    asking.low = kinds.low & game.book.spells.low & ~game.book.plain_spells.low
    asking.high = kinds.high & game.book.spells.high & ~game.book.plain_spells.high
    offer.unit = NOBODY
    offer.source = BY_SPELLS
    while not mask_empty(&asking):
        kind = mask_take(&asking)
        offer.text = &game.book.texts[game.book.kinds[kind].text]
        if usable(game, seat, &offer):
            mask_put(options, kind)


cdef inline void _add_abilities(Game* game, const Seat* seat, Mask* options) noexcept nogil:
    cdef int unready = ~seat.ready | restricted(seat)
    cdef uint64_t units = seat.taken
    cdef Offer offer
    cdef int place, ability
    offer.source = BY_ABILITIES
    while units:
        place = lowest_bit(units)
        units &= units - 1
        ability = game.book.kinds[seat.kinds[place]].ability
        if ability < 0:
            continue
        offer.text = &game.book.texts[ability]
        offer.unit = seat.index * PLACES + place
        if _ability(game, seat, &offer, not unready >> place & 1, seat.spent >> place & 1):
            mask_put(options, game.book.rules.kinds + CODE_OWN + place)
    offer.text = &game.book.texts[game.book.sorcerers[seat.sorcerer].text]
    offer.unit = NOBODY
    offer.source = BY_SORCERER
    if _ability(game, seat, &offer, seat.sorcerer_ready, seat.sorcerer_spent):
        mask_put(options, game.book.rules.kinds + CODE_SORCERY)


cdef inline Mask _kinds_to_pay(const Game* game, const Seat* seat) noexcept nogil:
    """Return the kinds in hand that a seat can pay and is not barred from."""
    cdef Mask kinds = payable(game, seat)
    kinds.low &= seat.hand.low & ~seat.banned.low
    kinds.high &= seat.hand.high & ~seat.banned.high
    return kinds


cdef inline Mask exchange_options(Game* game, const Seat* seat) noexcept nogil:
    """Return which spells and abilities a seat may use (MM-P1); ``stop`` passes."""
    cdef Mask options = mask_none()
    mask_put(&options, game.policies.stop)
    if seat.acts < game.book.rules.acts_cap:    # MM-G6
        _add_spells(game, seat, _kinds_to_pay(game, seat), &options)
        _add_abilities(game, seat, &options)
    return options


cdef inline int _movers(const Game* game, const Seat* seat, bint front) noexcept nogil:
    """Return the units that may move to an area, as bits (MM-T3)."""
    if not has_room(game, seat, front):
        return 0
    return (
        seat.taken & ~seat.moved & ~restricted(seat) & (~seat.front if front else seat.front)
    )


cdef inline Mask main_options(Game* game, const Seat* seat) noexcept nogil:
    """Return what a seat may do in its main phase (MM-T3); ``stop`` goes on to the battles."""
    cdef Mask options = exchange_options(game, seat), kinds
    if _movers(game, seat, True):
        mask_put(&options, game.book.rules.kinds + CODE_ADVANCE)
    if _movers(game, seat, False):
        mask_put(&options, game.book.rules.kinds + CODE_RETREAT)
    if seat.acts < game.book.rules.acts_cap and any_room(game, seat):
        kinds = _kinds_to_pay(game, seat)
        options.low |= kinds.low & game.book.units.low
        options.high |= kinds.high & game.book.units.high
    return options


cdef inline void _play_unit(Game* game, Seat* seat, int kind) noexcept nogil:
    cdef const Text* text = &game.book.texts[game.book.kinds[kind].text]
    cdef bint front = choose_area(game, seat, kind)
    cdef Offer offer
    pay(seat, game.book.kinds[kind].attribute, game.book.kinds[kind].cost)
    take_from_hand(seat, kind)
    offer.text = text
    offer.unit = put_unit(game, seat, kind, front, True)
    offer.source = BY_UNITS
    seat.counted.units_played += 1
    count_card(game, seat, kind, PLAYED)
    if text.effect_count and holds(
        game, seat.index, offer.unit, NOBODY, text.needs_first, text.needs_count
    ):  # MM-U4
        work(game, seat, &offer, choose_target(game, seat, &offer))


cdef inline void _play_spell(Game* game, Seat* seat, int kind) noexcept nogil:
    cdef Offer offer
    cdef int target
    offer.text = &game.book.texts[game.book.kinds[kind].text]
    offer.unit = NOBODY
    offer.source = BY_SPELLS
    target = choose_target(game, seat, &offer)
    pay(seat, game.book.kinds[kind].attribute, game.book.kinds[kind].cost)
    take_from_hand(seat, kind)
    seat.counted.spells_played += 1
    seat.counted.spells_in_battle += game.battle.exchange > 0
    count_card(game, seat, kind, PLAYED)
    work(game, seat, &offer, target)
    put_to_trash(seat, kind)


cdef inline void _use(Game* game, Seat* seat, int option) noexcept nogil:
    cdef Offer offer = offered(game, seat, option)
    cdef int target = choose_target(game, seat, &offer), bit
    cdef bint free = _is_free(offer.text)
    pay(seat, offer.text.attribute, offer.text.cost)
    if offer.unit < 0:
        seat.counted.sorcerer_used += 1
        if free:
            seat.sorcerer_spent = True
        if offer.text.down:
            seat.sorcerer_ready = False
    else:
        bit = 1 << offer.unit % PLACES
        seat.counted.abilities_used += 1
        if free:
            seat.spent |= bit
        if offer.text.down:
            seat.ready &= ~bit
    work(game, seat, &offer, target)


cdef inline void _move(Game* game, Seat* seat, bint front) noexcept nogil:
    """Let a seat move one of its units to an area (MM-T3)."""
    cdef uint64_t able = _movers(game, seat, front)
    cdef int first = game.book.rules.kinds + CODE_OWN, bit
    cdef Mask legal = mask_none()
    while able:
        mask_put(&legal, first + lowest_bit(able))
        able &= able - 1
    bit = 1 << decide(game, seat, MOVE, &legal) - first
    seat.moved |= bit
    seat.front ^= bit
    seat.counted.moves += 1


cdef inline void act(Game* game, Seat* seat, int option) noexcept nogil:
    """Do what a seat has chosen in its main phase or in an exchange."""
    cdef int kinds = game.book.rules.kinds
    if option == kinds + CODE_ADVANCE or option == kinds + CODE_RETREAT:
        _move(game, seat, option == kinds + CODE_ADVANCE)
        return
    seat.acts += 1
    if option >= kinds:
        _use(game, seat, option)
    elif game.book.kinds[option].sort == UNIT:
        _play_unit(game, seat, option)
    else:
        _play_spell(game, seat, option)
