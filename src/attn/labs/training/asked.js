// The picture of a model that answers questions: a row for each head, with its W_Q and the attention weights that are computed with it,
// in a block for each word that asks. Frames around the answers span all heads, because one head is enough for an answer.

import { penFor, write } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";
import { paintWeight } from "./answers.js";
import { frame, LIGHT } from "./board.js";
import { jobsOf } from "./course.js";
import { allHeads, originOf } from "./model.js";
import { paintParameters, parameterAt } from "./parameters.js";
import { headName, originText, questionsOf } from "./words.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {import("./board.js").Look} Look */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Room */

const TEXT = 13; // pixels
export const WIDE = 700; // from here on the blocks stand side by side, and W_Q to the left of them
const [SIDE, ARROW] = [104, 26]; // the width of W_Q there, and the room of the arrow
const [ROW, LOW] = [50, 23]; // the height of a head there, and in blocks that stand below each other
const [STRIP, FLAT] = [28, 22]; // and of its W_Q
const NAMES = 48; // the width of the names of the heads beside these
const BETWEEN = 12; // two blocks
const WIDEST = 72; // a cell
const KEYS = 16; // the height of the keys
const SIGNS = [["■", POSITIVE], [" +  ", ""], ["■", NEGATIVE], [" −", ""]]; // biome-ignore format: one line
const LETTER = 6.3; // about the width of a letter of a key

/**
 * Where everything is.
 *
 * @param {Run} run
 * @param {number} width
 * @param {string[]} words of the sequence
 * @param {number[]} rows those of the words that ask
 */
export function planAsked(run, width, words, rows) {
  const L = words.length;
  const heads = run.shape[0] * run.shape[1];
  const isWide = width >= WIDE;
  const hasParameters = run.queries.length > 0;
  const left = isWide ? (hasParameters ? SIDE + ARROW : NAMES) : NAMES;
  const count = isWide ? rows.length : 1; // blocks side by side
  const w = Math.min(WIDEST, Math.floor((width - left - (count - 1) * BETWEEN - 1) / count / L));
  const h = isWide ? ROW : LOW;
  const keys = words.map((word) => LETTER * word.length);
  const isUpright = keys.some((key, n) => (key + (keys[n + 1] ?? key)) / 2 > w); // neighbours would touch
  const lead = (isWide ? 40 : 20) + (isUpright ? Math.max(...keys) + (isWide ? 13 : 18) : KEYS); // the words of a block and its keys
  const top = isWide ? 22 : hasParameters ? 86 : 20;
  const blocks = rows.map((row, n) =>
    isWide ? { row, x: left + n * (L * w + BETWEEN), y: top + lead } : { row, x: left, y: top + lead + n * (lead + heads * h + 4) },
  );
  const strips = range(hasParameters ? heads : 0).map((n) => {
    const wide = (width - 2 - (heads - 1) * 10) / heads;
    return isWide
      ? { x: 1, y: blocks[0].y + (n + 1) * h - STRIP - 2, wide: SIDE - 2, high: STRIP }
      : { x: 1 + n * (wide + 10), y: 34, wide, high: FLAT };
  });
  const foot = blocks[rows.length - 1].y + heads * h;
  return { isWide, isUpright, left, top, lead, w, h, L, heads, blocks, strips, foot, width, height: foot + 20 };
}

/** @typedef {ReturnType<typeof planAsked>} Plan */

/**
 * The weight at a point.
 *
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 * @returns {[head: number, block: number, column: number] | null}
 */
export function weightAt({ blocks, w, h, L, heads }, x, y) {
  for (const [n, block] of blocks.entries()) {
    const [head, j] = [Math.floor((y - block.y) / h), Math.floor((x - block.x) / w)];
    if (head >= 0 && head < heads && j >= 0 && j < L) return [head, n, j];
  }
  return null;
}

/**
 * The number of W_Q at a point, counted through all heads.
 *
 * @param {Plan} plan
 * @param {[D: number, E: number]} sizes
 * @param {number} x
 * @param {number} y
 */
