"""A finished run, as its reader sees it."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.title import Title
from sim.errors import InputError, UnknownNameError
from sim.run import frames, provenance, store
from sim.run.layout import Shard
from sim.run.manifest import Manifest, read_manifest
from sim.run.plan import Plan

if TYPE_CHECKING:
    import polars as pl

    from sim.core.ruleset import Ruleset
    from sim.core.title import Category, Label, TitleInfo
    from sim.run.declared import Declared, Rules
    from sim.run.setup import Setup

__all__ = ["Run", "Sums"]


class Run:
    """A finished run: rows, sums, and where they come from.

    Made by :func:`sim.simulate` or :func:`sim.open_run`, never by hand.

    Attributes
    ----------
    path : Path
        Folder of the store. Without ``out=`` it is a temporary one that lives as long as the run.
    place : str
        What commands can call the run by: its folder, or the URL that it was published to.
    plan : Plan
        What was played.
    sums : Sums
        Exact sums; from the store, or added up from the rows when only rows were kept.
    notices : tuple of str
        For people: overrides that change nothing or leave their range, and what was found damaged
        in the store and replaced.

    Examples
    --------
    >>> import sim
    >>> run = sim.simulate("granmagia", games=60, players=3)
    >>> run.seats["win60"].sum() == 60 * run.games_count
    True
    """

    def __init__(
        self,
        path: Path,
        manifest: Manifest,
        *,
        setup: Setup | None = None,
        title: Title | None = None,
        notices: Sequence[str] = (),
        temporary: bool = False,
        url: str | None = None,
    ) -> None:
        self.path = path
        self.place = url or str(path)
        self.notices = tuple(notices)
        self._manifest = manifest
        self._given = setup
        self._title = title
        if temporary:  # the folder goes when the run goes, at the latest with the process
            weakref.finalize(self, shutil.rmtree, path, ignore_errors=True)

    @classmethod
    def open(cls, path: str | Path, *, title: Title | None = None) -> Run:
        """Open a finished run; :func:`sim.open_run` says more."""
        path = Path(path)
        run = cls(path, read_manifest(path), title=title)
        run._files  # noqa: B018 - looks whether all shards are there
        if run._manifest.until is not None and run._manifest.stopped is None:
            raise store.unfinished(path, run._manifest, run._files)
        return run

    @property
    def games_count(self) -> int:
        """Number of games."""
        return self._manifest.games

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything that decides the results, but for the number of games."""
        return self._manifest.identity

    @property
    def title(self) -> str:
        """Name of the title."""
        return str(self.identity["title"])

    @property
    def seed(self) -> int:
        """The seed."""
        return int(self.identity["seed"])

    @property
    def stopped(self) -> Mapping[str, Any] | None:
        """How a run with a stop rule ended: whether it was ``met``, and ``why``; else None."""
        return self._manifest.stopped

    @property
    def part(self) -> tuple[int, int] | None:
        """``(2, 8)`` for the second of eight parts of a run, which is to be joined; else None."""
        return self._manifest.part

    @property
    def keep(self) -> str:
        """What was kept: ``rows``, ``sums`` or ``both``."""
        return str(self.identity["keep"])

    @property
    def collect(self) -> tuple[str, ...]:
        """Groups that were collected."""
        return tuple(self.identity["collect"])

    @cached_property
    def plan(self) -> Plan:
        """What was played."""
        return self._manifest.plan

    @cached_property
    def _declared(self) -> Declared:
        return self._manifest.declared

    @property
    def info(self) -> TitleInfo:
        """What the title declared when the run was begun: columns, categories, labels, …

        It is kept in the store, so that a run can be read after its title has changed.
        """
        return self._declared.info

    @property
    def policies(self) -> Mapping[str, Label]:
        """Line-up entries of the plan, with their display names."""
        return self._declared.policies

    @property
    def kinds(self) -> tuple[Category, ...]:
        """Card kinds of the rules that were played."""
        return self._declared.kinds

    @property
    def rules(self) -> Rules:
        """Hashes of the rules that were played, where their values came from, what was changed."""
        return self._declared.rules

    def categories(self, name: str) -> tuple[Category, ...]:
        """Return the values of a category column, with their display names.

        Parameters
        ----------
        name : str
            Name of the column: ``"end_reason"``.

        Returns
        -------
        tuple of Category

        Raises
        ------
        UnknownNameError
            When the run has no such category column.
        """
        known = [column.name for column in self.info.columns if column.role == "category"]
        if name not in known:
            raise UnknownNameError("category column", name, known)
        return self._declared.values(name)

    @cached_property
    def setup(self) -> Setup:
        """Title, ruleset, policies and key, ready to play: loaded again from the store.

        Raises
        ------
        InputError
            When rules, policies or engine are no longer those of the run. Its rows and sums, and
            whatever is made of them, need no setup.
        """
        if self._given is not None:
            return self._given
        from sim.run.setup import Setup

        return Setup.from_manifest(self._manifest, self._title)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that was played, loaded again: see :attr:`setup`, and :attr:`rules`."""
        return self.setup.ruleset

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """Software, parameters, environment and resources of the run, as plain JSON values."""
        log = store.read_log(self.path)
        return provenance.record(self.identity, self.games_count, self._manifest.sources, log)

    @cached_property
    def _files(self) -> list[tuple[Shard, dict[str, Path]]]:
        if self.part is not None:
            number, of = self.part
            raise InputError(
                f"{self.path} is part {number} of {of} of a run: join the parts first "
                "(sim.merge, tenbin merge)"
            )
        expected = self._manifest.shards
        columns = frames.schemas(self._manifest)
        found = [store.shard_files(self.path, shard, self._manifest, columns) for shard in expected]
        if any(files is None for files in found):
            finished = [files for files in found if files is not None]
            raise store.unfinished(self.path, self._manifest, finished)
        return [(shard, files or {}) for shard, files in zip(expected, found, strict=True)]

    def _part(self, part: str) -> list[Path]:
        if part in ("games", "seats") and self.keep == "sums":
            raise InputError(f'{self!r} kept sums only; run it with keep="rows" to have rows')
        return [files[part] for _, files in self._files]

    def scan_games(self) -> pl.LazyFrame:
        """Return one row a game: cell, game, deal, players, rounds, turns, end_reason, …"""
        import polars as pl

        return pl.scan_parquet(self._part("games"))

    def scan_seats(self) -> pl.LazyFrame:
        """Return one row a seat: game, seat (from 1), policy, win60, score, rank, …"""
        import polars as pl

        return pl.scan_parquet(self._part("seats"))

    def scan_rows(self) -> pl.LazyFrame:
        """Return one row a seat, with the columns of its game and cell beside it.

        These are the rows of :meth:`scan_seats` in the same order, each with cell, block, design,
        deal and players, and with the title's columns of games. ``deal`` is what intervals are
        clustered by and ``players`` what parity follows from, so that a filtered or pooled frame
        keeps what an analysis needs.

        Returns
        -------
        polars.LazyFrame

        Raises
        ------
        InputError
            When the run kept sums only.
        """
        cells = self.cells.lazy().select("cell", "block", "design")
        games = self.scan_games().join(cells, on="cell", how="left", maintain_order="left")
        seats = self.scan_seats()
        rows = seats.join(games, on="game", how="left", maintain_order="left")
        place = ["cell", "block", "design", "players", "deal", "game"]
        names = rows.collect_schema().names()
        return rows.select([*place, *(name for name in names if name not in place)])

    @property
    def rows(self) -> pl.DataFrame:
        """All rows of seats with their games' cell, block, design, players, deal and columns.

        Examples
        --------
        >>> import sim
        >>> run = sim.simulate("granmagia", games=60, players=3)
        >>> run.rows.columns[:8]
        ['cell', 'block', 'design', 'players', 'deal', 'game', 'seat', 'policy']
        """
        return self.scan_rows().collect()

    @property
    def games(self) -> pl.DataFrame:
        """All rows of games, in stored order."""
        return self.scan_games().collect()

    @property
    def seats(self) -> pl.DataFrame:
        """All rows of seats, in the order of the games, seat 1 first."""
        return self.scan_seats().collect()

    @cached_property
    def cells(self) -> pl.DataFrame:
        """One row a cell: cell, block, design, players, lineup, pool, games."""
        return frames.cells_frame(self.plan)

    @cached_property
    def sums(self) -> Sums:
        """Exact sums (see :class:`Sums`)."""
        return Sums(self)

    def __repr__(self) -> str:
        players = ", ".join(map(str, self.plan.players))
        rules = str(self.identity["ruleset"])[:8]
        return (
            f"Run({self.title!r}, games={self.games_count:,}, players={players}, "
            f"seed={self.seed}, ruleset={rules}, keep={self.keep!r}, path={str(self.path)!r})"
        )


class Sums:
    """The exact sums of a run as frames; a key that never occurred has no row.

    The unit of chance is the deal: ``clusters`` counts deals, and ``games`` games, that have at
    least one row of a key.

    Attributes
    ----------
    wins : polars.DataFrame
        by, block, players, design, seat, policy, one column for each category of a seat, rows,
        games, clusters, y, yy, yn, nn, where Y and N are the win shares (in sixtieths) and rows of
        the key within one deal. ``by`` is the family: ``seat``, ``policy``, ``policy,seat`` or the
        name of a category column; the other keys are null.
    columns : polars.DataFrame
        column, by, players, design, seat, policy, n, total, squares, yy, yn, nn, games,
        clusters of every summed column. ``squares`` is the sum of the squared values; Y and N are
        the total and the number of values of the key within one deal. ``by`` is the family:
        ``all``, and for columns of a seat also ``seat``, ``policy`` and ``policy,seat``.
    counts : polars.DataFrame
        column, block, players, design, value, id, n, clusters, yy: games by end reason (and other
        categories of a game) and by ``rounds``; ``id`` is the category's name, ``yy`` the sum over
        deals of the squared number of such games in a deal.
    cards : polars.DataFrame
        players, design, kind, field, rows, games, clusters, total, y, yy, yn, nn, squares over
        rows of seats whose value of the field is above 0; ``total`` and ``squares`` are of these
        values.
    series : polars.DataFrame
        column, players, design, seat, round, n, total, squares.
    """

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def wins(self) -> pl.DataFrame:
        """Win sums by seat, policy, both, and each category of a seat."""
        return self._frame("wins")

    @cached_property
    def columns(self) -> pl.DataFrame:
        """Sums of summed columns, by seat, policy and both where the column is a seat's."""
        return self._frame("columns")

    @cached_property
    def counts(self) -> pl.DataFrame:
        """Games by end reason and by rounds, and their squares by deal."""
        return self._frame("counts")

    @cached_property
    def cards(self) -> pl.DataFrame:
        """Card counts and the win sums beside them."""
        return self._collected("cards")

    @cached_property
    def series(self) -> pl.DataFrame:
        """Values by round."""
        return self._collected("series")

    def _collected(self, group: str) -> pl.DataFrame:
        if group not in self._run.collect:
            raise InputError(
                f"{self._run!r} did not collect {group}; "
                f'run it with collect=("core", "{group}") to have them'
            )
        return self._frame(group)

    def _frame(self, name: str) -> pl.DataFrame:
        import polars as pl

        part = f"sums/{name}"
        listed = self._run._files
        if all(part in files for _, files in listed):
            return frames.merged(pl.read_parquet(files[part]) for _, files in listed)
        return frames.merged(parts_of[name] for parts_of in self._from_rows)

    @cached_property
    def _from_rows(self) -> list[dict[str, pl.DataFrame]]:
        """Sums of each shard, added up from its rows."""
        import polars as pl

        from sim.run.runner import fold_rows

        plan, declared = self._run.plan, self._run._declared
        names = declared.names(plan)
        parts = []
        for shard, files in self._run._files:
            rows = frames.records_of(
                names,
                shard.players,
                pl.read_parquet(files["games"]),
                pl.read_parquet(files["seats"]),
            )
            spec = declared.spec(plan, shard.players)
            sums = fold_rows(spec, plan, shard, *rows)
            parts.append(frames.sum_frames(names, spec, shard, sums))
        return parts
