// What GridLab says of its tensors in words and in PyTorch.

import { ORDERS, runsOf } from "./model.js";

/** @typedef {import("./model.js").Axis} Axis */
/** @typedef {import("./model.js").ByAxis} ByAxis */

/**
 * The expression for what the indices along the axes in `fixed` choose: y[1, 2] is x[1, :, 2].
 *
 * @param {{ name: string, axes: readonly Axis[] }} order
 * @param {ByAxis} at
 * @param {readonly Axis[]} fixed
 */
export function expression({ name, axes }, at, fixed) {
  if (!fixed.length) return name;
  const last = Math.max(...fixed.map((axis) => axes.indexOf(axis)));
  const indices = axes.slice(0, last + 1).map((axis) => (fixed.includes(axis) ? at[axis] : ":"));
  return `${name}[${indices.join(", ")}]`;
}

/**
 * Sentences about sizes that hide something.
 *
 * @param {ByAxis & { copied: boolean }} state
 */
export function coincidences({ B, H, L, D, copied }) {
  /** @type {[boolean, string][]} */
  const notes = [
    [H === 1, "H = 1: a row has one strip, so the exchange changes nothing. Both orders read memory from front to back."],
    [L === 1 && H > 1, "L = 1: a table has one row, so nothing is regrouped. One stride differs, and no step is taken along it."],
    [
      L === H && L > 1,
      `L = H = ${L}: both orders have the same shape. Without the exchange there is no error, only wrong numbers.`,
    ],
    [copied && (H === 1 || L === 1), "y is in order already: y.contiguous() copies nothing and returns y itself."],
    [B === H && B > 1, `B = H = ${B}: with samples and heads exchanged, y keeps its shape.`],
    [B === L && B > 1, `B = L = ${B}: with samples and tokens exchanged, x keeps its shape.`],
    [H === D && H > 1, `H = D = ${H}: cut as (D, H) instead of (H, D), x has the same shape.`],
    [L === D && L > 1, `L = D = ${L}: a table and its transpose have the same shape.`],
  ];
  return notes.filter(([holds]) => holds).map(([, note]) => note);
}

/**
 * "20 numbers in 5 pieces of 4, each 12 places after the one before"
 *
 * @param {boolean[]} chosen
 */
export function scattered(chosen) {
  const runs = runsOf(chosen);
  const count = chosen.filter(Boolean).length;
  if (runs.length === 1) return count === 1 ? "1 number" : `${count} numbers in one piece`;
  return `${count} numbers in ${runs.length} pieces of ${runs[0][1]}, each ${runs[1][0] - runs[0][0]} places after the one before`;
}

/**
 * What is chosen, and where it lies in memory (and in the copy, if there is one).
 *
 * @param {{ depth: number, order: number, at: ByAxis }} view
 * @param {Pick<import("./model.js").Results, "shared" | "offset1" | "offset2">} results
 * @param {number} value of the number at the index
 * @param {boolean[][]} chosen the places in the memory of x, and in that of y
 * @returns {[what: string, where: string]}
 */
export function describe({ depth, order, at }, results, value, chosen) {
  if (depth === 4) {
    const copy = results.shared ? "" : `, at place ${results.offset2} of the copy`;
    const what = `sample ${at.B}, head ${at.H}, token ${at.L}, number ${at.D}`;
    return [what, `value ${value} at place ${results.offset1} of memory${copy}`];
  }
  const copy = results.shared ? "" : `; in the copy ${scattered(chosen[1]).replace(/^\d+ numbers? /, "")}`;
  return [`a ${ORDERS[order - 1].levels[depth]}`, `${scattered(chosen[0])}${copy}`];
}
