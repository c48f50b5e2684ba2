// What Python sees of a tensor: its attributes, its methods, its operators, x[...] and how it is printed.

import { Bound, Float, Foreign, Native, notHere, PyClass, raise, Size, tuple } from "../python/values.js";
import { assign } from "./choosing.js";
import { itemOf } from "./create.js";
import { dtypeClass } from "./dtype.js";
import { getItem } from "./indexing.js";
import { clone } from "./iterator.js";
import { hasName } from "./known.js";
import { isContiguous } from "./layout.js";
import { define, perform, tables } from "./operation.js";
import { augmentedOperator, binaryOperator, unaryOperator } from "./pointwise.js";
import { tensorText } from "./print.js";
import { matrixTranspose } from "./shaping.js";
import { axisOf, behaviour, spend, Tensor, tensorClass } from "./tensor.js";
import { alias, permute, selected, transpose } from "./views.js";

/** @typedef {any} Value */

export const deviceClass = new PyClass("device");

/** torch.device("cpu") */
export class Device extends Foreign {
  /** @param {string} kind */
  constructor(kind) {
    super();
    this.kind = kind;
  }

  get typeName() {
    return "torch.device";
  }

  get type() {
    return deviceClass;
  }

  repr() {
    const [kind, index] = this.kind.split(":");
    return `device(type='${kind}'${index === undefined ? "" : `, index=${index}`})`;
  }

  /** @param {string} name */
  attribute(name) {
    const [kind, index] = this.kind.split(":");
    if (name === "type") return kind;
    if (name === "index") return index === undefined ? null : Number(index);
    return super.attribute(name);
  }

  // Comes with the second script.
  /**
   * @param {string} operator
   * @param {Value} other
   */
  binary(operator, other) {
    if (operator !== "==" && operator !== "!=") return undefined;
    return (other instanceof Device && other.kind === this.kind) === (operator === "==");
  }

  str() {
    return this.kind;
  }
}

export const cpu = new Device("cpu");

/** @param {Tensor} x @param {string} name @param {() => Tensor} run */
const seen = (x, name, run) => perform(name, { x }, run, {});

/** Attributes that are not methods. @type {Record<string, (x: Tensor) => Value>} */
const properties = {
  shape: (x) => Size.from(x.shape),
  ndim: (x) => x.ndim,
  dtype: (x) => x.dtype,
  device: () => cpu,
  requires_grad: (x) => x.requiresGrad,
  is_leaf: (x) => !x.madeBy,
  grad: () => null,
  grad_fn: (x) => (x.madeBy ? notHere("Tensor.grad_fn") : null),
  is_cuda: () => false,
  is_sparse: () => false,
  is_quantized: () => false,
  is_meta: () => false,
  is_nested: () => false,
  itemsize: (x) => x.dtype.bytes,
  nbytes: (x) => x.count * x.dtype.bytes,
  T: (x) =>
    seen(x, "T", () =>
      permute(
        x,
        x.shape.map((_, axis) => x.ndim - 1 - axis),
      ),
    ),
  mT: (x) => seen(x, "mT", () => matrixTranspose(x, "mT")),
  mH: (x) => seen(x, "mH", () => matrixTranspose(x, "mH")),
  H: (x) => seen(x, "H", () => conjugateTranspose(x)),
  data: (x) => perform("data", { x }, () => alias(x), { detached: true }),
};

// Comes with the second script.
/** @param {Tensor} x */
function conjugateTranspose(x) {
  if (x.ndim === 2) return transpose(x, 0, 1);
  if (!x.ndim) return alias(x);
  const more = x.ndim > 2 ? " For batches of matrices, consider using tensor.mH" : "";
  return raise("RuntimeError", `tensor.H is only supported on matrices (2-D tensors). Got ${x.ndim}-D tensor.${more}`);
}

behaviour.attribute = (/** @type {Tensor} */ x, /** @type {string} */ name) => {
  if (x.extra?.has(name)) return x.extra.get(name);
  if (Object.hasOwn(properties, name)) return properties[name](x);
  if (Object.hasOwn(tables.methods, name)) return new Bound(x, tables.methods[name]);
  if (hasName("Tensor", name)) notHere(`Tensor.${name}`);
  return raise("AttributeError", `'${x.typeName}' object has no attribute '${name}'`);
};

behaviour.setAttribute = setOwnAttribute;

// Comes with the second script.
function setOwnAttribute(/** @type {Tensor} */ x, /** @type {string} */ name, /** @type {Value} */ value) {
  if (name === "requires_grad") x.requiresGrad = value === true;
  else if (name === "data" && value instanceof Tensor) {
    const { storage, shape, strides, offset, dtype } = value;
    Object.assign(x, { storage, shape: [...shape], strides: [...strides], offset, dtype });
  } else if (name === "grad") notHere("Tensor.grad");
  else if (Object.hasOwn(properties, name)) {
    raise("AttributeError", `attribute '${name}' of 'torch._C.TensorBase' objects is not writable`);
  } else {
    x.extra ??= new Map();
    x.extra.set(name, value);
  }
}

