// EinsumLab's canvas: draws what scene.js says where layout.js says.

import { FONT, penFor, write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { element } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { progress } from "../kit/time.js";
import { differencesAt, grownAt } from "./differences.js";
import { fill, number, shadeOf } from "./ink.js";
import { paintLane, paintThreads } from "./lane.js";
import { APART, boxOf, cornerOf } from "./layout.js";
import { OPERANDS } from "./model.js";
import { axesOf } from "./pin.js";
import { termsSoFar } from "./scene.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Place} Place */
/** @typedef {import("./ink.js").Picture} Picture */
/** @typedef {import("./scene.js").Scene} Scene */

const BAR = 3; // how thick the bar of an axis is
const TITLED = 145; // how wide a title is at most
const FADED = 0.2;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Scene} scene
 * @param {number} bump how much of the move of a nudged number has passed
 */
export function paint(canvas, picture, scene, bump) {
  const { plan } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  plan.places.forEach((place, side) => {
    if (place?.all) paintAll(pen, picture, scene, place, side, bump);
  });
  if (picture.overview < 1) {
    pen.globalAlpha = 0.8 * (1 - picture.overview); // the small tables are pale until the loops come to them
    fill(pen, { x: 0, y: 0, w: plan.width, h: plan.height }, [picture.look.paper]);
    pen.globalAlpha = 1;
  }
  plan.places.forEach((place, side) => {
    if (place) paintTable(pen, picture, scene, place, side, bump);
  });
  paintThreads(pen, picture, scene);
  paintLane(pen, picture, scene);
  plan.places.forEach((place, side) => {
    if (place) paintEdges(pen, picture, scene, place, side); // a product passes behind the title
  });
  for (const { box, text } of differencesAt(picture, scene, bump)) paintDifference(pen, picture, box, text);
  paintHint(pen, picture);
}

/**
 * The name of a tensor and its letters, bars in the colours of its axes, and the indices at which the loops are.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 * @param {Place} place
 * @param {number} side
 */
function paintEdges(pen, { formula, names, look }, { indices }, { title, sheet, sizes, all }, side) {
  const own = axesOf(formula)[side] ?? "";
  const axes = [...own.toUpperCase()];
  const colourOf = (/** @type {string | undefined} */ axis) => (axis ? look.axes[axis] : look.rule);
  if (side === 2) fill(pen, { x: title.x, y: title.y - 9, w: TITLED, h: 18 }, [look.paper]);
  let x = title.x + write(pen, `${names[side]}  `, title.x, title.y, { colour: look.ink, weight: 700, size: 13 });
  // Where only one table is drawn, its place among the others stands in the name.
  axes.forEach((axis, n) => {
    const at = !all && n < axes.length - 2 ? indices[axis.toLowerCase()] : undefined;
    if (!all && at === undefined && axes.length > 2) return; // it stands at an edge
    x += write(pen, `${axis}${at === undefined ? "" : ` = ${at} `} `, x, title.y, {
      colour: colourOf(axis),
      weight: 700,
      size: 13,
    });
  });
  const [B, H, R, C] = sizes;
  const [column, row, head, sentence] = [axes.at(-1), axes.at(-2), axes.at(-3), axes.at(-4)];
  const { x: left, y: top, w, p } = sheet;
  const bar = (/** @type {string} */ axis, /** @type {number[]} */ [bx, by, bw, bh]) => {
    pen.fillStyle = colourOf(axis);
    pen.fillRect(bx, by, bw, bh);
  };
  if (row) bar(row, [left - 1 - BAR, top, BAR, R * p]);
  if (column) bar(column, [left, top - 1 - BAR, C * w, BAR]);
  const at = (/** @type {string} */ axis) => indices[axis.toLowerCase()];
  const index = { weight: 700, align: /** @type {const} */ ("center") };
  /** The index of a loop, as beside its line. @param {string | undefined} axis @param {number} cx @param {number} cy */
  const chip = (axis, cx, cy) => {
    if (!axis || at(axis) === undefined) return;
    const wide = at(axis) > 9 ? 19 : 14;
    pen.beginPath();
    pen.roundRect(cx - wide / 2, cy - 7.5, wide, 14, 4);
    if (formula.result.includes(axis.toLowerCase())) {
      pen.fillStyle = mixed(colourOf(axis), look.paper, 0.2);
      pen.fill();
    } else {
      pen.strokeStyle = colourOf(axis);
      pen.lineWidth = 1.2;
      pen.setLineDash([3, 2]);
      pen.stroke();
      pen.setLineDash([]);
    }
    write(pen, String(at(axis)), cx, cy, { ...index, colour: colourOf(axis) });
  };
  if (row) chip(row, left - 12, top + (at(row) + 0.5) * p);
  if (column) chip(column, left + (at(column) + 0.5) * w, top - 12.5);
  if (row) write(pen, row, left - 11, top - 9, { colour: colourOf(row), weight: 700, align: "center" });
  if (column) write(pen, column, left + C * w + 4, top - 6, { colour: colourOf(column), weight: 700 });
  if (!all) return;
  const wide = H * C * all.c + 3 * (H - 1);
  const high = B * R * all.c + 3 * (B - 1);
  if (head && H > 1) {
    bar(head, [all.x, all.y - 2 - BAR, wide, BAR]);
    write(pen, head, all.x + wide, all.y - 13, { weight: 700, align: "right", colour: colourOf(head) });
  }
  if (sentence && B > 1) {
    bar(sentence, [all.x - 2 - BAR, all.y, BAR, high]);
    write(pen, sentence, all.x - 12.5, all.y + 8, { ...index, colour: colourOf(sentence) });
  }
}

