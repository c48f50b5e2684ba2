// How the numbers travel from one stage to the next, drawn at any moment of the way: n goes from 0 to 1.

import { sizesOf } from "../kit/layer.js";
import { range } from "../kit/math.js";
import { append, blend, divide, fly, hide, inTurn, turn } from "../kit/moves.js";
import { soft } from "../kit/time.js";
import { groupOf, seesKey } from "./cell.js";
import { sourcesOf } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./stages.js").Sheets} Sheets */

/**
 * Where to draw: the map, or the large tensor.
 *
 * @typedef {object} Place
 * @property {CanvasRenderingContext2D} pen
 * @property {(name: string) => { sheets: Sheets, boxes: Box[] } | null} at null: it is not drawn here
 * @property {ReturnType<typeof import("./images.js").images>} pictures
 * @property {string} blank the colour of a sheet whose numbers are not known here
 * @property {string} ink
 * @property {LayerState} state
 */

const MANY = 3000; // more cells than this move together, as rows or heads

/**
 * Draw what is on its way to a tensor.
 *
 * @param {Place} place
 * @param {string} to
 * @param {number} n
 */
export function travel(place, to, n) {
  const from = sourcesOf(to, place.state);
  const known = from.every((name) => place.at(name));
  (known ? MOVES[to] : arrive)(place, from, to, n);
}

/** @typedef {(place: Place, from: string[], to: string, n: number) => void} Move */

/** @type {Record<string, Move>} */
const MOVES = {
  ...{ x: arrive, context: arrive, q_flat: project, k_flat: project, v_flat: project, q: split, k: split, v: split },
  ...{ kT: turnOver, scores: multiply, scaled: follow, masked: mask, weights: softmax, heads: sum, concat: merge, y: project },
};

/**
 * Draw a part of a tensor into a box.
 *
 * @param {Place} place
 * @param {string} name
 * @param {number} h
 * @param {readonly [top: number, left: number, rows: number, columns: number]} cut
 * @param {Box} box
 * @param {number} [alpha]
 */
function part({ pen, pictures, blank, at }, name, h, [top, left, rows, columns], box, alpha = 1) {
  const image = pictures.image(name);
  pen.globalAlpha = alpha;
  const R = at(name)?.sheets.R ?? 0;
  if (image) pen.drawImage(image.canvas, left, h * R + top, columns, rows, box.x, box.y, box.w, box.h);
  else {
    pen.fillStyle = blank;
    pen.fillRect(box.x, box.y, box.w, box.h);
  }
  pen.globalAlpha = 1;
}

/** @typedef {{ sheets: Sheets, boxes: Box[] }} Drawn */

/** @type {(drawn: Drawn, h: number, i: number, count?: number) => Box} */
function rowBox({ sheets, boxes }, h, i, count = 1) {
  const { x, y, w, h: high } = boxes[h];
  return { x, y: y + (i * high) / sheets.R, w, h: (count * high) / sheets.R };
}

/** @type {(drawn: Drawn, h: number, i: number, j: number) => Box} */
function cellBox({ sheets, boxes }, h, i, j) {
  const { x, y, w, h: high } = boxes[h];
  return { x: x + (j * w) / sheets.C, y: y + (i * high) / sheets.R, w: w / sheets.C, h: high / sheets.R };
}

/** The rows of the result come one after the other: where the tensors it is made from are not drawn. @type {Move} */
function arrive(place, _, to, n) {
  const drawn = /** @type {Drawn} */ (place.at(to));
  const { heads, R, C } = drawn.sheets;
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < R; i++) {
      const box = append(rowBox(drawn, h, i), inTurn(n, i, R, 0.4), { x: -5 });
      part(place, to, h, [i, 0, 1, C], box, box.alpha);
    }
}

/** Each row goes into the matrix, whole, and comes out as another row. @type {Move} */
function project(place, [from], to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const [start, end] = [a.boxes[0], b.boxes[0]];
  const right = end.x > start.x;
  const middle = right ? (start.x + start.w + end.x) / 2 : (start.x + end.x + end.w) / 2;
  const { R } = b.sheets;
  for (let i = 0; i < R; i++) {
    const go = inTurn(n, i, R, 0.5);
    if (go <= 0) continue;
    const [out, into] = [rowBox(a, 0, i), rowBox(b, 0, i)];
    const gate = { x: middle - 1, y: into.y + (into.y > out.y ? -into.h : 0), w: 2, h: into.h };
    if (go < 0.5) part(place, from, 0, [i, 0, 1, a.sheets.C], fly(out, gate, 2 * go));
    else part(place, to, 0, [i, 0, 1, b.sheets.C], fly(gate, into, 2 * go - 1));
  }
}

