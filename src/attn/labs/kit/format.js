// How the labs write numbers.

/**
 * A number with a fixed count of decimals, a minus sign as wide as a plus sign, and infinity as its sign.
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 4) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  return value.toFixed(digits).replace("-", "−");
}

/**
 * A number for a reader: no decimals where it is whole, and no minus before a zero.
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function spelled(value, digits = 2) {
  return number(value, Math.abs(value - Math.round(value)) < 1e-6 ? 0 : digits).replace(/^−(0(\.0+)?)$/, "$1");
}

/**
 * The spellings of a number, for less and less room: −0.42, −0.4, −.4; −1.42, −1.4, −1.
 *
 * @param {number} value
 */
export function spellings(value) {
  const short = spelled(value, 1);
  return [spelled(value), short, Math.abs(value) < 0.95 ? short.replace("0.", ".") : spelled(value, 0)];
}

/**
 * Between written terms and their written sum: ≈ where rounding makes them differ.
 *
 * @param {number[]} terms
 * @param {number} sum
 */
export function sumSign(terms, sum) {
  const cents = (/** @type {number} */ value) => Math.round(100 * Number(value.toFixed(2)));
  return terms.reduce((all, term) => all + cents(term), 0) === cents(sum) ? "=" : "≈";
}

const THOUSANDS = new Intl.NumberFormat("en");

/**
 * A whole number with commas between the thousands: 12,288.
 *
 * @param {number} value
 */
export function integer(value) {
  return THOUSANDS.format(value);
}

/**
 * A size in bytes that is easy to read: 480 bytes, 7.5 KiB. Never "480 B": B is the batch.
 *
 * @param {number} count
 */
export function byteCount(count) {
  if (count < 1024) return `${count} bytes`;
  const power = Math.min(Math.floor(Math.log2(count) / 10), 3);
  return `${(count / 1024 ** power).toFixed(1)} ${"KMG"[power - 1]}iB`;
}
