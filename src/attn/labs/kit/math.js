// Small mathematics that several labs need.

/**
 * 0, 1, ..., n - 1.
 *
 * @param {number} n
 */
export function range(n) {
  const all = [];
  for (let i = 0; i + 1 <= n; i += 1) all.push(i); // a tenth of the time of Array.from
  return all;
}

/**
 * The divisors of n in ascending order.
 *
 * @param {number} n
 */
export function divisors(n) {
  return range(n + 1).filter((d) => d > 0 && n % d === 0);
}

/**
 * The largest divisor of n up to a number: as many key/value heads as n heads can have.
 *
 * @param {number} n
 * @param {number} most
 */
export const divisorUpTo = (n, most) => divisors(n).findLast((d) => d <= most) ?? 1;

/**
 * The product of these numbers, 1 if there are none.
 *
 * @param {readonly number[]} numbers
 */
export function product(numbers) {
  return numbers.reduce((all, one) => all * one, 1);
}

/**
 * The nearest number that is at least `least` and at most `most`.
 *
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

/**
 * x rounded to the nearest float16, ties to even, for browsers without Math.f16round.
 *
 * @param {number} x
 */
export function roundToFloat16(x) {
  if (!Number.isFinite(x) || x === 0) return x;
  const size = Math.abs(x);
  let power = Math.floor(Math.log2(size));
  if (2 ** power > size) power -= 1; // where the logarithm was rounded up
  const step = 2 ** (Math.max(power, -14) - 10);
  const low = Math.floor(size / step);
  const rest = size / step - low;
  const up = rest > 0.5 || (rest === 0.5 && low % 2 === 1);
  const rounded = (low + (up ? 1 : 0)) * step;
  return Math.sign(x) * (rounded > 65504 ? Infinity : rounded);
}

/** @type {(x: number) => number} x rounded to float16 */
export const half = /** @type {any} */ (Math).f16round ?? roundToFloat16;

/**
 * The number with these 16 bits.
 *
 * @param {number} bits
 */
function fromBits(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

/** @type {Float32Array | null} all numbers of float16, by their bits */
let float16s = null;

/**
 * Numbers of float16, given by their bits, as float32.
 *
 * @param {Uint16Array} bits
 */
export function fromFloat16(bits) {
  float16s ??= Float32Array.from({ length: 65536 }, (_, n) => fromBits(n));
  const out = new Float32Array(bits.length);
  for (let n = 0; n < bits.length; n++) out[n] = float16s[bits[n]];
  return out;
}
