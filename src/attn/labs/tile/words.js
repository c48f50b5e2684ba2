// TileLab's sentences.

import { integer, spelled } from "../kit/format.js";
import { counted } from "../kit/phrases.js";
import { EXACT, GONE, SCORE, WEIGHT } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Moment} Moment */
/** @typedef {import("./model.js").Cut} Cut */
/** @typedef {{ kind: "" | "good" | "bad", verdict: string, text: string }} Told */

/**
 * @param {"query" | "key"} noun
 * @param {Cut} cut
 * @param {string[]} words
 */
function named(noun, [from, to], words) {
  const plural = noun === "query" ? "queries" : "keys";
  const some = words.slice(from, to);
  if (some.length > 3) return `${plural} ${some[0]} to ${some[some.length - 1]}`;
  return `${to - from > 1 ? plural : noun} ${some.join(", ")}`;
}

/**
 * What a step has done.
 *
 * @param {Settings} settings
 * @param {Moment} before
 * @param {Moment} after
 * @param {{ queries: string[], keys: string[] }} words
 * @returns {string}
 */
export function stepSentence(settings, before, after, words) {
  const { method, D, tile, L, S } = settings;
  if (!after.step)
    return `${L} ${L > 1 ? "queries" : "query"} × ${counted(S, "key")} = ${counted(L * S, "score")}. As the formula is written, all of them exist at once.`;
  const { kind, rows, columns } = after.step;
  const queries = named("query", rows, words.queries);
  const keys = columns ? named("key", columns, words.keys) : "";
  const r = rows[1] - rows[0];
  const c = columns ? columns[1] - columns[0] : S;
  if (kind === "read") return `Read: ${queries}, ${counted(r * D, "number")}. They stay in fast memory for a row of tiles.`;
  if (kind === "scores") {
    const kept = method === "stored" ? " They are written to slow memory." : " No other score exists.";
    return `Scores: ${queries} ${r > 1 ? "meet" : "meets"} ${keys}. ${counted(r * c, "score")} ${r * c > 1 ? "appear" : "appears"}.${kept}`;
  }
  if (kind === "softmax")
    return `Softmax: ${r === 1 ? "the row" : "the rows"} of ${queries.replace(/^quer(y|ies) /, "")}: scores are read, weights written.`;
  if (kind === "exp") {
    const at = risenMost(before, after, rows);
    const known = before.top[at] > Number.NEGATIVE_INFINITY;
    if (after.top[at] === Number.NEGATIVE_INFINITY) return "Softmax so far: all these keys are masked, so every term is 0.";
    if (!known) return `Softmax so far: each row gets a maximum, and its terms e^(score − maximum) begin a total.`;
    if (after.top[at] === before.top[at])
      return "Softmax so far: no maximum rises, so nothing is rescaled. The new terms join the total.";
    return riseSentence(before, after, at, words.queries[at], settings.rescale);
  }
  if (kind === "mix")
    return method === "fused"
      ? `Weighted sum: the values of ${keys} are added to the output. The ${counted(r * c, "score")} of the tile ${r * c > 1 ? "are" : "is"} gone.`
      : `Weighted sum: a tile of weights and the values of ${keys} are read, and added to the output.`;
  const rest = Math.ceil((L - rows[1]) / tile);
  return method === "fused"
    ? `Write: ${r > 1 ? "the output rows are divided by their totals" : "the output row is divided by its total"} and written. ${rest ? `${counted(rest, "row")} of tiles to go.` : ""}`
    : `Write: ${r > 1 ? `${r} output rows are` : "the output row is"} done.`;
}

/** The row of these in which the maximum has risen most. @param {Moment} before @param {Moment} after @param {Cut} rows */
function risenMost(before, after, [from, to]) {
  let best = from;
  const rise = (/** @type {number} */ i) => (before.top[i] > Number.NEGATIVE_INFINITY ? after.top[i] - before.top[i] : -1);
  for (let i = from; i < to; i++) if (rise(i) > rise(best)) best = i;
  return best;
}

/**
 * Why the sum stays exact when a maximum rises, or what is forgotten.
 *
 * @param {Moment} before
 * @param {Moment} after
 * @param {number} at the row
 * @param {string} query
 * @param {boolean} rescales
 */
function riseSentence(before, after, at, query, rescales) {
  const [low, high] = [before.top[at], after.top[at]];
  const [from, to, factor] = [spelled(low, 1), spelled(high, 1), spelled(Math.exp(low - high), 2)];
  const met = `“${query}” meets a higher score: ${to}, not ${from}.`;
  return rescales
    ? `${met} Its total and its output so far shrink × ${factor}. Then the new terms join.`
    : `${met} Its total and its output so far should shrink × ${factor}. They do not.`;
}

const UNSCALED = "The maximum rose, but what was added before kept its old scale.";

export const BYTES = 4; // of a number in float32

/**
 * What all steps have done together.
 *
 * @param {Settings} settings
 * @param {any} results
 * @param {string[]} queries
 * @returns {Told}
 */
