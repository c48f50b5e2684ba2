// Arithmetic, comparisons and functions of each element: as functions, methods, operators and in place.

import { Float, isNumber, raise, toNumber } from "../python/values.js";
import { bool, float32, int64 } from "./dtype.js";
import { broadcast, elementwise, mustHold, mustNotOverlap, resultType, Scalar, writeInto } from "./iterator.js";
import { binary, bitwiseKernels, comparisons, logical, questions, sameType, toFloat } from "./kernels.js";
import { alsoCalled, define, perform } from "./operation.js";
import { matmul } from "./products.js";
import { empty, numbersOf, Tensor } from "./tensor.js";

/** @typedef {import("./dtype.js").DType} DType */
/** @typedef {any} Value */

/** @param {Value} value @returns {Tensor | Scalar} */
export const operand = (value) => (value instanceof Tensor ? value : new Scalar(value));

/** The dtype of a result that is a float whatever it is made of. @param {DType} dtype */
export const floating = (dtype) => (dtype.isFloat ? dtype : float32);

/** @param {(Tensor | Scalar)[]} operands */
const sharedShape = (operands) => broadcast(operands.map((one) => (one instanceof Tensor ? one.shape : [])));

/**
 * Computes a new tensor, or writes into the first operand.
 *
 * @param {(a: number, b: number, c: number) => number | boolean} compute
 * @param {(Tensor | Scalar)[]} operands
 * @param {DType} dtype
 * @param {Tensor | null} into
 */
export function computed(compute, operands, dtype, into) {
  if (!into) return elementwise(compute, operands, dtype);
  mustNotOverlap(into);
  mustHold(into, sharedShape(operands));
  if (dtype.kind > into.dtype.kind) {
    raise("RuntimeError", `result type ${dtype.word} can't be cast to the desired output type ${into.dtype.word}`);
  }
  const overlaps = operands.some((one) => one instanceof Tensor && one !== into && one.storage === into.storage);
  if (overlaps) return writeInto(into, elementwise(compute, operands, dtype));
  return elementwise(compute, operands, into.dtype, into);
}

/**
 * A number takes part as the dtype of the computation has it: 0.1 is not quite 0.1 beside float32.
 *
 * @param {(Tensor | Scalar)[]} operands
 * @param {boolean} compared then it is as rough as the tensor, else float32 at least
 */
function roundScalars(operands, compared) {
  const dtype = resultType(operands);
  for (const one of operands) {
    if (!(one instanceof Scalar) || !dtype.isFloat || dtype.bytes === 8) continue;
    one.value = compared && dtype.round ? dtype.round(one.value) : Math.fround(one.value);
  }
}

const minus = "Subtraction, the `-` operator, with";

/**
 * @param {string} name
 * @param {Value} a
 * @param {Value} b
 * @param {Tensor | null} [into]
 */
export function arithmetic(name, a, b, into = null) {
  const operands = [operand(a), operand(b)];
  roundScalars(operands, name in comparisons);
  if (name in comparisons) return computed(comparisons[name], operands, into ? into.dtype : bool, into);
  if (name in logical) return computed(logical[name], operands, into ? into.dtype : bool, into);
  const dtype = resultType(operands);
  const bools = operands.filter((one) => one.dtype === bool).length;
  if (name in bitwiseKernels) {
    if (dtype.isFloat && sharedShape(operands)) raise("NotImplementedError", `"${name}_cpu" not implemented for '${dtype.word}'`);
    return computed(bitwiseKernels[name], operands, dtype, into);
  }
  if (name === "sub") noBoolSubtraction(operands);
  if (dtype.kind < 2) wholeNumbersOnly(name, b, dtype);
  if (name === "pow" && !(a instanceof Tensor) && !into) {
    const compute = dtype.isFloat ? binary.pow : (/** @type {number} */ x, /** @type {number} */ y) => Math.trunc(binary.pow(x, y));
    return computed(compute, operands, dtype, empty(b.shape, dtype));
  }
  if (name === "pow" && !dtype.isFloat) return computed((x, y) => Math.trunc(binary.pow(x, y)), operands, dtype, into);
  const compute = name === "add" && bools === 2 ? (/** @type {number} */ x, /** @type {number} */ y) => x || y : binary[name];
  return computed(compute, operands, name === "div" || name === "atan2" ? floating(dtype) : dtype, into);
}

/** @param {(Tensor | Scalar)[]} operands */
function noBoolSubtraction(operands) {
  const bools = operands.filter((one) => one.dtype === bool).length;
  if (bools === 2) {
    raise("RuntimeError", `${minus} two bool tensors is not supported. Use the \`^\` or \`logical_xor()\` operator instead.`);
  }
  if (!bools) return;
  const instead = "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.";
  raise("RuntimeError", `${minus} a bool tensor is not supported. ${instead}`);
}

/**
 * @param {string} name
 * @param {Value} b
 * @param {DType} dtype
 */
