"""Rules from files: merging, sources, hashes, freezing, and every fault at its place."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from sim.core.ruleset import Ruleset, load_ruleset
from sim.errors import DataError, InputError, Problem, UnknownNameError


class Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Text(Table):
    en: str
    ja: str


class Limits(Table):
    round_cap: Annotated[int, Field(ge=1, le=200)]
    place: Literal["hand", "discard"]
    open: bool = False
    steps: tuple[int, ...] = ()


class Card(Table):
    label: Text
    cost: int
    mana: int = 0
    about: str | None = None
    effects: list[str] = []

    @field_validator("effects")
    @classmethod
    def _short(cls, value: list[str]) -> list[str]:
        if len(value) > 3:
            raise ValueError("at most three effects")
        return value


class Rules(Table):
    limits: Limits
    cards: dict[str, Card]
    mixed: int | list[int] | None = None


RULES = """\
[limits]
round_cap = { value = 80, source = "tool", ref = "GM-W10" }
place = { value = "hand", source = "assumed", range = ["hand", "discard"] }
steps = { value = [5, 3], source = "rulebook", ref = "GM-T2", range = [0, 9] }
"""
CARDS = """\
[cards.market]
source = "assumed"
label = { en = "Market", ja = "市場" }
cost = { value = 5, range = [3, 8] }
effects = ["draw 1", "casts 1"]

[cards.note]
source = "rulebook"
ref = "GM-S2"
label = { en = "Note", ja = "ノート" }
about = "An old one."
cost = { value = 0, source = "assumed" }
"""


class Folder:
    """A title's folder in the making."""

    def __init__(self, path: Path) -> None:
        self.path = path / "data"
        self.path.mkdir()
        self.write("rules", RULES)
        self.write("cards", CARDS)

    def write(self, name: str, text: str) -> Path:
        path = self.path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def overlay(self, text: str, name: str = "overlay") -> Path:
        path = self.path.parent / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def load(self, overlay: str | None = None, *overrides: str, **more: Any) -> Ruleset:
        overlays = [] if overlay is None else [self.overlay(overlay)]
        more = {"overlays": overlays, "overrides": overrides} | more
        return load_ruleset("toy", self.path, Rules, **more)

    def faults(self, overlay: str | None = None, *overrides: str, **more: Any) -> list[str]:
        with pytest.raises(DataError) as caught:
            self.load(overlay, *overrides, **more)
        return [str(one).replace(f"{self.path.parent}/", "") for one in caught.value.problems]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


# --- values and sources ----------------------------------------------------------------------


def test_values_are_plain_and_defaults_filled_in(folder: Folder) -> None:
    values = folder.load().values
    assert values["limits"] == {
        "round_cap": 80,
        "place": "hand",
        "open": False,
        "steps": (5, 3),
    }
    assert values["cards"]["market"]["effects"] == ("draw 1", "casts 1")
    assert values["cards"]["note"]["effects"] == ()
    assert values["cards"]["market"]["label"]["ja"] == "市場"


def test_every_value_has_its_source_and_place(folder: Folder) -> None:
    rules = folder.load()
    assert rules.keys() == [
        "limits.round_cap",
        "limits.place",
        "limits.steps",
        "cards.market.cost",
        "cards.market.effects",
        "cards.note.cost",
    ]
    cost = rules.source("cards.market.cost")
    assert (cost.value, cost.source, cost.ref, cost.range) == (5, "assumed", None, (3, 8))
    assert (Path(cost.file).name, cost.line, cost.column) == ("cards.toml", 4, 18)
    assert rules.source("limits.round_cap").ref == "GM-W10"
    assert rules.source("limits.place").range == ("hand", "discard")
    # A source of its own does not take over the table's reference.
    assert (rules.source("cards.note.cost").source, rules.source("cards.note.cost").ref) == (
        "assumed",
        None,
    )
    assert rules.sources() == {"rulebook": 1, "assumed": 4, "tool": 1}
    with pytest.raises(UnknownNameError, match=r"did you mean 'cards\.market\.cost'"):
        rules.source("cards.markt.cost")


