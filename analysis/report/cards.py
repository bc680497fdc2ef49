"""What a kind of card does for the seat that is dealt it, and who wins with those chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import estimates
from analysis.estimates import FEW_CLUSTERS
from analysis.report.plain import json_row
from analysis.sections import present

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Cards
    from sim.run.result import Run

__all__ = ["card_section"]

#: Sums over the deals of products of a kind's wins Y, its seat rows N and all seat rows W.
_PRODUCTS = ("yy", "yn", "nn", "yw", "nw")


def card_section(run: Run, cards: Cards | None, level: float) -> dict[str, Any] | None:
    """Return the effects of being dealt each kind, and a description of those that were chosen.

    Without a field that chance fills there is the description alone.

    The effect is the win rate of seats that were dealt a kind less that of seats that were not:
    chance says which seat is dealt what, so that is what the kind does in place of an average other
    one. All games are used, as who sits where has no part in it.

    Parameters
    ----------
    run : Run
    cards : Cards or None
    level : float
        Coverage of the intervals: those of all effects hold together, and those of the shares and
        rates of what was chosen, for themselves.

    Returns
    -------
    dict or None
        None where nothing is declared, where cards were not collected, where nobody plays against
        anybody, and where seats were barred from something by hand.
    """
    if cards is None or "cards" not in run.collect or run.info.seats == "none":
        return None
    if run.identity.get("bans"):
        return None
    whole = _whole(run)
    dealt = {} if cards.dealt is None else _sums(run, cards.dealt.field)
    chosen = _sums(run, cards.chosen.field)
    effects = sum(table["rows"].gt(0).sum() for table in dealt.values())
    described = 2 * sum(table["rows"].gt(0).sum() for table in chosen.values())
    z = [estimates.z_value(level, max(1, int(n))) for n in (effects, described)]
    tables = []
    for players, every in sorted(whole.items()):
        rows = _rows(run, players, chosen[players], every, z[1])
        if players in dealt:
            effect = _effects(players, dealt[players], every, z[0])
            rows = [{**row, "dealt": one} for row, one in zip(rows, effect, strict=True)]
        counts = {name: every[name] for name in ("games", "deals", "seats")}
        tables.append({"players": players, **counts, "rows": rows})
    return {
        "dealt": None if cards.dealt is None else cards.dealt.model_dump(),
        "chosen": cards.chosen.model_dump(),
        "designs": list(present(run.plan)),
        "effects": int(effects),
        "described": int(described),
        "tables": tables,
    }


def _whole(run: Run) -> dict[int, dict[str, int]]:
    """Return by player count all games, deals and seat rows, and the squared rows of deals."""
    found: dict[int, dict[str, int]] = {}
    for block in run.plan.blocks:
        if block.deals:
            seats = block.players * block.games_per_deal
            row = found.setdefault(
                block.players, dict.fromkeys(("games", "deals", "seats", "ww"), 0)
            )
            row["games"] += block.games
            row["deals"] += block.deals
            row["seats"] += seats * block.deals
            row["ww"] += seats * seats * block.deals
    return found


def _sums(run: Run, field: str) -> dict[int, pl.DataFrame]:
    """Return by player count the sums of each kind over seats with one, in the order of kinds."""
    import polars as pl

    per_deal = pl.DataFrame(
        [(b.players, b.design, b.players * b.games_per_deal) for b in run.plan.blocks if b.deals],
        schema={"players": pl.Int8, "design": pl.String, "w": pl.Int64},
        orient="row",
    ).unique()
    kept = run.sums.cards.filter(pl.col("field").cast(pl.String) == field)
    sums = (
        kept.with_columns(pl.col("design").cast(pl.String))
        .join(per_deal, on=["players", "design"], validate="m:1")
        .with_columns(yw=pl.col("y") * pl.col("w"), nw=pl.col("rows") * pl.col("w"))
        .group_by("players", "kind")
        .agg(pl.col("rows", "games", "clusters", "y", *_PRODUCTS).sum())
        .sort("players", "kind")
    )
    return {int(n): sums.filter(pl.col("players") == n) for n in sums["players"].unique()}


def _effects(
    players: int, dealt: pl.DataFrame, every: dict[str, int], z: float
) -> list[dict[str, Any]]:
    """Return the effect of each kind, in the order of kinds."""
    arrays: Any = {name: dealt[name].to_numpy() for name in ("rows", "y", *_PRODUCTS)}
    whole = {"whole": every["seats"], "clusters": every["deals"], "ww": every["ww"]}
    effect = estimates.dealt_effects(**arrays, **whole, parity=1 / players, z=z)
    found = []
    for i, having in enumerate(dealt.to_dicts()):
        few = having["clusters"] < FEW_CLUSTERS
        told = {name: float(getattr(effect, name)[i]) for name in ("effect", "se", "lo", "hi")}
        clear = not few and bool(told["lo"] > 0 or told["hi"] < 0)
        counted = {name: having[name] for name in ("games", "rows", "clusters")}
        found.append(json_row({**told, **counted, "clear": clear}))
    return found


def _rows(
    run: Run, players: int, chosen: pl.DataFrame, every: dict[str, int], z: float
) -> list[dict[str, Any]]:
    """Return how many seats chose each kind and who wins with it, in the order of kinds."""
    sums: Any = {
        name: chosen[name].to_numpy() for name in ("rows", "clusters", "y", "yy", "yn", "nn")
    }
    rate = estimates.clustered_rates(**sums, z=z)
    same = np.ones(chosen.height, np.int64)
    share = estimates.clustered_rates(
        rows=every["seats"] * same,
        clusters=every["deals"] * same,
        y=sums["rows"],
        yy=sums["nn"],
        yn=chosen["nw"].to_numpy(),
        nn=every["ww"] * same,
        z=z,
        win=1,
    )
    labels = {kind.id: kind.label._asdict() for kind in run.kinds}
    found = []
    for i, picked in enumerate(chosen.to_dicts()):
        how_many = {name: float(getattr(share, name)[i]) for name in ("rate", "se", "lo", "hi")}
        found.append(
            {
                "kind": str(picked["kind"]),
                "label": labels[str(picked["kind"])],
                "dealt": None,
                "share": json_row(how_many),
                "chosen": _rate(players, picked, rate, i) if picked["rows"] else None,
            }
        )
    return found


def _rate(players: int, sums: dict[str, Any], rates: estimates.Rates, i: int) -> dict[str, Any]:
    values = {name: float(getattr(rates, name)[i]) for name in ("rate", "se", "lo", "hi")}
    counted = {name: sums[name] for name in ("games", "rows", "clusters")}
    row = {"players": players, **counted, **values, "parity": 1 / players, "verdict": None}
    return json_row(row)
