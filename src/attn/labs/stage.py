"""What a page may choose of a lab: its question and answer, the actions that it offers, and which parts and controls it shows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import traitlets

if TYPE_CHECKING:
    from attn.labs.lab import Lab

__all__ = ["Chip", "check_settings", "stage_of"]

Chip = tuple[str, Mapping[str, Any]]  # the text of an action, and the settings that it sets


def stage_of(
    lab: "type[Lab]",
    *,
    question: str | None = None,
    answer: str = "",
    chips: Sequence[Chip] | None = None,
    parts: Sequence[str] | None = None,
    controls: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The stage of a lab as its front end reads it. What is None is as the lab's class has it; no parts or controls means none.

    Raises ValueError if the lab does not have one of the parts or controls, or if an action sets what it does not have.
    """
    for kind, chosen, known in (("part", parts, lab.PARTS), ("control", controls, lab.CONTROLS)):
        if unknown := [name for name in chosen or () if name not in known]:
            has = f"it has {', '.join(known)}" if known else f"its {kind}s cannot be chosen"
            raise ValueError(f"{lab.__name__} has no {kind} {', '.join(map(repr, unknown))}: {has}.")
    chips = lab.CHIPS if chips is None else chips
    for text, settings in chips:
        check_settings(lab, settings, f"The action {text!r}")
    return {
        "question": lab.QUESTION if question is None else question,
        "answer": answer,
        "chips": [[text, dict(settings)] for text, settings in chips],
        "parts": None if parts is None else list(parts),
        "controls": None if controls is None else list(controls),
    }


def check_settings(lab: "type[Lab]", settings: Mapping[str, Any], whose: str) -> None:
    """Raise ValueError if a lab does not have one of these settings, or if its value is invalid. `whose` begins the message."""
    known = (*lab.STATE, *lab.VIEW)
    traits = lab.class_traits()
    checked = lab.__new__(lab)  # traits of what a list contains are checked on an object
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"{whose} sets {name!r}: the settings of {lab.__name__} are {', '.join(known)}.")
        trait: Any = traits[name]
        try:
            if not (value is None and trait.allow_none):
                trait.validate(checked, value)
        except traitlets.TraitError as error:
            raise ValueError(f"{whose} sets {name} = {value!r}, which {lab.__name__} does not take: {error}") from None
