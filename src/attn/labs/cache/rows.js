// The rows of numbers in CacheLab's picture, in the looks that scene.js names.

import { FONT, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { number, spellings } from "../kit/format.js";
import { clamp } from "../kit/math.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";
import { SHORT } from "./layout.js";
import { quiet } from "./looks.js";
import { differenceText } from "./words.js";

/** @typedef {import("./looks.js").Looks} Looks */
/** @typedef {import("./paint.js").Picture} Picture */
/** @typedef {import("./scene.js").Row} Row */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../kit/moves.js").Box} Box */

const MOST = 3; // about the largest of the numbers: what is kept keeps its colour when a word joins

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Row} row */
export function paintRow(pen, picture, row) {
  const { looks, pointed } = picture;
  const { box, look, values, alpha, faint } = row;
  const bare = row.bare && !(pointed?.what === row.part && pointed.n === row.i);
  if (alpha <= 0) return;
  if (look === "slot" || look === "gone") {
    pen.globalAlpha = alpha * 0.55;
    pen.strokeStyle = look === "slot" ? looks.cache : quiet(looks);
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    pen.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
    pen.setLineDash([]);
  } else if (look === "noise") noise(pen, picture, row);
  else if (look === "changed" || look === "same") changed(pen, picture, row);
  else cells(pen, looks, { box, values, alpha, bare });
  if (row.lit && row.part !== "q") {
    pen.globalAlpha = row.lit;
    pen.strokeStyle = looks.ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(box.x - 1, box.y - 1, box.w + 1, box.h + 2);
  }
  const framed = look === "kept" && !faint ? 1 : (row.landed ?? 0);
  if (row.isNewest && framed) {
    pen.globalAlpha = alpha * framed;
    pen.strokeStyle = looks.cache;
    pen.lineWidth = 2;
    pen.strokeRect(box.x - 1, box.y - 1, box.w + 1, box.h + 2);
  }
  if (!row.stale || look === "noise") return;
  pen.globalAlpha = alpha;
  pen.strokeStyle = looks.bad;
  pen.lineWidth = 2;
  pen.strokeRect(box.x - 1, box.y - 1, box.w + 2, box.h + 2);
}

/** A value as strong as its weight, apart from what it passes. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene["slices"][number]} slice */
export function paintSlice(pen, { looks }, { box, values, weight, alpha }) {
  const { x, y, w, h } = box;
  pen.globalAlpha = alpha;
  pen.fillStyle = looks.paper;
  pen.fillRect(x - 1, y - 1, w + 1, h + 2);
  cells(pen, looks, { box, values, alpha: alpha * Math.sqrt(weight), bare: true });
  pen.globalAlpha = alpha;
  pen.strokeStyle = quiet(looks);
  pen.lineWidth = 1;
  pen.strokeRect(x - 0.5, y - 0.5, w, h + 1);
  if (w > 36) write(pen, `× ${number(weight, 2)}`, x + w / 2, y + h / 2, { colour: looks.ink, weight: 700, align: "center" });
}

/** The colours of a cell. On a dark page a small number is dark. @param {Looks} looks @param {number} value */
function coloursOf({ isDark, ink, paper }, value) {
  const loud = Math.min(1, Math.abs(value) / MOST) ** 0.6;
  if (!isDark) return /** @type {{ paper: string, ink: string }} */ (shade(Math.sign(value) * loud, "signed", 1));
  const fill = mixed(value < 0 ? NEGATIVE : POSITIVE, mixed(ink, paper, 0.14), loud ** 0.65);
  return { paper: fill, ink: inkOn(fill) };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Looks} looks
 * @param {{ box: Box, values: number[], alpha: number, bare?: boolean }} row
 */
export function cells(pen, looks, { box, values, alpha, bare = false }) {
  const w = box.w / values.length;
  const size = clamp(Math.floor(w / 3), 11, 13);
  for (const [d, value] of values.entries()) {
    const { paper, ink } = coloursOf(looks, value);
    const colour = alpha < 0.5 ? looks.ink : ink; // a pale cell is nearly the page
    pen.globalAlpha = alpha;
    pen.fillStyle = paper;
    pen.fillRect(box.x + d * w, box.y, w - 1, box.h);
    if (w < 21 || box.h < 14 || bare) continue;
    pen.font = `400 ${size}px ${FONT}`;
    const [, full, short] = spellings(value); // 0.4, or .4 in narrow cells
    const text = w >= 27 || (Math.abs(value) >= 0.95 && pen.measureText(full).width < w - 2) ? full : short;
    write(pen, text, box.x + (d + 0.5) * w - 0.5, box.y + box.h / 2 + 0.5, { colour, size, align: "center" });
  }
}

// Numbers that were overwritten: in a strong frame.
function noise(pen, { looks }, { box, values, alpha }) {
  cells(pen, looks, { box, values, alpha });
  pen.globalAlpha = alpha;
  pen.strokeStyle = looks.ink;
  pen.lineWidth = 2.5;
  pen.strokeRect(box.x - 1, box.y - 1, box.w + 1, box.h + 2);
}

// A row of the output: by how much it changes at most, as a bar with its number.
function changed(pen, { looks, results }, { box, look, by = 0, alpha }) {
  const { x, y, w, h } = box;
  const isSame = look === "same";
  const isShort = w < SHORT; // its number stands above the bar
  const room = w - (isShort ? 2 : 44);
  const [top, high] = isShort ? [y + h - 8, 7] : [y + 7, h - 14];
  pen.globalAlpha = alpha;
  pen.fillStyle = looks.paper;
  pen.fillRect(x, y, w - 1, h);
  if (!isSame) {
    pen.fillStyle = mixed(looks.ink, looks.paper, 0.12);
    pen.fillRect(x, top, room, high);
    pen.fillStyle = mixed(looks.ink, looks.paper, 0.75);
    pen.fillRect(x, top, room * (by / Math.max(...results.moved)), high);
  }
  const how = isSame ? { colour: quiet(looks), size: 13 } : { colour: looks.ink, weight: 700, size: 13 };
  const text = isSame ? "same" : differenceText(by);
  write(pen, text, x + w, isShort && !isSame ? y + 9 : y + h / 2, { ...how, align: "right" });
}
