"""The A of an interpolation problem: what the body of one procedure does, given the summaries of its callees.

Callees that have no summary of their own are inlined. A cube, a conjunction of conditions over the interface, that the
body cannot show is generalised to the few conditions that it takes, of which a summary is the negation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType

from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.merging import first
from paddock.engines.inlining.shapes import Shapes
from paddock.engines.interpolation.proof_graph import encoded
from paddock.engines.interpolation.vocabulary import places
from paddock.engines.interpolation.work import Work
from paddock.frozen import replace
from paddock.ir.expr import Expr, Var
from paddock.ir.modref import ModRef
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.stmt import Call
from paddock.ir.types import Map
from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL
from paddock.solvers.values import Value

QUESTION = 2.0  # the effort for one question about one body
MOST_TRIED = 24  # conditions of a cube that are left out one by one

ROOT = "body alone"  # no name that a program can have

# A condition, and whether it holds.
Literal = tuple[Expr, bool]


def alone(
    program: Program,
    name: str,
    summaries: Mapping[str, Sequence[Expr]],
    inlined: Collection[str],
    effects: Mapping[str, ModRef],
) -> Program:
    """The procedure `name` as ROOT, with what it calls: callees that are `inlined` with their bodies, others, itself
    among them if it is recursive, with their summaries."""
    found: dict[str, Procedure] = {}
    waiting = [replace(program.procedure_named[name], name=ROOT)]
    root = waiting[0]
    while waiting:
        for implementation in waiting.pop().implementations:
            for call in (s for b in implementation.blocks for s in b.statements if isinstance(s, Call)):
                if call.procedure in found:
                    continue
                callee = program.procedure_named[call.procedure]
                if callee.name in inlined:
                    waiting.append(callee)
                else:
                    clauses = tuple(Clause(c, free=True, origin=callee.origin) for c in summaries.get(callee.name, ()))
                    modifies = effects[callee.name].modifies
                    callee = replace(callee, modifies=modifies, ensures=(*callee.ensures, *clauses), implementations=())
                found[callee.name] = callee
    return replace(program, procedures=(root, *found.values()))


class Body(AbstractContextManager["Body"]):
    """A procedure of a program as `alone` gives it, in a solver of its own, which should limit the effort for a
    question."""

    def __init__(self, program: Program, solver: Solver, work: Work) -> None:
        self._solver = solver
        self._work = work
        self._inlining = Inlining(Shapes(program), ROOT, solver, first)
        self._inlining.inline_all()
        self.instances = len(self._inlining.graph.nodes)
        self._literals: dict[Expr, tuple[Term, Term]] = {}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._solver.close()

    def refuted(self, cube: Sequence[Literal]) -> list[Literal] | None:
        """Some of the literals of a cube, as few as possible and early ones rather than late ones, that no execution of
        the body shows together; None if there is one that shows them all, or none is known not to."""
        terms = {self._literal(literal): literal for literal in cube}
        given = list(terms)
        if not self._is_refuted(given):
            return None
        kept = self._core(given)
        # The shortest beginning of the cube that will do: no later literal takes the place of an earlier one.
        least, enough = 0, given.index(kept[-1]) + 1 if kept else 0
        while least < enough:
            middle = (least + enough) // 2
            if self._is_refuted(given[:middle]):
                kept = self._core(given[:middle])
                enough = middle
            else:
                least = middle + 1
        for term in kept[::-1] if len(kept) <= MOST_TRIED else ():
            fewer = [other for other in kept if other != term]
            if len(fewer) < len(kept) and self._is_refuted(fewer):
                kept = self._core(fewer)
        return [terms[term] for term in kept]

    def _core(self, given: Sequence[Term]) -> list[Term]:
        core = set(self._solver.unsat_core())
        return [term for term in given if term in core]

    def relied_on(self, condition: Expr, assumed: Sequence[Var]) -> list[Var] | None:
        """Those of some Boolean constants that, if they are true, a condition holds whenever the body returns; None if
        it is not known to hold even if all are."""
        named = {self._inlining.templates.encoder.named(var): var for var in assumed}
        if not self._is_refuted([self._literal((condition, False)), *named]):
            return None
        return [named[term] for term in self._core(list(named))]

    def witness(self, condition: Expr) -> dict[Expr, Value] | None:
        """The Booleans and numbers with which an execution of the body that violates a condition starts and ends; None
        if there is none, or the solver does not know."""
        answer = self._work.ask(self._solver, [self._literal((condition, False))])
        if answer.status is not Status.SAT:
            return None
        inlining, model = self._inlining, self._solver.model()
        face = inlining.template(inlining.root).interface
        shown = [place for place in places(face) if not isinstance(place.type, Map)]
        values = model.values([self._encoded(place) for place in shown])
        return dict(zip(shown, values, strict=True))

    def _encoded(self, expr: Expr) -> Term:
        """A postcondition, or a value in one, of the body."""
        inlining = self._inlining
        face, constants = inlining.template(inlining.root).interface, inlining.constants[inlining.root]
        inputs = constants[1 : 1 + len(face.inputs)]
        outputs = constants[1 + len(face.inputs) : 1 + len(face.inputs) + len(face.outputs)]
        return encoded(expr, face, inputs, outputs, inlining.templates.encoder)

    def _is_refuted(self, literals: Sequence[Term]) -> bool:
        return self._work.ask(self._solver, literals).status is Status.UNSAT

    def _literal(self, literal: Literal) -> Term:
        condition, holds = literal
        if condition not in self._literals:
            solver, term = self._solver, self._encoded(condition)
            name = solver.terms.fresh("holds", BOOL)
            solver.assert_(solver.terms.app(Op.EQ, (name, term)))
            self._literals[condition] = name, solver.terms.app(Op.NOT, (name,))
        return self._literals[condition][0 if holds else 1]
