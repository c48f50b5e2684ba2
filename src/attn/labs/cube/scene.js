// Where everything is at one moment: the block of products and its two factors in space, and their projection onto the screen. Space has
// the keys S to the right, the queries L downwards, and D backwards; a number is 1 wide.

import { range } from "../kit/math.js";
import { fall } from "../kit/time.js";

/** @typedef {[x: number, y: number, z: number]} Point */
/** @typedef {{ L: number, S: number, D: number }} Sizes */

/**
 * @typedef {object} Cell
 * @property {"q" | "k" | "product" | "sum"} part
 * @property {number} i the query
 * @property {number} j the key
 * @property {number} d
 * @property {Point} at its corner that is nearest to the reader, to the left and at the top
 * @property {Point} size
 * @property {number} alpha
 */

/** How the block is turned at first. @type {readonly [number, number]} */
export const ASIDE = [-32, 24];

/** From the block to its factors: so far that it does not hide them. @param {number} D @param {readonly [number, number]} turn */
const away = (D, [side, up]) => ({
  q: 0.6 + 0.65 * D * Math.min(1, Math.abs(side / ASIDE[0])),
  k: 0.5 + 0.42 * D * Math.min(1, Math.abs(up / ASIDE[1])),
});
export const THIN = 0.12; // of a sheet
const SHRUNK = 0.74; // a product is a small cube, so that those behind it can be seen

/**
 * All cells when `done` products of each pair have been added up, in the order in which they are to be drawn: the furthest first. The
 * products of depth d move to the front while `done` goes from d to d + 1.
 *
 * @param {Sizes} sizes
 * @param {number} done from 0 to D
 * @param {(point: Point) => number} depth how far a point is from the reader
 * @param {readonly [number, number]} [turn]
 * @returns {Cell[]}
 */
export function cellsAt({ L, S, D }, done, depth, turn = ASIDE) {
  /** @type {Cell[]} */
  const cells = [];
  const inset = (1 - SHRUNK) / 2;
  const { q, k } = away(D, turn);
  for (const d of range(D)) {
    for (const i of range(L)) cells.push(flat("q", i, 0, d, [-q - THIN, i, d], [THIN, 1, 1]));
    for (const j of range(S)) cells.push(flat("k", 0, j, d, [j, -k - THIN, d], [1, THIN, 1]));
    const passed = Math.max(0, Math.min(1, done - d));
    if (passed >= 1) continue;
    const z = d * (1 - fall(passed)) + inset;
    for (const i of range(L))
      for (const j of range(S))
        cells.push({ part: "product", i, j, d, at: [j + inset, i + inset, z], size: [SHRUNK, SHRUNK, SHRUNK], alpha: 1 });
  }
  const begun = Math.min(1, done);
  if (begun > 0)
    for (const i of range(L))
      for (const j of range(S)) cells.push({ ...flat("sum", i, j, 0, [j, i, -THIN], [1, 1, THIN]), alpha: begun });
  /** @type {(cell: Cell) => number} */
  const far = ({ at, size }) => depth([at[0] + size[0] / 2, at[1] + size[1] / 2, at[2] + size[2] / 2]);
  return cells
    .map((cell) => ({ cell, far: far(cell) }))
    .sort((a, b) => b.far - a.far)
    .map(({ cell }) => cell);
}

/**
 * @param {Cell["part"]} part
 * @param {number} i
 * @param {number} j
 * @param {number} d
 * @param {Point} at
 * @param {Point} size
 * @returns {Cell}
 */
const flat = (part, i, j, d, at, size) => ({ part, i, j, d, at, size, alpha: 1 });

/**
 * The points where words and letters stand: beside each query, below each key, and along D. The edge of the block along D is as long as
 * what is not added up yet.
 *
 * @param {Sizes} sizes
 * @param {number} [done]
 * @param {readonly [number, number]} [turn]
 */
