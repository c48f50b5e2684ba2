// Every element has a passport (sample, token, head, channel). Which way of splitting or merging puts it where it belongs?

import { arange, contiguous, elements, isContiguous, permute, reshape, transpose, view } from "../kit/strided.js";

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

// What might be called next: on what a split gives, or in place of the last step of a merge.
const NEXT = {
  split: ["view(B, H, L*D)", "reshape(B, H, L*D)", "contiguous()", "transpose(1, 2).view(B, L, H*D)"],
  merge: ["view(B, L, H*D)", "reshape(B, L, H*D)", "contiguous().view(B, L, H*D)"],
};

const METHODS = { view, reshape, permute, contiguous, transpose: (tensor, [a, b]) => transpose(tensor, a, b) };

const callsOf = (code) => code.match(/\w+\([^)]*\)/g);

// The tensors that a chain of calls makes, such as "transpose(1, 2).view(B, L, H*D)", the one given first.
function walk(given, code, sizes) {
  const number = (product) => product.split("*").reduce((total, factor) => total * (sizes[factor] ?? Number(factor)), 1);
  return callsOf(code).reduce(
    (tensors, call) => {
      const [, name, list] = call.match(/(\w+)\((.*)\)/);
      return [...tensors, METHODS[name](tensors.at(-1), list.split(", ").map(number))];
    },
    [given],
  );
}

const made = (result, source) => (result.storage === source.storage ? "view" : "copy");

function tried(code, from, sizes) {
  try {
    return { call: code, does: made(walk(from, code, sizes).at(-1), from), message: "" };
  } catch (error) {
    return { call: code, does: "error", message: error.message };
  }
}

// A way that the operation has: a link may name an operation without its way.
export function wayOf({ operation, way }) {
  return way in WAYS[operation] ? way : Object.keys(WAYS[operation])[1];
}

// Whose element a place of the given storage holds: x lies sample by sample and token by token, heads sample by sample and head by
// head, like the result of a matrix product.
export function passport(place, { L, H, D, operation }) {
  const [b, d] = [Math.floor(place / (L * H * D)), place % D];
  const row = Math.floor(place / D) % (L * H);
  if (operation === "split") return { b, l: Math.floor(row / H), h: row % H, d };
  return { b, l: row % L, h: Math.floor(row / L), d };
}

// result, right: which place of the given storage stands where in the result, in its order. steps, next: what each call makes.
// counts: where the elements of the result are.
export function compute(state) {
  const { B, L, H, D, operation } = state;
  const sizes = { B, L, H, D };
  const given = arange(operation === "split" ? [B, L, H * D] : [B, H, L, D]);
  const code = WAYS[operation][wayOf(state)];
  const tensors = walk(given, code, sizes);
  const [result, right] = [tensors, walk(given, WAYS[operation].right, sizes)].map((steps) => elements(steps.at(-1)));
  const steps = tensors.map((tensor, n) => ({
    call: n ? callsOf(code)[n - 1] : "",
    shape: tensor.shape,
    strides: tensor.strides,
    contiguous: isContiguous(tensor),
    memory: n ? made(tensor, tensors[n - 1]) : "",
  }));
  const from = tensors.at(operation === "split" ? -1 : -2);
  return { result, right, steps, next: NEXT[operation].map((one) => tried(one, from, sizes)), counts: count(result, right, state) };
}

function count(result, right, state) {
  const counts = { "in place": 0, "another head": 0, "another token": 0, "another channel": 0 };
  result.forEach((place, n) => {
    const [stands, belongs] = [passport(place, state), passport(right[n], state)];
    counts["in place"] += place === right[n];
    counts["another head"] += stands.h !== belongs.h;
    counts["another token"] += stands.l !== belongs.l;
    counts["another channel"] += stands.d !== belongs.d;
  });
  return counts;
}

// "48 of 60 elements in another head, 48 at another token; 12 in place (20%)"
export function verdict(counts, total) {
  const placed = counts["in place"];
  if (placed === total) return `all ${total} elements are in place`;
  const wrong = [
    ["another head", "in"],
    ["another token", "at"],
    ["another channel", "in"],
  ].filter(([what]) => counts[what]);
  const [first, ...rest] = wrong.map(([what, where]) => [counts[what], `${where} ${what}`]);
  const list = [`${first[0]} of ${total} elements ${first[1]}`, ...rest.map((one) => one.join(" "))].join(", ");
  return `${list}; ${placed} in place (${Number(((100 * placed) / total).toFixed(1))}%)`;
}

// Sentences about sizes behind which the bug hides.
export function hiding(state, counts) {
  const { L, H, D, operation } = state;
  const way = wayOf(state);
  const ones = Object.entries(way === "interleaved" ? { H, D } : { H, L }).filter(([, size]) => size === 1);
  const notes = [];
  if (ones.length) {
    const bug = Object.values(WAYS[operation])[1];
    const what = way === "right" ? `${bug} gives the same` : `all ${counts["in place"]} elements are in place`;
    notes.push(`${ones.map(([axis]) => `${axis} = 1`).join(" and ")}: ${what}; this test cannot see the bug.`);
  }
  if (L === H && L > 1)
    notes.push(`L = H = ${L}: (B, L, H, D) and (B, H, L, D) are one shape, so no shape tells whether the two axes were exchanged.`);
  if (H === D && H > 1 && operation === "split")
    notes.push(`H = D = ${H}: view(B, L, H, D) and view(B, L, D, H) are the same call.`);
  return notes;
}

// The sentence about one element: where it belongs, and where the chosen way puts it.
export function story(place, { result, right }, state) {
  const { B, L, H, D, operation } = state;
  const shape = operation === "split" ? [B, H, L, D] : [B, L, H * D];
  const index = (n) => {
    const along = [];
    shape.reduceRight((left, size, axis) => ((along[axis] = left % size), Math.floor(left / size)), n);
    return `[${along.join(", ")}]`;
  };
  const spell = ({ l, h, d }) => `token ${l}, head ${h}, channel ${d}`;
  const [stands, belongs] = [result.indexOf(place), right.indexOf(place)];
  const who = passport(place, state);
  const holds = `Place ${place} in memory holds ${spell(who)}${B > 1 ? ` of sample ${who.b}` : ""}.`;
  const code = WAYS[operation][wayOf(state)];
  if (stands === belongs) return `${holds} It belongs at ${index(belongs)} of the result, and ${code} puts it there.`;
  const taken = spell(passport(right[stands], state));
  const where = `It belongs at ${index(belongs)} of the result; ${code} puts it at ${index(stands)}`;
  return `${holds} ${where}, where it is taken for ${taken}.`;
}
