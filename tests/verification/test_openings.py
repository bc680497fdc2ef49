"""Games against closed forms: what the first hands and the first field must hold.

The kernel's own games are counted and held to exact probabilities, within the error budget of the
suite. A wrong shuffle, a biased bounded draw or a stream shared by two seats shows here.
"""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from sim import titles
from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS, Buffers
from tests.budget import assert_counts, assert_rate

pytestmark = pytest.mark.verify

GAMES = 200_000


@pytest.fixture(scope="module")
def games(request: pytest.FixtureRequest) -> tuple[dict[str, int], Buffers]:
    """Two rounds of many three-player games, with their cards."""
    title = titles.load("granmagia")
    tables = title.compile(title.load(overrides=("limits.round_cap=2",)))
    policies = load_policies(["random"], tables.words, title.data / "policies")
    out = allocate(title.info, GAMES, 3, kinds=len(tables.kind_names), collect=("core", "cards"))
    code, _ = title.play(
        tables,
        policies,
        np.zeros((3, MASK_WORDS), np.uint64),
        make_key(20),
        0,
        np.zeros((1, 3), np.int16),
        1,
        out,
    )
    assert code == 0
    return {name: kind for kind, name in enumerate(tables.kind_names)}, out


def opening(games: tuple[dict[str, int], Buffers], kind: str) -> np.ndarray:
    """Return the copies of a kind in the opening hands, by game and seat."""
    kinds, out = games
    assert out.cards is not None
    field = titles.load("granmagia").info.card_fields.index("opening")
    return out.cards[:, :, kinds[kind], field].astype(int)


def hypergeometric(copies: int, most: int) -> list[float]:
    """Chances of 0, 1, … copies among 5 cards of a deck of 10."""
    return [comb(copies, n) * comb(10 - copies, 5 - n) / comb(10, 5) for n in range(most + 1)]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_notes_in_the_opening_hand(games, seat: int) -> None:
    counts = np.bincount(opening(games, "note")[:, seat], minlength=3).tolist()
    assert_counts(counts, hypergeometric(2, 2))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_fragments_in_the_opening_hand(games, seat: int) -> None:
    counts = np.bincount(opening(games, "fragment")[:, seat], minlength=6)
    assert counts[:2].sum() == 0
    assert_counts(counts[2:].tolist(), hypergeometric(7, 5)[2:])


def test_hands_of_two_seats_are_independent(games) -> None:
    apprentice = opening(games, "apprentice")
    together = apprentice[:, 0] + 2 * apprentice[:, 1] + 4 * apprentice[:, 2]
    assert_counts(np.bincount(together, minlength=8).tolist())


def test_hands_of_neighbouring_deals_are_independent(games) -> None:
    apprentice = opening(games, "apprentice")[:, 0]
    together = apprentice[:-1:2] + 2 * apprentice[1::2]
    assert_counts(np.bincount(together, minlength=4).tolist())


def test_every_rare_is_in_the_game_equally_often(games) -> None:
    """Three of the rares are in the magic deck, whichever of the field shows of them."""
    kinds, out = games
    assert out.cards is not None
    title = titles.load("granmagia")
    offered = title.info.card_fields.index("offered")
    cards = title.load().values["cards"]
    rares = [kind for name, kind in kinds.items() if cards[name]["sort"] == "rare"]
    shown = out.cards[:, 0, rares, offered].sum(axis=0)
    share = shown.sum() / (GAMES * len(rares))
    for hits in shown.tolist():
        assert_rate(hits, GAMES, share, within=0.01)
