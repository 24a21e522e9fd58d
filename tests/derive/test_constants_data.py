"""The shipped machines and models: figures typed in again from the sources, parameters counted by tensor."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

import pytest

import units
from derive import constants
from derive.constants import ROLES, Entry, hardware, model

T, G, M = 10**12, 10**9, 10**6
DENSE = {"sparsity": "dense"}

# entry, role, tags, value in base units: typed in again from the sources
FIGURES = [
    ("h100-sxm", "peak", {**DENSE, "precision": "bf16"}, 989 * T),
    ("h100-sxm", "peak", {**DENSE, "precision": "fp16"}, 989 * T),
    ("h100-sxm", "peak", {**DENSE, "precision": "fp8"}, 1979 * T),
    ("h100-sxm", "peak", {"sparsity": "2:4", "precision": "bf16"}, 1979 * T),
    ("h100-sxm", "vector_peak", {"precision": "fp32"}, 67 * T),
    ("h100-sxm", "exp_rate", {}, Fraction(39, 10) * T),
    ("h100-sxm", "bandwidth", {}, 3350 * G),
    ("h100-sxm", "capacity", {"capacity": "nominal"}, 80 * G),
    ("h100-sxm", "sms", {}, 132),
    ("h100-sxm", "l2", {}, 50 * M),
    ("h100-sxm", "link", {"direction": "each-way"}, 450 * G),
    ("h100-sxm", "link", {"direction": "both-ways"}, 900 * G),
    ("a100-80gb-sxm", "peak", {**DENSE, "precision": "bf16"}, 312 * T),
    ("a100-80gb-sxm", "bandwidth", {}, 2039 * G),
    ("a100-80gb-sxm", "capacity", {}, 80 * G),
    ("a100-80gb-sxm", "vector_peak", {"precision": "fp32"}, Fraction(195, 10) * T),
    ("a100-80gb-sxm", "link", {"direction": "each-way"}, 300 * G),
    ("b200-sxm", "peak", {**DENSE, "precision": "bf16"}, 2250 * T),
    ("b200-sxm", "peak", {**DENSE, "precision": "fp8"}, 4500 * T),
    ("b200-sxm", "peak", {**DENSE, "precision": "fp4"}, 9000 * T),
    ("b200-sxm", "bandwidth", {}, 8 * T),
    ("b200-sxm", "capacity", {}, 180 * G),
    ("h200-sxm", "peak", {**DENSE, "precision": "bf16"}, 989 * T),
    ("h200-sxm", "bandwidth", {}, 4800 * G),
    ("h200-sxm", "capacity", {}, 141 * G),
    ("l40s", "peak", {**DENSE, "precision": "bf16"}, 362 * T),
    ("l40s", "bandwidth", {}, 864 * G),
    ("l40s", "capacity", {}, 48 * G),
    ("rtx-5060", "bandwidth", {}, 448 * G),
    ("rtx-5060", "capacity", {}, 8 * G),
    ("pcie-5-x16", "link", {"direction": "each-way"}, 64 * G),
    ("ib-ndr", "link", {"direction": "each-way"}, 50 * G),
    ("laptop-cpu", "clock", {}, 3 * G),
    ("laptop-cpu", "transfer_rate", {}, 5600 * M),
    ("laptop-cpu", "peak", {**DENSE, "precision": "fp32"}, 768 * G),
    ("laptop-cpu", "vector_peak", {}, 768 * G),
    ("laptop-cpu", "bandwidth", {}, 896 * 10**8),
]

# elements in the tensors of the published checkpoints
TOTALS = {
    "gpt2-small": 124_439_808,
    "gpt2-medium": 354_823_168,
    "gpt2-large": 774_030_080,
    "gpt2-xl": 1_557_611_200,
    "llama-2-7b": 6_738_415_616,
    "llama-2-13b": 13_015_864_320,
    "llama-2-70b": 68_976_648_192,
    "llama-3-8b": 8_030_261_248,
    "llama-3-70b": 70_553_706_496,
    "llama-3.1-8b": 8_030_261_248,
    "llama-3.1-70b": 70_553_706_496,
    "llama-3.1-405b": 405_853_388_800,
    "llama-3.2-1b": 1_235_814_400,
    "llama-3.2-3b": 3_212_749_824,
    "mistral-7b": 7_241_732_096,
    "mixtral-8x7b": 46_702_792_704,
    "mixtral-8x22b": 140_620_634_112,
    "qwen2-7b": 7_615_616_512,
    "qwen2.5-0.5b": 494_032_768,
    "qwen2.5-1.5b": 1_543_714_304,
    "qwen2.5-3b": 3_085_938_688,
    "qwen2.5-7b": 7_615_616_512,
    "qwen2.5-14b": 14_770_033_664,
    "qwen2.5-32b": 32_763_876_352,
    "qwen2.5-72b": 72_706_203_648,
    "gemma-2b": 2_506_172_416,
    "gemma-7b": 8_537_680_896,
}


def values(entry: Entry) -> dict[str, int]:
    """A model's extents as plain integers, true as 1."""
    return {constant.role: int(constant.base) for constant in entry.constants}


