// What the two planes show: queries with keys, and values with outputs. Each is a list of shapes for plane.js.

import { colourOf } from "../kit/colours.js";
import { range } from "../kit/math.js";
import { outputs, pointText } from "./explain.js";
import { hull, pathThrough, SIZE, toPicture } from "./geometry.js";
import { KEYS, TEMPERATURES, WORDS } from "./model.js";

/** @typedef {import("./model.js").Point} Point */
/** @typedef {import("./plane.js").Shape} Shape */
/** @typedef {{ shapes: Shape[], label: string, handles: Point[] }} Picture */

const HALF_LETTER = 3.4; // half the width of a letter

/**
 * A text near a point, inside the picture.
 *
 * @param {ArrayLike<number>} point
 * @param {string} text
 * @param {number} below how far below the point
 * @param {string} [kind]
 * @returns {Shape}
 */
function label(point, text, below, kind = "") {
  const [x, y] = toPicture(point);
  const half = HALF_LETTER * text.length;
  return ["text", { x: Math.max(half, Math.min(SIZE - half, x)).toFixed(1), y: (y + below).toFixed(1), class: kind }, text];
}

// The same at the first of two heights that covers no text of the picture, or else at the first.
function freeLabel(point, text, heights, shapes) {
  const texts = shapes.filter(([tag]) => tag === "text");
  const isFree = ([, at]) =>
    texts.every(([, other, otherText]) => {
      const wide = HALF_LETTER * (otherText.length + text.length);
      return Math.abs(other.x - at.x) >= wide || Math.abs(other.y - at.y) >= 13;
    });
  const labels = heights.map((below) => label(point, text, below, "strong"));
  return labels.find(isFree) ?? labels[0];
}

/** @returns {Shape} */
function circle(point, r, attributes) {
  const [cx, cy] = toPicture(point).map((x) => x.toFixed(1));
  return ["circle", { cx, cy, r, ...attributes }];
}

// A ring around a point, as a path.
function ring(point) {
  const [x, y] = toPicture(point);
  return `M${(x - 13).toFixed(1)} ${y.toFixed(1)}a13 13 0 1 0 26 0a13 13 0 1 0 -26 0`;
}

/**
 * Keys, and the query of each head as an arrow.
 *
 * @param {import("./model.js").State} state
 * @returns {Picture}
 */
export function queriesAndKeys({ values, queries, heads }) {
  /** @type {Shape[]} */
  const shapes = values.flatMap((_, s) => [
    ["path", { d: pathThrough([[0, 0], KEYS[s]]), class: "key" }],
    circle(KEYS[s], 6, { fill: colourOf(s), class: "point" }),
    label(KEYS[s], WORDS[s], KEYS[s][1] < 0 ? 20 : -10),
  ]);
  const handles = queries.slice(0, heads);
  handles.forEach((query, h) => {
    shapes.push(["path", { d: pathThrough([[0, 0], query]), class: "query" }], circle(query, 9, { class: "handle" }));
    shapes.push(freeLabel(query, heads === 1 ? "query" : `query ${h}`, [-13, 24], shapes));
  });
  const list = handles.map((query, h) => `query ${heads > 1 ? h : ""} ${pointText(query)}`).join(", ");
  return { shapes, handles, label: `queries and keys: ${list}. Arrow keys move a query.` };
}

/**
 * Values with their hull; for each head the path over all temperatures, the weighted values end to end, and the output.
 *
 * @param {import("./model.js").State} state
 * @param {import("./model.js").Results} results
 * @param {number} pick what the sliders move
 * @returns {Picture}
 */
export function valuesAndOutputs({ values, by, heads }, results, pick) {
  /** @type {Shape[]} */
  const shapes = [["path", { d: `${pathThrough(hull(values))}Z`, class: "hull" }]];
  for (const h of range(heads)) {
    if (by === "query") shapes.push(["path", { d: pathThrough(pathOfHead(results, h)), class: "path" }]); // hand weights have none
    shapes.push(...weightedValues(values, results, h));
  }
  values.forEach((value, s) => {
    shapes.push(circle(value, 9, { fill: colourOf(s), class: "point handle" }));
    shapes.push(label(value, WORDS[s], value[1] < 0 ? 24 : -13));
  });
  if (pick >= 2) shapes.push(["path", { d: ring(values[pick - 2]), class: "ring" }]);
  const outs = outputs(results, heads);
  outs.forEach((out, h) => {
    shapes.push(circle(out, 6, { class: "output" }));
    shapes.push(freeLabel(out, heads === 1 ? "output" : `output ${h}`, [19, -10], shapes));
  });
  const list = outs.map((out, h) => `output ${heads > 1 ? h : ""} ${pointText(out, 2)}`).join(", ");
  return { shapes, handles: values, label: `values: ${list}. Arrow keys move ${WORDS[Math.max(0, pick - 2)]}.` };
}

/** @returns {Point[]} */
function pathOfHead({ path }, h) {
  const start = 2 * TEMPERATURES.length * h;
  return TEMPERATURES.map((_, n) => [path[start + 2 * n], path[start + 2 * n + 1]]);
}

/** @returns {Shape[]} */
function weightedValues(values, { weights }, h) {
  let from = [0, 0];
  return values.map((value, s) => {
    const weight = weights[h * values.length + s];
    const to = [from[0] + weight * value[0], from[1] + weight * value[1]];
    /** @type {Shape} */
    const part = ["path", { d: pathThrough([from, to]), class: "part", stroke: colourOf(s) }];
    from = to;
    return part;
  });
}
