"""Replaying a path, read off a model of the prepared program, on the program as the user wrote it.

The prepared program has loops as procedures, contracts as assertions and an error bit; its activations and
blocks still bear the names of those they were made from, or say what they are copies of. So the path says which blocks
of the original are visited, in order, and that is all the interpreter needs, with the values of what is arbitrary.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frozen import field, mutable, replace
from paddock.ir.entry import entry_name
from paddock.ir.expr import Scope, Var
from paddock.ir.origin import Copy, Role
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Block, Call, Statement
from paddock.ir.threads import has_threads, is_concurrent, starts_thread
from paddock.trace.axioms import Observed, doubt
from paddock.trace.defaults import default_world
from paddock.trace.hints import HintedOracle, Hints
from paddock.trace.interpreter import Counts, Interpreter, Limits, all_count
from paddock.trace.oracle import Oracle, RecordingOracle, ScriptedOracle, Why
from paddock.trace.path import Activation, Path, Visit
from paddock.trace.run import Kind, Run, Script, Undetermined
from paddock.trace.schedule import NEVER, RoundRobin, ThreadScript
from paddock.trace.values import Undecided, Value
from paddock.trace.world import World

# The roles of blocks that the original does not have, and of jumps inside one of its blocks.
_NEW_BLOCKS = (Role.LOOP, Role.NEW_BLOCK)
_JUMPS_INSIDE = (Role.ERROR_TEST, Role.SPLIT)

# A path is as long as it is; the interpreter only has to be stopped if it strays from it.
_LIMITS = Limits(steps=10_000_000)


def replay(original: Program, prepared: Program, path: Path, world: World, counts: Counts = all_count) -> Run:
    """Run the original along a path of the prepared program. How it ends is undetermined if there is doubt that the
    world satisfies the axioms. Assertions that do not count are passed over."""
    script = _Script(original, prepared, world)
    script.write(path)
    observed = Observed(world)
    entry = script.entry.as_script()
    scheduler = RoundRobin(entry) if has_threads(original) else None
    recorded = RecordingOracle(entry.oracle)
    oracle = recorded if scheduler is None else entry.oracle
    run = Interpreter(original, observed).run(oracle, limits=_LIMITS, counts=counts, scheduler=scheduler)
    if scheduler is None:
        run = replace(run, script=Script(tuple(recorded.choices), tuple(recorded.values)))
    reason = doubt(original, observed)
    return replace(run, outcome=Undetermined(reason)) if reason else run


def hinted(
    original: Program,
    prepared: Program,
    path: Path,
    world: World,
    limits: Limits,
    is_wanted: Callable[[Run], bool],
) -> Run | None:
    """A run of a sequential original with what a path of the prepared program decides as hints: where that does not
    follow a call, the program goes its own way. None if the run is not one that is wanted, or if there is doubt that
    the world satisfies the axioms."""
    script = _Script(original, prepared, world)
    script.write(path)
    interpreter = Interpreter(original, world)
    run = interpreter.run(HintedOracle(script.hints, world.default), limits=limits, record=False, guided=True)
    if not is_wanted(run):
        return None
    observed = Observed(world)
    recorded = RecordingOracle(HintedOracle(script.hints, world.default))
    run = Interpreter(original, observed).run(recorded, limits=limits, guided=True)
    # What a guided run does not ask for has to be in the script, too.
    choices = tuple(step.target for step in run.steps if step.kind is Kind.BRANCH)
    is_sure = is_wanted(run) and not doubt(original, observed)
    return replace(run, script=Script(choices, tuple(recorded.values))) if is_sure else None


def rerun(original: Program, oracle: Oracle, steps: int) -> Run:
    """Run a sequential program as an oracle says, in the world that its axioms suggest, for so many steps at most. How
    it ends is undetermined if there is doubt that this world satisfies the axioms."""
    try:
        observed = Observed(default_world(original))
        run = Interpreter(original, observed).run(oracle, limits=Limits(steps=steps))
        reason = doubt(original, observed)
    except Undecided as undecided:
        return Run(Undetermined(undecided.reason), (), 0, {})
    return replace(run, outcome=Undetermined(reason)) if reason else run


@mutable
class _Thread:
    """The answers to what the interpreter will ask about a thread, in order, and the rounds in which it runs."""

    choices: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    start: int = 1
    rounds: list[int] = field(default_factory=list)
    children: list[_Thread] = field(default_factory=list)
    is_last: bool = False

    def as_script(self) -> ThreadScript:
        """The script of the thread and of all that it starts."""
        made = ThreadScript(ScriptedOracle(self.choices, self.values), self.start, self.rounds)
        stack = [(self, made)]
        while stack:
            thread, script = stack.pop()
            for child in thread.children:
                oracle = ScriptedOracle(child.choices, child.values)
                script.children.append(ThreadScript(oracle, child.start, child.rounds, is_last=child.is_last))
                stack.append((child, script.children[-1]))
        return made


@mutable
class _Frame:
    """An activation of the original that the script is in, if any: its blocks, and the last one visited. A procedure
    that fails does not return, so its frame may take the place of its caller's."""

    blocks: dict[str, Block] = field(default_factory=dict)
    last: str | None = None
    procedure: str = ""

    def enter(self, procedure: Procedure) -> None:
        self.procedure = procedure.name
        self.blocks = {b.label: b for b in procedure.implementations[0].blocks}
        self.last = None


