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
 * @property {number[]} plain the scores before anything was changed
 * @property {number[]} weights
 * @property {boolean} isDivided whether the scores are divided by √D
 * @property {[high: number, low: number]} ends of the scale of the scores
 * @property {number[]} raised e to the power of these is drawn
 * @property {number} most the logarithm of the end of the scale of the exponentials, before something is added to all scores
 * @property {number} shift what is added to all of `raised`: the scale goes along, so the bars stay
 * @property {string} stage which row of the picture moves; "": none
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
  const asker = element("b");
  const names = element("div", { class: "names", "aria-hidden": "true" });
  const scores = element("div", { class: "scores", role: "group" });
  const terms = element("div", { class: "terms" });
  const shares = element("div", { class: "shares" });
  const funnel = svg("svg", { class: "funnel", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  const one = element("i", { class: "one" });
  const parts = element("div", { class: "portions" });
  const beyond = element("i", { class: "beyond" });
  const whole = element("div", { class: "whole", role: "img" }, parts, beyond, one);
  const [sum, length] = [element("span", { class: "after" }), element("b", { class: "after" })];
  /** @type {(...children: (Node | string)[]) => HTMLElement} */
  const head = (...children) => element("span", { class: "before" }, ...children);
  const over = element("small", {}, "÷ √D");
  const marks = ["top", "bottom", "top"].map((side) => element("small", { class: `end ${side}` }));
  const node = element(
    "div",
    { class: "softmax-row" },
    ...[element("span", { class: "query" }, element("small", {}, "query "), asker), names, element("i")],
    ...[head(element("span", {}, "score ", element("i", {}, "s"), over), ...marks.slice(0, 2)), scores, element("i")],
    ...[head(element("span", {}, "e", element("sup", {}, "s")), marks[2]), terms, sum],
    ...[head("÷ sum"), shares, element("i")],
    ...[element("i"), funnel, element("i")],
    ...[head("weights", element("small", {}, "frame: 1")), whole, length],
  );
  /** @type {{ j: number, y: number, ends: [number, number], height: number, given: number } | null} */
  let drag = null;
  /** @type {[high: number, low: number]} */
  let ends = [6, 2];
  let count = 0;

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
    drag = { j, y: event.clientY, ends, height: slider.clientHeight, given: 0 };
    event.preventDefault();
    activate(j);
    slider.focus();
    choose(j);
  });
  scores.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const points = ((drag.y - event.clientY) / drag.height) * (drag.ends[0] + drag.ends[1]);
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
  function draw(row) {
    const { query: text, keys, scores: values, before, plain, weights, isDivided, most, shift, active, divided, overKeys } = row;
    ends = drag ? drag.ends : row.ends;
    count = keys.length;
    const grown = progress(divided, 0, 0.45, soft);
    setText(asker, text);
    setAttributes(node, { "data-stage": row.stage });
    setAttributes(scores, { "aria-label": `scores of ${text}: up and down change a score, left and right choose another` });
    setChildCount(names, count, () => element("span"));
    setChildCount(scores, count, makeSlider);
    setChildCount(terms, count, () =>
      element("div", {}, element("i", { class: "level" }), element("i", { class: "level was" }), element("span"), element("b")),
    );
    setChildCount(shares, count, () => element("span"));
    setChildCount(funnel, count, () => svg("path"));
    setChildCount(parts, count, () => element("div", {}, element("span"), element("b")));
    const exponentials = row.raised.map(Math.exp);
    const total = weights.reduce((a, b) => a + b, 0);
    const heaviest = Math.max(...weights.filter(Number.isFinite));
    const unit = 100 / Math.max(1, Number.isFinite(total) ? total : 1);
    const boxes = divide(
      weights.map((weight) => (Number.isFinite(weight) ? weight : 0)),
      { x: 0, y: 0, w: unit, h: 1 },
      progress(divided, 0.35, 1, (n) => n),
    );
    const zero = (100 * ends[0]) / (ends[0] + ends[1]);
    setStyle(scores, `--zero:${zero}%`);
    const toHeight = (/** @type {number} */ score) => clamp(zero * (1 - score / ends[0]), 0, 100);
    const toTerm = (/** @type {number} */ score) => (Number.isFinite(score) ? Math.exp(score - shift - most) : 0);
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
      setStyle(bar, `top:${Math.min(top, zero)}%;bottom:${100 - Math.max(top, zero)}%;background:${isUp ? POSITIVE : NEGATIVE}`);
      setText(was, before[j] === score ? "" : `was ${short(before[j])}`);
      setStyle(was, isUp ? `top:${zero}%` : `bottom:${100 - zero}%`); // beside the line of zero, where neither the bar nor its number is
      setStyle(value, isUp ? `bottom:${100 - top}%` : `top:${Math.min(top, 100)}%`);
      setText(value, short(score));
      setAttributes(slider, {
        "aria-label": key,
        "aria-valuenow": Number.isFinite(score) ? score : -LIMITS.score,
        "aria-valuetext": `score ${number(score, 2)}, weight ${number(weight, 3)}`,
      });
      const [column, old, power, times] = /** @type {HTMLElement[]} */ ([...terms.children[j].children]);
      const by = row.raised[j] - shift - plain[j]; // the exponential is e to this times as large
      const height = 100 * Math.min(1, grown * toTerm(row.raised[j]));
      setStyle(column, `height:${height}%;background:${paper}`);
      setStyle(old, `height:${Math.abs(by) < 0.005 ? 0 : 100 * Math.min(1, toTerm(plain[j] + shift))}%`);
      setStyle(times, `bottom:${height / 2}%;color:${ink}`);
      setText(times, by > 0.005 && height > 25 ? `×${Number(Math.exp(by).toPrecision(2))}` : "");
      setStyle(power, `bottom:${height}%`);
      setText(power, powerText(exponentials[j]));
      setText(shares.children[j], number(weight, 3));
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
    for (const [n, sign] of ["+", "−"].entries()) setText(marks[n], `${sign}${Math.round(ends[n])}`);
    const end = Math.exp(most);
    const times = Math.exp(shift);
    const isShort = shift !== 0 && times > 0.001 && times < 10000; // then what stays of the scale, and what it is multiplied by
    const far = Math.exp(most + shift);
    const ofAll = isShort ? `${round(end)} × ${brief(times, 3)}` : Number.isFinite(far) && far > 0 ? round(far) : "";
    setText(marks[2], ofAll);
    over.hidden = !isDivided;
    setText(sum, overKeys ? `sum ${powerText(exponentials.reduce((a, b) => a + b))}` : "sum of each column");
    setStyle(beyond, `left:${unit}%`);
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

/** The end of a scale. @param {number} end */
const round = (end) => brief(Number(end.toPrecision(2)));

/** @param {number} x */
const powerText = (x) => (x >= 0.001 && x < 10000 ? x.toPrecision(x < 0.01 ? 1 : x < 0.1 ? 2 : x < 1 ? 3 : 4) : brief(x));
