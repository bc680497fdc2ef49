# cython: language_level=3
"""Battles: attack, exchanges, block and damage (MM-T4, MM-B)."""

from libc.stdint cimport uint64_t

from sim.core._mask cimport Mask, mask_none, mask_put
from sim.titles.majestic._choosing cimport ATTACK, BLOCK, EXCHANGE, decide
from sim.titles.majestic._effects cimport hit
from sim.titles.majestic._plays cimport act, exchange_options
from sim.titles.majestic._state cimport (
    NOBODY,
    Game,
    Seat,
    ap_of,
    attackers,
    blockers,
    bury,
    count_card,
    lowest_bit,
    ref_to,
)
from sim.titles.majestic._tables cimport ATTACKS, BY_ATTACKS, CODE_OWN, PLACES, PLAYERS


cdef inline void no_battle(Game* game) noexcept nogil:
    game.battle.exchange = 0
    game.battle.blocked = False
    game.battle.attacker = ref_to(game, NOBODY)
    game.battle.blocker = ref_to(game, NOBODY)


cdef inline void free_abilities_again(Game* game) noexcept nogil:
    """Let abilities that take nothing be used again (MM-P2)."""
    cdef int i
    for i in range(PLAYERS):
        game.seats[i].sorcerer_spent = False
        game.seats[i].spent = 0


cdef inline void _exchange(Game* game, int attacker) noexcept nogil:
    """Let both seats play in turn until both have passed, one after the other (MM-B2)."""
    cdef int turn = attacker, passes = 0, code
    cdef Seat* seat
    cdef Mask options
    free_abilities_again(game)
    while passes < 2:
        seat = &game.seats[turn]
        options = exchange_options(game, seat)
        code = decide(game, seat, EXCHANGE, &options)
        if code == game.policies.stop:
            passes += 1
        else:
            passes = 0
            act(game, seat, code)
            if game.end_reason >= 0:
                return
        turn = 1 - turn


cdef inline int _choose_blocker(Game* game, Seat* defender) noexcept nogil:
    """Let the defender choose a blocker; NOBODY for none (MM-B3)."""
    cdef uint64_t units = blockers(game, defender, game.battle.attacker.at)
    cdef int first = game.book.rules.kinds + CODE_OWN, code
    cdef Mask options = mask_none()
    mask_put(&options, game.policies.stop)
    while units:
        mask_put(&options, first + lowest_bit(units))
        units &= units - 1
    code = decide(game, defender, BLOCK, &options)
    return NOBODY if code == game.policies.stop else defender.index * PLACES + code - first


cdef inline void _deal_damage(Game* game, int seat) noexcept nogil:
    """Let both units deal their AP to each other at the same time (MM-B4)."""
    cdef int attacker = game.battle.attacker.at, blocker = game.battle.blocker.at
    cdef int ap = ap_of(game, attacker), other_ap = ap_of(game, blocker)
    game.seats[blocker // PLACES].damage[blocker % PLACES] += ap
    game.seats[attacker // PLACES].damage[attacker % PLACES] += other_ap
    bury(game, seat)


cdef inline void _fight(Game* game, Seat* seat, int place) noexcept nogil:
    """Fight one battle, from the attack to its end (MM-B1 to MM-B6)."""
    cdef Seat* defender = &game.seats[1 - seat.index]
    cdef int blocker
    game.battle.exchange = 1
    game.battle.attacker = ref_to(game, seat.index * PLACES + place)
    seat.counted.attacks += 1
    count_card(game, seat, seat.kinds[place], ATTACKS)
    seat.ready &= ~(1 << place)
    _exchange(game, seat.index)
    if game.end_reason >= 0:
        return
    if game.battle.attacker.at < 0:
        seat.counted.attacks_ended += 1
        return
    blocker = _choose_blocker(game, defender)
    if blocker < 0:
        game.battle.exchange = 0
        hit(game, defender, seat.index, BY_ATTACKS)
        return
    game.battle.exchange = 2
    game.battle.blocked = True
    game.battle.blocker = ref_to(game, blocker)
    seat.counted.attacks_blocked += 1
    defender.counted.blocks += 1
    defender.ready &= ~(1 << blocker % PLACES)
    _exchange(game, seat.index)
    if game.end_reason >= 0:
        return
    if game.battle.attacker.at < 0:
        seat.counted.attacks_ended += 1
    elif game.battle.blocker.at >= 0:
        _deal_damage(game, seat.index)


cdef inline void battle_phase(Game* game, Seat* seat) noexcept nogil:
    """Let the turn player attack as often as it can and likes (MM-T4)."""
    cdef int first = game.book.rules.kinds + CODE_OWN, code
    cdef uint64_t units
    cdef Mask options
    while game.end_reason < 0:
        units = attackers(seat)
        if units == 0:
            return
        options = mask_none()
        mask_put(&options, game.policies.stop)
        while units:
            mask_put(&options, first + lowest_bit(units))
            units &= units - 1
        code = decide(game, seat, ATTACK, &options)
        if code == game.policies.stop:
            return
        _fight(game, seat, code - first)
        no_battle(game)
