// SoftmaxLab: drag a score and see every weight of its row change; three programs compute them, and one of them breaks.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";
import { bars } from "./bars.js";
import { compute, LIMITS, linesOf, resized } from "./model.js";
import { program } from "./program.js";
import { brief, verdict } from "./words.js";

const KEYS = "Arrow keys walk through the cells; the row or column of the cell is shown below.";

/** @param {number} n */
const signed = (n) => (n > 0 ? `+${n}` : number(n, 0));

// The slider of the temperature has 40 steps of equal factors: from 0.1 to 10, with 1 in the middle.
const temperatureAt = (step) => Number((10 ** (step / 20)).toPrecision(2));
const stepOf = (temperature) => Math.round(20 * Math.log10(temperature));

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, announce }) {
  /** @type {{ L: number, S: number, pin: [number, number], cells: number[] }} */
  let drawn; // cells: those of the line that is shown below the tables
  const name = unique("softmax");
  const sliders = {
    L: slider("L", "queries", (size) => set({ scores: resized(get("scores"), size, get("scores")[0].length) })),
    S: slider("S", "keys", (size) => set({ scores: resized(get("scores"), get("scores").length, size) })),
    temperature: slider(null, "temperature", (step) => set({ temperature: temperatureAt(step) })),
    shift: slider(null, "add to all scores", (shift) => set({ shift })),
  };
  const axis = choice(
    `${name}-axis`,
    "Softmax of",
    [
      ["keys", "each row (over the keys)"],
      ["queries", "each column (over the queries)"],
    ],
    (value) => set({ axis: value }),
  );
  const precision = choice(
    `${name}-precision`,
    "Precision",
    [
      ["float32", "float32"],
      ["float16", "float16"],
    ],
    (value) => set({ precision: value }),
  );
  const scores = matrix((n, how) => how !== "hover" && pin(n, drawn.S));
  const weights = matrix((n, how) => how !== "hover" && pin(n, drawn.S + 1));
  const scoresTitle = element("strong");
  const panel = (title, legend, table) =>
    element("div", {}, element("p", {}, title, " ", element("small", {}, legend)), table.node);
  const line = bars((n, score) => {
    const cell = [Math.floor(drawn.cells[n] / drawn.S), drawn.cells[n] % drawn.S];
    const changed = get("scores").map((row, i) => row.map((old, j) => (i === cell[0] && j === cell[1] ? score : old)));
    set({ scores: changed, pin: cell });
  });
  const naive = program("naive", "exp(s) / sum", ["s", "exp(s)", "weight"]);
  const stable = program("stable", "exp(s − max) / sum", ["s − max", "exp", "weight"]);
  const online = program("online", "max and sum in one reading", ["max", "old ×", "sum", "weight"]);
  const node = element(
    "div",
    { class: "softmax" },
    element("div", { class: "sliders" }, ...Object.values(sliders).map((one) => one.node)),
    axis.node,
    precision.node,
    element(
      "div",
      { class: "softmax-tables" },
      panel(scoresTitle, "blue is negative, orange positive", scores),
      panel(element("strong", {}, "weights"), "0 is dark, 1 bright; bold: the sums along softmax's axis", weights),
    ),
    line.node,
    element("div", { class: "softmax-programs" }, naive.node, stable.node, online.node),
  );

  /** Pin cell n of a table, and let the keyboard continue there in both tables. The cell nearest to a sum is pinned for it. */
  function pin(n, columns) {
    if (n === null) return;
    const [i, j] = [Math.min(Math.floor(n / columns), drawn.L - 1), Math.min(n % columns, drawn.S - 1)];
    set({ pin: [i, j] });
    scores.moveTo(i * drawn.S + j);
    weights.moveTo(i * (drawn.S + 1) + j);
  }

  function drawTables({ shift, temperature, axis }, { scaled, weights: shares, row_sums, column_sums }) {
    const { L, S, pin, cells } = drawn;
    const pinned = pin[0] * S + pin[1];
    const rows = range(L).map((i) => `query ${i}`);
    const columns = range(S).map((j) => `key ${j}`);
    const look = (at) => (at === pinned ? "here" : cells.includes(at) ? "lit" : "");
    const changes = [shift !== 0 && signed(shift), temperature !== 1 && `÷ ${temperature}`].filter(Boolean);
    setText(scoresTitle, changes.length ? `scores ${changes.join(", ")}` : "scores");
    scores.draw({
      data: scaled,
      R: L,
      C: S,
      most: LIMITS.score,
      digits: 1,
      titles: { rows, columns },
      looks: look,
      active: pinned,
      label: `scores: ${L} queries by ${S} keys. ${KEYS}`,
    });
    // The weights, with a column and a row of sums. A sum is not a weight, so it has no colour.
    const cellsWithSums = range((L + 1) * (S + 1)).map((n) => {
      const [i, j] = [Math.floor(n / (S + 1)), n % (S + 1)];
      if (i < L && j < S) return { weight: shares[i * S + j], text: number(shares[i * S + j]), look: look(i * S + j) };
      const sum = i < L ? row_sums[i] : j < S ? column_sums[j] : null;
      const isAlongAxis = axis === "keys" ? i < L : j < S;
      return { weight: NaN, text: sum === null ? "" : number(sum), look: isAlongAxis ? "sum one" : "sum " };
    });
    weights.draw({
      data: cellsWithSums.map(({ weight }) => weight),
      R: L + 1,
      C: S + 1,
      kind: "weights",
      titles: { rows: [...rows, "sum"], columns: [...columns, "sum"] },
      text: (_, n) => cellsWithSums[n].text,
      looks: (n) => cellsWithSums[n].look,
      active: pin[0] * (S + 1) + pin[1],
      label: `weights, with the sums of rows and columns. ${KEYS}`,
    });
  }

  /** The bars of the line that is shown, number `at`, and how each program computes its weights. */
  function drawLine(settings, results, at) {
    const { S, pin, cells } = drawn;
    const ofLine = (name) => cells.map((cell) => results[name][cell]);
    const overKeys = settings.axis === "keys";
    const names = cells.map((_, n) => `${overKeys ? "key" : "query"} ${n}`);
    const isChanged = settings.shift !== 0 || settings.temperature !== 1;
    const [scaled, weights] = [ofLine("scaled"), ofLine("weights")];
    line.draw({
      title: `${overKeys ? "query" : "key"} ${at}${isChanged ? ", before the sliders" : ""}`,
      names,
      scores: cells.map((cell) => settings.scores.flat()[cell]),
      weights,
      active: cells.indexOf(pin[0] * S + pin[1]),
    });

    const [naiveTerms, naiveWeights] = [ofLine("naive_terms"), ofLine("naive")];
    const naiveVerdict = verdict(naiveTerms, results.naive_sums[at], naiveWeights, weights);
    naive.draw({
      names,
      cells: names.map((_, n) => [brief(scaled[n]), brief(naiveTerms[n]), number(naiveWeights[n])]),
      sum: brief(results.naive_sums[at]),
      verdict: naiveVerdict,
      note: isChanged ? "s is the score after the sliders." : "s is the score.",
    });

    const terms = ofLine("terms");
    const maximum = results.maxima[at];
    stable.draw({
      names,
      cells: names.map((_, n) => [brief(Math.fround(scaled[n] - maximum)), brief(terms[n]), number(weights[n])]),
      sum: brief(results.sums[at]),
      verdict: ["✓", "The largest term is 1, so the sum is at least 1."],
      note: `max = ${brief(maximum)}`,
    });

    const [highest, factors, totals, onlineWeights] = ["highest", "factors", "totals", "online"].map(ofLine);
    const isRescaled = (n) => n > 0 && factors[n] !== 1;
    const rescalings = range(names.length).filter(isRescaled).length;
    const times = ["never rescaled", "rescaled once", "rescaled twice"][rescalings] ?? `rescaled ${rescalings} times`;
    online.draw({
      names,
      cells: names.map((_, n) => {
        const factor = n === 0 ? "–" : brief(factors[n]);
        return [brief(highest[n]), factor, brief(totals[n]), number(onlineWeights[n])];
      }),
      sum: brief(totals[names.length - 1]),
      verdict: ["✓", `The old sum was ${times}.`],
      note: "After each score: the largest so far, what the old sum was multiplied by, the new sum.",
      isMarked: isRescaled,
    });
    announce(`naive: ${naiveVerdict[1]}`);
  }

  function draw(settings, results) {
    sliders.temperature.update(stepOf(settings.temperature), [-20, 20], String(settings.temperature));
    sliders.shift.update(settings.shift, [-LIMITS.shift, LIMITS.shift], signed(settings.shift));
    axis.update(settings.axis);
    precision.update(settings.precision);
    if (!results) return;
    const [L, S] = [settings.scores.length, settings.scores[0].length];
    sliders.L.update(L, limits().L);
    sliders.S.update(S, limits().S);
    const [i, j] = [Math.min(settings.pin[0], L - 1), Math.min(settings.pin[1], S - 1)];
    const at = settings.axis === "keys" ? i : j;
    drawn = { L, S, pin: [i, j], cells: linesOf(settings)[at] };
    drawTables(settings, results);
    drawLine(settings, results, at);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "SoftmaxLab: from scores to weights",
  compute,
  build,
});
