"""Loops that run a constant number of iterations are marked with that number.

    procedure {:loop "P", "head"} P_loop_head(in_i: int) …      procedure {:loop "P", "head"} {:iterations 27} …

for `i := 0; while (i < 27) { …; i := i + 1; }`: a search unrolls such a loop to its end whatever the bound for others.
Corral (CAV 2012), §4.2, names this loop as the one kind of bugs that its bound made it miss.

The pass runs on what `extract-loops` makes. What is known at the calls of a loop procedure comes from its callers, and
from there its activations are simulated one by one, as far as values are known, until one cannot call the next. A mark
changes no verdict: a search that goes deeper than it must is only slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from paddock.ir.cfg import Cfg
from paddock.ir.expr import App, Attribute, Expr, Lit, Op, Scope, Var
from paddock.ir.modref import assigned, mod_ref
from paddock.ir.program import Implementation, Procedure, Program, find_attribute
from paddock.ir.stmt import Assign, Assume, Call, Havoc, ParCall, Statement
from paddock.ir.types import INT
from paddock.ir.walk import variables
from paddock.passes.known_values import Evaluator, Known, Value, common, conjuncts
from paddock.passes.rewriting import calls_in

_MARK = "iterations"
_MOST_ITERATIONS = 1_000  # with more, solving takes minutes: the user may ask for it by --unwind
_MOST_STEPS = 200_000  # blocks and statements that are simulated for one loop


def bound_loops(program: Program) -> Program:
    """The program with marks on its loop procedures."""
    loops = [p for p in program.procedures if find_attribute(p.attributes, "loop")]
    if not loops:
        return program
    iterations = _Analysis(program, loops).iterations()
    return replace(program, procedures=tuple(_marked(p, iterations.get(p.name)) for p in program.procedures))


def _marked(procedure: Procedure, iterations: int | None) -> Procedure:
    mark = () if iterations is None else (Attribute(_MARK, (Lit(iterations, INT),)),)
    attributes = (*(a for a in procedure.attributes if a.name != _MARK), *mark)
    return procedure if attributes == procedure.attributes else replace(procedure, attributes=attributes)


@dataclass(slots=True)
class _Activation:
    """What one activation of a procedure does, as far as it is known."""

    calls: list[tuple[str, Known]] = field(default_factory=list)  # of loops, with what is known at their entry
    is_guarded: bool = False  # a condition for the procedure to call itself could be decided


class _Analysis:
    """The loops of a program, and the procedures that call them, reduced to what matters to their iterations."""

    def __init__(self, program: Program, loops: list[Procedure]) -> None:
        self.evaluator = Evaluator(program)
        self.modifies = {name: sets.modifies for name, sets in mod_ref(program).items()}
        self.loops: dict[str, _Body] = {}
        # Inner loops come first, so that what they need is known when their callers are reduced.
        for loop in loops:
            body = _acyclic(loop)
            if body is not None:
                self.loops[loop.name] = _Body(self, loop, body)
        self.others = [
            _Body(self, procedure, body)
            for procedure in program.procedures
            if procedure.name not in self.loops
            and (body := _acyclic(procedure)) is not None
            and any(call.procedure in self.loops for call in _calls(body))
        ]

    def iterations(self) -> dict[str, int]:
        """How often each loop runs for which that is known."""
        entries: dict[str, list[Known]] = {name: [] for name in self.loops}
        for body in (*self.others, *reversed(self.loops.values())):
            name = body.procedure.name
            for callee, known in body.run(body.invariant(entries.get(name, []))).calls:
                if callee != name:
                    entries[callee].append(known)
        counts = {name: self._count(loop, entries[name]) for name, loop in self.loops.items()}
        return {name: count for name, count in counts.items() if count is not None}

    def _count(self, loop: _Body, entries: list[Known]) -> int | None:
        """The most iterations of a loop from any of its calls; None if they are not known to end."""
        most = None
        for entry in entries:
            count = loop.iterations(entry)
            if count is None:
                return None
            most = max(count, most or 0)
        return most


class _Body:
    """A procedure that calls loops or is one."""

    def __init__(self, analysis: _Analysis, procedure: Procedure, body: Implementation) -> None:
        self.analysis = analysis
        self.evaluator = analysis.evaluator
        self.procedure = procedure
        self.params = [p.var for p in procedure.params]
        self.cfg = Cfg(body)
        own = [(b.label, call) for b in body.blocks for s in b.statements for call in calls_in(s) if self._is_own(call)]
        self.own_call = own[0][1] if len(own) == 1 else None
        # Conditions without which the procedure does not call itself.
        self.guards = dict.fromkeys(self._conditions_before(own[0][0]) if self.own_call else ())
        self.relevant = self._relevant()
        self.statements = {
            label: list(self._reduced(self.cfg.blocks[label].statements)) for label in self.cfg.reverse_postorder
        }

    # --- what matters ----------------------------------------------------------------------------

    def _is_own(self, call: Call) -> bool:
        return call.procedure == self.procedure.name

    def _conditions_before(self, end: str) -> Iterator[Expr]:
        """What is assumed on every way to a block or in it, apart from what always holds."""
        if end not in self.cfg.position:
            return
        for label in self.cfg.reverse_postorder:
            if self.cfg.dominates(label, end):
                for statement in self.cfg.blocks[label].statements:
                    if isinstance(statement, Assume) and not find_attribute(statement.attributes, "facts"):
                        yield from (c for c in conjuncts(statement.condition) if variables(c))

    def _relevant(self) -> set[Var]:
        """The variables whose values decide the guards and are passed to loops that need them."""
        sources: dict[Var, list[Expr]] = {}
        needed: list[Expr] = list(self.guards)
        for label in self.cfg.reverse_postorder:
            for statement in self.cfg.blocks[label].statements:
                match statement:
                    case Assign(targets, values):
                        for target, value in zip(targets, values, strict=True):
                            sources.setdefault(target, []).append(value)
                    case Assume(condition):
                        for conjunct in conjuncts(condition):
                            if isinstance(conjunct, App) and conjunct.op in (Op.EQ, Op.IFF):
                                for var in conjunct.args:
                                    if isinstance(var, Var):
                                        sources.setdefault(var, []).append(conjunct)
                    case Call() if self._is_own(statement):
                        for param, arg in zip(self.params, statement.args, strict=True):
                            sources.setdefault(param, []).append(arg)
                    case Call() if statement.procedure in self.analysis.loops:
                        needed += self.analysis.loops[statement.procedure].needed_at(statement)
        relevant: set[Var] = set()
        while needed:
            for var in variables(needed.pop()):
                if var not in relevant:
                    relevant.add(var)
                    needed += sources.get(var, ())
        return relevant

    def needed_at(self, call: Call) -> Iterator[Expr]:
        """The expressions of a call, and the globals, whose values matter to this procedure."""
        for param, arg in zip(self.params, call.args, strict=True):
            if param in self.relevant:
                yield arg
        yield from (var for var in self.relevant if var.scope is Scope.GLOBAL)

    def _reduced(self, statements: Iterable[Statement]) -> Iterator[Statement]:
        """The statements without what does not matter."""
        for statement in statements:
            match statement:
                case Assign(targets, values):
                    pairs = [(t, v) for t, v in zip(targets, values, strict=True) if t in self.relevant]
                    if pairs:
                        yield Assign(tuple(t for t, _ in pairs), tuple(v for _, v in pairs))
                case Assume(condition):
                    for conjunct in conjuncts(condition):
                        if variables(conjunct) <= self.relevant:
                            yield Assume(conjunct)
                case Havoc() | Call() | ParCall():
                    yield statement

    # --- simulation ------------------------------------------------------------------------------

    def entered(self, call: Call, known: Known) -> Known:
        """What is known when this procedure is called where something is known."""
        entry = {var: value for var, value in known.items() if var.scope is Scope.GLOBAL and var in self.relevant}
        for param, arg in zip(self.params, call.args, strict=True):
            if param in self.relevant and (value := self.evaluator.value(arg, known)) is not None:
                entry[param] = value
        return entry

    def invariant(self, entries: list[Known]) -> Known:
        """What is known in every activation, if the procedure is entered from elsewhere with `entries`."""
        if not entries or self.own_call is None:
            return {}
        passed_on = {p for p, arg in zip(self.params, self.own_call.args, strict=True) if arg is p}
        changed = self.analysis.modifies[self.procedure.name]
        return {
            var: value
            for var, value in common(entries).items()
            if var in passed_on or (var.scope is Scope.GLOBAL and var not in changed)
        }

    def iterations(self, known: Known) -> int | None:
        """How often this loop calls itself from an activation in which something is known; None if it may not end."""
        size = len(self.statements) + sum(map(len, self.statements.values()))
        for count in range(min(_MOST_ITERATIONS, _MOST_STEPS // size) + 1):
            activation = self.run(known)
            following = [entry for callee, entry in activation.calls if callee == self.procedure.name]
            if not following:
                return count
            if not activation.is_guarded or following[0] == known:
                return None
            known = following[0]
        return None

    def run(self, known: Known) -> _Activation:
        """Go over the procedure once, on all ways that what is known does not exclude."""
        activation = _Activation()
        at_end: dict[str, Known] = {}
        for label in self.cfg.reverse_postorder:
            before = [at_end[p] for p in self.cfg.predecessors[label] if p in at_end]
            if label == self.cfg.entry:
                before = [known]
            if before:
                state = common(before)
                if self._go_over(self.statements[label], state, activation):
                    at_end[label] = state
        return activation

    def _go_over(self, statements: list[Statement], state: dict[Var, Value], activation: _Activation) -> bool:
        """Bring a state from the start of some statements to their end; False if no execution gets there."""
        for statement in statements:
            match statement:
                case Assign(targets, values):
                    new = [self.evaluator.value(value, state) for value in values]
                    for target, value in zip(targets, new, strict=True):
                        if value is None:
                            state.pop(target, None)
                        else:
                            state[target] = value
                case Assume(condition):
                    holds = self.evaluator.value(condition, state)
                    if holds is not None and condition in self.guards:
                        activation.is_guarded = True
                    if holds is False:
                        return False
                    state.update(self.evaluator.equalities(condition, state))
                case _:
                    self._forget(statement, state, activation)
        return True

    def _forget(self, statement: Statement, state: dict[Var, Value], activation: _Activation) -> None:
        for call in calls_in(statement):
            if call.procedure in self.analysis.loops:
                entry = self.analysis.loops[call.procedure].entered(call, state)
                activation.calls.append((call.procedure, entry))
            for var in self.analysis.modifies[call.procedure]:
                state.pop(var, None)
        for var in assigned(statement):
            state.pop(var, None)


def _acyclic(procedure: Procedure) -> Implementation | None:
    """The body of a procedure, if it is one without cycles."""
    if len(procedure.implementations) != 1:
        return None
    (body,) = procedure.implementations
    cfg = Cfg(body)
    return body if cfg.is_reducible and not cfg.back_edges else None


def _calls(body: Implementation) -> Iterator[Call]:
    return (call for block in body.blocks for statement in block.statements for call in calls_in(statement))
