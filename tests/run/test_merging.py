"""Parts of a run that know nothing of each other, and the run that is made of them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import sim
from analysis.cli import main
from sim.errors import CannotFinishError, InputError, InterruptedRunError, StoreMismatchError
from tests.run.helpers import promised_bytes
from tests.run.test_stages import Sixes
from tests.run.toy_title import TOY

GAMES = 3001
OF = 4


def play(out: Path, **changes):
    asked = {"games": GAMES, "keep": "both", "collect": ("core", "cards"), "out": out, **changes}
    return sim.simulate(TOY, **asked)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("whole")
    play(path)
    return path


@pytest.fixture(scope="module")
def parts(tmp_path_factory) -> list[Path]:
    home = tmp_path_factory.mktemp("parts")
    for number in range(1, OF + 1):
        run = play(home / str(number), part=(number, OF), jobs=number)
        assert run.part == (number, OF)
    return [home / str(number) for number in range(1, OF + 1)]


def test_parts_share_no_shard_and_are_alike_in_size(whole, parts):
    keys = [{file.stem for file in part.glob("shards/*.json")} for part in parts]
    assert set().union(*keys) == {file.stem for file in whole.glob("shards/*.json")}
    assert sum(map(len, keys)) == len(set().union(*keys))
    assert max(map(len, keys)) - min(map(len, keys)) <= 1


@pytest.mark.parametrize("order", [0, 1, 2])
def test_joined_parts_are_the_run_byte_for_byte(whole, parts, tmp_path, order):
    shuffled = random.Random(order).sample(parts, OF)
    run = sim.merge(tmp_path, shuffled, title=TOY)
    assert promised_bytes(tmp_path) == promised_bytes(whole)
    assert run.part is None
    assert run.games_count == GAMES
    assert run.rows.equals(sim.open_run(whole).rows)


def test_doubled_parts_and_whole_copies_do_no_harm(whole, parts, tmp_path):
    sim.merge(tmp_path, [parts[0], parts[0], whole], title=TOY)
    assert promised_bytes(tmp_path) == promised_bytes(whole)


def test_missing_parts_are_named_and_joined_later(whole, parts, tmp_path):
    with pytest.raises(CannotFinishError, match=r"nothing of part 2, 4 of 4"):
        sim.merge(tmp_path, [parts[0], parts[2]], title=TOY)
    with pytest.raises(CannotFinishError, match="is not finished"):
        sim.open_run(tmp_path)
    told: list[tuple[int, int]] = []
    rest = [parts[3], parts[1]]
    sim.merge(tmp_path, rest, title=TOY, progress=lambda done, all_: told.append((done, all_)))
    assert told[-1] == (GAMES, GAMES)
    assert promised_bytes(tmp_path) == promised_bytes(whole)


def test_what_is_missing_can_be_played(whole, parts, tmp_path):
    with pytest.raises(CannotFinishError, match="simulate with this folder"):
        sim.merge(tmp_path, parts[:3], title=TOY)
    play(tmp_path)
    assert promised_bytes(tmp_path) == promised_bytes(whole)


def test_a_damaged_part_is_named_and_nothing_of_it_taken(whole, parts, tmp_path):
    harmed = tmp_path / "harmed"
    shutil.copytree(parts[1], harmed)
    file = sorted(harmed.glob("seats/*.parquet"))[2]
    file.write_bytes(file.read_bytes()[:-1])
    out = tmp_path / "out"
    given = [parts[0], harmed, *parts[2:]]
    with pytest.raises(CannotFinishError, match=r"1 of \d+ shards .*harmed not finished"):
        sim.merge(out, given, title=TOY)
    sim.merge(out, [*given, parts[1]], title=TOY)
    assert promised_bytes(out) == promised_bytes(whole)


def test_an_interrupted_part_goes_on(whole, parts, tmp_path):
    def stop(done: int, total: int) -> None:
        assert total < GAMES
        if done > 200:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError):
        play(tmp_path / "2", part=(2, OF), progress=stop)
    with pytest.raises(CannotFinishError, match="2 not finished or damaged"):
        sim.merge(tmp_path / "out", [parts[0], tmp_path / "2", *parts[2:]], title=TOY)
    play(tmp_path / "2", part=(2, OF))
    assert promised_bytes(tmp_path / "2") == promised_bytes(parts[1])


@pytest.mark.parametrize("changes", [{"seed": 2}, {"games": GAMES + 1}, {"keep": "rows"}])
def test_parts_of_another_run_are_refused(parts, tmp_path, changes):
    play(tmp_path / "other", part=(2, OF), **changes)
    with pytest.raises(StoreMismatchError, match="is no part of the run in"):
        sim.merge(tmp_path / "out", [parts[0], tmp_path / "other"], title=TOY)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("part", [None, (1, OF), (2, OF + 1)])
def test_a_folder_of_another_part_is_refused(parts, tmp_path, part):
    before = promised_bytes(parts[1])
    with pytest.raises(StoreMismatchError, match="it is part 2 of 4 of its games there and"):
        play(parts[1], part=part)
    assert promised_bytes(parts[1]) == before


def test_a_part_is_no_run(parts):
    with pytest.raises(InputError, match="part 2 of 4 of a run: join the parts first"):
        sim.open_run(parts[1])


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"part": (0, 4)}, "goes from 1 to the second"),
        ({"part": (5, 4)}, "goes from 1 to the second"),
        ({"part": "2/4"}, "two numbers"),
        ({"part": 2}, "two numbers"),
        ({"part": (1.5, 4)}, "whole number"),
        ({"part": (1, 2), "out": None}, "give the folder"),
        ({"part": (1, 2), "until": Sixes(3)}, "give until or part"),
    ],
)
def test_parts_that_cannot_be(tmp_path, changes, named):
    with pytest.raises(InputError, match=named):
        play(**{"out": tmp_path / "out", **changes})
    assert not (tmp_path / "out").exists()


def test_more_parts_than_shards_leave_some_empty(whole, tmp_path):
    of = len(list(whole.glob("shards/*.json"))) + 2
    run = play(tmp_path, part=(of, of))
    assert run.part == (of, of)
    assert not list(tmp_path.glob("shards/*.json"))


def test_nothing_to_merge_is_refused(tmp_path):
    with pytest.raises(InputError, match="nothing to merge"):
        sim.merge(tmp_path / "out", [])


def test_the_commands_join_what_they_play(tmp_path, capsys):
    asked = ["simulate", "classic", "--games", "20k", "--players", "2", "--keep", "sums"]
    for number in (1, 2):
        assert main([*asked, "--part", f"{number}/2", "--out", str(tmp_path / str(number))]) == 0
        assert f"Part {number} of 2" in capsys.readouterr().out
    out = str(tmp_path / "whole")
    assert main(["merge", out, str(tmp_path / "1")]) == 4
    assert "nothing of part 2 of 2" in capsys.readouterr().err
    assert main(["merge", out, str(tmp_path / "2")]) == 0
    joined = capsys.readouterr().out
    assert main([*asked, "--out", str(tmp_path / "alone")]) == 0
    assert joined.partition("\n\nNext")[0] == capsys.readouterr().out.partition("\n\nNext")[0]
    assert promised_bytes(Path(out)) == promised_bytes(tmp_path / "alone")
    assert main([*asked, "--part", "2-3", "--out", out]) == 2
    assert main(["table", str(tmp_path / "1")]) == 2
    assert "tenbin merge" in capsys.readouterr().err
