// What ShapeLab says: what a change of the settings did to the shapes, and what a step does. Axis letters stand in braces: {H}.

import { integer } from "../kit/format.js";
import { sizesOf } from "../kit/layer.js";
import { product } from "../kit/math.js";
import { headsOf, shapeNow, signsOf, stageOf, written } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */

/** @param {readonly number[]} shape */
const tuple = (shape) => `(${shape.join(", ")})`;

/** From one number to another: "3 → 6"; only the second if they are equal. @param {number[]} numbers */
const fromTo = ([from, to]) => (from === to ? "" : `${integer(from)} → `) + integer(to);

/** How many numbers a tensor has in each state. @type {(name: string, ...states: LayerState[]) => number[]} */
const counts = (name, ...states) => states.map((state) => product(shapeNow(name, state)));

/** @type {(count: number, one: string, more: string) => string} */
const counted = (count, one, more) => (count === 1 ? `one ${one}` : `${count} ${more}`);

const CALLED = "In k and v, the same words are called {S}.";

/**
 * What the step does that makes a tensor, and what becomes of the axes.
 *
 * @param {string} name
 * @param {LayerState} state
 */
export function arrival(name, state) {
  const { B, H, L, S, D, G, E } = sizesOf(state);
  const shape = tuple(shapeNow(name, state));
  const kept = `the shape stays ${shape}`;
  const [projected, heads] = name[0] === "q" ? [H * D, H] : [G * D, G];
  const source = tuple([B, name[0] === "q" ? L : S, projected]);
  const own = written(name);
  if (name === "x")
    return `x ${shape}: ${counted(B, "sentence", "sentences")} of ${counted(L, "word", "words")}, ${E} numbers per word. y has the same shape: what comes and goes on the way?`;
  if (name === "context")
    return `context ${shape}: the words of another sentence, which are asked. {S} counts them; there are ${S}.`;
  if (name.endsWith("_flat")) {
    const matrix = `W_${name[0].toUpperCase()}`;
    const words = state.S === null ? CALLED : "k and v are made of the words of context, {S}.";
    return `${matrix} makes {${headsOf(name, state)}} · {D} = ${projected} new numbers for each word: ${own} is ${shape}. ${words}`;
  }
  if (name === "q" || name === "k" || name === "v")
    return `Split: the ${projected} numbers of a word are cut into {${headsOf(name, state)}} · {D} = ${heads} · ${D}. No number changes; ${source} becomes ${shape}.`;
  if (name === "kT")
    return `Each sheet of k turns over, so that its {D} meets the {D} of q. No number changes; ${tuple(shapeNow("k", state))} becomes ${shape}.`;
  if (name === "scores")
    return `Each query row meets each key column, and ${counted(D, "product is", "products are")} added up: {D} is gone, {S} has come. One number for each pair of words in each head: ${shape}.`;
  if (name === "scaled")
    return state.scale
      ? `Every score is divided by √{D} = ${Math.sqrt(D).toFixed(2).replace(/\.00$/, "")}: smaller numbers, and ${kept}.`
      : `The scores go on undivided: ${kept}.`;
  if (name === "masked")
    return state.causal ? `The scores of later words become −∞: ${kept}.` : `No mask is set, so masked = scaled: ${kept}.`;
  if (name === "weights") return `Softmax along {S}: every row becomes weights that add up to 1; ${kept}.`;
  if (name === "heads")
    return `Each row of weights mixes the ${counted(S, "row", "rows")} of v into one: {S} is added up and gone, {D} is back: ${shape}.`;
  if (name === "concat") return `Merge: the heads of a word lie side by side again, {H} · {D} = ${H} · ${D} = ${E}: ${shape}.`;
  return `{B} and {L} stay from x to y, ${shape}. {E} turns into {H} · {D}, and back at the end. {H} stands alone from split to merge. {S} takes the place of {D} from scores to weights.`;
}

