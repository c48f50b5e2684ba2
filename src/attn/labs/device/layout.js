// Where DeviceLab's picture has the devices and the lanes between them. What stands above is multiplied by what stands to
// the left: x @ W_QKV = q, k and v; the heads @ W_O = y.

import { clamp, range } from "../kit/math.js";
import { fly } from "../kit/moves.js";
import { progress, soft } from "../kit/time.js";
import { E } from "./model.js";
import { extentOf } from "./parts.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {import("./parts.js").Sheet} Sheet */
/** @typedef {import("./parts.js").Block} Block */
/** @typedef {ReturnType<typeof planOf>} Plan */

const APART = 2; // pixels between two sequences
const LANE = [23, 69]; // from the foot of a device to the lane to the next one, and to the way back
const GUTTER = 24; // left of the devices: which sequence a row is of; on a phone the way back, beside the last devices
const BELOW = [12, 34]; // on a phone: to the lane to the next one, and to that into another row
const PACKET = { w: 24, h: 20 }; // on a phone
const BETWEEN = 1.5; // pixels between two blocks of a packet
const MOST = 4 * 12; // rows of x: all tokens of all sequences

/**
 * Wide: the devices in a row, and the lanes below. Narrow: in two rows, with lanes below each.
 *
 * @param {number} width
 * @param {Settings} state
 */
export function planOf(width, state) {
  const narrow = width < 820;
  const { N } = state;
  const extent = extentOf(state);
  const aside = narrow ? PACKET.w : 12; // between two devices side by side: on a phone a packet passes there
  // The heights of a device's lines; the distance of its sheets from its edge, and from each other; the size of its letters.
  const [title, outer, names, foot, pad, gap, size] = narrow ? [23, 17, 18, 23, 7, 6, 11.5] : [25, 20, 21, 27, 12, 10, 12.5];
  const around = title + outer + names + foot + APART * 3;
  const all = E + MOST; // how many numbers are above each other
  const lanes = narrow ? 45 : 92;
  const least = around + all * (narrow ? 1.1 : 2.3);
  const height = narrow ? 2 * (least + lanes) : least + lanes;
  const [most, rows] = narrow ? [Math.min(2, N), N > 2 ? 2 : 1] : [N, 1];
  const high = height / rows - lanes;
  const w = (width - GUTTER - (most - 1) * aside) / most;
  const devices = range(N).map((d) => ({
    ...{ x: GUTTER + (d % most) * (w + aside), y: d < most ? 0 : high + lanes, w, h: high },
    p: (w - 2 * gap - 2 * pad) / (2 * E + extent.qkv[1]), // a number is so wide
    q: (high - around) / all, // and so high
  }));
  return {
    width,
    narrow,
    height,
    lanes,
    extent,
    devices,
    L: state.L,
    air: { title, outer, names, foot, pad, gap, size },
    packet: narrow ? PACKET : { w: width, h: 36 }, // at most
    trace: narrow ? { w: 56, h: 10, gap: 1.5, apart: 3 } : { w: 170, h: 22, gap: 3, apart: 7 }, // of all that goes along a lane
  };
}

/**
 * The way from device d to the next one around the ring: a list of points. No word stands on it.
 *
 * @param {Plan} plan
 * @param {number} d
 * @param {Block} columns of what is sent
 * @param {boolean} [isPacket] whether this is the way of a packet, which leaves and enters straight below where it lies
 * @returns {[number, number][]}
 */
