"""The unwound static single assignment form of a program (assertion-implications paper, Definition 1).

A finite sequence of guarded instructions `C -> I`: assignments, each of a variable of its own, arbitrary values,
assumptions and assertions. Where control flow meets, a variable gets the value of the branch that was taken (`phi` in
the paper, here `if … then … else`).
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frozen import frozen
from paddock.ir.build import TRUE, implies
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import AssertionId
from paddock.ir.printer import expr_text, statement_text
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assign, Assume, Havoc

Instruction = Assign | Havoc | Assume | Assert


@frozen
class Step:
    """A guarded instruction. Assignments and `havoc` have one target."""

    guard: Expr
    instruction: Instruction

    @property
    def target(self) -> Var | None:
        """The variable that gets its value here."""
        match self.instruction:
            case Assign(targets=(target,)) | Havoc(targets=(target,)):
                return target
            case _:
                return None

    @property
    def claim(self) -> Expr:
        """What an assumption or an assertion says, where it is reached or not: `C ==> C'`."""
        assert isinstance(self.instruction, Assume | Assert)
        condition = self.instruction.condition
        return condition if self.guard is TRUE else implies(self.guard, condition)

    @property
    def source(self) -> AssertionId:
        """The assertion of the source that an assertion is a copy of."""
        return self.instruction.origin.identity()


@frozen
class Ussa:
    """The unwound form of the program whose functions, constants and axioms it uses. `cut` names the procedures whose
    calls the bound cut off: executions that go there are left out."""

    program: Program
    steps: tuple[Step, ...]
    cut: tuple[str, ...]

    def assertions(self) -> Iterator[int]:
        """Where the assertions are, in order."""
        return (n for n, step in enumerate(self.steps) if isinstance(step.instruction, Assert))


def ussa_text(ussa: Ussa) -> str:
    """A line for each instruction, numbered from 1."""
    width = len(str(len(ussa.steps)))
    lines = []
    for n, step in enumerate(ussa.steps, 1):
        origin = step.instruction.origin
        place = f"  // {origin.file}:{origin.line}" if origin.line else ""
        lines.append(f"({n:>{width}})  {expr_text(step.guard)} -> {statement_text(_bare(step.instruction))}{place}\n")
    return "".join(lines)


def _bare(instruction: Instruction) -> Instruction:
    """The instruction without attributes: those are about the program that was unwound."""
    match instruction:
        case Assign(targets, values):
            return Assign(targets, values)
        case Assume(condition):
            return Assume(condition)
        case Assert(condition):
            return Assert(condition)
        case Havoc():
            return instruction
