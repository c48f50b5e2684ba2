// The panel "the broadcast": how the axes are aligned, and the mask that reaches every sentence and head.

import { choice, element, letter, setText } from "../kit/dom.js";
import { integer } from "../kit/format.js";
import { range } from "../kit/math.js";
import { svg } from "../kit/svg.js";
import { isWrong } from "./explain.js";
import { alignAxes, SHAPES } from "./model.js";

const AXES = ["B", "H", "L", "S"];
const EXPRESSIONS = { "L, S": "mask[0]", "B, 1, 1, S": "mask[:, None, -1:]", "B, 1, L, S": "mask[:, None]", "B, L, S": "mask" };
const [CELL, LEFT, TOP, GAP] = [9, 76, 18, 12]; // pixels
/** @typedef {{ B: number, S: number, b: number, h: number }} Place the sizes, and the sentence and head that are drawn above */

// "B, 1, L, S" as (B, 1, L, S) with its letters in their colours.
function shapeLabel(shape) {
  const axes = shape.split(", ").map((axis) => (axis === "1" ? axis : letter(axis)));
  return ["(", ...axes.flatMap((axis, n) => (n ? [", ", axis] : [axis])), ")"];
}

/**
 * @param {string} id of the radio buttons
 * @param {(shape: string) => void} onChoose
 */
export function broadcastPanel(id, onChoose) {
  const shapes = SHAPES.map((shape) => {
    const expression = element("code", {}, EXPRESSIONS[shape]);
    return /** @type {const} */ ([shape, element("span", {}, ...shapeLabel(shape), " ", expression)]);
  });
  const stored = choice(id, "Passed as", shapes, onChoose);
  const cells = () => AXES.map(() => element("td"));
  const [full, mask, results] = [cells(), cells(), cells()];
  const line = (title, row) => element("tr", {}, title ? element("th", { scope: "row" }, title) : element("td"), ...row);
  const head = element("tr", {}, element("td"), ...AXES.map((axis) => element("th", { scope: "col" }, letter(axis))));
  const body = element("tbody", {}, line("scores", full), line("mask", mask), line("", results));
  const table = element("table", {}, element("thead", {}, head), body);
  const memory = element("p");
  const facets = maskFacets();
  const node = element("div", { class: "broadcast" }, stored.node, table, memory, facets.node);

  /**
   * @param {import("./rules.js").State} state
   * @param {import("./model.js").Results} results
   * @param {Place} place
   */
  function draw(state, { mask: passed, shape, strides, expanded, keep }, place) {
    const sizes = [place.B, state.H, state.L, place.S];
    alignAxes(shape, sizes).forEach(({ size, result }, n) => {
      setText(full[n], String(sizes[n]));
      setText(mask[n], size === null ? "–" : String(size));
      setText(results[n], result);
      results[n].className = result === "does not fit" ? "misfit" : "";
    });
    facets.node.style.display = expanded ? "" : "none";
    const count = `${passed.length} booleans passed`;
    if (!expanded) {
      setText(memory, `${count}. Shapes are aligned from the right, so the first axis of three meets H.`);
      return;
    }
    const steps = `Steps in memory along B, H, L, S (strides): ${strides?.join(", ")}; a step of 0 repeats without copying.`;
    setText(memory, `${count}, read as ${integer(expanded.length)}. ${steps}`);
    facets.draw(state, { keep, expanded }, place);
  }

  return { node, draw, update: stored.update };
}

// The expanded mask: a small table for each sentence and head. Entries that are not as intended are crossed out.
function maskFacets() {
  const kinds = ["may", "no", "wrong", "cross", "now"];
  const paths = Object.fromEntries(kinds.map((kind) => [kind, svg("path", { class: kind })]));
  const words = svg("g");
  const node = svg("svg", { role: "img", class: "facets" }, ...Object.values(paths), words);
  let drawnSizes = "";

  function drawWords({ H, L }, { B, S }, wide, tall) {
    const sizes = `${H} ${L}`;
    if (sizes === drawnSizes) return;
    drawnSizes = sizes;
    node.setAttribute("viewBox", `0 0 ${LEFT + H * wide} ${TOP + B * tall}`);
    node.style.width = `${LEFT + H * wide}px`;
    const label = (text, axis, x, y, anchor) => svg("text", { x, y, "text-anchor": anchor, "data-axis": axis }, text);
    words.replaceChildren(
      ...range(H).map((n) => label(`head ${n}`, "H", LEFT + n * wide + (S * CELL) / 2, 11, "middle")),
      ...range(B).map((n) => label(`sentence ${n}`, "B", LEFT - 8, TOP + n * tall + (L * CELL) / 2 + 4, "end")),
    );
  }

  function draw(state, results, place) {
    const { H, L } = state;
    const { B, S, b, h } = place;
    const [wide, tall] = [S * CELL + GAP, L * CELL + GAP];
    const lines = { no: "", may: "", wrong: "", cross: "" };
    results.expanded.forEach((may, at) => {
      const facet = Math.floor(at / (S * L));
      const x = LEFT + (facet % H) * wide + (at % S) * CELL;
      const y = TOP + Math.floor(facet / H) * tall + (Math.floor(at / S) % L) * CELL;
      const wrong = isWrong(state, S, results, at);
      lines[wrong ? "wrong" : may ? "may" : "no"] += `M${x} ${y}h${CELL - 1}v${CELL - 1}h${1 - CELL}z`;
      if (wrong) lines.cross += `M${x + 2} ${y + 2}l4 4m0 -4l-4 4`;
    });
    const now = `M${LEFT + h * wide - 3} ${TOP + b * tall - 3}h${S * CELL + 5}v${L * CELL + 5}h${-S * CELL - 5}z`;
    for (const [kind, d] of Object.entries({ ...lines, now })) paths[kind].setAttribute("d", d);
    node.setAttribute("aria-label", `the expanded mask: ${B} × ${H} matrices of ${L} by ${S}`);
    drawWords(state, place, wide, tall);
  }

  return { node, draw };
}
