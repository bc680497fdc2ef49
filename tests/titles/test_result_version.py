"""The games of a ``result_version``, pinned column by column.

Transcripts pin a few games as they are told and may change with a word. These digests pin what is
recorded of some hundreds, and are tied to the version: whoever changes results on purpose raises
``result_version`` first. Rules and policies are part of what they pin, as their own hashes. A new
column has no digest yet and changes no result; one that is gone must be taken out.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import titles
from sim.core._rng import STREAM_VERSION, draw_lineups, make_key
from sim.core.policy import available, load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES, SEED = 200, 1
WHAT_MADE_THEM = ("result_version", "stream_version", "rules", "policies")


def digest(array: np.ndarray) -> str:
    """Return a digest of values, whatever the width they are stored in."""
    return hashlib.sha256(np.ascontiguousarray(array, "<i8").tobytes()).hexdigest()[:16]


def played(title: str) -> dict[str, Any]:
    """Return what made the games, and the digests of all columns by number of players.

    Line-ups are drawn from all policies and do not come from a plan, so that another way to plan
    runs is no change of results.
    """
    found = titles.load(title)
    ruleset = found.load()
    tables, names = found.compile(ruleset), available(found.data / "policies")
    loadouts = found.loadouts(ruleset) if found.loadouts else ()
    if loadouts:
        names = tuple(f"{name}:{one.id}" for name in names for one in loadouts)
    policies = load_policies(
        names, found.vocabulary(ruleset), found.data / "policies", loadouts=loadouts
    )
    key = make_key(SEED)
    digests: dict[str, Any] = {
        "result_version": found.info.result_version,
        "stream_version": STREAM_VERSION,
        "rules": ruleset.hash,
        "policies": dict(zip(names, policies.hashes, strict=True)),
    }
    cap = found.info.caps.get("rounds")
    for players in found.info.players:
        out = allocate(
            found.info,
            GAMES,
            players,
            kinds=len(found.kinds(ruleset)),
            rounds=ruleset.source(cap).value if cap else 0,
            collect=found.info.groups,
        )
        bans = np.zeros((players, MASK_WORDS), np.uint64)
        lineups = draw_lineups(key, 0, GAMES, len(names), players)
        assert found.play(tables, policies, bans, key, 0, lineups, 1, out) == (0, GAMES)
        table = {f"game.{name}": digest(out.games[name]) for name in out.games.dtype.names}
        table |= {f"seat.{name}": digest(out.seats[name]) for name in out.seats.dtype.names}
        if out.cards is not None:
            for place, name in enumerate(found.info.card_fields):
                table[f"cards.{name}"] = digest(out.cards[..., place])
        if out.series is not None:
            for place, column in enumerate(found.info.series):
                table[f"series.{column.name}"] = digest(out.series[..., place])
        digests[f"{players}p"] = table
    return digests


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return the columns whose values are others than before; new and lost ones are none."""
    return [
        f"{players} {name}"
        for players, table in now.items()
        if players not in WHAT_MADE_THEM
        for name, value in table.items()
        if before.get(players, {}).get(name, value) != value
    ]


def written(digests: dict[str, Any]) -> str:
    lines = ["# Written by pytest --refresh-golden; see tests/titles/test_result_version.py"]
    for name, value in digests.items():
        if isinstance(value, dict):
            lines += [f"\n[{name}]", *(f'"{key}" = "{one}"' for key, one in value.items())]
        else:
            lines.append(f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("title", titles.TITLES)
def test_results_change_with_their_version_only(title: str, request: pytest.FixtureRequest) -> None:
    file, now = GOLDEN / title / "records.toml", played(title)
    before = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    same = {name for name in WHAT_MADE_THEM if before.get(name) == now[name]}
    changed = differences(before, now)
    if changed and same == set(WHAT_MADE_THEM):
        pytest.fail(
            f"{title} plays other games than before under result version "
            f"{now['result_version']}; columns that differ:\n  " + "\n  ".join(changed[:20]) + "\n"
            "If that is not meant, it is a fault. If it is, raise result_version in the title's "
            'info, write the change down under "Results change" in CHANGELOG.md, and run pytest '
            "--refresh-golden."
        )
    if request.config.getoption("--refresh-golden"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written(now), encoding="utf-8")
        return
    assert before == now, (
        f"{file.name}: {', '.join(sorted(set(WHAT_MADE_THEM) - same)) or 'columns'} changed since "
        "it was written. If that is meant, run pytest --refresh-golden."
    )


def test_a_changed_value_is_found_and_a_new_column_is_none() -> None:
    before = {"result_version": 1, "2p": {"seat.score": "a", "seat.rank": "b"}}
    now = {"result_version": 1, "2p": {"seat.score": "x", "seat.rank": "b", "seat.new": "c"}}
    assert differences(before, now) == ["2p seat.score"]


def test_the_order_of_values_counts_and_their_width_does_not() -> None:
    values = np.array([1, -2, 3], np.int16)
    assert digest(values) == digest(values.astype(np.int64))
    assert digest(values) != digest(values[::-1])
