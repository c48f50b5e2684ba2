// Operators: arithmetic, comparison, and the methods of classes that stand for them.
import { numberOperation, ordering } from "./arithmetic.js";
import { Iteration } from "./iterate.js";
import { DictView } from "./objects.js";
import { noteMissing, rest } from "./rest.js";
import { viewed } from "./text.js";
import {
  Float,
  Foreign,
  isInt,
  isNumber,
  PyClass,
  PyObject,
  PySet,
  Range,
  raise,
  Size,
  Slice,
  Tuple,
  toNumber,
  typeName,
} from "./values.js";

/** @param {Value} value */
const isHint = (value) => value instanceof PyClass || Boolean(value?.typing);

/**
 * The types of int | None.
 *
 * @param {Value} value
 * @returns {Value[]}
 */
const optionsOf = (value) => value?.options ?? [value];

/** @typedef {import("./values.js").Value} Value */

export const METHODS = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "truediv",
  "//": "floordiv",
  "%": "mod",
  "**": "pow",
  "@": "matmul",
  "&": "and",
  "|": "or",
  "^": "xor",
  "<<": "lshift",
  ">>": "rshift",
};
const COMPARISONS = {
  "==": ["__eq__", "__eq__"],
  "!=": ["__ne__", "__ne__"],
  "<": ["__lt__", "__gt__"],
  ">": ["__gt__", "__lt__"],
  "<=": ["__le__", "__ge__"],
  ">=": ["__ge__", "__le__"],
};
export const NOT_IMPLEMENTED = new (class NotImplemented {
  typeName = "NotImplementedType";
  text = "NotImplemented";
})();

export class Operators extends Iteration {
  get notImplemented() {
    return NOT_IMPLEMENTED;
  }

  /**
   * @param {string} operator
   * @param {Value} a
   * @param {Value} b
   * @returns {Value}
   */
  binary(operator, a, b) {
    if (isNumber(a) && isNumber(b)) return numberOperation(operator, a, b);
    return this.tryBinary(operator, a, b) ?? this.unsupported(operator === "**" ? "** or pow()" : operator, a, b);
  }

