// The weights of all rows, with the sums of rows and columns: those along softmax's axis are 1, and those of the rows must be.

import { element, letter, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { matrix } from "../kit/matrix.js";

const KEYS = "Arrow keys walk through the cells; the row of the cell is the one that is drawn.";
const CLOSE = 0.0015; // float16 has three digits

/** @typedef {{ L: number, S: number, queries: string[], keys: string[], weights: ArrayLike<number>, axis: "keys" | "queries", pin: [number, number] }} Weights */

/** @param {(i: number, j: number) => void} onPick */
export function weightTable(onPick) {
  let [L, S] = [1, 1];
  const table = matrix((n, how) => {
    if (n === null || how === "hover") return;
    const [i, j] = [Math.min(Math.floor(n / (S + 1)), L - 1), Math.min(n % (S + 1), S - 1)];
    onPick(i, j);
    table.moveTo(i * (S + 1) + j); // the cell nearest to a sum stands for it
  });
  const [along, meaning] = [element("b", { class: "ax" }), element("span")];
  const title = element(
    "p",
    {},
    "weights (",
    ...[..."BHLS"].flatMap((axis, n) => [n ? ", " : "", letter(axis)]),
    "): softmax over ",
    along,
    meaning,
  );
  const node = element("div", { class: "softmax-axis" }, title, table.node);

  /** @param {Weights} drawing */
  function draw({ L: rows, S: columns, queries, keys, weights, axis, pin }) {
    [L, S] = [rows, columns];
    const overKeys = axis === "keys";
    setText(along, overKeys ? "S" : "L");
    along.dataset.axis = overKeys ? "S" : "L";
    setText(meaning, overKeys ? ", dim=-1" : ", dim=-2");
    /** @param {number[]} cells */
    const sumOf = (cells) => cells.reduce((sum, n) => sum + weights[n], 0);
    const rowSums = range(L).map((i) => sumOf(range(S).map((j) => i * S + j)));
    const columnSums = range(S).map((j) => sumOf(range(L).map((i) => i * S + j)));
    const cells = range((L + 1) * (S + 1)).map((n) => {
      const [i, j] = [Math.floor(n / (S + 1)), n % (S + 1)];
      if (i < L && j < S) {
        const isHere = i === pin[0] && j === pin[1] ? " chosen" : "";
        const edge = `${j ? "" : " first"}${j === S - 1 ? " last" : ""}`;
        return {
          weight: weights[i * S + j],
          text: number(weights[i * S + j], 2),
          look: `${i === pin[0] ? `drawn${edge}` : ""}${!overKeys && j === pin[1] ? ` along${i ? "" : " top"}${i === L - 1 ? " bottom" : ""}` : ""}${isHere}`,
        };
      }
      if (i === L && j === S) return { weight: Number.NaN, text: "", look: "sum corner" };
      const sum = i < L ? rowSums[i] : columnSums[j];
      const isOne = Math.abs(sum - 1) < CLOSE;
      if (i === L)
        return {
          weight: Number.NaN,
          text: `${isOne && !overKeys ? "✓ " : ""}${number(sum, isOne ? 0 : 2)}`,
          look: isOne ? "sum one" : "sum",
        };
      return {
        weight: Number.NaN,
        text: `${isOne ? "✓" : "✗"} ${number(sum, isOne ? 0 : 2)}`,
        look: isOne ? "sum right" : "sum wrong",
      };
    });
    table.draw({
      data: cells.map(({ weight }) => weight),
      R: L + 1,
      C: S + 1,
      kind: "weights",
      titles: { rows: [...queries, "sum"], columns: [...keys, "sum"] },
      text: (_, n) => cells[n].text,
      looks: (n) => cells[n].look,
      active: pin[0] * (S + 1) + pin[1],
      label: `weights, with the sums of rows and columns. ${KEYS}`,
    });
  }

  return { node, draw };
}
