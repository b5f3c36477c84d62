"""An entry procedure that is never called, for passes that add code where the program starts or ends.

    implementation {:entrypoint} P(x: int) returns (y: int)  { … call y := P(x - 1); … }

where P is called, as here by itself, the program gets another entry in front of it:

    procedure P_entry(x: int) returns (y: int);
    implementation {:entrypoint} P_entry(x: int) returns (y: int)  { start: free call y := P(x); return; }
"""

from __future__ import annotations

from paddock.frozen import replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made
from paddock.ir.program import Implementation, Procedure, Program, VarDecl
from paddock.ir.stmt import Block, Call, Return


def with_outer_entry(program: Program) -> Program:
    """The program with an entry that is not called: its own, or else one that only calls it."""
    entry = entry_name(program)
    if not CallGraph(program).callers[entry]:
        return program
    inner = program.procedure_named[entry]
    outer = _calling(inner, FreshNames(program.top_level_names())(f"{entry}_entry"))
    return with_entry(replace(program, procedures=(*program.procedures, outer)), outer.name)


def _calling(inner: Procedure, name: str) -> Procedure:
    """A procedure that calls `inner` and does nothing else.

    The call is free because the preconditions of a program's entry are assumptions.
    """
    origin = inner.origin.by(Made("outer-entry", what=f"entry of {inner.name}"))
    args, results = (tuple(d.var for d in group) for group in (inner.params, inner.results))
    call = Call(inner.name, args, results, free=True, origin=origin)
    body = Implementation((), (Block("start", (call,), Return(origin=origin), origin),), origin=origin)
    return Procedure(
        name,
        params=tuple(map(_plain, inner.params)),
        results=tuple(map(_plain, inner.results)),
        modifies=inner.modifies,
        implementations=(body,),
        origin=origin,
    )


def _plain(declaration: VarDecl) -> VarDecl:
    return replace(declaration, where=None, attributes=())
