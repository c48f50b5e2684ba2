// "%s and %.2f" % (a, b)
import { format } from "./format.js";
import { Float, Foreign, isNumber, raise, Tuple, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */

const FIELD = /%(?:\((\w+)\))?([-+ 0#]*)(\*|\d*)(?:\.(\d+))?([a-zA-Z%]?)/g;

/**
 * @param {string} text
 * @param {Value} given a tuple, a dict or one value
 * @param {Iteration} machine
 */
export function percent(text, given, machine) {
  const values = given instanceof Tuple ? [...given] : [given];
  let used = 0;
  const result = text.replace(FIELD, (whole, key, flags, width, precision, kind) => {
    if (whole === "%%") return "%";
    if (!kind) return raise("ValueError", "incomplete format");
    if (!"sradifFeEgGxXoc".includes(kind))
      return raise(
        "ValueError",
        `unsupported format character '${kind}' (0x${kind.charCodeAt(0).toString(16)}) at index ${text.indexOf(whole) + whole.length - 1}`,
      );
    if (key !== undefined && !(given instanceof Map)) return raise("TypeError", "format requires a mapping");
    if (key === undefined && used >= values.length) return raise("TypeError", "not enough arguments for format string");
    const value = key === undefined ? values[used++] : given.get(key);
    const align = flags.includes("-") ? "<" : flags.includes("0") && !"sra".includes(kind) ? "" : ">";
    const zero = !align && width ? "0" : "";
    const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
    const point = precision === undefined ? "" : `.${precision}`;
    if ("sra".includes(kind))
      return format(kind === "s" ? machine.str(value) : machine.repr(value), `${width && align}${width}${point}`, machine);
    return format(
      numberOfKind(kind, value),
      `${align}${sign}${zero}${width}${"diuxXo".includes(kind) ? "" : point}${"iu".includes(kind) ? "d" : kind}`,
      machine,
    );
  });
  if (used < values.length && !(given instanceof Map) && (given instanceof Tuple || !text.includes("%(")))
    raise("TypeError", "not all arguments converted during string formatting");
  return result;
}

/**
 * @param {string} kind
 * @param {Value} value
 */
function numberOfKind(kind, value) {
  const number = value instanceof Foreign ? value.scalar() : value;
  if (!isNumber(number)) {
    return raise(
      "TypeError",
      "diuxXo".includes(kind)
        ? `%${kind} format: a real number is required, not ${typeName(value)}`
        : `must be real number, not ${typeName(value)}`,
    );
  }
  return "diuxXo".includes(kind) ? Math.trunc(toNumber(number)) : new Float(toNumber(number));
}
