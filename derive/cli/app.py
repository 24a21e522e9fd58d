"""The group of commands, each loaded when it is run, and what becomes of their errors.

A command is an object `command` in the module of its name; `table` holds its one
line of help, so that listing the commands loads none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from derive.cli.encoding import make_safe
from derive.cli.table import COMMANDS, help_text
from derive.errors import DeriveError
from units.errors import UnitError

SIGINT, SIGPIPE = 130, 141


class Commands(click.Group):
    """Names and help from the table; the module of a command is imported when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"derive.cli.{cmd_name}").command
        return found

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(help_text())

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [
            CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from derive.suggest import nearest

            near = nearest(args[0], COMMANDS)
            raise click.UsageError(
                f"unknown command {args[0][:80]!r}{near}: one of {', '.join(COMMANDS)}", ctx
            )
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"derive {version('derive-arithmetic')}")
        except PackageNotFoundError:
            click.echo("derive (run from a checkout, not installed)")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.pass_context
def derive(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit status; an error becomes one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        make_safe(stream)
    try:
        status = derive.main(list(arguments), prog_name="derive", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader has gone; keep the interpreter from failing once more when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SIGPIPE
    except click.Abort:
        return SIGINT
    except (click.ClickException, DeriveError, UnitError, OSError) as error:
        click.echo(f"derive: {_told(error)}", err=True)
        return 2
    return status if isinstance(status, int) else 0


def _told(error: Exception) -> str:
    """An error in one line of printable characters."""
    if isinstance(error, click.UsageError):
        text = error.format_message().rstrip(".")
        text = text[:1].lower() + text[1:]
        if error.ctx is not None:
            text += f" (see {error.ctx.command_path} --help)"
    elif isinstance(error, click.ClickException):
        text = error.format_message()
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else f"cannot write: {error.strerror}"
    else:
        text = str(error)
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
