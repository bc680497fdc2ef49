"""Runs published to what speaks S3: a server on this machine."""

import pytest

import sim
from sim.errors import CannotFinishError, StoreMismatchError
from tests.cluster.helpers import play
from tests.run.helpers import promised_bytes

pytest.importorskip("s3fs")
server = pytest.importorskip("moto.server")
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module", autouse=True)
def bucket():
    """Serve S3, and let everyone who asks fsspec for it come here."""
    import fsspec.config
    import s3fs

    served = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    served.start()
    host, port = served.get_host_and_port()
    given = {"endpoint_url": f"http://{host}:{port}", "key": "none", "secret": "none"}
    before = dict(fsspec.config.conf)
    fsspec.config.conf["s3"] = given
    s3fs.S3FileSystem(**given).mkdir("bucket")
    yield
    fsspec.config.conf.clear()
    fsspec.config.conf.update(before)
    served.stop()


def test_a_run_is_published_and_read(tmp_path):
    run = play(tmp_path / "run", keep="both")
    sim.publish(run, "s3://bucket/runs/one")
    opened = sim.open_run("s3://bucket/runs/one")
    assert promised_bytes(opened.path) == promised_bytes(run.path)
    sim.publish(run, "s3://bucket/runs/one")
    other = play(tmp_path / "other", keep="both", games=1000)
    with pytest.raises(StoreMismatchError, match="holds this run with 300,000 games"):
        sim.publish(other, "s3://bucket/runs/one")


def test_a_bucket_that_is_not_there_is_told(tmp_path):
    run = play(tmp_path / "run", keep="sums", games=1000)
    with pytest.raises(CannotFinishError, match="s3://nobody"):
        sim.publish(run, "s3://nobody/runs/one")
