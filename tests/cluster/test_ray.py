"""Runs on a cluster of Ray: the same bytes, even when a worker dies."""

import os
import signal

import pytest

from sim.errors import InputError
from tests.cluster.helpers import play
from tests.run.helpers import promised_bytes

ray = pytest.importorskip("ray")
psutil = pytest.importorskip("psutil")
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(address="local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def playing():
    """Return the processes of workers that are in the middle of a task."""
    children = psutil.Process().children(recursive=True)
    raylets = [child for child in children if child.is_running()]
    return [one for one in raylets if any("PoolActor.run_batch" in part for part in one.cmdline())]


@pytest.mark.parametrize("keep", ["rows", "sums", "both"])
def test_a_run_has_the_bytes_of_threads(tmp_path, keep):
    play(tmp_path / "threads", keep=keep)
    run = play(tmp_path / "ray", keep=keep, backend="ray")
    assert promised_bytes(tmp_path / "ray") == promised_bytes(tmp_path / "threads")
    assert run.provenance["resources"]["backend"] == "ray"
    assert ray.is_initialized()  # it is not ours to shut down


def test_a_worker_is_killed_during_the_run(tmp_path):
    play(tmp_path / "threads", keep="both")
    killed = []

    def kill_one(done, total):
        # Tasks go to the three workers in turn: now each has played, and some are playing.
        if len(seen) >= 4 and not killed and (busy := playing()):
            os.kill(busy[0].pid, signal.SIGKILL)
            killed.append((done, total))
        seen.append(done)

    seen = []
    play(tmp_path / "ray", keep="both", backend="ray", progress=kill_one)
    ((done, total),) = killed
    assert 0 < done < total
    assert promised_bytes(tmp_path / "ray") == promised_bytes(tmp_path / "threads")


def test_a_cluster_that_is_not_named_is_asked_for(monkeypatch, tmp_path):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(InputError, match="needs a cluster: give its address"):
        play(tmp_path / "out", backend="ray")
    assert not (tmp_path / "out").exists()
