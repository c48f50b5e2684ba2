// What stands around BugLab's tables: the words of rows and columns, the names of heads, and a row of the mask.

import { write } from "../kit/canvas.js";
import { colourOf, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { SIZES } from "../kit/reader.js";
import { tile } from "./cells.js";
import { headOf, wordsOf } from "./words.js";

/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {import("./paint.js").Picture} Picture */

const OLD = 0.65; // how strong the word of a row is that was computed before

/**
 * Around a table; of one without numbers, dashes.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./layout.js").Plan} plan
 * @param {Slot} slot
 * @param {string} ink
 * @param {boolean} isEmpty
 */
export function frame(pen, { columns, rows }, { x, y, w, h }, ink, isEmpty) {
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.globalAlpha = isEmpty ? 0.45 : 0.18;
  if (isEmpty) pen.setLineDash([4, 4]);
  pen.strokeRect(x - 0.5, y - 0.5, columns * w + 1, rows * h + 1);
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** Left above a table. */
export const title = (pen, { size }, { x, y }, text, colour) =>
  write(pen, text, x - 5, y - 9, { colour, size, weight: 700, align: "right" });

/** What stands above the columns of a table. */
function paintColumns(pen, { size, isY, isOfParts, isUpright, columns }, { x: start, y, w }, state, keys, colours) {
  if (isY && !isOfParts) {
    const told = `${SIZES.E} numbers for each word${w > 31 ? "" : ", rounded"}`;
    return void write(pen, told, start, y - 10, { colour: colours.E, size });
  }
  const [names, colour] = isOfParts ? [range(columns).map((head) => `head ${headOf(state, head)}`), colours.H] : [keys, colours.S];
  names.forEach((name, j) => {
    const x = start + (j + 0.5) * w;
    if (isUpright && !isOfParts) {
      pen.save();
      pen.translate(x, y - 5);
      pen.rotate(-Math.PI / 2);
      write(pen, name, 0, 0, { colour, size });
      pen.restore();
    } else write(pen, name, x, y - 9, { colour, size, align: "center" });
  });
}

/**
 * The words at a table.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Slot} slot
 * @param {boolean} isWrong
 */
export function paintWords(pen, { plan, state, results, colours }, slot, isWrong) {
  const { queries, keys, all } = wordsOf(state);
  const rows = (isWrong && results.shapes.weights?.[1]) || queries.length; // of which there are numbers
  const { size } = plan;
  if (plan.isBeside || plan.isOfParts || isWrong) paintColumns(pen, plan, slot, state, keys, colours);
  all.forEach((word, i) => {
    const y = slot.y + (i + 0.5) * slot.h;
    pen.globalAlpha = i < plan.rows - rows ? OLD : 1;
    if (plan.isOfParts) tile(pen, { x: slot.x - plan.left, y: y - 11, w: plan.left - 2, h: 22 }, colourOf(i));
    write(pen, word, slot.x - (plan.isOfParts ? 7 : 5), y, { colour: plan.isOfParts ? "#000" : colours.L, size, align: "right" });
  });
  pen.globalAlpha = 1;
}

/** A row of the mask below a table: 1 where the new word may attend. @param {number[]} mask */
export function paintMask(pen, { rows, size }, { x, y, w, h }, mask, colours) {
  const { ink, paper } = colours;
  const top = y + rows * h + 6;
  write(pen, "mask", x - 5, top + 9, { colour: ink, size, align: "right" });
  mask.forEach((may, j) => {
    tile(pen, { x: x + j * w, y: top, w, h: 18 }, mixed(ink, paper, may ? 0.85 : 0.08));
    write(pen, `${may}`, x + (j + 0.5) * w, top + 9.5, { colour: may ? paper : ink, size, align: "center" });
  });
}
