"""What a report plays: the main run, and small runs beside it that answer further questions.

Every run is a store of its own below the report's folder, so that the same command goes on where
it stopped, and any game behind any figure can be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from analysis.jobs import Job, Player
from analysis.report.events import check_events
from analysis.report.lists import made_lists
from analysis.report.views import check_views
from analysis.spec import Building, Knob, Lever, ReportSpec, Setting
from sim.core.policy import parse_entry
from sim.core.title import Title
from sim.core.toml_source import read_toml
from sim.errors import InputError, UnknownNameError
from sim.run import plan as plans
from sim.run.plan import LEFT_OUT, Plan

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.run.result import Run
    from sim.run.runner import Progress

__all__ = ["BuildingRun", "Dial", "KnobRuns", "LeverRuns", "Studies", "play"]

#: What a value belongs to: a dial of a knob, a setting of a lever.
_Turned = TypeVar("_Turned")

#: A study has at least so many games; below it nothing can be said.
_LEAST = 200


@dataclass(frozen=True, slots=True)
class Dial:
    """One value that a knob turns: a seat's, at one player count; ``now`` is that of the rules."""

    players: int
    seat: int
    what: str
    key: str
    now: int


@dataclass(frozen=True)
class KnobRuns:
    """The runs of one knob, by dial and value; those of unchanged values are one run."""

    knob: Knob
    runs: Mapping[Dial, Mapping[int, Run]]


@dataclass(frozen=True)
class LeverRuns:
    """The runs of one lever: that of the rules as they are, and by setting and value."""

    lever: Lever
    now: Mapping[Setting, int]
    own: Run
    runs: Mapping[Setting, Mapping[int, Run]]


@dataclass(frozen=True)
class BuildingRun:
    """The run of decks made by chance, and what each of them is made of.

    ``policies`` are the labels of the policies that play them.
    """

    building: Building
    run: Run
    policies: Mapping[str, Any]
    decks: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Studies:
    """The runs behind a report.

    Attributes
    ----------
    main : Run
    skill : mapping of float to Run
        By slip, as a share of the decisions.
    knobs : tuple of KnobRuns
    levers : tuple of LeverRuns
    building : BuildingRun or None
    """

    main: Run
    skill: Mapping[float, Run] = field(default_factory=dict)
    knobs: tuple[KnobRuns, ...] = ()
    levers: tuple[LeverRuns, ...] = ()
    building: BuildingRun | None = None


def play(
    title: Title,
    spec: ReportSpec,
    out: Path,
    *,
    jobs: int | None = None,
    backend: str = "threads",
    progress: Progress | None = None,
) -> Studies:
    """Play everything that a report needs, or go on where that stopped.

    Parameters
    ----------
    title : Title
    spec : ReportSpec
    out : Path
        Folder of the report; the main run goes to ``out/runs``, the others to ``out/studies``.
    jobs, backend
        As for :func:`sim.simulate`.
    progress : callable, optional
        ``progress(done, total)`` in games, over all runs.

    Raises
    ------
    InputError
        For arguments or data that cannot be.
    CannotFinishError
        When a store cannot be written.
    InterruptedRunError
        When it was interrupted from the keyboard.
    """
    check_events(title.info, spec.events)
    check_views(title.info, spec)
    player = Player(title, out, spec.seed, spec.rules, spec.set, jobs=jobs, backend=backend)
    main = player.add(_main(title, spec))
    skill = {slip: player.add(job) for slip, job in _skill(title, spec).items()}
    knobs = {knob: _numbered(player, _knob(title, spec, knob)) for knob in spec.knobs}
    levers = [_lever(title, spec, lever) for lever in spec.levers]
    owns = [player.add(found.own) for found in levers]
    turned = [_numbered(player, found.jobs) for found in levers]
    built = None if spec.building is None else _building(title, spec, spec.building, out)
    decks = None if built is None else player.add(built.job)
    runs = player.play(progress)
    return Studies(
        runs[main],
        {slip: runs[number] for slip, number in skill.items()},
        tuple(
            KnobRuns(
                knob,
                {
                    dial: {value: runs[number] for value, number in found.items()}
                    for dial, found in numbers.items()
                },
            )
            for knob, numbers in knobs.items()
        ),
        tuple(
            LeverRuns(
                found.lever,
                found.now,
                runs[own],
                {
                    setting: {value: runs[number] for value, number in values.items()}
                    for setting, values in numbers.items()
                },
            )
            for found, own, numbers in zip(levers, owns, turned, strict=True)
        ),
        None
        if built is None or decks is None
        else BuildingRun(built.building, runs[decks], built.policies, built.decks),
    )


def _numbered(
    player: Player, jobs: Mapping[_Turned, Mapping[int, Job]]
) -> dict[_Turned, dict[int, int]]:
    return {
        dial: {value: player.add(job) for value, job in found.items()}
        for dial, found in jobs.items()
    }


def _place(name: str) -> str:
    """Return the folder of a study, as :class:`Job` has it."""
    return f"studies/{name}-{{}}"


def _games(spec: ReportSpec, share: float) -> int:
    return max(_LEAST, round(spec.games * share))


def _players(title: Title, spec: ReportSpec) -> tuple[int, ...]:
    return spec.players or tuple(title.info.players)


