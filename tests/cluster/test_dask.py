"""Runs on a cluster of Dask: the same bytes, whoever dies."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

import sim
from analysis.stopping import stop_rule
from sim.errors import CannotFinishError, InputError
from tests.cluster.helpers import ASKED, GAMES, ROOT, dask_cluster, play, wait_until
from tests.run.helpers import promised_bytes

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.cluster


class Counting(distributed.diagnostics.plugin.SchedulerPlugin):
    """Counts at the scheduler which worker has finished how many tasks."""

    name = "counting"

    def __init__(self):
        self.done = {}

    def transition(self, key, start, finish, *args, **kwargs):
        if (start, finish) == ("processing", "memory"):
            worker = kwargs["worker"]
            self.done[worker] = self.done.get(worker, 0) + 1


def looked_at(dask_scheduler):
    """Return for each worker how many tasks it has finished, and how many it is to play."""
    done = dask_scheduler.plugins["counting"].done
    return {
        state.name: (done.get(state.address, 0), len(state.processing))
        for state in dask_scheduler.workers.values()
    }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask")) as started:
        for name in ("a", "b", "c"):
            started.add(name)
        with distributed.Client(scheduler_file=str(started.file), set_as_default=False) as client:
            client.wait_for_workers(3, timeout=60)
        yield started


@pytest.mark.parametrize("keep", ["rows", "sums", "both"])
def test_a_run_has_the_bytes_of_threads(cluster, tmp_path, keep):
    play(tmp_path / "threads", keep=keep)
    run = play(tmp_path / "dask", keep=keep, backend=cluster.backend)
    assert promised_bytes(tmp_path / "dask") == promised_bytes(tmp_path / "threads")
    assert run.provenance["resources"]["backend"] == "dask"
    assert run.provenance["resources"]["jobs"] == 3


def test_a_run_that_ends_early_has_the_bytes_of_threads(cluster, tmp_path):
    asked = {"keep": "sums", "games": 2_000_000, "until": stop_rule("seat ±0.8pp")}
    here = play(tmp_path / "threads", **asked)
    run = play(tmp_path / "dask", backend=cluster.backend, **asked)
    assert run.stopped["met"]
    assert run.games_count == here.games_count < 2_000_000
    assert promised_bytes(tmp_path / "dask") == promised_bytes(tmp_path / "threads")


def test_the_clients_cluster_is_used(cluster, tmp_path):
    play(tmp_path / "threads", keep="sums", games=40_000)
    with distributed.Client(scheduler_file=str(cluster.file)) as client:
        play(tmp_path / "dask", keep="sums", games=40_000, backend="dask")
        assert client.status == "running"  # it is not ours to close
    assert promised_bytes(tmp_path / "dask") == promised_bytes(tmp_path / "threads")


def test_a_coordinator_is_killed_and_another_goes_on(cluster, tmp_path):
    out = tmp_path / "dask"
    code = (
        "from tests.cluster.helpers import play\n"
        f"play({str(out)!r}, keep='both', backend={cluster.backend!r})"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment)
    wait_until(lambda: len(list(out.glob("shards/*.json"))) >= 2, "two shards are there")
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    stored = len(list(out.glob("shards/*.json")))
    play(out, keep="both", backend=cluster.backend)
    assert 2 <= stored < len(list(out.glob("shards/*.json")))
    play(tmp_path / "threads", keep="both")
    assert promised_bytes(out) == promised_bytes(tmp_path / "threads")


def test_workers_of_a_cluster_are_not_counted_by_jobs(cluster):
    with pytest.raises(InputError, match="those of its cluster: leave out jobs"):
        play(None, backend=cluster.backend, jobs=2)


@pytest.mark.parametrize("keep", ["rows", "sums"])
def test_a_worker_is_killed_during_the_run(tmp_path, keep):
    play(tmp_path / "threads", keep=keep)
    seen = {}
    with dask_cluster(tmp_path / "cluster") as cluster:
        for name in ("a", "b", "c"):
            cluster.add(name)
        with distributed.Client(scheduler_file=str(cluster.file)) as client:
            client.wait_for_workers(3, timeout=60)
            client.register_plugin(Counting())

            def kill_one(done, total):
                found = client.run_on_scheduler(looked_at)
                if not seen and found["b"][0] and found["b"][1]:
                    cluster.kill("b")
                    seen.update(found, done=done, total=total)

            play(tmp_path / "dask", keep=keep, backend="dask", progress=kill_one)
            after = client.run_on_scheduler(looked_at)
    finished, waiting = seen["b"]
    assert finished >= 1, "the worker had played"
    assert waiting >= 1, "and had more to play"
    assert seen["done"] < seen["total"]
    assert set(after) == {"a", "c"}
    assert sum(count for count, _ in after.values()) > seen["a"][0] + seen["c"][0]
    assert promised_bytes(tmp_path / "dask") == promised_bytes(tmp_path / "threads")


def test_a_scheduler_that_dies_is_told_and_another_goes_on(cluster, tmp_path):
    with dask_cluster(tmp_path / "cluster") as dying:
        dying.add("a")

        def kill(done, total):
            if done:
                dying.scheduler.kill()

        with pytest.raises(CannotFinishError, match=r"(?s)dask failed: .* to go on"):
            play(tmp_path / "dask", keep="sums", backend=dying.backend, progress=kill)
    play(tmp_path / "dask", keep="sums", backend=cluster.backend)
    play(tmp_path / "threads", keep="sums")
    assert promised_bytes(tmp_path / "dask") == promised_bytes(tmp_path / "threads")


def changed_version(folder):
    info = folder / "tenbin-9.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tenbin\nVersion: 9.9\n")


def changed_kernel(folder):
    (kernel,) = (folder / "sim/titles/granmagia").glob("_kernel*.so")
    kernel.write_bytes(kernel.read_bytes() + b"\0")


def changed_source(folder):
    source = folder / "sim/run/sums.py"
    source.write_text(source.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")


def changed_results(folder):
    source = folder / "sim/titles/granmagia/__init__.py"
    text = source.read_text(encoding="utf-8")
    assert "\nTITLE" in text
    more = (
        "from dataclasses import replace as _replace\n"
        "TITLE = _replace(TITLE, info=_replace(TITLE.info, result_version=99))\n"
    )
    source.write_text(f"{text}\n{more}", encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed_version, "its tenbin is 9.9 and not"),
        (changed_kernel, r"its kernels \(compiled files\) is"),
        (changed_source, r"its engine \(Python files\) is"),
        (changed_results, "its result version is 99 and not"),
    ],
)
def test_a_worker_that_would_play_other_games_is_refused(tmp_path, change, message):
    other = tmp_path / "other"
    shutil.copytree(ROOT / "sim", other / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    change(other)
    with dask_cluster(tmp_path / "cluster") as cluster:
        cluster.add("other", other)
        with pytest.raises(CannotFinishError, match=message) as caught:
            play(tmp_path / "out", keep="sums", games=20_000, backend=cluster.backend)
    assert "install the same build of tenbin on all machines" in str(caught.value)
    assert not list((tmp_path / "out" / "shards").glob("*"))


def test_a_worker_without_tenbin_is_told(tmp_path):
    (tmp_path / "bare" / "sim").mkdir(parents=True)
    lacking = "raise ModuleNotFoundError(\"No module named 'sim'\", name='sim')\n"
    (tmp_path / "bare" / "sim" / "__init__.py").write_text(lacking)
    with dask_cluster(tmp_path / "cluster") as cluster:
        cluster.add("bare", tmp_path / "bare")
        with pytest.raises(CannotFinishError, match=r"the worker of dask at tcp.* has no tenbin"):
            play(tmp_path / "out", keep="sums", games=20_000, backend=cluster.backend)


def test_a_scheduler_without_workers_is_told(tmp_path):
    with (
        dask_cluster(tmp_path / "cluster") as cluster,
        pytest.raises(CannotFinishError, match="has no workers"),
    ):
        play(tmp_path / "out", keep="sums", games=20_000, backend=cluster.backend)


@pytest.mark.parametrize(
    ("backend", "error", "message"),
    [
        ("dask", InputError, "needs a scheduler: give its address"),
        ("dask=", InputError, "has no address behind the sign ="),
        ("dask=tcp://127.0.0.1:1", CannotFinishError, "no scheduler of dask answers at tcp"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_told(monkeypatch, backend, error, message):
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    with pytest.raises(error, match=message):
        sim.simulate(**ASKED, games=GAMES, backend=backend)
