// What BugLab computes: the recorded layer with its right lines and with one wrong line, as attn.labs.bug.planting does it in PyTorch.

import { normal } from "../kit/inputs.js";
import { numberOf } from "../kit/language.js";
import { half, range } from "../kit/math.js";
import { recorded, SIZES } from "../kit/reader.js";
import { inPrecision, linear, mapped } from "./arrays.js";
import { RIGHT, WRONG } from "./wrong.js";

/** @typedef {import("./arrays.js").Tensor} Tensor */
/** @typedef {"self" | "causal" | "prompt" | "new" | "other" | "train" | "grouped" | "half"} Given what the layer gets */

/**
 * @typedef {object} State
 * @property {string} bug
 * @property {Given} given
 * @property {number} L
 * @property {string[]} _words
 * @property {string[]} _context
 */

/** @typedef {{ weights: Tensor | null, y: Tensor | null, message: string }} Outcome */

/**
 * @typedef {object} Results tensors row after row; those of a line that raises an error are null
 * @property {Float32Array} right_weights
 * @property {Float32Array} right_y
 * @property {Float32Array | null} weights
 * @property {Float32Array | null} y
 * @property {{ weights: number[] | null, y: number[] | null }} shapes
 * @property {{ weights: number | null, y: number | null }} moved how many numbers are others; null if the shape is
 * @property {boolean | null} sums
 * @property {string} message
 * @property {number[]} runs_at the numbers of words with which a line that raises an error runs
 * @property {Record<Given, "shows" | "hidden" | "stops">} elsewhere
 */

// These constants are the same as in planting.py.
export const GIVEN = /** @type {Given[]} */ (["self", "causal", "prompt", "new", "other", "train", "grouped", "half"]);
export const PADDING = 2;
export const GROUPED = { H: 4, G: 2, D: 3 };
export const FAR = 1e-4;
export const FAR_SUM = 2e-3;

const same = (/** @type {number} */ value) => value;
/** As PyTorch rounds what it has computed in float32. @param {number} value */
const inHalf = (value) => half(Math.fround(value));

/** The heads of the layer, those of keys and values, and their width. @param {string} given */
export const sizesOf = (given) => (given === "grouped" ? GROUPED : { ...SIZES, G: SIZES.H });

/** Whether the layer gets a causal mask. @param {string} given */
export const isMasked = (given) => ["causal", "prompt", "new", "cached", "half"].includes(given);

/** How many words in front are padding. @param {{ given: string, L: number }} state */
export const paddingOf = ({ given, L }) => (given === "prompt" ? Math.min(PADDING, L - 1) : 0);

/** Whether a table is y, the last one. @param {{ given: string }} state @param {number} table */
export const isOfY = ({ given }, table) => table === sizesOf(given).H;

/** Whether the layer is not the recorded one. @param {string} given */
export const isRandom = (given) => given === "grouped" || given === "half";

/**
 * A matrix of the layer: a recorded one, or random numbers; for half precision whole ones, so that rounding begins with softmax.
 *
 * @param {string} given
 * @param {"W_Q" | "W_K" | "W_V" | "W_O"} name
 */
function matrixOf(given, name) {
  if (!isRandom(given)) return recorded(name);
  const { H, G, D } = sizesOf(given);
  const drawn = normal(0, name, range(D * (name === "W_Q" || name === "W_O" ? H : G)), SIZES.E);
  return drawn.map(given === "half" ? Math.round : (value) => value / 2);
}

/**
 * x (L, E): for each word its vector plus that of its position.
 *
 * @param {string[]} words
 * @param {number} first the position of the first word
 * @returns {Tensor}
 */
function embedded(words, first) {
  const { E } = SIZES;
  const [tokens, places] = [recorded("tokens"), recorded("places")];
  const data = words.flatMap((word, i) => range(E).map((e) => tokens[numberOf(word) * E + e] + places[(first + i) * E + e]));
  return { shape: [words.length, E], data };
}

