// What is trained, and what is computed from it: W_Q of one head, before and now; its weights as a table, queries down the left and keys along the top,
// with frames around the answers that this head looks for; and at the end of each row which word is foretold there.

import { penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { isGoal, queriesAt } from "./model.js";
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
const NARROW = 480; // below this width the page is that of a phone
const ROOMY = 800; // from here on W_Q stands beside the table
const APART = 22; // between W_Q before the training and now
const STORED = 24; // the width of a number of W_Q, at most
const LYING = 84; // the height of W_Q above the table, at most
const LETTER = 7; // about the width of a letter

/**
 * The widths of what stands at the end of a row where the next word is foretold: this word, a bar for its probability with its number,
 * and the guess.
 *
 * @param {number} longest letters of a word
 * @param {"brief" | "usual" | "roomy"} room
 * @param {number} L
 */
function nextWidths(longest, room, L) {
  const word = LETTER * longest;
  if (room === "brief") return { next: word + 9, bar: L > 12 ? 20 : 34, share: 27, guess: word + 21 };
  return { next: Math.max(52, word + 12), bar: room === "roomy" ? 130 : 56, share: 42, guess: Math.max(64, word + 24) };
}

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
  const isAsked = run.questions.length > 0;
  const isBeside = run.queries.length > 0 && width >= ROOMY; // W_Q beside the table, or above it; with E down and D across, as it meets x
  const hasStored = run.queries.length > 0 && (isBeside || !isAsked); // where there is little room, the answers come first
  const E = hasStored ? queriesAt(run, 0, 0).length / run.D : 0;
  const wide = isBeside ? (isAsked ? 128 : 208) : width - APART; // of both
  const stored = Math.min(STORED, Math.floor(wide / 2 / run.D));
  const apart = run.D * stored + APART;
  const flat = clamp(Math.floor(LYING / E), 3, 12);
  const before = isBeside ? apart + run.D * stored + 32 : 0;
  const above = hasStored && !before ? 46 + E * flat : 0;
  const left = before + Math.ceil(10 + 1.08 * LETTER * longest(words)); // the chosen word is bold
  const isBrief = width < NARROW;
  const room = isBrief ? "brief" : isBeside || width >= ROOMY ? "roomy" : "usual";
  const foretold = isAsked ? null : nextWidths(longest(run.words), room, L);
  const right = foretold ? foretold.next + foretold.bar + foretold.share + foretold.guess : 0;
  const widest = clamp(Math.floor((width - left - right - 12) / L), 9, isAsked ? 120 : before ? 72 : 48);
  const isUpright = longest(words) * LETTER > widest - (isAsked ? 4 : 0);
  const top = above + TITLE + (isUpright ? 6 + Math.ceil(LETTER * longest(words)) : 18);
  const legend = isAsked ? 4 : LEGEND;
  const h = clamp(Math.floor((tallest + above - top - legend) / L), 12, Math.max(12, Math.min(widest, 46)));
  const high = L * h;
  const w = isBrief ? Math.min(widest, Math.max(Math.round(1.3 * h), isUpright ? 0 : LETTER * longest(words) + 8)) : widest;
  const x = left;
  const end = x + L * w + 10;
  return {
    isBrief,
    before,
    above,
    foretold,
    width: isBrief && isAsked ? width : end + right, // the words above a narrow table have room
    height: Math.ceil(top + high + legend),
    x,
    y: top,
    w,
    h,
    high,
    L,
    left,
    right,
    end,
    isUpright,
    stored: hasStored
      ? {
          ...{ y: above ? 40 : top, h: above ? flat : (high - LEGEND) / E, E, D: run.D },
          parts: [
            { x: 2, w: stored },
            { x: 2 + apart, w: stored },
          ],
        }
      : null,
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
 * The number of W_Q at a point: its row and column.
 *
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {[row: number, column: number] | null}
 */
export function storedAt({ stored }, x, y) {
  if (!stored) return null;
  const part = stored.parts[x < stored.parts[1].x ? 0 : 1];
  const d = Math.floor((x - part.x) / part.w);
  const e = Math.floor((y - stored.y) / stored.h);
  return e >= 0 && e < stored.E && d >= 0 && d < stored.D ? [e, d] : null;
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
 * @param {number | null} picture.job the question whose answers this head looks for, of a model that is asked
 * @param {readonly [row: number, column: number] | null} picture.pointed the number of W_Q that is pointed at
 * @param {ArrayLike<number>} picture.queries (D, E), none if they are not shown
 * @param {ArrayLike<number>} picture.first (D, E) before training
 * @param {ArrayLike<number>} picture.weights (L, L)
 * @param {ArrayLike<number>} picture.chances (asks)
 * @param {ArrayLike<number>} picture.guesses (asks)
 * @param {ArrayLike<number>} picture.strengths (asks) of the guesses, which fade where they change
 */
export function paintBoard(
  canvas,
  { run, plan, look, sequence, head, marked, row, job, pointed, queries, first, weights, chances, guesses, strengths },
) {
  const { x, y, w, h, L, left, end, above, before } = plan;
  const pen = penFor(canvas, plan.width, plan.height);
  const ids = run.ids[sequence];
  const words = ids.map((id) => run.words[id]);
  const isAsked = run.questions.length > 0;
  const answers = new Set(
    run.asks[sequence].filter(([, question, , j]) => j >= 0 && question === job).map(([i, , , j]) => i * L + j),
  );
  const isAnswer = (i, j) => (isAsked ? answers.has(i * L + j) : isGoal(run, sequence, i, j));

  /** @param {[text: string, colour: string, weight?: number][]} parts @param {number} y @param {number} size */
  const writeParts = (parts, y, size, at = 2) => {
    for (const [text, colour, weight] of parts) at += write(pen, text, at, y, { colour, weight, size });
  };
  /** @type {[string, string, number?]} */
  const whose = [headName(run, head), look.axes.H, 700];
  const hasStored = before + above > 0;
  const made = /** @type {[string, string, number?]} */ ([hasStored && !plan.isBrief ? "computed: " : "", look.ink, 700]);
  /** @type {[string, string]} */
  const framed = [job === null ? "" : `, framed: ${plan.isBrief ? "" : "the "}answers to ${run.questions[job]}`, look.ink];
  writeParts([made, [`${plan.isBrief ? "" : "attention "}weights of `, look.quiet], whose, framed], above + 8, TEXT, before + 2);
  if (hasStored) {
    writeParts(
      [
        ["trained: W_Q", look.ink, 700],
        [isAsked ? "" : ", like W_K, W_V, W_O", look.quiet],
      ],
      8,
      TEXT,
    );
    paintStored(pen, { run, plan, look, queries, first, pointed });
    if (before) write(pen, "→", before - 18, y + plan.high / 2, { colour: look.quiet, size: 16, align: "center" });
  }
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
    write(pen, words[n], left - 6, y + (n + 0.5) * h, {
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
    const top = y + i * h;
    for (let j = 0; j < (run.causal ? i + 1 : L); j++) {
      const weight = weights[i * L + j];
      pen.fillStyle = look.axes.S; // as strong as the weight
      pen.globalAlpha = 0.06 + 0.94 * weight;
      pen.fillRect(x + j * w, top, w - gap, h - gap);
      pen.globalAlpha = 1;
      if (isAnswer(i, j)) frame(pen, x + j * w, top, w - gap, h - gap, look.ink, w > 20 ? 2 : 1);
      // Of a model that is asked, a number that nobody looks for says no more than its colour.
      const isSaid = !isAsked || isAnswer(i, j) || i === row || weight >= 0.3;
      if (w >= 21 && isSaid) {
        const text = number(weight, 2);
        write(pen, w >= 46 ? text : text.replace(/^0/, "").replace("1.00", "1.0"), x + (j + 0.5) * w, top + h / 2, {
          ...{ colour: weight > 0.55 ? look.paper : look.ink, align: "center", size: w < 25 ? 11 : w > 38 && h > 20 ? 13 : 12 },
          weight: isAsked && isAnswer(i, j) ? 700 : 400,
        });
      }
    }
  }

  if (row !== null) frame(pen, x - 1, y + row * h - 1, (run.causal ? row + 1 : L) * w + 1, h + 1, look.axes.L);
  if (marked) frame(pen, x + marked[1] * w - 1, y + marked[0] * h - 1, w + 1, h + 1, look.ink);

  if (!isAsked) paintAnswers(pen, { run, plan, look, sequence, chances, guesses, strengths });
  const goal = run.back === null ? "what came after the same word" : `${run.back} back`;
  const uncounted = run.counted[sequence].includes(0) ? `   “–” not in the loss` : "";
  /** @type {[string, string][]} */
  const bars = [
    [plan.isBrief ? "   ▬ probability of “next”" : "", look.quiet],
    [uncounted, look.quiet],
  ];
  if (!isAsked) writeParts([[`▢ ${goal}`, look.quiet], ...bars], plan.height - 8, plan.isBrief ? 11.5 : 12.5, before + 2);
}

/**
 * W_Q of the head before training and now, and the number that is pointed at.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Plan} picture.plan
 * @param {Look} picture.look
 * @param {ArrayLike<number>} picture.queries
 * @param {ArrayLike<number>} picture.first
 * @param {readonly [row: number, column: number] | null} picture.pointed
 */
function paintStored(pen, { run, plan, look, queries, first, pointed }) {
  const { parts, y, h, E, D } = /** @type {NonNullable<Plan["stored"]>} */ (plan.stored);
  const gap = h > 8 ? 1 : 0.5;
  [first, queries].forEach((numbers, n) => {
    const { x, w } = parts[n];
    for (let d = 0; d < D; d++)
      for (let e = 0; e < E; e++) {
        const value = numbers[d * E + e];
        const cell = /** @type {const} */ ([x + d * w, y + e * h, w - 1, h - gap]);
        pen.fillStyle = /** @type {{ paper: string }} */ (shade(value, "signed", run.most)).paper;
        pen.fillRect(...cell);
        if (String(pointed) === String([e, d])) frame(pen, ...cell, look.ink);
      }
    const [e, d] = pointed ?? [0, 0];
    const said = pointed ? `${n ? `[${e}, ${d}] = ` : ""}${number(numbers[d * E + e], 2)}` : ["before", "now"][n];
    write(pen, said, x, y - 9, { colour: pointed ? look.ink : look.quiet, size: TEXT });
  });
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
