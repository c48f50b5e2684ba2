// The ways between the devices, and what goes along them.

import { FONT, write } from "../kit/canvas.js";
import { colourOf, inkOn, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { laneFrom } from "./layout.js";
import { columnsOf } from "./parts.js";
import { isReversed } from "./scene.js";
import { laneTexts } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./model.js").Message} Message */

/** The ways along which something is sent, and what it is. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./scene.js").Scene} scene */
export function paintLanes(
  pen,
  { plan, state, results, colours, isAsked },
  { lanes: message, sending, flying, passed, isBothWays, y },
) {
  if (!message) {
    const how = { colour: colours.ink, weight: 600, size: 15, align: /** @type {const} */ ("center") };
    if (results.fits[state.cut] && y[0] > 1) write(pen, "nothing is sent", plan.width / 2, plan.height - plan.lanes / 2, how);
    return;
  }
  const isGuessed = isAsked && !sending;
  /** @type {import("./parts.js").Block} what is left to guess has no columns of its own */
  const columns = isGuessed ? { sheet: "qkv", rows: [0, 0], columns: [0, plan.extent.qkv[1]] } : columnsOf(state, message);
  const colour = mixed(colours.ink, colours.paper, 0.55);
  for (const d of range(state.N)) {
    const points = laneFrom(plan, d, columns);
    const isBack = isReversed(message);
    const ends = [...(isBack ? [] : [points.slice(-2)]), ...(isBack || isBothWays ? [points.slice(0, 2).reverse()] : [])];
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash(isGuessed ? [5, 4] : []);
    pen.beginPath();
    pen.moveTo(...points[0]);
    points.slice(1).forEach((to, n) => pen.arcTo(...to, ...(points[n + 2] ?? to), 6));
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colour;
    for (const [[a, b], [u, v]] of ends) {
      const [dx, dy] = [4 * Math.sign(u - a), 4 * Math.sign(v - b)];
      pen.beginPath();
      for (const side of [0, 1, -1]) pen.lineTo(u - 2 * dx * side * side + dy * side, v - 2 * dy * side * side + dx * side);
      pen.fill();
    }
    const [[from, level], [to, depth]] = points.slice(1);
    if (isGuessed) {
      const [w, h] = plan.narrow ? [22, 14] : [48, 30];
      const middle = from + Math.sign(to - from) * w; // it has just left its device
      pen.fillStyle = colourOf(d);
      pen.fillRect(middle - w / 2, level - h / 2, w, h);
      write(pen, "?", middle, level + 0.5, {
        colour: inkOn(colourOf(d)),
        weight: 700,
        size: plan.narrow ? 12 : 18,
        align: "center",
      });
    }
    if (d < state.N - 1 || level !== depth || flying.length) continue; // once, on the way back: along all of them goes the same
    const size = plan.narrow ? 11.5 : 15;
    pen.font = `600 ${size}px ${FONT}`;
    const wide = (/** @type {string} */ one) => pen.measureText(one).width + 14;
    // Between the traces at the ends of this lane.
    const there = passed.flatMap(({ box: { x, y, w, h } }) => (y < level && y + h > level ? [x, x + w] : []));
    const middle = (from + to) / 2;
    const left = Math.max(to, ...there.filter((x) => x < middle));
    const right = Math.min(from, ...there.filter((x) => x > middle));
    const texts = isGuessed ? ["What must be sent?"] : laneTexts(sending ? [message] : results.messages);
    const text = texts.find((one) => wide(one) < right - left - 18);
    if (!text) continue;
    pen.fillStyle = colours.paper;
    const at = (left + right) / 2;
    pen.fillRect(at - wide(text) / 2, level - 7, wide(text), 14);
    write(pen, text, at, level, { colour: colours.ink, weight: 600, size, align: "center" });
  }
}
