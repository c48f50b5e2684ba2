// What ReachLab's picture shows at a moment: which nodes are computed, which of them depend on the token that is followed, and what is on
// its way from node to node.

import { mix, swing } from "../kit/time.js";
import { edgesOf, followed, KINDS } from "./model.js";

/** @typedef {import("./model.js").Kind} Kind */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {readonly [x1: number, y1: number, x2: number, y2: number]} Line */
/** @typedef {"waiting" | "made" | "carries"} Look not computed yet, computed, depends on the token that is followed */
/** @typedef {{ x: number, y: number, look: Look, isToken: boolean, isInReach: boolean, isLast: boolean }} Node */

/**
 * @typedef {object} Graph
 * @property {Kind} kind
 * @property {number} passed how many of its steps have passed
 * @property {Node[]} nodes
 * @property {Line[]} edges
 * @property {Line[]} carrying edges by which the followed token has arrived somewhere
 * @property {Line[]} shortest those of them that are on a shortest path to the last output
 * @property {{ x: number, y: number }[]} moving what is on its way
 */

/**
 * @param {Plan} plan
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {number} time in steps
 * @returns {Graph[]}
 */
export const sceneOf = (plan, state, results, time) => KINDS.map((kind) => graphOf(kind, plan, state, results, time));

/**
 * @param {Kind} kind
 * @param {Plan} plan
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {number} time
 * @returns {Graph}
 */
function graphOf(kind, { columns, panels }, state, results, time) {
  const { L } = state;
  const [made, from, back] = ["made", "from", "back"].map((name) => results[`${kind}_${name}`]);
  const last = made.length - 1;
  /** @param {number} node */
  const x = (node) => columns[node % L];
  /** @param {number} node */
  const y = (node) => panels[kind].rows[Math.floor(node / L)];
  const nodes = Array.from(made, (step, node) => ({
    ...{ x: x(node), y: y(node), isToken: node < L, isInReach: back[node] >= 0, isLast: node === last },
    look: /** @type {Look} */ (step > time ? "waiting" : from[node] >= 0 ? "carries" : "made"),
  }));
  /** @type {Graph} */
  const graph = {
    ...{ kind, passed: Math.min(Math.floor(time), results.counts[kind].steps), nodes },
    ...{ edges: [], carrying: [], shortest: [], moving: [] },
  };
  for (const [a, b] of edgesOf(kind, state)) {
    const line = /** @type {Line} */ ([x(a), y(a), x(b), y(b)]);
    graph.edges.push(line);
    if (from[a] < 0) continue;
    const go = time - (made[b] - 1); // 0 when its step begins, 1 when it ends
    const isShortest = back[b] >= 0 && from[a] + 1 + back[b] === from[last];
    if (go >= 1) (isShortest ? graph.shortest : graph.carrying).push(line);
    else if (go > 0) graph.moving.push({ x: mix(line[0], line[2], swing(go)), y: mix(line[1], line[3], swing(go)) });
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
