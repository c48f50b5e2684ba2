// A recorded training: what a frame of it shows.

import { range } from "../kit/math.js";
import { mix } from "../kit/time.js";

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
 */

/** @typedef {[layer: number, head: number, row: number, column: number]} Place of a weight */
/** @typedef {{ frame: string, sequence: number, word: number }} Position in a recording */
/** @typedef {{ name: string, values: Float32Array }} Line a number for each frame */

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
  const [layers, H] = run.shape;
  const placeAt = (frame, word) => 3 * (frame * run.words.length + word);
  const pairsAt = (starts) => Float32Array.from(starts.flatMap((at) => [places[at], places[at + 1]]));
  const strides = Float32Array.from(run.steps, (_, n) => places[placeAt(n, word) + 2]);
  const heads = range(layers * H).map((n) => headAt(run, frame, sequence, Math.floor(n / H), n % H));
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

/** @type {WeakMap<Run, Record<number, Float32Array[]>>} */
const changes = new WeakMap();

/**
 * How far each number of W_Q of a head has moved since the beginning, in each frame, computed once; none if the recording does not have it.
 *
 * @param {Run} run
 * @param {readonly [layer: number, head: number]} head
 */
export function changesOf(run, [layer, head]) {
  const ofRun = changes.get(run) ?? {};
  changes.set(run, ofRun);
  const nth = layer * run.shape[1] + head;
  if (!ofRun[nth]) {
    const all = run.steps.map((_, n) => queriesAt(run, n, nth));
    ofRun[nth] = Array.from(all[0], (first, n) => Float32Array.from(all, (one) => one[n] - first));
  }
  return ofRun[nth];
}

/**
 * The guess to write between two frames: the one that can be the likeliest while the right word has this probability.
 *
 * @param {[from: number, to: number]} guesses
 * @param {[from: number, to: number]} chances of the right word
 * @param {number} right
 * @param {number} part of the way
 */
export function guessAt([from, to], [before, after], right, part) {
  if (from !== to && mix(before, after, part) > 0.5) return right;
  const isFirst = to === right && after > 0.5 ? true : from === right && before > 0.5 ? false : part < 0.5;
  return isFirst ? from : to;
}

const FADE = 0.25; // of the time between two frames, before and after a word changes

/**
 * How strongly a guess is written between two frames: it fades where it changes, as its bar goes on.
 *
 * @param {(part: number) => number} guessAtPart
 * @param {number} part of the way
 */
