// The module math, without what few programs call.
import { whole } from "./construct.js";
import { Builtin } from "./objects.js";
import { noteMissing } from "./rest.js";
import { Float, Foreign, isInt, isNumber, Namespace, raise, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./items.js").Items} Items */

/**
 * @param {Value} value
 * @param {Items} machine
 * @returns {number}
 */
export function real(value, machine) {
  if (isNumber(value)) return toNumber(value);
  if (value instanceof Foreign) return toNumber(value.scalar());
  const own = machine.special(value, "__float__");
  return own ? toNumber(machine.call(own)) : raise("TypeError", `must be real number, not ${typeName(value)}`);
}

/**
 * @param {string} name
 * @param {[number, number]} count
 * @param {(args: Value[], machine: Items, kwargs: Record<string, Value>) => Value} act
 * @param {string[]} [keywords]
 */
export function mathFunction(name, count, act, keywords) {
  return new Builtin(`math.${name}`, count, (args, kwargs, machine) => act(args, /** @type {Items} */ (machine), kwargs), keywords);
}

/**
 * A function from numbers to a float.
 *
 * @param {string} name
 * @param {(...numbers: number[]) => number} compute
 * @param {[number, number]} [count]
 */
export function smooth(name, compute, count = [1, 1]) {
  return mathFunction(name, count, (args, machine) => {
    const numbers = args.map((one) => real(one, machine));
    const value = compute(...numbers);
    if (Number.isNaN(value) && !numbers.some(Number.isNaN)) raise("ValueError", "math domain error");
    if (!Number.isFinite(value) && !Number.isNaN(value) && numbers.every(Number.isFinite)) {
      if (name.startsWith("log")) raise("ValueError", "math domain error");
      raise("OverflowError", "math range error");
    }
    return new Float(value);
  });
}

/**
 * @param {string} name
 * @param {(value: number) => number} compute
 */
export function roundingTo(name, compute) {
  return mathFunction(name, [1, 1], ([value], machine) => (isInt(value) ? Number(value) : whole(compute(real(value, machine)))));
}

/**
 * @param {string} name
 * @param {(value: number) => boolean} test
 */
function test(name, test) {
  return mathFunction(name, [1, 1], ([value], machine) => test(real(value, machine)));
}

const log = (/** @type {number} */ value, base = Math.E) =>
  base === Math.E
    ? Math.log(value)
    : base === 2
      ? Math.log2(value)
      : base === 10
        ? Math.log10(value)
        : Math.log(value) / Math.log(base);
const SMOOTH = [
  "exp",
  "expm1",
  "log2",
  "log10",
  "log1p",
  "sin",
  "cos",
  "tan",
  "asin",
  "acos",
  "atan",
  "sinh",
  "cosh",
  "tanh",
  "asinh",
  "acosh",
  "atanh",
  "sqrt",
  "cbrt",
];
export const MATH = new Namespace(
  "math",
  {
    ...Object.fromEntries(SMOOTH.map((name) => [name, smooth(name, Math[name])])),
    log: smooth("log", log, [1, 2]),
    pow: smooth("pow", (a, b) => (a === 1 ? 1 : a ** b), [2, 2]),
    floor: roundingTo("floor", Math.floor),
    ceil: roundingTo("ceil", Math.ceil),
    isnan: test("isnan", Number.isNaN),
    isinf: test("isinf", (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    isfinite: test("isfinite", Number.isFinite),
    inf: new Float(Number.POSITIVE_INFINITY),
    nan: new Float(Number.NaN),
    pi: new Float(Math.PI),
    tau: new Float(2 * Math.PI),
    e: new Float(Math.E),
  },
  () => {
    noteMissing();
    return false;
  },
);
