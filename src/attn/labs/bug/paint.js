// BugLab's picture: the weights of a head, or y, of the wrong line of code, and dots around the weights that the rule allows. When the line is
// said, the table of the right line comes out of this one: cells whose numbers are others turn over, one row after the other; what a wrong
// merge has written elsewhere flies to its place. In the wrong one the rest fades, and a line stands around what betrays the line of code.

import { penFor, write } from "../kit/canvas.js";
import { clamp, range } from "../kit/math.js";
import { inTurn } from "../kit/moves.js";
import { SIZES } from "../kit/reader.js";
import { magnitude } from "../kit/scale.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { contour, mark, paintCell, paintGuess, writer } from "./cells.js";
import { frame, paintWords, title } from "./labels.js";
import { partedAt } from "./layout.js";
import { FAR, sizesOf } from "./model.js";
import { paintParts } from "./parts.js";
import { allows, breaks, isBreak, isOfY, wordsOf } from "./words.js";

export const TURNED = 0.8; // the part of a move in which cells turn over, or fly
const PARTED = 0.32; // and before that, the one in which one table becomes two
const FAINT = 0.25; // how strong the colour of a cell is that is as it should be

/**
 * @typedef {object} Picture
 * @property {import("./layout.js").Plan} plan
 * @property {import("./model.js").State} state
 * @property {import("./model.js").Results} results
 * @property {import("./words.js").Shown} line whose numbers are drawn
 * @property {Record<string, string>} colours of axes, paper, ink, verdicts and the largest weight
 * @property {import("./model.js").Parts | null} parts whose places are drawn as y
 * @property {import("./layout.js").Place | null} pointed
 * @property {Guess[]} guesses of the reader
 * @property {ReturnType<typeof import("./model.js").promptOf>} prompt
 */

/** @typedef {[place: import("./layout.js").Place, verdict: string]} Guess a cell, and what is said of it, ✓ or ✗ first */
/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {{ rows: number, offset: number, columns: number, values: ArrayLike<number>, right: ArrayLike<number> | null }} Table */

/**
 * A table as one of the lines computes it; null if that is an error. right: the numbers of the right line, if there are as many.
 *
 * @param {Picture} picture
 * @param {number} table
 * @param {"right" | "wrong"} line
 * @returns {Table | null}
 */