export function laneFrom(plan, d, columns, isPacket = false) {
  const { narrow, devices, air } = plan;
  const N = devices.length;
  const next = (d + 1) % N;
  const [a, b] = [devices[d], devices[next]];
  /** Under the columns, a little to the right on the way out, to the left on the way in. @type {(device: number, side: number) => number} */
  const under = (device, side) => {
    const { x, w } = boxOf(plan, device, columns);
    return x + w / 2 + (isPacket ? 0 : side * Math.max(7, 0.22 * w));
  };
  const [out, into, foot, end] = [under(d, 1), under(next, -1), a.y + a.h, b.y + b.h];
  if (!narrow || a.y === b.y) {
    const [near, far] = narrow ? BELOW : LANE;
    const depth = foot + (next > d ? near : far); // the way back is below the others
    return [[out, foot], [out, depth], [into, depth], [into, end]]; // biome-ignore format: one line
  }
  const depth = foot + BELOW[1];
  // To the next row: between the rows, down between two devices, and in below the cells, where no name is.
  const right = b.x + b.w;
  const [between, low] = [right + PACKET.w / 2, end - air.foot / 2];
  /** @type {[number, number][]} */
  const down = [[out, foot], [out, depth], [between, depth], [between, low], [isPacket ? into : right, low], [into, end]]; // biome-ignore format: one line
  if (a.y < b.y) return isPacket ? down : down.slice(0, -1);
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
 * A block on its way: as large as it is, if there is room, it goes down from its device, along the lane, and up into the other device. The blocks
 * of a packet are equally high, one below the other. Weights stand above names, which they do not cross: they are framed in their place, and
 * the packet grows on the lane.
 *
 * @param {Plan} plan
 * @param {Box[]} ends
 * @param {[number, number][]} way
 * @param {number} n how much of the way is behind
 * @param {number} k which block of the packet this is
 * @param {number} count how many there are
 * @param {boolean} isWeight
 */
export function packetAt({ width, packet }, [from, to], way, n, k, count, isWeight) {
  if (isWeight && (n < 0.18 || n > 0.82)) return n < 0.5 ? from : to;
  const size = isWeight ? Math.min(1, (n - 0.18) / 0.12, (0.82 - n) / 0.12) : 1;
  const [x, y] = pointOn(way, progress(n, 0.3, 0.7, soft));
  const w = size * Math.min(packet.w, from.w);
  const pitch = Math.min(packet.h / count, from.h + BETWEEN);
  const top = y + size * ((k - count / 2) * pitch + BETWEEN / 2);
  const there = { x: clamp(x - w / 2, 0, width - w), y: top, w, h: size * (pitch - BETWEEN) };
  if (isWeight) return there;
  return n < 0.5 ? fly(from, there, clamp((n - 0.03) / 0.27, 0, 1)) : fly(there, to, clamp((n - 0.7) / 0.27, 0, 1));
}

/**
 * Where a block is.
 *
 * @param {Plan} plan
 * @param {number} device
 * @param {Block} block
 * @returns {Box}
 */
export function boxOf({ extent, devices, L, air }, device, { sheet, rows, columns }) {
  const place = devices[device];
  const { q } = place;
  const [x, right] = columns.map((column) => place.x + air.pad + leftOf(place, extent, air.gap, sheet, column));
  const isTokens = sheet === "x" || sheet === "qkv" || sheet === "y";
  const breaks = (/** @type {number} */ row) => (isTokens ? APART * Math.floor(row / L) : 0);
  const top = place.y + air.title + air.outer + (isTokens ? E * q + air.names : 0);
  const y = top + rows[0] * q + breaks(rows[0]);
  const end = top + rows[1] * q + breaks(Math.max(rows[0], rows[1] - 1));
  return { x, y, w: right - x, h: Math.max(0, end - y) };
}

/**
 * How far from the left a column of a sheet begins.
 *
 * @param {{ p: number }} place
 * @param {Plan["extent"]} extent
 * @param {number} gap between sheets that stand side by side
 * @param {Sheet} sheet
 * @param {number} column
 */
function leftOf({ p }, extent, gap, sheet, column) {
  const gaps = { x: 0, W_QKV: 1, qkv: 1, W_O: 2, y: 2 }[sheet];
  return (column + [0, E, E + extent.qkv[1]][gaps]) * p + gaps * gap;
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

/** Where a whole sheet is on a device. @param {Plan} plan @param {number} d @param {Sheet} sheet */
export const wholeOf = (plan, d, sheet) =>
  boxOf(plan, d, { sheet, rows: [0, plan.extent[sheet][0]], columns: [0, plan.extent[sheet][1]] });
