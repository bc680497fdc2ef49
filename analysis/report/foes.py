"""How hard single kinds are to get past: how often met, at what cost, and who loses to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.report.plain import by_players, json_row
from analysis.sections import present

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Foes
    from sim.run.result import Run

__all__ = ["foe_section"]

_RATE = ("rate", "se", "lo", "hi")
_MEAN = ("mean", "se", "lo", "hi")


def foe_section(run: Run, foes: Foes | None, level: float) -> dict[str, Any] | None:
    """Return how often each kind was met, what it cost, and how often a game was lost to it.

    Parameters
    ----------
    run : Run
    foes : Foes or None
        Card fields; kinds that never cost anything are no foes.
    level : float
        Coverage of the intervals; those of all kinds and figures hold together.

    Returns
    -------
    dict or None
        ``met`` of all games, ``lost`` of the games that met the kind, ``of_lost`` of the games that
        were lost, and ``costs``: means of the games that met it. None where nothing is declared,
        where cards were not collected, and where somebody plays against somebody.

    Notes
    -----
    Without opponents every game is a deal of its own, so games are independent.
    """
    if foes is None or "cards" not in run.collect or run.info.seats != "none":
        return None
    labels = {kind.id: kind.label._asdict() for kind in run.kinds}
    games, lost = _games(run)
    sums = _sums(run)
    met = sums[foes.met.field]
    costs = [sums[cost.field] for cost in foes.costs]
    kinds = [key for key in met if any(table[key]["rows"] for table in costs)]
    family = len(kinds) * (3 + len(foes.costs))
    z = estimates.z_value(level, max(1, family))

    def row(key: tuple[int, str]) -> dict[str, Any]:
        players, kind = key
        number = met[key]["rows"]
        died = sums[foes.lost.field][key]["rows"]
        return {
            "players": players,
            "kind": kind,
            "label": labels[kind],
            "games": number,
            "count": died,
            "met": _share(number, games[players], z),
            "lost": _share(died, number, z),
            "of_lost": _share(died, lost[players], z) if lost[players] else None,
            "costs": [_mean(table[key], number, z) for table in costs],
        }

    return {
        "met": foes.met.model_dump(),
        "lost": foes.lost.model_dump(),
        "costs": [cost.model_dump() for cost in foes.costs],
        "designs": list(present(run.plan)),
        "family": family,
        "tables": [
            {**table, "games": games[table["players"]], "lost": lost[table["players"]]}
            for table in by_players(row(key) for key in kinds)
        ],
    }


def _games(run: Run) -> tuple[dict[int, int], dict[int, int]]:
    """Return by player count the number of games, and of those that were lost."""
    from analysis import frames

    table = frames.win_rates(run, ("players",)).to_dicts()
    games = {row["players"]: int(row["games"]) for row in table}
    return games, {row["players"]: round(row["games"] * (1 - row["rate"])) for row in table}


def _sums(run: Run) -> dict[str, dict[tuple[int, str], dict[str, int]]]:
    """Return by card field the sums of each kind, in the order of kinds, at each player count."""
    import polars as pl

    table: pl.DataFrame = (
        run.sums.cards.group_by("players", "field", "kind")
        .agg(pl.col("rows", "total", "squares").sum())
        .sort("players", "kind")
    )
    found: dict[str, dict[tuple[int, str], dict[str, int]]] = {}
    for row in table.to_dicts():
        found.setdefault(str(row["field"]), {})[row["players"], str(row["kind"])] = row
    return found


def _share(count: int, of: int, z: float) -> dict[str, Any]:
    sums = {"rows": of, "clusters": of, "y": count, "yy": count, "yn": count, "nn": of}
    got = estimates.clustered_rates(**{k: [v] for k, v in sums.items()}, z=z, win=1)
    return json_row({name: float(getattr(got, name)[0]) for name in _RATE})


def _mean(sums: dict[str, int], of: int, z: float) -> dict[str, Any]:
    """Return the mean over so many games; those that are not in the sums have nought."""
    total, squares = sums["total"], sums["squares"]
    arrays = {"y": total, "yy": squares, "yn": total, "nn": of, "squares": squares}
    got = estimates.means(
        rows=[of], clusters=[of], **{name: [value] for name, value in arrays.items()}, z=z
    )
    return json_row({name: float(getattr(got, name)[0]) for name in _MEAN})
