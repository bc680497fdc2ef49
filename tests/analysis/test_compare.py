"""What a change does: two runs of the same deals, compared deal by deal."""

from __future__ import annotations

import json
import math
import shlex

import polars as pl
import pytest

import sim
from analysis.changes import between
from analysis.cli import main
from analysis.compare import changed_deals, changed_games, compare, parting
from analysis.comparison import comparison, comparison_markdown
from analysis.estimates import z_value
from analysis.sweep import knob, sweep
from sim.errors import InputError, UnknownNameError
from tests.run.toy_title import TOY

ASKED = {"games": 900, "seed": 5, "jobs": 1}


@pytest.fixture(scope="module")
def pair() -> tuple[sim.Run, sim.Run]:
    return sim.simulate(TOY, **ASKED), sim.simulate(TOY, overrides="target=45", **ASKED)


def deal_by_deal(pair, keys, value="win60", unit=60):
    """Return the paired differences as somebody would who has all rows in memory."""
    frames = [run.rows.filter(pl.col("design").cast(pl.String) == "rotation") for run in pair]
    one, two = (
        frame.group_by(*keys, "deal").agg(y=pl.col(value).cast(pl.Int64).sum(), n=pl.len())
        for frame in frames
    )
    both = one.join(two, on=[*keys, "deal"], suffix="_2").sort(*keys, "deal")
    found = {}
    for key, deals in both.group_by(*keys):
        r, q = deals["n"].sum(), deals["n_2"].sum()
        before, after = deals["y"].sum() / r, deals["y_2"].sum() / q
        a = (deals["y"] - before * deals["n"]).cast(pl.Float64).to_numpy() / r
        b = (deals["y_2"] - after * deals["n_2"]).cast(pl.Float64).to_numpy() / q
        g = deals.height
        se = math.sqrt(g / (g - 1) * ((b - a) ** 2).sum()) / unit
        alone = g / (g - 1) * ((a**2).sum() + (b**2).sum()) / unit**2
        found[key] = (before / unit, after / unit, se, alone / se**2 if se else None, r)
    return found


def test_differences_are_those_of_deals(pair):
    keys = ("players", "policy")
    expected = deal_by_deal(pair, keys)
    table = compare(*pair, by=keys, design="rotation")
    assert table.height == len(expected)
    z = z_value(0.95, table.height)
    for row in table.to_dicts():
        before, after, se, saving, rows = expected[row["players"], row["policy"]]
        assert row["before"] == pytest.approx(before)
        assert row["after"] == pytest.approx(after)
        assert row["change"] == pytest.approx(after - before)
        assert row["se"] == pytest.approx(se)
        half = math.hypot(z * se, z**2 / rows / math.sqrt(2))
        assert row["hi"] - row["change"] == pytest.approx(half)
        assert row["change"] - row["lo"] == pytest.approx(half)
        assert row["saving"] == pytest.approx(saving)
        assert row["unpaired"] == round(row["games"] * row["saving"])


def test_what_one_seat_gains_the_others_lose(pair):
    seats = compare(*pair, by=("players", "seat"))
    for _, rows in seats.group_by("players"):
        assert rows["change"].sum() == pytest.approx(0, abs=1e-12)


def test_a_run_beside_itself_differs_in_nothing(pair):
    table = compare(pair[0], pair[0])
    assert table["change"].to_list() == table["se"].to_list() == [0.0] * table.height
    assert table["saving"].null_count() == table["unpaired"].null_count() == table.height
    # What was not seen among so many games is bounded all the same.
    assert (table["hi"] > 0).all()
    length = compare(pair[0], pair[0], ("players",), "rounds")
    assert length["hi"].null_count() == length.height
    found = changed_deals(pair[0], pair[0])
    assert (found.changed, found.rate, found.lo) == (0, 0.0, 0.0)
    assert changed_games(pair[0], pair[0]).is_empty()


def test_games_whose_result_changed(pair):
    columns = ["game", "seat", "win60"]
    joined = (
        pair[0]
        .rows.select(*columns, "deal", "players")
        .join(pair[1].rows.select(columns), on=["game", "seat"], suffix="_2")
    )
    differ = joined.filter(pl.col("win60") != pl.col("win60_2"))
    games = changed_games(*pair, most=10**6)
    assert games["game"].to_list() == differ["game"].unique().sort().to_list()
    for players in (2, 3, 4):
        found = changed_deals(*pair, players)
        mine = differ.filter(pl.col("players") == players)
        assert found.changed == mine["deal"].n_unique()
        assert found.lo < found.rate < found.hi


def test_where_two_stories_part(pair):
    game = int(changed_games(*pair)["game"][0])
    found = parting(*pair, game)
    one, two = (sim.trace(run, game=game).events for run in pair)
    assert found is not None
    assert list(one[1 : found.at]) == list(two[1 : found.at])
    assert (one[found.at : found.at + 1] or [{}])[0] == found.before
    assert (two[found.at : found.at + 1] or [{}])[0] == found.after
    assert found.before != found.after
    assert parting(pair[0], pair[0], game) is None


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"seed": 6}, "different seeds"),
        ({"players": 2}, "different plans"),
        ({"games": 600}, "one run has 900 games and the other 600"),
        ({"keep": "sums"}, "kept sums only"),
    ],
)
def test_runs_that_share_no_deals(pair, other, said):
    with pytest.raises(InputError, match=said):
        compare(pair[0], sim.simulate(TOY, **{**ASKED, **other}))


