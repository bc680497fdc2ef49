"""The page of a report: whole, self-contained, readable by everyone, and true to its numbers."""

from __future__ import annotations

import copy
import json
import re
from itertools import pairwise

import pytest
from matplotlib.ft2font import FT2Font

from analysis import plots
from analysis.report import pages
from analysis.report.pages import grids
from analysis.report.words import LANGUAGES, Words
from tests.analysis.made_report import bare, made, rate_row, without
from tests.analysis.parsed import Page


@pytest.fixture(scope="module")
def content():
    return made()


@pytest.fixture(scope="module", params=LANGUAGES)
def page(request, content):
    return request.param, pages.html(content, request.param)


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
    for language in LANGUAGES:
        assert not Page(pages.html(few, language)).open


def test_what_has_no_interval_is_shown_without_one_or_left_out(content):
    """Small runs: no effect of the supply is known, and no mean has an interval."""
    found = bare(content)
    ids = [section["id"] for section in pages.sections(found, Words("en"))]
    assert not {"supply", "cards"} & set(ids)
    assert "series-truth" in ids
    for language in LANGUAGES:
        page = Page(pages.html(found, language))
        assert not page.open
        assert not re.search(r"\b(None|nan|NaN|Undefined)\b|– – –", page.text)
    one = found["supply"]["outcomes"][3]["rows"][1]
    one |= {"effect": 0.01, "lo": 0.004, "hi": 0.016, "se": 0.002, "clear": True}
    (supply,) = (s for s in pages.sections(found, Words("en")) if s["id"] == "supply")
    (drawn,) = supply["groups"][0]["charts"][0]
    assert [row["name"] for row in drawn["rows"]] == [one["label"]["en"]]
    assert not Page(pages.html(found)).open


def test_a_line_without_charts_is_left_out():
    made_up = grids.section("any", "Any", [{"charts": [[], [{"kind": "chart"}]]}, {"charts": [[]]}])
    assert [group["charts"] for group in made_up["groups"]] == [[[{"kind": "chart"}]], []]


def test_every_section_says_which_games_it_used(content):
    w = Words("en")
    for found in pages.sections(content, w):
        told = [*found["notes"], *(line for g in found.get("groups", []) for line in g["below"])]
        assert any("Games used: " in note for note in told) or found["id"] == "ends", found["id"]
    supply = next(s for s in pages.sections(content, w) if s["id"] == "supply")
    assert supply["groups"][1]["below"] == ["Games used: mirrors, full rotations."]


def test_every_section_says_which_of_its_intervals_hold_at_once(content):
    """The general note speaks of tables of rates; what is a family of another kind says so."""
    told = {s["id"]: " ".join(s["notes"]) for s in pages.sections(content, Words("en"))}
    assert "95\u00a0% confidence" in pages.reading(content, Words("en"))[0]
    for id_, words in {
        "skill": "over all slips and player counts, and so do those on policies",
        "knob-compensation": "all of one player count, those of rates and of changes together,",
        "lever-pace": "those of figures and of changes together,",
        "composition": "all of one sort, over all player counts, hold at once",
        "event-special": "all intervals of this section hold at once",
        "series-truth": "all of one player count hold at once",
        "supply": "intervals of a player count hold at once",
        "matchups-policy": "the intervals of all pairs (9) hold at once",
        "building": "all 4 intervals hold at once",
        "foes": "All 10 intervals of the section hold at once",
        "share-lost_at": "Share of lost games; all intervals of this section hold at once",
        "matrix-field": "of means and rates and over all player counts, hold at once",
        "curve-cost": "All intervals of this section hold at once",
        "winners": "All intervals of this section hold at once",
        "cards": "effects, over all player counts, hold at once",
    }.items():
        assert words in told[id_], id_


def test_events_by_what_was_chosen_during_play_are_marked_so(content):
    found = copy.deepcopy(content)
    for selected, tag in ((True, "chosen during play"), (False, "")):
        found["events"][0]["selected"] = selected
        (event,) = (s for s in pages.sections(found, Words("en")) if s["id"] == "event-special")
        assert event["tag"] == tag
        assert ("do not show what the choice causes" in event["notes"][0]) is selected


def test_the_sections_stand_in_the_order_of_a_designers_questions(content):
    assert [section["id"] for section in pages.sections(content, Words("en"))] == [
        "seats",
        "seat_design",
        "policies",
        "policy_seat",
        "pilots",
        "matchups-policy",
        "matchups-guild",
        "mirrors",
        "skill",
        "knob-compensation",
        "lever-pace",
        "by-guild",
        "matrix-field",
        "curve-cost",
        "building",
        "composition",
        "event-special",
        "ends",
        "share-lost_at",
        "foes",
        "length",
        "series-truth",
        "sources",
        "winners",
        "supply",
        "cards",
    ]


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
