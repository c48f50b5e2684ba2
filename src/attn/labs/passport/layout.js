// Where things are in PassportLab's picture, in pixels and for the keyboard: the row of memory, and the tables of the heads. Cells are
// numbered table by table, row by row.

import { clamp } from "../kit/math.js";
import { inTurn } from "../kit/moves.js";

/** @typedef {import("../kit/moves.js").Box} Box */

const GAP = { group: 5, table: 9, below: 6 };
const [NARROWEST, WIDEST] = [3, 40];
const HEADING = 20; // height of the line with the heads' names

/** The parts of the row of memory, from above: whose numbers these are, the numbers, who takes the pieces of the cut, the rail of the fence. */
export const ROW = { caption: 8, owners: 18, cells: 36, cell: 26, takers: 67, tag: 17, rail: 107, ticks: 127, grip: 24 };
const PHONE = 400; // pixels: in a narrower row the ring of the fence needs room at both ends, in a narrower table the rows are lower

/**
 * How tall the row of memory is, with the rail of the fence or without.
 *
 * @param {{ grip: boolean }} shown
 */
export const rowHeight = ({ grip }) => (grip ? ROW.ticks + 8 : ROW.takers + ROW.tag + 4);

/**
 * The cells of a row of memory that is `width` pixels wide. Their edges are whole pixels.
 *
 * @param {number} count
 * @param {number} width
 */
export function rowLayout(count, width) {
  const edge = width < PHONE ? ROW.grip / 2 : 1;
  const pitch = Math.min(WIDEST, (width - 2 * edge) / count);
  const xAt = (place) => edge + Math.round(place * pitch);
  /** @param {number} place @returns {Box} */
  const cellAt = (place) => ({ x: xAt(place), y: ROW.cells, w: xAt(place + 1) - xAt(place), h: ROW.cell });
  return { pitch, xAt, cellAt, edge, width: xAt(count) };
}

/**
 * The length of the first piece when the fence that ends it is at x: the nearest that a view can cut.
 *
 * @param {number} x
 * @param {{ pitch: number, possible: readonly number[] }} row
 */
export const pieceAt = (x, { pitch, possible }) =>
  possible.reduce((best, one) => (Math.abs(one * pitch - x) < Math.abs(best * pitch - x) ? one : best));

/**
 * The length of the pieces after a key, or null for any other key: the next one that a view can cut, the shortest or the longest.
 *
 * @param {string} key
 * @param {number} piece
 * @param {readonly number[]} possible
 */
export function pieceAfter(key, piece, possible) {
  const most = possible[possible.length - 1];
  if (key === "Home") return 1;
  if (key === "End") return most;
  if (/^(ArrowRight|ArrowUp|PageUp)$/.test(key)) return possible.find((one) => one > piece) ?? most;
  return /^(ArrowLeft|ArrowDown|PageDown)$/.test(key) ? (possible.findLast((one) => one < piece) ?? 1) : null;
}

/**
 * Tables of R x C cells, whose columns are in groups of `group`, in `width` pixels, of which `left` are for the names of the rows. The
 * tables are in two lines where only that makes a cell `least` pixels wide. They leave room for `rows` rows: a size moves nothing below.
 *
 * @param {{ tables: number, R: number, C: number, rows?: number, group: number, width: number, left: number, least: number }} options
 */
export function layout({ tables, R, C, rows = 0, group, width, left, least }) {
  const gaps = (across) => across * (C / group - 1) * GAP.group + (across - 1) * GAP.table;
  const widthFor = (across) => Math.floor((width - left - gaps(across) - 2) / (across * C));
  const half = Math.ceil(tables / 2);
  const across = widthFor(tables) < least && widthFor(half) > widthFor(tables) ? half : tables;
  const cellWidth = clamp(widthFor(across), NARROWEST, WIDEST);
  const cellHeight = cellWidth >= least ? (width < PHONE ? 18 : 23) : group * cellWidth >= 2 * least ? 14 : clamp(cellWidth, 5, 14);
  const tableWidth = C * cellWidth + (C / group - 1) * GAP.group;
  const tableHeight = HEADING + R * cellHeight + GAP.below;

  /**
   * The upper left corner of a table's cells: [x, y, the number of tables to its left].
   *
   * @param {number} table
   */
  function corner(table) {
    const [line, column] = [Math.floor(table / across), table % across];
    return [left + column * (tableWidth + GAP.table), line * tableHeight + HEADING, column];
  }

  /**
   * @param {number} n
   * @returns {Box}
   */
  function cellAt(n) {
    const [x, y] = corner(Math.floor(n / (R * C)));
    const [row, column] = [Math.floor(n / C) % R, n % C];
    const box = { x: x + column * cellWidth + Math.floor(column / group) * GAP.group, y: y + row * cellHeight };
    return { ...box, w: cellWidth, h: cellHeight };
  }

  const height = Math.ceil(tables / across) * tableHeight - GAP.below + 2 + Math.max(0, rows - R) * cellHeight;
  return { cellWidth, cellHeight, across, corner, cellAt, groupWidth: group * cellWidth + GAP.group, height };
}

/**
 * How far the block whose first number has place k of `count` has flown: the blocks fly one after the other, two at a time, in the
 * order of memory.
 *
 * @param {number} n how much of the move has passed
 * @param {number} k
 * @param {number} count
 */
export const flightOf = (n, k, count) => inTurn(clamp(n, 0, 1), k, count, 0.12);

/**
 * For each cell, the first place of its block: numbers of one word and head that are side by side in memory and stay so.
 *
 * @param {readonly number[]} places of the numbers in the cells
 * @param {number} D
 */
export function blocksOf(places, D) {
  let first = 0;
  return places.map((place, n) => {
    if (n % D === 0 || place % D === 0 || place !== places[n - 1] + 1) first = place;
    return first;
  });
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
 * The cell to which a key moves from cell n, or null for any other key. Arrow keys stay in the table, page keys in the sentence.
 *
 * @param {number} n
 * @param {string} key
 * @param {{ tables: number, perSample: number, R: number, C: number }} shape
 */
export function nextCell(n, key, { tables, perSample, R, C }) {
  if (!(key in STEPS)) return null;
  const { row = 0, column = 0, table = 0, sample = 0 } = STEPS[key];
  const from = Math.floor(n / (R * C));
  const first = clamp(Math.floor(from / perSample) + sample, 0, tables / perSample - 1) * perSample;
  const to = first + clamp((from % perSample) + table, 0, perSample - 1);
  return (to * R + clamp((Math.floor(n / C) % R) + row, 0, R - 1)) * C + clamp((n % C) + column, 0, C - 1);
}
