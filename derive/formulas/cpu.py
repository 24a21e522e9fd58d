"""A CPU's two rates, counted from its parts: what its lanes can do, what its memory channels carry.

Both are products of a count and a rate. The peak counts fused multiply-adds, the
only instructions that reach it; the bandwidth counts transfers on every channel
at once. Their quotient is the ridge of the machine (roofline.ridge).
"""

from derive import (
    BYTE,
    CYCLE,
    FLOP,
    TRANSFER,
    Derivation,
    Equal,
    Example,
    Ledger,
    Put,
    SpecialCase,
    count,
    quantity,
)

cores = count("cores", "cores", role="hardware.cores")
clock = quantity("clock", "clock rate under vector load", "cycle/s", role="hardware.clock")
units = count("units", "fused multiply-add units a core", role="hardware.fma_units")
lanes = count("lanes", "fp32 lanes a unit", role="hardware.lanes")
channels = count("channels", "memory channels", role="hardware.channels")
rate = quantity("rate", "transfers a second on each channel", "transfer/s", role="hardware.transfer_rate")
bus = quantity("bus", "bytes that a channel moves at a transfer", "byte/transfer", role="hardware.bus_width")

cycle = Ledger(
    ("multiplications", "one in every lane of every unit", cores * units * lanes * FLOP / CYCLE),
    ("additions", "the same instruction adds the product to its sum", cores * units * lanes * FLOP / CYCLE),
    title="one cycle of all cores",
)

peak = Derivation(
    "P",
    "Peak rate of a CPU",
    unit="FLOP/s",
    about="""Every unit starts a fused multiply-add on full vectors in every cycle, each of which counts as two
    operations. The clock is the one that holds under vector load, often below the one on the box; lanes
    are those of the precision in question: 8 in a 256-bit unit at fp32, 4 at fp64.""",
    start=cycle.total * clock,
    steps=[Equal(2 * cores * clock * units * lanes * FLOP / CYCLE, because="a multiply and an add a lane")],
    facts=[
        SpecialCase(
            {units: 1, lanes: 1},
            2 * cores * clock * FLOP / CYCLE,
            because="scalar code on one unit uses a single lane: a 16th where there are 2 units of 8 lanes",
        ),
    ],
    examples=[Example({"cores": 8, "clock": "3 GHz", "units": 2, "lanes": 8}, "0.768 TFLOP/s")],
)

memory_bandwidth = Derivation(
    "W",
    "Memory bandwidth of a CPU",
    unit="byte/s",
    about="""All channels transfer all the time. A channel is 64 bits wide; DDR5 counts it as two halves of 32
    bits that move at once. Refresh, turnaround and row misses are left out: streams reach 80 to 90 %.""",
    start=channels * bus * rate,
    steps=[
        Put(bus, 8 * BYTE / TRANSFER, because="64 wires carry 8 bytes at a transfer"),
        Equal(8 * channels * rate * BYTE / TRANSFER, because="bytes a transfer times transfers a second"),
    ],
    examples=[
        Example({"channels": 2, "rate": "5600e6 transfer/s"}, "89.6 GB/s"),
        Example({"channels": 2, "rate": "5600e6 transfer/s", "bus": "4 byte/transfer"}, "44.8 GB/s"),
    ],
    sources=["JEDEC JESD79-5, DDR5 SDRAM (two 32-bit subchannels a module)"],
)
