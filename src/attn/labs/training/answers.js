// What stands beside the table, the next word that is foretold, and the disc of a weight.

import { write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { shade } from "../kit/scale.js";

const TEXT = 13; // pixels

/** A bar for a share, in the room that it can fill. @param {CanvasRenderingContext2D} pen */
function barOf(pen, look, x, y, wide, high, share) {
  for (const [part, colour] of /** @type {[number, string][]} */ ([
    [1, look.faint],
    [share, look.quiet],
  ])) {
    pen.fillStyle = colour;
    pen.fillRect(x, y, wide * part, high);
  }
}

/**
 * At the end of each row the next word, a bar for its probability, the word that the model finds likeliest, and whether this is right.
 */
export function paintNext(pen, { run, plan, look, sequence, chances, guesses }) {
  const { y, h, end } = plan;
  const { next, bar, share } = plan.foretold;
  const asks = run.asks[sequence];
  asks.forEach(([i, , word], n) => {
    const middle = y + (i + 0.5) * h;
    const size = TEXT;
    let at = end + 3;
    write(pen, run.words[word], at, middle, { colour: look.ink, weight: 600, size });
    const thick = Math.min(14, h - 6);
    barOf(pen, look, end + next, middle - thick / 2, bar, thick, chances[n]);
    const text = number(chances[n], 2);
    at = end + next + bar + share;
    write(pen, plan.isBrief ? text.replace(/^0|\.00/, "") : text, at, middle, {
      ...{ colour: look.ink, size: plan.isBrief ? 12 : size, align: "right" },
    });
    at += plan.isBrief ? 5 : 10;
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, size });
    const isCounted = run.counted[sequence][i];
    const [mark, colour] = isCounted ? (guesses[n] === word ? ["✓", look.good] : ["✗", look.bad]) : ["–", look.quiet];
    write(pen, mark, at + (plan.isBrief ? 0 : 1), middle, { colour, weight: 700, size });
  });
  const last = run.ids[sequence].length - 1;
  if (!asks.some(([i]) => i === last)) {
    write(pen, "–", end + 3, y + (last + 0.5) * h, { colour: look.quiet, size: TEXT });
  }
}

const LOST = 0.1; // a weight that has become so much smaller has a ring

/** A disc whose area is the weight, its number where there is room, and a ring for what the weight was if it was clearly larger. */
export function paintWeight(pen, x, y, most, weight, old) {
  const ink = paintDisc(pen, x, y, most, weight);
  const radius = most * Math.sqrt(weight);
  const hasNumber = weight >= 0.3 && radius > 10;
  if (hasNumber) {
    const text = number(weight, 2).replace(/^0|\.00/, ""); // .97, or 1
    write(pen, text, x, y, { colour: ink, weight: 600, align: "center", size: radius > 12 ? 12 : 11 });
  }
  if (old - weight < LOST) return;
  pen.beginPath();
  pen.arc(x, y, most * Math.sqrt(old), 0, 7);
  pen.globalAlpha = 0.6;
  [pen.strokeStyle, pen.lineWidth] = ["#fff", 1];
  pen.stroke();
  pen.globalAlpha = 1;
}

/** A disc whose area is the weight. @param {CanvasRenderingContext2D} pen */
function paintDisc(pen, x, y, radius, weight) {
  const colours = shade(0.3 + 0.7 * weight, "weights", 1);
  pen.fillStyle = colours?.paper ?? "";
  pen.beginPath();
  pen.arc(x, y, radius * Math.sqrt(weight), 0, 7);
  pen.fill();
  return colours?.ink ?? "";
}
