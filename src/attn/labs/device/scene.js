// What DeviceLab's picture shows at a moment. First the devices get their parts in turn, and in the layer the parts of the others are faint:
// nothing flies over what is to be read. Then each message is sent along the lanes: in a sum the parts of a tensor go once around the ring to be
// added up, in stripes of the colours of all devices that have added theirs, and once more to be handed round; keys and values go around once.

import { range } from "../kit/math.js";
import { fly, inTurn } from "../kit/moves.js";
import { mix, progress, soft } from "../kit/time.js";
import { boxOf, heldBy, laneFrom, partsOf, pointOn } from "./layout.js";
import { stepsOf } from "./model.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./layout.js").Block} Block */
/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Message} Message */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {{ box: Box, block: Block, device: number | null, alpha: number, by?: number[] }} Piece device: whose colour; null: all devices have it; by: of a sum, who has added */

/**
 * @typedef {object} Scene
 * @property {Piece[]} layer the parts of the whole layer
 * @property {Piece[]} held what lies on the devices
 * @property {Piece[]} flying
 * @property {{ message: Message, step: number, steps: number } | null} sending what is being sent
 * @property {Plan} plan the layer may be on its way to its place
 * @property {boolean} ready whether the devices are there
 */

export const DEAL = 0.2; // the share of the time in which the parts come to their devices

/** @type {(a: Block, b: Block) => boolean} */
const isSame = (a, b) => a.sheet === b.sheet && String([a.rows, a.columns]) === String([b.rows, b.columns]);

/**
 * What is drawn when t of the move has passed; at 1 it is at rest.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message[]} messages
 * @param {number} t
 * @param {Plan["whole"] | null} [from] where the layer was
 * @returns {Scene}
 */
export function sceneOf(plan, state, messages, t, from = null) {
  const first = from && t < 1 ? (messages.length ? 0.1 : 0.3) : 0; // the layer goes to its place
  if (t < first) {
    const whole = between(/** @type {Plan["whole"]} */ (from), plan.whole, soft(t / first));
    const { layer } = sceneOf({ ...plan, whole }, state, messages, 1);
    return { layer, held: [], flying: [], sending: null, plan: { ...plan, whole }, ready: false };
  }
  return onDevices(plan, state, messages, (t - first) / (1 - first));
}

/** @type {(from: Plan["whole"], to: Plan["whole"], n: number) => Plan["whole"]} */
const between = (from, to, n) => {
  const keys = /** @type {const} */ (["x", "y", "w", "h", "gap", "p", "q"]);
  return { ...to, ...Object.fromEntries(keys.map((key) => [key, mix(from[key], to[key], n)])) };
};

/**
 * The same once the layer is in its place.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message[]} messages
 * @param {number} t
 * @returns {Scene}
 */
function onDevices(plan, state, messages, t) {
  const all = range(state.N).map((d) => heldBy(state, d));
  const holders = (/** @type {Block} */ block) => range(state.N).filter((d) => all[d].some((one) => isSame(one, block)));
  const shown = all.flatMap((blocks, d) => blocks.map((block) => ({ block, d, by: holders(block) })));
  const added = sheetsOf(state, messages.filter(isForwardSum));
  /** @type {(one: { block: Block, d: number, by: number[] }) => Piece} */
  const at = ({ block, d, by }) => {
    const piece = { block, device: by.length < state.N || state.N === 1 ? d : null, alpha: 1, box: boxOf(plan, d, block) };
    return added.has(block.sheet) ? { ...piece, by: range(state.N) } : piece;
  };
  /** Of a sum, before it is added up, each device has its own terms. @type {typeof at} */
  const before = ({ block, d }) => ({ block, device: d, alpha: 1, box: boxOf(plan, d, block) });
  // In the layer, a part that some devices have shows all their colours.
  const layer = shown
    .filter(({ d, by }) => by.length < state.N || d === 0)
    .map((one) => {
      const [piece, whole] = [at(one), boxOf(plan, null, one.block)];
      if (piece.device === null) return { ...piece, box: whole };
      const h = whole.h / one.by.length;
      return { ...piece, box: { ...whole, y: whole.y + h * one.by.indexOf(one.d), h } };
    });
  const still = { sending: null, plan, ready: true };
  const rest = { ...still, layer, held: state.N > 1 ? shown.map((one) => at(one)) : [], flying: [] };
  if (t >= 1 || state.N === 1) return rest;
  const deal = messages.length ? DEAL : 1;
  if (t < deal) {
    const goOf = (/** @type {number} */ d) => inTurn(t / deal, d, state.N, 1.36 / state.N); // device 0 first; the next when it has nearly all
    /** @type {(one: typeof shown[number]) => Piece} */
    const own = (one) => (added.has(one.block.sheet) ? before(one) : at(one));
    const flying = shown.filter(({ d }) => goOf(d) > 0 && goOf(d) < 1).map((one) => ({ ...own(one), alpha: soft(goOf(one.d)) }));
    const faint = (/** @type {number | null} */ d) => (d === null || (goOf(d) > 0 && goOf(d) < 1) ? 1 : 0.25);
    const lit = layer.map((one) => ({ ...one, alpha: faint(one.device) }));
    return { layer: lit, held: shown.filter(({ d }) => goOf(d) === 1).map(own), flying, ...still };
  }
  if (!messages.length) return rest;
  const along = ((t - deal) / (1 - deal)) * messages.length;
  const which = Math.min(messages.length - 1, Math.floor(along));
  const [message, n] = [messages[which], along - which];
  const { there, ...going } = sendingOf(plan, state, message, n);
  const sums = message.how === "ring" ? new Set() : sheetsOf(state, [message]);
  const held = shown.map((one) => (sums.has(one.block.sheet) ? before(one) : at(one)));
  return { ...still, layer, held: [...held, ...there], ...going };
}

