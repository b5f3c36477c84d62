"""Interpolants from solvers that make them: why a body never has the values that it has at one point of its interface.

A is the body, with the summaries of its callees, and B a point that the rest of the program takes: the sources of
`solvers/interpolants` are asked in turn for a condition between the two. Each is checked by two questions: that the
body implies it, and that the point does not meet it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from paddock.engines.interpolation.bodies import Body
from paddock.engines.interpolation.proof_graph import encoded
from paddock.engines.interpolation.reading import read_condition
from paddock.engines.interpolation.work import Work
from paddock.engines.interpolation.writing import written
from paddock.ir.expr import App, Expr, Var
from paddock.ir.program import Program
from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.interpolants.problem import Problem
from paddock.solvers.interpolants.sources import suited
from paddock.solvers.ops import Op
from paddock.solvers.smtlib.text import Node, term_text
from paddock.solvers.values import Value
from paddock.vc.encode import Encoder
from paddock.vc.passive import Interface

EFFORT = 1.0  # for one source, and one question
OF_SOURCE = 0.2  # what a source is taken to have taken, as not all count
MOST_INSTANCES = 12  # in a body: larger ones are beyond these solvers
MOST_CHARACTERS = 200_000  # of the script of a body

Point = Mapping[Expr, bool | int | Fraction]


def interpolant(
    part: Program,
    body: Body,
    face: Interface,
    point: Mapping[Expr, Value],
    solver: Solver,
    work: Work,
    turn: int = 0,
) -> Expr | None:
    """A condition that a body implies, and a point of its interface does not meet, if a solver finds one. `part` is the
    program of the body. Sources take turns to be the first: what one says may be true, and yet lead nowhere. The solver
    is only used to make others."""
    known = {place: value for place, value in point.items() if isinstance(value, bool | int | Fraction)}
    if body.instances > MOST_INSTANCES or not known:
        return None
    problem, named = _problem(part, known)
    if sum(map(len, problem.commands)) > MOST_CHARACTERS:
        return None
    for source in suited(problem, turn):
        if work.is_spent:
            return None
        text = source.interpolant(problem, EFFORT)
        work.take(OF_SOURCE)
        found = None if text is None else read_condition(text, named)
        if found is not None and body.relied_on(found, ()) is not None and _excludes(part, found, face, known, solver):
            return found
    return None


def _problem(part: Program, point: Point) -> tuple[Problem, dict[str, Expr]]:
    """The body as a script with a constant for each value that the point has, and what these constants stand for."""
    asserted, inlining = written(part)
    script = asserted.terms
    # Of the body alone: what callees without bodies read is not there.
    own = inlining.template(inlining.root).interface
    constants = inlining.constants[inlining.root]
    inputs = constants[1 : 1 + len(own.inputs)]
    outputs = constants[1 + len(own.inputs) : 1 + len(own.inputs) + len(own.outputs)]
    encoder = inlining.templates.encoder
    named: dict[str, Expr] = {}
    values: list[tuple[str, str]] = []
    for place, value in point.items():
        sort = encoder.sort(place.type)
        name = script.fresh("face", sort)
        asserted.assert_(script.app(Op.EQ, (name, encoded(place, own, inputs, outputs, encoder))))
        symbol = term_text(cast(Node, name))
        named[symbol] = place
        values.append((symbol, term_text(cast(Node, script.literal(value, sort)))))
    commands = (command for command in script.commands if not command.startswith("(define-fun "))
    return Problem(tuple(commands), tuple(values)), named


def _excludes(part: Program, condition: Expr, face: Interface, point: Point, solver: Solver) -> bool:
    """Whether a condition does not hold at a point, whatever else there is."""
    with solver.another(effort=EFFORT) as own:
        terms = own.terms
        encoder = Encoder(part, terms)

        def term(var: Var, place: Expr | None) -> Term:
            sort = encoder.sort(var.type)
            return terms.fresh(var.name, sort) if place is None else terms.literal(point[place], sort)

        before = {place.args[0]: place for place in point if isinstance(place, App)}
        after: dict[Expr, Expr] = {place: place for place in point if isinstance(place, Var)}
        outputs = [term(v, after.get(v)) for v in face.outputs]
        unchanged = {v: place for v, place in after.items() if v not in face.outputs}
        inputs = [term(v, before.get(v, unchanged.get(v))) for v in face.inputs]
        own.assert_(encoded(condition, face, inputs, outputs, encoder))
        return own.check().status is Status.UNSAT
