// The weights of each head: a bar of length 1, divided among the keys, whose borders can be dragged; or, if any numbers are allowed, a
// bar for each key that begins at 0.

import { inkOn } from "../kit/colours.js";
import { clamp, range } from "../kit/math.js";
import { bordersNear, segmentAt, withBorder, withWeight } from "./hand.js";
import { WORDS } from "./model.js";
import { sheet } from "./sheet.js";
import { weightText } from "./words.js";

/** @typedef {import("./sheet.js").Shape} Shape */
/** @typedef {import("./sheet.js").Plan} Plan */
/** @typedef {import("./between.js").Frame} Frame */

const [LEAST, MOST] = [-1, 2]; // of free weights that are dragged
const STEP = 0.05;
const GAP = 6;
const LEAST_ROOM = 44; // pixels beside the line at zero; in less, the colour names the word

/** Left edge and width of the bar of a head. @type {(plan: Plan, heads: number, h: number) => [x: number, w: number]} */
function column({ width }, heads, h) {
  const w = (width - 2 - GAP * (heads - 1)) / heads;
  return [1 + h * (w + GAP), w];
}

/**
 * @param {Plan} plan
 * @param {Frame} frame
 * @param {import("./keys.js").Look} look
 * @param {{ head: number, pick: number }} view
 * @returns {[shapes: Shape[], label: string]}
 */
export function barPicture(plan, { values, weights, by, heads }, look, { head, pick }) {
  const S = values.length;
  const top = heads > 1 ? 16 : 0;
  const tall = plan.height - top - 2;
  const shapes = range(heads).flatMap((h) => {
    const [x, w] = column(plan, heads, h);
    const isChosen = (/** @type {number} */ s) => h === Math.min(head, heads - 1) && s === Math.min(pick, S - 1);
    /** @type {Shape[]} */
    const own = heads > 1 ? [["text", { x: x + w / 2, y: 11, class: "strong" }, w > 46 ? `head ${h}` : String(h)]] : [];
    let end = 0;
    weights[h].forEach((weight, s) => {
      const [y, high] = by === "free" ? [(s * tall) / S, tall / S] : [end * tall, weight * tall];
      end += weight;
      const at = y + top + 1;
      const tint = look.tints[s];
      if (by === "free") {
        const [zero, to] = [0, weight].map((one) => x + (w * (clamp(one, LEAST, MOST) - LEAST)) / (MOST - LEAST));
        own.push(["path", { d: rectangle(x, at + 1, w, high - 2), class: "track" }]);
        own.push(["path", { d: rectangle(Math.min(zero, to), at + 1, Math.abs(to - zero), high - 2), fill: tint, class: "band" }]);
        own.push(["path", { d: `M${zero} ${at}v${high}`, class: "zero" }]);
      } else own.push(["path", { d: rectangle(x, at, w, high), fill: tint, class: "part" }]);
      if (isChosen(s)) own.push(["path", { d: rectangle(x + 2, at + 2, w - 4, Math.max(0, high - 4)), class: "chosen" }]);
      const left = by === "free" ? 4 - (w * LEAST) / (MOST - LEAST) : 0; // beside the line at zero, not on it
      own.push(
        ...named(WORDS[s], weight, { x: x + left, w: w - left - (left && 4), y: at, high, ink: by === "free" ? "" : inkOn(tint) }),
      );
    });
    if (by !== "free") {
      own.push(["path", { d: rectangle(x, top + 1, w, tall), class: "whole" }]);
      let border = 0;
      for (const weight of weights[h].slice(0, -1)) {
        border += weight;
        own.push(["path", { d: rectangle(x, top + 1 + border * tall - 10, w, 20), class: "hold" }]);
      }
    }
    return own;
  });
  const list = range(heads).map((h) => weights[h].map((weight, s) => `${WORDS[s]} ${weightText(weight)}`).join(", "));
  const whose = heads > 1 ? list.map((one, h) => `head ${h}: ${one}`).join("; ") : list[0];
  const moved = `Up and down change the weight of ${WORDS[Math.min(pick, S - 1)]}; left and right choose another.`;
  return [shapes, `weights: ${whose}. ${moved}`];
}

/** @type {(x: number, y: number, w: number, h: number) => string} */
const rectangle = (x, y, w, h) =>
  `M${[x, y].map((n) => n.toFixed(1)).join(" ")}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}Z`;

