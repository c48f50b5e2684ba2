// A built page has no kernel. Each container of a lab carries its state; here it becomes a model that a lab can be rendered with.

class PageModel {
  constructor(id, traits) {
    this.id = id;
    this.initial = traits;
    this.traits = { ...traits, ...fromLink(id, traits) };
    this.watchers = {};
    this.changed = new Set();
  }
  get(name) {
    return this.traits[name];
  }
  set(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    this.changed.add(name);
  }
  save_changes() {
    const events = [...this.changed].map((name) => `change:${name}`);
    this.changed.clear();
    for (const event of events) for (const watcher of this.watchers[event] ?? []) watcher();
  }
  on(event, watcher) {
    (this.watchers[event] ??= []).push(watcher);
  }
  off(event, watcher) {
    this.watchers[event] = (this.watchers[event] ?? []).filter((one) => one !== watcher);
  }
  // The address of this page with this lab at this setting; the page starts from it when it is opened.
  link(settings) {
    history.replaceState(null, "", toLink(this.id, settings, this.initial));
    return location.href;
  }
  // Go where the page's address says, back to the start where it says nothing.
  follow() {
    for (const [name, value] of Object.entries({ ...this.initial, ...fromLink(this.id, this.initial) })) this.set(name, value);
    this.save_changes();
  }
}

// The fragment that says what differs: #lab-1?B=2&L=9.
export function toLink(id, settings, initial) {
  const parts = Object.entries(settings)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]))
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`);
  return `#${id}?${parts.join("&")}`;
}

// What a fragment says about a lab. Values that do not fit the lab's own are left out.
export function fromLink(id, traits, fragment = globalThis.location?.hash ?? "") {
  const [target, settings = ""] = fragment.slice(1).split("?");
  if (target !== id) return {};
  const limits = traits._limits ?? {};
  const fits = ([name, value]) => {
    if (!Object.hasOwn(traits, name) || name.startsWith("_")) return false;
    if (name in limits && value !== null) return Number.isInteger(value) && value >= limits[name][0] && value <= limits[name][1];
    return value === null || traits[name] === null || kindOf(value) === kindOf(traits[name]);
  };
  const read = ([name, text]) => [name, typeof traits[name] === "string" ? text : parse(text)];
  return Object.fromEntries([...new URLSearchParams(settings)].map(read).filter(fits));
}

const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function renderAll(labs) {
  const alive = new Map();
  document.querySelectorAll(".attn-lab[data-lab]").forEach((el, n) => {
    el.id ||= `lab-${n + 1}`;
    try {
      const model = new PageModel(el.id, JSON.parse(el.dataset.state));
      labs[el.dataset.lab].render({ model, el });
      alive.set(el, model);
    } catch (error) {
      reportError(error); // the other labs of the page, and what stands in this container, stay
    }
  });
  const named = () => [...alive].filter(([el]) => location.hash.startsWith(`#${el.id}?`));
  for (const [el] of named()) el.scrollIntoView();
  addEventListener("hashchange", () => {
    for (const [el, model] of named()) {
      model.follow();
      el.scrollIntoView();
    }
  });
}
