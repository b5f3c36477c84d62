"""Every assertion becomes a question of its own: whether an execution reaches it.

    procedure P(x: int);                     const reached_P: bool;
    implementation P(x: int)                 procedure P(x: int);
    {                                        implementation P(x: int)
      start: assert x > 0; return;           {
    }                                          start: assert reached_P; return;
                                             }

Nothing is known of the constants, so that an assertion can fail in the new program iff an execution comes to it on
which those before it pass, whatever their conditions were. One that cannot fail there holds for want of executions.
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.expr import Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Made, Role
from paddock.ir.program import Constant, Implementation, Program
from paddock.ir.rewriting import variables_in
from paddock.ir.stmt import Assert, Statement
from paddock.ir.types import BOOL

REACHED = Made("reach-assertions", Role.SWITCH)  # the constants


def reach_assertions(program: Program) -> Program:
    """The program whose assertions fail wherever they are reached. Contracts stay as they are."""
    taken = {v.name for p in program.procedures for v in variables_in(p)}
    fresh = FreshNames(taken.union(program.top_level_names()))
    constants: dict[AssertionId, Constant] = {}

    def statement(given: Statement, procedure: str) -> Statement:
        if not isinstance(given, Assert):
            return given
        source = given.origin.identity()
        if source not in constants:
            var = Var(fresh(f"reached_{procedure}"), BOOL, Scope.CONST)
            constants[source] = Constant(var, origin=given.origin.by(REACHED).asserting(source))
        return replace(given, condition=constants[source].var)

    def body(given: Implementation, procedure: str) -> Implementation:
        blocks = (replace(b, statements=tuple(statement(s, procedure) for s in b.statements)) for b in given.blocks)
        return replace(given, blocks=tuple(blocks))

    procedures = tuple(
        replace(p, implementations=tuple(body(i, p.name) for i in p.implementations)) for p in program.procedures
    )
    return replace(program, constants=(*program.constants, *constants.values()), procedures=procedures)


@frozen
class ReachAssertions:
    """The pass `reach-assertions`."""

    name: ClassVar[str] = "reach-assertions"
    summary: ClassVar[str] = "each assertion fails wherever it is reached"

    def __call__(self, program: Program) -> Program:
        return reach_assertions(program)
