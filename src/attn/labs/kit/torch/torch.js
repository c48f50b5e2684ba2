// The modules that a program can import from torch, and the session that a page starts anew for each run.

import { whole } from "../python/construct.js";
import {
  Float,
  Foreign,
  isInt,
  Namespace,
  Native,
  notHere,
  PyClass,
  PyObject,
  raise,
  Size,
  toNumber,
  typeName,
} from "../python/values.js";
import { Device, deviceClass } from "./attributes.js";
import { tensorFrom } from "./create.js";
import { dtypeClass, dtypes, float32, shortNames } from "./dtype.js";
import { init } from "./init.js";
import { hasName } from "./known.js";
import { nn } from "./layers.js";
import { countOf } from "./layout.js";
import { checkDevice, drawing } from "./making.js";
import { state, tables } from "./operation.js";
import { resetOptions } from "./print.js";
import { Generator } from "./random.js";
import "./reducing.js";
import { bindPython, kindOf, parseSignature } from "./signature.js";
import { empty, limits, parameterClass, Tensor, tensorClass, used } from "./tensor.js";

/** @typedef {any} Value */
/** @typedef {import("./operation.js").Report} Report */

const { torch } = tables;

/**
 * @param {string} text
 * @param {(given: Record<string, Value>) => Value} run
 */
export function python(text, run) {
  const signature = parseSignature(text);
  return new Native(signature.name, (args, kwargs) => run(bindPython(signature, args, kwargs)));
}

// ---------- classes

const sizeClass = new PyClass("Size");
const generatorClass = new PyClass("Generator");
sizeClass.module = "torch";
parameterClass.module = "torch.nn.parameter";
sizeClass.dict.set("numel", new Native("numel", ([self]) => countOf(self)));
Object.defineProperty(Size.prototype, "type", { value: sizeClass });

/** @param {PyClass} made @param {(args: Value[], kwargs: Record<string, Value>) => Value} run */
function constructs(made, run) {
  made.dict.set("__new__", new Native(made.name, ([, ...args], kwargs) => run(args, kwargs)));
}

constructs(tensorClass, (args) => {
  if (args.length === 1 && (Array.isArray(args[0]) || args[0] instanceof Tensor)) return tensorFrom(args[0], float32);
  return empty(
    args.map((one) => (typeof one === "number" ? one : raise("TypeError", `new(): data must be a sequence (got ${kindOf(one)})`))),
  );
});
constructs(sizeClass, ([sizes = []]) => Size.from(sizes));
constructs(deviceClass, ([kind, index], { type }) => {
  const name = kind instanceof Device ? kind.kind : (kind ?? type);
  const whole = index === undefined ? `${name}` : `${name}:${index}`;
  checkDevice(whole);
  return new Device(whole);
});

/** torch.Generator() */
class OwnGenerator extends Foreign {
  constructor(generator = new Generator()) {
    super();
    this.generator = generator;
  }

  get typeName() {
    return "torch.Generator";
  }

  get type() {
    return generatorClass;
  }

  // Comes with the second script.
  /** @param {string} name */
  attribute(name) {
    if (name === "manual_seed")
      return new Native(name, ([seed]) => {
        if (!isInt(seed)) raise("RuntimeError", `manual_seed expected a long, but got ${typeName(seed)}`);
        this.generator.seed(whole(Number(seed)));
        return this;
      });
    if (name === "initial_seed") return new Native(name, () => this.generator.initial);
    notHere(`torch.Generator.${name}`);
  }
}
constructs(generatorClass, () => new OwnGenerator());

// ---------- no_grad

/** @param {string} name @param {(args: Value[]) => boolean} enabled */
function gradMode(name, enabled) {
  const made = new PyClass(name);
  const run = (/** @type {PyObject} */ self, /** @type {() => Value} */ inside) => {
    const before = state.gradEnabled;
    state.gradEnabled = self.dict.get("enabled");
    try {
      return inside();
    } finally {
      state.gradEnabled = before;
    }
  };
  const wrapped = (/** @type {PyObject} */ self, /** @type {Value} */ callee) =>
    new Native(callee?.name ?? name, (args, kwargs, call) => run(self, () => call(callee, args, kwargs)));
  made.dict.set(
    "__new__",
    new Native(name, ([, ...args]) => {
      const self = new PyObject(made);
      const decorates = args.length === 1 && typeof args[0] !== "boolean"; // @torch.no_grad without brackets
      self.dict.set("enabled", enabled(decorates ? [] : args));
      if (decorates) return wrapped(self, args[0]);
      if (name === "set_grad_enabled") {
        self.dict.set("before", state.gradEnabled);
        state.gradEnabled = self.dict.get("enabled");
      }
      return self;
    }),
  );
  made.dict.set("__init__", new Native("__init__", () => null));
  made.dict.set(
    "__enter__",
    new Native("__enter__", ([self]) => {
      if (!self.dict.has("before")) self.dict.set("before", state.gradEnabled);
      state.gradEnabled = self.dict.get("enabled");
      return null;
    }),
  );
  made.dict.set(
    "__exit__",
    new Native("__exit__", ([self]) => {
      state.gradEnabled = self.dict.get("before");
      self.dict.delete("before");
      return false;
    }),
  );
  made.dict.set("__call__", new Native("__call__", ([self, callee]) => wrapped(self, callee)));
  return made;
}

