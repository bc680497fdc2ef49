"""The store of a run: a folder whose files are the same for anyone who runs the same command.

::

    manifest.json            identity and number of games
    games/003-00000.parquet  rows of games     (003: section of the plan, 00000: shard of it)
    seats/003-00000.parquet  rows of seats
    sums/wins/003-00000.parquet, sums/columns/…, sums/counts/…, sums/cards/…, sums/series/…
    shards/003-00000.json    what the files of a shard are: identity, deals, bytes, SHA-256
    set-aside/001/…          files that were damaged or of another run, and were replayed
    log.jsonl                who worked on it: command, machine, backend, timings

A shard counts as finished when its entry in ``shards/`` is there and fits; the entry is written
after its files. Every file is written under another name, forced to the disk and renamed, so that
a name never stands for half a file. One process writes at a time, under a lock that ends with it.
Manifest, shards and sums do not depend on the number of workers, the backend or interruptions;
the log, the lock and what was set aside are not part of that promise.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.toml_source import nests_deeply
from sim.errors import CannotFinishError, StoreLockedError, StoreMismatchError, short
from sim.run import frames
from sim.run.layout import Piece, Shard
from sim.run.manifest import Manifest, canonical, differences, fits, read_json, read_manifest

if TYPE_CHECKING:
    import polars as pl

__all__ = ["StoreWriter"]

_PARTS = ("games", "seats", "sums", "shards")


#: Largest entry of a shard that is read; most have less than a thousandth of that.
_MOST_BYTES = 2**20

_ENTRY = {
    "identity": str,
    "shard": str,
    "pieces": [(int, int, int)],
    "files": {...: {"bytes": int, "sha256": str}},
}

#: What the records of the log must be, where they are there.
_RECORD: dict[str, type | tuple[type, ...]] = {
    "time": str,
    "software": dict,
    "environment": dict,
    "command": list,
    "seconds": (int, float),
    "games": int,
}


def shard_files(
    path: Path, shard: Shard, manifest: Manifest, schemas: Mapping[str, pl.Schema]
) -> dict[str, Path] | None:
    """Return the files of a finished shard by part, or None when it is not finished or damaged."""
    entry = _read_entry(path, shard)
    if entry is None or entry_fault(entry, shard, manifest):
        return None
    if entry["pieces"] != _pieces(shard):
        return None
    for name, stored in entry["files"].items():
        file = path / name
        if not file.is_file() or _digest(file) != stored["sha256"]:
            return None
        if not frames.has_schema(file, schemas[str(Path(name).parent)]):
            return None
    return {str(Path(name).parent): path / name for name in entry["files"]}


def _read_entry(path: Path, shard: Shard) -> dict[str, Any] | None:
    try:
        entry = read_json(path / "shards" / f"{shard.key}.json", _MOST_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) and not nests_deeply(entry) else {}


def _pieces(shard: Shard) -> list[list[int]]:
    return [[piece.block, piece.first, piece.deals] for piece in shard.pieces]


def entry_fault(entry: Mapping[str, Any], shard: Shard, manifest: Manifest) -> str | None:
    """Return what is wrong with a shard's entry, other than that it has other deals."""
    if not fits(entry, _ENTRY) or entry.get("check") != _check_sum(entry):
        return "its entry is damaged"
    if entry["identity"] != manifest.hash:
        return "it belongs to another run"
    if entry["shard"] != shard.key:
        return f"it is a copy of shard {short(entry['shard'])}"
    if set(entry["files"]) != {f"{part}/{shard.key}.parquet" for part in manifest.folders}:
        return "its entry names other files than a shard of this run has"
    return None


