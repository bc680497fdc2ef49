"""The manifest of a store: what a run is, as the file that its folder begins with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.policy import BASE_MARK
from sim.errors import StoreMismatchError, short
from sim.run.declared import Declared
from sim.run.layout import Cut, Shard, shards
from sim.run.plan import DESIGNS, Plan

__all__ = ["FORMAT", "KEEPS", "Manifest", "canonical", "differences", "fits", "parse_json"]
__all__ += ["read_json", "read_manifest", "sources_are_sound"]

#: Version of everything that is written to a store. Raised when a reader has to know.
FORMAT = 3

#: What can be kept of a run.
KEEPS = ("rows", "sums", "both")

#: Largest manifest that is read: a hundred times that of a plan with a thousand blocks.
MOST_BYTES = 2**26

#: Most policies times seats, and most games of a batch, which memory is asked for before anything
#: is read or played; ten times what titles have.
MOST_PLACES, MOST_BATCH = 50_000, 200_000

_WORD = (str, str)
_NUMBERS = {...: int}

_COLUMN = {
    "name": str,
    "dtype": str,
    "level": str,
    "role": str,
    "selected": bool,
    "summed": bool,
    "categories": str,
}

_SOURCES = {
    "overlays": [{"name": str, "text": str}],
    "overrides": [str],
    "policies": {...: {"text": str, "bases": {...: str}}},
}

#: What readers expect of a manifest, whoever had it in hand. Of a mapping its keys are named, or
#: stand for all of them (``...``); of a list the one shape of its entries; a tuple is a list of
#: that length.
_SHAPE = {
    "identity": {
        "title": str,
        "ruleset": str,
        "data": str,
        "result_version": int,
        "stream_version": int,
        "policies": [_WORD],
        "seed": int,
        "plan": [{"design": str}],
        "bans": {...: [str]},
        "collect": [str],
        "keep": str,
        "cut": {"shard_batches": int, "batch_games": _NUMBERS},
        "layout": {
            "seats": str,
            "groups": [str],
            "columns": [_COLUMN],
            "series": [_COLUMN],
            "categories": {...: [str]},
            "kinds": [str],
            "card_fields": [str],
        },
    },
    "games": int,
    "shown": {
        "label": _WORD,
        "status": _WORD,
        "score": _WORD,
        "score_range": (int, int),
        "players": [int],
        "decisions": [_WORD],
        "caps": {...: str},
        "batch_games": _NUMBERS,
        "statuses": {...: str},
        "columns": [_WORD],
        "series": [_WORD],
        "categories": {...: [_WORD]},
        "kinds": [_WORD],
        "policies": [_WORD],
        "rules": {"sources": _NUMBERS, "changes": {}},
    },
}


#: The same of what a run that may end early says of its end.
_UNTIL = {"rule": str, "looks": {"first": int, "growth": (int, int)}}
_STOPPED = {"met": bool, "why": str}


def canonical(value: Any) -> bytes:
    """Return JSON with sorted keys: equal values have equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@dataclass(frozen=True)
