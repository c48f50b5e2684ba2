// The map: every tensor of the layer as its sheets, to scale, joined by arrows; and the numbers on their way.

import { penFor } from "../kit/canvas.js";
import { context2d, element } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { between, pointOut, translucent } from "./paint.js";
import { mapPlan } from "./plan.js";
import { LAST, STAGES, shapeNow, stageOf, wayTo, written } from "./stages.js";
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

const PALE = 0.35;
const FONT = "system-ui, sans-serif";

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
      ({ all }) => x > all.x - 8 && x < all.x + all.w + 8 && y > all.y - 16 && y < all.y + all.h + 12,
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
   */
  function arrange(state, width, tall) {
    const { B, H, L, S, D, G } = state;
    const now = JSON.stringify([B, H, L, S, D, G, width, tall]);
    if (now === key) return false;
    const sameRoom = plan?.width === width;
    key = now;
    before = sameRoom ? plan : null;
    plan = mapPlan(state, width, tall);
    next = plan;
    return Boolean(before);
  }

  /** @param {Scene} scene */
  function draw(scene) {
    if (!next) return;
    plan = scene.passed < 1 && before ? halfway(before, next, scene.passed) : next;
    penFor(canvas, next.width, Math.max(next.height, plan.height));
    pen.imageSmoothingEnabled = false;
    arrows(pen, plan, scene);
    const { t } = scene;
    for (const one of Object.values(plan.tensors)) tensor(one, scene, plan);
    const stage = Math.ceil(t - 1e-6);
    if (stage > 0 && stage <= LAST && t < stage && scene.passed === 1) {
      const there = plan.tensors;
      const place = {
        ...{ pen, pictures: scene.pictures, state: scene.state, blank: translucent(scene.palette.ink, 0.2) },
        at: (/** @type {string} */ name) => there[name] && { sheets: there[name], boxes: there[name].boxes },
      };
      for (const name of STAGES[stage]) if (there[name]) travel(place, name, wayTo(stage, t));
    }
    plan = next;
  }

  /**
   * @param {Placed} one
   * @param {Scene} scene
   * @param {MapPlan} there
   */
  function tensor(one, { state, pictures, palette, t, shown, links }, there) {
    const { name, boxes, all, R, C, behind } = one;
    const image = pictures.image(name);
    const arrived = wayTo(stageOf(name), t) >= 1;
    const strength = arrived ? 1 : PALE;
    pen.lineWidth = 1;
    for (let n = behind; n > 0; n--)
      for (const { x, y, w, h } of boxes) {
        pen.fillStyle = palette.paper;
        pen.strokeStyle = translucent(palette.ink, 0.35);
        pen.fillRect(x + n * 2.5, y - n * 2.5, w, h);
        pen.strokeRect(x + n * 2.5 + 0.5, y - n * 2.5 - 0.5, w, h);
      }
    const cells = links?.[name] ?? null;
    for (const [h, box] of boxes.entries()) {
      pen.fillStyle = palette.paper;
      pen.fillRect(box.x, box.y, box.w, box.h);
      pen.globalAlpha = strength * (cells ? 0.6 : 1);
      if (image) pen.drawImage(image.canvas, 0, h * R, C, R, box.x, box.y, box.w, box.h);
      else {
        pen.fillStyle = translucent(palette.ink, 0.2);
        pen.fillRect(box.x, box.y, box.w, box.h);
      }
      pen.globalAlpha = 1;
    }
    edges(pen, one, palette, there.narrow);
    if (cells) pointOut(pen, cells, one, image && { canvas: image.canvas, strength }, palette);
    label(one, state, palette, there);
    if (name === shown) {
      pen.strokeStyle = palette.accent;
      pen.lineWidth = 2;
      pen.strokeRect(all.x - 5.5, all.y - 4.5 - behind * 2.5, all.w + 11 + behind * 2.5, all.h + 10 + behind * 2.5);
    }
  }

  /**
   * The name of a tensor and its shape, each number in the colour of its axis.
   *
   * @param {Placed} one
   * @param {LayerState} state
   * @param {Record<string, string>} palette
   * @param {MapPlan} there
   */
  function label({ name, all, axes, behind, sized }, state, palette, { narrow }) {
    const y = all.y - behind * 2.5 - 7;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = palette.ink;
    const nameWidth = measureIn(pen, `600 ${narrow ? 11 : 11.5}px ${FONT}`);
    const text = written(name);
    const x = all.x < 20 ? 1 : all.x - 5; // the first column has the margin
    pen.fillText(text, x, y);
    const letters = axes.split(" ");
    const sizes = shapeNow(name, state);
    if (!sized) return;
    let at = x + nameWidth(text) + 4;
    const sizeWidth = measureIn(pen, `11px ${FONT}`);
    for (const [n, size] of sizes.entries()) {
      pen.fillStyle = palette[letters[n][0]];
      pen.fillText(String(size), at, y);
      at += sizeWidth(String(size)) + 3.5;
    }
  }

  return { canvas, arrange, draw, plan: () => next };
}

