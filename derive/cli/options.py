"""The options that several commands share, and how their texts are taken apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from derive.cli.completion import conventions, ids, machines, models
from derive.errors import DeriveError

Made = TypeVar("Made", bound=Callable[..., Any])

_BARE = ("--on", "--model")
"""The options whose values are bare names; every other that takes several takes name=value."""


class Command(click.Command):
    """A command whose `--on`, `--model`, `--set` and `--convention` take several values behind one name.

    `--set T=4096 d=128` is `--set T=4096 --set d=128`, and `--on a b` is `--on a --on b` once the
    command's own argument has been given; before it, the second word is that argument.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        taking = [option for option in self.params if isinstance(option, click.Option) and not option.is_flag]
        valued = {name for option in taking for name in option.opts}
        several = {name for option in taking if option.multiple for name in option.opts}
        one = sum(isinstance(param, click.Argument) and param.nargs == 1 for param in self.params)
        return super().parse_args(ctx, _spread(args, several, valued, one))


def _spread(args: Sequence[str], several: set[str], valued: set[str], positions: int) -> list[str]:
    """The arguments with the option's name repeated before each further value of it."""
    made: list[str] = []
    current = ""  # the option that takes several values and has its first
    seen, place = 0, 0
    while place < len(args):
        word = args[place]
        place += 1
        if word == "--":
            return [*made, *args[place - 1 :]]
        if word.startswith("-") and len(word) > 1:
            current = ""
            made.append(word)
            if word in valued and place < len(args):
                made.append(args[place])
                place += 1
                current = word if word in several else ""
        elif current and (positions and seen >= positions if current in _BARE else "=" in word):
            made += [current, word]
        else:
            seen += 1
            current = ""
            made.append(word)
    return made


def _completing(names: Callable[[], Sequence[str]]) -> Callable[..., list[CompletionItem]]:
    def complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]

    return complete


complete_id = _completing(ids)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
to_unit = click.option("--to", metavar="UNIT", help="Give the result in this unit.")
hardware = click.option(
    "--hardware", metavar="F.toml", help="Machines of your own, laid over the catalogue's."
)
one_id = click.argument("id", metavar="ID", shell_complete=complete_id)


def filling(several: bool) -> Callable[[Made], Made]:
    """--on, --model, --set, --convention and --hardware; `several` machines and models, or one."""

    def add(command: Made) -> Made:
        for option in (
            hardware,
            click.option(
                "--convention",
                "convention",
                metavar="C=CHOICE",
                multiple=True,
                shell_complete=_completing(conventions),
                help="A choice that changes a number, as precision=fp8.",
            ),
            click.option(
                "--set",
                "given",
                metavar="K=V",
                multiple=True,
                help="A letter's value with its unit, as T=4096, W='2 TB/s'.",
            ),
            click.option(
                "--model",
                metavar="M",
                multiple=several,
                shell_complete=_completing(models),
                help="A model that fills letters (derive constants lists them).",
            ),
            click.option(
                "--on",
                metavar="HW",
                multiple=several,
                shell_complete=_completing(machines),
                help="A machine that fills letters (derive constants lists them).",
            ),
        ):
            command = option(command)
        return command

    return add


def given_values(texts: Sequence[str]) -> dict[str, str]:
    """`k=v` texts of --set by letter. Raises DeriveError for one without = or a letter twice."""
    return _pairs(texts, "--set", "T=4096")


def chosen_conventions(texts: Sequence[str]) -> dict[str, str]:
    """`c=choice` texts of --convention by name. Raises DeriveError as `given_values` does."""
    return _pairs(texts, "--convention", "precision=fp8")


def _pairs(texts: Sequence[str], option: str, example: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        if not (name and equals and value):
            raise DeriveError(f"{option} {shown!r} is no name=value: give it as {option} {example}")
        if name in found:
            both = f"{found[name][:40]!r} and {value[:40]!r}"
            raise DeriveError(f"{option} gives {name[:40]} twice, {both}: leave one out")
        found[name] = value
    return found


def check_hardware(path: str | None, on: Sequence[str]) -> None:
    """Raise DeriveError where a file of machines is given and none of them is asked for, or it is bad."""
    if path is None or on:
        return
    from pathlib import Path

    from derive.constants import load

    names = ", ".join(load(Path(path), "hardware")) or "none"
    raise DeriveError(f"--hardware {path} holds machines ({names}): say with --on which one is meant")
