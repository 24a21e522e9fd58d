"""Collectives between real processes: results checked, times fitted to latency and bandwidth, rings compared.

Every rank runs this file's `run`; rank 0 reports. A time is the slowest rank's. The
fit is of t = steps·alpha + bytes/beta on relative errors, so that small buffers weigh
as much as large ones. gloo over one machine's loopback shares that machine's memory
and cores among the ranks: what it gives for beta is no network's.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor

import derive
from derive.errors import DeriveError
from measuring.session import Findings, Section, Session, cores
from measuring.timing import GATE, spread, waiting

NAMES = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all")
IDS = {
    "all_reduce": "collectives.all_reduce_ring",
    "reduce_scatter": "collectives.reduce_scatter",
    "all_gather": "collectives.all_gather",
    "all_to_all": "collectives.all_to_all",
}
SIZES = tuple(2**power for power in range(12, 27, 2))
QUICK = tuple(2**power for power in range(12, 25, 4))


@dataclass(frozen=True)
class Sample:
    """Times of one collective and size, in seconds, each that of the slowest rank.

    trusted: False where in every window some rank waited for a core; then all windows are in.
    """

    name: str
    size: int
    seconds: tuple[float, ...]
    trusted: bool = True

    @property
    def median(self) -> float:
        """The time in the middle."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Fit:
    """Latency of a step in seconds, bandwidth in byte/s (None: not seen in the times), and the worst error."""

    alpha: float
    beta: float | None
    error: float


def check_ranks(ranks: int, *, backend: str, oversubscribe: bool) -> None:
    """Raise DeriveError for more ranks on this machine than it has cores or GPUs, unless `oversubscribe`."""
    there, what = (torch.cuda.device_count(), "GPUs") if backend == "nccl" else (cores(), "cores")
    if ranks > there and not oversubscribe:
        raise DeriveError(
            f"{ranks} ranks on {there} {what} would wait for each other's turn and measure that: "
            f"give at most {there}, or --oversubscribe if it is meant"
        )


def run(
    session: Session, *, backend: str, sizes: Sequence[int] = (), window: float = 0.05
) -> Findings | None:
    """Measure in every rank of a started process group's environment; the findings in rank 0, None elsewhere.

    sizes: bytes of the full buffers. Raises DeriveError where the environment has no ranks.
    """
    if "RANK" not in os.environ:
        raise DeriveError("there are no ranks here: start them with torchrun")
    dist.init_process_group(backend, timeout=timedelta(seconds=120))
    try:
        rank, n = dist.get_rank(), dist.get_world_size()
        if n < 2:
            raise DeriveError("a single rank exchanges nothing: start two or more")
        device = "cpu"
        if backend == "nccl":
            device = f"cuda:{int(os.environ['LOCAL_RANK'])}"
            torch.cuda.set_device(device)
        wanted = [_whole(size, n) for size in sizes or (QUICK if session.quick else SIZES)]
        wrong: list[str] = []
        samples: list[Sample] = []
        for number, name in enumerate(NAMES):
            for index, size in enumerate(wanted):
                if rank == 0:
                    session.advance(
                        number * len(wanted) + index,
                        len(NAMES) * len(wanted),
                        f"collectives: {name}, {size} byte",
                    )
                call, check = prepared(name, size, n, rank, device)
                call()
                wrong += check()
                samples.append(Sample(name, size, *_times(call, window, session.quick)))
        gathered: list[list[str] | None] = [None] * n
        dist.all_gather_object(gathered, wrong)
        if rank:
            return None
        return report(session, samples, n, backend, [line for lines in gathered for line in lines or []])
    finally:
        dist.destroy_process_group()


def prepared(
    name: str, size: int, n: int, rank: int, device: str
) -> tuple[Callable[[], object], Callable[[], list[str]]]:
    """A collective over a full buffer of `size` bytes, and a check of what it left behind.

    Each rank's buffer holds rank + 1 (in an all-to-all n·rank + the partner), so that every
    element of every result is known.
    """
    count = size // 4
    share = count // n
    full = torch.full((count,), float(rank + 1), device=device)
    part = torch.full((share,), float(rank + 1), device=device)
    if name == "all_reduce":
        # zeros, for the sums would grow from call to call; the check reduces a copy of the buffer
        work = torch.zeros_like(full)

        def reduce() -> None:
            dist.all_reduce(work)

        def check_sum() -> list[str]:
            fresh = full.clone()
            dist.all_reduce(fresh)
            return _differing(name, rank, fresh, torch.full_like(fresh, n * (n + 1) / 2))

        return reduce, check_sum
    if name == "reduce_scatter":
        return (
            lambda: dist.reduce_scatter_tensor(part, full),
            lambda: _differing(name, rank, part, torch.full_like(part, n * (n + 1) / 2)),
        )
    if name == "all_gather":
        gathered = torch.empty_like(full)
        expected = torch.arange(1.0, n + 1, device=device).repeat_interleave(share)
        return (
            lambda: dist.all_gather_into_tensor(gathered, part),
            lambda: _differing(name, rank, gathered, expected),
        )
    sent = (torch.arange(float(n), device=device) + n * rank).repeat_interleave(share)
    received = torch.empty_like(sent)
    expected = (n * torch.arange(float(n), device=device) + rank).repeat_interleave(share)
    return (
        lambda: dist.all_to_all_single(received, sent),
        lambda: _differing(name, rank, received, expected),
    )


