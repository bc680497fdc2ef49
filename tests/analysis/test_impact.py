"""Effects of a supply: against another library's regression, against the truth, at the edges."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import polars as pl
import pytest

import sim
from analysis.estimates import z_value
from analysis.impact import presence_effects, supply_effects
from sim.core.title import Label, Supply
from sim.errors import InputError
from tests import budget
from tests.run.toy_title import INFO, TOY, make

CARDS = ("core", "cards")
TOY_KINDS = ["one", "two", "three"]


def drawn(rng, units: int, kinds: int, size: int, accept=lambda there: True) -> np.ndarray:
    """Supplies of one size, drawn until they are accepted."""
    there = np.zeros((units, kinds), bool)
    for row in there:
        while True:
            row[:] = False
            row[rng.permutation(kinds)[:size]] = True
            if accept(row):
                break
    return there


def contrast(kinds: int, kind: int, group: list[int]) -> np.ndarray:
    """One kind against the mean of the others of its group."""
    weights = np.zeros(kinds)
    weights[group] = -1 / (len(group) - 1)
    weights[kind] = 1
    return weights


@pytest.fixture(scope="module")
def noisy():
    """Units of unequal variance in blocks of unequal level: four of nine kinds."""
    rng = np.random.default_rng(11)
    there = drawn(rng, 700, 9, 4)
    block = rng.integers(0, 5, 700) * 1000 + 7
    level = there @ rng.normal(0, 1, 9) + block / 500
    y = level + rng.normal(0, 1, (2, 700)) * (1 + 2 * there[:, 0])
    return there, y, block


def test_it_is_statsmodels_regression_with_robust_errors(noisy):
    import statsmodels.api as sm

    there, y, block = noisy
    found = presence_effects(there, y, block)
    dummies = (block[:, None] == np.unique(block)).astype(float)
    for row, outcome in enumerate(y):
        # The size is constant, so one kind is left out; it is then nought, and so are all weights.
        fit = sm.OLS(outcome, np.column_stack([there[:, 1:], dummies])).fit(cov_type="HC1")
        for kind in range(9):
            weights = np.zeros(8 + dummies.shape[1])
            weights[:8] = contrast(9, kind, list(range(9)))[1:]
            theirs = fit.t_test(weights)
            assert found.effect[row, kind] == pytest.approx(theirs.effect[0], rel=1e-9)
            assert found.se[row, kind] == pytest.approx(theirs.sd[0, 0], rel=1e-9)


def test_without_blocks_and_with_sets_of_any_size_too():
    import statsmodels.api as sm

    rng = np.random.default_rng(3)
    there = rng.random((400, 5)) < [0.2, 0.5, 0.5, 0.7, 0.9]
    y = there @ np.arange(5.0) + rng.normal(0, 1, 400)
    fit = sm.OLS(y, sm.add_constant(there.astype(float))).fit(cov_type="HC1")
    found = presence_effects(there, y)
    assert set(found.group.tolist()) == {0}
    for kind in range(5):
        theirs = fit.t_test(np.r_[0, contrast(5, kind, list(range(5)))])
        assert found.effect[0, kind] == pytest.approx(theirs.effect[0], rel=1e-9)
        assert found.se[0, kind] == pytest.approx(theirs.sd[0, 0], rel=1e-9)


def test_many_rows_are_the_same_as_few_at_a_time(noisy, monkeypatch):
    there, y, block = noisy
    whole = presence_effects(there, y, block)
    monkeypatch.setattr("analysis.impact._CHUNK", 33)
    parts = presence_effects(there, y, block)
    np.testing.assert_allclose(parts.effect, whole.effect, rtol=1e-10)
    np.testing.assert_allclose(parts.se, whole.se, rtol=1e-10)


def test_the_order_of_units_and_the_names_of_blocks_do_not_matter(noisy):
    there, y, block = noisy
    order = np.random.default_rng(1).permutation(len(block))
    one, other = (
        presence_effects(there, y, block),
        presence_effects(there[order], y[:, order], -block[order]),
    )
    np.testing.assert_allclose(other.effect, one.effect, rtol=1e-9)
    np.testing.assert_allclose(other.se, one.se, rtol=1e-9)


def test_of_a_plain_draw_it_is_the_difference_of_means(stat_seed):
    """Without constraints, another kind stays away for each that is there, whichever it is."""
    rng = np.random.default_rng(stat_seed)
    there = drawn(rng, 5000, 12, 5)
    truth = rng.normal(0, 2, 12)
    y = there @ truth + rng.normal(0, 1, 5000)
    found = presence_effects(there, y)
    for kind in range(12):
        expected = contrast(12, kind, list(range(12))) @ truth
        budget.assert_mean(found.effect[0, kind], found.se[0, kind], expected, within=0.25)
        has, lacks = y[there[:, kind]], y[~there[:, kind]]
        error = sqrt(has.var() / len(has) + lacks.var() / len(lacks))
        budget.assert_mean(has.mean() - lacks.mean(), error, expected, within=1.5)


def test_constraints_of_the_draw_are_adjusted_for(stat_seed):
    """At most one of kinds 0 to 3, of which 0 is strong: 1 to 3 suffer in a plain difference."""
    rng = np.random.default_rng(stat_seed)
    there = drawn(rng, 10_000, 10, 4, lambda row: row[:4].sum() <= 1)
    truth = np.array([6.0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    y = there @ truth + rng.normal(0, 1, 10_000)
    found = presence_effects(there, y)
    for kind in range(10):
        expected = contrast(10, kind, list(range(10))) @ truth
        budget.assert_mean(found.effect[0, kind], found.se[0, kind], expected, within=0.3)
    # Kinds 1 and 7 do the same, and a plain difference of means denies it.
    plain, error = [], []
    for kind in (1, 7):
        has, lacks = y[there[:, kind]], y[~there[:, kind]]
        plain.append(has.mean() - lacks.mean())
        error.append(has.var() / len(has) + lacks.var() / len(lacks))
    assert plain[1] - plain[0] > budget.Z * sqrt(sum(error))


def test_intervals_cover_as_often_as_they_say(stat_seed):
    """Unequal variances, blocks and a constrained draw."""
    rng = np.random.default_rng(stat_seed)
    there = drawn(rng, 1500, 8, 3, lambda row: row[:3].sum() >= 1)
    block = np.repeat(np.arange(4), 375)
    truth = rng.normal(0, 1, 8)
    spread = 1 + 2 * there[:, 2]
    y = there @ truth + block + rng.normal(0, 1, (4000, 1500)) * spread
    found = presence_effects(there, y, block)
    # The kinds of one fit go together, so one of them is counted.
    expected = contrast(8, 2, list(range(8))) @ truth
    half = z_value(0.95) * found.se[:, 2]
    hits = int((np.abs(found.effect[:, 2] - expected) <= half).sum())
    budget.assert_rate(hits, 4000, 0.95, within=0.025)


def test_two_pools_are_two_groups():
    rng = np.random.default_rng(2)
    there = np.hstack([drawn(rng, 800, 7, 3), drawn(rng, 800, 4, 2)])
    truth = np.r_[np.arange(7.0), 10 * np.arange(4.0)]
    found = presence_effects(there, there @ truth + 5)
    assert found.group.tolist() == [0] * 7 + [7] * 4
    for kind in range(11):
        group = list(range(7)) if kind < 7 else list(range(7, 11))
        expected = contrast(11, kind, group) @ truth
        assert found.effect[0, kind] == pytest.approx(expected, abs=1e-9)
        assert found.se[0, kind] == pytest.approx(0, abs=1e-9)


def test_kinds_that_are_always_or_never_there_are_left_out():
    rng = np.random.default_rng(4)
    there = np.zeros((300, 7), bool)
    there[:, [1, 2, 4, 5]] = drawn(rng, 300, 4, 2)
    there[:, 3] = True
    y = there @ np.arange(7.0)
    found = presence_effects(there, y)
    assert found.group.tolist() == [-1, 1, 1, -1, 1, 1, -1]
    assert np.isnan(found.effect[0, [0, 3, 6]]).all()
    assert np.isnan(found.se[0, [0, 3, 6]]).all()
    assert found.effect[0, 5] == pytest.approx(5 - (1 + 2 + 4) / 3)
    assert found.absent.tolist()[3] == 0
    assert found.present.tolist()[0] == 0
    assert (found.present + found.absent == 300).all()


def test_kinds_that_differ_only_between_blocks_are_left_out():
    rng = np.random.default_rng(4)
    block = np.repeat([0, 1], 100)
    there = np.column_stack([drawn(rng, 200, 4, 2), block == 1])
    found = presence_effects(there, rng.normal(0, 1, 200), block)
    assert found.group.tolist() == [0, 0, 0, 0, -1]


def test_kinds_that_always_come_together_cannot_be_told_apart():
    rng = np.random.default_rng(6)
    there = rng.random((500, 6)) < 0.5
    there[:, 4] = there[:, 1]
    y = there @ np.array([3.0, 1, 0, 0, 1, 0]) + rng.normal(0, 0.1, 500)
    found = presence_effects(there, y)
    assert np.isnan(found.effect[0, [1, 4]]).all()
    assert found.group.tolist() == [0, 1, 0, 0, 4, 0]
    # The others are told from each other as if the pair were one kind.
    alone = presence_effects(np.delete(there, 4, axis=1), y)
    ours, theirs = found.effect[0, [0, 2, 3, 5]], alone.effect[0, [0, 2, 3, 4]]
    # One of four is 4/3 of its distance from the mean away from the others, one of five 5/4.
    np.testing.assert_allclose(
        (ours - ours[0]) / (4 / 3), (theirs - theirs[0]) / (5 / 4), rtol=1e-9
    )


@pytest.mark.parametrize("units", [0, 1, 3])
def test_too_few_units_say_nothing(units):
    there = np.eye(3, dtype=bool)[:units]
    found = presence_effects(there, np.arange(float(units)))
    assert np.isnan(found.se).all()
    assert found.units == units


def test_no_kinds_at_all():
    found = presence_effects(np.zeros((5, 0), bool), np.arange(5.0))
    assert found.effect.shape == (1, 0)


@pytest.mark.parametrize(
    ("present", "y", "block"),
    [
        (np.zeros(3), np.zeros(3), None),
        (np.zeros((3, 2)), np.zeros(2), None),
        (np.zeros((3, 2)), np.zeros((1, 4)), None),
        (np.zeros((3, 2)), np.zeros(3), np.zeros(2)),
    ],
)
def test_shapes_that_do_not_fit_are_refused(present, y, block):
    with pytest.raises(ValueError, match="allowed"):
        presence_effects(present, y, block)


@pytest.fixture(scope="module")
def run():
    """A dice race whose faces are its supply."""
    return sim.simulate(TOY, games=1500, keep="both", collect=CARDS, seed=3)


@pytest.fixture(scope="module")
def table(run):
    return supply_effects(run)


def test_outcomes_are_those_of_the_deals(run, table):
    joined = run.rows
    rotated = joined.filter(pl.col("design") == "rotation")
    for players in run.plan.players:
        part = table.filter(pl.col("players") == players)
        games = run.games.filter(pl.col("players") == players)
        length = games.group_by("deal").agg(pl.col("rounds").mean())["rounds"]
        row = part.filter(pl.col("outcome") == "length").row(0, named=True)
        assert row["deals"] == len(length)
        assert row["mean"] == pytest.approx(length.mean())
        fair = joined.filter(
            pl.col("design").cast(pl.String).is_in(["mirror", "rotation"]),
            pl.col("players") == players,
        )
        sign = (pl.col("seat") == 1).cast(pl.Int8) - (pl.col("seat") == players).cast(pl.Int8)
        gap = fair.group_by("deal").agg(
            gap=(pl.col("win60").cast(pl.Int32) * sign).sum() / 60 / pl.col("game").n_unique()
        )["gap"]
        row = part.filter(pl.col("outcome") == "seat_gap").row(0, named=True)
        assert (row["deals"], row["mean"]) == (len(gap), pytest.approx(gap.mean()))
        for policy in part["policy"].drop_nulls().unique():
            own = rotated.filter(pl.col("policy") == policy, pl.col("players") == players)
            share = own.group_by("deal").agg(pl.col("win60").mean() / 60)["win60"]
            row = part.filter(pl.col("policy") == policy).row(0, named=True)
            assert (row["deals"], row["mean"]) == (len(share), pytest.approx(share.mean()))


def test_effects_are_those_of_the_supply_of_the_deals(run, table):
    games = run.games.join(run.cells.select("cell", "block"), on="cell")
    games = games.filter(pl.col("players") == 3)
    deals = games.group_by("deal", maintain_order=True).agg(
        pl.col("supply").list.explode(keep_nulls=False, empty_as_null=False),
        pl.col("rounds").mean(),
        pl.col("block").first(),
    )
    there = np.array([[kind in said for kind in TOY_KINDS] for said in deals["supply"].to_list()])
    found = presence_effects(there, deals["rounds"].to_numpy(), deals["block"].to_numpy())
    part = table.filter(pl.col("players") == 3, pl.col("outcome") == "length")
    assert part["kind"].to_list() == TOY_KINDS
    assert part["present"].to_list() == found.present.tolist()
    np.testing.assert_allclose(part["effect"].to_numpy(), found.effect[0], rtol=1e-9)
    np.testing.assert_allclose(part["se"].to_numpy(), found.se[0], rtol=1e-9)


def test_intervals_are_simultaneous_over_one_player_count(table):
    sizes = table.group_by("players").agg(pl.col("effect").count())["effect"]
    assert table["family"].unique().to_list() == [max(sizes)]
    known = table.drop_nulls("se")
    half = z_value(0.95, max(sizes)) * known["se"].to_numpy()
    np.testing.assert_allclose(known["hi"] - known["effect"], half)
    np.testing.assert_allclose(known["effect"] - known["lo"], half)


def test_a_lower_level_is_narrower(run, table):
    narrow = supply_effects(run, level=0.5)
    assert (narrow["hi"] < table["hi"]).all()
    with pytest.raises(InputError, match="level"):
        supply_effects(run, level=95)


def test_few_games_at_a_time_give_the_same(run, table, monkeypatch):
    monkeypatch.setattr("analysis.impact._CHUNK", 101)
    parts = supply_effects(run)
    assert parts.drop("effect", "se", "lo", "hi").equals(table.drop("effect", "se", "lo", "hi"))
    for name in ("effect", "se", "lo", "hi"):
        np.testing.assert_allclose(parts[name], table[name], rtol=1e-8, atol=1e-12)


def test_rows_kept_alone_give_the_same(table):
    run = sim.simulate(TOY, games=1500, keep="rows", collect=CARDS, seed=3)
    assert supply_effects(run).equals(table)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"keep": "sums", "collect": CARDS}, "kept sums only"),
        ({"keep": "rows"}, "did not collect cards"),
    ],
)
def test_runs_that_do_not_say_it_are_refused(asked, told):
    run = sim.simulate(TOY, games=60, **asked)
    with pytest.raises(InputError, match=told):
        supply_effects(run)


def test_titles_without_a_supply_are_refused():
    title = make(replace(INFO, supply=None))
    run = sim.simulate(title, games=60, keep="rows", collect=CARDS)
    with pytest.raises(InputError, match="toy declares none"):
        supply_effects(run)


def test_seats_that_mean_nothing_have_no_gap():
    title = make(replace(INFO, seats="symmetric"))
    run = sim.simulate(title, games=300, keep="rows", collect=CARDS)
    assert set(supply_effects(run)["outcome"]) == {"length", "policy"}


def test_a_pool_tells_of_lengths_alone():
    run = sim.simulate(TOY, games=300, players=3, pool=("bold", "calm"), keep="rows", collect=CARDS)
    assert set(supply_effects(run)["outcome"]) == {"length"}


def test_a_kind_of_every_deal_is_named_and_has_no_effect():
    def fixed(tables):
        return replace(tables, target=10**6, sides=2)

    # Two faces in rounds enough: both are there in every deal, and the third in none.
    title = make(replace(INFO, supply=Supply("seen", Label("Faces", "目"), fixed)))
    run = sim.simulate(title, games=200, players=2, keep="rows", collect=CARDS)
    table = supply_effects(run)
    assert set(table["kind"]) <= {"one", "two"}
    assert table.filter(pl.col("absent") == 0)["effect"].null_count() > 0
