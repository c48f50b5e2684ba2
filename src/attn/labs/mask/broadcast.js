// The broadcast unrolled: which axis meets which, and the mask that reaches every sentence and head.

import { element, letter, setText } from "../kit/dom.js";
import { isWrong } from "./words.js";

const AXES = ["B", "H", "L", "S"];
const [CELL, LEFT, TOP, GAP] = [9, 76, 18, 12];
const thousands = new Intl.NumberFormat("en");

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// What each of the four axes does with the one of the mask that meets it.
export function meetings(shape, full) {
  const missing = full.length - shape.length;
  return full.map((size, axis) => {
    if (axis < missing) return { size: "", does: "repeated" };
    const have = shape[axis - missing];
    return { size: String(have), does: have === size ? "agrees" : have === 1 ? "repeated" : "does not fit" };
  });
}

export function broadcast() {
  const cells = (tag, count) => Array.from({ length: count }, () => element(tag));
  const rows = ["scores", "mask", ""].map((title) => ({ title, cells: cells("td", 4) }));
  const head = element("tr", {}, element("th"), ...AXES.map((axis) => element("th", { scope: "col" }, letter(axis))));
  const body = rows.map((row) => element("tr", {}, element("th", { scope: "row" }, row.title), ...row.cells));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  const counted = element("p");
  const paths = ["no", "may", "wrong", "cross", "now"].map((kind) => svg("path", { class: kind }));
  const words = svg("g");
  const picture = svg("svg", { role: "img", class: "facets" }, ...paths, words);
  const node = element("div", { class: "broadcast" }, table, counted, picture);
  let drawn = "";

  function facets(state, results, { B, S, b, h }) {
    const { H, L } = state;
    const [wide, tall] = [S * CELL + GAP, L * CELL + GAP];
    const parts = { no: "", may: "", wrong: "", cross: "" };
    results.stretched.forEach((may, at) => {
      const [j, i] = [at % S, Math.floor(at / S) % L];
      const facet = Math.floor(at / (S * L));
      const [x, y] = [LEFT + (facet % H) * wide + j * CELL, TOP + Math.floor(facet / H) * tall + i * CELL];
      const wrong = isWrong(state, S, results, at);
      parts[wrong ? "wrong" : may ? "may" : "no"] += `M${x} ${y}h${CELL - 1}v${CELL - 1}h${1 - CELL}z`;
      if (wrong) parts.cross += `M${x + 2} ${y + 2}l4 4m0 -4l-4 4`;
    });
    const now = `M${LEFT + h * wide - 3} ${TOP + b * tall - 3}h${S * CELL + 5}v${L * CELL + 5}h${-S * CELL - 5}z`;
    const all = { ...parts, now };
    for (const path of paths) path.setAttribute("d", all[path.getAttribute("class")]);
    const key = `${H} ${L}`;
    if (key === drawn) return;
    drawn = key;
    picture.setAttribute("viewBox", `0 0 ${LEFT + H * wide} ${TOP + B * tall}`);
    picture.style.width = `${LEFT + H * wide}px`;
    const label = (text, axis, x, y, anchor) => svg("text", { x, y, "text-anchor": anchor, "data-axis": axis }, text);
    words.replaceChildren(
      ...Array.from({ length: H }, (_, n) => label(`head ${n}`, "H", LEFT + n * wide + (S * CELL) / 2, 11, "middle")),
      ...Array.from({ length: B }, (_, n) => label(`sentence ${n}`, "B", LEFT - 8, TOP + n * tall + (L * CELL) / 2 + 4, "end")),
    );
  }

  function draw(state, results, place) {
    const full = [place.B, state.H, state.L, place.S];
    const met = meetings(results.shape, full);
    met.forEach(({ size, does }, n) => {
      setText(rows[0].cells[n], String(full[n]));
      setText(rows[1].cells[n], size || "–");
      setText(rows[2].cells[n], does);
      rows[2].cells[n].className = does === "does not fit" ? "misfit" : "";
    });
    picture.style.display = results.stretched ? "" : "none";
    const stored = results.handed.length;
    if (!results.stretched)
      return setText(
        counted,
        `${stored} booleans handed over. Shapes are aligned from the right, so the first axis of three meets H.`,
      );
    const all = results.stretched.length;
    const times = `${stored} booleans handed over, read as ${thousands.format(all)}`;
    setText(
      counted,
      `${times}. Steps in memory along B, H, L, S (strides): ${results.strides.join(", ")}; a step of 0 repeats without copying.`,
    );
    picture.setAttribute("aria-label", `the stretched mask: ${place.B} × ${state.H} tables of ${state.L} by ${place.S}`);
    facets(state, results, place);
  }

  return { node, draw };
}
