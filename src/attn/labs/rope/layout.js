// Where the positions and the clocks are.

import { range } from "../kit/math.js";

const LEAST_COLUMN = 82; // pixels: clocks that would be narrower stand in two rows
const LARGEST_RADIUS = 62;
const SUM = 118; // room for the sum beside the last clock
const SUM_BELOW = 26; // and below the clocks, where there is none beside them
const STRIP = 62; // the row of positions: cells, and the names below
export const CELL = 36; // of a position
const ABOVE = 20; // a clock: its channels
const BELOW = 46; // its positions for a round, and its term

/**
 * @typedef {object} Plan
 * @property {number} width
 * @property {number} height
 * @property {number} strip height of the row of positions, 0 without it
 * @property {number} radius of a clock
 * @property {number} column width of a clock with its texts
 * @property {{ x: number, y: number, isBeside: boolean }} sum where the score is, the sum of the terms
 * @property {{ x: number, y: number }[]} centres
 */

/**
 * @param {object} given
 * @param {number} given.width
 * @param {number} given.count of clocks
 * @param {boolean} given.positions whether the row of positions is shown
 * @returns {Plan}
 */
export function planOf({ width, count, positions }) {
  const rows = width / count < LEAST_COLUMN ? 2 : 1;
  const columns = Math.ceil(count / rows);
  const isBeside = width > 600;
  const column = (width - (isBeside ? SUM : 0)) / columns;
  const radius = Math.min(rows === 1 ? LARGEST_RADIUS : 31, Math.floor(column / 2) - 7);
  const strip = positions ? STRIP : 0;
  const tall = ABOVE + 2 * radius + BELOW;
  const centres = range(count).map((n) => ({
    x: ((n % columns) + 0.5) * column,
    y: strip + Math.floor(n / columns) * tall + ABOVE + radius,
  }));
  const foot = strip + rows * tall;
  const sum = isBeside ? { x: width - SUM, y: foot - BELOW + 29, isBeside } : { x: width / 2 - 48, y: foot + 11, isBeside };
  return { width, height: foot + (isBeside ? 0 : SUM_BELOW), strip, radius, column, sum, centres };
}

/**
 * The clock at a point, or null.
 *
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 */
export function clockAt({ centres, column, radius }, x, y) {
  const n = centres.findIndex((at) => Math.abs(x - at.x) < column / 2 && y > at.y - radius - ABOVE && y < at.y + radius + BELOW);
  return n < 0 ? null : n;
}

/**
 * The cells of the positions around the two tokens: all between them, or with a gap in the middle. `x` is the left edge of a cell.
 *
 * @param {number} width
 * @param {number} query on its way, so not always whole
 * @param {number} key
 * @returns {{ cells: { at: number, x: number }[], places: { query: number, key: number }, gap: number | null }}
 */
export function cellsOf(width, query, key) {
  const [low, high] = [Math.min(query, key), Math.max(query, key)];
  const room = Math.floor(width / CELL);
  const first = Math.min(2, Math.max(0, room - 4)); // cells before the first token
  const fits = high - low <= room - first - 2;
  const rest = Math.floor((room - 1) / 2); // cells on each side of a gap
  /** @param {number} position of a token on its way @param {number} at which cell it has */
  const around = (position, at, from, to) =>
    range(to - from + 1)
      .map((n) => Math.round(position) - at + from + n)
      .map((cell) => ({ at: cell, x: (at + cell - position) * CELL }))
      .filter((cell) => cell.at >= 0 && cell.x >= from * CELL - 1 && cell.x <= to * CELL + 1);
  if (fits) {
    const cells = around(low, first, 0, room - 1);
    const places = { low: first * CELL, high: (first + high - low) * CELL };
    return { cells, places: placesOf(query, key, places), gap: null };
  }
  const last = room - 2; // the cell of the second token
  const cells = [...around(low, first, 0, rest - 1), ...around(high, last, room - rest, room - 1)];
  const gap = ((rest + room - rest) / 2) * CELL;
  return { cells, places: placesOf(query, key, { low: first * CELL, high: last * CELL }), gap };
}

/** @param {number} query @param {number} key @param {{ low: number, high: number }} places */
const placesOf = (query, key, { low, high }) => (query >= key ? { query: high, key: low } : { query: low, key: high });
