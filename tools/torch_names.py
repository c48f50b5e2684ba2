"""Write the names that torch has and the page lacks, so that the page can tell them from names that nobody has.

A name that ends in "_" stands for the function without it, too. Names of a family, such as cudnn_..., are not listed.
"""

import json
import re
import subprocess
from pathlib import Path

import torch
from setup_test import find_node

KIT = Path(__file__).parent.parent / "src/attn/labs/kit/torch"
FAMILIES = re.compile(json.loads((KIT / "families.json").read_text(encoding="utf-8")))
PLACES = {
    "torch": torch,
    "Tensor": torch.Tensor,
    "torch.nn": torch.nn,
    "torch.nn.functional": torch.nn.functional,
    "torch.nn.init": torch.nn.init,
    "Module": torch.nn.Module,
}
ASK = """
const { modules } = await import("./torch.js");
const { tables } = await import("./operation.js");
const { moduleClass } = await import("./module.js");
const has = Object.fromEntries(Object.entries(modules).map(([name, one]) => [name, Object.keys(one.members)]));
console.log(JSON.stringify({ ...has, Tensor: Object.keys(tables.methods), Module: [...moduleClass.dict.keys()] }));
"""


def lacking(place: str, page: dict[str, list[str]]) -> list[str]:
    """The public names of a module or class that the page has not."""
    names = set(dir(PLACES[place])) - set(page[place])
    return sorted(name for name in names if not name.startswith("_") and not FAMILIES.match(name))


def shortened(names: list[str]) -> str:
    """Without the names that stand there with a "_" at their end."""
    return " ".join(name for name in names if f"{name}_" not in names)


if __name__ == "__main__":
    answer = subprocess.run([find_node(), "--input-type=module", "-e", ASK], cwd=KIT, capture_output=True, text=True, check=True)
    page = json.loads(answer.stdout)
    found = {place: lacking(place, page) for place in PLACES}
    both = sorted(set(found["torch"]) & set(found["Tensor"]))
    for place in ("torch", "Tensor"):
        found[place] = [name for name in found[place] if name not in both]
    found["both"] = both
    text = json.dumps({place: shortened(names) for place, names in found.items()}, indent=1)
    (KIT / "names.json").write_text(text + "\n", encoding="utf-8")
