"""The machine's own roofline: peaks, bandwidths, rates and overheads, each a median over believable windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import torch

from derive.constants import hardware
from derive.errors import DeriveError
from derive.measurements import CAUSES
from derive.rounding import quantity_text
from measuring.session import Findings, Section, Session, cache_bytes, memory_bytes
from measuring.timing import Call, Clock, Timing, clock_of, measure

SIZES = {"cpu": (512, 1024, 2048), "cuda": (2048, 4096, 8192, 16384), "mps": (1024, 2048, 4096)}
"""Edges of the square matmuls that are tried; the fastest gives the peak."""

PRECISIONS = {
    "fp32": torch.float32,
    "tf32": torch.float32,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
    "fp8": torch.float8_e4m3fn,
}
_LONGEST = 0.25  # seconds of a single matmul beyond which larger ones are not tried
_IN_CACHE = 2**17  # elements: long enough for all threads, short enough for the caches
_FRESH = 2**26  # bytes: beyond the size from which an allocation's pages are new to the process


@dataclass(frozen=True)
class Rate:
    """One measured constant: a rate in base units (or seconds), and the timing behind it.

    role and tags are the catalogue's where it has such a role; else role is a name of our
    own, such as "launch".
    """

    name: str
    role: str
    value: float
    unit: str
    timing: Timing
    how: str
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The value in its readable unit."""
        return quantity_text(Fraction(self.value), self.unit)


@dataclass
class Roofline:
    """What was measured of a machine. `rates` lists everything, best sizes only."""

    rates: list[Rate]

    def get(self, name: str) -> Rate:
        """The rate of that name. Raises DeriveError where it was not measured."""
        for rate in self.rates:
            if rate.name == name:
                return rate
        raise DeriveError(f"{name} was not measured here: it is needed for the prediction")

    def has(self, name: str) -> bool:
        """Whether the rate of that name was measured."""
        return any(rate.name == name for rate in self.rates)

    def peak(self, precision: str) -> Rate:
        """The matmul peak of a precision."""
        return self.get(f"matmul {precision}")

    @property
    def bandwidth(self) -> Rate:
        """The fastest that bytes moved in any of the streams."""
        streams = [rate for rate in self.rates if rate.role == "bandwidth"]
        if not streams:
            raise DeriveError("no bandwidth was measured here: it is needed for the prediction")
        return max(streams, key=lambda rate: rate.value)

    @property
    def exponentials(self) -> Rate:
        """The fastest that exponentials were computed, alone or in a softmax."""
        return max((self.get("exp"), self.get("exp in softmax")), key=lambda rate: rate.value)

    @property
    def error_functions(self) -> Rate:
        """The fastest that error functions were computed, alone or in a GELU."""
        return max((self.get("erf"), self.get("erf in GELU")), key=lambda rate: rate.value)

    @property
    def busy(self) -> list[str]:
        """What no undisturbed window measured."""
        return [rate.name for rate in self.rates if not rate.timing.trusted]

    @property
    def peaks(self) -> list[Rate]:
        """The matmul peaks."""
        return [rate for rate in self.rates if rate.role == "peak"]


def run(
    session: Session,
    *,
    sizes: Sequence[int] = (),
    precisions: Sequence[str] = (),
    specification: str | None = None,
    clock: Clock | None = None,
) -> tuple[Findings, Roofline]:
    """Measure peaks, streams, rates and overheads of the session's device.

    sizes: edges of the matmuls; precisions: names such as "bf16"; `specification`: a machine
    of the catalogue that the results must not exceed. Raises DeriveError for a precision
    that is unknown or that the device cannot do.
    """
    clock = clock or clock_of(session.device)
    wanted = list(precisions) or supported(session.device)
    for name in wanted:
        if name not in PRECISIONS:
            raise DeriveError(f"unknown precision {name[:20]!r}: give one of {', '.join(PRECISIONS)}")
        if name not in supported(session.device):
            can = ", ".join(supported(session.device))
            raise DeriveError(f"{session.device} does no {name} matmul here: give one of {can}")
    edges = tuple(sizes) or SIZES[session.device][: 2 if session.quick else None]
    parts: list[tuple[str, Callable[[], list[Rate]]]] = [
        (f"matmul {name}", partial(_matmul_peak, session, clock, name, edges)) for name in wanted
    ]
    parts += [
        ("streams", partial(_streams, session, clock)),
        ("exponentials", partial(_exponentials, session, clock)),
        ("overheads", partial(_overheads, session, clock)),
    ]
    rates: list[Rate] = []
    for number, (what, part) in enumerate(parts):
        session.advance(number, len(parts), f"roofline: {what}")
        found = part()
        if not all(rate.timing.trusted for rate in found):
            session.advance(number, len(parts), f"roofline: {what}, once more for the machine was busy")
            found = [max(pair, key=_preference) for pair in zip(found, part(), strict=True)]
        rates += found
    roofline = Roofline(rates)
    findings = Findings([_section(roofline)])
    if specification:
        findings.sections.append(_against(findings, roofline, specification))
    for rate in rates:
        id = f"hardware.{rate.role}"
        findings.measurements.append(
            session.measurement(
                id,
                rate.value,
                rate.unit,
                f"{rate.how}; {rate.name}",
                given=rate.tags,
                spread=rate.timing.spread,
                samples=max(rate.timing.passed, 1),
                trusted=rate.timing.trusted,
            )
        )
    return findings, roofline


