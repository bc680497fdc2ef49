"""A run and a page of one's own, and what somebody who knows their hashes can make of them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import sim
from analysis.recipe import _unpacked, recipe_of
from sim.run.manifest import canonical
from tests.bad_input.loaders import run
from tests.bad_input.mutate import mutated, mutated_json

#: What can be forged.
KINDS = ("file", "entry", "table", "manifest", "page")

_OWN = 'label = { en = "x", ja = "y" }\nabout = "x"\nbase = "_own"\n'
_BASE = 'about = "x"\n[acquire]\nrules = ["magic", "stop"]\n'
WORDS = (
    *("simulate", "granmagia", "--games", "40", "--lineup", "own.toml,engine", "--seed", "3"),
    *("--rules", "mine.toml", "--set", "turn.hand=6", "--keep", "both", "--jobs", "1"),
    *("--collect", "cards,series", "--out", "run"),
)


def make() -> None:
    """Make a run and its page in the working folder; what is forged are copies of them."""
    Path("mine.toml").write_text("[cards.market]\ncost = 4\n", encoding="utf-8")
    Path("own.toml").write_text(_OWN, encoding="utf-8")
    Path("_own.toml").write_text(_BASE, encoding="utf-8")
    run(*WORDS)
    Path("run").rename("good")
    recipe = {"recipe": recipe_of(sim.open_run("good")), "rates": {}}
    Path("good.json").write_text(json.dumps(recipe), encoding="utf-8")


def commands(kind: str) -> Iterator[tuple[str, ...]]:
    """Yield what is asked of a forged run, or of a page."""
    if kind == "page":
        yield "rerun", "page", "--jobs", "1"
        return
    yield "table", "run"
    yield "trace", "./run", "--game", "0"
    yield "rerun", "run", "--jobs", "1", "--out", "again"
    yield WORDS


def forge(kind: str, random: Random) -> None:
    """Make ``run`` or ``page`` anew, with one thing forged in it."""
    for name in ("run", "again", "page"):
        shutil.rmtree(name, ignore_errors=True)
    if kind == "page":
        _forge_page(random)
        return
    store = Path(shutil.copytree("good", "run"))
    if kind == "file":
        file = random.choice(sorted(file for file in store.rglob("*") if file.is_file()))
        file.write_bytes(mutated(file.read_bytes(), random))
    elif kind == "manifest":
        _forge_manifest(store, random)
    elif kind == "entry":
        file = random.choice(sorted(store.glob("shards/*.json")))
        sign_entry(file, mutated_json(json.loads(file.read_bytes()), random))
    else:
        tables = sorted(store.rglob("*.parquet"))
        file = random.choice(tables)
        other = random.choice(tables).read_bytes()
        file.write_bytes(random.choice((other, mutated(file.read_bytes(), random))))
        sign_table(store, file)


def sign_entry(file: Path, entry: Any) -> None:
    """Write an entry of a shard with the hash that it needs."""
    if isinstance(entry, dict):
        entry.pop("check", None)
        entry["check"] = _sha(json.dumps(entry, sort_keys=True).encode())
    file.write_text(json.dumps(entry), encoding="utf-8")


def sign_table(store: Path, table: Path) -> None:
    """Put the hash of a table into the entry of its shard."""
    name, raw = table.relative_to(store).as_posix(), table.read_bytes()
    file = store / "shards" / f"{table.stem}.json"
    entry = json.loads(file.read_bytes())
    entry["files"][name] = {"bytes": len(raw), "sha256": _sha(raw)}
    sign_entry(file, entry)


def sign_manifest(store: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest with the hashes that it and all entries need."""
    manifest["identity_hash"] = _sha(canonical(manifest["identity"]))
    (store / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for file in store.glob("shards/*.json"):
        entry = json.loads(file.read_bytes())
        sign_entry(file, entry | {"identity": manifest["identity_hash"]})


def sign_recipe(recipe: dict[str, Any]) -> None:
    """Give a recipe the hash that it needs."""
    identity = dict(recipe["identity"])
    names = [name for name, _ in identity["policies"]]
    identity["plan"] = _unpacked(identity["plan"], names)
    recipe["identity_hash"] = _sha(canonical(identity))


def _forge_manifest(store: Path, random: Random) -> None:
    manifest = json.loads((store / "manifest.json").read_bytes())
    part = random.choice(("identity", "identity", "sources", "shown", "games"))
    manifest[part] = mutated_json({part: manifest[part]}, random).get(part)
    try:
        sign_manifest(store, manifest)
    except UnicodeEncodeError:  # what has no hash keeps the old one
        (store / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def _forge_page(random: Random) -> None:
    page = json.loads(Path("good.json").read_bytes())
    page["recipe"] = mutated_json(page["recipe"], random)
    # What has no hash keeps the old one.
    with contextlib.suppress(AttributeError, IndexError, KeyError, TypeError, ValueError):
        sign_recipe(page["recipe"])
    Path("page").mkdir()
    Path("page/report.json").write_text(json.dumps(page), encoding="utf-8")


def _sha(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
