// What stands at the ends of the rows: the next word that is foretold, or what a word that asks is answered.

import { write } from "../kit/canvas.js";
import { number } from "../kit/format.js";
import { questionsOf } from "./words.js";

const TEXT = 13; // pixels
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
export function paintNext(pen, { run, plan, look, sequence, chances, guesses, strengths }) {
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
    pen.globalAlpha = strengths[n];
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, size });
    const isCounted = run.counted[sequence][i];
    const [mark, colour] = isCounted ? (guesses[n] === word ? ["✓", look.good] : ["✗", look.bad]) : ["–", look.quiet];
    write(pen, mark, at + (plan.isBrief ? 0 : 1), middle, { colour, weight: 700, size });
    pen.globalAlpha = 1;
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
export function paintAsked(pen, { run, plan, look, sequence, guesses, strengths }) {
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
    const size = lead ? (ofRow.length > 1 ? (isTight ? 11 : 11.5) : 12.5) : 14;
    if (!lead) at = end + 24;
    else if (i !== above) at = x + (isTight && ofRow.length > 1 ? 5 : 11) + 8 * word.length;
    if (!lead && !nth) write(pen, "→", end, start + h / 2, { colour: look.quiet, size: 16 });
    above = i;
    const [first, ...rest] = questions[n].split(" ");
    const text = !lead ? questions[n] : first === word ? rest.join(" ") : `${run.questions[question]}?`;
    at += write(pen, `${text} `, at, middle, { colour: look.quiet, size });
    pen.globalAlpha = strengths[n];
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, weight: 700, size });
    const isRight = guesses[n] === right;
    at +=
      (isTight ? 4 : 9) +
      write(pen, isRight ? "✓" : "✗", at, middle, { colour: isRight ? look.good : look.bad, weight: 700, size });
    pen.globalAlpha = 1;
  });
}
