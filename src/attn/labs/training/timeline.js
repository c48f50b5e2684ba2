// When: over the steps a curve of the right answers, or of the loss where nothing is asked, and a bar for each change of what is trained.
// What comes later is pale.

import { penFor, write } from "../kit/canvas.js";
import { integer, number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { rightOf, stridesOf } from "./course.js";
import { learnedOf, lossAt } from "./model.js";
import { headName, rightText } from "./words.js";

const LEFT = 54; // where the slider below begins
const RIGHT = 10;
const [TOP, MIDDLE, FLOOR] = [5, 42, 66]; // of the curve, and between it and the foot of the bars
const PALE = 0.25;
const HIGH = 86;

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
 * @param {ReturnType<typeof import("./course.js").turnOf>} picture.turn
 * @param {import("./board.js").Look} picture.look
 * @param {number} picture.width
 * @param {number} picture.time in frames
 * @returns {(x: number) => number} the step at a place of the picture
 */
export function paintTimeline(canvas, { run, settings, head, moved, turn, look, width, time }) {
  const pen = penFor(canvas, width, HIGH);
  const last = Math.max(1, run.steps.length - 1);
  const toX = (/** @type {number} */ frame) => LEFT + ((width - LEFT - RIGHT) * frame) / last;
  const { sequence, show, word } = settings;
  const isAsked = run.questions.length > 0;
  const [least, top] = isAsked ? ["0", "100 %"] : ["0", number(Math.max(...run.losses) / 1000, 1)];
  const curve = isAsked ? rightOf(run, sequence) : run.losses.map((loss) => loss / Math.max(...run.losses));
  const strides = show === "rows" ? moved : stridesOf(run, head);
  const most = Math.max(...Array.from(strides));
  const quiet = { colour: look.quiet, size: 11 };
  const line = (/** @type {number} */ x, /** @type {number} */ from, /** @type {number} */ to) => {
    pen.beginPath();
    pen.moveTo(x, from);
    pen.lineTo(x, to);
    pen.stroke();
  };
  for (const [until, alpha] of [
    [width, PALE],
    [toX(time), 1],
  ]) {
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, until, HIGH);
    pen.clip();
    pen.globalAlpha = alpha;
    pen.fillStyle = look.quiet;
    for (const n of range(most ? last : 0)) {
      const high = ((FLOOR - MIDDLE - 4) * strides[n + 1]) / most;
      pen.fillRect(toX(n) + 1, FLOOR - high, Math.max(1, toX(n + 1) - toX(n) - 2), high);
    }
    pen.beginPath();
    curve.forEach((share, n) => pen.lineTo(toX((last * n) / (curve.length - 1)), MIDDLE - (MIDDLE - TOP) * share));
    pen.strokeStyle = pen.fillStyle = isAsked ? look.good : look.quiet;
    pen.lineWidth = 2.5;
    pen.stroke();
    pen.lineTo(toX(last), MIDDLE);
    pen.lineTo(toX(0), MIDDLE);
    pen.globalAlpha = 0.2 * alpha;
    pen.fill();
    pen.restore();
  }
  pen.fillStyle = look.faint;
  for (const y of [MIDDLE, FLOOR]) pen.fillRect(toX(0), y, toX(last) - toX(0), 1);
  write(pen, top, LEFT - 6, TOP + 4, { ...quiet, align: "right" });
  write(pen, least, LEFT - 6, MIDDLE - 5, { ...quiet, align: "right" });

  const isBrief = width < 480;
  const learned = learnedOf(run);
  const isLearned = time >= learned && learned < last;
  const [ink, right] = [{ colour: look.ink, size: isBrief ? 12 : 13 }, toX(last) - 6];
  [pen.strokeStyle, pen.lineWidth] = [look.quiet, 1];
  pen.setLineDash([3, 3]);
  if (isLearned) line(toX(learned), 0, FLOOR);
  if (turn && time >= turn.frame && !isBrief) {
    line(toX(turn.frame), MIDDLE, FLOOR);
    write(pen, `“${turn.word}” turns to “${turn.key}”`, toX(turn.frame) + 7, MIDDLE + 10, ink);
  }
  pen.setLineDash([]);
  const frame = Math.floor(time);
  const since = `${isBrief ? "" : "✓ "}nearly all right since step ${integer(run.steps[learned])}`;
  const now = isLearned ? since : isAsked ? rightText(run, sequence, frame) : `loss ${number(lossAt(run, run.steps[frame]), 2)}`;
  write(pen, now, right, isAsked ? MIDDLE - 12 : TOP + 8, { ...ink, align: "right", weight: 600 });
  const what = show === "rows" ? `the row of “${run.words[word]}”` : `W_Q of ${headName(run, head)}`;
  if (most)
    write(pen, `${isBrief ? "bars: change of" : "each bar: change of"} ${what}`, right, MIDDLE + 10, { ...ink, align: "right" });

  [pen.strokeStyle, pen.lineWidth] = [look.accent, 2];
  line(toX(time), 0, FLOOR);
  const end = run.steps[last] || 1;
  for (const tick of ticksTo(end, isBrief ? 3 : 5)) {
    const x = toX((last * tick) / end);
    if (x < width - 60 || tick === end) write(pen, integer(tick), Math.min(x, width - 18), HIGH - 9, { ...quiet, align: "center" });
  }
  write(pen, "step", 2, HIGH - 9, { ...quiet, size: 11.5 });
  return (x) => clamp((x - LEFT) / (width - LEFT - RIGHT), 0, 1) * end;
}
