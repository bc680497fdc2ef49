# cython: language_level=3
"""A turn from its start to its end (GM-T), and the acquisition phase (GM-T4, GM-T5)."""

from libc.stdint cimport int64_t, uint8_t

from sim.core._mask cimport (
    Mask,
    mask_drop,
    mask_empty,
    mask_has,
    mask_none,
    mask_put,
    mask_take,
)
from sim.core._policy cimport conditions_hold
from sim.titles.granmagia._abilities cimport play_ability, play_own_field, reward
from sim.titles.granmagia._contracts cimport contract
from sim.titles.granmagia._effects cimport play_effects
from sim.titles.granmagia._gains cimport add_mana, obtain, receive
from sim.titles.granmagia._observe cimport ACQUIRE, CAST, EXTRA_TURN, decide, observe
from sim.titles.granmagia._prices cimport price, repriced
from sim.titles.granmagia._records cimport FIELD_END, ROUND_CAP
from sim.titles.granmagia._state cimport (
    TO_DISCARD,
    Game,
    Seat,
    changed,
    draw,
    kinds_in,
    kinds_on_offer,
    lay,
    own_witch,
    pour,
    put,
    spend_acquisition,
    take_from_hand,
)
from sim.titles.granmagia._supply cimport refill
from sim.titles.granmagia._tables cimport (
    ATTACK,
    FAMILIAR,
    LASTING,
    MAGIC,
    MOST_COST,
    VICTORY_GOLD,
    VICTORY_KINDS,
    VICTORY_USES,
    Book,
    Kind,
)
from sim.titles.granmagia._victories cimport judge, judge_start, record_round


cdef inline void _reversal(Game* game, Seat* seat) noexcept nogil:
    """Draw up from a small hand (GM-T2)."""
    cdef int number
    if seat.hand.size < game.book.reversal_size:
        number = game.book.reversal[seat.hand.size]
        if number:
            seat.reversals += 1
            draw(game, seat, number)


cdef inline void start_turn(Game* game, Seat* seat) noexcept nogil:
    """Start a turn, in the order of GM-T1."""
    game.turn += 1
    game.acting = game.on_turn
    game.mana = game.mana_obtained = 0
    game.casts = game.book.rules.turn_casts
    game.acquisitions = game.book.rules.turn_acquisitions
    if game.extra:
        seat.extra_turns += 1
    else:
        seat.turns += 1
        if seat.victory:
            judge_start(game, seat)
            if game.end_reason >= 0:
                return
    _reversal(game, seat)
    if seat.own.size:
        play_own_field(game, seat)
    if seat.witch >= 0 and game.end_reason < 0:
        play_ability(game, seat)


cdef inline Mask _cast_options(const Game* game, const Seat* seat) noexcept nogil:
    """Return the kinds in hand that can be cast now."""
    cdef Mask legal = kinds_in(&seat.hand)
    cdef Mask asked = game.book.conditional
    cdef const Kind* card
    cdef int kind
    legal.low &= game.book.castable.low
    legal.high &= game.book.castable.high
    asked.low &= legal.low
    asked.high &= legal.high
    while not mask_empty(&asked):
        kind = mask_take(&asked)
        card = &game.book.kinds[kind]
        if not conditions_hold(
            game.book.conds, card.need_first, card.need_count, &observe, game
        ):
            mask_drop(&legal, kind)
    return legal


cdef inline bint _count_use(Game* game, Seat* seat, int kind, const Kind* card) noexcept nogil:
    """Count a cast since the contract, an event for two victories; False when that was won."""
    seat.uses[kind] += 1
    if card.flags & MAGIC and seat.uses[kind] == 1:
        seat.kinds_cast += 1
        judge(game, seat, VICTORY_KINDS)
    if seat.victory == VICTORY_USES and own_witch(game, seat).card == kind:
        judge(game, seat, VICTORY_USES)
    return game.end_reason < 0


