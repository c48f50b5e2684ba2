// ProductLab's canvas: draws what scene.js says, with the words, the lines and the sheets behind.

import { penFor, write } from "../kit/canvas.js";
import { coloursOf } from "../kit/colours.js";
import { spelled, sumSign } from "../kit/format.js";
import { inTurn } from "../kit/moves.js";
import { mix, soft } from "../kit/time.js";
import { paintCell, paintEdge } from "./cells.js";
import { BAR, BENCH, boxOf, linesBetween } from "./layout.js";
import { lifted } from "./scene.js";

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

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {ReturnType<typeof import("./scene.js").sceneOf>} scene
 */
export function paint(canvas, picture, { cells, bench, sum, part, beside }) {
  const { plan, R, N, M, C, isRefused } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  paintSheets(pen, picture, plan.left, R, N, "left", 1);
  paintSheets(pen, picture, plan.right, M, C, "right", 1);
  if (isRefused) paintHole(pen, picture, part.flip < 1 ? 0 : 1);
  else paintSheets(pen, picture, plan.result, R, C, "out", part.result);
  paintWords(pen, picture, part);
  if (picture.hasLines) paintLines(pen, picture, part.flip);
  for (const cell of cells.filter(({ mark }) => !mark)) paintCell(pen, picture, cell);
  const marked = cells.filter(({ mark }) => mark); // a cell that grows for a moment covers its neighbours
  for (const cell of marked) paintEdge(pen, picture, cell);
  for (const cell of marked) paintCell(pen, picture, cell);
  if (!isRefused && picture.cell && part.flip >= 1) paintFrames(pen, picture, part.choice);
  if (!bench.length) return;
  paintBench(pen, picture, sum);
  for (const cell of bench) paintCell(pen, picture, cell);
  if (plan.truth) paintTruth(pen, picture, plan.truth, beside);
}

/**
 * Frames around the row and the column that meet, and around the cell where they meet.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} alpha
 */
function paintFrames(pen, { plan, N, M, cell, axes, look }, alpha) {
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
 * The column of kᵀ beside the wrong one.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("./layout.js").Sheet} truth
 * @param {number} alpha
 */
function paintTruth(pen, picture, truth, alpha) {
  const { plan, M, cell, trueName, look } = picture;
  frame(pen, look, { ...boxOf(truth, 0, 0), h: M * truth.p }, look.good, alpha);
  const wrong = boxOf(plan.right, 0, cell?.[1] ?? 0);
  const y = wrong.y - 17;
  write(pen, trueName, truth.x + truth.w, y, { colour: look.good, weight: 700, align: "right" });
  write(pen, "✗", wrong.x + wrong.w / 2, y, { colour: look.bad, weight: 700, align: "center" });
  pen.globalAlpha = 1;
}

/**
 * The sheet of a table with bars in the colours of its axes, and behind it those of the other heads and sentences.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("./layout.js").Sheet} sheet
 * @param {number} rows
 * @param {number} columns
 * @param {"left" | "right" | "out"} which
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

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {{ flip: number, result: number }} part */
function paintWords(pen, { plan, N, C, axes, names, operand, words, isLying, isMoved, isRefused, look }, { flip, result }) {
  const title = (/** @type {string} */ name, /** @type {string[]} */ letters, /** @type {number} */ x, /** @type {number} */ y) => {
    let at = x + write(pen, `${name}  `, x, y, { colour: look.ink, weight: 700 });
    letters.forEach((axis, n) => {
      if (n) at += write(pen, " × ", at, y, { colour: look.ink });
      at += write(pen, axis, at, y, { colour: look.axes[axis], weight: 700 });
    });
  };
  pen.globalAlpha = 1;
  title(names.right, axes.right, plan.right.x, plan.names.above);
  title(names.left, axes.left, Math.max(2, plan.left.x - BAR), plan.names.below);
  const narrow = N * plan.w < 70 && plan.result.x - plan.left.x < 74; // then the two names would touch
  if (isMoved && flip < (isLying ? 0.3 : 1)) title(operand.name, operand.axes, plan.lying.x, plan.names.below);
  else if (!isRefused) title(names.out, axes.out, plan.result.x + (narrow ? 14 : 0), plan.names.below);
  words.rows.forEach((word, i) => {
    const y = plan.left.y + (i + 0.5) * plan.p;
    const colour = look.axes[axes.left[0]];
    pen.globalAlpha = 1;
    write(pen, word, plan.left.x - BAR - 4, y, { colour, align: "right" });
    pen.globalAlpha = isRefused || plan.width < 480 ? 0 : result;
    write(pen, word, plan.result.x + C * plan.w + plan.depth + 6, y, { colour });
  });
  const colour = look.axes[axes.right[1]];
  if (isLying || (isMoved && flip < 1 && plan.hasLyingWords))
    words.lying.forEach((word, i) => {
      const lying = boxOf(plan.lying, i, 0);
      const { x, y, h } = isLying ? lifted(lying, boxOf(plan.right, i, 0), flip) : lying;
      pen.globalAlpha = isLying ? (plan.hasLyingWords ? 1 : Math.floor(flip)) : 1 - soft(Math.min(1, 4 * flip));
      write(pen, word, x - (isLying ? BAR + 4 : 8), y + h / 2, { colour: isLying ? look.axes.S : colour, align: "right" });
    });
  words.columns.forEach((word, j) => {
    pen.globalAlpha = soft(Math.max(0, 4 * flip - 3));
    const [x, y] = [plan.right.x + (j + 0.5) * plan.w, plan.right.y - BAR - 4];
    if (plan.isUpright) {
      pen.save();
      pen.translate(x, y);
      pen.rotate(-Math.PI / 2);
      write(pen, word, 0, 0, { colour });
      pen.restore();
    } else write(pen, word, x, y - 5, { colour, align: "center" });
  });
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
function paintBench(pen, { plan, N, axes, cell, pair, products, instead, look }, sum) {
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
  const end =
    x + 15 + write(pen, `${sign} ${spelled(sum.value)}`.trim(), x + 3, line(3) + 3, { colour: look.ink, weight: 700, size: 13 });
  if (instead !== null && N * w > 200) write(pen, `with kᵀ: ${spelled(instead)}`, end, line(3) + 3, { colour: look.ink, size: 13 });
  pen.globalAlpha = 1;
}
