// What ProductLab's picture shows at a moment of a move: every cell with its place. At the end of a move this is what a jump shows.

import { range } from "../kit/math.js";
import { appear, inTurn } from "../kit/moves.js";
import { mix, progress, soft, swing } from "../kit/time.js";
import { boxOf } from "./layout.js";
import { indexOf, PRODUCTS, pairsOf, sumOf, TRANSPOSED, truthOf } from "./model.js";

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Sheet} Sheet */
/** @typedef {import("./layout.js").Plan} Plan */

/** @typedef {"rest" | "turn" | "cell" | "nudge"} Kind which move is shown: the turn of the right factor, one cell, a nudged key */

/**
 * @typedef {object} Cell
 * @property {Box} box
 * @property {readonly [number, number, number, number]} [matrix] how it is turned around its centre
 * @property {"left" | "right" | "result"} part whose numbers it has
 * @property {number} value
 * @property {number | null} key whose number it is
 * @property {number} alpha
 * @property {number} faint how much it fades, 0 to 1
 * @property {"" | "nudged" | "good" | "bad" | "luck"} mark
 * @property {boolean} [isChosen] whether it is the cell that is worked out, or in its row or column of a factor; if not, a small one has no number
 */

const linear = (/** @type {number} */ n) => n;

/**
 * How far each part of the picture has come at moment n of a move.
 *
 * @param {Kind} kind
 * @param {number} n
 */
export function phases(kind, n) {
  const part = { flip: 1, result: 1, cell: 1, bump: 1, choice: 1 };
  if (kind === "cell") part.cell = n;
  if (kind === "nudge") part.bump = n;
  if (kind === "turn") {
    part.flip = progress(n, 0.06, 0.57, linear);
    part.result = progress(n, 0.57, 0.7, linear);
    part.cell = progress(n, 0.7, 1, linear);
    part.choice = progress(n, 0.67, 0.73, linear);
  }
  return part;
}

/** How far pair d of a cell that is worked out has come onto the bench. */
const taken = (/** @type {number} */ n, /** @type {number} */ d, /** @type {number} */ N) =>
  inTurn(progress(n, 0.02, 0.45, linear), d, N, 0.5);

/** A box of an operand that goes up as it lies, before its lines are drawn. @type {(from: Box, to: Box, flip: number) => Box} */
export function lifted(from, to, flip) {
  const go = swing(Math.min(1, 2 * flip));
  return { x: mix(from.x, to.x, go), y: mix(from.y, to.y, go), w: mix(from.w, to.w, go), h: mix(from.h, to.h, go) };
}

/**
 * One row of the operand becomes a column, after the rows above it: it slides under its column as a strip of squares, rises, and swings
 * down about its first number. No strip covers another one.
 *
 * @param {Plan} plan
 * @param {number} row
 * @param {number} count of rows
 * @param {number} n
 * @returns {{ x: number, y: number, angle: number, along: number, across: number, aside: number }} the centre of its first number, the
 *   angle of the strip, the size of a cell along it and across it, and how far it has gone aside
 */
export function stripOf({ width, length, lying, right: { x, y, w, p } }, row, count, n) {
  const gone = inTurn(n, row, count, 1 / (0.62 * (count - 1) + 1));
  const [aside, up, swung] = [progress(gone, 0, 0.38), progress(gone, 0.2, 0.62), progress(gone, 0.58, 1)];
  const angle = (swung * Math.PI) / 2;
  const room = (width - x - row * w) / length; // at the edge of a narrow picture the squares are shorter
  const [along, across] = [mix(mix(lying.w, Math.min(p, room), aside), p, swung), mix(mix(lying.p, p, up), w, swung)];
  const over = Math.max(0, (across * Math.sin(angle) + along * Math.cos(angle) - w) / 2); // it leaves the column before it alone
  return {
    x: mix(lying.x + lying.w / 2, x + (row + 0.5) * w + over, aside),
    y: mix(lying.y + (row + 0.5) * lying.p, y + p / 2, up),
    ...{ angle, along, across, aside },
  };
}

/**
 * The cells of the right factor on their way from its operand, which lies as it is stored, a row for each query or key.
 *
 * @param {import("./model.js").Settings} settings
 * @param {any} results
 * @param {Plan} plan
 * @param {number} n
 * @returns {{ box: Box, matrix?: readonly [number, number, number, number], alpha: number }[]}
 */
