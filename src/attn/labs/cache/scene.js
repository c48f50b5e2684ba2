// What CacheLab draws at a moment of a move, from 0 (before) to 1 (at rest): a function of the settings, the results and the moment.

import { range } from "../kit/math.js";
import { appear, fly, inTurn } from "../kit/moves.js";
import { mix, progress, soft } from "../kit/time.js";
import { rowOf } from "./layout.js";
import { firstNewRow, readings } from "./run.js";
import { isStale, TOLERANCE } from "./words.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./layout.js").Part} Part */
/** @typedef {import("./run.js").State} State */
/** @typedef {"arrive" | "overwrite" | "share" | "rest"} Kind */

/**
 * A row of numbers. slot: room for a later word. gone: computed once and not kept. now: computed for the newest word. kept: in the cache.
 * past: a row of the output of an earlier word. noise: overwritten. changed, same: a row of the output that overwriting changes, or not.
 *
 * @typedef {object} Row
 * @property {Part} part
 * @property {number} i
 * @property {Box} box
 * @property {"slot" | "gone" | "now" | "kept" | "past" | "noise" | "changed" | "same"} look
 * @property {number[]} values
 * @property {number} alpha
 * @property {number} [landed] how much of the way a new row has gone from the look "now" to "kept"
 * @property {boolean} [faint]
 * @property {boolean} [bare] without its numbers
 * @property {boolean} [stale]
 * @property {boolean} [isNewest]
 * @property {number} [lit] how much the light of an experiment is on a query
 * @property {number} [by] how much the row changes
 */

const even = (/** @type {number} */ n) => n;
const ASIDE = 0.25; // the share of its time that the query takes to come to the keys
const PALE = 0.42; // how visible is what takes no part in an experiment

/** The parts of an arrival, as shares of its time. */
const TIME = {
  gone: [0, 0.1], // the query of the word before
  word: [0, 0.06],
  q: [0.01, 0.06], // soon: the picture is never empty
  v: [0.14, 0.28],
  k: [0.17, 0.32],
  meet: [0.32, 0.48],
  weigh: [0.48, 0.56],
  scale: [0.57, 0.66], // each value, by its weight
  sum: [0.68, 0.95],
};
/** The parts of an experiment: words come and all rows are computed again; the numbers are replaced; a light runs down the rows. */
const TEST = { start: [0, 0.12], noise: [0.14, 0.34], light: [0.36, 1] };
/** What happens from each moment of an arrival on, in two lines. */
const STEPS = /** @type {[number, string, string][]} */ ([
  [0, "the old query", "is not kept"],
  [0.08, "a query, a key,", "a value are made"],
  [TIME.v[0], "key and value go", "into the cache"],
  [TIME.meet[0], "the query meets", "every key"],
  [TIME.weigh[0], "scores become", "weights"],
  [TIME.scale[0], "each value times", "its weight"],
  [TIME.sum[0], "their sum is", "the output"],
]);
/** @param {number} n @param {keyof typeof TIME} part @param {import("../kit/time.js").Ease} [ease] */
const during = (n, part, ease = even) => progress(n, TIME[part][0], TIME[part][1], ease);

/**
 * @param {import("./layout.js").Plan} plan
 * @param {State} state
 * @param {import("./model.js").Results} results
 * @param {object} moment
 * @param {number} moment.head
 * @param {Kind} moment.kind
 * @param {number} moment.n
 * @param {number} moment.from how many key/value heads there were before
 * @param {import("./model.js").Results} [moment.untouched] the results without what is overwritten
 * @param {boolean} [moment.again] whether an experiment follows another one: no picture has to make room for it
 * @param {import("./model.js").Results} [moment.before] the results with as many key/value heads as there were before
 * @param {number} [moment.since] the first word that comes with an experiment
 * @param {{ weights: Float32Array, heads: Float32Array } | null} [moment.separate] results with a key/value head for each query head
 */
