"""Assumptions that a cheap analysis finds: constants, intervals, equalities between variables, values that are not 0.

    procedure main() { g := 0; call P(); }       implementation P()
    implementation P()                           {
    {                                              start: assume {:facts} g == 0; goto left, right;
      start: goto left, right;                     left:  g := g + 1; goto end;
      left:  g := g + 1; goto end;                 right: g := g + 1; goto end;
      right: g := g + 1; goto end;                 end:   assume {:facts} g == 1; assert g == 1; return;
      end:   assert g == 1; return;              }
    }

They hold in every execution, so they change no verdict. But they spare a solver the case splits that it would need to
find them: on Fig. 2 of the DAG-inlining paper it walks 2^N paths without them. They stand where what is known does not
follow from one place alone: where a procedure starts (of its parameters and the globals it or its callees use), after
calls (of the results and the globals that the callee may change), and where branches meet (of the variables that were
assigned in between and are used later). What a contract says anyway is not repeated. Programs with threads stay as
they are. The analysis is in `facts_analysis.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar

from paddock.analysis.facts.analysis import analysed
from paddock.analysis.facts.calls import return_from
from paddock.analysis.facts.graph import Body, Concurrent, Flow, Segment
from paddock.analysis.facts.joins import last_reads, merged_variables
from paddock.analysis.facts.state import State
from paddock.analysis.facts.values import INFINITY, Value
from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE, TRUE, and_, compare, eq, int_lit, ne, not_
from paddock.ir.expr import Attribute, Expr, Lit, Op, Scope, Var
from paddock.ir.origin import Made, Origin, Role
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.rewriting import declared_in, with_prologue
from paddock.ir.stmt import Assume, Block, Call, Statement
from paddock.ir.types import BOOL

_MADE = Made("facts", Role.FACT)
_ATTRIBUTES = (Attribute("facts"),)


def facts(program: Program) -> Program:
    """The program with what is known about it as assumptions."""
    try:
        flows = analysed(program)
    except Concurrent:
        return program
    outer = {d.name for group in (program.globals, program.constants) for d in group}
    procedures = tuple(_with_facts(p, flows, outer) if p.name in flows else p for p in program.procedures)
    return replace(program, procedures=procedures)


def is_summarised(program: Program) -> bool:
    """Whether an analysis has been over the program already, so that another one hardly adds anything: procedures
    with a body have postconditions that are assumed, at least one on average. So have those of Corral's files."""
    bodies = [p for p in program.procedures if p.implementations]
    return sum(clause.free for p in bodies for clause in p.ensures) >= len(bodies)


def _with_facts(procedure: Procedure, flows: Mapping[str, Flow], outer: set[str]) -> Procedure:
    flow = flows[procedure.name]
    if flow.summary.entry is None:
        return procedure
    hidden = {d.name for d in declared_in(procedure) if d.name in outer}
    bodies = zip(procedure.implementations, flow.bodies, strict=True)
    implementations = tuple(_Writer(flows, flow, i, body, hidden).written() for i, body in bodies)
    if all(new is old for new, old in zip(implementations, procedure.implementations, strict=True)):
        return procedure
    return replace(procedure, implementations=implementations)


