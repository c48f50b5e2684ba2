"""Write the names that torch has, so that the page can tell what it lacks from what nobody has: tools/torch_names.py"""

import json
from pathlib import Path

import torch

TARGET = Path(__file__).parent.parent / "src/attn/labs/kit/torch/names.json"
MODULES = {
    "torch": torch,
    "Tensor": torch.Tensor,
    "torch.nn": torch.nn,
    "torch.nn.functional": torch.nn.functional,
    "torch.nn.init": torch.nn.init,
    "Module": torch.nn.Module,
}


def public(thing: object) -> str:
    """The public names of a module or class, sorted."""
    return " ".join(sorted(name for name in dir(thing) if not name.startswith("_")))


if __name__ == "__main__":
    names = {where: public(thing) for where, thing in MODULES.items()}
    TARGET.write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
