// ProductLab's canvas: draws what scene.js says, with the words, the lines and the sheets behind.

import { penFor, write } from "../kit/canvas.js";
import { coloursOf } from "../kit/colours.js";
import { spelled, sumSign } from "../kit/format.js";
import { inTurn } from "../kit/moves.js";
import { mix } from "../kit/time.js";
import { paintCell, paintEdge } from "./cells.js";
import { BAR, BENCH, boxOf, linesBetween } from "./layout.js";
import { paintNames, paintWords } from "./names.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./scene.js").Cell} Cell */

/** @typedef {ReturnType<typeof lookOf>} Look */

/** @typedef {ReturnType<typeof import("./picture.js").pictureOf>} Picture */

/**
 * The colours of the page.
 *
 * @param {Element} root
 * @param {Element} probe an element that takes the colour of a verdict
 */
export function lookOf(root, probe) {
  const axes = coloursOf(root);
  const colourOf = (/** @type {string} */ verdict) => {
    probe.className = verdict;
    return getComputedStyle(probe).color;
  };
  return {
    axes,
    paper: axes.paper,
    ink: axes.ink,
    good: colourOf("good"),
    bad: colourOf("bad"),
    luck: colourOf("luck"),
  };
}

const TRUE_AXES = { right: ["D", "S"], result: ["L", "S"] };

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {ReturnType<typeof import("./scene.js").sceneOf>} scene
 */
export function paint(canvas, picture, { cells, bench, sum, part }) {
  const { plan, R, N, M, C, isRefused } = picture;
  const sheets = { ...plan, ...plan.truth };
  const beside = { ...picture, stack: /** @type {[number, number]} */ ([1, 1]), axes: { ...picture.axes, ...TRUE_AXES } }; // kᵀ and the scores
  const pen = penFor(canvas, plan.width, plan.height);
  paintSheets(pen, picture, plan.left, R, N, "left", 1);
  paintSheets(pen, picture, plan.right, M, C, "right", 1);
  if (isRefused) paintHole(pen, picture, part.flip < 1 ? 0 : 1);
  else paintSheets(pen, picture, plan.result, R, C, "result", part.result);
  for (const which of plan.truth ? /** @type {const} */ (["right", "result"]) : [])
    paintSheets(pen, beside, sheets[which], which === "right" ? M : R, C, which, part.result);
  paintNames(pen, picture, part);
  paintWords(pen, picture, part);
  if (picture.hasLines) paintLines(pen, picture, part.flip);
  for (const cell of cells.filter(({ mark }) => !mark)) paintCell(pen, picture, cell);
  const marked = cells.filter(({ mark }) => mark); // a cell that grows for a moment covers its neighbours
  for (const cell of marked) paintEdge(pen, picture, cell);
  for (const cell of marked) paintCell(pen, picture, cell);
  if (!isRefused && picture.cell && part.flip >= 1) {
    paintFrames(pen, picture, plan, part.choice);
    if (plan.truth) paintFrames(pen, beside, sheets, part.choice);
  }
  if (!bench.length) return;
  paintBench(pen, picture, sum);
  for (const cell of bench) paintCell(pen, picture, cell);
}

/**
 * Frames around the row and the column that meet, and around the cell where they meet.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Pick<Plan, "left" | "right" | "result">} plan
 * @param {number} alpha
 */
function paintFrames(pen, { N, M, cell, axes, look }, plan, alpha) {
  const [i, j] = cell ?? [0, 0];
  const [row, column] = [boxOf(plan.left, i, 0), boxOf(plan.right, 0, j)];
  frame(pen, look, { ...row, w: N * row.w }, look.axes[axes.left[0]], alpha);
  frame(pen, look, { ...column, h: M * column.h }, look.axes[axes.right[1]], alpha);
  frame(pen, look, boxOf(plan.result, i, j), look.ink, alpha);
}

/**
 * A frame between two lines of paper: it can be seen on every colour.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {Box} box
 * @param {string} colour
 * @param {number} alpha
 */
function frame(pen, look, { x, y, w, h }, colour, alpha) {
  pen.globalAlpha = alpha;
  for (const [style, width] of /** @type {const} */ ([
    [look.paper, 5],
    [colour, 2.5],
  ])) {
    pen.strokeStyle = style;
    pen.lineWidth = width;
    pen.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
  }
}

/**
 * The sheet of a table with bars in the colours of its axes, and behind it those of the other heads and sentences.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("./layout.js").Sheet} sheet
 * @param {number} rows
 * @param {number} columns
 * @param {"left" | "right" | "result"} which
 * @param {number} alpha
 */
