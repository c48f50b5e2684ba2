// Softmax as three programs compute it, in float32 or float16: naive, with the maximum subtracted, and online in one reading.

import { number } from "../kit/format.js";
import { normal } from "../kit/inputs.js";

export const LIMITS = { L: [1, 6], S: [1, 8], score: 12, shift: 120, temperature: [0.1, 10] };

// x rounded to the nearest number of float16, ties to even.
export function half(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const size = Math.abs(x);
  let power = Math.floor(Math.log2(size));
  if (2 ** power > size) power -= 1; // where the logarithm was rounded up
  const step = 2 ** (Math.max(power, -14) - 10);
  const steps = size / step;
  const low = Math.floor(steps);
  const up = steps - low > 0.5 || (steps - low === 0.5 && low % 2 === 1);
  const near = (low + up) * step;
  return Math.sign(x) * (near > 65504 ? Infinity : near);
}

const PRECISIONS = { float32: Math.fround, float16: half };

// What is wrong with scores that came in a link, or null.
export function problem(scores) {
  const between = (n, [least, most]) => n >= least && n <= most;
  const table = Array.isArray(scores) && scores.every((row) => Array.isArray(row) && row.length === scores[0].length);
  if (!table || !between(scores.length, LIMITS.L) || !between(scores[0].length, LIMITS.S))
    return "scores is a table: 1 to 6 rows, one for each query, of 1 to 8 numbers each, as many in every row.";
  const fits = (score) => typeof score === "number" && Math.abs(score) <= LIMITS.score;
  return scores.flat().every(fits) ? null : `Each score lies between −${LIMITS.score} and ${LIMITS.score}.`;
}

// The table with L rows of S scores: what there was, and beyond it scores that depend on nothing but their place.
export function resized(scores, L, S) {
  return Array.from({ length: L }, (_, i) => {
    const drawn = normal(0, "scores", [i], S);
    const fresh = (j) => Math.max(-LIMITS.score, Math.min(LIMITS.score, Math.floor(30 * drawn[j] + 0.5) / 10));
    return Array.from({ length: S }, (_, j) => scores[i]?.[j] ?? fresh(j));
  });
}

// The cells, row by row, of each line that softmax runs along: rows of keys, or columns of queries.
export function linesOf({ scores, axis }) {
  const [L, S] = [scores.length, scores[0].length];
  if (axis === "keys") return scores.map((_, i) => Array.from({ length: S }, (_, j) => i * S + j));
  return scores[0].map((_, j) => Array.from({ length: L }, (_, i) => i * S + j));
}

// Every result has a number for each cell, L x S; sums have one for each line. Sums are added up one by one, as written.
export function compute({ scores, temperature, axis, shift, precision }) {
  const wrong = problem(scores);
  if (wrong) throw new Error(wrong);
  const round = PRECISIONS[precision];
  const lines = linesOf({ scores, axis });
  const made = (length) => new Float32Array(length);
  const count = scores.length * scores[0].length;
  const cells = ["scaled", "naive_terms", "naive", "terms", "weights", "highest", "factors", "totals", "online"];
  const out = Object.fromEntries(cells.map((name) => [name, made(count)]));
  for (const name of ["naive_sums", "sums", "maxima"]) out[name] = made(lines.length);
  out.scaled.set(scores.flat().map((score) => round((score + shift) / temperature)));
  lines.forEach((line, n) => {
    const z = line.map((at) => out.scaled[at]);
    const exp = (x) => round(Math.exp(x));
    const fill = (name, values) => values.forEach((value, i) => (out[name][line[i]] = value));
    const shares = (terms, sum) => terms.map((term) => round(term / sum));
    const added = (terms) => terms.reduce((sum, term) => round(sum + term));

    const plain = z.map(exp);
    out.naive_sums[n] = added(plain);
    fill("naive_terms", plain);
    fill("naive", shares(plain, out.naive_sums[n]));

    const maximum = Math.max(...z);
    const terms = z.map((one) => exp(round(one - maximum)));
    out.maxima[n] = maximum;
    out.sums[n] = added(terms);
    fill("terms", terms);
    fill("weights", shares(terms, out.sums[n]));

    let [highest, total] = [-Infinity, 0];
    for (const at of line) {
      const now = Math.max(highest, out.scaled[at]);
      const factor = exp(round(highest - now));
      total = round(round(total * factor) + exp(round(out.scaled[at] - now)));
      highest = now;
      [out.highest[at], out.factors[at], out.totals[at]] = [highest, factor, total];
    }
    fill(
      "online",
      shares(
        z.map((one) => exp(round(one - highest))),
        total,
      ),
    );
  });
  const along = (cells) => cells.reduce((sum, at) => sum + out.weights[at], 0);
  const sums = (axis) => Float32Array.from(linesOf({ scores, axis }), along);
  return { ...out, row_sums: sums("keys"), column_sums: sums("queries") };
}

// What is to be said of the naive program on one line: [sign, sentence].
export function verdict(terms, sum, weights, right) {
  if (terms.includes(Infinity)) return ["✗", "A term is ∞, and ∞ / ∞ is no number."];
  if (sum === Infinity) return ["✗", "No term is ∞, but their sum is: every weight is 0."];
  if (sum === 0) return ["✗", "Every term is 0, and 0 / 0 is no number."];
  const off = Math.max(...weights.map((weight, n) => Math.abs(weight - right[n])));
  if (off > 0.0005) return ["⚠", `Terms near 0 have few digits: a weight is off by ${off.toFixed(3)}.`];
  return ["✓", "Nothing has overflowed."];
}

// A term or a sum in few characters: four digits, and where there are many zeros a power of ten.
export function brief(x) {
  if (!Number.isFinite(x)) return number(x);
  const size = Math.abs(x);
  const small = x !== 0 && (size < 0.001 || size >= 10000);
  return (small ? x.toExponential(1).replace("e+", "e") : String(Number(x.toPrecision(4)))).replaceAll("-", "−");
}
