// Which names belong to a function: those that it assigns to, unless it says `global` or `nonlocal`.

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
export function* bindings(part) {
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
