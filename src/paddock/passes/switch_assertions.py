"""Every assertion gets a switch, a Boolean constant that turns it into an assumption when it is false.

    procedure P(x: int);                     const check_P: bool;
    implementation P(x: int)                 const fails_P: bool;
    {                                        axiom fails_P ==> check_P;
      start: assert x > 0; return;           procedure {:can_fail fails_P} P(x: int);
    }                                        implementation P(x: int)
                                             {
                                               start: assume x > 0 || check_P; assert x > 0; return;
                                             }

Copies of one assertion of the source have one switch. So a search that has found out about an assertion goes on, with
the same formula, among the executions on which it holds. The other constant says for a procedure that something
below it is still checked: what is not, need not be looked into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import implies, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import Attribute, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Made, Origin, Role
from paddock.ir.program import Axiom, Constant, Procedure, Program
from paddock.ir.rewriting import variables_in
from paddock.ir.stmt import Assert, Assume, Block, Statement
from paddock.ir.types import BOOL
from paddock.passes.check_specs import check_specs
from paddock.passes.error_bit import CAN_FAIL

SWITCHED = Made("switch-assertions", Role.SWITCH)  # all that this pass adds


def switches_in(program: Program) -> dict[AssertionId, Var]:
    """The switch of each assertion, by its source."""
    made = (c for c in program.constants if c.origin.provenance == SWITCHED)
    return {c.origin.assertion: c.var for c in made if c.origin.assertion is not None}


def switch_assertions(program: Program) -> Program:
    """The program with a switch for each assertion. Contracts are spelled out first. Each procedure below which there
    are assertions says `{:can_fail c}`: what must be true for one of them to fail."""
    program = check_specs(program)
    taken = {v.name for p in program.procedures for v in variables_in(p)}
    fresh = FreshNames(taken.union(program.top_level_names()))
    constants: list[Constant] = []

    def constant(name: str, origin: Origin, source: AssertionId | None = None) -> Var:
        var = Var(fresh(name), BOOL, Scope.CONST)
        made = origin.by(SWITCHED)
        constants.append(Constant(var, origin=made if source is None else made.asserting(source)))
        return var

    own = {p.name: _sources(p) for p in program.procedures}
    switches: dict[AssertionId, Var] = {}
    for name, sources in own.items():
        for source, origin in sources.items():
            if source not in switches:
                switches[source] = constant(f"check_{name}", origin, source)
    can_fail: dict[str, Var] = {}
    axioms: list[Axiom] = []
    calls = CallGraph(program)
    for component in calls.components:  # callees first
        causes: dict[Var, None] = {}
        for name in component:
            causes |= dict.fromkeys(switches[source] for source in own[name])
            causes |= dict.fromkeys(can_fail[callee] for callee in calls.callees[name] if callee in can_fail)
        if causes:
            origin = program.procedure_named[component[0]].origin
            some = constant(f"fails_{component[0]}", origin)
            axioms.append(Axiom(implies(some, or_(*causes)), origin=origin.by(SWITCHED)))
            can_fail.update((name, some) for name in component)
    return replace(
        program,
        constants=(*program.constants, *constants),
        axioms=(*program.axioms, *axioms),
        procedures=tuple(_switched(p, switches, can_fail.get(p.name)) for p in program.procedures),
    )


def _sources(procedure: Procedure) -> dict[AssertionId, Origin]:
    """The assertions of a procedure, each once, and where the first copy of each is from."""
    found: dict[AssertionId, Origin] = {}
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            for statement in block.statements:
                if isinstance(statement, Assert):
                    found.setdefault(statement.origin.identity(), statement.origin)
    return found


def _switched(procedure: Procedure, switches: Mapping[AssertionId, Var], can_fail: Var | None) -> Procedure:
    def statements(block: Block) -> Iterator[Statement]:
        for statement in block.statements:
            if isinstance(statement, Assert):
                switch = switches[statement.origin.identity()]
                yield Assume(or_(statement.condition, switch), origin=statement.origin.by(SWITCHED))
            yield statement

    implementations = (
        replace(i, blocks=tuple(replace(b, statements=tuple(statements(b))) for b in i.blocks))
        for i in procedure.implementations
    )
    attributes = procedure.attributes if can_fail is None else (*procedure.attributes, Attribute(CAN_FAIL, (can_fail,)))
    return replace(procedure, implementations=tuple(implementations), attributes=attributes)


@frozen
class SwitchAssertions:
    """The pass `switch-assertions`."""

    name: ClassVar[str] = "switch-assertions"
    summary: ClassVar[str] = "each assertion with a constant that makes it an assumption"

    def __call__(self, program: Program) -> Program:
        return switch_assertions(program)
