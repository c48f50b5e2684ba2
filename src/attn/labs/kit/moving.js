// Whether anything in a lab moves: its root has the attribute data-moving as long as one of its transitions or films does.

/** @type {WeakMap<HTMLElement, Set<unknown>>} */
const movers = new WeakMap();

/**
 * Say whether this mover moves now.
 *
 * @param {HTMLElement} root of the lab
 * @param {unknown} mover
 * @param {boolean} isMoving
 */
export function setMoving(root, mover, isMoving) {
  const all = movers.get(root) ?? new Set();
  if (isMoving) all.add(mover);
  else all.delete(mover);
  movers.set(root, all);
  root.toggleAttribute("data-moving", all.size > 0);
}
