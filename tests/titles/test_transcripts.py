"""Games told line by line, as they were told before.

A transcript pins what no comparison of two engines can: that both did not change together. After a
change of results that is meant, raise the title's ``result_version``, write the change down in
``CHANGELOG.md``, and refresh with ``pytest --refresh-golden``.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import sim
from sim import titles
from sim.run.tracing import TracedGame

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = {
    (title, name): case
    for title in titles.TITLES
    for name, case in tomllib.loads((GOLDEN / title / "transcripts.toml").read_text()).items()
}


def told(title: str, case: dict[str, Any]) -> tuple[str, TracedGame]:
    game = sim.trace(
        title,
        game=case.get("game", 0),
        lineup=case["lineup"],
        overrides=case.get("overrides", ()),
    )
    lines = [f"{title}, result version {titles.load(title).info.result_version}"]
    lines += titles.load(title).tell(game.events, "en")
    return "\n".join(line for line in lines if line) + "\n", game


@pytest.mark.parametrize(("title", "name"), CASES)
def test_games_are_told_as_before(title: str, name: str, request: pytest.FixtureRequest) -> None:
    file = GOLDEN / title / f"{name}.txt"
    text, _ = told(title, CASES[title, name])
    if request.config.getoption("--refresh-golden"):
        file.write_text(text, encoding="utf-8")
        return
    before = file.read_text(encoding="utf-8").splitlines()
    now = text.splitlines()
    if now != before:
        new = file.with_name(f"{name}.new.txt")
        new.write_text(text, encoding="utf-8")
        pairs = zip(before, now, strict=False)
        place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(before), len(now)))
        pytest.fail(
            f"{file.name}, line {place + 1}:\n  before {before[place : place + 1]}\n"
            f"  now    {now[place : place + 1]}\nthe whole is in {new}"
        )


@pytest.mark.parametrize("title", titles.TITLES)
def test_every_end_and_every_number_of_players_has_a_transcript(title: str) -> None:
    info = titles.load(title).info
    games = [told(*key[:1], case)[1] for key, case in CASES.items() if key[0] == title]
    ends = {game.result.game["end_reason"] for game in games}
    assert ends == set(range(len(info.categories["end_reason"])))
    assert {len(game.lineup) for game in games} == set(info.players)
    files = {path.stem for path in (GOLDEN / title).glob("*.txt") if ".new" not in path.name}
    assert files == {name for owner, name in CASES if owner == title}
