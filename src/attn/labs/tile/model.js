// Attention of one head in tiles, step by step: what is in fast memory, which scores exist, what has been read and written.

import { normal } from "../kit/inputs.js";
import { range } from "../kit/math.js";
import { isTrained, readWith, SIZES } from "../kit/reader.js";

export const EXACT = 1e-4; // a difference that rounding makes is smaller
export const HEAD = 1; // of the recorded layer: the one that finds "what"

/**
 * The settings of TileLab; their meaning is in the docstring of the class in lab.py.
 *
 * @typedef {object} Settings
 * @property {number} L
 * @property {number} S
 * @property {number} D
 * @property {number} tile
 * @property {"fused" | "stored"} method
 * @property {boolean} causal
 * @property {number} hidden
 * @property {boolean} rescale
 * @property {number} seed
 * @property {number | null} step
 * @property {string} _text
 */

/** @typedef {[from: number, to: number]} Cut of an axis: from this index up to, but not with, that one */
/** @typedef {"read" | "scores" | "exp" | "softmax" | "mix" | "write"} Kind what a step does */
/** @typedef {{ kind: Kind, rows: Cut, columns: Cut | null }} Step */
/** @typedef {Record<"q" | "k" | "v" | "out", Float32Array>} Operands out: the output of the kernel or of `compute` */

/** What a score is: not computed yet, a score, a term e^(score - maximum) or weight, computed and gone, or never computed. */
export const EMPTY = 0;
export const SCORE = 1;
export const WEIGHT = 2;
export const GONE = 3;
export const SKIPPED = 4;

/**
 * What holds after a step.
 *
 * @typedef {object} Moment
 * @property {Step | null} step null before the first
 * @property {Uint8Array} states (L, S)
 * @property {Float32Array} values (L, S): of the scores and weights that exist
 * @property {Float32Array} top (L,), -Infinity before the first score
 * @property {Float32Array} total (L,)
 * @property {Float32Array} out (L, D): what is added up so far; divided by the total once it is written
 * @property {number} written rows of the output that are done
 * @property {number} moved numbers read from slow memory and written to it so far
 * @property {number} tile of those computed: the number of the present one, from 1
 */

/**
 * @param {number} size
 * @param {number} tile
 * @returns {Cut[]}
 */
export const cutsOf = (size, tile) => range(Math.ceil(size / tile)).map((n) => [n * tile, Math.min((n + 1) * tile, size)]);

/**
 * Whether some query of these rows may attend to some key of these columns. Only the causal mask is known before the scores are.
 *
 * @param {Pick<Settings, "L" | "S" | "causal">} settings
 * @param {Cut} rows
 * @param {Cut} columns
 */
const isNeeded = ({ L, S, causal }, rows, columns) => !causal || columns[0] <= rows[1] - 1 + S - L;

/**
 * Whether query i may attend to key j.
 *
 * @param {Pick<Settings, "L" | "S" | "causal" | "hidden">} settings
 * @param {number} i
 * @param {number} j
 */
export const isKept = ({ L, S, causal, hidden }, i, j) => j >= hidden && (!causal || j <= i + S - L);

/**
 * The steps of a method, in order.
 *
 * @param {Settings} settings
 * @returns {Step[]}
 */
export function stepsOf(settings) {
  const { L, S, tile, method } = settings;
  const [rowCuts, columnCuts] = [cutsOf(L, tile), cutsOf(S, tile)];
  /** @param {Kind} kind @param {Cut} rows @param {Cut | null} columns */
  const step = (kind, rows, columns = null) => ({ kind, rows, columns });
  if (method === "fused")
    return rowCuts.flatMap((rows) => [
      step("read", rows),
      ...columnCuts
        .filter((columns) => isNeeded(settings, rows, columns))
        .flatMap((columns) => [step("scores", rows, columns), step("exp", rows, columns), step("mix", rows, columns)]),
      step("write", rows),
    ]);
  return [
    ...rowCuts.flatMap((rows) => [step("read", rows), ...columnCuts.map((columns) => step("scores", rows, columns))]),
    ...rowCuts.map((rows) => step("softmax", rows)),
    ...rowCuts.flatMap((rows) => [...columnCuts.map((columns) => step("mix", rows, columns)), step("write", rows)]),
  ];
}

