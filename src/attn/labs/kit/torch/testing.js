// torch.testing.assert_close, for tensors and numbers.

import { isNumber, NotHere, raise, toNumber } from "../python/values.js";
import { tensorFrom } from "./create.js";
import { dtypes } from "./dtype.js";
import { sameSizes } from "./iterator.js";
import { bindPython, parseSignature } from "./signature.js";
import { listed, numbersOf, Tensor } from "./tensor.js";

/** @typedef {any} Value */

/** Relative and absolute tolerance of each float dtype. @type {Record<string, [number, number]>} */
const tolerances = { float16: [1e-3, 1e-5], bfloat16: [1.6e-2, 1e-5], float32: [1.3e-6, 1e-5], float64: [1e-7, 1e-7] };

/** @param {string} what @param {string} a @param {string} b */
const differs = (what, a, b) => raise("AssertionError", `The values for attribute '${what}' do not match: ${a} != ${b}.`);

/** @param {Record<string, Value>} given */
function assertClose(given) {
  const { actual, expected, rtol, atol, equal_nan: nans, msg } = given;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) {
      raise("AssertionError", `The length of the sequences mismatch: ${actual.length} != ${expected.length}`);
    }
    for (const [n, one] of actual.entries()) assertClose({ ...given, actual: one, expected: expected[n] });
    return null;
  }
  const plain = isNumber(actual) && isNumber(expected);
  if (!plain && !(actual instanceof Tensor && expected instanceof Tensor)) throw new NotHere("assert_close of these types");
  const [a, b] = [actual, expected].map((one) => (one instanceof Tensor ? one : tensorFrom(one, null)));
  if (!sameSizes(a.shape, b.shape)) differs("shape", `torch.Size(${listed(a.shape)})`, `torch.Size(${listed(b.shape)})`);
  if (!plain && given.check_dtype && a.dtype !== b.dtype) differs("dtype", a.dtype.repr(), b.dtype.repr());
  const coarser = dtypes.indexOf(a.dtype) < dtypes.indexOf(b.dtype) ? a.dtype : b.dtype;
  const [relative, absolute] = plain ? tolerances.float64 : (tolerances[coarser.name] ?? [0, 0]);
  const [r, t] = [rtol === null ? relative : toNumber(rtol), atol === null ? absolute : toNumber(atol)];
  const other = numbersOf(b);
  const close = numbersOf(a).every((x, n) => {
    const y = other[n];
    return x === y || (nans && Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= t + r * Math.abs(y);
  });
  if (close) return null;
  return raise("AssertionError", typeof msg === "string" ? msg : `${a.ndim ? "Tensor-likes" : "Scalars"} are not close!`);
}

const signature = parseSignature(
  "assert_close(actual any, expected any, *, allow_subclasses any=True, rtol any=None, atol any=None, equal_nan any=False, " +
    "check_device any=True, check_dtype any=True, check_layout any=True, check_stride any=False, msg any=None)",
);

/** @param {Value[]} args @param {Record<string, Value>} kwargs */
export function assertCloseOf(args, kwargs) {
  const given = bindPython(signature, args, kwargs);
  if ((given.rtol === null) !== (given.atol === null)) {
    raise("ValueError", "Both 'rtol' and 'atol' must be either specified or unspecified, but got no 'rtol' or no 'atol' instead.");
  }
  return assertClose(given);
}
