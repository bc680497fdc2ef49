"""A game told: the trace that machines read, and sentences for people.

Every event is a mapping with ``n, round, turn, seat, phase, event`` and its own fields:

``setup``    ``title, ruleset, key, deal, players, lineup, chosen, rares, piles, witches,
             magic_deck, field, burned, seats``: what is where before the first move. Cards are
             [kind, copy]; in the magic deck and the decks they are in no order of meaning. In
             ``piles`` -1 is a pile without end; cards from a pile have copy numbers of their own
``move``     ``card, copy, from, to, owner``: one card changes its place. ``owner`` is the seat
             whose card it is, or becomes; null for the public field. Zones: ``hand deck discard
             play own`` of the owner, and ``field magic_deck pile witches burned removed``. A card
             put down goes to the end of a hand, discard pile or play area
``shuffle``  ``zone, owner, cards``: the owner's discard pile became the deck, shuffled
``change``   ``what, owner, by, now``: mana, casts, acquisitions, silver, gold
``choose``   ``what, owner, options, choice``: a seat's decision with more than one option
``state``    ``what`` and its own fields: ``looked`` (``owner, cards``, top first), ``turn``
             (``owner, turns``: a turn starts)
``end``      ``reason, scores, ranks, win60``

Seats are counted from 1; ``seat`` is the seat on turn, 0 during set-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Card, Seat

__all__ = ["Story", "tell"]


class Story:
    """Collects the events of one game."""

    def __init__(self, game: Game) -> None:
        self.events: list[dict[str, Any]] = []
        self._game = game
        self._names = game.tables.words.options

    def add(self, event: str, **fields: Any) -> None:
        """Add an event."""
        game = self._game
        self.events.append(
            {
                "n": len(self.events),
                "round": game.round,
                "turn": game.turn,
                "seat": 0 if game.phase == "setup" else game.on_turn + 1,
                "phase": game.phase,
                "event": event,
                **fields,
            }
        )

    def move(self, card: Card, source: str, target: str, owner: Seat | None) -> None:
        """Tell that a card changed its place."""
        self.add(
            "move",
            **{
                "card": self._names[card.kind],
                "copy": card.copy,
                "from": source,
                "to": target,
                "owner": None if owner is None else owner.index + 1,
            },
        )

    def change(self, what: str, owner: Seat, by: int, now: int) -> None:
        """Tell that a resource changed."""
        self.add("change", what=what, owner=owner.index + 1, by=by, now=now)

    def choose(self, what: str, owner: Seat, options: Sequence[int], choice: int) -> None:
        """Tell a decision."""
        names = self._names
        self.add(
            "choose",
            what=what,
            owner=owner.index + 1,
            options=[names[code] for code in options],
            choice=names[choice],
        )

    def set_up(self, game: Game) -> None:
        """Tell what the game is made of."""
        tables, names = game.tables, self._names

        def listed(cards: Sequence[Card]) -> list[list[Any]]:
            return [[names[card.kind], card.copy] for card in cards]

        self.add(
            "setup",
            title="granmagia",
            ruleset=tables.ruleset_hash,
            key=[int(word) for word in game.key],
            deal=game.deal,
            players=len(game.seats),
            lineup=game.lineup_names,
            chosen=[names[kind] for kind in game.chosen],
            rares=[names[kind] for kind in game.rares],
            piles={
                name: size for name, size in zip(tables.kind_names, game.piles, strict=True) if size
            },
            witches=[tables.witch_names[witch] for witch in game.witches],
            magic_deck=listed(game.magic_deck.cards),
            field={names[kind]: listed(cards) for kind, cards in game.field.items()},
            burned=listed(game.burned),
            seats=[
                {
                    "deck": listed(seat.deck.cards),
                    "hand": listed(seat.hand),
                    "discard": listed(seat.discard),
                    "play": listed(seat.play),
                    "own": listed(seat.own),
                    "witch": tables.witch_names[seat.witch] if seat.witch >= 0 else None,
                    "silver": seat.silver,
                    "gold": seat.gold,
                    "tokens": seat.tokens,
                }
                for seat in game.seats
            ],
        )


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
}
_DECISIONS = {
    "cast": ("cast", "詠唱"),
    "acquire": ("acquire", "獲得"),
    "discard": ("discard", "捨てる"),
    "burn": ("burn", "焼却"),
    "receive": ("receive", "入手"),
    "upgrade": ("upgrade", "強化"),
    "look": ("discard after looking", "見て捨てる"),
}
_REASONS = {
    "field": ("the field is exhausted", "場の魔法カードが尽きた"),
    "round_cap": ("the cap on rounds is reached", "ラウンド数の上限に達した"),
}


@cache
def _labels() -> dict[str, tuple[str, str]]:
    """Display names of the printed data; what an overlay adds is called by its id."""
    from sim.titles.granmagia import load

    values = load().values
    return {
        name: (entry["label"]["en"], entry["label"]["ja"])
        for table in ("cards", "witches")
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
        if ja:
            return f"{where}{card(event['card'])} #{event['copy']} {source}→{target}"
        return f"{where}{card(event['card'])} #{event['copy']} from {source} to {target}."
    if kind == "shuffle":
        if ja:
            return f"{seat(event['owner'])}：捨て札 {event['cards']} 枚を混ぜてデッキにする。"
        return f"{seat(event['owner'])} shuffles {event['cards']} discarded cards into a deck."
    if kind == "change":
        what = _RESOURCES[event["what"]][pick]
        if ja:
            return f"{seat(event['owner'])}：{what}{event['by']:+d}（{event['now']}）"
        return f"{seat(event['owner'])}: {what} {event['by']:+d}, now {event['now']}."
    if kind == "choose":
        what = _DECISIONS[event["what"]][pick]
        options, choice = listed(event["options"]), card(event["choice"])
        if ja:
            return f"{seat(event['owner'])}が選ぶ（{what}）：{choice}［{options}］"
        return f"{seat(event['owner'])} chooses ({what}): {choice} [{options}]."
    if kind == "state" and event["what"] == "turn":
        if ja:
            return f"── 第 {event['round']} ラウンド、{seat(event['owner'])} ──"
        return f"-- Round {event['round']}, seat {event['owner']} --"
    if kind == "state":
        if ja:
            return f"{seat(event['owner'])}がデッキの上を見る：{listed(event['cards'])}"
        return f"{seat(event['owner'])} looks at the deck: {listed(event['cards'])}."
    if kind == "end":
        reason = _REASONS[event["reason"]][pick]
        scores = (" 対 " if ja else " : ").join(map(str, event["scores"]))
        winners = [number + 1 for number, rank in enumerate(event["ranks"]) if rank == 1]
        if ja:
            return f"終わり（{reason}）。真理 {scores}。勝ち：{'、'.join(map(seat, winners))}。"
        return f"The end: {reason}. Truth {scores}. Won by {', '.join(map(seat, winners)).lower()}."
    return str(dict(event))
