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
from sim.titles.granmagia.limits import MOST_TRUTH, PILE_CAPACITY

__all__ = [
    "ACQUIRE",
    "BURN",
    "CAST",
    "DECISIONS",
    "DISCARD",
    "END_REASONS",
    "FIELD_END",
    "INFO",
    "LOOK",
    "RECEIVE",
    "ROUND_CAP",
    "STREAMS",
    "UPGRADE",
]

DECISIONS = (
    DecisionPoint("cast", "which magic card to use next; stop goes on to the acquisition phase"),
    DecisionPoint("acquire", "what to acquire, or whom to contract; stop ends the turn"),
    DecisionPoint("discard", "which card in hand to discard; stop only where it may be none"),
    DecisionPoint("burn", "which card in hand to burn; stop only where it may be none"),
    DecisionPoint("receive", "which card on offer to take without paying"),
    DecisionPoint("upgrade", "which stone in hand to exchange for the next larger one; or stop"),
    DecisionPoint("look", "the card looked at: its kind discards it, stop leaves it on the deck"),
)
CAST, ACQUIRE, DISCARD, BURN, RECEIVE, UPGRADE, LOOK = range(len(DECISIONS))

END_REASONS = (
    Category("field", Label("Field exhausted", "場の終わり")),
    Category("round_cap", Label("Cap on rounds", "ラウンド数の上限")),
)
FIELD_END, ROUND_CAP = range(len(END_REASONS))

STREAMS = Streams(single={"supply": 1, "magic": 2}, per_seat={"deck": 16, "policy": 32})


def _seat(name: str, dtype: str, role: Role, en: str, ja: str, selected: bool = False) -> Column:
    return Column(name, dtype, "seat", role, Label(en, ja), selected=selected, summed=True)


_GAME = (
    Column("kinds_left", "u1", "game", "counter", Label("Kinds left", "場の種類"), summed=True),
    Column(
        "magic_deck_left",
        "u1",
        "game",
        "counter",
        Label("Magic deck left", "魔法の山札の残り"),
        summed=True,
    ),
)

_SEAT = (
    Column(
        "witch",
        "u1",
        "seat",
        "category",
        Label("Contracted witch", "契約した魔女"),
        selected=True,
        categories="witch",
    ),
    _seat("contract_round", "<u2", "counter", "Round of the contract", "契約したラウンド", True),
    _seat("casts", "<u2", "counter", "Cards cast", "詠唱した枚数"),
    _seat("acquisitions", "<u2", "counter", "Acquisitions used", "獲得の回数"),
    _seat("receipts", "<u2", "counter", "Cards received", "入手した枚数"),
    _seat("burns", "<u2", "counter", "Own cards burned", "焼却した枚数"),
    _seat("reversals", "<u2", "counter", "Reversals", "リバーサルの回数"),
    _seat("shuffles", "<u2", "counter", "Shuffles", "シャッフルの回数"),
    _seat("gold_spent", "<u2", "counter", "Gold spent", "払った金貨"),
    _seat("mana_total", "<u4", "counter", "Mana obtained", "得た魔力の合計"),
    _seat("truth_charm", "<i2", "source", "Truth from charms", "おまじないの真理"),
    _seat("truth_ritual", "<i2", "source", "Truth from rituals", "儀式の真理"),
    _seat("truth_arcana", "<i2", "source", "Truth from arcana", "秘儀の真理"),
    _seat("truth_curses", "<i2", "source", "Truth from curses", "呪いの真理"),
    _seat("truth_tokens", "<i2", "source", "Truth from tokens", "真理トークン"),
    _seat("deck_size", "<u2", "composition", "Cards owned", "持ち札の枚数", True),
    _seat("fragments", "<u2", "composition", "Fragments", "魔石のかけら", True),
    _seat("stones", "<u2", "composition", "Stones", "魔石", True),
    _seat("great_stones", "<u2", "composition", "Great stones", "大魔石", True),
    _seat("charms", "<u2", "composition", "Charms", "おまじない", True),
    _seat("rituals", "<u2", "composition", "Rituals", "儀式", True),
    _seat("arcana", "<u2", "composition", "Arcana", "秘儀", True),
    _seat("curses", "<u2", "composition", "Curses", "呪い", True),
    _seat("starting_cards", "<u2", "composition", "Notes and apprentice", "ノートと見習い", True),
    _seat("magic_common", "<u2", "composition", "Magic cards of the field", "場の魔法カード", True),
    _seat("magic_rare", "<u2", "composition", "Rares", "レアカード", True),
    _seat("magic_exclusive", "<u2", "composition", "Exclusives", "専用カード", True),
)

INFO = TitleInfo(
    id="granmagia",
    label=Label("Gran Magia", "グランマギア"),
    status=Label(
        "The course of a game is modelled; attacks, lasting cards, abilities and special victories "
        "are not.",
        "試合の流れは実装済み。攻撃・持続カード・能力・特殊勝利は未実装。",
    ),
    result_version=1,
    players=(2, 3, 4),
    seats="ordered",
    decisions=DECISIONS,
    categories={"end_reason": END_REASONS},
    caps={"rounds": "limits.round_cap"},
    streams=STREAMS,
    columns=(*CORE_COLUMNS, *_GAME, *_SEAT),
    batch_games={2: 2048, 3: 1536, 4: 1024},
    score=Label("Truth", "真理"),
    # No seat owns more cards, no card is worth more, and nothing gives tokens yet.
    score_range=(-PILE_CAPACITY * MOST_TRUTH, PILE_CAPACITY * MOST_TRUTH),
    groups=("core", "cards", "series"),
    card_fields=("offered", "opening", "drawn", "acquired", "owned"),
    series=(
        Column("truth", "<i2", "seat", "series", Label("Truth by round", "ラウンドごとの真理")),
    ),
)
