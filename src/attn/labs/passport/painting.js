// What PassportLab writes on its canvas: the row of memory with its fences, the edges and names of the tables, and single numbers.

import { inkOn, tints } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { ROW } from "./layout.js";
import { passport, pieceOf, possiblePieces, receivers } from "./model.js";

/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./model.js").Settings & { colour: "head" | "word", pin: number | null }} Settings */
/** @typedef {ReturnType<typeof import("./layout.js").rowLayout>} Row */
/** @typedef {{ x: number, y: number }} Space where the tables of a panel begin */
/** @typedef {{ texts: string[], colour: string }} Tag texts: from the longest to the shortest */
/** @typedef {{ place: number, box: Box, flown: number, wrong: string }} Cell flown: 0 to 1 */
/**
 * @typedef {object} Panel
 * @property {number[]} places of the numbers in its cells; empty: nothing is in them
 * @property {string[]} wrong what is wrong with each of them
 * @property {number[]} blocks the first place of the block of each of them
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
 * @property {Record<string, string>} colours
 * @property {string[]} heads
 * @property {string[]} words
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
const headTag = ({ heads }, n) => ({ texts: [`head ${n}`, `h${n}`, String(n)], colour: heads[n % heads.length] });
/** @param {Context} context @param {number} n @returns {Tag} */
const wordTag = ({ words }, n) => ({ texts: [`word ${n}`, `w${n}`, String(n)], colour: words[n % words.length] });

/**
 * The colour of a number, and what stands on it: its word and its head, or, if there is no room for both, the one that the colour shows.
 *
 * @param {Context} context
 * @param {number} place
 * @returns {Tag}
 */
function tagOf(context, place) {
  const { h, l } = passport(place, context.settings);
  const { texts, colour } = context.byHead ? headTag(context, h) : wordTag(context, l);
  return { texts: [`w${l} h${h}`, texts[1]], colour };
}

/**
 * Write the first of these texts that has room in the box, and say whether one had. Behind it the edges of all cells of a run are
 * hidden but for their ends: a text over the middle edge alone would make three cells of four.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Tag} tag
 * @param {Box} box
 * @param {number} [run] the width of its cells, if that is more
 */
function write(pen, { texts, colour }, { x, y, w, h }, run = w) {
  const text = texts.find((one) => pen.measureText(one).width <= w - 1);
  if (!text) return false;
  const end = h > 20 ? 2.5 : 1; // an edge does not reach the letters
  pen.fillStyle = colour;
  pen.fillRect(x + 0.5, y + end, run - 2, h - 1 - 2 * end);
  pen.fillStyle = inkOf(colour);
  pen.textAlign = "center";
  pen.fillText(text, x + w / 2, y + h / 2 + 0.5);
  return true;
}

/** One number: a cell in the colour of its head or word. */
export function paintCell(/** @type {Context} */ context, /** @type {number} */ place, /** @type {Box} */ { x, y, w, h }) {
  const edge = w >= 8 ? 1 : w >= 4 ? 0.5 : 0;
  context.pen.fillStyle = tagOf(context, place).colour;
  context.pen.fillRect(x, y, w - edge, h - (h >= 8 ? 1 : edge));
}

/**
 * Whose numbers these are, once for all cells side by side that have the same word and head; and on those out of place a folded corner:
 * black if they belong to another head (in a merge: to another word), white if only to another cell. A single number with a corner
 * has no room for a text.
 *
 * @param {Context} context
 * @param {Cell[]} cells
 */
