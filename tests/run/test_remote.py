"""Runs that were published to an object store: whole or refused, and never changed."""

import json
import shutil
import uuid

import pytest

import sim
from sim.errors import CannotFinishError, InputError, StoreMismatchError
from sim.run import remote
from tests.run.helpers import promised_bytes
from tests.run.toy_title import TOY

fsspec = pytest.importorskip("fsspec")

GAMES = 400


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "run"
    return sim.simulate(TOY, games=GAMES, keep="both", out=out)


@pytest.fixture(params=["memory", "file"])
def url(request, tmp_path):
    if request.param == "file":
        return f"file://{tmp_path}/published"
    return f"memory://{uuid.uuid4().hex}"


def at(url, name):
    return fsspec.core.url_to_fs(f"{url}/{name}")


def published(url):
    """Return the promised bytes of a published run, which is opened and so compared with them."""
    opened = sim.open_run(url, title=TOY)
    return promised_bytes(opened.path)


def names(url):
    system, root = fsspec.core.url_to_fs(url)
    return {name[len(root) + 1 :] for name in system.find(root)}


def test_a_published_run_is_the_run(run, url):
    sim.publish(run, url, title=TOY)
    opened = sim.open_run(url, title=TOY)
    assert promised_bytes(opened.path) == promised_bytes(run.path)
    assert opened.games.equals(run.games)
    assert opened.sums.wins.equals(run.sums.wins)
    assert opened.provenance == run.provenance
    assert names(url) == {*promised_bytes(run.path), "log.jsonl"}


def test_what_was_fetched_goes_with_the_run(run, url):
    sim.publish(run, url, title=TOY)
    opened = sim.open_run(url, title=TOY)
    folder = opened.path
    assert folder.is_dir()
    del opened
    assert not folder.exists()


def test_publishing_again_changes_nothing(run, url, monkeypatch):
    sim.publish(run, url, title=TOY)
    monkeypatch.setattr(remote._Place, "send", lambda *_: pytest.fail("something was sent"))
    sim.publish(run.path, url, title=TOY)


def test_what_was_lost_is_published_again(run, url):
    sim.publish(run, url, title=TOY)
    system, path = at(url, sorted(names(url))[0])
    system.rm_file(path)
    sim.publish(run, url, title=TOY)
    assert sim.open_run(url, title=TOY).games.equals(run.games)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"seed": 2}, "holds another run"),
        ({"keep": "rows"}, "holds another run"),
        ({"games": 2 * GAMES}, "holds this run with 400 games, and not 800; choose another URL"),
    ],
)
def test_another_run_is_not_overwritten(run, url, tmp_path, asked, message):
    sim.publish(run, url, title=TOY)
    before = published(url)
    given = {"games": GAMES, "keep": "both", **asked}
    other = sim.simulate(TOY, out=tmp_path / "other", **given)
    with pytest.raises(StoreMismatchError, match=message):
        sim.publish(other, url, title=TOY)
    assert published(url) == before


def test_other_things_are_not_overwritten(run, url):
    system, path = at(url, "holiday.jpg")
    system.makedirs(system._parent(path), exist_ok=True)
    system.pipe_file(path, b"sea")
    with pytest.raises(StoreMismatchError, match=r"other things are in .*holiday\.jpg"):
        sim.publish(run, url, title=TOY)
    assert names(url) == {"holiday.jpg"}


class CrashError(Exception):
    pass


@pytest.mark.parametrize("whole", [0, 1, 5])
def test_publishing_that_dies_is_not_taken_for_a_run_and_goes_on(
    run, url, tmp_path, monkeypatch, whole
):
    send = remote._Place.send

    def dying(self, folder, listed):
        send(self, folder, listed[:whole])
        if whole < len(listed):  # half a file, as some stores leave it
            (tmp_path / "half").write_bytes((folder / listed[whole]).read_bytes()[:10])
            (self.system).put([str(tmp_path / "half")], [self.at(listed[whole])])
        raise CrashError

    with monkeypatch.context() as patched:
        patched.setattr(remote._Place, "send", dying)
        with pytest.raises(CrashError):
            sim.publish(run, url, title=TOY)
    with pytest.raises(CannotFinishError, match=r"publishing of the run in .* is not finished"):
        sim.open_run(url, title=TOY)
    other = sim.simulate(TOY, games=GAMES, seed=2, keep="both", out=tmp_path / "other")
    with pytest.raises(StoreMismatchError, match="publishing of another run was begun"):
        sim.publish(other, url, title=TOY)
    sim.publish(run, url, title=TOY)
    assert published(url) == promised_bytes(run.path)
    assert "publishing.json" not in names(url)