def gpt2_parameters(v: dict[str, int]) -> int:
    """Tensor by tensor: every linear layer and every LayerNorm has a bias, the LM head is the embedding."""
    h, f = v["hidden"], v["ffn"]
    qkv, out = h * 3 * h + 3 * h, h * h + h
    up, down = h * f + f, f * h + h
    norms = 2 * (h + h)
    embeddings = v["vocabulary"] * h + v["positions"] * h
    return embeddings + v["layers"] * (qkv + out + up + down + norms) + 2 * h


def llama_parameters(v: dict[str, int]) -> int:
    """By tensor: RMSNorm, gated feed-forward block (one an expert, with a router), QKV biases or none."""
    h, q, kv = v["hidden"], v["heads"] * v["head_dim"], v["kv_heads"] * v["head_dim"]
    attention = h * q + h * kv + h * kv + q * h
    if v.get("qkv_bias"):
        attention += q + kv + kv
    gate = up = down = h * v["ffn"]
    experts = v.get("experts", 0)
    block = (gate + up + down) * max(experts, 1) + h * experts
    tables = 1 if v["tied"] else 2
    return tables * v["vocabulary"] * h + v["layers"] * (attention + block + 2 * h) + h


class TestHardware:
    @pytest.mark.parametrize(("entry", "role", "tags", "value"), FIGURES)
    def test_figure(self, entry: str, role: str, tags: dict[str, str], value: int | Fraction) -> None:
        assert hardware(entry).pick(role, **tags).base == value

    def test_every_constant_has_a_source_a_date_and_the_tags_of_its_role(self) -> None:
        for entry in constants.catalogue("hardware").values():
            for constant in entry.constants:
                assert len(constant.source.document) > 10
                assert constant.source.date == date(2026, 11, 30)
                assert set(constant.tags) == {"basis", *ROLES["hardware"][constant.role].tags}
                assert constant.base > 0

    def test_sources_are_documents_not_addresses(self) -> None:
        for kind in ("hardware", "model"):
            for entry in constants.catalogue(kind).values():
                for constant in entry.constants:
                    assert not re.search(r"https?:|www\.|\.com\b|\.org\b", constant.source.document)

    def test_a_2_4_peak_is_twice_the_dense_one_within_the_digits_of_a_datasheet(self) -> None:
        pairs = 0
        for entry in constants.catalogue("hardware").values():
            for sparse in entry.constants:
                if sparse.tags.get("sparsity") == "2:4":
                    dense = entry.pick("peak", sparsity="dense", precision=sparse.tags["precision"])
                    assert abs(sparse.base / dense.base - 2) < Fraction(3, 100)
                    pairs += 1
        assert pairs > 30

    def test_both_ways_is_exactly_twice_each_way(self) -> None:
        for entry in constants.catalogue("hardware").values():
            links = {c.tags["direction"]: c.base for c in entry.constants if c.role == "link"}
            assert links.get("both-ways", 2 * links.get("each-way", 0)) == 2 * links.get("each-way", 0)

    def test_computed_values_of_the_laptop_follow_from_its_parts(self) -> None:
        part = {c.role: c.base for c in hardware("laptop-cpu").constants}
        flops = part["cores"] * part["clock"] * part["fma_units"] * part["lanes"] * 2
        assert part["peak"] == part["vector_peak"] == flops
        assert part["bandwidth"] == part["channels"] * part["bus_width"] * part["transfer_rate"]

    def test_computed_exp_rate_of_the_a100(self) -> None:
        for name in ("a100-80gb-sxm", "a100-40gb-sxm"):
            assert hardware(name).pick("exp_rate").base == 108 * 16 * 1_410_000_000

    def test_int8_counts_integer_operations(self) -> None:
        peak = hardware("h100-sxm").pick("peak", sparsity="dense", precision="int8")
        assert units.factor(peak.unit)[1] == units.factor("OP/s")[1] != units.factor("FLOP/s")[1]

    def test_pcie_note_names_the_encoded_rate(self) -> None:
        assert Fraction(64 * 128, 130) == pytest.approx(63.0, abs=0.05)
        assert "63.0 GB/s" in hardware("pcie-5-x16").note


