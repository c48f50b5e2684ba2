// One program: its text, what each line makes, its error, and the chosen tensor drawn large.

import { element } from "../kit/dom.js";
import { editor } from "./editor.js";
import { large } from "./large.js";
import { rows } from "./rows.js";
import { failureNode } from "./words.js";

/** @typedef {import("./analyse.js").Analysis} Analysis */
/** @typedef {import("./analyse.js").Row} Row */
/** @typedef {import("./rows.js").Choice} Choice */
/** @typedef {import("./sheets.js").Detail} Detail */
/** @typedef {Analysis & { details: Record<number, Detail> }} Results */

/** @typedef {{ line: number, name: string | null }} Wish the line that the reader looks at, and which of its tensors */

/** @type {Choice} */
const NOTHING = { line: 0, id: null };
/** @type {Wish} */
const NO_WISH = { line: 0, name: null };

/**
 * @param {object} options
 * @param {string} options.label for screen readers
 * @param {() => boolean} options.hasLess whether words take some of the room of the large tensor
 * @param {() => number} options.height how high the large tensor may be
 * @param {(text: string) => void} options.onType
 * @param {() => void} options.onChoose the reader has chosen a line or a tensor
 * @param {(sentence: string) => void} options.onPoint what is at the pointer, or ""
 * @param {() => void} options.start begin the move of the large tensor
 * @param {HTMLElement[]} [options.under] what stands under the program
 */
export function program({ label, hasLess, height, onType, onChoose, onPoint, start, under = [] }) {
  /** @type {Results | null} */
  let results = null;
  let chosen = NOTHING;
  let wish = NO_WISH;
  const text = editor({
    label,
    onLine: (line) => choose({ line, id: null }),
    onChange(typed) {
      wish = { line: text.line, name: null };
      onType(typed);
    },
  });
  const beside = rows(choose);
  const box = element("div", { class: "program" }, text.node, beside.node);
  const problems = element("div", { class: "problems" });
  const place = large({ hasLess, height, start, onPoint });
  const node = element("div", { class: "side" }, box, problems, ...under, place.node);

  const rowsOf = (/** @type {number} */ line) => results?.lines.find((one) => one.line === line)?.rows ?? [];

  /**
   * The reader has gone to a line: draw its last tensor, or the one that was chosen. A line without one leaves the tensor that is
   * drawn.
   *
   * @param {Choice} choice
   */
  function choose({ line, id }) {
    const row = rowsOf(line).find((one) => one.id === id) ?? rowsOf(line).at(-1);
    if (row) {
      wish = { line, name: row.name };
      chosen = { line, id: row.id };
      beside.mark(chosen);
      place.show(results?.details[row.id] ?? null);
    }
    onChoose();
  }

  /**
   * Draw the program and, if they are there, its results.
   *
   * @param {string} code
   * @param {Results | null} found
   * @param {{ marked?: number, again?: boolean, at?: Wish }} [how] marked: a line that differs; again: show how the tensor came to
   *   be; at: what to draw large
   */
  function draw(code, found, { marked = 0, again = false, at } = {}) {
    const failures = found ? [...(found.failure ? [found.failure] : []), ...found.syntax] : [];
    text.draw(
      code,
      failures.map((one) => one.line),
      marked,
    );
    if (!found) return;
    results = found;
    problems.replaceChildren(...failures.slice(0, 1).map(failureNode));
    if (again) wish = NO_WISH;
    chosen = wishedFor(found, at ?? wish);
    beside.draw(code.split("\n").length, found, chosen);
    if (again || at) scrollTo(chosen.line);
    const detail = chosen.id === null ? null : (found.details[chosen.id] ?? null);
    place.show(detail, again ? { from: beforeIt(found, chosen) } : undefined);
  }

  /** Put a line in the middle of what scrolls, if it is not in view. @param {number} line */
  function scrollTo(line) {
    for (const [scroller, list] of [
      [box, text.copy],
      [text.node, text.copy],
      [beside.node, beside.node],
    ]) {
      const row = list.children[line - 1];
      if (!row || scroller.scrollHeight <= scroller.clientHeight) continue;
      const [place, frame] = [row.getBoundingClientRect(), scroller.getBoundingClientRect()];
      if (place.top < frame.top || place.bottom > frame.bottom)
        scroller.scrollTop += (place.top + place.bottom - frame.top - frame.bottom) / 2;
    }
  }

  return {
    node,
    text,
    draw,
    paint: place.paint,
    /** Forget where the reader was. */
    restart() {
      wish = NO_WISH;
      for (const one of [box, text.node, beside.node]) one.scrollTop = 0;
      text.leave();
    },
    /** @returns {number} the line of the cursor */
    get line() {
      return text.line;
    },
    /** The tensor that is drawn large, with its line. @returns {{ row: Row, line: number } | null} */
    get chosen() {
      const row = rowsOf(chosen.line).find(({ id }) => id === chosen.id);
      return row ? { row, line: chosen.line } : null;
    },
  };
}

/**
 * The tensor that a reader looks at: this one, or the last one of this line, of the lines above, of the program.
 *
 * @param {Results} results
 * @param {Wish} wish
 * @returns {Choice}
 */
function wishedFor({ lines }, { line, name }) {
  const all = lines.flatMap((one) => one.rows.map((row) => ({ line: one.line, name: row.name, id: row.id })));
  const found =
    all.find((one) => one.line === line && one.name === name) ?? all.findLast((one) => one.line <= line) ?? all.at(-1) ?? NOTHING;
  return { line: found.line, id: found.id };
}

/** The tensor before a chosen one. @param {Results} results @param {Choice} chosen @returns {Detail | null} */
function beforeIt({ lines, details }, chosen) {
  const all = lines.flatMap(({ line, rows: made }) => made.map(({ id }) => ({ line, id })));
  const at = all.findIndex(({ line, id }) => line === chosen.line && id === chosen.id);
  return at > 0 ? (details[all[at - 1].id] ?? null) : null;
}
