// Two versions of a program: the first tensor in which they differ. The twin of compare.py.

import { product } from "../kit/math.js";
import { numbersOf } from "../kit/torch/tensor.js";

/** @typedef {import("../kit/torch/tensor.js").Tensor} Tensor */
/** @typedef {import("./analyse.js").Analysis} Analysis */
/** @typedef {{ analysis: Analysis, tensors: Map<number, Tensor> }} Run */

/**
 * A pair of tensors: the last ones with this name in both programs, or the last but one, and so on. If one of the programs stops with
 * an error, its last ones are missing: then they are the first ones, the second ones, and so on.
 *
 * @typedef {object} Pair
 * @property {string} name
 * @property {[number, number]} lines
 * @property {[number, number]} ids
 * @property {[number[], number[]]} shapes
 */

/**
 * @typedef {object} Comparison
 * @property {number} pairs how many tensors have the same name in both
 * @property {(Pair & { differ: number, of: number }) | null} first the first pair that differs, with how many of its numbers differ
 */

const CLOSE = 1e-5; // of the largest number: less is rounding

// Comes with the second script.
/**
 * @param {Run} mine
 * @param {Run} theirs
 * @returns {Comparison}
 */
export function compare(mine, theirs) {
  const pairs = pairsOf(mine.analysis, theirs.analysis);
  for (const pair of pairs) {
    const [a, b] = [mine, theirs].map(({ tensors }, n) => numbersOf(/** @type {Tensor} */ (tensors.get(pair.ids[n]))));
    const isSameShape = String(pair.shapes[0]) === String(pair.shapes[1]);
    const differ = isSameShape ? differing(a, b) : 0;
    if (differ || !isSameShape) return { pairs: pairs.length, first: { ...pair, differ, of: product(pair.shapes[0]) } };
  }
  return { pairs: pairs.length, first: null };
}

/**
 * @param {Analysis} mine
 * @param {Analysis} theirs
 * @returns {Pair[]} in the order of the first program
 */
function pairsOf(mine, theirs) {
  const isWhole = [mine, theirs].every(({ failure }) => !failure);
  const inOrder = (/** @type {any[]} */ list) => (isWhole ? list.toReversed() : list);
  /** @type {Map<string, Placed[]>} */
  const waiting = new Map();
  for (const row of inOrder(rowsOf(theirs))) waiting.set(row.name, [...(waiting.get(row.name) ?? []), row]);
  const pairs = inOrder(rowsOf(mine)).flatMap((row) => {
    const other = waiting.get(row.name)?.shift();
    return other ? [pairOf(row, other)] : [];
  });
  return inOrder(pairs);
}

/** @param {Analysis} analysis @returns {Placed[]} */
const rowsOf = ({ lines }) =>
  lines.flatMap(({ line, rows }) => rows.filter(({ name, id }) => name && id >= 0).map((row) => ({ ...row, line })));

/** @typedef {import("./analyse.js").Row & { line: number }} Placed */

/**
 * @param {Placed} one
 * @param {Placed} two
 * @returns {Pair}
 */
const pairOf = (one, two) => ({
  name: one.name,
  lines: [one.line, two.line],
  ids: [one.id, two.id],
  shapes: [one.shape, two.shape],
});

/**
 * How many numbers differ by more than rounding.
 *
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function differing(a, b) {
  let largest = 0;
  for (const numbers of [a, b])
    for (let n = 0; n < numbers.length; n++) if (Number.isFinite(numbers[n])) largest = Math.max(largest, Math.abs(numbers[n]));
  let count = 0;
  for (let n = 0; n < a.length; n++) if (!Object.is(a[n], b[n]) && !(Math.abs(a[n] - b[n]) <= CLOSE * largest)) count++;
  return count;
}
