"""A whole game as lines for people, in the names of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.titles.magnolia.info import LABELS

__all__ = ["narrate"]

#: Sentences by event, ``{}`` filled with what they tell.
_EN = {
    "setup": "{players} seats: {lineup}.",
    "objectives": "Open objectives: {names}.",
    "round": "Round {round}",
    "standing": "  seat {seat}: {vp} VP, {gold} gold, technology {technology}, faith {faith}",
    "discard": "  seat {owner} discards {card}",
    "field": "  seat {owner} lays {card} in row {row}, column {column}",
    "shuffle": "  {cards} discards become the deck",
    "line": "  seat {owner}: a {line} pays as {bonus}",
    "row": "row",
    "column": "column",
    "rank": "  seat {owner} has power {power}: rank {rank}, {vp} VP",
    "works": "  seat {owner}: {card}",
    "objective": "  seat {owner} meets {name}",
    "gold": "    seat {owner}: gold {by:+} = {now}",
    "vp": "    seat {owner}: VP {by:+} = {now}",
    "technology": "    seat {owner}: technology {by:+} = {now}",
    "faith": "    seat {owner}: faith {by:+} = {now}",
    "end_vp": "Enough VP.",
    "end_field": "A field is full.",
    "end_vp_and_field": "Enough VP, and a field is full.",
    "end_round_cap": "The last round is over.",
    "end": "VP {scores}; ranks {ranks}.",
}
_JA = {
    "setup": "{players} 人: {lineup}。",
    "objectives": "公開された追加目標: {names}。",
    "round": "第 {round} ラウンド",
    "standing": "  席 {seat}: {vp} VP、{gold} 金、技術 {technology}、信仰 {faith}",
    "discard": "  席 {owner} は {card} を捨てる",
    "field": "  席 {owner} は {card} を {row} 行 {column} 列に置く",
    "shuffle": "  捨て札 {cards} 枚が山札になる",
    "line": "  席 {owner}: {line}が {bonus} で揃う",
    "row": "横の列",
    "column": "縦の列",
    "rank": "  席 {owner} の戦力 {power}: {rank} 位、{vp} VP",
    "works": "  席 {owner}: {card}",
    "objective": "  席 {owner} は {name} を達成する",
    "gold": "    席 {owner}: 金 {by:+} = {now}",
    "vp": "    席 {owner}: VP {by:+} = {now}",
    "technology": "    席 {owner}: 技術 {by:+} = {now}",
    "faith": "    席 {owner}: 信仰 {by:+} = {now}",
    "end_vp": "規定の VP に達した。",
    "end_field": "場が埋まった。",
    "end_vp_and_field": "規定の VP に達し、場も埋まった。",
    "end_round_cap": "最後のラウンドが終わった。",
    "end": "VP {scores}、順位 {ranks}。",
}


def narrate(events: Sequence[Mapping[str, Any]], language: str) -> Iterable[str]:
    """Tell a trace line by line.

    What is drawn is left out: which cards were drawn shows when they are used.

    Parameters
    ----------
    events : sequence of mapping
        A whole trace (see ``story.py``).
    language : {"en", "ja"}

    Examples
    --------
    >>> from sim.titles.magnolia.position import new_game
    >>> game = new_game(2, lineup=["random", "random"])
    >>> game.play()
    >>> list(narrate(game.events, "en"))[:3]
    ['2 seats: random, random.', 'Round 1', '  seat 1: 0 VP, 5 gold, technology 0, faith 0']
    """
    japanese = language == "ja"
    return _told(events, _JA if japanese else _EN, "ja" if japanese else "en")


def _told(
    events: Sequence[Mapping[str, Any]], words: Mapping[str, str], language: str
) -> Iterator[str]:
    # By what is named: a card and an objective may have the same id.
    labels: dict[str, dict[str, str]] = {}
    powers: dict[int, int] = {}
    for event in events:
        match event["event"]:
            case "setup":
                labels = {
                    what: {name: one["label"][language] for name, one in event[told].items()}
                    for what, told in (("card", "cards"), ("objective", "objective_cards"))
                }
                powers = {seat: has["power"] for seat, has in enumerate(event["seats"], 1)}
                lineup = ", ".join(event["lineup"])
                yield words["setup"].format(players=event["players"], lineup=lineup)
                if event["objectives"]:
                    names = ", ".join(labels["objective"][name] for name in event["objectives"])
                    yield words["objectives"].format(names=names)
            case "state":
                yield from _state(event, words, labels, powers, language)
            case "move" if event["to"] != "hand":
                row, column = event.get("cell", (0, 0))
                card, owner = labels["card"][event["card"]], event["owner"]
                line = words[event["to"]]
                yield line.format(owner=owner, card=card, row=row, column=column)
            case "shuffle":
                yield words["shuffle"].format(cards=event["cards"])
            case "change" if event["what"] == "power":
                powers[event["owner"]] = event["now"]
            case "change":
                by, now = event["by"], event["now"]
                yield words[event["what"]].format(owner=event["owner"], by=by, now=now)
            case "end":
                yield words[f"end_{event['reason']}"]
                scores, ranks = (", ".join(map(str, event[name])) for name in ("scores", "ranks"))
                yield words["end"].format(scores=scores, ranks=ranks)


def _state(
    event: Mapping[str, Any],
    words: Mapping[str, str],
    labels: Mapping[str, Mapping[str, str]],
    powers: Mapping[int, int],
    language: str,
) -> Iterator[str]:
    owner = event.get("owner")
    match event["what"]:
        case "round":
            yield words["round"].format(round=event["round"])
            for seat, has in enumerate(event["seats"], 1):
                yield words["standing"].format(seat=seat, **has)
        case "line":
            line, bonus = words[event["line"]], getattr(LABELS[event["bonus"]], language)
            yield words["line"].format(owner=owner, line=line, bonus=bonus)
        case "rank":
            power = powers[event["seat"]]
            yield words["rank"].format(owner=owner, power=power, rank=event["rank"], vp=event["vp"])
        case "works":
            yield words["works"].format(owner=owner, card=labels["card"][event["card"]])
        case "objective":
            name = labels["objective"][event["objective"]]
            yield words["objective"].format(owner=owner, name=name)
