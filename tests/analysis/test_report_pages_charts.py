"""The drawings of a page and the tables beneath them: places and colours follow the numbers."""

from __future__ import annotations

import copy
import re
from itertools import pairwise
from pathlib import Path

import pytest

from analysis.report import pages
from analysis.report.pages import charts, heat, scale
from analysis.report.pages.means import _bars, _quantile
from analysis.report.words import Words
from tests.analysis.made_report import made


@pytest.fixture(scope="module")
def content():
    return made()


def section_of(content, id_):
    found = {section["id"]: section for section in pages.sections(content, Words("en"))}
    return found[id_]


def test_a_heat_map_has_a_cell_with_a_number_for_each_policy_and_seat(content):
    section = next(s for s in content["rates"] if s["id"] == "policy_seat")
    found = section_of(content, "policy_seat")
    (maps,) = found["groups"][0]["charts"]
    assert [one["title"] for one in maps] == ["2 players", "3 players", "4 players"]
    for one, table in zip(maps, section["tables"], strict=True):
        cells = [cell for row in one["rows"] for cell in row["cells"]]
        assert len(cells) == len(table["rows"])
        for cell, row in zip(cells, table["rows"], strict=True):
            gap = row["rate"] - row["parity"]
            assert cell["tone"].startswith("up") is (gap > 0.02)
            assert cell["tone"].startswith("down") is (gap < -0.02)
            assert cell["text"].startswith("+" if gap > 0.005 else ("−", "0"))
            assert cell["strong"] is (row["verdict"] == "unbalanced")
    assert len(found["groups"][0]["tables"]) == 3  # with the intervals and games, folded


def test_the_colours_of_a_heat_map_are_even_around_parity():
    tones = [heat.tone(gap / 100, 0.1) for gap in (-15, -10, -4, -0.5, 0, 0.5, 4, 10, 15)]
    assert tones == ["down5", "down5", "down2", "level", "level", "level", "up2", "up5", "up5"]
    key = heat.key(0.1)["cells"]
    assert [step["text"] for step in key][::5] == ["−10", "0", "+10"]
    assert [step["tone"] for step in key][::5] == ["down5", "level", "up5"]


def test_designs_stand_beside_each_other(content):
    table = section_of(content, "seat_design")["groups"][0]["open"][1]
    heads = [column["head"] for column in table["columns"]]
    assert heads[2:5] == ["mirrors", "full rotations", "drawn from the pool"]
    assert [row[0] for row in table["rows"]] == ["Seat 1", "Seat 2", "Seat 3"]
    row = table["rows"][0]
    assert len(row[1]["whiskers"]) == 3
    assert len({w["tone"] for w in row[1]["whiskers"]}) == len({w["y"] for w in row[1]["whiskers"]})
    source = next(s for s in content["rates"] if s["id"] == "seat_design")["tables"][1]["rows"]
    pool = next(r for r in source if r["design"] == "pool" and r["seat"] == 1)
    assert row[4]["text"] == f"{100 * pool['rate']:.1f}"
    assert row[4]["below"].startswith(f"{100 * pool['lo']:.1f}")
    assert row[5] == "9,000 / 8,000 / 7,000"


def test_a_knob_has_a_chart_for_each_seat_and_value_with_that_of_the_run_marked(content):
    groups = section_of(content, "knob-compensation")["groups"]
    assert [len([c for line in group["charts"] for c in line]) for group in groups] == [4, 6, 8]
    assert [len(group["charts"]) for group in groups] == [1, 2, 2]
    assert [item["text"] for item in groups[1]["legend"]] == ["balanced", "undecided", "unbalanced"]
    chart = groups[1]["charts"][1][2]
    assert chart["title"] == "Seat 3 · Gold"
    (strong,) = [tick for tick in chart["across"] if tick["strong"]]
    assert strong["text"] == "2"
    assert chart["now"] == strong["x"]
    assert chart["band"][0] < chart["parity"] < chart["band"][1]
    (line,) = chart["lines"]
    for before, after in pairwise(line["points"]):
        assert before["x"] < after["x"]
        assert before["y"] > after["y"]  # more coins win more
    table = groups[1]["tables"][0]
    changes = [row[4] for row in table["rows"] if row[0] == "Seat 3 · Gold"]
    assert changes[2] == "–"
    assert changes[3]["text"] == "+0.9"
    assert changes[3]["below"] == "+0.5\u00a0– +1.3"