export function endSentence(settings, results, queries) {
  const { L, S, method } = settings;
  const { tiles, grid, alive, moved, otherwise, off } = results;
  const all = L * S;
  if (method === "stored")
    return {
      kind: "",
      verdict: `All ${counted(all, "score")} existed at once.`,
      text: `Writing and reading them, and their weights, moved ${integer(BYTES * (moved - otherwise))} bytes more.`,
    };
  const wrong = wrongRows(results);
  if (wrong.length) {
    const worst = wrong.reduce((a, b) => (off[b] > off[a] ? b : a));
    return {
      kind: "bad",
      verdict: `✗ ${wrong.length} of ${L} rows are wrong,`,
      text: `“${queries[worst]}” by up to ${spelled(off[worst], 2)}. ${UNSCALED}`,
    };
  }
  if (grid > tiles)
    return {
      kind: "good",
      verdict: `✓ ${tiles} of ${counted(grid, "tile")} were enough, and every row is right.`,
      text: `The other ${grid - tiles} are masked as a whole, so they are skipped.`,
    };
  return {
    kind: "good",
    verdict: `✓ At most ${alive} of ${counted(all, "score")} existed at once, and every row is right.`,
    text: alive < all ? "A row keeps only a maximum, a total and its output." : "One tile has them all.",
  };
}

/**
 * The question that the settings ask, and what a moment has answered so far, in large figures.
 *
 * @param {Settings} settings
 * @param {string} asked the question of the lab, with its own tile size
 */
export function questionOf({ method, rescale, causal, tile }, asked) {
  if (!asked.includes("2 × 2")) return asked;
  if (method === "stored") return "How many scores exist at once if all of them are stored?";
  if (!rescale) return "How many rows are wrong if no total is ever rescaled?";
  if (causal) return `How many ${tile} × ${tile} tiles are left under a causal mask?`;
  return asked.replaceAll("2", `${tile}`);
}

/**
 * @param {Settings} settings
 * @param {any} results
 * @param {Moment[]} moments so far
 * @param {number[]} strayed rows that are wrong
 * @returns {{ count: number | null, of: number, label: string }} null: not known yet
 */
export function countOf({ L, S, method, rescale, causal }, { grid }, moments, strayed) {
  if (method === "fused" && !rescale)
    return { count: moments.length > 1 ? strayed.length : null, of: L, label: "rows are wrong so far" };
  if (method === "fused" && causal)
    return { count: moments[moments.length - 1].tile || null, of: grid, label: "tiles computed so far" };
  return { count: Math.max(0, ...moments.slice(1).map(aliveAt)) || null, of: L * S, label: "scores at once, at most" };
}

/**
 * The rows of the output that differ from attention by more than rounding.
 *
 * @param {{ off: ArrayLike<number> }} results
 */
export const wrongRows = ({ off }) => Array.from(off).flatMap((one, i) => (one <= EXACT ? [] : [i]));

/**
 * While the steps are played.
 *
 * @param {Moment} moment
 * @param {any} results
 * @param {{ queries: string[], keys: string[] }} words
 * @param {boolean} rescales
 * @param {Moment} [before] the moment before the tile's softmax
 */
export function playSentence(moment, { tiles, top: running, alive }, words, rescales, before) {
  const { step, tile, top } = moment;
  if (!step) return "Nothing is read yet.";
  if (running === null) return "All scores are stored. Softmax reads them and writes weights; the weighted sum reads those.";
  if (step.rows[0] > 0 || step.kind === "write") return "The other rows of tiles follow in the same way."; // they pass quickly
  if (!step.columns) return `Read: ${named("query", step.rows, words.queries)}.`;
  const at = before && (step.kind === "exp" || step.kind === "mix") ? risenMost(before, moment, step.rows) : -1;
  if (before && before.top[at] > Number.NEGATIVE_INFINITY && top[at] > before.top[at])
    return riseSentence(before, moment, at, words.queries[at], rescales);
  const others = tile > 1 ? "those before are gone" : "no other exists";
  return `Tile ${tile} of ${tiles}: at most ${counted(alive, "score")}; ${others}.`;
}

/**
 * While the steps are played and rows are wrong already.
 *
 * @param {Moment} moment
 * @param {any} results
 * @param {number[]} rows
 * @returns {Told}
 */
export function strayedSentence({ tile, step }, { tiles }, rows) {
  const added = tile - Number(step?.kind === "scores" || step?.kind === "exp"); // the values of a tile come last
  return {
    kind: "bad",
    verdict: `✗ ${counted(rows.length, "row")} ${rows.length > 1 ? "are" : "is"} wrong after ${added} of ${tiles} tiles.`,
    text: UNSCALED,
  };
}

/**
 * What the scores are called at a moment: by what exists then.
 *
 * @param {"fused" | "stored"} method
 * @param {Moment} moment
 * @param {boolean} isQuick whether they change too quickly for one name
 */
export function scoresTitle(method, { states }, isQuick) {
  if (method === "fused") return !isQuick && states.includes(WEIGHT) ? "e^(score − max)" : "scores";
  if (!states.includes(WEIGHT)) return "scores";
  return states.includes(SCORE) ? "scores → weights" : "weights";
}

/**
 * Whether a row of the output is a sum that its total has not divided yet.
 *
 * @param {Moment} moment
 * @param {number} D
 */
export const isUndivided = ({ out, written }, D) => out.subarray(written * D).some((one) => one !== 0);

/** How many scores or weights exist at a moment. @param {Moment} moment */
export const aliveAt = ({ states }) => states.reduce((count, state) => count + Number(state > 0 && state < GONE), 0);
