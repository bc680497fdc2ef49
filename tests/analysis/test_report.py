"""Pages: from roles alone, self-contained, honest about intervals, equal bytes for equal runs."""

from __future__ import annotations

import copy
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import sim
from analysis import changes, console, frames
from analysis.report import content, markdown, origin, pages, write_report
from analysis.report.origin import policy_labels
from analysis.report.rates import overall
from analysis.report.words import LANGUAGES, Words
from analysis.spec import title_spec
from sim.core.title import Label
from sim.errors import CannotFinishError, InputError
from sim.run import provenance
from sim.titles import TITLES
from tests.analysis.parsed import Page
from tests.analysis.toy import INFO, ToyRun
from tests.run.toy_title import SOLO_TOY, TOY


def judged(**margins):
    """Return a spec with other margins, as rates."""
    spec = title_spec(INFO)
    points = {name: 100 * margin for name, margin in margins.items()}
    return spec.model_copy(update={"margins": spec.margins.model_copy(update=points)})


@pytest.fixture(scope="module")
def collected(made_up):
    return content.collect(made_up)


def test_every_rate_has_its_interval_and_its_games(collected):
    rows = [row for s in collected["rates"] for t in s["tables"] for row in t["rows"]]
    rows += [row for table in collected["ends"] for row in table["rows"]]
    assert len(rows) > 20
    for row in rows:
        assert 0 <= row["lo"] <= row["rate"] <= row["hi"] <= 1
        assert row["games"] > 0
    for row in collected["length"]["rows"]:
        assert row["lo"] < row["mean"] < row["hi"]
        assert sum(games for _, games in row["histogram"]) == row["games"]


def test_sections_follow_from_roles(collected):
    ids = [section["id"] for section in collected["rates"]]
    assert ids == ["seats", "seat_design", "policies", "policy_seat", "category"]
    seats, designs, policies, _, guild = collected["rates"]
    assert designs["designs"] == ["mirror", "rotation", "pool"]
    assert seats["designs"] == ["mirror", "rotation"]
    assert policies["designs"] == ["rotation"]
    assert policies["captions"]
    assert guild["label"]["ja"] == "組合"
    assert guild["captions"] == ["selected"]
    assert [table["rows"][0]["column"] for table in collected["points"]] == ["quests", "quests"]
    assert collected["ruleset"]["changes"] == [{"key": "cards.toy.cost", "old": None, "new": 7}]


def test_no_report_code_knows_a_title():
    import analysis

    for name in TITLES:
        for path in analysis.__path__:
            from pathlib import Path

            for file in Path(path).rglob("*.*"):
                if file.suffix in {".py", ".html", ".css"} and "cli" not in file.parts:
                    lines = file.read_text(encoding="utf-8").splitlines()
                    code = [line for line in lines if not line.lstrip().startswith((">>>", "..."))]
                    assert name not in "\n".join(code), file  # examples may name one


def test_the_same_run_gives_the_same_bytes_but_for_its_timing(made_up, collected):
    again = content.collect(ToyRun(3000))
    assert json.dumps(again) == json.dumps(collected)
    later = copy.deepcopy(collected)
    later["timing"] = {"seconds": 99, "machine": "another"}
    one, two = pages.html(collected), pages.html(later)
    cut = '<footer id="timing">'
    assert one.partition(cut)[0] == two.partition(cut)[0]
    assert one != two
    texts = [markdown.markdown(c).partition("## This run")[0] for c in (collected, later)]
    assert texts[0] == texts[1]


def rows_of(*verdicts):
    return [{"verdict": verdict} for verdict in verdicts]


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["balanced", "balanced"], "balanced"),
        (["balanced", "undecided"], "undecided"),
        (["undecided", "unbalanced", "balanced"], "unbalanced"),
        (["too few games", "balanced"], "too few games"),
        (["too few games", "undecided"], "undecided"),
        ([], "too few games"),
    ],
)
def test_the_whole_is_balanced_only_if_every_row_is(verdicts, said):
    assert overall(rows_of(*verdicts)) == said


@pytest.mark.parametrize("margin", [0.0001, 0.02, 0.5])
def test_each_verdict_has_its_sentence(made_up, margin):
    found = content.collect(made_up, spec=judged(seats=margin, policies=margin))
    for language in ("en", "ja"):
        for answer in pages.answers(found, Words(language)):
            assert answer["sentence"]


def test_a_handful_of_games_concludes_nothing():
    found = content.collect(ToyRun(24))
    assert {question["verdict"] for question in found["questions"]} == {"too few games"}
    assert "Too few games" in Page(pages.html(found)).text


