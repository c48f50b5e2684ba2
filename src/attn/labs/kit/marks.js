// Marks above a heatmap, on a canvas of their own: pointing repaints these alone.

import { context2d, element } from "./dom.js";

/** @typedef {import("./facets.js").Facets} Facets */

export function marksLayer() {
  const canvas = element("canvas", { class: "marks", "aria-hidden": "true" });
  const brush = context2d(canvas);
  let marked = false;

  function clear() {
    if (!marked) return;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, canvas.width, canvas.height);
    marked = false;
  }

  /** @param {number} width of the map in CSS pixels */
  function begin(width) {
    const ratio = canvas.width / width;
    marked = true;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /**
   * Mark a cell, its row and its column: black on white, which can be seen on every colour.
   *
   * @param {Facets | null} facets
   * @param {import("./facets.js").Place | null} place
   */
  function mark(facets, place) {
    clear();
    if (!facets || !place) return;
    const { rows, columns, R, C, plan } = facets;
    const [row, column, i, j] = place;
    if (row >= rows || column >= columns || i >= R || j >= C) return;
    const [x, y] = plan.origin(row, column);
    begin(plan.width);
    /**
     * @param {string} colour
     * @param {number} thickness
     */
    const cross = (colour, thickness) => {
      brush.strokeStyle = colour;
      brush.lineWidth = thickness;
      brush.strokeRect(x, y + i * plan.cell, C * plan.cell, plan.cell);
      brush.strokeRect(x + j * plan.cell, y, plan.cell, R * plan.cell);
    };
    cross("#fff", 3);
    cross("#000", 1.2);
  }

  /**
   * Fade every cell but these, which are numbered in the order of the data; null fades none.
   *
   * @param {Facets | null} facets
   * @param {Iterable<number> | null} cells
   * @param {string} paper the colour of the page
   */
  function spotlight(facets, cells, paper) {
    clear();
    if (!facets || !cells) return;
    const { rows, columns, R, C, plan } = facets;
    begin(plan.width);
    brush.fillStyle = paper;
    brush.globalAlpha = 0.55;
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const [x, y] = plan.origin(row, column);
        brush.fillRect(x, y, C * plan.cell, R * plan.cell);
      }
    brush.globalAlpha = 1;
    brush.strokeStyle = "#000";
    for (const n of cells) {
      const facet = Math.floor(n / (R * C));
      const [x0, y0] = plan.origin(Math.floor(facet / columns), facet % columns);
      const [x, y] = [x0 + (n % C) * plan.cell, y0 + (Math.floor(n / C) % R) * plan.cell];
      brush.clearRect(x, y, plan.cell, plan.cell);
      if (plan.cell > 4) brush.strokeRect(x + 0.5, y + 0.5, plan.cell - 1, plan.cell - 1);
    }
  }

  return { canvas, clear, mark, spotlight };
}
