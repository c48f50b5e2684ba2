// The chosen tensor, drawn large. If the tensor that was drawn before has the same numbers, they fly to their new places.

import { penFor, write } from "../kit/canvas.js";
import { coloursOf } from "../kit/colours.js";
import { element } from "../kit/dom.js";
import { spellings } from "../kit/format.js";
import { fly } from "../kit/moves.js";
import { pointing } from "../kit/pointing.js";
import { magnitude, shade } from "../kit/scale.js";
import { heading, layOut, origins } from "./sheets.js";

/** @typedef {import("./sheets.js").Detail} Detail */

const READABLE = 24; // pixels: a cell of this size has room for its number

/**
 * @param {object} options
 * @param {() => boolean} options.hasLess whether words take some of its room
 * @param {() => number} options.height how high the picture may be; to ask costs a layout of the page
 * @param {() => void} options.start begin the move
 * @param {(sentence: string) => void} options.onPoint what is at the pointer, or ""
 */
export function large({ hasLess, height, start, onPoint }) {
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "tensor" });
  const node = element("div", { class: "large" }, canvas);
  /** @type {Detail | null} */
  let shown = null;
  /** @type {import("./sheets.js").Sheets | null} */
  let sheets = null;
  /** @type {import("../kit/facets.js").Place | null} where the keyboard is */
  let point = null;
  /** @type {{ boxes: import("../kit/moves.js").Box[], from: number[] } | null} where the numbers were */
  let before = null;

  let width = 0; // that the picture may have
  let hadLess = false;
  new ResizeObserver(() => {
    if (!node.clientWidth || node.clientWidth === width) return;
    width = node.clientWidth;
    if (shown) show(shown);
  }).observe(node);

  pointing(canvas, {
    placeAt: (x, y) => {
      const n = sheets
        ? sheets.boxes.findIndex((box) => box.w && x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h)
        : -1;
      return n < 0 ? null : placeOf(n);
    },
    extent: () => shown && { sizes: /** @type {[number, number, number, number]} */ (padded(shown.shape)), first: [0, 0, 0, 0] },
    pinned: () => point,
    onPoint(place, kept) {
      if (kept) point = place;
      onPoint(place && shown ? describe(shown, place) : "");
    },
  });

  /** @param {number} n @returns {[number, number, number, number]} */
  function placeOf(n) {
    const [, columns, R, C] = padded(shown?.shape ?? []);
    return [Math.floor(n / (columns * R * C)), Math.floor(n / (R * C)) % columns, Math.floor(n / C) % R, n % C];
  }

  /**
   * Show another tensor, or none. Its numbers come from where they were: in the tensor that was drawn, or in `from`, which begins
   * the move again. Numbers that are new appear.
   *
   * @param {Detail | null} detail
   * @param {{ from: Detail | null }} [again]
   */
  function show(detail, again) {
    if (!again && detail && shown && detail !== shown && hadLess === hasLess() && isEqual(detail, shown)) {
      shown = detail;
      return; // only a key was typed: most keys change no number of this tensor
    }
    hadLess = hasLess();
    const space = Math.max(240, width || node.clientWidth || 600);
    const isSame = !again && detail && shown && detail.id === shown.id && String(detail.shape) === String(shown.shape);
    const was = again ? again.from : shown;
    const boxes = again ? was && layOut(was, space, height()).boxes : sheets?.boxes;
    const from = was && detail && boxes ? origins(was, detail) : [];
    shown = detail;
    sheets = detail && layOut(detail, space, height());
    before = !isSame && boxes && from.length ? { boxes, from } : again ? { boxes: [], from: [] } : null;
    canvas.setAttribute("aria-label", detail ? `${detail.name || "value"} (${detail.axes.join(", ")})` : "no tensor");
    node.hidden = !detail;
    if (!isSame) point = null;
    if (before && detail) start();
    else paint(1);
  }

  /** @param {number} passed how much of the move has passed */
  function paint(passed) {
    if (!shown || !sheets) return;
    const { numbers } = shown;
    const { boxes, cell } = sheets;
    const colours = coloursOf(canvas);
    const from = passed < 1 ? before : null;
    const pen = penFor(canvas, sheets.width, sheets.height);
    const most = magnitude(numbers);
    const order = from ? boxes.map((_, n) => n).sort((a, b) => distance(from, a) - distance(from, b)) : boxes.keys();
    for (const n of order) {
      const old = from && from.from[n] >= 0 ? from.boxes[from.from[n]] : null;
      const box = old?.w ? fly(old, boxes[n], passed, 18) : boxes[n];
      if (!box.w || n >= numbers.length) continue;
      pen.globalAlpha = from && !old?.w ? passed : 1;
      paintCell(pen, box, numbers[n], most, cell >= READABLE && box.w >= READABLE, colours.ink);
    }
    pen.globalAlpha = passed;
    for (const { axis, index, x, y, isRow } of sheets.titles) {
      const colour = colours[axis] || colours.ink;
      write(pen, heading(axis, index), isRow ? 2 : x, isRow ? y + 8 : 10, { colour, weight: 600, size: 11 });
    }
    for (const { axis, x, y, isRow } of sheets.edges) {
      const colour = colours[axis] || colours.ink;
      if (isRow)
        write(pen, `${axis} ↓`, x - 6, y + cell / 2 + (sheets.titles.some((one) => one.isRow) ? 14 : 0), {
          colour,
          align: "right",
          size: 11,
        });
      else write(pen, `${axis} →`, x, y - 8, { colour, size: 11 });
    }
    pen.globalAlpha = 1;
  }

  return { node, show, paint };
}