export function sceneOf(
  plan,
  state,
  results,
  { head, kind, n, from, untouched, before = results, separate, since = state.S, again = false },
) {
  const { S, H, G, D, overwrite } = state;
  const newest = S - 1;
  const arriving = kind === "arrive" && n < 1;
  // Heads merge, once the room of their tabs is open; then their numbers change.
  const start = from === H ? 0.4 : 0.05;
  const [moved, turned] =
    kind === "share" ? [progress(n, start, start + 0.25, even), progress(n, start + 0.28, start + 0.55)] : [1, 1];
  const valuesOf = (/** @type {Part} */ part, /** @type {number} */ i, of = results) => {
    const tensor = of[part === "out" ? "heads" : part];
    const h = Math.floor((head * tensor.length) / (S * D * H)); // of as many heads as it has
    return [...tensor.subarray((h * S + i) * D, (h * S + i + 1) * D)];
  };
  const isTest = overwrite !== "nothing";
  const impact = kind === "overwrite" ? n : 1;
  const started = isTest ? Math.max(Number(again), progress(impact, TEST.start[0], TEST.start[1], soft)) : 0;
  const asking = isTest ? since - 1 : newest; // whose weights are drawn: until an experiment begins, those that were
  const noise = progress(impact, TEST.noise[0], TEST.noise[1], even);
  const pairs = readings(state);
  const passed = (/** @type {number} */ i) => lightOf(i, S, impact);
  const reads = (/** @type {number} */ i) => pairs.some(([row]) => row === i);
  /** How much of the light is on a row of q, k or v: it stays on those that take part. */
  const lightOn = (/** @type {Part} */ part, /** @type {number} */ i) => {
    if (part === "q") return reads(i) ? Math.min(1, 3 * passed(i)) : Math.sin(Math.PI * passed(i));
    return Math.max(0, ...pairs.filter(([, j]) => j === i).map(([row]) => Math.min(1, 3 * passed(row) - 1)));
  };
  const weightsOf = (of) => [...of.weights.subarray((head * S + asking) * S, (head * S + asking) * S + asking + 1)];
  const earlier = weightsOf(before);
  const weights = weightsOf(untouched ?? results).map((weight, j) => mix(earlier[j], weight, turned));
  const slices = arriving ? slicesOf(plan, weights, (j) => valuesOf("v", j), n) : [];
  const own = separate && turned ? ownOf(plan, state, separate, head) : null;
  /** @type {Row[]} */
  const rows = [];
  const flying = [];

  for (let i = 0; i < plan.slots; i++)
    for (const part of /** @type {Part[]} */ (["q", "k", "v", "out"])) {
      const box = rowOf(plan, part, i);
      if (own && part === "out" && i === newest) box.h -= (own.box.h + 2) * turned;
      const isKept = part === "k" || part === "v";
      if (i >= S || (arriving && i === newest && isKept)) {
        if (isKept) rows.push({ part, i, box, look: "slot", values: [], alpha: i < S ? 1 - landedOf(part, n) : 1 });
        if (i >= S) continue;
      }
      const tensor = part === "out" ? "heads" : part;
      const stale = !arriving && !isTest && isStale(tensor, i, results);
      const faint = isTest && part !== "out";
      const come = i < since ? 1 : started;
      const lit = isTest ? lightOn(part, i) : 0;
      const late = part === "out" ? 0.5 : 0; // first keys and values change, then the output
      const turn = progress(turned, late, late + 0.5);
      const [was, values] = [valuesOf(part, i, before), valuesOf(part, i)];
      const isBack = isTest && part === "q" && i < since - 1; // a query that was not kept
      const there = isBack ? started : come;
      const alpha = there * mix(1, mix(PALE, 1, lit), started) * (`${was}` === `${values}` ? 1 : Math.abs(2 * turn - 1));
      const isNewest = i === newest;
      const bare = started > 0.5 || !isNewest || (part === "v" && slices.length > 0);
      const row = { part, i, box, values: turn < 0.5 ? was : values, alpha, stale, faint, bare, isNewest, lit };
      if (isBack && started < 1) rows.push({ ...row, look: "gone", alpha: 1 - started, lit: 0 });
      if (overwrite === part && i === state.at) {
        const { alpha: visible, ...place } = appear(box, noise);
        if (noise < 1) rows.push({ ...row, look: "kept", values: valuesOf(part, i, untouched), alpha: alpha * (1 - noise) });
        rows.push({ ...row, box: place, look: "noise", alpha: visible, faint: false, bare: false });
      } else if (part === "out" && isTest) {
        const by = results.moved[i];
        if (passed(i) < 1) rows.push({ ...row, look: "past", values: valuesOf(part, i, untouched), lit: 0 });
        else rows.push({ ...row, look: by > TOLERANCE ? "changed" : "same", by, alpha: 1, lit: 0 });
      } else if (part === "q" && isTest) rows.push({ ...row, look: "now", lit: reads(i) ? lit : 0 });
      else if (part === "out") {
        const isSum = arriving && i === newest;
        const added = slices.filter(({ isAdded }) => isAdded);
        if (isSum) {
          const open = during(n, "word") - progress(n, TIME.sum[1], 1); // an empty place
          rows.push({ ...row, look: "gone", alpha: open, lit: open });
          row.values = values.map((_, d) => added.reduce((sum, { weight, values }) => sum + weight * values[d], 0));
        }
        rows.push({ ...row, look: i >= firstNewRow(state) ? "now" : "past", alpha: isSum && !added.length ? 0 : row.alpha });
      } else if (part === "q" && i === newest) {
        const box = fly({ ...row.box, w: row.box.w / 4 }, row.box, arriving ? during(n, "q") : 1); // it grows beside the word
        rows.push({ ...row, box, look: "now", alpha: arriving ? during(n, "q") : 1 });
      } else if (part === "q" && arriving && i === newest - 1) rows.push(...leaving(row, n));
      else if (!arriving || i !== newest) rows.push({ ...row, look: isKept ? "kept" : "gone" });
      else {
        const landed = landedOf(part, n);
        flying.push({ ...row, box: madeRow(plan, part, i, n), look: /** @type {const} */ ("now"), alpha: during(n, "q"), landed });
      }
    }

  return {
    rows,
    flying,
    own: own && { ...own, alpha: turned },
    copies: arriving ? queriesOf(plan, state, valuesOf("q", newest), n) : [],
    slices,
    bars:
      started === 1
        ? []
        : barsOf(plan, {
            weights,
            scores: isTest ? weights : scoresOf(state, valuesOf),
            n: arriving ? n : 1,
            own: own?.weights,
            turned,
            left: 1 - started,
          }),
    asking,
    started,
    isRead: impact >= TEST.light[0],
    lines: isTest ? linesOf(plan, pairs, passed) : arriving ? raysOf(plan, state, n) : [],
    step: arriving ? (STEPS.findLast(([start]) => n >= start)?.slice(1) ?? []).map(String) : [],
    word: arriving ? during(n, "word", soft) : started,
    since: arriving ? newest : since,
    caches: { from, to: G, n: moved, column: arriving ? progress(n, 0.26, 0.34, soft) : 1 },
  };
}

