// HeadsLab's merge: the pieces of the heads fly to their rows of concat, or, without the transpose, in the order of memory.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { fly, inTurn } from "../kit/moves.js";
import { slotBox, sourceBox } from "./layout.js";
import { sourceOf } from "./model.js";
import { badge, frame, writeWithin } from "./pen.js";

/** @typedef {import("./layout.js").MergePlan} MergePlan */
/** @typedef {import("./pen.js").Look} Look */
/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {object} picture
 * @param {MergePlan} picture.plan
 * @param {import("./model.js").State} picture.state
 * @param {Look} picture.look
 * @param {string[]} picture.words
 * @param {string[]} picture.names of the heads
 * @param {[row: number, slot: number]} picture.at a piece of concat: its row is framed
 * @param {boolean} picture.marked whether only one piece is framed where it comes from, or all that are in the row
 * @param {number} n how much of the merge has passed
 */
export function paintMerge(pen, picture, n) {
  const { plan, state, look, names, at, marked } = picture;
  const { H, L, E } = state;
  const { side, piece, p, top, bottom } = plan;
  const { ink, paper } = look.axes;
  const edge = mixed(ink, paper, 0.35);
  for (const h of range(H)) {
    const box = sourceBox(plan, h, 0);
    const wide = Math.min(21, piece);
    badge(pen, look, h, { x: box.x, y: top - 19, w: wide, h: 16 }, state.off.includes(h));
    if (names[h] && piece > 60) write(pen, names[h], box.x + 26, top - 10, { colour: ink, weight: 600, size: 13 });
  }
  const flying = range(L * H).map((k) => {
    const [i, slot] = [Math.floor(k / H), k % H];
    const [h, word] = sourceOf(state, i, (slot * E) / H);
    return { i, slot, h, word, step: inTurn(n, k, L * H, 0.15) };
  });
  const [row, from] = at;
  const isNear = (/** @type {number} */ i, /** @type {number} */ slot) => i === row && (!marked || slot === from);
  // What has left its head leaves a pale copy, but for the row that is looked at: there one sees where its pieces come from.
  for (const { i, slot, h, word, step } of flying) {
    const pale = step > 0 && !(n >= 1 && isNear(i, slot)) ? 0.3 : 1;
    paintPiece(pen, picture, sourceBox(plan, h, word), h, word, pale);
  }
  for (const h of range(H)) frame(pen, { ...sourceBox(plan, h, 0), h: L * p }, edge, 1);
  frame(pen, { x: side, y: bottom, w: H * piece, h: L * p }, edge, 1);
  for (const { i, slot, h, word, step } of flying) {
    if (step <= 0) continue;
    const box = fly(sourceBox(plan, h, word), slotBox(plan, i, slot), step, step < 1 ? 6 : 0);
    paintPiece(pen, picture, box, h, word, n < 1 || i === row ? 1 : 0.45);
    if (step < 1) frame(pen, box, edge, 1);
    else if (h !== slot || word !== i) markStranger(pen, look, box, n < 1 || i === row);
  }
  paintNames(pen, picture, n < 1);
  if (n < 1) return;
  const near = flying.filter(({ i, slot }) => isNear(i, slot));
  const boxes = near.map(({ h, word }) => sourceBox(plan, h, word));
  if (marked) boxes.push(slotBox(plan, row, from));
  for (const box of [{ ...slotBox(plan, row, 0), w: H * piece }, ...boxes]) {
    frame(pen, box, paper, 5);
    frame(pen, box, ink, 2.5);
  }
  paintCounts(pen, picture);
}

/**
 * The titles of the two tables and the names in them; while pieces fly, on paper, so that they can be read.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Parameters<typeof paintMerge>[1]} picture
 * @param {boolean} moves
 */
function paintNames(pen, { plan, state, look, words }, moves) {
  const { H, L, E } = state;
  const { side, piece, p, top, bottom, large } = plan;
  title(pen, look, "heads", ["H", "L", "D"], [H, L, E / H], large ? top - 10 : 9);
  pen.fillStyle = look.axes.paper;
  if (moves) pen.fillRect(0, bottom - 38, large ? side - 4 : 140, large ? 36 : 18);
  title(pen, look, "concat", ["L", "E"], [L, E], bottom - (large ? 12 : 28));
  for (const slot of moves ? [] : range(H)) {
    if (piece < 18 && H > 1) break;
    const text = piece > 104 ? `head ${slot} belongs here` : piece > 50 ? `head ${slot}` : String(slot);
    const box = slotBox(plan, 0, slot);
    writeWithin(
      pen,
      text,
      box.x + piece / 2,
      bottom - 8,
      { colour: look.quiet, size: plan.roomy ? 12 : 11, align: "center" },
      piece - 2,
    );
  }
  for (const i of range(L)) {
    for (const y of [top, bottom])
      writeWithin(pen, words[i], side - 7, y + (i + 0.5) * p, { colour: look.axes.L, size: 13, align: "right" }, side - 8);
  }
}

