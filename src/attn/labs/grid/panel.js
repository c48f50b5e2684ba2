// One order of the axes in GridLab: the open folder, the path down to one number, shape and strides.

import { element, letter, letters, setText } from "../kit/dom.js";
import { openFolder } from "./folder.js";
import { firstPlaces, ORDERS, placeOf } from "./model.js";

/**
 * What a panel draws, besides the open folder.
 *
 * @typedef {object} Facts
 * @property {number[]} strides
 * @property {ArrayLike<number>} values
 * @property {boolean} contiguous
 * @property {boolean} current whether the reader is at level `depth` of this order
 * @property {string} source the Python that makes the tensor
 */

/** @typedef {import("./folder.js").Shown & Facts} Drawing */
/** @typedef {import("./model.js").Axis} Axis */

/**
 * @param {1 | 2} order
 * @param {Parameters<typeof openFolder>[1] & { onLevel: (level: number) => void }} actions onLevel: go to a level of this order
 */
export function orderPanel(order, { onLevel, ...actions }) {
  const { name, axes, levels, title } = ORDERS[order - 1];
  const code = element("code", { class: "grid-source" });
  const crumbs = levels.map((_, n) => element("button", { type: "button", class: "grid-crumb", onclick: () => onLevel(n) }));
  const folder = openFolder(order, actions);
  const facts = element("table", { class: "grid-facts" });
  const badge = element("b");
  const places = element("span", { class: "grid-walk" });
  const node = element(
    "section",
    { class: `grid-order grid-order-${order}`, "aria-label": `order ${order}` },
    element("p", { class: "grid-head" }, element("strong", {}, `${name} `), letters(axes.join(" ")), ` ${title}`),
    code,
    element("div", { class: "grid-crumbs", role: "group", "aria-label": `the way down in order ${order}` }, ...crumbs),
    folder.node,
    facts,
    element("p", { class: "grid-lies" }, badge, ": read in this order, the places are ", places),
  );

  /** @param {Drawing} drawing */
  function drawFacts({ sizes, at, fixed, strides }) {
    /**
     * @param {string} title
     * @param {(axis: Axis, n: number) => string} text
     * @param {Node[]} more
     */
    const row = (title, text, ...more) => {
      const cells = axes.map((axis, n) => element("td", { "data-axis": axis }, text(axis, n)));
      return element("tr", {}, element("th", { scope: "row" }, title), ...cells, ...more);
    };
    /** @param {Axis} axis */
    const known = (axis) => fixed.includes(axis);
    /** @param {Axis} axis */
    const start = (axis) => (known(axis) ? at[axis] : 0);
    const place = placeOf(axes, strides, { B: start("B"), H: start("H"), L: start("L"), D: start("D") });
    /**
     * @param {Axis} axis
     * @param {number} n
     */
    const term = (axis, n) => (known(axis) ? `${axes.findIndex(known) < n ? "+ " : ""}${at[axis]}·${strides[n]}` : "");
    const total = element("td", { class: "grid-place" }, "= ", element("output", {}, String(place)));
    facts.replaceChildren(
      element("tr", {}, element("td"), ...axes.map((axis) => element("th", { scope: "col" }, letter(axis)))),
      row("shape", (axis) => String(sizes[axis])),
      row("strides", (_, n) => String(strides[n])),
      row("index", (axis) => (known(axis) ? String(at[axis]) : ":")),
      row(fixed.length === 4 ? "place" : "starts at", term, total),
    );
  }

  /** @param {Drawing} drawing */
  function draw(drawing) {
    const { sizes, at, fixed, depth, current, strides, values, contiguous, source } = drawing;
    setText(code, source);
    crumbs.forEach((crumb, n) => {
      setText(crumb, levels[n] + (n ? ` ${fixed.includes(axes[n - 1]) ? at[axes[n - 1]] : ":"}` : ""));
      crumb.setAttribute("aria-current", String(current && n === depth));
    });
    folder.draw(drawing, values);
    drawFacts(drawing);
    setText(badge, contiguous ? "contiguous" : "not contiguous");
    setText(places, `${firstPlaces(sizes, axes, strides, sizes.D + 4).join(" ")} …`);
  }

  return { node, draw, reveal: folder.reveal };
}
