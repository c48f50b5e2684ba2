// Softmax as three programs compute it, in float32, float16 or both: naive, with the maximum subtracted, and online.

import { normal } from "../kit/inputs.js";
import { clamp, half, range } from "../kit/math.js";
import { HEADS, readWith } from "../kit/reader.js";

/** @typedef {"keys" | "queries"} Axis along which softmax runs: "keys" makes weights of each row, "queries" of each column */
/** @typedef {[query: number, key: number, amount: number]} Raise what is added to one score */

/**
 * @typedef {object} Settings
 * @property {number} head
 * @property {number[][] | null} scores the reader's own, or null for those of the recorded layer
 * @property {number} L
 * @property {number} S
 * @property {Raise[]} raised
 * @property {number} shift
 * @property {number} temperature
 * @property {boolean} masked
 * @property {Axis} axis
 * @property {"float32" | "float16" | "mixed"} precision
 * @property {[number, number]} pin the query and the key that are chosen
 * @property {"row" | "overflow"} part what is drawn
 * @property {string[]} _words of the sentence whose scores the layer has
 */

// The limits of the table and of the sliders are those of lab.py; a test compares them. A score is at most `score` away from 0.
/** @type {{ L: [number, number], S: [number, number], score: number, raised: number, shift: number }} */
export const LIMITS = { L: [1, 7], S: [1, 7], score: 12, raised: 24, shift: 120 };

const ROUND = {
  float32: { outer: Math.fround, inner: Math.fround },
  float16: { outer: half, inner: half },
  mixed: { outer: half, inner: Math.fround },
};

/**
 * What is wrong with settings that came in a link, or null.
 *
 * @param {Pick<Settings, "scores" | "raised" | "temperature"> & Record<string, any>} settings
 */
export function problem({ scores, raised, temperature }) {
  /** @param {number} n @param {[number, number]} limits */
  const isWithin = (n, [least, most]) => Number.isInteger(n) && n >= least && n <= most;
  if (!(temperature >= 0.1 && temperature <= 10)) return "The temperature lies between 0.1 and 10.";
  /** @param {any} one */
  const isRaise = (one) => {
    if (!Array.isArray(one) || one.length !== 3) return false;
    return isWithin(one[0], [0, LIMITS.L[1] - 1]) && isWithin(one[1], [0, LIMITS.S[1] - 1]) && Math.abs(one[2]) <= LIMITS.raised;
  };
  if (!raised.every(isRaise))
    return "raised contains a query and a key from 0 to 6, and an amount from −24 to 24, for each score that is raised.";
  if (scores === null) return null;
  const isTable = Array.isArray(scores) && scores.every((row) => Array.isArray(row) && row.length === scores[0].length);
  if (!isTable || !isWithin(scores.length, LIMITS.L) || !isWithin(scores[0].length, LIMITS.S))
    return "scores is a matrix: 1 to 7 rows, one for each query, of 1 to 7 numbers each, as many in every row.";
  /** @param {any} score */
  const isScore = (score) => typeof score === "number" && Math.abs(score) <= LIMITS.score;
  return scores.flat().every(isScore) ? null : `Each score lies between −${LIMITS.score} and ${LIMITS.score}.`;
}

/** @type {Map<string, number[][][]>} */
const known = new Map();

/**
 * The scores of the recorded layer after √D, (H, L, S), to two decimals.
 *
 * @param {string[]} words
 */
function recordedScores(words) {
  const key = words.join(" ");
  const made =
    known.get(key) ??
    (() => {
      const { scaled } = readWith(words);
      const L = words.length;
      /** @type {(h: number, i: number, j: number) => number} */
      const score = (h, i, j) => Math.floor(100 * scaled[(h * L + i) * L + j] + 0.5) / 100;
      return range(HEADS.length).map((h) => range(L).map((i) => range(L).map((j) => score(h, i, j))));
    })();
  known.set(key, made);
  return made;
}

/** @param {number} score */
const within = (score) => clamp(score, -LIMITS.score, LIMITS.score);

