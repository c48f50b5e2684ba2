// Where GridLab draws the row of memory, the new row that a copy writes, and the window onto them. Pure functions.

import { fly, inTurn } from "../kit/moves.js";
import { mix } from "../kit/time.js";
import { NARROW } from "./scene.js";

/** @typedef {import("../kit/moves.js").Box} Box */

export const MEMORY = { title: 22, strip: 22, raised: 6, ticks: 15, inset: 2, gap: 7, window: 24 };
const ALONE = { ...MEMORY, strip: 64, ticks: 21, window: 42 }; // of a single row, which has the room of two
const WINDOWED = 24; // pixels of a number in the window onto memory

/**
 * How high the parts of the picture are.
 *
 * @param {number} rows 1, or 2 where a new row has been written, or on the way between them
 */
function measures(rows) {
  /** @param {"strip" | "ticks" | "window"} part */
  const high = (part) => mix(ALONE[part], MEMORY[part], rows - 1);
  return { ...MEMORY, strip: high("strip"), ticks: high("ticks"), window: high("window") };
}

/** How high the picture of memory is: two rows and the window, or one row that has their room. */
export const MEMORY_HEIGHT = 2 * (MEMORY.title + MEMORY.strip + MEMORY.ticks) + MEMORY.gap + MEMORY.window;

/**
 * The place with this number in the nth row of memory.
 *
 * @param {number} width of the picture
 * @param {number} N
 * @param {number} rows
 * @param {number} place
 * @param {0 | 1} [nth]
 * @returns {Box}
 */
export function placeBox(width, N, rows, place, nth = 0) {
  const { title, strip, ticks, inset, gap } = nth ? MEMORY : measures(rows); // the new row grows in its own place
  const unit = (width - 2 * inset) / N;
  return { x: inset + place * unit, y: title + nth * (title + strip + ticks + gap), w: unit, h: strip };
}

const SHARE = 0.2; // of the time, in which a number flies

/**
 * The numbers of a new row that have come to their places.
 *
 * @param {ArrayLike<number>} storage of the new row
 * @param {number} n
 */
export const written = (storage, n) => Array.from(storage).filter((_, place) => inTurn(n, place, storage.length, SHARE) === 1);

/**
 * The numbers of a new row on their way from the old one, by number: the first place is written first.
 *
 * @param {number} width
 * @param {ArrayLike<number>} storage of the new row
 * @param {number} rows
 * @param {number} n
 * @returns {Box[]}
 */
export function writing(width, storage, rows, n) {
  const N = storage.length;
  /** @type {Box[]} */
  const boxes = Array(N);
  for (let place = 0; place < N; place++) {
    const number = storage[place];
    boxes[number] = fly(placeBox(width, N, rows, number), placeBox(width, N, rows, place, 1), inTurn(n, place, N, SHARE));
  }
  return boxes;
}

/**
 * The window onto the last row of memory, which shows the numbers around a place: it begins where a unit begins and, except at the end
 * of memory, stays while the place moves inside it.
 *
 * @param {number} width
 * @param {number} N
 * @param {number} rows
 * @param {number} place
 * @param {number} unit
 * @returns {{ from: number, to: number, box: Box }} box: that of its first cell
 */
export function windowOnto(width, N, rows, place, unit) {
  const { inset, window } = measures(rows);
  const cell = Math.max(WINDOWED, (width < NARROW ? 8 : 8.6) * String(N - 1).length + 4);
  const room = Math.min(N, Math.floor((width - 2 * inset) / cell));
  const step = unit <= room ? unit * Math.floor(room / unit) : room;
  const from = Math.max(0, Math.min(Math.floor(place / step) * step, N - room));
  const w = (width - 2 * inset) / room;
  return { from, to: from + room, box: { x: inset, y: MEMORY_HEIGHT - window + 3, w, h: window - 4 } };
}

/**
 * The place at a point of the picture of memory, as the row and the place in it; null beside them.
 *
 * @param {number} width
 * @param {number} N
 * @param {number} rows
 * @param {number} x
 * @param {number} y
 * @param {ReturnType<typeof windowOnto>} seen
 * @returns {{ nth: 0 | 1, place: number } | null}
 */
export function placeAt(width, N, rows, x, y, seen) {
  if (y >= seen.box.y) {
    const place = seen.from + Math.floor((x - seen.box.x) / seen.box.w);
    return place >= seen.from && place < seen.to ? { nth: rows === 1 ? 0 : 1, place } : null;
  }
  for (const nth of rows === 1 ? /** @type {const} */ ([0]) : /** @type {const} */ ([0, 1])) {
    const { x: left, y: top, w, h } = placeBox(width, N, rows, 0, nth);
    const place = Math.floor((x - left) / w);
    if (place >= 0 && place < N && y >= top - MEMORY.raised && y < top + h + MEMORY.ticks) return { nth, place };
  }
  return null;
}