@mutable
class _Cursor:
    """Where the script is in an activation of the prepared program."""

    activation: Activation
    blocks: dict[str, Block]
    frame: _Frame
    thread: _Thread
    visit: int = 0
    statement: int = 0
    announced: bool = False


class _Script:
    """The answers to what the interpreter will ask, in order, for each thread."""

    def __init__(self, original: Program, prepared: Program, world: World) -> None:
        self.original = original
        self.prepared = prepared
        self.world = world
        self.entry = _Thread()
        self.hints = Hints()
        self.handed_over = False  # whether the thread of the prepared program's entry is one that another has started
        self.runs = False  # whether that thread is in a procedure of the original already
        # The variables that are copies of others', by their names.
        locals_ = (d for p in prepared.procedures for i in p.implementations for d in i.locals)
        self.copied = {d.name: copy.name for d in locals_ if (copy := d.origin.copied)}

    def write(self, path: Path) -> None:
        entry = self.original.procedure_named[entry_name(self.original)]
        inputs = _Thread()
        for declaration in (*self.original.globals, *entry.params):
            why = Why.INITIAL if declaration.var.scope is Scope.GLOBAL else Why.PARAMETER
            self.hints.value(entry.name, declaration.name, why, path.inputs.get(declaration.var))
            self._value(inputs, declaration.var, path.inputs.get(declaration.var))
        stack = [self._enter(path.root, _Frame(), self.entry)]
        while stack:
            called = self._advance(stack[-1])
            if called is None:
                stack.pop()
            else:
                activation, thread = called
                stack.append(self._enter(activation, stack[-1].frame, thread))
        if self.handed_over:
            failing = self.entry
            self.entry, *failing.children = failing.children
            failing.start, *failing.rounds = failing.rounds
            failing.is_last = True
        self.entry.values[:0] = inputs.values

    def _value(self, thread: _Thread, var: Var, value: Value | None) -> None:
        if value is None:
            try:
                value = self.world.default(var.type)
            except Undecided:
                value = 0  # a sort without values: nothing can read it
        thread.values.append(value)

    def _enter(self, activation: Activation, outer: _Frame, thread: _Thread) -> _Cursor:
        """Start an activation; that of a loop goes on in the frame of the procedure it was part of."""
        prepared = self.prepared.procedure_named[activation.procedure]
        body = prepared.body
        assert body is not None
        blocks = {b.label: b for b in body.blocks}
        if prepared.origin.role is Role.LOOP:
            return _Cursor(activation, blocks, outer, thread)
        copy = prepared.origin.copied
        home = activation.procedure if copy is None else copy.of
        procedure, frame = self.original.procedure_named.get(home), _Frame()
        if procedure is not None:
            self._initial(thread, procedure, {v.name: value for v, value in activation.initial.items()})
            frame.enter(procedure)
        return _Cursor(activation, blocks, frame, thread)

    def _initial(self, thread: _Thread, procedure: Procedure, known: dict[str, Value]) -> None:
        """The values that results and locals have when a procedure is entered."""
        self.runs |= thread is self.entry
        for declaration in (*procedure.results, *procedure.implementations[0].locals):
            self.hints.value(procedure.name, declaration.name, Why.UNINITIALISED, known.get(declaration.name))
            self._value(thread, declaration.var, known.get(declaration.name))

    def _advance(self, cursor: _Cursor) -> tuple[Activation, _Thread] | None:
        """Go on in an activation until it calls another, perhaps in another thread; None at its end."""
        visits = cursor.activation.visits
        while cursor.visit < len(visits):
            visit = visits[cursor.visit]
            block = cursor.blocks[visit.label]
            loop_call = _loop_call(block)
            while cursor.statement < len(block.statements):
                k = cursor.statement
                statement = block.statements[k]
                if k > loop_call:
                    # The iterations that a loop procedure has run come before this visit of the loop's head.
                    self._announce(cursor, block, visit)
                cursor.statement += 1
                if is_concurrent(statement):
                    self._switched(cursor.thread, visit, k, statement)
                else:
                    self._chosen(cursor.thread, cursor.frame.procedure, block, visit, k, statement)
                if statement.origin.role is Role.HAND_OVER:
                    self._hand_over(cursor.thread)
                if k in visit.calls:
                    is_started = statement.origin.role is Role.THREAD or starts_thread(statement)
                    return visit.calls[k], cursor.thread.children[-1] if is_started else cursor.thread
            self._announce(cursor, block, visit)
            cursor.visit += 1
            cursor.statement = 0
            # What follows a jump inside a block is not a block of its own in the original.
            cursor.announced = block.transfer.origin.role in _JUMPS_INSIDE
        return None

    def _hand_over(self, creator: _Thread) -> None:
        """A thread is the one that the entry runs. If that runs already, this is after the failure, where anything may
        be chosen."""
        creator.children.append(_Thread(start=NEVER) if self.runs else self.entry)
        self.handed_over |= not self.runs

    def _enter_copy(self, thread: _Thread, frame: _Frame, procedure: Procedure, visit: Visit) -> None:
        """Go on in a procedure whose copy the path enters; all that is chosen there are its variables."""
        chosen = ((var, value) for values in visit.values.values() for var, value in values.items())
        self._initial(thread, procedure, {self.copied[v.name]: value for v, value in chosen if v.name in self.copied})
        frame.enter(procedure)

    def _announce(self, cursor: _Cursor, block: Block, visit: Visit) -> None:
        """Note the visit of a block, once, if the original has it."""
        frame = cursor.frame
        if cursor.announced:
            return
        cursor.announced = True
        if (procedure := _start_of(block)) is not None:
            self._enter_copy(cursor.thread, frame, self.original.procedure_named[procedure], visit)
            return
        label = _original_label(block, frame.blocks)
        if label is None:
            return
        if frame.last is not None and len(frame.blocks[frame.last].successors) > 1:
            cursor.thread.choices.append(label)
            self.hints.choice(frame.procedure, frame.last, label)
        frame.last = label

    def _switched(self, thread: _Thread, visit: Visit, k: int, statement: Statement) -> None:
        """A thread goes on behind a `yield`, or starts another."""
        if not starts_thread(statement):
            thread.rounds += [visit.rounds[k]] if k in visit.rounds else []
            return
        thread.children.append(child := _Thread(start=visit.rounds.get(k, NEVER)))
        for var, value in visit.values.get(k, {}).items():
            self._value(child, var, value)

    def _chosen(
        self, thread: _Thread, procedure: str, block: Block, visit: Visit, k: int, statement: Statement
    ) -> None:
        values = visit.values.get(k)
        if values is None or _start_of(block) is not None:
            return
        match statement.origin.role:
            case Role.SCHEDULE:
                thread.rounds += map(_round, values.values())
                return
            case Role.THREAD:
                *own, start = values.items()
                thread.children.append(thread := _Thread(start=_round(start[1])))
                values = dict(own)
            case _:
                pass
        if isinstance(statement, Call):
            callee = self.original.procedure_named[statement.procedure]
            given = {**values, **self._given_back(statement, values)}
            for var in (*callee.modifies, *(r.var for r in callee.results)):
                self.hints.value(callee.name, var.name, Why.NO_BODY, given.get(var))
                self._value(thread, var, given.get(var))
        else:
            for var, value in values.items():
                self.hints.value(procedure, self.copied.get(var.name, var.name), Why.HAVOC, value)
                self._value(thread, var, value)

    def _given_back(self, call: Call, values: dict[Var, Value]) -> dict[Var, Value]:
        """The new values of globals that a procedure without a body gives as results."""
        results = self.prepared.procedure_named[call.procedure].results
        copies = ((r.var, copy.name) for r in results if (copy := r.origin.copied) is not None)
        return {self.original.global_named[name].var: values[var] for var, name in copies if var in values}


def _round(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _loop_call(block: Block) -> int:
    """Which statement of a loop's head runs its complete iterations; -1 for other blocks."""
    loop_calls = (k for k, s in enumerate(block.statements) if isinstance(s, Call) and s.origin.role is Role.LOOP)
    return next(loop_calls, -1)


def _start_of(block: Block) -> str | None:
    """The procedure whose copy starts in this block."""
    match block.origin.provenance:
        case Copy(procedure, ""):
            return procedure
        case _:
            return None


def _original_label(block: Block, blocks: dict[str, Block]) -> str | None:
    """The block that a block was made from: itself, or what it is a copy of."""
    if block.origin.role in _NEW_BLOCKS:
        return None
    copy = block.origin.copied
    label = block.label if copy is None else copy.name
    while label not in blocks:
        label, hash_, number = label.rpartition("#")
        if not hash_ or not number.isdecimal():
            return None
    return label