/**
 * The scores, L rows of S, before `raised`, shift and temperature. Scores that the reader's own table lacks depend only on their row
 * and column.
 *
 * @param {Pick<Settings, "head" | "scores" | "L" | "S" | "_words">} settings
 * @returns {number[][]}
 */
export function unraised({ head, scores, L, S, _words }) {
  if (scores === null)
    return recordedScores(_words)
      [head].slice(0, L)
      .map((row) => row.slice(0, S));
  return range(L).map((i) => {
    const drawn = normal(0, "scores", [i], S);
    return range(S).map((j) => scores[i]?.[j] ?? within(Math.floor(30 * drawn[j] + 0.5) / 10));
  });
}

/**
 * The scores, L rows of S, before they are shifted and divided by the temperature.
 *
 * @param {Pick<Settings, "head" | "scores" | "L" | "S" | "_words" | "raised">} settings
 */
export function tableOf(settings) {
  const rows = unraised(settings);
  for (const [i, j, amount] of settings.raised) if (i < settings.L && j < settings.S) rows[i][j] = within(rows[i][j] + amount);
  return rows;
}

/**
 * For each line that softmax runs along, a row of keys or a column of queries, its cells. The cells of the table are counted row by row.
 *
 * @param {{ L: number, S: number, axis: Axis }} table
 * @returns {number[][]}
 */
export function linesOf({ L, S, axis }) {
  if (axis === "keys") return range(L).map((i) => range(S).map((j) => i * S + j));
  return range(S).map((j) => range(L).map((i) => i * S + j));
}

/**
 * What SoftmaxLab.compute gives in Python: for each cell (L·S) scores, terms and weights of every program, for each line sums and maxima.
 * Terms are added one after the other, each sum rounded.
 *
 * @param {Settings} settings
 */
export function compute(settings) {
  const wrong = problem(settings);
  if (wrong) throw new Error(wrong);
  const { L, S, shift, temperature, masked, precision } = settings;
  const { outer, inner } = ROUND[precision];
  /** @param {number} x */
  const exp = (x) => inner(Math.exp(x));
  const lines = linesOf(settings);
  const cellNumbers = () => new Float32Array(L * S);
  const lineNumbers = () => new Float32Array(lines.length);
  const scores = tableOf(settings).flat();
  const out = {
    scaled: Float32Array.from(scores, (score, at) => (masked && at % S === 0 ? -Infinity : outer((score + shift) / temperature))),
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
    /** @type {(into: Float32Array, values: number[]) => void} */
    const fill = (into, values) => {
      values.forEach((value, i) => {
        into[cells[i]] = value;
      });
    };
    /** @param {number[]} terms */
    const sumOf = (terms) => terms.reduce((sum, term) => inner(sum + term));
    /** @type {(terms: number[], sum: number) => number[]} */
    const divide = (terms, sum) => terms.map((term) => outer(inner(term / sum)));

    const naiveTerms = line.map(exp);
    out.naive_sums[n] = sumOf(naiveTerms);
    fill(out.naive_terms, naiveTerms);
    fill(out.naive, divide(naiveTerms, out.naive_sums[n]));

    const maximum = Math.max(...line);
    const terms = line.map((score) => exp(inner(score - maximum)));
    out.maxima[n] = maximum;
    out.sums[n] = sumOf(terms);
    fill(out.terms, terms);
    fill(out.weights, divide(terms, out.sums[n]));

    const { highest, factors, totals } = runOnline(line, inner);
    fill(out.highest, highest);
    fill(out.factors, factors);
    fill(out.totals, totals);
    const onlineTerms = line.map((score) => exp(inner(score - highest[line.length - 1])));
    fill(out.online, divide(onlineTerms, totals[line.length - 1]));
  });
  /** @param {Axis} along */
  const sumsAlong = (along) =>
    Float32Array.from(linesOf({ L, S, axis: along }), (cells) => cells.reduce((sum, at) => sum + out.weights[at], 0));
  return { ...out, row_sums: sumsAlong("keys"), column_sums: sumsAlong("queries") };
}

/**
 * After each score: the highest score so far, the factor that the old total is multiplied by, and the new total.
 *
 * @param {number[]} line
 * @param {(x: number) => number} round
 */
function runOnline(line, round) {
  /** @param {number} x */
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
