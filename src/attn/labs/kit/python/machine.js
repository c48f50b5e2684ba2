// What a running program has: its limits, its line, its output and the events that the page draws. The classes in text.js, iterate.js,
// operators.js, attributes.js, items.js, calls.js, evaluate.js, apply.js, assign.js, steps.js and execute.js each add one concern to it.
import { Limit, PyError } from "./values.js";

/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./objects.js").Scope} Scope */
/** @typedef {import("./objects.js").Kwargs} Kwargs */
/** @typedef {import("./cursor.js").Node} Node */

/**
 * @typedef {object} Event
 * @property {"assign" | "argument" | "return" | "value" | "print" | "operation"} kind
 * @property {number} line of the statement
 * @property {number} at the line of the part of the statement that is being computed
 * @property {number} depth how many functions are being called
 * @property {string} [name] of a variable; "self.w" for an attribute
 * @property {Value} [value]
 * @property {boolean} [part] was only an item of the value assigned?
 */

const EVENTS_AT_MOST = 20_000;
export const LONGEST_TEXT = 1_000_000;
/** How many steps a program may take. */
export const STEPS = 200_000;
/** How deep calls and expressions may be nested: half of what fills the stack of JavaScript. */
const DEEPEST = 1500;

export class Machine {
  /** @param {{ steps?: number }} [options] */
  constructor({ steps = STEPS } = {}) {
    this.steps = steps;
    this.left = steps;
    this.line = 0;
    this.statement = 0;
    this.depth = 0;
    this.nested = 0;
    /** does code run that the reader did not write? */
    this.silent = false;
    /** @type {string[]} */
    this.out = [];
    this.printed = 0;
    /** @type {Event[]} */
    this.events = [];
    /** @type {import("./values.js").PyError[]} the errors that are being handled */
    this.handled = [];
    /** @type {Map<string, Value>} keys of dicts and sets that are equal, and not the same object in JavaScript */
    this.keys = new Map();
    /** @type {Set<Value>} containers whose text is being made */
    this.shown = new Set();
  }

  /** Counts work, so that every program ends. */
  tick(count = 1) {
    this.left -= count;
    if (this.left < 0) {
      throw new Limit(
        `the program takes more than ${this.steps.toLocaleString("en")} steps, so the page has stopped it: does a loop never end?`,
      );
    }
  }

  /**
   * Refuses texts and lists that a page cannot hold.
   *
   * @param {number} length
   */
  room(length) {
    if (length > LONGEST_TEXT) throw new Limit("a text or a list of more than a million items is too long for the page");
    this.tick(length >> 6);
  }

  /**
   * A statement begins. Those of a library are part of the reader's statement that called it.
   *
   * @param {number} line
   */
  reach(line) {
    if (!this.silent) this.statement = line;
  }

  /**
   * @param {Event["kind"]} kind
   * @param {Partial<Event>} [more]
   */
  note(kind, more) {
    if (!this.silent && this.events.length < EVENTS_AT_MOST)
      this.events.push({ kind, line: this.statement, at: this.line, depth: this.depth, ...more });
  }

  /** @param {string} text */
  print(text) {
    this.printed += text.length;
    this.room(this.printed);
    this.out.push(text);
    this.note("print", { value: text });
  }

  /**
   * Goes deeper. JavaScript's own stack must never be full: what happens then cannot be foreseen.
   *
   * @param {number} [weight]
   */
  enter(weight = 3) {
    this.nested += weight;
    if (this.nested > DEEPEST) throw new PyError("RecursionError", "maximum recursion depth exceeded");
  }

  /** What `resume` needs to go on here after an error. */
  get place() {
    const { line, statement, depth, nested } = this;
    return { line, statement, depth, nested };
  }

  /** @param {{ line: number, statement: number, depth: number, nested: number }} place */
  resume(place) {
    Object.assign(this, place);
  }

  // What the classes that extend it provide.

  /**
   * @param {Value} _value
   * @returns {string}
   */
  repr(_value) {
    return "";
  }

  /**
   * @param {Value} _value
   * @returns {string}
   */
  str(_value) {
    return "";
  }

  /**
   * @param {Value} _callee
   * @param {Value[]} [_args]
   * @param {Kwargs} [_kwargs]
   * @returns {Value}
   */
  call(_callee, _args, _kwargs) {
    return null;
  }

  /**
   * The method of an object's class, bound to it; undefined if there is none.
   *
   * @param {Value} _value
   * @param {string} _name
   * @returns {Value}
   */
  special(_value, _name) {
    return undefined;
  }

  /**
   * @param {Value} _value
   * @param {string} _name
   * @returns {Value}
   */
  attribute(_value, _name) {
    return null;
  }

  /**
   * @param {Value} _a
   * @param {Value} _b
   * @returns {boolean}
   */
  equal(_a, _b) {
    return false;
  }

  /**
   * @param {Node} _node
   * @param {Scope} _scope
   * @returns {Value}
   */
  evaluate(_node, _scope) {
    return null;
  }
}
