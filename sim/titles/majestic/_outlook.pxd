# cython: language_level=3
"""What policies foresee: twin of ``outlook.py``."""

from libc.stdint cimport uint64_t

from sim.titles.majestic._state cimport (
    Game,
    Seat,
    ap_of,
    blockers,
    could_attack,
    could_block,
    count_bits,
    left_of,
    lowest_bit,
    worth_of,
)
from sim.titles.majestic._tables cimport PLACES, Text

cdef enum:
    FAR = 99                # the clock of a seat that makes no headway


cdef inline bint beats(const Game* game, int at, int other) noexcept nogil:
    """Whether a unit would destroy another one in battle as both stand."""
    return ap_of(game, at) >= left_of(game, other)


cdef inline bint falls(const Game* game, int at) noexcept nogil:
    """Whether a unit that fights in a blocked battle will be destroyed as things stand."""
    cdef int attacker = game.battle.attacker.at, blocker = game.battle.blocker.at
    if at < 0 or not game.battle.blocked or attacker < 0 or blocker < 0:
        return False
    return beats(game, blocker if at == attacker else attacker, at)


cdef inline bint leaves(const Game* game, const Text* text, int at) noexcept nogil:
    """Whether the target of a text would be destroyed by it, or returned."""
    return text.removes or left_of(game, at) + text.dp - text.damage <= 0


cdef inline int clock(const Game* game, const Seat* seat) noexcept nogil:
    """Return how many own turns a seat needs to take the last LP, units as they stand."""
    cdef const Seat* other = &game.seats[1 - seat.index]
    cdef int hits = count_bits(could_attack(seat)) - count_bits(could_block(other))
    return (other.lp_size + hits - 1) // hits if hits > 0 else FAR


cdef inline bint strikes(
    const Game* game, const Seat* seat, int at, bint survives
) noexcept nogil:
    """Whether an attacker would destroy every possible blocker, or survive every one."""
    cdef int defender = 1 - seat.index, other
    cdef uint64_t units = blockers(game, &game.seats[defender], at)
    while units:
        other = defender * PLACES + lowest_bit(units)
        units &= units - 1
        if survives:
            if beats(game, other, at):
                return False
        elif not beats(game, at, other):
            return False
    return True


cdef inline int _result(
    const Game* game, int mine, int theirs, int my_ap, int my_left, int ap, int left
) noexcept nogil:
    """Return the worth gained by a blocked battle, with changes of AP and DP left to both."""
    cdef bint gone_before, i_fall, they_fall
    my_ap += ap_of(game, mine)
    if my_ap < 0:
        my_ap = 0
    ap += ap_of(game, theirs)
    if ap < 0:
        ap = 0
    my_left += left_of(game, mine)
    left += left_of(game, theirs)
    # One that has left already: no damage is dealt.
    gone_before = my_left <= 0 or left <= 0
    i_fall = my_left <= 0 or (not gone_before and ap >= my_left)
    they_fall = left <= 0 or (not gone_before and my_ap >= left)
    return they_fall * worth_of(game, theirs) - i_fall * worth_of(game, mine)


cdef inline bint swing(
    const Game* game, const Seat* seat, const Text* text, int source, int target
) noexcept nogil:
    """Whether a text, with a certain target, makes this battle end better for a seat."""
    cdef int mine = game.battle.attacker.at, theirs = game.battle.blocker.at
    cdef int before, after, my_ap = 0, my_left = 0, ap = 0, left = 0
    if game.on_turn != seat.index:
        mine, theirs = theirs, mine
    if not game.battle.blocked:
        return theirs >= 0 and target == theirs and leaves(game, text, theirs)
    if mine < 0 or theirs < 0:
        return False
    before = _result(game, mine, theirs, 0, 0, 0, 0)
    if target == theirs and text.removes:
        after = worth_of(game, theirs)
    else:
        if target == mine:
            my_ap, my_left = text.ap, text.dp - text.damage
        elif target == theirs:
            ap, left = text.ap, text.dp - text.damage
        if source == mine:
            my_ap += text.self_ap
            my_left += text.self_dp
        elif source == theirs:
            ap += text.self_ap
            left += text.self_dp
        after = _result(game, mine, theirs, my_ap, my_left, ap, left)
    return after > before
