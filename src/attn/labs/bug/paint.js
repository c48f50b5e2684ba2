// BugLab's picture: the weights of a head, or y, of the right line and of the drawn one. When the line is exchanged, the cells whose numbers are others turn over, one row
// after the other; then the rest fades, and a frame stands around what betrays the line.

import { FONT, penFor, write } from "../kit/canvas.js";
import { coloursOf, inkOn, mixed } from "../kit/colours.js";
import { number, spelled } from "../kit/format.js";
import { range } from "../kit/math.js";
import { inTurn } from "../kit/moves.js";
import { SIZES } from "../kit/reader.js";
import { magnitude, shade } from "../kit/scale.js";
import { mix, progress, soft } from "../kit/time.js";
import { FAR } from "./model.js";
import { isLeak, leaks, wordsOf } from "./words.js";

export const TURNED = 0.72; // the part of a move in which cells turn over
const PALE = 0.34; // and of one that was computed before
const FAINT = 0.14; // how strong the colour of a cell is that is as it should be
const LEAST = 0.2; // and of a weight of nearly 0
const STRONG = 0.35; // the weight from which on a colour is at full strength
const HIDDEN = 0.07; // how dark a cell is whose weight is exactly 0

/**
 * @typedef {object} Picture
 * @property {import("./layout.js").Plan} plan
 * @property {import("./model.js").State} state
 * @property {import("./model.js").Results} results
 * @property {import("./words.js").Shown} line whose numbers are drawn
 * @property {Record<string, string>} colours of axes, paper, ink and verdicts
 * @property {import("./layout.js").Place | null} pointed
 * @property {ReturnType<typeof import("./model.js").promptOf>} prompt
 */

/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {{ rows: number, offset: number, columns: number, values: ArrayLike<number>, right: ArrayLike<number> | null }} Table */

/**
 * A table as one of the lines computes it; null if that is an error. right: the numbers of the right line, if there are as many.
 *
 * @param {Picture} picture
 * @param {number} table
 * @param {"right" | "wrong"} line
 * @returns {Table | null}
 */