def test_a_ruleset_is_frozen(folder: Folder) -> None:
    rules = folder.load()
    with pytest.raises(TypeError):
        rules.values["limits"]["round_cap"] = 3  # type: ignore[index]
    with pytest.raises(AttributeError):
        rules.hash = ""  # type: ignore[misc]
    assert "6 values: 1 rulebook, 4 assumed, 1 tool" in repr(rules)


def test_a_ruleset_travels_to_another_process(folder: Folder) -> None:
    rules = folder.load()
    for other in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert other == rules
        assert hash(other) == hash(rules)
        assert other.values == rules.values
        assert other.source("cards.market.cost") == rules.source("cards.market.cost")
        with pytest.raises(TypeError):
            other.values["limits"]["round_cap"] = 3


def test_report_specs_and_policies_are_no_rules(folder: Folder) -> None:
    folder.write("report", "games = 1.5")
    (folder.path / "policies").mkdir()
    folder.write("policies/random", "slip = 10000")
    assert folder.load() == folder.load(exclude=("report.toml", "other.toml"))


# --- hashes ----------------------------------------------------------------------------------


def test_hash_does_not_depend_on_order_or_files(folder: Folder) -> None:
    first = folder.load()
    market, note = CARDS.split("\n\n")
    folder.write("cards", "# moved\n" + note + "\n" + market + "\n" + RULES)
    (folder.path / "rules.toml").unlink()
    second = folder.load()
    assert (second.hash, second.data_hash) == (first.hash, first.data_hash)
    assert list(second.values["cards"]) == list(first.values["cards"]) == ["market", "note"]
    assert second == first


@pytest.mark.parametrize(
    ("old", "new", "same_hash"),
    [
        ("value = 5", "value = 6", False),
        ('"casts 1"', '"casts 2"', False),
        ("[cards.note]", "[cards.node]", False),
        ("Market", "Bazaar", True),
        ("An old one.", "A new one.", True),
        ("range = [3, 8]", "range = [3, 9]", True),
        ('source = "assumed"\nlabel', 'source = "public"\nlabel', True),
        ("GM-S2", "GM-S3", True),
    ],
)
def test_hash_is_of_what_decides_and_data_hash_of_the_rest(
    folder: Folder, old: str, new: str, same_hash: bool
) -> None:
    first = folder.load()
    assert CARDS.count(old) == 1
    folder.write("cards", CARDS.replace(old, new))
    second = folder.load()
    assert (second.hash == first.hash) is same_hash
    # The note's only value has a source of its own: the table's reference says nothing then.
    assert (second.data_hash == first.data_hash) is (new == "GM-S3")


def test_a_default_and_its_explicit_value_play_the_same_games(folder: Folder) -> None:
    assert folder.load("[limits]\nopen = false").hash == folder.load().hash
    assert folder.load("[limits]\nopen = true").hash != folder.load().hash


def test_a_card_may_be_called_like_a_display_key(folder: Folder) -> None:
    card = '[cards.text]\nlabel = {{ en = "T", ja = "T" }}\ncost = {}\n'
    first, second = folder.load(card.format(1)), folder.load(card.format(2))
    assert first.hash != second.hash
    assert "cards.text.cost" in first.keys()  # noqa: SIM118


# --- overlays and overrides ------------------------------------------------------------------


