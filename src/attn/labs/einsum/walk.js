// Walking from number to number with the keyboard.

import { clamp, product } from "../kit/math.js";
import { sizesOf } from "./layout.js";
import { indexOf } from "./model.js";
import { axesOf, tracePin } from "./pin.js";

/** @type {Record<string, readonly number[]>} */
const STEPS = {
  ...{ ArrowUp: [0, 0, -1, 0], ArrowDown: [0, 0, 1, 0], ArrowLeft: [0, 0, 0, -1], ArrowRight: [0, 0, 0, 1] },
  ...{ PageUp: [0, -1, 0, 0], PageDown: [0, 1, 0, 0], Home: [-1, 0, 0, 0], End: [1, 0, 0, 0] },
};

/**
 * The number to which a key leads, as [side, number]; null if the key is not one of them. Arrow keys walk within a table, Page Up and Page
 * Down to the table beside it, Home and End to the one above or below, Enter to the next tensor. The first key leads to the first result.
 *
 * @param {import("./formula.js").Formula} formula
 * @param {import("./formula.js").Sizes} sizes
 * @param {number[] | null} pin where the keyboard is
 * @param {string} key
 * @returns {[number, number] | null}
 */
export function walk(formula, sizes, pin, key) {
  const step = STEPS[key];
  if (!step && key !== "Enter") return null;
  const axes = axesOf(formula);
  if (!pin || !tracePin(formula, sizes, pin)) return [2, 0];
  const [side, n] = pin;
  const shape = sizesOf(axes[side] ?? "", sizes);
  const at = indexOf(n, shape);
  if (!step) {
    const other = [1, 2, 3].map((more) => (side + more) % 3).find((one) => axes[one] !== null) ?? side;
    const there = sizesOf(axes[other] ?? "", sizes);
    return [other, numberOf(at, there)];
  }
  const to = at.map((index, axis) => index + step[axis]);
  return [side, numberOf(to, shape)];
}

/** The number at this index, or at the nearest one. @param {number[]} index @param {readonly number[]} shape */
function numberOf(index, shape) {
  return index.reduce((n, at, axis) => n + clamp(at, 0, shape[axis] - 1) * product(shape.slice(axis + 1)), 0);
}
