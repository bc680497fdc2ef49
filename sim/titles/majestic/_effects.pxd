# cython: language_level=3
"""The primitives that texts are made of: twin of ``effects.py``."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memmove

from sim.core._mask cimport Mask, mask_drop, mask_empty, mask_none, mask_put, mask_take
from sim.core._piles cimport pile_draw, pile_remove
from sim.core._policy cimport conditions_hold
from sim.titles.majestic._choosing cimport (
    AREA,
    DISCARD,
    FETCH,
    SPECIAL,
    TARGET,
    decide,
)
from sim.titles.majestic._state cimport (
    NO_LOSS,
    NOBODY,
    Game,
    Ref,
    Seat,
    add_to_hand,
    bury,
    count_card,
    destroy,
    draw_card,
    has_room,
    is_on,
    judge,
    judge_both,
    leave,
    lowest_bit,
    put_to_mana,
    put_to_trash,
    put_unit,
    ref_to,
    seat_at,
    take_from_hand,
    top_mana,
    where,
)
from sim.titles.majestic._tables cimport (
    ALL_PLACES,
    AREA_FRONT,
    AREA_OTHER,
    BY_ITSELF,
    BY_SPECIAL,
    CODE_BACK,
    CODE_FRONT,
    CODE_USE,
    DISCARDED,
    LP_END,
    MAIN_DECK_END,
    MANA_DECK_END,
    PLACES,
    PLAYERS,
    SIDE_ENEMY,
    SIDE_OWN,
    SORT_CARD,
    UNIT,
    UPRIGHT_READY,
    WHOM_ALL,
    WHOM_ATTACKER,
    WHOM_ENEMY,
    WHOM_OWN,
    WHOM_SELF,
    WHOM_TARGET,
    Effect,
    Kind,
)
from sim.titles.majestic._texts cimport Offer, asked, code_of, targets, usable

cdef enum:
    # primitives.PRIMITIVES
    OP_DAMAGE = 0
    OP_DESTROY = 1
    OP_RETURN = 2
    OP_AP = 3
    OP_DP = 4
    OP_GRANT = 5
    OP_READY = 6
    OP_TURN_DOWN = 7
    OP_SHIFT = 8
    OP_DRAW = 9
    OP_DISCARD = 10
    OP_MILL = 11
    OP_HIT = 12
    OP_HEAL = 13
    OP_MANA = 14
    OP_REFRESH = 15
    OP_RECYCLE = 16
    OP_SEARCH = 17
    OP_SALVAGE = 18
    OP_REVIVE = 19
    OP_DEPLOY = 20

    MOST_BONUS = 99         # AP and DP given are held within this, either way


cdef inline int choose_target(Game* game, Seat* seat, const Offer* offer) noexcept nogil:
    """Let a seat choose the target of a text; NOBODY for a text without one, or none legal."""
    cdef uint64_t units = targets(game, seat, offer)
    cdef Mask legal = mask_none()
    cdef int at, code
    if units == 0:
        return NOBODY
    while units:
        at = lowest_bit(units)
        units &= units - 1
        mask_put(&legal, code_of(game, seat, at))
    game.pending = offer.text
    game.pending_unit = offer.unit
    code = decide(game, seat, TARGET, &legal)
    at = code - game.book.rules.kinds
    if at < PLACES:
        return seat.index * PLACES + at
    return (1 - seat.index) * PLACES + at - PLACES


cdef inline bint choose_area(Game* game, Seat* seat, int kind) noexcept nogil:
    """Let a seat choose the area of a unit that comes to the field; True is the front."""
    cdef Mask legal = mask_none()
    cdef int front = game.book.rules.kinds + CODE_FRONT
    game.coming = kind
    if has_room(game, seat, True):
        mask_put(&legal, front)
    if has_room(game, seat, False):
        mask_put(&legal, game.book.rules.kinds + CODE_BACK)
    return decide(game, seat, AREA, &legal) == front


cdef inline bint any_room(const Game* game, const Seat* seat) noexcept nogil:
    """Whether a unit more can come to the field at all (MM-U1, MM-U2)."""
    return seat.taken != ALL_PLACES and (has_room(game, seat, True) or has_room(game, seat, False))


# -- LP and mana -----------------------------------------------------------------------------------


cdef inline void use_special(Game* game, Seat* seat, int card) noexcept nogil:
    """Let a seat use the effect of special mana that came to its mana zone (MM-T2, MM-K1)."""
    cdef int text = game.book.mana_kinds[card].text
    cdef Mask legal = mask_none()
    cdef Offer offer
    cdef int use = game.book.rules.kinds + CODE_USE
    if text < 0 or game.end_reason >= 0:
        return
    offer.text = &game.book.texts[text]
    offer.unit = NOBODY
    offer.source = BY_SPECIAL
    if not usable(game, seat, &offer):
        return
    mask_put(&legal, use)
    mask_put(&legal, game.policies.stop)
    if decide(game, seat, SPECIAL, &legal) != use:
        return
    seat.counted.special_used += 1
    work(game, seat, &offer, choose_target(game, seat, &offer))


cdef inline void put_mana(Game* game, Seat* seat, bint ready) noexcept nogil:
    """Put the top card of the mana deck into the mana zone; special mana may be used."""
    cdef int card = top_mana(seat)
    put_to_mana(game, seat, card, ready)
    judge(game, seat, NO_LOSS if seat.mana_deck.size else MANA_DECK_END)
    use_special(game, seat, card)


cdef inline int _lose_lp(Game* game, Seat* seat, int by, int source) noexcept nogil:
    """Bring the top LP card to the mana zone; return it (MM-B5)."""
    cdef Seat* taker = &game.seats[1 - seat.index]
    cdef int card
    seat.lp_size -= 1
    card = seat.lp[seat.lp_size]
    put_to_mana(game, seat, card, True)
    taker.lp_by[source if taker.index == by else BY_ITSELF] += 1
    return card


cdef inline void hit(Game* game, Seat* seat, int by, int source) noexcept nogil:
    """Let a seat lose its top LP card (MM-B5, MM-G4)."""
    cdef int card = _lose_lp(game, seat, by, source)
    judge(game, seat, NO_LOSS if seat.lp_size else LP_END)
    use_special(game, seat, card)


cdef inline void _hit_both(Game* game, Seat* first, int source) noexcept nogil:
    cdef Seat* second = &game.seats[1 - first.index]
    cdef int card = _lose_lp(game, first, first.index, source)
    cdef int other_card = _lose_lp(game, second, first.index, source)
    judge_both(
        game,
        NO_LOSS if game.seats[0].lp_size else LP_END,
        NO_LOSS if game.seats[1].lp_size else LP_END,
    )
    use_special(game, first, card)
    use_special(game, second, other_card)


# -- on units --------------------------------------------------------------------------------------


cdef inline int _bonus(int64_t bonus) noexcept nogil:
    if bonus > MOST_BONUS:
        return MOST_BONUS
    return -MOST_BONUS if bonus < -MOST_BONUS else <int>bonus


cdef inline void _return_unit(Game* game, int at) noexcept nogil:
    cdef Seat* owner = seat_at(game, at)
    owner.counted.units_returned += 1
    add_to_hand(owner, leave(game, at))


cdef inline void _shift(Game* game, int at, int area) noexcept nogil:
    cdef Seat* owner = seat_at(game, at)
    cdef bint before = is_on(&owner.front, at)
    cdef bint front = not before if area == AREA_OTHER else area == AREA_FRONT
    if front != before and has_room(game, owner, front):
        owner.front ^= 1 << at % PLACES


cdef inline void _do_to_unit(
    Game* game, const Effect* effect, int64_t amount, int at
) noexcept nogil:
    cdef Seat* owner = seat_at(game, at)
    cdef int place = at % PLACES, bit = 1 << place
    if effect.op == OP_DAMAGE:
        owner.damage[place] += <int>amount
    elif effect.op == OP_DESTROY:
        destroy(game, at)
    elif effect.op == OP_RETURN:
        _return_unit(game, at)
    elif effect.op == OP_AP:
        owner.ap_bonus[place] = _bonus(owner.ap_bonus[place] + amount)
    elif effect.op == OP_DP:
        owner.dp_bonus[place] = _bonus(owner.dp_bonus[place] + amount)
    elif effect.op == OP_GRANT:
        owner.has[effect.second] |= bit
    elif effect.op == OP_READY:
        owner.ready |= bit
    elif effect.op == OP_TURN_DOWN:
        owner.ready &= ~bit
    else:
        _shift(game, at, effect.second)


cdef inline void _do_to_units(
    Game* game,
    const Seat* seat,
    const Effect* effect,
    int64_t amount,
    const Ref* unit,
    const Ref* target,
) noexcept nogil:
    """Do to all units that an effect works on, the own seat's first, place by place."""
    cdef int turn, side, at = NOBODY
    cdef uint64_t units
    if effect.first in (WHOM_OWN, WHOM_ENEMY, WHOM_ALL):
        for turn in range(PLAYERS):
            if effect.first == (WHOM_ENEMY if turn == 0 else WHOM_OWN):
                continue
            side = seat.index if turn == 0 else 1 - seat.index
            units = game.seats[side].taken
            while units:
                _do_to_unit(game, effect, amount, side * PLACES + lowest_bit(units))
                units &= units - 1
        return
    if effect.first == WHOM_TARGET:
        at = where(game, target)
    elif effect.first == WHOM_SELF:
        at = where(game, unit)
    elif effect.first == WHOM_ATTACKER:
        at = game.battle.attacker.at
    else:
        at = game.battle.blocker.at
    if at >= 0:
        _do_to_unit(game, effect, amount, at)


