"""Speculative decoding: several tokens a pass, and how many to draft."""

from __future__ import annotations

from fractions import Fraction

from sympy import Dummy

from derive import (
    Check,
    Computed,
    Derivation,
    DeriveError,
    Equal,
    Example,
    Identity,
    Limit,
    SpecialCase,
    Sum,
    count,
    number,
)
from derive.computed import Numbers
from derive.result import Value

alpha = number("alpha", "chance that a drafted token is accepted", at_most=1)
k = count("k", "tokens drafted before a pass of the large model")
c = number("c", "time of drafting one token over that of a pass")
_i = Dummy("i", nonnegative=True)

_TOKENS = (1 - alpha ** (k + 1)) / (1 - alpha)
_SPEED = _TOKENS / (1 + k * c)
_GAIN = alpha ** (k + 1) * ((1 + k * c) * (1 - alpha) + c)
_MOST = 1000
_SOURCE = "Leviathan et al., Fast Inference from Transformers via Speculative Decoding, arXiv:2211.17192"

speculative = Derivation(
    "n",
    "Tokens of a pass of speculative decoding",
    unit="dimensionless",
    about="""A small model drafts k tokens and the large one checks them in a single pass. Up to the first one refused
    they are kept, and the pass adds one of its own. Each is accepted with the chance alpha whatever came before.""",
    start=Sum(alpha**_i, (_i, 0, k)),
    steps=[
        Equal(
            _TOKENS,
            because="token i + 1 comes out if i were accepted; times 1 − alpha, all but first and last cancel",
        )
    ],
    facts=[
        Limit(alpha, 1, k + 1, because="if every draft is accepted, the pass adds one to all k"),
        SpecialCase({k: 1}, 1 + alpha, because="one draft adds its chance"),
        Identity(
            _TOKENS + alpha ** (k + 1) / (1 - alpha),
            1 / (1 - alpha),
            because="a draft without end would bring the rest: never more than 1/(1 − alpha) in all",
        ),
    ],
    examples=[
        Example({"alpha": "0.8", "k": 4}, "3.3616"),
        Example({"alpha": "0.5", "k": 2}, "1.75"),
    ],
    sources=[f"{_SOURCE}, equation 1"],
)

speculative_speedup = Derivation(
    "s",
    "Speed-up by speculative decoding",
    unit="dimensionless",
    about="""Tokens a pass over the time of the pass with its drafts, in units of a plain pass. Checking k + 1 tokens
    takes as long as making one, which holds as long as the pass is bound by memory.""",
    start=speculative.whole / (1 + k * c),
    steps=[
        Equal(
            (1 - alpha ** (k + 1)) / ((1 - alpha) * (1 + k * c)),
            because="k drafts of c each come before the pass",
        )
    ],
    facts=[
        Limit(alpha, 1, (k + 1) / (1 + k * c), because="every draft is accepted"),
        Limit(c, 0, _TOKENS, because="drafts that cost nothing leave the tokens of a pass"),
        Identity(
            _SPEED.xreplace({k: k + 1}) - _SPEED,
            (_GAIN - c) / ((1 - alpha) * (1 + k * c) * (1 + (k + 1) * c)),
            because="one more draft pays as long as alpha^(k + 1)·((1 + kc)(1 − alpha) + c) is above c",
        ),
        Identity(
            _GAIN - _GAIN.xreplace({k: k + 1}),
            alpha ** (k + 1) * (1 - alpha) ** 2 * (1 + (k + 1) * c),
            because="that falls with k, so that once a draft does not pay, no further one does",
        ),
    ],
    examples=[
        Example({"alpha": "0.8", "k": 4, "c": "0.1"}, "2.4011"),
        Example({"alpha": "0.6", "k": 4, "c": "0.2"}, "1.2809"),
    ],
    sources=[f"{_SOURCE}, theorem 3.8"],
)


def _pays(chance: Fraction, cost: Fraction, drafted: int) -> bool:
    """Whether one more draft than these makes decoding faster: the sign of the difference, exactly."""
    if chance == 1:
        return cost < 1
    return chance ** (drafted + 1) * ((1 + drafted * cost) * (1 - chance) + cost) > cost


def _best(chance: Fraction, cost: Fraction) -> int:
    """The first number of drafts at which one more does not pay. Raises DeriveError above 1000."""
    for drafted in range(_MOST + 1):
        if not _pays(chance, cost, drafted):
            return drafted
    raise DeriveError(
        f"more than {_MOST} drafts pay at alpha = {float(chance):.6g}, c = {float(cost):.6g}: no draft is that "
        "long; give a lower alpha or a larger c"
    )


def _compute(values: Numbers) -> Value:
    return Fraction(_best(values["alpha"], values["c"]))


def _explain(value: Value, values: Numbers) -> str:
    if not value:
        return "drafting does not pay: a draft costs as much as its chance is worth"
    return f"{value} drafted tokens; one more costs more time than it brings"


def _counterexample() -> str:
    grid = [Fraction(step, 10) for step in range(1, 10)]
    for chance in grid:
        for cost in grid:
            speeds = [
                (1 - chance ** (drafted + 1)) / ((1 - chance) * (1 + drafted * cost)) for drafted in range(40)
            ]
            if speeds.index(max(speeds)) != _best(chance, cost):
                return f"alpha = {chance}, c = {cost}"
    return ""


speculative_best_k = Computed(
    "k",
    "Number of drafts that makes decoding fastest",
    letters=[alpha, c],
    compute=_compute,
    explain=_explain,
    checks=[
        Check(
            "no number of drafts below 40 is faster than the one found",
            "alpha and c go through 0.1, 0.2 … 0.9; that the first one found is the best of all follows from "
            "serving.speculative_speedup",
            _counterexample,
        )
    ],
    about="""The speed-up rises with k as long as one more draft pays and falls ever after, so that the first k
    beyond which none pays is the best of all; 0 where drafting only costs. Found exactly, up to 1000.""",
    examples=[Example({"alpha": "0.8", "c": "0.1"}, "6"), Example({"alpha": "0.5", "c": "0.6"}, "0")],
    sources=[f"{_SOURCE}, section 3.5"],
)
