// When what happens in the film, in seconds.

export const END = 26.2;

/** The parts of the film, and when each begins. */
export const PARTS = /** @type {const} */ ([
  ["words", 0],
  ["project", 2.5],
  ["split", 6],
  ["flip", 9.3],
  ["compare", 11.9],
  ["softmax", 16],
  ["blend", 19.6],
  ["join", 22.4],
]);

/** The still pictures: where steps end, and all there is without motion. The last of each part shows what the part has made. */
export const STOPS = [
  ...[0.6, 2.4],
  ...[4, 5.95],
  ...[7.7, 9.2],
  ...[10.4, 11.8],
  ...[13.5, 14.4, 15.9],
  ...[17, 18, 18.65, 19.5],
  ...[20.64, 21.15, 21.44, 22.35],
  ...[23.5, 24.95, END],
];

/**
 * When the picture stands still because there is something to read, and for how many seconds when the film is played.
 *
 * @type {readonly (readonly [from: number, to: number, seconds: number])[]}
 */
export const HOLDS = [
  [0, 0.7, 2],
  [2.1, 2.45, 0.5],
  [3.2, 3.24, 0.4],
  [3.86, 4.04, 1.3],
  [5.91, 5.97, 0.4],
  [7.68, 7.72, 0.4],
  [8.72, 9.22, 1],
  [10.22, 10.49, 1],
  [11.79, 11.81, 0.2],
  [13.36, 13.54, 0.9],
  [14.22, 14.43, 1.3],
  [15.86, 15.94, 0.15],
  [16.97, 17.09, 1.1],
  [17.82, 18.08, 1],
  [18.61, 18.73, 0.4],
  [19.22, 19.52, 1.4],
  [20.63, 20.65, 1.1],
  [21.12, 21.18, 0.6],
  [21.39, 21.49, 1],
];
const SPEED = 2.4; // between them
/** Where small pieces move, and how fast. */
const SLOW = /** @type {const} */ ([
  [3.24, 5.9, 1.35], // rows of x over the columns of three matrices
  [6.7, 8.72, 1.7], // heads are cut and part
  [19.95, 21.35, 0.9], // rows of v are shrunk and added up
  [21.6, 22.4, 1.2], // the other rows
  [23.95, 24.95, 1.2], // rows of the heads over the columns of W_O
]);
/** @param {number} t */
const speedAt = (t) => SLOW.find(([from, to]) => t >= from && t < to)?.[2] ?? SPEED;

/** How fast the time runs. */
export const PACE = /** @type {[number, number][]} */ (
  [
    ...SLOW.flatMap(([from, to]) => [from, to].map((t) => [t, speedAt(t)])),
    ...HOLDS.flatMap(([from, to, seconds]) => [
      [from, (to - from) / seconds],
      [to, speedAt(to)],
    ]),
  ].sort(([a], [b]) => a - b)
);

/**
 * What is said from each moment on. Braces name what the layer has computed.
 *
 * @type {readonly (readonly [from: number, text: string])[]}
 */
export const CAPTIONS = [
  [0, "Who {verb} what, and when? Follow the word through one attention layer."],
  [0.75, "Each word becomes a row of {E} numbers."],
  [2.5, "A row of x meets a column of W_Q: one number of q."],
  [4.04, "A query asks, a key is found, a value is handed over."],
  [6, "Each head takes {D} of the {E} numbers."],
  [7.8, "Every head works alone. Trained, each answers one question."],
  [9.3, "The same {L} words twice: L ask, S are asked."],
  [10.5, "Each key becomes a column."],
  [11.9, "A query meets a key: multiply in pairs, add up. D is summed away."],
  [14.6, "Every query meets every key."],
  [16, "More products make larger sums: divide by √D = {root}."],
  [17.1, "Softmax: exponentiate, divide by the row's sum. Each row adds up to 1."],
  [19, "{payoff}"],
  [19.6, "Weights shrink the rows of v. Their sum is almost the row of “{found}”."],
  [20.655, "“{other}” gives no word more than {share}: its row mixes all {L}."],
  [21.6, "The same for every word and head."],
  [22.7, "Heads stand side by side, and W_O mixes their numbers."],
  [25.1, "“{verb}” has gathered {gathered}. y has the shape of x, so the next layer can take it."],
];

/**
 * Which chapter is about it, from each moment on.
 *
 * @type {readonly (readonly [from: number, chapter: string])[]}
 */
export const CHAPTERS = [
  [0, "01-whole-map"],
  [2.5, "04-why-qkv"],
  [6, "03-view-vs-permute"],
  [9.3, "05-why-k-transpose"],
  [16, "07-sqrt-dk"],
  [17.1, "08-softmax"],
  [19.6, "10-weighted-sum"],
  [22.4, "11-concat-and-wo"],
  [25.1, "01-whole-map"],
];

/**
 * When the letters of the shape line change, how long it takes, and to what. "01 name: axes" is a tensor; the digits say which tensors its
 * two brackets come from. A digit after a letter tells two equal letters of a product apart; a letter keeps its identity from one state to
 * the next.
 *
 * @type {readonly (readonly [from: number, length: number, state: string])[]}
 */
export const SHAPES = [
  [0.9, 0.5, "0 x: B L E"],
  [2.55, 0.35, "0 x: B L E @ 1 W: E1 E2"],
  [5.4, 0.5, "01 q, k, v: B L E2"],
  [6.7, 0.4, "01 q, k, v: B L H·D"],
  [7.2, 0.4, "01 q, k, v: B L H D"],
  [7.9, 0.7, "01 q, k, v: B H L D"],
  [9.35, 0.3, "01 k: B H L D"],
  [9.7, 0.4, "01 k: B H S D"],
  [10.6, 0.7, "01 kᵀ: B H D S"],
  [11.95, 0.5, "2 q: B1 H1 L D1 @ 01 kᵀ: B H D S"],
  [13.6, 0.6, "21 scores: B1 H1 L S"],
  [16.4, 0.4, "21 scores ÷ √D: B1 H1 L S"],
  [17.2, 0.4, "21 exp: B1 H1 L S"],
  [18.1, 0.1, "21 weights: B1 H1 L S"],
  [19.65, 0.3, "21 weights: B1 H1 L S @ 3 v: B2 H2 S2 D"],
  [20.3, 0.3, "23 weights @ v: B1 H1 L D"],
  [22.5, 0.6, "23 weights @ v: B1 L H1 D"],
  [23.1, 0.2, "23 concat: B1 L H1·D"],
  [23.32, 0.18, "23 concat: B1 L E"],
  [23.7, 0.4, "23 concat: B1 L E @ 4 W_O: E3 E4"],
  [24.5, 0.5, "24 y: B1 L E4"],
];

/**
 * What each letter counts, from when on.
 *
 * @type {readonly (readonly [letter: string, meanings: readonly (readonly [from: number, meaning: string])[]])[]}
 */
export const LETTERS = [
  ["B", [[0, "sentence"]]],
  ["H", [[0, "heads"]]],
  [
    "L",
    [
      [0, "words"],
      [9.7, "words that ask"],
    ],
  ],
  ["S", [[0, "words asked"]]],
  ["D", [[0, "numbers per head"]]],
  ["E", [[0, "numbers per word"]]],
];

/**
 * The entry of a list that holds at time t: the last whose first item is not later.
 *
 * @template {readonly [number, ...any[]]} Entry
 * @param {readonly Entry[]} list
 * @param {number} t
 */
export function current(list, t) {
  return list.findLast(([from]) => t >= from - 1e-6);
}
