"""Tables: rows and sums alike, polars and pandas alike, and no silent pooling."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import analysis
from analysis import estimates
from sim.errors import InputError, UnknownNameError
from tests.analysis.toy import ToyRun

ROOT = Path(__file__).parents[2]

KEYS = [
    ["players", "seat"],
    ["players", "policy"],
    ["players", "policy", "seat"],
    ["players", "seat", "design"],
    ["players", "camp"],
]


def plain(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with names as strings, so that kinds of text do not matter."""
    enums = [name for name, dtype in table.schema.items() if isinstance(dtype, pl.Enum)]
    table = table.with_columns(pl.col(enums).cast(pl.String))
    keys = table.columns[: table.columns.index("games")]
    return table.with_columns(pl.col(pl.Int8).cast(pl.Int64)).sort(keys)


def seat_rows(run) -> pl.DataFrame:
    return run.rows


@pytest.mark.parametrize("keys", KEYS, ids=",".join)
@pytest.mark.parametrize("design", [None, "rotation", ["mirror", "pool"]])
def test_rows_sums_and_frames_give_the_same_figures(kept, keys, design):
    asked = {"margin": 0.02, "design": design}
    tables = {keep: analysis.win_rates(run, keys, **asked) for keep, run in kept.items()}
    frame = analysis.win_rates(seat_rows(kept["rows"]), keys, **asked)
    assert tables["rows"].height > 1
    assert_frame_equal(tables["rows"], tables["sums"])
    assert_frame_equal(tables["rows"], tables["both"])
    assert_frame_equal(plain(frame), plain(tables["sums"]))


def test_a_deal_can_be_a_key_and_a_column_of_the_table_cannot(kept):
    run = kept["rows"]
    table = analysis.win_rates(run, ["players", "deal"], design="rotation")
    rows = run.rows.filter(pl.col("design").cast(pl.String) == "rotation")
    assert table.height == rows["deal"].n_unique()
    assert table["clusters"].unique().to_list() == [1]
    assert table["rows"].sum() == rows.height
    frame = run.rows.with_columns(rate=1)
    with pytest.raises(InputError, match="a column rate of its own"):
        analysis.win_rates(frame, ["players", "rate"])


@pytest.mark.parametrize("level", [0, 1, float("nan")])
def test_a_level_that_is_none_is_refused(kept, level):
    with pytest.raises(InputError, match="between 0 and 1"):
        analysis.win_rates(kept["rows"], level=level)


def test_figures_are_those_of_the_rows(made_up):
    rows = made_up.joined
    table = analysis.win_rates(made_up, ["players", "policy"], design=["rotation", "pool"])
    for row in table.to_dicts():
        mine = rows.filter(
            (pl.col("players") == row["players"])
            & (pl.col("policy").cast(pl.String) == row["policy"])
            & (pl.col("design").cast(pl.String) != "mirror")
        )
        assert row["rows"] == mine.height
        assert row["clusters"] == mine["deal"].n_unique()
        assert row["games"] == mine["game"].n_unique()
        assert row["rate"] == pytest.approx(mine["win60"].cast(pl.Int64).sum() / mine.height / 60)
        assert row["parity"] == pytest.approx(1 / row["players"])
        assert row["lo"] < row["rate"] < row["hi"]


def test_shares_of_seats_add_up_to_one(made_up):
    table = analysis.win_rates(made_up)
    total = table.group_by("players").agg(pl.col("rate").sum())
    assert total["rate"].to_list() == pytest.approx([1.0, 1.0])


def test_mirrors_say_nothing_on_a_policy(made_up):
    table = analysis.win_rates(made_up, ["players", "policy"], design="mirror")
    assert table["rate"].to_list() == table["parity"].to_list()


