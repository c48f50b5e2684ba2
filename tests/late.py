"""Modules that are imported when a test first needs them.

Each process of `make test` collects all tests. What takes a second to import would be imported in all, also if one module needs it.
"""

import importlib
from typing import Any


class Late:
    """A module by its name: Late("transformers").BertConfig."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest looks into everything that a module of tests holds
            raise AttributeError(name)
        return getattr(importlib.import_module(self._name), name)
