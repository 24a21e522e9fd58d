"""LaTeX as one line of plain arithmetic: one recursive walk, bounded in depth and linear in time.

\\frac{a}{b} becomes ((a)/(b)), text inside math is marked as such, and what has no
meaning for arithmetic becomes a wall. Line breaks stay where they are.
"""

from __future__ import annotations

import re

from derive.checking.blocks import MATH, TEXT, WALL

_DEPTH = 40
_SIGNS = {
    "times": "×", "cdot": "×", "ast": "×", "div": "/", "approx": "≈", "simeq": "≈", "sim": "≈", "approxeq": "≈",
    "cong": "≈", "equiv": "=", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "lt": "<", "gt": ">", "ll": "<",
    "gg": ">", "to": "→", "rightarrow": "→", "Rightarrow": "→", "implies": "→", "longrightarrow": "→", "iff": "→",
    "Leftrightarrow": "→", "leftrightarrow": "→", "neq": "≠", "ne": "≠", "pm": "±", "%": "%", "$": "$", "#": "#",
    "&": "&", "_": "_", "{": "(", "}": ")", "lceil": "ceil(", "rceil": ")", "lfloor": "floor(", "rfloor": ")",
    "log": "log", "ln": "ln", "max": "max", "min": "min", "qquad": WALL, "quad": WALL, "ldots": WALL, "dots": WALL,
    "cdots": WALL, "mid": WALL, "item": WALL, "hline": "", "toprule": "", "midrule": "", "bottomrule": "",
    "footnotesize": "", "small": "", "displaystyle": "", "left": "", "right": "", "big": "", "Big": "", "bigl": "",
    "bigr": "", "Bigl": "", "Bigr": "", "bigg": "", "Bigg": "", "biggl": "", "biggr": "", "Biggl": "", "Biggr": "",
    "nonumber": "", "notag": "", "thinspace": " ", "enspace": " ", "rm": "", "bf": "", "sf": "", "tt": "",
    "allowbreak": "", "middle": "", "limits": "", "nolimits": "", "noindent": "", "centering": "",
    "!": "", ",": " ", ";": " ", ":": " ", " ": " ", ">": " ", "\n": "\n", "\\": WALL, "newline": WALL,
    "ell": "ℓ", "euro": "€", "textdollar": "$", "textasciitilde": "~", "textperiodcentered": "×", "texttimes": "×",
}  # fmt: skip
_PREFIXES = {
    "micro": "µ", "milli": "m", "nano": "n", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P",
    "exa": "E", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
}  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ",
    "psi": "ψ", "omega": "ω", "Delta": "Δ", "Gamma": "Γ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ",
    "Omega": "Ω", "pi": "π",
}  # fmt: skip
_WORDS = {
    "text",
    "textrm",
    "textnormal",
    "mbox",
    "hbox",
    "textit",
    "textsf",
    "emph",
    "textsc",
    "underline",
    "texttt",
}
_BARE = {
    "mathbf",
    "mathrm",
    "mathit",
    "mathsf",
    "boldsymbol",
    "bm",
    "boxed",
    "textbf",
    "operatorname",
    "num",
    "mathtt",
}
_UNIT_NAMES = {
    "per": "/", "byte": "B", "bit": "b", "second": "s", "minute": "min", "hour": "h", "day": "day", "watt": "W",
    "joule": "J", "hertz": "Hz", "flop": "FLOP", "flops": "FLOP", "FLOP": "FLOP", "FLOPs": "FLOP", "op": "OP",
    "token": "token", "percent": "%", "GPU": "GPU",
}  # fmt: skip
_UNITS = {"SI": 2, "qty": 2, "si": 1, "unit": 1}
_DROPPED = {
    "label": 1, "ref": 1, "eqref": 1, "cite": 1, "citep": 1, "citet": 1, "begin": 1, "end": 1, "tag": 1, "color": 1,
    "vspace": 1, "hspace": 1, "includegraphics": 1, "url": 1, "textcolor": 1, "phantom": 1, "cref": 1, "Cref": 1,
    "autoref": 1, "footnotemark": 0, "mathcal": 0, "bibitem": 1, "input": 1, "include": 1, "usepackage": 1,
    "documentclass": 1, "cline": 1, "cmidrule": 1,
}  # fmt: skip
_OVER = {
    "underbrace",
    "overbrace",
    "overset",
    "underset",
    "bar",
    "hat",
    "tilde",
    "vec",
    "overline",
    "widehat",
}
_PLAIN = re.compile(r"[^\\{}^_$&%~\x02\x03]+")
THOUSANDS = re.compile(r"(?<=\d)(?:\\,|\{,\})(?=\d{3}(?!\d))")
_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.|\n)", re.DOTALL)
_GOES_ON = re.compile(
    r"\*?(?:\[[^\]\n]{0,12}\])?(?:[&{}\s]|\\[,;:! ]|\\(?:q?quad|mathrel|hspace\*?\{[^{}\n]{0,12}\}|"
    r"phantom\{[^{}\n]{0,20}\})(?![A-Za-z])){0,12}"
    r"(?=[=+×]|\\(?:approx|simeq|sim|cong|equiv|times|cdot|div)(?![A-Za-z]))"
)
"""What stands behind the end of a line of a formula that the next line goes on with: = or × is its first sign."""
_MEASURED = re.compile(r"\d(?:\\[,;:! ]|\\mathrm(?=\{)|[~{}\s]){0,4}$")
_SECONDS = re.compile(r"\s+s(?![A-Za-z_])")
_BASE = re.compile(r"\s*_(?:\{(?=\d+\}))?(2|10)(?:\}|(?!\d))")
_LOGGED = re.compile(r"\s*(\d+(?:\.\d+)?)(?![\d,^])")
"""A lone number behind a logarithm, which needs no brackets."""
_UNIT_LETTERS = ("W", "J", "h", "s", "B", "b", "V", "A")