def test_a_column_that_there_is_not(pair):
    with pytest.raises(UnknownNameError, match="policy"):
        compare(*pair, by=("policiy",))
    with pytest.raises(UnknownNameError, match="rounds"):
        compare(*pair, value="round")


def test_what_rules_differ_in(pair):
    found = between(*(run.setup.ruleset for run in pair))
    assert found == {
        "changes": [{"key": "target", "old": 40, "new": 45}],
        "added": [],
        "removed": [],
    }


def test_a_comparison_is_plain_json_and_reads_as_text(pair):
    found = comparison(*pair)
    assert json.loads(json.dumps(found)) == found
    assert [one["players"] for one in found["deals"]] == [2, 3, 4]
    assert {one["id"] for one in found["tables"]} >= {"seats", "policies"}
    assert len(found["games_changed"]) == 5
    text = comparison_markdown(found)
    assert "target: 40 → 45" in text
    assert "games for the same" in text
    assert str(found["games_changed"][0]["game"]) in text
    (only,) = comparison(*pair, by=("players", "camp"))["tables"]
    assert only["by"] == ["players", "camp"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("target", "no range of values"),
        ("=1..2", "no range of values"),
        ("target=", "no range of values"),
        ("target=3..1", "from the smaller value to the larger"),
        ("target=1..5..0", "from the smaller value to the larger"),
        ("target=1,1", "each value once"),
        ("target=1,,2", "each value once"),
        ("target=0..999999999", "more than 256 values"),
    ],
)
def test_ranges_that_are_none(text, said):
    with pytest.raises(InputError, match=said):
        knob(text)


def test_a_sweep_is_a_comparison_for_each_value(pair):
    plan = sim.make_plan(TOY, games=900)
    found = sweep(TOY, [knob("target=40,45")], plan, seed=5, jobs=1)
    same, other = (found.filter(pl.col("target") == value) for value in ("40", "45"))
    assert same["change"].null_count() == same.height
    expected = compare(*pair)
    assert other["change"].to_list() == expected["change"].to_list()
    assert other["rate"].to_list() == pytest.approx(expected["after"].to_list())
    assert other["games"].to_list() == expected["games"].to_list()


def test_a_sweep_of_several_keys_has_all_combinations():
    plan = sim.make_plan(TOY, games=200, players=2)
    found = sweep(TOY, [knob("target=40,45"), knob("limits.round_cap=12,13,14")], plan, jobs=1)
    assert found.select("target", "limits.round_cap").unique().height == 6
    with pytest.raises(InputError, match="each key once"):
        sweep(TOY, [knob("target=40"), knob("target=45")], plan)
    with pytest.raises(InputError, match="can be played"):
        sweep(TOY, [knob("target=1..100"), knob("limits.round_cap=1..100")], plan)
    with pytest.raises(InputError, match="did you mean 'target'"):
        sweep(TOY, [knob("targt=40")], plan)


@pytest.mark.usefixtures("registered")
class TestCommands:
    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

    def run(self, capsys, line, code=0):
        assert main(shlex.split(line)) == code
        told = capsys.readouterr()
        return told.err if code else told.out

    def test_compare_a_change(self, capsys):
        line = "compare toy --games 400 --seed 5 --jobs 1 --set target=45"
        text = self.run(capsys, f"{line} --out kept")
        assert "target: 40 → 45" in text
        assert "tenbin trace kept/before-" in text
        found = json.loads(self.run(capsys, f"{line} --format json"))
        assert found == json.loads(self.run(capsys, f"{line} --out kept --format json"))
        before, after = sorted(found["rules"][side] for side in ("before", "after"))
        assert before != after

    def test_compare_two_runs(self, capsys, tmp_path):
        for name, change in (("one", ""), ("two", "--set target=45")):
            self.run(capsys, f"simulate toy --games 400 --seed 5 --out {name} {change}")
        text = self.run(capsys, "compare one two --format csv")
        assert text.startswith("table,keys,values,games")
        assert self.run(capsys, f"compare file://{tmp_path}/one two --format csv") == text
        assert self.run(capsys, "compare one two --by seat") != text

    def test_a_base_holds_before_and_after(self, capsys):
        line = "compare toy --games 200 --seed 5 --base-set target=45 --set limits.round_cap=10"
        found = json.loads(self.run(capsys, f"{line} --format json"))
        assert [one["key"] for one in found["rules"]["changes"]] == ["limits.round_cap"]

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("compare toy", "nothing is changed"),
            ("compare toy toy --set target=45", "is a title"),
            ("compare ./one", "name two runs"),
            ("compare toy --set targt=45 --games 10", "did you mean 'target'"),
            ("sweep toy target", "no range of values"),
            ("sweep toy target=40..41 limits.round_cap=12,13 --plot x.svg", "give one range"),
        ],
    )
    def test_what_cannot_be(self, capsys, line, said):
        assert said in self.run(capsys, line, 2)

    def test_sweep_prints_and_draws(self, capsys, tmp_path):
        line = "sweep toy target=40..42..2 --games 200 --jobs 1"
        text = self.run(capsys, f"{line} --plot curves.svg")
        assert "as they are" in text
        assert (tmp_path / "curves.svg").read_text().lstrip().startswith("<?xml")
        assert "| verdict" in self.run(capsys, f"{line} --margin 5")
        rows = json.loads(self.run(capsys, f"{line} --format json"))
        assert {row["target"] for row in rows} == {"40", "42"}
        assert self.run(capsys, f"{line} --format csv").startswith("target,players,seat,")
