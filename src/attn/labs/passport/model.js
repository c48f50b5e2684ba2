// Splitting into heads and merging them again, element by element: the right way and the bugs.

import { product, range } from "../kit/math.js";
import { arange, contiguous, elements, isContiguous, permute, reshape, transpose, view } from "../kit/strided.js";

/** @typedef {import("../kit/strided.js").Strided} Strided */
/** @typedef {{ B: number, L: number, H: number, D: number }} Sizes */
/** @typedef {Sizes & { operation: "split" | "merge", way?: string }} Settings */
/** @typedef {Record<"in place" | "another head" | "another token" | "another channel", number>} Counts */

// WAYS and NEXT_CALLS are those of lab.py; a test compares them.
/** @type {Record<Settings["operation"], Record<string, string>>} */
export const WAYS = {
  split: {
    right: "view(B, L, H, D).permute(0, 2, 1, 3)",
    "view only": "view(B, H, L, D)",
    interleaved: "view(B, L, D, H).permute(0, 3, 1, 2)",
  },
  merge: {
    right: "transpose(1, 2).reshape(B, L, H*D)",
    "no transpose": "reshape(B, L, H*D)",
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
 * The passport of the element at this place of the given storage: sample, token, head and channel. x (B, L, H·D) is stored token by
 * token, heads (B, H, L, D) head by head.
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
 * result. `steps` is what each call makes, `next` what the NEXT_CALLS would do.
 *
 * @param {Settings} settings
 */
export function compute(settings) {
  const { B, L, H, D, operation } = settings;
  const sizes = { B, L, H, D };
  const given = arange(operation === "split" ? [B, L, H * D] : [B, H, L, D]);
  const code = WAYS[operation][wayOf(settings)];
  const calls = callsOf(code);
  const tensors = runCalls(given, code, sizes);
  const last = tensors[tensors.length - 1];
  const source = operation === "split" ? last : tensors[tensors.length - 2];
  const result = elements(last);
  const right = elements(runCalls(given, WAYS[operation].right, sizes).at(-1) ?? given);
  const steps = tensors.map((tensor, n) => ({
    call: n ? calls[n - 1] : "",
    shape: tensor.shape,
    strides: tensor.strides,
    contiguous: isContiguous(tensor),
    memory: n ? viewOrCopy(tensor, tensors[n - 1]) : "",
  }));
  const next = NEXT_CALLS[operation].map((call) => tryCall(call, source, sizes));
  return { result, right, steps, next, counts: countPlaces(result, right, settings) };
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
 * "40 of 60 elements in another head, 48 at another token; 12 in place (20%)"
 *
 * @param {Counts} counts
 * @param {number} total
 */
export function verdict(counts, total) {
  const placed = counts["in place"];
  if (placed === total) return `all ${total} elements are in place`;
  const misplaced = Object.entries({ "another head": "in", "another token": "at", "another channel": "in" })
    .filter(([where]) => counts[where])
    .map(([where, preposition], n) => `${counts[where]}${n ? "" : ` of ${total} elements`} ${preposition} ${where}`);
  return `${misplaced.join(", ")}; ${placed} in place (${Number(((100 * placed) / total).toFixed(1))}%)`;
}

/**
 * Sentences about sizes that hide the bug.
 *
 * @param {Settings} settings
 * @param {Counts} counts
 */
export function coincidences(settings, counts) {
  const { L, H, D, operation } = settings;
  const way = wayOf(settings);
  const ones = Object.entries(way === "interleaved" ? { H, D } : { H, L }).filter(([, size]) => size === 1);
  const notes = [];
  if (ones.length) {
    const bug = Object.values(WAYS[operation])[1];
    const what = way === "right" ? `${bug} gives the same` : `all ${counts["in place"]} elements are in place`;
    notes.push(`${ones.map(([axis]) => `${axis} = 1`).join(" and ")}: ${what}; this test cannot see the bug.`);
  }
  if (L === H && L > 1)
    notes.push(
      `L = H = ${L}: (B, L, H, D) and (B, H, L, D) are the same shape, so the shape does not tell whether the two axes were exchanged.`,
    );
  if (H === D && H > 1 && operation === "split")
    notes.push(`H = D = ${H}: view(B, L, H, D) and view(B, L, D, H) are the same call.`);
  return notes;
}

/**
 * A sentence about one element: where it belongs, and where the chosen way puts it.
 *
 * @param {number} place in the given storage
 * @param {{ result: ArrayLike<number>, right: ArrayLike<number> }} results
 * @param {Settings} settings
 */
export function describeElement(place, { result, right }, settings) {
  const { B, L, H, D, operation } = settings;
  const shape = operation === "split" ? [B, H, L, D] : [B, L, H * D];
  const indexAt = (n) => {
    const along = range(shape.length).map((axis) => Math.floor(n / product(shape.slice(axis + 1))) % shape[axis]);
    return `[${along.join(", ")}]`;
  };
  const name = ({ l, h, d }) => `token ${l}, head ${h}, channel ${d}`;
  const [actual, expected] = [result, right].map((places) => Array.prototype.indexOf.call(places, place));
  const owner = passport(place, settings);
  const holds = `Place ${place} in memory holds ${name(owner)}${B > 1 ? ` of sample ${owner.b}` : ""}.`;
  const code = WAYS[operation][wayOf(settings)];
  if (actual === expected) return `${holds} It belongs at ${indexAt(expected)} of the result, and ${code} puts it there.`;
  const mistaken = name(passport(right[actual], settings));
  return `${holds} It belongs at ${indexAt(expected)} of the result; ${code} puts it at ${indexAt(actual)}, where it is taken for ${mistaken}.`;
}
