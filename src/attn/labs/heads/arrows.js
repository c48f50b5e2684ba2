// HeadsLab's plane: what the heads add as arrows, tip to tail, and y from the first tail to the last tip.

import { write } from "../kit/canvas.js";
import { inkOn } from "../kit/colours.js";
import { clamp, range } from "../kit/math.js";
import { badge, edgeOf, frame, writeWithin } from "./pen.js";
import { tipsOf } from "./plane.js";
import { percents } from "./words.js";

/** @typedef {import("./plane.js").Flat & { frame: import("./plane.js").Frame }} Drawn */
/** @typedef {import("./plane.js").Point} Point */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./pen.js").Look} Look */

const BADGE = { w: 20, h: 17 };
const WHOLE = "y with all heads";

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {object} picture
 * @param {{ width: number, height: number }} picture.room
 * @param {Look} picture.look
 * @param {{ head: number, text: string, stranger: boolean }[]} picture.labels
 * @param {number[]} picture.shares of y with all heads
 * @param {Drawn} flat
 * @param {Scene} scene
 * @returns {{ h: number, box: [x: number, y: number, w: number, h: number] }[]} where the names of the heads stand
 */
export function paintArrows(pen, { room, look, labels, shares }, { points, frame }, { vectors, amounts, grown, adding, isEmpty }) {
  const E = vectors[0].length;
  /** @type {(point: Point) => Point} */
  const at = ([right, up]) => [frame.x + right * frame.scale, frame.y - up * frame.scale];
  const tips = tipsOf(points, grown).map(at);
  const whole = tipsOf(points).map(at);
  const [origin, tip, full] = [tips[0], tips[tips.length - 1], whole[whole.length - 1]];
  const { ink } = look.axes;
  // The head of an arrow is part of its length: a short one is thin.
  const shortest = frame.scale * Math.min(...points.map((point) => Math.hypot(...point)));
  const thick = points.length <= 4 ? clamp(shortest / 7, 3.5, room.width > 400 ? 9 : 6) : 3;
  const missing = amounts.map((amount) => 1 - amount);
  const isWhole = missing.every((one) => one <= 0);
  pen.lineJoin = "round"; // for every line, also the first

  if (isWhole && !isEmpty) paintShares(pen, look, labels, shares, tips);
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
      arrow(pen, from, to, edgeOf(look, tintOf(look, labels[h].head)), 2, { dashed: true });
      from = to;
    });
    pen.globalAlpha = 1;
  }
  points.forEach((_, h) => {
    if (grown[h] <= 0) return;
    const tint = tintOf(look, labels[h].head);
    arrow(pen, tips[h], tips[h + 1], edgeOf(look, tint), thick, { edge: 1.5 });
    arrow(pen, tips[h], tips[h + 1], tint, thick);
  });
  const isFirst = adding >= 0 && grown.filter(Boolean).length === 1; // then y lies on the first arrow
  if (!isEmpty && !isFirst) arrow(pen, origin, tip, ink, 2);
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
  /** @type {[Point, Point][]} */
  const segments = points.map((_, h) => [tips[h], tips[h + 1]]);
  segments.push([origin, tip], [origin, full], [tip, full]);
  if (!isEmpty && Math.max(...missing) > 0.5) {
    const wide = 7 * WHOLE.length;
    const { width: most } = room;
    /** @type {Point[]} the first corner that is free is taken: after the tip, above it, below it */
    const corners = [0, -18, 18].map((down) => [Math.min(full[0] + 10, most - wide), full[1] - 9 + down]);
    corners.push(beside(origin, full, segments.slice(0, -2), wide));
    const corner = corners.find(([x, y]) => isClear([x, y, wide, 18], segments) && free([x, y, wide, 18]));
    if (corner) write(pen, WHOLE, corner[0], corner[1] + 9, { colour: look.quiet, size: 12 });
  }
  /** @type {[Point, Point][]} where the arrow of each head lies, or where it would be */
  const places = [];
  let ghost = tip;
  points.forEach((point, h) => {
    const end = /** @type {Point} */ ([ghost[0] + point[0] * frame.scale, ghost[1] - point[1] * frame.scale]);
    places.push(grown[h] > 0.5 ? [tips[h], tips[h + 1]] : [ghost, end]);
    if (missing[h] > 0.5) ghost = end;
  });
  const longest = range(points.length).sort((a, b) => Math.hypot(...points[b]) - Math.hypot(...points[a]));
  const named = points.length <= 4 ? range(points.length) : longest.filter((h, n) => n < 6 || missing[h] > 0.5);
  /** @type {{ h: number, box: [number, number, number, number] }[]} */
  const badges = [];
  for (const h of named) {
    const isOn = grown[h] > 0.5;
    if (!isOn && missing[h] <= 0.5) continue; // it has not come yet
    const [from, to] = places[h];
    const name = labels[h].text && points.length <= 4 ? labels[h].text : "";
    const wide = name ? 10 + 8 * name.length : 0;
    const others = segments.filter((one) => one !== segments[h]);
    /** @type {Point[]} beside the middle of the arrow, or, where another line goes through the name, nearer to an end */
    const corners = [0.5, 0.35, 0.65, 0.8, 0.2].map((part) => {
      const [left, top] = beside(from, to, others, BADGE.w + wide, part);
      return [clamp(left, 1, room.width - BADGE.w - wide - 1), clamp(top, 1, room.height - 21 - BADGE.h)];
    });
    const [x, y] = corners.find((corner) => isClear([...corner, BADGE.w + wide, BADGE.h], others)) ?? corners[0];
    if (!free([x, y, BADGE.w + wide, BADGE.h])) continue;
    badges.push({ h, box: [x, y, BADGE.w + wide, BADGE.h] });
    pen.globalAlpha = 0.8; // a line behind the name does not disturb it
    pen.fillStyle = look.axes.paper;
    pen.fillRect(x, y, BADGE.w + wide, BADGE.h);
    pen.globalAlpha = 1;
    badge(pen, look, labels[h].head, { x, y, ...BADGE }, !isOn);
    if (name)
      write(pen, name, x + BADGE.w + 4, y + BADGE.h / 2 + 0.5, { colour: labels[h].stranger ? look.bad : ink, weight: 600 });
  }
  const caption = `${E} dimensions drawn in 2: only lengths along y are true.`;
  writeWithin(pen, caption, 0, room.height - 8, { colour: ink, size: room.width > 500 ? 14 : 13 }, room.width);
  return badges;
}