def test_overlays_are_laid_over_in_their_order(folder: Folder) -> None:
    paths = [
        folder.overlay("[cards.market]\ncost = 7\n[limits]\nround_cap = 9", "a"),
        folder.overlay('[cards.market]\ncost = 8\nlabel.en = "Bazaar"', "b"),
    ]
    rules = folder.load(None, "limits.round_cap=10", overlays=paths)
    assert rules.values["cards"]["market"] == {
        "label": {"en": "Bazaar", "ja": "市場"},
        "cost": 8,
        "mana": 0,
        "about": None,
        "effects": ("draw 1", "casts 1"),
    }
    cost = rules.source("cards.market.cost")
    assert (cost.value, cost.source, cost.range, cost.line) == (8, "override", None, 2)
    assert Path(cost.file).name == "b.toml"
    cap = rules.source("limits.round_cap")
    assert (cap.value, cap.source, cap.ref) == (10, "override", None)
    assert (cap.file, cap.line) == ("--set limits.round_cap=10", None)
    assert rules.sources() == {"rulebook": 1, "assumed": 3, "override": 2}


def test_overlays_may_state_sources_and_add_cards(folder: Folder) -> None:
    rules = folder.load(
        '[cards.fair]\nsource = "public"\nlabel = { en = "Fair", ja = "祭" }\ncost = 4\n'
        "effects = { value = ['draw 2'], source = 'rulebook', ref = 'GM-X1' }\n"
        '[cards.inn]\nlabel = { en = "Inn", ja = "宿" }\ncost = { value = 3, range = [1, 4] }\n'
    )
    assert rules.source("cards.fair.cost").source == "public"
    assert rules.source("cards.fair.effects").ref == "GM-X1"
    assert rules.source("cards.inn.cost").source == "override"
    assert rules.source("cards.inn.cost").range == (1, 4)


def test_an_override_equal_to_the_base_changes_only_the_data_hash(folder: Folder) -> None:
    base = folder.load()
    for same in (
        folder.load(None, "cards.market.cost=5"),
        folder.load("[cards]\nmarket.cost = 5"),
        folder.load("cards.market = { cost = { value = 5 } }"),
    ):
        assert same.hash == base.hash
        assert same.data_hash != base.data_hash
        assert same != base


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("cards.market.cost=7", ("cards", "market", "cost"), 7),
        (" cards . market.cost = -7 ", ("cards", "market", "cost"), -7),
        ('cards."market".cost=7', ("cards", "market", "cost"), 7),
        ("limits.steps=[1, 2]", ("limits", "steps"), (1, 2)),
        ("limits.open=true", ("limits", "open"), True),
        ("limits.place='discard'", ("limits", "place"), "discard"),
        ('cards.market.effects=["a = b"]', ("cards", "market", "effects"), ("a = b",)),
        ("cards.note.mana=2", ("cards", "note", "mana"), 2),
        ('cards.note.label.ja="帳"', ("cards", "note", "label", "ja"), "帳"),
    ],
)
def test_overrides(folder: Folder, text: str, key: tuple[str, ...], value: object) -> None:
    node: Any = folder.load(None, text).values
    for part in key:
        node = node[part]
    assert node == value


def test_an_override_of_a_text_is_gone_with_its_ruleset(folder: Folder) -> None:
    """Files that were read are kept; what is laid over them must not reach what is kept."""
    before = folder.load(None).values["cards"]["note"]["label"]["ja"]
    assert (
        folder.load(None, 'cards.note.label.ja="帳"').values["cards"]["note"]["label"]["ja"] == "帳"
    )
    assert folder.load(None).values["cards"]["note"]["label"]["ja"] == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('cards.note.label.en="A\\nB"', "found a character that cannot be seen (U+000A)"),
        ("cards.markt.cost=7", "did you mean 'cards.market.cost'?"),
        ("cards.market.costs=7", "did you mean 'cards.market.cost'?"),
        ("cards.fair.cost=7", "found an unknown key"),
        ("limit.round_cap=7", "did you mean 'limits.round_cap'?"),
        ("limits=7", "found a table; allowed: something in it (limits.round_cap"),
        ("cards.market=7", "cards.market.cost"),
        ("cards.market.label=7", "cards.market.label.en"),
        ("cards.market.cost={ value = 3 }", "found a table"),
        ("limits.round_cap=0", "found 0; allowed: greater than or equal to 1"),
        ("limits.round_cap=true", "found true; allowed: a whole number"),
        ("limits.round_cap=1.5", "found 1.5, which is no whole number"),
        ("limits.round_cap=99999999999", "allowed: a whole number from -2147483648"),
        ("limits.place='hands'", "found \"hands\"; allowed: 'hand' or 'discard'; did you mean"),
        ("limits.place=hand", 'text needs quotation marks: "hand"'),
        ("limits.round_cap", "found no '='"),
        ("limits.round_cap=", "found '' as a value"),
        ("=3", 'found "" as a key'),
        ("limits.round_cap=1\nlimits.open=true", "cannot be printed"),
        ("limits.\ud800=1", "cannot be printed"),
        ("a=b=c", "as a value"),
        ("limits.round_cap.x=1", "found an unknown key"),
        ("cards.market.effects.x=1", "found an unknown key"),
        ("cards.market.source='public'", "found an unknown key"),
        ("", "found no '='"),
    ],
)
def test_faults_of_overrides(folder: Folder, text: str, told: str) -> None:
    (fault,) = folder.faults(None, text)
    assert fault.startswith("--set ")
    assert told in fault
    fault.encode()


