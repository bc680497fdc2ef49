"""A reference game that is driven and read by name: what is the same in every title."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from sim.core.pile import Card, Pile
from sim.core.title import TitleInfo
from sim.errors import InputError, UnknownNameError

__all__ = ["Seated", "Stageable", "StagedGame"]


class Seated(Protocol):
    """What each seat of a staged game must have."""

    hand: list[Card]
    deck: Pile
    discard: list[Card]
    play: list[Card]
    turns: int


class Stageable(Protocol):
    """What a game must have to be staged; its tables have ``words`` and ``kind_names``."""

    tables: Any
    seats: list[Any]
    script: deque[str]
    story: Any
    phase: str
    round: int
    turn: int
    on_turn: int
    end_reason: int
    ranks: list[int]
    win60: list[int]

    @property
    def over(self) -> bool: ...  # noqa: D102 - the name says it


GameT = TypeVar("GameT", bound=Stageable)
SeatT = TypeVar("SeatT", bound=Seated)


class StagedGame(Generic[GameT, SeatT]):
    """A game of a reference engine, read by the names of its cards; a title adds its steps.

    Parameters
    ----------
    game : Stageable
    info : TitleInfo
    observe : callable
        ``observe(game, seat, observable, argument) -> int``.
    record : callable
        ``record(game, seat)``: the seat's columns of the records as they stand now.

    Attributes
    ----------
    choices : deque of str
        What the seats choose next, whoever is asked.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> words = SimpleNamespace(options=("stone", "charm", "stop"))
    >>> seats = [SimpleNamespace(hand=[Card(1, 1), Card(0, 1)], turns=4)]
    >>> tables = SimpleNamespace(words=words, kind_names=("stone", "charm"))
    >>> game = SimpleNamespace(tables=tables, seats=seats, script=deque(), on_turn=0)
    >>> staged = StagedGame(game, info=None, observe=None, record=None)
    >>> staged.seat, staged.hand(1), staged.turns(1)
    (1, ['charm', 'stone'], 4)
    """

    def __init__(
        self,
        game: GameT,
        info: TitleInfo,
        observe: Callable[[GameT, SeatT, int, int], int],
        record: Callable[[GameT, SeatT], Mapping[str, int]],
    ) -> None:
        self._game, self._info, self._observe, self._record = game, info, observe, record
        self._names: tuple[str, ...] = game.tables.words.options
        self._kinds: tuple[str, ...] = game.tables.kind_names
        self.choices = game.script

    # -- for the steps ---------------------------------------------------------------------------

    def _running(self) -> None:
        if self._game.over:
            raise InputError("the game is over")

    def _expect(self, phase: str) -> None:
        self._running()
        if self.phase != phase:
            raise InputError(f"found phase {self.phase!r}; this step needs phase {phase!r}")

    def _listed(self, cards: Iterable[Card]) -> list[str]:
        return [self._kinds[card.kind] for card in cards]

    def _seat(self, number: int) -> SeatT:
        if not 1 <= number <= self.players:
            raise InputError(f"seat: found {number}; allowed: 1 to {self.players}")
        seat: SeatT = self._game.seats[number - 1]
        return seat

    def _kind(self, name: str) -> int:
        if name not in self._kinds:
            raise UnknownNameError("card", name, self._kinds)
        return self._kinds.index(name)

    # -- what can be read ------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """The phase of the turn; ``over`` when the game has ended."""
        return self._game.phase

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self._game.round

    @property
    def turn(self) -> int:
        """Turns of all seats so far, the one under way included."""
        return self._game.turn

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
        return self._listed(self._seat(seat).deck.top_first())

    def discard(self, seat: int) -> list[str]:
        """Return a discard pile, first discarded first."""
        return self._listed(self._seat(seat).discard)

    def play_area(self, seat: int) -> list[str]:
        """Return a play area, in the order laid."""
        return self._listed(self._seat(seat).play)

    def turns(self, seat: int) -> int:
        """Return how many own turns a seat has had, the one under way included."""
        return self._seat(seat).turns

    def observe(self, seat: int, name: str, argument: str | None = None) -> int:
        """Return an observable as a seat sees it."""
        words = self._game.tables.words
        if name not in words.observable_numbers:
            raise UnknownNameError("observable", name, words.observable_numbers)
        number = words.observable_numbers[name]
        what = words.observables[number].argument
        if (what is None) != (argument is None):
            allowed = f"a {what}" if what else "no argument"
            raise InputError(f"observable {name!r}: found {argument!r}; allowed: {allowed}")
        place = 0
        if what is not None and argument is not None:
            known = words.arguments[what]
            if argument not in known:
                raise UnknownNameError(what, argument, known)
            place = known[argument]
        return int(self._observe(self._game, self._seat(seat), number, place))

    def counter(self, seat: int, name: str) -> int:
        """Return a seat column of the records as it stands now."""
        record = self._record(self._game, self._seat(seat))
        if name not in record:
            raise UnknownNameError("column", name, record)
        return record[name]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.over

    @property
    def end_reason(self) -> str | None:
        """Why the game has ended, or None."""
        reasons = self._info.categories["end_reason"]
        return reasons[self._game.end_reason].id if self.over else None

    @property
    def win60(self) -> list[int]:
        """Win shares by seat."""
        return list(self._game.win60)

    @property
    def ranks(self) -> list[int]:
        """Ranks by seat."""
        return list(self._game.ranks)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The trace so far."""
        return self._game.story.events if self._game.story else []
