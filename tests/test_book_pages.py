"""Every page of the built book, in both themes and printed: no errors, nothing that axe reports, nothing too wide, all drawn."""

import json
import re
from io import BytesIO

import numpy as np
import pytest
from built_book import CHAPTERS, FORMULAS, OPEN_FOLDS, PAGES, ROOT, TOC, Visit
from PIL import Image

from attn.plots.paper import DARK_PAPER, PAPER

pytestmark = pytest.mark.slow

BACKGROUND = {"light": PAPER, "dark": DARK_PAPER}
SCREENS = [(1280, 900), (1024, 768), (390, 844), (360, 780)]  # a laptop, a tablet (the theme has no margin there), and phones
PAPER_SIZE = (718, 1000)  # A4 without its margins
# Adds up the layout shift while a page loads (as web.dev defines it).
SHIFT = """window.shift = 0;
new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });"""
# The elements that make the page scroll sideways, except for those in a box that scrolls by itself.
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  const whole = document.documentElement.scrollWidth;
  if (whole <= width) return [];
  const own = box => box && box.tagName !== 'MAIN' && (getComputedStyle(box).overflowX !== 'visible' || own(box.parentElement));
  const wide = [...document.querySelectorAll('main *')]
    .filter(e => e.getBoundingClientRect().right > width + 1 && !own(e.parentElement));
  return [`${whole} px on a screen of ${width}`, ...wide.slice(0, 10).map(e => `${e.tagName}.${e.className}`)];
}"""
# Whether the keyboard reaches everything that scrolls sideways: itself, or something in it.
REACHED = """() => {
  const scrolls = box => box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
  const isReached = box => box.tabIndex >= 0 || box.querySelector('a[href], button, input, textarea, summary, [tabindex="0"]');
  return [...document.querySelectorAll('main *')].every(box => !scrolls(box) || !box.checkVisibility() || isReached(box));
}"""
# Text beyond the edge of the paper. On paper nothing scrolls. (Text for screen readers is hidden by moving it away.)
CUT_OFF = """() => {
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll('main :is(p, pre span, td, th, li, figure, canvas, svg, button, output)')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > width + 1)
    .map(e => `${e.tagName}.${e.className} of ${e.closest('section')?.id}: ${e.textContent.trim().slice(0, 60)}`)
    .slice(0, 10);
}"""
IMAGES = """() => Promise.all([...document.querySelectorAll('main img')].map(async image => {
  const width = await image.decode().then(() => image.naturalWidth, () => 0);
  const enlarged = !image.src.endsWith('.svg') || image.closest('.sd-card') || image.closest('a')?.href === image.src;
  return image.alt && width && enlarged ? '' : image.outerHTML;
}))"""
# The icons in sight that would be empty or a filled box.
EMPTY_ICONS = """() => [...document.querySelectorAll('.fa-solid, .fas')].filter(icon => {
  const { maskImage, backgroundColor } = getComputedStyle(icon);
  const { width, height } = icon.getBoundingClientRect();
  const isDrawn = maskImage.startsWith('url("data:') && backgroundColor !== 'rgba(0, 0, 0, 0)' && width * height > 99;
  return icon.checkVisibility() && !isDrawn;
}).map(icon => icon.parentElement.outerHTML.slice(0, 200))"""
OPEN_ALL = "document.querySelectorAll('details').forEach(e => { e.removeAttribute('name'); e.open = true; })"
STILL = "* { animation: none !important; transition: none !important; }"  # no text in the middle of a transition
# Shows all figures of a page in the window at once, as small as they have to be, and returns their boxes. Each stays where it is in
# the document, and with it its colours.
TOGETHER = """() => {
  const figures = [...document.querySelectorAll("main img[src$='.svg']")].filter(figure => figure.checkVisibility());
  const columns = Math.ceil(Math.sqrt(figures.length));
  const [wide, high] = [Math.floor(innerWidth / columns), Math.floor(innerHeight / columns)];
  return figures.map((figure, n) => {
    const [left, top] = [(n % columns) * wide, Math.floor(n / columns) * high];
    const scale = Math.min(wide / figure.naturalWidth, high / figure.naturalHeight);
    const [width, height] = [Math.floor(figure.naturalWidth * scale), Math.floor(figure.naturalHeight * scale)];
    figure.before = figure.getAttribute('style');
    figure.style.cssText += `; position: fixed; z-index: 99999; left: ${left}px; top: ${top}px; width: ${width}px;
      height: ${height}px; max-width: none; margin: 0; border-radius: 0`;
    return [figure.getAttribute('src'), left, top, width, height];
  });
}"""
APART = """() => document.querySelectorAll("main img[src$='.svg']").forEach(figure => {
  figure.before === null ? figure.removeAttribute('style') : figure.setAttribute('style', figure.before);
})"""
COLOURS = "nodes => nodes.map(node => getComputedStyle(node).color)"
MARK = "nodes => nodes.map(node => getComputedStyle(node, '::before').content)"


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core."""
    path = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.fail("found no axe-core; `make node_modules/ready` installs it", pytrace=False)
    return path.read_text()


