// What few programs ask of a module: its state_dict, its parts by name, a function for every part.

import { Bound, NamedTuple, PyClass, raise } from "../python/values.js";
import { checkName, everyModule, isModule, method, moduleClass, partsOf, tensorsInside } from "./module.js";
import { state, tables } from "./operation.js";
import { kindOf } from "./signature.js";
import { Tensor } from "./tensor.js";
import { alias } from "./views.js";

/** @typedef {import("../python/values.js").PyObject} PyObject */

method(moduleClass, "register_parameter(name any, param any)", (self, { name, param }) => {
  if (!partsOf(self).parameters) raise("AttributeError", "cannot assign parameter before Module.__init__() call");
  checkName(self, "parameter", name);
  if (param !== null && !(param instanceof Tensor && param.isParameter)) {
    const what = param instanceof Tensor ? param.dtype.tensorName : kindOf(param);
    raise("TypeError", `cannot assign '${what}' object to parameter '${name}' (torch.nn.Parameter or None required)`);
  }
  partsOf(self).parameters.set(name, param);
  return null;
});
for (const name of ["add_module", "register_module"]) {
  method(moduleClass, `${name}(name any, module any)`, (self, given) => {
    if (given.module !== null && !isModule(given.module)) raise("TypeError", `${kindOf(given.module)} is not a Module subclass`);
    checkName(self, "module", given.name);
    partsOf(self).modules.set(given.name, given.module);
    return null;
  });
}

method(moduleClass, "get_submodule(target any)", (self, { target }) => {
  for (const [path, one] of everyModule(self)) if (path === target) return one;
  return raise("AttributeError", `${self.type.name} has no attribute \`${target}\``);
});
method(moduleClass, "get_parameter(target any)", (self, { target }) => {
  for (const [path, x] of tensorsInside(self, "parameters")) if (path === target) return x;
  return raise("AttributeError", `${self.type.name} has no attribute \`${target}\``);
});
method(moduleClass, "apply(fn any)", (self, { fn }, call) => {
  const visit = (/** @type {PyObject} */ one) => {
    for (const inner of partsOf(one).modules.values()) if (inner !== null) visit(inner);
    call(fn, [one]);
  };
  visit(self);
  return self;
});

const keysClass = /** @type {any} */ (new PyClass("_IncompatibleKeys"));

method(moduleClass, "state_dict(*, destination any=None, prefix any='', keep_vars any=False)", (self, { prefix }) => {
  const found = new Map();
  for (const [path, one] of everyModule(self, "", new Set())) {
    const { parameters, buffers } = partsOf(one);
    const hidden = one.dict.get("_non_persistent_buffers_set");
    for (const [name, x] of [...parameters, ...[...buffers].filter(([key]) => !hidden.has(key))]) {
      if (x !== null) found.set(`${prefix}${path ? `${path}.` : ""}${name}`, alias(x));
    }
  }
  return found;
});
method(
  moduleClass,
  "load_state_dict(state_dict any, strict any=True, assign any=False)",
  (self, { state_dict: given, strict }, call) => {
    const own = call(new Bound(self, moduleClass.find("state_dict")), []);
    const missing = [...own.keys()].filter((key) => !given.has(key));
    const unexpected = [...given.keys()].filter((key) => !own.has(key));
    const problems = [];
    const quoted = (/** @type {string[]} */ keys) => keys.map((key) => `"${key}"`).join(", ");
    if (strict && unexpected.length) problems.push(`Unexpected key(s) in state_dict: ${quoted(unexpected)}. `);
    if (strict && missing.length) problems.unshift(`Missing key(s) in state_dict: ${quoted(missing)}. `);
    for (const [key, x] of own) {
      const source = given.get(key);
      if (!source) continue;
      if (String(source.shape) !== String(x.shape)) {
        const sizes = `copying a param with shape torch.Size([${source.shape.join(", ")}]) from checkpoint, the shape in current model is torch.Size([${x.shape.join(", ")}]).`;
        problems.push(`size mismatch for ${key}: ${sizes}`);
        continue;
      }
      state.depth++;
      tables.methods.copy_.run([x, source], {}, call);
      state.depth--;
    }
    if (problems.length) raise("RuntimeError", `Error(s) in loading state_dict for ${self.type.name}:\n\t${problems.join("\n\t")}`);
    const words = missing.length + unexpected.length ? undefined : "<All keys matched successfully>";
    return Object.assign(NamedTuple.named(keysClass, ["missing_keys", "unexpected_keys"], [missing, unexpected]), { words });
  },
);
