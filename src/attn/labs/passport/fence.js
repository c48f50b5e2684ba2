// The fence that ends the first piece of the row of memory. All pieces are as long as the first, so this one fence is moved, with the
// pointer or with keys.

import { element, setAttributes, setText } from "../kit/dom.js";
import { pieceAfter, pieceAt, ROW } from "./layout.js";

/** @typedef {{ piece: number, possible: number[], pitch: number, edge: number, text: string }} Fence possible: the lengths
 * that a view can cut; edge: where the row begins */

/**
 * @param {() => Pick<Fence, "piece" | "possible">} read what holds now: the drawing may be one frame old
 * @param {(piece: number) => void} onMove
 */
export function makeFence(read, onMove) {
  const grip = element("div", {
    class: "grip",
    role: "slider",
    tabindex: 0,
    "aria-label": "fence: numbers in a piece",
    "aria-valuemin": 1,
    onkeydown: onKey,
    onpointerdown: grab,
    onpointermove: drag,
  });
  /** @type {Fence | null} */
  let drawn = null;
  let off = 0; // how far beside the fence the pointer has grabbed it

  /** @param {number} piece */
  function move(piece) {
    if (piece !== read().piece) onMove(piece);
  }
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { piece, possible } = read();
    const to = pieceAfter(event.key, piece, possible);
    if (to === null) return;
    event.preventDefault();
    move(to);
  }
  /** @param {PointerEvent} event */
  const xOf = (event) => event.clientX - (grip.offsetParent?.getBoundingClientRect().left ?? 0);
  /** @param {PointerEvent} event */
  function grab(event) {
    if (!drawn || event.button) return;
    event.preventDefault();
    grip.focus();
    grip.setPointerCapture(event.pointerId);
    off = xOf(event) - drawn.piece * drawn.pitch;
  }
  /** @param {PointerEvent} event */
  function drag(event) {
    if (!drawn || !grip.hasPointerCapture(event.pointerId)) return;
    move(pieceAt(xOf(event) - off, { pitch: drawn.pitch, possible: read().possible }));
  }

  /** @param {Fence} fence */
  function draw(fence) {
    drawn = fence;
    setText(grip, String(fence.piece));
    setAttributes(grip, {
      "aria-valuemax": fence.possible[fence.possible.length - 1],
      "aria-valuenow": fence.piece,
      "aria-valuetext": fence.text,
      style: `left: ${fence.edge + Math.round(fence.piece * fence.pitch) - ROW.grip / 2}px; top: ${ROW.rail - ROW.grip / 2}px`,
    });
  }

  return { node: grip, draw };
}
