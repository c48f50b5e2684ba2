// The titles of the columns in CacheLab's picture, and below the output how many of its rows change.

import { FONT, write } from "../kit/canvas.js";
import { SHORT } from "./layout.js";
import { quiet } from "./looks.js";
import { NAMES, readersOf, rowsThatDiffer } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const ROOMY = 165; // pixels: a wider table has its sizes in its title
const SIZES = { q: ["L", "queries"], k: ["S", "keys"], v: ["S", "values"] };

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
export function paintTitles(pen, { plan, looks, state: { overwrite }, words }, { asking, bars, isRead, lines, rows }) {
  const { axes, ink } = looks;
  const bold = { colour: ink, weight: 700 };
  for (const [name, [axis, noun]] of Object.entries(SIZES)) {
    let at = plan.x[name] + write(pen, name, plan.x[name], plan.title, { ...bold, size: 13 });
    const texts = plan.row < 80 ? [] : [axis, ` ${noun}`, ...(plan.row < ROOMY ? [] : [" × ", "D", " numbers"])];
    at += 7;
    for (const text of texts)
      at += write(pen, text, at, plan.title, axes[text] ? { colour: axes[text], weight: 700 } : { colour: quiet(looks) });
  }
  const areScores = bars.some(({ alpha, isWeight }) => alpha > 0 && !isWeight);
  const whose = [areScores ? "scores" : "weights", `of ${plan.narrow ? words[asking] : `“${words[asking]}”`}`];
  const { title, sheet, weights } = plan;
  const isTest = overwrite !== "nothing" && isRead;
  const [first, second] = isTest ? readersOf(overwrite, lines) : whose;
  pen.globalAlpha = isTest ? 1 : Math.max(0, ...bars.map(({ alpha }) => alpha)); // no title before there is a score
  if (plan.narrow) [first, second].forEach((line, n) => write(pen, line, weights.x, title - 6 + 12 * n, { ...bold, size: 11 }));
  else write(pen, `${first} ${second}`, weights.x, title, { ...bold, size: sheet.x - weights.x > 150 ? 13 : 12 });
  pen.globalAlpha = 1;
  const isChange = rows.some(({ look }) => look === "changed" || look === "same");
  const output = !isChange ? ["output"] : plan.row >= SHORT ? ["output: change"] : ["output:", "change"];
  const size = plan.row < 44 || output[1] ? 11 : plan.narrow ? 12 : 13;
  pen.font = `700 ${size}px ${FONT}`;
  output.forEach((line, n) => {
    const left = plan.x.out + Math.min(0, plan.row - pen.measureText(line).width); // a title that is wider than its column begins before it
    write(pen, line, left, plan.title - (output[1] ? 6 - 12 * n : 0), { ...bold, size });
  });
}

/**
 * Below the output, how many of its rows another query or key of the word changes: large for what is drawn, and for the other experiment
 * once it was made.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paintCount(pen, { plan, looks, state: { S, overwrite, at }, results, other, words }, { lines }) {
  if (overwrite === "nothing" || lines.some(({ n }) => n < 1)) return;
  const changed = rowsThatDiffer(results.moved).length;
  const isQuery = overwrite === "q";
  const counts = /** @type {const} */ ([
    ["query", isQuery ? changed : other],
    [NAMES[isQuery ? "k" : overwrite], isQuery ? other : changed],
  ]);
  const right = plan.x.out + plan.row;
  for (const [n, [name, count]] of counts.entries()) {
    if (count === null) continue;
    const isDrawn = isQuery === (n === 0);
    const colour = isDrawn ? looks.ink : quiet(looks);
    const y = plan.foot + (other === null ? 16 : 4 + 23 * n);
    const large = plan.narrow ? 14 : 20;
    const how = isDrawn ? { colour, weight: 700, size: large } : { colour, size: large - 2 };
    const left = right - (plan.narrow ? 98 : 145);
    write(pen, `${count} of ${S} rows`, right, y, { ...how, align: "right" });
    const text = plan.narrow ? `${name} of “${words[at]}”` : `another ${name} of “${words[at]}” changes`;
    write(pen, text, left, y + 1, { colour, size: plan.narrow ? 12 : 15, align: "right" });
  }
}
