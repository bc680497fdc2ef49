"""The page of a report: whole, self-contained, readable by everyone, and true to its numbers."""

from __future__ import annotations

import copy
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from matplotlib.ft2font import FT2Font

import sim
from analysis import plots
from analysis.report import pages
from analysis.report.content import collect
from analysis.report.pages import charts, heat, scale
from analysis.report.pages.means import _bars, _quantile
from analysis.report.words import _WORDS, LANGUAGES, Words
from sim.errors import UnknownNameError
from tests.analysis.made_report import made, rate_row, without
from tests.analysis.parsed import Page
from tests.run.toy_title import SOLO_TOY, TOY

SCHEMA = json.loads(
    (Path(pages.__file__).parents[1] / "report.schema.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def content():
    return made()


@pytest.fixture(scope="module", params=LANGUAGES)
def page(request, content):
    return request.param, pages.html(content, request.param)


def section_of(content, id_, w=None):
    found = {section["id"]: section for section in pages.sections(content, w or Words("en"))}
    return found[id_]


def test_the_page_is_whole_and_fetches_nothing(page):
    language, text = page
    parsed = Page(text)
    assert not parsed.open
    assert ("html", {"lang": language}) in parsed.tags
    names = {tag for tag, _ in parsed.tags}
    assert not names & {"link", "img", "iframe", "object", "base", "use", "image"}
    assert parsed.all("script") == [{"type": "application/json", "id": "recipe"}]
    for _, attributes in parsed.tags:
        assert not {"src", "onclick", "style"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|https?:", text)
    assert 'name="viewport"' in text
    assert "prefers-color-scheme:dark" in text
    assert "@media print" in text
    assert "details-content" in text  # folded tables are printed


def test_the_contents_lead_to_every_section_in_order(page):
    parsed = Page(page[1])
    links = [(attributes["href"] or "")[1:] for attributes in parsed.all("a")]
    ids = [attributes["id"] for attributes in parsed.all("section") if "id" in attributes]
    assert [id_ for id_ in ids if id_ != "read"] == links
    everything = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
    assert len(set(everything)) == len(everything)


def test_the_page_can_be_read_without_seeing_it(page):
    """Headings without gaps, tables with heads, drawings with words or hidden."""
    parsed = Page(page[1])
    levels = [int(tag[1]) for tag, _ in parsed.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert {attributes.get("scope") for attributes in parsed.all("th")} == {"col", "row"}
    for attributes in parsed.all("svg"):
        spoken = attributes.get("role") == "img" and attributes.get("aria-label")
        assert spoken or attributes.get("aria-hidden") == "true"
    for attributes in parsed.all("div"):
        if attributes.get("class") == "scroll":
            assert attributes["tabindex"] == "0"
            assert attributes["aria-label"]


def test_every_table_scrolls_in_its_own_container(page):
    parsed = Page(page[1])
    containers = [a for a in parsed.all("div") if a.get("class") == "scroll"]
    assert len(parsed.all("table")) == len(containers) >= 40


def characters_of_the_font() -> set[str]:
    with plots.style():
        from matplotlib.font_manager import findfont

        return {chr(code) for code in FT2Font(findfont(plots.FAMILY[0])).get_charmap()}


def test_no_character_of_the_page_lacks_a_glyph(page):
    language, text = page
    shown = set(Page(text).text)
    plain = {chr(code) for code in [*range(0x20, 0x7F), *range(0xA0, 0x180)]} | set("\n\t")
    common = set("–—−‘’“”…→≥≤×±·")
    japanese = characters_of_the_font()
    assert not shown - plain - common - (japanese if language == "ja" else set())
    assert "あ" in japanese


def test_names_from_data_are_escaped(page):
    language, text = page
    assert "<b>&" not in text
    assert ("Slow <b>& steady</b>" if language == "en" else "遅攻 ≥5") in Page(text).text


def test_nothing_is_left_unsaid_or_missing(page):
    shown = Page(page[1]).text
    assert not re.search(r"\b(None|nan|NaN|Undefined)\b|[{}]", shown)


def test_the_verdicts_come_first(page, content):
    language, text = page
    w = Words(language)
    first = Page(text).text
    one = first.index(pages.verdict(content, w)["sentence"])
    for question in content["questions"]:
        at = first.index(w(question["verdict"]), first.index(w(f"question.{question['id']}")))
        assert one < at < first.index(w("read"))


def test_the_recipe_is_in_the_page_and_cannot_leave_its_element(content):
    text = pages.html(content)
    found = re.search(r'<script type="application/json" id="recipe">(.*?)</script>', text, re.S)
    assert found
    assert json.loads(found[1]) == content["recipe"]
    assert "<" not in found[1]
    assert "<script" not in pages.html({**content, "recipe": None})


def test_a_run_without_studies_has_a_page_without_their_sections(content):
    few = without(content)
    ids = [section["id"] for section in pages.sections(few, Words("en"))]
    assert ids == ["seats", "policies", "ends", "length", "sources"]
    older = {key: value for key, value in few.items() if value or key not in content}
    assert [section["id"] for section in pages.sections(older, Words("en"))] == ids
    for language in LANGUAGES:
        assert not Page(pages.html(older, language)).open


def test_the_sections_stand_in_the_order_of_a_designers_questions(content):
    assert [section["id"] for section in pages.sections(content, Words("en"))] == [
        "seats",
        "seat_design",
        "policies",
        "policy_seat",
        "skill",
        "knob-compensation",
        "by-guild",
        "composition",
        "event-special",
        "ends",
        "length",
        "series-truth",
        "sources",
        "supply",
    ]


def test_the_schema_describes_the_content(content):
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    for found in (content, without(content)):
        assert not [error.message for error in validator.iter_errors(json.loads(json.dumps(found)))]
    assert SCHEMA["properties"]["version"]["const"] == content["version"]


@pytest.mark.parametrize("keep", ["rows", "sums"])
def test_the_schema_describes_real_reports(kept, keep):
    validator = Draft202012Validator(SCHEMA)
    solo = sim.simulate(SOLO_TOY, games=60, keep=keep, jobs=1)
    fixed = sim.simulate(TOY, games=60, lineup="bold,random", keep=keep, jobs=1)
    for run in (kept[keep], solo, fixed):
        found = json.loads(json.dumps(collect(run)))
        assert not [(list(e.path), e.message) for e in validator.iter_errors(found)]


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("rates"),
        lambda c: c.update(more=1),
        lambda c: c["rates"][0]["tables"][0]["rows"][0].update(rate=1.2),
        lambda c: c["rates"][0]["tables"][0]["rows"][0].update(verdict="fine"),
        lambda c: c["knobs"][0]["tables"][0]["rows"][0]["points"][0].pop("change"),
        lambda c: c["supply"]["outcomes"][0]["rows"][0].update(clear="yes"),
        lambda c: c["events"][0]["tables"][0]["rows"][0].update(count=-1),
    ],
)
def test_the_schema_refuses_what_is_not_so(content, change):
    found = copy.deepcopy(content)
    change(found)
    assert not Draft202012Validator(SCHEMA).is_valid(json.loads(json.dumps(found)))


def test_digits_follow_the_standard_error(content):
    for section in content["rates"]:
        for table in section["tables"]:
            drawn = pages.rate_table(table, section, content, Words("en"))
            for row, shown in zip(table["rows"], drawn["rows"], strict=True):
                places = len(shown["rate"].partition(".")[2])
                assert 0.1 <= 100 * row["se"] * 10**places < 10


# The sentence on top.


def asked(content, **verdicts):
    """Return the content with questions that have these verdicts and rows."""
    found = copy.deepcopy(content)
    for question in found["questions"]:
        said, row = verdicts[question["id"]]
        question |= {"verdict": said, "row": row}
    return found


FAR = rate_row(3, 0.05, 0.02, seat=2)
NEAR = rate_row(2, 0.001, 0.05, policy="plain", label={"en": "Plain", "ja": "地味"})
EDGE = rate_row(3, 0.015, 0.02, seat=1, games=2000)


def test_the_sentence_names_what_is_most_out_of_balance(content):
    w = Words("en")
    far = rate_row(2, 0.1, 0.05, policy="plain", label={"en": "Plain", "ja": "地味"})
    found = asked(content, seats=("unbalanced", FAR), policies=("unbalanced", far))
    told = pages.verdict(found, w)
    assert told["mark"] == "unbalanced"
    # 5 pp are two and a half of the seats' margins, 10 pp are two of the policies'.
    assert told["sentence"].startswith("Most out of balance is seat 2 with 3 players: it wins")
    assert "5.0\u00a0pp above parity (33.3\u00a0%)" in told["sentence"]
    assert (
        "the policies are out of balance too, the policy Plain with 2 players by 10.0"
        in (told["sentence"])
    )
    lower = copy.deepcopy(FAR)
    lower |= {"rate": lower["parity"] - 0.05}
    found = asked(content, seats=("unbalanced", lower), policies=("balanced", NEAR))
    told = pages.verdict(found, w)["sentence"]
    assert "below parity" in told
    assert told.endswith("the policies within ±5\u00a0pp of parity.")


def test_a_balanced_title_is_said_to_be_balanced(content):
    found = asked(content, seats=("balanced", EDGE), policies=("balanced", NEAR))
    assert pages.verdict(found, Words("en")) == {
        "mark": "balanced",
        "sentence": "Balanced at every player count: the seats within ±2\u00a0pp and "
        "the policies within ±5\u00a0pp of parity.",
    }


def test_what_is_undecided_says_how_many_games_would_decide_it(content):
    found = asked(content, seats=("undecided", EDGE), policies=("balanced", NEAR))
    told = pages.verdict(found, Words("en"))
    assert told["mark"] == "undecided"
    half, room = (EDGE["hi"] - EDGE["lo"]) / 2, 0.02 - (EDGE["rate"] - EDGE["parity"])
    more = found["run"]["games"] * ((half / room) ** 2 - 1)
    said = re.search(r"about ([\d,]+) more games", told["sentence"])
    assert said
    assert more <= int(said[1].replace(",", "")) < 1.11 * more
    on_edge = EDGE | {"rate": EDGE["parity"] + 0.02}
    found = asked(content, seats=("undecided", on_edge), policies=("balanced", NEAR))
    assert "unlikely to decide" in pages.verdict(found, Words("en"))["sentence"]


def test_with_too_few_games_the_sentence_says_so(content):
    few = ("too few games", None)
    told = pages.verdict(asked(content, seats=few, policies=few), Words("en"))
    assert told == {"mark": "few", "sentence": Words("en")("say.too few games")}
    told = pages.verdict(asked(content, seats=few, policies=("unbalanced", NEAR)), Words("en"))
    assert "for the seats there are too few games" in told["sentence"]


def test_a_solo_title_is_told_by_its_clear_rate(content):
    row = rate_row(1, -0.4, None, policy="plain", label={"en": "Plain", "ja": "地味"})
    question = {"id": "clear", "verdict": None, "margin": None, "row": row, "by_players": []}
    told = pages.verdict({**content, "questions": [question]}, Words("en"))
    assert told["mark"] == "plain"
    assert told["sentence"].startswith("Best policy: Plain clears 60.0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verdict_on_either_question_has_its_sentence(content, language):
    rows = {"balanced": NEAR, "undecided": EDGE, "unbalanced": FAR, "too few games": None}
    for one, first in rows.items():
        for other, second in rows.items():
            found = asked(content, seats=(one, first), policies=(other, second))
            told = pages.verdict(found, Words(language))["sentence"]
            assert not re.search(r"[{}]|None", told)
            assert told.count("。" if language == "ja" else ".") >= 1


def test_cards_name_numbers_intervals_and_games(content):
    w = Words("en")
    seats, policies = content["questions"]
    told = pages.answers(content, w)[0]["sentence"]
    assert f"of {seats['row']['games']:,} games (" in told
    for end in ("best", "worst"):
        assert w.label(policies[end]["label"]) in pages.answers(content, w)[1]["sentence"]


# Drawings and tables.


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
    tones = [heat._tone(gap / 100, 0.1) for gap in (-15, -10, -4, -0.5, 0, 0.5, 4, 10, 15)]
    assert tones == ["down5", "down5", "down2", "level", "level", "level", "up2", "up5", "up5"]
    key = heat._key(0.1)
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


def test_a_knob_has_a_chart_for_each_seat_and_value_with_the_printed_one_marked(content):
    groups = section_of(content, "knob-compensation")["groups"]
    assert [len([c for line in group["charts"] for c in line]) for group in groups] == [4, 6, 8]
    assert [len(group["charts"]) for group in groups] == [1, 2, 2]
    assert [item["text"] for item in groups[1]["legend"]] == ["balanced", "undecided", "unbalanced"]
    chart = groups[1]["charts"][1][2]
    assert chart["title"] == "Seat 3 · Gold"
    (strong,) = [tick for tick in chart["across"] if tick["strong"]]
    assert strong["text"] == "2"
    assert chart["printed"] == strong["x"]
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


def test_the_largest_effects_of_the_supply_come_first(content):
    section = section_of(content, "supply")
    length, gap, policies, every = section["groups"]
    for group in (length, gap):
        for drawn in group["charts"][0]:
            values = [abs(float(row["text"].replace("−", "-"))) for row in drawn["rows"]]
            assert values == sorted(values, reverse=True)
            assert len(values) == 10
    outcomes = [o for o in content["supply"]["outcomes"] if o["id"] == "policy"]
    clear = sum(row["clear"] for outcome in outcomes for row in outcome["rows"])
    rest = sum(len(outcome["rows"]) for outcome in outcomes) - clear
    assert len(policies["open"][0]["rows"]) == clear > 0
    assert f"{rest} others" in policies["below"][0]
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


def test_seat_rows_stand_beside_games_where_they_differ(content):
    for id_, differ in (("seats", False), ("category", True)):
        section = next(s for s in content["rates"] if s["id"] == id_)
        shown = pages.rate_table(section["tables"][0], section, content, Words("en"))
        assert shown["seat_rows"] is differ


def test_what_a_page_of_changed_rules_says_first(content):
    found = copy.deepcopy(content)
    found["ruleset"] |= {
        "changes": [{"key": "a.b", "old": 6, "new": 7}, {"key": "a.c", "old": None, "new": 1}],
        "added": ["cards.moon"],
        "removed": ["cards.sun"],
    }
    w = Words("en")
    told = "Changed: a.b 6 → 7, a.c = 1; new: cards.moon; removed: cards.sun."
    assert pages.caveats(found, w)[0] == told
    text = Page(pages.html(found)).text
    assert text.index(told) < text.index(w("question.seats"))
    many = [{"key": f"k{i}", "old": 1, "new": 2} for i in range(9)]
    found["ruleset"] |= {"changes": many, "added": [], "removed": []}
    assert pages.caveats(found, w)[0].endswith("k5 1 → 2, 3 more.")


def test_provenance_has_keys_for_machines_and_names_for_people(content):
    for part, drawn in (("provenance", pages.provenance), ("timing", pages.timing)):
        assert all(re.fullmatch("[a-z_]+", key) for key in content[part])
        names = {lang: [item["name"] for item in drawn(content, Words(lang))] for lang in LANGUAGES}
        assert names["en"] == [key.replace("_", " ") for key in content[part]]
        assert not set(names["en"]) & set(names["ja"])


def test_what_is_filled_into_words_is_left_alone():
    assert Words("en")("by", name="30 % mana") == "Win rate by 30 % mana"
    assert Words("en")("interval", level=95) == "95\u00a0% interval"


def test_all_words_exist_in_both_languages():
    for key, words in _WORDS.items():
        assert set(words) == set(LANGUAGES), key
        english, japanese = (set(re.findall(r"{\w+}", words[lang])) for lang in LANGUAGES)
        assert english == japanese or (key.startswith("also.") and english <= japanese), key
    with pytest.raises(UnknownNameError, match="en, ja"):
        Words("fr")


def test_all_words_are_used():
    """A key stands in the code or in a template, whole or as the part before a name."""
    folder = Path(pages.__file__).parents[1]
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in [*folder.rglob("*.py"), *folder.rglob("*.html")]
    )
    ids = {"near", "over", "under", "balanced", "unbalanced", "undecided", "too few games"}
    ids |= {"untold", "seats", "policies", "clear"}
    for key in _WORDS:
        whole = re.search(rf"""["']{re.escape(key)}["']""", code)
        start = key.partition(".")[0]
        part = "." in key and re.search(rf"""["']{re.escape(start)}\.["']?|["']{start}\.{{""", code)
        assert whole or part or key in ids, key


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
