// Random numbers that few programs draw so: with a mean and a spread, into a tensor that is there.

import { NotHere, raise, toNumber } from "../python/values.js";
import { float32 } from "./dtype.js";
import { writeNumbers } from "./iterator.js";
import { countOf, isContiguous } from "./layout.js";
import { drawing, FACTORY_OPTIONS, generatorFor } from "./making.js";
import { define } from "./operation.js";
import { fromNumbers, mustFit, Tensor } from "./tensor.js";
import { reordered } from "./views.js";

define("t", `normal(mean float, std float, size ints, *, generator gen?=None, ${FACTORY_OPTIONS})`, (given) => {
  const count = countOf(given.size);
  mustFit(count);
  const numbers = generatorFor(given.generator).normals(count, float32);
  return fromNumbers(
    numbers.map((one) => one * toNumber(given.std) + toNumber(given.mean)),
    given.size,
    given.dtype ?? float32,
  );
});
define("tm", "bernoulli(input T, *, generator gen?=None)", () => {
  throw new NotHere("torch.bernoulli");
});
/**
 * Writes random numbers in the order of the memory, as PyTorch draws them into what is not contiguous.
 *
 * @param {Tensor} x
 * @param {ArrayLike<number>} numbers
 */
function pour(x, numbers) {
  const order = x.shape.map((_, axis) => axis).sort((a, b) => x.strides[b] - x.strides[a]);
  writeNumbers(isContiguous(x) ? x : reordered(x, order), numbers);
  return x;
}

define("m", "normal_(input T, mean float=0, std float=1, *, generator gen?=None)", ({ input, mean, std, generator }) => {
  const source = generatorFor(generator);
  const count = input.count;
  const numbers = isContiguous(input) ? source.normals(count, input.dtype) : Array.from({ length: count }, () => source.normal());
  return pour(
    input,
    numbers.map((one) => one * toNumber(std) + toNumber(mean)),
  );
});
define("m", "uniform_(input T, from float=0, to float=1, *, generator gen?=None)", (given) => {
  const { input, to, generator } = given;
  const [low, high] = [toNumber(given.from), toNumber(to)];
  if (low > high) raise("RuntimeError", `uniform_ expects to return a [from, to) range, but found from=${low} > to=${high}`);
  return pour(input, generatorFor(generator).uniforms(input.count, low, high, input.dtype));
});
define("m", "random_(input T, from int, to int, *, generator gen?=None)", (given) =>
  writeNumbers(given.input, drawing.generator.integers(given.input.count, given.from, given.to)),
);
