"""What the title declares about itself: decision points, streams, columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

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
from sim.titles.granmagia.limits import MOST_TOKENS, MOST_TRUTH, PILE_CAPACITY

if TYPE_CHECKING:
    from sim.titles.granmagia.tables import Tables

__all__ = [
    "ACQUIRE",
    "BURN",
    "CAST",
    "DECISIONS",
    "DEFEND",
    "DISCARD",
    "DOLL",
    "END_REASONS",
    "EXTRA_TURN",
    "FIELD_END",
    "INFO",
    "LOOK",
    "RECEIVE",
    "ROUND_CAP",
    "SEAL",
    "SPECIAL",
    "STREAMS",
    "TOKENS",
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
    DecisionPoint("defend", "which defence card in hand to use against an attack"),
    DecisionPoint("doll", "the doll's kind pays gold for it to defend again; or stop"),
    DecisionPoint("seal", "which pile to place a seal on"),
    DecisionPoint("tokens", "which truth card in hand to burn for truth tokens; or stop"),
    DecisionPoint("extra_turn", "the own witch pays gold for an extra turn; or stop"),
)
CAST, ACQUIRE, DISCARD, BURN, RECEIVE, UPGRADE, LOOK, DEFEND, DOLL, SEAL, TOKENS, EXTRA_TURN = (
    range(len(DECISIONS))
)

END_REASONS = (
    Category("field", Label("Field exhausted", "場の終わり")),
    Category("round_cap", Label("Cap on rounds", "ラウンド数の上限")),
    Category("special", Label("Special victory", "特殊勝利")),
)
FIELD_END, ROUND_CAP, SPECIAL = range(len(END_REASONS))

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
    _seat("special_victory", "u1", "counter", "Special victories", "特殊勝利"),
    _seat("announcements", "<u2", "counter", "Victories announced", "特殊勝利の予告"),
    _seat("extra_turns", "<u2", "counter", "Extra turns", "追加ターン"),
    _seat("familiar_rewards", "<u2", "counter", "Felicia's rewards", "フェリシアのご褒美"),
    _seat("attacks", "<u2", "counter", "Attacks made", "攻撃した回数"),
    _seat("hits", "<u2", "counter", "Attacks suffered", "攻撃を受けた回数"),
    _seat("barriers_used", "<u2", "counter", "Barriers used", "使ったバリア"),
    _seat("dolls_used", "<u2", "counter", "Defences by dolls", "人形による防御"),
    _seat("defences_used", "<u2", "counter", "Defences from hand", "手札からの防御"),
    _seat("curses_given", "<u2", "counter", "Curses given", "与えた呪い"),
    _seat("curses_taken", "<u2", "counter", "Curses taken", "受けた呪い"),
    _seat("truth_charm", "<i2", "source", "Truth from charms", "おまじないの真理"),
    _seat("truth_ritual", "<i2", "source", "Truth from rituals", "儀式の真理"),
    _seat("truth_arcana", "<i2", "source", "Truth from arcana", "秘儀の真理"),
    _seat("truth_curses", "<i2", "source", "Truth from curses", "呪いの真理"),
    _seat("truth_tokens", "<i2", "source", "Truth from tokens", "真理トークン"),
    _seat("truth_penalty", "<i2", "source", "Truth lost by penalties", "呪いの追加減点"),
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
    _seat("magic_attack", "<u2", "composition", "Attack cards", "攻撃カード", True),
    _seat("magic_defence", "<u2", "composition", "Defence cards", "防御カード", True),
    _seat("magic_duration", "<u2", "composition", "Duration cards", "持続カード", True),
    _seat("magic_permanent", "<u2", "composition", "Permanent cards", "常駐カード", True),
    _seat("magic_familiar", "<u2", "composition", "Familiars", "使い魔", True),
)


def _revealed(tables: Tables) -> Tables:
    """Return tables under which the whole magic deck is turned up, and the game over, in one turn.

    "offered" is written when a card is turned up, and how many are is a matter of how long a game
    lasts. What the deck is made of is drawn beforehand, from a stream of its own.
    """
    rules = tables.rules.copy()
    rules["field_kinds"] = rules["end_kinds"] = len(tables.kinds)
    rules["turn_casts"] = rules["turn_acquisitions"] = 0
    return replace(tables, rules=rules)


INFO = TitleInfo(
    id="granmagia",
    label=Label("Gran Magia", "グランマギア"),
    status=Label(
        "All rules are modelled; most costs and card texts are assumed.",
        "全ルール実装済み。カードのコストと効果の多くは仮定。",
    ),
    result_version=2,
    players=(2, 3, 4),
    seats="ordered",
    decisions=DECISIONS,
    categories={"end_reason": END_REASONS},
    caps={"rounds": "limits.round_cap"},
    streams=STREAMS,
    columns=(*CORE_COLUMNS, *_GAME, *_SEAT),
    batch_games={2: 2048, 3: 1536, 4: 1024},
    score=Label("Truth", "真理"),
    # No seat owns more cards, no card is worth more, and three other seats take at most one truth
    # for each of its cards.
    score_range=(-PILE_CAPACITY * (MOST_TRUTH + 3), PILE_CAPACITY * MOST_TRUTH + MOST_TOKENS),
    groups=("core", "cards", "series"),
    card_fields=("offered", "opening", "drawn", "acquired", "owned"),
    series=(
        Column("truth", "<i2", "seat", "series", Label("Truth by round", "ラウンドごとの真理")),
    ),
    supply=Supply("offered", Label("Magic deck", "魔法の山札"), _revealed),
)