def test_by_default_a_question_uses_the_games_that_answer_it(made_up, kept):
    for source in (made_up, kept["rows"], kept["rows"].rows, kept["sums"]):
        for keys, used in (
            (["players", "policy"], "rotation"),
            (["players", "policy", "seat"], "rotation"),
            (["players", "seat"], ["mirror", "rotation"]),
        ):
            given = analysis.win_rates(source, keys)
            assert_frame_equal(given, analysis.win_rates(source, keys, design=used))
    apart = analysis.win_rates(made_up, ["players", "policy", "design"])
    assert set(apart["design"].cast(pl.String)) == {"mirror", "rotation", "pool"}
    drawn = made_up.joined.filter(pl.col("design").cast(pl.String) == "pool")
    assert analysis.win_rates(drawn, ["players", "policy"])["rows"].sum() == drawn.height


def test_designs_that_were_not_played_and_doubled_keys_are_refused(kept):
    for source in (kept["rows"], kept["rows"].rows, kept["sums"]):
        with pytest.raises(InputError, match="there is mirror"):
            analysis.win_rates(source, design="fixed")
    with pytest.raises(InputError, match="given twice: seat"):
        analysis.win_rates(kept["sums"], ["players", "seat", "seat"])


def test_a_family_is_a_player_count(made_up):
    together = analysis.win_rates(made_up)
    alone = analysis.win_rates(made_up, simultaneous=False)
    assert (together["hi"] - together["lo"] > alone["hi"] - alone["lo"]).all()
    row = together.filter(pl.col("players") == 3).row(0, named=True)
    n_eff = row["rate"] * (1 - row["rate"]) / row["se"] ** 2
    lo, hi = estimates.wilson(row["rate"], n_eff, estimates.z_value(0.95, family=3))
    assert (row["lo"], row["hi"]) == pytest.approx((float(lo), float(hi)), abs=1e-12)


def test_a_family_can_be_the_table_or_a_number(made_up):
    keys = ["players", "seat"]
    table = analysis.win_rates(made_up, keys, family="table")
    assert_frame_equal(table, analysis.win_rates(made_up, keys, family=5))
    one = analysis.win_rates(made_up, keys, family=1)
    assert_frame_equal(one, analysis.win_rates(made_up, keys, family=9, simultaneous=False))
    row = table.row(0, named=True)
    n_eff = row["rate"] * (1 - row["rate"]) / row["se"] ** 2
    lo, hi = estimates.wilson(row["rate"], n_eff, estimates.z_value(0.95, family=5))
    assert (row["lo"], row["hi"]) == pytest.approx((float(lo), float(hi)), abs=1e-12)
    with pytest.raises(UnknownNameError, match="players, table"):
        analysis.win_rates(made_up, family="page")
    for make in (analysis.end_reasons, analysis.outcomes):
        wide, single = make(made_up, family="table"), make(made_up, simultaneous=False)
        assert (wide["hi"] - wide["lo"] > single["hi"] - single["lo"]).all()


def test_verdicts_need_a_margin(made_up):
    assert analysis.win_rates(made_up)["verdict"].null_count() == 5
    said = analysis.win_rates(made_up, margin=0.5)["verdict"].to_list()
    assert set(said) == {"balanced"}
    few = analysis.win_rates(ToyRun(40), margin=0.5)["verdict"].to_list()
    assert set(few) == {"too few games"}


def test_player_counts_are_pooled_only_when_asked(made_up):
    with pytest.raises(InputError, match="add 'players'"):
        analysis.win_rates(made_up, ["policy"])
    pooled = analysis.win_rates(made_up, ["policy"], pooled=True)
    each = analysis.win_rates(made_up, ["players", "policy"])
    assert pooled["rows"].sum() == each["rows"].sum()
    for row in pooled.to_dicts():
        mine = each.filter(pl.col("policy") == row["policy"])
        parity = (mine["parity"] * mine["rows"]).sum() / mine["rows"].sum()
        assert row["parity"] == pytest.approx(parity)
    assert analysis.win_rates(ToyRun(300, players=3), ["policy"]).height == 3


