// A program that misses something is answered again with the second script.

import { element } from "../kit/dom.js";
import { missing, rest } from "../kit/python/rest.js";

/**
 * An answer that says `incomplete` if the second script may change it.
 *
 * @template T
 * @param {(settings: T) => any} answer
 * @param {() => any} nothing the results if the second script is needed and cannot be loaded
 * @returns {(settings: T) => any}
 */
export function noting(answer, nothing) {
  return (settings) => {
    missing.isNoted = false;
    try {
      const results = answer(settings);
      if (rest.isHere || !missing.isNoted) return results;
      // Where a function is missing, the program has ended with an error of the page's own.
      return { ...(results.failure?.kind === "page" ? nothing() : results), incomplete: true };
    } catch (error) {
      if (rest.isHere || !missing.isNoted) throw error;
      return { ...nothing(), incomplete: true };
    }
  };
}

/**
 * Loads the second script into the page.
 *
 * @param {string} src
 * @returns {Promise<string>} what a worker runs to have it, too; empty if it cannot be loaded
 */
export function loaded(src) {
  return new Promise((done) => {
    const script = element("script", { src });
    script.onload = () => done(`globalThis.attnMore = ${globalThis.attnMore};`);
    script.onerror = () => done("");
    document.head.append(script);
  });
}
