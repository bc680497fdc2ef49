# cython: language_level=3
"""What happens by itself: own field, rewards, abilities (GM-K1 to GM-K3, GM-N3).

Twin of ``abilities.py``.
"""

from libc.stdint cimport uint8_t

from sim.core._mask cimport Mask, mask_empty, mask_put
from sim.titles.granmagia._effects cimport play_effects
from sim.titles.granmagia._gains cimport add_tokens
from sim.titles.granmagia._observe cimport TOKENS, decide
from sim.titles.granmagia._state cimport (
    Game,
    Seat,
    burn,
    draw,
    kinds_in,
    own_witch,
    put,
    take_from_hand,
    take_up,
)
from sim.titles.granmagia._tables cimport (
    DURATION,
    FAMILIAR,
    VICTORY_REWARDS,
    Kind,
    Witch,
)
from sim.titles.granmagia._victories cimport judge


cdef inline void reward(Game* game, Seat* seat, const Kind* familiar) noexcept nogil:
    """Give a familiar's reward to a seat whose witch rewards (GM-K3, GM-N4)."""
    play_effects(game, seat, familiar.reward_first, familiar.reward_count)
    if game.end_reason < 0:
        seat.rewards += 1
        judge(game, seat, VICTORY_REWARDS)


cdef inline void play_own_field(Game* game, Seat* seat) noexcept nogil:
    """Play the turn-start effects of the own field in the order laid (GM-K10).

    None of them lays or takes up a card there.
    """
    cdef const Kind* card
    cdef int place = 0
    cdef uint8_t kind
    while place < seat.own.size and game.end_reason < 0:
        kind = seat.own.cards[place]
        card = &game.book.kinds[kind]
        play_effects(game, seat, card.turn_first, card.turn_count)
        if game.end_reason >= 0:
            return
        if card.flags & DURATION:
            take_up(seat, place)
            put(&seat.discard, kind)
            continue
        if card.flags & FAMILIAR and card.turn_count and own_witch(game, seat).rewards:
            reward(game, seat, card)
        place += 1


cdef inline void _tokens_for_truth(Game* game, Seat* seat, int drawn) noexcept nogil:
    """Let a seat burn a truth card from hand for tokens (GM-N3)."""
    cdef Mask legal = kinds_in(&seat.hand)
    cdef int code
    legal.low &= game.book.truths.low
    legal.high &= game.book.truths.high
    if mask_empty(&legal):
        return
    mask_put(&legal, game.book.stop)
    code = decide(game, seat, TOKENS, &legal)
    if code == game.book.stop:
        return
    take_from_hand(seat, code)
    burn(game, seat, code)
    add_tokens(game, seat, game.book.truth[code])
    if game.end_reason < 0:
        draw(game, seat, drawn)


cdef inline void play_ability(Game* game, Seat* seat) noexcept nogil:
    """Play what the own witch does at a turn start."""
    cdef const Witch* terms = own_witch(game, seat)
    play_effects(game, seat, terms.ability_first, terms.ability_count)
    if terms.tokens_for_truth and game.end_reason < 0:
        _tokens_for_truth(game, seat, terms.token_draw)