/**
 * How many pieces of each row are in place, or how many are not.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Parameters<typeof paintMerge>[1]} picture
 */
function paintCounts(pen, { plan, state, look }) {
  const { side, piece, p, bottom, roomy } = plan;
  const { H, L, E } = state;
  for (const i of range(L)) {
    const good = range(H).filter((slot) => {
      const [h, word] = sourceOf(state, i, (slot * E) / H);
      return h === slot && word === i;
    }).length;
    const text = `${good === H ? `✓ ${good}` : `✗ ${H - good}`}${roomy ? " of " : "/"}${H}`;
    writeWithin(
      pen,
      text,
      side + H * piece + 6,
      bottom + (i + 0.5) * p,
      {
        colour: good === H ? look.good : look.bad,
        weight: 600,
        size: 13,
      },
      plan.width - side - H * piece - 7,
    );
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Look} look @param {Box} box @param {boolean} strong the piece is, so its mark is on paper */
function markStranger(pen, look, { x, y, w, h }, strong) {
  if (w < 72) return frame(pen, { x: x + 1.5, y: y + 1.5, w: w - 3, h: h - 3 }, look.bad, 2);
  const middle = x + w - (w < 100 ? 8 : 14);
  pen.fillStyle = look.axes.paper;
  if (strong) pen.fillRect(middle - 7, y + 4, 14, h - 8);
  write(pen, "✗", middle, y + h / 2 + 0.5, { colour: look.bad, weight: 700, size: 13, align: "center" });
}

/**
 * D numbers of a word in a head: the head's tint, a stripe in the word's, and its name or number.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Parameters<typeof paintMerge>[1]} picture
 * @param {Box} box
 * @param {number} h
 * @param {number} i
 * @param {number} strength 1, or less for a pale copy
 */
function paintPiece(pen, { plan, state, look, words }, { x, y, w, h: high }, h, i, strength) {
  const tint = mixed(look.heads[h % look.heads.length], look.axes.paper, strength);
  const isOff = state.off.includes(h);
  pen.fillStyle = isOff ? look.axes.paper : tint;
  pen.fillRect(x, y, w, high);
  pen.strokeStyle = mixed(inkOn(tint), isOff ? look.axes.paper : tint, 0.3);
  pen.lineWidth = 1;
  const D = state.E / state.H;
  for (const d of range(D + 1)) {
    pen.beginPath();
    pen.moveTo(x + (d * w) / D, y);
    pen.lineTo(x + (d * w) / D, y + high);
    pen.stroke();
  }
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + w, y);
  pen.stroke();
  const text = isOff ? look.axes.ink : inkOn(tint);
  const colour = strength < 1 ? mixed(text, tint, 0.7) : text;
  const size = plan.roomy ? 13 : 12;
  pen.font = `600 ${size}px ${FONT}`;
  const fits = words.every((word) => pen.measureText(word).width <= w - 4);
  const stripe = fits ? 0 : Math.min(6, w / 4); // a number needs the colour of its word, a name does not
  pen.fillStyle = mixed(look.words[i % look.words.length], look.axes.paper, strength);
  if (stripe) pen.fillRect(x + 1, y + 1, stripe, high - 1);
  const room = w - stripe - 4;
  const name = fits ? words[i] : plan.piece > 26 ? `${h},${i}` : String(i);
  const ground = isOff ? look.axes.paper : tint;
  const width = Math.min(room, pen.measureText(name).width + 4);
  pen.fillStyle = ground;
  pen.fillRect(x + stripe + 1 + (room + 2 - width) / 2, y + 1, width, high - 2);
  writeWithin(
    pen,
    name,
    x + stripe + 2 + room / 2,
    y + high / 2 + 0.5,
    {
      colour,
      size,
      weight: 600,
      align: "center",
    },
    room + 2,
  );
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {string} name
 * @param {string[]} axes
 * @param {number[]} sizes
 * @param {number} y
 */
function title(pen, look, name, axes, sizes, y) {
  let x = write(pen, `${name} (`, 0, y, { colour: look.axes.ink, weight: 700 });
  axes.forEach((axis, n) => {
    if (n) x += write(pen, ", ", x, y, { colour: look.axes.ink });
    x += write(pen, axis, x, y, { colour: look.axes[axis], weight: 700 });
  });
  write(pen, `) = (${sizes.join(", ")})`, x, y, { colour: look.axes.ink });
}
