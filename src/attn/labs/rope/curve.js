// The score at every distance, and where the two tokens are on it.

import { write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { NEGATIVE, POSITIVE } from "../kit/scale.js";
import { scoreAt, termAt } from "./model.js";
import { score2 } from "./words.js";

/** @typedef {import("./model.js").Clock} Clock */
/** @typedef {import("./model.js").Turn} Turn */
/** @typedef {import("./looks.js").Looks} Looks */

const LEFT = 34;
const TOP = 20;
const BOTTOM = 17;
const ROUND = 7; // distances in which the fastest clock goes round, rounded up
const LABEL = 100; // pixels: the score beside its dot, where no curve goes through it
const UNITS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]; // one of them is marked above and below 0
const REACHES = [32, 64, 128, 256, 512, 1024, 2048, 4096];

/**
 * The distances that are drawn: from 0 on, or on both sides if the key comes after the query.
 *
 * @param {number} distance
 * @returns {[from: number, to: number]}
 */
export function reachOf(distance) {
  const to = REACHES.find((reach) => Math.abs(distance) <= 0.97 * reach) ?? REACHES[REACHES.length - 1];
  return [distance < 0 ? -to : 0, to];
}

/**
 * The least and the largest value of a function of whole numbers in each column of pixels.
 *
 * @param {(at: number) => number} value
 * @param {number} from
 * @param {number} to
 * @param {number} columns
 * @returns {{ at: number, low: number, high: number }[]}
 */
export function envelope(value, from, to, columns) {
  const step = Math.max(1, Math.ceil((to - from) / columns));
  return range(Math.floor((to - from) / step) + 1).map((n) => {
    const all = range(Math.min(step, to - from - n * step + 1)).map((m) => value(from + n * step + m));
    return { at: from + n * step + (step - 1) / 2, low: Math.min(...all), high: Math.max(...all) };
  });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} width
 * @param {number} height
 * @param {object} drawn
 * @param {Clock[]} drawn.clocks
 * @param {Turn} drawn.turn
 * @param {number} drawn.key its position
 * @param {number} drawn.distance on its way
 * @param {number} drawn.target the distance at rest
 * @param {number} drawn.score of the hands as they are drawn: of a long way they show only the last rounds
 * @param {number | null} drawn.chosen the clock whose own curve is drawn, too
 * @param {Looks} looks
 */
