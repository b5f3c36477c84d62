"""Executing a program symbolically up to a bound: which assertions can fail under which condition.

Blocks are visited in the order of `order.py`, each once for every iteration of the loops around it and every activation
of its procedure, with the states of all paths that lead there merged into one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations, islice

from paddock.engines.symbolic.cells import Memory
from paddock.engines.symbolic.compiled import Compiler, Context
from paddock.engines.symbolic.nodes import Algebra, Node
from paddock.engines.symbolic.order import Key, Place, key_of, next_iterations, places
from paddock.engines.symbolic.rules import contradict
from paddock.engines.symbolic.state import Guard, State, States, Value, Variables
from paddock.frozen import frozen
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Op, Scope, Var
from paddock.ir.origin import AssertionId, Origin
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Havoc, Return
from paddock.ir.types import Type
from paddock.solvers.sorts import BOOL, Sort

_MOST_VISITS = 300_000
_MOST_COMPARED = 64  # parts of a condition that are compared with those of another
_MOST_FREE = 100_000  # iterations of a loop that runs to its end by itself


class Spent(Exception):
    """There is no time left."""


class TooLarge(Exception):
    """There are too many visits of blocks."""


@dataclass(slots=True)
class VisitRecord:
    """A visit of a block: its key, what was arbitrary there, what it called, and the visits that may come next, with
    the condition for each."""

    label: str
    key: Key
    values: dict[int, dict[Var, Node]] = field(default_factory=dict)
    calls: dict[int, ActivationRecord] = field(default_factory=dict)
    next: list[tuple[Key, Node]] = field(default_factory=list)


@dataclass(slots=True)
class ActivationRecord:
    """An activation of a procedure; `initial` has the values of its variables at the start, as far as they matter."""

    procedure: str
    visits: list[VisitRecord] = field(default_factory=list)
    initial: dict[Var, Node] = field(default_factory=dict)


@frozen
class Violation:
    """An assertion and the condition under which it is the first that fails."""

    source: AssertionId | None
    condition: Node


@frozen
class Cut:
    """Where the bound ends the execution: a procedure that would be called, or a loop that would go on."""

    where: str
    origin: Origin
    is_loop: bool
    condition: Node


@dataclass(slots=True)
class Explored:
    """All that an execution up to a bound has found."""

    root: ActivationRecord
    inputs: dict[Var, Node]
    violations: list[Violation] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    decided: int = 0  # assertions that were seen to hold without a question
    returned: Node | None = None  # the condition under which the entry returns


@dataclass(slots=True)
class Depth:
    """How deep to go: how often a procedure may be on the stack, and how often a loop's head may be visited."""

    activations: Callable[[str], int]
    iterations: int
    constant_loops: bool = True


@dataclass(slots=True)
class _Body:
    procedure: Procedure
    blocks: dict[str, Block]
    places: dict[str, Place]
    entry: str


@dataclass(slots=True)
class _Exit:
    """How the exits of a loop were decided in its last iterations: by which block, on which values."""

    seen: dict[str, tuple[object, ...]] = field(default_factory=dict)
    progressed: bool = False


@dataclass(slots=True)
class _Frame:
    """An activation that is being executed. `visit`, `statement` and `state` are where it is, if it is anywhere."""

    body: _Body
    record: ActivationRecord
    old: Variables
    call: Call | None
    waiting: dict[Key, list[tuple[State, str, tuple[int, ...]]]] = field(default_factory=dict)
    order: list[Key] = field(default_factory=list)
    exits: list[State] = field(default_factory=list)
    loops: dict[tuple[str, tuple[int, ...]], _Exit] = field(default_factory=dict)
    label: str = ""
    iterations: tuple[int, ...] = ()
    statement: int = 0
    state: State | None = None


