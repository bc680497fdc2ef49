"""The reference engine: the rulebook as plain Python.

What another engine must do in the same way, because it decides which card is where and which random
number is drawn when, is fixed here.

Order conventions
-----------------
* Codes: kinds are the 13 ability cards as printed in ``schema.ABILITIES``, then the enemies by id.
  Options are kinds, six directions, numbers of draws, ways up (companion by companion, by id),
  spells by id, features, ``stop``. Hexes are ordered by id, places as in ``schema.PLACES``.
* Abilities stream: the ten cards that are dealt, ascending, shuffled (``Stream.shuffled``): the
  first ones are the starting cards, in this order; the next ones lie at the places in their order;
  what is left is out of the game.
* Enemies stream: the yellow enemies, ascending, shuffled; the first ones lie at the yellow places
  in their order. Then the red ones in the same way, from the same stream.
* Lots stream: for each companion, ascending, one of its ways up (``Stream.bounded`` of their
  number). Nothing but the observable ``lot`` and the records tell of it.
* Set-up deals abilities, then enemies; then the starting cards are taken one by one, with the
  choice of a way up.
* Magic stream: the deck of a battle turn is an array of the parts by their codes, shuffled lazily
  (``sim.core.pile``): the end of the array is the top.
* A battle turn: parts are left out; the number is declared; it is paid; the parts are drawn; spells
  are chosen; LP are healed; at 0 LP a companion is lost; damage; skills of every turn; the end is
  tested; the strike; at 0 LP a companion is lost; the enemy mends; the cap is tested.
* Options are ascending codes. A decision with one option is not asked and draws nothing. Barred
  options are taken out first, unless nothing would be left.
* Streams: ``abilities``, ``enemies``, ``magic``, ``lots``, ``policy``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.mask import bits
from sim.core.pile import Card
from sim.core.policy import PolicyTable
from sim.core.records import NO_VALUE, FinishedGame
from sim.core.stream import Stream
from sim.core.title import WIN
from sim.errors import InputError
from sim.titles.wizard import battle
from sim.titles.wizard.choosing import chosen
from sim.titles.wizard.faces import NO_PLACE, Cast
from sim.titles.wizard.info import (
    CLEARED,
    DECISIONS,
    END_REASONS,
    INFO,
    LOST_BY_CASTING,
    LOST_IN_BATTLE,
    LOST_ON_ROAD,
    MOVE,
    ROUND_CAP,
    STREAMS,
    WAY,
)
from sim.titles.wizard.journey import enter, neighbours
from sim.titles.wizard.results import finished
from sim.titles.wizard.schema import (
    ABILITIES,
    BASIC,
    COMPANIONS,
    SORTS,
)
from sim.titles.wizard.state import Battle, Companion, Place, Wizard
from sim.titles.wizard.story import Story
from sim.titles.wizard.tables import Tables

__all__ = ["Game", "reference"]

_FIRST_COMPANION = ABILITIES.index(COMPANIONS[0])


class Game:
    """One game, from before its set-up to its end.

    Parameters
    ----------
    tables : Tables
    policies : PolicyTable or None
        Needed when the line-up's entry is a number.
    bans : uint64 array, shape (1, MASK_WORDS), or None
        Options that are not chosen, and ability cards that are laid away (UW-A2).
    key : uint64 array, shape (2,)
    deal : int
    lineup : sequence
        One entry: an index into ``policies``, an object (or a class, made anew here) with decision
        points as methods ``(view, options) -> option``, or None for the default choice.
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
        if len(lineup) not in INFO.players:
            raise InputError(f"players: found {len(lineup)}; allowed: {INFO.players}")
        self.tables, self.policies, self.key, self.deal = tables, policies, key, deal
        self.rule: dict[str, int] = tables.rule
        self.stop: int = tables.words.stop
        self.lineup = [entry() if isinstance(entry, type) else entry for entry in lineup]
        self.bans = [0] if bans is None else [bits(row) for row in bans]
        self.abilities_stream, self.enemies_stream, self.magic_stream = (
            Stream(key, STREAMS.number(name), deal) for name in ("abilities", "enemies", "magic")
        )
        self.policy_streams = [Stream(key, STREAMS.number("policy", 0), deal)]
        self.first_enemy = len(ABILITIES)
        lots = Stream(key, STREAMS.number("lots"), deal)
        #: The way up that was drawn by lot, by kind of companion: policies may follow it (UW-A3).
        self.lots: dict[int, int] = {}
        for kind in range(_FIRST_COMPANION, len(ABILITIES)):
            ways = self.ways_of(kind)
            self.lots[kind] = ways[lots.bounded(len(ways))]
        self.wizard: Wizard = Wizard(lp=self.rule["start_lp"], hex=self.rule["start_hex"])
        self.places = [Place() for _ in tables.colours]
        self.used: set[int] = set()  # yellow hexes
        self.phase = "setup"
        self.round: int = 1
        self.turn: int = 0
        # The battle turn under way: parts in the deck, sets of spells still possible, and what a
        # policy has worked out for the decision that is being taken.
        self.battle: Battle | None = None
        self.deck_parts: list[int] = []
        self.casts: list[Cast] = []
        self.planned: int | None = None
        self.foreseen: dict[tuple[str, int], int] = {}
        # The end, and what is recorded.
        self.end_reason = -1
        self.ranks: list[int] = []
        self.win60: list[int] = []
        self.lost_at = self.lost_to = 0
        self.counts = np.zeros((1, len(tables.kind_names), len(INFO.card_fields)), np.int64)
        self.series = np.full((1, self.rule["round_cap"], len(INFO.series)), NO_VALUE, np.int16)
        #: Choices, and tops of magic decks, that are settled in advance.
        self.script: deque[str] = deque()
        self.stacked: deque[list[int]] = deque()
        self.story = Story(self) if trace else None

    # -- small things ----------------------------------------------------------------------------

    @property
    def on_turn(self) -> int:
        """There is one seat."""
        return 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end_reason >= 0

    def told(self, card: Card, source: str, target: str, **fields: Any) -> None:
        """Tell that a card changed its place."""
        if self.story:
            self.story.move(card, source, target, self.wizard, **fields)

    def count_kind(self, kind: int, field: str, by: int = 1) -> None:
        """Count something of a kind in the cards group."""
        self.counts[0, kind, INFO.card_fields.index(field)] += by

    def count(self, enemy: int, field: str, by: int = 1) -> None:
        """Count something of an enemy in the cards group."""
        self.count_kind(self.first_enemy + enemy, field, by)

    def change_lp(self, by: int, why: str) -> None:
        """Change the wizard's LP, and remember why."""
        wizard = self.wizard
        wizard.lp += by
        wizard.sources[why] += by
        if self.story and by:
            self.story.change("lp", wizard, by, wizard.lp, why=why)

    def pay(self, number: int, why: str) -> int:
        """Take LP, which stop at 0; return how many were taken."""
        taken = min(number, self.wizard.lp)
        self.change_lp(-taken, why)
        return taken

    def recover(self, number: int, why: str) -> None:
        """Give LP, up to the most there can be (UW-S1)."""
        self.change_lp(max(0, min(number, self.rule["most_lp"] - self.wizard.lp)), why)

    def decide(self, decision: int, options: Iterable[int]) -> int:
        """Let the player choose among option codes. One option is taken without asking."""
        legal = sorted(options)
        legal = [code for code in legal if not self.bans[0] >> code & 1] or legal
        if len(legal) == 1:
            return legal[0]
        self.forget()
        code = chosen(self, decision, legal)
        if self.story:
            self.story.choose(DECISIONS[decision].id, self.wizard, legal, code)
        return code

    def forget(self) -> None:
        """Forget what a policy has worked out for another decision."""
        self.planned = None
        self.foreseen.clear()

    def next_order(self) -> int:
        """Return the number of the battle that begins at a place."""
        return 1 + max(place.order for place in self.places)

    def has_battle(self, there: int) -> bool:
        """Whether entering a hex starts a battle (UW-M2, UW-E1)."""
        place = self.tables.map_hexes[there].place
        return there == self.rule["castle_hex"] or (
            place != NO_PLACE and not self.places[place].order
        )

    def draw_numbers(self) -> range:
        """Return how many cards of the magic deck can be declared (UW-C2)."""
        most = min(self.rule["most_drawn"], len(self.deck_parts) - self.rule["left"])
        return range(1, most + 1)

    def turn_damage(self) -> int:
        """Return the damage by skills of every turn (UW-C5)."""
        return sum(self.tables.way_cards[one.way].turn_damage for one in self.wizard.companions)

    def strike_with(self, enemy_lp: int) -> int:
        """Return with how much the enemy strikes at so many LP (UW-C6)."""
        assert self.battle is not None
        ap = self.tables.enemy_cards[self.battle.enemy].ap[enemy_lp]
        guard = sum(self.tables.way_cards[one.way].guard for one in self.wizard.companions)
        return max(0, ap - guard)

    def ways_of(self, kind: int) -> list[int]:
        """Return the ways up of a companion, places in the tables."""
        return [n for n, way in enumerate(self.tables.way_cards) if way.kind == kind]

    # -- set-up ----------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Set the game up; afterwards the wizard makes its first move (UW-S)."""
        tables, wizard = self.tables, self.wizard
        wizard.sources["start"] = wizard.lp
        wizard.hand = [Card(kind, 1) for kind in range(BASIC)]
        dealt = [
            Card(kind, 1) for kind in self.abilities_stream.shuffled(range(BASIC, len(ABILITIES)))
        ]
        starting, rest = dealt[: self.rule["start_cards"]], dealt[self.rule["start_cards"] :]
        for place, card in zip(self.places, rest, strict=False):
            place.ability = card
            self.count_kind(card.kind, "dealt")
        for sort in (SORTS.index("yellow"), SORTS.index("red")):
            of_sort = [n for n, one in enumerate(tables.enemy_cards) if one.sort == sort]
            enemies = iter(self.enemies_stream.shuffled(of_sort))
            for place, colour in zip(self.places, tables.colours.tolist(), strict=True):
                if colour == sort:
                    place.enemy = Card(self.first_enemy + next(enemies), 1)
                    self.count_kind(place.enemy.kind, "dealt")
        if self.story:
            self.story.set_up(self, starting)
        for card in starting:
            wizard.started_with.append(card.kind)
            self.count_kind(card.kind, "start")
            self.gain(card, "dealt")
        self.phase = "journey"

    def gain(self, card: Card, source: str, **fields: Any) -> None:
        """Take an ability card: a part or the Grimoire 2 into hand, a companion to one's side."""
        wizard = self.wizard
        if self.bans[0] >> card.kind & 1:  # UW-A2
            wizard.aside.append(card)
            self.told(card, source, "aside", **fields)
        elif card.kind < _FIRST_COMPANION:
            wizard.hand.append(card)
            self.told(card, source, "hand", **fields)
        else:  # UW-S4
            first = self.rule["first_way"]
            ways = self.ways_of(card.kind)
            way = self.decide(WAY, [first + number for number in ways]) - first
            wizard.companions.append(Companion(card, way))
            wizard.ways_laid[card.kind] = ways.index(way)
            name = self.tables.words.options[first + way]
            self.told(card, source, "companions", way=name, **fields)

    # -- a round ---------------------------------------------------------------------------------

    def directions(self) -> dict[int, int]:
        """Return where the wizard can go: the hex by option."""
        first = self.rule["kinds"]
        return {first + direction: there for direction, there in neighbours(self).items()}

    def move(self, direction: int) -> None:
        """Go in a direction, an option; pay first, then fight (UW-M1, UW-M2)."""
        there = self.directions()[direction]
        self.turn += 1
        starts_battle = self.has_battle(there)
        enter(self, there)
        if not self.wizard.lp:
            self.finish(LOST_ON_ROAD)
        elif starts_battle:
            battle.begin(self)
        self._end_round()

    def play_battle_turn(self) -> None:
        """Play a turn of the battle under way."""
        battle.play_turn(self)
        self._end_round()

    def play_round(self) -> None:
        """Play what is left of the round: a move and the battle that it starts."""
        number = self.round
        if self.phase == "journey":
            self.move(self.decide(MOVE, self.directions()))
        while not self.over and self.round == number:
            self.play_battle_turn()

    def play(self) -> None:
        """Play to the end."""
        while not self.over:
            self.play_round()

    def _end_round(self) -> None:
        """When no battle is under way, count the move, and go on to the next (UW-M5)."""
        if self.over or self.battle is not None:
            return
        if self.round >= self.rule["round_cap"]:
            self.finish(ROUND_CAP)
            return
        self._record_round()
        self.round += 1

    # -- the end ---------------------------------------------------------------------------------

    def _record_round(self) -> None:
        self.series[0, self.round - 1] = self.wizard.lp, self.wizard.battles_won

    def finish(self, reason: int) -> None:
        """End the game (UW-E1, UW-L)."""
        self.end_reason = reason
        if reason == LOST_ON_ROAD:
            self.lost_at = 1
        elif self.battle is not None:
            place = self.battle.place
            self.lost_at = 2 + (len(self.places) if place == NO_PLACE else place)
            if reason in (LOST_IN_BATTLE, LOST_BY_CASTING):
                self.lost_to = 1 + self.battle.enemy
                self.count(self.battle.enemy, "lost")
        self.ranks, self.win60 = [1], [WIN if reason == CLEARED else 0]
        self._record_round()
        if self.story:
            self.story.add(
                "end",
                reason=END_REASONS[reason].id,
                scores=[self.wizard.lp],
                ranks=self.ranks,
                win60=self.win60,
            )
        self.phase = "over"


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
