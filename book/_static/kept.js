// What the book keeps in the reader's browser. A value that is damaged counts as none. A browser that refuses to keep anything keeps it
// for as long as the page is open.
globalThis.attnKept = (() => {
  const ours = new Map();
  /** @param {(store: Storage) => any} use @param {() => any} otherwise */
  const attempt = (use, otherwise) => {
    try {
      return use(localStorage);
    } catch {
      return otherwise();
    }
  };
  const text = (key) =>
    ours.get(key) ??
    attempt(
      (store) => store.getItem(key),
      () => null,
    );
  const kind = (value) => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);
  return {
    text,
    /** The value under this key, if it is of the same kind as `otherwise`. */
    get(key, otherwise) {
      let value;
      try {
        value = JSON.parse(text(key));
      } catch {}
      return kind(value) === kind(otherwise) ? value : otherwise;
    },
    set(key, value) {
      const written = typeof value === "string" ? value : JSON.stringify(value);
      ours.delete(key);
      attempt(
        (store) => store.setItem(key, written), // refused by a full store, too
        () => ours.set(key, written),
      );
    },
    forget(key) {
      ours.delete(key);
      attempt(
        (store) => store.removeItem(key),
        () => null,
      );
    },
    keys() {
      const stored = attempt(
        (store) => Object.keys(store),
        () => [],
      );
      return [...new Set([...stored, ...ours.keys()])];
    },
  };
})();