/**
 * Under y, the shadow of each arrow on it, if all arrows lie above y and lead to the right.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {{ head: number }[]} labels
 * @param {number[]} shares
 * @param {Point[]} tips
 */
function paintShares(pen, look, labels, shares, tips) {
  const base = tips[0][1] + 4;
  const isDone = Math.abs(tips[tips.length - 1][1] - tips[0][1]) < 0.5;
  if (!tips.slice(1).every(([x, y], h) => y < base && x >= tips[h][0])) return;
  const written = percents(shares);
  labels.forEach(({ head }, h) => {
    const tint = tintOf(look, head);
    const box = { x: tips[h][0] + 0.5, y: Math.round(base) + 0.5, w: tips[h + 1][0] - tips[h][0] - 1, h: 16 };
    if (box.w < 1) return;
    pen.fillStyle = tint;
    pen.fillRect(box.x, box.y, box.w, box.h);
    frame(pen, box, edgeOf(look, tint), 1);
    if (isDone && box.w >= 34)
      write(pen, written[h], box.x + box.w / 2, box.y + 8.5, { colour: inkOn(tint), size: 12, weight: 600, align: "center" });
  });
}

/**
 * The corner of an arrow's name: beside the arrow, on the side that is further away from the other lines.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {[Point, Point][]} others
 * @param {number} wide
 * @param {number} [part] of the arrow, where its name stands
 * @returns {Point}
 */
function beside(from, to, others, wide, part = 0.5) {
  const [x, y] = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [dy / length, -dx / length];
  const reach = 16 + (Math.abs(nx) * wide) / 2 + (Math.abs(ny) * BADGE.h) / 2; // the box stays beside the arrow and its head
  /** @type {Point[]} */
  const centres = [1, -1].map((side) => [x + side * nx * reach, y + side * ny * reach]);
  const ends = [-wide / 2, 0, wide / 2];
  const room = centres.map(([left, top]) =>
    Math.min(...others.flatMap((one) => ends.map((end) => distance([left + end, top], one)))),
  );
  const [cx, cy] = centres[room[0] >= room[1] ? 0 : 1];
  return [cx - wide / 2, cy - BADGE.h / 2];
}

/**
 * Whether no line goes through a box.
 *
 * @param {[x: number, y: number, w: number, h: number]} box
 * @param {[Point, Point][]} lines
 */
function isClear([x, y, w, h], lines) {
  return lines.every(([[x0, y0], [x1, y1]]) =>
    range(33).every((n) => {
      const [px, py] = [x0 + ((x1 - x0) * n) / 32, y0 + ((y1 - y0) * n) / 32];
      return px < x || px > x + w || py < y || py > y + h;
    }),
  );
}

/**
 * How far a point is from a line.
 *
 * @param {Point} point
 * @param {[Point, Point]} line
 */
function distance([x, y], [[x0, y0], [x1, y1]]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = clamp(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1), 0, 1);
  return Math.hypot(x - x0 - along * dx, y - y0 - along * dy);
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
