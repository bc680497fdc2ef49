"""The reference engine: the rulebook as plain Python.

The kernel plays exactly the same game. What both must do in the same way, because it decides which
card is where and which random number is drawn when, is fixed here.

Order conventions
-----------------
* A hand is in the order drawn. Playing, discarding or trashing a kind takes the first card of that
  kind in hand; the others move up. Discard piles and play areas are appended to.
* Treasures are laid down in hand order. In the clean-up the play area goes to the discard pile in
  its order, then the hand in its order.
* Piles are shuffled lazily (``sim.core.pile``, twin of ``_piles.pxd``): the end of the array is
  the top. A reshuffle makes the discard pile's array, in its order, the deck's array. A starting
  deck's array is its coppers, then its estates.
* Supply stream: the candidates start in ascending order; ``j = bounded(candidates left)``, and the
  kind drawn is replaced by the last candidate.
* Set-up draws the supply, then the opening hands seat by seat.
* Options are ascending codes: kinds, then ``stop``. A decision with one option is not asked and
  draws nothing.
* An attack takes one seat after the other, from the next seat on: its reaction is looked for, then
  it suffers, with all its decisions, before the next one.
* Streams: ``supply``, and for each seat ``deck`` and ``policy``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.mask import bits
from sim.core.pile import Card, Pile
from sim.core.policy import PolicyTable
from sim.core.records import NO_VALUE, FinishedGame
from sim.core.stream import Stream
from sim.core.title import WIN
from sim.errors import COUNTER_OVERFLOW, PILE_OVERFLOW, EngineError, InputError
from sim.titles.classic.choosing import chosen
from sim.titles.classic.effects import play_text
from sim.titles.classic.info import (
    ACTION,
    BUY,
    DECISIONS,
    END_REASONS,
    INFO,
    PILES_END,
    PROVINCES_END,
    ROUND_CAP,
    STREAMS,
)
from sim.titles.classic.results import finished
from sim.titles.classic.schema import BASIC, MOST_COUNTED, PILE_CAPACITY, PROVINCE
from sim.titles.classic.state import Seat
from sim.titles.classic.story import Story
from sim.titles.classic.tables import Tables

__all__ = ["DRAWN", "Game", "reference"]

#: Fields of the cards group.
OFFERED, OPENING, DRAWN, ACQUIRED, OWNED = range(len(INFO.card_fields))


class Game:
    """One game, from before its set-up to its end.

    Parameters
    ----------
    tables : Tables
    policies : PolicyTable or None
        Needed when a line-up entry is a number.
    bans : uint64 array, shape (seats, MASK_WORDS), or None
        Kinds that a seat must not obtain by its own choice.
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
        self.supply_stream = Stream(key, STREAMS.number("supply"), deal)
        self.deck_streams = [Stream(key, STREAMS.number("deck", s), deal) for s in range(players)]
        self.policy_streams = [
            Stream(key, STREAMS.number("policy", s), deal) for s in range(players)
        ]
        self._copies = [0] * len(tables.kind_names)
        # The supply; with all action kinds until it is drawn.
        self.piles: list[int] = tables.piles[players - 1].tolist()
        self.supply = {kind for kind, size in enumerate(self.piles) if size}
        self.trash: list[Card] = []
        # The turn under way.
        self.phase = "setup"
        self.round: int = 1
        self.turn: int = 0
        self.on_turn: int = 0
        self.actions: int = 0
        self.buys: int = 0
        self.coins: int = 0
        self.just_discarded: int = 0
        # The end, and what is recorded.
        self.end_reason = -1
        self.ranks: list[int] = []
        self.win60: list[int] = []
        shape = (players, len(tables.kind_names), len(INFO.card_fields))
        self.counts = np.zeros(shape, np.int64)
        shape = (players, tables.rule["round_cap"], len(INFO.series))
        self.series = np.full(shape, NO_VALUE, np.int16)
        self.script: deque[str] = deque()
        self.story = Story(self) if trace else None

    # -- small things ----------------------------------------------------------------------------

    @property
    def current(self) -> Seat:
        """The seat on turn."""
        return self.seats[self.on_turn]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end_reason >= 0

    def new_card(self, kind: int) -> Card:
        """Return the next copy of a kind."""
        self._copies[kind] += 1
        return Card(kind, self._copies[kind])

    def points(self, seat: Seat) -> int:
        """Return a seat's points (CL-E2)."""
        faces = self.tables.faces
        return sum(faces[card.kind].points for card in seat.cards())

    def piles_out(self) -> int:
        """Return how many piles of the supply are empty (CL-E1)."""
        return sum(self.piles[kind] == 0 for kind in self.supply)

    def add(self, what: str, by: int) -> None:
        """Change actions, buys or coins of the turn (CL-E5)."""
        now = getattr(self, what) + by
        if now > MOST_COUNTED:
            raise EngineError(COUNTER_OVERFLOW, INFO.id)
        setattr(self, what, now)
        if self.story and by:
            self.story.change(what, self.current, by, now)

    def move(self, seat: Seat, card: Card, source: str, target: str) -> None:
        """Put a card, already taken from its place, where it goes."""
        zone = self.trash if target == "trash" else getattr(seat, target)
        zone.append(card)
        if self.story:
            self.story.move(card, source, target, seat)

    def take_from_hand(self, seat: Seat, kind: int) -> Card:
        """Take the first card of a kind out of a hand."""
        index = next(i for i, card in enumerate(seat.hand) if card.kind == kind)
        return seat.hand.pop(index)

    def draw(self, seat: Seat, number: int) -> None:
        """Draw cards one at a time; with deck and discard pile empty the rest is lost (CL-T6)."""
        for _ in range(number):
            if not seat.deck.cards:
                if not seat.discard:
                    break
                seat.deck, seat.discard = Pile(seat.discard), []
                seat.shuffles += 1
                if self.story:
                    self.story.shuffle(seat, len(seat.deck.cards))
            card = seat.deck.draw(self.deck_streams[seat.index])
            self.counts[seat.index, card.kind, DRAWN] += 1
            self.move(seat, card, "deck", "hand")

    def kinds_on_offer(self, seat: Seat, most: int) -> set[int]:
        """Return the kinds that a seat may obtain by choice and that cost up to so much."""
        faces, bans = self.tables.faces, self.bans[seat.index]
        return {
            kind
            for kind, size in enumerate(self.piles)
            if size and faces[kind].cost <= most and not bans >> kind & 1
        }

    def obtain(self, seat: Seat, kind: int) -> None:
        """Move a card from its pile, which is not empty, to a seat's discard pile."""
        if sum(1 for _ in seat.cards()) >= PILE_CAPACITY:
            raise EngineError(PILE_OVERFLOW, INFO.id)
        self.piles[kind] -= 1
        self.counts[seat.index, kind, ACQUIRED] += 1
        self.move(seat, self.new_card(kind), "pile", "discard")

    def decide(self, seat: Seat, decision: int, options: Iterable[int]) -> int:
        """Let a seat choose among option codes. One option is taken without asking."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        code = chosen(self, seat, decision, legal)
        if self.story:
            self.story.choose(DECISIONS[decision].id, seat, legal, code)
        return code

    # -- set-up ----------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Set the game up; afterwards seat 1 is on turn (CL-S)."""
        tables = self.tables
        chosen_kinds, pool = tables.fixed.tolist(), tables.pool.tolist()
        while len(chosen_kinds) < tables.rule["supply_kinds"]:  # CL-S4
            j = self.supply_stream.bounded(len(pool))
            chosen_kinds.append(pool[j])
            pool[j] = pool[-1]
            pool.pop()
        for kind in range(len(BASIC), len(self.piles)):
            if kind not in chosen_kinds:
                self.piles[kind] = 0
        self.supply = {kind for kind, size in enumerate(self.piles) if size}
        self.counts[:, sorted(self.supply), OFFERED] = 1
        for seat in self.seats:  # CL-S2
            for kind, name in enumerate(BASIC):
                number = tables.rule.get(f"start_{name}", 0)
                seat.deck.cards += [self.new_card(kind) for _ in range(number)]
        if self.story:
            self.story.set_up(self)
        for seat in self.seats:
            self.draw(seat, tables.rule["hand"])
            for card in seat.hand:
                self.counts[seat.index, card.kind, OPENING] += 1
        self._start_turn()

    # -- a turn ----------------------------------------------------------------------------------

    def _start_turn(self) -> None:
        self.phase = "action"
        self.turn += 1
        self.current.turns += 1
        if self.story:
            self.story.turn(self.current)
        self.add("actions", self.tables.rule["actions"])
        self.add("buys", self.tables.rule["buys"])

    def action_options(self) -> set[int]:
        """Return what can be done in the action phase; ``stop`` moves on (CL-T2)."""
        if not self.actions:
            return {self.stop}
        kinds = {card.kind for card in self.current.hand}
        return {self.stop} | {kind for kind in kinds if self.tables.faces[kind].sort == "action"}

    def play_action(self, kind: int) -> None:
        """Play an action card from hand (CL-T2)."""
        seat = self.current
        self.add("actions", -1)
        seat.plays += 1
        self.move(seat, self.take_from_hand(seat, kind), "hand", "play")
        play_text(self, seat, self.tables.faces[kind].effects)

    def enter_buy(self) -> None:
        """Lay down all treasures in hand (CL-T3)."""
        seat, faces = self.current, self.tables.faces
        self.phase = "buy"
        treasures = [card for card in seat.hand if faces[card.kind].sort == "treasure"]
        seat.hand = [card for card in seat.hand if faces[card.kind].sort != "treasure"]
        for card in treasures:
            self.move(seat, card, "hand", "play")
        self.add("coins", sum(faces[card.kind].coins for card in treasures))

    def buy_options(self) -> set[int]:
        """Return what can be bought now; ``stop`` ends the turn (CL-T4)."""
        if not self.buys:
            return {self.stop}
        return {self.stop} | self.kinds_on_offer(self.current, self.coins)

    def buy(self, kind: int) -> None:
        """Buy a card (CL-T4)."""
        seat, cost = self.current, self.tables.faces[kind].cost
        self.add("coins", -cost)
        self.add("buys", -1)
        seat.bought += 1
        seat.coins_spent += cost
        self.obtain(seat, kind)

    def end_turn(self) -> None:
        """Clean up, test the end, pass on (CL-T5, CL-E1, CL-E4)."""
        seat, rule = self.current, self.tables.rule
        self.phase = "cleanup"
        for zone in ("play", "hand"):
            cards = getattr(seat, zone)
            setattr(seat, zone, [])
            for card in cards:
                self.move(seat, card, zone, "discard")
        for what in ("actions", "buys", "coins"):
            self.add(what, -getattr(self, what))
        self.draw(seat, rule["hand"])
        last = self.on_turn + 1 == len(self.seats)
        if PROVINCE in self.supply and self.piles[PROVINCE] == 0:
            self._finish(PROVINCES_END)
        elif self.piles_out() >= rule["end_piles"]:
            self._finish(PILES_END)
        elif last and self.round >= rule["round_cap"]:
            self._finish(ROUND_CAP)
        else:
            if last:
                self._record_round()
                self.round += 1
            self.on_turn = 0 if last else self.on_turn + 1
            self._start_turn()

    def play_turn(self) -> None:
        """Play what is left of the turn under way."""
        while self.phase == "action":
            code = self.decide(self.current, ACTION, self.action_options())
            if code == self.stop:
                self.enter_buy()
            else:
                self.play_action(code)
        while (code := self.decide(self.current, BUY, self.buy_options())) != self.stop:
            self.buy(code)
        self.end_turn()

    def play(self) -> None:
        """Play to the end."""
        while not self.over:
            self.play_turn()

    # -- the end ---------------------------------------------------------------------------------

    def _record_round(self) -> None:
        for seat in self.seats:
            provinces = sum(card.kind == PROVINCE for card in seat.cards())
            self.series[seat.index, self.round - 1] = self.points(seat), provinces

    def _finish(self, reason: int) -> None:
        """End the game: most points, then fewer turns, then a shared win (CL-E3)."""
        self.phase, self.end_reason = "over", reason
        self._record_round()
        standing = [(-self.points(seat), seat.turns) for seat in self.seats]
        self.ranks = [1 + sum(other < own for other in standing) for own in standing]
        share = WIN // self.ranks.count(1)
        self.win60 = [share if rank == 1 else 0 for rank in self.ranks]
        for seat in self.seats:
            for card in seat.cards():
                self.counts[seat.index, card.kind, OWNED] += 1
        if self.story:
            self.story.add(
                "end",
                reason=END_REASONS[reason].id,
                scores=[self.points(seat) for seat in self.seats],
                turns=[seat.turns for seat in self.seats],
                ranks=self.ranks,
                win60=self.win60,
            )


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
    return finished(game)
