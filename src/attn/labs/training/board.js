// The weights of one head as a table, queries down the left and keys along the top. Each weight is a disc as large as the weight; where a
// word asks something, the answer is framed, and rings show the weights before training. W_Q, with which they are computed, stands beside
// the table or above it, and answers stand at the ends of the rows.

import { penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { mix } from "../kit/time.js";
import { ANSWERS, CELL, paintAsked, paintDisc, paintNext, TIGHT } from "./answers.js";
import { isGoal, queriesAt } from "./model.js";
import { paintParameters } from "./parameters.js";
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
const ASKED = 74; // and one of a model that is asked
const LEAD = 20; // the line above a row
const BAND = 50; // the height of W_Q above the table
const NARROW = 480; // below this width the page is that of a phone
export const WIDE = 700; // from here on the curves stand side by side, or beside the map of rows, and W_Q beside the table
const ROOMY = 800; // from here on there is room for long bars, and for a large W_Q
const LETTER = 7; // about the width of a letter
const LIGHT = "#fff"; // on the dark cells

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
 * @param {number[]} rows that are drawn
 */
export function planOf(run, width, tallest, words, rows) {
  const L = words.length;
  const longest = (/** @type {string[]} */ some) => LETTER * Math.max(...some.map((word) => word.length));
  const isAsked = run.questions.length > 0;
  const isBrief = width < NARROW;
  const foretold = isAsked ? null : nextWidths(longest(run.words), isBrief ? "brief" : width < ROOMY ? "usual" : "roomy", L);
  const isAbove = isAsked && isBrief; // words that ask, and their answers, stand above their rows
  const right = foretold
    ? foretold.next + foretold.bar + foretold.share + foretold.guess
    : isAbove
      ? 0
      : ANSWERS + run.shape[0] * run.shape[1] * CELL;
  const isBeside = isAsked && width >= WIDE;
  const wide = run.D * (width < ROOMY ? 22 : 36); // W_Q
  const hasParameters = isAsked && run.queries.length > 0;
  const top = hasParameters && !isBeside ? TITLE + BAND + LEGEND + 4 : 0;
  const left = hasParameters && isBeside ? wide + (width < ROOMY ? 34 : 50) : 0;
  const x = isAbove ? 1 : left + Math.ceil(10 + 1.08 * longest(words)); // the chosen word is bold
  const widest = clamp(Math.floor((width - x - right - (isAbove ? 1 : 12)) / L), 9, isAsked ? ASKED : WIDEST);
  const isUpright = longest(words) > widest + (isAbove ? 14 : isAsked ? -4 : 0); // above a row few words are long
  const y = top + TITLE + (isUpright ? 6 + longest(words) : 20);
  const lead = isAbove ? LEAD : 0;
  const h = clamp(
    Math.floor((tallest - y - LEGEND) / rows.length),
    12,
    isAsked ? lead + clamp(widest, 62, ASKED) : Math.max(12, Math.min(widest, 46)),
  );
  const w = isBrief && !isAsked ? Math.min(widest, Math.max(Math.round(1.3 * h), isUpright ? 0 : longest(words) + 8)) : widest;
  const end = x + L * w + 10;
  const parameters = isBeside
    ? { x: 1, y, wide, high: rows.length * h, isTall: true }
    : { x: 1, y: TITLE, wide: width - 2, high: BAND, isTall: false };
  return {
    ...{ isBrief, foretold, rows, top, x, y, w, h, lead, L, right, end, isUpright, parameters: hasParameters ? parameters : null },
    width: isAsked ? width : end + right,
    height: y + rows.length * h + LEGEND,
  };
}

/** @typedef {ReturnType<typeof planOf>} Plan */

/**
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {[row: number, column: number] | null} counted in what is drawn
 */
export function cellAt({ x: left, y: top, w, h, L, rows }, x, y) {
  const [i, j] = [Math.floor((y - top) / h), Math.floor((x - left) / w)];
  return rows[i] !== undefined && j >= 0 && j < L ? [i, j] : null;
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
 * @param {{ row: number, from: number, to: number, part: number } | null} picture.turn an arrow from one key to another, and how much of it
 * @param {Float32Array} picture.queries W_Q of this head
 * @param {ArrayLike<number>} picture.weights (L, L)
 * @param {ArrayLike<number> | null} picture.before the weights before training
 * @param {ArrayLike<number>} picture.chances (asks)
 * @param {ArrayLike<number>} picture.guesses (asks)
 * @param {number[][]} picture.shares (asks, heads) the weights on the answers
 */
export function paintBoard(canvas, picture) {
  const { run, plan, look, sequence, head, marked, row, turn, queries, weights, before, guesses } = picture;
  const { x, y, w, h, lead, L, top, rows } = plan;
  const pen = penFor(canvas, plan.width, plan.height);
  const words = run.ids[sequence].map((id) => run.words[id]);
  const isAsked = run.questions.length > 0;
  const asks = run.asks[sequence];
  const yOf = (/** @type {number} */ i) => y + rows.indexOf(i) * h + lead;
  const high = h - lead;

  /** @param {[text: string, colour: string, weight?: number][]} parts @param {number} at @param {number} y @param {number} size */
  const writeParts = (parts, at, y, size = TEXT) => {
    for (const [text, colour, weight] of parts) at += write(pen, text, at, y, { colour, weight, size });
  };
  const name = /** @type {const} */ ([headName(run, head), look.axes.H, 700]);
  const { parameters } = plan;
  if (parameters) {
    const { isTall, y } = parameters;
    writeParts([["W_Q of ", look.ink, 700], [...name], [isTall ? "" : ": changed by training", look.ink]], 2, 8);
    if (isTall) write(pen, "changed by training", 2, 28, { colour: look.ink, size: TEXT });
    const first = queriesAt(run, 0, head[0] * run.shape[1] + head[1]);
    paintParameters(pen, { ...{ numbers: queries, first, most: run.most, D: run.D }, ...parameters, look });
    if (isTall) {
      const middle = y + (rows.length * h) / 2;
      const from = parameters.wide + 8;
      arrow(pen, from, middle, from + 24, middle, 0, look.quiet);
    }
  }
  const left = parameters?.isTall ? x : 2;
  writeParts(
    [
      ["attention weights of ", look.ink, isAsked ? 700 : 400],
      [...name],
      [parameters ? (plan.isBrief ? ", computed with it" : ", not stored but computed with this W_Q") : "", look.ink],
    ],
    left,
    top + 8,
  );
  const heading = { colour: look.quiet, size: TEXT };
  const line = Math.max(y - 8, 8);
  if (plan.foretold) {
    const { next, bar, share, guess } = plan.foretold;
    write(pen, plan.isBrief ? "next" : "next is", plan.end + 2, line, heading);
    if (!plan.isBrief) write(pen, bar > 90 ? "its probability" : "how likely", plan.end + next, line, heading);
    const at = plan.end + next + bar + share;
    write(pen, plan.isBrief ? "guess" : "guessed", plan.isBrief ? at + guess : at + 8, line, {
      ...{ ...heading, align: plan.isBrief ? "right" : "left" },
    });
  } else if (!lead) {
    write(pen, "answers", plan.end + 24, line, { colour: look.ink, weight: 700, size: TEXT });
  }

  const size = w < 13 ? 11 : TEXT;
  for (const n of rows)
    write(pen, words[n], lead ? x + 1 : x - 6, lead ? yOf(n) - lead / 2 : yOf(n) + h / 2, {
      ...{ colour: look.axes.L, align: lead ? "left" : "right", weight: n === row || lead ? 700 : 400, size },
    });
  for (const n of range(L)) {
    const weight = n === marked?.[1] ? 700 : 400;
    const [cx, cy] = [x + (n + 0.5) * w, y - 5];
    if (plan.isUpright && words[n].length > 1) {
      pen.save();
      pen.translate(cx, cy);
      pen.rotate(-Math.PI / 2);
      write(pen, words[n], 0, 0, { colour: look.axes.S, weight, size: TEXT });
      pen.restore();
    } else {
      const half = lead ? 3 * words[n].length : 0; // a long word stays in the picture
      write(pen, words[n], clamp(cx, half, plan.width - half), cy - 4, {
        colour: look.axes.S,
        align: "center",
        weight,
        size: lead ? 11.5 : size,
      });
    }
  }

  const gap = isAsked ? 0 : w > 20 ? 1 : 0.5;
  const most = Math.min(w, high) / 2 - 2; // the radius of a disc for the weight 1
  const none = shade(0, "weights", 1)?.paper ?? "";
  for (const i of rows) {
    const top = yOf(i);
    for (let j = 0; j < (run.causal ? i + 1 : L); j++) {
      const weight = weights[i * L + j];
      const [left, cx, cy] = [x + j * w, x + j * w + (w - gap) / 2, top + (high - gap) / 2];
      pen.fillStyle = none;
      pen.fillRect(left, top, w - gap, high - (isAsked ? 1 : gap));
      const { ink } = paintDisc(pen, cx, cy, most, weight) ?? { ink: "" };
      const hasNumber = weight >= 0.3 && most * Math.sqrt(weight) > 12;
      if (hasNumber)
        write(pen, number(weight, 2).replace(/^0/, ""), cx, cy, { colour: ink, weight: 600, align: "center", size: 12 });
      const old = before?.[i * L + j] ?? 0;
      if (old > (hasNumber ? weight : 0)) {
        pen.beginPath();
        pen.arc(cx, cy, most * Math.sqrt(old), 0, 7);
        pen.globalAlpha = 0.6;
        [pen.strokeStyle, pen.lineWidth] = [LIGHT, 1];
        pen.stroke();
        pen.globalAlpha = 1;
      }
      const asked = asks.findIndex(([one, , , column]) => one === i && column === j);
      const isRight = asked >= 0 && guesses[asked] === asks[asked][2];
      pen.setLineDash(isAsked && !isRight ? [4, 3] : []);
      if (isAsked ? asked >= 0 : isGoal(run, sequence, i, j))
        frame(pen, left + 2, top + 2, w - gap - 4, high - gap - 5 + (isAsked ? 0 : 1), LIGHT, w > 20 ? (isRight ? 2.5 : 1.5) : 1);
      pen.setLineDash([]);
    }
  }

  if (row !== null && rows.includes(row))
    frame(pen, x - 1, yOf(row) - 1, (run.causal ? row + 1 : L) * w + 1, high + 1, look.axes.L, isAsked ? 3 : 2);
  if (marked && rows.includes(marked[0])) frame(pen, x + marked[1] * w - 1, yOf(marked[0]) - 1, w + 1, high + 1, look.accent, 3);
  if (turn && turn.part > 0) {
    const [from, to] = [turn.from, turn.to].map((n) => x + (n + 0.5) * w);
    const middle = yOf(turn.row) + high / 2;
    const side = Math.sign(to - from) * 0.2 * w;
    arrow(pen, from + side, middle, mix(from + side, to - side * 1.5, turn.part), middle, 0.55 * high, LIGHT);
  }

  (isAsked ? paintAsked : paintNext)(pen, picture);
  const goal = run.back === null ? "what came after the same word" : `${run.back} back`;
  /** @type {[string, string][]} */
  const legend = isAsked
    ? [[`● weight   ○ before training   ▢ answer${plan.width < TIGHT ? "" : ", dashed while wrong"}`, look.quiet]]
    : [
        [`▢ ${goal}`, look.quiet],
        [plan.isBrief ? "   ▬ probability of “next”" : "", look.quiet],
        [run.counted[sequence].includes(0) ? `   “–” not in the loss` : "", look.quiet],
      ];
  writeParts(legend, isAsked ? x : 2, plan.height - 8, plan.isBrief ? 11.5 : 12.5);
}

/**
 * An arrow that bends upwards.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @param {number} bend
 * @param {string} colour
 */
function arrow(pen, x0, y0, x1, y1, bend, colour) {
  [pen.strokeStyle, pen.lineWidth] = [colour, 2];
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.quadraticCurveTo((x0 + x1) / 2, Math.min(y0, y1) - bend, x1, y1);
  const way = Math.atan2(bend + y1 - Math.min(y0, y1), (x1 - x0) / 2);
  for (const side of [0.5, -0.5]) {
    pen.moveTo(x1, y1);
    pen.lineTo(x1 - 8 * Math.cos(way + side), y1 - 8 * Math.sin(way + side));
  }
  pen.stroke();
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
