"""Equalities that are no claims, or that only look wrong: none of them is called false."""

from __future__ import annotations

import pytest

from derive.checking import check_text

LOOK_WRONG = (
    "| case | ms |\n|---|---|\n| b=4 s=4096 h=16 d=128 | 0.34 |\n",
    "started: n_threads=12 n_batch=-1 total_threads=24 cores=3",
    "scores at length 512 = -0.024 for the large one",
    "run 3 (2.188 bpw) +26 experts moved PPL=3.8887",
    "$6 = 3 \\times 2 = 3!$ ways",
    "a ratio of 3.27 : 1 = (955 / 4) : (1314 / 18)",
    "the layer has 1024 * 1024 * 2 (2 bytes per weight) = 2 MB",
    "thread 3 of block 2 gets idx = 2 * 256 + 3 = 515",
    "4 * 531,671,296 = 2,126,685,184 params * 18 = 38.28 GB",
    "the factor is $\\exp(1-6/2) \\approx 0.135$",
    "with $\\operatorname{rank}(3 \\cdot 4) = 3$",
    "we expect $1000 \\times 1 / 5 = 200$ requests/1k ticks",
    "163,000 × 256 kB = 42.7 GB",
    "groups of 256 chunks hold 16MB, 128MB, or 1GB by their size",
    "29 568 / 256 = 115 full blocks",
    "An H100 has 18 NVLink 4 links of 50 GB/s, both directions added; the ports run at 400 Gb/s.",
    "Llama 3 8B has 32 layers, hidden size 4096, an MLP width of 14336 and a vocabulary of 128,256.",
    "Each node has a port of 25 Gb/s. We measured that the local NVMe delivers 7 GB/s.",
    "- **2 × H200**: 282 GB together, 141 GB left.",
    "| format | min normal |\n|---|---|\n| FP16 | 2^-14 = 6.1e-5 |\n",
    "The form fits: 72.8 of 80 GB, i.e. 67.8 GiB.",
    "At about the same latency (28.0 vs 29.3 ms, a 4 % improvement) it is cheaper.",
    "Llama 3 70B has 40 KiB per GPU per token at TP=8.",
    "The “1,979 teraFLOPS” of the H100 data sheet for dense BF16 becomes 989.5.",
    "Each feed gives √3 × 415 × 63 = 45.3 kVA.",
    "On all 3,584 GPUs it takes 194 h, 8.1 days.",
    "Recomputing is 4 chunks of 219 ms = 0.88 s.",
    "We run the 70B at 8 bit = 70.6 GB.",
    "Plate against plate 3,432 × 0.989 = 3.39 to 5.51 EFLOP/s.",
    "The 4090 does 165 dense fp16 TFLOPS, 4 of them 660 TFLOPS.",
    "That makes 0.3 × 654 = 196 ms per second.",
    "A shard has 70.6/32 = 2.21B params.",
    "15T tokens at that speed on 1024 GPUs: 15×10^12 / 1.024e7 = 1.46e6 s.",
    "```text\n   kernel    bytes    at 4.8 TB/s   measured\n   qkv    75.5 MB    15.7 us    22.1 us\n"
    "   mlp    352.3 MB   73.4 us    88.0 us\n   norm   60.0 MB    12.5 us    19.0 us\n```",
    "On 2,048 GPUs 180,000/2,048 = 87.9 h = 3.7 days per trillion, 54.2 days overall.",
    "With both it's 2.788M hours, x $2 = $5.576M.",
    "No A100s: without FP8 the 405B of Llama 3.1 weighs 811.8 GB, which overflows the node.",
    "Output: 3.4 M x 640 = 2.18 G tokens a day.",
    "FLOPs: 2 · 4096^3 = 137.4 G. Bytes: 6 · 4096^2 = 100.7 MB.",
    "Slow period: 19 h 14 min = 19.23 h. From 10:05 on it is 3 h 45 min = 13,500 s.",
    "Per million, $0.44 / 0.20124M = $2.19 and $1,030,176 / 268,275 M = $3.84.",
    "That is 33.5% of the 2 x 1,979 = 3,958 dense FP8 TFLOPS.",
    "| tok/s | 25% utilisation | 40% utilisation |\n|---|---|---|\n| 2,800 | 1.11 | 0.69 |\n",
    "4 M tokens are 1,024 sequences of 4,096.",
    "Demand 121 = 4.1 / 3.4.",
    "PCIe 4.0 x8 is 16 GB/s nominal each way (x16: 32).",
    "Thanks to the reader who noticed that I'd written 16.06 GiB. It's 16.06 GB, i.e. 14.96 GiB.",
    "| B | GFLOP | t_mem us | bound | roofline TFLOP/s |\n|---|---|---|---|---|\n| 1 | 0.034 | 10.0 | memory | 3.35 |\n"
    "| 16 | 0.537 | 10.1 | memory | 53 |\n| 64 | 2.147 | 10.3 | memory | 208 |\n| 256 | 8.590 | 11.3 | memory | 762 |\n"
    "| 1024 | 34.4 | 15.0 | compute | 989 |\n",
    "| vendor | GPUs | $/h (day) | $ per year |\n|---|---|---|---|\n| A | 56 | 117.60 | 1,030,176 |\n"
    "| B | 56/28 | 148.40 | 1,083,320 |\n| C | 48 | 139.20 | 1,219,392 |\n| D | 40 | 108.00 | 946,080 |\n",
    "```text\nrack  boxes  GPUs  kW   breaker  used\nR1    4      32    40.8 48.0     85.0\n"
    "R2    3      24    30.6 48.0     63.8\nR3    12     48    25.2 32.0     78.8\n"
    "      total  104   96.6 128.0    75.5\n```",
    "On 64 H100s at 40 % of the dense peak of 989 TFLOP/s, thus 25.3 PFLOP/s for all of them, we go on.",
    "FP16's largest number is (2 - 2^-10) * 2^15 = 65,504.",
    "Summing ones in FP16 stops at 2048, where the spacing becomes 2.",
    'A reader objected that "a batch of 16 should give us 16 / 295 = 54 % of peak". It does not: it is 5.4 %.',
    "For a Llama 3 8B style MLP the hidden width is 14336.",
    "Redo section 2 for an MFU of 110 %. Why is the question silly?",
    "| format | element | scale | bits per element |\n|---|---|---|---|\n| mxfp8 | 8 bit | 8 bit | 8.25 |\n"
    "| mxfp4 | 4 bit | 8 bit | 4.25 |\n| nvfp4 | 4 bit | 8 bit | 4.5 |\n| int4 | 4 bit | 16 bit | 4.25 |\n",
    "| phase | bytes sent (GB) | link (GB/s) | time (ms) |\n|---|---|---|---|\n| reduce-scatter | 14.05 | 450 | "
    "31.2 |\n| all-reduce | 3.51 | 50 | 70.3 |\n| all-gather | 14.05 | 450 | 31.2 |\n| **sum** | | | **132.7** |\n",
    "Each moves 234.9 MB per GPU: 0.65 ms at 360 GB/s. There are 20 × 64 × 4 = 5,120 of them per step. "
    "At 360 GB/s that's 3.34 s.",
    "per token: 12.07 MWh = 43.5 GJ / 300e9 = 0.145 J/tok.",
    "```text\n             bf16       fp8      delta\nGPU-h        9,933      7,424    -2,509\n"
    "tok/s/gpu    8,381      11,231   +2,850\nhours        38.8       29.0     -9.8\n"
    "step s       1.955      1.459    -0.496\n```",
    "1,939 × 3,600 = 6.98 M tokens an hour; $3.60 / 6.98 = $0.52 per million.",
    "We recompute on H100: 8 × 989 TFLOPS dense BF16 × 50% = 3.96 PFLOPS.",
    "An H100 SXM has 989 TFLOP/s dense in BF16 (1979 TFLOP/s with 2:4 sparsity, which we never use).",
    "| step | arithmetic | result |\n|---|---|---|\n| IT | 392,500 GPU-h x 0.5 kW | 196,250 kWh |\n"
    "| all | 196,250 x 1.12 | 219,800 kWh |\n",
    "It has 128.5 GB and 16.1 GB a card. That does not fit in one 80 GB card. Over 8 cards it is 16.1 GB each.",
    "| chip | HBM BW/chip (bytes/s) | FLOPs/s/chip (bf16) | FLOPs/s/chip (int8) |\n|---|---|---|---|\n"
    "| TPU v4p | 1.2e12 | 2.75e14 | 2.75e14 |\n| TPU v5p | 2.8e12 | 4.59e14 | 9.18e14 |\n"
    "| TPU v5e | 8.2e11 | 1.97e14 | 3.94e14 |\n| TPU v6e | 1.6e12 | 9.20e14 | 1.84e15 |\n",
    "The MI300X has 64GBps GPU-to-GPU, but 448GBps in total on a board of 8 accelerators, since `64*7=448`.",
    "The node has 400 GB/s = 50 GB/s per GPU.",
    "The total overhead is $2\\times0.53=1.07\\%$ then.",
    "That is 702 TFLOP/s against 758 TFLOP/s, so the nominal lead of 32 % shrinks to 8 %.",
    "| | before | after | change |\n|---|---|---|---|\n| step (s) | 6.9 | 11.3 | +64% |\n"
    "| tokens/s | 1,215 | 742 | −39% |\n"
    "| PFLOP/s | 95.0 | 58.0 | −39% |\n| waiting (s) | 0.8 | 5.2 | 6.5× |\n",
    "| cause | events | hours each | hours | share |\n|---|---|---|---|---|\n| restart | 94 | 0.15 | 14.1 | 1.96% |\n"
    "| again | 94 | 0.07 | 6.6 | 0.91% |\n| stall | 3,600 | 0.00042 | 1.5 | 0.21% |\n"
    "| slow | 11 | 2.6 | 28.6 | 0.28% |\n"
    "| planned | 1 | 6.0 | 6.0 | 0.83% |\n\nA month has 30 days.",
    "The report gave a PUE of 1.82. That\nwas a typing error; 1.28 is right. "
    "July had 1.28, and the PUE of August was 1.28.",
    "Per million tokens, 0.0642 J × 10^6 / 3.6e6 = 0.0178 kWh.",
    "```\nA: 4 x 640              = 2,560\n   risers, PSU            +  310\n"
    "   old card sold          -  180\n"
    "   ------------------------------\n   total                   2,690\n```",
    "| line | May | June | Change, % |\n|---|---|---|---|\n| a | 2,390 | 1,912 | −20.0 |\n"
    "| b | 1,161 | 1,445 | +24.4 |\n"
    "| c | 253 | 276 | +9.1 |\n| all | 3,804 | 3,633 | −4.5 |\n",
    "It fills 671 of the 1,128 GB of eight H200; eight H100 with 640 GB are 31 GB short.",
    "| stage | hours (thousands) | cost (million) | share | cumulative (million) |\n|---|---|---|---|---|\n"
    "| first | 2,664 | $5.328 | 95.6 % | $5.328 |\n| second | 119 | $0.238 | 4.3 % | $5.566 |\n"
    "| third | 5 | $0.010 | 0.2 % | $5.576 |\n| total | 2,788 | $5.576 | 100 % | |\n",
    "We need 34 × 32 = 1,088 node-to-leaf + 40 × 32 = 1,280 leaf-to-spine cables.",
    "The state is short by 104 GB. Two cards hold 160 GB and are short by 24 GB; three hold 240 GB and leave 56 GB. "
    "Spread over the 8 cards of a node it comes to 23 GB per card, with 57 GB left for activations.",
    'Find the mistake.\n\n"Our 2 PB data set streams over a 100 Gb/s line in 5.6 hours."\n\nIt takes 44.4 h.',
    "Our 2 PB data set streams over a 100 Gb/s line in 5.6 hours.\n\nThe author forgot the eight.",
    "The week lost 102 h × 512 GPUs at $2.10 is about $110k.",
    "Its 180,000 GPU-hours per trillion tokens are 3.7 days on 2,048 GPUs.",
    "Memory: 8 x 72 GB (90% of 80) = 576; minus weights 141.2.",
    "| | today | new | together |\n|---|---|---|---|\n| GPUs | 768 | 1,296 | 2,064 |\n"
    "| peak kW | 778 | 2,376 | 3,154 |\n"
    "| HBM, TB | 61.4 | 241 | 302 |\n| PFLOPS per kW | 0.98 | 1.36 | 1.27 |\n",
    "| per step, on 8 GPUs | per node | per GPU |\n|---|---|---|\n| weights read (GB) | 141.2 | 17.65 |\n"
    "| KV read (GB) | 234.9 | 29.36 |\n| sum (GB) | 376.1 | 47.01 |\n| measured (ms) | 21.5 | 21.5 |\n",
    "Per GPU yes; a node of eight has 8 x 2.1 = 17% a year.",
    "- 15 T tokens: 4.6 bytes of text each = 69 TB",
    "The run eats 31,000 images a second at 142 KB of JPEG each, which is 31,000 × 142 KB = 4.40 GB/s in all.",
    "We have 512 servers of eight GPUs, 512 × 8 = 4,096 in all. They are joined by NVLink, 900 GB/s per GPU counting "
    "both directions, hence 450 GB/s each way.",
    "The floor moves from 5.73 ms to 5.43 ms, a gain of 5%.",
    "With chunks of c = 2550 tokens, 16,384 c² / 510e12 = 4,096 c / 50e9 holds.",
    "Per layer: 8,192 tokens × 1,024 (8 kv heads × 128) × 2 (K and V) × 2 B = 33.6 MB",
    "109.62 kW of 127.80 kW, 85.8 % of the rack, leave in water.\n\n| part | share |\n|---|---|\n| IT | 88.5 % |\n"
    "| fans | 11.5 % |\n\nThe IT load is 88.5 % of the rack.",
    "# A\n\nIn $2(n-1)=14$ steps.\n\nThe same with $n=1024$?",
)


