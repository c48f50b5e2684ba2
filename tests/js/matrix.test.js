import assert from "node:assert/strict";
import { test } from "node:test";
import { stepped } from "../../src/attn/labs/kit/matrix.js";

test("arrow keys lead to the neighbour and stop at the edge", () => {
  const [R, C] = [3, 5];
  assert.equal(stepped(7, "ArrowUp", R, C), 2);
  assert.equal(stepped(7, "ArrowDown", R, C), 12);
  assert.equal(stepped(7, "ArrowLeft", R, C), 6);
  assert.equal(stepped(7, "ArrowRight", R, C), 8);
  assert.equal(stepped(2, "ArrowUp", R, C), 2);
  assert.equal(stepped(12, "ArrowDown", R, C), 12);
  assert.equal(stepped(5, "ArrowLeft", R, C), 5, "it does not continue in the row above");
  assert.equal(stepped(9, "ArrowRight", R, C), 9);
});

test("home and end lead to the ends of the row", () => {
  assert.equal(stepped(7, "Home", 3, 5), 5);
  assert.equal(stepped(7, "End", 3, 5), 9);
});
