"""Recipes, and playing again what a run or a page was made from."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import sim
from analysis import cli
from analysis.recipe import manifest_of, play, read_page, recipe_of, sums_of
from analysis.report import write_report
from sim.errors import InputError, InterruptedRunError, UnknownNameError
from sim.run.manifest import read_manifest
from tests.run.toy_title import INFO, TOY, make

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


OVERLAY = "# mine\ntarget = 30\n"
POLICY = 'label = { en = "Own", ja = "自" }\nabout = "Own."\n[throw]\nrules = ["soft"]\n'


def run_of_own_files(**more) -> sim.Run:
    """Play with an overlay and a policy that are gone afterwards."""
    Path("my").mkdir()
    Path("my/rules.toml").write_text(OVERLAY)
    Path("my/own.toml").write_text(POLICY)
    run = sim.simulate(
        TOY,
        games=300,
        lineup=["my/own.toml@0.05", "bold", "calm"],
        rotate=True,
        seed=4,
        rules="my/rules.toml",
        overrides="limits.round_cap=10",
        bans={2: ["soft"]},
        jobs=1,
        out="run",
        **more,
    )
    shutil.rmtree("my")
    return run


class TestRecipe:
    @pytest.mark.parametrize("keep", ["rows", "sums", "both"])
    def test_it_alone_gives_the_same_run(self, keep):
        run = run_of_own_files(keep=keep, collect=("core", "cards", "series"))
        recipe = json.loads(json.dumps(recipe_of(run)))
        shutil.rmtree("run")
        again = play(recipe, Path("again"), jobs=1)
        assert recipe["sums"] == sums_of(again)
        assert set(recipe["sums"]) == {"wins", "columns", "counts", "cards", "series"}
        assert again.identity == run.identity
        assert sim.open_run("again").identity == run.identity
        assert again.plan.policies == ("my/own.toml@0.05", "bold", "calm")

    def test_its_manifest_is_that_of_the_run(self):
        run = run_of_own_files()
        manifest, stored = manifest_of(recipe_of(run)), read_manifest(run.path)
        assert manifest.hash == stored.hash
        assert (manifest.games, manifest.sources) == (stored.games, stored.sources)

    @pytest.mark.parametrize(
        "asked",
        [
            {},
            {"players": [2, 4]},
            {"lineup": "bold,bold"},
            {"lineup": "bold,calm,bold,calm", "rotate": True},
            {"pool": "bold,fair,random", "players": 3},
        ],
        ids=str,
    )
    def test_plans_are_written_short_and_read_back(self, asked):
        run = sim.simulate(TOY, games=240, keep="sums", jobs=1, **asked)
        recipe = recipe_of(run)
        assert manifest_of(recipe).identity == run.identity
        packed, full = (json.dumps(one["plan"]) for one in (recipe["identity"], run.identity))
        assert len(packed) < len(full)

    def test_a_block_of_another_kind_is_written_out(self):
        plan = sim.make_plan(TOY, games=20, lineup="bold,calm", rotate=True)
        (block,) = plan.blocks
        strange = replace(block, cells=block.cells[:1])
        run = sim.simulate(TOY, plan=replace(plan, blocks=(strange,)), games=20, jobs=1)
        assert manifest_of(recipe_of(run)).identity == run.identity

    @pytest.mark.parametrize("wrong", [{}, None, 0, "x", []], ids=repr)
    def test_a_damaged_one_is_refused(self, wrong):
        recipe = recipe_of(sim.simulate(TOY, games=20, players=2, jobs=1))
        for part in ("games", "identity", "identity_hash", "sources", "shown", "sums"):
            with pytest.raises(InputError, match="damaged"):
                manifest_of({**recipe, part: wrong})
        for part in ("cut", "plan", "policies", "layout", "seed"):
            identity = {**recipe["identity"], part: wrong}
            with pytest.raises(InputError, match="damaged"):
                manifest_of({**recipe, "identity": identity})
        with pytest.raises(InputError, match="version 2"):
            manifest_of({**recipe, "version": 2})


def rerun(*words: str, capsys) -> tuple[int, str, str]:
    code = cli.main(["rerun", *words, "--jobs", "1"])
    return code, *capsys.readouterr()


def changed(**what):
    """Return a title that is loaded instead of the toy."""
    return lambda _: replace(TOY, **what)


def other_play(tables, policies, bans, key, first_deal, *rest):
    return TOY.play(tables, policies, bans, key, first_deal + 1, *rest)


def other_rules(overlays=(), overrides=()):
    return TOY.load(overlays=overlays, overrides=(*overrides, "sides=5"))


def load_nothing(name: str):
    raise UnknownNameError("title", name, ("toys",))


class TestRun:
    @pytest.mark.parametrize("keep", ["rows", "sums"])
    def test_the_same_is_zero(self, keep, capsys):
        run_of_own_files(keep=keep)
        code, out, err = rerun("run", capsys=capsys)
        assert (code, err) == (0, "")
        assert out.endswith("The result is the same.\n")
        assert "300 games, seed 4" in out
        assert ("rows (games, seats)" in out) == (keep == "rows")
        assert [path.name for path in Path().iterdir()] == ["run"]

    def test_another_result_is_one(self, capsys, monkeypatch):
        run_of_own_files()
        monkeypatch.setattr("sim.titles.load", changed(play=other_play))
        code, out, _ = rerun("run", capsys=capsys)
        assert code == 1
        for told in ("sums differ: wins", "sums differ: columns", "rows differ: seats"):
            assert told in out
        assert out.endswith("The result differs.\n")

    @pytest.mark.parametrize(
        ("title", "said"),
        [
            (changed(load=other_rules), "its rules"),
            (lambda _: make(replace(INFO, result_version=2)), "its engine"),
        ],
    )
    def test_what_cannot_be_played_again_is_two(self, title, said, capsys, monkeypatch):
        run_of_own_files()
        monkeypatch.setattr("sim.titles.load", title)
        code, out, err = rerun("run", capsys=capsys)
        assert (code, out) == (2, "")
        assert f"({said} changed since)" in err

    def test_the_new_run_can_be_kept(self, capsys):
        run_of_own_files()
        assert rerun("run", "--out", "again", capsys=capsys)[0] == 0
        kept, made = sim.open_run("run"), sim.open_run("again")
        assert made.seats.equals(kept.seats)
        assert made.provenance["resources"]["games_played"] == 300
        for folder in ("run", "again"):
            code, _, err = rerun("run", "--out", folder, capsys=capsys)
            assert code == 2
            assert "choose a new folder" in err

    def test_an_unfinished_new_run_is_finished(self, capsys, monkeypatch):
        run = run_of_own_files()
        recipe = recipe_of(run)

        def stop(done, total):
            raise KeyboardInterrupt

        with pytest.raises(InterruptedRunError):
            play(recipe, Path("again"), jobs=1, progress=stop)
        assert rerun("run", "--out", "again", capsys=capsys)[0] == 0


@pytest.fixture
def page(capsys) -> Path:
    """A report of a run that is gone, with its recipe."""
    run = run_of_own_files(keep="both")
    index = write_report(run, Path("page"))
    content = json.loads(Path("page/report.json").read_text())
    content["recipe"] = recipe_of(run)
    Path("page/report.json").write_text(json.dumps(content))
    text = json.dumps(content["recipe"]).replace("<", "\\u003c")
    script = f'<script type="application/json" id="recipe">{text}</script>'
    bare = index.read_text().partition('<script type="application/json" id="recipe">')[0]
    index.write_text(f"{bare}{script}</body></html>")
    shutil.rmtree("run")
    capsys.readouterr()
    return Path("page")


class TestPage:
    @pytest.mark.parametrize("name", ["", "report.json", "index.html", "report.md"])
    def test_the_same_is_zero(self, name, page, capsys):
        code, out, err = rerun(str(page / name), capsys=capsys)
        assert (code, err) == (0, "")
        assert ("figures of rates" in out) == (name != "index.html")

    def test_the_page_alone_is_enough(self, page, capsys):
        shutil.copy(page / "index.html", "alone.html")
        shutil.rmtree(page)
        assert rerun("alone.html", capsys=capsys)[0] == 0

    @pytest.mark.parametrize("figure", ["rate", "lo", "hi", "games"])
    def test_a_figure_that_was_changed_is_found(self, figure, page, capsys):
        content = json.loads((page / "report.json").read_text())
        row = content["rates"][-1]["tables"][-1]["rows"][-1]
        row[figure] = row[figure] * 1.001 + 1e-6
        (page / "report.json").write_text(json.dumps(content))
        code, out, _ = rerun(str(page), capsys=capsys)
        assert code == 1
        assert f": {figure} was {row[figure]} and is " in out
        assert "sums differ" not in out

    def test_a_row_that_was_taken_away_is_found(self, page, capsys):
        content = json.loads((page / "report.json").read_text())
        del content["rates"][0]["tables"][-1]["rows"][-1]
        (page / "report.json").write_text(json.dumps(content))
        code, out, _ = rerun(str(page), capsys=capsys)
        assert code == 1
        assert ": rate was None and is " in out

    def test_what_was_not_played_again_is_told(self, page, capsys):
        content = json.loads((page / "report.json").read_text())
        content["knobs"] = [{"id": "any"}]
        (page / "report.json").write_text(json.dumps(content))
        code, out, _ = rerun(str(page), capsys=capsys)
        assert code == 0
        assert "The main run is the same." in out
        assert "were not played" in out

    def test_sums_that_were_changed_are_found(self, page, capsys):
        content = json.loads((page / "report.json").read_text())
        content["recipe"]["sums"]["counts"] = "0" * 64
        (page / "report.json").write_text(json.dumps(content))
        code, out, _ = rerun(str(page), capsys=capsys)
        assert code == 1
        assert "sums differ: counts" in out

    def test_labels_of_the_data_may_change(self, page, capsys, monkeypatch):
        def load(overlays=(), overrides=()):
            return replace(TOY.load(overlays=overlays, overrides=overrides), data_hash="0" * 64)

        monkeypatch.setattr("sim.titles.load", changed(load=load))
        code, out, _ = rerun(str(page), capsys=capsys)
        assert code == 0
        assert "have changed since, which decide nothing" in out


class TestWrongUse:
    def test_no_such_place(self, capsys):
        Path("runs").mkdir()
        Path("runs/three").mkdir()
        code, _, err = rerun("runs/tree", capsys=capsys)
        assert code == 2
        assert "did you mean 'runs/three'?" in err
        assert rerun("nowhere/run", capsys=capsys)[0] == 2

    def test_a_folder_of_something_else(self, capsys):
        Path("some").mkdir()
        code, _, err = rerun("some", capsys=capsys)
        assert code == 2
        assert "neither report.json nor index.html" in err

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        [
            ("report.json", "{}", "carries no recipe"),
            ("report.json", "[]", "carries no recipe"),
            ("report.json", "{", "is damaged"),
            ("report.json", '{"recipe": {"version": 7}}', "version 7"),
            ("report.json", '{"recipe": 3}', "version None"),
            ("index.html", "<p>", "carries no recipe"),
            (
                "index.html",
                '<script type="application/json" id="recipe">{</script>',
                "is damaged",
            ),
            ("other.txt", "x", "carries no recipe"),
        ],
    )
    def test_a_page_without_a_recipe(self, name, text, said, capsys):
        Path(name).write_text(text)
        code, out, err = rerun(name, capsys=capsys)
        assert (code, out) == (2, "")
        assert said in err

    def test_bytes_that_are_no_text(self):
        Path("report.json").write_bytes(b"\xff\xfe")
        with pytest.raises(InputError, match="cannot be read"):
            read_page(Path())

    def test_a_title_that_there_is_not(self, capsys, monkeypatch):
        run_of_own_files()
        monkeypatch.setattr("sim.titles.load", load_nothing)
        code, _, err = rerun("run", capsys=capsys)
        assert code == 2
        assert "unknown title 'toy'; did you mean 'toys'?" in err
