"""Where the runs behind reports are kept: a folder each, so that none is in another's way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.errors import StoreMismatchError

__all__ = ["KEEP", "run_folder"]

#: What runs of reports keep: exact sums, which are small.
KEEP = "sums"


def run_folder(out: Path, title: Any, games: int, **asked: Any) -> Path:
    """Return the folder of the run that a report of a title needs.

    Every set of rules, policies, seed and line-ups has a folder of its own, named after its
    identity. More games extend the run that is there. Fewer games get a folder of their own beside
    it, so that nothing is lost and the same command gives the same page whatever was played before.

    Parameters
    ----------
    out : Path
        Folder of the report.
    title : str or Title
    games : int
    **asked
        ``players``, ``seed``, ``rules`` and ``overrides`` as for :func:`sim.simulate`.

    Returns
    -------
    Path
        ``out/runs/<identity>`` or ``out/runs/<identity>-<games>``; it need not exist yet.

    Raises
    ------
    InputError
        For arguments or data that cannot be.
    """
    from sim.run.api import find_title, make_plan
    from sim.run.layout import Cut
    from sim.run.setup import Setup
    from sim.run.store import read_manifest

    found = find_title(title)
    plan = make_plan(found, games=games, players=asked.pop("players", None))
    setup = Setup.load(found, plan.policies, **asked)
    manifest = setup.manifest(plan, Cut.of(found.info, plan), KEEP)
    folder = out / "runs" / manifest.hash[:8]
    try:
        stored = read_manifest(folder)
    except StoreMismatchError:
        return folder  # nothing there, or something that the run itself will say
    return folder if stored.games <= games else folder.with_name(f"{folder.name}-{games}")
