// What ProductLab's picture does not change from moment to moment: its plan, its names, its words and its scales.

import { range } from "../kit/math.js";
import { wordsOf } from "../kit/operands.js";
import { magnitude } from "../kit/scale.js";
import { shortest } from "./cells.js";
import { RIGHT_NAMES } from "./labels.js";
import { planOf } from "./layout.js";
import { frontOf, nudgedOf, PRODUCTS, pairsOf, truthOf } from "./model.js";

const ROOM = 1.3; // the scales end beyond the largest number, so that no cell is dark

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {import("./model.js").Settings & { summed: number | null, colour: "value" | "key" }} settings
 * @param {any} results
 * @param {object} view
 * @param {number} view.width
 * @param {import("./paint.js").Look} view.look
 * @param {[number, number] | null} view.cell that is worked out
 * @param {boolean} view.bench whether there is room to work it out
 */
export function pictureOf(pen, settings, results, { width, look, cell, bench }) {
  const { product: code, B, H, L, S, D, colour } = settings;
  const [[, , R, N], [, , M, C]] = results.shapes;
  const { turned, axes } = PRODUCTS[code];
  const nudged = nudgedOf(settings);
  const sentence = wordsOf(settings, frontOf(settings)[0], Math.max(L, S));
  const wordsAlong = (/** @type {string} */ axis) => (axis === "L" || axis === "S" ? sentence.slice(0, settings[axis]) : []);
  const [rowAxis, lyingAxis] = turned === "k" ? ["L", "S"] : ["S", "L"];
  const isTurned = code.endsWith(".transpose(-2, -1)");
  const isLying = code === "q @ k";
  const truth = truthOf(settings, results);
  const columns = isTurned ? wordsAlong(axes[3]) : [];
  const lying = code === "q @ k.T" ? [] : wordsAlong(lyingAxis);
  const words = { rows: wordsAlong(rowAxis), columns, lying, sentence };
  const plan = planOf({
    ...{ width, R, N, M, C, bench },
    tallest: width < 480 ? 332 : width < 720 ? 366 : 388,
    sheets: B * H,
    words: { ...words, between: isLying ? lying : [] },
    lying: [turned === "k" ? S : L, D],
    truth: truth !== null && width >= 720,
  });
  const short = (/** @type {ArrayLike<number>[]} */ ...tables) => Math.max(...tables.map((one) => shortest(pen, one, plan.left)));
  const summed = cell && settings.summed !== null && settings.summed < N && nudged === null ? settings.summed : null; // a changed key: all
  const most = (/** @type {Float32Array[]} */ ...tables) => ROOM * Math.max(...tables.map((one) => magnitude(one)));
  const { left, right, result } = results;
  return {
    ...{ plan, R, N, M, C, isTurned, isLying, truth, words, cell, bench, look, colour, nudged, summed },
    isMoved: code !== "q @ k.T", // .T takes numbers from other heads, too
    stack: /** @type {[number, number]} */ ([B, H]),
    isRefused: !result,
    axes: { left: [rowAxis, "D"], right: [axes[2], axes[3]], result: [rowAxis, axes[3]] },
    operand: { name: turned, axes: [lyingAxis, "D"] },
    names: { left: code[0], right: RIGHT_NAMES[code], out: results.means === "scores" ? "scores" : "result" },
    pair: /** @type {[string, string]} */ ([
      words.rows[cell?.[0] ?? 0] ?? "",
      (isTurned && columns[cell?.[1] ?? 0]) || `${width < 480 ? "col" : "column"} ${cell?.[1] ?? 0}`,
    ]),
    hasLines: !result || !bench || !cell,
    most: { factors: most(left, right), result: most(result ?? left) },
    short: { factors: short(left, right), result: short(result ?? []) },
    // How many keys each column of a wrong factor has numbers of.
    mixed: range(truth ? C : 0).map((j) => new Set(pairsOf(settings, results, [0, j]).map(({ row }) => row)).size),
    // The numbers that the bench adds, and what their sum would be with kᵀ.
    products: (cell ? pairsOf(settings, results, cell) : []).slice(0, summed ?? N).map(({ a, b }) => a * b),
    instead: cell && settings.summed === null ? (truth?.result?.[cell[0] * S + cell[1]] ?? null) : null,
  };
}
