// The heatmaps of left, right and the result.

import { element, letter } from "../kit/dom.js";
import { heatmap } from "../kit/heatmap.js";
import { range } from "../kit/math.js";
import { shapeOf } from "./formula.js";
import { OPERANDS } from "./model.js";
import { axesOf } from "./pin.js";

/** @typedef {import("./formula.js").Formula} Formula */
/** @typedef {import("../kit/facets.js").Place} Place */

const LARGEST = { left: 16, right: 16, result: 22 }; // cells, in pixels
const NAMES = [...OPERANDS, "result"];
const KEYS = "Arrow keys walk through a table, page up and page down, home and end from table to table.";

/**
 * The shape of a tensor as the heatmap draws it: four sizes, those of missing axes 1.
 *
 * @param {number} side
 * @param {Formula} formula
 * @param {import("./model.js").State} state
 * @returns {Place}
 */
export function facetShape(side, formula, state) {
  const shape = shapeOf(axesOf(formula)[side] ?? "", state);
  return /** @type {Place} */ ([...Array(4 - shape.length).fill(1), ...shape]);
}

/**
 * @param {number} side 0 left, 1 right, 2 result
 * @param {(place: Place | null, kept: boolean, how?: string) => void} onPoint
 * @param {() => Place | null} pinned where the keyboard goes on from
 */
export function tensorMap(side, onPoint, pinned) {
  const name = NAMES[side];
  const map = heatmap(onPoint, pinned);
  const title = element("p", {});
  const node = element("section", { "aria-label": name, class: name }, title, map.node);
  let painted = ""; // what an operand shows

  /**
   * @param {import("./model.js").State} state
   * @param {Formula} formula
   * @param {import("./model.js").Results} results
   * @param {string} room what `measure` returned
   */
  function draw(state, formula, results, room) {
    const axes = axesOf(formula)[side];
    node.hidden = axes === null;
    if (axes === null) return;
    const shape = shapeOf(axes, state);
    // The numbers of an operand depend on its axes and sizes alone: while these stay, nothing is drawn again.
    const key = `${axes} ${shape} ${room}`;
    if (name !== "result" && painted === key) return;
    painted = key;
    const [rows, columns, R, C] = facetShape(side, formula, state);
    const letters = [...axes.toUpperCase()];
    const axisFromEnd = (n) => letters[letters.length - n];
    const titles = (axis, size) => axis && { axis, names: range(size).map((n) => `${axis.toLowerCase()} = ${n}`) };
    const labels = (axis, size) => range(rows).map(() => range(size).map((n) => (axis ? String(n) : "")));
    const written = shape.join(", ");
    const most = map.draw({
      data: results[name],
      rows,
      columns,
      R,
      C,
      kind: "signed",
      largest: LARGEST[name],
      words: { rows: labels(axisFromEnd(2), R), columns: labels(axisFromEnd(1), C) },
      titles: { rows: titles(axisFromEnd(4), rows), columns: titles(axisFromEnd(3), columns) },
      label: `${name}, ${letters.join(" ") || "one number"} = (${written}). ${KEYS}`,
    });
    const withCommas = letters.flatMap((axis, n) => (n ? [", ", letter(axis)] : [letter(axis)]));
    const colours = element("small", {}, `−${most} blue, ${most} orange`);
    title.replaceChildren(element("strong", {}, name), " (", ...withCommas, `) = (${written}) `, colours);
  }

  return { node, draw, measure: map.measure, spotlight: map.spotlight };
}
