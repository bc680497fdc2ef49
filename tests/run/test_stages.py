"""Runs with a stop rule: looks in the order of the deals, the same bytes after interruptions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pytest

import sim
from sim.errors import CannotFinishError, InputError, InterruptedRunError, StoreMismatchError
from sim.run import stages
from sim.run.stages import Look, looks
from tests.run.helpers import promised_bytes
from tests.run.toy_title import SOLO_TOY, TOY

#: Sixes of a few looks.
MANY = 600


@dataclass
class Sixes:
    """Ends a run when so many sixes were thrown, whatever that may be good for."""

    many: int
    seen: list[int] = field(default_factory=list)

    def outline(self) -> dict[str, Any]:
        return {"rule": f"{self.many} sixes"}

    def check(self, plan, info) -> None:
        pass

    def __call__(self, run) -> Look:
        self.seen.append(run.games_count)
        columns = run.sums.columns
        thrown = columns.filter(pl.col("column").cast(pl.String) == "sixes")["total"].sum()
        return Look(thrown >= self.many, f"{thrown} sixes")


@pytest.fixture(autouse=True)
def early(monkeypatch):
    """Look early: the toy is slow."""
    monkeypatch.setattr(stages, "FIRST", 100)


def play(out, rule, *, games=2000, **changes):
    return sim.simulate(
        TOY, **{"games": games, "keep": "sums", "out": out, "until": rule, **changes}
    )


def ended(run) -> bool:
    assert run.stopped is not None
    return run.stopped["met"]


def test_looks_are_declared_and_end_with_the_most_games():
    plan = sim.make_plan(TOY, games=300)
    assert list(looks(plan)) == [100, 125, 157, 197, 247, 300]
    assert list(looks(plan.with_games(247))) == [100, 125, 157, 197, 247]
    assert list(looks(plan.with_games(7))) == [7]


def test_looks_at_rotations_come_in_whole_deals():
    plan = sim.make_plan(TOY, games=400, lineup="bold,calm,fair,keen", rotate=True)
    assert plan.blocks[0].games_per_deal == 4
    assert all(games % 4 == 0 for games in looks(plan))


@pytest.mark.parametrize("keep", ["rows", "sums", "both"])
def test_a_run_ends_at_the_first_look_that_meets_the_rule(tmp_path, keep):
    rule = Sixes(MANY)
    run = play(tmp_path, rule, keep=keep)
    assert rule.seen == list(looks(run.plan.with_games(2000)))[: len(rule.seen)]
    assert run.games_count == rule.seen[-1] < 2000
    assert ended(run)
    before = sim.simulate(TOY, games=rule.seen[-2], keep=keep)
    sixes = pl.col("column").cast(pl.String) == "sixes"
    assert before.sums.columns.filter(sixes)["total"].sum() < MANY
    assert run.sums.columns.filter(sixes)["total"].sum() >= MANY
    opened = sim.open_run(tmp_path)
    assert opened.stopped == run.stopped
    assert opened.identity["until"]["rule"] == f"{MANY} sixes"


def test_its_games_are_those_of_a_plain_run(tmp_path):
    run = play(tmp_path, Sixes(MANY), keep="both")
    plain = sim.simulate(TOY, games=run.games_count)
    assert run.rows.equals(plain.rows)
    assert run.sums.wins.equals(plain.sums.wins)


def test_the_most_games_end_it_undecided(tmp_path):
    run = play(tmp_path, Sixes(10**9), games=300)
    assert run.games_count == 300
    assert not ended(run)


def test_workers_cannot_matter(tmp_path):
    for jobs in (1, 3):
        play(tmp_path / str(jobs), Sixes(MANY), jobs=jobs)
    play(tmp_path / "processes", Sixes(MANY), jobs=2, backend="processes")
    first, *others = (promised_bytes(tmp_path / name) for name in ("1", "3", "processes"))
    assert all(other == first for other in others)


class Interrupting(Sixes):
    """Is interrupted at a look."""

    def __call__(self, run) -> Look:
        look = super().__call__(run)
        if len(self.seen) == 3:
            raise KeyboardInterrupt
        return look


@pytest.mark.parametrize("at", ["look", "games"])
def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path, at):
    play(tmp_path / "whole", Sixes(MANY))
    out = tmp_path / "broken"

    def stop(done: int, _: int) -> None:
        if done > 130:
            raise KeyboardInterrupt

    broken = {"look": (Interrupting(MANY), None), "games": (Sixes(MANY), stop)}
    rule, progress = broken[at]
    with pytest.raises(InterruptedRunError):
        play(out, rule, progress=progress)
    with pytest.raises(CannotFinishError, match="is not finished"):
        sim.open_run(out)
    play(out, Sixes(MANY))
    assert promised_bytes(out) == promised_bytes(tmp_path / "whole")


def test_a_finished_run_is_neither_played_nor_looked_at_again(tmp_path):
    play(tmp_path, Sixes(MANY))
    before, again = promised_bytes(tmp_path), Sixes(MANY)
    run = play(tmp_path, again, games=5000)
    assert not again.seen
    assert ended(run)
    assert promised_bytes(tmp_path) == before


def test_more_games_let_an_undecided_run_go_on(tmp_path):
    undecided = play(tmp_path, Sixes(MANY), games=110)
    assert not ended(undecided)
    run = play(tmp_path, Sixes(MANY), games=2000)
    assert ended(run)
    assert run.games_count == play(None, Sixes(MANY)).games_count


def test_fewer_games_are_refused(tmp_path):
    play(tmp_path, Sixes(MANY))
    with pytest.raises(StoreMismatchError, match="were asked for"):
        play(tmp_path, Sixes(MANY), games=100)


@pytest.mark.parametrize("other", [None, Sixes(500)])
def test_another_rule_is_another_run(tmp_path, other):
    play(tmp_path, Sixes(MANY))
    with pytest.raises(StoreMismatchError, match="until"):
        play(tmp_path, other, games=3000)


def test_progress_counts_towards_the_most_games(tmp_path):
    told: list[tuple[int, int]] = []
    run = play(tmp_path, Sixes(MANY), progress=lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {2000}
    done = [done for done, _ in told]
    assert done == sorted(done)
    assert done[-1] == run.games_count


def test_damage_before_the_end_is_mended(tmp_path):
    play(tmp_path, Sixes(MANY))
    before = promised_bytes(tmp_path)
    shard = sorted(tmp_path.glob("sums/wins/*.parquet"))[0]
    shard.write_bytes(shard.read_bytes()[:50])
    run = play(tmp_path, Sixes(MANY))
    assert "truncated" in run.notices[0]
    assert promised_bytes(tmp_path) == before


@pytest.mark.parametrize("stopped", [7, {"met": 1, "why": "so"}, {"met": True}])
def test_a_harmed_end_is_refused(tmp_path, stopped):
    play(tmp_path, Sixes(MANY))
    file = tmp_path / "manifest.json"
    content = json.loads(file.read_text())
    file.write_text(json.dumps({**content, "stopped": stopped}))
    with pytest.raises(StoreMismatchError, match="is damaged"):
        sim.open_run(tmp_path)


def test_a_run_without_a_rule_says_nothing_of_its_end(tmp_path):
    run = sim.simulate(TOY, games=50, out=tmp_path)
    assert run.stopped is None
    assert b"stopped" not in (tmp_path / "manifest.json").read_bytes()


def test_titles_without_seats_are_looked_at_too():
    run = sim.simulate(SOLO_TOY, games=2000, until=Sixes(MANY))
    assert ended(run)


def test_what_is_no_rule_is_refused():
    with pytest.raises(InputError, match=r"analysis\.stop_rule"):
        sim.simulate(TOY, games=100, until="seat ±1pp")  # type: ignore[arg-type]
