// The mask as a table below the sentence: queries down, keys across. A hidden cell is hatched; in the others stands the weight.

import { inkOn } from "../kit/colours.js";
import { matrix } from "../kit/matrix.js";
import { reachingMask } from "./between.js";
import { emptyRows, nameOf, selfBlindQueries, weightText } from "./explain.js";
import { batchOf, PADDING, positionOf, validExceptions } from "./rules.js";

const KEYS =
  "Each row is a query, each column a key. Hidden cells show 0 without decimals. Arrow keys walk, space paints a cell: may attend, or may not.";

/**
 * @param {(n: number | null, how: import("../kit/matrix.js").Pointing) => void} onPoint
 * @param {(n: number, how: "start" | "drag" | "key") => void} onPaint
 * @param {(position: number) => void} onQuery a word was clicked: it is the query
 */
export function maskBoard(onPoint, onPaint, onQuery) {
  const table = matrix(onPoint, onPaint);
  let first = 0; // the position of the first query
  table.grid.addEventListener("click", (event) => {
    const header = /** @type {Element} */ (event.target).closest("[role=rowheader], [role=columnheader]");
    if (!header) return;
    const isRow = header.getAttribute("role") === "rowheader";
    const all = [...table.grid.querySelectorAll(isRow ? "[role=rowheader]" : "[role=columnheader]")];
    onQuery(Math.max(first, all.indexOf(header) + (isRow ? first : 0)));
  });

  /**
   * @param {import("./between.js").Drawn} drawn
   * @param {object} look
   * @param {string[]} look.words
   * @param {number[]} look.weights (L, S), at this moment
   * @param {number} look.i the query whose row is drawn
   * @param {number} look.active the cell of the keyboard
   * @param {number | null} look.hovered
   * @param {boolean} look.isMoving then a hidden key may still have weight
   * @param {string[]} look.tints a colour for each key
   * @param {string} look.tint of all weights
   */
  function draw(drawn, { words, weights, i, active, hovered, tints, tint, isMoving }) {
    const { state, results, b, h } = drawn;
    const { B, S } = batchOf(state);
    const { L } = state;
    first = S - L;
    const keep = results.keep.subarray(b * L * S, (b + 1) * L * S);
    const reach = reachingMask(drawn);
    const painted = new Set(
      validExceptions(state, B, S)
        .filter(([sentence]) => sentence === b)
        .map(([, query, key]) => (query - first) * S + key),
    );
    const blind = selfBlindQueries(state, results.keep, b).map((row) => row * S + positionOf(row, state, S));
    const empty = reach ? emptyRows(state, results, b, h) : [];
    /** @param {number} n */
    const isWrong = (n) =>
      (reach !== null && reach[n] !== keep[n]) ||
      blind.includes(n) ||
      (!isMoving && weights[n] !== 0 && empty.includes(Math.floor(n / S)));
    table.draw({
      data: keep,
      R: L,
      C: S,
      kind: "plain",
      titles: { rows: words.slice(first).map(nameOf), columns: words.map(nameOf) },
      text: (may, n) => (reach ? weightText(weights[n], Math.floor(n / S) === i) : may ? "✓" : "·"),
      looks: (n) =>
        [
          keep[n] ? "may" : "no",
          Math.floor(n / S) === i && "drawn",
          n === i * S && "first",
          painted.has(n) && "painted",
          isWrong(n) && "wrong",
          n === hovered && "pointed",
          n === active && "key",
        ]
          .filter(Boolean)
          .join(" "),
      active,
      label: `mask of sentence ${b}, with the weights of head ${h}. ${KEYS}`,
    });
    const cells = table.grid.querySelectorAll("[role=gridcell]");
    for (let n = 0; n < cells.length; n++) {
      const share = reach && Number.isFinite(weights[n]) ? weights[n] : 0;
      const colour = keep[n] || isMoving ? tint : "var(--lab-bad)";
      cells[n].setAttribute("style", `--share:${(100 * share).toFixed(2)}%;--tint:${colour}`);
    }
    headers("[role=columnheader]", (j) => ({
      style: `background-color:${tints[j]};color:${inkOn(tints[j])}`,
      className: [j === first + i && "query", !(reach ?? keep)[i * S + j] && "hidden", words[j] === PADDING && "filling"],
    }));
    headers("[role=rowheader]", (row) => ({ style: "", className: [row === i && "query"] }));
  }

  /**
   * @param {string} selector
   * @param {(n: number) => { style: string, className: (string | false)[] }} look
   */
  function headers(selector, look) {
    table.grid.querySelectorAll(selector).forEach((header, n) => {
      const { style, className } = look(n);
      const names = className.filter(Boolean).join(" ");
      const rule = names.includes("hidden") ? "" : style;
      if (header.getAttribute("style") !== rule) header.setAttribute("style", rule);
      if (header.className !== names) header.className = names;
    });
  }

  return { node: table.node, draw };
}
