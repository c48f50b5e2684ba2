// Where CacheLab's picture has its parts. Every row belongs to a word: its query, the weight that the newest query gives its key, its key
// and its value, and the row of the output. Above them are the tabs of the heads, below the keys and values the blocks of the cache.

import { clamp } from "../kit/math.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {"q" | "k" | "v" | "out"} Part */
/** @typedef {ReturnType<typeof planOf>} Plan */

const LETTER = { narrow: 7.2, wide: 8.4 }; // pixels of a letter of a word
const TAB = { h: 21, gap: 3 };
const WIRES = 30; // height of the room for the wires
const TITLE = 24; // height of a title
const PAD = 6; // between the edge of the cache and its rows
export const STEP = 3; // by how much a sheet lies beside the one before it
const REACH = { narrow: 9, wide: 26 }; // room between the cache and the output for the lines to the rows that change
export const SHORT = 110; // pixels: a row that has no room for long texts
const UNIT = { narrow: 9, wide: 11 }; // a block and the gap beside it

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.slots how many words have room
 * @param {number} picture.H
 * @param {number} picture.D
 * @param {string[]} picture.words
 * @param {boolean} picture.heads whether the tabs of the heads are shown
 * @param {number} picture.open how much of their room the tabs have; the rows have the rest of it
 * @param {boolean} picture.bytes whether the blocks of the cache are shown
 */
export function planOf({ width, slots, H, D, words, heads, open, bytes }) {
  const narrow = width < 480;
  const unit = narrow ? UNIT.narrow : UNIT.wide;
  const room = heads ? 2 * TAB.h + WIRES : 0;
  const tabs = open * room;
  const p = (narrow ? 30 : width < 700 ? 30 : 35) + (room - tabs) / slots;
  const word = Math.ceil(19 + (narrow ? LETTER.narrow : LETTER.wide) * Math.max(...words.map((one) => one.length)));
  const depth = STEP * (H - 1); // of the sheets behind
  const gap = narrow ? 7 : 14;
  const reach = narrow ? REACH.narrow : REACH.wide;
  const fixed = word + 4 * gap + 3 * PAD + depth + 3 + reach;
  const least = narrow ? 50 : 118; // width of the weights
  const w = clamp(Math.floor((width - fixed - least) / (4 * D)), 7, 54);
  const spare = Math.max(0, width - fixed - 4 * D * w);
  const weights = Math.min(spare, least + 40);
  const free = Math.max(0, spare - weights);
  const wide = gap + Math.min(free / 3, 24);
  const row = D * w;
  const q = word + gap / 2;
  const at = q + row + wide;
  const k = at + weights + wide + PAD;
  const v = k + row + PAD + gap / 2;
  const out = v + row + PAD + depth + wide + reach;
  const top = tabs + TITLE;
  const low = top + slots * p;
  const sheet = { x: k - PAD, y: tabs, w: v + row - k + 2 * PAD, h: TITLE + slots * p + PAD };
  const foot = low + PAD + depth + 9;
  return {
    ...{ width, hasHeads: heads, height: bytes ? Math.max(foot + H * unit, foot + 34) + 3 : low + PAD + depth + 5, narrow },
    ...{ p, w, D, slots, row, sheet, foot, unit, title: top - TITLE / 2 + 1 },
    x: { word: 2, q, weights: at, k, v, out },
    weights: { x: at, w: weights },
    top,
    tabs: heads && open === 1 ? { w: narrow ? 20 : 24, ...TAB, q: { x: q, y: 0 }, k: { x: sheet.x + 4, y: tabs - TAB.h } } : null,
  };
}

/**
 * Row i of a part.
 *
 * @param {Plan} plan
 * @param {Part | "weights" | "word"} part
 * @param {number} i
 * @returns {Box}
 */
export function rowOf({ x, row, top, p, weights }, part, i) {
  const w = part === "weights" ? weights.w : part === "word" ? x.q - 6 : row;
  return { x: x[part], y: top + i * p + 2, w, h: p - 4 };
}

/**
 * The tab of a head.
 *
 * @param {Plan} plan
 * @param {"q" | "k"} which
 * @param {number} n
 * @returns {Box}
 */
export function tabOf({ tabs }, which, n) {
  if (!tabs) return { x: 0, y: 0, w: 0, h: 0 };
  const { x, y } = tabs[which];
  return { x: x + n * (tabs.w + tabs.gap), y, w: tabs.w, h: tabs.h };
}

/**
 * What is at a point: a row of q, k or v, the tab of a query head, or the place of the next word.
 *
 * @param {Plan} plan
 * @param {{ S: number, H: number }} sizes
 * @param {number} px
 * @param {number} py
 * @returns {{ what: "q" | "k" | "v" | "tab" | "next", n: number } | null}
 */
export function targetAt(plan, { S, H }, px, py) {
  const isIn = (/** @type {Box} */ { x, y, w, h }) => px >= x - 2 && px < x + w + 2 && py >= y - 2 && py < y + h + 2;
  for (let h = 0; plan.tabs && h < H; h++) if (isIn(tabOf(plan, "q", h))) return { what: "tab", n: h };
  const n = Math.floor((py - plan.top) / plan.p);
  if (n < 0 || n >= plan.slots) return null;
  if (n === S && isIn({ ...rowOf(plan, "word", n), w: plan.x.weights - 8 })) return { what: "next", n };
  if (n >= S) return null;
  for (const what of /** @type {const} */ (["q", "k", "v"])) if (isIn(rowOf(plan, what, n))) return { what, n };
  return null;
}
