"""What all labs share: validated settings, a computation on the best available device, a message when something is wrong, and two
ways to be shown: as a widget, and as HTML that a page renders without a kernel."""

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import anywidget
import torch
import traitlets
from torch import Tensor

from attn.core import device
from attn.labs.bundle import style, widget_script
from attn.labs.stage import Chip, stage_of
from attn.shapes import AXES

__all__ = ["Lab", "Size", "stylesheet"]

Limits = Mapping[str, tuple[int, int]]


class Size(traitlets.TraitType[int, int]):
    """A whole number within the LIMITS of its lab, or None where allow_none is set."""

    info_text = "a size within the lab's limits"

    def validate(self, obj: Any, value: Any) -> int:
        least, most = obj.LIMITS[self.name]
        meaning = f", {AXES[self.name].meaning}," if self.name in AXES else ""
        if isinstance(value, bool) or not isinstance(value, int):
            raise traitlets.TraitError(f"{self.name} = {value!r}: {self.name}{meaning} is a whole number from {least} to {most}.")
        if not least <= value <= most:
            raise traitlets.TraitError(f"{self.name} = {value}: this lab takes {self.name}{meaning} from {least} to {most}.")
        return value


class Lab(anywidget.AnyWidget):
    """A widget whose settings determine a computation. The results are attributes, which are new after every change.

    A subclass declares its settings and computes the results. The kernel computes once for each batch of changes, whether a
    reader's slider or a line of Python made them. An invalid setting raises its error, is shown in the lab as a message, and
    leaves settings and results as they were.
    """

    NAME: ClassVar[str]  # the lab's folder: "shape" for ShapeLab
    STATE: ClassVar[tuple[str, ...]]  # settings that the results depend on
    VIEW: ClassVar[tuple[str, ...]] = ()  # settings that change only what is drawn
    CONSTANTS: ClassVar[tuple[str, ...]] = ()  # other traits that the front end needs; nobody changes them
    LIMITS: ClassVar[Limits] = {}
    PAGE_LIMITS: ClassVar[Limits] = {}  # smaller limits for a page, where the browser computes
    PRECISION: ClassVar[torch.dtype] = torch.float32  # of the tensors that the front end receives
    EXACT: ClassVar[tuple[str, ...]] = ()  # traits besides STATE that `exact` depends on
    # What the lab shows unless a page chooses: see attn.labs.stage. A lab without a question has no stage.
    QUESTION: ClassVar[str] = ""
    CHIPS: ClassVar[tuple[Chip, ...]] = ()
    PARTS: ClassVar[tuple[str, ...]] = ()
    CONTROLS: ClassVar[tuple[str, ...]] = ()

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    _backend = traitlets.Unicode().tag(sync=True)  # what computes; empty on a page
    _schema = traitlets.Dict().tag(sync=True)
    _stage = traitlets.Dict().tag(sync=True)
    _limits = traitlets.Dict().tag(sync=True)
    _message = traitlets.Unicode().tag(sync=True)
    _answer = traitlets.Dict().tag(sync=True)  # the results for the settings in its "state"
    _exact = traitlets.Dict().tag(sync=True)  # what `exact` returns for the settings in its "state"
    # The arguments before the settings in the Python that makes this lab; None if they cannot be written.
    _positional: traitlets.List[str] = traitlets.List(traitlets.Unicode(), allow_none=True).tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        package, _, folder = cls.__module__.removesuffix(".lab").rpartition(".")
        if package == "attn.labs":
            if cls.__name__ != f"{folder.capitalize()}Lab":
                raise TypeError(
                    f"{cls.__module__} defines {cls.__name__}: a lab is named after its folder, {folder.capitalize()}Lab."
                )
            cls.NAME = folder

    def __init__(
        self,
        *,
        question: str | None = None,
        answer: str = "",
        chips: Sequence[Chip] | None = None,
        parts: Sequence[str] | None = None,
        controls: Sequence[str] | None = None,
        **settings: Any,
    ) -> None:
        """A lab with these settings. The other arguments choose what it shows: see `attn.labs.stage.stage_of`."""
        stage = stage_of(type(self), question=question, answer=answer, chips=chips, parts=parts, controls=controls)
        self._results: Mapping[str, Any] = {}
        self._computed_state: dict[str, Any] = {}  # the settings that the results belong to
        if unknown := [name for name in settings if not self.has_trait(name)]:
            raise TypeError(
                f"{type(self).__name__} has no setting {', '.join(unknown)}; it has {', '.join((*self.STATE, *self.VIEW))}."
            )
        super().__init__(_stage=stage, **settings)

    # What a subclass defines -------------------------------------------------------------------------------------------

    def compute(self) -> Mapping[str, Any]:
        """The results for the present settings by name: tensors on `attn.device()`, or values that JSON can carry."""
        raise NotImplementedError

    def send(self, results: Mapping[str, Any]) -> Iterable[str]:
        """The names of the results that the front end draws; the others are not sent."""
        return results

    def exact(self) -> Mapping[str, Any]:
        """Exact numbers of what the reader points at, where PRECISION is too low for them."""
        return {}

    def normalize(self, state: dict[str, Any], changed: set[str]) -> dict[str, Any]:
        """The settings to use after those in `changed` have changed: `state`, or `state` with others adapted to them.

        Raises ShapeError if the settings do not fit together.
        """
        return state

    def fallback(self) -> str:
        """HTML that states the fact that the lab shows, for readers without JavaScript and for print."""
        raise NotImplementedError

    # Settings and results ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """The settings that the results depend on, by name."""
        return {name: getattr(self, name) for name in self.STATE}

    def open(self) -> None:
        """Compute for the first time, then open the connection to the front end."""
        self._update()
        self.observe(self._update, names=list(self.STATE))
        self.observe(self._send_missing, names=list(self.VIEW))
        self.observe(self._send_exact, names=list(self.EXACT))
        super().open()

    def _update(self, change: object = None) -> None:
        state = self.state
        if self._results and state == self._computed_state:  # a batch of changes calls once for each; the first has computed
            return
        try:
            before = self._computed_state
            changed = {name for name in self.STATE if name not in before or state[name] != before[name]}
            normalized = self.normalize(state, changed)
            if normalized != state:
                self._set(normalized)
                self._update()
                return
            results = dict(self.compute())
        except Exception as error:
            self._set(self._computed_state)
            self._message = str(error)
            raise
        self._results, self._computed_state, self._message = results, state, ""
        with self.hold_sync():  # one message for both
            self._answer = {"state": state, "tensors": {name: self._encode(results[name]) for name in self.send(results)}}
            self._send_exact()

    def _send_missing(self, change: object = None) -> None:
        """Send results that the front end now draws and does not have yet."""
        sent = self._answer["tensors"]
        if missing := {name: self._encode(self._results[name]) for name in self.send(self._results) if name not in sent}:
            self._answer = {"state": self._computed_state, "tensors": sent | missing}

    def _send_exact(self, change: object = None) -> None:
        if self.EXACT:
            self._exact = {"state": self._computed_state, **self.exact()}

    def _encode(self, value: Any) -> Any:
        """A tensor as the bytes of its numbers in PRECISION, last axis fastest; anything else as it is."""
        if not isinstance(value, Tensor):
            return value
        return value.detach().to("cpu", self.PRECISION).contiguous().numpy().tobytes()

    def _set(self, state: Mapping[str, Any]) -> None:
        with self.hold_trait_notifications():
            for name, value in state.items():
                self.set_trait(name, value)

    @contextmanager
    def showing_errors(self) -> Iterator[None]:
        """Show an error that is raised inside as the lab's message, too. If there is none, clear the message."""
        try:
            yield
        except Exception as error:
            self._message = str(error)
            raise
        self._message = ""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.STATE or name in self.VIEW:
            with self.showing_errors():
                super().__setattr__(name, value)
        else:
            super().__setattr__(name, value)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take a change from the front end. Answer an invalid one with a message and the settings as they were."""
        if not any(name in (*self.STATE, *self.VIEW) for name in sync_data):  # the pointer has moved: a message stays
            super().set_state(sync_data)
            return
        try:
            with self.showing_errors():
                super().set_state(sync_data)
        except Exception:
            self.send_state([name for name in sync_data if name in self.keys])

    def __getattr__(self, name: str) -> Any:
        results = self.__dict__.get("_results", {})
        if name in results:
            return results[name]
        known = f"; its results are {', '.join(results)}" if results else ""
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{known}.")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._results})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in (*self.STATE, *self.VIEW))})"

    # How it is shown --------------------------------------------------------------------------------------------------

    @traitlets.default("_esm")
    def _default_esm(self) -> str:
        return widget_script(self.NAME)

    @traitlets.default("_css")
    def _default_css(self) -> str:
        return stylesheet(self.NAME)

    @traitlets.default("_backend")
    def _default_backend(self) -> str:
        return f"torch {'.'.join(torch.__version__.split('.')[:2])} · {device().type}"

    @traitlets.default("_schema")
    def _default_schema(self) -> dict[str, Any]:
        traits = {name: self.traits()[name] for name in (*self.STATE, *self.VIEW)}
        schema = {
            "name": type(self).__name__,
            "state": list(self.STATE),
            "view": list(self.VIEW),
            "constants": list(self.CONSTANTS),
            "precision": str(self.PRECISION).removeprefix("torch."),
        }
        # A page also needs to know what a setting may be, because its address may have any text.
        choices = {name: list(trait.values or ()) for name, trait in traits.items() if isinstance(trait, traitlets.Enum)}
        optional = {name: _kind(trait) for name, trait in traits.items() if trait.allow_none}
        return schema | ({"choices": choices} if choices else {}) | ({"optional": optional} if optional else {})

    @traitlets.default("_limits")
    def _default_limits(self) -> dict[str, tuple[int, int]]:
        return dict(self.LIMITS)

    def html(self) -> str:
        """The lab for a page without a kernel: its settings as JSON, and its fallback."""
        names = (*self.STATE, *self.VIEW, *self.CONSTANTS)
        state = {name: getattr(self, name) for name in names}
        state |= {"_schema": self._schema, "_stage": self._stage, "_limits": self._page_limits(), "_backend": "", "_message": ""}
        text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
        attribute = html.escape(text, quote=False).replace("'", "&#39;")
        return f"""<div class="{self._width}" data-lab="{self.NAME}" data-state='{attribute}'>{self.fallback()}</div>"""

    @property
    def _width(self) -> str:
        """The class of the lab on a page. A whole lab is as wide as text and margin: "full-width" is the theme's class for that."""
        small = self._stage["parts"] is not None or self._stage["controls"] is not None
        return "attn-lab small" if small else "attn-lab full-width" if self.QUESTION else "attn-lab"

    def _page_limits(self) -> dict[str, tuple[int, int]]:
        """PAGE_LIMITS, widened to include the settings that the page starts with."""
        sizes = {name: getattr(self, name) for name in self.PAGE_LIMITS}
        return {
            name: (least, most) if sizes[name] is None else (min(least, sizes[name]), max(most, sizes[name]))
            for name, (least, most) in self.PAGE_LIMITS.items()
        }

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return data | {"text/html": self.html()}, metadata


def _kind(trait: traitlets.TraitType[Any, Any]) -> str:
    """What JavaScript calls the values of a setting."""
    return "array" if isinstance(trait, traitlets.List) else "string" if isinstance(trait, traitlets.Enum) else "number"


def stylesheet(lab: str) -> str:
    """The style of a lab for Jupyter, with the axis colours, which the pages of the book define themselves."""
    light, dark = (
        " ".join(f"--attn-{axis.letter}: {getattr(axis, theme)};" for axis in AXES.values()) for theme in ("light", "dark")
    )
    dark_theme = '[data-jp-theme-light="false"] .attn-lab-root'
    return f".attn-lab-root {{ {light} }}\n{dark_theme} {{ {dark} }}\n{style([lab])}"
