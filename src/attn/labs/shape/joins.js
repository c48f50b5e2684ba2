// What is around the tensors of the map: the edges of their sheets, and the arrows between them.

import { FONT } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { measureIn, translucent } from "./paint.js";
import { ACTS, actNow, CHANGES, stageOf } from "./stages.js";

/** @typedef {import("./map.js").Scene} Scene */
/** @typedef {import("./plan.js").MapPlan} MapPlan */
/** @typedef {import("./plan.js").Placed} Placed */

/**
 * The edges of the sheets in the colours of their axes, and fences between heads.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Placed} one
 * @param {Record<string, string>} palette
 */
export function edges(pen, { boxes, all, blocks, headAxis, rowAxis, columnAxis }, palette) {
  const columns = columnAxis.split("·");
  const colour = (/** @type {string} */ axis) => palette[axis];
  const isSmall = boxes[0].h < 14; // on a phone: its edges would hide a sheet
  for (const { x, y, w, h } of boxes) {
    pen.strokeStyle = translucent(palette.ink, 0.4);
    pen.lineWidth = 1;
    pen.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
    if (isSmall) continue;
    pen.fillStyle = colour(rowAxis);
    pen.fillRect(x - 2.5, y - 1, 2.5, h + 2);
    pen.fillStyle = colour(columns.at(-1) ?? "");
    pen.fillRect(x, y + h, w, 2.5);
    if (blocks > 1) {
      pen.fillStyle = colour(columns[0]);
      pen.fillRect(x, y + h + 2.5, w, 2);
      pen.fillStyle = palette.ink;
      for (const n of range(blocks - 1)) pen.fillRect(x + ((n + 1) * w) / blocks - 0.5, y - 2, 1, h + 7);
    }
  }
  if (headAxis && boxes.length > 1 && !isSmall) {
    pen.fillStyle = colour(headAxis);
    pen.fillRect(all.x, all.y + all.h + 3.5, all.w, 2);
  }
}

/**
 * What joins the tensors.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {MapPlan} plan
 * @param {Scene} scene
 * @param {(stage: number) => number} strength of the arrows to a stage
 */
