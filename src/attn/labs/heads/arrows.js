// HeadsLab's plane: what the heads add as arrows, tip to tail, and y from the first tail to the last tip.

import { write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { number } from "../kit/format.js";
import { swing } from "../kit/time.js";
import { badge, writeWithin } from "./pen.js";
import { tipsOf } from "./plane.js";

/** @typedef {import("./plane.js").Flat & { frame: import("./plane.js").Frame }} Drawn */
/** @typedef {import("./plane.js").Point} Point */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./pen.js").Look} Look */

const BADGE = { w: 20, h: 17 };

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {object} picture
 * @param {{ width: number, height: number }} picture.room
 * @param {Look} picture.look
 * @param {{ head: number, text: string, stranger: boolean }[]} picture.labels
 * @param {Drawn} flat
 * @param {Scene} scene
 */
export function paintArrows(pen, { room, look, labels }, { points, seen, frame }, { amounts, flights, isEmpty }) {
  /** @type {(point: Point) => Point} */
  const at = ([right, up]) => [frame.x + right * frame.scale, frame.y - up * frame.scale];
  const grown = amounts.map((amount, h) => amount * (flights[h] >= 1 ? 1 : flights[h] <= 0 ? 0 : swing(flights[h])));
  const tips = tipsOf(points, grown).map(at);
  const whole = tipsOf(points).map(at);
  const [origin, tip, full] = [tips[0], tips[tips.length - 1], whole[whole.length - 1]];
  const { ink } = look.axes;
  const thick = points.length <= 4 ? 6 : 3;
  const missing = amounts.map((amount) => 1 - amount);
  const isWhole = missing.every((one) => one <= 0);
  pen.lineJoin = "round"; // for every line, also the first

  if (points.length <= 4 && isWhole) {
    pen.fillStyle = look.faint;
    const base = Math.round(origin[1]);
    for (const [x, y] of tips.slice(1, -1).map((tip) => tip.map(Math.round)))
      for (let at = Math.min(y, base); at < Math.max(y, base); at += 6) pen.fillRect(x, at, 1, 3); // on whole pixels: equal in every paint
  }
  if (!isWhole) {
    pen.globalAlpha = Math.max(...missing) * 0.6;
    arrow(pen, origin, full, look.quiet, 1.5, { dashed: true });
    // What is missing, from the tip of y to where it would be.
    pen.globalAlpha = Math.max(...missing);
    let from = tip;
    points.forEach((point, h) => {
      if (missing[h] <= 0) return;
      const to = /** @type {Point} */ ([
        from[0] + missing[h] * point[0] * frame.scale,
        from[1] - missing[h] * point[1] * frame.scale,
      ]);
      arrow(pen, from, to, tintOf(look, labels[h].head), 2, { dashed: true });
      from = to;
    });
    pen.globalAlpha = 1;
  }
  points.forEach((_, h) => {
    if (grown[h] <= 0) return;
    const tint = tintOf(look, labels[h].head);
    arrow(pen, tips[h], tips[h + 1], mixed(ink, tint, 0.45), thick, { edge: 1.5 }); // an edge, since some tints are near the paper
    arrow(pen, tips[h], tips[h + 1], tint, thick);
  });
  if (!isEmpty) arrow(pen, origin, tip, ink, 2);
  pen.fillStyle = ink;
  pen.beginPath();
  pen.arc(...origin, 3, 0, 2 * Math.PI);
  pen.fill();

  /** @type {[number, number, number, number][]} the boxes of what is written */
  const taken = [];
  const free = (/** @type {[number, number, number, number]} */ box) => {
    const isFree = taken.every(
      ([x, y, w, h]) => box[0] >= x + w || box[0] + box[2] <= x || box[1] >= y + h || box[1] + box[3] <= y,
    );
    if (isFree) taken.push(box);
    return isFree;
  };
  if (!isEmpty) {
    const [x, y] = [tip[0] + 10, tip[1]];
    free([x - 2, y - 9, 16, 18]);
    write(pen, "y", x, y, { colour: ink, size: 15, weight: 700 });
  }
  const corners = [...tips, full];
  const centre = /** @type {Point} */ ([0, 1].map((n) => corners.reduce((sum, corner) => sum + corner[n], 0) / corners.length));
  let ghost = tip;
  points.forEach((point, h) => {
    const isOn = grown[h] > 0.5;
    const [from, to] = isOn
      ? [tips[h], tips[h + 1]]
      : [ghost, /** @type {Point} */ ([ghost[0] + point[0] * frame.scale, ghost[1] - point[1] * frame.scale])];
    if (!isOn && missing[h] > 0.5) ghost = to;
    else if (!isOn) return;
    const name = labels[h].text && points.length <= 4 ? labels[h].text : "";
    const wide = name ? 8 + 7 * name.length : 0;
    const [left, top] = beside(from, to, centre, BADGE.w + wide);
    const x = Math.max(0, Math.min(room.width - BADGE.w - wide, left));
    const y = Math.max(0, Math.min(room.height - 20 - BADGE.h, top));
    if (!free([x, y, BADGE.w + wide, BADGE.h])) return;
    badge(pen, look, labels[h].head, { x, y, ...BADGE }, !isOn);
    if (name)
      write(pen, name, x + BADGE.w + 4, y + BADGE.h / 2 + 0.5, { colour: labels[h].stranger ? look.bad : ink, weight: 600 });
  });
  const shown = `${number(100 * seen, 0)} %`;
  const caption =
    room.width > 400
      ? `A plane through y, which points right: ${shown} of the squared lengths lies in it.`
      : `A plane through y: ${shown} of the squared lengths.`;
  writeWithin(pen, caption, 0, room.height - 8, { colour: look.quiet, size: 11.5 }, room.width);
}

/**
 * The corner of an arrow's name: beside the middle of the arrow, away from the centre of the picture.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {Point} centre
 * @param {number} wide
 * @returns {Point}
 */
function beside(from, to, centre, wide) {
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const outwards = dy * (middle[0] - centre[0]) - dx * (middle[1] - centre[1]) < 0 ? -1 : 1;
  const [nx, ny] = [(outwards * dy) / length, (-outwards * dx) / length];
  // The box touches a line that is parallel to the arrow.
  const reach = 8 + (Math.abs(nx) * wide) / 2 + (Math.abs(ny) * BADGE.h) / 2;
  return [middle[0] + nx * reach - wide / 2, middle[1] + ny * reach - BADGE.h / 2];
}

/** @param {Look} look @param {number} head */
const tintOf = (look, head) => look.heads[head % look.heads.length];

/** @param {CanvasRenderingContext2D} pen @param {Point} from @param {Point} to */
function line(pen, from, to) {
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Point} from
 * @param {Point} to
 * @param {string} colour
 * @param {number} width
 * @param {object} [how]
 * @param {number} [how.edge] how far it reaches over an arrow of this width, on all sides
 * @param {boolean} [how.dashed]
 */
function arrow(pen, from, to, colour, width, { edge = 0, dashed = false } = {}) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 0.5) return;
  const head = Math.min(0.7 * length, 6 + 2 * width);
  const [ux, uy] = [dx / length, dy / length];
  const neck = /** @type {Point} */ ([to[0] - ux * head, to[1] - uy * head]);
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = width + 2 * edge;
  const shaft = length - head + 1;
  /** @type {(at: number) => Point} */
  const along = (at) => [from[0] + ux * at, from[1] + uy * at];
  if (dashed) for (let at = 0; at < shaft; at += 9) line(pen, along(at), along(Math.min(at + 5, shaft)));
  else line(pen, from, along(shaft));
  const half = (head / (6 + 2 * width)) * (2.5 + 1.1 * width);
  pen.beginPath();
  pen.moveTo(...to);
  pen.lineTo(neck[0] - uy * half, neck[1] + ux * half);
  pen.lineTo(neck[0] + uy * half, neck[1] - ux * half);
  pen.closePath();
  pen.fill();
  if (!edge) return;
  pen.lineWidth = 2 * edge;
  pen.stroke();
}
