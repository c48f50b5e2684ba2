// One row: its scores as bars that can be dragged, their exponentials, and one bar of length 1 that is divided among the keys.

import { element, setAttributes, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { divide } from "../kit/moves.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";
import { svg } from "../kit/svg.js";
import { progress, soft } from "../kit/time.js";
import { LIMITS } from "./model.js";
import { brief } from "./words.js";

const STEPS = { ArrowUp: 0.1, ArrowDown: -0.1, PageUp: 1, PageDown: -1 };
const FAR = 1000; // more than any score is away from another

/**
 * @typedef {object} Row
 * @property {string} query
 * @property {string[]} keys
 * @property {number[]} scores
 * @property {number[]} before the scores before single ones were raised
 * @property {number[]} weights
 * @property {number[]} sums of the exponentials of each column
 * @property {boolean} isDivided whether the scores are divided by √D
 * @property {number} end of the scale of the scores
 * @property {number} active the key that the keyboard moves
 * @property {number} divided how far the story has come: the exponentials grow, then the bar is divided; 1 at rest
 * @property {boolean} overKeys whether the row becomes weights; else each column does, and the row need not sum to 1
 */

/**
 * @param {object} on
 * @param {(j: number) => void} on.choose
 * @param {(j: number, by: number) => void} on.raise raise score j by so many points
 */
export function rowPicture({ choose, raise }) {
  const query = element("b", { class: "query" });
  const names = element("div", { class: "names", "aria-hidden": "true" });
  const scores = element("div", { class: "scores", role: "group" });
  const terms = element("div", { class: "terms" });
  const shares = element("div", { class: "shares" });
  const funnel = svg("svg", { class: "funnel", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  const one = element("i", { class: "one" });
  const parts = element("div", { class: "portions" });
  const whole = element("div", { class: "whole", role: "img" }, parts, one);
  const [sum, length] = [element("span", { class: "after" }), element("b", { class: "after" })];
  /** @type {(...children: (Node | string)[]) => HTMLElement} */
  const head = (...children) => element("span", { class: "before" }, ...children);
  const over = element("small", {}, "÷ √D");
  const ends = ["top", "bottom"].map((side) => element("small", { class: `end ${side}` }));
  const divisor = head();
  const node = element(
    "div",
    { class: "softmax-row" },
    ...[query, names, element("i")],
    ...[head(element("span", {}, "score ", element("i", {}, "s"), over), ...ends), scores, element("i")],
    ...[head("e", element("sup", {}, "s")), terms, sum],
    ...[divisor, shares, element("i")],
    ...[element("i"), funnel, element("i")],
    ...[head("weights"), whole, length],
  );
  /** @type {{ j: number, y: number, end: number, height: number, given: number } | null} */
  let drag = null;
  let [end, count] = [6, 0];

  const sliders = () => /** @type {HTMLElement[]} */ ([...scores.children]);
  /** @param {number} n */
  const activate = (n) => {
    for (const [j, one] of sliders().entries()) one.tabIndex = j === n ? 0 : -1;
  };
  /** @param {number} j */
  function makeSlider(j) {
    return element(
      "div",
      {
        role: "slider",
        "aria-orientation": "vertical",
        "aria-valuemin": -LIMITS.score,
        "aria-valuemax": LIMITS.score,
        tabindex: -1,
      },
      element("i", { class: "level" }),
      element("small"),
      element("span", { "data-key": j }),
    );
  }
  scores.addEventListener("pointerdown", (event) => {
    const slider = /** @type {Element} */ (event.target).closest("[role=slider]");
    if (!(slider instanceof HTMLElement) || event.button !== 0) return;
    const j = sliders().indexOf(slider);
    scores.setPointerCapture(event.pointerId);
    drag = { j, y: event.clientY, end, height: slider.clientHeight, given: 0 };
    event.preventDefault();
    activate(j);
    slider.focus();
    choose(j);
  });
  scores.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const points = ((drag.y - event.clientY) / drag.height) * 2 * drag.end;
    const by = Math.round(10 * points) / 10 - drag.given;
    if (by === 0) return;
    drag.given += by;
    raise(drag.j, by);
  });
  scores.addEventListener("lostpointercapture", () => {
    drag = null;
  });
  scores.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const j = sliders().indexOf(/** @type {HTMLElement} */ (event.target));
    if (event.key in STEPS) raise(j, STEPS[event.key]);
    else if (event.key === "Home" || event.key === "End") raise(j, event.key === "End" ? FAR : -FAR);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const next = clamp(j + (event.key === "ArrowRight" ? 1 : -1), 0, count - 1);
      activate(next);
      sliders()[next].focus();
      choose(next);
    } else return;
    event.preventDefault();
  });

  /** @param {Row} row */
  function draw({ query: text, keys, scores: values, before, weights, sums, isDivided, end: wanted, active, divided, overKeys }) {
    end = drag ? drag.end : wanted;
    count = keys.length;
    const grown = progress(divided, 0, 0.45, soft);
    setText(query, text);
    setAttributes(scores, { "aria-label": `scores of ${text}: up and down change a score, left and right choose another` });
    setChildCount(names, count, () => element("span"));
    setChildCount(scores, count, makeSlider);
    setChildCount(terms, count, () => element("div", {}, element("i", { class: "level" }), element("span")));
    setChildCount(shares, count, () => element("span"));
    setChildCount(funnel, count, () => svg("path"));
    setChildCount(parts, count, () => element("div", {}, element("span"), element("b")));
    const highest = Math.max(...values);
    const exponentials = values.map(Math.exp);
    const total = weights.reduce((a, b) => a + b, 0);
    const heaviest = Math.max(...weights.filter(Number.isFinite));
    const unit = 100 / Math.max(1, Number.isFinite(total) ? total : 1);
    const boxes = divide(
      weights.map((weight) => (Number.isFinite(weight) ? weight : 0)),
      { x: 0, y: 0, w: unit, h: 1 },
      progress(divided, 0.35, 1, (n) => n),
    );
    const toHeight = (/** @type {number} */ score) => clamp(50 - (50 * score) / end, 0, 100);
    keys.forEach((key, j) => {
      const [score, weight] = [values[j], weights[j]];
      const { paper, ink } = shade(weight, "weights", 1) ?? { paper: "transparent", ink: "inherit" };
      const name = /** @type {HTMLElement} */ (names.children[j]);
      setText(name, key);
      name.className = j === active ? "on" : "";
      const slider = sliders()[j];
      const [bar, was, value] = /** @type {HTMLElement[]} */ ([...slider.children]);
      const top = Number.isFinite(score) ? toHeight(score) : 100;
      const isUp = score >= 0;
      setStyle(bar, `top:${Math.min(top, 50)}%;bottom:${Math.min(100 - top, 50)}%;background:${isUp ? POSITIVE : NEGATIVE}`);
      setText(was, before[j] === score ? "" : `was ${short(before[j])}`);
      setStyle(was, isUp ? "top:50%" : "bottom:50%"); // beside the line of zero, where neither the bar nor its number is
      setStyle(value, isUp ? `bottom:${100 - top}%` : `top:${Math.min(top, 100)}%`);
      setText(value, short(score));
      setAttributes(slider, {
        "aria-label": key,
        "aria-valuenow": Number.isFinite(score) ? score : -LIMITS.score,
        "aria-valuetext": `score ${number(score, 2)}, weight ${number(weight, 3)}`,
      });
      const [column, power] = /** @type {HTMLElement[]} */ ([...terms.children[j].children]);
      const height = Number.isFinite(score - highest) ? grown * Math.exp(score - highest) : 0;
      setStyle(column, `height:${100 * height}%;background:${paper}`);
      setStyle(power, `bottom:${100 * height}%`);
      setText(power, powerText(exponentials[j]));
      setText(shares.children[j], overKeys ? number(weight, 3) : powerText(sums[j]));
      const { x, w } = boxes[j];
      const half = weight > 0 ? (28 * weight) / heaviest / count : 0; // as wide as e^s is high; 0 also for NaN
      const [from, to] = [(100 * (j + 0.5)) / count - half, (100 * (j + 0.5)) / count + half];
      setAttributes(funnel.children[j], {
        d: `M${from} 0C${from} 5 ${x} 5 ${x} 10L${x + w} 10C${x + w} 5 ${to} 5 ${to} 0Z`,
        fill: paper,
      });
      const part = /** @type {HTMLElement} */ (parts.children[j]);
      // Where the frame of length 1 ends within a part, the text is in the wider piece of it.
      const [inside, outside] = [unit - x, x + w - unit];
      const off = inside > 0 && outside > 0 ? `;padding-${inside > outside ? `right:${outside}` : `left:${inside}`}%` : "";
      setStyle(part, `left:${x}%;width:${w}%;background:${paper};color:${ink}${off}`);
      setText(part.children[0], key);
      setText(part.children[1], number(weight, 3));
    });
    activate(active);
    const isOne = Math.abs(total - 1) < 0.0015;
    for (const [n, sign] of ["+", "−"].entries()) setText(ends[n], `${sign}${Math.round(end)}`);
    over.hidden = !isDivided;
    setText(divisor, overKeys ? "÷ sum" : "÷ sums");
    setText(sum, overKeys ? `sum ${powerText(exponentials.reduce((a, b) => a + b))}` : "");
    setText(length, `${isOne ? "✓" : "✗"} ${number(total, isOne ? 0 : 2)}`);
    setStyle(length, `color:var(--lab-${isOne ? "good" : "bad"})`);
    setStyle(one, `width:${unit}%`);
    setAttributes(whole, { "aria-label": `the weights of ${text} add up to ${number(total, 3)}` });
  }

  return { node, draw };
}

/**
 * @param {HTMLElement} node
 * @param {string} style
 */
function setStyle(node, style) {
  if (node.getAttribute("style") !== style) node.setAttribute("style", style);
}

/**
 * A score in at most five characters.
 *
 * @param {number} score
 */
const short = (score) => number(score, Math.abs(score) >= 99.95 ? 0 : Math.abs(score) >= 9.995 ? 1 : 2);

/** @param {number} x */
const powerText = (x) => (x >= 0.001 && x < 10000 ? String(Number(x.toPrecision(x < 0.01 ? 1 : x < 1 ? 3 : 4))) : brief(x));