def supported(device: str) -> list[str]:
    """The precisions in which a device multiplies matrices."""
    if device == "cpu":
        return ["fp32", "bf16", "fp16"]
    if device == "mps":
        return ["fp32", "bf16", "fp16"]
    capability = torch.cuda.get_device_capability()
    found = ["fp32", "fp16"]
    if capability >= (8, 0):
        found[1:1] = ["tf32", "bf16"]
    if capability >= (8, 9):
        found.append("fp8")
    return found


def threads(session: Session) -> int:
    """How many cores a large operation keeps busy."""
    return torch.get_num_threads() if session.device == "cpu" else 1


def timed(session: Session, clock: Clock, call: Call, *, serial: bool = False) -> Timing:
    """The timing of a call, by all threads unless `serial`."""
    return measure(call, clock, threads=1 if serial else threads(session), samples=3 if session.quick else 5)


def _preference(rate: Rate) -> tuple[bool, float]:
    """Which of two measurements of one rate to keep: one to be trusted, else the one with more of the cores."""
    return rate.timing.trusted, rate.timing.share or 0.0


def _matmul_peak(session: Session, clock: Clock, name: str, edges: Sequence[int]) -> list[Rate]:
    best: tuple[float, int, Timing] | None = None
    last: tuple[float, int] | None = None
    for n in sorted(edges):
        if last is not None and last[0] * (n / last[1]) ** 3 > _LONGEST:
            break
        with _tf32(session.device, name == "tf32"):
            timing = timed(session, clock, _matmul(session.device, name, n))
        last = timing.seconds, n
        rate = 2 * n**3 / timing.seconds
        if best is None or (timing.trusted, rate) > (best[2].trusted, best[0]):
            best = rate, n, timing
    if best is None:
        raise DeriveError("there is no size to multiply: give --sizes as 1024,2048")
    rate, n, timing = best
    how = f"square matmul of {n}, the fastest of {', '.join(map(str, sorted(edges)))}"
    tags = {"sparsity": "dense", "precision": name}
    return [Rate(f"matmul {name}", "peak", rate, "FLOP/s", timing, how, tags)]


def _matmul(device: str, name: str, n: int) -> Call:
    dtype = PRECISIONS[name]
    if name == "fp8":
        a = torch.randn(n, n, device=device).to(dtype)
        b = torch.randn(n, n, device=device).to(dtype).t()  # the kernel wants it column by column
        one = torch.ones((), device=device)
        return lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    a, b, c = (torch.randn(n, n, device=device).to(dtype) for _ in range(3))
    return lambda: torch.mm(a, b, out=c)


@contextmanager
def _tf32(device: str, on: bool) -> Iterator[None]:
    """Matmuls of fp32 with or without TF32, put back afterwards."""
    if device != "cuda":
        yield
        return
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = on
    try:
        yield
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before


