// BugLab's code: a line for each step of the layer, and the wrong one among them. When it is said, the right one stands below it, alone.

import { element, letter } from "../kit/dom.js";

/** @typedef {[step: string, text: string]} Line */
/** @typedef {[line: number, start: number, end: number, wrong: string]} Told what is wrong in a line, and where */

const NEAR = 5; // a phone has room for as many lines: the first or the last
const PARTS = /\b([BHLSD]|return|if|is|else|\w+(?=\())\b/; // what has a colour: axes, keywords, and what is called

/** Code in its colours. @param {string} text */
const coloured = (text) =>
  text.split(PARTS).map((part, n) => (n % 2 ? (part.length < 2 ? letter(part) : element("i", {}, part)) : part));

/**
 * @param {Line[]} lines in the order in which they run
 * @param {number[]} main which of them are in sight with every bug
 * @param {(isWrong: boolean, start: string) => void} onPress start: with which the line begins
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
    const from = at < NEAR ? 0 : shown.length - NEAR;
    const isTold = at >= 0 && !isAsked;
    const left = isTold ? [shown[at]] : shown;
    node.replaceChildren(
      ...left.map(([step, code], n) => {
        const isWrong = code === text;
        const [before, right, after] = [code.slice(0, start), code.slice(start, end), code.slice(end)];
        const told = [element("del", {}, wrong), element("ins", {}, right)];
        const ways = isTold
          ? told.map((part) => [...coloured(before), part, ...coloured(after)])
          : [coloured(isWrong ? before + wrong + after : code)];
        const look = { class: isTold || (n >= from && n < from + NEAR) ? "line" : "line away" };
        const onclick = (/** @type {any} */ { currentTarget: line }) => {
          line.classList.add("tried");
          onPress(isWrong, `${code.match(/(return )?\w+/)?.[0]}`);
        };
        const press = { type: "button", tabindex: n ? -1 : 0, onclick, onkeydown: walk };
        return element(
          isAsked ? "button" : "div",
          isAsked ? { ...look, ...press } : look,
          element("small", {}, step),
          ...ways.map((parts) => element("code", {}, ...parts)),
        );
      }),
      isTold ? "" : element("small", { class: "more" }, `⋮ ${shown.length - NEAR} right lines`),
    );
  }

  /** No line has been pressed when the next thing is drawn. */
  function forget() {
    drawn = "";
  }

  return { node, draw, forget };
}
