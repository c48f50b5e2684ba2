// A position in time that is played, stepped and sought.
import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, player, playInSight, stillAt } from "../../src/attn/labs/kit/player.js";

const PACE = [
  [0, 2],
  [4, 0.5],
];
const STOPS = [1, 4, 6, 10];

/** A player with a clock that runs when the test says so. */
function made({ still = false } = {}) {
  const drawn = [];
  const stillness = {
    matches: still,
    addEventListener: (_, on) => (stillness.on = on),
    removeEventListener: () => delete stillness.on,
  };
  let [waiting, stamp] = [null, 0];
  const clock = {
    request: (tick) => {
      waiting = tick;
      return 1;
    },
    cancel: () => {
      waiting = null;
    },
  };
  const film = player({ end: 10, stops: STOPS, pace: PACE, draw: (t) => drawn.push(t), clock, stillness });
  const run = (seconds, frame = 0.05) => {
    for (let n = 0; n <= Math.round(seconds / frame) && waiting; n++) {
      const tick = waiting;
      waiting = null;
      tick(stamp);
      stamp += 1000 * frame;
    }
  };
  return { film, drawn, run, stillness, waits: () => waiting !== null };
}

test("time advances at the pace of each moment, whatever the length of a frame", () => {
  assert.equal(advance(PACE, 0, 1, 10), 2);
  assert.equal(advance(PACE, 3, 2, 10), 4.75); // half a second to 4, then slowly
  let t = 0;
  for (let n = 0; n < 300; n++) t = advance(PACE, t, 0.01, 10);
  assert.ok(Math.abs(t - advance(PACE, 0, 3, 10)) < 1e-9);
  assert.equal(advance(PACE, 3, 100, 6), 6);
  assert.equal(advance(PACE, 10, 1, 10), 10);
});

test("the still picture of a time is the last stop before it, or the first", () => {
  assert.deepEqual(
    [0, 1, 3.9, 4, 99].map((t) => stillAt(STOPS, t)),
    [1, 1, 1, 4, 10],
  );
});

test("playing draws later and later times, ends at exactly the end, and then waits for no frame", () => {
  const { film, drawn, run, waits } = made();
  film.play();
  assert.ok(film.playing);
  run(20);
  assert.equal(drawn.at(-1), 10);
  assert.ok(drawn.length > 100 && drawn.every((t, n) => n === 0 || t >= drawn[n - 1]));
  assert.ok(!film.playing && !waits());
  film.play();
  run(0);
  assert.equal(film.time, 0, "playing again begins at the start");
});

test("a pause keeps the time, and a seek draws at once and stops playing", () => {
  const { film, drawn, run, waits } = made();
  film.play();
  run(1);
  const { time } = film;
  film.pause();
  assert.ok(!film.playing && !waits() && film.time === time && time > 1);
  film.play();
  film.seek(7);
  assert.ok(!film.playing && !waits());
  assert.equal(drawn.at(-1), 7);
  film.seek(99);
  assert.equal(film.time, 10);
});

test("a frame that comes late by minutes moves the time by a tenth of a second", () => {
  const { film, run } = made();
  film.play();
  run(0);
  run(1, 100);
  assert.ok(film.time <= 2 * 0.1 * 2 + 1e-9);
});

test("steps forward play to each stop, and steps back jump to it", () => {
  const { film, run } = made();
  for (const stop of STOPS) {
    film.step(1);
    assert.ok(film.playing);
    run(20);
    assert.equal(film.time, stop);
  }
  film.step(1);
  assert.ok(!film.playing && film.time === 10);
  for (const stop of [6, 4, 1, 1]) {
    film.step(-1);
    assert.ok(!film.playing && film.time === stop);
  }
});

test("a second step forward goes to the stop after the one that is being played to", () => {
  const { film, run } = made();
  film.step(1);
  film.step(1);
  run(20);
  assert.equal(film.time, 4);
});

test("a part plays up to its last still picture", () => {
  const { film, drawn, run } = made();
  film.playPart(1, 6);
  assert.deepEqual([film.time, drawn.at(-1)], [1, 1], "its first moment is drawn at once");
  run(20);
  assert.equal(film.time, 4);
  film.playPart(6, 10);
  run(30);
  assert.equal(film.time, 10);
});

test("without motion only stops are ever drawn, and playing, stepping and parts go from one to another", () => {
  const { film, drawn, waits } = made({ still: true });
  film.seek(5.5);
  film.step(1);
  film.play();
  film.play();
  film.playPart(4, 10);
  film.step(-1);
  film.seek(0);
  film.step(1);
  assert.deepEqual(drawn, [4, 6, 10, 1, 6, 4, 1, 4]);
  assert.ok(!waits());
});

test("a reader who switches motion off sees the still picture at once", () => {
  const { film, drawn, stillness } = made();
  film.seek(5.5);
  stillness.matches = true;
  stillness.on();
  assert.deepEqual(drawn, [5.5, 4]);
});

test("a watcher is told of every change until it ends, and a destroyed player does nothing more", () => {
  const { film, run, stillness, waits } = made();
  let count = 0;
  const end = film.watch(() => count++);
  film.play();
  run(0.1);
  film.pause();
  assert.equal(count, 5); // it begins, three frames, it ends
  end();
  film.seek(2);
  assert.equal(count, 5);
  film.play();
  film.destroy();
  assert.ok(!waits() && !stillness.on);
});

test("in sight a film begins when so much of it is seen, pauses when less than half is, and goes on", () => {
  let look = (_) => {};
  const real = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = /** @type {any} */ (
    class {
      constructor(notice, { threshold }) {
        look = (intersectionRatio) => notice([{ intersectionRatio }]);
        assert.deepEqual(threshold, [0.5, 0.8]);
      }
      observe() {}
    }
  );
  const film = { ...{ time: 0, end: 1, playing: false }, play: () => (film.playing = true), pause: () => (film.playing = false) };
  playInSight(/** @type {any} */ (film), /** @type {any} */ (null), 0.8);
  globalThis.IntersectionObserver = real;
  const seen = [0.6, 0.8, 0.6, 0.4, 0.6, 0.9].map((share) => {
    look(share);
    return film.playing;
  });
  assert.deepEqual(seen, [false, true, true, false, false, true]);
});
