// Which cells of every tensor a cell depends on, and which depend on it. Computed with the sizes alone, a region at a time.

import { sizesOf } from "../kit/layer.js";
import { range } from "../kit/math.js";
import { sheetsOf, tensorsOf } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */
/** @typedef {readonly [from: number, to: number]} Span from the first to before the last */
/** @typedef {{ h: Span, i: Span, j: Span }} Region of one sentence: heads, rows and columns */
/** @typedef {(region: Region) => Region[]} Passage from regions of a tensor to those of a neighbour */
/** @typedef {[from: string, to: string, forward: Passage, backward: Passage]} Edge */

/**
 * The edges between tensors, in the order of the computation.
 *
 * @param {LayerState} state
 * @returns {Edge[]}
 */
function edges(state) {
  const { H, L, S, D, G, E } = sizesOf(state);
  const each = H / G; // query heads that share a key/value head
  const source = state.S === null ? "x" : "context";
  /** @type {(width: number) => Passage} */
  const rows = (width) => (region) => [{ h: [0, 1], i: region.i, j: [0, width] }];
  /** @type {Passage} */
  const split = ({ i, j: [from, to] }) =>
    from % D === 0 && to % D === 0
      ? [{ h: [from / D, to / D], i, j: [0, D] }]
      : range(Math.ceil(to / D) - Math.floor(from / D)).map((n) => {
          const h = Math.floor(from / D) + n;
          return { h: [h, h + 1], i, j: [Math.max(0, from - h * D), Math.min(D, to - h * D)] };
        });
  /** @type {Passage} */
  const merge = ({ h: [from, to], i, j }) =>
    j[0] === 0 && j[1] === D
      ? [{ h: [0, 1], i, j: [from * D, to * D] }]
      : range(to - from).map((n) => ({ h: [0, 1], i, j: [(from + n) * D + j[0], (from + n) * D + j[1]] }));
  /** @type {Passage} */
  const exchange = ({ h, i, j }) => [{ h, i: j, j: i }];
  /** @type {Passage} */
  const same = (region) => [region];
  /** @type {Passage} only what may be looked at: a hidden score is −∞, whatever it was */
  const seen = ({ h, i, j }) =>
    state.causal
      ? range(i[1] - i[0]).flatMap((n) => {
          const row = i[0] + n;
          const to = Math.min(j[1], S - L + row + 1);
          return to > j[0] ? [{ h, i: [row, row + 1], j: [j[0], to] }] : [];
        })
      : [{ h, i, j }];
  /** @type {Passage} what the queries of these rows may attend to */
  const rowsSeen = ({ h, i }) => seen({ h, i, j: [0, S] });
  /** @type {Passage} softmax divides by the sum of a row: each weight depends on all scores of its row. A single one is always 1. */
  const wholeRows = (region) =>
    seen(region)
      .flatMap(rowsSeen)
      .filter(({ j }) => j[1] > 1);
  /** @type {(h: Span) => Span} */
  const shared = (h) => [Math.floor(h[0] / each), Math.ceil(h[1] / each)];
  /** @type {(h: Span) => Span} */
  const sharing = (h) => [h[0] * each, h[1] * each];
  /** @type {Passage} the queries that may attend to these values */
  const lookers = ({ h, i, j }) => {
    const first = state.causal ? Math.max(0, i[0] - (S - L)) : 0;
    return first < L ? [{ h: sharing(h), i: [first, L], j }] : [];
  };
  /** @type {Passage} the values that these queries may attend to */
  const lookedAt = ({ h, i, j }) => {
    const last = state.causal ? Math.min(S, S - L + i[1]) : S;
    return last > 0 ? [{ h: shared(h), i: [0, last], j }] : [];
  };
  return [
    ["x", "q_flat", rows(E), rows(E)],
    [source, "k_flat", rows(G * D), rows(E)],
    [source, "v_flat", rows(G * D), rows(E)],
    ["q_flat", "q", split, merge],
    ["k_flat", "k", split, merge],
    ["v_flat", "v", split, merge],
    ["k", "kT", exchange, exchange],
    ["q", "scores", ({ h, i }) => [{ h, i, j: [0, S] }], ({ h, i }) => [{ h, i, j: [0, D] }]],
    ["kT", "scores", ({ h, j }) => [{ h: sharing(h), i: [0, L], j }], ({ h, j }) => [{ h: shared(h), i: [0, D], j }]],
    ["scores", "scaled", same, same],
    ["scaled", "masked", seen, seen],
    ["masked", "weights", wholeRows, wholeRows],
    ["weights", "heads", (region) => seen(region).map(({ h, i }) => ({ h, i, j: [0, D] })), rowsSeen],
    ["v", "heads", lookers, lookedAt],
    ["heads", "concat", merge, split],
    ["concat", "y", rows(E), rows(E)],
  ];
}

/**
 * The cells of every tensor that the cell at a place of the tensor `name` depends on, or that depend on it, with the cell itself. All
 * of them are of the same sentence.
 *
 * @param {LayerState} state
 * @param {string} name
 * @param {readonly number[]} place
 * @returns {Record<string, Region[]>} empty lists where there are none
 */
export function linked(state, name, [, h, i, j]) {
  /** @type {Region} */
  const cell = { h: [h, h + 1], i: [i, i + 1], j: [j, j + 1] };
  const all = edges(state);
  /** @type {Record<string, Region[]>} */
  const found = Object.fromEntries(tensorsOf(state).map((one) => [one, []]));
  found[name] = [cell];
  /** @type {Record<string, Region[]>} */
  const after = { [name]: [cell] };
  for (const [from, to, forward] of all)
    if (after[from]) after[to] = union([...(after[to] ?? []), ...after[from].flatMap(forward)]);
  /** @type {Record<string, Region[]>} */
  const before = { [name]: [cell] };
  for (const [from, to, , backward] of all.toReversed())
    if (before[to]) before[from] = union([...(before[from] ?? []), ...before[to].flatMap(backward)]);
  for (const [one, regions] of [...Object.entries(before), ...Object.entries(after)]) if (one !== name) found[one] = regions;
  return found;
}

/**
 * The regions without those that lie within others; rows that lie below each other become one region.
 *
 * @param {Region[]} regions
 */
function union(regions) {
  /** @type {Region[]} */
  const kept = [];
  for (const one of regions.toSorted((a, b) => a.i[0] - b.i[0] || b.i[1] - a.i[1])) {
    if (kept.some((other) => within(one, other))) continue;
    const last = kept.at(-1);
    if (last && last.i[1] === one.i[0] && equal(last.h, one.h) && equal(last.j, one.j))
      kept[kept.length - 1] = { ...last, i: [last.i[0], one.i[1]] };
    else kept.push(one);
  }
  return kept;
}

/** @type {(a: Span, b: Span) => boolean} */
const equal = (a, b) => a[0] === b[0] && a[1] === b[1];
/** @type {(a: Span, b: Span) => boolean} */
const inside = (a, b) => a[0] >= b[0] && a[1] <= b[1];
/** @type {(a: Region, b: Region) => boolean} */
const within = (a, b) => inside(a.h, b.h) && inside(a.i, b.i) && inside(a.j, b.j);

/**
 * The place in the sizes of now that is nearest to one that was pinned before.
 *
 * @param {LayerState} state
 * @param {string} name
 * @param {readonly number[]} place
 * @returns {[number, number, number, number]}
 */
export function clamped(state, name, place) {
  const { heads, R, C } = sheetsOf(name, state);
  const [b, h, i, j] = [state.B, heads, R, C].map((size, n) => Math.min(place[n], size - 1));
  return [b, h, i, j];
}
