// Where GridLab draws each number in the tables, and the letters of its axes: pure functions of sizes, step, width and time.

import { clamp, range } from "../kit/math.js";
import { fly, inTurn } from "../kit/moves.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { STEPS, unravel } from "./model.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./model.js").ByAxis} ByAxis */
/** @typedef {import("./model.js").Letter} Letter */
/** @typedef {import("./model.js").Step} Step */

/**
 * The axes as they nest: the last one across in a row, the one before it down the table, the one before that from table to table,
 * the first from block to block. Three axes have one table in each block.
 *
 * @typedef {{ block: Letter, table: Letter | null, row: Letter, column: Letter }} Nest
 */

/** @typedef {{ w: number, h: number }} Cell in pixels */
/** @typedef {Box & { block: number, table: number, first: boolean }} Table first: of its line */

/**
 * @typedef {object} Layout
 * @property {Nest} nest
 * @property {Record<Letter, number>} sizes
 * @property {Cell} cell
 * @property {Table[]} tables in the order of the tensor
 * @property {number} height
 */

/** @typedef {{ region: number, layouts: Record<Step, Layout> }} Plan region: the height of the tables */

export const LEFT = 34; // for the numbers of rows and blocks
export const TITLE = 22; // above a table
const BETWEEN_TABLES = 10;
const BETWEEN_BLOCKS = 10;
const LARGEST = { w: 250, h: 44 };
const BELOW = 5; // for the frames of the lowest tables
const WIDE = { height: 234, w: 40, h: 18 }; // the room of the tables, and the cells that suffice
const PHONE = { ...WIDE, height: 270, w: 24 };
export const NARROW = 480;

/**
 * @param {Step} step
 * @returns {Nest}
 */
function nestOf(step) {
  const { axes } = STEPS[step];
  const [block, table, row, column] = axes.length === 4 ? axes : [axes[0], null, axes[1], axes[2]];
  return { block: /** @type {Letter} */ (block), table, row: /** @type {Letter} */ (row), column: /** @type {Letter} */ (column) };
}

/**
 * The tables of a step in this room, with the largest cells that fit: with how many blocks and tables side by side?
 *
 * @param {Step} step
 * @param {ByAxis} given
 * @param {{ width: number, height: number, w: number, h: number }} room w and h: of a cell that suffices
 * @returns {Layout}
 */
function layoutOf(step, given, room) {
  const nest = nestOf(step);
  const sizes = { ...given, E: given.H * given.D };
  const [blocks, across] = [sizes[nest.block], nest.table ? sizes[nest.table] : 1];
  const [rows, columns] = [sizes[nest.row], sizes[nest.column]];
  const title = nest.table ? TITLE : 2;
  let best = { score: 0, side: 1, line: 1, cell: { w: 1, h: 1 }, height: 0 };
  for (const side of range(blocks).map((n) => n + 1))
    for (const line of range(across).map((n) => across - n)) {
      const lines = Math.ceil(blocks / side) * Math.ceil(across / line);
      const gaps = side * (LEFT + (line - 1) * BETWEEN_TABLES + 2) + (side - 1) * BETWEEN_BLOCKS;
      const used = lines * title + (Math.ceil(blocks / side) - 1) * BETWEEN_BLOCKS;
      const w = Math.min(LARGEST.w, Math.floor((room.width - gaps) / (side * line * columns)));
      const h = Math.min(LARGEST.h, Math.floor((room.height - used) / (lines * rows)));
      const height = used + lines * rows * h;
      const score = Math.min(w / room.w, h / room.h, 1);
      if (score > best.score) best = { score, side, line, cell: { w, h }, height };
    }
  const { side, line, cell, height } = best;
  const [wide, high] = [columns * cell.w, rows * cell.h];
  const stepX = LEFT + line * (wide + BETWEEN_TABLES) - BETWEEN_TABLES + 2 + BETWEEN_BLOCKS;
  const stepY = Math.ceil(across / line) * (title + high) + BETWEEN_BLOCKS;
  const top = Math.floor((room.height - height) / 2);
  const tables = range(blocks * across).map((n) => {
    const [block, table] = [Math.floor(n / across), n % across];
    const x = (block % side) * stepX + LEFT + (table % line) * (wide + BETWEEN_TABLES);
    const y = top + Math.floor(block / side) * stepY + Math.floor(table / line) * (title + high) + title;
    return { x, y, w: wide, h: high, block, table, first: table % line === 0 };
  });
  return { nest, sizes, cell, tables, height };
}

/**
 * The tables of all steps in a picture of this width. All have the same height, so that the memory below stands still.
 *
 * @param {ByAxis} sizes
 * @param {number} width
 * @returns {Plan}
 */
export function planOf(sizes, width) {
  const room = { width, ...(width < NARROW ? PHONE : WIDE) };
  const steps = /** @type {Step[]} */ (Object.keys(STEPS));
  const layouts = steps.map((step) => [step, layoutOf(step, sizes, room)]);
  return { region: room.height + BELOW, layouts: Object.fromEntries(layouts) };
}

/**
 * Where the number that is `nth` in the order of the tensor is drawn.
 *
 * @param {Layout} layout
 * @param {number} nth
 * @returns {Box}
 */
export function boxOf({ nest, sizes, cell: { w, h }, tables }, nth) {
  const [rows, columns] = [sizes[nest.row], sizes[nest.column]];
  const { x, y } = tables[Math.floor(nth / (rows * columns))];
  return { x: x + (nth % columns) * w, y: y + (Math.floor(nth / columns) % rows) * h, w, h };
}

/**
 * Where each number is drawn, by number: it keeps its identity from step to step.
 *
 * @param {Layout} layout
 * @param {ArrayLike<number>} values the numbers in the order of the tensor
 * @returns {Box[]}
 */
