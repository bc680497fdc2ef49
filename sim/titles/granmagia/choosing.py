"""How a seat chooses: a script, a data policy, a policy in Python, or the default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.policy import SLIP_UNIT, choose
from sim.errors import InputError, UnknownNameError
from sim.titles.granmagia.info import DECISIONS
from sim.titles.granmagia.observe import observe
from sim.titles.granmagia.view import View

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["chosen"]


def chosen(game: Game, seat: Seat, decision: int, legal: list[int]) -> int:
    """Return which of several options a seat takes."""
    if game.script:
        code = _code(game, decision, game.script[0], legal)
        game.script.popleft()
        return code
    entry = game.lineup[seat.index]
    if isinstance(entry, int | np.integer) and game.policies is not None:
        policy = int(entry)
        slip = int(game.policies.slip[policy])
        if slip:
            stream = game.policy_stream(seat)
            if stream.bounded(SLIP_UNIT) < slip:
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
