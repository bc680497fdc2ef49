"""A run as a source of tables: its stored sums where they suffice, its rows where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.folding import SUMS
from analysis.reading import Designs, FrameSource
from analysis.sections import present
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from sim.core.title import TitleInfo
    from sim.run.result import Run

__all__ = ["RunSource"]

#: Keys that every block of a plan has; sums may be added up over them or not.
_PLACE = ("players", "design", "block")


class RunSource:
    """Sums and rows of a run.

    Parameters
    ----------
    run : Run
    """

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def info(self) -> TitleInfo:
        """What the run's title declared."""
        return self.run.info

    def answer(self, table: pl.DataFrame) -> Any:
        """Return a table as it is."""
        return table

    def designs(self) -> tuple[str, ...]:
        """Return the designs that the plan plays."""
        return present(self.run.plan)

    def stopped_by_verdict(self) -> bool:
        """Return whether the run ended, or went on, because of its verdicts."""
        return "tightest" in self.run.identity.get("until", ())

    def rows(self) -> FrameSource:
        """Return all rows of seats, each with the columns of its game and cell."""
        return FrameSource(self.run.scan_rows())

    def _games(self) -> pl.LazyFrame:
        """Return all rows of games, joined with those of their cells."""
        cells = self.run.cells.lazy().select("cell", "block", "design")
        return self.run.scan_games().join(cells, on="cell")

    def win_sums(self, keys: Sequence[str], designs: Designs) -> pl.DataFrame:
        """Return the keys, ``players`` and ``SUMS`` of ``win60``."""
        import polars as pl

        self._check(keys)
        rest = ",".join(sorted(key for key in keys if key not in _PLACE))
        wins = self.run.sums.wins
        families = wins["by"].cast(pl.String).unique(maintain_order=True).to_list()
        if rest not in families:
            what = f"win rates by {', '.join(keys)}"
            return self._from_rows(what, families).win_sums(keys, designs)
        table = _of(wins.filter(pl.col("by").cast(pl.String) == rest), designs)
        return table.select(list(dict.fromkeys([*keys, "players", *SUMS])))

    def value_sums(self, column: str, keys: Sequence[str], designs: Designs) -> pl.DataFrame:
        """Return the keys, ``SUMS`` and ``squares`` of a column of games or seats."""
        import polars as pl

        self._check([*keys, column])
        rest = {key for key in keys if key not in _PLACE}
        games = {c.name for c in self.info.level("game")} | {"cell", "deal", "game"}
        by_game = column in games
        # Sums of columns are pooled over blocks.
        kept = column in {c.name for c in self.info.columns if c.summed} and "block" not in keys
        by = ",".join(sorted(rest)) or "all"
        families = ["all"] if by_game else ["all", "seat", "policy", "policy,seat"]
        if not kept or by not in families:
            source = self._from_rows(f"a table of {column} by {', '.join(keys)}", families)
            if by_game and rest <= games:  # a game counts once, not once a seat
                source = FrameSource(self._games())
            return source.value_sums(column, keys, designs)
        columns = self.run.sums.columns
        wanted = (pl.col("column").cast(pl.String) == column) & (pl.col("by").cast(pl.String) == by)
        table = _of(columns.filter(wanted), designs)
        table = table.with_columns(rows=pl.col("n"), y=pl.col("total"))
        return table.select(list(dict.fromkeys([*keys, *SUMS, "squares"])))

    def reason_sums(self, designs: Designs) -> pl.DataFrame:
        """Return ``players``, ``end_reason`` and ``SUMS`` counting games."""
        import polars as pl

        counts = self.run.sums.counts
        table = _of(counts.filter(pl.col("column").cast(pl.String) == "end_reason"), designs)
        table = self._sized(table)
        per, n = pl.col("per_deal"), pl.col("n")
        # Every reason is compared with all games of its player count, in blocks without it too.
        whole = table.group_by("players").agg(
            games=n.sum(),
            rows=n.sum(),
            nn=(per * n).sum(),
        )
        deals = (
            table.group_by("players", "block", "per_deal")
            .agg(n.sum())
            .group_by("players")
            .agg(clusters=(n // per).sum())
        )
        found = table.group_by("players", pl.col("id").alias("end_reason")).agg(
            y=n.sum(), yy=pl.col("yy").sum(), yn=(per * n).sum()
        )
        return (
            found.join(whole, on="players")
            .join(deals, on="players")
            .select("players", "end_reason", *SUMS)
        )

    def counts(self, column: str, designs: Designs) -> pl.DataFrame:
        """Return ``players``, ``value`` and ``games``."""
        import polars as pl

        self._check([column])
        counts = self.run.sums.counts
        if column not in counts["column"].cast(pl.String).unique().to_list():
            what = f"the distribution of {column}"
            return self._from_rows(what, ["rounds"]).counts(column, designs)
        table = _of(counts.filter(pl.col("column").cast(pl.String) == column), designs)
        return table.group_by("players", pl.col("value").cast(pl.Int64)).agg(
            games=pl.col("n").sum()
        )

    def _from_rows(self, what: str, families: Sequence[str]) -> FrameSource:
        if self.run.keep == "sums":
            raise InputError(
                f"the run kept sums only, and {what} is not among them; of this kind it kept: "
                f"{'; '.join(families)} (each by players and design as well); "
                "run it with --keep rows for any other table"
            )
        return self.rows()

    def _sized(self, table: pl.DataFrame) -> pl.DataFrame:
        """Add the number of games that share a deal."""
        import polars as pl

        blocks = self.run.plan.blocks
        sizes = pl.DataFrame(
            {
                "block": pl.Series([b.number for b in blocks], dtype=pl.Int32),
                "per_deal": pl.Series([b.games_per_deal for b in blocks], dtype=pl.Int64),
            }
        )
        return table.join(sizes, on="block", how="left")

    def _check(self, names: Sequence[str]) -> None:
        base = ["players", "seat", "policy", "design", "block", "cell", "deal", "game"]
        known = [*base, *(column.name for column in self.info.columns)]
        for name in names:
            if name not in known:
                raise UnknownNameError("column", name, known)


def _of(table: pl.DataFrame, designs: Designs) -> pl.DataFrame:
    """Keep the sums of the wanted designs."""
    import polars as pl

    if designs is None:
        return table
    return table.filter(pl.col("design").cast(pl.String).is_in(list(designs)))