def test_a_page_and_the_command_line_use_the_same_games(made_up, collected):
    told = console.summary(made_up)
    for section in (found for found in collected["rates"] if found["id"] in ("seats", "policies")):
        used = ", ".join(section["designs"])
        assert f"({used}; margin ±{100 * section['margin']:g} pp)" in told


def test_a_section_is_one_family_over_all_player_counts(made_up, collected):
    for section in collected["rates"]:
        keys = {"policy_seat": ["policy", "seat"], "seat_design": ["design", "seat"]}
        keys |= {"policies": ["policy"], "seats": ["seat"]}
        by = keys.get(section["id"]) or [section["column"]]
        rows = [row for table in section["tables"] for row in table["rows"]]
        asked = {"by": ["players", *by], "design": section["designs"]}
        wide = frames.win_rates(made_up, family=len(rows), **asked)
        assert [(row["lo"], row["hi"]) for row in rows] == wide.select("lo", "hi").rows()
    lengths = collected["length"]["rows"]
    wide = frames.outcomes(made_up, "rounds", family=2)
    assert [(row["lo"], row["hi"]) for row in lengths] == wide.select("lo", "hi").rows()
    points = [row for table in collected["points"] for row in table["rows"]]
    wide = frames.outcomes(made_up, "quests", family=2)
    assert [(row["lo"], row["hi"]) for row in points] == wide.select("lo", "hi").rows()


@pytest.mark.parametrize("margin", [0.0001, 0.5])
def test_what_was_chosen_during_play_is_described_and_not_judged(made_up, margin):
    found = content.collect(made_up, spec=judged(categories=margin))
    assert found["rates"][0]["margin"] == 0.02
    guild = found["rates"][-1]
    assert guild["margin"] == margin
    said = {row["verdict"] for table in guild["tables"] for row in table["rows"]}
    assert said <= {"near", "over", "under", "undecided"}
    assert "near" in said or margin < 0.5
    for language in LANGUAGES:
        w = Words(language)
        section = pages.rate_table(guild["tables"][0], guild, found, w)
        assert {row["mark"] for row in section["rows"]} <= {"plain", "undecided"}
        assert pages.heading(guild, w) in {"Win rate by guild", "組合ごとの勝率"}


def test_a_run_of_changed_rules_has_a_report_without_replays(kept, tmp_path, monkeypatch):
    """Also the figures behind it: nothing that is read needs the rules of today."""
    changed = replace(TOY, info=replace(TOY.info, result_version=99))
    for keep, before in kept.items():
        run = sim.open_run(before.path, title=changed)
        with pytest.raises(InputError):
            run.setup  # noqa: B018
        for make in (frames.win_rates, frames.outcomes, frames.end_reasons, frames.histogram):
            assert make(run).equals(make(before)), keep
        page = write_report(run, tmp_path / keep)
        text = Page(page.read_text()).text
        assert Words("en")("replay.gone") in text
        assert "tenbin trace" not in text


