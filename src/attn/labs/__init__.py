"""Labs: move a size, and watch the tensors of a real computation change.

In Jupyter a lab is a widget, and the kernel computes with torch. Its HTML contains the same lab for a page without a kernel,
where the browser computes. Every folder with a lab.py is a lab: attn.labs.ShapeLab is the class ShapeLab of shape/lab.py. The
class, and ipywidgets with it, is loaded when it is first used.
"""

import importlib
from typing import Any

from attn.labs.bundle import lab_names

_MODULES = {f"{name.capitalize()}Lab": f"attn.labs.{name}.lab" for name in lab_names()}

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'attn.labs' has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise ModuleNotFoundError(f"{name} needs {error.name}: pip install 'attn[labs]'.", name=error.name) from error


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
