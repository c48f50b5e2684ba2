// What every lab does: keep its settings in the widget's model, get the results (computed here or by the kernel), draw, announce,
// reset and share.

import { watchAppearance } from "./appearance.js";
import { COLOURS } from "./colours.js";
import { element, highlightAxes } from "./dom.js";
import { fromFloat16 } from "./math.js";
import { savePicture } from "./picture.js";
import { asCode, copyButton } from "./share.js";
import { activateTries } from "./tries.js";

/**
 * The model that a lab is rendered with: anywidget's, or the one that kit/page.js makes for a page without a kernel.
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {Record<string, any>} [initial] only on a page: the settings before those of the link
 * @property {(settings: Record<string, any>) => string | Promise<string>} [link] only on a page: the link to these settings
 * @property {(names?: string[]) => boolean} [refuse] only on a page: go back from these settings of the address, or from all, if they
 *   are the present ones
 */

/**
 * What the host offers to a view.
 *
 * @typedef {object} Tools
 * @property {HTMLElement} root
 * @property {() => Record<string, [number, number]>} limits
 * @property {(name: string) => any} get the value of a setting
 * @property {(name: string) => any} initial its value that *reset* brings back
 * @property {(changes: Record<string, any>) => void} set
 * @property {(changes: Record<string, any>) => void} perform an experiment: set these, and show what happens, also if they hold already
 * @property {(sentence: string) => void} say to screen readers, as soon as the reader stops moving
 * @property {(sentence: string) => void} announce say what is drawn now, if it is not what was announced last. What a lab shows when it
 *   is opened is not said.
 * @property {() => Record<string, any> | null} exact what the kernel's `Lab.exact` returned for the settings that are drawn
 * @property {() => boolean} isFromKernel whether the results that are drawn came from a kernel: see `Lab.PRECISION`
 */

/**
 * `draw` gets the results of exactly these settings, or null while there are none. `drawExact` is called when only the exact
 * numbers have changed. A view whose controls hold more than the settings, such as a text that is being typed, clears that in `restart`.
 *
 * @typedef {object} View
 * @property {HTMLElement} node
 * @property {(settings: any, results: any) => void} draw
 * @property {() => void} [drawExact]
 * @property {() => void} [restart]
 * @property {HTMLElement[]} [actions] further buttons of the lab, beside those that every lab has
 * @property {(changes: Record<string, any>) => void} [perform] called after an experiment has set these, so that its move can be played
 */

/** @typedef {{ settings: any, results: any, message?: string, source?: object }} Answer source: what the kernel sent */

const PATIENCE = 2000; // milliseconds that a kernel may owe an answer, before the browser computes in its place

/**
 * Make a lab. Python sends the names of its settings with the model, as `_schema`: those in `state` decide the results, those in
 * `view` change only what is drawn, and nobody changes those in `constants`.
 *
 * @param {object} lab
 * @param {string} lab.title what the lab is, for screen readers
 * @param {(settings: any) => any} [lab.compute] the results; throws an Error with a sentence for the reader
 * @param {(settings: any, place: Model) => Promise<any>} [lab.ask] on a page, in place of compute: the results from a worker
 * @param {string} [lab.made] how the browser or the kernel makes what is shown
 * @param {Record<string, (value: any) => boolean>} [lab.takes] for settings of which no schema says enough: whether this is one
 * @param {(tools: Tools) => View} lab.build called once for each place where the lab is shown
 */
