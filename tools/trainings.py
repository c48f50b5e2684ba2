"""What tools that train many times share: a line of JSON for each training, printed when it is done and written at the end."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["told", "write"]


def told(found: Any, digits: int) -> Any:
    """What a training found, with numbers rounded to so many digits, and printed."""
    found = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), digits))
    print(json.dumps(found), flush=True)
    return found


def write(file: Path, found: Mapping[str, Sequence[Any]]) -> None:
    """Write lists of trainings by their names, one training a line."""
    lines = [f'"{name}": [\n' + ",\n".join(map(json.dumps, some)) + "\n]" for name, some in found.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"Wrote {file.name}, {file.stat().st_size} bytes.")
