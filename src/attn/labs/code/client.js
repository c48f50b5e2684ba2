// Runs the reader's programs beside the page, in a worker, so that the page never waits: a program that takes too long is ended with its
// worker. Where the browser allows no worker, programs run in the page, and their own limits end them.

const LONGEST = 4000; // milliseconds that a program may take
const LOADING = 60_000; // and that a worker may take to read its script
const READY = "ready";

/** @typedef {{ settings: any, who: unknown, done: (results: any) => void }} Question */

/**
 * @param {object} options
 * @param {(settings: any) => any} options.answer what the worker computes
 * @param {() => string} options.program the script of the worker
 * @param {() => Promise<string>} options.more fetches the second script, for a program whose results are incomplete without it
 * @param {(settings: any, seconds: number) => any} options.tooLong what to say of a program that was ended
 * @returns {(settings: any, who?: unknown) => Promise<any>} who asks: a later question of the same place replaces its earlier one that waits
 */
export function client({ answer, program, more, tooLong }) {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Question | null} the program that runs */
  let current = null;
  /** @type {Map<unknown, Question>} of each place the latest program that waits; those before it are out of date */
  const waiting = new Map();
  let limit = 0;
  let isReady = false; // has the worker read its script?
  /** @type {string | null} the second script, once it was asked for */
  let rest = null;

  function begin() {
    const [next] = waiting.values();
    if (current || !next) return;
    current = next;
    waiting.delete(next.who);
    worker ??= started();
    allow(isReady ? LONGEST : LOADING);
    if (worker) worker.postMessage(current.settings);
    else finish(answer(current.settings));
  }

  /** @param {number} milliseconds from now on */
  function allow(milliseconds) {
    clearTimeout(limit);
    limit = setTimeout(end, milliseconds);
  }

  /** @param {any} results or that the worker begins with the program */
  function hear(results) {
    if (results !== READY) return finish(results);
    isReady = true;
    if (current) allow(LONGEST);
  }

  /** @param {any} results */
  async function finish(results) {
    clearTimeout(limit);
    if (results?.incomplete && rest === null) return again(await more());
    current?.done(results);
    current = null;
    begin();
  }

  /** Run the program, or a later one, with the second script. @param {string} script */
  function again(script) {
    rest = script;
    worker?.terminate();
    worker = null;
    if (current && !waiting.has(current.who)) waiting.set(current.who, current);
    current = null;
    begin();
  }

  function end() {
    worker?.terminate();
    worker = null;
    if (current) finish(tooLong(current.settings, LONGEST / 1000));
  }

  function started() {
    const script = program();
    if (!script) return null; // where modules are loaded one by one, as while the lab is being written
    try {
      const url = URL.createObjectURL(new Blob([rest ?? "", script], { type: "text/javascript" }));
      const made = new Worker(url);
      URL.revokeObjectURL(url);
      isReady = false;
      made.onmessage = (event) => hear(event.data);
      made.onerror = (event) => {
        event.preventDefault();
        end();
      };
      return made;
    } catch {
      return null;
    }
  }

  return (settings, who) =>
    new Promise((done) => {
      waiting.set(who, { settings, who, done });
      begin();
    });
}

/**
 * The other side: in a worker, answer each question.
 *
 * @param {(settings: any) => any} answer
 */
export function serve(answer) {
  addEventListener("message", (event) => postMessage(answer(event.data)));
  postMessage(READY);
}
