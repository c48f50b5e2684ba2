// DeviceLab's canvas: draws what scene.js says.

import { FONT, penFor, write } from "../kit/canvas.js";
import { colourOf, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { boxOf, columnsOf, laneFrom, SHEETS, shares, stuckDevices } from "./layout.js";
import { E, sizesOf } from "./model.js";
import { ownName, parcelText, shortName } from "./words.js";

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
 * @property {number | null} pin
 * @property {number | null} hovered
 */

const STRIPE = 6; // pixels from one line of a sum to the next, along its foot
const THICK = 3.6; // and of a line

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paint(canvas, picture, scene) {
  const { plan, state, colours } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  if (state.N === 1) {
    paintLabels(pen, picture);
    for (const piece of scene.layer) paintPiece(pen, picture, piece);
    paintLines(pen, picture);
  }
  paintRows(pen, picture);
  paintLanes(pen, picture, scene.sending, scene.flying.length > 0);
  for (const d of range(state.N)) paintDevice(pen, picture, d, scene.sending?.what ?? "");
  for (const piece of scene.held) paintPiece(pen, picture, piece);
  paintOut(pen, picture, scene.sending?.what ?? "");
  if (scene.held.some(({ block, alpha }) => block.sheet === "qkv" && alpha === 1)) paintBroken(pen, picture);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  for (const piece of scene.flying) {
    paintPiece(pen, picture, piece);
    if (!scene.sending) continue;
    const { x, y, w, h } = piece.box;
    pen.strokeRect(x, y, w, h);
    const name = shortName(scene.sending);
    pen.font = `600 11px ${FONT}`;
    const wide = pen.measureText(name).width;
    if (w > plan.packet.w + 1 || h > plan.packet.h + 1 || wide + 3 > w) continue;
    pen.fillStyle = colours.paper;
    pen.fillRect(x + (w - wide - 3) / 2, y + 1, wide + 3, h - 2);
    write(pen, name, x + w / 2, y + h / 2 + 0.5, { colour: colours.ink, weight: 600, size: 11, align: "center" });
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Piece} piece */
function paintPiece(pen, { colours }, { box, device, alpha, by = [], isComplete }) {
  const { x, y, w, h } = box;
  if (w <= 0 || h <= 0) return;
  pen.globalAlpha = alpha;
  pen.fillStyle = by.length ? colours.paper : device === null ? mixed(colours.ink, colours.paper, 0.25) : colourOf(device);
  pen.fillRect(x, y, w, h);
  if (by.length) paintSum(pen, box, by.toSorted().map(colourOf));
  if (isComplete) {
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(x + 1.5, y + 1.5, w - 3, h - 3);
  }
  pen.globalAlpha = 1;
}

/**
 * A sum that is not complete is hatched in the colours of all that have added to it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("../kit/moves.js").Box} box
 * @param {string[]} colours
 */
function paintSum(pen, { x, y, w, h }, colours) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, w, h);
  pen.clip();
  for (const n of range(Math.ceil((w + h) / STRIPE))) {
    const at = x - h + n * STRIPE; // where it begins on the level of the foot
    pen.fillStyle = colours[n % colours.length];
    pen.beginPath();
    for (const [u, v] of [[at, y + h], [at + THICK, y + h], [at + THICK + h, y], [at + h, y]]) pen.lineTo(u, v); // biome-ignore format: one line
    pen.fill();
  }
  pen.restore();
}

/** Where a whole sheet is on a device. @param {Plan} plan @param {number | null} d @param {import("./layout.js").Sheet} sheet */
const wholeOf = (plan, d, sheet) =>
  boxOf(plan, d, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });

