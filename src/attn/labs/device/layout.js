// Where DeviceLab's picture has the layer and the devices, and which part of each tensor a device holds. Each tensor is a sheet of cells.
// What stands above is multiplied by what stands to the left: x @ W_QKV = q, k and v; the heads @ W_O = y.

import { range } from "../kit/math.js";
import { E, sizesOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {"x" | "W_QKV" | "qkv" | "W_O" | "y"} Sheet */
/** @typedef {{ sheet: Sheet, rows: [number, number], columns: [number, number] }} Block rows and columns of a sheet, the last excluded */
/** @typedef {ReturnType<typeof planOf>} Plan */

export const SHEETS = /** @type {const} */ (["x", "W_QKV", "qkv", "W_O", "y"]);
const APART = 2; // pixels between two sequences
const GAP = 5; // between the sheets of a device
const LABEL = 17; // height of a line of text
const PAD = 6;
const MOST = { columns: 3 * E, rows: 4 * 12 }; // of q, k and v: with as many key/value heads as heads, and all tokens

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

/**
 * What a message sends in turn: of a sum an N-th of the rows at a time; of a ring the keys and values of one device at a time.
 *
 * @param {Settings} state
 * @param {import("./model.js").Message} message
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
 * @param {number} width
 * @param {Settings} state
 */
export function planOf(width, state) {
  const narrow = width < 560;
  const extent = extentOf(state);
  const across = narrow ? 2 : 3; // the layer and two devices side by side, or the devices below the layer
  const fixed = 2 * GAP + 2 * PAD;
  const p = Math.min(4, (width - (across - 1) * 12 - across * fixed) / (across * (2 * E + MOST.columns)));
  const most = { w: (2 * E + MOST.columns) * p + fixed, h: (E + MOST.rows) * p + APART * 3 + 2 * PAD };
  const box = { w: most.w, h: most.h + GAP + LABEL };
  const whole = { x: PAD, y: LABEL + PAD, gap: LABEL, h: most.h + 2 * LABEL };
  const from = narrow ? { x: 0, y: whole.h + 6 } : { x: width - 2 * box.w - 12, y: 0 };
  // Around the ring: 0 and 1 above, 3 and 2 below.
  const devices = range(4).map((d) => ({
    ...{ x: from.x + (d === 1 || d === 2 ? box.w + 12 : 0), y: from.y + (d > 1 ? box.h + 12 : 0), ...box },
  }));
  return {
    ...{
      width,
      narrow,
      p,
      extent,
      whole,
      aside: narrow ? { x: box.w + 12, y: 0, w: width - box.w - 12 } : { x: 0, y: whole.h, w: from.x - 22 },
      devices: devices.slice(0, state.N),
      L: state.L,
    },
    height: Math.max(whole.h, narrow ? from.y + 2 * box.h + 12 : 2 * box.h + 12),
  };
}

/**
 * Where a block is: in the layer, or on a device.
 *
 * @param {Plan} plan
 * @param {number | null} device
 * @param {Block} block
 * @returns {Box}
 */
export function boxOf({ p, extent, whole, devices, L }, device, { sheet, rows, columns }) {
  const gap = device === null ? whole.gap : GAP;
  const origin = device === null ? whole : { x: devices[device].x + PAD, y: devices[device].y + LABEL + PAD };
  const left = { x: 0, W_QKV: E * p + GAP, qkv: E * p + GAP, W_O: (E + extent.qkv[1]) * p + 2 * GAP };
  const x = origin.x + (sheet === "y" ? left.W_O : left[sheet]) + columns[0] * p;
  const isTokens = sheet === "x" || sheet === "qkv" || sheet === "y";
  const breaks = (/** @type {number} */ row) => (isTokens ? APART * Math.floor(row / L) : 0);
  const top = origin.y + (isTokens ? E * p + gap : 0);
  const y = top + rows[0] * p + breaks(rows[0]);
  const end = top + rows[1] * p + breaks(Math.max(rows[0], rows[1] - 1));
  return { x, y, w: (columns[1] - columns[0]) * p, h: Math.max(0, end - y) };
}

/**
 * The device at a point.
 *
 * @param {Plan} plan
 * @param {number} px
 * @param {number} py
 */
export function deviceAt({ devices }, px, py) {
  const found = devices.findIndex(({ x, y, w, h }) => px >= x && px < x + w && py >= y && py < y + h);
  return found < 0 ? null : found;
}