export function paintLabels(context, cells) {
  const { pen, settings } = context;
  const owners = cells.map(({ place }) => passport(place, settings));
  const joined = (/** @type {number} */ n) => {
    const [before, box] = [cells[n - 1].box, cells[n].box];
    const same = owners[n].l === owners[n - 1].l && owners[n].h === owners[n - 1].h;
    return same && Math.abs(box.y - before.y) < 0.01 && Math.abs(box.x - before.x - before.w) < 1;
  };
  for (let from = 0, to = 1; from < cells.length; from = to++) {
    while (to < cells.length && joined(to)) to++;
    const run = cells.slice(from, to);
    const { box, place } = run[0];
    const tag = tagOf(context, place);
    const marked = run.filter(({ wrong }, n) => wrong && wrong !== run[n + 1]?.wrong);
    const end = (/** @type {Cell} */ cell) => cell.box.x + cell.box.w - 3;
    const fold = Math.min(11, box.h - 4, (box.w * run.length) / 2.2);
    const room = marked.length ? end(marked[0]) - fold - box.x : box.w * run.length - 1;
    if (box.h >= 12 && !(marked.length && run.length === 1 && settings.D > 1))
      write(pen, tag, { ...box, w: room }, box.w * run.length);
    for (const cell of marked) paintCorner(pen, { x: end(cell), y: box.y + 2 }, fold, cell.wrong === "stranger");
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Space} at the corner, inside the cell: white on white would be a missing corner
 * @param {number} fold
 * @param {boolean} filled
 */
function paintCorner(pen, { x, y }, fold, filled) {
  pen.beginPath();
  pen.moveTo(x - fold, y + 0.5);
  pen.lineTo(x - 0.5, y + 0.5);
  pen.lineTo(x - 0.5, y + fold);
  pen.closePath();
  [pen.fillStyle, pen.strokeStyle] = filled ? ["#000", "#fff"] : ["#fff", "#000"]; // both are seen on every colour
  pen.lineWidth = 1;
  pen.fill();
  pen.stroke();
}

/**
 * A tag, with as much of its text as there is room for.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Tag} tag
 * @param {Box} box
 */
function paintTag(pen, tag, box) {
  const wide = Math.max(1, box.w);
  pen.fillStyle = tag.colour;
  pen.beginPath();
  pen.roundRect(box.x, box.y, wide, box.h, Math.min(3, wide / 4));
  pen.fill();
  write(pen, tag, box);
}

/**
 * A text on paper, behind which things may fly.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {{ ink: string, paper: string }} colours
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
function writeOnPaper(pen, { ink, paper }, text, x, y) {
  pen.fillStyle = paper;
  pen.fillRect(x - 2.5, y - 7.5, pen.measureText(text).width + 5, 15);
  pen.fillStyle = ink;
  pen.fillText(text, x, y);
}

/**
 * The row of memory: whose numbers these are, the numbers, and, if it is cut, the fences and who takes the pieces.
 *
 * @param {Context} context
 * @param {Row} row
 */
export function paintRow(context, row) {
  const { pen, settings, count, colours, shown, first } = context;
  const { L, H, D, B, operation } = settings;
  const split = operation === "split";
  pen.textAlign = "left";
  pen.fillStyle = colours.ink;
  const what = split ? "x in memory, word after word" : "heads, contiguous: head after head in memory";
  const caption = B > 1 ? `sentence ${first / count}: ${what}` : what;
  const whole = `${caption}; below it, the ${split ? "head" : "word"} that gets each piece`;
  pen.fillText(shown.cut && pen.measureText(whole).width < row.width ? whole : caption, 1, ROW.caption);
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
  for (const place of range(count)) paintCell(context, place, row.cellAt(place));
  paintRuns(context, row);
  if (!shown.cut) {
    const ask = {
      texts: [split ? "which head gets which number?" : "which word gets which number?"],
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
    const { texts, colour } = (split ? headTag : wordTag)(context, n % takers.count);
    paintTag(
      pen,
      whole ? { texts: texts.slice(0, 2), colour } : { texts: ["?"], colour: quiet(colours) },
      span(from, to, ROW.takers, ROW.tag),
    );
  }
  paintFences(context, row, piece);
  if (shown.grip) paintRail(context, row, possible);
}

/**
 * Whose numbers these are, once for each word and head: between two fences, if there is room.
 *
 * @param {Context} context
 * @param {Row} row
 */
function paintRuns(context, row) {
  const { pen, count, shown, settings } = context;
  const piece = shown.cut ? pieceOf(settings) : count;
  if (piece === settings.D) return; // below it the same stands under each piece
  for (let from = 0; from < count; from += settings.D) {
    const to = from + settings.D; // in memory the D numbers of a word and a head are side by side
    // The strip above says which word it is, or in a merge which head.
    const { h, l } = passport(from, settings);
    const { texts } = settings.operation === "split" ? headTag(context, h) : wordTag(context, l);
    const { colour } = tagOf(context, from);
    /** @param {number} start @param {number} end */
    const between = (start, end, short = 2) =>
      write(pen, { texts: texts.slice(1, short), colour }, { ...row.cellAt(start), w: row.xAt(end) - row.xAt(start) });
    const cuts = [from, ...range(to).filter((place) => place > from && place % piece === 0), to];
    const written = cuts.slice(1).map((end, n) => between(cuts[n], end));
    if (!written.some(Boolean)) between(from, to, 3);
  }
}

function paintFences(/** @type {Context} */ { pen, colours, count, shown }, /** @type {Row} */ row, /** @type {number} */ piece) {
  for (let at = 0; at <= count; at += piece) {
    const [main, thin] = [at === piece && shown.grip, piece * row.pitch < 18];
    const [width, x] = [main ? 3 : thin ? 1 : 2, row.xAt(at) - 0.5];
    const across = piece * row.pitch >= pen.measureText("h0").width + 3; // shorter pieces have labels that go over fences
    const top = across ? ROW.cells - 2 : ROW.cells + ROW.cell - 3;
    const bottom = main ? ROW.rail - ROW.grip / 2 : ROW.takers + ROW.tag + (thin ? 0 : 2);
    pen.fillStyle = colours.paper;
    if (!thin || main) pen.fillRect(x - width / 2 - 1, top, width + 2, bottom - top);
    pen.fillStyle = colours.ink;
    pen.fillRect(x - width / 2, top, width, bottom - top);
  }
}

/** The rail of the fence, with a tick at every length that a view can cut. */
function paintRail(/** @type {Context} */ { pen, colours, settings }, /** @type {Row} */ row, /** @type {number[]} */ possible) {
  const { share } = receivers(settings);
  pen.fillStyle = quiet(colours);
  pen.fillRect(row.edge, ROW.rail - 0.5, row.xAt(share) - row.edge, 1);
  for (const one of possible) pen.fillRect(row.xAt(one) - 1, ROW.rail - 4, 1, 8);
  const names = [
    [share, settings.operation === "split" ? "L·D" : "H·D"],
    [settings.D, "D"],
    [1, "1"],
  ];
  let free = Number.POSITIVE_INFINITY;
  pen.textAlign = "left";
  const [drag, beside] = ["← drag: cut the row elsewhere", row.xAt(share) + ROW.grip / 2 + 6];
  const isBeside = beside + pen.measureText(drag).width <= row.width;
  const paper = { ink: colours.ink, paper: colours.paper };
  if (isBeside) writeOnPaper(pen, paper, drag, beside, ROW.rail);
  for (const [at, name] of /** @type {[number, string][]} */ (names)) {
    const wide = pen.measureText(name).width;
    const x = Math.max(1, Math.min(row.width - wide, row.xAt(at) - wide / 2));
    if (x + wide + 4 > free) continue;
    free = x;
    let from = x;
    writeOnPaper(pen, paper, name, x, ROW.ticks);
    for (const letter of name) {
      pen.fillStyle = colours[letter] ?? colours.ink;
      pen.fillText(letter, from, ROW.ticks);
      from += pen.measureText(letter).width;
    }
    const after = x + wide + 14; // where the rail is as long as the row, the label is below it
    if (name !== "D" || isBeside || after + pen.measureText(drag).width > row.xAt(share) - 30) continue;
    writeOnPaper(pen, paper, drag, after, ROW.ticks);
  }
}

/** The names of the heads and of the rows. */
export function paintNames(/** @type {Context} */ context, /** @type {Panel} */ panel) {
  const { pen, settings, shape, colours } = context;
  const { plan, space } = panel;
  const { L, H } = settings;
  const split = settings.operation === "split";
  for (let table = 0; table < shape.tables; table++) {
    const [x, y, column] = plan.corner(table);
    for (const n of split ? [table] : range(H)) {
      const left = space.x + x + (split ? 0 : n * plan.groupWidth);
      const tag = headTag(context, n);
      paintTag(pen, tag, { x: left, y: space.y + y - 18, w: plan.groupWidth - 6, h: 16 });
    }
    if (column > 0) continue;
    pen.textAlign = "right";
    pen.fillStyle = colours.ink;
    pen.fillText("word", space.x + x - 5, space.y + y - 10);
    if (plan.cellHeight >= 13)
      for (let l = 0; l < L; l++) {
        const box = { x: space.x + x - 19, y: space.y + y + l * plan.cellHeight, w: 14, h: plan.cellHeight - 1 };
        paintTag(pen, { ...wordTag(context, l), texts: [String(l)] }, box);
      }
  }
}

/** The edges of the cells. */
export function paintEdges(/** @type {Context} */ { pen, colours, count }, /** @type {Panel} */ panel) {
  if (panel.plan.cellWidth < 6 && panel.places.length) return;
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  pen.globalAlpha = EDGE;
  for (let n = 0; n < count; n++) {
    const { x, y, w, h } = boxIn(panel, n);
    pen.strokeRect(x + 0.5, y + 0.5, w - 2, h - 2);
  }
  pen.globalAlpha = 1;
}