/** The names of the tensors, around the layer, and the letters of their axes: the one that is cut is the largest. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintLabels(pen, { plan, state, colours }) {
  const sizes = { ...sizesOf(state), L: state.L };
  const { H, G, D } = sizes;
  const [x, weights, qkv, out, y] = SHEETS.map((sheet) => wholeOf(plan, null, sheet));
  const how = { colour: colours.ink, weight: 600, size: 14, align: /** @type {const} */ ("center") };
  /** @param {string} axis @param {number} u @param {number} v */
  const letter = (axis, u, v) => {
    const isCut = axis === state.cut;
    const text = `${axis} ${sizes[/** @type {"B"} */ (axis)]}`;
    write(pen, text, u, v, { ...how, colour: colours[axis], weight: isCut ? 800 : 500, size: isCut ? 15 : 13 });
  };
  for (const [{ x: u, y: v, w }, name] of /** @type {const} */ ([[weights, "W_QKVᵀ"], [out, "W_Oᵀ"], [x, "x"], [y, "y"]])) // biome-ignore format: one line
    write(pen, name, u + w / 2, v - 8, how);
  const below = x.y + x.h + 12;
  // Thin columns stand closer than their names may.
  const near = Math.max(0, (14 - G * D * plan.whole.p) / 2);
  for (const [name, start, count, apart] of /** @type {const} */ ([
    ["q", 0, H, -near],
    ["k", H, G, -near],
    ["v", H + G, G, near],
  ])) {
    // biome-ignore format: one line
    const middle = qkv.x + (start + count / 2) * D * plan.whole.p + apart;
    write(pen, name, middle, qkv.y - 8, how);
    letter(name === "q" ? "H" : "G", middle, below);
  }
  letter("B", x.x - 22, x.y + x.h / 2 - 10);
  letter("L", x.x - 22, x.y + x.h / 2 + 10);
  letter("E", weights.x - 23, weights.y + weights.h / 2);
  letter("H", out.x + out.w + 22, out.y + out.h / 2);
  for (const one of [x, y]) letter("E", one.x + x.w / 2, below);
  const quiet = mixed(colours.ink, colours.paper, 0.8);
  write(pen, "weights", x.x + x.w / 2, weights.y - 8, { ...how, colour: quiet, weight: 400, size: 13 });
}

/**
 * Lines where the axis that is chosen can be cut, and wider ones between q, k and v.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 */
function paintLines(pen, { plan, state, colours }) {
  const { cut, B, L } = state;
  const { H, G, D } = sizesOf(state);
  const { p, q } = plan.whole;
  const thin = 1.4;
  pen.fillStyle = colours.paper;
  for (const sheet of SHEETS) {
    const { x, y, w, h } = wholeOf(plan, null, sheet);
    const isTokens = sheet !== "W_QKV" && sheet !== "W_O";
    if (sheet === "W_QKV" || sheet === "qkv")
      for (const n of range(H + 2 * G).slice(1)) {
        const wide = n === H || n === H + G ? 3 : cut === "H" ? thin : 0;
        pen.fillRect(x + n * D * p - wide / 2, y, wide, h);
      }
    if (cut === "H" && sheet === "W_O") for (const n of range(H).slice(1)) pen.fillRect(x, y + n * D * q - thin / 2, w, thin);
    if (cut === "E" && sheet === "W_QKV") for (const n of range(E).slice(1)) pen.fillRect(x, y + n * q - thin / 2, w, thin);
    if (cut === "E" && sheet !== "W_QKV" && sheet !== "qkv")
      for (const n of range(E).slice(1)) pen.fillRect(x + n * p - thin / 2, y, thin, h);
    if (isTokens && (cut === "B" || cut === "L"))
      for (const n of range(B * L).slice(1)) {
        const { y: at } = boxOf(plan, null, { sheet, rows: [n, n + 1], columns: [0, 1] });
        const wide = n % L ? (cut === "L" ? thin : 0) : cut === "B" ? 5 : thin;
        pen.fillRect(x, at - (n % L ? 0 : 1) - wide / 2, w, wide);
      }
  }
}

/**
 * The name of the last weights, in them: above y it would be taken for theirs. With the heads cut it stands in the half that is empty.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {string} what is being sent
 */