cdef inline void cast(Game* game, Seat* seat, int kind) noexcept nogil:
    """Use a magic card from hand for one cast (GM-T3)."""
    cdef const Kind* card = &game.book.kinds[kind]
    game.casts -= 1
    seat.casts += 1
    take_from_hand(seat, kind)
    if card.flags & LASTING:
        lay(seat, <uint8_t>kind)
    else:
        put(&seat.play, <uint8_t>kind)
    seat.attacks += (card.flags & ATTACK) != 0
    if seat.witch >= 0 and not _count_use(game, seat, kind, card):
        return
    play_effects(game, seat, card.effect_first, card.effect_count)
    if seat.witch < 0 or game.end_reason >= 0:
        return
    if card.flags & FAMILIAR and own_witch(game, seat).rewards:
        reward(game, seat, card)
        if game.end_reason >= 0:
            return
    if card.gives >= 0 and seat.uses[kind] % card.gives_every == 0:     # GM-N5
        receive(game, seat, card.gives, TO_DISCARD)


cdef inline void cast_phase(Game* game, Seat* seat) noexcept nogil:
    """Use magic cards from hand as long as casts are left (GM-T3)."""
    cdef Mask legal
    cdef int code
    while game.casts > 0 and game.status == 0:
        legal = _cast_options(game, seat)
        if mask_empty(&legal):
            break
        mask_put(&legal, game.book.stop)
        code = decide(game, seat, CAST, &legal)
        if code == game.book.stop:
            break
        cast(game, seat, code)
        if game.end_reason >= 0:
            break


cdef inline void lay_down_stones(Game* game, Seat* seat) noexcept nogil:
    """Move all stones from hand to play, in the order of the hand (GM-T4)."""
    cdef int before = seat.play.size, gold = own_witch(game, seat).stone_gold
    cdef int i, stone, kept = 0, laid = before, mana = 0
    cdef uint8_t kind
    for i in range(seat.hand.size):
        # Which cards are stones is chance, so both ways are written and none is branched to.
        kind = seat.hand.cards[i]
        stone = game.book.stone[kind]
        mana += game.book.mana[kind]
        seat.play.cards[laid] = kind
        seat.hand.cards[kept] = kind
        laid += stone
        kept += 1 - stone
    seat.play.size = laid
    seat.hand.size = kept
    if gold:
        seat.gold = changed(game, seat.gold, gold * (laid - before))    # GM-N7
    add_mana(game, seat, mana)


cdef inline Mask _at_own_prices(
    const Game* game, const Seat* seat, Mask found, const Mask* asked
) noexcept nogil:
    """Return options among which kinds that do not cost what is printed are set right."""
    cdef Mask again = repriced(game, seat)
    cdef int kind, cost
    again.low &= asked.low
    again.high &= asked.high
    while not mask_empty(&again):
        kind = mask_take(&again)
        cost = price(game, seat, kind)
        if not mask_has(&game.book.mana_only, kind):
            cost -= <int>(seat.silver + seat.gold)
        if cost <= game.mana:
            mask_put(&found, kind)
        else:
            mask_drop(&found, kind)
    return found


cdef inline Mask acquire_options(const Game* game, const Seat* seat) noexcept nogil:
    """Return what can be acquired or contracted and paid for now, and ``stop``."""
    cdef const Book* book = game.book
    cdef int64_t payable = game.mana + seat.silver + seat.gold
    cdef int mana = MOST_COST if game.mana > MOST_COST else <int>game.mana
    cdef int all = MOST_COST if payable > MOST_COST else <int>payable
    cdef Mask offered = kinds_on_offer(game, seat), found = offered
    cdef const Mask* by_all = &book.kinds_within[all]
    cdef const Mask* by_mana = &book.kinds_within[mana]
    cdef const Mask* witches
    found.low &= by_mana.low | (by_all.low & ~book.mana_only.low)
    found.high &= by_mana.high | (by_all.high & ~book.mana_only.high)
    found = _at_own_prices(game, seat, found, &offered)
    if seat.witch < 0:
        witches = &book.witches_within[game.round >= book.rules.discount_round][mana]
        found.low |= game.witches.low & witches.low & ~seat.banned.low
        found.high |= game.witches.high & witches.high & ~seat.banned.high
    mask_put(&found, book.stop)
    return found


