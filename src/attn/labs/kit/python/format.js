// The format mini-language of f-strings: [[fill]align][sign][#][0][width][,][.precision][type]
import { exponent, floatText } from "./text.js";
import { Float, Foreign, isInt, isNumber, PyObject, raise, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;

// Comes with the second script.
/**
 * @param {Value} value
 * @param {string} spec
 * @param {Iteration} machine
 * @returns {string}
 */
export function format(value, spec, machine) {
  const own = value instanceof PyObject && machine.special(value, "__format__");
  if (own) return machine.str(machine.call(own, [spec]));
  if (!spec) return machine.str(value);
  if (value instanceof Foreign) return format(value.formatted(), spec, machine);
  if (typeof value !== "string" && !isNumber(value))
    raise("TypeError", `unsupported format string passed to ${typeName(value)}.__format__`);
  const found = SPEC.exec(spec);
  if (!found)
    return raise(
      "ValueError",
      /\.(?!\d)/.test(spec)
        ? "Format specifier missing precision"
        : `Invalid format specifier '${spec}' for object of type '${typeName(value)}'`,
    );
  const [, fill, align, sign = "", , alternate, zero, width = "0", comma, precision, type = ""] = found;
  machine.room(Number(width) + Number(precision ?? 0));
  if (typeof value === "string" || (type === "s" && !isNumber(value))) {
    if (type && type !== "s") wrongCode(type, value);
    if (sign) raise("ValueError", `Sign not allowed in string format specifier`);
    if (align === "=") raise("ValueError", "'=' alignment not allowed in string format specifier");
    if (comma) raise("ValueError", `Cannot specify '${comma}' with 's'.`);
    const text = precision === undefined ? value : [...value].slice(0, Number(precision)).join("");
    return padded(text, fill ?? (zero && !align ? "0" : " "), align ?? "<", Number(width));
  }
  const negative = toNumber(value) < 0 || (value instanceof Float && Object.is(value.value, -0));
  let text = digits(value, type, precision === undefined ? null : Number(precision), Boolean(alternate));
  if (comma) text = grouped(text, comma);
  const before = negative ? "-" : sign === "-" ? "" : sign;
  if ((zero && !align) || align === "=")
    return before + padded(text, fill ?? (zero ? "0" : " "), ">", Number(width) - before.length);
  return padded(
    before + text,
    fill ?? (zero ? "0" : " "),
    align ?? (typeof value === "boolean" && !type ? "<" : ">"),
    Number(width),
  );
}

// Comes with the second script.
/**
 * The text of a number's size, without its sign.
 *
 * @param {Value} value
 * @param {string} type
 * @param {number | null} precision
 * @param {boolean} alternate
 * @returns {string}
 */
function digits(value, type, precision, alternate) {
  const size = Math.abs(toNumber(value));
  if (isInt(value) && "dnxXobc".includes(type || "d")) {
    if (precision !== null) raise("ValueError", "Precision not allowed in integer format specifier");
    const base = { x: 16, X: 16, o: 8, b: 2 }[type];
    if (type === "c") return String.fromCodePoint(size);
    const text = size.toString(base ?? 10);
    return (alternate && base ? `0${type}` : "") + (type === "X" ? text.toUpperCase() : text);
  }
  if (!"eEfFgGn%".includes(type || "g")) wrongCode(type, value);
  if (!Number.isFinite(size))
    return (/[A-Z]/.test(type) ? floatText(size).toUpperCase() : floatText(size)) + (type === "%" ? "%" : "");
  switch (type) {
    case "f":
    case "F":
      return fixed(size, precision ?? 6);
    case "%":
      return `${fixed(size * 100, precision ?? 6)}%`;
    case "e":
      return exponent(size.toExponential(Math.min(precision ?? 6, 100)));
    case "E":
      return exponent(size.toExponential(Math.min(precision ?? 6, 100))).toUpperCase();
    case "":
      return precision === null ? floatText(size) : general(size, precision, true);
    default: {
      const text = general(size, precision ?? 6, false);
      return type === "G" ? text.toUpperCase() : text;
    }
  }
}

// Comes with the second script.
/** Digits behind the point, exactly rounded: JavaScript's toFixed stops at 1e21. */
function fixed(/** @type {number} */ size, /** @type {number} */ precision) {
  if (size >= 1e21) return BigInt(size).toString() + (precision ? `.${"0".repeat(precision)}` : "");
  return size.toFixed(Math.min(precision, 100)) === "-0" ? "0" : roundedHalf(size, precision);
}

// Comes with the second script.
/** toFixed, with exact halves rounded to even as Python does. */
function roundedHalf(/** @type {number} */ size, /** @type {number} */ precision) {
  const text = size.toFixed(Math.min(precision, 100));
  if (precision > 20) return text;
  const exact = size.toFixed(Math.min(100, precision + 40));
  const rest = precision ? exact.slice(exact.indexOf(".") + 1 + precision) : exact.slice(exact.indexOf(".") + 1);
  if (!/^50*$/.test(rest)) return text;
  const down = exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
  return Number(down.at(-1)) % 2 === 0 ? down : text;
}

// Comes with the second script.
/**
 * As "g" writes it. Without a type, a float keeps a digit behind the point.
 *
 * @param {number} size
 * @param {number} precision
 * @param {boolean} point
 */
function general(size, precision, point) {
  const count = Math.min(Math.max(1, precision), 100);
  const power = size === 0 ? 0 : Number(size.toExponential(count - 1).split("e")[1]);
  const scientific = power < -4 || power >= count - (point ? 1 : 0);
  if (scientific) return exponent(size.toExponential(count - 1).replace(/\.?0+e/, "e"));
  const text = size.toFixed(Math.min(100, Math.max(0, count - 1 - power)));
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return point && !short.includes(".") ? `${short}.0` : short;
}

function grouped(/** @type {string} */ text, /** @type {string} */ comma) {
  return text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, comma));
}

// Comes with the second script.
/**
 * @param {string} text
 * @param {string} fill
 * @param {string} align
 * @param {number} width
 */
export function padded(text, fill, align, width) {
  const room = Math.max(0, width - [...text].length);
  if (align === "<") return text + fill.repeat(room);
  if (align === "^") return fill.repeat(room >> 1) + text + fill.repeat(room - (room >> 1));
  return fill.repeat(room) + text;
}

/**
 * @param {string} type
 * @param {Value} value
 * @returns {never}
 */
function wrongCode(type, value) {
  return raise("ValueError", `Unknown format code '${type}' for object of type '${typeName(value)}'`);
}
