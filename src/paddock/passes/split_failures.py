"""Each procedure that can fail becomes two: one that does not fail, and one that does nothing else.

    implementation main()                      implementation main()
    {                                          {
      start: call P(1); call P(2); return;       start:   goto start#1, start#2;
    }                                            start#1: call P_fails(1); return;
                                                 start#2: call P(1); call P_fails(2); return;
                                               }
    implementation P(x: int)                   implementation P(x: int)
    {                                          {
      start: assert x > 0; g := x; return;       start: assume x > 0; g := x; return;
    }                                          }
                                               implementation P_fails(x: int)
                                               {
                                                 start: assert x > 0; assume false; return;
                                               }

An execution that descends into a call either fails there or returns (deep-asserts paper, §I). So a call of a procedure
that can fail is a choice between two: one that returns, in which assertions are assumptions, and one that is the last
of the execution. What cannot lead to a failure any more is left out of the procedures that fail and of the entry, what
cannot lead to a return out of those that return. Procedures that cannot reach an assertion stay as they are.

A procedure that `extract-loops` has made does not fail: it runs complete iterations. The one that fails is the last,
and that has stayed behind in the procedure that the loop was taken from (§III).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.graph import predecessors, reachable
from paddock.ir.names import FreshNames
from paddock.ir.origin import Copy, Diagnostic, InputError, Made, Role
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.rewriting import assuming, with_prologue, with_successors
from paddock.ir.stmt import Assert, Assume, Block, Call, Goto, Return, Statement
from paddock.ir.threads import is_concurrent, starts_thread
from paddock.passes.check_specs import check_specs
from paddock.passes.outer_entry import with_outer_entry
from paddock.passes.prune import live_blocks

INSIDE = Made("split-failures", Role.SPLIT)  # jumps inside a block


@frozen
class Split:
    """A split program; `failing` has, for each procedure that can fail but the entry, the one that only fails."""

    program: Program
    failing: Mapping[str, str]


def split_failures(program: Program) -> Program:
    """The program in which only the entry and procedures that are called last fail. Contracts are spelled out first."""
    require_sequential(program)
    return split(program).program


def split(program: Program) -> Split:
    """The program in which only the entry fails, and procedures that are called last; and which those are. Threads that
    it starts do not fail (see `deep_threads.py`)."""
    program = with_outer_entry(check_specs(program))
    entry = entry_name(program)
    concurrent = any(starts_thread(s) for p in program.procedures for s in _statements(p))
    fresh = FreshNames(program.top_level_names())
    failing = {name: fresh(f"{name}_fails") for name in _that_can_fail(program) if name != entry}
    procedures: list[Procedure] = []
    for procedure in program.procedures:
        if procedure.name == entry:
            bodies = (_failing_body(i, failing) for i in procedure.implementations)
            # It ends where something fails, not where its postconditions hold.
            procedures.append(replace(procedure, ensures=(), implementations=tuple(bodies)))
            continue
        assumed = assuming(procedure)
        is_split = procedure.name in failing or assumed is not procedure
        # A thread that does not return has been there.
        procedures.append((assumed if concurrent else _returning(assumed)) if is_split else procedure)
        if procedure.name in failing:
            procedures.append(_failing(procedure, failing))
    return Split(replace(program, procedures=tuple(procedures)), failing)


def require_sequential(program: Program) -> None:
    """Refuse a program with threads."""
    for procedure in program.procedures:
        for statement in _statements(procedure):
            if is_concurrent(statement):
                raise InputError(Diagnostic("this transformation is for programs without threads", statement.origin))


def _statements(procedure: Procedure) -> Iterator[Statement]:
    return (s for i in procedure.implementations for b in i.blocks for s in b.statements)


def _that_can_fail(program: Program) -> list[str]:
    """The procedures with assertions, and those that call one of them; but for complete iterations of loops."""
    is_loop = {p.name for p in program.procedures if p.origin.role is Role.LOOP}
    asserting = [p.name for p in program.procedures if any(isinstance(s, Assert) for s in _statements(p))]
    callers = predecessors(
        {
            p.name: [s.procedure for s in _statements(p) if isinstance(s, Call) and not s.asynchronous]
            for p in program.procedures
        }
    )
    others = {name: [c for c in above if c not in is_loop] for name, above in callers.items()}
    can_fail = set(reachable(others, (name for name in asserting if name not in is_loop)))
    return [p.name for p in program.procedures if p.name in can_fail]


def _returning(procedure: Procedure) -> Procedure:
    """The procedure without what does not lead to a return."""
    bodies = (_leading_to(i, [b.label for b in i.blocks if _returns(b)]) for i in procedure.implementations)
    return replace(procedure, implementations=tuple(bodies))


def _returns(block: Block) -> bool:
    """Whether a block ends in a return that is not blocked."""
    match block.transfer, block.statements:
        case Return(), (*_, Assume(condition=condition)):
            return condition is not FALSE
        case transfer, _:
            return isinstance(transfer, Return)


def _failing(procedure: Procedure, failing: Mapping[str, str]) -> Procedure:
    """The procedure that fails or blocks. What its callers may rely on, it does itself, where it starts."""
    origin = procedure.origin.by(Copy(procedure.name))
    start = tuple(Assume(c.condition, c.attributes, c.origin) for c in procedure.requires)
    return replace(
        procedure,
        name=failing[procedure.name],
        results=(),
        requires=(),
        ensures=(),
        implementations=tuple(
            with_prologue(_failing_body(replace(i, locals=(*procedure.results, *i.locals)), failing), start)
            for i in procedure.implementations
        ),
        attributes=tuple(a for a in procedure.attributes if a.name != "entrypoint"),
        origin=origin,
    )


def _failing_body(implementation: Implementation, failing: Mapping[str, str]) -> Implementation:
    """The body that fails or blocks: where it calls what can fail, it may leave it at that."""

    def is_failure(statement: Statement) -> bool:
        if isinstance(statement, Call):
            return statement.procedure in failing and not statement.asynchronous
        return isinstance(statement, Assert)

    trimmed = only_failing(implementation, is_failure)
    fresh = FreshNames(b.label for b in implementation.blocks)
    blocks: list[Block] = []
    for block in trimmed.blocks:
        label, statements = block.label, list[Statement]()
        for k, statement in enumerate(block.statements):
            if isinstance(statement, Call) and is_failure(statement):
                origin = statement.origin.by(INSIDE)
                last = replace(statement, procedure=failing[statement.procedure], results=())
                if not block.successors and not any(map(is_failure, block.statements[k + 1 :])):
                    blocks.append(Block(label, (*statements, last), Return(origin=origin), block.origin))
                    break
                here, going_on = fresh(block.label), fresh(block.label)
                blocks.append(Block(label, tuple(statements), Goto((here, going_on), origin=origin), block.origin))
                blocks.append(Block(here, (last,), Return(origin=origin), block.origin))
                label, statements = going_on, []
            statements.append(statement)
        else:
            blocks.append(Block(label, tuple(statements), block.transfer, block.origin))
    return replace(trimmed, blocks=tuple(blocks))


def only_failing(implementation: Implementation, is_failure: Callable[[Statement], bool]) -> Implementation:
    """The implementation without what cannot lead to a failure any more."""
    failures = {b.label: [k for k, s in enumerate(b.statements) if is_failure(s)] for b in implementation.blocks}
    leading = _leading_to(implementation, [label for label, found in failures.items() if found])

    def ending_there(block: Block) -> Block:
        if block.successors:
            return block
        upto = max(failures[block.label], default=-1) + 1
        return with_successors(replace(block, statements=block.statements[:upto]), ())

    return replace(leading, blocks=tuple(map(ending_there, leading.blocks)))


def _leading_to(implementation: Implementation, ends: Iterable[str]) -> Implementation:
    """The implementation without blocks that do not lead to one of these; but for the first, which may block."""
    leading = set(reachable(Cfg(implementation).predecessors, ends))

    def onward(block: Block) -> Block:
        targets = tuple(t for t in block.successors if t in leading)
        return block if targets == block.successors else with_successors(block, targets)

    first, *rest = implementation.blocks
    blocks = (onward(first), *(onward(b) for b in rest if b.label in leading))
    return live_blocks(replace(implementation, blocks=blocks))


@frozen
class SplitFailures:
    """The pass `split-failures`."""

    name: ClassVar[str] = "split-failures"
    summary: ClassVar[str] = "each procedure that can fail as one that returns and one that fails"

    def __call__(self, program: Program) -> Program:
        return split_failures(program)
