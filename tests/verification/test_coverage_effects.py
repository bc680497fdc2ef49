"""How often the intervals of effects cover the truth: of supplies, of decks, of what was dealt.

The measured limits: effects of a supply hold together in 90 of 100 runs, not in 95, where the deals
are hardly more than what is estimated from them (about a hundred more, 40 kinds); in 94 from a
thousand deals on. Kinds that 30 to 40 seats were dealt are covered in 94 of 100 runs.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.building import part_effects, student
from analysis.estimates import dealt_effects, z_value
from analysis.impact import presence_effects
from sim.core.title import WIN
from tests.budget import assert_coverage

pytestmark = pytest.mark.verify

Z95 = z_value(0.95)

# Kinds that lie out


def supplies(rng, deals: int, kinds: int, size: int) -> np.ndarray:
    return rng.random((deals, kinds)).argsort(axis=1).argsort(axis=1) < size


def presence(rng, deals: int, kinds: int, blocks: int, runs: int):
    """Return how far effects on a policy's wins are from the truth, in standard errors.

    A game is won or not, with a chance that depends on all kinds that lie out, and on the line-up.
    """
    there = supplies(rng, deals, kinds, 10)
    block = rng.integers(0, blocks, deals)
    chance = 0.5 + 0.02 * there @ rng.normal(0, 1, kinds) + 0.1 * (block / blocks - 0.5)
    chance = np.clip(chance, 0.05, 0.95)
    truth = presence_effects(there, chance, block).effect[0]
    found = presence_effects(there, rng.random((runs, deals)) < chance, block)
    return np.abs(found.effect - truth) / found.se


#: Deals, kinds, line-ups, and how many of 100 runs the intervals of all kinds cover at least.
SUPPLIES = [(150, 30, 1, 0.88), (160, 40, 4, 0.86), (400, 60, 10, 0.91), (1_000, 60, 10, 0.93)]


@pytest.mark.parametrize(("deals", "kinds", "blocks", "together"), SUPPLIES)
def test_effects_of_a_supply(deals, kinds, blocks, together, stat_seed):
    off = presence(np.random.default_rng(stat_seed), deals, kinds, blocks, 3_000)
    single = {f"kind {kind}": (int((off[:, kind] <= Z95).sum()), len(off)) for kind in range(9)}
    assert_coverage(single, 0.935, 0.965, within=0.04)
    joint = int((off <= z_value(0.95, kinds)).all(axis=1).sum())
    assert_coverage({f"{kinds} kinds, {deals} deals": (joint, len(off))}, together, within=0.05)


# What a deck is made of


def decks(rng, number: int, parts: int) -> np.ndarray:
    """Return decks of forty cards, of which each is fond of some parts."""
    taste = rng.dirichlet(np.full(parts, 1.5), number)
    return np.array([rng.multinomial(40, one) for one in taste], float)


def built(rng, number: int, parts: int, games: int, runs: int) -> tuple[int, int, int]:
    """Return how many intervals, and how many families of them, cover in so many runs.

    Decks deviate from what they are made of, and are known by some games each.
    """
    one = together = 0
    worth = np.linspace(-0.01, 0.01, parts)
    for _ in range(runs):
        x = decks(rng, number, parts)
        rate = np.clip(0.5 + x @ worth + rng.normal(0, 0.03, number), 0.02, 0.98)
        got = part_effects(x, rng.binomial(games, rate) / games, [range(parts)])
        mean = x.mean(axis=0)
        others = (mean @ worth - mean * worth) / (mean.sum() - mean)
        off = np.abs(got.effect - (worth - others)) / got.se
        one += int(off[0] <= student(Z95, got.free))
        together += bool((off <= student(z_value(0.95, parts), got.free)).all())
    return one, together, runs


@pytest.mark.parametrize(
    ("number", "parts", "games"), [(40, 8, 30), (60, 15, 30), (120, 8, 30), (300, 15, 20)]
)
def test_effects_of_what_a_deck_is_made_of(number, parts, games, stat_seed):
    runs = 1_500
    one, together, _ = built(np.random.default_rng(stat_seed), number, parts, games, runs)
    name = f"{number} decks, {parts} parts"
    found = {f"{name}, one": (one, runs), f"{name}, all": (together, runs)}
    assert_coverage(found, 0.935, 0.985, within=0.06)


# What a seat was dealt


def dealt(rng, deals: int, players: int, games: int, share: float, power: float, runs: int):
    """Return effects of a kind that some seats are dealt, in so many runs, and standard errors.

    The rotations of a line-up share a deal: half of a seat's luck is that of the deal.
    """
    effects, errors = [], []
    for _ in range(runs // 100):
        shape = (100, deals, players)
        held, luck = rng.random(shape) < share, rng.normal(size=shape)
        y = np.zeros(shape[:2], np.int64)
        for _ in range(games):
            winner = (luck + rng.normal(size=shape) + power * held).argmax(axis=-1)
            y += WIN * np.take_along_axis(held, winner[..., None], axis=-1)[..., 0]
        n, w = held.sum(axis=-1) * games, players * games
        got = dealt_effects(
            rows=n.sum(axis=1),
            y=y.sum(axis=1),
            yy=(y * y).sum(axis=1),
            yn=(y * n).sum(axis=1),
            nn=(n * n).sum(axis=1),
            yw=w * y.sum(axis=1),
            nw=w * n.sum(axis=1),
            whole=deals * w,
            clusters=deals,
            ww=deals * w * w,
            parity=1 / players,
            z=Z95,
        )
        effects.append(got.effect)
        errors.append((got.hi - got.lo) / 2)
    return np.concatenate(effects), np.concatenate(errors)


#: Deals, players, games a deal, share of the seats with it, what it does.
DEALT = [
    (300, 2, 2, 0.1, 0.0),
    (300, 2, 2, 0.5, 0.3),
    (600, 3, 3, 0.02, 0.0),
    (600, 3, 3, 0.1, 0.5),
    (800, 4, 1, 0.05, 0.3),
    (1_000, 5, 5, 0.02, 0.5),
]


def test_effects_of_what_a_seat_was_dealt(stat_seed):
    rng, found = np.random.default_rng(stat_seed), {}
    for deals, players, games, share, power in DEALT:
        effect, half = dealt(rng, deals, players, games, share, power, 2_000)
        # By symmetry nothing, or what all runs say together: 45 times as much as one of them.
        truth = effect.mean() if power else 0.0
        name = f"{deals} deals, {share} of {players} seats, {games} a deal"
        found[name] = (int((np.abs(effect - truth) <= half).sum()), len(effect))
    assert_coverage(found, 0.93, 0.97, within=0.04)
