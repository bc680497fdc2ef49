"""Files that are small only as long as nobody reads them."""

from __future__ import annotations

from sim.core.toml_source import MAX_BYTES

__all__ = ["bombs", "lists"]

#: What begins a spec of a report.
SPEC = 'title = "granmagia"\n'


def filled(line: str, head: str = "", tail: str = "") -> str:
    """Return as many copies of a line as a file may hold, between two texts."""
    return head + line * ((MAX_BYTES - len(head) - len(tail)) // len(line)) + tail


def numbered(line: str, head: str = "", tail: str = "") -> str:
    """Return the same of a line that has a number in the place of ``#``."""
    room, number, lines = MAX_BYTES - len(head) - len(tail), 0, []
    while (room := room - len(line) - 6) > 0:
        lines.append(line.replace("#", str(number)))
        number += 1
    return head + "".join(lines) + tail


def bombs() -> dict[str, bytes]:
    """Return files of TOML, or of nothing that is TOML, by what is wrong with them."""
    spaces = (MAX_BYTES // 2 - 40) * " "
    many = 500 * '"any",'
    deep = "".join(f"[{'.'.join(30 * [f'k{number}'])}]\n" for number in range(8000))
    texts = {
        "spaces": filled(" "),
        "lines": filled("\n"),
        "a dotted key": filled(".a", "a", " = 1"),
        "a dotted key with spaces": filled(" . a", "a", " = 1"),
        "a dotted key in quotation marks": filled('.""', '""', " = 1"),
        "a dotted header": filled(".a", "[a", "]"),
        "a dotted key in a table": filled(".a", "x = { a", " = 1 }"),
        "dotted keys": numbered("a.k#.b = 1\n"),
        "a long key": filled("a", "", " = 1"),
        "two long keys of spaces": f'x = {{ "{spaces}" = 1, "{spaces}" = 1 }}',
        "a long header": filled("a", "[", "]\nx = 1"),
        "a long text": filled("a", 'label = "', '"'),
        "a long text of escapes": filled("\\u0041", 'label = "', '"'),
        "a long text without an end": filled("a", 'label = "'),
        "quotation marks": filled('"'),
        "quotation marks in three": filled('""\\"', 'a = """'),
        "open brackets": filled("[", "a = "),
        "open tables": filled("{a=", "a = "),
        "empty lists": filled("[],", "a = [", "]"),
        "empty tables": filled("{},", "a = [", "]"),
        "numbers": filled("1,", "a = [", "]"),
        "a long number": filled("1", "a = "),
        "a long number of hexadecimal digits": filled("f", "a = 0x"),
        "a long fraction": filled("1", "a = 0."),
        "underscores": filled("_1", "a = 1"),
        "keys": numbered("k# = 1\n"),
        "leaves": numbered('k#={value=1,source="tool"}\n'),
        "keys in one table": numbered("k# = 1, ", "a = { ", "z = 1 }"),
        "headers": numbered("[k#]\n"),
        "headers below one": numbered("[a.k#]\n"),
        "lists of tables": filled("[[a]]\n"),
        "lists of tables with tables": filled("[[a]]\n[a.b]\n"),
        "deep tables": deep[:MAX_BYTES].rpartition("[")[0],
        "comments": filled("#\n"),
        "a comment": filled("a", "# "),
        "carriage returns": filled("\r"),
        "NULs": filled("\0"),
        "dots": filled("."),
        "equal signs": filled("="),
        "cards": numbered("[cards.k#]\ncost = 1\n"),
        "tags of a card": filled('"a", ', "[cards.market]\ntags = [", "]"),
        "a name of spaces": filled(" ", '[cards."', '"]\ncost = 1\n'),
        "effects of a card": filled('"x",', "[cards.market]\neffects = [", "]"),
        "a long effect": filled("draw 1 ", '[cards.market]\neffects = ["', '"]'),
        "rules": filled('"x",', "[acquire]\nrules = [", "]"),
        "rules of a list": filled('"use a",', f"[lists]\na = [{many}]\n[acquire]\nrules = [", "]"),
        "a long rule": filled("round > 1 and ", '[acquire]\nrules = ["any if ', '"]'),
        "weights": numbered("k# = 1\n", "[acquire.weights]\n"),
        "values of a study": numbered(
            "#,", f'{SPEC}[[levers]]\nid = "x"\n[[levers.settings]]\nvalues = [', "]"
        ),
        "player counts": numbered("#,", f"{SPEC}players = [", "]"),
        "studies": filled('[[levers]]\nid = "x"\n', SPEC),
        "keys of a spec": numbered("k# = 1\n", SPEC),
        "overrides of a spec": numbered('"k#=1",', f"{SPEC}set = [", "]"),
        "overlays of a spec": numbered('"k#",', f"{SPEC}rules = [", "]"),
        "one overlay again and again": filled('"o.toml",', f"{SPEC}rules = [", "]"),
    }
    return {name: text.encode()[:MAX_BYTES] for name, text in texts.items()} | {
        "bytes that are no text": MAX_BYTES * b"\xff",
        "surrogates": b"\xed\xa0\x80" * (MAX_BYTES // 3),
        "UTF-16": "cards = 1\n".encode("utf-16") * 1000,
        "nothing": b"",
        "a mark only": b"\xef\xbb\xbf",
        "more than is read": b"#\n" * MAX_BYTES,
    }


def lists() -> dict[str, bytes]:
    """Return deck lists, by what is wrong with them."""
    texts = {
        "spaces": filled(" ", "a"),
        "a number and spaces": filled(" ", "4"),
        "a sorcerer and spaces": filled(" ", "sorcerer:"),
        "marks": filled(" x "),
        "unknown names": filled("1 a\n"),
        "no names": filled("4\n"),
        "lines": filled("\n"),
        "letters that grow": ("9 " + 390 * "\ufdfa" + "\n") * (MAX_BYTES // 1180),
        "numbers": filled("999 Spark imp\n"),
        "controls": filled("4 \x1b[31m\x00\n"),
    }
    return {name: text.encode() for name, text in texts.items()} | {
        "bytes that are no text": MAX_BYTES * b"\xff"
    }