/** @param {Message} message */
const isForwardSum = ({ how, backward }) => how === "all-reduce" && !backward;

/** The sheets that lie in what these messages send. @param {Settings} state @param {Message[]} messages */
const sheetsOf = (state, messages) =>
  new Set(messages.flatMap((one) => partsOf(state, one).flat()).map(({ sheet }) => sheet)); // biome-ignore format: one line

/**
 * A message when n of it has passed.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message} message
 * @param {number} n
 */
function sendingOf(plan, state, message, n) {
  const { N } = state;
  const parts = partsOf(state, message);
  const isSum = message.how === "all-reduce";
  const steps = stepsOf(message, N);
  const step = Math.min(steps - 1, Math.floor(n * steps));
  const now = n * steps - step;
  const back = message.backward && !isSum ? -1 : 1; // gradients of keys and values go the other way round
  const modulo = (/** @type {number} */ a) => ((a % N) + N) % N;
  /** Which part device d sends in a step: the second time around, a sum is handed on as it is. @param {number} d @param {number} at */
  const partSent = (d, at) => (isSum && at >= N - 1 ? modulo(d + 1 - (at - (N - 1))) : modulo(d - back * at));
  /** The last of those that have added to a sum is d. @param {number} d @param {number} count */
  const adders = (d, count) => range(count).map((n) => modulo(d - count + 1 + n));
  /** @type {Piece[]} */
  const flying = [];
  /** @type {Piece[]} */
  const there = [];
  for (const d of range(N)) {
    const next = modulo(d + back);
    const part = partSent(d, step);
    const lane = back > 0 ? laneFrom(plan, d) : laneFrom(plan, next).reverse();
    for (const block of parts[part])
      flying.push({
        ...{
          block,
          device: isSum ? null : part, // a sum is of several devices
          alpha: 1,
          by: isSum ? adders(d, Math.min(N, step + 1)) : [],
          box: sent(plan, boxOf(plan, d, block), lane, boxOf(plan, next, block), now, block.sheet.startsWith("W")),
        },
      });
    // What has arrived: sums that are complete, or the keys and values that are visiting.
    const arrived = isSum ? range(N).filter((one) => isComplete(N, d, one, step)) : step > 0 ? [partSent(d, step)] : [];
    for (const one of arrived)
      for (const block of parts[one])
        there.push(
          isSum
            ? { block, device: null, alpha: 1, by: range(N), box: boxOf(plan, d, block) }
            : { block, device: one, alpha: 0.5, box: boxOf(plan, d, block) },
        );
    if (isSum)
      for (const round of range(Math.min(step, N - 1))) {
        const sum = modulo(d - round - 1);
        if (isComplete(N, d, sum, step)) continue;
        for (const block of parts[sum])
          there.push({ block, device: null, alpha: 1, by: adders(d, round + 2), box: boxOf(plan, d, block) });
      }
  }
  return { flying, there, sending: { message, step, steps } };
}

/** @type {import("../kit/time.js").Ease} fly has its own */
const steadily = (n) => n;

/**
 * A block on its way: it becomes a packet at the edge of its device, goes along the lane, and opens in the other device. Weights stand above
 * names, which they do not cross: they are framed in their place, and the packet grows at the edge.
 *
 * @param {Plan} plan
 * @param {Box} from
 * @param {[number, number][]} lane
 * @param {Box} to
 * @param {number} n how much of the way is behind
 * @param {boolean} [isAbove] whether names are in between
 */
function sent({ packet: { w, h } }, from, lane, to, n, isAbove = false) {
  const at = (/** @type {[number, number]} */ [x, y], size = 1) => ({
    ...{ x: x - (w * size) / 2, y: y - (h * size) / 2, w: w * size, h: h * size },
  });
  const end = lane[lane.length - 1];
  if (isAbove && (n < 0.18 || n > 0.82)) return n < 0.5 ? from : to;
  if (isAbove && (n < 0.3 || n > 0.7)) return n < 0.5 ? at(lane[0], (n - 0.18) / 0.12) : at(end, (0.82 - n) / 0.12);
  if (n < 0.3) return fly(from, at(lane[0]), progress(n, 0.03, 0.3, steadily));
  if (n < 0.7) return at(pointOn(lane, progress(n, 0.3, 0.7, soft)));
  return fly(at(end), to, progress(n, 0.7, 0.97, steadily));
}

/**
 * Whether device d has the complete sum of a part before this step of an all-reduce: its own after N - 1 steps, then one more with each.
 *
 * @param {number} N
 * @param {number} d
 * @param {number} part
 * @param {number} step
 */
export function isComplete(N, d, part, step) {
  const behind = (((d + 1 - part) % N) + N) % N; // how many devices further back its sum was completed
  return step >= N - 1 + behind;
}
