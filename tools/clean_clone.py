"""Build the book as a newcomer does: in a clone, with an environment of its own. `.ci/run` does this first.

The clone has the files that git knows, including changes that are not committed yet. It is below folders whose names also occur
inside the project. The script exits at the first claim that does not hold: `make book` works without a warning; a second run
installs and executes nothing; nothing that is built shows up in git; no page contains a path of this machine. In the end the
project takes the outputs of the cells, so that they do not run a second time for its tests. The set-up has a network; the build
has none, where the system can cut it off.
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
# A make that inherits the variables of another make prints more lines.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clone-") as folder:
        clone = Path(folder).resolve() / SOMEWHERE
        copy_to(clone)
        check_first_build(clone)
        check_second_build(clone)
        check("nothing that is built shows up in git", not run("git ls-files --others --modified --exclude-standard", clone))
        check_privacy(clone)
        keep_outputs(clone)


def copy_to(clone: Path) -> None:
    for name in filter(None, run("git ls-files -z --cached --others --exclude-standard", ROOT).split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    run("git init --quiet", clone)
    run("git add --all", clone)


def check_first_build(clone: Path) -> None:
    installed = run(f"make .venv/ready PYTHON={sys.executable}", clone)
    output = run("tools/offline.sh make book", clone)
    index = clone / "_build" / "html" / "index.html"
    check(
        "the last line names the start page",
        re.fullmatch(rf"Open {re.escape(str(index))} \(built in \d+ s\)", output.splitlines()[-1]),
    )
    check("the start page exists", index.exists())
    check("there is no warning", "WARNING" not in output)
    print("\n".join(re.findall(r"^Installed in .*|^Open .*|^Without a network.*|^This system cannot.*", installed + output, re.M)))


def check_second_build(clone: Path) -> None:
    run("make --question .venv/ready", clone)  # fails if anything would be installed
    check("a second run executes no cell", "Executing notebook" not in run("tools/offline.sh make book", clone))


def check_privacy(clone: Path) -> None:
    private = [str(clone), str(ROOT), f"{Path.home()}/", f"{tempfile.gettempdir()}/", "site-packages"]
    html = clone / "_build" / "html"
    for path in html.rglob("*"):
        if path.suffix in {".html", ".svg", ".ipynb", ".md"} or path.name == "searchindex.js":
            named = [name for name in private if name in path.read_text("utf-8")]
            check(f"{path.relative_to(html)} contains no path of this machine", not named)


def keep_outputs(clone: Path) -> None:
    """They are used only where the package and the versions of what it uses are the same: see book/_ext/attn_execution.py."""
    shutil.copytree(clone / "_build" / ".jupyter_cache", ROOT / "_build" / ".jupyter_cache", dirs_exist_ok=True)


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
