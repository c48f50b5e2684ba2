// Items: x[i], x[a:b], x[i] = value, del x[i].
import { Attributes } from "./attributes.js";
import { keyError } from "./exceptions.js";
import { BuiltinType, DefaultDict } from "./objects.js";
import { Float, Foreign, PyClass, Range, raise, Size, Slice, Tuple, typeName } from "./values.js";

/** @typedef {import("./values.js").Value} Value */

export class Items extends Attributes {
  /**
   * @param {Value} value
   * @param {Value} index
   * @returns {Value}
   */
  getItem(value, index) {
    if (Array.isArray(value)) return this.itemOfList(value, index);
    if (value instanceof Map) {
      const key = this.findKey(value, index);
      if (key !== undefined) return value.get(key);
      if (!(value instanceof DefaultDict) || value.factory === null) keyError(index, this);
      if (value.counter) return 0;
      const made = this.call(value.factory);
      this.put(value, index, made);
      return made;
    }
    if (value instanceof Foreign) return value.getItem(index);
    if (typeof value === "string") {
      const letters = /[\ud800-\udbff]/.test(value) ? [...value] : value;
      if (index instanceof Slice) return this.sliced(letters, index).join("");
      return letters[this.position(index, letters.length, "string")];
    }
    if (value instanceof Range) {
      if (index instanceof Slice) {
        const [start, stop, step] = bounds(index, value.length, this);
        return new Range(value.start + start * value.step, value.start + stop * value.step, value.step * step);
      }
      return value.start + value.step * this.position(index, value.length, "range object");
    }
    const own = this.special(value, "__getitem__");
    if (own) return this.call(own, [index]);
    if (value instanceof PyClass) return this.parametrized(value, index);
    if (value?.typing) return value;
    return raise("TypeError", `'${typeName(value)}' object is not subscriptable`);
  }

  // Comes with the second script.
  /**
   * list[int], or a class with __class_getitem__.
   *
   * @param {PyClass} type
   * @param {Value} index
   */
  parametrized(type, index) {
    const own = type.find("__class_getitem__");
    if (own) return this.call(own.method ?? own, [type, index]);
    return type instanceof BuiltinType || type.module ? type : raise("TypeError", `type '${type.name}' is not subscriptable`);
  }

  /**
   * @param {Value[]} value
   * @param {Value} index
   */
  itemOfList(value, index) {
    if (index instanceof Slice) {
      const items = this.sliced(value, index);
      if (!(value instanceof Tuple)) return items;
      return value instanceof Size ? Size.from(items) : Tuple.from(items);
    }
    return value[this.position(index, value.length, value instanceof Tuple ? "tuple" : "list")];
  }

  /**
   * A place in a sequence, counted from its start.
   *
   * @param {Value} index
   * @param {number} length
   * @param {string} kind
   * @param {string} [what]
   */
  position(index, length, kind, what = "index") {
    const n = typeof index === "number" ? index : this.asIndex(index, kind);
    const place = n < 0 ? n + length : n;
    return place >= 0 && place < length ? place : raise("IndexError", `${kind} ${what} out of range`);
  }

  // Comes with the second script.
  /**
   * @param {Value} index
   * @param {string} kind
   * @returns {number}
   */
  asIndex(index, kind) {
    if (typeof index === "boolean") return Number(index);
    if (index instanceof Foreign) return index.index();
    const own = this.special(index, "__index__");
    if (own) return this.call(own);
    const kinds =
      kind === "string"
        ? "string indices must be integers"
        : `${kind === "range object" ? "range" : kind} indices must be integers or slices`;
    return raise("TypeError", `${kinds}, not ${kind === "string" ? `'${typeName(index)}'` : typeName(index)}`);
  }

  // Comes with the second script.
  /**
   * @param {ArrayLike<Value>} items
   * @param {Slice} slice
   * @returns {Value[]}
   */
  sliced(items, slice) {
    const [start, stop, step] = bounds(slice, items.length, this);
    const out = [];
    for (let n = start; step > 0 ? n < stop : n > stop; n += step) out.push(items[n]);
    this.tick(out.length >> 3);
    return out;
  }

