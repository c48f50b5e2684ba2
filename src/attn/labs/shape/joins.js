// What is around the tensors of the map: outlines of their sheets, and the arrows between them.

import { FONT } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { BEHIND, translucent } from "./paint.js";
import { ACTS, actNow, CHANGES, headsOf, LAST, sourcesOf, stageOf } from "./stages.js";

/** @typedef {import("./map.js").Scene} Scene */
/** @typedef {import("./plan.js").MapPlan} MapPlan */
/** @typedef {import("./plan.js").Placed} Placed */

/**
 * A quiet outline around each sheet, and between heads that lie in one sheet a line of paper.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Placed} one
 * @param {Record<string, string>} palette
 */
export function edges(pen, { boxes, blocks }, palette) {
  pen.strokeStyle = translucent(palette.ink, 0.3);
  pen.lineWidth = 1;
  pen.fillStyle = palette.paper;
  for (const { x, y, w, h } of boxes) {
    for (const n of range(blocks - 1)) pen.fillRect(Math.round(x + ((n + 1) * w) / blocks) - 0.5, y, 1, h);
    pen.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
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
export function arrows(pen, { tensors, width, narrow }, { palette, state }, strength) {
  const quiet = translucent(palette.ink, 0.6);
  const middle = (/** @type {Placed} */ { all }) => all.y + all.h / 2;
  const right = (/** @type {Placed} */ { all, behind }) => all.x + all.w + behind * BEHIND + 2;
  const left = (/** @type {Placed} */ { all }) => all.x - (narrow ? 13 : 3);
  pen.lineWidth = 1;
  pen.strokeStyle = pen.fillStyle = quiet;

  /** @type {(from: Placed, to: Placed) => void} */
  function line(from, to) {
    const [x, end, y] = [right(from), left(to), middle(to)];
    // All that goes into a tensor meets between two columns, where no label is.
    const bend = narrow ? end - 7 : (stageOf(to.name) * width) / (LAST + 1);
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
  const signs = [...gone.map((axis) => ["−", axis]), ...come.map((axis) => ["+", axis === "H" ? headsOf(to.name, state) : axis])];
  for (const [i, [sign, axis]] of signs.entries()) {
    pen.fillStyle = palette[axis];
    pen.fillText(sign + axis, at + (i - (signs.length - 1) / 2) * 22, middle(to) + 16);
  }
}
