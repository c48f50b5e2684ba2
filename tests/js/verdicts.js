// Runs the answers of the tests of checkers as a page does. Input: { tasks, sources, files } where files[name] lists the functions of
// a test module that give answers to checkers. Output: for each module [checker, name of the answer, verdict or error].
import { readFileSync } from "node:fs";
import "../../src/attn/labs/code/more.js";
import { verdictOf } from "../../src/attn/labs/code/verdict.js";
import { execute } from "../../src/attn/labs/kit/python/run.js";
import { modules, session } from "../../src/attn/labs/kit/torch/torch.js";

const { tasks, sources, files } = JSON.parse(readFileSync(0, "utf8"));
const said = Object.entries(files).map(([file, functions]) => {
  const calls = functions.map((name) => `tests.${name}(None)\n`).join("");
  session.reset({});
  const collected = execute(`import verdicts\nimport ${file} as tests\n${calls}answers = verdicts.ANSWERS\n`, {
    ...{ modules, sources, steps: 10_000_000 },
  });
  if (collected.error) return [file, collected.error];
  const answers = collected.variables.get("answers");
  const verdicts = answers.map(([checker, name, answer]) => {
    const { verdict, error } = verdictOf(`${checker}(answer)`, "", new Map([["answer", answer]]), { tasks, sources });
    return [checker, name, verdict ? [verdict.passed, verdict.message] : error];
  });
  return [file, verdicts];
});
process.stdout.write(JSON.stringify(Object.fromEntries(said)));
