// The heads of one layer, merged and projected, without any drawing: what each adds to y, and what that costs.

import { computeLayer, parameters } from "../kit/layer.js";
import { divisors, range } from "../kit/math.js";

export const WIDTHS = [12, 16];

// Why these settings cannot be, or "".
export function problem({ E, H, off }) {
  if (!WIDTHS.includes(E)) return `E = ${E}: this lab takes E = ${WIDTHS.join(" or ")}.`;
  if (E % H) return `E = ${E} is not a multiple of H = ${H}. Heads of equal width: H can be [${divisors(E).join(", ")}].`;
  const missing = off.find((h) => !Number.isInteger(h) || h < 0 || h >= H);
  if (missing === undefined) return "";
  return `off = [${off.join(", ")}]: there is no head ${missing}; H = ${H} heads are numbered 0 to ${H - 1}.`;
}

// Where the number in column e of word i's row of concat comes from: [head, word, which of the head's D numbers].
export function source({ E, H, L, merge }, i, e) {
  const D = E / H;
  const piece = i * H + Math.floor(e / D); // concat is L * H pieces of D numbers
  return merge === "right" ? [piece % H, i, e % D] : [Math.floor(piece / L), piece % L, e % D];
}

export function compute(state) {
  const wrong = problem(state);
  if (wrong) throw new Error(wrong);
  const { E, H, L, off, project, seed, _texts } = state;
  const D = E / H;
  const heads = computeLayer({ B: 1, H, L, S: null, D, G: null, scale: true, causal: false, seed, _texts }).heads.slice();
  for (const h of off) heads.fill(0, h * L * D, (h + 1) * L * D);

  const empty = (size) => new Float32Array(size);
  const [concat, from_head, from_word, y, W_O] = [empty(L * E), empty(L * E), empty(L * E), empty(L * E), empty(E * E)];
  for (let at = 0; at < L * E; at++) {
    const [h, i, d] = source(state, Math.floor(at / E), at % E);
    [concat[at], from_head[at], from_word[at]] = [heads[(h * L + i) * D + d], h, i];
  }
  const stored = parameters(seed, "W_O", E); // as nn.Linear stores it, (out, in)
  for (let n = 0; n < E; n++) for (let e = 0; e < E; e++) W_O[n * E + e] = project ? stored(e, n) : Number(n === e);

  const parts = empty(H * L * E);
  for (let h = 0; h < H; h++)
    for (let i = 0; i < L; i++)
      for (let e = 0; e < E; e++) {
        let sum = 0;
        for (let n = h * D; n < h * D + D; n++) sum += concat[i * E + n] * W_O[n * E + e];
        parts[(h * L + i) * E + e] = sum;
        y[i * E + e] += sum;
      }

  const dot = (a, at, b, bt) => {
    let sum = 0;
    for (let e = 0; e < E; e++) sum += a[at + e] * b[bt + e];
    return sum;
  };
  const [norms, shares] = [empty(H * L), empty(H * L)];
  for (let n = 0; n < H * L; n++) {
    const row = (n % L) * E;
    norms[n] = Math.sqrt(dot(parts, n * E, parts, n * E));
    shares[n] = dot(parts, n * E, y, row) / (dot(y, row, y, row) || 1);
  }
  const trained = (project ? 4 : 3) * E * E;
  const costs = { parameters: trained, flops: 2 * L * trained + 4 * L * L * E, stored: H * L * L };
  return { heads, concat, from_head, from_word, W_O, parts, y, norms, shares, ...costs };
}

// What each part of concat adds to number e of word i, and the sum.
export function terms({ H, E, L }, { parts, y }, [i, e]) {
  return { parts: range(H).map((h) => parts[(h * L + i) * E + e]), sum: y[i * E + e] };
}

// Heads by number: head 1, or heads 0, 2.
const named = (heads) => `head${heads.length > 1 ? "s" : ""} ${heads.join(", ")}`;

// A sentence about the row of word i in concat: whose numbers it holds.
export function holds(state, words, i) {
  const { E, H, off } = state;
  const pieces = range(H).map((n) => source(state, i, (n * E) / H));
  const places = pieces.filter(([h, word], n) => h === n && word === i).length;
  const dark = off.length ? `; ${named(off)} off, so 0` : "";
  const count = off.length ? `${H - off.length} of ${H}` : `all ${H}`;
  if (places === H) return `Row ${words[i]} of concat: ${H === 1 ? "its only head" : `${count} heads of ${words[i]}`}${dark}.`;
  const runs = []; // [head, words]: a row goes through the heads in order
  for (const [h, word] of pieces) {
    if (runs.at(-1)?.[0] === h) runs.at(-1)[1].push(words[word]);
    else runs.push([h, [words[word]]]);
  }
  const read = runs.map(([h, of]) => `${of.join(", ")} (head ${h})`).join(", ");
  return `Row ${words[i]} of concat: ${read}${dark}. In place: ${places} of ${H} pieces.`;
}

// A number in few characters, zero as 0: 0.41 with two digits, and with one .4 or −1.2.
export function brief(value, digits) {
  const text = value.toFixed(digits);
  if (Number(text) === 0) return "0";
  return (digits === 1 ? text.replace(/^(-?)0/, "$1") : text).replace("-", "−");
}
