"""Good files, good rules and good JSON with something wrong put into them.

Everything follows from a ``random.Random`` with a seed, so that a case can be made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sim.core.ruleset import Ruleset
from sim.core.toml_source import MAX_BYTES

__all__ = ["HOSTILE_JSON", "HOSTILE_TOML", "changes", "mutated", "mutated_json"]

#: Values of TOML that stand where something else is meant.
HOSTILE_TOML = (
    *("0", "1", "-1", "2", "3", "127", "128", "255", "256", "1000", "32767", "32768", "65535"),
    *("65536", "2147483647", "-2147483648", "2147483648", "4294967296", "9223372036854775807"),
    *("9223372036854775808", f"1{400 * '0'}", f"1{5000 * '0'}", f"0x{5000 * 'f'}", "0b1", "0o17"),
    *("1.0", "1.5", "-0.0", "1e400", "nan", "inf", "-inf", "true", "false"),
    *('""', '" "', '"a"', "'\\'", '"\\u0000"', '"\\u001b[31m"', '"\\ud800"', '"\\uffff"'),
    *('"\\U0010ffff"', '"\\u202e"', '"../../x"', '"/etc/passwd"', '"<script>"', '"{0.__class__}"'),
    *('"%s%n"', "\"__import__('os')\"", '"""\n\n"""', "'''\n'''", f'"{3000 * "a"}"'),
    *("[]", "[[]]", "[{}]", "{}", "{ a = 1 }", '["a", "a"]', "[1, 'a']", "[-1]", "[2147483648]"),
    *("{ value = 1 }", '{ value = 1, source = "assumed" }', '{ source = "assumed" }'),
    *("{ value = 1, range = [2, 1] }", '{ value = {}, source = "tool" }', '{ en = "x", ja = 1 }'),
    *("1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "0000-01-01", "[1979-05-27]"),
    *(f"{30 * '['}{30 * ']'}", f"{300 * '['}{300 * ']'}", f"[{','.join(2000 * ['1'])}]"),
    *(f"{{ {30 * 'a.'}a = 1 }}", "{ a.b = 1, a.c = 2 }", "{ a = 1, a = 2 }", "=", "]", "\x00"),
)

#: Values of JSON that stand where something else is meant.
HOSTILE_JSON: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 255, 65536, 2**31, 2**63, 10**30, 10**400, 1.5, 1e308),
    *(float("nan"), float("inf"), "", "a", "0", "-1", "\x00", "\x1b[31m", "\ud800", "/", "..", "."),
    *(
        "../../x",
        "/tmp/x",
        "_a/../../x",
        "_" + 300 * "a",
        "_\x00",
        3000 * "a",
        "</script>",
        "a.toml",
    ),
    *("random@2", ":", "@", [], [[]], [None], ["a"], [1], [0, 0, 0], 3000 * [0], {}, {"": 1}),
    *({"a": 1}, {"0": 0}, {"-1": ["a"]}, {"x": ["a"]}, {"a": {"b": {}}}),
)

_BYTES = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\xed\xa0\x80", b"\xe2\x80\xae"),
    *(b'"', b"'", b'"""', b"[", b"]", b"[[", b"{", b"}", b"=", b".", b",", b"#", b"\\", b"\x1b[2J"),
    *(b"9" * 400, b"a" * 3000, b"\xc3", b"\xf4\x90\x80\x80", b"\t", b" " * 500, b"\\u0000"),
)
_VALUE = re.compile(r"""(?<==\ )(?:"[^"\n]*"|'[^'\n]*'|[\[{][^\n]*|[^\s,}\]]+)""")
_NUMBER = re.compile(r"(?<![\w.-])-?\d+(?![\w.-])")
_WORD = re.compile(r"\b[a-z][a-z_0-9]+\b")
_NUMBERS = (0, 0, 1, 1, 2, 3, 5, 8, 20, 64, 127, 128, 255, 256, 1000, 32767, 65535, 2**31 - 1, -1)

Change = Callable[[str, Random], str]


