// nn.Module: an object whose parameters, buffers and modules are found by name. It is a class of Python whose methods are JavaScript.

import { Bound, Iter, Native, NotHere, PyClass, PyObject, raise, tuple } from "../python/values.js";
import { hasName } from "./known.js";
import { state, tables } from "./operation.js";
import { bindPython, kindOf, parseSignature } from "./signature.js";
import { parameterClass, Tensor } from "./tensor.js";
import { alias } from "./views.js";

/** @typedef {any} Value */
/** @typedef {import("../python/values.js").Call} Call */

/** A generator, as model.parameters() returns one. @param {Iterable<Value>} items */
export const generatorOf = (items) => new Iter("generator", items[Symbol.iterator]());

export const moduleClass = new PyClass("Module");
moduleClass.module = "torch.nn.modules.module";

/**
 * Gives a class a method.
 *
 * @param {PyClass} owner
 * @param {string} text its signature without self, such as "eval()" or "train(mode any=True)"
 * @param {(self: PyObject, given: Record<string, Value>, call: Call) => Value} run
 */
export function method(owner, text, run) {
  const signature = parseSignature(text);
  const { name } = signature;
  owner.dict.set(
    name,
    new Native(name, ([self = noSelf(owner, name), ...args], kwargs, call) =>
      run(self, bindPython(signature, args, kwargs, `${owner.name}.${name}`), call),
    ),
  );
}

/** A method is called on its class, without an object. @param {PyClass} owner @param {string} name @returns {never} */
const noSelf = (owner, name) => raise("TypeError", `${owner.name}.${name}() missing 1 required positional argument: 'self'`);

/**
 * A method that takes any number of arguments.
 *
 * @param {PyClass} owner
 * @param {string} name
 * @param {(self: PyObject, args: Value[], kwargs: Record<string, Value>, call: Call) => Value} run
 */
export function freeMethod(owner, name, run) {
  owner.dict.set(name, new Native(name, ([self = noSelf(owner, name), ...args], kwargs, call) => run(self, args, kwargs, call)));
}

/** @param {Value} value */
export const isModule = (value) => value instanceof PyObject && value.type.isSubclassOf(moduleClass);

/** @param {PyObject} self @returns {{ parameters: Map<string, Value>, buffers: Map<string, Value>, modules: Map<string, Value> }} */
export function partsOf(self) {
  const get = (/** @type {string} */ name) => self.dict.get(name);
  return { parameters: get("_parameters"), buffers: get("_buffers"), modules: get("_modules") };
}

/** @param {PyObject} self */
export function start(self) {
  self.dict.set("training", true);
  for (const name of ["_parameters", "_buffers", "_modules"]) self.dict.set(name, new Map());
  self.dict.set("_non_persistent_buffers_set", new Set());
}

/**
 * @param {Tensor} x
 * @param {boolean} [wanted]
 */
export function parameter(x, wanted = true) {
  return Object.assign(alias(x), { isParameter: true, requiresGrad: wanted });
}

parameterClass.dict.set(
  "__new__",
  new Native("Parameter", ([, ...args], kwargs) => {
    const given = bindPython(parseSignature("Parameter(data any=None, requires_grad any=True)"), args, kwargs, "Parameter.__new__");
    if (!(given.data instanceof Tensor)) throw new NotHere(`nn.Parameter of a ${kindOf(given.data)}`);
    if (given.requires_grad && !given.data.dtype.isFloat) {
      raise("RuntimeError", "Only Tensors of floating point and complex dtype can require gradients");
    }
    return parameter(given.data, given.requires_grad);
  }),
);

// ---------- attributes

method(moduleClass, "__init__()", (self) => {
  start(self);
  return null;
});

/**
 * self.name = value
 *
 * @param {PyObject} self
 * @param {string} name
 * @param {Value} value
 */
