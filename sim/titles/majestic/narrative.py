"""A whole game as lines for people, in the names of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["narrate"]

#: Sentences by event, ``{}`` filled with what they tell. Moves are told by where they go.
_EN = {
    "setup": "Seat 1: {decks[0]}, {sorcerers[0]}. Seat 2: {decks[1]}, {sorcerers[1]}.",
    "redraw": "Seat {owner} redraws its hand",
    "turn": "Round {round}, seat {seat}: LP {lp}, hand {hand}, mana {mana}, units {units}",
    "draw": "  draws a card",
    "draw_other": "  seat {owner} draws a card",
    "put_mana": "  puts {card}",
    "lost_lp": "  seat {owner} loses an LP: {card}",
    "gain_lp": "  seat {owner} gains an LP",
    "hand_field": "  plays {card} {area}",
    "trash_field": "  {card} comes back {area}",
    "shift": "  seat {owner}: {card} goes {area}",
    "played": "  seat {owner} plays {card}",
    "returned": "  seat {owner}: {card} returns to hand",
    "discard": "  seat {owner} discards {card}",
    "mill": "  seat {owner}: {card} goes from the deck to the trash",
    "fetched": "  seat {owner} takes {card} from the trash",
    "aim": "    at {card} of seat {whose}",
    "uses": "  seat {owner} uses {card}",
    "attacks": "  {card} attacks",
    "blocks": "  {card} blocks",
    "damage": "    {card}: damage {now}",
    "ap": "    {card}: AP {now}",
    "dp": "    {card}: DP {now}",
    "destroyed": "    {card} is destroyed",
    "front": "to the front",
    "back": "to the back",
    "lp": "The last LP card of seat {loser} is gone.",
    "main_deck": "The main deck of seat {loser} is empty.",
    "mana_deck": "The mana deck of seat {loser} is empty.",
    "both": "Both seats have lost at once.",
    "round_cap": "The last round is over.",
    "won": "Seat {winner} wins.",
    "drawn": "A draw.",
}
_JA = {
    "setup": "席 1: {decks[0]}、{sorcerers[0]}。席 2: {decks[1]}、{sorcerers[1]}。",
    "redraw": "席 {owner} は手札を引き直す",
    "turn": "第 {round} ラウンド、席 {seat}: LP {lp}、手札 {hand}、魔力 {mana}、ユニット {units}",
    "draw": "  1 枚引く",
    "draw_other": "  席 {owner} は 1 枚引く",
    "put_mana": "  {card} を置く",
    "lost_lp": "  席 {owner} は LP を失う: {card}",
    "gain_lp": "  席 {owner} は LP を得る",
    "hand_field": "  {card} を{area}に登場させる",
    "trash_field": "  {card} が{area}に戻る",
    "shift": "  席 {owner}: {card} が{area}へ移動",
    "played": "  席 {owner} は {card} をプレイする",
    "returned": "  席 {owner}: {card} が手札に戻る",
    "discard": "  席 {owner} は {card} を捨てる",
    "mill": "  席 {owner}: {card} がデッキからトラッシュへ",
    "fetched": "  席 {owner} は {card} をトラッシュから加える",
    "aim": "    対象: 席 {whose} の {card}",
    "uses": "  席 {owner} は {card} の能力を使う",
    "attacks": "  {card} が攻撃",
    "blocks": "  {card} が防御",
    "damage": "    {card}: ダメージ {now}",
    "ap": "    {card}: AP {now}",
    "dp": "    {card}: DP {now}",
    "destroyed": "    {card} は破壊される",
    "front": "前衛",
    "back": "後衛",
    "lp": "席 {loser} の LP がなくなった。",
    "main_deck": "席 {loser} のメインデッキがなくなった。",
    "mana_deck": "席 {loser} の魔力デッキがなくなった。",
    "both": "両者が同時に敗北した。",
    "round_cap": "最後のラウンドが終わった。",
    "won": "席 {winner} の勝ち。",
    "drawn": "引き分け。",
}


def narrate(events: Sequence[Mapping[str, Any]], language: str) -> Iterable[str]:
    """Tell a trace line by line.

    Parameters
    ----------
    events : sequence of mapping
        A whole trace (see ``story.py``).
    language : {"en", "ja"}

    Examples
    --------
    >>> from sim.titles.majestic.position import new_game
    >>> game = new_game(lineup=["random:ember_rush", "random:stone_wall"])
    >>> game.play()
    >>> list(narrate(game.events, "en"))[0]
    'Seat 1: Ember rush, Pyra of the embers. Seat 2: Stone wall, Terran of the hills.'
    """
    japanese = language == "ja"
    return _told(_causes_first(events), _JA if japanese else _EN, "ja" if japanese else "en")


#: What a text is used by: a card that is played, an ability, special mana.
_CAUSES = frozenset({"hand_field", "played", "uses"})


def _causes_first(events: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the events, a target after the card that was aimed.

    The target of a spell or an ability is chosen before its cost is paid (MM-P3), which is before
    anybody hears what is played.
    """
    heard, held = False, None
    for event in events:
        if event["event"] == "choose" and event["what"] in ("main", "exchange"):
            heard = False  # something new comes
        if event.get("what") == "aim" and not heard:
            held = event
            continue
        yield event
        moved = event["event"] == "move" and event["phase"] != "setup"
        if (_move(event) if moved else event.get("what")) in _CAUSES:
            heard = True
            if held is not None:
                yield held
                held = None


