"""The measurement hook: the catalogue's formulas held against this machine and this PyTorch.

    python tools/measure.py all --quick --out measured

Bytes and operations must agree exactly, number formats code by code; times are
compared with the roofline on this machine's own constants. Exit status: 0 where
every exact count agrees, 1 where one differs, 2 where the question was wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if find_spec("derive") is None:  # a checkout that is not installed
    sys.path.append(str(Path(__file__).resolve().parents[1]))

if TYPE_CHECKING:
    from measuring.session import Findings, Session

HELP = """Hold the catalogue's formulas against this machine.

\b
measure.py all --quick --out measured      everything, with a report, in a few minutes
measure.py roofline --out measured         this machine as measured/hardware.toml
derive eval matmul.time --hardware measured/hardware.toml --on this-machine --set m=512 k=512 n=512

Nothing is written without --out. Exit status: 0 every exact count agrees, 1 one differs,
2 the question was wrong.
"""

SIGINT = 130
NAME = "this-machine"


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print the measurements as JSON."),
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="DIR",
            help="Write measurements.json, report.md and what else there is to this folder.",
        ),
        click.option("--quick", is_flag=True, help="Fewer sizes and samples."),
        click.option("--device", default="auto", show_default=True, metavar="auto|cpu|cuda|mps"),
    ):
        command = option(command)
    return command


def _roofline_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--name", default=NAME, show_default=True, help="What hardware.toml calls this machine."
        ),
        click.option(
            "--accept-busy", is_flag=True, help="Write constants that no undisturbed window measured."
        ),
        click.option(
            "--threads", type=click.IntRange(1, 1024), help="Threads of the CPU; all cores unless given."
        ),
        click.option("--specification", metavar="HW", help="A machine of the catalogue to compare with."),
        click.option(
            "--dtype", default="", metavar="fp32,bf16", help="Precisions; all that there are unless given."
        ),
        click.option("--sizes", default="", metavar="1024,2048", help="Edges of the square matmuls."),
    ):
        command = option(command)
    return command


@click.group(
    help=HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.pass_context
def measure(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@measure.command(short_help="This machine's peaks, bandwidths and overheads.")
@_roofline_options
@_common
def roofline(**options: Any) -> int:
    """Peaks, bandwidths, rates and overheads of this machine, with hardware.toml and a plot."""
    return _run(options, _roofline)


@measure.command(short_help="Bytes that layers keep for the backward pass.")
@click.option(
    "--config", type=click.Path(path_type=Path), metavar="config.json", help="A transformers model."
)
@_common
def activations(**options: Any) -> int:
    """Saved bytes of real autograd graphs against the ledgers, to the byte."""
    return _run(options, _exact("activations"))


@measure.command(short_help="Operations by PyTorch's own counter.")
@click.option(
    "--config", type=click.Path(path_type=Path), metavar="config.json", help="A transformers model."
)
@_common
def flops(**options: Any) -> int:
    """Operations of GPT-2 small and Llama-3-8B, forward and backward, as FlopCounterMode has them."""
    return _run(options, _exact("flops"))


@measure.command(short_help="Weights, gradients and optimizer of a real step.")
@_common
def state(**options: Any) -> int:
    """Training state after one real step against 16 byte a parameter."""
    return _run(options, _exact("state"))


@measure.command(short_help="Limits and codes of PyTorch's number formats.")
@_common
def formats(**options: Any) -> int:
    """PyTorch's number formats against the derived limits, code by code."""
    return _run(options, _exact("formats"))


@measure.command(short_help="Predicted and measured times over a grid of shapes.")
@_roofline_options
@_common
def times(**options: Any) -> int:
    """Times over a grid of shapes against the roofline on constants that are measured first."""
    return _run(options, lambda session, options: _roofline(session, options, times=True))


@measure.command(short_help="All-reduce and others between processes.")
@click.option("--ranks", type=int, default=2, show_default=True, help="Processes on this machine.")
@click.option("--sizes", default="", metavar="BYTES,BYTES", help="Bytes of the full buffers.")
@click.option("--oversubscribe", is_flag=True, help="Allow more ranks than cores or GPUs.")
@click.option("--hand-over", type=click.Path(path_type=Path), hidden=True)
@_common
def collectives(**options: Any) -> int:
    """Collectives between processes: checked, timed, fitted and compared with the rings.

    On one machine this starts torchrun itself. On several, run on each of them:

    \b
    torchrun --nnodes=M --nproc-per-node=RANKS --rdzv-backend=c10d --rdzv-endpoint=HOST:29500 \\
        tools/measure.py collectives
    """
    return _run(options, _collectives)


