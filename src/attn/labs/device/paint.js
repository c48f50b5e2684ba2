// DeviceLab's canvas: draws what scene.js says.

import { penFor, write } from "../kit/canvas.js";
import { colourOf, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { boxOf, laneFrom, SHEETS } from "./layout.js";
import { E, sizesOf } from "./model.js";
import { ownName } from "./words.js";

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
  paintHeadLines(pen, picture);
  if (!(plan.narrow && state.N === 3)) for (const box of plan.slots.slice(state.N)) paintSlot(pen, picture, box);
  paintLanes(pen, picture);
  for (const d of range(state.N)) paintDevice(pen, picture, d);
  const paintHeld = () => {
    for (const piece of scene.held) paintPiece(pen, picture, piece);
  };
  paintHeld();
  for (const piece of scene.flying) {
    paintPiece(pen, picture, piece);
    if (!scene.sending) continue;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1;
    pen.strokeRect(piece.box.x, piece.box.y, piece.box.w, piece.box.h);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Piece} piece */
function paintPiece(pen, { colours }, { box, device, alpha }) {
  const { x, y, w, h } = box;
  if (w <= 0 || h <= 0) return;
  pen.globalAlpha = alpha;
  pen.fillStyle = device === null ? mixed(colours.ink, colours.paper, 0.25) : colourOf(device);
  pen.fillRect(x, y, w, h);
  pen.globalAlpha = 1;
}

/** The names of the tensors, around the layer, and the letters of their axes: the one that is cut is the largest. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintLabels(pen, { plan, state, colours }) {
  const { H, G, D } = sizesOf(state);
  const whole = (/** @type {import("./layout.js").Sheet} */ sheet) =>
    boxOf(plan, null, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
  const how = { colour: colours.ink, weight: 600, align: /** @type {const} */ ("center") };
  for (const [sheet, name] of /** @type {const} */ ([
    ["W_QKV", "W_QKVᵀ"],
    ["W_O", "W_Oᵀ"],
    ["x", "x"],
    ["y", "y"],
  ])) {
    // biome-ignore format: one line
    const { x, y, w } = whole(sheet);
    write(pen, name, x + w / 2, y - 8, how);
  }
  const { x, y } = whole("qkv");
  const groups = /** @type {const} */ ([
    ["q", 0, H],
    ["k", H, G],
    ["v", H + G, G],
  ]);
  // Thin columns stand closer than their names may.
  const near = Math.max(0, (14 - G * D * plan.p) / 2);
  const apart = { q: -near, k: -near, v: near };
  for (const [name, start, count] of groups) write(pen, name, x + (start + count / 2) * D * plan.p + apart[name], y - 8, how);

  /** @param {string} axis @param {number} x @param {number} y */
  const letter = (axis, x, y) => {
    const isCut = axis === state.cut && state.N > 1;
    write(pen, axis, x, y, { colour: colours[axis], weight: isCut ? 800 : 500, size: isCut ? 15 : 11.5, align: "center" });
  };
  const [tokens, weights] = [whole("x"), whole("W_QKV")];
  letter("B", tokens.x - 10, tokens.y + tokens.h / 2 - 10);
  letter("L", tokens.x - 10, tokens.y + tokens.h / 2 + 10);
  letter("E", weights.x - 11, weights.y + weights.h / 2);
  const out = whole("W_O");
  letter("H", out.x + out.w + 10, out.y + out.h / 2);
  const below = tokens.y + tokens.h + 12;
  for (const sheet of /** @type {const} */ (["x", "y"])) letter("E", whole(sheet).x + tokens.w / 2, below);
  for (const [name, start, count] of groups)
    letter(name === "q" ? "H" : "G", x + (start + count / 2) * D * plan.p + apart[name], below);
}

/** A line between two heads of the layer, and a wider one between q, k and v. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintHeadLines(pen, { plan, state, colours }) {
  const { H, G, D } = sizesOf(state);
  pen.fillStyle = colours.paper;
  for (const sheet of /** @type {const} */ (["W_QKV", "qkv"])) {
    const { x, y, h } = boxOf(plan, null, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
    for (const n of range(H + 2 * G).slice(1)) {
      const wide = n === H || n === H + G ? 3 : 0.8;
      pen.fillRect(x + n * D * plan.p - wide / 2, y, wide, h);
    }
  }
  const { x, y, w } = boxOf(plan, null, { sheet: "W_O", rows: [0, E], columns: [0, E] });
  for (const n of range(H).slice(1)) pen.fillRect(x, y + n * D * plan.q - 0.4, w, 0.8);
}

/** Where one more device has room. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./layout.js").Box} box */
function paintSlot(pen, { colours }, { x, y, w, h }) {
  pen.strokeStyle = mixed(colours.ink, colours.paper, 0.2);
  pen.lineWidth = 1;
  pen.setLineDash([3, 4]);
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, w - 2, h - 2, 5);
  pen.stroke();
  pen.setLineDash([]);
}

/** The ways along which something is sent. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintLanes(pen, { plan, state, results, colours }) {
  if (!results.messages.length) return;
  const colour = mixed(colours.ink, colours.paper, 0.55);
  for (const d of range(state.N)) {
    // Parts go on past the title of a device; the line ends at its edge, and covers no cell.
    const boxes = [plan.devices[d], plan.devices[(d + 1) % state.N]];
    const inside = (/** @type {number} */ x, /** @type {number} */ y) =>
      boxes.find((box) => x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h);
    const points = laneFrom(plan, d).map(([x, y]) => /** @type {[number, number]} */ ([x, inside(x, y)?.y ?? y]));
    const [[x, y], [u, v]] = points.slice(-2);
    const length = Math.hypot(u - x, v - y);
    const [dx, dy] = [(u - x) / length, (v - y) / length];
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const point of points.slice(0, -1)) pen.lineTo(...point);
    pen.lineTo(u - 5 * dx, v - 5 * dy);
    pen.stroke();
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(u, v);
    pen.lineTo(u - 8 * dx + 4 * dy, v - 8 * dy - 4 * dx);
    pen.lineTo(u - 8 * dx - 4 * dy, v - 8 * dy + 4 * dx);
    pen.fill();
  }
}

/** Its frame, its name, and what it does not hold as empty outlines. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} d */
function paintDevice(pen, { plan, state, results, colours, pin, hovered }, d) {
  const { x, y, w, h } = plan.devices[d];
  const isMarked = d === pin || d === hovered;
  pen.strokeStyle = isMarked ? colours.ink : mixed(colours.ink, colours.paper, 0.3);
  pen.lineWidth = isMarked ? 1.8 : 1;
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, w - 2, h - 2, 5);
  pen.stroke();
  pen.fillStyle = colourOf(d);
  pen.fillRect(x + 7, y + 6, 10, 10);
  const how = { colour: colours.ink, weight: 600, size: plan.narrow ? 11.5 : 12.5 };
  const after = x + 21 + write(pen, `device ${d}`, x + 21, y + 11.5, how);
  if (results.fits[state.cut] && state.N > 1) {
    const own = ownName(state, d);
    if (plan.narrow || w < 180)
      write(pen, `${state.cut} ${own.numbers}`, after + 8, y + 11.5, { ...how, colour: colours[state.cut] });
    else write(pen, own.text, x + w - 7, y + 11.5, { ...how, weight: 400, align: "right" });
  }
  pen.strokeStyle = mixed(colours.ink, colours.paper, 0.18);
  pen.lineWidth = 1;
  for (const sheet of SHEETS) {
    const room = boxOf(plan, d, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
    pen.strokeRect(room.x + 0.5, room.y + 0.5, room.w - 1, room.h - 1);
  }
}
