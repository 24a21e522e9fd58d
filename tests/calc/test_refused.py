"""Lines that are wrong and must be refused, each with the kind of mistake, and none with a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.calc import CalcError, calculate
from derive.cli.calc import command

BATTERY = Path(__file__).resolve().parents[3] / "shared" / "unit_battery.json"

# (line, unit asked for or None, kind)
UNITS = [
    ("7B", None, "ambiguous-unit"),
    ("70B/8", None, "ambiguous-unit"),
    ("70B / 8 GPUs", None, "ambiguous-unit"),
    ("7B + 1 byte", None, "ambiguous-unit"),
    ("7B * 2", "GB", "ambiguous-unit"),
    ("7 B params * 2 B/param", None, "ambiguous-unit"),
    ("7b params * 2 B/param", None, "ambiguous-unit"),
    ("16×128×2B", None, "ambiguous-unit"),
    ("8k", None, "ambiguous-unit"),
    ("8k * 2 B", None, "ambiguous-unit"),
    ("15T", None, "ambiguous-unit"),
    ("6 * 7B * 15T", None, "ambiguous-unit"),
    ("15T + 1 tesla", None, "ambiguous-unit"),
    ("70M / 2", None, "ambiguous-unit"),
    ("80G", None, "ambiguous-unit"),
    ("32 GT/s + 1 T/s(tesla)", None, "ambiguous-unit"),
    ("228 KB", "B", "ambiguous-unit"),
    ("2048 * 4KB", "MB", "ambiguous-unit"),
    ("512 mb", "B", "ambiguous-unit"),
    ("50 mB", "B", "ambiguous-unit"),
    ("80 gb", None, "ambiguous-unit"),
    ("900 GBs", None, "ambiguous-unit"),
    ("312 Tflops * 40%", None, "ambiguous-unit"),
    ("1.5 petaflops", None, "ambiguous-unit"),
    ("312 tflops", None, "unknown-unit"),
    ("80 Gig", None, "unknown-unit"),
    ("5 tesla", None, "unknown-unit"),
    ("3 nats", None, "unknown-unit"),
    ("80 GB", "gigs", "unknown-unit"),
    ("5 months", None, "unknown-unit"),
    ("3 m", None, "unknown-unit"),
]
DIMENSIONS = [
    ("16 GB + 2 GFLOP", None, "dimension"),
    ("137 GFLOP / (3.35 TB/s)", "ms", "dimension"),
    ("14 GB / (989 TFLOP/s)", "ms", "dimension"),
    ("16777216 element", "MB", "dimension"),
    ("7e9 param * 4", "GB", "dimension"),
    ("7e9 params * 2 bytes", "GB", "dimension"),
    ("7e9 param / (2 byte/param)", "GB", "dimension"),
    ("4096 tokens * 2 bytes", "kB", "dimension"),
    ("4096 tokens + 2 GB", None, "dimension"),
    ("1 Gbit/s", "GHz", "dimension"),
    ("3.35 TB/s + 1.98 GHz", None, "dimension"),
    ("1979 TOP/s + 989 TFLOP/s", None, "dimension"),
    ("10 TFLOP / (1979 TOPS)", "ms", "dimension"),
    ("1 GMAC + 1 GOP", None, "dimension"),
    ("2130 token/s + 32 sequence/s", None, "dimension"),
    ("16 GFLOP/token * 8 sequence", "GFLOP", "dimension"),
    ("1.07 GB/sequence * 4096 token", "GB", "dimension"),
    ("20 ms/token", "token/s", "dimension"),
    ("33 ms/token + 20 ms", None, "dimension"),
    ("50 token/s", "ms/token", "dimension"),
    ("1.5e12 tokens * 6 * 7e9 params", "FLOP", "dimension"),
    ("6 FLOP/token * 15T tokens * 7B params", "FLOP", "dimension"),
    ("989 TFLOP + 10 TFLOP/s", None, "dimension"),
    ("989 TFLOPS", "TFLOP", "dimension"),
    ("40 TFLOPS/s", None, "dimension"),
    ("80 GB/GPU + 640 GB/node", None, "dimension"),
    ("80 GB/GPU + 80 GB", None, "dimension"),
    ("8 GPUs * 80 GB + 100 GB/node", None, "dimension"),
    ("640 GB / 8 GPUs", "GB", "dimension"),
    ("400 token/s * 8 GPU", "token/s/GPU", "dimension"),
    ("684 MiB/layer + 8 GiB", None, "dimension"),
    ("684 MiB/layer", "GiB", "dimension"),
    ("90 days * 2048 GPUs", "days", "dimension"),
    ("2 TB/s * 3 GPU-hours", "TB", "dimension"),
    ("700 W", "kWh", "dimension"),
    ("700 W + 24 h", None, "dimension"),
    ("$2/GPU-hour * 90 days", "$", "dimension"),
    ("$2/hour + $3", None, "dimension"),
    ("5 GB * 3 GB", "GB", "dimension"),
    ("log2(8 GB)", None, "dimension"),
    ("2^(3 GB)", None, "dimension"),
    ("ceil(3.2 GB)", None, "dimension"),
    ("max(3 ms, 4 GB)", None, "dimension"),
    ("3 GB < 4 s", None, "dimension"),
    ("(2 GB)^sqrt(2)", None, "dimension"),
    ("384-bit * 19.5 Gbps", "GB/s", "dimension"),
    ("10 PFLOP / 989 TFLOP", "s", "dimension"),
]
BARE = [
    ("16 byte + 4", None, "bare-number"),
    ("62 FLOP/byte + 295", None, "bare-number"),
    ("62 FLOP/byte < 295", None, "bare-number"),
    ("139 + 30 us", None, "bare-number"),
    ("max(139, 30 us)", None, "bare-number"),
    ("7e9 * 2", "GB", "bare-number"),
    ("1 - 20 ms", None, "bare-number"),
    ("80 GB == 80", None, "bare-number"),
]
KINDS = [
    ("1979 TFLOP/s [sparse] + 989 TFLOP/s [dense]", None, "kind"),
    ("1979 TFLOP/s [sparse] - 989 TFLOP/s", None, "kind"),
    ("420 TFLOP/s / 1979 TFLOP/s [sparse] as MFU", None, "kind"),
    ("1e15 FLOP / (1979 TFLOP/s [sparse])", "s", "kind"),
    ("1e15 FLOP * (1 / (1979 TFLOP/s [sparse]))", "s", "kind"),
    ("989 TFLOP/s [dense] / (1979 TFLOP/s [sparse])", None, "kind"),
    ("max(989 TFLOP/s [dense], 1979 TFLOP/s [sparse])", None, "kind"),
    ("989 TFLOP/s [dense] < 1979 TFLOP/s [sparse]", None, "kind"),
    ("1e15 FLOP [fp8] / (989 TFLOP/s [bf16])", None, "kind"),
    ("989 TFLOP/s [bf16] + 1979 TFLOP/s [fp8]", None, "kind"),
    ("1979 TFLOP/s as dense", None, "kind"),
    ("989 TFLOP/s [bf16] as fp8", None, "kind"),
    ("900 GB/s [both-ways] + 450 GB/s [per-direction]", None, "kind"),
    ("2 GB / (900 GB/s [both-ways])", "ms", "kind"),
    ("900 GB/s [both-ways] / (64 GB/s [each-way])", None, "kind"),
    ("235 GB/s / (600 GB/s [bidirectional]) as utilization", None, "kind"),
    ("900 GB/s as each-way", None, "kind"),
    ("900 GB/s [sparse]", None, "kind"),
    ("989 TFLOP/s [each-way]", None, "kind"),
    ("989 TFLOP/s [dense] [sparse]", None, "kind"),
    ("80 GB [nominal]", "GiB", "kind"),
    ("80 GB [nominal] - 14 GB", None, "kind"),
    ("80 GB [nominal] / (3.35 TB/s)", None, "kind"),
    ("14 GB < 80 GB [nominal]", None, "kind"),
    ("5 GB [huge]", None, "unknown-kind"),
    ("1979 TFLOP/s [sparse, dense]", None, "unknown-kind"),
]
SHARES = [
    ("1187 TFLOP/s / (989 TFLOP/s) as MFU", None, "utilization"),
    ("1187/989 MFU", None, "utilization"),
    ("104% MFU", None, "utilization"),
    ("MFU = 1187 TFLOP/s / 989 TFLOP/s", None, "utilization"),
    ("1187/989", "MFU", "utilization"),
    ("420 TFLOP/s / 1979 TFLOPS sparse", "MFU", "kind"),
    ("120% utilization * 3.35 TB/s", None, "utilization"),
    ("(5.98 TB/s / (4.8 TB/s)) [utilization]", None, "utilization"),
    ("989/700 efficiency", None, "utilization"),
    ("60% MFU + 50% MFU", None, "utilization"),
    ("-5% MFU", None, "utilization"),
    ("40 MFU", None, "utilization"),
    ("3.35 TB/s as MFU", None, "dimension"),
]
FORM = [
    ("", None, "empty"),
    ("   ", None, "empty"),
    ("16 GB +", None, "syntax"),
    ("(16 GB", None, "syntax"),
    ("16 GB)", None, "syntax"),
    ("()", None, "syntax"),
    ("1 2", None, "syntax"),
    ("1 024 B", None, "syntax"),
    ("2 GB = 3 GB", None, "syntax"),
    ("7 // 2", None, "syntax"),
    ("1 << 30", None, "syntax"),
    ("0x10", None, "syntax"),
    ("min(1)", None, "syntax"),
    ("sqrt(1, 2)", None, "syntax"),
    ("80 GB in", None, "syntax"),
    ("80 GB", "2 GB", "syntax"),
    ("GB^1.5", None, "syntax"),
    ("1,5 GB", None, "ambiguous-number"),
    ("1.024.000 B", None, "ambiguous-number"),
    ("max(1,024)", None, "ambiguous-number"),
    ("1000 tokens / 5 s / GPU", None, "ambiguous"),
    ("6e21 FLOP / 3*10^14 FLOP/s", None, "ambiguous"),
    ("8 GB / 2(3 + 1)", None, "ambiguous"),
    ("10–20 GB", None, "ambiguous"),
    ("3 token/s GB", None, "ambiguous"),
    ("3 token/GPU KB", None, "ambiguous-unit"),
    ("3 token/GPU KV heads", None, "ambiguous"),
    ("log(8)", None, "unknown-name"),
    ("foo(8)", None, "unknown-name"),
    ("h100-sxm.colour", None, "unknown-name"),
    ("h900-sxm.peak[bf16]", None, "unknown-name"),
    ("h100-sxm.peak", None, "ambiguous"),
    ("gpt2-small.tied", None, "unknown-name"),
    ("1/0", None, "domain"),
    ("3 GB / (2 s - 2 s)", None, "domain"),
    ("0^-1", None, "domain"),
    ("sqrt(-1)", None, "domain"),
    ("(-8)^0.3", None, "domain"),
    ("log2(0)", None, "domain"),
    ("nan", None, "domain"),
    ("inf GB", None, "domain"),
]
HOSTILE = [
    ("9**9**9**9", None, "too-large"),
    ("10**10**8", None, "too-large"),
    ("2^(2^30)", None, "too-large"),
    ("1e999", None, "too-large"),
    ("1e-999999999999", None, "too-large"),
    ("1e300*1e300*1e300*1e300*1e300", None, "too-large"),
    ("1e200 * 1e200", None, "too-large"),
    ("exp(1e5)", None, "too-large"),
    ("GB^99", None, "too-large"),
    ("(1 GB)^20", None, "too-large"),
    ("2^⁹⁹⁹⁹⁹⁹⁹⁹", None, "too-large"),
    ("2⁹⁹⁹⁹⁹⁹⁹⁹", None, "too-large"),
    ("(" * 100_000 + "1" + ")" * 100_000, None, "too-large"),
    ("(" * 200 + "1" + ")" * 200, None, "too-large"),
    ("-" * 1500 + "1", None, "too-large"),
    ("2^" * 900 + "2", None, "too-large"),
    ("1+" * 900 + "1", None, "too-large"),
    ("9" * 1_000_000, None, "too-large"),
    ("9" * 1500, None, "too-large"),
    ("sqrt(" * 100 + "2" + ")" * 100, None, "too-large"),
    ("__import__('os').system('true')", None, "syntax"),
    ("().__class__.__bases__", None, "syntax"),
    ("__builtins__", None, "unknown-name"),
    ("x.__class__", None, "unknown-name"),
    ("lambda: 1", None, "unknown-unit"),
    ("16 GВ", None, "character"),  # Cyrillic Ve
    ("16 ΜB", None, "character"),  # Greek capital Mu
    ("１６ GB", None, "character"),  # fullwidth digits
    ("1\u200b6 GB", None, "character"),  # zero-width space
    ("16 GB\x00", None, "character"),
    ("16 GB \u202e s", None, "character"),  # right-to-left override
    ("16 GB; rm -rf", None, "syntax"),
    ("80 GB", "GB" * 3000, "too-large"),
]
ALL = [*UNITS, *DIMENSIONS, *BARE, *KINDS, *SHARES, *FORM, *HOSTILE]

# The battery's refusals, and the kind of each; the other cases have values.
BATTERY_KINDS = {
    "S07": "ambiguous-unit", "S08": "ambiguous-unit", "S09": "ambiguous-unit", "S12": "ambiguous-unit",
    "S13": "ambiguous-unit", "S14": "ambiguous-unit", "D01": "dimension", "D02": "bare-number", "D03": "bare-number",
    "D04": "dimension", "D05": "dimension", "D07": "dimension", "D08": "dimension", "D09": "dimension",
    "D11": "dimension", "D12": "dimension", "D13": "dimension", "D15": "dimension", "D17": "dimension", "K01": "kind",
    "K02": "kind", "K03": "dimension", "K04": "dimension", "K05": "kind", "N02": "utilization", "N04": "bare-number",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "to", "kind"), ALL, ids=[f"{line[:40]!r} {(to or '')[:20]}" for line, to, _ in ALL]
)
def test_a_wrong_line_is_refused_with_its_kind(line: str, to: str | None, kind: str) -> None:
    with pytest.raises(CalcError) as caught:
        calculate(line, to=to)
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700


def test_the_battery_is_answered_in_full() -> None:
    if not BATTERY.is_file():
        pytest.skip("../shared is not beside the checkout")
    cases = json.loads(BATTERY.read_text("utf-8"))
    assert len(cases) == 40
    for case in cases:
        arguments = [case["expr"], "--json", *(["--to", case["to"]] if case["to"] else [])]
        result = CliRunner().invoke(command, arguments)
        said = json.loads(result.stdout)
        if case["id"] in BATTERY_KINDS:
            assert "error" in case["right"], case
            assert (result.exit_code, said["error"]) == (2, BATTERY_KINDS[case["id"]]), case
            assert said["message"]
        else:
            assert result.exit_code == 0, case
            due = float(case["right"].rpartition("value ")[2])
            assert said["value"] == pytest.approx(due, rel=2e-5), case


@pytest.mark.parametrize(
    ("line", "to", "hint"),
    [
        ("20 ms/token", "token/s", "1/(20 ms/token)"),
        ("7e9 param * 4", "GB", "byte/parameter"),
        ("7e9 param / (2 byte/param)", "GB", "7e9 param * (2 byte/param)"),
        ("1.5e12 tokens * 6 * 7e9 params", "FLOP", "6 FLOP/param/token"),
        ("1979 TFLOP/s [sparse] + 989 TFLOP/s [dense]", None, "as dense"),
        ("900 GB/s [both-ways] + 450 GB/s", None, "as each-way"),
        ("80 GB [nominal]", "GiB", "as binary"),
        ("228 KB", None, "KiB"),
        ("70B/8", None, "70e9"),
        ("80 gB", None, "GB"),
        ("139 + 30 us", None, "139 us"),
        ("10 PFLOP / 989 TFLOP", "s", "989 TFLOP/s"),
        ("2 GB = 3 GB", None, "derive check"),
        ("684 MiB/layer + 8 GiB", None, "* 32 layer"),
        ("h10-sxm.bandwidth", None, "h100-sxm"),
    ],
)
def test_a_refusal_says_what_was_probably_meant(line: str, to: str | None, hint: str) -> None:
    with pytest.raises(CalcError) as caught:
        calculate(line, to=to)
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("16 GB + 2 GFLOP", "2 GFLOP"),
        ("62 FLOP/byte + 295", "295"),
        ("8 GB * 3 foo", "foo"),
        ("7B + 1 byte", "B"),
        ("16 GB / 900 GB/s [both-ways]", "900 GB/s [both-ways]"),
        ("(3 + 4", "("),
        ("512 mb + 1 B", "mb"),
    ],
)
def test_the_caret_stands_under_the_place(line: str, marked: str) -> None:
    result = CliRunner().invoke(command, [line])
    assert result.exit_code == 2
    assert result.stdout == ""
    rows = result.stderr.splitlines()
    assert rows[1] == f"  {line}"
    start = line.index(marked)
    assert rows[2] == "  " + " " * start + "^" * len(marked)


def test_a_refusal_within_a_long_line_shows_the_part_around_it() -> None:
    line = "1 GB + " * 40 + "1 s" + " + 1 GB" * 10
    result = CliRunner().invoke(command, [line])
    shown, caret = result.stderr.splitlines()[1:3]
    assert len(shown) <= 102
    assert shown[caret.index("^") : caret.rindex("^") + 1] == "1 s"
