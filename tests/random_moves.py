"""Seeded random moves in a lab: its sliders, buttons, choices, texts and keys, clicks and drags in its pictures."""

# What no lab may ever write. In the labs that are about NaN it is a result.
NEVER = r"\bundefined\b|\[object |\bInfinity\b|\bNaN\b"
WITH_NAN = {"SoftmaxLab", "MaskLab", "CodeLab", "BugLab"}

# Runs before the scripts of a page. Notes what is written on canvases, and lets events that a script makes capture the pointer.
PREPARED = """globalThis.drawnTexts = new Set();
for (const method of ['fillText', 'strokeText']) {
  const draw = CanvasRenderingContext2D.prototype[method];
  CanvasRenderingContext2D.prototype[method] = function (text, ...more) {
    drawnTexts.add(String(text));
    return draw.call(this, text, ...more);
  };
}
for (const method of ['setPointerCapture', 'releasePointerCapture']) {
  const own = Element.prototype[method];
  Element.prototype[method] = function (id) {
    try {
      own.call(this, id);
    } catch (error) {
      if (error.name !== 'NotFoundError') throw error;
    }
  };
}"""

# Makes `count` moves in the lab at `root`, and a frame after each of them. If it has to be quick, the browser paints
# one in ten of them, and `browser.TIME` passes the time of the others. Returns how often each kind of move was made,
# and what the lab wrote that it may not write, each with the moves that led there.
MOVES = r"""async (root, [seed, count, never, isQuick]) => {
  let state = seed >>> 0;
  const random = () => {  // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = n => Math.floor(random() * n);
  const one = list => list[below(list.length)];
  const seen = node => !node.disabled && node.checkVisibility({ visibilityProperty: true });
  const tell = (node, type, more) => node.dispatchEvent(new Event(type, { bubbles: true, ...more }));
  const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'Enter', ' ', 'Escape'];
  const TEXTS = ['', 'b', 'B', '7', '-1', '1e9', '0.5', 'x y', 'ij,jk->ik', 'blhd,bshd->bhls', '−', '\u{1F600}', 'a'.repeat(200)];
  const CODE = ['x = torch.ones(2, 3)', 'y = x.T', 'z = x @ x', 'for i in range(3): x = x + i', 'x.view(7)', 'print(x / 0)'];
  CODE.push('q.transpose(1, 2)', 'def f(', '', '  y', 'import math', 'import torch');

  function slide(node) {
    const [least, most, step] = [Number(node.min || 0), Number(node.max || 100), Number(node.step) || 1];
    node.value = String(least + step * below(Math.round((most - least) / step) + 1));
    tell(node, 'input');
    if (random() < 0.5) tell(node, 'change');
  }
  function write(node) {
    const lines = node.value.split('\n');
    lines[below(lines.length)] = one(CODE);
    node.value = node.matches('textarea') ? lines.join('\n') : random() < 0.5 ? node.value.slice(0, -1) : node.value + one(TEXTS);
    tell(node, 'input');
    tell(node, 'change');
  }
  function choose(node) {
    node.selectedIndex = below(node.options.length);
    tell(node, 'input');
    tell(node, 'change');
  }
  function press(node) {
    node.focus();
    const key = one(KEYS);
    const at = document.activeElement ?? node;
    for (const type of ['keydown', 'keyup']) {
      at.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, shiftKey: random() < 0.1 }));
    }
  }
  /** From a place to others, with the button down or not. */
  function drag(node) {
    const box = node.getBoundingClientRect();
    const somewhere = () => ({ clientX: box.left + random() * box.width, clientY: box.top + random() * box.height });
    let at = somewhere();
    const target = () => [document.elementFromPoint(at.clientX, at.clientY)].find(under => root.contains(under)) ?? node;
    const usual = { bubbles: true, cancelable: true, pointerId: 1, pointerType: one(['mouse', 'touch']), isPrimary: true };
    const point = (type, buttons) => target().dispatchEvent(new PointerEvent(type, { ...usual, ...at, buttons }));
    point('pointermove', 0);
    const down = random() < 0.6;
    if (down) point('pointerdown', 1);
    for (let n = below(4); n > 0; n -= 1) {
      at = somewhere();
      point('pointermove', down ? 1 : 0);
    }
    if (down) {
      point(random() < 0.9 ? 'pointerup' : 'pointercancel', 0);
      target().dispatchEvent(new MouseEvent('click', { ...at, bubbles: true, cancelable: true }));
    }
    if (random() < 0.3) point('pointerleave', 0);
  }

  // What can be moved, and how. Buttons that save, copy or lead elsewhere are left alone.
  const kinds = {
    slider: ['input[type=range]', slide],
    choice: ['input:is([type=checkbox], [type=radio])', node => node.click()],
    list: ['select', choose],
    text: ['input:is([type=text], [type=number], :not([type])):not(.shared), textarea:not(.shared)', write],
    button: ['button:not(footer *)', node => node.click()],
    fold: ['summary', node => node.click()],
    reset: ['footer button:first-of-type', node => random() < 0.2 && node.click()],
    key: ['[tabindex="0"], canvas, input[type=range], button:not(footer *)', press],
    drag: ['canvas, svg, .picture', drag],
  };
  const calm = /save|copy|open (as|in)/;
  async function frame(n) {
    if (isQuick) globalThis.hurry = n % 10 > 0;
    if (isQuick && hurry) await (passTime(16) ? null : new Promise(setTimeout));
    else await new Promise(requestAnimationFrame);
  }
  const made = {};
  const faults = [];
  const latest = [];
  for (let n = 0; n < count; n += 1) {
    const all = (query) => [...root.querySelectorAll(query)].filter(node => seen(node) && !calm.test(node.textContent));
    const found = Object.entries(kinds).map(([kind, [query]]) => [kind, all(query)]).filter(([, nodes]) => nodes.length);
    const [kind, nodes] = one(found);
    const node = one(nodes);
    made[kind] = (made[kind] ?? 0) + 1;
    latest.push(`${kind} ${(node.labels?.[0] ?? node).textContent.trim().slice(0, 30) || node.className || node.tagName}`);
    kinds[kind][1](node);
    await frame(n);
    const written = new RegExp(never).exec(`${root.textContent} ${[...drawnTexts].join(' ')}`);
    drawnTexts.clear();
    if (written && faults.length < 5) {
      const said = root.textContent;
      const where = said.slice(Math.max(0, said.search(never) - 60)).slice(0, 140);
      faults.push(`${written[0]} in "${where}" after ${latest.slice(-4).join(', ')}`);
    }
  }
  if (isQuick) globalThis.hurry = false;
  return { made, faults };
}"""


def move_at_random(lab, seed: int, count: int, *, quick: bool = False) -> tuple[dict[str, int], list[str]]:
    """Make so many random moves in a lab (a locator of its root). Returns how many of each kind, and the faults that were seen."""
    name = lab.get_attribute("data-name")
    never = NEVER.removesuffix(r"|\bNaN\b") if name in WITH_NAN else NEVER
    done = lab.evaluate(MOVES, [seed, count, never, quick])
    return done["made"], [f"{name}: {fault}" for fault in done["faults"]]
