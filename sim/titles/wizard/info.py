"""What the title declares about itself: decision points, streams, columns."""

from __future__ import annotations

from dataclasses import replace

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
from sim.titles.wizard.schema import COMPANIONS, DEALT, MOST_LP, PLACES

__all__ = [
    "BATTLE_CAP",
    "CLEARED",
    "DECISIONS",
    "DRAW",
    "END_REASONS",
    "INFO",
    "LEAVE",
    "LOSE",
    "LOST_BY_CASTING",
    "LOST_IN_BATTLE",
    "LOST_ON_ROAD",
    "LP_SOURCES",
    "MOVE",
    "ROUND_CAP",
    "ROUTES",
    "SPELL",
    "STREAMS",
    "WAY",
]

DECISIONS = (
    DecisionPoint("way", "which of its two ways up a companion is laid"),
    DecisionPoint("move", "where the wizard goes next, one of six directions"),
    DecisionPoint("leave", "which magic part to leave out of the deck; stop keeps the rest"),
    DecisionPoint("draw", "how many cards of the magic deck to draw"),
    DecisionPoint("spell", "which spell to cast, where the drawn parts allow several"),
    DecisionPoint("lose", "which companion to lose"),
)
WAY, MOVE, LEAVE, DRAW, SPELL, LOSE = range(len(DECISIONS))

END_REASONS = (
    Category("cleared", Label("Demon king beaten", "魔王を倒した")),
    Category("lost_in_battle", Label("Struck down", "敵の攻撃で LP が 0")),
    Category("lost_by_casting", Label("Spent on magic", "詠唱で LP が 0")),
    Category("lost_on_road", Label("Worn out on the road", "移動で LP が 0")),
    Category("round_cap", Label("Cap on moves", "移動回数の上限")),
    Category("battle_cap", Label("Cap on battle turns", "戦闘ターンの上限")),
)
CLEARED, LOST_IN_BATTLE, LOST_BY_CASTING, LOST_ON_ROAD, ROUND_CAP, BATTLE_CAP = range(
    len(END_REASONS)
)

STREAMS = Streams(
    single={"abilities": 1, "enemies": 2, "magic": 3, "lots": 4}, per_seat={"policy": 32}
)

_SIDES = {"left": ("Left", "左列"), "right": ("Right", "右列")}


def _place(name: str) -> Label:
    side, row = name.split("_")
    en, ja = _SIDES[side]
    return Label(f"{en}, row {row}", f"{ja} {row} 段目")


#: Where a game was lost; the first is none, then the road, the places, the castle.
_LOST_AT = (
    Category("not_lost", Label("Not lost", "負けていない")),
    Category("on_the_road", Label("On the road", "移動中")),
    *(Category(name, _place(name)) for name in PLACES),
    Category("at_the_castle", Label("Castle", "魔王城")),
)

#: Which places were fought at, as a whole.
ROUTES = (
    Category("no_place", Label("No place", "戦闘なし")),
    Category("left_side", Label("Left side only", "左列のみ")),
    Category("right_side", Label("Right side only", "右列のみ")),
    Category("both_sides", Label("Some of both sides", "両列の一部")),
    Category("every_place", Label("Every place", "全て")),
)

#: Where LP come from and where they go; what there is at the end is their sum.
LP_SOURCES = {
    "start": Label("LP at the start", "最初の LP"),
    "hexes": Label("LP from yellow hexes", "黄色のマスの LP"),
    "wins": Label("LP from battles won", "戦闘勝利の LP"),
    "spells": Label("LP from healing spells", "回復魔法の LP"),
    "losses": Label("LP from losing companions", "仲間を失って戻った LP"),
    "moves": Label("LP paid for moves", "移動の LP"),
    "draws": Label("LP paid for magic", "詠唱の LP"),
    "strikes": Label("LP lost to strikes", "敵の攻撃の LP"),
}

_CARDS = {
    "red_extension": Label("Red extension", "赤の拡張パーツ"),
    "green_extension": Label("Green extension", "緑の拡張パーツ"),
    "blue_extension": Label("Blue extension", "青の拡張パーツ"),
    "light_blue_extension": Label("Light blue extension", "水色の拡張パーツ"),
    "grimoire_2": Label("Grimoire 2", "高等魔法書"),
    "hero": Label("Hero", "勇者"),
    "knight": Label("Knight", "騎士"),
    "monk": Label("Monk", "修道士"),
    "porcupine": Label("Porcupine", "山嵐"),
    "princess": Label("Princess", "姫"),
}


