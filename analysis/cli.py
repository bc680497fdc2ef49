"""The command line: ``tenbin …``. Thin, and nothing heavy is imported before it is needed.

Exit codes: 0 fine, 1 a gate failed, 2 bad input or usage, 3 undecided, 4 could not finish
(resumable), 70 internal error, 130 interrupted (resumable). Results go to stdout, one clear message
about what went wrong to stderr; ``--debug`` adds the traceback.
"""

from __future__ import annotations

import errno
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from sim.errors import InputError, TenbinError

if TYPE_CHECKING:
    from sim.run.api import TracedGame

__all__ = ["main"]

OK, INPUT, UNFINISHED, INTERNAL, INTERRUPTED = 0, 2, 4, 70, 130

#: Whatever is written to has no room.
_FULL = (errno.ENOSPC, errno.EDQUOT)

#: Options that decide what is played, beside title, games and line-ups.
_RULES = ("seed", "rules", "overrides")

F = TypeVar("F", bound=Callable[..., Any])


class _Names(click.ParamType[Any]):
    """Names separated by commas."""

    name = "a,b,c"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        names = tuple(part.strip() for part in str(value).split(","))
        if not all(names):
            self.fail(f"{value!r} has an empty entry", param, ctx)
        return names


class _Counts(_Names):
    """Whole numbers separated by commas."""

    name = "n,m"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return tuple(int(part) for part in super().convert(value, param, ctx))
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers", param, ctx)


class _Games(click.ParamType[int]):
    """A number of games: 20000, 20_000, 20k or 1M."""

    name = "n"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if isinstance(value, int):
            return value
        text = str(value).replace("_", "").replace(",", "")
        if len(text) > 20:
            self.fail("fewer than 10^18 games can be played", param, ctx)
        factor = {"k": 1000, "M": 10**6}.get(text[-1:], 1)
        digits = text[:-1] if factor > 1 else text
        if digits.isascii() and digits.isdigit() and int(digits) < 1:
            self.fail(f"{value!r}: at least 1 game is needed", param, ctx)
        if not (digits.isascii() and digits.isdigit()):
            self.fail(f"{value!r} is not a number of games such as 20000, 20k or 1M", param, ctx)
        return int(digits) * factor


class _Within(click.FloatRange):
    """A finite number in a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return found


def _options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


_lineups = _options(
    click.option("--players", type=_Counts(), help="Player counts; all of the title by default."),
    click.option(
        "--lineup",
        type=_Names(),
        help="Who sits where: a,b,c. Name or path of a policy file; @0.05 lets it slip in 5 %.",
    ),
    click.option("--rotate", is_flag=True, help="Play the line-up in all rotations."),
    click.option(
        "--pool", type=_Names(), help="Draw line-ups from these policies, named as for --lineup."
    ),
)
_rules = _options(
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=1,
        show_default=True,
        help="Seed of all chance.",
    ),
    click.option(
        "--rules", type=click.Path(), multiple=True, help="Overlay over the rules; repeatable."
    ),
    click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change one value; repeatable.",
    ),
)
_work = _options(
    click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", help="Workers; all CPUs by default."
    ),
    click.option(
        "--backend",
        type=click.Choice(["threads", "processes", "dask", "ray"]),
        default="threads",
        show_default=True,
        help="What runs the workers; results are the same.",
    ),
)
_lang = click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True)


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"tenbin {version('tenbin')}")
        except PackageNotFoundError:  # run from a source tree
            click.echo("tenbin, not installed")
        ctx.exit()


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with:  tenbin titles  ·  tenbin report granmagia --games 20k",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Weigh tabletop games: who wins how often, and how sure that is."""


@cli.command()
@_lang
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


