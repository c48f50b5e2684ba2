"""Labs: move a size, and watch the tensors of a real computation change.

In Jupyter a lab is a widget, and the kernel computes with torch. Its HTML carries the same lab for a page without a kernel,
where the browser computes. A lab is loaded, and ipywidgets with it, when somebody asks for it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attn.labs.cache_lab import CacheLab
    from attn.labs.einsum_lab import EinsumLab
    from attn.labs.grid_lab import GridLab
    from attn.labs.heads_lab import HeadsLab
    from attn.labs.mask_lab import MaskLab
    from attn.labs.mix_lab import MixLab
    from attn.labs.passport_lab import PassportLab
    from attn.labs.product_lab import ProductLab
    from attn.labs.shape_lab import ShapeLab
    from attn.labs.softmax_lab import SoftmaxLab
    from attn.labs.training_lab import TrainingLab
    from attn.labs.variance_lab import VarianceLab

__all__ = [
    "CacheLab",
    "EinsumLab",
    "GridLab",
    "HeadsLab",
    "MaskLab",
    "MixLab",
    "PassportLab",
    "ProductLab",
    "ShapeLab",
    "SoftmaxLab",
    "TrainingLab",
    "VarianceLab",
]

_MODULES = {
    "CacheLab": "cache_lab",
    "EinsumLab": "einsum_lab",
    "GridLab": "grid_lab",
    "HeadsLab": "heads_lab",
    "MaskLab": "mask_lab",
    "MixLab": "mix_lab",
    "PassportLab": "passport_lab",
    "ProductLab": "product_lab",
    "ShapeLab": "shape_lab",
    "SoftmaxLab": "softmax_lab",
    "TrainingLab": "training_lab",
    "VarianceLab": "variance_lab",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'attn.labs' has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"attn.labs.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise ModuleNotFoundError(f"{name} needs {error.name}: pip install 'attn[labs]'.", name=error.name) from error


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
