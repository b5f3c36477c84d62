"""What an interpolant is asked for: an SMT-LIB script, and a point that it excludes.

An interpolant is a condition over the shared constants that follows from the script and does not hold at the point.
Nothing that a source gives is believed: whoever asks has both checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from paddock.frozen import frozen
from paddock.solvers.sexpr import Sexpr

_CONSTANT = re.compile(r"\(declare-fun (\S+|\|[^|]*\|) \(\) (.*)\)\Z", re.DOTALL)
_FLOATING = re.compile(r"FloatingPoint|RoundingMode|\bString\b|RegLan")
_ARRAY = re.compile(r"\(Array ")


@frozen
class Problem:
    """Commands of a script without macros, and the values of shared constants at the point: symbols, and texts."""

    commands: tuple[str, ...]
    point: tuple[tuple[str, str], ...]

    def constants(self) -> list[tuple[str, str]]:
        """All constants of the script, with their sorts."""
        return [(found[1], found[2]) for c in self.commands if (found := _CONSTANT.match(c)) is not None]

    def assertions(self) -> list[str]:
        """What the script asserts."""
        return [c.removeprefix("(assert ").removesuffix(")") for c in self.commands if c.startswith("(assert ")]

    @property
    def has_functions(self) -> bool:
        """Whether there are functions or sorts that the script leaves open, or datatypes."""
        return any(not c.startswith("(assert ") and _CONSTANT.match(c) is None for c in self.commands)

    @property
    def has_quantifiers(self) -> bool:
        return any("(forall " in command or "(exists " in command for command in self.commands)

    @property
    def has_floats_or_strings(self) -> bool:
        return any(_FLOATING.search(command) for command in self.commands)

    @property
    def has_bits(self) -> bool:
        return any("(_ BitVec " in command for command in self.commands)

    @property
    def has_arrays(self) -> bool:
        return any(_ARRAY.search(command) for command in self.commands)


class InterpolantSource(Protocol):
    """A solver that makes interpolants of some problems."""

    @property
    def name(self) -> str: ...

    def suits(self, problem: Problem) -> bool:
        """Whether the solver knows the theories of a problem."""
        ...

    def interpolant(self, problem: Problem, effort: float) -> Sexpr | None:
        """An interpolant, if one is found with what takes about so many seconds, as the solver counts them. A solver
        that does not count looks at the clock."""
        ...


def conjunction(parts: Sequence[str]) -> str:
    """The conjunction of some conditions as text."""
    return f"(and true {' '.join(parts)})"
