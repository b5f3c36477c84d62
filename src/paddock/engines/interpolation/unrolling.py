"""A program without recursion that does what another does within a bound: a copy of each procedure for each context.

    procedure f_loop(i: int) returns (j: int);      procedure f_loop#1(i: int) returns (j: int);
    implementation f_loop(i: int) …                 procedure f_loop#2(i: int) returns (j: int);
    { … call j := f_loop(i + 1); … }                implementation f_loop#1(i: int) … { … call j := f_loop#2(i + 1); … }
                                                    implementation f_loop#2(i: int) … { … assume false; … }

A context says which recursive procedures are on the stack, and how often, as far as that matters for what may still be
called (see `engines/inlining/graph.py`), so the copies are the instances that a search at that bound can tell apart.
Summaries of a bounded verdict are those of the copies.
"""

from __future__ import annotations

from collections.abc import Mapping

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Context
from paddock.engines.inlining.shapes import Shapes
from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE
from paddock.ir.entry import entry_name
from paddock.ir.modref import mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.origin import Copy, Role
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.stmt import Assume, Block, Call, Statement

MOST_COPIES = 5_000  # of all procedures together, above which bounded programs have no summaries


@frozen
class Unrolled:
    """A program without recursion; the names of the copies of procedures in it, by the procedure and its context; and
    the procedures of which calls were cut off."""

    program: Program
    names: Mapping[tuple[str, Context], str]
    cut: frozenset[str]

    @property
    def copied(self) -> dict[str, str]:
        """The procedure of which each one is a copy."""
        return {name: original for (original, _), name in self.names.items()}


def unrolled(program: Program, bounds: Bounds, bound: int, *, leave_open: bool = False) -> Unrolled | None:
    """A program at a bound. Executions that go beyond it are not there; or, if calls are left open there, may do
    anything that contracts allow. None if that would be too large."""
    return _Unrolling(program, bounds, bound, leave_open).run()


class _Unrolling:
    def __init__(self, program: Program, bounds: Bounds, bound: int, leave_open: bool) -> None:
        self.program = program
        self.bounds = bounds
        self.bound = bound
        self.leave_open = leave_open
        self.graph = Shapes(program).new_graph()
        self.effects = mod_ref(program)
        self.fresh = FreshNames(program.top_level_names())
        self.names: dict[tuple[str, Context], str] = {}
        self.open: dict[str, Procedure] = {}
        self.waiting: list[tuple[str, Context]] = []
        self.cut: set[str] = set()

    def run(self) -> Unrolled | None:
        entry = entry_name(self.program)
        self.names[entry, self.graph.entered((), entry)] = entry
        self.waiting = list(self.names)
        made: dict[str, list[Procedure]] = {}
        while self.waiting:
            name, context = self.waiting.pop()
            if len(self.names) > MOST_COPIES:
                return None
            made.setdefault(name, []).append(self._copy(self.program.procedure_named[name], context))
        procedures: list[Procedure] = []
        for procedure in self.program.procedures:
            procedures += made.get(procedure.name, ()) if procedure.implementations else [procedure]
        procedures += self.open.values()
        return Unrolled(replace(self.program, procedures=tuple(procedures)), self.names, frozenset(self.cut))

    def _named(self, name: str, context: Context) -> str:
        key = name, context
        if key not in self.names:
            counts = ".".join(str(count) for _, count in context)
            own = name not in self.names.values() and not counts
            self.names[key] = name if own else self.fresh(f"{name}#{counts}")
            self.waiting.append(key)
        return self.names[key]

    def _copy(self, procedure: Procedure, context: Context) -> Procedure:
        bodies = tuple(self._body(i, context) for i in procedure.implementations)
        name, origin = self.names[procedure.name, context], procedure.origin
        if name != procedure.name and origin.copied is None and origin.role is not Role.LOOP:
            origin = replace(origin, provenance=Copy(procedure.name))  # so that runs are found again
        return replace(procedure, name=name, implementations=bodies, origin=origin)

    def _body(self, body: Implementation, context: Context) -> Implementation:
        blocks = (self._block(b, context) for b in body.blocks)
        return replace(body, blocks=tuple(blocks))

    def _block(self, block: Block, context: Context) -> Block:
        if not any(isinstance(s, Call) for s in block.statements):
            return block
        return replace(block, statements=tuple(self._statement(s, context) for s in block.statements))

    def _statement(self, statement: Statement, context: Context) -> Statement:
        if not isinstance(statement, Call) or not self.program.procedure_named[statement.procedure].implementations:
            return statement
        callee = statement.procedure
        inner = self.graph.entered(context, callee)
        if self.bounds.allow_call(callee, self.graph.cost(callee, inner), self.bound):
            return replace(statement, procedure=self._named(callee, inner))
        self.cut.add(callee)
        if not self.leave_open:
            return Assume(FALSE, origin=statement.origin)
        return replace(statement, procedure=self._opened(callee).name)

    def _opened(self, callee: str) -> Procedure:
        """A procedure without a body, for calls that are left open."""
        if callee not in self.open:
            procedure = self.program.procedure_named[callee]
            self.open[callee] = replace(
                procedure,
                name=self.fresh(f"{callee}#open"),
                modifies=self.effects[callee].modifies,
                implementations=(),
            )
        return self.open[callee]
