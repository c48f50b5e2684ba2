// `import` and `from ... import`.
import { attributeOfModule } from "./attributes.js";
import { Namespace, NotHere, PyError, raise } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./cursor.js").Node} Node */

/** Modules that a reader's Python has, by itself or beside torch, and the page has not. */
const ABSENT = new Set(
  "argparse array ast asyncio base64 bisect builtins calendar cmath concurrent csv ctypes datetime decimal difflib einops enum fractions gc glob gzip hashlib heapq html http importlib inspect io ipaddress jaxtyping json keyword logging matplotlib multiprocessing numbers numpy os pandas pathlib pickle platform pprint queue random re sched scipy secrets shutil signal sklearn socket sqlite3 statistics string struct subprocess sys tempfile textwrap threading time timeit tiktoken torchvision torchaudio torchtext tokenize tqdm traceback transformers types unicodedata unittest urllib uuid weakref xformers flash_attn zlib".split(
    " ",
  ),
);

/**
 * @param {string} path "torch.nn"
 * @param {Record<string, Namespace>} modules
 */
export function importModule(path, modules) {
  if (Object.hasOwn(modules, path)) return modules[path];
  const parts = path.split(".");
  const [root] = parts;
  if (!Object.hasOwn(modules, root)) {
    if (ABSENT.has(root)) throw new NotHere(path);
    raise("ModuleNotFoundError", `No module named '${root}'`);
  }
  let parent = modules[root];
  for (let n = 1; n < parts.length; n++) {
    const name = parts.slice(0, n + 1).join(".");
    const found = modules[name] ?? parent.members[parts[n]];
    if (found instanceof Namespace) parent = found;
    else if (parent.has(parts[n])) throw new NotHere(path);
    else
      raise(
        "ModuleNotFoundError",
        `No module named '${name}'${n === 1 && !Object.keys(modules).some((one) => one.startsWith(`${root}.`)) ? `; '${root}' is not a package` : ""}`,
      );
  }
  return parent;
}

/**
 * The names that `from ... import` binds.
 *
 * @param {Node} node
 * @param {Record<string, Namespace>} modules
 * @returns {[string, Value][]}
 */
export function importFrom({ path, names, relative }, modules) {
  if (relative) return raise("ImportError", "attempted relative import with no known parent package");
  if (path === "__future__") return [];
  const module = importModule(path, modules);
  if (!names) return Object.entries(module.members).filter(([name]) => !name.startsWith("_"));
  return names.map((/** @type {any} */ one) => [one.alias ?? one.path, member(module, one.path, modules)]);
}

/**
 * @param {Namespace} module
 * @param {string} name
 * @param {Record<string, Namespace>} modules
 */
function member(module, name, modules) {
  const inner = `${module.name}.${name}`;
  if (Object.hasOwn(modules, inner)) return modules[inner];
  try {
    return attributeOfModule(module, name);
  } catch (error) {
    if (!(error instanceof PyError) || error.type !== "AttributeError") throw error;
    return raise("ImportError", `cannot import name '${name}' from '${module.name}' (unknown location)`);
  }
}
