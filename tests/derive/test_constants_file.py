"""The reader of files of constants: what it takes, and every way in which it refuses."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive import constants, constants_file
from derive.constants import Entry, load
from derive.errors import DeriveError

HEAD = 'source = "a document"\ndate = 2026-11-30\ntags = { basis = "measured" }\n'


def refusal(text: str, kind: constants.Kind = "hardware") -> str:
    """The message that refuses a file's text; one line that names the file."""
    with pytest.raises(DeriveError) as error:
        constants_file.entries(constants_file.tables(text, "my.toml"), kind, "my.toml")
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith("my.toml")
    return message


def outcome(read: Callable[[], dict[str, Entry]]) -> dict[str, Entry] | str:
    """The entries, or the message that refuses them."""
    try:
        return read()
    except DeriveError as error:
        return str(error)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(text: str | bytes, name: str = "my.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


class TestFile:
    def test_a_full_entry(self, write: Callable[..., Path]) -> None:
        path = write(
            "[My-GPU]\n"
            'title = "My GPU"\n'
            'aliases = ["mine"]\n'
            f"{HEAD}"
            'note = "in the cellar"\n'
            'values = { sms = 30, l2 = "32 MiB" }\n'
            "[[My-GPU.peak]]\n"
            'value = "61 TFLOP/s"\n'
            'source = "another document"\n'
            "date = 2026-01-02\n"
            'tags = { sparsity = "dense", precision = "bf16", basis = "computed" }\n'
            'note = "at 100 W"\n'
        )
        entry = load(path, "hardware")["my-gpu"]
        assert (entry.title, entry.kind, entry.family, entry.aliases) == (
            "My GPU",
            "hardware",
            None,
            ("mine",),
        )
        assert entry.origin == str(path)
        peak, sms, l2 = entry.pick("peak"), entry.pick("sms"), entry.pick("l2")
        assert (peak.value, peak.unit, peak.text, peak.base) == (61, "TFLOP/s", "61 TFLOP/s", 61 * 10**12)
        assert peak.source == constants.Source("another document", date(2026, 1, 2), "at 100 W")
        assert dict(peak.tags) == {"basis": "computed", "sparsity": "dense", "precision": "bf16"}
        assert (sms.base, l2.base) == (30, 32 * 2**20)
        assert l2.source == constants.Source("a document", date(2026, 11, 30), "in the cellar")

    def test_title_defaults_to_the_name_and_a_byte_order_mark_is_taken(
        self, write: Callable[..., Path]
    ) -> None:
        assert (
            load(write(b"\xef\xbb\xbf[x]\n" + HEAD.encode() + b"values = { sms = 1 }"), "hardware")["x"].title
            == "x"
        )

    def test_default_tags_apply_only_where_the_role_takes_them(self, write: Callable[..., Path]) -> None:
        path = write(
            '[x]\nsource = "a"\ndate = 2026-11-30\n'
            'tags = { basis = "measured", sparsity = "dense", precision = "bf16" }\n'
            'peak = [{ value = "1 TFLOP/s" }]\nbandwidth = [{ value = "1 GB/s" }]\n'
        )
        bandwidth = load(path, "hardware")["x"].pick("bandwidth")
        assert dict(bandwidth.tags) == {"basis": "measured"}

    @pytest.mark.parametrize(
        ("body", "says"),
        [
            (
                'date = 2026-11-30\ntags = { basis = "measured" }\nl2 = [{ value = "1 MB" }]',
                "x.l2: has no source: give source",
            ),
            ('source = "a"\ntags = { basis = "measured" }\nl2 = [{ value = "1 MB" }]', "x.l2: has no date"),
            (
                'source = "a"\ndate = 2026-11-30\nl2 = [{ value = "1 MB" }]',
                "x.l2: has no tag basis: give tags",
            ),
            (
                HEAD + 'peak = [{ value = "1 TFLOP/s", tags = { precision = "bf16" } }]',
                "x.peak: has no tag sparsity",
            ),
            (
                HEAD + 'peak = [{ value = "1 TFLOP/s", tags = { sparsity = "dense" } }]',
                "x.peak: has no tag precision",
            ),
            (HEAD + 'link = [{ value = "1 GB/s" }]', "x.link: has no tag direction"),
            (HEAD + 'capacity = [{ value = "1 GB" }]', "x.capacity: has no tag capacity"),
            (HEAD + 'exp_rate = [{ value = "1 1/s" }]', "x.exp_rate: has no tag precision"),
            (
                HEAD + 'bandwith = [{ value = "1 GB/s" }]',
                "x: unknown role 'bandwith', did you mean 'bandwidth'?",
            ),
            (HEAD + "values = { smss = 1 }", "x: unknown role 'smss' in values, did you mean 'sms'?"),
            (HEAD + 'l2 = [{ value = "1 MB", tags = { size = "big" } }]', "x.l2: unknown tag 'size'"),
            (
                HEAD + 'l2 = [{ value = "1 MB", tags = { direction = "each-way" } }]',
                "x.l2: unknown tag 'direction'",
            ),
            (HEAD + 'l2 = [{ value = "1 MB", tags = { basis = "guess" } }]', "x.l2: unknown basis 'guess'"),
            (HEAD + 'l2 = [{ value = "1 MB", tags = { basis = ["a"] } }]', "x.l2: unknown basis 'list'"),
            (HEAD + 'l2 = [{ value = "1 MB", tags = "measured" }]', "x.l2: tags are no table"),
            (HEAD + 'l2 = [{ valu = "1 MB" }]', "x.l2: unknown key 'valu'"),
            (HEAD + 'l2 = [{ note = "n" }]', "x.l2: has no value that can be taken"),
            (HEAD + 'l2 = [{ value = "1 GB/s" }]', "x.l2: '1 GB/s' is not in byte"),
            (HEAD + "l2 = [{ value = 50 }]", "x.l2: '50' is not in byte"),
            (HEAD + 'l2 = [{ value = "50 mB" }]', "x.l2: unit 'mB' can be misread"),
            (HEAD + 'l2 = [{ value = "50 blobs" }]', "x.l2: unknown unit 'blobs'"),
            (HEAD + 'l2 = [{ value = "50 MB [nominal]" }]', "the kind in brackets goes into tags"),
            (HEAD + 'l2 = [{ value = "-1 MB" }]', "x.l2: '-1 MB' is not positive"),
            (HEAD + 'l2 = [{ value = "0 MB" }]', "x.l2: '0 MB' is not positive"),
            (HEAD + 'l2 = [{ value = "inf MB" }]', "x.l2: 'inf MB' is no number with a unit"),
            (HEAD + 'l2 = [{ value = "nan MB" }]', "x.l2: 'nan MB' is no number with a unit"),
            (HEAD + 'l2 = [{ value = "1e301 MB" }]', "x.l2: '1e301 MB' is outside the range"),
            (HEAD + "l2 = [{ value = inf }]", "x.l2: has no value that can be taken"),
            (HEAD + "l2 = [{ value = 1.5 }]", 'x.l2: has no value that can be taken: give value = "… byte"'),
            (HEAD + "l2 = [{ value = true }]", "x.l2: has no value that can be taken"),
            (HEAD + "l2 = [{ value = 2026-11-30 }]", "x.l2: has no value that can be taken"),
            (HEAD + "values = { sms = 0 }", "x.sms: '0' is not positive"),
            (HEAD + 'values = { sms = "1.5" }', "x.sms: '1.5' is no whole number"),
            (HEAD + "values = { sms = 0x" + "f" * 60 + " }", "x.sms: has a value of more than 60 digits"),
            (HEAD + "values = { sms = " + "1" * 5000 + " }", "holds a number of thousands of digits"),
            (HEAD + "values = 3", "x: values are no table"),
            (HEAD + 'l2 = "50 MB"', "x.l2: is no list of values"),
            (HEAD + 'l2 = ["50 MB"]', "x.l2: is no list of values"),
            (
                HEAD + 'peak = [{ value = "1 TFLOP/s", tags = { sparsity = "dense", precision = "int8" } }]',
                "x.peak: '1 TFLOP/s' is not in OP/s",
            ),
            (
                HEAD + 'peak = [{ value = "1 TOP/s", tags = { sparsity = "dense", precision = "fp8" } }]',
                "x.peak: '1 TOP/s' is not in FLOP/s",
            ),
            (
                HEAD + 'l2 = [{ value = "1 MB" }, { value = "2 MB" }]',
                "x.l2: 2 MB is the second value of its kind",
            ),
            (
                HEAD + 'l2 = [{ value = "1 MB" }, { value = "2 MB", tags = { basis = "computed" } }]',
                "x.l2: 2 MB is the second value of its kind",
            ),
            (HEAD + 'values = { l2 = "1 MB" }\nl2 = [{ value = "1 MB" }]', "x.l2: 1 MB is the second value"),
            (
                HEAD + 'capacity = [{ value = "80 GiB", tags = { capacity = "nominal" } }]',
                "'80 GiB' is not nominal",
            ),
            (
                HEAD + 'capacity = [{ value = "80 GiB", tags = { capacity = "decimal" } }]',
                "'80 GiB' is not decimal",
            ),
            (
                HEAD + 'capacity = [{ value = "80 GB", tags = { capacity = "binary" } }]',
                "'80 GB' is not binary",
            ),
            (HEAD + 'l2 = [{ value = "1 MB", date = "2026-11-30" }]', "x.l2: date is no day"),
            (HEAD + "l2 = [{ value = '1 MB', date = 2026-11-30T10:00:00 }]", "x.l2: date is no day"),
            (
                HEAD + "l2 = [{ value = '1 MB', source = 3 }]",
                "x.l2: source is no line of 1 to 500 characters",
            ),
            (HEAD + "l2 = [{ value = '1 MB', source = ' ' }]", "x.l2: source is no line"),
            (HEAD + 'l2 = [{ value = "1 MB", note = "a\\u001b[31m" }]', "x.l2: note is no line"),
            (HEAD + f'title = "{"a" * 501}"', "x: title is no line"),
            (HEAD + 'family = "llama"', "x: only a model has a family"),
            (HEAD + 'aliases = "y"', "x: aliases are no list"),
            (HEAD + "aliases = [3]", "x: 'int' is no name"),
            (HEAD + 'aliases = ["x"]', "x: the name 'x' also stands for x"),
            (HEAD + 'aliases = ["y"]\n[y]\n', "y: the name 'y' also stands for x"),
            (HEAD + "[X]\n", "x: the name 'x' also stands for x"),
        ],
    )
    def test_refused(self, body: str, says: str) -> None:
        message = refusal(f"[x]\n{body}\n")
        assert says in message
        assert len(message) < 500

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("x = 3", "x: is no table: begin it with [x]"),
            ('["a b"]', "'a b' is no name"),
            ('["a\\nb"]', "'a b' is no name"),
            (f'["{"a" * 65}"]', "is no name"),
            ('x = "', "is no valid TOML"),
            ("[x]\n\n=", "line 3"),
            ("[x]\n[x]", "is no valid TOML"),
            ("x = " + "[" * 100_000, "is nested too deeply"),
            ("x = " + "{a=" * 100_000, "is nested too deeply"),
            ("a\n" + ".".join("a" * 100) + " = 1", "line 2: has more than 32 dots"),
        ],
    )
    def test_refused_as_a_whole(self, text: str, says: str) -> None:
        message = refusal(text)
        assert says in message
        assert len(message) < 300

    def test_a_models_flag_is_true_or_false(self) -> None:
        assert "x.tied: has no value that can be taken: give value = true or false" in refusal(
            f"[x]\n{HEAD}values = {{ tied = 1 }}", "model"
        )
        assert "x.layers: has no value that can be taken: give value = a whole number" in refusal(
            f"[x]\n{HEAD}values = {{ layers = true }}", "model"
        )

    def test_a_role_of_a_model_is_none_of_a_machine(self) -> None:
        assert "unknown role 'layers' in values" in refusal(f"[x]\n{HEAD}values = {{ layers = 1 }}")

    def test_more_than_ten_thousand_constants(self) -> None:
        entry = HEAD + "values = { sms = 1, cores = 1, lanes = 1, channels = 1, fma_units = 1 }\n"
        text = "".join(f"[x{number}]\n{entry}" for number in range(2001))
        assert "x2000: more than 10000 constants" in refusal(text)
        assert (
            len(
                constants_file.entries(
                    constants_file.tables(text[: text.rindex("[x2000]")], "f"), "hardware", "f"
                )
            )
            == 2000
        )