def test_final_decks_are_marked_as_chosen_during_play(content):
    section = section_of(content, "composition")
    assert section["tag"] == "chosen during play"
    assert "do not show what the choice causes" in section["notes"][0]
    for group in section["groups"]:
        assert [chart["title"] for chart in group["charts"][0]] == [
            "Great stones",
            "Curses",
            "Fire magic",
        ]
        names = [tick["text"] for tick in group["charts"][0][0]["across"]]
        assert names == ["0", "1–2", "3–5", "6–30"]


def test_events_have_commands_that_tell_one(content):
    groups = section_of(content, "event-special")["groups"]
    assert [row[0] for row in groups[0]["open"][0]["rows"]] == ["No guild", "Sun", "Moon"]
    assert groups[0]["open"][0]["rows"][0][-1] == "–"
    assert groups[0]["commands"][0] == {
        "about": "Sun",
        "command": "tenbin trace runs/made --game 2001",
    }


def test_a_course_counts_the_games_that_lasted_so_long(content):
    group = section_of(content, "series-truth")["groups"][0]
    for chart, table in zip(group["charts"][0], group["tables"], strict=True):
        heights = [column["height"] for column in chart["counts"]]
        assert heights == sorted(heights, reverse=True)
        assert len(heights) == 30
        assert all(line["area"] for line in chart["lines"])
        assert len(table["rows"]) == 30


def test_a_course_of_all_together_shows_how_far_games_differ(content):
    found = copy.deepcopy(content)
    found["title"]["seats"] = "none"
    (series,) = found["series"]
    for table in series["tables"]:
        table["rows"] = [{**table["rows"][0], "seat": None}]
    section = section_of(found, "series-truth")
    assert "one standard deviation on both sides" in section["notes"][0]
    assert section["notes"][0].startswith("Mean after each round")
    group = section["groups"][0]
    for chart, table in zip(group["charts"][0], series["tables"], strict=True):
        (line,) = chart["lines"]
        ends = [tuple(map(float, at.split(","))) for at in line["spread"].split()]
        above, below = ends[:30], ends[30:][::-1]
        scale = chart["foot"], min(y for _, y in above)
        for at, high, low, point in zip(
            line["points"], above, below, table["rows"][0]["points"], strict=True
        ):
            assert at["x"] == high[0] == low[0]
            assert high[1] < at["y_hi"] < at["y"] < at["y_lo"] < low[1] <= scale[0]
            # The standard deviation is 3 and no count falls below nought.
            part = (point["mean"] - max(0.0, point["mean"] - 3)) / 3
            beyond = (low[1] - at["y"]) - part * (at["y"] - high[1])
            assert abs(beyond) < 0.21  # places are rounded to tenths
    assert [cells[2] for cells in group["tables"][0]["rows"]] == ["3.0"] * 30
    apart = section_of(content, "series-truth")["groups"][0]
    assert {line["spread"] for chart in apart["charts"][0] for line in chart["lines"]} == {""}


def test_the_largest_effects_of_the_supply_come_first(content):
    section = section_of(content, "supply")
    length, gap, policies, every = section["groups"]
    for group in (length, gap):
        for drawn in group["charts"][0]:
            values = [abs(float(row["text"].replace("−", "-"))) for row in drawn["rows"]]
            assert values == sorted(values, reverse=True)
            assert len(values) == 10
    outcomes = [o for o in content["supply"]["outcomes"] if o["id"] == "policy"]
    clear = [(found, row) for found in outcomes for row in found["rows"] if row["clear"]]
    clear.sort(key=lambda pair: -abs(pair[1]["effect"]))
    assert [(row[1], row[2]) for row in policies["open"][0]["rows"]] == [
        (f"{found['players']} players", row["label"]["en"]) for found, row in clear[:20]
    ]
    whole = sum(len(found["rows"]) for found in outcomes)
    assert f"20 largest of {len(clear)} effects" in policies["below"][0]
    assert f"out of {whole:,};" in policies["below"][0]
    shown = sum(
        cell != "–" for table in every["tables"] for row in table["rows"] for cell in row[1:-1]
    )
    assert shown == content["supply"]["family"]
    assert any("Not the mean win share" in note for note in section["notes"])


