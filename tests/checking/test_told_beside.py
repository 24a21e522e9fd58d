"""Lists in every format, shares in brackets, times told again, prompts, ports, vocabularies; what is left alone."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_texts

LISTS = {
    "markdown": "Of each card:\n\n- state: 15.5 GB\n- activations: 9.1 GB\n- buffers: 1.5 GB\n\nIn all {} per card.\n",
    "html": "<p>Of each card:</p><ul><li>state: 15.5 GB</li><li>activations: 9.1 GB</li><li>buffers: 1.5 GB</li></ul>"
    "<p>In all {} per card.</p>",
    "latex": "\\begin{{document}}\nOf each card:\n\\begin{{itemize}}\n  \\item state: 15.5 GB\n"
    "  \\item activations: 9.1 GB\n"
    "  \\item buffers: 1.5 GB\n\\end{{itemize}}\nIn all {} per card.\n\\end{{document}}\n",
}


@pytest.mark.parametrize("form", LISTS)
def test_the_sum_behind_a_list_is_held_in_every_format(form: str) -> None:
    assert false_texts(LISTS[form].format("26.1 GB"), form) == []  # 15.5 + 9.1 + 1.5
    assert [shown for _, shown in false_texts(LISTS[form].format("28.1 GB"), form)] == ["26.1 GB/card"]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        # 24 / 120 and 8.4 / 12
        ("Up to {} of each partition (24 of 120 nodes) is kept for courses.", "20 %", "25 %", "20%"),
        ("We reach {} of the ceiling (8.4 ms against 12 ms).", "70 %", "77 %", "70%"),
        # 93.6 / 24 and 840 / 24
        ("The run took 93.6 hours of pure training, or {}.", "3.9 days", "3.6 days", "3.9 days"),
        ("The large run takes 840 hours, or {}.", "35 days", "53 days", "35 days"),
        # 1.12e12 / 2**40
        ("The state is 1.12 TB, i.e. {}, and needs many cards.", "1.02 TiB", "1.23 TiB", "1.019 TiB"),
        # 2 × 8.03e9 × 1000
        ("We run Llama 3 8B. A prompt of 1,000 tokens needs {}.", "16.06 TFLOP", "48.2 TFLOP", "16.06 TFLOP"),
        # 8 × 400 / 8
        ("A box with eight 400 Gb/s ports can send {} in all.", "400 GB/s", "3,200 GB/s", "400 GB/s"),
        ("Llama 3 8B has two large matrices, due to its {}-entry vocabulary.", "128,256", "32,000", "128256"),
        ("We use H100 SXM. They talk over NVLink at {} per GPU (both directions added).", "900 GB/s", "600 GB/s",
         "900 GB/s [both-ways]"),
        ("We added the B200, of which we know that its memory runs well and a module may draw up to {}.",
         "1,000 W", "700 W", "1000 W"),
        # the number that four places have, with two digits exchanged
        ("The room for the cache is 640 - 141.2 - 64 = 434.8 GB. So 434.8 GB of cache are left.\n\n"
         "In short, we have {} for the cache, and that is enough for everybody here.",
         "434.8 GB", "443.8 GB", "434.8 GB"),
        # 3,506 / 2,980 - 1, told in either order
        ("The mixture needs {} more GPU-hours (3,506 vs 2,980).", "18 %", "28 %", "17.7%"),
        ("The mixture needs {} more GPU-hours (2,980 vs 3,506).", "17.7 %", "27.7 %", "17.65%"),
        # 29.5 × 8 / 10, and not 29.5 / 10
        ("With {} of Ethernet, the same 29.5 GB need 29.5 / 10 = 2.95 seconds.", "10 GB/s", "10 Gb/s", "23.6 seconds"),
        ("A cold run had 12.5 MWh × 0.4 kg/kWh = {} of CO2.", "5 t", "50 t", "5 t"),
    ],
)  # fmt: skip
def test_what_is_told_beside_a_number(text: str, right: str, wrong: str, expected: str) -> None:
    assert false_texts(text.format(right)) == []
    assert [shown for _, shown in false_texts(text.format(wrong))] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        'Someone says "InfiniBand NDR gives 400 GB/s per port". No: 400 Gb/s, which is 50 GB/s.',
        "Then 2 × 8 GB = 24 GB. No, it is 16 GB.",
        'The first version of this post said that Llama 3 70B takes "2.6 MB per token" of KV cache.',
        "From 4 to 8 GPUs: 1.64x of an ideal 2. Utilisation went from 44 to 37, a loss of 7 points.",
        "Going from 8 to 128 GPUs makes it 9.6x slower.",
        "Going from 8 to 16 buys only 16 % more tokens.",
        "With 14 B/param × 13.0 = 182 GB it fits. DDR4 has 4800 × 8 × 12 = 460.8.",
        "The cards hold other sequences, 8 × 326 k = 2.61 M tokens a box.",
        "The rest of a node drew 2.1 kW, which over 8 GPUs is 262.5 W each, so 912.5 W per GPU.",
        "The mean of the five is (61+66+58+72+71)/5 = 65.6 %.",
        "They need 640 GB, i.e. 80 GB per GPU. A desk has 20 GB/user, that is 160 GB.",
        "NVLink 3: 12 links x 50 GB/s = 600 GB/s of an A100, i.e. 300 each way.",
        "The H200 has the compute of the H100 with 141 GB of HBM3e.",
        "A100: 312 TFLOPS bf16 (624 is with sparsity).",
        "`--kv-dtype fp8` halves the cache: Llama 3 70B goes from 320 KiB to 160 KiB per token.",
        "A 16 GB T4 cannot hold Llama 3 8B in 16 bits (the weights alone are over 16 GB), "
        "but int8 brings them to 8.0 GB.",
        "We have no B200 yet. The sheet gives it 8 TB/s of HBM3e, so expect the time to halve against an H100.",
        "38,400 s ≈ 10.7 h ≈ 5,460 GPU-h.",
        "It is 21.6 % faster (8.47 ms vs 10.3 ms), or 17.8 % faster (8.47 ms vs 10.3 ms) if you like.",
        "It has less bandwidth than the older card: 300 vs. 320 GB/s, i.e. 6.25% down.",
        "The blended tariff: 70 % at 0.13 + 30 % at 0.17 = 0.091 + 0.051 = 0.142.",
        "At 250 W I lose little: 32/250 = 128 mtok/J vs. 34/350 = 97 mtok/J.",
        "We train a 7.24 B model: 2 (weights) + 2 (gradients) + 4 (master)\n+ 4 + 4 (moments) = 16 B per parameter.",
    ],
)  # fmt: skip
def test_what_is_meant_otherwise_is_left_alone(text: str) -> None:
    assert false_texts(text) == []
