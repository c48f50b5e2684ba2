// DeviceLab's canvas: draws what scene.js says.

import { penFor } from "../kit/canvas.js";
import { colourOf, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { paintBroken, paintDevice, paintGaps, paintRows } from "./frames.js";
import { paintLanes } from "./lanes.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Piece} Piece */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {import("./layout.js").Plan} plan
 * @property {import("./model.js").Settings} state
 * @property {import("./model.js").Results} results
 * @property {Record<string, string>} colours of axes, paper and ink
 * @property {number | null} pin
 * @property {number | null} hovered
 * @property {boolean} isAsked whether the reader still guesses what this cut sends
 */

const STRIPE = 7; // pixels from one line of a partial sum to the next, along its foot
const THICK = 3; // and of a line
const BAND = 24; // of a complete sum

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paint(canvas, picture, scene) {
  const { held, flying } = scene;
  const { plan, state } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  paintRows(pen, picture);
  paintLanes(pen, picture, scene);
  for (const piece of scene.passed) paintPiece(pen, picture, piece, true);
  for (const d of range(state.N)) paintDevice(pen, picture, scene, d);
  for (const piece of held) paintPiece(pen, picture, piece);
  paintGaps(pen, picture);
  if (held.some(({ block, alpha }) => block.sheet === "qkv" && alpha === 1)) paintBroken(pen, picture);
  for (const piece of flying) paintPiece(pen, picture, piece, true);
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Piece} piece @param {boolean} [isPacket] */
function paintPiece(pen, { state, colours }, { box, device, alpha, by = [], isComplete }, isPacket) {
  const { x, y, w, h } = box;
  if (w <= 0 || h <= 0) return;
  pen.globalAlpha = alpha;
  pen.fillStyle = by.length ? colours.paper : device === null ? mixed(colours.ink, colours.paper, 0.22) : colourOf(device);
  pen.fillRect(x, y, w, h);
  const darker = (/** @type {number} */ d) => mixed(colourOf(d), colours.ink, 0.8); // thin lines of yellow on paper are hard to see
  if (by.length) paintSum(pen, box, by.toSorted().map(darker), STRIPE, THICK);
  const band = Math.min(BAND, (w + h) / state.N); // a packet has all colours, too
  if (isComplete)
    paintSum(
      pen,
      box,
      range(state.N).map((d) => mixed(colourOf(d), colours.paper, 0.7)),
      band,
      band + 0.5,
    );
  pen.globalAlpha = 1;
  if (!isPacket || Math.min(w, h) < 3) return; // of a narrow one a frame would leave nothing
  pen.strokeStyle = mixed(colours.ink, colours.paper, 0.75);
  pen.lineWidth = Math.min(w, h) < 5 ? 0.75 : 1;
  pen.strokeRect(x, y, w, h);
}

/**
 * A sum has lines in the colours of all that have added to it, with paper between them. Once it is complete, calm bands fill it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("../kit/moves.js").Box} box
 * @param {string[]} colours
 * @param {number} pitch pixels from one line to the next, along the foot
 * @param {number} thick and of a line
 */
function paintSum(pen, { x, y, w, h }, colours, pitch, thick) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, w, h);
  pen.clip();
  for (const n of range(Math.ceil((w + h) / pitch))) {
    const at = x - h + n * pitch; // where it begins on the level of the foot
    pen.fillStyle = colours[n % colours.length];
    pen.beginPath();
    for (const [u, v] of [[at, y + h], [at + thick, y + h], [at + thick + h, y], [at + h, y]]) pen.lineTo(u, v); // biome-ignore format: one line
    pen.fill();
  }
  pen.restore();
}
