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
from sim.titles.magnolia.schema import JOBS, LIKENESSES, MOST_COUNTED, RACES

__all__ = [
    "BONUS",
    "CARD",
    "CELL",
    "DECISIONS",
    "DISCARD",
    "END_REASONS",
    "FIELD_END",
    "INFO",
    "LABELS",
    "ORDER",
    "ROUND_CAP",
    "STREAMS",
    "VP_AND_FIELD_END",
    "VP_END",
]

DECISIONS = (
    DecisionPoint("discard", "which card in hand to discard next; stop draws"),
    DecisionPoint("card", "which card to lay down next; stop lays down no more"),
    DecisionPoint("cell", "where it lies: free cells, counted row by row from the top left one"),
    DecisionPoint("bonus", "which bonus a line pays that is alike in race and in job"),
    DecisionPoint("order", "which of the own cards works next"),
)
DISCARD, CARD, CELL, BONUS, ORDER = range(len(DECISIONS))

END_REASONS = (
    Category("vp", Label("Enough VP", "規定 VP に到達")),
    Category("field", Label("Full field", "場が埋まった")),
    Category("vp_and_field", Label("Enough VP and a full field", "規定 VP と満杯の場")),
    Category("round_cap", Label("Cap on rounds", "ラウンド数の上限")),
)
VP_END, FIELD_END, VP_AND_FIELD_END, ROUND_CAP = range(len(END_REASONS))

STREAMS = Streams(single={"deck": 1, "order": 2, "objectives": 3}, per_seat={"policy": 32})

#: Display names of races and jobs.
LABELS = {
    "human": Label("Human", "人間"),
    "dwarf": Label("Dwarf", "ドワーフ"),
    "elf": Label("Elf", "エルフ"),
    "goblin": Label("Goblin", "ゴブリン"),
    "golem": Label("Golem", "ゴーレム"),
    "demon": Label("Demon", "デーモン"),
    "lord": Label("Lord", "君主"),
    "warrior": Label("Warrior", "戦士"),
    "artisan": Label("Artisan", "職人"),
    "mage": Label("Mage", "魔術師"),
    "priest": Label("Priest", "司祭"),
    "merchant": Label("Merchant", "商人"),
}


def _main(names: tuple[str, ...]) -> tuple[Category, ...]:
    return (
        Category("mixed", Label("No single one", "単独首位なし")),
        *(Category(name, LABELS[name]) for name in names),
    )


def _column(name: str, role: Role, en: str, ja: str, dtype: str = "<u2") -> Column:
    label = Label(en, ja)
    return Column(name, dtype, "seat", role, label, role == "composition", summed=True)


def _category(name: str, en: str, ja: str) -> Column:
    return Column(name, "u1", "seat", "category", Label(en, ja), selected=True, categories=name)


def _in_field(name: str, label: Label) -> Column:
    return _column(f"field_{name}", "composition", f"{label.en} cards", f"{label.ja}の枚数")


def _pair(race: str, job: str) -> Column:
    a, b = LABELS[race], LABELS[job]
    return _column(f"field_{race}_{job}", "composition", f"{a.en} {b.en}", f"{a.ja}の{b.ja}")


_GAME = (
    Column("shuffles", "<u2", "game", "counter", Label("Shuffles", "シャッフル"), summed=True),
)

_SEAT = (
    _category("main_race", "Main race", "主な種族"),
    _category("main_job", "Main job", "主な職業"),
    _column("played", "counter", "Cards played", "プレイした枚数"),
    _column("discarded", "counter", "Cards discarded", "捨てた枚数"),
    _column("gold_spent", "counter", "Gold paid", "払った金", "<u4"),
    _column("gold_gained", "counter", "Gold received", "得た金", "<u4"),
    _column("wars_led", "counter", "Wars at the first rank", "戦争 1 位の回数"),
    _column("wars_paid", "counter", "Wars that gave VP", "VP を得た戦争"),
    _column("war_power", "counter", "Power, all wars together", "戦力の合計", "<u4"),
    _column("lines_race", "counter", "Race bonuses", "種族ボーナス"),
    _column("lines_job", "counter", "Job bonuses", "職業ボーナス"),
    _column("objectives", "counter", "Objectives met", "達成した追加目標"),
    _column("technology", "counter", "Technology at the end", "最終の技術レベル"),
    _column("faith", "counter", "Faith at the end", "最終の信仰レベル"),
    _column("gold_left", "counter", "Gold at the end", "最終の金"),
    _column("vp_war", "source", "VP from war ranks", "戦争順位の VP", "<i4"),
    _column("vp_lines", "source", "VP from lines", "列ボーナスの VP", "<i4"),
    _column("vp_placement_cards", "source", "VP on placement", "配置時能力の VP", "<i4"),
    _column("vp_war_cards", "source", "VP from war abilities", "戦争フェイズ能力の VP", "<i4"),
    _column("vp_development_cards", "source", "VP in development", "発展フェイズの VP", "<i4"),
    _column("vp_income_cards", "source", "VP in income", "収入フェイズの VP", "<i4"),
    _column("vp_vp_cards", "source", "VP in the VP phase", "VP フェイズの VP", "<i4"),
    _column("vp_objectives", "source", "VP from objectives", "追加目標の VP", "<i4"),
    _column("vp_taken", "source", "VP taken by others", "奪われた VP", "<i4"),
    _column("vp_gold", "source", "VP for gold at the end", "金の精算の VP", "<i4"),
    _column("field_cards", "composition", "Cards in the field", "場の枚数"),
    _column("field_cost", "composition", "Cost of the field", "場のコスト合計"),
    *(
        _column(f"cost_{cost}", "composition", f"Cards of cost {cost}", f"コスト {cost} の枚数")
        for cost in range(6)
    ),
    _column("cost_6", "composition", "Cards of cost 6 or more", "コスト 6 以上の枚数"),
    *(_in_field(name, LABELS[name]) for name in LIKENESSES),
    *(_pair(race, job) for race in RACES for job in JOBS),
)


def _series(name: str, en: str, ja: str) -> Column:
    return Column(name, "<i2", "seat", "series", Label(en, ja))


INFO = TitleInfo(
    id="magnolia",
    label=Label("Magnolia", "マグノリア"),
    status=Label(
        "All rules are played; of the cards most costs and texts are assumed.",
        "全ルールを実装済み。カードのコストと効果の大半は仮定。",
    ),
    result_version=1,
    players=(2, 3, 4, 5),
    seats="symmetric",
    decisions=DECISIONS,
    categories={"end_reason": END_REASONS, "main_race": _main(RACES), "main_job": _main(JOBS)},
    caps={"rounds": "limits.round_cap"},
    streams=STREAMS,
    columns=(*CORE_COLUMNS, *_GAME, *_SEAT),
    batch_games={2: 1536, 3: 1024, 4: 768, 5: 512},
    score=Label("VP", "VP"),
    score_range=(0, MOST_COUNTED),
    groups=("core", "cards", "series"),
    card_fields=("opening", "drawn", "discarded", "played"),
    series=(
        _series("vp", "VP by round", "ラウンドごとの VP"),
        _series("power", "Power by round", "ラウンドごとの戦力"),
        _series("technology", "Technology by round", "ラウンドごとの技術"),
        _series("faith", "Faith by round", "ラウンドごとの信仰"),
    ),
)
