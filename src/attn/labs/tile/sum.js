// The sum of one row on TileLab's canvas: a bar of its terms. Below it what a rescaling makes of it, or should.

import { FONT, write } from "../kit/canvas.js";
import { spelled } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { frame, tray } from "./cells.js";
import { VALUE } from "./layout.js";

/**
 * @typedef {import("./scene.js").Sum & { should: import("./scene.js").Sum | null, isSeen: boolean, focus: number[] | null }} Shown
 * should: the same sum without a mistake; isSeen: whether it is shown; focus: how much is seen of why it shrinks
 */

const sumOf = (/** @type {number[]} */ terms) => terms.reduce((sum, term) => sum + term, 0);

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {Shown} sum
 */
export function paintSum(pen, { plan: { sum, roomy }, words, look, most }, { row, terms, fresh, should, was, rise, focus }) {
  const size = roomy ? 14 : 12;
  const bold = { colour: look.ink, size, weight: 700, align: /** @type {const} */ ("right") };
  /**
   * @param {number} at the line: 0, 1, or between them
   * @param {number[]} some
   * @param {string} colour of the total
   * @param {boolean} isNew whether the new terms are framed
   */
  const line = (at, some, colour, isNew) => {
    const [y, end] = [sum.y + at * sum.pitch, sum.x + (sumOf(some) / most) * sum.most];
    const middle = y + sum.h / 2 + 0.5;
    let x = sum.x;
    for (const [j, term] of some.entries()) {
      const wide = (term / most) * sum.most;
      const { paper, ink } = /** @type {{ paper: string, ink: string }} */ (shade(term, "weights", 1));
      pen.fillStyle = paper;
      pen.fillRect(x, y, Math.max(0, wide - 1), sum.h);
      pen.font = `400 ${size}px ${FONT}`;
      if (pen.measureText(words.keys[j]).width + 4 < wide)
        write(pen, words.keys[j], x + wide / 2, middle, { colour: ink, size, align: "center" });
      if (isNew && fresh?.[0] === j && end - x > 2) frame(pen, { x, y, w: end - x - 1, h: sum.h }, look.live, 3);
      x += wide;
    }
    if (end > sum.x) write(pen, spelled(sumOf(some), 1), end + 8, middle, { colour, size: roomy ? 17 : 15, weight: 700 });
    return middle;
  };
  tray(pen, look, { ...sum, rows: 1, columns: 1 });
  const isOff = should !== null && sumOf(terms) - sumOf(should.terms) > 1e-3;
  const rescaled = (was && focus?.[1]) || 0; // how much of it is seen
  const label = sum.x - 12;
  const middle = line(0, rescaled && was ? was : terms, isOff ? look.bad : look.ink, !rescaled);
  pen.font = `700 ${size}px ${FONT}`;
  const name = words.queries[row];
  write(pen, name, label, middle, { ...bold, colour: look.L });
  write(pen, "total of ", label - pen.measureText(name).width, middle, bold);
  if (isOff) write(pen, "should be", label, line(1, should.terms, look.ink, true), bold);
  else if (rescaled && rise && was) {
    // It comes out of the sum before, and takes its place.
    pen.fillStyle = look.paper;
    pen.fillRect(sum.x, sum.y + rescaled * sum.pitch - 1, (sumOf(was) / most) * sum.most + VALUE, sum.h + 2);
    const below = line(rescaled, terms, look.ink, true);
    pen.globalAlpha = rescaled;
    write(pen, `× ${spelled(rise.factor, 2)} + new`, label, below, { ...bold, colour: look.live });
    pen.globalAlpha = 1;
  }
}
