// Motion as a function of time: what is drawn at time t depends on t alone. So playing, scrubbing with a slider, stepping and jumping
// are one code path: they only choose t.

import { clamp } from "./math.js";

/** @typedef {(n: number) => number} Ease from 0 at 0 to 1 at 1 */
/** @typedef {{ x: number, y: number, p: number }} Sheet a table of cells: its first corner, and the pitch of its cells, in pixels */
/** @typedef {readonly [Sheet, ...(readonly [from: number, to: number, where: Sheet])[]]} Track where a sheet is first, and its moves */

/** @type {Ease} slow, fast, slow: something that moves from one place of rest to another */
export const swing = (n) => (n < 0.5 ? 4 * n * n * n : 1 - (2 - 2 * n) ** 3 / 2);

/** @type {Ease} faster and faster: something that falls */
export const fall = (n) => n * n;

/** @type {Ease} something that appears or disappears */
export const soft = (n) => n * n * (3 - 2 * n);

/**
 * How much of the time from `from` to `to` has passed at time t: 0 before, 1 afterwards.
 *
 * @param {number} t
 * @param {number} from
 * @param {number} to
 * @param {Ease} [ease]
 */
export function progress(t, from, to, ease = swing) {
  return ease(to > from ? clamp((t - from) / (to - from), 0, 1) : Number(t >= to));
}

/**
 * How visible something is that appears from `from` to `to` and disappears from `gone` to `out`: 0 to 1.
 *
 * @param {number} t
 * @param {number} from
 * @param {number} to
 * @param {number} [gone]
 * @param {number} [out]
 */
export function fade(t, from, to, gone = Number.POSITIVE_INFINITY, out = gone + 0.3) {
  return progress(t, from, to, soft) * (gone === Number.POSITIVE_INFINITY ? 1 : 1 - progress(t, gone, out, soft));
}

/**
 * The number between a and b: a at 0, b at 1.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} n
 */
export function mix(a, b, n) {
  return n === 1 ? b : a + (b - a) * n;
}

/**
 * The sheet between two places of it.
 *
 * @param {Sheet} a
 * @param {Sheet} b
 * @param {number} n
 * @returns {Sheet}
 */
export function between(a, b, n) {
  return { x: mix(a.x, b.x, n), y: mix(a.y, b.y, n), p: mix(a.p, b.p, n) };
}

/**
 * Where a sheet is at time t.
 *
 * @param {Track} track
 * @param {number} t
 */
export function at(track, t) {
  const [first, ...moves] = track;
  return moves.reduce((place, [from, to, where]) => (t > from ? between(place, where, progress(t, from, to)) : place), first);
}
