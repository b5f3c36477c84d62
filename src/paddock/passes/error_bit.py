"""Assertions become one Boolean that is checked where the program ends (the error bit of Corral §4.2 and
the deep-asserts paper §II): it is set if and only if an assertion fails, and then every procedure returns.

    procedure P();  ensures g > 0;           procedure P();  modifies err;  free ensures err || g > 0;
    implementation P()                       implementation P()
    {                                        {
      start: assert x > 0; call Q(); return;   start:   err := !(x > 0); goto failed, start#1;
                                               start#1: assume !err; call Q(); goto failed, start#2;
                                               start#2: assume !err; return;
                                               failed:  assume err; return;
    }                                        }

The entry sets the bit to false first and asserts `!err` at its only exit. A call is followed by a test only
where the callee can fail. The assignment to the bit keeps the origin and attributes of the assertion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, TRUE, implies, not_, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Var
from paddock.ir.graph import reachable
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Role
from paddock.ir.program import Clause, Implementation, Procedure, Program, VarDecl, find_attribute, global_var
from paddock.ir.rewriting import calls_in, variables_in, with_prologue
from paddock.ir.stmt import Assert, Assign, Assume, Block, Goto, Return, Statement, Transfer
from paddock.ir.types import BOOL
from paddock.passes.check_specs import check_specs
from paddock.passes.outer_entry import with_outer_entry

_NAME = "error-bit"
CAN_FAIL = "can_fail"  # the attribute of procedures that says what must be true for them to fail


def can_fail_if(procedure: Procedure) -> Expr:
    """What is true whenever a procedure fails."""
    attribute = find_attribute(procedure.attributes, CAN_FAIL)
    match attribute.params if attribute else ():
        case (Var() as condition,):
            return condition
        case _:
            return TRUE


def error_bit(program: Program) -> Program:
    """The program with a single assertion, at the exit of its entry. Contracts are spelled out first.

    What a procedure says of when it can fail becomes one more postcondition.
    """
    program = with_outer_entry(check_specs(program))
    entry = entry_name(program)
    failing = _that_can_fail(program)
    taken = {v.name for p in program.procedures for v in variables_in(p)}
    err = global_var(FreshNames(taken.union(program.top_level_names()))("err"), BOOL)

    def instrumented(procedure: Procedure) -> Procedure:
        if procedure.name in failing:
            procedure = _returning_early(procedure, err, failing, can_fail_if(procedure))
        return _starting_and_ending(procedure, err) if procedure.name == entry else procedure

    declaration = VarDecl(err, origin=program.procedure_named[entry].origin.by(Made(_NAME, Role.ERROR_BIT)))
    procedures = tuple(map(instrumented, program.procedures))
    return replace(program, globals=(*program.globals, declaration), procedures=procedures)


def _that_can_fail(program: Program) -> set[str]:
    """The procedures from which an assertion can be reached."""
    asserting = (p.name for p in program.procedures if any(isinstance(s, Assert) for s in _statements(p)))
    return set(reachable(CallGraph(program).callers, asserting))


def _statements(procedure: Procedure) -> Iterator[Statement]:
    return (s for i in procedure.implementations for b in i.blocks for s in b.statements)


def _with_modified(modifies: tuple[Var, ...], err: Var) -> tuple[Var, ...]:
    return modifies if err in modifies else (*modifies, err)


def _returning_early(procedure: Procedure, err: Var, failing: Collection[str], if_failed: Expr) -> Procedure:
    """The procedure that sets `err` instead of asserting, and returns once it is set.

    An execution that fails leaves in the middle, where the postconditions need not hold.
    """
    implementations = tuple(_body_returning_early(i, err, failing) for i in procedure.implementations)
    ensures = tuple(replace(c, condition=or_(err, c.condition)) for c in procedure.ensures)
    if if_failed is not TRUE:
        clause = Clause(implies(err, if_failed), free=True, origin=procedure.origin.by(Made(_NAME)))
        ensures = (*ensures, clause)
    modifies = _with_modified(procedure.modifies, err)
    return replace(procedure, modifies=modifies, ensures=ensures, implementations=implementations)


def _body_returning_early(implementation: Implementation, err: Var, failing: Collection[str]) -> Implementation:
    fresh = FreshNames(b.label for b in implementation.blocks)
    failed = fresh("failed")
    blocks: list[Block] = []
    for block in implementation.blocks:
        label, statements = block.label, list[Statement]()
        for statement in block.statements:
            if isinstance(statement, Assert):
                origin = statement.origin
                statement = Assign((err,), (not_(statement.condition),), statement.attributes, origin)
            elif not any(call.procedure in failing for call in calls_in(statement)):
                statements.append(statement)
                continue
            test = statement.origin.by(Made(_NAME, Role.ERROR_TEST))
            going_on = fresh(block.label)
            branch = Goto((failed, going_on), origin=test)
            blocks.append(Block(label, (*statements, statement), branch, block.origin))
            label, statements = going_on, [Assume(not_(err), origin=test)]
        blocks.append(Block(label, tuple(statements), block.transfer, block.origin))
    if len(blocks) > len(implementation.blocks):
        leaving = implementation.origin.by(Made(_NAME, Role.NEW_BLOCK))
        blocks.append(Block(failed, (Assume(err, origin=leaving),), Return(origin=leaving), leaving))
    return replace(implementation, blocks=tuple(blocks))


def _starting_and_ending(entry: Procedure, err: Var) -> Procedure:
    implementations = tuple(_body_starting_and_ending(i, err) for i in entry.implementations)
    return replace(entry, modifies=_with_modified(entry.modifies, err), implementations=implementations)


def _body_starting_and_ending(implementation: Implementation, err: Var) -> Implementation:
    """The body with the bit cleared first and one exit, where it is asserted to be clear."""
    origin = implementation.origin.by(Made(_NAME, Role.NEW_BLOCK))
    exit_label = FreshNames(b.label for b in implementation.blocks)("exit")

    def to_exit(transfer: Transfer) -> Transfer:
        match transfer:
            case Return(attributes, place):
                return Goto((exit_label,), attributes, place)
            case _:
                return transfer

    blocks = tuple(replace(b, transfer=to_exit(b.transfer)) for b in implementation.blocks)
    exit_block = Block(exit_label, (Assert(not_(err), origin=origin),), Return(origin=origin), origin)
    body = replace(implementation, blocks=(*blocks, exit_block))
    return with_prologue(body, (Assign((err,), (FALSE,), origin=origin),))


@frozen
class ErrorBit:
    """The pass `error-bit`."""

    name: ClassVar[str] = "error-bit"
    summary: ClassVar[str] = "all assertions as one, on a Boolean, at the exit of the entry procedure"

    def __call__(self, program: Program) -> Program:
        return error_bit(program)
