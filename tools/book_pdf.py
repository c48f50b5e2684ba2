"""The whole book as one PDF, from the built pages: python tools/book_pdf.py.

Chromium opens each page, labs included, and takes a picture of every lab; one document of all pages is then printed. It has a table
of contents with page numbers, bookmarks, and links between the pages. Below the picture of a lab is the link to the lab. No TeX is
needed, and no network.
"""

import html
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from playwright.sync_api import Browser, Page, Route, sync_playwright
from setup_test import find_browser

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "book.pdf"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update")
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
# Where the labs are that the PDF links to: where the book is published, or else where `make serve` shows it.
SITE = str(CONFIG["html"].get("baseurl") or "http://localhost:8000").rstrip("/")
WIDTH = 700  # pixels of a column on paper

# Nothing covers a lab, and everything that is folded on paper, too, is in sight before its picture is taken.
PREPARE = """() => {
  const style = document.createElement('style');
  style.textContent = `header, .bd-header, .bd-header-article, [class*=bd-sidebar] { display: none !important }
    .attn-lab .telling { position: static !important; margin-top: 0 !important }`;
  document.head.append(style);
  for (const fold of document.querySelectorAll('details.deeper')) fold.open = true;
}"""
PICTURE = ".picture"
# The article as part of a document of all pages: n is the number of its page, and pages are the addresses of all of them.
ARTICLE = r"""([n, pages, site]) => {
  const here = location.href.split('#')[0];
  const labs = [...document.querySelectorAll('article.bd-article .attn-lab')];
  const told = labs.map(lab => ['.question', '.sentence'].map(part => lab.querySelector(part)?.innerText.trim() ?? ''));
  const article = document.querySelector('article.bd-article').cloneNode(true);
  const made = (name, attributes, ...children) => {
    const node = Object.assign(document.createElement(name), attributes);
    node.append(...children);
    return node;
  };
  for (const [place, lab] of [...article.querySelectorAll('.attn-lab')].entries()) {
    const [question, sentence] = told[place];
    const name = lab.querySelector('.attn-lab-root')?.dataset.name ?? 'Lab';
    const link = made('a', { href: `${here}#lab-${place + 1}`, className: 'live' }, `${name}: move it on the page`);
    lab.replaceWith(made('figure', { className: 'lab-picture' },
      made('p', { className: 'question' }, question || ''),
      made('img', { src: `${site}/pictures/${n}-${place}.png`, alt: sentence ? `${name}, described below` : name }),
      made('figcaption', {}, sentence, ' ', link)));
  }
  const letters = 'abcdefgh';
  const answers = [];
  for (const [q, question] of [...article.querySelectorAll('.predict')].entries()) {
    const guesses = [...question.querySelectorAll('details.guess')];
    const list = made('ol', { className: 'guesses' });
    guesses[0]?.before(list);
    answers.push(...guesses.map((guess, at) => {
      const [summary, ...rest] = guess.childNodes;
      list.append(made('li', {}, ...summary.childNodes));
      guess.remove();
      const text = made('span', {});
      for (const part of rest) text.append(...(part.matches?.('p') ? [...part.childNodes, ' '] : [part]));
      return made('p', {}, made('b', {}, `${q + 1}${letters[at]} ${guess.matches('.right') ? '✓' : '✗'} `), text);
    }));
  }
  const end = article.querySelector('#in-one-minute') ?? article.firstElementChild;
  if (answers.length) end.append(made('aside', { className: 'answers' }, made('p', {}, made('b', {}, 'Answers')), ...answers));
  const away = ['script', 'style', '.headerlink', 'button:not(.attn-try)', '.tag_check', '.code-switch', '.progress', '.as-code'];
  away.push('details.hide', '[hidden]');
  for (const node of article.querySelectorAll(away.join())) node.remove();
  for (const node of article.querySelectorAll('details')) { node.open = true; node.removeAttribute('name'); }
  for (const node of article.querySelectorAll('.attn-try')) node.replaceWith(made('em', {}, node.textContent));
  for (const node of article.querySelectorAll('[id]')) node.id = `p${n}-${node.id}`;
  for (const node of article.querySelectorAll('[for], [aria-labelledby], [aria-describedby], [aria-controls]'))
    for (const one of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls']) node.removeAttribute(one);
  for (const image of article.querySelectorAll('img')) image.src = image.src;
  for (const link of article.querySelectorAll('a[href]')) {
    const [address, place] = link.href.split('#');
    const at = pages.indexOf(address);
    const inside = place ? `#p${at}-${decodeURIComponent(place)}` : `#p${at}`;
    link.setAttribute('href', at >= 0 && !place?.startsWith('lab-') ? inside : link.href);
  }
  const ids = [...article.querySelectorAll('[id]')].map(node => node.id);
  return [document.querySelector('article h1').innerText.replace(/#$/, '').trim(), article.innerHTML, ids];
}"""
SHEETS = "[...document.querySelectorAll('link[rel=stylesheet]')].map(link => link.href)"
STYLE = """
@page { size: A4; margin: 17mm 17mm 19mm; @bottom-center { content: counter(page); font: 9pt sans-serif; color: #555 } }
@page :first { @bottom-center { content: none } }
html { font-size: 13px; scroll-padding: 0 }
body { background: white; display: block; min-height: 0 }
article { display: block; break-before: page; max-width: none; padding: 0 !important; overflow: visible !important }
article > section > h1, article h1 { margin-top: 0 }
h2, h3, h4, summary { break-after: avoid }
/* In the bookmarks, Chromium repeats a heading that begins at the top of a page, and drops the space at the end of its lines. */
h1, h2, h3 { padding-top: 3px; white-space: break-spaces }
p, li { orphans: 3; widows: 3 }
pre, tr, figure, .math, .predict, .admonition, section:has(> [class*=sd-container]) { break-inside: avoid }
pre { white-space: pre-wrap !important; overflow-wrap: anywhere; font-size: 11px; line-height: 1.35; padding: 0.6em }
img { max-width: 100%; max-height: 225mm; height: auto }
table { font-size: 0.88em; break-inside: auto }
.attn-table { font-size: 0.95em !important }
thead { display: table-header-group }
summary::marker, summary::-webkit-details-marker { content: none; display: none }
summary { list-style: none !important }
article details { border: 0 !important; box-shadow: none !important; padding: 0 !important; margin: 0 !important;
  background: none !important;
  &.found { border-left: 2px solid #bbb !important; padding-left: 0.8em !important; margin: 0.5em 0 !important; font-size: 93% } }
.lab-picture { border: 1px solid #ccc; border-radius: 6px; padding: 0.8em; margin: 1em 0; text-align: center }
.lab-picture img { max-height: 190mm }
.lab-picture .question { font-weight: 600; margin: 0 0 0.6em }
.lab-picture .question:empty { display: none }
figcaption { color: #333 !important; font-weight: normal !important }
.lab-picture figcaption { margin-top: 0.6em; font-size: 0.92em; text-align: left }
.lab-picture .live { white-space: nowrap }
.guesses { list-style: lower-alpha; margin: 0.4em 0 }
.answers { font-size: 0.9em; border-top: 1px solid #ccc; margin-top: 1.2em; padding-top: 0.6em }
.answers p { margin: 0 0 0.4em }
.cover { text-align: center; padding-top: 75mm; break-after: page }
.cover h1 { font-size: 34px }
.contents { break-before: auto }
.contents p { display: flex; gap: 0.6em; margin: 0.32em 0; align-items: baseline }
.contents p.part { font-weight: 600; margin-top: 1em }
.contents .dots { flex: 1; border-bottom: 1px dotted #999 }
.contents .number { min-width: 2.2em; text-align: right }
.contents a { color: inherit; text-decoration: none }
"""


