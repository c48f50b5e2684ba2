// q and k of the sentences of the running example: those of its recorded layer, or random whole numbers at other sizes.

import { normal } from "./inputs.js";
import { computeLayer } from "./layer.js";
import { clamp, range } from "./math.js";
import { isTrained, recordedSource } from "./reader.js";

const [HEADS, ROWS] = [8, 16]; // the numbers are drawn for this many heads and rows, of which the lab uses the first

/** @typedef {{ B: number, H: number, L: number, S: number, D: number }} Sizes */

/**
 * A whole number from -3 to 3, but not 0, for each element of (B, H, rows, D). A number stays the same when a size changes.
 *
 * @param {number} seed
 * @param {string} name
 * @param {number} rows
 * @param {Pick<Sizes, "B" | "H" | "D">} sizes
 */
function wholeNumbers(seed, name, rows, { B, H, D }) {
  const rowNumbers = range(B * H * rows).map(
    (n) => (Math.floor(n / (H * rows)) * HEADS + (Math.floor(n / rows) % H)) * ROWS + (n % rows),
  );
  return normal(seed, name, rowNumbers, D).map((value) => Math.sign(value) * clamp(Math.ceil(1.5 * Math.abs(value)), 1, 3));
}

/**
 * q (B, H, L, D) and k (B, H, S, D): those of the recorded layer at its sizes, else random whole numbers.
 *
 * @param {Sizes & { seed: number, _texts: string[] }} settings
 */
export function operands({ B, H, L, S, D, seed, _texts }) {
  const trained = isTrained({ H, L, S, D, G: null, seed });
  if (!trained) {
    const sizes = { B, H, L, S, D };
    return { trained, q: wholeNumbers(seed, "q", L, sizes), k: wholeNumbers(seed, "k", S, sizes) };
  }
  const longest = Math.max(L, S);
  const state = { B, H, L: longest, S: null, D, G: null, seed, scale: true, causal: false, _texts };
  const { q, k } = computeLayer(state, recordedSource(state));
  /** @param {Float32Array} all (B, H, longest, D) @param {number} rows */
  const first = (all, rows) => all.filter((_, n) => Math.floor(n / D) % longest < rows);
  return { trained, q: first(q, L), k: first(k, S) };
}

/**
 * The words of one sentence.
 *
 * @param {{ _texts: string[] }} settings
 * @param {number} b
 * @param {number} rows
 */
export const wordsOf = ({ _texts }, b, rows) => _texts[b].split(" ").slice(0, rows);
