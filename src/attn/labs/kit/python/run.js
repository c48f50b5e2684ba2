// One run of a program: its tree, its errors, what it printed, its events line by line, its variables.
import { BUILTINS } from "./builtins.js";
import { Problem } from "./cursor.js";
import { Executor } from "./execute.js";
import { MODULES } from "./library.js";
import { Scope } from "./objects.js";
import { parse } from "./parser.js";
import { Limit, NotHere, PyError } from "./values.js";

/** @typedef {import("./values.js").Value} Value */

const LONGEST_SOURCE = 60_000;

/**
 * @typedef {object} RunError
 * @property {"reader" | "not here" | "limit" | "page"} kind whose fault it is: the reader's, or that of the page, which lacks
 *   something, stops what takes too long, or has a mistake of its own
 * @property {string} type "TypeError", the name of a class of the reader's; "NotHere", "Limit" or "PageError" of the page's errors
 * @property {string} message
 * @property {number} line where it happened
 * @property {number[]} lines of the calls on the way, innermost first
 * @property {number | null} column of a syntax error, from 0
 * @property {boolean} syntax did Python refuse the text before running it?
 */

/**
 * @typedef {object} Options
 * @property {Record<string, import("./values.js").Namespace>} [modules] what can be imported, besides Python's own
 * @property {Record<string, string>} [sources] modules that are written in Python, by their paths: `{ "attn": "...", "attn.shapes": "..." }`
 * @property {Record<string, Value>} [given] variables that are there before the first line
 * @property {(machine: Executor) => void} [before] called before the first line: a library gets the machine, whose
 *   `note("operation", { ... })` adds an event at the line that is being run
 * @property {number} [steps] how long the program may take
 */

/**
 * @param {string} source
 * @param {Options} [options]
 */
export function execute(source, { modules = {}, sources = {}, given = {}, before, steps } = {}) {
  const { body, errors } = parse(source.slice(0, LONGEST_SOURCE));
  const machine = new Executor({ steps });
  machine.builtins = BUILTINS;
  machine.modules = { ...MODULES, ...modules };
  machine.sources = sources;
  const scope = new Scope("module", null);
  for (const [name, value] of Object.entries(given)) scope.vars.set(name, value);
  /** @type {RunError | null} */
  let error = errors.length ? syntaxError(errors[0]) : null;
  try {
    if (source.length > LONGEST_SOURCE) throw new Limit("the text is too long for the page");
    before?.(machine);
    machine.frame(scope, () => machine.block(body, scope).next());
  } catch (problem) {
    if (!(problem instanceof Problem)) error ??= described(problem);
  }
  return { body, errors: errors.map(syntaxError), error, out: machine.out.join(""), events: machine.events, variables: scope.vars };
}

/**
 * @param {Problem} problem
 * @returns {RunError}
 */
function syntaxError({ type, message, line, column }) {
  return { kind: "reader", type, message, line, lines: [line], column, syntax: true };
}

/**
 * @param {any} problem
 * @returns {RunError}
 */
function described(problem) {
  const lines = problem?.lines ?? [0];
  const rest = { line: lines[0], lines, column: null, syntax: false };
  if (problem instanceof PyError) return { kind: faultOf(problem), type: problem.type, message: problem.message, ...rest };
  const message = `this page stumbled here (${problem?.message}): that is its own mistake, not yours`;
  return { kind: "page", type: "PageError", message, ...rest };
}

/** @param {PyError} problem */
const faultOf = (problem) => (problem instanceof NotHere ? "not here" : problem instanceof Limit ? "limit" : "reader");
