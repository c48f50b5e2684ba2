// The sum of one row on TileLab's canvas: a bar of its terms.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { frame } from "./cells.js";

/**
 * @typedef {import("./scene.js").Sum & { should: import("./scene.js").Sum | null, isWrong: boolean, isSeen: boolean, focus: number[] | null }} Shown
 * should: the same sum without a mistake; isSeen: whether it is shown; focus: how much is seen of why it shrinks
 */

/**
 * The bar. Below it what the sum should be, if it is not that.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {Shown} sum
 */
export function paintSum(
  pen,
  { plan: { sum, bar, roomy, width }, words, look, most },
  { row, terms, fresh, should: other, isWrong },
) {
  const { x } = bar;
  const size = roomy ? 14 : 12;
  const [total, should] = [terms, other?.terms ?? terms].map((all) => all.reduce((sum, term) => sum + term, 0));
  const name = `“${words.queries[row]}”`;
  const bold = { colour: look.ink, size, weight: 700 };
  pen.font = `700 ${size}px ${FONT}`;
  const middle = bar.y + bar.h / 2 + 0.5;
  const line = roomy ? middle : sum.y + 8;
  const start = roomy ? x - 12 - pen.measureText(`total of ${name}`).width : x;
  write(pen, name, start + write(pen, "total of ", start, line, bold), line, { ...bold, colour: look.L });
  pen.fillStyle = mixed(look.ink, look.paper, 0.05);
  pen.fillRect(x, bar.y, bar.w, bar.h);
  let end = x;
  for (const [j, term] of terms.entries()) {
    const wide = (term / most) * bar.w;
    const isNew = fresh !== null && j >= fresh[0];
    const fill = mixed(look.S, look.paper, isNew ? 0.85 : 0.3);
    pen.fillStyle = fill;
    pen.fillRect(end, bar.y, Math.max(0, wide - 1), bar.h);
    pen.font = `400 ${size}px ${FONT}`;
    if (pen.measureText(words.keys[j]).width + 4 < wide)
      write(pen, words.keys[j], end + wide / 2, middle, { colour: inkOn(fill), size, align: "center" });
    end += wide;
  }
  const value = { colour: isWrong ? look.bad : look.ink, size: roomy ? 17 : 15, weight: 700 };
  if (total) write(pen, spelled(total, 1), end + 7, middle, value);
  if (!isWrong) return;
  frame(pen, { x, y: bar.y, w: end - x, h: bar.h }, look.bad);
  const wide = (should / most) * bar.w;
  const below = bar.y + bar.h + (roomy ? 15 : 12);
  pen.fillStyle = look.ink;
  pen.fillRect(x, below - 3, wide, 6);
  const text = `should be ${spelled(should, 1)}`;
  pen.font = `700 ${size}px ${FONT}`;
  const long = pen.measureText(text).width + 14;
  const from = Math.min(x + wide, width - long); // over the end of a long line
  pen.fillStyle = look.paper;
  pen.fillRect(from, below - 3, long, 6);
  write(pen, text, from + 7, below, bold);
}
