// What is drawn of each device whatever it holds: its frame, the names of its tensors, and what a cut through a head leaves it without.

import { write } from "../kit/canvas.js";
import { colourOf, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { boxOf, wholeOf } from "./layout.js";
import { E, sizesOf } from "./model.js";
import { SHEETS, shares, stuckDevices } from "./parts.js";
import { ownName, yName } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */

/** Its frame, its name, and what it does not hold as empty outlines. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {import("./scene.js").Scene} scene @param {number} d */
export function paintDevice(pen, { plan, state, colours, pin, hovered }, { sending, gradients, y: has }, d) {
  const { x, y, w, h } = plan.devices[d];
  const isMarked = d === pin || d === hovered;
  pen.strokeStyle = isMarked ? colours.ink : mixed(colours.ink, colours.paper, 0.3);
  pen.lineWidth = isMarked ? 1.8 : 1;
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, w - 2, h - 2, 8);
  pen.stroke();
  pen.fillStyle = colourOf(d);
  const { pad, title, foot, outer, names, size } = plan.air;
  const line = y + title / 2 + 2;
  pen.fillRect(x + pad, line - 6, 11, 11);
  const how = { colour: colours.ink, weight: 600, size };
  write(pen, `device ${d}`, x + pad + 16, line, how);
  const own = ownName(state, d);
  write(pen, w < 205 || state.cut === "E" ? own.short : own.text, x + w - pad, line, {
    ...how,
    colour: colours[state.cut],
    align: "right",
  });
  if (!sending)
    write(pen, yName(state, d, has[d]), x + pad, y + h - foot / 2, { ...how, weight: has[d] > 1 && !plan.narrow ? 600 : 400 }); // it crosses what leaves
  // Above the weights, where no packet passes.
  const quiet = { colour: mixed(colours.ink, colours.paper, 0.75), size, align: /** @type {const} */ ("center") };
  for (const sheet of /** @type {const} */ (["W_QKV", "W_O"])) {
    const room = wholeOf(plan, d, sheet);
    write(pen, `${sheet}ᵀ`, room.x + room.w / 2, room.y - outer / 2, quiet);
  }
  const { H, G, D } = sizesOf(state);
  // What stands above the tokens: from when a gradient is sent, it lies where its tensor was. A phone has no room for which.
  const is = (/** @type {string} */ what) => gradients.includes(what);
  const grad = (/** @type {string} */ name, /** @type {boolean} */ isGradient) =>
    isGradient ? (plan.narrow ? "grad" : `grad ${name}`) : name;
  const ofHeads = is("gradient of the heads");
  /** @type {[import("./parts.js").Sheet, string, number, number][]} */
  const above = [["x", grad("x", is("gradient of x")), 0, E], ["qkv", grad(ofHeads ? "heads" : "q", ofHeads), 0, H * D], ["y", "y", 0, E]]; // biome-ignore format: one line
  if (!ofHeads) above.push(["qkv", grad("k, v", is("gradients of k and v")), H * D, 2 * G * D]);
  for (const [sheet, name, start, columns] of above) {
    const room = boxOf(plan, d, { sheet, rows: [0, 1], columns: [start, start + columns] });
    write(pen, name, room.x + room.w / 2, room.y - names / 2, { ...quiet, colour: colours.ink });
  }
  const corner = boxOf(plan, d, { sheet: "W_QKV", rows: [0, E], columns: [0, 0] });
  if (is("gradients of the weights")) write(pen, "grad", corner.x - 4, corner.y + corner.h / 2, { ...quiet, align: "right" });
  pen.fillStyle = mixed(colours.ink, colours.paper, 0.06);
  for (const sheet of SHEETS) {
    const room = wholeOf(plan, d, sheet);
    pen.fillRect(room.x, room.y, room.w, room.h);
  }
}

/** Between sequences, between q, k and v, and between heads that are cut. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
export function paintGaps(pen, { plan, state, colours }) {
  const { B, H, G } = sizesOf(state);
  const heads = range(H + 2 * G).filter((n) => n === H || n === H + G || (n && state.cut === "H"));
  pen.fillStyle = colours.paper;
  for (const d of range(state.N))
    for (const sheet of SHEETS) {
      const { x, y, w, h } = wholeOf(plan, d, sheet);
      for (const n of sheet === "W_QKV" || sheet === "qkv" ? heads : []) {
        const wide = n === H || n === H + G ? 3 : 1;
        pen.fillRect(x + (n * w) / (H + 2 * G) - wide / 2, y, wide, h);
      }
      if (sheet.startsWith("W")) continue;
      for (const b of range(B).slice(1)) {
        const below = boxOf(plan, d, { sheet, rows: [b * state.L, b * state.L + 1], columns: [0, 1] });
        pen.fillRect(x, below.y - 2, w, 2);
      }
    }
}

/** Which sequence a row is of, beside the first device: the others have the same rows. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
export function paintRows(pen, { plan, state, colours }) {
  const how = { colour: colours.B, weight: 600, size: plan.air.size, align: /** @type {const} */ ("center") };
  const left = plan.devices[0].x - 10;
  const rowsOf = (/** @type {number} */ b) =>
    boxOf(plan, 0, { sheet: "x", rows: [b * state.L, (b + 1) * state.L], columns: [0, 1] });
  write(pen, "B", left, rowsOf(0).y - plan.air.names / 2, how);
  if (rowsOf(0).h > 11) for (const b of range(state.B)) write(pen, `${b}`, left, rowsOf(b).y + rowsOf(b).h / 2, how);
}

/** Heads through which the cut goes have a frame, and a device that cannot compute its scores has no y. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
export function paintBroken(pen, { plan, state, results, colours }) {
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
