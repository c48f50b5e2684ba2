"""Which parameter of a module makes queries, keys, values and the output: found by names and shapes, or declared."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import torch
from torch import Tensor, nn

from attn.check.own.definition import Sizes, Weights
from attn.shapes import divisors

__all__ = ["HEADS", "Roles", "attribute", "candidates", "given_roles", "tensors_of", "width_of"]

HEADS = ("num_heads", "n_heads", "n_head", "nhead", "num_attention_heads", "heads", "nb_heads", "h", "H", "head_num", "nheads")
_GROUPS = ("num_kv_heads", "n_kv_heads", "n_kv_head", "num_key_value_heads", "kv_heads", "num_kv_groups", "G")
_HEAD = ("head_dim", "d_head", "D", "dim_head", "d_k", "head_size", "dim_per_head")
_VALUE = ("Dv", "v_head_dim", "d_v")
_WIDTH = ("embed_dim", "d_model", "dim", "hidden_size", "n_embd", "E", "emb_dim", "embed_size", "model_dim", "dim_model")

_WORDS = {"q": ("q", "qs", "query", "queries"), "k": ("k", "ks", "key", "keys"), "v": ("v", "vs", "val", "value", "values")}
_OUT = ("o", "out", "output", "proj", "projection", "fc", "dense", "final", "unify", "unifyheads", "combine", "c_proj", "linear")
_PACKED = ("qkv", "wqkv", "c_attn", "in_proj", "packed", "packed_proj", "w_qkv", "query_key_value", "qkv_proj", "to_qkv")

Tensors = Mapping[str, Tensor]
Take = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Source:
    """Where a matrix or a bias is: parts of parameters, one below the other."""

    parts: tuple[tuple[str, Take], ...]

    def read(self, tensors: Tensors) -> Tensor:
        return torch.cat([take(tensors[name]) for name, take in self.parts])

    @property
    def names(self) -> str:
        return ", ".join(dict.fromkeys(name for name, _ in self.parts))


@dataclass(frozen=True)
class Roles:
    """The sizes of a layer, and the source of each of its matrices and biases. `o` may be missing: then there is no W_O.

    note: what was assumed, in words.
    """

    sizes: Sizes
    matrices: Mapping[str, Source]
    biases: Mapping[str, Source]
    note: str = ""

    def read(self, tensors: Tensors) -> Weights:
        weights = {
            role: (source.read(tensors), self.biases[role].read(tensors).flatten() if role in self.biases else None)
            for role, source in self.matrices.items()
        }
        if "o" not in weights:
            weights["o"] = (torch.eye(self.sizes.H * self.sizes.Dv), None)
        return weights

    def described(self) -> str:
        """As a reader declares it: q: q_proj.weight, k: …"""
        return "; ".join(f"{role.upper()} = {source.names}" for role, source in self.matrices.items())


def attribute(module: object, names: Sequence[str]) -> int | None:
    """The first of these attributes of a module, of its config, or of its parts, that is a positive whole number."""
    parts = list(module.modules())[1:] if isinstance(module, nn.Module) else []
    for owner in (module, getattr(module, "config", None), *parts):
        for name in names:
            value = getattr(owner, name, None)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
    return None


def tensors_of(module: nn.Module) -> dict[str, Tensor]:
    """The parameters of a module by their names, and tensors that it holds without having registered them."""
    found: dict[str, Tensor] = dict(module.named_parameters(remove_duplicate=False))
    for path, part in module.named_modules(remove_duplicate=False):
        for name, value in vars(part).items():
            items = value if isinstance(value, list | tuple) else [value]
            for n, item in enumerate(items):
                key = ".".join(filter(None, (path, name, str(n) if items is value else "")))
                if isinstance(item, Tensor):
                    found.setdefault(key, item)
                elif isinstance(item, nn.Module) and items is value:  # modules in a plain list are not registered
                    found |= {f"{key}.{inner}": tensor for inner, tensor in tensors_of(item).items()}
    return found


def role_of(name: str) -> str:
    """The role that the name of a parameter tells: q, k, v, o, qkv, kv, or "" ."""
    path = [part for part in name.split(".") if part not in ("weight", "bias", "base_layer")]
    path = [re.sub(r"_?(weight|bias)s?$", "", part) or part for part in path]
    named = [part for part in path if not part.isdigit()]
    if not named:
        return ""
    leaf = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", named[-1]).lower()
    words = [re.sub(r"^[wb](?=(q|k|v|o|kv|qkv|qs|ks|vs)$)", "", word) for word in re.findall(r"[a-z]+", leaf)]
    spoken = [role for role, names in _WORDS.items() if any(word in names for word in words)]
    if leaf in _PACKED or "qkv" in words or spoken == ["q", "k", "v"]:
        return "qkv"
    if "kv" in words or spoken == ["k", "v"]:
        return "kv"
    if len(spoken) == 1:
        return spoken[0]
    return "o" if leaf in _OUT or any(word in ("o", "out", "output") for word in words) else ""


def candidates(module: nn.Module, declared: Mapping[str, str], E: int | None, H: int | None, G: int | None) -> list[Roles]:
    """What the parameters may be, the likeliest first; empty if nothing fits.

    declared: the name of a parameter or a submodule for q, k, v, o or qkv. Sizes that are None are read off or tried out.
    """
    tensors = tensors_of(module)
    groups = _by_role(tensors, declared)
    E = E or width_of(module)
    H = H or attribute(module, HEADS)
    G = G or attribute(module, _GROUPS)
    if E is None:
        return []
    found: list[Roles] = []
    for heads in [H] if H else divisors(E)[::-1]:
        for grouping in _assignments(groups, tensors):
            found += _layouts(module, tensors, grouping, E, heads, G)
    return found


def _by_role(tensors: Tensors, declared: Mapping[str, str]) -> dict[str, list[str]]:
    """The names of the matrices of each role; "" has those that no name gives away."""
    groups: dict[str, list[str]] = {}
    for name, tensor in tensors.items():
        if tensor.dim() < 2 or not tensor.is_floating_point() or min(tensor.shape) < 2 <= len(tensor.shape) == 4:
            continue
        chosen = [
            role for role, path in declared.items() if name == path or name.startswith(f"{path}.") or name == f"{path}_weight"
        ]
        if declared and not chosen:
            continue
        groups.setdefault(chosen[0] if chosen else role_of(name), []).append(name)
    for role, path in declared.items():
        if role not in groups:
            raise ValueError(
                f"weights={{{role!r}: {path!r}}}: the module has no matrix of this name. It has "
                f"{', '.join(name for name, tensor in tensors.items() if tensor.dim() >= 2) or 'none'}."
            )
    return groups


def _assignments(groups: dict[str, list[str]], tensors: Tensors) -> Iterator[dict[str, list[str]]]:
    """The matrices of q, k, v and o, or of qkv and o. Without telling names: by their order first, then in any order."""
    named = {role: names for role, names in groups.items() if role}
    rest = groups.get("", [])
    if "qkv" in named or {"q", "k", "v"} <= set(named) or {"q", "kv"} <= set(named):
        if "o" not in named and rest:
            named["o"] = rest[-1:]
        yield named
        return
    unnamed = [name for name in tensors if any(name in names for names in groups.values())]
    if len(unnamed) == 2:
        yield {"qkv": unnamed[:1], "o": unnamed[1:]}
    elif len(unnamed) in (3, 4):
        for order in permutations(unnamed):
            yield {role: [name] for role, name in zip("qkvo", order, strict=False)}


def _layouts(
    module: nn.Module, tensors: Tensors, grouping: Mapping[str, list[str]], E: int, H: int, G: int | None
) -> Iterator[Roles]:
    """The roles for each way in which these matrices may be laid out."""
    raw = [name for names in grouping.values() for name in names if _stored(module, name) is None]
    widths = attribute(module, _HEAD), attribute(module, _VALUE)
    square = any(tensors[name].dim() == 2 and len(set(tensors[name].shape)) == 1 for name in raw)
    for turned in (True, False) if square else (True,):
        oriented = {
            role: [(name, _matrix(module, name, tensors[name], role, E, H, turned)) for name in names]
            for role, names in grouping.items()
        }
        if any(take is None for pairs in oriented.values() for _, take in pairs):
            continue
        note = ("x @ W" if turned else "x @ W.T") + " for the matrices that are no nn.Linear" if square else ""
        packings: Iterable[str] = ("blocks", "per head") if "qkv" in grouping else ("blocks",)
        for packing in packings:
            try:
                roles = _roles(tensors, oriented, E, H, G, widths, packing, note)  # type: ignore[arg-type]
                roles.read(tensors)
            except (RuntimeError, ValueError, ZeroDivisionError):
                continue
            yield roles


def _roles(
    tensors: Tensors,
    oriented: Mapping[str, list[tuple[str, Take]]],
    E: int,
    H: int,
    G: int | None,
    widths: tuple[int | None, int | None],
    packing: str,
    note: str,
) -> Roles:
    matrices = {role: Source(tuple(pairs)) for role, pairs in oriented.items()}
    biases = {role: Source(pairs) for role, pairs in ((role, _biases(tensors, pairs)) for role, pairs in oriented.items()) if pairs}
    rows = {role: len(source.read(tensors)) for role, source in matrices.items()}
    if "qkv" in rows:
        D, Dv = widths
        if D is None:
            D, left = divmod(rows["qkv"], H + 2 * (G or H))
            if G is None and (left or rows["qkv"] != 3 * E):
                D = E // H
        Dv = Dv or D
        G = G or (rows["qkv"] - H * D) // (D + Dv)
        _must(G > 0 and H % G == 0 and rows["qkv"] == H * D + G * (D + Dv) and (packing == "blocks" or D == Dv))
        cut = _cut_blocks(H, G, D) if packing == "blocks" else _cut_per_group(H, G, D)
        note = "; ".join(filter(None, (note, "" if packing == "blocks" else "q, k and v packed head by head")))
        pieces = cut
        for table in (matrices, biases):
            if "qkv" in table:
                table |= {role: _cut(table["qkv"], take) for role, take in pieces.items()}
                del table["qkv"]
    else:
        D, left = divmod(rows["q"], H)
        if "kv" in rows:
            half = rows["kv"] // 2
            for table in (matrices, biases):
                if "kv" in table:
                    table |= {"k": _cut(table["kv"], lambda t: t[:half]), "v": _cut(table["kv"], lambda t: t[half:])}
                    del table["kv"]
            rows |= {"k": half, "v": half}
        G = G or rows["k"] // D
        _must(not left and rows["k"] == G * D and H % G == 0 and rows["v"] % G == 0)
        Dv = rows["v"] // G
    read = {role: tuple(source.read(tensors).shape) for role, source in matrices.items()}
    _must(all(read[role][1] == E for role in "qkv") and read.get("o", (E, H * Dv)) == (E, H * Dv))
    order = [role for role in "qkvo" if role in matrices]
    return Roles(Sizes(E, H, G, D, Dv), {role: matrices[role] for role in order}, biases, note)


def _must(condition: bool) -> None:
    if not condition:
        raise ValueError("the sizes do not fit together")


def _cut(source: Source, take: Take) -> Source:
    (name, first), *others = source.parts
    _must(not others)
    return Source(((name, lambda t: take(first(t))),))


def _cut_blocks(H: int, G: int, D: int) -> dict[str, Take]:
    """All query heads, then all key heads, then all value heads."""
    return {
        "q": lambda t: t[: H * D],
        "k": lambda t: t[H * D : (H + G) * D],
        "v": lambda t: t[(H + G) * D :],
    }


def _cut_per_group(H: int, G: int, D: int) -> dict[str, Take]:
    """For each key/value head its query heads, the key, the value: (G, H / G + 2, D)."""
    each = H // G

    return {
        "q": lambda t: t.unflatten(0, (G, each + 2, D))[:, :each].flatten(0, 2),
        "k": lambda t: t.unflatten(0, (G, each + 2, D))[:, each].flatten(0, 1),
        "v": lambda t: t.unflatten(0, (G, each + 2, D))[:, each + 1].flatten(0, 1),
    }


def _stored(module: nn.Module, name: str) -> str | None:
    """How the owner of a parameter stores it: "out, in", "in, out", or None if that cannot be told."""
    owner: Any = module
    for step in name.split(".")[:-1]:
        owner = owner[int(step)] if isinstance(owner, list | tuple) else getattr(owner, step, None)
    if isinstance(owner, nn.Linear) or (isinstance(owner, nn.MultiheadAttention) and "weight" in name):
        return "out, in"
    return "in, out" if type(owner).__name__ == "Conv1D" else None


def _matrix(module: nn.Module, name: str, tensor: Tensor, role: str, E: int, H: int, turned: bool) -> Take | None:
    """How to make the (out, in) matrix from a parameter; None if its shape does not fit."""
    shape = tuple(tensor.shape)
    if len(shape) == 2:
        stored = _stored(module, name)
        if stored is None:
            fits_in = (
                [axis for axis in (1, 0) if shape[axis] == E] if role != "o" else [axis for axis in (0, 1) if shape[axis] == E]
            )
            if not fits_in:
                return None
            if len(fits_in) == 2:
                stored = "in, out" if turned else "out, in"
            else:
                stored = (
                    ("out, in" if fits_in[0] == 1 else "in, out") if role != "o" else ("out, in" if fits_in[0] == 0 else "in, out")
                )
        return (lambda t: t) if stored == "out, in" else (lambda t: t.mT)
    if role == "qkv" and shape[0] == 3:
        inner = _matrix(module, name + "[0]", tensor[0], "q", E, H, turned)
        return None if inner is None else lambda t: torch.cat([inner(one) for one in t])
    if len(shape) == 3:
        # (H, E, D), (E, H, D), (H, D, E) and so on: the axis of E, that of the heads, and what remains.
        wide = next((axis for axis in (1, 0, 2) if shape[axis] == E), None)
        if wide is None:
            return None
        heads = next((axis for axis in range(3) if axis != wide), 0)
        width = 3 - wide - heads
        if role == "o":
            return lambda t: t.permute(wide, heads, width).flatten(1)
        return lambda t: t.permute(heads, width, wide).flatten(0, 1)
    return None


def _biases(tensors: Tensors, pairs: Sequence[tuple[str, Take]]) -> tuple[tuple[str, Take], ...]:
    """The biases of these matrices, if each has one."""
    found = []
    for name, _ in pairs:
        head, _, last = name.rpartition(".")
        options = [last.replace("weight", "bias"), re.sub(r"^[Ww]", "b", last), re.sub(r"^[Ww]", "B", last)]
        names = [f"{head}.{option}".lstrip(".") for option in options if option != last]
        match = next((option for option in names if option in tensors), None)
        if match is None:
            return ()
        found.append((match, lambda t: t.flatten()))
    return tuple(found)


def width_of(module: nn.Module) -> int | None:
    """E, as an attribute of the module says it, or else the matrix that makes queries."""
    if E := attribute(module, _WIDTH):
        return E
    tensors = tensors_of(module)
    groups = _by_role(tensors, {})
    for role in ("q", "qkv", ""):
        for name in groups.get(role, []):
            stored, shape = _stored(module, name), tensors[name].shape
            if len(shape) == 2 and (stored or len(set(shape)) == 1):
                return int(shape[0] if stored == "in, out" else shape[1])
            if len(shape) == 3:
                return max(shape)
    return None


def given_roles(given: Mapping[str, Any], H: int | None, G: int | None) -> Roles:
    """The roles of weights that were handed over as modules or tensors."""
    matrices, biases = {}, {}
    for role, value in given.items():
        weight, bias = (value.weight, value.bias) if isinstance(value, nn.Linear) else (value, None)
        if not isinstance(weight, Tensor) or weight.dim() != 2:
            raise TypeError(f"weights[{role!r}] is {type(value).__name__}; it must be an nn.Linear or a matrix (out, in).")
        matrices[role] = Source((("", _constant(weight)),))
        if bias is not None:
            biases[role] = Source((("", _constant(bias)),))
    if missing := [role for role in "qkv" if role not in matrices]:
        raise ValueError(f"weights lacks {', '.join(missing)}: give q, k and v, and o if there is an output projection.")
    if not H:
        raise ValueError("With weights= as tensors, H= must say how many heads there are.")
    tensors = {"": torch.zeros(0)}
    q, k, v = (matrices[role].read(tensors) for role in "qkv")
    D = len(q) // H
    G = G or len(k) // D
    return Roles(Sizes(q.shape[1], H, G, D, len(v) // G), matrices, biases)


def _constant(tensor: Tensor) -> Take:
    return lambda _: tensor.detach().float().cpu()
