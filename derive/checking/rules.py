"""The rules of a check by name: what each decides, and which are hints that must be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from derive.errors import DeriveError
from derive.suggest import nearest


@dataclass(frozen=True)
class Rule:
    """What a rule decides, at length for --explain; hint: it never says false, only points at something.

    default: it runs without being asked for.
    """

    name: str
    title: str
    explanation: str
    hint: bool = False
    default: bool = True


_ALL = (
    Rule(
        "chain",
        "A calculation and its result",
        "Both sides of =, ≈ or ~ are computed: `2 * 7/8 * 2 GB / (64 GB/s) ≈ 55 ms`, LaTeX and Unicode alike,"
        " letters with the values that the paragraph, the section or the document gives them, letter products"
        " such as 34sbh with the extents of the model that is named. True: they agree within the digits "
        "printed. False: no reading of the units and prefixes comes near, the letters have one value each, "
        "and the text neither goes on nor corrects it. Words are read too: 8 times 80 GB makes 640 GB; 38 % "
        "of 989; a drop from 40 to 30, 25 %; 27 GB at 50 GB/s takes 0.54 s; each layer takes 2 GB, so 32 "
        "layers need 64 GB. Amounts are combined by what they measure and count, a percentage is held to its "
        "base, a time to the hours of day around it. So is what follows from the sentence before or from the "
        "list: 60 TB over a 100 Gb/s line, 6ND, weights in another format, bytes in proportion to tokens, "
        "training states at the bytes a parameter that the document counts, and what each node or device has "
        "of the whole, what is left, what makes so many percent, twice that. "
        "Where words leave open what is multiplied, only a plain slip (bits for bytes, a power of ten, "
        "swapped digits) is false.",
    ),
    Rule(
        "conversion",
        "One quantity in two units",
        "`400 Gb/s ≈ 50 GB/s`, `8 GB is 7.45 GiB`, `80 GB (74.5 GiB)`: the left side counts as exact. Joined by or, "
        "i.e. or a bracket, only a plain slip is false.",
    ),
    Rule(
        "table-formula",
        "A column computed from others",
        "A header that names a calculation (`step time at 3.35 TB/s`, `ridge (FLOP/byte)`), a formula in letters in or "
        "beside the table (`C = 6ND`, `D/N`, 4 + 12/d), or a calculation in one cell and its result in the next, is "
        "computed for each row. Otherwise it is searched for: products, quotients, sums, means, shares, savings, "
        "running sums, so many times another column (per rack, six racks), up to a constant of the table or its text, "
        "with columns of other tables of the same labels and "
        "numbers of the machines of the rows. A relation counts where the printed digits of the rows say "
        "clearly more for it than the search has spent; the one row that does not follow is false.",
    ),
    Rule(
        "table-total",
        "The total of a column",
        "A row that begins with total or sum must be the sum of the rows above it, in the units of header or cells. A "
        "small difference is false where two digits are exchanged, one row is left out, or another total of the same "
        "row shows that the rows are complete; rows such as of which or headroom leave it open. What stands over a "
        "subtotal is in it. Lines of labels and numbers over a rule of dashes add up, too.",
    ),
    Rule(
        "table-formats",
        "One size in several number formats",
        "Rows for bf16, int8, int4 … of the same parameters must scale with the bytes of the format; the row that does "
        "not is false where at least two others agree.",
    ),
    Rule(
        "hardware",
        "What a machine can do",
        "Peaks, bandwidths, links, caches, capacities, power limits and multiprocessors of machines that the catalogue "
        "knows (derive constants), by precision, sparsity and direction; their ridge points; utilizations from tokens "
        "a second; rates of InfiniBand ports. 1,979 TFLOP/s is the sparse bf16 number of an H100; 900 GB/s of NVLink "
        "are both ways.",
    ),
    Rule(
        "model",
        "What a model is made of",
        "Parameters, layers, heads, widths and vocabularies of models that the catalogue knows, in sentences and "
        "tables; the tokens that they were trained on; the bytes of their weights in a format that the text names.",
    ),
    Rule(
        "kv-cache",
        "Bytes of the KV cache",
        "Bytes a token, 2·layers·KV heads·head dimension·element, for known models, in sentences and in columns.",
    ),
    Rule(
        "number-format",
        "What a number format can hold",
        "Largest value, epsilon, smallest normal and subnormal, the bits of sign, exponent and mantissa, and the bits "
        "a weight of block formats with their share of the scale.",
    ),
    Rule(
        "impossible",
        "Values that cannot be",
        "A utilization above 100 %, a bandwidth achieved above that of the memory, the lanes or the port that the text "
        "names, more tokens a second than the peak allows with two operations a parameter, a single stream faster than "
        "the memory can read the weights, weights larger than the memory that they are said to fit.",
    ),
    Rule(
        "annotation",
        "A number tied to the catalogue",
        "`<!-- derive: attention.naive_intensity T=4096 d=128 -->` holds the number beside or below it against the "
        "catalogue; on=, model= and conventions may be given as on the command line.",
    ),
    Rule(
        "figure",
        "A structured claim",
        "An entry of a figures.toml: an id with inputs, or a calculation, and its value.",
    ),
    Rule(
        "two-values",
        "One document, two values",
        "The same named quantity appears with different values, or the same number once in GB and once in GiB, or a "
        "number that the text computes or repeats stands once more with two digits exchanged, the point elsewhere or "
        "another prefix, beside the same words, or a number is said to come from another place (the 4.8 ms of section "
        "4, the 420 GB above) and that place has another one, or a setting is used with another default than it has, "
        "or told otherwise than the configuration shows, or the text gives an option of a table another count.",
    ),
    Rule("kb", "KB may be 1000 or 1024 bytes", "Write kB or KiB.", hint=True, default=False),
    Rule(
        "bit-rate",
        "An amount where a rate is meant",
        "A link of `400 Gb` is probably one of 400 Gb/s.",
        hint=True,
        default=False,
    ),
    Rule(
        "flops-rate",
        "FLOPs as a rate",
        "FLOPs is read as an amount and as a rate: write FLOP or FLOP/s.",
        hint=True,
        default=False,
    ),
    Rule(
        "decimal-binary",
        "GB next to a binary value",
        "The number given in GB is one in GiB.",
        hint=True,
        default=False,
    ),
    Rule(
        "bare-peak",
        "A peak without precision or sparsity",
        "A peak of a machine that differs by precision and sparsity should say which.",
        hint=True,
        default=False,
    ),
    Rule("bare-link", "NVLink without direction", "Say each way or both ways.", hint=True, default=False),
)

RULES = {rule.name: rule for rule in _ALL}


def chosen(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """The rules in force: the selected ones ("all", "hints" and "default" stand for several) without the ignored ones.

    Raises DeriveError for an unknown rule.
    """
    picked = _named(select) or {rule.name for rule in _ALL if rule.default}
    return frozenset(picked - _named(ignore))


def _named(names: Iterable[str]) -> set[str]:
    groups = {
        "all": {rule.name for rule in _ALL},
        "hints": {rule.name for rule in _ALL if rule.hint},
        "default": {rule.name for rule in _ALL if rule.default},
    }
    found: set[str] = set()
    for name in (part.strip() for text in names for part in text.split(",") if part.strip()):
        if name not in RULES and name not in groups:
            near = nearest(name, RULES)
            raise DeriveError(f"unknown rule {name[:40]!r}{near}: one of {', '.join((*RULES, *groups))}")
        found |= groups.get(name, {name})
    return found
