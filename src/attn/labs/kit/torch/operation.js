// The operations that a program calls: each is registered once, under its names in torch, torch.nn.functional and as a method, and
// reports what it made to the session.

import { Native, raise } from "../python/values.js";
import { gradName } from "./graph.js";
import { bind, bindPython, kindOf, parseSignature } from "./signature.js";
import { spend, Tensor } from "./tensor.js";
import { hidden } from "./views.js";

/** @typedef {any} Value */
/** @typedef {{ op: string, inputs: Tensor[], outputs: Tensor[], memory: string, copies: number }} Report */

/** @type {{ torch: Record<string, Value>, functional: Record<string, Value>, methods: Record<string, Native> }} */
export const tables = { torch: {}, functional: {}, methods: {} };

/** What is going on: who wants reports, and whether results know that they could have a gradient. */
export const state = {
  /** @type {((report: Report) => void) | null} */
  record: null,
  gradEnabled: true,
  depth: 0,
};

/**
 * @typedef {object} Options
 * @property {boolean} [moves] it moves numbers and computes none, so its result is a copy
 * @property {boolean} [python] the real one is written in Python, so wrong arguments get Python's messages
 * @property {string} [checked] the signature of the C++ function to which the Python function passes its arguments on
 * @property {boolean} [detached] its result never needs a gradient
 */

/** The options of an operation that moves numbers. */
export const MOVES = { moves: true };

/**
 * Registers an operation.
 *
 * @param {string} where any of "t" for torch, "m" for methods of Tensor, "f" for torch.nn.functional
 * @param {string} text its signature, or several with " | " between them; its first parameter is `self` of the method
 * @param {(given: Record<string, Value>, call: Value) => Value} run
 * @param {Options} [options]
 */
export function define(where, text, run, options = {}) {
  const whole = text.split(" | ").map((one) => parseSignature(one));
  const { name } = whole[0];
  const method = whole.map((one) => ({ ...withoutFirst(one), self: one.parameters[0]?.name }));
  const python = options.python || where === "f";
  const checked = options.checked ? [parseSignature(options.checked)] : null;
  const asFunction = new Native(name, (args, kwargs, call) => {
    const given = python ? bindPython(whole[0], args, kwargs) : bind(whole, args, kwargs);
    if (python) mustBeTensors(whole[0], given);
    if (checked)
      Object.assign(
        given,
        bind(
          checked,
          checked[0].parameters.map((one) => given[one.name]),
          {},
        ),
      );
    return perform(name, given, run, options, call);
  });
  asFunction.free = !python;
  const asMethod = new Native(name, ([self, ...args], kwargs, call) => {
    const others = options.python ? bindPython(whole[0], [self, ...args], kwargs, `Tensor.${name}`) : bind(method, args, kwargs);
    const given = { [method[0].self]: self, ...others };
    return perform(name, given, run, options, call);
  });
  if (where.includes("t")) tables.torch[name] = asFunction;
  if (where.includes("f")) tables.functional[name] = asFunction;
  if (where.includes("m")) tables.methods[name] = asMethod;
}

/**
 * Functions that are Python in torch hand over to C++, which refuses what is not a tensor.
 *
 * @param {import("./signature.js").Signature} signature
 * @param {Record<string, Value>} given
 */
function mustBeTensors({ name, parameters }, given) {
  for (const [n, one] of parameters.entries()) {
    const value = given[one.name];
    if (one.type !== "T" || value instanceof Tensor || value === null) continue;
    if (asMethods.includes(name)) raise("AttributeError", `'${kindOf(value)}' object has no attribute '${name}'`);
    raise("TypeError", `${name}(): argument '${one.name}' (position ${n + 1}) must be Tensor, not ${kindOf(value)}`);
  }
}

/** Functions that call the method of their first argument. */
const asMethods = ["softmax", "log_softmax", "sigmoid", "tanh", "split"];

/** @param {import("./signature.js").Signature} signature */
function withoutFirst({ parameters, positional, least, most, ...rest }) {
  return { ...rest, parameters: parameters.slice(1), positional: positional - 1, least: least - 1, most: most - 1 };
}

