// What is computed for one element: the functions behind exp, add, relu and their like.

/** @typedef {(a: number) => number} Unary */
/** @typedef {(a: number, b: number) => number} Binary */

/** @type {Binary} */
const remainder = (a, b) => {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
};

/** @type {Binary} */
const flooredQuotient = (a, b) => {
  if (b === 0) return a / b;
  const rest = a % b;
  const quotient = (a - rest) / b;
  return Math.round(rest !== 0 && rest < 0 !== b < 0 ? quotient - 1 : quotient);
};

/** @type {Record<string, Binary>} */
export const binary = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow: (a, b) => (a === 1 || b === 0 ? 1 : b === 0.5 ? Math.sqrt(a) : a ** b),
  remainder,
  fmod: (a, b) => a % b,
  floor_divide: flooredQuotient,
  maximum: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Math.max(a, b)),
  minimum: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Math.min(a, b)),
  atan2: Math.atan2,
};

/** @type {Record<string, (a: number, b: number) => boolean>} */
export const comparisons = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

/** @type {Record<string, Binary>} */
export const bitwiseKernels = {
  bitwise_and: (a, b) => a & b,
  bitwise_or: (a, b) => a | b,
  bitwise_xor: (a, b) => a ^ b,
};

/** @type {Record<string, (a: number, b: number) => boolean>} */
export const logical = {
  logical_and: (a, b) => a !== 0 && b !== 0,
  logical_or: (a, b) => a !== 0 || b !== 0,
  logical_xor: (a, b) => (a !== 0) !== (b !== 0),
};

// Comes with the second script.
/**
 * The error function: its series near 0, its continued fraction further out.
 *
 * @param {number} x
 */
export function erf(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (!(size >= 2.5)) {
    let term = size;
    let sum = size;
    for (let n = 1; n < 80 && Math.abs(term) > 1e-17 * sum; n++) {
      term *= (-size * size) / n;
      sum += term / (2 * n + 1);
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction);
  return Math.sign(x) * (1 - Math.exp(-size * size) / ((size + fraction) * Math.sqrt(Math.PI)));
}

/** @type {Unary} halves go to the even neighbour */
export const roundEven = (x) => {
  const rounded = Math.round(x);
  return Math.abs(x % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
};

/** @type {Unary} */
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** @type {Unary} */
export const softplus = (x) => (x > 20 ? x : Math.log1p(Math.exp(x)));

/** @type {Unary} */
export const gelu = (x) => 0.5 * x * (1 + erf(x / Math.SQRT2));

/** @type {Unary} */
export const geluTanh = (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** Functions whose result is a float, whatever they are given. @type {Record<string, Unary>} */
export const toFloat = {
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  sigmoid,
  erf,
  reciprocal: (x) => 1 / x,
};

/** Functions that keep the dtype. @type {Record<string, Unary>} */
export const sameType = {
  neg: (x) => -x,
  abs: Math.abs,
  square: (x) => x * x,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round: roundEven,
  sign: (x) => Number(x > 0) - Number(x < 0),
  relu: (x) => (x > 0 || Number.isNaN(x) ? x : 0),
};

/** Functions that answer yes or no. @type {Record<string, (x: number) => boolean>} */
export const questions = {
  logical_not: (x) => x === 0,
  isnan: Number.isNaN,
  isinf: (x) => Math.abs(x) === Infinity,
  isfinite: Number.isFinite,
  isposinf: (x) => x === Infinity,
  isneginf: (x) => x === -Infinity,
  signbit: (x) => x < 0 || Object.is(x, -0),
};

/** Activations that only floats have. @type {Record<string, Unary>} */
export const activations = {
  silu: (x) => x * sigmoid(x),
  mish: (x) => x * Math.tanh(softplus(x)),
  relu6: (x) => Math.min(Math.max(x, 0), 6),
  hardtanh: (x) => Math.min(Math.max(x, -1), 1),
  softsign: (x) => x / (1 + Math.abs(x)),
  selu: (x) => 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * Math.expm1(x)),
  logsigmoid: (x) => -softplus(-x),
};