VISITED = [*PAGES, "search", "genindex"]


@pytest.mark.parametrize("page", VISITED)
def test_a_page_has_no_errors_follows_the_theme_fits_every_screen_and_passes_axe(book, served, new_page, axe, page):
    """One visit for all of it. By turns a page opens light and from disk, or dark and over HTTP. Its button changes the theme."""
    from_disk = VISITED.index(page) % 2 == 0
    themes = ["light", "dark"] if from_disk else ["dark", "light"]
    found = {}
    visit = Visit(new_page, book.html.as_uri() if from_disk else served, page, themes[0], SHIFT)
    tab = visit.tab
    found["jumps while it loads"] = [shift for shift in [tab.evaluate("window.shift")] if shift >= 0.1]  # good: below 0.1
    found["titles"] = [n for n in [tab.locator("h1:visible").count()] if n != 1]  # the theme keeps a second one for print
    found["images"] = list(filter(None, tab.evaluate(IMAGES)))
    found["icons"] = tab.evaluate(EMPTY_ICONS)
    tab.evaluate(OPEN_FOLDS)
    found["formulas"] = tab.evaluate(FORMULAS)
    if page in CHAPTERS:
        found["questions"] = list(questions_that_do_not_work(tab))
    for theme in themes:
        if theme != themes[0]:
            tab.locator(".theme-switch-button:visible").click()
            visit.settle()
        found[f"against the {theme} theme"] = colours_against_the_theme(tab, theme)
        if theme == "light":
            found |= faults_on_a_screen(visit, page, axe)
        else:
            found |= faults_in_the_dark(visit, page, axe)
    found["errors"] = visit.troubles
    assert not {what: of for what, of in found.items() if of}, json.dumps(found, indent=2)


def faults_on_a_screen(visit: Visit, page: str, axe: str):
    """Of a light page with everything open: what axe reports on a laptop, and what makes it scroll sideways, down to a phone."""
    tab = visit.tab
    tab.evaluate(OPEN_ALL)
    tab.add_style_tag(content=STILL)
    found = {}
    for width, height in SCREENS:
        visit.resize(width, height)
        if page in PAGES and width == SCREENS[0][0]:
            found["axe"] = serious(tab, axe)
        found[f"too wide for {width} px"] = tab.evaluate(TOO_WIDE)
    return found


def faults_in_the_dark(visit: Visit, page: str, axe: str):
    """Of a dark page with everything open: what axe reports on a phone, and what is wrong on paper."""
    tab = visit.tab
    tab.evaluate(OPEN_ALL)
    tab.add_style_tag(content=STILL)
    if page not in PAGES:
        return {}
    visit.resize(*SCREENS[-1])
    tab.wait_for_function(REACHED)  # by scripts that follow the width
    return {"axe on a phone": serious(tab, axe), "on paper": list(faults_on_paper(visit))}


