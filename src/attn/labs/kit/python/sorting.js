// sorted() and list.sort(): stable, and only with `<`, of the later item with the earlier one.

/** @typedef {import("./values.js").Value} Value */

// Comes with the second script.
/**
 * @param {Value[]} items
 * @param {Record<string, Value>} kwargs
 * @param {any} machine
 * @returns {Value[]}
 */
export function sorted(items, { key = null, reverse = false }, machine) {
  const backwards = machine.truth(reverse);
  const ranked = items.map((item) => ({ item, rank: key === null ? item : machine.call(key, [item]) }));
  const less = (/** @type {Value} */ a, /** @type {Value} */ b) => machine.truth(machine.compare("<", a.rank, b.rank));
  const made = merged(backwards ? ranked.reverse() : ranked, less, machine);
  return (backwards ? made.reverse() : made).map(({ item }) => item);
}

// Comes with the second script.
/**
 * @param {Value[]} items
 * @param {(a: Value, b: Value) => boolean} less
 * @param {any} machine
 * @returns {Value[]}
 */
function merged(items, less, machine) {
  if (items.length < 2) return items;
  const half = items.length >> 1;
  const [left, right] = [merged(items.slice(0, half), less, machine), merged(items.slice(half), less, machine)];
  const out = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    machine.tick();
    out.push(less(right[j], left[i]) ? right[j++] : left[i++]);
  }
  return [...out, ...left.slice(i), ...right.slice(j)];
}