export function rightBoxes(settings, { right, right_at, shapes }, plan, n) {
  const { product, H, L, S, D } = settings;
  const [, , , C] = shapes[1];
  const { turned } = PRODUCTS[product];
  const sourceRows = turned === "k" ? S : L;
  const isTransposed = product.endsWith(".transpose(-2, -1)");
  let turn = -1; // numbers that stay side by side move together
  const turns = range(right.length).map((place) => (place % C && place % D ? turn : ++turn));
  return range(right.length).map((place) => {
    const [m, c] = [Math.floor(place / C), place % C];
    const end = boxOf(plan.right, m, c);
    const [, , row, column] = indexOf(right_at[place], { H, D }, sourceRows);
    if (n >= 1) return { box: end, alpha: 1 };
    if (product === "q @ k") return { box: lifted(boxOf(plan.lying, row, column), end, n), alpha: 1 };
    if (product === "q @ k.T") return { box: end, alpha: soft(n) }; // its numbers come from other heads and sentences
    if (!isTransposed) {
      const from = boxOf(plan.lying, row, column);
      const count = turns[right.length - 1] + 1;
      const gone = inTurn(n, turns[place], count, 1 / (0.7 * (count - 1) + 1));
      const [out, aside, up] = [progress(gone, 0, 0.2), progress(gone, 0.2, 0.6), progress(gone, 0.6, 1)];
      const y = mix(from.y - out * from.h, end.y, up); // through the row above, which is empty: it covers no other
      return { box: { x: mix(from.x, end.x, aside), y, w: mix(from.w, end.w, aside), h: mix(from.h, end.h, up) }, alpha: 1 };
    }
    const { x, y, angle, along, across } = stripOf(plan, row, sourceRows, n);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const { w, h } = end;
    const matrix = /** @type {const} */ ([(sin * across) / w, (-cos * across) / w, (cos * along) / h, (sin * along) / h]);
    return { box: { x: x + column * along * cos - w / 2, y: y + column * along * sin - h / 2, w, h }, matrix, alpha: 1 };
  });
}

/**
 * Everything that the picture shows.
 *
 * @param {import("./model.js").Settings} settings
 * @param {any} results
 * @param {Plan} plan
 * @param {object} view
 * @param {[number, number] | null} view.cell that is worked out
 * @param {number | null} view.summed how many of its products are added, null for all
 * @param {boolean} view.bench whether the cell is worked out in the corner
 * @param {number | null} view.nudged the key that is nudged
 * @param {Kind} view.kind
 * @param {{ left: ArrayLike<number>, right: ArrayLike<number>, result: ArrayLike<number> | null } | null} [view.before] the numbers before
 *   the key was nudged
 * @param {number} view.n the moment of the move, 0 to 1
 * @returns {{ cells: Cell[], bench: Cell[], sum: { value: number, alpha: number } | null, part: ReturnType<typeof phases> }}
 */
