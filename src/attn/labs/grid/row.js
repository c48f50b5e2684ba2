// The canvas with the row of memory, which stands still, and the new row that a copy writes.

import { FONT } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { MEMORY, placeBox, windowOnto, writing } from "./memory.js";
import { DIGIT, paintCell, paintRing, paintText } from "./paint.js";

/** @typedef {import("./memory.js").Box} Box */
/** @typedef {import("./model.js").ByAxis} ByAxis */
/** @typedef {import("./paint.js").Look} Look */
/** @typedef {import("./paint.js").Marks} Marks */

/**
 * Memory: the row in which the numbers lie, and below it the new one if the step has written one, at moment n of the writing; last, the
 * numbers around the place of the one that is looked at.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ width: number, sizes: ByAxis, storage: ArrayLike<number>, shared: boolean, rows: number, n: number, titles: { count: string, title: string[] }[], raised: string }} memory
 *   titles: of each row, how many numbers moved, and what that is, long and short; raised: what is marked
 * @param {Look} look
 * @param {Marks} marks
 */
export function paintMemory(pen, { width, sizes, storage, shared, rows, n, titles, raised }, look, marks) {
  const N = storage.length;
  const moving = !shared && n < 1;
  const places = range(N);
  for (let place = 0; place < N; place++) places[storage[place]] = place;
  if (!moving) paintWindow(pen, windowOnto(width, N, rows, places[marks.pointed], sizes.D), { width, rows, storage }, look, marks);
  const first = range(N).map((place) => placeBox(width, N, rows, place));
  paintRow(
    pen,
    { nth: 0, width, rows, ...titles[0], right: raised, boxes: first, placeOf: (number) => number, moving },
    look,
    marks,
  );
  if (!shared) {
    const boxes = moving ? writing(width, storage, rows, n) : places.map((place) => placeBox(width, N, rows, place, 1));
    const title = rows < 2 ? { count: "", title: [""] } : titles[1]; // not while the old row is still there
    paintRow(pen, { nth: 1, width, rows, ...title, right: "", boxes, placeOf: (number) => places[number], moving }, look, marks);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof windowOnto>} seen
 * @param {{ width: number, rows: number, storage: ArrayLike<number> }} memory
 * @param {Look} look
 * @param {Marks} marks
 */
function paintWindow(pen, { from, to, box }, { width, rows, storage }, look, { chosen, pinned, pointed }) {
  const nth = rows > 1 ? 1 : 0;
  const [left, right] = [from, to].map((place) => placeBox(width, storage.length, rows, place, nth));
  const foot = left.y + left.h + 1;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.4; // from the part of the row to its enlargement
  pen.beginPath();
  pen.moveTo(left.x, foot);
  pen.lineTo(box.x, box.y - 1);
  pen.moveTo(right.x, foot);
  pen.lineTo(box.x + (to - from) * box.w, box.y - 1);
  pen.stroke();
  pen.globalAlpha = 1;
  pen.textAlign = "center";
  /** @param {number} place */
  const cell = (place) => ({ ...box, x: box.x + (place - from) * box.w });
  for (let place = from; place < to; place++) {
    const lit = chosen[storage[place]];
    pen.font = `${lit ? "600 " : ""}${box.h > 30 ? 13 : 11}px ${FONT}`;
    paintCell(pen, storage[place], cell(place), look, lit, 1);
  }
  for (let place = from; place < to; place++)
    if ([pinned, pointed].includes(storage[place])) paintRing(pen, cell(place), look, storage[place] !== pointed);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{ nth: 0 | 1, width: number, rows: number, count: string, title: string[], right: string, boxes: Box[], placeOf: (number: number) => number, moving: boolean }} row
 * @param {Look} look
 * @param {Marks} marks
 */
function paintRow(pen, { nth, width, rows, count, title, right, boxes, placeOf, moving }, look, { chosen, pinned, pointed }) {
  const N = boxes.length;
  const frame = placeBox(width, N, rows, 0, nth);
  const { raised, inset } = MEMORY;
  const wide = width - 2 * inset;
  pen.globalAlpha = 0.35;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.strokeRect(inset - 0.5, frame.y - 0.5, wide + 1, frame.h + 1);
  pen.globalAlpha = 1;
  const digits = Number(frame.w > String(N - 1).length * DIGIT + 1);
  pen.textAlign = "center";
  pen.font = `11px ${FONT}`;
  for (const lit of [false, true])
    for (let number = 0; number < N; number++) {
      if (chosen[number] !== lit) continue;
      const { x, y, w, h } = boxes[number];
      const up = lit && !(moving && nth) ? raised : 0;
      paintCell(pen, number, { x, y: y - up, w: lit ? Math.max(w, 2) : w, h: h + up }, look, lit, digits);
    }
  pen.font = `600 12px ${FONT}`;
  pen.textAlign = "right";
  pen.fillStyle = look.fill;
  pen.fillText(right, width - inset, frame.y - raised - 8);
  const room = wide - pen.measureText(right).width - 12;
  pen.textAlign = "left";
  pen.fillStyle = look.ink;
  pen.font = `600 16px ${FONT}`;
  const counted = count ? pen.measureText(count).width + 6 : 0;
  paintText(pen, look, count, inset, frame.y - raised - 8);
  pen.font = `12px ${FONT}`;
  const text = title.find((one) => counted + pen.measureText(one).width <= room) ?? title[title.length - 1];
  pen.globalAlpha = 0.8;
  paintText(pen, look, text, inset + counted, frame.y - raised - 8);
  pen.globalAlpha = 1;
  if (moving) return;
  const { x, y, w, h } = boxes[pointed];
  const thick = Math.max(w, 4);
  paintRing(pen, { x: x + w / 2 - thick / 2 + 0.5, y: y - raised, w: thick, h: h + raised }, look);
  if (pinned !== pointed) paintRing(pen, { ...boxes[pinned], y: boxes[pinned].y - raised, h: h + raised }, look, true);
  const y0 = frame.y + frame.h + MEMORY.ticks / 2 + 2;
  const [label, end] = [`place ${placeOf(pointed)}`, String(N - 1)];
  pen.font = `600 11px ${FONT}`;
  pen.textAlign = "center";
  const half = pen.measureText(label).width / 2;
  const at = Math.max(inset + half, Math.min(width - inset - half, x + w / 2));
  pen.fillStyle = look.ink;
  paintText(pen, look, label, at, y0);
  if (rows > 1) return; // the ends of a single row have room for their places
  pen.font = `11px ${FONT}`;
  pen.globalAlpha = 0.8;
  pen.textAlign = "left";
  if (at - half > inset + 14) pen.fillText("0", inset, y0);
  pen.textAlign = "right";
  if (at + half < width - inset - pen.measureText(end).width - 6) pen.fillText(end, width - inset, y0);
  pen.globalAlpha = 1;
}
