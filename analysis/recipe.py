"""Recipes: everything that it takes to play a run again, as plain JSON that a page can carry.

A recipe holds the identity of a run, its number of games, the texts of overlays and of policies
that are not the title's own, and a digest of the sums that came out. Whoever has it and the same
versions of title and engine gets the same sums, whatever else is in the page.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import InputError

if TYPE_CHECKING:
    from sim.core.title import Title
    from sim.run.manifest import Manifest
    from sim.run.result import Run

__all__ = ["MOST_BYTES", "VERSION", "manifest_of", "play", "read_page", "recipe_of", "sums_of"]

#: Largest page that is read; the recipe of a thousand line-ups has less than a hundredth of that.
MOST_BYTES = 2**26

#: Most seats of a line-up whose rotations are written out.
MOST_SEATS = 100

#: Version of the shape of a recipe.
VERSION = 1

_SCRIPT = re.compile(r'<script type="application/json" id="recipe">(.*?)</script>', re.DOTALL)


def recipe_of(run: Run) -> dict[str, Any]:
    """Return what it takes to play a run again.

    Parameters
    ----------
    run : Run

    Returns
    -------
    dict
        Plain JSON values: ``version``, ``games``, ``identity`` (title, seed, plan, policies, what
        is kept and collected, bans, hashes and versions), ``identity_hash``, ``sources`` (texts of
        overlays and policies, overrides), ``shown`` (labels), ``stopped`` (how a run with a stop
        rule ended), ``sums`` (SHA-256 of each kind).

    Examples
    --------
    >>> import sim
    >>> run = sim.simulate("granmagia", games=60, players=2, keep="sums")
    >>> recipe = recipe_of(run)
    >>> recipe["games"], recipe["identity"]["seed"]
    (60, 1)
    >>> play(recipe).sums.wins.equals(run.sums.wins)
    True
    """
    from sim.run.manifest import read_manifest

    manifest = read_manifest(run.path)
    identity = dict(manifest.identity)
    names = [name for name, _ in identity["policies"]]
    return {
        "version": VERSION,
        "games": manifest.games,
        "identity": {**identity, "plan": _packed(identity["plan"], names)},
        "identity_hash": manifest.hash,
        "sources": dict(manifest.sources),
        "shown": dict(manifest.shown),
        **({} if manifest.stopped is None else {"stopped": dict(manifest.stopped)}),
        "sums": sums_of(run),
    }


def sums_of(run: Run) -> dict[str, str]:
    """Return the SHA-256 of each kind of sums of a run, by name.

    Parameters
    ----------
    run : Run
    """
    kinds = ["wins", "columns", "counts"]
    kinds += [group for group in ("cards", "series") if group in run.collect]
    return {
        # Whole numbers and names only: the text does not depend on the version of any library.
        kind: hashlib.sha256(getattr(run.sums, kind).write_csv().encode()).hexdigest()
        for kind in kinds
    }


def manifest_of(recipe: Mapping[str, Any]) -> Manifest:
    """Return the manifest of the run that a recipe is of.

    Parameters
    ----------
    recipe : mapping

    Raises
    ------
    InputError
        When it is no recipe, of another version, or damaged.
    """
    from sim.run.manifest import Manifest

    version = recipe.get("version") if isinstance(recipe, Mapping) else None
    if version != VERSION:
        raise InputError(f"a recipe has version {version!r}, and this tenbin reads {VERSION}")
    try:
        identity = dict(recipe["identity"])
        names = [name for name, _ in identity["policies"]]
        identity["plan"] = _unpacked(identity["plan"], names)
        parts = {part: recipe[part] for part in ("games", "sources", "shown")}
        manifest = Manifest(identity, **parts, stopped=recipe.get("stopped"))
        intact = manifest.is_sound() and manifest.hash == recipe["identity_hash"]
        intact = intact and bool(recipe["sums"].keys())
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        intact = False
    if not intact:
        raise InputError("the recipe is damaged: its content does not fit its own hash")
    return manifest


def play(
    recipe: Mapping[str, Any],
    out: Path | None = None,
    *,
    jobs: int | None = None,
    backend: str = "threads",
    progress: Callable[[int, int], object] | None = None,
    title: Title | None = None,
) -> Run:
    """Play a recipe.

    Parameters
    ----------
    recipe : mapping
        From :func:`recipe_of`.
    out : Path, optional
        Folder of the run; without it the run is a temporary one. An unfinished one is finished.
    jobs, backend, progress
        As for :func:`sim.simulate`.
    title : Title, optional
        The title, when it is not a registered one.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        When rules, policies or engine are no longer those of the recipe.
    """
    from sim.run import playing
    from sim.run.layout import Cut
    from sim.run.setup import Setup

    asked = manifest_of(recipe)
    setup = Setup.from_manifest(asked, title)
    # What is only shown is as it is now; from_manifest has compared what decides results.
    cut = Cut.from_json(asked.identity["cut"])
    manifest = setup.manifest(asked.plan, cut, asked.identity["keep"], asked.until)
    manifest = replace(manifest, stopped=asked.stopped)
    return playing.play(setup, manifest, jobs=jobs, backend=backend, out=out, progress=progress)


def read_page(place: Path) -> tuple[Any, dict[str, Any] | None]:
    """Return the recipe that a page carries, and the numbers beside it.

    Parameters
    ----------
    place : Path
        ``index.html``, ``report.json``, or a folder with one of them. The JSON is read when there
        is one, because it holds the numbers too.

    Returns
    -------
    recipe : mapping, when the page is not damaged
        Of its main run.
    content : dict or None
        What ``report.json`` holds.

    Raises
    ------
    InputError
        When there is no such page, or no recipe in it.
    """
    folder = place if place.is_dir() else place.parent
    name = None if place.is_dir() or place.suffix == ".md" else place.name
    files = [folder / each for each in ([name] if name else ["report.json", "index.html"])]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        raise InputError(f"{place} holds no page: there is neither report.json nor index.html")
    try:
        with file.open("rb") as source:
            raw = source.read(MOST_BYTES + 1)
        text = raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    if len(raw) > MOST_BYTES:
        raise InputError(f"{file} is larger than {MOST_BYTES // 2**20} MB: no page is")
    content = None
    if file.suffix == ".json":
        content = _parsed(text, file)
        found = content.get("recipe") if isinstance(content, dict) else None
    else:
        script = _SCRIPT.search(text)
        found = _parsed(script[1], file) if script else None
    if not found:
        raise InputError(f"{file} carries no recipe, so nobody knows what it was made from")
    return found, content


def _parsed(text: str, file: Path) -> Any:
    from sim.run.manifest import parse_json

    try:
        return parse_json(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is damaged: {error}") from None


# --- plans ---------------------------------------------------------------------------------------
#
# The default plan of a dozen policies has a thousand blocks. A block is written as its first
# line-up, in numbers of policies; what is no rotation of that is written out.


def _packed(outline: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Any]:
    """Return a plan's outline in less space."""
    number = {name: place for place, name in enumerate(names)}
    packed: list[Any] = []
    for block in outline:
        if "pool" in block:
            packed.append({**block, "pool": [number[name] for name in block["pool"]]})
            continue
        first = [number[name] for name in block["lineups"][0]]
        short = [block["design"], first]
        same = _block(short, names) == block
        packed.append(short if same else dict(block))
    return packed


def _unpacked(packed: Sequence[Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the outline of a plan."""
    return [_block(entry, names) for entry in packed]


def _block(entry: Any, names: Sequence[str]) -> dict[str, Any]:
    from sim.run.plan import rotations

    if isinstance(entry, Mapping):
        if "pool" not in entry:
            return dict(entry)
        return {**entry, "pool": [names[place] for place in entry["pool"]]}
    design, first = entry
    if len(first) > MOST_SEATS:
        raise ValueError("a line-up that nobody can sit down to")
    lineup = tuple(names[place] for place in first)
    turned = rotations(lineup) if design == "rotation" else [lineup]
    return {"design": design, "players": len(first), "lineups": [list(one) for one in turned]}
