// What DeviceLab computes: the parts of a layer on several devices, and what they send. The formulas are those of
// attn/lessons/devices/costs.py.

import { product } from "../kit/math.js";

/** @typedef {"B" | "H" | "L" | "E"} Cut */
/** @typedef {{ cut: Cut, N: number, B: number, L: number, H: number, G: number, training: boolean }} Settings */
/** @typedef {{ what: string, how: "all-reduce" | "ring", devices: number, numbers: number, sent: number, backward: boolean }} Message */
/** @typedef {"x" | "W_QKV" | "q" | "k" | "v" | "W_O" | "y"} Name */

/**
 * @typedef {object} Results
 * @property {Record<Cut, boolean>} fits whether the devices can have equal parts
 * @property {Record<Cut, number | null>} bytes that each device sends
 * @property {Message[]} messages
 * @property {Partial<Record<Name, number[]>>} local the shapes of what a device holds
 * @property {number} held how many numbers these are
 */

export const E = 16; // the same as in lab.py
export const CUTS = /** @type {const} */ (["B", "H", "L", "E"]);
export const BYTES = 4; // of a float32 number
const COPIED = "gradients of W_K and W_V";

/** Gradients of copied heads go among few devices: they are counted, and not drawn. @param {Message} message */
export const isDrawn = ({ what }) => what !== COPIED;

/** @param {Settings} state */
export const sizesOf = ({ B, L, H, G }) => ({ B, H, L, E, G, D: E / H });

/**
 * Whether all devices have equally many whole sequences, heads, tokens or components.
 *
 * @param {Settings} state
 * @param {Cut} cut
 */
export function fits(state, cut) {
  const { N, H, G } = state;
  if (cut === "H") return H % N === 0 && (G % N === 0 || N % G === 0);
  return sizesOf(state)[cut] % N === 0;
}

/**
 * What each device sends in one layer.
 *
 * @param {Settings} state
 * @param {Cut} cut
 * @returns {Message[]}
 */
export function messages(state, cut) {
  const { N, training } = state;
  const { B, L, H, G, D } = sizesOf(state);
  if (N === 1) return [];
  /** @type {(what: string, numbers: number, backward?: boolean, devices?: number) => Message} */
  const summed = (what, numbers, backward = false, devices = N) => ({
    ...{ what, how: "all-reduce", devices, numbers, sent: (2 * (devices - 1) * numbers) / devices, backward },
  });
  /** @type {(what: string, numbers: number, backward?: boolean) => Message} */
  const handedRound = (what, numbers, backward = false) => ({
    ...{ what, how: "ring", devices: N, numbers, sent: ((N - 1) * numbers) / N, backward },
  });
  const kv = 2 * B * G * L * D;
  const gradients = summed("gradients of the weights", 2 * (H + G) * D * E, true);
  const copies = N > G ? [summed(COPIED, 2 * D * E, true, N / G)] : [];
  const [forward, back] = {
    B: () => [[], [gradients]],
    H: () => [[summed("y", B * L * E)], [summed("gradient of x", B * L * E, true), ...copies]],
    L: () => [[handedRound("k and v", kv)], [handedRound("gradients of k and v", kv, true), gradients]],
    E: () => [[summed("q, k and v", B * L * (H + 2 * G) * D)], [summed("gradient of the heads", B * L * H * D, true)]],
  }[cut]();
  return training ? [...forward, ...back] : forward;
}

/** How many numbers a device sends. @param {Settings} state @param {Cut} cut */
const sentOf = (state, cut) => messages(state, cut).reduce((sum, one) => sum + one.sent, 0);

/** The most of any cut, or of those of the first layer: all bytes are drawn to this scale. @param {Settings} state */
export const mostSent = (state) => Math.max(2304, ...CUTS.map((cut) => (fits(state, cut) ? sentOf(state, cut) : 0)));

/** How often a device sends a part of this message. @param {Message} message */
export const stepsOf = ({ how, devices }) => (devices - 1) * (how === "ring" ? 1 : 2);

/**
 * The shapes of what a device holds. W_QKV and W_O are stored as nn.Linear does, (out, in).
 *
 * @param {Settings} state
 * @returns {Record<Name, number[]>}
 */
export function localShapes(state) {
  const { cut, N } = state;
  const sizes = sizesOf(state);
  const [b, h, l, e] = CUTS.map((axis) => (axis === cut ? sizes[axis] / N : sizes[axis]));
  const g = cut === "H" ? Math.max(1, Math.floor(sizes.G / N)) : sizes.G;
  const { D } = sizes;
  return {
    ...{ x: [b, l, e], W_QKV: [(h + 2 * g) * D, e], q: [b, h, l, D], k: [b, g, l, D], v: [b, g, l, D] },
    ...{ W_O: [e, h * D], y: [b, l, e] },
  };
}

/**
 * @param {Settings} state
 * @returns {Results}
 */
export function compute(state) {
  const fit = Object.fromEntries(CUTS.map((cut) => [cut, fits(state, cut)]));
  const here = fit[state.cut];
  const local = here ? localShapes(state) : {};
  return {
    fits: /** @type {Record<Cut, boolean>} */ (fit),
    bytes: /** @type {Record<Cut, number | null>} */ (
      Object.fromEntries(CUTS.map((cut) => [cut, fit[cut] ? BYTES * sentOf(state, cut) : null]))
    ),
    messages: here ? messages(state, state.cut) : [],
    local,
    held: Object.values(local).reduce((sum, shape) => sum + product(shape), 0),
  };
}
