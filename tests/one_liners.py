"""Random one-line programs on the tensors of attention, as a hurried reader could type them. Two thirds of them raise an error."""

import random
from collections.abc import Callable, Iterator

GIVEN = """import math
import torch
import torch.nn as nn
import torch.nn.functional as F
B, L, S, H, G, D = 2, 5, 7, 6, 3, 4
E = H * D
x = torch.randn(B, L, E)
q = torch.randn(B, L, H, D).transpose(1, 2)
k = torch.randn(B, H, S, D)
v = torch.randn(B, H, S, D)
w = torch.randn(B, H, L, S).softmax(-1)
m = torch.randn(L, D)
u = torch.randn(D)
seen = torch.ones(L, S).tril().bool()
keep = torch.tensor([[True] * 7, [True] * 4 + [False] * 3])
ids = torch.tensor([[3, 0, 1], [2, 2, 4]])
"""
AXES = {"x": 3, "q": 4, "k": 4, "v": 4, "w": 4, "m": 2, "u": 1, "ids": 2, "keep": 2}

SHAPES = (
    "B, L, H, D|B, H, L, D|B * H, L, D|B, L, E|B, L, -1|B, -1, E|B * L, -1|B, G, H // G, L, D|B, L, H, -1|B, L, G, -1|-1"
    "|B, L, H * D|B, S, -1|B, H, -1, S|B, L, D, H|B, L, 3, -1|E / H, -1|B, 1, L, E|-1, -1"
)
CALLS = "contiguous()|clone()|mT|T|t()|float()|exp()|squeeze()|flatten()|abs()|half().float()|tril()|triu(1)|isnan()|long()|neg()"
LAYERS = "nn.Linear(E, D)|nn.Linear(D, E, bias=False)|nn.LayerNorm(D)|nn.LayerNorm(E)|nn.Embedding(5, D)|F.gelu|F.relu"
MASKS = "seen|~seen|seen == 0|keep[:, None, None]|keep|keep[:, None]|~keep[:, None, :]|w > 0.1|w"
OPERANDS = "x|q|k|v|w|m|u|ids|keep|2|0.5|seen|math.sqrt(D)|u[:, None]|m[:, None]|x.mean(-1)|keep[:, None]"
INDICES = ":|:|:|None|...|0|-1|1:|::2|:3|-2:|2|5|[0, 1]|torch.tensor([1, 0])|ids|D:"
PICKS = (
    "narrow({0}, 1, 2)|narrow({0}, 3, 4)|select({0}, 1)|select({0}, -3)|index_select({0}, ids[0])|index_select({0}, ids)"
    "|gather({0}, ids)|roll(1, {0})|diagonal(0, {0}, {1})|size({0})|stride({0})|item()|tolist()[0]"
)


