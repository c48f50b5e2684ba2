// Where the reader types: a plain text area over a coloured copy of its text. So selection, undo, the phone's keyboard and screen readers
// work as everywhere. Tab leaves the editor; Enter keeps the indentation, and Backspace takes it back.

import { element, renewChildren, setAttributes } from "../kit/dom.js";
import { tokensOf } from "./sizes.js";

const INDENT = "    ";
const KINDS = { keyword: "keyword", number: "number", string: "string", bad: "bad" };

/** @typedef {{ from: number, to: number, kind: string }} Span columns of a line */

/**
 * What to colour in each line of a program.
 *
 * @param {string} text
 * @returns {Span[][]}
 */
export function spansOf(text) {
  const lines = text.split("\n");
  /** @type {Span[][]} */
  const spans = lines.map(() => []);
  for (const { type, line, column, endLine, endColumn } of tokensOf(text)) {
    const kind = KINDS[type];
    if (!kind) continue;
    for (let n = line; n <= endLine && n <= lines.length; n++) {
      const to = n === endLine ? endColumn : lines[n - 1].length;
      spans[n - 1].push({ from: n === line ? column : 0, to, kind });
    }
  }
  lines.forEach((line, n) => {
    const from = commentIn(line, spans[n]);
    if (from >= 0) spans[n] = [...spans[n].filter(({ to }) => to <= from), { from, to: line.length, kind: "comment" }];
  });
  return spans;
}

/**
 * Where the comment of a line begins: at the first # that is not in a string; -1 without one.
 *
 * @param {string} line
 * @param {readonly Span[]} spans
 */
function commentIn(line, spans) {
  const isText = (/** @type {number} */ at) => spans.some(({ from, to, kind }) => kind === "string" && at >= from && at < to);
  return [...line].findIndex((char, at) => char === "#" && !isText(at));
}

/**
 * What a key inserts at the place of the cursor: the indentation of the next line after Enter.
 *
 * @param {string} before the text of the line up to the cursor
 */
export function indentationAfter(before) {
  const own = /^[ \t]*/.exec(before)?.[0] ?? "";
  return /:\s*(?:#.*)?$/.test(before) ? own + INDENT : own;
}

/**
 * @param {object} options
 * @param {string} options.label for screen readers
 * @param {(text: string) => void} options.onChange
 * @param {(line: number) => void} options.onLine the cursor is in this line, counted from 1
 */
export function editor({ label, onChange, onLine }) {
  const copy = element("pre", { "aria-hidden": "true" });
  const area = element("textarea", {
    ...{ spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", wrap: "off" },
    ...{ "aria-label": label, oninput: typed, onkeydown: press },
  });
  const node = element("div", { class: "editor" }, copy, area);
  let line = 0; // of the cursor; 0 before the reader has been here
  let last = ""; // what was drawn last
  let isDrawn = false; // does the lab change the text at this moment?
  /** @type {string[]} what each line was drawn from */
  let drawn = [];
  let isTyped = false; // has the reader typed? Then what replaces the text can be undone
  for (const event of ["keyup", "click", "focus", "select"]) area.addEventListener(event, look);

  const lineOfCursor = () => area.value.slice(0, area.selectionStart).split("\n").length;

  function look() {
    if (isDrawn) return;
    const now = lineOfCursor();
    if (now === line) return;
    line = now;
    onLine(line);
  }

  function typed() {
    if (isDrawn) return;
    isTyped = true;
    look();
    onChange(area.value);
    draw(area.value, []); // with the browser's own change: to lay out both together costs half
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const { selectionStart: at, selectionEnd: to, value } = area;
    if (at !== to || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const before = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
    if (event.key === "Enter") {
      event.preventDefault();
      insert(`\n${indentationAfter(before)}`);
    } else if (event.key === "Backspace" && before && /^ +$/.test(before) && before.length % INDENT.length === 0) {
      event.preventDefault();
      area.setSelectionRange(at - INDENT.length, at);
      document.execCommand("delete"); // through the browser, so that it can be undone
    }
  }

  /** @param {string} text */
  function insert(text) {
    if (document.execCommand("insertText", false, text)) return;
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    typed();
  }

  /**
   * Replace the text in a way that the reader can undo: through the browser, which needs the focus for a moment.
   *
   * @param {string} next
   */
  function replace(next) {
    const { value } = area;
    let [from, end] = [0, 0];
    while (from < Math.min(value.length, next.length) && value[from] === next[from]) from++;
    while (end < Math.min(value.length, next.length) - from && value.at(-1 - end) === next.at(-1 - end)) end++;
    const focused = document.activeElement;
    isDrawn = true;
    area.focus({ preventScroll: true });
    area.setSelectionRange(from, value.length - end);
    const part = next.slice(from, next.length - end);
    document.execCommand(part ? "insertText" : "delete", false, part);
    if (area.value !== next) area.value = next;
    if (focused instanceof HTMLElement && focused !== area) focused.focus({ preventScroll: true });
    isDrawn = false;
    line = lineOfCursor(); // it is the lab that moved it: no event that is yet to come says that the reader went there
  }

  /**
   * Show this text, with the lines that failed marked, and one that differs from another program.
   *
   * @param {string} text
   * @param {readonly number[]} failed
   * @param {number} [marked]
   */
  function draw(text, failed, marked = 0) {
    if (area.value !== text) {
      if (isTyped) replace(text);
      else area.value = text;
    }
    const key = JSON.stringify([text, failed, marked]);
    if (key === last) return;
    last = key;
    const lines = text.split("\n");
    const spans = spansOf(text);
    const names = lines.map((_, n) => classOf(n + 1, failed, marked));
    const keys = lines.map((one, n) => JSON.stringify([one, spans[n], names[n]]));
    drawn = renewChildren(copy, drawn, keys, (n) => coloured(n + 1, lines[n], spans[n], names[n]));
    setAttributes(area, { rows: lines.length });
    const columns = String(Math.max(...lines.map((one) => one.length)) + 2);
    if (node.style.getPropertyValue("--columns") !== columns) node.style.setProperty("--columns", columns);
  }
  return {
    node,
    copy,
    draw,
    /** As if the reader had not been here. */
    leave() {
      line = 0;
    },
    /** The line of the cursor; 0 before the reader was here. */
    get line() {
      return line;
    },
  };
}

/**
 * @param {number} line
 * @param {readonly number[]} failed
 * @param {number} marked
 */
const classOf = (line, failed, marked) => `line${failed.includes(line) ? " failed" : ""}${line === marked ? " marked" : ""}`;

/**
 * A line with its number and its colours. Everything is text: code may come by a link.
 *
 * @param {number} number
 * @param {string} text
 * @param {readonly Span[]} spans
 * @param {string} name of its class
 */
function coloured(number, text, spans, name) {
  const line = element("span", { class: name, "data-line": number }); // a counter in CSS would count all lines anew at each key
  let at = 0;
  for (const { from, to, kind } of spans) {
    if (from < at) continue;
    line.append(text.slice(at, from), element("span", { class: kind }, text.slice(from, to)));
    at = to;
  }
  line.append(text.slice(at));
  return line;
}