/** @typedef {ReturnType<typeof sceneOf>} Scene */

/**
 * How much of the room of the tabs is open. They are there while heads share.
 *
 * @type {(kind: Kind, n: number, from: number, G: number, H: number) => number}
 */
export function openOf(kind, n, from, G, H) {
  const [was, is] = [from, G].map((count) => Number(count < H));
  if (kind !== "share" || was === is) return is;
  return is ? progress(n, 0, 0.3, soft) : 1 - progress(n, 0.7, 1, soft);
}

/** How much a new row of k or v has become a row of the cache. */
const landedOf = (part, n) => progress(n, TIME[part][1] - 0.04, TIME[part][1] + 0.04, soft);

/** How far the light is with row `i` of `count`: it runs down all rows, one after the other. */
const lightOf = (i, count, n) => inTurn(progress(n, TEST.light[0], TEST.light[1], even), i, count, 0.32);

// A new key or value is made small beside the query, before the cache, and grows into its place there; the value, in front, goes first.
function madeRow(plan, part, i, n) {
  const room = rowOf(plan, "weights", i);
  const start = { ...room, x: room.x + (part === "k" ? 0 : room.w / 2), w: room.w / 2 - 4 };
  return fly(start, rowOf(plan, part, i), during(n, part));
}

// The query of the word before dissolves: its numbers shrink one after the other.
function leaving(row, n) {
  const gone = during(n, "gone");
  const ghost = { ...row, look: /** @type {const} */ ("gone"), alpha: gone };
  const wide = row.box.w / row.values.length;
  const cells = row.values.map((value, d) => {
    const { alpha, ...place } = appear({ ...row.box, x: row.box.x + d * wide, w: wide }, 1 - inTurn(gone, d, row.values.length));
    const drift = { ...place, y: place.y - 10 * (1 - alpha) };
    return { ...row, box: drift, values: [value], look: /** @type {const} */ ("now"), alpha, bare: false };
  });
  return [ghost, ...cells];
}

