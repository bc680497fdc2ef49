"""A reference game told: the events of a trace that are the same in every title.

Every event is a mapping with ``n, round, turn, seat, phase, event`` and its own fields; the titles'
own ``story`` modules list them all. Seats are counted from 1; ``seat`` is the seat on turn, 0
during set-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.core.pile import Card
from sim.core.policy import PolicyTable

__all__ = ["Owner", "Story", "Told"]


class Owner(Protocol):
    """Whose card or resource it is: a seat, by its index from 0."""

    index: int


class Told(Protocol):
    """What a game must have to be told."""

    phase: str
    round: int
    deal: int
    key: npt.NDArray[np.uint64]
    bans: list[int]
    lineup: list[Any]
    policies: PolicyTable | None

    @property
    def turn(self) -> int: ...  # noqa: D102 - the class says it

    @property
    def on_turn(self) -> int: ...  # noqa: D102


class Story:
    """Collects the events of one game.

    Parameters
    ----------
    game : Told
    names : sequence of str
        Names of the options; the first are those of the card kinds.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> game = SimpleNamespace(phase="buy", round=1, turn=2, on_turn=1)
    >>> story = Story(game, ("stone", "charm", "stop"))
    >>> story.choose("acquire", SimpleNamespace(index=1), [0, 2], 0)
    >>> story.move(Card(0, 7), "pile", "discard", SimpleNamespace(index=1))
    >>> story.events[-1]["seat"], story.events[-1]["card"], story.events[0]["options"]
    (2, 'stone', ['stone', 'stop'])
    """

    def __init__(self, game: Told, names: Sequence[str]) -> None:
        self.events: list[dict[str, Any]] = []
        self._told, self._names = game, names

    def add(self, event: str, **fields: Any) -> None:
        """Add an event."""
        game = self._told
        self.events.append(
            {
                "n": len(self.events),
                "round": game.round,
                "turn": game.turn,
                "seat": self._whose(fields),
                "phase": game.phase,
                "event": event,
                **fields,
            }
        )

    def _whose(self, fields: Mapping[str, Any]) -> int:
        """Return the seat that an event with these fields belongs to: the one on turn."""
        return 0 if self._told.phase == "setup" else self._told.on_turn + 1

    def move(
        self, card: Card, source: str, target: str, owner: Owner | None, **fields: Any
    ) -> None:
        """Tell that a card changed its place."""
        self.add(
            "move",
            **{
                "card": self._names[card.kind],
                "copy": card.copy,
                "from": source,
                "to": target,
                "owner": None if owner is None else owner.index + 1,
                **fields,
            },
        )

    def shuffle(self, owner: Owner, cards: int) -> None:
        """Tell that a discard pile of so many cards became the deck."""
        self.add("shuffle", zone="deck", owner=owner.index + 1, cards=cards)

    def change(self, what: str, owner: Owner, by: int, now: int, **fields: Any) -> None:
        """Tell that a resource or a count changed."""
        self.add("change", what=what, owner=owner.index + 1, by=by, now=now, **fields)

    def choose(self, what: str, owner: Owner, options: Sequence[int], choice: int) -> None:
        """Tell a decision."""
        self.add(
            "choose",
            what=what,
            owner=owner.index + 1,
            options=[self._names[code] for code in options],
            choice=self._names[choice],
        )

    def _begin(self, title: str, ruleset: str, **fields: Any) -> None:
        """Tell the set-up: which game this is, then the title's own fields."""
        game = self._told
        self.add(
            "setup",
            title=title,
            ruleset=ruleset,
            key=[int(word) for word in game.key],
            deal=game.deal,
            players=len(game.lineup),
            lineup=[self._policy(entry) for entry in game.lineup],
            bans=[
                [name for code, name in enumerate(self._names) if ban >> code & 1]
                for ban in game.bans
            ],
            **fields,
        )

    def _listed(self, cards: Iterable[Card]) -> list[list[Any]]:
        return [[self._names[card.kind], card.copy] for card in cards]

    def _policy(self, entry: Any) -> str:
        policies = self._told.policies
        if policies is not None and isinstance(entry, int | np.integer):
            return policies.names[entry]
        return type(entry).__name__
