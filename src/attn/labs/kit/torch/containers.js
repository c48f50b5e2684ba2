// Modules that hold modules: Sequential, ModuleList, ModuleDict, and lists of parameters.

import { Bound, NotHere, PyClass, PyObject, raise, Slice, tuple } from "../python/values.js";
import { freeMethod, generatorOf, isModule, method, moduleClass, parameter, partsOf, setAttribute, start } from "./module.js";
import { kindOf } from "./signature.js";
import { Tensor } from "./tensor.js";

/** @typedef {any} Value */
/** @typedef {import("../python/values.js").Call} Call */

/**
 * The items of what the reader passes: a list, a tuple, a range, a generator, a module that can be walked.
 *
 * @param {Value} value
 * @param {Call} call
 * @returns {Value[]}
 */
function itemsOf(value, call) {
  if (value === null || value === undefined) return [];
  if (value instanceof PyObject) return [...call(new Bound(value, value.type.find("__iter__")), [])];
  if (typeof value[Symbol.iterator] === "function") return [...value];
  return raise("TypeError", `'${kindOf(value)}' object is not iterable`);
}

/** @param {PyObject} self @param {string} name @param {Value} one */
function add(self, name, one) {
  if (one !== null && !isModule(one)) raise("TypeError", `${shownType(one)} is not a Module subclass`);
  partsOf(self).modules.set(name, one);
}

/** @param {Value} value */
function shownType(value) {
  if (value instanceof Tensor) return value.isParameter ? "torch.nn.parameter.Parameter" : "torch.FloatTensor";
  return kindOf(value);
}

/**
 * @param {string} name
 * @param {(self: PyObject, args: Value[], call: Call) => void} build
 * @param {string} [last] its last positional argument
 */
function container(name, build, last) {
  const made = new PyClass(name, [moduleClass]);
  freeMethod(made, "__init__", (self, args, kwargs, call) => {
    const extra = Object.keys(kwargs).find((key) => key !== last);
    if (extra) raise("TypeError", `${name}.__init__() got an unexpected keyword argument '${extra}'`);
    if (last && args.length > 1) {
      raise("TypeError", `${name}.__init__() takes from 1 to 2 positional arguments but ${args.length + 1} were given`);
    }
    start(self);
    build(self, last && last in kwargs ? [kwargs[last]] : args, call);
    return null;
  });
  made.module = "torch.nn.modules.container";
  return made;
}

/** @param {PyObject} self */
const modulesOf = (self) => [...partsOf(self).modules.values()];

/** @param {PyObject} self @param {Iterable<Value>} modules */
function replaceModules(self, modules) {
  partsOf(self).modules.clear();
  let n = 0;
  for (const one of modules) add(self, `${n++}`, one);
}

/** @param {number} index @param {number} length */
function position(index, length) {
  if (index >= -length && index < length) return index < 0 ? index + length : index;
  return raise("IndexError", `index ${index} is out of range`);
}

/** @param {Slice} slice @param {Value[]} items */
function sliced({ start: from, stop, step }, items) {
  const size = items.length;
  const clip = (/** @type {number} */ n) => Math.min(Math.max(n < 0 ? n + size : n, 0), size);
  const chosen = items.slice(clip(from ?? 0), clip(stop ?? size));
  return step === null || step === 1 ? chosen : chosen.filter((_, n) => n % step === 0);
}

/**
 * What ModuleList and Sequential share: they are lists.
 *
 * @param {PyClass} owner
 */
function listMethods(owner) {
  method(owner, "__len__()", (self) => partsOf(self).modules.size);
  method(owner, "__iter__()", (self) => generatorOf(partsOf(self).modules.values()));
  method(owner, "__getitem__(idx any)", (self, { idx }) => {
    const all = modulesOf(self);
    if (!(idx instanceof Slice)) return all[position(Number(idx), all.length)];
    const made = new PyObject(self.type);
    start(made);
    replaceModules(made, sliced(idx, all));
    return made;
  });
  method(owner, "__setitem__(idx any, module any)", (self, { idx, module }) => {
    add(self, `${position(Number(idx), partsOf(self).modules.size)}`, module);
    return null;
  });
  method(owner, "__delitem__(idx any)", (self, { idx }) => {
    replaceModules(self, modulesOf(self).toSpliced(position(Number(idx), partsOf(self).modules.size), 1));
    return null;
  });
  method(owner, "__contains__(module any)", (self, { module }) => modulesOf(self).includes(module));
  method(owner, "append(module any)", (self, { module }) => {
    add(self, `${partsOf(self).modules.size}`, module);
    return self;
  });
  method(owner, "extend(modules any)", (self, { modules }, call) => {
    for (const one of itemsOf(modules, call)) add(self, `${partsOf(self).modules.size}`, one);
    return self;
  });
  method(owner, "insert(index any, module any)", (self, { index, module }) => {
    replaceModules(self, modulesOf(self).toSpliced(Number(index), 0, module));
    return null;
  });
}

const sequential = container("Sequential", (self, args) => {
  const named = args.length === 1 && args[0] instanceof Map ? [...args[0]] : args.map((one, n) => [`${n}`, one]);
  for (const [name, one] of named) add(self, name, one);
});
listMethods(sequential);
method(sequential, "forward(input any)", (self, { input }, call) => modulesOf(self).reduce((x, one) => call(one, [x]), input));

