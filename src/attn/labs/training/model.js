// A recorded training: what a frame of it shows.

import { range } from "../kit/math.js";

/** @typedef {[row: number, question: number, right: number, column: number]} Ask a word that asks, which of the questions, the number of
 *   the right word, and its place; -1 if it has none */

/**
 * A recording as TrainingLab sends it; `weights`, `chances`, `guesses`, `places` and `queries` are bytes in base64.
 *
 * @typedef {object} Run
 * @property {string} name
 * @property {string[]} titles of the sequences
 * @property {string[]} words
 * @property {number[][]} ids (sequences, L)
 * @property {[layers: number, H: number, L: number]} shape
 * @property {boolean} causal whether no word looks at later ones
 * @property {string[]} questions that words ask; none if each asks for the next word
 * @property {Ask[][]} asks what is asked in each sequence
 * @property {number | null} back how many places back each word should look, if this is the same everywhere
 * @property {number[][]} counted (sequences, L - 1): whether the loss counts the next word of each word
 * @property {number[]} steps of the frames
 * @property {number[]} losses of all steps, in thousandths
 * @property {number} fall the frame where the loss falls fastest
 * @property {number} guess the loss of guessing
 * @property {number | null} tests how many sequences `measured` is of
 * @property {Record<string, number[]>} measured shares by name, of each frame
 * @property {[number, number]} reach the largest coordinate of a row, and the largest stride
 * @property {string} weights bytes (frames, sequences, layers, H, weights); of causal maps those on and below the diagonal
 * @property {string[]} chances for each sequence bytes (frames, asks)
 * @property {string[]} guesses for each sequence bytes (frames, asks): numbers of words
 * @property {string} places int16 (frames, words, 3): two coordinates and the stride
 * @property {number} D numbers of a query
 * @property {number} most the largest number of W_Q
 * @property {string} queries int8 (frames, layers, H, D, E): W_Q; empty in a large model
 * @property {number[]} changed for each frame all changes of W_Q so far, added up
 */

/** @typedef {[layer: number, head: number, row: number, column: number]} Place of a weight */
/** @typedef {{ frame: string, sequence: number, word: number }} Position in a recording */

const NAMED = ["first", "fall", "last", "learned"];
const LEARNED = 0.98; // of the answers to each question are right, from the frame "learned" on

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @type {WeakMap<Run, { weights: Uint8Array, chances: Uint8Array[], guesses: Uint8Array[], places: Float32Array, queries: Int8Array }>} */
const cache = new WeakMap();

