// Points of the plane: their places in the picture, and the hull around them.

import { clamp } from "../kit/math.js";
import { REACH } from "./model.js";

/** @typedef {import("./model.js").Point} Point */

export const SIZE = 320; // of the picture
const UNIT = SIZE / (2 * REACH + 1.2);

/**
 * The place of a point in the picture. The second coordinate points upwards.
 *
 * @param {ArrayLike<number>} point
 * @returns {Point}
 */
export function toPicture(point) {
  return [SIZE / 2 + point[0] * UNIT, SIZE / 2 - point[1] * UNIT];
}

/**
 * The point at a place in the picture.
 *
 * @param {Point} place
 * @returns {Point}
 */
export function fromPicture([x, y]) {
  return [(x - SIZE / 2) / UNIT, (SIZE / 2 - y) / UNIT];
}

/**
 * A coordinate rounded to tenths, inside the limits; never -0.
 *
 * @param {number} x
 */
export function roundToTenth(x) {
  return clamp(Math.round(10 * x) / 10, -REACH, REACH) + 0;
}

/**
 * The `d` of an SVG path through these points.
 *
 * @param {ArrayLike<number>[]} points
 */
export function pathThrough(points) {
  if (!points.length) return "M0 0";
  const places = points.map((point) =>
    toPicture(point)
      .map((x) => x.toFixed(1))
      .join(" "),
  );
  return `M${places.join("L")}`;
}

/**
 * The corners of the smallest convex shape around the points, in order (Andrew 1979). Points on an edge are left out.
 *
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const chain = (/** @type {Point[]} */ row) => {
    /** @type {Point[]} */
    const corners = [];
    for (const point of row) {
      while (corners.length > 1 && turn(corners[corners.length - 2], corners[corners.length - 1], point) <= 1e-9) corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/**
 * The index of the value that a point cannot be distinguished from, or -1.
 *
 * @param {Point} point
 * @param {Point[]} values
 */
export function valueAt([x, y], values) {
  return values.findIndex(([a, b]) => Math.hypot(x - a, y - b) < 0.05);
}
