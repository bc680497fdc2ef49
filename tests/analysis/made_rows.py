"""Rows of rates, made up: smooth functions of their place; and what they are about."""

from __future__ import annotations

import math
from typing import Any

PLAYERS = (2, 3, 4)
DESIGNS = ("mirror", "rotation", "pool")
POLICIES = {
    "quick": {"en": "Quick", "ja": "速攻"},
    "slow": {"en": "Slow <b>& steady</b>", "ja": "遅攻 ≥5"},
    "wild": {"en": "A wild policy with a long name", "ja": "とても長い名前のついた奔放な戦略"},
    "plain": {"en": "Plain", "ja": "地味"},
    "odd": {"en": "Odd", "ja": "風変わり"},
}
GUILDS = {
    "none": {"en": "No guild", "ja": "組合なし"},
    "sun": {"en": "Sun", "ja": "太陽"},
    "moon": {"en": "Moon", "ja": "月"},
}
KINDS = {
    f"kind{i}": {"en": f"Kind number {i}", "ja": f"第{i}のカード"} for i in range(24)
}  # more than are drawn


def verdict(lo: float, hi: float, parity: float, margin: float) -> str:
    if parity - margin <= lo and hi <= parity + margin:
        return "balanced"
    return "unbalanced" if hi < parity - margin or lo > parity + margin else "undecided"


def rate_row(
    players: int, gap: float, margin: float | None, *, games: int = 20_000, **keys: Any
) -> dict[str, Any]:
    parity = 1 / players
    rate = parity + gap
    se = math.sqrt(rate * (1 - rate) / games)
    lo, hi = rate - 2.8 * se, rate + 2.8 * se
    said = None if margin is None else verdict(lo, hi, parity, margin)
    counted = {"games": games, "rows": games, "clusters": games // 2}
    found = {"rate": rate, "se": se, "lo": lo, "hi": hi, "parity": parity, "verdict": said}
    return {"players": players, **keys, **counted, **found}


def seat_gap(players: int, seat: int) -> float:
    return 0.03 * ((players + 1) / 2 - seat) / (players - 1)


def policy_gap(index: int) -> float:
    return 0.12 * math.cos(1.3 * index)
