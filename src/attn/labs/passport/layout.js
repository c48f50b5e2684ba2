// Where the cells of PassportLab's tables are, in pixels and for the keyboard. Cells are numbered table by table, row by row.

import { clamp } from "../kit/math.js";

export const GAP = { group: 5, table: 10, below: 8, sample: 6 };
export const HEADING = 17; // height of a line of headings
const DIGIT = 9; // the smallest width of a cell that has room for a digit
const [NARROWEST, WIDEST] = [3, 38];

/**
 * `tables` tables of R x C cells, `perSample` for each sample. The columns of a table are in groups of `group`.
 *
 * @typedef {{ tables: number, perSample: number, R: number, C: number, group: number }} Shape
 */

/**
 * Fit the tables into `width` pixels, of which `left` are for the titles of the rows. If `wrap`, the tables of a sample are in two lines
 * where only that makes the cells `labelWidth` pixels wide, which is enough for long labels.
 *
 * @param {Shape & { width: number, left: number, captioned: boolean, wrap: boolean, labelWidth: number }} options
 */
export function layout({ tables, perSample, R, C, group, width, left, captioned, wrap, labelWidth }) {
  const gaps = (across) => across * (C / group - 1) * GAP.group + (across - 1) * GAP.table;
  const widthFor = (across) => Math.floor((width - left - gaps(across) - 2) / (across * C));
  const half = Math.ceil(perSample / 2);
  const across = wrap && widthFor(perSample) < labelWidth && widthFor(half) >= labelWidth ? half : perSample;
  const cellWidth = clamp(widthFor(across), NARROWEST, WIDEST);
  const hasLongLabels = cellWidth >= labelWidth;
  const hasDigits = cellWidth >= DIGIT;
  const cellHeight = hasLongLabels ? 20 : hasDigits ? 16 : Math.max(4, cellWidth);
  const captionHeight = captioned ? HEADING : 0;
  const tableWidth = C * cellWidth + (C / group - 1) * GAP.group;
  const tableHeight = HEADING + R * cellHeight + GAP.below;
  const sampleHeight = captionHeight + Math.ceil(perSample / across) * tableHeight + GAP.sample;

  /** The upper left corner of a table: [x, y, the number of tables to its left]. */
  function corner(table) {
    const [sample, nth] = [Math.floor(table / perSample), table % perSample];
    const [line, column] = [Math.floor(nth / across), nth % across];
    const y = sample * sampleHeight + captionHeight + line * tableHeight + HEADING;
    return [left + column * (tableWidth + GAP.table), y, column];
  }

  /** The upper left corner of cell n: [x, y]. */
  function cellAt(n) {
    const [x, y] = corner(Math.floor(n / (R * C)));
    const [row, column] = [Math.floor(n / C) % R, n % C];
    return [x + column * cellWidth + Math.floor(column / group) * GAP.group, y + row * cellHeight];
  }

  return {
    cellWidth,
    cellHeight,
    hasDigits,
    hasLongLabels,
    across,
    corner,
    cellAt,
    sampleHeight,
    width: left + across * tableWidth + (across - 1) * GAP.table + 2,
    height: (tables / perSample) * sampleHeight - GAP.sample,
  };
}

const STEPS = {
  ArrowUp: { row: -1 },
  ArrowDown: { row: 1 },
  ArrowLeft: { column: -1 },
  ArrowRight: { column: 1 },
  PageUp: { table: -1 },
  PageDown: { table: 1 },
  Home: { sample: -1 },
  End: { sample: 1 },
};

/**
 * The cell to which a key moves from cell n, or null for any other key. Arrow keys stay in the table, page keys in the sample.
 *
 * @param {number} n
 * @param {string} key
 * @param {Pick<Shape, "tables" | "perSample" | "R" | "C">} shape
 */
export function nextCell(n, key, { tables, perSample, R, C }) {
  if (!(key in STEPS)) return null;
  const { row = 0, column = 0, table = 0, sample = 0 } = STEPS[key];
  const from = Math.floor(n / (R * C));
  const first = clamp(Math.floor(from / perSample) + sample, 0, tables / perSample - 1) * perSample;
  const to = first + clamp((from % perSample) + table, 0, perSample - 1);
  return (to * R + clamp((Math.floor(n / C) % R) + row, 0, R - 1)) * C + clamp((n % C) + column, 0, C - 1);
}
