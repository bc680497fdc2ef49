"""Games worth looking at, with the commands that tell them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from sim.errors import InputError

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["can_be_told", "command", "replay"]


def command(folder: str, game: int) -> str:
    """Return the command that tells a game, as a shell takes it.

    Examples
    --------
    >>> command("runs/three", 7)
    'tenbin trace runs/three --game 7'
    >>> command("my runs", 7)
    "tenbin trace 'my runs' --game 7"
    """
    return f"tenbin trace {shlex.quote(folder)} --game {game}"


def can_be_told(run: Run) -> bool:
    """Return whether a run's rules and engine are still those that its games were played with."""
    try:
        run.setup  # noqa: B018 - raises when it cannot be played
    except InputError:
        return False
    return True


def replay(run: Run, folder: str) -> list[dict[str, Any]]:
    """Return games worth looking at: the typical and the extreme where rows were kept.

    None when the run's games cannot be told any more.

    Parameters
    ----------
    run : Run
    folder : str
        How commands shall call the run's folder.
    """
    from sim.run.plan import game_id

    if not can_be_told(run):
        return []
    found: list[dict[str, Any]] = []
    for players in run.plan.players:
        cells = [
            (block, cell)
            for block in run.plan.blocks
            if block.players == players and block.deals
            for cell in block.cells
        ]
        if not cells:  # fewer games than player counts
            continue
        first = sorted(cells, key=lambda pair: pair[0].design != "rotation")[0][1]
        lineup = None if first.lineup is None else list(first.lineup)
        game = game_id(first.number, 0)
        found.append({"players": players, "kind": "first", "game": game, "lineup": lineup})
        if run.keep != "sums":
            found += _by_length(run, players)
    return [{"rounds": None, **item, "command": command(folder, item["game"])} for item in found]


def _by_length(run: Run, players: int) -> list[dict[str, Any]]:
    """Return the first game of median length, the longest and the shortest."""
    import polars as pl

    rounds = pl.col("rounds")
    games = run.scan_games().filter(pl.col("players") == players).select("game", "rounds")
    wanted = {
        "typical": rounds == rounds.quantile(0.5, "lower"),
        "longest": rounds == rounds.max(),
        "shortest": rounds == rounds.min(),
    }
    found: list[dict[str, Any]] = []
    for kind, condition in wanted.items():
        rows = games.filter(condition).sort("game").head(1).collect().to_dicts()
        found += [{"players": players, "kind": kind, "lineup": None, **row} for row in rows]
    return found
