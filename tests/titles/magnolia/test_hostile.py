"""What a careless or hostile user could put in: refused in one message, or played by the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input.helpers import refusing

SIMULATE = ("simulate", "magnolia", "--games", "4", "--players", "2", "--jobs", "1")


@pytest.fixture
def refused(capsys, monkeypatch, tmp_path):
    """Run a command that must fail, in a folder of its own, and return its one message."""
    monkeypatch.chdir(tmp_path)
    return refusing(capsys)


def put(text):
    Path("mine.toml").write_text(text, encoding="utf-8")
    return "mine.toml"


def objective(name, needs="gold >= 12"):
    label = '{ en = "Mine", ja = "自作" }'
    return f'[objectives.cards."{name}"]\nlabel = {label}\nvp = 3\nneeds = "{needs}"\n'


@pytest.mark.parametrize("name", ["", "two words", "Warlord", "war.lord", "1st", "\\u001b[31m"])
def test_an_objective_has_an_id_like_a_card(refused, name):
    told = refused(*SIMULATE, "--rules", put(objective(name)))
    assert told.startswith("mine.toml:1:1: objectives.cards.")
    assert told.endswith("; allowed: words like holy_land")
