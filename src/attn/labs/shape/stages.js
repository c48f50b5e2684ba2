// The stages from x to y, and how each tensor is cut into sheets: heads of R rows and C columns for one sentence.

import { LONGEST } from "../kit/language.js";
import { sizesOf } from "../kit/layer.js";
import { axesNow, PAIRED, STEPS, shapeOf } from "./model.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */

/**
 * @typedef {object} Sheets how a tensor is drawn, for one sentence
 * @property {string} name
 * @property {string} data the tensor that holds its numbers: kT has those of k
 * @property {string} axes
 * @property {number} heads 1 where the tensor has no axis of heads
 * @property {number} R
 * @property {number} C
 * @property {string} rowAxis
 * @property {string} columnAxis
 * @property {string | null} headAxis
 * @property {number} blocks how many heads lie side by side in its columns; 1 if none do
 */

/** The tensors by the stage in which they arise. kT is k, its rows and columns exchanged. */
export const STAGES = [
  ["x", "context"],
  ["q_flat", "k_flat", "v_flat"],
  ["q", "k", "v"],
  ["kT"],
  ["scores"],
  ["scaled"],
  ["masked"],
  ["weights"],
  ["heads"],
  ["concat"],
  ["y"],
];

export const LAST = STAGES.length - 1;

/** What happens between a stage and the next one: a name for the bar. */
export const ACTS = ["project", "split", "kᵀ", "q · kᵀ", "÷ √D", "mask", "softmax", "· v", "merge", "W_O"];

/**
 * What an act is called now: there may be no mask.
 *
 * @param {string} act
 * @param {Pick<LayerState, "scale" | "causal">} state
 */
export const actNow = (act, { scale, causal }) =>
  act === "mask" && !causal ? "mask: none" : act === "÷ √D" && !scale ? "as is" : act;

/** Seconds for each act: twelve in all. Where an axis comes or goes there is time to see it; what changes no axis is short. */
export const SECONDS = [1.5, 1.5, 0.7, 2.3, 0.4, 0.4, 0.4, 2.3, 1.4, 1.1];

/** The way of the queries, from x to y. */
const WAY = ["x", "q_flat", "q", "q", "scores", "scaled", "masked", "weights", "heads", "concat", "y"];

/**
 * Which axes each act takes away and brings. The numbers of a word are one axis, D, whether all heads or one head has them; a projection
 * gives it another name: E, or H·D.
 */
export const CHANGES = ACTS.map((_, n) => {
  const named = [WAY[n], WAY[n + 1]].map((name) => axesOf(name, { G: null }));
  const [before, after] = named.map((axes) => axes.replace(/H·D|E/, "D").split(" "));
  return {
    renamed: String(before) === "B,L,D" && String(after) === "B,L,D" ? named.map((axes) => axes.split(" ")[2]).join("→") : null,
    gone: before.filter((axis) => !after.includes(axis)),
    come: after.filter((axis) => !before.includes(axis)),
  };
});

/**
 * The axes that an act takes away and brings, their letters in braces: "−{D} +{S}".
 *
 * @param {number} act
 */
export function signsOf(act) {
  const { renamed, gone, come } = CHANGES[act];
  if (renamed) return renamed.replace(/[EHD]/g, "{$&}");
  return [...gone.map((axis) => `−{${axis}}`), ...come.map((axis) => `+{${axis}}`)].join(" ");
}

/**
 * The axis of a tensor's heads: that of k and v is G where heads share them.
 *
 * @param {string} name
 * @param {Pick<LayerState, "G">} state
 */
export const headsOf = (name, { G }) => (G !== null && /^[kv]/.test(name) ? "G" : "H");

/** What waits beside the way of the queries in each stage: it is made already, and used later. */
const BESIDE = [["context"], ["k_flat", "v_flat"], ["k", "v"], ["kT", "v"], ["v"], ["v"], ["v"], ["v"], [], [], []];

/** @typedef {"B" | "H" | "G" | "L" | "S" | "D" | "E"} Axis */
/**
 * A stretch of the way from x to y in which an axis is there.
 *
 * @typedef {object} Stretch
 * @property {Axis} axis
 * @property {string} letters the axis, or H·D where those stand in its place
 * @property {number} from the first stage
 * @property {number} to the last one
 * @property {string} beside the tensors that have the axis where the tensor on the way does not: "k, v"; "" if it has
 */

/**
 * When each axis is there, on the way from x to y.
 *
 * @param {LayerState} state
 * @returns {Stretch[]}
 */