@pytest.mark.parametrize("make", [seat_rows, lambda run: seat_rows(run).lazy()])
def test_unknown_names_name_the_nearest(kept, make):
    for source in (make(kept["rows"]), kept["sums"]):
        with pytest.raises(UnknownNameError, match="did you mean 'policy'"):
            analysis.win_rates(source, ["players", "polcy"])
    with pytest.raises(UnknownNameError, match="did you mean 'rotation'"):
        analysis.win_rates(kept["rows"], design="rotations")


def test_sums_that_were_not_kept_are_not_made_up(kept):
    with pytest.raises(InputError, match=r"kept sums only.*policy,seat.*--keep rows"):
        analysis.win_rates(kept["sums"], ["players", "camp", "seat"])
    with pytest.raises(InputError, match=r"a table of score by players, camp .*: all; seat; pol"):
        analysis.outcomes(kept["sums"], "score", ["players", "camp"])
    with pytest.raises(InputError, match=r"the distribution of turns is not.*: rounds"):
        analysis.histogram(kept["sums"], "turns")
    assert analysis.win_rates(kept["rows"], ["players", "camp", "seat"]).height > 9


def test_a_frame_needs_deals_games_and_players(kept):
    run = kept["rows"]
    for missing, said in (
        (run.seats, "no column 'deal'.*Run.rows"),
        (run.rows.drop("game"), "no column 'game'.*Run.rows"),
        (run.rows.filter(pl.col("seat") != 2).drop("players"), "no column 'players'.*Run.rows"),
        (run.rows.filter(pl.col("seat") == 1).drop("players"), "no column 'players'.*Run.rows"),
        (run.rows.drop("players", "seat"), "no column 'players'.*Run.rows"),
    ):
        with pytest.raises(InputError, match=said):
            analysis.win_rates(missing, ["policy"])
    with pytest.raises(InputError, match="a run or a frame"):
        analysis.win_rates([1, 2, 3])
    with pytest.raises(InputError, match="at least one key"):
        analysis.win_rates(run.rows, [])
    games = run.games.drop("players")
    assert analysis.outcomes(games, "rounds", ["cell"]).height == run.cells.height
    for make in (analysis.histogram, analysis.end_reasons):
        with pytest.raises(InputError, match="no column 'players'"):
            make(games)


def test_players_are_counted_only_where_games_are_whole(kept):
    rows = kept["rows"].rows
    counted = analysis.win_rates(rows.drop("players"))
    assert_frame_equal(plain(counted), plain(analysis.win_rates(rows)))


def test_a_filtered_frame_keeps_its_parity(kept):
    rows = kept["rows"].rows.filter((pl.col("players") == 3) & (pl.col("seat") != 3))
    assert analysis.win_rates(rows)["parity"].to_list() == [1 / 3, 1 / 3]


def test_pandas_in_pandas_out(kept):
    rows = seat_rows(kept["rows"])
    theirs = pd.DataFrame({name: rows[name].to_list() for name in rows.columns})
    table = analysis.win_rates(theirs, ["players", "policy"], margin=0.05)
    mine = plain(analysis.win_rates(rows, ["players", "policy"], margin=0.05))
    assert isinstance(table, pd.DataFrame)
    assert table.columns.tolist() == mine.columns
    assert table["rate"].tolist() == mine["rate"].to_list()
    assert table["policy"].tolist() == mine["policy"].to_list()
    assert analysis.outcomes(theirs, "rounds").shape[0] == 3


def test_pandas_needs_no_pyarrow():
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import pandas as pd, analysis\n"
        "f = pd.DataFrame({'deal': [0, 0], 'game': [0, 0], 'seat': [1, 2], 'policy': ['a', None],"
        " 'win60': [60, 0], 'camp': pd.Categorical(['x', 'y'])})\n"
        "for by in (['seat'], ['policy'], ['camp']):\n"
        "    assert analysis.win_rates(f, by).shape[0] == 2\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


