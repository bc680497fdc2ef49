"""Runs that cannot be written or finished: one message, the exit code, and nothing is lost.

*Lost* would be games: afterwards the same command must finish to the bytes of a run that nothing
happened to.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sim
from analysis import cli
from tests.bad_input.helpers import PROGRAM, ROOT, RUN, one_message, start
from tests.run.helpers import promised_bytes
from tests.run.toy_title import TOY

STORE = Path("run")
GO_ON = "give the same command again to go on"


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    from sim import titles

    monkeypatch.setattr(titles, "TITLES", ("toy",))
    monkeypatch.setattr(titles, "load", lambda name: TOY)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The run that nothing happened to."""
    path = tmp_path_factory.mktemp("whole")
    sim.simulate(TOY, games=1201, keep="both", jobs=1, out=path)
    return path


@pytest.fixture
def store(whole) -> Path:
    return Path(shutil.copytree(whole, STORE))


def finishes_as(whole: Path, capsys) -> str:
    """Give the same command again; return what it said on stderr."""
    capsys.readouterr()
    assert cli.main(RUN) == 0
    assert promised_bytes(STORE) == promised_bytes(whole)
    assert cli.main(["table", "run"]) == 0
    return capsys.readouterr().err


def test_an_unwritable_folder(refused, tmp_path):
    # Modes do not stop root, who runs tests in containers.
    Path("file").write_text("mine")
    assert refused(*RUN[:-1], "file") == "file is a file, and a run needs a folder"
    below = refused(*RUN[:-1], "file/run", code=4)
    assert below.startswith("cannot read file/run: Not a directory") or "write to" in below
    nowhere = refused(*RUN[:-1], "/proc/run", code=4)
    assert nowhere.startswith("cannot write to /proc/run: ")
    assert "choose another folder" in nowhere
    assert "File name too long" in refused(*RUN[:-1], 300 * "a", code=4)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
    assert Path("file").read_text() == "mine"


def test_a_history_of_benchmarks_that_cannot_be_written(refused):
    words = ("bench", "toy", "--games", "40", "--repeats", "1", "--players", "2", "--history")
    assert refused(*words, "no/such.csv", code=4).startswith("cannot write to no/such.csv: ")
    Path("binary").write_bytes(b"\xff")
    assert "is no history of benchmarks" in refused(*words, "binary")


def test_a_folder_that_holds_something_else(refused):
    STORE.mkdir()
    (STORE / "thesis.txt").write_text("years of work")
    assert "holds other things (thesis.txt); choose an empty or new folder" in refused(*RUN)
    assert [file.name for file in STORE.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--seed", "2"), "holds another run: seed is 1 there and 2 here; choose another folder"),
        (("--set", "target=40"), "holds another run: "),
        (("--games", "600"), "is a run of 1,201 games, and 600 were asked for"),
    ],
)
def test_a_store_of_another_run(refused, store, whole, more, said, capsys):
    assert said in refused(*RUN, *more)
    assert promised_bytes(store) == promised_bytes(whole)
    assert finishes_as(whole, capsys) == ""


def harm(store: Path, part: str) -> Path:
    file = sorted((store / part).iterdir())[1]
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("part", ["games", "seats", "sums/wins", "shards"])
def test_a_broken_shard(refused, store, whole, part, capsys):
    key = harm(store, part).name.partition(".")[0]
    for words in (["table", "run"], ["report", "./run"], ["trace", "./run", "--game", "0"]):
        told = refused(*words, code=4)
        assert told.startswith("the run in run is not finished or damaged (")
        assert "give its command again to go on" in told
    said = finishes_as(whole, capsys)
    assert f"shard {key} of run: " in one_message(said)
    assert "set aside in run/set-aside/001 and played again" in said


def test_a_locked_store(refused, store, whole, capsys):
    holder = os.open(store / ".lock", os.O_RDWR)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        told = refused(*RUN, code=4)
        assert told.startswith("another process is writing to run; wait for it")
        assert cli.main(["table", "run"]) == 0  # reading needs no lock
    finally:
        os.close(holder)
    assert finishes_as(whole, capsys) == ""


# --- a manifest that was edited by hand -----------------------------------------------------------

PATHS = [
    ("games",),
    ("identity",),
    ("identity", "seed"),
    ("identity", "cut"),
    ("identity", "cut", "shard_batches"),
    ("identity", "plan", 0, "design"),
    ("identity_hash",),
    ("sources",),
    ("sources", "overlays"),
    ("sources", "overlays", 0),
    ("sources", "overrides"),
    ("sources", "policies"),
    ("shown",),
    ("shown", "score_range"),
    ("shown", "columns", 0),
    ("shown", "policies"),
    ("shown", "rules"),
]


