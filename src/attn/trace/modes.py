"""PyTorch's two reports of each operation: the call as it was written, and the kernels that ran for it."""

from typing import Any, Protocol, runtime_checkable

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["Calls", "Kernels", "Listener"]


@runtime_checkable
class Listener(Protocol):
    """What is told of each operation, for example a Trace."""

    def call_starts(self) -> None: ...
    def call_returned(self, op: str, given: object, result: object) -> None: ...
    def call_failed(self, op: str, given: object, error: BaseException) -> None: ...
    def kernel_ran(self, op: str, given: object, result: object, *, writes: bool) -> None: ...


class Calls(TorchFunctionMode):
    """Sees each torch function as it was called. What that function calls in turn is left to `Kernels`."""

    def __init__(self, listener: Listener) -> None:
        super().__init__()
        self._listener = listener

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        op, given = _name_of(func), (args, kwargs or {})
        self._listener.call_starts()
        try:
            result = func(*args, **(kwargs or {}))
        except BaseException as error:
            self._listener.call_failed(op, given, error)
            raise
        self._listener.call_returned(op, given, result)
        return result


class Kernels(TorchDispatchMode):
    """Sees each kernel that runs, also those of the backward pass."""

    def __init__(self, listener: Listener) -> None:
        super().__init__()
        self._listener = listener

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if torch.is_inference_mode_enabled() and isinstance(func, torch._ops.OpOverload):
            # In inference mode matmul arrives whole, where autograd would have decomposed it. Decompose it here, with views
            # that know their base, as they do outside: torch chooses kernels by it.
            whole = torch._C.DispatchKey.CompositeImplicitAutograd
            if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), whole):
                with self, torch._C._SetExcludeDispatchKeyGuard(torch._C.DispatchKey.ADInplaceOrView, False):
                    return func._op_dk(whole, *args, **kwargs)
        result = func(*args, **kwargs)
        writes = isinstance(func, torch._ops.OpOverload) and func._schema.is_mutable
        self._listener.kernel_ran(_name_of(func).lstrip("_"), (args, kwargs), result, writes=writes)
        return result


_REVERSED = {"__rsub__": "sub", "__rdiv__": "div", "__rpow__": "pow", "__rmatmul__": "matmul"}


def _name_of(func: Any) -> str:
    """The name of a torch function as you write it: matmul, view, mT, getitem."""
    name = str(getattr(func, "__name__", type(func).__name__)).partition(".")[0]
    if name == "__get__":
        return str(func.__self__.__name__)
    return _REVERSED.get(name) or (name.strip("_") if name.startswith("__") else name)
