"""The command line: ``tenbin …``. Thin, and nothing is imported before it is needed.

Each command lives in a module of this package by its subject, which is loaded when the command is
asked for. Exit codes: 0 fine, 1 a gate failed, 2 bad input or usage, 3 undecided, 4 could not
finish (resumable), 70 internal error, 130 interrupted (resumable). Results go to stdout, one clear
message about what went wrong to stderr; ``--debug`` adds the traceback.
"""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from sim.errors import TenbinError, UnknownNameError, short

__all__ = ["main"]

OK, INPUT, UNDECIDED, UNFINISHED, INTERNAL, INTERRUPTED = 0, 2, 3, 4, 70, 130

#: Whatever is written to has no room.
_FULL = (errno.ENOSPC, errno.EDQUOT)

#: Command, in the order of the help, and the module of this package that holds it.
COMMANDS = {
    "titles": "data",
    "init": "data",
    "check-data": "data",
    "decks": "decks",
    "simulate": "play",
    "merge": "play",
    "publish": "play",
    "compare": "whatif",
    "sweep": "whatif",
    "table": "tables",
    "report": "reports",
    "trace": "play",
    "rerun": "again",
    "bench": "play",
}


class _Commands(click.Group):
    """Loads a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command = getattr(
            import_module(f"analysis.cli.{COMMANDS[name]}"), name.replace("-", "_")
        )
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UnknownNameError("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"tenbin {version('tenbin')}")
        except PackageNotFoundError:  # run from a source tree
            click.echo("tenbin, not installed")
        ctx.exit()


@click.group(
    cls=_Commands,
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
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no ± shows a question mark instead of nothing at all.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
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
        if str(error).startswith("parquet: "):
            # Files that fit their hashes and are no tables all the same: somebody made them so.
            return _fail(f"a file of the run cannot be read: {short(str(error))}", INPUT, debug)
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