# --- faults ----------------------------------------------------------------------------------


MARKET, PLACE = "cards.market", "data/cards.toml"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'source = "assumed"\nlabel',
            "label",
            [
                f"{PLACE}:3:18: {MARKET}.cost: found 5 without a source; allowed: {{ value = …",
                f'{PLACE}:4:11: {MARKET}.effects: found ["draw 1", "casts 1"] without a source',
            ],
        ),
        (
            'source = "assumed"\nlabel',
            'source = "asumed"\nlabel',
            [f'{PLACE}:2:10: {MARKET}.source: found "asumed"; allowed: rulebook, public, derived'],
        ),
        (
            'source = "assumed"\nlabel',
            'source = "override"\nlabel',
            [f'{PLACE}:2:10: {MARKET}.source: found "override"'],
        ),
        (
            'ref = "GM-S2"\n',
            "",
            [f"{PLACE}:8:10: cards.note.ref: found source rulebook without a ref"],
        ),
        ('ref = "GM-S2"', "ref = 3", [f"{PLACE}:9:7: cards.note.ref: found 3"]),
        (
            "range = [3, 8]",
            "range = [6, 8]",
            [f"{PLACE}:4:29: {MARKET}.cost.range: found [6, 8], with 5 outside of it"],
        ),
        (
            "range = [3, 8]",
            "range = [8, 3]",
            [f"{PLACE}:4:29: {MARKET}.cost.range: found [8, 3]; allowed: two whole numbers"],
        ),
        ("range = [3, 8]", "range = 3", [f"{PLACE}:4:29: {MARKET}.cost.range: found 3"]),
        ("range = [3, 8]", "range = ['a']", [f"{PLACE}:4:29: {MARKET}.cost.range: found"]),
        (
            "range = [3, 8]",
            "rnage = [3, 8]",
            [f"{PLACE}:4:21: {MARKET}.cost.rnage: found an unknown name beside a value"],
        ),
        (
            "{ value = 5, range = [3, 8] }",
            "{ range = [3, 8] }",
            [
                f"{PLACE}:4:8: {MARKET}.cost: found a source without a value",
                f"{PLACE}:4:18: {MARKET}.cost.range: found a range of a whole table",
            ],
        ),
        ("value = 5,", "value = 5.0,", [f"{PLACE}:4:18: {MARKET}.cost: found 5.0, which is no"]),
        ("value = 5,", "value = nan,", [f"{PLACE}:4:18: {MARKET}.cost: found nan, which is no"]),
        ("value = 5,", "value = 2024-01-01,", [f"{PLACE}:4:18: {MARKET}.cost: found a date"]),
        ("value = 5,", "value = 5000000000,", [f"{PLACE}:4:18: {MARKET}.cost: found 5000000000"]),
        ("value = 5, range = [3, 8]", "value = '5'", [f'{PLACE}:4:18: {MARKET}.cost: found "5"']),
        ("value = 5, range = [3, 8]", "value = true", [f"{PLACE}:4:18: {MARKET}.cost: found true"]),
        (
            '"casts 1"',
            "7",
            [f"{PLACE}:5:22: {MARKET}.effects[1]: found 7; allowed: text in quotation marks"],
        ),
        (
            '"casts 1"',
            '"b", "c", "d"',
            [f'{PLACE}:5:11: {MARKET}.effects: found ["draw 1", "b", "c", "d"]; allowed: at most'],
        ),
        (
            "effects = [",
            "efects = [",
            [f"{PLACE}:5:1: {MARKET}.efects: found an unknown key; allowed: label, cost, mana"],
        ),
        (
            "[cards.note]",
            "[card.note]",
            [f"{PLACE}:7:1: card: found an unknown key; allowed: limits, cards, mixed"],
        ),
        (
            "cost = { value = 5, range = [3, 8] }\n",
            "",
            [f"{PLACE}:1:1: {MARKET}.cost: found nothing; allowed: a value"],
        ),
        (
            'label = { en = "Market", ja = "市場" }',
            'label = { en = "Market", jp = "市場" }',
            [
                f"{PLACE}:3:1: {MARKET}.label.ja: found nothing",
                f"{PLACE}:3:26: {MARKET}.label.jp: found an unknown key; allowed: en, ja",
            ],
        ),
        (
            '{ en = "Market", ja = "市場" }',
            "3",
            [f"{PLACE}:3:9: {MARKET}.label: found 3; allowed: a table"],
        ),
        (
            "[cards.market]",
            "value = 3\n[cards.market]",
            [f"{PLACE}:1:9: value: found a value that belongs to no key"],
        ),
    ],
)
def test_faults_of_files(folder: Folder, old: str, new: str, told: list[str]) -> None:
    assert CARDS.count(old) == 1
    folder.write("cards", CARDS.replace(old, new))
    faults = folder.faults()
    assert [fault[: len(start)] for fault, start in zip(faults, told, strict=True)] == told
    assert all(fault.isprintable() for fault in faults)


