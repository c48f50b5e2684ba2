// MixLab: drag a query or set the weights by hand, and see the output move inside the hull of the values.

import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { outputs, pickText, pointText, remark } from "./explain.js";
import { roundToTenth } from "./geometry.js";
import { compute, REACH, TEMPERATURES } from "./model.js";
import { queriesAndKeys, valuesAndOutputs } from "./pictures.js";
import { plane } from "./plane.js";
import { weightTable } from "./weights.js";

// The hand weights of river, money and bank: in the first row for one head, in the other two for two.
const EXAMPLES = {
  "river and money": [
    [5, 5],
    [1, 0],
    [0, 1],
  ],
  "bank alone": [
    [0, 0, 1],
    [0, 0, 1],
    [0, 0, 1],
  ],
};

// The slider of the temperature has ten steps for each factor of ten.
const temperatureOf = (step) => Number((10 ** (step / 10)).toPrecision(2));
const stepOf = (temperature) => Math.round(10 * Math.log10(temperature));

/** @param {import("../kit/host.js").Tools} tools */
function build({ get, set, announce }) {
  const id = unique("mix");

  // What is moved, `pick`, is numbered: 0 and 1 are queries, n + 2 is value n.
  const pointOf = (pick) => (pick < 2 ? get("queries")[pick] : get("values")[pick - 2]);
  const picked = () => validPick(get("pick"), { by: get("by"), heads: get("heads"), values: get("values") });
  function movePoint(pick, point) {
    const [name, index] = pick < 2 ? ["queries", pick] : ["values", pick - 2];
    set({ [name]: get(name).map((old, n) => (n === index ? point : old)), pick });
  }
  function setCoordinate(d, tenths) {
    const point = pointOf(picked());
    movePoint(
      picked(),
      point.map((old, n) => (n === d ? roundToTenth(tenths / 10) : old)),
    );
  }

  const temperature = slider(null, "temperature", (step) => set({ temperature: temperatureOf(step) }));
  const coordinates = ["across", "up"].map((name, d) => slider(null, name, (tenths) => setCoordinate(d, tenths)));
  const by = choice(
    `${id}-by`,
    "Weights",
    [
      ["query", "from a query"],
      ["hand", "by hand"],
    ],
    (value) => set({ by: value }),
  );
  const heads = choice(
    `${id}-heads`,
    "Heads",
    [
      [1, "one"],
      [2, "two"],
    ],
    (value) => set({ heads: value }),
  );
  const select = element("select", { onchange: () => set({ pick: Number(select.value) }) });
  const examples = Object.entries(EXAMPLES).map(([name, rows]) =>
    element("button", { type: "button", onclick: () => setHand(rows) }, name),
  );

  function setHand(rows) {
    const [alone, ...both] = rows;
    const filled = (row) => get("values").map((_, s) => row[s] ?? 0);
    set({ by: "hand", hand: get("heads") === 1 ? [filled(alone), get("hand")[1]] : both.map(filled) });
  }

  // A plane whose handle 0 is number `first` of what can be moved. Arrow keys move what is picked if it is in this plane, else handle 0.
  const planeFrom = (first, anywhere) =>
    plane({
      anywhere,
      onPick: (n) => set({ pick: first + n }),
      onMove: (n, point) => movePoint(first + n, point),
      onStep(step) {
        const pick = picked() < 2 === first < 2 ? picked() : first;
        movePoint(
          pick,
          pointOf(pick).map((x, d) => roundToTenth(x + step[d])),
        );
      },
    });
  const keyPlane = planeFrom(0, true);
  const valuePlane = planeFrom(2, false);
  const replaced = (list, at, value) => list.map((old, n) => (n === at ? value : old));
  const tables = range(2).map((h) =>
    weightTable((s, weight) => set({ hand: replaced(get("hand"), h, replaced(get("hand")[h], s, weight)) })),
  );
  const about = element("p", { class: "about" });
  const title = (text, note) => element("p", {}, element("strong", {}, text), " ", element("small", {}, note));
  const note = element("span", {});
  const left = element("div", {}, title("queries and keys", "drag a query (arrow)"), keyPlane.node);
  const right = element("div", {}, title("values", note), valuePlane.node);
  const moved = element("label", { class: "mix-pick" }, element("span", {}, "move"), select);
  const node = element(
    "div",
    { class: "mix" },
    element("div", { class: "toggles" }, by.node, heads.node),
    element("div", { class: "mix-planes" }, left, right),
    element("div", { class: "sliders mix-heat" }, temperature.node),
    about,
    element("div", { class: "sliders mix-move" }, moved, ...coordinates.map((one) => one.node)),
    element("div", { class: "mix-tables" }, ...tables.map((table) => table.node)),
    element("div", { class: "toggles mix-examples", role: "group", "aria-label": "examples" }, "all on", ...examples),
  );

  function updateControls(state, pick, point) {
    const isHand = state.by === "hand";
    temperature.update(stepOf(state.temperature), [-20, 20], String(state.temperature));
    temperature.node.hidden = isHand;
    left.hidden = isHand;
    by.update(state.by);
    heads.update(state.heads);
    const options = [...(isHand ? [] : range(state.heads)), ...state.values.map((_, s) => s + 2)];
    const texts = options.map((n) => pickText(n, state.heads));
    if (texts.join() !== [...select.options].map((option) => option.text).join())
      select.replaceChildren(...options.map((value, n) => element("option", { value }, texts[n])));
    if (select.value !== String(pick)) select.value = String(pick);
    coordinates.forEach((one, d) => {
      one.update(Math.round(10 * point[d]), [-10 * REACH, 10 * REACH], number(point[d], 1));
    });
  }

  function drawTables({ values, heads: count, by: how, hand }, results) {
    tables.forEach((table, h) => {
      table.node.hidden = h >= count;
      if (h >= count) return;
      const ofHead = (tensor) => Array.from(tensor.subarray(h * values.length, (h + 1) * values.length));
      table.draw({
        title: count === 1 ? "" : `head ${h}`,
        weights: ofHead(results.weights),
        shares: ofHead(results.shares),
        hand: how === "hand" ? hand[h] : null,
      });
    });
  }

  function draw(state, results) {
    const pick = validPick(state.pick, state);
    const point = pick < 2 ? state.queries[pick] : state.values[pick - 2];
    updateControls(state, pick, point);
    if (!results) return;
    const isHand = state.by === "hand";
    const dashed = isHand ? "" : ` Dashed: temperature ${TEMPERATURES[0]} to ${TEMPERATURES[TEMPERATURES.length - 1]}.`;
    setText(note, `drag a value. ● output. Coloured: weight · v, end to end.${dashed}`);
    if (!isHand) keyPlane.draw(queriesAndKeys(state));
    valuePlane.draw(valuesAndOutputs(state, results, pick));
    drawTables(state, results);
    const outs = outputs(results, state.heads).map((out) => pointText(out, 2));
    const sentence = `${state.heads === 1 ? "output" : "outputs"} ${outs.join(" and ")}. ${remark(state, results)}`;
    const text = `${sentence} The sliders move: ${pickText(pick, state.heads)} ${pointText(point)}.`;
    setText(about, text);
    announce(text);
  }

  return { node, draw };
}

// The nearest valid pick: with weights by hand there is no query to move, and with one head no query 1.
function validPick(pick, { by, heads, values }) {
  if (pick >= 2 && pick < values.length + 2) return pick;
  return by === "hand" ? 2 : Math.max(0, Math.min(pick, heads - 1));
}

export const lab = makeLab({
  title: "MixLab: a blend of values",
  compute,
  build,
});
