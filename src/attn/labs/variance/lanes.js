// What softmax makes of each query, before and after the division: two lanes with a dot for each query.

import { penFor, write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { number } from "../kit/format.js";
import { average } from "./draws.js";
import { AXIS, drawAxis } from "./marks.js";
import { notDivided } from "./words.js";

/** @typedef {import("./scene.js").Moment} Moment */
/** @typedef {import("./marks.js").Look} Look */
/** @typedef {import("./marks.js").Pen} Pen */
/** @typedef {readonly (readonly [name: string, value: string])[]} Texts of the scores as they are, and divided */

const LANE = { text: 16, bar: 12, dots: 12, gap: 5 };
// How far the lane of the divided scores comes down; until it is there, its text would lie on the lane above.
const BELOW = LANE.text + LANE.bar + LANE.dots + LANE.gap; // from lane to lane; before a division the second lies on the first
const HEIGHT = 2 * BELOW + AXIS;
const LEAST = 1e-6; // the norms are drawn from here on
const MOST = 0.5; // that the norm of the Jacobian of softmax can be

/**
 * The seat of the divided scores, while they lie on those above.
 *
 * @param {Pen} pen
 * @param {Look} look
 * @param {number} width
 * @param {number} apart
 */
function drawSeat(pen, look, width, apart) {
  if (apart > 0.9) return;
  const top = BELOW + LANE.text;
  pen.globalAlpha = Math.max(0, 1 - 4 * apart); // before the lane comes down over it
  write(pen, notDivided(true), 0, BELOW + LANE.text / 2, { colour: look.quiet });
  pen.globalAlpha = 1;
  pen.strokeStyle = look.line;
  pen.lineWidth = 1;
  pen.setLineDash([4, 4]);
  pen.strokeRect(0.5, top + 0.5, width - 1, LANE.bar + LANE.dots - 1);
  pen.setLineDash([]);
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
export function paintShares(canvas, width, { outline, filled }, look, texts) {
  const pen = penFor(canvas, width, HEIGHT);
  const x = (/** @type {number} */ share) => 2 + share * (width - 4);
  const { keys } = filled.rows;
  const even = x(1 / keys);
  drawSeat(pen, look, width, filled.apart);
  let y = 0;
  for (const [lane, { rows }] of [outline, filled].entries()) {
    if (lane) y = BELOW * filled.apart;
    if (!lane || filled.apart > 0.9) drawTexts(pen, look, y, width, texts[lane]);
    y += LANE.text;
    drawBar(pen, look, x(average(rows.largest)), y, width, lane === 1);
    pen.fillStyle = look.line;
    for (let at = 0; at < LANE.bar + LANE.dots; at += 6) pen.fillRect(Math.round(even), y + at, 1, 3);
    y += LANE.bar;
    drawDots(pen, look, rows.largest.map(x), y, LANE.dots, lane === 1);
    y += LANE.dots + LANE.gap;
  }
  drawAxis(pen, look, 2 * BELOW, width, [
    { at: x(0), text: "0" },
    { at: even, text: `1/${keys}: equal weights`, side: "left" },
    { at: x(1), text: "1" },
  ]);
}

/**
 * How much the weights of each query change when a score changes: a dot for each query. On the left they hardly do.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {Moment} moment
 * @param {Look} look
 * @param {Texts} texts
 * @param {number} stuck below this norm a query is stuck
 */
export function paintNorms(canvas, width, { outline, filled }, look, texts, stuck) {
  const pen = penFor(canvas, width, HEIGHT);
  const [low, high] = [LEAST, MOST].map(Math.log);
  const x = (/** @type {number} */ norm) => 3 + ((width - 6) * (Math.log(Math.max(norm, LEAST)) - low)) / (high - low);
  const lane = LANE.bar + LANE.dots;
  drawSeat(pen, look, width, filled.apart);
  let y = 0;
  for (const [n, { rows }] of [outline, filled].entries()) {
    if (n) y = BELOW * filled.apart;
    if (!n || filled.apart > 0.9) drawTexts(pen, look, y, width, texts[n]);
    y += LANE.text;
    pen.fillStyle = look.sheet;
    pen.fillRect(0, y, width, lane);
    pen.fillStyle = look.faint;
    pen.fillRect(0, y, x(stuck), lane);
    drawDots(pen, look, rows.norms.map(x), y + 1, lane - 2, n === 1);
    y += lane + LANE.gap;
  }
  drawAxis(pen, look, 2 * BELOW, width, [
    { at: x(LEAST), text: "a millionth" },
    { at: x(stuck), text: `stuck: less than 1/${number(1 / stuck, 0)}`, side: "right" },
    { at: x(MOST), text: "half: the most" },
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
 * @param {number} width
 * @param {boolean} isFilled
 */
function drawBar(pen, look, right, y, width, isFilled) {
  pen.fillStyle = look.sheet;
  pen.fillRect(0, y, width, LANE.bar + LANE.dots);
  pen.fillStyle = isFilled ? look.fill : mixed(look.ink, look.paper, 0.3);
  pen.fillRect(0, y, right, LANE.bar);
  pen.strokeStyle = isFilled ? look.edge : look.ink;
  pen.lineWidth = 1.2;
  pen.strokeRect(0.6, y + 0.6, right - 1.2, LANE.bar - 1.2);
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