// A copy of the new query passes all keys, from the newest to the oldest.
function queriesOf(plan, { S }, values, n) {
  const go = during(n, "meet");
  if (go <= 0 || go >= 1) return [];
  const start = rowOf(plan, "q", S - 1);
  const [first, last] = [rowOf(plan, "weights", S - 1), rowOf(plan, "weights", 0)];
  const w = Math.min(start.w, first.w);
  const beside = { ...first, x: first.x + first.w - w, w };
  const box = { ...fly(start, beside, progress(go, 0, ASIDE)), y: mix(first.y, last.y, progress(go, ASIDE, 1)) };
  return [{ box, values, alpha: 0.9 }];
}

// Whether the copy of the new query has left key j behind.
const hasMet = (go, j, S) => go >= 1 || progress(go, ASIDE, 1) * (S - 1) >= S - 1 - j + 0.7;

// From the new query to the score of each key that it has met, until the scores become weights, whose bars stand here.
function raysOf(plan, { S }, n) {
  const query = rowOf(plan, "q", S - 1);
  const from = { x: query.x + query.w, y: query.y + query.h / 2 };
  const [met, alpha] = [during(n, "meet"), 1 - Math.min(1, 2 * during(n, "weigh"))];
  return range(S).flatMap((j) => {
    const { x, y, w, h } = rowOf(plan, "weights", j);
    return met > 0 && hasMet(met, j, S) ? [{ from, to: { x: x + w - 40, y: y + h / 2 }, n: 1, alpha }] : []; // to its score
  });
}

// The newest row as it was with a key/value head for each query head: a strip at the foot of its place.
function ownOf(plan, { S, D }, { weights, heads }, head) {
  const row = head * S + S - 1;
  const place = rowOf(plan, "out", S - 1);
  const h = 0.3 * place.h;
  const box = { ...place, y: place.y + place.h - h, h };
  return { box, values: [...heads.subarray(row * D, (row + 1) * D)], weights: weights.subarray(row * S, (row + 1) * S) };
}

// Each value dims to its weight, in its place at first; then one after the other, the newest first, comes to the sum and is added.
function slicesOf(plan, weights, valuesOf, n) {
  const scaled = during(n, "scale", soft);
  if (scaled <= 0) return [];
  const S = weights.length;
  return weights.map((weight, j) => {
    const go = inTurn(during(n, "sum"), S - 1 - j, S, 0.4);
    const box = fly(rowOf(plan, "v", j), rowOf(plan, "out", S - 1), go);
    return { box, values: valuesOf(j), weight, alpha: scaled * (1 - progress(go, 0.85, 1)), isAdded: go > 0.85 };
  });
}

// For each key the score of the newest query, which becomes its weight: a number and a bar.
function barsOf(plan, { weights, scores, n, own, turned, left }) {
  const S = weights.length;
  const [met, weighed] = [during(n, "meet"), during(n, "weigh", soft)];
  return range(S).map((j) => {
    const reached = hasMet(met, j, S);
    const isWeight = weighed > 0.5;
    return {
      box: rowOf(plan, "weights", j),
      share: weights[j] * weighed,
      value: isWeight ? weights[j] : scores[j],
      isWeight,
      alpha: left * (reached ? (isWeight ? weighed : 1 - weighed) : 0),
      was: own?.[j],
      turned,
    };
  });
}

// q · k / √D of the newest query with each key.
function scoresOf({ S, D }, valuesOf) {
  const query = valuesOf("q", S - 1);
  return range(S).map((j) => valuesOf("k", j).reduce((sum, value, d) => sum + value * query[d], 0) / Math.sqrt(D));
}

// Where what is overwritten takes part: from a query to a key, from this key to its value, and from the value to the row of the output.
function linesOf(plan, pairs, passed) {
  const middle = (/** @type {Part} */ part, /** @type {number} */ i, after = false) => {
    const { x, y, w, h } = rowOf(plan, part, i);
    return { x: after ? x + w + 1 : x - 2, y: y + h / 2 };
  };
  return pairs.flatMap(([i, j]) => [
    { from: middle("q", i, true), to: middle("k", j), n: progress(passed(i), 0.1, 0.5), end: "dot" },
    { from: middle("k", j, true), to: middle("v", j), n: progress(passed(i), 0.5, 0.55) },
    { from: middle("v", j, true), to: middle("out", i), n: progress(passed(i), 0.55, 0.95), start: "dot", end: "arrow" },
  ]);
}
