// DeviceLab's canvas: draws what scene.js says.

import { penFor, write } from "../kit/canvas.js";
import { colourOf, mixed } from "../kit/colours.js";
import { integer } from "../kit/format.js";
import { range } from "../kit/math.js";
import { boxOf, SHEETS } from "./layout.js";
import { E, sizesOf } from "./model.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Piece} Piece */
/** @typedef {import("./model.js").Settings} Settings */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {Plan} plan
 * @property {Settings} state
 * @property {import("./model.js").Results} results
 * @property {Record<string, string>} colours of axes, paper and ink
 * @property {number} pin
 * @property {number | null} hovered
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paint(canvas, picture, scene) {
  const { plan, state, colours } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  paintLabels(pen, picture);
  for (const piece of scene.layer) paintPiece(pen, picture, piece);
  paintHeadLines(pen, picture, null);
  for (const d of range(state.N)) paintDevice(pen, picture, d);
  for (const piece of scene.held) paintPiece(pen, picture, piece);
  for (const piece of scene.flying) {
    paintPiece(pen, picture, piece);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1;
    pen.strokeRect(piece.box.x, piece.box.y, piece.box.w, piece.box.h);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Piece} piece */
function paintPiece(pen, { colours, plan }, { box, device, alpha }) {
  const { x, y, w, h } = box;
  if (w <= 0 || h <= 0) return;
  pen.globalAlpha = alpha;
  pen.fillStyle = device === null ? mixed(colours.ink, colours.paper, 0.36) : colourOf(device);
  pen.fillRect(x, y, w, h);
  if (plan.p < 2.5) return;
  pen.fillStyle = colours.paper; // the lines between the cells
  pen.globalAlpha = 0.35 * alpha;
  for (let at = plan.p; at < w - 1; at += plan.p) pen.fillRect(x + at - 0.3, y, 0.6, h);
  for (let at = plan.p; at < h - 1; at += plan.p) pen.fillRect(x, y + at - 0.3, w, 0.6);
  pen.globalAlpha = 1;
}

/** The names of the tensors, around the layer. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintLabels(pen, picture) {
  const { plan, state, colours } = picture;
  const { H, G, D } = sizesOf(state);
  const whole = (/** @type {import("./layout.js").Sheet} */ sheet) =>
    boxOf(plan, null, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
  const how = { colour: colours.ink, weight: 600, align: /** @type {const} */ ("center") };
  for (const [sheet, name] of /** @type {const} */ ([
    ["W_QKV", "W_QKV"],
    ["W_O", "W_O"],
    ["x", "x"],
    ["y", "y"],
  ])) {
    const { x, y, w } = whole(sheet);
    write(pen, name, x + w / 2, y - 8, how);
  }
  const { x, y } = whole("qkv");
  const groups = /** @type {const} */ ([
    ["q", 0, H],
    ["k", H, G],
    ["v", H + G, G],
  ]);
  for (const [name, start, count] of groups) write(pen, name, x + (start + count / 2) * D * plan.p, y - 8, how);
}

/** A line between two heads, and a wider one between q, k and v. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number | null} d */
function paintHeadLines(pen, { plan, state, colours }, d) {
  const { H, G, D } = sizesOf(state);
  pen.globalAlpha = 1;
  pen.fillStyle = colours.paper;
  for (const sheet of /** @type {const} */ (["W_QKV", "qkv"])) {
    const { x, y, h } = boxOf(plan, d, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
    for (const n of range(H + 2 * G).slice(1)) {
      const wide = n === H || n === H + G ? 2.4 : 1.2;
      pen.fillRect(x + n * D * plan.p - wide / 2, y, wide, h);
    }
  }
  const { x, y, w } = boxOf(plan, d, { sheet: "W_O", rows: [0, E], columns: [0, E] });
  for (const n of range(H).slice(1)) pen.fillRect(x, y + n * D * plan.p - 0.6, w, 1.2);
}

/** Its frame, its name, and what it does not hold as empty outlines. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} d */
function paintDevice(pen, { plan, state, results, colours, pin, hovered }, d) {
  const { x, y, w, h } = plan.devices[d];
  pen.globalAlpha = 1;
  const isMarked = d === pin || d === hovered;
  pen.strokeStyle = isMarked ? colours.ink : mixed(colours.ink, colours.paper, 0.25);
  pen.lineWidth = isMarked ? 1.6 : 1;
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, w - 2, h - 2, 5);
  pen.stroke();
  pen.fillStyle = colourOf(d);
  pen.fillRect(x + 7, y + 6, 10, 10);
  const size = plan.narrow ? 11 : 12;
  write(pen, `device ${d}`, x + 21, y + 11.5, { colour: colours.ink, weight: 600, size });
  const sent = results.bytes[state.cut];
  const said = sent === null ? "" : sent === 0 ? "sends nothing" : `sends ${integer(Math.round(sent))} bytes`;
  if (!plan.narrow) write(pen, said, x + w - 7, y + 11.5, { colour: colours.ink, size, align: "right" });
  pen.strokeStyle = mixed(colours.ink, colours.paper, 0.22);
  pen.lineWidth = 1;
  for (const sheet of SHEETS) {
    const room = boxOf(plan, d, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
    pen.strokeRect(room.x + 0.5, room.y + 0.5, room.w - 1, room.h - 1);
  }
}
