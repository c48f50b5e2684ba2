"""How long the book takes to build, from nothing and after an edit: python benchmarks/building.py.

It works in a copy of the files that git knows, with the environment that runs it, so that nothing is installed and this checkout
stays as it is. The first table has the time of `make book` from nothing, again without a change, and after one edit of each kind;
the second one the seconds that the cells of each page ran in the build from nothing.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jupyter_cache import get_cache

from attn import table

ROOT = Path(__file__).parents[1]
EDITS = {
    "a lab's style": ("src/attn/labs/mask/style.css", "\n"),
    "a lab's view": ("src/attn/labs/mask/view.js", "\n"),
    "a chapter's text": ("chapters/09-masks.md", "\nOne more sentence.\n"),
    "a chapter's code": (
        "chapters/09-masks.md",
        "\n```{code-cell}\n:tags: [check]\n:jupyter: {source_hidden: true}\n\n1 + 1\n```\n",
    ),
    "the package": ("src/attn/core.py", "\n"),
}


def build(folder: Path) -> tuple[float, int]:
    """The seconds of make book, and how many pages' cells ran."""
    started = time.monotonic()
    command = ["make", "book", "--assume-old=.venv/ready", f"BIN={Path(sys.executable).parent}"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(folder / "src")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return time.monotonic() - started, done.stdout.count("Executing notebook")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="building-") as place:
        folder = Path(place) / "attention"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, listed.split("\0")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
        (folder / ".venv").mkdir()
        (folder / ".venv" / "ready").touch()
        rows = [("nothing", *build(folder))]
        (outputs,) = (folder / "_build" / ".jupyter_cache").iterdir()
        cells = [(Path(one.uri).stem, one.data.get("execution_seconds", 0)) for one in get_cache(outputs).list_cache_records()]
        rows.append(("no change", *build(folder)))
        for what, (name, addition) in EDITS.items():
            path = folder / name
            path.write_text(path.read_text("utf-8") + addition, "utf-8")
            rows.append((what, *build(folder)))
    print(table(["after", "s", "pages whose cells ran"], [(what, f"{seconds:.0f}", ran) for what, seconds, ran in rows]))
    print(table(["page", "its cells, s"], [(page, f"{seconds:.1f}") for page, seconds in sorted(cells)]))


if __name__ == "__main__":
    main()
