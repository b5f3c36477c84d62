"""A replayed run of a C program as a C programmer reads it: statements with the values of their variables.

A C statement is many steps of a run; those worth seeing carry a note of the front end (`c/show.py`), and consecutive
ones of one statement are one step. What functions of the library do inside is not narrated, only what they return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paddock.frontends.boogie.narrate import LONGEST_LINE, failure_text
from paddock.frontends.c import types as c
from paddock.frontends.c.observed import Observer, Shown
from paddock.frontends.c.show import (
    SET_UP,
    STEP,
    Note,
    Presentation,
    Scalar,
    ShownFunction,
)
from paddock.frozen import field, mutable
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Assign, Call, Havoc
from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep, TypedValue
from paddock.trace.run import Kind, Run, Step, iterations_text
from paddock.trace.values import Value


@mutable
class _NarratedStep:
    """A step of the narration, which the next step of the run may add to."""

    origin: Origin
    procedure: str
    kind: str
    depth: int
    text: str = ""
    values: dict[str, TypedValue] = field(default_factory=dict)
    notes: set[int] = field(default_factory=set)
    thread: int = 0
    context: int = 0
    before: dict[str, TypedValue] = field(default_factory=dict)
    activation: int = 0
    taken: bool | None = None


@mutable
class _Frame:
    """A function that is running: the call that waits for it, whether it is narrated, where it says what it returns,
    its position in the table of activations, and what the variables that get its result had before."""

    function: ShownFunction
    call: Call | None
    hidden: bool
    result_at: Origin = NOWHERE
    activation: int = 0
    overwritten: dict[Expr, Value] = field(default_factory=dict)
    started_at: Origin = NOWHERE  # of what runs a thread: where the program has started that


def narrate(
    run: Run, program: Program, presentation: Presentation, source_line: Callable[[Origin], str]
) -> Counterexample:
    """A run of a C program. `source_line` gives the line that an origin is in, or nothing."""
    narrator = _Narrator(run, program, presentation)
    narrator.narrate()
    steps = tuple(_step(step, source_line(step.origin).strip()) for step in narrator.record.steps)
    return Counterexample(steps, tuple(narrator.record.activations), tuple(narrator.record.choices))


def _step(step: _NarratedStep, source: str) -> TraceStep:
    says_all = step.kind == Kind.ITERATIONS.value  # the line would say that it is one of them
    shown = source if len(source) <= LONGEST_LINE and not says_all else ""
    return TraceStep(
        file=step.origin.file,
        line=step.origin.line,
        column=step.origin.column,
        procedure=step.procedure,
        kind=step.kind,
        values=step.values,
        depth=step.depth,
        text=step.text or shown or ", ".join(f"{name} = {value}" for name, value in step.values.items()),
        source=shown,
        thread=step.thread,
        context=step.context,
        before={name: value for name, value in step.before.items() if name in step.values},
        activation=step.activation,
        taken=step.taken if step.kind == "branch" else None,
    )


class _Record:
    """The narration so far; `thread` and `context` are those of the step of the run that is being narrated."""

    def __init__(self, entry: str) -> None:
        self.steps: list[_NarratedStep] = []
        self.activations = [Activation(entry)]
        self.choices: list[Choice] = []
        self.thread, self.context = 0, 0
        # The result of a call that has been narrated, and may be narrated again as what is assigned next.
        self.last_result: tuple[_NarratedStep, str, Var] | None = None

    def choose(self, kind: str, name: str, value: TypedValue, at: Origin) -> None:
        """Note what was chosen, and where."""
        self.choices.append(Choice(kind, name, value, at.file, at.line, at.column, self.thread, len(self.steps)))

    def activate(self, function: str, at: Origin, caller: int) -> int:
        """The number of a new activation."""
        self.activations.append(Activation(function, at.file, at.line, at.column, caller))
        return len(self.activations) - 1

    def add(
        self, frames: Sequence[_Frame], origin: Origin, kind: str, depth: int, text: str, shown: Shown, note: int
    ) -> _NarratedStep:
        """Add something, as part of the last step if it is about the same statement."""
        values, before = shown
        last = self.steps[-1] if self.steps else None
        if last is not None and self.is_same_statement(last, origin, kind, depth, note):
            step = last
            step.values |= values
            step.notes.add(note)
            if kind != "statement":
                step.kind, step.text, step.origin = kind, text, origin
        else:
            step = self.append(origin, frames[depth], kind, depth, text, values, note)
        step.before = before | step.before
        return step

    def append(
        self,
        origin: Origin,
        frame: _Frame,
        kind: str,
        depth: int,
        text: str,
        values: dict[str, TypedValue],
        note: int,
    ) -> _NarratedStep:
        """Add something as a step of its own."""
        place = (origin, frame.function.name, kind, depth, text, values, {note})
        step = _NarratedStep(*place, self.thread, self.context, activation=frame.activation)
        self.steps.append(step)
        return step

    def is_same_statement(self, last: _NarratedStep, origin: Origin, kind: str, depth: int, note: int) -> bool:
        """Whether something is part of the last step."""
        if (last.thread, last.context, last.depth) != (self.thread, self.context, depth):
            return False
        if (last.origin.file, last.origin.line) != (origin.file, origin.line):
            return False
        if kind == "fail":
            return last.kind in ("statement", "branch")
        same_place = last.kind == "statement" and last.origin.column == origin.column
        return same_place and (note == STEP or note not in last.notes)

    def forget_result(self, value: Expr) -> None:
        """Drop the result of a call as a step of its own when it is shown as what is assigned."""
        if self.last_result is not None and value is self.last_result[2]:
            step, name, _ = self.last_result
            step.values.pop(name, None)
            self.last_result = None


class _Narrator:
    def __init__(self, run: Run, program: Program, presentation: Presentation) -> None:
        self.run = run
        self.program = program
        self.presentation = presentation
        self.seen = Observer(run, program, presentation)
        entry = presentation.functions[entry_name(program)]
        self.record = _Record(entry.name)
        self.stacks = [[_Frame(entry, None, False)]]  # of each thread, in the order in which they were started
        self.overwritten: dict[Expr, Value] = {}  # what places had before the current step, by what is stored there now

    @property
    def frames(self) -> list[_Frame]:
        """The functions that the running thread is in."""
        return self.stacks[self.record.thread]

    @property
    def frame(self) -> _Frame:
        return self.frames[-1]

    @property
    def library_frame(self) -> _Frame | None:
        """The function of the library that the program has called last, if it is still running and calls nothing of the
        program's."""
        found = None
        for frame in reversed(self.frames):
            if not frame.hidden:
                break
            found = frame
        return found

    def narrate(self) -> None:
        is_set_up = False
        for step in self.run.steps:
            self.record.thread, self.record.context = step.thread, step.context
            self.seen.thread = step.thread
            if not is_set_up and step.label != SET_UP:
                is_set_up = True
                self._start()
            note = self._note(step)
            after = isinstance(step.statement, Havoc)
            self.overwritten = self.seen.overwritten(step)
            if not after:
                self._before(step, note)
            self.seen.note_load(step)
            self.seen.states.advance(step)
            if note.kind in ("input", "allocation"):
                self._chosen(note, step)
            match step.kind, step.statement:
                case Kind.CALL, Call() as call:
                    self._call(step, call)
                case Kind.RETURN, _:
                    self._return(step)
                case Kind.THREAD, Call() as call:
                    self._start_thread(call)
                case Kind.SWITCH, _:
                    self._switch(step)
                case Kind.ITERATIONS, Assign(origin=origin) if not self.frame.hidden:
                    text = iterations_text(step)
                    self.record.append(origin, self.frame, step.kind.value, step.depth, text, {}, 0)
                case _ if after:
                    self._noted(step, note)

    # --- what was chosen -----------------------------------------------------------------------------------

    def _chosen(self, note: Note, step: Step) -> None:
        """Keep what a function of the library gives; an allocation inside of one is that function's."""
        assert step.statement is not None
        (watch,) = note.watches
        value = None if isinstance(watch.value, str) else self.seen.states.value(watch.value)
        library = self.library_frame
        at = library.call.origin if library is not None and library.call is not None else step.statement.origin
        if note.kind == "allocation":
            name = library.function.name if library is not None else note.text
            outcome = TypedValue("fails" if value else "succeeds", "_Bool", bool(value))
            self.record.choose(note.kind, f"{name}()", outcome, at)
        elif value is not None:
            self.record.choose(note.kind, f"{note.text}()", self.seen.typed(value, watch.type), at)

    # --- what the steps say --------------------------------------------------------------------------------

    def _start(self) -> None:
        """The values with which the program starts."""
        known = self.run.initial
        given = [*self.presentation.inputs.values(), *self.frame.function.parameters]
        shown = {s.name: self.seen.typed(known[s.var.name], s.type) for s in given if s.var.name in known}
        values = {name: value for name, value in shown.items() if name != value.text}
        origin = self.program.procedure_named[entry_name(self.program)].origin
        for name, value in values.items():
            self.record.choose("initial", name, value, origin)
        if values:
            self.record.append(origin, self.frame, "start", 0, self._called(), values, 0)

    def _called(self) -> str:
        """The call of the running function with its arguments."""
        parameters = ((s, self.seen.states.value(s.var)) for s in self.frame.function.parameters)
        arguments = ", ".join(self.seen.text(value, s.type) for s, value in parameters if value is not None)
        return f"{self.frame.function.name}({arguments})"

    def _note(self, step: Step) -> Note:
        number = step.statement.origin.note if step.statement is not None else 0
        return self.presentation.notes[number]

    def _before(self, step: Step, note: Note) -> None:
        if step.kind is Kind.FAIL:
            self._fail(step, note)
        elif step.kind is Kind.STATEMENT and not isinstance(step.statement, Assert):
            self._noted(step, note)

    def _noted(self, step: Step, note: Note) -> None:
        """Add what a note says about a step."""
        assert step.statement is not None
        origin = step.statement.origin
        if note.kind == "allocate":
            self.seen.allocate(note.watches[0])
        elif self.frame.hidden or not note.kind or self.frame.started_at != NOWHERE:
            return
        elif note.kind == "return":
            self.frame.result_at = origin
        elif note.kind not in ("input", "allocation"):
            shown = self.seen.watched(note.watches, self.overwritten, self.record.forget_result)
            self.record.add(
                self.frames, origin, note.kind, step.depth, note.text, shown, origin.note
            ).taken = note.holds

    def _fail(self, step: Step, note: Note) -> None:
        assert isinstance(step.statement, Assert)
        origin, text = step.statement.origin, failure_text(step.statement)
        library = self.library_frame
        if library is None:
            shown = self.seen.watched(note.failing or note.watches, {}, self.record.forget_result)
            self.record.add(self.frames, origin, "fail", step.depth, text, shown, origin.note)
            return
        call = library.call  # narrated where the program calls the library
        assert call is not None
        depth = self.frames.index(library) - 1
        self.record.add(self.frames, call.origin, "fail", depth, f"{text}, in {library.function.name}", ({}, {}), 0)

    def _call(self, step: Step, call: Call) -> None:
        function = self.presentation.functions.get(call.procedure)
        caller = self.frame
        function = function or ShownFunction(call.procedure, c.FunctionType(c.VOID, (), False, False), hidden=True)
        at = caller.started_at if caller.started_at != NOWHERE else call.origin
        library, owner = self.library_frame, caller
        if library is not None and library.call is not None:  # what the library calls back is called where that is
            at, owner = library.call.origin, self.frames[self.frames.index(library) - 1]
        activation = self.record.activate(function.name, at, caller.activation)
        hidden = function.hidden or not function.has_body
        self.frames.append(_Frame(function, call, hidden, activation=activation))
        self.frame.overwritten = self.overwritten
        if not self.frame.hidden:
            values = {s.name: self.seen.typed(step.values[s.var.name], s.type) for s in function.parameters}
            last = self.record.steps[-1] if self.record.steps else None
            if last is not None and self.record.is_same_statement(last, at, "call", step.depth, STEP):
                values = last.values | values
                self.record.steps.pop()
            self.record.append(at, owner, "call", step.depth, self._called(), values, 0)

    def _start_thread(self, call: Call) -> None:
        """Another thread is started, by a function of the library. What runs it there is not worth telling."""
        number = len(self.stacks)
        function = self.presentation.functions[call.procedure]
        library = self.library_frame
        at = library.call.origin if library is not None and library.call is not None else call.origin
        activation = self.record.activate(function.name, at, self.frame.activation)
        self.stacks.append([_Frame(function, None, False, activation=activation, started_at=at)])
        depth = self.frames.index(library) - 1 if library is not None else len(self.frames) - 1
        self.record.append(at, self.frames[depth], "thread", depth, f"starts thread {number}", {}, 0)

    def _switch(self, step: Step) -> None:
        """Another thread goes on, with what has changed since it ran last."""
        if self.record.steps and self.record.steps[-1].kind == "switch":
            self.record.steps.pop()  # that thread did nothing worth showing
        shown = next((f for f in reversed(self.frames) if not f.function.hidden), self.frames[0])
        text = f"thread {self.record.thread} goes on" + ("" if shown.function.hidden else f" in {shown.function.name}")
        shared = self.presentation.shared
        changed = ((shared[name], value) for name, value in step.values.items() if name in shared)
        values = {s.name: self.seen.typed(value, s.type) for s, value in changed}
        self.record.append(NOWHERE, self.frames[0], "switch", 0, text, values, 0)

    def _return(self, step: Step) -> None:
        left = self.frame
        result = _result(left.function.results, lambda s: self.seen.text(step.values[s.var.name], s.type))
        is_shown = left.call is not None or left is self.stacks[0][0]  # not what runs a thread
        if is_shown and not left.hidden and (result or step is self.run.steps[-1]):
            origin = left.result_at if left.result_at != NOWHERE else self._end(step)
            text = f"{left.function.name} returns {result}".strip()
            self.record.append(origin, left, "return", step.depth, text, {}, 0)
        if left.call is None:
            return
        self.frames.pop()
        if not self.frame.hidden:
            self._received(left, left.call, step.values)

    def _end(self, step: Step) -> Origin:
        body = self.program.procedure_named[step.procedure].body
        assert body is not None
        return next(b.transfer.origin for b in body.blocks if b.label == step.label)

    def _received(self, left: _Frame, call: Call, values: Mapping[str, Value]) -> None:
        """Back in the caller: show what the result is assigned to, or what the library returned."""
        if self.frame.started_at != NOWHERE:
            return
        origin, depth = call.origin, len(self.frames) - 1
        if not left.function.has_body:
            for scalar in left.function.results:
                if scalar.var.name in values:
                    name = f"{left.function.name}(){scalar.name}"
                    self.record.choose("result", name, self.seen.typed(values[scalar.var.name], scalar.type), origin)
        note = self.presentation.notes[origin.note]
        if note.watches:
            self.record.add(
                self.frames,
                origin,
                note.kind,
                depth,
                note.text,
                self.seen.watched(note.watches, left.overwritten, self.record.forget_result),
                origin.note,
            )
        elif note.kind == "return":
            self.frame.result_at = origin
        elif left.hidden and c.is_arithmetic(left.function.type.result):
            name = f"{left.function.name}()"
            (scalar,) = left.function.results
            value = self.seen.typed(values[scalar.var.name], scalar.type)
            step = self.record.add(self.frames, origin, "statement", depth, "", ({name: value}, {}), STEP)
            self.record.last_result = (step, name, call.results[0])


def _result(scalars: Sequence[Scalar], text: Callable[[Scalar], str]) -> str:
    """What a function returns; of a struct, its members."""
    if len(scalars) == 1 and not scalars[0].name:
        return text(scalars[0])
    parts = ", ".join(f"{s.name} = {text(s)}" for s in scalars)
    return f"{{{parts}}}" if parts else ""
