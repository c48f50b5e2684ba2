// The histograms of the scores on one axis. Outlined: as they are. Filled: divided.

import { FONT, penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { outsideOf, SPREADS, ticksOf } from "./bins.js";
import { AXIS, drawAxis } from "./marks.js";
import { WIDEST } from "./scene.js";
import { brief } from "./words.js";

/** @typedef {import("./scene.js").Moment} Moment */
/** @typedef {import("./marks.js").Look} Look */
/** @typedef {import("./marks.js").Pen} Pen */

const HEADROOM = 24; // above the bars, for the spread of the filled ones
const LENS = 3.9; // standard deviations on each side of the middle that are magnified
const PAD = 6; // between them and their frame
const INFLECTION = Math.exp(-0.5); // a normal curve is one standard deviation from its middle at this share of its height

/**
 * Both histograms on one axis.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {Moment} moment
 * @param {Look} look
 */
export function paintScores(canvas, width, height, { moves, reach, target, outline, filled, ghost }, look) {
  const pen = penFor(canvas, width, height);
  const ground = height - AXIS;
  const x = (/** @type {number} */ value) => width * (0.5 + value / reach / 2);
  drawAxis(
    pen,
    look,
    ground,
    width,
    ticksOf(target).map((value) => ({ at: x(value), text: number(value, 0) })),
  );
  const tall = ground - HEADROOM;
  if (ghost) drawGhost(pen, look, ghost, x, ground, tall);
  drawBars(pen, look, filled, x, ground, tall);
  drawOutline(pen, look, outline, x, ground, tall);
  const all = outline.rows.largest.length * outline.rows.keys;
  outsideOf(outline.bins, reach).forEach((count, n) => {
    const [at, align] = /** @type {const} */ ([
      [0, "left"],
      [width, "right"],
    ])[n];
    if (count) write(pen, `${count} of ${all} outside`, at, ground - 9, { colour: look.quiet, size: 11.5, align });
  });
  drawLens(pen, look, { moves, outline, filled }, x, ground, width);
  if (filled.apart) write(pen, "heights not to scale", 0, HEADROOM / 2, { colour: look.quiet, size: 11.5 });
  const name = moves ? "" : width < 480 ? "std" : "standard deviation";
  drawSpread(pen, look, outline, x, ground - tall * INFLECTION, width, look.ink, name);
  if (filled.divisor !== 1) drawSpread(pen, look, filled, x, HEADROOM / 2, width, look.edge, name);
}

/**
 * @param {Pen} pen
 * @param {Look} look
 * @param {Moment["filled"]} filled
 * @param {(value: number) => number} x
 * @param {number} ground
 * @param {number} tall
 */
function drawBars(pen, look, { bins, divisor }, x, ground, tall) {
  const { first, step, counts, most } = bins;
  const wide = x(step / divisor) - x(0);
  const gap = wide >= 5 ? 1 : 0;
  pen.fillStyle = look.fill;
  pen.beginPath();
  counts.forEach((count, n) => {
    const h = (tall * count) / most;
    if (count) pen.rect(x((first + n * step) / divisor) + gap / 2, ground - h, Math.max(1.6, wide - gap), h);
  });
  pen.fill();
}

/**
 * Where the undivided scores of the widest head lie, behind those of a narrow one.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} spread their standard deviation
 * @param {(value: number) => number} x
 * @param {number} ground
 * @param {number} tall
 */
function drawGhost(pen, look, spread, x, ground, tall) {
  pen.fillStyle = look.sheet;
  pen.strokeStyle = look.line;
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  pen.beginPath();
  for (let at = -SPREADS; at <= SPREADS; at += 0.1) pen.lineTo(x(at * spread), ground - tall * Math.exp(-(at ** 2) / 2));
  pen.fill();
  pen.stroke();
  pen.setLineDash([]);
  write(pen, `not divided at D = ${WIDEST}`, x(0.6 * spread) + 8, ground - 0.88 * tall, { colour: look.quiet });
}

/**
 * Divided scores that are too close together for the axis, magnified in a frame on the left.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {Pick<Moment, "moves" | "outline" | "filled">} moment
 * @param {(value: number) => number} x
 * @param {number} ground
 * @param {number} width
 */
function drawLens(pen, look, { moves, outline, filled }, x, ground, width) {
  const { bins, divisor, apart } = filled;
  const spread = bins.spread / divisor;
  const visible = Math.min(apart, clamp((8 - (x(spread) - x(0))) / 3, 0, 1));
  if (!visible || Math.abs(outline.bins.mean) > outline.bins.spread) return;
  const hasBoth = outline.bins.spread < 4 * spread;
  const reach = LENS * (hasBoth ? outline.bins.spread : spread);
  const wide = Math.round(Math.min(200, width * 0.23));
  const isSmall = wide < 120;
  const [top, low] = [HEADROOM + 34, ground - 0.2 * (ground - HEADROOM) - AXIS];
  const within = (/** @type {number} */ value) => wide * (0.5 + value / reach / 2);
  pen.save();
  pen.translate(PAD, 0);
  pen.globalAlpha = visible;
  pen.fillStyle = look.paper;
  pen.strokeStyle = look.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(0.5 - PAD, top - 22, wide + 2 * PAD - 1, low + AXIS + 22 - top, 5);
  pen.fill();
  pen.stroke();
  const times = moves ? "" : `${number(wide / reach / 2 / (x(1) - x(0)), 0)}×`;
  write(pen, isSmall && times ? times : `magnified ${times}`, wide / 2, top - 10, {
    colour: look.quiet,
    size: 11.5,
    align: "center",
  });
  const round = ticksOf(reach).at(-1) ?? 0;
  drawAxis(
    pen,
    look,
    low,
    wide,
    moves
      ? []
      : (isSmall ? [-round, round] : [-round, 0, round]).map((value) => ({
          at: within(value),
          text: String(+value.toPrecision(2)).replace("-", "−"),
        })),
  );
  pen.beginPath();
  pen.rect(0, top, wide, low - top);
  pen.clip();
  drawBars(pen, look, filled, within, low, low - top - 3);
  if (hasBoth) drawOutline(pen, look, outline, within, low, low - top - 3);
  pen.restore();
}

/**
 * @param {Pen} pen
 * @param {Look} look
 * @param {Moment["outline"]} outline
 * @param {(value: number) => number} x
 * @param {number} ground
 * @param {number} tall
 */
function drawOutline(pen, look, { bins, divisor }, x, ground, tall) {
  const { first, step, counts, most } = bins;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1.4;
  pen.lineJoin = "round";
  pen.beginPath();
  pen.moveTo(x(first / divisor), ground);
  counts.forEach((count, n) => {
    const y = ground - (tall * count) / most;
    pen.lineTo(x((first + n * step) / divisor), y);
    pen.lineTo(x((first + (n + 1) * step) / divisor), y);
  });
  pen.lineTo(x((first + counts.length * step) / divisor), ground);
  pen.stroke();
}

/**
 * A line from one standard deviation below the mean to one above it, and its number.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {Moment["outline"]} of
 * @param {(value: number) => number} x
 * @param {number} y
 * @param {number} width
 * @param {string} colour
 * @param {string} name of the number; "": without it
 */
function drawSpread(pen, look, { bins, divisor }, x, y, width, colour, name) {
  const [from, to] = [-1, 1].map((side) => x((bins.mean + side * bins.spread) / divisor));
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.moveTo(from, y);
  pen.lineTo(to, y);
  for (const end of [from, to]) {
    pen.moveTo(end, y - 4);
    pen.lineTo(end, y + 4);
  }
  pen.stroke();
  if (!name) return;
  pen.font = `600 12.5px ${FONT}`;
  const off = 7 + (to - from) / 8; // beyond the next bar of the histogram
  const text = `${name} ${brief(bins.spread / divisor)}`;
  const room = pen.measureText(text).width;
  const isLeft = to + off + room > width;
  pen.textAlign = isLeft ? "right" : "left";
  const start = clamp(isLeft ? from - off : to + off, isLeft ? room : 0, width);
  pen.strokeStyle = look.paper;
  pen.lineWidth = 4;
  pen.strokeText(text, start, y);
  pen.fillText(text, start, y);
}
