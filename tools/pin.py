"""Write constraints.txt: the versions of the packages that those of requirements.txt bring along, as .venv holds them.

    .venv/bin/python tools/pin.py        (or `make pins`)

Run it on Linux with Python 3.11. The few packages that only another platform needs are not pinned.
"""

from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "constraints.txt"
HEAD = """\
# The versions of all that the packages in requirements.txt bring along. `make pins` writes this file.
# With both files, a commit is installed from the same packages today and in a year.
"""
OF_CUDA = ("nvidia-", "cuda-", "triton")  # torch pins them itself, in its builds for CUDA


def direct() -> list[Requirement]:
    """The packages of requirements.txt."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines())
    return [Requirement(line) for line in lines if line]


def brought_along(requirements: list[Requirement]) -> dict[str, str]:
    """The installed version of every package that these need, without themselves.

    Raises:
        PackageNotFoundError: one of them is not installed.
    """
    waiting, seen = list(requirements), set()
    versions: dict[str, str] = {}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        for extra in ["", *sorted(requirement.extras)]:
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            found = distribution(name)
            versions[name] = found.version
            needed = map(Requirement, found.requires or [])
            wanted = (one for one in needed if not one.marker or one.marker.evaluate({"extra": extra}))
            waiting += [one for one in wanted if not one.name.startswith(OF_CUDA)]
    for requirement in requirements:
        versions.pop(canonicalize_name(requirement.name))
    return versions


def main() -> None:
    versions = brought_along(direct())
    FILE.write_text(HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(versions.items())), "utf-8")
    print(f"Wrote {len(versions)} versions to {FILE.name}.")


if __name__ == "__main__":
    main()
