// "{} and {name:>5}".format(...)
import { format } from "./format.js";
import { raise } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./iterate.js").Iteration} Iteration */

/**
 * @param {string} template
 * @param {Value[]} args
 * @param {Record<string, Value>} kwargs
 * @param {Iteration} machine
 */
export function formatted(template, args, kwargs, machine) {
  let automatic = 0;
  /** @type {boolean | null} are the fields numbered by hand? */
  let numbered = null;
  const mode = (/** @type {boolean} */ byHand) => {
    if (numbered !== null && numbered !== byHand) {
      raise(
        "ValueError",
        `cannot switch from ${numbered ? "manual field specification to automatic field numbering" : "automatic field numbering to manual field specification"}`,
      );
    }
    numbered = byHand;
  };
  const first = (/** @type {string} */ name) => {
    if (name === "" || /^\d+$/.test(name)) {
      mode(name !== "");
      const n = name === "" ? automatic++ : Number(name);
      return n < args.length ? args[n] : raise("IndexError", `Replacement index ${n} out of range for positional args tuple`);
    }
    return Object.hasOwn(kwargs, name) ? kwargs[name] : raise("KeyError", machine.repr(name));
  };
  const field = (/** @type {string} */ path) => {
    let value = first(/^[^.[]*/.exec(path)?.[0] ?? "");
    for (const [, name, index] of path.matchAll(/\.(\w+)|\[([^\]]*)\]/g)) {
      value = name
        ? machine.attribute(value, name)
        : /** @type {any} */ (machine).getItem(value, /^\d+$/.test(index) ? Number(index) : index);
    }
    return value;
  };
  const fill = (/** @type {string} */ text, depth = 0) => {
    let out = "";
    for (let at = 0; at < text.length; ) {
      const char = text[at];
      if ((char === "{" || char === "}") && text[at + 1] === char && !depth) {
        out += char;
        at += 2;
      } else if (char === "{") {
        const end = closing(text, at);
        const [, path, conversion, spec] =
          /^([^!:]*)(?:!(\w))?(?::([\s\S]*))?$/.exec(text.slice(at + 1, end)) ??
          raise("ValueError", "expected ':' after conversion specifier");
        const value = field(path);
        const shown = conversion === "r" ? machine.repr(value) : conversion === "s" ? machine.str(value) : value;
        out += format(shown, spec ? fill(spec, depth + 1) : "", machine);
        machine.room(out.length);
        at = end + 1;
      } else if (char === "}") {
        raise("ValueError", "Single '}' encountered in format string");
      } else {
        out += char;
        at++;
      }
    }
    return out;
  };
  return fill(template);
}

/**
 * Where the field that begins here ends.
 *
 * @param {string} text
 * @param {number} at
 */
function closing(text, at) {
  let depth = 0;
  for (let n = at; n < text.length; n++) {
    if (text[n] === "{") depth++;
    if (text[n] === "}" && --depth === 0) return n;
  }
  return raise(
    "ValueError",
    at + 1 >= text.length ? "Single '{' encountered in format string" : "expected '}' before end of string",
  );
}
