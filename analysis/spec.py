"""Specs of reports: what is played, what is shown, and by which margins it is judged.

A spec is TOML. Three are laid over each other, the later ones winning: what holds for every title
(``default_report.toml`` beside this module), what a title adds (``report.toml`` among its data),
and a file of the user's own, which also names its title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from sim.core.ruleset import MOST_OVERLAYS, MOST_OVERRIDES
from sim.core.schema_faults import allowed_text, fields_at
from sim.core.toml_source import KeyPath, TomlSource, found_text, read_toml
from sim.errors import (
    MOST_TOLD,
    DataError,
    InputError,
    Problem,
    UnknownNameError,
    nearest,
    short,
)

if TYPE_CHECKING:
    from sim.core.title import TitleInfo

__all__ = [
    "Building",
    "CardField",
    "Cards",
    "Curve",
    "Event",
    "Foes",
    "Knob",
    "Label",
    "Lever",
    "Matchups",
    "Matrix",
    "Mirrors",
    "Parts",
    "Pilots",
    "ReportSpec",
    "Setting",
    "Share",
    "What",
    "margins_of",
    "read_spec",
    "title_spec",
]

_DEFAULT = Path(__file__).with_name("default_report.toml")

Part = Annotated[float, Field(gt=0, le=1)]
#: Ids stand in names of folders and in anchors of pages.
Id = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]
Whole = Annotated[int, Field(strict=True)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Label(_Part):
    """A name in both languages."""

    en: str
    ja: str


class Margins(_Part):
    """Largest deviations from parity that count as balanced, in percentage points."""

    seats: float = Field(gt=0, le=100)
    policies: float = Field(gt=0, le=100)
    categories: float = Field(gt=0, le=100)


class Skill(_Part):
    """Levels of slip, in percent of the decisions, and the share of the games for each."""

    slips: tuple[Annotated[float, Field(gt=0, le=100, multiple_of=0.01)], ...]
    share: Part

    @field_validator("slips")
    @classmethod
    def _apart(cls, slips: tuple[float, ...]) -> tuple[float, ...]:
        _check_apart(slips)
        return slips


class What(_Part):
    """One of the values that a knob turns; ``id`` takes the place of ``{what}`` in its key."""

    id: Id
    label: Label


class Knob(_Part):
    """Values of the rules that are changed one at a time, seat by seat.

    ``key`` is a key of the rules with the places ``{players}``, ``{seat}`` and ``{what}``;
    ``share`` is the share of the report's games for each value.
    """

    id: Id
    label: Label
    about: Label
    key: str
    what: tuple[What, ...] = Field(min_length=1)
    values: tuple[Whole, ...] = Field(min_length=2)
    share: Part

    @field_validator("key")
    @classmethod
    def _places(cls, key: str) -> str:
        for place in ("{players}", "{seat}", "{what}"):
            if place not in key:
                raise ValueError(f"a key of the rules with the place {place}")
        rest = key.replace("{players}", "").replace("{seat}", "").replace("{what}", "")
        if "{" in rest or "}" in rest:
            raise ValueError("a key of the rules with the places {players}, {seat}, {what} only")
        return key

    @field_validator("values")
    @classmethod
    def _differing(cls, values: tuple[int, ...]) -> tuple[int, ...]:
        _check_apart(values)
        return values

    def key_of(self, players: int, seat: int, what: str) -> str:
        """Return the key of one value."""
        places = {"{players}": str(players), "{seat}": str(seat), "{what}": what}
        key = self.key
        for place, text in places.items():
            key = key.replace(place, text)
        return key

    @field_validator("what")
    @classmethod
    def _apart(cls, what: tuple[What, ...]) -> tuple[What, ...]:
        _check_apart([one.id for one in what])
        return what


class Setting(_Part):
    """A value of the rules that holds for all seats, and what else it is set to."""

    key: str
    label: Label
    values: tuple[Whole, ...] = Field(min_length=1)

    @field_validator("values")
    @classmethod
    def _differing(cls, values: tuple[int, ...]) -> tuple[int, ...]:
        _check_apart(values)
        return values


class Lever(_Part):
    """Values of the rules that are changed one at a time, for the whole table.

    ``share`` is the share of the report's games for each value, over all player counts.
    """

    id: Id
    label: Label
    about: Label
    settings: tuple[Setting, ...] = Field(min_length=1)
    share: Part

    @field_validator("settings")
    @classmethod
    def _apart(cls, settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
        _check_apart([one.key for one in settings])
        return settings


def _check_apart(found: Sequence[Any]) -> None:
    twice = [str(one) for one, count in Counter(found).items() if count > 1]
    if twice:
        raise ValueError(f"each only once; {short(', '.join(twice))} stands there twice")


class Event(_Part):
    """A column of seats that counts something, told for each value of a category of seats."""

    column: str
    by: str


class Matchups(_Part):
    """A key whose values are told against each other in games of two.

    ``by`` is ``policy`` or a category of seats.
    """

    by: str


class Matrix(_Part):
    """Columns of seats that stand for pairs: a value of one category and one of another.

    ``column`` is their name with the places ``{row}`` and ``{column}``; ``rows`` and ``columns``
    are categories of seats, whose values name the pairs. Values that no column has are left out.
    """

    id: Id
    label: Label
    column: str
    rows: str
    columns: str

    @field_validator("column")
    @classmethod
    def _places(cls, column: str) -> str:
        if sorted(re.findall(r"{\w*}|[{}]", column)) != ["{column}", "{row}"]:
            raise ValueError("the name of columns with the places {row} and {column}, once each")
        return column

    def column_of(self, row: str, column: str) -> str:
        """Return the name of the column of one pair."""
        return self.column.replace("{row}", row).replace("{column}", column)


class Curve(_Part):
    """Columns of seats that count the same thing by a number: cards by their cost.

    ``at`` says of each of the ``columns`` where it stands, ``across`` what these places are.
    """

    id: Id
    label: Label
    across: Label
    columns: tuple[str, ...] = Field(min_length=2)
    at: tuple[str, ...]

    @model_validator(mode="after")
    def _whole(self) -> Curve:
        _check_apart(self.columns)
        _check_apart(self.at)
        if len(self.at) != len(self.columns):
            raise ValueError("a place in `at` for each of the columns")
        return self


class CardField(_Part):
    """One of the fields that a title counts of each kind of card, and what it says of a seat."""

    field: str
    label: Label


class Cards(_Part):
    """What is told of single kinds of cards, by seats that have them in a field.

    ``dealt`` is a field that chance alone fills, the same number of cards for every seat, before
    anybody decides anything: what seats with a kind win more or less is then an effect of it. It is
    left out where there is none, as when hands come from decks that seats brought along. Of
    ``chosen``, which play fills, only a description can be given.
    """

    dealt: CardField | None = None
    chosen: CardField


class Share(_Part):
    """A category of seats whose values are counted, instead of told by who wins with them.

    Seats that have the value ``without`` are left out; ``of`` says what remains: lost games. With
    ``by_policy`` they are counted for each policy as well.
    """

    column: str
    without: str
    of: Label
    by_policy: bool = False


class Foes(_Part):
    """Card fields that tell how hard kinds are to get past, in a title without opponents.

    ``met`` is above 0 where a game met the kind, ``lost`` where it was lost to it, and ``costs``
    add up what it cost. Kinds that never cost anything are no foes.
    """

    met: CardField
    lost: CardField
    costs: tuple[CardField, ...] = Field(min_length=1)

    @field_validator("costs")
    @classmethod
    def _once(cls, costs: tuple[CardField, ...]) -> tuple[CardField, ...]:
        _check_apart([cost.field for cost in costs])
        return costs


class Parts(_Part):
    """Columns of a deck that add up to the same in every deck: cards by their cost."""

    label: Label
    columns: tuple[str, ...] = Field(min_length=2)


class Building(_Part):
    """Decks made by chance, whose win rates tell what their composition does.

    ``groups`` are columns that add up to the same in every deck, ``columns`` others; ``share`` is
    the share of the report's games that these decks play, each with every policy.
    """

    decks: Annotated[int, Field(strict=True, ge=2, le=200)]
    share: Part
    groups: tuple[Parts, ...] = ()
    columns: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _apart(self) -> Building:
        _check_apart(self.parts)
        if not self.parts:
            raise ValueError("columns in `groups` or `columns`")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """All columns."""
        return (*(name for group in self.groups for name in group.columns), *self.columns)


class Mirrors(_Part):
    """Shares of seat 1 in mirrors, by policy, and by what seats bring along.

    ``brought`` is the category of seats whose values entries name after a colon; without it only
    policies are told.
    """

    brought: str | None = None


class Pilots(_Part):
    """What seats bring along, told with each policy and with the one that suits it best.

    ``brought`` is the category of seats whose values entries name after a colon. The verdict on it
    takes the place of that on policies, each of which stands there with everything.
    """

    brought: str


class ReportSpec(_Part):
    """What a report plays and shows.

    Attributes
    ----------
    title : str
    games : int
        Games of the main run.
    players : tuple of int
        Player counts; empty for all of the title.
    seed : int
    rules, set : tuple of str
        Overlays (beside the spec, unless absolute) and overrides.
    level : float
        Coverage of the intervals.
    margins : Margins
    skill : Skill or None
    knobs : tuple of Knob
    levers : tuple of Lever
    events : tuple of Event
    holding : Label
        What a seat has at the end.
    matchups : tuple of Matchups
    matrices : tuple of Matrix
    curves : tuple of Curve
    cards : Cards or None
    building : Building or None
    shares : tuple of Share
    foes : Foes or None
    mirrors : Mirrors or None
    pilots : Pilots or None
    words : mapping of str to Label
        What the title calls otherwise, by the keys of ``words.toml`` and ``sentences.toml``.
    """

    title: str
    games: Annotated[int, Field(strict=True, ge=1)] = 1_000_000
    players: tuple[Whole, ...] = ()
    seed: Annotated[int, Field(strict=True, ge=0)] = 1
    rules: tuple[str, ...] = Field(default=(), max_length=MOST_OVERLAYS)
    set: tuple[str, ...] = Field(default=(), max_length=MOST_OVERRIDES)
    level: float = Field(default=0.95, ge=0.5, le=0.9999999)
    margins: Margins
    skill: Skill | None
    knobs: tuple[Knob, ...] = ()
    levers: tuple[Lever, ...] = ()
    events: tuple[Event, ...] = ()
    holding: Label
    matchups: tuple[Matchups, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    curves: tuple[Curve, ...] = ()
    cards: Cards | None = None
    building: Building | None = None
    shares: tuple[Share, ...] = ()
    foes: Foes | None = None
    mirrors: Mirrors | None = None
    pilots: Pilots | None = None
    words: dict[str, Label] = Field(default_factory=dict)

    @field_validator("players")
    @classmethod
    def _counts(cls, players: tuple[int, ...]) -> tuple[int, ...]:
        _check_apart(players)
        return players

    @field_validator("knobs", "levers", "matrices", "curves")
    @classmethod
    def _apart(cls, found: tuple[Any, ...]) -> tuple[Any, ...]:
        _check_apart([one.id for one in found])
        return found

    @field_validator("matchups")
    @classmethod
    def _once(cls, matchups: tuple[Matchups, ...]) -> tuple[Matchups, ...]:
        _check_apart([one.by for one in matchups])
        return matchups

    @field_validator("shares")
    @classmethod
    def _each(cls, shares: tuple[Share, ...]) -> tuple[Share, ...]:
        _check_apart([one.column for one in shares])
        return shares

    @property
    def rates(self) -> dict[str, float]:
        """The margins as rates."""
        return {name: value / 100 for name, value in self.margins.model_dump().items()}


def title_spec(info: TitleInfo) -> ReportSpec:
    """Return the spec of a title's default report.

    Parameters
    ----------
    info : TitleInfo
        Of a registered title, or of any other, which then gets what holds for every title.

    Raises
    ------
    DataError
        With all faults of the title's ``report.toml``.

    Examples
    --------
    >>> import sim
    >>> spec = title_spec(sim.title_infos()[0])
    >>> spec.margins.seats, [knob.id for knob in spec.knobs]
    (2.0, ['compensation'])
    """
    return _laid([*_shipped(info.id)], info.id)


def margins_of(info: TitleInfo) -> dict[str, float]:
    """Return the margins of a title's default report, as rates.

    Parameters
    ----------
    info : TitleInfo

    Examples
    --------
    >>> import sim
    >>> margins_of(sim.title_infos()[0])["seats"]
    0.02
    """
    return title_spec(info).rates


def read_spec(path: str | Path) -> ReportSpec:
    r"""Read a spec of the user's own.

    Parameters
    ----------
    path : str or Path
        TOML with ``title`` and whatever differs from the title's default report.

    Raises
    ------
    InputError
        When the file cannot be read.
    DataError
        With all its faults.
    UnknownNameError
        When there is no such title.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.toml"
    ...     _ = path.write_text('title = "granmagia"\nmargins.seats = 1.5')
    ...     read_spec(path).margins.seats
    1.5
    """
    from sim.run.api import find_title
    from sim.titles import TITLES

    file = read_toml(Path(path))
    title = file.data.get("title")
    if not isinstance(title, str):
        allowed = f"the name of a title: {', '.join(TITLES)}"
        raise DataError([file.problem(("title",), found_text(title), allowed)])
    if title not in TITLES:
        raise UnknownNameError("title", title, TITLES)
    spec = _laid([*_shipped(title), file], title)
    counts = find_title(title).info.players
    if strange := [place for place, count in enumerate(spec.players) if count not in counts]:
        found = found_text(spec.players[strange[0]])
        allowed = ", ".join(map(str, counts))
        raise DataError([file.problem(("players", strange[0]), found, allowed)])
    home = Path(path).parent
    return spec.model_copy(update={"rules": tuple(str(home / overlay) for overlay in spec.rules)})


def _shipped(title: str) -> list[TomlSource]:
    """Return what the package and a registered title say."""
    from sim.run.api import find_title
    from sim.titles import TITLES

    files = [read_toml(_DEFAULT)]
    if title in TITLES:
        own = find_title(title).data / "report.toml"
        files += [read_toml(own)] if own.is_file() else []
    return files


def _laid(files: list[TomlSource], title: str) -> ReportSpec:
    """Lay specs over each other; a table is merged key by key, anything else replaced."""
    values: dict[str, Any] = {"title": title}
    came: dict[KeyPath, TomlSource] = {}
    for file in files:
        for key, value in file.data.items():
            came[(key,)] = file
            if isinstance(value, dict) and isinstance(values.get(key), dict):
                values[key] = {**values[key], **value}
                came.update({(key, inner): file for inner in value})
            else:
                values[key] = value
    try:
        return ReportSpec.model_validate(values)
    except ValidationError as error:
        raise DataError(_faults(error, values, came, files[-1])) from None
    except RecursionError:
        raise InputError(f"{files[-1].name}: tables are nested too deeply") from None


def _faults(
    error: ValidationError,
    values: Mapping[str, Any],
    came: Mapping[KeyPath, TomlSource],
    last: TomlSource,
) -> list[Problem]:
    """Return the faults of a validation, each in the file that its value comes from."""
    problems: list[Problem] = []
    for fault in error.errors(include_url=False):
        path: KeyPath = tuple(fault["loc"])
        file = came.get(path[:2]) or came.get(path[:1]) or last
        found = found_text(fault["input"])
        allowed, hint = allowed_text(dict(fault))
        unknown = fault["type"] == "extra_forbidden"
        if unknown:
            known = fields_at(ReportSpec, path[:-1]) or ()
            found, allowed = "an unknown key", ", ".join(known)
            # Only the first faults are told, and looking for right names takes its time.
            hint = nearest(str(path[-1]), known) if len(problems) < MOST_TOLD else None
        elif fault["type"] == "missing":
            found, allowed = "nothing", "a value: this key is required"
        problems.append(file.problem(path, found, allowed, hint=hint, at_key=unknown))
    return problems
