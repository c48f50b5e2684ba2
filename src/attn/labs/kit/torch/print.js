// Tensors as text, as torch/_tensor_str.py prints them.

import { bool, float32, int64 } from "./dtype.js";
import { numbersOf } from "./tensor.js";

/** @typedef {import("./tensor.js").Tensor} Tensor */

/** What torch.set_printoptions changes. */
export const options = {
  precision: 4,
  threshold: 1000,
  edgeitems: 3,
  linewidth: 80,
  sci_mode: /** @type {boolean | null} */ (null),
};

export function resetOptions() {
  Object.assign(options, { precision: 4, threshold: 1000, edgeitems: 3, linewidth: 80, sci_mode: null });
}

/**
 * With so many digits, halves to the even digit, as Python rounds.
 *
 * @param {number} value
 * @param {number} digits
 */
function withDigits(value, digits) {
  const text = value.toFixed(digits);
  const scaled = Math.abs(value) * 10 ** digits;
  const below = Math.floor(scaled);
  const signed = value < 0 || Object.is(value, -0);
  if (scaled - below !== 0.5 || below % 2 !== 0) return signed && !text.startsWith("-") ? `-${text}` : text;
  return `${signed ? "-" : ""}${(below / 10 ** digits).toFixed(digits)}`;
}

/** @param {number} value */
const scientific = (value) =>
  `${Object.is(value, -0) ? "-" : ""}${value.toExponential(options.precision)}`.replace(/e([+-])(\d)$/, "e$10$2");

/** @param {number} value */
const unusual = (value) => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");

/**
 * How all numbers of a tensor are written: their text, and the width of the widest.
 *
 * @param {Tensor} tensor
 * @param {number[]} shown
 */
function formatter({ dtype }, shown) {
  if (dtype === bool) return aligned((value) => (value ? "True" : "False"), shown);
  if (!dtype.isFloat) return aligned(String, shown);
  const counted = shown.filter((value) => Number.isFinite(value) && value !== 0);
  const whole = counted.every(Number.isInteger);
  const sizes = counted.map(Math.abs);
  const [largest, smallest] = [sizes.reduce((a, b) => Math.max(a, b), 0), sizes.reduce((a, b) => Math.min(a, b), Infinity)];
  const wide = largest / smallest > 1000 || largest > 1e8;
  const powers = options.sci_mode ?? (counted.length > 0 && (wide || (!whole && smallest < 1e-4)));
  /** @param {number} value */
  const text = (value) => {
    if (!Number.isFinite(value)) return unusual(value);
    if (powers && counted.length) return scientific(value);
    return whole ? `${withDigits(value, 0)}.` : withDigits(value, options.precision);
  };
  return aligned(text, counted);
}

/**
 * @param {(value: number) => string} text
 * @param {number[]} measured
 */
function aligned(text, measured) {
  const width = measured.reduce((most, value) => Math.max(most, text(value).length), 1);
  return { width, text: (/** @type {number} */ value) => text(value).padStart(width) };
}

/** @param {Tensor} tensor */
export function tensorText(tensor) {
  const suffixes = [];
  let body = "[]";
  if (tensor.count === 0) {
    if (tensor.ndim !== 1) suffixes.push(`size=(${tensor.shape.join(", ")})`);
    if (tensor.dtype !== float32) suffixes.push(`dtype=torch.${tensor.dtype.name}`);
  } else {
    if (![float32, int64, bool].includes(tensor.dtype)) suffixes.push(`dtype=torch.${tensor.dtype.name}`);
    body = numbersText(tensor);
  }
  if (tensor.madeBy) suffixes.push(`grad_fn=<${tensor.madeBy}>`);
  else if (tensor.requiresGrad) suffixes.push("requires_grad=True");
  let text = `tensor(${body}`;
  let last = text.length - text.lastIndexOf("\n") + (text.includes("\n") ? 1 : 0);
  for (const suffix of suffixes) {
    const breaks = last + suffix.length + 2 > options.linewidth;
    text += breaks ? `,\n${" ".repeat("tensor(".length)}${suffix}` : `, ${suffix}`;
    last = breaks ? "tensor(".length + suffix.length : last + suffix.length + 2;
  }
  return `${tensor.isParameter ? "Parameter containing:\n" : ""}${text})`;
}

/** @param {Tensor} tensor */
function numbersText(tensor) {
  const { edgeitems, threshold, linewidth } = options;
  const { shape } = tensor;
  const numbers = numbersOf(tensor);
  const cut = tensor.count > threshold;
  /** The indices of an axis that are shown; "..." goes after the first edge. @param {number} size */
  const indices = (size) => {
    const every = Array.from({ length: size }, (_, n) => n);
    return cut && size > 2 * edgeitems ? [...every.slice(0, edgeitems), ...every.slice(-edgeitems)] : every;
  };
  /** @type {number[]} */
  const shown = [];
  const collect = (/** @type {number} */ axis, /** @type {number} */ at) => {
    if (axis === shape.length) shown.push(numbers[at]);
    else for (const n of indices(shape[axis])) collect(axis + 1, at * shape[axis] + n);
  };
  collect(0, 0);
  const { width, text } = formatter(tensor, shown);
  /** @type {(axis: number, at: number, indent: number) => string} */
  const write = (axis, at, indent) => {
    if (axis === shape.length) return text(numbers[at]);
    const size = shape[axis];
    const innermost = axis === shape.length - 1;
    const items = indices(size).map((n) => write(axis + 1, at * size + n, indent + 1));
    if (items.length < size) items.splice(edgeitems, 0, innermost ? " ..." : "...");
    const margin = " ".repeat(indent + 1);
    if (!innermost) return `[${items.join(`,${"\n".repeat(shape.length - axis - 1)}${margin}`)}]`;
    const room = Math.max(1, Math.floor((linewidth - indent) / (width + 2)));
    const lines = [];
    for (let n = 0; n < items.length; n += room) lines.push(items.slice(n, n + room).join(", "));
    return `[${lines.join(`,\n${margin}`)}]`;
  };
  return write(0, 0, "tensor(".length);
}
