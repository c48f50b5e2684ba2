// The plane in which HeadsLab draws vectors of E numbers: y lies to the right, so an arrow's length along it is its share of y; upwards
// is the direction in which the parts of y differ most.

import { mix } from "../kit/time.js";

/** @typedef {[right: number, up: number]} Point */
/** @typedef {{ points: Point[] }} Flat vectors in the plane */
/** @typedef {{ scale: number, x: number, y: number }} Frame pixels for each unit, and where the origin is */

/** @type {(a: readonly number[], b: readonly number[]) => number} */
const dot = (a, b) => a.reduce((sum, value, n) => sum + value * b[n], 0);
/** @type {(a: readonly number[], b: readonly number[], factor: number) => number[]} */
const plus = (a, b, factor) => a.map((value, n) => value + factor * b[n]);
/** @type {(a: readonly number[]) => number[]} */
function unit(a) {
  const length = Math.hypot(...a);
  return length > 1e-9 ? a.map((value) => value / length) : a.map((_, n) => Number(n === 0));
}

/**
 * The vectors in the plane of their sum.
 *
 * @param {readonly number[][]} vectors
 * @returns {Flat}
 */
export function flatten(vectors) {
  const y = vectors.reduce((sum, vector) => plus(sum, vector, 1));
  const right = unit(y);
  const rests = vectors.map((vector) => plus(vector, right, -dot(vector, right)));
  const lengths = rests.map((rest) => Math.hypot(...rest));
  const most = Math.max(...lengths);
  const longest = rests[lengths.indexOf(most)];
  const none = most < 1e-6 * (1 + Math.hypot(...y));
  let up = unit(longest);
  for (let n = 0; n < 80 && !none; n++)
    up = unit(
      rests.reduce(
        (sum, rest) => plus(sum, rest, dot(rest, up)),
        up.map(() => 0),
      ),
    );
  if (dot(rests[0], up) < 0) up = up.map((value) => -value); // the first arrow rises
  const points = vectors.map((vector) => /** @type {Point} */ ([dot(vector, right), none ? 0 : dot(vector, up)]));
  return { points };
}

/**
 * The share of each vector in their sum: its length along it. Vectors that are switched off keep theirs, so the others do, too.
 *
 * @param {Flat} flat
 */
export function sharesOf({ points }) {
  const length = points.reduce((all, [along]) => all + along, 0);
  return points.map(([along]) => along / (length || 1));
}

/**
 * In which order many arrows follow each other: by their direction, so that they form an arc and none crosses another.
 *
 * @param {readonly Point[]} points
 */
export function orderOf(points) {
  const order = points.map((_, h) => h);
  const turn = (/** @type {number} */ h) => Math.atan2(points[h][1], points[h][0]);
  return points.length > 3 ? order.sort((a, b) => turn(b) - turn(a)) : order;
}

/**
 * Where the tips lie when these arrows follow each other: the first is the origin, the last the sum.
 *
 * @param {readonly Point[]} points
 * @param {readonly number[]} [amounts] how much of each
 */
export function tipsOf(points, amounts) {
  /** @type {Point[]} */
  const tips = [[0, 0]];
  points.forEach(([right, up], h) => {
    const amount = amounts ? amounts[h] : 1;
    const [x, y] = tips[h];
    tips.push([x + amount * right, y + amount * up]);
  });
  return tips;
}

/**
 * The frame in which the arrows fit that are left without the heads in `off`, what is missing, and the whole y.
 *
 * @param {readonly Point[]} vectors
 * @param {readonly number[]} off
 * @param {{ width: number, height: number, edge: { x: number, y: number } }} room
 * @param {readonly number[]} [order] in which the arrows follow each other
 * @returns {Frame}
 */
export function frameOf(vectors, off, { width, height, edge }, order = vectors.map((_, h) => h)) {
  const points = order.map((h) => vectors[h]);
  const left = order.map((h) => Number(!off.includes(h)));
  const rest = tipsOf(points, left);
  // What is missing leads from the tip of the arrows that are left to the tip of all.
  const missing = tipsOf(
    points,
    left.map((one) => 1 - one),
  ).map(([x, y]) => /** @type {Point} */ ([rest[rest.length - 1][0] + x, rest[rest.length - 1][1] + y]));
  const all = [...tipsOf(points).slice(-1), ...rest, ...missing];
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [start, low] = [Math.min(...xs), Math.min(...ys)];
  const [wide, tall] = [Math.max(...xs) - start, Math.max(...ys) - low];
  const scale = Math.min((width - 2 * edge.x) / (wide || 1), (height - 2 * edge.y) / (tall || 1e-6));
  return { scale, x: (width - wide * scale) / 2 - start * scale, y: (height + tall * scale) / 2 + low * scale - 7 };
}

/**
 * Between two pictures of as many arrows.
 *
 * @param {Flat & { frame: Frame }} a
 * @param {Flat & { frame: Frame }} b
 * @param {number} n
 */
export function flatBetween(a, b, n) {
  return {
    points: b.points.map(([x, y], h) => /** @type {Point} */ ([mix(a.points[h][0], x, n), mix(a.points[h][1], y, n)])),
    frame: {
      ...{ scale: mix(a.frame.scale, b.frame.scale, n), x: mix(a.frame.x, b.frame.x, n) },
      y: mix(a.frame.y, b.frame.y, n),
    },
  };
}
