// The titles and words on TileLab's canvas.

import { FONT, write } from "../kit/canvas.js";
import { range } from "../kit/math.js";
import { partOf, WORD } from "./layout.js";
import { GONE } from "./model.js";
import { isUndivided, scoresTitle } from "./words.js";

/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./model.js").Moment} Moment */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Moment} moment
 */
export function paintTitles(pen, { plan, settings, words, look, isQuick = false }, moment) {
  const { q, k, v, scores, run, out, error, roomy } = plan;
  const { causal, hidden, D, method } = settings;
  const size = roomy ? 13 : 12;
  const bold = { colour: look.ink, size, weight: 700 };
  /** @typedef {{ x: number, y: number, w: number, columns: number }} Place */
  /** A title above a block, and its end. @param {string} text @param {Place} block */
  const title = (text, { x, y }) => x + write(pen, text, x, y - 9, bold);
  /** One that ends where the block ends. @param {string} text @param {Place} block */
  const ending = (text, { x, y, w, columns }) => write(pen, text, x + columns * w, y - 9, { ...bold, align: "right" });
  /** What is said beside a title, if there is room. @param {string} text @param {number} x @param {number} y @param {number} end */
  const note = (text, x, y, end) => {
    pen.font = `400 ${size}px ${FONT}`;
    if (x + pen.measureText(text).width < end) write(pen, text, x, y - 9, { colour: look.quiet, size });
  };
  const bar = (/** @type {"L" | "S"} */ axis, /** @type {number[]} */ ...[x, y, w, h]) => {
    pen.fillStyle = look[axis];
    pen.fillRect(x, y, w, h);
  };
  bar("L", q.x - 4, q.y, 3, q.rows * q.h);
  bar("S", k.x, k.y - 4, k.columns * k.w, 3);
  bar("S", v.x - 4, v.y, 3, v.rows * v.h);
  bar("L", out.x - 4, out.y, 3, out.rows * out.h);
  for (const [text, block] of /** @type {[string, Place][]} */ ([
    ["queries q", q],
    ["values v", v],
  ]))
    (block.columns * block.w > 70 ? title : ending)(text, block);
  write(pen, "keys k", k.x - 9, k.y + k.rows * k.h - 8, { ...bold, align: "right" });

  const isFused = method === "fused";
  const named = scoresTitle(method, moment, isQuick);
  const end = title(named, scores) + 10;
  const marks = causal || hidden ? "hatched: masked" : moment.states.includes(GONE) ? "dots: gone" : "";
  note(marks, end, scores.y, scores.x + partOf(scores).w);
  // Until a row is divided, what looks too large is a sum.
  const after = title("output", out) + 8;
  if (isFused && (isQuick || isUndivided(moment, D))) note("sum so far", after, out.y, error.x - 4);
  title("error", error);
  if (isFused)
    for (const [n, name] of ["max", "total"].entries())
      write(pen, name, run.x + (n + 0.5) * run.w - (n || run.w > 35 ? 0 : 5), run.y - 9, {
        ...bold,
        size: run.w < 36 ? 11 : size,
        align: "center",
      });
  else if (roomy && named === "weights")
    write(pen, "× v =", run.x + run.w, out.y + partOf(out).h / 2, { colour: look.quiet, size: 20, align: "center" });

  words.queries.forEach((word, i) => {
    for (const { x, y, h } of roomy ? [q] : [q, out])
      write(pen, word, x - 7, y + (i + 0.5) * h, { colour: look.L, size, align: "right" });
  });
  range(k.columns).forEach((j) => {
    const [x, y] = [k.x + (j + 0.5) * k.w, k.y - 8];
    if (roomy && v.h > 10) write(pen, words.keys[j], v.x - 7, v.y + (j + 0.5) * v.h, { colour: look.S, align: "right" });
    if (plan.isUpright) {
      pen.save();
      pen.translate(x, y);
      pen.rotate(-Math.PI / 2);
      write(pen, words.keys[j], 0, 0, { colour: look.S });
      pen.restore();
    } else write(pen, words.keys[j], x, y - 3, { colour: look.S, size: plan.isSmall ? 11 : WORD, align: "center" });
  });
}
