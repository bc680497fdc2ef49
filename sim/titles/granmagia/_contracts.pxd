# cython: language_level=3
"""Contracts with witches (GM-C). Twin of ``contracts.py``."""

from libc.string cimport memset

from sim.core._mask cimport mask_drop
from sim.core._piles cimport pile_remove
from sim.titles.granmagia._gains cimport add_mana, receive
from sim.titles.granmagia._state cimport (
    TO_DISCARD,
    TO_HAND,
    Game,
    Seat,
    Zone,
    burn,
    disown,
    spend_acquisition,
    take_up,
)
from sim.titles.granmagia._tables cimport APPRENTICE_FLAG, NOTE_FLAG, Witch, discounted
from sim.titles.granmagia._victories cimport judge_contract


cdef inline int contract_cost(const Game* game, int witch) noexcept nogil:
    """Return what a witch costs in this round (GM-C4)."""
    if game.round >= game.book.rules.discount_round:
        return discounted(game.book, witch)
    return game.book.witches[witch].cost


cdef inline int _strike(Game* game, Seat* seat, int kind, int flag) noexcept nogil:
    """Take a card that has the flag off the books; an apprentice is removed, a note burned."""
    if not game.book.kinds[kind].flags & flag:
        return 0
    if flag == APPRENTICE_FLAG:
        disown(game, seat, kind)
    else:
        burn(game, seat, kind)
    return 1


cdef inline int _strike_zone(Game* game, Seat* seat, Zone* zone, int flag) noexcept nogil:
    cdef int i, found = 0
    for i in range(zone.size):
        if _strike(game, seat, zone.cards[i], flag):
            found += 1
        else:
            zone.cards[i - found] = zone.cards[i]
    zone.size -= found
    return found


cdef inline int _strike_all(Game* game, Seat* seat, int flag) noexcept nogil:
    """Take the own cards with a flag out of all zones, and return how many there were."""
    cdef int place, found = _strike_zone(game, seat, &seat.hand, flag)
    place = seat.deck.size - 1
    while place >= 0:
        if _strike(game, seat, seat.deck.cards[place], flag):
            pile_remove(&seat.deck, place)
            found += 1
        place -= 1
    found += _strike_zone(game, seat, &seat.discard, flag)
    found += _strike_zone(game, seat, &seat.play, flag)
    place = 0
    while place < seat.own.size:
        if _strike(game, seat, seat.own.cards[place], flag):
            take_up(seat, place)
            found += 1
        else:
            place += 1
    return found


cdef inline void _bind(Game* game, Seat* seat, int witch) noexcept nogil:
    """Make a witch a seat's own, and start the counts that begin with her contract."""
    cdef const Witch* terms = &game.book.witches[witch]
    mask_drop(&game.witches, game.book.rules.kinds + witch)
    seat.witch = witch
    seat.victory = terms.victory
    seat.contract_round = game.round
    memset(seat.uses, 0, sizeof(seat.uses))
    game.penalties += terms.curse_penalty > 0


cdef inline void contract(Game* game, Seat* seat, int witch) noexcept nogil:
    """Make a contract that is legal: in mana alone, for one acquisition (GM-C1, GM-C2)."""
    cdef const Witch* terms = &game.book.witches[witch]
    cdef int place = TO_HAND if game.book.rules.gift_to_hand else TO_DISCARD
    cdef int i, notes
    add_mana(game, seat, -contract_cost(game, witch))
    spend_acquisition(game, seat)
    _bind(game, seat, witch)
    _strike_all(game, seat, APPRENTICE_FLAG)
    notes = _strike_all(game, seat, NOTE_FLAG)
    if terms.notes_as_arcana:
        seat.arcana_taken += notes
    for i in range(terms.gift_count):
        if game.end_reason < 0:
            receive(game, seat, game.book.gifts[terms.gift_first + i], place)
    # GM-C2: the n-th note burned brings the n-th card of the list.
    for i in range(terms.note_count if terms.note_count < notes else notes):
        if game.end_reason < 0:
            receive(game, seat, game.book.gifts[terms.note_first + i], place)
    if game.end_reason < 0:
        judge_contract(game, seat)
