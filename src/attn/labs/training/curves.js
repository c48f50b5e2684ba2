// The curves of a training over its steps, panels side by side or one below the other, all with numbers on both axes; moments are marked,
// and a dot on each curve moves with the time.

import { FONT, penFor, write } from "../kit/canvas.js";
import { integer, number } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { NEGATIVE, POSITIVE } from "../kit/scale.js";
import { mix } from "../kit/time.js";
import { paintFan } from "./fan.js";

/** @typedef {import("./board.js").Look} Look */
/** @typedef {import("./model.js").Run} Run */

/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} [note] behind the title
 * @property {number} most where the scale ends; it begins at 0
 * @property {boolean} [isFan] many lines without names; the scale begins at -most
 * @property {{ name: string, values: ArrayLike<number>, steps: ArrayLike<number> }[]} lines the step of each value
 * @property {{ value: number, name: string }} [level] a dashed line
 * @property {{ frame: number, text: string, isGood?: boolean }[]} [marks] moments; of a fan from above to below
 */

const TEXT = 13; // pixels
const LEFT = 34; // the numbers beside a panel
const RIGHT = 12;
const HEAD = 18; // the line above a panel, once or twice
const FOOT = 20; // the numbers below the last one, or below each of those side by side
const APART = 18; // the names of moments, above and below a fan
const FIRST = 1.5; // the height of the first of those one below the other, where that of another is 1

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
 * The value of a line at a step, between two of its steps in proportion.
 *
 * @param {Panel["lines"][number]} line
 * @param {number} step
 */
export function valueAt({ values, steps }, step) {
  let n = 0;
  while (n < steps.length - 2 && steps[n + 1] <= step) n++;
  if (steps.length < 2) return values[0];
  return mix(values[n], values[n + 1], clamp((step - steps[n]) / (steps[n + 1] - steps[n]), 0, 1));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Panel[]} picture.panels
 * @param {Look} picture.look
 * @param {number} picture.width
 * @param {number} picture.height
 * @param {number} picture.step now; not always a whole number
 * @param {boolean} [picture.isRow] whether the panels stand side by side
 * @returns {(x: number) => number} the step at a place of the picture
 */
