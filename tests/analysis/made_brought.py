"""What seats bring along, made up: in mirrors, and with its best policy."""

from __future__ import annotations

from typing import Any

from tests.analysis.made_rows import GUILDS, PLAYERS, POLICIES, rate_row


def brought() -> dict[str, Any]:
    """Return what seats bring along, as two sections call it."""
    return {"column": "guild", "label": {"en": "Guild", "ja": "組合"}, "values": GUILDS}


def mirrors() -> dict[str, Any]:
    """Return the shares of seat 1 in mirrors: of all, by what is brought, by policy, of pairs."""

    def rows(n: int) -> Any:
        for slip in (0.0, 0.2, 1.0):
            for i, one in enumerate(({}, *({"brought": name} for name in GUILDS))):
                yield rate_row(n, 0.02 * i - 0.01, 0.02, games=5000, slip=slip, **one)
            if slip < 1:
                for i, name in enumerate(POLICIES):
                    yield rate_row(n, 0.05 - 0.02 * i, 0.02, games=3000, slip=slip, policy=name)
        for i, name in enumerate(POLICIES):
            for guild in list(GUILDS)[: 1 + i]:
                pair = {"brought": guild, "policy": name, "slip": 0.0}
                yield rate_row(n, 0.06 - 0.03 * i, 0.02, games=900, **pair)

    told = {"policies": POLICIES, "levels": [0.0, 0.2, 1.0], "designs": ["mirror"]}
    tables = [{"players": n, "rows": list(rows(n))} for n in PLAYERS]
    family = sum(len(table["rows"]) for table in tables)
    return {"brought": brought(), **told, "margin": 0.02, "family": family, "tables": tables}


def pilots() -> dict[str, Any]:
    """Return what is brought along with every policy, and with its best one."""

    def fitted(margin: float, games: int) -> list[dict[str, Any]]:
        pairs = list(zip(GUILDS, POLICIES, strict=False))
        return [
            {
                "players": n,
                "rows": [
                    rate_row(n, 0.09 - 0.08 * i, margin, games=games, brought=guild, policy=name)
                    for i, (guild, name) in enumerate(pairs)
                ],
            }
            for n in PLAYERS
        ]

    pairs = [
        {
            "players": n,
            "rows": [
                rate_row(n, 0.04 * i - 0.03 * j, None, games=4000, brought=guild, policy=name)
                for i, guild in enumerate(GUILDS)
                for j, name in enumerate(POLICIES)
            ],
        }
        for n in PLAYERS
    ]
    tables = {"pairs": pairs, "fitted": fitted(0.05, 2000), "field": fitted(0.05, 9000)}
    told = {"policies": POLICIES, "designs": ["rotation"], "margin": 0.05, "missing": 0}
    return {"brought": brought(), **told, **tables}
