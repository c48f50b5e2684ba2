// Iterating, counting, truth, membership, and the keys of dicts and sets.
import { DictView } from "./objects.js";
import { ordered, Texts, viewed } from "./text.js";
import { Float, Foreign, Iter, PyError, PyObject, PySet, Range, raise, Slice, Tuple, toNumber, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */

const identities = new WeakMap();
const issued = { identities: 0 };

export class Iteration extends Texts {
  /**
   * The items of a value, one at a time.
   *
   * @param {Value} value
   * @returns {Iterator<Value>}
   */
  iterator(value) {
    if (Array.isArray(value) || value instanceof Range || typeof value === "string") return value[Symbol.iterator]();
    if (value instanceof Map) return this.watched(value, value.keys());
    if (value instanceof PySet || value instanceof DictView) this.tick(this.length(value) >> 3);
    if (value instanceof PySet) return this.watched(value, ordered(value)[Symbol.iterator]());
    if (value instanceof Iter) return value.iterator;
    if (value instanceof DictView) return this.watched(value.dict, viewed(value)[Symbol.iterator]());
    if (value instanceof Foreign) return value.items()[Symbol.iterator]();
    const own = this.special(value, "__iter__");
    if (own) {
      const made = this.call(own);
      if (this.special(made, "__next__")) return this.stepping(made);
      if (made === value || made instanceof PyObject)
        raise("TypeError", `iter() returned non-iterator of type '${typeName(made)}'`);
      return this.iterator(made);
    }
    if (this.special(value, "__getitem__")) return this.counting(value);
    return raise("TypeError", `'${typeName(value)}' object is not iterable`);
  }

  // Comes with the second script.
  /**
   * @param {Map<Value, Value> | Set<Value>} container
   * @param {Iterator<Value>} items
   */
  *watched(container, items) {
    const { size } = container;
    for (let one = items.next(); !one.done; one = items.next()) {
      if (container.size !== size)
        raise("RuntimeError", `${container instanceof Map ? "dictionary" : "Set"} changed size during iteration`);
      yield one.value;
    }
    if (container.size !== size)
      raise("RuntimeError", `${container instanceof Map ? "dictionary" : "Set"} changed size during iteration`);
  }

  // Comes with the second script.
  /** @param {Value} object with __next__ */
  *stepping(object) {
    for (;;) {
      const one = this.until("StopIteration", () => this.call(this.special(object, "__next__")));
      if (one === undefined) return;
      yield one;
    }
  }

  // Comes with the second script.
  /** @param {Value} object with __getitem__ */
  *counting(object) {
    for (let n = 0; ; n++) {
      const one = this.until("IndexError", () => this.call(this.special(object, "__getitem__"), [n]));
      if (one === undefined) return;
      yield one;
    }
  }

  /**
   * What `get` returns; undefined if it raises this error.
   *
   * @param {string} type
   * @param {() => Value} get
   */
  until(type, get) {
    const { place } = this;
    try {
      return get();
    } catch (error) {
      if (!(error instanceof PyError) || error.type !== type) throw error;
      this.resume(place);
      return undefined;
    }
  }

  /**
   * @param {Iterator<Value>} items
   * @returns {Value} undefined at the end
   */
  step(items) {
    this.tick();
    const { done, value } = items.next();
    return done ? undefined : value;
  }

  /**
   * All items of a value, in a new array.
   *
   * @param {Value} value
   * @returns {Value[]}
   */
  array(value) {
    if (Array.isArray(value)) {
      this.tick(value.length >> 3);
      return Array.from(value);
    }
    const all = [];
    const items = this.iterator(value);
    for (let one = this.step(items); one !== undefined; one = this.step(items)) all.push(one);
    return all;
  }

  // Comes with the second script.
  /**
   * @param {Value} value
   * @returns {boolean}
   */
  truth(value) {
    if (typeof value === "boolean") return value;
    if (value === null) return false;
    if (typeof value === "number") return value !== 0;
    if (typeof value === "string") return value.length > 0;
    if (value instanceof Float) return value.value !== 0;
    if (Array.isArray(value) || value instanceof Range) return value.length > 0;
    if (value instanceof Map || value instanceof PySet) return value.size > 0;
    if (value instanceof DictView) return value.dict.size > 0;
    if (value instanceof Foreign) return value.truth();
    const own = this.special(value, "__bool__");
    if (own) {
      const made = this.call(own);
      return typeof made === "boolean" ? made : raise("TypeError", `__bool__ should return bool, returned ${typeName(made)}`);
    }
    return this.special(value, "__len__") ? this.length(value) > 0 : true;
  }

  // Comes with the second script.
  /**
   * @param {Value} value
   * @returns {number}
   */
  length(value) {
    if (typeof value === "string") this.tick(value.length >> 6);
    if (typeof value === "string") return /[\ud800-\udbff]/.test(value) ? [...value].length : value.length;
    if (Array.isArray(value) || value instanceof Range) return value.length;
    if (value instanceof Map || value instanceof PySet) return value.size;
    if (value instanceof DictView) return value.dict.size;
    if (value instanceof Foreign) return value.length();
    const own = this.special(value, "__len__");
    if (!own) return raise("TypeError", `object of type '${typeName(value)}' has no len()`);
    const made = this.call(own);
    if (typeof made !== "number") raise("TypeError", `'${typeName(made)}' object cannot be interpreted as an integer`);
    return made < 0 ? raise("ValueError", "__len__() should return >= 0") : made;
  }

  // Comes with the second script.
  /**
   * Is the item in the container?
   *
   * @param {Value} container
   * @param {Value} item
   * @returns {boolean}
   */
  contains(container, item) {
    if (container instanceof Map || container instanceof PySet) return this.findKey(container, item) !== undefined;
    if (typeof container === "string") {
      if (typeof item !== "string") raise("TypeError", `'in <string>' requires string as left operand, not ${typeName(item)}`);
      this.tick(container.length >> 6);
      return container.includes(item);
    }
    if (container instanceof DictView && container.kind === "keys") return this.contains(container.dict, item);
    if (container instanceof Range && typeof item === "number") {
      const { start, step, length } = container;
      return (item - start) % step === 0 && (item - start) / step >= 0 && (item - start) / step < length;
    }
    const own = this.special(container, "__contains__");
    if (own) return this.truth(this.call(own, [item]));
    if (container instanceof Foreign) {
      const found = container.binary("in", item, false);
      if (found !== undefined) return this.truth(found);
    }
    const items = this.until("TypeError", () => this.iterator(container));
    if (!items) return raise("TypeError", `argument of type '${typeName(container)}' is not iterable`);
    for (let one = this.step(items); one !== undefined; one = this.step(items))
      if (one === item || this.equal(one, item)) return true;
    return false;
  }

  // Comes with the second script.
  /**
   * The key of a dict or set that equals this one; undefined if there is none.
   *
   * @param {Map<Value, Value> | Set<Value>} container
   * @param {Value} key
   */
  findKey(container, key) {
    const same = this.key(key);
    if (container.has(same)) return same;
    if (typeof same !== "number" && typeof same !== "boolean" && !(same instanceof Float)) return undefined;
    const number = toNumber(same);
    if (container.has(number)) return number;
    if ((number === 0 || number === 1) && container.has(number === 1)) return number === 1;
    const float = this.keys.size ? this.keys.get(`${number}`) : undefined;
    return float !== undefined && container.has(float) ? float : undefined;
  }

  // Comes with the second script.
  /**
   * The key as JavaScript's Map can find it again: one object for all that are equal.
   *
   * @param {Value} key
   */
  key(key) {
    this.tick();
    if (typeof key === "string" || typeof key === "number") return key;
    const simple = key instanceof Float || key instanceof Tuple || (key instanceof PySet && key.frozen);
    if (!simple && !this.special(key, "__hash__")) {
      this.hash(key);
      return key;
    }
    const text = this.hash(key);
    if (!this.keys.has(text)) this.keys.set(text, key);
    return this.keys.get(text);
  }

  // Comes with the second script.
  /**
   * A text that is equal for equal keys.
   *
   * @param {Value} key
   * @returns {string}
   */
  hash(key) {
    if (typeof key === "string") this.tick(key.length >> 5);
    if (typeof key === "string") return `"${key.length}${key}`;
    if (typeof key === "number" || typeof key === "boolean" || key instanceof Float) return `${toNumber(key)}`;
    if (key === null) return "None";
    if (key instanceof Tuple) {
      this.tick(key.length + 2);
      return `(${Array.from(key, (one) => this.hash(one))})`;
    }
    if (key instanceof PySet && key.frozen) return `{${Array.from(key, (one) => this.hash(one)).sort()}}`;
    if (Array.isArray(key) || key instanceof Map || key instanceof PySet || key instanceof Slice)
      raise("TypeError", `unhashable type: '${typeName(key)}'`);
    const own = key instanceof PyObject && key.type.find("__hash__");
    if (own === null) raise("TypeError", `unhashable type: '${typeName(key)}'`);
    if (own) return `#${this.repr(this.call(this.special(key, "__hash__")))}`;
    if (!identities.has(key)) identities.set(key, ++issued.identities);
    return `@${identities.get(key)}`;
  }

  // Comes with the second script.
  /** @param {Value} value */
  identity(value) {
    if (typeof value !== "object" || value === null) return 0;
    if (!identities.has(value)) identities.set(value, ++issued.identities);
    return identities.get(value);
  }

  /**
   * @param {Map<Value, Value>} dict
   * @param {Value} key
   * @param {Value} value
   */
  put(dict, key, value) {
    dict.set(this.findKey(dict, key) ?? this.key(key), value);
  }

  /**
   * A set of these items.
   *
   * @param {Iterable<Value>} items
   * @param {PySet} [into]
   */
  setOf(items, into = new PySet()) {
    for (const item of items) if (this.findKey(into, item) === undefined) into.add(this.key(item));
    return into;
  }
}
