// The ways between the devices, and what goes along them.

import { FONT, write } from "../kit/canvas.js";
import { colourOf, inkOn, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { laneFrom } from "./layout.js";
import { columnsOf } from "./parts.js";
import { laneTexts, packetText } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./model.js").Message} Message */

/** The ways along which something is sent, and what it is. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./scene.js").Scene} scene */
export function paintLanes(pen, { plan, state, colours, isAsked }, { lanes: message, sending, flying, passed }) {
  if (!message) return;
  const isGuessed = isAsked && !sending;
  /** @type {import("./parts.js").Block} what is left to guess has no columns of its own */
  const columns = isGuessed ? { sheet: "qkv", rows: [0, 0], columns: [0, plan.extent.qkv[1]] } : columnsOf(state, message);
  const colour = mixed(colours.ink, colours.paper, 0.55);
  for (const d of range(state.N)) {
    // Parts go on past the title of a device; the line ends at its edge, and covers no cell.
    const boxes = [plan.devices[d], plan.devices[(d + 1) % state.N]];
    const inside = (/** @type {number} */ x, /** @type {number} */ y) =>
      boxes.find((box) => x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h);
    const points = laneFrom(plan, d, columns).map(([x, y]) => /** @type {[number, number]} */ ([x, inside(x, y)?.y ?? y]));
    if (message.how === "ring" && message.backward) points.reverse();
    const [[a, b], [u, v]] = points.slice(-2);
    const length = Math.hypot(u - a, v - b);
    const [dx, dy] = [(u - a) / length, (v - b) / length];
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash(isGuessed ? [5, 4] : []);
    pen.beginPath();
    for (const point of points.slice(0, -1)) pen.lineTo(...point);
    pen.lineTo(u - 5 * dx, v - 5 * dy);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(u, v);
    pen.lineTo(u - 8 * dx + 4 * dy, v - 8 * dy - 4 * dx);
    pen.lineTo(u - 8 * dx - 4 * dy, v - 8 * dy + 4 * dx);
    pen.fill();
    const [[from, level], [to, depth]] = points.slice(1);
    if (isGuessed) {
      const [w, h] = plan.narrow ? [16, 13] : [28, 18];
      const middle = from + Math.sign(to - from) * (w + 4); // it has just left its device
      pen.fillStyle = colourOf(d);
      pen.fillRect(middle - w / 2, level - h / 2, w, h);
      write(pen, "?", middle, level + 0.5, { colour: inkOn(colourOf(d)), weight: 700, size: h > 13 ? 13 : 11, align: "center" });
    }
    if (d < state.N - 1 || level !== depth || flying.length) continue; // once, on the way back: along all of them goes the same
    const size = plan.narrow ? 11.5 : 14;
    pen.font = `600 ${size}px ${FONT}`;
    const wide = (/** @type {string} */ one) => pen.measureText(one).width + 14;
    // Beside the traces at the end of this lane.
    const free = Math.max(to, ...passed.map(({ box: { x, y, w, h } }) => (y < level && y + h > level ? x + w : to)));
    const texts = isGuessed ? ["What must be sent?"] : laneTexts(state, message);
    const text = texts.find((one) => wide(one) < Math.abs(free - from) - 18);
    if (!text) continue;
    const middle = (from + free) / 2;
    pen.fillStyle = colours.paper;
    pen.fillRect(middle - wide(text) / 2, level - 7, wide(text), 14);
    write(pen, text, middle, level, { colour: colours.ink, weight: 600, size, align: "center" });
  }
}

/**
 * How much is on its way: written between the devices, not over the edge of one.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("../kit/moves.js").Box} box
 * @param {Message} message
 */
export function paintPacket(pen, { plan, state, colours }, { x, y, w, h }, message) {
  if (plan.narrow || y < plan.devices[0].h) return;
  const text = packetText(message, state.N);
  const [middle, size] = [x + w / 2, 12];
  pen.font = `600 ${size}px ${FONT}`;
  const wide = pen.measureText(text).width + 8;
  if (wide > w - 6) return;
  pen.fillStyle = colours.paper;
  pen.fillRect(middle - wide / 2, y + 0.5, wide, h - 1);
  write(pen, text, middle, y + h / 2 + 0.5, { colour: colours.ink, weight: 600, size, align: "center" });
}
