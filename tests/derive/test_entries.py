"""What an entry answers when it is asked for a constant of some kind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import units
from derive import constants_file
from derive.constants import ROLES, TAGS, hardware, load, model
from derive.entries import plain
from derive.errors import DeriveError

HEAD = 'source = "a document"\ndate = 2026-11-30\ntags = { basis = "measured" }\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(text: str | bytes, name: str = "my.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


class TestPick:
    def test_describes_the_value_with_its_kind(self) -> None:
        peak = hardware("h100").pick("peak", sparsity="dense", precision="bf16")
        assert peak.described == "989 TFLOP/s [dense, bf16]"
        assert hardware("h100").pick("bandwidth").described == "3.35 TB/s"

    def test_a_constant_can_be_hashed_and_compared(self) -> None:
        picked = {hardware("h100").pick("bandwidth"), hardware("h100").pick("bandwidth")}
        assert len(picked) == 1

    def test_several_that_fit_are_an_error(self) -> None:
        with pytest.raises(DeriveError, match=r"^h100-sxm has 2 values of peak: say which of 989 .*1979 .*$"):
            hardware("h100").pick("peak", precision="bf16")

    def test_missing_role_says_what_to_give(self) -> None:
        with pytest.raises(DeriveError) as error:
            hardware("rtx-5060").pick("peak", sparsity="dense", precision="bf16")
        message = str(error.value)
        assert message.startswith("rtx-5060 has no peak")
        assert "measured" in message
        assert "--set P='… FLOP/s'" in message
        assert "[rtx-5060]" in message

    def test_letter_of_the_formula_is_named(self) -> None:
        with pytest.raises(DeriveError, match=r"--set B_w='… byte/s'"):
            hardware("pcie-5-x16").pick("bandwidth", "B_w")

    def test_missing_flag_and_count_of_a_model(self) -> None:
        with pytest.raises(DeriveError, match=r"^gpt2-small has no qkv_bias.*give 'true' with --set$"):
            model("gpt2-small").pick("qkv_bias")
        with pytest.raises(DeriveError, match=r"^gpt2-small has no experts"):
            model("gpt2-small").pick("experts")

    @pytest.mark.parametrize(
        ("rows", "wanted", "says"),
        [
            (
                'peak = [{ value = "1979 TFLOP/s", tags = { sparsity = "2:4", precision = "bf16" } }]',
                ("peak", {"sparsity": "dense", "precision": "bf16"}),
                "x has peak 1979 TFLOP/s [2:4, bf16], none that is [dense, bf16]; dense is half of it: "
                "give --set P='989.5 TFLOP/s'",
            ),
            (
                'peak = [{ value = "312 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]',
                ("peak", {"precision": "bf16", "sparsity": "2:4"}),
                "2:4 counts twice it on a machine that has it: give --set P='624 TFLOP/s'",
            ),
            (
                'link = [{ value = "900 GB/s", tags = { direction = "both-ways" } }]',
                ("link", {"direction": "each-way"}),
                "each way is half of it: give --set beta='450 GB/s'",
            ),
            (
                'link = [{ value = "25 GB/s", tags = { direction = "each-way" } }]',
                ("link", {"direction": "both-ways"}),
                "both ways are twice it: give --set beta='50 GB/s'",
            ),
            (
                'capacity = [{ value = "80 GB", tags = { capacity = "nominal" } }]',
                ("capacity", {"capacity": "binary"}),
                "a vendor's GB may be 10⁹ or 2³⁰ bytes: read it as 80 GiB with --convention capacity=binary",
            ),
            (
                'capacity = [{ value = "80 GiB", tags = { capacity = "binary" } }]',
                ("capacity", {"capacity": "decimal"}),
                "no rule leads from these to it: ask for one of these or give '… byte' with --set",
            ),
            (
                'peak = [{ value = "65 TFLOP/s", tags = { sparsity = "dense", precision = "fp16" } }]',
                ("peak", {"sparsity": "dense", "precision": "int8"}),
                "x has no peak [dense, int8], only 65 TFLOP/s [dense, fp16], and no rule leads from these "
                "to it: ask for one of these or give --set P='… OP/s'",
            ),
        ],
    )
    def test_wrong_kind_names_what_leads_to_it(
        self, rows: str, wanted: tuple[str, dict[str, str]], says: str, write
    ) -> None:
        entry = load(write(f"[x]\n{HEAD}{rows}\n"), "hardware")["x"]
        with pytest.raises(DeriveError) as error:
            entry.pick(wanted[0], **wanted[1])
        assert str(error.value).endswith(says)

    def test_a_long_list_of_others_is_cut(self) -> None:
        with pytest.raises(DeriveError, match=r"and 5 more, and no rule"):
            hardware("h100").pick("peak", sparsity="dense", precision="fp4")

    def test_unknown_role_and_tag(self) -> None:
        with pytest.raises(DeriveError, match=r"did you mean 'bandwidth'"):
            hardware("h100").pick("bandwith")
        with pytest.raises(DeriveError, match=r"^bandwidth bears no tag 'precision': one of basis$"):
            hardware("h100").pick("bandwidth", precision="bf16")
        with pytest.raises(DeriveError, match=r"^peak: precision 'bf17' is unknown: one of fp64, "):
            hardware("h100").pick("peak", precision="bf17")


class TestReadAs:
    def test_nominal_capacity_is_read_as_decimal_or_binary(self) -> None:
        nominal = hardware("h100").pick("capacity")
        decimal, binary = nominal.read_as("decimal"), nominal.read_as("binary")
        assert (decimal.base, binary.base) == (80 * 10**9, 80 * 2**30)
        assert (decimal.described, binary.described) == ("80 GB [decimal]", "80 GiB [binary]")
        assert decimal.source.note == "nominal, read as decimal"
        assert binary.read_as("binary") is binary

    def test_what_is_not_nominal_is_not_reread(self) -> None:
        decimal = hardware("h100").pick("capacity").read_as("decimal")
        for constant, reading in (
            (decimal, "binary"),
            (hardware("h100").pick("bandwidth"), "decimal"),
            (hardware("h100").pick("capacity"), "nominally"),
        ):
            with pytest.raises(DeriveError, match="cannot be read as"):
                constant.read_as(reading)


class TestExactness:
    @settings(deadline=None)
    @given(
        st.integers(1, 10**12),
        st.integers(0, 6),
        st.sampled_from([("B/s", 1), ("kB/s", 10**3), ("GB/s", 10**9), ("GiB/s", 2**30), ("TB/s", 10**12)]),
    )
    def test_a_value_is_exact_in_its_unit_and_in_base_units(
        self, digits: int, places: int, unit: tuple[str, int]
    ) -> None:
        number = Fraction(digits, 10**places)
        text = f"{plain(number)} {unit[0]}"
        table = {
            "source": "a",
            "date": date(2026, 11, 30),
            "tags": {"basis": "measured"},
            "bandwidth": [{"value": text}],
        }
        constant = constants_file.entries({"x": table}, "hardware", "f")["x"].pick("bandwidth")
        assert (constant.value, constant.unit, constant.text) == (number, unit[0], text)
        assert constant.base == number * unit[1]

    def test_plain_decimals(self) -> None:
        assert [plain(Fraction(*pair)) for pair in ((1979, 2), (80, 1), (1, 8), (10**30, 1))] == [
            "989.5",
            "80",
            "0.125",
            "1" + "0" * 30,
        ]

    def test_every_role_has_a_unit_of_the_registry_and_known_tags(self) -> None:
        for roles in ROLES.values():
            for role in roles.values():
                units.factor(role.unit)
                assert set(role.tags) <= set(TAGS)
