// torch.nn.init: what fills parameters by name.

import { Native, NotHere, raise, toNumber, typeName } from "../python/values.js";
import { float32 } from "./dtype.js";
import { fill, init, kaimingDeviation, kaimingUniform, xavierDeviation, xavierUniform } from "./init.js";
import { writeInto } from "./iterator.js";
import { bindPython, parseSignature } from "./signature.js";
import { fromNumbers, scalarTensor, Tensor } from "./tensor.js";

/** @typedef {any} Value */

/**
 * @param {string} text
 * @param {(x: Tensor, given: Record<string, Value>) => Tensor} run
 */
function initFunction(text, run) {
  const signature = parseSignature(text);
  init[signature.name] = new Native(signature.name, (args, kwargs) => {
    const given = bindPython(signature, args, kwargs);
    if (!(given.tensor instanceof Tensor)) {
      raise("AttributeError", `'${typeName(given.tensor)}' object has no attribute '${firstUsed(signature.name)}'`);
    }
    return run(given.tensor, given);
  });
}

/** What a function asks a tensor for first: the word in the message if it is given something else. @param {string} name */
function firstUsed(name) {
  if (name.startsWith("xavier")) return "dim";
  if (name.startsWith("kaiming")) return "shape";
  return { constant_: "fill_", ones_: "fill_", zeros_: "zero_", eye_: "ndimension" }[name] ?? name;
}
const generator = "generator any=None";
initFunction(`normal_(tensor any, mean any=0.0, std any=1.0, ${generator})`, (x, { mean, std }) =>
  fill(x, "normal_", [toNumber(mean), toNumber(std)]),
);
initFunction(`uniform_(tensor any, a any=0.0, b any=1.0, ${generator})`, (x, { a, b }) =>
  fill(x, "uniform_", [toNumber(a), toNumber(b)]),
);
initFunction("constant_(tensor any, val any)", (x, { val }) => writeInto(x, scalarTensor(toNumber(val), float32)));
initFunction("zeros_(tensor any)", (x) => writeInto(x, scalarTensor(0, float32)));
initFunction("ones_(tensor any)", (x) => writeInto(x, scalarTensor(1, float32)));
initFunction("eye_(tensor any)", (x) => {
  if (x.ndim !== 2) raise("ValueError", "Only tensors with 2 dimensions are supported");
  const numbers = Array.from({ length: x.count }, (_, n) => Number(n % x.shape[1] === Math.floor(n / x.shape[1])));
  return writeInto(x, fromNumbers(numbers, x.shape, x.dtype));
});
initFunction(`xavier_uniform_(tensor any, gain any=1.0, ${generator})`, (x, { gain }) => xavierUniform(x, toNumber(gain)));
initFunction(`xavier_normal_(tensor any, gain any=1.0, ${generator})`, (x, { gain }) =>
  fill(x, "normal_", [0, xavierDeviation(x, toNumber(gain))]),
);
const kaiming = `tensor any, a any=0, mode any='fan_in', nonlinearity any='leaky_relu', ${generator}`;
initFunction(`kaiming_uniform_(${kaiming})`, (x, { a, mode, nonlinearity }) => kaimingUniform(x, toNumber(a), mode, nonlinearity));
initFunction(`kaiming_normal_(${kaiming})`, (x, { a, mode, nonlinearity }) =>
  fill(x, "normal_", [0, kaimingDeviation(x, toNumber(a), mode, nonlinearity)]),
);
initFunction("calculate_gain(tensor any, param any=None)", () => {
  throw new NotHere("nn.init.calculate_gain");
});
