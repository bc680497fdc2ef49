"""Special victories: what they count and need, and when they are judged (GM-W3 to GM-W9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from sim.titles.granmagia.schema import ARCANA, CURSE, TIMINGS, VICTORIES

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = [
    "GameOver",
    "event",
    "judge_contract",
    "judge_start",
    "needed",
    "penalty",
    "progress",
    "rivals_curses",
    "truth_needed",
]

(
    NONE,
    MANA,
    CURSES,
    TOKENS,
    REWARDS,
    USES,
    ARCANA_SPREAD,
    EXTRA_GOLD,
    KINDS,
    ARCANA_OWNED,
) = range(len(VICTORIES))
AT_ONCE = TIMINGS.index("at_once")


class GameOver(Exception):  # noqa: N818 - a course of the game, not a fault
    """Raised where a special victory is won, so that nothing after its event happens (GM-W4)."""


def victory(game: Game, seat: Seat) -> int:
    """Return what the seat's special victory counts; 0 for an apprentice and without one."""
    return 0 if seat.witch < 0 else game.tables.witch_fields[seat.witch]["victory"]


def progress(game: Game, seat: Seat) -> int:
    """Return how far a seat's special victory is; 0 for an apprentice and without one."""
    kind = victory(game, seat)
    if kind == MANA:
        return game.mana_obtained if game.current is seat else 0
    if kind == CURSES:
        return rivals_curses(game, seat)
    if kind == TOKENS:
        return seat.tokens
    if kind == REWARDS:
        return seat.rewards
    if kind == USES:
        return seat.uses.get(game.tables.witch_fields[seat.witch]["card"], 0)
    if kind == ARCANA_SPREAD:
        return seat.arcana_taken - min(_others_arcana(game, seat))
    if kind == EXTRA_GOLD:
        return seat.gold
    if kind == KINDS:
        return len(seat.kinds_cast)
    if kind == ARCANA_OWNED:
        return sum(card.kind == ARCANA for card in seat.cards())
    return 0


def needed(game: Game, seat: Seat) -> int:
    """Return what the progress of a seat's special victory must reach."""
    kind = victory(game, seat)
    if kind == NONE:
        return 0
    if kind == CURSES:  # GM-N2: every curse there is
        owned = sum(_curses(other) for other in game.seats)
        burned = sum(card.kind == CURSE for card in game.burned)
        return owned + burned + max(game.piles[CURSE], 0)
    return game.tables.witch_fields[seat.witch][f"need{len(game.seats)}"]


def truth_needed(game: Game, seat: Seat) -> int:
    """Return the least truth of a seat's special victory."""
    return game.tables.witch_fields[seat.witch]["truth"] if victory(game, seat) else 0


def rivals_curses(game: Game, seat: Seat) -> int:
    """Return how many curses the other seats own."""
    return sum(_curses(other) for other in game.seats if other is not seat)


def penalty(game: Game, seat: Seat) -> int:
    """Return the truth that other seats' powers take from a seat for its curses (GM-N2)."""
    fields = game.tables.witch_fields
    powers = [
        fields[other.witch]["curse_penalty"]
        for other in game.seats
        if other is not seat and other.witch >= 0
    ]
    return sum(_curses(seat) // every for every in powers if every)


def event(game: Game, seat: Seat, *kinds: int) -> None:
    """Judge a seat's special victory at an event that feeds these kinds (GM-W3, GM-W4).

    Raises
    ------
    GameOver
        When it is won at once.
    """
    if victory(game, seat) in kinds:
        _judge(game, seat)


def judge_contract(game: Game, seat: Seat) -> None:
    """Judge a contract, an event for all kinds but those with a moment of their own (GM-W9)."""
    if victory(game, seat) not in (CURSES, EXTRA_GOLD):
        _judge(game, seat)


def judge_start(game: Game, seat: Seat) -> None:
    """Judge at the start of a normal turn: what was announced, then the curses (GM-W4, GM-N2)."""
    if seat.announced:
        seat.announced = False
        if _holds(game, seat):
            _win(game, seat)
        _tell(game, seat, "lapsed")
    event(game, seat, CURSES)


def _judge(game: Game, seat: Seat) -> None:
    if victory(game, seat) == NONE or not _holds(game, seat):
        return
    if game.tables.witch_fields[seat.witch]["timing"] == AT_ONCE:
        _win(game, seat)
    if not seat.announced:
        seat.announced = True
        seat.announcements += 1
        _tell(game, seat, "announced")


def _holds(game: Game, seat: Seat) -> bool:
    """Whether condition and truth hold."""
    kind, goal = victory(game, seat), needed(game, seat)
    if progress(game, seat) < goal:
        return False
    if kind == CURSES and (goal < 1 or game.piles[CURSE] < 0):
        return False  # GM-N2: there is none, or the pile is never without
    if kind == ARCANA_SPREAD and seat.arcana_taken <= max(_others_arcana(game, seat)):
        return False
    return game.truth(seat) >= truth_needed(game, seat)


def _win(game: Game, seat: Seat) -> NoReturn:
    _tell(game, seat, "won")
    game.win(seat)
    raise GameOver


def _tell(game: Game, seat: Seat, what: str) -> None:
    if game.story:
        name = game.tables.witch_names[seat.witch]
        terms = _terms(game, seat)
        game.story.add("state", what=what, owner=seat.index + 1, witch=name, **terms)


def _terms(game: Game, seat: Seat) -> dict[str, Any]:
    """Return what a special victory is judged by now, for the story."""
    kind, by_seat = victory(game, seat), None
    if kind == CURSES:
        by_seat = [_curses(each) for each in game.seats]
    elif kind == ARCANA_SPREAD:
        by_seat = [each.arcana_taken for each in game.seats]
    card = game.tables.witch_fields[seat.witch]["card"]
    return {
        "condition": VICTORIES[kind],
        "card": game.tables.kind_names[card] if kind == USES else None,
        "have": progress(game, seat),
        "need": needed(game, seat),
        "by_seat": by_seat,
        "truth": game.truth(seat),
        "truth_needed": truth_needed(game, seat),
    }


def _others_arcana(game: Game, seat: Seat) -> list[int]:
    return [other.arcana_taken for other in game.seats if other is not seat]


def _curses(seat: Seat) -> int:
    return sum(card.kind == CURSE for card in seat.cards())