cdef inline void _play_seals(Game* game, Seat* seat, int kind) noexcept nogil:
    """Play what the seals on a kind's pile give to who acquires from it (GM-K4)."""
    cdef int i
    for i in range(game.book.rules.seals):
        if game.seals[i] == kind and game.end_reason < 0:
            play_effects(
                game, seat, game.book.seals[i].effect_first, game.book.seals[i].effect_count
            )


cdef inline void acquire(Game* game, Seat* seat, int kind) noexcept nogil:
    """Pay for a card and take it: mana first, then silver, then gold (GM-T5)."""
    cdef int64_t cost = price(game, seat, kind)
    cdef int64_t mana = cost if cost < game.mana else game.mana
    cdef int64_t silver = cost - mana if cost - mana < seat.silver else seat.silver
    spend_acquisition(game, seat)
    game.mana -= mana
    seat.silver -= silver
    seat.gold -= cost - mana - silver
    seat.gold_spent += cost - mana - silver
    obtain(game, seat, kind, TO_DISCARD, False)
    if mask_has(&game.sealed, kind):
        _play_seals(game, seat, kind)


cdef inline void acquisition_phase(Game* game, Seat* seat) noexcept nogil:
    cdef Mask legal
    cdef int code
    lay_down_stones(game, seat)
    while game.acquisitions > 0 and game.status == 0 and game.end_reason < 0:
        legal = acquire_options(game, seat)
        code = decide(game, seat, ACQUIRE, &legal)
        if code == game.book.stop:
            break
        if code >= game.book.rules.kinds:
            contract(game, seat, code - game.book.rules.kinds)
        else:
            acquire(game, seat, code)


cdef inline bint _wants_extra_turn(Game* game, Seat* seat) noexcept nogil:
    """Whether an extra turn follows: it was earned, or the witch sells one (GM-T13, GM-N7)."""
    cdef int gold = own_witch(game, seat).extra_turn_gold
    cdef Mask legal
    cdef int code
    if game.extra_earned:
        return True
    if gold <= 0 or seat.gold < gold:
        return False
    code = game.book.rules.kinds + seat.witch
    legal = mask_none()
    mask_put(&legal, code)
    mask_put(&legal, game.book.stop)
    if decide(game, seat, EXTRA_TURN, &legal) != code:
        return False
    seat.gold -= gold
    seat.gold_spent += gold
    return True


cdef inline void _pass_on(Game* game, Seat* seat) noexcept nogil:
    """Go on to an extra turn, the next seat or the next round."""
    game.extra = not game.extra and _wants_extra_turn(game, seat)
    game.extra_earned = 0
    if game.extra:
        return
    game.on_turn += 1
    if game.on_turn < game.players:
        return
    record_round(game)
    if game.round >= game.book.rules.round_cap:     # GM-W10
        game.end_reason = ROUND_CAP
        return
    game.on_turn = 0
    game.round += 1     # GM-T9


cdef inline void end_turn(Game* game, Seat* seat) noexcept nogil:
    """End a turn: clear up, draw, refill, test the end, pass on (GM-T7, GM-T12)."""
    if game.extra:
        judge(game, seat, VICTORY_GOLD)
        if game.end_reason >= 0:
            return
    pour(&seat.play, &seat.discard)     # (a)
    pour(&seat.hand, &seat.discard)
    draw(game, seat, game.book.rules.turn_hand)     # (b)
    game.mana = game.casts = game.acquisitions = 0  # (c)
    seat.silver = 0
    refill(game)    # (d)
    if game.field_kinds <= game.book.rules.end_kinds:   # (e), GM-W1
        game.end_reason = FIELD_END
        record_round(game)
        return
    _pass_on(game, seat)


cdef inline void play_turn(Game* game) noexcept nogil:
    cdef Seat* seat = &game.seats[game.on_turn]
    start_turn(game, seat)
    if game.end_reason < 0:
        cast_phase(game, seat)
    if game.end_reason < 0:
        acquisition_phase(game, seat)
    if game.end_reason < 0:
        end_turn(game, seat)
