// What is around the tensors of the map: the edges of their sheets, and the arrows between them.

import { FONT } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { translucent } from "./paint.js";
import { ACTS, actNow, CHANGES, LAST, sourcesOf, stageOf } from "./stages.js";

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
 * What joins the tensors. On a phone, where there is a step alone, with its name and the axes that go and come.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {MapPlan} plan
 * @param {Scene} scene
 * @param {(name: string) => number} strength of a tensor, and of the arrow that leads to it
 */
export function arrows(pen, { tensors, narrow }, { palette, state }, strength) {
  const quiet = translucent(palette.ink, 0.6);
  const middle = (/** @type {Placed} */ { all }) => all.y + all.h / 2;
  const right = (/** @type {Placed} */ { all, behind }) => all.x + all.w + behind * 2.5 + 3;
  const left = (/** @type {Placed} */ { all }) => all.x - (narrow ? 13 : 5);
  pen.lineWidth = 1;
  pen.strokeStyle = pen.fillStyle = quiet;

  /** @type {(from: Placed, to: Placed) => void} */
  function line(from, to) {
    const [x, end, y] = [right(from), left(to), middle(to)];
    const bend = end - 9; // all that goes into a tensor meets here
    pen.globalAlpha = strength(to.name);
    pen.beginPath();
    pen.moveTo(x, middle(from));
    pen.lineTo(bend, middle(from));
    pen.lineTo(bend, y);
    pen.lineTo(end, y);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(end, y);
    pen.lineTo(end - 5, y - 3);
    pen.lineTo(end - 5, y + 3);
    pen.fill();
  }
  const all = Object.values(tensors);
  if (!narrow) {
    for (const to of all) for (const name of sourcesOf(to.name, state)) line(tensors[name], to);
    pen.globalAlpha = 1;
    return;
  }
  const [to, from] = all.toReversed();
  if (!from) return;
  line(from, to);
  const n = stageOf(to.name) - 1;
  const isWhole = from.name === "x" && n === LAST - 1;
  const { gone, come } = CHANGES[n];
  const at = (right(from) + left(to)) / 2;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.font = `12px ${FONT}`;
  pen.fillText(
    isWhole ? "?" : to.name.endsWith("_flat") ? `W_${to.name[0].toUpperCase()}` : actNow(ACTS[n], state),
    at,
    middle(to) - 6,
  );
  pen.font = `700 13px ${FONT}`;
  const signs = [...gone.map((axis) => ["−", axis]), ...come.map((axis) => ["+", axis])];
  for (const [i, [sign, axis]] of signs.entries()) {
    pen.fillStyle = palette[axis];
    pen.fillText(sign + axis, at + (i - (signs.length - 1) / 2) * 22, middle(to) + 16);
  }
}
