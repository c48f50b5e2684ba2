// CacheLab's canvas: draws what scene.js says.

import { FONT, penFor, write } from "../kit/canvas.js";
import { inkOn, mixed } from "../kit/colours.js";
import { number, spellings } from "../kit/format.js";
import { NEGATIVE, POSITIVE, shade } from "../kit/scale.js";
import { paintCaption, paintLines } from "./effect.js";
import { paintBlocks, paintHeads, paintSheets } from "./heads.js";
import { rowOf } from "./layout.js";
import { quiet } from "./looks.js";
import { differenceText, NAMES, readersOf, rowsThatDiffer } from "./words.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./looks.js").Looks} Looks */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Row} Row */
/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {Plan} plan
 * @property {Looks} looks
 * @property {import("./run.js").State} state
 * @property {import("./model.js").Results} results
 * @property {number} head
 * @property {string[]} words of the sentence
 * @property {{ heads: boolean, bytes: boolean }} parts
 * @property {number | string} other how many rows change if the key is overwritten in place of the query, or the query in place of another row
 * @property {{ what: string, n: number } | null} pointed
 */

const ROOMY = 160; // pixels: a wider output has its title in one line
const MOST = 3; // about the largest of the numbers: what is kept keeps its colour when a word joins

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Scene} scene
 */
