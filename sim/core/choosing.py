"""How a seat chooses in a reference engine: by a script, a policy, or the default."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from sim.core.policy import SLIP_UNIT, PolicyTable, choose
from sim.core.stream import Stream
from sim.core.vocabulary import Vocabulary
from sim.errors import InputError, UnknownNameError

__all__ = ["Choosing", "Look", "View", "chosen"]

#: What a seat sees: ``look(observable, argument) -> int``.
Look = Callable[[int, int], int]


class Choosing(Protocol):
    """What a game must have for its seats to choose.

    Attributes
    ----------
    lineup : sequence
        One entry a seat: an index into ``policies``, an object with decision points as methods
        ``(view, options) -> option``, or None for the default choice.
    policies : PolicyTable or None
    policy_streams : sequence of Stream
        One a seat, for its slips.
    """

    @property
    def lineup(self) -> Sequence[Any]: ...  # noqa: D102 - the class says it

    @property
    def policies(self) -> PolicyTable | None: ...  # noqa: D102

    @property
    def policy_streams(self) -> Sequence[Stream]: ...  # noqa: D102


class View:
    """What a policy written in Python sees: ``view.round``, ``view.owned("gold")``.

    It knows what a policy file knows, and nothing else.

    Parameters
    ----------
    words : Vocabulary
    look : callable
        ``look(observable, argument) -> int``.

    Examples
    --------
    >>> from sim.core.vocabulary import Observable
    >>> words = Vocabulary(
    ...     options=("stone", "charm"),
    ...     groups={},
    ...     observables=(Observable("round", None, ""), Observable("owned", "kind", "")),
    ...     arguments={"kind": {"stone": 0, "charm": 1}},
    ...     attributes={},
    ...     decisions=(),
    ... )
    >>> view = View(words, lambda observable, argument: 10 * observable + argument)
    >>> view.round, view.owned("charm")
    (0, 11)
    """

    __slots__ = ("_look", "_words")

    def __init__(self, words: Vocabulary, look: Look) -> None:
        self._words, self._look = words, look

    def __getattr__(self, name: str) -> int | Callable[[str], int]:
        words, look = self._words, self._look
        number = words.observable_numbers.get(name)
        if number is None:
            raise AttributeError(f"there is no observable {name!r}")
        kind = words.observables[number].argument
        if kind is None:
            return look(number, 0)
        arguments = words.arguments[kind]

        def asked(argument: str) -> int:
            if argument not in arguments:
                raise UnknownNameError(kind, argument, arguments)
            return look(number, arguments[argument])

        return asked


def chosen(
    game: Choosing,
    words: Vocabulary,
    seat: int,
    decision: int,
    legal: list[int],
    look: Look,
    script: deque[str],
) -> int:
    """Return which of several options a seat takes.

    Parameters
    ----------
    game : Choosing
    words : Vocabulary
    seat, decision : int
        Index of the seat, number of the decision point.
    legal : list of int
        Codes of the options, ascending.
    look : callable
        What the seat sees: ``look(observable, argument) -> int``.
    script : deque of str
        Options to take before the seat is asked, by name; the one taken leaves it.

    Returns
    -------
    int
        One of `legal`: the next of the script; else by the seat's entry in the line-up; with
        neither ``stop`` if it is legal, else the first.

    Raises
    ------
    InputError
        When a script or a policy in Python names what is no legal option; the script stays.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sim.core.title import DecisionPoint
    >>> words = Vocabulary(
    ...     options=("stone", "charm", "stop"),
    ...     groups={},
    ...     observables=(),
    ...     arguments={},
    ...     attributes={},
    ...     decisions=(DecisionPoint("acquire", "what to buy"),),
    ... )
    >>> game, script = SimpleNamespace(lineup=[None], policies=None), deque(["charm"])
    >>> [chosen(game, words, 0, 0, [0, 1, 2], min, script) for _ in range(2)]
    [1, 2]
    """
    point = words.decisions[decision].id
    if script:
        code = _code(words, point, script[0], legal)
        script.popleft()
        return code
    entry = game.lineup[seat]
    if isinstance(entry, int | np.integer) and game.policies is not None:
        policy = int(entry)
        slip = int(game.policies.slip[policy])
        if slip:
            stream = game.policy_streams[seat]
            if stream.bounded(SLIP_UNIT) < slip:
                return legal[stream.bounded(len(legal))]
        return choose(game.policies, policy, decision, legal, look)
    method = getattr(entry, point, None)
    if method is None:
        return words.stop if words.stop in legal else legal[0]
    names = tuple(words.options[code] for code in legal)
    return _code(words, point, method(View(words, look), names), legal)


def _code(words: Vocabulary, point: str, name: str, legal: list[int]) -> int:
    options = words.options
    if name not in options:
        raise UnknownNameError(f"choice for {point!r}", str(name), options)
    code = options.index(name)
    if code not in legal:
        allowed = ", ".join(options[one] for one in legal)
        raise InputError(f"{point}: found {name!r}; allowed: {allowed}")
    return code
