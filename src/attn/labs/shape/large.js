// The chosen tensor, large: its heads for one sentence, with words, and with its numbers where there is room.

import { FONT, penFor } from "../kit/canvas.js";
import { tints } from "../kit/colours.js";
import { context2d, element } from "../kit/dom.js";
import { spellings } from "../kit/format.js";
import { range } from "../kit/math.js";
import { pointing } from "../kit/pointing.js";
import { cellUnder, largePlan } from "./largeplan.js";
import { BEHIND, drawSheet, outlineFirst, pointOut, resized, sheetsBehind, translucent } from "./paint.js";
import { sheetsOf, stageOf, usualWords, valueAt, wayTo } from "./stages.js";
import { scoreAt } from "./travel.js";

/** @typedef {import("../kit/facets.js").Place} Place */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./map.js").Scene} Scene */
/** @typedef {import("./largeplan.js").LargePlan} LargePlan */

/** @typedef {{ rows: string[], columns: string[] }} Words */

/**
 * @param {(place: Place | null, kept: boolean, how?: "click" | "key") => void} onPoint kept: clicked, or reached with a key
 * @param {() => Place | null} pinned where the keyboard continues
 */
export function large(onPoint, pinned) {
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "heatmap" });
  const pen = context2d(canvas);
  /** @type {LargePlan | null} */
  let plan = null;
  /** @type {LargePlan | null} */
  let before = null;
  /** @type {Scene["state"] | null} */
  let past = null;
  let sentences = 1;
  let sentence = 0;
  let key = "";

  pointing(canvas, {
    placeAt(x, y) {
      const cell = plan && cellUnder(plan, plan.sheets, x, y);
      return cell && [sentence, ...cell];
    },
    extent: () => plan && { sizes: [sentences, plan.sheets.heads, plan.sheets.R, plan.sheets.C], first: [sentence, 0, 0, 0] },
    pinned,
    onPoint,
  });

  /**
   * Lay the tensor out. Returns whether the same tensor has another layout now.
   *
   * @param {Scene} scene
   * @param {Words} words
   * @param {number} b the sentence
   * @param {number} width
   * @param {number} tall
   */
  function arrange({ state, shown }, words, b, width, tall) {
    [sentences, sentence] = [state.B, b];
    const sheets = sheetsOf(shown, state);
    const now = JSON.stringify([sheets, words, width, tall, state.B]);
    if (now === key) return;
    // Another tensor comes with other sizes from what it would have been before.
    before = plan && past && (plan.sheets.name === shown ? plan : largePlan(sheetsOf(shown, past), words, width, tall, past.B - 1));
    past = state;
    plan = largePlan(sheets, words, width, tall, state.B - 1);
    key = now;
  }

  /**
   * @param {Scene} scene
   * @param {Words} words
   * @param {number} width
   * @param {string} label
   */
  function draw(scene, words, width, label) {
    if (!plan) return;
    const { pictures, palette, t, shown, links, passed } = scene;
    const { sheets } = plan;
    if (canvas.getAttribute("aria-label") !== label) canvas.setAttribute("aria-label", label);
    penFor(canvas, width, Math.ceil(Math.max(plan.height, passed < 1 ? (before?.height ?? 0) : 0)));
    pen.imageSmoothingEnabled = false;
    const way = wayTo(stageOf(shown), t);
    const image = pictures.image(shown);
    const place = { boxes: plan.boxes, R: sheets.R, C: sheets.C };
    const moved = passed < 1 && before ? resized({ ...before.sheets, boxes: before.boxes }, place, passed) : null;
    const boxes = moved?.boxes ?? plan.boxes;
    const resting = way >= 1 && passed === 1;
    if (way >= 1) sheetsBehind(pen, boxes, sentences - 1, palette);
    for (const [h, box] of boxes.entries()) {
      pen.fillStyle = palette.paper;
      pen.fillRect(box.x, box.y, box.w, box.h);
      const meet = shown === "scores" && image && way < 1;
      if (meet) made(box, way, scene, image.canvas, h);
      pen.globalAlpha = meet ? 0 : 0.15 + 0.85 * way; // it comes to light while its numbers travel over the map
      if (image) drawSheet(pen, image.canvas, h, sheets, box, moved?.cell);
      else {
        pen.fillStyle = translucent(palette.ink, 0.2);
        pen.fillRect(box.x, box.y, box.w, box.h);
      }
      pen.globalAlpha = 1;
    }
    if (image && resting) numbers(boxes, image.data, scene);
    const named = passed === 1;
    frame(boxes, scene, named);
    const usual = way >= 1 ? usualWords(shown, scene.state) : 0;
    if (usual) outlineFirst(pen, { ...sheets, boxes }, moved?.cell, usual, palette);
    if (named) names(words, palette);
    if (links?.[shown] && resting) pointOut(pen, links[shown], { ...sheets, boxes }, null, palette);
  }

  /**
   * The scores that are made already, and the row and the column that meet now.
   *
   * @param {Box} box
   * @param {number} way
   * @param {Scene} scene
   * @param {HTMLCanvasElement} image
   * @param {number} head
   */
  function made(box, way, { palette }, image, head) {
    if (!plan) return;
    const { sheets, w, h } = plan;
    const { R, C } = sheets;
    const at = scoreAt(way, R * C);
    const [i, j] = [Math.floor(at / C), at % C];
    pen.drawImage(image, 0, head * R, C, i, box.x, box.y, box.w, i * h);
    pen.drawImage(image, 0, head * R + i, j, 1, box.x, box.y + i * h, j * w, h);
    pen.lineWidth = 2;
    pen.strokeStyle = palette.L;
    pen.strokeRect(box.x, box.y + i * h, box.w, h);
    pen.strokeStyle = palette.S;
    pen.strokeRect(box.x + j * w, box.y, w, box.h);
  }

  /**
   * The numbers in their cells, and a dot for −∞.
   *
   * @param {Box[]} boxes
   * @param {Float32Array} data
   * @param {Scene} scene
   */
  function numbers(boxes, data, { palette: { ink }, pictures, shown }) {
    if (!plan) return;
    const { sheets, w, h, digits } = plan;
    pen.font = `${h > 15 ? 12 : 11}px ${FONT}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    // All numbers of a tensor have the longest spelling for which each has room.
    const wide = (/** @type {number} */ at) => (/** @type {number} */ value) =>
      Number.isFinite(value) && pen.measureText(spellings(value)[at]).width > w - 1;
    const long = [digits > 1 ? 0 : 1, 1].find((at) => !data.some(wide(at))) ?? 2;
    for (const [head, box] of boxes.entries())
      for (let i = 0; i < sheets.R; i++)
        for (let j = 0; j < sheets.C; j++) {
          const value = valueAt(sheets, data, [0, head, i, j]);
          const [x, y] = [box.x + (j + 0.5) * w, box.y + (i + 0.5) * h + 0.5];
          if (digits < 0) {
            if (Number.isFinite(value) || Math.min(w, h) < 4) continue;
            pen.fillStyle = ink;
            pen.fillRect(x - 1, y - 1, 2, 2);
            continue;
          }
          pen.fillStyle = pictures.colour(shown, head, i, j)?.ink || ink;
          pen.fillText(spellings(value)[long], x, y);
        }
  }

  /**
   * Borders, fences, and the edges in the colours of their axes; heads with their number.
   *
   * @param {Box[]} boxes
   * @param {Scene} scene
   * @param {boolean} named
   */
  function frame(boxes, { palette }, named) {
    if (!plan) return;
    const { sheets } = plan;
    const columns = sheets.columnAxis.split("·");
    const heads = tints(palette.H, palette.paper);
    pen.lineWidth = 1;
    for (const [h, { x, y, w, h: high }] of boxes.entries()) {
      pen.strokeStyle = translucent(palette.ink, 0.4);
      pen.strokeRect(x - 0.5, y - 0.5, w + 1, high + 1);
      pen.fillStyle = palette[sheets.rowAxis];
      pen.fillRect(x - 3, y - 1, 3, high + 2);
      pen.fillStyle = palette[columns.at(-1) ?? ""];
      pen.fillRect(x, y - 3, w, 3);
      for (const n of range(sheets.blocks > 1 ? sheets.blocks : 0)) {
        pen.fillStyle = palette.ink;
        if (n) pen.fillRect(x + (n * w) / sheets.blocks - 1, y - 3, 2, high + 8);
        pen.fillStyle = heads[n % heads.length];
        pen.fillRect(x + (n * w) / sheets.blocks + 1, y + high + 1, w / sheets.blocks - 2, 3);
      }
      if (sheets.headAxis && named) {
        pen.fillStyle = palette[sheets.headAxis];
        pen.font = `600 11px ${FONT}`;
        pen.textAlign = "left";
        pen.textBaseline = "alphabetic";
        const text = `head ${h}`;
        pen.fillText(pen.measureText(text).width > w + 4 ? String(h) : text, x, y - 5 - (sentences - 1) * BEHIND);
      }
    }
  }

  /**
   * Words beside the rows, and words or indices above the columns.
   *
   * @param {Words} words
   * @param {Record<string, string>} palette
   */
  function names(words, palette) {
    if (!plan) return;
    const { boxes, sheets, w, h, top, across, upright, named, key, height } = plan;
    const step = named ? 1 : Math.ceil(12 / h); // where there is no room for words, some rows have their index
    pen.fillStyle = palette.ink;
    pen.font = `11px ${FONT}`;
    pen.textBaseline = "middle";
    for (const [n, box] of boxes.entries()) {
      if (n % across === 0) {
        pen.textAlign = "right";
        words.rows.forEach((word, i) => {
          if (i % step === 0) pen.fillText(named ? word : String(i), box.x - 5, box.y + (i + 0.5) * h);
        });
      }
      if (n >= across) continue;
      const every = named && upright ? 1 : Math.ceil((5 + 7 * String(sheets.C - 1).length) / w);
      words.columns.forEach((word, j) => {
        if (j % every) return;
        const x = box.x + (j + 0.5) * w;
        if (!upright || !named) {
          pen.textAlign = "center";
          pen.fillText(named ? word : String(j), x, top - 9);
          return;
        }
        pen.save();
        pen.translate(x, top - 5);
        pen.rotate(-Math.PI / 2);
        pen.textAlign = "left";
        pen.fillText(word, 0, 0);
        pen.restore();
      });
    }
    pen.textAlign = "left";
    pen.fillText(key, 0, height - 7);
    // The letters of the two axes, in the corner between their words.
    pen.font = `700 12px ${FONT}`;
    pen.textAlign = "left";
    pen.fillStyle = palette[sheets.rowAxis];
    pen.fillText(sheets.rowAxis, 0, boxes[0].y + Math.min(8, boxes[0].h / 2));
    let x = 0;
    for (const part of sheets.columnAxis.split(/(·)/)) {
      pen.fillStyle = palette[part] ?? palette.ink;
      pen.fillText(part, x, 7);
      x += pen.measureText(part).width;
    }
  }

  return { canvas, arrange, draw };
}
