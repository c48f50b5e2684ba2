// EinsumLab: write a formula; see which axes are matched, free and summed, the loops that it means, and what it computes.

import { element, letter, setText, slider, unique } from "../kit/dom.js";
import { heatmap } from "../kit/heatmap.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { lettersOf, loopsOf, readFormula, roleOf, shapeOf } from "./formula.js";
import { axesOf, coincidences, compute, indexOf, SIDES, story, traced, work } from "./model.js";

const MEANINGS = {
  ...{ B: "samples", L: "queries", S: "keys", E: "width of a token" },
  ...{ H: "heads", G: "key/value heads", D: "width of a head" },
};
const ORDER = [..."BHGLSDE"];
const EXAMPLES = {
  scores: "bhld,bhsd->bhls",
  "weighted sum": "bhls,bhsd->bhld",
  "two vectors": "d,d->",
  "each with each": "l,s->ls",
  "sums of rows": "bhls->bhl",
  diagonal: "bhll->bhl",
  "heads into W_O": "bhld,hde->ble",
  "b forgotten": "bhld,bhsd->hls",
  "h under two names": "bhls,bgsd->bhld",
};
const LARGEST = { left: 16, right: 16, result: 22 }; // cells
const NAMES = [...SIDES, "result"];
const INVITATION =
  "Point at a number, or tap it: of the result, to see what it is made of; of left or right, to see where it goes.";
const KEYS = "Arrow keys walk through a table, page up and page down, home and end from table to table.";

// Text in which each letter of an axis that stands alone has its colour.
function coloured(text) {
  return text.split(/(?<![\w])([blsehgd])(?![\w])/).map((part, n) => {
    return n % 2 ? element("b", { "data-axis": part.toUpperCase() }, part) : part;
  });
}

// What becomes of an axis, in a word and in a few more.
function verdict(role, tensors, axis) {
  const other = SIDES[tensors.findIndex((axes) => !axes.includes(axis))];
  if (role === "matched") return ["matched", "index by index"];
  if (role === "summed") return ["summed", "products added up"];
  if (role === "alone") return ["summed alone", tensors.length > 1 ? "has no partner" : "added up"];
  return ["free", tensors.length > 1 ? `${other} is reused for each` : "stays"];
}

