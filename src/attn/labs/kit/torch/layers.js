// The layers of torch.nn: Linear, LayerNorm, Embedding, Dropout and the activations.

import { Float, Native, NotHere, PyClass, raise, toNumber, tuple } from "../python/values.js";
import { filledTensor } from "./create.js";
import { float32 } from "./dtype.js";
import { functional } from "./functional.js";
import { fill, kaimingUniform } from "./init.js";
import { method, moduleClass, parameter, setAttribute, start } from "./module.js";
import { bind, parseSignature } from "./signature.js";

/** @typedef {any} Value */
/** @typedef {import("../python/values.js").PyObject} PyObject */
/** @typedef {import("../python/values.js").Call} Call */
/** @typedef {import("./dtype.js").DType} DType */

/** torch.nn @type {Record<string, Value>} */
export const nn = { Module: moduleClass };

/** The modules of torch in which the layers are, where it is not "activation". @type {Record<string, string>} */
const homes = {
  ...{ Linear: "linear", LayerNorm: "normalization", RMSNorm: "normalization", Embedding: "sparse", Flatten: "flatten" },
  ...{ Dropout: "dropout", Dropout1d: "dropout", Dropout2d: "dropout", AlphaDropout: "dropout" },
  ...{ CrossEntropyLoss: "loss", MSELoss: "loss", NLLLoss: "loss", L1Loss: "loss" },
};

/**
 * A layer: its parameters, what its constructor makes of them, its forward pass and what it prints.
 *
 * @param {string} name
 * @param {string} parameters of __init__, without self
 * @param {(self: PyObject, given: Record<string, Value>, call: Call) => void} build
 * @param {((self: PyObject, given: Record<string, Value>, call: Call) => Value) | null} [forward]
 * @param {(self: PyObject) => string} [extra]
 * @param {string} [inputs] the parameters of forward
 */
export function layer(name, parameters, build, forward = null, extra, inputs = "input any") {
  const made = new PyClass(name, [moduleClass]);
  method(made, `__init__(${parameters})`, (self, given, call) => {
    start(self);
    build(self, given, call);
    return null;
  });
  if (forward) method(made, `forward(${inputs})`, forward);
  if (extra) method(made, "extra_repr()", extra);
  nn[name] = made;
  made.module = `torch.nn.modules.${homes[name] ?? "activation"}`;
  return made;
}

/** @param {PyObject} self @param {string} name */
export const get = (self, name) => self.dict.get(name) ?? self.dict.get("_parameters").get(name) ?? null;

// Comes with the second script.
/** As Python prints it. @param {Value} value */
export function layerText(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return `'${value}'`;
  if (!(value instanceof Float)) return `${value}`;
  const number = value.value;
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(number) ? `${number}.0` : `${number}`;
}

const emptySize = [parseSignature("empty(size ints)")];

/**
 * The shape of a parameter. torch.empty looks at it, so its messages are those of torch.empty.
 *
 * @param {Value[]} sizes
 * @returns {number[]}
 */
function normalizedShape(sizes) {
  const { size } = bind(emptySize, [tuple(sizes)], {});
  const negative = size.find((/** @type {number} */ one) => one < 0);
  if (negative === undefined) return size;
  return raise("RuntimeError", `Trying to create tensor with negative dimension ${negative}: [${size.join(", ")}]`);
}

/** @param {Value[]} sizes @param {DType | null} dtype */
export const newParameter = (sizes, dtype) => parameter(filledTensor(normalizedShape(sizes), 0, dtype ?? float32));

const placed = "device any=None, dtype any=None";

/** @param {PyObject} self @param {Record<string, Value>} values */
export function keep(self, values) {
  for (const [name, value] of Object.entries(values)) self.dict.set(name, value);
}

/** @param {PyObject} self @param {Record<string, Value>} given */
function buildLinear(self, { in_features, out_features, bias, dtype }) {
  keep(self, { in_features, out_features });
  const weight = newParameter([out_features, in_features], dtype);
  setAttribute(self, "weight", weight);
  const wanted = Boolean(bias);
  if (wanted) setAttribute(self, "bias", newParameter([out_features], dtype));
  else self.dict.get("_parameters").set("bias", null);
  kaimingUniform(weight, Math.sqrt(5));
  const inputs = weight.shape[1];
  const bound = inputs > 0 ? 1 / Math.sqrt(inputs) : 0;
  if (wanted) fill(get(self, "bias"), "uniform_", [-bound, bound]);
}

layer(
  "Linear",
  `in_features any, out_features any, bias any=True, ${placed}`,
  buildLinear,
  (self, { input }) => functional("linear", [input, get(self, "weight"), get(self, "bias")]),
  (self) => {
    const [inside, outside] = [layerText(get(self, "in_features")), layerText(get(self, "out_features"))];
    return `in_features=${inside}, out_features=${outside}, bias=${layerText(get(self, "bias") !== null)}`;
  },
);

/** What MultiheadAttention calls its last layer. */
export const outputLinear = new PyClass("NonDynamicallyQuantizableLinear", [nn.Linear]);

/** @param {Value} shape */
const asSizes = (shape) => (Array.isArray(shape) ? [...shape] : [shape]);