/**
 * How many numbers a step reads from slow memory and writes to it.
 *
 * @param {Pick<Settings, "S" | "D" | "method">} settings
 * @param {Step} step
 */
export function movedIn({ S, D, method }, { kind, rows, columns }) {
  const r = rows[1] - rows[0];
  const c = columns ? columns[1] - columns[0] : 0;
  const stored = method === "stored" ? r * c : 0; // a tile of scores that is written, or of weights that is read
  if (kind === "softmax") return 2 * r * S;
  return kind === "exp" ? 0 : columns ? c * D + stored : r * D;
}

/** How many numbers all steps move. @param {Settings} settings */
export const allMoved = (settings) => stepsOf(settings).reduce((sum, step) => sum + movedIn(settings, step), 0);

/**
 * Everything that holds before the first step and after each one.
 *
 * @param {Settings} settings
 * @param {Omit<Operands, "out">} operands
 * @returns {Moment[]}
 */
export function momentsOf(settings, { q, k, v }) {
  const { L, S, D, method, rescale } = settings;
  const steps = stepsOf(settings);
  const states = new Uint8Array(L * S);
  const values = new Float32Array(L * S);
  const top = new Float32Array(L).fill(Number.NEGATIVE_INFINITY);
  const total = new Float32Array(L);
  const out = new Float32Array(L * D);
  let [written, moved, tile] = [0, 0, 0];
  if (method === "fused")
    for (const rows of cutsOf(L, settings.tile))
      for (const columns of cutsOf(S, settings.tile))
        if (!isNeeded(settings, rows, columns)) for (const at of cellsIn(rows, columns, S)) states[at] = SKIPPED;
  /** @param {Step | null} step @returns {Moment} */
  const kept = (step) => ({
    ...{ step, states: states.slice(), values: values.slice(), top: top.slice(), total: total.slice(), out: out.slice() },
    ...{ written, moved, tile },
  });

  /** @param {Step} step */
  function run({ kind, rows, columns }) {
    const [from, to] = columns ?? [0, S];
    const cells = cellsIn(rows, [from, to], S);
    if (kind === "scores") {
      tile += 1;
      for (const at of cells) {
        const [i, j] = [Math.floor(at / S), at % S];
        values[at] = isKept(settings, i, j) ? dot(q, i, k, j, D) / Math.sqrt(D) : Number.NEGATIVE_INFINITY;
        states[at] = SCORE;
      }
    } else if (kind === "exp" || kind === "softmax") {
      for (let i = rows[0]; i < rows[1]; i++) {
        const row = values.subarray(i * S + from, i * S + to);
        const higher = Math.max(top[i], ...row);
        const known = higher === Number.NEGATIVE_INFINITY ? 0 : higher; // -∞ - (-∞) is NaN
        const shrink = rescale || kind === "softmax" ? Math.exp(top[i] - known) : 1;
        for (let n = 0; n < row.length; n++) row[n] = Math.exp(row[n] - known);
        total[i] = total[i] * shrink + row.reduce((sum, term) => sum + term, 0);
        top[i] = higher;
        for (let d = 0; d < D; d++) out[i * D + d] *= shrink;
        if (kind === "softmax") for (let n = 0; n < row.length; n++) row[n] /= total[i] || 1;
      }
      for (const at of cells) states[at] = WEIGHT;
    } else if (kind === "mix") {
      for (const at of cells) {
        const [i, j] = [Math.floor(at / S), at % S];
        for (let d = 0; d < D; d++) out[i * D + d] += values[at] * v[j * D + d];
        if (method === "fused") states[at] = GONE;
      }
    } else if (kind === "write") {
      written = rows[1];
      if (method === "fused") for (let i = rows[0]; i < rows[1]; i++) for (let d = 0; d < D; d++) out[i * D + d] /= total[i] || 1;
    }
  }

  return [
    kept(null),
    ...steps.map((step) => {
      run(step);
      moved += movedIn(settings, step);
      return kept(step);
    }),
  ];
}

