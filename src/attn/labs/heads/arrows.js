// HeadsLab's plane: what the heads add as arrows, tip to tail, and y from the first tail to the last tip.

import { write } from "../kit/canvas.js";
import { inkOn } from "../kit/colours.js";
import { clamp, range } from "../kit/math.js";
import { mix } from "../kit/time.js";
import { badge, edgeOf, frame, lineOf } from "./pen.js";
import { tipsOf } from "./plane.js";
import { percents } from "./words.js";

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
 * @param {number[]} picture.shares of y with all heads
 * @param {number[]} picture.order in which the arrows follow each other
 * @param {Drawn} flat
 * @param {Scene} scene
 * @returns {(at: Point) => number | null} the head whose arrow or name is at a point
 */
export function paintArrows(pen, { room, look, labels, shares, order }, { points, frame }, scene) {
  const { grown, isEmpty } = scene;
  const all = order.map((h) => points[h]);
  /** @type {(point: Point) => Point} */
  const at = ([right, up]) => [frame.x + right * frame.scale, frame.y - up * frame.scale];
  const tips = tipsOf(
    all,
    order.map((h) => grown[h]),
  ).map(at);
  const [origin, tip, full] = [tips[0], tips[tips.length - 1], tipsOf(all).map(at)[all.length]];
  const { ink } = look.axes;
  // The head of an arrow is part of its length: a short one is thin.
  const shortest = frame.scale * Math.min(...points.map((point) => Math.hypot(...point)));
  const thick = points.length <= 4 ? clamp(shortest / 7, 3.5, room.width > 400 ? 9 : 6) : 3;
  const missing = order.map((h) => 1 - scene.amounts[h]);
  const most = Math.max(...missing);
  const edges = order.map((h) => edgeOf(look, tintOf(look, labels[h].head)));
  pen.lineJoin = "round"; // for every line, also the first

  /** @type {[x: number, y: number, w: number, h: number][]} the boxes of what is written */
  const taken = most > 0 || isEmpty ? [] : paintShares(pen, look, { labels, shares, order, tips });
  /** @type {[Point, Point][]} where the arrow of each head lies, or where it would be: from the tip of y to that of the whole y */
  const places = [];
  let ghost = tip;
  missing.forEach((part, n) => {
    const [right, up] = all[n];
    const end = /** @type {Point} */ ([ghost[0] + part * right * frame.scale, ghost[1] - part * up * frame.scale]);
    places.push(part > 0.5 ? [ghost, end] : [tips[n], tips[n + 1]]);
    pen.globalAlpha = most;
    if (part > 0) arrow(pen, ghost, end, lineOf(look, tintOf(look, labels[order[n]].head)), 2.5, { dashed: true });
    ghost = end;
  });
  pen.globalAlpha = most * 0.6;
  if (most > 0) arrow(pen, origin, full, look.quiet, 1.5, { dashed: true });
  pen.globalAlpha = 1;
  order.forEach((h, n) => {
    if (grown[h] <= 0) return;
    arrow(pen, tips[n], tips[n + 1], edges[n], thick, { edge: 1.5 });
    arrow(pen, tips[n], tips[n + 1], tintOf(look, labels[h].head), thick);
  });
  if (!isEmpty) {
    // The answer lies over its parts, whose heads are larger.
    const end = /** @type {Point} */ ([0, 1].map((axis) => mix(origin[axis], tip[axis], scene.answered)));
    arrow(pen, origin, end, look.axes.paper, 3.5, { edge: 1.5 });
    arrow(pen, origin, end, ink, 3.5);
  }
  pen.fillStyle = ink;
  pen.strokeStyle = look.axes.paper;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(...origin, 6, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();

  /** @type {[Point, Point][]} */
  const lines = [...places, [origin, tip], [origin, full]];
  /** @type {(wide: number, corners: Point[]) => Point | undefined} the first corner where a text is on no line and on no other text */
  const choose = (wide, corners) => {
    const corner = corners.find(
      ([x, y]) =>
        x >= 1 &&
        x + wide < room.width &&
        y >= 1 &&
        y + BADGE.h < room.height &&
        isClear([x - 3, y - 3, wide + 6, BADGE.h + 6], lines) &&
        taken.every(([left, top, w, h]) => x + wide + 3 <= left || x >= left + w + 3 || y + BADGE.h <= top || y >= top + h),
    );
    if (corner) taken.push([...corner, wide, BADGE.h]);
    return corner;
  };
  /** @type {(text: string, wide: number, at: Point, shift: number, how: Parameters<typeof write>[4]) => void} */
  const label = (text, wide, [x, y], shift, how) => {
    const left = Math.min(x + shift, room.width - wide - 1);
    const corners = [0, 16, -16, 20, -20].map(
      (down) => /** @type {Point} */ ([Math.abs(down) < 20 ? left : x - wide / 2, y + down - 9]),
    );
    const corner = choose(wide, [...corners, ...beside([origin, [x, y]], lines, wide)]);
    if (corner) write(pen, text, corner[0], corner[1] + 9, how);
  };
  label("start: 0", 58, origin, -69, { colour: ink, size: 13, weight: 600 });
  if (!isEmpty && scene.answered === 1) label("y", 11, tip, 10, { colour: ink, size: 16, weight: 700 });
  /** @type {{ h: number, line: [Point, Point] }[]} what can be tapped: the names, then the arrows */
  const targets = order.map((h, n) => ({ h, line: places[n] }));
  const length = (/** @type {number} */ n) => Math.hypot(...all[n]) * frame.scale + 999 * Math.round(missing[n]); // missing ones first
  for (const n of range(order.length).sort((a, b) => length(b) - length(a))) {
    const h = order[n];
    const isOn = grown[h] > 0.5;
    if (!isOn && missing[n] <= 0.5) continue; // it has not come yet
    if (points.length > 4 && length(n) < 24) continue; // its name would lie far from it
    const { head, text, stranger } = labels[h];
    const name = points.length <= 4 ? text : "";
    const wide = BADGE.w + (name ? 10 + 8 * name.length : 0);
    const corner = choose(wide, beside(places[n], lines, wide));
    if (!corner) continue;
    const [x, y] = corner;
    const middle = y + BADGE.h / 2;
    const ends = [x, x + wide].map((one) => /** @type {Point} */ ([one, middle]));
    targets.unshift({ h, line: [ends[0], ends[1]] });
    badge(pen, look, head, { x, y, ...BADGE }, !isOn);
    if (name) write(pen, name, x + BADGE.w + 4, middle + 0.5, { colour: stranger ? look.bad : ink, weight: 600 });
  }
  if (most > 0.5) label("y with all heads", 112, full, 10, { colour: look.quiet });
  return (at) => targets.find(({ line }) => distance(at, line) < 14)?.h ?? null;
}

/**
 * Under y, the shadow of each arrow on it, if all arrows lie above y and lead to the right.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {object} arrows
 * @param {{ head: number }[]} arrows.labels
 * @param {number[]} arrows.shares
 * @param {number[]} arrows.order
 * @param {Point[]} arrows.tips
 * @returns {[x: number, y: number, w: number, h: number][]} its box, if it is drawn
 */
function paintShares(pen, look, { labels, shares, order, tips }) {
  const base = tips[0][1] + 4;
  const isDone = Math.abs(tips[order.length][1] - tips[0][1]) < 0.5;
  if (!tips.slice(1).every(([x, y], n) => y < base && x >= tips[n][0])) return [];
  const written = percents(shares);
  order.forEach((h, n) => {
    const tint = tintOf(look, labels[h].head);
    const box = { x: tips[n][0] + 0.5, y: Math.round(base) + 0.5, w: tips[n + 1][0] - tips[n][0] - 1, h: 16 };
    if (box.w < 1) return;
    pen.fillStyle = tint;
    pen.fillRect(box.x, box.y, box.w, box.h);
    frame(pen, box, edgeOf(look, tint), 1);
    if (isDone && box.w >= 34)
      write(pen, written[h], box.x + box.w / 2, box.y + 8.5, { colour: inkOn(tint), size: 12, weight: 600, align: "center" });
  });
  return [[tips[0][0], base, tips[order.length][0] - tips[0][0], 20]];
}

/**
 * Corners of an arrow's name, the best first: on the side that is further away from other lines, then on the other side; beside its
 * middle, or nearer to an end; and then further away from it.
 *
 * @param {[Point, Point]} line
 * @param {[Point, Point][]} lines
 * @param {number} wide
 * @returns {Point[]}
 */
function beside([from, to], lines, wide) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [dy / length, -dx / length];
  const half = (Math.abs(nx) * wide) / 2 + (Math.abs(ny) * BADGE.h) / 2; // the box stays beside the arrow and its head
  /** @type {(part: number, reach: number) => Point} */
  const centre = (part, reach) => [from[0] + dx * part + nx * reach, from[1] + dy * part + ny * reach];
  const others = lines.filter(([start, end]) => start !== from || end !== to);
  const room = (/** @type {number} */ side) => Math.min(...others.map((one) => distance(centre(0.5, side * (16 + half)), one)));
  const sides = room(1) >= room(-1) ? [1, -1] : [-1, 1];
  const spots = [16, 24, 34].flatMap((gap) =>
    sides.flatMap((side) => [0.5, 0.3, 0.7, 0.9, 0.1].map((part) => centre(part, side * (gap + half)))),
  );
  return spots.map(([x, y]) => [x - wide / 2, y - BADGE.h / 2]);
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
