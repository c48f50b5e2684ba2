// The query that brings the output as near to a target as its limits allow.

import { clamp, range } from "../kit/math.js";
import { distance, reached } from "./hull.js";
import { blend, KEYS, REACH, weightsAt } from "./model.js";

/** @typedef {import("./model.js").Point} Point */

const CLOSE = 0.001; // a simple query that leads so near to the nearest point is taken: 0, or one along a key

/**
 * @param {Pick<import("./model.js").State, "values" | "temperature">} state
 * @param {Point} target
 * @returns {Point}
 */
export function aim({ values, temperature }, target) {
  /** @type {(query: Point) => number} */
  const far = (query) => distance(blend(weightsAt(temperature, query, values.length), values), target);
  const least = distance(/** @type {Point} */ (reached(values, target).nearest), target);
  const simple = [[0, 0], ...KEYS.slice(0, values.length).map(outmost)];
  const found = simple.find((query) => far(/** @type {Point} */ (query)) - least < CLOSE);
  if (found) return /** @type {Point} */ (found);
  /** @type {Point} */
  let best = [0, 0];
  for (let step = REACH / 8; step > 0.005; step /= 2) {
    const reach = step < REACH / 8 ? 2 : 8; // steps on each side: first over all queries, then around the best
    const [x, y] = best;
    const around = range(2 * reach + 1).map((n) => (n - reach) * step);
    for (const dx of around)
      for (const dy of around) {
        /** @type {Point} */
        const query = [short(x + dx), short(y + dy)];
        if (far(query) < far(best)) best = query;
      }
  }
  return best;
}

/** @param {number} x */
const short = (x) => clamp(Math.round(100 * x) / 100, -REACH, REACH) + 0;

/** A key, made as long as the limits allow. @param {Point} key */
function outmost([x, y]) {
  const times = REACH / Math.max(Math.abs(x), Math.abs(y));
  return [short(x * times), short(y * times)];
}