behaviour.repr = tensorText;
behaviour.truth = (/** @type {Tensor} */ x) => {
  if (x.count === 1) return x.storage.data[x.offset] !== 0;
  const which = x.count ? "more than one value" : "no values";
  return raise("RuntimeError", `Boolean value of Tensor with ${which} is ambiguous`);
};
behaviour.scalar = (/** @type {Tensor} */ x) =>
  x.count === 1 ? itemOf(x) : raise("ValueError", "only one element tensors can be converted to Python scalars");
behaviour.str = (/** @type {Tensor} */ x) => tensorText(x);
behaviour.formatted = (/** @type {Tensor} */ x) => {
  return x.ndim ? raise("TypeError", "unsupported format string passed to Tensor.__format__") : itemOf(x);
};
behaviour.index = (/** @type {Tensor} */ x) => {
  if (x.count !== 1 || x.dtype.isFloat) raise("TypeError", "only integer tensors of a single element can be converted to an index");
  return Number(itemOf(x));
};
behaviour.items = (/** @type {Tensor} */ x) => {
  if (!x.ndim) raise("TypeError", "iteration over a 0-d tensor");
  return perform("unbind", { x }, () => tuple(Array.from({ length: x.shape[0] }, (_, n) => selected(x, 0, n))), {});
};
behaviour.getItem = (/** @type {Tensor} */ x, /** @type {Value} */ index) =>
  perform("getitem", { x, index }, () => getItem(x, index), {});
behaviour.setItem = assign;
behaviour.binary = (
  /** @type {Tensor} */ x,
  /** @type {string} */ operator,
  /** @type {Value} */ other,
  /** @type {boolean} */ reflected,
) => binaryOperator(x, operator, other, reflected);
behaviour.augmented = augmentedOperator;
behaviour.unary = unaryOperator;

const sizeText = (/** @type {string} */ name) => `${name}(input T, dim int) | ${name}(input T)`;
define("m", sizeText("size"), ({ input, dim }) =>
  dim === undefined ? Size.from(input.shape) : input.shape[checkedAxis(input, dim)],
);
define("m", sizeText("stride"), ({ input, dim }) =>
  dim === undefined ? tuple(input.strides) : input.strides[checkedAxis(input, dim)],
);

/** @param {Tensor} x @param {number} dim */
function checkedAxis(x, dim) {
  if (!x.ndim) raise("IndexError", `Dimension specified as ${dim} but tensor has no dimensions`);
  return axisOf(dim, x.ndim);
}

/** Questions about a tensor, which are not operations. @type {[string, string, (x: Tensor) => Value][]} */
const facts = [
  ["m", "dim", (x) => x.ndim],
  ["m", "ndimension", (x) => x.ndim],
  ["tm", "numel", (x) => x.count],
  ["m", "nelement", (x) => x.count],
  ["m", "element_size", (x) => x.dtype.bytes],
  ["m", "storage_offset", (x) => x.offset],
  ["tm", "is_floating_point", (x) => x.dtype.isFloat],
  ["tm", "is_complex", () => false],
  ["m", "item", itemOf],
  ["m", "data_ptr", (x) => (x.count ? address(x) + x.offset * x.dtype.bytes : 0)],
  ["m", "get_device", () => -1],
  ["m", "__len__", (x) => x.length()],
];
for (const [where, name, run] of facts) {
  define(where, `${name}(input T)`, ({ input }) => run(input));
  tables.methods[name] = new Native(name, ([x, ...args]) => {
    return args.length ? raise("TypeError", `TensorBase.${name}() takes no arguments (${args.length} given)`) : run(x);
  });
}
define("m", "is_contiguous(input T, *, memory_format any=None)", ({ input }) => isContiguous(input));
// Comes with the second script.
define("t", "is_tensor(obj any)", ({ obj }) => obj instanceof Tensor, { python: true });
define("m", "tolist(input T)", ({ input }) => {
  spend(250 * input.count);
  return listOf(input, 0, input.offset);
});
define(
  "m",
  "is_set_to(input T, tensor T)",
  (given) => given.input.storage === given.tensor.storage && String(given.input.strides) === String(given.tensor.strides),
);
// Comes with the second script.
define("m", "numpy(input T, *, force bool=False)", () => notHere("NumPy"));

/** A number that tells storages apart, as an address would. @param {Tensor} x */
export const address = (x) => 2 ** 32 + x.storage.id * 2 ** 26;

/**
 * @param {Tensor} x
 * @param {number} axis
 * @param {number} at
 * @returns {Value}
 */
function listOf(x, axis, at) {
  if (axis < x.ndim) return Array.from({ length: x.shape[axis] }, (_, n) => listOf(x, axis + 1, at + n * x.strides[axis]));
  const value = x.storage.data[at];
  return x.dtype.isFloat ? new Float(value) : x.dtype.kind ? value : value !== 0;
}

/** x.untyped_storage() */
tables.methods.__deepcopy__ = new Native("__deepcopy__", ([x]) => {
  return Object.assign(clone(x), { isParameter: x.isParameter, requiresGrad: x.requiresGrad });
});
// Comes with the second script.
for (const name of ["register_hook", "retain_grad", "share_memory_", "pin_memory"]) {
  tables.methods[name] = new Native(name, () => notHere(`Tensor.${name}`));
}
for (const one of [tensorClass, dtypeClass, deviceClass]) one.module = "torch";