export function setAttribute(self, name, value) {
  const { parameters, buffers, modules } = partsOf(self);
  const forget = (/** @type {Map<string, Value>[]} */ ...maps) => {
    self.dict.delete(name);
    for (const map of maps) map?.delete(name);
  };
  if (value instanceof Tensor && value.isParameter) {
    if (!parameters) raise("AttributeError", "cannot assign parameters before Module.__init__() call");
    forget(buffers, modules);
    parameters.set(name, value);
  } else if (parameters?.has(name)) {
    if (value !== null) {
      const what = value instanceof Tensor ? value.dtype.tensorName : kindOf(value);
      raise("TypeError", `cannot assign '${what}' as parameter '${name}' (torch.nn.Parameter or None expected)`);
    }
    parameters.set(name, null);
  } else if (isModule(value)) {
    if (!modules) raise("AttributeError", "cannot assign module before Module.__init__() call");
    forget(parameters, buffers);
    modules.set(name, value);
  } else if (modules?.has(name)) {
    if (value !== null) {
      const what = value instanceof Tensor ? value.dtype.tensorName : kindOf(value);
      raise("TypeError", `cannot assign '${what}' as child module '${name}' (torch.nn.Module or None expected)`);
    }
    modules.set(name, null);
  } else if (buffers?.has(name)) {
    if (value !== null && !(value instanceof Tensor)) {
      raise(
        "TypeError",
        `cannot assign '${kindOf(value)}' object to buffer '${name}' (torch.nn.Buffer, torch.Tensor or None required)`,
      );
    }
    buffers.set(name, value);
  } else self.dict.set(name, value);
}
method(moduleClass, "__setattr__(name any, value any)", (self, { name, value }) => {
  setAttribute(self, name, value);
  return null;
});
method(moduleClass, "__getattr__(name any)", (self, { name }) => {
  for (const part of Object.values(partsOf(self))) if (part?.has(name)) return part.get(name);
  if (hasName("Module", name)) throw new NotHere(`nn.Module.${name}`);
  return raise("AttributeError", `'${self.type.name}' object has no attribute '${name}'`);
});
// Comes with the second script.
method(moduleClass, "__delattr__(name any)", (self, { name }) => {
  for (const part of [...Object.values(partsOf(self)), self.dict]) if (part?.delete(name)) return null;
  return raise("AttributeError", `'${self.type.name}' object has no attribute '${name}'`);
});

// Comes with the second script.
/**
 * What is registered under a name must be new.
 *
 * @param {PyObject} self
 * @param {string} kind
 * @param {Value} name
 */
export function checkName(self, kind, name) {
  if (typeof name !== "string") raise("TypeError", `${kind} name should be a string. Got ${kindOf(name)}`);
  if (name.includes(".")) raise("KeyError", `${kind} name can't contain "."${kind === "module" ? `, got: ${name}` : ""}`);
  if (!name) raise("KeyError", `${kind} name can't be empty string ""`);
  const taken =
    self.dict.has(name) || self.type.find(name) !== undefined || Object.values(partsOf(self)).some((part) => part?.has(name));
  const again = partsOf(self)[/** @type {"modules"} */ (`${kind}s`)]?.has(name);
  if (taken && !again) raise("KeyError", `attribute '${name}' already exists`);
}
// Comes with the second script.
method(moduleClass, "register_buffer(name any, tensor any, persistent any=True)", (self, { name, tensor, persistent }) => {
  if (!partsOf(self).buffers) raise("AttributeError", "cannot assign buffer before Module.__init__() call");
  checkName(self, "buffer", name);
  if (tensor !== null && !(tensor instanceof Tensor)) {
    raise("TypeError", `cannot assign '${kindOf(tensor)}' object to buffer '${name}' (torch Tensor or None required)`);
  }
  partsOf(self).buffers.set(name, tensor);
  if (!persistent) self.dict.get("_non_persistent_buffers_set").add(name);
  return null;
});

// ---------- calls

freeMethod(moduleClass, "__call__", (self, args, kwargs, call) => {
  const forward = self.dict.get("forward") ?? new Bound(self, self.type.find("forward"));
  let given = args;
  for (const hook of self.dict.get("_forward_pre_hooks")?.values() ?? []) {
    const result = call(hook, [self, tuple(given)]);
    if (result !== null) given = Array.isArray(result) ? [...result] : [result];
  }
  let output = call(forward, given, kwargs);
  for (const hook of self.dict.get("_forward_hooks")?.values() ?? []) output = call(hook, [self, tuple(given), output]) ?? output;
  return output;
});
freeMethod(moduleClass, "forward", (self) =>
  raise("NotImplementedError", `Module [${self.type.name}] is missing the required "forward" function`),
);
// Comes with the second script.
for (const [name, store] of [
  ["register_forward_hook", "_forward_hooks"],
  ["register_forward_pre_hook", "_forward_pre_hooks"],
]) {
  method(moduleClass, `${name}(hook any)`, (self, { hook }) => {
    if (!self.dict.has(store)) self.dict.set(store, new Map());
    const hooks = self.dict.get(store);
    const key = hooks.size;
    hooks.set(key, hook);
    const handle = new PyObject(new PyClass("RemovableHandle"));
    handle.dict.set(
      "remove",
      new Native("remove", () => {
        hooks.delete(key);
        return null;
      }),
    );
    return handle;
  });
}

// ---------- walking through the modules inside

// Comes with the second script.
/**
 * A module and all inside it, each once, with its name.
 *
 * @param {PyObject} self
 * @param {string} [prefix]
 * @param {Set<PyObject>} [seen]
 * @returns {Generator<[string, PyObject]>}
 */
export function* everyModule(self, prefix = "", seen = new Set()) {
  if (seen.has(self)) return;
  seen.add(self);
  yield [prefix, self];
  for (const [name, inner] of partsOf(self).modules ?? []) {
    if (inner !== null) yield* everyModule(inner, prefix ? `${prefix}.${name}` : name, seen);
  }
}

// Comes with the second script.
/**
 * @param {PyObject} self
 * @param {"parameters" | "buffers"} kind
 * @param {{ prefix?: string, recurse?: boolean, twice?: boolean }} [options]
 * @returns {Generator<[string, Tensor]>}
 */
