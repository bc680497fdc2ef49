"""A whole game as lines for people, in the names of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.titles.wizard.schema import COLOURS

__all__ = ["narrate"]

#: Sentences by event, ``{}`` filled with what they tell.
_EN = {
    "setup": "{lp} LP, played by {lineup}. Starting cards: {dealt}.",
    "round": "Move {round}: to {hex}, {terrain}",
    "used": "  a yellow hex",
    "lp": "  {why}: {by} LP, {now} left",
    "lp:hexes": "recovered",
    "lp:wins": "recovered for the win",
    "lp:spells": "healed",
    "lp:losses": "on one's feet again",
    "lp:moves": "the road",
    "lp:draws": "paid for magic",
    "lp:strikes": "struck",
    "battle": "  {enemy} appears, {lp} LP",
    "battle_turn": "  Battle turn {number}",
    "drawn": "    draws {card}",
    "cast": "    casts {spells}",
    "no_spell": "    no spell comes together",
    "damage": "    damage: red {red}, green {green}, blue {blue}",
    "enemy_lp": "    the enemy: {by} LP, {now} left",
    "beaten": "  {enemy} is beaten",
    "gained": "  gains {card}",
    "gained_way": "  gains {card}: {way}",
    "lost": "  loses {card}",
    "aside": "  lays {card} away",
    "cleared": "The demon king is beaten.",
    "lost_in_battle": "The wizard is struck down.",
    "lost_by_casting": "The wizard has spent all LP on magic.",
    "lost_on_road": "The wizard is worn out on the road.",
    "round_cap": "The last move is made.",
    "battle_cap": "The battle does not end.",
    "end": "LP left: {lp}.",
    "none": "none",
    "and": ", ",
}
_JA = {
    "setup": "LP {lp}、方針 {lineup}。初期手札: {dealt}。",
    "round": "移動 {round}: {hex}（{terrain}）へ",
    "used": "  黄色のマス",
    "lp": "  {why}: LP {by}、残り {now}",
    "lp:hexes": "回復",
    "lp:wins": "勝利の回復",
    "lp:spells": "回復魔法",
    "lp:losses": "立ち直る",
    "lp:moves": "移動",
    "lp:draws": "詠唱",
    "lp:strikes": "敵の攻撃",
    "battle": "  {enemy}が現れる。LP {lp}",
    "battle_turn": "  戦闘ターン {number}",
    "drawn": "    {card}を引く",
    "cast": "    {spells} を唱える",
    "no_spell": "    魔法は合成できない",
    "damage": "    ダメージ: 赤 {red}、緑 {green}、青 {blue}",
    "enemy_lp": "    敵: LP {by}、残り {now}",
    "beaten": "  {enemy}を倒す",
    "gained": "  {card}を得る",
    "gained_way": "  {card}（{way}）が仲間になる",
    "lost": "  {card}を失う",
    "aside": "  {card}を使わずに置く",
    "cleared": "魔王を倒した。",
    "lost_in_battle": "敵の攻撃で力尽きた。",
    "lost_by_casting": "魔法に力を使い果たした。",
    "lost_on_road": "道の途中で力尽きた。",
    "round_cap": "移動回数の上限に達した。",
    "battle_cap": "戦闘が終わらない。",
    "end": "残り LP {lp}。",
    "none": "なし",
    "and": "、",
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
    >>> from sim.titles.wizard.position import new_game
    >>> game = new_game(lineup=["shortest_path"])
    >>> game.play()
    >>> lines = list(narrate(game.events, "en"))
    >>> [line for line in lines if line.startswith("Move")][0]
    'Move 1: to c2, Plain'
    >>> lines[-1]
    'LP left: 0.'
    """
    if language == "ja":
        return _Teller(_JA, "ja").tell(events)
    return _Teller(_EN, "en").tell(events)


class _Teller:
    """What a telling remembers of the set-up: the names of things."""

    def __init__(self, words: Mapping[str, str], language: str) -> None:
        self.words, self.language = words, language
        self.texts: Mapping[str, Any] = {}

    def tell(self, events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for event in events:
            match event["event"]:
                case "setup":
                    self.texts = event["texts"]
                    dealt = self._all("cards", (kind for kind, _ in event["dealt"]))
                    lineup = ", ".join(event["lineup"])
                    yield self._line("setup", lp=event["lp"], lineup=lineup, dealt=dealt)
                case "change":
                    yield self._change(event)
                case "move":
                    yield from self._move(event)
                case "state":
                    yield self._state(event)
                case "end":
                    yield self._line(event["reason"])
                    yield self._line("end", lp=event["scores"][0])

    def _line(self, key: str, **fields: Any) -> str:
        return self.words[key].format(**fields)

    def _name(self, table: str, id_: str) -> str:
        name: str = self.texts[table][id_]["label"][self.language]
        return name

    def _all(self, table: str, ids: Iterable[str]) -> str:
        return self.words["and"].join(self._name(table, id_) for id_ in ids) or self.words["none"]

    def _change(self, event: Mapping[str, Any]) -> str:
        by = f"{event['by']:+d}"
        if event["what"] == "enemy_lp":
            return self._line("enemy_lp", by=by, now=event["now"])
        why = self.words[f"lp:{event['why']}"]
        line = self._line("lp", why=why, by=by, now=event["now"])
        return line if event["why"] in ("hexes", "moves", "wins") else "  " + line

    def _move(self, event: Mapping[str, Any]) -> Iterator[str]:
        card = event["card"]
        match event["to"]:
            case "drawn":
                yield self._line("drawn", card=self._name("cards", card))
            case "companions":
                way = event["way"].removeprefix(f"{card}_")
                label = self.texts["cards"][card]["ways"][way]["label"][self.language]
                yield self._line("gained_way", card=self._name("cards", card), way=label)
            case "hand" if event["from"] in ("dealt", "place"):
                yield self._line("gained", card=self._name("cards", card))
            case "lost" | "aside" as target:
                yield self._line(target, card=self._name("cards", card))

    def _state(self, event: Mapping[str, Any]) -> str:
        match event["what"]:
            case "hex":
                terrain = self._name("terrains", self.texts["hexes"][event["hex"]]["terrain"])
                return self._line("round", round=event["round"], hex=event["hex"], terrain=terrain)
            case "cast" if not event["spells"]:
                return self._line("no_spell")
            case "cast":
                return self._line("cast", spells=self._all("spells", event["spells"]))
            case "damage":
                damage = event["damage"]
                return self._line("damage", **{colour: damage[colour] for colour in COLOURS})
            case "battle" | "beaten" as what:
                enemy = self._name("enemies", event["enemy"])
                return self._line(what, enemy=enemy, lp=event.get("lp"))
            case what:
                return self._line(what, number=event.get("number"))