export function strengthOf(guessAtPart, part) {
  const far = [0.05, 0.1, 0.15, 0.2].find((n) => guessAtPart(Math.max(0, part - n)) !== guessAtPart(Math.min(1, part + n)));
  return far === undefined ? 1 : (far - 0.05) / FADE;
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
function sharesOf(run, sequence, weights) {
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
 * What a token of this recording is called: in a vocabulary of single letters a letter.
 *
 * @param {Pick<Run, "words">} run
 */
export const unitOf = ({ words }) => (words.every((word) => word.length === 1) ? "letter" : "word");

/** @param {number[]} rows in words */
function rowsText(rows) {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (!rows.length) return "no row";
  if (rows.length > 1 && last - first === rows.length - 1) return `rows ${first}–${last}`;
  return rows.length < 3 ? `row${rows.length > 1 ? "s" : ""} ${rows.join(" and ")}` : `${rows.length} rows`;
}

/** @type {WeakMap<Run, Map<string, Line[]>>} */
const known = new WeakMap();

/**
 * The shares of one head in all frames, computed once: a line for each question or, without questions, two lines.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {number} layer
 * @param {number} head
 * @returns {Line[]}
 */
export function linesOf(run, sequence, layer, head) {
  const ofRun = known.get(run) ?? new Map();
  known.set(run, ofRun);
  const key = `${sequence} ${layer} ${head}`;
  if (!ofRun.has(key)) ofRun.set(key, findLines(run, sequence, layer, head));
  return ofRun.get(key);
}

const ATTENDS = 0.2; // of its weight: clearly more than it gives to each of several words alike

/**
 * The questions to whose answers a head attends in a frame.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 * @param {number} frame
 */
export const jobsOf = (run, sequence, head, frame) =>
  linesOf(run, sequence, ...head).flatMap(({ name, values }) => (values[frame] > ATTENDS ? [name] : []));

/**
 * Of the words that look most at one key when the answers begin to be right, and at the end at another: the one that does so most clearly,
 * both keys, and the frame from which on it has more weight; null if no word turns.
 *
 * @param {Run} run
 * @param {number} sequence
 * @param {readonly [layer: number, head: number]} head
 */
export function turnOf(run, sequence, head) {
  const L = run.ids[sequence].length;
  const [learned, last] = [learnedOf(run), run.steps.length - 1];
  const rowAt = (/** @type {number} */ frame, /** @type {number} */ row) =>
    headAt(run, frame, sequence, ...head).subarray(row * L, (row + 1) * L);
  const turns = range(L).map((row) => {
    const [old, now] = [rowAt(learned, row), rowAt(last, row)];
    const [from, to] = [old, now].map((one) => one.indexOf(Math.max(...one)));
    return { row, from, to, weight: from === to ? 0 : Math.min(old[from], now[to]) };
  });
  const { row, from, to, weight } = turns.reduce((best, one) => (one.weight > best.weight ? one : best));
  if (weight < 0.4) return null;
  let frame = last;
  while (rowAt(frame - 1, row)[to] > rowAt(frame - 1, row)[from]) frame--;
  const [word, old, key] = [row, from, to].map((n) => run.words[run.ids[sequence][n]]);
  return { row, word, old, key, frame };
}

/** @type {typeof linesOf} */
function findLines(run, sequence, layer, head) {
  const all = run.steps.map((_, n) => sharesOf(run, sequence, headAt(run, n, sequence, layer, head)));
  const line = (name, of) => ({ name, values: Float32Array.from(all, of) });
  if (run.questions.length) return run.questions.map((name, n) => line(name, ({ shares }) => shares[n]));
  const { looking, helping } = rowsOfShares(run, sequence);
  const [first, second] = [run.back === null ? "what came after" : `${run.back} back`, `the ${unitOf(run)} before`];
  const isSame = String(looking) === String(helping);
  return [
    line(isSame ? first : `${first}, ${rowsText(looking)}`, ({ shares }) => shares[0]),
    line(isSame ? second : `${second}, ${rowsText(helping)}`, ({ before }) => before?.[0] ?? 0),
  ];
}

/**
 * Where playing is how fast, in frames a second: half of the time goes by in equal steps, the other half with the changes of the loss.
 *
 * @param {Run} run
 * @param {number} seconds for the whole recording
 * @returns {[from: number, speed: number][]}
 */
export function paceOf({ steps, losses }, seconds) {
  const mean = (n) => {
    const some = losses.slice(steps[n], steps[n + 1] ?? losses.length);
    return some.reduce((sum, loss) => sum + loss, 0) / some.length;
  };
  const changes = steps.slice(1).map((_, n) => Math.abs(mean(n + 1) - mean(n)));
  const all = changes.reduce((sum, change) => sum + change, 0) || 1;
  const count = Math.max(1, changes.length);
  return changes.length ? changes.map((change, n) => [n, 2 / seconds / (1 / count + change / all)]) : [[0, 1]];
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

/**
 * The head that does most when the training ends: that with the largest share of one question, or on where it should look.
 *
 * @param {Run} run
 * @param {number} sequence
 * @returns {[layer: number, head: number]}
 */
export function headToShow(run, sequence) {
  const [layers, H] = run.shape;
  const last = run.steps.length - 1;
  const most = range(layers * H).map((n) =>
    Math.max(...sharesOf(run, sequence, headAt(run, last, sequence, Math.floor(n / H), n % H)).shares),
  );
  const best = most.indexOf(Math.max(...most));
  return [Math.floor(best / H), best % H];
}

/**
 * The row to speak of if none is chosen: the word that asks most, or the first one that could know what comes next.
 *
 * @param {Run} run
 * @param {number} sequence
 */
export function rowToShow(run, sequence) {
  const ids = run.ids[sequence];
  const asking = run.asks[sequence];
  const count = (i) => asking.filter(([row]) => row === i).length;
  if (run.questions.length) return range(ids.length).reduce((best, i) => (count(i) > count(best) ? i : best), 0);
  const first = asking.findIndex(([i]) => ids.some((_, j) => isGoal(run, sequence, i, j)));
  return first < 0 ? Math.max(0, ids.length - 2) : asking[first][0];
}
