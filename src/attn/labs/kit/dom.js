// Small helpers to make elements. A lab is plain HTML: native inputs, with labels, in the order in which they are used.

// element("label", { class: "slider", oninput: move }, child, "text"): attributes that are false or null are left out.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// Set the text of a node, but only if it changes: a browser lays out again whatever is touched. New words in the text that is there
// are less work for it than a new text.
export function setText(node, text) {
  if (node.textContent === text) return;
  if (text && node.childNodes.length === 1 && node.firstChild.nodeType === Node.TEXT_NODE) node.firstChild.data = text;
  else node.textContent = text;
}

// Have so many children: made by make(n) at the end, or taken away there.
export function fit(node, count, make) {
  while (node.childElementCount > count) node.lastElementChild.remove();
  while (node.childElementCount < count) node.append(make(node.childElementCount));
}

// An axis letter. Everything about one axis lights up together: see `lightAxes`.
export function letter(axis) {
  return element("b", { class: "ax", "data-axis": axis }, axis);
}

// A shape in letters: "B H L S" as (B, H, L, S), "B L H·D" as (B, L, H·D).
export function letters(axes) {
  const parts = axes
    .split(" ")
    .flatMap((axis, at) => [at ? ", " : "(", ...axis.split("·").flatMap((one, n) => (n ? ["·", letter(one)] : [letter(one)]))]);
  return element("span", { class: "axes" }, ...parts, ")");
}

// Pointing at a letter anywhere in the lab, or moving the focus to its control, lights up that axis everywhere in the lab.
export function lightAxes(root) {
  const light = (event) => {
    const at = event.target.closest?.("[data-axis]");
    if (root.dataset.lit === at?.dataset.axis) return;
    if (at) root.dataset.lit = at.dataset.axis;
    else delete root.dataset.lit;
  };
  root.addEventListener("pointerover", light);
  root.addEventListener("focusin", light);
  root.addEventListener("pointerleave", () => delete root.dataset.lit);
  root.addEventListener("focusout", () => delete root.dataset.lit);
}

// A slider for the size of an axis, or with axis null for any other whole number. `update` moves it and its limits without an
// event; `text` is what it shows for the value.
export function slider(axis, meaning, onInput) {
  const input = element("input", { type: "range", step: 1, oninput: () => onInput(Number(input.value)) });
  const shown = element("output", { "aria-hidden": "true" });
  const name = element("span", {}, ...(axis ? [letter(axis), " "] : []), meaning);
  const node = element("label", { class: "slider", "data-axis": axis }, name, input, shown);
  function update(value, [least, most], text = String(value)) {
    if (input.min !== String(least)) input.min = least;
    if (input.max !== String(most)) input.max = most;
    if (input.value !== String(value)) input.value = value;
    input.disabled = least === most;
    input.setAttribute("aria-valuetext", text);
    setText(shown, text);
  }
  return { node, input, update };
}

// A checkbox.
export function toggle(text, onChange) {
  const input = element("input", { type: "checkbox", onchange: () => onChange(input.checked) });
  const node = element("label", { class: "switch" }, input, element("span", {}, text));
  return { node, input, update: (on) => (input.checked = on) };
}

// One of several: radio buttons in a fieldset. options: [[value, text], ...].
export function choice(name, title, options, onChange) {
  const inputs = options.map(([value]) => element("input", { type: "radio", name, value, onchange: () => onChange(value) }));
  const labels = options.map(([, text], n) => element("label", { class: "switch" }, inputs[n], element("span", {}, text)));
  const node = element("fieldset", { class: "choice" }, element("legend", {}, title), ...labels);
  return { node, inputs, update: (value) => inputs.forEach((input) => (input.checked = input.value === String(value))) };
}

let made = 0;

// A name that no other element of the page has.
export function unique(stem) {
  return `${stem}-${++made}`;
}
