// The products of ProductLab without any drawing: the factors of one head, what comes out, or what torch says.

import { normal } from "../kit/inputs.js";
import { range } from "../kit/math.js";

const [HEADS, ROWS] = [8, 16]; // a head has this many rows of numbers, of which the lab shows the first

// For each product: its operands, the letters of the right factor's axes, and where its element [b, h, r, c] comes from.
export const PRODUCTS = {
  "q @ k.transpose(-2, -1)": { turned: "k", axes: "BHDS", from: ([b, h, r, c]) => [b, h, c, r] },
  "q @ k": { turned: "k", axes: "BHSD", from: (at) => at },
  "q @ k.T": { turned: "k", axes: "DSHB", from: ([b, h, r, c]) => [c, r, h, b] },
  "q @ k.reshape(B, H, D, S)": {
    turned: "k",
    axes: "BHDS",
    from: ([b, h, r, c], { S, D }) => [b, h, Math.floor((r * S + c) / D), (r * S + c) % D],
  },
  "k @ q.transpose(-2, -1)": { turned: "q", axes: "BHDL", from: ([b, h, r, c]) => [b, h, c, r] },
};

// A whole number from -3 to 3 for each element, (B, H, rows, D); a number stays what it is when a size changes.
function whole(seed, name, rows, { B, H, D }) {
  const numbered = range(B * H * rows).map(
    (n) => (Math.floor(n / (H * rows)) * HEADS + (Math.floor(n / rows) % H)) * ROWS + (n % rows),
  );
  return normal(seed, name, numbered, D).map((value) => Math.max(-3, Math.min(3, Math.floor(1.5 * value + 0.5))));
}

// What torch.matmul says of two tensors of four axes, or of two: "" if they can be multiplied.
export function complaint(left, right) {
  const [rows, inner] = left.slice(-2);
  const [other, columns] = right.slice(-2);
  if (left.length === 2) {
    return inner === other ? "" : `mat1 and mat2 shapes cannot be multiplied (${rows}x${inner} and ${other}x${columns})`;
  }
  for (const axis of [1, 0]) {
    const [a, b] = [left[axis], right[axis]];
    if (a !== b && a !== 1 && b !== 1)
      return `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${axis}`;
  }
  const tables = Math.max(left[0], right[0]) * Math.max(left[1], right[1]);
  if (inner === other) return "";
  return `Expected size for first two dimensions of batch2 tensor to be: [${tables}, ${inner}] but got: [${tables}, ${other}].`;
}

// The flat place of [b, h, r, c] in a contiguous (., H, rows, D).
const flat = ([b, h, r, c], [, H, rows, D]) => ((b * H + h) * rows + r) * D + c;

// left (R, N) and right (M, C): the tables of sample 0, head 0. right_at: where each number of right lies in the tensor that it comes
// from. result (R, C), or null if torch refuses: then message is what it says; alone is what it says of these two tables alone.
export function compute({ B, H, L, S, D, product, seed }) {
  const sizes = { B, H, L, S, D };
  const { turned, axes, from } = PRODUCTS[product];
  const [name, rows, sourceRows] = turned === "k" ? ["q", L, S] : ["k", S, L];
  const [leftShape, source] = [
    [B, H, rows, D],
    [B, H, sourceRows, D],
  ];
  const rightShape = [...axes].map((axis) => sizes[axis]);
  const place = (at) => flat(from(at, sizes), source);
  const left = whole(seed, name, rows, { ...sizes, B: 1, H: 1 });
  const numbers = whole(seed, turned, sourceRows, sizes);
  const [M, C] = rightShape.slice(2);
  const right_at = Float32Array.from({ length: M * C }, (_, n) => place([0, 0, Math.floor(n / C), n % C]));
  const right = right_at.map((at) => numbers[at]);
  const message = complaint(leftShape, rightShape);
  const aloneRight = axes === "DSHB" ? [D, S] : rightShape.slice(2); // two axes reversed are two axes exchanged
  let result = null;
  if (!message) {
    result = new Float32Array(rows * C);
    for (let i = 0, at = 0; i < rows; i++)
      for (let j = 0; j < C; j++, at++) for (let d = 0; d < D; d++) result[at] += left[i * D + d] * right[d * C + j];
  }
  const out = message ? null : [Math.max(B, rightShape[0]), Math.max(H, rightShape[1]), rows, C];
  return {
    left,
    right,
    right_at,
    result,
    message,
    alone: complaint([rows, D], aloneRight),
    means: means(out, place, sizes, sourceRows, rightShape, turned),
    shapes: [leftShape, rightShape, out],
  };
}

// "scores" if every cell compares the query of its row with the key of its column, "turned" the other way round, else "nothing".
function means(out, place, { B, H, D }, rows, [b1, h1, M, C], turned) {
  if (!out || M !== D || C !== rows || out[0] !== B || out[1] !== H) return "nothing";
  for (let b = 0; b < B; b++)
    for (let h = 0; h < H; h++)
      for (let d = 0; d < D; d++)
        for (let j = 0; j < rows; j++) {
          const at = [Math.min(b, b1 - 1), Math.min(h, h1 - 1), d, j];
          if (place(at) !== flat([b, h, j, d], [B, H, rows, D])) return "nothing";
        }
  return turned === "k" ? "scores" : "turned";
}

