// The picture of TrainingLab at any time: the weights of a head or the rows of the embedding, and the curves.

import { coloursOf } from "../kit/colours.js";
import { element, setAttributes } from "../kit/dom.js";
import { shows } from "../kit/stage.js";
import { mix } from "../kit/time.js";
import { cellAt, paintBoard, planOf, WIDE } from "./board.js";
import { paintCurves } from "./curves.js";
import { answersAt, compute, guessAt, headAt, rowToShow, strengthOf, turnOf } from "./model.js";
import { panelsOf } from "./panels.js";
import { paintRows } from "./rows.js";
import { headName } from "./words.js";

/** @typedef {import("./model.js").Run} Run */

/**
 * @typedef {object} Moment what is drawn
 * @property {Run} run
 * @property {any} settings
 * @property {readonly [layer: number, head: number]} head
 * @property {readonly [row: number, column: number] | null} marked
 * @property {number} time in frames; between two frames it is no whole number
 * @property {boolean} isAtRest
 * @property {Record<string, any>} results of the frame at or before this time
 * @property {{ weights: Float32Array, part: number } | null} from other weights that the picture comes from, and how much of the way is done
 */

const NARROW = 480; // below this one the page is that of a phone
const TALLEST = 234; // of the table, below the curves
const TALL = 366; // of the table beside the curves
const SHORT = 236; // of the table on a phone
const [ROW, LOW] = [132, 176]; // the height of curves that stand side by side, and above the table of a model that is asked
const PANEL = 84; // the height of one panel of those one below the other
const MAP = 0.5; // of the width for the map of rows, so that the curves beside it stand where they stand in a row
const GAP = 8; // between table and curves
const KEYS = "Arrow keys walk through the weights, Page Up and Page Down change the head, Home and End the layer.";
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
    const isWide = width >= WIDE && !board.hidden && !curves.hidden;
    const isMap = settings.show === "rows";
    const isAsked = run.questions.length > 0;
    const isRow = !isMap && (width >= WIDE || isAsked);
    const isBeside = isWide && isAsked;
    node.classList.toggle("beside", isWide && isMap);
    const image = imageOf(moment);
    const mapWidth = isWide ? Math.round(MAP * width) : width;
    const words = run.ids[settings.sequence].map((id) => run.words[id]);
    const table = planOf(run, width, width < NARROW ? SHORT : isBeside ? TALL : TALLEST, words);
    const mapHeight = isWide && !isAsked ? table.height + GAP + ROW : table.height; // the map is as high as what it takes the place of
    plan = isMap ? null : table;
    if (isMap) {
      wordAt = paintRows(board, { run, look, width: mapWidth, height: mapHeight, word: settings.word, ...rowsOf(moment) });
      setAttributes(board, { "aria-label": `The row of “${run.words[settings.word]}” among all rows. ${ROW_KEYS}` });
    } else if (!board.hidden) {
      const { sequence } = settings;
      const turn = isAsked ? turnOf(run, sequence, head) : null; // the word that the curves name, too
      const row = moment.marked?.[0] ?? (isAsked ? (turn && turn.frame <= time ? turn.row : null) : rowToShow(run, sequence));
      paintBoard(board, {
        ...{ run, plan: table, look, sequence, head, marked: moment.marked, row },
        ...image,
      });
      setAttributes(board, { "aria-label": `Weights of ${headName(run, head)}. ${KEYS}` });
    }
    if (!curves.hidden) {
      const free = isBeside && !isMap ? width - table.width - 25 : width; // a width is rounded, so a pixel stays free
      const panels = panelsOf(run, { ...settings, head }, results.strides, free);
      stepAt = paintCurves(curves, {
        ...{ run, panels, look, step: between(run.steps, time), isRow },
        width: isMap && isWide ? width - mapWidth - 25 : free,
        height: isBeside || (isMap && isWide) ? mapHeight : isRow ? (isAsked ? LOW : ROW) : PANEL * panels.length + 33,
      });
      setAttributes(curves, {
        "aria-label": `Curves over the steps: ${panels.map(({ title, note, lines }) => [title, ...(note ? [note] : lines.slice(1).map(({ name }) => name))].join(", ")).join("; ")}`,
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
  };
}

/**
 * The number between the two that are next to a time.
 *
 * @param {ArrayLike<number>} numbers one for each frame
 * @param {number} time
 */
function between(numbers, time) {
  const near = Math.floor(time);
  return mix(numbers[near], numbers[Math.min(near + 1, numbers.length - 1)], time - near);
}

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
  }));
  const guessed = (/** @type {number} */ n) => (/** @type {number} */ part) =>
    guessAt([a.guesses[n], b.guesses[n]], [a.chances[n], b.chances[n]], run.asks[sequence][n][2], part);
  const weights = a.weights.map((weight, n) => mix(weight, b.weights[n], time - near));
  return {
    weights: from ? weights.map((weight, n) => mix(from.weights[n], weight, from.part)) : weights,
    chances: a.chances.map((chance, n) => mix(chance, b.chances[n], time - near)),
    guesses: run.asks[sequence].map((_, n) => guessed(n)(time - near)),
    strengths: run.asks[sequence].map((_, n) => (time === near ? 1 : strengthOf(guessed(n), time - near))),
  };
}

/**
 * The points of all rows, and the frame behind us.
 *
 * @param {Moment} moment
 */
function rowsOf({ settings, time, results: { dots } }) {
  const frame = Math.floor(time);
  if (frame === time) return { dots, frame };
  const next = compute({ ...settings, frame: String(frame + 1) }).dots;
  return { dots: dots.map((/** @type {number} */ at, /** @type {number} */ n) => mix(at, next[n], time - frame)), frame };
}
