// HeadsLab: E numbers per word, cut into H heads, merged again, and mixed by W_O; what each head adds to y.

import { choice, element, letter, setChildCount, setText, slider, toggle, unique } from "../kit/dom.js";
import { integer, number } from "../kit/format.js";
import { makeLab } from "../kit/host.js";
import { wordsOf } from "../kit/inputs.js";
import { divisors } from "../kit/math.js";
import { board, chip } from "./board.js";
import { rowText, shortNumber, termsOf } from "./explain.js";
import { compute, problem, WIDTHS } from "./model.js";
import { shareBars } from "./shares.js";

const HINT =
  "Orange: above 0, blue: below. The two strips beside concat: the head that a number is from, and the head whose rows of W_O it meets. " +
  "Point at a number or tap it; arrow keys walk.";
const signed = (value) => shortNumber(value, 3).replace(/^(?=[1-9]|0\.)/, "+");

/** @param {import("../kit/host.js").Tools} tools */
function build({ limits, get, set, say, announce }) {
  /** @type {{ state: any, results: any, words: string[], width: number } | null} */
  let drawn = null;
  /** @type {number[] | null} */
  let hovered = null; // [word, column]

  const heads = slider("H", "heads", (n) => set({ H: divisors(get("E"))[n], off: [] })); // head 2 of 4 is not head 2 of 6
  const length = slider("L", "words", (L) => set({ L }));
  const widths = WIDTHS.map((E) => /** @type {const} */ ([E, String(E)]));
  const width = choice(unique("width"), letter("E"), widths, (E) => {
    const H = Math.max(...divisors(E).filter((n) => n <= get("H")));
    set({ E, H, ...(H === get("H") ? {} : { off: [] }) });
  });
  const merge = choice(
    unique("merge"),
    "Merge",
    [
      ["right", element("code", {}, ".transpose(1, 2).reshape(B, L, E)")],
      ["wrong", element("code", {}, ".reshape(B, L, E)")],
    ],
    (value) => set({ merge: value }),
  );
  const project = toggle("mix with W_O", (on) => set({ project: on }));
  const seed = element("button", { type: "button", onclick: () => set({ seed: (get("seed") + 1) % 10000 }) }, "other parameters");
  const switches = element("div", { class: "switches" });
  const headSwitches = [];
  const costs = element("p", { class: "costs" });
  const row = element("p", { class: "row" });
  const sharesTitle = element("p", { class: "title" });
  const shares = shareBars();
  const picture = board(onPoint);
  const sum = element("p", { class: "sum" });
  const node = element(
    "div",
    { class: "heads" },
    element("div", { class: "sliders" }, heads.node, length.node),
    element("div", { class: "toggles" }, width.node, project.node, seed),
    merge.node,
    switches,
    costs,
    row,
    sharesTitle,
    shares.node,
    picture.node,
    sum,
    element("p", { class: "hint" }, HINT),
  );

  const pinned = ({ L, E }) => [Math.min(get("pin")[0], L - 1), Math.min(get("pin")[1], E - 1)];

  // Any table chooses the column; y chooses the word too. A click or a key pins the choice.
  function onPoint(table, n, how) {
    if (!drawn) return;
    const { state, results, words } = drawn;
    const at = n === null ? null : [table === "y" ? Math.floor(n / state.E) : pinned(state)[0], n % state.E];
    if (how === "hover") {
      hovered = at;
      drawNumber(drawn);
      return;
    }
    hovered = null;
    if (at === null) return;
    set({ pin: at });
    const terms = termsOf(state, results, at);
    const parts = terms.parts.map(signed).join(", ");
    say(`y of ${words[at[0]]}, column ${at[1]}: ${parts}; the sum is ${number(terms.sum, 3)}`);
  }

  // A switch for each head. They are apart from the bars because after a wrong merge the parts of y are not the heads.
  function drawSwitches({ H, off }) {
    const change = (h, on) => set({ off: on ? get("off").filter((n) => n !== h) : [...get("off"), h].sort((a, b) => a - b) });
    setChildCount(switches, H, (h) => {
      headSwitches[h] = toggle(`head ${h}`, (on) => change(h, on));
      return headSwitches[h].node;
    });
    headSwitches.length = H;
    headSwitches.forEach((one, h) => one.update(!off.includes(h)));
  }

  function drawCosts({ E, H }, { parameters, flops, stored }) {
    const cost = (name, value) => element("span", {}, `${name} `, element("b", {}, integer(value)));
    costs.replaceChildren(
      element("span", {}, letter("D"), " = ", element("b", {}, String(E / H))),
      cost("parameters", parameters),
      cost("FLOPs of the products", flops),
      cost("stored scores", stored),
    );
  }

  // Everything that depends on the number of y that is pointed at, or else on the pinned one.
  function drawNumber({ state, results, words, width: room }) {
    const at = hovered ?? pinned(state);
    const [i, e] = at;
    picture.draw({ state, results, words, at, width: room });
    shares.draw(state, results, i);
    setText(row, rowText(state, words, i));
    const parts = state.project ? "rows of W_O" : "numbers of concat";
    const whose = state.merge === "right" ? "Each head's share of" : `Share of these ${parts} in`;
    const norm = Math.hypot(...results.y.subarray(i * state.E, (i + 1) * state.E));
    setText(sharesTitle, `${whose} y[${words[i]}], of length ${number(norm, 2)} (rounded; longest bar: largest share)`);
    const terms = termsOf(state, results, at);
    const spelled = terms.parts.map((value, h) => element("span", {}, chip(h), signed(value)));
    sum.replaceChildren(element("b", {}, `y[${words[i]}, ${e}]`), " = ", ...spelled, ` = ${number(terms.sum, 3)}`);
  }

  function draw(state, results) {
    const room = picture.node.clientWidth || 346; // measured first: later the browser would have to lay out twice
    const possible = divisors(state.E);
    heads.update(possible.indexOf(state.H), [0, possible.length - 1], String(state.H));
    length.update(state.L, limits().L);
    width.update(state.E);
    merge.update(state.merge);
    project.update(state.project);
    if (!results || problem(state)) return;
    drawn = { state, results, width: room, words: wordsOf(state._texts).words[0].slice(0, state.L) };
    if (hovered && (hovered[0] >= state.L || hovered[1] >= state.E)) hovered = null;
    drawCosts(state, results);
    drawSwitches(state);
    drawNumber(drawn);
    node.dataset.merge = state.merge;
    announce(`${state.H} heads, ${results.stored} stored scores. ${row.textContent}`);
  }

  return { node, draw };
}

export const lab = makeLab({
  title: "HeadsLab: many heads, merged and mixed by W_O",
  compute,
  build,
});
