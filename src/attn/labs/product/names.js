// What is written around ProductLab's tables: their names, the words of their rows and columns, and counts.

import { FONT, write } from "../kit/canvas.js";
import { counted } from "../kit/phrases.js";
import { BAR, boxOf } from "./layout.js";
import { lifted, stripOf } from "./scene.js";

/** @typedef {import("./layout.js").Sheet} Sheet */
/** @typedef {import("./paint.js").Picture} Picture */

/**
 * The names of the tables with their axes, and how many words ask and are asked.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {{ flip: number, result: number }} part
 */
export function paintNames(pen, { plan, R, M, C, axes, names, operand, isLying, isTurned, isMoved, isRefused, truth, look }, part) {
  const {
    right,
    result,
    names: { above, below },
  } = plan;
  /** @type {(name: string, letters: string[], x: number, y: number, count?: number, end?: number) => void} */
  const title = (name, letters, x, y, count = 0, end = plan.width) => {
    const judged = { "✓": look.good, "✗": look.bad }[name[0]];
    let at = x - BAR;
    at += write(pen, `${name} `, at, y, { colour: judged ?? look.ink, weight: 700 });
    letters.forEach((axis, n) => {
      if (n) at += write(pen, " × ", at, y, { colour: look.ink });
      at += write(pen, axis, at, y, { colour: look.axes[axis], weight: 700 });
    });
    const axis = letters.find((letter) => letter !== "D") ?? "";
    at += write(pen, "  ", at, y, { colour: look.ink });
    const texts = ["words ", ""].map((words) => `${count} ${words}${axis === "L" ? "ask" : "are asked"}`);
    const text = count > 1 && texts.find((one) => at + pen.measureText(one).width < end);
    if (text) write(pen, text, at, y, { colour: look.axes[axis] });
  };
  pen.globalAlpha = 1;
  const wrong = truth && part.result ? "✗ " : "";
  title(wrong + names.right, axes.right, right.x, above, isLying ? M : isTurned ? C : 0);
  title(names.left, axes.left, Math.min(plan.left.x, result.x - 60), below, R, result.x - BAR); // the names do not touch
  if (isMoved && part.flip < (isLying ? 0.3 : 1)) title(operand.name, operand.axes, plan.lying.x, below);
  else if (!isRefused) title(wrong + names.out, axes.result, result.x, below);
  if (!plan.truth) return;
  pen.globalAlpha = part.result;
  title("✓ kᵀ", ["D", "S"], plan.truth.right.x, above);
  title("✓ scores", ["L", "S"], plan.truth.result.x, below);
}

/**
 * The words beside rows and above columns, and how many keys a wrong column has.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {{ flip: number, result: number }} part
 */
export function paintWords(pen, { plan, C, axes, words, mixed, isLying, isMoved, isTurned, look }, { flip, result }) {
  pen.globalAlpha = 1;
  const { right, left, truth, lying, hasLyingWords, isUpright } = plan;
  words.rows.forEach((word, i) => {
    const y = left.y + (i + 0.5) * plan.p;
    write(pen, word, left.x - BAR - 4, y, { colour: look.axes[axes.left[0]], align: "right" });
  });
  const colour = look.axes[isTurned ? axes.right[1] : "S"];
  if (isLying || (isMoved && !isTurned && flip < 1 && hasLyingWords))
    words.lying.forEach((word, i) => {
      const from = boxOf(lying, i, 0);
      const { x, y, h } = isLying ? lifted(from, boxOf(right, i, 0), flip) : from;
      pen.globalAlpha = isLying ? (hasLyingWords ? 1 : Math.floor(flip)) : 1 - Math.min(1, 4 * flip);
      write(pen, word, x - (isLying ? BAR + 4 : 8), y + h / 2, { colour, align: "right" });
    });
  words.columns.forEach((word, j) => {
    const { x, y, angle, along, across, aside } = stripOf(plan, j, C, flip);
    const size = isUpright ? 11 : 12;
    pen.font = `${size}px ${FONT}`;
    const half = pen.measureText(word).width / 2;
    const high = (along * Math.sin(angle) + across * Math.cos(angle)) / 2;
    pen.globalAlpha = hasLyingWords ? 1 : aside;
    pen.save();
    pen.translate(x - (1 - aside) * (along / 2 + 8 + half), y - aside * (high + BAR + (isUpright ? 4 + half : 9)));
    if (isUpright) pen.rotate((-aside * Math.PI) / 2);
    write(pen, word, 0, 0, { colour, size, align: "center" });
    pen.restore();
  });
  pen.globalAlpha = result;
  /** Above each column its text or, without the room for that, above all how many keys they have. */
  const heads = (/** @type {string[]} */ texts, /** @type {number[]} */ counts, /** @type {Sheet} */ { x, y, w }, colour) => {
    pen.font = `11px ${FONT}`;
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const all = `${least < most ? `${least} to ` : ""}${counted(most, "key")} in each column`;
    const hasRoom = texts.every((text) => pen.measureText(text).width < w);
    (hasRoom ? texts : [all]).forEach((text, j) => {
      write(pen, text, x + (hasRoom ? j + 0.5 : C / 2) * w, y - BAR - 9, { colour, size: 11, align: "center" });
    });
  };
  if (mixed.length)
    heads(
      mixed.map((count) => counted(count, "key")),
      mixed,
      right,
      look.bad,
    );
  if (truth)
    heads(
      words.lying,
      words.lying.map(() => 1),
      truth.right,
      colour,
    );
  pen.globalAlpha = 1;
}
