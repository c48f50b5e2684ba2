// What is computed from the parameters: the weights of one head as a table, queries down the left and keys along the top. Each weight is a
// disc as large as the weight; where a word asks something, the answer is framed. At the end of a row the next word that is foretold.

import { penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
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
export const WIDE = 700; // from here on the curves stand side by side, or beside the table or the map of rows
const ROOMY = 800; // from here on there is room for long bars
const LETTER = 7; // about the width of a letter

/**
 * The widths of what stands at the end of a row where the next word is foretold: this word, a bar for its probability with its number,
 * and the guess.
 *
 * @param {number} word the width of the longest
 * @param {"brief" | "usual" | "roomy"} room
 * @param {number} L
 */
function nextWidths(word, room, L) {
  if (room === "brief") return { next: word + 9, bar: L > 12 ? 20 : 34, share: 27, guess: word + 21 };
  return { next: Math.max(52, word + 12), bar: room === "roomy" ? 130 : 56, share: 42, guess: Math.max(64, word + 24) };
}

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
  const isAsked = run.questions.length > 0;
  const x = Math.ceil(10 + 1.08 * longest(words)); // the chosen word is bold
  const isBrief = width < NARROW;
  const foretold = isAsked ? null : nextWidths(longest(run.words), isBrief ? "brief" : width < ROOMY ? "usual" : "roomy", L);
  const right = foretold ? foretold.next + foretold.bar + foretold.share + foretold.guess : 0;
  const widest = clamp(
    Math.floor((width - x - right - 12) / L),
    9,
    isAsked && width >= WIDE ? Math.min(WIDEST, Math.floor(width / 18)) : WIDEST,
  ); // curves beside it have room
  const isUpright = longest(words) > widest - (isAsked ? 4 : 0);
  const y = TITLE + (isUpright ? 6 + longest(words) : 18);
  const h = clamp(Math.floor((tallest - y - LEGEND) / L), 12, Math.max(12, Math.min(widest, 46)));
  const w = isBrief && !isAsked ? Math.min(widest, Math.max(Math.round(1.3 * h), isUpright ? 0 : longest(words) + 8)) : widest;
  const end = x + L * w + 10;
  return {
    ...{ isBrief, foretold, x, y, w, h, L, right, end, isUpright },
    width: isBrief && isAsked ? width : end + right, // the words above a narrow table have room
    height: y + L * h + LEGEND,
  };
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
 * @param {readonly [row: number, column: number] | null} picture.marked
 * @param {number | null} picture.row that the sentence speaks of
 * @param {ArrayLike<number>} picture.weights (L, L)
 * @param {ArrayLike<number>} picture.chances (asks)
 * @param {ArrayLike<number>} picture.guesses (asks)
 * @param {ArrayLike<number>} picture.strengths (asks) of the guesses, which fade where they change
 */
export function paintBoard(canvas, { run, plan, look, sequence, head, marked, row, weights, chances, guesses, strengths }) {
  const { x, y, w, h, L, end } = plan;
  const pen = penFor(canvas, plan.width, plan.height);
  const ids = run.ids[sequence];
  const words = ids.map((id) => run.words[id]);
  const isAsked = run.questions.length > 0;
  const answers = new Set(run.asks[sequence].map(([i, , , j]) => i * L + j));
  const isAnswer = (i, j) => (isAsked ? answers.has(i * L + j) : isGoal(run, sequence, i, j));

  /** @param {[text: string, colour: string, weight?: number][]} parts @param {number} y @param {number} size */
  const writeParts = (parts, y, size, at = 2) => {
    for (const [text, colour, weight] of parts) at += write(pen, text, at, y, { colour, weight, size });
  };
  writeParts(
    [
      [isAsked ? "computed with it: " : "", look.ink, 700],
      ["attention weights of ", look.quiet],
      [headName(run, head), look.axes.H, 700],
    ],
    8,
    TEXT,
  );
  const heading = { colour: look.quiet, size: TEXT };
  const line = Math.max(y - 8, 8);
  if (plan.foretold) {
    const { next, bar, share, guess } = plan.foretold;
    write(pen, plan.isBrief ? "next" : "next is", end + 2, line, heading);
    if (!plan.isBrief) write(pen, bar > 90 ? "its probability" : "how likely", end + next, line, heading);
    const at = end + next + bar + share;
    write(pen, plan.isBrief ? "guess" : "guessed", plan.isBrief ? at + guess : at + 8, line, {
      ...{ ...heading, align: plan.isBrief ? "right" : "left" },
    });
  }

  const size = w < 13 ? 11 : TEXT;
  for (const n of range(L)) {
    const isRow = n === row;
    write(pen, words[n], x - 6, y + (n + 0.5) * h, {
      colour: look.axes.L,
      align: "right",
      weight: isRow ? 700 : 400,
      size,
    });
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
  for (let i = 0; i < L; i++) {
    for (let j = 0; j < (run.causal ? i + 1 : L); j++) {
      const weight = weights[i * L + j];
      const cell = /** @type {const} */ ([x + j * w, y + i * h, w - gap, h - gap]);
      pen.globalAlpha = 0.35;
      pen.fillStyle = look.faint;
      pen.fillRect(...cell);
      pen.globalAlpha = 1;
      if (isAnswer(i, j)) frame(pen, ...cell, look.ink, w > 20 ? 1.5 : 1);
      const [cx, cy] = [cell[0] + cell[2] / 2, cell[1] + cell[3] / 2];
      const radius = (Math.min(cell[2], cell[3]) / 2 - 1) * Math.sqrt(weight); // the area is the weight
      pen.beginPath();
      pen.arc(cx, cy, radius, 0, 7);
      pen.fillStyle = look.axes.S;
      pen.fill();
      if (radius > 13) write(pen, number(weight, 2).replace(/^0/, ""), cx, cy, { colour: look.paper, align: "center", size: 12 });
    }
  }

  if (row !== null) frame(pen, x - 1, y + row * h - 1, (run.causal ? row + 1 : L) * w + 1, h + 1, look.axes.L);
  if (marked) frame(pen, x + marked[1] * w - 1, y + marked[0] * h - 1, w + 1, h + 1, look.ink);

  if (!isAsked) paintAnswers(pen, { run, plan, look, sequence, chances, guesses, strengths });
  const goal = isAsked
    ? "answer to a question   ● weight"
    : run.back === null
      ? "what came after the same word"
      : `${run.back} back`;
  /** @type {[string, string][]} */
  const legend = [
    [`▢ ${goal}`, look.quiet],
    [plan.isBrief && !isAsked ? "   ▬ probability of “next”" : "", look.quiet],
    [run.counted[sequence].includes(0) ? `   “–” not in the loss` : "", look.quiet],
  ];
  writeParts(legend, plan.height - 8, plan.isBrief ? 11.5 : 12.5);
}

/** A bar for a share, in the room that it can fill. @param {CanvasRenderingContext2D} pen */
function barOf(pen, look, x, y, wide, high, share) {
  for (const [part, colour] of /** @type {[number, string][]} */ ([
    [1, look.faint],
    [share, look.quiet],
  ])) {
    pen.fillStyle = colour;
    pen.fillRect(x, y, wide * part, high);
  }
}

/**
 * At the end of each row the next word, a bar for its probability, the word that the model finds likeliest, and whether this is right.
 */
function paintAnswers(pen, { run, plan, look, sequence, chances, guesses, strengths }) {
  const { y, h, end } = plan;
  const { next, bar, share } = plan.foretold;
  const asks = run.asks[sequence];
  asks.forEach(([i, , word], n) => {
    const middle = y + (i + 0.5) * h;
    const size = TEXT;
    let at = end + 3;
    write(pen, run.words[word], at, middle, { colour: look.ink, weight: 600, size });
    const thick = Math.min(14, h - 6);
    barOf(pen, look, end + next, middle - thick / 2, bar, thick, chances[n]);
    const text = number(chances[n], 2);
    at = end + next + bar + share;
    write(pen, plan.isBrief ? text.replace(/^0/, "").replace("1.00", "1.0") : text, at, middle, {
      ...{ colour: look.ink, size: plan.isBrief ? 12 : size, align: "right" },
    });
    at += plan.isBrief ? 5 : 10;
    pen.globalAlpha = strengths[n];
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, size });
    const isCounted = run.counted[sequence][i];
    const [mark, colour] = isCounted ? (guesses[n] === word ? ["✓", look.good] : ["✗", look.bad]) : ["–", look.quiet];
    write(pen, mark, at + (plan.isBrief ? 0 : 1), middle, { colour, weight: 700, size });
    pen.globalAlpha = 1;
  });
  const last = run.ids[sequence].length - 1;
  if (!asks.some(([i]) => i === last)) {
    write(pen, plan.isBrief ? "–" : "nothing comes next", end + 3, y + (last + 0.5) * h, {
      colour: look.quiet,
      size: TEXT,
    });
  }
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
function frame(pen, x, y, w, h, colour, thick = 2) {
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.strokeRect(x, y, w, h);
}
