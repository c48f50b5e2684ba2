// The shape line: letters that keep their identity while a shape changes. What is visible is always one whole shape.

import { fade, mix, progress, soft } from "../kit/time.js";
import { SHAPES } from "./timeline.js";

/**
 * @typedef {object} Token a piece of the line
 * @property {string} key tells which piece of the next state it becomes
 * @property {string} text
 * @property {"name" | "axis" | "sign"} kind
 * @property {number} x its centre, in widths of a letter from the middle of the line
 */
/** @typedef {Token & { alpha: number, lift: number }} Seen lift: half a line up (1) or down (-1), while two letters pass each other */

const PART = / @ (?=\d)/;
const NAMED = /^(\d)(\d?) (.*): (.*)$/;

/**
 * The tensors of a state such as "2 q: B1 H1 L D1 @ 01 kᵀ: B H D S".
 *
 * @param {string} state
 */
function tensorsOf(state) {
  return state.split(PART).map((part) => {
    const [, open, close, name, axes = ""] = NAMED.exec(part) ?? [];
    return { open, close: close || open, name, axes: axes.split(" ") };
  });
}

/**
 * The pieces of a state.
 *
 * @param {string} state
 * @returns {Token[]}
 */
export function tokensOf(state) {
  /** @type {Token[]} */
  const tokens = [];
  let x = 0;
  const add = (/** @type {string} */ key, /** @type {string} */ text, /** @type {Token["kind"]} */ kind = "sign") => {
    tokens.push({ key, text, kind, x: x + text.length / 2 });
    x += text.length;
  };
  tensorsOf(state).forEach(({ open, close, name, axes }, n) => {
    if (n) {
      x += 0.8;
      add("@", "@");
      x += 0.8;
    }
    add(`${open} ${name}`, name, "name");
    x += 0.5;
    add(`(${open}`, "(");
    axes.forEach((axis, i) => {
      if (i) {
        add(`,${open} ${i}`, ",");
        x += 0.6;
      }
      axis.split("·").forEach((one, j) => {
        if (j) add(`·${open} ${i}`, "·");
        add(one, one[0], "axis");
      });
    });
    add(`)${close}`, ")");
  });
  for (const token of tokens) token.x -= x / 2;
  return tokens;
}

const LINES = SHAPES.map(([from, length, state]) => ({ from, length, state, tokens: tokensOf(state) }));

/** The longest line, in widths of a letter. */
export const WIDEST = Math.max(...LINES.map(({ tokens }) => 2 * ((tokens.at(-1)?.x ?? 0) + 1)));

/**
 * The number of the state that holds at time t; -1 before the first.
 *
 * @param {number} t
 */
function lineAt(t) {
  return LINES.findLastIndex(({ from }) => t >= from);
}

/**
 * Where a token is while its line becomes another: if it is in both, from place to place; else it keeps its distance from the nearest
 * token that is.
 *
 * @param {Token} token
 * @param {Token[]} own
 * @param {Token[]} other
 * @returns {number} how far it is moved when the line has become the other
 */
function shiftOf(token, own, other) {
  const shift = (/** @type {Token} */ one) => {
    const same = other.find(({ key }) => key === one.key);
    return same && same.x - one.x;
  };
  const near = [...own].sort((a, b) => Math.abs(a.x - token.x) - Math.abs(b.x - token.x));
  for (const one of near) {
    const by = shift(one);
    if (by !== undefined) return by;
  }
  return 0;
}

/**
 * The pieces that are visible at time t. A piece that only one of two states has is exchanged at one moment: late if the line grows, when
 * there is room for it, and early if it shrinks. So what is seen is always a whole shape.
 *
 * @param {number} t
 * @returns {Seen[]}
 */
export function lettersAt(t) {
  const n = lineAt(t);
  if (n < 0) return [];
  const { from, length, tokens: after } = LINES[n];
  const before = n ? LINES[n - 1].tokens : [];
  const go = progress(t, from, from + length);
  const turn = !before.length ? 0.3 : after.length >= before.length ? 0.75 : 0.2; // of the time
  const at = (t - from) / length;
  const [left, come] = [progress(at, turn - 0.2, turn, soft), progress(at, turn, turn + 0.2, soft)];
  const order = (/** @type {Token[]} */ one, /** @type {Token[]} */ two) =>
    one.filter(({ key, kind }) => kind === "axis" && two.some((other) => other.key === key)).map(({ key }) => key);
  const [old, now] = [order(before, after), order(after, before)];
  const gone = before.filter(({ key }) => !after.some((one) => one.key === key));
  const leaving = gone.map((token) => ({ ...token, x: token.x + go * shiftOf(token, before, after), alpha: 1 - left, lift: 0 }));
  const staying = after.map((token) => {
    const same = before.find(({ key }) => key === token.key);
    if (!same) return { ...token, x: token.x + (1 - go) * shiftOf(token, after, before), alpha: come, lift: 0 };
    const moved = now.indexOf(token.key) - old.indexOf(token.key);
    const lift = moved ? Math.sign(moved) * Math.sin(Math.PI * go) : 0;
    return { ...token, x: mix(same.x, token.x, go), alpha: 1, lift };
  });
  return [...leaving, ...staying].filter(({ alpha }) => alpha > 0.01);
}

/**
 * The arc between the two letters of a product that are summed over, from when both stand there until they vanish.
 *
 * @param {number} t
 */
export function arcAt(t) {
  const n = lineAt(t);
  const [line, next] = [LINES[n], LINES[n + 1]];
  if (!line || !next || !line.tokens.some(({ text }) => text === "@")) return null;
  const gone = line.tokens.filter(({ key, kind }) => kind === "axis" && !next.tokens.some((one) => one.key === key));
  const pair = gone.filter(({ text }) => gone.filter((one) => one.text === text).length === 2);
  if (!pair.length) return null;
  const shown = fade(t, line.from + line.length, line.from + line.length + 0.3, next.from - 0.05, next.from);
  return { axis: pair[0].text, from: pair[0].x, to: pair[1].x, alpha: shown };
}

/**
 * The tensors of the shape line at time t.
 *
 * @param {number} t
 */
export function shapesAt(t) {
  return tensorsOf(LINES[lineAt(t)]?.state ?? "").flatMap(({ name, axes }) =>
    name ? [{ name, axes: axes.join(", ").replace(/\d/g, "") }] : [],
  );
}

/**
 * The same in words: "scores (B, H, L, S) = (1, 3, 7, 7)".
 *
 * @param {number} t
 * @param {Record<string, number>} sizes
 */
export function shapeInWords(t, sizes) {
  const written = shapesAt(t).map(
    ({ name, axes }) => `${name} (${axes}) = (${axes.replace(/[A-Z]/g, (one) => String(sizes[one]))})`,
  );
  return written.join(" times ");
}
