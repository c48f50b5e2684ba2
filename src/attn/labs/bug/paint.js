// BugLab's picture: the weights of a head, or y, of the wrong line of code, and dots around the weights that the rule allows. When the line is
// said, this table leaves its place to the one of the right line. There cells whose numbers are others turn over, one row after the other; what
// a wrong merge has written elsewhere flies to its place. Then a red line stands around what is wrong.

import { penFor, write } from "../kit/canvas.js";
import { clamp, range } from "../kit/math.js";
import { inTurn } from "../kit/moves.js";
import { SIZES } from "../kit/reader.js";
import { magnitude } from "../kit/scale.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { contour, mark, paintCell, paintGuess, writer } from "./cells.js";
import { frame, paintMask, paintWords, title } from "./labels.js";
import { partedAt } from "./layout.js";
import { FAR } from "./model.js";
import { paintParts } from "./parts.js";
import { allows, breachOf, leaks } from "./rules.js";
import { captionOf, wordsOf } from "./words.js";

export const TURNED = 0.8; // the part of a move in which cells turn over, or fly
const PARTED = 0.25; // and before that, the one in which the wrong table leaves its place
const COME = 0.4; // and then the right one comes
const FAINT = 0.3; // how strong the colour of a cell is that was computed before

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
 * @property {ReturnType<typeof import("./model.js").masksOf>} masks whose row is below each table
 */

/** @typedef {[place: import("./layout.js").Place, verdict: string]} Guess a cell, and what is said of it, ✓ or ✗ first */
/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {{ rows: number, offset: number, old: number, columns: number, values: (number | null)[] }} Table */

/**
 * The table that is seen, as one of the lines computes it; null if that is an error. old: how many rows were computed before, of the words
 * before the new one; null where there was no key yet.
 *
 * @param {Picture} picture
 * @param {"right" | "wrong"} line
 * @returns {Table | null}
 */