/**
 * The layer with these steps.
 *
 * @param {typeof RIGHT} steps
 * @param {Pick<State, "L" | "_words" | "_context"> & { given: Given | "cached" }} state cached: the prompt whose keys and values are kept
 */
function run(steps, { given, L, _words, _context }) {
  const { H, G } = sizesOf(given);
  const W = (/** @type {Parameters<typeof matrixOf>[1]} */ name) => matrixOf(given, name);
  const words = _words.slice(0, L);
  const isNew = given === "new";
  const start = isNew ? L - 1 : 0;
  if (start) run(steps, { given: "cached", L: start, _words, _context }); // it may raise an error
  const x = mapped(embedded(words.slice(start), steps.first(start)), given === "half" ? (value) => Math.round(2 * value) : same);
  // In a cache stand the keys and values of the earlier words, from their own positions.
  const old = embedded(words.slice(0, start), 0);
  const context = given === "other" ? embedded(_context, 0) : x;
  /** @param {Tensor} of */
  const keysOf = (of) => steps.split(linear(of, W("W_K")), G);
  /** @param {Tensor} of */
  const valuesOf = (of) => steps.split(steps.project(of, W("W_V")), G);
  let q = steps.split(linear(x, W("W_Q")), H);
  let k = keysOf(steps.source(x, context));
  let v = steps.values(valuesOf(context), k);
  if (start) {
    const [oldK, oldV] = [keysOf(old), valuesOf(old)];
    k = joined(oldK, k);
    v = joined(steps.values(oldV, oldK), v);
  }
  if (isNew || given === "cached") v = steps.cached(v, k);
  const S = v.shape[1];
  const real = range(S).map((j) => Number(j >= paddingOf({ given, L })));
  const rules = isMasked(given) ? steps.both(steps.causal(q.shape[1], S), real) : null;
  [q, k] = steps.given(q, k);
  const all = { shape: [q.shape[1], S], data: Array(q.shape[1] * S).fill(1) };
  const keep = rules ? steps.mask(rules, all) : all;
  const [heads, weights] = steps.attend(q, k, v, keep, steps.dropout(given === "train"), steps);
  return { weights, y: steps.output(steps.merge(heads), W("W_O"), x, H) };
}

/** Two tensors of heads, one after the other along the words. @param {Tensor} one @param {Tensor} other @returns {Tensor} */
function joined(one, other) {
  const [H, R, D] = one.shape;
  const more = other.shape[1];
  const data = range(H).flatMap((h) => [
    ...one.data.slice(h * R * D, (h + 1) * R * D),
    ...other.data.slice(h * more * D, (h + 1) * more * D),
  ]);
  return { shape: [H, R + more, D], data };
}

/** @type {Map<string, Outcome>} what has been computed: where else a bug shows is asked for each of its inputs */
const known = new Map();

/**
 * What the layer computes with this bug, or with none.
 *
 * @param {Parameters<typeof run>[1] & { bug: string }} state
 * @returns {Outcome}
 */
export function outcome(state) {
  const key = JSON.stringify(state);
  if (known.size > 500) known.clear();
  if (!known.has(key)) known.set(key, computed(state));
  return /** @type {Outcome} */ (known.get(key));
}