export function tableOf({ plan, state, results }, table, line) {
  const isY = table === SIZES.H;
  const name = isY ? "y" : "weights";
  const { queries, keys } = wordsOf(state);
  const shape = line === "wrong" ? results.shapes[name] : isY ? [queries.length, SIZES.E] : [SIZES.H, queries.length, keys.length];
  const all = line === "wrong" ? results[name] : results[`right_${name}`];
  if (!shape || !all) return null;
  const [rows, columns] = shape.slice(-2);
  const cut = (/** @type {ArrayLike<number>} */ of) =>
    isY ? of : Array.prototype.slice.call(of, table * rows * columns, (table + 1) * rows * columns);
  const isAlike = rows === queries.length && columns === (isY ? SIZES.E : keys.length);
  const right = isAlike ? cut(results[`right_${name}`]) : null;
  return { rows, columns, offset: plan.rows - rows, values: cut(all), right };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {number} n how much of the move has passed: to the line that is drawn, from the other one
 */
export function paint(canvas, picture, n) {
  const { plan, line, colours } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  paintWords(pen, picture);
  const [first, second] = plan.slots;
  const isUnknown = line === "unknown"; // the reader looks first
  title(pen, plan, first, "right", colours.good);
  title(pen, plan, second, line === "right" ? "right" : "wrong", line === "right" ? colours.good : colours.bad);
  if (isUnknown) frame(pen, plan, first, colours.ink, true);
  else paintTable(pen, { ...picture, line: "right" }, first, 1);
  paintTable(pen, picture, second, n);
  if (isUnknown)
    write(pen, "?", first.x + (plan.columns * plan.w) / 2, first.y + (plan.rows * first.h) / 2, {
      ...{ colour: colours.good, size: plan.isWide ? 60 : 44, weight: 700, align: "center" },
    });
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Slot} slot @param {number} n */
function paintTable(pen, picture, slot, n) {
  const { plan, line, results, colours } = picture;
  const { seen: table } = plan;
  const isWrong = line !== "right";
  const isUnknown = line === "unknown";
  const { weights, y } = results.moved;
  const isFading = !isUnknown && (weights !== 0 || y !== 0); // if nothing changes, nothing stands out
  const hasLeaks = leaks(results);
  const wrong = tableOf(picture, table, "wrong");
  const shown = isWrong ? wrong : tableOf(picture, table, "right");
  frame(pen, plan, slot, colours.ink, shown === null);
  if (isWrong && results.message) paintNothing(pen, plan, slot, colours);
  if (!shown) return;
  const scale = table === SIZES.H ? magnitude(results.right_y) : null;
  const hasOther = wrong?.right ? wrong : null; // what the cells turn into
  const size = scale === null ? 13 : 12; // signed numbers have less room
  const writeNumber = writer(pen, { w: plan.w, h: slot.h, size }, shown.values, scale === null);
  const isChanged = (/** @type {number} */ i, /** @type {number} */ j) => {
    const at = i * shown.columns + j;
    return isWrong && !shown.right ? true : Boolean(hasOther && differs(hasOther.values[at], hasOther.right?.[at] ?? 0));
  };
  const faint = !isFading
    ? 1
    : isWrong
      ? mix(1, FAINT, progress(n, TURNED - 0.3, 1, soft))
      : mix(FAINT, 1, progress(n, 0, 0.4, soft));
  for (const i of range(shown.rows)) {
    const turned = inTurn(
      progress(n, 0, TURNED, (t) => t),
      i,
      shown.rows,
      0.5,
    );
    for (const j of range(shown.columns)) {
      const at = i * shown.columns + j;
      const isOther = isChanged(i, j);
      const before = hasOther ? (isWrong ? hasOther.right?.[at] : hasOther.values[at]) : shown.values[at];
      const width = isOther && hasOther && turned < 1 ? Math.abs(Math.cos(Math.PI * turned)) : 1;
      const value = isOther && turned <= 0.5 ? /** @type {number} */ (before) : shown.values[at];
      pen.globalAlpha = hasOther || !isWrong ? 1 : soft(n);
      const box = { ...plan.cell(slot, i + shown.offset, j), size };
      paintCell(pen, box, width, value, scale, isOther ? 1 : faint, colours, writeNumber);
    }
  }
  pen.globalAlpha = 1;
  const seen = isWrong ? progress(n, TURNED - 0.1, 1, soft) : 1 - progress(n, 0, 0.25, soft);
  /** What betrays the line is framed: weights on hidden keys if there are any, else all that differs. @type {typeof isChanged} */
  const isFramed = (i, j) => {
    const at = i * shown.columns + j;
    return hasLeaks && scale === null ? isLeak(hasOther?.values[at] ?? 0, hasOther?.right?.[at] ?? 1) : isChanged(i, j);
  };
  if (wrong && seen > 0 && !isUnknown && (isWrong || hasOther)) contour(pen, plan, slot, shown, isFramed, colours, seen);
  if (picture.pointed) mark(pen, plan, slot, picture.pointed);
}

/** Whether a number is not the right one. @param {number} value @param {number} right */
const differs = (value, right) => !(Math.abs(value - right) <= FAR);

/**
 * How the numbers of a table are written: all in the same way, the first in which each of them fits; null if none does.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ w: number, h: number, size: number }} cell
 * @param {ArrayLike<number>} values
 * @param {boolean} isWeights
 * @returns {((value: number) => string) | null}
 */
function writer(pen, { w, h, size }, values, isWeights) {
  const ways = isWeights
    ? [
        (/** @type {number} */ value) => number(value, 2),
        (/** @type {number} */ value) => number(value, 2).replace("0.", ".").replace("1.00", "1"),
      ]
    : [(/** @type {number} */ value) => spelled(value, 1)];
  pen.font = `400 ${size}px ${FONT}`;
  const margin = isWeights ? 4 : 1.5;
  /** All but the last way leave a margin. @param {(value: number) => string} way @param {number} n */
  const fits = (way, n) =>
    Array.prototype.every.call(
      values,
      (value) => value === 0 || pen.measureText(way(value)).width <= w - (ways[n + 1] ? margin : 1),
    );
  const way = h < 13 ? null : ways.find(fits);
  return way ? (value) => (value === 0 ? "0" : way(value)) : null;
}

/**
 * A small weight is pale: many of them together are no dark slab.
 *
 * @param {ReturnType<typeof shade>} tone
 * @param {number} value
 * @param {Record<string, string>} colours
 */
function toned(tone, value, { paper }) {
  const strength = Math.min(1, LEAST + (1 - LEAST) * (value / STRONG));
  if (!tone || strength === 1) return tone;
  const pale = mixed(tone.paper, paper, strength);
  return { paper: pale, ink: inkOn(pale) };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("../kit/moves.js").Box & { size: number }} box
 * @param {number} share of its width
 * @param {number} value
 * @param {number | null} most of signed numbers; null: a weight
 * @param {number} strength of its colour
 * @param {Record<string, string>} colours
 * @param {((value: number) => string) | null} written
 */
function paintCell(pen, { x, y, w, h, size }, share, value, most, strength, colours, written) {
  const isHidden = most === null && value === 0;
  const tone = isHidden
    ? { paper: mixed(colours.ink, colours.paper, HIDDEN), ink: colours.ink }
    : toned(shade(value, most === null ? "weights" : "signed", most ?? 1), most === null ? value : 1, colours);
  const wide = (w - 0.8) * share;
  const alpha = pen.globalAlpha;
  if (tone) {
    pen.fillStyle = strength < 1 && !isHidden ? mixed(tone.paper, colours.paper, strength) : tone.paper;
    pen.fillRect(x + (w - wide) / 2, y, wide, h - 0.8);
  }
  const text = tone ? written?.(value) : "×";
  if (!text || share < 0.7) return;
  pen.globalAlpha = alpha * (isHidden ? 0.5 : strength > 0.6 ? 1 : 0.75);
  const colour = tone && strength > 0.6 ? tone.ink : colours.ink;
  write(pen, text, x + w / 2, y + h / 2 + 0.3, { colour, size, align: "center" });
  pen.globalAlpha = alpha;
}

/**
 * A line around these cells, and not between two of them.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./layout.js").Plan} plan
 * @param {Slot} slot
 * @param {Table} shown
 * @param {(i: number, j: number) => boolean} isFramed
 * @param {Record<string, string>} colours
 * @param {number} alpha
 */
function contour(pen, plan, slot, { rows, columns, offset }, isFramed, colours, alpha) {
  const is = (/** @type {number} */ i, /** @type {number} */ j) => i >= 0 && i < rows && j >= 0 && j < columns && isFramed(i, j);
  pen.beginPath();
  for (const i of range(rows))
    for (const j of range(columns)) {
      if (!is(i, j)) continue;
      const box = plan.cell(slot, i + offset, j);
      const [x, y] = [box.x - (j ? 0.4 : 1.8), box.y - (i ? 0.4 : 1.8)]; // around a table outside, where it covers no number
      const right = box.x + box.w - (j < columns - 1 ? 0.8 : -0.6);
      const low = box.y + box.h - (i < rows - 1 ? 0.8 : -0.6);
      const sides = /** @type {const} */ ([
        [is(i - 1, j), x, y, right, y],
        [is(i + 1, j), x, low, right, low],
        [is(i, j - 1), x, y, x, low],
        [is(i, j + 1), right, y, right, low],
      ]);
      for (const [isInner, x1, y1, x2, y2] of sides)
        if (!isInner) {
          pen.moveTo(x1, y1);
          pen.lineTo(x2, y2);
        }
    }
  pen.globalAlpha = alpha;
  pen.lineCap = "square";
  for (const [colour, thick] of /** @type {[string, number][]} */ ([
    [colours.paper, 4],
    [colours.bad, 2],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick;
    pen.stroke();
  }
  pen.lineCap = "butt";
  pen.globalAlpha = 1;
}

/** Around a table, with the rows of words whose keys and values are in a cache. */
function frame(pen, { w, columns, rows }, { x, y, h }, ink, isEmpty) {
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.globalAlpha = isEmpty ? 0.45 : 0.22;
  if (isEmpty) pen.setLineDash([4, 4]);
  pen.strokeRect(x - 0.9, y - 0.9, columns * w + 1, rows * h + 1);
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** Above a table; on a narrow page left of its columns' words, or of where they would be. */
function title(pen, { isWide, left, size }, { x, y }, text, colour) {
  if (isWide) write(pen, `${text} line`, x, 9, { colour, size: 14, weight: 700 });
  else write(pen, text, left - 5, y - 9, { colour, size, weight: 700, align: "right" });
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintWords(pen, { plan, state, results, line, colours, prompt }) {
  const { queries, keys, all } = wordsOf(state);
  const rows = (line !== "right" && results.shapes.weights?.[1]) || queries.length; // of which there are numbers
  const { w, size } = plan;
  for (const { x: start, y } of plan.isWide ? plan.slots : plan.slots.slice(0, 1))
    if (plan.seen === SIZES.H) write(pen, `${SIZES.E} numbers for each word`, start, y - 10, { colour: colours.E, size });
    else
      keys.forEach((word, j) => {
        const x = start + (j + 0.5) * w;
        if (plan.isUpright) {
          pen.save();
          pen.translate(x, y - 5);
          pen.rotate(-Math.PI / 2);
          write(pen, word, 0, 0, { colour: colours.S, size });
          pen.restore();
        } else write(pen, word, x, y - 9, { colour: colours.S, size, align: "center" });
      });
  const { y, h } = plan.slots[1];
  all.forEach((word, i) => {
    pen.globalAlpha = i < plan.rows - rows ? 0.5 : 1;
    write(pen, word, plan.left - 5, y + (i + 0.5) * h, { colour: colours.L, size, align: "right" });
    pen.globalAlpha = 1;
  });
  if (!prompt) return;
  plan.slots.forEach((slot, n) => {
    paintPrompt(pen, plan, prompt, slot, plan.rows - (plan.slots[n + 1] ? queries.length : rows), colours);
  });
}

/**
 * The rows of the words before the new one, pale: they were computed before, and their keys and values are in a cache.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./layout.js").Plan} plan
 * @param {NonNullable<Picture["prompt"]>} prompt
 * @param {Slot} slot
 * @param {number} old how many rows
 * @param {Record<string, string>} colours
 */
function paintPrompt(pen, plan, { weights, y }, slot, old, colours) {
  const { seen } = plan;
  const [of, scale] = seen < SIZES.H ? [weights, null] : [y, magnitude(y.data)];
  for (const i of range(old))
    for (const j of range(scale ? SIZES.E : i + 1)) {
      const value = of.data[scale ? i * SIZES.E + j : (seen * old + i) * old + j];
      paintCell(pen, { ...plan.cell(slot, i, j), size: plan.size }, 1, value, scale, PALE, colours, null);
    }
}

/** In the place of the numbers of a line that raises an error. */
function paintNothing(pen, { w, columns, rows }, { x, y, h }, colours) {
  write(pen, "no numbers: an error", x + (columns * w) / 2, y + (rows * h) / 2, {
    ...{ colour: colours.luck, size: 14, weight: 700, align: "center" },
  });
}

/** The cell that is pointed at: black on white, which can be seen on every colour. */
function mark(pen, plan, slot, [, , i, j]) {
  const { x, y, w, h } = plan.cell(slot, i, j);
  for (const [colour, thick] of /** @type {const} */ ([
    ["#fff", 3.4],
    ["#000", 1.4],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick;
    pen.strokeRect(x, y, w - 0.8, h - 0.8);
  }
}

/**
 * The colours of the page.
 *
 * @param {Element} root
 * @param {Record<string, Element>} verdicts an element in the colour of each
 * @returns {Record<string, string>}
 */
export function lookOf(root, verdicts) {
  const told = Object.entries(verdicts).map(([kind, node]) => [kind, getComputedStyle(node).color]);
  return { ...coloursOf(root), ...Object.fromEntries(told) };
}
