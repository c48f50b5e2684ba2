// Three programs compute the weights of one row or column, in the precision that the reader chooses.

import { element } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { program, REACH } from "./program.js";
import { brief, onlineVerdict, stableVerdict, verdict } from "./words.js";

/**
 * @param {HTMLElement[]} controls
 */
export function overflowPicture(controls) {
  const naive = program("naive", "exp(s) / sum", ["s", "exp(s)", "weight"]);
  const stable = program("stable", "exp(s − max) / sum", ["s − max", "exp", "weight"]);
  const online = program("online", "reads once", ["max", "old ×", "sum", "weight"]);
  const node = element(
    "div",
    { class: "softmax-overflow" },
    element("div", { class: "toggles" }, ...controls),
    element("div", { class: "softmax-programs" }, naive.node, stable.node, online.node),
  );

  /**
   * Draw line number `at`, whose cells these are. Returns the sentence about it.
   *
   * @param {object} line
   * @param {number} line.at
   * @param {number[]} line.cells
   * @param {string[]} line.names
   * @param {string} line.title
   * @param {boolean} line.isChanged by the sliders
   * @param {string} line.precision
   * @param {Record<string, any>} results
   */
  function draw({ at, cells, names, title, isChanged, precision }, results) {
    const reach = REACH[precision] ?? REACH.float16;
    /** @param {string} name */
    const ofLine = (name) => cells.map((cell) => /** @type {number} */ (results[name][cell]));
    const [scaled, weights] = [ofLine("scaled"), ofLine("weights")];
    const [naiveTerms, naiveWeights] = [ofLine("naive_terms"), ofLine("naive")];
    const naiveVerdict = verdict(naiveTerms, results.naive_sums[at], naiveWeights, weights);
    naive.draw({
      names,
      cells: names.map((_, n) => [brief(scaled[n]), brief(naiveTerms[n], 3), number(naiveWeights[n])]),
      sum: brief(results.naive_sums[at]),
      verdict: naiveVerdict,
      note: isChanged ? "s is the score after the sliders." : "s is the score.",
      ...{ terms: naiveTerms, reach },
    });

    const terms = ofLine("terms");
    const maximum = results.maxima[at];
    const ofStable = stableVerdict(maximum);
    stable.draw({
      names,
      cells: names.map((_, n) => [brief(Math.fround(scaled[n] - maximum)), brief(terms[n], 3), number(weights[n])]),
      sum: brief(results.sums[at]),
      verdict: ofStable,
      note: `max = ${brief(maximum)}`,
      ...{ terms, reach },
    });

    const [highest, factors, totals, onlineWeights] = ["highest", "factors", "totals", "online"].map(ofLine);
    const ofOnline = onlineVerdict(factors, totals);
    online.draw({
      names,
      cells: range(names.length).map((n) => {
        const factor = n === 0 ? "–" : brief(factors[n], 3);
        return [brief(highest[n]), factor, brief(totals[n]), number(onlineWeights[n])];
      }),
      sum: brief(totals[names.length - 1]),
      verdict: ofOnline,
      note: "After each score: the largest so far, what the old sum was multiplied by, the new sum.",
      ...{ terms: totals, reach: REACH[precision === "float16" ? "float16" : "float32"] },
      isMarked: (n) => n > 0 && factors[n] !== 1,
    });
    /** @type {[string, [string, string]][]} */
    const all = [
      ["naive", naiveVerdict],
      ["stable", ofStable],
      ["online", ofOnline],
    ];
    const failing = all
      .filter(([, [sign]]) => sign !== "✓")
      .map(([name, [, says]]) => `${name}: ${says[0].toLowerCase()}${says.slice(1)}`);
    if (failing.length) return `In ${title}, ${failing.join(" ")}`;
    return `In ${title}, all three programs give the same weights. Move “add to all scores” until one of them does not.`;
  }

  return { node, draw };
}
