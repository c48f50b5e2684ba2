"""Write the chapters as notebooks that run on their own into _build/notebooks: python tools/notebooks.py."""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import notebook_file  # noqa: E402

settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
addresses = settings["sphinx"]["config"]["attn_repository"], settings["html"].get("baseurl", "")
target = ROOT / "_build" / "notebooks"
chapters = sorted((ROOT / "chapters").glob("*.md"))
for chapter in chapters:
    notebook_file.write(chapter, target / f"{chapter.stem}.ipynb", *addresses)
print(f"Wrote {len(chapters)} notebooks to {target}")
