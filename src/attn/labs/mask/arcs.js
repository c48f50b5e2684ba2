// The arcs from a query to the keys that it may see, as wide as their weights. All of them leave the query in one band: its weight of 1.

import { range } from "../kit/math.js";

/**
 * @typedef {object} Space
 * @property {number} column the width of a word's column, in pixels
 * @property {number} band the width of a weight of 1
 * @property {number} height the height of all arcs, in pixels
 */
/**
 * @typedef {object} Arc
 * @property {number} j the key
 * @property {string} d its outline; the words are below y = 0
 * @property {number} width in pixels
 * @property {number} x the middle of its highest point
 * @property {number} y
 */

const HAIRLINE = 2.4; // the least width of an arc, in pixels: a weight of 0.00 can be seen too
const APART = 1.5; // pixels between two arcs
const HOLE = { wide: 5.5, height: 27 }; // of the loop from the query to itself: half its width, and its top

/**
 * An arc for every key. In the band they lie so that none crosses another: on each side the nearest key is outermost, and the query
 * itself is in the middle.
 *
 * @param {readonly number[]} weights
 * @param {number} p the column of the query
 * @param {Space} space
 * @returns {Arc[]}
 */
export function arcsOf(weights, p, space) {
  const { column, band, height } = space;
  const middle = (/** @type {number} */ j) => (j + 0.5) * column;
  const left = range(p).reverse();
  const right = range(weights.length - p - 1).map((n) => p + 1 + n);
  const longest = Math.max(left.length, right.length, 1);
  const rise = (height - band - APART * weights.length) / longest; // how much higher an arc is for each column that it spans
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let at = middle(p) - (band * total) / 2;
  /** @type {number[]} */
  const slots = [];
  for (const j of [...left, p, ...right.reverse()]) {
    slots[j] = at + (band * weights[j]) / 2;
    at += band * weights[j];
  }
  /** @type {Arc[]} */
  const arcs = [];
  arcs[p] = loop(p, slots[p], band * weights[p]);
  for (const side of [left, right.reverse()]) {
    let below = 0;
    side.forEach((j, n) => {
      const width = band * weights[j];
      const inner = Math.max(rise * (n + 1), below);
      arcs[j] = arch(j, slots[j], middle(j), width, inner);
      below = inner + width + APART;
    });
  }
  return arcs;
}

/**
 * An arch from x = a to x = b: the half of an ellipse, cut out of a larger one.
 *
 * @param {number} j
 * @param {number} a
 * @param {number} b
 * @param {number} width
 * @param {number} inner the height of its inner edge
 * @returns {Arc}
 */
function arch(j, a, b, width, inner) {
  const half = Math.max(width, HAIRLINE) / 2;
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  const radius = (to - from) / 2;
  const height = inner + width / 2;
  const [wide, narrow] = [radius + half, Math.max(0, radius - half)];
  const outside = `M${px(from - half)} 0A${px(wide)} ${px(height + half)} 0 0 1 ${px(to + half)} 0`;
  const inside = `H${px(to - half)}A${px(narrow)} ${px(height - half)} 0 0 0 ${px(from + half)} 0Z`;
  return { j, d: outside + inside, width, x: (from + to) / 2, y: -height };
}

/**
 * The arc from the query to itself is a loop above it.
 *
 * @param {number} j
 * @param {number} x
 * @param {number} width
 * @returns {Arc}
 */
function loop(j, x, width) {
  const half = Math.max(width, HAIRLINE) / 2;
  const low = Math.min(half, HOLE.height / 2); // of the hole
  /** @type {(foot: number, y: number, wide: number, high: number) => string} */
  const drop = (foot, y, wide, high) => {
    const [aside, top] = [(wide - 0.77 * foot) / 0.29, y + (high - y) / 0.75]; // where the curve has this width and this height
    return `M${px(x - foot)} ${px(-y)}C${px(x - foot - aside)} ${px(-top)} ${px(x + foot + aside)} ${px(-top)} ${px(x + foot)} ${px(-y)}Z`;
  };
  const d = drop(half, 0, HOLE.wide + 2 * half, HOLE.height + 2 * half) + drop(0, low, -HOLE.wide, HOLE.height);
  return { j, d, width, x, y: -HOLE.height - half };
}

/** @param {number} length */
const px = (length) => String(Math.round(100 * length) / 100);
