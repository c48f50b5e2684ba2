// What CodeLab says: what went wrong and how to mend it, or what the line under the cursor makes.

import { element } from "../kit/dom.js";
import { shapeOf, spoken } from "./rows.js";

/** @typedef {import("./analyse.js").Analysis} Analysis */
/** @typedef {import("./analyse.js").Failure} Failure */

const WHOSE = {
  "not here": "The page does not have everything that Python and PyTorch have. Open this in Jupyter to run it.",
  limit: "A page stops what takes too long. Choose smaller sizes, or run it in Jupyter.",
  page: "Please report it; in Jupyter the same code runs in the real PyTorch.",
};

/**
 * The error of a program: where, in Python's own words, what it means, how to mend it.
 *
 * @param {Failure} failure
 * @returns {HTMLElement}
 */
export function failureNode({ kind, type, message, line, lines, means, fix }) {
  const way = lines.length > 1 ? `, called in line ${whereCalled(lines.slice(1))}` : "";
  const paragraphs = kind === "reader" ? [means, fix && `Fix: ${fix}`] : [WHOSE[kind]];
  return element(
    "div",
    { class: "failed", "data-kind": kind },
    element(
      "p",
      {},
      element("b", {}, line ? `Line ${line}${way}` : ""),
      " ",
      element("code", {}, kind === "reader" ? `${type}: ${message}` : message),
    ),
    ...paragraphs.filter(Boolean).map((text) => element("p", {}, text)),
  );
}

/** The lines of the calls, the innermost first; of an endless recursion a few. @param {number[]} lines */
export const whereCalled = (lines) => lines.slice(0, 6).join(", then ") + (lines.length > 6 ? " …" : "");

export const NO_TENSOR = "No tensor yet. Type a line such as x = torch.randn(2, 5, 12).";

/**
 * The sentence about the tensor that is drawn large.
 *
 * @param {import("./analyse.js").Row} row
 * @param {number} line
 * @returns {(Node | string)[]}
 */
export function aboutRow({ name, axes, shape, strides, memory, op, contiguous, copies }, line) {
  const how = {
    view: `${op} returns a view: the numbers stay where they are in memory, and only the strides change.`,
    same: `${op} returns the tensor itself.`,
    "in place": `${op} writes into the memory that was there.`,
    copy: `${op} copies the numbers to new memory.`,
    new: op ? `${op} computes new numbers.` : "",
    given: "It is passed to the function.",
  }[memory];
  const extra = [
    contiguous ? "" : `It is not contiguous: strides ${strides.join(", ")}.`,
    copies ? `On the way it makes ${copies} hidden ${copies === 1 ? "copy" : "copies"}.` : "",
  ];
  const sizes = shape.join(", ");
  const text = [how, ...extra].filter(Boolean).join(" ");
  return [`Line ${line}: `, element("b", {}, name || op || "value"), " ", shapeOf(axes), ` = (${sizes}). ${text}`];
}

/**
 * The sentence about two versions.
 *
 * @param {import("./compare.js").Comparison} comparison
 * @returns {(Node | string)[]}
 */
export function aboutComparison({ pairs, first }) {
  const of = `${pairs} ${pairs === 1 ? "tensor has" : "tensors have"} the same name in both versions`;
  if (!first) return [pairs ? `${of}, and their numbers are equal.` : "No tensor has the same name in both versions."];
  const [mine, theirs] = first.lines;
  const [one, two] = first.shapes.map((shape) => `(${shape.join(", ")})`);
  const where = mine === theirs ? `line ${mine}` : `line ${mine} here, line ${theirs} there`;
  const how = one === two ? `Shapes equal, ${first.differ} of ${first.of} numbers differ.` : `Shapes ${one} and ${two}.`;
  return ["First tensor in which they differ: ", element("b", {}, first.name), `, ${where}. ${how}`];
}

/**
 * What a screen reader hears of a line.
 *
 * @param {Analysis} analysis
 * @param {number} line
 */
export function spokenLine(analysis, line) {
  const failure = [...analysis.syntax, analysis.failure].find((one) => one?.line === line);
  if (failure) return `${line ? `Line ${line}: ` : ""}${failure.type}. ${failure.means || failure.message} ${failure.fix}`.trim();
  const found = analysis.lines.find((one) => one.line === line);
  const parts = [
    ...(found?.rows ?? []).map(spoken),
    ...(found?.values ?? []),
    found?.printed ? `prints ${found.printed.trim()}` : "",
  ];
  return parts.filter(Boolean).join("; ");
}
