"""Many games of a kernel, as the arrays that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.ruleset import Ruleset
from sim.core.title import MASK_WORDS, Buffers, Title

__all__ = ["Played", "play"]


@dataclass(frozen=True)
class Played:
    """Games of one line-up, one a deal."""

    title: Title
    rules: Ruleset
    out: Buffers

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind.id for kind in self.title.kinds(self.rules))

    def cards(self, field: str) -> np.ndarray:
        """Return a field of cards, by game, seat and kind."""
        assert self.out.cards is not None
        return self.out.cards[..., self.title.info.card_fields.index(field)].astype(np.int64)

    def seats(self, column: str) -> np.ndarray:
        """Return a column of seats, by game and seat."""
        return self.out.seats[column].astype(np.int64)

    def ends(self) -> np.ndarray:
        """Return why games ended."""
        names = [one.id for one in self.title.info.categories["end_reason"]]
        return np.array(names)[self.out.games["end_reason"]]


def play(
    title: Title,
    lineup: Sequence[Any],
    games: int,
    *,
    seed: int,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
) -> Played:
    """Play games of one line-up, with what is counted of cards.

    Entries of the line-up are policies or files of policies, with decks where a title has such.
    """
    found = title.load(overrides=overrides) if rules is None else rules
    tables = title.compile(found)
    loadouts = title.loadouts(found) if title.loadouts else ()
    policies = load_policies(
        [str(entry) for entry in lineup], tables.words, title.data / "policies", loadouts=loadouts
    )
    players, kinds = len(lineup), len(title.kinds(found))
    out = allocate(title.info, games, players, kinds=kinds, collect=("core", "cards"))
    bans = np.zeros((players, MASK_WORDS), np.uint64)
    seats = np.arange(players, dtype=np.int16)[None]
    code, game = title.play(tables, policies, bans, make_key(seed), 0, seats, 1, out)
    assert code == 0, (code, game)
    return Played(title, found, out)
