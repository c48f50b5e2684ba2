// The methods of str.
import { padded } from "./format.js";
import { formatted } from "./template.js";
import { Limit, NotHere, raise, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */

const LONGEST_STRING = 1_000_000;
const BLANK = /\s+/u;

/**
 * @param {Value} value
 * @param {string} message
 */
function text(value, message) {
  return typeof value === "string" ? value : raise("TypeError", message);
}

/**
 * @param {string} self
 * @param {Value} items
 * @param {Iteration} machine
 */
function join(self, items, machine) {
  const iterator = machine.until("TypeError", () => machine.iterator(items));
  if (!iterator) raise("TypeError", "can only join an iterable");
  const parts = machine.array(items);
  let length = 0;
  parts.forEach((one, n) => {
    if (typeof one !== "string") raise("TypeError", `sequence item ${n}: expected str instance, ${typeName(one)} found`);
    length += one.length + self.length;
  });
  machine.room(length);
  return parts.join(self);
}

/**
 * @param {string} self
 * @param {Value} separator
 * @param {number} most splits
 */
function split(self, separator, most) {
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  if (separator === null) {
    const words = self.trim().split(BLANK).filter(Boolean);
    if (words.length <= limit) return words;
    let rest = self.trimStart();
    for (let n = 0; n < limit; n++) rest = rest.slice(words[n].length).trimStart();
    return [...words.slice(0, limit), rest];
  }
  const parts = self.split(textSeparator(separator));
  return parts.length <= limit ? parts : [...parts.slice(0, limit), parts.slice(limit).join(separator)];
}

/**
 * @param {string} self
 * @param {Value} separator
 * @param {number} most
 */
function splitRight(self, separator, most) {
  const parts = split(self, separator, -1);
  if (most < 0 || parts.length <= most + 1) return parts;
  const last = parts.length - most;
  if (separator !== null) return [parts.slice(0, last).join(separator), ...parts.slice(last)];
  let rest = self.trimEnd();
  for (let n = parts.length - 1; n >= last; n--) rest = rest.slice(0, rest.length - parts[n].length).trimEnd();
  return [rest, ...parts.slice(last)];
}

function textSeparator(/** @type {Value} */ separator) {
  if (typeof separator !== "string") return raise("TypeError", `must be str or None, not ${typeName(separator)}`);
  return separator || raise("ValueError", "empty separator");
}

/**
 * @param {string} self
 * @param {Value} chars
 * @param {"left" | "right" | "both"} side
 */
function strip(self, chars, side) {
  if (chars !== null && typeof chars !== "string") raise("TypeError", `strip arg must be None or str, not ${typeName(chars)}`);
  const isIn = (/** @type {string} */ char) => (chars === null ? /\s/u.test(char) : chars.includes(char));
  let [start, end] = [0, self.length];
  if (side !== "right") while (start < end && isIn(self[start])) start++;
  if (side !== "left") while (end > start && isIn(self[end - 1])) end--;
  return self.slice(start, end);
}

/**
 * @param {string} self
 * @param {Value} old
 * @param {Value} fresh
 * @param {number} most
 */
function replace(self, old, fresh, most) {
  text(old, `replace() argument 1 must be str, not ${typeName(old)}`);
  text(fresh, `replace() argument 2 must be str, not ${typeName(fresh)}`);
  const parts = old ? self.split(old) : ["", ...self, ""];
  const count = Math.min(most < 0 ? Number.POSITIVE_INFINITY : most, parts.length - 1);
  if (self.length + count * fresh.length > LONGEST_STRING)
    throw new Limit("a text of more than a million letters is too long for the page");
  return (
    parts.slice(0, count + 1).join(fresh) +
    parts
      .slice(count + 1)
      .map((part) => old + part)
      .join("")
  );
}

/**
 * @param {string} self
 * @param {Value[]} args
 * @param {"startsWith" | "endsWith"} test
 */
function matches(self, [wanted, start = 0, end = self.length], test) {
  const name = test.toLowerCase();
  const part = self.slice(start ?? 0, end ?? self.length);
  if (wanted instanceof Tuple) return wanted.some((one) => part[test](one));
  return part[test](text(wanted, `${name} first arg must be str or a tuple of str, not ${typeName(wanted)}`));
}

/**
 * @param {string} self
 * @param {Value[]} args
 * @param {boolean} [last]
 */
function find(self, [wanted, start = 0, end = self.length], last = false) {
  text(wanted, `must be str, not ${typeName(wanted)}`);
  const from = start < 0 ? Math.max(0, start + self.length) : start;
  const part = self.slice(0, end ?? self.length);
  const found = last ? part.lastIndexOf(wanted) : part.indexOf(wanted, from);
  return found < from ? -1 : found;
}

function found(/** @type {number} */ place) {
  return place < 0 ? raise("ValueError", "substring not found") : place;
}

/**
 * @param {string} self
 * @param {Value} separator
 * @param {boolean} last
 */
function partition(self, separator, last) {
  const place = last ? self.lastIndexOf(textSeparator(separator)) : self.indexOf(textSeparator(separator));
  if (place < 0) return Tuple.from(last ? ["", "", self] : [self, "", ""]);
  return Tuple.from([self.slice(0, place), separator, self.slice(place + separator.length)]);
}

/**
 * @param {string} self
 * @param {Value[]} args
 * @param {string} align
 * @param {Iteration} machine
 */
function justified(self, [width, fill = " "], align, machine) {
  if (typeof fill !== "string" || [...fill].length !== 1)
    raise("TypeError", "The fill character must be exactly one character long");
  if (typeof width !== "number") raise("TypeError", `'${typeName(width)}' object cannot be interpreted as an integer`);
  machine.room(width);
  return padded(self, fill, align, width);
}

/** Python puts the odd blank of center() on the left if the width is odd. */
function centered(/** @type {string} */ self, /** @type {Value[]} */ args, /** @type {Iteration} */ machine) {
  const [width, fill = " "] = args;
  const wide = justified(self, args, "^", machine);
  const room = wide.length - self.length;
  const left = (room >> 1) + (room & width & 1);
  return fill.repeat(left) + self + fill.repeat(room - left);
}

const words = (/** @type {string} */ self) =>
  self.replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1).toLowerCase());