/**
 * The word and its weight, where there is room for them.
 *
 * @param {string} word
 * @param {number} weight
 * @param {{ x: number, w: number, y: number, high: number, ink: string }} box
 * @returns {Shape[]}
 */
function named(word, weight, { x, w, y, high, ink }) {
  const both = `${word} ${weightText(weight)}`;
  const attributes = { x: (x + w / 2).toFixed(1), class: ink ? "inside" : "strong", ...(ink ? { fill: ink } : {}) };
  if (high < 14) return [];
  if (!ink && w < LEAST_ROOM) return [["text", { ...attributes, y: (y + high / 2 + 4).toFixed(1) }, weightText(weight)]];
  if (6.8 * both.length + 4 <= w) return [["text", { ...attributes, y: (y + high / 2 + 4).toFixed(1) }, both]];
  if (high < 28) return [["text", { ...attributes, y: (y + high / 2 + 4).toFixed(1) }, word]];
  return [
    ["text", { ...attributes, y: (y + high / 2 - 2).toFixed(1) }, word],
    ["text", { ...attributes, y: (y + high / 2 + 11).toFixed(1) }, weightText(weight)],
  ];
}

/**
 * The bar as a control.
 *
 * @param {object} options
 * @param {() => { weights: number[][], by: string, head: number, pick: number }} options.now what is set now
 * @param {(head: number, pick: number) => void} options.onPick
 * @param {(head: number, row: number[]) => void} options.onWeights
 */
export function weightBar({ now, onPick, onWeights }) {
  const surface = sheet("mix-bar");
  const { node } = surface;
  /** @type {{ h: number, at: number, borders: number[], weights: number[], s: number } | null} */
  let held = null;

  /** The head at a place, and how far down its bar the place is. @type {(event: PointerEvent) => { h: number, at: number, across: number }} */
  function placeOf(event) {
    const plan = surface.plan();
    const [x, y] = surface.pointer(event);
    const heads = now().weights.length;
    const h = clamp(Math.floor((x / plan.width) * heads), 0, heads - 1);
    const top = heads > 1 ? 16 : 0;
    const [left, w] = column(plan, heads, h);
    return { h, at: (y - top - 1) / (plan.height - top - 2), across: (x - left) / w };
  }
  /** @param {PointerEvent} event */
  function move(event) {
    if (!held) return;
    const { at, across } = placeOf(event);
    if (now().by === "free") {
      const weight = clamp(Math.round((LEAST + across * (MOST - LEAST)) / STEP) * STEP, LEAST, MOST);
      onWeights(
        held.h,
        held.weights.map((old, s) => (s === held?.s ? Math.round(100 * weight) / 100 + 0 : old)),
      );
    } else if (held.borders.length && Math.abs(at - held.at) > 0.002) {
      const [up, down] = [held.borders[0], held.borders[held.borders.length - 1]];
      onWeights(held.h, withBorder(held.weights, at < held.at ? up : down, at));
    }
  }
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const { h, at } = placeOf(event);
    const { weights, by } = now();
    const row = weights[h];
    const s = by === "free" ? clamp(Math.floor(at * row.length), 0, row.length - 1) : segmentAt(row, at);
    const grip = (event.pointerType === "mouse" ? 9 : 14) / surface.plan().height;
    held = { h, at, borders: bordersNear(row, at, grip), weights: row, s };
    node.setPointerCapture(event.pointerId);
    onPick(h, s);
    if (by === "free") move(event);
  });
  node.addEventListener("pointermove", move);
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
    node.addEventListener(end, () => {
      held = null;
    });
  node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { weights, by, head, pick } = now();
    const S = weights[0].length;
    const h = Math.min(head, weights.length - 1);
    const s = Math.min(pick, S - 1);
    const up = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    const turn = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 }[event.key];
    if (up) {
      const weight = clamp(Math.round((weights[h][s] + up) * 100) / 100 + 0, LEAST, MOST);
      onWeights(
        h,
        by === "free" ? weights[h].map((old, n) => (n === s ? weight : old)) : withWeight(weights[h], s, weights[h][s] + up),
      );
    } else if (turn) {
      const n = clamp(h * S + s + turn, 0, weights.length * S - 1);
      onPick(Math.floor(n / S), n % S);
    } else return;
    event.preventDefault();
  });
  return surface;
}
