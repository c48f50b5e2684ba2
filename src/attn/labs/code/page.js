// CodeLab on a page without a kernel: the same script is the page's and its worker's.

import { rest } from "../kit/python/rest.js";
import { answer } from "./answer.js";
import { client, serve } from "./client.js";
import { loaded, noting } from "./complete.js";
import { makeCodeLab } from "./view.js";

let program = "";
/** Fetches what few programs need: in the book a script, while the lab is being written modules. */
let more = async () => {
  await import("./more.js");
  return "";
};

/** @type {import("./verdict.js").Tasks | null} */
let tasks = null;
const ask = client({ answer: noting(answer, notLoaded), program: () => program, more: () => more(), tooLong });

/** What the page's checkers need is in a script of its own, which is loaded before this one. */
export const lab = makeCodeLab((settings, place) => ask({ ...settings, _tasks: globalThis.attnTasks ?? null }, place));

/** The answer in a worker, which keeps the first tasks that it gets: their checkers are imported once. @param {any} settings */
function answerOnce(settings) {
  tasks ??= settings._tasks;
  return answer({ ...settings, _tasks: tasks });
}

/**
 * In a worker: answer its page. On a page: keep the script for the worker.
 *
 * @param {string} script
 * @param {string} address where the second script is, seen from this one
 * @param {() => void} share gives the second script what it needs of this one
 * @returns {boolean} whether this is a page
 */
export function isPage(script, address, share) {
  share();
  if (typeof document === "undefined") serve(noting(answerOnce, notLoaded));
  program = script;
  const own = globalThis.document?.currentScript?.getAttribute("src") ?? "";
  /** @type {Promise<string> | undefined} */
  let text;
  more = () => {
    text ??= loaded(own.replace(/[^/]*$/, address)).finally(share);
    return text;
  };
  rest.fetch = more;
  return typeof document !== "undefined";
}

/**
 * @param {any} _settings
 * @param {number} seconds
 */
function tooLong(_settings, seconds) {
  return stopped("limit", `the program took more than ${seconds} seconds, so the page has stopped it: does a loop never end?`);
}

function notLoaded() {
  return stopped("page", "a part of the page's Python could not be loaded");
}

/** @param {string} kind @param {string} message */
function stopped(kind, message) {
  const failure = { kind, type: "Limit", message, line: 0, lines: [0], column: null, means: "", fix: "" };
  return { lines: [], failure, syntax: [], printed: "", sizes: {}, details: {}, second: null, comparison: null, verdict: null };
}
