"""Every assertion gets a constant that says whether it is watched; one that is not passes, whatever is true there.

    procedure P(x: int);                     const watch_P: bool;
    implementation P(x: int)                 procedure P(x: int);
    {                                        implementation P(x: int)
      start: assert x > 0; return;           {
    }                                          start: assert x > 0 || !watch_P; return;
                                             }

Copies of one assertion of the source have one constant. An assertion can fail in the new program iff it can fail in the
old one without all others: what comes before need not hold, because it need not be watched. This is how `--independent`
judges each as if the others were not there, with the meaning that programs have anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from paddock.ir.build import not_, or_
from paddock.ir.expr import Scope, Var
from paddock.ir.origin import AssertionId
from paddock.ir.program import Constant, Procedure, Program
from paddock.ir.stmt import Assert, Block, Statement
from paddock.ir.types import BOOL
from paddock.passes.check_specs import check_specs_alone
from paddock.passes.names import FreshNames
from paddock.passes.rewriting import variables_in

WATCHED = "watch-assertions"  # what makes the constants


@dataclass(frozen=True, slots=True)
class Watched:
    """A program whose assertions can be watched or not; `watches` has the constant of each, by its source."""

    program: Program
    watches: Mapping[AssertionId, Var]


def watch_assertions(program: Program) -> Program:
    """The program with a constant for each assertion. Contracts are spelled out first, and nothing relies on them."""
    return with_watches(program).program


def with_watches(program: Program) -> Watched:
    """The program with a constant for each assertion, and which is whose."""
    program = check_specs_alone(program)
    taken = {v.name for p in program.procedures for v in variables_in(p)}
    fresh = FreshNames(taken.union(program.top_level_names()))
    watches: dict[AssertionId, Var] = {}
    constants: list[Constant] = []

    def statement(given: Statement, procedure: str) -> Statement:
        if not isinstance(given, Assert):
            return given
        source = given.origin.identity()
        if source not in watches:
            watches[source] = Var(fresh(f"watch_{procedure}"), BOOL, Scope.CONST)
            constants.append(Constant(watches[source], origin=given.origin.by(WATCHED)))
        return replace(given, condition=or_(given.condition, not_(watches[source])))

    def block(given: Block, procedure: str) -> Block:
        return replace(given, statements=tuple(statement(s, procedure) for s in given.statements))

    def watched(given: Procedure) -> Procedure:
        bodies = (replace(i, blocks=tuple(block(b, given.name) for b in i.blocks)) for i in given.implementations)
        return replace(given, implementations=tuple(bodies))

    procedures = tuple(map(watched, program.procedures))
    return Watched(replace(program, constants=(*program.constants, *constants), procedures=procedures), watches)
