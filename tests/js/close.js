// Numbers that may differ by rounding.

import assert from "node:assert/strict";

/**
 * An assertion that two numbers differ by no more than `off`, unless the call names another limit.
 *
 * @param {number} off
 */
export const within =
  (off) =>
  (/** @type {number} */ got, /** @type {number} */ want, limit = off) =>
    assert.ok(Math.abs(got - want) <= limit, `${got} is not ${want}`);
