// The lane below the operands: two numbers come down into it, meet, and their product goes into the result.

import { write } from "../kit/canvas.js";
import { clamp, product } from "../kit/math.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { plain, tile } from "./ink.js";
import { boxOf } from "./layout.js";
import { paintShares, paintSum } from "./sums.js";
import { nounOf } from "./words.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./ink.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const SIGN = 16; // the room of a sign between two numbers

/** The box of a number of a tensor. @param {Picture} picture @param {number} side @param {number} n */
function boxOfNumber({ plan }, side, n) {
  const place = plan.places[side];
  if (!place) throw new Error("This formula has one tensor.");
  return boxOf(place, n);
}

/** @param {Box} a @param {Box} b @param {number} n @returns {Box} */
const moved = (a, b, n) => ({ x: mix(a.x, b.x, n), y: mix(a.y, b.y, n), w: mix(a.w, b.w, n), h: mix(a.h, b.h, n) });

/**
 * The places in the lane: one for each factor, and one for their product if there are two. The second factor stands below its number in the
 * matrix.
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
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintLane(pen, picture, scene) {
  const { plan, results, look } = picture;
  const { moment, trace, pair, isFast, isStill } = scene;
  if (isStill) return;
  const { x, y, w, h } = plan.lane;
  const whole = summedIn(picture, scene);
  if (whole !== null && (paintShares(pen, picture, whole) || paintSum(pen, picture, whole))) return;
  const text = textOf(picture, scene);
  if (text) {
    write(pen, text, x + w / 2, y + h / 2, { colour: look.ink, weight: 600, align: "center" });
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

  if (come > 0)
    pair.forEach((at, side) => {
      const box = moved(boxOfNumber(picture, side, at), slot(side), come);
      tile(pen, picture, box, side, at, values[side]);
    });
  if (count > 1) {
    pen.globalAlpha = meet;
    write(pen, "·", slot(1).x - SIGN / 2, y + h / 2, { colour: look.ink, size: 16, weight: 700, align: "center" });
    const isFalling = fall > 0 && fall < 1;
    if (!isFalling) write(pen, "=", last.x - SIGN / 2, y + h / 2, { colour: look.ink, size: 14, align: "center" });
    if (meet > 0 && !isFalling) plain(pen, picture, last, added);
    pen.globalAlpha = 1;
  }
  if (fall > 0 && fall < 1) plain(pen, picture, moved(last, goal, fall), added);
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

/** What the lane says of a nudge, where each result that changes has one number to be multiplied with. @param {Picture} picture @param {Scene} scene */
function textOf({ names, formula }, { trace, isNudge }) {
  if (!trace || !isNudge) return "";
  const own = formula.tensors[trace.side];
  const other = formula.tensors[1 - trace.side];
  const hasOne = other && [...other].every((letter) => own.includes(letter) || formula.result.includes(letter));
  const noun = nounOf(/** @type {import("./words.js").Names} */ (names));
  return hasOne ? `each ${noun} changes by its ${names[1 - trace.side]} × (+1)` : "";
}
