"""What the book says of itself: the version, the citation, and the licenses of what its pages bring along."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
ABOUT = (ROOT / "book" / "about.md").read_text("utf-8")

# Files that others wrote, among those that a built page can load, and the part of the table that they belong to.
OTHERS = {
    r"basic\.css|(doctools|documentation_options|language_data|searchtools|sphinx_highlight)\.js|(file|minus|plus)\.png": "Sphinx",
    r"scripts/sphinx-book-theme.*|styles/sphinx-book-theme.*|locales/.*|images/.*|sbt-webpack-macros\.html": "Sphinx Book Theme",
    r"scripts/(pydata|fontawesome).*|styles/(pydata|theme).*|webpack-macros\.html": "PyData Sphinx Theme",
    r"(scripts|styles)/bootstrap.*": "Bootstrap",
    r"icons\.css": "Font Awesome Free",
    r"fonts/stix-two-math\.woff": "STIX Two Math",
    r"mystnb\.\w+\.css": "MyST-NB",
    r"pygments\.css": "Pygments",
    r"copybutton.*|clipboard\.min\.js|copy-button\.svg|check-solid\.svg": "sphinx-copybutton",
    r"design-tabs\.js|sphinx-design.*": "sphinx-design",
}


def test_the_version_is_the_same_everywhere():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (cited["version"], cited["license"], cited["title"]) == (VERSION, "MIT", "Attention, one shape at a time")
    newest = re.search(r"^## ([\d.]+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest[1] == VERSION and ABOUT.count(VERSION) == 2


# What the text of each license says, and no other text here.
TERMS = {
    "MIT": "Permission is hereby granted, free of charge",
    "BSD": "Redistributions of source code must retain",
    "SIL OFL": "SIL OPEN FONT LICENSE",
}


@pytest.mark.slow
def test_the_book_has_the_text_of_the_license_of_every_part_that_is_listed(book):
    parts = re.split(r"^={78}\n(.+)\n={78}\n", (book.html / "_static" / "licenses.txt").read_text("utf-8"), flags=re.M)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ((?:BSD|MIT|CC|SIL)[^|]*) \|$", ABOUT, re.M)
    listed = {
        name: [terms for kind, terms in TERMS.items() if kind in kinds]
        for names, kinds in rows
        for name in re.split(", with |, ", names)
    }
    assert listed.keys() == found.keys() and len(listed) > 11
    for name, terms in listed.items():
        said = " ".join(found[name].split())
        assert terms and all(one in said for one in terms), name
        assert "copyright" in said.lower(), name
    assert 'href="../_static/licenses.txt"' in book.read("book/about")


@pytest.mark.slow
def test_every_file_of_a_built_page_is_of_this_project_or_of_a_part_that_is_listed_with_its_license(book):
    own = {path.name for path in (ROOT / "book" / "_static").iterdir()} | {"attn-axes.css", "cheat-sheet.pdf", "licenses.txt"}
    listed = " ".join(re.findall(r"^\| ([^|]+) \|", ABOUT, re.M))
    for path in sorted((book.html / "_static").rglob("*")):
        name = path.relative_to(book.html / "_static").as_posix()
        if path.is_dir() or name in own or name.startswith(("og/", "labs/")):
            continue
        parts = [part for files, part in OTHERS.items() if re.fullmatch(files, name)]
        assert len(parts) == 1 and parts[0] in listed, name