export function numberAt({ strips }, sizes, x, y) {
  for (const [n, room] of strips.entries()) {
    const at = parameterAt(room, sizes, x, y);
    if (at !== null) return n * sizes[0] * sizes[1] + at;
  }
  return null;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} picture
 * @param {Run} picture.run
 * @param {Plan} picture.plan
 * @param {Look} picture.look
 * @param {number} picture.sequence
 * @param {readonly number[] | null} picture.marked the weight that is described: layer, head, row, column
 * @param {number | null} picture.picked number of W_Q, counted through all heads
 * @param {Float32Array} picture.queries W_Q of all heads
 * @param {Float32Array} picture.weights (heads, L, L)
 * @param {Float32Array | null} picture.before the weights of the rings
 * @param {ArrayLike<number>} picture.guesses (asks)
 * @param {number} picture.time in frames
 */
export function paintAsked(canvas, { run, plan, look, sequence, marked, picked, queries, weights, before, guesses, time }) {
  const { isWide, left, w, h, L, heads, blocks, strips, foot } = plan;
  const pen = penFor(canvas, plan.width, plan.height);
  const words = run.ids[sequence].map((id) => run.words[id]);
  const ink = { colour: look.ink, size: TEXT };
  const quiet = { colour: look.quiet, size: 12 };

  if (strips.length) {
    const after = write(pen, "W_Q", 1, 8, { ...ink, weight: 700 });
    write(pen, " is trained", 1 + after, 8, { ...ink, size: 12.5 });
  }
  const line = isWide ? 8 : plan.top - 14;
  const start = isWide ? left : 1;
  const after = write(pen, "attention weights", start, line, { ...ink, weight: 700 });
  if (strips.length) write(pen, " are computed with it", start + after, line, { ...ink, size: 12.5 });

  const size = queries.length / heads;
  for (const [n, head] of allHeads(run).entries()) {
    const name = { colour: look.axes.H, size: isWide ? 12 : 11, weight: 600 };
    const room = strips[n];
    if (room) {
      const after = write(pen, headName(run, head), room.x, room.y - 10, name);
      paintJobs(pen, jobsAt(run, sequence, head, time), room.x + after, room.y - 10, { ...name, weight: 400 }, look);
      const numbers = queries.subarray(n * size, (n + 1) * size);
      const isHere = picked !== null && Math.floor(picked / size) === n;
      paintParameters(pen, room, { numbers, most: run.most, D: run.D, picked: isHere ? picked % size : null, look });
      if (isWide) write(pen, "→", SIDE + 2, room.y + STRIP / 2, { ...quiet, size: 20 });
    }
    if (!isWide || !room)
      for (const { y } of blocks) write(pen, headName(run, head), 1, y + (n + 0.5) * h, { ...name, size: 12, weight: 400 });
  }

  const most = Math.min(w, h) / 2 - 3; // the radius of a disc for the weight 1
  const questions = questionsOf(run, sequence);
  for (const { row, x, y } of blocks) {
    const asks = run.asks[sequence].flatMap(([one, question, right, column], n) =>
      one === row ? [{ question, column, guess: run.words[guesses[n]], isRight: guesses[n] === right, text: questions[n] }] : [],
    );
    paintTitle(pen, words[row], asks, { ...plan, x, y }, look, run.questions);
    for (const j of range(L)) {
      const how = { colour: look.axes.S, size: isWide ? 11 : 11.5, weight: asks.some(({ column }) => column === j) ? 700 : 400 };
      pen.save();
      pen.translate(x + (j + 0.5) * w, y - 9);
      if (plan.isUpright) pen.rotate(-Math.PI / 2);
      write(pen, words[j], plan.isUpright ? -4 : 0, 0, { ...how, align: plan.isUpright ? "left" : "center" });
      pen.restore();
    }
    for (const n of range(heads))
      for (const j of range(L)) {
        const at = (n * L + row) * L + j;
        pen.fillStyle = shade(0, "weights", 1)?.paper ?? "";
        pen.fillRect(x + j * w, y + n * h, w, h - 1);
        paintWeight(pen, x + (j + 0.5) * w, y + n * h + (h - 1) / 2, most, weights[at], before?.[at] ?? 0);
      }
    for (const { column, isRight } of asks) {
      pen.setLineDash(isRight ? [] : [4, 3]);
      frame(pen, x + column * w + 2, y + 2, w - 4, heads * h - 5, LIGHT, isRight ? 2 : 1.5);
    }
    pen.setLineDash([]);
    if (marked?.[2] === row) {
      const n = marked[0] * run.shape[1] + marked[1];
      frame(pen, x + marked[3] * w, y + n * h - 1, w, h + 1, look.accent, 3);
    }
  }
  let at = isWide ? 1 : plan.width - 58;
  for (const [text, colour] of strips.length ? SIGNS : [])
    at += write(pen, text, at, isWide ? foot + 11 : 8, { ...quiet, colour: colour || look.quiet });
  const legend = `● weight   ${before ? `○ ${originText(run)}   ` : ""}▢ answer${before ? "" : ", dashed while wrong"}`;
  write(pen, legend, isWide ? left : NAMES, foot + 11, quiet);
}

