"""Every page, in both themes, against the rules of axe-core: nothing serious, nothing critical."""

import json
import os
import shutil
import subprocess

import pytest
from built_book import PAGES, ROOT, Visit

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, in the version that package-lock.json pins. Without npm the test is skipped, but not in CI."""
    installed = ROOT / "node_modules" / "axe-core"
    wanted = json.loads((ROOT / "package-lock.json").read_text())["packages"]["node_modules/axe-core"]["version"]
    manifest = installed / "package.json"
    if not manifest.exists() or json.loads(manifest.read_text())["version"] != wanted:
        if shutil.which("npm") is None:
            missing = "no npm: axe-core cannot be installed"
            pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=ROOT, check=True, capture_output=True)
    return (installed / "axe.min.js").read_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_serious(clone, browser, axe, page, theme):
    with Visit(browser, clone.html.as_uri(), page, theme=theme) as visit:
        visit.tab.evaluate("document.querySelectorAll('details').forEach(e => { e.removeAttribute('name'); e.open = true; })")
        visit.tab.add_style_tag(content="* { animation: none !important; transition: none !important; }")  # no half-faded text
        visit.tab.evaluate(axe)
        found = visit.tab.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    serious = {
        f"{rule['id']}: {rule['help']}": [node["html"][:160] for node in rule["nodes"][:4]]
        for rule in found
        if rule["impact"] in ("serious", "critical")
    }
    assert not serious, json.dumps(serious, indent=2)
