// Where ReachLab's picture has its nodes: three graphs one above the other, in which a column is a position, and the lowest row the tokens.
// The score of each graph stands left of it, or above it where there is little room. The graph that needs the fewest steps is the first.

import { clamp, range } from "../kit/math.js";
import { rowsOf } from "./model.js";

/** @typedef {import("./model.js").Kind} Kind */
/**
 * @typedef {object} Panel
 * @property {number} top the y of its score
 * @property {number[]} rows the y of its rows, from the tokens on
 * @property {number} labels the y of the numbers of the tokens
 * @property {number} radius of a node
 */
/** @typedef {{ width: number, height: number, narrow: boolean, side: number, columns: number[], panels: Record<Kind, Panel> }} Plan */

const ORDER = /** @type {const} */ (["attention", "convolution", "rnn"]); // from the top
const LABELS = 18; // height of the numbers of the tokens
const EDGE = 8; // beside the first and the last column
/** Where scores stand beside the graphs, and where above them: their width, the height above the rows, and that of all rows. */
const WIDE = { side: 232, head: 22, tall: { attention: 80, convolution: 120, rnn: 44 } };
const NARROW = { side: 0, head: 56, tall: { attention: 52, convolution: 82, rnn: 24 } };

/**
 * @param {number} width
 * @param {import("./model.js").State} state
 * @returns {Plan}
 */
export function planOf(width, state) {
  const narrow = width < 640;
  const { side, head, tall } = narrow ? NARROW : WIDE;
  const pitch = (width - side - 2 * EDGE) / state.L;
  let y = 0;
  const panels = ORDER.map((kind) => {
    const count = rowsOf(kind, state);
    const gap = tall[kind] / count;
    const radius = clamp(0.25 * Math.min(pitch, 1.1 * gap), 2.5, 6);
    const rows = range(count + 1).map((row) => y + head + (count - row) * gap);
    const panel = { top: y, rows, labels: rows[0] + radius + LABELS / 2, radius };
    y = panel.labels + LABELS / 2 + (kind === "rnn" ? 0 : 8);
    return /** @type {const} */ ([kind, panel]);
  });
  const columns = range(state.L).map((t) => side + EDGE + (t + 0.5) * pitch);
  const all = /** @type {Record<Kind, Panel>} */ (Object.fromEntries(panels));
  return { width, height: Math.ceil(y), narrow, side, columns, panels: all };
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
