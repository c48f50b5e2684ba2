// The lane between the factors and the result: two numbers come down into it, meet, and their product falls into the result.

import { FONT, write } from "../kit/canvas.js";
import { clamp, product } from "../kit/math.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { shapeOf, summedLetters } from "./formula.js";
import { fill, number, shadeOf } from "./ink.js";
import { boxOf } from "./layout.js";
import { indexOf } from "./model.js";
import { termsOf } from "./pin.js";
import { nounOf } from "./words.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./ink.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const LONGEST = 47; // letters: a longer line does not fit a phone
const MOST = 6; // products that are drawn as a sum
const SIGN = 16; // the room of a sign between two numbers

/** Where a tensor is drawn. @param {Picture} picture @param {number} side */
function placeOf({ plan }, side) {
  const place = plan.places[side];
  if (!place) throw new Error("This formula has one tensor.");
  return place;
}

/** The box of a number in the large table of its tensor. @param {Picture} picture @param {number} side @param {number} n */
function boxOfNumber(picture, side, n) {
  const place = placeOf(picture, side);
  const [, , R, C] = place.sizes;
  return boxOf(place, Math.floor(n / C) % R, n % C);
}

/** @param {Box} a @param {Box} b @param {number} n @returns {Box} */
const moved = (a, b, n) => ({ x: mix(a.x, b.x, n), y: mix(a.y, b.y, n), w: mix(a.w, b.w, n), h: mix(a.h, b.h, n) });

/**
 * The places in the lane: one for each factor, and one for their product if there are two. The second factor stands below its number in the
 * table, so that no line lies on the boxes.
 *
 * @param {Picture} picture
 * @param {readonly number[]} pair the numbers of the factors
 */
function slotsOf(picture, pair) {
  const { lane } = picture.plan;
  const wide = Math.max(lane.h, 26);
  const count = pair.length > 1 ? pair.length + 1 : 1;
  const whole = count * wide + (count - 1) * SIGN;
  const from = pair.length > 1 ? boxOfNumber(picture, 1, pair[1]) : null;
  const wanted = from ? from.x + from.w / 2 - 1.5 * wide - SIGN : lane.x + (lane.w - whole) / 2;
  const left = clamp(wanted, lane.x, Math.max(lane.x, lane.x + lane.w - whole - 2));
  return { count, slot: (/** @type {number} */ n) => ({ x: left + n * (wide + SIGN), y: lane.y, w: wide, h: lane.h }) };
}

