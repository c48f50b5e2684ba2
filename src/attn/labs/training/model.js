// A recorded training: what a frame of it shows.

import { range } from "../kit/math.js";

/**
 * A recording as TrainingLab sends it; the last three are bytes in base64.
 *
 * @typedef {object} Run
 * @property {string} name
 * @property {string[]} titles of the sequences
 * @property {string[]} words
 * @property {number[][]} ids (sequences, L)
 * @property {[layers: number, H: number, L: number]} shape
 * @property {number[]} steps of the frames
 * @property {number[]} losses of all steps
 * @property {number} guess the loss of guessing
 * @property {[number, number]} reach the largest coordinate of a row, and the largest stride
 * @property {string} weights bytes (frames, sequences, layers, H, weights on and below the diagonal)
 * @property {string} chances bytes (frames, sequences, L - 1)
 * @property {string} places int16 (frames, words, 3): two coordinates and the stride
 */

/** @typedef {[layer: number, head: number, row: number, column: number]} Place of a weight */
/** @typedef {{ frame: number, sequence: number, word: number }} Position in a recording */

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @type {WeakMap<Run, { weights: Uint8Array, chances: Uint8Array, places: Float32Array }>} */
const cache = new WeakMap();

/** @param {Run} run @returns its arrays, decoded once */
function arraysOf(run) {
  const known = cache.get(run);
  if (known) return known;
  const bytes = bytesOf(run.places);
  const view = new DataView(bytes.buffer);
  const units = [run.reach[0], run.reach[0], run.reach[1]].map((most) => most / 32767);
  const places = Float32Array.from({ length: bytes.length / 2 }, (_, n) => view.getInt16(2 * n, true) * units[n % 3]);
  const arrays = { weights: bytesOf(run.weights), chances: bytesOf(run.chances), places };
  cache.set(run, arrays);
  return arrays;
}

/**
 * Does the token at j come right after an earlier occurrence of the word at i?
 *
 * @param {number[]} ids
 * @param {number} i
 * @param {number} j
 */
export function follows(ids, i, j) {
  return j > 0 && j <= i && ids[j - 1] === ids[i];
}

/**
 * The recording with the name `task`. Throws an Error if it does not have this frame, sequence or word.
 *
 * @param {{ _runs: Run[], task: string } & Position} settings
 */
export function runOf({ _runs, task, ...position }) {
  const run = _runs.find(({ name }) => name === task);
  if (!run) throw new Error(`task = "${task}": the recordings are ${_runs.map(({ name }) => `'${name}'`).join(", ")}.`);
  const counts = { frame: run.steps.length, sequence: run.ids.length, word: run.words.length };
  for (const [name, count] of Object.entries(counts)) {
    const at = position[name];
    if (!(at >= 0 && at < count)) throw new Error(`${name} = ${at}: this recording has ${count} ${name}s, from 0 to ${count - 1}.`);
  }
  return run;
}

/**
 * What TrainingLab.compute gives in Python: weights (layers, H, L, L), shares and before (layers, H), chances (L - 1), dots (words, 2),
 * path (frames, 2), strides (frames), and the numbers step, loss and moved.
 *
 * @param {{ _runs: Run[], task: string } & Position} settings
 */
export function compute(settings) {
  const { frame, sequence, word } = settings;
  const run = runOf(settings);
  const { chances, places } = arraysOf(run);
  const [, , L] = run.shape;
  const nth = frame * run.ids.length + sequence;
  const placeAt = (frame, word) => 3 * (frame * run.words.length + word);
  const pairsAt = (starts) => Float32Array.from(starts.flatMap((at) => [places[at], places[at + 1]]));
  const strides = Float32Array.from(run.steps, (_, n) => places[placeAt(n, word) + 2]);
  return {
    ...weightsOf(run, nth, run.ids[sequence]),
    chances: Float32Array.from(chances.subarray(nth * (L - 1), (nth + 1) * (L - 1)), (byte) => byte / 255),
    dots: pairsAt(run.words.map((_, w) => placeAt(frame, w))),
    path: pairsAt(run.steps.map((_, n) => placeAt(n, word))),
    step: run.steps[frame],
    loss: run.losses[run.steps[frame]],
    strides,
    moved: strides.slice(0, frame + 1).reduce((sum, stride) => sum + stride, 0),
  };
}

/**
 * The weights (layers, H, L, L) and the mean shares (layers, H) of each head on what came after the same word, and on the word before.
 *
 * @param {Run} run
 * @param {number} nth which of its maps, counted frame by frame and sequence by sequence
 * @param {number[]} ids
 */
function weightsOf(run, nth, ids) {
  const packed = arraysOf(run).weights;
  const [layers, H, L] = run.shape;
  const heads = layers * H;
  const weights = new Float32Array(heads * L * L);
  const [shares, before] = [new Float32Array(heads), new Float32Array(heads)];
  const rows = range(L - 1); // nothing is predicted from the last token
  const rowsThatLook = rows.filter((i) => ids.some((_, j) => follows(ids, i, j))).length;
  const targets = new Set(range(L).filter((j) => rows.some((i) => follows(ids, i, j))));
  let at = (nth * heads * L * (L + 1)) / 2;
  for (let head = 0; head < heads; head++)
    for (let i = 0; i < L; i++)
      for (let j = 0; j <= i; j++, at++) {
        const weight = packed[at] / 255;
        weights[(head * L + i) * L + j] = weight;
        if (i < L - 1 && follows(ids, i, j)) shares[head] += weight / rowsThatLook;
        if (j === i - 1 && targets.has(i)) before[head] += weight / targets.size;
      }
  return { weights, shares, before };
}

/**
 * A place moved to where this recording has a weight: in a causal map no column is after its row.
 *
 * @param {Place} place
 * @param {Pick<Run, "shape">} run
 * @returns {Place}
 */
export function nearestWeight([layer, head, i, j], { shape: [layers, H, L] }) {
  const row = Math.min(i, L - 1);
  return [Math.min(layer, layers - 1), Math.min(head, H - 1), row, Math.min(j, row)];
}

/**
 * The place to show first in a recording: of all weights on what came right after the same word, the largest in the last frame; null if
 * no word comes twice.
 *
 * @param {Run} run
 * @param {number} sequence
 * @returns {Place | null}
 */
export function placeToShow(run, sequence) {
  const ids = run.ids[sequence];
  const { weights } = compute({ _runs: [run], task: run.name, frame: run.steps.length - 1, sequence, word: 0 });
  const [, H, L] = run.shape;
  let best = -1;
  weights.forEach((weight, at) => {
    const [i, j] = [Math.floor(at / L) % L, at % L];
    if (i < L - 1 && follows(ids, i, j) && !(weight <= weights[best])) best = at;
  });
  if (best < 0) return null;
  const facet = Math.floor(best / (L * L));
  return [Math.floor(facet / H), facet % H, Math.floor(best / L) % L, best % L];
}
