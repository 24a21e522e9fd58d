"""Drawing exercises: by seed, in turn through the kinds, none twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from random import Random

from derive.catalogue import chapters
from derive.errors import DeriveError
from derive.suggest import nearest
from derive.teaching import kinds as makers
from derive.teaching import structure
from derive.teaching.exercise import KINDS, LEVELS, Exercise
from derive.teaching.scenes_kernels import KERNELS
from derive.teaching.scenes_models import MODELS
from derive.teaching.template import Template

TEMPLATES: tuple[Template, ...] = (*KERNELS, *MODELS)
DRAWN = tuple(kind for kind in KINDS if kind != "why")
MOST = 1000
_TRIES = 40

_Maker = Callable[[Random], Exercise | None]
_OF_SCENE: dict[str, Callable[[Template, Random], Exercise | None]] = {
    "value": makers.value,
    "estimate": makers.estimate,
    "regime": makers.regime,
    "larger": makers.larger,
    "letter": makers.letter,
    "mistake": makers.mistake,
}


def draw(
    seed: int,
    count: int,
    *,
    chapter: str = "",
    level: int = 0,
    kinds: Sequence[str] = (),
    review: Collection[str] = (),
) -> list[Exercise]:
    """So many exercises, the same for the same seed.

    chapter: of the catalogue; level: 1, 2 or 3, 0 for all; kinds: of `KINDS`. review:
    topics (`topic`) that come first. Raises DeriveError for a chapter, level or kind that is
    not there, and where there are not as many different exercises.
    """
    _check(chapter, level, kinds, count)
    rng = Random(f"derive drill {seed}")
    pools = {kind: _pool(kind, chapter, level) for kind in kinds or DRAWN}
    pools = {kind: pool for kind, pool in pools.items() if pool}
    found: dict[str, Exercise] = {}
    for wanted in [one for one in review if one in {topic for pool in pools.values() for topic in pool}]:
        if len(found) < count:
            _add(found, pools[wanted.partition(" ")[0]][wanted], rng, level)
    while pools and len(found) < count:
        for kind in _shuffled(list(pools), rng):
            if len(found) < count and not _add_of_kind(found, pools[kind], rng, level):
                del pools[kind]
    if len(found) < count:
        raise DeriveError(
            f"there are only {len(found)} different exercises of this sort: give a lower --count, or another "
            "--chapter, --level or --kind"
        )
    return list(found.values())


def topic(exercise: Exercise) -> str:
    """What an exercise practises: a kind and a formula."""
    return f"{exercise.kind} {exercise.id}"


def _check(chapter: str, level: int, kinds: Sequence[str], count: int) -> None:
    if chapter and chapter not in chapters():
        near = nearest(chapter, chapters())
        raise DeriveError(f"unknown chapter {chapter[:80]!r}{near}: one of {', '.join(chapters())}")
    if level and level not in LEVELS:
        raise DeriveError(f"level {level}: give {', '.join(map(str, LEVELS[:-1]))} or {LEVELS[-1]}")
    for kind in kinds:
        if kind not in DRAWN:
            raise DeriveError(
                f"unknown kind {kind[:80]!r}{nearest(kind, DRAWN)}: one of "
                + ", ".join(f"{name} ({KINDS[name]})" for name in DRAWN)
            )
    if not 1 <= count <= MOST:
        raise DeriveError(f"--count {count}: give a number from 1 to {MOST}")


def _pool(kind: str, chapter: str, level: int) -> dict[str, _Maker]:
    """What makes exercises of a kind, by topic."""
    makers_of: dict[str, _Maker]
    if kind in _OF_SCENE:
        makers_of = {
            template.id: partial(_OF_SCENE[kind], template)
            for template in TEMPLATES
            if level in (0, makers.level_of(kind, template))
        }
    elif kind == "order":
        makers_of = {id: partial(structure.order, id) for id in structure.orderable()}
    else:
        makers_of = {id: partial(structure.unit, id) for id in structure.with_units()}
    return {f"{kind} {id}": make for id, make in makers_of.items() if _within(id, chapter)}


def _within(id: str, chapter: str) -> bool:
    return not chapter or id.partition(".")[0] == chapter


def _add_of_kind(found: dict[str, Exercise], pool: dict[str, _Maker], rng: Random, level: int) -> bool:
    """Add an exercise of a kind from a topic not yet used up; False where all are."""
    for name in _shuffled(list(pool), rng):
        if _add(found, pool[name], rng, level):
            return True
        del pool[name]
    return False


def _add(found: dict[str, Exercise], make: _Maker, rng: Random, level: int) -> bool:
    for made in _made(make, rng):
        if made.key not in found and level in (0, made.level):
            found[made.key] = made
            return True
    return False


def _made(make: _Maker, rng: Random) -> Iterator[Exercise]:
    for _ in range(_TRIES):
        made = make(rng)
        if made is not None:
            yield made


def _shuffled(names: list[str], rng: Random) -> list[str]:
    rng.shuffle(names)
    return names
