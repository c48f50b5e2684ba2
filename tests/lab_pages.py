"""Labs in a browser: write a page that shows them, without the book; move their controls; read what they draw."""

from collections.abc import Sequence
from pathlib import Path

from browser import PATIENCE
from pixels import PIXELS

from attn import AXES
from attn.labs.bundle import deferred_script, deferred_style, is_deferred, more_script, page_script, page_style
from attn.labs.code.tasks import tasks_script
from attn.labs.lab import Lab
from attn.plots.paper import DARK_PAPER

FIRST = ".attn-lab-root >> nth=0"
# What a lab shows, without its controls: every text, style and canvas (as a hash of its pixels).
SHOWN = f"""root => {{
  const nodes = [...root.querySelectorAll('*')].filter(node => !node.closest('label, footer, .player, [role=status], [hidden]'));
  const text = nodes.flatMap(node => [...node.childNodes].filter(one => one.nodeType === 3).map(one => one.data));
  const looks = nodes.map(node => ['style', 'd', 'aria-pressed'].map(name => node.getAttribute(name)).join());
  const canvases = [...root.querySelectorAll('canvas')].filter(one => one.offsetParent && one.width * one.height);
  return [...text, ...looks, ...canvases.map({PIXELS})].join('|');
}}"""
# Resolves when the last change is drawn (by a worker or a kernel, too) and nothing moves any more. Where a test can pass the time,
# moves go on in steps of 240 milliseconds, and the browser paints one in fifty: to paint takes longer than to draw.
DRAWN = f"""new Promise((done, fail) => {{
  const latest = performance.now() + {PATIENCE};
  const look = async () => {{
    if (performance.now() > latest) return fail(Error('a lab still waits for its results, or still moves'));
    for (let step = 0; step < 50; step += 1) {{
      globalThis.hurry = Boolean(document.querySelector('.attn-lab-root[data-moving]'));
      if (document.querySelector('.attn-lab-root[aria-busy=true]')) return setTimeout(look);
      if (!hurry) return requestAnimationFrame(done);
      if (!globalThis.passTime?.(240)) break;
      await null;
    }}
    requestAnimationFrame(look);
  }};
  requestAnimationFrame(() => requestAnimationFrame(look));
}})"""


