// A query and a key of one head with rotary positions: each pair of channels is a clock with a hand of q and a hand of k.

import { normal } from "../kit/inputs.js";
import { range } from "../kit/math.js";

/** @typedef {"both" | "q" | "none"} Turn */
/** @typedef {{ query: number, key: number, D: number, base: number, turn: Turn, equal: boolean, seed: number, clock: number | null }} Settings */
/** @typedef {{ q: ArrayLike<number>, k: ArrayLike<number>, speeds: ArrayLike<number>, terms: ArrayLike<number>, score: number }} Results */
/** @typedef {{ length: number, angle: number }} Hand at position 0; angles grow anticlockwise */
/** @typedef {{ q: Hand, k: Hand, speed: number }} Clock */

/**
 * @param {Settings} settings
 * @returns {Results & { turned_q: Float64Array, turned_k: Float64Array }}
 */
export function compute({ query, key, D, base, turn, equal, seed }) {
  if (D % 2) throw new Error(`D = ${D} is odd: rotary positions turn pairs of channels.`);
  const half = D / 2;
  const [q, k] = ["q", equal ? "q" : "k"].map((name) => Float64Array.from(normal(seed, name, [0], D)));
  const speeds = Float64Array.from(range(half), (d) => base ** ((-2 * d) / D));
  const turned_q = turn === "none" ? q : turned(q, query, speeds);
  const turned_k = turn === "both" ? turned(k, key, speeds) : k;
  const terms = Float64Array.from(range(half), (d) => turned_q[d] * turned_k[d] + turned_q[d + half] * turned_k[d + half]);
  return { q, k, turned_q, turned_k, speeds, terms, score: terms.reduce((sum, term) => sum + term, 0) };
}

/**
 * Each pair of channels (d, d + D/2) turned by position · speed.
 *
 * @param {ArrayLike<number>} vector
 * @param {number} position
 * @param {ArrayLike<number>} speeds
 */
function turned(vector, position, speeds) {
  const half = speeds.length;
  const out = new Float64Array(2 * half);
  for (let d = 0; d < half; d++) {
    const [cos, sin] = [Math.cos(position * speeds[d]), Math.sin(position * speeds[d])];
    out[d] = vector[d] * cos - vector[d + half] * sin;
    out[d + half] = vector[d + half] * cos + vector[d] * sin;
  }
  return out;
}

/**
 * The clocks of these results, with their hands where they are at position 0.
 *
 * @param {Results} results
 * @returns {Clock[]}
 */
export function clocksOf({ q, k, speeds }) {
  const half = speeds.length;
  /** @param {ArrayLike<number>} of @param {number} d */
  const hand = (of, d) => ({ length: Math.hypot(of[d], of[d + half]), angle: Math.atan2(of[d + half], of[d]) });
  return range(half).map((d) => ({ q: hand(q, d), k: hand(k, d), speed: speeds[d] }));
}

/**
 * How far the two hands of a clock have turned with the tokens at these positions.
 *
 * @param {number} speed
 * @param {Turn} turn
 * @param {number} query
 * @param {number} key
 * @returns {[q: number, k: number]}
 */
export function turnsOf(speed, turn, query, key) {
  return [turn === "none" ? 0 : query * speed, turn === "both" ? key * speed : 0];
}

/**
 * What a clock adds to the score: the product of the lengths, times the cosine of the angle between the hands.
 *
 * @param {Clock} clock
 * @param {Turn} turn
 * @param {number} query
 * @param {number} key
 */
export function termAt({ q, k, speed }, turn, query, key) {
  const [byQ, byK] = turnsOf(speed, turn, query, key);
  return q.length * k.length * Math.cos(q.angle + byQ - k.angle - byK);
}

/**
 * @param {readonly Clock[]} clocks
 * @param {Turn} turn
 * @param {number} query
 * @param {number} key
 */
export const scoreAt = (clocks, turn, query, key) => clocks.reduce((sum, clock) => sum + termAt(clock, turn, query, key), 0);
