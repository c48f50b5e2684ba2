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
