// ProductLab: what is summed when q meets kᵀ, and what happens when it meets something else.

import { choice, element, letters, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { magnitude } from "../kit/scale.js";
import { board } from "./board.js";
import { coincidences, compute, PRODUCTS, terms, verdict } from "./model.js";

const SLIDERS = { L: "queries", S: "keys", D: "numbers of each", B: "samples", H: "heads" };
const SHORT = {
  "q @ k.transpose(-2, -1)": "kᵀ",
  "q @ k": "k",
  "q @ k.T": "k.T",
  "q @ k.reshape(B, H, D, S)": "reshaped k",
  "k @ q.transpose(-2, -1)": "qᵀ",
};
const KEYS =
  "Shown: sample 0, head 0; B and H change the picture of k.T alone. Red: above 0, blue: below. Framed: the row and the column " +
  "of the cell that is written out. Arrow keys walk through the result.";

function build({ limits, get, set, say }) {
  let last = null; // what was drawn: { state, results }
  let hovered = null;
  let announced = null;

  const product = choice(
    unique("product"),
    "Product",
    Object.keys(PRODUCTS).map((code) => [code, element("code", {}, code)]),
    choose,
  );
  const sliders = Object.entries(SLIDERS).map(([axis, meaning]) => ({
    axis,
    ...slider(axis, meaning, (size) => set({ [axis]: size })),
  }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "other numbers");
  const notes = element("p", { class: "notes" });
  const shapes = element("p", { class: "shapes" });
  const told = element("p", { class: "verdict" });
  const picture = board(point);
  const input = element("input", {
    type: "range",
    min: 0,
    step: 1,
    oninput: () => {
      set({ summed: Number(input.value) === Number(input.max) ? null : Number(input.value) });
    },
  });
  const shown = element("output", { "aria-hidden": "true" });
  const summing = element("label", { class: "slider" }, element("span", {}, "products summed"), input, shown);
  const title = element("p", { class: "title" });
  const body = element("tbody");
  const table = element("table", {}, body);
  const total = element("p", { class: "total" });
  const refusal = element("p", { class: "refusal" });
  const alone = element("p", { class: "alone" });
  const panel = element(
    "div",
    { class: "pinned" },
    title,
    element("div", { class: "scroll" }, table),
    total,
    summing,
    refusal,
    alone,
  );
  const node = element(
    "div",
    { class: "product" },
    product.node,
    element("div", { class: "sliders" }, ...sliders.map((one) => one.node)),
    element("div", { class: "toggles" }, seed),
    shapes,
    told,
    picture.node,
    notes,
    element("p", { class: "hint" }, KEYS),
    panel,
  );

  // Where the rows are keys now and were queries, the pinned cell goes with its query and its key: from [i, j] to [j, i].
  function choose(product) {
    const over = PRODUCTS[product].turned !== PRODUCTS[get("product")].turned;
    const pin = get("pin");
    hovered = null;
    set(over && pin ? { product, pin: [...pin].reverse() } : { product });
  }

  // The cell that is lit: the one pointed at, else the pinned one, or the last that the result has in its direction.
  function lit() {
    const {
      results: {
        result,
        shapes: [left, right],
      },
    } = last;
    const at = hovered ?? get("pin");
    return result && at && [Math.min(at[0], left[2] - 1), Math.min(at[1], right[3] - 1)];
  }

  // A row of the left factor, a column of the right one, or a cell of the result. What is clicked stays; clicked again it goes.
  function point(which, n, how) {
    const C = last.results.shapes[1][3];
    const [row, column] = lit() ?? [0, 0];
    const N = last.results.shapes[0][3];
    const at =
      n === null
        ? null
        : which === "left"
          ? [Math.floor(n / N), column]
          : which === "right"
            ? [row, n % C]
            : [Math.floor(n / C), n % C];
    if (how === "hover") {
      if (which !== "result" || String(at) === String(hovered)) return;
      hovered = at;
      light();
      return;
    }
    hovered = null;
    const again = how === "click" && which === "result" && String(at) === String(get("pin"));
    set({ pin: again ? null : at });
    if (at && !again && last.results.result) say(spoken(at));
  }

  function spoken(at) {
    const made = terms(last.state, last.results, at);
    return `${made.title}: ${made.terms.map(({ a, b }) => `${a} times ${b}`).join(", ")}; the sum is ${made.sum}`;
  }

  // The cell that is lit, in the picture and written out.
  function light() {
    const { state, results } = last;
    const { product: code } = state;
    const [leftShape, rightShape] = results.shapes;
    const [R, N, M, C] = [leftShape[2], leftShape[3], rightShape[2], rightShape[3]];
    const { turned, axes } = PRODUCTS[code];
    const at = lit();
    const summed = at && state.summed !== null && state.summed < N ? state.summed : null;
    const made = at && terms(state, results, at, summed ?? N);
    const [name, rowAxis] = turned === "k" ? ["q", "L"] : ["k", "S"];
    const byKey = { S: "k", L: "q" }[axes[3]] ?? "";
    const data = results.result && Float32Array.from(results.result);
    const most = data && magnitude(data);
    if (summed !== null) data[at[0] * C + at[1]] = made.sum;
    picture.draw({
      left: { data: results.left, R, C: N, axes: [rowAxis, "D"], text: name },
      right: { data: results.right, R: M, C, axes: [axes[2], axes[3]], text: SHORT[code] },
      result: { data, most, axes: [rowAxis, axes[3]], text: results.means === "scores" ? "scores" : "result" },
      rows: range(R).map((i) => `${name}${i}`),
      columns: range(C).map((j) => `${code.includes("reshape") ? "" : byKey}${j}`),
      at,
      summed,
      width: (node.clientWidth || 346) - 4,
    });
    for (const part of [title, table, total, summing]) part.hidden = !results.result;
    for (const part of [refusal, alone]) part.hidden = !results.message;
    input.max = N;
    input.value = summed ?? N;
    input.disabled = !at;
    input.setAttribute("aria-valuetext", `${summed ?? N} of ${N}`);
    setText(shown, `${summed ?? N}`);
    if (results.message) {
      setText(refusal, `RuntimeError: ${results.message}`);
      setText(alone, aloneSays(code, results.alone));
    } else if (!at) {
      setText(title, "Point at a cell of the result, or tap it.");
      setText(total, "");
      body.replaceChildren();
    } else {
      setText(title, made.title);
      setText(total, summed === null ? `sum: ${number(made.sum, 0)}` : `sum of ${summed} of ${N} products: ${number(made.sum, 0)}`);
      body.replaceChildren(...tableRows(made, summed ?? N, name));
    }
  }

  function tableRows({ terms: pairs, of }, done, name) {
    const look = (d) => (d >= done ? "later" : d === done - 1 && done < pairs.length ? "now" : "");
    const row = (head, cell) => {
      const cells = pairs.map((pair, d) => element("td", { class: look(d) }, ...cell(pair)));
      return element("tr", {}, element("th", { scope: "row" }, head), ...cells);
    };
    const from = (value, place) => [element("span", {}, number(value, 0)), element("small", {}, place)];
    return [
      row(name, ({ a, left }) => from(a, left)),
      row(of, ({ b, right }) => from(b, right)),
      row("product", ({ a, b }) => [number(a * b, 0)]),
    ];
  }

  function drawShapes(state, { shapes: [left, right, out] }) {
    const { turned, axes } = PRODUCTS[state.product];
    const part = (text, shape, names) =>
      element("span", {}, element("b", {}, text), " ", letters([...names].join(" ")), ` = (${shape.join(", ")})`);
    const rowAxis = turned === "k" ? "L" : "S";
    const sign = (text) => element("span", { class: "sign" }, text);
    const broadcast = out && String(out.slice(0, 2)) !== String(left.slice(0, 2));
    const made = !out
      ? [element("span", { class: "none" }, "nothing")]
      : [broadcast ? element("span", {}, `(${out.join(", ")})`) : part("", out, `BH${rowAxis}${axes[3]}`)];
    shapes.replaceChildren(
      part(turned === "k" ? "q" : "k", left, `BH${rowAxis}D`),
      sign("@"),
      part(SHORT[state.product], right, axes),
      sign("→"),
      ...made,
    );
  }

  function draw(state, results) {
    product.update(state.product);
    sliders.forEach((one) => one.update(state[one.axis], limits()[one.axis]));
    if (!results) return;
    last = { state, results };
    const found = coincidences(state).map((note) => element("span", {}, note, " "));
    notes.replaceChildren(...found);
    drawShapes(state, results);
    const { kind, text } = verdict(state, results);
    setText(told, text);
    node.dataset.kind = kind;
    light();
    const said = results.message ? `${text} ${results.message}` : text;
    if (announced !== null && announced !== said) say(said);
    announced = said;
  }

  return { node, draw };
}

// What torch says of one head alone.
function aloneSays(code, message) {
  const one = code.replace(/\b([qk])(?=\b)/g, "$1[0, 0]");
  return message ? `One head alone, ${one}: ${message}` : `One head alone, ${one}, fits: two axes reversed are two axes exchanged.`;
}

export const lab = makeLab({
  title: "ProductLab: what is summed when q meets k transposed",
  compute,
  build,
});
