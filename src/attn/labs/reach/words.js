// What ReachLab says: the titles of the graphs, what became of the token, and the sentence.

import { integer } from "../kit/format.js";
import { counted, listed } from "../kit/phrases.js";
import { dilations, followed, KINDS } from "./model.js";

/** @typedef {import("./model.js").Kind} Kind */
/** @typedef {import("./model.js").State} State */
/** @typedef {import("./model.js").Results} Results */

const MOST_LAYERS = 64; // that are tried

/**
 * @param {Kind} kind
 * @param {State} state
 */
export function titleOf(kind, state) {
  if (kind === "rnn") return "1 RNN layer";
  if (kind === "attention") return "1 layer of self-attention";
  const dilated = state.dilation > 1 && dilations(state).length > 1 ? "dilated " : "";
  return `${counted(state.layers, `${dilated}convolution`)}, kernel size ${state.kernel}`;
}

/**
 * What became of the token that is followed, or how far the computation has come: a large word, and a small one.
 *
 * @param {Kind} kind
 * @param {Results} results
 * @param {number} passed steps
 * @param {number} at the token
 * @returns {{ kind: "good" | "bad" | "", big: string, text: string }}
 */
export function verdictOf(kind, { counts }, passed, at) {
  const { steps, path } = counts[kind];
  if (passed < 1) return { kind: "", big: "", text: "" };
  if (passed < steps) return { kind: "", big: String(passed), text: ` ${passed === 1 ? "step" : "steps"} so far` };
  if (path === null) return { kind: "bad", big: "✗", text: ` token ${at} is left out` };
  return { kind: "good", big: String(path), text: ` ${path === 1 ? "step" : "steps"} ✓` };
}

/**
 * What each network costs, a line for each.
 *
 * @param {State} state
 * @param {Results} results
 */
export function factsOf(state, { counts }) {
  const lines = KINDS.map((kind) => {
    const { edges, multiplications } = counts[kind];
    return `${titleOf(kind, state)}: ${counted(edges, "edge")}, ${integer(multiplications)} multiplications`;
  });
  return [`With E = ${state.E} numbers per token:`, ...lines].join("\n");
}

/**
 * How many convolutions the followed token needs to reach the last output: null if it falls into a gap of all of them.
 *
 * @param {State} state
 */
export function layersNeeded(state) {
  const { L, kernel, dilation } = state;
  const distance = L - 1 - followed(state);
  let reached = new Set([0]);
  for (let layers = 1; layers <= MOST_LAYERS; layers++) {
    const gap = dilation ** (layers - 1);
    const further = new Set(reached);
    for (const one of reached) for (let n = 1; n < kernel && one + n * gap <= distance; n++) further.add(one + n * gap);
    if (further.has(distance)) return layers;
    reached = further;
  }
  return null;
}

/**
 * Why the stack of convolutions leaves the followed token out; "" if it does not.
 *
 * @param {State} state
 * @param {Results} results
 */
function aboutStack(state, { counts, convolution_back: back }) {
  const stack = counted(state.layers, "convolution");
  const { path } = counts.convolution;
  if (path !== null) return "";
  const [name, first] = [`token ${followed(state)}`, back.findIndex((length) => length >= 0)];
  const needed = layersNeeded(state);
  const helps = needed === null ? "No number of layers would help." : `${counted(needed, "convolution")} would reach it.`;
  if (first < followed(state)) return `${stack} skip ${name}, because the dilation grows by more than the kernel size. ${helps}`;
  return `${stack} ${state.layers === 1 ? "reads" : "read"} back to token ${first} only. ${helps}`;
}

/**
 * @param {State} state
 * @param {Results} results
 * @param {number} step the last one that is shown
 * @returns {[answer: string, rest: string]}
 */
export function sentence(state, results, step) {
  const { L, layers } = state;
  const { rnn, convolution, attention } = results.counts;
  if (step < 1) return ["Nothing is computed yet.", `In which step can token ${followed(state)} change the last output?`];
  if (step < Math.max(rnn.steps, convolution.steps)) {
    const done =
      step === attention.steps ? "Done: self-attention, in 1 step." : `Self-attention was done after step ${attention.steps}.`;
    const computed = `${Math.min(step, layers)} of ${counted(layers, "convolution")} ${layers === 1 ? "is" : "are"} done`;
    return [done, `After step ${step} the RNN has read ${Math.min(step, L)} of ${L} tokens, and ${computed}.`];
  }
  const paths = [
    `in ${counted(/** @type {number} */ (attention.path), "step")} through self-attention`,
    ...(convolution.path === null ? [] : [`in ${convolution.path} through the convolution${layers === 1 ? "" : "s"}`]),
    `in ${rnn.path} through the RNN`,
  ];
  return [`Token ${followed(state)} reaches the last output ${listed(paths)}.`, aboutStack(state, results)];
}
