"""The content of a report, made up: every part that ``report.json`` can have, for 2, 3, 4 players.

The numbers are smooth functions of their place, so that every verdict and both signs occur.
"""

from __future__ import annotations

import copy
import math
from typing import Any

from tests.analysis.made_brought import mirrors, pilots
from tests.analysis.made_rows import (
    DESIGNS,
    GUILDS,
    KINDS,
    PLAYERS,
    POLICIES,
    policy_gap,
    rate_row,
    seat_gap,
)


def rates() -> list[dict[str, Any]]:
    def section(id_: str, margin: float | None, rows: Any, **more: Any) -> dict[str, Any]:
        tables = [{"players": n, "rows": list(rows(n))} for n in PLAYERS]
        found = {"id": id_, "margin": margin, "designs": ["rotation"], "captions": []}
        return {**found, "tables": tables, **more}

    def seats(n: int) -> Any:
        return (rate_row(n, seat_gap(n, s), 0.02, seat=s) for s in range(1, n + 1))

    def designs(n: int) -> Any:
        return (
            rate_row(n, seat_gap(n, s) * (0.5 + i), None, games=9000 - 1000 * i, design=d, seat=s)
            for i, d in enumerate(DESIGNS)
            for s in range(1, n + 1)
        )

    def policies(n: int) -> Any:
        return (
            rate_row(n, policy_gap(i), 0.05, policy=p, label=POLICIES[p], games=4000)
            for i, p in enumerate(POLICIES)
        )

    def both(n: int) -> Any:
        return (
            rate_row(
                n,
                policy_gap(i) + seat_gap(n, s),
                0.05,
                policy=p,
                seat=s,
                label=POLICIES[p],
                games=900,
            )
            for i, p in enumerate(POLICIES)
            for s in range(1, n + 1)
        )

    def guilds(n: int) -> Any:
        for i, (name, label) in enumerate(GUILDS.items()):
            row = rate_row(n, 0.06 - 0.05 * i, 0.05, category=name, label=label, games=7000)
            yield {**row, "rows": 9000, "verdict": ("over", "near", "under")[i]}

    used = {"designs": ["mirror", "rotation"]}
    return [
        section("seats", 0.02, seats, **{**used, "captions": ["who"]}),
        section("seat_design", None, designs, designs=list(DESIGNS), captions=["designs"]),
        section("policies", 0.05, policies, captions=["rotations"]),
        section("policy_seat", 0.05, both, captions=["rotations"]),
        section(
            "category",
            0.05,
            guilds,
            column="guild",
            label={"en": "Chosen guild", "ja": "選んだ組合"},
            captions=["selected"],
        ),
    ]


