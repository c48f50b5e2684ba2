// Walks strided tensors through chains of calls: [{ shape, calls: [[name, numbers], ...] }, ...] in, what each call made out.
// A call that raises leaves the tensor as it was.
import { readFileSync } from "node:fs";
import * as strided from "../../src/attn/labs/kit/strided.js";

const made = ({ shape, calls }) => {
  let tensor = strided.arange(shape);
  return calls.map(([name, numbers]) => {
    const before = tensor;
    try {
      tensor = name === "transpose" ? strided.transpose(tensor, ...numbers) : strided[name](tensor, numbers);
    } catch (error) {
      return { error: error.message };
    }
    return {
      shape: tensor.shape,
      strides: tensor.strides,
      contiguous: strided.isContiguous(tensor),
      copied: tensor.storage !== before.storage,
      numbers: strided.elements(tensor),
    };
  });
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(made)));
