// Python's exceptions: their classes, and the objects that a reader's code sees.
import { BuiltinType } from "./objects.js";
import { Limit, NotHere, PyClass, PyError, PyObject, Tuple } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./machine.js").Machine} Machine */

export const OBJECT = new BuiltinType("object", []);

const BASES = {
  BaseException: "",
  Exception: "BaseException",
  KeyboardInterrupt: "BaseException",
  SystemExit: "BaseException",
  GeneratorExit: "BaseException",
  ArithmeticError: "Exception",
  FloatingPointError: "ArithmeticError",
  OverflowError: "ArithmeticError",
  ZeroDivisionError: "ArithmeticError",
  AssertionError: "Exception",
  AttributeError: "Exception",
  EOFError: "Exception",
  ImportError: "Exception",
  ModuleNotFoundError: "ImportError",
  LookupError: "Exception",
  IndexError: "LookupError",
  KeyError: "LookupError",
  MemoryError: "Exception",
  NameError: "Exception",
  UnboundLocalError: "NameError",
  OSError: "Exception",
  FileNotFoundError: "OSError",
  TimeoutError: "OSError",
  RuntimeError: "Exception",
  NotImplementedError: "RuntimeError",
  RecursionError: "RuntimeError",
  StopIteration: "Exception",
  SyntaxError: "Exception",
  TypeError: "Exception",
  ValueError: "Exception",
  UnicodeError: "ValueError",
  Warning: "Exception",
  UserWarning: "Warning",
  DeprecationWarning: "Warning",
  FutureWarning: "Warning",
  RuntimeWarning: "Warning",
};

/** @type {Record<string, PyClass>} */
export const EXCEPTIONS = {};
for (const [name, base] of Object.entries(BASES)) EXCEPTIONS[name] = new BuiltinType(name, [EXCEPTIONS[base] ?? OBJECT]);

export const isException = (/** @type {Value} */ value) => value instanceof PyClass && value.isSubclassOf(EXCEPTIONS.BaseException);

/** Can a reader's `except` see it? Not what the page lacks or stops; but a reader may have a class Limit. */
export const isCatchable = (/** @type {unknown} */ error) =>
  error instanceof PyError && !(error instanceof NotHere || error instanceof Limit);

// Comes with the second script.
/**
 * The object that `except ... as e` binds.
 *
 * @param {PyError} error
 * @returns {PyObject}
 */
export function exceptionObject(error) {
  if (!error.value) {
    const type = EXCEPTIONS[error.type] ?? new PyClass(error.type, [EXCEPTIONS[error.base]]);
    error.value = new PyObject(type);
    error.value.dict.set("args", Tuple.from(error.args ?? [error.message]));
  }
  Object.assign(error.value, { error });
  return error.value;
}

// Comes with the second script.
/**
 * The error that `raise value` throws.
 *
 * @param {PyObject & { error?: PyError }} value
 * @param {Machine} machine
 */
export function errorOf(value, machine) {
  if (value.error) {
    value.error.noted = null;
    return value.error;
  }
  const error = new PyError(value.type.name, machine.str(value));
  error.value = value;
  value.error = error;
  return error;
}

// Comes with the second script.
/**
 * What str() says of an exception.
 *
 * @param {PyObject} value
 * @param {Machine} machine
 */
export function exceptionText(value, machine) {
  const args = value.dict.get("args") ?? [];
  if (args.length > 1) return machine.repr(args);
  if (!args.length) return "";
  return value.type.isSubclassOf(EXCEPTIONS.KeyError) ? machine.repr(args[0]) : machine.str(args[0]);
}

/**
 * @param {Value} key
 * @param {Machine} machine
 * @returns {never}
 */
export function keyError(key, machine) {
  const error = new PyError("KeyError", machine.repr(key));
  error.args = [key];
  throw error;
}