class Writer:
    """Writes lines from a seed. An axis is now and then out of range, and a size wrong."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        few: list[Callable[[str, int], str]] = [
            *(self.permute, self.expand, self.softmax, self.pieces, self.compare, self.mask, self.repeat, self.join, self.pick),
            *(self.where, self.flatten, self.into_layer, self.in_place),
        ]
        often = [self.plain, self.with_axis, self.index, self.reduce, self.arithmetic]
        self.steps = [*few, *often * 2, *[self.view, self.swap] * 3]

    def line(self) -> str:
        name = self.of("x|q|k|v|x|q|k|v|w|m|u|ids|keep")
        code, axes = name, AXES[name]
        for _ in range(self.random.choice([0, 1, 1, 2, 2, 3])):
            code = self.random.choice(self.steps)(code, axes)
        finish = self.random.choice([self.product] * 2 + [self.einsum, self.attend] + [self.nothing] * 5)
        return f"y = {finish(code, axes)}"

    def of(self, choices: str) -> str:
        return self.random.choice(choices.split("|"))

    def rarely(self, share: float) -> bool:
        return self.random.random() < share

    def axis(self, axes: int) -> int:
        return self.random.randint(-axes - 1, axes) if self.rarely(0.06) else self.random.randint(-axes, axes - 1)

    def nothing(self, code: str, _axes: int) -> str:
        return code

    def view(self, code: str, _axes: int) -> str:
        return f"{code}.{self.of('view|view|reshape')}({self.of(SHAPES)})"

    def swap(self, code: str, axes: int) -> str:
        return f"{code}.{self.of('transpose|transpose|movedim|swapaxes')}({self.axis(axes)}, {self.axis(axes)})"

    def permute(self, code: str, axes: int) -> str:
        order = self.random.sample(range(axes), axes)
        if self.rarely(0.2):
            order = self.random.choice([order[:-1], [*order, axes], [*order[:-1], order[0]]])
        return f"{code}.permute({', '.join(map(str, order))})"

    def plain(self, code: str, _axes: int) -> str:
        return f"{code}.{self.of(CALLS)}"

    def with_axis(self, code: str, axes: int) -> str:
        return f"{code}.{self.of('unsqueeze({})|squeeze({})|cumsum({})|unbind({})[0]|flip({})|argsort({})')}".format(
            self.axis(axes)
        )

    def flatten(self, code: str, axes: int) -> str:
        if self.rarely(0.4):
            return f"{code}.unflatten({self.axis(axes)}, ({self.of('H, D|2, -1|G, -1|D, H|H, -1')}))"
        return f"{code}.flatten({self.axis(axes)}, {self.axis(axes)})"

    def index(self, code: str, axes: int) -> str:
        if self.rarely(0.1):
            return f"{code}[{self.of('seen|keep|ids|q > 0|L / 2|0.5|keep[0]')}]"
        count = self.random.randint(1, axes + self.rarely(0.15))
        return f"{code}[{', '.join(self.of(INDICES) for _ in range(count))}]"

    def expand(self, code: str, _axes: int) -> str:
        return f"{code}.expand({self.of('B, H, L, D|-1, -1, L, S|2, B, L, E|B, -1, -1|3, -1, -1, -1, -1|L, D')})"

    def reduce(self, code: str, axes: int) -> str:
        if self.rarely(0.15):
            return f"{code}.{self.of('max({})|min({})|topk(2, {})|sort({})')}[{self.of('0|1')}]".format(self.axis(axes))
        call = self.of("sum|mean|amax|argmax|var|std|prod|logsumexp|all|any")
        return f"{code}.{call}({self.axis(axes)}{self.of('||, keepdim=True')})"

    def softmax(self, code: str, axes: int) -> str:
        spelling = self.of("{}.softmax({})|torch.softmax({}, dim={})|F.softmax({}, {})|{}.log_softmax({})|nn.Softmax(dim={1})({0})")
        return spelling.format(code, self.axis(axes))

    def pieces(self, code: str, axes: int) -> str:
        call = self.of(
            "chunk(1|chunk(2|chunk(3|chunk(4|split(2|split(D|split([2, 3]|split(H|split([G, G]|split([D, E - D]|split(E / G"
        )
        return f"{code}.{call}, {self.axis(axes)})[{self.of('0|1')}]"

    def arithmetic(self, code: str, _axes: int) -> str:
        if self.rarely(0.25):
            return f"({code} {self.of('//|**')} {self.of('2|0.5|3')})"
        return f"({code} {self.of('+|+|-|*|*|/')} {self.of(OPERANDS)})"

    def compare(self, code: str, _axes: int) -> str:
        operator = self.random.choice([">", "<", "==", "<=", "!=", "&", "|"])
        return f"({code} {operator} {self.of('0|x|seen|keep|1.5|q')})"

    def mask(self, code: str, _axes: int) -> str:
        return f"{code}.masked_fill({self.of(MASKS)}, {self.of('-1e9|-math.inf|0|u[0]|True')})"

    def repeat(self, code: str, axes: int) -> str:
        if self.rarely(0.5):
            return f"{code}.repeat_interleave({self.of('2|3|H // G')}, {self.of('dim=|')}{self.axis(axes)})"
        times = self.random.choice([axes, axes, axes + 1, axes - 1])
        return f"{code}.repeat({', '.join(self.of('1|2') for _ in range(times))})"

    def join(self, code: str, axes: int) -> str:
        other = code if self.rarely(0.6) else self.random.choice(list(AXES))
        return f"torch.{self.of('cat|cat|stack')}([{code}, {other}], {self.of('dim=|')}{self.axis(axes)})"

    def pick(self, code: str, axes: int) -> str:
        return f"{code}.{self.of(PICKS).format(self.axis(axes), self.axis(axes))}"

    def where(self, code: str, _axes: int) -> str:
        return f"torch.where({self.of('seen|{} > 0|keep|w').format(code)}, {code}, {self.of('0.|q|x|-math.inf')})"

    def into_layer(self, code: str, _axes: int) -> str:
        if self.rarely(0.2):
            return f"F.linear({code}, {self.of('m|x[0]|torch.randn(E, E)|torch.randn(D, D)')})"
        if self.rarely(0.2):
            return f"F.pad({code}, ({self.of('1, 0|0, 1, 2, 0|1')}))"
        return f"{self.of(LAYERS)}({code})"

    def in_place(self, code: str, _axes: int) -> str:
        return f"{code}.{self.of('add_(1)|mul_(q)|mul_(x)|mul_(u)|zero_()|masked_fill_(seen, 0)|transpose_(0, 1)')}"

    def product(self, code: str, _axes: int) -> str:
        other = self.random.choice(list(AXES)) + self.of("||.mT|.transpose(1, 2)|.transpose(-2, -1)|[0]|.T")
        spelling = self.of("{} @ {}|{} @ {}|{1} @ {0}|torch.matmul({}, {})|torch.bmm({}, {})|torch.mm({}, {})|torch.dot({}, {})")
        return spelling.format(code, other)

    def einsum(self, code: str, axes: int) -> str:
        name = self.random.choice(list(AXES))
        letters = [self.letters(axes), self.letters(AXES[name])]
        kept = sorted(set("".join(letters)) - {"."})
        result = "".join(self.random.sample(kept, self.random.randint(1, min(4, len(kept)))))
        arrow = self.random.choice([f"->{result}"] * 5 + ["", "->", "->z", f"->...{result}"])
        return f'torch.einsum("{",".join(letters)}{arrow}", {code}, {name})'

    def letters(self, axes: int) -> str:
        count = max(1, axes - 1) if self.rarely(0.12) else axes
        return ("..." if self.rarely(0.05) else "") + "".join(self.random.sample("bhlsde", count))

    def attend(self, code: str, _axes: int) -> str:
        extra = self.of("||, seen|, is_causal=True|, keep[:, None, None]|, scale=1.0|, attn_mask=w|, enable_gqa=True")
        return f"F.scaled_dot_product_attention({code}, {self.of('k, v|k, v|k, v[..., :2]|x, x|v, k.mT')}{extra})"


def lines(count: int, seed: int) -> Iterator[str]:
    writer = Writer(seed)
    for _ in range(count):
        yield writer.line()
