"""The reference engine: the rulebook as plain Python.

What another engine must do in the same way, because it decides which card is where and which random
number is drawn when, is fixed here.

Order conventions
-----------------
* A hand is in the order drawn. Playing or discarding a kind takes the first card of that kind in
  hand; the others move up. Trash, mana zone and LP zone are appended to; the end of the LP zone is
  its top.
* Main decks and mana decks are shuffled lazily (``sim.core.pile``): the end of the array is the
  top. Their arrays at first are all kinds ascending, all copies of each. A shuffle during the game
  permutes nothing: what was settled is so no longer.
* Set-up: for seat 1, then seat 2, the opening hand is drawn; then each may redraw in that order
  (the hand goes onto the deck card by card, in its order); then LP cards are laid down, one seat's
  after the other's.
* A unit takes the lowest free place and keeps it. Units are gone through by place.
* Everything that cards do has its order in ``effects.py``; playing and paying in ``plays.py``.
* A decision with one option is not asked and draws nothing. Options are ascending codes: kinds,
  then the words of ``words.WORDS``, then ``stop``.
* A seat that has lost stops the game at that moment: what was to follow does not happen, and a
  spell that was at work stays in the zone ``played``.
* Streams, one for each seat: ``deck`` (its main deck), ``mana_deck``, ``policy``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.mask import bits
from sim.core.pile import Card, Pile
from sim.core.policy import PolicyTable
from sim.core.records import NO_VALUE, FinishedGame
from sim.core.stream import Stream
from sim.core.title import WIN
from sim.errors import InputError
from sim.titles.majestic.battle import battles
from sim.titles.majestic.choosing import chosen
from sim.titles.majestic.effects import discard
from sim.titles.majestic.field import areas_with_room
from sim.titles.majestic.info import (
    AREA,
    BOTH_END,
    DECISIONS,
    INFO,
    LP_END,
    MAIN,
    MAIN_DECK_END,
    MANA,
    MANA_DECK_END,
    REDRAW,
    ROUND_CAP,
    SPECIAL,
    STREAMS,
)
from sim.titles.majestic.plays import Offer, act, main_options, use_special
from sim.titles.majestic.results import finished
from sim.titles.majestic.schema import PHASES, PLACES, PLAYERS
from sim.titles.majestic.state import Battle, ManaCard, Seat, Unit
from sim.titles.majestic.story import Story
from sim.titles.majestic.tables import Face, Tables, Text
from sim.titles.majestic.words import codes

__all__ = ["Game", "reference"]

_FIELDS = {name: place for place, name in enumerate(INFO.card_fields)}


class _Over(Exception):  # noqa: N818 - it ends a game, it is no error
    """Leaves whatever is under way when the game has ended."""


class Game:
    """One game, from before its set-up to its end.

    Parameters
    ----------
    tables : Tables
    policies : PolicyTable or None
        Needed when a line-up entry is a number.
    bans : uint64 array, shape (2, MASK_WORDS), or None
        Kinds that a seat must not play.
    key : uint64 array, shape (2,)
    deal : int
    lineup : sequence
        One entry a seat: an index into ``policies``, an object (or a class, made anew here) with
        decision points as methods ``(view, options) -> option``, or None for the default choice.
    decks : sequence of int
        Numbers of the seats' decks.
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
        decks: Sequence[int],
        *,
        trace: bool = False,
    ) -> None:
        if len(lineup) != PLAYERS:
            raise InputError(f"players: found {len(lineup)}; allowed: {PLAYERS}")
        self.tables, self.policies, self.key, self.deal = tables, policies, key, deal
        self.faces: list[Face] = tables.faces
        self.rule, self.stop = tables.rule, tables.words.stop
        self.code = codes(len(self.faces))
        self.lineup = [entry() if isinstance(entry, type) else entry for entry in lineup]
        self.bans = [0] * PLAYERS if bans is None else [bits(row) for row in bans]
        self.seats = [
            Seat(index, deck, int(tables.deck_sorcerers[deck])) for index, deck in enumerate(decks)
        ]
        self.deck_streams, self.mana_streams, self.policy_streams = (
            [Stream(key, STREAMS.number(name, seat), deal) for seat in range(PLAYERS)]
            for name in ("deck", "mana_deck", "policy")
        )
        self._copies: dict[int, int] = {}
        self.phase: str = "setup"
        self.round: int = 1
        self.turn: int = 0
        self.on_turn: int = 0
        self.battle: Battle = Battle()
        # What decisions look at: the decision point, its options, what they are about.
        self.asking = -1
        self.legal: list[int] = []
        self.pending: Offer | None = None
        self.coming = -1  # the kind of the unit that wants an area
        # The end, and what is recorded.
        self.end_reason = -1
        self.ranks: list[int] = []
        self.win60: list[int] = []
        self.counts = np.zeros((PLAYERS, len(self.faces), len(INFO.card_fields)), np.uint32)
        shape = (PLAYERS, self.rule["round_cap"], len(INFO.series))
        self.series = np.full(shape, NO_VALUE, np.int16)
        #: Choices that are settled in advance, by seat and in turn.
        self.scripts: list[deque[str]] = [deque() for _ in range(PLAYERS)]
        self.story = Story(self) if trace else None

    # -- small things ----------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end_reason >= 0

    def other(self, seat: Seat) -> Seat:
        """Return the other seat."""
        return self.seats[1 - seat.index]

    def new_card(self, kind: int) -> Card:
        """Return the next copy of a kind."""
        self._copies[kind] = self._copies.get(kind, 0) + 1
        return Card(kind, self._copies[kind])

    def ap(self, unit: Unit) -> int:
        """Return the AP of a unit (MM-U3)."""
        return max(self.faces[unit.kind].ap + unit.ap_bonus, 0)

    def dp(self, unit: Unit) -> int:
        """Return the DP of a unit (MM-U3)."""
        return self.faces[unit.kind].dp + unit.dp_bonus

    def sorcerer_text(self, seat: Seat) -> Text:
        """Return the ability of a seat's sorcerer."""
        return self.tables.plain_texts[int(self.tables.sorcerers[seat.sorcerer]["text"])]

    def mana_text(self, card: Card) -> Text | None:
        """Return what a mana card says; None for basic mana."""
        number = int(self.tables.mana_kinds[card.kind - self.tables.first_mana]["text"])
        return None if number < 0 else self.tables.plain_texts[number]

    def unit_at(self, seat: Seat, option: int) -> Unit | None:
        """Return the unit that an option stands for as a seat calls it, or None."""
        first = option - self.code.own
        if not 0 <= first < 2 * PLACES:
            return None
        owner = seat if first < PLACES else self.other(seat)
        return owner.places[first % PLACES]

    def code_of(self, seat: Seat, unit: Unit) -> int:
        """Return the option by which a seat calls a unit."""
        first = self.code.own if unit.owner == seat.index else self.code.enemy
        return first + unit.place

    def on_field(self, unit: Unit) -> bool:
        """Whether a unit has not left the field."""
        return self.seats[unit.owner].places[unit.place] is unit

    def count(self, seat: Seat, kind: int, field: str) -> None:
        """Count for the cards group."""
        self.counts[seat.index, kind, _FIELDS[field]] += 1

    def tell(self, unit: Unit, what: str, now: int | None = None) -> None:
        """Tell something of a unit."""
        if self.story:
            self.story.unit(unit, what, now)

    def decide(self, seat: Seat, decision: int, options: Iterable[int]) -> int:
        """Let a seat choose among option codes. One option is taken without asking."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        self.asking, self.legal = decision, legal
        code = chosen(self, seat, decision, legal)
        self.asking, self.legal = -1, []
        if self.story:
            self.story.choose(DECISIONS[decision].id, seat, legal, code)
        return code

    # -- cards and zones -------------------------------------------------------------------------

    def put(self, seat: Seat, card: Card, source: str, target: str, *, ready: bool = True) -> None:
        """Put a card that was taken from a zone of a seat into another one of it."""
        match target:
            case "deck":
                seat.deck.cards.append(card)
            case "mana":
                kind = self.tables.mana_kinds[card.kind - self.tables.first_mana]
                seat.mana.append(ManaCard(card, int(kind["attribute"]), ready))
            case _:
                getattr(seat, target).append(card)
        if self.story:
            more = {"ready": ready} if target == "mana" else {}
            self.story.move(card, source, target, seat, **more)

    def shuffle(self, seat: Seat) -> None:
        """Shuffle a main deck."""
        seat.deck.settled = 0
        if self.story:
            self.story.shuffle(seat, len(seat.deck.cards))

    def draw_card(self, seat: Seat) -> int | None:
        """Draw a card, if there is one; return how the seat loses by it, or None (MM-G2)."""
        if not seat.deck.cards:
            return None
        card = seat.deck.draw(self.deck_streams[seat.index])
        self.put(seat, card, "deck", "hand")
        self.count(seat, card.kind, "drawn")
        seat.drawn += self.phase != "setup"
        return None if seat.deck.cards else MAIN_DECK_END

    def draw(self, seat: Seat, number: int) -> None:
        """Draw cards one by one."""
        for _ in range(number):
            self.judge({seat.index: self.draw_card(seat)})

    def top_mana(self, seat: Seat) -> Card:
        """Take the top card of a mana deck that is not empty."""
        return seat.mana_deck.draw(self.mana_streams[seat.index])

    def put_mana(self, seat: Seat, *, ready: bool = True) -> None:
        """Put the top card of the mana deck into the mana zone; special mana may be used."""
        card = self.top_mana(seat)
        self.put(seat, card, "mana_deck", "mana", ready=ready)
        self.judge({seat.index: None if seat.mana_deck.cards else MANA_DECK_END})
        use_special(self, seat, [card])

    def wants_special(self, seat: Seat) -> bool:
        """Let a seat choose whether to use the effect of special mana."""
        return self.decide(seat, SPECIAL, (self.code.use, self.stop)) == self.code.use

    def hit(self, losing: Sequence[Seat], *, by: Seat, source: str) -> None:
        """Let seats lose their top LP card each, at the same time (MM-B5, MM-G4)."""
        cards = []
        for seat in losing:
            cards.append((seat, seat.lp.pop()))
            self.put(seat, cards[-1][1], "lp", "mana")
            taker = self.other(seat)
            taker.sources[source if taker is by else "itself"] += 1
        self.judge({seat.index: None if seat.lp else LP_END for seat in losing})
        for seat, card in cards:
            use_special(self, seat, [card])

    # -- units -----------------------------------------------------------------------------------

    def choose_area(self, seat: Seat, kind: int) -> bool:
        """Let a seat choose the area of a unit that comes to the field; True is the front."""
        self.coming = kind
        code = {True: self.code.front, False: self.code.back}
        options = [code[front] for front in areas_with_room(self, seat)]
        return self.decide(seat, AREA, options) == self.code.front

    def put_unit(self, seat: Seat, card: Card, source: str, *, front: bool, fresh: bool) -> Unit:
        """Put a unit onto the field, into the lowest free place (MM-U2)."""
        place = seat.places.index(None)
        unit = seat.places[place] = Unit(card, seat.index, place, front, fresh=fresh)
        seat.most_units = max(seat.most_units, seat.count())
        if self.story:
            self.story.arrive(seat, unit, source)
        return unit

    def leave(self, unit: Unit, target: str) -> None:
        """Take a unit from the field into a zone of its owner (MM-U5)."""
        seat = self.seats[unit.owner]
        seat.places[unit.place] = None
        if unit is self.battle.attacker:
            self.battle.attacker = None
        if unit is self.battle.blocker:
            self.battle.blocker = None
        self.put(seat, unit.card, "front" if unit.front else "back", target)

    def destroy(self, unit: Unit) -> None:
        """Destroy a unit."""
        self.seats[unit.owner].units_lost += 1
        self.count(self.seats[unit.owner], unit.kind, "fallen")
        self.tell(unit, "destroyed")
        self.leave(unit, "trash")

    def hurt(self, unit: Unit, damage: int) -> None:
        """Deal damage to a unit; whoever calls this buries afterwards."""
        unit.damage += damage
        if damage:
            self.tell(unit, "damage", unit.damage)

    def set_ready(self, unit: Unit, *, ready: bool) -> None:
        """Turn a unit up or down."""
        if unit.ready != ready:
            unit.ready = ready
            if self.story:
                self.story.turned(self.seats[unit.owner], unit.card, ready=ready, zone="field")

    def turn_sorcerer(self, seat: Seat, *, ready: bool) -> None:
        """Turn a sorcerer up or down."""
        if seat.sorcerer_ready != ready:
            seat.sorcerer_ready = ready
            if self.story:
                self.story.turned(seat, None, ready=ready, zone="sorcerer")

    def shift(self, unit: Unit, *, front: bool, moves: bool = False) -> None:
        """Bring a unit to an area that has room for it, by its own move or by an effect."""
        unit.front = front
        if self.story:
            self.story.shift(self.seats[unit.owner], unit, moves=moves)

    def free_abilities_again(self) -> None:
        """Let abilities that take nothing be used again (MM-P2)."""
        for seat in self.seats:
            seat.sorcerer_spent = False
            for unit in seat.units():
                unit.spent = False

    # -- set-up ----------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Set the game up; afterwards the first turn begins (MM-S)."""
        for seat in self.seats:
            deck = self.tables.deck_main[seat.deck_list].tolist()
            mana = self.tables.deck_mana[seat.deck_list].tolist()
            seat.deck = Pile(
                [self.new_card(k) for k, copies in enumerate(deck) for _ in range(copies)]
            )
            first = self.tables.first_mana
            seat.mana_deck = Pile(
                [self.new_card(first + k) for k, copies in enumerate(mana) for _ in range(copies)]
            )
        if self.story:
            self.story.set_up()
        self.attempt(self._deal)

    def _deal(self) -> None:
        for seat in self.seats:
            self.draw(seat, self.rule["hand"])
        for seat in self.seats:
            options = {self.stop, self.code.redraw} if self.rule["redraws"] else {self.stop}
            if self.decide(seat, REDRAW, options) == self.code.redraw:
                seat.redraws += 1
                hand, seat.hand = seat.hand, []
                for card in hand:
                    self.put(seat, card, "hand", "deck")
                self.shuffle(seat)
                self.draw(seat, self.rule["hand"])
            for card in seat.hand:
                self.count(seat, card.kind, "opening")
        for seat in self.seats:
            for _ in range(self.rule["lp"]):
                self.put(seat, self.top_mana(seat), "mana_deck", "lp")
        self.phase = "regenerate"

    # -- a turn ----------------------------------------------------------------------------------

    def play_phase(self) -> None:
        """Play the phase that comes."""
        self.attempt(getattr(self, f"_{self.phase}_phase"))

    def attempt(self, what: Any) -> None:
        """Do something that the end of the game may cut short."""
        try:
            what()
        except _Over:
            self.battle = Battle()

    def play(self) -> None:
        """Play to the end."""
        while not self.over:
            self.play_phase()

    def _next(self) -> None:
        self.phase = PHASES[PHASES.index(self.phase) + 1]

    def _regenerate_phase(self) -> None:
        """Turn everything up (MM-T1)."""
        self.turn += 1
        seat = self.seats[self.on_turn]
        for one in self.seats:
            one.acts = 0
        if self.story:
            self.story.standing()
        for unit in seat.units():
            self.set_ready(unit, ready=True)
        for mana in seat.mana:
            if not mana.ready:
                mana.ready = True
                if self.story:
                    self.story.turned(seat, mana.card, ready=True, zone="mana")
        self.turn_sorcerer(seat, ready=True)
        self._next()

    def _draw_phase(self) -> None:
        """Draw (MM-T1)."""
        first = self.turn == 1
        self.draw(self.seats[self.on_turn], self.rule["first_draw" if first else "draw"])
        self._next()

    def _mana_phase(self) -> None:
        """Put mana or draw (MM-T2)."""
        seat = self.seats[self.on_turn]
        # A deck that is empty, as one can be in a position that is stated, has no card to give.
        options = {
            code
            for code, pile in ((self.code.put, seat.mana_deck), (self.code.draw, seat.deck))
            if pile.cards
        }
        if options and self.decide(seat, MANA, options) == self.code.put:
            seat.mana_put += 1
            self.put_mana(seat)
        elif options:
            seat.mana_drawn += 1
            self.draw(seat, self.rule["mana_draw"])
        self._next()

    def _main_phase(self) -> None:
        """Play cards, use abilities, move units (MM-T3)."""
        seat = self.seats[self.on_turn]
        self.free_abilities_again()
        while (code := self.decide(seat, MAIN, main_options(self, seat))) != self.stop:
            act(self, seat, code)
        self._next()

    def _battle_phase(self) -> None:
        """Fight (MM-T4)."""
        battles(self, self.seats[self.on_turn])
        self._next()

    def _end_phase(self) -> None:
        """End the turn (MM-T5)."""
        for seat in self.seats:
            for unit in seat.units():
                unit.damage = unit.ap_bonus = unit.dp_bonus = unit.given = 0
                unit.fresh = unit.moved = False
        if self.story:
            self.story.add("state", what="turn_ends")
        seat = self.seats[self.on_turn]
        while len(seat.hand) > self.rule["hand_limit"]:
            discard(self, seat)
        self._record(seat)
        if self.on_turn == 0:
            self.on_turn = 1
        elif self.round >= self.rule["round_cap"]:
            self._finish(ROUND_CAP, None)
        else:
            self.on_turn, self.round = 0, self.round + 1
        self.phase = PHASES[0]

    # -- the end ---------------------------------------------------------------------------------

    def judge(self, losses: Mapping[int, int | None]) -> None:
        """End the game if a seat has lost: reasons by seat, None for one that has not (MM-G)."""
        lost = {seat: reason for seat, reason in losses.items() if reason is not None}
        if len(lost) == PLAYERS:
            self._finish(BOTH_END, None)
        for seat, reason in lost.items():
            self._finish(reason, self.seats[1 - seat])

    def _record(self, seat: Seat) -> None:
        now = [len(seat.lp), len(seat.hand), len(seat.mana), seat.count()]
        self.series[seat.index, self.round - 1] = now

    def _finish(self, reason: int, winner: Seat | None) -> None:
        for seat in self.seats:
            if self.series[seat.index, self.round - 1, 0] == NO_VALUE:
                self._record(seat)
        self.end_reason = reason
        self.ranks = [1 if winner in (None, seat) else 2 for seat in self.seats]
        share = WIN // self.ranks.count(1)
        self.win60 = [share if rank == 1 else 0 for rank in self.ranks]
        if self.story:
            self.story.end(reason)
        self.phase = "over"
        raise _Over


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
    decks = [_deck(tables, policies, entry) for entry in lineup]
    game = Game(tables, policies, bans, key, deal, lineup, decks, trace=trace)
    game.set_up()
    game.play()
    return finished(game)


def _deck(tables: Tables, policies: PolicyTable | None, entry: Any) -> int:
    """Return the number of the deck that a line-up entry brings along."""
    if isinstance(entry, int | np.integer) and policies is not None:
        return int(policies.loadout[int(entry)])
    name = getattr(entry, "loadout", None)
    if name not in tables.deck_names:
        allowed = f"an attribute 'loadout': {', '.join(tables.deck_names)}"
        raise InputError(f"lineup: found {entry!r} without a deck; allowed: {allowed}")
    return tables.deck_names.index(name)
