"""What a designer starts from: every number of a title as a line to uncomment, and a policy.

Nothing here knows a title by name. The overlays follow the title's data files line by line, with
their comments; a value that is uncommented and left as it is changes nothing.
"""

from __future__ import annotations

import json
import re
import shlex
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import CannotFinishError, InputError

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset, Source
    from sim.core.title import Title

__all__ = ["starter", "write_starter"]

#: A data file with more values than this gets an overlay of its own; the others share one.
MANY = 200

#: Names of the shared overlay, the policy and the page that explains them.
RULES, POLICY, README = "rules.toml", "policy.toml", "README.txt"

_WIDTH = 100
_LABEL = re.compile(r"^label *=.*$", re.MULTILINE)
_OWN_LABEL = 'label = { en = "Mine", ja = "自作" }'


def write_starter(title: Title, folder: Path) -> list[Path]:
    """Write what :func:`starter` makes into a folder.

    Parameters
    ----------
    title : Title
    folder : Path
        It is made when it is not there.

    Returns
    -------
    list of Path
        The files, the one to read first at the end.

    Raises
    ------
    InputError
        When one of the files is there already; nothing is written then.
    CannotFinishError
        When the folder cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; give the name of a folder")
    texts = starter(title, folder)
    there = [str(folder / name) for name in texts if (folder / name).exists()]
    if there:
        raise InputError(
            f"{', '.join(there)}: there already, and nothing is overwritten; "
            "move it away, or choose another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        why = error.strerror or str(error)
        raise CannotFinishError(f"cannot write to {folder}: {why}") from error
    return [folder / name for name in texts]


def starter(title: Title, folder: Path) -> dict[str, str]:
    """Return the files of a designer's folder.

    Parameters
    ----------
    title : Title
    folder : Path
        Where the files will be, for the commands that they show.

    Returns
    -------
    dict of str to str
        Texts by name: the overlays, a policy, and what to do with them.

    Examples
    --------
    >>> from sim.run.api import find_title
    >>> files = starter(find_title("granmagia"), Path("my"))
    >>> list(files)
    ['cards.toml', 'rules.toml', 'policy.toml', 'README.txt']
    >>> print(next(line for line in files["rules.toml"].splitlines() if "celestina.cost" in line))
    #witches.celestina.cost = 6  # assumed, GM-C5; 3 to 9
    """
    ruleset = title.load()
    overlays = _overlays(title, ruleset)
    readme = _readme(title, ruleset, folder, list(overlays))
    return {**overlays, POLICY: _policy(title, ruleset), README: readme}


# --- overlays ------------------------------------------------------------------------------------


def _overlays(title: Title, ruleset: Ruleset) -> dict[str, str]:
    values = {key: ruleset.source(key) for key in ruleset.keys()}  # noqa: SIM118 - no mapping
    counts = Counter(Path(source.file).name for source in values.values())
    bodies: dict[str, list[str]] = {}
    for file, count in sorted(counts.items()):
        of_file = {key: one for key, one in values.items() if Path(one.file).name == file}
        body = ["", f"# {'=' * 20} {file} {'=' * 20}", *_body(title.data / file, of_file, ruleset)]
        bodies.setdefault(file if count > MANY else RULES, []).extend(body)
    name = f"{title.info.label.en} / {title.info.label.ja}"
    head = [
        f"# {name}: the values as they are. To change one, take away the '#' before its key.",
        "# A line:  #key = value  # its source, where to look it up; its plausible range",
    ]
    return {file: "\n".join([*head, *body]) + "\n" for file, body in sorted(bodies.items())}


def _body(file: Path, values: Mapping[str, Source], ruleset: Ruleset) -> Iterator[str]:
    """Yield the lines of an overlay: values in the order of the file, with its comments."""
    comments = [
        (number, line.strip().lstrip("#").strip())
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if line.lstrip().startswith("#")
    ]
    last: str | None = None
    for key, source in sorted(values.items(), key=lambda one: _place(one[1])):
        above = []
        while comments and comments[0][0] < _place(source)[0]:
            above.append(f"# {comments.pop(0)[1]}".rstrip())
        heading = _heading(key, ruleset)
        if last is None:  # what the file says about itself comes before its first table
            yield from above
            above = []
        if heading != last:
            yield from ("", f"# --- {heading}")
            last = heading
        yield from above
        yield f"#{key} = {_toml(source.value)}  # {_said(source)}"


def _place(source: Source) -> tuple[int, int]:
    return source.line or 0, source.column or 0


def _heading(key: str, ruleset: Ruleset) -> str:
    """Return the table around a value that has a name, or else the outermost one."""
    path: list[str] = []
    node: Any = tomllib.loads(f"{key} = 0")
    while isinstance(node, dict):
        name, node = next(iter(node.items()))
        path.append(name)
    found, around = path[0], ruleset.values
    for depth, part in enumerate(path[:-1], start=1):
        around = around[part]
        label = around.get("label")
        if isinstance(label, Mapping):
            found = f"{'.'.join(path[:depth])}: {' / '.join(map(str, label.values()))}"
    return found


def _said(source: Source) -> str:
    text = source.source if source.ref is None else f"{source.source}, {source.ref}"
    if source.range is None:
        return text
    words = isinstance(source.range[0], str)
    return f"{text}; {(' | ' if words else ' to ').join(map(str, source.range))}"


def _toml(value: Any) -> str:
    """Return a value of the rules as TOML on one line."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {pairs} }}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


