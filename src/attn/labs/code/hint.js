// What a program without a tensor lacks: the twin of hint.py.

import { letterOf } from "./sizes.js";

const TEXTS = /"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*'|#.*/g; // strings and comments

/**
 * A line that calls what nothing calls; "" if the program defines no such class or function.
 *
 * @param {string} source
 * @param {Record<string, string>} aliases the names of variables for each axis letter
 * @param {Record<string, number>} known the sizes that the program sets
 * @returns {string}
 */
export function hintOf(source, aliases, known) {
  const code = source.replace(TEXTS, "");
  const isIdle = (/** @type {string} */ name) => [...code.matchAll(new RegExp(`\\b${name}\\b(?!, self)`, "g"))].length === 1;
  const [, kind, name] = [...code.matchAll(/^(class|def) (\w+)/gm)].findLast(([, , one]) => isIdle(one)) ?? [];
  if (!kind) return "";
  const text = new RegExp(`^${kind} ${name}\\b.*(?:\\n(?:[ \\t].*)?)*`, "m").exec(code)?.[0] ?? "";
  if (kind === "def" || !/^class \w+\(|\bdef __call__\b/.test(text))
    return `No tensor yet: nothing calls ${name}. Add a line that does.`;
  const sizes = sizesFor(known);
  const x = `torch.randn(${sizes.B}, ${sizes.L}, ${sizes.E})`;
  const config = /^class (\w*[Cc]onfig)\b/m.exec(code)?.[1];
  const made = required(text, "__init__", (one) => {
    if (/conf|cfg/.test(one)) return config ? `${config}()` : one;
    if (/drop/.test(one)) return "0.0";
    return String(sizes[letterOf(aliases, one) || (/head/.test(one) ? "H" : /len|block|context|ctx|max/.test(one) ? "L" : "E")]);
  });
  const given = required(text, "forward|__call__", (one) => (/mask/.test(one) ? "None" : x));
  return `No tensor yet: nothing calls ${name}. Add a line such as y = ${name}(${made})(${given || x}).`;
}

/**
 * Sizes that fit together, and those that are known. (H divides E; each head has keys and values of its own.)
 *
 * @param {Record<string, number>} known
 * @returns {Record<string, number>}
 */
function sizesFor(known) {
  const { L = 5, D = 4, E } = known;
  const H = known.H ?? (E ? (known.D && E % D === 0 ? E / D : ([3, 2].find((n) => E % n === 0) ?? 1)) : 3);
  return { B: 2, L, S: L, H, G: H, D: E ? Math.floor(E / H) : D, E: E ?? H * D, ...known };
}

/**
 * The arguments for the parameters of a method that have no default.
 *
 * @param {string} text of the class
 * @param {string} method
 * @param {(name: string) => string} value
 */
function required(text, method, value) {
  const list = new RegExp(`^[ \\t]+def (?:${method})\\(\\s*self\\b([^)]*)`, "m").exec(text)?.[1] ?? "";
  const inner = /\[[^[\]]*\]/g;
  const parameters = list.replace(inner, "").replace(inner, "").split(",");
  const star = parameters.findIndex((one) => /^\s*\*(?!\*)/.test(one)); // after it, all are given by name
  return parameters
    .flatMap((one, n) => {
      const name = /[=*/]/.test(one) ? "" : /\w+/.exec(one)?.[0];
      return name ? (star >= 0 && n > star ? `${name}=${value(name)}` : value(name)) : [];
    })
    .join(", ");
}
