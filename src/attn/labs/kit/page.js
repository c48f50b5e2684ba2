// A built page has no kernel. Each container of a lab carries the lab's traits, from which this module makes a model that the lab can
// be rendered with.

/** @typedef {Record<string, any>} Traits */

/** Has what a lab uses of anywidget's model, and links to settings. See the type Model of host.js. */
class PageModel {
  /**
   * @param {string} id of the container
   * @param {Traits} traits
   */
  constructor(id, traits) {
    this.id = id;
    this.initial = traits;
    this.traits = { ...traits, ...fromLink(id, traits) };
    /** @type {Record<string, (() => void)[]>} */
    this.listeners = {};
    /** @type {Set<string>} */
    this.changed = new Set();
  }

  /** @param {string} name */
  get(name) {
    return this.traits[name];
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  set(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    this.changed.add(name);
  }

  save_changes() {
    const events = [...this.changed].map((name) => `change:${name}`);
    this.changed.clear();
    for (const event of events) for (const listener of this.listeners[event] ?? []) listener();
  }

  /**
   * @param {string} event
   * @param {() => void} listener
   */
  on(event, listener) {
    this.listeners[event] = [...(this.listeners[event] ?? []), listener];
  }

  /**
   * @param {string} event
   * @param {() => void} listener
   */
  off(event, listener) {
    this.listeners[event] = (this.listeners[event] ?? []).filter((one) => one !== listener);
  }

  /**
   * The address of this page with this lab in these settings, which also becomes the address of the open page.
   *
   * @param {Traits} settings
   */
  link(settings) {
    history.replaceState(null, "", toLink(this.id, settings, this.initial));
    return location.href;
  }

  /** Take the settings from the page's address, and the initial ones for what the address does not name. */
  followAddress() {
    for (const [name, value] of Object.entries({ ...this.initial, ...fromLink(this.id, this.initial) })) this.set(name, value);
    this.save_changes();
  }
}

/**
 * The fragment with the settings that differ from the initial ones: #lab-1?B=2&L=9.
 *
 * @param {string} id
 * @param {Traits} settings
 * @param {Traits} initial
 */
export function toLink(id, settings, initial) {
  const parts = Object.entries(settings)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]))
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`);
  return `#${id}?${parts.join("&")}`;
}

/**
 * The settings of a lab that a fragment names. Values that the lab does not take are left out.
 *
 * @param {string} id
 * @param {Traits} traits
 * @param {string} [fragment]
 * @returns {Traits}
 */
export function fromLink(id, traits, fragment = globalThis.location?.hash ?? "") {
  const [target, settings = ""] = fragment.slice(1).split("?");
  if (target !== id) return {};
  const limits = traits._limits ?? {};
  /** @param {[string, any]} setting */
  const isValid = ([name, value]) => {
    if (!Object.hasOwn(traits, name) || name.startsWith("_")) return false;
    if (name in limits && value !== null) return Number.isInteger(value) && value >= limits[name][0] && value <= limits[name][1];
    return value === null || traits[name] === null || kindOf(value) === kindOf(traits[name]);
  };
  /**
   * @param {[string, string]} setting
   * @returns {[string, any]}
   */
  const read = ([name, text]) => [name, typeof traits[name] === "string" ? text : parse(text)];
  return Object.fromEntries([...new URLSearchParams(settings)].map(read).filter(isValid));
}

/** @param {any} value */
const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Render these labs into their containers. (A lab whose script is loaded later has a script of its own, which does the same.)
 *
 * @param {Record<string, { render: (place: { model: PageModel, el: HTMLElement }) => void }>} labs by the names of their folders
 */
export function renderAll(labs) {
  /** @type {Map<HTMLElement, PageModel>} */
  const rendered = new Map();
  for (const [n, el] of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".attn-lab[data-lab]")).entries()) {
    el.id ||= `lab-${n + 1}`;
    if (!Object.hasOwn(labs, el.dataset.lab ?? "")) continue;
    try {
      const model = new PageModel(el.id, JSON.parse(el.dataset.state ?? ""));
      labs[el.dataset.lab ?? ""].render({ model, el });
      rendered.set(el, model);
    } catch (error) {
      reportError(error); // this container keeps its fallback, and the other labs are rendered
    }
  }
  const inAddress = () => [...rendered].filter(([el]) => location.hash.startsWith(`#${el.id}?`));
  for (const [el] of inAddress()) el.scrollIntoView();
  addEventListener("hashchange", () => {
    for (const [el, model] of inAddress()) {
      model.followAddress();
      el.scrollIntoView();
    }
  });
}