/**
 * What is said of a tensor while the way to it plays: which axes go and come. "" for x.
 *
 * @param {string} name
 * @param {LayerState} state
 */
export function passing(name, state) {
  const stage = stageOf(name);
  if (!stage) return "";
  const told = signsOf(stage - 1)
    .replace("{H}", `{${headsOf(name, state)}}`)
    .replace(" ", " and ")
    .replace("→", " becomes ")
    .replace(/−({.})/, "$1 goes")
    .replace(/\+({.})/, "$1 comes");
  return `${told || "No axis comes or goes"}: ${tuple(shapeNow(name, state))}. ${stage === 1 && state.S === null ? CALLED : ""}`.trim();
}

/** The sizes in the order in which a change of them is told. */
export const AXES = /** @type {const} */ (["B", "H", "L", "S", "D", "G"]);

/**
 * What the sizes of a state do to the shapes, compared with another state; "" if neither sizes nor numbers differ.
 *
 * @param {LayerState} before
 * @param {LayerState} now
 */
export function changeWords(before, now) {
  const moved = AXES.filter((axis) => before[axis] !== now[axis]);
  if (!moved.length) return withoutShapes(before, now);
  const sizes = sizesOf(now);
  const old = sizesOf(before);
  const told = moved.map((axis) => `{${axis}} ${fromTo([old[axis], sizes[axis]])}`);
  const first = /** @type {const} */ (["G", "S", "L", "H", "D", "B"]).find((axis) => moved.includes(axis)) ?? "B";
  const lead = told.join(", ").replace(/,([^,]+)$/, " and$1");
  const [was, shape] = [before, now].map((state) => tuple(shapeNow("x", state)));
  const width = old.E === sizes.E ? "" : `{E} = {H} · {D} = ${sizes.E}: `;
  return `${lead}: ${MEANINGS[first](now, before)} ${width}x and y ${was === shape ? "keep their shape," : "are"} ${shape}.`;
}

/** @type {Record<string, (now: LayerState, before: LayerState) => string>} */
const MEANINGS = {
  B: (now) => `one set of sheets per sentence; sentences never meet. Scores are ${tuple(shapeNow("scores", now))}.`,
  H: (now, before) =>
    `scores are ${counted(now.H, "matrix", "matrices")} per sentence, ${fromTo(counts("scores", before, now))} numbers.`,
  L: (now, before) => {
    const each = now.S === null ? ": a row and a column per word" : "";
    return `q has ${fromTo(counts("q", before, now))} numbers, scores ${fromTo(counts("scores", before, now))}${each}.`;
  },
  S: (now) =>
    now.S === null
      ? `keys and values come from the queries’ own words again; scores are ${tuple(shapeNow("scores", now))}.`
      : `keys and values come from another sentence, so k and v have ${now.S} rows and scores ${now.S} columns.`,
  D: (now) => `q, k and v have ${now.D} columns in each head; scores have no {D}, because it is added up.`,
  G: (now) =>
    now.G === null
      ? `every query head has its own keys and values: k is ${tuple(shapeNow("k", now))}.`
      : `${counted(now.H, "query head shares", "query heads share")} ${counted(now.G, "head", "heads")} of keys and values: k is ${tuple(shapeNow("k", now))}.`,
};

/**
 * @param {LayerState} before
 * @param {LayerState} now
 */
function withoutShapes(before, now) {
  const told = withoutSizes(before, now);
  return told && `${told} No shape has changed.`;
}

/**
 * @param {LayerState} before
 * @param {LayerState} now
 */
function withoutSizes(before, now) {
  if (before.causal !== now.causal)
    return now.causal ? "Later words are hidden: their scores become −∞, their weights 0." : "Every word may attend to all again.";
  if (before.scale !== now.scale)
    return now.scale
      ? "Scores are divided by √{D} again: weights are more even."
      : "Scores are not divided by √{D}: the largest weights grow.";
  if (before.sentence !== now.sentence) return "Other words have other numbers.";
  return before.seed === now.seed ? "" : "Every number is new.";
}
