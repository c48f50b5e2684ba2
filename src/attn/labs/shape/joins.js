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
export function arrows(pen, { tensors, narrow }, { palette, state, t }, strength) {
  const quiet = translucent(palette.ink, 0.6);
  pen.strokeStyle = quiet;
  pen.lineWidth = 1;
  const boldOf = measureIn(pen, `700 12px ${FONT}`);
  const widthOf = measureIn(pen, `11px ${FONT}`);
  const middle = (/** @type {Placed} */ { all }) => all.y + all.h / 2;
  const right = (/** @type {Placed} */ { all, behind }) => all.x + all.w + behind * 2.5 + 3;
  const left = (/** @type {Placed} */ { all }) => all.x - 13;
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
    pen.font = `11px ${FONT}`;
    if (name) put(name, quiet, widthOf(name));
    pen.font = `700 12px ${FONT}`;
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
    const bend = Math.max(right(from) + 5, from.sized ? from.all.x + from.label + 2 : 0);
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
  ])) {
    fade(to);
    line([
      [right(from), middle(from)],
      [left(to), middle(from)],
    ]);
    const room = left(to) - right(from);
    if (name === "split" || room > 28)
      write(room > 56 || name !== "split" ? name : "", (right(from) + left(to)) / 2, middle(from) - 6, "center", name);
  }
  fade(scores);
  line([
    [right(q), middle(q)],
    [left(scores), middle(q)],
  ]);
  const join = Math.max((right(kT) + left(scores)) / 2, kT.sized ? kT.all.x + kT.label + 4 : 0);
  line(
    [
      [right(kT), middle(kT)],
      [join, middle(kT)],
      [join, middle(q)],
    ],
    false,
  );
  const narrowly = (/** @type {number} */ room, /** @type {string} */ name) => (room > 56 + widthOf(name) ? name : "");
  const straight = left(scores) - right(q);
  write(narrowly(straight, "q · kᵀ"), left(scores) - 6, middle(q) - 6, "right", "q · kᵀ");
  const column = [scores, scaled, masked, weights];
  const written = Math.max(...column.map((one) => (one.sized ? one.all.x + one.label - 4 : 0)));
  const out = Math.max(...column.map(right), written) + 9;
  for (const [from, to, name] of /** @type {const} */ ([
    [scores, scaled, actNow("÷ √D", state)],
    [scaled, masked, actNow("mask", state)],
    [masked, weights, "softmax"],
  ])) {
    fade(to);
    const [y0, y1] = [middle(from) + 4, middle(to) - 4];
    line([
      [right(from), y0],
      [out, y0],
      [out, y1],
      [right(to) + 1, y1],
    ]);
    write(name, out + 4, y0 + 14, "left");
  }
  fade(heads);
  line([
    [left(weights), middle(weights)],
    [right(heads), middle(heads)],
  ]);
  const named = heads.sized ? heads.label : 0;
  const meet = Math.max(right(heads) + 22, heads.all.x + named);
  line(
    [
      [right(v), middle(v)],
      [meet, middle(v)],
      [meet, middle(heads)],
    ],
    false,
  );
  const free = left(weights) - meet;
  write(narrowly(free, "weights · v") || narrowly(free, "· v"), meet + 6, middle(heads) - 6, "left", "· v");
  for (const [from, to, name] of /** @type {const} */ ([
    [heads, concat, "merge"],
    [concat, y, "W_O"],
  ])) {
    fade(to);
    line([
      [left(from), middle(from)],
      [right(to), middle(from)],
    ]);
    const room = left(from) - right(to);
    const short = name === "merge" && room < 62;
    write(short ? "" : name, (left(from) + right(to)) / 2 + 3, middle(from) - 6, "center", name);
  }
}
