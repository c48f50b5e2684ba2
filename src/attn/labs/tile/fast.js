// Fast memory on TileLab's canvas: a box with a place for one tile of q, of k, of the scores and of v.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { frame, number, outline, WRITTEN } from "./cells.js";
import { cellOf } from "./layout.js";
import { copiesBetween } from "./scene.js";
import { aliveAt, scoresTitle } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./model.js").Moment} Moment */

/** The box and its empty places. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Moment} moment */
export function paintBox(pen, { plan, settings, look, isQuick = false }, moment) {
  const { fast, slots, roomy } = plan;
  const size = roomy ? 13 : 12;
  pen.beginPath();
  pen.roundRect(fast.x, fast.y, fast.w, fast.h, 6);
  pen.fillStyle = mixed(look.ink, look.paper, 0.05);
  pen.fill();
  pen.strokeStyle = look.ink;
  pen.lineWidth = 2;
  pen.stroke();
  const how = { colour: look.ink, size, weight: 700 };
  if (roomy) write(pen, "fast memory", fast.x + 9, fast.y + 10, how);
  else ["fast", "memory"].forEach((word, n) => write(pen, word, fast.x + 6, fast.y + 20 + 15 * n, how));
  const isTight = slots.v.x - slots.scores.x < 80; // a longer title would touch those beside it
  const titles = { q: "q", k: "kᵀ", scores: scoresTitle(settings.method, moment, isQuick || isTight), v: "vᵀ" };
  for (const [name, slot] of Object.entries(slots)) {
    for (const i of range(slot.rows))
      for (const j of range(slot.columns)) {
        const { x, y, w, h } = cellOf(slot, slot, i, j);
        pen.fillStyle = look.paper;
        pen.fillRect(x, y, w, h);
        outline(pen, look, { x: x + 0.5, y: y + 0.5, w: w - 1, h: h - 1 }, 0.16);
      }
    const middle = slot.x + (slot.columns * slot.w) / 2;
    write(pen, titles[/** @type {"q"} */ (name)], middle, slot.y - 8, { ...how, align: "center" });
  }
}

/**
 * The tiles that are there or on their way.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part
 * @param {number} most of q, k and v
 */
export function paintCopies(pen, { plan, settings, operands, look }, before, after, part, most) {
  const { S, D } = settings;
  for (const { name, i, j, box, alpha } of copiesBetween(plan, settings, before, after, part)) {
    const how = { alpha, isWritten: box.w >= WRITTEN };
    if (name === "scores") number(pen, look, box, before.values[i * S + j], "weights", 1, how);
    else number(pen, look, box, operands[name][name === "q" ? i * D + j : j * D + i], "signed", most, how);
  }
}

/** How many scores exist: those in this box. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Moment} moment */
export function paintCount(pen, { plan, look }, moment) {
  const { scores, k, v } = plan.slots;
  const count = aliveAt(moment);
  if (!moment.step?.columns || !count) return;
  const high = scores.rows * scores.h;
  const middle = scores.x + (scores.columns * scores.w) / 2;
  frame(pen, { x: scores.x, y: scores.y, w: scores.columns * scores.w, h: high }, look.live, 3);
  const room = k.rows * k.h - high;
  const size = plan.roomy ? 15 : 13;
  if (room < 1.5 * size) return;
  const { rows, columns } = moment.step;
  const [r, c] = [rows, columns].map(([from, to]) => to - from);
  pen.font = `700 ${size}px ${FONT}`;
  const most = 2 * (v.x - scores.x) - scores.columns * scores.w; // up to its neighbours
  const text = [`${r} × ${c} = ${count}`, `${r}×${c}=${count}`].find((one) => pen.measureText(one).width + 4 < most) ?? `${count}`;
  const wide = Math.min(most, pen.measureText(text).width + 10);
  const y = scores.y + high + room / 2;
  pen.fillStyle = look.live;
  pen.beginPath();
  pen.roundRect(middle - wide / 2, y - size * 0.75, wide, size * 1.5, 4);
  pen.fill();
  write(pen, text, middle, y + 0.5, { colour: inkOn(look.live), size, weight: 700, align: "center" });
}
