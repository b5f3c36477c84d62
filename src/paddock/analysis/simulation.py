"""Runs of a program as far as values are known, from its entry or from anywhere: how often its loops run.

The procedures are those that `extract-loops` makes. A run takes all branches that what is known does not exclude, and
knows afterwards what holds on all of them. Calls are followed with what is known of their arguments and of globals; a
loop procedure is run activation by activation, until one cannot call the next. How a run may leave a loop is kept apart
until branches meet: `i` is 0, 1, … or 27 after `while (i < 27)`, but only one of them gets past the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from paddock.analysis.known_values import Evaluator, Known, Value, common, conjuncts
from paddock.analysis.relevance import Relevance, relevance
from paddock.frozen import field, mutable
from paddock.ir.cfg import Cfg
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.modref import ModRef, assigned, mod_ref
from paddock.ir.program import Procedure, Program, find_attribute, is_loop
from paddock.ir.rewriting import calls_in
from paddock.ir.stmt import Assign, Assume, Call, Havoc, ParCall, Return, Statement
from paddock.ir.walk import variables

State = dict[Var, Value]

MOST_ITERATIONS = 1_000  # with more, solving takes minutes: the user may ask for it by --unwind
MOST_STEPS = 200_000  # blocks and statements that are run, in all
MOST_CALLS = 60  # that are followed at once
APART = 8  # blocks behind a loop for which the ways out of it are kept apart


class OutOfSteps(Exception):
    """The run has taken too long."""


@mutable
class _Activation:
    """What one activation of a procedure does, as far as it is known."""

    exits: list[State] = field(default_factory=list)  # what is known where it returns
    following: list[State] = field(default_factory=list)  # what is known where it calls itself
    is_guarded: bool = False  # a condition for the procedure to call itself could be decided


class Body:
    """A procedure with a body without cycles; `guards` are the conditions without which it does not call itself."""

    def __init__(self, procedure: Procedure, cfg: Cfg) -> None:
        self.name = procedure.name
        self.is_loop = is_loop(procedure)
        self.params = [p.var for p in procedure.params]
        self.results = [r.var for r in procedure.results]
        self.cfg = cfg
        own = [
            (label, call)
            for label in cfg.reverse_postorder
            for statement in cfg.blocks[label].statements
            for call in calls_in(statement)
            if call.procedure == self.name
        ]
        self.own_call = own[0][1] if len(own) == 1 else None
        self.guards = dict.fromkeys(self._conditions_before(own[0][0]) if self.own_call else ())
        self.is_tail_recursive = self.own_call is not None and self._is_tail(own[0][0], self.own_call)

    def _conditions_before(self, end: str) -> Iterator[Expr]:
        """What is assumed on every way to a block or in it, apart from what always holds."""
        for label in self.cfg.reverse_postorder:
            if self.cfg.dominates(label, end):
                for statement in self.cfg.blocks[label].statements:
                    if isinstance(statement, Assume) and not find_attribute(statement.attributes, "facts"):
                        yield from (c for c in conjuncts(statement.condition) if variables(c))

    def _is_tail(self, label: str, call: Call) -> bool:
        block = self.cfg.blocks[label]
        return block.statements[-1] is call and isinstance(block.transfer, Return) and [*call.results] == self.results

    def reduce(self, matters: Relevance, effects: Mapping[str, ModRef]) -> None:
        """Look at what matters only."""
        self.relevant = matters.of(self.name)
        self.modified = [g for g in effects[self.name].modifies if g in self.relevant]
        reads = effects[self.name].reads
        self.seen = [p for p in self.params if p in self.relevant]
        self.seen_globals = [g for g in reads if g in self.relevant]
        self.statements = {
            label: list(self._reduced(self.cfg.blocks[label].statements, matters))
            for label in self.cfg.reverse_postorder
        }

    def _reduced(self, statements: Iterable[Statement], matters: Relevance) -> Iterator[Statement]:
        for statement in statements:
            match statement:
                case Assign(targets, values):
                    pairs = [(t, v) for t, v in zip(targets, values, strict=True) if t in self.relevant]
                    if pairs:
                        yield Assign(tuple(t for t, _ in pairs), tuple(v for _, v in pairs))
                case Assume(condition):
                    for conjunct in conjuncts(condition):
                        mentioned = {var for var in variables(conjunct) if var.scope is not Scope.CONST}
                        if not mentioned or not mentioned.isdisjoint(self.relevant):
                            yield Assume(conjunct)
                case Havoc() | Call() | ParCall():
                    yield statement


class Simulation:
    """Runs of a program; `iterations` has the most that a loop has run in any run that ended by itself."""

    def __init__(self, program: Program) -> None:
        self.iterations: dict[str, int] = {}
        self.reached: set[str] = set()  # procedures that were run
        self._effects = mod_ref(program)
        self._evaluator = Evaluator(program)
        self.bodies = {p.name: Body(p, cfg) for p in program.procedures if (cfg := _acyclic(p)) is not None}
        graphs = {name: body.cfg for name, body in self.bodies.items()}
        guards = {name: body.guards for name, body in self.bodies.items() if body.is_loop}
        self._matters = relevance(program, graphs, guards)
        for name in self._matters.procedures:
            self.bodies[name].reduce(self._matters, self._effects)
        self._globals = self._matters.variables.get("", set())
        self._known_calls: dict[tuple[str, frozenset[tuple[Var, Value]]], list[State] | None] = {}
        self._active: list[str] = []
        self._steps = 0

    def run(self, procedure: str) -> None:
        """Run a procedure where nothing is known. Raises `OutOfSteps`."""
        self._steps = 0
        self._active.clear()
        if procedure in self._matters.procedures:
            body = self.bodies[procedure]
            if body.is_loop:
                self._iterated(body, {})
            else:
                self._activation(body, {})

    # --- calls -----------------------------------------------------------------------------------

    def _called(self, call: Call, state: State) -> list[State]:
        """What may be known after a call."""
        body = self.bodies.get(call.procedure)
        exits: list[State] | None = None
        if body is None or body.name not in self._matters.procedures or call.asynchronous:
            modified = [g for g in self._effects[call.procedure].modifies if g in self._globals]
            return [_forgetting(state, [*modified, *call.results])]
        if body.name not in self._active and len(self._active) < MOST_CALLS:
            exits = self._exits(body, self._entered(body, call, state))
        kept = _forgetting(state, [*body.modified, *call.results])
        if exits is None:
            return [kept]
        after = []
        for known in exits:
            new = dict(kept) if len(exits) > 1 else kept
            new.update((g, known[g]) for g in body.modified if g in known)
            new.update((t, known[r]) for r, t in zip(body.results, call.results, strict=True) if r in known)
            after.append(new)
        return after

    def _entered(self, body: Body, call: Call, state: State) -> State:
        """What is known where a procedure starts that is called where something is known."""
        entry = {g: state[g] for g in body.seen_globals if g in state}
        for param, arg in zip(body.params, call.args, strict=True):
            if param in body.relevant and (value := self._evaluator.value(arg, state)) is not None:
                entry[param] = value
        return entry

    def _exits(self, body: Body, entry: State) -> list[State] | None:
        """What may be known where a procedure returns; None if that is anything."""
        key = body.name, frozenset(entry.items())
        if key not in self._known_calls:
            if body.is_loop:
                exits = self._iterated(body, entry)
            else:
                exits = self._activation(body, entry).exits
                exits = [common(exits)] if exits else []
            self._known_calls[key] = exits
        return self._known_calls[key]

    def _iterated(self, loop: Body, known: State) -> list[State] | None:
        """What may be known where a loop ends, which starts where something is known."""
        exits: list[State] = []
        entry = known
        for count in range(MOST_ITERATIONS + 1):
            activation = self._activation(loop, known)
            exits += activation.exits
            if not activation.following:
                self.iterations[loop.name] = max(count, self.iterations.get(loop.name, 0))
                return exits if loop.is_tail_recursive else None
            following = common(activation.following)
            if not activation.is_guarded or following == known:
                break
            known = following
        self._activation(loop, self._steady(loop, entry))  # for the loops inside
        return None

    def _steady(self, loop: Body, entry: Known) -> State:
        """What is known in every activation of a loop that starts with `entry`."""
        if loop.own_call is None:
            return {}
        passed_on = {p for p, arg in zip(loop.params, loop.own_call.args, strict=True) if arg is p}
        return {
            var: value
            for var, value in entry.items()
            if var in passed_on or (var.scope is Scope.GLOBAL and var not in loop.modified)
        }

    # --- one activation --------------------------------------------------------------------------

    def _activation(self, body: Body, known: State) -> _Activation:
        """Go over a procedure once, on all ways that what is known does not exclude."""
        self.reached.add(body.name)
        self._active.append(body.name)
        activation = _Activation()
        at_end: dict[str, tuple[list[State], int]] = {}  # with the blocks for which states have been kept apart
        for label in body.cfg.reverse_postorder:
            before = [at_end[p] for p in body.cfg.predecessors[label] if p in at_end]
            if label == body.cfg.entry:
                before = [([known], 0)]
            if not before:
                continue
            states = [state for those, _ in before for state in those]
            apart = before[0][1] + 1
            if len(states) > 1 and (len(before) > 1 or apart > APART):
                states = [common(states)]
            self._steps += len(states)
            states = [dict(state) for state in states]
            for statement in body.statements[label]:
                states = self._after(statement, states, body, activation)
                if not states:
                    break
            if states:
                at_end[label] = states, apart if len(states) > 1 and len(before[0][0]) > 1 else 0
                if isinstance(body.cfg.blocks[label].transfer, Return):
                    activation.exits += states
        self._active.pop()
        return activation

    def _after(self, statement: Statement, states: list[State], body: Body, activation: _Activation) -> list[State]:
        """What may be known after a statement; nothing if no execution gets past it. The states given may change."""
        self._steps += len(states)
        if self._steps > MOST_STEPS:
            raise OutOfSteps
        match statement:
            case Assign(targets, values):
                for state in states:
                    new = [self._evaluator.value(value, state) for value in values]
                    for target, known in zip(targets, new, strict=True):
                        if known is None:
                            state.pop(target, None)
                        else:
                            state[target] = known
                return states
            case Assume(condition):
                return [state for state in states if self._assumed(condition, state, body, activation)]
            case Call() if statement is body.own_call and body.is_loop:
                activation.following += [self._entered(body, statement, state) for state in states]
                return []
            case Call():
                return self._called(statement, states[0] if len(states) == 1 else common(states))
            case ParCall():
                modified = [g for call in statement.calls for g in self._effects[call.procedure].modifies]
                return [_forgetting(state, [*modified, *assigned(statement)]) for state in states]
            case _:
                return [_forgetting(state, assigned(statement)) for state in states]

    def _assumed(self, condition: Expr, state: State, body: Body, activation: _Activation) -> bool:
        """Whether a condition may hold; what it says is known then."""
        holds = self._evaluator.value(condition, state)
        if holds is not None and condition in body.guards:
            activation.is_guarded = True
        if holds is False:
            return False
        if holds is None:
            state.update(self._evaluator.equalities(condition, state))
        return True


def _forgetting(state: State, vars_: Iterable[Var]) -> State:
    for var in vars_:
        state.pop(var, None)
    return state


def _acyclic(procedure: Procedure) -> Cfg | None:
    """The graph of a procedure's body, if there is one without cycles."""
    if len(procedure.implementations) != 1:
        return None
    cfg = Cfg(procedure.implementations[0])
    return cfg if cfg.is_reducible and not cfg.back_edges else None
