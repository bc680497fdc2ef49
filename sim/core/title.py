"""The contract that a title fulfils.

A title is a folder below ``sim/titles`` that exports one :class:`Title`. Everything outside that
folder — plans, batches, stores, sums, analysis, pages — is built from what is declared here and
knows no title by name.

The parts of the contract
-------------------------
``TitleInfo``
    What the title is: player counts, the kind of seats, decision points, end reasons, caps, random
    streams and **one column table** (:class:`Column`). Reports, sums and stores are assembled from
    the *roles* of the columns.
ruleset → tables
    ``Title.load`` turns data files, overlays and overrides into a frozen ``Ruleset``;
    ``Title.compile`` turns that into a plain object of numpy arrays that *both* engines read.
vocabulary
    ``Title.vocabulary`` names the options, observables and selectors that policy files may use.
kernel entry
    ``Title.play`` fills caller-owned arrays and returns a status; it opens nothing, prints nothing,
    keeps no global and raises nothing in its loop. It releases the GIL.
reference entry
    ``Title.reference`` plays one addressed game in plain Python, with or without a trace, and
    ``Title.from_position`` (:class:`Position`) starts from a stated position so that rules can be
    tested one by one.

Kernel entry
------------
``play(tables, policies, bans, key, first_deal, lineups, games_per_deal, out) -> (code, game)``

* Game ``g`` of the call (``0 <= g < len(out.games)``) is played with deal
  ``first_deal + g // games_per_deal`` and with the line-up ``lineups[g % len(lineups)]``, a row of
  policy indices, one a seat. With all rotations of a line-up, ``len(lineups) == games_per_deal``;
  with line-ups drawn from a pool, ``games_per_deal == 1`` and there is one row a game.
* ``bans`` is ``uint64[seats, MASK_WORDS]``: a set bit bars the seat from obtaining that option by
  its own choice. It is how the power of a card is measured (randomised access, paired by deal).
* ``key`` is ``uint64[2]`` (see ``sim.core._rng``).
* ``out`` is a :class:`Buffers`; arrays of groups that were not asked for are ``None``.
* ``code`` is 0, a key of ``sim.errors.STATUS`` or one of ``TitleInfo.statuses``; if it is not 0,
  ``game`` is the index within the call.

What is read by name
--------------------
Roles decide nearly everything; these few names are asked for as they stand here.

* Columns ``rounds`` and ``end_reason`` (lengths and ends of games), ``turns`` (speed), ``win60``
  (all rates); they are among :data:`CORE_COLUMNS`, so every title has them.
* ``caps["rounds"]``, the ruleset key of the most rounds a game can have: the length of a series.
* The category set ``end_reason``.
* The policy ``random`` (slip 10000), when there is one, is left out of default plans.
* The option ``stop``, when there is one, has the highest code.
* The policy stream is not read by name: slips are drawn by the engines.
* The column ``supply`` of games is no title's own: it is written where one is declared.

Options, and how many there can be
----------------------------------
A title has ``64 * MASK_WORDS`` = 128 option codes, counted once for all of its decision points:
kinds of cards first (they serve every decision about a card, whatever is done with it), then other
things, ``stop`` last. An option is *one* code; a choice of two things is two decisions, the second
with its own decision point. What differs only by place has a code for each place. So the sum of
kinds, places, abilities and ``stop`` must not pass 128; :class:`Vocabulary` refuses more. The width
is one constant here and its twin in ``_mask.pxd``, whose two-word struct is all that would have to
be rewritten for more.

Supply
------
What chance lays out for all seats alike (the kinds of a deck builder's field) is declared by
``TitleInfo.supply``, and rows of games then say which kinds these were. That makes it possible to
tell what a kind on offer does: which kinds are there is chance, so games with and without one may
be compared. It holds only for what is settled *before play*. A kind that is turned up during play
is seen more often in games that last, and comparing games by what was turned up takes the length
for an effect of the kind. Where the card field tells only what was turned up, ``Supply.reveal``
makes tables under which it tells everything, and deals are played once more under these.

Loadouts
--------
What a seat brings along besides its policy is named in the line-up: ``policy:loadout``. A title
that has such things declares them by ``Title.loadouts(ruleset)``, from its data, and then every
entry names one; ``PolicyTable.loadout[p]`` is its place, and ``compile`` puts its content into the
tables in the same order. Its content is a part of the entry's hash. Plans, stores and sums treat
``policy:loadout`` as one policy, so rates by policy are rates by policy *and* loadout; the title
adds a category column (not *selected*: it is assigned before play) for rates by loadout alone.

How each of the four titles fits
--------------------------------
Toys of each shape in ``tests/run`` are played, stored, summed and analysed as well.

*Gran Magia* — ``seats="ordered"``, 2 to 4 players. The seat is a design variable: streams of decks
and of policies belong to a seat, so that a changed cost leaves everybody's shuffles alone. Witches
are a ``category`` column marked *selected* (chosen during play); final decks are ``composition``.

*Magnolia* — ``seats="symmetric"``, 2 to 5 players who decide at the same time. Nothing may be
dealt or resolved in a fixed seat order, so the order in which hands are filled is drawn anew each
round from a stream of its own, and a decision point sees the state before the step. A report
takes the seat table of a symmetric title for a self-check of its engine, not for a finding, and
tells nothing else by seat. Default plans play the rotations of a symmetric title too: they are
what that check is made of, and pairing policies on one deal narrows the intervals between them; a
plan by ``lineup=`` or ``pool=`` has none. The composition is the field (race × job, *selected*); VP
by origin are ``source`` columns. Which columns are pairs, which make a curve, and which card field
chance deals stands in the title's ``data/report.toml``: it decides how a run is shown, and no run
has to be another for it. Options: a card and its cell are chosen at two decision points, first the
card, then one of its free cells: 102 kinds, 9 cells, what a line pays as (race or job), 6 words
that only carry weights, and ``stop`` are 120 codes, which leaves 8 for kinds of a designer's own.

*Majestic Magic* — ``seats="ordered"``, exactly 2 players. The deck is the loadout; its composition
(curve, attributes, special mana) is ``composition``, known before the first draw, hence causal, and
``deck`` is an assigned category. The exchange of a battle is one decision point that both seats
reach in turn. Options: what to do (play, attack, move, use, none) and with what are two decisions.
The kinds serve playing and choosing from a hand, a trash or a deck; units on the table are
*places*, because two of one kind can differ in damage, so their number is capped: 12 a side, front
or back being a matter of state, are 24 codes for both sides, each seat calling its own the first
12. With ten more words 94 kinds fit; a larger pool needs the wider mask. Who begins is a seat, not
a draw: seat 1 begins.

*Unreliable Wizard* — ``seats="none"``, one player. There is no opponent and no parity: ``win60``
is 60 for a cleared game and 0 for a lost one, rotations and mirrors do not exist, plans have one
cell a policy, and the seat table is left out. Ability cards that are dealt at random are an
*assigned* ``composition``; LP along the way is a ``series``. Options: six directions rather than
the hexes of the map, how many cards to draw (1 to 4), ways up of companions, spells, 13 ability
cards, 11 enemies, ``stop``: 62 with the printed data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sim.core.policy import PolicyTable, Vocabulary
    from sim.core.ruleset import Ruleset

__all__ = [
    "CORE_COLUMNS",
    "MASK_WORDS",
    "WIN",
    "Buffers",
    "Category",
    "Column",
    "DecisionPoint",
    "Label",
    "Lists",
    "Loadout",
    "Position",
    "Streams",
    "Supply",
    "Title",
    "TitleInfo",
]

#: A whole win in ``win60``; a win shared by k seats is ``WIN // k`` (60, 30, 20, 15, 12).
WIN = 60

#: Options of a decision are bits of this many 64-bit words, in both engines and in ban masks.
MASK_WORDS = 2

Role = Literal["outcome", "counter", "source", "category", "composition", "series"]
Seats = Literal["ordered", "symmetric", "none"]
Group = Literal["core", "cards", "series"]


class Label(NamedTuple):
    """A display name in the languages that reports speak."""

    en: str
    ja: str


@dataclass(frozen=True, slots=True)
class Category:
    """One value of a category column: its stored number is its place in the tuple."""

    id: str
    label: Label


@dataclass(frozen=True, slots=True)
class Loadout:
    """What a seat brings along besides its policy: a deck.

    Attributes
    ----------
    id : str
        Name in line-up entries: ``policy:id``.
    label : Label
    content : JSON value without floats
        What it is made of; its part of an entry's hash.
    """

    id: str
    label: Label
    content: Any


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the records that a kernel writes.

    Attributes
    ----------
    name : str
        Column name in stores and frames.
    dtype : str
        numpy dtype of the stored number, little-endian (``"<i2"``).
    level : {"game", "seat"}
        Whether there is one value a game or one a seat.
    role : str
        ``outcome`` (what the game ends in), ``counter`` (how often something happened),
        ``source`` (where points come from), ``category`` (one of a set), ``composition`` (what a
        seat's cards are at the end), ``series`` (a value by round).
    label : Label
        Display name.
    selected : bool
        True when the value is chosen during play, so that differences between its values are
        descriptive; False when it is assigned before play.
    summed : bool
        Whether sums and sums of squares are kept when rows are not.
    categories : str
        For ``category``: the name of the tuple in ``TitleInfo.categories``.
    """

    name: str
    dtype: str
    level: Literal["game", "seat"]
    role: Role
    label: Label
    selected: bool = False
    summed: bool = False
    categories: str = ""