/**
 * Lines from the factors into the lane and from there to the number of the result, at rest.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintThreads(pen, picture, { moment, trace, pair, isFast }) {
  if (trace || isFast || moment.part < 1) return;
  const { slot, count } = slotsOf(picture, pair);
  const first = slot(0);
  /** From, its y, to, its y: from below the column of a factor into the lane, and from there to the column of the result. */
  /** @type {[Box, number, Box, number][]} */
  const lines = pair.map((at, side) => {
    const { sheet, sizes } = placeOf(picture, side);
    const to = side ? slot(side) : first;
    return [boxOfNumber(picture, side, at), sheet.y + sizes[2] * sheet.p, to, to.y];
  });
  const last = slot(count - 1);
  const goal = boxOfNumber(picture, 2, moment.result);
  const { sheet: table, title } = placeOf(picture, 2);
  if (title.x < table.x)
    // else the line would go through the name of the result
    lines.push([last, last.y + last.h, goal, table.y - 20]); // to the index of its column, so that no number is covered
  pen.strokeStyle = picture.look.quiet;
  pen.lineWidth = 1.5;
  for (const [from, y, to, v] of lines) {
    const [x, u] = [from.x + from.w / 2, to.x + to.w / 2];
    const bend = (v - y) / 2;
    const middle = to.y + to.h / 2;
    pen.beginPath();
    pen.moveTo(x, y);
    if (to === first && x < to.x - 12)
      pen.quadraticCurveTo(x, middle, to.x, middle); // below the table of the second factor
    else pen.bezierCurveTo(x, y + bend, u, v - bend, u, v);
    pen.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintLane(pen, picture, scene) {
  const { plan, results, look } = picture;
  const { moment, trace, pair, isFast } = scene;
  const { x, y, w, h } = plan.lane;
  const whole = summedIn(picture, scene);
  if (whole !== null && (paintShares(pen, picture, whole) || paintSum(pen, picture, whole))) return;
  const text = textOf(picture, scene);
  if (text) {
    pen.font = `600 12px ${FONT}`;
    const half = pen.measureText(text).width / 2 + 1;
    write(pen, text, clamp(x + w / 2, half, plan.width - half), y + h / 2, { colour: look.ink, weight: 600, align: "center" });
  }
  if (trace || isFast || moment.part === 0) return;
  const { slot, count } = slotsOf(picture, pair);
  const values = pair.map((at, side) => results[side ? "right" : "left"]?.[at] ?? 0);
  const added = product(values);
  const come = progress(moment.part, 0.06, 0.42, swing);
  const meet = progress(moment.part, 0.42, 0.56, soft);
  const fall = progress(moment.part, 0.62, 1, swing);
  const goal = boxOfNumber(picture, 2, moment.result);
  const last = slot(count - 1);

  // A number comes out from below its table and goes along the lane, so that it never lies on another one.
  pair.forEach((at, side) => {
    if (come <= 0) return;
    const { sheet, sizes } = placeOf(picture, side);
    const [low, to] = [sheet.y + sizes[2] * sheet.p, slot(side)];
    const from = { ...boxOfNumber(picture, side, at), y: low - sheet.p };
    const box = { ...moved(from, to, progress(come, 0.4, 1)), y: mix(from.y, to.y, progress(come, 0, 0.5)) };
    within(pen, [low + 1, plan.height], plan.width, () => tile(pen, picture, box, side, at, values[side]));
  });
  if (count > 1) {
    pen.globalAlpha = meet;
    write(pen, "·", slot(1).x - SIGN / 2, y + h / 2, { colour: look.ink, size: 16, weight: 700, align: "center" });
    const isFalling = fall > 0 && fall < 1;
    if (!isFalling) write(pen, "=", last.x - SIGN / 2, y + h / 2, { colour: look.ink, size: 14, align: "center" });
    if (meet > 0 && !isFalling) plain(pen, picture, last, added);
    pen.globalAlpha = 1;
  }
  if (fall <= 0 || fall >= 1) return;
  // The product goes along the upper edge of the result, and below that into its number, which fills up.
  const { sheet } = placeOf(picture, 2);
  const rail = { ...goal, y: sheet.y - 20 - sheet.p };
  const box =
    fall < 0.7
      ? { ...moved(last, rail, progress(fall, 0.2, 0.7)), y: mix(last.y, rail.y, progress(fall, 0, 0.3)) }
      : moved(rail, { ...goal, y: sheet.y + 2 }, progress(fall, 0.7, 1));
  within(pen, [0, sheet.y], plan.width, () => plain(pen, picture, box, added));
}

/** Draw only between two heights. @param {CanvasRenderingContext2D} pen @param {[number, number]} heights @param {number} width @param {() => void} draw */
function within(pen, [from, to], width, draw) {
  pen.save();
  pen.beginPath();
  pen.rect(0, from, width, to - from);
  pen.clip();
  draw();
  pen.restore();
}

/**
 * The result that is drawn as a sum: one that is explained, or that has just been completed.
 *
 * @param {Picture} picture
 * @param {Scene} scene
 */
function summedIn({ formula }, { moment, trace, isFast, isRunning }) {
  if (moment.terms < 2 || formula.tensors.length < 2) return null;
  if (trace) return trace.side === 2 ? trace.n : null;
  return isFast && !isRunning ? moment.result : null;
}

/** The letters that are added up across several tables of a tensor. @param {Picture} picture */
const acrossOf = ({ formula }) =>
  [...summedLetters(formula)].filter((letter) => formula.tensors.some((own) => own.slice(0, -2).includes(letter))).join("");

/**
 * What a result gets from each table, and what that adds up to: so one sees that heads are added together. Returns whether it has been
 * drawn: one letter is added up across tables, and there is room.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} n
 */
function paintShares(pen, picture, n) {
  const { plan, results, look, formula, settings, names } = picture;
  const { y, h } = plan.lane;
  const x = plan.corner.w;
  const letter = acrossOf(picture);
  const summed = summedLetters(formula);
  const count = letter.length === 1 ? shapeOf(letter, settings)[0] : 0;
  if (count < 2 || count > MOST) return false;
  const { terms } = termsOf(formula, settings, n, Infinity);
  const sums = Array(count).fill(0);
  for (const [term, [p, q]] of terms.entries())
    sums[indexOf(term, shapeOf(summed, settings))[summed.indexOf(letter)]] += results.left[p] * (results.right?.[q] ?? 0);
  const own = formula.tensors.flatMap((axes, side) => (axes.includes(letter) ? [`${names[side]} `] : []));
  const word = { b: "sentence", g: "head", h: "head" }[letter] ?? letter;
  const room = plan.width - x - 4;
  const [wide, sign] = [30, room < 400 ? 18 : 24];
  pen.font = `600 12px ${FONT}`;
  const long = (/** @type {string} */ text) => pen.measureText(`${text} 0`).width + 5;
  const name = [`${own.length < 2 ? own : ""}${word}`, letter].find((text) => count * (long(text) + wide + sign) + wide <= room);
  if (!name) return false;
  const colour = look.axes[letter.toUpperCase()];
  let left = x + (room - count * (long(name) + wide + sign) - wide) / 2;
  const middle = y + h / 2;
  const between = long(name);
  sums.forEach((sum, at) => {
    write(pen, `${name} ${at}`, left, middle, { colour, weight: 600 });
    plain(pen, picture, { x: left + between, y, w: wide, h }, sum, colour);
    left += between + wide + sign;
    write(pen, at + 1 < count ? "+" : "=", left - sign / 2, middle, { colour: look.ink, size: 15, weight: 700, align: "center" });
  });
  tile(pen, picture, { x: left, y, w: wide, h }, 2, n, results.result[n]);
  return true;
}

/**
 * All factors of a result, in pairs, and what they add up to. Returns whether they are few enough to be drawn.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} n
 */
function paintSum(pen, picture, n) {
  const { plan, results, look, formula, settings } = picture;
  const { x, y, w, h } = plan.lane;
  const { count, terms } = termsOf(formula, settings, n, MOST);
  if (count > MOST) return false;
  const room = Math.min(w, plan.width - x - 4);
  const narrow = room < 400;
  const [dot, plus] = narrow ? [9, 15] : [12, 22];
  const signs = terms.length * (dot + plus);
  const wide = Math.min(34, (room - signs) / (2 * terms.length + 1));
  let left = x + (room - signs - wide * (2 * terms.length + 1)) / 2;
  /** @param {string} text @param {number} long */
  const sign = (text, long) => {
    write(pen, text, left + long / 2, y + h / 2, { colour: look.ink, size: 15, weight: 700, align: "center" });
    left += long;
  };
  /** @param {number} side @param {number} at */
  const factor = (side, at) => {
    tile(pen, picture, { x: left, y, w: wide, h }, side, at, results[["left", "right", "result"][side]][at]);
    left += wide;
  };
  terms.forEach(([p, q], term) => {
    if (term) sign("+", plus);
    factor(0, p);
    sign("·", dot);
    factor(1, q);
  });
  sign("=", plus);
  factor(2, n);
  return true;
}

/** What the lane says where no product falls through it. @param {Picture} picture @param {Scene} scene */
function textOf(picture, { moment, trace, marks, isNudge, isFast }) {
  const { results, names, formula, settings } = picture;
  const { terms } = moment;
  if (isFast) {
    if (formula.tensors.length < 2) return "";
    if (terms === 1) return "each product is a result";
    const tables = product(shapeOf(acrossOf(picture), settings));
    return tables > 1 ? `${terms} products from ${tables} matrices add up` : `${terms} products add up to one number`;
  }
  if (!trace) return "";
  if (trace.side === 2) return terms > 1 ? `${terms} ${formula.tensors.length > 1 ? "products" : "numbers"}, added up` : "";
  const count = `${marks[2]?.size ?? 0} of ${results.result.length}`;
  if (!isNudge) return `it goes into ${count}`;
  const own = formula.tensors[trace.side];
  const other = formula.tensors[1 - trace.side];
  const hasOne = other && [...other].every((letter) => own.includes(letter) || formula.result.includes(letter)); // factor in each result
  const noun = nounOf(/** @type {import("./words.js").Names} */ (names));
  const what = `${names[trace.side]} + 1 changes ${count} ${noun}s`;
  const whole = `each ${noun} changes by its framed ${names[1 - trace.side]} × (+1)`;
  return hasOne && whole.length <= LONGEST ? whole : what;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {number} side @param {number} n @param {number} value */
function tile(pen, picture, box, side, n, value) {
  const { fills, ink } = shadeOf(picture, side, n, value);
  fill(pen, box, fills);
  outline(pen, picture, box);
  number(pen, box, value, ink);
}

/** A product: it has no colour yet, because it is not the result. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {number} value @param {string} [colour] of its frame */
function plain(pen, picture, box, value, colour) {
  fill(pen, box, [picture.look.paper]);
  outline(pen, picture, box, colour);
  number(pen, box, value, picture.look.ink);
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {string} [colour] */
function outline(pen, { look }, { x, y, w, h }, colour = look.ink) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.strokeRect(x, y, w, h);
}
