import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../../src/attn/labs/code/answer.js";
import { client } from "../../src/attn/labs/code/client.js";
import { indentationAfter, spansOf } from "../../src/attn/labs/code/editor.js";
import { split } from "../../src/attn/labs/code/judgement.js";
import "../../src/attn/labs/code/more.js";
import { heading, layOut, MOST, origins } from "../../src/attn/labs/code/sheets.js";
import { whereCalled } from "../../src/attn/labs/code/words.js";

const WORDS = { merged: ["H·D"], methods: ["transpose"], aliases: { B: "B", H: "H", L: "L", D: "D" } };
const answerTo = (code) => answer({ code, _words: WORDS });

test("keywords, strings, numbers and comments are coloured, also in a text that cannot be read", () => {
  const kinds = (text) => spansOf(text).map((line) => line.map(({ from, to, kind }) => [kind, from, to]));
  assert.deepEqual(kinds('for x in "a # b": # note'), [
    [
      ["keyword", 0, 3],
      ["keyword", 6, 8],
      ["string", 9, 16],
      ["comment", 18, 24],
    ],
  ]);
  assert.deepEqual(kinds('"""a\nb"""\n3'), [[["string", 0, 4]], [["string", 0, 4]], [["number", 0, 1]]]);
  for (const text of ["x = (", "'open", "\t\tx", "§ ¿", "", "\n\n"]) assert.equal(spansOf(text).length, text.split("\n").length);
});

test("Enter keeps the indentation, and adds to it after a colon", () => {
  assert.equal(indentationAfter("    x = 1"), "    ");
  assert.equal(indentationAfter("  for h in range(H):  # heads"), "      ");
  assert.equal(indentationAfter("d = {1: 2}"), "");
});

test("no two numbers of a tensor lie on each other, and all are inside the picture", () => {
  for (const shape of [[], [5], [3, 4], [2, 3, 4], [2, 3, 5, 4], [1, 1, 1, 1], [2, 2, 3, 5, 4]]) {
    const { boxes, width, height } = layOut({ shape, axes: shape.map(() => "L") }, 700, 300);
    const seen = boxes.filter(({ w }) => w > 0);
    assert.ok(seen.length > 0);
    assert.equal(new Set(seen.map(({ x, y }) => `${x} ${y}`)).size, seen.length);
    for (const { x, y, w, h } of seen) assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height, String(shape));
  }
});

test("a table is named by its axis and index, or by the index alone where the axis has no letter", () => {
  const { titles } = layOut({ shape: [3, 2, 5, 7], axes: ["H", "2", "L", "S"] }, 700, 300);
  const named = titles.map(({ axis, index }) => heading(axis, index));
  assert.deepEqual(named, ["[0]", "[1]", "H 0", "H 1", "H 2"]);
  assert.equal(heading("3|H", 1), "3|H 1");
});

test("a tensor that is too large is drawn in part, and says so", () => {
  const large = layOut({ shape: [4, 8, 24, 16], axes: ["B", "H", "L", "D"] }, 700, 300);
  assert.equal(large.isWhole, false);
  assert.ok(large.boxes.length <= MOST);
  assert.equal(layOut({ shape: [2, 3, 5, 4], axes: ["B", "H", "L", "D"] }, 700, 300).isWhole, true);
});

test("numbers are followed from one tensor to the next: by their place if both share memory, else by their value", () => {
  const { lines, details } = answerTo(`import torch
B, L, H, D = 2, 5, 3, 4
x = torch.randn(B, L, H, D)
y = x.transpose(1, 2)
z = y.contiguous()
w = x + 1`);
  const [x, y, z, w] = lines.flatMap(({ rows }) => rows).map(({ id }) => details[id]);
  assert.equal(x.storage, y.storage);
  assert.notEqual(y.storage, z.storage);
  const exchanged = origins(x, y);
  assert.deepEqual(exchanged.slice(0, 8), [0, 1, 2, 3, 12, 13, 14, 15]);
  assert.deepEqual(origins(y, z), [...exchanged.keys()]);
  assert.deepEqual(origins(x, z), exchanged);
  assert.deepEqual(origins(x, w), []);
  assert.deepEqual(origins(null, x), []);
});

