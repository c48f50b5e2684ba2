// The counters of CacheLab: multiplications and bytes, with a cache and without one.

import { callEnds } from "./run.js";

export const BYTES = 4; // of a float32

/**
 * The multiplications of a layer for L new words of S: projections, scores and weighted sum.
 *
 * @param {{ H: number, G: number, D: number }} sizes
 * @param {number} L
 * @param {number} S
 */
export function multiplications({ H, G, D }, L, S) {
  const E = H * D;
  return L * E * (2 * E + 2 * G * D) + 2 * H * L * S * D;
}

/**
 * @typedef {object} Costs of the layer that is shown; pairs are [with the cache, without it]
 * @property {number[]} computed words that the last call computes
 * @property {number[]} step multiplications of the last call
 * @property {number[]} text multiplications of all calls
 * @property {number} read bytes that the last call reads from the cache
 * @property {number} kept bytes in the cache after the last call
 * @property {number} queries bytes that a cache of queries would take
 */

/**
 * @param {{ P: number, S: number, H: number, G: number, D: number }} state
 * @returns {Costs}
 */
export function costs(state) {
  const { P, S, H, G, D } = state;
  const ends = callEnds(P, S);
  const sum = (countOf) => ends.reduce((total, end) => total + countOf(end), 0);
  const newWords = (end) => (end === P ? P : 1);
  const bytesPerPosition = 2 * G * D * BYTES;
  return {
    computed: [newWords(S), S],
    step: [multiplications(state, newWords(S), S), multiplications(state, S, S)],
    text: [sum((end) => multiplications(state, newWords(end), end)), sum((end) => multiplications(state, end, end))],
    read: S === P ? 0 : bytesPerPosition * (S - 1),
    kept: bytesPerPosition * S,
    queries: H * D * S * BYTES,
  };
}
