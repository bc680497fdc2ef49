"""What a report plays beside its main run, and the figures that come of it."""

from __future__ import annotations

import polars as pl
import pytest

import sim
from analysis import estimates, frames
from analysis.report import content, studies
from analysis.report.composition import bins_of, composition_section
from analysis.report.events import event_section
from analysis.report.series import series_sections
from analysis.spec import Event, Knob, Label, Lever, Setting, Skill, What, title_spec
from sim.errors import InputError, UnknownNameError
from tests.run.toy_title import SOLO_TOY, TOY

NAME = Label(en="Target", ja="目標")
SPEC = title_spec(TOY.info).model_copy(
    update={
        "games": 1200,
        "seed": 5,
        "skill": Skill(slips=(20, 100), share=0.5),
        "events": (Event(column="luck", by="camp"),),
    }
)
KNOB = Knob(
    id="target",
    label=NAME,
    about=NAME,
    key="target{players}{seat}{what}",
    what=(What(id="all", label=NAME),),
    values=(40, 45),
    share=0.25,
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return studies.play(TOY, SPEC, out, jobs=1), out


@pytest.fixture(scope="module")
def collected(played):
    return content.collect(played[0], spec=SPEC)


def test_the_main_run_keeps_and_collects_everything(played):
    run = played[0].main
    assert (run.games_count, run.keep, run.collect) == (1200, "both", TOY.info.groups)
    assert run.seed == 5


def test_each_level_of_skill_is_played_by_all_policies_at_that_level(played):
    found = played[0].skill
    assert list(found) == [0.2, 1.0]
    assert all(name.endswith("@0.2") for name in found[0.2].plan.policies)
    assert len(found[0.2].plan.policies) == len(played[0].main.plan.policies)
    assert found[1.0].plan.policies == ("random",)
    assert {run.games_count for run in found.values()} == {600}


def test_a_second_command_plays_nothing_again(played):
    again = studies.play(TOY, SPEC, played[1], jobs=1)
    assert again.main.path == played[0].main.path
    assert again.main.provenance["resources"]["games_played"] == 1200


def test_fewer_games_leave_the_longer_run_alone(played):
    shorter = SPEC.model_copy(update={"games": 400, "skill": None})
    found = studies.play(TOY, shorter, played[1], jobs=1)
    assert found.main.games_count == 400
    assert sim.open_run(played[0].main.path, title=TOY).games_count == 1200


def test_progress_counts_all_runs(tmp_path):
    told = []
    spec = SPEC.model_copy(update={"games": 400})
    studies.play(TOY, spec, tmp_path, jobs=1, progress=lambda *now: told.append(now))
    done, total = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert set(total) == {done[-1]} == {400 + 2 * 200}


def test_skill_rows_stand_beside_those_of_players_who_never_slip(collected, played):
    skill = collected["skill"]
    assert skill["levels"] == [0.0, 0.2, 1.0]
    rows = [row for table in skill["seats"] for row in table["rows"]]
    assert {row["slip"] for row in rows} == {0.0, 0.2, 1.0}
    for row in rows:
        assert row["lo"] <= row["rate"] <= row["hi"]
        assert row["games"] > 0
        assert row["verdict"] is not None
    policies = [row for table in skill["policies"] for row in table["rows"]]
    assert {row["slip"] for row in policies} == {0.0, 0.2}
    assert {row["policy"] for row in policies} == set(played[0].main.plan.policies)
    one = next(r for r in rows if r["slip"] == 0.2 and r["players"] == 3 and r["seat"] == 1)
    sums = (
        played[0]
        .skill[0.2]
        .sums.wins.filter(
            (pl.col("by").cast(pl.String) == "seat")
            & (pl.col("players") == 3)
            & (pl.col("seat") == 1)
            & pl.col("design").cast(pl.String).is_in(["mirror", "rotation"])
        )
    )
    assert one["rate"] == pytest.approx(sums["y"].sum() / 60 / sums["rows"].sum())


def test_a_knob_that_turns_nothing_is_told(tmp_path):
    spec = SPEC.model_copy(update={"knobs": (KNOB,)})
    with pytest.raises(InputError, match=r"turns a value that there is not.*target21all"):
        studies.play(TOY, spec, tmp_path, jobs=1)


@pytest.fixture(scope="module")
def turned(tmp_path_factory):
    """A knob of the dice race: its rules have no value of one seat, so one stands for all."""
    knob = KNOB.model_copy(update={"key": "target"})
    spec = SPEC.model_copy(update={"knobs": (knob,), "skill": None, "players": (2,)})
    found = studies.play(TOY, spec, tmp_path_factory.mktemp("knob"), jobs=1)
    return found, content.collect(found, spec=spec)["knobs"][0]


def test_a_knob_has_a_point_for_each_value_and_the_printed_one(turned):
    (table,) = turned[1]["tables"]
    assert [row["seat"] for row in table["rows"]] == [1, 2]
    for row in table["rows"]:
        assert [point["value"] for point in row["points"]] == [40, 45]
        assert [point["now"] for point in row["points"]] == [True, False]
        assert row["points"][0]["change"] is None
        assert all(point["games"] == 300 for point in row["points"])


def test_a_change_is_paired_by_deal(turned):
    found, section = turned
    runs = next(iter(found.knobs[0].runs.values()))
    old, new = (runs[value].rows.filter(pl.col("seat") == 1).sort("deal") for value in (40, 45))
    assert old["deal"].to_list() == new["deal"].to_list()
    assert (old["policy"].cast(pl.String) == new["policy"].cast(pl.String)).all()
    d = (new["win60"].cast(pl.Int64) - old["win60"].cast(pl.Int64)) / 60
    point = section["tables"][0]["rows"][0]["points"][1]
    assert point["change"] == pytest.approx(d.mean())
    assert point["change_se"] == pytest.approx(d.std() / len(d) ** 0.5)
    assert point["change_lo"] < point["change"] < point["change_hi"]
    assert point["change"] == pytest.approx(
        point["rate"] - section["tables"][0]["rows"][0]["points"][0]["rate"]
    )


def test_rates_and_changes_of_a_player_count_hold_together(turned):
    (table,) = turned[1]["tables"]
    points = [point for row in table["rows"] for point in row["points"]]
    shown = len(points) + sum(point["change"] is not None for point in points)
    assert shown == 6
    z = estimates.z_value(0.95, shown)
    for point in points:
        if point["change"] is not None:
            half = point["change_hi"] - point["change"]
            assert half == pytest.approx(half_width(point["change_se"], point["games"], z))
    runs = turned[0].knobs[0].runs
    dial = next(iter(runs))
    wide = frames.win_rates(runs[dial][45], ("players", "seat"), family=shown)
    assert points[1]["lo"] == wide["lo"][0]


@pytest.fixture(scope="module")
def pulled(tmp_path_factory):
    setting = Setting(key="target", label=NAME, values=(45, 40))
    lever = Lever(id="pace", label=NAME, about=NAME, settings=(setting,), share=0.5)
    spec = SPEC.model_copy(update={"levers": (lever,), "skill": None})
    found = studies.play(TOY, spec, tmp_path_factory.mktemp("lever"), jobs=1)
    return found.levers[0], content.collect(found, spec=spec)["levers"][0]


def test_a_lever_has_a_point_for_each_value_and_the_printed_one(pulled):
    runs, section = pulled
    assert section["designs"] == {
        "length": ["mirror", "rotation", "pool"],
        "policies": ["rotation"],
    }
    assert [table["players"] for table in section["tables"]] == [2, 3, 4]
    assert [run.games_count for values in runs.runs.values() for run in values.values()] == [600]
    for table in section["tables"]:
        (setting,) = table["settings"]
        assert (setting["key"], setting["now"]) == ("target", 40)
        assert [(point["value"], point["now"]) for point in setting["points"]] == [
            (40, True),
            (45, False),
        ]
        own, other = setting["points"]
        assert own["length"]["change"] is None
        assert other["length"]["change"] > 0  # it takes longer to get further
        # What one policy gains the others lose.
        lost = sum(row["change"] * row["rows"] for row in other["policies"])
        assert lost == pytest.approx(0, abs=1e-9)


def test_changes_of_length_and_shares_are_paired_by_deal(pulled):
    runs, section = pulled
    (values,) = runs.runs.values()
    z = estimates.z_value(0.95, 3 * (1 + len(runs.own.plan.policies)))
    cells = runs.own.cells.select("cell", "design")
    old, new = (run.games.join(cells, on="cell").sort("game") for run in (runs.own, values[45]))
    rows = [run.rows.sort("game", "seat") for run in (runs.own, values[45])]
    assert old["game"].to_list() == new["game"].to_list()
    for table in section["tables"]:
        n = table["players"]
        point = table["settings"][0]["points"][1]
        d = new["rounds"].cast(pl.Int64) - old["rounds"].cast(pl.Int64)
        check_change(point["length"], d, old, old["players"] == n, z)
        first, second = (frame["win60"].cast(pl.Int64) for frame in rows)
        for row in point["policies"]:
            played = rows[0].filter(pl.col("design").cast(pl.String) == "rotation")
            assert (
                row["games"]
                == played.filter(
                    (pl.col("players") == n) & (pl.col("policy").cast(pl.String) == row["policy"])
                )["game"].n_unique()
            )
            where = (rows[0]["players"] == n) & (rows[0]["design"].cast(pl.String) == "rotation")
            where &= rows[0]["policy"].cast(pl.String) == row["policy"]
            check_change(row, (second - first) / 60, rows[0], where, z)


def check_change(row, d, frame, where, z):
    """Hold a change and its interval to the mean difference, deals being independent."""
    deals = frame.with_columns(d=d).filter(where).group_by("deal").agg(y=pl.sum("d"), n=pl.len())
    total = deals["n"].sum()
    mean = deals["y"].sum() / total
    assert row["change"] == pytest.approx(mean, rel=1e-9, abs=1e-12)
    g = deals.height
    spread = ((deals["y"] - mean * deals["n"]) ** 2).sum()
    assert row["change_se"] == pytest.approx((g / (g - 1) * spread) ** 0.5 / total)
    if not spread and "rate" not in row:  # nothing says how far a length might go
        assert row["change_lo"] is row["change_hi"] is None
        return
    half = half_width(row["change_se"], total, z)
    assert row["change_hi"] - row["change"] == pytest.approx(half)


def half_width(se, rows, z):
    """Return that of a change: wider by what z² / 2 more changed games would add."""
    return (z**2 * se**2 + z**4 / (2 * rows**2)) ** 0.5


def test_a_lever_without_an_opponent_has_clear_rates(tmp_path):
    setting = Setting(key="target", label=NAME, values=(45,))
    lever = Lever(id="pace", label=NAME, about=NAME, settings=(setting,), share=1.0)
    update = {"games": 300, "levers": (lever,)}
    spec = title_spec(SOLO_TOY.info).model_copy(update=update)
    played = studies.play(SOLO_TOY, spec, tmp_path, jobs=1)
    (section,) = content.collect(played, spec=spec)["levers"]
    assert section["designs"] == {"length": ["fixed"], "policies": ["fixed"]}
    points = section["tables"][0]["settings"][0]["points"]
    (turned,) = played.levers[0].runs.values()
    runs = {40: played.levers[0].own, 45: turned[45]}
    wins = {
        value: run.rows.sort("game").select("game", "deal", "policy", pl.col("win60") / 60)
        for value, run in runs.items()
    }
    family = 3 * (1 + len(played.main.plan.policies))
    z = estimates.z_value(0.95, family)
    assert [point["value"] for point in points] == list(runs)
    for point in points:
        assert point["length"]["change"] is None if point["now"] else not None
        rows = wins[point["value"]]
        for row in point["policies"]:
            own = rows.filter(pl.col("policy").cast(pl.String) == row["policy"])
            assert row["parity"] is row["verdict"] is None
            assert row["games"] == row["clusters"] == own.height
            assert row["rate"] == pytest.approx(own["win60"].mean())
            if point["now"]:
                assert row["change"] is None
                continue
            pairs = own.join(wins[40], on="game", suffix="_own")
            assert pairs.height == own.height
            assert (pairs["deal"] == pairs["deal_own"]).all()
            change = (pairs["win60"] - pairs["win60_own"]).to_numpy()
            assert row["change"] == pytest.approx(change.mean())
            half = half_width(change.std(ddof=1) / len(change) ** 0.5, len(change), z)
            assert row["change_hi"] - row["change"] == pytest.approx(half)


def test_a_lever_that_turns_nothing_is_told(tmp_path):
    setting = Setting(key="targt", label=NAME, values=(45,))
    lever = Lever(id="pace", label=NAME, about=NAME, settings=(setting,), share=0.5)
    with pytest.raises(InputError, match="turns a value that there is not"):
        studies.play(TOY, SPEC.model_copy(update={"levers": (lever,)}), tmp_path, jobs=1)


def test_all_levels_of_skill_hold_together(collected, played):
    rows = [row for table in collected["skill"]["seats"] for row in table["rows"]]
    wide = frames.win_rates(
        played[0].skill[0.2], ("players", "seat"), family=len(rows), design=["mirror", "rotation"]
    )
    slipped = [row["lo"] for row in rows if row["slip"] == 0.2]
    assert slipped == wide["lo"].to_list()


def test_composition_is_told_in_bins_that_hold_every_seat(collected, played):
    (column,) = collected["composition"]["columns"]
    assert column["column"] == "ones"
    rows = played[0].main.rows.filter(pl.col("design").cast(pl.String) == "pool")
    assert collected["composition"]["designs"] == ["pool"]
    for table in column["tables"]:
        of = rows.filter(pl.col("players") == table["players"])
        assert sum(row["rows"] for row in table["rows"]) == of.height
        assert sum(row["share"] for row in table["rows"]) == pytest.approx(1)
        for row in table["rows"]:
            inside = of.filter(pl.col("ones").is_between(row["from"], row["to"]))
            assert row["rows"] == inside.height
            assert row["rate"] == pytest.approx(inside["win60"].cast(pl.Int64).mean() / 60)
            assert row["verdict"] is None


@pytest.mark.parametrize(
    ("values", "counts", "bins"),
    [
        ([7], [3], [(7, 7)]),
        ([0, 9], [1, 1], [(0, 8), (9, 9)]),
        (list(range(10)), [1] * 10, [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]),
        (list(range(6)), [1000, 1, 1, 1, 1, 1], [(0, 0), (1, 5)]),
        (list(range(6)), [1, 1, 1, 1, 1, 1000], [(0, 5)]),
    ],
)
def test_bins_are_of_like_size_and_never_empty(values, counts, bins):
    assert bins_of(values, counts) == bins


def test_events_are_shares_of_the_seats_of_each_category(collected, played):
    (section,) = collected["events"]
    assert (section["column"], section["by"]) == ("luck", "camp")
    rows = played[0].main.rows
    for table in section["tables"]:
        for row in table["rows"]:
            of = rows.filter(
                (pl.col("players") == table["players"])
                & (pl.col("camp").cast(pl.String) == row["id"])
            )
            hit = of.filter(pl.col("luck") > 0)
            assert (row["seats"], row["count"]) == (of.height, hit.height)
            assert row["lo"] <= row["rate"] <= row["hi"]
            assert row["round"] == hit["rounds"].median()
            game = int(row["command"].rpartition(" ")[2])
            assert game in hit["game"]


def test_events_of_a_column_that_there_is_not(played):
    with pytest.raises(UnknownNameError, match="did you mean 'luck'"):
        event_section(played[0].main, Event(column="lukc", by="camp"), 0.95, "x")
    with pytest.raises(UnknownNameError, match="category of seats 'luck'"):
        event_section(played[0].main, Event(column="luck", by="luck"), 0.95, "x")


def test_series_are_means_over_the_games_that_lasted_so_long(collected, played):
    (section,) = collected["series"]
    run = played[0].main
    games = run.games
    for table in section["tables"]:
        for line in table["rows"]:
            first = line["points"][0]
            assert first["round"] == 1
            assert first["games"] == games.filter(pl.col("players") == table["players"]).height
            counts = [point["games"] for point in line["points"]]
            assert counts == sorted(counts, reverse=True)
            assert min(counts) >= 100
            for point in line["points"]:
                check_point(point, table["rows"], run, table["players"], line["seat"])


def check_point(point, lines, run, players, seat):
    """Hold a mean and its interval to sums of the store, every deal taken for one game."""
    sums = run.sums.series.filter(
        (pl.col("players") == players)
        & (pl.col("seat") == seat)
        & (pl.col("round") == point["round"])
    )
    n, total, squares = (sums[name].sum() for name in ("n", "total", "squares"))
    assert point["games"] == n
    assert point["mean"] == pytest.approx(total / n)
    sd = ((squares - total * total / n) / (n - 1)) ** 0.5
    assert point["sd"] == pytest.approx(sd)
    alike = {"mirror": 1, "rotation": players, "pool": 1}
    shared = sum(k * alike[str(d)] for k, d in sums.select("n", "design").rows())
    family = sum(len(line["points"]) for line in lines)
    half = estimates.z_value(0.95, family) * sd * shared**0.5 / n
    assert point["hi"] - point["mean"] == pytest.approx(half)
    assert point["mean"] - point["lo"] == pytest.approx(half)


def test_what_was_not_kept_is_left_out():
    run = sim.simulate(TOY, games=300, keep="sums", jobs=1)
    found = content.collect(run)
    assert found["composition"] is None
    assert (found["events"], found["series"], found["knobs"]) == ([], [], [])
    assert found["skill"] is None
    assert composition_section(run, NAME, 0.95) is None
    assert series_sections(run, 0.95) == []


def test_a_solo_title_has_neither_seats_to_slip_nor_knobs(tmp_path):
    spec = title_spec(SOLO_TOY.info).model_copy(update={"games": 200})
    assert studies.play(SOLO_TOY, spec, tmp_path, jobs=1).skill == {}
    with pytest.raises(InputError, match="turns values of seats, and solo has none"):
        studies.play(SOLO_TOY, spec.model_copy(update={"knobs": (KNOB,)}), tmp_path, jobs=1)


def test_typical_and_extreme_games_can_be_told(collected, played):
    games = played[0].main.games
    for players in TOY.info.players:
        of = games.filter(pl.col("players") == players)["rounds"]
        found = {item["kind"]: item for item in collected["replay"] if item["players"] == players}
        assert found["typical"]["rounds"] == of.quantile(0.5, "lower")
        assert found["longest"]["rounds"] == of.max()
        assert found["shortest"]["rounds"] == of.min()
        for item in found.values():
            assert item["command"].endswith(f"--game {item['game']}")


def test_a_fault_of_any_run_is_told_before_the_first_is_played(tmp_path):
    knob = KNOB.model_copy(update={"key": "limits.round_cap", "values": (12, 2**40)})
    for update, told in (
        ({"knobs": (knob,)}, "limits.round_cap=1099511627776 is a change that cannot be: "),
        ({"events": (Event(column="luk", by="camp"),)}, "did you mean 'luck'"),
    ):
        with pytest.raises(InputError, match=told):
            studies.play(TOY, SPEC.model_copy(update=update), tmp_path, jobs=1)
        assert list(tmp_path.iterdir()) == []
