"""A designer's folder, and what is said about the data of titles, overlays and policies."""

from __future__ import annotations

import json
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import sim
from analysis import cli
from analysis.checking import check_title
from analysis.starter import MANY, starter, write_starter
from sim.errors import CannotFinishError, InputError
from sim.run.api import find_title
from sim.titles import TITLES
from tests.run.toy_duel import DUEL
from tests.run.toy_title import SOLO_TOY, TOY


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def commented(files: dict[str, str]) -> dict[str, list[str]]:
    """Return the lines to uncomment of each overlay, uncommented."""
    found = {
        name: [line[1:] for line in text.splitlines() if line.startswith("#") and line[1:2] > " "]
        for name, text in files.items()
        if name.endswith(".toml") and "the values as they are" in text.splitlines()[0]
    }
    assert found
    return found


def leaf(line: str) -> tuple[str, object]:
    """Return the key that a line sets, as it stands there, and the value."""
    node: object = tomllib.loads(line)
    while isinstance(node, dict):
        ((_, node),) = node.items()
    return line.partition(" = ")[0], node


TOYS = [TOY, SOLO_TOY, DUEL]


def called(title) -> str:
    return title if isinstance(title, str) else title.info.id


class TestStarter:
    @pytest.mark.parametrize("title", [*TITLES, *TOYS], ids=called)
    def test_it_has_every_value_once_and_changes_nothing(self, title, tmp_path):
        title = find_title(title)
        printed = title.load()
        files = starter(title, tmp_path)
        lines = commented(files)
        pairs = [leaf(line) for one in lines.values() for line in one]
        assert sorted(key for key, _ in pairs) == sorted(printed.keys())
        for key, value in pairs:
            there = printed.source(key).value
            assert value == (list(there) if isinstance(there, tuple) else there), key
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        written = [tmp_path / name for name in lines]
        assert title.load(overlays=written).data_hash == printed.data_hash
        for path in written:
            path.write_text("\n".join(lines[path.name]))
        assert title.load(overlays=written).hash == printed.hash
        assert title.load(overlays=written).sources() == {"override": len(pairs)}

    @pytest.mark.parametrize("title", [*TITLES, *TOYS], ids=called)
    def test_a_line_works_alone(self, title, tmp_path):
        """Every line of the toys; of real titles as many as a test has time for."""
        title = find_title(title)
        printed = title.load()
        files = starter(title, tmp_path)
        for name, lines in commented(files).items():
            path = tmp_path / name
            for line in lines[:: 1 + len(lines) // 30]:
                assert f"\n#{line}\n" in files[name]
                path.write_text(files[name].replace(f"\n#{line}\n", f"\n{line}\n"))
                alone = title.load(overlays=[path])
                assert (alone.hash, alone.sources()["override"]) == (printed.hash, 1), line

    @pytest.mark.parametrize("title", [*TITLES, *TOYS], ids=called)
    def test_its_policy_plays_and_its_commands_run(self, title, tmp_path, monkeypatch, capsys):
        title = find_title(title)
        monkeypatch.setattr("sim.titles.TITLES", (title.info.id,))
        monkeypatch.setattr("sim.titles.load", lambda _: title)
        folder = Path("a folder")
        assert cli.main(["init", title.info.id, str(folder)]) == 0
        told = capsys.readouterr().out
        readme = (folder / "README.txt").read_text()
        commands = [line.strip() for line in told.splitlines() if line.startswith("  tenbin ")]
        assert [command.split()[1] for command in commands] == ["check-data", "report", "simulate"]
        for command in commands:
            assert command in readme
        check, _, simulate = (shlex.split(command)[1:] for command in commands)
        assert cli.main(check) == 0
        assert str(folder / "policy.toml") in capsys.readouterr().out
        simulate[simulate.index("60k")] = "60"
        assert cli.main([*simulate, "--jobs", "1"]) == 0
        assert "60 games" in capsys.readouterr().out

    def test_large_files_have_an_overlay_of_their_own(self, tmp_path):
        lines = commented(starter(find_title("granmagia"), tmp_path))
        assert set(lines) == {"cards.toml", "rules.toml"}
        assert len(lines["cards.toml"]) > MANY
        assert not [line for line in lines["rules.toml"] if line.startswith("cards.")]

    def test_a_value_shows_where_it_comes_from(self, tmp_path):
        text = starter(find_title("granmagia"), tmp_path)["rules.toml"]
        assert "# --- witches.celestina: Celestina / セレスティーナ\n" in text
        assert "\n#witches.celestina.cost = 6  # assumed, GM-C5; 3 to 9\n" in text
        assert "# Cards drawn when a turn starts with 0, 1, 2" in text

    def test_nothing_is_overwritten(self, tmp_path):
        folder = tmp_path / "my"
        folder.mkdir()
        (folder / "rules.toml").write_text("mine")
        with pytest.raises(InputError, match=r"my/rules\.toml: there already"):
            write_starter(TOY, folder)
        assert [path.name for path in folder.iterdir()] == ["rules.toml"]
        assert (folder / "rules.toml").read_text() == "mine"

    def test_a_file_is_no_folder(self, tmp_path):
        (tmp_path / "my").write_text("")
        with pytest.raises(InputError, match="is a file"):
            write_starter(TOY, tmp_path / "my")
        with pytest.raises(CannotFinishError, match="cannot write"):
            write_starter(TOY, tmp_path / "my" / "deeper")

    def test_wrong_use(self, capsys):
        assert cli.main(["init", "granmagai", "my"]) == 2
        assert "did you mean 'granmagia'" in capsys.readouterr().err
        assert cli.main(["init", "granmagia"]) == 2
        assert "DIR" in capsys.readouterr().err
        assert not list(Path().iterdir())


@pytest.mark.parametrize("title", TITLES)
def test_the_data_of_every_title_is_sound(title):
    found = check_title(find_title(title))
    assert found.faults == ()
    assert found.sources == sim.load(title).sources()
    assert found.values == len(sim.load(title).keys())
    assert found.changes == ()


class TestCheckData:
    def test_all_titles_without_a_name(self, capsys):
        assert cli.main(["check-data"]) == 0
        told = capsys.readouterr()
        assert [line.split(":")[0] for line in told.out.splitlines() if " values: " in line] == [
            *TITLES
        ]
        assert told.err == ""

    def test_changes_with_their_places_and_remarks(self, capsys):
        Path("mine.toml").write_text(
            "[witches.celestina]\ncost = 12\n[cards.market]\ncost = 4\n"
            '[cards.moon_well]\nsort = "magic"\nchapter = 1\ncost = 4\neffects = ["draw 1"]\n'
            'label = { en = "Moon well", ja = "月の井戸" }\n'
        )
        words = ["--rules", "mine.toml", "--set", "turn.casts=1", "--format", "json"]
        assert cli.main(["check-data", "granmagia", *words]) == 0
        told = capsys.readouterr()
        assert told.err == ""
        (found,) = json.loads(told.out)
        changes = {change["key"]: change for change in found["changes"]}
        printed = sim.load("granmagia")
        assert changes["witches.celestina.cost"] == {
            "key": "witches.celestina.cost",
            "old": printed.values["witches"]["celestina"]["cost"],
            "new": 12,
            "file": "mine.toml",
            "line": 2,
            "column": 8,
            "remark": "witches.celestina.cost = 12 lies outside its stated range, 3 to 9",
        }
        assert changes["cards.moon_well.cost"]["old"] is None
        assert changes["turn.casts"]["remark"] == "turn.casts is 1 already: nothing changed"
        assert found["sources"]["override"] == len(changes)
        assert found["stand_ins"] == found["sources"]["assumed"]
        assert cli.main(["check-data", "granmagia", *words[:-2]]) == 0
        text = capsys.readouterr().out
        assert "lies outside its stated range" in text
        assert "mine.toml:2" in text
        assert "stand-ins (assumed): " in text

    def test_every_fault_at_once(self, capsys):
        Path("bad.toml").write_text('[cards.markte]\ncost = 3\n[turn]\ncasts = "a"\n')
        words = ["--rules", "bad.toml", "--set", "trun.hand=3", "--policy", "missing.toml"]
        assert cli.main(["check-data", "granmagia", *words]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert "bad.toml:1:1: cards.markte: " in told.err
        assert "did you mean 'market'?" in told.err
        assert 'bad.toml:4:9: turn.casts: found "a"; allowed: a whole number' in told.err
        assert "did you mean 'turn.hand'?" in told.err
        assert "missing.toml: there is no such file" in told.err
        assert "policies are looked at when" in told.err

    def test_faults_of_several_policies(self, capsys):
        Path("p.toml").write_text('[acquire]\nrules = ["arcan"]\n')
        words = ["--policy", "p.toml", "--policy", "engin", "--format", "json"]
        assert cli.main(["check-data", "granmagia", *words]) == 2
        told = capsys.readouterr()
        (found,) = json.loads(told.out)
        assert {"label", "about", "acquire.rules[0]"} <= {x.get("key") for x in found["faults"]}
        (rule,) = [x for x in found["faults"] if x.get("key") == "acquire.rules[0]"]
        assert (rule["file"], rule["line"], rule["hint"]) == ("p.toml", 2, "arcana")
        assert rule["column"] == 11
        assert "did you mean 'engine'" in told.err
        assert "engine" in found["policies"]

    def test_policies_are_compiled_against_the_overlay(self, capsys):
        Path("well.toml").write_text(
            '[cards.moon_well]\nsort = "magic"\nchapter = 1\ncost = 4\neffects = ["draw 1"]\n'
            'label = { en = "Moon well", ja = "月の井戸" }\n'
        )
        Path("p.toml").write_text(
            'label = { en = "P", ja = "P" }\nabout = "Buys the well."\n'
            '[acquire]\nrules = ["moon_well"]\n'
        )
        assert cli.main(["check-data", "granmagia", "--policy", "p.toml"]) == 2
        assert "'moon_well'" in capsys.readouterr().err
        words = ["--policy", "p.toml", "--rules", "well.toml"]
        assert cli.main(["check-data", "granmagia", *words]) == 0
        assert "p.toml" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("granmagai", "did you mean 'granmagia'"),
            ("--rules x.toml", "name it"),
            ("granmagia --rules x.toml", "x.toml: there is no such file"),
            ("granmagia --set turn.casts", "no '='"),
            ("granmagia --format yaml", "--format"),
            ("granmagia --polcy x", "--polcy"),
        ],
    )
    def test_wrong_use(self, words, said, capsys):
        assert cli.main(["check-data", *words.split()]) == 2
        assert said in capsys.readouterr().err

    def test_a_faulty_default_report_is_told(self, monkeypatch, tmp_path):
        (tmp_path / "report.toml").write_text("[margns]\nseats = 1\n")
        title = find_title("granmagia")
        shown = replace(title, data=tmp_path)
        monkeypatch.setattr("sim.titles.load", lambda _: shown)
        (fault,) = check_title(title).faults
        assert str(fault).startswith("report.toml:1:")
        assert "did you mean 'margins'?" in str(fault)

    def test_a_title_with_faulty_data_is_told(self):
        def load(**_):
            raise InputError("its data are gone")

        found = check_title(replace(TOY, load=load))
        assert found.faults == ("its data are gone",)
        assert found.policies is None
