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

from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import not_, or_
from paddock.ir.expr import Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Made, Role
from paddock.ir.program import Constant, Procedure, Program
from paddock.ir.rewriting import variables_in
from paddock.ir.stmt import Assert, Block, Statement
from paddock.ir.types import BOOL
from paddock.passes.check_specs import check_specs_alone

WATCHED = Made("watch-assertions", Role.SWITCH)  # the constants


def watches_in(program: Program) -> dict[AssertionId, Var]:
    """The constant of each assertion, by its source."""
    made = (c for c in program.constants if c.origin.provenance == WATCHED)
    return {c.origin.assertion: c.var for c in made if c.origin.assertion is not None}


def watch_assertions(program: Program) -> Program:
    """The program with a constant for each assertion. Contracts are spelled out first, and nothing relies on them."""
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
            constants.append(Constant(watches[source], origin=given.origin.by(WATCHED).asserting(source)))
        return replace(given, condition=or_(given.condition, not_(watches[source])))

    def block(given: Block, procedure: str) -> Block:
        return replace(given, statements=tuple(statement(s, procedure) for s in given.statements))

    def watched(given: Procedure) -> Procedure:
        bodies = (replace(i, blocks=tuple(block(b, given.name) for b in i.blocks)) for i in given.implementations)
        return replace(given, implementations=tuple(bodies))

    procedures = tuple(map(watched, program.procedures))
    return replace(program, constants=(*program.constants, *constants), procedures=procedures)


@frozen
class WatchAssertions:
    """The pass `watch-assertions`."""

    name: ClassVar[str] = "watch-assertions"
    summary: ClassVar[str] = "each assertion with a constant that says whether it counts"

    def __call__(self, program: Program) -> Program:
        return watch_assertions(program)
