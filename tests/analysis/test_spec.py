"""Specs of reports: laid over each other, and every fault told where it stands."""

from __future__ import annotations

import pytest

import sim
from analysis.spec import margins_of, read_spec, title_spec
from sim.errors import DataError, UnknownNameError
from sim.titles import TITLES
from tests.analysis.toy import INFO


@pytest.mark.parametrize("title", TITLES)
def test_each_title_has_a_spec_of_its_own(title):
    spec = title_spec(next(info for info in sim.title_infos() if info.id == title))
    assert spec.title == title
    assert spec.skill is not None
    assert spec.margins.seats > 0


def test_a_title_that_ships_none_gets_what_holds_for_all():
    spec = title_spec(INFO)
    assert (spec.knobs, spec.events) == ((), ())
    assert margins_of(INFO) == {"seats": 0.02, "policies": 0.05, "categories": 0.05}


def test_a_spec_of_ones_own_says_only_what_differs(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "granmagia"\ngames = 5000\nrules = ["cards.toml"]\nset = ["turn.casts=2"]\n'
        "margins.seats = 1\n[skill]\nslips = [10]\n"
    )
    spec = read_spec(path)
    shipped = title_spec(sim.title_infos()[0])
    assert (spec.games, spec.margins.seats) == (5000, 1)
    assert spec.margins.policies == shipped.margins.policies
    assert (spec.skill.slips, spec.skill.share) == ((10,), shipped.skill.share)
    assert spec.knobs == shipped.knobs
    # Overlays are looked for beside the spec, wherever the command is given.
    assert spec.rules == (str(tmp_path / "cards.toml"),)
    assert spec.set == ("turn.casts=2",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("gamse = 10", "mine.toml:2:1: gamse: found an unknown key; allowed: title, games"),
        ("gamse = 10", "did you mean 'games'?"),
        ("games = 0", "mine.toml:2:9: games: found 0; allowed: greater than or equal to 1"),
        ("games = 1.5", "mine.toml:2:9: games: found 1.5; allowed: a whole number"),
        ("games = true", "games: found true; allowed: a whole number"),
        ("margins.seat = 1", "did you mean 'seats'?"),
        ("margins.seats = -1", "margins.seats: found -1; allowed: greater than 0"),
        ("margins.seats = 'x'", 'margins.seats: found "x"; allowed: a number'),
        ("level = nan", "level: found nan; allowed: "),
        (
            "[skill]\nslips = [0]",
            "mine.toml:3:10: skill.slips[0]: found 0; allowed: greater than 0",
        ),
        ("[[knobs]]\nid = 'x'", "mine.toml:2:1: knobs[0].key: found nothing; allowed: a value"),
        ("[[events]]\ncolum = 'x'", "events[0].colum: found an unknown key; allowed: column, by"),
        ("players = 3", "players: found 3; allowed: a list"),
        (
            "players = [2, 2]",
            "players: found [2, 2]; allowed: each only once; 2 stands there twice",
        ),
        ("[skill]\nslips = [5, 5]", "skill.slips: found [5, 5]; allowed: each only once"),
        ("[skill]\nslips = [0.001]", "skill.slips[0]: found 0.001; allowed: a multiple of 0.01"),
    ],
)
def test_faults_have_their_place(tmp_path, text, told, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.toml"
    path.write_text(f'title = "granmagia"\n{text}\n')
    with pytest.raises(DataError) as caught:
        read_spec(path)
    assert told in str(caught.value)


KNOB = """
[[knobs]]
id = {id}
label = {{ en = "A", ja = "A" }}
about = {{ en = "A", ja = "A" }}
key = "{key}"
what = [{what}]
values = {values}
share = 0.1
"""
GOOD = {"id": '"a"', "key": "a.{players}.{seat}.{what}", "values": "[0, 1]"}
GOOD["what"] = '{ id = "gold", label = { en = "A", ja = "A" } }'


@pytest.mark.parametrize(
    ("part", "text", "told"),
    [
        # An id stands in the name of a folder.
        ("id", '"../../escaped"', 'knobs[0].id: found "../../escaped"; allowed: a text like'),
        ("id", '""', 'knobs[0].id: found ""; allowed: a text like'),
        ("key", "a.{players}.{what}", "allowed: a key of the rules with the place {seat}"),
        ("key", "{players}{seat}{what}{x}", "the places {players}, {seat}, {what} only"),
        ("key", "{players:>9999999}{players}{seat}{what}", "{players}, {seat}, {what} only"),
        ("what", "", "knobs[0].what: found []; allowed: "),
        ("what", f"{GOOD['what']}, {GOOD['what']}", "each only once; gold stands there twice"),
        ("values", "[0, 1, 1]", "knobs[0].values: found [0, 1, 1]; allowed: each only once"),
        ("values", "[0]", "knobs[0].values: found [0]; allowed: "),
    ],
)
def test_faults_of_a_knob(tmp_path, part, text, told):
    path = tmp_path / "mine.toml"
    path.write_text('title = "granmagia"\n' + KNOB.format(**GOOD))
    assert read_spec(path).knobs[0].key_of(3, 2, "gold") == "a.3.2.gold"
    path.write_text('title = "granmagia"\n' + KNOB.format(**{**GOOD, part: text}))
    with pytest.raises(DataError) as caught:
        read_spec(path)
    assert told in str(caught.value)


def test_two_knobs_cannot_be_called_alike(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "granmagia"\n' + 2 * KNOB.format(**GOOD))
    with pytest.raises(DataError, match="each only once; a stands there twice"):
        read_spec(path)


def test_a_spec_names_its_title(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("games = 10\n")
    with pytest.raises(DataError, match="title: found nothing; allowed: the name of a title"):
        read_spec(path)
    path.write_text('title = "granmagja"\n')
    with pytest.raises(UnknownNameError, match="did you mean 'granmagia'"):
        read_spec(path)


LABEL = 'label = { en = "A", ja = "A" }'
VIEWS = {
    "matrices": {
        "id": '"a"', "column": '"field_{row}_{column}"', "rows": '"race"', "columns": '"job"',
    },
    "curves": {
        "id": '"a"', "across": '{ en = "A", ja = "A" }',
        "columns": '["a", "b"]', "at": '["0", "1+"]',
    },
    "levers": {
        "id": '"a"', "about": '{ en = "A", ja = "A" }', "share": "0.1",
        "settings": '[{ key = "a", label = { en = "A", ja = "A" }, values = [1] }]',
    },
}  # fmt: skip


def view(kind: str, **parts: str) -> str:
    lines = [f"{key} = {value}" for key, value in {**VIEWS[kind], **parts}.items()]
    return "\n".join(["", f"[[{kind}]]", LABEL, *lines, ""])


@pytest.mark.parametrize(
    ("kind", "part", "text", "told"),
    [
        ("matrices", "id", '"A B"', 'matrices[0].id: found "A B"; allowed: a text like'),
        ("matrices", "column", '"field_{row}"', "the places {row} and {column}, once each"),
        ("matrices", "column", '"{row}{row}{column}"', "the places {row} and {column}, once each"),
        ("matrices", "column", '"{row}{column}{x}"', "the places {row} and {column}, once each"),
        ("matrices", "column", '"{row}{column}}"', "the places {row} and {column}, once each"),
        ("curves", "columns", '["a", "a"]', "each only once; a stands there twice"),
        ("curves", "at", '["0", "0"]', "each only once; 0 stands there twice"),
        ("curves", "at", '["0"]', "a place in `at` for each of the columns"),
        ("curves", "columns", '["a"]', "curves[0].columns: found"),
        ("levers", "settings", "[]", "levers[0].settings: found []"),
        (
            "levers",
            "settings",
            '[{ key = "a", label = { en = "A", ja = "A" }, values = [1, 1] }]',
            "each only once; 1 stands there twice",
        ),
        ("levers", "share", "0", "levers[0].share: found 0; allowed: greater than 0"),
    ],
)
def test_faults_of_what_is_declared_over_columns_and_values(tmp_path, kind, part, text, told):
    path = tmp_path / "mine.toml"
    path.write_text('title = "granmagia"\n' + view(kind))
    assert len(getattr(read_spec(path), kind)) == 1
    path.write_text('title = "granmagia"\n' + view(kind, **{part: text}))
    with pytest.raises(DataError) as caught:
        read_spec(path)
    assert told in str(caught.value)
    path.write_text('title = "granmagia"\n' + 2 * view(kind))
    with pytest.raises(DataError, match="each only once; a stands there twice"):
        read_spec(path)


def test_a_pair_has_the_column_that_is_called_after_it(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "granmagia"\n' + view("matrices", column='"{column}_of_{row}"'))
    assert read_spec(path).matrices[0].column_of("elf", "mage") == "mage_of_elf"


def test_what_seats_have_at_the_end_has_a_name_of_the_titles_own():
    names = {info.id: title_spec(info).holding.en for info in sim.title_infos()}
    assert names["granmagia"] == names["classic"] == "Final deck"
    assert names["magnolia"] == "Final field"
    assert names["majestic"] == "Contents of the deck"


def test_a_key_is_told_against_itself_once(tmp_path):
    path = tmp_path / "mine.toml"
    once = '\n[[matchups]]\nby = "policy"\n'
    path.write_text('title = "granmagia"\n' + once)
    assert [one.by for one in read_spec(path).matchups] == ["policy"]
    path.write_text('title = "granmagia"\n' + 2 * once)
    with pytest.raises(DataError, match="each only once; policy stands there twice"):
        read_spec(path)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ('columns = ["a", "a"]', "each only once; a stands there twice"),
        (
            'columns = ["a"]\ngroups = [{ label = { en = "A", ja = "A" }, columns = ["a", "b"] }]',
            "each only once; a stands there twice",
        ),
        ("", "columns in `groups` or `columns`"),
        ('columns = ["a"]\ndecks = 1', "building.decks: found 1"),
    ],
)
def test_parts_of_decks_stand_there_once(tmp_path, parts, told):
    path = tmp_path / "mine.toml"
    head = 'title = "majestic"\n[building]\nshare = 0.1\n'
    shipped = 'groups = []\ncolumns = ["deck_spells"]\n'
    path.write_text(head + shipped)
    assert read_spec(path).building.parts == ("deck_spells",)
    lines = parts.splitlines() or ["columns = []"]
    lines += [] if "groups" in parts else ["groups = []"]
    path.write_text(head + "\n".join(lines))
    with pytest.raises(DataError) as caught:
        read_spec(path)
    assert told in str(caught.value)