export function boxesOf(layout, values) {
  /** @type {Box[]} */
  const boxes = Array(values.length);
  for (let n = 0; n < values.length; n++) boxes[values[n]] = boxOf(layout, n);
  return boxes;
}

const PALES = 0.08; // the part of the time in which what waits gets pale
const LEADS = 0.45; // until then what is marked moves

/** How much of what is only seen at the end of a move is seen. @param {number} n */
export const arrived = (n) => soft(clamp((n - 0.92) / 0.08, 0, 1));

/**
 * Where each number is on its way between two steps, and how far it has come. The marked strips of D numbers move first, then the others
 * of one head after the other. Strips that begin beside each other go up or down first, so that none covers another of its head; the
 * others go sideways first. What waits is pale, and hidden when the new frames come. Only what is marked is written, so that no number
 * is read through another.
 *
 * @param {readonly Box[]} from
 * @param {readonly Box[]} to
 * @param {number} n
 * @param {{ D: number, H: number, chosen: readonly boolean[] }} strips chosen: by number
 * @returns {(Box & { go: number, alpha: number, digits: number })[]} digits: how visible the number itself is
 */
export function flying(from, to, n, { D, H, chosen }) {
  const isDownFirst = from.length > H * D && from[0].x !== from[H * D].x; // the strip of the next token
  const stays = to.map((box, number) => JSON.stringify(box) === JSON.stringify(from[number]));
  const isStill = stays.every(Boolean);
  const leads = stays.some((one, number) => chosen[number] && !one) ? LEADS : 0; // nobody waits for what stays
  const fades = soft(Math.min(1, n / PALES));
  const waits = (1 - fades / 2) * (1 - progress(n, 0.2, 0.33));
  return to.map((box, number) => {
    const strip = Math.floor(number / D);
    const isFirst = range(D).some((d) => chosen[strip * D + d]);
    const go = stays[number]
      ? 1
      : isFirst
        ? clamp((n - PALES) / (LEADS - PALES), 0, 1)
        : inTurn(Math.max(0, (n - leads) / (1 - leads)), strip % H, H, 1 / H);
    const [first, second] = [Math.min(1, 2 * go), Math.max(0, 2 * go - 1)];
    const [across, down] = isDownFirst ? [second, first] : [first, second];
    const { x, w } = fly(from[number], box, across);
    const { y, h } = fly(from[number], box, down);
    return { x, y, w, h, go, alpha: Math.min(1, waits + 5 * go), digits: isFirst || isStill ? 1 : 1 - fades + arrived(n) };
  });
}

/**
 * The position in the order of the tensor of the cell at a point, -1 outside the tables.
 *
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 */
export function nthAt({ nest, sizes, cell, tables }, x, y) {
  const [rows, columns] = [sizes[nest.row], sizes[nest.column]];
  const at = tables.findIndex((table) => x >= table.x && x < table.x + table.w && y >= table.y && y < table.y + table.h);
  if (at < 0) return -1;
  const [i, j] = [Math.floor((y - tables[at].y) / cell.h), Math.floor((x - tables[at].x) / cell.w)];
  return (at * rows + i) * columns + j;
}

/** @typedef {{ row?: number, column?: number, block?: number, all?: boolean }} Walk how far a key goes; all: as far as it goes */

/**
 * The position that a key leads to: along a row and on into the table beside it, down a table and on into the block below.
 *
 * @param {Step} step
 * @param {ByAxis} given
 * @param {number} nth
 * @param {Walk} walk
 */
export function walked(step, given, nth, { row = 0, column = 0, block = 0, all = false }) {
  const nest = nestOf(step);
  const sizes = { ...given, E: given.H * given.D };
  const shape = [sizes[nest.block], nest.table ? sizes[nest.table] : 1, sizes[nest.row], sizes[nest.column]];
  const [blocks, tables, rows, columns] = shape;
  const at = unravel(shape, nth);
  /**
   * @param {number} value
   * @param {number} by
   * @param {number} count
   */
  const go = (value, by, count) => Math.max(0, Math.min(count - 1, all && by ? by * count : value + by));
  const across = go(at[1] * columns + at[3], column, tables * columns);
  const down = go(at[0] * rows + at[2], row, blocks * rows);
  const to = [go(Math.floor(down / rows), block, blocks), Math.floor(across / columns), down % rows, across % columns];
  return to.reduce((place, i, axis) => place * shape[axis] + i, 0);
}

// Letters -------------------------------------------------------------------------------------------------------------

/** @typedef {{ axis: Letter, x: number, lift: number, alpha: number }} Column x: in columns; lift: 1 is as high as a column rises; below 0 it passes behind */

/**
 * The axes on their way between two orders: those of both fly to their new places, and where E goes H and D come, or the reverse.
 *
 * @param {readonly Letter[]} from
 * @param {readonly Letter[]} to
 * @param {number} n
 * @returns {Column[]}
 */
export function columnsAt(from, to, n) {
  const letters = n < 1 ? [...new Set([...to, ...from])] : to;
  return letters.map((axis) => {
    const [a, b] = [from.indexOf(axis), to.indexOf(axis)];
    if (b < 0) return { axis, x: a, lift: 0, alpha: 1 - soft(Math.min(1, 2.5 * n)) };
    if (a < 0) return { axis, x: b, lift: 0, alpha: soft(Math.max(0, 2.5 * n - 1.5)) };
    const lift = n < 1 && a !== b ? Math.sin(Math.PI * swing(n)) * (b > a ? 1 : -1) : 0;
    return { axis, x: mix(a, b, swing(n)), lift, alpha: 1 - Math.max(0, -lift) ** 0.25 };
  });
}
