import assert from "node:assert/strict";
import { test } from "node:test";
import "../../src/attn/labs/code/more.js";
import { Bound, Limit, Native, NotHere, PyClass, PyObject } from "../../src/attn/labs/kit/python/values.js";
import { bfloat16, float16, float32, int64, promote } from "../../src/attn/labs/kit/torch/dtype.js";
import { isDense, viewStrides } from "../../src/attn/labs/kit/torch/layout.js";
import { numbersOf } from "../../src/attn/labs/kit/torch/tensor.js";
import { modules, session } from "../../src/attn/labs/kit/torch/torch.js";

const torch = modules.torch.members;
const nn = modules["torch.nn"].members;

function call(callee, args, kwargs = {}) {
  if (callee instanceof Native) return callee.run(args, kwargs, call);
  if (callee instanceof Bound) return call(callee.method, [callee.self, ...args], kwargs);
  if (callee instanceof PyObject) return call(callee.type.find("__call__"), [callee, ...args], kwargs);
  assert.ok(callee instanceof PyClass);
  const self = new PyObject(callee);
  call(callee.find("__init__"), [self, ...args], kwargs);
  return self;
}
const method = (x, name, ...args) => call(x.attribute(name), args);

test("the same seed gives torch's own numbers again", () => {
  session.reset({ seed: 0 });
  const first = numbersOf(call(torch.randn, [2, 2]));
  assert.ok(Math.abs(first[0] - 1.5409961) < 1e-6);
  session.reset({ seed: 0 });
  assert.deepEqual(numbersOf(call(torch.randn, [2, 2])), first);
});

test("an operation is reported once, with what it does to memory", () => {
  const reports = [];
  session.reset({ record: (report) => reports.push(report) });
  const x = call(torch.randn, [2, 3, 4]);
  const turned = method(x, "transpose", 0, 1);
  method(turned, "contiguous");
  method(x, "contiguous");
  method(turned, "add_", 1);
  call(call(nn.Linear, [4, 5]), [x]);
  const told = reports.map(({ op, memory }) => `${op} ${memory}`);
  assert.deepEqual(told, ["randn new", "transpose view", "contiguous copy", "contiguous same", "add_ in place", "linear new"]);
});

test("copies that nobody wrote are counted", () => {
  const reports = [];
  session.reset({ record: (report) => reports.push(report) });
  const x = call(torch.randn, [2, 3, 4, 5]);
  x.binary("@", method(x, "transpose", 2, 3), false);
  const turned = method(x, "transpose", 1, 2);
  turned.binary("@", method(turned, "transpose", 2, 3), false);
  assert.deepEqual(
    reports.filter(({ op }) => op === "matmul").map(({ copies }) => copies),
    [0, 2],
  );
});

test("a tensor that is too large is a limit, and a name that only torch has is not here", () => {
  session.reset();
  assert.throws(() => call(torch.zeros, [3000, 3000]), Limit);
  const x = call(torch.zeros, [2]);
  assert.throws(() => x.attribute("lgamma"), NotHere);
  assert.throws(() => x.attribute("lgamna"), { type: "AttributeError" });
});

test("numbers of 16 bits are rounded to the nearest, halves to even", () => {
  assert.equal(bfloat16.round(1 + 2 ** -8), 1);
  assert.equal(bfloat16.round(1 + 3 * 2 ** -8), 1 + 2 ** -6);
  assert.equal(float16.round(2049), 2048);
  assert.equal(float16.round(65520), Infinity);
  assert.equal(float16.round(2 ** -25), 0);
});

test("two dtypes together", () => {
  assert.equal(promote(float16, bfloat16), float32);
  assert.equal(promote(int64, float16), float16);
});

test("a view needs chunks of one constant step", () => {
  assert.deepEqual(viewStrides({ shape: [2, 3, 4], strides: [12, 4, 1] }, [6, 4]), [4, 1]);
  assert.equal(viewStrides({ shape: [3, 2, 4], strides: [4, 12, 1] }, [6, 4]), null);
  assert.ok(isDense({ shape: [3, 2], strides: [1, 3] }));
  assert.ok(!isDense({ shape: [3, 2], strides: [0, 1] }));
});