def test_outcomes_are_means_of_rows_and_the_same_from_sums(kept):
    for column in ("rounds", "turns", "score", "luck", "sixes"):
        tables = [analysis.outcomes(run, column) for run in kept.values()]
        assert_frame_equal(tables[0], tables[1])
        assert_frame_equal(tables[0], tables[2])
        frame = kept["rows"].games if column in kept["rows"].games.columns else None
        source = seat_rows(kept["rows"]) if frame is None else frame
        mean = source.group_by("players").agg(pl.col(column).cast(pl.Int64).mean()).sort("players")
        assert tables[0]["mean"].to_list() == pytest.approx(mean[column].to_list())


DESIGNS = [None, "rotation", "mirror", "pool", ["mirror", "rotation"]]


def game_rows(run) -> pl.DataFrame:
    return run.games.join(run.cells.select("cell", "block", "design"), on="cell")


def brute_force(pairs: list[tuple[int, float]]) -> tuple[int, float, float]:
    """Return deals, mean and standard error of the values of games, deal by deal."""
    deals: dict[int, list[Fraction]] = {}
    for deal, value in pairs:
        deals.setdefault(deal, []).append(Fraction(value))
    count, n = len(deals), len(pairs)
    mean = sum(sum(values) for values in deals.values()) / Fraction(n)
    spread = sum((sum(values) - mean * len(values)) ** 2 for values in deals.values())
    return count, float(mean), math.sqrt(spread * count / ((count - 1) * Fraction(n) ** 2))


def used_of(games: pl.DataFrame, design) -> pl.DataFrame:
    designs = [design] if isinstance(design, str) else design
    return games if design is None else games.filter(pl.col("design").is_in(designs))


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize("column", ["rounds", "turns", "sixes"])
def test_means_of_games_are_clustered_by_deal(kept, column, design):
    tables = [analysis.outcomes(run, column, design=design) for run in kept.values()]
    games = game_rows(kept["rows"])
    tables.append(analysis.outcomes(games, column, design=design))
    for other in tables[1:]:
        assert_frame_equal(tables[0], other, check_exact=True)
    for row in tables[0].to_dicts():
        mine = used_of(games, design).filter(pl.col("players") == row["players"])
        pairs = mine.select("deal", column).rows()
        deals, mean, se = brute_force(pairs)
        assert (row["games"], row["rows"], row["clusters"]) == (len(pairs), len(pairs), deals)
        assert row["mean"] == mean
        assert row["se"] == pytest.approx(se, rel=1e-12)
        assert row["sd"] == pytest.approx(mine[column].std(), rel=1e-12)


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_shares_of_end_reasons_are_clustered_by_deal(kept, design):
    asked = {"design": design}
    tables = [plain_reasons(analysis.end_reasons(run, **asked)) for run in kept.values()]
    games = game_rows(kept["rows"])
    tables.append(plain_reasons(analysis.end_reasons(games, **asked)))
    for other in tables[1:]:
        assert_frame_equal(tables[0], other, check_exact=True)
    for row in tables[0].to_dicts():
        mine = used_of(games, design).filter(pl.col("players") == row["players"])
        hits = mine["end_reason"].cast(pl.String) == row["end_reason"]
        _, rate, se = brute_force(list(zip(mine["deal"], hits.cast(pl.Int64), strict=True)))
        assert row["rate"] == rate
        assert row["games"] == mine.height
        if 0 < rate < 1:
            assert row["se"] == pytest.approx(se, rel=1e-12)


def test_games_that_share_a_deal_say_less_and_blocks_that_differ_do_not_hide_it(kept):
    run = kept["sums"]
    asked = {"design": "rotation"}
    table = analysis.outcomes(run, "rounds", **asked)
    for row in table.to_dicts():
        alone = row["sd"] / math.sqrt(row["games"])
        assert row["se"] > alone  # the dice of a deal are the same in every rotation
        assert row["se"] < alone * math.sqrt(row["players"])  # but the games are not
    by_block = analysis.outcomes(kept["rows"], "rounds", ["players", "design", "block"])
    assert by_block["games"].sum() == 900
    with pytest.raises(InputError, match="kept sums only"):  # which are pooled over blocks
        analysis.outcomes(run, "rounds", ["players", "design", "block"])


