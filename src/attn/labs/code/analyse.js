// What a program does, line by line: the tensors that each line makes, what it prints, the error and what it means.

import { product } from "../kit/math.js";
import { noteMissing, rest } from "../kit/python/rest.js";
import { execute } from "../kit/python/run.js";
import { Float } from "../kit/python/values.js";
import { isContiguous } from "../kit/torch/layout.js";
import { Tensor } from "../kit/torch/tensor.js";
import { modules, session } from "../kit/torch/torch.js";
import { lettersOf } from "./letters.js";
import { letterOf } from "./sizes.js";

/** @typedef {import("../kit/python/machine.js").Event} Event */
/** @typedef {{ op: string, memory: string, copies: number }} Making how a tensor came to be */

/**
 * One tensor that a line has made or named.
 *
 * @typedef {object} Row
 * @property {string} name the variable; "return" for a result of a function, "" for a value without a name
 * @property {number[]} shape
 * @property {string[]} axes a name for each axis: see attn.trace.letters
 * @property {number[]} strides
 * @property {string} dtype
 * @property {string} memory "view", "same", "in place", "copy", "new", or "given" for an argument
 * @property {string} op the operation that made it, or ""
 * @property {number} copies that the operation made for itself
 * @property {boolean} contiguous
 * @property {number} bytes
 * @property {number} times how often the line made it: in a loop, the last one is shown
 * @property {number} id two rows with the same id are the same tensor
 */

/**
 * @typedef {object} Line
 * @property {number} line from 1
 * @property {Row[]} rows
 * @property {string[]} values "D = 4": numbers and the like that have a name
 * @property {string} printed
 */

/**
 * @typedef {object} Failure
 * @property {"reader" | "not here" | "limit" | "page"} kind whose fault it is
 * @property {string} type
 * @property {string} message
 * @property {number} line
 * @property {number[]} lines of the calls on the way, innermost first
 * @property {number | null} column
 * @property {string} means
 * @property {string} fix
 */

/** @typedef {{ lines: Line[], failure: Failure | null, syntax: Failure[], printed: string, sizes: Record<string, number>, hint: string }} Analysis */

/** What the analysis needs from Python: see CodeLab. @typedef {{ merged: string[], methods: string[], aliases: Record<string, string> }} Words */

const MOST_EVENTS = 20_000; // that are noted
const MOST_ROWS = 12; // of one line: a list of a hundred tensors is not drawn
const LONGEST_VALUE = 60; // letters

/**
 * Run a program and say what each line does. `tensors` are those of the rows, by their id.
 *
 * @param {string} source
 * @param {Words} words
 * @param {Record<string, string>} [sources] modules written in Python that it may import
 * @returns {{ analysis: Analysis, tensors: Map<number, Tensor>, variables: Map<string, any> }}
 */
export function analyse(source, words, sources = {}) {
  const notes = new Notes(words.aliases, source);
  const run = execute(source, {
    modules,
    sources,
    before(machine) {
      // Each event is noted when it happens: a list or a tensor may be another one when the program ends.
      // Of a library it is only noted how its tensors came to be: its arguments and variables are not the reader's.
      machine.note = (kind, more) => {
        const event = { kind, line: machine.statement, at: machine.line, depth: machine.depth, ...more };
        if (!machine.silent) notes.take(event);
        else if (kind === "operation") notes.operation(null, event.value);
      };
      session.reset({ record: (report) => machine.note("operation", { value: report }) });
    },
  });
  const { sizes, tensors } = notes;
  const lines = notes.lines(lettersOf(sizes, words.merged));
  const isIdle = !(run.error || run.errors.length || lines.some(({ rows }) => rows.length)) && /^(?:class|def) /m.test(source);
  if (isIdle) noteMissing();
  return {
    analysis: {
      lines,
      failure: run.error && failureOf(run.error, sizes, words.methods),
      syntax: run.errors.map((problem) => failureOf(problem, sizes, words.methods)),
      printed: run.out,
      sizes,
      hint: isIdle ? rest.hintOf(source, words.aliases, sizes) : "",
    },
    tensors,
    variables: run.variables,
  };
}