const everyOne = (/** @type {RegExp} */ pattern) =>
  /** @type {[number, number, (args: Value[]) => boolean]} */ ([0, 0, ([self]) => pattern.test(self)]);

/** @type {import("./types.js").Methods} */
export const STRING_METHODS = {
  join: [1, 1, ([self, items], _, machine) => join(self, items, machine)],
  split: [0, 2, ([self, by = null, most = -1], { sep, maxsplit }) => split(self, sep ?? by, maxsplit ?? most), "sep", "maxsplit"],
  rsplit: [
    0,
    2,
    ([self, by = null, most = -1], { sep, maxsplit }) => splitRight(self, sep ?? by, maxsplit ?? most),
    "sep",
    "maxsplit",
  ],
  splitlines: [
    0,
    1,
    ([self]) =>
      self
        .replace(/\n$/, "")
        .split(/\r\n|\n|\r/)
        .filter((_, _n, lines) => self || lines.length > 1),
  ],
  strip: [0, 1, ([self, chars = null]) => strip(self, chars, "both")],
  lstrip: [0, 1, ([self, chars = null]) => strip(self, chars, "left")],
  rstrip: [0, 1, ([self, chars = null]) => strip(self, chars, "right")],
  upper: [0, 0, ([self]) => self.toUpperCase()],
  lower: [0, 0, ([self]) => self.toLowerCase()],
  casefold: [0, 0, ([self]) => self.toLowerCase()],
  title: [0, 0, ([self]) => words(self)],
  capitalize: [0, 0, ([self]) => self.slice(0, 1).toUpperCase() + self.slice(1).toLowerCase()],
  swapcase: [
    0,
    0,
    ([self]) => [...self].map((char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(""),
  ],
  startswith: [1, 3, ([self, ...args]) => matches(self, args, "startsWith")],
  endswith: [1, 3, ([self, ...args]) => matches(self, args, "endsWith")],
  removeprefix: [1, 1, ([self, prefix]) => (self.startsWith(prefix) ? self.slice(prefix.length) : self)],
  removesuffix: [1, 1, ([self, suffix]) => (suffix && self.endsWith(suffix) ? self.slice(0, -suffix.length) : self)],
  replace: [2, 3, ([self, old, fresh, most = -1]) => replace(self, old, fresh, most)],
  count: [
    1,
    3,
    ([self, part, start = 0, end = self.length]) =>
      self.slice(start, end).split(text(part, `must be str, not ${typeName(part)}`)).length + (part ? -1 : 1),
  ],
  find: [1, 3, ([self, ...args]) => find(self, args)],
  rfind: [1, 3, ([self, ...args]) => find(self, args, true)],
  index: [1, 3, ([self, ...args]) => found(find(self, args))],
  rindex: [1, 3, ([self, ...args]) => found(find(self, args, true))],
  partition: [1, 1, ([self, separator]) => partition(self, separator, false)],
  rpartition: [1, 1, ([self, separator]) => partition(self, separator, true)],
  ljust: [1, 2, ([self, ...args], _, machine) => justified(self, args, "<", machine)],
  rjust: [1, 2, ([self, ...args], _, machine) => justified(self, args, ">", machine)],
  center: [1, 2, ([self, ...args], _, machine) => centered(self, args, machine)],
  zfill: [
    1,
    1,
    ([self, width], _, machine) =>
      /^[-+]/.test(self)
        ? self[0] + justified(self.slice(1), [width - 1, "0"], ">", machine)
        : justified(self, [width, "0"], ">", machine),
  ],
  expandtabs: [
    0,
    1,
    ([self, size = 8], _, machine) => {
      machine.room(self.length * Math.max(1, size));
      return self.replace(/[^\t\n]*\t/g, (part) =>
        part.slice(0, -1).padEnd(size > 0 ? (Math.floor((part.length - 1) / size) + 1) * size : 0),
      );
    },
  ],
  format: [0, Number.POSITIVE_INFINITY, ([self, ...args], kwargs, machine) => formatted(self, args, kwargs, machine), "*"],
  isdigit: everyOne(/^\p{Nd}+$/u),
  isdecimal: everyOne(/^\p{Nd}+$/u),
  isnumeric: everyOne(/^\p{N}+$/u),
  isalpha: everyOne(/^\p{L}+$/u),
  isalnum: everyOne(/^[\p{L}\p{N}]+$/u),
  isascii: [0, 0, ([self]) => /^[\0-\x7f]*$/.test(self)],
  isspace: everyOne(/^\s+$/u),
  isupper: [0, 0, ([self]) => self !== self.toLowerCase() && self === self.toUpperCase()],
  islower: [0, 0, ([self]) => self !== self.toUpperCase() && self === self.toLowerCase()],
  isidentifier: everyOne(/^[\p{L}_][\p{L}\p{N}_]*$/u),
  encode: [
    0,
    2,
    () => {
      throw new NotHere("bytes");
    },
    "encoding",
    "errors",
  ],
  translate: [
    1,
    1,
    () => {
      throw new NotHere("str.translate");
    },
  ],
};
