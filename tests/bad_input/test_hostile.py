"""Faults that hostile files brought to light, each with the file that did.

Most took minutes or gigabytes, some ended in a traceback; links and forged entries of a store led
out of its folder.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from random import Random

import pytest

import sim
from analysis import cli
from analysis.recipe import manifest_of, recipe_of
from analysis.report import write_report
from sim.core.policy_file import MOST_BASES, MOST_RULES
from sim.core.ruleset import MOST_OVERLAYS, MOST_OVERRIDES
from sim.core.toml_source import MAX_BYTES
from sim.errors import InputError, StoreMismatchError
from tests.bad_input import stores
from tests.bad_input.helpers import one_message
from tests.bad_input.test_fuzz import toml
from tests.bad_input.test_words import SIMULATE, put

LABEL = 'label = { en = "x", ja = "x" }\nabout = "x"\n'


def rules(refused, text: str) -> str:
    return refused(*SIMULATE, "--rules", put("mine.toml", text))


def policy(refused, text: str) -> str:
    return refused(*SIMULATE, "--lineup", f"{put('own.toml', LABEL + text)},engine")


# --- TOML ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a" + 40_000 * ".a" + " = 1",
        "a" + 1500 * " . a" + " = 1",
        "[x]\n" + '""' + 1500 * '.""' + " = 1",
        "x = { a" + 1500 * ".a" + " = 1 }",
        "[a" + 1500 * ".'a.b'" + "]",
    ],
)
def test_a_key_of_very_many_parts(refused, text):
    told = rules(refused, text)
    assert told.startswith(("mine.toml:1:", "mine.toml:2:1: "))
    assert "nested more than 32 deep" in told or "4,000 characters" in told


def test_dots_where_no_key_is_are_none():
    text = f'# {40 * "a "}{20 * "a."}\n[cards.market]\nabout = "{"1.2 " * 99}"\nrange = 1\n'
    with pytest.raises(InputError) as caught:
        sim.load("granmagia", rules=put("mine.toml", text))
    assert "range of a whole table" in str(caught.value)


@pytest.mark.parametrize("digits", [200_000 * "1", "0x" + 200_000 * "f", "1" + 90_000 * "_1"])
def test_a_number_of_very_many_digits(refused, digits):
    told = rules(refused, f"[cards.market]\ncost = {digits}\n")
    assert told.startswith("mine.toml:2:8: TOML: found a word or number of 4,000 characters")


def test_two_long_keys_of_spaces(refused):
    spaces = 100_000 * " "
    told = rules(refused, f'x = {{ "{spaces}" = 1, "{spaces}" = 1 }}')
    assert told.startswith("mine.toml:1:")
    assert len(told) < 500


def test_a_file_beyond_the_limit(refused):
    assert "larger than 256 kB" in rules(refused, "#" * (MAX_BYTES + 1))


def test_characters_that_cannot_be_printed_are_escaped(refused):
    told = rules(refused, '[cards.market]\ncost = "\\uffff\\u202e"\n')
    assert r'found "\uffff\u202e"; allowed: a whole number' in told


def test_very_many_overlays_and_overrides(refused):
    put("mine.toml", "")
    words = (MOST_OVERLAYS + 1) * ("--rules", "mine.toml")
    assert "found 33 overlays; allowed: at most 32" in refused(*SIMULATE, *words)
    words = (MOST_OVERRIDES + 1) * ("--set", "cards.market.cost=4")
    assert "found 1,001 overrides; allowed: at most 1,000" in refused(*SIMULATE, *words)


def test_a_very_long_value_of_an_override(refused):
    told = refused(*SIMULATE, "--set", f"cards.market.cost={{ a{20_000 * '.a'} = 1 }}")
    assert "found a value of 40,009 characters" in told


def test_very_many_effects_of_a_card(refused):
    told = rules(refused, f"[cards.market]\neffects = {33 * ['draw 1']}\n")
    assert "mine.toml:2:11: cards.market.effects: found" in told
    assert told.endswith("allowed: at most 32 entries")


# --- policies -------------------------------------------------------------------------------------


def test_very_many_rules(refused):
    told = policy(refused, f"[acquire]\nrules = {(MOST_RULES + 1) * ['any']}\n")
    assert f"acquire.rules: found too many rules; allowed: at most {MOST_RULES} in a file" in told


def test_lists_that_use_one_another_cannot_grow_without_end(refused):
    """Ten bases, each of which takes the list of the next one ten times."""
    put("_0.toml", f"about = 'x'\n[lists]\na = {10 * ['any']}\n")
    for number in range(1, 10):
        uses = f"[lists]\na = {10 * ['use a']}\n"
        put(f"_{number}.toml", f"about = 'x'\nbase = '_{number - 1}'\n{uses}")
    told = policy(refused, 'base = "_9"\n[acquire]\nrules = ["use a"]\n')
    assert "too many rules" in told


def test_a_long_way_over_bases(refused):
    for number in range(1000):
        put(f"_{number}.toml", f'about = "x"\nbase = "_{number + 1}"\n')
    put("_1000.toml", 'about = "x"\n')
    told = policy(refused, 'base = "_0"\n')
    assert f"found more than {MOST_BASES} bases; allowed: bases that come to an end" in told


def test_very_many_unknown_names_in_a_policy(refused):
    told = policy(refused, "".join(f"k{number} = 1\n" for number in range(10_000)))
    assert told.startswith("own.toml:3:1: k0: found unknown name 'k0'")
    assert told.endswith("more faults")


# --- specs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("players = [2, 9]\n", "spec.toml:2:15: players[1]: found 9; allowed: 2, 3, 4"),
        (f"players = {list(range(30_000))}\n", "spec.toml:2:12: players[0]: found 0; allowed: 2"),
        (f"players = {9000 * [2]}\n", "each only once; 2 stands there twice"),
        (f"set = {1001 * ['a=1']}\n", "allowed: at most 1000 entries"),
        (f"rules = {33 * ['a']}\n", "allowed: at most 32 entries"),
        (f"games = 0x{3999 * 'f'}\n", "TOML: found a word or number"),
        (f"games = 0x{3900 * 'f'}\n", "games must be fewer than 10^18"),
    ],
)
def test_specs_that_ask_for_too_much(refused, text, said):
    assert said in refused("report", put("spec.toml", f'title = "granmagia"\n{text}'))


# --- stores ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A run that was made from an overlay, a policy with a base, and an override."""
    home, before = tmp_path_factory.mktemp("made"), Path.cwd()
    os.chdir(home)
    try:
        stores.make()
    finally:
        os.chdir(before)
    return home


