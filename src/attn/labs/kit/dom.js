// Small helpers that make elements. A lab is plain HTML: native inputs with labels, in the order in which they are used.

/** @typedef {Record<string, any>} Attributes a function is a listener ("onclick"); false, null and undefined are left out */

/**
 * Make an element: element("label", { class: "slider", oninput: move }, child, "text").
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/**
 * Set attributes, but only those that change: a browser lays out again whatever is touched.
 *
 * @param {Element} node
 * @param {Record<string, string | number>} attributes
 */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Make the children of a node, one for each key; those whose key is what it was before stay as they are. Returns the keys.
 *
 * @param {Element} node
 * @param {readonly string[]} before
 * @param {string[]} keys
 * @param {(n: number) => Element} make
 */
export function renewChildren(node, before, keys, make) {
  keys.forEach((key, n) => {
    if (n >= node.childElementCount) node.append(make(n));
    else if (key !== before[n]) node.children[n].replaceWith(make(n));
  });
  while (node.childElementCount > keys.length) node.lastElementChild?.remove();
  return keys;
}

/**
 * Set the text of a node, but only if it changes. Replacing the data of an existing text node costs the browser less than a new one.
 *
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent === text) return;
  const [child] = node.childNodes;
  if (text && node.childNodes.length === 1 && child instanceof Text) child.data = text;
  else node.textContent = text;
}

/**
 * Give a node `count` children: make(n) makes the missing ones at the end, and surplus ones are removed there.
 *
 * @param {Element} node
 * @param {number} count
 * @param {(n: number) => Node} make
 */
export function setChildCount(node, count, make) {
  while (node.childElementCount > count) node.lastElementChild?.remove();
  while (node.childElementCount < count) node.append(make(node.childElementCount));
}

/**
 * An axis letter in its colour. Pointing at it highlights everything about that axis: see `highlightAxes`.
 *
 * @param {string} axis
 */
export function letter(axis) {
  return element("b", { class: "ax", "data-axis": axis }, axis);
}

/**
 * A shape in letters: "B H L S" as (B, H, L, S), "B L H·D" as (B, L, H·D).
 *
 * @param {string} axes
 */
export function letters(axes) {
  const parts = axes
    .split(" ")
    .flatMap((axis, at) => [at ? ", " : "(", ...axis.split("·").flatMap((one, n) => (n ? ["·", letter(one)] : [letter(one)]))]);
  return element("span", { class: "axes" }, ...parts, ")");
}

/**
 * Pointing at a letter anywhere on the page, or focusing its control, highlights that axis everywhere on the page: in every lab, table
 * and sentence. Listens once, however many labs there are.
 */
export function highlightAxes() {
  const page = document.documentElement;
  const data = page.dataset;
  if ("lit" in data) return;
  data.lit = "";
  let at = "";
  /** @param {{ target?: EventTarget | null }} event */
  const highlight = ({ target }) => {
    const axis = (target instanceof Element && target.closest("[data-axis]")?.getAttribute("data-axis")) || "";
    if (data.lit !== axis) data.lit = axis;
  };
  document.addEventListener("pointerover", (event) => {
    const now = `${[event.x, event.y]}`;
    if (now !== at) highlight(event); // else the page has moved below a pointer that rests
    at = now;
  });
  document.addEventListener("focusin", highlight);
  for (const event of ["pointerleave", "focusout"]) page.addEventListener(event, () => highlight({}));
}

/**
 * A slider for the size of an axis or, if `axis` is null, for any other whole number. `update` sets its value and limits without an
 * event; `text` is what it shows instead of the value, `others` what else it will show: the track keeps its length, so that the
 * thumb never moves against the hand.
 *
 * @param {string | null} axis
 * @param {string} meaning
 * @param {(value: number) => void} onInput
 */
export function slider(axis, meaning, onInput) {
  const input = element("input", { type: "range", step: 1, oninput: () => onInput(Number(input.value)) });
  const output = element("output", { "aria-hidden": "true" });
  const name = element("span", {}, ...(axis ? [letter(axis), " "] : []), meaning);
  let room = "";
  const node = element("label", { class: "slider", "data-axis": axis }, name, input, output);
  /**
   * @param {number} value
   * @param {readonly [number, number]} limits
   * @param {string} [text]
   * @param {string[]} [others]
   */
  function update(value, [least, most], text = String(value), others = []) {
    if (input.min !== String(least)) input.min = String(least);
    if (input.max !== String(most)) input.max = String(most);
    if (input.value !== String(value)) input.value = String(value);
    fillTrack(input);
    input.disabled = least === most;
    input.setAttribute("aria-valuetext", text);
    setText(output, text);
    for (const one of [text, String(least), String(most), ...others]) if (one.length > room.length) room = one;
    setAttributes(output, { "data-room": room });
  }
  return { node, input, update };
}

/**
 * Fill the track of a slider up to its value: dom.css draws it, since no browser has a style for this part that others know.
 *
 * @param {HTMLInputElement} input
 */
export function fillTrack({ style, min, max, valueAsNumber }) {
  style.setProperty("--at", `${(100 * (valueAsNumber - Number(min))) / (Number(max) - Number(min) || 1)}%`);
}

/**
 * A checkbox.
 *
 * @param {string} text
 * @param {(on: boolean) => void} onChange
 */
export function toggle(text, onChange) {
  const input = element("input", { type: "checkbox", onchange: () => onChange(input.checked) });
  const node = element("label", { class: "switch" }, input, element("span", {}, text));
  /** @param {boolean} on */
  const update = (on) => {
    input.checked = on;
  };
  return { node, input, update };
}

/**
 * One of several: radio buttons in a fieldset.
 *
 * @template {string | number} Value
 * @param {string} name
 * @param {string | Node} title
 * @param {(readonly [Value, string | Node])[]} options each a value and its text
 * @param {(value: Value) => void} onChange
 */
export function choice(name, title, options, onChange) {
  const inputs = options.map(([value]) => element("input", { type: "radio", name, value, onchange: () => onChange(value) }));
  const labels = options.map(([, text], n) => element("label", { class: "switch" }, inputs[n], element("span", {}, text)));
  const node = element("fieldset", { class: "choice" }, element("legend", {}, title), ...labels);
  /** @param {Value} value */
  const update = (value) => {
    for (const input of inputs) input.checked = input.value === String(value);
  };
  return { node, inputs, update };
}

let ids = 0;

/**
 * An id that no other element of the page has.
 *
 * @param {string} stem
 */
export function unique(stem) {
  ids += 1;
  return `${stem}-${ids}`;
}

/** @type {Record<string, [axis: string, text: string]>} */
const COLOURINGS = {
  ...{ value: ["", "value"], head: ["H", "head"], word: ["L", "word"], token: ["L", "token"], key: ["S", "key"] },
  origin: ["", "head and word"],
};

/**
 * The switch of labs whose cells can be coloured either by their values or by where they come from.
 *
 * @param {readonly string[]} values of COLOURINGS
 * @param {(value: any) => void} onChange
 */
export function colourBy(values, onChange) {
  const named = values.map((value) => {
    const [axis, text] = COLOURINGS[value];
    return /** @type {const} */ ([value, axis ? element("span", {}, letter(axis), ` ${text}`) : text]);
  });
  return choice(unique("colour"), "colour by", named, onChange);
}

/**
 * The drawing context of a canvas.
 *
 * @param {HTMLCanvasElement} canvas
 */
export function context2d(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/** Pixels of a canvas for each CSS pixel: those of the screen, or more while a picture is saved. */
export const sharpness = () => Math.max(globalThis.devicePixelRatio || 1, sharpness.least);
sharpness.least = 1;
