"""Every numbered rule that is played has a test, for every title, and no test names another."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "sim" / "titles").glob("*/RULES.md"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))

ENTRY = re.compile(r"^- \*\*(?P<id>[A-Z]+-[A-Z]+\d+)\*\*(?P<rest>.*)$")
MARK = re.compile(r"^ \((?P<mark>yes|partly|not yet)\) \S")


def entries(text):
    """Return the entries of a RULES.md: (id, mark or None, whole text), in their order."""
    found = []
    for line in text.splitlines():
        if entry := ENTRY.match(line):
            mark = MARK.match(entry["rest"])
            found.append([entry["id"], mark and mark["mark"], entry["rest"]])
        elif found and line.startswith("  "):
            found[-1][2] += "\n" + line
        elif found and line.strip():
            found.append(["", None, ""])  # prose after a list belongs to no entry
    return [tuple(entry) for entry in found if entry[0]]


def marks_of(source):
    """Return the rules that the tests of a file carry, and the lines of marks that name none."""
    ids, faults = [], []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if ast.unparse(node.func) not in ("pytest.mark.rule", "mark.rule"):
            continue
        names = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if len(node.args) == len(names) == 1 and isinstance(names[0], str) and not node.keywords:
            ids += names
        else:
            faults.append(node.lineno)
    return ids, faults


def faults_of_coverage(rules, marked):
    """Compare the marks of rules with the rules that tests carry; return what is wrong."""
    listed = {rule: mark for rule, mark, _ in rules}
    wrong = []
    for rule, mark in listed.items():
        if mark in ("yes", "partly") and rule not in marked:
            wrong.append(f"{rule} ({mark}) has no test")
        if mark == "not yet" and rule in marked:
            wrong.append(f"{rule} (not yet) has tests, as if it were played: {marked[rule]}")
    wrong += [f"{rule} is in no RULES.md: {marked[rule]}" for rule in marked if rule not in listed]
    return wrong


def all_marked():
    marked = {}
    for path in TESTS:
        for rule in marks_of(path.read_text(encoding="utf-8"))[0]:
            places = marked.setdefault(rule, [])
            if path.name not in places:
                places.append(path.name)
    return marked


def test_there_are_rules():
    assert RULES
    assert all(entries(path.read_text(encoding="utf-8")) for path in RULES)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.parent.name)
def test_entries_are_numbered_once_and_marked(path):
    rules = entries(path.read_text(encoding="utf-8"))
    assert not [rule for rule, n in Counter(rule for rule, _, _ in rules).items() if n > 1]
    assert not [rule for rule, mark, _ in rules if mark is None]
    assert len({rule.split("-")[0] for rule, _, _ in rules}) == 1, "one prefix a title"
    # A part that is missing is said, and nothing is missing from a whole one.
    for rule, mark, text in rules:
        assert (mark == "partly") == ("*Missing:*" in text), rule


def test_titles_share_no_prefix():
    prefixes = [entries(path.read_text(encoding="utf-8"))[0][0].split("-")[0] for path in RULES]
    assert len(set(prefixes)) == len(prefixes)


def test_every_played_rule_has_a_test_and_no_other_has():
    rules = [rule for path in RULES for rule in entries(path.read_text(encoding="utf-8"))]
    assert faults_of_coverage(rules, all_marked()) == []


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_marks_name_one_rule_in_plain_text(path):
    assert marks_of(path.read_text(encoding="utf-8"))[1] == []


# The scans themselves

SAMPLE = """# Rules

- `(yes)` — a legend, no entry.

- **AB-C1** (yes) Played.
- **AB-C2** (partly) **[open]** Played in
  part. *Missing:* the rest.
- **AB-C3** (not yet) Written down.
- **AB-C4** Unmarked.

Prose with *Missing:* in it.
"""


def test_entries_are_found():
    found = entries(SAMPLE)
    assert [(rule, mark) for rule, mark, _ in found] == [
        ("AB-C1", "yes"),
        ("AB-C2", "partly"),
        ("AB-C3", "not yet"),
        ("AB-C4", None),
    ]
    assert [rule for rule, _, text in found if "*Missing:*" in text] == ["AB-C2"]


def test_marks_are_found():
    source = (
        "import pytest\n"
        'pytestmark = pytest.mark.rule("AB-C1")\n'
        '@pytest.mark.rule("AB-C2")\n'
        'def test_a(): "AB-C3"\n'
        'CASES = [pytest.param(1, marks=pytest.mark.rule("AB-C9"))]\n'
        "@pytest.mark.rule(NAME)\n"
        "def test_b(): ...\n"
        '@pytest.mark.rule("AB-C1", "AB-C2")\n'
        "def test_c(): ...\n"
    )
    ids, faults = marks_of(source)
    assert sorted(ids) == ["AB-C1", "AB-C2", "AB-C9"]
    assert faults == [6, 8]


def test_faults_are_named():
    rules = entries(SAMPLE)
    assert faults_of_coverage(rules, {"AB-C1": ["t"], "AB-C2": ["t"]}) == []
    assert faults_of_coverage(rules, {"AB-C1": ["t"]}) == ["AB-C2 (partly) has no test"]
    wrong = faults_of_coverage(rules, {"AB-C2": ["t"], "AB-C3": ["u"], "AB-X1": ["v"]})
    assert wrong == [
        "AB-C1 (yes) has no test",
        "AB-C3 (not yet) has tests, as if it were played: ['u']",
        "AB-X1 is in no RULES.md: ['v']",
    ]
