// Pointing at the cells of a picture: with the mouse, with a finger, and with the keyboard.

import { clamp } from "./math.js";

/** @typedef {import("./facets.js").Place} Place */

/** @type {Record<string, Place>} */
const KEY_STEPS = {
  ...{ ArrowUp: [0, 0, -1, 0], ArrowDown: [0, 0, 1, 0], ArrowLeft: [0, 0, 0, -1], ArrowRight: [0, 0, 0, 1] },
  ...{ PageUp: [0, -1, 0, 0], PageDown: [0, 1, 0, 0], Home: [-1, 0, 0, 0], End: [1, 0, 0, 0] },
};

/**
 * Let a reader point at the cells of a canvas. A place is four numbers: row and column of the table, row and column in it. Arrow keys
 * walk within a table, Page Up and Page Down to the table beside it, Home and End to the one above or below.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {object} options
 * @param {(x: number, y: number) => Place | null} options.placeAt the cell at a point of the canvas, in CSS pixels
 * @param {() => { sizes: readonly number[], first: Place } | null} options.extent how many places each of the four numbers has, and where
 *   the keyboard begins; null while nothing is drawn
 * @param {() => Place | null} options.pinned the place from which the keyboard continues. It is read at every key, because a drawing may
 *   be a frame old.
 * @param {(place: Place | null, kept: boolean, how?: "click" | "key") => void} options.onPoint kept: clicked, or reached with a key
 */
export function pointing(canvas, { placeAt, extent, pinned, onPoint }) {
  /** @type {Place | null} */
  let hovered = null;
  /** @param {MouseEvent} event */
  function placeOf(event) {
    const box = canvas.getBoundingClientRect();
    return placeAt(event.clientX - box.left, event.clientY - box.top);
  }
  /** @param {Place | null} place */
  function hover(place) {
    if (String(place) === String(hovered)) return;
    hovered = place;
    onPoint(place, false);
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") hover(placeOf(event));
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => onPoint(placeOf(event), true, "click"));
  canvas.addEventListener("keydown", (event) => {
    const step = KEY_STEPS[event.key];
    const drawn = extent();
    if (!drawn || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { sizes, first } = drawn;
    const to = pinned()?.map((at, n) => clamp(Math.min(at, sizes[n] - 1) + step[n], 0, sizes[n] - 1));
    onPoint(/** @type {Place} */ (to ?? first), true, "key");
  });
}