def faults_on_paper(visit: Visit):
    """A printed page is light, and nothing on it is cut off. Afterwards it has the theme of the screen again."""
    tab = visit.tab
    tab.emulate_media(media="print")
    visit.resize(*PAPER_SIZE)
    yield from colours_against_the_theme(tab, "light", figures=False)
    yield from (f"cut off: {box}" for box in tab.evaluate(CUT_OFF))
    tab.emulate_media(media="screen")
    visit.settle()
    yield from colours_against_the_theme(tab, "dark", figures=False)


def colours_against_the_theme(tab, theme: str, *, figures: bool = True) -> list[str]:
    """Everything that does not fit the theme: the page by its background, figures by their edges, labs by their text."""
    wrong = []
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    if channels(background) != [int(BACKGROUND[theme][i : i + 2], 16) for i in (1, 3, 5)]:
        wrong.append(f"page: {background}")
    if figures and (boxes := tab.evaluate(TOGETHER)):
        picture = np.asarray(Image.open(BytesIO(tab.screenshot())).convert("L"))
        tab.evaluate(APART)
        for source, left, top, width, height in boxes:
            pixels = picture[top : top + height, left : left + width]
            edge = np.median(np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]))
            if edge < 200 if theme == "light" else edge > 60:
                wrong.append(f"figure: {source}")
    for colour in tab.locator(".attn-lab-root").evaluate_all(COLOURS):
        if (np.mean(channels(colour)) < 128) != (theme == "light"):
            wrong.append(f"lab: {colour}")
    return wrong


def channels(colour: str) -> list[int]:
    """The red, green and blue of "rgb(18, 18, 18)"."""
    return [int(number) for number in re.findall(r"\d+", colour)[:3]]


def questions_that_do_not_work(tab):
    """A closed answer must not show whether it is right. One that is opened with the keyboard must, and must close the others."""
    for question in tab.locator("div.predict").all():
        guesses = question.locator("details.guess > summary")
        if len(set(guesses.evaluate_all(MARK))) != 1:
            yield f"a closed answer shows whether it is right: {question.inner_text()}"
        for n, right in enumerate(guesses.evaluate_all("nodes => nodes.map(node => node.parentElement.matches('.right'))")):
            guesses.nth(n).press("Enter")
            opened = guesses.evaluate_all("nodes => nodes.map(node => node.parentElement.open)")
            answered = guesses.evaluate_all(MARK)[n].startswith('"✓"' if right else '"✗"')
            if not answered or opened != [other == n for other in range(len(opened))]:
                yield f"does not answer: {guesses.nth(n).inner_text()}"


# The violations that axe-core calls serious or critical, with the first elements. Of each element that it looks at, and of all that
# lie behind that one, axe-core would write down the HTML, which takes a third of its time: it is read from these few only.
AXE = """async () => {
  axe.configure({ noHtml: true });
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, elementRef: true });
  const serious = violations.filter(rule => ["serious", "critical"].includes(rule.impact));
  const html = node => node.element?.outerHTML.slice(0, 160) ?? String(node.target);
  return Object.fromEntries(serious.map(rule => [`${rule.id}: ${rule.help}`, rule.nodes.slice(0, 4).map(html)]));
}"""


def serious(tab, axe: str) -> dict[str, list[str]]:
    """The violations that axe-core calls serious or critical, with their elements."""
    if not tab.evaluate("Boolean(globalThis.axe)"):
        tab.evaluate(axe)
    return tab.evaluate(AXE)


def test_the_start_page_leads_into_the_book(site, new_context):
    tab = new_context().new_page()
    tab.goto(f"{site}/index.html")
    tab.wait_for_url(f"**/{TOC['root']}.html")
    tab.locator(".chapter-card").first.wait_for()


