"""The two questions as one: can the entry procedure return? (DAG-inlining paper, Definition 1.)

Whether an assertion can fail becomes that question by the error bit: the entry returns with the bit set. What an
execution must do to count as an answer is checked on the original program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, TRUE, not_
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr
from paddock.ir.names import FreshNames
from paddock.ir.program import Clause, Implementation, Procedure, Program
from paddock.ir.rewriting import assuming
from paddock.ir.stmt import Assert, Assume, Block, Goto, Return, Statement
from paddock.passes.candidates import error_variable
from paddock.passes.error_bit import can_fail_if, error_bit
from paddock.passes.split_failures import INSIDE, require_sequential, split


def as_reachability(program: Program, goal: str) -> Program:
    """A program without assertions whose entry can return iff some assertion of `program` can fail or, for the
    goal `return`, iff the entry of `program` can return (and nothing that is asserted on the way fails)."""
    if goal == "return":
        return _assuming(program, lambda condition: condition)
    # All that the error bit leaves is one assertion, where the program ends.
    return _assuming(error_bit(program), not_)


def without_goal(program: Program) -> Program:
    """A program of `as_reachability` that also returns if nothing has failed; the same if nothing could fail."""
    error = error_variable(program)
    if error is None:
        return program
    goal = not_(not_(error))
    entry = program.procedure_named[entry_name(program)]

    def block(b: Block) -> Block:
        kept = tuple(s for s in b.statements if not (isinstance(s, Assume) and s.condition is goal))
        return replace(b, statements=kept)

    bodies = (replace(i, blocks=tuple(map(block, i.blocks))) for i in entry.implementations)
    open_ended = replace(entry, implementations=tuple(bodies))
    return replace(program, procedures=tuple(open_ended if p is entry else p for p in program.procedures))


def failing_returns(program: Program) -> Program:
    """A program without assertions whose entry can return iff some assertion of `program` can fail, as that of
    `as_reachability`, but without an error bit: what fails and what does not are different procedures."""
    require_sequential(program)
    divided = split(program)
    original = {failing: name for name, failing in divided.failing.items()}
    entry = entry_name(divided.program)

    def returning(procedure: Procedure) -> Procedure:
        if procedure.name not in original and procedure.name != entry:
            return procedure
        bodies = tuple(map(_returning_where_it_fails, procedure.implementations))
        condition = can_fail_if(procedure)
        clauses = () if condition is TRUE else (Clause(condition, free=True, origin=procedure.origin),)
        return replace(procedure, implementations=bodies, ensures=(*procedure.ensures, *clauses))

    return replace(divided.program, procedures=tuple(map(returning, divided.program.procedures)))


def _returning_where_it_fails(body: Implementation) -> Implementation:
    """The body that returns where an assertion does not hold, and nowhere else."""
    fresh = FreshNames(b.label for b in body.blocks)
    blocks: list[Block] = []
    for block in body.blocks:
        label, statements = block.label, list[Statement]()
        for k, statement in enumerate(block.statements):
            if not isinstance(statement, Assert):
                statements.append(statement)
                continue
            inside = statement.origin.by(INSIDE)
            fails = Assume(not_(statement.condition), statement.attributes, statement.origin)
            match block.statements[k + 1 :]:
                case (Assume(condition=condition),) if condition is FALSE:
                    blocks.append(Block(label, (*statements, fails), Return(origin=inside), block.origin))
                    break
            failed, going_on = fresh(block.label), fresh(block.label)
            blocks.append(Block(label, tuple(statements), Goto((failed, going_on), origin=inside), block.origin))
            blocks.append(Block(failed, (fails,), Return(origin=inside), block.origin))
            label, statements = going_on, [Assume(statement.condition, statement.attributes, statement.origin)]
        else:
            blocks.append(Block(label, tuple(statements), block.transfer, block.origin))
    return replace(body, blocks=tuple(blocks))


def _assuming(program: Program, f: Callable[[Expr], Expr]) -> Program:
    """The program that assumes `f` of whatever it asserts."""
    return replace(program, procedures=tuple(assuming(p, f) for p in program.procedures))


@frozen
class ReachGoal:
    """The pass `reach-goal`."""

    goal: str = "assertion"
    name: ClassVar[str] = "reach-goal"
    summary: ClassVar[str] = (
        "without assertions: the entry can return if and only if one can fail (goal=return: if it can)"
    )

    def __call__(self, program: Program) -> Program:
        return as_reachability(program, self.goal)


@frozen
class FailingReturns:
    """The pass `failing-returns`."""

    name: ClassVar[str] = "failing-returns"
    summary: ClassVar[str] = "as reach-goal, but without an error bit: procedures that fail return where they do"

    def __call__(self, program: Program) -> Program:
        return failing_returns(program)