class _Writer:
    """Writes what is known into one implementation."""

    def __init__(
        self, flows: Mapping[str, Flow], flow: Flow, implementation: Implementation, body: Body, hidden: set[str]
    ) -> None:
        self.flows = flows
        self.flow = flow
        self.summary = flow.summary
        self.implementation = implementation
        self.body = body
        self.hidden = hidden  # the names of globals and constants that mean something else here
        joins = {label: s.state for label, s in body.heads.items() if s.is_join and s.state is not None}
        known = {label: (*state.values, *state.classes) for label, state in joins.items()}
        self.merged = merged_variables(body.cfg, known, lambda name: flows[name].summary.changes)

    @cached_property
    def last_reads(self) -> dict[Var, int]:
        return last_reads(self.body.cfg)

    def written(self) -> Implementation:
        body = self.implementation
        blocks = tuple(map(self._block, body.blocks))
        if any(new is not old for new, old in zip(blocks, body.blocks, strict=True)):
            body = replace(body, blocks=blocks)
        return with_prologue(body, self._at_start())

    def _at_start(self) -> tuple[Statement, ...]:
        entry = self.summary.entry
        assert entry is not None
        about = (*self.summary.params, *self.summary.globals)
        origin = self.implementation.blocks[0].origin
        return self._assumption(entry, about, 0, origin, already=self.summary.required.values)

    def _block(self, block: Block) -> Block:
        label, body = block.label, self.body
        if label not in self.merged and label not in body.after_calls:
            return block
        position = body.cfg.position[label]
        statements: list[Statement] = []
        if label in self.merged:
            state = body.heads[label].state
            assert state is not None
            statements += self._assumption(state, self.merged[label], position, block.origin, settled=state.values)
        after = body.after_calls.get(label, 0)
        for statement in block.statements:
            statements.append(statement)
            # Of a procedure without a body, callers know no more than the contract says.
            if isinstance(statement, Call) and self.flows[statement.procedure].bodies:
                statements += self._after_call(self.flow.segments[after], position, statement.origin)
                after += 1
        return block if len(statements) == len(block.statements) else replace(block, statements=tuple(statements))

    def _after_call(self, segment: Segment, position: int, origin: Origin) -> tuple[Statement, ...]:
        site = segment.returned
        assert site is not None
        if segment.state is None:
            return ()
        callee, ensured = site.callee, site.callee.ensured.values
        if callee.exit is not None and not callee.exit.classes and callee.exit.values.items() <= ensured.items():
            return ()
        state = segment.state.copy()
        if not return_from(state, site):
            return (_assume(FALSE, origin),)
        already = {g: ensured[g] for g in callee.changes if g in ensured}
        results = zip(site.results, callee.results, strict=True)
        already |= {target: ensured[result] for target, result in results if result in ensured}
        about = dict.fromkeys((*site.results, *callee.changes))
        return self._assumption(state, about, position, origin, already, segment.state.values)

    def _assumption(
        self,
        state: State,
        about: Iterable[Var],
        position: int,
        origin: Origin,
        already: Mapping[Var, Value] = MappingProxyType({}),
        settled: Mapping[Var, Value] = MappingProxyType({}),
    ) -> tuple[Statement, ...]:
        """What is known about variables that matter from a block on, without what is known of them `already`.

        What is known of the variables that they are equal to goes without saying if it is `settled`.
        """
        known = (var for var in about if var in state.values or var in state.classes)
        subjects = {var: None for var in known if self._matters(var, position)}
        anchors = self._anchors(state, subjects, position)
        conditions: list[Expr] = []
        for var in subjects:
            value, anchor = state.values.get(var), anchors.get(var)
            if anchor is not None:
                conditions.append(eq(var, anchor))
                if anchor in subjects or settled.get(anchor) == value:
                    continue
            if value is not None and value != already.get(var):
                conditions += conditions_on(var, value)
        return (_assume(and_(*conditions), origin),) if conditions else ()

    def _anchors(self, state: State, subjects: Mapping[Var, None], position: int) -> dict[Var, Var]:
        """For each subject that is equal to another variable, that variable, if possible one that is no subject."""
        anchors: dict[Var, Var] = {}
        for class_ in dict.fromkeys(state.classes[var] for var in subjects if var in state.classes):
            members = [var for var in class_ if self._matters(var, position)]
            anchor = next((var for var in members if var not in subjects), members[0])
            anchors |= {var: anchor for var in members if var in subjects and var is not anchor}
        return anchors

    def _matters(self, var: Var, position: int) -> bool:
        """Whether a variable may be used from a block on, and can be named."""
        if var.scope is Scope.LOCAL:
            return self.last_reads.get(var, -1) >= position or var in self.summary.results
        return var.name not in self.hidden


def _assume(condition: Expr, origin: Origin) -> Statement:
    return Assume(condition, _ATTRIBUTES, origin.by(_MADE))


def conditions_on(var: Var, value: Value) -> Iterator[Expr]:
    """What it means that a variable has this value."""
    if isinstance(value, Lit):
        if var.type is BOOL:
            yield var if value is TRUE else not_(var)
        else:
            yield eq(var, value)
    elif value.is_constant:
        yield eq(var, int_lit(int(value.lo)))
    else:
        if value.lo != -INFINITY:
            yield compare(Op.GE, var, int_lit(int(value.lo)))
        if value.hi != INFINITY:
            yield compare(Op.LE, var, int_lit(int(value.hi)))
        if value.nonzero:
            yield ne(var, int_lit(0))


@frozen
class Facts:
    """The pass `facts`."""

    name: ClassVar[str] = "facts"
    summary: ClassVar[str] = "with assumptions about constants, intervals and equalities that hold in every execution"

    def __call__(self, program: Program) -> Program:
        return facts(program)