export function makeLab({ title, compute, ask, made = "computed", takes = {}, build }) {
  /** @param {{ model: Model, el: HTMLElement }} place */
  function render({ model, el }) {
    const schema = model.get("_schema");
    const backend = model.get("_backend"); // what computes; empty on a page, where the browser does
    /** @param {string[]} names */
    const read = (names) => Object.fromEntries(names.map((name) => [name, model.get(name)]));
    const settingNames = [...schema.state, ...schema.view];
    const constants = read(schema.constants);
    const initial = model.initial ?? read(settingNames);
    const root = element("div", { class: "attn-lab-root", role: "group", "aria-label": title, "data-name": schema.name });
    const problem = element("p", { class: "problem", role: "alert", hidden: true });
    const liveRegion = element("span", { class: "live-region", role: "status" });
    let speech = 0;
    /** @type {string | null} */
    let announced = null;
    let frame = 0;
    /** @type {Answer | null} */
    let last = null;
    let asked = ""; // the settings for which a worker was asked last
    let patience = 0; // a timer, while the kernel owes an answer
    let isAlone = false; // has the kernel owed it for too long? Then the browser computes until it answers.

    /** @type {Tools} */
    const tools = {
      root,
      limits: () => model.get("_limits"),
      get: (name) => model.get(name),
      initial: (name) => initial[name],
      set(changes) {
        for (const [name, value] of Object.entries(changes)) model.set(name, value);
        model.save_changes();
      },
      perform(changes) {
        tools.set(changes);
        view.perform?.(changes);
      },
      say(sentence) {
        clearTimeout(speech);
        speech = setTimeout(() => {
          liveRegion.textContent = sentence;
        }, 400);
      },
      announce(sentence) {
        if (announced !== null && announced !== sentence) tools.say(sentence);
        announced = sentence;
      },
      exact() {
        const exact = model.get("_exact");
        return last && exact?.state && haveSameResults(exact.state, last.settings) ? exact : null;
      },
      isFromKernel: () => Boolean(backend && last?.source),
    };
    const view = build(tools);
    const positional = model.get("_positional"); // null: what the lab was made from has no name
    const share = copyButton(backend ? "code" : "link", address, tools.say);
    share.button.hidden = Boolean(backend) && positional === null;
    const reset = element("button", { type: "button", onclick: restart }, "reset");
    const [who, why] = [element("b", {}, backend || "your browser"), element("span")];
    const computedBy = element("span", { class: "backend" }, `${made} by `, who, why);
    const save = element(
      "button",
      { type: "button", onclick: async () => savePicture(root, title, await address(), draw) },
      "save picture",
    );
    const actions = [reset, share.button, share.field, ...(view.actions ?? []), save];
    root.append(problem, view.node, element("footer", {}, computedBy, ...actions, liveRegion));
    root.addEventListener("attn-try", (event) => tools.perform(/** @type {CustomEvent} */ (event).detail));
    // In JupyterLab the keys of what has the focus would move from cell to cell instead, and a slider would stay where it is.
    const keepKeys = (/** @type {any} */ { target }) => target.setAttribute("data-lm-suppress-shortcuts", "");
    if (backend) root.addEventListener("focusin", keepKeys);
    COLOURS.forEach((colour, n) => root.style.setProperty(`--lab-colour-${n}`, colour));
    highlightAxes();

    /** What leads a reader to this lab: on a page the link to it, in Jupyter the code. */
    function address() {
      return backend ? asCode(schema.name, read(settingNames), positional ?? []) : (model.link?.(read(settingNames)) ?? "");
    }

    function restart() {
      view.restart?.();
      tools.set(Object.fromEntries(settingNames.map((name) => [name, initial[name]])));
      share.field.hidden = true;
      tools.say("reset");
    }

    /**
     * @param {any} a
     * @param {any} b
     */
    const haveSameResults = (a, b) =>
      schema.state.every(
        (/** @type {string} */ name) => a[name] === b[name] || JSON.stringify(a[name]) === JSON.stringify(b[name]),
      );

    /** Has the kernel or the worker sent the results of these settings? @param {any} settings */
    const isAnswered = (settings) => haveSameResults(model.get("_answer")?.state ?? {}, settings);

    /**
     * Ask a worker for the results of these settings. It answers as a kernel does.
     *
     * @param {any} settings
     */
    function request(settings) {
      const key = JSON.stringify(settings);
      if (!ask || key === asked) return;
      asked = key;
      ask({ ...constants, ...settings }, model).then((tensors) => {
        if (key !== asked) return;
        model.set("_answer", { state: settings, tensors });
        model.save_changes();
      });
    }

    /**
     * The results of these settings: computed here, or sent by the kernel or the worker; null if it has not answered yet.
     *
     * @param {any} settings
     * @returns {Answer | null}
     */
    function answerTo(settings) {
      if (backend || ask) {
        const source = model.get("_answer");
        if (isAnswered(settings)) {
          if (last?.source === source) return last;
          return { settings, source, results: unpack(source.tensors, schema.precision) };
        }
        if (!backend) request(Object.fromEntries(schema.state.map((/** @type {string} */ name) => [name, settings[name]])));
        if (!isAlone) return null;
      }
      if (!compute) return null;
      if (last && haveSameResults(last.settings, settings)) return last;
      try {
        return { settings, results: compute({ ...constants, ...settings }) };
      } catch (error) {
        return { settings, results: null, message: error instanceof Error ? error.message : String(error) };
      }
    }

    /** Draw, and say who computes. @param {boolean} alone whether the kernel does not answer: it may be busy with another cell, or dead */
    function goOn(alone) {
      if (ask && !backend)
        draw(); // before the next frame, which then has only to paint it
      else redraw();
      if (alone === isAlone) return;
      isAlone = alone;
      if (compute) who.textContent = alone ? "your browser" : backend;
      why.textContent = alone ? ": the kernel does not answer" : "";
      tools.say(computedBy.innerText);
    }

    /** The kernel has answered. It is back if it knows these settings, or refuses them. */
    const hear = () => goOn(isAlone && !model.get("_message") && !isAnswered(read(schema.state)));

    function draw() {
      cancelAnimationFrame(frame);
      frame = 0;
      const settings = read(settingNames);
      const wrong = Object.keys(takes).filter((name) => !takes[name](settings[name]));
      if (wrong.length && model.refuse?.(wrong)) return draw();
      const answer = answerTo(settings);
      last = answer ?? last;
      if (answer?.source) {
        clearTimeout(patience);
        patience = 0;
      } else if (backend && !isAlone) patience ||= setTimeout(goOn, PATIENCE, true);
      const message = (isAlone ? "" : model.get("_message")) || answer?.message || "";
      if (problem.textContent !== message) problem.textContent = message;
      problem.hidden = !message;
      root.setAttribute("aria-busy", String(!answer));
      try {
        view.draw({ ...constants, ...settings }, answer?.results ?? null);
      } catch (error) {
        if (!model.refuse?.()) throw error;
      }
      root.dispatchEvent(new CustomEvent("attn-drawn", { bubbles: true }));
    }
    const redraw = () => {
      if (ask && !backend) answerTo(read(settingNames)); // the worker begins before the next frame
      frame ||= requestAnimationFrame(draw);
    };

    const drawExact = () => {
      if (!frame) view.drawExact?.();
    };

    const events = [...settingNames, "_limits"].map((name) => `change:${name}`);
    const answers = ["change:_answer", "change:_message"];
    for (const event of events) model.on(event, redraw);
    for (const event of answers) model.on(event, hear);
    model.on("change:_exact", drawExact);
    el.replaceChildren(root);
    const stopWatching = watchAppearance(root, redraw);
    activateTries(document);
    const rendered = new MutationObserver(() => activateTries(document)); // JupyterLab renders text again when it is edited
    if (backend) rendered.observe(document.body, { childList: true, subtree: true });
    draw();
    return () => {
      for (const event of events) model.off(event, redraw);
      for (const event of answers) model.off(event, hear);
      clearTimeout(patience);
      model.off("change:_exact", drawExact);
      stopWatching();
      rendered.disconnect();
      cancelAnimationFrame(frame);
      clearTimeout(speech);
    };
  }
  return { render, compute };
}

/**
 * The results as the kernel sent them: a DataView holds the numbers of a tensor, anything else is the value itself.
 *
 * @param {Record<string, any>} tensors
 * @param {"float32" | "float16"} precision
 */
function unpack(tensors, precision) {
  const arrays = Object.entries(tensors).map(([name, value]) => {
    if (!(value instanceof DataView)) return [name, value];
    const bytes = value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
    return [name, precision === "float16" ? fromFloat16(new Uint16Array(bytes)) : new Float32Array(bytes)];
  });
  return Object.fromEntries(arrays);
}
