"""The reference engine: the rulebook as plain Python.

What another engine must do in the same way, because it decides which card is where and which random
number is drawn when, is fixed here.

Order conventions
-----------------
* A hand is in the order drawn. Playing or discarding a kind takes the first card of that kind in
  hand; the others move up. The discard pile is appended to.
* The deck is shuffled lazily (``sim.core.pile``): the end of the array is the top. Its array at
  first is all kinds ascending, all copies of each; a reshuffle makes the discard pile's array, in
  its order, the deck's array.
* Order stream: for the set-up, and at each draw phase after all have chosen their discards, an
  order of the seats: seats ascending, from the last place down swapped with a place up to it
  (``Stream.shuffled``). In this order all discards are laid down, each seat's in the order chosen;
  then hands are filled, each seat's whole before the next one's.
* Objectives stream: all cards ascending, shuffled in the same way; the first ones are laid open.
* In every step seats decide one after the other by number. That changes nothing: no decision sees
  what another seat decided in the same step, and policy streams belong to seats.
* Options are ascending codes: kinds, cells, race and job, then ``stop``. A decision with one option
  is not asked and draws nothing.
* Bonuses: see ``bonuses.py``. Abilities: see ``effects.py``.
* Streams: ``deck``, ``order``, ``objectives``, and for each seat ``policy``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.pile import Card, Pile
from sim.core.policy import PolicyTable
from sim.core.records import NO_VALUE
from sim.core.stream import Stream
from sim.core.title import WIN
from sim.errors import COUNTER_OVERFLOW, EngineError, InputError
from sim.titles.magnolia.bonuses import pay_lines
from sim.titles.magnolia.choosing import chosen
from sim.titles.magnolia.effects import count_power, work
from sim.titles.magnolia.field import Cell, free_cells
from sim.titles.magnolia.info import (
    CARD,
    CELL,
    DECISIONS,
    DISCARD,
    END_REASONS,
    FIELD_END,
    INFO,
    ROUND_CAP,
    STREAMS,
    VP_AND_FIELD_END,
    VP_END,
)
from sim.titles.magnolia.results import FinishedGame, finished
from sim.titles.magnolia.schema import CHECKS, MOST_COUNTED, RACES, RESOURCES, SHARED
from sim.titles.magnolia.state import Seat
from sim.titles.magnolia.story import Story
from sim.titles.magnolia.tables import Tables
from sim.titles.magnolia.texts import holds

__all__ = ["Game", "reference"]

#: Fields of the cards group.
OPENING, DRAWN, DISCARDED, PLAYED = range(len(INFO.card_fields))

#: What the table shows of a seat as numbers.
_PUBLIC = (*RESOURCES, "power")


class Game:
    """One game, from before its set-up to its end.

    Parameters
    ----------
    tables : Tables
    policies : PolicyTable or None
        Needed when a line-up entry is a number.
    bans : uint64 array, shape (seats, MASK_WORDS), or None
        Kinds that a seat must not play.
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
        self.faces, self.rule, self.stop = tables.faces, tables.rule, tables.words.stop
        self.placement_gold = [self.rule[f"gold_for_{number}"] for number in range(3)]
        self.lineup = [entry() if isinstance(entry, type) else entry for entry in lineup]
        self.bans = [0] * players if bans is None else [_bits(row) for row in bans]
        self.seats: list[Seat] = [Seat(index) for index in range(players)]
        self.deck_stream, self.order_stream, self.objectives_stream = (
            Stream(key, STREAMS.number(name), deal) for name in ("deck", "order", "objectives")
        )
        self.policy_streams = [
            Stream(key, STREAMS.number("policy", seat), deal) for seat in range(players)
        ]
        self._copies = [0] * len(self.faces)
        self.deck, self.discard = Pile(), list[Card]()
        self.open_objectives: list[int] = []
        self.phase: str = "setup"
        self.round: int = 1
        self.shuffles: int = 0
        # What decisions look at: the table before the step, the line that pays, the step under way.
        self.shown: list[dict[str, int]] = []
        self.line_alike = 0
        self.step = -1
        self.planned: int | None = None
        # The end, and what is recorded.
        self.end_reason = -1
        self.ranks: list[int] = []
        self.win60: list[int] = []
        self.counts = np.zeros((players, len(self.faces), len(INFO.card_fields)), np.uint16)
        shape = (players, self.rule["round_cap"], len(INFO.series))
        self.series = np.full(shape, NO_VALUE, np.int16)
        #: Choices and orders that are settled in advance, by seat and in turn.
        self.scripts: list[deque[str]] = [deque() for _ in range(players)]
        self.orders: deque[list[int]] = deque()
        self.story = Story(self) if trace else None
        self.look()

    # -- small things ----------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """All seats take each turn together: the round."""
        return self.round

    @property
    def on_turn(self) -> int:
        """No seat is on turn alone; the first stands for all."""
        return 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end_reason >= 0

    def new_card(self, kind: int) -> Card:
        """Return the next copy of a kind."""
        self._copies[kind] += 1
        return Card(kind, self._copies[kind])

    def likenesses(self, kind: int) -> tuple[int, int]:
        """Return a kind's race and job as places in LIKENESSES."""
        face = self.faces[kind]
        return face.race, len(RACES) + face.job

    def look(self) -> None:
        """Remember what the table shows before a step (MG-S2)."""
        self.shown = [{what: getattr(seat, what) for what in _PUBLIC} for seat in self.seats]

    def best_other(self, seat: Seat, what: str) -> int:
        """Return the most that another seat had before the step."""
        return max(self.shown[one.index][what] for one in self.seats if one is not seat)

    def gained(self, seat: Seat) -> bool:
        """Whether war VP were gained in this round's war (MG-W3)."""
        return seat.war_rank > 0 and seat.war_vp >= self.rule["gained_from"]

    def change(self, seat: Seat, what: str, by: int, source: str = "") -> None:
        """Change what a seat has; VP are counted by where they come from (MG-X4)."""
        now = getattr(seat, what) + by
        if now > MOST_COUNTED:
            raise EngineError(COUNTER_OVERFLOW, INFO.id)
        setattr(seat, what, now)
        if what == "vp":
            seat.sources[source] += by
        elif what == "gold" and source:
            seat.gold_gained += by
        if self.story and by:
            self.story.change(what, seat, by, now)

    def decide(self, seat: Seat, decision: int, options: Iterable[int]) -> int:
        """Let a seat choose among option codes. One option is taken without asking."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        self.planned = None
        code = chosen(self, seat, decision, legal)
        if self.story:
            self.story.choose(DECISIONS[decision].id, seat, legal, code)
        return code

    # -- set-up ----------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Set the game up; afterwards the first draw phase comes (MG-S1, MG-O1)."""
        self.deck.cards = [
            self.new_card(kind)
            for kind, face in enumerate(self.faces)
            for _ in range(1 + face.more)
        ]
        if number := self.rule["objectives_open"]:
            cards = self.objectives_stream.shuffled(range(len(self.tables.goals)))
            self.open_objectives = sorted(cards[:number])
        for seat in self.seats:
            seat.gold = self.rule["start_gold"]
        if self.story:
            self.story.set_up()
        self._fill_hands(self.fill_order())
        for seat in self.seats:
            for card in seat.hand:
                self.counts[seat.index, card.kind, OPENING] += 1
        self.phase = "draw"

    def fill_order(self) -> list[int]:
        """Return the order in which hands are filled (MG-D2)."""
        if self.orders:
            order = self.orders.popleft()
        else:
            order = self.order_stream.shuffled(range(len(self.seats)))
        if self.story:
            self.story.add("state", what="fill_order", seats=[seat + 1 for seat in order])
        return order

    def _fill_hands(self, order: Sequence[int]) -> None:
        for seat in (self.seats[index] for index in order):
            while len(seat.hand) < self.rule["hand"]:
                if not self.deck.cards:
                    if not self.discard:
                        return  # MG-D3
                    self.deck, self.discard = Pile(self.discard), []
                    self.shuffles += 1
                    if self.story:
                        self.story.add("shuffle", zone="deck", cards=len(self.deck.cards))
                card = self.deck.draw(self.deck_stream)
                seat.hand.append(card)
                self.counts[seat.index, card.kind, DRAWN] += 1
                if self.story:
                    self.story.move(card, "deck", "hand", seat)

    # -- the phases ------------------------------------------------------------------------------

    def draw_phase(self) -> None:
        """Discard, and fill hands (MG-D1, MG-D2)."""
        self._begin("draw")
        if self.round >= self.rule["exchange_from"]:
            for seat in self.seats:
                self._choose_discards(seat)
        order = self.fill_order()
        for seat in (self.seats[index] for index in order):
            for card in seat.leaving:
                self.discard.append(card)
                seat.discarded += 1
                self.counts[seat.index, card.kind, DISCARDED] += 1
                if self.story:
                    self.story.move(card, "hand", "discard", seat)
            seat.leaving = []
        self._fill_hands(order)
        self._end("placement")

    def _choose_discards(self, seat: Seat) -> None:
        while True:
            code = self.decide(seat, DISCARD, {self.stop, *(card.kind for card in seat.hand)})
            if code == self.stop:
                return
            seat.leaving.append(seat.take_from_hand(code))

    def laid_cost(self, seat: Seat) -> int:
        """Return what the cards that lie face down cost."""
        return sum(self.faces[card.kind].cost for card in seat.laid.values())

    def budget(self, seat: Seat) -> int:
        """Return what the next card laid down may cost."""
        number = min(len(seat.laid) + 1, len(self.placement_gold) - 1)
        return seat.gold - self.laid_cost(seat) + self.placement_gold[number]

    def may_lay(self, seat: Seat, kind: int, number: int, spent: int) -> bool:
        """Whether a kind may follow cards of that number and cost, if it is the last (MG-P2)."""
        left = seat.gold + self.placement_gold[number + 1] - spent
        return self.faces[kind].cost <= left and not self.bans[seat.index] >> kind & 1

    def card_options(self, seat: Seat) -> set[int]:
        """Return which kinds can be laid down next; ``stop`` lays down no more (MG-P1)."""
        number, spent = len(seat.laid), self.laid_cost(seat)
        kinds = {card.kind for card in seat.hand}
        if number == len(self.placement_gold) - 1 or not free_cells(seat.own_view):
            kinds = set()
        return {self.stop} | {k for k in kinds if self.may_lay(seat, k, number, spent)}

    def placement_phase(self) -> None:
        """Lay cards down, turn them up, pay; then bonuses, then abilities (MG-P, MG-E1)."""
        self._begin("placement")
        for seat in self.seats:
            while (kind := self.decide(seat, CARD, self.card_options(seat))) != self.stop:
                seat.holding = kind
                cells = free_cells(seat.own_view)
                first = len(self.faces)
                place = self.decide(seat, CELL, range(first, first + len(cells))) - first
                seat.holding = -1
                self.lay(seat, kind, cells[place])
        fresh = [sorted(seat.laid) for seat in self.seats]
        for seat in self.seats:
            self._settle(seat)
        pay_lines(self)
        self._check("bonus")
        work(self, "placement", fresh)
        self._end("war")

    def lay(self, seat: Seat, kind: int, cell: Cell) -> None:
        """Lay a card from hand face down."""
        card = seat.laid[cell] = seat.take_from_hand(kind)
        if self.story:
            self.story.move(card, "hand", "field", seat, cell=list(cell), face="down")

    def _settle(self, seat: Seat) -> None:
        """Turn up what a seat laid down, give the gold of its option, and pay (MG-P1, MG-P2)."""
        if self.story:
            self.story.reveal(seat)
        cost = self.laid_cost(seat)
        self.change(seat, "gold", self.placement_gold[len(seat.laid)], "placement")
        self.change(seat, "gold", -cost)
        seat.gold_spent += cost
        seat.played += len(seat.laid)
        for card in seat.laid.values():
            self.counts[seat.index, card.kind, PLAYED] += 1
        seat.field.update(seat.laid)
        seat.laid = {}

    def reads_now(self, option: int) -> int:
        """Return which resources a kind reads in the step under way, as bits."""
        if self.step < 0 or option >= len(self.faces):
            return 0
        return self.faces[option].texts[self.step].reads

    def war_phase(self) -> None:
        """Count power, rank, give VP; then abilities (MG-W)."""
        self._begin("war")
        for seat in self.seats:
            power = count_power(self, seat)
            seat.war_power += power
            self.change(seat, "power", power - seat.power)
        fighting = [seat for seat in self.seats if seat.power >= self.rule["least_power"]]
        for seat in fighting:
            seat.war_rank = 1 + sum(other.power > seat.power for other in fighting)
        for seat in fighting:
            tied = sum(other.war_rank == seat.war_rank for other in fighting)
            seat.war_vp = self._rank_vp(seat.war_rank, tied)
            seat.wars_led += seat.war_rank == 1
            seat.wars_paid += seat.war_vp > 0
            if self.story:
                self.story.rank(seat)
            self.change(seat, "vp", seat.war_vp, "war")
        work(self, "war")
        self._end("development")

    def _rank_vp(self, rank: int, tied: int) -> int:
        by_rank = self.tables.war_vp[len(self.seats) - 1].tolist()
        if SHARED[self.rule["shared"]] == "full":
            return int(by_rank[rank - 1])
        return int(sum(by_rank[rank - 1 : rank - 1 + tied]) // tied)

    def development_phase(self) -> None:
        """Development (MG-V1)."""
        self._begin("development")
        work(self, "development")
        self._end("income")

    def income_phase(self) -> None:
        """Income (MG-I1)."""
        self._begin("income")
        for seat in self.seats:
            self.change(seat, "gold", self.rule["income"], "income")
        work(self, "income")
        self._end("vp")

    def vp_phase(self) -> None:
        """VP phase, then the end of the round (MG-V2, MG-X1)."""
        self._begin("vp")
        work(self, "vp")
        self._check("phase")
        self._check("round")
        self._record_round()
        enough = any(seat.vp >= self.rule["end_vp"] for seat in self.seats)
        full = any(len(seat.field) >= self.rule["end_cards"] for seat in self.seats)
        if enough or full:
            self._finish(VP_AND_FIELD_END if enough and full else VP_END if enough else FIELD_END)
        elif self.round >= self.rule["round_cap"]:
            self._finish(ROUND_CAP)
        else:
            self.phase = "draw"
            self.round += 1
            for seat in self.seats:
                seat.war_rank = seat.war_vp = 0

    def _begin(self, phase: str) -> None:
        self.phase = phase
        self.look()
        if self.story and phase == "draw":
            self.story.standing()

    def _end(self, following: str) -> None:
        self._check("phase")
        self.phase = following

    def _check(self, when: str) -> None:
        """Give open objectives to all that meet them (MG-O2)."""
        if CHECKS[self.rule["objectives_check"]] != when:
            return
        self.look()
        goals = self.tables.goals
        met = {
            number: [seat for seat in self.seats if holds(self, seat, None, goals[number].conds)]
            for number in self.open_objectives
        }
        for number, seats in met.items():
            for seat in seats:
                seat.objectives += 1
                if self.story:
                    self.story.objective(seat, number)
                self.change(seat, "vp", goals[number].vp, "objectives")
        self.open_objectives = [number for number, seats in met.items() if not seats]

    def play_phase(self) -> None:
        """Play the phase that comes."""
        getattr(self, f"{self.phase}_phase")()

    def play(self) -> None:
        """Play to the end."""
        while not self.over:
            self.play_phase()

    # -- the end ---------------------------------------------------------------------------------

    def _record_round(self) -> None:
        for seat in self.seats:
            now = [getattr(seat, column.name) for column in INFO.series]
            self.series[seat.index, self.round - 1] = now

    def _finish(self, reason: int) -> None:
        """End the game: VP for gold, then most VP (MG-X2)."""
        self.phase, self.end_reason = "over", reason
        for seat in self.seats:
            self.change(seat, "vp", -(-seat.gold // self.rule["gold_per_vp"]), "gold")
        self.ranks = [1 + sum(other.vp > seat.vp for other in self.seats) for seat in self.seats]
        share = WIN // self.ranks.count(1)
        self.win60 = [share if rank == 1 else 0 for rank in self.ranks]
        if self.story:
            self.story.add(
                "end",
                reason=END_REASONS[reason].id,
                scores=[seat.vp for seat in self.seats],
                ranks=self.ranks,
                win60=self.win60,
            )


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
) -> FinishedGame:
    """Play one addressed game (see ``sim.core.title.Reference``)."""
    game = Game(tables, policies, bans, key, deal, lineup, trace=trace)
    game.set_up()
    game.play()
    return finished(game)
