"""The reference engine: the rulebook as plain Python.

The kernel plays exactly the same game. What both must do in the same way, because it decides which
card is where and which random number is drawn when, is fixed here.

Order conventions
-----------------
* A hand is in the order drawn; a card that comes to hand goes to its end. Using, discarding,
  burning or exchanging a kind takes the first card of that kind in hand; the others move up.
* Discard piles and play areas are appended to. At a turn's end the cards in play go to the discard
  pile in the order used, then the hand in its order.
* Stones are laid down in hand order, on entering the acquisition phase.
* Piles are shuffled lazily (``sim.core.pile``, twin of ``_piles.pxd``): the end of the array is
  the top. A reshuffle makes the discard pile's array, in its order, the deck's array.
* A starting deck's array is in the order of kind codes: fragments, notes, apprentice witch. The
  magic deck's array is the drawn kinds in the order drawn, all copies of one before the next, then
  the rares in the order drawn.
* Supply stream: ``j = bounded(candidates left)``; a third or further burn kind then draws
  ``bounded(10000)`` and is refused when that is at or above ``third_burn_accept``; an accepted kind
  is replaced by the last candidate. Candidates start in ascending code order for each set. The
  rares follow on the same stream in the same manner.
* Set-up draws the opening hands seat by seat, then fills the field.
* Options are ascending codes: kinds, then witches, then ``stop``. A decision with one option is not
  asked and draws nothing.
* An arcana is put in its place first, then the magic deck burns.
* A contract: pay, take the witch, remove the apprentice, burn the notes, count them where they
  count as arcana, then the gifts in their order, then the contract is judged. Notes are burned in
  the order hand, deck from the top down, discard pile, play area, own field. Removal from a deck
  keeps the order of the rest, and what of it is settled.
* A card that is used: the cast, the move to its place, its use counted (kinds judged, then uses),
  its effects, a familiar's reward, what its uses bring. The card lies in its place before the
  first effect.
* The effects of a text happen in its order. What the text has discarded and burned, and who has
  defended against it, is forgotten at the end of that text: of a card, a turn start, a reward, an
  ability, a seal.
* A turn starts with the judgement of an announcement, that of curses, the turn's casts and
  acquisitions, the reversal, the cards of the own field in the order laid (each: its effects, then
  a duration card's move or a permanent familiar's reward), the ability, truth for tokens (burn,
  tokens, draw).
* Laying stones down: all of them in hand order, then gold for them, then their mana at once.
* An acquisition: pay, take the card, then the effects of the seals on its pile by seal number.
* An obtained card is put in its place and counted; for an arcana the count of arcana follows, then
  the magic deck burns, then the arcana is judged.
* A reward: its effects, the count, the judgement. Tokens and mana: the change, the judgement.
* Attacks go round from the next seat. A seat settles its defence at the first effect of the text
  that attacks it, and is hit or safe for the whole text: barrier, the first doll laid that has not
  defended yet, the payment for the first doll, a card in hand. What a seat suffers comes before the
  next one settles; when seats discard, all settle before the first one chooses.
* Curses are dealt one by one, each from its pile (or the attacker's hand) to the discard pile.
* The end of a turn: gold judged in an extra turn; play area, hand, draw, resources, refill, the
  test of the end; then the extra turn that was earned, or else the one that may be paid for; then
  the next seat, and after the last one the next round.
* A special victory that is won ends the game where its event is: nothing after it happens.
* Streams: ``supply``, ``magic`` (the magic deck), and for each seat ``deck`` and ``policy``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from sim.core.mask import bits
from sim.core.pile import Card, Pile
from sim.core.policy import PolicyTable
from sim.core.records import NO_VALUE, FinishedGame
from sim.core.stream import Stream
from sim.errors import COUNTER_OVERFLOW, PILE_OVERFLOW, EngineError, InputError
from sim.titles.granmagia import results
from sim.titles.granmagia.abilities import start_effects
from sim.titles.granmagia.choosing import chosen
from sim.titles.granmagia.contracts import contract, contract_cost
from sim.titles.granmagia.effects import hold, play_text
from sim.titles.granmagia.endings import end_turn, finish
from sim.titles.granmagia.info import (
    ACQUIRE,
    CAST,
    DECISIONS,
    INFO,
    SPECIAL,
    STREAMS,
)
from sim.titles.granmagia.limits import MOST_COUNTED, MOST_IN_COLUMN, MOST_TOKENS, PILE_CAPACITY
from sim.titles.granmagia.state import Seat
from sim.titles.granmagia.story import Story
from sim.titles.granmagia.supply import set_up
from sim.titles.granmagia.tables import ENDLESS, NO_PILE, Flag, Tables
from sim.titles.granmagia.uses import use
from sim.titles.granmagia.victories import (
    ARCANA_OWNED,
    ARCANA_SPREAD,
    MANA,
    TOKENS,
    GameOver,
    event,
    judge_start,
    penalty,
)

__all__ = ["Game", "reference"]

Step = TypeVar("Step", bound=Callable[..., None])


def _step(method: Step) -> Step:
    """Make a step of a game end where the game is won (GM-W4)."""

    @wraps(method)
    def step(*args: Any) -> None:
        with suppress(GameOver):
            method(*args)

    return cast(Step, step)


class Game:
    """One game, from before its set-up to its end.

    Parameters
    ----------
    tables : Tables
    policies : PolicyTable or None
        Needed when a line-up entry is a number.
    bans : uint64 array, shape (seats, MASK_WORDS), or None
        Options that a seat must not obtain by its own choice.
    key : uint64 array, shape (2,)
    deal : int
    lineup : sequence
        One entry a seat: an index into ``policies``, an object (or a class, made anew here) with
        decision points as methods ``(view, options) -> option``, or None for the default choice.
    trace : bool
        Whether to tell the story.
    """

    def __init__(
        self,
        tables: Tables,
        policies: PolicyTable | None,
        bans: npt.NDArray[np.uint64] | None,
        key: npt.NDArray[np.uint64],
        deal: int,
        lineup: Sequence[Any],
        *,
        trace: bool = False,
    ) -> None:
        players = len(lineup)
        if players not in INFO.players:
            raise InputError(f"players: found {players}; allowed: {INFO.players}")
        self.tables, self.policies, self.key, self.deal = tables, policies, key, deal
        self.lineup = [entry() if isinstance(entry, type) else entry for entry in lineup]
        self.bans = [0] * players if bans is None else [bits(row) for row in bans]
        self.stop = tables.words.stop
        self.seats: list[Seat] = [Seat(index) for index in range(players)]
        self.deck_streams = [self.stream(STREAMS.number("deck", index)) for index in range(players)]
        self.policy_streams = [
            self.stream(STREAMS.number("policy", index)) for index in range(players)
        ]
        self.magic_stream = self.stream(STREAMS.number("magic"))
        self._copies = [0] * len(tables.kind_names)
        # The public field.
        self.chosen: list[int] = []
        self.rares: list[int] = []
        self.field: dict[int, list[Card]] = {}
        self.magic_deck: Pile = Pile()
        self.piles = [0] * len(tables.kind_names)
        self.witches: list[int] = []
        self.burned: list[Card] = []
        self.removed: list[Card] = []
        self.seal_piles: list[int] = [-1] * len(tables.seal_names)
        # The turn under way.
        self.phase = "setup"
        self.round: int = 1
        self.turn: int = 0
        self.on_turn: int = 0
        self.mana: int = 0
        self.casts: int = 0
        self.acquisitions: int = 0
        self.just_discarded: int = 0
        self.just_burned: int = 0
        self.hit: dict[int, bool] = {}  # seats that settled the attack under way; who is hit
        self.mana_obtained: int = 0
        self.extra: bool = False
        self.extra_earned: bool = False
        # The end, and what is recorded.
        self.end_reason = -1
        self.ranks: list[int] = []
        self.win60: list[int] = []
        shape = (players, len(tables.kind_names), len(INFO.card_fields))
        self.counts = np.zeros(shape, np.int64)
        for kind, flags in enumerate(tables.flags):
            if flags & Flag.ON_OFFER:
                self.counts[:, kind, 0] = 1
        self.series = np.full((players, tables.rule["round_cap"], 1), NO_VALUE, np.int16)
        self.script: deque[str] = deque()
        self.story = Story(self) if trace else None

    # -- small things ----------------------------------------------------------------------------

    def stream(self, number: int) -> Stream:
        """Return a random stream of this deal."""
        return Stream(self.key, number, self.deal)

    def new_card(self, kind: int) -> Card:
        """Return the next copy of a kind."""
        self._copies[kind] += 1
        return Card(kind, self._copies[kind])

    def truth(self, seat: Seat) -> int:
        """Return a seat's truth (GM-W2); a curse's truth is its negative in the data."""
        truth = self.tables.truth
        cards = sum(truth[card.kind] for card in seat.cards())
        return cards + seat.tokens - penalty(self, seat)

    def power(self, seat: Seat, name: str) -> int:
        """Return a power of the seat's witch; 0 for an apprentice (GM-C7)."""
        return 0 if seat.witch < 0 else self.tables.witch_fields[seat.witch][name]

    def price(self, seat: Seat, kind: int) -> int:
        """Return what a kind costs a seat now: never below 0 (GM-K4, GM-T15)."""
        tables = self.tables
        seals = zip(tables.seal_cost, self.seal_piles, strict=True)
        price = tables.cost[kind] + sum(cost for cost, pile in seals if pile == kind)
        if tables.flags[kind] & Flag.ARCANA:
            price -= self.power(seat, "arcana_discount")
        return max(price, 0)

    def moved(self, card: Card, source: str, target: str, owner: Seat) -> None:
        """Tell a move that was made."""
        if self.story:
            self.story.move(card, source, target, owner)

    def add(self, what: str, seat: Seat, by: int) -> None:
        """Change mana, casts or acquisitions of the turn; never below 0 (GM-T15)."""
        before = getattr(self, what)
        now = _within(max(before + by, 0))
        setattr(self, what, now)
        if what == "mana" and by > 0:
            seat.mana_total = _within(seat.mana_total + by)
            self.mana_obtained = _within(self.mana_obtained + by)
        if self.story and now != before:
            self.story.change(what, seat, now - before, now)
        if what == "mana" and by > 0:
            event(self, seat, MANA)

    def spend_acquisition(self, seat: Seat) -> None:
        """Take one acquisition off the turn's; a turn that wins back all ends here (GM-W11)."""
        self.add("acquisitions", seat, -1)
        seat.acquisitions += 1
        if seat.acquisitions > MOST_IN_COLUMN:
            raise EngineError(COUNTER_OVERFLOW, INFO.id)

    def add_coins(self, what: str, seat: Seat, by: int) -> None:
        """Change a seat's silver or gold; never below 0 (GM-T15)."""
        before = getattr(seat, what)
        now = _within(max(before + by, 0))
        setattr(seat, what, now)
        if self.story and now != before:
            self.story.change(what, seat, now - before, now)

    def pay_gold(self, seat: Seat, gold: int) -> None:
        """Pay gold that is there."""
        self.add_coins("gold", seat, -gold)
        seat.gold_spent += gold

    def add_barriers(self, seat: Seat, by: int) -> None:
        """Change a seat's barriers (GM-A4)."""
        seat.barriers = _within(seat.barriers + by)
        if self.story and by:
            self.story.change("barriers", seat, by, seat.barriers)

    def add_tokens(self, seat: Seat, by: int) -> None:
        """Give a seat truth tokens (GM-W7)."""
        if by <= 0:
            return
        seat.tokens += by
        if seat.tokens > MOST_TOKENS:
            raise EngineError(COUNTER_OVERFLOW, INFO.id)
        if self.story:
            self.story.change("tokens", seat, by, seat.tokens)
        event(self, seat, TOKENS)

    def take_arcana(self, seat: Seat, number: int) -> None:
        """Count arcana as obtained."""
        seat.arcana_taken += number
        if self.story:
            self.story.change("arcana_taken", seat, number, seat.arcana_taken)

    # -- decisions -------------------------------------------------------------------------------

    def decide(self, seat: Seat, decision: int, options: Iterable[int]) -> int:
        """Let a seat choose among option codes. One option is taken without asking."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        code = chosen(self, seat, decision, legal)
        if self.story:
            self.story.choose(DECISIONS[decision].id, seat, legal, code)
        return code

    # -- cards -----------------------------------------------------------------------------------

    def reshuffle(self, seat: Seat) -> bool:
        """Shuffle the whole discard pile into a new deck; False when there is nothing (GM-T8)."""
        if not seat.discard:
            return False
        seat.deck = Pile(seat.discard)
        seat.discard = []
        seat.shuffles += 1
        if self.story:
            self.story.shuffle(seat, len(seat.deck.cards))
        return True

    def draw(self, seat: Seat, number: int) -> None:
        """Draw cards one at a time; with deck and discards empty the rest is lost (GM-T8)."""
        for _ in range(number):
            if not seat.deck.cards and not self.reshuffle(seat):
                break
            card = seat.deck.draw(self.deck_streams[seat.index])
            seat.hand.append(card)
            self.counts[seat.index, card.kind, 2] += 1
            self.moved(card, "deck", "hand", seat)

    def take_from_hand(self, seat: Seat, kind: int) -> Card:
        """Take the first card of a kind out of a hand."""
        index = next(i for i, card in enumerate(seat.hand) if card.kind == kind)
        return seat.hand.pop(index)

    def burn(self, seat: Seat, card: Card, zone: str) -> None:
        """Put an own card, already taken from its zone, into the burned zone (GM-T6, GM-T11)."""
        self.burned.append(card)
        seat.burns += 1
        self.moved(card, zone, "burned", seat)

    def kinds_on_offer(self, seat: Seat) -> set[int]:
        """Return the kinds that a seat may obtain by choice, whatever they cost (GM-F5, GM-C3)."""
        flags = self.tables.flags
        found = {
            kind
            for kind, size in enumerate(self.piles)
            if flags[kind] & Flag.ON_OFFER
            and size != 0
            and (seat.witch >= 0 or not flags[kind] & Flag.NAMED_ONLY)
        }
        found.update(self.field)
        bans = self.bans[seat.index]
        return {kind for kind in found if not bans >> kind & 1}

    def check_room(self, seat: Seat) -> None:
        """Refuse a card that a seat has no room for (GM-W11)."""
        if sum(1 for _ in seat.cards()) >= PILE_CAPACITY:
            raise EngineError(PILE_OVERFLOW, INFO.id)

    def obtain(self, seat: Seat, kind: int, place: str, *, received: bool = False) -> None:
        """Move a card from its pile or the field to a seat, if there is any."""
        flags = self.tables.flags[kind]
        if flags & Flag.NAMED_ONLY and seat.witch < 0:
            return  # GM-C3
        self.check_room(seat)
        if kind in self.field:
            stack = self.field[kind]
            card, source = stack.pop(), "field"
            if not stack:
                del self.field[kind]
        elif flags & Flag.ON_OFFER and self.piles[kind] == 0:
            return  # GM-F5
        else:
            card, source = self.new_card(kind), "pile"
            if self.tables.kinds["pile"][kind] != NO_PILE and self.piles[kind] != ENDLESS:
                self.piles[kind] -= 1
        (seat.hand if place == "hand" else seat.discard).append(card)
        self.counts[seat.index, kind, 3] += 1
        seat.receipts += received
        self.moved(card, source, place, seat)
        if flags & Flag.ARCANA:
            self.take_arcana(seat, 1)
            self._burn_magic()
            event(self, seat, ARCANA_SPREAD, ARCANA_OWNED)

    def _burn_magic(self) -> None:
        """Burn the top of the magic deck (GM-F8); an empty one burns nothing (GM-F11)."""
        for _ in range(min(self.tables.rule["arcana_burn"], len(self.magic_deck.cards))):
            card = self.magic_deck.draw(self.magic_stream)
            self.burned.append(card)
            if self.story:
                self.story.move(card, "magic_deck", "burned", None)

    def receive(self, seat: Seat, kind: int, place: str) -> None:
        """Give a seat a card without payment."""
        self.obtain(seat, kind, place, received=True)

    # -- a turn ----------------------------------------------------------------------------------

    @property
    def current(self) -> Seat:
        """The seat on turn."""
        return self.seats[self.on_turn]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end_reason >= 0

    @_step
    def start_turn(self) -> None:
        """Start a turn, in the order of GM-T1."""
        seat, rule = self.current, self.tables.rule
        self.phase = "start"
        self.turn += 1
        if self.extra:
            seat.extra_turns += 1
        else:
            seat.turns += 1  # GM-T9
        if self.story:
            self.story.turn(seat)
        self.mana = self.mana_obtained = 0
        self.casts = self.acquisitions = 0
        if not self.extra:
            judge_start(self, seat)  # 1.
        self.add("casts", seat, rule["turn_casts"])
        self.add("acquisitions", seat, rule["turn_acquisitions"])
        self._reversal(seat)  # 2.
        start_effects(self, seat)  # 3. and 4.
        self.phase = "cast"

    def _reversal(self, seat: Seat) -> None:
        """Draw up from a small hand (GM-T2)."""
        by_hand = self.tables.reversal
        number = int(by_hand[len(seat.hand)]) if len(seat.hand) < len(by_hand) else 0
        if number:
            seat.reversals += 1
            self.draw(seat, number)

    def cast_options(self) -> set[int]:
        """Return what can be done in the cast phase; ``stop`` moves on (GM-T3)."""
        seat, flags, needs = self.current, self.tables.flags, self.tables.kind_needs
        found = {self.stop}
        if self.casts > 0:
            kinds = {card.kind for card in seat.hand if flags[card.kind] & Flag.CASTABLE}
            found |= {kind for kind in kinds if hold(self, seat, needs[kind])}
        return found

    @_step
    def cast(self, kind: int) -> None:
        """Use a magic card from hand for one cast (GM-T3)."""
        seat = self.current
        self.add("casts", seat, -1)
        seat.casts += 1
        use(self, seat, self.take_from_hand(seat, kind))

    @_step
    def enter_acquisition(self) -> None:
        """Lay down all stones in hand (GM-T4)."""
        seat, mana, sorts = self.current, self.tables.mana, self.tables.sort
        self.phase = "acquire"
        stones = [card for card in seat.hand if sorts[card.kind] == "stone"]
        seat.hand = [card for card in seat.hand if sorts[card.kind] != "stone"]
        for card in stones:
            seat.play.append(card)
            self.moved(card, "hand", "play", seat)
        self.add_coins("gold", seat, len(stones) * self.power(seat, "stone_gold"))  # GM-N7
        self.add("mana", seat, sum(mana[card.kind] for card in stones))

    def acquire_options(self) -> set[int]:
        """Return what can be acquired or contracted and paid for now; ``stop`` ends the turn."""
        seat, tables = self.current, self.tables
        found = {self.stop}
        if self.acquisitions <= 0:
            return found
        coins = seat.silver + seat.gold
        for kind in self.kinds_on_offer(seat):
            usable = 0 if tables.flags[kind] & Flag.MANA_ONLY else coins
            if self.price(seat, kind) <= self.mana + usable:
                found.add(kind)
        if seat.witch < 0:
            for witch in self.witches:
                code = tables.rule["kinds"] + witch
                if contract_cost(self, witch) <= self.mana and not self._banned(seat, code):
                    found.add(code)
        return found

    def _banned(self, seat: Seat, code: int) -> bool:
        return bool(self.bans[seat.index] >> code & 1)

    @_step
    def acquire(self, kind: int) -> None:
        """Pay for a card and take it: mana first, then silver, then gold (GM-T5)."""
        seat = self.current
        cost = self.price(seat, kind)
        self.spend_acquisition(seat)
        mana = min(cost, self.mana)
        silver = min(cost - mana, seat.silver)
        gold = cost - mana - silver
        self.add("mana", seat, -mana)
        self.add_coins("silver", seat, -silver)
        self.pay_gold(seat, gold)
        self.obtain(seat, kind, "discard")
        for seal, pile in enumerate(self.seal_piles):  # GM-K4
            if pile == kind:
                play_text(self, seat, self.tables.seal_effects[seal])

    @_step
    def contract(self, witch: int) -> None:
        """Make a contract (GM-C)."""
        contract(self, self.current, witch)

    @_step
    def end_turn(self) -> None:
        """End a turn: clear up, draw, refill, test the end, pass on (GM-T7, GM-T12)."""
        end_turn(self)

    def win(self, seat: Seat) -> None:
        """End the game with a special victory (GM-W8)."""
        seat.special_victory = 1
        finish(self, SPECIAL, seat)

    # -- the whole -------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Set the game up (GM-S, GM-F)."""
        set_up(self)
        self.phase = "start"

    def play_turn(self) -> None:
        """Play what is left of the turn under way."""
        if self.phase == "start":
            self.start_turn()
        while self.phase == "cast":
            code = self.decide(self.current, CAST, self.cast_options())
            if code == self.stop:
                self.enter_acquisition()
            else:
                self.cast(code)
        while self.phase == "acquire" and self.acquisitions > 0:
            code = self.decide(self.current, ACQUIRE, self.acquire_options())
            if code == self.stop:
                break
            if code >= self.tables.rule["kinds"]:
                self.contract(code - self.tables.rule["kinds"])
            else:
                self.acquire(code)
        if not self.over:
            self.end_turn()

    def play(self) -> None:
        """Play to the end."""
        while not self.over:
            self.play_turn()


def _within(value: int) -> int:
    """Return what is counted, if it may grow so far (GM-W11)."""
    if value > MOST_COUNTED:
        raise EngineError(COUNTER_OVERFLOW, INFO.id)
    return value


def reference(
    tables: Tables,
    policies: PolicyTable | None,
    bans: npt.NDArray[np.uint64] | None,
    key: npt.NDArray[np.uint64],
    deal: int,
    lineup: Sequence[Any],
    *,
    trace: bool = False,
) -> FinishedGame:
    """Play one addressed game (see ``sim.core.title.Reference``)."""
    game = Game(tables, policies, bans, key, deal, lineup, trace=trace)
    game.set_up()
    game.play()
    return results.finished(game)
