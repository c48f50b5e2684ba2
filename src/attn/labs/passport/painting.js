// What PassportLab writes on its canvas: the row of memory with its fences, the edges and names of the tables, and single numbers.

import { inkOn, tints } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { ROW } from "./layout.js";
import { passport, pieceOf, possiblePieces, receivers } from "./model.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./model.js").Settings & { colour_by: "head" | "token", pin: number | null }} Settings */
/** @typedef {ReturnType<typeof import("./layout.js").rowLayout>} Row */
/** @typedef {{ x: number, y: number }} Space where the tables of a panel begin */
/** @typedef {{ text: string, colour: string }} Tag */
/**
 * @typedef {object} Panel
 * @property {number[]} places of the numbers in its cells; empty: nothing is in them
 * @property {string[]} wrong what is wrong with each of them
 * @property {ReturnType<typeof import("./layout.js").layout>} plan
 * @property {Space} space
 */
/**
 * @typedef {object} Context what is painted, and with which colours
 * @property {CanvasRenderingContext2D} pen
 * @property {Settings} settings
 * @property {{ cut: boolean, grip: boolean }} shown
 * @property {{ tables: number }} shape
 * @property {number} count of the numbers of a sentence
 * @property {number} first place of the sentence that is shown
 * @property {import("./layout.js").Widths} needed
 * @property {Record<string, string>} colours
 * @property {string[]} heads
 * @property {string[]} words
 * @property {string} bad
 * @property {boolean} byHead
 */

const EDGE = 0.35; // how strong the edges of empty cells are

/**
 * Where cell n of a panel is.
 *
 * @param {Panel} panel
 * @param {number} n
 * @returns {Box}
 */
export function boxIn({ plan, space }, n) {
  const { x, y, w, h } = plan.cellAt(n);
  return { x: space.x + x, y: space.y + y, w, h };
}

/**
 * A quiet colour between ink and paper.
 *
 * @param {Record<string, string>} colours
 */
const quiet = ({ ink, paper }) => tints(ink, paper)[1];

/** @type {Map<string, string>} */
const inks = new Map();

/** Black or white, whichever is easier to read on this colour. @param {string} colour */
function inkOf(colour) {
  const ink = inks.get(colour) ?? inkOn(colour);
  inks.set(colour, ink);
  return ink;
}

/** @param {Context} context @param {number} n @returns {Tag} */
const headTag = ({ heads }, n) => ({ text: `head ${n}`, colour: heads[n % heads.length] });
/** @param {Context} context @param {number} n @returns {Tag} */
const wordTag = ({ words }, n) => ({ text: `word ${n}`, colour: words[n % words.length] });

/** @param {Context} context @param {number} place */
function tagOf(context, place) {
  const { h, l } = passport(place, context.settings);
  return context.byHead ? headTag(context, h) : wordTag(context, l);
}

/**
 * One number: its colour, its passport, a folded corner if it is not in place.
 *
 * @param {Context} context
 * @param {number} place
 * @param {Box} box
 * @param {string} wrong
 * @param {number} flash 0 to 1
 * @param {string} label
 */
export function paintCell(context, place, { x, y, w, h }, wrong, flash, label) {
  const { pen } = context;
  const { h: head, l, d } = passport(place, context.settings);
  const { colour } = tagOf(context, place);
  const edge = w >= 8 ? 1 : w >= 4 ? 0.5 : 0;
  pen.fillStyle = colour;
  pen.fillRect(x, y, w - edge, h - (h >= 8 ? 1 : edge));
  pen.fillStyle = inkOf(colour);
  const texts = { full: `${l}.${head}.${d}`, brief: `${l}.${head}`, digit: String(context.byHead ? head : l) };
  const text = texts[label];
  if (text && w >= context.needed[label]) {
    pen.textAlign = "center";
    pen.fillText(text, x + w / 2 - (wrong ? 1.5 : 0.5), y + h / 2 + 0.5);
  }
  if (wrong) {
    const fold = Math.min(7, w / 3.4, h / 2.4);
    const right = x + w - edge;
    pen.beginPath();
    pen.moveTo(right - fold, y);
    if (wrong === "stranger") pen.lineTo(right, y);
    pen.lineTo(right, y + fold);
    if (wrong === "stranger") pen.fill();
    else {
      pen.strokeStyle = inkOf(colour);
      pen.lineWidth = 1;
      pen.stroke();
    }
  }
  if (flash > 0 && wrong === "stranger") {
    pen.strokeStyle = context.bad;
    pen.lineWidth = 1 + 3 * flash;
    pen.globalAlpha = Math.min(1, 2 * flash);
    pen.strokeRect(x - 1, y - 1, w + 1, h + 1);
    pen.globalAlpha = 1;
  }
}