function paintSheets(pen, { plan, stack: [B, H], axes, look }, { x, y, p, w }, rows, columns, which, alpha) {
  if (alpha <= 0) return;
  const [wide, high] = [columns * w, rows * p];
  for (let n = B * H - 1; n > 0; n--) {
    const by = n * plan.step;
    const colour = n % H ? look.axes.H : look.axes.B;
    pen.globalAlpha = alpha;
    pen.fillStyle = look.paper;
    pen.fillRect(x + by, y + by, wide, high);
    pen.globalAlpha = 0.16 * alpha;
    pen.fillStyle = colour;
    pen.fillRect(x + by, y + by, wide, high);
    pen.globalAlpha = alpha;
    pen.strokeStyle = colour;
    pen.lineWidth = n % H ? 1 : 1.6;
    pen.strokeRect(x + by + 0.5, y + by + 0.5, wide - 1, high - 1);
  }
  pen.globalAlpha = alpha;
  pen.fillStyle = look.paper;
  pen.fillRect(x, y, wide, high);
  const [row, column] = axes[which];
  pen.fillStyle = look.axes[row];
  pen.fillRect(x - BAR, y, 3, high);
  pen.fillStyle = look.axes[column];
  pen.fillRect(x, y - BAR, wide, 3);
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} alpha */
function paintHole(pen, { plan, R, C, look }, alpha) {
  const { x, y, p, w } = plan.result;
  pen.globalAlpha = alpha;
  pen.strokeStyle = look.bad;
  pen.lineWidth = 2;
  pen.setLineDash([6, 5]);
  pen.strokeRect(x + 1, y + 1, C * w - 2, R * p - 2);
  pen.setLineDash([]);
  write(pen, "no result", x + (C * w) / 2, y + (R * p) / 2, { colour: look.bad, weight: 600, align: "center" });
  pen.globalAlpha = 1;
}

/** Where no number moves, the lines are drawn one after the other. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} flip */
function paintLines(pen, { plan, N, M, axes, isLying, look }, flip) {
  for (const { side, n, isPaired, from, to } of linesBetween(plan, N, M)) {
    const go = isLying ? inTurn(Math.max(0, 2 * flip - 1), n, Math.max(N, M)) : Math.floor(flip);
    if (!go) continue;
    const axis = side === "left" ? axes.left[1] : axes.right[0];
    pen.strokeStyle = isPaired ? look.axes[axis] : look.bad;
    pen.lineWidth = isPaired ? 1.5 : 3;
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(mix(from[0], to[0], go), mix(from[1], to[1], go));
    pen.stroke();
    if (go < 1) continue;
    if (!isPaired) {
      const [dx, dy] = side === "left" ? [0, -9] : [-9, 0];
      write(pen, "✗", to[0] + dx, to[1] + dy, { colour: look.bad, weight: 700, align: "center" });
    } else if (side === "right" && n < N) {
      pen.fillStyle = pen.strokeStyle;
      pen.beginPath();
      pen.arc(to[0], to[1], 3, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {{ value: number, alpha: number } | null} sum
 */
function paintBench(pen, { plan, N, axes, cell, pair, products, look }, sum) {
  const { x, y, p, w } = plan.bench;
  const line = (/** @type {number} */ n) => y + (n + 0.5) * p;
  const label = { align: /** @type {const} */ ("right") };
  write(pen, `cell [${cell?.join(", ")}]`, x, y - 11, { colour: look.ink, weight: 700 });
  write(pen, pair[0], x - 8, line(0), { ...label, colour: look.axes[axes.left[0]], weight: 600 });
  write(pen, pair[1], x - 8, line(1), { ...label, colour: look.axes[axes.right[1]], weight: 600 });
  write(pen, "times", x - 8, line(2), { ...label, colour: look.ink, weight: 700 });
  if (!sum || sum.alpha <= 0) return;
  pen.globalAlpha = sum.alpha;
  pen.fillStyle = look.ink;
  pen.fillRect(x, y + (BENCH - 1) * p + 2, N * w, 1.5);
  write(pen, "sum", x - 8, line(3) + 3, { ...label, colour: look.ink, weight: 700 });
  const sign = sumSign(products, sum.value).replace("=", "");
  write(pen, `${sign} ${spelled(sum.value)}`.trim(), x + 3, line(3) + 3, { colour: look.ink, weight: 700, size: 13 });
  pen.globalAlpha = 1;
}
