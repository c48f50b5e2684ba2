// What ProductLab says about a product, about coinciding sizes and about one cell.

import { counted, listed, quoted } from "../kit/phrases.js";
import { HEADS } from "../kit/reader.js";
import { matmulError } from "./model.js";

/** @typedef {import("./model.js").Sizes & { product: string }} Settings */

const SIGNS = "Orange is above 0, blue below.";

/**
 * What the product means, in a sentence or two. The kind is "good", "luck" (right only because of the sizes, or turned over) or "bad".
 *
 * @param {Settings} settings
 * @param {{ means: string, shapes: any, message: string }} results
 * @returns {{ kind: "good" | "luck" | "bad", text: string }}
 */
export function verdict(settings, { means, shapes, message }) {
  const { L, S, D, B, H, product } = settings;
  if (message) return { kind: "bad", text: `✗ ${explainError(settings, shapes)}` };
  if (means === "turned") {
    const square = L === S ? ` L = S = ${L}, so the shape does not show it.` : "";
    return { kind: "luck", text: `✓ It fits: the scores with rows and columns exchanged. Row j is key j.${square}` };
  }
  if (product === "q @ k.transpose(-2, -1)") {
    return { kind: "good", text: `✓ It fits, ${counted(D, "column")} to ${counted(D, "row")}: each column of kᵀ is a key.` };
  }
  if (means === "scores") {
    return { kind: "luck", text: "⚠ At these sizes it is the same as Kᵀ. A test with them cannot see the bug." };
  }
  const because = {
    "q @ k": `because S = D = ${D}. No cell is a score: row i is a weighted sum of the ${counted(S, "key")}.`,
    "q @ k.T": `because D = H = ${D}, and (${B}, ${H}) goes with (${D}, ${S}). The sum runs over heads of k.`,
  };
  const why = because[product] ? `, ${because[product]}` : ": a column holds numbers of several keys.";
  return { kind: "bad", text: `✗ Wrong without an error${why}` };
}

/**
 * Why torch refuses the product, in the words of the picture.
 *
 * @param {Settings} settings
 * @param {number[][]} shapes
 */
function explainError({ product, H, D }, [left, right]) {
  const sizes = `${product[0]} has ${counted(left[3], "column")}, ${product.slice(4)} has ${counted(right[2], "row")}`;
  if (product !== "q @ k.T") return `They do not fit: ${sizes}.`;
  const frontAxesFit = !matmulError([left[0], left[1], 1, 1], [right[0], right[1], 1, 1]);
  if (frontAxesFit) return D === H ? "The matrices fit." : `They do not fit: ${sizes}.`;
  const front = (shape) => shape.slice(0, 2).join(", ");
  const so = D === H ? "The matrices fit, but" : "They do not fit:";
  return `${so} .T reverses all axes, so D, S = (${front(right)}) of k meet B, H = (${front(left)}) of q.`;
}

/**
 * Which rows of k stay alone.
 *
 * @param {Settings} settings
 * @param {number[][]} shapes
 * @param {string[]} words
 */
export function explainMessage({ product }, [[, , , N], [, , M]], words) {
  if (product === "q @ k.T") return "";
  const alone = words.slice(N, M).map(quoted);
  return alone.length ? `No column of q meets ${listed(alone, "or")}.` : "";
}

/**
 * Sentences about coinciding sizes, which hide mistakes.
 *
 * @param {Settings} settings
 */
