// MixLab: drag a query, or set the weights by hand, and see the output move inside the hull of the values.

import { colourOf } from "../kit/colours.js";
import { choice, element, setText, slider, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { range } from "../kit/math.js";
import { compute, hull, KEYS, PATH, REACH, remark, WORDS } from "./model.js";
import { line, place, plane, tenth } from "./plane.js";
import { mixture } from "./table.js";

const heat = (step) => Number((10 ** (step / 10)).toPrecision(2));
const stepOf = (temperature) => Math.round(10 * Math.log10(temperature));
const spot = ([x, y], digits = 1) => `(${number(x, digits)}, ${number(y, digits)})`;

// A text at a point, inside the picture.
function label(point, text, kind = "", lift = -9) {
  const [x, y] = place(point);
  const half = 3.4 * text.length;
  return ["text", { x: Math.max(half, Math.min(320 - half, x)).toFixed(1), y: (y + lift).toFixed(1), class: kind }, text];
}

// The same, at the first of two heights where no text of the picture is in the way, or else at the first.
function clearLabel(point, text, lifts, shapes) {
  const taken = shapes.filter(([tag]) => tag === "text");
  const free = ([, at]) =>
    !taken.some(
      ([, other, words]) => Math.abs(other.x - at.x) < 3.4 * (words.length + text.length) && Math.abs(other.y - at.y) < 13,
    );
  const labels = lifts.map((lift) => label(point, text, "strong", lift));
  return labels.find(free) ?? labels[0];
}

function dot(point, r, attributes) {
  const [cx, cy] = place(point).map((x) => x.toFixed(1));
  return ["circle", { cx, cy, r, ...attributes }];
}

function build({ get, set, say }) {
  const name = unique("mix");
  let announced = null;
  // Query n of the picked list is 0 or 1; value n is n + 2.
  const put = (n, point) => {
    const key = n < 2 ? "queries" : "values";
    const at = n < 2 ? n : n - 2;
    set({ [key]: get(key).map((old, i) => (i === at ? point : old)), pick: n });
  };
  const picked = () => valid(get("pick"), { by: get("by"), heads: get("heads"), values: get("values") });
  const pointOf = (n) => (n < 2 ? get("queries")[n] : get("values")[n - 2]);
  const turn = (d) => (tenths) =>
    put(
      picked(),
      pointOf(picked()).map((old, i) => (i === d ? tenth(tenths / 10) : old)),
    );
  const sliders = {
    temperature: slider(null, "temperature", (step) => set({ temperature: heat(step) })),
    x: slider(null, "across", turn(0)),
    y: slider(null, "up", turn(1)),
  };
  const by = choice(
    `${name}-by`,
    "Weights",
    [
      ["query", "from a query"],
      ["hand", "by hand"],
    ],
    (value) => set({ by: value }),
  );
  const heads = choice(
    `${name}-heads`,
    "Heads",
    [
      ["1", "one"],
      ["2", "two"],
    ],
    (value) => set({ heads: Number(value) }),
  );
  const chosen = element("select", { onchange: () => set({ pick: Number(chosen.value) }) });
  const which = element("label", { class: "mix-pick" }, element("span", {}, "move"), chosen);
  const examples = {
    apart: element(
      "button",
      {
        type: "button",
        onclick: () =>
          example([
            [5, 5],
            [1, 0],
            [0, 1],
          ]),
      },
      "river and money",
    ),
    same: element(
      "button",
      {
        type: "button",
        onclick: () =>
          example([
            [0, 0, 1],
            [0, 0, 1],
            [0, 0, 1],
          ]),
      },
      "bank alone",
    ),
  };

  // Weights by hand: the first row for one head, the two others for two.
  function example([alone, ...both]) {
    const sized = (row) => get("values").map((_, s) => row[s] ?? 0);
    set({ by: "hand", hand: get("heads") === 1 ? [sized(alone), get("hand")[1]] : both.map(sized) });
  }

  // A plane whose handle 0 is `first` in the picked list. Keys move what is picked, or that handle if it is in the other plane.
  const planeFrom = (first, anywhere) =>
    plane({
      anywhere,
      onPick: (n) => set({ pick: first + n }),
      onMove: (n, point) => put(first + n, point),
      onStep(step) {
        const n = picked() < 2 === first < 2 ? picked() : first;
        put(
          n,
          pointOf(n).map((x, d) => tenth(x + step[d])),
        );
      },
    });
  const [ask, mix] = [planeFrom(0, true), planeFrom(2, false)];
  const tables = range(2).map((h) =>
    mixture((s, whole) =>
      set({ hand: get("hand").map((row, i) => (i === h ? row.map((old, at) => (at === s ? whole : old)) : row)) }),
    ),
  );
  const about = element("p", { class: "about" });
  const title = (text, note) => element("p", {}, element("strong", {}, text), " ", element("small", {}, note));
  const note = element("span", {});
  const left = element("div", {}, title("queries and keys", "drag a query (arrow)"), ask.node);
  const right = element("div", {}, title("values", note), mix.node);
  const node = element(
    "div",
    { class: "mix" },
    element("div", { class: "toggles" }, by.node, heads.node),
    element("div", { class: "mix-planes" }, left, right),
    element("div", { class: "sliders mix-heat" }, sliders.temperature.node),
    about,
    element("div", { class: "sliders mix-move" }, which, sliders.x.node, sliders.y.node),
    element("div", { class: "mix-tables" }, ...tables.map((one) => one.node)),
    element(
      "div",
      { class: "toggles mix-examples", role: "group", "aria-label": "examples" },
      "all on",
      ...Object.values(examples),
    ),
  );

  function drawKeys({ values, queries, heads: H }) {
    const shapes = values.flatMap((_, s) => [
      ["path", { d: line([[0, 0], KEYS[s]]), class: "key" }],
      dot(KEYS[s], 6, { fill: colourOf(s), class: "point" }),
      label(KEYS[s], WORDS[s], "", KEYS[s][1] < 0 ? 20 : -10),
    ]);
    for (const h of range(H)) {
      shapes.push(["path", { d: line([[0, 0], queries[h]]), class: "query" }], dot(queries[h], 9, { class: "handle" }));
      shapes.push(clearLabel(queries[h], H === 1 ? "query" : `query ${h}`, [-13, 24], shapes));
    }
    const said = queries
      .slice(0, H)
      .map((q, h) => `query ${H > 1 ? h : ""} ${spot(q)}`)
      .join(", ");
    ask.draw({ shapes, handles: queries.slice(0, H), label: `queries and keys: ${said}. Arrow keys move a query.` });
  }

  function drawValues({ values, by: how, heads: H }, { weights, out, path }, pick) {
    const S = values.length;
    const heated = how === "query"; // weights by hand have no temperature
    setText(
      note,
      `drag a value. ● output. Coloured: weight · v, end to end.${heated ? ` Dashed: temperature ${PATH[0]} to ${PATH.at(-1)}.` : ""}`,
    );
    const shapes = [["path", { d: `${line(hull(values))}Z`, class: "hull" }]];
    for (const h of range(H)) {
      if (heated) {
        const points = range(41).map((n) => [path[82 * h + 2 * n], path[82 * h + 2 * n + 1]]);
        shapes.push(["path", { d: line(points), class: "path" }]);
      }
      let tip = [0, 0];
      for (const s of range(S)) {
        const next = tip.map((x, d) => x + weights[h * S + s] * values[s][d]);
        shapes.push(["path", { d: line([tip, next]), class: "part", stroke: colourOf(s) }]);
        tip = next;
      }
    }
    values.forEach((value, s) =>
      shapes.push(dot(value, 9, { fill: colourOf(s), class: "point handle" }), label(value, WORDS[s], "", value[1] < 0 ? 24 : -13)),
    );
    if (pick >= 2) shapes.push(["path", { d: ring(values[pick - 2]), class: "ring" }]);
    for (const h of range(H)) {
      const at = [out[2 * h], out[2 * h + 1]];
      shapes.push(dot(at, 6, { class: "output" }), clearLabel(at, H === 1 ? "output" : `output ${h}`, [19, -10], shapes));
    }
    const said = range(H)
      .map((h) => `output ${H > 1 ? h : ""} ${spot([out[2 * h], out[2 * h + 1]], 2)}`)
      .join(", ");
    mix.draw({ shapes, handles: values, label: `values: ${said}. Arrow keys move ${WORDS[Math.max(0, pick - 2)]}.` });
  }

  function draw(state, results) {
    const S = state.values.length;
    const pick = valid(state.pick, state);
    const hand = state.by === "hand";
    sliders.temperature.update(stepOf(state.temperature), [-20, 20], String(state.temperature));
    sliders.temperature.node.hidden = hand;
    left.hidden = hand;
    by.update(state.by);
    heads.update(state.heads);
    const options = [...(hand ? [] : range(state.heads)), ...state.values.map((_, s) => s + 2)];
    const named = (n) => (n >= 2 ? `value of ${WORDS[n - 2]}` : state.heads === 1 ? "query" : `query ${n}`);
    if (options.map(named).join() !== [...chosen.options].map((one) => one.text).join())
      chosen.replaceChildren(...options.map((n) => element("option", { value: n }, named(n))));
    if (chosen.value !== String(pick)) chosen.value = pick;
    const point = pick < 2 ? state.queries[pick] : state.values[pick - 2];
    [sliders.x, sliders.y].forEach((one, d) =>
      one.update(Math.round(10 * point[d]), [-10 * REACH, 10 * REACH], number(point[d], 1)),
    );
    if (!results) return;
    if (!hand) drawKeys(state);
    drawValues(state, results, pick);
    tables.forEach((table, h) => {
      table.node.hidden = h >= state.heads;
      if (h < state.heads) {
        const of = (kind) => Array.from(results[kind].slice(h * S, (h + 1) * S));
        table.draw({
          title: state.heads === 1 ? "" : `head ${h}`,
          weights: of("weights"),
          shares: of("shares"),
          hand: hand ? state.hand[h] : null,
        });
      }
    });
    const outs = range(state.heads).map((h) => spot([results.out[2 * h], results.out[2 * h + 1]], 2));
    const told = `${state.heads === 1 ? "output" : "outputs"} ${outs.join(" and ")}. ${remark(state, results)} The sliders move: ${named(pick)} ${spot(point)}.`;
    setText(about, told);
    if (announced !== null && announced !== told) say(told);
    announced = told;
  }

  return { node, draw };
}

// A circle as a path.
function ring(point) {
  const [x, y] = place(point);
  return `M${(x - 13).toFixed(1)} ${y.toFixed(1)}a13 13 0 1 0 26 0a13 13 0 1 0 -26 0`;
}

// What can be moved: no query that there is not, and none where weights are set by hand.
function valid(pick, { by, heads, values }) {
  if (pick >= 2 && pick < values.length + 2) return pick;
  return by === "hand" ? 2 : Math.max(0, Math.min(pick, heads - 1));
}

export const lab = makeLab({
  title: "MixLab: a blend of values",
  compute,
  build,
});
