// Applies chains of calls to strided tensors: reads [{ shape, calls: [[name, numbers], ...] }, ...] and writes the result of each call.
// A call that throws leaves the tensor as it was.
import { readFileSync } from "node:fs";
import { arange, contiguous, elements, permute, reshape, transpose, view } from "../../src/attn/labs/kit/strided.js";
import { isContiguous } from "../../src/attn/labs/kit/torch/layout.js";

const CALLS = { contiguous, permute, reshape, view, transpose: (tensor, [a, b]) => transpose(tensor, a, b) };

const made = ({ shape, calls }) => {
  let tensor = arange(shape);
  return calls.map(([name, numbers]) => {
    const before = tensor;
    try {
      tensor = CALLS[name](tensor, numbers);
    } catch (error) {
      return { error: error.message };
    }
    return {
      shape: tensor.shape,
      strides: tensor.strides,
      contiguous: isContiguous(tensor),
      copied: tensor.storage !== before.storage,
      numbers: elements(tensor),
    };
  });
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(made)));
