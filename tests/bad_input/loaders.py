"""What reads files of others: each a function that is given one file, with a good one to spoil."""

from __future__ import annotations

import contextlib
import importlib
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import sim
from analysis import cli
from analysis.spec import read_spec
from sim.core import ruleset, toml_source
from sim.run.api import find_title
from sim.titles import TITLES

#: It raises an error of the project, or :class:`RefusedError`, when it does not take the file.
Loader = Callable[[Path], object]


class RefusedError(Exception):
    """A command failed: its exit code, and its message."""

    def __init__(self, code: int, said: str) -> None:
        self.exit_code = code
        super().__init__(said)


def forget() -> None:
    """Empty what is kept of files that were read."""
    toml_source.parse_toml.cache_clear()
    ruleset._loaded.clear()


def run(*words: str) -> None:
    """Run a command."""
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        code = cli.main(["--debug", *words])
    if code not in (0, 1):
        told = said.getvalue()
        raise RefusedError(code, told if code == 70 else told[told.rindex("tenbin: ") :])


def play(title: str, policies: list[str], **more) -> None:
    """Play a few games in the kernel and one of them in the reference engine: they must agree."""
    found, rules = find_title(title), sim.load(title, **more)
    brought = f":{found.loadouts(rules)[0].id}" if found.loadouts else ""
    for policy in policies:
        lineup = min(found.info.players) * [policy + brought]
        run = sim.simulate(title, games=3, lineup=lineup, jobs=1, **more)
        told = sim.trace(title, games=3, game=1, lineup=lineup, **more).result
        row = run.games.row(1, named=True)
        shares = run.seats.filter(run.seats["game"] == row["game"])["win60"].to_list()
        same = row["rounds"] == told.game["rounds"] and shares == [s["win60"] for s in told.seats]
        assert same, "the engines differ"


def overlay(title: str) -> Loader:
    return lambda file: play(title, ["random"], rules=file)


def policy(title: str) -> Loader:
    return lambda file: play(title, [str(file)])


def data(title: str, name: str) -> Loader:
    """Read one of the title's own data files, the others as they are."""

    def read(file: Path) -> None:
        module = importlib.import_module(f"sim.titles.{title}")
        folder = file.parent / "data"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for other in module.DATA.glob("*.toml"):
            shutil.copy(other, folder)
        shutil.copy(file, folder / name)
        with mock.patch.object(module, "DATA", folder):
            play(title, ["random"])

    return read


def spec(file: Path) -> None:
    """Read a spec of a report, and lay out what it would play."""
    read = read_spec(file)
    rules = {"rules": read.rules, "overrides": read.set}
    sim.load(read.title, **rules)
    sim.make_plan(read.title, games=read.games, players=read.players or None, **rules)


def decks(file: Path) -> None:
    run("decks", "check", "majestic", str(file))


def good_files() -> dict[str, tuple[Loader, bytes]]:
    """Return each loader with a good file, by what it is."""
    found: dict[str, tuple[Loader, bytes]] = {}
    for title in TITLES:
        home = find_title(title).data
        for file in sorted(home.glob("*.toml")):
            raw = file.read_bytes()
            if file.name == "report.toml":
                found[f"spec of {title}"] = (spec, f'title = "{title}"\n'.encode() + raw)
                continue
            found[f"{file.name} of {title}"] = (data(title, file.name), raw)
            found[f"{file.name} of {title}, laid over"] = (overlay(title), raw)
        for file in sorted((home / "policies").glob("[!_]*.toml")):
            found[f"policy {file.stem} of {title}"] = (policy(title), file.read_bytes())
    majestic = sim.load("majestic").values
    deck = majestic["decks"]["ember_rush"]
    names = {**majestic["cards"], **majestic["mana"], **majestic["sorcerers"]}
    lines = [f"Sorcerer: {names[deck['sorcerer']]['label']['en']}"]
    for part in ("main", "mana"):
        lines += [f"{n} {names[one]['label']['ja']}" for one, n in deck[part].items() if n]
    found["list of cards"] = (decks, "\n".join(lines).encode())
    return found
