// The picture of TrainingLab at any time: the weights of a head or the rows of the embedding, and the curves.

import { coloursOf } from "../kit/colours.js";
import { element, setAttributes } from "../kit/dom.js";
import { clamp } from "../kit/math.js";
import { shows } from "../kit/stage.js";
import { mix } from "../kit/time.js";
import { cellAt, paintBoard, planOf, WIDE } from "./board.js";
import { guessAt, rowToShow, turnsOf } from "./course.js";
import { answersAt, compute, headAt, originOf, queriesAt, rowsOf } from "./model.js";
import { parameterAt } from "./parameters.js";
import { paintRows } from "./rows.js";
import { paintTimeline } from "./timeline.js";
import { answersText, headName } from "./words.js";

/** @typedef {import("./model.js").Run} Run */

/**
 * @typedef {object} Moment what is drawn
 * @property {Run} run
 * @property {any} settings
 * @property {readonly [layer: number, head: number]} head
 * @property {readonly [row: number, column: number] | null} marked
 * @property {number | null} picked number of W_Q
 * @property {number} time in frames; between two frames it is no whole number
 * @property {boolean} isAtRest
 * @property {Record<string, any>} results of the frame at or before this time
 * @property {{ weights: Float32Array, part: number } | null} from other weights that the picture comes from, and how much of the way is done
 */

const NARROW = 480; // below this one the page is that of a phone
const TALLEST = 270; // of the table, or the map of rows
const [NEXT, SHORT] = [260, 462]; // on a phone: of a table, and of one with W_Q above it and the jobs of the heads below it
const KEYS =
  "Arrow keys walk through the weights, with Shift through W_Q. Page Up and Page Down change the head, Home and End the layer.";
const ROW_KEYS = "Arrow keys change the word.";

/** @param {import("../kit/host.js").Tools} tools */
export function sceneOn(tools) {
  const board = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "weights", class: "training-board" });
  const curves = element("canvas", { class: "training-curves", role: "img" });
  const colours = Object.fromEntries(["good", "bad", "quiet", "faint", "accent"].map((one) => [one, element("i", { class: one })]));
  const node = element("div", { class: "training-picture" }, board, curves, ...Object.values(colours));
  board.hidden = !shows(tools, "board");
  curves.hidden = !shows(tools, "curves");
  /** @type {import("./board.js").Plan | null} */
  let plan = null;
  let stepAt = (/** @type {number} */ _x) => 0;
  let wordAt = (/** @type {number} */ _x, /** @type {number} */ _y) => 0;

  function lookOf() {
    const { paper, ink, ...axes } = coloursOf(tools.root);
    const others = Object.fromEntries(Object.entries(colours).map(([name, one]) => [name, getComputedStyle(one).color]));
    return /** @type {import("./board.js").Look} */ ({ axes, paper, ink, ...others });
  }

  /**
   * Draw a moment, and return the weights of the head as they are drawn.
   *
   * @param {Moment} moment
   * @returns {Float32Array}
   */
  function draw(moment) {
    const { run, settings, head, time, results } = moment;
    const look = lookOf();
    const width = node.clientWidth || 600;
    const { sequence, show, word } = settings;
    const isMap = show === "rows";
    const isAsked = run.questions.length > 0;
    const image = imageOf(moment);
    const words = run.ids[sequence].map((id) => run.words[id]);
    const tallest = isAsked ? (width < WIDE ? SHORT : TALLEST) : width < NARROW ? NEXT : TALLEST;
    const table = planOf(run, width, tallest, words, rowsOf(run, sequence));
    plan = isMap ? null : table;
    const origin = originOf(run);
    if (isMap) {
      wordAt = paintRows(board, { run, look, width, height: Math.max(TALLEST, table.height), word, ...pointsOf(moment) });
      setAttributes(board, { "aria-label": `The row of “${run.words[word]}” among all rows. ${ROW_KEYS}` });
    } else if (!board.hidden) {
      const row = moment.marked?.[0] ?? (isAsked ? null : rowToShow(run, sequence));
      const turns = isAsked ? turnsOf(run, sequence, head) : [];
      paintBoard(board, {
        ...{ run, plan: table, look, sequence, head, time, marked: moment.marked, picked: moment.picked, row, ...image },
        turns: turns.map((turn) => ({ ...turn, part: clamp((time - turn.frame) / 3 + 1, 0, 1) })),
        before: isAsked && time > origin ? headAt(run, origin, sequence, ...head) : null,
      });
      const answers = isAsked ? `Answers: ${answersText(run, sequence, image.guesses)}. ` : "";
      setAttributes(board, { "aria-label": `Weights of ${headName(run, head)}. ${answers}${KEYS}` });
    }
    if (!curves.hidden) {
      stepAt = paintTimeline(curves, { run, settings, head, moved: results.strides, look, width, time });
      const what = isMap ? `the row of “${run.words[word]}”` : `W_Q of ${headName(run, head)}`;
      setAttributes(curves, {
        "aria-label": `Over the steps: ${isAsked ? "the share of right answers" : "the loss"}, and ${isAsked && !isMap ? "the distance" : "each change"} of ${what}`,
      });
    }
    return image.weights;
  }

  return {
    ...{ node, board, curves, draw },
    /** @param {number} x @param {number} y */
    cellAt: (x, y) => plan && cellAt(plan, x, y),
    /** @param {number} x */
    stepAt: (x) => stepAt(x),
    /** @param {number} x @param {number} y */
    wordAt: (x, y) => wordAt(x, y),
    /** @param {import("./model.js").Run} run @param {number} x @param {number} y */
    parameterAt: (run, x, y) => (plan?.parameters ? parameterAt(plan.parameters, sizesOf(run), x, y) : null),
  };
}

/** The sizes of W_Q of a head. @param {Run} run @returns {[D: number, E: number]} */
const sizesOf = (run) => [run.D, queriesAt(run, 0, 0).length / run.D];

/**
 * Weights, probabilities and guesses: between two frames those of both, in proportion.
 *
 * @param {Moment} moment
 */
function imageOf({ run, settings: { sequence }, head, time, from }) {
  const near = Math.floor(time);
  const frames = [near, Math.min(near + 1, run.steps.length - 1)];
  const [a, b] = frames.map((n) => ({
    ...answersAt(run, n, sequence),
    weights: headAt(run, n, sequence, ...head),
    queries: queriesAt(run, n, head[0] * run.shape[1] + head[1]),
  }));
  const weights = a.weights.map((weight, n) => mix(weight, b.weights[n], time - near));
  return {
    weights: from ? weights.map((weight, n) => mix(from.weights[n], weight, from.part)) : weights,
    queries: a.queries.map((one, n) => mix(one, b.queries[n], time - near)),
    chances: a.chances.map((chance, n) => mix(chance, b.chances[n], time - near)),
    guesses: run.asks[sequence].map(([, , right], n) =>
      guessAt([a.guesses[n], b.guesses[n]], [a.chances[n], b.chances[n]], right, time - near),
    ),
  };
}

/**
 * The points of all rows, the frame behind us, and the points for which the words are placed: while the film plays those of its end.
 *
 * @param {Moment} moment
 */
function pointsOf({ settings, time, isAtRest, results: { dots } }) {
  const frame = Math.floor(time);
  if (isAtRest) return { dots, frame, ends: dots };
  const [next, ends] = [String(Math.ceil(time)), "last"].map((one) => compute({ ...settings, frame: one }).dots);
  return { dots: dots.map((/** @type {number} */ at, /** @type {number} */ n) => mix(at, next[n], time - frame)), frame, ends };
}