def test_a_kind_of_which_nothing_can_be_said_is_left_out(content):
    found = copy.deepcopy(content)
    unknown = {"effect": None, "se": None, "lo": None, "hi": None, "clear": False}
    for outcome in found["supply"]["outcomes"]:
        outcome["rows"][0] |= unknown
    section = section_of(found, "supply")
    names = {row[0] for table in section["groups"][-1]["tables"] for row in table["rows"]}
    assert "Kind number 0" not in names
    assert "Kind number 1" in names


def test_what_leaves_a_chart_is_cut_at_its_edge():
    line = charts.Line([(0, 0.5, 0.1, 0.9, ""), (1, 2.0, 0.4, 3.0, "")])
    chart = charts.panel("Any", [line], across=[(0, "0"), (1, "1")], inside=(0.4, 0.6))
    for point in chart["lines"][0]["points"]:
        for place in ("y", "y_lo", "y_hi"):
            assert 10.0 <= point[place] <= chart["foot"]


def test_labels_at_the_ends_of_lines_do_not_lie_on_each_other():
    lines = [charts.Line([(0, 0.5, 0.5, 0.5, "")], str(i)) for i in range(5)]
    chart = charts.panel("Any", lines, across=[(0, "0")], inside=(0.4, 0.6), size=charts.LARGE)
    places = sorted(line["label_y"] for line in chart["lines"])
    gaps = [after - before for before, after in pairwise(places)]
    assert min(gaps) >= 10.9
    assert places[-1] <= chart["foot"] + 4


def test_a_histogram_ends_where_hardly_a_game_is_left():
    counts = [[10, 600], [11, 5000], [12, 4390], [40, 9], [80, 1]]
    assert _quantile(counts, 0.999) == 12
    drawn = _bars(counts, 8, 12, 11.4, Words("en"))
    assert (len(drawn["bars"]), drawn["first"], drawn["last"]) == (3, "8", "12")
    assert drawn["beyond"] == "10 games beyond, up to 80"
    assert _bars(counts[:3], 8, 12, 11.4, Words("en"))["beyond"] == ""


def test_the_outer_ticks_stay_inside():
    ticks = scale.Scale((0.0, 1.0)).drawn()["ticks"]
    assert [tick["text"] for tick in ticks] == ["0", "20", "40", "60", "80", "100"]
    assert (ticks[0]["anchor"], ticks[-1]["anchor"]) == ("start", "end")
    assert ticks[0]["x"] >= 0
    assert ticks[-1]["x"] <= scale.WIDTH


def test_ticks_that_would_touch_are_thinned_and_keep_zero():
    wide = scale.ticks(-0.012, 0.012, room=400)
    narrow = scale.ticks(-0.012, 0.012, room=90)
    assert set(narrow) < set(wide)
    assert "0.0" in [text for _, text in narrow]


def colours() -> dict[str, dict[str, str]]:
    """Return the colours of the style sheets by name, for light and dark screens and paper."""
    folder = Path(pages.__file__).parents[1] / "templates"
    sheets = {
        name: (folder / f"{name}.css").read_text(encoding="utf-8")
        for name in ("page", "charts", "print")
    }
    found: dict[str, dict[str, str]] = {"light": {}, "dark": {}}
    for name in ("page", "charts"):
        for block in re.finditer(
            r"(@media \(prefers-color-scheme:dark\)\s*{\s*)?:root{(.*?)}", sheets[name]
        ):
            named = dict(re.findall(r"--(\w+):(#\w+)", block[2]))
            found["dark" if block[1] else "light"] |= named
    found["print"] = found["light"] | dict(re.findall(r"--(\w+):(#\w+)", sheets["print"]))
    return found


def contrast(one: str, two: str) -> float:
    def light(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
        parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("medium", ["light", "dark", "print"])
def test_everything_can_be_told_from_its_ground(medium):
    """Text by 4.5 to 1, lines and marks by 3 to 1."""
    named = colours()[medium]
    for side in "ud":
        for step in range(1, 6):
            ink = named["ink" if step < 4 else "deep"]
            assert contrast(ink, named[f"{side}{step}"]) >= 4.5, f"{side}{step}"
    for name in ("ink", "soft", "good", "bad", "open", "few"):
        assert contrast(named[name], named["paper"]) >= 4.5, name
        assert contrast(named[name], named["card"]) >= 4.5, name
    for tone in range(6):
        assert contrast(named[f"t{tone}"], named["paper"]) >= 3, tone
    assert len({named[f"t{tone}"] for tone in range(6)}) == 6
