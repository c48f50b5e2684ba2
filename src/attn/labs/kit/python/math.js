// The module math.
import { whole } from "./construct.js";
import { Builtin } from "./objects.js";
import { Float, Foreign, isInt, isNumber, Namespace, raise, Tuple, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./items.js").Items} Items */

/**
 * @param {Value} value
 * @param {Items} machine
 * @returns {number}
 */
function real(value, machine) {
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
function mathFunction(name, count, act, keywords) {
  return new Builtin(`math.${name}`, count, (args, kwargs, machine) => act(args, /** @type {Items} */ (machine), kwargs), keywords);
}

/**
 * A function from numbers to a float.
 *
 * @param {string} name
 * @param {(...numbers: number[]) => number} compute
 * @param {[number, number]} [count]
 */
function smooth(name, compute, count = [1, 1]) {
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
function roundingTo(name, compute) {
  return mathFunction(name, [1, 1], ([value], machine) => (isInt(value) ? Number(value) : whole(compute(real(value, machine)))));
}

/**
 * @param {string} name
 * @param {(value: number) => boolean} test
 */
function test(name, test) {
  return mathFunction(name, [1, 1], ([value], machine) => test(real(value, machine)));
}

function gcd(/** @type {number} */ a, /** @type {number} */ b) {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y) [x, y] = [y, x % y];
  return x;
}

function factorial(/** @type {number} */ n) {
  if (n < 0) raise("ValueError", "factorial() not defined for negative values");
  let product = 1;
  for (let k = 2; k <= Math.min(n, 30); k++) product *= k;
  return whole(product);
}

/**
 * @param {Value} a
 * @param {Value} b
 * @param {Record<string, Value>} tolerances
 * @param {Items} machine
 */
function isClose(a, b, tolerances, machine) {
  const [x, y] = [real(a, machine), real(b, machine)];
  const relative = real(tolerances.rel_tol ?? new Float(1e-9), machine);
  const absolute = real(tolerances.abs_tol ?? 0, machine);
  const apart = Math.abs(x - y); // infinity is close to nothing but itself
  return x === y || (apart < Infinity && apart <= Math.max(relative * Math.max(Math.abs(x), Math.abs(y)), absolute));
}

/** The square root of a whole number, rounded down. */
function wholeRoot(/** @type {number} */ n) {
  if (n < 0) raise("ValueError", "isqrt() argument must be nonnegative");
  const root = Math.floor(Math.sqrt(n));
  return root * root > n ? root - 1 : root;
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
const OTHER_FUNCTIONS = new Set([
  "comb",
  "perm",
  "dist",
  "frexp",
  "ldexp",
  "modf",
  "nextafter",
  "ulp",
  "remainder",
  "gamma",
  "lgamma",
  "lcm",
]);

export const MATH = new Namespace(
  "math",
  {
    ...Object.fromEntries(SMOOTH.map((name) => [name, smooth(name, Math[name])])),
    exp2: smooth("exp2", (value) => 2 ** value),
    fabs: smooth("fabs", Math.abs),
    log: smooth("log", log, [1, 2]),
    pow: smooth("pow", (a, b) => (a === 1 ? 1 : a ** b), [2, 2]),
    atan2: smooth("atan2", Math.atan2, [2, 2]),
    fmod: smooth("fmod", (a, b) => a % b, [2, 2]),
    copysign: smooth("copysign", (a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)), [2, 2]),
    hypot: smooth("hypot", Math.hypot, [0, Number.POSITIVE_INFINITY]),
    degrees: smooth("degrees", (value) => (value * 180) / Math.PI),
    radians: smooth("radians", (value) => (value * Math.PI) / 180),
    erf: smooth("erf", erfOf),
    erfc: smooth("erfc", (value) => 1 - erfOf(value)),
    floor: roundingTo("floor", Math.floor),
    ceil: roundingTo("ceil", Math.ceil),
    trunc: roundingTo("trunc", Math.trunc),
    isnan: test("isnan", Number.isNaN),
    isinf: test("isinf", (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    isfinite: test("isfinite", Number.isFinite),
    isclose: mathFunction("isclose", [2, 2], ([a, b], machine, tolerances) => isClose(a, b, tolerances, machine), [
      "rel_tol",
      "abs_tol",
    ]),
    isqrt: mathFunction("isqrt", [1, 1], ([value], machine) => wholeRoot(machine.int(value))),
    gcd: mathFunction("gcd", [0, Number.POSITIVE_INFINITY], (args, machine) => args.reduce((a, b) => gcd(a, machine.int(b)), 0)),
    factorial: mathFunction("factorial", [1, 1], ([value], machine) => factorial(machine.int(value))),
    prod: mathFunction(
      "prod",
      [1, 1],
      ([value], machine, { start = 1 }) => machine.array(value).reduce((a, b) => machine.binary("*", a, b), start),
      ["start"],
    ),
    fsum: mathFunction(
      "fsum",
      [1, 1],
      ([value], machine) => new Float(machine.array(value).reduce((a, b) => a + real(b, machine), 0)),
    ),
    modf: mathFunction("modf", [1, 1], ([value], machine) =>
      Tuple.from([new Float(real(value, machine) % 1), new Float(Math.trunc(real(value, machine)))]),
    ),
    inf: new Float(Number.POSITIVE_INFINITY),
    nan: new Float(Number.NaN),
    pi: new Float(Math.PI),
    tau: new Float(2 * Math.PI),
    e: new Float(Math.E),
  },
  (name) => OTHER_FUNCTIONS.has(name),
);

/** The error function: a series near 0, a continued fraction further out. */
function erfOf(/** @type {number} */ x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 100; n++) {
      term *= -(x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction);
  return Math.sign(x) * (1 - Math.exp(-size * size) / (Math.sqrt(Math.PI) * (size + fraction)));
}
