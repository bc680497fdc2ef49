"""The conventions of the source tree that a machine can hold: layers, kernels, registry, sizes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = sorted([*(ROOT / "sim").rglob("*.py"), *(ROOT / "analysis").rglob("*.py")])
CYTHON = sorted([*(ROOT / "sim").rglob("*.pyx"), *(ROOT / "sim").rglob("*.pxd")])
TESTS = sorted((ROOT / "tests").rglob("*.py"))

#: Lowest layer first. A module may import its own layer and those before it.
LAYERS = ["sim.errors", "sim.core", "sim.titles", "sim.run", "sim", "analysis"]

MAX_LINES = 800

CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\s+(.*)|c?import\s+([\w.]+))", re.M)


def name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def layer(module: str) -> int:
    """Return the number of the layer of a module of ours; -1 for other people's modules."""
    if module == "sim":
        return LAYERS.index("sim")
    found = [i for i, top in enumerate(LAYERS) if (module + ".").startswith(top + ".")]
    return min(found, default=-1)


def title_of(module: str) -> set[str]:
    """Return the title to whose folder a module belongs, as a set of at most one."""
    parts = module.split(".")
    return {parts[2]} if parts[:2] == ["sim", "titles"] and len(parts) > 2 else set()


def imports_of_python(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{shown(path)}: relative import"
            module = node.module or ""
            # `from sim import core` may mean a name or a module.
            for alias in node.names:
                full = f"{module}.{alias.name}"
                is_module = (ROOT / Path(*full.split("."))).exists() or any(
                    (ROOT / Path(*full.split("."))).with_suffix(end).exists()
                    for end in (".py", ".pyx", ".pxd")
                )
                yield full if is_module else module


def imports_of_cython(path: Path) -> Iterator[str]:
    for match in CYTHON_IMPORT.finditer(path.read_text(encoding="utf-8")):
        yield match[1] or match[3]


def imports(path: Path) -> set[str]:
    return set((imports_of_python if path.suffix == ".py" else imports_of_cython)(path))


@pytest.mark.parametrize("path", [*PYTHON, *CYTHON], ids=shown)
def test_imports_go_one_way(path):
    own = layer(name(path))
    assert own >= 0
    upward = [module for module in imports(path) if layer(module) > own]
    assert not upward, f"{shown(path)} is {LAYERS[own]} and imports {upward}"


@pytest.mark.parametrize(
    "path", [path for path in [*PYTHON, *CYTHON] if len(title_of(name(path))) == 1], ids=shown
)
def test_titles_do_not_import_each_other(path):
    own = title_of(name(path))
    assert set().union(*(title_of(module) for module in imports(path))) <= own


def test_analysis_imports_no_kernel():
    kernels = {name(path) for path in CYTHON if path.suffix == ".pyx"}
    allowed = {"sim.core._calibration", "sim.core._rng"}  # the unit of `bench`; the stream version
    for path in PYTHON:
        if name(path).startswith("analysis"):
            assert not (imports(path) & kernels) - allowed, shown(path)


def polars_imports(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """Yield each import of polars with the nodes around it, outermost first."""

    def visit(node: ast.AST, around: list[ast.AST]) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        else:
            modules = []
        if any(module.split(".")[0] == "polars" for module in modules):
            yield node, around
        for child in ast.iter_child_nodes(node):
            yield from visit(child, [*around, node])

    return visit(tree, [])


def is_for_types_only(around: list[ast.AST]) -> bool:
    return any(
        isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) for node in around
    )


def test_sim_imports_polars_only_where_frames_are_made():
    """In functions of the store and of the frames behind a run's properties, nowhere else."""
    homes = ("sim.run.store", "sim.run.frames", "sim.run.result")
    for path in PYTHON:
        if not name(path).startswith("sim"):
            continue
        for node, around in polars_imports(ast.parse(path.read_text(encoding="utf-8"))):
            if is_for_types_only(around):
                continue
            where = f"{shown(path)}:{node.lineno}"
            in_function = any(isinstance(node, ast.FunctionDef) for node in around)
            assert in_function, f"{where}: polars is imported with the module"
            assert name(path) in homes, where


def test_importing_sim_loads_nothing_heavy():
    heavy = ["polars", "pandas", "scipy", "matplotlib", "statsmodels", "analysis"]
    code = f"import sim, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_every_compiled_module_has_a_stub():
    compiled = {path.with_suffix("") for path in CYTHON if path.suffix == ".pyx"}
    assert compiled == {path.with_suffix("") for path in (ROOT / "sim").rglob("*.pyi")}


def test_compiled_modules_begin_with_an_underscore():
    assert [shown(path) for path in CYTHON if not path.name.startswith("_")] == []


@pytest.mark.parametrize("path", CYTHON, ids=shown)
def test_kernels_do_nothing_but_compute(path):
    """They open, print and import nothing that could, keep no global and never take the GIL."""
    text = path.read_text(encoding="utf-8")
    code = "\n".join(
        line for line in text.splitlines() if not line.lstrip().startswith(("#", ">>>"))
    )
    code = re.sub(r'"""(?!\n\s*#).*?"""', "", code, flags=re.S)
    found = re.findall(
        r"\bprintf?\s*\(|\bopen\s*\(|\bwith gil\b|^\s*global\b"
        r"|^\s*(?:from|import|cimport) (?:os|sys|io|pathlib|logging|random|time|libc\.stdio)\b.*",
        code,
        re.M,
    )
    assert not found, f"{shown(path)}: {found}"


def test_keys_are_made_in_one_module():
    """Others may read an addressed stream, also by numpy's Philox, but none may seed one."""
    pattern = re.compile(
        r"\b(?:SeedSequence|default_rng|RandomState|random\.seed)\b|^\s*(?:import|from) random\b",
        re.M,
    )
    for path in [*PYTHON, *CYTHON]:
        if name(path).startswith("sim") and path.stem != "_rng":
            assert not pattern.search(path.read_text(encoding="utf-8")), shown(path)


def folders_of_titles() -> set[str]:
    """Return the titles with both engines; one without a kernel is in the making, and no title."""
    return {path.parent.name for path in (ROOT / "sim" / "titles").glob("*/_kernel.pyx")}


def test_registered_titles_are_the_folders():
    from sim.titles import TITLES

    assert len(set(TITLES)) == len(TITLES)
    assert set(TITLES) == folders_of_titles()


@pytest.mark.parametrize("title", sorted(folders_of_titles()))
def test_every_title_has_the_same_shape(title):
    folder = ROOT / "sim" / "titles" / title
    for part in ("README.md", "RULES.md", "data", "data/policies", "_kernel.pyx"):
        assert (folder / part).exists(), part
    assert list(folder.glob("reference*")), "the readable engine"
    assert list((ROOT / "tests" / "titles" / title).glob("test_*.py")), "tests"


def test_the_readme_lists_what_is_registered():
    from sim import titles

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("## Titles")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    listed = {row[0]: row[1:] for row in rows if len(row) == 4 and row[0] not in {"title", "---"}}
    assert tuple(listed) == titles.TITLES
    for title, (status, players, verified) in listed.items():
        counts = titles.load(title).info.players
        assert counts == tuple(range(counts[0], counts[-1] + 1))
        assert players == f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])
        assert status, title
        assert re.match(r"\d{4}-\d{2}-\d{2}: \S", verified), title


