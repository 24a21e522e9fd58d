"use strict";
(() => {
  const NUMBER = /^(?:[~≈]|about|around|roughly)?\s*([+-]?(?:\d[\d,_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/i;
  const COMMA = /^[^\d]*\d*,(?!\d{3}(?!\d))/;
  const NEAR = 0.02;
  const counted = new Map();
  const begun = new Map();

  const spelled = (unit) => unit.replace(/\s+/g, "").replace(/[µμ]/g, "u");
  const unread = (says) => ({ counts: false, right: false, says });
  const marked = (right, says) => ({ counts: true, right, says });

  function amount(data, text, late) {
    const found = NUMBER.exec(text.replace(/×\s*10\^?/g, "e"));
    if (found && COMMA.test(found[1])) return unread("Write the decimal point as a point: a comma only sets thousands apart.");
    if (!found) return unread(`Give a number${data.unit ? ` with its unit, such as 12.5 ${data.unit}` : ""}.`);
    const unit = spelled(found[2]);
    if (!unit && !data.bare) return unread(`Give the unit too, such as ${data.unit}.`);
    const size = unit ? data.units[unit] : data.bare;
    if (size === undefined) return unread(`${found[2]} is no unit that fits here; one that does is ${data.unit || "none"}.`);
    const value = Number(found[1].replace(/[,_]/g, "")) * size;
    const off = Math.abs(value / data.value - 1);
    if (off <= data.within + 1e-9) {
      if (late) return marked(false, `Right: ${data.text}. It took more than two minutes, so that it does not count.`);
      return marked(true, `Right. The value is ${data.text}.`);
    }
    const slip = data.slips.find((one) => Math.abs(value / one.value - 1) <= NEAR);
    return marked(false, `No, it is ${data.text}.${slip ? ` Your number comes out with this slip: ${slip.says}.` : ""}`);
  }

  function mark(data, text, late) {
    if (data.kind === "amount") return amount(data, text, late);
    if (data.kind === "unit") {
      const right = data.units.includes(spelled(text));
      return marked(right, right ? "Right." : `No, it is ${data.text}.`);
    }
    const given = (text.toLowerCase().match(/[a-z]/g) || []).join(" ");
    const due = data.text.split(" ");
    if (data.kind === "order" && given.split(" ").sort().join() !== [...due].sort().join()) {
      return unread(`Give each of the letters ${[...due].sort().join(" ")} once, in order.`);
    }
    return marked(given === data.text, given === data.text ? "Right." : `No, it is ${data.text}.`);
  }

  function tell() {
    const right = [...counted.values()].filter(Boolean).length;
    const all = document.querySelectorAll("form.exercise").length;
    document.getElementById("score").textContent = `${right} of ${counted.size} right; ${all - counted.size} to go.`;
  }

  for (const form of document.querySelectorAll("form.exercise")) {
    const data = JSON.parse(form.querySelector("script").textContent);
    const clock = form.querySelector(".clock");
    const show = () => {
      const left = Math.max(0, Math.ceil(data.seconds - (Date.now() - begun.get(form)) / 1000));
      clock.textContent = left ? `Time left: ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "The time is up.";
      return left > 0 && !counted.has(form);
    };
    form.addEventListener("focusin", () => {
      if (begun.has(form)) return;
      begun.set(form, Date.now());
      if (!clock) return;
      show();
      const tick = setInterval(() => { if (!show()) clearInterval(tick); }, 1000);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = String(new FormData(form).get("answer") || "").trim();
      const line = form.querySelector(".mark");
      const late = data.seconds > 0 && begun.has(form) && Date.now() - begun.get(form) > 1000 * data.seconds;
      const found = text ? mark(data, text, late) : unread("Give an answer first.");
      line.textContent = found.says;
      line.className = `mark ${found.counts ? (found.right ? "right" : "wrong") : ""}`;
      if (!found.counts) return;
      if (!counted.has(form)) counted.set(form, found.right);
      form.querySelector("details").hidden = false;
      tell();
    });
  }
})();
