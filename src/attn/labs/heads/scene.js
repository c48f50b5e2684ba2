// What HeadsLab draws at each moment of a move: which heads are there, how much of each has been added to y, and y so far.

import { clamp, range } from "../kit/math.js";
import { mix, progress, swing } from "../kit/time.js";

const LANDED = 0.85; // of the time of the sum: then all arrows lie tip to tail, and the arrow of y is drawn

/** @typedef {"rest" | "sum" | "off" | "change" | "block"} Kind */

/**
 * @typedef {object} Parts what the heads add to one word's y
 * @property {number[][]} vectors (H, E), with all heads on
 * @property {boolean[]} on
 * @property {number[]} [order] in which the heads are added
 */

/**
 * @typedef {object} Scene
 * @property {number[][]} vectors
 * @property {number[]} amounts how much of each head there is: 0 if it is off
 * @property {number[]} grown how much of each head has been added to y: what the row y, the equation, the arrows and the answers show
 * @property {number[]} y what has been added so far
 * @property {number} adding the head that is being added, -1 if none is
 * @property {boolean} isEmpty nothing has been added yet
 * @property {number} answered how far the arrow of y is drawn
 * @property {number} open how far the rows of W_O are unfolded
 * @property {number} times how far they are multiplied
 * @property {number} fallen how many of them have dropped into the row of their head, as a part of all
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
  const added = (now.order ?? range(H)).filter((h) => now.on[h]);
  const flights = range(H).map((h) => {
    if (kind !== "sum" || n >= 1) return 1;
    return clamp(1.35 * ((n / LANDED) * added.length - added.indexOf(h)), 0, 1); // each rests a little when it has been added
  });
  const grown = amounts.map((amount, h) => amount * (flights[h] >= 1 ? 1 : flights[h] <= 0 ? 0 : swing(flights[h])));
  const y = vectors[0].map((_, e) => vectors.reduce((sum, vector, h) => sum + grown[h] * vector[e], 0));
  const adding = flights.findIndex((flight, h) => flight > 0 && flight < 1 && now.on[h]);
  const answered = kind === "sum" ? progress(n, LANDED, 1) : 1;
  return { vectors, amounts, grown, y, adding, isEmpty: !grown.some(Boolean), answered, ...unfolding(kind === "block" ? n : 1) };
}

/** How the rows of W_O unfold, are multiplied, and drop. @param {number} n how much of the move has passed */
const unfolding = (n) => ({
  ...{ open: progress(n, 0, 0.18), times: progress(n, 0.32, 0.46) },
  fallen: progress(n, 0.54, 1, (passed) => passed),
});