@pytest.fixture
def store(made, tmp_path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return Path(shutil.copytree("good", "run"))


def entry_of(store: Path) -> tuple[Path, dict]:
    file = min(store.glob("shards/*.json"))
    return file, json.loads(file.read_bytes())


def test_a_forged_entry_without_anything(refused, store):
    stores.sign_entry(entry_of(store)[0], {})
    assert "(0 of 1 shards are whole)" in refused("table", "run", code=4)


@pytest.mark.parametrize("name", ["../outside.parquet", "/etc/passwd", "games/other.parquet"])
def test_a_forged_entry_cannot_name_files_elsewhere(refused, store, name, capsys):
    Path("outside.parquet").write_bytes(b"mine")
    file, entry = entry_of(store)
    entry["files"][name] = {"bytes": 4, "sha256": stores._sha(b"mine")}
    stores.sign_entry(file, entry)
    assert "(0 of 1 shards are whole)" in refused("table", "run", code=4)
    assert cli.main(stores.WORDS) == 0
    assert "its entry names other files than a shard of this run" in capsys.readouterr().err
    assert Path("outside.parquet").read_bytes() == b"mine"


def test_an_entry_that_is_nested_too_deeply(refused, store):
    entry_of(store)[0].write_text('{"a": ' + 900 * "[" + 900 * "]" + "}")
    assert "(0 of 1 shards are whole)" in refused("table", "run", code=4)


@pytest.mark.parametrize("part", ["games", "shards", "sums/wins", "log.jsonl", ".lock"])
def test_links_in_a_store_lead_no_writer_out_of_it(refused, store, part):
    """Their targets were emptied of leftovers, moved into ``set-aside`` and written to."""
    away = Path("away")
    if (store / part).is_dir():
        (store / part).rename(away)
        (away / ".thesis.tmp").write_text("years of work")
    else:
        (store / part).unlink(missing_ok=True)
        away.write_text("mine")
    before = {file: file.read_bytes() for file in away.rglob("*")} or away.read_bytes()
    (store / part).symlink_to(away.resolve())
    assert "is a link or a device; a run has files and folders of its own" in refused(*stores.WORDS)
    assert ({file: file.read_bytes() for file in away.rglob("*")} or away.read_bytes()) == before


@pytest.mark.parametrize("part", ["manifest.json", "log.jsonl", "shards"])
def test_a_pipe_in_a_store_is_not_waited_for(store, part, capsys):
    file = entry_of(store)[0] if part == "shards" else store / part
    file.unlink()
    os.mkfifo(file)
    codes = [cli.main(words) for words in (("table", "run"), stores.WORDS)]
    assert codes in ([2, 2], [0, 2], [4, 2])
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["[1]", '"x"', '{"event": "end", "seconds": "x"}', '{"event": "start", "command": 1}'],
)
def test_a_log_that_says_something_else(store, line, capsys):
    log = store / "log.jsonl"
    log.write_text(f"{log.read_text()}{line}\n{5000 * '['}\n")
    assert cli.main(("table", "run")) == 0
    assert sim.open_run(store).provenance["resources"]["sessions"] == 1


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("bans",), {"x": ["market"]}),
        (("keep",), "nothing"),
        (("layout", "columns", 0, "name"), {}),
        (("layout", "columns", 0, "dtype"), "O"),
        (("cut", "batch_games", "2"), 10**9),
        (("cut", "shard_batches"), 10**9),
        (("plan", 0, "lineups"), [10_000 * ["engine"]]),
    ],
)
def test_a_forged_manifest_that_fits_its_own_hash(refused, store, path, value):
    manifest = json.loads((store / "manifest.json").read_bytes())
    table = manifest["identity"]
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = value
    stores.sign_manifest(store, manifest)
    for words in (("table", "run"), ("trace", "./run", "--game", "0"), ("rerun", "run")):
        assert "is damaged" in refused(*words)


