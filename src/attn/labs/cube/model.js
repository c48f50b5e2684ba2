// The products of all queries of a head with all its keys, and their sums over D.

import { range } from "../kit/math.js";
import { operands } from "../kit/operands.js";

/** @typedef {{ L: number, S: number, D: number, head: number, seed: number, _texts: string[] }} Settings */
/** @typedef {{ q: ArrayLike<number>, k: ArrayLike<number>, products: ArrayLike<number>, scores: ArrayLike<number>, trained: boolean }} Results */

const H = 3; // heads of the recorded layer

/**
 * q (L, D), k (S, D), products (L, S, D) and scores (L, S) of one head.
 *
 * @param {Settings} settings
 * @returns {Results}
 */
export function compute({ L, S, D, head, seed, _texts }) {
  const all = operands({ B: 1, H, L, S, D, seed, _texts });
  const q = all.q.slice(head * L * D, (head + 1) * L * D);
  const k = all.k.slice(head * S * D, (head + 1) * S * D);
  const products = Float32Array.from({ length: L * S * D }, (_, n) => {
    const [i, j, d] = [Math.floor(n / (S * D)), Math.floor(n / D) % S, n % D];
    return q[i * D + d] * k[j * D + d];
  });
  const scores = Float32Array.from({ length: L * S }, (_, n) => range(D).reduce((sum, d) => sum + products[n * D + d], 0));
  return { q, k, products, scores, trained: all.trained };
}

/**
 * How many products of each pair are added up.
 *
 * @param {{ added: number | null, D: number }} settings
 */
export const addedOf = ({ added, D }) => Math.min(added ?? D, D);

/**
 * The sum of the first `count` products of query i and key j.
 *
 * @param {Pick<Results, "products">} results
 * @param {Pick<Settings, "S" | "D">} sizes
 * @param {number} i
 * @param {number} j
 * @param {number} count
 */
export function sumOf({ products }, { S, D }, i, j, count) {
  return range(count).reduce((sum, d) => sum + products[(i * S + j) * D + d], 0);
}
