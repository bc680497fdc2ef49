"""What a run plays with: title, ruleset, policies and key, loaded and hashed."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.core._rng import STREAM_VERSION, make_key
from sim.core.mask import masks
from sim.core.policy import PolicyTable, base_files, load_policies, parse_entry
from sim.core.ruleset import Ruleset
from sim.core.title import Title
from sim.errors import InputError, UnknownNameError
from sim.run.declared import Declared, kept_supply
from sim.run.frames import Names
from sim.run.layout import Cut
from sim.run.manifest import FORMAT, KEEPS, Manifest, sources_are_sound
from sim.run.overrides import Overrides, as_overrides
from sim.run.plan import Plan

if TYPE_CHECKING:
    from sim.run.sums import SumSpec

__all__ = ["KEEPS", "Bans", "Setup", "checked_collect"]

#: Options that a seat (from 1) may not choose.
Bans = Mapping[int, Sequence[str]]


@dataclass(frozen=True)
class Setup:
    """Everything that games are played with.

    Attributes
    ----------
    title : Title
    ruleset : Ruleset
    policies : PolicyTable
        In the order of ``Plan.policies``.
    seed : int
    bans : mapping of int to sequence of str
    collect : tuple of str
    sources : mapping
        Texts and names that are needed to load all this again (``Manifest.sources``).
    """

    title: Title
    ruleset: Ruleset
    policies: PolicyTable
    seed: int
    bans: Bans
    collect: tuple[str, ...]
    sources: Mapping[str, Any]

    @classmethod
    def load(
        cls,
        title: Title,
        policies: Sequence[str],
        *,
        seed: int = 1,
        rules: str | Path | Sequence[str | Path] | None = None,
        overrides: Overrides = (),
        bans: Bans | None = None,
        collect: Sequence[str] = ("core",),
    ) -> Setup:
        """Load and check what a run plays with.

        Raises
        ------
        InputError
            With everything that is wrong with the files and arguments.
        """
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed must be a whole number from 0, not {seed!r}")
        overlays, overrides = _paths(rules), as_overrides(overrides)
        ruleset = title.load(overlays=overlays, overrides=overrides)
        home = title.data / "policies"
        table = load_policies(
            policies,
            title.vocabulary(ruleset),
            home,
            loadouts=title.loadouts(ruleset) if title.loadouts else (),
            title=title.info.id,
        )
        files = {parse_entry(entry).policy for entry in policies}
        sources = {
            "overlays": [{"name": str(path), "text": _text(path)} for path in overlays],
            "overrides": list(overrides),
            "policies": {
                file: {
                    "text": _text(file),
                    "bases": {base.stem: _text(base) for base in base_files(Path(file), home)},
                }
                for file in sorted(files)
                if file.endswith(".toml")
            },
        }
        setup = cls(
            title,
            ruleset,
            table,
            seed,
            {  # neither order nor repetition makes another run
                seat: tuple(sorted({options} if isinstance(options, str) else set(options)))
                for seat, options in sorted((bans or {}).items())
                if options
            },
            checked_collect(title, collect),
            sources,
        )
        setup.masks(max(title.info.players))
        return setup

    @classmethod
    def from_manifest(cls, manifest: Manifest, title: Title | None = None) -> Setup:
        """Load what a stored run was played with.

        Raises
        ------
        InputError
            When the title's data files are no longer those of the run.
        """
        identity, sources = manifest.identity, manifest.sources
        if not sources_are_sound(sources):
            raise InputError("what this run was played with is damaged: it cannot be loaded again")
        if title is None:
            from sim.run.api import find_title

            title = find_title(identity["title"])
        with tempfile.TemporaryDirectory(prefix="tenbin-") as folder:
            overlays = []
            for number, overlay in enumerate(sources["overlays"]):
                overlays.append(Path(folder) / f"overlay{number}.toml")
                overlays[-1].write_text(overlay["text"], encoding="utf-8")
            files = {}
            for number, (name, stored) in enumerate(sources["policies"].items()):
                home = Path(folder) / f"policy{number}"
                home.mkdir()
                texts = {"policy": stored["text"], **stored["bases"]}
                for stem, text in texts.items():
                    (home / f"{stem}.toml").write_text(text, encoding="utf-8")
                files[name] = str(home / "policy.toml")
            names = [name for name, _ in identity["policies"]]
            entries = []
            for name in names:
                policy = parse_entry(name).policy
                entries.append(files.get(policy, policy) + name[len(policy) :])
            setup = cls.load(
                title,
                entries,
                seed=identity["seed"],
                rules=overlays,
                overrides=sources["overrides"],
                bans={int(seat): options for seat, options in identity["bans"].items()},
                collect=identity["collect"],
            )
        setup = replace(
            setup, policies=replace(setup.policies, names=tuple(names)), sources=sources
        )
        now = setup.identity(manifest.plan, Cut.from_json(identity["cut"]), identity["keep"])
        changed = [
            what
            for field, what in (
                ("ruleset", "its rules"),
                ("policies", "its policies"),
                ("result_version", "its engine"),
                ("stream_version", "the random streams"),
                ("layout", "its columns or categories"),
            )
            if now[field] != identity[field]
        ]
        if changed:
            raise InputError(
                f"this run of {identity['title']} was played with other data or another version "
                f"({' and '.join(changed)} changed since), so its games cannot be played again; "
                "its rows and sums can still be read"
            )
        return setup

    @cached_property
    def key(self) -> npt.NDArray[np.uint64]:
        """The key of all random streams."""
        return make_key(self.seed)

    @cached_property
    def tables(self) -> Any:
        """The ruleset as both engines read it."""
        return self.title.compile(self.ruleset)

    def masks(self, players: int) -> npt.NDArray[np.uint64]:
        """Return the ban masks of a player count, ``uint64[players, MASK_WORDS]``.

        Raises
        ------
        InputError
            When a banned option or its seat does not exist.
        """
        options = self.title.vocabulary(self.ruleset).options if self.bans else ()
        codes: list[list[int]] = [[] for _ in range(players)]
        for seat, banned in self.bans.items():
            if not 1 <= seat <= max(self.title.info.players):
                raise InputError(f"bans name seat {seat}, which {self.title.info.id} does not have")
            for name in banned:
                if name not in options:
                    raise UnknownNameError("option", name, options)
                if seat <= players:
                    codes[seat - 1].append(options.index(name))
        return masks(codes)

    def identity(
        self, plan: Plan, cut: Cut, keep: str, until: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return everything that decides the results, as plain JSON values."""
        info = self.title.info
        supply = kept_supply(info, self.collect, keep)
        return {
            "format": FORMAT,
            "title": info.id,
            "ruleset": self.ruleset.hash,
            "data": self.ruleset.data_hash,
            "result_version": info.result_version,
            "stream_version": STREAM_VERSION,
            "policies": [
                [name, digest]
                for name, digest in zip(plan.policies, self.policies.hashes, strict=True)
            ],
            "seed": self.seed,
            "plan": plan.outline(),
            "bans": {str(seat): list(options) for seat, options in self.bans.items()},
            "collect": list(self.collect),
            "keep": keep,
            "cut": cut.to_json(),
            "layout": self.declared.layout(),
            **({} if supply is None else {"supply": supply.card_field}),
            **({} if until is None else {"until": dict(until)}),
        }

    @cached_property
    def declared(self) -> Declared:
        """What the title declares about runs of these rules and policies."""
        return Declared.of(self.title, self.ruleset, self.policies)

    def manifest(
        self, plan: Plan, cut: Cut, keep: str, until: Mapping[str, Any] | None = None
    ) -> Manifest:
        """Return what a store of these games is.

        Parameters
        ----------
        plan : Plan
        cut : Cut
        keep : {"rows", "sums", "both"}
        until : mapping, optional
            The outline of a stop rule; the plan then has the most games that may be played.
        """
        identity = self.identity(plan, cut, keep, until)
        return Manifest(identity, plan.games, self.sources, self.declared.shown())

    def names(self, plan: Plan) -> Names:
        """Return the strings behind the numbers of the records."""
        return self.declared.names(plan)

    def spec(self, plan: Plan, players: int) -> SumSpec:
        """Return what is added up for one player count."""
        kinds = len(self.declared.kinds) if "cards" in self.collect else 0
        rounds = self.round_cap if "series" in self.collect else 0
        return self.declared.spec(plan, players, kinds=kinds, rounds=rounds)

    @property
    def round_cap(self) -> int:
        """Most rounds that a game can have: the ruleset's value behind ``caps["rounds"]``."""
        value: Any = self.ruleset.values
        for part in self.title.info.caps["rounds"].split("."):
            value = value[part]
        return int(value)


def checked_collect(title: Title, collect: Sequence[str]) -> tuple[str, ...]:
    """Return the groups in the order of the title, ``core`` always among them."""
    groups = title.info.groups
    for name in (collect,) if isinstance(collect, str) else collect:
        if name not in groups:
            raise UnknownNameError("group to collect", name, groups)
    return tuple(group for group in groups if group == "core" or group in collect)


def _paths(rules: str | Path | Sequence[str | Path] | None) -> list[Path]:
    if rules is None:
        return []
    listed = [rules] if isinstance(rules, str | Path) else rules
    if not isinstance(listed, Sequence) or not all(isinstance(p, str | Path) for p in listed):
        raise InputError(
            "rules must be the path of an overlay file or a list of such paths, not "
            f"{type(rules).__name__}; single values go into overrides, which may be a dict"
        )
    return [Path(path) for path in listed]


def _text(path: str | Path) -> str:
    return Path(path).read_text(encoding="utf-8")
