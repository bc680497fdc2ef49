"""A game that is driven and read by name; ``position`` is its manual."""

from __future__ import annotations

from typing import Any

from sim.core import staged
from sim.errors import InputError
from sim.titles.classic.info import INFO
from sim.titles.classic.observe import observe
from sim.titles.classic.reference import Game
from sim.titles.classic.results import seat_record
from sim.titles.classic.state import Seat

__all__ = ["StagedGame"]

_READABLE = ("actions", "buys", "coins")


class StagedGame(staged.StagedGame[Game, Seat]):
    """A game of the reference engine that is driven and read by name."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, INFO, observe, seat_record)

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

    def _legal(self, kind: str, options: set[int]) -> int:
        code = self._kind(kind)
        if code not in options:
            allowed = ", ".join(self._names[option] for option in sorted(options))
            raise InputError(f"found {kind!r}; allowed now: {allowed}")
        return code

    # -- what can be read ------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return what a game itself calls by the same name: actions, buys, coins."""
        if name not in _READABLE:
            raise AttributeError(f"there is no {name!r}; allowed: {', '.join(_READABLE)}")
        return getattr(self._game, name)

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

    def options(self) -> tuple[str, ...]:
        """Return the legal options of the phase."""
        self._running()
        game = self._game
        legal = game.action_options() if self.phase == "action" else game.buy_options()
        return tuple(self._names[code] for code in sorted(legal))