def test_commands_are_shown_without_the_places_of_a_machine(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/somebody")
    program = "/home/somebody/.venv/bin/tenbin"
    words = ["report", f"{tmp_path}/a", "--out=/home/somebody/b", "--rules", "/secret/c.toml"]
    monkeypatch.setattr(sys, "argv", [program, *words])
    told = ["tenbin", "report", "a", "--out=~/b", "--rules", "…/c.toml"]
    assert provenance.command() == told
    monkeypatch.setattr(sys, "argv", ["/x/site-packages/analysis/cli/__main__.py", "titles"])
    assert provenance.command() == ["tenbin", "titles"]
    monkeypatch.setattr(sys, "argv", ["/x/study.py", "10=20"])
    assert provenance.command() == ["python", "study.py", "10=20"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_solo_title_has_no_parity(language):
    run = sim.simulate(SOLO_TOY, games=300, keep="rows", jobs=1)
    found = content.collect(run)
    assert found["rates"][0]["id"] == "clear"
    assert [question["id"] for question in found["questions"]] == ["clear"]
    text = Page(pages.html(found, language)).text
    assert Words(language)("gap") not in text


def test_a_fixed_line_up_says_that_seat_and_policy_are_one(tmp_path):
    run = sim.simulate(TOY, games=200, lineup="bold,random", keep="sums", jobs=1)
    found = content.collect(run)
    assert "fixed" in found["rates"][0]["captions"]
    assert "cannot be told apart" in pages.html(found)


def test_writing_a_report(kept, tmp_path):
    page = write_report(kept["rows"], tmp_path / "a", language="ja")
    again = write_report(kept["rows"], tmp_path / "b", language="ja")
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert [str(f) for f in files if f.parent.name != "figures"] == [
        "index.html",
        "report.json",
        "report.md",
        "summary.md",
    ]
    figures = {f.name for f in files if f.suffix == ".svg"}
    assert figures == {
        f"{name}-{n}.svg" for name in ("seats", "policies", "policy_seat") for n in (2, 3, 4)
    }
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert page == tmp_path / "a" / "index.html"
    assert again.read_text().startswith("<!doctype html>")
    stored = json.loads((tmp_path / "a" / "report.json").read_text())
    kinds = {item["kind"] for item in stored["replay"]}
    assert kinds == {"first", "longest", "shortest", "typical"}
    for item in stored["replay"]:
        assert sim.trace(kept["rows"], game=item["game"]).game == item["game"]


def test_figures_of_an_earlier_report_do_not_stay(tmp_path):
    two = sim.simulate(TOY, games=60, players=2, keep="sums", jobs=1)
    write_report(two, tmp_path)
    figures = tmp_path / "figures"
    (figures / "mine-2.svg").write_text("drawn by hand")
    (figures / "seats.svg").write_text("also")
    write_report(sim.simulate(TOY, games=60, players=3, keep="sums", jobs=1), tmp_path)
    ours = {f"{name}-3.svg" for name in ("seats", "policies", "policy_seat")}
    assert {path.name for path in figures.iterdir()} == {*ours, "mine-2.svg", "seats.svg"}


def test_an_unwritable_folder_is_told(kept, tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(CannotFinishError, match="taken"):
        write_report(kept["rows"], tmp_path / "taken")


def test_a_disk_that_fills_up_leaves_the_report_before(kept, tmp_path, monkeypatch):
    write_report(kept["rows"], tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    write = Path.write_text

    def fill_up(path, text, **options):
        write(path, text[:100], **options)
        if "report.md" in path.name:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fill_up)
    with pytest.raises(CannotFinishError, match="No space left"):
        write_report(kept["rows"], tmp_path, language="ja")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_no_two_rows_of_a_table_are_called_alike(tmp_path):
    run = sim.simulate(TOY, games=240, lineup="bold@0.05,bold", keep="sums", jobs=1)
    found = content.collect(run)
    for language, slips in (("en", ", slip 5 %"), ("ja", "（5 % の誤り）")):
        w = Words(language)
        for section in found["rates"]:
            for table in section["tables"]:
                names = [pages.name_of(row, w) for row in table["rows"]]
                assert len(set(names)) == len(names)
        assert any(slips in item["label"][language] for item in found["policies"])


def test_policies_with_the_same_label_are_told_apart_by_their_entries():
    label = Label("Same", "同じ")
    run = SimpleNamespace(policies={"one": label, "two": label, "two@0.1": label})
    names = policy_labels(run)
    assert [name["en"] for name in names.values()] == [
        "Same (one)",
        "Same (two)",
        "Same, slip 10 %",
    ]
    assert names["one"]["ja"] == "同じ（one）"


def test_one_line_up_in_fixed_seats_gets_no_verdict():
    run = sim.simulate(TOY, games=400, lineup="bold,random", keep="sums", jobs=1)
    found = content.collect(run)
    seats, policies = found["questions"]
    assert seats["verdict"] == policies["verdict"] == "untold"
    for section in found["rates"]:
        if section["id"] in {"seats", "policies", "policy_seat"}:
            assert {row["verdict"] for t in section["tables"] for row in t["rows"]} == {None}
    for language in LANGUAGES:
        w = Words(language)
        answer = pages.answers(found, w)[0]
        assert answer["word"] == w("untold")
        assert "--rotate" in answer["sentence"]


def test_a_mirror_is_one_policy_and_keeps_its_verdict():
    run = sim.simulate(TOY, games=400, lineup="bold,bold", keep="sums", jobs=1)
    assert content.collect(run)["questions"][0]["verdict"] != "untold"


def test_differences_are_found_against_the_rules_that_a_title_ships():
    assert changes._tables({"cards.moon.cost", "cards.moon.effects"}, {"cards.sun.cost"}) == [
        "cards.moon"
    ]
    run = sim.simulate(TOY, games=24, keep="sums", jobs=1)
    assert origin.differences(run) == {"changes": [], "added": [], "removed": []}
