// TileLab's canvas: the operands, the running numbers of each row, and the output.

import { penFor, write } from "../kit/canvas.js";
import { coloursOf, mixed } from "../kit/colours.js";
import { clamp, range } from "../kit/math.js";
import { magnitude } from "../kit/scale.js";
import { mix, soft } from "../kit/time.js";
import { frame, MOST, number, plain, tray } from "./cells.js";
import { paintTitles } from "./labels.js";
import { cellOf } from "./layout.js";
import { EXACT } from "./model.js";
import { paintRescale } from "./rescale.js";
import { framesBetween, litAfter, numberBetween, runBetween } from "./scene.js";
import { paintScores } from "./scores.js";
import { paintSum } from "./sum.js";

/** @typedef {import("./layout.js").Block} Block */
/** @typedef {import("./model.js").Moment} Moment */

/**
 * @typedef {object} Picture what does not depend on the time
 * @property {import("./layout.js").Plan} plan
 * @property {import("./model.js").Settings} settings
 * @property {Record<"q" | "k" | "v" | "off", Float32Array>} operands off: how far each row is from attention with all scores
 * @property {{ queries: string[], keys: string[] }} words
 * @property {Record<string, string>} look colours of the axes, paper and ink
 * @property {Float32Array} whole (L, S): all scores, as if they were stored
 * @property {number} most of the totals of all rows, so that every method has the same scale
 * @property {boolean} [isQuick] whether the steps pass too quickly for titles that change with them
 */

const PALE = 0.5; // of what is not in use, while something is

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} part how much of the step from one to the other has passed
 * @param {number[]} strayed rows that are wrong already
 * @param {import("./sum.js").Shown} sum of one row
 */
export function paint(canvas, picture, before, after, part, strayed, sum) {
  const { plan, settings, operands, look } = picture;
  const { L, D, method } = settings;
  const isFused = method === "fused";
  const pen = penFor(canvas, plan.width, plan.height);
  const [were, are] = [litAfter(settings, before.step), litAfter(settings, after.step)];
  /** How much of it is in fast memory. @param {string} name @param {number} i @param {number} j */
  const strengthOf = (name, i, j) => {
    const isIn = (/** @type {import("./scene.js").Lit[]} */ all) =>
      all.some((one) => one.name === name && i >= one.rows[0] && i < one.rows[1] && j >= one.columns[0] && j < one.columns[1]);
    return (isIn(were) ? 1 - soft(part) : 0) + (isIn(are) ? soft(part) : 0);
  };
  const now = part >= 0.5 ? after : before;
  paintTitles(pen, picture, now);
  const [dim, dimmed] = [before, after].map(({ step, written }) => (step && written < L ? PALE : 1));
  const pale = mix(dim, dimmed, soft(part));
  const most = magnitude(operands.v); // of a weighted mean, too
  for (const name of /** @type {const} */ (["q", "k", "v"])) {
    const block = plan[name];
    const strongest = magnitude(operands[name]);
    for (let i = 0; i < block.rows; i++)
      for (let j = 0; j < block.columns; j++) {
        const strength = strengthOf(name, i, j);
        const how = { alpha: mix(pale, 1, strength), isWritten: strength > 0.5 && block.h > 13 };
        number(pen, look, cellOf(block, i, j), operands[name][name === "k" ? j * D + i : i * D + j], "signed", strongest, how);
      }
  }
  for (const block of isFused ? [plan.run, plan.out, plan.error] : [plan.out, plan.error]) tray(pen, look, block);

  /** A row of the output: nothing before something is added up. @param {number} i */
  const output = (i) => {
    const [was, is] = [before, after].map(({ out }) => out.subarray(i * D, (i + 1) * D));
    if (i >= (part >= 1 ? after : before).written && (part < 0.5 ? was : is).every((one) => !one)) return;
    for (const d of range(D))
      number(pen, look, cellOf(plan.out, i, d), numberBetween(was[d], is[d], part, after.step), "signed", most);
  };
  for (let i = 0; i < L; i++) {
    const run = runBetween(settings, before, after, i, part);
    // Its maximum is known first. While all its keys are masked there is none.
    if (isFused && Number.isFinite(run.top)) number(pen, look, cellOf(plan.run, i, 0), run.top, "signed", MOST);
    if (isFused && run.total) plain(pen, look, cellOf(plan.run, i, 1), run.total);
    output(i);
  }
  paintScores(pen, picture, before, after, part);
  const isBlurred = picture.isQuick && !isFused; // frames would be behind what fills
  const frames = isBlurred ? [] : framesBetween(plan, settings, before, after, part);
  for (const { name, box, alpha } of frames)
    frame(pen, box, name === "scores" ? look.live : look.ink, name === "scores" ? 3 : 2, alpha);
  judge(pen, picture, now.written, strayed);
  if (sum.isSeen) paintSum(pen, picture, sum);
  paintRescale(pen, picture, sum);
}

/**
 * How far each row that is written is from attention with all scores. Of the others it is only known which are wrong already.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} written
 * @param {number[]} strayed
 */
function judge(pen, { plan: { error }, operands: { off }, look }, written, strayed) {
  for (const [i, one] of off.entries()) {
    const isDone = i < written;
    const isWrong = isDone ? one > EXACT : strayed.includes(i);
    if (!isDone && !isWrong) continue;
    const colour = isWrong ? look.bad : look.good;
    const { x, y, w, h } = cellOf(error, i, 0);
    for (const [fill, alpha] of /** @type {const} */ ([
      [look.paper, 1],
      [colour, 0.08],
    ])) {
      // biome-ignore format: one line
      pen.globalAlpha = alpha;
      pen.fillStyle = fill;
      pen.fillRect(x + 0.5, y + 0.5, w - 1, h - 1);
    }
    pen.globalAlpha = 1;
    const text = `${isWrong ? "✗" : "✓"} ${isDone ? one.toFixed(2) : ""}`.trim();
    write(pen, text, x + w / 2, y + h / 2 + 0.5, {
      colour,
      size: clamp(h - 2, 11, w > 60 ? 15 : 13),
      weight: 700,
      align: "center",
    });
  }
}

/**
 * The colours of the page.
 *
 * @param {Element} root
 * @param {Element} good an element in the colour of a good verdict
 * @param {Element} bad
 */
export const lookOf = (root, good, bad) => ({
  ...coloursOf(root),
  ...{ good: getComputedStyle(good).color, bad: getComputedStyle(bad).color },
  live: getComputedStyle(root).getPropertyValue("--lab-accent").trim(),
  quiet: mixed(coloursOf(root).ink, coloursOf(root).paper, 0.68),
});
