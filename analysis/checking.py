"""Checks all data of a title at once: rules, overlays, overrides, policies, the default report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import DataError, InputError, Problem

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.core.title import Title

__all__ = ["Change", "Checked", "check_title"]


@dataclass(frozen=True, slots=True)
class Change:
    """A value that an overlay or override sets.

    Attributes
    ----------
    key : str
    old, new : int, bool, str or tuple
        ``old`` is None for what the printed rules do not have.
    file, line, column : str, int or None, int or None
        Where the new value stands.
    remark : str or None
        What its author may not have meant: that nothing changes, or that it leaves its range.
    """

    key: str
    old: Any
    new: Any
    file: str
    line: int | None
    column: int | None
    remark: str | None


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in the data of a title.

    Attributes
    ----------
    title : str
    sources : mapping of str to int
        Number of values by source, overlays included; empty when the rules have faults.
    changes : tuple of Change
        In the order of their keys.
    policies : tuple of str, or None
        Policies that were compiled against these rules; None when the rules have faults, because
        nobody knows then what a policy may name.
    faults : tuple of Problem or str
    """

    title: str
    sources: Mapping[str, int]
    changes: tuple[Change, ...]
    policies: tuple[str, ...] | None
    faults: tuple[Problem | str, ...]

    @property
    def values(self) -> int:
        """Number of values."""
        return sum(self.sources.values())

    @property
    def stand_ins(self) -> int:
        """Number of values that are assumed."""
        return self.sources.get("assumed", 0)

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON values."""
        return {
            "title": self.title,
            "values": self.values,
            "stand_ins": self.stand_ins,
            "sources": dict(self.sources),
            "changes": [asdict(change) for change in self.changes],
            "policies": None if self.policies is None else list(self.policies),
            "faults": [
                {"message": str(fault), **(asdict(fault) if isinstance(fault, Problem) else {})}
                for fault in self.faults
            ],
        }


def check_title(
    title: Title,
    *,
    rules: Sequence[str | Path] = (),
    overrides: Sequence[str] = (),
    policies: Sequence[str] = (),
) -> Checked:
    """Check the data of a title, and what is laid over it.

    Parameters
    ----------
    title : Title
    rules : sequence of path
        Overlays.
    overrides : sequence of str
        ``"key=value"``.
    policies : sequence of str
        Line-up entries or policy files, checked beside all policies of the title.

    Returns
    -------
    Checked
        With all faults; none of them is raised.

    Examples
    --------
    >>> from sim.run.api import find_title
    >>> found = check_title(find_title("granmagia"), overrides=["witches.celestina.cost=20"])
    >>> found.faults, [(change.old, change.new) for change in found.changes]
    ((), [(6, 20)])
    >>> found.changes[0].remark
    'witches.celestina.cost = 20 lies outside its stated range, 3 to 9'
    """
    from analysis.spec import title_spec
    from sim.core.policy import available

    faults: list[Problem | str] = []
    _tried(faults, title_spec, title.info)
    printed = _tried(faults, title.load)
    read = [_tried(faults, _readable, path) for path in rules]
    entries = [entry for entry in policies if _tried(faults, _readable_entry, entry)]
    ruleset = printed
    if printed is not None and (rules or overrides):
        whole = all(read)  # with a file unread, what others build on it would be called wrong
        ruleset = _tried(faults, title.load, overlays=rules, overrides=overrides) if whole else None
    if printed is None or ruleset is None:
        return Checked(title.info.id, {}, (), None, tuple(dict.fromkeys(faults)))
    _tried(faults, title.compile, ruleset)
    compiled: tuple[str, ...] = ()
    for names in (available(title.data / "policies"), *([entry] for entry in entries)):
        compiled += _tried(faults, _compiled, title, ruleset, names) or ()
    return Checked(
        title.info.id,
        ruleset.sources(),
        tuple(_changes(printed, ruleset)),
        compiled,
        tuple(dict.fromkeys(faults)),
    )


def _tried(faults: list[Problem | str], step: Any, *given: Any, **named: Any) -> Any:
    """Do a step; what is wrong with the input is noted, and None returned."""
    try:
        return step(*given, **named)
    except DataError as error:
        faults += error.problems
    except InputError as error:
        faults.append(str(error))
    return None


def _readable(path: str | Path) -> bool:
    from sim.core.toml_source import read_toml

    read_toml(Path(path))
    return True


def _readable_entry(entry: str) -> bool:
    from sim.core.policy import parse_entry

    policy = parse_entry(entry).policy
    return _readable(policy) if policy.endswith(".toml") else True


def _compiled(title: Title, ruleset: Ruleset, entries: Sequence[str]) -> tuple[str, ...]:
    """Compile policies against a ruleset; return their names."""
    from sim.core.policy import load_policies, parse_entry

    names = list(entries)
    loadouts = title.loadouts(ruleset) if title.loadouts else ()
    if loadouts:  # every policy needs one, and which one does not matter here
        names = [
            name if parse_entry(name).loadout else f"{name}:{loadouts[0].id}" for name in names
        ]
    load_policies(
        names,
        title.vocabulary(ruleset),
        title.data / "policies",
        loadouts=loadouts,
        title=title.info.id,
    )
    return tuple(entries)


def _changes(printed: Ruleset, ruleset: Ruleset) -> Iterator[Change]:
    from sim.run.overrides import remarks

    for key in sorted(ruleset.keys()):
        new = ruleset.source(key)
        old = printed.source(key).value if key in printed else None
        if new.source == "override" or new.value != old:
            said = remarks(printed, ruleset, [key])
            yield Change(
                key, old, new.value, new.file, new.line, new.column, said[0] if said else None
            )
