"""Executing a program symbolically up to a bound: which assertions can fail under which condition.

Blocks are visited in the order of `order.py`, each once for every iteration of the loops around it and every activation
of its procedure, with the states of all paths that lead there merged into one.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import combinations, islice

from paddock.engines.symbolic.cells import Memory
from paddock.engines.symbolic.compiled import Compiler, Context
from paddock.engines.symbolic.exits import deciding, returning
from paddock.engines.symbolic.frames import Body, Exit, Frame, Point, Stopped
from paddock.engines.symbolic.nodes import Algebra, Node
from paddock.engines.symbolic.order import Key, key_of, next_iterations, places
from paddock.engines.symbolic.records import ActivationRecord, Cut, Explored, Violation, VisitRecord
from paddock.engines.symbolic.rules import contradict
from paddock.engines.symbolic.state import Guard, State, States, Value, Variables
from paddock.engines.symbolic.switches import Switches
from paddock.engines.symbolic.threads import Threads
from paddock.frozen import mutable
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Op, Scope, Var
from paddock.ir.origin import Origin, Role
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.rewriting import expressions_in
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc, Return, Statement, Yield
from paddock.ir.threads import is_thread_local
from paddock.ir.types import Type
from paddock.ir.walk import subterms
from paddock.passes.resumable import rounds_of
from paddock.solvers.sorts import BOOL, Sort

_MOST_COMPARED = 64  # parts of a condition that are compared with those of another
_ASKED_AT = frozenset(2**n for n in range(1, 17))  # iterations before which the solver is asked whether they can be
_MOST_FREE = 100_000  # iterations of a loop that runs to its end by itself


class Spent(Exception):
    """There is no time left."""


class TooLarge(Exception):
    """There are too many visits of blocks."""


@mutable
class Depth:
    """How deep to go: how often a procedure may be on the stack, how often a loop's head may be visited (but for loops
    that end by themselves), and how many blocks may be visited at all."""

    activations: Callable[[str], int]
    iterations: Callable[[Origin], int]
    constant_loops: bool
    visits: int
    keeps_to_its_bound: Callable[[Origin], bool]  # of a loop, whether it must not run to its end by itself


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
        is_possible: Callable[[Node], bool],
        switches: Switches | None = None,
    ) -> None:
        self.program = program
        self._algebra = algebra
        self.memory = memory
        self._compiler = compiler
        self.sort = sort
        self._depth = depth
        self._is_spent = is_spent
        self._is_possible = is_possible
        self.states = States(algebra, memory)
        self._bodies: dict[str, Body] = {}
        self.frames: list[Frame] = []
        self.active: dict[str, int] = {}
        self.activations = 0
        self.visits = 0
        self.explored = Explored(ActivationRecord(entry_name(program)), {})
        own = tuple(g.var for g in program.globals if is_thread_local(g))
        self._threads = None if switches is None else Threads(self, rounds_of(program), own, switches)
        self._tracking = None if self._threads is None else self._threads.tracking

    def run(self) -> Explored:
        """All of it. Raises `Spent`."""
        procedure = self.program.procedure_named[self.explored.root.procedure]
        state = State({}, {}, self.states.start)
        for parameter in procedure.params:
            state.locals[parameter.var] = self.global_input(parameter.var)
        if self._threads is None:
            self.enter(procedure, state, self.explored.root, None)
            self.advance()
        else:
            self.explored.entry = self._threads.run(procedure, state)
        return self.explored

    def advance(self) -> None:
        """Execute until there is nothing left to do."""
        while self.frames:
            frame = self.frames[-1]
            if frame.state is not None:
                self._go_on(frame, frame.state)
            elif frame.order:
                self._next_visit(frame)
            else:
                self._leave(frame)

    # --- activations -----------------------------------------------------------------------------

    def _body(self, procedure: Procedure) -> Body:
        body = self._bodies.get(procedure.name)
        if body is None:
            assert procedure.body is not None
            blocks = {b.label: b for b in procedure.body.blocks}
            entry = procedure.body.blocks[0].label
            graph = {label: b.successors for label, b in blocks.items()}
            terms = subterms(expressions_in(procedure)) if self._threads is not None else ()
            uses_old = any(isinstance(e, App) and e.op is Op.OLD for e in terms)
            body = self._bodies[procedure.name] = Body(procedure, blocks, places(graph, entry), entry, uses_old)
        return body

    def enter(
        self,
        procedure: Procedure,
        state: State | None,
        record: ActivationRecord,
        call: Call | None,
        left: Stopped | None = None,
        assumes: bool = True,
    ) -> None:
        """Start an activation in a state, if there is one, or go on where one was left, or both."""
        body = self._body(procedure)
        frame = Frame(body, record, {} if state is None else dict(state.globals), call)
        self.frames.append(frame)
        self.active[procedure.name] = self.active.get(procedure.name, 0) + 1
        self.activations += 1
        if left is not None:
            self._go_on_inside(frame, left, is_new=state is None)
        if state is not None and (not assumes or self.assume_all(frame, state, procedure.requires)):
            place = body.places[body.entry]
            self.wait(frame, body.entry, (0,) * len(place.heads), state)

    def _go_on_inside(self, frame: Frame, left: Stopped, is_new: bool) -> None:
        """Go on where an activation was left."""
        assert self._threads is not None
        frame.record.initial = left.initial
        frame.loops = left.loops
        if is_new:
            frame.old = left.old
        elif frame.body.uses_old:
            inside = self._threads.points.condition(left)
            frame.old = self.states.merged_variables(inside, left.old, frame.old, self.global_input)
        self._threads.seed(frame, left)

    def _leave(self, frame: Frame) -> None:
        self.frames.pop()
        procedure = frame.body.procedure
        self.active[procedure.name] -= 1
        state: State | None = None
        if frame.exits:
            state = self.merged(frame.exits, frame)
            if not self.assume_all(frame, state, procedure.ensures):
                state = None
        if frame.call is None and state is not None and procedure.name == self.explored.root.procedure:
            before = self.explored.returned or self._algebra.false
            self.explored.returned = self._algebra.or_(before, state.guard.whole)
        if frame.call is None:
            if self._threads is not None:
                self._threads.ended(frame, state)
            return
        caller = self.frames[-1]
        if frame.points and self._threads is not None:
            self._threads.left_inside(caller, frame)
        if state is None:
            caller.state = None
            return
        results = [self.value(frame, state, r.var) for r in procedure.results]
        assert caller.state is not None
        self._received(caller, state, frame.call, results)

    def _received(self, caller: Frame, after: State, call: Call, results: list[Value]) -> None:
        """Go on in the caller with what a call has changed."""
        state = caller.state
        assert state is not None
        state.globals, state.guard, state.ranges, state.step = after.globals, after.guard, after.ranges, after.step
        if self._tracking is not None:
            self._tracking.writes(caller, state, call.results)
        for target, value in zip(call.results, results, strict=True):
            self._set(state, target, value)

    # --- visits ----------------------------------------------------------------------------------

    def wait(self, frame: Frame, label: str, iterations: tuple[int, ...], state: State) -> Key:
        key = key_of(frame.body.places[label], iterations)
        if key not in frame.waiting:
            frame.waiting[key] = []
            heappush(frame.order, key)
        frame.waiting[key].append((state, label, iterations))
        return key

    def wait_inside(self, frame: Frame, key: Key, point: Point) -> None:
        """Go on inside of a call that a block starts with."""
        frame.resumed[key] = point
        if key not in frame.waiting:
            frame.waiting[key] = []
            heappush(frame.order, key)

    def merged(self, states: list[State], frame: Frame) -> State:
        """One state of an activation for several."""
        return self.states.merged(states, lambda v: self._initial(frame, v))

    def _next_visit(self, frame: Frame) -> None:
        self.visits += 1
        if self.visits > self._depth.visits:
            raise TooLarge
        if self._is_spent():
            raise Spent
        key = heappop(frame.order)
        waiting, point = frame.waiting.pop(key), frame.resumed.pop(key, None)
        state = self.merged([s for s, _, _ in waiting], frame) if waiting else None
        if waiting:
            _, frame.label, frame.iterations = waiting[0]
        if point is not None and self._threads is not None:
            frame.label, frame.iterations = point.label, point.iterations
            frame.inside, frame.arriving = point.inside, state
            state = self._threads.around(point, state)
        # What a block assumes first has been assumed on the way there, but for the first block of a procedure.
        first = frame.body.blocks[frame.label].statements[:1]
        came_by_jump = frame.label != frame.body.entry or any(frame.iterations)
        frame.statement = 1 if came_by_jump and first and isinstance(first[0], Assume) else 0
        frame.state = state
        frame.record.visits.append(VisitRecord(frame.label, key))

    def _go_on(self, frame: Frame, state: State) -> None:
        """Execute statements until the block ends or a call starts an activation."""
        block = frame.body.blocks[frame.label]
        while frame.statement < len(block.statements):
            k = frame.statement
            frame.statement += 1
            if not self._execute(frame, state, k, block.statements[k]):
                frame.state = None
                return
            if self.frames[-1] is not frame:
                return
        frame.state = None
        if isinstance(block.transfer, Return):
            frame.exits.append(state)
        else:
            self._branch(frame, state, block.transfer.targets)

    def _branch(self, frame: Frame, state: State, targets: tuple[str, ...]) -> None:
        """Go on in each target whose first assumption may hold."""
        conditions = [self._first_condition(frame, state, t) for t in targets]
        decided = [self.states.decided(c, state.ranges) for c in conditions]
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
            if self.states.assume(branch, condition):
                taken = algebra.true if len(possible) == 1 else algebra.and_(choosing[n], condition)
                self._jump(frame, branch, target, taken)

    def _exclude_each_other(self, conditions: list[Node]) -> bool:
        parts = [list(islice(self.states.conjuncts(c), _MOST_COMPARED)) for c in conditions]
        return all(_contradict(a, b) for a, b in combinations(parts, 2))

    def _first_condition(self, frame: Frame, state: State, label: str) -> Node:
        """What a block assumes first."""
        statements = frame.body.blocks[label].statements
        if statements and isinstance(statements[0], Assume):
            if self._tracking is not None:
                self._tracking.statement(frame, state, statements[0])
            return self._term(frame, state, statements[0].condition)
        return self._algebra.true

    def _jump(self, frame: Frame, state: State, target: str, taken: Node) -> None:
        source = frame.body.places[frame.label]
        place = frame.body.places[target]
        iterations = next_iterations(source, place, target, frame.iterations)
        if place.heads and place.heads[-1] == target and iterations[-1]:
            loop = frame.loops.get((target, iterations[:-1]))
            if iterations[-1] in _ASKED_AT and not self._is_possible(state.guard.whole):
                return
            head = frame.body.blocks[target]
            goes_on = iterations[-1] < self._depth.iterations(head.origin)
            may_end = self._depth.constant_loops and not self._depth.keeps_to_its_bound(head.origin)
            if not goes_on and may_end and loop is not None and loop.progressed:
                goes_on = iterations[-1] < _MOST_FREE
            if loop is not None:
                loop.progressed = False
            if not goes_on:
                procedure = frame.body.procedure
                cut = Cut(f"{procedure.name}/{target}", head.origin, True, state.guard.whole)
                self.explored.cuts.append(cut)
                return
        key = self.wait(frame, target, iterations, state)
        frame.record.visits[-1].next.append((key, taken))

    def _note_exits(self, frame: Frame, state: State, targets: tuple[str, ...], decided: list[bool | None]) -> None:
        """Note that the exit of a loop was decided not to be taken, if on other values than in the last iteration: such
        a loop ends by itself."""
        heads = frame.body.places[frame.label].heads
        for target, decision in zip(targets, decided, strict=True):
            outside = len(frame.body.places[target].heads)
            if decision is not False or outside >= len(heads) or target not in self._returning(frame.body):
                continue
            for depth in range(outside, len(heads)):
                loop = frame.loops.setdefault((heads[depth], frame.iterations[:depth]), Exit())
                values = self._compared(frame, state, target) + self._deciding(frame, state, heads[depth])
                if loop.seen.get(frame.label) != values:
                    loop.seen[frame.label] = values
                    loop.progressed = True

    def _compared(self, frame: Frame, state: State, label: str) -> tuple[object, ...]:
        """The values that the first condition of a block is about."""
        first = frame.body.blocks[label].statements[0]
        assert isinstance(first, Assume)
        condition: Expr = first.condition
        while isinstance(condition, App) and condition.op is Op.NOT:
            condition = condition.args[0]
        parts = condition.args if isinstance(condition, App) else (condition,)
        return tuple([self._term(frame, state, p) for p in parts])

    def _returning(self, body: Body) -> frozenset[str]:
        """The blocks of a body from which it may return."""
        if body.returning is None:
            body.returning = returning(body.blocks)
        return body.returning

    def _deciding(self, frame: Frame, state: State, head: str) -> tuple[object, ...]:
        """The values of what the exits of a loop depend on."""
        body = frame.body
        if head not in body.deciding:
            body.deciding[head] = deciding(body.blocks, body.places, head)
        return tuple([self._term(frame, state, variable) for variable in body.deciding[head]])

    # --- statements ------------------------------------------------------------------------------

    def _execute(self, frame: Frame, state: State, k: int, statement: Statement) -> bool:
        """Execute a statement; False if nothing comes after it."""
        if self._tracking is not None:
            self._tracking.statement(frame, state, statement)
        match statement:
            case Assume():
                return self._assume(frame, state, statement)
            case Assert(condition):
                return self._check(state, self._term(frame, state, condition), statement)
            case Assign(targets, values):
                new = [self.evaluated(frame, state, value) for value in values]
                for target, value in zip(targets, new, strict=True):
                    self._set(state, target, value)
            case Havoc(targets):
                self._arbitrary(frame, state, k, targets)
            case Call(asynchronous=True):
                return self._start(frame, state, k, statement)
            case Call():
                return self._call(frame, state, k, statement)
            case Yield() if self._threads is not None:
                self._threads.may_stop(frame, state)
            case _:
                raise AssertionError(statement)
        return True

    def _assume(self, frame: Frame, state: State, statement: Assume) -> bool:
        goes_on = self.states.assume(state, self._term(frame, state, statement.condition))
        if goes_on and self._tracking is not None:
            self._tracking.waited(state, statement)
        return goes_on

    def _check(self, state: State, condition: Node, statement: Assert) -> bool:
        decided = self.states.decided(condition, state.ranges)
        if decided is True:
            self.explored.decided += 1
            return True
        fails = self._algebra.and_(state.guard.whole, self._algebra.not_(condition))
        if fails is not self._algebra.false:
            round_ = 1 if self._threads is None else self._threads.round
            self.explored.violations.append(Violation(statement.origin.identity(), fails, round_))
        if statement.origin.role is Role.CANDIDATE:
            return True  # each of several candidates is looked at by itself; they are assumed behind them
        return self.states.assume(state, condition)

    def _arbitrary(self, frame: Frame, state: State, k: int, targets: tuple[Var, ...]) -> None:
        values = frame.record.visits[-1].values.setdefault(k, {})
        for var in targets:
            values[var] = self._algebra.input(var.name, self.sort(var.type))
            self._set(state, var, self.memory.of(values[var]))

    def _params(self, frame: Frame, state: State, callee: Procedure, call: Call) -> Variables:
        args = [self.evaluated(frame, state, a) for a in call.args]
        return {p.var: a for p, a in zip(callee.params, args, strict=True)}

    def _call(self, frame: Frame, state: State, k: int, call: Call) -> bool:
        callee = self.program.procedure_named[call.procedure]
        left, frame.inside = frame.inside, None
        arriving = state if left is None else frame.arriving
        inner: State | None = None
        if arriving is not None:
            params = self._params(frame, arriving, callee, call)
            if callee.body is None:
                return self._without_body(frame, state, k, call, callee, params)
            inner = State(arriving.globals, params, arriving.guard, arriving.ranges, arriving.step)
            if self.active.get(callee.name, 0) and not self._is_possible(arriving.guard.whole):
                inner = None  # else recursion with several calls would go on everywhere, as often as the bound allows
            elif self.active.get(callee.name, 0) >= self._depth.activations(callee.name):
                self.explored.cuts.append(Cut(callee.name, callee.origin, False, arriving.guard.whole))
                inner = None
        if inner is None and left is None:
            return False
        record = frame.record.visits[-1].calls[k] = ActivationRecord(callee.name)
        self.enter(callee, inner, record, call, left)
        return True

    def _start(self, frame: Frame, state: State, k: int, call: Call) -> bool:
        """Start a thread."""
        assert self._threads is not None
        callee = self.program.procedure_named[call.procedure]
        params = self._params(frame, state, callee, call)
        inner = Frame(Body(callee, {}, {}, ""), ActivationRecord(callee.name), dict(state.globals), call)
        started = State(state.globals, params, state.guard, state.ranges, state.step)
        if not self.assume_all(inner, started, callee.requires):
            return False
        state.guard, state.ranges, state.step = started.guard, started.ranges, started.step
        self._threads.start(frame, state, k, call, params)
        return True

    def _without_body(
        self, frame: Frame, state: State, k: int, call: Call, callee: Procedure, params: Variables
    ) -> bool:
        """Everything that the callee may change becomes arbitrary, and so do its results."""
        values = frame.record.visits[-1].values.setdefault(k, {})
        body = Body(callee, {}, {}, "")
        inner = Frame(body, ActivationRecord(callee.name), dict(state.globals), call)
        after = State(state.globals, params, state.guard, state.ranges, state.step)
        if not self.assume_all(inner, after, callee.requires):
            return False
        if self._tracking is not None:
            self._tracking.writes(frame, after, callee.modifies)
        for var in (*callee.modifies, *(r.var for r in callee.results)):
            values[var] = self._algebra.input(var.name, self.sort(var.type))
            self._set(after, var, self.memory.of(values[var]))
        if not self.assume_all(inner, after, callee.ensures):
            return False
        self._received(frame, after, call, [after.locals[r.var] for r in callee.results])
        return True

    # --- values ----------------------------------------------------------------------------------

    def global_input(self, var: Var) -> Value:
        inputs = self.explored.inputs
        if var not in inputs:
            inputs[var] = self._algebra.input(var.name, self.sort(var.type))
        return self.memory.of(inputs[var])

    def _initial(self, frame: Frame, var: Var) -> Value:
        """The value of a variable that nothing has assigned."""
        if var.scope is Scope.GLOBAL:
            return self.global_input(var)
        return self.initial(frame.record.initial, var)

    def initial(self, known: dict[Var, Node], var: Var) -> Value:
        """The value of a variable of an activation before anything was assigned to it."""
        if var not in known:
            known[var] = self._algebra.input(var.name, self.sort(var.type))
        return self.memory.of(known[var])

    def value(self, frame: Frame, state: State, var: Var) -> Value:
        value = (state.globals if var.scope is Scope.GLOBAL else state.locals).get(var)
        return self._initial(frame, var) if value is None else value

    def _set(self, state: State, var: Var, value: Value) -> None:
        (state.globals if var.scope is Scope.GLOBAL else state.locals)[var] = value

    def _context(self, frame: Frame, state: State) -> Context:
        def before(var: Var) -> Value:
            value = frame.old.get(var)
            return self.global_input(var) if value is None else value

        return Context(
            lambda var: self.value(frame, state, var), before, lambda node: self.states.span(node, state.ranges)
        )

    def evaluated(self, frame: Frame, state: State, expr: Expr) -> Value:
        return self._compiler.run(expr, self._context(frame, state))

    def _term(self, frame: Frame, state: State, expr: Expr) -> Node:
        return self._compiler.term(expr, self._context(frame, state))

    def assume_all(self, frame: Frame, state: State, clauses: tuple[Clause, ...]) -> bool:
        if self._tracking is not None:
            self._tracking.clauses(frame, state, clauses)
        return all(self.states.assume(state, self._term(frame, state, c.condition)) for c in clauses)


def _contradict(a: list[Node], b: list[Node]) -> bool:
    """Whether two conjunctions are seen not to hold together."""
    return any(contradict(x, y) for x in a for y in b)
