// What a checker says of a program: in a page, as verdict.py does in the kernel. The checker is the package's own Python, which the
// page's interpreter runs.

import { STEPS } from "../kit/python/machine.js";
import { execute } from "../kit/python/run.js";
import { modules, session } from "../kit/torch/torch.js";
import { changesOf } from "./fixes.js";

/** @typedef {import("../kit/python/values.js").Value} Value */
/** @typedef {import("../kit/python/run.js").RunError} RunError */
/**
 * Where a checker is, and what mends known mistakes; or what the page lacks to run it.
 *
 * @typedef {{ module: string, fixes: import("./fixes.js").Rule[], missing?: string }} Task
 */
/** @typedef {{ tasks: Record<string, Task>, sources: Record<string, string> }} Tasks what a page has: see tasks.py */
/** @typedef {{ passed: boolean, message: string, fix: { line: number, text: string } | null }} Verdict */
/** @typedef {Map<string, Value>} Variables */

const MOST_RUNS = 40; // to find a line that mends the program
const RUNS = 10; // a check runs the reader's function up to a hundred times: it has the time of so many programs

/** @type {Map<Record<string, string>, Record<string, Value>>} the checkers that were imported, by the texts they come from */
const imported = new Map();

/**
 * The checker and the names of the variables that it asks for: "scores(mine)" and "scores".
 *
 * @param {string} check
 */
function readTask(check) {
  const [, checker, names = checker] = /^(\w+)(?:\((\w+(?:, \w+)*)\))?$/.exec(check) ?? [];
  return { checker, names: names?.split(", ") ?? [] };
}

/**
 * The verdict on a program that ran; or the error of one that cannot be checked here.
 *
 * @param {string} check
 * @param {string} code
 * @param {Variables} variables
 * @param {Tasks} tasks
 * @returns {{ verdict: Verdict | null, error: RunError | null }}
 */
export function verdictOf(check, code, variables, tasks) {
  const { checker, names } = readTask(check);
  if (!Object.hasOwn(tasks.tasks, checker)) return { verdict: null, error: null };
  const { missing, fixes } = tasks.tasks[checker];
  if (missing) return { verdict: null, error: lacking(`${checker} needs ${missing}, and the page has none`) };
  const found = judged(checker, names, variables, tasks);
  if (!("passed" in found)) return { verdict: null, error: found };
  const judge = (/** @type {string} */ changed) => {
    const run = executed(changed, tasks.sources);
    const again = run.error ?? judged(checker, names, run.variables, tasks);
    return "passed" in again ? again : null;
  };
  return { verdict: { ...found, fix: found.passed ? null : mended(code, fixes, found.message, judge) }, error: null };
}

/** @param {string} message @returns {RunError} */
const lacking = (message) => ({ kind: "not here", type: "NotHere", message, line: 0, lines: [0], column: null, syntax: false });

/**
 * @param {string} checker
 * @param {string[]} names
 * @param {Variables} variables
 * @param {Tasks} tasks
 * @returns {{ passed: boolean, message: string } | RunError}
 */
function judged(checker, names, variables, tasks) {
  const missing = names.find((name) => !variables.has(name));
  if (missing) return { passed: false, message: `There is no ${missing} in the program: the check asks for one with this name.` };
  const given = {
    check: checkerOf(checker, tasks),
    ...Object.fromEntries(names.map((name, n) => [`given_${n}`, variables.get(name)])),
  };
  const call = `check(${names.map((_, n) => `given_${n}`).join(", ")})`;
  session.reset({ runs: RUNS });
  const { error, variables: made } = execute(`verdict = ${call}\npassed, message = verdict.passed, verdict.message\n`, {
    ...{ modules, given, steps: RUNS * STEPS },
  });
  if (!error) return { passed: Boolean(made.get("passed")), message: String(made.get("message")) };
  if (error.kind !== "reader") return error;
  return { passed: false, message: `The check cannot use ${names[0]}: ${error.type}: ${error.message.split("\n")[0]}` };
}

/**
 * The checker's function. Its modules run once.
 *
 * @param {string} checker
 * @param {Tasks} tasks
 */
function checkerOf(checker, { tasks, sources }) {
  const known = imported.get(sources) ?? {};
  imported.set(sources, known);
  if (!known[checker]) {
    const { error, variables } = execute(`from ${tasks[checker].module} import ${checker}\n`, {
      modules,
      sources,
      steps: RUNS * STEPS,
    });
    if (error) throw new Error(`${checker} cannot be imported: ${error.message}`);
    known[checker] = variables.get(checker);
  }
  return known[checker];
}

/**
 * A program's variables.
 *
 * @param {string} code
 * @param {Record<string, string>} sources
 */
function executed(code, sources) {
  session.reset({});
  return execute(code, { modules, sources });
}

/**
 * Of the fewest lines with which the program passes, the first that alone changes the message, or else the last; null if the known fixes
 * do not mend it.
 *
 * @param {string} code
 * @param {import("./fixes.js").Rule[]} fixes
 * @param {string} message
 * @param {(code: string) => { passed: boolean, message: string } | null} judge
 */
function mended(code, fixes, message, judge) {
  const lines = code.split("\n");
  /** @param {import("./fixes.js").Change[]} changes */
  const judged = (changes) => judge(lines.map((line, n) => changes.find((one) => one.line === n + 1)?.text ?? line).join("\n"));
  let runs = 0;
  for (const changes of changesOf(lines, fixes)) {
    if (++runs > MOST_RUNS) break;
    if (!judged(changes)?.passed) continue;
    return changes.slice(0, -1).find((one) => (judged([one])?.message ?? message) !== message) ?? changes.at(-1) ?? null;
  }
  return null;
}