export function sceneOf(settings, results, plan, { cell, summed, bench, nudged, kind, n, before = null }) {
  const part = phases(kind, n);
  const { product, H, S, D } = settings;
  const { left, right_at, result, shapes, changed, means } = results;
  const [[, , , N], [, , , C]] = shapes;
  const { turned } = PRODUCTS[product];
  /** @param {number} at */
  const keyAt = (at) => (turned === "k" ? indexOf(right_at[at], { H, D }, S)[2] : null);
  const bump = (/** @type {Box} */ box, /** @type {number} */ delay) =>
    grown(box, Math.sin(Math.PI * progress(part.bump, delay, delay + 0.5, linear)));
  const isOld = (/** @type {number} */ delay) => before !== null && part.bump < delay + 0.25; // a number changes where its cell is largest
  /** @type {Cell[]} */
  const cells = [];
  /**
   * The number of a table now, and what it was before a key was nudged.
   *
   * @param {"left" | "right" | "result"} table
   * @param {number} at
   * @param {number} delay of its change
   */
  const numberOf = (table, at, delay) => {
    const old = before?.[table]?.[at];
    return { part: table, value: isOld(delay) ? (old ?? 0) : results[table][at] };
  };
  /**
   * A cell of a factor.
   *
   * @param {"left" | "right"} table
   * @param {number} at
   * @param {number | null} key whose number it is
   * @param {number | null} pair of the cell that is worked out: its numbers light up as they come onto the bench
   * @param {Pick<Cell, "box" | "matrix" | "alpha">} place
   */
  const push = (table, at, key, pair, { box, ...place }) => {
    const isNudged = key !== null && key === nudged;
    const aside =
      nudged !== null
        ? Number(key !== null && !isNudged)
        : !cell || (table === "right" && means === "nothing") // which keys are in its columns is to be seen
          ? 0
          : pair === null
            ? 1
            : 1 - taken(part.cell, pair, N);
    cells.push({
      ...{ ...numberOf(table, at, 0), ...place, key, isChosen: !cell || pair !== null },
      ...{
        box: isNudged ? bump(box, 0) : box,
        mark: isNudged ? "nudged" : "",
        faint: aside * part.choice,
      },
    });
  };
  for (const at of range(left.length)) {
    const [row, n] = [Math.floor(at / N), at % N];
    push("left", at, turned === "q" ? row : null, cell?.[0] === row ? n : null, { box: boxOf(plan.left, row, n), alpha: 1 });
  }
  rightBoxes(settings, results, plan, part.flip).forEach((place, at) => {
    push("right", at, keyAt(at), cell?.[1] === at % C ? Math.floor(at / C) : null, place);
  });
  const at = cell ? cell[0] * C + cell[1] : -1;
  const pairs = cell ? pairsOf(settings, results, cell) : [];
  const done = summed ?? N;
  range(result?.length ?? 0).forEach((n) => {
    const [i, j] = [Math.floor(n / C), n % C];
    const { alpha, ...box } = appear(
      boxOf(plan.result, i, j),
      bench && n === at ? progress(part.cell, 0.75, 1, linear) : inTurn(part.result, n, result.length, 0.4), // it waits for its products
    );
    const mark = !changed?.[n] ? "" : means === "turned" ? "luck" : means === "scores" && j === nudged ? "good" : "bad";
    const number = numberOf("result", n, 0.4);
    if (n === at && summed !== null) number.value = sumOf(pairs.slice(0, done));
    cells.push({
      ...number,
      box: mark ? bump(box, 0.4) : box,
      key: null,
      mark,
      faint: (changed ? !changed[n] : cell && n !== at) ? part.choice : 0,
      isChosen: !cell || n === at,
      alpha,
    });
  });
  const truth = plan.truth && part.result && truthOf(settings, results);
  if (truth) {
    const view = { cell: null, summed: null, bench: false, nudged, kind, n };
    const beside = sceneOf({ ...settings, product: TRANSPOSED }, truth, { ...plan, ...plan.truth, truth: null }, view).cells;
    cells.push(...beside.filter((one) => one.part !== "left").map((one) => ({ ...one, alpha: one.alpha * part.result })));
  }
  const made = bench && cell && result && !isOld(0.4) ? benchOf(plan, cell, pairs, done, part.cell, turned) : [];
  const sum = made.length ? { value: sumOf(pairs.slice(0, done)), alpha: progress(part.cell, 0.6, 0.75, soft) } : null;
  return { cells, bench: made, sum, part };
}

/**
 * Pair after pair appears on the bench, is multiplied, and then the cell has its sum. Nothing flies there over other numbers.
 *
 * @param {Plan} plan
 * @param {[number, number]} cell
 * @param {ReturnType<typeof pairsOf>} pairs
 * @param {number} done
 * @param {number} n
 * @param {"q" | "k"} turned
 * @returns {Cell[]}
 */
function benchOf(plan, [i], pairs, done, n, turned) {
  if (n <= 0) return [];
  return pairs.flatMap(({ a, b, row }, d) => {
    const go = [taken(n, d, pairs.length), inTurn(progress(n, 0.4, 0.65, linear), d, pairs.length, 0.6)];
    const line = (/** @type {Pick<Cell, "part" | "value" | "key">} */ number, /** @type {number} */ at) => {
      const { alpha, ...box } = appear(boxOf(plan.bench, at, d), go[at >> 1]);
      return { ...number, box, alpha, faint: d >= done ? 1.5 : 0, mark: /** @type {const} */ ("") };
    };
    return [
      line({ part: "left", value: a, key: turned === "q" ? i : null }, 0),
      line({ part: "right", value: b, key: turned === "q" ? null : row }, 1),
      line({ part: "result", value: a * b, key: null }, 2),
    ];
  });
}

/** @param {Box} box @param {number} by @returns {Box} */
function grown({ x, y, w, h }, by) {
  const [dx, dy] = [(0.3 * by * w) / 2, (0.3 * by * h) / 2];
  return by <= 0 ? { x, y, w, h } : { x: x - dx, y: y - dy, w: w + 2 * dx, h: h + 2 * dy };
}
