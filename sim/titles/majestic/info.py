"""What the title declares about itself: decision points, streams, columns."""

from __future__ import annotations

from sim.core.title import (
    CORE_COLUMNS,
    Category,
    Column,
    DecisionPoint,
    Label,
    Role,
    Streams,
    TitleInfo,
)
from sim.titles.majestic.schema import ATTRIBUTES

__all__ = [
    "AREA",
    "ATTACK",
    "BLOCK",
    "BOTH_END",
    "CURVE",
    "DECISIONS",
    "DISCARD",
    "END_REASONS",
    "EXCHANGE",
    "FETCH",
    "INFO",
    "LABELS",
    "LP_END",
    "MAIN",
    "MAIN_DECK_END",
    "MANA",
    "MANA_DECK_END",
    "MOVE",
    "REDRAW",
    "ROUND_CAP",
    "SOURCES",
    "SPECIAL",
    "STREAMS",
    "TARGET",
]

DECISIONS = (
    DecisionPoint("redraw", "redraw, or stop: keep the hand"),
    DecisionPoint("mana_phase", "put_mana or draw_card"),
    DecisionPoint("main", "a kind to play, own_k: use an ability, sorcery, advance, retreat; stop"),
    DecisionPoint("area", "to_front or to_back, for a unit that comes to the field"),
    DecisionPoint("move", "own_k: which unit moves to the other area"),
    DecisionPoint("attack", "own_k: the next attacker; stop ends the battle phase"),
    DecisionPoint("exchange", "a spell to play, own_k: use an ability, sorcery; stop passes"),
    DecisionPoint("block", "own_k blocks; stop lets the attack through"),
    DecisionPoint("target", "own_k or enemy_k, the target of a text"),
    DecisionPoint("special", "use_effect of special mana, or stop"),
    DecisionPoint("discard", "a kind in hand to discard"),
    DecisionPoint("fetch", "a kind to fetch by an effect; stop fetches nothing"),
)
(
    REDRAW,
    MANA,
    MAIN,
    AREA,
    MOVE,
    ATTACK,
    EXCHANGE,
    BLOCK,
    TARGET,
    SPECIAL,
    DISCARD,
    FETCH,
) = range(len(DECISIONS))

END_REASONS = (
    Category("lp", Label("Last LP card gone", "LP がなくなった")),
    Category("main_deck", Label("Main deck empty", "メインデッキ切れ")),
    Category("mana_deck", Label("Mana deck empty", "魔力デッキ切れ")),
    Category("both", Label("Both lost at once", "同時に敗北")),
    Category("round_cap", Label("Cap on rounds", "ラウンド数の上限")),
)
LP_END, MAIN_DECK_END, MANA_DECK_END, BOTH_END, ROUND_CAP = range(len(END_REASONS))

STREAMS = Streams(single={}, per_seat={"deck": 1, "mana_deck": 3, "policy": 5})

#: Display names of attributes.
LABELS = {
    "fire": Label("Fire", "火"),
    "water": Label("Water", "水"),
    "earth": Label("Earth", "地"),
    "wind": Label("Wind", "風"),
}

#: Where LP losses come from; the records have a column ``lp_by_…`` for each. The last one are
#: losses that the other seat's own cards caused.
SOURCES = ("attacks", "spells", "abilities", "sorcerer", "units", "special", "itself")

#: Costs that are counted apart; the last one stands for itself and all above.
CURVE = 7


def _column(name: str, role: Role, en: str, ja: str) -> Column:
    return Column(name, "<u2", "seat", role, Label(en, ja), summed=True)


