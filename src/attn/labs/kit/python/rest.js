// What few programs need comes in a second script. Who misses something notes it here, and the program runs again with that script.

/** @typedef {{ name: string, means: string, fix: string }} Explanation what an error means */

/**
 * What the second script fills in: see code/more.js.
 *
 * @type {{
 *   isHere: boolean,
 *   fetch: () => Promise<unknown>,
 *   hasModule: (name: string) => boolean,
 *   hasName: (where: string, name: string) => boolean,
 *   percent: (text: string, given: any, machine: any) => string,
 *   verdictOf: (check: string, code: string, variables: Map<string, any>, tasks: any) => { verdict: any, error: any },
 *   hintOf: (code: string, aliases: Record<string, string>, sizes: Record<string, number>) => string,
 *   explain: (message: string, sizes: Record<string, number>, methods: readonly string[]) => Explanation | null,
 * }}
 */
export const rest = {
  isHere: false,
  /** Loads it. A page sets this. */
  fetch: async () => {},
  hasModule: () => false,
  hasName: () => false,
  percent: () => "",
  verdictOf: () => ({ verdict: null, error: null }),
  hintOf: () => "",
  explain: () => null,
};

/** Whether the program that runs has missed something. */
export const missing = { isNoted: false };

export function noteMissing() {
  missing.isNoted = true;
}

/** The functions of the first script that come with the second one: bundle.py numbers them. @type {Function[]} */
export const laterFunctions = [];

/**
 * Calls one of them, in the place where the first script has it.
 *
 * @param {number} n
 * @param {any} self
 * @param {ArrayLike<any>} given
 */
export function later(n, self, given) {
  if (!laterFunctions.length) {
    noteMissing();
    throw new Error("a part of the page's Python is not loaded");
  }
  return laterFunctions[n].apply(self, given);
}
