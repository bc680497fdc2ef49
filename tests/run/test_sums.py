"""Sums are exact: any split gives the same total, and the rows give the same numbers."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sim
from sim.core import _sums
from sim.core.records import NO_VALUE, allocate
from sim.core.title import Buffers
from sim.errors import EngineError
from sim.run.sums import ShardSums, SumSpec
from tests.run.toy_title import INFO, TOY

SIZES = {"end_reason": 2, "camp": 3}
POLICIES = 4
GROUPS = ("core", "cards", "series")


def spec_of(players: int) -> SumSpec:
    return SumSpec(INFO, players, POLICIES, SIZES, kinds=3, rounds=5)


def random_records(seed: int, deals: int, size: int, players: int) -> tuple[Buffers, np.ndarray]:
    random = np.random.default_rng(seed)
    games = deals * size
    out = allocate(INFO, games, players, kinds=3, rounds=5, collect=GROUPS)
    for records, level in ((out.games, "game"), (out.seats, "seat")):
        for column in INFO.level(level):
            limits = np.iinfo(np.dtype(column.dtype))
            low, high = max(limits.min, -(10**6)), min(limits.max, 10**6)
            if column.role == "category":
                low, high = 0, SIZES[column.name] - 1
            if column.name == "win60":
                high = 60
            if column.name == "rounds":
                high = 50
            records[column.name] = random.integers(low, high, records.shape, endpoint=True)
    out.cards[:] = random.integers(0, 3, out.cards.shape)
    out.series[:] = random.integers(-99, 99, out.series.shape)
    out.series[random.random(out.series.shape) < 0.3] = NO_VALUE
    return out, random.integers(0, POLICIES, (games, players)).astype(np.int16)


def part_of(out: Buffers, first: int, last: int) -> Buffers:
    return Buffers(out.games[first:last], out.seats[first:last], out.cards[first:last],
                   out.series[first:last])  # fmt: skip


def folded(spec: SumSpec, out: Buffers, policy: np.ndarray, size: int) -> ShardSums:
    sums = ShardSums()
    block, pooled = spec.fold(out, policy, size, "test")
    sums.add_block(0, block)
    sums.add_pooled(pooled)
    return sums


def flat(sums: ShardSums) -> list[np.ndarray]:
    block, pooled = sums.blocks[0], sums.pooled
    arrays = [*block.wins, *pooled.seat_columns, pooled.game_columns, *block.counts, block.rounds]
    return [*arrays, pooled.cards, pooled.series]


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(1, 4),
    size=st.integers(1, 4),
    cuts=st.lists(st.integers(0, 12), max_size=4),
)
def test_any_split_merges_to_the_same_total(seed, players, size, cuts):
    spec = spec_of(players)
    out, policy = random_records(seed, 12, size, players)
    whole = folded(spec, out, policy, size)
    merged = ShardSums()
    edges = [0, *sorted(cuts), 12]
    for first, last in itertools.pairwise(edges):
        first, last = first * size, last * size
        part = part_of(out, first, last)
        merged.add(folded(spec, part, policy[first:last], size))
    for one, other in zip(flat(whole), flat(merged), strict=True):
        assert np.array_equal(one, other)


def plain_sums(deals: list[list[tuple[int, int]]]) -> list[int]:
    """Return the sums of a column from its (game, value) pairs, deal by deal."""
    pairs = [(sum(value for _, value in deal), len(deal)) for deal in deals]
    values = [value for deal in deals for _, value in deal]
    return [
        len(values),
        sum(values),
        sum(value * value for value in values),
        sum(y * y for y, _ in pairs),
        sum(y * n for y, n in pairs),
        sum(n * n for _, n in pairs),
        len({game for deal in deals for game, _ in deal}),
        len(deals),
    ]


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32), players=st.integers(1, 4), size=st.integers(1, 4))
def test_sums_equal_a_plain_recomputation(seed, players, size):
    spec = spec_of(players)
    out, policy = random_records(seed, 7, size, players)
    sums = folded(spec, out, policy, size)
    block = sums.blocks[0]
    for grouping, total in zip(spec.groupings, block.wins, strict=True):
        cluster: dict = defaultdict(lambda: [0, 0, set()])
        for game in range(len(out.games)):
            for seat in range(players):
                key = (
                    int(policy[game, seat]) if grouping.policy else 0,
                    seat if grouping.seat else 0,
                    int(out.seats[grouping.column][game, seat]) if grouping.column else 0,
                )
                entry = cluster[key, game // size]
                entry[0] += int(out.seats["win60"][game, seat])
                entry[1] += 1
                entry[2].add(game)
        expected = np.zeros_like(total).reshape(*spec.keys(grouping), 7)
        for (key, _), (y, n, games) in cluster.items():
            expected[key] += (n, len(games), 1, y, y * y, y * n, n * n)
        assert np.array_equal(total, expected.reshape(-1, 7))
    assert [g.by for g in spec.column_groupings] == ["all", "seat", "policy", "policy,seat"]
    for grouping, total in zip(spec.column_groupings, sums.pooled.seat_columns, strict=True):
        found = total.reshape(*spec.keys(grouping), len(spec.seat_columns), 8)
        for index, column in enumerate(spec.seat_columns):
            values: dict = defaultdict(lambda: defaultdict(list))
            for game in range(len(out.games)):
                for seat in range(players):
                    chosen = int(policy[game, seat]) if grouping.policy else 0
                    key = (chosen, seat if grouping.seat else 0, 0)
                    value = int(out.seats[column.name][game, seat])
                    values[key][game // size].append((game, value))
            expected = np.zeros((*found.shape[:3], 8), np.int64)
            for key, deals in values.items():
                expected[key] = plain_sums(list(deals.values()))
            assert np.array_equal(found[:, :, :, index], expected)
    for index, column in enumerate(spec.game_columns):
        listed = list(enumerate(out.games[column.name].tolist()))
        deals = [listed[first : first + size] for first in range(0, len(listed), size)]
        assert sums.pooled.game_columns[index].tolist() == plain_sums(deals)
    for name, counted in (("end_reason", block.counts[0]), ("rounds", block.rounds)):
        values = out.games[name].reshape(-1, size)
        assert counted[-1, 0] > 0 or name == "end_reason"
        for value, found in enumerate(counted.tolist()):
            deals = (values == value).sum(axis=1)
            assert found == [deals.sum(), (deals > 0).sum(), (deals**2).sum()]
        assert counted[:, 0].sum() == values.size
    win = out.seats["win60"].astype(np.int64)[:, :, None, None]
    held = out.cards > 0
    y = (win * held).reshape(-1, size, players, 3, 2).sum(axis=(1, 2))
    n = held.reshape(-1, size, players, 3, 2).sum(axis=(1, 2))
    games = held.any(axis=1).sum(axis=0)
    total = out.cards.sum(axis=(0, 1))
    expected = [n.sum(0), games, (n > 0).sum(0), total, y.sum(0), (y * y).sum(0), (y * n).sum(0),
                (n * n).sum(0), (out.cards.astype(np.int64) ** 2).sum(axis=(0, 1))]  # fmt: skip
    assert np.array_equal(sums.pooled.cards, np.stack(expected, axis=-1))
    there = out.series != NO_VALUE
    values = np.where(there, out.series.astype(np.int64), 0)
    expected = [there.sum(0), values.sum(0), (values**2).sum(0)]
    assert np.array_equal(sums.pooled.series, np.stack(expected, axis=-1))


def test_every_readable_type_is_read():
    for code, name in enumerate(_sums.READABLE):
        limits = np.iinfo(np.dtype(name))
        records = np.zeros(3, [("pad", "u1"), ("value", name)])
        records["value"] = [limits.min, 0, limits.max]
        out = np.zeros((1, 8), np.int64)
        if np.dtype(name).itemsize == 4:  # squares of the extremes need all 64 bits
            records["value"] //= 2
        done = _sums.fold_game_columns(
            records.view(np.uint8).reshape(3, -1),
            np.array([1], np.int32),
            np.array([code], np.int32),
            3,
            out,
        )
        values = [int(value) for value in records["value"]]
        squares = sum(value * value for value in values)
        assert done == _sums.DONE
        y = sum(values)
        assert out[0].tolist() == [3, y, squares, y * y, 3 * y, 9, 3, 1]


def test_squares_that_do_not_fit_are_refused_and_not_wrapped():
    spec = spec_of(2)
    out, policy = random_records(1, 4, 1, 2)
    out.seats["luck"] = -(2**31)
    with pytest.raises(OverflowError, match="leaves 63 bits"):
        spec.fold(out, policy, 1, "toy, block 0")
    out.seats["luck"] = 0
    for place in (2, 3):
        one, other = folded(spec, out, policy, 1), folded(spec, out, policy, 1)
        for sums in (one, other):
            sums.pooled.seat_columns[1][0, 0, place] = 2**62
        with pytest.raises(OverflowError, match="leaves 63 bits"):
            one.add(other)


@pytest.mark.parametrize("values", [[2**31] * 2, [2**32 - 1] * 8])
def test_squared_totals_of_deals_that_do_not_fit_are_refused(values):
    # Each square fits, or their sum; the square of the deal's total does not.
    spec = spec_of(2)
    out, policy = random_records(1, 1, len(values), 2)
    out.games["sixes"] = values
    with pytest.raises(OverflowError, match="leaves 63 bits"):
        spec.fold(out, policy, len(values), "toy, block 0")
    out.games["sixes"] = 7
    one = folded(spec, out, policy, len(values))
    other = folded(spec, out, policy, len(values))
    one.pooled.game_columns[0, 3] = other.pooled.game_columns[0, 3] = 2**62
    with pytest.raises(OverflowError, match="leaves 63 bits"):
        one.add(other)


@pytest.mark.parametrize(("level", "column"), [("seats", "camp"), ("games", "end_reason")])
def test_a_category_that_does_not_exist_stops_the_run(level, column):
    out, policy = random_records(1, 4, 1, 2)
    getattr(out, level)[column][:] = 3
    with pytest.raises(EngineError, match="toy, block 0"):
        spec_of(2).fold(out, policy, 1, "toy, block 0")


def test_malformed_input_is_refused_by_the_compiled_part():
    seats = np.zeros((4, 2, 3), np.uint8)
    policy = np.zeros((4, 2), np.int16)
    out, scratch = np.zeros((2, 7), np.int64), np.zeros((2, 4), np.int64)
    good = [seats, policy, 0, False, True, -1, 0, 1, 1, scratch, out]
    assert _sums.fold_wins(*good) == _sums.DONE
    for place, bad in ((1, policy[:3]), (2, 3), (2, -1), (5, 3), (6, 9), (8, 3), (9, scratch[:1])):
        arguments = list(good)
        arguments[place] = bad
        if place in (5, 6):
            arguments[5:7] = (bad, 0) if place == 5 else (1, bad)
        with pytest.raises(ValueError, match=r"."):
            _sums.fold_wins(*arguments)

    games = np.zeros((4, 3), np.uint8)
    one = np.zeros(1, np.int32)
    counts, columns = np.zeros((2, 3), np.int64), np.zeros((1, 8), np.int64)
    good = [games, 0, 0, 2, np.zeros(2, np.int64), counts]
    assert _sums.fold_counts(*good) == _sums.DONE
    assert counts.tolist() == [[4, 2, 8], [0, 0, 0]]
    for place, bad in ((1, 3), (2, 9), (3, 3), (3, 0), (4, np.zeros(1, np.int64)), (5, columns)):
        with pytest.raises(ValueError, match=r"."):
            _sums.fold_counts(*good[:place], bad, *good[place + 1 :])
    bad_policy = policy.copy()
    bad_policy[2, 0] = -1
    by_seat, width = np.zeros((2, 1, 8), np.int64), np.zeros((2, 4), np.int64)
    good = [seats, policy, one, one, False, True, 2, width, by_seat]
    assert _sums.fold_seat_columns(*good) == _sums.DONE
    assert by_seat[:, 0, :].tolist() == [[4, 0, 0, 0, 0, 8, 4, 2]] * 2
    assert _sums.fold_seat_columns(seats, bad_policy, one, one, True, True, 2, width, by_seat) == 2
    for place, bad in (
        (1, policy[:3]), (2, one + 3), (3, one + 9), (6, 3), (6, 0), (7, width[:1]),
        (8, by_seat[:, :, :5].copy()),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"."):
            _sums.fold_seat_columns(*good[:place], bad, *good[place + 1 :])
    good = [games, one, one, 2, columns]
    assert _sums.fold_game_columns(*good) == _sums.DONE
    for place, bad in ((1, one + 3), (2, one + 9), (3, 3), (3, 0), (4, counts)):
        with pytest.raises(ValueError, match=r"."):
            _sums.fold_game_columns(*good[:place], bad, *good[place + 1 :])


def test_a_column_that_cannot_be_summed_is_named():
    from dataclasses import replace

    wide = replace(INFO.columns[-2], dtype="<i8")
    info = replace(INFO, columns=(*INFO.columns[:-2], wide))
    with pytest.raises(TypeError, match="column 'luck' is <i8"):
        SumSpec(info, 2, POLICIES, SIZES).check()


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    return sim.simulate(
        TOY, games=2000, keep="both", collect=GROUPS, out=tmp_path_factory.mktemp("both")
    )


@pytest.mark.parametrize("keep", ["rows", "sums"])
def test_rows_and_sums_tell_the_same(both, keep):
    run = sim.simulate(TOY, games=2000, keep=keep, collect=GROUPS)
    for name in ("wins", "columns", "counts", "cards", "series"):
        assert getattr(run.sums, name).equals(getattr(both.sums, name)), name
    if keep == "rows":
        assert run.games.equals(both.games)
        assert run.seats.equals(both.seats)


def test_sums_of_a_run_equal_polars_over_its_rows(both):
    rows = both.scan_seats().join(both.scan_games(), on="game").join(
        both.cells.lazy().select("cell", "block", "design"), on="cell"
    )  # fmt: skip
    for by, keys in {"seat": ["seat"], "policy,seat": ["seat", "policy"], "camp": ["camp"]}.items():
        place = ["block", "players", "design", *keys]
        expected = (
            rows.group_by(*place, "deal")
            .agg(
                y=pl.col("win60").cast(pl.Int64).sum(),
                n=pl.len().cast(pl.Int64),
                games=pl.col("game").n_unique().cast(pl.Int64),
            )
            .group_by(place)
            .agg(
                rows=pl.col("n").sum(),
                games=pl.col("games").sum(),
                clusters=pl.len().cast(pl.Int64),
                yy=(pl.col("y") ** 2).sum(),
                yn=(pl.col("y") * pl.col("n")).sum(),
                nn=(pl.col("n") ** 2).sum(),
                y=pl.col("y").sum(),
            )
            .sort(place)
            .collect()
        )
        found = both.sums.wins.filter(pl.col("by") == by).select(expected.columns).sort(place)
        assert found.equals(expected), by
    score = both.sums.columns.filter(pl.col("column") == "score")
    for by in ("all", "seat", "policy", "policy,seat"):
        mine = score.filter(pl.col("by") == by)
        assert mine["total"].sum() == both.seats["score"].cast(pl.Int64).sum()
        assert mine["n"].sum() == both.seats.height
    place = ["block", "players", "design"]
    games = both.games.join(both.cells.select("cell", "block", "design"), on="cell")
    pooled = ["players", "design"]
    for name in ("rounds", "turns", "sixes"):
        deals = games.group_by(*place, "deal").agg(y=pl.col(name).cast(pl.Int64).sum())
        expected = deals.group_by(pooled).agg(
            clusters=pl.len().cast(pl.Int64), yy=(pl.col("y") * pl.col("y")).sum()
        )
        found = both.sums.columns.filter(pl.col("column") == name).select(expected.columns)
        assert found.sort(pooled).equals(expected.sort(pooled)), name
    for name, key in {"rounds": "value", "end_reason": "id"}.items():
        asked = [*place, pl.col(name).cast(pl.Int32 if key == "value" else pl.String).alias(key)]
        deals = games.group_by(*asked, "deal").agg(y=pl.len().cast(pl.Int64))
        expected = deals.group_by(*place, key).agg(
            n=pl.col("y").sum(), clusters=pl.len().cast(pl.Int64), yy=(pl.col("y") ** 2).sum()
        )
        found = both.sums.counts.filter(pl.col("column") == name).select(expected.columns)
        assert found.sort(*place, key).equals(expected.sort(*place, key)), name
    lengths = both.sums.counts.filter(pl.col("column") == "rounds")
    assert lengths["n"].sum() == 2000
    assert (lengths["n"] * lengths["value"]).sum() == both.games["rounds"].cast(pl.Int64).sum()