export function stretches(state) {
  /** @type {Axis[]} */
  const axes = state.G === null ? ["B", "H", "L", "S", "D", "E"] : ["B", "H", "G", "L", "S", "D", "E"];
  const has = (/** @type {string} */ name, /** @type {Axis} */ axis) =>
    axesOf(name, state)
      .split(" ")
      .find((one) => one === axis || (axis === "E" && one.includes("·"))) ?? "";
  return axes.flatMap((axis) => {
    /** @type {Stretch[]} */
    const found = [];
    for (let n = 0; n <= LAST; n++) {
      const letters = has(WAY[n], axis);
      const others = BESIDE[n].filter((name) => axis !== "E" && (name !== "context" || state.S !== null) && has(name, axis));
      if (!letters && !others.length) continue;
      const last = found.at(-1);
      const names = letters ? [] : others.map((name) => written(name.split("_")[0]));
      const goes = last?.to === n - 1 && Boolean(last.beside) === !letters && (!letters || last.letters === letters);
      const beside = [...new Set([...(goes && last.beside ? last.beside.split(", ") : []), ...names])].join(", ");
      if (last && goes) Object.assign(last, { to: n, beside });
      else found.push({ axis, letters: letters || axis, from: n, to: n, beside });
    }
    return found;
  });
}

/** @type {Map<string, number>} */
const STAGE = new Map(STAGES.flatMap((names, stage) => names.map((name) => /** @type {[string, number]} */ ([name, stage]))));

/**
 * The stage in which a tensor arises.
 *
 * @param {string} name
 */
export const stageOf = (name) => STAGE.get(name) ?? 0;

/**
 * The name of a tensor as it is written: kᵀ for kT.
 *
 * @param {string} name
 */
export const written = (name) => (name === "kT" ? "kᵀ" : name);

/**
 * The axes of a tensor now: "B H L S".
 *
 * @param {string} name
 * @param {Pick<LayerState, "G">} state
 */
export function axesOf(name, state) {
  const axes = name === "kT" ? "B G D S" : (STEPS.find(([step]) => step === name)?.[1] ?? "");
  return axesNow(axes, state);
}

/**
 * The shape of a tensor.
 *
 * @param {string} name
 * @param {LayerState} state
 */
export const shapeNow = (name, state) => shapeOf(axesOf(name, state), sizesOf(state));

/**
 * @param {string} name
 * @param {LayerState} state
 * @returns {Sheets}
 */
export function sheetsOf(name, state) {
  const axes = axesOf(name, state);
  const letters = axes.split(" ");
  const shape = shapeNow(name, state);
  const [R, C] = shape.slice(-2);
  const [rowAxis, columnAxis] = letters.slice(-2);
  const sizes = sizesOf(state);
  const among = columnAxis.includes("·") ? sizes[/** @type {"H" | "G"} */ (columnAxis[0])] : 1;
  return {
    ...{ name, axes, R, C, rowAxis, columnAxis, data: name === "kT" ? "k" : name },
    heads: letters.length === 4 ? shape[1] : 1,
    headAxis: letters.length === 4 ? letters[1] : null,
    blocks: among,
  };
}

/**
 * How many words to outline in a tensor with more rows and columns than a sentence has words; else 0.
 *
 * @param {string} name
 * @param {Pick<LayerState, "L" | "S">} state
 */
export const usualWords = (name, { L, S }) => (PAIRED.has(name) && S === null && L > LONGEST ? LONGEST : 0);

/**
 * All tensors that there are with these settings: context only in cross-attention.
 *
 * @param {Pick<LayerState, "S">} state
 */
export const tensorsOf = ({ S }) => STAGES.flat().filter((name) => name !== "context" || S !== null);

/** @type {Record<string, string[]>} */
const SOURCES = {
  ...{ q_flat: ["x"], q: ["q_flat"], k: ["k_flat"], v: ["v_flat"], kT: ["k"], scores: ["q", "kT"], scaled: ["scores"] },
  ...{ masked: ["scaled"], weights: ["masked"], heads: ["weights", "v"], concat: ["heads"], y: ["concat"] },
};

/**
 * The tensors that a tensor is made from.
 *
 * @param {string} name
 * @param {Pick<LayerState, "S">} state
 */
export const sourcesOf = (name, { S }) => SOURCES[name] ?? (name.endsWith("_flat") ? [S === null ? "x" : "context"] : []);

/**
 * The tensor to show in a stage, coming from another tensor: who looked at k_flat sees k next. The way from x to y and back leads
 * through q_flat, q and kT.
 *
 * @param {number} stage
 * @param {string} from
 */
export function tensorIn(stage, from) {
  const names = STAGES[stage];
  return (
    names.find((name) => name === from) ??
    names.find((name) => name[0] === from[0] && from !== "kT" && from !== "concat") ??
    names[0]
  );
}

/**
 * The number at a place of a tensor, given the numbers that hold it.
 *
 * @param {Sheets} sheets
 * @param {ArrayLike<number>} data
 * @param {readonly number[]} place
 */
export function valueAt({ name, heads, R, C }, data, [b, h, i, j]) {
  return data[(b * heads + h) * R * C + (name === "kT" ? j * R + i : i * C + j)];
}

const TRAVELS = 0.65; // the rest of a stage is a pause, in which its result can be looked at

/**
 * How much of the way to stage `stage` has passed at time t: 0 before, 1 when it is reached.
 *
 * @param {number} stage
 * @param {number} t
 */
export const wayTo = (stage, t) => Math.max(0, Math.min(1, (t - stage + 1) / TRAVELS));