class TestHostileFile:
    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b"#" * (2**20 + 1), "is larger than 1 MiB"),
            (b"[x]\n\n\xff\xfe", ", line 3: is no UTF-8 text"),
            (b"\x00\x01\x02", "is no valid TOML"),
            (b"\x7fELF" + bytes(range(256)), "is no UTF-8 text"),
        ],
    )
    def test_content(self, data: bytes, says: str, write: Callable[..., Path]) -> None:
        path = write(data)
        with pytest.raises(DeriveError) as error:
            load(path, "hardware")
        assert says in str(error.value)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)

    def test_directory_and_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(DeriveError, match="is no regular file"):
            load(tmp_path, "hardware")
        with pytest.raises(DeriveError, match=r"none\.toml: cannot be read \(No such file or directory\)"):
            load(tmp_path / "none.toml", "hardware")

    def test_a_pipe_does_not_block(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(DeriveError, match="is no regular file"):
            load(tmp_path / "pipe", "hardware")

    def test_name_of_the_file_stays_on_the_line(self, tmp_path: Path) -> None:
        for name in ("a\nb", "a\0b", "a" * 300):
            with pytest.raises(DeriveError) as error:
                load(tmp_path / name, "hardware")
            assert "\n" not in str(error.value)
            assert len(str(error.value)) < 250

    @settings(deadline=None)
    @given(st.text(max_size=200))
    def test_any_text_is_read_or_refused_in_one_line(self, text: str) -> None:
        made = outcome(lambda: constants_file.entries(constants_file.tables(text, "f"), "hardware", "f"))
        assert made.isprintable() if isinstance(made, str) else isinstance(made, dict)

    @settings(max_examples=200, deadline=None)
    @given(
        st.dictionaries(
            st.sampled_from(
                ["title", "aliases", "source", "date", "tags", "note", "values", "peak", "sms", "q"]
            ),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.dates(),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(
                        st.sampled_from(["value", "tags", "basis", "sms", "date"]), inner, max_size=3
                    )
                ),
                max_leaves=8,
            ),
        )
    )
    def test_any_table_is_taken_or_refused_in_one_line(self, table: dict[str, object]) -> None:
        made = outcome(lambda: constants_file.entries({"x": table}, "hardware", "f"))
        if isinstance(made, str):
            assert made.startswith("f: x")
            assert made.isprintable()
        else:
            assert made["x"].name == "x"
