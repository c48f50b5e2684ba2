// BugLab's tabs: one for each table. They say which tables give the line of code away.

import { element, setText } from "../kit/dom.js";
import { range } from "../kit/math.js";
import { GROUPED, sizesOf } from "./model.js";
import { captionOf, headOf } from "./words.js";

/** @param {(table: number) => void} onSee draws this table */
export function tabsOf(onSee) {
  let count = 0;
  let seen = 0;
  const tabs = range(GROUPED.H + 1).map((table) => {
    const [what, name, told] = [element("b"), element("b"), element("span")];
    return { node: element("button", { type: "button", onclick: () => onSee(table) }, what, " ", name, told), what, name, told };
  });
  const nodes = tabs.map(({ node }) => node);
  const node = element("div", { class: "bug-tabs", role: "group", "aria-label": "tables", onkeydown: turn }, ...nodes);

  /** Arrow keys go from tab to tab. @param {KeyboardEvent} event */
  function turn({ key }) {
    const step = { ArrowRight: 1, ArrowLeft: count - 1 }[key];
    if (!step) return;
    onSee((seen + step) % count);
    nodes[seen].focus();
  }

  /**
   * @param {import("./model.js").State} state
   * @param {import("./model.js").Results} results
   * @param {number} now the table that is drawn
   * @param {boolean} isTold whether the reader knows the line
   * @param {boolean} isOfParts whether the last table is of what W_O turns into y
   */
  function draw(state, results, now, isTold, isOfParts) {
    const { H } = sizesOf(state.given);
    [count, seen] = [H + 1, now];
    for (const [table, { node, what, name, told }] of tabs.entries()) {
      node.hidden = table > H;
      if (node.hidden) continue;
      setText(what, table < H ? "head" : isOfParts ? "into" : "output");
      setText(name, table < H ? headOf(state, table) : isOfParts ? "W_O" : "y");
      node.setAttribute("aria-pressed", String(table === now));
      node.tabIndex = table === now ? 0 : -1;
      const { text, kind } = captionOf(state, results, table);
      setText(told, isTold ? text : "");
      told.className = kind;
    }
  }

  return { node, draw };
}
