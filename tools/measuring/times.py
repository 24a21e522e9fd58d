"""Predicted times against measured ones: the roofline on this machine's own constants, then with named terms.

The roofline leaves out what a launch costs, what fresh memory costs, that an
exponential is more than an operation, and that a small tensor never leaves the
cache. Each of these is measured too, so that the second prediction fits nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import derive
from derive.errors import DeriveError
from measuring.roofline import Roofline, timed
from measuring.session import Findings, Section, Session, cache_bytes
from measuring.timing import Clock, Timing, clock_of
from measuring.works import Work, grid, training_step

WITHIN = (2.0, 1.5, 1.25)


@dataclass(frozen=True)
class Compared:
    """A piece of work, the roofline's seconds, the seconds with the named terms, those terms, and its timing."""

    work: Work
    roofline: float
    predicted: float
    terms: dict[str, float]
    timing: Timing

    @property
    def ratios(self) -> tuple[float, float]:
        """Measured over predicted, by the roofline and with the terms."""
        return self.timing.seconds / self.roofline, self.timing.seconds / self.predicted


def run(
    session: Session, roofline: Roofline, *, clock: Clock | None = None
) -> tuple[Findings, list[tuple[str, float, float]]]:
    """The grid of shapes on the session's device, and the utilization of a training step.

    Beside the findings it gives (name, FLOP/byte, FLOP/s) of each shape, for a plot.
    """
    clock = clock or clock_of(session.device)
    listed = grid(session.device, quick=session.quick)
    works = [work for work in listed if roofline.has(f"matmul {work.precision}")]
    cache = cache_bytes(session.device) // 2
    compared = []
    for number, work in enumerate(works):
        session.advance(number, len(works) + 1, f"times: {work.name}")
        compared.append(compare(work, roofline, timed(session, clock, work.make()), cache))
    findings = Findings([_table(compared, roofline), _counts(compared, roofline)])
    for one in compared:
        findings.measurements.append(
            session.measurement(
                "roofline.time",
                one.timing.seconds,
                "s",
                f"{one.work.name}; median of windows of 50 ms and more",
                given=_given(one.work, roofline),
                spread=one.timing.spread,
                samples=max(one.timing.passed, 1),
                trusted=one.timing.trusted,
                note=explained(one)[:500],
            )
        )
    session.advance(len(works), len(works) + 1, "times: training step")
    findings.add(_utilization(session, roofline, clock))
    points = [
        (one.work.name, one.work.flops / one.work.traffic, one.work.flops / one.timing.seconds)
        for one in compared
    ]
    return findings, points


def compare(work: Work, roofline: Roofline, timing: Timing, cache: int) -> Compared:
    """The predictions for a piece of work beside its timing; `cache`: bytes that may stay in the cache.

    With the terms, exponentials and error functions are arithmetic at their own rates,
    traffic that stays in the cache goes at the cache's rate, and the launches and the
    first touch of fresh memory come on top.
    """
    peak, bandwidth = roofline.peak(work.precision).value, roofline.bandwidth.value
    base = derive.evaluate("roofline.time", _given(work, roofline)).magnitude("s")
    terms = {"arithmetic": work.flops / peak, "memory": work.traffic / bandwidth}
    if work.traffic <= cache and roofline.has("copy in cache"):
        terms["cache"] = work.traffic / roofline.get("copy in cache").value
    if work.exponentials:
        terms["exp"] = work.exponentials / roofline.exponentials.value
    if work.error_functions:
        terms["erf"] = work.error_functions / roofline.error_functions.value
    terms["launch"] = work.calls * roofline.get("launch").value
    if work.fresh and roofline.has("first touch"):
        terms["first touch"] = work.fresh * roofline.get("first touch").value
    computing = terms["arithmetic"] + terms.get("exp", 0.0) + terms.get("erf", 0.0)
    added = terms["launch"] + terms.get("first touch", 0.0)
    if "cache" in terms:
        del terms["memory"]
    predicted = max(computing, terms.get("memory", terms.get("cache", 0.0))) + added
    return Compared(work, base, predicted, terms, timing)


def _given(work: Work, roofline: Roofline) -> dict[str, str]:
    """What roofline.time asks: the work's amounts and the measured rates."""
    return {
        "F": f"{work.flops} FLOP",
        "Q": f"{work.traffic} byte",
        "P": f"{roofline.peak(work.precision).value!r} FLOP/s",
        "W": f"{roofline.bandwidth.value!r} byte/s",
    }


