"""Where results come from: software, parameters, environment and time, as one JSON record."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = ["SCHEMA", "environment", "now", "record", "shown", "software", "usable_cpus"]

#: Version of the record's shape.
SCHEMA = 1

_PACKAGES = ("numpy", "polars", "joblib", "pydantic")


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def version(package: str) -> str | None:
    """Return the installed version of a package, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def software() -> dict[str, Any]:
    """Return the versions that results and files can depend on."""
    found: dict[str, Any] = {"tenbin": version("tenbin"), "python": platform.python_version()}
    found.update({package: version(package) for package in _PACKAGES})
    return found


def environment() -> dict[str, Any]:
    """Return the machine, without its name and its user."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "usable_cpus": usable_cpus(),
    }


def command() -> list[str]:
    """Return the command line of this process, without what only its machine knows.

    The command line's own program is ``tenbin``, however it was started. Paths are shown as by
    :func:`shown`; absolute ones that are left keep their last part.
    """
    program = Path(sys.argv[0])
    own = program.stem == "tenbin" or program.parts[-3:] == ("analysis", "cli", "__main__.py")
    start = ["tenbin"] if own else ["python", program.name]
    return [*start, *(_argument(argument) for argument in sys.argv[1:])]


def _argument(text: str) -> str:
    parts = [shown(part) for part in re.split("([=,])", text)]
    return "".join(f"…/{Path(part).name}" if Path(part).is_absolute() else part for part in parts)


def shown(path: str) -> str:
    """Return a path as others may see it: below the working folder, or below ``~``.

    Examples
    --------
    >>> shown("runs/three"), shown(str(Path.cwd() / "runs" / "three"))
    ('runs/three', 'runs/three')
    """
    place = Path(path)
    if not place.is_absolute():
        return path
    for find, name in ((Path.cwd, "."), (Path.home, "~")):
        try:
            folder = find()
        except (OSError, RuntimeError):  # the working folder is gone, or nobody is at home
            continue
        if place == folder or folder in place.parents:
            below = place.relative_to(folder).as_posix()
            return below if name == "." else f"~/{below}"
    return path


def record(
    identity: Mapping[str, Any],
    games: int,
    sources: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the provenance of a run.

    Parameters
    ----------
    identity, games, sources
        From the manifest.
    log : sequence of mapping
        From the log: every process that worked on the run.

    Returns
    -------
    dict
        ``schema``, ``software``, ``parameters``, ``environment``, ``resources``. Software and
        environment are those of the process that finished the run; times are sums over all.
    """
    starts = [entry for entry in log if entry.get("event") == "start"]
    ends = [entry for entry in log if entry.get("event") == "end"]
    last = starts[-1] if starts else {}
    versions = {key: identity[key] for key in ("format", "result_version", "stream_version")}
    return {
        "schema": SCHEMA,
        "software": {**last.get("software", software()), **versions},
        "parameters": {
            "title": identity["title"],
            "games": games,
            "seed": identity["seed"],
            "ruleset": identity["ruleset"],
            "data": identity["data"],
            "policies": dict(identity["policies"]),
            "plan": identity["plan"],
            "bans": identity["bans"],
            "collect": identity["collect"],
            "keep": identity["keep"],
            "overlays": [overlay["name"] for overlay in sources.get("overlays", ())],
            "overrides": list(sources.get("overrides", ())),
        },
        "environment": last.get("environment", environment()),
        "resources": {
            "command": last.get("command"),
            "started": starts[0].get("time") if starts else None,
            "finished": ends[-1].get("time") if ends else None,
            "seconds": round(sum(entry.get("seconds", 0.0) for entry in ends), 3),
            "games_played": sum(entry.get("games", 0) for entry in ends),
            "jobs": last.get("jobs"),
            "backend": last.get("backend"),
            "sessions": len(starts),
        },
    }