test("a program is noted as it runs: a list that grows later, a tensor that is returned as it is", () => {
  const { lines } = answerTo(`import torch
parts = []
for h in range(3):
    parts.append(torch.zeros(2, h + 1))
same = parts[0].contiguous()`);
  assert.deepEqual(
    lines
      .map(({ line, rows }) => [line, rows.map(({ name, memory, times }) => `${name} ${memory} ${times}`)])
      .filter(([, rows]) => rows.length),
    [
      [4, [" new 1"]],
      [5, ["same same 1"]],
    ],
  );
});

test("an error has its line, the calls on the way, its meaning and a fix; what the page lacks is nobody's mistake", () => {
  const { failure } = answerTo("import torch\ndef f(x):\n    return x.view(7)\nf(torch.ones(2, 3))");
  assert.deepEqual([failure.kind, failure.line, failure.lines], ["reader", 3, [3, 4]]);
  assert.match(failure.means, /needs 7 numbers, and the tensor has 6/);
  assert.notEqual(failure.fix, "");
  assert.equal(answerTo("import torch\ntorch.fft.fft(torch.ones(3))").failure.kind, "not here");
  assert.equal(answerTo("while True:\n    pass").failure.kind, "limit");
  assert.equal(answerTo("x = (1").failure.type, "SyntaxError");
});

test("a verdict is cut after its first sentence, and not inside parentheses", () => {
  assert.deepEqual(split("Your mask has three axes, (2, 5, 7). It lines up with H. Where?"), [
    "Your mask has three axes, (2, 5, 7).",
    "It lines up with H. Where?",
  ]);
  const whole = "Your code raised an error (The product is another one. Is D equal to E // H?)";
  assert.deepEqual(split(whole), [whole, ""]);
});

test("of an endless recursion a few calls are named", () => {
  assert.equal(whereCalled([5, 9]), "5, then 9");
  assert.equal(whereCalled([...Array(90).fill(5), 7]), "5, then 5, then 5, then 5, then 5, then 5 …");
});

test("of the programs of a place that wait for the worker only the latest is run, and every place is answered", async () => {
  const posted = [];
  const page = { Worker: globalThis.Worker };
  globalThis.Worker = class {
    postMessage(settings) {
      posted.push(settings);
      setTimeout(() => this.onmessage({ data: settings }));
    }
  };
  try {
    const ask = client({ answer: () => assert.fail("in the page"), program: () => "a script", tooLong: () => null });
    const [first, , last, other] = [ask(1, "one"), ask(2, "one"), ask(3, "one"), ask(4, "two")];
    assert.deepEqual(await Promise.all([first, last, other]), [1, 3, 4]);
    assert.deepEqual(posted, [1, 3, 4]);
  } finally {
    globalThis.Worker = page.Worker;
  }
});

test("a program that misses something runs again, once the second script is there, in a worker that has both", async () => {
  const scripts = [];
  const page = { Worker: globalThis.Worker, createObjectURL: URL.createObjectURL };
  URL.createObjectURL = (blob) => blob;
  globalThis.Worker = class {
    constructor(blob) {
      this.text = blob.text();
      scripts.push(this.text);
    }
    async postMessage(settings) {
      const text = await this.text;
      this.onmessage({ data: { settings, incomplete: !text.startsWith("more;") } });
    }
    terminate() {}
  };
  const options = { answer: () => assert.fail("in the page"), program: () => "a script", tooLong: () => null };
  try {
    const ask = client({ ...options, more: async () => "more;" });
    assert.deepEqual(
      [await ask(1), await ask(2)],
      [1, 2].map((settings) => ({ settings, incomplete: false })),
    );
    assert.deepEqual(await Promise.all(scripts), ["a script", "more;a script"]);
    const offline = client({ ...options, more: async () => "" });
    assert.deepEqual(await offline(3), { settings: 3, incomplete: true });
  } finally {
    globalThis.Worker = page.Worker;
    URL.createObjectURL = page.createObjectURL;
  }
});
test("where the browser allows no worker, programs run in the page", async () => {
  const ask = client({ answer: (settings) => settings + 1, program: () => "", tooLong: () => null });
  assert.deepEqual(await Promise.all([ask(1), ask(2)]), [2, 3]);
});

test("a variable may have the name of anything that JavaScript's objects have", () => {
  const { sizes, failure } = answerTo("constructor = 3\ntoString = 4\nH = 5");
  assert.deepEqual([sizes, failure], [{ H: 5 }, null]);
});