def _column(
    name: str, role: Role, label: Label, dtype: str = "<u2", *, selected: bool = False
) -> Column:
    return Column(name, dtype, "seat", role, label, selected, summed=True)


def _category(name: str, label: Label, *, selected: bool = True) -> Column:
    return Column(name, "u1", "seat", "category", label, selected, categories=name)


#: What this title calls columns that every title has.
_CALLED = {
    "rounds": Label("Moves", "移動回数"),
    "turns": Label("Moves and battle turns", "移動と戦闘ターンの合計"),
}

_SEAT = (
    _column("battles_won", "counter", Label("Battles won", "勝った戦闘")),
    _column("yellow_won", "counter", Label("Yellow enemies beaten", "倒した黄の敵")),
    _column("red_won", "counter", Label("Red enemies beaten", "倒した赤の敵")),
    _column("battle_turns", "counter", Label("Battle turns", "戦闘ターン")),
    _column("drawn", "counter", Label("Magic parts drawn", "引いた魔法パーツ")),
    _column("spells_cast", "counter", Label("Spells cast", "唱えた魔法")),
    _column("damage", "counter", Label("Damage to enemies", "敵へのダメージ")),
    _column("companions_lost", "counter", Label("Companions lost", "失った仲間")),
    _column("healed_at_0", "counter", Label("Healed at 0 LP", "LP 0 からの回復")),
    _column("recoveries", "counter", Label("Yellow hexes used", "使った黄色のマス")),
    _column("sea_moves", "counter", Label("Moves across sea", "海の移動")),
    *(_column(f"lp_{name}", "source", label, "<i4") for name, label in LP_SOURCES.items()),
    _category("lost_at", Label("Lost at", "負けた場所")),
    _category("lost_to", Label("Lost to", "負けた相手")),
    _category("route", Label("Places fought at", "戦った場所")),
    *(
        _category(f"way_{name}", Label(f"{_CARDS[name].en}: way up", f"{_CARDS[name].ja}の向き"))
        for name in COMPANIONS
    ),
    *(
        _category(
            f"lot_{name}",
            Label(f"{_CARDS[name].en}: way up by lot", f"くじで決まる{_CARDS[name].ja}の向き"),
            selected=False,
        )
        for name in COMPANIONS
    ),
    *(
        _column(
            f"order_{name}",
            "counter",
            Label(f"Battle number at {_place(name).en}", f"{_place(name).ja}の戦闘順"),
            "u1",
        )
        for name in PLACES
    ),
    *(
        _column(
            f"start_{name}",
            "composition",
            Label(f"Starts with {_CARDS[name].en}", f"初期手札に{_CARDS[name].ja}"),
            "u1",
        )
        for name in DEALT
    ),
    *(
        _column(
            f"own_{name}",
            "composition",
            Label(f"Ends with {_CARDS[name].en}", f"終了時に{_CARDS[name].ja}"),
            "u1",
            selected=True,
        )
        for name in DEALT
    ),
)

INFO = TitleInfo(
    id="wizard",
    label=Label("Unreliable Wizard", "頼りない魔法使い"),
    status=Label(
        "All rules; Zaza and the forest are as printed, the map, the other enemies, most ways up "
        "of companions and the higher spells are stand-ins.",
        "全ルール。ザザと森は印刷どおり。地図、他の敵、仲間の多くの能力、上位の魔法は代用。",
    ),
    result_version=2,
    players=(1,),
    seats="none",
    decisions=DECISIONS,
    categories={"end_reason": END_REASONS, "lost_at": _LOST_AT, "route": ROUTES},
    caps={"rounds": "limits.round_cap"},
    streams=STREAMS,
    columns=(
        *(replace(one, label=_CALLED.get(one.name, one.label)) for one in CORE_COLUMNS),
        *_SEAT,
    ),
    batch_games={1: 4096},
    score=Label("LP left", "残り LP"),
    score_range=(0, MOST_LP),
    groups=("core", "cards", "series"),
    card_fields=("start", "dealt", "met", "lost", "lp_lost", "turns"),
    series=(
        Column("lp", "<i2", "seat", "series", Label("LP by move", "移動ごとの LP")),
        Column("won", "<i2", "seat", "series", Label("Battles won by move", "移動ごとの勝利数")),
    ),
    supply=Supply("start", Label("Starting cards", "初期手札")),
)
