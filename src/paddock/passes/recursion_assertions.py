"""Recursion that must not have more than some number of activations on the stack: each call of it asserts that.

    procedure P() { …; call P(); … }        var activations.P: int;
    procedure Q() { …; call P(); … }        procedure P() { …; assert activations.P < R;  outer := activations.P;
                                                            activations.P := outer + 1;  call P();
                                                            activations.P := outer; … }
                                            procedure Q() { …; activations.P := 1;  call P(); … }

Procedures that call each other have a counter each. Who is none of them finds none of them on the stack, so the
counters start there. An entry that is called gets another one in front of it, from which to start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paddock.frozen import replace
from paddock.ir.build import compare, int_lit
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Attribute, Op, Var
from paddock.ir.graph import reachable
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, global_var, local_var
from paddock.ir.rewriting import calls_in, variables_in
from paddock.ir.stmt import Assert, Assign, Call, Statement
from paddock.ir.types import INT
from paddock.passes.outer_entry import with_outer_entry


def recursion_assertions(program: Program, activations: int, kind: str) -> Program:
    """The program, which has an entry, in which no procedure may be on the stack more than so often; the assertions of
    that are of some kind."""
    if entry_name(program) in CallGraph(program).recursive:
        program = with_outer_entry(program)
    graph = CallGraph(program)
    groups = [group for group in graph.components if group[0] in graph.recursive]
    if not groups:
        return program
    fresh = FreshNames({v.name for p in program.procedures for v in variables_in(p)}.union(program.top_level_names()))
    counting = _Counting(
        {name: global_var(fresh(f"activations.{name}"), INT) for group in groups for name in group},
        {name: tuple(group) for group in groups for name in group},
        activations,
        kind,
    )
    counters = {
        counter: VarDecl(counter, origin=program.procedure_named[name].origin.by(Made(kind, Role.CHECK)))
        for name, counter in counting.counters.items()
    }
    changing: dict[str, list[Var]] = {p.name: [] for p in program.procedures}
    for group in groups:
        for name in reachable(graph.callers, group):
            changing[name] += [counting.counters[member] for member in group]
    procedures = tuple(counting.procedure(p, changing[p.name]) for p in program.procedures)
    return replace(program, globals=(*program.globals, *counters.values()), procedures=procedures)


class _Counting:
    """What counts the activations of recursive procedures: a counter for each, and those that it is recursive with."""

    def __init__(
        self, counters: Mapping[str, Var], groups: Mapping[str, tuple[str, ...]], activations: int, kind: str
    ) -> None:
        self.counters = counters
        self._groups = groups
        self._most = activations
        self._kind = kind

    def procedure(self, procedure: Procedure, changed: list[Var]) -> Procedure:
        """The procedure with the counters that it changes, itself or through others."""
        if not changed:
            return procedure
        bodies = tuple(self._body(i, procedure) for i in procedure.implementations)
        return replace(procedure, modifies=(*procedure.modifies, *changed), implementations=bodies)

    def _body(self, body: Implementation, procedure: Procedure) -> Implementation:
        outer = VarDecl(local_var(FreshNames(v.name for v in variables_in(procedure))("outer"), INT))
        blocks = []
        for block in body.blocks:
            counted = tuple(s for old in block.statements for s in self._counted(old, procedure, outer.var))
            blocks.append(replace(block, statements=counted))
        own = (outer,) if procedure.name in self.counters else ()
        return replace(body, locals=(*body.locals, *own), blocks=tuple(blocks))

    def _counted(self, statement: Statement, procedure: Procedure, outer: Var) -> Iterator[Statement]:
        callees = [call.procedure for call in calls_in(statement) if call.procedure in self.counters]
        if not callees or not isinstance(statement, Call):  # threads have stacks of their own
            yield statement
            return
        (callee,) = callees
        counter, origin = self.counters[callee], statement.origin.by(Made(self._kind, Role.CHECK))
        if procedure.name not in self._groups[callee]:
            for member in self._groups[callee]:
                yield Assign((self.counters[member],), (int_lit(int(member == callee)),), origin=origin)
            yield statement
            return
        message = f"the recursive call of {callee} at {statement.origin} makes more than {self._most} activations"
        attributes = (Attribute("kind", (self._kind,)), Attribute("msg", (message,)))
        yield Assert(compare(Op.LT, counter, int_lit(self._most)), attributes, origin)
        yield Assign((outer,), (counter,), origin=origin)
        yield Assign((counter,), (App(Op.ADD, (outer, int_lit(1)), INT),), origin=origin)
        yield statement
        yield Assign((counter,), (outer,), origin=origin)
