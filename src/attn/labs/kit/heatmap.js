// Tables of numbers as facets on a canvas: samples down, heads across, one cell for each number.

import { fit, penFor } from "./canvas.js";
import { veilOn } from "./colours.js";
import { context2d, element } from "./dom.js";
import { cellAt, layout } from "./facets.js";
import { marksLayer } from "./marks.js";
import { paintLabels, paintSigns, paintTitle } from "./paint.js";
import { pointing } from "./pointing.js";
import { magnitude, pixels } from "./scale.js";

/** @typedef {import("./facets.js").Place} Place */
/** @typedef {import("./paint.js").Titles} Titles */

/**
 * @typedef {object} Drawing
 * @property {Float32Array} data rows * columns facets of R x C numbers, in that order
 * @property {number} rows
 * @property {number} columns
 * @property {number} R
 * @property {number} C
 * @property {import("./scale.js").Scale} kind
 * @property {number} [most] where the scale of signed numbers ends; the largest magnitude of the data if it is missing
 * @property {import("./facets.js").Words} words
 * @property {{ rows: Titles | null, columns: Titles | null }} titles null for an axis that the tensor does not have
 * @property {string} label
 * @property {number} [largest] the largest size of a cell
 */

/**
 * A heatmap that can be pointed at, tapped, and explored with the keyboard.
 *
 * @param {(place: Place | null, kept: boolean, how?: "click" | "key") => void} onPoint kept: the place was clicked or reached with a key
 * @param {() => Place | null} pinned the place from which the keyboard continues. It is read at every key, because a drawing may be a
 *   frame old.
 */
export function heatmap(onPoint, pinned) {
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "heatmap" });
  const marks = marksLayer();
  const node = element("div", { class: "facets" }, element("div", { class: "stack" }, canvas, marks.canvas));
  const small = document.createElement("canvas"); // a pixel for each number
  const dots = context2d(small);
  /** @type {import("./facets.js").Facets | null} */
  let shown = null;
  /** @type {{ width: number, ink: string, paper: string, colours: Record<string, string> }} */
  let room = { width: 600, ink: "#000", paper: "#fff", colours: {} };

  pointing(canvas, {
    placeAt: (x, y) => shown && cellAt(shown, x, y),
    extent: () => shown && { sizes: [shown.rows, shown.columns, shown.R, shown.C], first: [0, 0, 0, 0] },
    pinned,
    onPoint,
  });

  /**
   * Read how wide the map may be, and its colours. Call this before anything is changed: afterwards the browser would have to lay out
   * the whole lab to answer. Returns all of it as one text, to see whether anything has changed.
   */
  function measure() {
    const style = getComputedStyle(canvas);
    const colours = Object.fromEntries([..."BLSEHGD"].map((axis) => [axis, style.getPropertyValue(`--attn-${axis}`)]));
    const paper = style.getPropertyValue("--lab-paper") || room.paper;
    room = { width: node.clientWidth || room.width, ink: style.color || room.ink, paper, colours };
    return JSON.stringify(room);
  }

  /**
   * Returns the largest number of the colour scale.
   *
   * @param {Drawing} drawing
   */
  function draw({
    data,
    rows,
    columns,
    R,
    C,
    kind,
    most = kind === "weights" ? 1 : magnitude(data),
    words,
    titles,
    label,
    largest,
  }) {
    const plan = layout({ rows, columns, R, C, width: room.width, words, largest });
    shown = { rows, columns, R, C, plan };
    const brush = penFor(canvas, plan.width, plan.height);
    fit(marks.canvas, plan.width, plan.height);
    if (canvas.getAttribute("aria-label") !== label) canvas.setAttribute("aria-label", label);
    const { ink, colours } = room;
    brush.imageSmoothingEnabled = false;
    brush.font = "11px system-ui, sans-serif";

    small.width = C;
    small.height = rows * columns * R;
    dots.putImageData(new ImageData(new Uint8ClampedArray(pixels(data, kind, most).buffer), C, small.height), 0, 0);
    const [wide, high] = [C * plan.cell, R * plan.cell];
    for (let row = 0, facet = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, facet++) {
        const [x, y] = plan.origin(row, column);
        brush.drawImage(small, 0, facet * R, C, R, x, y, wide, high);
        brush.strokeStyle = ink;
        brush.fillStyle = ink;
        brush.globalAlpha = 0.3;
        brush.strokeRect(x - 0.5, y - 0.5, wide + 1, high + 1);
        brush.globalAlpha = 1;
        if (plan.cell >= 4) paintSigns(brush, data.subarray(facet * R * C, (facet + 1) * R * C), C, x, y, plan.cell);
        if (plan.labelled) paintLabels(brush, { rows: column ? [] : words.rows[row], columns: words.columns[row] }, x, y, plan);
        if (titles.columns) {
          const spot = {
            n: column,
            x: x + wide / 2,
            y: y - plan.top + 8,
            space: wide,
            colour: colours[titles.columns.axis] || ink,
          };
          paintTitle(brush, titles.columns.names[column], spot);
        }
        if (titles.rows && column === 0) {
          const spot = {
            n: row,
            x: 8,
            y: y + high / 2,
            space: high,
            colour: colours[titles.rows.axis] || ink,
            angle: -Math.PI / 2,
          };
          paintTitle(brush, titles.rows.names[row], spot);
        }
      }
    marks.clear();
    return most;
  }

  /**
   * Mark a cell, its row and its column.
   *
   * @param {Place | null} place
   */
  const mark = (place) => marks.mark(shown, place);

  /**
   * Fade every cell but these, which are numbered in the order of the data; null fades none.
   *
   * @param {Iterable<number> | null} cells
   */
  const spotlight = (cells) => marks.spotlight(shown, cells, veilOn(room.paper.trim()));

  return { node, canvas, measure, draw, mark, spotlight };
}
