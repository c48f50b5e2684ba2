// Draws CubeLab's block of products, its two factors, and the table of sums in front of it.

import { FONT, penFor, write } from "../kit/canvas.js";
import { mixed } from "../kit/colours.js";
import { spelled } from "../kit/format.js";
import { range } from "../kit/math.js";
import { shade } from "../kit/scale.js";
import { sumOf } from "./model.js";
import { paintRod, rodRoom } from "./rod.js";
import { ASIDE, cameraOf, cellsAt, facesOf, labelsAt, THIN } from "./scene.js";

/** @typedef {import("./scene.js").Cell} Cell */
/** @typedef {import("./scene.js").Camera} Camera */
/** @typedef {{ paper: string, ink: string }} Colours of a cell, and of a text on it */

/**
 * @typedef {object} Picture
 * @property {{ L: number, S: number, D: number, added: number | null }} sizes
 * @property {import("./model.js").Results} results
 * @property {[number, number]} pin
 * @property {string[]} words
 * @property {{ factors: number, products: number, scores: number }} most where the scales end
 * @property {Record<string, string>} colours of the page
 * @property {number} width
 * @property {number} height
 */

/** At first, seen along D, and as far as the block can be turned. */
const TURNS = /** @type {const} */ ([ASIDE, [0, 0], [-55, 0], [0, 50], [-55, 50]]);

/** @type {Map<string, string>} */
const known = new Map();

/**
 * A colour in the shade.
 *
 * @param {string} colour
 * @param {number} dark
 */
function darker(colour, dark) {
  if (!dark) return colour;
  const key = `${colour} ${dark}`;
  const made = known.get(key) ?? mixed("#000", colour, dark);
  known.set(key, made);
  return made;
}

/** The room for the words beside the queries. @param {Pick<Picture, "sizes" | "words">} picture */
const wordsRoom = ({ sizes, words }) =>
  6.6 * Math.max(...words.slice(0, Math.max(sizes.L, sizes.S)).map((word) => word.length)) + 14;

/**
 * Where the block is, with room for the words beside the queries and below the keys.
 *
 * @param {Picture} picture
 * @param {readonly [number, number]} turn
 */
export function cameraFor({ sizes, words, width, height }, turn) {
  const left = wordsRoom({ sizes, words });
  const below = Math.min(44, 0.75 * (left - 14) + 14);
  const rod = rodRoom(width);
  return cameraOf(sizes, turn, {
    x: left + rod.left,
    y: 24 + rod.top,
    w: width - left - rod.left - 20,
    h: height - below - 28 - rod.top,
  });
}

/**
 * How far the pair's products can stand to the right, towards the block, wherever that is turned to.
 *
 * @param {Picture} picture
 */