/** Collects what each line does. */
class Notes {
  /**
   * @param {Record<string, string>} aliases the names of variables for each axis letter
   * @param {string} source
   */
  constructor(aliases, source) {
    this.aliases = aliases;
    /** What `for h in range(H)` counts with is no size. */
    this.counters = [...source.replace(/#.*/g, "").matchAll(/\bfor\s([\w\s,()*]+?)\sin\b/g)].flatMap(([, names]) =>
      names.match(/\w+/g),
    );
    this.left = MOST_EVENTS;
    /** @type {Record<string, number>} what the axis letters count: the last value of a variable with such a name */
    this.sizes = {};
    /** @type {Map<number, { rows: Map<string, Row>, values: Map<string, string>, printed: string, made: Tensor | null }>} */
    this.byLine = new Map();
    /** @type {Map<Tensor, Making>} */
    this.making = new Map();
    /** @type {Map<Tensor, number>} */
    this.ids = new Map();
    /** @type {Map<number, Tensor>} */
    this.tensors = new Map();
  }

  /** @param {number} line */
  at(line) {
    let found = this.byLine.get(line);
    if (!found) {
      found = { rows: new Map(), values: new Map(), printed: "", made: null };
      this.byLine.set(line, found);
    }
    return found;
  }

  /** @param {Event} event */
  take(event) {
    if (--this.left < 0) return;
    const line = this.at(event.line);
    if (event.kind === "print") line.printed += event.value;
    else if (event.kind === "operation") this.operation(line, event.value);
    else this.value(line, event);
  }

  /**
   * @param {ReturnType<Notes["at"]> | null} line null inside a library
   * @param {import("../kit/torch/operation.js").Report} report
   */
  operation(line, { op, outputs, memory, copies }) {
    for (const output of outputs) {
      this.making.set(output, { op, memory, copies });
      if (line) line.made = output;
    }
  }

  /**
   * A value that was assigned, passed, returned or computed.
   *
   * @param {ReturnType<Notes["at"]>} line
   * @param {Event} event
   */
  value(line, { kind, name = "", value }) {
    const label = kind === "return" ? "return" : name;
    const tensors = tensorsOf(value, label);
    for (const [path, tensor] of tensors) this.row(line, path, tensor, kind === "argument");
    const isShown = name && name !== "_" && (typeof value === "number" || typeof value === "string" || value instanceof Float);
    if (!tensors.length && isShown) line.values.set(name, `${name} = ${shortened(value)}`);
    const plain = name.replace(/^(?:self|config|cfg)\./, "");
    const letter = this.counters.includes(name) ? "" : letterOf(this.aliases, plain);
    if (letter && Number.isInteger(value) && value > 0) this.sizes[letter] = value;
  }

  /**
   * @param {ReturnType<Notes["at"]>} line
   * @param {string} name
   * @param {Tensor} tensor
   * @param {boolean} isGiven
   */
  row(line, name, tensor, isGiven) {
    if (line.rows.size >= MOST_ROWS && !line.rows.has(name)) return;
    const making = this.making.get(tensor) ?? { op: "", memory: "new", copies: 0 };
    line.rows.set(name, {
      name,
      shape: [...tensor.shape],
      axes: [], // when all sizes are known
      strides: [...tensor.strides],
      dtype: tensor.dtype.name,
      memory: isGiven ? "given" : making.memory,
      op: isGiven ? "" : making.op,
      copies: isGiven ? 0 : making.copies,
      contiguous: isContiguous(tensor),
      bytes: product(tensor.shape) * tensor.dtype.bytes,
      times: (line.rows.get(name)?.times ?? 0) + 1,
      id: this.idOf(tensor),
    });
  }

  /** @param {Tensor} tensor */
  idOf(tensor) {
    const id = this.ids.get(tensor) ?? this.ids.size;
    this.ids.set(tensor, id);
    this.tensors.set(id, tensor);
    return id;
  }

  /**
   * The lines in order. A line that computes a tensor and gives it no name, as in `layer.weight.mul_(2)`, shows that.
   *
   * @param {(shape: readonly number[]) => string[]} letters
   * @returns {Line[]}
   */
  lines(letters) {
    for (const line of this.byLine.values()) {
      if (!line.rows.size && !line.printed && line.made) this.row(line, "", line.made, false);
    }
    return [...this.byLine]
      .sort(([a], [b]) => a - b)
      .map(([line, { rows, values, printed }]) => ({
        ...{ line, values: [...values.values()], printed },
        rows: [...rows.values()].map((row) => ({ ...row, axes: letters(row.shape) })),
      }));
  }
}

/**
 * The tensors in a value, with the name of each: q, or x[0] and x[1].
 *
 * @param {any} value
 * @param {string} name
 * @returns {[string, Tensor][]}
 */
function tensorsOf(value, name) {
  if (value instanceof Tensor) return [[name, value]];
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_ROWS).flatMap((one, n) => (one instanceof Tensor ? [[`${name}[${n}]`, one]] : []));
}

/** @param {any} value */
function shortened(value) {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value instanceof Float ? value.value : value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/**
 * An error, with what it means and how to mend it if it is one of the reader's and in the list.
 *
 * @param {import("../kit/python/run.js").RunError} error
 * @param {Record<string, number>} sizes
 * @param {readonly string[]} methods
 * @returns {Failure}
 */
export function failureOf({ kind, type, message, line, lines, column, syntax }, sizes, methods) {
  if (!syntax) noteMissing(); // the explanation, if nothing else
  const found = kind === "reader" ? rest.explain(message, sizes, methods) : null;
  return { kind, type, message, line, lines, column, means: found?.means ?? "", fix: found?.fix ?? "" };
}
