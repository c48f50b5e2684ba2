"""Sphinx extension: how the cells of the book are run. Only the book's kernels are affected, nobody's own Jupyter."""

import atexit
import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import attn

# Figures as SVG: sharp at any size, and attn_pages can recolour them. Errors without a traceback, which would publish the
# paths of the machine that built the book. No word about the kernel's ports: they are on localhost, for seconds.
KERNEL = """\
c.InlineBackend.figure_formats = {"svg"}
c.InteractiveShell.xmode = "Minimal"
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "ERROR"
"""


def package_digest() -> str:
    """A digest of the package's source: chapters show what it computes, so a change in it runs all of them again."""
    sources = sorted(path for path in Path(attn.__file__).parent.rglob("*") if path.suffix in {".py", ".js"})
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def setup(app: Sphinx) -> dict[str, Any]:
    """Point the kernels that the build starts at a profile of their own, gone when the build ends."""
    home = Path(tempfile.mkdtemp(prefix="attn-book-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    (home / "profile_default").mkdir()
    (home / "profile_default" / "ipython_kernel_config.py").write_text(KERNEL)
    os.environ["IPYTHONDIR"] = str(home)
    app.add_config_value("attn_package_digest", package_digest(), "env")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
