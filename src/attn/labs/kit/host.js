// What every lab does: keep its state in the model, have it computed (here, or by the kernel), draw, say, reset, share.

import { element, lightAxes } from "./dom.js";

// title: what the lab is, for screen readers. The names of its settings come from Python with the model, as _schema: `state`, on
// which the result depends, `view`, which changes only what is drawn, and `constants`, which nobody changes.
// compute(settings) -> results, throws an Error with a sentence for the reader; build(tools) -> { node, draw(settings, results) },
// called once per view. draw gets the results of exactly these settings, or null while there are none. A view that holds what is no
// setting, such as a text that is being typed, forgets it when its `restart` is called.
export function makeLab({ title, compute, build }) {
  function render({ model, el }) {
    const { name, state, view: looks, constants } = model.get("_schema");
    const kernel = model.get("_side");
    const given = Object.fromEntries(constants.map((key) => [key, model.get(key)]));
    const now = () => Object.fromEntries([...state, ...looks].map((key) => [key, model.get(key)]));
    const initial = model.initial ?? now();
    const root = element("div", { class: "attn-lab-root", role: "group", "aria-label": title });
    const problem = element("p", { class: "problem", role: "alert", hidden: true });
    const spoken = element("span", { class: "spoken", role: "status" });
    let frame = 0;
    let speech = 0;
    let computed = null; // { of: settings, results, problem }

    const tools = {
      root,
      limits: () => model.get("_limits"),
      get: (key) => model.get(key),
      set(changes) {
        for (const [key, value] of Object.entries(changes)) model.set(key, value);
        model.save_changes();
      },
      // A sentence for screen readers, once the reader stops moving.
      say(text) {
        clearTimeout(speech);
        speech = setTimeout(() => (spoken.textContent = text), 400);
      },
    };
    const view = build(tools);
    const reset = element("button", { type: "button", onclick: restart }, "reset");
    const before = model.get("_given"); // null: what the lab was made from has no name
    const written = kernel ? "copy code" : "copy link";
    const share = element("button", { type: "button", onclick: copyLink, hidden: Boolean(kernel) && before === null }, written);
    const shared = element("input", { class: "shared", readonly: true, "aria-label": kernel ? "code" : "link", hidden: true });
    const side = element("span", { class: "side" }, "computed by ", element("b", {}, kernel || "your browser"));
    root.append(problem, view.node, element("footer", {}, side, reset, share, shared, spoken));
    lightAxes(root);

    function restart() {
      view.restart?.();
      tools.set(Object.fromEntries([...state, ...looks].map((key) => [key, initial[key]])));
      shared.hidden = true;
      tools.say("reset");
    }

    // The setting as a link to this page, or as a line of Python. Where the clipboard is closed it can be copied by hand.
    async function copyLink() {
      const text = kernel ? asCode(name, now(), before) : model.link(now());
      try {
        await navigator.clipboard.writeText(text);
        share.dataset.done = "copied";
        setTimeout(() => delete share.dataset.done, 1500);
        tools.say("copied");
      } catch {
        shared.value = text;
        shared.hidden = false;
        shared.focus();
        shared.select();
      }
    }

    const same = (a, b) => state.every((key) => a[key] === b[key] || JSON.stringify(a[key]) === JSON.stringify(b[key]));

    // What belongs to the settings: computed here, or the kernel's answer if it answers what the controls say now (late
    // answers are dropped).
    function answerTo(settings) {
      if (kernel) {
        const answer = model.get("_answer");
        if (!answer?.state || !same(answer.state, settings)) return null;
        if (computed?.answer === answer) return computed;
        return { of: settings, answer, results: unpack(answer.tensors) };
      }
      if (computed && same(computed.of, settings)) return computed;
      try {
        return { of: settings, results: compute({ ...given, ...settings }) };
      } catch (error) {
        return { of: settings, results: null, problem: error.message };
      }
    }

    function draw() {
      frame = 0;
      const settings = now();
      const fresh = answerTo(settings);
      computed = fresh ?? computed;
      const message = model.get("_message") || fresh?.problem || "";
      if (problem.textContent !== message) problem.textContent = message;
      problem.hidden = !message;
      root.setAttribute("aria-busy", String(!fresh));
      view.draw({ ...given, ...settings }, fresh?.results ?? null);
      root.dispatchEvent(new CustomEvent("attn-drawn", { bubbles: true }));
    }
    const redraw = () => (frame ||= requestAnimationFrame(draw));

    let width = 0;
    const resized = new ResizeObserver(() => {
      if (root.clientWidth === width) return; // the lab's own height changes whenever it draws
      width = root.clientWidth;
      redraw();
    });
    const events = [...state, ...looks, "_answer", "_message", "_limits"].map((key) => `change:${key}`);
    events.forEach((event) => model.on(event, redraw));
    el.replaceChildren(root);
    width = root.clientWidth;
    draw();
    resized.observe(root);
    const themed = new MutationObserver(redraw); // what is drawn on a canvas does not follow the theme by itself
    for (const node of [document.documentElement, document.body])
      themed.observe(node, { attributeFilter: ["data-theme", "data-jp-theme-light"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    return () => {
      events.forEach((event) => model.off(event, redraw));
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", redraw);
      cancelAnimationFrame(frame);
      clearTimeout(speech);
    };
  }
  return { render, compute };
}

// Results as they come from the kernel: a DataView holds the float32 numbers of a tensor; anything else is as it is.
function unpack(tensors) {
  const arrays = Object.entries(tensors).map(([name, value]) => {
    if (!(value instanceof DataView)) return [name, value];
    return [name, new Float32Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength))];
  });
  return Object.fromEntries(arrays);
}

// The Python that makes a lab with these settings: ShapeLab(B=2, L=9, causal=True). before: what comes before them, as Python.
export function asCode(name, settings, before = []) {
  const spell = (value) => {
    if (Array.isArray(value)) return `[${value.map(spell).join(", ")}]`;
    return value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);
  };
  return `${name}(${[...before, ...Object.entries(settings).map(([key, value]) => `${key}=${spell(value)}`)].join(", ")})`;
}