export function labelsAt({ L, S, D }, done = 0, turn = ASIDE) {
  const { q, k } = away(D, turn);
  /** @type {(n: number) => Point} */
  const query = (i) => [-q - THIN, i + 0.5, 0];
  /** @type {(n: number) => Point} */
  const key = (j) => [j + 0.5, L, 0];
  return {
    queries: range(L).map(query),
    keys: range(S).map(key),
    /** @type {Point} */
    q: [-q, 0, D],
    /** @type {Point} */
    k: [S, -k, D],
    /** @type {Record<string, [from: Point, to: Point]>} the edges that are drawn in the colours of their axes */
    edges: {
      L: [
        [-q - THIN, 0, 0],
        [-q - THIN, L, 0],
      ],
      qD: [
        [-q, L, 0],
        [-q, L, D],
      ],
      blockD: [
        [S, L, done],
        [S, L, D],
      ],
      kD: [
        [0, -k - THIN, 0],
        [0, -k - THIN, D],
      ],
      S: [
        [0, -k, 0],
        [S, -k, 0],
      ],
    },
  };
}

/** @typedef {ReturnType<typeof cameraOf>} Camera */

/**
 * How space is seen when it is turned by these degrees: to the side, and upwards. Far and near things are equally large.
 *
 * @param {Sizes} sizes
 * @param {readonly [number, number]} turn
 * @param {{ x: number, y: number, w: number, h: number }} room where the block and its factors have to fit
 */
export function cameraOf({ L, S, D }, [side, up], room) {
  const [a, b] = [(side * Math.PI) / 180, (up * Math.PI) / 180];
  const [cosA, sinA, cosB, sinB] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  const middle = [S / 2, L / 2, D / 2];
  /** @type {(point: Point) => Point} to the right, downwards, and away from the reader */
  const turned = ([px, py, pz]) => {
    const [x, y, z] = [px - middle[0], py - middle[1], pz - middle[2]];
    const [x1, z1] = [x * cosA - z * sinA, x * sinA + z * cosA];
    return [x1, y * cosB - z1 * sinB, y * sinB + z1 * cosB];
  };
  const { q, k } = away(D, [side, up]);
  const boxes = [
    { x: [-q - THIN, S], y: [0, L] },
    { x: [0, S], y: [-k - THIN, L] },
  ]; // nothing is above q, and nothing to the left of kᵀ
  const corners = boxes.flatMap(({ x, y }) => x.flatMap((px) => y.flatMap((py) => [0, D].map((pz) => turned([px, py, pz])))));
  const [left, right] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))];
  const [top, bottom] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))];
  const unit = Math.min(room.w / (right - left), room.h / (bottom - top));
  const [x0, y0] = [
    room.x + (room.w - unit * (right - left)) / 2 - unit * left,
    room.y + (room.h - unit * (bottom - top)) / 2 - unit * top,
  ];
  return {
    unit,
    left: x0 + unit * left,
    turn: /** @type {const} */ ([side, up]),
    /** @type {(point: Point) => [number, number]} */
    project(point) {
      const [x, y] = turned(point);
      return [x0 + unit * x, y0 + unit * y];
    },
    /** @type {(point: Point) => number} */
    depth: (point) => turned(point)[2],
    /** Which sides of a box are seen, besides its front. */
    seen: { left: sinA > 0.02, right: sinA < -0.02, top: sinB > 0.02, bottom: sinB < -0.02 },
  };
}

/**
 * The visible faces of a box: the corners of each, and how dark it is. The front is always seen, since the block is turned by less than
 * a right angle.
 *
 * @param {Cell} cell
 * @param {Camera} camera
 */
export function facesOf({ at: [x, y, z], size: [w, h, deep] }, { project, seen }) {
  const side = seen.left ? x : x + w;
  const level = seen.top ? y : y + h;
  /** @type {{ points: [number, number][], dark: number }[]} */
  const faces = [];
  /** @type {(dark: number, ...corners: Point[]) => void} */
  const face = (dark, ...corners) => faces.push({ points: corners.map(project), dark });
  const [back, right, bottom] = [z + deep, x + w, y + h];
  if (seen.left || seen.right) face(0.3, [side, y, z], [side, y, back], [side, bottom, back], [side, bottom, z]);
  if (seen.top || seen.bottom) face(0.14, [x, level, z], [x, level, back], [right, level, back], [right, level, z]);
  face(0, [x, y, z], [right, y, z], [right, bottom, z], [x, bottom, z]);
  return faces;
}
