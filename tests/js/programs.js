// The verdicts of a page on programs. Input: { tasks, programs: [[check, code]] }. Output: for each, [error, verdict] of the program,
// and of each program that its fixes make.
import { readFileSync } from "node:fs";
import "../../src/attn/labs/code/more.js";
import { verdictOf } from "../../src/attn/labs/code/verdict.js";
import { execute } from "../../src/attn/labs/kit/python/run.js";
import { modules, session } from "../../src/attn/labs/kit/torch/torch.js";

const { tasks, programs } = JSON.parse(readFileSync(0, "utf8"));
const said = programs.map(([check, code]) => {
  const found = [];
  for (let now = code; now !== null && found.length < 6; ) {
    session.reset({});
    const run = execute(now, { modules, sources: tasks.sources });
    const { verdict, error } = run.error ? { verdict: null, error: run.error } : verdictOf(check, now, run.variables, tasks);
    found.push([error, verdict]);
    const fix = verdict?.fix;
    const lines = now.split("\n");
    now = fix ? lines.with(fix.line - 1, fix.text).join("\n") : null;
  }
  return found;
});
process.stdout.write(JSON.stringify(said));
