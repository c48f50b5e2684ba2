// Words that arrive one after the other, at two layers with caches; and the same words in one pass, to compare.

import { normal, wordsOf } from "../kit/inputs.js";
import { range } from "../kit/math.js";
import { attentionScores, linear, maskFuture, mergeHeads, multiply, softmax, splitHeads, weightedSum } from "../kit/tensor.js";

export const LAYERS = 2;
export const ROUNDING = 1e-4; // what is nearer than this is equal, but for rounding
const BYTES = 4; // of a float32

// The sizes that a number of key/value heads can be.
export function divisors(H) {
  return range(H)
    .map((n) => n + 1)
    .filter((n) => H % n === 0);
}

// Where each call ends: the prompt at once, then one word at a time.
export function ends(P, S) {
  return range(S - P + 1).map((n) => P + n);
}

// The first of the rows that this step computes: all of the prompt, or the newest alone.
export function firstNew({ P, S }) {
  return S === P ? 0 : S - 1;
}

// How many positions row i of the cached run looked at when it was new.
export function seenBy(i, { P, causal }) {
  return causal ? i + 1 : Math.max(P, i + 1);
}

export function wordsSoFar({ _texts, S }) {
  return wordsOf(_texts).words[0].slice(0, S);
}

const made = new Map();

// W_Q, W_K, W_V and W_O of one layer, each (rows, E) as nn.Linear stores it.
function parameters(n, { H, G, D }) {
  const key = `${n} ${H} ${G} ${D}`;
  if (made.size > 64) made.clear();
  if (!made.has(key)) {
    const rows = { W_Q: H * D, W_K: G * D, W_V: G * D, W_O: H * D };
    made.set(
      key,
      Object.fromEntries(Object.entries(rows).map(([name, count]) => [name, normal(0, `${name}${n}`, range(count), H * D)])),
    );
  }
  return made.get(key);
}

// q (H, L, D) of the last L positions, k and v (G, S, D) -> weights (H, L, S), heads (H, L, D)
function attend(q, k, v, { H, G, D, causal }, L, S) {
  const scaled = multiply(attentionScores(q, k, 1, H, G, L, S, D), 1 / Math.sqrt(D));
  const weights = softmax(causal ? maskFuture(scaled, L, S) : scaled, S);
  return { weights, heads: weightedSum(weights, v, 1, H, G, L, S, D) };
}

// The words of x (S, E) arrive in chunks. For each layer, of all positions: q (S, H*D), k and v (S, G*D) as they were kept,
// weights (H, S, S), 0 for what was not there yet, concat and y (S, E).
function passes(x, chunks, state) {
  const { H, G, D } = state;
  const E = H * D;
  const S = chunks.at(-1);
  const zeros = (count) => new Float32Array(count);
  const layers = range(LAYERS).map(() => ({
    q: zeros(S * E),
    k: zeros(S * G * D),
    v: zeros(S * G * D),
    weights: zeros(H * S * S),
    concat: zeros(S * E),
    y: zeros(S * E),
  }));
  let start = 0;
  for (const end of chunks) {
    const L = end - start;
    let input = x.slice(start * E, end * E);
    layers.forEach((kept, n) => {
      const { W_Q, W_K, W_V, W_O } = parameters(n + 1, state);
      const project = (weight, rows) => linear(input, weight, L, E, rows, E, 1 / Math.sqrt(E));
      kept.q.set(project(W_Q, E), start * E);
      kept.k.set(project(W_K, G * D), start * G * D);
      kept.v.set(project(W_V, G * D), start * G * D);
      const q = splitHeads(kept.q.subarray(start * E, end * E), 1, L, H, D);
      const [k, v] = [kept.k, kept.v].map((rows) => splitHeads(rows.subarray(0, end * G * D), 1, end, G, D));
      const step = attend(q, k, v, state, L, end);
      put(kept.weights, step.weights, { H, L, start, from: end, S });
      const concat = mergeHeads(step.heads, 1, H, L, D);
      const y = linear(concat, W_O, L, E, E, E, 1 / Math.sqrt(E));
      kept.concat.set(concat, start * E);
      kept.y.set(y, start * E);
      input = input.map((value, at) => value + y[at]); // as in a transformer: a layer adds to what it was given
    });
    start = end;
  }
  return layers;
}

