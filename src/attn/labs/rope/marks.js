// The positions on the sliders: one by one, then in steps.

import { range } from "../kit/math.js";

const FAR = [20, 24, 32, 40, 50, 64, 80, 100, 128, 200, 256, 400, 512, 700, 1000, 1024, 1500, 2000, 3000, 4000, 4096];

export const MARKS = [...range(17), ...FAR];

/**
 * The positions on a slider, with the present one, which may be any.
 *
 * @param {number} now
 * @param {number} most
 */
export function marksWith(now, most) {
  const known = MARKS.filter((mark) => mark <= most);
  return known.includes(now) ? known : [...known, now].sort((a, b) => a - b);
}
