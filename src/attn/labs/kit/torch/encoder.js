// nn.TransformerEncoderLayer and nn.TransformerEncoder, from the layers that they are made of.

import { PyObject, raise } from "../python/values.js";
import { containers } from "./containers.js";
import { get, layer, nn } from "./layers.js";
import { isModule, setAttribute } from "./module.js";
import { multiheadAttention } from "./multihead.js";
import { callMethod, tables } from "./operation.js";
import { Tensor } from "./tensor.js";

/** @typedef {any} Value */

/** A module of a module. @param {PyObject} self @param {string} name */
const inner = (self, name) => self.dict.get("_modules").get(name);

/** @param {PyObject} self @param {Record<string, Value>} given @param {Value} call */
function buildLayer(self, given, call) {
  const { d_model: E, dim_feedforward: wide, dropout, layer_norm_eps: eps, bias, dtype, norm_first: first } = given;
  const rest = dtype ? { bias, dtype } : { bias };
  const drop = () => call(nn.Dropout, [dropout]);
  const { batch_first } = given;
  setAttribute(self, "self_attn", call(multiheadAttention, [E, given.nhead], { dropout, batch_first, ...rest }));
  setAttribute(self, "linear1", call(nn.Linear, [E, wide], rest));
  setAttribute(self, "dropout", drop());
  setAttribute(self, "linear2", call(nn.Linear, [wide, E], rest));
  self.dict.set("norm_first", first);
  for (const name of ["norm1", "norm2"]) setAttribute(self, name, call(nn.LayerNorm, [E], { eps, ...rest }));
  for (const name of ["dropout1", "dropout2"]) setAttribute(self, name, drop());
  const { activation } = given;
  if (typeof activation === "string" && activation !== "relu" && activation !== "gelu")
    raise("RuntimeError", `activation should be relu/gelu, not ${activation}`);
  self.dict.set("activation", typeof activation === "string" ? tables.functional[activation] : activation);
}

/** @param {PyObject} self @param {Record<string, Value>} given @param {Value} call */
function runLayer(self, { src, src_mask: mask, src_key_padding_mask: padding }, call) {
  const run = (/** @type {string} */ name, /** @type {Value} */ x) => call(inner(self, name), [x]);
  const add = (/** @type {Value} */ x, /** @type {Value} */ y) => callMethod("add", x, y);
  const attend = (/** @type {Value} */ x) => {
    const options = { attn_mask: mask, key_padding_mask: padding, need_weights: false };
    return run("dropout1", call(inner(self, "self_attn"), [x, x, x], options)[0]);
  };
  const feed = (/** @type {Value} */ x) =>
    run("dropout2", run("linear2", run("dropout", call(get(self, "activation"), [run("linear1", x)]))));
  if (self.dict.get("norm_first")) {
    const x = add(src, attend(run("norm1", src)));
    return add(x, feed(run("norm2", x)));
  }
  const x = run("norm1", add(src, attend(src)));
  return run("norm2", add(x, feed(x)));
}

const encoderLayer = layer(
  "TransformerEncoderLayer",
  "d_model any, nhead any, dim_feedforward any=2048, dropout any=0.1, activation any='relu', layer_norm_eps any=1e-05, " +
    "batch_first any=False, norm_first any=False, bias any=True, device any=None, dtype any=None",
  buildLayer,
  runLayer,
  undefined,
  "src any, src_mask any=None, src_key_padding_mask any=None, is_causal any=False",
);

/** A module with parameters of its own, of the same values. @param {Value} value @returns {Value} */
function copied(value) {
  if (value instanceof Tensor) return tables.methods.__deepcopy__.run([value, null], {}, () => null);
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, copied(one)]));
  if (!isModule(value)) return value;
  return Object.assign(new PyObject(value.type), { dict: copied(value.dict) });
}

const encoder = layer(
  "TransformerEncoder",
  "encoder_layer any, num_layers any, norm any=None, enable_nested_tensor any=True, mask_check any=True",
  (self, { encoder_layer: one, num_layers: count, norm }, call) => {
    const layers = Array.from({ length: count }, () => copied(one));
    setAttribute(self, "layers", call(containers.ModuleList, [layers]));
    self.dict.set("num_layers", count);
    if (norm) setAttribute(self, "norm", norm);
    else self.dict.set("norm", null);
  },
  (self, { src, mask, src_key_padding_mask: padding }, call) => {
    let x = src;
    for (const one of inner(self, "layers").dict.get("_modules").values())
      x = call(one, [x], { src_mask: mask, src_key_padding_mask: padding });
    return inner(self, "norm") ? call(inner(self, "norm"), [x]) : x;
  },
  undefined,
  "src any, mask any=None, src_key_padding_mask any=None, is_causal any=None",
);
for (const one of [encoderLayer, encoder]) one.module = "torch.nn.modules.transformer";
