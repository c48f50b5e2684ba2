// Splitting into heads and merging them again, number by number: the right way, the bugs, and a row of memory that is cut into pieces.

import { divisors, product, range } from "../kit/math.js";
import { arange, contiguous, elements, permute, reshape, transpose, view } from "../kit/strided.js";
import { isContiguous } from "../kit/torch/layout.js";

/** @typedef {import("../kit/strided.js").Strided} Strided */
/** @typedef {{ B: number, L: number, H: number, D: number }} Sizes */
/** @typedef {Sizes & { operation: "split" | "merge", way?: string, piece?: number }} Settings */
/** @typedef {Record<"in place" | "another head" | "another token" | "another channel", number>} Counts */
/** @typedef {{ call: string, shape: number[], strides: number[], contiguous: boolean, memory: string }} Step */
/** @typedef {{ call: string, does: string, message: string }} Next */
/** @typedef {{ result: ArrayLike<number>, right: ArrayLike<number>, counts: Counts, error: string, steps: Step[], next: Next[] }} Results */

// WAYS and NEXT_CALLS are those of lab.py; a test compares them. P is the length of a piece.
/** @type {Record<Settings["operation"], Record<string, string>>} */
export const WAYS = {
  split: {
    right: "view(B, L, H, D).permute(0, 2, 1, 3)",
    "view only": "view(B, H, L, D)",
    interleaved: "view(B, L, D, H).permute(0, 3, 1, 2)",
    pieces: "view(B, -1, H, P).permute(0, 2, 1, 3).reshape(B, H, L, D)",
  },
  merge: {
    right: "transpose(1, 2).reshape(B, L, H*D)",
    "no transpose": "reshape(B, L, H*D)",
    pieces: "view(B, -1, L, P).permute(0, 2, 1, 3).reshape(B, L, H*D)",
  },
};

// Calls to try on the result of a split, or instead of the last call of a merge.
/** @type {Record<Settings["operation"], string[]>} */
export const NEXT_CALLS = {
  split: ["view(B, H, L*D)", "reshape(B, H, L*D)", "contiguous()", "transpose(1, 2).view(B, L, H*D)"],
  merge: ["view(B, L, H*D)", "reshape(B, L, H*D)", "contiguous().view(B, L, H*D)"],
};

/** @type {Record<string, (tensor: Strided, numbers: number[]) => Strided>} */
const METHODS = { view, reshape, permute, contiguous, transpose: (tensor, [a, b]) => transpose(tensor, a, b) };

/** @param {string} code @returns {string[]} its calls: "view(B, H, L, D)", ... */
const callsOf = (code) => code.match(/\w+\([^)]*\)/g) ?? [];

/**
 * The given tensor and the result of each call in a chain such as "transpose(1, 2).view(B, L, H*D)".
 *
 * @param {Strided} given
 * @param {string} code
 * @param {Record<string, number>} sizes
 */
function runCalls(given, code, sizes) {
  const evaluate = (expression) => product(expression.split("*").map((factor) => sizes[factor] ?? Number(factor)));
  const tensors = [given];
  for (const call of callsOf(code)) {
    const [name, list] = call.slice(0, -1).split("(");
    tensors.push(METHODS[name](tensors[tensors.length - 1], list.split(", ").map(evaluate)));
  }
  return tensors;
}

/** Does `result` share the memory of `source`? */
const viewOrCopy = (result, source) => (result.storage === source.storage ? "view" : "copy");

function tryCall(code, source, sizes) {
  try {
    return { call: code, does: viewOrCopy(runCalls(source, code, sizes).at(-1), source), message: "" };
  } catch (error) {
    return { call: code, does: "error", message: /** @type {Error} */ (error).message };
  }
}

/**
 * The way, or the first bug of the operation if it does not have this way: a link may change the operation alone.
 *
 * @param {{ operation: Settings["operation"], way?: string }} settings
 * @returns {string}
 */
export function wayOf({ operation, way }) {
  return way && way in WAYS[operation] ? way : Object.keys(WAYS[operation])[1];
}

/**
 * The line of code of the chosen way, with the length of its pieces as a number.
 *
 * @param {Settings} settings
 */
export function lineOf(settings) {
  return WAYS[settings.operation][wayOf(settings)].replace("P", String(settings.piece));
}

/**
 * What a sentence's row of memory is cut for: a split gives every head, a merge every word, `share` numbers.
 *
 * @param {Settings} settings
 */
export function receivers({ L, H, D, operation }) {
  return operation === "split" ? { count: H, share: L * D } : { count: L, share: H * D };
}

