"""A made-up run for tests: the plan is real, the games are drawn with numpy, no kernel is needed.

It has what a finished ``sim.run.result.Run`` shows its readers. Seat 1 (by ``ahead``) and the
policy ``strong`` have an advantage, a fifth of the games are tied, and games of one deal share
their luck.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl

from sim.core.title import (
    CORE_COLUMNS,
    Category,
    Column,
    DecisionPoint,
    Label,
    Streams,
    TitleInfo,
)
from sim.run.frames import cells_frame
from sim.run.plan import Plan, game_id, make_plan

PLACE = ["block", "players", "design"]
POLICIES = ("plain", "random", "strong", "wild")
LABELS = (
    Label("Plain", "地味"),
    Label("Random", "でたらめ"),
    Label("Strong <b>& bold</b>", "強気 ≥5"),
    Label("Wild", "奔放"),
)
GUILDS = (Category("sun", Label("Sun", "太陽")), Category("moon", Label("Moon", "月")))
ENDS = (
    Category("points", Label("Points reached", "得点到達")),
    Category("cap", Label("Round cap", "上限")),
)

INFO = TitleInfo(
    id="toy",
    label=Label("The Toy", "おもちゃ"),
    status=Label("Everything but the rules.", "ルール以外のすべて。"),
    result_version=1,
    players=(2, 3),
    seats="ordered",
    decisions=(DecisionPoint("move", "What to do."),),
    categories={"end_reason": ENDS, "guild": GUILDS},
    caps={},
    streams=Streams({}, {}),
    columns=(
        *CORE_COLUMNS,
        Column("guild", "u1", "seat", "category", Label("Guild", "組合"), True, categories="guild"),
        Column("quests", "<i2", "seat", "source", Label("Quests", "依頼"), summed=True),
    ),
    batch_games={2: 100, 3: 100},
    score=Label("Points", "点"),
    score_range=(0, 100),
)


class ToyRun:
    """Looks like a run; see the module's docstring."""

    def __init__(
        self,
        games: int = 4000,
        *,
        keep: str = "both",
        seed: int = 1,
        info=INFO,
        ahead: float = 0.3,
        **asked,
    ) -> None:
        self.ahead = ahead
        self.info, self.seed, self.keep = info, seed, keep
        self.plan: Plan = make_plan(info, POLICIES, games=games, **asked)
        self.games_count = games
        self.title = info.id
        self.path = Path("runs/toy")
        self.place = "runs/toy"
        self.notices = ()
        self.stopped = None
        self.collect = ("core",)
        self.identity = {
            "title": info.id,
            "seed": seed,
            "keep": keep,
            "ruleset": "0" * 64,
            "result_version": 1,
            "stream_version": 1,
            "policies": [[name, "f" * 64] for name in self.plan.policies],
        }
        self.rules = SimpleNamespace(
            hash="0" * 64,
            data_hash="1" * 64,
            sources={"rulebook": 41, "assumed": 214, "override": 1},
            changes={"cards.toy.cost": 7},
        )
        self.setup = None
        self.policies = dict(zip(POLICIES, LABELS, strict=True))
        self.provenance = {
            "software": {"tenbin": "0.1.0"},
            "environment": {"system": "Linux", "cpus": 2},
            "resources": {
                "command": ["tenbin", "report", "toy"],
                "finished": "2026-01-01T00:00:00+00:00",
                "seconds": 2.5,
                "games_played": games,
                "jobs": 2,
                "backend": "threads",
            },
        }

    @cached_property
    def _rows(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        rng = np.random.default_rng(self.seed)
        games: list[dict] = []
        seats: list[dict] = []
        for block in self.plan.blocks:
            n = block.players
            for i in range(block.deals):
                luck = rng.normal(0, 0.5, n)
                for cell in block.cells:
                    lineup = cell.lineup or tuple(rng.choice(block.pool, n))
                    power = luck + rng.normal(0, 1, n) + self.ahead * (np.arange(n) == 0)
                    power += np.array([0.5 * name.startswith("strong") for name in lineup])
                    best = np.flatnonzero(power == power.max())
                    if n > 1 and rng.random() < 0.2:
                        best = np.argsort(power)[-2:]
                    game = game_id(cell.number, i)
                    rounds = int(rng.integers(8, 15))
                    games.append(
                        {
                            "cell": cell.number,
                            "game": game,
                            "deal": block.first_deal + i,
                            "players": n,
                            "rounds": rounds,
                            "turns": rounds * n,
                            "end_reason": ENDS[int(rounds >= 14)].id,
                        }
                    )
                    seats += [
                        {
                            "game": game,
                            "seat": seat + 1,
                            "policy": str(lineup[seat]),
                            "win60": 60 // len(best) if seat in best else 0,
                            "score": int(10 * power[seat]),
                            "rank": 1,
                            "guild": GUILDS[int(rng.integers(2))].id,
                            "quests": int(rng.integers(5)),
                        }
                        for seat in range(n)
                    ]
        enums = {"guild": pl.Enum([g.id for g in GUILDS])}
        enums["policy"] = pl.Enum(list(self.plan.policies))
        frame = pl.DataFrame(games).with_columns(
            pl.col("cell").cast(pl.Int32), pl.col("end_reason").cast(pl.Enum([e.id for e in ENDS]))
        )
        return frame, pl.DataFrame(seats).cast(enums)

    def categories(self, name: str):
        return {"end_reason": ENDS, "guild": GUILDS}[name]

    @property
    def games(self) -> pl.DataFrame:
        return self._rows[0]

    @property
    def seats(self) -> pl.DataFrame:
        return self._rows[1]

    def scan_games(self) -> pl.LazyFrame:
        assert self.keep != "sums"
        return self.games.lazy()

    def scan_seats(self) -> pl.LazyFrame:
        assert self.keep != "sums"
        return self.seats.lazy()

    def scan_rows(self) -> pl.LazyFrame:
        assert self.keep != "sums"
        return self.joined.lazy()

    @cached_property
    def cells(self) -> pl.DataFrame:
        return cells_frame(self.plan)

    @cached_property
    def joined(self) -> pl.DataFrame:
        cells = self.cells.select("cell", "block", "design")
        return self.seats.join(self.games.join(cells, on="cell"), on="game")

    @cached_property
    def sums(self) -> SimpleNamespace:
        """Sums in the shape of a store's, added up in the plainest way."""
        games = self.games.join(self.cells.select("cell", "block", "design"), on="cell")
        families = {name: name.split(",") for name in ("seat", "policy", "policy,seat", "guild")}
        wins = [
            self._folded(self.joined, "win60", keys).with_columns(by=pl.lit(name))
            for name, keys in families.items()
        ]
        families = {"all": [], **families}
        del families["guild"]
        columns = [
            self._folded(games, name, []).with_columns(column=pl.lit(name), by=pl.lit("all"))
            for name in ("rounds", "turns")
        ] + [
            self._folded(self.joined, name, keys).with_columns(column=pl.lit(name), by=pl.lit(by))
            for name in ("score", "quests")
            for by, keys in families.items()
        ]
        counts = [
            self._count(games, pl.col("rounds").alias("value")).with_columns(
                column=pl.lit("rounds"), id=pl.lit(None, pl.String)
            ),
            self._count(games, pl.col("end_reason").cast(pl.String).alias("id")).with_columns(
                column=pl.lit("end_reason"), value=pl.lit(0, pl.Int64)
            ),
        ]
        return SimpleNamespace(
            wins=pl.concat(wins, how="diagonal"),
            columns=pl.concat(columns, how="diagonal").rename({"rows": "n", "y": "total"}),
            counts=pl.concat(counts, how="diagonal"),
        )

    @staticmethod
    def _count(games: pl.DataFrame, key: pl.Expr) -> pl.DataFrame:
        deals = games.group_by([*PLACE, key, "deal"]).agg(N=pl.len().cast(pl.Int64))
        n = pl.col("N")
        return deals.group_by([*PLACE, key.meta.output_name()]).agg(
            n=n.sum(), clusters=pl.len().cast(pl.Int64), yy=(n * n).sum()
        )

    @staticmethod
    def _folded(frame: pl.DataFrame, name: str, keys: list[str]) -> pl.DataFrame:
        value, y, n = pl.col(name).cast(pl.Int64), pl.col("Y"), pl.col("N")
        deals = frame.group_by([*PLACE, *keys, "deal"]).agg(
            Y=value.sum(),
            N=pl.len().cast(pl.Int64),
            S=(value * value).sum(),
            G=pl.col("game").n_unique().cast(pl.Int64),
        )
        return deals.group_by([*PLACE, *keys]).agg(
            rows=n.sum(),
            games=pl.col("G").sum(),
            clusters=pl.len().cast(pl.Int64),
            y=y.sum(),
            squares=pl.col("S").sum(),
            yy=(y * y).sum(),
            yn=(y * n).sum(),
            nn=(n * n).sum(),
        )
