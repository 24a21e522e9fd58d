"""From targets to files: which documents are wanted, and each written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from derive import catalogue
from derive.conventions import chosen
from derive.derivation import Derivation
from derive.errors import DeriveError
from derive.measurements import load
from reports.building import Builder, refuse_unused
from reports.comparing import Compare, compared
from reports.rendering import check_format, render_document, render_index
from reports.setting import Setting
from reports.view import Document

Progress = Callable[[int, int, str], None]


def write(
    targets: Iterable[str | Derivation],
    formats: Iterable[str],
    out: str | Path,
    *,
    on: str | None = None,
    model: str | None = None,
    given: Mapping[str, object] | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
    measured: str | Path | None = None,
    compare: Compare | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write a document for each target in each format into the folder `out`; the paths written, in order.

    targets: ids, names of chapters, "all" (a document for each chapter) or
    derivations. formats: of `FORMATS`. on, model: names of a machine and a model.
    given: values by letter; conventions: choices by name; a document uses those
    that bear on it. hardware: a TOML file with machines of one's own. measured: a file
    of measurements, shown beside what is derived of their ids. compare: two
    choices of a convention, which each derivation is shown under side by side. progress
    is called with (documents begun, documents in all, name).

    Every document is rendered before the first is written, and each file appears
    whole. Raises DeriveError for an unknown target, format, letter, convention,
    machine or model, for a value of the wrong unit, and for a folder that cannot
    be written.
    """
    wanted = [check_format(name) for name in dict.fromkeys(formats)]
    plans = _plans(targets)
    if not plans or not wanted:
        raise DeriveError("nothing to report: give at least one id, chapter or 'all', and one format")
    setting = _setting(on, model, given, conventions, hardware, measured)
    builders = _builders(setting, plans, compare)
    documents: list[Document] = []
    for number, plan in enumerate(plans, 1):
        if progress is not None:
            progress(number, len(plans), plan.name)
        documents.append(replace(plan.build(builders, compare), name=plan.name))
    refuse_unused(builders)
    texts = {
        f"{document.name}.{name}": render_document(document, name, documents)
        for document in documents
        for name in wanted
    }
    if "html" in wanted and len(documents) > 1:
        texts["index.html"] = render_index(documents)
    folder = _folder(Path(out))
    return [_write_whole(folder / name, text) for name, text in texts.items()]


def render(
    derivation: str | Derivation,
    format: str,
    *,
    on: str | None = None,
    model: str | None = None,
    given: Mapping[str, object] | None = None,
    conventions: Mapping[str, str] | None = None,
    hardware: str | Path | None = None,
    measured: str | Path | None = None,
    compare: Compare | None = None,
) -> str:
    """The document of one derivation (or of the chapter named) as text. Arguments and errors are those of `write`."""
    check_format(format)
    plans = _plans([derivation])
    if len(plans) > 1:
        raise DeriveError("'all' is several documents: write them to a folder")
    setting = _setting(on, model, given, conventions, hardware, measured)
    builders = _builders(setting, plans, compare)
    text = render_document(plans[0].build(builders, compare), format)
    refuse_unused(builders)
    return text


@dataclass(frozen=True)
class _Plan:
    """One document to come: its file's name without the ending, and what it holds."""

    name: str
    derivations: tuple[Derivation, ...]
    chapter: bool

    def build(self, builders: Sequence[Builder], compare: Compare | None) -> Document:
        if compare is None:
            builder = builders[0]
            return (
                builder.chapter(self.name, self.derivations)
                if self.chapter
                else builder.single(*self.derivations)
            )
        if self.chapter:
            raise DeriveError(f"two choices stand side by side for single formulas: give ids of {self.name}")
        return compared(self.derivations[0], compare, builders)


def _setting(
    on: str | None,
    model: str | None,
    given: Mapping[str, object] | None,
    conventions: Mapping[str, str] | None,
    hardware: str | Path | None,
    measured: str | Path | None,
) -> Setting:
    taken = tuple(load(Path(measured))) if measured is not None else ()
    return Setting(on, model, dict(given or {}), chosen(conventions or {}), hardware, taken)


def _builders(setting: Setting, plans: Iterable[_Plan], compare: Compare | None) -> list[Builder]:
    """One builder, or one for each of two choices of a convention."""
    shelf = _shelf(plans)
    if setting.measured and not any(one.id in shelf for one in setting.measured):
        ids = ", ".join(sorted({one.id for one in setting.measured})[:8])
        raise DeriveError(f"nothing that is reported was measured: the file has {ids}")
    if compare is None:
        return [Builder(setting, shelf)]
    if compare.convention in setting.conventions:
        raise DeriveError(f"the convention {compare.convention} is both chosen and compared: leave one out")
    return [
        Builder(replace(setting, conventions={**setting.conventions, compare.convention: choice}), shelf)
        for choice in compare.choices
    ]


def _plans(targets: Iterable[str | Derivation]) -> list[_Plan]:
    """A plan for each document, each name once."""
    plans: dict[str, _Plan] = {}
    for target in targets:
        for plan in _plans_of(target):
            plans.setdefault(plan.name, plan)
    return list(plans.values())


def _plans_of(target: str | Derivation) -> list[_Plan]:
    if isinstance(target, Derivation):
        return [_Plan(target.id or _slug(target.title), (target,), chapter=False)]
    if target == "all":
        return [_chapter(name) for name in catalogue.chapters()]
    if "." in target:
        return [_Plan(target, (catalogue.get(target),), chapter=False)]
    return [_chapter(target)]


def _chapter(name: str) -> _Plan:
    return _Plan(name, tuple(catalogue.chapter(name).values()), chapter=True)


def _shelf(plans: Iterable[_Plan]) -> dict[str, str]:
    """The document in which each derivation stands."""
    return {derivation.id: plan.name for plan in plans for derivation in plan.derivations if derivation.id}


def _slug(title: str) -> str:
    """A file name for a derivation that no file or chapter has named."""
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in title.lower()).split()
    return "-".join(words)[:80] or "derivation"


def _folder(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DeriveError(f"{out}: cannot make this folder: {error.strerror or error}") from error
    return out


def _write_whole(path: Path, text: str) -> Path:
    """Write beside the file's place and move it there, so that no reader ever meets a half."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with unfinished.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise DeriveError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path
