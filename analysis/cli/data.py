"""Commands about titles and their data: titles."""

from __future__ import annotations

import click

from analysis.cli.options import lang

__all__ = ["titles"]


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