def _told(
    events: Iterable[Mapping[str, Any]], words: Mapping[str, str], language: str
) -> Iterator[str]:
    labels: dict[str, str] = {}
    for event in events:
        match event["event"]:
            case "setup":
                told = event["cards"] | event["sorcerers"]
                labels = {name: one["label"][language] for name, one in told.items()}
                decks = [event["decks"][seat["deck_list"]][language] for seat in event["seats"]]
                sorcerers = [labels[seat["sorcerer"]] for seat in event["seats"]]
                yield words["setup"].format(decks=decks, sorcerers=sorcerers)
            case "choose" if event["choice"] == "redraw":
                yield words["redraw"].format(owner=event["owner"])
            case "move" if event["phase"] != "setup":
                if key := _move(event):
                    card, area = labels[event["card"]], words.get(event["to"], "")
                    yield words[key].format(card=card, area=area, owner=event["owner"])
            case "state" if event["what"] == "turn":
                seats = event["seats"]
                both = {
                    what: " : ".join(str(seat[what]) for seat in seats)
                    for what in ("lp", "hand", "mana", "units")
                }
                yield words["turn"].format(round=event["round"], seat=event["seat"], **both)
            case "state" if event["what"] in words:
                filled = {**event, "card": labels[event["card"]]}
                yield words[event["what"]].format(**filled)
            case "end":
                yield from _end(event, words)


def _move(event: Mapping[str, Any]) -> str:
    """Return the sentence that tells a move; nothing for one that another event tells."""
    source, target = event["from"], event["to"]
    match source, target:
        case "deck", "hand":
            return "draw" if event["owner"] == event["seat"] else "draw_other"
        case "mana_deck", "mana":
            return "put_mana"
        case "mana_deck", "lp":
            return "gain_lp"
        case "lp", "mana":
            return "lost_lp"
        case (("hand" | "trash"), ("front" | "back")):
            return f"{source}_field"
        case (("front" | "back"), ("front" | "back")):
            return "shift"
        case (("front" | "back"), "hand"):
            return "returned"
        case "hand", "played":
            return "played"
        case "hand", "trash":
            return "discard"
        case "deck", "trash":
            return "mill"
        case "trash", "hand":
            return "fetched"
        case _:
            return ""


def _end(event: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[str]:
    ranks = event["ranks"]
    winner = ranks.index(1) + 1
    yield words[event["reason"]].format(loser=3 - winner)
    yield words["won" if ranks.count(1) == 1 else "drawn"].format(winner=winner)
