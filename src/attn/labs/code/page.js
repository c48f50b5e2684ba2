// CodeLab on a page without a kernel: the same script is the page's and its worker's.

import { answer } from "./answer.js";
import { client, serve } from "./client.js";
import { makeCodeLab } from "./view.js";

let program = "";

/** @type {import("./verdict.js").Tasks | null} */
let tasks = null;
const ask = client({ answer, program: () => program, tooLong });

/** What the page's checkers need is in a script of its own, which is loaded before this one. */
export const lab = makeCodeLab((settings) => ask({ ...settings, _tasks: globalThis.attnTasks ?? null }));

/** The answer in a worker, which keeps the first tasks that it gets: their checkers are imported once. @param {any} settings */
function answerOnce(settings) {
  tasks ??= settings._tasks;
  return answer({ ...settings, _tasks: tasks });
}

/**
 * In a worker: answer its page. On a page: keep the script for the worker.
 *
 * @param {string} script
 * @returns {boolean} whether this is a page
 */
export function isPage(script) {
  if (typeof document === "undefined") serve(answerOnce);
  program = script;
  return typeof document !== "undefined";
}

/**
 * @param {any} _settings
 * @param {number} seconds
 */
function tooLong(_settings, seconds) {
  const message = `the program took more than ${seconds} seconds, so the page has stopped it: does a loop never end?`;
  const failure = { kind: "limit", type: "Limit", message, line: 0, lines: [0], column: null, means: "", fix: "" };
  return { lines: [], failure, syntax: [], printed: "", sizes: {}, details: {}, second: null, comparison: null, verdict: null };
}
