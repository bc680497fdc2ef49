"""Both engines stop a game whose tokens, barriers or curses outgrow the records (GM-W11)."""

from __future__ import annotations

import pytest

from sim.errors import COUNTER_OVERFLOW, PILE_OVERFLOW, EngineError
from sim.titles.granmagia.limits import MOST_TOKENS, PILE_CAPACITY
from tests.titles.granmagia.counting import Hits
from tests.titles.granmagia.proof import Case, Setting, compare
from tests.titles.granmagia.proof_policies import WRITTEN
from tests.titles.granmagia.watching import watch


@pytest.fixture
def folder(tmp_path):
    for name, text in WRITTEN.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def stopped(folder, *overrides, players=2):
    """Play a game in both engines; return the status and the seats of the readable one."""
    case = Case("limits", overrides, ("greedy",))
    setting = Setting(case, players, 1, folder)
    code, game = setting.play()
    assert game == (0 if code else 1)
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, Hits())
        if code:
            with pytest.raises(EngineError) as raised:
                setting.reference(Hits(), 0)
            assert raised.value.code == code
    return code


def text(card, *effects):
    return f"cards.{card}.effects=[" + ", ".join(f'"{effect}"' for effect in effects) + "]"


_DECK = ("start.deck.note=0", "start.deck.fragment=4", "limits.round_cap=1")


@pytest.mark.rule("GM-W11")
def test_tokens_have_a_limit(folder):
    full = [text("apprentice", *["mana 99"] * 2, "tokens 50 per mana_obtained")]
    assert MOST_TOKENS < 50 * 198
    assert stopped(folder, *full, *_DECK) == COUNTER_OVERFLOW
    less = [text("apprentice", "mana 50", "tokens 99 per mana_obtained")]
    assert MOST_TOKENS >= 99 * 50
    assert stopped(folder, *less, *_DECK) == 0


@pytest.mark.rule("GM-W11")
def test_barriers_have_a_limit(folder):
    effects = ["barrier 99", *["barrier 99 per barriers"] * 5]
    overrides = [text("apprentice", *effects), 'cards.apprentice.attributes=["defence"]']
    assert stopped(folder, *overrides, *_DECK) == COUNTER_OVERFLOW
    overrides[0] = text("apprentice", *effects[:4])
    assert stopped(folder, *overrides, *_DECK) == 0


@pytest.mark.rule("GM-W11")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_curses_from_the_pile_have_a_limit(folder, players):
    """Whoever takes them, and whoever they are dealt to, has no room for more."""
    pile = "piles.curses_per_rival=99"
    taken = text("apprentice", "take_curses 99 per players")
    dealt = [text("apprentice", "curses 99 per players"), 'cards.apprentice.attributes=["attack"]']
    code = PILE_OVERFLOW if 99 * (players - 1) > PILE_CAPACITY else 0
    assert stopped(folder, taken, pile, *_DECK, players=players) == code
    assert stopped(folder, *dealt, pile, *_DECK, players=players) == code


@pytest.mark.rule("GM-W11")
def test_the_limit_that_is_passed_first_is_told(folder):
    curses, mana = ["take_curses 99"] * 3, ["mana 99", *["mana 99 per mana"] * 5]
    pile = ("piles.curses_per_rival=99", *_DECK)
    assert stopped(folder, text("apprentice", *curses, *mana), *pile, players=4) == PILE_OVERFLOW
    assert stopped(folder, text("apprentice", *mana, *curses), *pile, players=4) == COUNTER_OVERFLOW


@pytest.mark.rule("GM-W11")
def test_a_case_that_stops_is_compared_as_one(folder):
    overrides = (text("apprentice", "mana 99", "tokens 99 per mana_obtained"), *_DECK)
    with pytest.MonkeyPatch.context() as patch:
        hits = Hits()
        watch(patch, hits)
        setting = Setting(Case("limits", overrides, ("greedy",), fails=True), 2, 1, folder)
        assert compare(setting, hits) == []
