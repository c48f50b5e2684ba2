// What stands at the ends of the rows: the next word that is foretold, or what a word that asks is answered.

import { write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { questionsOf } from "./words.js";

const TEXT = 13; // pixels
export const ANSWERS = 200; // the width of answers beside the table
export const CELL = 20; // and of the weight on an answer in each head
export const TIGHT = 350; // the width of a picture on a small phone
const LINE = 20; // from the answer to one question of a word to that of its next one

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
    write(pen, plan.isBrief ? text.replace(/^0/, "").replace("1.00", "1.0") : text, at, middle, {
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
    write(pen, plan.isBrief ? "–" : "nothing comes next", end + 3, y + (last + 0.5) * h, {
      colour: look.quiet,
      size: TEXT,
    });
  }
}

/** Beside or above each row its questions, the likeliest answers, and whether they are right. */
export function paintAsked(pen, { run, plan, look, sequence, head, guesses, shares }) {
  const { x, y, h, end, lead, rows } = plan;
  const questions = questionsOf(run, sequence);
  const isTight = plan.width < TIGHT;
  let [at, above] = [0, -1];
  run.asks[sequence].forEach(([i, question, right], n, all) => {
    const ofRow = all.filter(([row]) => row === i);
    const nth = ofRow.indexOf(all[n]);
    const start = y + rows.indexOf(i) * h;
    const word = run.words[run.ids[sequence][i]];
    const middle = lead ? start + lead / 2 : start + h / 2 + LINE * (nth - (ofRow.length - 1) / 2);
    const size = lead ? (ofRow.length > 1 ? (isTight ? 11 : 11.5) : 12.5) : TEXT;
    if (!lead) at = end + 24;
    else if (i !== above) at = x + (isTight && ofRow.length > 1 ? 5 : 11) + 8 * word.length;
    if (!lead && !nth) write(pen, "→", end, start + h / 2, { colour: look.quiet, size: 16 });
    above = i;
    const [first, ...rest] = questions[n].split(" ");
    const text = !lead ? questions[n] : first === word ? rest.join(" ") : `${run.questions[question]}?`;
    at += write(pen, `${text} `, at, middle, { colour: look.quiet, size });
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, weight: 700, size });
    const isRight = guesses[n] === right;
    at +=
      (isTight ? 4 : 9) +
      write(pen, isRight ? "✓" : "✗", at, middle, { colour: isRight ? look.good : look.bad, weight: 700, size });
    if (!lead || ofRow.length < 2) paintHeads(pen, plan, look, middle, shares[n], head[0] * run.shape[1] + head[1], !n); // else no room
  });
}

/** Beside an answer the weight on it in each head. */
function paintHeads(pen, { y, end, lead, width }, look, middle, shares, chosen, isFirst) {
  const each = lead ? CELL + 12 : CELL;
  const hasNames = lead || isFirst;
  const [size, high] = lead ? [11.5, 15] : [TEXT, 18];
  let at = lead ? width - each * shares.length : end + ANSWERS;
  const name = (text, x, colour, weight) =>
    hasNames && write(pen, text, x, lead ? middle : y - 8, { colour, weight, size, align: "right" });
  name(`${lead ? "" : "weight in "}head`, at - 3, look.quiet, 400);
  shares.forEach((share, n) => {
    at += each;
    name(n, at - (lead ? CELL + 3 : 6), look.axes.H, n === chosen ? 700 : 400);
    pen.fillStyle = shade(0, "weights", 1)?.paper ?? "";
    pen.fillRect(at - CELL, middle - high / 2, CELL - 1, high);
    paintDisc(pen, at - CELL / 2 - 0.5, middle, high / 2 - 1, share);
  });
}

/** A disc whose area is the weight. @param {CanvasRenderingContext2D} pen */
export function paintDisc(pen, x, y, radius, weight) {
  const colours = shade(0.3 + 0.7 * weight, "weights", 1);
  pen.fillStyle = colours?.paper ?? "";
  pen.beginPath();
  pen.arc(x, y, radius * Math.sqrt(weight), 0, 7);
  pen.fill();
  return colours;
}