  // Comes with the second script.
  /**
   * @param {string} operator
   * @param {Value} a
   * @param {Value} b
   * @returns {never}
   */
  unsupported(operator, a, b) {
    if (operator === "+" && typeof a === "string") raise("TypeError", `can only concatenate str (not "${typeName(b)}") to str`);
    if (operator === "+" && a instanceof Size) raise("TypeError", `can only concatenate tuple (not ${typeName(b)}) to torch.Size`);
    if (operator === "+" && Array.isArray(a))
      raise(
        "TypeError",
        `can only concatenate ${a instanceof Tuple ? "tuple" : "list"} (not "${typeName(b)}") to ${a instanceof Tuple ? "tuple" : "list"}`,
      );
    const sequence = (/** @type {Value} */ one) => typeof one === "string" || Array.isArray(one);
    if (operator === "*" && (sequence(a) || sequence(b)))
      raise("TypeError", `can't multiply sequence by non-int of type '${typeName(sequence(a) ? b : a)}'`);
    return raise("TypeError", `unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
  }

  /**
   * @param {string} operator
   * @param {Value} a
   * @param {Value} b
   * @returns {Value | undefined}
   */
  tryBinary(operator, a, b) {
    if (a instanceof Foreign) {
      const made = a.binary(operator, b, false);
      if (made !== undefined) return made;
    }
    if (b instanceof Foreign) {
      const made = b.binary(operator, a, true);
      if (made !== undefined) return made;
    }
    if (a instanceof PyObject || b instanceof PyObject)
      return this.dispatch(`__${METHODS[operator]}__`, `__r${METHODS[operator]}__`, a, b);
    if (operator === "%" && typeof a === "string") {
      noteMissing();
      return rest.percent(a, b, this);
    }
    if (operator === "+") return this.concatenated(a, b);
    if (operator === "*") return typeof a === "string" || Array.isArray(a) ? this.repeated(a, b) : this.repeated(b, a);
    if (operator === "|" && a instanceof Map && b instanceof Map) {
      const merged = new Map(a);
      for (const [key, value] of b) this.put(merged, key, value);
      return merged;
    }
    if (operator === "|" && (isHint(a) || isHint(b)) && [a, b].every((one) => one === null || isHint(one)))
      return { typing: true, options: [...optionsOf(a), ...optionsOf(b)], typeName: "UnionType", members: {}, base: null };
    return this.setOperation(operator, a, b);
  }

  /**
   * @param {Value} a
   * @param {Value} b
   */
  concatenated(a, b) {
    if (typeof a === "string" && typeof b === "string") {
      this.room(a.length + b.length);
      return a + b;
    }
    if (!Array.isArray(a) || !Array.isArray(b) || a instanceof Tuple !== b instanceof Tuple) return undefined;
    this.room(a.length + b.length);
    this.tick((a.length + b.length) >> 3);
    return a instanceof Size ? Size.from([...a, ...b]) : a instanceof Tuple ? Tuple.from([...a, ...b]) : [...a, ...b];
  }

  /**
   * @param {Value} sequence
   * @param {Value} count
   */
  repeated(sequence, count) {
    if (!isInt(count) || !(typeof sequence === "string" || Array.isArray(sequence))) return undefined;
    const times = Number(count);
    const length = Math.max(0, times);
    this.room(sequence.length * length);
    if (typeof sequence === "string") return sequence.repeat(length);
    this.tick((sequence.length * length) >> 3);
    const items = [];
    for (let n = 0; n < length; n++) for (const item of sequence) items.push(item);
    return sequence instanceof Tuple ? Tuple.from(items) : items;
  }

  // Comes with the second script.
  /**
   * @param {string} operator
   * @param {Value} a
   * @param {Value} b
   */
  setOperation(operator, a, b) {
    const set = (/** @type {Value} */ one) => (one instanceof DictView && one.kind !== "values" ? this.setOf(viewed(one)) : one);
    const [x, y] = [set(a), set(b)];
    if (!(x instanceof PySet) || !(y instanceof PySet)) return undefined;
    const within =
      (/** @type {PySet} */ other, keep = true) =>
      (/** @type {Value} */ one) =>
        this.contains(other, one) === keep;
    this.tick(x.size + y.size);
    const made = {
      "|": () => [...x, ...y],
      "&": () => [...x].filter(within(y)),
      "-": () => [...x].filter(within(y, false)),
      "^": () => [...[...x].filter(within(y, false)), ...[...y].filter(within(x, false))],
    }[operator]?.();
    return made && Object.assign(this.setOf(made), { frozen: x.frozen });
  }

  // Comes with the second script.
  /**
   * @param {string} name of the method of the left operand
   * @param {string} reflected and of the right one
   * @param {Value} a
   * @param {Value} b
   * @returns {Value | undefined}
   */
  dispatch(name, reflected, a, b) {
    const attempts = [
      [a, name, b],
      [b, reflected, a],
    ];
    const subclass =
      a instanceof PyObject &&
      b instanceof PyObject &&
      a.type !== b.type &&
      b.type.isSubclassOf(a.type) &&
      b.type.find(reflected) !== a.type.find(reflected);
    for (const [self, method, other] of subclass ? attempts.reverse() : attempts) {
      const own = self instanceof PyObject && this.special(self, method);
      if (!own) continue;
      const made = this.call(own, [other]);
      if (made !== NOT_IMPLEMENTED) return made;
    }
    return undefined;
  }

  // Comes with the second script.
  /**
   * @param {string} operator
   * @param {Value} old
   * @param {Value} value
   * @returns {Value}
   */
  augmented(operator, old, value) {
    if (old instanceof Foreign) {
      const made = old.augmented(operator, value);
      if (made !== undefined) return made;
    } else if (old instanceof PyObject) {
      const own = this.special(old, `__i${METHODS[operator]}__`);
      const made = own ? this.call(own, [value]) : NOT_IMPLEMENTED;
      if (made !== NOT_IMPLEMENTED) return made;
    } else if (Array.isArray(old) && !(old instanceof Tuple)) {
      if (operator === "+") {
        const items = this.array(value);
        this.room(old.length + items.length);
        for (const item of items) old.push(item);
        return old;
      }
      if (operator === "*" && isInt(value)) return Object.assign(old, { length: 0 }, this.repeated([...old], value));
    } else if (old instanceof Map && operator === "|") {
      for (const [key, item] of value instanceof Map ? value : []) this.put(old, key, item);
      return old;
    } else if (old instanceof PySet && value instanceof PySet) {
      const made = this.setOperation(operator, old, value);
      if (made && !old.frozen) {
        old.clear();
        return this.setOf(made, old);
      }
    }
    if (isNumber(old) && isNumber(value)) return numberOperation(operator, old, value);
    return (
      this.tryBinary(operator, old, value) ??
      this.unsupported(operator === "+" && (typeof old === "string" || Array.isArray(old)) ? operator : `${operator}=`, old, value)
    );
  }

  /**
   * @param {string} operator
   * @param {Value} value
   */
  unary(operator, value) {
    if (value instanceof Float && operator !== "~") return new Float(operator === "-" ? -value.value : value.value);
    if (isInt(value)) return (operator === "-" ? -value : operator === "+" ? Number(value) : -value - 1) + 0;
    if (value instanceof Foreign) return value.unary(operator);
    const own = this.special(value, { "-": "__neg__", "+": "__pos__", "~": "__invert__" }[operator] ?? "");
    return own ? this.call(own) : raise("TypeError", `bad operand type for unary ${operator}: '${typeName(value)}'`);
  }

  /**
   * The result of a comparison: mostly a boolean, but a tensor's is a tensor.
   *
   * @param {string} operator
   * @param {Value} a
   * @param {Value} b
   * @returns {Value}
   */
  compare(operator, a, b) {
    switch (operator) {
      case "is":
        return a === b || (a instanceof Tuple && b instanceof Tuple && !a.length && !b.length);
      case "is not":
        return !this.compare("is", a, b);
      case "in":
        return this.contains(b, a);
      case "not in":
        return !this.contains(b, a);
    }
    if (isNumber(a) && isNumber(b)) return ordering(operator, toNumber(a), toNumber(b));
    if (typeof a === "string" && typeof b === "string") return ordering(operator, a, b);
    if (a instanceof Foreign || b instanceof Foreign) {
      const made = a instanceof Foreign ? a.binary(operator, b, false) : undefined;
      const other = made === undefined && b instanceof Foreign ? b.binary(operator, a, true) : made;
      if (other !== undefined) return other;
    }
    if (operator === "==") return this.same(a, b);
    if (operator === "!=") return this.differs(a, b);
    return this.ordered(operator, a, b);
  }

  // Comes with the second script.
  /**
   * @param {Value} a
   * @param {Value} b
   */
  differs(a, b) {
    const own = a instanceof PyObject || b instanceof PyObject ? this.dispatch("__ne__", "__ne__", a, b) : undefined;
    if (own !== undefined) return own;
    const same = this.same(a, b);
    return typeof same === "boolean" ? !same : !this.truth(same);
  }

  // Comes with the second script.
  /**
   * @param {Value} a
   * @param {Value} b
   * @returns {Value}
   */
  same(a, b) {
    if (a instanceof PyObject || b instanceof PyObject) return this.dispatch("__eq__", "__eq__", a, b) ?? a === b;
    if (a === b) return true;
    if (Array.isArray(a) && Array.isArray(b)) {
      return a instanceof Tuple === b instanceof Tuple && a.length === b.length && a.every((one, n) => this.equal(one, b[n]));
    }
    if (a instanceof Map && b instanceof Map) {
      return (
        a.size === b.size &&
        [...a].every(([key, value]) => {
          const other = this.findKey(b, key);
          return other !== undefined && this.equal(value, b.get(other));
        })
      );
    }
    const [x, y] = [a, b].map((one) => (one instanceof DictView && one.kind !== "values" ? this.setOf(viewed(one)) : one));
    if (x instanceof PySet && y instanceof PySet) return x.size === y.size && [...x].every((one) => this.contains(y, one));
    if (a instanceof Range && b instanceof Range)
      return a.length === b.length && (!a.length || (a.start === b.start && (a.length === 1 || a.step === b.step)));
    if (a instanceof Slice && b instanceof Slice) return ["start", "stop", "step"].every((part) => this.equal(a[part], b[part]));
    return false;
  }

  // Comes with the second script.
  /**
   * Are they equal as items of a container: the same object, or equal?
   *
   * @param {Value} a
   * @param {Value} b
   */
  equal(a, b) {
    this.tick();
    if (a === b && !(a instanceof Float)) return true;
    this.enter();
    const same = this.truth(this.compare("==", a, b));
    this.nested -= 3;
    return same;
  }

  // Comes with the second script.
  /**
   * @param {string} operator
   * @param {Value} a
   * @param {Value} b
   * @returns {Value}
   */
  ordered(operator, a, b) {
    if (a instanceof PyObject || b instanceof PyObject) {
      const [name, reflected] = COMPARISONS[operator];
      const made = this.dispatch(name, reflected, a, b);
      if (made !== undefined) return made;
    } else if (Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple) {
      const n = a.findIndex((one, k) => k >= b.length || !this.equal(one, b[k]));
      return n >= 0 && n < b.length ? this.compare(operator, a[n], b[n]) : ordering(operator, a.length, b.length);
    } else if (a instanceof PySet && b instanceof PySet) {
      const [small, large] = operator[0] === "<" ? [a, b] : [b, a];
      return [...small].every((one) => this.contains(large, one)) && (operator.length > 1 || small.size < large.size);
    }
    return raise("TypeError", `'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
  }
}