class Manifest:
    """What a store is.

    Attributes
    ----------
    identity : mapping
        Everything that decides the results, but for the number of games: format, title, hashes of
        ruleset and policies, versions, seed, plan, what is collected and kept, how it is cut, and
        how rows and sums are laid out. A policy's name is what the line-up said: the same file by
        another path makes another run.
    games : int
        Number of games that the store has, or will have when it is finished.
    sources : mapping
        Texts of overlays and of policy files from outside the title, and overrides: what is
        needed to load the ruleset again. They are covered by the hashes in the identity.
    shown : mapping
        Labels and whatever else is only shown (:meth:`sim.run.declared.Declared.shown`).
    stopped : mapping, optional
        How a run with a stop rule ended: whether the rule was ``met``, and ``why``. Without it such
        a run is not finished, whatever games there are.
    part : tuple of int, optional
        ``(2, 8)`` for a store that has only the second of eight parts of its shards.
    """

    identity: Mapping[str, Any]
    games: int
    sources: Mapping[str, Any] = field(default_factory=dict)
    shown: Mapping[str, Any] = field(default_factory=dict)
    stopped: Mapping[str, Any] | None = None
    part: tuple[int, int] | None = None

    @property
    def until(self) -> Mapping[str, Any] | None:
        """The stop rule, when the run has one."""
        found: Mapping[str, Any] | None = self.identity.get("until")
        return found

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical identity."""
        return hashlib.sha256(canonical(self.identity)).hexdigest()

    @property
    def plan(self) -> Plan:
        """The plan, with its number of games."""
        policies = [name for name, _ in self.identity["policies"]]
        return Plan.from_outline(self.identity["plan"], policies, self.games)

    @property
    def declared(self) -> Declared:
        """What the title declared when the run was begun."""
        return Declared.read(self.identity, self.shown)

    @property
    def folders(self) -> tuple[str, ...]:
        """Folders in which each shard has a file."""
        keep, collect = self.identity["keep"], self.identity["collect"]
        parts = [] if keep == "sums" else ["games", "seats"]
        kinds = [] if keep == "rows" else ["wins", "columns", "counts"]
        kinds += [group for group in ("cards", "series") if group in collect]
        return (*parts, *(f"sums/{kind}" for kind in kinds))

    @property
    def shards(self) -> list[Shard]:
        """All shards of the run."""
        return shards(Cut.from_json(self.identity["cut"]), self.plan)

    @property
    def own_shards(self) -> list[Shard]:
        """The shards that the finished store has: all, but where it is a part.

        A part has every so many-th shard, so that all parts are about the same work.
        """
        if self.part is None:
            return self.shards
        number, of = self.part
        return self.shards[number - 1 :: of]

    def is_sound(self) -> bool:
        """Whether everything in it can be read, whatever became of it in anybody's hands."""
        try:
            stored = json.loads(self.to_bytes())
            plan, declared = self.plan, self.declared
            names = {name for name, _ in self.identity["policies"]}
            used = [cell.lineup or block.pool for block in plan.blocks for cell in block.cells]
            return (
                fits(stored, _SHAPE)
                and plan.games > 0
                and len(self.shards) > 0
                and len(names) * max(plan.players) <= MOST_PLACES
                and max(self.identity["cut"]["batch_games"].values()) <= MOST_BATCH
                and self.identity["cut"]["shard_batches"] <= MOST_BATCH
                and declared.spec(plan, max(plan.players)) is not None
                and set(plan.players) <= set(declared.info.players)
                and all(block.design in DESIGNS for block in plan.blocks)
                and all(names.issuperset(lineup) for lineup in used)
                and len(declared.info.columns) > 0
                and all(np.dtype(column.dtype).kind in "iu" for column in declared.info.columns)
                and self.identity["seed"] >= 0
                and self.identity["keep"] in KEEPS
                and all(str(int(seat)) == seat for seat in self.identity["bans"])
                and sources_are_sound(self.sources)
                and (self.until is None or fits(stored["identity"]["until"], _UNTIL))
                and (self.stopped is None or fits(stored["stopped"], _STOPPED))
                and (self.part is None or _is_part(stored["part"]))
            )
        except Exception:
            # What a hand can do to a file, and how reading it then fails, has no end.
            return False

    def to_bytes(self) -> bytes:
        """Return the file: readable, and equal for equal content."""
        content = {
            "format": FORMAT,
            "identity": self.identity,
            "identity_hash": self.hash,
            "games": self.games,
            "sources": self.sources,
            "shown": self.shown,
        }
        if self.until is not None:
            content["stopped"] = self.stopped
        if self.part is not None:
            content["part"] = list(self.part)
        text = json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False)
        return text.encode() + b"\n"


def read_json(file: Path, most: int) -> Any:
    """Read a file of JSON, if it is one and has at most so many bytes.

    Raises
    ------
    OSError, ValueError, RecursionError
        When it cannot be read.
    """
    if file.exists() and not file.is_file():
        raise ValueError("it is no file")  # a pipe or a device might never end
    with file.open("rb") as source:
        raw = source.read(most + 1)
    if len(raw) > most:
        raise ValueError(f"it is larger than {most:,} bytes")
    return parse_json(raw)