def test_a_half_manifest_is_refused_and_made_whole(run, url):
    """The last thing to be written: its process died within."""
    sim.publish(run, url, title=TOY)
    system, path = at(url, "manifest.json")
    content = system.cat_file(path)
    system.pipe_file(path, content[: len(content) // 2])
    with pytest.raises(StoreMismatchError, match=r"manifest\.json cannot be read"):
        sim.open_run(url, title=TOY)
    with pytest.raises(StoreMismatchError, match=r"manifest\.json cannot be read"):
        sim.publish(run, url, title=TOY)
    manifest = run._manifest
    claim = remote.canonical({"identity_hash": manifest.hash, "games": manifest.games})
    system.pipe_file(at(url, "publishing.json")[1], claim)
    sim.publish(run, url, title=TOY)
    assert sim.open_run(url, title=TOY).games.equals(run.games)


def truncated(content):
    return content[:-7]


def flipped(content):
    return content[:20] + bytes([content[20] ^ 1]) + content[21:]


def gone(content):
    return None


@pytest.mark.parametrize("change", [truncated, flipped, gone])
@pytest.mark.parametrize("part", ["games", "seats", "sums/wins", "shards"])
def test_damage_is_refused_by_name(run, url, part, change):
    sim.publish(run, url, title=TOY)
    name = next(name for name in sorted(names(url)) if name.startswith(f"{part}/"))
    system, path = at(url, name)
    content = change(system.cat_file(path))
    if content is None:
        system.rm_file(path)
    else:
        system.pipe_file(path, content)
    with pytest.raises(StoreMismatchError, match="is damaged") as caught:
        sim.open_run(url, title=TOY)
    assert name in str(caught.value)
    assert url in str(caught.value)


def test_a_shard_of_another_run_is_refused(run, url, tmp_path):
    sim.publish(run, url, title=TOY)
    other = sim.simulate(TOY, games=GAMES, seed=2, keep="both", out=tmp_path / "other")
    for name in promised_bytes(other.path):
        if name != "manifest.json":
            system, path = at(url, name)
            system.pipe_file(path, (other.path / name).read_bytes())
    with pytest.raises(StoreMismatchError, match="it belongs to another run"):
        sim.open_run(url, title=TOY)


def test_a_run_of_fewer_deals_is_refused(run, url, tmp_path):
    sim.publish(run, url, title=TOY)
    system, path = at(url, "manifest.json")
    content = json.loads(system.cat_file(path))
    content["games"] += 2
    system.pipe_file(path, json.dumps(content).encode())
    with pytest.raises(StoreMismatchError, match=r"is damaged: .* has other deals"):
        sim.open_run(url, title=TOY)


def test_an_unfinished_run_is_not_published(run, url, tmp_path):
    shutil.copytree(run.path, tmp_path / "copy")
    next((tmp_path / "copy" / "shards").iterdir()).unlink()
    with pytest.raises(CannotFinishError, match="is not finished or damaged"):
        sim.publish(tmp_path / "copy", url, title=TOY)
    assert not names(url)


def test_places_that_cannot_be_are_told(run, url):
    with pytest.raises(StoreMismatchError, match="holds no run"):
        sim.open_run(url, title=TOY)
    with pytest.raises(InputError, match="is no URL"):
        sim.publish(run, "runs/three", title=TOY)
    with pytest.raises(CannotFinishError, match="cannot open nowhere://x"):
        sim.open_run("nowhere://x")


def test_without_fsspec_it_is_asked_for(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(InputError, match=r"pip install 'tenbin\[remote\]'"):
        sim.open_run("memory://x")


def test_commands_take_urls(url, tmp_path, capsys):
    from analysis.cli import main

    out = str(tmp_path / "run")
    asked = ["--games", "2k", "--players", "2", "--lineup", "engine,big_stones"]
    assert main(["simulate", "granmagia", *asked, "--out", out]) == 0
    capsys.readouterr()
    assert main(["table", out]) == 0
    table = capsys.readouterr().out
    assert main(["publish", out, url]) == 0
    assert f"tenbin table {url}" in capsys.readouterr().out
    assert main(["table", url]) == 0
    assert capsys.readouterr().out == table
    assert main(["trace", url, "--game", "0"]) == 0
    assert "granmagia" in capsys.readouterr().out
    assert main(["rerun", url]) == 0
    assert "The result is the same" in capsys.readouterr().out
    assert main(["report", url, "--out", str(tmp_path / "page")]) == 0
    told = capsys.readouterr().out
    assert f"run: {url}\n" in told
    page = json.loads((tmp_path / "page" / "report.json").read_text(encoding="utf-8"))
    assert url in json.dumps(page)
