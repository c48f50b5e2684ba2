// The page's Python by itself: what it reads, runs and refuses. tests/test_code_python.py compares it with Python.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import "../../src/attn/labs/kit/python/more.js";
import { parse } from "../../src/attn/labs/kit/python/parser.js";
import { execute } from "../../src/attn/labs/kit/python/run.js";
import {
  Float,
  Foreign,
  Iter,
  Namespace,
  Native,
  NotHere,
  PyClass,
  PyObject,
  raise,
  Tuple,
} from "../../src/attn/labs/kit/python/values.js";

const printed = (source, options) => {
  const { error, out } = execute(source, options);
  assert.equal(error, null, `${error?.type}: ${error?.message}`);
  return out;
};
const failed = (source, options) => {
  const { error } = execute(source, options);
  return error && `${error.line} ${error.type}: ${error.message}`;
};

test("reading goes on with the next line after each syntax error", () => {
  const source = "a = 1\nb = = 2\nc = 3\ndef f(:\n    return 1\nd = (1,\n  2\nif d\n    e = 4\ng = 5\n";
  const { body, errors } = parse(source);
  assert.deepEqual(
    errors.map(({ line }) => line).sort((a, b) => a - b),
    [2, 4, 6, 8],
  );
  assert.deepEqual(
    body.map(({ kind }) => kind),
    ["Assign", "Broken", "Assign", "Broken", "Broken", "Broken", "Assign"],
  );
});

test("the lines before a syntax error run", () => {
  const { error, events, out, variables } = execute("x = 1\nprint(x)\ny = (\nz = 2\n");
  assert.equal(error?.message, "'(' was never closed");
  assert.equal(error?.syntax, true);
  assert.equal(out, "1\n");
  assert.deepEqual([...variables], [["x", 1]]);
  assert.deepEqual(
    events.map(({ kind, line }) => [kind, line]),
    [
      ["assign", 1],
      ["print", 2],
    ],
  );
});

test("curly quotes, tabs, hard blanks and Windows lines are understood", () => {
  assert.equal(printed("x = “it’s”\r\nif x:\r\n\tprint(x,\u00a0‘y’)\r\n"), "it’s y\n");
});

test("events carry the line, the names and the values", () => {
  const { events } = execute("def f(a):\n    b = a + 1\n    return b\nx, y = f(1), [0]\ny[0] = 2\nx\n");
  assert.deepEqual(
    events.map(({ kind, line, depth, name, value, part }) => [kind, line, depth, name, value, part]),
    [
      ["argument", 1, 2, "a", 1, undefined],
      ["assign", 2, 2, "b", 2, undefined],
      ["return", 3, 2, undefined, 2, undefined],
      ["assign", 4, 1, "x", 2, undefined],
      ["assign", 4, 1, "y", [2], undefined],
      ["assign", 5, 1, "y", [2], true],
      ["value", 6, 1, undefined, 2, undefined],
    ],
  );
});

test("an error names the lines of the calls, the innermost first", () => {
  const { error } = execute("def f(x):\n    return x / 0\ndef g(x):\n    return f(x)\n\ng(1)\n");
  assert.deepEqual(error?.lines, [2, 4, 6]);
});

/** A library: a value with operators and indices, a class that readers extend, a module with a name that the page has not. */
class Box extends Foreign {
  constructor(value) {
    super();
    this.value = value;
  }
  get typeName() {
    return "Box";
  }
  repr() {
    return `Box(${this.value})`;
  }
  attribute(name) {
    if (name === "double") return new Native("double", () => new Box(this.value * 2));
    if (name === "polar") throw new NotHere("Box.polar");
    return super.attribute(name);
  }
  binary(operator, other, reflected) {
    if (operator !== "-" || typeof other !== "number") return undefined;
    return new Box(reflected ? other - this.value : this.value - other);
  }
  augmented(operator, other) {
    if (operator !== "+") return undefined;
    this.value += other;
    return this;
  }
  getItem(index) {
    return index;
  }
  scalar() {
    return new Float(this.value);
  }
}
const Model = new PyClass("Model");
Model.dict.set("__init__", new Native("__init__", ([self]) => self.dict.set("ready", true) && null));
Model.dict.set(
  "__call__",
  new Native("__call__", ([self, ...args], kwargs, call) => call(self.type.find("forward"), [self, ...args], kwargs)),
);
const off = () => {
  const guard = new (class extends Foreign {
    attribute(name) {
      if (name === "__enter__") return new Native(name, () => null);
      if (name === "__exit__") return new Native(name, () => false);
      if (name === "__call__")
        return new Native(name, ([f]) => new Native("wrapped", (args, kwargs, call) => call(f, args, kwargs)));
      return super.attribute(name);
    }
  })();
  return guard;
};
const modules = {
  box: new Namespace(
    "box",
    {
      Box: new Native("Box", ([value]) => new Box(value)),
      Model,
      off: new Native("off", off),
      items: new Native("items", () => new Iter("generator", [1, 2].values())),
    },
    (name) => name === "polar",
  ),
};

