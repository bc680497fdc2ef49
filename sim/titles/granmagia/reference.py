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
* Piles are shuffled lazily (``state.Pile``, twin of ``sim.core._piles``): the end of the array is
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
* A contract: pay, take the witch, remove the apprentice, burn the notes, then the gifts in their
  order. Notes are burned in the order hand, deck from the top down, discard pile, play area, own
  field. Removal from a deck keeps the order of the rest, and what of it is settled.
* Effects happen in the order of a card's text; the card lies in the play area before the first.
* The field is refilled after the end-of-turn draw; then the end is tested.
* Streams: ``supply``, ``magic`` (the magic deck), and for each seat ``deck`` and ``policy``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.policy import SLIP_UNIT, PolicyTable, choose
from sim.core.records import NO_VALUE
from sim.core.title import WIN
from sim.errors import (
    COUNTER_OVERFLOW,
    PILE_OVERFLOW,
    EngineError,
    InputError,
    UnknownNameError,
)
from sim.titles.granmagia import results
from sim.titles.granmagia.contracts import contract, contract_cost
from sim.titles.granmagia.effects import play_effects
from sim.titles.granmagia.info import (
    ACQUIRE,
    CAST,
    DECISIONS,
    END_REASONS,
    FIELD_END,
    INFO,
    ROUND_CAP,
    STREAMS,
)
from sim.titles.granmagia.limits import MOST_COUNTED, PILE_CAPACITY
from sim.titles.granmagia.observe import observe
from sim.titles.granmagia.state import Card, Pile, Seat, Stream
from sim.titles.granmagia.story import Story
from sim.titles.granmagia.supply import refill, set_up
from sim.titles.granmagia.tables import ENDLESS, NO_PILE, Flag, Tables
from sim.titles.granmagia.view import View