export function paintCurve(pen, width, height, { clocks, turn, key, distance, target, score, chosen }, looks) {
  const isNarrow = width < 480;
  const [from, to] = reachOf(Math.abs(target) > Math.abs(distance) ? target : distance);
  const x = (/** @type {number} */ at) => LEFT + ((at - from) / (to - from)) * (width - LEFT - 10);
  const title =
    turn === "q" ? `score at every distance, with the key at ${key}` : "score at every distance, wherever the key stands";
  const columns = Math.floor(width - LEFT);
  const isDense = to - from > columns; // then a column holds several distances, and the curve is a band from its lowest to its highest
  const steps = isDense ? Math.floor(Math.min(columns / 4, (to - from) / ROUND)) : columns;
  const all = envelope((at) => scoreAt(clocks, turn, key + at, key), from, to, steps);
  const isChosen = chosen !== null && clocks[chosen];
  const own = isChosen ? envelope((at) => termAt(clocks[chosen], turn, key + at, key), from, to, steps) : [];
  // As high as what is drawn. The sum of all hands would rarely be reached.
  const drawn = [...all, ...own];
  const high = Math.max(0.1, score, ...drawn.map((one) => one.high)) * 1.05;
  const low = Math.min(-0.1, score, ...drawn.map((one) => one.low)) * 1.05;
  const y = (/** @type {number} */ value) => TOP + ((high - value) / (high - low)) * (height - TOP - BOTTOM);
  const short = title.split(",")[0] + (turn === "q" ? `, key at ${key}` : "");
  write(pen, `${isNarrow ? short : title}${isDense ? ": its range" : ""}`, 0, 8, {
    colour: looks.ink,
    weight: 600,
  });
  pen.strokeStyle = looks.line;
  pen.lineWidth = 1;
  pen.beginPath();
  const most = Math.max(high, -low);
  const unit = UNITS.findLast((one) => one < 0.75 * most) ?? most;
  const marks = [0, unit, -unit].filter((value) => value <= high && value >= low);
  for (const value of marks) {
    pen.moveTo(LEFT, y(value));
    pen.lineTo(width, y(value));
  }
  pen.globalAlpha = 0.5;
  pen.stroke();
  pen.globalAlpha = 1;
  for (const value of marks)
    write(pen, number(value, Number.isInteger(value) ? 0 : 1), LEFT - 5, y(value), {
      colour: looks.quiet,
      size: 11,
      align: "right",
    });
  const ticks = from < 0 ? [from, from / 2, 0, to / 2, to] : [0, to / 4, to / 2, (3 * to) / 4, to];
  for (const at of ticks) {
    const align = at === ticks[0] ? "left" : at === to ? "right" : "center";
    write(pen, String(at).replace("-", "−"), x(at), height - 7, { colour: looks.quiet, size: 11, align });
  }
  const free = isNarrow && from === 0 ? 0 : 1; // between this mark and the next one
  write(pen, "distance", (x(ticks[free]) + x(ticks[free + 1])) / 2, height - 7, {
    ...{ colour: looks.quiet, size: isNarrow ? 11 : 12, align: "center" },
  });
  if (isChosen) {
    pen.setLineDash([4, 3]);
    if (isDense) band(pen, own, x, y, looks.quiet);
    else line(pen, own, x, y, looks.ink, 1.5);
    pen.setLineDash([]);
  }
  if (isDense) {
    pen.fillStyle = looks.faint;
    pen.beginPath();
    for (const one of all) pen.lineTo(x(one.at), y(one.high));
    for (const one of all.toReversed()) pen.lineTo(x(one.at), y(one.low));
    pen.fill();
    band(pen, all, x, y, looks.quiet);
  } else {
    fillBySign(pen, all, x, y, width);
    line(pen, all, x, y, looks.ink, 1.5);
  }
  if (to - from <= 64) {
    pen.fillStyle = looks.ink;
    for (const at of range(to - from + 1))
      pen.fillRect(x(from + at) - 1.5, y(scoreAt(clocks, turn, key + from + at, key)) - 1.5, 3, 3);
  }
  pen.strokeStyle = looks.quiet;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x(distance), TOP);
  pen.lineTo(x(distance), height - BOTTOM);
  pen.stroke();
  pen.fillStyle = looks.ink;
  pen.beginPath();
  pen.arc(x(distance), y(score), 5, 0, 7);
  pen.fill();
  const text = `${isNarrow ? "" : "score "}${score2(score)}`;
  const isRight = x(distance) + LABEL < width;
  pen.lineWidth = 4;
  pen.strokeStyle = looks.paper;
  pen.font = "700 13px system-ui, sans-serif";
  pen.textAlign = isRight ? "left" : "right";
  const [start, end] = isRight ? [x(distance), x(distance) + LABEL] : [x(distance) - LABEL, x(distance)];
  const beside = all.filter((one) => x(one.at) > start - 12 && x(one.at) < end + 12);
  const [above, below] = [
    Math.min(y(score), ...beside.map((one) => y(one.high))) - 13,
    Math.max(y(score), ...beside.map((one) => y(one.low))) + 13,
  ];
  const isAbove = above >= TOP + 4 && (y(score) - above < below - y(score) || below > height - BOTTOM - 8);
  const within = isDense
    ? [Math.max(...beside.map((one) => y(one.high))) + 10, Math.min(...beside.map((one) => y(one.low))) - 10]
    : [0, -1];
  const row =
    within[0] < within[1] // in the band, and off its edges
      ? clamp(y(score), within[0], within[1])
      : isNarrow
        ? y(score)
        : isAbove
          ? above
          : Math.min(below, height - BOTTOM - 8);
  const at = /** @type {const} */ ([x(distance) + (isRight ? 10 : -10), row]);
  pen.strokeText(text, ...at);
  write(pen, text, ...at, { colour: looks.ink, weight: 700, size: 13, align: isRight ? "left" : "right" });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof envelope>} points
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} colour
 * @param {number} thick
 */
function line(pen, points, x, y, colour, thick) {
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.lineJoin = "round";
  pen.beginPath();
  points.forEach(({ at, low, high }, n) => {
    if (n) pen.lineTo(x(at), y(low));
    else pen.moveTo(x(at), y(low));
    if (high > low) pen.lineTo(x(at), y(high));
  });
  pen.stroke();
}

/**
 * What is between the curve and 0: orange above, blue below, as the terms.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof envelope>} points
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} width
 */
function fillBySign(pen, points, x, y, width) {
  for (const [colour, top, high] of /** @type {[string, number, number][]} */ ([
    [POSITIVE, 0, y(0)],
    [NEGATIVE, y(0), 999],
  ])) {
    pen.save();
    pen.beginPath();
    pen.rect(0, top, width, high);
    pen.clip();
    pen.fillStyle = colour;
    pen.globalAlpha = 0.4;
    pen.beginPath();
    for (const one of points) pen.lineTo(x(one.at), y(one.high));
    for (const one of [points[points.length - 1], points[0]]) pen.lineTo(x(one.at), y(0));
    pen.fill();
    pen.restore();
  }
}

/**
 * From the least to the largest value in each column, where a line would go up and down in every pixel.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {ReturnType<typeof envelope>} points
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} colour
 */
function band(pen, points, x, y, colour) {
  const high = points.map((one) => /** @type {const} */ ([x(one.at), y(one.high)]));
  const low = points.map((one) => /** @type {const} */ ([x(one.at), y(one.low)]));
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.lineJoin = "round";
  for (const edge of [high, low]) {
    pen.beginPath();
    for (const at of edge) pen.lineTo(...at);
    pen.stroke();
  }
}
