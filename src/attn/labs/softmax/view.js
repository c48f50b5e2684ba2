// SoftmaxLab: drag a score and see every weight of its row answer; three programs compute them, and one of them breaks.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { bars, program } from "./line.js";
import { brief, compute, LIMITS, linesOf, resized, verdict } from "./model.js";

const KEYS = "Arrow keys walk through the cells; the row or column of the cell is shown below.";
const signed = (n) => (n > 0 ? `+${n}` : String(n).replace("-", "−"));

// The temperature is moved in 40 steps, equal factors: 0.1 to 10, and 1 in the middle.
const heat = (step) => Number((10 ** (step / 20)).toPrecision(2));
const stepOf = (temperature) => Math.round(20 * Math.log10(temperature));

function build({ limits, get, set, say }) {
  let last = null; // what is drawn: { L, S, pin, cells: of the line that is shown }
  let announced = null;
  const name = unique("softmax");
  const sliders = {
    L: slider("L", "queries", (size) => set({ scores: resized(get("scores"), size, get("scores")[0].length) })),
    S: slider("S", "keys", (size) => set({ scores: resized(get("scores"), get("scores").length, size) })),
    temperature: slider(null, "temperature", (step) => set({ temperature: heat(step) })),
    shift: slider(null, "add to all scores", (shift) => set({ shift })),
  };
  const axes = [
    ["keys", "each row (over the keys)"],
    ["queries", "each column (over the queries)"],
  ];
  const axis = choice(`${name}-axis`, "Softmax of", axes, (value) => set({ axis: value }));
  const kinds = [
    ["float32", "float32"],
    ["float16", "float16"],
  ];
  const precision = choice(`${name}-precision`, "Precision", kinds, (value) => set({ precision: value }));
  // The sums are no cells to pin: what is nearest is pinned, and there the keyboard goes on, in both tables.
  const point = (n, columns) => {
    if (n === null) return;
    const [i, j] = [Math.min(Math.floor(n / columns), last.L - 1), Math.min(n % columns, last.S - 1)];
    set({ pin: [i, j] });
    scores.moveTo(i * last.S + j);
    weights.moveTo(i * (last.S + 1) + j);
  };
  const scores = matrix((n, how) => how !== "hover" && point(n, last.S));
  const weights = matrix((n, how) => how !== "hover" && point(n, last.S + 1));
  const legends = ["blue is negative, red positive", "0 is dark, 1 bright; bold: the sums along softmax's axis"];
  const titles = [element("strong"), element("strong", {}, "weights")];
  const tables = [scores, weights].map((table, n) => {
    const title = element("p", {}, titles[n], " ", element("small", {}, legends[n]));
    return element("div", {}, title, table.node);
  });
  const line = bars((n, score) => {
    const at = last.cells[n];
    const pin = [Math.floor(at / last.S), at % last.S];
    const changed = get("scores").map((row, i) => row.map((old, j) => (i === pin[0] && j === pin[1] ? score : old)));
    set({ scores: changed, pin });
  });
  const programs = {
    naive: program("naive", "exp(s) / sum", ["s", "exp(s)", "weight"]),
    stable: program("stable", "exp(s − max) / sum", ["s − max", "exp", "weight"]),
    online: program("online", "max and sum in one reading", ["max", "old ×", "sum", "weight"]),
  };
  const node = element(
    "div",
    { class: "softmax" },
    element("div", { class: "sliders" }, ...Object.values(sliders).map((one) => one.node)),
    axis.node,
    precision.node,
    element("div", { class: "softmax-tables" }, ...tables),
    line.node,
    element("div", { class: "softmax-programs" }, ...Object.values(programs).map((one) => one.node)),
  );

  function drawTables(state, results, cells) {
    const { L, S, pin } = last;
    const rows = range(L).map((i) => `query ${i}`);
    const columns = range(S).map((j) => `key ${j}`);
    const look = (at) => (at === pin[0] * S + pin[1] ? "here" : cells.includes(at) ? "lit" : "");
    const moved = [state.shift !== 0 && signed(state.shift), state.temperature !== 1 && `÷ ${state.temperature}`].filter(Boolean);
    setText(titles[0], moved.length ? `scores ${moved.join(", ")}` : "scores");
    scores.draw({
      data: results.scaled,
      R: L,
      C: S,
      most: LIMITS.score,
      digits: 1,
      titles: { rows, columns },
      looks: look,
      active: pin[0] * S + pin[1],
      label: `scores: ${L} queries by ${S} keys. ${KEYS}`,
    });
    // The weights with their sums around them: the sums are no weights, so they have no colour.
    const wide = S + 1;
    const cell = (n) => [Math.floor(n / wide), n % wide];
    const sum = ([i, j]) => (i < L ? results.row_sums[i] : j < S ? results.column_sums[j] : null);
    const inside = ([i, j]) => i < L && j < S;
    const whole = ([i, j]) => (state.axis === "keys" ? i < L : j < S); // the sum of what softmax divided by its sum
    weights.draw({
      data: range((L + 1) * wide).map((n) => (inside(cell(n)) ? results.weights[cell(n)[0] * S + cell(n)[1]] : NaN)),
      R: L + 1,
      C: wide,
      kind: "weights",
      titles: { rows: [...rows, "sum"], columns: [...columns, "sum"] },
      text: (value, n) => (inside(cell(n)) ? number(value) : sum(cell(n)) === null ? "" : number(sum(cell(n)))),
      looks: (n) => (inside(cell(n)) ? look(cell(n)[0] * S + cell(n)[1]) : `sum ${whole(cell(n)) ? "one" : ""}`),
      active: pin[0] * wide + pin[1],
      label: `weights, with the sums of rows and columns. ${KEYS}`,
    });
  }

  // The line that is shown: its bars, and how each program gets to its weights.
  function drawLine(state, results, at, cells, names) {
    const of = (name) => cells.map((at) => results[name][at]);
    const byKeys = state.axis === "keys";
    const changed = state.shift !== 0 || state.temperature !== 1;
    line.draw({
      title: `${byKeys ? "query" : "key"} ${at}${changed ? ", before the sliders" : ""}`,
      names,
      scores: cells.map((at) => state.scores.flat()[at]),
      weights: of("weights"),
      active: cells.indexOf(last.pin[0] * last.S + last.pin[1]),
    });
    const [plain, terms, z] = [of("naive_terms"), of("terms"), of("scaled")];
    const [sign, said] = verdict(plain, results.naive_sums[at], of("naive"), of("weights"));
    programs.naive.draw({
      names,
      sign,
      said,
      sum: brief(results.naive_sums[at]),
      cells: of("naive").map((weight, n) => [brief(z[n]), brief(plain[n]), number(weight)]),
      note: changed ? "s is the score after the sliders." : "s is the score.",
    });
    programs.stable.draw({
      names,
      sign: "✓",
      said: "The largest term is 1, so the sum is at least 1.",
      sum: brief(results.sums[at]),
      cells: of("weights").map((weight, n) => [brief(Math.fround(z[n] - results.maxima[at])), brief(terms[n]), number(weight)]),
      note: `max = ${brief(results.maxima[at])}`,
    });
    const news = of("factors").filter((factor, n) => n > 0 && factor !== 1).length;
    const times = ["never rescaled", "rescaled once", "rescaled twice"][news] ?? `rescaled ${news} times`;
    programs.online.draw({
      names,
      sign: "✓",
      said: `The old sum was ${times}.`,
      sum: brief(of("totals").at(-1)),
      cells: cells.map((place, n) => {
        const factor = n === 0 ? "–" : brief(results.factors[place]);
        return [brief(results.highest[place]), factor, brief(results.totals[place]), number(results.online[place])];
      }),
      marked: (n) => n > 0 && results.factors[cells[n]] !== 1,
      note: "After each score: the largest so far, what the old sum was multiplied by, the new sum.",
    });
    return `naive: ${said}`;
  }

  function draw(state, results) {
    sliders.temperature.update(stepOf(state.temperature), [-20, 20], String(state.temperature));
    sliders.shift.update(state.shift, [-LIMITS.shift, LIMITS.shift], signed(state.shift));
    axis.update(state.axis);
    precision.update(state.precision);
    if (!results) return;
    const [L, S] = [state.scores.length, state.scores[0].length];
    sliders.L.update(L, limits().L);
    sliders.S.update(S, limits().S);
    const pin = [Math.min(state.pin[0], L - 1), Math.min(state.pin[1], S - 1)];
    const at = state.axis === "keys" ? pin[0] : pin[1];
    const cells = linesOf(state)[at];
    last = { L, S, pin, cells };
    drawTables(state, results, cells);
    const other = state.axis === "keys" ? "key" : "query";
    const spoken = drawLine(
      state,
      results,
      at,
      cells,
      cells.map((_, n) => `${other} ${n}`),
    );
    if (announced !== null && announced !== spoken) say(spoken);
    announced = spoken;
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "SoftmaxLab: from scores to weights",
  compute,
  build,
});
