// BugLab's picture: the weights of a head, or y, of the wrong line of code. When the line is said, this table becomes two. In the one of the
// right line, cells whose numbers are others turn over, one row after the other; what a wrong merge has written elsewhere flies to its place.
// In the other one, the rest fades, and a frame stands around what betrays the line.

import { FONT, penFor, write } from "../kit/canvas.js";
import { coloursOf, inkOn, mixed, ramp } from "../kit/colours.js";
import { number, spelled } from "../kit/format.js";
import { clamp, range } from "../kit/math.js";
import { fly, inTurn } from "../kit/moves.js";
import { SIZES } from "../kit/reader.js";
import { magnitude, shade } from "../kit/scale.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { partedAt } from "./layout.js";
import { FAR, sizesOf } from "./model.js";
import { headOf, isLeak, isOfY, leaks, wordsOf } from "./words.js";

export const TURNED = 0.8; // the part of a move in which cells turn over, or fly
const PARTED = 0.32; // and before that, the one in which one table becomes two
const FAINT = 0.14; // how strong the colour of a cell is that is as it should be
const PALE = 0.34; // and of one that was computed before
const LEAST = 0.08; // and of a weight of nearly 0
const HIDDEN = 0.07; // how dark a cell is whose weight is exactly 0
const WEIGHT = 0.2; // where on the map of weights the colour lies of which each is a shade: a larger one is always stronger
const LIFT = 14; // how high a part rises while it flies
const MERGED = "merged heads, before W_O";
const SHADES = { first: 0.3, all: 0.78 }; // which shades of the colour of H the heads have

/**
 * @typedef {object} Picture
 * @property {import("./layout.js").Plan} plan
 * @property {import("./model.js").State} state
 * @property {import("./model.js").Results} results
 * @property {import("./words.js").Shown} line whose numbers are drawn
 * @property {Record<string, string>} colours of axes, paper, ink, verdicts and the largest weight
 * @property {import("./model.js").Parts | null} parts whose places are drawn as y
 * @property {import("./layout.js").Place | null} pointed
 * @property {Guess[]} guesses of the reader
 * @property {ReturnType<typeof import("./model.js").promptOf>} prompt
 */

/** @typedef {[place: import("./layout.js").Place, verdict: string]} Guess a cell, and what is said of it, ✓ or ✗ first */
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
  const isY = isOfY(state, table);
  const name = isY ? "y" : "weights";
  const { queries, keys } = wordsOf(state);
  const shape =
    line === "wrong"
      ? results.shapes[name]
      : isY
        ? [queries.length, SIZES.E]
        : [sizesOf(state.given).H, queries.length, keys.length];
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
 * @param {number} n how much of the move has passed
 */
