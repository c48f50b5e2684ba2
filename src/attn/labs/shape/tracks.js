// When each axis is there: a track for each, below the time from x to y; a line goes from its knob behind all tracks, and what is
// still to come is pale. E, H·D and D, which are never
// there together, share one.

import { element, setAttributes } from "../kit/dom.js";
import { sizesOf } from "../kit/layer.js";
import { LAST, stretches } from "./stages.js";

/** @typedef {import("../kit/layer.js").LayerState} LayerState */

/** What an axis of size 1 has. @type {Record<string, string>} */
const ONE = {
  ...{ B: "sentence", H: "head", L: "word that asks", D: "number per head", E: "number per word" },
  ...{ S: "word asked", G: "key/value head" },
};

/** @param {Record<string, string>} meanings of the axes */
export function tracks(meanings) {
  const [ahead, past] = ["ahead", "past"].map((name) => element("div", { class: name }));
  const cursor = element("div", { class: "now" });
  const node = element("div", { class: "tracks", role: "img" }, cursor, ahead, past);
  let key = "";

  /** @param {LayerState} state */
  function update(state) {
    const sizes = sizesOf(state);
    const now = JSON.stringify(sizes) + (state.S === null) + (state.G === null);
    if (now === key) return;
    key = now;
    const all = stretches(state);
    const rows = [...new Set(all.map(({ axis }) => axis).filter((axis) => axis !== "E"))];
    const told = new Set();
    const bars = all.map(({ axis, letters, from, to, beside }) => {
      const [left, right] = [Math.max(0, from - 0.5), Math.min(LAST, to + 0.5)].map((t) => (100 * t) / LAST);
      const texts = beside
        ? [beside.startsWith("context") ? beside : `${axis} in ${beside}`]
        : [
            letters,
            element("span", { class: "size" }, ` ${sizes[axis]}`),
            element(
              "span",
              { class: "of" },
              told.has(axis) || letters !== axis ? "" : ` ${sizes[axis] === 1 ? ONE[axis] : meanings[axis]}`,
            ),
          ];
      if (!beside) told.add(axis);
      return element(
        "span",
        {
          class: beside ? "stretch beside" : letters === axis ? "stretch" : "stretch joined",
          "data-axis": axis,
          style: `grid-row: ${rows.indexOf(axis === "E" ? "D" : axis) + 1}; margin-left: ${left}%; width: ${right - left}%`,
        },
        element("span", {}, ...texts),
      );
    });
    const described = all.map(({ letters, from, to, beside }) => `${letters} ${beside && `in ${beside} `}${from}–${to}`);
    setAttributes(node, { "aria-label": `Axes by step, from 0 (x) to ${LAST} (y): ${described.join(", ")}.` });
    ahead.replaceChildren(...bars.map((bar) => bar.cloneNode(true)));
    past.replaceChildren(...bars);
  }

  /** @param {number} t */
  function show(t) {
    const left = (100 * t) / LAST; // as the knob of the slider
    past.style.clipPath = `inset(0 ${100 - left}% 0 0)`;
    cursor.style.left = `${left}%`;
  }

  return { node, update, show };
}