function paintOut(pen, { plan, state, colours }, what) {
  const { cut, N } = state;
  if (N === 1) return;
  const size = plan.narrow ? 11 : 12;
  const isPlain = (cut === "B" || cut === "L") && what !== "gradients of the weights";
  for (const d of range(N)) {
    const { x, y, w, h } = wholeOf(plan, d, "W_O");
    const [u, v] = [x + w / 2, y + h * (cut !== "H" ? 0.5 : d < N / 2 ? 0.76 : 0.24) + 0.5];
    pen.font = `400 ${size}px ${FONT}`;
    pen.textAlign = "center";
    pen.strokeStyle = colours.paper;
    pen.lineWidth = cut === "H" ? 1.5 : 3;
    if (!isPlain) pen.strokeText("W_Oᵀ", u, v);
    write(pen, "W_Oᵀ", u, v, { colour: colours.ink, size, align: "center" });
  }
}

/** Heads through which the cut goes have a frame, and a device that cannot compute its scores has no y. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintBroken(pen, { plan, state, results, colours }) {
  const { H, G, D } = sizesOf(state);
  if (state.cut !== "H" || results.fits.H) return;
  for (const d of stuckDevices(state)) {
    const { x, y, w, h } = wholeOf(plan, d, "y");
    write(pen, "no y", x + w / 2, y + h / 2, { colour: colours.bad, weight: 600, size: 12, align: "center" });
  }
  pen.strokeStyle = colours.bad;
  pen.lineWidth = 1.8;
  for (const [start, heads] of [[0, H], [H, G], [H + G, G]]) // biome-ignore format: one line
    for (const n of range(heads)) {
      const parts = shares(heads * D, state.N);
      if (!parts.some(([at]) => at > n * D && at < (n + 1) * D)) continue;
      for (const [d, [from, to]] of parts.entries()) {
        if (from >= (n + 1) * D || to <= n * D) continue;
        const columns = /** @type {[number, number]} */ ([(start + n) * D, (start + n + 1) * D]);
        const { x, y, w, h } = boxOf(plan, d, { sheet: "qkv", rows: [0, plan.extent.qkv[0]], columns });
        pen.strokeRect(x, y - 1, w, h + 2);
      }
    }
}

/** Which sequence a row is of. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintRows(pen, { plan, state, colours }) {
  if (state.N === 1) return;
  for (const [d, { x, y, gap }] of plan.devices.entries()) {
    if (plan.devices.some((one) => one.x < x || one.y < y)) continue; // of the first alone: the others have the same rows
    const how = { colour: colours.B, weight: 600, size: 11.5, align: /** @type {const} */ ("center") };
    const rowsOf = (/** @type {number} */ b, count = state.L) =>
      boxOf(plan, d, { sheet: "x", rows: [b * state.L, b * state.L + count], columns: [0, 1] });
    write(pen, "B", x - 10, rowsOf(0).y - gap / 2, how);
    if (rowsOf(0).h > 11) for (const b of range(state.B)) write(pen, `${b}`, x - 10, rowsOf(b).y + rowsOf(b).h / 2, how);
  }
}

