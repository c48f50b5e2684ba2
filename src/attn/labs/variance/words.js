// How VarianceLab writes its numbers, and its sentence about the assumptions.

import { number } from "../kit/format.js";
import { KEYS } from "./draws.js";
import { law } from "./model.js";

/**
 * A number with about three digits.
 *
 * @param {number} value
 */
export function brief(value) {
  const size = Math.abs(value);
  if (size > 0 && size < 0.001) {
    const power = Math.floor(Math.log10(size));
    const exponent = [...String(-power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
    return `${number(value / 10 ** power, 1)}·10⁻${exponent}`;
  }
  const isWhole = Math.abs(value - Math.round(value)) <= 1e-9 * size;
  return number(value, isWhole || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/**
 * "64.3 ± 1.9": the error with two digits, the value with as many decimals.
 *
 * @param {number} value
 * @param {number} error
 */
export function withError(value, error) {
  const decimals = error > 0 ? Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(error)))) : 3;
  return `${number(value, decimals)} ± ${number(error, decimals)}`;
}

/**
 * A sentence about the assumptions that the settings break, and what the law says then.
 *
 * @param {import("./model.js").Settings} settings
 */
export function describeAssumptions(settings) {
  const { D, mean, std, correlation } = settings;
  const broken = [
    mean !== 0 && "the mean is not 0",
    std !== 1 && "the standard deviation is not 1",
    correlation !== 0 && "queries and keys are not independent",
  ].filter(Boolean);
  if (!broken.length) return "All assumptions hold: mean 0, standard deviation 1, independent. So the law says: variance D.";
  const list = broken.join(" and ");
  const expected = law(settings);
  const same = Math.abs(correlation) === 1 ? ` All ${KEYS} keys of a query are the same: nothing to choose.` : "";
  return (
    `${list[0].toUpperCase()}${list.slice(1)}: the law says mean ${brief(expected.mean)}, variance ${brief(expected.variance)} ` +
    `instead of 0 and ${D}.${same}`
  );
}
