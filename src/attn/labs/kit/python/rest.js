// What few programs need comes in a second script. Who misses something notes it here, and the program runs again with that script.

/** @typedef {{ name: string, means: string, fix: string }} Explanation what an error means */

/**
 * What the second script fills in: see code/more.js.
 *
 * @type {{
 *   isHere: boolean,
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
