// The map: every tensor of the layer as its sheets, to scale, joined by arrows; and the numbers on their way.

import { FONT, penFor } from "../kit/canvas.js";
import { context2d, element } from "../kit/dom.js";
import { arrows, edges } from "./joins.js";
import { around, BEHIND, drawSheet, measureIn, outlineFirst, pointOut, resized, sheetsBehind, translucent } from "./paint.js";
import { mapPlan } from "./plan.js";
import { LAST, STAGES, shapeNow, stageOf, usualWords, wayTo, written } from "./stages.js";
import { travel } from "./travel.js";

/** @typedef {import("./links.js").Region} Region */
/** @typedef {import("./plan.js").MapPlan} MapPlan */
/** @typedef {import("./plan.js").Placed} Placed */
/** @typedef {import("../kit/layer.js").LayerState} LayerState */
/** @typedef {import("../kit/moves.js").Box} Box */

/**
 * @typedef {object} Scene
 * @property {LayerState} state
 * @property {ReturnType<typeof import("./images.js").images>} pictures
 * @property {Record<string, string>} palette
 * @property {number} t from 0, where only x is there, to the last stage
 * @property {string} shown the tensor that is shown large
 * @property {Record<string, Region[]> | null} links cells to point out
 * @property {number} passed how much of the move from the sizes before has passed
 */

/** How strong is what is still to come: before the first step all of the map is there. @param {number} t */
const fading = (t) => Math.max(0.35, 1 - 2 * t);

