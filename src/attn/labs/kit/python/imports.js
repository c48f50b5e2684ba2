// `import` and `from ... import`.
import { attributeOfModule } from "./attributes.js";
import { Scope } from "./objects.js";
import { parse } from "./parser.js";
import { noteMissing, rest } from "./rest.js";
import { Namespace, PyError, raise } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./steps.js").Steps} Steps */

/**
 * A module, by its path. One that is written in Python is run first, in a scope of its own.
 *
 * @param {string} path "torch.nn"
 * @param {Steps} machine
 * @returns {Namespace}
 */
export function importModule(path, machine) {
  const { modules, sources } = machine;
  if (Object.hasOwn(modules, path)) return modules[path];
  const parts = path.split(".");
  const [root] = parts;
  if (!Object.hasOwn(modules, root) && !Object.hasOwn(sources, root)) {
    noteMissing();
    if (rest.hasModule(root)) return absent(path);
    raise("ModuleNotFoundError", `No module named '${root}'`);
  }
  if (parts.length === 1) return runModule(path, machine);
  const name = parts.pop() ?? "";
  const parent = importModule(parts.join("."), machine);
  if (Object.hasOwn(modules, path)) return modules[path];
  if (Object.hasOwn(sources, path)) {
    const made = runModule(path, machine);
    parent.members[name] = made;
    return made;
  }
  const found = parent.members[name];
  if (found instanceof Namespace) return found;
  if (parent.has(name)) return absent(path);
  const plain = !Object.keys({ ...modules, ...sources }).some((one) => one.startsWith(`${parent.name}.`));
  return raise("ModuleNotFoundError", `No module named '${path}'${plain ? `; '${parent.name}' is not a package` : ""}`);
}

/**
 * A module that the page has not. Many programs import one for another part of their code, so only what takes something of it stops.
 *
 * @param {string} path
 */
const absent = (path) => new Namespace(path, {}, () => true);

/** The syntax trees of modules, by their text: programs import the same ones again and again. @type {Map<string, ReturnType<typeof parse>>} */
const trees = new Map();

// Comes with the second script.
/**
 * Runs a module that is written in Python. While it runs, others that import it see what it has so far.
 *
 * @param {string} path
 * @param {Steps} machine
 */
function runModule(path, machine) {
  const text = machine.sources[path];
  const { body, errors } = trees.get(text) ?? parse(text);
  trees.set(text, { body, errors });
  if (errors.length) throw errors[0];
  const scope = new Scope("module", null);
  scope.library = true;
  scope.vars.set("__name__", path);
  const members = /** @type {Record<string, Value>} */ ({});
  const made = new Namespace(path, members, () => true); // a page may have a part of it: what is not there is not in the page
  scope.vars.set = (name, value) => {
    members[name] = value;
    return Map.prototype.set.call(scope.vars, name, value);
  };
  machine.modules[path] = made;
  machine.frame(scope, () => machine.block(body, scope).next());
  return made;
}

// Comes with the second script.
/**
 * The names that `from ... import` binds.
 *
 * @param {Node} node
 * @param {Steps} machine
 * @returns {[string, Value][]}
 */
export function importFrom({ path, names, relative }, machine) {
  if (relative) return raise("ImportError", "attempted relative import with no known parent package");
  if (path === "__future__") return [];
  const module = importModule(path, machine);
  if (!names) return Object.entries(module.members).filter(([name]) => !name.startsWith("_"));
  return names.map((/** @type {any} */ one) => [one.alias ?? one.path, member(module, one.path, machine)]);
}

// Comes with the second script.
/**
 * @param {Namespace} module
 * @param {string} name
 * @param {Steps} machine
 */
function member(module, name, machine) {
  if (Object.hasOwn(module.members, name)) return module.members[name];
  const inner = `${module.name}.${name}`;
  if (Object.hasOwn(machine.modules, inner) || Object.hasOwn(machine.sources, inner)) return importModule(inner, machine);
  try {
    return attributeOfModule(module, name);
  } catch (error) {
    if (!(error instanceof PyError) || error.type !== "AttributeError") throw error;
    return raise("ImportError", `cannot import name '${name}' from '${module.name}' (unknown location)`);
  }
}
