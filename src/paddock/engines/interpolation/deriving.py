"""Interpolants for the procedures of a proof, callees first, so that the summaries of callers and callees fit together.

For a procedure, A is its body with the summaries of its callees, and B the rest of the proof: the instances of
procedures that have no summary yet, and the summaries of those that have. A condition over the interface that A implies
and that contradicts B is an interpolant. When all is done, nothing is left of the formula but summaries and the entry.

Interpolants are found by sampling (Chockler, Ivrii and Matsliah, "Computing interpolants without proofs", HVC 2012):
a model of B and the summary so far gives a cube over the atoms of a vocabulary; if A excludes it, the negation of the
few literals that it takes is one more conjunct. That works in every theory, and takes only models and cores. Where the
atoms do not suffice, solvers that make interpolants are asked (`generalising.py`). A procedure for which that does not
suffice either has no summary: its callers are summarised together with its body. What is found is checked again as a
whole, one body at a time (`certificate.py`). So that is a tree interpolant (callees first, each with the summaries of
its own callees) that has been checked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack

from paddock.engines.inlining.graph import InliningGraph, Node
from paddock.engines.inlining.proof import Proof
from paddock.engines.inlining.shapes import Shapes
from paddock.engines.interpolation.bodies import QUESTION, Body, Literal, alone
from paddock.engines.interpolation.certificate import Certificate, certified
from paddock.engines.interpolation.generalising import interpolant
from paddock.engines.interpolation.lemmas import Lemmas
from paddock.engines.interpolation.proof_graph import ProofGraph
from paddock.engines.interpolation.tidying import negated
from paddock.engines.interpolation.unrolling import Unrolled
from paddock.engines.interpolation.vocabulary import Vocabulary, places, value_atoms
from paddock.engines.interpolation.work import Work
from paddock.ir.build import and_, implies, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Op, Var
from paddock.ir.modref import mod_ref
from paddock.ir.program import Program
from paddock.ir.types import Map
from paddock.ir.walk import children
from paddock.solvers.interface import Model, Solver, Status
from paddock.solvers.values import Value
from paddock.vc.passive import Interface

FINDING = 0.7  # of the work, until what has no summary yet is inlined; the rest is for checking
OF_ONE = 0.25  # of the work that is left to find summaries, for one procedure
MOST_INSTANCES = 100  # in a body, above which no more callers are summarised with it in them
MOST_CONJUNCTS = 40  # of one summary
MOST_OTHERS = 12  # by other sources, which take longer


def derived(
    proof: Proof, whole: Unrolled, solver: Solver, work: Work, lemmas: Lemmas | None = None
) -> Certificate | None:
    """Summaries that prove what a search has proved, of the procedures of the program without recursion that this comes
    down to; None if the solver does not get there. The solver is only used to make others."""
    with solver.another(effort=work.left) as first, solver.another(effort=work.left) as second:
        graph = _graph_of(proof, proof.graph, first)
        if graph.ask(graph.needed, work).status is not Status.UNSAT:
            return None
        graph.keep_core()
        # Without the rest, later questions are about a much smaller formula.
        core = _graph_of(proof, graph.inlining.graph, second, graph.needed)
        return _Deriving(whole, core, solver, work, lemmas).run()


def _graph_of(proof: Proof, inlined: InliningGraph, solver: Solver, only: Collection[Node] | None = None) -> ProofGraph:
    shapes, entry = Shapes(proof.program), entry_name(proof.program)
    graph = ProofGraph(shapes, entry, solver, inlined, proof.shares, only)
    if proof.is_bounded:
        graph.blocked = [e for e in graph.inlining.graph.open if not proof.bounds.allow(e, proof.bound)]
    return graph


class _Deriving:
    def __init__(self, whole: Unrolled, graph: ProofGraph, solver: Solver, work: Work, lemmas: Lemmas | None) -> None:
        self.lemmas = lemmas
        self.program = whole.program
        self.names = whole.names
        self.graph = graph
        self.solver = solver
        self.finding = work.share(FINDING)
        self.checking = work
        self.effects = mod_ref(self.program)
        self.vocabulary = Vocabulary(self.program)
        self.ensures: dict[str, list[Expr]] = {}
        self.inlined: set[str] = set()

    def run(self) -> Certificate | None:
        for component in CallGraph(self.program).components:
            for name in component:
                nodes = [node for node in self.graph.needed if self._name(node) == name]
                if nodes and (self.finding.is_spent or not self._summarise(name, nodes)):
                    self.inlined.add(name)
        return certified(self.program, self.ensures, self.inlined, self.solver, self.checking, lemmas=self.lemmas)

    def _name(self, node: Node) -> str:
        """The procedure of which a node is an instance, as a copy for its context."""
        return self.names[node.shape.procedure, node.context]

    def _summarise(self, name: str, nodes: Sequence[Node]) -> bool:
        """Exchange the instances of a procedure for a summary; False if none is found."""
        graph, face = self.graph, self.graph.interface(nodes[0])
        rest = [node for node in graph.needed if self._name(node) != name]
        atoms = self.vocabulary.atoms(self.program.procedure_named[name], face)
        new: list[Expr] = []
        part = alone(self.program, name, self.ensures, self.inlined, self.effects)
        with ExitStack() as unless_made:
            solver = unless_made.enter_context(self.solver.another(effort=QUESTION))
            work = self.finding.share(OF_ONE)
            with Body(part, solver, work) as body:
                unless_made.pop_all()
                if body.instances > MOST_INSTANCES:
                    return False
                turn: int | None = None  # of other sources, once the atoms have not sufficed
                most = MOST_CONJUNCTS
                while (answer := graph.ask(rest, work)).status is not Status.UNSAT:
                    if not answer.has_model or work.is_spent:
                        return False
                    found = self._conjuncts(part, body, nodes, atoms, turn) if len(new) < most else []
                    if not found and turn is not None:
                        return False
                    if not found:
                        turn, most = 0, len(new) + MOST_OTHERS
                    elif turn is not None:
                        turn += 1
                    new += found
                    for condition in found:
                        graph.summarise(nodes, condition)
        graph.keep_core()
        self.ensures.setdefault(name, []).extend(new)
        return True

    def _conjuncts(
        self, part: Program, body: Body, nodes: Sequence[Node], atoms: Sequence[Expr], turn: int | None
    ) -> list[Expr]:
        """What excludes the behaviour of some instance that the solver's model takes, but the body does not. In their
        turn, other sources of interpolants are asked first."""
        face, model = self.graph.interface(nodes[0]), self.graph.solver.model()
        cubes = [self._cubes(node, face, atoms, model) for node in nodes if self.graph.is_entered(node, model)]
        found: dict[Expr, None] = {}
        for cube, point in cubes:
            between = None
            if turn is not None:
                between = interpolant(part, body, face, point, self.solver, self.finding, turn)
            if between is None:
                refuted = body.refuted(cube)
                if refuted is None:
                    refuted = body.refuted([*cube, *((atom, True) for atom in value_atoms(point))])
                between = None if refuted is None else _negated(refuted, face)
            if between is not None:
                found[between] = None
        return list(found)

    def _cubes(
        self, node: Node, face: Interface, atoms: Sequence[Expr], model: Model
    ) -> tuple[list[Literal], dict[Expr, Value]]:
        """What a model says of an instance: which atoms hold, and which values its interface has."""
        graph = self.graph
        truth = model.values([graph.condition(node, atom) for atom in atoms])
        cube = [(atom, value) for atom, value in zip(atoms, truth, strict=True) if isinstance(value, bool)]
        scalars = [place for place in places(face) if not isinstance(place.type, Map)]
        values = model.values([graph.condition(node, place) for place in scalars])
        return cube, dict(zip(scalars, values, strict=True))


def _negated(literals: Sequence[Literal], face: Interface) -> Expr:
    """That literals do not hold together: what is about inputs alone implies the rest."""
    outputs = set(face.outputs)
    about_inputs = [literal for literal in literals if not _mentions(literal[0], outputs)]
    others = [_literal(atom, not holds) for atom, holds in literals if (atom, holds) not in about_inputs]
    premises = [_literal(atom, holds) for atom, holds in about_inputs]
    if not others:
        return or_(*(_literal(atom, not holds) for atom, holds in about_inputs))
    return implies(and_(*premises), or_(*others)) if premises else or_(*others)


def _mentions(expr: Expr, outputs: Collection[Var]) -> bool:
    """Whether the value of a variable after a call is in an expression, not only that before."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and node.op is Op.OLD:
            continue
        if isinstance(node, Var) and node in outputs:
            return True
        stack += children(node)
    return False


def _literal(atom: Expr, holds: bool) -> Expr:
    return atom if holds else negated(atom)
