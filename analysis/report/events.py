"""How often something happened to seats of each category, such as special victories by witch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.folding import SUMS, fold
from analysis.report.plain import by_players, json_row
from analysis.report.rates import category_labels
from analysis.report.replay import can_be_told, command
from analysis.report.views import category_of
from analysis.sections import present
from analysis.spec import Event
from sim.errors import UnknownNameError

if TYPE_CHECKING:
    from sim.core.title import Column, TitleInfo
    from sim.run.result import Run

__all__ = ["check_events", "event_section"]


def event_section(run: Run, event: Event, level: float, folder: str) -> dict[str, Any] | None:
    """Return how many seats of each category had an event; None where no rows were kept.

    Parameters
    ----------
    run : Run
    event : Event
        A column of seats that is above zero where the event happened, and a category column.
    level : float
        Coverage of the intervals, simultaneous over the table.
    folder : str
        How commands shall call the run's folder.

    Raises
    ------
    UnknownNameError
        When the title has no such column.
    """
    import polars as pl

    counted, by = _columns(run.info, event)
    if run.keep == "sums":
        return None
    keys = ["players", by.name]
    rows = (
        run.scan_rows()
        .filter(pl.col(by.name).is_not_null())
        .with_columns(hit=(pl.col(counted.name) > 0).cast(pl.Int64))
        .select("deal", "game", "rounds", *keys, "hit")
    )
    sums = fold(rows, keys, "hit").sort(keys)
    hits = (
        rows.filter(pl.col("hit") > 0)
        .group_by(keys)
        .agg(round=pl.col("rounds").median(), example=pl.col("game").min())
        .collect()
    )
    got = estimates.clustered_rates(
        **{name: sums[name].to_numpy() for name in SUMS if name != "games"},
        z=estimates.z_value(level, max(1, sums.height)),
        win=1,
    )
    table = sums.with_columns(
        seats=pl.col("rows"),
        count=pl.col("y"),
        **{name: pl.Series(getattr(got, name)) for name in ("rate", "se", "lo", "hi")},
    ).join(hits, on=keys, how="left")
    labels, told = category_labels(run, by.name), can_be_told(run)

    def row(found: dict[str, Any]) -> dict[str, Any]:
        game = found["example"] if told else None
        names = ("seats", "games", "clusters", "count", "rate", "se", "lo", "hi", "round")
        return {
            "players": found["players"],
            "id": found[by.name],
            "label": labels.get(found[by.name]),
            **json_row({name: found[name] for name in names}),
            "command": None if game is None else command(folder, game),
        }

    return {
        "column": counted.name,
        "label": counted.label._asdict(),
        "by": by.name,
        "by_label": by.label._asdict(),
        "selected": by.selected,
        "designs": list(present(run.plan)),
        "tables": by_players(row(found) for found in table.to_dicts()),
    }


def check_events(info: TitleInfo, events: Iterable[Event]) -> None:
    """Raise when a title has not the columns of some events.

    Parameters
    ----------
    info : TitleInfo
    events : iterable of Event

    Raises
    ------
    UnknownNameError
        With the nearest column.
    """
    for event in events:
        _columns(info, event)


def _columns(info: TitleInfo, event: Event) -> tuple[Column, Column]:
    """Return the column that counts, and the category."""
    seat = {column.name: column for column in info.level("seat")}
    if event.column not in seat:
        raise UnknownNameError("column of seats", event.column, seat)
    return seat[event.column], category_of(info, event.by)