# --- policy --------------------------------------------------------------------------------------


def _policy(title: Title, ruleset: Ruleset) -> str:
    """Return the title's shortest policy as an own one."""
    from sim.core.policy import available, base_files
    from sim.core.toml_source import shown
    from sim.run.plan import LEFT_OUT

    folder = title.data / "policies"
    names = [name for name in available(folder) if name != LEFT_OUT] or list(available(folder))
    files = [folder / f"{name}.toml" for name in names]
    shortest = min(files, key=lambda file: (file.stat().st_size, file.name))
    text = _LABEL.sub(_OWN_LABEL, shortest.read_text(encoding="utf-8"), count=1)
    head = f"# A policy to start from: {shortest.stem}, under a name of its own."
    if bases := ", ".join(base.name for base in base_files(shortest)):
        head += f"\n# What it takes from is in {shown(folder)}: {bases}"
        head += "\n# (a file of that name beside this one takes its place)."
    return f"{head}\n\n{text.rstrip()}\n\n" + "\n".join(_words(title, ruleset)) + "\n"


def _words(title: Title, ruleset: Ruleset) -> Iterator[str]:
    """Yield as comments what rules of policies can name."""
    words = title.vocabulary(ruleset)
    yield "# What rules can name"
    yield from _listed("decision points", (f"{one.id} ({one.about})" for one in words.decisions))
    yield from _listed("groups", ("any", *words.groups))
    yield from _listed("options", words.options)
    yield from _listed("numbers for `per`", words.attributes)
    yield "#"
    yield "# observables"
    for seen in words.observables:
        name = seen.id if seen.argument is None else f"{seen.id}.{seen.argument.upper()}"
        yield f"#   {name}: {seen.about}"
    for argument, known in words.arguments.items():
        if any(seen.argument == argument for seen in words.observables):
            yield from _listed(argument.upper(), known)


def _listed(what: str, names: Iterable[str]) -> Iterator[str]:
    if text := ", ".join(names):
        yield "#"
        yield f"# {what}"
        yield from textwrap.wrap(
            text, _WIDTH, initial_indent="#   ", subsequent_indent="#   ", break_on_hyphens=False
        )


# --- what to do with them ------------------------------------------------------------------------


def _readme(title: Title, ruleset: Ruleset, folder: Path, overlays: Sequence[str]) -> str:
    width = 2 + max(map(len, [*overlays, POLICY]))
    values = "values as they are, each with its source: uncomment one and change it"
    lines = [
        f"{title.info.label.en} / {title.info.label.ja}: a folder to design in",
        "",
        *(f"{name:{width}}{values}" for name in overlays),
        f"{POLICY:{width}}a policy to change; what its rules can name stands at its end",
        "",
        "Check what you changed, see what it does, and let your policy play:",
        "",
        *(f"  {command}" for command in _commands(title, ruleset, folder, overlays)),
    ]
    return "\n".join(lines) + "\n"


def _commands(
    title: Title, ruleset: Ruleset, folder: Path, overlays: Sequence[str]
) -> tuple[str, ...]:
    """Return the commands to go on with."""
    from sim.core.policy import available
    from sim.run.plan import default_pool

    name, players = title.info.id, min(title.info.players)
    rules = "".join(f" --rules {_word(folder / overlay)}" for overlay in overlays)
    policy = _word(folder / POLICY)
    loadouts = [one.id for one in title.loadouts(ruleset)] if title.loadouts else []
    own = f"{policy}:{loadouts[0]}" if loadouts else policy
    others = default_pool(available(title.data / "policies"), loadouts)
    lineup = ",".join([own, *(others[seat % len(others)] for seat in range(players - 1))])
    rotate = " --rotate" if title.info.seats != "none" else ""
    return (
        f"tenbin check-data {name}{rules} --policy {policy}",
        f"tenbin report {name}{rules} --games 60k",
        f"tenbin simulate {name}{rules} --games 60k --lineup {lineup}{rotate}",
    )


def _word(path: Path) -> str:
    """Return a path as the shell reads it back."""
    return shlex.quote(str(path))
