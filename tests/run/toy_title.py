"""A title for tests: a race with dice. Runs, stores and sums must not know any title by name.

Its records are plain functions of (key, deal, line-up), from numpy's own Philox. As a program it
plays a run into a folder, for tests that kill it.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from sim.core.records import NO_VALUE, allocate
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import (
    CORE_COLUMNS,
    Category,
    Column,
    DecisionPoint,
    Label,
    Streams,
    Supply,
    Title,
    TitleInfo,
)
from sim.core.vocabulary import Observable, Vocabulary

DATA = Path(__file__).parent / "toy_data"


def label(text: str) -> Label:
    return Label(text, text)


def categories(*names: str) -> tuple[Category, ...]:
    return tuple(Category(name, label(name)) for name in names)


INFO = TitleInfo(
    id="toy",
    label=label("Toy"),
    status=Label("For tests.", "試験用。"),
    result_version=1,
    players=(2, 3, 4),
    seats="ordered",
    decisions=(DecisionPoint("throw", "how hard to throw"),),
    categories={
        "end_reason": categories("target", "cap"),
        "camp": categories("sun", "moon", "sea"),
    },
    caps={"rounds": "limits.round_cap"},
    streams=Streams(single={"dice": 1}, per_seat={}),
    columns=(
        *CORE_COLUMNS[:3],
        Column("sixes", "<u4", "game", "counter", label("Sixes"), summed=True),
        *CORE_COLUMNS[3:],
        Column("camp", "u1", "seat", "category", label("Camp"), selected=True, categories="camp"),
        Column("luck", "<i4", "seat", "counter", label("Luck"), summed=True),
        Column("ones", "u1", "seat", "composition", label("Ones")),
    ),
    batch_games={2: 6, 3: 5, 4: 4},
    score=label("Points"),
    score_range=(0, 500),
    groups=("core", "cards", "series"),
    card_fields=("seen", "held"),
    series=(Column("points", "<i2", "seat", "series", label("Points")),),
    supply=Supply("seen", label("Faces")),
)

SOLO = replace(INFO, id="solo", seats="none", players=(1,), batch_games={1: 50})


class Limits(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    round_cap: int


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    target: int
    sides: int
    fail_deal: int
    limits: Limits


@dataclass
class Tables:
    target: int
    sides: int
    cap: int
    fail_deal: int


def load(overlays: Any = (), overrides: Any = (), *, title: str = "toy") -> Ruleset:
    return load_ruleset(title, DATA, Model, overlays=overlays, overrides=overrides)


def compile_tables(ruleset: Ruleset) -> Tables:
    values = ruleset.values
    return Tables(
        values["target"], values["sides"], values["limits"]["round_cap"], values["fail_deal"]
    )


def vocabulary(_: Ruleset) -> Vocabulary:
    return Vocabulary(
        options=("hard", "soft", "stop"),
        groups={},
        observables=(Observable("round", None, "the round"),),
        arguments={},
        attributes={},
        decisions=INFO.decisions,
    )


def play(tables, policies, bans, key, first_deal, lineups, games_per_deal, out) -> tuple[int, int]:
    """The kernel entry, in numpy."""
    time.sleep(float(os.environ.get("TOY_DELAY", "0")))
    games, players = out.seats.shape
    deals = first_deal + np.arange(games // games_per_deal)
    if first_deal % 10**10 == int(os.environ.get("TOY_DIE_AT", "-1")):
        os._exit(9)
    if tables.fail_deal >= 0:
        bad = np.flatnonzero(deals % 10**10 == tables.fail_deal)
        if len(bad):
            return 1, int(bad[0]) * games_per_deal + games_per_deal - 1
    dice = np.empty((len(deals), players, tables.cap), np.int64)
    for index, deal in enumerate(deals.tolist()):
        stream = np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 1, deal]))
        dice[index] = 1 + stream.integers(0, tables.sides, size=(players, tables.cap))
    dice = np.repeat(dice, games_per_deal, axis=0)
    policy = np.tile(lineups, (games // len(lineups), 1))
    hard = policies.weights[:, 0, 0].astype(np.int64) - policies.slip // 5000
    bonus = hard[policy]
    for seat in range(players):
        if int(bans[seat, 0]) & 1:
            bonus[:, seat] = 0
    points = np.cumsum(dice + bonus[:, :, None], axis=2)
    reached = (points >= tables.target).any(axis=1)
    rounds = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, tables.cap)
    played = np.arange(tables.cap) < rounds[:, None]
    final = np.take_along_axis(points, (rounds - 1)[:, None, None], axis=2)[:, :, 0]
    best = final == final.max(axis=1, keepdims=True)
    out.games["rounds"] = rounds
    out.games["turns"] = rounds * players
    out.games["end_reason"] = ~reached.any(axis=1)
    out.games["sixes"] = ((dice == 6) & played[:, None, :]).sum(axis=(1, 2))
    out.seats["win60"] = np.where(best, 60 // best.sum(axis=1, keepdims=True), 0)
    if players == 1:
        out.seats["win60"] = 60 * reached.any(axis=1, keepdims=True)
    out.seats["score"] = final
    out.seats["rank"] = 1 + (final[:, :, None] < final[:, None, :]).sum(axis=2)
    out.seats["camp"] = (dice[:, :, 0] + policy) % 3
    out.seats["luck"] = ((dice - 3) * played[:, None, :]).sum(axis=2)
    out.seats["ones"] = ((dice == 1) & played[:, None, :]).sum(axis=2)
    if out.cards is not None:
        for kind in range(3):
            out.cards[:, :, kind, 0] = ((dice == kind + 1) & played[:, None, :]).sum(axis=2)
            out.cards[:, :, kind, 1] = dice[:, :, -1] == kind + 1
    if out.series is not None:
        out.series[:, :, :, 0] = np.where(played[:, None, :], points, NO_VALUE)
    return 0, 0


@dataclass
class Played:
    game: Any
    seats: Any
    cards: Any
    series: Any
    trace: Any


def reference(tables, policies, bans, key, deal, lineup, *, trace=False) -> Played:
    out = allocate(INFO, 1, len(lineup))
    play(tables, policies, bans, key, deal, np.array([lineup], np.int16), 1, out)
    names = out.games.dtype.names
    game = {name: int(out.games[name][0]) for name in names}
    seats = [
        {name: int(out.seats[name][0, seat]) for name in out.seats.dtype.names}
        for seat in range(len(lineup))
    ]
    story = (
        {"n": 0, "event": "setup"},
        {"n": 1, "event": "end", "win60": [s["win60"] for s in seats]},
    )
    return Played(game, seats, None, None, story if trace else ())


def refuse(*_: Any, **__: Any) -> Any:
    raise NotImplementedError


def make(info: TitleInfo) -> Title:
    return Title(
        info=info,
        data=DATA,
        load=partial(load, title=info.id),
        compile=compile_tables,
        vocabulary=vocabulary,
        categories=lambda ruleset, name: info.categories[name],
        kinds=lambda ruleset: categories("one", "two", "three"),
        play=play,
        reference=reference,
        from_position=refuse,
        tell=lambda events, language: map(str, events),
    )


TOY = make(INFO)
SOLO_TOY = make(SOLO)


def main(out: str, games: str, jobs: str, backend: str, keep: str) -> None:
    import resource

    import sim
    from sim.errors import TenbinError

    if "TOY_FILE_SIZE" in os.environ:
        most = int(os.environ["TOY_FILE_SIZE"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    try:
        sim.simulate(
            TOY,
            games=int(games),
            jobs=int(jobs),
            backend=backend,
            keep=keep,
            collect=("core", "cards", "series"),
            out=out,
        )
    except TenbinError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    # Records name the functions of this module, so it must have its own name, not __main__.
    from tests.run import toy_title

    toy_title.main(*sys.argv[1:])
