"""What the policies promise: chance is beaten, her victory reached, games end in good time."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core._rng import draw_lineups, make_key
from sim.core.policy import available, load_policies
from sim.core.records import allocate
from sim.titles.granmagia import DATA, TITLE
from sim.titles.granmagia.info import ROUND_CAP
from sim.titles.granmagia.schema import WITCHES
from tests.budget import Z

FOLDER = DATA / "policies"
POLICIES = [name for name in available(FOLDER) if name != "random"]
TABLES = TITLE.compile(TITLE.load())
GAMES = 20_000
MIRRORED = 4_000


def play(names, lineups, games, *, seed=11, games_per_deal=1):
    """Play games with the kernel."""
    players = lineups.shape[1]
    out = allocate(
        TITLE.info, games, players, kinds=len(TABLES.kinds), rounds=TABLES.rule["round_cap"]
    )
    code, _ = TITLE.play(
        TABLES,
        load_policies(names, TABLES.words, FOLDER),
        np.zeros((players, 2), np.uint64),
        make_key(seed),
        0,
        np.ascontiguousarray(lineups, np.int16),
        games_per_deal,
        out,
    )
    assert code == 0
    return out


def error(values):
    """Return Z standard errors of a mean over independent games."""
    return Z * values.std() / np.sqrt(len(values))


@pytest.fixture(scope="module", params=(2, 3, 4), ids="{}p".format)
def pool(request):
    """Games of line-ups drawn from all policies but ``random``."""
    players = request.param
    lineups = draw_lineups(make_key(11), 0, GAMES, len(POLICIES), players)
    return lineups, play(POLICIES, lineups, GAMES)


@pytest.mark.parametrize("policy", POLICIES)
def test_each_beats_random(policy):
    out = play([policy, "random"], np.array([[0, 1], [1, 0]]), MIRRORED, games_per_deal=2)
    won = out.seats["win60"].reshape(-1, 2, 2) / 60
    shares = (won[:, 0, 0] + won[:, 1, 1]) / 2
    assert shares.mean() - error(shares) >= 0.95


@pytest.mark.parametrize("witch", WITCHES)
def test_each_special_victory_is_reached_by_the_policy_that_pursues_it(pool, witch):
    lineups, out = pool
    own = (lineups == POLICIES.index(witch)) & (
        out.seats["witch"] == TABLES.witch_names.index(witch) + 1
    )
    reached = out.seats["special_victory"][own].astype(float)
    assert len(reached) > 500
    assert reached.mean() - error(reached) >= 1 / 200


@pytest.mark.parametrize("policy", POLICIES)
def test_none_wins_twice_its_share(pool, policy):
    lineups, out = pool
    shares = out.seats["win60"][lineups == POLICIES.index(policy)] / 60
    assert shares.mean() + error(shares) <= 2 / lineups.shape[1]


def test_games_last_fifteen_to_thirty_rounds(pool):
    rounds = np.sort(pool[1].games["rounds"])
    # Order statistics around the median, so that chance cannot decide.
    apart = int(np.ceil(Z * np.sqrt(len(rounds)) / 2))
    middle = len(rounds) // 2
    assert rounds[middle - apart] >= 15
    assert rounds[middle + apart] <= 30


def test_the_cap_hardly_ever_ends_a_game(pool):
    lineups, out = pool
    players = lineups.shape[1]
    capped = [(out.games["end_reason"] == ROUND_CAP).sum()]
    for policy in POLICIES:
        mirror = play([policy], np.zeros((1, players)), MIRRORED)
        capped.append((mirror.games["end_reason"] == ROUND_CAP).sum())
    games = GAMES + len(POLICIES) * MIRRORED
    # At most one in ten thousand: so many or fewer are no sign of more.
    most = games / 10_000
    assert sum(capped) <= most + Z * np.sqrt(most)
