"""Every parameter is moved off its default by a case of the proof, and games hang on it."""

from __future__ import annotations

import numpy as np
import pytest

from sim.titles.granmagia import TITLE
from sim.titles.granmagia.schema import Card, Powers, Seal, Victory, Witch
from tests.titles.granmagia.proof import Case, Setting
from tests.titles.granmagia.proof_cases import case_of, merged
from tests.titles.granmagia.proof_moved import MOVED, MOVED_TEXTS, WITCHES
from tests.titles.granmagia.proof_policies import WRITTEN

#: Games that are played for a difference, at first and at most.
FEW, MOST = 100, 6_400


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("policies")
    for name, text in WRITTEN.items():
        (made / f"{name}.toml").write_text(text, encoding="utf-8")
    return made


def leaves(values, path=()):
    for key, value in values.items():
        if hasattr(value, "items"):
            yield from leaves(value, (*path, key))
        else:
            yield ".".join((*path, key))


def test_every_number_of_the_rules_is_moved_by_a_case():
    values = TITLE.load().values
    rules = {key: values[key] for key in values if key not in ("cards", "witches", "seals")}
    assert {moved.key for moved in MOVED} == set(leaves(rules))


@pytest.mark.parametrize(
    ("table", "fields"),
    [
        ("cards", set(Card.model_fields) - {"label", "sort"}),
        ("witches", {*Witch.model_fields, *Powers.model_fields, *Victory.model_fields} - {"label"}),
        ("seals", set(Seal.model_fields) - {"label"}),
    ],
)
def test_every_field_is_moved_by_a_case(table, fields):
    parts = {part for moved in MOVED_TEXTS for part in moved.key.split(".")[1:]}
    names = {moved.key.split(".")[0] for moved in MOVED_TEXTS}
    assert table in names
    # What a special victory counts, and which card, is moved by the cases of the proof themselves.
    assert fields - parts <= {"kind", "card"}


def test_every_victory_is_moved_in_all_its_numbers():
    keys = {moved.key for moved in MOVED_TEXTS}
    for witch in WITCHES:
        victory = TITLE.load().values["witches"][witch]["victory"]
        wanted = {"truth", "enabled"}
        wanted |= {"timing"} if victory["kind"] != "mana" else set()
        counted = victory["kind"] != "curses"
        wanted |= {f"need.{players}p" for players in (2, 3, 4)} if counted else set()
        assert {f"witches.{witch}.victory.{name}" for name in wanted} <= keys


def played(case, players, games, folder):
    setting = Setting(case, players, games, folder)
    setting.play()
    return setting.out


def differ(one, two):
    """Whether any column of any game differs; what is only wider is compared as far as it goes."""
    return (
        not np.array_equal(one.games, two.games)
        or not np.array_equal(one.seats, two.seats)
        or not np.array_equal(one.cards, two.cards)
    )


@pytest.mark.parametrize("moved", [*MOVED, *MOVED_TEXTS], ids=lambda moved: moved.text)
def test_games_hang_on_what_is_moved(moved, folder):
    """Both sides play the same line-ups, on the same deals."""
    case = case_of(moved)
    base = Case("base", merged(moved.base), case.pool, fails=case.fails)
    for players in moved.players:
        games = FEW
        while not differ(
            played(case, players, games, folder), played(base, players, games, folder)
        ):
            games *= 4
            assert games <= MOST, f"no game of {players} players hangs on {moved.text}"
