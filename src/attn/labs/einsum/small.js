// All tables of the result, small, beside the one that is large.

import { penFor } from "../kit/canvas.js";
import { element } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { fill, outlined, shadeOf } from "./ink.js";
import { APART, cornerOf, sizeOf } from "./layout.js";
import { termsSoFar } from "./scene.js";
import { fadeOf } from "./sheet.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */
/** @typedef {import("./ink.js").Picture} Picture */

/**
 * All tables of the result, and a frame around the one that is large.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {import("./scene.js").Scene} scene
 * @param {Place} place
 * @param {number} bump how much of the move of a nudged number has passed
 */
export function paintSmall(pen, picture, scene, place, bump) {
  const { look, results } = picture;
  const marks = [...(scene.marks[2] ?? [])];
  const { moment, trace, fronts } = scene;
  const [B, H, R, C] = place.sizes;
  const all = /** @type {NonNullable<Place["all"]>} */ (place.all);
  const { x, y, c } = all;
  const [width, height] = [H * C * c + APART * (H - 1), B * R * c + APART * (B - 1)];
  const count = B * H * R * C;
  const cellOf = (/** @type {number} */ n) => {
    const corner = cornerOf(place, Math.floor(n / (H * R * C)), Math.floor(n / (R * C)) % H);
    return { x: corner.x + (n % C) * c, y: corner.y + (Math.floor(n / C) % R) * c, w: c, h: c };
  };
  zoom(pen, place, { ...cornerOf(place, ...fronts[2]), w: C * c, h: R * c }, look.rule); // below the other small tables
  pen.fillStyle = look.empty;
  pen.fillRect(x, y, width, height);
  const fade = fadeOf(scene, 2, bump);
  pen.globalAlpha = 1 - fade.n; // only what is marked keeps its colour
  pen.drawImage(smallTables(picture, place, cellOf), x, y, width, height);
  pen.globalAlpha = 1;
  const isMarked = fade.n > 0;
  if (isMarked) for (const n of marks) fill(pen, cellOf(n), shadeOf(picture, 2, n, results.result[n]).fills);
  const done = trace ? count : Math.floor((moment.n + moment.part) / moment.terms);
  for (let n = done; n < count; n++) {
    pen.globalAlpha = n === done && termsSoFar(scene, n) > 0 ? 0.5 : 1;
    fill(pen, cellOf(n), [look.paper]);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = look.paper;
  for (const b of range(B - 1)) pen.fillRect(x, y + (b + 1) * (R * c + APART) - APART, width, APART);
  for (const h of range(H - 1)) pen.fillRect(x + (h + 1) * (C * c + APART) - APART, y, APART, height);
  for (const [b, h] of range(B).flatMap((one) => range(H).map((other) => [one, other]))) {
    const corner = cornerOf(place, b, h);
    const isFront = String([b, h]) === String(fronts[2]);
    pen.strokeStyle = isFront ? look.ink : look.rule;
    pen.lineWidth = isFront && !isMarked ? 2 : 1;
    const out = isFront ? 1 : 0.5;
    pen.strokeRect(corner.x - out, corner.y - out, C * c + 2 * out, R * c + 2 * out);
    const here = marks.filter((n) => Math.floor(n / (R * C)) === b * H + h);
    if (isMarked) frameCells(pen, look, here.map(cellOf));
  }
}

/**
 * A thin frame around the marked cells of a small table.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture["look"]} look
 * @param {Box[]} cells
 */
function frameCells(pen, look, cells) {
  if (!cells.length) return;
  const [left, top] = [Math.min(...cells.map(({ x }) => x)), Math.min(...cells.map(({ y }) => y))];
  const [right, low] = [Math.max(...cells.map(({ x, w }) => x + w)), Math.max(...cells.map(({ y, h }) => y + h))];
  outlined(pen, look, { x: left + 0.75, y: top - 0.5, w: right - left - 1.5, h: low - top + 1 }, Math.min(1.75, cells[0].w / 5)); // apart from those of other tables
}

/**
 * Two lines from a small table to the large one, which shows the same numbers.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Place} place
 * @param {Box} small
 * @param {string} colour
 */
function zoom(pen, place, small, colour) {
  const { x, y } = place.sheet;
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const [from, to] of [
    [small.y, y],
    [small.y + small.h, y + sizeOf(place).h],
  ]) {
    pen.moveTo(small.x + small.w + 1, from);
    pen.lineTo(x - 5, to);
  }
  pen.stroke();
}

/** @type {WeakMap<Picture, HTMLCanvasElement>} */
const drawn = new WeakMap();

/**
 * All tables with all their numbers. They are drawn once for all moments.
 *
 * @param {Picture} picture
 * @param {Place} place
 * @param {(n: number) => Box} cellOf
 */
function smallTables(picture, { sizes: [B, H, R, C], all }, cellOf) {
  const found = drawn.get(picture);
  if (found) return found;
  const { x, y, c } = /** @type {NonNullable<Place["all"]>} */ (all);
  const image = element("canvas");
  const pen = penFor(image, H * C * c + APART * (H - 1), B * R * c + APART * (B - 1));
  for (const n of range(B * H * R * C)) {
    const box = cellOf(n);
    fill(pen, { ...box, x: box.x - x, y: box.y - y }, shadeOf(picture, 2, n, picture.results.result[n]).fills);
  }
  drawn.set(picture, image);
  return image;
}
