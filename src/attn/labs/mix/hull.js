// The hull of points of the plane, and whether an average of the points can be a given point. The same as hull.py.

import { clamp } from "../kit/math.js";

/** @typedef {import("./model.js").Point} Point */

const SMALL = 1e-9;

/** Above 0 if b points to the left of a, 0 if both lie on one line. @type {(a: Point, b: Point) => number} */
const cross = ([ax, ay], [bx, by]) => ax * by - ay * bx;

/** @type {(a: Point, b: Point) => Point} from b to a */
const minus = ([ax, ay], [bx, by]) => [ax - bx, ay - by];

/**
 * The corners of the smallest convex shape around the points, in order (Andrew 1979). Points on an edge are left out.
 *
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @type {(row: Point[]) => Point[]} */
  const chain = (row) => {
    /** @type {Point[]} */
    const corners = [];
    for (const point of row) {
      while (corners.length > 1) {
        const [before, last] = corners.slice(-2);
        if (cross(minus(last, before), minus(point, before)) > SMALL) break;
        corners.pop();
      }
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/**
 * Where a target lies, the nearest point of the hull of the values, and the weights that lead to the target: they sum to 1, and are NaN
 * unless there are three values that do not lie on one line.
 *
 * @param {Point[]} values
 * @param {Point | null} target
 * @returns {{ reach: "" | "inside" | "edge" | "outside", nearest: Point, needed: number[] }}
 */
export function reached(values, target) {
  if (!target) return { reach: "", nearest: [NaN, NaN], needed: values.map(() => NaN) };
  const lines = values.flatMap((start, s) => values.slice(s + 1).map((end) => ({ start, along: minus(end, start) })));
  const needed = neededFor(values, target);
  const place = placeOf(values, target, lines);
  if (place !== "line" && place !== "outside") return { reach: place, nearest: target, needed };
  const ends = lines.map(({ start, along }) => {
    const to = minus(target, start);
    const squared = along[0] ** 2 + along[1] ** 2;
    const share = squared > 0 ? clamp((along[0] * to[0] + along[1] * to[1]) / squared, 0, 1) : 0;
    return /** @type {Point} */ ([start[0] + along[0] * share, start[1] + along[1] * share]);
  });
  const far = ends.map((end) => distance(end, target));
  const least = Math.min(...far);
  return { reach: place === "line" && least <= SMALL ? "edge" : "outside", nearest: ends[far.indexOf(least)], needed };
}

/** @type {(a: Point, b: Point) => number} */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * As `reached` says, or "line" if all values and the target lie on one line.
 *
 * @param {Point[]} values
 * @param {Point} target
 * @param {{ start: Point, along: Point }[]} lines
 */
function placeOf(values, target, lines) {
  /** @type {"line" | "edge" | "inside"} */
  let place = "line";
  for (const { start, along } of lines) {
    const sides = values.map((value) => cross(along, minus(value, start)));
    const side = cross(along, minus(target, start));
    if (Math.abs(side) > SMALL && sides.every((one) => one * side <= SMALL)) return "outside"; // all values are beyond the line, or on it
    if (sides.every((one) => Math.abs(one) <= SMALL)) continue;
    const isBorder = sides.every((one) => one >= -SMALL) || sides.every((one) => one <= SMALL);
    place = place === "edge" || (isBorder && Math.abs(side) <= SMALL) ? "edge" : "inside";
  }
  return place;
}

/** @type {(values: Point[], target: Point) => number[]} */
function neededFor(values, target) {
  const [a, b, c] = values;
  const whole = cross(minus(b, a), minus(c, a));
  if (values.length !== 3 || Math.abs(whole) <= SMALL) return values.map(() => NaN);
  const [second, third] = [cross(minus(target, a), minus(c, a)) / whole, cross(minus(b, a), minus(target, a)) / whole];
  return [1 - second - third, second, third];
}

/**
 * The index of the value that a point cannot be distinguished from, or -1.
 *
 * @param {Point} point
 * @param {Point[]} values
 */
export const valueAt = (point, values) => values.findIndex((value) => distance(point, value) < 0.05);
