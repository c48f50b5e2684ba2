// HeadsLab: E numbers per word, cut into H heads, merged again, and mixed by W_O; what each head adds to y, head by head.

import { colourOf } from "../kit/colours.js";
import { choice, element, setChildCount, letter, setText, slider, toggle, unique } from "../kit/dom.js";
import { number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { wordsAlong } from "../kit/layer.js";
import { divisors, range } from "../kit/math.js";
import { board, chip, partName } from "./board.js";
import { brief, compute, holds, problem, terms, WIDTHS } from "./model.js";

const KEYS =
  "Red: above 0, blue: below. The two strips beside concat: the head that a number is from, and the head whose rows of W_O it meets. " +
  "Point at a number or tap it; arrow keys walk.";
const percent = (share) => `${number(100 * share, 0)} %`.replace(/^−0 /, "0 ");
const signed = (value) => brief(value, 3).replace(/^(?=[1-9]|0\.)/, "+");

function build({ limits, get, set, say }) {
  let last = null; // what is drawn: { state, results, words }
  let hovered = null;
  let announced = null;

  const heads = slider("H", "heads", (n) => set({ H: divisors(get("E"))[n], off: [] })); // head 2 of 4 is no head of 6
  const length = slider("L", "words", (L) => set({ L }));
  const width = choice(
    unique("width"),
    letter("E"),
    WIDTHS.map((E) => [E, String(E)]),
    (E) => {
      const H = divisors(E)
        .filter((n) => n <= get("H"))
        .at(-1);
      set({ E, H, ...(H === get("H") ? {} : { off: [] }) });
    },
  );
  const merges = [
    ["right", element("code", {}, ".transpose(1, 2).reshape(B, L, E)")],
    ["wrong", element("code", {}, ".reshape(B, L, E)")],
  ];
  const merge = choice(unique("merge"), "Merge", merges, (value) => set({ merge: value }));
  const project = toggle("mix with W_O", (on) => set({ project: on }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "other parameters");
  const costs = element("p", { class: "costs" });
  const told = element("p", { class: "told" });
  const about = element("p", { class: "title" });
  const boxes = element("div", { class: "boxes" });
  const list = element("div", { class: "list" });
  const picture = board(point);
  const sum = element("p", { class: "sum" });
  const node = element(
    "div",
    { class: "heads" },
    element("div", { class: "sliders" }, heads.node, length.node),
    element("div", { class: "toggles" }, width.node, project.node, seed),
    merge.node,
    boxes,
    costs,
    told,
    about,
    list,
    picture.node,
    sum,
    element("p", { class: "hint" }, KEYS),
  );
  const switches = [];
  const bars = [];

  const pinned = () => [Math.min(get("pin")[0], last.state.L - 1), Math.min(get("pin")[1], last.state.E - 1)];

  // Any table chooses the column; y chooses the word too. What is clicked or walked to stays.
  function point(table, n, how) {
    const E = last.state.E;
    const at = n === null ? null : [table === "y" ? Math.floor(n / E) : pinned()[0], n % E];
    if (how === "hover") {
      hovered = at;
      light();
      return;
    }
    hovered = null;
    if (at === null) return;
    set({ pin: at });
    const { parts, sum } = terms(last.state, last.results, at);
    say(`y of ${last.words[at[0]]}, column ${at[1]}: ${parts.map(signed).join(", ")}; the sum is ${number(sum, 3)}`);
  }

  const change = (h, on) => set({ off: on ? get("off").filter((n) => n !== h) : [...get("off"), h].sort((a, b) => a - b) });

  // A switch for each head, apart from the bars: after a wrong merge what adds to y is not the heads.
  function drawBoxes({ H, off }) {
    setChildCount(boxes, H, (h) => (switches[h] = toggle(`head ${h}`, (on) => change(h, on))).node);
    switches.length = H;
    switches.forEach((one, h) => one.update(!off.includes(h)));
  }

  // How much of the word's y each part makes up.
  function drawList(state, results, [i]) {
    const { H, L } = state;
    setChildCount(list, H, (h) => {
      const [name, bar, share] = [element("span", {}), element("span", { class: "bar" }), element("output", {})];
      bars[h] = { name, bar, share };
      return element("div", {}, chip(h, ""), name, element("span", { class: "track" }, bar), share);
    });
    bars.length = H;
    const most = Math.max(...range(H).map((h) => Math.abs(results.shares[h * L + i])), 1e-9);
    bars.forEach(({ name, bar, share }, h) => {
      const value = results.shares[h * L + i];
      setText(name, partName(state, h));
      setText(share, percent(value));
      const size = (50 * Math.abs(value)) / most;
      const style = `background:${colourOf(h)};width:${size.toFixed(1)}%;left:${(value < 0 ? 50 - size : 50).toFixed(1)}%`;
      if (bar.getAttribute("style") !== style) bar.setAttribute("style", style);
    });
  }

  function light() {
    const { state, results, words, room } = last;
    const at = hovered ?? pinned();
    const [i, e] = at;
    picture.draw({ state, results, words, at, width: room });
    drawList(state, results, at);
    setText(told, holds(state, words, i));
    const whose =
      state.merge === "right" ? "Each head's share of" : `Share of these ${state.project ? "rows of W_O" : "numbers of concat"} in`;
    const long = Math.hypot(...results.y.subarray(i * state.E, (i + 1) * state.E));
    setText(about, `${whose} y[${words[i]}], of length ${number(long, 2)} (rounded; longest bar: largest share)`);
    const made = terms(state, results, at);
    const parts = made.parts.map((value, h) => element("span", {}, chip(h), signed(value)));
    sum.replaceChildren(element("b", {}, `y[${words[i]}, ${e}]`), " = ", ...parts, ` = ${number(made.sum, 3)}`);
  }

  function draw(state, results) {
    const room = picture.node.clientWidth || 346; // measured first: later it would make the browser lay out twice
    heads.update(divisors(state.E).indexOf(state.H), [0, divisors(state.E).length - 1], String(state.H));
    length.update(state.L, limits().L);
    width.update(state.E);
    merge.update(state.merge);
    project.update(state.project);
    if (!results || problem(state)) return;
    last = {
      state,
      results,
      room,
      words: wordsAlong({ ...state, B: 1, S: null, D: state.E / state.H, G: null, _texts: get("_texts") }, "L")[0],
    };
    if (hovered && (hovered[0] >= state.L || hovered[1] >= state.E)) hovered = null;
    const cost = (name, value) => element("span", {}, `${name} `, element("b", {}, value.toLocaleString("en")));
    const { parameters, flops, stored } = results;
    costs.replaceChildren(
      element("span", {}, letter("D"), " = ", element("b", {}, String(state.E / state.H))),
      cost("parameters", parameters),
      cost("FLOPs of the products", flops),
      cost("stored scores", stored),
    );
    drawBoxes(state);
    light();
    node.dataset.merge = state.merge;
    const spoken = `${state.H} heads, ${stored} stored scores. ${told.textContent}`;
    if (announced !== null && announced !== spoken) say(spoken);
    announced = spoken;
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "HeadsLab: many heads, merged and mixed by W_O",
  compute,
  build,
});
