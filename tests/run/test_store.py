"""Stores: what is damaged is named and played again, what is not ours is refused."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import sim
from sim.errors import CannotFinishError, InputError, StoreLockedError, StoreMismatchError
from sim.run.manifest import FORMAT
from tests.run.helpers import promised_bytes
from tests.run.toy_title import TOY

ARGUMENTS = {"games": 1200, "keep": "both"}


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("original")
    sim.simulate(TOY, **ARGUMENTS, out=path)
    return path


@pytest.fixture
def store(original, tmp_path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "store"))


def some_shard(store: Path, number: int = 1) -> str:
    return sorted(file.stem for file in store.glob("shards/*.json"))[number]


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-7])


@pytest.mark.parametrize("part", ["games", "seats", "sums/wins", "sums/columns", "sums/counts"])
@pytest.mark.parametrize(
    ("harm", "named"), [(flip, "damaged"), (truncate, "truncated"), (Path.unlink, "missing")]
)
def test_a_harmed_file_is_named_set_aside_and_played_again(store, original, part, harm, named):
    key = some_shard(store)
    harm(store / part / f"{key}.parquet")
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert len(run.notices) == 1
    assert f"shard {key}" in run.notices[0]
    assert f"{part}/{key}.parquet" in run.notices[0]
    assert named in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)
    aside = {file.name for file in (store / "set-aside/001").rglob("*") if file.is_file()}
    assert f"{key}.json" in aside
    assert not sim.simulate(TOY, **ARGUMENTS, out=store).notices
    assert len(list((store / "set-aside").iterdir())) == 1


def test_a_doubled_shard_is_recognised(store, original):
    one, other = some_shard(store, 1), some_shard(store, 2)
    shutil.copy(store / f"games/{one}.parquet", store / f"games/{other}.parquet")
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert f"games/{other}.parquet is a copy of games/{one}.parquet" in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)


def test_a_shard_doubled_with_its_entry_is_recognised(store, original):
    one, other = some_shard(store, 1), some_shard(store, 2)
    for file in [*store.rglob(f"{one}.parquet"), store / f"shards/{one}.json"]:
        shutil.copy(file, file.with_stem(other))
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert f"shard {other} of {store}: it is a copy of shard {one}" in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)


def test_a_foreign_shard_is_recognised(store, original, tmp_path):
    foreign = tmp_path / "foreign"
    sim.simulate(TOY, **ARGUMENTS, seed=2, out=foreign)
    key = some_shard(store)
    for file in [*foreign.rglob(f"{key}.parquet"), foreign / f"shards/{key}.json"]:
        shutil.copy(file, store / file.relative_to(foreign))
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert "it belongs to another run" in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"identity": 1}', b"\xff"])
def test_a_harmed_entry_is_recognised(store, original, content):
    key = some_shard(store)
    (store / f"shards/{key}.json").write_bytes(content)
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert "its entry is damaged" in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)


@pytest.mark.parametrize(
    "edit",
    [
        {"pieces": []},
        {"pieces": [[0, 0, 1], [0, 0, 1]]},
        {"pieces": "x"},
        {"files": {}},
        {"files": []},
        {"games": 1.5},
    ],
)
def test_an_edited_entry_is_recognised(store, original, edit):
    file = store / f"shards/{some_shard(store)}.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | edit), encoding="utf-8")
    with pytest.raises(CannotFinishError, match="or damaged"):
        sim.open_run(store, title=TOY)
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert "its entry is damaged" in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)


def test_files_of_nobody_are_set_aside(store, original):
    shutil.copy(store / f"games/{some_shard(store)}.parquet", store / "games/999-00000.parquet")
    run = sim.simulate(TOY, **ARGUMENTS, out=store)
    assert "games/999-00000.parquet does not belong to this run" in run.notices[0]
    assert promised_bytes(store) == promised_bytes(original)
    assert (store / "set-aside/001/games/999-00000.parquet").is_file()


@pytest.mark.parametrize("harm", [truncate, flip])
def test_reading_a_harmed_store_is_refused(store, harm):
    harm(store / f"seats/{some_shard(store)}.parquet")
    with pytest.raises(CannotFinishError, match="is not finished"):
        sim.open_run(store, title=TOY)


def test_a_locked_store_is_refused(store):
    holder = os.open(store / ".lock", os.O_RDWR)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(StoreLockedError, match="another process is writing") as caught:
            sim.simulate(TOY, **ARGUMENTS, out=store)
        assert caught.value.exit_code == 4
        assert sim.open_run(store, title=TOY).games.height == 1200  # reading needs no lock
    finally:
        os.close(holder)
    sim.simulate(TOY, **ARGUMENTS, out=store)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 2}, "seed is 1 there and 2 here"),
        ({"keep": "rows"}, 'keep is "both" there and "rows" here'),
        ({"overrides": ["target=50"]}, "ruleset is"),
        ({"players": 2}, "plan is"),
        ({"collect": ("core", "cards")}, "collect is"),
        ({"bans": {1: ["hard"]}}, "bans.1 is null there"),
    ],
)
def test_another_identity_is_refused_by_field(store, original, changes, named):
    with pytest.raises(StoreMismatchError) as caught:
        sim.simulate(TOY, **{**ARGUMENTS, **changes}, out=store)
    assert named in str(caught.value)
    assert caught.value.exit_code == 2
    assert promised_bytes(store) == promised_bytes(original)


def test_fewer_games_are_refused_and_lose_nothing(store, original):
    with pytest.raises(StoreMismatchError, match="is a run of 1,200 games, and 600 were asked"):
        sim.simulate(TOY, games=600, keep="both", out=store)
    assert promised_bytes(store) == promised_bytes(original)


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(StoreMismatchError, match=r"holds other things \(thesis.txt\)"):
        sim.simulate(TOY, **ARGUMENTS, out=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_things_beside_a_store_are_left_alone(store):
    (store / "notes.txt").write_text("seat 1 looks strong")
    sim.simulate(TOY, **ARGUMENTS, out=store)
    assert (store / "notes.txt").read_text() == "seat 1 looks strong"


def test_a_file_in_the_way_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreMismatchError, match="is a file, and a run needs a folder"):
        sim.simulate(TOY, **ARGUMENTS, out=tmp_path / "file")
    with pytest.raises(CannotFinishError, match=r"cannot write to .*: Not a directory"):
        sim.simulate(TOY, **ARGUMENTS, out=tmp_path / "file" / "below")


def test_an_unwritable_folder_is_told():
    # Modes do not stop root, who runs tests in containers; nobody makes folders here.
    with pytest.raises(CannotFinishError, match=r"cannot write to /proc/run.*another folder"):
        sim.simulate(TOY, **ARGUMENTS, out="/proc/run")


@pytest.mark.parametrize(
    ("version", "message"),
    [(0, f"reads format {FORMAT}: run it again"), (99, "a newer tenbin wrote it")],
)
def test_other_format_versions_are_refused_by_name(store, version, message):
    manifest = json.loads((store / "manifest.json").read_bytes())
    (store / "manifest.json").write_text(json.dumps({**manifest, "format": version}))
    for use in (sim.open_run, lambda path: sim.simulate(TOY, **ARGUMENTS, out=path)):
        with pytest.raises(StoreMismatchError, match=message):
            use(store)


@pytest.mark.parametrize("key", ["games", "identity", "identity_hash"])
def test_a_harmed_manifest_is_refused(store, key):
    manifest = json.loads((store / "manifest.json").read_bytes())
    del manifest[key]
    (store / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StoreMismatchError, match=r"manifest\.json is damaged"):
        sim.open_run(store)


def test_what_is_no_store_is_refused(tmp_path):
    with pytest.raises(StoreMismatchError, match="holds no run"):
        sim.open_run(tmp_path)
    with pytest.raises(StoreMismatchError, match="holds no run"):
        sim.open_run(tmp_path / "nowhere")


def test_a_manifest_is_canonical_and_knows_its_sources(tmp_path):
    overlay = tmp_path / "mine.toml"
    overlay.write_text("target = 45\n")
    policy = tmp_path / "own.toml"
    shutil.copy(TOY.data / "policies/keen.toml", policy)
    run = sim.simulate(
        TOY,
        games=100,
        lineup=[f"{policy}@0.05", "bold"],
        rules=overlay,
        overrides=["limits.round_cap=9"],
        out=tmp_path / "run",
    )
    overlay.unlink()
    policy.write_text("gone")
    again = sim.open_run(run.path, title=TOY)
    assert again.ruleset.hash == run.ruleset.hash
    assert again.ruleset.values["target"] == 45
    assert again.ruleset.values["limits"]["round_cap"] == 9
    assert again.setup.policies.hashes == run.setup.policies.hashes
    assert again.setup.policies.names == (f"{policy}@0.05", "bold")
    told = sim.trace(again, game=42)
    row = again.games.row(42, named=True)
    assert {name: told.result.game[name] for name in ("rounds", "turns", "sixes")} == {
        name: row[name] for name in ("rounds", "turns", "sixes")
    }


def test_a_run_of_changed_data_can_be_read_but_not_played(store, monkeypatch):
    from functools import partial

    from tests.run import toy_title

    changed = replace(
        TOY, load=lambda overlays=(), overrides=(): toy_title.load(overlays, ["target=44"])
    )
    run = sim.open_run(store, title=changed)
    assert run.games.height == 1200
    with pytest.raises(InputError, match="its rules changed since"):
        sim.trace(run, game=0)
    newer = replace(TOY, info=replace(TOY.info, result_version=2))
    newer = replace(newer, load=partial(toy_title.load))
    with pytest.raises(InputError, match="its engine changed since"):
        sim.trace(sim.open_run(store, title=newer), game=0)


def changed_titles():
    """Titles of the same name whose rules, policies, columns or engine are others today."""
    from tests.run import toy_title

    def other_rules(overlays=(), overrides=()):
        return toy_title.load(overlays, ["target=44", *overrides])

    def gone(overlays=(), overrides=()):
        raise InputError("the rules cannot be read any more")

    return {
        "rules": replace(TOY, load=other_rules),
        "no rules": replace(TOY, load=gone),
        "engine": replace(TOY, info=replace(TOY.info, result_version=2)),
        "columns": replace(TOY, info=replace(TOY.info, columns=TOY.info.columns[:-3])),
        "policies": replace(TOY, data=Path("no/such/folder")),
        "categories": replace(TOY, categories=lambda rules, name: toy_title.categories("x", "y")),
    }


@pytest.mark.parametrize("what", list(changed_titles()))
@pytest.mark.parametrize("keep", ["rows", "sums", "both"])
def test_rows_and_sums_outlive_whatever_else_changes(tmp_path, what, keep):
    import analysis

    made = sim.simulate(TOY, games=600, keep=keep, out=tmp_path)
    run = sim.open_run(tmp_path, title=changed_titles()[what])
    if keep != "sums":
        assert run.rows.equals(made.rows)
    for name in ("wins", "columns", "counts"):
        assert getattr(run.sums, name).equals(getattr(made.sums, name))
    assert run.info.columns == TOY.info.columns
    assert [camp.id for camp in run.categories("camp")] == ["sun", "moon", "sea"]
    assert run.policies == made.policies
    assert list(run.policies) == list(run.plan.policies)
    assert run.rules == made.rules
    keys = ["players", "seat"]
    assert analysis.win_rates(run, by=keys).equals(analysis.win_rates(made, by=keys))
    assert analysis.end_reasons(run).equals(analysis.end_reasons(made))
    for column in ("luck", "sixes"):
        assert analysis.outcomes(run, column).equals(analysis.outcomes(made, column))
    if what == "no rules":  # a page takes a while to draw
        analysis.write_report(run, tmp_path / "page")
    with pytest.raises(InputError):
        sim.trace(run, game=0)


def test_what_a_run_declares_comes_back_from_its_manifest(original):
    manifest = json.loads((original / "manifest.json").read_bytes())
    run = sim.open_run(original, title=TOY)
    assert run.info == replace(TOY.info, supply=None)  # whose column this run does not have
    assert run.setup.declared == replace(run._declared, info=TOY.info)
    assert run.setup.declared.layout() == manifest["identity"]["layout"]
    assert run.setup.declared.shown() == manifest["shown"]
    with pytest.raises(InputError, match="unknown category column 'cam'; did you mean 'camp'"):
        run.categories("cam")


def test_labels_are_no_part_of_what_a_run_is(store, original):
    from sim.core.title import Label

    renamed = replace(
        TOY, info=replace(TOY.info, label=Label("Dice", "さいころ"), status=Label("New.", "新。"))
    )
    sim.simulate(renamed, **ARGUMENTS, out=store)
    assert promised_bytes(store) == promised_bytes(original)
    longer = sim.simulate(renamed, games=1300, keep="both", out=store)
    assert longer.info.label == TOY.info.label  # those of the first command stay
