// What DeviceLab's picture shows at a moment. First the devices get their parts in turn: nothing flies over what is to be read. Then each
// computes what it can alone. Then each message is sent along the lanes: in a sum the parts of a tensor go once around the ring to be added up,
// hatched in the colours of all devices that have added theirs until they are complete, and once more to be passed on; keys and values go
// around once, and each part that arrives adds its terms to y.

import { range } from "../kit/math.js";
import { inTurn } from "../kit/moves.js";
import { progress, soft } from "../kit/time.js";
import { boxOf, laneFrom, packetAt } from "./layout.js";
import { fits, mostSent, stepsOf } from "./model.js";
import { columnsOf, heldBy, partsOf, stuckDevices } from "./parts.js";

/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./parts.js").Block} Block */
/** @typedef {import("./model.js").Settings} Settings */
/** @typedef {import("./model.js").Message} Message */
/** @typedef {import("../kit/moves.js").Box} Box */
/** @typedef {{ box: Box, block: Block, device: number | null, alpha: number, by?: number[], isComplete?: boolean }} Piece device: whose colour; null: all devices have it; by: of a sum that is not complete, who has added; isComplete: all have */
/** @typedef {{ name: string, message?: Message, step: number }} Moment what takes one unit of time */

/**
 * @typedef {object} Scene
 * @property {Piece[]} held what lies on the devices
 * @property {Piece[]} flying
 * @property {Message | null} sending what is being sent
 * @property {string[]} gradients what lies where its tensor was: gradients stay until the end
 * @property {Message | null} lanes what the lanes are for
 * @property {Piece[]} passed what has gone from device to device: each packet leaves a trace at the end of its way
 * @property {boolean} isBothWays whether something has gone the other way round, too
 * @property {number[]} y of each device: 0 none, 1 a part, 2 all that it will have
 */

const ARRIVED = 0.97; // of a unit of time: what was sent is there
export const STILL = 0.98; // and the still picture of this unit
export const VISIT = 0.45; // what has come from another device is pale

/**
 * What happens in each unit of time.
 *
 * @param {Settings} state
 * @param {Message[]} messages
 * @returns {Moment[]}
 */
export function momentsOf({ cut, N }, messages) {
  const all = [{ name: "parts", step: 0 }];
  if (N === 1) return all;
  all.push({ name: "compute", step: 0 });
  for (const message of messages) {
    const rounds = message.how === "ring" ? ["send"] : ["sum", "pass on"];
    for (const step of range(stepsOf(message)))
      all.push(/** @type {Moment} */ ({ name: `${rounds[Math.floor(step / (N - 1))]} ${(step % (N - 1)) + 1}`, message, step }));
    if (cut === "E" && !message.backward) all.push({ name: "y", step: 0 });
  }
  return all;
}

/** The times of the still pictures. @param {Moment[]} moments */
export const stopsOf = (moments) => moments.map((_, n) => (n === moments.length - 1 ? n + 1 : n + STILL));

/** How many of these moments have brought what they send by time t. @param {Moment[]} moments @param {number} t */
export const sentBy = (moments, t) =>
  moments.filter(({ message }, n) => message && t >= n + ARRIVED).map(({ message }) => /** @type {Message} */ (message)); // biome-ignore format: one line

/** Gradients of keys and values go the other way round. @param {Message} message */
export const isReversed = ({ how, backward }) => how === "ring" && backward;

/** What each device holds, and who else holds it. @param {Settings} state */
function sharesOf(state) {
  const all = range(state.N).flatMap((d) => heldBy(state, d).map((block) => ({ block, d, key: JSON.stringify(block) })));
  /** @type {Map<string, number[]>} */
  const holders = new Map();
  for (const { d, key } of all) holders.set(key, [...(holders.get(key) ?? []), d]);
  return all.map(({ block, d, key }) => ({ block, d, by: /** @type {number[]} */ (holders.get(key)) }));
}

/**
 * What is drawn at time t; at the last one it is at rest.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message[]} messages
 * @param {number} t
 * @returns {Scene}
 */
