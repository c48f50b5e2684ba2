// Attributes: where Python finds them, and how it sets them.
import { EXCEPTIONS, isException } from "./exceptions.js";
import { Builtin, BuiltinType, ClassMethod, Property, PyFunction, StaticMethod, Super } from "./objects.js";
import { NOT_IMPLEMENTED, Operators } from "./operators.js";
import { noteMissing } from "./rest.js";
import { typeOf } from "./types.js";
import {
  Bound,
  Foreign,
  Iter,
  NamedTuple,
  Namespace,
  Native,
  NotHere,
  PyClass,
  PyObject,
  raise,
  Tuple,
  typeName,
} from "./values.js";

/** @typedef {import("./values.js").Value} Value */

// Comes with the second script.
/** What every class has from object, where no other class has it. @param {string} name @returns {Builtin | undefined} */
function methodOfObject(name) {
  return OBJECT_METHODS[name];
}

// Comes with the second script.
/** @type {Record<string, Builtin>} */
const OBJECT_METHODS = Object.fromEntries(
  Object.entries(
    /** @type {Record<string, (args: Value[], machine: any) => Value>} */ ({
      __new__: ([type]) => new PyObject(type),
      __init__: ([self, ...args]) => {
        if (isException(self.type)) self.dict.set("args", Tuple.from(args));
        else if (args.length) raise("TypeError", "object.__init__() takes exactly one argument (the instance to initialize)");
        return null;
      },
      __init_subclass__: () => null,
      __setattr__: ([self, name, value], machine) => machine.setPlain(self, name, value) ?? null,
      __getattribute__: ([self, name], machine) => machine.attribute(self, name),
      __eq__: ([self, other]) => (self === other ? true : NOT_IMPLEMENTED),
      __repr__: ([self], machine) => machine.plainRepr(self),
      __str__: ([self], machine) => machine.repr(self),
      __hash__: ([self], machine) => machine.identity(self),
    }),
  ).map(([name, act]) => {
    const made = new Builtin(
      `object.${name}`,
      [0, Number.POSITIVE_INFINITY],
      (args, _, machine) => act(args, machine),
      name === "__new__" ? ["*"] : [],
    );
    made.free = name === "__new__";
    return [name, made];
  }),
);

export class Attributes extends Operators {
  /**
   * The method of an object's class, bound to it; undefined if there is none.
   *
   * @param {Value} value
   * @param {string} name
   */
  special(value, name) {
    if (value instanceof Foreign) {
      return name === "__iter__" || name === "__getitem__" ? undefined : this.until("AttributeError", () => value.attribute(name));
    }
    if (!(value instanceof PyObject)) return undefined;
    const found = value.type.find(name);
    return found === undefined || found === null ? undefined : this.bound(found, value, value.type);
  }

  /**
   * What an attribute of a class is when asked for through an object of it.
   *
   * @param {Value} found
   * @param {Value} self
   * @param {PyClass} type
   * @returns {Value}
   */
  bound(found, self, type) {
    if (found instanceof PyFunction) return new Bound(self, found);
    if (found instanceof Native) return found.free ? found : new Bound(self, found);
    if (found instanceof Property) return this.call(found.getter, [self]);
    if (found instanceof StaticMethod) return found.method;
    if (found instanceof ClassMethod) return new Bound(type, found.method);
    return found;
  }

  /**
   * @param {Value} value
   * @param {string} name
   * @returns {Value}
   */
  attribute(value, name) {
    if (value instanceof Foreign) return value.attribute(name);
    if (value instanceof PyObject) return this.attributeOfObject(value, name);
    if (value instanceof Namespace) return attributeOfModule(value, name);
    if (value instanceof PyClass) return this.attributeOfClass(value, name);
    if (value instanceof Super) return this.attributeOfSuper(value, name);
    if (name === "__class__") return typeOf(value);
    if (value instanceof NamedTuple && value.fields.includes(name)) return value[value.fields.indexOf(name)];
    if (name === "_fields" && value instanceof NamedTuple) return Tuple.from(value.fields);
    if (value instanceof PyFunction || value instanceof Bound || value instanceof Native) {
      const found = attributeOfFunction(value, name);
      if (found !== undefined) return found;
    }
    if (value instanceof Property && name === "setter")
      return new Native("setter", ([setter]) => new Property(value.getter, setter));
    if (value?.members && name in value.members) return value.members[name];
    const found = typeOf(value).find(name);
    if (found !== undefined) return this.bound(found, value, typeOf(value));
    if (typeof value === "number" && ["real", "numerator"].includes(name)) return value;
    if (value instanceof Iter && ["send", "throw", "close"].includes(name)) throw new NotHere(`generator.${name}`);
    noteMissing();
    return raise("AttributeError", `'${typeName(value)}' object has no attribute '${name}'`);
  }

