"""What makes a program concurrent: statements that start threads or let others run, and globals of which each thread
has its own."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.program import Procedure, Program, VarDecl, find_attribute, is_marked
from paddock.ir.stmt import Call, ParCall, Statement, Yield

THREAD_LOCAL = "thread_local"
ACCESSES = "accesses"  # of an asynchronous call: in this program, each load and each store is a step of its own
UNSWITCHED = "unswitched"  # of a global: threads are not switched before a statement that touches it
THREAD = "paddock_thread"  # of a global: what is known of threads, such as which have "ended"
ENDED = "ended"
SWITCH = "switch"  # of an asynchronous call: the new thread may run at once, before the one that starts it goes on


def statements_in(procedure: Procedure) -> Iterator[Statement]:
    """All statements of a procedure's bodies."""
    return (s for i in procedure.implementations for b in i.blocks for s in b.statements)


def starts_thread(statement: Statement) -> bool:
    """Whether a statement starts a thread, or several."""
    return isinstance(statement, ParCall) or (isinstance(statement, Call) and statement.asynchronous)


def is_concurrent(statement: Statement) -> bool:
    """Whether a statement means something in programs with threads only."""
    return isinstance(statement, Yield) or starts_thread(statement)


def is_thread_local(declaration: VarDecl) -> bool:
    """Whether each thread has a variable of its own for this global."""
    return is_marked(declaration.attributes, THREAD_LOCAL)


def is_unswitched(declaration: VarDecl) -> bool:
    """Whether what follows on one another and touches this global is one step."""
    return is_marked(declaration.attributes, UNSWITCHED)


def is_bookkeeping(declaration: VarDecl, role: str | None = None) -> bool:
    """Whether a global is there to number threads and to wait for them; of that role, if one is given."""
    marked = find_attribute(declaration.attributes, THREAD)
    return marked is not None and (role is None or marked.params == (role,))


def has_threads(program: Program) -> bool:
    """Whether the entry of a program can reach a statement that starts a thread."""
    if not any(starts_thread(s) for p in program.procedures for s in statements_in(p)):
        return False
    reached = CallGraph(program).reachable((entry_name(program),))
    return any(starts_thread(s) for name in reached for s in statements_in(program.procedure_named[name]))
