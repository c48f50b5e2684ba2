// Arithmetic of numbers as Python has it.
import { Float, NotHere, raise, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */

/** An int that JavaScript holds exactly. */
function int(/** @type {number} */ value) {
  if (!Number.isSafeInteger(value)) throw new NotHere("an int beyond 2**53");
  return value + 0;
}

// Comes with the second script.
/**
 * @param {string} operator
 * @param {number | string} a
 * @param {number | string} b
 */
export function ordering(operator, a, b) {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case ">":
      return a > b;
    case "<=":
      return a <= b;
    default:
      return a >= b;
  }
}

/**
 * @param {string} operator
 * @param {Value} left a number, Float or boolean
 * @param {Value} right
 * @returns {Value}
 */
export function numberOperation(operator, left, right) {
  const a = toNumber(left);
  const b = toNumber(right);
  const float = left instanceof Float || right instanceof Float;
  const number = (/** @type {number} */ value) => (float ? new Float(value) : int(value));
  switch (operator) {
    case "+":
      return number(a + b);
    case "-":
      return number(a - b);
    case "*":
      return number(a * b);
    case "/":
      return b === 0 ? raise("ZeroDivisionError", float ? "float division by zero" : "division by zero") : new Float(a / b);
    case "//":
      if (b === 0) raise("ZeroDivisionError", float ? "float floor division by zero" : "integer division or modulo by zero");
      return number(float ? floorDivide(a, b) : (a - modulo(a, b)) / b);
    case "%":
      if (b === 0) raise("ZeroDivisionError", float ? "float modulo" : "integer modulo by zero");
      return number(modulo(a, b));
    case "**":
      return power(a, b, float);
    case "@":
      return raise("TypeError", `unsupported operand type(s) for @: '${typeName(left)}' and '${typeName(right)}'`);
  }
  if (float) raise("TypeError", `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`);
  const bits = bitwise(operator, a, b);
  return typeof left === "boolean" && typeof right === "boolean" && "&|^".includes(operator) ? Boolean(bits) : int(bits);
}

/** The remainder with the sign of the divisor, as Python has it. */
function modulo(/** @type {number} */ a, /** @type {number} */ b) {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

function floorDivide(/** @type {number} */ a, /** @type {number} */ b) {
  const whole = (a - modulo(a, b)) / b;
  const floor = Math.floor(whole);
  return whole - floor > 0.5 ? floor + 1 : floor;
}

function power(/** @type {number} */ a, /** @type {number} */ b, /** @type {boolean} */ float) {
  if (a === 0 && b < 0) raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) throw new NotHere("a complex number");
  const value = a === 1 || b === 0 ? 1 : a ** b;
  if (!float && b >= 0) return int(value);
  if (!Number.isFinite(value) && Number.isFinite(a) && Number.isFinite(b))
    raise("OverflowError", "(34, 'Numerical result out of range')");
  return new Float(value);
}

// Comes with the second script.
function bitwise(/** @type {string} */ operator, /** @type {number} */ a, /** @type {number} */ b) {
  if (operator === "<<" || operator === ">>") {
    if (b < 0) raise("ValueError", "negative shift count");
    return operator === "<<" ? a * 2 ** b : Math.floor(a / 2 ** b);
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  return Number(operator === "&" ? x & y : operator === "|" ? x | y : x ^ y);
}