function wholeNumbersOnly(name, b, dtype) {
  const smallest = b instanceof Tensor ? null : toNumber(b);
  if (name === "pow" && smallest !== null && smallest < 0) {
    raise("RuntimeError", "Integers to negative integer powers are not allowed.");
  }
  const divides = name === "floor_divide" || name === "remainder" || name === "fmod";
  if (divides && dtype !== bool && (smallest === 0 || (b instanceof Tensor && numbersOf(b).includes(0)))) {
    raise("RuntimeError", "ZeroDivisionError");
  }
  if (dtype === bool && (divides || name === "pow")) {
    const kernel = { floor_divide: "div_floor_cpu", remainder: "remainder_cpu", fmod: "fmod_cpu", pow: "pow" }[name];
    raise("NotImplementedError", `"${kernel}" not implemented for 'Bool'`);
  }
}

/** @type {Record<string, string>} */
const symbols = {
  ...{ "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "**": "pow", "@": "matmul" },
  ...{ "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor" },
  ...{ "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge" },
};

/** Operators of Python that are functions of Python in torch: their reports have this name. @type {Record<string, string>} */
const reported = { "//": "floor_divide" };

/**
 * @param {Tensor} x
 * @param {string} operator
 * @param {Value} other
 * @param {boolean} reflected
 */
export function binaryOperator(x, operator, other, reflected) {
  const name = symbols[operator];
  if (!name || !(other instanceof Tensor || (isNumber(other) && operator !== "@"))) return undefined;
  const [a, b] = reflected ? [other, x] : [x, other];
  const run = (/** @type {any} */ given) => (name === "matmul" ? matmul(given.a, given.b) : arithmetic(name, given.a, given.b));
  return perform(reported[operator] ?? name, { a, b }, run, {});
}

// Comes with the second script.
/**
 * @param {Tensor} x
 * @param {string} operator
 * @param {Value} other
 */
export function augmentedOperator(x, operator, other) {
  const name = symbols[operator];
  if (!name || operator === "@" || !(other instanceof Tensor || isNumber(other))) return undefined;
  return perform(`${name}_`, { x, other }, (given) => arithmetic(name, given.x, given.other, given.x), {});
}

/**
 * @param {Tensor} x
 * @param {string} operator
 */
export function unaryOperator(x, operator) {
  if (operator === "+") return perform("positive", { x }, () => positive(x), {});
  if (operator === "~" && x.dtype.isFloat) {
    raise("TypeError", "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
  }
  return operator === "-"
    ? perform("neg", { x }, () => negative(x, null), {})
    : perform("bitwise_not", { x }, () => inverted(x), {});
}

/** @param {Tensor} x */
function positive(x) {
  if (x.dtype === bool) raise("RuntimeError", "The `+` operator, on a bool tensor is not supported.");
  return x;
}

/**
 * @param {Tensor} x
 * @param {Tensor | null} into
 */
function negative(x, into) {
  if (x.dtype !== bool) return computed(sameType.neg, [x], x.dtype, into);
  const instead = "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.";
  return raise("RuntimeError", `Negation, the \`-\` operator, on a bool tensor is not supported. ${instead}`);
}

/** @param {Tensor} x */
function inverted(x) {
  if (x.dtype.isFloat) raise("NotImplementedError", `"bitwise_not_cpu" not implemented for '${x.dtype.word}'`);
  return elementwise(x.dtype === bool ? (one) => 1 - one : (one) => ~one, [x], x.dtype);
}

/**
 * A function of two, with its method and its in-place method.
 *
 * @param {string} name
 * @param {string} parameters
 * @param {(given: Record<string, Value>, into: Tensor | null) => Tensor} run
 */
export function withInPlace(name, parameters, run) {
  const texts = parameters.split("|").map((one) => one.trim());
  const first = parameters.startsWith("other operand") ? "input operand" : "input T"; // torch.mul(2, x)
  const all = (/** @type {string} */ suffix) =>
    texts
      .map((one) => `${one.startsWith("~") ? "~" : ""}${name}${suffix}(${first}${one ? `, ${one.replace("~", "")}` : ""})`)
      .join(" | ");
  define("tm", all(""), (given) => run(given, null));
  define("m", all("_"), (given) => run(given, given.input));
}

// torch.add(x, 2): `other` may be a number, though messages call it a Tensor.
// Comes with the second script.
for (const name of ["add", "sub"]) {
  withInPlace(name, "other operand, *, alpha num=1 | ~alpha num, other operand", ({ input, other, alpha }, into) => {
    if (!resultType([operand(input), operand(other)]).isFloat && alpha instanceof Float) {
      raise("RuntimeError", "For integral input tensors, argument alpha must not be a floating point number.");
    }
    if (name === "sub") noBoolSubtraction([operand(input), operand(other)]);
    const factor = toNumber(alpha instanceof Tensor ? alpha.scalar() : alpha);
    return arithmetic(name, input, factor === 1 ? other : arithmetic("mul", operandTensor(other), alpha), into);
  });
}

/** @param {Value} value */
const operandTensor = (value) =>
  value instanceof Tensor ? value : elementwise((x) => x, [new Scalar(value)], new Scalar(value).dtype);

withInPlace("mul", "other operand", ({ input, other }, into) => arithmetic("mul", input, other, into));
// Comes with the second script.
withInPlace("div", "other operand | other operand, *, rounding_mode str?", ({ input, other, rounding_mode: mode = null }, into) => {
  if (mode === "floor") return arithmetic("floor_divide", input, other, into);
  if (mode === null) return arithmetic("div", input, other, into);
  if (mode !== "trunc") {
    raise("RuntimeError", `div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '${mode}'`);
  }
  return computed((a, b) => Math.trunc(a / b), [input, operand(other)], resultType([input, operand(other)]), into);
});
// Comes with the second script.
withInPlace("floor_divide", "other operand", ({ input, other }, into) => arithmetic("floor_divide", input, other, into));
// Comes with the second script.
for (const name of ["remainder", "fmod"]) {
  withInPlace(name, "other T | other num", ({ input, other }, into) => arithmetic(name, input, other, into));
}
// Comes with the second script.
withInPlace("pow", "exponent T | exponent num", ({ input, exponent }, into) => arithmetic("pow", input, exponent, into));
// Comes with the second script.
define("t", "pow(input T, exponent T) | pow(self num, exponent T) | pow(input T, exponent num)", ({ input, self, exponent }) =>
  arithmetic("pow", input ?? self, exponent),
);
// Comes with the second script.
for (const name of [...Object.keys(comparisons), ...Object.keys(bitwiseKernels)]) {
  withInPlace(name, "other T | other num", ({ input, other }, into) => arithmetic(name, input, other, into));
}
// Comes with the second script.
for (const name of Object.keys(logical)) {
  withInPlace(name, "other T", ({ input, other }, into) => arithmetic(name, input, other, into));
}
// Comes with the second script.
for (const name of ["maximum", "minimum", "atan2"]) {
  define("tm", `${name}(input T, other T)`, ({ input, other }) => arithmetic(name, input, other));
}
for (const [name, compute] of Object.entries(toFloat)) {
  withInPlace(name, "", ({ input }, into) => computed(compute, [input], floating(input.dtype), into));
}
for (const [name, compute] of Object.entries(sameType)) {
  if (name === "neg" || name === "round") continue;
  withInPlace(name, "", ({ input }, into) => {
    if (input.dtype !== bool || name === "sign") return computed(compute, [input], input.dtype, into);
    if (name === "relu") raise("RuntimeError", "Boolean inputs not supported for relu");
    if (name === "square") return computed(compute, [input], int64, into);
    return raise("NotImplementedError", `"${name}${name === "abs" ? "" : "_vml"}_cpu" not implemented for 'Bool'`);
  });
}
withInPlace("neg", "", ({ input }, into) => negative(input, into));
// Comes with the second script.
for (const [name, compute] of Object.entries(questions)) {
  define("tm", `${name}(input T)`, ({ input }) => elementwise(compute, [input], bool));
}
// Comes with the second script.
define("tm", "bitwise_not(input T)", ({ input }) => inverted(input));
define("tm", "positive(input T)", ({ input }) => positive(input));

// Comes with the second script.
define("tm", "allclose(input T, other T, rtol float=1e-05, atol float=1e-08, equal_nan bool=False)", (given) => {
  const { input, other } = given;
  if (input.dtype !== other.dtype) raise("RuntimeError", `${input.dtype.word} did not match ${other.dtype.word}`);
  return elementwise(close(given), [input, other], bool).storage.data.every((one) => one !== 0);
});

// Comes with the second script.
/** @param {Record<string, Value>} given */
export function close({ input, other, rtol, atol, equal_nan: nans }) {
  if (input.dtype !== other.dtype) raise("RuntimeError", `${input.dtype.word} did not match ${other.dtype.word}`);
  const [relative, absolute] = [toNumber(rtol), toNumber(atol)];
  return (/** @type {number} */ a, /** @type {number} */ b) =>
    a === b ||
    (nans && Number.isNaN(a) && Number.isNaN(b)) ||
    (Number.isFinite(b) && Math.abs(a - b) <= absolute + relative * Math.abs(b));
}

const SYNONYMS = {
  multiply: "mul",
  divide: "div",
  true_divide: "div",
  subtract: "sub",
  absolute: "abs",
  negative: "neg",
};
// Comes with the second script.
alsoCalled("torch", SYNONYMS);
// Comes with the second script.
alsoCalled("torch", { greater: "gt", greater_equal: "ge", less: "lt", less_equal: "le", not_equal: "ne" });
// Comes with the second script.
alsoCalled("methods", SYNONYMS);
// Comes with the second script.
alsoCalled("methods", { multiply_: "mul_", divide_: "div_", subtract_: "sub_", negative_: "neg_", abs_: "abs_" });
