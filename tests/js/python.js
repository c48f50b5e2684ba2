// Runs Python programs as a page does. Input: a JSON list of sources. Output: what each printed, its variables as text, its error.
import { readFileSync } from "node:fs";
import { Executor } from "../../src/attn/labs/kit/python/execute.js";
import "../../src/attn/labs/kit/python/more.js";
import { execute } from "../../src/attn/labs/kit/python/run.js";

const texts = new Executor({ steps: 100_000_000 });
const shown = (source) => {
  const { error, errors, out, variables } = execute(source);
  const names = error ? [] : [...variables].map(([name, value]) => [name, texts.repr(value)]);
  return { out, error, errors, variables: Object.fromEntries(names) };
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(shown)));
