// The weights of one head as a table: words that look down the left, words that are looked at along the top, and at the end of each row
// what the model answers there.

import { penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
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

const TEXT = 12.5; // pixels
const TITLE = 20; // the height of the line above
const LEGEND = 20; // and of that below
const LINE = 13; // the height of an answer, where a word has several
const NARROW = 480; // below this width, the next word is not written beside the guess
const CHANCE = 66; // the width of the column of probabilities
const LETTER = 7; // about the width of a letter of 12.5 pixels

/** The width of the column of the words that come next. @param {string[]} words */
const nextWidth = (words) => Math.max(46, 8 + LETTER * Math.max(...words.map((word) => word.length)));

/**
 * Where the table is. Cells of few words have room for numbers.
 *
 * @param {Run} run
 * @param {number} width
 * @param {number} tallest
 * @param {string[]} words of the sequence
 */
export function planOf(run, width, tallest, words) {
  const L = words.length;
  const longest = (/** @type {string[]} */ some) => Math.max(...some.map((word) => word.length));
  const left = Math.ceil(10 + 1.08 * LETTER * longest(words)); // the chosen word is bold
  const isAsked = run.questions.length > 0;
  const isBrief = width < NARROW;
  const answer = Math.ceil(8 + 6.6 * (longest(run.questions) + 3 + Math.min(9, longest(run.words))));
  const right = isAsked
    ? answer + (isBrief ? 0 : CHANCE)
    : isBrief
      ? 34 + LETTER * longest(words)
      : nextWidth(words) + 16 + Math.max(LETTER * longest(run.words) + 16, 52);
  const least = isAsked ? LINE * run.questions.length + 1 : 12; // the height of a row
  const widest = clamp(Math.floor((width - left - right - 12) / L), 9, 48);
  const isUpright = longest(words) * LETTER > widest - (isAsked ? 4 : 0);
  const top = TITLE + (isUpright ? 6 + Math.ceil(LETTER * longest(words)) : 18);
  const h = clamp(Math.floor((tallest - top - LEGEND) / L), least, Math.max(least, Math.min(widest, 46)));
  const w = Math.min(widest, Math.round(1.15 * h));
  const x = left;
  const end = x + L * w + 10;
  const guessed = isAsked || isBrief ? 0 : nextWidth(words) + 8; // from the end of the table to what is guessed
  return {
    isBrief,
    answer,
    guessed,
    width: end + right,
    height: Math.ceil(top + L * h + LEGEND),
    x,
    y: top,
    w,
    h,
    L,
    left,
    right,
    end,
    isUpright,
  };
}

/** @typedef {ReturnType<typeof planOf>} Plan */

/**
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {[row: number, column: number] | null}
 */
export function cellAt({ x: left, y: top, w, h, L, width }, x, y) {
  const i = Math.floor((y - top) / h);
  const j = Math.floor((x - left) / w);
  if (i < 0 || i >= L || x > width) return null;
  return j >= 0 && j < L ? [i, j] : null;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Plan} picture.plan
 * @param {Look} picture.look
 * @param {number} picture.sequence
 * @param {readonly [layer: number, head: number]} picture.head
 * @param {readonly [row: number, column: number] | null} picture.marked
 * @param {number} picture.row that the sentence speaks of
 * @param {ArrayLike<number>} picture.weights (L, L)
 * @param {ArrayLike<number>} picture.chances (asks)
 * @param {ArrayLike<number>} picture.guesses (asks)
 */
export function paintBoard(canvas, { run, plan, look, sequence, head, marked, row, weights, chances, guesses }) {
  const { x, y, w, h, L, left, end } = plan;
  const pen = penFor(canvas, plan.width, plan.height);
  const ids = run.ids[sequence];
  const words = ids.map((id) => run.words[id]);
  const isAsked = run.questions.length > 0;
  const answers = new Set(run.asks[sequence].filter(([, , , j]) => j >= 0).map(([i, , , j]) => i * L + j));
  const isAnswer = (i, j) => (isAsked ? answers.has(i * L + j) : isGoal(run, sequence, i, j));

  /** @param {[text: string, colour: string, weight?: number][]} parts @param {number} y @param {number} size */
  const writeParts = (parts, y, size) => {
    let at = 2;
    for (const [text, colour, weight] of parts) at += write(pen, text, at, y, { colour, weight, size });
  };
  const title = /** @type {[string, string, number?][]} */ ([
    ["attention weights of ", look.quiet],
    [headName(run, head), look.axes.H, 700],
    [plan.isBrief ? "" : ", (", look.quiet],
    [plan.isBrief ? "" : "L", look.axes.L, 700],
    [plan.isBrief ? "" : ", ", look.quiet],
    [plan.isBrief ? "" : "S", look.axes.S, 700],
    [plan.isBrief ? "" : ")", look.quiet],
  ]);
  writeParts(title, 8, TEXT);
  const heading = { colour: look.quiet, size: TEXT };
  if (plan.guessed) write(pen, "next is", end + 2, Math.max(y - 8, 8), heading);
  if (isAsked && !plan.isBrief) write(pen, "right word", end + plan.answer, Math.max(y - 8, 8), heading);
  write(pen, isAsked ? "answers" : plan.isBrief ? "guess" : "guessed", end + 2 + plan.guessed, Math.max(y - 8, 8), heading);

  const size = w < 13 ? 11 : TEXT;
  for (const n of range(L)) {
    const isRow = n === row;
    write(pen, words[n], left - 6, y + (n + 0.5) * h, { colour: look.axes.L, align: "right", weight: isRow ? 700 : 400, size });
    const isColumn = n === marked?.[1];
    const [cx, cy] = [x + (n + 0.5) * w, y - 5];
    if (plan.isUpright && words[n].length > 1) {
      pen.save();
      pen.translate(cx, cy);
      pen.rotate(-Math.PI / 2);
      write(pen, words[n], 0, 0, { colour: look.axes.S, weight: isColumn ? 700 : 400, size: TEXT });
      pen.restore();
    } else write(pen, words[n], cx, cy - 4, { colour: look.axes.S, align: "center", weight: isColumn ? 700 : 400, size });
  }

  const gap = w > 20 ? 1 : 0.5;
  for (let i = 0; i < L; i++)
    for (let j = 0; j < (run.causal ? i + 1 : L); j++) {
      const weight = weights[i * L + j];
      const colour = /** @type {{ paper: string, ink: string }} */ (shade(weight, "weights", 1));
      pen.fillStyle = colour.paper;
      pen.fillRect(x + j * w, y + i * h, w - gap, h - gap);
      if (isAnswer(i, j)) {
        pen.strokeStyle = colour.ink;
        pen.lineWidth = w > 20 ? 1.5 : 1;
        const inset = w > 30 ? 2.5 : 1;
        pen.strokeRect(x + j * w + inset, y + i * h + inset, w - gap - 2 * inset, h - gap - 2 * inset);
      }
      if (w >= 21) {
        const text = number(weight, 2);
        write(pen, w >= 34 ? text : text.replace(/^0/, ""), x + (j + 0.5) * w, y + (i + 0.5) * h, {
          ...{ colour: colour.ink, align: "center", size: w < 25 ? 11 : 12 },
        });
      }
    }

  frame(pen, x - 1, y + row * h - 1, (run.causal ? row + 1 : L) * w + 1, h + 1, look.axes.L);
  if (marked) frame(pen, x + marked[1] * w - 1, y + marked[0] * h - 1, w + 1, h + 1, look.ink);

  paintAnswers(pen, { run, plan, look, sequence, chances, guesses });
  const goal = run.back === null ? "what came after the same word" : `${run.back} back`;
  const uncounted = run.counted[sequence].includes(0) ? `   – not in the loss` : "";
  /** @type {[string, string][]} */
  const bars = [
    ["   ▬", look.faint],
    [` probability${plan.isBrief ? "" : " of the next word"}${uncounted}`, look.quiet],
  ];
  writeParts([[`▢ ${isAsked ? "the answer" : goal}`, look.quiet], ...(isAsked ? [] : bars)], plan.height - 8, 11.5);
}

/**
 * At the end of each row the answers of the model: the word that it finds likeliest, whether this is right, and a bar for the probability
 * of the right word.
 */
function paintAnswers(pen, { run, plan, look, sequence, chances, guesses }) {
  const { y, h, end, right, answer } = plan;
  const asks = run.asks[sequence];
  const isAsked = run.questions.length > 0;
  asks.forEach(([i, question, word], n) => {
    const mates = asks.map(([row], at) => (row === i ? at : -1)).filter((at) => at >= 0);
    const lines = mates.length;
    const high = isAsked ? Math.min(h / lines, 20) : h;
    const middle = y + (i + 0.5) * h + (mates.indexOf(n) - (lines - 1) / 2) * high;
    const isRight = guesses[n] === word;
    const size = isAsked ? TEXT : 12;
    const bar = end + (isAsked ? answer : 0);
    if (!isAsked || !plan.isBrief) {
      pen.fillStyle = look.faint;
      pen.fillRect(bar, middle - high / 2 + 0.5, (isAsked ? CHANCE - 4 : right - 2) * chances[n], high - 1);
    }
    if (isAsked && !plan.isBrief) write(pen, number(chances[n], 2), bar + 4, middle, { colour: look.ink, size });
    let at = end + 3;
    if (isAsked) at += write(pen, `${run.questions[question]}? `, at, middle, { colour: look.quiet, size });
    if (plan.guessed) write(pen, run.words[word], at, middle, { colour: look.quiet, size });
    at += plan.guessed;
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, size });
    const isCounted = isAsked || run.counted[sequence][i];
    const [mark, colour] = isCounted ? (isRight ? ["✓", look.good] : ["✗", look.bad]) : ["–", look.quiet];
    write(pen, mark, at + 1, middle, { colour, weight: 700, size });
  });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {string} colour
 */
function frame(pen, x, y, w, h, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.strokeRect(x, y, w, h);
}