@pytest.mark.parametrize("name", ["README.md", "README.ja.md", "CONTRIBUTING.md"])
def test_what_is_linked_is_there(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    linked = {link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link}
    missing = [link for link in linked if not (ROOT / link).exists()]
    assert not missing


#: Names in a title's data that are also words of plain English or of the contract itself.
PLAIN_WORDS = {
    *(
        "any",
        "card",
        "cell",
        "common",
        "duration",
        "engine",
        "field",
        "job",
        "line",
        "lines",
        "none",
        "note",
        "notes",
        "pair",
        "power",
        "random",
        "stop",
    )
}


def words_of_titles() -> set[str]:
    """Return what only a title knows: its id, kinds, categories, options, groups, policies."""
    from sim import titles
    from sim.core.policy import available

    words: set[str] = set()
    for title_id in titles.TITLES:
        title = titles.load(title_id)
        rules, info = title.load(), title.info
        vocabulary = title.vocabulary(rules)
        sets = {column.categories for column in info.columns} - {"", "end_reason"}
        words |= {title_id, *sets, *vocabulary.options, *vocabulary.groups}
        words |= {kind.id for kind in title.kinds(rules)}
        words |= {value.id for name in sets for value in title.categories(rules, name)}
        words |= {*available(title.data / "policies")}
    return {word.lower() for word in words} - PLAIN_WORDS


def prefixes_of_rules() -> set[str]:
    """Return the prefixes of rule numbers: ``GM``."""
    return {
        prefix
        for path in (ROOT / "sim" / "titles").glob("*/RULES.md")
        for prefix in re.findall(r"\b([A-Z]{2})-[A-Z]+\d", path.read_text(encoding="utf-8"))
    }


def docstrings(tree: ast.Module) -> set[int]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }


def test_no_title_is_known_outside_its_folder():
    """Identifiers and words of strings; docstrings and examples of commands may name a title."""
    words, prefixes = words_of_titles(), prefixes_of_rules()
    assert words
    assert prefixes
    rule = re.compile(rf"\b(?:{'|'.join(sorted(prefixes))})-[A-Z]+\d")
    example = re.compile(r"(?<!\w)tenbin [a-z-]+ .*")
    for path in PYTHON:
        if name(path).startswith("sim.titles"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documented = docstrings(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) in documented:
                    continue
                text = example.sub("", node.value)
                known = words.intersection(re.findall(r"\w+", text.lower()))
                assert not known, f"{shown(path)}:{node.lineno}: {sorted(known)}"
                assert not rule.search(text), f"{shown(path)}:{node.lineno}: {text!r}"
            elif isinstance(node, ast.Name | ast.arg):
                found = node.id if isinstance(node, ast.Name) else node.arg
                assert found.lower() not in words, f"{shown(path)}:{node.lineno}: {found}"


@pytest.mark.parametrize("path", [*PYTHON, *CYTHON, *TESTS], ids=shown)
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_no_test_has_an_absolute_tolerance_of_its_own(path):
    """Statistical limits come from ``tests.budget``; 1e-6 and below is rounding, not statistics."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            if keyword.arg in ("atol", "abs", "abs_tol", "delta"):
                value = keyword.value
                small = isinstance(value, ast.Constant) and value.value <= 1e-6
                assert small or not isinstance(value, ast.Constant), (
                    f"{shown(path)}:{node.lineno}: {keyword.arg} = {ast.unparse(value)}"
                )


def test_packages_are_typed():
    assert (ROOT / "sim" / "py.typed").exists()
    assert (ROOT / "analysis" / "py.typed").exists()


def test_makefile_lists_each_of_its_targets():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY:(.*)$", text, re.M)
    assert phony
    described = set(re.findall(r"^(\w+):.*## ", text, re.M))
    assert set(phony[1].split()) == described
