// How VarianceLab writes its numbers, and its sentences. A letter in braces is an axis: {D}.

import { integer, number } from "../kit/format.js";
import { capital, counted } from "../kit/phrases.js";
import { average, KEYS } from "./draws.js";
import { HEADS, keysOf, stuckShare, WIDTH } from "./model.js";

/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Results} Results */
/** @typedef {import("./model.js").Facts} Facts */

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
  if (size >= 10000) return integer(Math.round(value)).replace("-", "−");
  return number(value, isWhole || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/**
 * "64.3 ± 2.1": the error with one digit, or two if they begin with 1 or 2; the value with as many decimals.
 *
 * @param {number} value
 * @param {number} error
 */
export function withError(value, error) {
  if (!(error > 0)) return brief(value);
  const power = Math.floor(Math.log10(error));
  const digits = error / 10 ** power < 2.95 ? 1 : 0;
  if (power > digits) {
    const [rounded, off] = [value, error].map((one) => integer(Math.round(one / 10 ** (power - digits)) * 10 ** (power - digits)));
    return `${rounded.replace("-", "−")} ± ${off}`;
  }
  const decimals = Math.max(0, Math.min(6, digits - power));
  return `${number(value, decimals)} ± ${number(error, decimals)}`;
}

/**
 * A measured number with its standard error, if it was measured on random numbers.
 *
 * @param {Results} results
 * @param {Facts} facts
 * @param {"variance" | "largest"} name
 */
function measured({ trained }, facts, name) {
  return trained ? brief(facts[name]) : withError(facts[name], facts[`${name}_error`]);
}

/**
 * What the best key of a query gets on average.
 *
 * @param {number} share
 */
const shareText = (share) => number(share, share < 0.1 ? 3 : 2);

/**
 * @param {number} share that the best of these keys gets on average
 * @param {number} keys
 */
const isNearlyEqual = (share, keys) => share < 1.5 / keys;

/**
 * "0.073 on average: nearly equal".
 *
 * @param {import("./model.js").Rows} rows
 */
export function bestText({ largest, keys }) {
  const share = average(largest);
  return `${shareText(share)} on average${isNearlyEqual(share, keys) ? ": nearly equal" : ""}`;
}

/**
 * The share of the queries whose weights hardly change.
 *
 * @param {import("./model.js").Rows} rows
 */
export const stuckText = ({ norms }) => `${percent(stuckShare(norms))} stuck`;

/** @param {number} share */
const percent = (share) => `${number(100 * share, 0)} %`;

/**
 * How many of the queries are stuck.
 *
 * @param {Results} results
 */
const stuckQueries = ({ scaled_facts: { stuck } }) => `${percent(stuck)} of the queries are stuck`;

/**
 * What the scores are divided by: "√{D} = 8".
 *
 * @param {Settings} settings
 * @param {number} divisor
 */
function divisorText({ divide_by }, divisor) {
  if (divide_by === "1") return "1";
  return `${divide_by.replace(/[DE]/, "{$&}")} = ${brief(divisor)}`;
}

/**
 * What is measured of the scores that are drawn, as they are and divided, and what is expected of them: "" for the first of them if they
 * are the same. While they move, only their names.
 *
 * @param {Settings} settings
 * @param {Results} results
 * @param {import("./scene.js").Moment} moment
 * @returns {[string, string]}
 */
export function legends(settings, results, { moves }) {
  const { law, divisor, facts, scaled_facts } = results;
  /** @param {Facts} facts of the scores, divided by c @param {number} c */
  const about = (facts, c) => {
    if (moves) return "";
    const mean = law && law.mean === 0 ? "" : `mean ${brief(facts.mean)}, `;
    const [variance] = measured(results, facts, "variance").split(" ± ");
    const expected = law ? ` (expected ${brief(law.variance / c ** 2)})` : "";
    return `: ${mean}variance ${variance}${expected}`;
  };
  const plain = `scores, not divided${about(facts, 1)}`;
  if (settings.divide_by === "1") return ["", plain];
  return [plain, `divided by ${divisorText(settings, divisor)}${about(scaled_facts, divisor)}`];
}

/** @param {number} setting */
const plain = (setting) => String(setting).replace("-", "−");

/**
 * Which assumptions the settings break, and what the law says then; "" if all hold.
 *
 * @param {Settings} settings
 * @param {import("./model.js").Law} law
 */
function describeAssumptions({ D, mean, std, correlation }, law) {
  const broken = [
    mean !== 0 && `the mean is ${plain(mean)} and not 0`,
    std !== 1 && `the standard deviation is ${plain(std)} and not 1`,
    correlation !== 0 && `queries and keys are correlated (${plain(correlation)})`,
  ].filter(Boolean);
  if (!broken.length) return "";
  const list = broken.join(", ");
  return (
    `${capital(list)}: by the law the scores have mean ${brief(law.mean)} and variance ` +
    `${brief(law.variance)} instead of 0 and ${D}.`
  );
}

/**
 * What has happened.
 *
 * @param {Settings} settings
 * @param {Results} results
 */
export function sentence(settings, results) {
  const { D, numbers, correlation } = settings;
  const { law, facts, scaled_facts, divisor, trained } = results;
  const keys = keysOf(results);
  const [raw, now] = [facts, scaled_facts].map((one) => measured(results, one, "variance"));
  const [best, wasBest] = [scaled_facts, facts].map(({ largest }) => shareText(largest));
  const divided = `divided by ${divisorText(settings, divisor)}`;
  const gets = `the best of ${keys} keys gets ${best} of a query’s weight on average`;
  const stuck = isStuck(results) ? stuckQueries(results) : "a gradient gets through for every query";
  if (trained)
    return (
      `These are scores of a trained layer: variance ${raw}, not ${D}, because its queries and keys are no longer independent ` +
      `numbers of variance 1. ${settings.divide_by === "1" ? "Not divided" : capital(divided)}, the variance is ${now}, and ${gets}.`
    );
  const random = numbers === "trained" ? `The trained layer has {D} = ${WIDTH}; at {D} = ${D} the numbers are random. ` : "";
  const assumptions = law ? describeAssumptions(settings, law) : "";
  if (assumptions) {
    const same = Math.abs(correlation) === 1 ? ` All ${KEYS} keys of a query are the same, so there is nothing to choose.` : "";
    const what = settings.divide_by === "1" ? "Not divided, the variance stays" : `${capital(divided)}, it is`;
    return `${random}${assumptions} ${what} ${now}: ${gets}, and ${stuck}.${same}`;
  }
  const isExpected = law && Math.abs(facts.variance - law.variance) < 2 * facts.variance_error;
  /** @type {(expected: string) => string} */
  const about = (expected) => (isExpected ? `about ${expected}` : `${expected} on average over many draws`);
  const sum = `${random}A score is a sum of ${counted(D, "product")}: its variance is ${about("{D}")}.`;
  switch (settings.divide_by) {
    case "1":
      if (!isStuck(results)) return `${sum} Without a division ${gets}, and ${stuck}.`;
      return (
        `${sum} Scores so far apart give one key ${mostOf(scaled_facts.largest)} the weight, ${best} on average. Then ${stuck}: hardly ` +
        "any gradient gets through their weights."
      );
    case "D":
      return (
        `${sum} Divided by {D}, it is ${about("1/{D}")}: the wider the head, the more equal the scores. ${capital(gets)}; equal weights ` +
        `give ${brief(1 / keys)}${isNearlyEqual(scaled_facts.largest, keys) ? ": the head can hardly choose" : ""}.`
      );
    case "√E":
      return `${sum} {E} = ${HEADS}·{D} is the width of a whole token, so √{E} divides too much: ${now} is left, 1/${HEADS} of what should be. The weights are too even: ${gets}.`;
    default:
      if (best !== wasBest && facts.stuck === 0 && facts.largest < 0.5)
        return (
          `${sum} Divided by √{D}, it is ${about("1")}. At so small a {D} it is hardly needed: undivided, the best of ${keys} keys gets ` +
          `${wasBest} of the weight, not ${best}, and no query is stuck either way.`
        );
      return `${sum} Divided by √{D}, it is ${about("1")} at every {D}. So ${gets}${best === wasBest ? "" : `, not ${wasBest}`}, and ${stuck}.`;
  }
}

/**
 * What is seen while the picture moves.
 *
 * @param {Settings} before
 * @param {Settings} settings
 * @param {Results} results
 */
export function moves(before, settings, { divisor }) {
  const { D, divide_by } = settings;
  const [more, spread] = D > before.D ? ["more", "spread"] : ["fewer", "draw together"];
  const sums = D === before.D ? "" : `Each score is a sum of ${more} products, so the scores ${spread}. `;
  const isUndone = D === before.D && (before === settings || before.divide_by !== "1");
  const division =
    divide_by === "1"
      ? isUndone
        ? "Not divided any more, the scores spread again"
        : "No score is divided"
      : `${sums ? "Then" : "Now"} every score is divided by ${divide_by} = ${brief(divisor)}`;
  return `${sums}${division}: watch the best key, and the gradients.`;
}

/** How much of the weight a share is. @param {number} share */
const mostOf = (share) => (share > 0.9 ? "nearly all of" : share > 0.5 ? "most of" : "much of");

/** @param {Results} results */
const isStuck = ({ scaled_facts }) => scaled_facts.stuck > 0;