#: Columns that every title's kernel writes first, in this order.
CORE_COLUMNS: tuple[Column, ...] = (
    Column("rounds", "<u2", "game", "outcome", Label("Rounds", "ラウンド数"), summed=True),
    Column("turns", "<u2", "game", "outcome", Label("Turns played", "手番の総数"), summed=True),
    Column(
        "end_reason",
        "u1",
        "game",
        "category",
        Label("End reason", "終わり方"),
        selected=True,
        categories="end_reason",
    ),
    Column(
        "win60", "u1", "seat", "outcome", Label("Win share in sixtieths", "勝ち分（60 分の 1）")
    ),
    Column("score", "<i2", "seat", "outcome", Label("Score", "得点"), summed=True),
    Column("rank", "u1", "seat", "outcome", Label("Rank", "順位"), summed=True),
)


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A place in the game where a seat chooses among legal options.

    A policy is asked only when there are two options or more.
    """

    id: str
    about: str


@dataclass(frozen=True, slots=True)
class Streams:
    """Random streams by name: a stream's number is the third counter word (see ``_rng``).

    ``single`` streams have one number; ``per_seat`` streams have the given number plus the seat's
    index (0-based). Numbers are part of the results: changing one raises ``RESULT_VERSION``.
    """

    single: Mapping[str, int]
    per_seat: Mapping[str, int]

    #: Line-ups that are drawn from a pool use this stream in every title.
    LINEUP = 0

    def number(self, name: str, seat: int | None = None) -> int:
        """Return the counter word of a stream.

        Parameters
        ----------
        name : str
            A declared stream.
        seat : int, optional
            0-based seat, for streams of a seat.

        Raises
        ------
        KeyError
            When no such stream is declared.
        """
        return self.single[name] if seat is None else self.per_seat[name] + seat


@dataclass(frozen=True, slots=True)
class Supply:
    """Kinds that chance lays out for all seats alike, settled before anything is decided.

    Attributes
    ----------
    card_field : str
        One of ``TitleInfo.card_fields``, above 0 for them.
    label : Label
        What these kinds are called together.
    reveal : callable, optional
        ``reveal(tables) -> tables``: for a field that is written when a kind is turned up during
        play, tables under which all of them are, by the same draws from the same streams, and
        under which a game is as short as can be. Unknown to runs that are read from a store.
    """

    card_field: str
    label: Label
    reveal: Callable[[Any], Any] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TitleInfo:
    """What a title declares about itself.

    Attributes
    ----------
    id, label, status : str, Label, Label
        Identifier, display name, and one sentence on what is modelled so far.
    result_version : int
        Raised only when the results of an unchanged ruleset and seed change.
    players : tuple of int
        Allowed player counts.
    seats : {"ordered", "symmetric", "none"}
        Whether a seat means anything.
    decisions : tuple of DecisionPoint
        Decision points, in the order of their numbers.
    categories : mapping of str to tuple of Category
        Value sets of category columns; ``"end_reason"`` is always there. A set that depends on
        the ruleset is resolved by ``Title.categories``.
    caps : mapping of str to str
        What is capped → the ruleset key of the cap; ``rounds`` is always there.
    streams : Streams
        Declared random streams.
    columns : tuple of Column
        The column table, :data:`CORE_COLUMNS` first.
    groups : tuple of str
        What ``collect=`` may name: ``core`` (always), ``cards``, ``series``.
    card_fields : tuple of str
        What the ``cards`` group counts for each kind, in the order of the buffer's last axis. Of
        one that chance alone fills (a first hand), and of it only, a report tells effects: the
        title's ``data/report.toml`` names it.
    series : tuple of Column
        What the ``series`` group keeps by round.
    batch_games : mapping of int to int
        Games a batch by player count, about 50 ms of work. A constant: never measured at run time.
    score : Label
        What the score is called.
    score_range : (int, int)
        Bounds that every simulated game is held to.
    statuses : mapping of int to str
        What status codes of the title's own mean; they are 16 or more.
    supply : Supply, optional
        What chance lays out for all seats alike.
    """

    id: str
    label: Label
    status: Label
    result_version: int
    players: tuple[int, ...]
    seats: Seats
    decisions: tuple[DecisionPoint, ...]
    categories: Mapping[str, tuple[Category, ...]]
    caps: Mapping[str, str]
    streams: Streams
    columns: tuple[Column, ...]
    batch_games: Mapping[int, int]
    score: Label
    score_range: tuple[int, int]
    groups: tuple[Group, ...] = ("core",)
    card_fields: tuple[str, ...] = ()
    series: tuple[Column, ...] = ()
    statuses: Mapping[int, str] = field(default_factory=dict)
    supply: Supply | None = None

    def level(self, level: Literal["game", "seat"]) -> tuple[Column, ...]:
        """Return the columns of one level, in record order."""
        return tuple(column for column in self.columns if column.level == level)


@dataclass(slots=True)
class Buffers:
    """Arrays that a kernel fills, owned by the caller.

    Attributes
    ----------
    games : structured array, shape (n,)
        ``records.record_dtype(info, "game")``.
    seats : structured array, shape (n, players)
        ``records.record_dtype(info, "seat")``.
    cards : uint16 array, shape (n, players, kinds, card fields), or None
    series : int16 array, shape (n, players, rounds, series), or None
        Rounds beyond the game's last keep ``records.NO_VALUE``.
    """

    games: npt.NDArray[np.void]
    seats: npt.NDArray[np.void]
    cards: npt.NDArray[np.uint16] | None = None
    series: npt.NDArray[np.int16] | None = None


class Play(Protocol):
    """The compiled kernel entry of a title (see the module's docstring)."""

    def __call__(
        self,
        tables: Any,
        policies: PolicyTable,
        bans: npt.NDArray[np.uint64],
        key: npt.NDArray[np.uint64],
        first_deal: int,
        lineups: npt.NDArray[np.int16],
        games_per_deal: int,
        out: Buffers,
    ) -> tuple[int, int]: ...


class ReferenceGame(Protocol):
    """A finished game of the reference engine: one record a level, and its story."""

    game: Mapping[str, int]
    seats: Sequence[Mapping[str, int]]
    cards: npt.NDArray[np.uint16]
    series: npt.NDArray[np.int16]
    trace: Sequence[Mapping[str, Any]]


class Reference(Protocol):
    """The readable engine: plays one addressed game.

    ``lineup`` holds policy indices into ``policies``, or objects with the title's decision points
    as methods (a policy written in Python, made anew for each game and seat). In a title with
    loadouts such an object stands for both: its attribute ``loadout`` is the name of one.
    """

    def __call__(
        self,
        tables: Any,
        policies: PolicyTable,
        bans: npt.NDArray[np.uint64],
        key: npt.NDArray[np.uint64],
        deal: int,
        lineup: Sequence[Any],
        *,
        trace: bool = False,
    ) -> ReferenceGame: ...


class Position(Protocol):
    """Starts the readable engine from a stated position.

    ``position`` is a nested mapping in the words of the title's rules: zones hold cards by name,
    the order of hidden ones included; what is left out is as the title documents. ``rules`` are
    the printed ones unless given; ``overrides`` are ``"key=value"``. ``lineup`` holds a policy's
    name, object or class for each seat. What comes back is a game that is played on by the methods
    that the title documents, and traces what happens. A title may take more keywords.
    """

    def __call__(  # noqa: D102 - the class says it
        self,
        position: Mapping[str, Any],
        *,
        rules: Ruleset | None = None,
        overrides: Sequence[str] = (),
        lineup: Sequence[Any] | None = None,
        seed: int = 1,
        deal: int = 0,
    ) -> Any: ...


@dataclass(frozen=True, slots=True)
class Lists:
    """How a title's loadouts are written by players, checked and made by chance.

    A list is what ``Loadout.content`` holds.

    Attributes
    ----------
    read : callable
        ``read(text, ruleset, name) -> content``: what players write, ``4 Card name`` a line; raises
        ``DataError`` with every fault.
    write : callable
        ``write(id, label, content) -> str``: a table of an overlay file.
    generate : callable
        ``generate(ruleset, number, seed) -> iterable of content``: legal lists; the first ones
        do not depend on their number.
    composition : callable
        ``composition(ruleset, content) -> mapping of str to int``: what it is made of, by columns
        of the records.
    """

    read: Callable[[str, Ruleset, str], Any]
    write: Callable[[str, Label, Any], str]
    generate: Callable[[Ruleset, int, int], Iterable[Any]]
    composition: Callable[[Ruleset, Any], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Title:
    """A registered title: its declaration and its two engines.

    Attributes
    ----------
    info : TitleInfo
    data : Path
        Folder of the data files; ``policies/*.toml`` below it are the data policies.
    load : callable
        ``load(overlays=(), overrides=()) -> Ruleset``; overlays are paths, overrides are
        ``"key=value"`` strings.
    compile : callable
        ``compile(ruleset) -> tables``, the arrays that both engines read.
    vocabulary : callable
        ``vocabulary(ruleset) -> Vocabulary`` for policy files and effect texts.
    categories : callable
        ``categories(ruleset, name) -> tuple of Category`` for category columns.
    kinds : callable
        ``kinds(ruleset) -> tuple of Category``: the card kinds, in the order of card tables.
    play, reference, from_position : callable
        The engines.
    tell : callable
        ``tell(events, language) -> iterable of str``: a whole trace as lines for people, in the
        names of the game's own rules.
    loadouts : callable, optional
        ``loadouts(ruleset) -> tuple of Loadout``, for titles whose seats bring something along.
        ``compile`` puts what engines need of them into the tables, in the same order.
    lists : Lists, optional
        How loadouts are written, for titles that have them.
    """

    info: TitleInfo
    data: Path
    load: Callable[..., Ruleset]
    compile: Callable[[Ruleset], Any]
    vocabulary: Callable[[Ruleset], Vocabulary]
    categories: Callable[[Ruleset, str], tuple[Category, ...]]
    kinds: Callable[[Ruleset], tuple[Category, ...]]
    play: Play
    reference: Reference
    from_position: Position
    tell: Callable[[Sequence[Mapping[str, Any]], str], Iterable[str]]
    loadouts: Callable[[Ruleset], tuple[Loadout, ...]] | None = None
    lists: Lists | None = None