class TestModels:
    @pytest.mark.parametrize("name", sorted(TOTALS))
    def test_parameters_follow_from_the_extents(self, name: str) -> None:
        entry = model(name)
        counted = (gpt2_parameters if entry.family == "gpt2" else llama_parameters)(values(entry))
        assert counted == TOTALS[name] == entry.pick("parameters").base

    def test_every_model_with_a_total_is_checked(self) -> None:
        with_total = {
            entry.name
            for entry in constants.catalogue("model").values()
            if any(constant.role == "parameters" for constant in entry.constants)
        }
        assert with_total == set(TOTALS)

    def test_gpt3_is_175_billion(self) -> None:
        assert gpt2_parameters(values(model("gpt3-175b"))) == 174_604_259_328

    def test_extents(self) -> None:
        llama = values(model("llama-3-8b"))
        assert (llama["layers"], llama["hidden"], llama["heads"], llama["kv_heads"]) == (32, 4096, 32, 8)
        assert (llama["head_dim"], llama["ffn"], llama["vocabulary"], llama["tied"]) == (
            128,
            14336,
            128256,
            0,
        )
        gpt2 = values(model("gpt2-small"))
        assert (gpt2["layers"], gpt2["hidden"], gpt2["heads"], gpt2["vocabulary"]) == (12, 768, 12, 50257)
        assert (gpt2["context"], gpt2["tied"], gpt2["bias"]) == (1024, 1, 1)
        mixtral = values(model("mixtral-8x7b"))
        assert (mixtral["experts"], mixtral["experts_per_token"]) == (8, 2)

    def test_every_model_has_a_family_and_the_extents_that_every_formula_needs(self) -> None:
        for entry in constants.catalogue("model").values():
            assert entry.family in {"gpt2", "llama", "mistral", "mixtral", "qwen2", "gemma"}
            needed = {
                "layers",
                "hidden",
                "heads",
                "kv_heads",
                "head_dim",
                "ffn",
                "vocabulary",
                "context",
                "tied",
            }
            assert needed <= set(values(entry))
            assert values(entry)["heads"] % values(entry)["kv_heads"] == 0

    def test_a_flag_stays_true_or_false(self) -> None:
        tied = model("gpt2-small").pick("tied")
        assert (tied.value, tied.text, tied.unit, tied.base) == (True, "true", "dimensionless", 1)
