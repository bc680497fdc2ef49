"""The phrases in which ``narrative`` tells a game: English, Japanese."""

from __future__ import annotations

__all__ = ["ATTRIBUTES", "DECLINED", "LINES", "PLACES", "TEXTS"]

#: Lines: English, Japanese. Every line of a seat begins with it.
LINES = {
    "players": (
        "Deal {deal}, {number} players: {seats}.",
        "ディール {deal}、{number} 人：{seats}。",
    ),
    "plays": ("{seat} plays {policy}{coins}", "{seat}＝{policy}{coins}"),
    "kinds": ("Magic kinds of this game:", "このゲームの魔法カード："),
    "rares": ("Rares:", "レア："),
    "witches": ("Witches and their special victories:", "魔女と特殊勝利："),
    "kind": (
        "  {name}, cost {cost}{attributes}: {text}",
        "  {name}（コスト {cost}{attributes}）：{text}",
    ),
    "witch": (
        "  {name}, cost {cost}: {condition} {need}, own truth ≥ {truth}, {timing}{ability}",
        "  {name}（コスト {cost}）：{condition} {need}、自分の真理 ≥ {truth}、{timing}{ability}",
    ),
    "no victory": (
        "  {name}, cost {cost}: none{ability}",
        "  {name}（コスト {cost}）：なし{ability}",
    ),
    "at_once": ("wins at once", "すぐに勝つ"),
    "turn_start": ("wins at a turn start", "ターンの初めに勝つ"),
    "round": (
        "== Round {round}: truth {truths}; magic deck {deck}; field of {kinds} kinds: {field} ==",
        "■ 第 {round} ラウンド：真理 {truths}、魔法の山札 {deck} 枚、場 {kinds} 種：{field}",
    ),
    "turn": (
        "-- {seat} ({who}){extra}: truth {truth}{standing}; hand: {hand}{own} --",
        "── {seat}（{who}）{extra}：真理 {truth}{standing}、手札：{hand}{own} ──",
    ),
    "extra": (", an extra turn", "、追加ターン"),
    "cast": ("{seat} casts {card}{more}.", "{seat}：{card}を使う{more}。"),
    "casts left": (" (casts left: {casts})", "（残り詠唱 {casts}）"),
    "pays": ("{seat} acquires {card} for {price}.", "{seat}：{card}を{price}で獲得する。"),
    "contract": ("{seat} contracts {card} for {price}.", "{seat}：{price}で{card}と契約する。"),
    "nothing": ("nothing", "無料"),
    "stones": ("{seat} lays down {cards}: {changes}.", "{seat}：{cards}を出す：{changes}。"),
    "changes": ("{seat}: {changes}.", "{seat}：{changes}。"),
    "unused": ("{seat} leaves {number} mana unused.", "{seat}：魔力 {number} を余らせる。"),
    "draws": ("{seat} draws {cards}.", "{seat}：{cards}を引く。"),
    "discards": ("{seat} discards {cards}.", "{seat}：{cards}を捨てる。"),
    "discards from": (
        "{seat} discards {cards} from the {zone}.",
        "{seat}：{zone}から{cards}を捨てる。",
    ),
    "burns": ("{seat} burns {cards}.", "{seat}：{cards}を焼却する。"),
    "burns from": ("{seat} burns {cards} from the {zone}.", "{seat}：{zone}の{cards}を焼却する。"),
    "removed": ("{seat}: {cards} leaves the game.", "{seat}：{cards}がゲームから除かれる。"),
    "receives": ("{seat} receives {cards}.", "{seat}：{cards}を捨て札に入手する。"),
    "to hand": ("{seat} receives {cards} into hand.", "{seat}：{cards}を手札に入手する。"),
    "passes": ("{giver} passes {cards} to {to}.", "{giver}：{to}に{cards}を渡す。"),
    "field": ("The field gains {cards}.", "場に出る：{cards}。"),
    "magic burns": ("The magic deck burns {cards}.", "魔法の山札から焼却：{cards}。"),
    "returns": ("{seat}: {cards} goes to the discard pile.", "{seat}：{cards}が捨て札になる。"),
    "no more": ("{seat} casts no more", "{seat}：もう使わない"),
    "declines": ("{seat} declines to {what}", "{seat}：やめる（{what}）"),
    "or": (" [or {names}]", "［ほかに {names}］"),
    "could": (". [could: {names}]", "。［できた：{names}］"),
    "standing": ("{rank}. {seat} ({who}), truth {truth}", "{rank} 位 {seat}（{who}）真理 {truth}"),
    "ability": ("; at each turn start {text}", "、ターンの初めに {text}"),
    "own": ("; own field: {cards}", "、自分の場：{cards}"),
    "price": ("{number} {what}", "{what} {number}"),
}

#: What a seat can decline to do.
DECLINED = {
    "discard": ("discard", "捨てる"),
    "burn": ("burn", "焼却"),
    "upgrade": ("upgrade", "強化"),
    "look": ("discard from the deck", "デッキから捨てる"),
    "doll": ("pay for the doll", "人形に払う"),
    "tokens": ("burn for truth tokens", "トークンにする"),
    "extra_turn": ("pay for an extra turn", "追加ターンに払う"),
}
#: What cards are.
ATTRIBUTES = {
    "attack": ("attack", "攻撃"),
    "defence": ("defence", "防御"),
    "duration": ("duration", "持続"),
    "permanent": ("permanent", "永続"),
    "familiar": ("familiar", "使い魔"),
}
#: What comes before each part of a card's text.
TEXTS = {
    "effects": ("", ""),
    "turn_start": ("at turn start ", "ターンの初めに "),
    "reward": ("reward ", "ご褒美 "),
    "needs": ("only if ", "条件 "),
}
#: Zones of a seat that cards leave.
PLACES = {
    "deck": ("deck", "デッキ"),
    "discard": ("discard pile", "捨て札"),
    "play": ("play area", "使用中"),
    "own": ("own field", "自分の場"),
}