# -- on seats --------------------------------------------------------------------------------------


cdef inline int _mill(Seat* seat) noexcept nogil:
    if seat.deck.size == 0:
        return NO_LOSS
    put_to_trash(seat, pile_draw(&seat.deck, &seat.shuffling))
    return NO_LOSS if seat.deck.size else MAIN_DECK_END


cdef inline int _heal(Seat* seat) noexcept nogil:
    if seat.mana_deck.size == 0:
        return NO_LOSS
    seat.lp[seat.lp_size] = <unsigned char>top_mana(seat)
    seat.lp_size += 1
    seat.counted.lp_gained += 1
    return NO_LOSS if seat.mana_deck.size else MANA_DECK_END


cdef inline int _one_card(Game* game, Seat* seat, int op) noexcept nogil:
    """Let a seat draw, mill or heal one card; return how it loses by it."""
    if op == OP_DRAW:
        return draw_card(game, seat)
    if op == OP_MILL:
        return _mill(seat)
    return _heal(seat)


cdef inline void _each(Game* game, Seat* seat, int op, int side, int64_t amount) noexcept nogil:
    """Let seats do one card at a time; who has lost by it is judged when both have done one."""
    cdef Seat* other = &game.seats[1 - seat.index]
    cdef int own_loss, loss
    while amount > 0 and game.end_reason < 0:
        amount -= 1
        own_loss = loss = NO_LOSS
        if side != SIDE_ENEMY:
            own_loss = _one_card(game, seat, op)
        if side != SIDE_OWN:
            loss = _one_card(game, other, op)
        if seat.index == 0:
            judge_both(game, own_loss, loss)
        else:
            judge_both(game, loss, own_loss)


