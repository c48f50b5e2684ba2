// A matrix product as one draws it on paper: the left factor below, the right factor above, the result where they cross. In the empty
// corner a line leads from every column of the left factor to its row of the right one; a line without a partner ends in red.

import { element, letter, setAttributes, setChildCount, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { matrix } from "../kit/matrix.js";
import { svg } from "../kit/svg.js";
import { HEAD, layout, linesBetween } from "./layout.js";

const LARGEST = 3; // magnitude of the numbers in the factors

/** @typedef {"left" | "right" | "result"} Part */
/** @typedef {{ data: Float32Array, R: number, C: number, axes: string[], text: string }} Factor text: its name */

/** @param {(part: Part, n: number | null, how: import("../kit/matrix.js").Pointing) => void} onPoint with cell n of the part, or null */
export function board(onPoint) {
  const makeMatrix = (/** @type {Part} */ part) => matrix((n, how) => onPoint(part, n, how));
  const [left, right, result] = [makeMatrix("left"), makeMatrix("right"), makeMatrix("result")];
  const makeName = (/** @type {Part} */ part) => element("p", { class: `name ${part}` });
  const [leftName, rightName, resultName] = [makeName("left"), makeName("right"), makeName("result")];
  const corner = svg("svg", { class: "corner", "aria-hidden": "true" });
  const hole = element("p", { class: "hole", hidden: true }, "no result");
  const resultBox = element("div", {}, result.node, hole);
  const grid = element("div", { class: "board" }, rightName, corner, right.node, left.node, resultBox, leftName, resultName);
  const node = element("div", { class: "scroll" }, grid);

  function drawName(node, text, axes) {
    const letters = axes.flatMap((axis, n) => (n ? [" × ", letter(axis)] : [letter(axis)]));
    node.replaceChildren(element("b", {}, text), " ", ...letters);
  }

  function drawCorner(lines, { cornerWidth, cornerHeight }) {
    setAttributes(corner, { width: cornerWidth, height: cornerHeight });
    setChildCount(corner, lines.length, () => svg("g", {}, svg("path"), svg("text")));
    lines.forEach(({ axis, d, look, name, x, y, anchor }, n) => {
      const [path, text] = corner.children[n].children;
      setAttributes(corner.children[n], { class: look, "data-axis": axis });
      setAttributes(path, { d });
      setAttributes(text, { x, y, "text-anchor": anchor });
      setText(text, name);
    });
  }

  /**
   * @param {object} product
   * @param {Factor} product.left
   * @param {Factor} product.right
   * @param {{ data: Float32Array | null, most?: number, axes: string[], text: string }} product.result data: null if torch refuses the
   *   product; most: where the scale of its colours ends
   * @param {string[]} product.rows names of the rows of the result
   * @param {string[]} product.columns names of its columns
   * @param {[number, number] | null} product.cell of the result that is highlighted
   * @param {number | null} product.summed how many of its products are added so far, null for all
   * @param {number} product.width
   */
  function draw({ left: leftFactor, right: rightFactor, result: product, rows, columns, cell, summed, width }) {
    const [N, M, C] = [leftFactor.C, rightFactor.R, rightFactor.C];
    const plan = layout(width, { N, M, C });
    grid.style.setProperty("--cell", `${plan.cellWidth}px`);
    grid.style.setProperty("--tall", `${plan.cellHeight}px`);
    grid.style.setProperty("--head", `${HEAD}px`);
    const isRefused = product.data === null;
    const done = summed ?? N;
    const lookOf = (d, isInLine) => {
      if (!isInLine) return isRefused && d >= Math.min(N, M) ? "bad" : "";
      return summed !== null && d === done - 1 ? "here" : d < done ? "lit" : "";
    };
    const text = (value) => number(value, 0);
    left.draw({
      ...leftFactor,
      text,
      most: LARGEST,
      titles: { rows },
      label: `${leftFactor.text}, the left factor`,
      active: cell ? cell[0] * N : undefined,
      looks: (n) => lookOf(n % N, Math.floor(n / N) === cell?.[0]),
    });
    right.draw({
      ...rightFactor,
      text,
      most: LARGEST,
      titles: { columns },
      label: `${rightFactor.text}, the right factor`,
      active: cell?.[1],
      looks: (n) => lookOf(Math.floor(n / C), n % C === cell?.[1]),
    });
    result.node.hidden = isRefused;
    hole.hidden = !isRefused;
    if (product.data) {
      const highlighted = cell ? cell[0] * C + cell[1] : undefined;
      result.draw({
        data: product.data,
        most: product.most,
        R: leftFactor.R,
        C,
        text,
        label: "the result; arrow keys walk through it",
        active: highlighted,
        looks: (n) => (n === highlighted ? "here" : ""),
      });
    }
    drawName(leftName, leftFactor.text, leftFactor.axes);
    drawName(rightName, rightFactor.text, rightFactor.axes);
    drawName(resultName, product.text, isRefused ? [] : product.axes);
    const axes = [leftFactor.axes[1], rightFactor.axes[0]];
    drawCorner(linesBetween({ N, M, axes, summed: cell ? summed : null }, plan), plan);
  }

  return { node, draw };
}