__all__ = ["Game", "reference"]


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
        self.bans = [0] * players if bans is None else [_bits(row) for row in bans]
        self.stop = tables.words.stop
        self.seats: list[Seat] = [Seat(index) for index in range(players)]
        self._deck_streams = [
            self.stream(STREAMS.number("deck", index)) for index in range(players)
        ]
        self._policy_streams = [
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
        self.seal_piles = [-1] * len(tables.seal_names)
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
        self.mana_obtained: int = 0
        self.extra = False
        self.extra_earned = False
        # The end, and what is recorded.
        self.end_reason = -1
        self.ranks: list[int] = []
        self.win60: list[int] = []
        shape = (players, len(tables.kind_names), len(INFO.card_fields))
        self.counts = np.zeros(shape, np.int64)
        for kind, bits in enumerate(tables.flags):
            if bits & Flag.ON_OFFER:
                self.counts[:, kind, 0] = 1
        self.series = np.full((players, tables.rule["round_cap"], 1), NO_VALUE, np.int16)
        self.script: deque[str] = deque()
        self.story = Story(self) if trace else None

    # -- small things ----------------------------------------------------------------------------

    @property
    def lineup_names(self) -> list[str]:
        """What the seats play, for the story."""
        return [
            self.policies.names[entry]
            if self.policies is not None and isinstance(entry, int | np.integer)
            else type(entry).__name__
            for entry in self.lineup
        ]

    def stream(self, number: int) -> Stream:
        """Return a random stream of this deal."""
        return Stream(self.key, number, self.deal)

    def deck_stream(self, seat: Seat) -> Stream:
        """Return the stream that orders a seat's deck."""
        return self._deck_streams[seat.index]

    def new_card(self, kind: int) -> Card:
        """Return the next copy of a kind."""
        self._copies[kind] += 1
        return Card(kind, self._copies[kind])

    def truth(self, seat: Seat) -> int:
        """Return a seat's truth (GM-W2); a curse's truth is its negative in the data."""
        truth = self.tables.truth
        return sum(truth[card.kind] for card in seat.cards()) + seat.tokens

    def moved(self, card: Card, source: str, target: str, owner: Seat) -> None:
        """Tell a move that was made."""
        if self.story:
            self.story.move(card, source, target, owner)

    def looked(self, seat: Seat, cards: list[Card]) -> None:
        """Tell what a seat saw of its deck."""
        if self.story:
            names = self.tables.words.options
            self.story.add(
                "state",
                what="looked",
                owner=seat.index + 1,
                cards=[names[card.kind] for card in cards],
            )

    def add(self, what: str, seat: Seat, by: int) -> None:
        """Change mana, casts or acquisitions of the turn; never below 0 (GM-T15)."""
        before = getattr(self, what)
        now = _within(max(before + by, 0))
        setattr(self, what, now)
        if what == "mana" and by > 0:
            seat.mana_total = _within(seat.mana_total + by)
        if self.story and now != before:
            self.story.change(what, seat, now - before, now)

    def add_coins(self, what: str, seat: Seat, by: int) -> None:
        """Change a seat's silver or gold; never below 0 (GM-T15)."""
        before = getattr(seat, what)
        now = _within(max(before + by, 0))
        setattr(seat, what, now)
        if self.story and now != before:
            self.story.change(what, seat, now - before, now)

    # -- decisions -------------------------------------------------------------------------------

    def decide(self, seat: Seat, decision: int, options: Iterable[int]) -> int:
        """Let a seat choose among option codes. One option is taken without asking."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        code = self._chosen(seat, decision, legal)
        if self.story:
            self.story.choose(DECISIONS[decision].id, seat, legal, code)
        return code

    def _chosen(self, seat: Seat, decision: int, legal: list[int]) -> int:
        if self.script:
            code = self._code(DECISIONS[decision].id, self.script[0], legal)
            self.script.popleft()
            return code
        entry = self.lineup[seat.index]
        if isinstance(entry, int | np.integer) and self.policies is not None:
            policy = int(entry)
            slip = int(self.policies.slip[policy])
            if slip:
                stream = self._policy_streams[seat.index]
                if stream.bounded(SLIP_UNIT) < slip:
                    return legal[stream.bounded(len(legal))]
            return choose(
                self.policies,
                policy,
                decision,
                legal,
                lambda number, argument: observe(self, seat, number, argument),
            )
        method = getattr(entry, DECISIONS[decision].id, None)
        if method is None:
            return self.stop if self.stop in legal else legal[0]
        names = tuple(self.tables.words.options[code] for code in legal)
        return self._code(DECISIONS[decision].id, method(View(self, seat), names), legal)

    def _code(self, decision: str, name: str, legal: list[int]) -> int:
        options = self.tables.words.options
        if name not in options:
            raise UnknownNameError(f"choice for {decision!r}", str(name), options)
        code = options.index(name)
        if code not in legal:
            allowed = ", ".join(options[one] for one in legal)
            raise InputError(f"{decision}: found {name!r}; allowed: {allowed}")
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
            self.story.add("shuffle", zone="deck", owner=seat.index + 1, cards=len(seat.deck.cards))
        return True

    def draw(self, seat: Seat, number: int) -> None:
        """Draw cards one at a time; with deck and discards empty the rest is lost (GM-T8)."""
        for _ in range(number):
            if not seat.deck.cards and not self.reshuffle(seat):
                break
            card = seat.deck.draw(self.deck_stream(seat))
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

    def obtain(self, seat: Seat, kind: int, place: str) -> bool:
        """Move a card from its pile or the field to a seat; False when there is none."""
        flags = self.tables.flags[kind]
        if flags & Flag.NAMED_ONLY and seat.witch < 0:
            return False  # GM-C3
        if sum(1 for _ in seat.cards()) >= PILE_CAPACITY:
            raise EngineError(PILE_OVERFLOW, INFO.id)  # GM-W11
        if kind in self.field:
            stack = self.field[kind]
            card, source = stack.pop(), "field"
            if not stack:
                del self.field[kind]
        elif flags & Flag.ON_OFFER and self.piles[kind] == 0:
            return False  # GM-F5
        else:
            card, source = self.new_card(kind), "pile"
            if self.tables.kinds["pile"][kind] != NO_PILE and self.piles[kind] != ENDLESS:
                self.piles[kind] -= 1
        (seat.hand if place == "hand" else seat.discard).append(card)
        self.counts[seat.index, kind, 3] += 1
        self.moved(card, source, place, seat)
        if flags & Flag.ARCANA:
            seat.arcana_taken += 1
            self._burn_magic()
        return True

    def _burn_magic(self) -> None:
        """Burn the top of the magic deck (GM-F8); an empty one burns nothing (GM-F11)."""
        for _ in range(min(self.tables.rule["arcana_burn"], len(self.magic_deck.cards))):
            card = self.magic_deck.draw(self.magic_stream)
            self.burned.append(card)
            if self.story:
                self.story.move(card, "magic_deck", "burned", None)

    def receive(self, seat: Seat, kind: int, place: str) -> None:
        """Give a seat a card without payment."""
        if self.obtain(seat, kind, place):
            seat.receipts += 1

    # -- a turn ----------------------------------------------------------------------------------

    @property
    def current(self) -> Seat:
        """The seat on turn."""
        return self.seats[self.on_turn]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end_reason >= 0

    def start_turn(self) -> None:
        """Start a turn, in the order of GM-T1."""
        seat, rule = self.current, self.tables.rule
        self.phase = "start"
        self.turn += 1
        seat.turns += 1
        if self.story:
            self.story.add("state", what="turn", owner=seat.index + 1, turns=seat.turns)
        self.mana = 0
        self.casts = self.acquisitions = 0
        self.add("casts", seat, rule["turn_casts"])
        self.add("acquisitions", seat, rule["turn_acquisitions"])
        # 1. Special victories are judged here once they are modelled (GM-W4).
        self._reversal(seat)  # 2.
        # 3. Duration and permanent cards, 4. the witch's ability: not modelled yet.
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
        flags = self.tables.flags
        found = {self.stop}
        if self.casts > 0:
            found |= {card.kind for card in self.current.hand if flags[card.kind] & Flag.CASTABLE}
        return found

    def cast(self, kind: int) -> None:
        """Use a magic card from hand for one cast (GM-T3)."""
        seat = self.current
        self.add("casts", seat, -1)
        seat.casts += 1
        card = self.take_from_hand(seat, kind)
        seat.play.append(card)
        self.moved(card, "hand", "play", seat)
        play_effects(self, seat, kind)

    def enter_acquisition(self) -> None:
        """Lay down all stones in hand (GM-T4)."""
        seat, mana, sorts = self.current, self.tables.mana, self.tables.sort
        self.phase = "acquire"
        stones = [card for card in seat.hand if sorts[card.kind] == "stone"]
        seat.hand = [card for card in seat.hand if sorts[card.kind] != "stone"]
        for card in stones:
            seat.play.append(card)
            self.moved(card, "hand", "play", seat)
            self.add("mana", seat, mana[card.kind])

    def acquire_options(self) -> set[int]:
        """Return what can be acquired or contracted and paid for now; ``stop`` ends the turn."""
        seat, tables = self.current, self.tables
        found = {self.stop}
        if self.acquisitions <= 0:
            return found
        coins = seat.silver + seat.gold
        for kind in self.kinds_on_offer(seat):
            usable = 0 if tables.flags[kind] & Flag.MANA_ONLY else coins
            if tables.cost[kind] <= self.mana + usable:
                found.add(kind)
        if seat.witch < 0:
            for witch in self.witches:
                code = tables.rule["kinds"] + witch
                if contract_cost(self, witch) <= self.mana and not self._banned(seat, code):
                    found.add(code)
        return found

    def _banned(self, seat: Seat, code: int) -> bool:
        return bool(self.bans[seat.index] >> code & 1)

    def acquire(self, kind: int) -> None:
        """Pay for a card and take it: mana first, then silver, then gold (GM-T5)."""
        seat, cost = self.current, self.tables.cost[kind]
        self.add("acquisitions", seat, -1)
        seat.acquisitions += 1
        mana = min(cost, self.mana)
        silver = min(cost - mana, seat.silver)
        gold = cost - mana - silver
        self.add("mana", seat, -mana)
        self.add_coins("silver", seat, -silver)
        self.add_coins("gold", seat, -gold)
        seat.gold_spent += gold
        self.obtain(seat, kind, "discard")

    def contract(self, witch: int) -> None:
        """Make a contract (GM-C)."""
        contract(self, self.current, witch)

    def end_turn(self) -> None:
        """End a turn: clear up, draw, refill, test the end, pass on (GM-T7)."""
        seat, rule = self.current, self.tables.rule
        self.phase = "end"
        for card in seat.play:  # (a)
            self.moved(card, "play", "discard", seat)
        for card in seat.hand:
            self.moved(card, "hand", "discard", seat)
        seat.discard += seat.play + seat.hand
        seat.play, seat.hand = [], []
        self.draw(seat, rule["turn_hand"])  # (b)
        for what in ("mana", "casts", "acquisitions"):  # (c)
            self.add(what, seat, -getattr(self, what))
        self.add_coins("silver", seat, -seat.silver)
        refill(self)  # (d)
        if len(self.field) <= rule["end_kinds"]:  # (e), GM-W1
            self._finish(FIELD_END)
            return
        self.on_turn += 1
        if self.on_turn < len(self.seats):
            self.phase = "start"
            return
        self.on_turn = 0
        if self.round >= rule["round_cap"]:  # GM-W10
            self.on_turn = len(self.seats) - 1
            self._finish(ROUND_CAP)
            return
        self._record_round()
        self.round += 1  # GM-T9
        self.phase = "start"

    def _record_round(self) -> None:
        for seat in self.seats:
            self.series[seat.index, self.round - 1, 0] = self.truth(seat)

    def _finish(self, reason: int) -> None:
        """End the game: most truth, then fewer own turns, then a shared win (GM-W1)."""
        self.phase, self.end_reason = "over", reason
        self._record_round()
        scores = [self.truth(seat) for seat in self.seats]
        standing = [(-scores[seat.index], seat.turns) for seat in self.seats]
        self.ranks = [1 + sum(other < own for other in standing) for own in standing]
        winners = self.ranks.count(1)
        self.win60 = [WIN // winners if rank == 1 else 0 for rank in self.ranks]
        for seat in self.seats:
            for card in seat.cards():
                self.counts[seat.index, card.kind, 4] += 1
        if self.story:
            self.story.add(
                "end",
                reason=END_REASONS[reason].id,
                scores=scores,
                ranks=self.ranks,
                win60=self.win60,
            )

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
        while self.acquisitions > 0:
            code = self.decide(self.current, ACQUIRE, self.acquire_options())
            if code == self.stop:
                break
            if code >= self.tables.rule["kinds"]:
                self.contract(code - self.tables.rule["kinds"])
            else:
                self.acquire(code)
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


def _bits(words: Iterable[Any]) -> int:
    return sum(int(word) << 64 * place for place, word in enumerate(words))


def reference(
    tables: Tables,
    policies: PolicyTable | None,
    bans: npt.NDArray[np.uint64] | None,
    key: npt.NDArray[np.uint64],
    deal: int,
    lineup: Sequence[Any],
    *,
    trace: bool = False,
) -> results.FinishedGame:
    """Play one addressed game (see ``sim.core.title.Reference``)."""
    game = Game(tables, policies, bans, key, deal, lineup, trace=trace)
    game.set_up()
    game.play()
    return results.finished(game)
