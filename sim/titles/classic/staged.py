"""A game that is driven and read by name; ``position`` is its manual."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, UnknownNameError
from sim.titles.classic.info import END_REASONS
from sim.titles.classic.observe import observe
from sim.titles.classic.results import seat_record

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.classic.reference import Game
    from sim.titles.classic.state import Seat

__all__ = ["StagedGame"]

_READABLE = ("phase", "round", "turn", "actions", "buys", "coins", "over", "win60", "ranks")


class StagedGame:
    """A game of the reference engine that is driven and read by name."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._names = game.tables.words.options
        self.choices = game.script

    # -- steps -----------------------------------------------------------------------------------

    def play_action(self, kind: str) -> None:
        """Play an action card from hand."""
        self._expect("action")
        self._game.play_action(self._legal(kind, self._game.action_options()))

    def enter_buy(self) -> None:
        """Lay down the treasures and go on to the buy phase."""
        self._expect("action")
        self._game.enter_buy()

    def buy(self, kind: str) -> None:
        """Buy a card."""
        self._expect("buy")
        self._game.buy(self._legal(kind, self._game.buy_options()))

    def end_turn(self) -> None:
        """End the turn; from the action phase the treasures are laid down first."""
        if self.phase == "action":
            self._game.enter_buy()
        self._expect("buy")
        self._game.end_turn()

    def play_turn(self) -> None:
        """Play what is left of this turn."""
        self._running()
        self._game.play_turn()

    def play(self) -> None:
        """Play what is left of the game."""
        self._running()
        self._game.play()

    def _running(self) -> None:
        if self._game.over:
            raise InputError("the game is over")

    def _expect(self, phase: str) -> None:
        self._running()
        if self.phase != phase:
            raise InputError(f"found phase {self.phase!r}; this step needs phase {phase!r}")

    def _legal(self, kind: str, options: set[int]) -> int:
        code = self._kind(kind)
        if code not in options:
            allowed = ", ".join(self._names[option] for option in sorted(options))
            raise InputError(f"found {kind!r}; allowed now: {allowed}")
        return code

    # -- what can be read ------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return what a game itself calls by the same name: phase, round, coins, …"""
        if name not in _READABLE:
            raise AttributeError(f"there is no {name!r}; allowed: {', '.join(_READABLE)}")
        return getattr(self._game, name)

    @property
    def seat(self) -> int:
        """The seat on turn, from 1."""
        return self._game.on_turn + 1

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self._game.seats)

    def hand(self, seat: int) -> list[str]:
        """Return a hand, in the order drawn."""
        return self._listed(self._seat(seat).hand)

    def deck(self, seat: int) -> list[str]:
        """Return a deck, top first."""
        return self._listed(self._seat(seat).deck.cards)[::-1]

    def discard(self, seat: int) -> list[str]:
        """Return a discard pile, first discarded first."""
        return self._listed(self._seat(seat).discard)

    def play_area(self, seat: int) -> list[str]:
        """Return a play area, in the order laid."""
        return self._listed(self._seat(seat).play)

    @property
    def trash(self) -> list[str]:
        """The trash, first trashed first."""
        return self._listed(self._game.trash)

    @property
    def piles(self) -> dict[str, int]:
        """Cards left, of the piles in the supply."""
        return {self._names[kind]: self._game.piles[kind] for kind in sorted(self._game.supply)}

    def points(self, seat: int) -> int:
        """Return a seat's points."""
        return self._game.points(self._seat(seat))

    def turns(self, seat: int) -> int:
        """Return how many turns a seat has had, the one under way included."""
        return self._seat(seat).turns

    def observe(self, seat: int, name: str, argument: str | None = None) -> int:
        """Return an observable as a seat sees it."""
        words = self._game.tables.words
        if name not in words.observable_numbers:
            raise UnknownNameError("observable", name, words.observable_numbers)
        number = words.observable_numbers[name]
        what = words.observables[number].argument
        if (what is None) != (argument is None):
            raise InputError(f"observable {name!r}: found {argument!r}; allowed: {what}")
        place = 0
        if what is not None and argument is not None:
            if argument not in words.arguments[what]:
                raise UnknownNameError(what, argument, words.arguments[what])
            place = words.arguments[what][argument]
        return observe(self._game, self._seat(seat), number, place)

    def options(self) -> tuple[str, ...]:
        """Return the legal options of the phase."""
        self._running()
        game = self._game
        legal = game.action_options() if self.phase == "action" else game.buy_options()
        return tuple(self._names[code] for code in sorted(legal))

    def counter(self, seat: int, name: str) -> int:
        """Return a seat column of the records as it stands now."""
        record = seat_record(self._game, self._seat(seat))
        if name not in record:
            raise UnknownNameError("column", name, record)
        return record[name]

    @property
    def end_reason(self) -> str | None:
        """Why the game has ended, or None."""
        return END_REASONS[self._game.end_reason].id if self.over else None

    @property
    def events(self) -> list[dict[str, Any]]:
        """The trace so far."""
        return self._game.story.events if self._game.story else []

    def _listed(self, cards: Iterable[Card]) -> list[str]:
        return [self._names[card.kind] for card in cards]

    def _seat(self, seat: int) -> Seat:
        if not 1 <= seat <= self.players:
            raise InputError(f"seat: found {seat}; allowed: 1 to {self.players}")
        return self._game.seats[seat - 1]

    def _kind(self, name: str) -> int:
        if name not in self._game.tables.kind_names:
            raise UnknownNameError("card", name, self._game.tables.kind_names)
        return self._names.index(name)