/** The ways along which something is sent, and what it is. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./model.js").Message | null} sending @param {boolean} isMoving */
function paintLanes(pen, { plan, state, results, colours }, sending, isMoving) {
  const [message] = sending ? [sending] : results.messages;
  if (!message) return;
  const columns = columnsOf(state, message);
  const colour = mixed(colours.ink, colours.paper, 0.55);
  for (const d of range(state.N)) {
    // Parts go on past the title of a device; the line ends at its edge, and covers no cell.
    const boxes = [plan.devices[d], plan.devices[(d + 1) % state.N]];
    const inside = (/** @type {number} */ x, /** @type {number} */ y) =>
      boxes.find((box) => x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h);
    const points = laneFrom(plan, d, columns).map(([x, y]) => /** @type {[number, number]} */ ([x, inside(x, y)?.y ?? y]));
    if (message.how === "ring" && message.backward) points.reverse();
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
    const [[from, level], [to, depth]] = points.slice(1);
    const room = Math.abs(to - from) - 18;
    const size = plan.narrow ? 11 : 12.5;
    pen.font = `600 ${size}px ${FONT}`;
    const text = parcelText(results, sending).find((one) => pen.measureText(one).width + 15 < room);
    if (!text || level !== depth || isMoving) continue;
    const wide = pen.measureText(text).width;
    const start = (from + to - wide - 15) / 2;
    pen.fillStyle = colours.paper;
    pen.fillRect(start - 5, level - 7, wide + 25, 14);
    pen.fillStyle = colourOf(d);
    pen.fillRect(start, level - 5, 10, 10);
    pen.strokeStyle = colours.ink; // as what it sends is framed
    pen.lineWidth = 1;
    pen.strokeRect(start, level - 5, 10, 10);
    write(pen, text, start + 15, level, { colour: colours.ink, weight: 600, size });
  }
}

/** Its frame, its name, and what it does not hold as empty outlines. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} d @param {string} what is being sent */
function paintDevice(pen, { plan, state, colours, pin, hovered }, d, what) {
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
  if (state.N === 1) return;
  const own = ownName(state, d);
  const end = x + w - (plan.narrow ? 34 : 7); // on a phone, what is sent passes on its right
  const fitting = [own.text, `${state.cut} ${own.numbers}`].find((one) => pen.measureText(one).width < end - 4 - after);
  const text = fitting ?? own.numbers;
  write(pen, text, end, y + 11.5, { ...how, colour: colours[state.cut], align: "right" });
  const { H, G, D } = sizesOf(state);
  const { extent, devices } = plan;
  // What stands above the tokens: while a gradient is sent, it lies where its tensor was.
  const ofHeads = what === "gradient of the heads";
  const ofKeys = what === "gradients of k and v";
  /** @type {[import("./layout.js").Sheet, string, number, number][]} */
  const names = [["x", what === "gradient of x" ? "grad x" : "x", 0, E], ["qkv", ofHeads ? "grad heads" : "q", 0, H * D], ["y", "y", 0, E]]; // biome-ignore format: one line
  if (ofKeys) names.push(["qkv", "grad k, v", H * D, 2 * G * D]);
  else if (!ofHeads) names.push(["qkv", "k", H * D, G * D], ["qkv", "v", (H + G) * D, G * D]);
  for (const [sheet, name, start, columns] of names) {
    const room = boxOf(plan, d, { sheet, rows: [0, extent[sheet][0]], columns: [start, start + columns] });
    const near = Math.max(0, (10 - G * D * devices[d].p) / 2) * (name === "k" ? -1 : name === "v" ? 1 : 0);
    const quiet = mixed(colours.ink, colours.paper, 0.8);
    write(pen, name, room.x + room.w / 2 + near, room.y - devices[d].gap / 2, {
      colour: plan.narrow ? quiet : colours.ink,
      size: plan.narrow ? 11 : 13,
      align: "center",
    });
  }
  const weights = boxOf(plan, d, { sheet: "W_QKV", rows: [0, E], columns: [0, 1] });
  const small = {
    colour: mixed(colours.ink, colours.paper, 0.8),
    size: plan.narrow ? 11 : 12,
    align: /** @type {const} */ ("right"),
  };
  pen.font = `400 ${small.size}px ${FONT}`;
  const name = pen.measureText("weights").width < weights.x - x - 10 ? "weights" : "W";
  write(pen, name, weights.x - 3, weights.y + weights.h / 2, small);
  pen.strokeStyle = mixed(colours.ink, colours.paper, 0.18);
  pen.lineWidth = 1;
  for (const sheet of SHEETS) {
    const room = wholeOf(plan, d, sheet);
    pen.strokeRect(room.x + 0.5, room.y + 0.5, room.w - 1, room.h - 1);
  }
}
