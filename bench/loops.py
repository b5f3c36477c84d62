"""Writes the C programs of the systematic study of gambling on regions (Akhundov et al., Verification by Gambling on
Program Slices, §4.3, Fig. 7): loops of several structures and bounds around a fact and the assertion that needs it.

    python bench/loops.py [FOLDER] --out DIR

A base program NAME is two files in a folder, `NAME.knowledge` and `NAME.assert`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "shared" / "qicc"
SMALL, LARGE = 10, 200
NO_BOUNDS = "none"
BOUNDS = {"small": str(SMALL), "large": str(LARGE), "arbitrary": "bound"}

# The order of what is in a structure: the heads of its loops, the fact, the assertion.
STRUCTURES = {
    "Baseline": ("fact", "assert"),
    "Single 1": ("loop", "fact", "assert"),
    "Single 2": ("fact", "loop", "assert"),
    "Double 1": ("loop", "loop", "fact", "assert"),
    "Double 2": ("loop", "fact", "loop", "assert"),
    "Double 3": ("fact", "loop", "loop", "assert"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A base program in a structure of loops, with the bounds of these from the outside."""

    base: str
    structure: str
    bounds: tuple[str, ...]

    @property
    def name(self) -> str:
        return "-".join((self.base, self.structure.replace(" ", ""), *self.bounds))

    @property
    def columns(self) -> dict[str, str]:
        """The case in a line of results."""
        return {"base": self.base, "structure": self.structure, "bounds": "/".join(self.bounds) or NO_BOUNDS}

    @property
    def is_hit(self) -> bool:
        """Whether the fact and the assertion are in a region in which no loop that was added has an arbitrary bound."""
        parts = STRUCTURES[self.structure]
        around = parts.index("fact")
        return around > 0 and "arbitrary" not in self.bounds[around:]


def case_in(base: str, structure: str, bounds: str) -> Case:
    """The case of a line of results."""
    return Case(base, structure, tuple(bounds.split("/")) if bounds != NO_BOUNDS else ())


def cases(folder: Path) -> list[Case]:
    """Every combination of base program, structure and bounds."""
    bases = sorted(path.stem for path in folder.glob("*.knowledge"))
    return [
        Case(base, structure, bounds)
        for base in bases
        for structure, parts in STRUCTURES.items()
        for bounds in product(BOUNDS, repeat=parts.count("loop"))
    ]


def program(case: Case, folder: Path) -> str:
    """The text of a case."""
    return "\n".join(_lines(case, folder)) + "\n"


def _lines(case: Case, folder: Path) -> Iterator[str]:
    text = {
        part: (folder / f"{case.base}.{end}").read_text() for part, end in (("fact", "knowledge"), ("assert", "assert"))
    }
    yield f"/* {case.base}, {case.structure}: {'/'.join(case.bounds) or 'no loops'} */"
    yield "unsigned nondet_uint(void);"
    yield "int main(void) {"
    if "arbitrary" in case.bounds:
        yield "unsigned bound = nondet_uint();"
    bounds = iter(case.bounds)
    depth = 0
    for part in STRUCTURES[case.structure]:
        if part == "loop":
            yield f"for (unsigned loop{depth} = 0; loop{depth} < {BOUNDS[next(bounds)]}; loop{depth}++) {{"
            depth += 1
        else:
            yield text[part].strip("\n")
    yield from ("}",) * depth
    yield "return 0;"
    yield "}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the programs of the study of gambling on regions.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="has base programs (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="for the programs")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for case in cases(options.folder):
        (options.out / f"{case.name}.c").write_text(program(case, options.folder))


if __name__ == "__main__":
    main()
