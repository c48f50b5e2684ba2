// One cell of the result written out: the numbers that are multiplied, their products and the sum.

import { element, setText } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { sumOf } from "./model.js";

/** @param {(summed: number | null) => void} onSummed is called with the number of products to add, null for all */
export function cellPanel(onSummed) {
  const title = element("p", { class: "title" });
  const body = element("tbody");
  const table = element("table", {}, body);
  const total = element("p", { class: "total" });
  const input = element("input", {
    type: "range",
    min: 0,
    step: 1,
    oninput: () => onSummed(input.value === input.max ? null : Number(input.value)),
  });
  const output = element("output", { "aria-hidden": "true" });
  const slider = element("label", { class: "slider" }, element("span", {}, "products summed"), input, output);
  const nodes = [title, element("div", { class: "scroll" }, table), total, slider];

  /** @param {boolean} hidden */
  function hide(hidden) {
    for (const part of [title, table, total, slider]) part.hidden = hidden;
  }

  /**
   * @param {number} N the number of products in a cell
   * @param {number | null} summed how many of them are added so far, null for all
   * @param {{ title: string, pairs: { a: number, left: string, b: number, right: string }[], names: [string, string] } | null} cell
   *   names: those of the two operands; null if no cell is chosen
   */
  function draw(N, summed, cell) {
    const done = summed ?? N;
    input.max = String(N);
    input.value = String(done);
    input.disabled = !cell;
    input.setAttribute("aria-valuetext", `${done} of ${N}`);
    setText(output, String(done));
    if (!cell) {
      setText(title, "Point at a cell of the result, or tap it.");
      setText(total, "");
      body.replaceChildren();
      return;
    }
    const sum = number(sumOf(cell.pairs.slice(0, done)), 0);
    setText(title, cell.title);
    setText(total, summed === null ? `sum: ${sum}` : `sum of ${summed} of ${N} products: ${sum}`);
    body.replaceChildren(...rowsOf(cell.pairs, cell.names, done));
  }

  function rowsOf(pairs, [leftName, rightName], done) {
    const look = (d) => (d >= done ? "later" : d === done - 1 && done < pairs.length ? "now" : "");
    const row = (head, contents) => {
      const cells = pairs.map((pair, d) => element("td", { class: look(d) }, ...contents(pair)));
      return element("tr", {}, element("th", { scope: "row" }, head), ...cells);
    };
    const numberFrom = (value, place) => [element("span", {}, number(value, 0)), element("small", {}, place)];
    return [
      row(leftName, ({ a, left }) => numberFrom(a, left)),
      row(rightName, ({ b, right }) => numberFrom(b, right)),
      row("product", ({ a, b }) => [number(a * b, 0)]),
    ];
  }

  return { nodes, hide, draw };
}
