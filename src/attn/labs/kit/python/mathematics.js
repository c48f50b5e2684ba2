// What few programs call of the module math.
import { whole } from "./construct.js";
import { MATH, mathFunction, real, roundingTo, smooth } from "./math.js";
import { Float, raise, Tuple } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./items.js").Items} Items */

/** What Python has and the page has not. */
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

MATH.has = (name) => OTHER_FUNCTIONS.has(name);
Object.assign(MATH.members, {
  exp2: smooth("exp2", (value) => 2 ** value),
  fabs: smooth("fabs", Math.abs),
  atan2: smooth("atan2", Math.atan2, [2, 2]),
  fmod: smooth("fmod", (a, b) => a % b, [2, 2]),
  copysign: smooth("copysign", (a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)), [2, 2]),
  hypot: smooth("hypot", Math.hypot, [0, Number.POSITIVE_INFINITY]),
  degrees: smooth("degrees", (value) => (value * 180) / Math.PI),
  radians: smooth("radians", (value) => (value * Math.PI) / 180),
  erf: smooth("erf", erfOf),
  erfc: smooth("erfc", (value) => 1 - erfOf(value)),
  trunc: roundingTo("trunc", Math.trunc),
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
});

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
