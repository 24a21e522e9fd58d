"use strict";
/* Exact arithmetic: a number is [numerator, denominator], whole numbers of any size in lowest terms.
   What cannot be computed is refused with a sentence for the reader. */
const q = (() => {
  class Refusal extends Error {}
  const BITS = 8192;
  const size = (n) => (n < 0n ? -n : n).toString(16).length * 4;
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const over = (n, d) => {
    if (d === 0n) throw new Refusal("no value here: it divides by zero");
    const common = gcd(n, d) * (d < 0n ? -1n : 1n);
    return [n / common, d / common];
  };
  const add = (...terms) => terms.reduce(([a, b], [c, d]) => over(a * d + c * b, b * d), [0n, 1n]);
  const mul = (...factors) => factors.reduce(([a, b], [c, d]) => over(a * c, b * d), [1n, 1n]);
  const div = ([a, b], [c, d]) => over(a * d, b * c);
  const neg = ([a, b]) => [-a, b];
  const compare = ([a, b], [c, d]) => { const left = a * d, right = c * b; return left < right ? -1 : left > right ? 1 : 0; };
  const max = (...all) => all.reduce((a, b) => (compare(a, b) < 0 ? b : a));
  const min = (...all) => all.reduce((a, b) => (compare(a, b) > 0 ? b : a));
  const floor = ([n, d]) => [n / d - (n % d < 0n ? 1n : 0n), 1n];
  const ceil = (x) => neg(floor(neg(x)));
  const abs = ([n, d]) => [n < 0n ? -n : n, d];
  /* To the nearest double; Infinity or 0 where it is outside their range. */
  const float = ([n, d]) => {
    const shift = size(d) - size(n) + 64;
    const whole = Number(shift > 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift)));
    return whole * 2 ** -Math.trunc(shift / 2) * 2 ** -(shift - Math.trunc(shift / 2));
  };
  /* The decimal that a double is written as. */
  const number = (x) => {
    if (!Number.isFinite(x)) throw new Refusal("no value here");
    return parse(String(x));
  };
  const DECIMAL = /^([+\-−]?)(\d{1,400})?(?:\.(\d{0,400}))?(?:e([+-]?\d{1,3}))?$/i;
  /* A number as people write it: 4096, 16,384, 3.35, 1e12; null for anything else. */
  const parse = (text) => {
    const plain = text.trim().replace(/^(\d{1,3})((?:,\d{3})+)(?![\d,])/, (_, head, rest) => head + rest.replaceAll(",", ""));
    const [, sign, whole = "", part = "", power = "0"] = DECIMAL.exec(plain) ?? [null];
    if (sign === undefined || whole + part === "") return null;
    const digits = BigInt(whole + part) * (sign && sign !== "+" ? -1n : 1n);
    const shift = Number(power) - part.length;
    return shift < 0 ? over(digits, 10n ** BigInt(-shift)) : [digits * 10n ** BigInt(shift), 1n];
  };
  const pow = (base, exponent) => {
    if (exponent[1] !== 1n) return number(float(base) ** float(exponent));
    const [n, d] = exponent[0] < 0n ? over(base[1], base[0]) : base;
    const times = exponent[0] < 0n ? -exponent[0] : exponent[0];
    if (times * BigInt(Math.max(size(n), size(d))) > BigInt(BITS)) throw new Refusal("a power here is too large to write out");
    return [n ** times, d ** times];
  };
  const sqrt = (x) => number(Math.sqrt(float(x)));
  const exp = (x) => number(Math.exp(float(x)));
  const log = (x) => number(Math.log(float(x)));
  const nowhere = () => { throw new Refusal("no value here"); };

  /* Rounding and units as in Python (derive.rounding, reports.quantities): half to even on the exact value. */
  const rounded = (x, digits) => {
    const [n, d] = abs(x);
    let exponent = n.toString().length - d.toString().length;
    const scaled = (places) => (places >= 0 ? [n * 10n ** BigInt(places), d] : [n, d * 10n ** BigInt(-places)]);
    if (compare([n, d], exponent < 0 ? [1n, 10n ** BigInt(-exponent)] : [10n ** BigInt(exponent), 1n]) < 0) exponent -= 1;
    const [a, b] = scaled(digits - 1 - exponent);
    let whole = a / b;
    const twice = 2n * (a % b);
    if (twice > b || (twice === b && whole % 2n === 1n)) whole += 1n;
    if (whole === 10n ** BigInt(digits)) { whole /= 10n; exponent += 1; }
    return { digits: whole.toString(), exponent, exact: a % b === 0n };
  };
  const significant = (x, digits = 4) => {
    if (x[0] === 0n) return { text: "0", exact: true };
    const sign = x[0] < 0n ? "-" : "";
    if (x[1] === 1n && abs(x)[0].toString().length <= digits) return { text: x[0].toString(), exact: true };
    const found = rounded(x, digits);
    const kept = found.exact ? found.digits.replace(/0+$/, "") : found.digits;
    const { exponent, exact } = found;
    const spread = (text) => (text.length > 1 ? `${text[0]}.${text.slice(1)}` : text);
    if (exponent <= -4 || exponent >= 15) return { text: `${sign}${spread(kept)}e${exponent}`, exact };
    if (exponent < 0) return { text: `${sign}0.${"0".repeat(-exponent - 1)}${kept}`, exact };
    const padded = kept.padEnd(exponent + 1, "0");
    const part = padded.slice(exponent + 1);
    return { text: sign + padded.slice(0, exponent + 1) + (part ? `.${part}` : ""), exact };
  };
  const PREFIXES = [[18, "E"], [15, "P"], [12, "T"], [9, "G"], [6, "M"], [3, "k"]];
  const TIMES = [[0, "s"], [3, "ms"], [6, "us"], [9, "ns"]];
  const SCALED = { byte: "B", bit: "b", FLOP: "FLOP", OP: "OP" };
  const power = (exponent) => [10n ** BigInt(exponent), 1n];
  const readable = (x, unit) => {
    const large = abs(x);
    const slash = (unit + "/").indexOf("/");
    const [head, tail] = [unit.slice(0, slash), unit.slice(slash + 1)];
    if (x[0] === 0n || compare(large, power(21)) >= 0 || /[*(]/.test(unit)) return [x, unit];
    if (unit === "s") {
      const [places, name] = TIMES.find(([shift]) => compare(mul(large, power(shift)), power(0)) >= 0) ?? TIMES[3];
      return [mul(x, power(places)), name];
    }
    const found = head in SCALED && ["", "s", "token"].includes(tail) && PREFIXES.find(([shift]) => compare(large, power(shift)) >= 0);
    if (!found) return [x, unit];
    return [div(x, power(found[0])), found[1] + SCALED[head] + unit.slice(head.length)];
  };
  const superscript = (text) => text.replace(/[\d-]/g, (sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"["0123456789-".indexOf(sign)]);
  const grouped = (text) => {
    const [mantissa, exponent] = text.split("e");
    if (exponent) return `${mantissa}·10${superscript(exponent)}`;
    const [, sign, whole, part] = /^(-?)(\d+)(.*)$/.exec(mantissa);
    const bare = whole.replace(/0+$/, "");
    if (whole.length < 5) return mantissa;
    if (!part && whole.length >= 9 && whole.length - bare.length >= 6) {
      return `${sign}${bare[0]}${bare.length > 1 ? `.${bare.slice(1)}` : ""}·10${superscript(String(whole.length - 1))}`;
    }
    return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + part;
  };
  const shownUnit = (unit) => (unit === "us" ? "µs" : unit === "dimensionless" ? "" : unit);
  /* A value in a unit as a reader sees it, and whether no digit was dropped. */
  const amount = (x, unit, digits = 4) => {
    const counted = ["dimensionless", "parameter"].includes(unit) && x[1] === 1n && abs(x)[0] < 10n ** 15n;
    const [value, better] = counted ? [x, unit] : readable(x, unit);
    const { text, exact } = counted ? { text: x[0].toString(), exact: true } : significant(value, digits);
    return { text: `${grouped(text)} ${shownUnit(better)}`.trim(), exact };
  };
  return { Refusal, add, mul, div, neg, abs, pow, max, min, floor, ceil, sqrt, exp, log, compare, float, number, nowhere, parse, significant, amount };
})();
