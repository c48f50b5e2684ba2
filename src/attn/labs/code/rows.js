// What each line of the program makes, beside the line.

import { element, letter } from "../kit/dom.js";
import { byteCount } from "../kit/format.js";

/** @typedef {import("./analyse.js").Analysis} Analysis */
/** @typedef {import("./analyse.js").Row} Row */

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
 * @param {(line: number, id: number) => void} onChoose a tensor was chosen
 */
export function rows(onChoose) {
  const node = element("div", { class: "rows" });

  /**
   * @param {number} count of lines
   * @param {Analysis} analysis
   * @param {{ line: number, id: number | null }} chosen
   */
  function draw(count, analysis, chosen) {
    const byLine = new Map(analysis.lines.map((one) => [one.line, one]));
    const failures = new Map([...analysis.syntax, analysis.failure].flatMap((one) => (one ? [[one.line, one]] : [])));
    const lines = Array.from({ length: count }, (_, n) => {
      const [line, failure] = [byLine.get(n + 1), failures.get(n + 1)];
      const tensors = (line?.rows ?? []).map((row) => tensorButton(row, n + 1, chosen.id === row.id && chosen.line === n + 1));
      const values = (line?.values ?? []).map((text) => element("small", {}, text));
      const printed = line?.printed ? [element("span", { class: "printed" }, line.printed.trimEnd())] : [];
      const failed = failure ? [element("b", { class: "failure", "data-kind": failure.kind }, `✗ ${failure.type}`)] : [];
      return element("div", { class: "row" }, ...failed, ...tensors, ...values, ...printed);
    });
    node.replaceChildren(...lines);
  }

  /**
   * @param {Row} row
   * @param {number} line
   * @param {boolean} isChosen
   */
  function tensorButton(row, line, isChosen) {
    const memory = element("i", { class: "memory", "data-memory": row.memory, title: MEANING[row.memory] ?? "" }, row.memory);
    const hidden = row.copies ? [element("small", {}, `+${row.copies} hidden ${row.copies === 1 ? "copy" : "copies"}`)] : [];
    const times = row.times > 1 ? [element("small", {}, `×${row.times}`)] : [];
    const strides = element("small", { title: "strides, and bytes" }, `${row.strides.join(" ") || "–"} · ${byteCount(row.bytes)}`);
    const button = element(
      "button",
      { type: "button", class: "made", tabindex: -1, "aria-pressed": String(isChosen), onclick: () => onChoose(line, row.id) },
      ...[element("b", {}, row.name), " ", shapeOf(row.axes), " ", memory, " ", strides, ...times, ...hidden],
    );
    return button;
  }
  return { node, draw };
}
