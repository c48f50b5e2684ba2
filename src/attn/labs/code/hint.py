"""What a program without a tensor lacks: the twin of hint.js."""

import re
from collections.abc import Callable, Mapping

__all__ = ["hint_of"]

_TEXTS = re.compile(r"\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"[^\"\n]*\"|'[^'\n]*'|#.*")  # strings and comments
_LINES = re.MULTILINE | re.ASCII  # ^ begins a line, and \w is what it is in JavaScript


def hint_of(source: str, aliases: Mapping[str, str], known: Mapping[str, int]) -> str:
    """A line that calls what nothing calls; "" if the program defines no such class or function.

    aliases: the axis letter that the name of a variable means. known: the sizes that the program sets.
    """
    code = _TEXTS.sub("", source)
    defined = re.findall(r"^(class|def) (\w+)", code, _LINES)
    idle = [(kind, name) for kind, name in defined if len(re.findall(rf"\b{name}\b(?!, self)", code, _LINES)) == 1]
    if not idle:
        return ""
    kind, name = idle[-1]
    found = re.search(rf"^{kind} {name}\b.*(?:\n(?:[ \t].*)?)*", code, _LINES)
    text = found[0] if found else ""
    if kind == "def" or not re.search(r"^class \w+\(|\bdef __call__\b", text, _LINES):
        return f"No tensor yet: nothing calls {name}. Add a line that does."
    sizes = _sizes_for(known)
    x = f"torch.randn({sizes['B']}, {sizes['L']}, {sizes['E']})"
    config = re.search(r"^class (\w*[Cc]onfig)\b", code, _LINES)

    def value(one: str) -> str:
        if re.search("conf|cfg", one):
            return f"{config[1]}()" if config else one
        if "drop" in one:
            return "0.0"
        usual = "H" if "head" in one else "L" if re.search("len|block|context|ctx|max", one) else "E"
        return str(sizes[aliases.get(one) or usual])

    made = _required(text, "__init__", value)
    given = _required(text, "forward|__call__", lambda one: "None" if "mask" in one else x)
    return f"No tensor yet: nothing calls {name}. Add a line such as y = {name}({made})({given or x})."


def _sizes_for(known: Mapping[str, int]) -> dict[str, int]:
    """Sizes that fit together, and those that are known. (H divides E; each head has keys and values of its own.)"""
    L, D, E = known.get("L", 5), known.get("D", 4), known.get("E")
    if "H" in known:
        H = known["H"]
    elif E:
        H = E // D if "D" in known and E % D == 0 else next(n for n in (3, 2, 1) if E % n == 0)
    else:
        H = 3
    return {"B": 2, "L": L, "S": L, "H": H, "G": H, "D": E // H if E else D, "E": E or H * D} | dict(known)


def _required(text: str, method: str, value: Callable[[str], str]) -> str:
    """The arguments for the parameters of a method that have no default."""
    found = re.search(rf"^[ \t]+def (?:{method})\(\s*self\b([^)]*)", text, _LINES)
    inner = r"\[[^\[\]]*\]"
    parameters = re.sub(inner, "", re.sub(inner, "", found[1] if found else "")).split(",")
    arguments = []
    by_name = False  # after a star, all are given by name
    for one in parameters:
        name = None if re.search(r"[=*/]", one) else re.search(r"\w+", one, _LINES)
        if name:
            arguments.append(f"{name[0]}={value(name[0])}" if by_name else value(name[0]))
        by_name = by_name or bool(re.match(r"\s*\*(?!\*)", one))
    return ", ".join(arguments)