@cli.command(
    epilog="""\b
Examples:
  tenbin simulate granmagia --games 100k --players 3 --out runs/three
  tenbin simulate granmagia --games 20k --lineup big_stones,random --rotate
  tenbin simulate granmagia --games 20k --set witches.celestina.cost=7
"""
)
@click.argument("title")
@click.option("--games", type=_Games(), required=True, help="Exact number of games: 20000, 20k.")
@_lineups
@_rules
@_work
@click.option(
    "--keep",
    type=click.Choice(["rows", "sums", "both"]),
    help="What is stored: every game and seat, exact sums, or both; rows by default with --out.",
)
@click.option(
    "--collect",
    type=_Names(),
    default="core",
    show_default=True,
    help="What is recorded: core always; cards (use of each), series (values by round).",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run; resumes there.")
def simulate(title: str, out: Path | None, keep: str | None, **asked: Any) -> None:
    """Play games of TITLE and print who won how often.

    Without --out nothing is kept. The same command again goes on where it stopped; with more games
    it extends the run.
    """
    import sim
    from analysis.console import emit, progress, summary, tell, waiting
    from sim.run.plan import game_id

    with progress(title) as bar:
        run = sim.simulate(
            title, out=out, keep=keep or ("rows" if out else "sums"), progress=bar, **_given(asked)
        )
    for notice in run.notices:
        tell(f"tenbin: {notice}")
    with waiting("adding up"):
        text = summary(run)
    emit(text)
    if out is not None:
        first = next(cell for block in run.plan.blocks if block.deals for cell in block.cells)
        game = game_id(first.number, 0)
        emit(
            f"\nNext:\n  tenbin report {out}\n  tenbin table {out} --by players,policy,seat\n"
            f"  tenbin trace {out} --game {game}"
        )


@cli.command(
    epilog="""\b
Examples:
  tenbin table runs/three --by players,seat
  tenbin table runs/three --by players,policy --design rotation --margin 5 --format csv
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--by", type=_Names(), default="players,seat", show_default=True, help="Keys.")
@click.option("--format", "form", type=click.Choice(["md", "csv", "json"]), default="md")
@click.option("--level", type=_Within(0.5, 0.9999999), default=0.95, show_default=True)
@click.option(
    "--margin",
    type=_Within(min=0),
    help="Margin around parity, in pp; by default that of the page.",
)
@click.option(
    "--design",
    type=_Names(),
    help="Only these: fixed, mirror, rotation, pool; by default those of the page.",
)
@click.option(
    "--family",
    type=click.Choice(["players", "table"]),
    default="table",
    show_default=True,
    help="Intervals hold together within a player count, or within the table.",
)
@click.option("--single", is_flag=True, help="Intervals one by one instead of simultaneous.")
@click.option("--pooled", is_flag=True, help="Throw player counts together.")
def table(
    run: Path,
    by: tuple[str, ...],
    form: str,
    level: float,
    margin: float | None,
    design: tuple[str, ...] | None,
    family: Literal["players", "table"],
    single: bool,
    pooled: bool,
) -> None:
    """Print win rates of RUN by any keys.

    Each rate comes with its interval and its number of games. Which games are used, and by which
    margin they are judged, stands above the table; both are those of the page unless asked for.
    """
    import sim
    from analysis.console import basis, emit, rates_markdown, waiting
    from analysis.frames import win_rates
    from analysis.sections import default_margin, designs_for, present

    with waiting(f"reading {run}"):
        opened = sim.open_run(run)
        there = present(opened.plan)
        used = tuple(n for n in there if n in design) if design else designs_for(by, there)
        if margin is None:
            width = default_margin(opened.info, opened.plan, by, used)
        else:
            width = margin / 100
        found = win_rates(
            opened,
            by,
            level=level,
            simultaneous=not single,
            family=family,
            margin=width,
            design=design,
            pooled=pooled,
        )
    if form == "md":
        emit(f"({basis(used, width)})\n\n{rates_markdown(found, by, level)}")
    elif form == "csv":
        emit(found.write_csv())
    else:
        import json

        emit(json.dumps(found.to_dicts(), ensure_ascii=False, indent=1))


@cli.command(
    epilog="""\b
Examples:
  tenbin report granmagia
  tenbin report granmagia --games 20k --set witches.celestina.cost=7
  tenbin report runs/three --lang ja
"""
)
@click.argument("what", metavar="TITLE|RUN")
@click.option("--games", type=_Games(), help="Number of games; 1M by default.")
@click.option("--players", type=_Counts(), help="Player counts; all of the title by default.")
@_rules
@_work
@click.option("--out", type=click.Path(path_type=Path), help="Folder; reports/out/… by default.")
@_lang
@click.pass_context
def report(
    ctx: click.Context, /, what: str, games: int | None, out: Path | None, lang: str, **asked: Any
) -> None:
    """Write a report of TITLE or of RUN.

    A title is played now. Page, Markdown, JSON and figures go to OUT and replace those of the last
    report there. The runs behind them are kept in OUT/runs, one folder for each set of rules and
    seed: the same command goes on where it stopped, more games extend a run, and fewer games than
    a run has are played into a folder of their own.
    """
    import sim
    from analysis.console import emit, progress, tell, waiting
    from analysis.report import write_report
    from analysis.report.shelf import KEEP, run_folder

    if _is_run(what):
        _refuse_asked(ctx, ("out", "lang", "what"))
        run = sim.open_run(what)
        folder = out or Path("reports/out") / Path(what).resolve().name
    else:
        folder = out or Path("reports/out") / what
        games = games or 10**6
        given = _given(asked)
        rules = {key: given[key] for key in ("players", *_RULES) if key in given}
        kept = run_folder(folder, what, games, **rules)
        with progress(what) as bar:
            run = sim.simulate(what, games=games, keep=KEEP, out=kept, progress=bar, **given)
        for notice in run.notices:
            tell(f"tenbin: {notice}")
    with waiting("writing the report"):
        page = write_report(run, folder, language=lang)
    emit(_answers(folder / "report.json", lang) + f"\nrun: {run.path}\n{page}")


@cli.command(
    epilog="""\b
Examples:
  tenbin trace runs/three --game 0
  tenbin trace granmagia --lineup big_stones,random --seed 7 --game 3 --format jsonl
"""
)
@click.argument("what", metavar="TITLE|RUN")
@click.option(
    "--game", type=click.IntRange(min=0), required=True, help="Number of the game: column 'game'."
)
@click.option(
    "--games", type=_Games(), help="Number of games of the run; any game is told without it."
)
@_lineups
@_rules
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text")
@_lang
@click.pass_context
def trace(ctx: click.Context, /, what: str, game: int, form: str, lang: str, **asked: Any) -> None:
    """Tell one game move by move.

    A game of RUN, or of what simulate plays of TITLE for the same arguments.
    """
    import json

    import sim
    from analysis.console import emit
    from sim.run.api import find_title

    if _is_run(what):
        _refuse_asked(ctx, ("what", "game", "form", "lang"))
        told = sim.trace(sim.open_run(what), game=game)
    else:
        told = sim.trace(what, game=game, **_given(asked))
    if form == "jsonl":
        lines = [json.dumps(event, ensure_ascii=False) for event in told.events]
    else:
        title = find_title(told.title)
        lines = [_heading(told, lang), *(title.tell(event, lang) for event in told.events)]
    emit("\n".join(line for line in lines if line))


@cli.command()
@click.argument("title", required=False)
@click.option("--players", type=_Counts(), help="Player counts; all of the title by default.")
@click.option(
    "--games",
    type=_Games(),
    help="Games in each repeat; by default as many as take a few seconds.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Measurements, of which the median counts.",
)
@click.option("--history", type=click.Path(path_type=Path), help="CSV file to append to.")
def bench(title: str | None, **asked: Any) -> None:
    """Measure how fast titles are played on one core.

    All titles, when none is named. "relative cost" is the time of 1000 games over that of a fixed
    loop of random draws, and can be compared between machines; "spread" is the longest repeat over
    the shortest. With the defaults each player count takes 15 to 20 seconds.
    """
    import sim
    from analysis import formats
    from analysis.console import emit, progress
    from sim.run.api import find_title
    from sim.titles import TITLES

    counts = asked.pop("players", None)
    names = [title] if title else TITLES
    work = [(name, n) for name in names for n in counts or find_title(name).info.players]
    header = ["title", "players", "games/s", "turns/s", "ns/turn", "turns/game"]
    header += ["relative cost", "spread"]
    rows = []
    with progress("bench", "player counts", alive=False) as bar:
        for done, (name, players) in enumerate(work):
            if bar:
                bar(done, len(work))
            (got,) = sim.bench(name, players=players, **_given(asked))
            speeds = (got.games_per_s, got.turns_per_s, got.ns_per_turn)
            row = [got.title, str(got.players), *(formats.number(v, digits=0) for v in speeds)]
            row += [f"{got.mean_turns:.1f}", f"{got.calibrations_per_1000_games:.3g}"]
            rows.append([*row, f"{got.spread:.2f}"])
    emit(formats.table(header, rows, right=set(range(1, len(header)))))


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the options that say something."""
    return {key: value for key, value in asked.items() if value is not None and value != ()}


def _is_run(what: str) -> bool:
    """Return whether an argument means a folder rather than a title."""
    from sim.titles import TITLES

    return what not in TITLES and ("/" in what or Path(what).exists())


def _refuse_asked(ctx: click.Context, allowed: Sequence[str]) -> None:
    """Refuse options that a run has decided already, instead of ignoring them."""
    given = [
        f"--{'set' if name == 'overrides' else name}"
        for name in ctx.params
        if name not in allowed
        and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise InputError(f"{', '.join(given)}: a run has its own; leave it out, or name a title")


def _heading(told: TracedGame, lang: str) -> str:
    """Return the line above a told game: what is needed to play it again."""
    seed, lineup = told.events[0].get("seed"), ", ".join(told.lineup)
    if lang == "ja":
        return f"{told.title} ・ シード {seed} ・ 試合 {told.game} ・ {lineup}\n"
    return f"{told.title}, seed {seed}, game {told.game}: {lineup}\n"


def _answers(path: Path, lang: str) -> str:
    """Return the verdicts of a report as lines of text."""
    import json

    from analysis.report.pages import answers
    from analysis.report.words import Words

    content = json.loads(path.read_text(encoding="utf-8"))
    w = Words(lang)
    lines = []
    for a in answers(content, w):
        verdict = f"{a['word']}{w('stop')}" if a["word"] else ""
        told = " ".join(part for part in (verdict, a["sentence"], a["detail"]) if part)
        lines.append(f"{a['topic']}{w('colon')}{told}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        The exit code.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    if sys.stdout is None:
        return _fail("stdout is closed: the results have nowhere to go", UNFINISHED, debug)
    try:
        code = cli.main(arguments, prog_name="tenbin", standalone_mode=False)
        return code if isinstance(code, int) else OK
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return INPUT
    except click.ClickException as error:
        return _fail(_usage(error), INPUT, debug)
    except TenbinError as error:
        return _fail(str(error), error.exit_code, debug)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted; give the same command again to go on", INTERRUPTED, debug)
    except Exception as error:
        from analysis.console import PipeClosedError

        if isinstance(error, PipeClosedError):
            return OK
        if isinstance(error, OSError) and error.errno in _FULL:
            from analysis.console import forget

            forget(sys.stdout)
            return _fail(f"cannot write: {error}", UNFINISHED, debug)
        kind = type(error).__name__
        return _fail(f"internal error ({kind}: {error}); --debug shows where", INTERNAL, debug)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    hint = f" (see '{context.command_path} --help')" if context is not None else ""
    return " ".join(error.format_message().split()) + hint


def _fail(message: str, code: int, debug: bool) -> int:
    from analysis.console import tell

    if debug:
        import traceback

        tell(traceback.format_exc().rstrip())
    tell(f"tenbin: {message}")
    return code


if __name__ == "__main__":
    sys.exit(main())