@pytest.mark.parametrize("value", [None, -1, 1.5, "x", [], [[1]], {"a": 1}, True, 10**30])
def test_an_edited_manifest(value, capsys):
    Path("mine.toml").write_text("target = 45\n")
    own = shutil.copy(TOY.data / "policies/keen.toml", "own.toml")
    words = [*RUN[:2], "--games", "60", "--lineup", f"{own},bold", "--rules", "mine.toml"]
    words += ["--set", "limits.round_cap=9", "--jobs", "1", "--out", "run"]
    assert cli.main(words) == 0
    stored = (STORE / "manifest.json").read_text()
    for *around, last in PATHS:
        edited = json.loads(stored)
        table = edited
        for key in around:
            table = table[key]
        if value == [] and last in ("overlays", "overrides"):
            continue  # another run's, as its rules will say
        table[last] = value
        (STORE / "manifest.json").write_text(json.dumps(edited))
        for command in (["table", "run"], ["trace", "./run", "--game", "0"], words):
            capsys.readouterr()
            code = cli.main(command)
            told = capsys.readouterr()
            assert code == 2, (around, last, told)
            assert "manifest.json is damaged: " in one_message(told.err)
    (STORE / "manifest.json").write_text(stored)
    assert cli.main(words) == 0


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b"null", 10_000 * b"[", b'{"format": 2}'])
def test_files_of_a_store_that_are_no_json(refused, store, whole, content, capsys):
    entry = sorted(store.glob("shards/*.json"))[1]
    entry.write_bytes(content)
    assert "(12 of 13 shards are whole)" in refused("table", "run", code=4)
    assert "its entry is damaged" in finishes_as(whole, capsys)
    (store / "manifest.json").write_bytes(content)
    for words in (RUN, ("table", "run"), ("report", "./run")):
        told = refused(*words)
        assert "cannot be read" in told or "has store format" in told or "is damaged" in told


def test_a_manifest_cannot_write_elsewhere(refused, tmp_path, capsys):
    """Bases of policies are written to files when a run is told again: to none outside."""
    own = shutil.copy(TOY.data / "policies/keen.toml", "own.toml")
    words = [*RUN[:2], "--games", "60", "--lineup", f"{own},bold", "--jobs", "1", "--out", "run"]
    assert cli.main(words) == 0
    capsys.readouterr()
    for name in (f"{tmp_path}/_taken", "_/../../_taken", "../_taken", "policy"):
        edited = json.loads((STORE / "manifest.json").read_text())
        edited["sources"]["policies"][own]["bases"] = {name: "about = 'x'"}
        (STORE / "manifest.json").write_text(json.dumps(edited))
        assert "manifest.json is damaged" in refused("trace", "./run", "--game", "0")
    assert not list(tmp_path.rglob("*_taken*"))


# --- runs that are cut short ----------------------------------------------------------------------


def workers(group: int) -> list[str]:
    """Return the processes of a group that are still there, but for those that ended."""
    listed = subprocess.run(
        ["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = [line.split(None, 2) for line in listed]
    return [row[2] for row in rows if row[0] == str(group) and not row[1].startswith("Z")]


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_request_to_terminate(whole, number, backend, capsys):
    process = start(
        *RUN, "--backend", backend, program="import os; os.setsid()\n" + PROGRAM, TOY_DELAY="0.02"
    )
    while process.poll() is None and len(list(STORE.glob("shards/0*.json"))) < 2:
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert one_message(err) == f"interrupted; what is finished stays in run; {GO_ON}"
    for _ in range(200):
        if not workers(process.pid):
            break
        time.sleep(0.05)
    assert workers(process.pid) == []
    assert cli.main(["table", "run"]) == 4
    assert finishes_as(whole, capsys) == ""


def test_a_dead_worker(whole, capsys):
    process = start(*RUN, "--backend", "processes", TOY_DIE_AT="24")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (4, "")
    assert one_message(err) == f"a worker process died; what is finished stays: {GO_ON}"
    assert finishes_as(whole, capsys) == ""


def test_files_that_cannot_grow(whole, capsys):
    """A limit on the size of files fails in the same place as a full disk."""
    largest = max(file.stat().st_size for file in whole.rglob("*.parquet"))
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, {2 * (largest - 1,)})\n"
    process = start(*RUN, program=limit + PROGRAM)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (4, "")
    told = one_message(err)
    assert told.startswith("cannot write to run: ")
    assert f"what is finished stays: {GO_ON}" in told
    assert finishes_as(whole, capsys) == ""


#: Runs on a disk that is full after a while, then gives it room, and runs again.
FULL_DISK = """
set -e
mkdir disk
mount -t tmpfs -o size=96k none disk
code=0
"$0" -c "$1" {run} disk/run || code=$?
test -s disk/run/manifest.json
mount -o remount,size=9m disk
"$0" -c "$1" {run} disk/run
cp -r disk/run run
exit $code
"""


def test_a_full_disk(whole, capsys):
    own = ["unshare", "--user", "--map-root-user", "--mount"]
    allowed = (
        shutil.which("unshare")
        and not subprocess.run(
            [*own, "sh", "-c", "mount -t tmpfs none /mnt"], capture_output=True
        ).returncode
    )
    if not allowed:
        pytest.skip("no disk of one's own can be made here")
    got = subprocess.run(
        [*own, "sh", "-c", FULL_DISK.format(run=" ".join(RUN[:-1])), sys.executable, PROGRAM],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert got.returncode == 4, got.stderr
    told = one_message(got.stderr)
    assert told.startswith("cannot write to disk/run: No space left on device; ")
    assert f"what is finished stays: free some space and {GO_ON}" in told
    assert finishes_as(whole, capsys) == ""
