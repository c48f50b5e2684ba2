// GridLab's tensors, where their numbers lie in memory, and which of them are marked.

import { clamp, product, range } from "../kit/math.js";
import { arange, contiguous, elements, permute, reshape, transpose, view } from "../kit/strided.js";
import { isContiguous } from "../kit/torch/layout.js";

/** @typedef {"B" | "H" | "L" | "D"} Axis */
/** @typedef {Axis | "E"} Letter */
/** @typedef {Record<Axis, number>} ByAxis a size or an index for each axis */
/** @typedef {"rows" | "split" | "heads" | "copied" | "merged" | "turned" | "swapped" | "wrong split" | "wrong merge"} Step */
/** @typedef {"head" | "token" | "number"} Mark */
/** @typedef {"head" | "token" | "value"} Colour */
/** @typedef {ByAxis & { step: string, index: any, mark: string, colour: string }} State as it comes: a link may contain any text */
/** @typedef {ReturnType<typeof compute>} Results */

/**
 * The tensors that the lab shows: the name of each, its axes, the step that it is made from, and its call.
 *
 * @type {Record<Step, { name: string, axes: Letter[], from: Step, call: (sizes: ByAxis) => string }>}
 */
export const STEPS = {
  rows: {
    ...{ name: "e", axes: ["B", "L", "E"], from: "split" },
    call: ({ B, L, H, D }) => `torch.arange(${B * L * H * D}).view(${B}, ${L}, ${H * D})`,
  },
  split: {
    ...{ name: "x", axes: ["B", "L", "H", "D"], from: "rows" },
    call: ({ B, L, H, D }) => `e.view(${B}, ${L}, ${H}, ${D})`,
  },
  heads: { name: "y", axes: ["B", "H", "L", "D"], from: "split", call: () => "x.permute(0, 2, 1, 3)" },
  copied: { name: "c", axes: ["B", "H", "L", "D"], from: "heads", call: () => "y.contiguous()" },
  merged: { name: "m", axes: ["B", "L", "E"], from: "heads", call: () => "y.transpose(1, 2).flatten(2)" },
  turned: { name: "t", axes: ["B", "H", "D", "L"], from: "heads", call: () => "y.transpose(2, 3)" },
  swapped: { name: "s", axes: ["H", "B", "L", "D"], from: "heads", call: () => "y.transpose(0, 1)" },
  "wrong split": {
    ...{ name: "w", axes: ["B", "H", "L", "D"], from: "rows" },
    call: ({ B, L, H, D }) => `e.view(${B}, ${H}, ${L}, ${D})`,
  },
  "wrong merge": {
    ...{ name: "r", axes: ["B", "L", "E"], from: "heads" },
    call: ({ B, L, H, D }) => `y.reshape(${B}, ${L}, ${H * D})`,
  },
};

/** @type {Record<Mark, Axis[]>} what the marked numbers have in common with the one that is looked at */
const FIXED = { head: ["B", "H"], token: ["B", "L"], number: ["B", "H", "L", "D"] };

/**
 * The step, mark and colour of the settings; those of a new lab where a link contains something else.
 *
 * @param {Pick<State, "step" | "mark" | "colour">} state
 */
export function choicesOf({ step, mark, colour }) {
  return {
    step: /** @type {Step} */ (Object.hasOwn(STEPS, step) ? step : "split"),
    mark: /** @type {Mark} */ (Object.hasOwn(FIXED, mark) ? mark : "head"),
    colour: /** @type {Colour} */ (["head", "token", "value"].includes(colour) ? colour : "head"),
  };
}

/**
 * The index [b, h, l, d] by axis, moved inside the sizes: a size may have shrunk, and a link may contain anything.
 *
 * @param {Pick<State, Axis | "index">} state
 * @returns {ByAxis}
 */
export function indexInside({ B, H, L, D, index }) {
  /**
   * @param {number} n
   * @param {number} size
   */
  const inside = (n, size) => clamp(Number.isInteger(index?.[n]) ? index[n] : 0, 0, size - 1);
  return { B: inside(0, B), H: inside(1, H), L: inside(2, L), D: inside(3, D) };
}