/** The columns of a head in a tensor whose heads lie side by side. @type {(drawn: Drawn, h: number) => Box} */
function columnsOf({ sheets, boxes: [box] }, h) {
  const w = box.w / sheets.blocks;
  return { ...box, x: box.x + h * w, w };
}

/** The heads go apart: the numbers of a head stay together. @type {Move} */
function split(place, [from], to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { heads, R, C } = b.sheets;
  for (let h = 0; h < heads; h++) {
    const box = fly(columnsOf(a, h), b.boxes[h], inTurn(n, heads - 1 - h, heads));
    part(place, to, h, [0, 0, R, C], box);
  }
}

/** The heads come together, side by side. @type {Move} */
function merge(place, [from], to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { heads, R, C } = a.sheets;
  for (let h = 0; h < heads; h++) part(place, from, h, [0, 0, R, C], fly(a.boxes[h], columnsOf(b, h), inTurn(n, h, heads)));
}

/** Rows become columns: each sheet turns over its diagonal on its way. @type {Move} */
function turnOver(place, [from], to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { heads, R, C } = a.sheets;
  const { pen } = place;
  for (let h = 0; h < heads; h++) {
    const go = inTurn(n, heads - 1 - h, heads);
    const { x, y, w, h: high } = fly(a.boxes[h], { ...b.boxes[h], w: b.boxes[h].h, h: b.boxes[h].w }, go);
    const [along, , , down] = turn({ x: 0, y: 0, p: 1 }, 0, 0, go).matrix;
    const across = go >= 1 ? 1 : 1 - along; // the matrix is (along, across, across, down)
    pen.save();
    pen.translate(x, y);
    if (go >= 1) pen.transform(0, 1, 1, 0, 0, 0);
    else pen.transform(along, across, across, down, 0, 0);
    part(place, from, h, [0, 0, R, C], { x: 0, y: 0, w, h: high });
    pen.restore();
  }
}

/** All heads go on together. @type {Move} */
function follow(place, [from], to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { heads, R, C } = b.sheets;
  for (let h = 0; h < heads; h++) {
    const box = fly(a.boxes[h], b.boxes[h], n);
    part(place, from, h, [0, 0, R, C], box);
    part(place, to, h, [0, 0, R, C], box, soft(n));
  }
}

const MEET = 0.35; // of the way to the scores: the first row and the first column have met

/**
 * Which score is made at a moment of the way to the scores, row after row: its number, of a sheet of so many.
 *
 * @param {number} n
 * @param {number} count
 */
export const scoreAt = (n, count) => Math.floor(Math.max(0, (n - MEET) / (1 - MEET)) * count);

