"""Places of values in TOML files, and files that cannot be read."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core import toml_source
from sim.core.hashing import canonical_json, digest
from sim.core.toml_source import MAX_BYTES, parse_toml, read_toml
from sim.errors import DataError, InputError

TEXT = """\
# 天秤
top = 1
[cards.market]
label = { en = "Market", ja = "市場" }
effects = ["draw 1", # 一枚
  '市 1', "a\\"b", \"\"\"c\"\"\", { deep = [7] }]
"二つ 名".x = 2

[[arr]]
z = 1
[[arr]]
z = 2
[arr.sub]
y = 3
[[arr.list]]
w = 4
"""


@pytest.mark.parametrize(
    ("path", "line", "column", "text_column"),
    [
        (("top",), 2, 7, None),
        (("cards",), 3, 1, None),
        (("cards", "market"), 3, 1, None),
        (("cards", "market", "label", "ja"), 4, 31, 32),
        (("cards", "market", "effects"), 5, 11, None),
        (("cards", "market", "effects", 0), 5, 12, 13),
        (("cards", "market", "effects", 1), 6, 3, 4),
        (("cards", "market", "effects", 2), 6, 10, None),
        (("cards", "market", "effects", 3), 6, 18, None),
        (("cards", "market", "effects", 4, "deep", 0), 6, 37, None),
        (("cards", "market", "二つ 名", "x"), 7, 12, None),
        (("arr",), 9, 1, None),
        (("arr", 0, "z"), 10, 5, None),
        (("arr", 1), 11, 1, None),
        (("arr", 1, "z"), 12, 5, None),
        (("arr", 1, "sub", "y"), 14, 5, None),
        (("arr", 1, "list", 0, "w"), 16, 5, None),
    ],
)
def test_positions(
    path: tuple[str | int, ...], line: int, column: int, text_column: int | None
) -> None:
    source = parse_toml(TEXT, "x.toml")
    position = source.positions[path]
    assert (position.line, position.column, position.text_column) == (line, column, text_column)


def test_positions_know_every_value() -> None:
    source = parse_toml(TEXT, "x.toml")

    def paths(node: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
        items = list(node.items()) if isinstance(node, dict) else []
        items = list(enumerate(node)) if isinstance(node, list) else items
        return [path, *(found for key, value in items for found in paths(value, (*path, key)))]

    assert set(source.positions) == set(paths(source.data, ())) - {()}


def test_a_missing_key_is_told_at_the_table_around_it() -> None:
    source = parse_toml(TEXT, "x.toml")
    problem = source.problem(("cards", "market", "cost"), "nothing", "a number")
    assert str(problem) == "x.toml:3:1: cards.market.cost: found nothing; allowed: a number"
    assert source.position(("elsewhere",)) is None


def test_without_a_syntax_tree_faults_keep_their_path(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> None:
        raise RuntimeError("no grammar")

    monkeypatch.setattr(toml_source, "_positions", broken)
    problem = parse_toml(TEXT, "bare.toml").problem(("top",), "1", "2")
    assert str(problem) == "bare.toml: top: found 1; allowed: 2"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = 1\n[b\n", ":2:3"),
        ("a = 1\na = 2\n", ":2:"),
        ("石 = 1", ":1:1"),
        ('a = 1\nb = """x\n', ":3:1"),
        ("a = " + "[" * 20_000, ""),
        ("a = " + "9" * 5000, ""),
        ("a = 2024-02-31", ":1:"),
    ],
)
def test_syntax_errors_have_their_place(text: str, place: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_toml(text, "x.toml")
    (problem,) = caught.value.problems
    assert str(problem).startswith(f"x.toml{place}")
    assert "(at " not in str(problem)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_toml(tmp_path / "none.toml")
    with pytest.raises(InputError, match="found a folder"):
        read_toml(tmp_path)
    (tmp_path / "latin.toml").write_bytes('a = 1\nb = "é"'.encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.toml:2: found a byte that is not UTF-8 \(0xe9\)"):
        read_toml(tmp_path / "latin.toml")
    (tmp_path / "huge.toml").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match="larger than 256 kB"):
        read_toml(tmp_path / "huge.toml")
    with pytest.raises(InputError):
        read_toml(Path("a\0b.toml"))
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(InputError, match="no file"):
        read_toml(tmp_path / "pipe.toml")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "bom.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    source = read_toml(tmp_path / "bom.toml")
    assert source.data == {"a": 1, "b": 2}
    assert source.positions["b",].line == 2


JSON = st.recursive(
    st.integers() | st.booleans() | st.text(max_size=5).filter(lambda t: t.isprintable()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab魔", max_size=3), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text("ab魔", max_size=3), JSON))
def test_hash_ignores_order_alone(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))
    assert digest(turned) == digest(value)
    assert digest({**value, "more": 1}) != digest(value)


@pytest.mark.parametrize("value", [1.0, {"a": [float("nan")]}, {1: 2}, {"a": object()}])
def test_hash_refuses_what_has_no_one_text(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_json(value)


@given(st.text(max_size=60))
def test_any_text_is_toml_or_a_data_error(text: str) -> None:
    try:
        source = parse_toml(text, "x")
    except DataError:
        with pytest.raises((tomllib.TOMLDecodeError, ValueError)):
            tomllib.loads(text)
    else:
        assert source.data == tomllib.loads(text)
        assert all(source.position((key,)) for key in source.data)
