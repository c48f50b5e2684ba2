// BugLab's picture: the tables of the right line, and below them those of the wrong one, whose changed cells turn over.

import { penFor, write } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { fly, inTurn } from "../kit/moves.js";
import { HEADS, SIZES } from "../kit/reader.js";
import { magnitude, shade } from "../kit/scale.js";
import { progress, soft } from "../kit/time.js";
import { columnsOf } from "./layout.js";
import { FAR } from "./model.js";
import { wordsOf } from "./words.js";

const DOWN = 0.4; // the part of a move in which the tables come down from the right line; then cells turn over

/**
 * @typedef {object} Picture
 * @property {import("./layout.js").Plan} plan
 * @property {import("./model.js").State} state
 * @property {import("./model.js").Results} results
 * @property {Record<string, string>} colours
 * @property {import("./layout.js").Place | null} pointed
 */

/**
 * The number in a cell: of block 0 or 1, of a table of weights or of y.
 *
 * @param {Picture} picture
 * @param {import("./layout.js").Place} place
 */
function valueAt({ plan, results }, [block, table, i, j]) {
  const isY = table === SIZES.H;
  const [R, C] = plan.sizes[block];
  const from = block ? [results.weights, results.y] : [results.right_weights, results.right_y];
  const tensor = /** @type {Float32Array} */ (from[Number(isY)]);
  return isY ? tensor[i * SIZES.E + j] : tensor[(table * R + i) * C + j];
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {number} n how much of the move has passed
 */
export function paint(canvas, picture, n) {
  const { plan, state, results, colours } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  const most = magnitude(results.right_y);
  const isAlike = plan.sizes.length > 1 && String(plan.sizes[0]) === String(plan.sizes[1]);
  paintWords(pen, picture);
  for (const block of range(plan.sizes.length))
    for (const table of range(SIZES.H + 1)) {
      const [R, C] = [plan.sizes[block][0], columnsOf(plan, block, table, SIZES)];
      for (const i of range(R)) {
        const down = block && isAlike ? Math.min(1, n / DOWN) : 1;
        const turned =
          block && isAlike
            ? inTurn(
                progress(n, DOWN, 1, (t) => t),
                i,
                R,
                0.5,
              )
            : 1;
        for (const j of range(C)) {
          const place = /** @type {import("./layout.js").Place} */ ([block, table, i, j]);
          const value = valueAt(picture, place);
          const before = block && isAlike ? valueAt(picture, [0, table, i, j]) : value;
          const isChanged = !(Math.abs(value - before) <= FAR);
          const box = down < 1 ? fly(plan.cell(0, table, i, j), plan.cell(1, table, i, j), down) : plan.cell(block, table, i, j);
          const width = isChanged && turned < 1 ? Math.abs(Math.cos(Math.PI * turned)) : 1;
          pen.globalAlpha = block && !isAlike ? soft(n) : 1;
          paintCell(pen, box, width, isChanged && turned > 0.5 ? value : before, table === SIZES.H ? most : null, colours.ink);
          if (block && isChanged && turned >= 1) dot(pen, box, value, table === SIZES.H ? most : null);
        }
      }
      pen.globalAlpha = 1;
      frame(pen, plan, block, table, R, C, colours.ink);
    }
  if (plan.sizes.length < 2) paintNothing(pen, plan, state.bug === "none" ? "" : "no result", colours.ink);
  if (picture.pointed) mark(pen, picture);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./layout.js").Plan["cell"] extends (...of: any[]) => infer Box ? Box : never} box
 * @param {number} share of its width
 * @param {number} value
 * @param {number | null} most of signed numbers; null: a weight
 * @param {string} ink
 */
function paintCell(pen, box, share, value, most, ink) {
  const tone = shade(value, most === null ? "weights" : "signed", most ?? 1);
  const wide = (box.w - 0.6) * share;
  if (tone) {
    pen.fillStyle = tone.paper;
    pen.fillRect(box.x + (box.w - wide) / 2, box.y, wide, box.h - 0.6);
    return;
  }
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  const [r, x, y] = [box.w / 4, box.x + box.w / 2, box.y + box.h / 2];
  pen.beginPath();
  pen.moveTo(x - r * share, y - r);
  pen.lineTo(x + r * share, y + r);
  pen.moveTo(x - r * share, y + r);
  pen.lineTo(x + r * share, y - r);
  pen.stroke();
}

/** A changed cell has a dot. */
function dot(pen, { x, y, w }, value, most) {
  const tone = shade(value, most === null ? "weights" : "signed", most ?? 1);
  if (!tone) return;
  pen.fillStyle = tone.ink;
  pen.beginPath();
  pen.arc(x + w / 2 - 0.3, y + w / 2 - 0.3, Math.max(0.9, w / 11), 0, 7);
  pen.fill();
}

function frame(pen, plan, block, table, R, C, ink) {
  const { x, y } = plan.cell(block, table, 0, 0);
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.35;
  pen.strokeRect(x - 0.8, y - 0.8, C * plan.p + 1, R * plan.p + 1);
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintWords(pen, { plan, state, colours }) {
  const { queries, keys } = wordsOf(state);
  const { p } = plan;
  for (const table of range(SIZES.H + 1)) {
    const { x } = plan.cell(0, table, 0, 0);
    const isY = table === SIZES.H;
    const title = isY ? "y" : `“${HEADS[table]}”`;
    write(pen, title, x, 8, { colour: isY ? colours.E : colours.H, weight: 600, size: 11 });
    if (!plan.isWide || isY || p < 11.5) continue;
    keys.forEach((word, j) => {
      pen.save();
      pen.translate(x + (j + 0.5) * p, plan.top - 5);
      pen.rotate(-Math.PI / 2);
      write(pen, word, 0, 0, { colour: colours.S, size: 11 });
      pen.restore();
    });
  }
  if (plan.isWide) write(pen, "weights", plan.left - 6, 8, { colour: colours.ink, size: 11, align: "right" });
  for (const block of range(2)) {
    const first = plan.cell(block, 0, 0, 0);
    const rows = plan.sizes[block]?.[0] ?? plan.sizes[0][0];
    const y = first.y + (rows * p) / 2;
    const name = block ? "wrong line" : "right line";
    if (rows * p > 60) {
      pen.save();
      pen.translate(7, y);
      pen.rotate(-Math.PI / 2);
      write(pen, name, 0, 0, { colour: colours.ink, weight: 600, size: 11, align: "center" });
      pen.restore();
    } else if (plan.isWide) write(pen, block ? "wrong" : "right", 0, y, { colour: colours.ink, weight: 600, size: 11 });
    else write(pen, block ? "✗" : "✓", 2, y, { colour: colours.ink, weight: 600, size: 12 });
    if (plan.isWide && p >= 11.5 && rows === queries.length)
      queries.forEach((word, i) => {
        write(pen, word, plan.left - 6, first.y + (i + 0.5) * p, { colour: colours.L, size: 11, align: "right" });
      });
  }
}

/** In the place of the tables of a line that makes none. */
function paintNothing(pen, plan, text, ink) {
  const rows = plan.sizes[0][0];
  for (const table of range(SIZES.H + 1)) {
    const { x, y } = plan.cell(1, table, 0, 0);
    pen.strokeStyle = ink;
    pen.globalAlpha = 0.5;
    pen.setLineDash([3, 3]);
    pen.strokeRect(x - 0.5, y - 0.5, columnsOf(plan, 0, table, SIZES) * plan.p, rows * plan.p);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }
  const { y } = plan.cell(1, 0, 0, 0);
  write(pen, text, plan.width / 2, y + (rows * plan.p) / 2, { colour: ink, size: 13, weight: 600, align: "center" });
}

/** The cell that is pointed at, with both lines: black on white, which can be seen on every colour. */
function mark(pen, { plan, pointed }) {
  const [, table, i, j] = /** @type {import("./layout.js").Place} */ (pointed);
  for (const block of range(plan.sizes.length)) {
    if (i >= plan.sizes[block][0] || j >= columnsOf(plan, block, table, SIZES)) continue;
    const { x, y, w, h } = plan.cell(block, table, i, j);
    for (const [colour, thick] of /** @type {const} */ ([
      ["#fff", 3],
      ["#000", 1.2],
    ])) {
      pen.strokeStyle = colour;
      pen.lineWidth = thick;
      pen.strokeRect(x, y, w, h);
    }
  }
}
