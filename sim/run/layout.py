"""How the games of a plan are cut: sections, shards, batches, tasks.

*Section*: up to :data:`SHARD_BATCHES` consecutive blocks of one player count and design.
*Batch*: a constant number of deals of one block. *Shard*: the same range of batches of every block
of a section, :data:`SHARD_BATCHES` batches or a few less; it is what is committed at once. Cutting
along sections keeps a report with hundreds of small blocks in a dozen files. *Task*: consecutive
pieces of one shard that a worker plays in one go; tasks alone depend on the backend, and nothing
that is stored depends on them.

None of these depends on the number of games, so a larger run has the shards of a smaller one, with
only the last of each section filled further.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.title import TitleInfo
from sim.errors import InputError
from sim.run.plan import Block, Design, Plan

__all__ = ["SHARD_BATCHES", "Cut", "Piece", "Section", "Shard", "Task", "shards", "tasks"]

#: Batches a shard. Part of every run's identity.
SHARD_BATCHES = 32

#: Most shards of a run: there have to be lists and files of them. It is billions of games.
MOST_SHARDS = 100_000


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive deals of one block: ``first`` counts within the block."""

    block: int
    first: int
    deals: int


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that are cut alike.

    ``batch_deals`` deals of one block are a batch; a shard takes ``depth`` batches of each block.
    """

    number: int
    players: int
    design: Design
    blocks: tuple[Block, ...]
    batch_deals: int
    depth: int

    @property
    def span(self) -> int:
        """Deals of each block in a whole shard."""
        return self.batch_deals * self.depth


@dataclass(frozen=True, slots=True)
class Shard:
    """What is committed at once; its games are in the order of ``pieces``."""

    key: str
    section: Section
    pieces: tuple[Piece, ...]
    games: int

    @property
    def players(self) -> int:
        """Number of seats, the same for all games of a shard."""
        return self.section.players

    def without(self, played: Iterable[Piece]) -> Shard:
        """Return what is left to play when the first deals of some pieces have been played."""
        done = {piece.block: piece.deals for piece in played}
        pieces = tuple(
            Piece(p.block, p.first + done.get(p.block, 0), p.deals - done.get(p.block, 0))
            for p in self.pieces
            if p.deals > done.get(p.block, 0)
        )
        games = sum(piece.deals for piece in pieces) * self.section.blocks[0].games_per_deal
        return Shard(self.key, self.section, pieces, games)


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker plays in one go; all pieces lie in one shard."""

    pieces: tuple[Piece, ...]
    games: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The constants of the cut, which are part of a run's identity.

    A stored run is read with the constants it was written with, whatever the title declares today.
    """

    shard_batches: int
    batch_games: Mapping[int, int]

    @classmethod
    def of(cls, info: TitleInfo, plan: Plan) -> Cut:
        """Return the constants for a new run.

        Raises
        ------
        InputError
            When its shards would be more than a store can have.
        """
        cut = cls(SHARD_BATCHES, {n: max(1, info.batch_games[n]) for n in plan.players})
        count = sum(number for _, number in _counted(cut, plan))
        if count > MOST_SHARDS:
            raise InputError(
                f"{plan.games:,} games are more than {MOST_SHARDS:,} shards, the most that a run "
                "can have: ask for fewer games, or give parts of them other seeds"
            )
        return cut

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Cut:
        """Return the constants of a stored run."""
        games = {int(players): n for players, n in stored["batch_games"].items()}
        return cls(stored["shard_batches"], games)

    def to_json(self) -> dict[str, Any]:
        """Return what :meth:`from_json` reads."""
        games = {str(players): n for players, n in self.batch_games.items()}
        return {"shard_batches": self.shard_batches, "batch_games": games}


def sections(cut: Cut, plan: Plan) -> list[Section]:
    """Return the sections of a plan, in the order of their blocks."""
    grouped: list[list[Block]] = []
    for block in plan.blocks:
        last = grouped[-1] if grouped else None
        if (
            last
            and len(last) < cut.shard_batches
            and (last[0].players, last[0].design) == (block.players, block.design)
            and last[0].games_per_deal == block.games_per_deal
        ):
            last.append(block)
        else:
            grouped.append([block])
    return [
        Section(
            number=number,
            players=blocks[0].players,
            design=blocks[0].design,
            blocks=tuple(blocks),
            batch_deals=max(1, cut.batch_games[blocks[0].players] // blocks[0].games_per_deal),
            depth=cut.shard_batches // len(blocks),
        )
        for number, blocks in enumerate(grouped)
    ]


def _counted(cut: Cut, plan: Plan) -> list[tuple[Section, int]]:
    """Return the sections of a plan and how many shards each has."""
    return [
        (one, -(-max(block.deals for block in one.blocks) // one.span))
        for one in sections(cut, plan)
    ]


def shards(cut: Cut, plan: Plan) -> list[Shard]:
    """Return all shards of a plan, in the order in which they are played and stored."""
    listed: list[Shard] = []
    for section, count in _counted(cut, plan):
        span = section.span
        for index in range(count):
            pieces = tuple(
                Piece(block.number, index * span, min(span, block.deals - index * span))
                for block in section.blocks
                if block.deals > index * span
            )
            games = sum(piece.deals for piece in pieces) * section.blocks[0].games_per_deal
            listed.append(Shard(f"{section.number:03d}-{index:05d}", section, pieces, games))
    return listed


def tasks(shard: Shard, batches: int) -> Iterator[Task]:
    """Yield the tasks of a shard, each of about so many batches.

    Pieces of different blocks are joined when they are small, and cut at batches when they are
    large, so that a task is worth its way to a worker.
    """
    section = shard.section
    size = section.blocks[0].games_per_deal
    room = section.batch_deals * batches
    gathered: list[Piece] = []
    held = 0
    for piece in shard.pieces:
        done = 0
        while done < piece.deals:
            take = min(room - held, piece.deals - done)
            gathered.append(Piece(piece.block, piece.first + done, take))
            held, done = held + take, done + take
            if held == room:
                yield Task(tuple(gathered), held * size)
                gathered, held = [], 0
    if gathered:
        yield Task(tuple(gathered), held * size)