def stream_bytes(device: str) -> int:
    """Bytes of an array well past the caches: four times the largest, 128 MiB at least."""
    if device == "cuda":
        return 2**30
    wanted = max(4 * cache_bytes(device), 2**27)
    memory = memory_bytes()
    return min(wanted, memory // 16) if memory else wanted


def _streams(session: Session, clock: Clock) -> list[Rate]:
    size = stream_bytes(session.device)
    n, columns = size // 4, 4096
    a, b, c = (torch.ones(n, device=session.device) for _ in range(3))
    rows = n // columns
    matrix, vector = b[: rows * columns].view(rows, columns), torch.ones(columns, device=session.device)
    out = torch.empty(rows, device=session.device)
    each = quantity_text(Fraction(4 * n), "byte")
    calls: tuple[tuple[str, int, Call, str], ...] = (
        ("copy", 8 * n, lambda: a.copy_(b), f"a = b, arrays of {each}; 2 transfers an element"),
        (
            "triad",
            12 * n,
            lambda: torch.add(b, c, alpha=0.5, out=a),
            f"a = b + 0.5c, arrays of {each}; 3 transfers an element",
        ),
        (
            "matrix-vector product",
            4 * (rows * columns + columns + rows),
            lambda: torch.mv(matrix, vector, out=out),
            f"fp32 matrix of {rows}×{columns}, as in a decode step; the matrix is read once",
        ),
    )
    found = []
    for name, moved, call, how in calls:
        timing = timed(session, clock, call)
        found.append(Rate(name, "bandwidth", moved / timing.seconds, "byte/s", timing, how))
    inside = cache_bytes(session.device) // 8
    if inside:
        small, copied = b[: inside // 8], a[: inside // 8]
        timing = timed(session, clock, lambda: copied.copy_(small))
        how = f"a = b, {quantity_text(Fraction(inside), 'byte')} in all, which stay in the largest cache"
        moved = 8 * small.numel()
        found.append(Rate("copy in cache", "cache_bandwidth", moved / timing.seconds, "byte/s", timing, how))
    return found


def _exponentials(session: Session, clock: Clock) -> list[Rate]:
    x = torch.randn(_IN_CACHE * threads(session) // 1024, 1024, device=session.device)
    out = torch.empty_like(x)
    calls: tuple[tuple[str, str, Call], ...] = (
        ("exp", "exp_rate", lambda: torch.exp(x, out=out)),
        ("exp in softmax", "exp_rate", lambda: torch.softmax(x, -1, out=out)),
        ("erf", "erf_rate", lambda: torch.erf(x, out=out)),
        ("erf in GELU", "erf_rate", lambda: torch.ops.aten.gelu.out(x, out=out)),
    )
    found = []
    for name, role, call in calls:
        timing = timed(session, clock, call)
        how = f"{x.numel()} fp32 numbers in rows of 1024 that stay in the caches"
        found.append(Rate(name, role, x.numel() / timing.seconds, "1/s", timing, how, {"precision": "fp32"}))
    return found


def _overheads(session: Session, clock: Clock) -> list[Rate]:
    one = torch.ones(1, device=session.device)
    launch = timed(session, clock, lambda: torch.add(one, one, out=one), serial=True)
    how = "a sum of two single numbers, call after call"
    found = [Rate("launch", "launch", launch.seconds, "s", launch, how)]
    if session.device == "cpu":
        n = _FRESH // 4
        warm = torch.empty(n)
        again = timed(session, clock, lambda: warm.fill_(1.0))
        fresh = timed(session, clock, lambda: torch.empty(n).fill_(1.0))
        extra = max(fresh.seconds - again.seconds, 0.0) / _FRESH
        how = "filling 64 MiB of fresh memory, less filling the same memory again"
        found.append(Rate("first touch", "first_touch", extra, "s/byte", fresh, how))
    return found


def _section(roofline: Roofline) -> Section:
    rows = [(rate.name, rate.text, rate.timing.remark, rate.how) for rate in roofline.rates]
    bandwidth = roofline.bandwidth
    for peak in roofline.peaks:
        ridge = quantity_text(Fraction(peak.value / bandwidth.value), "FLOP/byte")
        rows.append((f"ridge {peak.tags['precision']}", ridge, "", f"{peak.name} over {bandwidth.name}"))
    busy = roofline.busy
    notes = [f"Bandwidth is that of the fastest stream, {bandwidth.name}."]
    if busy:
        notes.append(
            f"The machine was too busy to trust {', '.join(busy)}: no window had 0.9 of the cores it wanted. "
            "Run it again while nothing else runs."
        )
    return Section("Roofline of this machine", ("what", ">value", "spread", "how"), rows, tuple(notes))


def _against(findings: Findings, roofline: Roofline, name: str) -> Section:
    """Measured over specified; above 1 the measurement or the specification is of something else."""
    entry = hardware(name)
    pairs = [(peak, {"sparsity": "dense", "precision": peak.tags["precision"]}) for peak in roofline.peaks]
    rows = []
    for rate, tags in (*pairs, (roofline.bandwidth, dict[str, str]())):
        try:
            specified = entry.pick(rate.role, **tags)
        except DeriveError:
            rows.append((rate.name, rate.text, "–", f"{entry.name} does not say"))
            continue
        share = rate.value / float(specified.base)
        if share > 1:
            findings.wrong.append(
                f"{rate.name}: a utilization of {share:.3g} of {specified.text}, above 1: {'; or '.join(CAUSES)}"
            )
        rows.append(
            (rate.name, rate.text, specified.text, f"{100 * share:.1f}%" if share <= 1 else "REFUSED")
        )
    title = f"Measured against the specification of {entry.title}"
    return Section(title, ("what", ">measured", ">specified", ">utilization"), rows)
