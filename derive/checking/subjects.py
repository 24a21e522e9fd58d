"""Which machine or model a piece of text speaks of, and which number format."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from derive.checking.published import MEMORIES
from derive.constants import catalogue
from derive.entries import Entry


@dataclass(frozen=True)
class Mention:
    """Entries of the catalogue that a name may mean, where it stands, and how many of them are spoken of."""

    names: tuple[str, ...]
    start: int
    end: int
    count: int = 1


_CARD = r"(?=(?:.|\n){0,90}(?:GPU|Gi?B|FLOP|TOPS|\bDRAM|\bcards?\b|\d ?W\b))"
"""What must follow a short name for it to be that of a card."""
_MEMORY_BEFORE = re.compile(
    r"\b(\d{2,3})[\s-]?Gi?B[\s-](?:(?:version|variant|model|edition|kind|flavou?r)s?\sof\s(?:the\s|an?\s)?)?"
    r"(?:(?:NVIDIA|Tesla|HBM2e?|SXM\d?)\s)*$"
)
_MEMORY_BEHIND = re.compile(
    r"(?:[\s-](?:cards?|GPUs?|boards?|modules?|SXM\d?))*"
    r"(?:,?\s(?:with|of)\s(?:only\s)?|\s?\(|,\s(?=\d+\s?GB(?:[,;).]|\sHBM|\sSXM)))(\d{2,3})[\s-]?Gi?B"
    r"(?!\s(?:of\s(?!HBM|GDDR|VRAM|memory)|free|left|spare|in use|to spare|remain|used|unused|(?:and|or)\s\d)|"
    r"\s?/|\w)"
)
"""The memory beside the name of a card, which tells which of its kinds it is."""
_HARDWARE = (
    ("NVL GH100 GH200 GB200 GB300 H800 H20 A800",
     r"(?:G?H100|H100)[ -]?NVL\b|\bGH[12]00|\bGB[23]00|\bH800|\bH20\b|\bA800", ()),
    ("PCI",
     r"\bPCI-?[Ee](?:[ -](?:card|version|variant|board|form|edition|model))?(?: of (?:the |an )?)?[ -]?H100s?\b",
     ("h100-pcie",)),
    ("PCI", r"\bPCI-?[Ee](?:[ -](?:card|version|variant))?(?: of the )?[ -]?(?:A100|V100|H200)s?\b", ()),
    ("PCI", r"\bH100s?[ -]?(?:80 ?GB[ -]?)?PCI-?[Ee]\b", ("h100-pcie",)),
    ("H200 A100 V100 H100",
     r"\b(?:H200|A100|V100)s?[ -]?(?:\d\d ?GB[ -]?)?(?:PCI-?[Ee]|NVL)\b|\bH100[ -]?(?:64|94|96) ?GB", ()),
    ("4090 3090", r"\b(?:RTX[ -]?)?[34]090[ -]?(?:D|M|Ti|[Ll]aptop|[Mm]obile)\b", ()),
    ("H100", r"\bH100s?[ -]?(?:SXM5?|HGX|SXM5?s)\b|\bHGX H100", ("h100-sxm",)),
    ("H100", r"\bH100s?\b", ("h100-sxm", "h100-pcie")),
    ("H200", r"\bH200s?(?:[ -]?SXM5?)?\b", ("h200-sxm",)),
    ("A100", r"\bA100s?[ -]?(?:SXM4?[ -]?)?40 ?GB(?:[ -]?SXM4?)?\b|\bA100(?:-|[ -]SXM4?[ -])40(?![\w.,%]|\s?[A-Za-z])",
     ("a100-40gb-sxm",)),
    ("A100", r"\bA100s?[ -]?(?:SXM4?[ -]?)?80 ?GB(?:[ -]?SXM4?)?\b|\bA100(?:-|[ -]SXM4?[ -])80(?![\w.,%]|\s?[A-Za-z])",
     ("a100-80gb-sxm",)),
    ("A100", r"\bA100s?(?:[ -]?(?:SXM4?))?\b", ("a100-80gb-sxm", "a100-40gb-sxm")),
    ("B200", r"\bB200s?(?:[ -]?SXM)?\b", ("b200-sxm",)),
    ("L40S", r"\bL40S\b", ("l40s",)),
    ("5060", r"\bRTX[ -]?5060(?! ?Ti)\b", ("rtx-5060",)),
    ("4090", r"\bRTX[ -]?4090s?\b|\b4090s?\b", ("rtx-4090",)),
    ("3090", r"\bRTX[ -]?3090s?\b|\b3090s\b|(?<=\ba )3090\b|(?<=\bthe )3090\b|(?<=\bmy )3090\b", ("rtx-3090",)),
    ("T4", rf"\b(?:Tesla )?T4s?\b{_CARD}", ("t4",)),
    ("V100", r"\bV100s?(?:[ -]?SXM2?)?\b", ("v100-sxm2",)),
    ("MI250X", r"\bMI250X\b", ("mi250x",)),
    ("MI300X", r"\bMI300X\b", ("mi300x",)),
    ("MI325X", r"\bMI325X\b", ("mi325x",)),
    ("MI350X", r"\bMI350X\b", ("mi350x",)),
    ("MI355X", r"\bMI355X\b", ("mi355x",)),
    ("L4", rf"\b(?:NVIDIA )?L4s?\b{_CARD}|\bNVIDIA L4\b", ("l4",)),
    ("A40", r"\bA40s?\b", ("a40",)),
    ("A10", rf"\bA10s?\b{_CARD}|\bNVIDIA A10\b", ("a10",)),
    ("v4", r"\bTPU[ -]?v4s?\b|\bv4p\b|\bv4(?=\schips?\b)", ("tpu-v4",)),
    ("v6e Trillium", r"\b(?:TPU[ -]?)?v6e(?:s|\b)|\bTrillium\b", ("tpu-v6e",)),
    ("v5", r"\b(?:TPU[ -]?)?v5e(?:s|\b)|\bTPU v5 ?lite\b", ("tpu-v5e",)),
    ("v5p", r"\b(?:TPU[ -]?)?v5p(?:s|\b)", ("tpu-v5p",)),
    ("PCI", r"\bPCI-?e5[x×]\d{1,2}\b|\bPCI-?e(?:xpress)?[ -]?(?:Gen ?)?5(?:\.0)?\b", ("pcie-5-x16",)),
    ("PCI", r"\bPCI-?e4[x×]\d{1,2}\b|\bPCI-?e(?:xpress)?[ -]?(?:Gen ?)?4(?:\.0)?\b", ("pcie-4-x16",)),
    ("PCI", r"\bPCI-?e3[x×]\d{1,2}\b|\bPCI-?e(?:xpress)?[ -]?(?:Gen ?)?3(?:\.0)?\b", ("pcie-3-x16",)),
    ("NDR", r"\b(?:InfiniBand |IB )NDR\b|\bNDR(?: InfiniBand)?\b", ("ib-ndr",)),
    ("HDR", r"\b(?:InfiniBand |IB )HDR\b|\bHDR InfiniBand\b", ("ib-hdr",)),
    ("A10 A6000 A40 L4 P100 MI B100 B300 R100 Gaudi RTX TPU v6e v4 Max Ultra Pro",
     r"\b(?:A10G?|A6000|A40|L4|L40|P100|MI2\d\dX?|MI3(?:25|50|55)X|MI300A|B100|B300|R100|Gaudi ?\d?|RTX ?\d{4}(?: Ti)?|"
     r"TPU ?v\d\w*|v6e|v4p?|M\d (?:Max|Ultra|Pro))\b", ()),
)  # fmt: skip
"""Names of machines: what a text must hold for one (any of the words), its pattern, the entries that it may mean."""
_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "sixteen": 16, "thirty-two": 32, "sixty-four": 64, "pair of": 2, "dual": 2,
}  # fmt: skip
_COUNT = re.compile(
    rf"(?:^|[\s(])(\d{{1,5}}|{'|'.join(_NUMBERS)})\s*[×x]?\s*(?:NVIDIA |Google |Cloud )?$", re.IGNORECASE
)
_PRECISIONS = (
    (
        "bf16", r"bf16|BF16|bfloat16|BFLOAT16"), ("fp16", r"fp16|FP16|float16|"
        "half[- ]precision"), ("fp8", r"fp8|FP8|e4m3|e5m2"
    ),
    (
        "tf32", r"tf32|TF32"), ("fp32", r"fp32|FP32|float32|"
        "single[- ]precision"), ("fp64", r"fp64|FP64|double[- ]precision"
    ),
    ("int8", r"int8|INT8"), ("fp4", r"fp4|FP4|NVFP4|MXFP4"), ("int4", r"int4|INT4|4-bit"), ("fp6", r"fp6|FP6"),
)  # fmt: skip
_BESIDE = 60
_MAKERS = {"gpt2": r"GPT-?2", "gpt3": r"GPT-?3", "llama": r"(?:Meta[- ]?)?LLa?[Mm]a"}


@cache
def _patterns() -> tuple[tuple[tuple[str, ...], re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((tuple(any_of.split()), re.compile(pattern), names) for any_of, pattern, names in _HARDWARE)


_ANY_MACHINE = re.compile(r"[HABVTLPRMB]\d|RTX|MI\d|TPU|v[456]|PCI|InfiniBand|IB |NDR|HDR|[34]090|Gaudi|M\d ")


@lru_cache(maxsize=64)
def machines(text: str) -> tuple[Mention, ...]:
    """The machines that a text names, in their order; those that the catalogue does not know have no names."""
    if not _ANY_MACHINE.search(text):
        return ()
    found: list[Mention] = []
    for any_of, pattern, names in _patterns():
        for match in pattern.finditer(text) if any(map(text.__contains__, any_of)) else ():
            if any(one.start < match.end() and match.start() < one.end for one in found):
                continue
            one = Mention(names, match.start(), match.end())
            one = _by_memory(text, one) if len(names) > 1 else one
            count = _COUNT.search(text[max(0, one.start - 24) : one.start])
            found.append(replace(one, count=number_of(count[1]) if count else 1))
    return tuple(sorted(found, key=lambda one: one.start))


def _by_memory(text: str, mention: Mention) -> Mention:
    """A mention of several kinds with the memory beside it as one of the kind that has it: the A100 of 40 GB."""
    before = _MEMORY_BEFORE.search(text, max(0, mention.start - _BESIDE), mention.start)
    behind = None if before else _MEMORY_BEHIND.match(text, mention.end)
    told = before or behind
    if told is None:
        return mention
    names = tuple(name for name in mention.names if float(told[1]) * 1e9 in _capacities(name))
    other = any(float(told[1]) in MEMORIES.get(name, ()) for name in mention.names)
    if names == mention.names or not (names or other):
        return mention
    return Mention(names, min(told.start(), mention.start), max(told.end(), mention.end))


def _capacities(name: str) -> list[float]:
    return [float(one.base) for one in entry("hardware", name).constants if one.role == "capacity"]


def number_of(word: str) -> int:
    """A count in digits or as a word."""
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _model_pattern(name: str) -> str:
    maker, *rest = re.split(r"[-.]", name)
    if maker in ("gpt2", "gpt3"):
        size = rest[0] if rest else ""
        return rf"\b{_MAKERS[maker]}[ -]?\(?{size}\b" if size != "xl" else rf"\b{_MAKERS[maker]}[ -]?XL\b"
    letters = re.match(r"[a-z]+", maker)
    base = letters[0] if letters else maker
    digits = maker[len(base) :]
    numbers = re.sub(rf"^{base}-?", "", name)
    parts = re.split(r"-", numbers)
    version, size = (parts[0], parts[-1]) if len(parts) > 1 else (digits, parts[0])
    spelled = _MAKERS.get(base, base.capitalize())
    low = rf"(?:{spelled}|{base})"
    middle = rf"[ -]?{re.escape(version)}" if version else ""
    extent = re.escape(size[:-1]).replace("x", "[x×]")
    return rf"\b{low}{middle}[ -]{extent}[bB]\b"


@cache
def _models() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """The size that ends the name of each model, its pattern, and its name."""
    return tuple(
        (re.split(r"-|(?<=\d)x", name)[-1], re.compile(_model_pattern(name), re.IGNORECASE), name)
        for name in catalogue("model")
    )


_ANY_MODEL = ("gpt", "llama", "mistral", "mixtral", "qwen", "gemma")


def models(text: str) -> list[Mention]:
    """The models of the catalogue that a text names."""
    low = text.lower()
    if not any(map(low.__contains__, _ANY_MODEL)):
        return []
    found = [
        Mention((name,), match.start(), match.end())
        for size, pattern, name in _models()
        if size in low
        for match in pattern.finditer(text)
    ]
    return sorted(found, key=lambda one: one.start)


def entry(kind: str, name: str) -> Entry:
    """An entry of the catalogue."""
    return catalogue("hardware" if kind == "hardware" else "model")[name]


def extents(name: str) -> dict[str, float]:
    """What a model fills into the letters that papers use for its extents."""
    roles = {"hidden": "h", "heads": "a", "layers": "L", "vocabulary": "V"}
    return {
        roles[constant.role]: float(constant.base)
        for constant in entry("model", name).constants
        if constant.role in roles
    }


WIDTHS = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.5}
"""The bytes of an element of a format, by the names that `precisions` gives."""

_MISSING = re.compile(r"\b(?:without|lacks?|lacking|have no|has no|had no)(?: native)? $", re.IGNORECASE)
_SUMS = re.compile(r"[\s-](?:acc\b|accum)", re.IGNORECASE)
_PRECISION = re.compile(
    r"(?<![A-Za-z])(?=[bBdefFhiIMNstT4])(?:"
    + "|".join(rf"(?P<{name}>(?:{words})(?![A-Za-z0-9]))" for name, words in _PRECISIONS)
    + ")"
)


@lru_cache(maxsize=8)
def precisions(text: str) -> tuple[tuple[str, int], ...]:
    """The number formats that a text names, with their places.

    Not those of which it says that they are missing, nor that of the sums: fp16 with fp32 accumulate.
    """
    return tuple(
        (match.lastgroup or "", match.start())
        for match in _PRECISION.finditer(text)
        if not _MISSING.search(text, max(0, match.start() - 16), match.start())
        and not _SUMS.match(text, match.end())
    )
