// BugLab's code: a line for each step of the layer, and the wrong one among them. When it is said, the right one stands below it, and of
// the others one is left.

import { element } from "../kit/dom.js";

/** @typedef {[step: string, text: string]} Line */
/** @typedef {[line: number, start: number, end: number, wrong: string]} Told what is wrong in a line, and where */

const NEAR = 5; // a phone has room for as many lines: the first or the last

/**
 * @param {Line[]} lines in the order in which they run
 * @param {number[]} main which of them are in sight with every bug
 * @param {(isWrong: boolean) => void} onPress
 */
export function codeOf(lines, main, onPress) {
  /** Arrow keys go from line to line. @param {any} event */
  function walk({ key, currentTarget: line }) {
    const next = key === "ArrowDown" ? line.nextSibling : key === "ArrowUp" && line.previousSibling;
    if (next) next.focus();
  }
  const node = element("div", { class: "code", role: "group", "aria-label": "code of the layer" });
  let drawn = "";

  /** @param {Told | undefined} bug @param {boolean} isAsked whether the reader looks for its line */
  function draw(bug, isAsked) {
    const now = `${bug} ${isAsked}`;
    if (now === drawn) return; // what has the focus keeps it
    drawn = now;
    const [own, start, end, wrong] = bug ?? [-1, 0, 0, ""];
    const text = lines[own]?.[1];
    const isMain = main.some((n) => lines[n][1] === text);
    const shown = lines.filter((_, n) => main.includes(n) || (n === own && !isMain));
    const at = shown.findIndex(([, code]) => code === text);
    const isLate = at >= NEAR;
    const isTold = at >= 0 && !isAsked;
    const left = isTold ? shown.slice(Math.max(0, at - 1), Math.max(2, at + 1)) : shown;
    node.replaceChildren(
      ...left.map(([step, code], n) => {
        const isWrong = code === text;
        const parts = isWrong && !isAsked ? [element("del", {}, wrong), element("ins", {}, code.slice(start, end))] : [wrong];
        const look = { class: (isLate ? n < left.length - NEAR : n >= NEAR) ? "line away" : "line" };
        const press = { type: "button", tabindex: n ? -1 : 0, onclick: () => onPress(isWrong), onkeydown: walk };
        return element(
          isAsked ? "button" : "div",
          isAsked ? { ...look, ...press } : look,
          element("small", {}, step),
          ...parts.map((part) => element("code", {}, ...(isWrong ? [code.slice(0, start), part, code.slice(end)] : [code]))),
        );
      }),
    );
    const more = element("small", { class: "more" }, `⋮ ${shown.length - NEAR} more lines are right`);
    if (!isTold) node[isLate ? "prepend" : "append"](more);
  }

  return { node, draw };
}
