"""Lessons: every statement proved, every cost recomputed, the sentence resting on what was shown."""

from __future__ import annotations

from fractions import Fraction

import pytest

from derive import get
from derive.cli.app import run
from derive.cli.conversation import line
from derive.errors import DeriveError
from derive.teaching.ladders import LADDERS
from derive.teaching.lesson import Lesson, Statement, lesson
from derive.teaching.picture import WIDTH


def statements(made: Lesson) -> list[Statement]:
    return [one for stage in made.stages for one in stage.statements]


@pytest.fixture(scope="module")
def lessons() -> dict[str, Lesson]:
    return {id: lesson(get(id)) for id in LADDERS}


def test_every_lesson_is_proved_and_ends_in_a_sentence_that_rests_on_it(lessons: dict[str, Lesson]) -> None:
    assert len(lessons) >= 15
    assert {"matmul.intensity", "attention.naive_intensity", "memory.activations_gpt3"} <= lessons.keys()
    for id, made in lessons.items():
        shown = statements(made)
        assert made.proved, id
        assert [one.number for one in shown] == list(range(1, len(shown) + 1))
        assert made.remember.endswith(".")
        assert made.rests_on
        assert set(made.rests_on) <= {one.number for one in shown}
        assert made.point
        assert all(stage.here for stage in made.stages), id


def test_the_ladders_are_those_that_were_promised(lessons: dict[str, Lesson]) -> None:
    def rungs(id: str) -> list[str]:
        return [stage.id for stage in lessons[id].stages]

    assert rungs("matmul.intensity") == [
        "matmul.intensity",
        "matmul.square_intensity",
        "matmul.decode_intensity",
        "matmul.batched_decode_intensity",
    ]
    assert rungs("attention.naive_intensity") == [
        "attention.naive_intensity",
        "attention.flash_ideal_intensity",
        "attention.flash_tiled_intensity",
        "attention.decode_intensity",
    ]
    assert rungs("memory.activations_gpt3") == [
        "memory.activations_gpt3",
        "memory.activations_flash",
        "memory.activations_selective",
        "memory.activations_checkpointed",
    ]


def cost(made: Lesson, id: str, kind: str) -> list[str]:
    (stage,) = (one for one in made.stages if one.id == id)
    return [line(one.cost) for one in stage.statements if one.kind == kind]


def test_costs_of_limits_and_approximations(lessons: dict[str, Lesson]) -> None:
    """d/2 = 64 beside T·d/(2(T + d)) at T = 4096, d = 128 is d/T too large; B beside Bd/(2B + d) is 2B/d."""
    made = lessons["attention.naive_intensity"]
    assert cost(made, "attention.naive_intensity", "Limit") == ["here 3.1 % too large"]  # 128/4096 = 0.03125
    assert cost(made, "attention.naive_intensity", "Approx") == [
        "here 3.1 % too large, and at most 3.1 % by the bound"
    ]
    made = lessons["matmul.intensity"]
    batched = "matmul.batched_decode_intensity"
    assert cost(made, batched, "Approx") == ["here 3.1 % too large, and at most 3.1 % by the bound"]
    assert cost(made, "matmul.intensity", "SpecialCase") == ["here nothing is lost"]
    # B = 64: d/2 = 2048 beside 62.06; and B = 1: 4096/4098 beside 62.06
    assert cost(made, batched, "Limit") == ["here 33 times too large"]
    assert cost(made, batched, "SpecialCase") == [
        "here B is 64, not 1: taken all the same it would be 62.1 times too small"
    ]


