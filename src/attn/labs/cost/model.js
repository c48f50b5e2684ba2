// What CostLab shows, by formula. attn.lessons.costs explains each of them.

import data from "../../lessons/costs.json" with { type: "json" };
import { unequalGroups } from "../kit/layer.js";

export const MODELS = /** @type {Record<string, Sizes>} */ (data.models);
export const DEVICES = /** @type {Record<string, Device>} */ (data.devices);
export const BYTES = /** @type {Record<string, number>} */ ({ float32: 4, bfloat16: 2, int8: 1 });

/** @typedef {Record<"layers" | "E" | "H" | "G" | "D" | "F" | "words" | "places", number>} Sizes */
/** @typedef {Record<"memory" | "bandwidth" | "float32" | "bfloat16", number>} Device GB, TB/s, TFLOP/s */
/** @typedef {Record<string, number>} Parts a number for each part of the model */

/**
 * @typedef {object} Settings
 * @property {string} model
 * @property {number | null} layers null: as the model has it; so are E, H, G and D
 * @property {number | null} E
 * @property {number | null} H
 * @property {number | null} G
 * @property {number | null} D
 * @property {number} B
 * @property {number} S
 * @property {"decoding" | "prefill"} phase
 * @property {string} dtype
 * @property {string} device
 */

/**
 * @typedef {object} Results
 * @property {Sizes} sizes
 * @property {Parts} parameters
 * @property {Parts} flops of a step
 * @property {Parts} moved bytes that a step moves at least
 * @property {{ parameters: number, cache: number }} needed bytes
 * @property {{ arithmetic: number, memory: number }} seconds at least
 * @property {number} rate tokens per second at best
 * @property {number | null} turning the batch from which on decoding waits for arithmetic
 */

/** @param {Parts} parts */
export const total = (parts) => Object.values(parts).reduce((sum, one) => sum + one, 0);

/** @param {Device} device @param {string} dtype */
const peak = (device, dtype) => (dtype === "float32" ? device.float32 : device.bfloat16);

/** FLOPs per byte from which on a device waits for arithmetic. @param {Device} device @param {string} dtype */
export const ridge = (device, dtype) => peak(device, dtype) / device.bandwidth;

/** Matrices of an MLP: three with a gate. @param {Sizes} of */
const matrices = (of) => (of.places ? 2 : 3);

/** @param {Settings} settings @returns {Sizes} those of the model, with what was changed */
export function sizesOf({ model, layers, E, H, G, D }) {
  const of = MODELS[model];
  const heads = H ?? of.H;
  const width = E ?? of.E;
  let groups = G ?? Math.max(1, Math.floor((heads * of.G) / of.H));
  while (G === null && heads % groups) groups -= 1;
  if (heads % groups) throw new Error(unequalGroups(heads, groups));
  const F = Math.floor((of.F * width) / of.E);
  return { ...of, layers: layers ?? of.layers, E: width, H: heads, G: groups, D: D ?? of.D, F };
}

/** @param {Sizes} of @returns {Parts} */
export function parametersOf(of) {
  const { layers, E, F, words, places } = of;
  const bias = places ? 1 : 0;
  const [q, kv] = [of.H * of.D, of.G * of.D];
  return {
    attention: layers * (E * (q + 2 * kv) + q * E + bias * (q + 2 * kv + E)),
    mlp: layers * (matrices(of) * E * F + bias * (F + E)),
    norms: (2 * layers + 1) * E * (1 + bias),
    embeddings: (words + places) * E,
    output: bias ? 0 : words * E,
  };
}

/**
 * Operations: a multiplication and an addition are two. Only the pairs that a causal mask leaves.
 *
 * @param {Sizes} of
 * @param {number} L new tokens of each sequence
 * @param {number} S
 * @param {number} B
 * @returns {Parts}
 */
export function flopsOf(of, L, S, B) {
  const { layers, E, H, G, D } = of;
  const pairs = L * S - (L * (L - 1)) / 2;
  return {
    attention: 2 * B * L * layers * 2 * E * (H + G) * D,
    scores: 2 * B * layers * 2 * H * D * pairs,
    mlp: 2 * B * L * layers * matrices(of) * E * of.F,
    output: 2 * B * L * of.words * E,
  };
}

/**
 * @param {Sizes} of
 * @param {number} S
 * @param {number} B
 * @param {number} bytes of a number
 * @returns {Parts}
 */
export function movedBytes(of, S, B, bytes) {
  const { attention, mlp, norms } = parametersOf(of);
  return {
    attention: attention * bytes,
    mlp: mlp * bytes,
    norms: norms * bytes,
    output: of.words * of.E * bytes,
    cache: 2 * of.layers * B * of.G * S * of.D * bytes,
  };
}

/** @param {Sizes} of @param {Settings} settings */
function turningBatch(of, { S, device, dtype }) {
  const { cache, ...shared } = movedBytes(of, S, 1, BYTES[dtype]);
  const turn = ridge(DEVICES[device], dtype);
  const room = total(flopsOf(of, 1, S, 1)) - turn * cache;
  return room > 0 ? (turn * total(shared)) / room : null;
}

/** @param {Settings} settings @returns {Results} */
export function compute(settings) {
  const { B, S, dtype } = settings;
  const sizes = sizesOf(settings);
  const device = DEVICES[settings.device];
  const L = settings.phase === "decoding" ? 1 : S;
  const parameters = parametersOf(sizes);
  const flops = flopsOf(sizes, L, S, B);
  const moved = movedBytes(sizes, S, B, BYTES[dtype]);
  const seconds = { arithmetic: total(flops) / (peak(device, dtype) * 1e12), memory: total(moved) / (device.bandwidth * 1e12) };
  return {
    sizes,
    parameters,
    flops,
    moved,
    needed: { parameters: total(parameters) * BYTES[dtype], cache: moved.cache },
    seconds,
    rate: (B * L) / Math.max(seconds.arithmetic, seconds.memory),
    turning: turningBatch(sizes, settings),
  };
}