_SEAT = (
    Column("deck", "u1", "seat", "category", Label("Deck", "デッキ"), categories="deck_list"),
    Column(
        "sorcerer",
        "u1",
        "seat",
        "category",
        Label("Sorcerer", "ソーサラー"),
        categories="sorcerer_card",
    ),
    _column("redraws", "counter", "Redraws", "引き直し"),
    _column("drawn", "counter", "Cards drawn after the set-up", "準備後に引いた枚数"),
    _column("mana_put", "counter", "Mana phases: mana put", "マナフェイズで置いた回数"),
    _column("mana_drawn", "counter", "Mana phases: card drawn", "マナフェイズで引いた回数"),
    _column("mana_spent", "counter", "Mana turned down to pay", "支払った魔力"),
    _column("special_used", "counter", "Special mana used", "特殊魔力の使用"),
    _column("units_played", "counter", "Units played", "ユニットのプレイ"),
    _column("spells_played", "counter", "Spells played", "スペルのプレイ"),
    _column("spells_in_battle", "counter", "Spells played in battles", "バトル中のスペル"),
    _column("abilities_used", "counter", "Abilities of units used", "ユニット能力の使用"),
    _column("sorcerer_used", "counter", "Abilities of the sorcerer used", "ソーサラー能力の使用"),
    _column("moves", "counter", "Units moved", "ユニットの移動"),
    _column("attacks", "counter", "Attacks", "攻撃"),
    _column("attacks_blocked", "counter", "Attacks that were blocked", "防がれた攻撃"),
    _column("attacks_ended", "counter", "Attackers that left in battle", "途中で離れた攻撃"),
    _column("blocks", "counter", "Blocks", "防御"),
    _column("units_lost", "counter", "Units destroyed", "破壊されたユニット"),
    _column("units_returned", "counter", "Units returned to hand", "手札に戻ったユニット"),
    _column("discarded", "counter", "Cards discarded", "捨てた枚数"),
    _column("lp_gained", "counter", "LP gained", "得た LP"),
    _column("lp_left", "counter", "LP at the end", "最終の LP"),
    _column("most_units", "counter", "Most units at one time", "同時に並んだユニットの最多数"),
    _column("lp_by_attacks", "source", "LP taken by attacks", "攻撃で奪った LP"),
    _column("lp_by_spells", "source", "LP taken by spells", "スペルで奪った LP"),
    _column("lp_by_abilities", "source", "LP taken by abilities", "ユニット能力で奪った LP"),
    _column("lp_by_sorcerer", "source", "LP taken by the sorcerer", "ソーサラーで奪った LP"),
    _column("lp_by_units", "source", "LP taken by units when played", "登場時に奪った LP"),
    _column("lp_by_special", "source", "LP taken by special mana", "特殊魔力で奪った LP"),
    _column("lp_by_itself", "source", "LP lost by its own cards", "相手が自ら失った LP"),
    _column("deck_units", "composition", "Units in the deck", "デッキのユニット"),
    _column("deck_spells", "composition", "Spells in the deck", "デッキのスペル"),
    _column("deck_cost", "composition", "Cost of the deck", "デッキのコスト合計"),
    _column("deck_attributes", "composition", "Attributes of the deck", "デッキの属性数"),
    *(
        _column(f"cost_{cost}", "composition", f"Cards of cost {cost}", f"コスト {cost} の枚数")
        for cost in range(CURVE)
    ),
    _column(f"cost_{CURVE}", "composition", f"Cost {CURVE} or more", f"コスト {CURVE} 以上の枚数"),
    *(
        _column(f"deck_{name}", "composition", f"{LABELS[name].en} cards", f"{LABELS[name].ja}属性")
        for name in ATTRIBUTES
    ),
    _column("special_mana", "composition", "Special mana", "特殊魔力の枚数"),
    *(
        _column(
            f"mana_{name}", "composition", f"{LABELS[name].en} mana", f"{LABELS[name].ja}の魔力"
        )
        for name in ATTRIBUTES
    ),
)


def _series(name: str, en: str, ja: str) -> Column:
    return Column(name, "<i2", "seat", "series", Label(en, ja))


INFO = TitleInfo(
    id="majestic",
    label=Label("Majestic Magic", "Majestic Magic"),
    status=Label(
        "All rules are played; all cards, sorcerers and decks are assumed.",
        "全ルールを実装済み。カード、ソーサラー、デッキはすべて仮定。",
    ),
    result_version=1,
    players=(2,),
    seats="ordered",
    decisions=DECISIONS,
    categories={"end_reason": END_REASONS},
    caps={"rounds": "limits.round_cap"},
    streams=STREAMS,
    columns=(*CORE_COLUMNS, *_SEAT),
    batch_games={2: 2000},
    score=Label("LP taken", "奪った LP"),
    score_range=(0, 99),
    groups=("core", "cards", "series"),
    card_fields=("opening", "drawn", "played", "discarded", "attacks", "fallen"),
    series=(
        _series("lp", "LP by round", "ラウンドごとの LP"),
        _series("hand", "Cards in hand by round", "ラウンドごとの手札"),
        _series("mana", "Mana by round", "ラウンドごとの魔力"),
        _series("units", "Units by round", "ラウンドごとのユニット"),
    ),
)