// Comes with the second script.
layer(
  "LayerNorm",
  `normalized_shape any, eps any=1e-05, elementwise_affine any=True, bias any=True, ${placed}`,
  (self, { normalized_shape: shape, eps, elementwise_affine: affine, bias, dtype }) => {
    keep(self, { normalized_shape: tuple(asSizes(shape)), eps, elementwise_affine: affine });
    const parameters = self.dict.get("_parameters");
    parameters.set("weight", affine ? newParameter(asSizes(shape), dtype) : null);
    parameters.set("bias", affine && bias ? newParameter(asSizes(shape), dtype) : null);
    if (affine) parameters.get("weight").storage.data.fill(1);
  },
  (self, { input }) =>
    functional("layer_norm", [input, ...["normalized_shape", "weight", "bias", "eps"].map((name) => get(self, name))]),
  (self) => `${shownNorm(self)}, bias=${layerText(get(self, "bias") !== null)}`,
);

// Comes with the second script.
/** @param {PyObject} self */
function shownNorm(self) {
  const shape = get(self, "normalized_shape");
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  return `(${sizes}), eps=${layerText(get(self, "eps"))}, elementwise_affine=${layerText(get(self, "elementwise_affine"))}`;
}

// Comes with the second script.
layer(
  "RMSNorm",
  `normalized_shape any, eps any=None, elementwise_affine any=True, ${placed}`,
  (self, { normalized_shape: shape, eps, elementwise_affine: affine, dtype }) => {
    keep(self, { normalized_shape: tuple(asSizes(shape)), eps, elementwise_affine: affine });
    self.dict.get("_parameters").set("weight", affine ? newParameter(asSizes(shape), dtype) : null);
    if (affine) get(self, "weight").storage.data.fill(1);
  },
  (self, { x }) => functional("rms_norm", [x, get(self, "normalized_shape"), get(self, "weight"), get(self, "eps")]),
  shownNorm,
  "x any",
);

// Comes with the second script.
layer(
  "Embedding",
  "num_embeddings any, embedding_dim any, padding_idx any=None, max_norm any=None, norm_type any=2.0, scale_grad_by_freq any=False, " +
    `sparse any=False, _weight any=None, _freeze any=False, ${placed}`,
  (self, { num_embeddings, embedding_dim, padding_idx, max_norm, dtype }) => {
    if (max_norm !== null) throw new NotHere("nn.Embedding(max_norm=...)");
    keep(self, { num_embeddings, embedding_dim, padding_idx });
    const weight = newParameter([num_embeddings, embedding_dim], dtype);
    fill(weight, "normal_", [0, 1]);
    if (padding_idx !== null) {
      if (padding_idx >= num_embeddings) raise("AssertionError", "Padding_idx must be within num_embeddings");
      const row = (padding_idx + num_embeddings) % num_embeddings;
      weight.storage.data.fill(0, row * embedding_dim, (row + 1) * embedding_dim);
      self.dict.set("padding_idx", row);
    }
    setAttribute(self, "weight", weight);
  },
  (self, { input }) => functional("embedding", [input, get(self, "weight")]),
  (self) => {
    const padding = get(self, "padding_idx");
    return `${get(self, "num_embeddings")}, ${get(self, "embedding_dim")}${padding === null ? "" : `, padding_idx=${padding}`}`;
  },
);

// Comes with the second script.
for (const [name, function_] of [
  ["Dropout", "dropout"],
  ["Dropout1d", "dropout1d"],
  ["Dropout2d", "dropout2d"],
  ["AlphaDropout", "alpha_dropout"],
]) {
  layer(
    name,
    "p any=0.5, inplace any=False",
    (self, { p, inplace }) => {
      const share = toNumber(p);
      if (share < 0 || share > 1) raise("ValueError", `dropout probability has to be between 0 and 1, but got ${layerText(p)}`);
      keep(self, { p, inplace });
    },
    (self, { input }) => functional(function_, [input, get(self, "p"), get(self, "training")]),
    (self) => `p=${layerText(get(self, "p"))}, inplace=${layerText(get(self, "inplace"))}`,
  );
}

// Comes with the second script.
for (const [name, function_] of Object.entries({ ReLU: "relu", SiLU: "silu", ReLU6: "relu6", SELU: "selu", Mish: "mish" })) {
  layer(
    name,
    "inplace any=False",
    (self, { inplace }) => keep(self, { inplace }),
    (self, { input }) => functional(function_, [input], { inplace: get(self, "inplace") }),
    (self) => (get(self, "inplace") ? "inplace=True" : ""),
  );
}
// Comes with the second script.
layer(
  "GELU",
  "approximate any='none'",
  (self, { approximate }) => keep(self, { approximate }),
  (self, { input }) => functional("gelu", [input], { approximate: get(self, "approximate") }),
  (self) => `approximate=${layerText(get(self, "approximate"))}`,
);
for (const [name, function_] of Object.entries({ Softmax: "softmax", LogSoftmax: "log_softmax" })) {
  layer(
    name,
    "dim any=None",
    (self, { dim }) => keep(self, { dim }),
    (self, { input }) => functional(function_, [input, self.dict.get("dim")]),
    (self) => `dim=${layerText(self.dict.get("dim"))}`,
  );
}
const identity = new PyClass("Identity", [moduleClass]);
identity.dict.set(
  "__init__",
  new Native("__init__", ([self]) => {
    start(self);
    return null;
  }),
);
// Comes with the second script.
method(identity, "forward(input any)", (_, { input }) => input);
identity.module = "torch.nn.modules.linear";
nn.Identity = identity;
