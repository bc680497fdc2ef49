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
    Supply,
    TitleInfo,
)
from sim.titles.classic.schema import MOST_POINTS, PILE_CAPACITY

__all__ = [
    "ACTION",
    "BUY",
    "DECISIONS",
    "DISCARD",
    "END_REASONS",
    "INFO",
    "PILES_END",
    "PROVINCES_END",
    "RECEIVE",
    "ROUND_CAP",
    "STREAMS",
    "TRASH",
]

DECISIONS = (
    DecisionPoint("action", "which action card to play next; stop goes on to the buy phase"),
    DecisionPoint("buy", "what to buy; stop ends the turn"),
    DecisionPoint("discard", "which card in hand to discard; stop only where it may be none"),
    DecisionPoint("trash", "which card in hand to trash; stop only where it may be none"),
    DecisionPoint("receive", "which card on offer to take without paying"),
)
ACTION, BUY, DISCARD, TRASH, RECEIVE = range(len(DECISIONS))

END_REASONS = (
    Category("provinces", Label("Provinces out", "州の売り切れ")),
    Category("piles", Label("Piles out", "山札の売り切れ")),
    Category("round_cap", Label("Cap on rounds", "ラウンド数の上限")),
)
PROVINCES_END, PILES_END, ROUND_CAP = range(len(END_REASONS))

STREAMS = Streams(single={"supply": 1}, per_seat={"deck": 16, "policy": 32})


def _column(name: str, role: Role, en: str, ja: str, dtype: str = "<u2") -> Column:
    label = Label(en, ja)
    return Column(name, dtype, "seat", role, label, role == "composition", summed=True)


_GAME = (
    Column("piles_out", "u1", "game", "counter", Label("Piles out", "空の山"), summed=True),
    Column(
        "provinces_left", "u1", "game", "counter", Label("Provinces left", "州の残り"), summed=True
    ),
)

_SEAT = (
    _column("plays", "counter", "Action cards played", "使ったアクション", "<u4"),
    _column("bought", "counter", "Cards bought", "購入した枚数", "<u4"),
    _column("coins_spent", "counter", "Coins spent", "払ったコイン", "<u4"),
    _column("receipts", "counter", "Cards received", "獲得した枚数", "<u4"),
    _column("trashes", "counter", "Cards trashed", "廃棄した枚数", "<u4"),
    _column("shuffles", "counter", "Shuffles", "シャッフルの回数", "<u4"),
    _column("attacks", "counter", "Attacks made", "攻撃した回数", "<u4"),
    _column("reactions", "counter", "Attacks stopped", "防いだ攻撃", "<u4"),
    _column("curses_given", "counter", "Curses given", "与えた呪い", "<u4"),
    _column("curses_taken", "counter", "Curses suffered", "受けた呪い", "<u4"),
    _column("points_estate", "source", "Points from estates", "屋敷の得点", "<i2"),
    _column("points_duchy", "source", "Points from duchies", "公領の得点", "<i2"),
    _column("points_province", "source", "Points from provinces", "州の得点", "<i2"),
    _column("points_curse", "source", "Points from curses", "呪いの得点", "<i2"),
    _column("deck_size", "composition", "Cards owned", "持ち札の枚数"),
    _column("coppers", "composition", "Coppers", "銅貨"),
    _column("silvers", "composition", "Silvers", "銀貨"),
    _column("golds", "composition", "Golds", "金貨"),
    _column("estates", "composition", "Estates", "屋敷"),
    _column("duchies", "composition", "Duchies", "公領"),
    _column("provinces", "composition", "Provinces", "州"),
    _column("curses", "composition", "Curses", "呪い"),
    _column("action_cards", "composition", "Action cards", "アクションカード"),
)

INFO = TitleInfo(
    id="classic",
    label=Label("Classic deck builder", "古典的デッキ構築"),
    status=Label(
        "Not one of the four titles: it is here because its figures are known elsewhere.",
        "四作品には含まれない。他所で知られた数値と照合するためのもの。",
    ),
    result_version=1,
    players=(1, 2, 3, 4),
    seats="ordered",
    decisions=DECISIONS,
    categories={"end_reason": END_REASONS},
    caps={"rounds": "limits.round_cap"},
    streams=STREAMS,
    columns=(*CORE_COLUMNS, *_GAME, *_SEAT),
    batch_games={1: 16384, 2: 8192, 3: 4096, 4: 4096},
    score=Label("Points", "得点"),
    score_range=(-PILE_CAPACITY * MOST_POINTS, PILE_CAPACITY * MOST_POINTS),
    groups=("core", "cards", "series"),
    card_fields=("offered", "opening", "drawn", "acquired", "owned"),
    series=(
        Column("points", "<i2", "seat", "series", Label("Points by round", "ラウンドごとの得点")),
        Column(
            "provinces", "<i2", "seat", "series", Label("Provinces by round", "ラウンドごとの州")
        ),
    ),
    supply=Supply("offered", Label("Supply", "サプライ")),
)
