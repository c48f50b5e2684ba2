// When: over the steps a curve of the right answers, or of the loss where nothing is asked, and one of how far what is trained changes.
// What comes later is pale.

import { penFor, write } from "../kit/canvas.js";
import { integer, number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { distancesOf, rightOf } from "./course.js";
import { lossAt, originOf } from "./model.js";
import { headName, originText, rightText } from "./words.js";

const LEFT = 54; // where the slider below begins
const RIGHT = 10;
const [FIRST, SECOND, DEEP] = [19, 68, 28]; // where the two curves begin, below their titles, and how far down they reach
const PALE = 0.5;
const HIGH = 114;

/**
 * Round numbers from 0 to `most`, about `count` of them.
 *
 * @param {number} most
 * @param {number} count
 */
export function ticksTo(most, count) {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= rough * 0.999) ?? 10 * power;
  return Array.from({ length: Math.floor(most / unit + 1e-9) + 1 }, (_, n) => n * unit);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {import("./model.js").Run} picture.run
 * @param {any} picture.settings
 * @param {readonly [layer: number, head: number]} picture.head
 * @param {ArrayLike<number>} picture.moved how far the chosen row of the embedding moves up to each frame
 * @param {import("./board.js").Look} picture.look
 * @param {number} picture.width
 * @param {number} picture.time in frames
 * @returns {(x: number) => number} the step at a place of the picture
 */
export function paintTimeline(canvas, { run, settings, head, moved, look, width, time }) {
  const pen = penFor(canvas, width, HIGH);
  const last = Math.max(1, run.steps.length - 1);
  const toX = (/** @type {number} */ frame) => LEFT + ((width - LEFT - RIGHT) * frame) / last;
  const isAsked = run.questions.length > 0;
  const isBrief = width < 480;
  const isMap = settings.show === "rows";
  const origin = originOf(run);
  const frame = Math.floor(time);
  const most = Math.max(...run.losses);
  const title = { colour: look.ink, size: isBrief ? 12 : 13 };
  const quiet = { colour: look.quiet, size: 11 };

  const loss = `loss ${number(lossAt(run, run.steps[frame]), 2)}`;
  const now = isAsked ? rightText(run, settings.sequence, frame) : loss;
  const change = isMap ? `the row of “${run.words[settings.word]}”` : `W_Q of ${headName(run, head)}`;
  const isSince = isAsked && !isMap;
  const far = isSince ? `distance of W_Q from its value ${originText(run)}` : `change of ${change}`;
  const distances = Array.from(isMap ? moved : distancesOf(run, head));
  const farthest = Math.max(...distances);
  /** @typedef {[values: ArrayLike<number>, most: number, top: number, colour: string, start?: number]} Curve */
  const curves = /** @type {Curve[]} */ ([
    isAsked ? [rightOf(run, settings.sequence), 1, FIRST, look.good] : [run.losses, most, FIRST, look.quiet],
    ...(farthest ? [[distances, farthest, SECOND, look.quiet, isSince ? origin : 0]] : []),
  ]);
  const line = (/** @type {number} */ x, /** @type {number} */ top) => {
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, top + DEEP);
    pen.stroke();
  };
  for (const [values, most, top, colour, start = 0] of curves) {
    const foot = top + DEEP;
    for (const [until, alpha] of [
      [width, PALE],
      [toX(time), 1],
    ]) {
      pen.save();
      pen.beginPath();
      pen.rect(0, 0, until, HIGH);
      pen.clip();
      pen.globalAlpha = alpha;
      [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [colour, colour, 2.5];
      pen.beginPath();
      for (const n of range(values.length).slice(start))
        pen.lineTo(toX((last * n) / (values.length - 1)), foot - (DEEP * values[n]) / most);
      pen.stroke();
      pen.lineTo(toX(last), foot);
      pen.lineTo(toX(start), foot);
      pen.globalAlpha = 0.2 * alpha;
      pen.fill();
      pen.restore();
    }
    pen.fillStyle = look.faint;
    pen.fillRect(toX(0), foot, toX(last) - toX(0), 1);
    [pen.strokeStyle, pen.lineWidth] = [look.quiet, 1];
    pen.setLineDash([3, 3]);
    if (origin && time >= origin) line(toX(origin), top);
    pen.setLineDash([]);
    [pen.strokeStyle, pen.lineWidth] = [look.accent, 2];
    line(toX(time), top);
  }
  write(pen, isAsked ? "100 %" : number(most / 1000, 1), LEFT - 6, FIRST + 4, { ...quiet, align: "right" });
  write(pen, now, LEFT, FIRST - 10, { ...title, weight: 600 });
  if (farthest) {
    write(pen, number(farthest, 1), LEFT - 6, SECOND + 4, { ...quiet, align: "right" });
    write(pen, far, LEFT, SECOND - 10, title);
  }

  const steps = run.steps[last] || 1;
  for (const tick of ticksTo(steps, isBrief ? 3 : 5)) {
    const x = toX((last * tick) / steps);
    if (x < width - 60 || tick === steps)
      write(pen, integer(tick), Math.min(x, width - 18), HIGH - 9, { ...quiet, align: "center" });
  }
  write(pen, "step", 2, HIGH - 9, quiet);
  return (x) => clamp((x - LEFT) / (width - LEFT - RIGHT), 0, 1) * steps;
}