def parse_json(raw: str | bytes) -> Any:
    """Parse JSON, which has no numbers that are none (NaN, Infinity).

    Raises
    ------
    ValueError, RecursionError
        When it is none.
    """

    def refused(name: str) -> Any:
        raise ValueError(f"found {name}; allowed: a number")

    return json.loads(raw, parse_constant=refused)


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of a store.

    Raises
    ------
    StoreMismatchError
        When the folder is no store, the manifest cannot be read, or another version wrote it.
    """
    file = path / "manifest.json"
    try:
        stored = read_json(file, MOST_BYTES)
    except FileNotFoundError:
        raise StoreMismatchError(f"{path} holds no run (it has no manifest.json)") from None
    except NotADirectoryError:
        raise StoreMismatchError(f"{path} is not a folder") from None
    except (OSError, ValueError, RecursionError) as error:
        raise StoreMismatchError(f"{file} cannot be read: {error}") from None
    version = stored.get("format") if isinstance(stored, dict) else None
    if version != FORMAT:
        newer = isinstance(version, int) and version > FORMAT
        hint = "a newer tenbin wrote it; update to read it" if newer else "run it again elsewhere"
        raise StoreMismatchError(
            f"{path} has store format {short(repr(version))}, "
            f"and this version reads format {FORMAT}: {hint}"
        )
    parts = ("identity", "games", "sources", "shown", "identity_hash")
    if lacking := [part for part in parts if part not in stored]:
        raise StoreMismatchError(f"{file} is damaged: it has no {', '.join(lacking)}")
    said = {part: stored[part] for part in parts[:-1]}
    part = stored.get("part")
    part = tuple(part) if isinstance(part, list) else part
    manifest = Manifest(**said, stopped=stored.get("stopped"), part=part)
    if not manifest.is_sound():
        raise StoreMismatchError(f"{file} is damaged: it does not say what a run can be read by")
    if manifest.hash != stored["identity_hash"]:
        raise StoreMismatchError(f"{file} is damaged: its content does not fit its own hash")
    return manifest


def differences(stored: Any, asked: Any, name: str = "") -> list[str]:
    """Return what differs between two identities, field by field."""
    if isinstance(stored, Mapping) and isinstance(asked, Mapping):
        found: list[str] = []
        for key in sorted({*stored, *asked}):
            inner = f"{name}.{key}" if name else key
            found += differences(stored.get(key), asked.get(key), inner)
        return found
    if stored == asked:
        return []
    return [f"{name} is {_brief(stored)} there and {_brief(asked)} here"]


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def sources_are_sound(sources: Any) -> bool:
    """Whether the sources of a run can be written to files and loaded again.

    The bases of a policy are written to files of their names: these must be names, not paths.

    Parameters
    ----------
    sources : mapping
        ``Manifest.sources``, from wherever it came.
    """
    return fits(sources, _SOURCES) and all(
        base.startswith(BASE_MARK)
        and "\0" not in base
        and Path(base).name == base
        and len(base.encode()) <= 200  # a file's name has at most 255 bytes
        for policy in sources["policies"].values()
        for base in policy["bases"]
    )


def _is_part(value: Any) -> bool:
    return fits(value, (int, int)) and 1 <= value[0] <= value[1]


def fits(value: Any, shape: Any) -> bool:
    """Whether a value of JSON has a shape, written as ``_SHAPE`` is."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        if ... in shape:
            return all(fits(item, shape[...]) for item in value.values())
        return all(key in value and fits(value[key], inner) for key, inner in shape.items())
    if isinstance(shape, list | tuple):
        if not isinstance(value, list):
            return False
        shapes = shape if isinstance(shape, tuple) else shape * len(value)
        return len(value) == len(shapes) and all(map(fits, value, shapes))
    return type(value) is shape  # true is no number here
