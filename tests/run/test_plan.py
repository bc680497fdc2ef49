"""Plans: exact totals, stable numbers, the shares of the default plan, and clear refusals."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import InputError, UnknownNameError
from sim.run.layout import Cut, shards, tasks
from sim.run.plan import STRIDE, Plan, address, default_plan, game_id, make_plan
from tests.run.toy_title import INFO, SOLO

KNOWN = ("bold", "calm", "fair", "keen", "random")
NAMES = tuple(f"p{number}" for number in range(6))

pools = st.integers(1, 6).map(lambda n: NAMES[:n])
counts = st.sets(st.sampled_from((2, 3, 4)), min_size=1).map(lambda s: tuple(sorted(s)))


@given(games=st.integers(1, 40_000), pool=pools, players=counts)
def test_default_plan_has_exactly_the_games_asked_for(games, pool, players):
    plan = default_plan(INFO, games, pool, players)
    assert sum(block.games for block in plan.blocks) == games
    by_players = [sum(b.games for b in plan.blocks if b.players == n) for n in players]
    assert max(by_players) - min(by_players) <= 1
    for block in plan.blocks:
        assert block.design != "rotation" or block.games % block.players == 0


@given(games=st.integers(1, 20_000), more=st.integers(0, 20_000), pool=pools, players=counts)
def test_more_games_only_append_deals(games, more, pool, players):
    small = default_plan(INFO, games, pool, players)
    large = small.with_games(games + more)
    assert small.cells == large.cells
    for before, after in zip(small.blocks, large.blocks, strict=True):
        if before.design == "pool":  # gives back what a completed deal of a rotation needs
            assert after.deals >= before.deals - 2 * before.players
        else:
            assert after.deals >= before.deals


@given(games=st.integers(1, 5_000), pool=pools, players=counts)
def test_outline_gives_the_plan_back(games, pool, players):
    plan = default_plan(INFO, games, pool, players)
    assert Plan.from_outline(plan.outline(), plan.policies, games) == plan


def test_shares_of_the_default_plan():
    plan = default_plan(INFO, 120_000, NAMES, (2, 3, 4))
    for players in (2, 3, 4):
        share = {
            design: sum(b.games for b in plan.blocks if (b.players, b.design) == (players, design))
            for design in ("mirror", "rotation", "pool")
        }
        assert share["mirror"] == 10_000
        assert share["rotation"] == pytest.approx(20_000, abs=players)
        rotations = [b for b in plan.blocks if (b.players, b.design) == (players, "rotation")]
        assert len(rotations) == math.comb(len(NAMES), players)
        mirrors = [b for b in plan.blocks if (b.players, b.design) == (players, "mirror")]
        assert [b.cells[0].lineup for b in mirrors] == [(name,) * players for name in NAMES]
        deals = {b.deals for b in rotations}
        assert max(deals) - min(deals) <= 1


def test_a_pool_that_is_rotated_is_a_default_plan_without_its_drawn_line_ups():
    pool = ("bold", "calm", "fair")
    plan = make_plan(INFO, KNOWN, games=900, players=2, pool=pool, rotate=True)
    assert {block.design for block in plan.blocks} == {"mirror", "rotation"}
    lineups = [cell.lineup for cell in plan.cells]
    assert sorted(lineups) == sorted(itertools.product(pool, repeat=2))
    by_design = {
        design: sum(block.games for block in plan.blocks if block.design == design)
        for design in ("mirror", "rotation")
    }
    assert by_design == {"mirror": 300, "rotation": 600}
    whole = default_plan(INFO, 1_200, pool, (2,))
    assert [cell.lineup for cell in whole.cells if cell.lineup] == lineups


def test_a_small_pool_is_rotated_as_multisets():
    plan = default_plan(INFO, 1000, ("a", "b"), (4,))
    rotations = [block for block in plan.blocks if block.design == "rotation"]
    assert [block.cells[0].lineup for block in rotations] == [
        ("a", "a", "a", "b"),
        ("a", "a", "b", "b"),
        ("a", "b", "b", "b"),
    ]
    assert all(block.games_per_deal == 4 for block in rotations)


def test_cells_and_blocks_are_numbered_through():
    plan = default_plan(INFO, 10, NAMES, (2, 3))
    assert [cell.number for cell in plan.cells] == list(range(len(plan.cells)))
    assert [block.number for block in plan.blocks] == list(range(len(plan.blocks)))
    assert all(cell.block == b.number for b in plan.blocks for cell in b.cells)
    assert plan.blocks[3].first_deal == 3 * STRIDE
    assert address(game_id(7, 4711)) == (7, 4711)


def test_fixed_line_ups():
    plan = make_plan(INFO, KNOWN, games=10, lineup="bold, calm,fair")
    assert [cell.lineup for cell in plan.cells] == [("bold", "calm", "fair")]
    assert plan.blocks[0].design == "fixed"
    plan = make_plan(INFO, KNOWN, games=9, lineup=["bold", "calm", "fair"], rotate=True)
    assert [cell.lineup for cell in plan.cells] == [
        ("bold", "calm", "fair"),
        ("calm", "fair", "bold"),
        ("fair", "bold", "calm"),
    ]
    assert (plan.blocks[0].design, plan.blocks[0].deals) == ("rotation", 3)
    repeating = make_plan(INFO, KNOWN, games=8, lineup="bold,calm,bold,calm", rotate=True)
    assert len(repeating.cells) == 2
    mirror = make_plan(INFO, KNOWN, games=8, lineup="bold@0.05,bold@0.05", rotate=True)
    assert (mirror.blocks[0].design, len(mirror.cells)) == ("mirror", 1)


def test_random_is_left_out_of_the_default_plan_alone():
    assert "random" not in make_plan(INFO, KNOWN, games=10).policies
    assert make_plan(INFO, KNOWN, games=10, pool="bold,random").policies == ("bold", "random")


def test_a_title_without_seats_has_a_cell_a_policy():
    for plan in (
        make_plan(SOLO, KNOWN, games=10),
        make_plan(SOLO, KNOWN, games=10, pool="bold,calm,fair,keen"),
    ):
        assert [cell.lineup for cell in plan.cells] == [("bold",), ("calm",), ("fair",), ("keen",)]
        assert [block.deals for block in plan.blocks] == [3, 3, 2, 2]
        assert {block.design for block in plan.blocks} == {"fixed"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"games": 2.0}, "games must be a whole number, not 2.0"),
        ({"games": True}, "games must be a whole number, not True"),
        ({"games": 10**4400}, "games must be fewer than 10^18"),
        ({"games": 5, "players": 2.0}, "players must be a whole number, not 2.0"),
        ({"games": 5, "players": "2"}, "players must be a whole number, not '2'"),
        ({"games": 5, "players": 5}, "toy is not played by 5 (allowed: 2, 3, 4)"),
        ({"games": 5, "players": []}, "players is empty"),
        ({"games": 5, "players": 2, "lineup": "bold,calm,fair"}, "has 3 entries, but 2 players"),
        ({"games": 5, "lineup": "bold"}, "toy is not played by 1"),
        ({"games": 5, "lineup": "bold,,calm"}, "lineup has an empty entry"),
        ({"games": 5, "lineup": "bold,calm", "pool": "bold"}, "a line-up or a pool, not both"),
        ({"games": 5, "pool": "bold,calm,bold"}, "names a policy twice: bold"),
        ({"games": 5, "rotate": True}, "only a line-up or a pool can be rotated"),
        ({"games": 10, "lineup": "bold,calm,fair", "rotate": True}, "ask for 9 or 12 games"),
        ({"games": 2, "lineup": "bold,calm,fair", "rotate": True}, "ask for 3 games"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(InputError) as caught:
        make_plan(INFO, KNOWN, **arguments)
    assert message in str(caught.value)


def test_an_unknown_policy_is_named_with_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'bold'"):
        make_plan(INFO, KNOWN, games=5, lineup="bolt,calm")


@settings(max_examples=40)
@given(games=st.integers(1, 6_000), pool=pools, players=counts, batches=st.integers(1, 20))
def test_shards_and_tasks_cover_every_deal_once(games, pool, players, batches):
    plan = default_plan(INFO, games, pool, players)
    cut = Cut.of(INFO, plan)
    seen = {block.number: 0 for block in plan.blocks}
    keys = set()
    for shard in shards(cut, plan):
        keys.add(shard.key)
        pieces = [piece for task in tasks(shard, batches) for piece in task.pieces]
        assert sum(task.games for task in tasks(shard, batches)) == shard.games
        for piece in pieces:  # in the order of deals, without gaps
            assert piece.first == seen[piece.block]
            seen[piece.block] += piece.deals
    assert seen == {block.number: block.deals for block in plan.blocks}
    assert len(keys) == len(shards(cut, plan))
    larger = {shard.key for shard in shards(cut, plan.with_games(games + 5_000))}
    assert {key for key in keys if key not in larger} == set()


def test_the_cut_is_read_back():
    plan = default_plan(INFO, 10, NAMES, (2, 3))
    cut = Cut.of(INFO, plan)
    assert Cut.from_json(cut.to_json()) == cut


def test_a_block_has_no_more_deals_than_numbers():
    assert make_plan(INFO, KNOWN, games=STRIDE, lineup="bold,calm").blocks[0].deals == STRIDE
    with pytest.raises(InputError, match="at most 10,000,000,000 have numbers"):
        make_plan(INFO, KNOWN, games=STRIDE + 1, lineup="bold,calm")
    with pytest.raises(InputError, match="at most 10,000,000,000 have numbers"):
        make_plan(INFO, KNOWN, games=6 * 10**11)
