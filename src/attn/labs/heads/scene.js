// What HeadsLab draws at each moment of a move: which heads are there, how far each has come on its way into y, and y so far.

import { range } from "../kit/math.js";
import { mix, swing } from "../kit/time.js";

/** @typedef {"rest" | "sum" | "off" | "change" | "block"} Kind */

/**
 * @typedef {object} Parts what the heads add to one word's y
 * @property {number[][]} vectors (H, E), with all heads on
 * @property {boolean[]} on
 */

/**
 * @typedef {object} Scene
 * @property {number[][]} vectors
 * @property {number[]} amounts how much of each head there is: 0 if it is off
 * @property {number[]} flights how far each row has come on its way into y: 1 when it has been added
 * @property {number[]} y what has been added so far
 * @property {boolean} isEmpty nothing has been added yet
 * @property {number} open how far the rows of W_O are unfolded
 */

/**
 * @param {Parts} now
 * @param {Parts | null} before
 * @param {Kind} kind
 * @param {number} n how much of the move has passed
 * @returns {Scene}
 */
export function sceneOf(now, before, kind, n) {
  const H = now.vectors.length;
  const last = before && before.vectors.length === H && before.vectors[0].length === now.vectors[0].length ? before : now;
  const go = n >= 1 ? 1 : swing(n);
  const vectors =
    kind === "change" && n < 1
      ? now.vectors.map((vector, h) => vector.map((value, e) => mix(last.vectors[h][e], value, go)))
      : now.vectors;
  const amounts = range(H).map((h) => {
    const [from, to] = [last, now].map(({ on }) => Number(on[h]));
    return kind === "off" || kind === "change" ? mix(from, to, go) : to;
  });
  const added = range(H).filter((h) => now.on[h]);
  const flights = range(H).map((h) => {
    if (kind !== "sum" || n >= 1) return 1;
    return Math.max(0, Math.min(1, 1.35 * (n * added.length - added.indexOf(h)))); // each rests a little when it has arrived
  });
  const y = vectors[0].map((_, e) => vectors.reduce((sum, vector, h) => sum + (flights[h] >= 1 ? amounts[h] * vector[e] : 0), 0));
  const isEmpty = !amounts.some((amount, h) => amount > 0 && flights[h] >= 1);
  return { vectors, amounts, flights, y, isEmpty, open: kind === "block" ? go : 1 };
}
