"""Sphinx extension: how the cells of the book are run, and when they are run again.

myst-nb keeps the outputs of every notebook and runs a notebook again when its code has changed. It does not look at what the
code imports. The outputs are therefore in a folder named after a digest of everything that they depend on: a change in the package
changes the folder, and every notebook runs. The folder is a setting that Sphinx watches, so it also reads every page again.

Sphinx reads one page after the other, and myst-nb would run its notebook then. The notebooks without outputs are therefore run
before, as many at a time as there are cores. One that fails keeps no outputs: myst-nb runs it again, and reports it.
"""

import atexit
import hashlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from myst_nb.core.read import create_nb_reader
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

logger = logging.getLogger(__name__)

# Figures as SVG: sharp at any size, and attn_pages can recolour them. Errors without a traceback, which would publish the
# paths of the machine that built the book. No messages about the kernel's ports: they are on localhost, for seconds.
KERNEL = """\
c.InlineBackend.figure_formats = {"svg"}
c.InteractiveShell.xmode = "Minimal"
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "ERROR"
"""
# Only errors of this module: torch.utils.benchmark imports it, and it warns where there is a compiler for CUDA, but no GPU.
QUIET = "-torch.utils.cpp_extension"
CACHE = ".jupyter_cache"
MOST_KERNELS = 4  # at a time: each takes half a gigabyte
# The packages with which cells compute, draw and print.
USED = ("torch", "numpy", "matplotlib", "jaxtyping", "ipython", "ipykernel", "ipywidgets", "anywidget", "traitlets")


def digest_of_files(paths: Iterable[Path], root: Path) -> str:
    """A digest of the names and the contents of files below `root`."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def digest_of_dependencies(package: Path) -> str:
    """A digest of what the outputs depend on besides the cells: the package's Python and data, the versions of what it uses,
    and the settings of the kernel. The labs' JavaScript and CSS are not among them: attn_labs adds those to finished pages."""
    source = digest_of_files((path for path in package.rglob("*") if path.suffix in {".py", ".json"}), package)
    installed = [f"{name} {metadata.version(name)}" for name in USED]
    return hashlib.sha256("\n".join([source, KERNEL, *installed]).encode()).hexdigest()[:16]


def choose_cache(app: Sphinx, config: Config) -> None:
    """Use the outputs that belong to the current dependencies, and remove all others."""
    package = importlib.util.find_spec("attn")
    assert package is not None and package.origin is not None
    caches = Path(app.outdir).parent / CACHE
    current = caches / digest_of_dependencies(Path(package.origin).parent)
    config.nb_execution_cache_path = str(current)
    for path in caches.glob("*"):
        if path != current:
            shutil.rmtree(path, ignore_errors=True)


def prepare_kernels() -> None:
    """Point the kernels that the build starts at a profile of their own, which is removed when the build ends.

    They compute with one thread: the tensors are small, and sums then have the same last digits on every machine. Progress bars are
    for a reader who waits: a page has none. And it says nothing about this machine.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ["TQDM_DISABLE"] = "1"
    os.environ.setdefault("TORCH_LOGS", QUIET)
    home = Path(tempfile.mkdtemp(prefix="attn-book-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    (home / "profile_default").mkdir()
    (home / "profile_default" / "ipython_kernel_config.py").write_text(KERNEL)
    os.environ["IPYTHONDIR"] = str(home)


def run_ahead(app: Sphinx, env: Any, pages: list[str]) -> None:
    """Run the notebooks among these pages whose outputs are missing, and put their outputs where myst-nb looks for them."""
    config = env.mystnb_config
    if config.execution_mode != "cache":
        return
    cache = get_cache(config.execution_cache_path)
    runs: dict[Future[ExecutionResult], Path] = {}
    pool = ThreadPoolExecutor(min(MOST_KERNELS, os.cpu_count() or 1))
    try:
        for path in (Path(env.doc2path(page)) for page in pages):
            text = path.read_text("utf-8")
            reader = create_nb_reader(str(path), env.myst_config, config, text)
            notebook = reader and reader.read(text)
            if notebook is None:
                continue
            try:
                cache.match_cache_notebook(notebook)
            except KeyError:
                run = pool.submit(
                    single_nb_execution,
                    notebook,
                    str(path.parent),
                    config.execution_timeout,
                    config.execution_allow_errors,
                    shutdown_kernel="immediate",  # it has nothing to save; to let it end by itself takes another second
                )
                runs[run] = path
                logger.info("%s: Executing notebook", path)
        for done, run in enumerate(as_completed(runs), 1):
            logger.info("%s has run (%d of %d)", runs[run].name, done, len(runs))
            with suppress(Exception):  # a kernel that dies: myst-nb runs the notebook again, and says so
                if run.result().err is None:
                    took = {"execution_seconds": run.result().time}
                    cache.cache_notebook_bundle(CacheBundleIn(run.result().nb, str(runs[run]), data=took), check_validity=False)
    finally:
        pool.shutdown(cancel_futures=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the steps above. After a change in an extension Sphinx reads every page again, and uses the outputs that exist."""
    prepare_kernels()
    extensions = Path(__file__).parent
    app.add_config_value("attn_extensions", digest_of_files(extensions.glob("*.py"), extensions), "env")
    app.connect("config-inited", choose_cache)
    app.connect("env-before-read-docs", run_ahead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