cdef inline void _hit_seats(
    Game* game, Seat* seat, int side, int64_t amount, int source
) noexcept nogil:
    cdef Seat* other = &game.seats[1 - seat.index]
    while amount > 0 and game.end_reason < 0:
        amount -= 1
        if side == SIDE_OWN:
            hit(game, seat, seat.index, source)
        elif side == SIDE_ENEMY:
            hit(game, other, seat.index, source)
        else:
            _hit_both(game, seat, source)


cdef inline void discard(Game* game, Seat* seat) noexcept nogil:
    """Let a seat discard a card of its choice, if it has one."""
    cdef Mask legal = seat.hand
    cdef int kind
    if seat.hand_size == 0:
        return
    kind = decide(game, seat, DISCARD, &legal)
    take_from_hand(seat, kind)
    put_to_trash(seat, kind)
    seat.counted.discarded += 1
    count_card(game, seat, kind, DISCARDED)


cdef inline void _discard(Game* game, Seat* seat, int side, int64_t amount) noexcept nogil:
    cdef int turn
    cdef int64_t left
    for turn in range(PLAYERS):
        if side == (SIDE_ENEMY if turn == 0 else SIDE_OWN):
            continue
        left = amount
        while left > 0:
            discard(game, &game.seats[seat.index if turn == 0 else 1 - seat.index])
            left -= 1