/**
 * How many numbers the chosen way's pieces have. The receivers take the pieces in turn: in every way, another length is all that differs.
 *
 * @param {Settings} settings
 */
export function pieceOf(settings) {
  const way = wayOf(settings);
  const { share } = receivers(settings);
  return { right: settings.D, "view only": share, "no transpose": share, interleaved: 1 }[way] ?? settings.piece ?? 1;
}

/**
 * The settings that cut the row into pieces of this length: a named way if there is one.
 *
 * @param {number} piece
 * @param {Settings} settings
 */
export function cutInto(piece, settings) {
  const named = Object.keys(WAYS[settings.operation]).find((way) => way !== "pieces" && pieceOf({ ...settings, way }) === piece);
  return { way: named ?? "pieces", piece };
}

/**
 * The lengths of pieces that a view can cut, ascending: every receiver gets whole pieces.
 *
 * @param {Settings} settings
 */
export const possiblePieces = (settings) => divisors(receivers(settings).share);

/**
 * The passport of the number at this place of the given storage: sentence, word, head and channel. x (B, L, H·D) is stored word by
 * word, heads (B, H, L, D) head by head.
 *
 * @param {number} place
 * @param {Pick<Settings, "L" | "H" | "D" | "operation">} settings
 * @returns {{ b: number, l: number, h: number, d: number }}
 */
export function passport(place, { L, H, D, operation }) {
  const [b, d] = [Math.floor(place / (L * H * D)), place % D];
  const row = Math.floor(place / D) % (L * H);
  if (operation === "split") return { b, l: Math.floor(row / H), h: row % H, d };
  return { b, l: row % L, h: Math.floor(row / L), d };
}

/**
 * `result` and `right` (B·L·H·D numbers each) say which place of the given storage is at each position of the chosen and of the right
 * result. `steps` is what each call makes, `next` what the NEXT_CALLS would do. If no view cuts the row into such pieces, `error` is
 * PyTorch's message, and `result` is empty.
 *
 * @param {Settings} settings
 */
export function compute(settings) {
  const { B, L, H, D, operation, piece = 1 } = settings;
  const sizes = { B, L, H, D, P: piece };
  const given = arange(operation === "split" ? [B, L, H * D] : [B, H, L, D]);
  const code = WAYS[operation][wayOf(settings)];
  const calls = callsOf(code);
  let [tensors, error] = [[given], ""];
  try {
    tensors = runCalls(given, code, sizes);
  } catch (problem) {
    error = /** @type {Error} */ (problem).message;
  }
  const last = tensors[tensors.length - 1];
  const source = operation === "split" ? last : tensors.slice(-2)[0];
  const result = error ? [] : elements(last);
  const right = elements(runCalls(given, WAYS[operation].right, sizes).at(-1) ?? given);
  const steps = tensors.map((tensor, n) => ({
    call: n ? calls[n - 1] : "",
    shape: tensor.shape,
    strides: tensor.strides,
    contiguous: isContiguous(tensor),
    memory: n ? viewOrCopy(tensor, tensors[n - 1]) : "",
  }));
  const next = error ? [] : NEXT_CALLS[operation].map((call) => tryCall(call, source, sizes));
  return { result, right, error, steps, next, counts: countPlaces(result, right, settings) };
}

/**
 * @param {number[]} result
 * @param {number[]} right
 * @param {Settings} settings
 * @returns {Counts}
 */
function countPlaces(result, right, settings) {
  const pairs = result.map((place, n) => [passport(place, settings), passport(right[n], settings)]);
  const differing = (axis) => pairs.filter(([actual, expected]) => actual[axis] !== expected[axis]).length;
  return {
    "in place": result.filter((place, n) => place === right[n]).length,
    "another head": differing("h"),
    "another token": differing("l"),
    "another channel": differing("d"),
  };
}

/**
 * How many numbers are strangers where the chosen way puts them: they belong to another head, in a merge to another word.
 *
 * @param {Counts} counts
 * @param {Pick<Settings, "operation">} settings
 */
export const strangersIn = (counts, { operation }) => counts[operation === "split" ? "another head" : "another token"];

/**
 * What is wrong with each number of the chosen result: "stranger" if it belongs to another head (in a merge: to another word),
 * "misplaced" if it belongs there but in another cell, "" if it is in place.
 *
 * @param {Pick<Results, "result" | "right">} results
 * @param {Settings} settings
 */
export function mistakes({ result, right }, settings) {
  const axis = settings.operation === "split" ? "h" : "l";
  return range(result.length).map((n) => {
    if (result[n] === right[n]) return "";
    return passport(result[n], settings)[axis] === passport(right[n], settings)[axis] ? "misplaced" : "stranger";
  });
}
