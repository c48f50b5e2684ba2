"""What a decoder costs, by formula: parameters, floating-point operations, bytes, and the least time of a step on a device.

The sizes of the models and the figures of the devices are in costs.json, which CostLab's page also reads; their sources are below.
`attn.lessons.decoder` builds the same models, so that what is computed here can be counted.
"""

import json
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "BYTES",
    "DEVICES",
    "MODELS",
    "SOURCES",
    "Device",
    "Sizes",
    "cache_bytes",
    "flops_of",
    "least_seconds",
    "moved_bytes",
    "parameters_of",
    "turning_batch",
]

BYTES = {"float32": 4, "bfloat16": 2, "int8": 1}  # of a number

SOURCES = {  # where the figures of costs.json are from
    "GPT-2": "https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf",
    "LLaMA": "https://arxiv.org/abs/2302.13971",
    "Llama 2": "https://arxiv.org/abs/2307.09288",
    "Llama 3": "https://arxiv.org/abs/2407.21783",
    "Mistral NeMo": "https://mistral.ai/news/mistral-nemo",
    "RTX 4090": "https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf",
    "A100 SXM": "https://www.nvidia.com/en-us/data-center/a100/",
    "H100 SXM": "https://www.nvidia.com/en-us/data-center/h100/",
    "H200 SXM": "https://www.nvidia.com/en-us/data-center/h200/",
}


@dataclass(frozen=True)
class Sizes:
    """The sizes of a decoder: E, H, G and D as in MultiHeadAttention.

    layers: blocks, each with attention and an MLP. F: width of the MLP. words: size of the vocabulary.
    places: learned position vectors, as in GPT-2: such a model has biases everywhere and layer norms, its MLP has two matrices, and
    its output matrix is its embedding matrix. Without places the model is like LLaMA: rotary positions, no biases, norms with one
    vector each, three matrices in the MLP, and an output matrix of its own.
    """

    layers: int
    E: int
    H: int
    G: int
    D: int
    F: int
    words: int
    places: int = 0


@dataclass(frozen=True)
class Device:
    """A device as its data sheet describes it: memory in GB, its bandwidth in TB/s, and TFLOP/s. No program reaches these figures.

    float32: without tensor cores. bfloat16: tensor cores, sums in float32, dense (data sheets also print twice this, for matrices
    half of whose elements are zero).
    """

    memory: float
    bandwidth: float
    float32: float
    bfloat16: float

    def ridge(self, dtype: str = "bfloat16") -> float:
        """The arithmetic intensity, in FLOPs per byte, above which the device waits for arithmetic and not for memory."""
        return self.peak(dtype) / self.bandwidth

    def peak(self, dtype: str) -> float:
        """TFLOP/s for numbers that are stored in this type; numbers of 8 bits are converted to bfloat16 first."""
        return self.float32 if dtype == "float32" else self.bfloat16


_DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
MODELS = {name: Sizes(**sizes) for name, sizes in _DATA["models"].items()}
DEVICES = {
    name: Device(**{figure: float(value) for figure, value in figures.items()}) for name, figures in _DATA["devices"].items()
}


def parameters_of(of: Sizes) -> dict[str, int]:
    """How many parameters each part has: "attention", "mlp", "norms", "embeddings", and "output" if that is a matrix of its own."""
    bias = of.places > 0
    q, kv = of.H * of.D, of.G * of.D
    return {
        "attention": of.layers * (of.E * (q + 2 * kv) + q * of.E + bias * (q + 2 * kv + of.E)),
        "mlp": of.layers * (_matrices(of) * of.E * of.F + bias * (of.F + of.E)),
        "norms": (2 * of.layers + 1) * of.E * (1 + bias),
        "embeddings": (of.words + of.places) * of.E,
        "output": 0 if bias else of.words * of.E,
    }


def flops_of(of: Sizes, L: int, S: int, B: int = 1, *, causal: bool = True) -> dict[str, int]:
    """The floating-point operations of a pass: B sequences with L new tokens each, which attend to S, themselves among them.

    A product (m, k) @ (k, n) has mnk multiplications and as many additions, so 2mnk operations. Only products are counted: of the
    "attention" matrices, "scores" and weighted sums, the "mlp", and "output" for every token. causal: count only the pairs of query
    and key that a causal mask leaves; without it all L·S, which is what a program computes that stores the scores.
    """
    pairs = L * S - (L * (L - 1) // 2 if causal else 0)
    return {
        "attention": 2 * B * L * of.layers * 2 * of.E * (of.H + of.G) * of.D,
        "scores": 2 * B * of.layers * 2 * of.H * of.D * pairs,
        "mlp": 2 * B * L * of.layers * _matrices(of) * of.E * of.F,
        "output": 2 * B * L * of.words * of.E,
    }


def cache_bytes(of: Sizes, S: int, B: int = 1, number: int = 2) -> int:
    """The bytes of the keys and values of S tokens in each of B sequences, at `number` bytes for each number."""
    return 2 * of.layers * B * of.G * S * of.D * number


def moved_bytes(of: Sizes, S: int, B: int = 1, number: int = 2) -> dict[str, int]:
    """The least bytes that a pass must move: every parameter of a product or a norm once, and the "cache" of S tokens once.

    A pass reads few rows of the embeddings, so these are left out unless they are the output matrix, too. What lies between the
    layers is left out: it can stay in the device's own caches.
    """
    read = parameters_of(of)
    read["output"] = of.words * of.E
    del read["embeddings"]
    return {part: count * number for part, count in read.items()} | {"cache": cache_bytes(of, S, B, number)}


def least_seconds(device: Device, flops: int | float, moved: int | float, dtype: str = "bfloat16") -> dict[str, float]:
    """The seconds for "arithmetic" and for "memory" at the device's peak rates. A pass takes at least the longer of the two."""
    return {"arithmetic": flops / (device.peak(dtype) * 1e12), "memory": moved / (device.bandwidth * 1e12)}


def turning_batch(of: Sizes, S: int, device: Device, dtype: str = "bfloat16") -> float | None:
    """The batch, not rounded, from which on a decoding step at context S waits for arithmetic; None if no batch is large enough.

    The batch shares the parameters, and each sequence brings its own cache.
    """
    moved = moved_bytes(of, S, 1, BYTES[dtype])
    cache, ridge = moved.pop("cache"), device.ridge(dtype)
    room = sum(flops_of(of, 1, S).values()) - ridge * cache
    return ridge * sum(moved.values()) / room if room > 0 else None


def _matrices(of: Sizes) -> int:
    """Of an MLP: two, or three where one of them is a gate."""
    return 2 if of.places else 3
