// ShapeLab's tensors, their axes, and what sizes that coincide hide.

import { computeLayer, sizesOf } from "../kit/layer.js";

export const compute = computeLayer;

// name, axes, how it comes about
export const STEPS = [
  ["x", "B L E", "words"],
  ["context", "B S E", "other words"],
  ["q_flat", "B L H·D", "x · W_Q"],
  ["k_flat", "B S G·D", "x · W_K"],
  ["v_flat", "B S G·D", "x · W_V"],
  ["q", "B H L D", "split heads"],
  ["k", "B G S D", "split heads"],
  ["v", "B G S D", "split heads"],
  ["scores", "B H L S", "q · kᵀ"],
  ["scaled", "B H L S", "÷ √D"],
  ["masked", "B H L S", "mask"],
  ["weights", "B H L S", "softmax"],
  ["heads", "B H L D", "weights · v"],
  ["concat", "B L H·D", "merge heads"],
  ["y", "B L E", "concat · W_O"],
];
export const PAIRED = new Set(["scores", "scaled", "masked", "weights"]);

// The axes as they read now: key/value heads of their own number have a letter of their own, else they are H like the others.
export function axesNow(axes, { G }) {
  return G === null ? axes.replace("G", "H") : axes;
}

export function shapeOf(axes, sizes) {
  return axes.split(" ").map((axis) => axis.split("·").reduce((size, one) => size * sizes[one], 1));
}

const HIDDEN = {
  "B H": "a mask of shape (B, L, S) is taken for one per head",
  "B L": "sentences and words can be exchanged",
  "H L": "forgetting to exchange L and H keeps the shape",
  "H D": "cutting E as (D, H) instead of (H, D) keeps the shape",
  "L D": "q @ k without the transpose runs",
  "L S": "scores with rows and columns exchanged keep the shape",
  "D S": "k handed over already transposed fits",
};

// Sentences about sizes that coincide, and the bug that each hides.
export function coincidences(state) {
  const { B, H, L, S, D } = sizesOf(state);
  const sizes = { B, H, L, D, ...(state.S === null ? {} : { S }) };
  const pairs = Object.keys(sizes).flatMap((a, n, all) => all.slice(n + 1).map((b) => [a, b]));
  const equal = pairs
    .filter(([a, b]) => sizes[a] === sizes[b])
    .map(([a, b]) => {
      const bug = HIDDEN[`${a} ${b}`] ?? HIDDEN[`${b} ${a}`] ?? "exchanging the two keeps every shape";
      return `${a} = ${b} = ${sizes[a]}: ${bug}.`;
    });
  if (H === 1 || L === 1) equal.push(`${H === 1 ? "H" : "L"} = 1: view(B, H, L, D) without the exchange is right by accident.`);
  return equal;
}
