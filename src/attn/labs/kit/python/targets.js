// Which expressions can be assigned to, and what Python says of the others.
import { Problem } from "./cursor.js";

/** @typedef {import("./cursor.js").Node} Node */

const NAMES = {
  Call: "function call",
  JoinedString: "f-string expression",
  Binary: "expression",
  Unary: "expression",
  Logical: "expression",
  Not: "expression",
  Compare: "comparison",
  Conditional: "conditional expression",
  Lambda: "lambda",
  Dict: "dict literal",
  Set: "set display",
  Yield: "yield expression",
  Named: "named expression",
  Attribute: "attribute",
  Subscript: "subscript",
  Name: "name",
  Tuple: "tuple",
  List: "list",
  Starred: "starred",
};
const COMPREHENSIONS = {
  generator: "generator expression",
  list: "list comprehension",
  set: "set comprehension",
  dict: "dict comprehension",
};

// Comes with the second script.
/** What Python calls such an expression. */
export function nameOf(/** @type {Node} */ node) {
  if (node.kind === "Comprehension") return COMPREHENSIONS[node.type];
  if (node.kind !== "Constant") return NAMES[node.kind] ?? "expression";
  if (node.literal === "ellipsis") return "ellipsis";
  return node.literal === "keyword" ? { true: "True", false: "False", null: "None" }[String(node.value)] : "literal";
}

/** The first part of a target that cannot be one, or null. */
export function wrongTarget(/** @type {Node} */ node, deleting = false) {
  if (node.kind === "Tuple" || node.kind === "List") {
    for (const item of node.items) {
      const wrong = wrongTarget(item, deleting);
      if (wrong) return wrong;
    }
    return null;
  }
  if (node.kind === "Starred") return deleting ? node : wrongTarget(node.value);
  return ["Name", "Attribute", "Subscript"].includes(node.kind) ? null : node;
}

/**
 * Refuses a target that cannot be assigned to (or deleted).
 *
 * @param {Node} node
 * @param {string} [verb]
 */
export function checkTarget(node, verb = "assign to") {
  const wrong = wrongTarget(node, verb === "delete");
  if (wrong) throw new Problem(`cannot ${verb} ${nameOf(wrong)}`, wrong);
}

/** Is it what stands between `and`, `or`, `not` and comparisons: arithmetic or less? */
function isArithmetic(/** @type {Node} */ node) {
  return (
    node.parenthesized || !["Compare", "Logical", "Not", "Conditional", "Lambda", "Named", "Starred", "Yield"].includes(node.kind)
  );
}

// Comes with the second script.
/** The message for `a = b` where only an expression may stand; "" if it is another error. */
export function assignedInside(/** @type {Node} */ left) {
  if (left.kind === "Name" && !left.parenthesized) return "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
  const bracketed = ["List", "Tuple"].includes(left.kind) || left.type === "generator";
  const constant = left.kind === "Constant" && left.literal === "keyword";
  if (bracketed || constant || !isArithmetic(left)) return "";
  return `cannot assign to ${nameOf(left)} here. Maybe you meant '==' instead of '='?`;
}