@pytest.mark.parametrize("text", LOOK_WRONG)
def test_what_only_looks_wrong_is_not_called_false(text: str) -> None:
    assert [claim.text for claim in check_text(text).claims if claim.verdict == "false"] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("the cache takes 3 × 16 GB = 45 GB.", "3 × 16 GB = 45 GB"),
        ("PCIe 4.0 x8 has 32 GB/s each way.", "32 GB/s"),
        ("Per million, $0.44 / 0.20124M = $21.9.", "$0.44 / 0.20124M = $21.9"),
        ("That is 33.5% of the 2 x 1,979 = 3,598.", "33.5% of the 2 × 1,979 = 3,598"),
        ("each holds 24 GB / 2 = 16 GB of it", "24 GB / 2 = 16 GB"),
        ("we need 12 GB + 5 GB = 19 GB!", "12 GB + 5 GB = 19 GB"),
        ("163,000 × 256 kB = 52.7 GB", "163,000 × 256 kB = 52.7 GB"),
        ("The cache takes 128 MB, or 1.28 GB.", "128 MB, or 1.28 GB"),
        ("12 * 12 * 2 = 268", "12 * 12 * 2 = 268"),
    ],
)
def test_plain_slips_beside_them_are_found(text: str, wrong: str) -> None:
    assert [claim.text for claim in check_text(text).claims if claim.verdict == "false"] == [wrong]