/** @type {typeof outcome} */
function computed(state) {
  try {
    const steps = { ...RIGHT, ...WRONG[state.bug] };
    return { ...inPrecision(state.given === "half" ? inHalf : same, () => run(steps, state)), message: "" };
  } catch (error) {
    return { weights: null, y: null, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * What each line computed of the words before the next one; null if that is not given.
 *
 * @param {State} state
 * @returns {Record<"right" | "wrong", Outcome> | null}
 */
export function promptOf(state) {
  if (state.given !== "new") return null;
  const before = { ...state, given: /** @type {const} */ ("cached"), L: state.L - 1 };
  return { right: outcome({ ...before, bug: "none" }), wrong: outcome(before) };
}

/**
 * The causal mask of each line, row after row; null unless the bug is in it. isRow: it is one row, in which they differ.
 *
 * @param {State} state
 */
export function masksOf({ bug, given, L }) {
  const { causal } = WRONG[bug] ?? {};
  if (!causal || !isMasked(given)) return null;
  const rows = given === "new" ? 1 : L;
  const [right, wrong] = [RIGHT.causal, causal].map((make) => make(rows, L).data);
  const isSame = String(right) === String(wrong);
  return { right, wrong, isSame, isRow: rows === 1 && !isSame };
}

/** @typedef {Record<"right" | "wrong", number[]>} Parts for each word and each place of a head the part that stands there: head * L + word */

/**
 * Whose numbers the merge writes where: what a head gives to a word stays together. Null unless the bug is in the merge alone.
 *
 * @param {State} state
 * @returns {Parts | null}
 */
export function partsOf({ bug, given, L }) {
  const { merge, ...others } = WRONG[bug] ?? {};
  if (!merge || Object.keys(others).length || given === "new") return null;
  const { H } = sizesOf(given);
  const heads = { shape: [H, L, 1], data: range(H * L) };
  return { right: RIGHT.merge(heads).data, wrong: merge(heads).data };
}

/**
 * How many numbers are others; null if the shape is, or if there are none.
 *
 * @param {Tensor | null} mine
 * @param {Tensor | null} right
 */
function moved(mine, right) {
  if (!mine || !right || String(mine.shape) !== String(right.shape)) return null;
  return mine.data.filter((value, n) => !(Math.abs(value - right.data[n]) <= FAR)).length;
}

/** @param {Tensor} weights */
const sumsOf = ({ shape, data }) =>
  range(shape[0] * shape[1]).map((row) => data.slice(row * shape[2], (row + 1) * shape[2]).reduce((sum, one) => sum + one, 0));

/** @param {Tensor | null} mine @param {Tensor | null} right */
function keepsSums(mine, right) {
  if (!mine || !right || String(mine.shape.slice(0, 2)) !== String(right.shape.slice(0, 2))) return null;
  const theirs = sumsOf(right);
  return sumsOf(mine).every((sum, n) => Math.abs(sum - theirs[n]) <= FAR_SUM);
}

/**
 * Whether a bug shows with these settings.
 *
 * @param {State} state
 */
function told(state) {
  const [right, wrong] = [outcome({ ...state, bug: "none" }), outcome(state)];
  if (wrong.message) return "stops";
  return moved(wrong.weights, right.weights) === 0 && moved(wrong.y, right.y) === 0 ? "hidden" : "shows";
}

/**
 * What BugLab.compute gives in Python.
 *
 * @param {State} state
 * @returns {Results}
 */
export function compute(state) {
  if (state.bug !== "none" && !WRONG[state.bug]) throw new Error(`There is no bug “${state.bug}” in this lab.`);
  if (!GIVEN.includes(state.given)) throw new Error(`There is no “${state.given}” to give to the layer.`);
  const [right, wrong] = [outcome({ ...state, bug: "none" }), outcome(state)];
  const numbers = (/** @type {Tensor | null} */ tensor) => tensor && Float32Array.from(tensor.data);
  const runs = range(state._words.length).filter((n) => n && wrong.message && told({ ...state, L: n + 1 }) !== "stops");
  return {
    right_weights: /** @type {Float32Array} */ (numbers(right.weights)),
    right_y: /** @type {Float32Array} */ (numbers(right.y)),
    weights: numbers(wrong.weights),
    y: numbers(wrong.y),
    shapes: { weights: wrong.weights?.shape ?? null, y: wrong.y?.shape ?? null },
    moved: { weights: moved(wrong.weights, right.weights), y: moved(wrong.y, right.y) },
    sums: keepsSums(wrong.weights, right.weights),
    message: wrong.message,
    runs_at: runs.map((n) => n + 1),
    elsewhere: /** @type {Results["elsewhere"]} */ (Object.fromEntries(GIVEN.map((given) => [given, told({ ...state, given })]))),
  };
}
