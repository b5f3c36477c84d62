"""Every assertion gets a switch, a Boolean constant that turns it into an assumption when it is false.

    procedure P(x: int);                     const check_P: bool;
    implementation P(x: int)                 const fails_P: bool;
    {                                        axiom fails_P ==> check_P;
      start: assert x > 0; return;           procedure P(x: int);
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
from dataclasses import dataclass, replace

from paddock.ir.build import implies, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import Scope, Var
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Axiom, Constant, Procedure, Program
from paddock.ir.stmt import Assert, Assume, Block, Statement
from paddock.ir.types import BOOL
from paddock.passes.check_specs import check_specs
from paddock.passes.names import FreshNames
from paddock.passes.rewriting import variables_in

SWITCHED = "switch-assertions"  # what makes all that this pass adds


@dataclass(frozen=True, slots=True)
class Switched:
    """A program with switches. `switches` has that of each assertion, by its source; `can_fail` has, for each
    procedure below which there are assertions, what must be true for one of them to fail."""

    program: Program
    switches: Mapping[AssertionId, Var]
    can_fail: Mapping[str, Var]


def switch_assertions(program: Program) -> Program:
    """The program with a switch for each assertion. Contracts are spelled out first."""
    return with_switches(program).program


def with_switches(program: Program) -> Switched:
    """The program with a switch for each assertion, and what there is to know about the switches."""
    program = check_specs(program)
    taken = {v.name for p in program.procedures for v in variables_in(p)}
    fresh = FreshNames(taken.union(program.top_level_names()))
    constants: list[Constant] = []

    def constant(name: str, origin: Origin) -> Var:
        var = Var(fresh(name), BOOL, Scope.CONST)
        constants.append(Constant(var, origin=origin.by(SWITCHED)))
        return var

    own = {p.name: _sources(p) for p in program.procedures}
    switches: dict[AssertionId, Var] = {}
    for name, sources in own.items():
        for source, origin in sources.items():
            if source not in switches:
                switches[source] = constant(f"check_{name}", origin)
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
    switched = replace(
        program,
        constants=(*program.constants, *constants),
        axioms=(*program.axioms, *axioms),
        procedures=tuple(_switched(p, switches) if own[p.name] else p for p in program.procedures),
    )
    return Switched(switched, switches, can_fail)


def _sources(procedure: Procedure) -> dict[AssertionId, Origin]:
    """The assertions of a procedure, each once, and where the first copy of each is from."""
    found: dict[AssertionId, Origin] = {}
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            for statement in block.statements:
                if isinstance(statement, Assert):
                    found.setdefault(statement.origin.identity(), statement.origin)
    return found


def _switched(procedure: Procedure, switches: Mapping[AssertionId, Var]) -> Procedure:
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
    return replace(procedure, implementations=tuple(implementations))
