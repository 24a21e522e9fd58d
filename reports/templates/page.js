/* What a page does: it computes the formulas again as their letters move, draws the roofline, and unfolds the chains. */
const derive = (() => {
  const percent = (x) => { const { text, exact } = q.amount(q.mul(x, [100n, 1n]), "dimensionless", 2); return `${exact ? "" : "≈ "}${text} %`; };
  const equals = (x, unit, digits) => { const { text, exact } = q.amount(x, unit, digits); return `${exact ? "=" : "≈"} ${text}`; };
  const plain = (x, unit) => { const { text, exact } = q.amount(x, unit); return exact ? text : `≈ ${text}`; };

  /* The value of a field in base units, or what is wrong with the text in it. */
  const read = (input, text) => {
    const value = q.parse(text);
    const due = `${input.name} is ${input.unit ? `a number of ${input.unit}` : "a plain number"}`;
    if (text.trim() === "") return [null, `${due}: type one, such as ${input.first}`];
    if (value === null) return [null, `${due}, and this is not: type digits, such as ${input.first} or 1.5e3`];
    if (!input.signed && value[0] < 0n) return [null, `${input.name} cannot be negative`];
    if (!input.signed && !input.zero && value[0] === 0n) return [null, `${input.name} must be above 0`];
    const base = q.mul(value, input.factor);
    if (q.compare(base, input.least) < 0 && !input.signed) return [null, `${input.name} must be at least ${input.least[0]}`];
    if (input.most && q.compare(base, input.most) > 0) return [null, `${input.name} must be at most ${input.most[0]}`];
    return [base, ""];
  };

  const refusals = (node, values, value) => {
    for (const one of node.none ?? []) if (one.when.every((holds) => holds(values))) throw new q.Refusal(`there is no value here: ${one.says}`);
    for (const one of value ? node.ceilings ?? [] : []) {
      if (q.compare(value, one.limit) > 0) throw new q.Refusal(`it would be ${plain(value, "dimensionless")}, above ${plain(one.limit, "dimensionless")}: ${one.says}`);
    }
  };
  const attempt = (work) => { try { return work(); } catch (error) { if (error instanceof q.Refusal) return null; throw error; } };

  const held = (formula, values) => {
    for (const one of formula.regimes) {
      const sides = attempt(() => [one.left(values), one.right(values)]);
      if (!sides || sides.some(([n]) => n <= 0n)) continue;
      const order = q.compare(...sides);
      if (order === 0) return { name: "on the border", factor: [1n, 1n], sides, unit: one.unit };
      if ((order > 0) === one.above) return { name: one.name, factor: order > 0 ? q.div(...sides) : q.div(sides[1], sides[0]), sides, unit: one.unit };
    }
    return null;
  };
  const near = (formula, values) => formula.nearby.map((one) => attempt(() => {
    if (!formula.puts.every(([place, value]) => q.compare(values[place], value) === 0)) return { outside: "not at these values of what the chain puts" };
    if (!one.where.every((holds) => holds(values))) return { outside: "these values lie outside its region" };
    const value = one.value(values), exact = one.exact(values);
    return { value, error: q.abs(q.div(q.add(value, q.neg(exact)), exact)), bound: one.bound?.(values), unit: one.unit };
  }));

  /* A formula at the texts of its fields: errors by letter; or the value in base units with all that stands beside it. */
  const compute = (formula, texts) => {
    const errors = {}, values = [];
    for (const input of formula.inputs) {
      const [value, error] = read(input, texts[input.name] ?? input.first);
      values.push(value);
      if (error) errors[input.name] = error;
    }
    if (Object.keys(errors).length) return { errors };
    try {
      for (const node of formula.nodes) {
        refusals(node, values);
        const value = node.value(values);
        refusals(node, values, value);
        values.push(value);
      }
    } catch (error) {
      if (error instanceof q.Refusal) return { errors, refused: error.message };
      throw error;
    }
    const value = q.div(values[values.length - 1], formula.factor);
    const dot = formula.dot && attempt(() => ["intensity", "ridge", "peak"].map((name) => q.float(formula.dot[name](values))));
    return { errors, value, shown: equals(value, formula.unit, formula.digits), regime: held(formula, values), nearby: near(formula, values), dot };
  };

  const SVG = "http://www.w3.org/2000/svg";
  const drawn = (parent, name, attributes, text) => {
    const made = parent.appendChild(document.createElementNS(SVG, name));
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const power = (exponent) => `10${String(exponent).replace(/[\d-]/g, (sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"["0123456789-".indexOf(sign)])}`;
  const rate = (x) => q.amount(q.number(Number(x.toPrecision(15))), "FLOP/s").text;
  /* The roofline on logarithmic axes, the kernel as a dot on it. */
  const roofline = (svg, [intensity, ridge, peak]) => {
    svg.replaceChildren();
    if (![intensity, ridge, peak].every((x) => x > 0 && Number.isFinite(x))) return;
    const at = Math.min(peak, (intensity / ridge) * peak);
    const name = intensity < ridge ? "memory-bound" : intensity > ridge ? "compute-bound" : "at the ridge";
    const low = Math.floor(Math.log10(Math.min(intensity, ridge)) - .5), high = Math.ceil(Math.log10(Math.max(intensity, ridge)) + .5);
    const top = Math.log10(peak) + .6, bottom = Math.log10(peak) + low - Math.log10(ridge) - .2;
    const [left, right, upper, lower] = [58, 404, 10, 238];
    const x = (value) => left + ((Math.log10(value) - low) / (high - low)) * (right - left);
    const y = (value) => lower - ((Math.log10(value) - bottom) / (top - bottom)) * (lower - upper);
    const facts = `The kernel of ${q.amount(q.number(Number(intensity.toPrecision(15))), "FLOP/byte").text} reaches at most ${rate(at)}, ${name}; the ridge point lies at ${q.amount(q.number(Number(ridge.toPrecision(15))), "FLOP/byte").text}, the peak is ${rate(peak)}.`;
    drawn(svg, "title", { id: `${svg.id}.title` }, "Roofline of the machine with the kernel on it");
    drawn(svg, "desc", { id: `${svg.id}.desc` }, facts);
    drawn(svg, "rect", { class: "memory", x: left, y: upper, width: Math.max(0, x(ridge) - left), height: lower - upper });
    drawn(svg, "rect", { class: "compute", x: x(ridge), y: upper, width: Math.max(0, right - x(ridge)), height: lower - upper });
    for (let k = low; k <= high; k += 1) {
      drawn(svg, "line", { class: "grid", x1: x(10 ** k), x2: x(10 ** k), y1: upper, y2: lower });
      drawn(svg, "text", { x: x(10 ** k), y: lower + 16, "text-anchor": "middle" }, power(k));
    }
    for (let k = Math.ceil(bottom); k <= top; k += Math.ceil((top - bottom) / 8)) {
      drawn(svg, "line", { class: "grid", x1: left, x2: right, y1: y(10 ** k), y2: y(10 ** k) });
      drawn(svg, "text", { x: left - 6, y: y(10 ** k) + 4, "text-anchor": "end" }, power(k));
    }
    drawn(svg, "text", { class: "quiet", x: (left + right) / 2, y: lower + 34, "text-anchor": "middle" }, "arithmetic intensity [FLOP/byte]");
    drawn(svg, "text", { class: "quiet", x: -(upper + lower) / 2, y: 14, transform: "rotate(-90)", "text-anchor": "middle" }, "attainable rate [FLOP/s]");
    drawn(svg, "line", { class: "ridge", x1: x(ridge), x2: x(ridge), y1: y(peak), y2: lower });
    drawn(svg, "polyline", { class: "roof", points: `${left},${y((10 ** low / ridge) * peak)} ${x(ridge)},${y(peak)} ${right},${y(peak)}` });
    drawn(svg, "line", { class: "drop", x1: x(intensity), x2: x(intensity), y1: y(at), y2: lower });
    drawn(svg, "circle", { class: "dot", cx: x(intensity), cy: y(at), r: 7 });
    if (x(ridge) - left > 110) drawn(svg, "text", { x: left + 8, y: upper + 16 }, "memory-bound");
    if (right - x(ridge) > 110) drawn(svg, "text", { x: right - 8, y: upper + 16, "text-anchor": "end" }, "compute-bound");
    const after = x(intensity) < (left + right) / 2;
    drawn(svg, "text", { x: x(intensity) + (after ? 11 : -11), y: Math.min(y(at) + 20, lower - 6), "text-anchor": after ? "start" : "end" }, rate(at));
  };

  /* The value at a slider's position: doublings of a power of two, else 2 digits on a logarithmic scale. */
  const slid = (input, position) => {
    const first = Number(input.first);
    if (position === 0) return input.first;
    const least = Math.max(Number(input.least[0]) / q.float(input.factor), 0);
    const doubling = input.whole && Math.log2(first) % 1 === 0;
    let value = doubling ? first * 2 ** position : Number((first * 10 ** (position / 12)).toPrecision(2));
    if (input.whole) value = Math.round(value);
    const most = input.most ? Number(input.most[0]) / q.float(input.factor) : Infinity;
    return String(input.signed ? value : Math.min(Math.max(value, least), most));
  };

  const wire = (panel, formula) => {
    const find = (part) => document.getElementById(`${panel.id}.${part}`);
    const fields = formula.inputs.map((input) => [input, find(input.name), find(`${input.name}.slider`), find(`${input.name}.error`)]);
    const machine = find("machine"), value = find("value"), regime = find("regime"), svg = find("roofline");
    const show = () => {
      const found = compute(formula, Object.fromEntries(fields.map(([input, field]) => [input.name, field.value])));
      for (const [input, field, slider, error] of fields) {
        slider?.setAttribute("aria-valuetext", `${field.value} ${input.unit}`.trim());
        error.textContent = found.errors[input.name] ?? "";
        field.setAttribute("aria-invalid", String(input.name in found.errors));
      }
      const wrong = Object.keys(found.errors).length > 0;
      value.textContent = wrong ? "waits for the field marked above" : found.refused ? `— ${found.refused}` : found.shown;
      const at = found.regime;
      if (regime) regime.textContent = !at ? "" : at.name === "on the border" ? "Exactly on the border of the two regimes." :
        `${at.name[0].toUpperCase()}${at.name.slice(1)} by a factor of ${q.significant(at.factor).text}: ${plain(at.sides[0], at.unit)} against ${at.unit === "FLOP/byte" ? "the ridge of " : ""}${plain(at.sides[1], at.unit)}.`;
      formula.nearby.forEach((_, index) => {
        const one = found.nearby?.[index];
        find(`near${index}`).textContent = !one ? "" : one.outside ?? `${plain(one.value, one.unit)}, off by ${percent(one.error)}${one.bound ? `, at most ${percent(one.bound)} is proved` : ""}`;
      });
      if (svg) { if (found.dot) roofline(svg, found.dot); svg.style.visibility = found.dot ? "visible" : "hidden"; }
    };
    for (const [input, field, slider] of fields) {
      field.addEventListener("input", () => { if (machine && formula.machines[machine.value]?.[formula.inputs.indexOf(input)] !== undefined) machine.value = ""; show(); });
      slider?.addEventListener("input", () => { field.value = slid(input, Number(slider.value)); field.dispatchEvent(new Event("input")); });
    }
    machine?.addEventListener("change", () => {
      for (const [place, text] of Object.entries(formula.machines[machine.value] ?? {})) fields[place][1].value = text;
      show();
    });
    find("form").addEventListener("submit", (event) => event.preventDefault());
    find("reset").addEventListener("click", () => {
      for (const [input, field, slider] of fields) { field.value = input.first; if (slider) slider.value = "0"; }
      if (machine) machine.value = machine.dataset.first;
      show();
    });
    panel.hidden = false;
    show();
  };

  const unfold = (tools) => {
    const links = [...document.getElementById(tools.dataset.chain).querySelectorAll("details")];
    const [next, all] = tools.querySelectorAll("button");
    const refresh = () => {
      const open = links.every((link) => link.open);
      next.disabled = open;
      all.textContent = open ? "Fold all" : "Unfold all";
    };
    next.addEventListener("click", () => { const link = links.find((one) => !one.open); if (link) link.open = true; });
    all.addEventListener("click", () => { const open = !links.every((link) => link.open); for (const link of links) link.open = open; });
    for (const link of links) link.addEventListener("toggle", refresh);
    tools.hidden = false;
    refresh();
  };

  /* What scrolls sideways can be reached with the keyboard. */
  const reachable = () => {
    for (const box of document.querySelectorAll(".scroll")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute("tabindex");
    }
  };
  const start = (formulas) => {
    Object.assign(derive.formulas, formulas);
    for (const panel of document.querySelectorAll(".live")) wire(panel, formulas[panel.dataset.formula]);
    document.querySelectorAll(".tools").forEach(unfold);
    let folded = [];
    addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details:not([open])")]; for (const one of folded) one.open = true; });
    addEventListener("afterprint", () => { for (const one of folded) one.open = false; });
    addEventListener("resize", reachable);
    document.querySelectorAll("details").forEach((one) => one.addEventListener("toggle", reachable));
    reachable();
  };
  return { start, compute, formulas: {} };
})();
