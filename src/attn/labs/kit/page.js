// A built page has no kernel. Each container of a lab carries the lab's traits, from which this module makes a model that the lab can
// be rendered with.

/** @typedef {Record<string, any>} Traits */

/**
 * Where the settings of a lab stay, if not only on the open page.
 *
 * @typedef {object} Links
 * @property {(settings: Traits) => Promise<Traits>} write the settings as a link has them
 * @property {(settings: Traits) => Promise<Traits>} read them again; what cannot be read is an Error with a sentence
 * @property {(id: string, settings: Traits) => void} keep the settings that the reader has changed until the page is opened again
 * @property {(id: string) => Traits} kept these
 */

/** Has what a lab uses of anywidget's model, and links to settings. See the type Model of host.js. */
class PageModel {
  /**
   * @param {string} id of the container
   * @param {Traits} traits
   * @param {Links} [links]
   */
  constructor(id, traits, links) {
    this.id = id;
    this.initial = traits;
    this.links = links;
    const given = links ? validOf(traits, Object.entries(links.kept(id))) : fromLink(id, traits);
    this.traits = { ...traits, ...given };
    this.isAsGiven = Object.keys(given).length > 0; // are the settings those of the address, or those that were kept?
    /** @type {Record<string, (() => void)[]>} */
    this.listeners = {};
    /** @type {Set<string>} */
    this.changed = new Set();
    this.isFollowing = false; // are the settings those of the address?
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
    if (!name.startsWith("_") && this.traits._message) this.set("_message", ""); // what is changed next answers it
    if (this.traits[name] === value) return;
    this.isAsGiven = this.isFollowing;
    this.traits[name] = value;
    this.changed.add(name);
  }

  save_changes() {
    const events = [...this.changed].map((name) => `change:${name}`);
    if ([...this.changed].some(isSetting)) this.keep();
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
    const changed = changedFrom(this.initial, settings);
    const show = (/** @type {Traits} */ written) => {
      history.replaceState(null, "", addressOf(this.id, written));
      return location.href;
    };
    return this.links ? this.links.write(changed).then(show) : show(changed);
  }

  /** Keep what the reader has changed. An address with other settings would hide it when the page is opened again. */
  keep() {
    if (!this.links || this.isFollowing) return;
    const settings = Object.fromEntries(Object.entries(this.traits).filter(([name]) => isSetting(name)));
    this.links.keep(this.id, changedFrom(this.initial, settings));
    if (isNamed(this)) history.replaceState(null, "", location.href.replace(/#.*/, ""));
  }

  /** Take the settings from the page's address, and the initial ones for what the address does not name. */
  followAddress() {
    const found = fromLink(this.id, this.initial);
    const take = (/** @type {Traits} */ settings) => {
      this.isFollowing = true;
      for (const [name, value] of Object.entries({ ...this.initial, ...settings })) this.set(name, value);
      this.save_changes();
      this.isFollowing = false;
    };
    if (!this.links) return take(found);
    return this.links.read(found).then(take, ({ message }) => take({ _message: message }));
  }

  /**
   * The lab cannot be drawn. If that is the address's fault, go back to the initial settings.
   *
   * @param {string[]} [names] of those that are at fault; without them all go back
   */
  refuse(names) {
    if (!this.isAsGiven) return false;
    for (const name of names ?? Object.keys(this.initial)) this.set(name, this.initial[name]);
    this.save_changes();
    this.isAsGiven = Boolean(names); // the others are still those of the address
    return true;
  }
}

/**
 * The fragment with the settings that differ from the initial ones: #lab-1?B=2&L=9. One that is now null has no value: #lab-1?pin=.
 *
 * @param {string} id
 * @param {Traits} settings
 * @param {Traits} initial
 */
export function toLink(id, settings, initial) {
  return addressOf(id, changedFrom(initial, settings));
}

/**
 * @param {Traits} initial
 * @param {Traits} settings
 */
function changedFrom(initial, settings) {
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name])),
  );
}

/**
 * @param {string} id
 * @param {Traits} settings
 */
function addressOf(id, settings) {
  const parts = Object.entries(settings).map(
    ([name, value]) =>
      `${name}=${value === null ? "" : encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
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
  /**
   * @param {[string, string]} setting
   * @returns {[string, any]}
   */
  const read = ([name, text]) => [name, typeof traits[name] === "string" ? text : parse(text)];
  return validOf(traits, [...new URLSearchParams(settings)].map(read));
}

/**
 * Those of these settings that the lab takes.
 *
 * @param {Traits} traits
 * @param {[string, any][]} settings
 * @returns {Traits}
 */
function validOf(traits, settings) {
  const {
    _limits: limits,
    _schema: { choices = {}, optional = {} },
  } = traits;
  /** @param {[string, any]} setting */
  const isValid = ([name, value]) => {
    if (!Object.hasOwn(traits, name) || !isSetting(name)) return false;
    if (value === null) return name in optional;
    if (name in choices) return choices[name].includes(value);
    if (name in limits) return Number.isInteger(value) && value >= limits[name][0] && value <= limits[name][1];
    return kindOf(value) === (optional[name] ?? kindOf(traits[name]));
  };
  return Object.fromEntries(settings.filter(isValid));
}

const isSetting = (/** @type {string} */ name) => !name.startsWith("_");

/** @param {any} value */
const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text || "null");
  } catch {
    return text;
  }
}

/**
 * Render these labs into their containers. (A lab whose script is loaded later has a script of its own, which does the same.)
 *
 * @param {Record<string, { render: (place: { model: PageModel, el: HTMLElement }) => void, links?: Links }>} labs by the names of their folders
 */
export function renderAll(labs) {
  /** @type {Map<HTMLElement, PageModel>} */
  const rendered = new Map();
  for (const [n, el] of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".attn-lab[data-lab]")).entries()) {
    el.id ||= `lab-${n + 1}`;
    if (!Object.hasOwn(labs, el.dataset.lab ?? "")) continue;
    try {
      const lab = labs[el.dataset.lab ?? ""];
      const model = new PageModel(el.id, JSON.parse(el.dataset.state ?? ""), lab.links);
      const render = () => lab.render({ model, el });
      if (lab.links && isNamed(el)) model.followAddress()?.then(render).catch(reportError);
      else render();
      rendered.set(el, model);
    } catch (error) {
      reportError(error); // this container keeps its fallback, and the other labs are rendered
    }
  }
  const inAddress = () => [...rendered].filter(([el]) => isNamed(el));
  for (const [el] of inAddress()) el.scrollIntoView();
  addEventListener("hashchange", () => {
    for (const [el, model] of inAddress()) {
      model.followAddress();
      el.scrollIntoView();
    }
  });
}

/** Whether the address has settings of this container. @param {{ id: string }} el */
const isNamed = ({ id }) => location.hash.startsWith(`#${id}?`);