/**
 * The number at an index of x, (B, L, H, D). It is its own place in the memory of x, and identifies it in every other tensor.
 *
 * @param {ByAxis} sizes
 * @param {ByAxis} at
 */
export function numberAt({ H, L, D }, at) {
  return ((at.B * L + at.L) * H + at.H) * D + at.D;
}

/**
 * Where a number comes from: its sentence, head, token and number in the head.
 *
 * @param {ByAxis} sizes
 * @param {number} number
 * @returns {ByAxis}
 */
export function originOf({ H, L, D }, number) {
  const [strip, d] = [Math.floor(number / D), number % D];
  const row = Math.floor(strip / H);
  return { B: Math.floor(row / L), H: strip % H, L: row % L, D: d };
}

/**
 * The index of the number that is `nth` in the order of this shape.
 *
 * @param {readonly number[]} shape
 * @param {number} nth
 */
export function unravel(shape, nth) {
  const at = shape.map(() => 0);
  for (let axis = shape.length - 1, rest = nth; axis >= 0; axis--) {
    at[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return at;
}

/**
 * The tensor of a step, and the one that it should be.
 *
 * @param {ByAxis} sizes
 * @param {Step} step
 */
function tensors({ B, H, L, D }, step) {
  const e = arange([B, L, H * D]);
  const x = view(e, [B, L, H, D]);
  const y = permute(x, [0, 2, 1, 3]);
  const made = {
    ...{ rows: () => e, split: () => x, heads: () => y, copied: () => contiguous(y) },
    merged: () => view(transpose(y, 1, 2), [B, L, H * D]),
    turned: () => transpose(y, 2, 3),
    swapped: () => transpose(y, 0, 1),
    "wrong split": () => view(e, [B, H, L, D]),
    "wrong merge": () => reshape(y, [B, L, H * D]),
  };
  const shown = made[step]();
  return { e, shown, right: step === "wrong split" ? y : step === "wrong merge" ? e : shown };
}

/**
 * Which numbers of a wrong step stand where others belong, in the order of the tensor; none if the step is right.
 *
 * @param {State} state
 * @param {ArrayLike<number>} values of the step
 */
export function misplaced(state, values) {
  const { shown, right } = tensors(state, choicesOf(state).step);
  return shown === right ? [] : elements(right).map((number, nth) => values[nth] !== number);
}

/**
 * The tensor of the step. values: its numbers in its order; storage: its memory; shared: whether e has the same memory; at: the index
 * of the number that is looked at, and place: its place in memory; agree: how many numbers stand where the right call puts them.
 *
 * @param {State} state
 */
export function compute(state) {
  const { e, shown, right } = tensors(state, choicesOf(state).step);
  const [values, wanted] = [elements(shown), elements(right)];
  const at = unravel(shown.shape, values.indexOf(numberAt(state, indexInside(state))));
  return {
    values,
    shape: shown.shape,
    strides: shown.strides,
    storage: shown.storage,
    contiguous: isContiguous(shown),
    shared: shown.storage === e.storage,
    at,
    place: placeOf(shown.strides, at),
    agree: values.filter((value, n) => value === wanted[n]).length,
  };
}

/**
 * The place in memory of the number at an index.
 *
 * @param {readonly number[]} strides
 * @param {readonly number[]} at
 */
export function placeOf(strides, at) {
  return at.reduce((place, i, n) => place + i * strides[n], 0);
}

/**
 * Which numbers are marked: those that agree with the one that is looked at along the axes that the mark fixes.
 *
 * @param {ByAxis} sizes
 * @param {ByAxis} at
 * @param {Mark} mark
 */
export function marked(sizes, at, mark) {
  return range(product([sizes.B, sizes.H, sizes.L, sizes.D])).map((number) => {
    const origin = originOf(sizes, number);
    return FIXED[mark].every((axis) => origin[axis] === at[axis]);
  });
}

/**
 * The runs of chosen places, each as [first place, length]. A single run is one piece.
 *
 * @param {readonly boolean[]} chosen
 */
export function runsOf(chosen) {
  /** @type {[first: number, length: number][]} */
  const runs = [];
  chosen.forEach((isChosen, place) => {
    if (isChosen && chosen[place - 1]) runs[runs.length - 1][1]++;
    else if (isChosen) runs.push([place, 1]);
  });
  return runs;
}
