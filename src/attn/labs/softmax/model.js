// Softmax as three programs compute it, in float32 or float16: naive, with the maximum subtracted, and online.

import { normal } from "../kit/inputs.js";
import { clamp, half, range } from "../kit/math.js";

/** @typedef {{ scores: number[][], axis: "keys" | "queries" }} Table L rows of S scores, and the axis along which softmax runs */
/** @typedef {Table & { temperature: number, shift: number, precision: "float32" | "float16" }} Settings */

// The limits of the table and of the sliders are those of lab.py; a test compares them. A score is at most `score` away from 0.
/** @type {{ L: [number, number], S: [number, number], score: number, shift: number }} */
export const LIMITS = { L: [1, 6], S: [1, 8], score: 12, shift: 120 };

const ROUND = { float32: Math.fround, float16: half };

/**
 * What is wrong with scores that came in a link, or null.
 *
 * @param {any} scores
 */
export function problem(scores) {
  const isWithin = (n, [least, most]) => n >= least && n <= most;
  const isTable = Array.isArray(scores) && scores.every((row) => Array.isArray(row) && row.length === scores[0].length);
  if (!isTable || !isWithin(scores.length, LIMITS.L) || !isWithin(scores[0].length, LIMITS.S))
    return "scores is a table: 1 to 6 rows, one for each query, of 1 to 8 numbers each, as many in every row.";
  const isScore = (score) => typeof score === "number" && Math.abs(score) <= LIMITS.score;
  return scores.flat().every(isScore) ? null : `Each score lies between −${LIMITS.score} and ${LIMITS.score}.`;
}

/**
 * The table with L rows of S scores. It keeps the scores that it has; those that are new depend only on their row and column.
 *
 * @param {number[][]} scores
 * @param {number} L
 * @param {number} S
 */
export function resized(scores, L, S) {
  return range(L).map((i) => {
    const drawn = normal(0, "scores", [i], S);
    const newScore = (j) => clamp(Math.floor(30 * drawn[j] + 0.5) / 10, -LIMITS.score, LIMITS.score);
    return range(S).map((j) => scores[i]?.[j] ?? newScore(j));
  });
}

/**
 * For each line that softmax runs along, a row of keys or a column of queries, its cells. The cells of the table are counted row by row.
 *
 * @param {Table} table
 * @returns {number[][]}
 */
export function linesOf({ scores, axis }) {
  const [L, S] = [scores.length, scores[0].length];
  if (axis === "keys") return range(L).map((i) => range(S).map((j) => i * S + j));
  return range(S).map((j) => range(L).map((i) => i * S + j));
}

/**
 * What SoftmaxLab.compute gives in Python: for each cell (L·S) scores, terms and weights of every program, for each line sums and maxima.
 * Terms are added one after the other, each sum rounded.
 *
 * @param {Settings} settings
 */
export function compute({ scores, temperature, axis, shift, precision }) {
  const wrong = problem(scores);
  if (wrong) throw new Error(wrong);
  const round = ROUND[precision];
  const exp = (x) => round(Math.exp(x));
  const lines = linesOf({ scores, axis });
  const cellNumbers = () => new Float32Array(scores.length * scores[0].length);
  const lineNumbers = () => new Float32Array(lines.length);
  const out = {
    scaled: Float32Array.from(scores.flat(), (score) => round((score + shift) / temperature)),
    naive_terms: cellNumbers(),
    naive: cellNumbers(),
    naive_sums: lineNumbers(),
    terms: cellNumbers(),
    weights: cellNumbers(),
    maxima: lineNumbers(),
    sums: lineNumbers(),
    highest: cellNumbers(),
    factors: cellNumbers(),
    totals: cellNumbers(),
    online: cellNumbers(),
  };
  lines.forEach((cells, n) => {
    const line = cells.map((at) => out.scaled[at]);
    const fill = (name, values) => {
      values.forEach((value, i) => {
        out[name][cells[i]] = value;
      });
    };
    const sumOf = (terms) => terms.reduce((sum, term) => round(sum + term));
    const divide = (terms, sum) => terms.map((term) => round(term / sum));

    const naiveTerms = line.map(exp);
    out.naive_sums[n] = sumOf(naiveTerms);
    fill("naive_terms", naiveTerms);
    fill("naive", divide(naiveTerms, out.naive_sums[n]));

    const maximum = Math.max(...line);
    const terms = line.map((score) => exp(round(score - maximum)));
    out.maxima[n] = maximum;
    out.sums[n] = sumOf(terms);
    fill("terms", terms);
    fill("weights", divide(terms, out.sums[n]));

    const { highest, factors, totals } = runOnline(line, round);
    fill("highest", highest);
    fill("factors", factors);
    fill("totals", totals);
    const onlineTerms = line.map((score) => exp(round(score - highest[line.length - 1])));
    fill("online", divide(onlineTerms, totals[line.length - 1]));
  });
  const sumsAlong = (axis) =>
    Float32Array.from(linesOf({ scores, axis }), (cells) => cells.reduce((sum, at) => sum + out.weights[at], 0));
  return { ...out, row_sums: sumsAlong("keys"), column_sums: sumsAlong("queries") };
}

/**
 * After each score: the highest score so far, the factor that the old total is multiplied by, and the new total.
 *
 * @param {number[]} line
 * @param {(x: number) => number} round
 */
function runOnline(line, round) {
  const exp = (x) => round(Math.exp(x));
  let [highest, total] = [-Infinity, 0];
  const steps = line.map((score) => {
    const higher = Math.max(highest, score);
    const factor = exp(round(highest - higher));
    total = round(round(total * factor) + exp(round(score - higher)));
    highest = higher;
    return { highest, factor, total };
  });
  return {
    highest: steps.map((step) => step.highest),
    factors: steps.map((step) => step.factor),
    totals: steps.map((step) => step.total),
  };
}