def test_faults_of_all_files_are_told_at_once(folder: Folder) -> None:
    folder.write("cards", CARDS.replace("value = 5", "value = 9"))
    folder.write("rules", RULES.replace('"tool", ref', '"toll", ref') + "extra = 3\n")
    faults = folder.faults("[cards.market]\ncsot = 3\n[limit]\nx = 1", "limits.place=3", "x=1")
    assert [fault.split(": found")[0] for fault in faults] == [
        "--set limits.place=3: limits.place",
        "--set x=1: x",
        "data/cards.toml:4:29: cards.market.cost.range",
        "data/rules.toml:2:36: limits.round_cap.source",
        "data/rules.toml:5:9: limits.extra",
        "overlay.toml:2:1: cards.market.csot",
        "overlay.toml:3:1: limit",
    ]


def test_a_misspelt_card_in_an_overlay_is_told_once_with_the_right_name(folder: Folder) -> None:
    assert folder.faults("[cards.marcket]\ncost = 4") == [
        "overlay.toml:1:1: cards.marcket: found a new entry without label; allowed: the name of "
        "an entry that there is, or all keys of a new one; did you mean 'market'?"
    ]


def test_an_overlay_cannot_turn_a_table_into_a_value(folder: Folder) -> None:
    (fault,) = folder.faults("[cards]\nmarket = 3")
    assert fault == "overlay.toml:2:10: cards.market: found 3; allowed: a table"
    (fault,) = folder.faults("limits = []")
    assert fault == "overlay.toml:1:10: limits: found []; allowed: a table"


def test_choices_of_a_union_are_one_fault(folder: Folder) -> None:
    (fault,) = folder.faults('mixed = "x"')
    assert fault.endswith('mixed: found "x"; allowed: a whole number or a list')
    assert folder.load("mixed = [1, 2]").values["mixed"] == (1, 2)