def write_page(path: Path, labs: Sequence[Lab]) -> str:
    """Write the page, and return its address."""
    colours = {
        theme: " ".join(f"--attn-{axis.letter}: {getattr(axis, theme)};" for axis in AXES.values()) for theme in ("light", "dark")
    }
    names = sorted({lab.NAME for lab in labs})
    deferred = {name: [f"{name}.js"] for name in names if is_deferred(name)}
    for name, files in deferred.items():
        path.with_name(files[0]).write_text(deferred_style(name) + deferred_script(name, f"more-{name}.js"), encoding="utf-8")
        path.with_name(f"more-{name}.js").write_text(more_script(name), encoding="utf-8")
    if checked := [(lab.check, lab.code) for lab in labs if lab.NAME == "code" and lab.check]:
        path.with_name("tasks.js").write_text(tasks_script(checked), encoding="utf-8")
        deferred["code"].insert(0, "tasks.js")
    path.write_text(
        f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>labs</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark; {colours["light"]} --pst-color-background: #fff; --pst-color-text-base: #222832 }}
@media (prefers-color-scheme: dark) {{
  :root {{ {colours["dark"]} --pst-color-background: {DARK_PAPER}; --pst-color-text-base: #ced6dd }}
}}
body {{ margin: 0 auto; max-width: 50rem; padding: 0 1rem; font-family: sans-serif; background: var(--pst-color-background);
  color: var(--pst-color-text-base) }}
{page_style(names)}</style></head>
<body><main><h1>Labs</h1>{"".join(lab.html() for lab in labs)}</main>
<script type="module">{page_script(names, deferred)}</script></body></html>""",
        encoding="utf-8",
    )
    return path.as_uri()


def settled(page):
    """Wait until the last change is drawn and nothing moves."""
    page.evaluate(DRAWN)


def hush(page):
    """Take away the sentence that says what has happened: on a page that was opened by a link, nothing has happened yet."""
    settled(page)
    page.locator(".stage .sentence").evaluate_all("nodes => nodes.forEach(node => node.replaceChildren())")


def shown(page, root=FIRST):
    """What the lab shows after the last change is drawn and nothing moves."""
    return page.locator(root).evaluate(f"root => {DRAWN}.then(() => ({SHOWN})(root))")


RESET = f"""root => {{
  [...root.querySelectorAll('button')].find(node => node.textContent === 'reset').click();
  return {DRAWN}.then(() => ({SHOWN})(root));
}}"""
# Opens a link to the first lab of this page with these settings, and waits until it is drawn.
LINK = f"""async settings => {{
  const changed = new Promise(done => addEventListener('hashchange', done, {{ once: true }}));
  location.hash = `lab-1?${{settings}}`;
  await changed;
  await {DRAWN};
}}"""
# Presses the chip at `n`, and returns what the lab shows at the end. (Chips are clicked with the mouse where controls are tested.)
PRESS = f"""(root, n) => {{
  root.querySelectorAll('.chip')[n].click();
  return {DRAWN}.then(() => ({SHOWN})(root));
}}"""
CONTROLS = "button:not(footer *, [aria-pressed='true'], [aria-current='true']), input:not([type=radio]:checked, .shared), select"
# The places of the controls that have an effect now, and what is written at each.
WORKING = """nodes => nodes.flatMap((node, n) => {
  const { width, height } = node.getBoundingClientRect();
  const works = !node.disabled && width * height > 0 && node.checkVisibility({ visibilityProperty: true });
  return works ? [[n, (node.labels?.[0] ?? node).textContent]] : [];
})"""
# Brings a control into the window, and returns the place at this share of its width. As for a reader, it is an error if something
# else lies there.
AIM = """(node, share = 0.5) => {
  const place = () => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width * share, top + height / 2];
  };
  const under = () => document.elementFromPoint(...place());
  const isFree = () => [node, ...(node.labels ?? [])].some(part => part.contains(under()));
  if (!isFree()) node.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (!isFree()) throw new Error(`${node.outerHTML.slice(0, 90)} is below ${under()?.outerHTML.slice(0, 90)}`);
  return place();
}"""
# Gives a control the focus, or brings it into the window for the mouse. Returns its type, whether a slider is in its lower half,
# and where to click.
AIMED = f"""(node, how) => {{
  const isLow = node.valueAsNumber - node.min < (node.max - node.min) / 2;
  if (how === 'keyboard') node.focus();
  if (how !== 'mouse' || node.matches('select, [type=text]')) return [node.type, isLow, null];
  return [node.type, isLow, ({AIM})(node, node.type !== 'range' ? 0.5 : isLow ? 0.85 : 0.15)];
}}"""
KEYS = {"checkbox": "Space", "radio": "Space", "submit": "Space", "button": "Space", "text": "End Backspace"}
OTHER = "node => (node.selectedIndex + 1) % node.options.length"


def working(page, root=FIRST):
    """The controls of a lab that have an effect now (not disabled, hidden or already chosen), each with what is written at it."""
    found = page.locator(root).locator(f":is({CONTROLS})")
    return [(found.nth(n), text) for n, text in found.evaluate_all(WORKING)]


def controls(page, root=FIRST):
    return [control for control, _ in working(page, root)]


def move(page, control, how):
    """Move a control, with the mouse or the keyboard."""
    kind, is_low, place = control.evaluate(AIMED, how)
    if kind == "select-one":
        control.select_option(index=control.evaluate(OTHER))
    elif kind == "text" and how == "mouse":  # delete its last letter
        control.fill(control.input_value()[:-1])
    elif place:
        page.mouse.click(*place)
    else:
        keys = KEYS | {"range": "ArrowRight" if is_low else "ArrowLeft"}
        for key in keys[kind].split():
            page.keyboard.press(key)


ALL = slice(None)


def move_controls(page, root, how, places=ALL, known=None):
    """Move controls of a lab: each changes what the lab shows, and *reset* undoes it.

    places: which of them. known: what was moved of labs on other pages; it is left out, except for the first control of a lab.
    """
    start = shown(page, root)
    name, is_small = page.locator(root).evaluate(
        "node => [node.closest('.attn-lab').dataset.lab, node.closest('.attn-lab').classList.contains('small')]"
    )
    count = len(controls(page, root))
    assert count >= (1 if is_small else 4)
    for place in range(count)[places]:
        control, what = working(page, root)[place]
        if place and known is not None and (name, what) in known:
            continue
        move(page, control, how)
        assert shown(page, root) != start, f"{what}: nothing changes"
        assert page.locator(root).evaluate(RESET) == start, f"{what}: reset does not undo it"
        if known is not None:
            known.add((name, what))
