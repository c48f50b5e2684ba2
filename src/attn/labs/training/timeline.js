// When: over the steps a curve of the right answers, or of the loss where nothing is asked, and one of all changes of W_Q so far, with
// those of the other recordings to compare with. What comes later is pale; of a model that is asked it is not drawn.

import { FONT, penFor, write } from "../kit/canvas.js";
import { integer, number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { rightOf } from "./course.js";
import { lossAt, originOf } from "./model.js";
import { othersOf, rightText } from "./words.js";

const LEFT = 54; // where the slider below begins
const RIGHT = 10;
const FIRST = 19; // where the first curve begins, below its title
const [DEEP, DEEPER] = [28, 40]; // how far down a curve reaches, and where there is room
const PALE = 0.5;

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
 * @param {ArrayLike<number>} picture.moved how far the chosen row of the embedding moves up to each frame
 * @param {import("./board.js").Look} picture.look
 * @param {number} picture.width
 * @param {number} picture.time in frames
 * @returns {(x: number) => number} the step at a place of the picture
 */
export function paintTimeline(canvas, { run, settings, moved, look, width, time }) {
  const isAsked = run.questions.length > 0;
  const isBrief = width < 480;
  const deep = isAsked && !isBrief ? DEEPER : DEEP;
  const second = FIRST + deep + 21; // where the second curve begins
  const high = second + deep + 18;
  const pen = penFor(canvas, width, high);
  const last = Math.max(1, run.steps.length - 1);
  const toX = (/** @type {number} */ frame) => LEFT + ((width - LEFT - RIGHT) * frame) / last;
  const isMap = settings.show === "rows";
  const origin = originOf(run);
  const frame = Math.floor(time);
  const most = Math.max(...run.losses);
  const title = { colour: look.ink, size: isBrief ? 12 : 13 };
  const quiet = { colour: look.quiet, size: 11 };

  const loss = `loss ${number(lossAt(run, run.steps[frame]), 2)}`;
  const now = isAsked ? rightText(run, settings.sequence, frame) : loss;
  const others = isMap ? [] : othersOf(settings._runs, run);
  const changes = isMap ? Array.from(moved) : run.changed;
  const farthest = Math.max(...changes, ...others.flatMap(({ changed }) => changed));
  /** @typedef {[values: ArrayLike<number>, most: number, top: number, colour: string]} Curve */
  const curves = /** @type {Curve[]} */ ([
    isAsked ? [rightOf(run, settings.sequence), 1, FIRST, look.good] : [run.losses, most, FIRST, look.quiet],
    ...(farthest ? [[changes, farthest, second, look.quiet]] : []),
  ]);
  const line = (/** @type {number} */ x, /** @type {number} */ top) => {
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, top + deep);
    pen.stroke();
  };
  const upTo = (/** @type {number} */ x, /** @type {() => void} */ draw) => {
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, x, high);
    pen.clip();
    draw();
    pen.restore();
  };
  for (const [values, most, top, colour] of curves) {
    const foot = top + deep;
    if (isAsked) {
      pen.globalAlpha = PALE / 2;
      pen.fillStyle = look.faint;
      pen.fillRect(toX(0), top, toX(last) - toX(0), deep); // the room of what comes
      pen.globalAlpha = 1;
    }
    const trace = (/** @type {ArrayLike<number>} */ numbers) => {
      pen.beginPath();
      for (const n of range(numbers.length)) pen.lineTo(toX((last * n) / (numbers.length - 1)), foot - (deep * numbers[n]) / most);
    };
    const area = (/** @type {number} */ alpha) => () => {
      pen.globalAlpha = alpha;
      [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [colour, colour, 2.5];
      trace(values);
      pen.stroke();
      pen.lineTo(toX(last), foot);
      pen.lineTo(toX(0), foot);
      pen.globalAlpha = 0.2 * alpha;
      pen.fill();
    };
    if (!isAsked) upTo(width, area(PALE));
    upTo(toX(time), area(1));
    pen.fillStyle = look.faint;
    pen.fillRect(toX(0), foot, toX(last) - toX(0), 1);
    [pen.strokeStyle, pen.lineWidth] = [look.quiet, 1];
    pen.setLineDash([3, 3]);
    if (origin && time >= origin) line(toX(origin), top);
    upTo(toX(time), () => {
      for (const { changed } of top === second ? others : []) {
        trace(changed);
        pen.stroke();
      }
    });
    pen.setLineDash([]);
    [pen.strokeStyle, pen.lineWidth] = [look.accent, 2];
    line(toX(time), top);
  }
  write(pen, isAsked ? "100 %" : number(most / 1000, 1), LEFT - 6, FIRST + 4, { ...quiet, align: "right" });
  write(pen, now, LEFT, FIRST - 10, { ...title, weight: 600 });
  const note = (/** @type {string} */ text, /** @type {number} */ top) => {
    const x = toX(origin) + 6;
    pen.font = `12px ${FONT}`;
    if (time > origin && toX(time) < x + pen.measureText(text).width) return; // the line of now would cross it
    write(pen, text, x, top + deep - 8, { ...title, size: 12 });
  };
  const isAll = isAsked && rightOf(run, settings.sequence)[origin] === 1;
  if (origin && time >= origin) note(`${isAll ? "all" : "nearly all"} right from here on`, FIRST);
  const amount = number(run.changed[frame], 1);
  const grown = origin && time > origin ? `${number(run.changed[origin], 1)} → ${amount}` : amount;
  if (grown !== amount && !isMap && !isBrief) note(`still changes: ${grown}`, second);
  if (farthest) {
    const change = isMap
      ? `change of the row of “${run.words[settings.word]}”`
      : isBrief
        ? `change of W_Q: ${grown}`
        : `total change of W_Q: ${amount}`;
    write(pen, number(farthest, isMap ? 1 : 0), LEFT - 6, second + 4, { ...quiet, align: "right" });
    const isNamed = others.length && time > (isBrief ? 0.99 : 0.7) * last;
    const named = isBrief ? others : [run, ...others]; // on a phone the title takes the room of one
    write(pen, change, LEFT, second - 10, { ...title, weight: 600 });
    for (const { name, changed } of isNamed ? named : [])
      write(pen, name, toX(time) - 4, second + deep * (1 - changed[frame] / farthest) + (changed[last] < farthest ? 10 : -8), {
        ...{ ...quiet, align: "right", colour: look.ink, weight: name === run.name ? 600 : 400 },
      });
  }

  const steps = run.steps[last] || 1;
  for (const tick of ticksTo(steps, isBrief ? 3 : 5)) {
    const x = toX((last * tick) / steps);
    if (x < width - 60 || tick === steps)
      write(pen, integer(tick), Math.min(x, width - 18), high - 9, { ...quiet, align: "center" });
  }
  write(pen, "step", 2, high - 9, quiet);
  return (x) => clamp((x - LEFT) / (width - LEFT - RIGHT), 0, 1) * steps;
}