export function sceneOf(plan, state, messages, t) {
  const { cut, N } = state;
  if (N === 1) {
    const held = heldBy(state, 0).map((block) => ({ block, device: 0, alpha: 1, box: boxOf(plan, 0, block) }));
    return { held, flying: [], sending: null, gradients: [], lanes: null, passed: [], isBothWays: false, y: [2] };
  }
  const moments = momentsOf(state, messages);
  const n = Math.min(moments.length - 1, Math.floor(t));
  const { message, step } = moments[n];
  const arrived = sentBy(moments, t);
  const now = t - n;
  const count = arrived.filter(({ backward }) => !backward).length;
  const forward = messages.find(({ backward }) => !backward);
  const isDone = forward && count === stepsOf(forward);
  const last = moments.findIndex(({ name }) => name === "y");
  const stuck = cut === "H" && !fits(state, cut) ? stuckDevices(state) : [];
  const own = progress(t, 1.5, 1.95, soft);
  const ofY = cut !== "E" ? own : last < 0 ? 0 : progress(t, last, last + 0.95, soft);
  const sum = { H: "y", E: "qkv" }[cut];
  /** @type {(one: { block: Block, d: number, by: number[] }) => Piece[]} */
  const piecesOf = ({ block, d, by }) => {
    const { sheet } = block;
    const alpha =
      sheet === "y"
        ? stuck.includes(d)
          ? 0
          : ofY
        : sheet === "qkv"
          ? progress(t, 1, 1.5, soft)
          : soft(inTurn(Math.min(1, t), d, N, 1.36 / N)); // device 0 first; the next when it has nearly all; biome-ignore format: short
    if (!alpha) return [];
    const piece = { block, alpha, device: by.length < N ? d : null, box: boxOf(plan, d, block) };
    if (sheet === sum) return [isDone ? { ...piece, isComplete: true } : { ...piece, device: d, by: [d] }];
    if (cut !== "L" || sheet !== "y" || isDone) return [piece];
    // Each number of y has the terms of the keys and values that have been here.
    return [{ ...piece, by: range(count + 1).map((k) => (d - k + N) % N) }];
  };
  const held = sharesOf(state).flatMap(piecesOf);
  const shown = messages.filter((one) => one.backward && (one === message || arrived.includes(one)));
  // The keys and values that have been here, as long as no gradients lie in their place.
  if (forward?.how === "ring" && !shown.some(isReversed))
    for (const [one, blocks] of partsOf(state, forward).entries())
      for (const block of blocks)
        for (const d of range(count).map((k) => (one + k + 1) % N))
          held.push({ block, device: one, alpha: VISIT, box: boxOf(plan, d, block) });
  const hasPart = cut === "L" || sum === "y";
  const sends = t < moments.length && message;
  const lanes = sends || messages[0] || null;
  const still = {
    ...{ held, flying: [], sending: null, gradients: shown.map(({ what }) => what), lanes },
    passed: lanes ? (sends ? [lanes] : messages).flatMap(tracesOn(plan, state, lanes, arrived)) : [],
    isBothWays: !sends && arrived.some(isReversed),
    y: range(N).map((d) => (stuck.includes(d) || ofY < 1 ? 0 : hasPart && !isDone ? 1 : 2)),
  };
  if (!message) return still;
  const isLast = now >= ARRIVED && step === stepsOf(message) - 1;
  if (isLast && (!message.backward || isReversed(message))) return still; // what came home is drawn as the device's own
  const { there, flying } = sendingOf(plan, state, message, step, now);
  return { ...still, held: [...held, ...there], flying, sending: isLast ? null : message };
}

/**
 * Who sends what to whom in the steps of a message.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message} message
 * @param {Block} [columns] below which the lanes are
 */
function waysOf(plan, state, message, columns = columnsOf(state, message)) {
  const { N } = state;
  const back = isReversed(message) ? -1 : 1;
  const modulo = (/** @type {number} */ a) => ((a % N) + N) % N;
  return {
    ...{ modulo, back },
    /** Which part device d sends in a step: that which came last. Gradients of keys and values end where these are from. @param {number} d @param {number} at */
    partSent: (d, at) => modulo(back < 0 ? d + 1 + at : d - at),
    /** The last of those that have added to a sum is d. @param {number} d @param {number} count */
    adders: (d, count) => range(count).map((n) => modulo(d - count + 1 + n)),
    /** @param {number} d @param {boolean} [isPacket] @returns {[number, number][]} */
    laneOf: (d, isPacket) =>
      back > 0 ? laneFrom(plan, d, columns, isPacket) : laneFrom(plan, modulo(d - 1), columns, isPacket).reverse(),
  };
}

