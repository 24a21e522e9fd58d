"""Lines that are right and must pass, each with its exact value worked out in plain fractions.

The numbers are those of datasheets, papers, issues and price lists; the spellings are
those in which people write them.
"""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from derive.calc import calculate

PLAIN = "dimensionless"
DAY = 86400

# (line, unit asked for or None, value, unit of the answer)
MEMORY = [
    ("7B params * 2 bytes/param", "GB", 14, "GB"),
    ("70e9 params * 2 bytes/param / 80 GB per GPU", None, F(70 * 2, 80), "GPU"),
    ("671B params * 1 byte/param / (8 GPUs * 141 GB/GPU)", None, F(671, 8 * 141), PLAIN),
    ("4 bit/param × 70B params in GB", None, 35, "GB"),
    ("4.5 bits per weight * 70B weights", "GB", F(45 * 70, 80), "GB"),
    ("16B/param * 7e9 param", "GB", 112, "GB"),
    ("(2 + 2 + 12) bytes/param * 1.5B params", "GB", 24, "GB"),
    ("175B params * 2 * 4 byte/param -> GB", None, 1400, "GB"),
    ("2 × 80 layers × 8 heads × 128 × 2 bytes", "B", 2 * 80 * 8 * 128 * 2, "B"),
    ("2 * 32 layer * 8 heads * 128 element/head * 2 byte/element/layer", "kB", F(131072, 1000), "kB"),
    ("2 * 80 * 8 * 128 * 2 byte/token * 4,096 tokens", "B", 1342177280, "B"),
    ("2 * 40 * 5120 * 2 bytes/token * 8192 tokens in GiB", None, F(2 * 40 * 5120 * 2 * 8192, 2**30), "GiB"),
    ("8k tokens * 160 kB/token", "GB", F(128, 100), "GB"),
    ("131072 tokens × 2 bytes/token", "KiB", 256, "KiB"),
    ("152064 * 3584 * 2 B -> GiB", None, F(152064 * 3584 * 2, 2**30), "GiB"),
    ("256 * 2048 * 32000 elements * 2 byte/element", "GB", F(256 * 2048 * 32000 * 2, 10**9), "GB"),
    (
        "34 * 2048 * 4 * 12288 B + 5 * 96 * 2048² * 4 B",
        "B",
        34 * 2048 * 4 * 12288 + 5 * 96 * 2048**2 * 4,
        "B",
    ),
    ("80 GB", "GiB", F(80 * 10**9, 2**30), "GiB"),
    ("81559 MiB in GB", None, F(81559 * 2**20, 10**9), "GB"),
    ("13,880,772 KiB", "GB", F(13880772 * 1024, 10**9), "GB"),
    ("1 TiB - 1 TB", "GB", F(2**40 - 10**12, 10**9), "GB"),
    ("2^30 B", "MiB", 1024, "MiB"),
    ("2**20 bytes", "KiB", 1024, "KiB"),
    ("64 KiB/SM * 132 SMs", "MiB", F(64 * 132, 1024), "MiB"),
    ("80 GB [nominal] as binary", "GB", F(80 * 2**30, 10**9), "GB"),
    ("80 GB [nominal] as decimal", "GiB", F(80 * 10**9, 2**30), "GiB"),
    ("14.3 GB of weights + 2.1 GB of KV cache", "GB", F(164, 10), "GB"),
    ("sqrt(16 GB^2)", None, 4, "GB"),
    ("8x80 GB", "GB", 640, "GB"),
    ("8 GPUs × 80 GB", "GB", 640, "GB"),
    ("0.5 * 80GB", "GB", 40, "GB"),
    ("33.5 MB/layer * 32 layers", "GB", F(335 * 32, 10**4), "GB"),
    ("16777216 elements × 4.25 bits/element", "MB", F(16777216 * 425, 100 * 8 * 10**6), "MB"),
    ("−3 GB + 5 GB", "GB", 2, "GB"),
    ("1 kB + 1 KiB", "B", 2024, "B"),
    ("KV cache = 2 * 80 * 8 * 128 * 2 B", None, 2 * 80 * 8 * 128 * 2, "B"),
    ("~80 GB * 2", "GB", 160, "GB"),
    ("80 GB/GPU * 8 GPU/node * 4 nodes", "TB", F(256, 100), "TB"),
]
TIME = [
    ("2*7/8 * 2 GB / (64 GB/s)", None, F(14, 8) * 2 / 64, "s"),
    ("16 GB / 3.35 TB/s", "ms", F(16, 10**3) / F(335, 100) * 1000, "ms"),
    ("16GB/3.35TB/s", "ms", F(16, 10**3) / F(335, 100) * 1000, "ms"),
    ("16 GB / 3.35 TB / s -> ms", None, F(16, 10**3) / F(335, 100) * 1000, "ms"),
    ("140 GB / 3.35 TB/s in ms", None, F(140, 3350) * 1000, "ms"),
    ("137 GFLOP / (989 TFLOP/s)", "us", F(137 * 10**9, 989 * 10**12) * 10**6, "us"),
    ("max(137 GFLOP/(989 TFLOPS), 16 GB/(3.35 TB/s))", "s", F(16 * 100, 1000 * 335), "s"),
    ("2 GB / (900 GB/s [both-ways] as each-way)", "ms", F(2, 450) * 1000, "ms"),
    ("2 GB / 450 GB/s [each-way]", "ms", F(2, 450) * 1000, "ms"),
    ("2*(8-1)/8 * 512 MB / (450 GB/s)", "ms", F(14, 8) * F(512, 450), "ms"),
    ("139 us + 0.03 ms", "ms", F(169, 1000), "ms"),
    ("5 µs × 14 steps + 3 us", "us", 73, "us"),
    ("3.14e23 FLOP / (312 TFLOPS * 40% * 1024 GPUs)", "days", F(314 * 10**21, 312 * 4 * 10**11 * 1024 * DAY), "day"),
    ("6 FLOP/param/token * 175B params * 300B tokens / (1024 GPUs * 140 TFLOP/s/GPU) in days", None,
     F(6 * 175 * 300 * 10**18, 1024 * 140 * 10**12 * DAY), "day"),
    ("6 * 7×10^9 * 10^12 FLOP / 4×10^14 FLOP/s", "s", F(6 * 7 * 10**21, 4 * 10**14), "s"),
    ("44 days * 8960 / 171 in years", None, F(44 * 8960, 171 * 365), "year"),
    ("1/(50 tokens/s)", "ms/token", 20, "ms/token"),
    ("33 ms per token * 500 tokens", "s", F(33, 2), "s"),
    ("min(5 min, 200 s)", "s", 200, "s"),
    ("3 days in hours", None, 72, "hour"),
    ("1.5 h + 30 min", "hours", 2, "hour"),
    ("1e6 cycles / (1.98 GHz)", "us", F(10**6, 1980), "us"),
    ("4 GMAC / (989 TFLOP/s)", "us", F(8 * 10**9, 989 * 10**12) * 10**6, "us"),
    ("1e15 FLOP / (1979 TFLOP/s [sparse] as dense)", "s", F(2 * 10**15, 1979 * 10**12), "s"),
]  # fmt: skip
RATES = [
    ("400 Gb/s in GB/s", None, 50, "GB/s"),
    ("400 Gbps", "GB/s", 50, "GB/s"),
    ("900 GBps", "TB/s", F(9, 10), "TB/s"),
    ("384 * 19.5 Gbps", "GB/s", F(384 * 195, 80), "GB/s"),
    ("5120 bit * 2 * 2.6 GHz / (1 cycle)", "TB/s", F(5120 * 2 * 26, 80 * 1000), "TB/s"),
    ("32 GT/s * 16 bit/transfer * 128b/130b", "GB/s", F(32 * 16 * 128, 130 * 8), "GB/s"),
    ("18 links * 25 GB/s/link", "GB/s", 450, "GB/s"),
    ("989 TFLOP/s / (3.35 TB/s)", "FLOP/byte", F(98900, 335), "FLOP/byte"),
    ("989 TFLOP/s / (3.35 TB/s)", None, F(98900, 335), "FLOP/byte"),
    ("1979 TFLOP/s [sparse] / (3.35 TB/s) as dense", "FLOP/byte", F(197900, 670), "FLOP/byte"),
    ("132 SMs * 4096 FLOP/cycle * 1.83 GHz", "TFLOP/s", F(132 * 4096 * 183, 10**5), "TFLOP/s"),
    ("64B/cycle * 1.98 GHz", "GB/s", F(6400 * 198, 10**4), "GB/s"),
    ("989 TFLOPS", "FLOP/s", 989 * 10**12, "FLOP/s"),
    ("1979 TOPS", "OP/s", 1979 * 10**12, "OP/s"),
    ("40 % * 989 TFLOP/s", "TFLOP/s", F(3956, 10), "TFLOP/s"),
    ("40% of 989 TFLOPS", "TFLOP/s", F(3956, 10), "TFLOP/s"),
    ("312 TFLOPS * 40% * 1024 GPUs", "PFLOP/s", F(312 * 4 * 1024, 10**4), "PFLOP/s"),
    ("1/(20 ms/token)", "token/s", 50, "token/s"),
    ("1/(20 ms/token)", None, 50, "token/s"),
    ("3.35 TB/s / (14 GB/token)", "tokens/s", F(3350, 14), "token/s"),
    ("1000 tokens / 5 s / GPU -> token/s/GPU", None, 200, "token/s/GPU"),
    ("2,400 output tokens/sec", "token/min", 144000, "token/min"),
    ("100 requests/s * 2 GB/request", None, 200, "GB/s"),
    ("45 tok/s/user * 32 users", None, 1440, "tok/s"),
    ("1M tokens/s / 64 GPUs", "token/s/GPU", 15625, "token/s/GPU"),
    ("62 flops/byte", "FLOP/byte", 62, "FLOP/byte"),
    ("5 TFLOPS/KV head * 8 KV heads", None, 40, "TFLOP/s"),
    ("1979 TFLOPS sparse as dense -> TFLOP/s", None, F(1979, 2), "TFLOP/s"),
    ("900 GB/s (bidirectional) as unidirectional", "GB/s", 450, "GB/s"),
    ("7.8 TB/s * 0.9", "GB/s", 7020, "GB/s"),
    ("1979 TFLOP/s [sparse] as dense + 989 TFLOP/s [dense]", "TFLOP/s", F(3957, 2), "TFLOP/s"),
    ("900 GB/s [both-ways] as each-way + 450 GB/s [each-way]", "GB/s", 900, "GB/s"),
    ("989 TFLOP/s [dense, bf16] + 11 TFLOP/s", "PFLOP/s", 1, "PFLOP/s"),
    ("989 TFLOP/s/GPU / (700 W/GPU)", "GFLOP/J", F(989000, 700), "GFLOP/J"),
]
WORK = [
    ("6 FLOP/param/token * 7B params * 15T tokens", "FLOP", 6 * 7 * 15 * 10**21, "FLOP"),
    ("6 FLOP/(param·token) × 70e9 param × 1.4e12 token", "FLOP", 6 * 7 * 14 * 10**21, "FLOP"),
    ("1.5e12 tokens * 6 * 7e9 params", None, 63 * 10**21, "token·param"),
    ("2 * 4096^3 FLOP", "GFLOP", F(2 * 4096**3, 10**9), "GFLOP"),
    ("2*512*512*512 FLOP in MFLOP", None, F(2 * 512**3, 10**6), "MFLOP"),
    ("4 × 8192² × 128 FLOP", "GFLOP", F(4 * 8192**2 * 128, 10**9), "GFLOP"),
    ("1 GMAC + 1 GFLOP", "GFLOP", 3, "GFLOP"),
    ("4.1 GMACs", "GFLOP", F(82, 10), "GFLOP"),
    ("3640 PFLOP/s-days", "FLOP", 3640 * 10**15 * DAY, "FLOP"),
    ("3640 PFLOP-days", "FLOP", 3640 * 10**15 * DAY, "FLOP"),
    ("3.14e23 FLOP", "PFLOP-days", F(314 * 10**21, 10**15 * DAY), "PFLOP-day"),
    ("16 GFLOP/token * 4096 tokens", "TFLOP", F(16 * 4096, 1000), "TFLOP"),
]
MONEY_AND_POWER = [
    ("$2.50/hour * 24 hours", "$", 60, "$"),
    ("$2/GPU-hour * 2048 GPUs * 90 days", "USD", 2 * 2048 * 90 * 24, "USD"),
    ("2.788M H800 GPU hours * $2 per GPU hour", "$", 5576000, "$"),
    ("90 days * 2048 GPUs in GPU-hours", None, 90 * 24 * 2048, "GPU-hour"),
    ("$15 per million tokens * 3M tokens", "$", 45, "$"),
    ("$1.29/hr / (2,400 tok/s) in $/Mtok", None, F(129 * 10**6, 100 * 2400 * 3600), "$/Mtok"),
    ("$2.00/GPU-hour / (800 tokens/s/GPU)", "$/Mtok", F(2 * 10**6, 800 * 3600), "$/Mtok"),
    ("$30,000 / (5 years * 60%)", "$/hour", F(30000, 5 * 365 * 24) / F(6, 10), "$/hour"),
    ("$2.5B / 100k GPUs", "$/GPU", 25000, "$/GPU"),
    ("700 W * 24 h", "kWh", F(168, 10), "kWh"),
    ("700 W * 8 GPUs", "kW", F(56, 10), "kW"),
    ("0.12 $/kWh * 700 W * 30 days", "$", F(12 * 7 * 30 * 24, 1000), "$"),
    ("1.2 kW / (60 tok/s)", "J/token", 20, "J/token"),
    ("16K GPUs * 700 W/GPU", "MW", F(112, 10), "MW"),
    ("5 pJ/bit * 16 GB", "J", F(5 * 128 * 10**9, 10**12), "J"),
]
PLAIN_NUMBERS = [
    ("-2^2", None, -4, PLAIN),
    ("2^3^2", None, 512, PLAIN),
    ("2^-3", None, F(1, 8), PLAIN),
    ("1,024 * 2", None, 2048, PLAIN),
    ("6.02e23", None, 602 * 10**21, PLAIN),
    ("log2(8)", None, 3, PLAIN),
    ("math.log2(1024)", None, 10, PLAIN),
    ("log10(0.001)", None, -3, PLAIN),
    ("ceil(140 GB / 80 GB)", None, 2, PLAIN),
    ("⌈140 GB / 80 GB⌉", None, 2, PLAIN),
    ("math.ceil(140/80)", None, 2, PLAIN),
    ("ceil(140 GB / (80 GB/GPU))", None, 2, "GPU"),
    ("floor(24 GB / (524288 B/token * 2000 token))", None, 22, PLAIN),
    ("max(100,200)", None, 200, PLAIN),
    ("max(1,024, 3)", None, 1024, PLAIN),
    ("400 TFLOP/s / (989 TFLOP/s) as MFU", None, F(400, 989), PLAIN),
    ("400/989 MFU", None, F(400, 989), PLAIN),
    ("9600 tokens/s * 50 GFLOP/token / 989 TFLOP/s as MFU", None, F(480, 989), PLAIN),
    ("MFU = 400 TFLOP/s / 989 TFLOP/s", None, F(400, 989), PLAIN),
    ("400/989", "MFU", F(400, 989), PLAIN),
    ("45% MFU * 20% utilization", None, F(9, 100), PLAIN),
    ("1187 TFLOP/s / (989 TFLOP/s)", None, F(1187, 989), PLAIN),
    ("62 FLOP/byte < 295 FLOP/byte", None, True, PLAIN),
    ("1 GiB == 1024 MiB", None, True, PLAIN),
    ("80 GB >= 80 GiB", None, False, PLAIN),
    ("0.25 -> %", None, 25, "%"),
    ("=7e9*2/1e9", None, 14, PLAIN),
    ("16 GB * 8 / (1 GB) = ?", None, 128, PLAIN),
    ("12 divided by 4 times 3 plus 1", None, 10, PLAIN),
    ("2 (3 + 4)", None, 14, PLAIN),
    ("10⁹ / 10³", None, 10**6, PLAIN),
    ("round(7.5)", None, 8, PLAIN),
]  # fmt: skip
ALL = [*MEMORY, *TIME, *RATES, *WORK, *MONEY_AND_POWER, *PLAIN_NUMBERS]


@pytest.mark.parametrize(
    ("line", "to", "value", "unit"), ALL, ids=[f"{line} {to or ''}" for line, to, *_ in ALL]
)
def test_a_right_line_has_its_exact_value(line: str, to: str | None, value: F, unit: str) -> None:
    answer = calculate(line, to=to)
    assert answer.value == value
    assert answer.unit == unit


def test_irrational_values_are_floats() -> None:
    assert calculate("sqrt(2)").value == pytest.approx(2**0.5, rel=1e-15)
    assert calculate("2^(1/2) GB", to="MB").value == pytest.approx(1000 * 2**0.5, rel=1e-15)
    assert calculate("exp(1)").value == pytest.approx(2.718281828459045, rel=1e-15)
    assert calculate("ln(10)").value == pytest.approx(2.302585092994046, rel=1e-15)