/**
 * Calls a method of a tensor from within another operation.
 *
 * @param {string} name
 * @param {Value[]} args the tensor first
 */
export const callMethod = (name, ...args) => tables.methods[name].run(args, {}, notCallable);

/** What a library's own function passes on where nothing of the reader's is called. */
const notCallable = () => raise("TypeError", "a function of torch calls nothing here");

/**
 * Other names for what is there already.
 *
 * @param {"torch" | "functional" | "methods"} table
 * @param {Record<string, string>} names new name -> old name
 */
export function alsoCalled(table, names) {
  for (const [name, old] of Object.entries(names)) tables[table][name] = tables[table][old];
}

/** What an operation costs however small its tensors are, as in spend(): a program has time for 6,000. */
const OPERATION = 15_000;

/**
 * Runs an operation: reports it unless it is a part of another one, and passes on whether gradients are wanted.
 *
 * @param {string} name
 * @param {Record<string, Value>} given
 * @param {(given: Record<string, Value>, call: Value) => Value} run
 * @param {Options} options
 * @param {Value} [call]
 */
export function perform(name, given, run, options, call) {
  if (state.depth) return run(given, call);
  spend(OPERATION);
  const inputs = tensorsIn(Object.values(given));
  const inPlace = name.endsWith("_") || name === "setitem";
  const wanted = state.gradEnabled && !options.detached && inputs.some((one) => one.requiresGrad);
  if (inPlace && wanted) mustNotBeLeaf(inputs[0]);
  hidden.copies = 0;
  state.depth++;
  let result;
  try {
    result = run(given, call);
  } finally {
    state.depth--;
  }
  const outputs = name === "setitem" ? [inputs[0]] : tensorsIn([result]);
  for (const output of outputs) {
    if (!inPlace && inputs.includes(output)) continue;
    if (wanted && output.dtype.isFloat) {
      output.requiresGrad = true;
      output.madeBy = outputs.indexOf(output) && name.startsWith("multi") ? "MeanBackward1" : gradName(name, given, output);
      output.viewsLeaf = inputs.some(
        (one) => one.storage === output.storage && (one.viewsLeaf || (one.requiresGrad && !one.madeBy)),
      );
    }
  }
  if (state.record && outputs.length) {
    const memory = memoryOf(outputs[0], inputs, inPlace, Boolean(options.moves));
    state.record({ op: name, inputs, outputs, memory, copies: hidden.copies - (memory === "copy" && hidden.copies ? 1 : 0) });
  }
  return result;
}

// Comes with the second script.
/** @param {Tensor} target */
function mustNotBeLeaf(target) {
  if (target.viewsLeaf)
    raise("RuntimeError", "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  if (!target.requiresGrad || target.madeBy) return;
  raise("RuntimeError", "a leaf Variable that requires grad is being used in an in-place operation.");
}

/**
 * The tensors in a value, also those in tuples, lists and dicts.
 *
 * @param {Iterable<Value>} values
 * @returns {Tensor[]}
 */
function tensorsIn(values) {
  /** @type {Tensor[]} */
  const found = [];
  for (const value of values) {
    if (value instanceof Tensor) found.push(value);
    else if (Array.isArray(value)) found.push(...tensorsIn(value));
    else if (value instanceof Map) found.push(...tensorsIn(value.values()));
  }
  return found;
}

/**
 * @param {Tensor} output
 * @param {Tensor[]} inputs
 * @param {boolean} inPlace
 * @param {boolean} moves
 */
function memoryOf(output, inputs, inPlace, moves) {
  const shared = inputs.filter((one) => one.storage === output.storage);
  if (!shared.length) return moves ? "copy" : "new";
  if (inPlace) return "in place";
  const layout = (/** @type {Tensor} */ x) => String([x.shape, x.strides, x.offset].map(String));
  return shared.some((one) => layout(one) === layout(output)) ? "same" : "view";
}
