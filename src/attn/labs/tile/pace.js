// How fast TileLab's film runs: slow where a sum is rescaled or where the first row goes wrong, then quickly to the end.

/** @typedef {[from: number, speed: number]} Pace from this step on, so many steps a second */

const STRAYING = 6; // until shortly before the first row goes wrong
const FIRST = 0.8; // in the first tile, whose parts are seen to come and go
const QUICK = 2; // before a sum is rescaled most
const [SEEN, READ] = [0.2, 0.4]; // while it is, and while the values are added: there is a sentence to read
const AFTER = 8; // when it has been seen
const RISE = 0.7; // of a maximum that halves what was added before
const LAST = 0.7; // while the output comes that ours is compared with
const [SLOW, FAST, LONG] = [2, 16, 3]; // in the first row of tiles and in the others, which take at most LONG seconds

/**
 * @param {{ method: "fused" | "stored", rescale: boolean }} settings
 * @param {import("./model.js").Moment[]} moments
 * @param {number} strays the step in which the first row goes wrong; 0 or less if none does
 * @returns {{ pace: Pace[], parts: number[], risen: number }} parts: where the film's parts begin; risen: the step in which it shows that a sum is rescaled
 */
export function paceOf({ method, rescale }, moments, strays) {
  const last = moments.length - 1;
  if (method === "stored") return { pace: [[0, Math.max(SLOW, last / 6)]], parts: [0], risen: 0 };
  const ends = moments.findIndex(({ step }) => step?.kind === "write"); // of the first row of tiles
  const rises = moments.slice(0, ends).map(({ step, top }, n) => (step?.kind === "exp" ? riseOf(moments[n - 1].top, top) : 0));
  const most = Math.max(...rises);
  const risen = rescale && most > RISE ? rises.indexOf(most) : 0;
  if (ends === last)
    return {
      pace: [
        [0, Math.max(SLOW, last / 12)],
        [last - 1, LAST],
      ],
      parts: [0],
      risen,
    };
  const first = risen > 1 ? untilSeen(risen) : untilStrayed(strays);
  return { pace: [...first, [ends, Math.max(FAST, (last - ends) / LONG)], [last - 1, LAST]], parts: [0, ends], risen };
}

/** @param {Float32Array} before @param {Float32Array} after */
const riseOf = (before, after) => Math.max(...Array.from(after, (top, i) => (Number.isFinite(before[i]) ? top - before[i] : 0)));

/** The pace up to this rescaling, which is slow, and on. @param {number} risen @returns {Pace[]} */
const untilSeen = (risen) => [
  [0, FIRST],
  [Math.min(4, risen - 2), QUICK],
  [risen - 1, SEEN],
  [risen, READ],
  [risen + 1, AFTER],
];

/** The pace up to the first row that goes wrong, and on. @param {number} strays @returns {Pace[]} */
const untilStrayed = (strays) => [
  ...(strays > 2 ? /** @type {Pace[]} */ ([[0, STRAYING]]) : []),
  [Math.max(0, strays - 2), strays > 0 ? SLOW / 2 : SLOW],
  [Math.max(0, strays), SLOW],
];