const moduleList = container("ModuleList", (self, [modules], call) => replaceModules(self, itemsOf(modules, call)), "modules");
listMethods(moduleList);
// Neighbours that print alike are printed once.
method(moduleList, "__repr__()", (self, _, call) => {
  const texts = modulesOf(self).map((one) => (one === null ? "None" : call(new Bound(one, one.type.find("__repr__")), [])));
  if (!texts.length) return `${self.type.name}()`;
  /** @type {{ from: number, to: number, text: string }[]} */
  const blocks = [];
  for (const [n, text] of texts.entries()) {
    const last = blocks.at(-1);
    if (last && last.text === text) last.to = n;
    else blocks.push({ from: n, to: n, text });
  }
  const lines = blocks.map(({ from, to, text }) => {
    const head = from === to ? `(${from}): ` : `(${from}-${to}): ${to - from + 1} x `;
    return `  ${head}${text.replaceAll("\n", "\n  ")}`;
  });
  return `${self.type.name}(\n${lines.join("\n")}\n)`;
});

const moduleDict = container("ModuleDict", (self, [modules], call) => update(self, modules, call), "modules");

/** @param {PyObject} self @param {Value} modules @param {Call} call */
function update(self, modules, call) {
  if (modules === undefined || modules === null) return;
  const pairs = modules instanceof Map ? modules : isModule(modules) ? partsOf(modules).modules : itemsOf(modules, call);
  for (const [name, one] of pairs) setNamed(self, name, one);
}

/** @param {PyObject} self @param {Value} name @param {Value} one */
function setNamed(self, name, one) {
  if (typeof name !== "string") raise("TypeError", `module name should be a string. Got ${kindOf(name)}`);
  add(self, name, one);
}
const keyOf = (/** @type {PyObject} */ self, /** @type {Value} */ key) => {
  const { modules } = partsOf(self);
  return modules.has(key) ? modules.get(key) : raise("KeyError", typeof key === "string" ? `'${key}'` : `${key}`);
};
method(moduleDict, "__getitem__(key any)", (self, { key }) => keyOf(self, key));
method(moduleDict, "__setitem__(key any, module any)", (self, { key, module }) => {
  setNamed(self, key, module);
  return null;
});
method(moduleDict, "__delitem__(key any)", (self, { key }) => {
  partsOf(self).modules.delete(key);
  return null;
});
method(moduleDict, "__len__()", (self) => partsOf(self).modules.size);
method(moduleDict, "__iter__()", (self) => generatorOf(partsOf(self).modules.keys()));
method(moduleDict, "__contains__(key any)", (self, { key }) => partsOf(self).modules.has(key));
method(moduleDict, "keys()", (self) => [...partsOf(self).modules.keys()]);
method(moduleDict, "values()", (self) => modulesOf(self));
method(moduleDict, "items()", (self) => [...partsOf(self).modules].map(tuple));
method(moduleDict, "update(modules any)", (self, { modules }, call) => {
  update(self, modules, call);
  return null;
});
method(moduleDict, "clear()", (self) => {
  partsOf(self).modules.clear();
  return null;
});
method(moduleDict, "pop(key any)", (self, { key }) => {
  const found = keyOf(self, key);
  partsOf(self).modules.delete(key);
  return found;
});

const parameterList = container(
  "ParameterList",
  (self, [values], call) => {
    itemsOf(values, call).forEach((one, n) => setAttribute(self, `${n}`, asParameter(one)));
  },
  "values",
);

/** @param {Value} x */
const asParameter = (x) => (x instanceof Tensor && !x.isParameter ? parameter(x) : x);
const ownParameters = (/** @type {PyObject} */ self) => [...partsOf(self).parameters.values()];
method(parameterList, "__getitem__(idx any)", (self, { idx }) => {
  if (idx instanceof Slice) throw new NotHere("a slice of a ParameterList");
  return ownParameters(self)[position(Number(idx), ownParameters(self).length)];
});
method(parameterList, "__len__()", (self) => ownParameters(self).length);
method(parameterList, "__iter__()", (self) => generatorOf(ownParameters(self)));
method(parameterList, "append(value any)", (self, { value }) => {
  setAttribute(self, `${ownParameters(self).length}`, asParameter(value));
  return self;
});
const parameterDict = container(
  "ParameterDict",
  (self, [values]) => {
    for (const [name, one] of values ?? []) setAttribute(self, name, asParameter(one));
  },
  "parameters",
);
method(
  parameterDict,
  "__getitem__(key any)",
  (self, { key }) => partsOf(self).parameters.get(key) ?? raise("KeyError", `'${key}'`),
);
method(parameterDict, "__setitem__(key any, value any)", (self, { key, value }) => {
  setAttribute(self, key, asParameter(value));
  return null;
});
method(parameterDict, "__len__()", (self) => ownParameters(self).length);
method(parameterDict, "__iter__()", (self) => generatorOf(partsOf(self).parameters.keys()));
method(parameterDict, "__contains__(key any)", (self, { key }) => partsOf(self).parameters.has(key));
method(parameterDict, "items()", (self) => [...partsOf(self).parameters].map(tuple));

/** The containers of torch.nn. */
export const containers = {
  Sequential: sequential,
  ModuleList: moduleList,
  ModuleDict: moduleDict,
  ParameterList: parameterList,
  ParameterDict: parameterDict,
};
