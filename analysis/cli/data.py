"""Commands about titles and their data: titles, init, check-data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.options import lang
from sim.core.toml_source import found_text
from sim.errors import InputError

if TYPE_CHECKING:
    from analysis.checking import Checked

__all__ = ["check_data", "init", "titles"]


@click.command(
    epilog="""\b
Examples:
  tenbin titles
  tenbin titles --lang ja
"""
)
@lang
def titles(lang: str) -> None:
    """List the titles, their policies and status."""
    from analysis import formats
    from analysis.console import emit
    from sim.core.policy import available
    from sim.run.api import find_title
    from sim.titles import TITLES

    rows = []
    for name in TITLES:
        title = find_title(name)
        policies = ", ".join(available(title.data / "policies"))
        label = getattr(title.info.label, lang)
        players = ", ".join(map(str, title.info.players))
        rows.append([name, label, players, policies, getattr(title.info.status, lang)])
    emit(formats.table(["title", "name", "players", "policies", "status"], rows))


@click.command(
    epilog="""\b
Examples:
  tenbin init granmagia my
  tenbin init granmagia my && $EDITOR my/rules.toml
"""
)
@click.argument("title")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def init(title: str, folder: Path) -> None:
    """Make a folder DIR in which to change TITLE.

    It gets every value of the rules as a line to uncomment, with its source and its plausible
    range; a policy to change; and the commands to go on with. Nothing is overwritten.
    """
    from analysis.console import emit
    from analysis.starter import write_starter
    from sim.run.api import find_title

    if folder == Path():  # also what an empty argument is
        raise InputError("name a new folder, such as 'my'")
    *files, readme = write_starter(find_title(title), folder)
    told = "\n".join(f"  {file}" for file in (*files, readme))
    commands = [line for line in readme.read_text("utf-8").splitlines() if "  tenbin " in line]
    emit(f"made\n{told}\n\nNext: uncomment a line, then\n" + "\n".join(commands))


@click.command(
    "check-data",
    epilog="""\b
Examples:
  tenbin check-data
  tenbin check-data granmagia --rules my/rules.toml --policy my/policy.toml
  tenbin check-data granmagia --set witches.celestina.cost=7 --format json
""",
)
@click.argument("title", required=False)
@click.option(
    "--rules", type=click.Path(), multiple=True, help="Overlay over the rules; repeatable."
)
@click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Change one value; repeatable."
)
@click.option(
    "--policy",
    "policies",
    type=click.Path(),
    multiple=True,
    help="Policy file to check beside those of the title; repeatable.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def check_data(
    title: str | None,
    rules: tuple[str, ...],
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    form: str,
) -> None:
    """Check all data of TITLE, and what is laid over it.

    All titles, when none is named. Tells how many values come from which source, what overlays
    change, and every fault at once, with its place, what is allowed, and the nearest right name.
    The exit code is 2 when there is one.
    """
    import json

    from analysis.checking import check_title
    from analysis.console import emit, waiting
    from sim.run.api import find_title
    from sim.titles import TITLES

    if title is None and (rules or overrides or policies):
        raise InputError("--rules, --set and --policy belong to a title: name it")
    given: dict[str, Any] = {"rules": rules, "overrides": overrides, "policies": policies}
    with waiting("checking"):
        names = [title] if title else TITLES
        found = [check_title(find_title(name), **given) for name in names]
    if form == "json":
        emit(json.dumps([one.to_json() for one in found], ensure_ascii=False, indent=1))
    elif sound := [one for one in found if one.sources]:
        emit("\n\n".join(map(_told, sound)))
    if faults := [str(fault) for one in found for fault in one.faults]:
        unread = any(one.policies is None for one in found)
        told = ["policies are looked at when the rules have no fault"] if unread else []
        raise InputError("\n".join([*faults, *told]))


def _told(found: Checked) -> str:
    """Return what was found in a title's data as text."""
    from analysis import formats

    counts = ", ".join(f"{formats.count(n)} {source}" for source, n in found.sources.items())
    share = formats.percent(found.stand_ins / found.values, digits=0)
    parts = [
        f"{found.title}: {formats.count(found.values)} values: {counts}",
        f"stand-ins (assumed): {formats.count(found.stand_ins)}, {share} %",
        f"policies: {', '.join(found.policies or ()) or '–'}",
    ]
    if found.changes:
        rows = [
            [
                change.key,
                "–" if change.old is None else found_text(change.old),
                found_text(change.new),
                change.file if change.line is None else f"{change.file}:{change.line}",
            ]
            for change in found.changes
        ]
        parts += ["", formats.table(["changed value", "printed", "now", "where"], rows).rstrip()]
        remarks = [change.remark for change in found.changes if change.remark]
        parts += ["", *remarks] if remarks else []
    return "\n".join(parts)
