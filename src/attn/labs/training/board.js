// The weights of one head as a table, queries down the left and keys along the top. Each weight is a disc as large as the weight; where a
// word asks something, the answer is framed, and rings show the weights with which later ones are compared. W_Q, with which they are
// computed, stands beside the table or above it, answers stand above the rows, and the jobs of all heads beside the table or below it.

import { penFor, write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { mix } from "../kit/time.js";
import { HEAD, paintAsked, paintJobs, paintNext, paintWeight } from "./answers.js";
import { isGoal } from "./model.js";
import { paintParameters } from "./parameters.js";
import { headName, originText } from "./words.js";

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
const LEAD = 20; // the line above a row that asks
const JOBS = 154; // the height of the jobs of the heads below the table
const BAND = 46; // the height of W_Q above the table
const NARROW = 480; // below this width the page is that of a phone
const ASIDE = 600; // from here on the jobs of the heads stand beside the table
export const WIDE = 700; // from here on W_Q stands beside the table
const ROOMY = 800; // from here on there is room for a large W_Q
const LETTER = 7; // about the width of a letter
const LIGHT = "#fff"; // on the dark cells

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
 * @param {number[]} rows that are drawn
 */
export function planOf(run, width, tallest, words, rows) {
  const L = words.length;
  const longest = (/** @type {string[]} */ some) => LETTER * Math.max(...some.map((word) => word.length));
  const isAsked = run.questions.length > 0;
  const isBrief = width < NARROW;
  const foretold = isAsked ? null : nextWidths(longest(run.words), isBrief, L);
  const count = 2 * run.questions.length;
  const isAside = isAsked && width >= ASIDE; // the jobs of the heads stand beside the table, not below it
  const gap = isBrief ? 12 : 20; // between the jobs that were and those that are
  const job = clamp(Math.floor(((isAside ? 0.38 : 1) * width - HEAD - gap - 1) / count), 24, 60);
  const right = foretold
    ? foretold.next + foretold.bar + foretold.share + foretold.guess
    : isAside
      ? HEAD + count * job + gap + 14
      : 0;
  const isBeside = isAsked && width >= WIDE;
  const wide = run.D * (width < ROOMY ? 22 : 30); // W_Q
  const hasParameters = isAsked && run.queries.length > 0;
  const top = hasParameters && !isBeside ? TITLE + BAND + 8 : 0;
  const left = hasParameters && isBeside ? wide + (width < ROOMY ? 34 : 46) : 0;
  const x = isAsked ? left + 1 : Math.ceil(10 + 1.08 * longest(words)); // the chosen word is bold
  const widest = clamp(Math.floor((width - x - right - (right ? 12 : 1)) / L), 9, isAsked ? ASKED : WIDEST);
  const isUpright = longest(words) > widest + (isAsked ? 14 : 0); // above a row that asks few words are long
  const y = top + TITLE + (isUpright ? 6 + longest(words) : 20);
  const lead = isAsked ? LEAD : 0;
  const below = isAsked && !isAside ? JOBS : 0;
  const room = Math.floor((tallest - y - below - LEGEND) / rows.length);
  const h = clamp(room, 12, isAsked ? lead + clamp(widest, 62, ASKED) : Math.max(12, Math.min(widest, 46)));
  const w = isBrief && !isAsked ? Math.min(widest, Math.max(Math.round(1.3 * h), isUpright ? 0 : longest(words) + 8)) : widest;
  const end = x + L * w + 10;
  const foot = y + rows.length * h;
  const parameters = isBeside
    ? { x: 1, y, wide, high: foot - y, isTall: true }
    : { x: 1, y: TITLE, wide: width - 2, high: BAND, isTall: false };
  const heads = run.shape[0] * run.shape[1];
  const jobs = isAside
    ? { x: end + 14, y: y + 14, wide: job, high: Math.min(1.3 * job, (foot - y - 14) / heads), gap }
    : { x: 1, y: foot + LEGEND + 60, wide: job, high: (JOBS - 66) / heads, gap };
  return {
    ...{ isBrief, foretold, rows, top, x, y, w, h, lead, L, right, end, isUpright, parameters: hasParameters ? parameters : null },
    ...{ jobs: isAsked ? jobs : null, foot, width: isAsked ? width : end + right, height: foot + LEGEND + below },
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
 * @param {number | null} picture.picked number of W_Q
 * @param {{ row: number, from: number, to: number, part: number }[]} picture.turns arrows from one key to another, and how much of each
 * @param {Float32Array} picture.queries W_Q of this head
 * @param {ArrayLike<number>} picture.weights (L, L)
 * @param {ArrayLike<number> | null} picture.before the weights of the rings
 * @param {ArrayLike<number>} picture.chances (asks)
 * @param {ArrayLike<number>} picture.guesses (asks)
 * @param {number} picture.time in frames
 */
export function paintBoard(canvas, picture) {
  const { run, plan, look, sequence, head, marked, row, picked, turns, queries, weights, before, guesses } = picture;
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
    const { isTall, y, wide, high } = parameters;
    writeParts([["W_Q of ", look.ink, 700], [...name], [isTall ? "" : ": changed by training", look.ink]], 2, 8);
    if (isTall) write(pen, wide < 100 ? "trained" : "changed by training", 2, 28, { colour: look.ink, size: TEXT });
    const legend = /** @type {[number, number]} */ (isTall ? [2, y + high + 12] : [plan.width - 62, 8]);
    paintParameters(pen, parameters, { numbers: queries, most: run.most, D: run.D, picked, legend, look });
    if (isTall) arrow(pen, wide + 8, y + high / 2, wide + 30, y + high / 2, 0, look.quiet);
  }
  writeParts(
    [
      ["attention weights of ", look.ink, isAsked ? 700 : 400],
      [...name],
      [parameters && (plan.isBrief || L * w > 400) ? ", computed with it" : "", look.ink],
    ],
    parameters?.isTall ? x : 2,
    top + 8,
  );
  const heading = { colour: look.quiet, size: TEXT };
  const line = Math.max(y - 8, 8);
  if (plan.foretold) {
    const { next, bar, share, guess } = plan.foretold;
    write(pen, "next", plan.end + 2, line, heading);
    if (!plan.isBrief) write(pen, "its probability", plan.end + next, line, heading);
    const at = plan.end + next + bar + share;
    write(pen, "guess", plan.isBrief ? at + guess : at + 8, line, {
      ...{ ...heading, align: plan.isBrief ? "right" : "left" },
    });
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
      paintWeight(pen, cx, cy, most, weight, before?.[i * L + j] ?? 0);
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
  for (const turn of turns) {
    if (turn.part === 0) continue;
    const [from, to] = [turn.from, turn.to].map((n) => x + (n + 0.5) * w);
    const middle = yOf(turn.row) + high / 2;
    const side = Math.sign(to - from) * 0.2 * w;
    arrow(pen, from + side, middle, mix(from + side, to - side * 1.5, turn.part), middle, 0.55 * high, LIGHT);
  }

  (isAsked ? paintAsked : paintNext)(pen, picture);
  if (isAsked) paintJobs(pen, picture);
  const goal = run.back === null ? "what came after the same word" : `${run.back} back`;
  /** @type {[string, string][]} */
  const legend = isAsked
    ? [[`● weight   ${before ? `○ ${originText(run)}   ` : ""}▢ answer${before ? "" : ", dashed while wrong"}`, look.quiet]]
    : [
        [`▢ ${goal}`, look.quiet],
        [plan.isBrief ? "   ▬ probability of “next”" : "", look.quiet],
        [run.counted[sequence].includes(0) ? `   “–” not in the loss` : "", look.quiet],
      ];
  writeParts(legend, isAsked ? x : 2, plan.foot + LEGEND - 8, plan.isBrief ? 11.5 : 12.5);
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