cdef inline void _refresh(Seat* seat, int64_t amount) noexcept nogil:
    cdef uint64_t down = ((<uint64_t>1 << seat.mana_size) - 1) & ~seat.mana_ready
    while amount > 0 and down:
        seat.mana_ready |= down & -down
        down &= down - 1
        amount -= 1


cdef inline void _recycle(Seat* seat, int64_t amount) noexcept nogil:
    cdef int first = seat.trash_size - <int>amount if amount < seat.trash_size else 0, i
    for i in range(first, seat.trash_size):
        seat.deck.cards[seat.deck.size] = seat.trash[i]
        seat.deck.size += 1
    seat.trash_size = first
    seat.deck.settled = 0


cdef inline bint _fits(const Kind* kind, int sort, int64_t most) noexcept nogil:
    return (sort == SORT_CARD or kind.sort == sort) and kind.cost <= most


cdef inline int _fetched(
    Game* game, Seat* seat, const unsigned char* cards, int size, int sort, int64_t most
) noexcept nogil:
    """Let the seat choose a kind to fetch from some cards; -1 for none."""
    cdef Mask legal = mask_none()
    cdef int i, kind
    for i in range(size):
        if _fits(&game.book.kinds[cards[i]], sort, most):
            mask_put(&legal, cards[i])
    legal.low &= ~seat.banned.low
    legal.high &= ~seat.banned.high
    if mask_empty(&legal):
        return -1
    mask_put(&legal, game.policies.stop)
    kind = decide(game, seat, FETCH, &legal)
    return -1 if kind == game.policies.stop else kind


cdef inline int _first_of(const unsigned char* cards, int kind) noexcept nogil:
    """Return the index of the first card of a kind, of which there is one."""
    cdef int i = 0
    while cards[i] != kind:
        i += 1
    return i


cdef inline void _search(Game* game, Seat* seat, int sort, int64_t most) noexcept nogil:
    cdef int kind = _fetched(game, seat, seat.deck.cards, seat.deck.size, sort, most)
    if kind >= 0:
        pile_remove(&seat.deck, _first_of(seat.deck.cards, kind))
        add_to_hand(seat, kind)
    seat.deck.settled = 0
    if kind >= 0 and seat.deck.size == 0:
        judge(game, seat, MAIN_DECK_END)


cdef inline void _take_from_trash(Seat* seat, int kind) noexcept nogil:
    cdef int i = _first_of(seat.trash, kind)
    seat.trash_size -= 1
    memmove(&seat.trash[i], &seat.trash[i + 1], seat.trash_size - i)