def fit(samples: Sequence[Sample], n: int) -> Fit:
    """alpha and beta of the ring's t = steps·alpha + moved/beta, least squares of relative errors.

    Neither is let below 0: where one would be, the other is fitted alone.
    """
    factor = 2 if samples[0].name == "all_reduce" else 1
    steps = factor * (n - 1)
    rows = [(steps / one.median, steps * one.size / n / one.median) for one in samples]
    aa, ab, bb = (sum(x[i] * x[j] for x in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a, b = sum(x[0] for x in rows), sum(x[1] for x in rows)
    determinant = aa * bb - ab * ab
    alpha, inverse = (a * bb - b * ab) / determinant if determinant else -1.0, 0.0
    if determinant:
        inverse = (b * aa - a * ab) / determinant
    if alpha < 0:
        alpha, inverse = 0.0, b / bb
    elif inverse < 0:
        alpha, inverse = a / aa, 0.0
    worst = max(abs(x[0] * alpha + x[1] * inverse - 1) for x in rows)
    return Fit(alpha, 1 / inverse if inverse else None, worst)


def report(session: Session, samples: list[Sample], n: int, backend: str, wrong: list[str]) -> Findings:
    """The table of times and fits, and the measurements, of n ranks."""
    findings = Findings(wrong=wrong)
    rows, fitted = [], []
    for name in NAMES:
        own = [sample for sample in samples if sample.name == name]
        found = fit(own, n)
        beta = f"{found.beta / 1e9:.3g} GB/s" if found.beta else "not seen"
        fitted.append((name, f"{1e6 * found.alpha:.3g} µs", beta, f"{100 * found.error:.0f}%"))
        for sample in own:
            rows.append(_row(session, findings, sample, found, n, backend))
    checked = f"Every element of every result was checked on each of {n} ranks" + (
        "." if not wrong else f": {len(wrong)} results were wrong."
    )
    busy = sum(not sample.trusted for sample in samples)
    disturbed = (
        f"The machine was busy: in {busy} of {len(samples)} rows a rank waited for a core in every window."
    )
    loopback = "gloo over loopback: the ranks share the memory and the cores of one machine."
    findings.sections += [
        Section(
            f"Collectives between {n} ranks ({backend})",
            ("collective", ">buffer", ">least", ">median", ">ring", ">ratio", ">bus bandwidth"),
            rows,
            (checked, *((loopback,) if backend == "gloo" else ()), *((disturbed,) if busy else ())),
        ),
        Section(
            "Collectives: latency and bandwidth, fitted on relative errors",
            ("collective", ">alpha a step", ">beta", ">worst error"),
            fitted,
            (
                "Bus bandwidth counts the latency as bytes and grows with the buffer; the fit keeps the two apart.",
            ),
        ),
    ]
    return findings


def _row(
    session: Session, findings: Findings, sample: Sample, found: Fit, n: int, backend: str
) -> tuple[str, ...]:
    least, median = min(sample.seconds), sample.median
    factor = 2 if sample.name == "all_reduce" else 1
    bus = factor * (n - 1) / n * sample.size / median
    ring = ratio = "–"
    if found.beta:
        given = {
            "n": n,
            "S": f"{sample.size} byte",
            "alpha": f"{found.alpha!r} s",
            "beta": f"{found.beta!r} byte/s",
        }
        seconds = derive.evaluate(IDS[sample.name], given).magnitude("s")
        ring, ratio = f"{1e6 * seconds:.4g} µs", f"{median / seconds:.2f}"
        findings.measurements.append(
            session.measurement(
                IDS[sample.name],
                median,
                "s",
                f"{backend}, {n} ranks, slowest rank, median of {len(sample.seconds)}; alpha and beta fitted",
                given=given,
                spread=spread(sample.seconds),
                samples=len(sample.seconds),
                trusted=sample.trusted,
            )
        )
    shown = (f"{1e6 * least:.4g} µs", f"{1e6 * median:.4g} µs", ring, ratio, f"{bus / 1e9:.3g} GB/s")
    return (sample.name, f"{sample.size:,} byte", *shown)


def _times(call: Callable[[], object], window: float, quick: bool) -> tuple[tuple[float, ...], bool]:
    """Seconds of a call in the windows in which no rank waited for a core, in each the slowest rank's.

    Where there is no such window, those of all and False. All ranks make the same calls.
    """
    call()
    calls = 1
    while (seconds := _slowest(call, calls)[0]) < window / 2 and calls < 10**5:
        calls = max(2 * calls, min(int(calls * window / max(seconds, 1e-6)), 100 * calls))
    windows = [_slowest(call, calls) for _ in range(3 if quick else 7)]
    quiet = [seconds for seconds, waited in windows if waited <= 1 - GATE]
    return tuple(seconds / calls for seconds in quiet or [one[0] for one in windows]), bool(quiet)


def _slowest(call: Callable[[], object], calls: int) -> tuple[float, float]:
    """Seconds of the slowest rank, and the largest share of them that a rank waited for a core."""
    dist.barrier()
    _synchronize()
    waited, began = waiting(), time.perf_counter()
    for _ in range(calls):
        call()
    _synchronize()
    seconds, now = time.perf_counter() - began, waiting()
    share = 0.0 if waited is None or now is None else (now - waited) / seconds
    worst = torch.tensor([seconds, share], dtype=torch.float64)
    if dist.get_backend() == "nccl":
        worst = worst.cuda()
    dist.all_reduce(worst, op=dist.ReduceOp.MAX)
    return float(worst[0]), float(worst[1])


def _synchronize() -> None:
    if dist.get_backend() == "nccl":
        torch.cuda.synchronize()


def _differing(name: str, rank: int, found: Tensor, expected: Tensor) -> list[str]:
    apart = int((found != expected).sum())
    return [f"{name} on rank {rank}: {apart} of {expected.numel()} elements are wrong"] if apart else []


def _whole(size: int, n: int) -> int:
    """The next size that n ranks share in whole fp32 numbers."""
    return -(-size // (4 * n)) * 4 * n
