"""Finished runs in object stores: published once, read by anyone, never changed.

A URL stands for a folder of whatever ``fsspec`` knows: ``s3://bucket/runs/three``, ``gs://…``,
``file:///…``. It holds the files of the store under their names, without those that only whoever
plays needs. ``publishing.json`` is written first and says whose files these will be; the manifest
comes last, so that a run without one is not finished. What is read is compared with the SHA-256 in
the entries, in a folder of this machine that goes with the run.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sim.core.title import Title
from sim.errors import CannotFinishError, InputError, StoreMismatchError, TenbinError, short
from sim.run import frames
from sim.run.layout import Shard
from sim.run.manifest import MOST_BYTES, Manifest, canonical, parse_json, read_manifest
from sim.run.result import Run
from sim.run.store import entry_fault, shard_files

__all__ = ["is_url", "open_published", "publish"]

_CLAIM = "publishing.json"

#: Files that are sent or fetched at a time; object stores do so side by side.
_AT_ONCE = 256


def is_url(place: object) -> bool:
    """Return whether a place of a run is a URL rather than a folder of this machine.

    Examples
    --------
    >>> is_url("s3://bucket/runs/three"), is_url("runs/three")
    (True, False)
    """
    return isinstance(place, str) and "://" in place


class _Place:
    """A folder of some file system, with whatever it says turned into sentences."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        with self._told("open"):
            from fsspec.core import url_to_fs

            self.system, self.root = url_to_fs(self.url)
            self.system.invalidate_cache()
            if hasattr(self.system, "auto_mkdir"):  # disks, which alone have folders without files
                self.system.auto_mkdir = True

    @contextlib.contextmanager
    def _told(self, doing: str) -> Iterator[None]:
        try:
            yield
        except TenbinError:
            raise
        except ImportError as error:
            if (error.name or "").partition(".")[0] == "fsspec":
                raise InputError("URLs need fsspec: pip install 'tenbin[remote]'") from error
            raise InputError(f"{short(self.url)}: {short(str(error))}") from error
        except Exception as error:
            # Each kind of store has exceptions of its own.
            why = short(str(error)) or type(error).__name__
            raise CannotFinishError(f"cannot {doing} {short(self.url)}: {why}") from error

    def at(self, name: str) -> str:
        return f"{self.root}/{name}"

    def sizes(self) -> dict[str, int]:
        """Return the names of all files there, with their sizes."""
        with self._told("read"):
            try:
                found = self.system.find(self.root, detail=True)
            except FileNotFoundError:
                return {}
            start = len(self.root.rstrip("/")) + 1
            return {name[start:]: int(about["size"]) for name, about in found.items()}

    def read(self, name: str) -> bytes:
        with self._told("read"):
            content: bytes = self.system.cat_file(self.at(name))
            return content

    def write(self, name: str, content: bytes) -> None:
        with self._told("write to"):
            self.system.pipe_file(self.at(name), content)

    def remove(self, name: str) -> None:
        with self._told("write to"):
            self.system.rm_file(self.at(name))

    def send(self, folder: Path, names: Sequence[str]) -> None:
        """Copy files of a folder there."""
        for first in range(0, len(names), _AT_ONCE):
            some = names[first : first + _AT_ONCE]
            with self._told("write to"):
                here = [str(folder / name) for name in some]
                self.system.put(here, [self.at(name) for name in some])

    def fetch(self, folder: Path, names: Sequence[str]) -> None:
        """Copy files from there into a folder."""
        for first in range(0, len(names), _AT_ONCE):
            some = names[first : first + _AT_ONCE]
            for name in some:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with self._told("read"):
                here = [str(folder / name) for name in some]
                self.system.get([self.at(name) for name in some], here)


def publish(run: str | Path | Run, url: str, *, title: Title | None = None) -> None:
    """Copy a finished run to a URL, for others to read.

    Nothing is overwritten but what an interrupted publishing of the same run has left. The same
    call again goes on, and does nothing when the run is there.

    Parameters
    ----------
    run : path or Run
        A finished run; every file of it is compared with its hash.
    url : str
        An empty or new folder: ``"s3://bucket/runs/three"``.
    title : Title, optional
        The run's title, when it is not a registered one.

    Raises
    ------
    StoreMismatchError
        When something else is there: another run, or the same with another number of games.
    CannotFinishError
        When the run is not finished, or the store cannot be written.

    Examples
    --------
    >>> import sim, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> run = sim.simulate("granmagia", games=20, players=2, out=f"{folder}/run")
    >>> sim.publish(run, f"file://{folder}/published")  # doctest: +SKIP
    >>> sim.open_run(f"file://{folder}/published").games_count  # doctest: +SKIP
    20
    """
    if not is_url(url):
        raise InputError(f"{short(str(url))!r} is no URL; found no ://, as in s3://bucket/folder")
    opened = Run.open(run.path if isinstance(run, Run) else run, title=title)
    manifest, folder = opened._manifest, opened.path
    place = _Place(url)
    there = place.sizes()
    claim = canonical({"identity_hash": manifest.hash, "games": manifest.games})
    claimed = _CLAIM in there and place.read(_CLAIM) == claim
    if "manifest.json" in there and not claimed:
        _refuse_other(place, manifest)
    elif there and not claimed:
        listed = ", ".join(sorted(there)[:3])
        begun = "a publishing of another run was begun" if _CLAIM in there else "other things are"
        raise StoreMismatchError(f"{begun} in {place.url} ({listed}, …); choose another URL")
    names = _names(manifest, folder)
    if "manifest.json" in there and not claimed:
        names = [name for name in names if there.get(name) != (folder / name).stat().st_size]
    if not names:
        return
    place.write(_CLAIM, claim)
    place.send(folder, names)
    place.send(folder, ["manifest.json"])
    place.remove(_CLAIM)


