// The picture of TrainingLab at any time: the weights of a head or the rows of the embedding, and the curves.

import { coloursOf } from "../kit/colours.js";
import { element, setAttributes } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { shows } from "../kit/stage.js";
import { mix } from "../kit/time.js";
import { numberAt, paintAsked, planAsked, weightAt } from "./asked.js";
import { cellAt, paintBoard, planOf } from "./board.js";
import { guessAt, rowToShow } from "./course.js";
import { allHeads, answersAt, compute, headAt, originOf, queriesAt, rowsOf } from "./model.js";
import { paintRows } from "./rows.js";
import { paintTimeline } from "./timeline.js";
import { answersText, headName } from "./words.js";

/** @typedef {import("./model.js").Run} Run */

/**
 * @typedef {object} Moment what is drawn
 * @property {Run} run
 * @property {any} settings
 * @property {readonly [layer: number, head: number]} head
 * @property {readonly number[] | null} marked the weight that is described: layer, head, row, column
 * @property {number | null} picked number of W_Q, counted through all heads
 * @property {number} time in frames; between two frames it is no whole number
 * @property {Record<string, any>} results of the frame at or before this time
 * @property {{ weights: Float32Array, part: number } | null} from other weights that the picture comes from, and how much of the way is done
 */

const NARROW = 480; // below this one the page is that of a phone
const [TALLEST, SHORT] = [270, 260]; // of the table, or the map of rows; and of a table on a phone
const KEYS =
  "Arrow keys walk through the weights, with Shift through W_Q. Page Up and Page Down change the head, Home and End the layer.";
const ROW_KEYS = "Arrow keys change the word.";

/** @param {import("../kit/host.js").Tools} tools */
export function sceneOn(tools) {
  const board = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "weights", class: "training-board" });
  const curves = element("canvas", { class: "training-curves", role: "img" });
  const colours = Object.fromEntries(
    ["good", "bad", "quiet", "faint", "accent"].map((one) => [
      one,
      element("i", { hidden: true, style: `color:var(--lab-${one})` }),
    ]),
  );
  const node = element("div", { class: "training-picture" }, board, curves, ...Object.values(colours));
  board.hidden = !shows(tools, "board");
  curves.hidden = !shows(tools, "curves");
  /** @type {(chosen: { head: readonly number[] }, x: number, y: number) => any} a weight as four numbers, or [the number of W_Q] */
  let placeAt = () => null;
  let stepAt = (/** @type {number} */ _x) => 0;
  let wordAt = (/** @type {number} */ _x, /** @type {number} */ _y) => 0;

  function lookOf() {
    const { paper, ink, ...axes } = coloursOf(tools.root);
    const others = Object.fromEntries(Object.entries(colours).map(([name, one]) => [name, getComputedStyle(one).color]));
    return /** @type {import("./board.js").Look} */ ({ axes, paper, ink, ...others });
  }

  /**
   * Draw a moment, and return the weights as they are drawn.
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
    const rows = rowsOf(run, sequence);
    const asked = isAsked ? planAsked(run, width, words, rows) : null;
    const table = isAsked ? null : planOf(run, width, width < NARROW ? SHORT : TALLEST, words);
    const { marked, picked } = moment;
    const shown = { run, look, sequence, marked, ...image };
    if (isMap) {
      const height = Math.max(TALLEST, (asked ?? table)?.height ?? 0);
      wordAt = paintRows(board, { run, look, width, height, word, time, around: pointsAround(moment) });
      setAttributes(board, { "aria-label": `The row of “${run.words[word]}” among all rows. ${ROW_KEYS}` });
    } else if (asked && !board.hidden) {
      const origin = originOf(run);
      const before = time > origin + 1 / 2 ? weightsAt(run, sequence, allHeads(run), origin) : null;
      paintAsked(board, { ...shown, plan: asked, picked, time, before });
      const answers = answersText(run, sequence, image.guesses);
      setAttributes(board, { "aria-label": `Weights of all heads. Answers: ${answers}. ${KEYS}` });
      placeAt = (_, x, y) => {
        const [head, row, column] = weightAt(asked, x, y) ?? [-1, 0, 0];
        const n = numberAt(asked, sizesOf(run), x, y);
        return head < 0 ? (n === null ? n : [n]) : [...allHeads(run)[head], row, column];
      };
    } else if (table && !board.hidden) {
      paintBoard(board, { ...shown, plan: table, head, row: marked?.[2] ?? rowToShow(run, sequence) });
      setAttributes(board, { "aria-label": `Weights of ${headName(run, head)}. ${KEYS}` });
      placeAt = ({ head }, x, y) => {
        const cell = cellAt(table, x, y);
        return cell && /** @type {[number, number, number, number]} */ ([...head, ...cell]);
      };
    }
    if (!curves.hidden) {
      stepAt = paintTimeline(curves, { run, settings, moved: results.strides, look, width, time });
      const what = isMap ? `each change of the row of “${run.words[word]}”` : "all changes of W_Q so far, added up";
      setAttributes(curves, {
        "aria-label": `Over the steps: ${isAsked ? "the share of right answers" : "the loss"}, and ${what}`,
      });
    }
    return image.weights;
  }

  return {
    ...{ node, board, curves, draw },
    /** @param {{ head: readonly number[] }} chosen @param {number} x @param {number} y */
    placeAt: (chosen, x, y) => placeAt(chosen, x, y),
    /** @param {number} x */
    stepAt: (x) => stepAt(x),
    /** @param {number} x @param {number} y */
    wordAt: (x, y) => wordAt(x, y),
  };
}

/** The sizes of W_Q of a head. @param {Run} run @returns {[D: number, E: number]} */
const sizesOf = (run) => [run.D, queriesAt(run, 0, 0).length / run.D];

/** The weights of some heads, one after the other. @param {Run} run @param {readonly (readonly [number, number])[]} heads */
const weightsAt = (run, /** @type {number} */ sequence, heads, /** @type {number} */ frame) =>
  Float32Array.from(heads.flatMap((head) => [...headAt(run, frame, sequence, ...head)]));

/**
 * Weights, probabilities and guesses: between two frames those of both, in proportion. Of a model that is asked those of all heads.
 *
 * @param {Moment} moment
 */
function imageOf({ run, settings: { sequence }, head, time, from }) {
  const near = Math.floor(time);
  const frames = [near, Math.min(near + 1, run.steps.length - 1)];
  const heads = run.questions.length ? allHeads(run) : [head];
  const [a, b] = frames.map((n) => ({
    ...answersAt(run, n, sequence),
    weights: weightsAt(run, sequence, heads, n),
    queries: Float32Array.from(range(heads.length).flatMap((one) => [...queriesAt(run, n, one)])),
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
 * The points of all rows in the frames behind and before us, and in the last one.
 *
 * @param {Moment} moment
 */
const pointsAround = ({ settings, time, results: { dots } }) => [
  dots,
  ...[String(Math.ceil(time)), "last"].map((one) => compute({ ...settings, frame: one }).dots),
];