function besideOf(picture) {
  const wanted = (picture.width - 800) / 2;
  const rod = rodRoom(picture.width);
  const room = TURNS.map((turn) => cameraFor(picture, turn).left - wordsRoom(picture) - rod.left);
  return Math.max(0, Math.min(wanted, ...room));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {number} done how many products of each pair are added up, from 0 to D
 * @param {readonly [number, number]} turn
 */
export function paint(canvas, picture, done, turn) {
  const { sizes, width, height } = picture;
  const pen = penFor(canvas, width, height);
  const camera = cameraFor(picture, turn);
  for (const cell of cellsAt(sizes, done, camera.depth, turn)) paintCell(pen, picture, cell, camera, done);
  if (done > 0) paintSums(pen, picture, camera, done);
  paintPair(pen, picture, camera, done);
  paintLabels(pen, picture, camera, done);
  paintRod(pen, picture, done, besideOf(picture));
  if (width > 480) write(pen, "drag to turn", width - 4, height - 10, { colour: picture.colours.ink, size: 12.5, align: "right" });
}

/**
 * @param {Picture} picture
 * @param {Pick<Cell, "part" | "i" | "j" | "d">} cell
 * @param {number} done
 * @returns {[value: number, colours: Colours]}
 */
function numberIn({ sizes, results, most }, { part, i, j, d }, done) {
  const { D, S } = sizes;
  const value =
    part === "q"
      ? results.q[i * D + d]
      : part === "k"
        ? results.k[j * D + d]
        : part === "product"
          ? results.products[(i * S + j) * D + d]
          : sumOf(results, sizes, i, j, Math.max(1, Math.floor(done)));
  const end = part === "sum" ? most.scores : part === "product" ? most.products : most.factors;
  return [value, /** @type {Colours} */ (shade(value, "signed", end))];
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Cell} cell
 * @param {Camera} camera
 * @param {number} done
 */
function paintCell(pen, picture, cell, camera, done) {
  const [, { paper }] = numberIn(picture, cell, done);
  pen.globalAlpha = cell.alpha;
  pen.lineWidth = 0.8;
  pen.strokeStyle = darker(paper, 0.42);
  const faces = facesOf(cell, camera);
  for (const { points, dark } of faces) {
    pen.fillStyle = darker(paper, cell.part === "q" || cell.part === "k" ? 0 : dark);
    pen.beginPath();
    for (const [n, [x, y]] of points.entries()) n ? pen.lineTo(x, y) : pen.moveTo(x, y);
    pen.closePath();
    pen.fill();
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/**
 * The sums in front: those below 10 with one decimal, or all without.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Camera} camera
 * @param {number} done
 */
function paintSums(pen, picture, { project }, done) {
  const { L, S } = picture.sizes;
  const [[x, y], [right], [, bottom]] = /** @type {import("./scene.js").Point[]} */ ([
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ]).map(project);
  if (bottom - y < 13) return;
  const sums = range(L * S).map((n) => ({ i: Math.floor(n / S), j: n % S }));
  const seen = sums.map(({ i, j }) => ({
    at: project([j + 0.5, i + 0.5, -THIN]),
    number: numberIn(picture, { part: "sum", i, j, d: 0 }, done),
  }));
  const size = right - x > 37 ? 12 : 11;
  pen.font = `400 ${size}px ${FONT}`;
  const digitsOf = (/** @type {number} */ sum, /** @type {number | undefined} */ count) =>
    spelled(sum, Math.abs(sum) < 9.95 ? count : 0);
  const digits = [1, 0].find((count) =>
    seen.every(({ number }) => pen.measureText(digitsOf(number[0], count)).width < right - x + (count ? -1 : 4)),
  ); // whole numbers of two digits are few
  pen.globalAlpha = Math.min(1, done);
  for (const { at, number } of digits === undefined ? [] : seen)
    write(pen, digitsOf(number[0], digits), ...at, { colour: number[1].ink, size, align: "center" });
  pen.globalAlpha = 1;
}

/**
 * A line around the chosen query, the chosen key, and the place where their products are added up; and behind it, those that are not
 * added up yet.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Camera} camera
 * @param {number} done
 */
function paintPair(pen, { sizes, pin: [i, j], colours }, { project, turn }, done) {
  const { edges } = labelsAt(sizes, 0, turn);
  const [[qx], [, ky]] = [edges.qD[0], edges.S[0]];
  const { D } = sizes;
  const rod = range(4).map((n) => [j + (n % 3 ? 1 : 0), i + (n > 1 ? 1 : 0)]);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  pen.beginPath();
  if (done <= 0)
    rod.forEach(([x, y], n) => {
      const [x2, y2] = rod[(n + 1) % 4];
      pen.moveTo(...project([x, y, 0]));
      pen.lineTo(...project([x, y, D]));
      pen.lineTo(...project([x2, y2, D]));
    });
  pen.stroke();
  pen.setLineDash([]);
  outline(
    [
      [qx, i, 0],
      [qx, i, D],
      [qx, i + 1, D],
      [qx, i + 1, 0],
    ],
    colours.L,
  );
  outline(
    [
      [j, ky, 0],
      [j, ky, D],
      [j + 1, ky, D],
      [j + 1, ky, 0],
    ],
    colours.S,
  );
  outline(
    [
      [j, i, 0],
      [j + 1, i, 0],
      [j + 1, i + 1, 0],
      [j, i + 1, 0],
    ],
    colours.ink,
  );

  /** @param {import("./scene.js").Point[]} points @param {string} colour */
  function outline(points, colour) {
    pen.beginPath();
    for (const [n, point] of points.entries()) n ? pen.lineTo(...project(point)) : pen.moveTo(...project(point));
    pen.closePath();
    pen.lineJoin = "round";
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 4;
    pen.stroke();
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.stroke();
  }
}

/**
 * The words of queries and keys, and the letters of the three axes on their edges.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Picture} picture
 * @param {Camera} camera
 * @param {number} done
 */
function paintLabels(pen, { sizes, words, pin, colours }, { project, unit, turn }, done) {
  const { queries, keys, q, k, edges } = labelsAt(sizes, done, turn);
  for (const [name, at] of /** @type {const} */ ([
    ["q", q],
    ["kᵀ", k],
  ])) {
    const [x, y] = project(at);
    const up = name === "q" && x - project(edges.L[0])[0] < 20 ? 27 : 12; // seen from its edge, q lies below the letter of its axis
    write(pen, name, x - 4, y - up, { colour: colours.ink, size: 14, weight: 700, align: "right" });
  }
  queries.forEach((point, i) => {
    const [x, y] = project(point);
    write(pen, words[i], x - 7, y, { colour: colours.L, size: 11.5, weight: pin[0] === i ? 700 : 400, align: "right" });
  });
  const slanted = Math.max(...words.slice(0, sizes.S).map((word) => 6.6 * word.length)) > unit * 0.8;
  keys.forEach((point, j) => {
    const [x, y] = project(point);
    const look = { colour: colours.S, size: 11.5, weight: pin[1] === j ? 700 : 400 };
    if (!slanted) return write(pen, words[j], x, y + 13, { ...look, align: "center" });
    pen.save();
    pen.translate(x + 4, y + 9);
    pen.rotate(-Math.PI / 4);
    write(pen, words[j], 0, 0, { ...look, align: "right" });
    pen.restore();
  });
  for (const [name, [from, to]] of Object.entries(edges)) {
    const axis = name[name.length - 1];
    const [[x0, y0], [x1, y1]] = [project(from), project(to)];
    const long = Math.hypot(x1 - x0, y1 - y0);
    if (long < 8) continue; // seen from its end, or all of it is added up
    pen.strokeStyle = colours[axis];
    pen.lineWidth = 3;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
    const look = { colour: colours[axis], size: 13, weight: 700, align: /** @type {const} */ ("center") };
    if (name === "L") write(pen, "L", x0, y0 - 10, look);
    else if (name === "S") write(pen, "S", x0 - 11, y0 + 4, look);
    else if (name === "kD") write(pen, "D", (x0 + x1) / 2 - 11, (y0 + y1) / 2 - 6, look);
    else write(pen, "D", (x0 + x1) / 2 + 9, (y0 + y1) / 2 + 11, look);
  }
}
