"""The same bytes for any workers, any backend and after any interruption."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import sim
from sim.errors import BAD_LAYOUT, CannotFinishError, EngineError, InputError, UnknownNameError
from sim.run import runner
from sim.run.plan import STRIDE
from tests.run.helpers import promised_bytes
from tests.run.toy_title import TOY

ROOT = Path(__file__).parents[2]
GROUPS = ("core", "cards", "series")
GAMES = 3001


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("undisturbed")
    sim.simulate(TOY, games=GAMES, jobs=1, keep="both", collect=GROUPS, out=path)
    return path


def child(out: Path, *, games: int = GAMES, backend: str = "threads", **environment: str):
    command = [sys.executable, "-m", "tests.run.toy_title", str(out), str(games), "2", backend]
    return subprocess.Popen(
        [*command, "both"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_shards(process: subprocess.Popen[str], out: Path, count: int) -> None:
    while process.poll() is None and len(list(out.glob("shards/0*.json"))) < count:
        time.sleep(0.01)


@pytest.mark.parametrize(("jobs", "backend"), [(4, "threads"), (2, "processes")])
def test_bytes_do_not_depend_on_workers(undisturbed, tmp_path, jobs, backend):
    sim.simulate(
        TOY, games=GAMES, jobs=jobs, backend=backend, keep="both", collect=GROUPS, out=tmp_path
    )
    assert promised_bytes(tmp_path) == promised_bytes(undisturbed)


def test_bytes_do_not_depend_on_windows(undisturbed, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "_WINDOW", 2000)
    sim.simulate(TOY, games=GAMES, jobs=2, keep="both", collect=GROUPS, out=tmp_path)
    assert promised_bytes(tmp_path) == promised_bytes(undisturbed)


def test_kill_9_at_random_moments_and_the_same_command_again(undisturbed, tmp_path):
    chance = random.Random(5)
    total = len(list(undisturbed.glob("shards/*.json")))
    assert total > 15
    killed = 0
    for share in (0.0, 0.2, 0.5, 0.8):
        process = child(tmp_path, TOY_DELAY="0.004")
        wait_for_shards(process, tmp_path, int(share * total))
        time.sleep(chance.uniform(0, 0.1))
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        process.communicate()
    assert killed >= 3
    run = sim.simulate(TOY, games=GAMES, keep="both", collect=GROUPS, out=tmp_path)
    assert promised_bytes(tmp_path) == promised_bytes(undisturbed)
    assert not run.notices  # what a killed process leaves is no damage
    assert not list(tmp_path.rglob("*.tmp"))
    assert run.provenance["resources"]["sessions"] >= 1


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(undisturbed, tmp_path, backend):
    process = child(tmp_path, backend=backend, TOY_DELAY="0.01")
    wait_for_shards(process, tmp_path, 2)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == (
        f"interrupted; what is finished stays in {tmp_path}; give the same command again to go on\n"
    )
    assert len(list(tmp_path.glob("shards/*.json"))) >= 2
    with pytest.raises(CannotFinishError, match="is not finished"):
        sim.open_run(tmp_path)
    sim.simulate(TOY, games=GAMES, keep="both", collect=GROUPS, out=tmp_path)
    assert promised_bytes(tmp_path) == promised_bytes(undisturbed)


def test_a_dead_worker_is_told_and_the_run_goes_on(undisturbed, tmp_path):
    process = child(tmp_path, backend="processes", TOY_DIE_AT="24")
    _, told = process.communicate(timeout=120)
    assert process.returncode == 4
    assert "a worker process died" in told
    assert "Traceback" not in told
    sim.simulate(TOY, games=GAMES, keep="both", collect=GROUPS, out=tmp_path)
    assert promised_bytes(tmp_path) == promised_bytes(undisturbed)


def test_a_full_disk_is_told_and_the_run_goes_on(undisturbed, tmp_path):
    # A limit on the size of files fails in the same place as a full disk.
    largest = max(file.stat().st_size for file in undisturbed.rglob("*.parquet"))
    process = child(tmp_path, TOY_FILE_SIZE=str(largest - 1))
    _, told = process.communicate(timeout=120)
    assert process.returncode == 4
    assert "cannot write to" in told
    assert "give the same command again" in told
    sim.simulate(TOY, games=GAMES, keep="both", collect=GROUPS, out=tmp_path)
    assert promised_bytes(tmp_path) == promised_bytes(undisturbed)


@pytest.mark.parametrize("keep", ["rows", "sums"])
def test_an_extended_run_is_a_larger_run(tmp_path, keep):
    for number, games in enumerate((200, 201, 1500)):
        sim.simulate(TOY, games=games, keep=keep, collect=GROUPS, out=tmp_path / "extended")
        fresh = tmp_path / str(number)
        sim.simulate(TOY, games=games, keep=keep, collect=GROUPS, out=fresh)
        assert promised_bytes(tmp_path / "extended") == promised_bytes(fresh)


@pytest.mark.parametrize("keep", ["rows", "sums"])
def test_an_extension_plays_only_what_is_new(tmp_path, keep):
    told: list[int] = []
    sim.simulate(TOY, games=2000, keep=keep, out=tmp_path)
    run = sim.simulate(
        TOY, games=2400, keep=keep, out=tmp_path, progress=lambda done, _: told.append(done)
    )
    assert told[0] == 2000
    log = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["games"] for line in log if '"end"' in line] == [2000, 400]
    assert run.provenance["resources"]["games_played"] == 2400


def test_more_games_of_a_larger_run_leave_its_full_shards_alone(tmp_path):
    sim.simulate(TOY, games=1000, lineup="bold,calm", out=tmp_path)
    before = {file: file.stat().st_mtime_ns for file in tmp_path.glob("games/*")}
    sim.simulate(TOY, games=1900, lineup="bold,calm", out=tmp_path)
    touched = [file.name for file, then in before.items() if file.stat().st_mtime_ns != then]
    assert touched == [max(file.name for file in before)]


def test_a_game_depends_on_its_address_alone():
    alone = sim.simulate(TOY, games=30, lineup="bold,calm,keen", rotate=True, seed=9)
    rows = alone.scan_seats().join(alone.scan_games(), on="game").collect()
    for index, cell in enumerate(alone.plan.cells):
        mine = rows.filter(pl.col("cell") == index).sort("deal", "seat")
        fixed = sim.simulate(TOY, games=10, lineup=cell.lineup, seed=9)
        assert fixed.seats["score"].to_list() == mine["score"].to_list()


def test_rows_of_a_rotation_are_ordered_by_deal_then_rotation():
    run = sim.simulate(TOY, games=30, lineup="bold,calm,keen", rotate=True)
    games = run.games
    assert games["deal"].to_list() == [deal for deal in range(10) for _ in range(3)]
    assert games["cell"].to_list() == [0, 1, 2] * 10
    assert games["game"].to_list() == [c * STRIDE + d for d in range(10) for c in range(3)]
    assert run.seats["seat"].to_list() == [1, 2, 3] * 30
    assert run.seats["policy"][:9].to_list() == [
        "bold", "calm", "keen", "calm", "keen", "bold", "keen", "bold", "calm"
    ]  # fmt: skip


def test_a_pool_draws_from_the_line_up_stream():
    from sim.core._rng import draw_lineups, make_key

    pool = ("calm", "keen", "bold")
    run = sim.simulate(TOY, games=100, players=3, pool=pool, seed=4)
    drawn = draw_lineups(make_key(4), 0, 100, 3, 3)
    assert run.seats["policy"].to_list() == [pool[place] for place in drawn.reshape(-1)]


def test_bans_reach_the_kernel():
    free = sim.simulate(TOY, games=50, lineup="bold,bold")
    barred = sim.simulate(TOY, games=50, lineup="bold,bold", bans={2: ["hard"]})
    first = [run.seats.filter(pl.col("seat") == 1)["score"].sum() for run in (free, barred)]
    second = [run.seats.filter(pl.col("seat") == 2)["score"].sum() for run in (free, barred)]
    assert second[1] < second[0]
    assert first[1] > 0
    assert free.identity != barred.identity
    with pytest.raises(UnknownNameError, match="did you mean 'hard'"):
        sim.simulate(TOY, games=50, lineup="bold,bold", bans={2: ["hart"]})
    with pytest.raises(InputError, match="seat 5"):
        sim.simulate(TOY, games=50, lineup="bold,bold", bans={5: ["hard"]})


def test_a_kernel_that_stops_is_told_with_the_game(tmp_path):
    with pytest.raises(EngineError) as caught:
        sim.simulate(
            TOY,
            games=60,
            lineup="bold,calm,keen",
            rotate=True,
            overrides=["fail_deal=7"],
            out=tmp_path,
        )
    assert str(caught.value) == (
        f"toy, cell 2, deal 7 (game {2 * STRIDE + 7}): no set-up that satisfies the constraints "
        "was found within the allowed number of attempts; change the rules that lead there"
    )
    assert caught.value.exit_code == 2
    assert EngineError(BAD_LAYOUT, "toy").exit_code == 70


def test_progress_is_told_in_games():
    told: list[tuple[int, int]] = []
    sim.simulate(TOY, games=500, jobs=1, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 500)
    assert told[-1] == (500, 500)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"backend": "thread"}, "unknown backend 'thread'; did you mean 'threads'"),
        ({"keep": "row"}, "did you mean 'rows'"),
        ({"collect": ("core", "card")}, "did you mean 'cards'"),
        ({"jobs": 0}, "jobs must be at least 1, not 0"),
        ({"seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"seed": 1.5}, "seed must be a whole number from 0, not 1.5"),
        ({"games": None}, "say how many games"),
    ],
)
def test_arguments_that_are_refused(arguments, message):
    with pytest.raises(InputError) as caught:
        sim.simulate(TOY, **{"games": 10, **arguments})
    assert message in str(caught.value)


def play_without_a_package(*_):
    import a_package_that_nobody_has  # noqa: F401


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_what_a_kernel_lacks_is_not_called_the_backend(backend):
    title = replace(TOY, play=play_without_a_package)
    with pytest.raises(ModuleNotFoundError, match="a_package_that_nobody_has"):
        sim.simulate(title, games=10, jobs=2, backend=backend)


def test_only_a_backends_own_packages_are_called_not_installed():
    for backend, name, told in [
        ("dask", "distributed", True),
        ("ray", "ray.util.joblib", True),
        ("ray", "rayon", False),
        ("dask", "ray", False),
        ("threads", "dask", False),
    ]:
        error = ImportError("no such thing", name=name)
        wrapped = ImportError("install it")
        wrapped.__cause__ = error
        for raised in (error, wrapped):
            with pytest.raises(InputError if told else ImportError), runner._told(backend):
                raise raised


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_cluster_that_is_not_there_is_told(backend):
    try:
        __import__(backend)
    except ImportError:
        with pytest.raises(InputError, match=f"backend '{backend}'.* not installed"):
            sim.simulate(TOY, games=10, backend=backend)
