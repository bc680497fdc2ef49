"""The sentences in which one event of a trace is told, in English and Japanese.

``narrative`` makes a whole game of them, told as people follow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sim.errors import UnknownNameError

__all__ = ["LANGUAGES", "RESOURCES", "Words", "tell"]

#: The languages, in the order of every pair of texts here.
LANGUAGES = ("en", "ja")

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
#: What a seat has or counts.
RESOURCES = {
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
#: What special victories count (GM-N).
_CONDITIONS = {
    "mana": ("mana obtained in one turn", "1 ターンに得た魔力"),
    "curses": ("curses of the other seats", "ほかの席の呪い"),
    "tokens": ("truth tokens", "真理トークン"),
    "rewards": ("familiars' rewards", "使い魔のご褒美"),
    "uses": ("uses of {card}", "{card}を使った回数"),
    "arcana_spread": ("arcana obtained above the fewest", "手に入れた秘儀の最少との差"),
    "extra_gold": ("gold at the end of an extra turn", "追加ターン終了時の金貨"),
    "kinds": ("different magic kinds cast", "使った魔法の種類"),
    "arcana_owned": ("arcana owned", "持っている秘儀"),
}

#: Sentences of states: English, Japanese.
_STATES = {
    "turn": ("-- Round {round}, {place} --", "── 第 {round} ラウンド、{owner} ──"),
    "extra": (
        "-- Round {round}, {place}, an extra turn --",
        "── 第 {round} ラウンド、{owner}、追加ターン ──",
    ),
    "looked": ("{owner} looks at the deck: {cards}.", "{owner}がデッキの上を見る：{cards}"),
    "attack": ("{owner} attacks {targets} with {card}.", "{owner}が{targets}を{card}で攻撃する。"),
    "barrier": (
        "{owner} stops {attack} of {attacker} with a barrier.",
        "{owner}：{attacker}の{attack}をバリアで防ぐ。",
    ),
    "doll": (
        "{owner} stops {attack} of {attacker} with {card} #{copy}, free this once.",
        "{owner}：{attacker}の{attack}を {card} #{copy} で防ぐ（初回は無料）。",
    ),
    "paid": (
        "{owner} pays and stops {attack} of {attacker} with {card} #{copy}.",
        "{owner}：払って{attacker}の{attack}を {card} #{copy} で防ぐ。",
    ),
    "hand": (
        "{owner} stops {attack} of {attacker} with {card} #{copy} from hand.",
        "{owner}：{attacker}の{attack}を手札の {card} #{copy} で防ぐ。",
    ),
    "hit": (
        "{owner} has no defence: it is hit by {attack} of {attacker}.",
        "{owner}：{attacker}の{attack}を防げず、受ける。",
    ),
    "announced": (
        "{owner} announces the special victory of {witch} for its next turn start: {terms}.",
        "{owner}：{witch}の特殊勝利を宣言（次の自分のターンの初めに判定）。{terms}。",
    ),
    "lapsed": (
        "{owner} does not win with {witch}, the announcement lapses ({why}): {terms}.",
        "{owner}：{witch}の特殊勝利の宣言が消える（{why}）。{terms}。",
    ),
    "won": (
        "{owner} wins by the special victory of {witch}: {terms}.",
        "{owner}：{witch}の特殊勝利で勝つ。{terms}。",
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


class Words:
    """The words of a language, with the names of the cards, witches and seals of a game.

    Parameters
    ----------
    language : {"en", "ja"}
    setup : mapping or None
        The set-up event of the game, which has the names. Without it cards are called by their ids.

    Raises
    ------
    UnknownNameError
        For any other language.

    Examples
    --------
    >>> labels = {"stone": {"label": {"en": "Magic stone", "ja": "魔石"}}}
    >>> Words("ja", {"cards": labels}).name("stone"), Words("ja").name("stone")
    ('魔石', 'stone')
    """

    def __init__(self, language: str, setup: Mapping[str, Any] | None = None) -> None:
        if language not in LANGUAGES:
            raise UnknownNameError("language", language, LANGUAGES)
        self.language = language
        self._place = LANGUAGES.index(language)
        self._setup: Mapping[str, Any] = setup or {}

    def of(self, pair: tuple[str, str]) -> str:
        """Return the text of this language."""
        return pair[self._place]

    def name(self, name: str) -> str:
        """Return the display name of a card, witch or seal."""
        if name == "stop":
            return self.of(("stop", "やめる"))
        for table in ("cards", "contracts", "seals"):
            if name in (entries := self._setup.get(table, {})):
                return str(entries[name]["label"][self.language])
        return name

    def names(self, names: Iterable[str]) -> str:
        """Return display names in a row."""
        return self.of((", ", "、")).join(map(self.name, names))

    def seat(self, number: int, *, starts: bool = False) -> str:
        """Return what a seat is called, within a sentence or at its start."""
        return self.of((f"{'Seat' if starts else 'seat'} {number}", f"席 {number}"))

    def seats(self, numbers: Iterable[int]) -> str:
        """Return seats in a row."""
        return self.of((", ", "、")).join(map(self.seat, numbers))

    def condition(self, kind: str, card: str | None) -> str:
        """Return what a special victory counts."""
        return self.of(_CONDITIONS[kind]).format(card=self.name(card) if card else "")

    def numbers(self, numbers: Iterable[int]) -> str:
        """Return the numbers of all seats."""
        return self.of((" : ", " 対 ")).join(map(str, numbers))


def tell(
    event: Mapping[str, Any], language: str = "en", setup: Mapping[str, Any] | None = None
) -> str:
    """Tell one event as a sentence.

    Parameters
    ----------
    event : mapping
    language : {"en", "ja"}
    setup : mapping or None
        The first event of the game, for the names of its cards and for who is attacked. Without it
        cards are called by their ids, as when a trace is compared with another event by event.

    Examples
    --------
    >>> tell({"event": "change", "what": "mana", "owner": 2, "by": 3, "now": 5}, "en")
    'Seat 2: mana +3, now 5.'
    """
    kind = event["event"]
    words = Words(language, event if kind == "setup" else setup)
    told = _TOLD.get(kind)
    return str(dict(event)) if told is None else told(event, words, setup)


def _setup(event: Mapping[str, Any], words: Words, _: Any) -> str:
    return words.of(
        (
            "Deal {deal}: {players} players ({lineup}). Magic kinds: {chosen}. Rares: {rares}.",
            "ディール {deal}：{players} 人（{lineup}）。魔法カード：{chosen}。レア：{rares}。",
        )
    ).format(
        deal=event["deal"],
        players=event["players"],
        lineup=words.of((" / ", " ／ ")).join(map(str, event["lineup"])),
        chosen=words.names(event["chosen"]),
        rares=words.names(event["rares"]),
    )


def _move(event: Mapping[str, Any], words: Words, _: Any) -> str:
    source, target = (words.of(_ZONES[event[end]]) for end in ("from", "to"))
    owner, where = event["owner"], ""
    if owner is not None:
        given = "giver" in event
        where = words.seat(owner, starts=not given) + words.of((": ", "："))
        if given:
            giver = words.seat(event["giver"], starts=True)
            where = giver + words.of((" to ", "から")) + where
    return words.of(
        (
            "{where}{card} #{copy} from {source} to {target}.",
            "{where}{card} #{copy} {source}→{target}",
        )
    ).format(
        where=where,
        card=words.name(event["card"]),
        copy=event["copy"],
        source=source,
        target=target,
    )


def _shuffle(event: Mapping[str, Any], words: Words, _: Any) -> str:
    return words.of(
        (
            "{owner} shuffles {cards} discarded cards into a deck.",
            "{owner}：捨て札 {cards} 枚を混ぜてデッキにする。",
        )
    ).format(owner=words.seat(event["owner"], starts=True), cards=event["cards"])


def _change(event: Mapping[str, Any], words: Words, _: Any) -> str:
    what = words.of(RESOURCES[event["what"]])
    if "card" in event:
        what += words.of((" ", "")) + words.name(event["card"])
    return words.of(
        ("{owner}: {what} {by:+d}, now {now}.", "{owner}：{what}{by:+d}（{now}）")
    ).format(
        owner=words.seat(event["owner"], starts=True), what=what, by=event["by"], now=event["now"]
    )


def _choose(event: Mapping[str, Any], words: Words, _: Any) -> str:
    return words.of(
        (
            "{owner} chooses ({what}): {choice} [{options}].",
            "{owner}が選ぶ（{what}）：{choice}［{options}］",
        )
    ).format(
        owner=words.seat(event["owner"], starts=True),
        what=words.of(_DECISIONS[event["what"]]),
        choice=words.name(event["choice"]),
        options=words.names(event["options"]),
    )


def _state(event: Mapping[str, Any], words: Words, setup: Mapping[str, Any] | None) -> str:
    fields = {
        name: words.name(value) if isinstance(value, str) else value
        for name, value in event.items()
    }
    owner = event["owner"]
    fields |= {"owner": words.seat(owner, starts=True), "place": words.seat(owner)}
    if "attacker" in event:
        fields["attacker"] = words.seat(event["attacker"])
    if event["what"] == "attack":
        fields["targets"] = _targets(owner, words, setup)
    if "condition" in event:
        fields["terms"], fields["why"] = _terms(event, words), _why(event, words)
    fields["cards"] = words.names(event.get("cards", ()))
    return words.of(_STATES[_sentence(event)]).format(**fields)


def _targets(attacker: int, words: Words, setup: Mapping[str, Any] | None) -> str:
    """Return whom an attack is on: all others, from the next seat on (GM-A1)."""
    if setup is None:
        return words.of(("all other seats", "ほかの全席"))
    players = setup["players"]
    return words.seats((attacker + by - 1) % players + 1 for by in range(1, players))


def _terms(event: Mapping[str, Any], words: Words) -> str:
    """Return what a special victory is judged by: what it has, and what it needs."""
    by_seat = ""
    if event["by_seat"] is not None:
        most = event["condition"] == "arcana_spread"
        by_seat = words.of(
            (
                f" (by seat {words.numbers(event['by_seat'])}{', must have most' * most})",
                f"（席順に {words.numbers(event['by_seat'])}{'、単独最多が必要' * most}）",
            )
        )
    return words.of(
        (
            "{what} {have}{by_seat}, needed {need}; own truth {truth}, needed {truth_needed}",
            "{what} {have}{by_seat}、必要 {need}。自分の真理 {truth}、必要 {truth_needed}",
        )
    ).format(
        **{name: event[name] for name in ("have", "need", "truth", "truth_needed")},
        what=words.condition(event["condition"], event["card"]),
        by_seat=by_seat,
    )


def _why(event: Mapping[str, Any], words: Words) -> str:
    """Return what a special victory that does not hold is short of."""
    if event["truth"] >= event["truth_needed"]:
        return words.of(("its condition is no longer met", "条件が崩れた"))
    if event["have"] >= event["need"] and not _outdone(event):
        return words.of(("too little truth", "真理が足りない"))
    return words.of(("neither condition nor truth is met", "条件も真理も足りない"))


def _outdone(event: Mapping[str, Any]) -> bool:
    """Whether another seat has obtained as many arcana, where the owner must have most (GM-N6)."""
    if event["condition"] != "arcana_spread":
        return False
    counts = event["by_seat"]
    return bool(sum(count >= counts[event["owner"] - 1] for count in counts) > 1)


def _end(event: Mapping[str, Any], words: Words, _: Any) -> str:
    reason = words.of(_REASONS[event["reason"]])
    if event["witch"]:
        reason += words.of((" of ", "：")) + words.name(event["witch"])
    winners = [number for number, rank in enumerate(event["ranks"], 1) if rank == 1]
    return words.of(
        (
            "The end: {reason}. Truth {scores}. Won by {winners}.",
            "終わり（{reason}）。真理 {scores}。勝ち：{winners}。",
        )
    ).format(reason=reason, scores=words.numbers(event["scores"]), winners=words.seats(winners))


_TOLD = {
    "setup": _setup,
    "move": _move,
    "shuffle": _shuffle,
    "change": _change,
    "choose": _choose,
    "state": _state,
    "end": _end,
}


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