/** @param {Run} run @returns its arrays, decoded once */
function arraysOf(run) {
  const known = cache.get(run);
  if (known) return known;
  const bytes = bytesOf(run.places);
  const view = new DataView(bytes.buffer);
  const units = [run.reach[0], run.reach[0], run.reach[1]].map((most) => most / 32767);
  const places = Float32Array.from({ length: bytes.length / 2 }, (_, n) => view.getInt16(2 * n, true) * units[n % 3]);
  const arrays = {
    ...{ weights: bytesOf(run.weights), chances: run.chances.map(bytesOf), guesses: run.guesses.map(bytesOf), places },
    queries: new Int8Array(bytesOf(run.queries).buffer),
  };
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
 * Should the word at i look at j? In a task with a fixed distance at the place so far back, else after the same word.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {number} i
 * @param {number} j
 */
export const isGoal = ({ back, ids }, sequence, i, j) =>
  i < ids[sequence].length - 1 && (back === null ? follows(ids[sequence], i, j) : i - j === back); // nothing is predicted from the last

/**
 * Which rows the shares of a sequence count: those of the words that should look somewhere, and those in which the word before counts.
 *
 * @param {Run} run
 * @param {number} sequence
 * @returns {{ looking: number[], helping: number[] }}
 */
export function rowsOfShares(run, sequence) {
  const places = range(run.ids[sequence].length);
  const looking = places.filter((i) => places.some((j) => isGoal(run, sequence, i, j)));
  const targets = places.filter((j) => looking.some((i) => isGoal(run, sequence, i, j)));
  return { looking, helping: (run.back === null ? targets : looking).filter((i) => i > 0) };
}

/**
 * The rows of the table: of a model that is asked those of the words that ask.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export const rowsOf = ({ questions, asks, ids }, sequence) =>
  range(ids[sequence].length).filter((i) => !questions.length || asks[sequence].some(([row]) => row === i));

/** Whether this is a name or a number of a frame, as settings write it. @param {any} frame */
export const isFrame = (frame) => NAMED.includes(frame) || /^-?\d+$/.test(String(frame));

/**
 * The number of a frame from its name, or from the text of its number.
 *
 * @param {Run} run
 * @param {string | number} frame
 */
export function frameOf(run, frame) {
  const at = NAMED.indexOf(String(frame));
  return at < 0 ? Number(frame) : [0, run.fall, run.steps.length - 1, learnedOf(run)][at];
}

/**
 * The first frame from which on the answers stay right; the last one if there is none, or if nothing is asked.
 *
 * @param {Run} run
 */
export function learnedOf({ questions, measured, steps }) {
  const shares = Object.values(measured);
  const last = steps.length - 1;
  if (!questions.length || !shares.length) return last;
  let n = last + 1;
  while (n > 0 && Math.min(...shares.map((one) => one[n - 1])) >= LEARNED) n--;
  return Math.min(n, last);
}

/**
 * The frame with which later ones are compared: that from which on the answers stay right, or else the first one.
 *
 * @param {Run} run
 */
export const originOf = (run) => learnedOf(run) % Math.max(1, run.steps.length - 1);

/**
 * How the settings write a frame: its name if it has one.
 *
 * @param {Run} run
 * @param {number} frame
 */
export const writtenFrame = (run, frame) => NAMED.find((name) => frameOf(run, name) === frame) ?? String(frame);

/**
 * The recording with the name `task`. Throws an Error if it does not have this frame, sequence or word.
 *
 * @param {{ _runs: Run[], task: string } & Position} settings
 */
export function runOf({ _runs, task, frame, sequence, word }) {
  const run = _runs.find(({ name }) => name === task);
  if (!run) throw new Error(`task = "${task}": the recordings are ${_runs.map(({ name }) => `'${name}'`).join(", ")}.`);
  const counts = { frame: run.steps.length, sequence: run.ids.length, word: run.words.length };
  for (const [name, at] of Object.entries({ frame: frameOf(run, frame), sequence, word })) {
    const count = counts[name];
    if (!(at >= 0 && at < count)) throw new Error(`${name} = ${at}: this recording has ${count} ${name}s, from 0 to ${count - 1}.`);
  }
  return run;
}

/**
 * What TrainingLab.compute gives in Python: weights (layers, H, L, L), shares and before (layers, H) or shares (layers, H, questions),
 * chances and guesses (asks), dots (words, 2), path (frames, 2), strides (frames), and the numbers step, loss and moved.
 *
 * @param {{ _runs: Run[], task: string } & Position} settings
 * @returns {Record<string, any>}
 */
export function compute(settings) {
  const run = runOf(settings);
  const { sequence, word } = settings;
  const frame = frameOf(run, settings.frame);
  const { places } = arraysOf(run);
  const placeAt = (frame, word) => 3 * (frame * run.words.length + word);
  const pairsAt = (starts) => Float32Array.from(starts.flatMap((at) => [places[at], places[at + 1]]));
  const strides = Float32Array.from(run.steps, (_, n) => places[placeAt(n, word) + 2]);
  const heads = allHeads(run).map((head) => headAt(run, frame, sequence, ...head));
  const names = run.questions.length ? ["shares"] : ["shares", "before"];
  const shares = heads.map((weights) => sharesOf(run, sequence, weights));
  return {
    weights: Float32Array.from(heads.flatMap((weights) => [...weights])),
    ...Object.fromEntries(names.map((name) => [name, Float32Array.from(shares.flatMap((one) => one[name] ?? []))])),
    ...answersAt(run, frame, sequence),
    dots: pairsAt(run.words.map((_, w) => placeAt(frame, w))),
    path: pathOf(run, word),
    step: run.steps[frame],
    loss: lossAt(run, run.steps[frame]),
    strides,
    queries: Float32Array.from(heads.flatMap((_, n) => [...queriesAt(run, frame, n)])),
    moved: strides.slice(0, frame + 1).reduce((sum, stride) => sum + stride, 0),
  };
}

/** @param {Run} run @returns {[layer: number, head: number][]} */
export const allHeads = ({ shape: [layers, H] }) => range(layers * H).map((n) => [Math.floor(n / H), n % H]);

/**
 * The weights (L, L) of one head.
 *
 * @param {Run} run
 * @param {number} frame
 * @param {number} sequence
 * @param {number} layer
 * @param {number} head
 */
export function headAt(run, frame, sequence, layer, head) {
  const packed = arraysOf(run).weights;
  const [layers, H, L] = run.shape;
  const size = run.causal ? (L * (L + 1)) / 2 : L * L;
  let at = (((frame * run.ids.length + sequence) * layers + layer) * H + head) * size;
  const weights = new Float32Array(L * L);
  for (let i = 0; i < L; i++) for (let j = 0; j < (run.causal ? i + 1 : L); j++) weights[i * L + j] = packed[at++] / 255;
  return weights;
}

/** @param {Run} run @param {number} step */
export const lossAt = ({ losses }, step) => losses[step] / 1000;

/**
 * W_Q (D, E) of one head; empty if the recording does not have it.
 *
 * @param {Run} run
 * @param {number} frame
 * @param {number} head counted through all layers
 */
export function queriesAt(run, frame, head) {
  const { queries } = arraysOf(run);
  const [layers, H] = run.shape;
  const size = queries.length / (run.steps.length * layers * H);
  const at = (frame * layers * H + head) * size;
  return Float32Array.from(queries.subarray(at, at + size), (level) => (level * run.most) / 127);
}

/**
 * The way of a row of the embedding: two coordinates for each frame.
 *
 * @param {Run} run
 * @param {number} word
 */
export function pathOf(run, word) {
  const { places } = arraysOf(run);
  const at = (/** @type {number} */ frame) => 3 * (frame * run.words.length + word);
  return Float32Array.from(run.steps.flatMap((_, frame) => [places[at(frame)], places[at(frame) + 1]]));
}

/**
 * The probability of each right answer and the number of the likeliest word, in the order of the asks.
 *
 * @param {Run} run
 * @param {number} frame
 * @param {number} sequence
 */
export function answersAt(run, frame, sequence) {
  const { chances, guesses } = arraysOf(run);
  const count = run.asks[sequence].length;
  const ofFrame = (bytes) => bytes[sequence].subarray(frame * count, (frame + 1) * count);
  return {
    chances: Float32Array.from(ofFrame(chances), (byte) => byte / 255),
    guesses: Float32Array.from(ofFrame(guesses)),
  };
}

/**
 * How much of its weight a head gives, on average, to the answers of each question. Without questions: to where it should look, and to the
 * word just before.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {Float32Array} weights (L, L)
 * @returns {{ shares: number[], before?: number[] }}
 */
export function sharesOf(run, sequence, weights) {
  const [, , L] = run.shape;
  const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
  if (run.questions.length) {
    const cells = run.questions.map((_, n) => run.asks[sequence].filter(([, question]) => question === n));
    return { shares: cells.map((some) => mean(some.map(([i, , , j]) => weights[i * L + j]))) };
  }
  const { looking, helping } = rowsOfShares(run, sequence);
  const sums = looking.map((i) => range(L).reduce((sum, j) => sum + (isGoal(run, sequence, i, j) ? weights[i * L + j] : 0), 0));
  return { shares: [mean(sums)], before: [mean(helping.map((i) => weights[i * L + i - 1]))] };
}

/**
 * A place moved to where this recording has a weight: in a causal map no column is after its row.
 *
 * @param {Place} place
 * @param {Pick<Run, "shape" | "causal">} run
 * @returns {Place}
 */
export function nearestWeight([layer, head, i, j], { shape: [layers, H, L], causal }) {
  const row = Math.min(i, L - 1);
  return [Math.min(layer, layers - 1), Math.min(head, H - 1), row, Math.min(j, causal ? row : L - 1)];
}