/** @param {Cut} rows @param {Cut} columns @param {number} S */
const cellsIn = (rows, columns, S) =>
  range(rows[1] - rows[0]).flatMap((i) => range(columns[1] - columns[0]).map((j) => (rows[0] + i) * S + columns[0] + j));

/**
 * @param {Float32Array} q
 * @param {number} i
 * @param {Float32Array} k
 * @param {number} j
 * @param {number} D
 */
function dot(q, i, k, j, D) {
  let sum = 0;
  for (let d = 0; d < D; d++) sum += q[i * D + d] * k[j * D + d];
  return sum;
}

/** @param {Settings} settings */
function operandsOf({ L, S, D, seed, _text }) {
  const words = _text.split(" ").slice(0, S);
  const first = (S - L) * D;
  if (D === SIZES.D && isTrained({ H: SIZES.H, L: S, S, D, G: null, seed })) {
    const { q, k, v } = readWith(words);
    const [from, to] = [HEAD * S * D, (HEAD + 1) * S * D];
    return { trained: true, q: q.slice(from + first, to), k: k.slice(from, to), v: v.slice(from, to) };
  }
  const [q, k, v] = ["q", "k", "v"].map((name) => normal(seed, name, range(S), D));
  return { trained: false, q: q.slice(first).map((one) => 2 * one), k, v };
}

/**
 * The rows of the output that are wrong at each moment: those that differ from another run of the same steps. A row goes wrong when
 * new values join what was not rescaled.
 *
 * @param {Moment[]} moments
 * @param {Moment[]} rights
 * @param {number} D
 * @returns {number[][]}
 */
export function strayedRows(moments, rights, D) {
  /** @type {number[]} */
  let rows = [];
  return moments.map(({ step, out }, n) => {
    const isOff = (/** @type {number} */ at) => Math.abs(out[at] - rights[n].out[at]) > EXACT;
    if (step?.kind !== "exp") rows = range(out.length / D).filter((i) => range(D).some((d) => isOff(i * D + d)));
    return rows;
  });
}

/** The results: see the docstring of TileLab in lab.py. @param {Settings} settings */
export function compute(settings) {
  const { L, S, D, tile, method } = settings;
  if (L > S) throw new Error(`L = ${L} and S = ${S}: the queries are the last L of the S words, so L is at most S.`);
  const { trained, q, k, v } = operandsOf(settings);
  const run = momentsOf(settings, { q, k, v });
  const last = run[run.length - 1];
  const whole = momentsOf({ ...settings, method: "stored", tile: 12 }, { q, k, v });
  const want = whole[whole.length - 1].out;
  const [r, c] = [Math.min(tile, L), Math.min(tile, S)];
  const isFused = method === "fused";
  const grid = cutsOf(L, tile).length * cutsOf(S, tile).length;
  const other = isFused ? "stored" : "fused";
  return {
    ...{ trained, q, k, v, want, out: last.out, top: isFused ? last.top : null, total: isFused ? last.total : null },
    off: Float32Array.from({ length: L }, (_, i) =>
      Math.max(...range(D).map((d) => Math.abs(last.out[i * D + d] - want[i * D + d]))),
    ),
    ...{ tiles: last.tile, grid, alive: isFused ? r * c : L * S },
    fast: isFused ? 2 * r * D + c * D + r * c + 2 * r : Math.max((r + c) * D + r * c, r * S),
    moved: last.moved,
    otherwise: allMoved({ ...settings, method: other }),
  };
}
