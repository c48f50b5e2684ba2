// The page of tools/playground.py: renders the labs, and reloads when one of their files has changed.

import { renderAll } from "/kit/page.js";

const root = document.documentElement;
const models = {};
const kept = JSON.parse(sessionStorage.getItem("kept") ?? "{}");
sessionStorage.removeItem("kept");

// A lab whose module has an error is not rendered; the others are.
renderAll(Object.fromEntries([...document.querySelectorAll("[data-lab]")].map(({ dataset: { lab } }) => [lab, rendering(lab)])));
if (kept.scroll !== undefined) scrollTo(0, kept.scroll);

function rendering(lab) {
  return {
    render({ model, el }) {
      for (const name of settingsOf(model)) if (name in (kept.settings?.[lab] ?? {})) model.set(name, kept.settings[lab][name]);
      models[lab] = model;
      return views[lab]?.render({ model, el });
    },
  };
}

function settingsOf(model) {
  const { state, view } = model.get("_schema");
  return [...state, ...view];
}

const changes = new EventSource("/changes");
changes.onmessage = ({ data }) => {
  if (data === root.dataset.version) return;
  changes.close(); // the next message would start a second reload before this one ends
  const settings = Object.fromEntries(
    Object.entries(models).map(([lab, model]) => [
      lab,
      Object.fromEntries(settingsOf(model).map((name) => [name, model.get(name)])),
    ]),
  );
  sessionStorage.setItem("kept", JSON.stringify({ settings, scroll: scrollY }));
  location.reload();
};

// The theme and the width stay until the tab is closed.
function connect(id, apply, initially) {
  const box = document.querySelector(`#${id}`);
  box.checked = JSON.parse(sessionStorage.getItem(id) ?? String(initially));
  apply(box.checked);
  box.addEventListener("change", () => {
    sessionStorage.setItem(id, String(box.checked));
    apply(box.checked);
  });
}
connect("dark", (on) => (root.dataset.theme = on ? "dark" : "light"), matchMedia("(prefers-color-scheme: dark)").matches);
connect("phone", (on) => root.toggleAttribute("data-phone", on), false);