function build({ limits, get, set, say }) {
  let last = null; // what is drawn: { state, formula, results }
  let draft = null; // while a text that cannot be is typed: the formula that the lab stays at
  let hovered = null;
  let announced = null;
  const painted = []; // what left and right show
  let written = ""; // the formula whose loops stand in the table
  let held = null; // { pin, shape }: what was pinned last, and the shape of its tensor
  const id = unique("einsum");

  const input = element("input", {
    ...{ type: "text", id, class: "formula", spellcheck: "false", autocomplete: "off", autocapitalize: "off" },
    ...{ "aria-describedby": `${id}-why`, oninput: type },
  });
  const why = element("p", { class: "problem", id: `${id}-why`, role: "alert" });
  const given = element("span", {});
  const line = element(
    "div",
    { class: "line" },
    element("label", { for: id }, "Formula"),
    element("code", {}, element("span", { class: "call" }, 'result = torch.einsum("'), input, '"', given, ")"),
  );
  const examples = Object.entries(EXAMPLES).map(([name, formula]) => {
    return { formula, node: element("button", { type: "button", onclick: () => choose(formula) }, name) };
  });
  const sliders = ORDER.map((axis) => ({ axis, ...slider(axis, MEANINGS[axis], (size) => set({ [axis]: size })) }));
  const notes = element("p", { class: "notes" });
  const table = element("table");
  const count = element("p", { class: "about" });
  const told = element("p", { class: "pinned" });
  const maps = NAMES.map((name, side) => {
    const map = heatmap(
      (place, kept, how) => point(side, place, kept, how),
      () => pinned(side),
    );
    const title = element("p", {});
    return { ...map, map: map.node, title, node: element("section", { "aria-label": name, class: name }, title, map.node) };
  });
  const meaning = element(
    "div",
    { class: "meaning" },
    element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "loops" }, table),
    count,
    told,
    element("div", { class: "tensors" }, ...maps.map((one) => one.node)),
  );
  const node = element(
    "div",
    { class: "einsum" },
    line,
    why,
    element("div", { class: "toggles", role: "group", "aria-label": "examples" }, ...examples.map((one) => one.node)),
    element("div", { class: "sliders" }, ...sliders.map((one) => one.node)),
    notes,
    meaning,
  );

  function type() {
    try {
      readFormula(input.value);
      refuse("");
      set({ formula: input.value, pin: pinIn(input.value) });
    } catch (error) {
      refuse(error.message);
    }
  }

  function refuse(reason) {
    draft = reason ? get("formula") : null;
    setText(why, reason);
    input.setAttribute("aria-invalid", String(reason !== ""));
    meaning.classList.toggle("old", reason !== "");
  }

  function choose(formula) {
    refuse("");
    set({ formula, pin: pinIn(formula) });
  }

  // What is pinned stays so in every formula that has its tensor in the same shape, and comes back with it while one types.
  function pinIn(text) {
    const sizes = Object.fromEntries(ORDER.map((axis) => [axis, get(axis)]));
    const shape = (formula, side) => {
      const axes = axesOf(readFormula(formula))[side];
      return axes === null ? null : String(shapeOf(axes, sizes));
    };
    const pin = get("pin");
    if (pin) held = { pin, shape: shape(get("formula"), pin[0]) };
    return held && shape(text, held.pin[0]) === held.shape ? held.pin : null;
  }

  function restart() {
    held = null;
    refuse("");
    input.value = get("formula");
  }

  const placed = (side) => {
    const shape = shapeOf(axesOf(last.formula)[side], last.state);
    return [...Array(4 - shape.length).fill(1), ...shape];
  };

  // Where the pin is in this tensor, or null if it is in another.
  function pinned(side) {
    const trace = traced(last.formula, last.state, get("pin"));
    return trace?.side === side ? indexOf(trace.n, placed(side)) : null;
  }

  // A second click on what is pinned lets it go.
  function point(side, place, kept, how) {
    if (!last) return;
    const [, columns, R, C] = placed(side);
    const pin = place && [side, ((place[0] * columns + place[1]) * R + place[2]) * C + place[3]];
    if (kept) {
      const same = how === "click" && String(pin) === String(get("pin"));
      hovered = null;
      held = null;
      set({ pin: same ? null : pin });
      const trace = same ? null : traced(last.formula, last.state, pin);
      if (trace) say(story(last.formula, last.state, last.results, trace));
    } else if (String(pin) !== String(hovered)) {
      hovered = pin;
      light();
    }
  }

  function light() {
    const { state, formula, results } = last;
    const trace = traced(formula, state, hovered ?? state.pin);
    maps.forEach((map, side) => map.spotlight(trace?.cells[side] ?? null));
    setText(told, trace ? story(formula, state, results, trace) : INVITATION);
    table.querySelectorAll("[data-loop]").forEach((mark) => {
      const at = trace?.fixed[mark.dataset.loop];
      setText(mark, at === undefined ? "" : `  # ${mark.dataset.loop} = ${at}`);
    });
  }

  // The loops, and beside each what its axis is. When a size changes, only its number is touched.
  function drawMeaning(state, formula) {
    const { tensors, result } = formula;
    const key = `${tensors}->${result}`;
    if (key === written) {
      table.querySelectorAll("[data-size]").forEach((mark) => setText(mark, String(state[mark.dataset.size])));
      return;
    }
    written = key;
    const heads = ["the loops that it means", ...SIDES.slice(0, tensors.length), "result", "the axis is"];
    const rows = loopsOf(formula, state).map(({ depth, text, letter: own, summed }) => {
      const [before, after] = own ? text.split(/\d+/) : [text, null];
      const size = own && element("span", { "data-size": own.toUpperCase() }, String(state[own.toUpperCase()]));
      const code = element(
        "code",
        { style: `--hang: ${2 * depth + 2}ch` },
        "  ".repeat(depth),
        ...coloured(before),
        ...(own ? [size, after] : []),
      );
      const tinted = summed ? "in-sum" : "";
      if (!own) return element("tr", { class: tinted }, element("td", { colspan: heads.length }, code));
      const role = roleOf(formula, own);
      const [name, more] = verdict(role, tensors, own);
      code.append(element("i", { "data-loop": own }));
      return element(
        "tr",
        { class: `${role} ${tinted}` },
        element("th", { scope: "row" }, code),
        ...[...tensors, result].map((axes) => element("td", { class: "where" }, axes.includes(own) ? "✓" : "–")),
        element("td", { class: "role" }, element("strong", {}, name), element("small", {}, ` ${more}`)),
      );
    });
    const head = heads.map((title, n) => {
      const where = n > 0 && n < heads.length - 1;
      return element("th", { scope: "col", class: where && "where", "data-short": title === "result" ? "=" : title[0] }, title);
    });
    table.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  }

  // room: what the map was measured to have. The numbers of an operand belong to its axes and sizes: while these stay, it stays.
  function drawMap(state, formula, results, side, room) {
    const axes = axesOf(formula)[side];
    const { node: section, title, draw } = maps[side];
    section.hidden = axes === null;
    if (axes === null) return;
    const key = `${axes} ${shapeOf(axes, state)} ${room}`;
    if (side < 2 && painted[side] === key) return;
    painted[side] = key;
    const [rows, columns, R, C] = placed(side);
    const letters = [...axes.toUpperCase()];
    const [down, across] = [letters.at(-4), letters.at(-3)];
    const titled = (axis, size) => axis && { axis, names: range(size).map((n) => `${axis.toLowerCase()} = ${n}`) };
    const labels = (size, axis) => range(rows).map(() => range(size).map((n) => (axis ? String(n) : "")));
    const shape = shapeOf(axes, state).join(", ");
    const most = draw({
      data: results[NAMES[side]],
      rows,
      columns,
      R,
      C,
      kind: "signed",
      largest: LARGEST[NAMES[side]],
      words: { rows: labels(R, letters.at(-2)), columns: labels(C, letters.at(-1)) },
      titles: { rows: titled(down, rows), columns: titled(across, columns) },
      label: `${NAMES[side]}, ${letters.join(" ") || "one number"} = (${shape}). ${KEYS}`,
    });
    const commas = letters.flatMap((axis, n) => (n ? [", ", letter(axis)] : [letter(axis)]));
    const name = element("strong", {}, NAMES[side]);
    title.replaceChildren(name, " (", ...commas, `) = (${shape}) `, element("small", {}, `−${most} blue, ${most} red`));
  }

  function draw(state, results) {
    const rooms = maps.map((map) => map.measure());
    if (draft !== null && state.formula !== draft) refuse(""); // somebody else chose another one
    if (draft === null && input.value !== state.formula) input.value = state.formula;
    if (!results) return;
    const formula = readFormula(state.formula);
    const letters = lettersOf(formula);
    last = { state, formula, results };
    maps.forEach((_, side) => drawMap(state, formula, results, side, rooms[side]));
    sliders.forEach((one) => {
      one.node.hidden = !letters.includes(one.axis.toLowerCase());
      one.update(state[one.axis], limits()[one.axis]);
    });
    const plain = state.formula.replaceAll(" ", "");
    examples.forEach((one) => one.node.setAttribute("aria-pressed", String(one.formula === plain)));
    setText(given, formula.tensors.map((_, n) => `, ${SIDES[n]}`).join(""));
    drawMeaning(state, formula);
    const sentence = work(formula, state);
    setText(count, sentence);
    setText(notes, coincidences(formula, state).join(" "));
    light();
    const summed = [...letters]
      .filter((one) => !formula.result.includes(one))
      .join(", ")
      .toUpperCase();
    const spoken = `${summed ? `summed: ${summed}` : "nothing is summed"}. ${sentence}`;
    if (announced !== null && announced !== spoken) say(spoken);
    announced = spoken;
  }

  return { node, draw, restart };
}

export const lab = makeLab({
  title: "EinsumLab: what is summed, what is matched and what is free in a product of two tensors",
  compute,
  build,
});
