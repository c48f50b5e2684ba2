// nn.MultiheadAttention, as F.multi_head_attention_forward computes it.

import { Float, NotHere, raise, toNumber, tuple, typeName } from "../python/values.js";
import { bool } from "./dtype.js";
import { xavierUniform } from "./init.js";
import { elementwise } from "./iterator.js";
import { get, layer, newParameter, outputLinear } from "./layers.js";
import { setAttribute } from "./module.js";
import { softmax } from "./normalise.js";
import { perform } from "./operation.js";
import { linear, matmul } from "./products.js";
import { mean, reduce } from "./reduce.js";
import { listed, Tensor } from "./tensor.js";
import { part, permute, reshape, squeeze, transpose, unsqueeze, view } from "./views.js";

/** @typedef {import("../python/values.js").PyObject} PyObject */
/** @typedef {any} Value */

/** @param {PyObject} self @param {Record<string, Value>} given @param {Value} call */
function buildAttention(self, given, call) {
  const { embed_dim: E, num_heads: H, dropout, bias, kdim, vdim, batch_first: first, dtype } = given;
  if (E <= 0 || H <= 0)
    raise("ValueError", `embed_dim and num_heads must be greater than 0, got embed_dim=${E} and num_heads=${H} instead`);
  if (given.add_bias_kv || given.add_zero_attn) throw new NotHere("MultiheadAttention(add_bias_kv=True)");
  const [keys, values] = [kdim ?? E, vdim ?? E];
  const same = keys === E && values === E;
  const facts = { embed_dim: E, kdim: keys, vdim: values, _qkv_same_embed_dim: same, num_heads: H, dropout, batch_first: first };
  for (const [name, value] of Object.entries(facts)) self.dict.set(name, value);
  if (E % H) raise("AssertionError", "embed_dim must be divisible by num_heads");
  self.dict.set("head_dim", E / H);
  const parameters = self.dict.get("_parameters");
  const names = same ? ["in_proj_weight"] : ["q_proj_weight", "k_proj_weight", "v_proj_weight"];
  const widths = same
    ? [[3 * E, E]]
    : [
        [E, E],
        [E, keys],
        [E, values],
      ];
  if (same) for (const name of ["q_proj_weight", "k_proj_weight", "v_proj_weight"]) parameters.set(name, null);
  else parameters.set("in_proj_weight", null);
  names.forEach((name, n) => parameters.set(name, newParameter(widths[n], dtype)));
  parameters.set("in_proj_bias", bias ? newParameter([3 * E], dtype) : null);
  setAttribute(self, "out_proj", call(outputLinear, [E, E, bias], dtype ? { dtype } : {}));
  self.dict.set("bias_k", null).set("bias_v", null).set("add_zero_attn", false);
  for (const name of names) xavierUniform(parameters.get(name));
  if (bias) get(self.dict.get("_modules").get("out_proj"), "bias").storage.data.fill(0);
}

/**
 * @param {Tensor} mask
 * @param {Tensor} scores (B, H, L, S)
 */
function masked(mask, scores) {
  if (mask.dtype === bool) return elementwise((score, hidden) => (hidden ? -Infinity : score), [scores, mask], scores.dtype);
  return elementwise((score, added) => score + added, [scores, mask], scores.dtype);
}

/** @param {Tensor} mask @param {number[]} shape of the scores */
function attentionMask(mask, [B, H, L, S]) {
  if (mask.ndim === 2) {
    if (mask.shape[0] !== L || mask.shape[1] !== S) {
      raise("RuntimeError", `The shape of the 2D attn_mask is torch.Size(${listed(mask.shape)}), but should be (${L}, ${S}).`);
    }
    return mask;
  }
  if (mask.ndim !== 3) raise("RuntimeError", `attn_mask's dimension ${mask.ndim} is not supported`);
  if (String(mask.shape) !== String([B * H, L, S])) {
    raise(
      "RuntimeError",
      `The shape of the 3D attn_mask is torch.Size(${listed(mask.shape)}), but should be (${B * H}, ${L}, ${S}).`,
    );
  }
  return view(mask, [B, H, L, S]);
}

/** A part of a parameter is folded as the parameter is. @param {Tensor} x */
const trainable = (x) => Object.assign(x, { requiresGrad: true });