def questions(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for section in sections:
        if section["id"] not in {"seats", "policies"}:
            continue
        rows = [row for table in section["tables"] for row in table["rows"]]
        order = sorted(rows, key=lambda row: row["rate"] - row["parity"])
        farthest = max(rows, key=lambda row: abs(row["rate"] - row["parity"]))
        question = {
            "id": section["id"],
            "verdict": farthest["verdict"],
            "margin": section["margin"],
            "row": farthest,
            "by_players": [
                {"players": table["players"], "verdict": table["rows"][0]["verdict"]}
                for table in section["tables"]
            ],
        }
        if section["id"] == "policies":
            question |= {"best": order[-1], "worst": order[0]}
        found.append(question)
    return found


def skill() -> dict[str, Any]:
    levels = [0.0, 0.05, 0.2, 1.0]
    seats = [
        {
            "players": n,
            "rows": [
                rate_row(n, seat_gap(n, s) * (1 - 0.9 * slip), 0.02, games=6000, slip=slip, seat=s)
                for slip in levels
                for s in range(1, n + 1)
            ],
        }
        for n in PLAYERS
    ]
    policies = [
        {
            "players": n,
            "rows": [
                rate_row(
                    n,
                    policy_gap(i) * (1 - slip),
                    0.05,
                    games=2000,
                    slip=slip,
                    policy=p,
                    label=label,
                )
                for slip in levels[:-1]
                for i, (p, label) in enumerate(POLICIES.items())
            ],
        }
        for n in PLAYERS
    ]
    used = {"seats": ["mirror", "rotation"], "policies": ["rotation"]}
    found = {"levels": levels, "designs": used, "seats": seats, "policies": policies}
    return {**found, "margin": 0.02}


def knobs() -> list[dict[str, Any]]:
    def point(n: int, seat: int, value: int, now: int) -> dict[str, Any]:
        row = rate_row(n, seat_gap(n, seat) + 0.009 * (value - now), 0.02, games=8000)
        kept = {key: row[key] for key in ("rate", "se", "lo", "hi", "games", "clusters", "verdict")}
        change = None if value == now else 0.009 * (value - now)
        ends = {"change_lo": -0.004, "change_hi": 0.004, "change_se": 0.0}
        around = {
            key: None if change is None else round(change + by, 6) for key, by in ends.items()
        } | {"change_se": None if change is None else 0.0015}
        return {"value": value, **kept, "now": value == now, "change": change, **around}

    what = {"silver": {"en": "Silver", "ja": "銀貨"}, "gold": {"en": "Gold", "ja": "金貨"}}
    tables = [
        {
            "players": n,
            "margin": 0.02,
            "rows": [
                {
                    "seat": seat,
                    "what": name,
                    "label": label,
                    "key": f"compensation.{n}p.seat{seat}.{name}",
                    "now": min(seat - 1, 2),
                    "parity": 1 / n,
                    "points": [point(n, seat, value, min(seat - 1, 2)) for value in range(5)],
                }
                for name, label in what.items()
                for seat in range(1, n + 1)
            ],
        }
        for n in PLAYERS
    ]
    return [
        {
            "id": "compensation",
            "label": {"en": "Seat compensation", "ja": "席の補償"},
            "note": {"en": "Coins at the start.", "ja": "開始時の硬貨。"},
            "lineups": "pool",
            "tables": tables,
        }
    ]


def levers() -> list[dict[str, Any]]:
    def turned(row: dict[str, Any], by: float | None) -> dict[str, Any]:
        half = 0.004
        ends = {"change_se": 0.0015, "change_lo": -half, "change_hi": half}
        around = {
            key: None if by is None else end + by * (key != "change_se")
            for key, end in ends.items()
        }
        return {**row, "change": by, **around}

    def point(n: int, value: int) -> dict[str, Any]:
        by = None if value == 40 else 0.002 * (value - 40)
        mean = 4.0 + 0.02 * value
        length = {"mean": mean, "se": 0.01, "lo": mean - 0.04, "hi": mean + 0.04}
        rates = (
            rate_row(n, policy_gap(i) + (by or 0.0), None, policy=p, label=label, games=4000)
            for i, (p, label) in enumerate(POLICIES.items())
        )
        return {
            "value": value,
            "now": by is None,
            "length": turned({**length, "games": 9000, "clusters": 6000}, by),
            "policies": [turned(rate, by) for rate in rates],
        }

    settings = {
        "end.vp": {"en": "Points to end", "ja": "終了点"},
        "gold": {"en": "Gold", "ja": "金"},
    }
    tables = [
        {
            "players": n,
            "settings": [
                {
                    "key": key,
                    "label": label,
                    "now": 40,
                    "points": [point(n, v) for v in (30, 40, 50)],
                }
                for key, label in settings.items()
            ],
        }
        for n in PLAYERS
    ]
    told = {
        "label": {"en": "Pace", "ja": "速さ"},
        "note": {"en": "How fast.", "ja": "速さについて。"},
    }
    used = {"length": list(DESIGNS), "policies": ["rotation"]}
    return [{"id": "pace", **told, "designs": used, "tables": tables}]


def composition() -> dict[str, Any]:
    columns = [
        ("great_stones", {"en": "Great stones", "ja": "大きな石"}),
        ("curses", {"en": "Curses", "ja": "呪い"}),
        ("fire", {"en": "Fire magic", "ja": "火の魔法"}),
    ]
    bins = [(0, 0), (1, 2), (3, 5), (6, 30)]
    return {
        "label": {"en": "Final deck", "ja": "最終デッキ"},
        "selected": True,
        "designs": ["pool"],
        "columns": [
            {
                "column": name,
                "label": label,
                "tables": [
                    {
                        "players": n,
                        "rows": [
                            rate_row(n, 0.05 * (i - 1.5) * (1 - c), None, games=4000 // (i + 1))
                            | {"from": low, "to": high, "share": 0.25}
                            for i, (low, high) in enumerate(bins)
                        ],
                    }
                    for n in PLAYERS
                ],
            }
            for c, (name, label) in enumerate(columns)
        ],
    }


def events() -> list[dict[str, Any]]:
    tables = [
        {
            "players": n,
            "rows": [
                {
                    "id": name,
                    "label": label,
                    "seats": 40_000,
                    "games": 18_000,
                    "clusters": 9000,
                    "count": 512 * i,
                    "rate": 0.0128 * i,
                    "se": 0.0006,
                    "lo": max(0.0, 0.0128 * i - 0.0017),
                    "hi": 0.0128 * i + 0.0017,
                    "round": 21.0 if i else None,
                    "command": f"tenbin trace runs/made --game {n}00{i}" if i else None,
                }
                for i, (name, label) in enumerate(GUILDS.items())
            ],
        }
        for n in PLAYERS
    ]
    return [
        {
            "column": "special",
            "label": {"en": "Special victory", "ja": "特別な勝利"},
            "by": "guild",
            "by_label": {"en": "Guild", "ja": "組合"},
            "selected": True,
            "designs": list(DESIGNS),
            "tables": tables,
        }
    ]


def series() -> list[dict[str, Any]]:
    def point(n: int, seat: int, number: int) -> dict[str, Any]:
        mean = 0.05 * number**1.6 + 0.3 * seat
        half = 0.02 * number
        games = int(20_000 / (1 + math.exp((number - 22) / 3)))
        ends = {"lo": mean - half, "hi": mean + half, "sd": 3.0}
        return {"round": number, "mean": mean, **ends, "games": games}

    rows = {
        n: [
            {"seat": s, "points": [point(n, s, number) for number in range(1, 31)]}
            for s in range(1, n + 1)
        ]
        for n in PLAYERS
    }
    tables = [{"players": n, "rows": rows[n]} for n in PLAYERS]
    named = {"column": "truth", "label": {"en": "Truth", "ja": "真理"}, "designs": list(DESIGNS)}
    return [{**named, "tables": tables}]


def supply() -> dict[str, Any]:
    def row(i: int, kind: str, label: Any, size: float) -> dict[str, Any]:
        effect = size * math.sin(2.4 * i)
        half = 0.4 * size
        ends = {"lo": effect - half, "hi": effect + half, "clear": abs(effect) > half}
        counts = {"with": 900 - i, "without": 1100 + i}
        return {"kind": kind, "label": label, "effect": effect, "se": half / 3, **ends, **counts}

    def outcome(id_: str, players: int, size: float, **more: Any) -> dict[str, Any]:
        rows = [row(i, kind, label, size) for i, (kind, label) in enumerate(KINDS.items())]
        unit = "rounds" if id_ == "length" else "share"
        named = {"id": id_, "policy": None, "label": None, "unit": unit, **more}
        used = {"length": list(DESIGNS), "seat_gap": ["mirror", "rotation"], "policy": ["rotation"]}
        counted = {"players": players, "designs": used[id_], "deals": 2000, "mean": 0.4}
        return {**named, **counted, "rows": rows}

    outcomes = [outcome("length", n, 0.8) for n in PLAYERS]
    outcomes += [outcome("seat_gap", n, 0.01) for n in PLAYERS]
    outcomes += [
        outcome("policy", n, 0.003 * (n - 2), policy=p, label=label)
        for n in PLAYERS
        for p, label in POLICIES.items()
    ]
    for found in outcomes:
        if found["id"] == "policy" and found["players"] == 2:
            for one in found["rows"]:
                one |= {"lo": -0.01, "hi": 0.01, "se": 0.003, "clear": False}
    return {
        "field": "offered",
        "label": {"en": "The supply", "ja": "場のカード"},
        "deals": {str(n): 2000 for n in PLAYERS},
        "level": 0.95,
        "family": sum(len(found["rows"]) for found in outcomes),
        "outcomes": outcomes,
    }


def matrices() -> list[dict[str, Any]]:
    rows = {"human": {"en": "Human", "ja": "人間"}, "elf": {"en": "Elf <of old>", "ja": "エルフ"}}
    columns = {"mage": {"en": "Mage", "ja": "魔術師"}, "lord": {"en": "Lord", "ja": "君主"}}

    def cell(n: int, i: int, row: str, j: int, column: str) -> dict[str, Any]:
        mean = {
            key: value for key, value in means("", {}, n).items() if key not in ("column", "label")
        }
        mean |= {"mean": 0.1 + 0.3 * i + 0.2 * j, "lo": 0.05, "hi": 0.9}
        rate = rate_row(n, 0.08 * (i - j) + 0.001, None, games=3000) | {"rows": 3500}
        none = (row, column) == ("elf", "lord") and n == 4
        return {
            "players": n,
            "row": row,
            "column": column,
            "mean": mean,
            "rate": None if none else rate,
        }

    tables = [
        {
            "players": n,
            "rows": [
                cell(n, i, row, j, column)
                for i, row in enumerate(rows)
                for j, column in enumerate(columns)
            ],
        }
        for n in PLAYERS
    ]
    sides = [
        ("race", {"en": "Race", "ja": "種族"}, rows),
        ("job", {"en": "Job", "ja": "職業"}, columns),
    ]
    by = [{"column": name, "label": label, "values": values} for name, label, values in sides]
    label = {"en": "Field by race and job", "ja": "場の種族と職業"}
    named = {"id": "field", "label": label, "selected": True, "designs": ["pool"]}
    return [{**named, "by": by, "tables": tables}]


def matchups() -> list[dict[str, Any]]:
    """Return who beats whom of policies with verdicts, and of chosen guilds without."""

    def section(names: dict[str, Any], label: Any, margin: float | None) -> dict[str, Any]:
        ids = list(names)
        gaps = {one: 0.11 * i for i, one in enumerate(ids)}
        rows = [
            {
                "row": one,
                "column": other,
                "rate": rate_row(2, gaps[one] - gaps[other], margin, games=3000),
            }
            for one in ids
            for other in ids
            if one != other and {one, other} != {"quick", "odd"}  # these two never met
        ]
        found = {"selected": margin is None, "margin": margin, "designs": ["rotation"]}
        return {**found, "label": label, "family": len(rows) // 2, "names": names, "rows": rows}

    label = {"en": "Chosen guild", "ja": "選んだ組合"}
    return [
        {"by": "policy", **section(POLICIES, None, 0.05)},
        {"by": "guild", **section(GUILDS, label, None)},
    ]


def building() -> dict[str, Any]:
    def part(i: int, name: str) -> dict[str, Any]:
        effect, half = 0.004 * (i - 1), 0.003
        ends = {"effect": effect, "se": half / 3, "lo": effect - half, "hi": effect + half}
        label = {"en": f"Part {name}", "ja": f"{name}の枚数"}
        told = {"clear": abs(effect) > half, "mean": 10.0 - i, "sd": 2.5}
        return {"column": name, "label": label, **ends, **told}

    unknown = {**part(0, "rare"), **dict.fromkeys(("effect", "se", "lo", "hi")), "sd": 0.0}
    costs = {"en": "Cards by cost", "ja": "コスト別"}
    return {
        "designs": ["pool"],
        "games": 12_000,
        "policies": [{"id": name, "label": POLICIES[name]} for name in ("quick", "slow")],
        "decks": 150,
        "family": 4,
        "r2": 0.61,
        "spread": 0.084,
        "groups": [
            {"label": costs, "rows": [part(i, f"cost_{i}") for i in range(3)]},
            {"label": None, "rows": [part(3, "special"), {**unknown, "clear": False}]},
        ],
    }


def foes() -> dict[str, Any]:
    def share(rate: float) -> dict[str, float]:
        return {"rate": rate, "se": 0.004, "lo": max(0.0, rate - 0.01), "hi": rate + 0.01}

    def mean(value: float) -> dict[str, float]:
        return {"mean": value, "se": 0.02, "lo": value - 0.06, "hi": value + 0.06}

    def field(name: str, en: str, ja: str) -> dict[str, Any]:
        return {"field": name, "label": {"en": en, "ja": ja}}

    names = {"rat": {"en": "Rat", "ja": "鼠"}, "king": {"en": "King <of all>", "ja": "王"}}
    rows = [
        {
            "players": 1,
            "kind": kind,
            "label": label,
            "games": 5000 + i,
            "count": 100 + i,
            "met": share(0.5),
            "lost": share(0.02 + 0.4 * i),
            "of_lost": share(0.1 + 0.3 * i),
            "costs": [mean(6.0 + i), mean(1.5)],
        }
        for i, (kind, label) in enumerate(names.items())
    ]
    return {
        "met": field("met", "Met", "出会った"),
        "lost": field("lost", "Lost to", "負けた"),
        "costs": [field("lp", "LP lost", "失った LP"), field("turns", "Turns", "ターン")],
        "designs": ["fixed"],
        "family": 10,
        "tables": [{"players": 1, "games": 10_000, "lost": 6000, "rows": rows}],
    }


def shares() -> list[dict[str, Any]]:
    rows = [row | {"clusters": 20_000} for row in ends(3)]
    named = {
        "label": {"en": "Lost at", "ja": "負けた場所"},
        "of": {"en": "lost games", "ja": "負けた試合"},
    }
    tables = [
        {"players": 3, "policy": None, "label": None, "rows": rows},
        {"players": 3, "policy": "a", "label": {"en": "Policy A", "ja": "戦略 A"}, "rows": rows},
    ]
    return [{"column": "lost_at", **named, "designs": ["pool"], "tables": tables}]


def winners() -> list[dict[str, Any]]:
    def mean(value: float, half: float) -> dict[str, float]:
        return {"mean": value, "se": half / 3, "lo": value - half, "hi": value + half}

    def row(n: int, i: int, name: str, at: str | None) -> dict[str, Any]:
        first, second = 1.0 + i, 1.5 + 0.5 * i
        parts = {"winners": mean(first, 0.1), "others": mean(second, 0.1 / n)}
        label = {"en": f"Sort {name}", "ja": f"{name}の枚数"}
        return {
            "column": name,
            "label": label,
            "at": at,
            **parts,
            "difference": mean(first - second, 0.12),
        }

    def section(id_: str, names: dict[str, str | None], **named: Any) -> dict[str, Any]:
        tables = [
            {
                "players": n,
                "games": 15_000,
                "clusters": 15_000,
                "rows": [row(n, i, name, at) for i, (name, at) in enumerate(names.items())],
            }
            for n in PLAYERS
        ]
        return {"id": id_, **named, "designs": ["pool"], "tables": tables}

    costs = {"cost_0": "0", "cost_1": "1", "cost_2": "2+"}
    curve = {"en": "Cost curve", "ja": "コスト分布"}
    across = {"en": "Cost", "ja": "コスト"}
    return [
        section("sources", {"war": None, "lines": None}, label=None, across=None),
        section("cost", costs, label=curve, across=across),
    ]


def cards() -> dict[str, Any]:
    def row(n: int, i: int, kind: str, label: Any) -> dict[str, Any]:
        effect, half = 0.05 * math.sin(1.7 * i), 0.02
        ends = {"effect": effect, "se": half / 4, "lo": effect - half, "hi": effect + half}
        counts = {"games": 900, "rows": 950, "clusters": 800, "clear": abs(effect) > half}
        share = {"rate": 0.2, "se": 0.003, "lo": 0.19, "hi": 0.21}
        chosen = rate_row(n, 0.01 * i, None, games=700) if i else None
        return {
            "kind": kind,
            "label": label,
            "dealt": {**ends, **counts},
            "share": share,
            "chosen": chosen,
        }

    return {
        "dealt": {"field": "opening", "label": {"en": "In the first hand", "ja": "最初の手札"}},
        "chosen": {"field": "played", "label": {"en": "Played", "ja": "プレイした"}},
        "designs": list(DESIGNS),
        "effects": len(KINDS) * len(PLAYERS),
        "described": 2 * len(KINDS) * len(PLAYERS),
        "tables": [
            {
                "players": n,
                "games": 20_000,
                "deals": 9000,
                "seats": 20_000 * n,
                "rows": [row(n, i, kind, label) for i, (kind, label) in enumerate(KINDS.items())],
            }
            for n in PLAYERS
        ],
    }


def means(column: str, label: dict[str, str], n: int) -> dict[str, Any]:
    counted = {"players": n, "games": 20_000, "rows": 20_000 * n, "clusters": 9000}
    spread = {"mean": 3.5, "sd": 2.0, "se": 0.01, "lo": 3.47, "hi": 3.53}
    return {"column": column, "label": label, **counted, **spread}


def ends(n: int) -> list[dict[str, Any]]:
    labels = {"points": {"en": "Points", "ja": "得点"}, "cap": {"en": "Round cap", "ja": "上限"}}
    shares = {"points": 0.9, "cap": 0.1}
    return [
        {
            "id": name,
            "label": label,
            "players": n,
            "count": int(20_000 * shares[name]),
            "games": 20_000,
            "rate": shares[name],
            "se": 0.002,
            "lo": shares[name] - 0.006,
            "hi": shares[name] + 0.006,
        }
        for name, label in labels.items()
    ]


def replay() -> list[dict[str, Any]]:
    def item(kind: str, n: int, i: int, **more: Any) -> dict[str, Any]:
        named = {"kind": kind, "players": n, "game": 1000 * n + i, "lineup": None, "rounds": 12}
        return {**named, "command": f"tenbin trace runs/made --game {1000 * n + i}", **more}

    found = []
    for n in PLAYERS:
        kinds = ("typical", "longest", "shortest")
        found += [item(kind, n, i) for i, kind in enumerate(kinds)]
        found.append(item("first", n, 8, rounds=None, lineup=["quick", "slow"]))
    return found


def made() -> dict[str, Any]:
    """Return the whole content anew, so that a test may change it."""
    sections = rates()
    rounds = {"en": "Rounds", "ja": "ラウンド数"}
    histogram = [[value, 100 * (20 - abs(value - 20))] for value in range(5, 36)]
    return {
        "format": "tenbin-report",
        "version": 2,
        "title": {
            "id": "made",
            "label": {"en": "The Made-up", "ja": "作りもの"},
            "status": {"en": "Nothing is real.", "ja": "すべて架空。"},
            "players": list(PLAYERS),
            "seats": "ordered",
        },
        "run": {
            "games": 60_000,
            "seed": 1,
            "players": list(PLAYERS),
            "keep": "both",
            "folder": "runs/made",
        },
        "words": {},
        "level": 0.95,
        "questions": questions(sections),
        "rates": sections,
        "length": {
            "label": rounds,
            "designs": list(DESIGNS),
            "rows": [
                {key: value for key, value in means("rounds", rounds, n).items() if key != "column"}
                | {"histogram": histogram}
                for n in PLAYERS
            ],
        },
        "ends": [{"players": n, "rows": ends(n)} for n in PLAYERS],
        "points": [
            {"players": n, "rows": [means("quests", {"en": "Quests", "ja": "依頼"}, n)]}
            for n in PLAYERS
        ],
        "skill": skill(),
        "knobs": knobs(),
        "levers": levers(),
        "mirrors": mirrors(),
        "pilots": pilots(),
        "matchups": matchups(),
        "building": building(),
        "shares": shares(),
        "foes": foes(),
        "matrices": matrices(),
        "winners": winners(),
        "cards": cards(),
        "composition": composition(),
        "events": events(),
        "series": series(),
        "supply": supply(),
        "ruleset": {
            "sources": {"rulebook": 41, "assumed": 214, "override": 1},
            "changes": [{"key": "cards.one.cost", "old": 6, "new": 7}],
            "added": [],
            "removed": [],
        },
        "policies": [{"id": name, "label": label} for name, label in POLICIES.items()],
        "plan": [
            {"players": n, "design": d, "lineups": None if d == "pool" else 5}
            | {"deals": 5000, "games": 6000}
            for n in PLAYERS
            for d in DESIGNS
        ],
        "replay": replay(),
        "provenance": {
            "title": "made",
            "games": 60_000,
            "seed": 1,
            "ruleset": "0" * 64,
            "data": "1" * 64,
            "result_version": 1,
            "stream_version": 1,
            "policies": dict.fromkeys(POLICIES, "f" * 64),
        },
        "timing": {"command": "tenbin report made", "seconds": 2.5, "jobs": 2},
        "recipe": {"note": "</script><b>", "games": 60_000},
    }


def without(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a run that has only what every run has."""
    few = {"skill": None, "knobs": [], "composition": None, "events": [], "series": []}
    few |= {
        "supply": None,
        "recipe": None,
        "levers": [],
        "mirrors": None,
        "pilots": None,
        "matchups": [],
        "building": None,
        "shares": [],
        "foes": None,
        "matrices": [],
        "winners": [],
        "cards": None,
    }
    sections = [s for s in content["rates"] if s["id"] in {"seats", "policies"}]
    return {**content, **few, "rates": sections}


def bare(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a run so small that nothing can be said of much of it.

    No interval that may be missing is there, and no game lasted long enough for a course.
    """
    found = copy.deepcopy(content)
    unknown = dict.fromkeys(("lo", "hi", "se"))
    for row in (row for table in found["points"] for row in table["rows"]):
        row |= {**unknown, "sd": None}
    for row in found["length"]["rows"]:
        row |= {**unknown, "sd": None}
    for section in found["series"]:
        for point in (
            p for table in section["tables"] for row in table["rows"] for p in row["points"]
        ):
            point |= {"lo": None, "hi": None, "sd": None}
    for knob in found["knobs"]:
        for row in (row for table in knob["tables"] for row in table["rows"]):
            for point in row["points"]:
                point |= dict.fromkeys(("change_lo", "change_hi", "change_se"))
    changes = dict.fromkeys(("change_lo", "change_hi", "change_se"))
    for table in found["levers"][0]["tables"]:
        for point in (point for setting in table["settings"] for point in setting["points"]):
            point["length"] |= {**unknown, **changes}
            for row in point["policies"]:
                row |= changes
    for row in (row for table in found["matrices"][0]["tables"] for row in table["rows"]):
        row["mean"] |= {**unknown, "sd": None}
    for row in (
        row for one in found["winners"] for table in one["tables"] for row in table["rows"]
    ):
        for part in ("winners", "others", "difference"):
            row[part] |= unknown
    for row in (row for table in found["cards"]["tables"] for row in table["rows"]):
        row["dealt"] |= {**unknown, "effect": None, "clear": False}
    found["building"] |= {"r2": None, "family": 0}
    for row in (row for group in found["building"]["groups"] for row in group["rows"]):
        row |= {**unknown, "effect": None, "clear": False}
    for row in found["foes"]["tables"][0]["rows"]:
        row["of_lost"] = None
        for mean in row["costs"]:
            mean |= unknown
    for n, outcome in enumerate(found["supply"]["outcomes"]):
        for row in outcome["rows"]:
            row |= {**unknown, "clear": False, "effect": row["effect"] if n % 2 else None}
    return found