def _plan(title: Title, spec: ReportSpec, games: int) -> Plan:
    from sim.run.api import make_plan

    return make_plan(
        title,
        games=games,
        players=_players(title, spec),
        rules=spec.rules,
        overrides=spec.set,
    )


def _main(title: Title, spec: ReportSpec) -> Job:
    """Return the run that most of a report is made of: every game kept, everything collected."""
    return Job("runs/{}", _plan(title, spec, spec.games), (), "both", tuple(title.info.groups))


def _skill(title: Title, spec: ReportSpec) -> dict[float, Job]:
    """Return a run for each level of slip; the level without slips is the main run."""
    if spec.skill is None or title.info.seats == "none":
        return {}
    games = _games(spec, spec.skill.share)
    same = _plan(title, spec, games)
    found = {}
    for percent in sorted(spec.skill.slips):
        if percent < 100:
            entries = tuple(f"{entry}@{percent / 100:g}" for entry in same.policies)
        else:  # all policies are alike
            entries = _at_random(title, same.policies)
        plan = plans.default_plan(title.info, games, entries, _players(title, spec))
        found[percent / 100] = Job(_place(f"skill-{percent:g}"), plan, (), "sums")
    return found


def _at_random(title: Title, policies: Sequence[str]) -> tuple[str, ...]:
    """Return entries of random play: one, or one with each of the loadouts."""
    from sim.core.policy import available

    there = LEFT_OUT in available(title.data / "policies")
    name, slip = (LEFT_OUT, "") if there else (parse_entry(policies[0]).policy, "@1")
    loadouts = dict.fromkeys(parse_entry(entry).loadout for entry in policies)
    return tuple(f"{name}{'' if one is None else ':' + one}{slip}" for one in loadouts)


def _knob(title: Title, spec: ReportSpec, knob: Knob) -> dict[Dial, dict[int, Job]]:
    """Return the runs of a knob: line-ups drawn from all policies, the same deals for each value.

    Every seat's policy is drawn for itself, so that a seat's share owes nothing to who sits there.
    """
    from sim.run.api import load

    if title.info.seats != "ordered":
        raise InputError(f"knob {knob.id!r} turns values of seats, and {title.info.id} has none")
    ruleset = load(title, rules=spec.rules, overrides=spec.set)
    games = _games(spec, knob.share)
    pool = _plan(title, spec, games).policies
    found: dict[Dial, dict[int, Job]] = {}
    for players in _players(title, spec):
        plan = plans.pool_plan(title.info, games, pool, (players,))
        for what in knob.what:
            for seat in range(1, players + 1):
                key = knob.key_of(players, seat, what.id)
                now = _number(ruleset, key)
                name = f"{knob.id}-{players}p"
                found[Dial(players, seat, what.id, key, now)] = {
                    value: Job(_place(name), plan)
                    if value == now
                    else Job(_place(f"{name}-{what.id}-{seat}-{value}"), plan, (f"{key}={value}",))
                    for value in sorted({*knob.values, now})
                }
    return found


@dataclass(frozen=True)
class _Pulled:
    """What is to be played for a lever, and what its settings are now."""

    lever: Lever
    now: Mapping[Setting, int]
    own: Job
    jobs: Mapping[Setting, Mapping[int, Job]]


def _lever(title: Title, spec: ReportSpec, lever: Lever) -> _Pulled:
    """Return the runs of a lever: the plan of the main run, the same deals for each value."""
    from sim.run.api import load

    ruleset = load(title, rules=spec.rules, overrides=spec.set)
    plan = _plan(title, spec, _games(spec, lever.share))
    now = {setting: _number(ruleset, setting.key) for setting in lever.settings}
    jobs = {
        setting: {
            value: Job(_place(f"{lever.id}-{n}-{value}"), plan, (f"{setting.key}={value}",))
            for value in setting.values
            if value != now[setting]
        }
        for n, setting in enumerate(lever.settings, 1)
    }
    return _Pulled(lever, now, Job(_place(lever.id), plan), jobs)


@dataclass(frozen=True)
class _Built:
    """What is to be played of decks made by chance."""

    building: Building
    policies: Mapping[str, Any]
    decks: Mapping[str, Mapping[str, int]]
    job: Job


def _building(title: Title, spec: ReportSpec, building: Building, out: Path) -> _Built:
    """Return the run of decks made by chance: both seats drawn from all of them, with any policy.

    So every deck meets opponents of the same kind, whatever it is made of.
    """
    path, decks = made_lists(title, spec, building.decks, out / "studies")
    games = _games(spec, building.share)
    known = _plan(title, spec, games).policies
    policies = tuple(dict.fromkeys(parse_entry(entry).policy for entry in known))
    pool = [f"{policy}:{deck}" for policy in policies for deck in decks]
    plan = plans.pool_plan(title.info, games, pool, _players(title, spec))
    job = Job(_place("building"), plan, keep="sums", rules=(str(path),))
    files = {name: read_toml(title.data / "policies" / f"{name}.toml") for name in policies}
    labels = {name: file.data.get("label") for name, file in files.items()}
    return _Built(building, labels, decks, job)


def _number(ruleset: Ruleset, key: str) -> int:
    try:
        value = ruleset.source(key).value
    except UnknownNameError as error:
        raise InputError(f"the report turns a value that there is not: {error}") from None
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"the report turns {key}, which is no whole number: {value!r}")
    return value