/** @param {PyObject} self @param {Record<string, Value>} given */
function forward(self, given) {
  const {
    query,
    key,
    value,
    key_padding_mask: padding,
    need_weights: wanted,
    average_attn_weights: averaged,
    is_causal: causal,
  } = given;
  const [E, H, first] = ["embed_dim", "num_heads", "batch_first"].map((name) => self.dict.get(name));
  for (const [n, one] of [query, key, value].entries()) {
    if (!(one instanceof Tensor))
      raise("AttributeError", `'${typeName(one)}' object has no attribute '${n ? "is_nested" : "dim"}'`);
  }
  const batched = query.ndim === 3;
  for (const name of ["key_padding_mask", "attn_mask"]) {
    const mask = given[name];
    if (mask === null || mask === undefined) continue;
    if (!(mask instanceof Tensor))
      raise("TypeError", `is_floating_point(): argument 'input' (position 1) must be Tensor, not ${typeName(mask)}`);
    const { dtype } = mask;
    if (dtype !== bool && !dtype.isFloat) raise("AssertionError", `only bool and floating types of ${name} are supported`);
  }
  if (query.ndim !== 2 && !batched) {
    raise("AssertionError", `query should be unbatched 2D or batched 3D tensor but received ${query.ndim}-D query tensor`);
  }
  const kind = batched
    ? "For batched (3-D) `query`, expected `key` and `value` to be 3-D"
    : "For unbatched (2-D) `query`, expected `key` and `value` to be 2-D";
  if (key.ndim !== query.ndim || value.ndim !== query.ndim) {
    raise("AssertionError", `${kind} but found ${key.ndim}-D and ${value.ndim}-D tensors respectively`);
  }
  if (causal && !given.attn_mask)
    raise(
      "RuntimeError",
      "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask.",
    );
  // (L, B, E) inside, whatever the caller's order.
  const turned = [query, key, value].map((x) => (!batched ? unsqueeze(x, 1) : first ? transpose(x, 0, 1) : x));
  const [L, B, width] = turned[0].shape;
  const S = turned[1].shape[0];
  if (width !== E) raise("AssertionError", `was expecting embedding dimension of ${E}, but got ${width}`);
  const same = self.dict.get("_qkv_same_embed_dim");
  if (same && String(turned[1].shape) !== String(turned[2].shape)) {
    raise(
      "AssertionError",
      `key shape torch.Size(${listed(turned[1].shape)}) does not match value shape torch.Size(${listed(turned[2].shape)})`,
    );
  }
  const bias = get(self, "in_proj_bias");
  const weights = same
    ? [0, 1, 2].map((n) => trainable(part(get(self, "in_proj_weight"), 0, n * E, E)))
    : ["q_proj_weight", "k_proj_weight", "v_proj_weight"].map((name) => get(self, name));
  const [q, k, v] = turned.map((x, n) => {
    const projected = linear(x, weights[n], bias && part(bias, 0, n * E, E));
    const heads = reshape(projected, [x.shape[0], x.shape[1], H, E / H]);
    return permute(heads, [1, 2, 0, 3]);
  });
  const factor = 1 / Math.sqrt(E / H);
  let scores = matmul(
    elementwise((x) => x * factor, [q], q.dtype),
    transpose(k, -2, -1),
  );
  if (given.attn_mask) scores = masked(attentionMask(given.attn_mask, scores.shape), scores);
  if (padding) {
    const rows = batched ? padding : unsqueeze(padding, 0);
    for (const [axis, size] of [B, S].entries()) {
      if (rows.shape[axis] === size) continue;
      raise("AssertionError", `Expected key_padded_mask.shape[${axis}] to be ${size}, but got ${rows.shape[axis]}`);
    }
    scores = masked(unsqueeze(unsqueeze(rows, 1), 1), scores);
  }
  const share = softmax("softmax", scores, -1, null);
  const mixed = reshape(permute(matmul(share, v), [2, 0, 1, 3]), [L * B, E]);
  const last = self.dict.get("_modules").get("out_proj");
  let output = view(linear(mixed, get(last, "weight"), get(last, "bias")), [L, B, E]);
  output = !batched ? squeeze(output, [1]) : first ? transpose(output, 0, 1) : output;
  if (!wanted) return tuple([output, null]);
  const shown = averaged ? reduce(share, [1], false, share.dtype, mean) : share;
  return tuple([output, batched ? shown : squeeze(shown, [0])]);
}

export const multiheadAttention = layer(
  "MultiheadAttention",
  "embed_dim any, num_heads any, dropout any=0.0, bias any=True, add_bias_kv any=False, add_zero_attn any=False, kdim any=None, " +
    "vdim any=None, batch_first any=False, device any=None, dtype any=None",
  buildAttention,
  (self, given) => {
    if (toNumber(self.dict.get("dropout") ?? new Float(0)) < 0)
      raise("ValueError", "dropout probability has to be between 0 and 1");
    const parameters = [...self.dict.get("_parameters").values()];
    return perform("multi_head_attention_forward", { ...given, parameters }, () => forward(self, given), {});
  },
  undefined,
  "query any, key any, value any, key_padding_mask any=None, need_weights any=True, attn_mask any=None, average_attn_weights any=True, is_causal any=False",
);
