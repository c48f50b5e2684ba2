// CubeLab: where its cells are, what hides what, and that all of it is in its room.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addedOf, sumOf } from "../../src/attn/labs/cube/model.js";
import { cameraOf, cellsAt, facesOf, labelsAt } from "../../src/attn/labs/cube/scene.js";
import { describePair, happened } from "../../src/attn/labs/cube/words.js";

const ROOM = { x: 60, y: 10, w: 500, h: 340 };
const TURNS = /** @type {[number, number][]} */ ([
  [-32, 24],
  [0, 0],
  [-55, 50],
  [0, 50],
]);
const ALL = [
  { L: 5, S: 7, D: 4 },
  { L: 1, S: 1, D: 1 },
  { L: 7, S: 2, D: 8 },
];
const count = (cells, part) => cells.filter((cell) => cell.part === part).length;

test("adding up takes the products of one depth after the other, and leaves one sum for each pair", () => {
  for (const sizes of ALL) {
    const { L, S, D } = sizes;
    const depth = () => 0;
    assert.equal(count(cellsAt(sizes, 0, depth), "product"), L * S * D);
    assert.equal(count(cellsAt(sizes, 0, depth), "sum"), 0);
    for (let done = 1; done <= D; done++) {
      const cells = cellsAt(sizes, done, depth);
      assert.equal(count(cells, "product"), L * S * (D - done));
      assert.equal(count(cells, "sum"), L * S);
      assert.ok(cells.every((cell) => cell.part !== "product" || cell.d >= done));
    }
    assert.equal(count(cellsAt(sizes, D, depth), "q"), L * D);
    assert.equal(count(cellsAt(sizes, D, depth), "k"), S * D);
  }
});

test("a product moves from its depth to the front, and never away from it", () => {
  const place = (done) =>
    cellsAt(ALL[0], done, () => 0).find((cell) => cell.part === "product" && cell.d === 3 && cell.i + cell.j === 0);
  let before = 9;
  for (let done = 0; done < 4; done += 0.125) {
    const z = place(done)?.at[2] ?? 0;
    assert.ok(z <= before);
    before = z;
  }
  assert.ok(before < 1);
});

test("what is nearer is drawn later, and all of it fits into its room", () => {
  for (const sizes of ALL)
    for (const turn of TURNS) {
      const camera = cameraOf(sizes, turn, ROOM);
      const cells = cellsAt(sizes, 0, camera.depth, turn);
      const far = cells.map(({ at, size }) => camera.depth([at[0] + size[0] / 2, at[1] + size[1] / 2, at[2] + size[2] / 2]));
      assert.deepEqual(
        far,
        [...far].sort((a, b) => b - a),
      );
      for (const cell of cells)
        for (const { points } of facesOf(cell, camera))
          for (const [x, y] of points)
            assert.ok(
              x > ROOM.x - 1 && x < ROOM.x + ROOM.w + 1 && y > ROOM.y - 1 && y < ROOM.y + ROOM.h + 1,
              `${turn}: ${x}, ${y}`,
            );
    }
});

test("seen along D only fronts are seen, otherwise a top and a side, too", () => {
  const [cell] = cellsAt(ALL[0], 0, () => 0);
  assert.equal(facesOf(cell, cameraOf(ALL[0], [0, 0], ROOM)).length, 1);
  assert.equal(facesOf(cell, cameraOf(ALL[0], [-32, 24], ROOM)).length, 3);
});

test("at first neither factor hides the block nor is hidden by it", () => {
  for (const sizes of [ALL[0], { L: 5, S: 7, D: 8 }]) {
    const camera = cameraOf(sizes, [-32, 24], ROOM);
    const left = Math.min(...[0, sizes.L].map((y) => camera.project([0, y, 0])[0]));
    const above = Math.min(...[0, sizes.S].map((x) => camera.project([x, 0, sizes.D])[1]));
    const { edges } = labelsAt(sizes);
    assert.ok(Math.max(...edges.qD.map((point) => camera.project(point)[0])) < left);
    assert.ok(Math.max(...edges.S.map((point) => camera.project(point)[1])) < above + camera.unit * sizes.S);
  }
});

test("the edge of the block along D is as long as what is not added up, and the factors are close where they hide nothing", () => {
  const long = (done) => labelsAt(ALL[0], done).edges.blockD.map((point) => point[2]);
  assert.deepEqual([0, 1, 4].map(long), [
    [0, 4],
    [1, 4],
    [4, 4],
  ]);
  const gap = (turn) => -labelsAt(ALL[0], 0, turn).q[0];
  assert.ok(gap([0, 0]) < 1 && gap([-32, 24]) > 3);
});

test("the sentence counts pairs, products and sums", () => {
  const settings = { L: 5, S: 7, D: 4, head: 0, added: 0, turn: /** @type {[number, number]} */ ([-32, 24]) };
  assert.match(happened(settings), /140 numbers in all/);
  assert.match(happened({ ...settings, turn: [0, 0] }), /one behind the other/);
  assert.match(happened({ ...settings, added: 1 }), /^In front is the first of the 4 products of each pair\./);
  assert.match(happened({ ...settings, added: 2 }), /the first 2 of the 4/);
  assert.match(happened({ ...settings, added: null }), /35 sums are left/);
  assert.match(happened({ ...settings, D: 8, added: null }), /8 products for each pair, and still only 35 scores/);
  assert.match(happened({ ...settings, L: 1, S: 1, D: 1 }), /1 product: 1 number in all/);
  assert.equal(addedOf({ added: 9, D: 4 }), 4);
  const results = { q: [], k: [], scores: [], products: [1, -2, 3.5, 0.25], trained: false };
  const one = { ...settings, L: 1, S: 1 };
  assert.equal(describePair(one, results, [0, 0], ["a"]), "“a” · “a”: 1 −_2 +_3.50 +_0.25 =_2.75.".replaceAll("_", "\u00a0"));
  const rounded = { ...results, products: [0.126, 0.126, 0.126, 0.126] };
  assert.match(describePair(one, rounded, [0, 0], ["a"]), /0\.13 \+\u00a00\.13 ≈\u00a00\.50\.$/);
  assert.equal(sumOf(results, one, 0, 0, 2), -1);
});