test("a library's values, classes, iterators and context managers work", () => {
  const source = `
import box
from box import Box
b = Box(3)
print(b, b - 1, 10 - b, b.double(), float(b), b[1:2, ..., None], isinstance(b, int))
c = b
b += 4
print(c)
class Mine(box.Model):
    def __init__(self):
        super().__init__()
        self.x = 1
    @box.off()
    def forward(self, v, k=0): return v + k + self.x
print(Mine()(1, k=5), Mine().ready, [i for i in box.items()], next(box.items()))
with box.off(): print("inside")
`;
  const out = "Box(3) Box(2) Box(7) Box(6) 3.0 (slice(1, 2, None), Ellipsis, None) False\nBox(7)\n7 True [1, 2] 1\ninside\n";
  assert.equal(printed(source, { modules }), out);
  assert.equal(
    failed("import box\nbox.Box(1) + 1", { modules }),
    "2 TypeError: unsupported operand type(s) for +: 'Box' and 'int'",
  );
  assert.equal(failed("import box\nbox.polar", { modules }), "2 NotHere: box.polar is not in the page; run it in Jupyter");
  assert.equal(failed("import box\nbox.poler", { modules }), "2 AttributeError: module 'box' has no attribute 'poler'");
  assert.equal(failed("from box import polar", { modules }), "1 NotHere: box.polar is not in the page; run it in Jupyter");
});

test("what the page has not, limits and its own mistakes cannot be caught", () => {
  const broken = {
    box: new Namespace("box", {
      broken: new Native("broken", () => undefined.x),
      own: new Native("own", () => raise("ValueError", "own")),
    }),
  };
  const caught = (code) =>
    `import box\ntry:\n    ${code}\nexcept BaseException:\n    print("caught")\nfinally:\n    print("finally")\n`;
  assert.equal(execute(caught("box.broken()"), { modules: broken }).error?.type, "PageError");
  assert.match(execute(caught("box.broken()"), { modules: broken }).error?.message ?? "", /its own mistake, not yours/);
  assert.equal(execute(caught("import numpy; numpy.x"), { modules: broken }).error?.type, "NotHere");
  assert.equal(execute(caught("while True: pass"), { modules: broken }).error?.type, "Limit");
  assert.equal(printed(caught("box.own()"), { modules: broken }), "caught\nfinally\n");
});

test("given variables are there, and a library gets the machine before the first line", () => {
  let machine;
  const before = (given) => {
    machine = given;
  };
  const note = new Native("note", () => {
    machine.note("operation", { name: "op" });
    return null;
  });
  const { events, variables } = execute("y = x + 1\nnote()\n", { given: { x: 2, note }, before });
  assert.equal(variables.get("y"), 3);
  assert.deepEqual(
    events.map(({ kind, line }) => [kind, line]),
    [
      ["assign", 1],
      ["operation", 2],
    ],
  );
});

test("modules written in Python run once, unseen, and their errors have the reader's line", () => {
  const sources = {
    kit: "print('once')\nNAME = 'kit'\n",
    "kit.a": "from kit import b\ndef f(x: Missing) -> None:\n    y = b.half(x)\n    return y\n",
    "kit.b": "import kit.a\ndef half(x):\n    return x / 2\ndef apply(g, x):\n    return g(x)\n",
  };
  const { error, events, out } = execute(
    "import kit.a\nfrom kit import b, NAME\nprint(kit.a.f(4), NAME)\nb.apply(lambda v: v + 1, 2)\nkit.a.f('x')\n",
    { sources },
  );
  assert.equal(out, "once\n2.0 kit\n");
  assert.deepEqual([error?.type, error?.line, error?.lines], ["TypeError", 5, [5]]);
  assert.deepEqual(
    events.map(({ kind, line }) => [kind, line]),
    [
      ["print", 3],
      ["return", 4],
      ["value", 4],
    ],
  );
  assert.equal(
    failed("from kit import a\na.f(1)\na.other", { sources }),
    "3 NotHere: kit.a.other is not in the page; run it in Jupyter",
  );
  assert.equal(failed("import kit.c\nkit.c.f", { sources }), "2 NotHere: kit.c is not in the page; run it in Jupyter");
});

test("a generator runs only as far as it is asked", () => {
  assert.equal(
    printed("def g():\n    print('a')\n    yield 1\n    print('b')\n    yield 2\nfor x in g():\n    print(x)\n    break\n"),
    "a\n1\n",
  );
});

test("equal keys of different types are one", () => {
  assert.equal(
    printed("d = {1: 'a'}\nd[1.0] = 'b'\nd[True] = 'c'\nd[(1, 2.0)] = 0\nd[(1.0, 2)] = 5\nprint(d)"),
    "{1: 'c', (1, 2.0): 5}\n",
  );
});

test("an object of the page is what Python sees", () => {
  const { variables } = execute("class A: pass\na = A()\nt = 1, 2.0\n");
  assert.ok(variables.get("a") instanceof PyObject);
  assert.ok(variables.get("t") instanceof Tuple && variables.get("t")[1] instanceof Float);
});

/** Programs as they are while somebody types them: cut off, or with one character missing, doubled or wrong. */
function* damaged(count) {
  const folder = new URL("../python/", import.meta.url);
  const sources = readdirSync(folder).flatMap((name) =>
    readFileSync(new URL(name, folder), "utf8")
      .split(/^###.*\n/m)
      .slice(1),
  );
  let seed = 12345;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const wrong = "([{)]}:,.=-+*'\"\n \t#@x1fi\\%!";
  for (let n = 0; n < count; n++) {
    const source = sources[random(sources.length)];
    const at = random(source.length);
    const char = wrong[random(wrong.length)];
    yield [
      source.slice(0, at),
      source.slice(0, at) + source.slice(at + 1),
      source.slice(0, at) + char + source.slice(at),
      source.slice(0, at) + char + source.slice(at + 1),
    ][random(4)];
  }
}

test("half-typed and damaged programs end, and are never the page's own mistake", () => {
  for (const source of damaged(Number(process.env.DAMAGED ?? 5000))) {
    const { error } = execute(source);
    assert.notEqual(error?.type, "PageError", `${error?.message}\n${source}`);
  }
});
