"""The code that is running: which lines called an operation, and which variables hold its results."""

import linecache
import sys
from collections.abc import Sequence
from types import FrameType

from torch import Tensor

__all__ = ["line_at", "running_frames", "variables_in"]

_PLUMBING = {"torch", "jaxtyping", "beartype", "typeguard", "einops", "contextlib"}  # packages between the reader's code and torch


def running_frames(outermost: FrameType | None) -> list[FrameType]:
    """The frames that are running, innermost first, up to `outermost`; without those of torch, of attn.trace and the like."""
    found: list[FrameType] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.partition(".")[0] not in _PLUMBING and not module.startswith("attn.trace."):
            found.append(frame)
        if frame is outermost:
            break
        frame = frame.f_back
    return found


def line_at(frames: Sequence[FrameType]) -> tuple[int, str]:
    """The line of source that the innermost frame is executing: its number, and its text. (0, "") if no frame is running."""
    if not frames:
        return 0, ""
    number = frames[0].f_lineno
    return number, linecache.getline(frames[0].f_code.co_filename, number).strip()


def variables_in(frame: FrameType) -> dict[int, list[str]]:
    """The names of the tensors that a frame's variables hold, and the attributes of its `self`, by the tensor's id."""
    variables = dict(frame.f_locals)
    attributes = getattr(variables.get("self"), "__dict__", {})
    names: dict[int, list[str]] = {}
    for name, value in (*variables.items(), *attributes.items()):
        if isinstance(value, Tensor) and not name.startswith("_"):
            names.setdefault(id(value), []).append(name)
    return names
