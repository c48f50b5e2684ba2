// What ReachLab's picture shows at a moment of the race: how far the token that is followed has spread, edge by edge, what the last output
// reads, and one shortest path from the one to the other. Until the last output is computed, its own edges are pale wires. Edges that
// belong to neither are not drawn: they say nothing about these two.

import { clamp } from "../kit/math.js";
import { mix, swing } from "../kit/time.js";
import { edgesOf, followed, KINDS } from "./model.js";

/** @typedef {import("./model.js").Kind} Kind */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {readonly [x1: number, y1: number, x2: number, y2: number]} Line */
/** @typedef {"waiting" | "made" | "carries"} Look not computed yet, computed, depends on the token that is followed */
/** @typedef {{ x: number, y: number, look: Look, isToken: boolean, isRead: boolean, isOnPath: boolean, isLast: boolean }} Node */

/**
 * @typedef {object} Graph
 * @property {Kind} kind
 * @property {number} passed how many of its steps have passed
 * @property {Node[]} nodes isRead: the last output depends on it, which shows when that output is computed
 * @property {Line[]} wires edges that lead to the last output, as long as it does not read them
 * @property {Line[]} reading edges that lead to the last output, from it on
 * @property {Line[]} carrying edges by which the followed token spreads, as far as it has come
 * @property {Line[]} path those of them that are on a shortest path to the last output
 * @property {{ x: number, y: number }[]} moving the ends of what is on its way
 */

const FIRST = 0.18; // of the race is the first step: attention needs no other
const PAUSE = 0.16; // follows, so that this is seen
const TRACE = 0.08; // is how long it takes to light up what an output reads

/**
 * How many steps have passed in the race.
 *
 * @param {number} passed how much of its time, 0 to 1
 * @param {number} last the number of all steps
 */
export function raceTime(passed, last) {
  if (passed < FIRST + PAUSE) return Math.min(1, passed / FIRST);
  return Math.min(last, 1 + ((last - 1) * (passed - FIRST - PAUSE)) / (1 - FIRST - PAUSE - TRACE));
}

/**
 * How far what the last output of a graph reads is lit up in the race, 0 to 1.
 *
 * @param {number} passed
 * @param {number} last
 * @param {number} steps of the graph
 */
export function litAt(passed, last, steps) {
  const done = steps > 1 ? FIRST + PAUSE + ((steps - 1) / (last - 1)) * (1 - FIRST - PAUSE - TRACE) : FIRST;
  return clamp((passed - done) / TRACE, 0, 1);
}

/**
 * @param {Plan} plan
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {number} time in steps
 * @param {(steps: number) => number} [litOf] how far the reading of a graph with so many steps is lit up
 * @returns {Graph[]}
 */
export const sceneOf = (plan, state, results, time, litOf = (steps) => Number(time >= steps)) =>
  KINDS.map((kind) => graphOf(kind, plan, state, results, time, litOf(results.counts[kind].steps)));

/**
 * The nodes of a shortest path from the followed token to the last output, from its end on. Of several it is the one that goes back
 * as far as it can first.
 *
 * @param {import("./model.js").Edge[]} edges
 * @param {Float32Array} from
 * @param {number} L
 */
function pathOf(edges, from, L) {
  const path = [from.length - 1];
  if (from[path[0]] < 0) return [];
  while (from[path[path.length - 1]] > 0) {
    const end = path[path.length - 1];
    const before = edges.flatMap(([a, b]) => (b === end && from[a] === from[end] - 1 ? [a] : []));
    path.push(before.reduce((best, one) => (one % L < best % L ? one : best)));
  }
  return path;
}

/**
 * @param {Kind} kind
 * @param {Plan} plan
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {number} time
 * @param {number} lit
 * @returns {Graph}
 */
function graphOf(kind, { columns, panels }, state, results, time, lit) {
  const { L } = state;
  const [made, from, back] = ["made", "from", "back"].map((name) => results[`${kind}_${name}`]);
  const edges = edgesOf(kind, state);
  const path = pathOf(edges, from, L);
  const last = made.length - 1;
  const traced = lit * Math.max(...back); // how many edges back from the last output
  /** @param {number} node */
  const x = (node) => columns[node % L];
  /** @param {number} node */
  const y = (node) => panels[kind].rows[Math.floor(node / L)];
  const nodes = Array.from(made, (step, node) => {
    const look = /** @type {Look} */ (step > time ? "waiting" : from[node] >= 0 ? "carries" : "made");
    const isOnPath = look === "carries" && path.includes(node);
    return {
      x: x(node),
      y: y(node),
      look,
      isToken: node < L,
      isRead: lit > 0 && back[node] >= 0 && back[node] <= traced,
      isOnPath,
      isLast: node === last,
    };
  });
  /** @type {Graph} */
  const graph = {
    ...{ kind, passed: Math.min(Math.floor(time), results.counts[kind].steps), nodes },
    ...{ wires: [], reading: [], carrying: [], path: [], moving: [] },
  };
  for (const [a, b] of edges) {
    const read = clamp(traced - back[b], 0, 1);
    if (back[b] >= 0 && read > 0) graph.reading.push([x(b), y(b), mix(x(b), x(a), read), mix(y(b), y(a), read)]);
    const go = time - (made[b] - 1); // 0 when its step begins, 1 when it ends
    if (b === last && read < 1) graph.wires.push([x(a), y(a), x(b), y(b)]);
    if (from[a] < 0 || go <= 0) continue;
    const n = go < 1 ? swing(go) : 1;
    const line = /** @type {Line} */ ([x(a), y(a), mix(x(a), x(b), n), mix(y(a), y(b), n)]);
    (path[path.indexOf(b) + 1] === a && path.includes(b) ? graph.path : graph.carrying).push(line);
    if (go < 1) graph.moving.push({ x: line[2], y: line[3] });
  }
  return graph;
}

/** In how many steps all three are computed. @param {import("./model.js").Results} results */
export const lastStep = ({ counts }) => Math.max(...KINDS.map((kind) => counts[kind].steps));

/** The numbers below the tokens: the first, the last, and that of the token that is followed. @param {import("./model.js").State} state */
export function labelsOf(state) {
  const at = followed(state);
  const apart = Math.ceil(state.L / 16); // neighbours of the followed token would touch its number
  return [...new Set([0, at, state.L - 1])].filter((t) => t === at || Math.abs(t - at) > apart);
}
