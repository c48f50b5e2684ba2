// One cell of BugLab's tables, and what is drawn around cells: where the rule allows a weight, the line that betrays a bug, a guess, and where
// the reader points.

import { FONT, write } from "../kit/canvas.js";
import { coloursOf, inkOn, mixed, ramp } from "../kit/colours.js";
import { number, spelled } from "../kit/format.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {Record<string, string>} Colours */

const WEIGHT = 0.2; // where on the map of weights the colour lies of which each is a shade: a larger one is always stronger
const LEAST = 0.12; // how strong the colour of a weight of nearly 0 is; one of exactly 0 has none
const ROUND = 5; // of corners

/**
 * How the numbers of a table are written: all in the same way, the first in which each of them fits; null if none does.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ w: number, h: number, size: number }} cell
 * @param {ArrayLike<number>} values
 * @param {boolean} isWeights
 * @returns {((value: number) => string) | null}
 */
export function writer(pen, { w, h, size }, values, isWeights) {
  const ways = isWeights
    ? [
        (/** @type {number} */ value) => number(value, 2),
        (/** @type {number} */ value) => number(value, 2).replace("0.", ".").replace("1.00", "1"),
      ]
    : [1, 0].map((digits) => (/** @type {number} */ value) => spelled(value, digits).replace("−", "–")); // as wide as a digit
  pen.font = `400 ${size}px ${FONT}`;
  /** All but the last way leave a margin. @param {(value: number) => string} way @param {number} n */
  const fits = (way, n) =>
    Array.prototype.every.call(values, (value) => !value || pen.measureText(way(value)).width <= w - (ways[n + 1] ? 6 : 1));
  const way = h < 13 ? null : ways.find(fits);
  const isTiny = (/** @type {number} */ value) => isWeights && value < 0.005; // 0.00 would look like a weight that is masked
  return way ? (value) => (value === 0 ? "0" : isTiny(value) ? "<.01" : way(value)) : null;
}

/**
 * The colour of a number and of its text; null if it has a sign instead. Weights are tints of one colour.
 *
 * @param {number} value
 * @param {number | null} most of signed numbers; null: a weight
 * @param {Colours} colours
 */
function toned(value, most, { weight, paper }) {
  if (most !== null) return shade(value, "signed", most);
  if (!Number.isFinite(value)) return null;
  const tint = mixed(weight, paper, Math.min(1, LEAST + (1 - LEAST) * value));
  return { paper: tint, ink: inkOn(tint) };
}

/** A cell without its text. @param {CanvasRenderingContext2D} pen @param {Box} box @param {string} fill */
export function tile(pen, { x, y, w, h }, fill) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, Math.max(0, w - 2), h - 2, Math.min(ROUND, h / 4));
  pen.fill();
}

/**
 * A number in its cell. A weight of exactly 0 is on the bare paper: nothing is attended to there.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box & { size: number }} box
 * @param {number} share of its width that is seen
 * @param {number} value
 * @param {number | null} most of signed numbers; null: a weight
 * @param {number} strength of its colour
 * @param {Colours} colours
 * @param {((value: number) => string) | null} written
 */
export function paintCell(pen, { x, y, w, h, size }, share, value, most, strength, colours, written) {
  const isNone = most === null && value === 0;
  const tone = toned(value, most, colours);
  const fill = tone && mixed(tone.paper, colours.paper, strength);
  if (fill && !isNone) tile(pen, { x: x + (w * (1 - share)) / 2, y, w: w * share, h }, fill);
  const text = tone ? written?.(value) : "×";
  if (!text || share < 0.7) return;
  const colour = isNone
    ? mixed(colours.ink, colours.paper, 0.5)
    : fill
      ? mixed(inkOn(fill), fill, strength < 1 ? 0.7 : 1)
      : colours.ink;
  write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour, size, align: "center" });
}

/**
 * A line around these cells, and not between two of them.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Plan} plan
 * @param {Slot} slot
 * @param {{ rows: number, columns: number, offset: number }} shown
 * @param {(i: number, j: number) => boolean} isFramed
 * @param {string} colour
 * @param {number} thick
 */
export function contour(pen, plan, slot, { rows, columns, offset }, isFramed, colour, thick) {
  const is = (/** @type {number} */ i, /** @type {number} */ j) => i >= 0 && i < rows && j >= 0 && j < columns && isFramed(i, j);
  pen.beginPath();
  for (const i of range(rows))
    for (const j of range(columns)) {
      if (!is(i, j)) continue;
      const { x, y, w, h } = plan.cell(slot, i + offset, j);
      const [right, low] = [x + w, y + h];
      const sides = /** @type {const} */ ([
        [is(i - 1, j), x, y, right, y],
        [is(i + 1, j), x, low, right, low],
        [is(i, j - 1), x, y, x, low],
        [is(i, j + 1), right, y, right, low],
      ]);
      for (const [isInner, x1, y1, x2, y2] of sides)
        if (!isInner) {
          pen.moveTo(x1, y1);
          pen.lineTo(x2, y2);
        }
    }
  pen.lineCap = "round";
  outline(pen, colour, thick);
}

/** @param {CanvasRenderingContext2D} pen @param {string} colour @param {number} thick */
function outline(pen, colour, thick) {
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.stroke();
}

/** A line around one cell. @param {CanvasRenderingContext2D} pen @param {Box} box */
function around(pen, { x, y, w, h }) {
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, w - 2, h - 2, Math.min(ROUND, h / 4));
}

/** The cell that is pointed at: black on white, which can be seen on every colour. @param {CanvasRenderingContext2D} pen @param {Box} box */
export function mark(pen, box) {
  around(pen, box);
  outline(pen, "#fff", 3.4);
  outline(pen, "#000", 1.4);
}

/**
 * A cell that the reader has pressed, with ✓ or ✗ at a corner, where it covers no number.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {string} sign
 * @param {Colours} colours
 */
export function paintGuess(pen, box, sign, colours) {
  const colour = colours[sign === "✓" ? "good" : "bad"];
  around(pen, box);
  outline(pen, colour, 2.5);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(box.x + 3, box.y + 4, 8, 0, 7);
  pen.fill();
  write(pen, sign, box.x + 3, box.y + 4.5, { colour: colours.paper, size: 11, weight: 700, align: "center" });
}

/**
 * The colours of the page, and that of a weight of 1.
 *
 * @param {Element} root
 * @param {Record<string, Element>} verdicts an element in the colour of each
 * @returns {Record<string, string>}
 */
export function lookOf(root, verdicts) {
  const told = Object.entries(verdicts).map(([kind, node]) => [kind, getComputedStyle(node).color]);
  const page = coloursOf(root);
  const tint = ramp(/** @type {{ paper: string }} */ (shade(WEIGHT, "weights", 1)).paper, page.paper);
  const weight = tint(inkOn(page.paper) === "#000" ? -0.2 : 0.4); // darker than any tint on light paper
  return { ...page, weight, ...Object.fromEntries(told) };
}
