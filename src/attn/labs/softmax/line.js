// One line of scores: its bars, which are dragged, and a table for each program that makes weights of it.

import { element, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { LIMITS } from "./model.js";

// Bars from zero to each score. A bar is a native range input; beside it the weight, as a bar from 0 to 1.
export function bars(onScore) {
  const title = element("strong");
  const list = element("div", { class: "softmax-bars", role: "group" });
  const head = element("p", {}, title, " ", element("small", {}, "drag a bar, or use its arrow keys; beside it, its weight"));
  const node = element("div", { class: "softmax-line" }, head, list);
  let rows = [];

  function row(n) {
    const who = element("span", { class: "who" });
    const input = element("input", {
      type: "range",
      min: -LIMITS.score,
      max: LIMITS.score,
      step: 0.1,
      oninput: () => onScore(n, Number(input.value)),
    });
    const shown = element("output", { "aria-hidden": "true" });
    const label = element("label", {}, who, element("span", { class: "track" }, input), shown);
    const share = element("span", { class: "share" }, element("span"));
    const weight = element("b");
    return { label, input, who, shown, share: share.firstChild, weight, node: element("div", {}, label, share, weight) };
  }

  function draw({ title: text, names, scores, weights, active }) {
    if (rows.length !== names.length) {
      rows = names.map((_, n) => row(n));
      list.replaceChildren(...rows.map((one) => one.node));
    }
    setText(title, text);
    if (list.getAttribute("aria-label") !== text) list.setAttribute("aria-label", text);
    const place = (score) => (score + LIMITS.score) / (2 * LIMITS.score);
    rows.forEach(({ label, input, who, shown, share, weight }, n) => {
      const [from, to] = [Math.min(place(scores[n]), 0.5), Math.max(place(scores[n]), 0.5)];
      setText(who, names[n]);
      if (Number(input.value) !== scores[n]) input.value = scores[n];
      setText(shown, number(scores[n], 1));
      input.setAttribute("aria-valuetext", `${number(scores[n], 1)}, weight ${number(weights[n])}`);
      label.style.cssText = `--from:${from};--to:${to};--fill:${scores[n] < 0 ? "#4393c3" : "#d6604d"}`;
      label.classList.toggle("active", n === active);
      share.style.cssText = `width:${100 * weights[n]}%;background:${shade(weights[n], "weights")?.paper ?? "none"}`;
      setText(weight, number(weights[n]));
    });
  }

  return { node, draw };
}

// A program's table: a line for each score, the sum under it, and above it what is to be said.
export function program(name, formula, columns) {
  const [sign, said, note] = [element("b"), element("span"), element("small")];
  const told = element("p", { class: "told" }, sign, " ", said);
  const caption = element("caption", {}, element("strong", {}, name), " ", element("code", {}, formula));
  const heads = ["", ...columns].map((text) => element("th", { scope: "col" }, text));
  const body = element("tbody");
  const sum = element("td");
  const below = columns.length - 1; // the sum stands under the last but one: the terms, or the sum so far
  const foot = element(
    "tr",
    {},
    element("th", { scope: "row" }, "sum"),
    ...columns.map((_, n) => (n === below - 1 ? sum : element("td"))),
  );
  const table = element("table", {}, caption, element("thead", {}, element("tr", {}, ...heads)), body, element("tfoot", {}, foot));
  const node = element("section", { "aria-label": name }, table, told, note);
  let rows = [];

  function draw({ names, cells, sign: mark, said: text, sum: total, note: about, marked = () => false }) {
    if (rows.length !== names.length) {
      rows = names.map(() => {
        const who = element("th", { scope: "row" });
        const numbers = columns.map(() => element("td"));
        return { who, numbers, node: element("tr", {}, who, ...numbers) };
      });
      body.replaceChildren(...rows.map((one) => one.node));
    }
    rows.forEach(({ who, numbers, node: tr }, n) => {
      setText(who, names[n]);
      tr.classList.toggle("marked", marked(n));
      numbers.forEach((td, column) => {
        setText(td, cells[n][column]);
        td.classList.toggle("lost", /NaN|∞/.test(cells[n][column]));
      });
    });
    setText(sum, total);
    sum.classList.toggle("lost", /NaN|∞/.test(total) || total === "0");
    setText(sign, mark);
    setText(said, text);
    setText(note, about);
    node.dataset.sign = mark;
  }

  return { node, draw };
}
