// torch.einsum, which looks at its arguments in Python.

import { Native, NotHere, raise } from "../python/values.js";
import { einsum } from "./einsum.js";
import { perform, tables } from "./operation.js";
import { kindOf } from "./signature.js";
import { Tensor } from "./tensor.js";

tables.torch.einsum = new Native("einsum", (args, kwargs) => {
  const extra = Object.keys(kwargs)[0];
  if (extra) raise("TypeError", `einsum() got an unexpected keyword argument '${extra}'`);
  if (args.length < 2) {
    raise(
      "ValueError",
      "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list",
    );
  }
  const [equation, ...rest] = args;
  if (equation instanceof Tensor) throw new NotHere("einsum with lists of subscripts");
  if (typeof equation !== "string") {
    raise("TypeError", `einsum(): argument 'equation' (position 1) must be str, not ${kindOf(equation)}`);
  }
  const operands = rest.length === 1 && Array.isArray(rest[0]) ? [...rest[0]] : rest;
  for (const [n, one] of operands.entries()) {
    if (!(one instanceof Tensor)) raise("TypeError", `expected Tensor as element ${n} in argument 1, but got ${kindOf(one)}`);
  }
  return perform("einsum", { operands }, () => einsum(equation, operands), {});
});