def test_costs_of_dropped_rows(lessons: dict[str, Lesson]) -> None:
    """Four passes of 2·4096² bytes over the scores are 134.2 MB of 138.4; s×s rows 5as²b − 4abs of M."""
    made = lessons["attention.naive_intensity"]
    scores, whole = 4 * 2 * 4096**2, 8 * 4096**2 + 8 * 4096 * 128
    assert (scores, round(100 * scores / whole)) == (134_217_728, 97)
    assert cost(made, "attention.flash_ideal_intensity", "rows") == [
        "here -134.2 MB, 97 % of the total before"
    ]
    (stage,) = (one for one in made.stages if one.id == "attention.flash_ideal_intensity")
    assert str(stage.statements[0].text[0]) == "dropped write S, read S, write P, read P"
    s, b, h, a = 1024, 8, 768, 12
    dropped = 5 * a * s**2 * b - 4 * a * b * s
    total = 34 * s * b * h + 5 * a * s**2 * b
    assert (round(dropped / 10**6, 1), round(100 * dropped / total)) == (502.9, 70)
    made = lessons["memory.activations_gpt3"]
    assert cost(made, "memory.activations_flash", "rows") == ["here -502.9 MB, 70 % of the total before"]


def test_the_numbers_can_be_the_readers_own() -> None:
    made = lesson(get("attention.naive_intensity"), {"T": "1024", "d": "64"})
    assert "T = 1024, d = 64" in line(made.point)
    assert made.stages[0].here == "30.12 FLOP/byte"  # 1024·64/(2·1088)
    assert cost(made, "attention.naive_intensity", "Limit") == ["here 6.2 % too large"]  # 64/1024 = 6.25 %
    made = lesson(get("matmul.time"), {"m": "1"}, on="h100-sxm")
    assert "W = 3.35 TB/s" in line(made.point)
    assert cost(made, "matmul.time", "Regime") == ["here it does not hold", "here it holds"]


def test_numbers_that_replace_what_the_chain_puts_leave_its_facts_without_costs() -> None:
    """In fp32 the intensity is 4096·128/(4·4224), and d/2 is the limit for two bytes an element."""
    made = lesson(get("attention.naive_intensity"), conventions={"precision": "fp32"})
    assert made.stages[0].here == "31.03 FLOP/byte"
    assert line((made.stages[0].result,)) == "I = T*d/(e*(T + d))"
    assert cost(made, "attention.naive_intensity", "Limit") == [""]
    assert cost(made, "attention.naive_intensity", "Put") == [
        "here e is 4 byte: the lines below speak of another case"
    ]
    assert cost(made, "attention.flash_ideal_intensity", "rows") == [
        "here -268.4 MB, 97 % of the total before"
    ]
    assert made.picture is not None
    assert made.picture.bars[2].value == "31.03 FLOP/byte"


def test_a_picture_moves_to_where_another_part_takes_over() -> None:
    """1 GFLOP beside 1 GB: the ridge is at 295 GFLOP, beyond 64 GFLOP and before 512."""
    given = {"F": "1 GFLOP", "Q": "1 GB", "P": "989 TFLOP/s", "W": "3.35 TB/s"}
    picture = lesson(get("roofline.time"), given).picture
    assert picture is not None
    assert [bar.at for bar in picture.bars] == [
        "F = 125 MFLOP",
        "F = 1 GFLOP",
        "F = 8 GFLOP",
        "F = 64 GFLOP",
        "F = 512 GFLOP",
    ]
    assert picture.says == "B dominates while F is small, A where it is large."


def test_pictures_show_shares(lessons: dict[str, Lesson]) -> None:
    """Naive attention at T = 512, d = 128: 4·T·d beside 4·T² is 1 to 4, 8 of 40 signs."""
    picture = lessons["attention.naive_intensity"].picture
    assert picture is not None
    bars = {bar.at: bar for bar in picture.bars}
    assert bars["T = 512"].drawn == "A" * 8 + "B" * 32
    assert bars["T = 4096"].here
    assert picture.says == "A dominates while T is small, B where it is large."
    for made in lessons.values():
        assert made.picture is not None, made.id
        stages = not made.picture.legend
        for bar in made.picture.bars:
            assert len(bar.drawn) == sum(bar.parts)
            assert sum(bar.parts) <= WIDTH if stages else sum(bar.parts) == WIDTH


