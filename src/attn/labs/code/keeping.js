// What a reader has typed stays in the browser until it is reset: for each lab of each page.

const keyOf = (/** @type {string} */ id) => `attn:code:${location.pathname.split("/").slice(-2).join("/")}#${id}`;

/**
 * Keep the settings of a lab that differ from those of the page; none forgets them. A browser that refuses keeps nothing.
 *
 * @param {string} id of the lab
 * @param {Record<string, any>} settings
 */
export function keep(id, settings) {
  try {
    if (Object.keys(settings).length) localStorage[keyOf(id)] = JSON.stringify(settings);
    else localStorage.removeItem(keyOf(id));
  } catch {}
}

/**
 * @param {string} id
 * @returns {Record<string, any>}
 */
export function kept(id) {
  try {
    return { ...JSON.parse(localStorage[keyOf(id)] ?? "{}") };
  } catch {
    return {};
  }
}