export function paint(canvas, picture, n) {
  const pen = penFor(canvas, picture.plan.width, picture.plan.height);
  const parted = progress(n, 0, PARTED, swing);
  const plan = partedAt(picture.plan, parted);
  const { state, colours } = picture;
  const now = { ...picture, plan };
  const [wrong, right] = [...plan.slots].reverse();
  paintWords(pen, now, progress(n, 0.7 * PARTED, PARTED, soft));
  const name = plan.isY ? (plan.isOfParts ? "" : "output y") : `weights of head ${headOf(state, plan.seen)}`;
  if (!right && plan.isWide) title(pen, plan, wrong, name, colours.ink);
  paintTable(pen, now, wrong, n);
  if (!right) return;
  paintTable(pen, now, right, n, false);
  pen.globalAlpha = progress(n, PARTED, TURNED, soft); // until then it has numbers of the wrong one
  title(pen, plan, right, "right line of code", colours.good);
  pen.globalAlpha = parted;
  if (state.bug === "none") title(pen, plan, wrong, "right line of code", colours.good);
  else title(pen, plan, wrong, "wrong line of code", colours.bad);
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Slot} slot @param {number} n @param {boolean} [isWrong] */
function paintTable(pen, picture, slot, n, isWrong = true) {
  const { plan, line, results, colours } = picture;
  const { seen: table } = plan;
  const isUnknown = line === "unknown";
  const { weights, y } = results.moved;
  const isFading = isWrong && !isUnknown && (weights !== 0 || y !== 0); // if nothing changes, nothing stands out
  if (plan.isOfParts && picture.parts) paintParts(pen, picture, picture.parts, slot, isFading, n, isWrong);
  else paintNumbers(pen, picture, slot, isFading, n, isWrong);
  if (picture.pointed) mark(pen, plan, slot, picture.pointed);
  for (const [[, own, i, j], verdict] of isWrong ? picture.guesses : []) {
    if (own !== table || (!isUnknown && verdict[0] === "✗")) continue; // red frames are around wrong numbers now
    const { x, y, w, h } = plan.cell(slot, i, j);
    pen.strokeStyle = pen.fillStyle = colours[verdict[0] === "✓" ? "good" : "bad"];
    pen.lineWidth = 2;
    pen.strokeRect(x, y, w, h);
    pen.fillRect(x - 6, y - 4, 13, 13); // at a corner, where it covers no number
    write(pen, verdict[0], x, y + 3, { colour: colours.paper, align: "center" });
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Slot} slot @param {boolean} isFading whether the rest fades @param {number} n @param {boolean} isWrong */
function paintNumbers(pen, picture, slot, isFading, n, isWrong) {
  const { plan, line, results, colours } = picture;
  const wrong = tableOf(picture, plan.seen, "wrong");
  const shown = isWrong ? wrong : tableOf(picture, plan.seen, "right");
  frame(pen, plan, slot, colours.ink, shown === null);
  if (isWrong && results.message) paintNothing(pen, plan, slot, colours);
  if (!shown) return;
  const scale = plan.isY ? magnitude(results.right_y) : null;
  const hasOther = wrong?.right ? wrong : null; // what the cells turn from
  const least = scale === null ? 13 : 11; // signed numbers have less room
  const size = clamp(slot.w / 7, least, least + 3);
  const writeNumber = writer(pen, { w: slot.w, h: slot.h, size }, shown.values, scale === null);
  const isChanged = (/** @type {number} */ at) => (hasOther ? differs(hasOther.values[at], hasOther.right?.[at] ?? 0) : isWrong);
  const faint = isFading ? mix(1, FAINT, progress(n, TURNED - 0.1, 1, soft)) : 1;
  for (const i of range(shown.rows)) {
    const turned = inTurn(
      progress(n, PARTED, TURNED, (t) => t),
      i,
      shown.rows,
      0.5,
    );
    pen.globalAlpha = line === "unknown" ? inTurn(n, i, shown.rows, 0.5) : isWrong || hasOther ? 1 : soft(n);
    for (const j of range(shown.columns)) {
      const at = i * shown.columns + j;
      const isTurning = !isWrong && hasOther && isChanged(at);
      const width = isTurning ? Math.abs(Math.cos(Math.PI * turned)) : 1;
      const value = isTurning && turned <= 0.5 ? hasOther.values[at] : shown.values[at];
      const box = { ...plan.cell(slot, i + shown.offset, j), size };
      paintCell(pen, box, width, value, scale, isChanged(at) ? 1 : faint, colours, writeNumber);
    }
  }
  pen.globalAlpha = 1;
  const hasLeaks = leaks(results) && scale === null;
  /** What betrays the line is framed: weights on hidden keys if there are any, else all that differs. @param {number} i @param {number} j */
  const isFramed = (i, j) => {
    const at = i * shown.columns + j;
    return hasLeaks ? isLeak(hasOther?.values[at] ?? 0, hasOther?.right?.[at] ?? 1) : isChanged(at);
  };
  if (isFading) contour(pen, plan, slot, shown, isFramed, colours, progress(n, TURNED - 0.1, 1, soft));
}

/**
 * What each row of y is made of: of three heads a part, with the word that the head computed it for. In the table of the right line, the
 * parts fly to their places from where the wrong line has written them, in the order in which memory has them.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("./model.js").Parts} parts
 * @param {Slot} slot
 * @param {boolean} isFading whether the rest fades
 * @param {number} n
 * @param {boolean} isWrong
 */
function paintParts(pen, { plan, state, line, colours }, parts, slot, isFading, n, isWrong) {
  const { H } = sizesOf(state.given);
  const { all } = wordsOf(state);
  const tint = ramp(colours.H, colours.paper);
  const isOther = (/** @type {number} */ i, /** @type {number} */ j) => parts.wrong[i * H + j] !== parts.right[i * H + j];
  const boxOf = (/** @type {number} */ place) => plan.cell(slot, Math.floor(place / H), place % H);
  frame(pen, plan, slot, colours.ink, false);
  const seen = progress(n, TURNED, 1, soft);
  for (const part of range(parts.wrong.length)) {
    const place = parts.wrong.indexOf(part);
    const [head, word] = [Math.floor(part / plan.rows), part % plan.rows];
    const flown = isWrong
      ? 0
      : inTurn(
          progress(n, PARTED, TURNED, (t) => t),
          part,
          parts.wrong.length,
          0.25,
        );
    const { x, y, w, h } = fly(boxOf(place), boxOf(parts.right.indexOf(part)), flown, LIFT);
    const isKept = isFading && !isOther(Math.floor(place / H), place % H);
    const fill = mixed(tint(SHADES.first + (SHADES.all / H) * head), colours.paper, isKept ? mix(1, FAINT, seen) : 1);
    if (line === "unknown") pen.globalAlpha = inTurn(n, Math.floor(place / H), plan.rows, 0.5);
    if (flown > 0 && flown < 1) {
      pen.fillStyle = colours.ink; // an edge of what is in flight
      pen.fillRect(x - 1, y - 1, w + 1.2, h + 1.2);
    }
    pen.fillStyle = fill;
    pen.fillRect(x, y, w - 0.8, h - 0.8);
    write(pen, all[word], x + w / 2, y + h / 2 + 0.3, { colour: inkOn(fill), size: 13, align: "center" });
    pen.globalAlpha = 1;
  }
  const shown = { rows: plan.rows, columns: H, offset: 0 };
  if (isFading) contour(pen, plan, slot, shown, isOther, colours, seen);
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
    : [(/** @type {number} */ value) => spelled(value, 1), (/** @type {number} */ value) => spelled(value, 0)];
  pen.font = `400 ${size}px ${FONT}`;
  /** All but the last way leave a margin. @param {(value: number) => string} way @param {number} n */
  const fits = (way, n) =>
    Array.prototype.every.call(values, (value) => value === 0 || pen.measureText(way(value)).width <= w - (ways[n + 1] ? 4 : 1));
  const way = h < 13 ? null : ways.find(fits);
  return way ? (value) => (value === 0 ? "0" : way(value)) : null;
}

/**
 * The colour of a number and of its text; null if it has a sign instead. Weights are tints of one colour.
 *
 * @param {number} value
 * @param {number | null} most of signed numbers; null: a weight
 * @param {Record<string, string>} colours
 */
function toned(value, most, { weight, ink, paper }) {
  if (most !== null) return shade(value, "signed", most);
  if (!Number.isFinite(value)) return null;
  const tint = value === 0 ? mixed(ink, paper, HIDDEN) : mixed(weight, paper, Math.min(1, LEAST + (1 - LEAST) * value));
  return { paper: tint, ink: inkOn(tint) };
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
 * @param {string} [ground] what a weaker colour is mixed with
 */
function paintCell(pen, { x, y, w, h, size }, share, value, most, strength, colours, written, ground = colours.paper) {
  const isHidden = most === null && value === 0;
  const tone = toned(value, most, colours);
  const wide = (w - 0.8) * share;
  const alpha = pen.globalAlpha;
  if (tone) {
    pen.fillStyle = strength < 1 && !isHidden ? mixed(tone.paper, ground, strength) : tone.paper;
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
 * @param {Pick<Table, "rows" | "columns" | "offset">} shown
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
function frame(pen, { columns, rows }, { x, y, w, h }, ink, isEmpty) {
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.globalAlpha = isEmpty ? 0.45 : 0.22;
  if (isEmpty) pen.setLineDash([4, 4]);
  pen.strokeRect(x - 0.9, y - 0.9, columns * w + 1, rows * h + 1);
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** Above a table; on a narrow page left of what stands above its columns, or would. */
function title(pen, { isWide, isOfParts, left, size }, { x, y }, text, colour) {
  if (isWide) write(pen, isOfParts ? `${text.slice(0, 5)}${text && ": "}${MERGED}` : text, x, 9, { colour, size: 14, weight: 700 });
  else write(pen, text.slice(0, 5), left - 5, y - 9, { colour, size, weight: 700, align: "right" });
}

/** What stands above the columns of a table. On a narrow page the names of heads stand above the second alone. */
function paintColumns(pen, { size, isY, isWide, isOfParts, isUpright, columns, slots }, slot, state, keys, colours) {
  const { x: start, y, w } = slot;
  const told = isOfParts
    ? !isWide && slots[1] && slot === slots[0] && MERGED
    : isY && `${SIZES.E} numbers for each word${w > 31 ? "" : ", rounded"}`;
  if (told) return void write(pen, told, start, y - 10, { colour: colours.E, size });
  const [names, colour] = isOfParts ? [range(columns).map((head) => `head ${headOf(state, head)}`), colours.H] : [keys, colours.S];
  names.forEach((name, j) => {
    const x = start + (j + 0.5) * w;
    if (isUpright && !isOfParts) {
      pen.save();
      pen.translate(x, y - 5);
      pen.rotate(-Math.PI / 2);
      write(pen, name, 0, 0, { colour, size });
      pen.restore();
    } else write(pen, name, x, y - 9, { colour, size, align: "center" });
  });
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {number} alpha of the words at the table that leaves the other */
function paintWords(pen, { plan, state, results, colours, prompt }, alpha) {
  const { queries, keys, all } = wordsOf(state);
  const rows = results.shapes.weights?.[1] || queries.length; // of which there are numbers
  const { size } = plan;
  plan.slots.forEach((slot, n) => {
    const seen = n ? alpha : 1;
    pen.globalAlpha = seen;
    if (plan.isWide || plan.isOfParts || n === 0) paintColumns(pen, plan, slot, state, keys, colours);
    all.forEach((word, i) => {
      pen.globalAlpha = i < plan.rows - rows ? 0.5 * seen : seen;
      write(pen, word, slot.x - 5, slot.y + (i + 0.5) * slot.h, { colour: colours.L, size, align: "right" });
    });
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
  const { seen, isY } = plan;
  const [of, scale] = isY ? [y, magnitude(y.data)] : [weights, null];
  for (const i of range(old))
    for (const j of range(scale ? SIZES.E : i + 1)) {
      const value = of.data[scale ? i * SIZES.E + j : (seen * old + i) * old + j];
      paintCell(
        pen,
        { ...plan.cell(slot, i, j), size: plan.size },
        1,
        value,
        scale,
        PALE,
        colours,
        null,
        mixed(colours.ink, colours.paper, 0.1),
      );
    }
}

/** In the place of the numbers of a line that raises an error. */
function paintNothing(pen, { columns, rows }, { x, y, w, h }, colours) {
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
 * The colours of the page, and that of a weight of 1.
 *
 * @param {Element} root
 * @param {Record<string, Element>} verdicts an element in the colour of each
 * @returns {Record<string, string>}
 */
export function lookOf(root, verdicts) {
  const told = Object.entries(verdicts).map(([kind, node]) => [kind, getComputedStyle(node).color]);
  const page = coloursOf(root);
  const tint = ramp(/** @type {{ paper: string }} */ (shade(WEIGHT, "weights", 1)).paper, page.paper);
  const weight = tint(inkOn(page.paper) === "#000" ? -0.2 : 0.4); // darker than any tint on light paper
  return { ...page, weight, ...Object.fromEntries(told) };
}
