// ProductLab: what is summed when q meets kᵀ, and what happens when it meets something else.

import { choice, element, letters, setText, slider, unique } from "../kit/dom.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { magnitude } from "../kit/scale.js";
import { board } from "./board.js";
import { cellPanel } from "./cell.js";
import { compute, PRODUCTS, pairsOf, sumOf } from "./model.js";
import { coincidences, describeCell, describeOneHead, verdict } from "./words.js";

const SLIDERS = { L: "queries", S: "keys", D: "numbers of each", B: "samples", H: "heads" };
const RIGHT_NAMES = {
  "q @ k.transpose(-2, -1)": "kᵀ",
  "q @ k": "k",
  "q @ k.T": "k.T",
  "q @ k.reshape(B, H, D, S)": "reshaped k",
  "k @ q.transpose(-2, -1)": "qᵀ",
};
const HINT =
  "Shown: sample 0, head 0; B and H change the picture of k.T alone. Orange: above 0, blue: below. Framed: the row and the column " +
  "of the cell that is written out. Arrow keys walk through the result.";

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say, announce }) {
  /** @type {import("./model.js").Settings & { pin: [number, number] | null, summed: number | null }} */
  let settings; // what is drawn, from the first draw with results on
  /** @type {{ left: Float32Array, right: Float32Array, right_at: Float32Array, result: Float32Array | null, message: string, alone: string,
   *   means: string, shapes: number[][] }} */
  let results;
  /** @type {[number, number] | null} */
  let hovered = null;

  /** @type {[string, Node][]} */
  const products = Object.keys(PRODUCTS).map((code) => [code, element("code", {}, code)]);
  const product = choice(unique("product"), "Product", products, chooseProduct);
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => set({ [axis]: size })),
  }));
  const reseed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "other numbers");
  const shapesLine = element("p", { class: "shapes" });
  const verdictLine = element("p", { class: "verdict" });
  const picture = board(point);
  const notes = element("p", { class: "notes" });
  const panel = cellPanel((summed) => set({ summed }));
  const error = element("p", { class: "refusal" });
  const oneHead = element("p", { class: "alone" });
  const node = element(
    "div",
    { class: "product" },
    product.node,
    element("div", { class: "sliders" }, ...sliders.map((one) => one.node)),
    element("div", { class: "toggles" }, reseed),
    shapesLine,
    verdictLine,
    picture.node,
    notes,
    element("p", { class: "hint" }, HINT),
    element("div", { class: "pinned" }, ...panel.nodes, error, oneHead),
  );

  /** If rows and columns exchange queries and keys, the pinned cell goes from [i, j] to [j, i], with its query and its key. */
  function chooseProduct(product) {
    const isTurnedOver = PRODUCTS[product].turned !== PRODUCTS[get("product")].turned;
    const pin = get("pin");
    hovered = null;
    set(isTurnedOver && pin ? { product, pin: [...pin].reverse() } : { product });
  }

  /** The cell to highlight: the hovered one, else the pinned one, moved inside the result. @returns {[number, number] | null} */
  function highlighted() {
    const cell = hovered ?? get("pin");
    if (!results.result || !cell) return null;
    const [left, right] = results.shapes;
    return [Math.min(cell[0], left[2] - 1), Math.min(cell[1], right[3] - 1)];
  }

  /** A row of the left factor, a column of the right one, or a cell of the result. A click pins it, and a second click unpins it. */
  function point(part, n, how) {
    const [left, right] = results.shapes;
    const [N, C] = [left[3], right[3]];
    const [row, column] = highlighted() ?? [0, 0];
    const places = {
      left: (n) => [Math.floor(n / N), column],
      right: (n) => [row, n % C],
      result: (n) => [Math.floor(n / C), n % C],
    };
    const cell = n === null ? null : places[part](n);
    if (how === "hover") {
      if (part !== "result" || String(cell) === String(hovered)) return;
      hovered = cell;
      drawCell();
      return;
    }
    hovered = null;
    const unpin = how === "click" && part === "result" && String(cell) === String(get("pin"));
    set({ pin: unpin ? null : cell });
    if (cell && !unpin && results.result) say(sentenceOf(cell));
  }

  function sentenceOf(cell) {
    const pairs = pairsOf(settings, results, cell);
    const products = pairs.map(({ a, b }) => `${a} times ${b}`).join(", ");
    return `${describeCell(settings, pairs, cell)}: ${products}; the sum is ${sumOf(pairs)}`;
  }

  /** The picture with the highlighted cell, and the cell written out. */
  function drawCell() {
    const { product: code } = settings;
    const { result, shapes, message, means, alone } = results;
    const [[, , R, N], [, , M, C]] = shapes;
    const { turned, axes } = PRODUCTS[code];
    const cell = highlighted();
    const summed = cell && settings.summed !== null && settings.summed < N ? settings.summed : null;
    const pairs = cell ? pairsOf(settings, results, cell) : [];
    const [name, rowAxis] = turned === "k" ? ["q", "L"] : ["k", "S"];
    const columnName = code.includes("reshape") ? "" : ({ S: "k", L: "q" }[axes[3]] ?? "");
    const data = result && Float32Array.from(result);
    if (data && cell && summed !== null) data[cell[0] * C + cell[1]] = sumOf(pairs.slice(0, summed));
    picture.draw({
      left: { data: results.left, R, C: N, axes: [rowAxis, "D"], text: name },
      right: { data: results.right, R: M, C, axes: [axes[2], axes[3]], text: RIGHT_NAMES[code] },
      result: {
        data,
        most: result ? magnitude(result) : undefined, // not of `data`, so that the colours of other cells stay
        axes: [rowAxis, axes[3]],
        text: means === "scores" ? "scores" : "result",
      },
      rows: range(R).map((i) => `${name}${i}`),
      columns: range(C).map((j) => `${columnName}${j}`),
      cell,
      summed,
      width: (node.clientWidth || 346) - 4,
    });
    panel.hide(!result);
    for (const part of [error, oneHead]) part.hidden = !message;
    panel.draw(N, summed, cell && { title: describeCell(settings, pairs, cell), pairs, names: [name, turned] });
    setText(error, message ? `RuntimeError: ${message}` : "");
    setText(oneHead, message ? describeOneHead(code, alone) : "");
  }

  function drawShapes() {
    const [left, right, out] = results.shapes;
    const { turned, axes } = PRODUCTS[settings.product];
    const rowAxis = turned === "k" ? "L" : "S";
    const shapeOf = (text, shape, axes) =>
      element("span", {}, element("b", {}, text), " ", letters([...axes].join(" ")), ` = (${shape.join(", ")})`);
    const sign = (text) => element("span", { class: "sign" }, text);
    const isBroadcast = out && String(out.slice(0, 2)) !== String(left.slice(0, 2)); // then the letters do not fit
    shapesLine.replaceChildren(
      shapeOf(turned === "k" ? "q" : "k", left, `BH${rowAxis}D`),
      sign("@"),
      shapeOf(RIGHT_NAMES[settings.product], right, axes),
      sign("→"),
      !out
        ? element("span", { class: "none" }, "nothing")
        : isBroadcast
          ? element("span", {}, `(${out.join(", ")})`)
          : shapeOf("", out, `BH${rowAxis}${axes[3]}`),
    );
  }

  function draw(newSettings, newResults) {
    product.update(newSettings.product);
    for (const one of sliders) one.update(newSettings[one.axis], limits()[one.axis]);
    if (!newResults) return;
    settings = newSettings;
    results = newResults;
    notes.replaceChildren(...coincidences(settings).map((note) => element("span", {}, note, " ")));
    drawShapes();
    const { kind, text } = verdict(settings, results);
    setText(verdictLine, text);
    node.dataset.kind = kind;
    drawCell();
    announce(results.message ? `${text} ${results.message}` : text);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "ProductLab: what is summed when q meets k transposed",
  compute,
  build,
});
