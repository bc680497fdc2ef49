"""What a policy written in Python sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.errors import UnknownNameError
from sim.titles.granmagia.observe import observe

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["View"]


class View:
    """The observables of a seat: ``view.payable``, ``view.owned("charm")``.

    A policy written in Python knows what a policy file knows, and nothing else.
    """

    __slots__ = ("_game", "_seat")

    def __init__(self, game: Game, seat: Seat) -> None:
        self._game, self._seat = game, seat

    def __getattr__(self, name: str) -> int | Callable[[str], int]:
        words = self._game.tables.words
        number = words.observable_numbers.get(name)
        if number is None:
            raise AttributeError(f"there is no observable {name!r}")
        kind = words.observables[number].argument
        if kind is None:
            return observe(self._game, self._seat, number, 0)
        arguments = words.arguments[kind]

        def asked(argument: str) -> int:
            if argument not in arguments:
                raise UnknownNameError(kind, argument, arguments)
            return observe(self._game, self._seat, number, arguments[argument])

        return asked
