"""How a seat chooses: a script, a data policy, a policy in Python, or the default."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sim.core.policy import SLIP_UNIT, choose
from sim.errors import InputError, UnknownNameError
from sim.titles.magnolia.info import DECISIONS
from sim.titles.magnolia.observe import observe

if TYPE_CHECKING:
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["View", "chosen"]


class View:
    """What a policy written in Python sees: ``view.gold``, ``view.field("human")``.

    It knows what a policy file knows, and nothing else.
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


def chosen(game: Game, seat: Seat, decision: int, legal: list[int]) -> int:
    """Return which of several options a seat takes."""
    if script := game.scripts[seat.index]:
        code = _code(game, decision, script[0], legal)
        script.popleft()
        return code
    entry = game.lineup[seat.index]
    if isinstance(entry, int | np.integer) and game.policies is not None:
        policy, stream = int(entry), game.policy_streams[seat.index]
        slip = int(game.policies.slip[policy])
        if slip and stream.bounded(SLIP_UNIT) < slip:
            return legal[stream.bounded(len(legal))]
        return choose(
            game.policies,
            policy,
            decision,
            legal,
            lambda number, argument: observe(game, seat, number, argument),
        )
    method = getattr(entry, DECISIONS[decision].id, None)
    if method is None:
        return game.stop if game.stop in legal else legal[0]
    names = tuple(game.tables.words.options[code] for code in legal)
    return _code(game, decision, method(View(game, seat), names), legal)


def _code(game: Game, decision: int, name: str, legal: list[int]) -> int:
    options, point = game.tables.words.options, DECISIONS[decision].id
    if name not in options:
        raise UnknownNameError(f"choice for {point!r}", str(name), options)
    code = options.index(name)
    if code not in legal:
        allowed = ", ".join(options[one] for one in legal)
        raise InputError(f"{point}: found {name!r}; allowed: {allowed}")
    return code
