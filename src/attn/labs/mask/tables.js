// The two tables side by side: the intended mask of a sentence, and the weights of a head under it.

import { element, letter } from "../kit/dom.js";
import { matrix } from "../kit/matrix.js";
import { emptyRows, FILL_NAMES, placeOf, selfBlindQueries, weightText } from "./explain.js";
import { positionOf } from "./rules.js";

/** @typedef {import("../kit/matrix.js").Pointing} Pointing */

/**
 * What is drawn: sentence b and head h. keep: the intended mask of the sentence, (L, S).
 *
 * @typedef {{ state: any, results: any, b: number, h: number, S: number, words: string[], keep: Float32Array }} Drawn
 */

const KEYS = "Arrow keys walk, space paints a cell: may look, or may not.";

/**
 * The classes of a cell: those that are given, and "here" for the active cell.
 *
 * @param {boolean} isActive
 * @param {(string | false)[]} more
 */
export function looksOf(isActive, ...more) {
  return [isActive && "here", ...more].filter(Boolean).join(" ");
}

/**
 * @param {(n: number | null, how: Pointing) => void} onPoint
 * @param {(n: number, how: "start" | "drag" | "key") => void} onPaint
 */
export function maskAndWeights(onPoint, onPaint) {
  const mask = matrix(onPoint, onPaint);
  const weights = matrix(onPoint);
  const name = element("strong", {}, "mask");
  const title = element("p", { class: "title" }, name, ": ✓ row ", letter("L"), " may look at column ", letter("S"));
  const weightsTitle = element("p", { class: "title" });
  const node = element(
    "div",
    { class: "pair" },
    element("section", {}, title, mask.node),
    element("section", {}, weightsTitle, weights.node),
  );

  /** @param {Drawn} drawn */
  function drawTitle({ state, h }) {
    const unusual = [
      state.fill !== "zero" && `${FILL_NAMES[state.fill]} added`,
      state.dtype !== "float32" && state.dtype,
      state.stored !== "B, 1, L, S" && `mask as (${state.stored})`,
    ].filter(Boolean);
    const note = unusual.length ? `: ${unusual.join(", ")}` : "";
    weightsTitle.replaceChildren(element("strong", {}, `weights of head ${h}`), note);
  }

  /**
   * @param {Drawn} drawn
   * @param {number} active the cell that is pointed at, or -1
   */
  function draw(drawn, active) {
    const { state, S, words } = drawn;
    const titles = { rows: words.slice(S - state.L), columns: words };
    const common = { R: state.L, C: S, titles, active: active < 0 ? undefined : active };
    drawMask(drawn, active, common);
    drawWeights(drawn, active, common);
  }

  function drawMask({ state, results, b, S, keep }, active, common) {
    const inSentence = state.painted.filter(([sentence]) => sentence === b);
    const painted = new Set(inSentence.map(([, query, key]) => (query - (S - state.L)) * S + key));
    const blind = selfBlindQueries(state, results.keep, b).map((i) => i * S + positionOf(i, state, S));
    mask.draw({
      ...common,
      data: keep,
      kind: "plain",
      text: (may) => (may ? "✓" : "·"),
      looks: (n) => looksOf(n === active, keep[n] === 1 && "may", painted.has(n) && "painted", blind.includes(n) && "bad"),
      label: `mask of sentence ${b}. ${KEYS}`,
    });
  }

  function drawWeights({ state, results, b, h, S, keep }, active, common) {
    const start = placeOf(state, S, [b, h, 0, 0]);
    const size = state.L * S;
    const data = results.weights ? results.weights.subarray(start, start + size) : new Float32Array(size).fill(NaN);
    const empty = results.weights ? emptyRows(state, results, b, h) : [];
    const isWrong = (n) => results.weights && results.expanded[start + n] !== keep[n];
    const isEmpty = (n) => data[n] !== 0 && empty.includes(Math.floor(n / S));
    weights.draw({
      ...common,
      data,
      kind: "weights",
      text: (weight) => (results.weights ? weightText(weight) : "–"),
      looks: (n) => looksOf(n === active, data[n] === 0 && "faint", isWrong(n) && "bad", isEmpty(n) && "empty"),
      label: `weights of sentence ${b}, head ${h}`,
    });
  }

  return { node, draw, drawTitle };
}
