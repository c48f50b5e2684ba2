// GridLab's two tensors, and where their numbers lie in memory.

import { clamp, product, range } from "../kit/math.js";
import { arange, contiguous, elements, isContiguous, permute } from "../kit/strided.js";

/** @typedef {"B" | "H" | "L" | "D"} Axis */
/** @typedef {Record<Axis, number>} ByAxis a size or an index for each axis */
/** @typedef {ByAxis & { copied: boolean, index: any, depth: number, order: 1 | 2 }} State */
/** @typedef {ReturnType<typeof compute>} Results */

/**
 * The two orders of the axes, and what the reader holds after 0, 1, ... 4 indices.
 *
 * @type {{ name: string, axes: Axis[], levels: string[], title: string }[]}
 */
export const ORDERS = [
  { name: "x", axes: ["B", "L", "H", "D"], levels: ["drawer", "folder", "row", "strip", "cell"], title: "a row for each token" },
  { name: "y", axes: ["B", "H", "L", "D"], levels: ["drawer", "folder", "table", "row", "cell"], title: "a table for each head" },
];

/**
 * The place in memory of the number at an index.
 *
 * @param {readonly Axis[]} axes
 * @param {number[]} strides
 * @param {ByAxis} at
 */
export function placeOf(axes, strides, at) {
  return axes.reduce((place, axis, n) => place + at[axis] * strides[n], 0);
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
 * The two tensors. values: all numbers in the order of y; storage: the memory of y; shared: whether x has the same memory.
 *
 * @param {State} state
 */
export function compute(state) {
  const { B, H, L, D, copied } = state;
  const x = arange([B, L, H, D]);
  const exchanged = permute(x, [0, 2, 1, 3]);
  const y = copied ? contiguous(exchanged) : exchanged;
  const at = indexInside(state);
  return {
    values: elements(y),
    strides1: x.strides,
    strides2: y.strides,
    offset1: placeOf(ORDERS[0].axes, x.strides, at),
    offset2: placeOf(ORDERS[1].axes, y.strides, at),
    contiguous2: isContiguous(y),
    shared: y.storage === x.storage,
    storage: y.storage,
  };
}

/**
 * For each place of a memory: the head of its number, and whether the number is chosen: it agrees with `at` along every axis in `fixed`.
 *
 * @param {ByAxis} sizes
 * @param {readonly Axis[]} axes
 * @param {number[]} strides
 * @param {ByAxis} at
 * @param {readonly Axis[]} fixed
 */
export function marks(sizes, axes, strides, at, fixed) {
  /** @type {number[]} */
  const heads = [];
  /** @type {boolean[]} */
  const chosen = [];
  for (const B of range(sizes.B))
    for (const H of range(sizes.H))
      for (const L of range(sizes.L))
        for (const D of range(sizes.D)) {
          const index = { B, H, L, D };
          const place = placeOf(axes, strides, index);
          heads[place] = H;
          chosen[place] = fixed.every((axis) => index[axis] === at[axis]);
        }
  return { heads, chosen };
}

/**
 * The index of the number at a place: large strides first. An axis of size 1 takes no step, whatever its stride.
 *
 * @param {ByAxis} sizes
 * @param {readonly Axis[]} axes
 * @param {number[]} strides
 * @param {number} place
 */
export function indexAt(sizes, axes, strides, place) {
  const at = { B: 0, H: 0, L: 0, D: 0 };
  const steps = axes.map((axis, n) => ({ axis, stride: strides[n] })).filter(({ axis }) => sizes[axis] > 1);
  let rest = place;
  for (const { axis, stride } of steps.sort((a, b) => b.stride - a.stride)) {
    at[axis] = Math.floor(rest / stride);
    rest %= stride;
  }
  return at;
}

/**
 * The places of the first numbers, read in the order of the axes: 0, 1, 2, 3, 12, 13, ...
 *
 * @param {ByAxis} sizes
 * @param {readonly Axis[]} axes
 * @param {number[]} strides
 * @param {number} count
 */
export function firstPlaces(sizes, axes, strides, count) {
  const shape = axes.map((axis) => sizes[axis]);
  return range(Math.min(count, product(shape))).map((n) => {
    let [place, rest] = [0, n];
    for (let axis = 3; axis >= 0; axis--) {
      place += (rest % shape[axis]) * strides[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    return place;
  });
}

/**
 * The runs of chosen places, each as [first place, length]. A single run is contiguous.
 *
 * @param {boolean[]} chosen
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

/**
 * The places [from, to) that a window of `room` cells shows. It holds `place` and, except for the last window, begins where a unit
 * begins. While the place moves inside the window, the window stays.
 *
 * @param {number} place
 * @param {number} unit
 * @param {number} room
 * @param {number} N
 */
export function windowAt(place, unit, room, N) {
  const step = unit <= room ? unit * Math.floor(room / unit) : room;
  const from = Math.max(0, Math.min(Math.floor(place / step) * step, N - room));
  return [from, Math.min(N, from + room)];
}