export function tableOf({ plan, state, results, prompt }, line) {
  const { seen, isY } = plan;
  const name = isY ? "y" : "weights";
  const { queries, keys } = wordsOf(state);
  const wanted = [queries.length, isY ? SIZES.E : keys.length];
  const isWrong = line === "wrong";
  const [shape, all] = isWrong ? [results.shapes[name], results[name]] : [wanted, results[`right_${name}`]];
  if (!shape || !all) return null;
  const [rows, columns] = shape.slice(-2);
  const before = (String([rows, columns]) === String(wanted) && prompt?.[line][name]?.data) || [];
  const old = before.length ? plan.rows - rows : 0;
  /** @param {ArrayLike<number>} data @param {number} height @param {number} width @param {number} i @param {number} j */
  const at = (data, height, width, i, j) => (j < width ? data[((isY ? 0 : seen * height) + i) * width + j] : null);
  const values = range(old + rows).flatMap((i) =>
    range(columns).map((j) => (i < old ? at(before, old, isY ? columns : old, i, j) : at(all, rows, columns, i - old, j))),
  );
  return { rows: old + rows, columns, old, offset: plan.rows - rows - old, values };
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
  if (right && n > PARTED) {
    paintWords(pen, now, right, false);
    paintTable(pen, now, right, n, false);
    pen.fillStyle = colours.paper;
    pen.globalAlpha = 1 - progress(n, PARTED, COME, soft);
    pen.fillRect(right.x - plan.left, 0, plan.width, plan.height);
    pen.globalAlpha = progress(n, COME, TURNED, soft); // until then it has numbers of the wrong one
    title(pen, plan, right, "right", colours.good);
    pen.globalAlpha = 1;
  }
  paintWords(pen, now, wrong, true);
  paintTable(pen, now, wrong, n, true);
  if (right) title(pen, plan, wrong, "wrong", colours.bad);
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Slot} slot @param {number} n @param {boolean} isWrong */
function paintTable(pen, picture, slot, n, isWrong) {
  const { plan, state, line, results, colours, parts, masks, pointed, guesses } = picture;
  const isUnknown = line === "unknown";
  const flown = progress(n, COME, TURNED, (t) => t);
  const isTold = !isUnknown && captionOf(state, results, plan.seen).kind === "bad";
  const framed = isTold ? progress(n, TURNED - 0.1, 1, soft) : 0;
  const isEmpty = isWrong && results.message !== "";
  frame(pen, plan, slot, colours.ink, isEmpty);
  if (!plan.isY && !isEmpty) {
    const { length: rows } = wordsOf(state).queries;
    const room = { rows, columns: wordsOf(state).keys.length, offset: plan.rows - rows };
    pen.setLineDash([1, 4]);
    contour(pen, plan, slot, room, (i, j) => allows(state, i, j), colours.ink, 2);
    pen.setLineDash([]);
  }
  if (plan.isOfParts && parts) paintParts(pen, picture, parts, slot, isWrong, { appeared: n, flown, framed });
  else paintNumbers(pen, picture, slot, isWrong, { appeared: n, flown, framed });
  if (masks?.isRow) {
    pen.globalAlpha = flown;
    paintMask(pen, plan, slot, masks[isWrong ? "wrong" : "right"], colours);
    pen.globalAlpha = 1;
  }
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
  const { plan, state, line, results, colours } = picture;
  const [right, wrong] = [tableOf(picture, "right"), tableOf(picture, "wrong")];
  const shown = isWrong ? wrong : right;
  if (!shown) {
    const middle = plan.cell(slot, plan.rows / 2, plan.columns / 2);
    return void write(pen, "no numbers: an error", middle.x, middle.y, {
      colour: colours.luck,
      size: 14,
      weight: 700,
      align: "center",
    });
  }
  const isUnknown = line === "unknown";
  const numbers = /** @type {number[]} */ ([right, wrong].flatMap((one) => (one ? Array.from(one.values) : [])));
  const scale = plan.isY ? magnitude(numbers) : null;
  const sizesOf = (/** @type {Table | null} */ of) => String([of?.rows, of?.columns, of?.old]);
  const isAlike = sizesOf(wrong) === sizesOf(right); // then cells turn
  const least = scale === null ? 13 : 11; // signed numbers have less room
  const size = clamp(slot.w / 7, least, least + 3);
  const writeNumber = writer(pen, { w: slot.w, h: slot.h, size }, numbers, scale === null);
  const isChanged = (/** @type {number} */ at) => (isAlike ? differs(wrong?.values[at], right?.values[at]) : isWrong);
  const old = mix(1, FAINT, isUnknown ? progress(appeared, 0, 0.5) : 1); // as in the prompt, then as before the new word
  for (const i of range(shown.rows)) {
    const isOld = i < shown.old;
    const turned = inTurn(flown, i, shown.rows, 0.5);
    const isThere = isOld || (!isUnknown && (isWrong || isAlike));
    const come = isThere ? 1 : soft(inTurn(appeared, i - shown.old, shown.rows - shown.old, 0.5));
    pen.globalAlpha = come;
    for (const j of range(shown.columns)) {
      const at = i * shown.columns + j;
      const isTurning = !isWrong && isAlike && isChanged(at);
      const width = isTurning ? Math.abs(Math.cos(Math.PI * turned)) : 1;
      const value = (isTurning && turned <= 0.5 ? wrong : shown)?.values[at] ?? null;
      if (value === null) continue;
      const box = { ...plan.cell(slot, i + shown.offset, j), size };
      box.y += ((1 - come) * slot.h) / 2; // a row is appended from below
      paintCell(pen, box, width, value, scale, isOld ? old : 1, colours, writeNumber);
    }
  }
  pen.globalAlpha = 1;
  if (!framed || !isWrong) return;
  const isLeaking = leaks(state, results, plan.seen);
  /** What breaks a rule is framed, else all that is wrong. @param {number} i @param {number} j */
  const isFramed = (i, j) => {
    const at = i * shown.columns + j;
    if (i < shown.old) return false;
    return isLeaking ? Boolean(breachOf(state, i, j, wrong?.values[at] ?? 0, right?.values[at] ?? 0)) : isChanged(at);
  };
  pen.globalAlpha = framed;
  contour(pen, plan, slot, shown, isFramed, colours.bad, 2);
  pen.globalAlpha = 1;
}

/** Whether a number is not the right one. @param {number | null} [value] @param {number | null} [right] */
const differs = (value, right) => !(Math.abs((value ?? 0) - (right ?? 0)) <= FAR);
