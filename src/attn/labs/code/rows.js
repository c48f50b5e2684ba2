// What each line of the program makes, beside the line: a table for screen readers, and one tab stop, from which arrow keys go on.

import { element, letter, renewChildren, setAttributes } from "../kit/dom.js";
import { byteCount } from "../kit/format.js";

/** @typedef {import("./analyse.js").Analysis} Analysis */
/** @typedef {import("./analyse.js").Line} Line */
/** @typedef {import("./analyse.js").Failure} Failure */
/** @typedef {import("./analyse.js").Row} Row */
/** @typedef {{ line: number, id: number | null }} Choice a line, and which of its tensors */

const MEANING = {
  view: "the same memory, seen in another way",
  same: "the tensor itself",
  "in place": "written into the memory that was there",
  copy: "the same numbers in new memory",
  new: "computed, in new memory",
  given: "passed to the function",
};

/** A shape in letters, each in the colour of its axis. @param {readonly string[]} axes */
export function shapeOf(axes) {
  const parts = axes.flatMap((axis, n) => [n ? ", " : "", ...axis.split(/([A-Z]v?)/).map((part) => coloured(part))]);
  return element("span", { class: "shape" }, "(", ...parts, axes.length === 1 ? ",)" : ")");
}

/** @param {string} part */
const coloured = (part) => (/^[BLSEHGD]$/.test(part) ? letter(part) : part);

/**
 * What a row says, as one sentence for screen readers.
 *
 * @param {Row} row
 */
export function spoken({ name, axes, shape, memory, op, copies, contiguous }) {
  const copied = copies ? `, with ${copies} hidden ${copies === 1 ? "copy" : "copies"}` : "";
  const how = op ? ` by ${op}` : "";
  return `${name || "value"} (${axes.join(", ")}), sizes ${shape.join(", ")}, ${memory}${how}${copied}${contiguous ? "" : ", not contiguous"}`;
}

/**
 * The rows of all lines, as many as the program has lines.
 *
 * @param {(choice: Choice) => void} onChoose a tensor was chosen
 */
export function rows(onChoose) {
  const node = element("div", { class: "rows", role: "table", "aria-label": "what each line makes", onkeydown: walk });
  /** @type {string[]} what each row was made from; only rows that change are made again */
  let made = [];

  /**
   * @param {number} count of lines
   * @param {Analysis} analysis
   * @param {Choice} chosen
   */
  function draw(count, analysis, chosen) {
    const byLine = new Map(analysis.lines.map((one) => [one.line, one]));
    const failures = new Map([...analysis.syntax, analysis.failure].flatMap((one) => (one ? [[one.line, one]] : [])));
    const keys = Array.from({ length: count }, (_, n) => JSON.stringify([byLine.get(n + 1), failures.get(n + 1)?.type]));
    made = renewChildren(node, made, keys, (n) => rowOf(n + 1, byLine.get(n + 1), failures.get(n + 1)));
    mark(chosen);
  }

  /** @returns {HTMLElement[]} */
  const buttons = () => [...node.querySelectorAll("button")];

  /**
   * Mark the tensor that is drawn large; it is the one that Tab reaches.
   *
   * @param {Choice} chosen
   */
  function mark({ line, id }) {
    const all = buttons();
    const stop = all.find((one) => one.dataset.line === String(line) && one.dataset.id === String(id)) ?? null;
    for (const one of all) {
      setAttributes(one, { "aria-pressed": String(one === stop), tabindex: one === (stop ?? all[0]) ? 0 : -1 });
    }
  }

  /** Up and Down go from line to line, Left and Right through all tensors. @param {KeyboardEvent} event */
  function walk(event) {
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const all = buttons();
    const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
    if (!step || at < 0) return;
    event.preventDefault();
    const isNext = /Left|Right/.test(event.key)
      ? () => true
      : (/** @type {HTMLElement} */ one) => one.dataset.line !== all[at].dataset.line;
    const next = step < 0 ? all.slice(0, at).findLast(isNext) : all.slice(at + 1).find(isNext);
    next?.focus();
    next?.click();
  }

  /**
   * @param {number} number
   * @param {Line | undefined} line
   * @param {Failure | undefined} failure
   */
  function rowOf(number, line, failure) {
    const tensors = (line?.rows ?? []).map((row) => tensorButton(row, number));
    const values = (line?.values ?? []).map((text) => element("small", {}, text));
    const printed = line?.printed ? [element("span", { class: "printed" }, line.printed.trimEnd())] : [];
    const failed = failure ? [element("b", { class: "failure", "data-kind": failure.kind }, `✗ ${failure.type}`)] : [];
    const cells = [...failed, ...tensors, ...values, ...printed];
    if (!cells.length) return element("div", { class: "line-row" });
    const head = element("span", { class: "at", role: "rowheader" }, element("span", { class: "unseen" }, "line "), String(number));
    return element("div", { class: "line-row", role: "row" }, head, element("div", { class: "things", role: "cell" }, ...cells));
  }

  /**
   * @param {Row} row
   * @param {number} line
   */
  function tensorButton(row, line) {
    const memory = element("i", { class: "memory", "data-memory": row.memory, title: MEANING[row.memory] ?? "" }, row.memory);
    const hidden = row.copies ? [element("small", {}, `+${row.copies} hidden ${row.copies === 1 ? "copy" : "copies"}`)] : [];
    const times = row.times > 1 ? [element("small", {}, `×${row.times}`)] : [];
    const strides = element("small", { title: "strides, and bytes" }, `${row.strides.join(" ") || "–"} · ${byteCount(row.bytes)}`);
    return element(
      "button",
      {
        ...{ type: "button", class: "made", "data-line": line, "data-id": row.id, title: spoken(row) },
        onclick: () => onChoose({ line, id: row.id }),
      },
      ...[element("b", {}, row.name), " ", shapeOf(row.axes), " ", memory, " ", strides, ...times, ...hidden],
    );
  }
  return { node, draw, mark };
}