/**
 * A tag, with as much of its text as there is room for.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Tag} tag
 * @param {Box} box
 */
function paintTag(pen, { text, colour }, { x, y, w, h }) {
  pen.fillStyle = colour;
  pen.fillRect(x, y, Math.max(1, w), h);
  const fitting = [text, text.replace(/\D/g, "")].find((one) => pen.measureText(one).width + 2 <= w);
  if (!fitting) return;
  pen.fillStyle = inkOf(colour);
  pen.textAlign = "center";
  pen.fillText(fitting, x + w / 2, y + h / 2 + 0.5);
}

/**
 * The row of memory: whose numbers these are, the numbers, and, if it is cut, the fences and who takes the pieces.
 *
 * @param {Context} context
 * @param {Row} row
 */
export function paintRow(context, row) {
  const { pen, settings, count, colours, shown, needed, first } = context;
  const { L, H, D, B, operation } = settings;
  const split = operation === "split";
  pen.textAlign = "left";
  pen.fillStyle = colours.ink;
  const what = split ? "x in memory, word after word" : "heads in memory, head after head";
  pen.fillText(B > 1 ? `${what} (sentence ${first / count} of ${B})` : what, 1, ROW.caption);
  const unit = (split ? H : L) * D;
  /** @param {number} from @param {number} to @param {number} y @param {number} h @returns {Box} */
  const span = (from, to, y, h) => ({
    x: row.xAt(from),
    y,
    w: row.xAt(to) - row.xAt(from) - (row.pitch * (to - from) > 3 ? 1 : 0),
    h,
  });
  for (let n = 0; n < count / unit; n++)
    paintTag(pen, (split ? wordTag : headTag)(context, n), span(n * unit, (n + 1) * unit, ROW.owners, ROW.tag - 1));
  const label = /** @type {const} */ (["full", "brief", "digit"]).find((one) => row.pitch - 1 >= needed[one]) ?? "none";
  range(count).forEach((place) => {
    paintCell(context, place, row.cellAt(place), "", 0, label);
  });
  if (label === "none") paintRuns(context, row);
  if (!shown.cut) {
    const ask = {
      text: split ? "which head gets which number?" : "which word gets which number?",
      colour: tints(colours.ink, colours.paper)[5],
    };
    return paintTag(pen, ask, span(0, count, ROW.takers, ROW.tag));
  }
  const [piece, takers] = [pieceOf(settings), receivers(settings)];
  const possible = possiblePieces(settings);
  const fits = possible.includes(piece);
  for (let n = 0; n * piece < count; n++) {
    const [from, to] = [n * piece, Math.min(count, (n + 1) * piece)];
    const whole = fits && to - from === piece;
    const tag = (split ? headTag : wordTag)(context, n % takers.count);
    paintTag(pen, whole ? tag : { text: "?", colour: quiet(colours) }, span(from, to, ROW.takers, ROW.tag));
  }
  paintFences(context, row, piece);
  if (shown.grip) paintRail(context, row, possible);
}

/**
 * Where a cell has no room for a digit, each run of cells of one colour has its number once: between two fences, if there is room.
 *
 * @param {Context} context
 * @param {Row} row
 */
function paintRuns(context, row) {
  const { pen, count, shown, settings } = context;
  const piece = shown.cut ? pieceOf(settings) : count;
  const texts = range(count).map((place) => tagOf(context, place));
  /** @param {number} from @param {number} to @param {Tag} tag */
  const write = (from, to, { text, colour }) => {
    const [x, w, digits] = [row.xAt(from), row.xAt(to) - row.xAt(from), text.replace(/\D/g, "")];
    if (w < pen.measureText(digits).width + 2) return false;
    pen.fillStyle = inkOf(colour);
    pen.fillText(digits, x + w / 2, ROW.cells + ROW.cell / 2 + 0.5);
    return true;
  };
  pen.textAlign = "center";
  for (let from = 0, to = 0; from < count; from = to) {
    const tag = texts[from];
    while (to < count && texts[to].text === tag.text) to++;
    const cuts = [from, ...range(to).filter((place) => place > from && place % piece === 0), to];
    const written = cuts.slice(1).map((end, n) => write(cuts[n], end, tag));
    if (!written.some(Boolean)) write(from, to, tag);
  }
}

