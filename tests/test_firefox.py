"""Every page of the built book in Firefox, opened from disk: no error, everything is drawn, and each lab moves."""

import json

import pytest
from built_book import FORMULAS, OPEN_FOLDS, PAGES, SETTLED
from firefox import installed, open_firefox
from random_moves import MOVES, NEVER, PREPARED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(installed() is None, reason="Firefox is not installed (apt install firefox-esr): no page is opened in it"),
]

VIOLATIONS = """globalThis.violations = [];
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
  violations.push(`${effectiveDirective} refuses ${blockedURI} ${sample}`));"""
# The labs of the page after a few moves: their faults.
MOVED = f"""(async () => {{
  const move = {MOVES};
  const faults = [];
  for (const place of document.querySelectorAll('.attn-lab')) {{
    for (let fold = place.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    place.scrollIntoView();
    let root = null;
    for (let frames = 0; frames < 600 && !root; frames += 1) {{
      await new Promise(requestAnimationFrame);
      root = place.querySelector('.attn-lab-root');
    }}
    if (!root) faults.push(`${{place.dataset.lab}} is not drawn`);
    else faults.push(...(await move(root, [1, 4, NEVER])).faults);
  }}
  return faults;
}})()"""


def test_every_page_opens_from_disk_in_firefox_without_an_error_and_its_labs_move(book):
    found = {}
    with open_firefox(installed()) as firefox:
        firefox.before_every_page(PREPARED + VIOLATIONS)
        for page in [*PAGES, "search", "genindex", "404"]:
            firefox.open(f"{book.html.as_uri()}/{page}.html")
            firefox.run(f"({SETTLED})()")
            faults = firefox.run(MOVED.replace("NEVER", json.dumps(NEVER.replace(r"|\bNaN\b", ""))))
            firefox.run(OPEN_FOLDS)
            faults += firefox.run(f"({FORMULAS})()")
            faults += firefox.run("violations") + firefox.errors
            faults += [url for url in firefox.requested if not url.startswith(("file:", "data:", "blob:"))]
            if faults:
                found[page] = faults
    assert not found, json.dumps(found, indent=2)