/**
 * What has gone along the lanes, as long as its bytes: for all cuts to one scale. What is added up, what is passed on and each message stand apart.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message} lanes the message for which they are
 * @param {Message[]} arrived
 */
function tracesOn(plan, state, lanes, arrived) {
  const { N } = state;
  const block = columnsOf(state, lanes);
  const used = [plan.trace.apart, plan.trace.apart]; // of each end of a lane
  /** @param {Message} message @returns {Piece[]} */
  return (message) => {
    const { partSent, adders, laneOf } = waysOf(plan, state, message, block);
    const end = Number(isReversed(message));
    const w = (plan.trace.w * message.sent) / stepsOf(message) / mostSent(state);
    return range(arrived.filter((one) => one === message).length).flatMap((step) => {
      if (step % (N - 1) === 0) used[end] += plan.trace.apart;
      used[end] += w;
      return range(N).map((d) => {
        const lane = laneOf(d);
        const [[from], [to, level]] = lane.slice(lane.length === 5 && !end ? 1 : -3); // of five points, the last two are beside a device
        const x = to > from ? to - used[end] : to + used[end] - w;
        const box = { x, y: level - plan.trace.h / 2, w: w - plan.trace.gap, h: plan.trace.h };
        if (message.how === "ring") return { block, box, alpha: 1, device: partSent(d, step) };
        const by = adders(d, Math.min(N, step + 1));
        return { block, box, alpha: 1, device: null, ...(by.length < N ? { by } : { isComplete: true }) };
      });
    });
  };
}

/**
 * A message in one of its steps, of which `now` has passed.
 *
 * @param {Plan} plan
 * @param {Settings} state
 * @param {Message} message
 * @param {number} step
 * @param {number} now
 */
function sendingOf(plan, state, message, step, now) {
  const { N } = state;
  const parts = partsOf(state, message);
  const isSum = message.how === "all-reduce";
  const isThere = now >= ARRIVED;
  const done = step + Number(isThere);
  const { modulo, back, partSent, adders, laneOf } = waysOf(plan, state, message);
  /** @type {(d: number, block: Block, by: number[]) => Piece} a sum is hatched until all have added to it; only the last step brings it to all */
  const sum = (d, block, by) => ({
    ...{ block, device: null, alpha: 1, box: boxOf(plan, d, block), ...(by.length < N ? { by } : { isComplete: true }) },
  });
  /** @type {Piece[]} */
  const flying = [];
  /** @type {Piece[]} */
  const there = [];
  for (const d of range(N)) {
    const next = modulo(d + back);
    const part = partSent(d, step);
    const way = laneOf(d, true).slice(1, -1); // on the level of the lane
    // Of a gradient, each device has its own terms.
    if (isSum && message.backward) there.push(...parts.flat().map((block) => sum(d, block, [d])));
    // What has arrived: sums that are complete, sums that have grown, or the keys and values that are visiting.
    for (const one of range(N))
      for (const block of parts[one]) {
        const round = modulo(d - one - 1); // in which this part came
        if (!isSum) {
          if (done && back < 0 && one === partSent(d, done))
            there.push({ block, device: one, alpha: VISIT, box: boxOf(plan, d, block) });
        } else if (isComplete(N, d, one, done)) there.push(sum(d, block, range(N)));
        else if (round < Math.min(done, N - 1)) there.push(sum(d, block, adders(d, round + 2)));
      }
    if (isThere) continue;
    for (const [k, block] of parts[part].entries()) {
      const piece = isSum ? sum(d, block, adders(d, Math.min(N, step + 1))) : { block, device: part, alpha: 1 };
      const ends = [d, next].map((one) => boxOf(plan, one, block));
      const box = packetAt(plan, ends, way, now, k, parts[part].length, block.sheet.startsWith("W"));
      flying.push({ ...piece, box });
    }
  }
  return { flying, there };
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
