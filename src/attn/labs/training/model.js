// A recorded training: what a frame of it shows, and what that means in words. `run` is what TrainingLab sends of a recording.

import { number } from "../kit/format.js";

const decoded = new WeakMap();

function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

// The arrays of a recording, decoded once.
function arraysOf(run) {
  if (!decoded.has(run)) {
    const places = bytesOf(run.places);
    const view = new DataView(places.buffer);
    const scale = [run.reach[0], run.reach[0], run.reach[1]].map((most) => most / 32767);
    decoded.set(run, {
      weights: bytesOf(run.weights),
      chances: bytesOf(run.chances),
      places: Float32Array.from({ length: places.length / 2 }, (_, n) => view.getInt16(2 * n, true) * scale[n % 3]),
    });
  }
  return decoded.get(run);
}

// Does the token at j come right after an earlier occurrence of the word at i?
export function follows(ids, i, j) {
  return j > 0 && j <= i && ids[j - 1] === ids[i];
}

// The recording that is called `task`. Raises an Error if frame, sequence or word are not in it.
export function runOf({ _runs, task, ...places }) {
  const run = _runs.find(({ name }) => name === task);
  if (!run) throw new Error(`task = "${task}": the recordings are ${_runs.map(({ name }) => `'${name}'`).join(", ")}.`);
  const counts = { frame: run.steps.length, sequence: run.ids.length, word: run.words.length };
  for (const [name, count] of Object.entries(counts)) {
    const at = places[name];
    if (!(at >= 0 && at < count)) throw new Error(`${name} = ${at}: this recording has ${count} ${name}s, from 0 to ${count - 1}.`);
  }
  return run;
}

// What TrainingLab.compute gives in Python: weights (layers, H, L, L), shares and before (layers, H), chances (L - 1),
// dots (words, 2), path (frames, 2), strides (frames), and the numbers step, loss and moved.
export function compute(settings) {
  const { frame, sequence, word } = settings;
  const run = runOf(settings);
  const { weights: packed, chances, places } = arraysOf(run);
  const [layers, H, L] = run.shape;
  const [facets, lower, words, ids] = [layers * H, (L * (L + 1)) / 2, run.words.length, run.ids[sequence]];
  const nth = frame * run.ids.length + sequence;

  const weights = new Float32Array(facets * L * L);
  const [shares, before] = [new Float32Array(facets), new Float32Array(facets)];
  const looking = ids.slice(0, -1).map((_, i) => i); // nothing is foretold from the last place
  const asking = looking.filter((i) => ids.some((_, j) => follows(ids, i, j))).length;
  const wanted = new Set(ids.map((_, j) => j).filter((j) => looking.some((i) => follows(ids, i, j))));
  for (let facet = 0, at = nth * facets * lower; facet < facets; facet++) {
    for (let i = 0; i < L; i++)
      for (let j = 0; j <= i; j++) {
        const weight = packed[at++] / 255;
        weights[(facet * L + i) * L + j] = weight;
        if (i < L - 1 && follows(ids, i, j)) shares[facet] += weight / asking;
        if (j === i - 1 && wanted.has(i)) before[facet] += weight / wanted.size;
      }
  }
  const place = (f, w) => 3 * (f * words + w);
  const strides = Float32Array.from(run.steps, (_, f) => places[place(f, word) + 2]);
  const pairs = (starts) => Float32Array.from(starts.flatMap((at) => [places[at], places[at + 1]]));
  return {
    weights,
    shares,
    before,
    chances: Float32Array.from(chances.subarray(nth * (L - 1), (nth + 1) * (L - 1)), (byte) => byte / 255),
    dots: pairs(run.words.map((_, w) => place(frame, w))),
    path: pairs(run.steps.map((_, f) => place(f, word))),
    step: run.steps[frame],
    loss: run.losses[run.steps[frame]],
    strides,
    moved: strides.slice(0, frame + 1).reduce((sum, stride) => sum + stride, 0),
  };
}

// A pin, moved to where this recording has a weight: in a causal map no column lies behind its row.
export function inside([layer, head, i, j], { shape: [layers, H, L] }) {
  const row = Math.min(i, L - 1);
  return [Math.min(layer, layers - 1), Math.min(head, H - 1), row, Math.min(j, row)];
}

// Where to begin to look at a recording: at the brightest weight, in the end, on what came right after the same word, or null.
export function telling(run, sequence) {
  const ids = run.ids[sequence];
  const { weights } = compute({ _runs: [run], task: run.name, frame: run.steps.length - 1, sequence, word: 0 });
  const [, H, L] = run.shape;
  let best = -1;
  weights.forEach((weight, at) => {
    const [i, j] = [Math.floor(at / L) % L, at % L];
    if (i < L - 1 && follows(ids, i, j) && !(weight <= weights[best])) best = at;
  });
  const facet = Math.floor(best / (L * L));
  return best < 0 ? null : [Math.floor(facet / H), facet % H, Math.floor(best / L) % L, best % L];
}

// One weight in words: who looks where, how much, whether that is the place that gives the answer away, and what came of it.
export function story([layer, head, i, j], run, { sequence }, { weights, chances }) {
  const [, H, L] = run.shape;
  const ids = run.ids[sequence];
  const word = (n) => `“${run.words[ids[n]]}”`;
  const weight = weights[((layer * H + head) * L + i) * L + j];
  const where = follows(ids, i, j) ? `, which came right after an earlier ${word(i)}` : "";
  const next = `The next word is ${word(i + 1)}; before it came, the model gave it ${number(chances[i], 2)}.`;
  const looks = `Layer ${layer}, head ${head}: ${word(i)} at place ${i} gives ${number(weight, 2)} of its weight to ${word(j)} at place ${j}${where}.`;
  return i + 1 < L ? `${looks} ${next}` : looks;
}

// The points of a line through values 0 .. most, in a box of `width` x `height`, as the d of an SVG path.
export function line(values, width, height, most) {
  const x = (n) => (width * n) / Math.max(1, values.length - 1);
  const y = (value) => height * (1 - Math.min(1, value / most));
  return values.map((value, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}