def _check_sum(entry: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what an entry says: no half-edited entry is taken for a whole one."""
    said = {key: value for key, value in entry.items() if key != "check"}
    # Plain JSON rather than the canonical text, which refuses what a damaged entry may hold.
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _within(piece: Piece, pieces: Iterable[Piece]) -> bool:
    """Return whether a piece is the beginning of one of the others, or all of it."""
    return any(
        (piece.block, piece.first) == (whole.block, whole.first) and 0 < piece.deals <= whole.deals
        for whole in pieces
    )


class StoreWriter:
    """The one process that writes to a store; use it as a context manager.

    Parameters
    ----------
    path : Path
        Folder; it is made when it is not there.
    manifest : Manifest
        What is to be in it.
    durable : bool
        Force files to the disk; not needed for a store that ends with the process.
    first : int, optional
        Of a run with a stop rule: the games of its first look, with which it begins. The manifest
        then has the most games that it may come to.

    Attributes
    ----------
    notices : list of str
        What was found damaged and set aside, in sentences for people.

    Raises
    ------
    StoreMismatchError
        When the folder holds something else, another identity, or more games.
    StoreLockedError
        When another process writes to it.
    CannotFinishError
        When it cannot be written.
    """

    def __init__(
        self, path: Path, manifest: Manifest, *, durable: bool = True, first: int | None = None
    ) -> None:
        self.path = path
        self._first = first
        self.manifest = manifest
        self.durable = durable
        self.notices: list[str] = []
        self._lock: int | None = None
        self._aside: Path | None = None

    def __enter__(self) -> StoreWriter:
        self._check_folder()
        with self._told("write to"):
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise StoreLockedError(
                f"another process is writing to {self.path}; wait for it, or choose another folder"
            ) from None
        self._lock = lock
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)  # which frees the lock; so does the end of the process
            self._lock = None

    def _check_folder(self) -> None:
        """Refuse a folder with other things in it before anything is written to it."""
        with self._told("read"):
            if not self.path.exists():
                return
            if not self.path.is_dir():
                raise StoreMismatchError(f"{self.path} is a file, and a run needs a folder")
            found = {entry.name for entry in self.path.iterdir()}
            self._refuse_links()
        if "manifest.json" in found:
            return
        strange = sorted(name for name in found if name not in {".lock", "log.jsonl"})
        strange = [name for name in strange if not _is_leftover(name)]
        if strange:
            listed = ", ".join(strange[:5]) + (", …" if len(strange) > 5 else "")
            raise StoreMismatchError(
                f"{self.path} has no manifest.json but holds other things ({listed}); "
                "choose an empty or new folder"
            )

    def _refuse_links(self) -> None:
        """Refuse what leads out of the folder: nothing elsewhere is written, moved or removed."""
        found = [*self.path.iterdir()]
        if not any(file.is_symlink() for file in found):
            found += [file for part in _PARTS for file in (self.path / part).rglob("*")]
        for file in found:
            if file.is_symlink() or not (file.is_dir() or file.is_file()):
                raise StoreMismatchError(
                    f"{file} is a link or a device; a run has files and folders of its own: "
                    "choose another folder"
                )

    def _begin(self) -> None:
        """Compare with what is there, and clean what dead processes left."""
        self._check_folder()
        asked = self.manifest
        if (self.path / "manifest.json").exists():
            stored = read_manifest(self.path)
            found = differences(stored.identity, asked.identity)
            if not found and stored.part != asked.part:
                found = [f"it is {_part(stored)} of its games there and {_part(asked)} here"]
            if found:
                more = f" (and {len(found) - 6} more)" if len(found) > 6 else ""
                raise StoreMismatchError(
                    f"{self.path} holds another run: {'; '.join(found[:6])}{more}; "
                    "choose another folder"
                )
            if asked.games < stored.games:
                raise StoreMismatchError(
                    f"{self.path} is a run of {stored.games:,} games, and {asked.games:,} were "
                    f"asked for; ask for {stored.games:,} or more, or choose another folder"
                )
            # Texts of equal hash may differ in comments and labels: those of the first stay.
            self.manifest = self._resumed(stored)
        elif self._first is not None:
            self.manifest = replace(asked, games=self._first)
        with self._told("write to"):
            for folder in ("", *_PARTS):
                for file in (self.path / folder).rglob("*") if folder else self.path.iterdir():
                    if _is_leftover(file.name):
                        file.unlink()
        content = self.manifest.to_bytes()
        file = self.path / "manifest.json"
        if not file.exists() or file.read_bytes() != content:
            self._write({"manifest.json": content})

    def _resumed(self, stored: Manifest) -> Manifest:
        """Return the manifest with which a run goes on that is there already."""
        asked = self.manifest
        if self._first is None:
            return replace(stored, games=asked.games, stopped=asked.stopped)
        stopped = stored.stopped
        if stopped and not stopped["met"] and asked.games > stored.games:
            stopped = None  # more games may be played than before
        return replace(stored, games=max(stored.games, self._first), stopped=stopped)

    def change(self, *, games: int, stopped: Mapping[str, Any] | None = None) -> None:
        """Write the manifest of a run with a stop rule anew: for its next look, or for its end."""
        self.manifest = replace(self.manifest, games=games, stopped=stopped)
        self._write({"manifest.json": self.manifest.to_bytes()})

    def verify(self, expected: Sequence[Shard]) -> dict[str, tuple[Piece, ...]]:
        """Return the deals that shards have; set aside what is damaged or does not belong.

        Every file of every shard is read and compared with its entry, so that a damaged,
        truncated, doubled or foreign shard is found, named and played again. A shard of a run that
        is being extended has a part of its deals.
        """
        done: dict[str, tuple[Piece, ...]] = {}
        digests: dict[str, str] = {}
        found = self._files()
        for shard in expected:
            names = found.pop(shard.key, [])
            entry = _read_entry(self.path, shard)
            if entry is None:  # half written when its process died
                self._remove(names)
                continue
            fault = entry_fault(entry, shard, self.manifest)
            if fault is None:
                fault = self._file_fault(entry["files"], digests)
                belonging = {f"shards/{shard.key}.json", *entry["files"]}
                found[""] = [*found.get("", ()), *(name for name in names if name not in belonging)]
                names = [name for name in names if name in belonging]
            if fault is None:
                pieces = tuple(Piece(*piece) for piece in entry["pieces"])
                if all(_within(piece, shard.pieces) for piece in pieces):
                    done[shard.key] = pieces
                else:  # the block that takes what is left over had to give deals back
                    self._remove(names)
                continue
            self._set_aside(names)
            self.notices.append(
                f"shard {shard.key} of {self.path}: {fault}; "
                f"set aside in {self._aside} and played again"
            )
        strange = sorted(name for names in found.values() for name in names)
        self._set_aside(strange)
        self.notices += [
            f"{self.path / name} does not belong to this run; set aside in {self._aside}"
            for name in strange
        ]
        return done

    @cached_property
    def schemas(self) -> dict[str, pl.Schema]:
        """The columns that the files of a shard have, by part."""
        return frames.schemas(self.manifest)

    def _file_fault(self, files: Mapping[str, Any], digests: dict[str, str]) -> str | None:
        for name, stored in sorted(files.items()):
            file = self.path / name
            if not file.is_file():
                return f"{name} is missing"
            size = file.stat().st_size
            digest = _digest(file)
            if digest == stored["sha256"]:
                if not frames.has_schema(file, self.schemas[str(Path(name).parent)]):
                    return f"{name} has other columns than those of this run"
                digests[digest] = name
                continue
            if digest in digests:
                return f"{name} is a copy of {digests[digest]}"
            if size < stored["bytes"]:
                return f"{name} is truncated ({size} of {stored['bytes']} bytes)"
            return f"{name} is damaged or of another run"
        return None

    def _files(self) -> dict[str, list[str]]:
        """Return the relative names of the files in the folders of the store, by shard."""
        found: dict[str, list[str]] = {}
        for part in _PARTS:
            for file in sorted((self.path / part).rglob("*")):
                if not file.is_dir():
                    key = file.name.partition(".")[0]
                    found.setdefault(key, []).append(file.relative_to(self.path).as_posix())
        return found

    def _remove(self, names: Iterable[str]) -> None:
        """Remove the files of a shard, its entry first: files without an entry are nobody's."""
        with self._told("write to"):
            for name in sorted(names, key=lambda name: not name.startswith("shards/")):
                (self.path / name).unlink()

    def _set_aside(self, names: Iterable[str]) -> None:
        with self._told("write to"):
            for name in names:
                if self._aside is None:
                    number = 1
                    while (self.path / "set-aside" / f"{number:03d}").exists():
                        number += 1
                    self._aside = self.path / "set-aside" / f"{number:03d}"
                target = self._aside / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(self.path / name, target)

    def commit(self, shard: Shard, parts: Mapping[str, bytes]) -> None:
        """Write the files of a shard, then its entry.

        Parameters
        ----------
        shard : Shard
        parts : mapping of str to bytes
            Parquet files by folder: ``games``, ``seats``, ``sums/wins`` …
        """
        files = {f"{part}/{shard.key}.parquet": content for part, content in parts.items()}
        with self._told("write to"):  # a shard that grows is nobody's while its files are changed
            (self.path / f"shards/{shard.key}.json").unlink(missing_ok=True)
        self._write(files)
        entry = {
            "identity": self.manifest.hash,
            "shard": shard.key,
            "pieces": _pieces(shard),
            "games": shard.games,
            "files": {
                name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                for name, content in files.items()
            },
        }
        entry["check"] = _check_sum(entry)
        self._write({f"shards/{shard.key}.json": canonical(entry) + b"\n"})

    def _write(self, files: Mapping[str, bytes]) -> None:
        """Write files aside, force them to the disk, and give them their names."""
        with self._told("write to"):
            for name, content in files.items():
                file = self.path / name
                file.parent.mkdir(parents=True, exist_ok=True)
                aside = file.with_name(f".{file.name}.tmp")
                with aside.open("wb") as target:
                    target.write(content)
                    target.flush()
                    if self.durable:
                        os.fsync(target.fileno())
                aside.replace(file)
            if self.durable:
                for folder in {(self.path / name).parent for name in files}:
                    handle = os.open(folder, os.O_RDONLY)
                    try:
                        os.fsync(handle)
                    finally:
                        os.close(handle)

    def log(self, record: Mapping[str, Any]) -> None:
        """Append a line to the log."""
        line = json.dumps(record, ensure_ascii=False).encode()
        # The line feed comes first as well: a dead process may have left half a line.
        with self._told("write to"), (self.path / "log.jsonl").open("ab") as target:
            target.write((b"\n" if target.tell() else b"") + line + b"\n")

    @contextlib.contextmanager
    def _told(self, doing: str) -> Iterator[None]:
        """Turn what the system says into a sentence with a way to go on."""
        try:
            yield
        except OSError as error:
            why = error.strerror or str(error)
            where = error.filename or self.path
            room = " free some space and" if error.errno in {errno.ENOSPC, errno.EDQUOT} else ""
            raise CannotFinishError(
                f"cannot {doing} {where}: {why}; what is finished stays:{room} give the same "
                "command again to go on, or choose another folder"
            ) from error


def _part(manifest: Manifest) -> str:
    return "all" if manifest.part is None else "part {} of {}".format(*manifest.part)


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return the records of the log; lines that a dying process left half are skipped."""
    records: list[dict[str, Any]] = []
    file = path / "log.jsonl"
    for line in file.read_bytes().splitlines() if file.is_file() else ():
        with contextlib.suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict) and all(
                isinstance(record[key], kind) for key, kind in _RECORD.items() if key in record
            ):
                records.append(record)
    return records


def unfinished(path: Path, manifest: Manifest, finished: Iterable[object]) -> CannotFinishError:
    """Return the error for a store that is read before it is finished."""
    total = len(manifest.own_shards)
    return CannotFinishError(
        f"the run in {path} is not finished or damaged ({sum(1 for _ in finished)} of {total} "
        "shards are whole); give its command again to go on"
    )


def _is_leftover(name: str) -> bool:
    return name.startswith(".") and name.endswith(".tmp")


def _digest(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
