"""Build the book as a newcomer gets it: in a clone, with an environment of its own. `.ci/run` does this first.

The clone has what git would give, with the changes that are not committed yet, and lies below folders whose names mean something
inside the project. The script ends with the first claim that does not hold: that `make book` works and warns of nothing, that
a second run installs nothing and executes nothing, that nothing built shows up in git, and that no page names a path of this
machine.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOMEWHERE = Path("src", "attn", "check", "build", "dist", "_build", "_static", ".cache", "attention")
# A make inside a make would print what it inherits.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clone-") as folder:
        clone = Path(folder).resolve() / SOMEWHERE
        copy_to(clone)
        check_first_build(clone)
        check_second_build(clone)
        check("nothing that is built shows up in git", not run("git ls-files --others --modified --exclude-standard", clone))
        check_privacy(clone)


def copy_to(clone: Path) -> None:
    for name in filter(None, run("git ls-files -z --cached --others --exclude-standard", ROOT).split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    run("git init --quiet", clone)
    run("git add --all", clone)


def check_first_build(clone: Path) -> None:
    output = run(f"make book PYTHON={sys.executable}", clone)
    index = clone / "_build" / "html" / "index.html"
    check(
        "the last line names the start page",
        re.fullmatch(rf"Open {re.escape(str(index))} \(built in \d+ s\)", output.splitlines()[-1]),
    )
    check("the start page exists", index.exists())
    check("nothing is warned of", "WARNING" not in output)
    print("\n".join(re.findall(r"^Installed in .*|^Open .*", output, re.M)))


def check_second_build(clone: Path) -> None:
    run("make --question .venv/ready", clone)  # it fails if anything would be installed
    check("a second run executes no cell", "Executing notebook" not in run("make book", clone))


def check_privacy(clone: Path) -> None:
    private = [str(clone), str(ROOT), f"{Path.home()}/", f"{tempfile.gettempdir()}/", "site-packages"]
    html = clone / "_build" / "html"
    for path in html.rglob("*"):
        if path.suffix in {".html", ".svg", ".ipynb", ".md"} or path.name == "searchindex.js":
            named = [name for name in private if name in path.read_text("utf-8")]
            check(f"{path.relative_to(html)} names no path of this machine", not named)


def run(command: str, folder: Path) -> str:
    result = subprocess.run(
        command.split(), cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if result.returncode:
        sys.exit(f"{result.stdout[-8000:]}\n{command} fails in a clean clone.")
    return result.stdout


def check(claim: str, holds: object) -> None:
    if not holds:
        sys.exit(f"In a clean clone this does not hold: {claim}.")


main()
