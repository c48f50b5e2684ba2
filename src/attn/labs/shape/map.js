// The map: every tensor of the layer as its sheets, to scale, joined by arrows; and the numbers on their way.

import { FONT, penFor } from "../kit/canvas.js";
import { context2d, element } from "../kit/dom.js";
import { arrows, edges } from "./joins.js";
import { between, drawSheet, measureIn, pointOut, resized, translucent } from "./paint.js";
import { mapPlan } from "./plan.js";
import { STAGES, shapeNow, sourcesOf, stageOf, wayTo, written } from "./stages.js";
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
      ({ all, label }) => x > all.x - 8 && x < all.x + Math.max(all.w + 8, label) && y > all.y - 36 && y < all.y + all.h + 10,
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
    const isOnWay = stage > 0 && t < stage && scene.passed === 1;
    // While numbers are on their way, the rest is pale.
    const sources = isOnWay ? STAGES[stage].flatMap((name) => sourcesOf(name, state)) : [];
    const strength = (/** @type {number} */ to, name = "") => (!isOnWay || to === stage || sources.includes(name) ? 1 : 0.3);
    arrows(pen, there, scene, strength);
    const { tensors } = there;
    /** @param {(one: Placed) => void} drawn */
    const each = (drawn) => {
      for (const one of Object.values(tensors)) {
        pen.globalAlpha = strength(stageOf(one.name), one.name);
        drawn(one);
      }
      pen.globalAlpha = 1;
    };
    each((one) => tensor(one, scene, there));
    if (isOnWay) {
      const place = {
        ...{ pen, pictures, state, blank: translucent(palette.ink, 0.2), ink: palette.ink },
        at: (/** @type {string} */ name) => tensors[name] && { sheets: tensors[name], boxes: tensors[name].boxes },
      };
      for (const name of STAGES[stage]) if (tensors[name]) travel(place, name, wayTo(stage, t));
    }
    each((one) => label(one, state, palette, there, t > 0 || stageOf(one.name) === 0));
    plan = next;
  }

  /**
   * @param {Placed} one
   * @param {Scene} scene
   * @param {MapPlan} there
   */
  function tensor(one, { pictures, palette, t, shown, links }, there) {
    const { name, boxes, all, behind, cell } = one;
    const image = pictures.image(name);
    const arrived = wayTo(stageOf(name), t) >= 1;
    pen.lineWidth = 1;
    if (!arrived) {
      pen.strokeStyle = translucent(palette.ink, 0.4); // what is not there yet is an empty outline
      pen.fillStyle = translucent(palette.ink, 0.05);
      for (const { x, y, w, h } of boxes) {
        pen.fillRect(x, y, w, h);
        pen.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
      }
    }
    for (let n = arrived ? behind : 0; n > 0; n--)
      for (const { x, y, w, h } of boxes) {
        pen.fillStyle = palette.paper;
        pen.strokeStyle = translucent(palette.ink, 0.35);
        pen.fillRect(x + n * 2.5, y - n * 2.5, w, h);
        pen.strokeRect(x + n * 2.5 + 0.5, y - n * 2.5 - 0.5, w, h);
      }
    const cells = links?.[name] ?? null;
    const strength = pen.globalAlpha;
    for (const [h, box] of arrived ? boxes.entries() : []) {
      pen.fillStyle = palette.paper;
      pen.fillRect(box.x, box.y, box.w, box.h);
      pen.globalAlpha = strength * (cells ? 0.6 : 1);
      if (image) drawSheet(pen, image.canvas, h, one, box, cell);
      else {
        pen.fillStyle = translucent(palette.ink, 0.2);
        pen.fillRect(box.x, box.y, box.w, box.h);
      }
      pen.globalAlpha = strength;
    }
    if (arrived) edges(pen, one, palette);
    if (cells) pointOut(pen, cells, one, image && arrived ? { canvas: image.canvas, strength: 1 } : null, palette);
    if (name === shown) {
      pen.strokeStyle = palette.accent;
      pen.lineWidth = 2;
      const left = Math.max(1, all.x - 7);
      const top = all.y - 4 - behind * 2.5;
      const right = Math.min(all.x + all.w + 5.5 + behind * 2.5, there.width - 1);
      pen.strokeRect(left, top, right - left, all.y + all.h + (there.narrow ? 6 : 9) - top); // on a phone the axes stand below it
    }
  }

  /**
   * The name of a tensor and its shape, each number in the colour of its axis. As long as only x is there, the shapes of the others
   * are for the reader to say.
   *
   * @param {Placed} one
   * @param {LayerState} state
   * @param {Record<string, string>} palette
   * @param {MapPlan} there
   * @param {boolean} shaped
   */
  function label({ name, all, axes, behind, sized }, state, palette, { narrow }, shaped) {
    const y = all.y - behind * 2.5 - 8;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = palette.ink;
    measureIn(pen, `600 ${narrow ? 11.5 : 14}px ${FONT}`);
    const x = all.x < 20 ? 1 : all.x - 5; // the first column has the margin
    pen.strokeStyle = palette.paper; // an arrow that passes ends before the label
    pen.lineWidth = 3;
    /** @type {(text: string, x: number, y: number) => void} */
    const write = (some, left, foot) => {
      pen.strokeText(some, left, foot);
      pen.fillText(some, left, foot);
    };
    write(written(name), x, narrow ? y : y - 16);
    if (!shaped) return;
    // Below the name its axes, with their sizes where there is room. On a phone they stand below the tensor.
    const foot = narrow ? all.y + all.h + 18 : y;
    const sizes = shapeNow(name, state);
    const size = narrow ? 11.5 : 12.5;
    let at = x;
    for (const [n, axis] of axes.split(" ").entries()) {
      for (const part of axis.split(/(·)/)) {
        const wide = measureIn(pen, `700 ${size}px ${FONT}`)(part);
        pen.fillStyle = palette[part] ?? palette.ink;
        write(part, at, foot);
        at += wide;
      }
      if (sized) {
        const wide = measureIn(pen, `${size}px ${FONT}`)(String(sizes[n]));
        pen.fillStyle = palette[axis.at(-1) ?? ""];
        write(String(sizes[n]), at + 1, foot);
        at += wide + 1;
      }
      at += sized ? 5 : 4;
    }
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
    return [name, { ...one, ...resized(old, one, n), all: between(old.all, one.all, n) }];
  });
  return { ...b, tensors: Object.fromEntries(tensors), height: Math.max(a.height, b.height) };
}
