"""Runs of which the truth is known, made by the thousand: what intervals are tried on.

A deal is one of a few kinds, each with its probability: what the group won in it (in sixtieths) and
how many rows of the group lie in it. How many deals of a run are of which kind is one multinomial
draw, so that a run of a million games costs as much as one of a hundred, and the true rate is a
quotient of two sums.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.estimates import Means, Rates, clustered_rates, means
from sim.core.title import WIN

__all__ = ["Deals", "games", "of_choices", "of_games", "of_values", "paired"]

#: Chances of what one game brings: what a seat has of it in sixtieths, or any other number.
Game = dict[int, float]


@dataclass(frozen=True)
class Deals:
    """Kinds of deals; see the module's docstring."""

    y: np.ndarray
    n: np.ndarray
    chance: np.ndarray

    @property
    def truth(self) -> float:
        """The true mean of a row, in sixtieths."""
        return float(self.chance @ self.y / (self.chance @ self.n))

    def sums(self, rng: np.random.Generator, runs: int, deals: int) -> dict[str, np.ndarray]:
        """Return the sums that a store would keep of each of so many runs."""
        drawn = rng.multinomial(deals, self.chance, runs).astype(np.int64)
        y, n = self.y, self.n
        parts = {"rows": n, "clusters": n > 0, "y": y, "yy": y * y, "yn": y * n, "nn": n * n}
        return {name: drawn @ part.astype(np.int64) for name, part in parts.items()}

    def rates(self, rng: np.random.Generator, runs: int, deals: int, z: float) -> Rates:
        """Return the rate of each of so many runs, with its interval."""
        return clustered_rates(**self.sums(rng, runs, deals), z=z)

    def means(self, rng: np.random.Generator, runs: int, deals: int, z: float) -> Means:
        """Return the mean of each of so many runs, with its interval."""
        return means(**self.sums(rng, runs, deals), z=z)


def games(rate: float, ties: float = 0.0, players: int = 3) -> Game:
    """Return the chances of one game: ties are shared by two, whichever of the players they are."""
    tied = ties * 2 / players
    alone = rate - tied / 2
    assert 0 <= alone <= 1 - tied, "a rate that these ties allow"
    return {WIN: alone, WIN // 2: tied, 0: 1 - alone - tied}


def of_games(rate: float, *, size: int = 1, swing: float = 0.0, ties: float = 0.0) -> Deals:
    """Return deals of so many games each.

    The luck of a deal moves the chance to win all of its games up or down by ``swing``, a share of
    the most that it can be moved.
    """
    room = swing * min(rate - ties / 3, 1 - rate - ties / 3)
    return of_values([games(rate + luck, ties) for luck in (-room, room)], size)


def of_values(lucks: Sequence[Game], size: int = 1) -> Deals:
    """Return deals of so many values each, all drawn by one of some lucks that are as likely."""
    found: dict[tuple[int, int], float] = defaultdict(float)
    for values in lucks:
        sums: Game = {0: 1 / len(lucks)}
        for _ in range(size):
            more: Game = defaultdict(float)
            for total, chance in sums.items():
                for value, of_value in values.items():
                    more[total + value] += chance * of_value
            sums = more
        for total, chance in sums.items():
            found[total, size] += chance
    return _deals(found)


def of_choices(taken: float, seats: int, rate: float, better: float = 0.0) -> Deals:
    """Return deals of one game in which any number of seats, or none, are of the group.

    Of the seats each is of it with a chance of ``taken``; a game is won by the group with a chance
    of ``rate`` a seat of it, and ``better`` more for each seat that is not.
    """
    from scipy.stats import binom

    found = {}
    for n in range(seats + 1):
        there = float(binom.pmf(n, seats, taken))
        won = min(1.0, n * (rate + better * (seats - n)))
        found[WIN, n] = there * won
        found[0, n] = found.get((0, n), 0.0) + there * (1 - won)
    return _deals({key: chance for key, chance in found.items() if chance > 0})


def paired(changed: float, up: float, size: int = 1) -> Deals:
    """Return differences of the same game under two rules.

    A share of the games comes out otherwise, of these the share ``up`` for the better.
    """
    return of_values([{0: 1 - changed, WIN: changed * up, -WIN: changed * (1 - up)}], size)


def _deals(found: Mapping[tuple[int, int], float]) -> Deals:
    y, n = (np.array([key[place] for key in found], np.int64) for place in (0, 1))
    chance = np.array(list(found.values()))
    assert abs(chance.sum() - 1) < 1e-12
    return Deals(y, n, chance / chance.sum())