def test_a_ring_waits_for_latency_with_short_buffers_and_for_the_link_with_long_ones(
    lessons: dict[str, Lesson],
) -> None:
    """8 devices, 10 us, 64 GB/s: 14·10 us = 140 us of latency beside 2·7/8·S/64e9, 10.7 us for 390.6 kB."""
    picture = lessons["collectives.all_reduce_ring"].picture
    assert picture is not None
    assert [line(text) for _, text in picture.legend] == [
        "latency: 2*alpha*(n - 1)",
        "bandwidth: 2*S*(n - 1)/(beta*n)",
    ]
    latency = 14 * Fraction(10, 10**6)
    for bar, size in zip(picture.bars, (390625, 3125000, 25000000, 200000000, 1600000000), strict=True):
        share = latency / (latency + Fraction(14, 8) * size / (64 * 10**9))
        assert bar.parts[0] == round(40 * share)
    assert picture.bars[2].value == "823.6 us"  # 140 us + 683.59375 us
    assert picture.says == "A dominates while S is small, B where it is large."
    assert lessons["collectives.all_reduce_ring"].stages[-1].here == "5.12 MB"  # n·alpha·beta


def test_pictures_of_what_is_no_sum(lessons: dict[str, Lesson]) -> None:
    """2N, 6N and 8N side by side; 4 passes of which one is left; bf16 reaches 2 − 1/128 of 2 powers of two."""

    def bars(id: str) -> list[str]:
        picture = lessons[id].picture
        assert picture is not None
        return [bar.drawn for bar in picture.bars]

    assert bars("flops.forward") == ["A" * 10, "A" * 30, "A" * 40]
    assert bars("elementwise.fused_saving")[1] == "A" * 10 + "B" * 30
    assert bars("formats.max")[:2] == ["A" * 20 + "B" * 20, "A" * 30 + "B" * 10]
    # L·T·d beside N: 32·65536·4096 = 8.59e9 beside 7.5e9
    assert bars("flops.attention_share")[3] == "A" * 21 + "B" * 19


def test_a_square_matmul_has_three_equal_parts(lessons: dict[str, Lesson]) -> None:
    picture = lessons["matmul.intensity"].picture
    assert picture is not None
    (here,) = (bar for bar in picture.bars if bar.here)
    assert sorted(here.parts) == [13, 13, 14]
    assert here.value == "1365 FLOP/byte"
    assert Fraction(4096, 3) // 1 == 1365


def test_a_formula_without_a_ladder_has_a_lesson_without_a_sentence() -> None:
    made = lesson(get("parameters.llama"))
    assert (made.remember, made.rests_on, len(made.stages)) == ("", (), 1)
    assert made.proved


def test_what_is_wrong_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DeriveError, match=r"no stage of this lesson has a letter 'Q'"):
        lesson(get("matmul.intensity"), {"Q": "1"})
    with pytest.raises(DeriveError, match="is computed case by case"):
        lesson(get("formats.update_lost"))
    assert run(["show", "matmul.intensity", "--set", "m=1"]) == 2
    assert "show takes values only with --reduce" in capsys.readouterr().err


def test_the_command_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "matmul.batched_decode_intensity", "--reduce", "--set", "B=32", "d=4096"]) == 0
    shown = capsys.readouterr().out
    assert "Worked at B = 32, d = 4096, e = 2 byte, k = 4096" not in shown
    assert "I ≈ B, off by at most 2*B/d  proved" in shown
    assert "here 1.6 % too large, and at most 1.6 % by the bound" in shown  # 64/4096 = 1.5625 %
    assert "To remember: While B is small beside d" in shown
    assert run(["show", "matmul.batched_decode_intensity", "--reduce", "--json"]) == 0
    assert '"rests on": [' in capsys.readouterr().out