// The index [b, h, row, d] of a flat place in (., H, rows, D).
export function indexOf(place, { H, D }, rows) {
  return [Math.floor(place / (H * rows * D)), Math.floor(place / (rows * D)) % H, Math.floor(place / D) % rows, place % D];
}

const count = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

// What the product means, in a sentence or two; its kind: "good", "luck" (right, or silent, by the sizes), or "bad".
export function verdict(state, { means, shapes, message }) {
  const { L, S, D, B, H, product } = state;
  const right = product === "q @ k.transpose(-2, -1)";
  if (message) return { kind: "bad", text: `✗ ${reason(state, shapes)}` };
  if (means === "turned") {
    const square = L === S ? ` L = S = ${L}, so nobody sees it from the shape.` : "";
    return { kind: "luck", text: `✓ It fits: the table of scores turned over. Row j is key j as every query sees it.${square}` };
  }
  if (right)
    return {
      kind: "good",
      text: `✓ It fits: q has ${count(D, "column")}, kᵀ ${count(D, "row")}. Cell [i, j] is query i times key j.`,
    };
  if (means === "scores")
    return { kind: "luck", text: `⚠ At these sizes it is the same as Kᵀ. A test with them cannot see the bug.` };
  const silent = {
    "q @ k": `because S = D = ${D}. No cell is a score: row i is a mixture of the ${count(S, "key")}, with query i as the recipe.`,
    "q @ k.reshape(B, H, D, S)":
      "at any size, and right only where S = 1 or D = 1. Nothing was turned: a column holds numbers of several keys.",
    "q @ k.T": `because D = H = ${D}, and (${B}, ${H}) goes with (${D}, ${S}). The sum runs over heads of k.`,
  };
  return { kind: "bad", text: `✗ Silent nonsense: no error, ${silent[product]}` };
}

// Why torch refuses, in the words of the picture.
function reason({ product, H, D }, [left, right]) {
  const edge = `left has ${count(left[3], "column")}, right ${count(right[2], "row")}`;
  if (product !== "q @ k.T") return `They do not fit: ${edge}.`;
  const front = complaint([left[0], left[1], 1, 1], [right[0], right[1], 1, 1]);
  const edges = D === H ? "The tables fit" : `The tables do not fit (${edge})`;
  return front
    ? `${edges}, and the axes in front do not: (${left.slice(0, 2).join(", ")}) against (${right.slice(0, 2).join(", ")}).`
    : `${edges}.`;
}

// Sentences about sizes that hide something.
export function coincidences({ L, S, D, B, H }) {
  const notes = [
    [S === D && D > 1, `S = D = ${D}: q @ k, without any transpose, raises no error.`],
    [L === S && L > 1, `L = S = ${L}: the table is square, and [i, j] is easily taken for [j, i].`],
    [S === 1 || D === 1, `${S === 1 ? "S" : "D"} = 1: reshape and transpose do the same.`],
    [D === H && D > 1, `D = H = ${D}: .T puts heads where the numbers should be, and the tables fit all the same.`],
    [B === D && H === S && B * H > 1, `B = D and H = S: .T passes the check of the batch axes.`],
  ];
  return notes.filter(([holds]) => holds).map(([, note]) => note);
}

// A cell of the result, written out: { title, of, terms: [{ a, left, b, right }], sum of the first `done` }; left and right say where the
// numbers a and b come from.
export function terms(
  { product, B, H, L, S, D },
  { left, right, right_at, shapes: [leftShape, rightShape] },
  [i, j],
  done = Infinity,
) {
  const [N, C] = [leftShape[3], rightShape[3]];
  const { turned } = PRODUCTS[product];
  const pairs = Array.from({ length: N }, (_, d) => {
    const [b, h, row, n] = indexOf(right_at[d * C + j], { H, D }, turned === "k" ? S : L);
    const where = product === "q @ k.T" ? `${b},${h},${row},${n}` : `${row},${n}`;
    return { a: left[i * N + d], left: `${i},${d}`, b: right[d * C + j], right: where, row };
  });
  const sum = pairs.slice(0, done).reduce((total, { a, b }) => total + a * b, 0);
  const met = [...new Set(pairs.map(({ row }) => row))].sort((a, b) => a - b);
  const keys = S === 1 ? "the key" : `keys 0 to ${S - 1}`;
  const title = {
    "q @ k.transpose(-2, -1)": `[${i}, ${j}]: query ${i} meets key ${j}`,
    "q @ k": `[${i}, ${j}]: query ${i} meets number ${j} of ${keys}`,
    "q @ k.T": `[${i}, ${j}]: query ${i} of head 0 meets number 0 of key 0, in sample ${j} and all its heads`,
    "q @ k.reshape(B, H, D, S)": `[${i}, ${j}]: query ${i} meets numbers of ${met.length === 1 ? `key ${met[0]}` : `keys ${met.join(", ")}`}`,
    "k @ q.transpose(-2, -1)": `[${i}, ${j}]: key ${i} meets query ${j}`,
  };
  return { title: title[product], of: turned, terms: pairs, sum };
}