# Tries what a page may not do. `refused` are the parts of its policy that refuse it.
FORBIDDEN = """() => {
  globalThis.refused = new Set();
  addEventListener('securitypolicyviolation', event => refused.add(event.effectiveDirective));
  document.body.insertAdjacentHTML('beforeend', '<button onclick="ran = 1">x</button><img src="https://127.0.0.1:9/x.png">');
  document.body.lastElementChild.previousElementSibling.click();
  document.head.append(Object.assign(document.createElement('script'), { textContent: 'ran = 2' }));
  document.head.append(Object.assign(document.createElement('script'), { src: 'https://127.0.0.1:9/x.js' }));
  document.head.append(Object.assign(document.createElement('base'), { href: 'https://127.0.0.1:9/' }));
  fetch('https://127.0.0.1:9/').catch(() => {});
  setTimeout(() => globalThis.eval('ran = 3'));
}"""


def test_a_page_runs_its_own_scripts_only_and_loads_nothing_of_another_host(site, new_page):
    """That it runs its own is in every test of a page: a script that is refused is an error there."""
    tab = Visit(new_page, site, "book/about").tab
    refused = ["base-uri", "connect-src", "img-src", "script-src", "script-src-attr", "script-src-elem"]
    tab.evaluate(FORBIDDEN)
    tab.wait_for_function("count => refused.size >= count", arg=len(refused))
    assert tab.evaluate("[...refused].sort()") == refused
    assert tab.evaluate("globalThis.ran ?? 'nothing ran'") == "nothing ran"


# The page that the search shows first.
FIRST = {
    "view": "chapters/03-view-vs-permute",
    "Kᵀ": "chapters/05-why-k-transpose",
    "QK^T": "chapters/05-why-k-transpose",
    "√d_k": "chapters/07-sqrt-dk",
    "softmax overflow": "chapters/08-softmax",
    "is_causal": "chapters/09-masks",
    "causal mask": "chapters/09-masks",
    "head dimension": "chapters/11-concat-and-wo",
    "kv cache": "chapters/12-kv-cache",
    "left padding": "chapters/12-kv-cache",
    "grouped-query attention": "chapters/12-kv-cache",
    "E": "book/notation",
    "mat1 and mat2 shapes cannot be multiplied": "book/errors#mat1-and-mat2-shapes-cannot-be-multiplied",
    "shape '[2, 5, 3, 4]' is invalid for input of size": "book/errors#shape-is-invalid-for-input-of-size",
    "AttributeError: 'Tensor' object has no attribute 'softmx'": "book/errors#tensor-object-has-no-attribute",
}
# For each query the address of the first result.
ASK = """queries => queries.map(query => {
  const [page, , anchor] = Search._performSearch(...Search._parseQuery(query)).at(-1) ?? [];
  return page && page + anchor;
})"""
# For each message on the page of errors the address of its section, and the message with other numbers.
MESSAGES = """() => [...document.querySelectorAll("section > section:has(.traceback)")].map(section => {
  const [line] = section.querySelector(".traceback").innerText.trim().split("\\n");
  return ["book/errors#" + section.id, line.replace(/\\b\\d+\\b/g, number => Number(number) + 10).replace(/\\d+x\\d+/g, "80x512")];
})"""


def test_the_search_shows_the_right_page_first_and_finds_every_error_message_with_other_numbers(site, new_page):
    errors = Visit(new_page, site, "book/errors")
    messages = errors.tab.evaluate(MESSAGES)
    assert len(messages) > 80
    visit = Visit(new_page, site, "search")
    visit.tab.goto(f"{site}/search.html?q=view")
    visit.tab.locator("#search-results li").first.wait_for()
    wrong = {}
    queries = FIRST | {message: section for section, message in messages}
    for (query, right), found in zip(queries.items(), visit.tab.evaluate(ASK, list(queries)), strict=True):
        if (found if "#" in right else str(found).partition("#")[0]) != right:
            wrong[query] = [found, right]
    assert wrong == {}
    visit.tab.goto(f"{site}/search.html?q=left+padding")
    visit.tab.locator(".search-summary", has_text="finished").wait_for()  # the list is complete, and a click hits what it aims at
    visit.tab.locator("#search-results li a").first.click()
    visit.tab.locator("section:has(> .deeper[open]) h3", has_text="left padding").wait_for()
    assert errors.troubles + visit.troubles == []