export function arrows(pen, { width, tensors, narrow }, { palette, state, t }, strength) {
  const quiet = translucent(palette.ink, 0.6);
  pen.strokeStyle = quiet;
  pen.lineWidth = 1;
  const boldOf = measureIn(pen, `700 13px ${FONT}`);
  const widthOf = measureIn(pen, `12px ${FONT}`);
  const middle = (/** @type {Placed} */ { all }) => all.y + all.h / 2;
  const right = (/** @type {Placed} */ { all, behind }) => all.x + all.w + behind * 2.5 + 3;
  const left = (/** @type {Placed} */ { all }) => all.x - 13;
  const named = (/** @type {Placed} */ { all, label }) => all.x + label;
  const fade = (/** @type {Placed} */ { name }) => {
    pen.globalAlpha = strength(stageOf(name));
  };

  /**
   * @param {[number, number][]} points
   * @param {boolean} [headed]
   */
  function line(points, headed = true) {
    pen.beginPath();
    for (const [n, [x, y]] of points.entries()) n ? pen.lineTo(x, y) : pen.moveTo(x, y);
    pen.stroke();
    const [[x0, y0], [x1, y1]] = /** @type {[[number, number], [number, number]]} */ (points.slice(-2));
    if (!headed) return;
    const angle = Math.atan2(y1 - y0, x1 - x0);
    pen.beginPath();
    for (const turn of [0, 2.6, -2.6])
      pen.lineTo(x1 + (turn && 6 * Math.cos(angle + turn)), y1 + (turn && 6 * Math.sin(angle + turn)));
    pen.fillStyle = quiet;
    pen.fill();
  }
  /**
   * Write the name of an arrow and, once x is on its way, which axes go and come along it.
   *
   * @param {string} name
   * @param {number} left
   * @param {number} foot
   * @param {CanvasTextAlign} [align]
   * @param {string} [act]
   */
  function write(name, left, foot, align = "center", act = "") {
    const { gone, come } = (t > 0 && CHANGES[ACTS.indexOf(act)]) || { gone: [], come: [] };
    const signs = [...gone.map((axis) => [`−${axis}`, axis]), ...come.map((axis) => [`+${axis}`, axis])];
    const width = (name ? widthOf(name) : 0) + signs.reduce((sum, [sign]) => sum + boldOf(sign) + 4, name ? 0 : -4);
    let at = left - (align === "center" ? width / 2 : align === "right" ? width : 0);
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.strokeStyle = palette.paper; // a line that it crosses ends before it
    pen.lineWidth = 3;
    /** @type {(text: string, colour: string, wide: number) => void} */
    const put = (text, colour, wide) => {
      pen.strokeText(text, at, foot);
      pen.fillStyle = colour;
      pen.fillText(text, at, foot);
      at += wide + 4;
    };
    pen.font = `12px ${FONT}`;
    if (name) put(name, quiet, widthOf(name));
    pen.font = `700 13px ${FONT}`;
    for (const [sign, axis] of signs) put(sign, palette[axis], boldOf(sign));
    pen.strokeStyle = pen.fillStyle = quiet;
    pen.lineWidth = 1;
  }
  if (narrow) {
    const [to, ...from] = Object.values(tensors).toReversed();
    if (!from.length) return;
    const act = ACTS[stageOf(to.name) - 1];
    const [start, end, y] = [right(from[0]), left(to), middle(to)];
    line([
      [start, y],
      [end, y],
    ]);
    const name = to.name.endsWith("_flat") ? `W_${to.name[0].toUpperCase()}` : actNow(act, state);
    write(name, (start + end) / 2, y - 6);
    write("", (start + end) / 2, y + 16, "center", act);
    return;
  }
  const { x, context, q_flat, k_flat, v_flat, q, k, v, kT, scores, scaled, masked, weights, heads, concat, y } = tensors;
  const source = context ?? x;
  for (const [from, to, name] of /** @type {const} */ ([
    [x, q_flat, "W_Q"],
    [source, k_flat, "W_K"],
    [source, v_flat, "W_V"],
  ])) {
    fade(to);
    const bend = Math.max(right(from) + 5, named(from) + 2);
    line([
      [right(from), middle(from)],
      [bend, middle(from)],
      [bend, middle(to)],
      [left(to), middle(to)],
    ]);
    write(name, (bend + left(to)) / 2 + 1, middle(to) - 6);
  }
  for (const [from, to, name] of /** @type {const} */ ([
    [q_flat, q, "split"],
    [k_flat, k, "split"],
    [v_flat, v, "split"],
    [k, kT, "turn"],
    [scores, scaled, actNow("÷ √D", state)],
    [heads, concat, "merge"],
    [concat, y, "W_O"],
  ])) {
    fade(to);
    line([
      [right(from), middle(from)],
      [left(to), middle(from)],
    ]);
    const [at, room] = [(right(from) + left(to)) / 2, left(to) - right(from)];
    write(room > widthOf(name) ? name : "", at, middle(from) - 6);
    write("", at, middle(from) + 16, "center", name);
  }
  // One tensor goes straight to a product, the other joins it from its side.
  for (const [from, other, to, name, act, start, join, foot] of /** @type {const} */ ([
    [q, kT, scores, "q · kᵀ", "q · kᵀ", right(kT), Math.max((right(kT) + left(scores)) / 2 - 8, named(kT) + 4), -6],
    [v, weights, heads, "weights · v", "· v", weights.all.x - 4, left(heads) - 10, 16],
  ])) {
    fade(to);
    const y = middle(from);
    line([
      [right(from), y],
      [left(to), y],
    ]);
    line(
      [
        [start, middle(other)],
        [join, middle(other)],
        [join, y],
      ],
      false,
    );
    write(left(to) - right(from) > 56 + widthOf(name) ? name : "", left(to) - 6, y + foot, "right", act);
  }
  fade(masked);
  const out = Math.max(...[scaled, masked].map((one) => Math.max(right(one), named(one) - 4))) + 9;
  line([
    [right(scaled), middle(scaled)],
    [out, middle(scaled)],
    [out, middle(masked)],
    [right(masked) + 1, middle(masked)],
  ]);
  const name = actNow("mask", state);
  write(name, Math.min(out + 5, width - widthOf(name)), (middle(scaled) + middle(masked)) / 2 + 4, "left");
  fade(weights);
  line([
    [left(masked) + 9, middle(masked)],
    [right(weights) + 1, middle(weights)],
  ]);
  write("softmax", (left(masked) + right(weights)) / 2 + 5, middle(weights) - 6);
}
