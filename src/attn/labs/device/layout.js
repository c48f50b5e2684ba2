// Where DeviceLab's picture has the layer, the devices and the lanes between them, and which part of each tensor a device holds. Each
// tensor is a sheet. What stands above is multiplied by what stands to the left: x @ W_QKV = q, k and v; the heads @ W_O = y.

import { range } from "../kit/math.js";
import { E, fits, messages, sizesOf } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Message} Message */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {"x" | "W_QKV" | "qkv" | "W_O" | "y"} Sheet */
/** @typedef {{ sheet: Sheet, rows: [number, number], columns: [number, number] }} Block rows and columns of a sheet, the last excluded */
/** @typedef {ReturnType<typeof planOf>} Plan */

export const SHEETS = /** @type {const} */ (["x", "W_QKV", "qkv", "W_O", "y"]);
const APART = 2; // pixels between two sequences
const GAP = 5; // between sheets that stand side by side
const TITLE = 20; // height of the line above the sheets
const NAMES = 17; // and of that with the names, between weights and tokens
const LETTERS = 15; // left of the layer, and below it
const PAD = 6;
const LANE = 19; // between two lanes
const GUTTER = 20; // left of the devices: which sequence a row is of; on a phone the way back, beside the last devices
const BELOW = [9, 23]; // on a phone: from the foot of a device to the lane to the next one, and to that into another row
const LANES = 32; // and the room for both
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
 * Wide: the devices in a row, and the lanes below. Narrow: in two rows, with lanes below each. The devices share all the room, that of the
 * lanes, too, where nothing is sent; one device is the layer itself.
 *
 * @param {number} width
 * @param {Settings} state
 */
export function planOf(width, state) {
  const narrow = width < 820;
  const { N } = state;
  const extent = extentOf(state);
  const aside = narrow ? 10 : 12; // between two devices side by side
  const fixed = 2 * GAP + 2 * PAD;
  const gap = NAMES;
  const around = TITLE + APART * 3 + 2 * PAD;
  const all = E + MOST.rows; // how many numbers are above each other
  /** @type {(w: number) => number} the width of a number */
  const across = (w) => (w - fixed) / (2 * E + extent.qkv[1]);
  const isQuiet = !(fits(state, state.cut) && messages(state, state.cut).length);
  const least = around + all * (narrow ? 1.35 : 2.65) + gap;
  const lanes = narrow ? LANES : 2 * LANE + 10;
  const height = narrow ? 2 * (least + lanes) : least + lanes;
  const [most, rows] = narrow ? [2, N > 2 ? 2 : 1] : [N, 1];
  const high = isQuiet ? (height - (rows - 1) * aside) / rows : height / rows - lanes;
  const filled = (high - around - gap) / all;
  const w = (width - GUTTER - (most - 1) * aside) / most;
  const devices = range(N).map((d) => ({
    ...{ x: GUTTER + (d % most) * (w + aside), y: d < most ? 0 : high + (isQuiet ? aside : lanes), w, h: high },
    ...{ gap, p: across(w), q: filled },
  }));
  const side = LETTERS + 30;
  const large = { x: side, y: narrow ? 14 : 3, w: width - 2 * side, h: height, gap: NAMES };
  const whole = { ...large, p: across(large.w), q: (height - around - NAMES - (narrow ? 28 : 14)) / all };
  return {
    ...{ width, narrow, height, extent, L: state.L, whole: N === 1 ? whole : devices[0] }, // one device is the layer itself, which becomes the first
    devices: N === 1 ? [{ ...whole, x: 0, y: 0, w: width, h: height }] : devices,
    packet: narrow ? { w: 20, h: 13 } : { w: 44, h: 15 },
  };
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

/**
 * The way from device d to the next one around the ring: a list of points. No word stands on it.
 *
 * @param {Plan} plan
 * @param {number} d
 * @param {Block} columns of what is sent
 * @returns {[number, number][]}
 */
export function laneFrom(plan, d, columns) {
  const { narrow, devices } = plan;
  const N = devices.length;
  const next = (d + 1) % N;
  const [a, b] = [devices[d], devices[next]];
  /** Under the columns, a little to the right on the way out, to the left on the way in. @type {(device: number, side: number) => number} */
  const under = (device, side) => {
    const { x, w } = boxOf(plan, device, columns);
    return Math.min(x + w / 2 + side * Math.max(7, 0.22 * w), plan.width - plan.packet.w / 2);
  };
  const [out, into, foot, end] = [under(d, 1), under(next, -1), a.y + a.h, b.y + b.h];
  if (!narrow || a.y === b.y) {
    const [near, far] = narrow ? BELOW : [LANE, 2 * LANE];
    const depth = foot + (next > d ? near : far); // the way back is below the others
    return [[out, foot], [out, depth], [into, depth], [into, end]]; // biome-ignore format: one line
  }
  const depth = foot + BELOW[1];
  // To the next row: between the rows, and in at the right of the title.
  const right = b.x + b.w - 12;
  if (a.y < b.y) return [[out, foot], [out, depth], [right, depth], [right, b.y + TITLE + 4]]; // biome-ignore format: one line
  // Back: below the last row, and left of it.
  const [left, level] = [GUTTER / 2, end + BELOW[0]];
  return [[out, foot], [out, depth], [left, depth], [left, level], [into, level], [into, end]]; // biome-ignore format: one line
}

/**
 * The point of a way at which n of it is behind.
 *
 * @param {[number, number][]} points
 * @param {number} n
 * @returns {[number, number]}
 */
export function pointOn(points, n) {
  const parts = points.slice(1).map(([x, y], at) => Math.hypot(x - points[at][0], y - points[at][1]));
  let left = n * parts.reduce((sum, one) => sum + one, 0);
  for (const [at, length] of parts.entries()) {
    const share = length ? left / length : 1;
    if (share <= 1 || at === parts.length - 1) {
      const [[x, y], [u, v]] = [points[at], points[at + 1]];
      return [x + (u - x) * Math.min(1, share), y + (v - y) * Math.min(1, share)];
    }
    left -= length;
  }
  return points[0];
}

/**
 * Where a block is: in the layer, or on a device.
 *
 * @param {Plan} plan
 * @param {number | null} device
 * @param {Block} block
 * @returns {Box}
 */
export function boxOf({ extent, whole, devices, L }, device, { sheet, rows, columns }) {
  const place = device === null ? whole : devices[device];
  const { gap, q } = place;
  const [x, right] = columns.map((column) => place.x + PAD + leftOf(place, extent, sheet, column));
  const isTokens = sheet === "x" || sheet === "qkv" || sheet === "y";
  const breaks = (/** @type {number} */ row) => (isTokens ? APART * Math.floor(row / L) : 0);
  const top = place.y + TITLE + (isTokens ? E * q + gap : 0);
  const y = top + rows[0] * q + breaks(rows[0]);
  const end = top + rows[1] * q + breaks(Math.max(rows[0], rows[1] - 1));
  return { x, y, w: right - x, h: Math.max(0, end - y) };
}

/**
 * How far from the left a column of a sheet begins.
 *
 * @param {{ p: number }} place
 * @param {Plan["extent"]} extent
 * @param {Sheet} sheet
 * @param {number} column
 */
function leftOf({ p }, extent, sheet, column) {
  const gaps = { x: 0, W_QKV: 1, qkv: 1, W_O: 2, y: 2 }[sheet];
  return (column + [0, E, E + extent.qkv[1]][gaps]) * p + gaps * GAP;
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
