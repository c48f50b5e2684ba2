// CubeLab's chosen pair, pulled out of the block: its D products one by one, and what they add up to. Beside the block where there is
// room, above it on a phone.

import { FONT, write } from "../kit/canvas.js";
import { spelled, sumSign } from "../kit/format.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { sumOf } from "./model.js";

/** @typedef {import("./paint.js").Picture} Picture */

const ROOMY = 640; // from this width on the products are large
const TALLEST = 290; // of all of them

/** The room that is taken from the block, on the left or at the top. @param {number} width */
export const rodRoom = (width) => (width < 480 ? { left: 0, top: 30 } : { left: width < ROOMY ? 92 : 170, top: 0 });

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {number} done how many products are added up, from 0 to D
 * @param {number} beside how far it stands to the right, where there is room
 */
export function paintRod(pen, { sizes, results, pin: [i, j], words, most, colours, width }, done, beside) {
  const { S, D } = sizes;
  const isFlat = width < 480;
  const isLarge = width >= ROOMY;
  const bold = { size: isLarge ? 15 : 12, weight: 700 };
  const top = isLarge ? 62 : 0;
  let at = isFlat ? 2 : 22 + beside;
  at += write(pen, words[i], at, top + 13, { ...bold, colour: colours.L });
  at += write(pen, " · ", at, top + 13, { ...bold, colour: colours.ink });
  at += write(pen, words[j], at, top + 13, { ...bold, colour: colours.S });
  const w = isFlat ? Math.min(40, (width - at - 72) / D) : isLarge ? 100 : 58;
  const [x, y, h] = isFlat ? [at + 10, 4, 21] : [22 + beside, top + 28, isLarge ? Math.min(44, TALLEST / D) : 25];
  const size = isLarge ? 16 : 12;
  const terms = range(D).map((d) => results.products[(i * S + j) * D + d]);
  pen.font = `400 ${size}px ${FONT}`;
  const digits = [2, 1, 0].find((count) => terms.every((term) => pen.measureText(spelled(term, count)).width < w - 2)) ?? 0;
  terms.forEach((value, d) => {
    const [left, high] = isFlat ? [x + d * w, y] : [x, y + d * h];
    const { paper, ink } = /** @type {{ paper: string, ink: string }} */ (shade(value, "signed", most.products));
    pen.globalAlpha = d < Math.floor(done) ? 0.45 : 1;
    pen.fillStyle = paper;
    pen.fillRect(left, high, w - 1, h - 1);
    pen.globalAlpha = 1;
    write(pen, spelled(value, digits), left + w / 2, high + h / 2, {
      colour: d < Math.floor(done) ? colours.ink : ink,
      align: "center",
      size,
    });
  });
  pen.fillStyle = colours.D;
  if (isFlat) pen.fillRect(x, y + h + 1, D * w - 1, 3);
  else pen.fillRect(x - 6, y, 3, D * h - 1);
  if (!isFlat) write(pen, "D", x - 9, y + (D * h) / 2, { colour: colours.D, size: 13, weight: 700, align: "right" });
  const count = Math.floor(done);
  if (!count) return;
  const sum = sumOf(results, sizes, i, j, count);
  const text = `${sumSign(terms.slice(0, count), sum)} ${spelled(sum)}`;
  if (isFlat) write(pen, text, x + D * w + 5, y + h / 2, { ...bold, colour: colours.ink });
  else
    write(pen, text, x + w - 6, y + D * h + (isLarge ? 20 : 14), {
      ...bold,
      size: isLarge ? 20 : 13,
      colour: colours.ink,
      align: "right",
    });
}