def linear(source: str, math: bool = True) -> str:
    """The arithmetic of a piece of LaTeX; in math the letters are marked as symbols."""
    walk = _Walk(THOUSANDS.sub(",", source), math)
    body = walk.until("", 0)
    return f"{MATH}{body}{TEXT}" if math else body


class _Walk:
    def __init__(self, source: str, math: bool) -> None:
        self.source, self.at, self.math, self.unit = source, 0, math, False

    def until(self, closing: str, depth: int) -> str:
        """Everything up to a closing brace (or the end), read."""
        out: list[str] = []
        source, size = self.source, len(self.source)
        while self.at < size:
            plain = _PLAIN.match(source, self.at)
            if plain:
                out.append(plain[0])
                self.at = plain.end()
                continue
            sign = source[self.at]
            if sign == closing:
                self.at += 1
                break
            out.append(self._sign(sign, depth))
        return "".join(out)

    def _sign(self, sign: str, depth: int) -> str:
        source = self.source
        if sign == "\\":
            return self._command(depth)
        self.at += 1
        if sign == "{":
            return self.argument(depth, opened=True)
        if sign == "^":
            inner = self.argument(depth)
            return f"^({inner})" if len(inner) != 1 else f"^{inner}"
        if sign == "_" and self.math:
            inner = self.argument(depth)
            return "_" + re.sub(r"[^\w]+", "", inner) + "\n" * inner.count("\n")
        if sign == "~":
            return " "
        if sign == "&":
            return "" if self.math else WALL
        if sign == "%" and not self.math:
            end = source.find("\n", self.at)
            self.at = len(source) if end < 0 else end
            return ""
        return "" if sign in "}$" else sign

    def argument(self, depth: int, opened: bool = False) -> str:
        """A group, a command or a single sign."""
        source = self.source
        if not opened:
            while self.at < len(source) and source[self.at] == " ":
                self.at += 1
            if self.at >= len(source):
                return ""
            if source[self.at] != "{":
                if source[self.at] == "\\":
                    return self._command(depth + 1)
                self.at += 1
                return source[self.at - 1]
            self.at += 1
        if depth >= _DEPTH:
            return self._skip()
        return self.until("}", depth + 1)

    def _skip(self) -> str:
        """Pass over a group that is nested too deep: a wall, and the line breaks in it."""
        level, begin = 1, self.at
        while self.at < len(self.source) and level:
            level += {"{": 1, "}": -1}.get(self.source[self.at], 0)
            self.at += 1
        return WALL + "\n" * self.source.count("\n", begin, self.at)

    def _command(self, depth: int) -> str:
        found = _COMMAND.match(self.source, self.at)
        if found is None:
            self.at += 1
            return ""
        self.at = found.end()
        name = found[1].rstrip("*")
        if depth >= _DEPTH:
            return WALL
        if name in ("frac", "dfrac", "tfrac", "nicefrac", "cfrac"):
            above, below = self.argument(depth + 1), self.argument(depth + 1)
            return f"(({above})/({below}))"
        if self.unit and name in _UNIT_NAMES:
            return _UNIT_NAMES[name]
        if name in _PREFIXES:  # a prefix of siunitx belongs to the unit behind it
            self.at = len(self.source) - len(self.source[self.at :].lstrip(" "))
            return _PREFIXES[name]
        if name == "sqrt":
            return f"sqrt({self.argument(depth + 1)})"
        if name == "textsuperscript":
            return f"^({self.argument(depth + 1)})"
        if name in _WORDS:
            inner = self.argument(depth + 1)
            return f"{TEXT}{inner}{MATH}" if self.math else inner
        if name in _BARE:
            inner = self.argument(depth + 1)
            if (
                inner in _UNIT_LETTERS
                and self.math
                and _MEASURED.search(self.source, max(0, found.start() - 12), found.start())
            ):
                return f"{TEXT}{inner}{MATH}"  # an upright letter behind a number is its unit
            return inner
        if name == "\\" and self.math and (further := _GOES_ON.match(self.source, self.at)) is not None:
            self.at = further.end()
            return " " + "\n" * further[0].count("\n")
        if name in _UNITS:
            parts = " ".join(
                self._of_unit(depth, last == _UNITS[name]) for last in range(1, _UNITS[name] + 1)
            )
            return f"{TEXT}{parts}{MATH}" if self.math else parts
        if name in _OVER:
            return self._under(depth)
        if name in _DROPPED:
            return "".join("\n" * self.argument(depth + 1).count("\n") for _ in range(_DROPPED[name])) + (
                WALL if name in ("begin", "end") else ""
            )
        if name == "mu" and self._is_micro(found.start()):
            self.at = self.source.index("s", self.at)
        if name == "log" and (base := _BASE.match(self.source, self.at)) is not None:
            self.at = base.end()
            of = _LOGGED.match(self.source, self.at)
            self.at = of.end() if of is not None else self.at
            return f"log{base[1]}" + ("" if of is None else f"({of[1]})")
        if name in _SIGNS:
            return _SIGNS[name]
        if name in _GREEK:
            return _GREEK[name]
        return WALL if self.math else ""

    def _is_micro(self, start: int) -> bool:
        """Whether a µ behind a number belongs to the s behind it: 15 \\mu s."""
        behind = _SECONDS.match(self.source, self.at)
        return behind is not None and _MEASURED.search(self.source, max(0, start - 20), start) is not None

    def _of_unit(self, depth: int, last: bool) -> str:
        """An argument of siunitx; the last one holds the unit, whose macros are the names of units."""
        self.unit = last
        inner = self.argument(depth + 1)
        self.unit = False
        return inner

    def _under(self, depth: int) -> str:
        """What stands above a brace; the label under it is dropped."""
        inner = self.argument(depth + 1)
        for mark in ("_", "^"):
            if self.source.startswith(mark, self.at):
                self.at += 1
                inner += "\n" * self.argument(depth + 1).count("\n")
        return inner
