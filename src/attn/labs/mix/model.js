// Values in the plane and what heads mix of them: weights from a query or by hand, the blend, and the hull that it cannot leave.

export const WORDS = ["river", "money", "bank", "the", "old", "loan"];
export const KEYS = [
  [-1.7, 1],
  [1.7, 1],
  [1.7, -1],
  [-1.7, -1],
  [0, -2],
  [2, 0],
];
export const REACH = 4; // a coordinate lies between minus this and this
export const MOST = 10; // of a weight by hand, before the division by their sum
export const PATH = Array.from({ length: 41 }, (_, step) => 10 ** ((step - 20) / 10)); // temperatures, 0.01 to 100

// What is wrong with settings that came in a link, or null.
export function problem({ values, queries, hand, temperature, by, heads }) {
  const within = (x) => typeof x === "number" && Math.abs(x) <= REACH;
  const points = (rows) => Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === 2 && row.every(within));
  if (!points(values) || values.length < 3 || values.length > WORDS.length)
    return "values are 3 to 6 points with coordinates from −4 to 4.";
  if (!points(queries) || queries.length !== 2) return "queries are two points with coordinates from −4 to 4.";
  const whole = (x) => Number.isInteger(x) && x >= 0 && x <= MOST;
  const fits = (row) => Array.isArray(row) && row.length === values.length && row.every(whole);
  if (!Array.isArray(hand) || hand.length !== 2 || !hand.every(fits))
    return "hand weights are two rows, a whole number from 0 to 10 for each value.";
  if (!(temperature >= 0.01 && temperature <= 100)) return "The temperature lies between 0.01 and 100.";
  if (heads !== 1 && heads !== 2) return "There are one or two heads.";
  const empty = by === "hand" ? hand.slice(0, heads).findIndex((row) => !row.some(Boolean)) : -1;
  return empty < 0 ? null : `All hand weights of head ${empty} are 0. A head gives away one whole: some word must have a weight.`;
}

function softmax(scores) {
  const highest = Math.max(...scores);
  return normalised(scores.map((score) => Math.exp(score - highest)));
}

function normalised(terms) {
  const sum = terms.reduce((total, term) => total + term, 0);
  return terms.map((term) => term / sum);
}

// The sum of the points, each times its weight.
export function blend(weights, points) {
  return [0, 1].map((d) => points.reduce((sum, point, s) => sum + weights[s] * point[d], 0));
}

// How much of the output each part is, measured along the output; NaN if the output is 0.
function sharesOf(weights, values, [x, y]) {
  const squared = x * x + y * y;
  return weights.map((weight, s) => (squared > 1e-12 ? (weight * (values[s][0] * x + values[s][1] * y)) / squared : NaN));
}

// weights and shares: H x S; out: H x 2; path: H x 41 x 2, the outputs at the temperatures of PATH.
export function compute(state) {
  const wrong = problem(state);
  if (wrong) throw new Error(wrong);
  const { values, queries, temperature, by, hand, heads } = state;
  const heated = (q, T) => softmax(values.map((_, s) => (q[0] * KEYS[s][0] + q[1] * KEYS[s][1]) / (Math.SQRT2 * T)));
  const made = { weights: [], out: [], shares: [], path: [] };
  for (let h = 0; h < heads; h++) {
    const weights = by === "query" ? heated(queries[h], temperature) : normalised(hand[h]);
    const out = blend(weights, values);
    made.weights.push(...weights);
    made.out.push(...out);
    made.shares.push(...sharesOf(weights, values, out));
    made.path.push(...PATH.flatMap((T) => blend(heated(queries[h], T), values)));
  }
  return Object.fromEntries(Object.entries(made).map(([name, numbers]) => [name, Float32Array.from(numbers)]));
}

// The corners of the smallest convex shape around the points, in order (Andrew 1979); what lies on an edge is no corner.
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const half = (row) => {
    const chain = [];
    for (const point of row) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), point) <= 1e-9) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// The value that a point cannot be told from, or -1.
export function near([x, y], values) {
  return values.findIndex(([a, b]) => Math.hypot(x - a, y - b) < 0.05);
}

// What is worth saying of the outputs: which value they could be mistaken for, and what two heads make of that.
export function remark({ values, heads }, { weights, out }) {
  const S = values.length;
  const told = (h) => {
    const at = near([out[2 * h], out[2 * h + 1]], values);
    if (at < 0) return null;
    const weight = weights[h * S + at];
    return weight > 0.95
      ? `the value of ${WORDS[at]}, which has nearly all weight`
      : `the value of ${WORDS[at]}, which has the weight ${weight.toFixed(2)}`;
  };
  if (heads === 1) return told(0) ? `The output cannot be told from ${told(0)}.` : "The output is the value of no word.";
  const middle = near([(out[0] + out[2]) / 2, (out[1] + out[3]) / 2], values);
  const apart = Math.hypot(out[0] - out[2], out[1] - out[3]) > 0.05;
  if (middle < 0) return "Side by side the two outputs are four numbers.";
  const mixed = `An average of the two outputs could not be told from the value of ${WORDS[middle]}.`;
  return apart ? `${mixed} Side by side they can.` : `Both outputs are at the value of ${WORDS[middle]}.`;
}