function paintFences(/** @type {Context} */ { pen, colours, count, shown }, /** @type {Row} */ row, /** @type {number} */ piece) {
  for (let at = 0; at <= count; at += piece) {
    const [main, thin] = [at === piece && shown.grip, piece * row.pitch < 6];
    const [width, x] = [main ? 3 : thin ? 1 : 2, row.xAt(at) - 0.5];
    const top = ROW.cells - 2;
    const bottom = main ? ROW.rail : ROW.takers + ROW.tag + (thin ? 0 : 2);
    pen.fillStyle = colours.paper;
    pen.fillRect(x - width / 2 - 1, top, width + 2, (thin && !main ? ROW.cells : bottom) - top);
    pen.fillStyle = colours.ink;
    pen.fillRect(x - width / 2, top, width, bottom - top);
  }
}

/** The rail of the fence, with a tick at every length that a view can cut. */
function paintRail(/** @type {Context} */ { pen, colours, settings }, /** @type {Row} */ row, /** @type {number[]} */ possible) {
  const { share } = receivers(settings);
  pen.fillStyle = quiet(colours);
  pen.fillRect(1, ROW.rail - 0.5, row.xAt(share) - 1, 1);
  for (const one of possible) {
    pen.beginPath();
    pen.arc(row.xAt(one) - 0.5, ROW.rail, 2.5, 0, 7);
    pen.fill();
  }
  const names = [
    [share, settings.operation === "split" ? "L·D" : "H·D"],
    [settings.D, "D"],
    [1, "1"],
  ];
  let free = Number.POSITIVE_INFINITY;
  pen.textAlign = "left";
  for (const [at, name] of /** @type {[number, string][]} */ (names)) {
    const wide = pen.measureText(name).width;
    const x = Math.max(1, Math.min(row.width - wide, row.xAt(at) - wide / 2));
    if (x + wide + 4 > free) continue;
    free = x;
    let from = x;
    for (const letter of name) {
      pen.fillStyle = colours[letter] ?? colours.ink;
      pen.fillText(letter, from, ROW.ticks);
      from += pen.measureText(letter).width;
    }
  }
}

/** The names of the heads and of the rows, and the edges of the cells. */
export function paintFrame(/** @type {Context} */ context, /** @type {Panel} */ panel) {
  const { pen, settings, shape, colours, count } = context;
  const { plan, space } = panel;
  const { L, H } = settings;
  const split = settings.operation === "split";
  for (let table = 0; table < shape.tables; table++) {
    const [x, y, column] = plan.corner(table);
    for (const n of split ? [table] : range(H)) {
      const left = space.x + x + (split ? 0 : n * plan.groupWidth);
      const tag = headTag(context, n);
      const w = Math.min(plan.groupWidth - 6, pen.measureText(tag.text).width + 8);
      paintTag(pen, tag, { x: left, y: space.y + y - 16, w: w < 10 ? plan.groupWidth - 6 : w, h: 13 });
    }
    if (column > 0) continue;
    pen.textAlign = "right";
    pen.fillStyle = colours.ink;
    pen.fillText("word", space.x + x - 5, space.y + y - 9);
    if (plan.cellHeight >= 13)
      for (let l = 0; l < L; l++) {
        const box = { x: space.x + x - 19, y: space.y + y + l * plan.cellHeight, w: 14, h: plan.cellHeight - 1 };
        paintTag(pen, { ...wordTag(context, l), text: String(l) }, box);
      }
  }
  if (plan.cellWidth < 6 && panel.places.length) return;
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  pen.globalAlpha = EDGE;
  for (let n = 0; n < count; n++) {
    const { x, y, w, h } = boxIn(panel, n);
    pen.strokeRect(x + 0.5, y + 0.5, w - 2, h - 2);
  }
  pen.globalAlpha = 1;
}
