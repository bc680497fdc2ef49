"""What seats bring along, told with each policy and with the one that suits it best.

A rate over all policies is also about those that play a deck badly. So each one's best policy is
chosen on one half of the deals, and what it then wins is measured on the other: a rate that chose
itself would be too high.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.report.entries import players_of, split
from analysis.report.plain import by_players, json_row
from analysis.report.rates import category_labels, question
from analysis.report.views import category_of
from analysis.sections import present

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Pilots
    from sim.run.result import Run

__all__ = ["pilot_question", "pilot_section"]

_SELF = ("players", "brought")
_PAIR = [*_SELF, "policy"]


def pilot_section(
    run: Run, asked: Pilots | None, level: float, margin: float
) -> dict[str, Any] | None:
    """Return rates of what seats bring along: with each policy, and with the best one.

    Parameters
    ----------
    run : Run
    asked : Pilots or None
    level : float
        Coverage of the intervals; those of each of the three tables hold together.
    margin : float
        Around parity, as a rate.

    Returns
    -------
    dict or None
        ``pairs`` are rates against everything that was played. ``fitted`` are those of each one
        with its best policy against the others with theirs, and ``field`` the same seats against
        everything, both on deals that chose nothing. None where nothing is declared, where no rows
        were kept, without full rotations, and where there is no policy to choose.

    Notes
    -----
    Deals with an even number choose, those with an odd number measure.
    """
    import polars as pl

    if asked is None or run.keep == "sums" or "rotation" not in present(run.plan):
        return None
    entries = {entry: split(entry) for entry in run.plan.policies}
    pairs = {pair for pair in entries.values() if pair[1] is not None}
    several = {brought for _, brought in pairs}
    if len(several) == 1 or len(pairs) <= len(several):  # nobody to meet, or nothing to choose
        return None
    rows = _rows(run, entries)
    every = frames.win_rates(rows, _PAIR, level=level, family="table")
    chosen = _chosen(rows)
    odd = _half(rows, 1).join(chosen.lazy(), on=_PAIR, validate="m:1")
    whole = pl.len().over("game") == pl.col("players")
    told = {"fitted": odd.filter(whole), "field": odd}
    measured = {
        name: frames.win_rates(seats, _PAIR, level=level, family="table", margin=margin)
        for name, seats in told.items()
    }
    values = category_labels(run, asked.brought)
    there = set(every["brought"])
    return {
        "brought": {
            "column": asked.brought,
            "label": category_of(run.info, asked.brought).label._asdict(),
            "values": {name: label for name, label in values.items() if name in there},
        },
        "policies": players_of(run, asked.brought),
        "designs": ["rotation"],
        "margin": margin,
        "missing": every.select(*_SELF).n_unique() - measured["fitted"].height,
        "pairs": by_players(map(json_row, every.to_dicts())),
        **{name: by_players(map(json_row, table.to_dicts())) for name, table in measured.items()},
    }


def pilot_question(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether what seats bring along is balanced, each with its best policy.

    Parameters
    ----------
    found : mapping
        From :func:`pilot_section`.
    """
    tables = [
        {**table, "rows": [_as_category(row, found) for row in table["rows"]]}
        for table in found["fitted"]
    ]
    return question("pilots", found["margin"], tables, missing=found["missing"])


def _as_category(row: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of rates called after what was brought and the policy that plays it."""
    deck, policy = found["brought"]["values"][row["brought"]], found["policies"][row["policy"]]
    label = {"en": f"{deck['en']} ({policy['en']})", "ja": f"{deck['ja']}（{policy['ja']}）"}
    kept = {key: value for key, value in row.items() if key not in ("brought", "policy")}
    return {**kept, "category": row["brought"], "label": label}


def _rows(run: Run, entries: Mapping[str, tuple[str, str | None]]) -> pl.LazyFrame:
    """Return the seats of full rotations, with their entries taken apart."""
    import polars as pl

    names = pl.DataFrame(
        {
            "entry": list(entries),
            "policy": [policy for policy, _ in entries.values()],
            "brought": [brought for _, brought in entries.values()],
        }
    )
    rotations = run.scan_rows().filter(pl.col("design").cast(pl.String) == "rotation")
    entry = pl.col("policy").cast(pl.String)
    seats = rotations.select("deal", "game", "players", "seat", "win60", entry=entry)
    return seats.join(names.lazy(), on="entry", how="left")


def _half(rows: pl.LazyFrame, odd: int) -> pl.LazyFrame:
    import polars as pl

    return rows.filter(pl.col("deal") % 2 == odd)


def _chosen(rows: pl.LazyFrame) -> pl.DataFrame:
    """Return the best policy of each on even deals, against everything; of equals the first."""
    table: pl.DataFrame = frames.win_rates(_half(rows, 0), _PAIR)
    best = table.sort([*_SELF, "rate", "policy"], descending=[False, False, True, False])
    return best.unique(list(_SELF), keep="first", maintain_order=True).select(_PAIR)
