"""The sentences in which a trace is told to people, in English and Japanese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

__all__ = ["tell"]

_ZONES = {
    "hand": ("hand", "手札"),
    "deck": ("deck", "デッキ"),
    "discard": ("discard pile", "捨て札"),
    "play": ("play area", "使用中"),
    "own": ("own field", "自分の場"),
    "field": ("field", "場"),
    "magic_deck": ("magic deck", "魔法の山札"),
    "pile": ("pile", "山"),
    "witches": ("witches", "魔女の列"),
    "burned": ("burned zone", "焼却済み"),
    "removed": ("outside the game", "ゲームの外"),
}
_RESOURCES = {
    "mana": ("mana", "魔力"),
    "casts": ("casts", "詠唱"),
    "acquisitions": ("acquisitions", "獲得"),
    "silver": ("silver", "銀貨"),
    "gold": ("gold", "金貨"),
    "tokens": ("truth tokens", "真理トークン"),
    "barriers": ("barriers", "バリア"),
    "arcana_taken": ("arcana obtained", "手に入れた秘儀"),
    "rewards": ("rewards", "ご褒美"),
    "kinds_cast": ("magic kinds cast", "使った魔法の種類"),
    "uses": ("uses of", "使った回数："),
}
_DECISIONS = {
    "cast": ("cast", "詠唱"),
    "acquire": ("acquire", "獲得"),
    "discard": ("discard", "捨てる"),
    "burn": ("burn", "焼却"),
    "receive": ("receive", "入手"),
    "upgrade": ("upgrade", "強化"),
    "look": ("discard after looking", "見て捨てる"),
    "defend": ("defend with", "防御"),
    "doll": ("pay for the doll", "人形に払う"),
    "seal": ("place the seal", "印を置く"),
    "tokens": ("burn for tokens", "トークンにする"),
    "extra_turn": ("pay for an extra turn", "追加ターンに払う"),
}
_REASONS = {
    "field": ("the field is exhausted", "場の魔法カードが尽きた"),
    "round_cap": ("the cap on rounds is reached", "ラウンド数の上限に達した"),
    "special": ("a special victory", "特殊勝利"),
}


#: Sentences of states: English, Japanese.
_STATES = {
    "turn": ("-- Round {round}, {place} --", "── 第 {round} ラウンド、{owner} ──"),
    "extra": (
        "-- Round {round}, {place}, an extra turn --",
        "── 第 {round} ラウンド、{owner}、追加ターン ──",
    ),
    "looked": ("{owner} looks at the deck: {cards}.", "{owner}がデッキの上を見る：{cards}"),
    "attack": ("{owner} attacks with {card}.", "{owner}の攻撃：{card}"),
    "barrier": ("{owner} is protected by a barrier.", "{owner}：バリアで防ぐ"),
    "doll": ("{owner} is protected by {card} #{copy}.", "{owner}：{card} #{copy} で防ぐ"),
    "paid": (
        "{owner} pays and is protected by {card} #{copy}.",
        "{owner}：払って {card} #{copy} で防ぐ",
    ),
    "hand": ("{owner} defends with {card} #{copy}.", "{owner}：手札の {card} #{copy} で防ぐ"),
    "hit": ("{owner} is hit.", "{owner}：攻撃を受ける"),
    "announced": (
        "{owner} meets the condition of {witch} and announces it.",
        "{owner}：{witch}の特殊勝利の条件がそろった。",
    ),
    "lapsed": (
        "{owner} no longer meets the condition of {witch}.",
        "{owner}：{witch}の特殊勝利の条件が崩れた。",
    ),
    "sealed": (
        "{owner} places {seal} on the pile of {pile}.",
        "{owner}：{pile}の山に{seal}を置く。",
    ),
    "moved": (
        "{owner} moves {seal} from the pile of {was} to the pile of {pile}.",
        "{owner}：{seal}を{was}の山から{pile}の山へ移す。",
    ),
    "card": ("{owner} wins an extra turn by a card.", "{owner}：カードで追加ターンを得る。"),
    "gold": ("{owner} pays for an extra turn.", "{owner}：金貨を払って追加ターンをする。"),
}


@cache
def _labels() -> dict[str, tuple[str, str]]:
    """Display names of the printed data; what an overlay adds is called by its id."""
    from sim.titles.granmagia import load

    values = load().values
    return {
        name: (entry["label"]["en"], entry["label"]["ja"])
        for table in ("cards", "witches", "seals")
        for name, entry in values[table].items()
    } | {"stop": ("stop", "やめる")}


def tell(event: Mapping[str, Any], language: str = "en") -> str:
    """Tell one event as a sentence.

    Parameters
    ----------
    event : mapping
    language : {"en", "ja"}

    Examples
    --------
    >>> tell({"event": "change", "what": "mana", "owner": 2, "by": 3, "now": 5}, "en")
    'Seat 2: mana +3, now 5.'
    """
    ja = language == "ja"
    pick = 1 if ja else 0

    def card(name: str) -> str:
        return _labels().get(name, (name, name))[pick]

    def seat(number: int) -> str:
        return f"席 {number}" if ja else f"Seat {number}"

    def listed(names: Sequence[str]) -> str:
        return ("、" if ja else ", ").join(card(name) for name in names)

    kind = event["event"]
    if kind == "setup":
        names = (" ／ " if ja else " / ").join(map(str, event["lineup"]))
        if ja:
            return (
                f"ディール {event['deal']}：{event['players']} 人（{names}）。"
                f"魔法カード：{listed(event['chosen'])}。レア：{listed(event['rares'])}。"
            )
        return (
            f"Deal {event['deal']}: {event['players']} players ({names}). "
            f"Magic kinds: {listed(event['chosen'])}. Rares: {listed(event['rares'])}."
        )
    if kind == "move":
        source, target = _ZONES[event["from"]][pick], _ZONES[event["to"]][pick]
        owner = event["owner"]
        where = "" if owner is None else seat(owner) + ("：" if ja else ": ")
        if "giver" in event:
            where = seat(event["giver"]) + ("から" if ja else " to ") + where
            where = where if ja else where.replace("to Seat", "to seat")
        if ja:
            return f"{where}{card(event['card'])} #{event['copy']} {source}→{target}"
        return f"{where}{card(event['card'])} #{event['copy']} from {source} to {target}."
    if kind == "shuffle":
        if ja:
            return f"{seat(event['owner'])}：捨て札 {event['cards']} 枚を混ぜてデッキにする。"
        return f"{seat(event['owner'])} shuffles {event['cards']} discarded cards into a deck."
    if kind == "change":
        what = _RESOURCES[event["what"]][pick]
        if "card" in event:
            what += card(event["card"]) if ja else f" {card(event['card'])}"
        if ja:
            return f"{seat(event['owner'])}：{what}{event['by']:+d}（{event['now']}）"
        return f"{seat(event['owner'])}: {what} {event['by']:+d}, now {event['now']}."
    if kind == "choose":
        what = _DECISIONS[event["what"]][pick]
        options, choice = listed(event["options"]), card(event["choice"])
        if ja:
            return f"{seat(event['owner'])}が選ぶ（{what}）：{choice}［{options}］"
        return f"{seat(event['owner'])} chooses ({what}): {choice} [{options}]."
    if kind == "state":
        words = {
            name: card(value) if isinstance(value, str) else value for name, value in event.items()
        }
        words |= {"owner": seat(event["owner"]), "place": f"seat {event['owner']}"}
        words["cards"] = listed(event.get("cards", ()))
        return _STATES[_sentence(event)][pick].format(**words)
    if kind == "end":
        reason = _REASONS[event["reason"]][pick]
        if event["witch"]:
            reason += f"：{card(event['witch'])}" if ja else f" of {card(event['witch'])}"
        scores = (" 対 " if ja else " : ").join(map(str, event["scores"]))
        winners = [number + 1 for number, rank in enumerate(event["ranks"]) if rank == 1]
        if ja:
            return f"終わり（{reason}）。真理 {scores}。勝ち：{'、'.join(map(seat, winners))}。"
        return f"The end: {reason}. Truth {scores}. Won by {', '.join(map(seat, winners)).lower()}."
    return str(dict(event))


def _sentence(event: Mapping[str, Any]) -> str:
    """Return which sentence tells a state."""
    what = event["what"]
    if what == "turn":
        return "extra" if event["extra"] else "turn"
    if what == "defended":
        return event["by"] if event["free"] or event["by"] != "doll" else "paid"
    if what == "sealed":
        return "moved" if event["was"] else "sealed"
    return str(event["by"] if what == "extra_turn" else what)