def test_one_table_in_two_files_names_both(folder: Folder) -> None:
    folder.write("more", '[cards.fair]\nsource = "assumed"\n')
    (fault,) = folder.faults()
    assert fault.startswith("data/more.toml:1:1: cards: found a second")
    assert "data/cards.toml" in fault


def test_syntax_errors_of_all_files_are_told_first(folder: Folder) -> None:
    folder.write("cards", CARDS + "cost =\n")
    faults = folder.faults("[limits\n", "limits.nothing=1")
    assert [fault.split(": ")[0] for fault in faults] == [
        "data/cards.toml:13:7",
        "overlay.toml:1:8",
    ]


def test_folders_and_overlays_that_are_not_there(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        load_ruleset("toy", tmp_path / "none", Rules)
    with pytest.raises(InputError, match="no such file"):
        folder.load(overlays=[tmp_path / "none.toml"])
    with pytest.raises(InputError, match="found a folder"):
        folder.load(overlays=[tmp_path])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="limits: found nothing"):
        load_ruleset("toy", tmp_path / "empty", Rules)


def test_a_model_must_not_smuggle_in_numbers(folder: Folder) -> None:
    class Smuggler(Rules):
        gold: int = 3

    with pytest.raises(TypeError, match="gold"):
        load_ruleset("toy", folder.path, Smuggler)


def test_checks_of_a_title_point_into_values(folder: Folder) -> None:
    def check(rules: Ruleset) -> Iterator[Problem]:
        for name, card in rules.values["cards"].items():
            for index, text in enumerate(card["effects"]):
                if "casts" in text:
                    path = ("cards", name, "effects", index)
                    yield rules.problem(path, "'casts'", "draw", offset=text.index("casts"))

    assert folder.faults(check=check) == [
        "data/cards.toml:5:23: cards.market.effects[1]: found 'casts'; allowed: draw"
    ]
    (fault,) = folder.faults('[cards]\nnote.effects = { value = ["2 casts"] }', check=check)[1:]
    assert fault.startswith("overlay.toml:2:30: cards.note.effects[0]")
    (_, fault) = reversed(folder.faults(None, 'cards.note.effects=["casts"]', check=check))
    assert fault.startswith('--set cards.note.effects=["casts"]: cards.note.effects[0]')


# --- hostile files ---------------------------------------------------------------------------

KEYS = st.sampled_from(["limits", "cards", "market", "cost", "label", "value", "source", "ref"])
VALUES = st.recursive(
    st.sampled_from(
        ["3", "-1", "1.5", "nan", "true", '"assumed"', '"x"', "1979-05-27", "[]", "{}"]
    ),
    lambda inner: (
        st.lists(inner, max_size=2).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(KEYS, inner, max_size=3).map(
            lambda items: "{ " + ", ".join(f"{k} = {v}" for k, v in items.items()) + " }"
        )
    ),
    max_leaves=6,
)
FILES = st.dictionaries(KEYS, VALUES, max_size=4).map(
    lambda items: "\n".join(f"{key} = {value}" for key, value in items.items())
)


@given(base=st.none() | FILES, overlay=FILES | st.text(max_size=40), override=st.text(max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_files_are_rules_or_an_input_error(
    folder: Folder, base: str | None, overlay: str, override: str
) -> None:
    folder.write("cards", CARDS if base is None else base)
    path = folder.overlay("")
    path.write_bytes(overlay.encode("utf-8", "surrogatepass"))
    for overrides in ((), (override,), (f"cards.market.cost={override}",)):
        try:
            rules = load_ruleset("toy", folder.path, Rules, overlays=[path], overrides=overrides)
        except InputError as error:
            fault = str(error)
            assert fault
        else:
            assert len(rules.hash) == 64


def test_reading_rules_is_lazy_about_its_libraries() -> None:
    code = (
        "import sys, sim.core.ruleset, sim.core.policy\n"
        "heavy = {'pydantic', 'tree_sitter', 'polars', 'scipy', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
