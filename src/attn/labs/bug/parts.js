// BugLab's picture of a wrong merge: what each row is made of, of each head a part. A part has the colour of the word for which the head
// computed it, as the word beside the rows has: a right row is of one colour.

import { write } from "../kit/canvas.js";
import { colourOf } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { fly, inTurn } from "../kit/moves.js";
import { contour, tile } from "./cells.js";
import { sizesOf } from "./model.js";
import { headOf, wordsOf } from "./words.js";

const LIFT = 14; // how high a part rises while it flies

/**
 * The table of a line of code. In that of the right one, the parts fly to their places from where the wrong line has written them, in the
 * order in which memory has them.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {import("./model.js").Parts} parts
 * @param {import("./layout.js").Slot} slot
 * @param {boolean} isWrong
 * @param {{ appeared: number, flown: number, framed: number }} passed how much of each part of the move has passed
 */
export function paintParts(pen, { plan, state, line, colours }, { right, wrong }, slot, isWrong, { appeared, flown, framed }) {
  const { H } = sizesOf(state.given);
  const { all } = wordsOf(state);
  const boxOf = (/** @type {number} */ place) => plan.cell(slot, Math.floor(place / H), place % H);
  for (const part of range(wrong.length)) {
    const [place, to] = [wrong, right].map((one) => one.indexOf(part));
    const [head, word] = [Math.floor(part / plan.rows), part % plan.rows];
    const n = isWrong || place === to ? 0 : inTurn(flown, part, wrong.length, 0.25);
    const box = fly(boxOf(place), boxOf(to), n, LIFT);
    if (line === "unknown") pen.globalAlpha = inTurn(appeared, Math.floor(place / H), plan.rows, 0.5);
    if (n > 0 && n < 1) tile(pen, { x: box.x - 1.5, y: box.y - 1.5, w: box.w + 3, h: box.h + 3 }, colours.paper); // apart from those below
    tile(pen, box, colourOf(word));
    const text = `${headOf(state, head)} · ${all[word]}`;
    write(pen, text, box.x + box.w / 2, box.y + box.h / 2 + 0.5, { colour: "#000", size: plan.size, align: "center" });
    pen.globalAlpha = 1;
  }
  if (line === "unknown" || !isWrong) return;
  // Where the colour is right, a wrong head is framed.
  const isFramed = (/** @type {number} */ i, /** @type {number} */ j) =>
    wrong[i * H + j] !== right[i * H + j] && wrong[i * H + j] % plan.rows === i;
  pen.globalAlpha = framed;
  contour(pen, plan, slot, { rows: plan.rows, columns: H, offset: 0 }, isFramed, colours.bad, 2);
  pen.globalAlpha = 1;
}
