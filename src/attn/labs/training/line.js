// A line through values, as an SVG path.

/**
 * The `d` of a path through values from 0 to `most`, in a box of `width` x `height`.
 *
 * @param {ArrayLike<number>} values
 * @param {number} width
 * @param {number} height
 * @param {number} most
 */
export function linePath(values, width, height, most) {
  const x = (n) => (width * n) / Math.max(1, values.length - 1);
  const y = (value) => height * (1 - Math.min(1, value / most));
  return Array.from(values, (value, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}