/**
 * The table that is large, number by number. A result fills up from below as its terms fall into it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 * @param {Place} place
 * @param {number} side
 * @param {number} bump
 */
function paintTable(pen, picture, scene, place, side, bump) {
  const { results, look } = picture;
  const data = results[["left", "right", "result"][side]];
  const marks = scene.marks[side];
  const { moment, trace } = scene;
  const [, H, R, C] = place.sizes;
  const [b, h] = scene.fronts[side];
  const first = (b * H + h) * R * C;
  const { x, y, w, p } = place.sheet;
  pen.fillStyle = look.paper;
  pen.fillRect(x, y, C * w, R * p);
  for (const n of range(R * C).map((at) => first + at)) {
    const [i, j] = [Math.floor((n - first) / C), (n - first) % C];
    const whole = boxOf(place, i, j);
    const box = { x: whole.x + 0.5, y: whole.y + 0.5, w: whole.w - 1, h: whole.h - 1 };
    const done = side === 2 ? termsSoFar(scene, n) / moment.terms : 1;
    const isWhole = done >= 1;
    const isFaded = trace !== null && !marks?.has(n);
    const isOld = bump < grownAt(side, i, R);
    const old = isOld && marks?.has(n) ? oldOf(picture, scene, side, n) : null;
    const value = isWhole ? (old ?? data[n]) : scene.sum;
    pen.globalAlpha = 1;
    const { fills, ink, origins } = shadeOf(picture, side, n, value);
    fill(pen, box, [isWhole ? look.empty : look.paper]); // a result that has not been computed has no colour
    if (done > 0) {
      const high = isWhole ? box.h : box.h * done;
      pen.globalAlpha = isFaded ? FADED : 1;
      fill(pen, { ...box, y: box.y + box.h - high, h: high }, fills);
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = look.rule;
    pen.lineWidth = 1;
    if (!isWhole) pen.strokeRect(box.x, box.y, box.w, box.h);
    if (!isWhole && (done === 0 || scene.isFast)) continue;
    const isMixed = origins !== null && origins.length > 1;
    const isFilled = isWhole || done > 0.6;
    number(pen, box, value, isFaded ? look.quiet : isFilled && !isMixed ? ink : look.ink, isMixed && !isFaded ? look.paper : "");
  }
  frameMarks(pen, picture, place, first, marks, trace ? progress(bump, side === 2 ? 0.4 : 0, side === 2 ? 1 : 0.6) : 1);
}

/** A number before the nudge; null if the nudge does not change it. @param {Picture} picture @param {Scene} scene @param {number} side @param {number} n */
function oldOf({ before, results }, { trace, isNudge }, side, n) {
  if (!isNudge || !before) return null;
  if (side === 2) return before[n];
  return trace?.side === side && trace.n === n ? results[OPERANDS[side]][n] - 1 : null;
}

const HINT = "click any number to follow it";

/** By how much a result changes: a label, and no number of the table. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Box} box @param {string} text */
function paintDifference(pen, { look }, { x, y, w, h }, text) {
  pen.beginPath();
  pen.roundRect(x + 1.5, y + 1, w - 3, h - 2, 6);
  pen.fillStyle = look.paper;
  pen.fill();
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.stroke();
  write(pen, text, x + w / 2, y + h / 2 + 0.5, { colour: look.ink, weight: 700, size: w > 30 ? 13 : 11, align: "center" });
}

/** One quiet line below the loops, or beside a title, where there is room for it. @param {CanvasRenderingContext2D} pen @param {Picture} picture */
function paintHint(pen, { plan, look, names, formula }) {
  const titled = plan.places.flatMap((place, side) => {
    if (!place) return [];
    pen.font = `700 13px ${FONT}`;
    const { x, y } = place.title;
    const long = pen.measureText(`${names[side]}  ${[...(axesOf(formula)[side] ?? "")].join(" ").toUpperCase()} `).width;
    return [{ x, y, end: x + long + 10 }];
  });
  pen.font = `400 11px ${FONT}`;
  const wide = pen.measureText(HINT).width;
  const factors = titled.slice(0, -1); // beside the title of the result a product may fall
  const { all, sheet } = plan.places[2] ?? {};
  if (sheet && plan.corner.w > wide && (all ?? sheet).x > wide + 30)
    return void write(pen, HINT, 2, plan.corner.h + 8, { colour: look.quiet, size: 12 });
  const room = factors.findLast(({ end }, n) => end + wide <= (factors[n + 1]?.x ?? plan.width));
  if (room) write(pen, HINT, room.end, room.y, { colour: look.quiet, size: 11 });
}

/**
 * Frames around the marked numbers of the large table: one around all of them if they fill a rectangle.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Place} place
 * @param {number} first the first number of the table
 * @param {Set<number> | null} marks
 * @param {number} n how visible they are; a frame that appears is larger at first
 */
function frameMarks(pen, { look }, place, first, marks, n) {
  const [, , R, C] = place.sizes;
  const here = [...(marks ?? [])].map((at) => at - first).filter((at) => at >= 0 && at < R * C);
  if (!here.length || n <= 0) return;
  const rows = here.map((at) => Math.floor(at / C));
  const columns = here.map((at) => at % C);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [high, wide] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
  const groups = high * wide === here.length ? [[top, left, high, wide]] : here.map((_, at) => [rows[at], columns[at], 1, 1]);
  pen.globalAlpha = n;
  for (const [i, j, tall, broad] of groups) {
    const { x, y, w, h } = boxOf(place, i, j);
    const out = 1 + (n < 1 ? 3 * Math.sin(Math.PI * n) : 0);
    const thick = h < 20 ? 1.75 : 2.5; // low numbers beside it stay whole
    outlined(pen, look, { x: x - out / 2, y: y - out / 2, w: broad * w + out, h: tall * h + out }, thick);
  }
  pen.globalAlpha = 1;
}

/** A frame that can be seen on every colour. @param {CanvasRenderingContext2D} pen @param {Picture["look"]} look @param {Box} box @param {number} thick */
function outlined(pen, look, { x, y, w, h }, thick) {
  for (const [colour, wide] of /** @type {const} */ ([
    [look.paper, 2 * thick],
    [look.ink, thick],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.strokeRect(x, y, w, h);
  }
}

/**
 * All tables of a tensor, small, and a frame around the one that is large.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 * @param {Place} place
 * @param {number} side
 * @param {number} bump
 */
function paintAll(pen, picture, scene, place, side, bump) {
  const { look } = picture;
  const marks = scene.marks[side];
  const { moment, trace } = scene;
  const [B, H, R, C] = place.sizes;
  const all = /** @type {NonNullable<Place["all"]>} */ (place.all);
  const { c } = all;
  const isIsolated = trace !== null && bump > 0;
  const isFramed = isIsolated || (scene.isFast && side < 2);
  const [x, y] = [all.x, all.y];
  const [width, height] = [H * C * c + APART * (H - 1), B * R * c + APART * (B - 1)];
  const count = B * H * R * C;
  const cellOf = (/** @type {number} */ n) => {
    const corner = cornerOf(place, Math.floor(n / (H * R * C)), Math.floor(n / (R * C)) % H);
    return { x: corner.x + (n % C) * c, y: corner.y + (Math.floor(n / C) % R) * c, w: c, h: c };
  };
  const data = picture.results[["left", "right", "result"][side]];
  const here = (/** @type {number} */ b, /** @type {number} */ h) =>
    [...(marks ?? [])].filter((n) => Math.floor(n / (R * C)) === b * H + h);
  const front = cornerOf(place, ...scene.fronts[side]);
  zoom(pen, place, { ...front, w: C * c, h: R * c }, look.rule); // below the other small tables
  pen.fillStyle = look.empty;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = isIsolated ? FADED : 1;
  pen.drawImage(smallTables(picture, place, side), x, y, width, height);
  pen.globalAlpha = 1;
  if (isIsolated) for (const n of marks ?? []) fill(pen, cellOf(n), shadeOf(picture, side, n, data[n]).fills);
  const done = side === 2 && !trace ? Math.floor((moment.n + moment.part) / moment.terms) : count;
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
    const isFront = String([b, h]) === String(scene.fronts[side]);
    pen.strokeStyle = isFront ? look.ink : look.rule;
    pen.lineWidth = isFront && !isFramed ? 2 : 1;
    const out = isFront ? 1 : 0.5;
    pen.strokeRect(corner.x - out, corner.y - out, C * c + 2 * out, R * c + 2 * out);
    if (isFramed) frameCells(pen, look, here(b, h).map(cellOf));
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
  outlined(pen, look, { x: left + 0.75, y: top - 0.5, w: right - left - 1.5, h: low - top + 1 }, 1.75); // apart from those of other tables
}

/**
 * Two lines from a small table to the large one, which shows the same numbers.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Place} place
 * @param {Box} small
 * @param {string} colour
 */
function zoom(pen, { sheet, sizes }, small, colour) {
  const isLeft = small.x < sheet.x;
  const from = isLeft ? small.x + small.w + 1 : small.x - 1;
  const to = isLeft ? sheet.x - BAR - 2 : sheet.x + sizes[3] * sheet.w + 2;
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const [y, v] of [
    [small.y, sheet.y],
    [small.y + small.h, sheet.y + sizes[2] * sheet.p],
  ]) {
    pen.moveTo(from, y);
    pen.lineTo(to, v);
  }
  pen.stroke();
}

/** @type {WeakMap<Picture, (HTMLCanvasElement | undefined)[]>} */
const drawn = new WeakMap();

/**
 * All tables of a tensor with all their numbers. They are drawn once for all moments.
 *
 * @param {Picture} picture
 * @param {Place} place
 * @param {number} side
 */
function smallTables(picture, place, side) {
  const images = drawn.get(picture) ?? [];
  drawn.set(picture, images);
  const found = images[side];
  if (found) return found;
  const [B, H, R, C] = place.sizes;
  const { x, y, c } = /** @type {NonNullable<Place["all"]>} */ (place.all);
  const image = element("canvas");
  const pen = penFor(image, H * C * c + APART * (H - 1), B * R * c + APART * (B - 1));
  const data = picture.results[["left", "right", "result"][side]];
  for (const n of range(B * H * R * C)) {
    const corner = cornerOf(place, Math.floor(n / (H * R * C)), Math.floor(n / (R * C)) % H);
    const box = { x: corner.x - x + (n % C) * c, y: corner.y - y + (Math.floor(n / C) % R) * c, w: c, h: c };
    fill(pen, box, shadeOf(picture, side, n, data[n]).fills);
  }
  images[side] = image;
  return image;
}