export function paintCurves(canvas, { run, panels, look, width, height, step, isRow = false }) {
  const pen = penFor(canvas, width, height);
  const last = Math.max(1, run.steps[run.steps.length - 1]);
  const count = panels.length;
  const starts = panels.map((_, n) => (isRow ? (n * width) / count : 0));
  const ends = starts.map((_, n) => (isRow ? ((n + 1) * width) / count : width) - RIGHT);
  const heads = panels.map((panel, n) => headOf(pen, panel, ends[n] - starts[n] - LEFT));
  const highs = heads.map(({ height }) => (isRow ? Math.max(...heads.map(({ height }) => height)) : height));
  const free = height - FOOT - highs.reduce((sum, one) => sum + one, 0) - 10 * (count - 1);
  const rooms = panels.map((_, n) => (isRow ? height - FOOT - highs[0] : ((n ? 1 : FIRST) * free) / (count - 1 + FIRST)));
  const colours = [NEGATIVE, POSITIVE, look.ink];
  const toStep = (/** @type {number} */ x, /** @type {number} */ n) =>
    ((x - starts[n] - LEFT) / (ends[n] - starts[n] - LEFT)) * last;
  let top = 0;
  panels.forEach((panel, at) => {
    const [left, x0, x1] = [starts[at], starts[at] + LEFT, ends[at]];
    const toX = (/** @type {number} */ n) => x0 + ((x1 - x0) * n) / last;
    const marks = (panel.marks ?? []).filter(({ frame }) => run.steps[frame] <= step); // what comes later is not shown yet
    const steps = ticksTo(last, x1 - x0 < 290 ? 3 : 5);
    const room = rooms[at];
    const [y0, y1] = [top + highs[at] + room, top + highs[at]];
    const { isFan, most } = panel;
    const least = isFan ? -most : 0;
    const apart = isFan && panel.marks?.length ? APART : 0;
    const toY = (/** @type {number} */ value) =>
      y0 - apart - ((y0 - y1 - 2 * apart) * (clamp(value, least, most) - least)) / (most - least);
    const isUp = ({ values }) => values[values.length - 1] > 0;
    const colourOf = (/** @type {number} */ n) =>
      isFan ? colours[+isUp(panel.lines[n])] : panel.lines.length > 1 ? colours[n] : look.ink;
    writeHead(pen, panel, look, colourOf, step, top, x0, heads[at]);
    if (!isRow) top = y0 + 10;
    pen.lineWidth = 1;
    const good = marks.find(({ isGood }) => isGood);
    if (good) {
      const x = toX(run.steps[good.frame]);
      pen.globalAlpha = 0.08;
      pen.fillStyle = look.good;
      pen.fillRect(x, y1, toX(step) - x, y0 - y1);
      pen.globalAlpha = 1;
    }
    const ticks = ticksTo(most, room < 70 || isFan ? 2 : 4);
    for (const tick of isFan ? [...ticks, ...ticks.slice(1).map((one) => -one)] : ticks) {
      const y = Math.round(toY(tick)) + 0.5;
      line(
        pen,
        [
          [x0, y],
          [x1, y],
        ],
        look.faint,
      );
      write(pen, (isFan && tick > 0 ? "+" : "") + label(tick), x0 - 6, y, { colour: look.quiet, align: "right", size: 11 });
    }
    for (const tick of steps)
      line(
        pen,
        [
          [toX(tick), y0],
          [toX(tick), y0 + 4],
        ],
        look.quiet,
      );
    pen.setLineDash([3, 3]);
    for (const [nth, { frame }] of marks.entries()) {
      const x = toX(run.steps[frame]);
      line(
        pen,
        [
          [x, nth ? y1 + apart : y1],
          [x, nth ? y0 : y0 - apart],
        ],
        look.quiet,
      );
    }
    if (panel.level) {
      const y = toY(panel.level.value);
      pen.setLineDash([5, 4]);
      line(
        pen,
        [
          [x0, y],
          [x1, y],
        ],
        look.quiet,
      );
    }
    pen.setLineDash([]);
    if (isFan)
      paintFan(pen, { ...{ lines: panel.lines, colourOf, toX, toY, width, height }, thick: room < 200 ? 1 : 1.5, now: toX(step) });
    else
      panel.lines.forEach((one, n) => {
        const points = Array.from(one.values, (value, at) => /** @type {[number, number]} */ ([toX(one.steps[at]), toY(value)]));
        const now = /** @type {[number, number]} */ ([toX(step), toY(valueAt(one, step))]);
        pen.lineWidth = 2 + 0.9 * (panel.lines.length - 1 - n); // a line below others is seen at its sides
        pen.globalAlpha = 0.3;
        line(pen, points, colourOf(n)); // what comes later is pale
        pen.globalAlpha = 1;
        if (step >= one.steps[0]) line(pen, [...points.filter(([x]) => x <= now[0]), now], colourOf(n));
      });
    pen.lineWidth = 1;
    line(
      pen,
      [
        [toX(step), y1],
        [toX(step), y0],
      ],
      look.accent,
    );
    panel.lines.forEach((one, n) => {
      if (step < one.steps[0]) return; // it has not begun
      pen.beginPath();
      pen.arc(toX(step), toY(valueAt(one, step)), isFan ? (room < 200 ? 2 : 2.5) : at === 0 ? 5.5 : 4, 0, 7);
      pen.fillStyle = at === 0 && !isFan ? look.accent : colourOf(n);
      pen.fill();
      if (isFan) return;
      pen.lineWidth = 1.5;
      pen.strokeStyle = look.paper;
      pen.stroke();
    });
    if (panel.level) {
      const isTight = x1 - x0 < 200;
      const y = isTight ? toY(panel.level.value) + 10 : y1 - 9; // below the line, or beside the title
      const wide = write(pen, `${panel.level.name} ${number(panel.level.value, 2)}`, x1, y, {
        colour: look.quiet,
        align: "right",
      });
      const dash = /** @type {[number, number][]} */ ([
        [x1 - wide - 30, y],
        [x1 - wide - 6, y],
      ]);
      pen.setLineDash([5, 4]);
      if (!isTight) line(pen, dash, look.quiet);
      pen.setLineDash([]);
    }
    for (const [nth, { frame, text, isGood }] of marks.entries()) {
      const x = toX(run.steps[frame]);
      pen.font = `600 12px ${FONT}`;
      const wide = pen.measureText(text).width;
      const isLate = x + wide > x1 - 9; // then the words stand before it, below the curve
      const how = /** @type {const} */ ({ align: isLate ? "right" : "left", size: 12, weight: 600 });
      const from = x + (isLate ? -12 - wide : 5);
      const crossed = (isFan ? [] : panel.lines).flatMap((one) =>
        Array.from({ length: Math.ceil(wide / 3) + 4 }, (_, n) => toY(valueAt(one, ((from + 3 * n - x0) * last) / (x1 - x0)))),
      );
      const { y, apart: free } = isFan
        ? { y: nth ? y0 - 8 : y1 + 9, apart: 0 }
        : clearest([...crossed, ...(panel.level ? [toY(panel.level.value)] : [])], y1 + 8, y0 - 8);
      pen.fillStyle = look.paper;
      if (free > 8) pen.fillRect(from, y - 8, wide + 8, 16); // no grid line crosses the words, and they cover no curve
      if (toX(step) > from - 4 && toX(step) < from + wide + 12) pen.fillRect(toX(step) - 1, y - 8, 2, 16); // nor does the cursor
      write(pen, text, x + (isLate ? -8 : 9), y, { ...how, colour: isGood ? look.good : look.ink });
    }
    if (!isRow && at < count - 1) return;
    for (const tick of steps)
      if (toX(tick) < x1 - 50 || tick === steps[steps.length - 1])
        write(pen, integer(tick), clamp(toX(tick), x0, x1 - 3 * String(tick).length), height - 8, {
          ...{ colour: look.quiet, align: "center", size: 11 },
        });
    write(pen, "step", left + 2, height - 8, { colour: look.quiet, size: 11.5 });
  });
  return (x) => {
    const at = starts.filter((start) => isRow && x >= start).length - 1;
    return clamp(toStep(x, Math.max(0, at)), 0, last);
  };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {[number, number][]} points
 * @param {string} colour
 */
function line(pen, points, colour) {
  pen.strokeStyle = colour;
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}

/**
 * The height between two others that is farthest from all of these, the lowest of several.
 *
 * @param {number[]} heights
 * @param {number} top
 * @param {number} bottom
 */
export function clearest(heights, top, bottom) {
  let best = { y: bottom, apart: -1 };
  for (let y = bottom; y >= top; y -= 1) {
    const apart = Math.min(...heights.map((one) => Math.abs(one - y)));
    if (apart > best.apart) best = { y, apart };
  }
  return best;
}

/** @param {number} tick */
const label = (tick) => String(Number(tick.toPrecision(2))).replace("-", "−");

/**
 * The words above a panel: each line with its name and its value now, if it has begun.
 *
 * @param {Pick<Panel, "lines" | "isFan" | "note">} panel
 * @param {number} step
 */
const namesOf = ({ lines, isFan, note }, step) =>
  isFan
    ? [note ?? ""]
    : lines.map((one) =>
        [...(lines.length > 1 ? [one.name] : []), ...(step < one.steps[0] ? [] : [number(valueAt(one, step), 2)])].join(" "),
      );

/**
 * Where the words above a panel stand: the title, then each line, in as many rows as they need.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Panel} panel
 * @param {number} room the width
 */
function headOf(pen, panel, room) {
  const swatch = panel.lines.length > 1 && !panel.isFan ? 14 : 0;
  pen.font = `400 ${TEXT}px ${FONT}`;
  const widths = namesOf(panel, Number.POSITIVE_INFINITY).map((text) => swatch + pen.measureText(text).width + 11);
  pen.font = `600 ${TEXT}px ${FONT}`;
  const title = pen.measureText(panel.title).width + 9;
  const whole = widths.reduce((sum, one) => sum + one, title);
  let [x, row] = whole > room && title + widths[0] - 11 > room ? [0, 1] : [title, 0];
  const places = widths.map((wide) => {
    if (x > 0 && x + wide - 11 > room) [x, row] = [0, row + 1];
    x += wide;
    return { x: x - wide, row };
  });
  return { places, swatch, rows: row + 1, height: HEAD + (HEAD - 2) * row };
}

function writeHead(pen, panel, look, colourOf, step, top, left, { places, swatch }) {
  const yOf = (row) => top + HEAD - 9 + (HEAD - 2) * row;
  write(pen, panel.title, left, yOf(0), { colour: look.ink, weight: 600, size: TEXT });
  namesOf(panel, step).forEach((text, n) => {
    const [at, y] = [left + places[n].x, yOf(places[n].row)];
    if (swatch) {
      pen.fillStyle = colourOf(n);
      pen.fillRect(at, y - 2, 10, 3);
    }
    write(pen, text, at + swatch, y, { colour: panel.isFan ? look.quiet : look.ink, size: TEXT });
  });
}
