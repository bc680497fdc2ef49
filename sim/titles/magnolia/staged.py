"""A game that is driven and read by name; ``position`` is its manual."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, UnknownNameError
from sim.titles.magnolia.field import Cell, free_cells
from sim.titles.magnolia.info import END_REASONS
from sim.titles.magnolia.observe import observe
from sim.titles.magnolia.results import seat_record

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["StagedGame"]

_READABLE = ("phase", "round", "over", "win60", "ranks")


class StagedGame:
    """A game of the reference engine that is driven and read by name."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._names = game.tables.words.options
        self.choices: dict[int, deque[str]] = dict(enumerate(game.scripts, 1))

    # -- steps -----------------------------------------------------------------------------------

    def draw_phase(self) -> None:
        """Discard and draw."""
        self._play("draw")

    def placement_phase(self) -> None:
        """Lay down, turn up, pay; bonuses and abilities."""
        self._play("placement")

    def war_phase(self) -> None:
        """Count power, rank, give VP; abilities."""
        self._play("war")

    def development_phase(self) -> None:
        """Development."""
        self._play("development")

    def income_phase(self) -> None:
        """Income."""
        self._play("income")

    def vp_phase(self) -> None:
        """VP phase and the end of the round."""
        self._play("vp")

    def play_round(self) -> None:
        """Play what is left of the round."""
        number = self._game.round
        self._running()
        while not self._game.over and self._game.round == number:
            self._game.play_phase()

    def play(self) -> None:
        """Play what is left of the game."""
        self._running()
        self._game.play()

    def _running(self) -> None:
        if self._game.over:
            raise InputError("the game is over")

    def _play(self, phase: str) -> None:
        self._running()
        if self.phase != phase:
            raise InputError(f"found phase {self.phase!r}; this step needs phase {phase!r}")
        self._game.play_phase()

    # -- what can be read ------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return what a game itself calls by the same name: phase, round, …"""
        if name not in _READABLE:
            raise AttributeError(f"there is no {name!r}; allowed: {', '.join(_READABLE)}")
        return getattr(self._game, name)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self._game.seats)

    def gold(self, seat: int) -> int:
        """Return a seat's gold."""
        return self._seat(seat).gold

    def vp(self, seat: int) -> int:
        """Return a seat's VP."""
        return self._seat(seat).vp

    def technology(self, seat: int) -> int:
        """Return a seat's level of technology."""
        return self._seat(seat).technology

    def faith(self, seat: int) -> int:
        """Return a seat's level of faith."""
        return self._seat(seat).faith

    def power(self, seat: int) -> int:
        """Return a seat's power in the last war."""
        return self._seat(seat).power

    def war_rank(self, seat: int) -> int:
        """Return a seat's rank in this round's war, 0 before it."""
        return self._seat(seat).war_rank

    def war_vp(self, seat: int) -> int:
        """Return a seat's VP for its rank in this round's war."""
        return self._seat(seat).war_vp

    def hand(self, seat: int) -> list[str]:
        """Return a hand, in the order drawn."""
        return self._listed(self._seat(seat).hand)

    @property
    def deck(self) -> list[str]:
        """The deck, top first."""
        return self._listed(self._game.deck.cards)[::-1]

    @property
    def discard(self) -> list[str]:
        """The discard pile, first discarded first."""
        return self._listed(self._game.discard)

    def cells(self, seat: int) -> dict[Cell, str]:
        """Return the cards of a field by their cells."""
        field = self._seat(seat).field
        return {cell: self._names[field[cell].kind] for cell in sorted(field)}

    def field(self, seat: int) -> list[list[str | None]]:
        """Return a field as rows."""
        cells = self.cells(seat)
        if not cells:
            return []
        rows, columns = ([cell[axis] for cell in cells] for axis in (0, 1))
        return [
            [cells.get((row, column)) for column in range(min(columns), max(columns) + 1)]
            for row in range(min(rows), max(rows) + 1)
        ]

    def free_cells(self, seat: int) -> list[Cell]:
        """Return where the next card may lie."""
        return free_cells(self._seat(seat).own_view)

    def lines(self, seat: int) -> list[str]:
        """Return the lines that have paid."""
        return [f"{name} {place}" for name, place in sorted(self._seat(seat).paid)]

    @property
    def objectives(self) -> list[str]:
        """The objectives that lie open."""
        names = self._game.tables.objective_names
        return [names[number] for number in self._game.open_objectives]

    def observe(self, seat: int, name: str, argument: str | None = None) -> int:
        """Return an observable of policies as a seat sees it."""
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
        self._game.planned = None
        return observe(self._game, self._seat(seat), number, place)

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
