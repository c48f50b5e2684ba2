// Where ReachLab's picture has its nodes: three graphs one above the other, in which a column is a position, and the lowest row the tokens.

import { clamp, range } from "../kit/math.js";
import { KINDS, rowsOf } from "./model.js";

/** @typedef {import("./model.js").Kind} Kind */
/**
 * @typedef {object} Panel
 * @property {number} head the y of its title
 * @property {number[]} rows the y of its rows, from the tokens on
 * @property {number} labels the y of the numbers of the tokens
 * @property {number} radius of a node
 */
/** @typedef {{ width: number, height: number, columns: number[], panels: Record<Kind, Panel> }} Plan */

const HEAD = 26; // height of a title
const LABELS = 19; // height of the numbers of the tokens
const EDGE = 12; // beside the first and the last column
const MOST_GAP = 66; // between two rows
/** @type {Record<Kind, number>} height of all rows */
const TALL = { rnn: 32, convolution: 112, attention: 66 };

/**
 * @param {number} width
 * @param {import("./model.js").State} state
 * @returns {Plan}
 */
export function planOf(width, state) {
  const pitch = (width - 2 * EDGE) / state.L;
  let y = 0;
  const panels = KINDS.map((kind) => {
    const count = rowsOf(kind, state);
    const gap = Math.min(TALL[kind] / count, MOST_GAP);
    const radius = clamp(0.28 * Math.min(pitch, 1.3 * gap), 2.5, 6);
    const top = y + HEAD + 8;
    const rows = range(count + 1).map((row) => top + (count - row) * gap);
    const panel = { head: y + HEAD / 2, rows, labels: rows[0] + radius + LABELS / 2, radius };
    y = panel.labels + LABELS / 2;
    return /** @type {const} */ ([kind, panel]);
  });
  const columns = range(state.L).map((t) => EDGE + (t + 0.5) * pitch);
  return { width, height: Math.ceil(y), columns, panels: /** @type {Record<Kind, Panel>} */ (Object.fromEntries(panels)) };
}

/**
 * The position whose column is nearest to x.
 *
 * @param {Plan} plan
 * @param {number} x
 */
export function positionAt({ columns }, x) {
  const pitch = columns[1] - columns[0];
  return clamp(Math.round((x - columns[0]) / pitch), 0, columns.length - 1);
}
