"""Every place where a thread may be left starts a block, so that it can go on there.

    implementation P()                       implementation P()
    {                                        {
      start: x := 1; yield; x := 2;            start:   x := 1; goto start#1;
             call Q(); x := 3;                 start#1: yield; x := 2; goto start#2;
             return;                           start#2: call Q(); x := 3; return;
    }                                        }

where a `yield` can be reached in Q. Threads stay what they are: it is the engine `symbolic` that gives them turns, in
as many rounds as the entry is marked with (`{:rounds N}`; see `engines/symbolic/threads.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import int_lit
from paddock.ir.entry import entry_name
from paddock.ir.expr import Attribute, Lit
from paddock.ir.graph import predecessors, reachable
from paddock.ir.names import FreshNames
from paddock.ir.origin import InputError, Made, Role
from paddock.ir.program import Implementation, Procedure, Program, find_attribute
from paddock.ir.stmt import Block, Call, Goto, Statement, Yield
from paddock.ir.threads import has_threads, statements_in
from paddock.passes.check_specs import check_specs
from paddock.passes.merge_implementations import merge_implementations
from paddock.passes.sequentialise import rounds_for

_NAME = "resumable"
_SPLIT = Made(_NAME, Role.SPLIT)
_ROUNDS = "rounds"


def resumable(program: Program, contexts: int = 2) -> Program:
    """The program in which threads are left at starts of blocks only; the same object if no thread is started.
    Contracts are spelled out first, and switches are `yield` already."""
    if contexts < 1:
        raise InputError(f"the pass {_NAME} needs at least one context a thread, not {contexts}")
    if not has_threads(program):
        return program
    program = check_specs(merge_implementations(program))
    entry, left = entry_name(program), _left(program)
    rounds = Attribute(_ROUNDS, (int_lit(rounds_for(program, contexts)),))

    def rewritten(procedure: Procedure) -> Procedure:
        bodies = tuple(replace(i, blocks=tuple(_split(i, left))) for i in procedure.implementations)
        attributes = (*procedure.attributes, rounds) if procedure.name == entry else procedure.attributes
        return replace(procedure, implementations=bodies, attributes=attributes)

    return replace(program, procedures=tuple(map(rewritten, program.procedures)))


def rounds_of(program: Program) -> int:
    """How many rounds the threads of a resumable program have."""
    marked = find_attribute(program.procedure_named[entry_name(program)].attributes, _ROUNDS)
    match marked.params if marked else ():
        case (Lit(int(rounds)),):
            return rounds
        case _:
            return 1


def _left(program: Program) -> frozenset[str]:
    """The procedures in which a thread may be left."""
    calls = {
        p.name: [s.procedure for s in statements_in(p) if isinstance(s, Call) and not s.asynchronous]
        for p in program.procedures
    }
    own = (p.name for p in program.procedures if any(isinstance(s, Yield) for s in statements_in(p)))
    return frozenset(reachable(predecessors(calls), own))


def _split(implementation: Implementation, left: frozenset[str]) -> Iterator[Block]:
    labels = FreshNames(b.label for b in implementation.blocks)
    for block in implementation.blocks:
        label, statements = block.label, list[Statement]()
        for statement in block.statements:
            is_call = isinstance(statement, Call) and not statement.asynchronous and statement.procedure in left
            if statements and (is_call or isinstance(statement, Yield)):
                following = labels(block.label)
                onward = Goto((following,), origin=statement.origin.by(_SPLIT))
                yield Block(label, tuple(statements), onward, block.origin)
                label, statements = following, []
            statements.append(statement)
        yield replace(block, label=label, statements=tuple(statements))


@frozen
class Resumable:
    """The pass `resumable`."""

    contexts: int = 2  # of each thread, at most
    name: ClassVar[str] = "resumable"
    summary: ClassVar[str] = "blocks start wherever a thread may be left, so that it can go on there"

    def __call__(self, program: Program) -> Program:
        return resumable(program, self.contexts)