export function paint(canvas, picture, scene) {
  const { plan, looks, parts } = picture;
  const pen = penFor(canvas, plan.width, plan.height);
  paintSheets(pen, picture, scene);
  if (parts.heads) paintHeads(pen, picture, scene);
  paintTitles(pen, picture, scene);
  paintWords(pen, picture, scene);
  for (const bar of scene.bars) paintBar(pen, picture, bar);
  if (scene.own) paintOwn(pen, picture, scene.own);
  for (const row of scene.rows) paintRow(pen, picture, row);
  for (const copy of scene.copies) cells(pen, looks, copy);
  for (const row of scene.flying) paintRow(pen, picture, row);
  for (const slice of scene.slices) paintSlice(pen, picture, slice);
  if (parts.bytes) {
    if (picture.state.overwrite === "nothing") paintBlocks(pen, picture, scene);
    paintCaption(pen, picture, scene);
  }
  paintLines(pen, picture, scene);
  paintCount(pen, picture, scene);
  paintPointed(pen, picture);
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
function paintTitles(pen, { plan, looks, state, words }, { bars, lines }) {
  const { axes, ink } = looks;
  /** @param {string} name @param {string} axis @param {number} x */
  const title = (name, axis, x) => {
    let at = x + write(pen, name, x, plan.title, { colour: ink, weight: 700, size: 13 });
    if (plan.row < 64) return;
    at += 7;
    for (const [n, letter] of [axis, "D"].entries()) {
      if (n) at += write(pen, " × ", at, plan.title, { colour: quiet(looks) });
      at += write(pen, letter, at, plan.title, { colour: axes[letter], weight: 700 });
    }
  };
  title("q", "L", plan.x.q);
  title("k", "S", plan.x.k);
  title("v", "S", plan.x.v);
  const areScores = bars.some(({ alpha, isWeight }) => alpha > 0 && !isWeight);
  const word = words[state.S - 1];
  const isTest = state.overwrite !== "nothing";
  const whose = isTest
    ? readersOf(state.overwrite, lines)
    : [areScores ? "scores" : "weights", `of ${plan.narrow ? word : `“${word}”`}`];
  const how = { colour: ink, weight: 700 };
  const size = [13, 12].find((one) => {
    pen.font = `700 ${one}px ${FONT}`;
    return pen.measureText(whose.join(" ")).width <= plan.sheet.x - plan.weights.x - 6;
  });
  if (size) write(pen, whose.join(" "), plan.weights.x, plan.title, { ...how, size });
  else whose.forEach((line, n) => write(pen, line, plan.weights.x, plan.title - 6 + 12 * n, { ...how, size: 11 })); // in two lines
  const output = !isTest ? ["output"] : plan.row > ROOMY ? ["output: largest change"] : ["output:", "change"];
  const large = plan.row < 44 || output[1] ? 11 : plan.narrow ? 12 : 13;
  pen.font = `700 ${large}px ${FONT}`;
  output.forEach((line, n) => {
    const left = plan.x.out + Math.min(0, plan.row - pen.measureText(line).width); // a title that is wider than its column begins before it
    write(pen, line, left, plan.title - (output[1] ? 6 - 12 * n : 0), { colour: ink, weight: 700, size: large });
  });
}

/**
 * Below the output, how many of its rows change with another query, and how many with another key: what is drawn in a frame.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Scene} scene
 */
function paintCount(pen, { plan, looks, state: { S, overwrite }, results, other }, { lines }) {
  if (overwrite === "nothing" || lines.some(({ n }) => n < 1)) return;
  pen.globalAlpha = 1;
  const changed = rowsThatDiffer(results.moved).length;
  const both = overwrite === "q" ? [changed, other] : [other, changed];
  const w = plan.narrow ? 84 : 104;
  for (const [n, count] of both.entries()) {
    const isDrawn = (overwrite === "q") === (n === 0);
    const colour = isDrawn ? looks.ink : quiet(looks);
    const middle = plan.width - w * (1.5 - n);
    write(pen, `${count} of ${S}`, middle, plan.foot + 9, {
      colour,
      weight: 700,
      size: 17,
      align: "center",
    });
    write(pen, `other ${n ? NAMES[overwrite === "q" ? "k" : overwrite] : "query"}`, middle, plan.foot + 27, {
      colour,
      size: 12,
      align: "center",
    });
    if (!isDrawn) continue;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(middle - w / 2 + 2, plan.foot - 5, w - 4, 41, 6);
    pen.stroke();
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene} scene */
function paintWords(pen, { plan, looks, state, words, pointed }, scene) {
  const { S } = state;
  const size = plan.narrow ? 12 : 14;
  for (let i = 0; i < Math.min(S + 1, words.length); i++) {
    const { x, y, h } = rowOf(plan, "word", i);
    const isNext = i === S;
    if (isNext) {
      const isPointed = pointed?.what === "next";
      const wide = write(pen, `+ ${words[i]}`, x + 7, y + h / 2, { colour: looks.ink, weight: isPointed ? 600 : 400, size });
      pen.strokeStyle = isPointed ? looks.ink : quiet(looks);
      pen.lineWidth = 1;
      pen.beginPath();
      pen.roundRect(x + 0.5, y + 0.5 + Math.max(0, h - 25) / 2, wide + 13, Math.min(h, 25) - 1, 6);
      pen.stroke();
      continue;
    }
    const n = i >= scene.since ? scene.word : 1;
    const at = y + h / 2 - 14 * (1 - n);
    pen.globalAlpha = n;
    const by = write(pen, String(i), x, at, { colour: quiet(looks), size: 11 });
    write(pen, words[i], x + by + 6, at, { colour: looks.ink, weight: i === S - 1 ? 700 : 400, size });
  }
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Scene["bars"][number]} bar */
function paintBar(pen, { plan, looks }, { box, share, value, isWeight, alpha, was }) {
  if (alpha <= 0) return;
  const text = number(value, 2).replace("−0.00", "0.00");
  pen.globalAlpha = alpha;
  if (!isWeight) {
    write(pen, text, box.x + box.w, box.y + box.h / 2, { colour: looks.ink, align: "right" });
    return;
  }
  const room = box.w - (plan.narrow ? 0 : 38);
  pen.fillStyle = looks.paper;
  pen.fillRect(box.x, box.y, box.w, box.h);
  const [y, h] = plan.narrow ? [box.y + box.h - 7, 6] : [box.y + 7, box.h - 14];
  pen.fillStyle = mixed(looks.ink, looks.paper, 0.12);
  pen.fillRect(box.x, y, room, h);
  pen.fillStyle = shade(0.3, "weights", 1)?.paper ?? looks.ink; // the length says how large
  pen.fillRect(box.x, y, Math.max(1, share * room), h);
  if (looks.isDark) {
    pen.strokeStyle = quiet(looks);
    pen.lineWidth = 1;
    pen.strokeRect(box.x + 0.5, y + 0.5, Math.max(1, share * room) - 1, h - 1);
  }
  if (was !== undefined) {
    pen.strokeStyle = looks.ink;
    pen.lineWidth = 1;
    pen.setLineDash([3, 2]);
    pen.strokeRect(box.x + 0.5, y - 1.5, Math.max(1, was * room), h + 3);
    pen.setLineDash([]);
  }
  if (plan.narrow) write(pen, text, box.x, box.y + 8, { colour: looks.ink, size: 11 });
  else write(pen, text, box.x + box.w, box.y + box.h / 2, { colour: looks.ink, align: "right", size: 13 });
}

/** What the newest row was while its head had its own keys and values. @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {NonNullable<Scene["own"]>} own */
function paintOwn(pen, { plan, looks }, { box, values, alpha }) {
  cells(pen, looks, { box, values, alpha });
  pen.globalAlpha = alpha;
  pen.strokeStyle = looks.ink;
  pen.lineWidth = 1;
  pen.setLineDash([3, 2]);
  pen.strokeRect(box.x - 1.5, box.y - 1.5, box.w + 2, box.h + 3);
  pen.setLineDash([]);
  const isAbove = box.y < plan.title;
  write(pen, plan.narrow ? "before" : "before sharing", box.x + box.w / 2, isAbove ? box.y - 10 : box.y + box.h + 10, {
    colour: quiet(looks),
    size: 12,
    align: "center",
  });
  pen.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} pen @param {Picture} picture @param {Row} row */
function paintRow(pen, picture, row) {
  const { looks } = picture;
  const { box, look, values, alpha, faint, bare } = row;
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
  if (row.lit) {
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
function paintSlice(pen, { looks }, { box, values, weight, alpha }) {
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
  const fill = mixed(value < 0 ? NEGATIVE : POSITIVE, mixed(ink, paper, 0.14), 0.9 * loud);
  return { paper: fill, ink: inkOn(fill) };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Looks} looks
 * @param {{ box: Box, values: number[], alpha: number, bare?: boolean }} row
 */
function cells(pen, looks, { box, values, alpha, bare = false }) {
  const w = box.w / values.length;
  const size = w >= 36 ? 13 : 11;
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

// A row of the output: by how much it changes at most, in a frame.
function changed(pen, { plan, looks, results }, { box, look, by = 0, alpha }) {
  const isSame = look === "same";
  pen.globalAlpha = alpha;
  pen.fillStyle = looks.paper;
  pen.fillRect(box.x, box.y, box.w - 1, box.h);
  pen.fillStyle = mixed(looks.ink, looks.paper, 0.4);
  const bar = isSame ? 0 : Math.min(7, box.h / 3); // below the number, so that its end runs through no digit
  pen.fillRect(box.x, box.y + box.h - bar, (box.w - 1) * (by / Math.max(...results.moved)), bar);
  const colour = isSame ? quiet(looks) : looks.ink;
  if (!isSame) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 2, box.h - 1);
  }
  const how = {
    colour,
    size: plan.narrow ? 12 : 13,
    weight: isSame ? 400 : 700,
    align: /** @type {const} */ ("center"),
  };
  const distance = differenceText(by);
  write(pen, isSame ? "same" : distance, box.x + box.w / 2, box.y + (box.h - bar) / 2 + 0.5, how);
}

// What the pointer or the keyboard is at.
function paintPointed(pen, { plan, looks, pointed }) {
  if (!pointed || !["q", "k", "v"].includes(pointed.what)) return;
  const { x, y, w, h } = rowOf(plan, pointed.what, pointed.n);
  pen.globalAlpha = 1;
  pen.strokeStyle = looks.ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(x - 2.5, y - 2.5, w + 4, h + 5);
}