def mutated(raw: bytes, random: Random) -> bytes:
    """Return a file with one to three things wrong in it."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if random.random() < 0.25:
            raw = random.choice(_BYTE_CHANGES)(raw, random)
        else:
            text = raw.decode("utf-8", "surrogateescape")
            text = random.choice(_TEXT_CHANGES)(text, random)
            raw = text.encode("utf-8", "surrogateescape")
    return raw[:MAX_BYTES]


def _cut(raw: bytes, random: Random) -> bytes:
    return raw[: random.randrange(len(raw) + 1)]


def _drop(raw: bytes, random: Random) -> bytes:
    at = random.randrange(len(raw) + 1)
    return raw[:at] + raw[at + random.choice((1, 1, 3, 40)) :]


def _double(raw: bytes, random: Random) -> bytes:
    at, length = random.randrange(len(raw) + 1), random.choice((1, 20, 500))
    return raw[: at + length] + raw[at:]


def _put(raw: bytes, random: Random) -> bytes:
    at = random.randrange(len(raw) + 1)
    return raw[:at] + random.choice(_BYTES) + raw[at:]


def _flip(raw: bytes, random: Random) -> bytes:
    if not raw:
        return b"\xff"
    content = bytearray(raw)
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    return bytes(content)


def _line_ends(raw: bytes, random: Random) -> bytes:
    return raw.replace(b"\n", random.choice((b"\r\n", b"\r")))


_BYTE_CHANGES = (_cut, _drop, _double, _put, _flip, _line_ends)


def _lines(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text + text
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = lines[one].rstrip("\n")
    return "".join(lines)


def _swapped(pattern: re.Pattern[str], text: str, random: Random, new: str | None) -> str:
    """Put something in the place of one find, or the one find in the place of another."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    at = random.choice(found)
    put = random.choice(found)[0] if new is None else new
    return text[: at.start()] + put + text[at.end() :]


def _value(text: str, random: Random) -> str:
    return _swapped(_VALUE, text, random, random.choice(HOSTILE_TOML))


def _other_value(text: str, random: Random) -> str:
    return _swapped(_VALUE, text, random, None)


def _number(text: str, random: Random) -> str:
    return _swapped(_NUMBER, text, random, str(random.choice(_NUMBERS)))


def _word(text: str, random: Random) -> str:
    return _swapped(_WORD, text, random, random.choice((None, None, "stop", "with", 'a"b')))


_TEXT_CHANGES: tuple[Change, ...] = (_lines, _value, _value, _other_value, _number, _number, _word)


def mutated_json(value: Any, random: Random) -> Any:
    """Return a value of JSON with one to three things wrong in it."""
    value = json.loads(json.dumps(value))
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(_places(value))
        if not places:
            break
        # Few places of a manifest lie at its top, and they matter most.
        depth = random.choice([len(path) for path in places])
        *around, last = random.choice([path for path in places if len(path) <= depth])
        table = value
        for key in around:
            table = table[key]
        match random.randrange(6):
            case 0:
                del table[last]
            case 1 if isinstance(table, list):
                table.insert(last, table[last])
            case 2:
                table[last] = json.loads(json.dumps(_at(value, random.choice(places))))
            case 3 if isinstance(table, dict):
                table[str(random.choice(HOSTILE_JSON))[:400]] = table.pop(last)
            case _:
                table[last] = random.choice(HOSTILE_JSON)
        value = json.loads(json.dumps(value))
    return value


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(inner, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def changes(rules: Ruleset, random: Random) -> list[str]:
    """Return overrides that put other values, of the right kind, into one to four places."""
    keys = rules.keys()
    alike: dict[str, list[Any]] = {}
    for key in keys:
        alike.setdefault(key.rpartition(".")[2], []).append(rules.source(key).value)
    made = []
    for key in random.sample(keys, random.choice((1, 1, 2, 4))):
        value = rules.source(key).value
        if isinstance(value, bool):
            value = not value
        elif isinstance(value, int):
            near = (value - 1, value + 1, 2 * value, 10 * value)
            value = random.choice((*near, *_NUMBERS))
        else:
            value = random.choice(alike[key.rpartition(".")[2]])
            if isinstance(value, tuple):
                value = random.choice((value, value + value, value[:-1], value[::-1]))
                value = [_numbers_changed(item, random) for item in value]
        made.append(f"{key}={json.dumps(value, ensure_ascii=False)}")
    return made


def _numbers_changed(item: Any, random: Random) -> Any:
    if isinstance(item, int) and not isinstance(item, bool):
        return random.choice((item, item, *_NUMBERS))
    return _number(item, random) if isinstance(item, str) else item