/** @type {Map<string, number>} */
const widths = new Map();

/**
 * Choose a font, and return how wide a text is in it. The map writes the same texts again and again, and measuring takes longer than
 * writing; even reading the font of a pen does.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} font
 * @returns {(text: string) => number}
 */
function measureIn(pen, font) {
  pen.font = font;
  return (text) => {
    const key = font + text;
    const known = widths.get(key) ?? pen.measureText(text).width;
    widths.set(key, known);
    return known;
  };
}

/**
 * The edges of the sheets in the colours of their axes, with their letters, and fences between heads.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Placed} one
 * @param {Record<string, string>} palette
 * @param {boolean} narrow
 */
function edges(pen, { boxes, all, blocks, headAxis, rowAxis, columnAxis, behind }, palette, narrow) {
  const columns = columnAxis.split("·");
  const colour = (/** @type {string} */ axis) => palette[axis];
  for (const { x, y, w, h } of boxes) {
    pen.strokeStyle = translucent(palette.ink, 0.4);
    pen.lineWidth = 1;
    pen.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
    pen.fillStyle = colour(rowAxis);
    pen.fillRect(x - 2.5, y - 1, 2.5, h + 2);
    pen.fillStyle = colour(columns.at(-1) ?? "");
    pen.fillRect(x, y + h, w, 2.5);
    if (blocks > 1) {
      pen.fillStyle = colour(columns[0]);
      pen.fillRect(x, y + h + 2.5, w, 2);
      pen.fillStyle = palette.ink;
      for (const n of range(blocks - 1)) pen.fillRect(x + ((n + 1) * w) / blocks - 0.5, y - 2, 1, h + 7);
    }
  }
  if (headAxis && boxes.length > 1) {
    pen.fillStyle = colour(headAxis);
    pen.fillRect(all.x, all.y + all.h + 3.5, all.w, 2);
  }
  const widthOf = measureIn(pen, `700 11px ${FONT}`);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillStyle = colour(rowAxis);
  if (all.h > 8) pen.fillText(rowAxis, all.x - 4, all.y + all.h / 2);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const below = all.y + all.h + 6;
  const letters = headAxis ? [headAxis, "·", ...columns] : columns.flatMap((axis, n) => (n ? ["·", axis] : [axis]));
  const text = headAxis ? [...columns, headAxis] : letters;
  if (headAxis && boxes.length > 1 && all.w > 30) {
    // The columns of one head below the first, the heads at the end of their line.
    pen.fillStyle = colour(columns[0]);
    pen.fillText(columns[0], boxes[0].x + Math.max(4, boxes[0].w / 2), below);
    pen.fillStyle = colour(headAxis);
    pen.fillText(headAxis, all.x + all.w - Math.max(4, boxes[0].w / 2), below);
  } else {
    const parts = headAxis ? [text[0], " ", text[1]] : text;
    const wide = parts.map(widthOf);
    let x = all.x + all.w / 2 - wide.reduce((a, b) => a + b, 0) / 2;
    pen.textAlign = "left";
    parts.forEach((part, n) => {
      pen.fillStyle = colour(part) ?? palette.ink;
      pen.fillText(part, x, below);
      x += wide[n];
    });
  }
  if (behind && !narrow && headAxis && columns[0] === "S") {
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = colour("B");
    pen.fillText("B", all.x + all.w + behind * 2.5 + 3, all.y - behind * 2.5 + 4);
  }
}

/**
 * What joins the tensors.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {MapPlan} plan
 * @param {Scene} scene
 */
