"""The texts of each chapter's lab on its page: none lies on another, none is cut, and the sentence covers none of the picture."""

import json

import pytest
from browser import TIME
from built_book import CHAPTERS, Visit
from lab_pages import DRAWN

pytestmark = pytest.mark.slow

# Records the texts on canvases that end beyond their canvas. A text that is drawn again inside takes itself back.
WRITTEN = """globalThis.cutOff = new Map();
const draw = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most) {
  const { a, b, e } = this.getTransform();
  const width = Math.min(this.measureText(text).width, most ?? Infinity);
  const start = x - { left: 0, start: 0, center: width / 2, right: width, end: width }[this.textAlign];
  const isCut = b === 0 && this.globalAlpha > 0.3 && (a * start + e < -2 || a * (start + width) + e > this.canvas.width + 2);
  cutOff.set(`${text}`, isCut && this.canvas.clientWidth > 0);
  return draw.call(this, text, x, y, ...(most === undefined ? [] : [most]));
};"""
# The texts in sight that lie on another one, or of which a box hides a part.
UNCLEAR = """root => {
  const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const own = node.parentElement;
    const text = node.data.trim();
    if (!text || own.closest('.live-region, option, textarea, pre')) continue;
    if (!own.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let alpha = 1;
    let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity];
    let scrolls = false;
    for (let box = own; box !== root.parentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      alpha *= style.opacity;
      if (style.clipPath === 'inset(50%)') alpha = 0; // for screen readers alone
      if (style.overflowX === 'visible' && style.clipPath === 'none') continue;
      const edges = box.getBoundingClientRect();
      scrolls ||= /auto|scroll/.test(style.overflowX);
      [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
    }
    if (alpha < 0.3) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const seen of range.getClientRects()) {
      const isOutside = seen.right <= left + 1 || seen.left >= right - 1 || seen.bottom <= top + 1 || seen.top >= bottom - 1;
      if (seen.width < 2 || seen.height < 4 || isOutside) continue;
      const isCut = !scrolls && (seen.left < left - 1.5 || seen.right > right + 1.5);
      texts.push({ text, own, isCut, seen, high: 0.64 * seen.height, middle: (seen.top + seen.bottom) / 2 });
    }
  }
  const onEachOther = texts.flatMap((one, n) => texts.slice(n + 1).filter(other => other.own !== one.own
    && other.text !== one.text
    && Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left) > 2
    && (one.high + other.high) / 2 - Math.abs(one.middle - other.middle) > 2)
    .map(other => `“${one.text}” and “${other.text}” lie on each other`));
  const cut = texts.filter(one => one.isCut).map(one => `“${one.text}” is cut`);
  const drawn = [...cutOff].flatMap(([text, isCut]) => (isCut ? [`“${text}” ends beyond its canvas`] : []));
  return [...new Set([...onEachOther, ...cut, ...drawn])];
}"""

# In a chapter a lab is 936 px wide on a screen of 1280, 849 on the narrowest with a table of contents beside it, 358 on a phone.
SCREENS = [(1280, 800), (1200, 800), (390, 844)]
# What is wrong with the texts of the lab as it opens and after each of its chips, when it is right below the header.
FAULTS = f"""async root => {{
  const [unclear, drawn] = [{UNCLEAR}, () => {DRAWN}];
  const covered = () => {{
    const [picture, sentence] = ['.picture', '.sentence'].map(part => root.querySelector(part).getBoundingClientRect());
    const both = Math.round(Math.min(picture.bottom, sentence.bottom) - Math.max(picture.top, sentence.top));
    return both > 2 ? [`the sentence covers ${{both}} px of the picture`] : [];
  }};
  const underTheHeader = node => {{
    const header = document.querySelector('.bd-header-article').clientHeight;
    scrollBy({{ top: node.getBoundingClientRect().top - header, behavior: 'instant' }});
  }};
  const found = [];
  async function press(button, name) {{
    cutOff.clear();
    button.click();
    await drawn();
    underTheHeader(root.querySelector('.picture'));
    await new Promise(requestAnimationFrame);
    found.push([name, [...unclear(root), ...covered()]]);
  }}
  await press([...root.querySelectorAll('button')].find(node => node.textContent === 'reset'), 'opened');
  for (const n of root.querySelectorAll('.chip').keys()) {{
    const chip = root.querySelectorAll('.chip')[n];
    await press(chip, chip.textContent);
  }}
  return found;
}}"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_texts_of_a_lab_are_whole_and_apart_on_its_page(book, new_page, page):
    visit = Visit(new_page, book.html.as_uri(), page, script=f"{TIME} {WRITTEN}", motion="reduce")
    root = visit.tab.locator(".attn-lab-root").first
    root.wait_for()
    found = {}
    for width, height in SCREENS:
        visit.resize(width, height)
        found |= {f"{width} px, {chip}": faults for chip, faults in root.evaluate(FAULTS)}
    assert len(found) >= 9
    assert not {case: of for case, of in found.items() if of}, json.dumps(found, indent=2, ensure_ascii=False)
