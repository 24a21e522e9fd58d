"""Lists and tables of labels with values, some of which follow from others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.checking.verdicts import false_numbers, is_true

SETS = (
    (
        (("GPUs", "256"), ("Duration", "12 days"), ("Price per GPU-hour", "$2.50")),
        "GPU-hours",
        "73,728",
        "3,072",
    ),
    ((("GPUs", "256"), ("hours", "288"), ("price per GPU-hour", "$2.50")), "GPU-hours", "73,728", "7,373"),
    (
        (("GPU-hours", "73,728"), ("Price per GPU-hour", "$2.50"), ("GPUs", "256")),
        "Cost",
        "$184,320",
        "$18,432",
    ),
    ((("Layers", "32"), ("Hidden size", "4,096"), ("Heads", "32")), "Head dimension", "128", "64"),
    (
        (
            ("Sequence length", "4,096"),
            ("Micro-batch", "2"),
            ("Data parallel", "64"),
            ("Gradient accumulation", "8"),
        ),
        "Tokens per step",
        "4,194,304",
        "2,097,152",
    ),
    ((("Nodes", "32"), ("GPUs per node", "8"), ("Layers", "80")), "Total GPUs", "256", "265"),
    (
        (("Parameters", "7 billion"), ("Bytes per parameter", "2"), ("Layers", "32")),
        "Weights",
        "14 GB",
        "28 GB",
    ),
    ((("parameters", "7.0e9"), ("tokens", "1.4e12"), ("layers", "32")), "FLOPs (6ND)", "5.88e22", "1.96e22"),
    ((("Peak (BF16)", "989 TFLOPS"), ("Achieved", "410 TFLOPS"), ("GPUs", "64")), "MFU", "41.5 %", "45.1 %"),
    ((("HBM per GPU", "80 GB"), ("GPUs", "8"), ("Layers", "80")), "HBM in total", "640 GB", "6.4 TB"),
    (
        (("Training tokens", "2e12"), ("Tokens per step", "4e6"), ("Layers", "80")),
        "Steps",
        "500,000",
        "50,000",
    ),
    (
        (("Steps", "500,000"), ("Step time", "3.1 s"), ("Layers", "80")),
        "Training time",
        "17.9 days",
        "179 days",
    ),
)


def _as_list(rows: tuple[tuple[str, str], ...]) -> str:
    return "\n".join(f"- {label}: {value}" for label, value in rows)


def _as_table(rows: tuple[tuple[str, str], ...]) -> str:
    return "| item | value |\n|---|---|\n" + "\n".join(f"| {label} | {value} |" for label, value in rows)


@pytest.mark.parametrize("form", [_as_list, _as_table])
@pytest.mark.parametrize(("given", "label", "right", "wrong"), SETS)
def test_a_value_follows_from_the_others(
    form: Callable[..., str], given: tuple[tuple[str, str], ...], label: str, right: str, wrong: str
) -> None:
    assert not false_numbers(form((*given, (label, right))))
    assert is_true(form((*given, (label, right))), right)
    assert len(false_numbers(form((*given, (label, wrong))))) == 1


@pytest.mark.parametrize(
    "rows",
    [
        (
            ("GPUs", "256"),
            ("GPUs", "128"),
            ("Duration", "12 days"),
            ("GPU-hours", "36,864"),
        ),  # which of the two
        (("GPUs", "256"), ("Duration", "12 days"), ("GPU-hours", "70,100")),  # some were idle
        (("GPUs", "256 to 512"), ("Duration", "12 days"), ("GPU-hours", "3,072")),
        (("Hidden size", "4,096"), ("Heads", "32"), ("Head dimension", "96")),
        (("Steps", "0"), ("Step time", "0 s"), ("Training time", "0 days")),
        (("Hidden size", "4,096"), ("Heads", "0"), ("Head dimension", "64")),
    ],
)
@pytest.mark.parametrize("form", [_as_list, _as_table])
def test_what_is_open_is_left_alone(form: Callable[..., str], rows: tuple[tuple[str, str], ...]) -> None:
    assert not false_numbers(form(rows))