// ---------- torch

Object.assign(torch, Object.fromEntries(dtypes.map((dtype) => [dtype.name, dtype])), shortNames, {
  ...{ Tensor: tensorClass, Size: sizeClass, dtype: dtypeClass, device: deviceClass, Generator: generatorClass },
  ...{ inf: new Float(Infinity), nan: new Float(Number.NaN), pi: new Float(Math.PI), e: new Float(Math.E), newaxis: null },
  ...{ strided: "torch.strided", contiguous_format: "torch.contiguous_format", preserve_format: "torch.preserve_format" },
  is_grad_enabled: python("is_grad_enabled()", () => state.gradEnabled),
  get_default_dtype: python("get_default_dtype()", () => float32),
  set_default_dtype: python("set_default_dtype(d any)", ({ d }) => (d === float32 ? null : notHere("another default dtype"))),
  manual_seed: python("manual_seed(seed any)", ({ seed }) => {
    drawing.generator.seed(whole(Math.trunc(toNumber(seed instanceof Tensor ? seed.scalar() : seed))));
    return new OwnGenerator(drawing.generator);
  }),
});
// Comes with the second script.
Object.assign(torch, {
  ...{ no_grad: gradMode("no_grad", () => false), inference_mode: gradMode("inference_mode", ([mode = true]) => !mode) },
  ...{
    enable_grad: gradMode("enable_grad", () => true),
    set_grad_enabled: gradMode("set_grad_enabled", ([mode]) => mode === true),
  },
});
torch.__version__ = "2.13.0";

// ---------- modules

/** @param {string} name @param {Record<string, Value>} members */
export const namespace = (name, members) => new Namespace(name, members, (one) => hasName(name, one));

/** A module of which the page has little: whatever else it is asked for is not in the page. @param {string} name @param {Record<string, Value>} members */
const partly = (name, members) => new Namespace(name, members, (one) => !one.startsWith("_"));

const utils = partly("torch.nn.utils", {});
const everything = { ...nn, Parameter: parameterClass };
const functionalModule = namespace("torch.nn.functional", tables.functional);
const initModule = namespace("torch.nn.init", init);
const nnModule = namespace("torch.nn", {
  ...{ ...everything, functional: functionalModule, init: initModule, utils },
  ...{
    parameter: namespace("torch.nn.parameter", { Parameter: parameterClass }),
    modules: namespace("torch.nn.modules", everything),
  },
});
/** Puts classes into torch.nn. @param {Record<string, Value>} layers */
export function addLayers(layers) {
  Object.assign(nnModule.members, layers);
  Object.assign(nnModule.members.modules.members, layers);
}

const cuda = partly("torch.cuda", {
  is_available: python("is_available()", () => false),
  device_count: python("device_count()", () => 0),
  manual_seed: python("manual_seed(seed any)", () => null),
  manual_seed_all: python("manual_seed_all(seed any)", () => null),
});
const backends = partly("torch.backends", {
  mps: partly("torch.backends.mps", { is_available: python("is_available()", () => false) }),
  cudnn: partly("torch.backends.cudnn", { deterministic: false, benchmark: false }),
});
const torchModule = namespace("torch", Object.assign(torch, { nn: nnModule, cuda, backends }));

/** What `import torch.nn as nn` and its like find. @type {Record<string, Namespace>} */
export const modules = Object.fromEntries(
  [
    torchModule,
    nnModule,
    functionalModule,
    initModule,
    cuda,
    backends,
    utils,
    nnModule.members.parameter,
    nnModule.members.modules,
  ].map((one) => [one.name, one]),
);

/** One run of a program: its random numbers, and who wants to know of its operations. */
export const session = {
  get generator() {
    return drawing.generator;
  },
  /** @type {((report: Report) => void) | null} */
  get record() {
    return state.record;
  },
  set record(report) {
    state.record = report;
  },
  limits,
  /** @param {{ seed?: number, record?: ((report: Report) => void) | null, runs?: number }} [options] runs: of how many programs it has the time */
  reset({ seed = 0, record = null, runs = 1 } = {}) {
    drawing.generator.seed(seed);
    Object.assign(state, { record, gradEnabled: true, depth: 0 });
    Object.assign(used, { work: 0, elements: 0, runs });
    resetOptions();
  },
};
