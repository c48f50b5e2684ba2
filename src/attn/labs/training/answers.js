// What stands beside the table: the next word that is foretold, or what a word that asks is answered, and what each head does for it.

import { write } from "../kit/canvas.js";
import { integer, number } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { sharesAt } from "./course.js";
import { originOf } from "./model.js";
import { questionsOf } from "./words.js";

const TEXT = 13; // pixels
export const HEAD = 54; // the width of the name of a head

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

/** Above each row its questions, the likeliest answers, and whether they are right. */
export function paintAsked(pen, { run, plan, look, sequence, guesses }) {
  const { x, y, w, h, L, lead, rows } = plan;
  const questions = questionsOf(run, sequence);
  const room = L * w;
  let [at, above] = [0, -1];
  run.asks[sequence].forEach(([i, question, right], n, all) => {
    const word = run.words[run.ids[sequence][i]];
    const isOne = all.filter(([row]) => row === i).length < 2;
    const [size, gap] = room > 400 ? [TEXT, 16] : isOne ? [12.5, 9] : [11, 6];
    const middle = y + rows.indexOf(i) * h + lead / 2;
    if (i !== above) at = x + 2 + gap + 8 * word.length;
    above = i;
    const [first, ...rest] = questions[n].split(" ");
    at += write(pen, `${first === word ? rest.join(" ") : `${run.questions[question]}?`} `, at, middle, {
      colour: look.quiet,
      size,
    });
    at += write(pen, `${run.words[guesses[n]]} `, at, middle, { colour: look.ink, weight: 700, size });
    const [mark, colour] = guesses[n] === right ? ["✓", look.good] : ["✗", look.bad];
    at += gap + write(pen, mark, at, middle, { colour, weight: 700, size });
  });
}

/**
 * What each head does: a disc for the weight that it gives to the answers of each question, when they began to be right and now.
 */
export function paintJobs(pen, { run, plan, look, sequence, head, time }) {
  const { x, y, wide, high, gap } = plan.jobs;
  const origin = originOf(run);
  const count = run.questions.length;
  const chosen = head[0] * run.shape[1] + head[1];
  const first = sharesAt(run, sequence, origin); // the rings of what is now
  const size = wide < 40 ? 11.5 : TEXT;
  write(pen, "weight of each head on the answers", x, y - 46, { colour: look.ink, weight: 700, size: TEXT });
  first.forEach((_, n) => {
    const how = { colour: look.axes.H, weight: n === chosen ? 700 : 400, size };
    write(pen, `head ${n}`, x, y + (n + 0.5) * high, how);
  });
  const until = origin ? Math.min(time, origin) : time;
  [until, ...(origin ? [time] : [])].forEach((one, block) => {
    const left = x + HEAD + block * (count * wide + gap);
    const isSeen = !block || time > origin;
    const title = `${isSeen ? "" : "after "}step ${integer(run.steps[Math.floor(isSeen ? one : origin)])}`;
    write(pen, title, left, y - 27, { colour: isSeen ? look.ink : look.quiet, weight: 600, size });
    sharesAt(run, sequence, one).forEach((shares, n) => {
      shares.forEach((share, question) => {
        const [cx, cy] = [left + (question + 0.5) * wide, y + (n + 0.5) * high];
        if (!n) write(pen, run.questions[question], cx, y - 10, { colour: look.quiet, align: "center", size });
        pen.fillStyle = isSeen ? shade(0, "weights", 1)?.paper : look.faint;
        pen.fillRect(left + question * wide, y + n * high, wide - 1, high - 1);
        if (isSeen) paintWeight(pen, cx, cy, Math.min(wide, high) / 2 - 2, share, block ? first[n][question] : 0);
      });
    });
  });
}

/** A disc whose area is the weight, its number where there is room, and a ring for what the weight was. */
export function paintWeight(pen, x, y, most, weight, old) {
  const ink = paintDisc(pen, x, y, most, weight);
  const radius = most * Math.sqrt(weight);
  const hasNumber = weight >= 0.3 && radius > 9.5;
  if (hasNumber) {
    const text = number(weight, 2).replace(/^0|\.00/, ""); // .97, or 1
    write(pen, text, x, y, { colour: ink, weight: 600, align: "center", size: radius > 12 ? 12 : 11 });
  }
  if (old <= (hasNumber ? weight : 0)) return;
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