export function tableOf({ plan, state, results }, table, line) {
  const isY = isOfY(state, table);
  const name = isY ? "y" : "weights";
  const { queries, keys } = wordsOf(state);
  const shape =
    line === "wrong"
      ? results.shapes[name]
      : isY
        ? [queries.length, SIZES.E]
        : [sizesOf(state.given).H, queries.length, keys.length];
  const all = line === "wrong" ? results[name] : results[`right_${name}`];
  if (!shape || !all) return null;
  const [rows, columns] = shape.slice(-2);
  const cut = (/** @type {ArrayLike<number>} */ of) =>
    isY ? of : Array.prototype.slice.call(of, table * rows * columns, (table + 1) * rows * columns);
  const isAlike = rows === queries.length && columns === (isY ? SIZES.E : keys.length);
  const right = isAlike ? cut(results[`right_${name}`]) : null;
  return { rows, columns, offset: plan.rows - rows, values: cut(all), right };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {number} n how much of the move has passed
 */
export function paint(canvas, picture, n) {
  const pen = penFor(canvas, picture.plan.width, picture.plan.height);
  const parted = progress(n, 0, PARTED, swing);
  const plan = partedAt(picture.plan, parted);
  const { colours } = picture;
  const now = { ...picture, plan };
  const [wrong, right] = plan.slots;
  paintWords(pen, now, wrong, true, 1);
  paintTable(pen, now, wrong, n, true);
  if (!right) return;
  pen.fillStyle = colours.paper; // it comes out from before the wrong one
  pen.fillRect(right.x, right.y, plan.columns * right.w, plan.rows * right.h);
  paintWords(pen, now, right, false, progress(n, 0.7 * PARTED, PARTED, soft));
  paintTable(pen, now, right, n, false);
  pen.globalAlpha = progress(n, PARTED, TURNED, soft); // until then it has numbers of the wrong one
  title(pen, plan, right, "right", colours.good);
  pen.globalAlpha = parted;
  title(pen, plan, wrong, "wrong", colours.bad);
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Slot} slot @param {number} n @param {boolean} isWrong */
function paintTable(pen, picture, slot, n, isWrong) {
  const { plan, state, line, results, colours, parts, pointed, guesses } = picture;
  const isUnknown = line === "unknown";
  const flown = progress(n, PARTED, TURNED, (t) => t);
  const framed = progress(n, TURNED - 0.1, 1, soft);
  const isEmpty = isWrong && results.message !== "";
  frame(pen, plan, slot, colours.ink, isEmpty);
  if (!plan.isY && !isEmpty) {
    const { length: rows } = wordsOf(state).queries;
    const room = { rows, columns: wordsOf(state).keys.length, offset: plan.rows - rows };
    pen.setLineDash([1, 4]);
    if (isWrong && !isUnknown && breaks(state, results)) pen.globalAlpha = 1 - framed; // what breaks it has the only line
    contour(pen, plan, slot, room, (i, j) => allows(state, i, j), colours.ink, 2);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }
  if (plan.isOfParts && parts) paintParts(pen, picture, parts, slot, isWrong, { appeared: n, flown, framed });
  else paintNumbers(pen, picture, slot, isWrong, { appeared: n, flown, framed });
  if (pointed && !isEmpty) mark(pen, plan.cell(slot, pointed[2], pointed[3]));
  for (const [[, table, i, j], verdict] of isUnknown ? guesses : [])
    if (table === plan.seen) paintGuess(pen, plan.cell(slot, i, j), verdict[0], colours);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Slot} slot
 * @param {boolean} isWrong
 * @param {{ appeared: number, flown: number, framed: number }} passed how much of each part of the move has passed
 */
function paintNumbers(pen, picture, slot, isWrong, { appeared, flown, framed }) {
  const { plan, line, results, colours } = picture;
  const wrong = tableOf(picture, plan.seen, "wrong");
  const shown = isWrong ? wrong : tableOf(picture, plan.seen, "right");
  if (!shown) {
    const middle = plan.cell(slot, plan.rows / 2, plan.columns / 2);
    return void write(pen, "no numbers: an error", middle.x, middle.y, {
      colour: colours.luck,
      size: 14,
      weight: 700,
      align: "center",
    });
  }
  const { weights, y } = results.moved;
  const isFading = isWrong && line === "wrong" && (weights !== 0 || y !== 0); // if nothing changes, nothing stands out
  const scale = plan.isY ? magnitude(results.right_y) : null;
  const hasOther = wrong?.right ? wrong : null; // what the cells turn from
  const least = scale === null ? 13 : 11; // signed numbers have less room
  const size = clamp(slot.w / 7, least, least + 3);
  const writeNumber = writer(pen, { w: slot.w, h: slot.h, size }, shown.values, scale === null);
  const isChanged = (/** @type {number} */ at) => (hasOther ? differs(hasOther.values[at], hasOther.right?.[at] ?? 0) : isWrong);
  const faint = isFading ? mix(1, FAINT, framed) : 1;
  for (const i of range(shown.rows)) {
    const turned = inTurn(flown, i, shown.rows, 0.5);
    pen.globalAlpha = line === "unknown" ? inTurn(appeared, i, shown.rows, 0.5) : isWrong || hasOther ? 1 : soft(appeared);
    for (const j of range(shown.columns)) {
      const at = i * shown.columns + j;
      const isTurning = !isWrong && hasOther && isChanged(at);
      const width = isTurning ? Math.abs(Math.cos(Math.PI * turned)) : 1;
      const value = isTurning && turned <= 0.5 ? hasOther.values[at] : shown.values[at];
      const box = { ...plan.cell(slot, i + shown.offset, j), size };
      paintCell(pen, box, width, value, scale, isChanged(at) ? 1 : faint, colours, writeNumber);
    }
  }
  pen.globalAlpha = 1;
  if (!isFading) return;
  const hasRule = scale === null && breaks(picture.state, results);
  /** What breaks a rule is framed, else all that differs. @param {number} i @param {number} j */
  const isFramed = (i, j) => {
    const at = i * shown.columns + j;
    return hasRule ? isBreak(hasOther?.values[at] ?? 0, hasOther?.right?.[at] ?? 0) : isChanged(at);
  };
  pen.globalAlpha = framed;
  contour(pen, plan, slot, shown, isFramed, colours.bad, 2.5);
  pen.globalAlpha = 1;
}

/** Whether a number is not the right one. @param {number} value @param {number} right */
const differs = (value, right) => !(Math.abs(value - right) <= FAR);