  // Comes with the second script.
  /**
   * @param {Value} value
   * @param {Value} index
   * @param {Value} item
   */
  setItem(value, index, item) {
    if (value instanceof Foreign) value.setItem(index, item);
    else if (value instanceof Map) this.put(value, index, item);
    else if (Array.isArray(value) && !(value instanceof Tuple)) {
      if (index instanceof Slice) this.setSlice(value, index, this.array(item));
      else value[this.position(index, value.length, "list", "assignment index")] = item;
    } else {
      const own = this.special(value, "__setitem__");
      if (!own) raise("TypeError", `'${typeName(value)}' object does not support item assignment`);
      this.call(own, [index, item]);
    }
  }

  // Comes with the second script.
  /**
   * @param {Value[]} list
   * @param {Slice} slice
   * @param {Value[]} items
   */
  setSlice(list, slice, items) {
    const [start, stop, step] = bounds(slice, list.length, this);
    if (step === 1) {
      this.room(list.length + items.length);
      const rest = list.splice(start, list.length - start).slice(Math.max(0, stop - start));
      for (const item of [...items, ...rest]) list.push(item);
      return;
    }
    const places = this.sliced([...list.keys()], slice);
    if (places.length !== items.length)
      raise("ValueError", `attempt to assign sequence of size ${items.length} to extended slice of size ${places.length}`);
    places.forEach((place, n) => {
      list[place] = items[n];
    });
  }

  // Comes with the second script.
  /**
   * @param {Value} value
   * @param {Value} index
   */
  deleteItem(value, index) {
    if (value instanceof Map) {
      const key = this.findKey(value, index);
      if (key === undefined) keyError(index, this);
      value.delete(key);
    } else if (Array.isArray(value) && !(value instanceof Tuple)) {
      const places =
        index instanceof Slice
          ? this.sliced([...value.keys()], index)
          : [this.position(index, value.length, "list", "assignment index")];
      for (const place of places.sort((a, b) => b - a)) value.splice(place, 1);
    } else {
      const own = this.special(value, "__delitem__");
      if (!own)
        raise(
          "TypeError",
          `'${typeName(value)}' object does${Array.isArray(value) || typeof value === "string" ? "n't" : " not"} support item deletion`,
        );
      this.call(own, [index]);
    }
  }

  /**
   * An int, as range() and others need one.
   *
   * @param {Value} value
   * @returns {number}
   */
  int(value) {
    if (typeof value === "number") return value;
    if (typeof value === "boolean") return Number(value);
    if (value instanceof Foreign) return value.index();
    const own = value instanceof Float ? undefined : this.special(value, "__index__");
    return own ? this.call(own) : raise("TypeError", `'${typeName(value)}' object cannot be interpreted as an integer`);
  }
}

// Comes with the second script.
/**
 * Start, stop and step of a slice for a sequence of this length.
 *
 * @param {Slice} slice
 * @param {number} length
 * @param {Items} machine
 */
function bounds(slice, length, machine) {
  const number = (/** @type {Value} */ value) => {
    if (value === null || typeof value === "number" || typeof value === "boolean") return value === null ? null : Number(value);
    if (value instanceof Foreign) return value.index();
    const own = machine.special(value, "__index__");
    return own ? machine.call(own) : raise("TypeError", "slice indices must be integers or None or have an __index__ method");
  };
  const step = number(slice.step) ?? 1;
  if (step === 0) raise("ValueError", "slice step cannot be zero");
  const low = step > 0 ? 0 : -1;
  const high = step > 0 ? length : length - 1;
  const inside = (/** @type {number} */ n) => Math.min(high, Math.max(low, n < 0 ? n + length : n));
  const start = number(slice.start);
  const stop = number(slice.stop);
  return [start === null ? (step > 0 ? low : high) : inside(start), stop === null ? (step > 0 ? high : low) : inside(stop), step];
}