def test_numbers_that_are_none_in_a_manifest(refused, store):
    file = store / "manifest.json"
    file.write_text(file.read_text().replace('"games": 40', '"games": NaN'))
    assert "cannot be read: found NaN; allowed: a number" in refused("table", "run")


def test_the_name_of_a_base_that_no_file_can_have(refused, store):
    manifest = json.loads((store / "manifest.json").read_bytes())
    manifest["sources"]["policies"]["own.toml"]["bases"] = {"_" + 300 * "a": "about = 'x'"}
    stores.sign_manifest(store, manifest)
    assert "is damaged" in refused("rerun", "run")


def test_a_table_of_another_kind_with_the_right_hash(refused, store, capsys):
    (table,) = store.glob("games/*.parquet")
    shutil.copy(next(store.glob("seats/*.parquet")), table)
    stores.sign_table(store, table)
    assert "(0 of 1 shards are whole)" in refused("table", "run", code=4)
    assert cli.main(stores.WORDS) == 0
    assert "has other columns than those of this run" in one_message(capsys.readouterr().err)


def test_a_damaged_table_with_the_right_hash(refused, store):
    (table,) = store.glob("seats/*.parquet")
    raw = bytearray(table.read_bytes())
    raw[8 : len(raw) // 4] = Random(1).randbytes(len(raw) // 4 - 8)
    table.write_bytes(raw)
    stores.sign_table(store, table)
    told = refused("table", "run", "--by", "seat,policy,witch,players,cell")
    assert told.startswith("a file of the run cannot be read: parquet: ")


# --- pages ----------------------------------------------------------------------------------------


def test_a_page_with_a_table_that_nobody_can_sit_down_to(made):
    recipe = recipe_of(sim.open_run(made / "good"))
    recipe["identity"]["plan"] = [["rotation", 200_000 * [0]]]
    with pytest.raises(InputError, match="the recipe is damaged"):
        manifest_of(recipe)


def test_a_page_that_is_no_text(refused):
    Path("page").mkdir()
    for content in (b"\xff", b"[" * 100_000, b'{"recipe": NaN}', b'{"recipe": ' + 5000 * b"9"):
        Path("page/report.json").write_bytes(content)
        assert "report.json" in refused("rerun", "page")


def test_labels_of_an_overlay_are_text_on_a_page(tmp_path):
    """Names from data stand in the page, its figures and the JSON within: as text, everywhere."""
    bad = '</script><img src=x onerror="alert(1)">{{ 7 * 7 }}'
    names = toml({"en": bad, "ja": bad})
    put("mine.toml", f"[witches.sophia]\nlabel = {names}\n[cards.market]\nlabel = {names}\n")
    run = sim.simulate("granmagia", games=200, players=2, rules="mine.toml", collect=["cards"])
    write_report(run, tmp_path / "page")
    page = (tmp_path / "page/index.html").read_text(encoding="utf-8")
    assert "onerror=" in page
    assert "<img src=x" not in page
    assert "<img src=x" not in "".join(
        file.read_text(encoding="utf-8") for file in (tmp_path / "page").rglob("*.svg")
    )


# --- deck lists -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["a" + 200_000 * " ", "4" + 200_000 * " ", 60_000 * " x "])
def test_a_very_long_line_of_a_deck_list(refused, text):
    told = refused("decks", "check", "majestic", put("deck.txt", text))
    assert told.startswith("deck.txt:1: line: found ")
    assert "allowed: at most 400 characters a line" in told


def test_what_is_no_deck_list(refused):
    os.mkfifo("pipe.txt")
    assert "found something that is no file" in refused("decks", "check", "majestic", "pipe.txt")
    assert "larger than 256 kB" in refused("decks", "check", "majestic", put("d.txt", 10**6 * "#"))


def test_a_store_must_not_be_a_pipe():
    os.mkfifo("manifest.json")
    with pytest.raises(StoreMismatchError, match="it is no file"):
        sim.open_run(".")