export function coincidences({ L, S, D, B, H, product }) {
  /** @type {[boolean, string][]} */
  const notes = [
    [
      S === D && D > 1,
      `S = D = ${D}: ${product.includes("reshape") ? "this reshape leaves k as it is" : "q @ k raises no error"}.`,
    ],
    [L === S && L > 1, `L = S = ${L}: in a square result [i, j] passes for [j, i].`],
    [S === 1 || D === 1, `${S === 1 ? "S" : "D"} = 1: reshape and transpose do the same.`],
    [D === H && D > 1, `D = H = ${D}: the matrices of q and k.T fit, by accident.`],
    [B === D && H === S && B * H > 1, "B = D and H = S: .T passes the check of the batch axes."],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}

/**
 * What meets in a cell of the result.
 *
 * @param {Settings} settings
 * @param {{ row: number }[]} pairs that the cell sums
 * @param {[number, number]} cell
 * @param {string[]} [words] of the sentence
 */
export function describeCell({ product, S }, pairs, [i, j], words = []) {
  const keys = S === 1 ? "the key" : `keys 0 to ${S - 1}`;
  const met = [...new Set(pairs.map(({ row }) => row))].sort((a, b) => a - b);
  const named = (/** @type {number} */ n) => (words[n] ? `${n} (${words[n]})` : String(n));
  const what = {
    "q @ k.transpose(-2, -1)": `query ${named(i)} meets key ${named(j)}`,
    "q @ k": `query ${named(i)} meets number ${j} of ${keys}`,
    "q @ k.T": `query ${named(i)} meets number 0 of key 0, in other sentences and heads`,
    "q @ k.reshape(B, H, D, S)": `query ${named(i)} meets numbers of ${met.length === 1 ? "key" : "keys"} ${met.join(", ")}`,
    "k @ q.transpose(-2, -1)": `key ${named(i)} meets query ${named(j)}`,
  };
  return `[${i}, ${j}]: ${what[product]}`;
}

/**
 * What changes in the result with one key.
 *
 * @param {Settings} settings
 * @param {{ means: string, message: string, changed: ArrayLike<number> | null, shapes: (number[] | null)[] }} results
 * @param {number} key
 * @param {string} word
 */
export function describeNudge({ product }, { means, message, changed, shapes }, key, word) {
  const given = `Key ${key} (${word}) was changed`;
  if (message || !changed) return `${given}: there is no result.`;
  if (means === "scores") return `${given}: only column ${key} changes, the scores of this key.`;
  if (means === "turned") return `${given}: only row ${key} changes: here a key is a row.`;
  const columns = shapes[2]?.[3] ?? 0;
  const touched = Array.from({ length: columns }, (_, j) => j).filter((j) => changed[j]);
  if (!touched.length) return `${given}: nothing in this head changes.`;
  const all =
    touched.length === columns
      ? `all ${counted(columns, "column")} change`
      : `column${touched.length === 1 ? "" : "s"} ${listed(touched.map(String))} change`;
  const why = product.includes("reshape") ? "Its numbers are scattered: no column is a key." : "No column is a key.";
  return `${given}: ${touched.length === 1 ? all.replace(/change$/, "changes") : all}. ${why}`;
}

/**
 * Where the numbers of q and k come from.
 *
 * @param {boolean} trained
 * @param {[number, number]} front
 * @param {string[]} words of the sentence
 * @param {string} [signs] what the colours of values mean
 */
export function describeSource(trained, [b, h], words, signs = SIGNS) {
  const sheet = `sentence ${b}, head ${h}`;
  return trained
    ? `In front: ${sheet} of a trained layer; this head finds “${HEADS[h]}”. The sentence: ${words.join(" ")}. ${signs}`
    : `In front: ${sheet}. Random whole numbers, easy to add; those of the trained layer have decimals. ${signs}`;
}

/**
 * What explains torch's message: that one head alone fits, or what a number in it is.
 *
 * @param {Settings} settings
 * @param {{ message: string, alone: string }} results
 */
export function describeMessage({ product, B, H }, { message, alone }) {
  if (!message) return "";
  const code = product.replace(/\b([qk])\b/g, "$1[0, 0]");
  if (!alone) return `One head alone, ${code}, fits: two axes reversed are two axes exchanged.`;
  return product === "q @ k.T" ? "" : `Here ${B * H} is B·H, the number of heads in all sentences.`;
}

/**
 * What can be done below the picture, or why a sum cannot be stopped.
 *
 * @param {boolean} trained
 * @param {boolean} isNudged
 */
export const describeNumbers = (trained, isNudged) =>
  `${isNudged ? "With a changed key, only whole sums are compared." : trained ? "Numbers of a trained layer." : "Random numbers."} Tap a cell.`;