/**
 * Whether two tensors look the same.
 *
 * @param {Detail} a
 * @param {Detail} b
 */
const isEqual = (a, b) =>
  [a.name, a.axes, a.shape].join("|") === [b.name, b.axes, b.shape].join("|") &&
  a.numbers.every((one, n) => Object.is(one, b.numbers[n])) &&
  a.places.every((one, n) => one === b.places[n]);

/** @param {readonly number[]} shape */
const padded = (shape) => [...Array(Math.max(0, 4 - shape.length)).fill(1), ...shape.slice(-4)];

/**
 * How far a number flies; the furthest are drawn last, above the others.
 *
 * @param {{ boxes: import("../kit/moves.js").Box[], from: number[] }} before
 * @param {number} n
 */
const distance = ({ from }, n) => Math.abs((from[n] ?? n) - n);

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("../kit/moves.js").Box} box
 * @param {number} value
 * @param {number} most
 * @param {boolean} isReadable
 * @param {string} ink
 */
function paintCell(pen, { x, y, w, h }, value, most, isReadable, ink) {
  const look = shade(value, "signed", most);
  if (look) {
    pen.fillStyle = look.paper;
    pen.fillRect(x, y, w - 1, h - 1);
  } else {
    pen.strokeStyle = ink;
    pen.strokeRect(x + 0.5, y + 0.5, w - 2, h - 2);
  }
  if (!isReadable) return;
  const text = look ? spellings(value).find((one) => one.length <= w / 6.6) : Number.isNaN(value) ? "nan" : value > 0 ? "∞" : "−∞";
  if (text) write(pen, text, x + (w - 1) / 2, y + h / 2, { colour: look?.ink ?? ink, size: 11, align: "center" });
}

/**
 * @param {Detail} tensor
 * @param {readonly number[]} place
 */
function describe({ name, shape, numbers, places }, place) {
  const index = place.slice(4 - Math.min(4, shape.length));
  const full = padded(shape);
  const n = place.reduce((sum, one, axis) => sum * full[axis] + one, 0);
  return `${name || "value"}[${index.join(", ")}] = ${spellings(numbers[n])[0]}, place ${places[n]} in memory`;
}