@dataclass
class Entry:
    """A page of the book."""

    page: str
    part: str  # what the table of contents has above it
    title: str = ""
    article: str = ""


def main() -> None:
    if not (BOOK / "index.html").exists():
        sys.exit("There is no book yet: run make book.")
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    entries = [Entry(toc["root"], "")]
    for part in toc["parts"]:
        entries += [Entry(each["file"], part["caption"] if n == 0 else "") for n, each in enumerate(part["chapters"])]
    with sync_playwright() as playwright:
        path = find_browser(playwright.chromium.executable_path)
        if path is None:
            sys.exit("make pdf needs Chromium or Chrome: install one (on Debian: apt install chromium), or run make test once.")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        pdf = print_book(browser, entries)
        browser.close()
    TARGET.write_bytes(pdf)
    print(f"Wrote {len(page_objects(pdf))} pages to {TARGET}")


def print_book(browser: Browser, entries: list[Entry]) -> bytes:
    """One PDF of all these pages."""
    pictures: dict[str, bytes] = {}
    tab = open_tab(browser, pictures)
    for n, entry in enumerate(entries):
        read(tab, n, entry, entries, pictures)
    tab.goto(f"{SITE}/{entries[0].page}.html")
    sheets = tab.evaluate(SHEETS)
    numbers: dict[str, int] = {}
    pdf = b""
    for _ in range(2):  # the second time with the page numbers of the first
        pictures["book.html"] = document(entries, sheets, numbers).encode()
        tab.goto(f"{SITE}/pictures/book.html")
        tab.evaluate("document.fonts.ready.then(() => null)")
        pdf = tab.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
        numbers = destinations(pdf)
    tab.context.close()
    return pdf