cdef inline void _salvage(Game* game, Seat* seat, int sort, int64_t most) noexcept nogil:
    cdef int kind = _fetched(game, seat, seat.trash, seat.trash_size, sort, most)
    if kind >= 0:
        _take_from_trash(seat, kind)
        add_to_hand(seat, kind)


cdef inline void _revive(Game* game, Seat* seat, int64_t most) noexcept nogil:
    cdef int kind
    cdef bint front
    if not any_room(game, seat):
        return
    kind = _fetched(game, seat, seat.trash, seat.trash_size, UNIT, most)
    if kind >= 0:
        front = choose_area(game, seat, kind)
        _take_from_trash(seat, kind)
        put_unit(game, seat, kind, front, False)


cdef inline void _deploy(Game* game, Seat* seat, int64_t most) noexcept nogil:
    cdef Mask kinds = seat.hand, legal = mask_none()
    cdef int kind
    cdef bint front
    if not any_room(game, seat):
        return
    kinds.low &= game.book.units.low & ~seat.banned.low
    kinds.high &= game.book.units.high & ~seat.banned.high
    legal = kinds
    while not mask_empty(&kinds):
        kind = mask_take(&kinds)
        if game.book.kinds[kind].cost > most:
            mask_drop(&legal, kind)
    if mask_empty(&legal):
        return
    mask_put(&legal, game.policies.stop)
    kind = decide(game, seat, FETCH, &legal)
    if kind != game.policies.stop:
        front = choose_area(game, seat, kind)
        take_from_hand(seat, kind)
        put_unit(game, seat, kind, front, False)


cdef inline void _do_to_seats(
    Game* game, Seat* seat, const Effect* effect, int64_t amount, int source
) noexcept nogil:
    cdef int64_t left = amount
    if effect.op in (OP_DRAW, OP_MILL, OP_HEAL):
        _each(game, seat, effect.op, effect.first, amount)
    elif effect.op == OP_DISCARD:
        _discard(game, seat, effect.first, amount)
    elif effect.op == OP_HIT:
        _hit_seats(game, seat, effect.first, amount, source)
    elif effect.op == OP_MANA:
        while left > 0 and seat.mana_deck.size and game.end_reason < 0:
            put_mana(game, seat, effect.first == UPRIGHT_READY)
            left -= 1
    elif effect.op == OP_REFRESH:
        _refresh(seat, amount)
    elif effect.op == OP_RECYCLE:
        _recycle(seat, amount)
    elif effect.op == OP_SEARCH:
        _search(game, seat, effect.first, amount)
    elif effect.op == OP_SALVAGE:
        _salvage(game, seat, effect.first, amount)
    elif effect.op == OP_REVIVE:
        _revive(game, seat, amount)
    else:
        _deploy(game, seat, amount)


cdef inline void work(Game* game, Seat* seat, const Offer* offer, int aimed) noexcept nogil:
    """Let the effects of a text work from first to last (MM-P3)."""
    cdef Ref unit = ref_to(game, offer.unit), target = ref_to(game, aimed)
    cdef const Effect* effect
    cdef int64_t amount
    cdef int i, first = offer.text.effect_first
    for i in range(first, first + offer.text.effect_count):
        effect = &game.book.effects[i]
        # Effects before this one may have asked other questions, in other contexts.
        game.context_seat = seat.index
        game.context_unit = where(game, &unit)
        game.context_target = where(game, &target)
        if not conditions_hold(
            game.book.conds, effect.cond_first, effect.cond_count, &asked, game
        ):
            continue
        amount = effect.amount
        if effect.per_observable >= 0:
            amount *= asked(game, effect.per_observable, effect.per_argument)
        if amount < 0 and effect.op != OP_AP and effect.op != OP_DP:
            amount = 0
        if effect.op <= OP_SHIFT:
            _do_to_units(game, seat, effect, amount, &unit, &target)
        else:
            _do_to_seats(game, seat, effect, amount, offer.source)
        if game.end_reason >= 0:
            return
        bury(game, seat.index)
