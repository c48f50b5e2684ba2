// When each axis is there: a track for each, with a column for each stage, as on the map above. What is still to come is pale. E and
// H·D, which stand in the place of D, are on its track. A name has one ink.

import { element, setAttributes } from "../kit/dom.js";
import { sizesOf } from "../kit/layer.js";
import { clamp } from "../kit/math.js";
import { LAST, stretches } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */

/** What an axis of size 1 has. @type {Record<string, string>} */
const ONE = {
  ...{ B: "sentence", H: "head", L: "word that asks", S: "word asked", D: "number per head", G: "key/value head" },
};

const COLUMNS = LAST + 1;
const SAME = " (the\u00a0words\u00a0of\u00a0L)"; // left out as a whole, where it has no room

/** @param {Record<string, string>} meanings of the axes; E has no room for one */
export function tracks(meanings) {
  const [ahead, past] = ["ahead", "past"].map((name) => element("div", { class: name }));
  const cursor = element("div", { class: "now", style: `width: ${100 / COLUMNS}%` });
  const node = element("div", { class: "tracks", role: "img" }, ahead, past, cursor);
  let key = "";
  /** @type {ReturnType<typeof stretches>} */
  let all = [];

  /**
   * @param {LayerState} state
   * @param {LayerState} standard the sizes before
   */
  function update(state, standard) {
    const [sizes, old] = [sizesOf(state), sizesOf(standard)];
    const now = JSON.stringify([sizes, old]) + (state.S === null) + (state.G === null);
    if (now === key) return;
    key = now;
    all = stretches(state);
    const rows = [...new Set(all.map(({ axis }) => axis))];
    const bars = all.map(({ axis, letters, from, to, beside }) => {
      const [first, ...others] = letters.split("·"); // H·D: a part of its own for H
      const size = sizes[axis];
      const what = element("span", { class: "what" }, (size === 1 ? ONE : meanings)[axis] ?? "");
      const was = old[axis] !== size && element("span", { class: "was" }, `${old[axis]} → `);
      const texts = beside
        ? beside.startsWith("context")
          ? [`S ${size} `, element("span", { class: "what" }, beside)]
          : [`${axis} in ${beside}`, axis === "S" && state.S === null ? SAME : ""]
        : others.length
          ? [element("span", { class: "first", style: `--axis: var(--attn-${first})` }, first), `·${others[0]}`]
          : [`${letters} `, ...(was ? [was, String(size)] : [`${size} `, what])];
      return element(
        "span",
        {
          class: beside ? "stretch beside" : letters === axis ? "stretch" : "stretch joined",
          "data-axis": axis,
          style: `grid-row: ${rows.indexOf(axis === "E" ? "D" : axis) + 1}; --from: ${from}; --to: ${to}`,
        },
        element("span", {}, ...texts),
        beside ? element("i") : "",
      );
    });
    const described = all.map(({ letters, from, to, beside }) => `${letters} ${beside && `in ${beside} `}${from}–${to}`);
    setAttributes(node, { "aria-label": `Axes by step, from 0 (x) to ${LAST} (y): ${described.join(", ")}.` });
    ahead.replaceChildren(...bars.map((bar) => bar.cloneNode(true)));
    past.replaceChildren(...bars);
  }

  /** @param {number} t */
  function show(t) {
    const rest = (100 * (LAST - t)) / COLUMNS;
    past.style.clipPath = `inset(0 ${rest && `calc(${rest}% + 1px)`} 0 0)`; // no sliver of the next column
    const known = `rgb(0 0 0 / ${Math.min(1, t)}) ${(100 * LAST) / COLUMNS}%`; // before the first step only the axes of x and of y
    ahead.style.maskImage = `linear-gradient(90deg, ${known}, #000 0)`;
    cursor.style.left = `${(100 * Math.ceil(t - 1e-6)) / COLUMNS}%`; // the column of the step of now
    // Each track has a style of its own: a property that they inherit would have all of them styled anew in every frame.
    all.forEach(({ from, to, beside }, n) => {
      if (beside) return;
      const [ink, pale] = [past, ahead].map(({ children }) => children[n].children[0]);
      setAttributes(ink, { style: `width:${100 * clamp((t + 1 - from) / (to + 1 - from), 0, 1)}%` });
      setAttributes(pale, { style: `opacity:${clamp(99 * (from - t - 0.99), 0, 1)}` }); // until the track begins
    });
  }

  return { node, update, show };
}