class Execution:
    """One execution."""

    def __init__(
        self,
        program: Program,
        algebra: Algebra,
        memory: Memory,
        compiler: Compiler,
        sort: Callable[[Type], Sort],
        depth: Depth,
        is_spent: Callable[[], bool],
    ) -> None:
        self._program = program
        self._algebra = algebra
        self._memory = memory
        self._compiler = compiler
        self._sort = sort
        self._depth = depth
        self._is_spent = is_spent
        self._states = States(algebra, memory)
        self._bodies: dict[str, _Body] = {}
        self._frames: list[_Frame] = []
        self._active: dict[str, int] = {}
        self.activations = 0
        self.visits = 0
        entry = entry_name(program)
        self.explored = Explored(ActivationRecord(entry), {})

    def run(self) -> Explored:
        """All of it. Raises `Spent`."""
        procedure = self._program.procedure_named[self.explored.root.procedure]
        state = State({}, {}, self._states.start)
        for parameter in procedure.params:
            state.locals[parameter.var] = self._global_input(parameter.var)
        self._enter(procedure, state, self.explored.root, None)
        while self._frames:
            frame = self._frames[-1]
            if frame.state is not None:
                self._go_on(frame, frame.state)
            elif frame.order:
                self._next_visit(frame)
            else:
                self._leave(frame)
        return self.explored

    # --- activations -----------------------------------------------------------------------------

    def _body(self, procedure: Procedure) -> _Body:
        body = self._bodies.get(procedure.name)
        if body is None:
            assert procedure.body is not None
            blocks = {b.label: b for b in procedure.body.blocks}
            entry = procedure.body.blocks[0].label
            graph = {label: b.successors for label, b in blocks.items()}
            body = self._bodies[procedure.name] = _Body(procedure, blocks, places(graph, entry), entry)
        return body

    def _enter(self, procedure: Procedure, state: State, record: ActivationRecord, call: Call | None) -> None:
        body = self._body(procedure)
        frame = _Frame(body, record, dict(state.globals), call)
        self._frames.append(frame)
        self._active[procedure.name] = self._active.get(procedure.name, 0) + 1
        self.activations += 1
        if self._assume_all(frame, state, procedure.requires):
            place = body.places[body.entry]
            self._wait(frame, body.entry, (0,) * len(place.heads), state)

    def _leave(self, frame: _Frame) -> None:
        self._frames.pop()
        procedure = frame.body.procedure
        self._active[procedure.name] -= 1
        state: State | None = None
        if frame.exits:
            state = self._states.merged(frame.exits, lambda v: self._initial(frame, v))
            if not self._assume_all(frame, state, procedure.ensures):
                state = None
        if frame.call is None:
            self.explored.returned = None if state is None else state.guard.whole
            return
        caller = self._frames[-1]
        if state is None:
            caller.state = None
            return
        results = [self._value(frame, state, r.var) for r in procedure.results]
        assert caller.state is not None
        self._received(caller, state, frame.call, results)

    def _received(self, caller: _Frame, after: State, call: Call, results: list[Value]) -> None:
        """Go on in the caller with what a call has changed."""
        state = caller.state
        assert state is not None
        state.globals, state.guard, state.ranges = after.globals, after.guard, after.ranges
        for target, value in zip(call.results, results, strict=True):
            self._set(state, target, value)

    # --- visits ----------------------------------------------------------------------------------

    def _wait(self, frame: _Frame, label: str, iterations: tuple[int, ...], state: State) -> Key:
        key = key_of(frame.body.places[label], iterations)
        if key not in frame.waiting:
            frame.waiting[key] = []
            heappush(frame.order, key)
        frame.waiting[key].append((state, label, iterations))
        return key

    def _next_visit(self, frame: _Frame) -> None:
        self.visits += 1
        if self.visits > _MOST_VISITS:
            raise TooLarge
        if self._is_spent():
            raise Spent
        key = heappop(frame.order)
        waiting = frame.waiting.pop(key)
        _, frame.label, frame.iterations = waiting[0]
        state = self._states.merged([s for s, _, _ in waiting], lambda v: self._initial(frame, v))
        # What a block assumes first has been assumed on the way there, but for the first block of a procedure.
        first = frame.body.blocks[frame.label].statements[:1]
        came_by_jump = len(frame.record.visits) > 0
        frame.statement = 1 if came_by_jump and first and isinstance(first[0], Assume) else 0
        frame.state = state
        frame.record.visits.append(VisitRecord(frame.label, key))

    def _go_on(self, frame: _Frame, state: State) -> None:
        """Execute statements until the block ends or a call starts an activation."""
        block = frame.body.blocks[frame.label]
        while frame.statement < len(block.statements):
            k = frame.statement
            frame.statement += 1
            if not self._execute(frame, state, k, block.statements[k]):
                frame.state = None
                return
            if self._frames[-1] is not frame:
                return
        frame.state = None
        if isinstance(block.transfer, Return):
            frame.exits.append(state)
        else:
            self._branch(frame, state, block.transfer.targets)

    def _branch(self, frame: _Frame, state: State, targets: tuple[str, ...]) -> None:
        """Go on in each target whose first assumption may hold."""
        conditions = [self._first_condition(frame, state, t) for t in targets]
        decided = [self._states.decided(c, state.ranges) for c in conditions]
        self._note_exits(frame, state, targets, decided)
        possible = [(t, c) for t, c, d in zip(targets, conditions, decided, strict=True) if d is not False]
        algebra = self._algebra
        choosing: list[Node] = [algebra.true] * len(possible)
        if len(possible) > 1 and not self._exclude_each_other([c for _, c in possible]):
            rest = algebra.true
            for n in range(len(possible) - 1):
                here = algebra.input("choice", BOOL)
                choosing[n] = algebra.and_(rest, here)
                rest = algebra.and_(rest, algebra.not_(here))
            choosing[-1] = rest
        for n, (target, condition) in enumerate(possible):
            branch = state if n == len(possible) - 1 else state.copied()
            if choosing[n] is not algebra.true:
                branch.guard = Guard(branch.guard, choosing[n], algebra)
            if self._states.assume(branch, condition):
                taken = algebra.true if len(possible) == 1 else algebra.and_(choosing[n], condition)
                self._jump(frame, branch, target, taken)

    def _exclude_each_other(self, conditions: list[Node]) -> bool:
        parts = [list(islice(self._states.conjuncts(c), _MOST_COMPARED)) for c in conditions]
        return all(_contradict(a, b) for a, b in combinations(parts, 2))

    def _first_condition(self, frame: _Frame, state: State, label: str) -> Node:
        """What a block assumes first."""
        statements = frame.body.blocks[label].statements
        if statements and isinstance(statements[0], Assume):
            return self._term(frame, state, statements[0].condition)
        return self._algebra.true

    def _jump(self, frame: _Frame, state: State, target: str, taken: Node) -> None:
        source = frame.body.places[frame.label]
        place = frame.body.places[target]
        iterations = next_iterations(source, place, target, frame.iterations)
        if place.heads and place.heads[-1] == target and iterations[-1]:
            loop = frame.loops.get((target, iterations[:-1]))
            goes_on = iterations[-1] < self._depth.iterations
            if not goes_on and self._depth.constant_loops and loop is not None and loop.progressed:
                goes_on = iterations[-1] < _MOST_FREE
            if loop is not None:
                loop.progressed = False
            if not goes_on:
                procedure = frame.body.procedure
                head = frame.body.blocks[target]
                cut = Cut(f"{procedure.name}/{target}", head.origin, True, state.guard.whole)
                self.explored.cuts.append(cut)
                return
        key = self._wait(frame, target, iterations, state)
        frame.record.visits[-1].next.append((key, taken))

    def _note_exits(self, frame: _Frame, state: State, targets: tuple[str, ...], decided: list[bool | None]) -> None:
        """Note that the exit of a loop was decided not to be taken, if on other values than in the last iteration: such
        a loop ends by itself."""
        heads = frame.body.places[frame.label].heads
        for target, decision in zip(targets, decided, strict=True):
            outside = len(frame.body.places[target].heads)
            if decision is not False or outside >= len(heads):
                continue
            for depth in range(outside, len(heads)):
                loop = frame.loops.setdefault((heads[depth], frame.iterations[:depth]), _Exit())
                values = self._compared(frame, state, target)
                if loop.seen.get(frame.label) != values:
                    loop.seen[frame.label] = values
                    loop.progressed = True

    def _compared(self, frame: _Frame, state: State, label: str) -> tuple[object, ...]:
        """The values that the first condition of a block is about."""
        first = frame.body.blocks[label].statements[0]
        assert isinstance(first, Assume)
        condition: Expr = first.condition
        while isinstance(condition, App) and condition.op is Op.NOT:
            condition = condition.args[0]
        parts = condition.args if isinstance(condition, App) else (condition,)
        return tuple([self._term(frame, state, p) for p in parts])

    # --- statements ------------------------------------------------------------------------------

    def _execute(self, frame: _Frame, state: State, k: int, statement: object) -> bool:
        """Execute a statement; False if nothing comes after it."""
        match statement:
            case Assume(condition):
                return self._states.assume(state, self._term(frame, state, condition))
            case Assert(condition):
                return self._check(state, self._term(frame, state, condition), statement)
            case Assign(targets, values):
                new = [self._evaluated(frame, state, value) for value in values]
                for target, value in zip(targets, new, strict=True):
                    self._set(state, target, value)
            case Havoc(targets):
                self._arbitrary(frame, state, k, targets)
            case Call():
                return self._call(frame, state, k, statement)
            case _:
                raise AssertionError(statement)
        return True

    def _check(self, state: State, condition: Node, statement: Assert) -> bool:
        decided = self._states.decided(condition, state.ranges)
        if decided is True:
            self.explored.decided += 1
            return True
        fails = self._algebra.and_(state.guard.whole, self._algebra.not_(condition))
        if fails is not self._algebra.false:
            self.explored.violations.append(Violation(statement.origin.identity(), fails))
        return self._states.assume(state, condition)

    def _arbitrary(self, frame: _Frame, state: State, k: int, targets: tuple[Var, ...]) -> None:
        values = frame.record.visits[-1].values.setdefault(k, {})
        for var in targets:
            values[var] = self._algebra.input(var.name, self._sort(var.type))
            self._set(state, var, self._memory.of(values[var]))

    def _call(self, frame: _Frame, state: State, k: int, call: Call) -> bool:
        callee = self._program.procedure_named[call.procedure]
        args = [self._evaluated(frame, state, a) for a in call.args]
        params: Variables = {p.var: a for p, a in zip(callee.params, args, strict=True)}
        if callee.body is None:
            return self._without_body(frame, state, k, call, callee, params)
        if self._active.get(callee.name, 0) >= self._depth.activations(callee.name):
            self.explored.cuts.append(Cut(callee.name, callee.origin, False, state.guard.whole))
            return False
        record = frame.record.visits[-1].calls[k] = ActivationRecord(callee.name)
        inner = State(state.globals, params, state.guard, state.ranges)
        self._enter(callee, inner, record, call)
        return True

    def _without_body(
        self, frame: _Frame, state: State, k: int, call: Call, callee: Procedure, params: Variables
    ) -> bool:
        """Everything that the callee may change becomes arbitrary, and so do its results."""
        values = frame.record.visits[-1].values.setdefault(k, {})
        body = _Body(callee, {}, {}, "")
        inner = _Frame(body, ActivationRecord(callee.name), dict(state.globals), call)
        after = State(state.globals, params, state.guard, state.ranges)
        if not self._assume_all(inner, after, callee.requires):
            return False
        for var in (*callee.modifies, *(r.var for r in callee.results)):
            values[var] = self._algebra.input(var.name, self._sort(var.type))
            self._set(after, var, self._memory.of(values[var]))
        if not self._assume_all(inner, after, callee.ensures):
            return False
        self._received(frame, after, call, [after.locals[r.var] for r in callee.results])
        return True

    # --- values ----------------------------------------------------------------------------------

    def _global_input(self, var: Var) -> Value:
        inputs = self.explored.inputs
        if var not in inputs:
            inputs[var] = self._algebra.input(var.name, self._sort(var.type))
        return self._memory.of(inputs[var])

    def _initial(self, frame: _Frame, var: Var) -> Value:
        """The value of a variable that nothing has assigned."""
        if var.scope is Scope.GLOBAL:
            return self._global_input(var)
        initial = frame.record.initial
        if var not in initial:
            initial[var] = self._algebra.input(var.name, self._sort(var.type))
        return self._memory.of(initial[var])

    def _value(self, frame: _Frame, state: State, var: Var) -> Value:
        value = (state.globals if var.scope is Scope.GLOBAL else state.locals).get(var)
        return self._initial(frame, var) if value is None else value

    def _set(self, state: State, var: Var, value: Value) -> None:
        (state.globals if var.scope is Scope.GLOBAL else state.locals)[var] = value

    def _context(self, frame: _Frame, state: State) -> Context:
        def before(var: Var) -> Value:
            value = frame.old.get(var)
            return self._global_input(var) if value is None else value

        return Context(
            lambda var: self._value(frame, state, var), before, lambda node: self._states.span(node, state.ranges)
        )

    def _evaluated(self, frame: _Frame, state: State, expr: Expr) -> Value:
        return self._compiler.run(expr, self._context(frame, state))

    def _term(self, frame: _Frame, state: State, expr: Expr) -> Node:
        return self._compiler.term(expr, self._context(frame, state))

    def _assume_all(self, frame: _Frame, state: State, clauses: tuple[Clause, ...]) -> bool:
        return all(self._states.assume(state, self._term(frame, state, c.condition)) for c in clauses)


def _contradict(a: list[Node], b: list[Node]) -> bool:
    """Whether two conjunctions are seen not to hold together."""
    return any(contradict(x, y) for x in a for y in b)
