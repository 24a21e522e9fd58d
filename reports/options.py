"""What a reader may ask of a report, and the builders that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from derive.conventions import chosen
from derive.errors import DeriveError
from derive.measurements import load
from reports.building import Builder
from reports.comparing import Compare
from reports.measured import RATES, of_machine
from reports.planning import Plans
from reports.setting import Setting


class Options(TypedDict, total=False):
    """The keyword arguments of `write` and `render`.

    on, model: names of a machine and a model. given: values by letter; conventions:
    choices by name; a document uses those that bear on it. hardware: a TOML file with
    machines of one's own. measured: a file of measurements, shown beside what is
    derived of their ids. compare: two choices of a convention, which each derivation is
    shown under side by side. digits: significant digits of rounded results, 4 unless
    given. templates: a folder whose templates stand in for ours, in a sandbox.
    """

    on: str | None
    model: str | None
    given: Mapping[str, object] | None
    conventions: Mapping[str, str] | None
    hardware: str | Path | None
    measured: str | Path | None
    compare: Compare | None
    digits: int | None
    templates: str | Path | None


def builders(options: Options, plans: Plans, *, figures: bool) -> list[Builder]:
    """One builder, or one for each of two choices of a convention; figures: whether chapters show them.

    Raises DeriveError for an unknown machine, model, convention or choice, and for
    measurements that concern nothing that is reported.
    """
    measured, compare = options.get("measured"), options.get("compare")
    setting = Setting(
        options.get("on"),
        options.get("model"),
        dict(options.get("given") or {}),
        chosen(options.get("conventions") or {}),
        options.get("hardware"),
        tuple(load(Path(measured))) if measured is not None else (),
    )
    shelf = plans.shelf
    rates = any(plan.chapter and plan.name == RATES for plan in plans.documents)
    if setting.measured and not any(
        one.id in shelf or (rates and of_machine(one)) for one in setting.measured
    ):
        ids = ", ".join(sorted({one.id for one in setting.measured})[:8])
        raise DeriveError(f"nothing that is reported was measured: the file has {ids}")
    if compare is None:
        return [Builder(setting, shelf, figures=figures)]
    if compare.convention in setting.conventions:
        raise DeriveError(f"the convention {compare.convention} is both chosen and compared: leave one out")
    return [
        Builder(
            replace(setting, conventions={**setting.conventions, compare.convention: choice}),
            shelf,
            figures=figures,
        )
        for choice in compare.choices
    ]
