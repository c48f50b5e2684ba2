// The weights of one head of a model that foretells, as a table: queries down the left and keys along the top. Each weight is a disc as
// large as the weight; where a word should look is framed, and at the end of its row stands the next word.

import { penFor, write } from "../kit/canvas.js";
import { clamp, range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { paintNext, paintWeight } from "./answers.js";
import { isGoal } from "./model.js";
import { headName } from "./words.js";

/** @typedef {import("./model.js").Run} Run */

/**
 * The colours and fonts of the page.
 *
 * @typedef {object} Look
 * @property {Record<string, string>} axes by their letters
 * @property {string} paper
 * @property {string} ink
 * @property {string} quiet
 * @property {string} faint
 * @property {string} accent
 * @property {string} good
 * @property {string} bad
 */

const TEXT = 13; // pixels
const TITLE = 20; // the height of the line above
const LEGEND = 20; // and of that below
const WIDEST = 48; // a cell
const NARROW = 480; // below this width the page is that of a phone
const LETTER = 7; // about the width of a letter
export const LIGHT = "#fff"; // on the dark cells

/**
 * The widths of what stands at the end of a row where the next word is foretold: this word, a bar for its probability with its number,
 * and the guess.
 *
 * @param {number} word the width of the longest
 * @param {boolean} isBrief
 * @param {number} L
 */
const nextWidths = (word, isBrief, L) =>
  isBrief
    ? { next: word + 9, bar: L > 12 ? 20 : 34, share: 27, guess: word + 21 }
    : { next: Math.max(52, word + 12), bar: 90, share: 42, guess: Math.max(64, word + 24) };

/**
 * Where the table is.
 *
 * @param {Run} run
 * @param {number} width
 * @param {number} tallest
 * @param {string[]} words of the sequence
 */
export function planOf(run, width, tallest, words) {
  const L = words.length;
  const longest = (/** @type {string[]} */ some) => LETTER * Math.max(...some.map((word) => word.length));
  const isBrief = width < NARROW;
  const foretold = nextWidths(longest(run.words), isBrief, L);
  const right = foretold.next + foretold.bar + foretold.share + foretold.guess;
  const x = Math.ceil(10 + 1.08 * longest(words)); // the chosen word is bold
  const widest = clamp(Math.floor((width - x - right - 12) / L), 9, WIDEST);
  const isUpright = longest(words) > widest;
  const y = TITLE + (isUpright ? 6 + longest(words) : 20);
  const h = clamp(Math.floor((tallest - y - LEGEND) / L), 12, Math.max(12, Math.min(widest, 46)));
  const w = isBrief ? Math.min(widest, Math.max(Math.round(1.3 * h), isUpright ? 0 : longest(words) + 8)) : widest;
  const end = x + L * w + 10;
  const foot = y + L * h;
  return { isBrief, foretold, x, y, w, h, L, right, end, isUpright, foot, width: end + right, height: foot + LEGEND };
}

/** @typedef {ReturnType<typeof planOf>} Plan */

/**
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {[row: number, column: number] | null}
 */
export function cellAt({ x: left, y: top, w, h, L }, x, y) {
  const [i, j] = [Math.floor((y - top) / h), Math.floor((x - left) / w)];
  return i >= 0 && i < L && j >= 0 && j < L ? [i, j] : null;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Plan} picture.plan
 * @param {Look} picture.look
 * @param {number} picture.sequence
 * @param {readonly [layer: number, head: number]} picture.head
 * @param {readonly number[] | null} picture.marked the weight that is described: layer, head, row, column
 * @param {number} picture.row that the sentence speaks of
 * @param {ArrayLike<number>} picture.weights (L, L)
 * @param {ArrayLike<number>} picture.chances (asks)
 * @param {ArrayLike<number>} picture.guesses (asks)
 */
export function paintBoard(canvas, picture) {
  const { run, plan, look, sequence, head, marked, row, weights } = picture;
  const { x, y, w, h, L } = plan;
  const pen = penFor(canvas, plan.width, plan.height);
  const words = run.ids[sequence].map((id) => run.words[id]);
  const start = write(pen, "attention weights of ", 2, 8, { colour: look.ink, size: TEXT });
  write(pen, headName(run, head), 2 + start, 8, { colour: look.axes.H, weight: 700, size: TEXT });
  const heading = { colour: look.quiet, size: TEXT };
  const line = Math.max(y - 8, 8);
  const { next, bar, share, guess } = plan.foretold;
  write(pen, "next", plan.end + 2, line, heading);
  if (!plan.isBrief) write(pen, "its probability", plan.end + next, line, heading);
  const at = plan.end + next + bar + share;
  write(pen, "guess", plan.isBrief ? at + guess : at + 8, line, { ...heading, align: plan.isBrief ? "right" : "left" });

  const size = w < 13 ? 11 : TEXT;
  for (const n of range(L)) {
    const weight = (/** @type {boolean} */ isBold) => (isBold ? 700 : 400);
    const how = { colour: look.axes.L, align: /** @type {const} */ ("right"), size };
    write(pen, words[n], x - 6, y + (n + 0.5) * h, { ...how, weight: weight(n === row) });
    const key = { colour: look.axes.S, weight: weight(n === marked?.[3]) };
    pen.save();
    pen.translate(x + (n + 0.5) * w, y - 5);
    if (plan.isUpright && words[n].length > 1) {
      pen.rotate(-Math.PI / 2);
      write(pen, words[n], 0, 0, { ...key, size: TEXT });
    } else write(pen, words[n], 0, -4, { ...key, align: "center", size });
    pen.restore();
  }

  const gap = w > 20 ? 1 : 0.5;
  const most = Math.min(w, h) / 2 - 2; // the radius of a disc for the weight 1
  for (const i of range(L)) {
    const top = y + i * h;
    for (let j = 0; j < (run.causal ? i + 1 : L); j++) {
      const left = x + j * w;
      pen.fillStyle = shade(0, "weights", 1)?.paper ?? "";
      pen.fillRect(left, top, w - gap, h - gap);
      paintWeight(pen, left + (w - gap) / 2, top + (h - gap) / 2, most, weights[i * L + j], 0);
      if (isGoal(run, sequence, i, j)) frame(pen, left + 2, top + 2, w - gap - 4, h - gap - 4, LIGHT, w > 20 ? 1.5 : 1);
    }
  }
  frame(pen, x - 1, y + row * h - 1, (run.causal ? row + 1 : L) * w + 1, h + 1, look.axes.L);
  if (marked) frame(pen, x + marked[3] * w - 1, y + marked[2] * h - 1, w + 1, h + 1, look.accent, 3);

  paintNext(pen, picture);
  const goal = run.back === null ? "what came after the same word" : `${run.back} back`;
  const bars = plan.isBrief ? "   ▬ probability of “next”" : "";
  const left = run.counted[sequence].includes(0) ? `   “–” not in the loss` : "";
  write(pen, `▢ ${goal}${bars}${left}`, 2, plan.foot + LEGEND - 8, { colour: look.quiet, size: plan.isBrief ? 11.5 : 12.5 });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {string} colour
 * @param {number} [thick]
 */
export function frame(pen, x, y, w, h, colour, thick = 2) {
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.strokeRect(x, y, w, h);
}