def open_tab(browser: Browser, pictures: dict[str, bytes]) -> Page:
    """A tab as wide as a column on paper, to which the book and these pictures are served."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": 1000}, device_scale_factor=2, color_scheme="light", reduced_motion="reduce"
    )
    context.set_default_timeout(120_000)
    context.route(f"{SITE}/**", lambda route: answer(route, pictures))
    tab = context.new_page()
    tab.add_init_script("localStorage.setItem('mode', 'light'); localStorage.setItem('theme', 'light')")
    return tab


def answer(route: Route, pictures: dict[str, bytes]) -> None:
    """Answer a request for a file of the book, or for a picture of a lab."""
    name = urlsplit(route.request.url).path.removeprefix(urlsplit(SITE).path).lstrip("/")
    if name.startswith("pictures/"):
        kind = "text/html" if name.endswith(".html") else "image/png"
        route.fulfill(body=pictures[Path(name).name], content_type=kind)
    elif (path := BOOK / name).is_file():
        route.fulfill(path=path)
    else:
        route.fulfill(status=404)


def read(tab: Page, n: int, entry: Entry, entries: list[Entry], pictures: dict[str, bytes]) -> None:
    """Open a page, take pictures of its labs and its article."""
    tab.goto(f"{SITE}/{entry.page}.html")
    tab.evaluate(PREPARE)
    for place, lab in enumerate(tab.locator("article .attn-lab").all()):
        lab.scroll_into_view_if_needed()
        root = lab.locator(".attn-lab-root[aria-busy=false]")
        root.wait_for()
        if root.get_attribute("data-name") == "FilmLab":  # its first picture is a title
            film = root.locator(".player [type=range]")
            film.press("End")
            film.blur()
        part = root.locator(PICTURE)
        pictures[f"{n}-{place}.png"] = (part.first if part.count() else root.locator(":scope > :nth-child(2)")).screenshot()
    addresses = [f"{SITE}/{each.page}.html" for each in entries]
    entry.title, entry.article, _ = tab.evaluate(ARTICLE, [n, addresses, SITE])


def document(entries: list[Entry], sheets: list[str], numbers: dict[str, int]) -> str:
    """The HTML of the whole book, with these page numbers in its table of contents."""
    links = "".join(f'<link rel="stylesheet" href="{html.escape(sheet)}">' for sheet in sheets)
    contents = ""
    for n, entry in enumerate(entries):
        contents += f'<p class="part">{html.escape(entry.part)}</p>' if entry.part else ""
        number = numbers.get(f"p{n}", "")
        contents += (
            f'<p><a href="#p{n}">{html.escape(entry.title)}</a><span class="dots"></span><span class="number">{number}</span></p>'
        )
    articles = "".join(f'<article class="bd-article" id="p{n}">{entry.article}</article>' for n, entry in enumerate(entries))
    title = html.escape(CONFIG["title"])
    return f"""<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>{title}</title>{links}<style>{STYLE}</style></head>
<body><div class="cover"><h1>{title}</h1><p>{html.escape(CONFIG["author"])}</p></div>
<div class="contents"><h1>Contents</h1>{contents}</div>{articles}</body></html>"""


# What is read of the PDF: which page an anchor is on. Chromium writes objects as plain text, and only streams are compressed.


def page_objects(pdf: bytes) -> list[bytes]:
    """The numbers of the objects of the pages, in their order."""
    kids = {
        number: re.findall(rb"(\d+) 0 R", found)
        for number, found in re.findall(rb"\n(\d+) 0 obj\n<</Type /Pages\b.*?/Kids \[(.*?)\]", pdf, re.S)
    }
    (root,) = re.findall(rb"/Type /Catalog\b.*?/Pages (\d+) 0 R", pdf, re.S)

    def below(number: bytes) -> list[bytes]:
        return [page for kid in kids[number] for page in below(kid)] if number in kids else [number]

    return below(root)


def destinations(pdf: bytes) -> dict[str, int]:
    """The number of the page on which each anchor of a page begins."""
    order = {number: n + 1 for n, number in enumerate(page_objects(pdf))}
    return {name.decode(): order[page] for name, page in re.findall(rb"/(p\d+) \[(\d+) 0 R", pdf)}


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