def explained(one: Compared) -> str:
    """The likeliest reason for what is left between measured and predicted."""
    largest = max(one.terms, key=lambda term: one.terms[term])
    if not one.timing.trusted:
        return "the machine was busy while it was timed"
    if one.ratios[1] < 1:
        return f"{largest} decides the prediction, and this shape is faster than the kernel that measured its rate"
    if one.work.hint:
        return one.work.hint
    return f"{largest} is the largest term, and this shape does not reach the rate measured for it"


def _table(compared: list[Compared], roofline: Roofline) -> Section:
    rows = []
    for one in compared:
        plain, named = one.ratios
        largest = max(one.terms, key=lambda term: one.terms[term])
        rows.append(
            (
                one.work.name,
                _shown(one.roofline),
                _shown(one.predicted),
                _shown(one.timing.seconds) + ("" if one.timing.trusted else " (busy)"),
                f"{plain:.2f}",
                f"{named:.2f}",
                f"{largest} {_shown(one.terms[largest])}",
            )
        )
    used = ", ".join(f"{peak.tags['precision']} {peak.text}" for peak in roofline.peaks)
    notes = [f"On the measured constants: {used}, bandwidth {roofline.bandwidth.text}."]
    return Section(
        "Times: the roofline on measured constants, without and with the named terms",
        ("work", ">roofline", ">with terms", ">measured", ">ratio", ">ratio with terms", "largest term"),
        rows,
        tuple(notes),
    )


def _counts(compared: list[Compared], roofline: Roofline) -> Section:
    """How many ratios lie within each factor; only undisturbed times on undisturbed constants count."""
    title = "Times: how many predictions hold, and the worst three"
    columns = ("prediction", *(f">within {limit:g}×" for limit in WITHIN))
    busy = roofline.busy
    if busy:
        note = f"Nothing is counted: the machine was too busy to trust {', '.join(busy)}, which the predictions need."
        return Section(title, columns, [], (note,))
    kept = [one for one in compared if one.timing.trusted]
    rows = []
    for name, which in (("roofline", 0), ("roofline with the named terms", 1)):
        inside = [sum(1 / limit <= one.ratios[which] <= limit for one in kept) for limit in WITHIN]
        rows.append((name, *(f"{count} of {len(kept)}" for count in inside)))
    worst = sorted(kept, key=lambda one: max(one.ratios[1], 1 / one.ratios[1]), reverse=True)[:3]
    notes = [f"{one.work.name}, ratio {one.ratios[1]:.2f}: {explained(one)}." for one in worst]
    if len(kept) < len(compared):
        notes.append(f"{len(compared) - len(kept)} timed on a busy machine are not counted.")
    return Section(title, columns, rows, tuple(notes))


def _utilization(session: Session, roofline: Roofline, clock: Clock) -> Findings:
    """Model FLOPs utilization of a training step on the measured peak; above 1 is refused."""
    findings = Findings()
    title, columns = "Model FLOPs utilization of a small training step", ("step", ">time", ">utilization")
    peak = roofline.peak("fp32")
    if not peak.timing.trusted:
        note = "The fp32 peak was measured on a busy machine: there is nothing to divide by."
        findings.sections.append(Section(title, columns, [], (note,)))
        return findings
    step = training_step(session.device)
    timing = timed(session, clock, step.call)
    given: dict[str, int | str] = {
        "N": f"{step.parameters} parameter",
        "L": step.layers,
        "d": step.width,
        "T": step.length,
        "rate": f"{step.tokens / timing.seconds!r} token/s",
        "n": 1,
        "P": f"{peak.value!r} FLOP/s",
    }
    try:
        found = derive.evaluate("utilization.mfu", given)
    except DeriveError as error:
        findings.wrong.append(str(error))
        findings.sections.append(
            Section(title, columns, [(step.name, _shown(timing.seconds), "REFUSED")], (str(error),))
        )
        return findings
    findings.sections.append(
        Section(title, columns, [(step.name, _shown(timing.seconds), found.text)], (timing.remark,))
    )
    findings.measurements.append(
        session.measurement(
            "utilization.mfu",
            found.magnitude("dimensionless"),
            "dimensionless",
            f"{step.name}, fp32, on the measured peak",
            given=given,
            spread=timing.spread,
            samples=max(timing.passed, 1),
            trusted=timing.trusted,
        )
    )
    return findings


def _shown(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
