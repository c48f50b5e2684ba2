// What CacheLab says: of a step, of what was overwritten, of the cell that is pointed at.

import { number } from "../kit/format.js";
import { range } from "../kit/math.js";
import { firstNew, ROUNDING, seenBy, wordsSoFar } from "./model.js";

const NAMES = { q: "query", k: "key", v: "value" };

const quoted = (state, i) => `“${wordsSoFar(state)[i]}”`;

// [2, 3, 4, 5] as "rows 2 to 5". What overwriting moves are neighbours: one row, or all that see it; [0, 4, 5] is spelled out.
export function rowsOf(numbers) {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (numbers.length === 1) return `row ${first}`;
  return `rows ${last - first === numbers.length - 1 ? `${first} to ${last}` : numbers.join(", ")}`;
}

// A difference: what float32 leaves behind is rounding, not a difference.
export function difference(value) {
  return value < ROUNDING ? "0.00" : number(Math.max(value, 0.01), 2);
}

const rowsAbove = (differences) => range(differences.length).filter((i) => differences[i] > ROUNDING);

// Is the cached run the full pass, whatever is overwritten? kind: "good", "luck" (this step is, older ones no longer), "bad".
export function lampOf(state, results) {
  const { kind, text } = comparison(state, results);
  return { kind, text: state.overwrite === "nothing" ? text : `Without the overwriting, ${text[0].toLowerCase()}${text.slice(1)}` };
}

function comparison(state, { gap, stale }) {
  const start = firstNew(state);
  const off = rowsAbove(gap);
  const now = state.S === state.P ? `the ${state.P} rows of the prompt are` : "the new row is";
  if (!off.length) {
    const older = start ? ` and the ${start} older rows still hold` : "";
    return { kind: "good", text: `Cached = full pass: ${now} the same${older}.` };
  }
  const old = off.filter((i) => i < start);
  const redone = `A full pass gives other outputs for ${old.length} of ${start} older words`;
  if (off.length === old.length)
    return {
      kind: "luck",
      text: `The new row is that of the full pass. ${redone}: without a mask they would look at the new one too.`,
    };
  const wrong = rowsAbove(stale).length;
  return {
    kind: "bad",
    text: `Cached ≠ full pass: the new row is off by ${difference(Math.max(...gap.subarray(start)))}. The kept keys and values of ${wrong} words are stale. ${redone}.`,
  };
}

// What overwriting did.
export function noticed(state, { moved, stale_q }) {
  const { overwrite, at, S, P, causal } = state;
  if (overwrite === "nothing") return "Nothing is overwritten. Click a row of q, k or v to overwrite it.";
  const start = firstNew(state);
  const all = rowsAbove(moved);
  const now = all.filter((i) => i >= start);
  const most = difference(Math.max(...moved.subarray(start)));
  const what = `The ${NAMES[overwrite]} of ${quoted(state, at)} is overwritten: `;
  const everything = all.length ? ` If all rows were computed again, ${rowsOf(all)} would move.` : "";
  if (S === P)
    return `${what}${now.length ? `in a prefill ${rowsOf(now)} ${now.length === 1 ? "moves" : "move"}` : "no row moves"}.`;
  if (now.length)
    return `${what}the new row moves by up to ${most}${at < start ? ", and so will the rows after it" : ""}.${everything}`;
  if (overwrite !== "q") return `${what}the new row does not move.${everything}`;
  if (causal) return `${what}the new row does not move. Nobody reads that query again.${everything}`;
  const others = rowsAbove(stale_q).length
    ? "and here their queries do too: nothing that is old can be used."
    : "and need their queries again.";
  return `${what}the new row does not move.${everything} But without a mask older rows change with each word, ${others}`;
}

// Would a cache of queries, so many bytes, be of use? Only where later words reach old rows, and the old queries still hold.
export function queryCache({ causal, layer, S, P }, bytes) {
  const stale = S === P ? "; after the next word they would be stale" : "; they would be stale too";
  const use = causal
    ? ", and no step would read it"
    : layer === 1
      ? "; to bring the older rows up to date a step would read it"
      : stale;
  return `A cache of queries would take ${bytes}${use}.`;
}

// Would row i of q, k, v, weights or heads be another in a full pass, nothing overwritten?
export function isStale(tensor, i, { gap, stale, stale_q, stale_weights }) {
  return { q: stale_q, k: stale, v: stale, weights: stale_weights, heads: gap }[tensor][i] > ROUNDING;
}

// One cell of q, k, v, weights or heads, row i and column j: when it was computed, and who reads it.
export function cellStory(tensor, i, j, state, results, value) {
  const word = quoted(state, i);
  const isNew = i >= firstNew(state);
  const when = isNew ? "now" : i < state.P ? "in the prefill" : `when ${word} was new`;
  const stale = isStale(tensor, i, results) ? " Stale: a full pass has other numbers in this row." : "";
  if (tensor === "heads") return `Row ${i} of this head's output: computed ${when}, and only then.${stale}`;
  if (tensor === "weights") {
    if (j >= seenBy(i, state))
      return `${word} did not see ${quoted(state, j)}: it ${state.causal ? "is later" : "was not there yet"}.${stale}`;
    return `${word} looks at ${quoted(state, j)} with weight ${number(value, 2)}: computed ${when}, used for row ${i}, not kept.${stale}`;
  }
  const name = `${tensor} of ${word}, number ${j}: ${number(value, 2)}. Computed ${when}`;
  if (tensor === "q") return `${name}, used for row ${i}, not kept. No later row reads it.${stale}`;
  return `${name}, ${isNew ? "and written into the cache" : "read from the cache at every step since"}.${stale}`;
}