def test_a_game_counts_once_in_tables_that_only_rows_give(kept):
    by_end = analysis.outcomes(kept["rows"], "rounds", ["players", "end_reason"])
    assert by_end["rows"].sum() == 900
    with pytest.raises(InputError, match="kept sums only"):
        analysis.outcomes(kept["sums"], "rounds", ["players", "end_reason"])


SEAT_KEYS = [["players"], ["players", "seat"], ["players", "policy"], ["players", "policy", "seat"]]


@pytest.mark.parametrize("design", [None, "rotation", ["mirror", "pool"]], ids=str)
@pytest.mark.parametrize("keys", SEAT_KEYS, ids=",".join)
def test_means_of_seats_are_clustered_by_deal(kept, keys, design):
    rows = used_of(seat_rows(kept["rows"]), design)
    for column in ("score", "luck"):
        tables = [analysis.outcomes(run, column, keys, design=design) for run in kept.values()]
        tables.append(analysis.outcomes(rows, column, keys))
        for other in tables[1:]:
            assert_frame_equal(plain(tables[0]), plain(other), check_exact=True)
        for row in tables[0].to_dicts():
            mine = rows
            for key in keys:
                mine = mine.filter(pl.col(key).cast(pl.String) == str(row[key]))
            deals, mean, se = brute_force(mine.select("deal", column).rows())
            games = mine["game"].n_unique()
            assert (row["games"], row["rows"], row["clusters"]) == (games, mine.height, deals)
            assert row["mean"] == mean
            assert row["se"] == pytest.approx(se, rel=1e-12)


def test_games_are_those_with_a_row_of_the_key(kept):
    table = analysis.win_rates(kept["sums"], ["players", "policy", "seat"], design="rotation")
    assert (table["games"] == table["rows"]).all()  # one seat has one row a game
    several = analysis.win_rates(kept["sums"], ["players", "policy"], design="mirror")
    assert (several["games"] * several["players"] == several["rows"]).all()
    camps = analysis.win_rates(kept["sums"], ["players", "camp"])
    assert (camps["games"] < camps["rows"]).all()
    assert (camps["clusters"] <= camps["games"]).all()


def test_end_reasons_count_all_games(made_up, kept):
    table = analysis.end_reasons(made_up)
    games = made_up.games
    for row in table.to_dicts():
        mine = games.filter(pl.col("players") == row["players"])
        assert row["games"] == mine.height
        hits = mine.filter(pl.col("end_reason").cast(pl.String) == row["end_reason"]).height
        assert row["count"] == hits
        assert row["rate"] == hits / mine.height
        assert row["lo"] < row["rate"] < row["hi"]
    assert_frame_equal(plain_reasons(analysis.end_reasons(games)), plain_reasons(table))
    assert_frame_equal(analysis.end_reasons(kept["rows"]), analysis.end_reasons(kept["sums"]))


def plain_reasons(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.col("end_reason").cast(pl.String)).sort("players", "end_reason")


def test_histogram_counts_games(made_up, kept):
    table = analysis.histogram(made_up, "rounds")
    assert table.group_by("players").agg(pl.col("games").sum())["games"].sum() == 3000
    shares = table.group_by("players").agg(pl.col("share").sum())["share"].to_list()
    assert shares == pytest.approx([1.0, 1.0])
    assert_frame_equal(analysis.histogram(kept["rows"]), analysis.histogram(kept["sums"]))
    turns = analysis.histogram(kept["rows"], "turns")
    assert turns["games"].sum() == 900


def test_one_player_has_no_parity():
    import sim
    from tests.run.toy_title import SOLO_TOY

    run = sim.simulate(SOLO_TOY, games=200, keep="sums", jobs=1)
    table = analysis.win_rates(run, ["players", "policy"], margin=0.05)
    assert table["parity"].null_count() == table.height
    assert table["verdict"].null_count() == table.height