def _names(manifest: Manifest, folder: Path) -> list[str]:
    """Return the files of a run but for its manifest, entries behind what they vouch for."""
    keys = [shard.key for shard in manifest.shards]
    names = [f"{part}/{key}.parquet" for part in manifest.folders for key in keys]
    names += [f"shards/{key}.json" for key in keys]
    return names + ["log.jsonl"] * (folder / "log.jsonl").is_file()


def _refuse_other(place: _Place, manifest: Manifest) -> None:
    """Raise when another run is published there."""
    with tempfile.TemporaryDirectory() as folder:
        stored = _manifest(place, Path(folder))
    if stored.hash != manifest.hash:
        what = f"another run ({short(str(stored.identity['title']))}, {stored.hash[:12]})"
    elif stored.games != manifest.games:
        what = f"this run with {stored.games:,} games, and not {manifest.games:,}"
    else:
        return
    raise StoreMismatchError(f"{place.url} holds {what}; choose another URL")


def _manifest(place: _Place, folder: Path) -> Manifest:
    """Fetch and read the manifest."""
    content = place.read("manifest.json")
    if len(content) > MOST_BYTES:
        raise StoreMismatchError(f"{place.url}/manifest.json is larger than {MOST_BYTES:,} bytes")
    (folder / "manifest.json").write_bytes(content)
    try:
        return read_manifest(folder)
    except StoreMismatchError as error:
        raise StoreMismatchError(str(error).replace(str(folder), place.url)) from None


def open_published(url: str, *, title: Title | None = None) -> Run:
    """Open a run that was published; :func:`sim.open_run` does so for a URL.

    Raises
    ------
    StoreMismatchError
        When there is no run, or its files are damaged, which are named.
    CannotFinishError
        When its publishing is not finished, or the store cannot be read.
    """
    place = _Place(url)
    folder = Path(tempfile.mkdtemp(prefix="tenbin-"))
    try:
        there = place.sizes()
        if "manifest.json" not in there:
            if _CLAIM in there:
                raise CannotFinishError(
                    f"the publishing of the run in {place.url} is not finished: publish it again"
                )
            raise StoreMismatchError(f"{place.url} holds no run (it has no manifest.json)")
        manifest = _manifest(place, folder)
        names = [*_names(manifest, folder), *(["log.jsonl"] if "log.jsonl" in there else [])]
        for name in names:
            if name not in there:
                raise StoreMismatchError(f"{place.url} is damaged: {name} is missing")
        place.fetch(folder, names)
        schemas = frames.schemas(manifest)
        for shard in manifest.shards:
            if shard_files(folder, shard, manifest, schemas) is None:
                fault = _fault(folder, shard, manifest)
                raise StoreMismatchError(f"{place.url} is damaged: {fault}")
        if manifest.until is not None and manifest.stopped is None:
            raise StoreMismatchError(f"{place.url} is damaged: its run has no end")
        return Run(folder, manifest, title=title, temporary=True, url=place.url)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _fault(folder: Path, shard: Shard, manifest: Manifest) -> str:
    """Return what is wrong with a shard that is not whole."""
    name = f"shards/{shard.key}.json"
    try:
        entry: Any = parse_json((folder / name).read_bytes())
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        return f"{name} cannot be read"
    fault = entry_fault(entry, shard, manifest)
    if fault is not None:
        return f"{name}: {fault}"
    for file, said in sorted(entry["files"].items()):
        content = (folder / file).read_bytes()
        if len(content) < said["bytes"]:
            return f"{file} is truncated ({len(content)} of {said['bytes']} bytes)"
        if hashlib.sha256(content).hexdigest() != said["sha256"]:
            return f"{file} does not fit the hash in its entry"
    return f"{name} has other deals than this run, or its files other columns"
