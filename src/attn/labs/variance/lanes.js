// What softmax makes of each query, before and after the division: two lanes with a dot for each query.

import { penFor, write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { mix } from "../kit/time.js";
import { average } from "./draws.js";
import { AXIS, drawAxis } from "./marks.js";

/** @typedef {import("./scene.js").Moment} Moment */
/** @typedef {import("./marks.js").Look} Look */
/** @typedef {import("./marks.js").Pen} Pen */
/** @typedef {readonly (readonly [name: string, value: string])[]} Texts of the scores as they are, and divided */

const LANE = { text: 16, bar: 12, dots: 12, gap: 5 };
const BELOW = LANE.text + LANE.bar + LANE.dots + LANE.gap; // from lane to lane
const HEIGHT = 2 * BELOW + AXIS;
const LEAST = 1e-6; // the norms are drawn from here on
const MOST = 0.5; // that the norm of the Jacobian of softmax can be

/**
 * The lanes of the scores as they are and of the divided ones. Before a division they are one, as high as both, which then parts.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} width
 * @param {Moment} moment
 * @param {Texts} texts
 * @param {(rows: import("./scene.js").Rows, y: number, stretch: number, isFilled: boolean) => void} draw what is on a lane
 */
function drawLanes(pen, look, width, { outline, filled }, texts, draw) {
  const { apart } = filled;
  const stretch = mix(1 + BELOW / (LANE.bar + LANE.dots), 1, apart);
  for (const [lane, { rows }] of [outline, filled].entries()) {
    const y = lane * BELOW * apart;
    if (!lane || apart > 0.9) drawTexts(pen, look, y, width, texts[lane]); // not on what is drawn already
    pen.fillStyle = look.sheet;
    pen.fillRect(0, y + LANE.text, width, stretch * (LANE.bar + LANE.dots));
    draw(rows, y + LANE.text, stretch, lane === 1);
  }
}

/**
 * The share of the weight that the best key of a query gets: on average as a bar, of each query as a dot.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {Moment} moment
 * @param {Look} look
 * @param {Texts} texts
 */
export function paintShares(canvas, width, moment, look, texts) {
  const pen = penFor(canvas, width, HEIGHT);
  const x = (/** @type {number} */ share) => 2 + share * (width - 4);
  const { keys } = moment.filled.rows;
  const even = x(1 / keys);
  drawLanes(pen, look, width, moment, texts, (rows, y, stretch, isFilled) => {
    const bar = LANE.bar * stretch;
    drawBar(pen, look, x(average(rows.largest)), y, bar, isFilled);
    pen.fillStyle = look.line;
    for (let at = 0; at < 2 * bar; at += 6) pen.fillRect(Math.round(even), y + at, 1, 3);
    drawDots(pen, look, rows.largest.map(x), y + bar, LANE.dots * stretch, isFilled);
  });
  drawAxis(pen, look, 2 * BELOW, width, [
    { at: x(0), text: "0" },
    { at: even, text: `1/${keys}: equal weights`, side: "left" },
    { at: x(1), text: "1" },
  ]);
}

/**
 * How much the weights of each query change when a score changes: a dot for each query. On the left, in the grey, they hardly do.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {Moment} moment
 * @param {Look} look
 * @param {Texts} texts
 * @param {number} stuck below this norm a query is stuck
 */
export function paintNorms(canvas, width, moment, look, texts, stuck) {
  const pen = penFor(canvas, width, HEIGHT);
  const [low, high] = [LEAST, MOST].map(Math.log);
  const x = (/** @type {number} */ norm) => 3 + ((width - 6) * (Math.log(Math.max(norm, LEAST)) - low)) / (high - low);
  drawLanes(pen, look, width, moment, texts, (rows, y, stretch, isFilled) => {
    const lane = (LANE.bar + LANE.dots) * stretch;
    pen.fillStyle = look.faint;
    pen.fillRect(0, y, x(stuck), lane);
    drawDots(pen, look, rows.norms.map(x), y + 1, lane - 2, isFilled);
  });
  drawAxis(pen, look, 2 * BELOW, width, [
    { at: x(LEAST), text: "no gradient" },
    { at: x(stuck), text: "hardly any: stuck", side: "right" },
    { at: x(MOST), text: "most" },
  ]);
}

/**
 * A line with a name on its left and a number on its right.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} top
 * @param {number} width
 * @param {readonly [string, string]} texts
 */
function drawTexts(pen, look, top, width, [name, value]) {
  if (!name) return;
  const y = top + LANE.text / 2;
  write(pen, name, 0, y, { colour: look.quiet });
  write(pen, value, width, y, { colour: look.ink, weight: 600, align: "right" });
}

/**
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} right
 * @param {number} y
 * @param {number} height
 * @param {boolean} isFilled
 */
function drawBar(pen, look, right, y, height, isFilled) {
  pen.fillStyle = isFilled ? look.fill : mixed(look.ink, look.paper, 0.3);
  pen.fillRect(0, y, right, height);
  pen.strokeStyle = isFilled ? look.edge : look.ink;
  pen.lineWidth = 1.2;
  pen.strokeRect(0.6, y + 0.6, right - 1.2, height - 1.2);
}

/**
 * A dot for each query. Heights only keep the dots apart.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {ArrayLike<number>} places
 * @param {number} top
 * @param {number} height
 * @param {boolean} isFilled
 */
function drawDots(pen, look, places, top, height, isFilled) {
  const radius = isFilled ? 2 : 1.8;
  pen.beginPath();
  for (let i = 0; i < places.length; i++) {
    const y = top + 2 + ((i * 0.618034) % 1) * (height - 4);
    pen.moveTo(places[i] + radius, y);
    pen.arc(places[i], y, radius, 0, 2 * Math.PI);
  }
  pen.globalAlpha = 0.75;
  pen.fillStyle = look.edge;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 0.9;
  if (isFilled) pen.fill();
  else pen.stroke();
  pen.globalAlpha = 1;
}
