// Which part of each tensor a device holds, and which part a message sends. Each tensor is a sheet of rows and columns.

import { range } from "../kit/math.js";
import { E, sizesOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Message} Message */
/** @typedef {"x" | "W_QKV" | "qkv" | "W_O" | "y"} Sheet */
/** @typedef {{ sheet: Sheet, rows: [number, number], columns: [number, number] }} Block rows and columns of a sheet, the last excluded */

export const SHEETS = /** @type {const} */ (["x", "W_QKV", "qkv", "W_O", "y"]);

/**
 * The parts of an axis of this size on N devices, as torch.chunk cuts it.
 *
 * @param {number} size
 * @param {number} N
 * @returns {[number, number][]}
 */
export function shares(size, N) {
  const most = Math.ceil(size / N);
  return range(N).map((n) => [Math.min(size, n * most), Math.min(size, (n + 1) * most)]);
}

/**
 * The rows and columns of the sheets.
 *
 * @param {Settings} state
 * @returns {Record<Sheet, [number, number]>}
 */
export function extentOf(state) {
  const { B, L, H, G, D } = sizesOf(state);
  const columns = (H + 2 * G) * D;
  return { x: [B * L, E], W_QKV: [E, columns], qkv: [B * L, columns], W_O: [H * D, E], y: [B * L, E] };
}

/**
 * What device d holds.
 *
 * @param {Settings} state
 * @param {number} d
 * @returns {Block[]}
 */
export function heldBy(state, d) {
  const { cut, N, B, L } = state;
  const { H, G, D } = sizesOf(state);
  const extent = extentOf(state);
  /** @type {(sheet: Sheet, rows?: [number, number] | null, columns?: [number, number] | null) => Block} */
  const block = (sheet, rows = null, columns = null) => ({
    ...{ sheet, rows: rows ?? [0, extent[sheet][0]], columns: columns ?? [0, extent[sheet][1]] },
  });
  const weights = [block("W_QKV"), block("W_O")];
  if (cut === "B") {
    const [from, to] = shares(B, N)[d];
    return [...weights, ...["x", "qkv", "y"].map((one) => block(/** @type {Sheet} */ (one), [from * L, to * L]))];
  }
  if (cut === "L") {
    const [from, to] = shares(L, N)[d];
    const own = range(B).flatMap((b) =>
      ["x", "qkv", "y"].map((one) => block(/** @type {Sheet} */ (one), [b * L + from, b * L + to])),
    );
    return [...weights, ...own];
  }
  if (cut === "E") {
    const part = shares(E, N)[d];
    return [block("x", null, part), block("W_QKV", part), block("qkv"), block("W_O", null, part), block("y", null, part)];
  }
  const queries = shares(H * D, N)[d];
  const isCopied = G < N && N % G === 0 && H % N === 0;
  const group = Math.floor((d * G) / N) * D;
  const keys = isCopied ? [group, group + D] : shares(G * D, N)[d];
  /** @type {[number, number][]} */
  const columns = [queries, ...[H * D, (H + G) * D].map((start) => /** @type {[number, number]} */ (keys.map((n) => start + n)))];
  return [
    ...[block("x"), block("y"), block("W_O", queries)],
    ...columns.flatMap((some) => [block("W_QKV", null, some), block("qkv", null, some)]),
  ];
}

/** The devices that lack columns of a head of theirs, or of the key/value head that it reads. @param {Settings} state */
export function stuckDevices({ N, H, G }) {
  const D = E / H;
  const [queries, keys] = [H, G].map((heads) => shares(heads * D, N));
  const has = (/** @type {[number, number]} */ [from, to], /** @type {number} */ head) => from <= head * D && (head + 1) * D <= to;
  return range(N).filter((d) => {
    const own = range(H).filter((head) => queries[d][0] < (head + 1) * D && head * D < queries[d][1]);
    return own.some((head) => !has(queries[d], head) || !has(keys[d], Math.floor((head * G) / H)));
  });
}

/**
 * What a message sends in turn: of a sum an N-th of the rows at a time; of a ring the keys and values of one device at a time.
 *
 * @param {Settings} state
 * @param {Message} message
 * @returns {Block[][]} by part
 */
export function partsOf(state, message) {
  const { N, H } = state;
  const extent = extentOf(state);
  const D = E / H;
  if (message.how === "ring") {
    const kv = /** @type {[number, number]} */ ([H * D, extent.qkv[1]]);
    const own = range(N).map((d) => heldBy(state, d).filter(({ sheet }) => sheet === "qkv"));
    return own.map((blocks) => blocks.map((one) => ({ ...one, columns: kv })));
  }
  /** @type {Record<string, Sheet[]>} */
  const sheets = {
    ...{ y: ["y"], "gradient of x": ["x"], "q, k and v": ["qkv"] },
    ...{ "gradient of the heads": ["qkv"], "gradients of the weights": ["W_QKV", "W_O"] },
  };
  const isHeads = message.what === "gradient of the heads";
  return range(N).map((n) =>
    sheets[message.what].map((sheet) => ({
      ...{ sheet, rows: shares(extent[sheet][0], N)[n], columns: [0, isHeads ? H * D : extent[sheet][1]] },
    })),
  );
}

/**
 * The columns in which a message lies: it leaves a device below them, and enters the next one there.
 *
 * @param {Settings} state
 * @param {Message} message
 * @returns {Block}
 */
export function columnsOf(state, message) {
  const parts = partsOf(state, message)[0];
  return parts.length > 1 && message.how !== "ring"
    ? { sheet: "qkv", rows: [0, 0], columns: [0, extentOf(state).qkv[1]] }
    : parts[0];
}
