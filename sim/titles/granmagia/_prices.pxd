# cython: language_level=3
"""What a card costs a seat: its printed cost, seals, a witch's discount (GM-K4, GM-N6)."""

from sim.core._mask cimport Mask, mask_has, mask_put
from sim.titles.granmagia._state cimport Game, Seat, own_witch
from sim.titles.granmagia._tables cimport ARCANA


cdef inline Mask repriced(const Game* game, const Seat* seat) noexcept nogil:
    """Return the kinds that may cost a seat something else than what is printed."""
    cdef Mask found = game.sealed
    if own_witch(game, seat).arcana_discount:
        mask_put(&found, ARCANA)
    return found


cdef inline int price(const Game* game, const Seat* seat, int kind) noexcept nogil:
    """Return what a kind costs a seat now; never below 0 (GM-T15)."""
    cdef int i, cost = game.book.kinds[kind].cost
    if mask_has(&game.sealed, kind):
        for i in range(game.book.rules.seals):
            if game.seals[i] == kind:
                cost += game.book.seals[i].cost
    if kind == ARCANA:
        cost -= own_witch(game, seat).arcana_discount
    return cost if cost > 0 else 0


cdef inline int seals_on(const Game* game, int kind) noexcept nogil:
    """Return how many seals lie on a kind's pile."""
    cdef int i, found = 0
    if mask_has(&game.sealed, kind):
        for i in range(game.book.rules.seals):
            found += game.seals[i] == kind
    return found


cdef inline void place_seal(Game* game, int seal, int kind) noexcept nogil:
    """Lay a seal on a kind's pile, wherever it lay before."""
    cdef int i
    game.seals[seal] = kind
    game.sealed.low = game.sealed.high = 0
    for i in range(game.book.rules.seals):
        if game.seals[i] >= 0:
            mask_put(&game.sealed, game.seals[i])