/** @typedef {{ now: string[], gone: string[] }} Jobs the questions whose answers a head attends to, and those that it has given up */

/**
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} time in frames
 * @returns {Jobs}
 */
export function jobsAt(run, sequence, head, time) {
  if (!time) return { now: [], gone: [] };
  const now = jobsOf(run, sequence, head, Math.floor(time));
  const before = time > originOf(run) ? jobsOf(run, sequence, head, originOf(run)) : [];
  return { now, gone: before.filter((job) => !now.includes(job)) };
}

/**
 * Behind the name of a head what it does: what it has given up is crossed out.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Jobs} jobs
 * @param {number} x
 * @param {number} y
 * @param {object} how they are written
 * @param {Look} look
 */
function paintJobs(pen, { now, gone }, x, y, how, look) {
  let at = x;
  for (const job of gone) {
    at += write(pen, at > x ? " " : ": ", at, y, { ...how, colour: look.quiet });
    const wide = write(pen, job, at, y, { ...how, colour: look.quiet });
    pen.fillStyle = look.quiet;
    pen.fillRect(at - 1, y, wide + 2, 1.2);
    at += wide;
  }
  const text = now.length > 2 ? `all ${now.length}` : now.join(", ");
  if (text) write(pen, `${at > x ? " " : ": "}${text}`, at, y, { ...how, colour: look.ink });
}

/** @typedef {{ question: number, guess: string, isRight: boolean, text: string }} Asked a question and its likeliest answer */

/**
 * Above a block the word that asks, its questions and the likeliest answers: on two lines where blocks stand side by side, else on one.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} word
 * @param {Asked[]} asks
 * @param {Plan & { x: number, y: number }} block
 * @param {Look} look
 * @param {string[]} names of the questions
 */
function paintTitle(pen, word, asks, { isWide, x: left, y, lead }, look, names) {
  const top = y - lead + 10;
  const isCrowded = asks.length > 1 && !isWide;
  const [x, size, gap] = isCrowded ? [1, 11.5, 6] : [left, TEXT, 8];
  let at = x + gap + write(pen, word, x, top, { colour: look.axes.L, weight: 700, size: isWide ? 15 : TEXT });
  let below = x;
  for (const { question, guess, isRight, text } of asks) {
    const [first, ...rest] = text.split(" ");
    at += 4 + write(pen, first === word ? rest.join(" ") : `${names[question]}?`, at, top, { colour: look.quiet, size });
    const [mark, colour] = isRight ? ["✓", look.good] : ["✗", look.bad];
    const line = isWide ? top + 19 : top;
    if (!isWide) below = at;
    below += 3 + write(pen, guess, below, line, { colour: look.ink, weight: 700, size });
    below += 8 + write(pen, mark, below, line, { colour, weight: 700, size });
    if (!isWide) at = below - 8 + gap;
  }
}
