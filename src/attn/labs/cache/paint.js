// CacheLab's canvas: draws what scene.js says.

import { penFor, write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { number } from "../kit/format.js";
import { shade } from "../kit/scale.js";
import { paintCaption, paintLines } from "./effect.js";
import { paintBlocks, paintHeads, paintSheets } from "./heads.js";
import { rowOf, SHORT } from "./layout.js";
import { quiet } from "./looks.js";
import { cells, paintRow, paintSlice } from "./rows.js";
import { paintCount, paintTitles } from "./titles.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./looks.js").Looks} Looks */
/** @typedef {import("./scene.js").Scene} Scene */

/**
 * @typedef {object} Picture what does not depend on the moment
 * @property {Plan} plan
 * @property {Looks} looks
 * @property {import("./run.js").State} state
 * @property {import("./model.js").Results} results
 * @property {number} head
 * @property {string[]} words of the sentence
 * @property {{ heads: boolean, bytes: boolean }} parts
 * @property {number | null} other how many rows change with the key in place of the query, or the other way round, once that was tried
 * @property {{ what: string, n: number } | null} pointed
 */

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
function paintBar(pen, { plan, looks }, { box, share, value, isWeight, alpha, was, turned }) {
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
  const strip = was === undefined ? 0 : turned * (plan.narrow ? 3 : 5);
  const [low, h] = plan.narrow ? [box.y + box.h - 7, 6] : [box.y + 7, box.h - 14];
  const y = low - strip / 2;
  pen.fillStyle = mixed(looks.ink, looks.paper, 0.12);
  pen.fillRect(box.x, y, room, h);
  const colour = shade(0.3, "weights", 1)?.paper ?? looks.ink; // the length says how large
  pen.fillStyle = looks.isDark ? mixed(looks.ink, colour, 0.35) : colour;
  pen.fillRect(box.x, y, Math.max(1, share * room), h);
  pen.fillStyle = quiet(looks);
  pen.fillRect(box.x, y + h + 1, Math.max(1, (was ?? 0) * room), strip);
  if (plan.narrow) write(pen, text, box.x, box.y + 8, { colour: looks.ink, size: 11 });
  else write(pen, text, box.x + box.w, box.y + box.h / 2, { colour: looks.ink, align: "right", size: 13 });
}

/**
 * What the newest row and its weights were while its head had its own keys and values.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {NonNullable<Scene["own"]>} own
 */
function paintOwn(pen, { plan, looks }, own) {
  cells(pen, looks, { ...own, bare: true });
  const text = plan.row < SHORT ? "before" : "before sharing";
  const { x, y, w, h } = own.box;
  pen.globalAlpha = own.alpha;
  pen.strokeStyle = quiet(looks);
  pen.lineWidth = 1;
  pen.strokeRect(x - 0.5, y - 0.5, w, h + 1);
  for (const at of [plan.weights.x, x]) write(pen, text, at, y + h + 12, { colour: quiet(looks) });
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