function arrows(pen, { tensors, narrow, gap }, { palette, state }) {
  const quiet = translucent(palette.ink, 0.6);
  pen.strokeStyle = quiet;
  pen.lineWidth = 1;
  const widthOf = measureIn(pen, `11px ${FONT}`);
  const middle = (/** @type {Placed} */ { all }) => all.y + all.h / 2;
  const right = (/** @type {Placed} */ { all, behind }) => all.x + all.w + behind * 2.5 + 3;
  const left = (/** @type {Placed} */ { all }) => all.x - 13;

  /**
   * @param {[number, number][]} points
   * @param {boolean} [headed]
   */
  function line(points, headed = true) {
    pen.beginPath();
    for (const [n, [x, y]] of points.entries()) n ? pen.lineTo(x, y) : pen.moveTo(x, y);
    pen.stroke();
    const [[x0, y0], [x1, y1]] = /** @type {[[number, number], [number, number]]} */ (points.slice(-2));
    if (!headed) return;
    const angle = Math.atan2(y1 - y0, x1 - x0);
    pen.beginPath();
    for (const turn of [0, 2.6, -2.6])
      pen.lineTo(x1 + (turn && 6 * Math.cos(angle + turn)), y1 + (turn && 6 * Math.sin(angle + turn)));
    pen.fillStyle = quiet;
    pen.fill();
  }
  /** @type {(text: string, x: number, y: number, align?: CanvasTextAlign) => void} */
  const write = (text, x, y, align = "center") => {
    pen.textAlign = align;
    pen.textBaseline = "alphabetic";
    pen.fillStyle = quiet;
    pen.fillText(text, x, y);
  };
  const { x, context, q_flat, k_flat, v_flat, q, k, v, kT, scores, scaled, masked, weights, heads, concat, y } = tensors;
  const source = context ?? x;
  for (const [from, to, name] of /** @type {const} */ ([
    [x, q_flat, "W_Q"],
    [source, k_flat, "W_K"],
    [source, v_flat, "W_V"],
  ])) {
    const bend = right(from) + (left(to) - right(from)) * 0.4;
    line([
      [right(from), middle(from)],
      [bend, middle(from)],
      [bend, middle(to)],
      [left(to), middle(to)],
    ]);
    if (!narrow) write(name, (bend + left(to)) / 2 - 1, middle(to) - 5);
  }
  for (const [from, to, name] of /** @type {const} */ ([
    [q_flat, q, "split"],
    [k_flat, k, "split"],
    [v_flat, v, "split"],
    [k, kT, "turn"],
  ])) {
    line([
      [right(from), middle(from)],
      [left(to), middle(from)],
    ]);
    if (!narrow) write(name, (right(from) + left(to)) / 2, middle(from) - 5);
  }
  line([
    [right(q), middle(q)],
    [left(scores), middle(q)],
  ]);
  const join = (right(kT) + left(scores)) / 2;
  line(
    [
      [right(kT), middle(kT)],
      [join, middle(kT)],
      [join, middle(q)],
    ],
    false,
  );
  /** @type {(texts: string[], room: number) => string} the longest of these texts that fits, "" if none does */
  const fitting = (texts, room) => texts.find((text) => widthOf(text) <= room) ?? "";
  write(fitting(["q · kᵀ, added up over D", "q · kᵀ"], join - 10 - right(q)), join - 6, middle(q) - 5, "right");
  const out = Math.max(...[scores, scaled, masked, weights].map(right)) + (narrow ? 7 : 9);
  for (const [from, to, name] of /** @type {const} */ ([
    [scores, scaled, state.scale ? "÷ √D" : "as is"],
    [scaled, masked, state.causal ? "mask" : "no mask"],
    [masked, weights, "softmax"],
  ])) {
    const [y0, y1] = [middle(from) + 4, middle(to) - 4];
    line([
      [right(from), y0],
      [out, y0],
      [out, y1],
      [right(to) + 1, y1],
    ]);
    if (!narrow) write(name, out + 4, y0 + 14, "left");
  }
  line([
    [left(weights), middle(weights)],
    [right(heads), middle(heads)],
  ]);
  const meet = right(heads) + Math.min(22, gap * 0.6);
  line(
    [
      [right(v), middle(v)],
      [meet, middle(v)],
      [meet, middle(heads)],
    ],
    false,
  );
  write(fitting(["weights · v, added up over S", "weights · v"], left(weights) - meet - 14), meet + 6, middle(heads) - 5, "left");
  for (const [from, to, name] of /** @type {const} */ ([
    [heads, concat, "merge"],
    [concat, y, "W_O"],
  ])) {
    line([
      [left(from), middle(from)],
      [right(to), middle(from)],
    ]);
    if (!narrow) write(name, (left(from) + right(to)) / 2, middle(from) - 5);
  }
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
    const boxes = one.boxes.map((box, h) => between(old.boxes[h] ?? old.boxes.at(-1) ?? box, box, n));
    return [name, { ...one, boxes, all: between(old.all, one.all, n) }];
  });
  return { ...b, tensors: Object.fromEntries(tensors), height: Math.max(a.height, b.height) };
}