// Rows start to start + L of each head: rows (H, L, from) into all (H, S, S).
function put(all, rows, { H, L, start, from, S }) {
  for (let h = 0; h < H; h++)
    for (let i = 0; i < L; i++) all.set(rows.subarray((h * L + i) * from, (h * L + i + 1) * from), (h * S + start + i) * S);
}

// (heads, S, D) with other numbers at one position, in every head.
function overwritten(tensor, heads, S, D, at) {
  const noise = normal(0, "noise", range(heads), D);
  const out = tensor.slice();
  for (let h = 0; h < heads; h++) for (let d = 0; d < D; d++) out[(h * S + at) * D + d] = 2 * noise[h * D + d];
  return out;
}

// For each of the positions of a and b (S, width): the largest difference.
function apart(a, b, S) {
  const width = a.length / S;
  return Float32Array.from(range(S), (i) => {
    let most = 0;
    for (let n = i * width; n < (i + 1) * width; n++) most = Math.max(most, Math.abs(a[n] - b[n]));
    return most;
  });
}

// Multiplications of a layer for L new words of S: projections, scores and weighted sum.
export function multiplications({ H, G, D }, L, S) {
  const E = H * D;
  return L * E * (2 * E + 2 * G * D) + 2 * H * L * S * D;
}

export function costs(state) {
  const { P, S, H, G, D } = state;
  const steps = ends(P, S);
  const sum = (of) => steps.reduce((total, end) => total + of(end), 0);
  const isNew = (end) => (end === P ? P : 1);
  const position = 2 * G * D * BYTES;
  return {
    computed: [isNew(S), S],
    step: [multiplications(state, isNew(S), S), multiplications(state, S, S)],
    text: [sum((end) => multiplications(state, isNew(end), end)), sum((end) => multiplications(state, end, end))],
    read: S === P ? 0 : position * (S - 1),
    kept: position * S,
    queries: H * D * S * BYTES,
  };
}

export function compute(state) {
  const { S, P, H, G, D, causal, layer, overwrite, at } = state;
  check(state);
  const E = H * D;
  const numbers = wordsOf(state._texts).numbers[0].slice(0, S);
  const positions = normal(0, "position", range(S), E);
  const x = normal(0, "word", numbers, E).map((value, n) => (value + positions[n]) * Math.SQRT1_2);
  const cached = passes(x, ends(P, S), state)[layer - 1];
  const full = passes(x, [S], state)[layer - 1];
  const clean = {
    q: splitHeads(cached.q, 1, S, H, D),
    k: splitHeads(cached.k, 1, S, G, D),
    v: splitHeads(cached.v, 1, S, G, D),
  };
  const given = { ...clean };
  if (overwrite !== "nothing") given[overwrite] = overwritten(clean[overwrite], overwrite === "q" ? H : G, S, D, at);
  const rows = (heads) => mergeHeads(heads, 1, H, S, D);
  const before = attend(clean.q, clean.k, clean.v, { H, G, D, causal }, S, S);
  const after = attend(given.q, given.k, given.v, { H, G, D, causal }, S, S);

  // What this step computes is computed with what was overwritten; what earlier steps computed stays.
  const start = firstNew(state);
  const weights = cached.weights.slice();
  const heads = splitHeads(cached.concat, 1, S, H, D);
  for (let h = 0; h < H; h++) {
    weights.set(after.weights.subarray((h * S + start) * S, (h + 1) * S * S), (h * S + start) * S);
    heads.set(after.heads.subarray((h * S + start) * D, (h + 1) * S * D), (h * S + start) * D);
  }
  return {
    ...given,
    weights,
    heads,
    moved: apart(rows(before.heads), rows(after.heads), S),
    gap: apart(cached.y, full.y, S),
    stale: apart(cached.k, full.k, S).map((off, i) => Math.max(off, apart(cached.v, full.v, S)[i])),
    stale_q: apart(cached.q, full.q, S),
    stale_weights: apart(...[cached, full].map((run) => mergeHeads(run.weights, 1, H, S, S)), S),
    costs: costs(state),
  };
}

function check({ S, P, H, G, at }) {
  if (H % G)
    throw new Error(
      `H = ${H} is not a multiple of G = ${G}: every key/value head must serve as many query heads. G can be [${divisors(H).join(", ")}].`,
    );
  if (P > S) throw new Error(`P = ${P} words of prompt and S = ${S} words so far: the prompt is part of them.`);
  if (at >= S) throw new Error(`at = ${at}: of S = ${S} words the last is number ${S - 1}.`);
}
