// What GridLab says of its tensors.

import { capital, counted } from "../kit/phrases.js";
import { originOf, runsOf, STEPS } from "./model.js";

/** @typedef {import("./model.js").ByAxis} ByAxis */
/** @typedef {import("./model.js").Letter} Letter */
/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Step} Step */

/** @type {Record<Letter, string>} one thing along an axis */
export const WORDS = { B: "sentence", H: "head", L: "token", D: "number", E: "number" };

/** @param {readonly number[]} numbers */
export const tuple = (numbers) => `(${numbers.join(", ")})`;

/**
 * "20 numbers in 5 pieces of 4, each 12 places after the one before"
 *
 * @param {boolean[]} chosen
 */
export function scattered(chosen) {
  const runs = runsOf(chosen);
  const count = chosen.filter(Boolean).length;
  if (runs.length === 1) return count === 1 ? "1 number" : `${count} numbers in one piece`;
  return `${count} numbers in ${runs.length} pieces of ${runs[0][1]}, each ${runs[1][0] - runs[0][0]} places after the one before`;
}

/**
 * How many numbers have another place in this memory than in that of x.
 *
 * @param {ArrayLike<number>} storage
 */
export const movedIn = (storage) => Array.from(storage).filter((number, place) => number !== place).length;

/**
 * What is seen while the numbers of a step fly.
 *
 * @param {Step} step
 * @param {boolean} shared
 */
export function moving(step, shared) {
  const stands = "Watch memory: it stands still.";
  if (!shared) return "The numbers are written into a new row of memory, one place after the other.";
  switch (step) {
    case "split":
      return `view cuts every row into strips, one for each head. ${stands}`;
    case "heads":
      return `permute gathers the strips of a head in one matrix. ${stands}`;
    case "wrong split":
      return `view fills the matrices of the heads in the order of memory. ${stands}`;
    default:
      return `The matrices change. ${stands}`;
  }
}

/**
 * What the matrix of a head holds after the wrong split in place of its own numbers.
 *
 * @param {ByAxis} sizes
 * @param {readonly number[]} values
 * @param {ByAxis} at
 */
function mixedUp(sizes, values, { B, H: head }) {
  const { H, L, D } = sizes;
  const held = values.slice((B * H + head) * L * D, (B * H + head + 1) * L * D);
  /** @param {"H" | "L"} axis */
  const many = (axis) => counted(new Set(held.map((number) => originOf(sizes, number)[axis])).size, WORDS[axis]);
  return `head ${head} now holds ${held[0]}–${held[L * D - 1]}: strips of ${many("H")} from ${many("L")}, not from all ${L}.`;
}

/**
 * What the step has done with memory and with the strides, and what is wrong with it.
 *
 * @param {Step} step
 * @param {ByAxis} sizes
 * @param {Results} results
 * @param {ByAxis} at the origin of the number that is looked at
 * @returns {[done: string, wrong: string]}
 */
export function happened(step, { B, H, L, D }, results, at) {
  const { values, storage, strides, contiguous, shared, agree } = results;
  const N = values.length;
  const now = `${tuple(strides)}${contiguous ? "" : `, so ${STEPS[step].name} is not contiguous`}`;
  const moved = movedIn(storage);
  const wrong =
    agree === N
      ? ""
      : step === "wrong split"
        ? mixedUp({ B, H, L, D }, values, at)
        : `only ${agree} of ${N} numbers are in their place.`;
  const hidden = "these sizes hide the mistake.";
  switch (step) {
    case "rows":
      return [`${N} numbers lie in one row of memory. e reads them as ${counted(B * L, "row")} of ${H * D}: strides ${now}.`, ""];
    case "split":
      return [`${N} numbers lie in one row of memory.`, ""];
    case "heads":
      return [`permute moved no number. Two strides changed places: they are now ${now}.`, ""];
    case "copied":
      if (shared) return [`contiguous() moved no number: y is contiguous already, so it returned y.`, ""];
      return [`contiguous() wrote a new row of memory: ${moved} of ${N} numbers have another place in it.`, ""];
    case "merged":
      return [`transpose and flatten moved no number: the strips lie side by side again. Strides ${now}.`, ""];
    case "turned":
      return [`transpose moved no number: every matrix lies on its side. The strides are now ${now}.`, ""];
    case "swapped":
      return [`transpose moved no number: heads are outside, sentences inside. The strides are now ${now}.`, ""];
    case "wrong split":
      return [`view moved no number in memory, but ${wrong ? "" : hidden}`, wrong];
    case "wrong merge":
      return [
        `reshape ${shared ? "moved no number" : "wrote matrix after matrix into a new row"}. The shape is right, but ${wrong ? "" : hidden}`,
        wrong,
      ];
  }
}

/**
 * Whose numbers are marked: "head 2 of sentence 1".
 *
 * @param {"head" | "token"} mark
 * @param {ByAxis} at
 */
export const owner = (mark, at) => `${mark} ${mark === "head" ? at.H : at.L} of sentence ${at.B}`;

/**
 * What is marked, and how it lies in memory.
 *
 * @param {Mark} mark
 * @param {Step} step
 * @param {ByAxis} at the origin of the number that is looked at
 * @param {Results} results
 * @param {readonly boolean[]} chosen by number
 */
export function lies(mark, step, at, { storage, at: index, place }, chosen) {
  if (mark === "number") return `${STEPS[step].name}[${index.join(", ")}] = ${storage[place]} lies at place ${place}.`;
  return `${capital(owner(mark, at))}: ${scattered(Array.from(storage, (number) => chosen[number]))}.`;
}

/**
 * Sentences about sizes that hide something, the most important one first.
 *
 * @param {ByAxis} sizes
 */
export function coincidences({ B, H, L, D }) {
  /** @type {[boolean, string][]} */
  const notes = [
    [H === 1, "H = 1: a row has one strip, so the exchange changes nothing."],
    [L === 1 && H > 1, "L = 1: a matrix has one row, so the exchange changes nothing in memory's order."],
    [L === H && L > 1, `L = H = ${L}: both orders have the same shape.`],
    [B === H && B > 1, `B = H = ${B}: if B and H are exchanged, the shape stays the same.`],
    [B === L && B > 1, `B = L = ${B}: if B and L are exchanged, x keeps its shape.`],
    [H === D && H > 1, `H = D = ${H}: cut as (D, H), x has the same shape.`],
    [L === D && L > 1, `L = D = ${L}: a matrix and its transpose have the same shape.`],
  ];
  return notes.filter(([holds]) => holds).map(([, note]) => note);
}