/** @param {(name: string) => void} onChoose */
export function map(onChoose) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  const pen = context2d(canvas);
  /** @type {MapPlan | null} */
  let plan = null;
  /** @type {MapPlan | null} */
  let before = null;
  /** @type {MapPlan | null} */
  let next = null;
  let key = "";

  /** @param {MouseEvent} event */
  function under(event) {
    if (!plan) return null;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = Object.values(plan.tensors).find(
      ({ all, label }) =>
        Math.abs(x - all.x - all.w / 2) < Math.max(all.w + 16, label) / 2 && y > all.y - 36 && y < all.y + all.h + 10,
    );
    return found?.name ?? null;
  }
  canvas.addEventListener("click", (event) => {
    const name = under(event);
    if (name) onChoose(name);
  });
  canvas.addEventListener("pointermove", (event) => {
    canvas.style.cursor = under(event) ? "pointer" : "default";
  });

  /**
   * Lay the map out. Returns whether anything has moved.
   *
   * @param {LayerState} state
   * @param {number} width
   * @param {number} tall
   * @param {string} shown
   */
  function arrange(state, width, tall, shown) {
    const { B, H, L, S, D, G } = state;
    const now = JSON.stringify([B, H, L, S, D, G, width, tall, plan?.narrow && shown]);
    if (now === key) return false;
    const sameRoom = plan?.width === width;
    key = now;
    before = sameRoom ? plan : null;
    plan = mapPlan(state, width, tall, shown);
    next = plan;
    return Boolean(before);
  }

  /** @param {Scene} scene */
  function draw(scene) {
    if (!next) return;
    const there = scene.passed < 1 && before ? halfway(before, next, scene.passed) : next;
    penFor(canvas, next.width, Math.max(next.height, there.height));
    pen.imageSmoothingEnabled = false;
    const { t, state, pictures, palette } = scene;
    const stage = Math.ceil(t - 1e-6);
    const { tensors, narrow } = there;
    if (!narrow) {
      pen.fillStyle = translucent(palette.ink, 0.07); // the column of now, which goes on over the tracks
      pen.fillRect((stage * next.width) / (LAST + 1), 0, next.width / (LAST + 1), next.height);
    }
    const strength = (/** @type {string} */ name) => (stageOf(name) <= stage ? 1 : fading(t)); // what is to come is pale
    arrows(pen, there, scene, strength);
    for (const one of Object.values(tensors)) tensor(one, scene);
    if (t < stage && scene.passed === 1) {
      const place = {
        ...{ pen, pictures, state, blank: translucent(palette.ink, 0.2), ink: palette.ink },
        at: (/** @type {string} */ name) => tensors[name] && { sheets: tensors[name], boxes: tensors[name].boxes },
      };
      for (const name of STAGES[stage]) if (tensors[name]) travel(place, name, wayTo(stage, t));
    }
    for (const one of Object.values(tensors)) {
      pen.globalAlpha = strength(one.name);
      label(one, scene, narrow, t > 0 || stageOf(one.name) % LAST === 0);
    }
    pen.globalAlpha = 1;
    plan = next;
  }

  /**
   * @param {Placed} one
   * @param {Scene} scene
   */
  function tensor(one, { state, pictures, palette, t, shown, links }) {
    const { name, boxes, all, behind, cell } = one;
    const image = pictures.image(name);
    const arrived = wayTo(stageOf(name), t) >= 1;
    sheetsBehind(pen, [all], arrived || t === 0 ? behind : 0, palette);
    pen.fillStyle = palette.paper;
    for (const { x, y, w, h } of boxes) pen.fillRect(x, y, w, h);
    const cells = links?.[name] ?? null;
    const strength = arrived ? 1 : fading(t);
    for (const [h, box] of boxes.entries()) {
      pen.globalAlpha = strength * (cells ? 0.6 : 1);
      if (image) drawSheet(pen, image.canvas, h, one, box, cell);
      else {
        pen.fillStyle = translucent(palette.ink, 0.2);
        pen.fillRect(box.x, box.y, box.w, box.h);
      }
    }
    pen.globalAlpha = strength;
    edges(pen, one, palette);
    const usual = arrived || t === 0 ? usualWords(name, state) : 0;
    if (usual) outlineFirst(pen, one, cell, usual, palette);
    pen.globalAlpha = 1;
    if (cells) pointOut(pen, cells, one, image && arrived ? { canvas: image.canvas, strength: 1 } : null, palette);
    if (name === shown) {
      pen.strokeStyle = palette.accent;
      pen.lineWidth = 2;
      const more = 6 + behind * BEHIND;
      pen.strokeRect(all.x - 3, all.y + 3 - more, all.w + more, all.h + more);
    }
  }

  /**
   * The name of a tensor, and its axes, each in its colour: below the name, or on a phone below the tensor, with their sizes. As long as nothing has been done to x, only those of x and y are known: the others are for the reader to say,
   * and names stand in their place.
   *
   * @param {Placed} one
   * @param {Scene} scene
   * @param {boolean} narrow
   * @param {boolean} known its axes are shown
   */
  function label({ name, all, axes, behind, sized }, { state, palette }, narrow, known) {
    const y = all.y - behind * BEHIND - 8;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    const size = narrow ? 11.5 : 12.5;
    const bold = `700 ${size}px ${FONT}`;
    const sizes = shapeNow(name, state);
    /** @type {[text: string, colour: string, font: string, gap: number][]} */
    const parts = axes
      .split(" ")
      .flatMap((axis, n) => [
        ...axis
          .split(/(·)/)
          .map((part) => /** @type {[string, string, string, number]} */ ([part, palette[part] ?? palette.ink, bold, 0])),
        [sized ? String(sizes[n]) : "", palette[axis.at(-1) ?? ""], `${size}px ${FONT}`, 5],
      ]);
    /** @param {typeof parts} texts @param {number} foot */
    const write = (texts, foot) => {
      const wide = texts.reduce((sum, [text, , font, gap]) => sum + measureIn(pen, font)(text) + gap, -texts[texts.length - 1][3]);
      let at = narrow ? (all.x < 20 ? 1 : all.x - 5) : all.x + all.w / 2 - wide / 2; // the first column has the margin
      for (const [text, colour, font, gap] of texts) {
        const width = measureIn(pen, font)(text);
        pen.font = font;
        pen.fillStyle = colour;
        pen.fillText(text, at, foot);
        at += width + gap;
      }
    };
    write([[written(name), palette.ink, `600 ${narrow ? 11.5 : 14}px ${FONT}`, 0]], known && !narrow ? y - 15 : y - 2);
    if (known) write(parts, narrow ? all.y + all.h + 18 : y);
  }

  return { canvas, arrange, draw, plan: () => next };
}

/**
 * The plan between two plans: what is in both moves, what is only in the second is there at once.
 *
 * @param {MapPlan} a
 * @param {MapPlan} b
 * @param {number} n
 * @returns {MapPlan}
 */
function halfway(a, b, n) {
  const tensors = Object.entries(b.tensors).map(([name, one]) => {
    const old = a.tensors[name] ?? one;
    const moved = resized(old, one, n);
    return [name, { ...one, ...moved, all: around(moved.boxes) }];
  });
  return { ...b, tensors: Object.fromEntries(tensors), height: Math.max(a.height, b.height) };
}
