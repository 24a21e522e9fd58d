"""What the catalogue is made of: an entry for each machine or model, a constant for each value.

To ask a machine for the kind of value that a formula needs:
`hardware("h100-sxm").pick("peak", sparsity="dense", precision="bf16")`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

import units
from derive.errors import DeriveError
from derive.roles import ROLES, TAGS, Kind, Role, unit_of
from derive.suggest import nearest

BINARY = {"kB": "KiB", "MB": "MiB", "GB": "GiB", "TB": "TiB", "PB": "PiB", "EB": "EiB"}
"""The binary namesake of each decimal unit of memory size."""

_LEADS = {
    ("sparsity", "2:4", "dense"): (Fraction(1, 2), "dense is half of it"),
    ("sparsity", "dense", "2:4"): (Fraction(2), "2:4 counts twice it on a machine that has it"),
    ("direction", "both-ways", "each-way"): (Fraction(1, 2), "each way is half of it"),
    ("direction", "each-way", "both-ways"): (Fraction(2), "both ways are twice it"),
}


@dataclass(frozen=True)
class Source:
    """Where a constant comes from: the document's name, the day it was last looked at, a note or ""."""

    document: str
    date: date
    note: str = ""


@dataclass(frozen=True)
class Constant:
    """One sourced value of an entry.

    value: exact, in `unit` as the source wrote it, or true or false. text: the
    value as written, such as "989 TFLOP/s". tags: what the unit cannot say.
    """

    entry: str
    role: str
    value: Fraction | bool
    unit: str
    text: str
    tags: Mapping[str, str] = field(hash=False)
    source: Source

    @cached_property
    def base(self) -> Fraction:
        """The exact value in base units (byte, FLOP, second …); true is 1, false is 0."""
        return Fraction(self.value) * units.factor(self.unit)[0]

    @property
    def kind(self) -> str:
        """The tags but `basis`, as they stand in brackets: "dense, bf16"; "" where there are none."""
        return _listed(self.tags.get(tag, "") for tag in TAGS if tag != "basis")

    @property
    def described(self) -> str:
        """The value with its kind: "989 TFLOP/s [dense, bf16]"."""
        return f"{self.text} [{self.kind}]" if self.kind else self.text

    def read_as(self, reading: str) -> Constant:
        """A nominal capacity read as "decimal" (1 GB is 10⁹ bytes) or "binary" (2³⁰ bytes).

        A capacity that has this reading already comes back as it is. Raises
        DeriveError for any other constant.
        """
        has = self.tags.get("capacity")
        if has is not None and has == reading:
            return self
        unit = self.unit if reading == "decimal" else BINARY.get(self.unit)
        if has != "nominal" or reading not in ("decimal", "binary") or unit is None:
            raise DeriveError(
                f"{self.entry}: {self.role} {self.described} cannot be read as {reading[:20]!r}: "
                "only a nominal capacity in kB, MB, GB … is read as decimal or binary"
            )
        note = f"{self.source.note}; nominal, read as {reading}".removeprefix("; ")
        return dataclasses.replace(
            self,
            unit=unit,
            text=f"{plain(Fraction(self.value))} {unit}",
            tags=MappingProxyType({**self.tags, "capacity": reading}),
            source=dataclasses.replace(self.source, note=note),
        )


@dataclass(frozen=True)
class Entry:
    """A machine or a model: its constants and the name of the file they were read from."""

    name: str
    title: str
    kind: Kind
    family: str | None
    constants: tuple[Constant, ...]
    origin: str
    aliases: tuple[str, ...] = ()
    note: str = ""

    def pick(self, role: str, letter: str = "", /, **wanted: str) -> Constant:
        """The one constant of a role that bears the wanted tags.

        letter: the formula's letter for it, named in what to give. Raises
        DeriveError where the role is missing, where several constants fit, and
        where none does: then with what there is and what leads from it to what
        was wanted.
        """
        known = _role(self.kind, role)
        letter = letter or known.letter
        _check(known, wanted)
        own = [constant for constant in self.constants if constant.role == role]
        found = [constant for constant in own if not _differing(constant, wanted)]
        if len(found) == 1:
            return found[0]
        if not own:
            raise DeriveError(self._missing(known, letter))
        if found:
            raise DeriveError(f"{self.name} has {len(found)} values of {role}: say which of {_all(found)}")
        raise DeriveError(self._near(known, letter, own, wanted))

    def _missing(self, role: Role, letter: str) -> str:
        why = f" ({self.note})" if self.note else ""
        example = "true" if role.flag else "…" if role.whole else f"… {role.unit}"
        give = _give(letter, example)
        if self.kind == "hardware":
            give += f", or {role.name} under [{self.name}] in a file for --hardware"
        return f"{self.name} has no {role.name}, the {role.meaning}{why}: {give}"

    def _near(self, role: Role, letter: str, own: list[Constant], wanted: Mapping[str, str]) -> str:
        kind = _listed(wanted.values())
        own = sorted(own, key=lambda constant: len(_differing(constant, wanted)))
        for constant in own:
            differing = _differing(constant, wanted)
            if len(differing) != 1:
                continue
            tag = differing[0]
            start = f"{self.name} has {role.name} {constant.described}, none that is [{kind}]"
            if (lead := _LEADS.get((tag, constant.tags.get(tag, ""), wanted[tag]))) is not None:
                value = f"{plain(Fraction(constant.value) * lead[0])} {constant.unit}"
                return f"{start}; {lead[1]}: {_give(letter, value)}"
            if constant.tags.get(tag) == "nominal":
                return (
                    f"{start}; a vendor's GB may be 10⁹ or 2³⁰ bytes: read it as "
                    f"{constant.read_as(wanted[tag]).text} with --convention capacity={wanted[tag]}"
                )
        unit = unit_of(role, wanted)
        return (
            f"{self.name} has no {role.name} [{kind}], only {_all(own)}, and no rule leads from these to it: "
            f"ask for one of these or {_give(letter, f'… {unit}')}"
        )


def plain(value: Fraction) -> str:
    """A number in plain decimals, to 80 digits: 1979/2 is 989.5."""
    divided = Context(prec=80).divide(Decimal(value.numerator), Decimal(value.denominator))
    return str(value.numerator) if value.denominator == 1 else f"{divided:f}"


def _role(kind: Kind, role: str) -> Role:
    known = ROLES[kind].get(role)
    if known is None:
        hint = nearest(role, ROLES[kind])
        raise DeriveError(f"no {kind} has a role {role[:40]!r}{hint}: one of {_listed(ROLES[kind])}")
    return known


def _check(role: Role, wanted: Mapping[str, str]) -> None:
    for tag, value in wanted.items():
        if tag not in ("basis", *role.tags):
            raise DeriveError(f"{role.name} bears no tag {tag!r}: one of {_listed(('basis', *role.tags))}")
        if value not in TAGS[tag]:
            raise DeriveError(f"{role.name}: {tag} {value!r} is unknown: one of {_listed(TAGS[tag])}")


def _differing(constant: Constant, wanted: Mapping[str, str]) -> list[str]:
    return [tag for tag, value in wanted.items() if constant.tags.get(tag) != value]


def _give(letter: str, text: str) -> str:
    return f"give --set {letter}='{text}'" if letter else f"give '{text}' with --set"


def _all(constants: Sequence[Constant]) -> str:
    """The constants of a list, the first six of a longer one."""
    more = f"and {len(constants) - 6} more" if len(constants) > 6 else ""
    return _listed((*(constant.described for constant in constants[:6]), more))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(word for word in words if word)
