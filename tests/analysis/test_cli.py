"""The command line: exit codes, one message, results that can be piped, nothing heavy for help."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sim
from analysis import cli
from sim.errors import InterruptedRunError
from tests.run.toy_title import TOY

#: Tests change the working folder; the package need not be installed.
ENV = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
HEAVY = "polars numpy scipy pandas matplotlib joblib pydantic rich jinja2 pyarrow"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


#: What a program that has only shown help must not have loaded: libraries, titles and kernels.
LOADED = (
    f"loaded = [n for n in sys.modules if n.partition('.')[0] in {HEAVY.split()!r}"
    " or n.startswith(('sim.titles.', 'sim.run.', 'sim.core._', 'analysis.frames'))]\n"
    "sys.exit(str(loaded) if loaded else 0)\n"
)


@pytest.mark.parametrize("words", ["--help", "--version", *(f"{name} -h" for name in cli.COMMANDS)])
def test_help_loads_nothing_heavy(words):
    program = (
        f"import sys\nfrom analysis.cli import main\nassert main({words.split()!r}) == 0\n{LOADED}"
    )
    got = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENV)
    assert got.returncode == 0, got.stderr
    if not words.startswith("--"):
        assert "Example" in got.stdout, "a command's help has examples"


def test_a_command_loads_no_module_of_another():
    program = (
        "import sys\nfrom analysis.cli import main\nassert main(['titles', '-h']) == 0\n"
        "print(sorted(n for n in sys.modules if n.startswith('analysis.cli.')))"
    )
    got = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENV)
    assert got.stdout.splitlines()[-1] == str(["analysis.cli.data", "analysis.cli.options"])


def test_the_help_shows_every_command_with_what_it_does(capsys):
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out.partition("Commands:")[2].splitlines()
    told = {words[0]: words[1:] for line in shown if (words := line.split())}
    for name in cli.COMMANDS:
        assert told[name], name


def test_it_is_a_module_to_run():
    got = subprocess.run(
        [sys.executable, "-m", "analysis.cli", "titels"], capture_output=True, text=True, env=ENV
    )
    assert (got.returncode, got.stdout) == (2, "")
    assert got.stderr.startswith("tenbin: unknown command 'titels'; did you mean 'titles'?")


def test_importing_the_package_loads_nothing_heavy():
    program = (
        "import sys, analysis\n"
        f"loaded = [n for n in {HEAVY.split()!r} if n in sys.modules]\n"
        "assert not loaded, loaded\n"
        "assert set(analysis.__all__) <= set(dir(analysis))\n"
        "for name in analysis.__all__:\n"
        "    assert getattr(analysis, name) is not None\n"
        "try:\n"
        "    analysis.nothing\n"
        "except AttributeError: pass\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=ENV)


def simulate(*words: str) -> int:
    return cli.main(["simulate", "toy", "--jobs", "1", *words])


@pytest.mark.usefixtures("registered")
class TestCommands:
    def test_titles(self, capsys):
        assert cli.main(["titles"]) == 0
        out = capsys.readouterr().out
        assert "toy" in out
        assert "2, 3, 4" in out

    def test_simulate_prints_rates_and_what_to_do_next(self, capsys):
        assert simulate("--games", "600", "--seed", "3", "--out", "run") == 0
        told = capsys.readouterr()
        assert "600 games" in told.out
        assert "seed 3" in told.out
        assert "95 % interval" in told.out
        assert told.err == ""
        for line in told.out.splitlines()[-3:]:
            assert cli.main(line.split()[1:]) == 0

    def test_simulate_again_resumes_and_extends(self, capsys):
        assert simulate("--games", "300", "--out", "run") == 0
        assert simulate("--games", "300", "--out", "run") == 0
        assert simulate("--games", "1k", "--out", "run") == 0
        assert "1,000 games" in capsys.readouterr().out

    def test_without_a_folder_nothing_stays(self, tmp_path):
        assert simulate("--games", "100", "--players", "2") == 0
        assert not list(tmp_path.iterdir())

    def test_line_ups(self, capsys):
        assert simulate("--games", "90", "--lineup", "bold,random,bold@0.5", "--rotate") == 0
        assert "bold@0.5" in capsys.readouterr().out
        assert simulate("--games", "90", "--pool", "bold,random", "--players", "2,3") == 0

    @pytest.mark.parametrize("form", ["md", "csv", "json"])
    def test_table(self, form, capsys):
        simulate("--games", "300", "--out", "run")
        capsys.readouterr()
        words = ["table", "run", "--by", "players,policy", "--format", form, "--margin", "5"]
        assert cli.main(words) == 0
        told = capsys.readouterr()
        assert told.err == ""
        if form == "md":
            assert told.out.startswith("(rotation; margin ±5 pp)\n\n|")
        else:
            assert "games" in told.out.splitlines()[0] or form == "json"
        if form == "json":
            rows = json.loads(told.out)
            assert {"policy", "rate", "lo", "hi", "games", "verdict"} <= set(rows[0])

    def test_report_of_a_title_then_again_then_of_its_run(self, capsys, tmp_path):
        assert cli.main(["report", "toy", "--games", "600", "--jobs", "1"]) == 0
        told = capsys.readouterr()
        *_, kept, last = told.out.splitlines()
        page = Path(last)
        kept = kept.removeprefix("run: ")
        assert re.fullmatch("reports/out/toy/runs/[0-9a-f]{8}", kept)
        assert page == Path("reports/out/toy/index.html")
        assert page.is_file()
        first = page.read_text()
        assert cli.main(["report", "toy", "--games", "600", "--jobs", "2"]) == 0
        cut = '<footer id="timing">'
        assert page.read_text().partition(cut)[0] == first.partition(cut)[0]
        stored = json.loads((page.parent / "report.json").read_text())
        capsys.readouterr()
        assert stored["run"]["folder"] == kept
        for item in stored["replay"]:
            assert item["command"].startswith(f"tenbin trace {kept} ")
            assert cli.main(item["command"].split()[1:]) == 0
        assert cli.main(["report", kept, "--lang", "ja", "--out", "ja"]) == 0
        assert 'lang="ja"' in Path("ja/index.html").read_text()

    @pytest.mark.parametrize("out", [[], ["--out", "page"]])
    def test_a_report_of_anything_else_keeps_the_runs_before(self, out, capsys):
        words = ["report", "toy", "--games", "600", "--jobs", "1", "--no-studies", *out]
        folder = Path(out[1] if out else "reports/out/toy")
        page, runs = folder / "index.html", folder / "runs"

        def report(*more: str, replaces: bool = False) -> str:
            assert cli.main([*words, *more]) == 0
            told = capsys.readouterr()
            assert ("which this one replaces" in told.err) is replaces
            assert told.err.count("tenbin: ") == replaces
            return next(x for x in told.out.splitlines() if x.startswith("run: ")).split("/")[-1]

        first = report()
        text = page.read_bytes().partition(b'<footer id="timing">')[0]
        other = report("--seed", "2")
        changed = report("--set", "target=30", replaces=bool(out))
        fewer_players = report("--players", "2", replaces=bool(out))
        assert len({first, other, changed, fewer_players}) == 4
        assert report("--games", "900", replaces=True) == first  # the run has grown
        fewer = report(replaces=True)
        assert fewer == f"{first}-600"
        # Without --out, the page of changed rules has a folder of its own.
        there = {first, fewer, other, fewer_players, *([changed] if out else [])}
        assert {path.name for path in runs.iterdir()} == there
        assert json.loads((folder / "report.json").read_text())["run"]["games"] == 600
        again = page.read_bytes().partition(b'<footer id="timing">')[0]
        assert again.replace(fewer.encode(), first.encode()) == text
        assert report() == fewer

    def test_a_run_has_its_own_options(self, capsys):
        simulate("--games", "300", "--out", "run")
        capsys.readouterr()
        assert cli.main(["report", "./run", "--games", "10", "--seed", "4"]) == 2
        assert "--games, --seed" in capsys.readouterr().err
        assert cli.main(["trace", "./run", "--game", "0", "--set", "target=3"]) == 2
        assert "--set" in capsys.readouterr().err

    def test_trace(self, capsys):
        simulate("--games", "300", "--out", "run")
        capsys.readouterr()
        assert cli.main(["trace", "run", "--game", "0", "--format", "jsonl"]) == 0
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert events[0]["event"] == "setup"
        assert events[-1]["event"] == "end"
        words = ["--lineup", "bold,random", "--seed", "7", "--format", "jsonl"]
        assert cli.main(["trace", "toy", "--game", "3", *words]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[0])["seed"] == 7
        assert cli.main(["trace", "run", "--game", "999999"]) == 2
        assert "there is no game 999999: games are numbered 0 to" in capsys.readouterr().err
        assert cli.main(["trace", "run", "--game", "0"]) == 0
        assert capsys.readouterr().out.startswith("toy, seed 1, game 0: ")

    def test_bench(self, capsys):
        assert cli.main(["bench", "toy", "--games", "40", "--repeats", "1"]) == 0
        out = capsys.readouterr().out
        assert "games/s" in out
        assert len(out.splitlines()) == 5

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("simulat", "did you mean 'simulate'"),
            ("simulate", "Missing argument"),
            ("simulate toy", "--games"),
            ("simulate toy --games many", "20k"),
            ("simulate toy --games 0", "at least 1"),
            ("simulate toy --games " + 5000 * "9", "fewer than 10^18"),
            ("simulate toy --games 999_999_999_999M", "ask for fewer games"),
            ("table nowhere --level nan", "not a finite number"),
            ("table nowhere --margin nan", "not a finite number"),
            ("table nowhere --margin inf", "not a finite number"),
            ("simulate toy --games 10 --players two", "whole numbers"),
            ("simulate toy --games 10 --players 9", "not played by 9"),
            ("simulate tyo --games 10", "did you mean 'toy'"),
            ("simulate toy --games 10 --lineup bold,blod", "did you mean 'bold'"),
            ("simulate toy --games 10 --lineup bold,,bold", "empty entry"),
            ("simulate toy --games 10 --set target", "target"),
            ("simulate toy --games 10 --set trget=3", "did you mean 'target'"),
            ("simulate toy --games 10 --rules missing.toml", "missing.toml"),
            ("simulate toy --games 10 --keep all", "--keep"),
            ("table nowhere", "nowhere"),
            ("report nowhere/run", "nowhere/run"),
            ("trace nowhere/run --game 1", "nowhere/run"),
            ("report tyo", "did you mean 'toy'"),
        ],
    )
    def test_bad_input_is_two_with_one_message(self, words, said, capsys):
        assert cli.main(words.split()) == 2
        told = capsys.readouterr()
        assert said in told.err
        assert told.err.startswith("tenbin: ")
        assert "Traceback" not in told.err
        assert told.out == ""

    def test_unknown_keys_and_designs(self, capsys):
        simulate("--games", "100", "--out", "run")
        capsys.readouterr()
        assert cli.main(["table", "run", "--by", "players,polcy"]) == 2
        assert "did you mean 'policy'" in capsys.readouterr().err
        assert cli.main(["table", "run", "--by", "seat"]) == 2
        assert "add 'players'" in capsys.readouterr().err
        assert cli.main(["table", "run", "--by", "seat", "--pooled"]) == 0
        assert cli.main(["table", "run", "--by", "players,seat,seat"]) == 2
        assert "given twice: seat" in capsys.readouterr().err
        assert cli.main(["table", "run", "--design", "fixed"]) == 2
        assert "there is mirror, rotation, pool" in capsys.readouterr().err

    def test_a_mistyped_run_and_a_report_instead_of_its_run(self, capsys):
        simulate("--games", "100", "--out", "runs/three")
        capsys.readouterr()
        for words in (["table", "runs/tree"], ["trace", "runs/tree", "--game", "0"]):
            assert cli.main(words) == 2
            told = capsys.readouterr().err
            assert "there is no 'runs/tree'; did you mean 'runs/three'?" in told
        Path("page").mkdir()
        Path("page/report.json").write_text("{}")
        assert cli.main(["table", "page"]) == 2
        assert "the runs behind it are in page/runs" in capsys.readouterr().err

    def test_a_table_of_what_was_chosen_from_sums_alone(self, capsys):
        simulate("--games", "600", "--keep", "sums", "--out", "sums")
        simulate("--games", "600", "--keep", "rows", "--out", "rows")
        capsys.readouterr()
        words = ["--by", "camp", "--pooled", "--format", "csv"]
        assert cli.main(["table", "sums", *words]) == 0
        told = capsys.readouterr().out
        assert [line.split(",")[0] for line in told.splitlines()] == ["camp", "sun", "moon", "sea"]
        assert cli.main(["table", "rows", *words]) == 0
        assert capsys.readouterr().out == told
        assert cli.main(["table", "sums", "--by", "camp"]) == 2
        assert "add 'players'" in capsys.readouterr().err
        assert cli.main(["table", "sums", "--by", "players,camp,seat"]) == 2
        assert "kept sums only" in capsys.readouterr().err

    def test_a_table_is_that_of_the_summary(self, capsys):
        simulate("--games", "900", "--players", "3", "--out", "run")
        told = capsys.readouterr().out
        for by in ("players,seat", "players,policy"):
            assert cli.main(["table", "run", "--by", by]) == 0
            head, _, rates = capsys.readouterr().out.partition("\n\n")
            assert f"{head}\n\n{rates.strip()}" in told

    def test_one_line_up_in_fixed_seats_is_not_judged(self, capsys):
        assert simulate("--games", "2k", "--lineup", "bold,random", "--out", "run") == 0
        told = capsys.readouterr().out
        assert "(fixed)" in told
        assert "balanced" not in told
        assert cli.main(["table", "run"]) == 0
        assert "balanced" not in capsys.readouterr().out

    def test_a_change_of_nothing_is_told(self, capsys):
        value = sim.load(TOY).values["target"]
        assert simulate("--games", "100", "--set", f"target={value}") == 0
        assert capsys.readouterr().err == (f"tenbin: target is {value} already: nothing changed\n")
        assert simulate("--games", "100", "--set", f"target={value + 1}") == 0
        assert "nothing changed" not in capsys.readouterr().err

    def test_debug_shows_where(self, capsys):
        assert cli.main(["--debug", "simulate", "tyo", "--games", "3"]) == 2
        assert "Traceback" in capsys.readouterr().err
        assert cli.main(["simulate", "tyo", "--games", "3", "--debug"]) == 2
        assert "Traceback" in capsys.readouterr().err

    def test_a_folder_that_cannot_be_written_is_four(self, capsys, tmp_path):
        (tmp_path / "file").write_text("")
        code = simulate("--games", "10", "--out", "file/run")
        assert code in {2, 4}
        assert "file" in capsys.readouterr().err

    def test_what_nobody_foresaw_is_seventy(self, capsys, monkeypatch):
        def break_down(*_, **__):
            raise ZeroDivisionError("oh")

        monkeypatch.setattr(sim, "simulate", break_down)
        assert simulate("--games", "10") == 70
        assert "ZeroDivisionError: oh" in capsys.readouterr().err

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), InterruptedRunError("go on")])
    def test_interrupted_is_130_and_says_how_to_go_on(self, error, capsys, monkeypatch):
        def interrupt(*_, **__):
            raise error

        monkeypatch.setattr(sim, "simulate", interrupt)
        assert simulate("--games", "10") == 130
        assert "go on" in capsys.readouterr().err


README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_what_the_readme_changes_is_a_change():
    shown = re.findall(r"^tenbin \w+ (\w+) .*?--set (\S+=\S+)", README, flags=re.MULTILINE)
    assert len(shown) >= 2
    for title, change in shown:
        assert sim.load(title, overrides=change).hash != sim.load(title).hash, change


def test_the_readme_has_a_row_for_every_title():
    from sim.titles import TITLES

    rows = README.partition("## Titles")[2].partition("\n## ")[0].splitlines()
    names = [row.split("|")[1].strip() for row in rows if row.startswith("| ")][2:]
    assert sorted(names) == sorted(TITLES)


def test_no_words_show_the_help(capsys):
    assert cli.main([]) == 2
    assert "simulate" in capsys.readouterr().out


def test_a_reader_that_leaves_is_no_error():
    read, write = os.pipe()
    os.close(read)
    got = subprocess.run(
        [sys.executable, "-c", "import sys; from analysis.cli import main; sys.exit(main())",
         "titles"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        env=ENV,
    )  # fmt: skip
    os.close(write)
    assert (got.returncode, got.stderr) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="closes streams by a shell")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("titles >&-", 4, "stdout is closed"),
        ("titles 2>&-", 0, ""),
        ("nothing 2>&-", 2, ""),
        ("titles >&- 2>&-", 4, ""),
        ("titles > /dev/full", 4, "No space left"),
        ("--help > /dev/full", 4, "No space left"),
        ("titles > /dev/full 2> /dev/full", 4, ""),
    ],
)
def test_streams_that_are_closed_or_full(words, code, said):
    if "/dev/full" in words and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    program = "import sys; from analysis.cli import main; sys.exit(main())"
    got = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -c "$1" {words}', sys.executable, program],
        capture_output=True,
        text=True,
        env=ENV,
    )
    assert got.returncode == code, got.stderr
    assert said in got.stderr
    assert "Traceback" not in got.stderr
    assert "Exception ignored" not in got.stderr


@pytest.mark.skipif(os.name != "posix", reason="removes the working folder")
def test_a_working_folder_that_is_gone(tmp_path):
    (tmp_path / "gone").mkdir()
    program = (
        "import os, sys\nfrom analysis.cli import main\nos.rmdir(os.getcwd())\nsys.exit(main())\n"
    )
    words = ["simulate", "granmagia", "--games", "4", "--players", "2", "--jobs", "1"]
    got = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True, text=True, env=ENV, cwd=tmp_path / "gone",
    )  # fmt: skip
    assert (got.returncode, got.stderr) == (0, "")


class Terminal:
    """A stderr that says that it is a terminal, and remembers."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def test_a_bar_appears_on_a_terminal_only_and_only_for_long_work(monkeypatch):
    from analysis import console

    with console.progress("toy") as quiet:
        assert quiet is None
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with console.progress("toy") as bar:
        bar(0, 100)
        bar(100, 100)
    assert terminal.text == ""
    monkeypatch.setattr(console, "PATIENCE_S", 0.0)
    with console.progress("toy") as bar:
        bar(0, 1000)
        bar(400, 1000)
    assert "games/s" in terminal.text
    assert "left" in terminal.text


def test_long_reading_shows_that_it_goes_on(monkeypatch):
    from time import sleep

    from analysis import console

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with console.waiting("reading"):
        pass
    assert terminal.text == ""
    monkeypatch.setattr(console, "PATIENCE_S", 0.0)
    with console.waiting("reading runs/three"):
        for _ in range(100):
            if "reading runs/three" in terminal.text:
                break
            sleep(0.05)
    assert "reading runs/three" in terminal.text


def test_a_measurement_is_not_disturbed_by_its_bar(monkeypatch):
    from analysis import console

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(console, "PATIENCE_S", 0.0)
    with console.progress("bench", "player counts", alive=False) as bar:
        bar(0, 3)
        bar(1, 3)
    assert "player counts" in terminal.text
