// Which names belong to a function: those that it assigns to, unless it says `global` or `nonlocal`.

import { Problem } from "./cursor.js";

/** @typedef {import("./cursor.js").Node} Node */

const SCOPES = new Set(["Function", "Class", "Lambda"]);
/** @type {WeakMap<Node, { locals: Set<string>, globals: Set<string> }>} */
const known = new WeakMap();

/**
 * The local names of a function, and those that are global in it.
 *
 * @param {Node} code a Function or Lambda
 */
export function namesOf(code) {
  let names = known.get(code);
  if (!names) {
    const locals = new Set(code.parameters.map((/** @type {any} */ { name }) => name));
    const globals = new Set();
    const nonlocals = new Set();
    for (const { kind, names: listed } of bindings(code.body)) {
      for (const name of listed) (kind === "Global" ? globals : kind === "Nonlocal" ? nonlocals : locals).add(name);
    }
    for (const name of [...globals, ...nonlocals]) locals.delete(name);
    names = { locals, globals };
    known.set(code, names);
  }
  return names;
}

/**
 * What binds names in these nodes, without the functions and classes inside.
 *
 * @param {any} part
 * @returns {Generator<{ kind: string, node: Node, names: string[] }>}
 */
function* bindings(part) {
  if (Array.isArray(part)) {
    for (const one of part) yield* bindings(one);
    return;
  }
  if (!part || typeof part !== "object") return;
  const { kind } = part;
  if (kind === "Global" || kind === "Nonlocal") yield { kind, node: part, names: part.names };
  if (kind === "Import" || kind === "ImportFrom") {
    yield { kind, node: part, names: (part.names ?? []).map((/** @type {any} */ { path, alias }) => alias ?? path.split(".")[0]) };
  }
  if (kind === "Named" || kind === "Function" || kind === "Class") yield { kind, node: part, names: [part.name] };
  if (SCOPES.has(kind)) {
    yield* bindings(part.decorators);
    return;
  }
  if (kind === "Comprehension") {
    for (const { node, names, kind: inner } of bindings([
      part.element,
      part.value,
      part.clauses.map((/** @type {any} */ one) => [one.iterable, one.conditions]),
    ])) {
      if (inner === "Named") yield { kind: inner, node, names };
    }
    return;
  }
  if (["Assign", "Yielding"].includes(kind)) yield { kind, node: part, names: targetNames(part.targets) };
  if (["For", "Augmented", "Annotated"].includes(kind)) yield { kind, node: part, names: targetNames([part.target]) };
  if (kind === "Delete") yield { kind, node: part, names: targetNames(part.targets) };
  if (kind === "With") yield { kind, node: part, names: targetNames(part.items.map((/** @type {any} */ { target }) => target)) };
  if (kind === "Try") yield { kind, node: part, names: part.handlers.flatMap((/** @type {any} */ { name }) => name ?? []) };
  for (const field in part)
    if (typeof part[field] === "object" && field !== "annotation" && field !== "problem") yield* bindings(part[field]);
}

/**
 * @param {(Node | null)[]} targets
 * @returns {string[]}
 */
function targetNames(targets) {
  return targets.flatMap((target) => {
    if (target?.kind === "Name") return [target.id];
    if (target?.kind === "Starred") return targetNames([target.value]);
    return target?.kind === "Tuple" || target?.kind === "List" ? targetNames(target.items) : [];
  });
}

/**
 * What is wrong with the `global` and `nonlocal` statements of a program.
 *
 * @param {Node[]} body
 */
export function nameProblems(body) {
  /** @type {Problem[]} */
  const problems = [];
  inspect(body, null, [], problems);
  return problems;
}

// Comes with the second script.
/**
 * @param {any} body
 * @param {Node | null} code the function that it is the body of
 * @param {Node[]} around the functions around that
 * @param {Problem[]} problems
 */
function inspect(body, code, around, problems) {
  const parameters = new Set(code?.parameters.map((/** @type {any} */ { name }) => name));
  const assigned = new Set();
  const used = new Set();
  const enclosing = code ? [...around, code] : around;
  for (const { node, names, kind } of uses(body)) {
    if (kind === "inner") inspect(node.body, node.kind === "Class" ? null : node, enclosing, problems);
    for (const name of names) {
      if (kind === "use") used.add(name);
      else if (kind === "assign" || kind === "inner") assigned.add(name);
      else {
        const word = kind.toLowerCase();
        const wrong = (/** @type {string} */ message) => problems.push(new Problem(message, node, "SyntaxError", 1));
        if (parameters.has(name)) wrong(`name '${name}' is parameter and ${word}`);
        else if (assigned.has(name)) wrong(`name '${name}' is assigned to before ${word} declaration`);
        else if (used.has(name)) wrong(`name '${name}' is used prior to ${word} declaration`);
        else if (kind === "Nonlocal" && enclosing.length && !around.some((one) => namesOf(one).locals.has(name)))
          wrong(`no binding for nonlocal '${name}' found`);
      }
    }
  }
}

// Comes with the second script.
/**
 * The names in these nodes as they come: used, assigned, declared; and the functions and classes inside.
 *
 * @param {any} part
 * @returns {Generator<{ kind: string, node: Node, names: string[] }>}
 */
function* uses(part) {
  if (Array.isArray(part)) {
    for (const one of part) yield* uses(one);
    return;
  }
  if (!part || typeof part !== "object" || part.kind === "Broken") return;
  const { kind } = part;
  if (SCOPES.has(kind)) {
    yield* uses(part.decorators);
    yield { kind: "inner", node: part, names: kind === "Lambda" ? [] : [part.name] };
    return;
  }
  if (kind === "Name") yield { kind: "use", node: part, names: [part.id] };
  if (kind === "Global" || kind === "Nonlocal") yield { kind, node: part, names: part.names };
  const targets = { Assign: part.targets, Augmented: [part.target], Annotated: [part.target], For: [part.target] }[kind];
  if (targets) yield { kind: "assign", node: part, names: targetNames(targets) };
  for (const field in part)
    if (typeof part[field] === "object" && !(targets && field.startsWith("target"))) yield* uses(part[field]);
}
