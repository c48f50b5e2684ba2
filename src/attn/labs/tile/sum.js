// The sum of one row on TileLab's canvas: a bar of its terms.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { frame } from "./cells.js";

/** @typedef {import("./scene.js").Sum & { should: import("./scene.js").Sum | null, isEnd: boolean }} Shown should: the same sum without a mistake */

/**
 * The bar, with the length that it had before its maximum rose as a dashed frame. Below it what the sum should be, if it is not that or
 * all is done.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./paint.js").Picture} picture
 * @param {Shown} sum
 */
export function paintSum(pen, { plan, words, look, most }, { row, terms, fresh, was, rise, should: other, isEnd }) {
  const { x, y, w } = plan.sum;
  const { roomy } = plan;
  const size = roomy ? 14 : 12;
  const bar = { y: y + (roomy ? 4 : 18), h: roomy ? 28 : 22 };
  const room = w - (roomy ? 60 : 36);
  const [total, should] = [terms, other?.terms ?? terms].map((all) => all.reduce((sum, term) => sum + term, 0));
  if (!total && !rise) return;
  const name = `“${words.queries[row]}”`;
  const bold = { colour: look.ink, size, weight: 700 };
  pen.font = `700 ${size}px ${FONT}`;
  const line = roomy ? bar.y + bar.h / 2 : y + 8;
  const start = roomy ? x - 12 - pen.measureText(`total of ${name}`).width : x;
  write(pen, name, start + write(pen, "total of ", start, line, bold), line, { ...bold, colour: look.L });
  pen.fillStyle = mixed(look.ink, look.paper, 0.05);
  pen.fillRect(x, bar.y, room, bar.h);
  let end = x;
  for (const [j, term] of terms.entries()) {
    const wide = (term / most) * room;
    const isNew = fresh !== null && j >= fresh[0];
    const fill = mixed(look.S, look.paper, isNew ? 0.85 : 0.3);
    pen.fillStyle = fill;
    pen.fillRect(end, bar.y, Math.max(0, wide - 1), bar.h);
    pen.font = `400 ${size}px ${FONT}`;
    if (pen.measureText(words.keys[j]).width + 4 < wide)
      write(pen, words.keys[j], end + wide / 2, bar.y + bar.h / 2 + 0.5, { colour: inkOn(fill), size, align: "center" });
    end += wide;
  }
  const ghost = was ? x + (was / most) * room : 0;
  const isWrong = Math.abs(should - total) > (isEnd ? 0.01 : 0.1); // during a move as soon as the numbers differ
  const value = { colour: isWrong ? look.bad : look.ink, size: roomy ? 17 : 15, weight: 700 };
  const below = bar.y + bar.h + (roomy ? 15 : 12);
  write(pen, spelled(total, 1), end + 7, bar.y + bar.h / 2 + 0.5, value);
  if (ghost) {
    pen.strokeStyle = look.quiet;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.strokeRect(x, bar.y - 2, ghost - x, bar.h + 4);
    pen.setLineDash([]);
    if (was && ghost - end > 50) write(pen, spelled(was, 1), ghost + 6, bar.y + bar.h / 2 + 0.5, { colour: look.quiet, size });
  }
  if (isWrong) frame(pen, { x, y: bar.y, w: end - x, h: bar.h }, look.bad);
  if (isWrong || isEnd) {
    const wide = (should / most) * room;
    pen.fillStyle = isWrong ? look.ink : look.good;
    pen.fillRect(x, below - 3, wide, 6);
    const text = `${isWrong ? "should be" : "with all scores at once:"} ${spelled(should, 1)}`;
    pen.font = `700 ${size}px ${FONT}`;
    const long = pen.measureText(text).width + 14;
    const from = Math.min(x + wide, plan.width - long); // over the end of a long line
    pen.fillStyle = look.paper;
    pen.fillRect(from, below - 3, long, 6);
    write(pen, text, from + 7, below, { ...bold, colour: isWrong ? look.ink : look.good });
  } else if (rise && was) {
    const text = `earlier terms × ${spelled(rise.factor, 2)}: on the scale of the new maximum, ${spelled(rise.to, 1)}`;
    write(pen, roomy ? text : text.split(":")[0], x, below, bold);
  }
}
