// What MaskLab shows below its picture on demand: four spellings of the mask, and the broadcast.

import { unique } from "../kit/dom.js";
import { broadcastPanel } from "./broadcast.js";
import { batchOf } from "./rules.js";
import { spellingsPanel } from "./spellings.js";

/**
 * A page that chooses parts shows the panels that it names; else the reader chooses one.
 *
 * @param {string} id of the radio buttons
 * @param {import("../kit/host.js").Tools} tools
 * @param {(n: number | null, how: import("../kit/matrix.js").Pointing) => void} onPoint
 */
export function panels(id, { get, set }, onPoint) {
  const spellings = spellingsPanel(onPoint);
  const broadcast = broadcastPanel(unique(`${id}-stored`), (shape) => set({ stored: shape }));
  const nodes = { spellings: spellings.node, broadcast: broadcast.node };
  const { parts } = get("_stage");

  /** @type {(state: Pick<import("./rules.js").State, "detail">, name: string) => boolean} */
  const isChosen = ({ detail }, name) => (parts === null ? name === detail : parts.includes(name));

  /**
   * @param {import("./between.js").Drawn} drawn
   * @param {number} i the query whose row is marked
   */
  function draw({ state, results, b, h }, i) {
    const { B, S } = batchOf(state);
    for (const [name, node] of Object.entries(nodes)) node.hidden = !isChosen(state, name);
    broadcast.update(state.stored);
    const keep = results.keep.subarray(b * state.L * S, (b + 1) * state.L * S);
    const looks = (/** @type {number} */ n) => `${keep[n] ? "may" : "no"}${Math.floor(n / S) === i ? " drawn" : ""}`;
    if (!spellings.node.hidden) spellings.draw({ R: state.L, C: S, data: keep, looks }, b);
    if (!broadcast.node.hidden) broadcast.draw(state, results, { B, S, b, h });
  }

  /** @param {Pick<import("./rules.js").State, "detail">} state */
  const isAnyShown = (state) => Object.keys(nodes).some((name) => isChosen(state, name));

  return { nodes: Object.values(nodes), draw, isAnyShown, isChosen };
}