  /**
   * @param {PyObject} value
   * @param {string} name
   */
  attributeOfObject(value, name) {
    const found = value.type.find(name);
    if (!(found instanceof Property)) {
      const own = value.dict.get(name);
      if (own !== undefined) return own;
    }
    const fallback = value.type.find("__getattr__");
    if (found instanceof Property && fallback) {
      const made = this.until("AttributeError", () => this.call(found.getter, [value]));
      if (made !== undefined) return made;
    } else if (found !== undefined) return this.bound(found, value, value.type);
    if (name === "__class__") return value.type;
    if (name === "__dict__") return value.dict;
    if (isException(value.type) && (name === "__cause__" || name === "__context__" || name === "__traceback__")) return null;
    if (name === "value" && value.type.isSubclassOf(EXCEPTIONS.StopIteration)) return value.dict.get("args")[0] ?? null;
    if (fallback) return this.call(fallback, [value, name]);
    const common = methodOfObject(name);
    if (common) return new Bound(value, common);
    return raise("AttributeError", `'${value.type.name}' object has no attribute '${name}'`);
  }

  // Comes with the second script.
  /**
   * @param {PyClass} value
   * @param {string} name
   */
  attributeOfClass(value, name) {
    const found = value.find(name);
    if (found instanceof StaticMethod) return found.method;
    if (found instanceof ClassMethod) return new Bound(value, found.method);
    if (found !== undefined) return found;
    const common = methodOfObject(name);
    if (common) return common;
    const known = {
      __name__: () => value.name,
      __qualname__: () => value.qualname,
      __module__: () => value.module ?? "__main__",
      __bases__: () => Tuple.from(value.bases),
      __mro__: () => Tuple.from(value.mro),
      __dict__: () => value.dict,
      __class__: () => typeOf(value),
      __doc__: () => null,
      mro: () => new Native("mro", () => [...value.mro]),
    }[name];
    if (known) return known();
    noteMissing();
    return raise("AttributeError", `type object '${value.name}' has no attribute '${name}'`);
  }

  /**
   * @param {Super} value
   * @param {string} name
   */
  attributeOfSuper({ after, self }, name) {
    const type = self instanceof PyClass ? self : self.type;
    const { mro } = type;
    for (const one of mro.slice(mro.indexOf(after) + 1)) {
      const found = one.dict.get(name);
      if (found !== undefined) return this.bound(found, self, type);
    }
    const common = methodOfObject(name);
    if (common) return name === "__new__" ? common : new Bound(self, common);
    return raise("AttributeError", `'super' object has no attribute '${name}'`);
  }

  /**
   * @param {Value} value
   * @param {string} name
   * @param {Value} item
   */
  setAttribute(value, name, item) {
    if (value instanceof Foreign) return value.setAttribute(name, item);
    if (value instanceof PyObject) {
      const own = value.type.find("__setattr__");
      if (own) this.call(own, [value, name, item]);
      else this.setPlain(value, name, item);
      return;
    }
    if (value instanceof PyClass && !(value instanceof BuiltinType)) value.dict.set(name, item);
    else if (value instanceof PyFunction) value.dict.set(name, item);
    else if (value instanceof Namespace) value.members[name] = item;
    else if (value instanceof PyClass) raise("TypeError", `cannot set '${name}' attribute of immutable type '${value.name}'`);
    else if (value instanceof NamedTuple && value.fields.includes(name)) raise("AttributeError", "can't set attribute");
    else if (typeOf(value).find(name) === undefined)
      raise("AttributeError", `'${typeName(value)}' object has no attribute '${name}'`);
    else raise("AttributeError", `'${typeName(value)}' object attribute '${name}' is read-only`);
  }

  // Comes with the second script.
  /**
   * What object.__setattr__ does.
   *
   * @param {PyObject} value
   * @param {string} name
   * @param {Value} item
   */
  setPlain(value, name, item) {
    const found = value.type.find(name);
    if (found instanceof Property) {
      if (!found.setter) raise("AttributeError", `property '${name}' of '${value.type.name}' object has no setter`);
      this.call(found.setter, [value, item]);
    } else value.dict.set(name, item);
  }

  // Comes with the second script.
  /**
   * @param {Value} value
   * @param {string} name
   */
  deleteAttribute(value, name) {
    const own = value instanceof PyObject && value.type.find("__delattr__");
    if (own) this.call(own, [value, name]);
    else if (!(value?.dict instanceof Map) || !value.dict.delete(name))
      raise("AttributeError", value instanceof PyObject ? `'${value.type.name}' object has no attribute '${name}'` : name);
  }
}

/**
 * @param {Namespace} module
 * @param {string} name
 */
export function attributeOfModule(module, name) {
  if (Object.hasOwn(module.members, name)) return module.members[name];
  if (name === "__name__") return module.name;
  if (module.has(name)) throw new NotHere(`${module.name}.${name}`);
  return raise("AttributeError", `module '${module.name}' has no attribute '${name}'`);
}

// Comes with the second script.
/**
 * @param {Value} value a function, Native or Bound
 * @param {string} name
 */
function attributeOfFunction(value, name) {
  if (value instanceof Bound) {
    if (name === "__self__") return value.self;
    return name === "__func__" ? value.method : attributeOfFunction(value.method, name);
  }
  const own = value.dict?.get(name);
  if (own !== undefined) return own;
  if (name === "__name__") return value.name;
  if (name === "__qualname__") return value.qualname ?? value.name;
  if (name === "__module__") return "__main__";
  if (name === "__doc__") return documentation(value.documented);
  if (name === "__dict__") return value.dict;
  return undefined;
}

// Comes with the second script.
/** The docstring of a function. */
function documentation(/** @type {import("./cursor.js").Node | undefined} */ node) {
  const first = node?.body[0];
  return first?.kind === "Expression" && first.value.literal === "string" ? first.value.value : null;
}
