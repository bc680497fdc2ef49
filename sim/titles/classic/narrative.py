"""A whole game as lines for people, in the names of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["narrate"]

#: Sentences by event, ``{}`` filled with what they tell.
_EN = {
    "setup": "{players} seats: {lineup}. In the supply: {supply}.",
    "round": "Round {round}",
    "turn": "Seat {owner}, turn {turns}; points {points}",
    "hand>play": "  plays {card}",
    "pile>discard": "  gets {card}",
    "hand>trash": "  trashes {card}",
    "hand>discard": "  discards {card}",
    "deck>hand": "  draws {card}",
    "other": "  seat {owner}:{line}",
    "shuffle": "  shuffles {cards} cards",
    "stopped": "  seat {owner} stops the attack",
    "provinces": "The provinces are out.",
    "piles": "Too many piles are out.",
    "round_cap": "The last round is over.",
    "end": "Points {scores} in {turns} turns; ranks {ranks}.",
}
_JA = {
    "setup": "{players} 人: {lineup}。サプライ: {supply}。",
    "round": "第 {round} ラウンド",
    "turn": "席 {owner} の第 {turns} 手番。得点 {points}",
    "hand>play": "  {card} を使う",
    "pile>discard": "  {card} を得る",
    "hand>trash": "  {card} を廃棄する",
    "hand>discard": "  {card} を捨てる",
    "deck>hand": "  {card} を引く",
    "other": "  席 {owner}:{line}",
    "shuffle": "  {cards} 枚をシャッフルする",
    "stopped": "  席 {owner} は攻撃を防ぐ",
    "provinces": "州が売り切れた。",
    "piles": "空の山が決まりの数になった。",
    "round_cap": "最後のラウンドが終わった。",
    "end": "得点 {scores}、手番 {turns}、順位 {ranks}。",
}


def narrate(events: Sequence[Mapping[str, Any]], language: str) -> Iterable[str]:
    """Tell a trace line by line.

    The clean-up is left out: which cards are drawn shows when they are used.

    Parameters
    ----------
    events : sequence of mapping
        A whole trace (see ``story.py``).
    language : {"en", "ja"}

    Examples
    --------
    >>> from sim.titles.classic.position import new_game
    >>> game = new_game(2, lineup=["naive", "naive"])
    >>> game.play()
    >>> lines = list(narrate(game.events, "en"))
    >>> lines[1:4]
    ['Round 1', 'Seat 1, turn 1; points 3, 3', '  gets Silver']
    >>> lines[-2]
    'The provinces are out.'
    """
    words = _JA if language == "ja" else _EN
    return _told(events, words, "ja" if language == "ja" else "en")


def _told(
    events: Sequence[Mapping[str, Any]], words: Mapping[str, str], language: str
) -> Iterator[str]:
    cards: Mapping[str, Any] = {}
    told_round = 0
    for event in events:
        match event["event"]:
            case "setup":
                cards = event["cards"]
                supply = ", ".join(cards[name]["label"][language] for name in event["supply"])
                lineup = ", ".join(event["lineup"])
                yield words["setup"].format(players=event["players"], lineup=lineup, supply=supply)
            case "state" if event["what"] == "turn":
                if event["round"] != told_round:
                    told_round = event["round"]
                    yield words["round"].format(round=told_round)
                points = _listed(event["points"])
                owner, turns = event["owner"], event["turns"]
                yield words["turn"].format(owner=owner, turns=turns, points=points)
            case "state":
                yield words[event["what"]].format(owner=event["owner"])
            case "move" if event["phase"] in ("action", "buy"):
                sort = cards[event["card"]]["sort"]
                if event["phase"] == "buy" and sort == "treasure" and event["from"] == "hand":
                    continue  # laid down without choice
                label = cards[event["card"]]["label"][language]
                line = words[f"{event['from']}>{event['to']}"].format(card=label)
                if event["owner"] != event["seat"]:
                    line = words["other"].format(owner=event["owner"], line=line[1:])
                yield line
            case "shuffle" if event["phase"] == "action":
                yield words["shuffle"].format(cards=event["cards"])
            case "end":
                yield words[event["reason"]]
                numbers = {name: _listed(event[name]) for name in ("scores", "turns", "ranks")}
                yield words["end"].format(**numbers)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
