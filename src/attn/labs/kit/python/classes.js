// The statement `class`.
import { OBJECT } from "./exceptions.js";
import { BuiltinType, Scope } from "./objects.js";
import { NotHere, PyClass, PyObject, raise, typeName } from "./values.js";

/** @typedef {import("./cursor.js").Node} Node */
/** @typedef {import("./execute.js").Executor} Executor */

/** Built-in classes that a reader's class cannot extend in the page. */
const CLOSED = new Set(["int", "float", "str", "list", "tuple", "dict", "set", "range"]);

/**
 * @param {Node} node
 * @param {Scope} outer
 * @param {Executor} machine
 */
export function makeClass(node, outer, machine) {
  const bases = [];
  /** @type {PyClass["prepare"]} what a base, such as NamedTuple, makes of the class */
  let ready = null;
  for (const { value, name, star } of node.bases) {
    const found = machine.evaluate(value, outer);
    if (star) throw new NotHere("a star in the bases of a class");
    if (name === null) bases.push(baseOf(found));
    else if (name !== "metaclass") throw new NotHere(`the argument ${name} of a class`);
  }
  machine.line = node.line;
  for (const base of bases) {
    if (base.name === "bool") raise("TypeError", "type 'bool' is not an acceptable base type");
    if (base instanceof BuiltinType && CLOSED.has(base.name)) throw new NotHere(`a class that extends ${base.name}`);
    ready ??= base.prepare;
  }
  const scope = new Scope("class", outer.enclosing);
  scope.name = outer.kind === "class" ? `${outer.name}.${node.name}` : node.name;
  scope.cell = { type: null };
  machine.frame(scope, () => machine.block(node.body, scope).next());
  const type = new PyClass(node.name, bases.length ? bases : [OBJECT], scope.vars);
  type.qualname = (outer.code && outer.kind !== "class" ? `${outer.code.qualname}.<locals>.` : "") + scope.name;
  type.annotations = scope.annotations;
  if (scope.vars.has("__eq__") && !scope.vars.has("__hash__")) scope.vars.set("__hash__", null);
  const inherited = bases.flatMap((base) => base.abstract).filter((name) => type.find(name)?.abstract);
  const own = [...scope.vars].filter(([, value]) => (value?.getter ?? value)?.abstract).map(([name]) => name);
  type.abstract = [...new Set([...inherited, ...own])].sort();
  scope.cell.type = type;
  for (const [name, value] of scope.vars) {
    if (value instanceof PyObject && value.type.find("__set_name__"))
      machine.call(machine.special(value, "__set_name__"), [type, name]);
  }
  const made = ready ? ready(type, machine) : type;
  for (const base of bases) {
    const hook = base.find("__init_subclass__");
    if (hook) machine.call(hook.method ?? hook, [made]);
  }
  return made;
}

/** @param {any} value */
function baseOf(value) {
  if (value?.typing) return value.base ?? OBJECT;
  return value instanceof PyClass ? value : raise("TypeError", `${typeName(value)}() takes no arguments`);
}
