# cython: language_level=3
"""Attacks on the other seats, their defences, and curses (GM-A, GM-F12). Twin of ``attacks.py``.

A seat is settled once for each card that is used, before the first part of its text reaches it; how
that went holds for the other parts. No attack feeds a special victory.
"""

from libc.stdint cimport int64_t, uint32_t

from sim.core._mask cimport Mask, mask_empty, mask_none, mask_put
from sim.core._piles cimport PILE_CAPACITY
from sim.titles.granmagia._gains cimport leave_pile
from sim.titles.granmagia._observe cimport DEFEND, DISCARD, DOLL, let_decide
from sim.titles.granmagia._records cimport ACQUIRED
from sim.titles.granmagia._state cimport (
    PILE_OVERFLOW,
    Game,
    Seat,
    changed,
    count_card,
    disown,
    kinds_in,
    own,
    put,
    stop_with,
    take_from_hand,
)
from sim.titles.granmagia._tables cimport CURSE, DEFENDS_FIELD


cdef inline bint _doll_defends(Game* game, Seat* victim) noexcept nogil:
    """Defend with a doll: the first that has not done so yet for nothing, else for gold (GM-A2)."""
    cdef Mask legal
    cdef int i, kind, first = -1
    for i in range(victim.own.size):
        kind = victim.own.cards[i]
        if game.book.kinds[kind].flags & DEFENDS_FIELD:
            if not victim.spent[i]:
                victim.spent[i] = 1
                victim.dolls_used += 1
                return True
            if first < 0:
                first = kind
    if first < 0 or victim.gold < game.book.rules.doll_gold:
        return False
    legal = mask_none()
    mask_put(&legal, first)
    mask_put(&legal, game.book.stop)
    if let_decide(game, victim, DOLL, &legal) != first:
        return False
    victim.gold -= game.book.rules.doll_gold
    victim.gold_spent += game.book.rules.doll_gold
    victim.dolls_used += 1
    return True


cdef inline bint _hand_defends(Game* game, Seat* victim) noexcept nogil:
    cdef Mask legal = kinds_in(&victim.hand)
    cdef int kind
    legal.low &= game.book.defends_hand.low
    legal.high &= game.book.defends_hand.high
    if mask_empty(&legal):
        return False
    kind = let_decide(game, victim, DEFEND, &legal)
    take_from_hand(victim, kind)
    put(&victim.discard, kind)
    victim.defences_used += 1
    return True


cdef inline bint _defends(Game* game, Seat* victim) noexcept nogil:
    if victim.barriers > 0:
        victim.barriers -= 1
        victim.barriers_used += 1
        game.casts = changed(game, game.casts, -game.book.rules.barrier_casts)     # GM-A4
        return True
    if victim.own.size and _doll_defends(game, victim):
        return True
    return _hand_defends(game, victim)


cdef inline bint _hit(Game* game, Seat* victim) noexcept nogil:
    """Whether the card in effect hits a seat; its defence is settled when it is first attacked."""
    cdef uint32_t bit = <uint32_t>1 << victim.index
    if not game.settled & bit:
        game.settled |= bit
        if not _defends(game, victim):
            game.struck |= bit
            victim.hits += 1
    return (game.struck & bit) != 0


cdef inline Seat* _after(Game* game, const Seat* seat, int places) noexcept nogil:
    """Return the seat that many places after another."""
    cdef int index = seat.index + places
    return &game.seats[index - game.players if index >= game.players else index]


cdef inline bint _take_curse(Game* game, Seat* victim) noexcept nogil:
    """Give a seat a curse from the pile; False when that is no longer possible."""
    if game.piles[CURSE] == 0:
        return False
    if victim.cards >= PILE_CAPACITY:
        stop_with(game, PILE_OVERFLOW)
        return False
    leave_pile(game, CURSE)
    own(game, victim, CURSE)
    put(&victim.discard, CURSE)
    count_card(game, victim, CURSE, ACQUIRED)
    victim.curses_taken += 1
    return True


cdef inline void take_curses(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    """Take curses oneself; that is no attack."""
    while amount > 0 and _take_curse(game, seat):
        amount -= 1


cdef inline void _give_curses(Game* game, Seat* seat, Seat* victim, int64_t amount) noexcept nogil:
    while amount > 0 and _take_curse(game, victim):
        seat.curses_given += 1
        amount -= 1


cdef inline void _pass_curses(Game* game, Seat* seat, Seat* victim, int64_t amount) noexcept nogil:
    """Put curses from the attacker's hand into another seat's discard pile."""
    cdef int place = 0
    while amount > 0:
        while place < seat.hand.size and seat.hand.cards[place] != CURSE:
            place += 1
        if place == seat.hand.size:
            break
        if victim.cards >= PILE_CAPACITY:
            stop_with(game, PILE_OVERFLOW)
            break
        take_from_hand(seat, CURSE)
        disown(game, seat, CURSE)
        own(game, victim, CURSE)
        put(&victim.discard, CURSE)
        count_card(game, victim, CURSE, ACQUIRED)
        seat.curses_given += 1
        victim.curses_taken += 1
        amount -= 1


cdef inline void _take_gold(Game* game, Seat* seat, Seat* victim, int64_t amount) noexcept nogil:
    if amount > victim.gold:
        amount = victim.gold
    victim.gold -= amount
    seat.gold = changed(game, seat.gold, amount)


cdef inline void _make_discard(Game* game, Seat* victim, int64_t amount) noexcept nogil:
    """Make a seat discard cards of its choice; a small hand discards what it has (GM-A1)."""
    cdef Mask legal
    cdef int kind
    while amount > 0 and victim.hand.size:
        legal = kinds_in(&victim.hand)
        kind = let_decide(game, victim, DISCARD, &legal)
        take_from_hand(victim, kind)
        put(&victim.discard, kind)
        amount -= 1


cdef inline void others_discard(
    Game* game, Seat* seat, int64_t amount, bint down_to
) noexcept nogil:
    """Make the others discard so many cards, or down to so many: first all defend, then choose.

    Down to none is an attack; to discard no card is none.
    """
    cdef Seat* victim
    cdef int i
    if amount < 0 or amount == 0 and not down_to:
        return
    for i in range(1, game.players):
        _hit(game, _after(game, seat, i))
    for i in range(1, game.players):
        victim = _after(game, seat, i)
        if _hit(game, victim):
            _make_discard(game, victim, victim.hand.size - amount if down_to else amount)


cdef inline void attack_with_curses(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    cdef int i
    if amount > 0:
        for i in range(1, game.players):
            if _hit(game, _after(game, seat, i)):
                _give_curses(game, seat, _after(game, seat, i), amount)


cdef inline void attack_by_passing(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    cdef int i
    if amount > 0:
        for i in range(1, game.players):
            if _hit(game, _after(game, seat, i)):
                _pass_curses(game, seat, _after(game, seat, i), amount)


cdef inline void attack_for_gold(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    cdef int i
    if amount > 0:
        for i in range(1, game.players):
            if _hit(game, _after(game, seat, i)):
                _take_gold(game, seat, _after(game, seat, i), amount)
