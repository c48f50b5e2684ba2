// Whatever a reader types, the page neither breaks nor hangs. DAMAGED=50000 tries more programs than usual.
import assert from "node:assert/strict";
import { test } from "node:test";
import "../../src/attn/labs/code/more.js";
import { execute } from "../../src/attn/labs/kit/python/run.js";
import { modules, session } from "../../src/attn/labs/kit/torch/torch.js";
import { damaged } from "./damage.js";

const COUNT = Number(process.env.DAMAGED ?? 5000);
const LIMIT = 1000; // ms of processor time

/** @param {string} code */
function tried(code) {
  session.reset({ seed: 0 });
  const started = process.cpuUsage();
  try {
    const { error, errors } = execute(code, { modules });
    const own = [error, ...errors].find((one) => one?.type === "PageError");
    if (own) return { fault: own.message };
  } catch (error) {
    return { fault: String(error.stack).split("\n").slice(0, 3).join(" | ") };
  }
  const { user, system } = process.cpuUsage(started);
  return { ms: (user + system) / 1000 };
}

test(`${COUNT} half-typed and damaged programs end in time, and none breaks the page`, (t) => {
  const faults = new Map();
  const times = [];
  for (const code of damaged(COUNT, 1)) {
    const { fault, ms } = tried(code);
    if (fault && !faults.has(fault)) faults.set(fault, code);
    if (ms !== undefined) times.push({ ms, code });
  }
  times.sort((a, b) => b.ms - a.ms);
  const [slowest] = times;
  t.diagnostic(`slowest ${slowest.ms.toFixed(0)} ms, median ${times[times.length >> 1].ms.toFixed(1)} ms`);
  const told = [...faults].slice(0, 20).map(([fault, code]) => `${fault}\n${code}`);
  assert.equal(faults.size, 0, `${faults.size} kinds of fault:\n${told.join("\n--------\n")}`);
  assert.ok(slowest.ms < LIMIT, `${slowest.ms} ms:\n${slowest.code}`);
});