@measure.command("all", short_help="Everything, and a report.")
@_roofline_options
@click.option("--ranks", type=int, default=2, show_default=True, help="Processes of the collectives.")
@_common
def everything(**options: Any) -> int:
    """Exact counts first, then the roofline, times on it, and collectives between two processes."""
    return _run(options, _everything)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit status; an error becomes one line on standard error."""
    from derive.errors import DeriveError
    from units.errors import UnitError

    try:
        status = measure.main(arguments, prog_name="measure.py", standalone_mode=False)
    except click.Abort:
        return SIGINT
    except (click.ClickException, DeriveError, UnitError, OSError, RuntimeError) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        if type(error) is RuntimeError:
            text = f"PyTorch says: {text}"
        click.echo(f"measure: {text.splitlines()[0] if text else type(error).__name__}", err=True)
        return 2
    return status if isinstance(status, int) else 0


def _run(options: dict[str, Any], take: Callable[[Session, dict[str, Any]], Findings | None]) -> int:
    """Measure, show or print, write; the exit status says whether every exact count agrees."""
    from derive.cli.progress import bar
    from derive.errors import DeriveError

    if find_spec("torch") is None:
        raise DeriveError("PyTorch is not installed: pip install 'derive-arithmetic[measure]'")
    from measuring import output, session

    with bar() as advance:
        begun = session.start(
            options["device"], quick=options["quick"], threads=options.get("threads"), advance=advance
        )
        found = take(begun, options)
    if found is None:  # another rank reports
        return 0
    if options["as_json"]:
        from derive.measurements import dump

        click.echo(dump(found.measurements), nl=False)
    else:
        output.show(found)
    if options["out"]:
        for path in output.write(begun, found, options["out"]):
            click.echo(path, err=options["as_json"])
    for line in found.wrong:
        click.echo(f"differs: {line}", err=True)
    return 1 if found.wrong else 0


def _exact(name: str) -> Callable[[Session, dict[str, Any]], Findings]:
    def take(session: Session, options: dict[str, Any]) -> Findings:
        from importlib import import_module

        if options.get("config"):
            from measuring import published

            return published.run(session, options["config"])
        found: Findings = import_module(f"measuring.{name}").run(session)
        return found

    return take


def _roofline(session: Session, options: dict[str, Any], *, times: bool = False) -> Findings:
    from measuring import hardware_file, plot, roofline
    from measuring import times as timing

    found, measured = roofline.run(
        session,
        sizes=_numbers(options["sizes"], "--sizes"),
        precisions=[word.strip() for word in options["dtype"].split(",") if word.strip()],
        specification=options["specification"],
    )
    files, remark = hardware_file.files(
        session, measured, options["name"], accept_busy=options["accept_busy"]
    )
    found.files |= files
    if remark:
        found.remark(remark)
    points: list[plot.Point] = []
    if times:
        compared, points = timing.run(session, measured)
        found.add(compared)
    if options["out"]:
        found.files |= plot.files(session, measured, points)
    return found


def _collectives(session: Session, options: dict[str, Any]) -> Findings | None:
    from measuring import launching

    return launching.collectives(
        session,
        Path(__file__).resolve(),
        ranks=options["ranks"],
        sizes=_numbers(options.get("sizes", ""), "--sizes"),
        oversubscribe=options.get("oversubscribe", False),
        hand_over=options.get("hand_over"),
    )


def _everything(session: Session, options: dict[str, Any]) -> Findings:
    from measuring.session import Findings

    found = Findings()
    for name in ("activations", "flops", "state", "formats"):
        found.add(_exact(name)(session, {}))
    found.add(_roofline(session, options, times=True))
    exchanged = _collectives(session, {"ranks": options["ranks"]})
    if exchanged is not None:
        found.add(exchanged)
    return found


def _numbers(text: str, option: str) -> list[int]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not all(word.isascii() and word.isdigit() and 0 < len(word) < 12 and int(word) for word in words):
        raise click.UsageError(f"{option} {text[:40]!r} is no list of whole numbers: give it as 1024,2048")
    return [int(word) for word in words]


if __name__ == "__main__":
    sys.exit(main())
