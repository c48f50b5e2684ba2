// GridLab's two tensors, and what they are in words.

import { arange, contiguous, elements, isContiguous, permute } from "../kit/strided.js";
import { pieces } from "./memory.js";
import { ORDERS, placeOf } from "./panel.js";

// The index [b, h, l, d] by letters, made to fit: a size may have shrunk, and a link may say anything.
export function placed({ B, H, L, D, index }) {
  const fit = (n, size) => Math.max(0, Math.min(size - 1, Number.isInteger(index?.[n]) ? index[n] : 0));
  return { B: fit(0, B), H: fit(1, H), L: fit(2, L), D: fit(3, D) };
}

// Both tensors. values: all numbers, walked in order 2. storage: the memory of order 2; shared: it is that of order 1.
export function compute(state) {
  const { B, H, L, D, copied } = state;
  const x = arange([B, L, H, D]);
  const exchanged = permute(x, [0, 2, 1, 3]);
  const y = copied ? contiguous(exchanged) : exchanged;
  const at = placed(state);
  return {
    values: elements(y),
    strides1: x.strides,
    strides2: y.strides,
    offset1: placeOf("BLHD", x.strides, at),
    offset2: placeOf("BHLD", y.strides, at),
    contiguous2: isContiguous(y),
    shared: y.storage === x.storage,
    storage: y.storage,
  };
}

// For each place of a memory: the head of its number, and whether that number agrees with `at` in every letter of `fixed`.
export function marks(sizes, axes, strides, at, fixed) {
  const heads = [];
  const chosen = [];
  for (let B = 0; B < sizes.B; B++)
    for (let H = 0; H < sizes.H; H++)
      for (let L = 0; L < sizes.L; L++)
        for (let D = 0; D < sizes.D; D++) {
          const one = { B, H, L, D };
          const place = placeOf(axes, strides, one);
          heads[place] = H;
          chosen[place] = [...fixed].every((axis) => one[axis] === at[axis]);
        }
  return { heads, chosen };
}

// The number that lies at a place: large strides first. An axis of one element takes no step, whatever its stride.
export function indexAt(sizes, axes, strides, place) {
  const at = { B: 0, H: 0, L: 0, D: 0 };
  const steps = [...axes].map((axis, n) => [strides[n], axis]).filter(([, axis]) => sizes[axis] > 1);
  for (const [stride, axis] of steps.sort(([a], [b]) => b - a)) {
    at[axis] = Math.floor(place / stride);
    place %= stride;
  }
  return at;
}

// Sentences about sizes that hide something.
export function coincidences({ B, H, L, D, copied }) {
  const notes = [
    [H === 1, "H = 1: a row has one strip, so the exchange changes nothing. Both orders read memory from front to back."],
    [L === 1 && H > 1, "L = 1: a table has one row, so nothing is regrouped. One stride differs, and no step is taken along it."],
    [L === H && L > 1, `L = H = ${L}: both orders have the same shape. Without the exchange no error comes, only wrong numbers.`],
    [copied && (H === 1 || L === 1), "y lies in order already: y.contiguous() copies nothing and returns y itself."],
    [B === H && B > 1, `B = H = ${B}: with samples and heads exchanged, y keeps its shape.`],
    [B === L && B > 1, `B = L = ${B}: with samples and tokens exchanged, x keeps its shape.`],
    [H === D && H > 1, `H = D = ${H}: cut as (D, H) instead of (H, D), x has the same shape.`],
    [L === D && L > 1, `L = D = ${L}: a table and its transpose have the same shape.`],
  ];
  return notes.filter(([holds]) => holds).map(([, note]) => note);
}

// "20 numbers in 5 pieces of 4, 12 places from one to the next"
export function scattered(chosen) {
  const runs = pieces(chosen);
  const count = chosen.filter(Boolean).length;
  if (runs.length === 1) return count === 1 ? "1 number" : `${count} numbers in one piece`;
  return `${count} numbers in ${runs.length} pieces of ${runs[0][1]}, each ${runs[1][0] - runs[0][0]} places after the one before`;
}

// In words: what is chosen, and where it lies in memory (and in the copy, if there is one).
export function told({ depth, order, at }, results, value, chosen) {
  const who = `sample ${at.B}, head ${at.H}, token ${at.L}, number ${at.D}`;
  if (depth === 4) {
    const copy = results.shared ? "" : `, at place ${results.offset2} of the copy`;
    return [who, `value ${value} at place ${results.offset1} of memory${copy}`];
  }
  const copy = results.shared ? "" : `; in the copy ${scattered(chosen[1]).replace(/^\d+ numbers? /, "")}`;
  return [`a ${ORDERS[order - 1].levels[depth]}`, `${scattered(chosen[0])}${copy}`];
}
