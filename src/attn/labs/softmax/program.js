// The table of one program: a row for each score, the sum below, and a verdict.

import { element, setText } from "../kit/dom.js";
import { clamp } from "../kit/math.js";

/** The smallest and the largest number that a precision has above 0, as powers of ten. */
export const REACH = /** @type {Record<string, [least: number, most: number]>} */ ({
  float32: [-45, 38.53],
  float16: [-7.2, 4.82],
});

/**
 * Where a number is between 0 and ∞, from 0 to 1: by its power of ten. What is too small or too large for the precision is at an end.
 *
 * @param {number} value
 * @param {[least: number, most: number]} reach
 */
export const placeOf = (value, [least, most]) => clamp((Math.log10(value) - least) / (most - least), 0, 1);

/**
 * @param {string} name
 * @param {string} formula
 * @param {string[]} columns the last is the weight, and the sum is below the one before it
 */
export function program(name, formula, columns) {
  const [sign, sentence, note] = [element("b"), element("span"), element("small")];
  const verdict = element("p", { class: "verdict" }, sign, " ", sentence);
  const caption = element("caption", {}, element("strong", {}, name), " ", element("code", {}, formula));
  const heads = [element("td"), ...columns.map((text) => element("th", { scope: "col" }, text))];
  const body = element("tbody");
  const sum = element("td");
  const sumCells = columns.map((_, n) => (n === columns.length - 2 ? sum : element("td")));
  const sumRow = element("tr", {}, element("th", { scope: "row" }, "sum"), ...sumCells);
  const headRow = element("tr", {}, ...heads);
  const table = element("table", {}, caption, element("thead", {}, headRow), body, element("tfoot", {}, sumRow));
  const dots = element("div", { class: "dots" });
  const ends = element(
    "div",
    { class: "ends" },
    element("span", {}, "0"),
    element("span", { class: "one" }, "1"),
    element("span", {}, "∞"),
  );
  const reached = element("div", { class: "reach", "aria-hidden": "true" }, dots, ends);
  const node = element("section", { "aria-label": name }, table, reached, verdict, note);
  /** @type {ReturnType<typeof makeRow>[]} */
  let rows = [];

  function makeRow() {
    const head = element("th", { scope: "row" });
    const cells = columns.map(() => element("td"));
    return { head, cells, node: element("tr", {}, head, ...cells) };
  }

  const isLost = (text) => /NaN|^∞/.test(text);

  /**
   * @param {object} drawing
   * @param {string[]} drawing.names of the rows
   * @param {string[][]} drawing.cells a text for each row and column
   * @param {string} drawing.sum
   * @param {[sign: string, sentence: string]} drawing.verdict
   * @param {string} drawing.note
   * @param {number[]} drawing.terms that the precision must hold
   * @param {[least: number, most: number]} drawing.reach of the precision
   * @param {(row: number) => boolean} [drawing.isMarked]
   */
  function draw({ names, cells, sum: total, verdict: [mark, text], note: about, terms, reach, isMarked = () => false }) {
    const one = /** @type {HTMLElement} */ (ends.children[1]);
    one.style.left = `${100 * placeOf(1, reach)}%`;
    while (dots.children.length > terms.length) dots.lastChild?.remove();
    while (dots.children.length < terms.length) dots.append(element("i"));
    terms.forEach((term, n) => {
      const dot = /** @type {HTMLElement} */ (dots.children[n]);
      dot.style.left = `${100 * placeOf(term, reach)}%`;
      dot.classList.toggle("lost", !(term > 0 && term < Number.POSITIVE_INFINITY));
    });
    if (rows.length !== names.length) {
      rows = names.map(makeRow);
      body.replaceChildren(...rows.map((row) => row.node));
    }
    rows.forEach((row, n) => {
      setText(row.head, names[n]);
      row.node.classList.toggle("marked", isMarked(n));
      row.cells.forEach((cell, column) => {
        setText(cell, cells[n][column]);
        cell.classList.toggle("lost", isLost(cells[n][column]));
      });
    });
    setText(sum, total);
    sum.classList.toggle("lost", isLost(total) || total === "0");
    setText(sign, mark);
    setText(sentence, text);
    setText(note, about);
    node.dataset.sign = mark;
  }

  return { node, draw };
}