export function* tensorsInside(self, kind, { prefix = "", recurse = true, twice = false } = {}) {
  const seen = new Set();
  for (const [path, one] of recurse ? everyModule(self, prefix) : [/** @type {[string, PyObject]} */ ([prefix, self])]) {
    for (const [name, x] of partsOf(one)[kind] ?? []) {
      if (x === null || (seen.has(x) && !twice)) continue;
      seen.add(x);
      yield [path ? `${path}.${name}` : name, x];
    }
  }
}

/** @param {Iterable<[string, Value]>} pairs */
function* justValues(pairs) {
  for (const [, value] of pairs) yield value;
}

/** @param {Iterable<[string, Value]>} pairs */
function* asTuples(pairs) {
  for (const pair of pairs) yield tuple(pair);
}

// Comes with the second script.
for (const kind of /** @type {const} */ (["parameters", "buffers"])) {
  method(moduleClass, `${kind}(recurse any=True)`, (self, { recurse }) =>
    generatorOf(justValues(tensorsInside(self, kind, { recurse }))),
  );
  method(
    moduleClass,
    `named_${kind}(prefix any='', recurse any=True, remove_duplicate any=True)`,
    (self, { prefix, recurse, remove_duplicate: once }) =>
      generatorOf(asTuples(tensorsInside(self, kind, { prefix, recurse, twice: !once }))),
  );
}
// Comes with the second script.
method(moduleClass, "modules()", (self) => generatorOf(justValues(everyModule(self))));
// Comes with the second script.
method(moduleClass, "named_modules(memo any=None, prefix any='', remove_duplicate any=True)", (self, { prefix }) =>
  generatorOf(asTuples(everyModule(self, prefix))),
);
// Comes with the second script.
method(moduleClass, "children()", (self) => generatorOf(partsOf(self).modules.values()));
// Comes with the second script.
method(moduleClass, "named_children()", (self) => generatorOf(asTuples(partsOf(self).modules)));

/** @param {PyObject} self @param {boolean} mode */
function setTraining(self, mode) {
  for (const [, one] of everyModule(self)) one.dict.set("training", mode);
  return self;
}
// Comes with the second script.
method(moduleClass, "train(mode any=True)", (self, { mode }) => {
  if (typeof mode !== "boolean") raise("ValueError", "training mode is expected to be boolean");
  return setTraining(self, mode);
});
// Comes with the second script.
method(moduleClass, "eval()", (self) => setTraining(self, false));
// Comes with the second script.
method(moduleClass, "requires_grad_(requires_grad any=True)", (self, given) => {
  for (const [, x] of tensorsInside(self, "parameters")) x.requiresGrad = given.requires_grad;
  return self;
});
// Comes with the second script.
method(moduleClass, "zero_grad(set_to_none any=True)", () => null);

// Comes with the second script.
/**
 * Changes the dtype of all float tensors.
 *
 * @param {PyObject} self
 * @param {Value[]} args what Tensor.to takes
 * @param {Record<string, Value>} kwargs
 * @param {string} name
 */
function convert(self, args, kwargs, name) {
  for (const [, one] of everyModule(self)) {
    const { parameters, buffers } = partsOf(one);
    for (const map of [parameters, buffers]) {
      for (const x of map.values()) {
        if (!x?.dtype.isFloat) continue;
        state.depth++;
        const { storage, dtype, strides, offset } = tables.methods[name].run([x, ...args], kwargs, /** @type {any} */ (null));
        state.depth--;
        Object.assign(x, { storage, dtype, strides, offset });
      }
    }
  }
  return self;
}
// Comes with the second script.
for (const name of ["to", "float", "double", "half", "bfloat16", "cpu", "cuda"]) {
  freeMethod(moduleClass, name, (self, args, kwargs) => convert(self, args, kwargs, name));
}

// ---------- text

// Comes with the second script.
/** @param {PyObject} self @param {Call} call @returns {string} */
function moduleText(self, call) {
  const extra = call(new Bound(self, self.type.find("extra_repr")), []);
  const indented = (/** @type {string} */ text) => text.replaceAll("\n", "\n  ");
  const children = [...(partsOf(self).modules ?? [])].map(([name, one]) => {
    const text = one === null ? "None" : call(new Bound(one, one.type.find("__repr__")), []);
    return `  (${name}): ${indented(text)}`;
  });
  const lines = [...(extra ? extra.split("\n").map((/** @type {string} */ line) => `  ${line}`) : []), ...children];
  if (!children.length && !extra.includes("\n")) return `${self.type.name}(${extra})`;
  return `${self.type.name}(\n${lines.join("\n")}\n)`;
}
method(moduleClass, "extra_repr()", () => "");
// Comes with the second script.
method(moduleClass, "__repr__()", (self, _, call) => moduleText(self, call));
method(moduleClass, "_get_name()", (self) => self.type.name);
