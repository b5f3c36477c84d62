"""The formula of a single path: what must hold for the program to take it.

The path is walked statement by statement, as Corral does to see whether an abstract counterexample is real (CAV 2012,
§3.1): every block, call and value is where the path says, so there is nothing left to choose but values. A call that
the path does not follow does anything that its contract allows, as a procedure without a body does.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frozen import field, mutable
from paddock.ir.expr import App, Binder, Expr, Fn, Op, Scope, Var
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.stmt import Assign, Assume, Block, Call, Havoc, Statement
from paddock.ir.types import Map, Type
from paddock.ir.walk import subterms
from paddock.solvers.interface import Solver, Term
from paddock.solvers.ops import Op as SmtOp
from paddock.trace.path import Activation, Path, Visit
from paddock.trace.values import Value
from paddock.vc.encode import Encoder

_State = dict[Var, Term]


@mutable
class _Frame:
    """An activation on the way; `old` has the globals as they were when it started."""

    activation: Activation
    procedure: Procedure
    blocks: dict[str, Block]
    locals: _State
    old: _State
    initial: _State
    call: Call | None
    visit: int = 0
    statement: int = 0


@mutable
class _Values:
    """The terms of variables at one point of the walk: globals, and locals of the activation on top. Those that nothing
    was assigned to yet are arbitrary; `inputs` has those of globals and of the parameters of the entry."""

    solver: Solver
    encoder: Encoder
    globals: _State = field(default_factory=dict)
    inputs: _State = field(default_factory=dict)
    frames: list[_Frame] = field(default_factory=list)

    def fresh(self, var: Var) -> Term:
        return self.solver.terms.fresh(var.name, self.encoder.sort(var.type))

    def input(self, var: Var) -> Term:
        if var not in self.inputs:
            self.inputs[var] = self.fresh(var)
        return self.inputs[var]

    def get(self, var: Var, globals_: _State | None = None) -> Term:
        """The value of a variable; `globals_` has those of globals if not the current ones are wanted."""
        if var.scope is Scope.GLOBAL:
            known = self.globals if globals_ is None else globals_
            return known[var] if var in known else self.input(var)
        frame = self.frames[-1]
        if var not in frame.locals:
            frame.locals[var] = frame.initial[var] = self.fresh(var)
        return frame.locals[var]

    def set(self, var: Var, term: Term) -> None:
        (self.globals if var.scope is Scope.GLOBAL else self.frames[-1].locals)[var] = term


@mutable
class PathFormula:
    """The formula of a path, asserted in a new solver. `slots` are the places in the path where values are missing,
    with their terms; `indices` are those at which maps are looked at, by their types."""

    program: Program
    path: Path
    solver: Solver
    expand_all: bool = False  # functions, in the formula: see `Encoder`
    encoder: Encoder = field(init=False)
    _values: _Values = field(init=False)
    slots: list[tuple[dict[Var, Value], _State]] = field(default_factory=list)
    indices: dict[tuple[Type, ...], list[tuple[Term, ...]]] = field(default_factory=dict)
    quantified: list[tuple[Term, Map]] = field(default_factory=list)  # maps that assumptions with quantifiers are about

    def __post_init__(self) -> None:
        self.encoder = Encoder(self.program, self.solver.terms, expand_all=self.expand_all)
        self._values = _Values(self.solver, self.encoder)
        for axiom in self.encoder.axioms():
            self.solver.assert_(axiom)
        self.slots.append((self.path.inputs, self._values.inputs))
        self._walk()
        # An assumption about all elements of a map has to be instantiated wherever one is looked at, later, too.
        for map_, type_ in self.quantified:
            for index in self.indices.get(type_.domain, ()):
                self._name(self.solver.terms.app(SmtOp.SELECT, (map_, *index)), type_.range)

    def _walk(self) -> None:
        root = self.program.procedure_named[self.path.root.procedure]
        params = {p.var: self._values.input(p.var) for p in root.params}
        self._enter(self.path.root, params, None)
        self._assume_all(root.requires)
        while self._values.frames:
            frame = self._values.frames[-1]
            if frame.visit == len(frame.activation.visits):
                self._leave(frame)
                continue
            visit = frame.activation.visits[frame.visit]
            block = frame.blocks[visit.label]
            if frame.statement == len(block.statements):
                frame.visit, frame.statement = frame.visit + 1, 0
                continue
            frame.statement += 1
            self._statement(frame, visit, frame.statement - 1, block.statements[frame.statement - 1])

    # --- terms -----------------------------------------------------------------------------------

    def _encode(self, expr: Expr) -> Term:
        values = self._values
        old = values.frames[-1].old

        def encoded(e: Expr) -> Term:
            return self.encoder.encode(e, values.get, lambda v: values.get(v, old))

        for index in _indices(expr):
            types = tuple(e.type for e in index)
            self.indices.setdefault(types, []).append(tuple(map(encoded, index)))
        return encoded(expr)

    def _computed(self, expr: Expr) -> Term:
        """The term for a value, which may or may not be looked at. A replay computes it in any case, so it is
        mentioned to the solver: the axioms about its functions have to be instantiated."""
        term = self._encode(expr)
        if self.program.axioms and any(isinstance(t, App) and isinstance(t.op, Fn) for t in subterms([expr])):
            self._name(term, expr.type)
        return term

    def _name(self, term: Term, type_: Type) -> None:
        """Mention a term to the solver, which constrains nothing but lets triggers match."""
        named = self.solver.terms.fresh("named", self.encoder.sort(type_))
        self.solver.assert_(self.solver.terms.app(SmtOp.EQ, (named, term)))

    def _assume_all(self, clauses: tuple[Clause, ...]) -> None:
        for clause in clauses:
            self._assume(clause.condition)

    def _assume(self, condition: Expr) -> None:
        self.solver.assert_(self._encode(condition))
        for map_, type_ in _quantified_maps(condition):
            self.quantified.append((self._values.get(map_), type_))

    # --- statements ------------------------------------------------------------------------------

    def _statement(self, frame: _Frame, visit: Visit, k: int, statement: Statement) -> None:
        match statement:
            case Assume(condition):
                self._assume(condition)
            case Assign(targets, values):
                for target, term in zip(targets, [self._computed(v) for v in values], strict=True):
                    self._values.set(target, term)
            case Havoc(targets):
                self._arbitrary(visit, k, targets)
            case Call():
                callee = self.program.procedure_named[statement.procedure]
                args = [self._computed(a) for a in statement.args]
                params = {p.var: a for p, a in zip(callee.params, args, strict=True)}
                activation = visit.calls.get(k)
                # What is not followed is an activation that visits nothing, with arbitrary results.
                self._enter(activation or Activation(callee.name), params, statement)
                self._assume_all(callee.requires)
                if activation is None:
                    self._no_body(callee, visit, k)
            case _:
                raise AssertionError(statement)

    def _arbitrary(self, visit: Visit, k: int, targets: tuple[Var, ...]) -> None:
        terms = {var: self._values.fresh(var) for var in targets}
        self.slots.append((visit.values.setdefault(k, {}), terms))
        for var, term in terms.items():
            self._values.set(var, term)

    def _enter(self, activation: Activation, params: _State, call: Call | None) -> None:
        procedure = self.program.procedure_named[activation.procedure]
        blocks = {b.label: b for i in procedure.implementations for b in i.blocks}
        frame = _Frame(activation, procedure, blocks, params, dict(self._values.globals), {}, call)
        self.slots.append((activation.initial, frame.initial))
        self._values.frames.append(frame)

    def _no_body(self, callee: Procedure, visit: Visit, k: int) -> None:
        """Everything that the callee may change becomes arbitrary, and so do its results."""
        changed = {var: self._values.fresh(var) for var in callee.modifies}
        results = {r.var: self._values.fresh(r.var) for r in callee.results}
        self.slots.append((visit.values.setdefault(k, {}), {**changed, **results}))
        self._values.globals.update(changed)
        self._values.frames[-1].locals.update(results)

    def _leave(self, frame: _Frame) -> None:
        self._assume_all(frame.procedure.ensures)
        results = [self._values.get(r.var) for r in frame.procedure.results]
        self._values.frames.pop()
        if frame.call is not None:
            for target, term in zip(frame.call.results, results, strict=True):
                self._values.set(target, term)


def _indices(expr: Expr) -> Iterator[tuple[Expr, ...]]:
    """The indices at which an expression looks at maps or changes them, but for those that a quantifier chooses."""
    for node in subterms([expr]):
        if isinstance(node, App) and node.op in (Op.SELECT, Op.STORE):
            index = node.args[1:] if node.op is Op.SELECT else node.args[1:-1]
            if not any(isinstance(e, Var) and e.scope is Scope.BOUND for e in subterms(index)):
                yield index


def _quantified_maps(condition: Expr) -> Iterator[tuple[Var, Map]]:
    """The maps of the state that are looked up under a quantifier."""
    under = subterms([t.body for t in subterms([condition]) if isinstance(t, Binder)])
    for map_ in dict.fromkeys(t.args[0] for t in under if isinstance(t, App) and t.op is Op.SELECT):
        if isinstance(map_, Var) and isinstance(map_.type, Map) and map_.scope in (Scope.GLOBAL, Scope.LOCAL):
            yield map_, map_.type