/** In each head one query row and one key column meet where their score is, and then the others, in turn. @type {Move} */
function multiply(place, [from, other], to, n) {
  const [q, k, b] = [from, other, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { pen, state } = place;
  const { H, S, D, G } = sizesOf(state);
  const { R, C } = b.sheets;
  const go = Math.min(1, n / MEET);
  const at = scoreAt(n, R * C);
  const [l, s] = [Math.floor(at / C), at % C];
  for (let h = 0; h < H; h++) {
    const box = b.boxes[h];
    if (l) part(place, to, h, [0, 0, l, C], rowBox(b, h, 0, l));
    if (n >= 1) continue;
    const g = groupOf(h, H, G);
    if (s) part(place, to, h, [l, 0, 1, s], { ...rowBox(b, h, l), w: (s * box.w) / C });
    const key = k.boxes[g];
    const row = fly(rowBox(q, h, l), rowBox(b, h, l), go);
    const column = fly(
      { ...key, x: key.x + (s * key.w) / S, w: key.w / S },
      { ...box, x: box.x + (s * box.w) / C, w: box.w / C },
      go,
    );
    if (go < 1) part(place, from, h, [l, 0, 1, D], row);
    if (go < 1) part(place, other, g, [0, s, D, 1], column);
    pen.strokeStyle = place.ink;
    pen.lineWidth = 1;
    for (const { x, y, w, h: high } of [row, column]) pen.strokeRect(x - 0.5, y - 0.5, w + 1, high + 1);
  }
}

/** Rows go on, and become as wide as the rows of the result. @type {(place: Place, from: string, to: string, n: number) => void} */
function stretch(place, from, to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { heads, R, C } = b.sheets;
  for (let i = 0; i < R; i++) {
    const go = inTurn(n, i, R);
    if (go <= 0) continue;
    for (let h = 0; h < heads; h++) {
      const box = fly(rowBox(a, h, i), rowBox(b, h, i), go);
      if (go < 1) part(place, from, h, [i, 0, 1, a.sheets.C], box, 1 - soft(go));
      part(place, to, h, [i, 0, 1, C], box, soft(go));
    }
  }
}

/** What is hidden falls out of its table. @type {Move} */
function mask(place, from, to, n) {
  const [a, b] = [from[0], to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { heads, R, C } = b.sheets;
  for (let h = 0; h < heads; h++) {
    part(place, n < 0.6 ? from[0] : to, h, [0, 0, R, C], fly(a.boxes[h], b.boxes[h], Math.min(1, n / 0.6)));
    if (n < 0.6) continue;
    for (let i = 0; place.state.causal && i < R; i++)
      for (let j = 0; j < C; j++) {
        if (seesKey(place.state, i, j)) continue;
        const box = hide(cellBox(b, h, i, j), (n - 0.6) / 0.4);
        place.pen.globalAlpha = box.alpha;
        place.pen.fillStyle = place.pictures.colour(from[0], h, i, j)?.paper ?? place.blank;
        place.pen.fillRect(box.x, box.y, box.w, box.h);
        place.pen.globalAlpha = 1;
      }
  }
}

/** Each row becomes a bar that is as long as the row, because its weights sum to 1; then cells again. @type {Move} */
function softmax(place, [from], to, n) {
  const [a, b] = [from, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const { pen, pictures } = place;
  const weights = pictures.image(to);
  const { heads, R, C } = b.sheets;
  if (!weights || heads * R * C > MANY) return follow(place, [from], to, n);
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < R; i++) {
      const go = inTurn(n, i, R, 0.7);
      const row = fly(rowBox(a, h, i), rowBox(b, h, i), Math.min(1, 2 * go));
      if (go <= 0) part(place, from, h, [i, 0, 1, C], row);
      else if (go >= 1) part(place, to, h, [i, 0, 1, C], row);
      else {
        const share = weights.data.subarray((h * R + i) * C, (h * R + i + 1) * C);
        divide(share, row, go < 0.5 ? 2 * go : 2 - 2 * go).forEach((box, j) => {
          pen.fillStyle = pictures.colour(go < 0.2 ? from : to, h, i, j)?.paper ?? place.blank;
          pen.fillRect(box.x, box.y, box.w, box.h);
        });
      }
    }
}

/** The rows of v become as thick as their weights, and lie on each other in one row. On the map all of v goes below it first. @type {Move} */
function sum(place, [from, other], to, time) {
  const [there, b] = [other, to].map((name) => /** @type {Drawn} */ (place.at(name)));
  const weights = place.pictures.image(from);
  const { H, G } = sizesOf(place.state);
  const { heads, R, C } = b.sheets;
  const S = there.sheets.R;
  if (!weights || heads * R * S > MANY / 2) return stretch(place, from, to, time);
  const isBelow = there.boxes[0].y > b.boxes[0].y + b.boxes[0].h;
  const n = isBelow ? Math.max(0, (time - 0.35) / 0.65) : time;
  const boxes = there.boxes.map((box, g) =>
    isBelow ? fly(box, { ...box, x: b.boxes[(g * H) / G].x }, Math.min(1, time / 0.35)) : box,
  );
  const v = { sheets: there.sheets, boxes };
  if (isBelow && n < 1) for (const [g, box] of boxes.entries()) part(place, other, g, [0, 0, S, C], box, Math.min(1, 5 - 5 * n));
  for (let i = 0; i < R; i++) {
    const go = inTurn(n, i, R, 0.5);
    if (go <= 0) continue;
    for (let h = 0; h < heads; h++) {
      const g = groupOf(h, H, G);
      const into = rowBox(b, h, i);
      const share = weights.data.subarray((h * R + i) * S, (h * R + i + 1) * S);
      if (go < 1)
        blend(
          share,
          range(S).map((s) => rowBox(v, g, s)),
          into,
          go,
        ).forEach((box, s) => {
          if (share[s] > 0.004 || go < 0.3) part(place, other, g, [s, 0, 1, C], box);
        });
      part(place, to, h, [i, 0, 1, C], into, soft(Math.max(0, 5 * go - 4)));
    }
  }
}
