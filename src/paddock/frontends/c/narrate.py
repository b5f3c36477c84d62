"""A replayed run of a C program as a C programmer reads it: statements with the values of their variables.

A C statement is many steps of a run; those worth seeing carry a note of the front end (`c/show.py`), and consecutive
ones of one statement are told as one. What functions of the library do inside is not told, only what they return.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from paddock.frontends.boogie.narrate import LONGEST_LINE, failure_text
from paddock.frontends.c import types as c
from paddock.frontends.c.show import (
    HOLE,
    SET_UP,
    STEP,
    Note,
    Object,
    Presentation,
    Scalar,
    ShownFunction,
    Values,
    Watch,
)
from paddock.ir.build import TRUE
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.program import Program
from paddock.ir.stmt import Assert, Call, Havoc
from paddock.report.result import TraceStep
from paddock.trace.run import Kind, Run, Step
from paddock.trace.states import States


@dataclass(slots=True)
class _Told:
    """A step of the story, which the next step of the run may add to."""

    origin: Origin
    procedure: str
    kind: str
    depth: int
    text: str = ""
    values: dict[str, str] = field(default_factory=dict)
    notes: set[int] = field(default_factory=set)
    thread: int = 0
    context: int = 0


@dataclass(slots=True)
class _Frame:
    """A function that is running: the call that waits for it, whether it is told, where it says what it returns."""

    function: ShownFunction
    call: Call | None
    hidden: bool
    result_at: Origin = NOWHERE


def narrate(
    run: Run, program: Program, presentation: Presentation, source_line: Callable[[Origin], str]
) -> tuple[TraceStep, ...]:
    """The steps of a run of a C program. `source_line` gives the line that an origin is in, or nothing."""
    narrator = _Narrator(run, program, presentation)
    narrator.tell()
    return tuple(_step(told, source_line(told.origin).strip()) for told in narrator.story)


def _step(told: _Told, source: str) -> TraceStep:
    shown = source if len(source) <= LONGEST_LINE else ""
    return TraceStep(
        file=told.origin.file,
        line=told.origin.line,
        column=told.origin.column,
        procedure=told.procedure,
        kind=told.kind,
        values=told.values,
        depth=told.depth,
        text=told.text or shown or ", ".join(f"{name} = {value}" for name, value in told.values.items()),
        source=shown,
        thread=told.thread,
        context=told.context,
    )


class _Narrator:
    def __init__(self, run: Run, program: Program, presentation: Presentation) -> None:
        self.run = run
        self.program = program
        self.presentation = presentation
        self.states = States(run, program)
        self.values = Values(presentation)
        entry = presentation.functions[entry_name(program)]
        self.frames = [_Frame(entry, None, False)]
        self.story: list[_Told] = []
        self.heap_objects = 0
        self.thread, self.context = 0, 0  # of the step of the run that is being told
        # The result of a call that has been told, and may be told again as what is assigned next.
        self.last_result: tuple[_Told, str, Var] | None = None

    @property
    def frame(self) -> _Frame:
        return self.frames[-1]

    def tell(self) -> None:
        is_set_up = False
        for step in self.run.steps:
            self.thread, self.context = step.thread, step.context
            if not is_set_up and step.label != SET_UP:
                is_set_up = True
                self._start()
            note = self._note(step)
            after = isinstance(step.statement, Havoc)
            if not after:
                self._before(step, note)
            self.states.advance(step)
            match step.kind, step.statement:
                case Kind.CALL, Call() as call:
                    self._call(step, call)
                case Kind.RETURN, _:
                    self._return(step)
                case _ if after:
                    self._noted(step, note)

    # --- what the steps say --------------------------------------------------------------------------------

    def _start(self) -> None:
        """The values with which the program starts."""
        known = self.run.initial
        given = [*self.presentation.inputs.values(), *self.frame.function.parameters]
        texts = {s.name: self._text(known[s.var.name], s.type) for s in given if s.var.name in known}
        values = {name: text for name, text in texts.items() if name != text}
        if values:
            origin = self.program.procedure_named[entry_name(self.program)].origin
            self._append(origin, self.frame.function.name, "start", 0, self._called(), values, 0)

    def _called(self) -> str:
        """The call of the running function with its arguments."""
        parameters = ((s, self.states.value(s.var)) for s in self.frame.function.parameters)
        arguments = ", ".join(self._text(value, s.type) for s, value in parameters if value is not None)
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
        """Tell what a note says about a step."""
        assert step.statement is not None
        origin = step.statement.origin
        if note.kind == "allocate":
            self._allocate(note.watches[0])
        elif self.frame.hidden or not note.kind:
            return
        elif note.kind == "return":
            self.frame.result_at = origin
        elif note.kind not in ("input", "allocation"):
            self._add(origin, note.kind, step.depth, note.text, self._watched(note.watches), origin.note)

    def _fail(self, step: Step, note: Note) -> None:
        assert isinstance(step.statement, Assert)
        origin, text = step.statement.origin, failure_text(step.statement)
        hidden = [frame for frame in self.frames if frame.hidden]
        if not hidden:
            self._add(origin, "fail", step.depth, text, self._watched(note.failing or note.watches), origin.note)
            return
        call = hidden[0].call  # told where the program calls the library
        assert call is not None
        depth = self.frames.index(hidden[0]) - 1
        self._add(call.origin, "fail", depth, f"{text}, in {hidden[0].function.name}", {}, 0)

    def _allocate(self, watch: Watch) -> None:
        start, size = self._number(watch.value), self._number(watch.holes[0][0])
        if start is None or size is None:
            return
        name, type_ = watch.text, watch.type
        if not name:
            self.heap_objects += 1
            name = f"heap{self.heap_objects}"
        if isinstance(type_, c.ArrayType) and type_.length is None:
            record = type_.element
            type_ = record if self.presentation.layout.size(record) == size else type_
        self.values.add_object(Object(start, size, name, type_))

    def _call(self, step: Step, call: Call) -> None:
        function = self.presentation.functions.get(call.procedure)
        caller = self.frame
        function = function or ShownFunction(call.procedure, c.FunctionType(c.VOID, (), False, False), hidden=True)
        self.frames.append(_Frame(function, call, caller.hidden or function.hidden or not function.has_body))
        if not self.frame.hidden:
            values = {s.name: self._text(step.values[s.var.name], s.type) for s in function.parameters}
            before = self.story[-1] if self.story else None
            if before is not None and self._is_same_statement(before, call.origin, "call", step.depth, STEP):
                values = before.values | values
                self.story.pop()
            self._append(call.origin, caller.function.name, "call", step.depth, self._called(), values, 0)

    def _return(self, step: Step) -> None:
        left = self.frame
        result = _result(left.function.results, lambda s: self._text(step.values[s.var.name], s.type))
        if not left.hidden and (result or step is self.run.steps[-1]):
            origin = left.result_at if left.result_at != NOWHERE else self._end(step)
            text = f"{left.function.name} returns {result}".strip()
            self._append(origin, left.function.name, "return", step.depth, text, {}, 0)
        if left.call is None:
            return
        self.frames.pop()
        if not self.frame.hidden:
            self._received(left, left.call, result)

    def _end(self, step: Step) -> Origin:
        body = self.program.procedure_named[step.procedure].body
        assert body is not None
        return next(b.transfer.origin for b in body.blocks if b.label == step.label)

    def _received(self, left: _Frame, call: Call, result: str) -> None:
        """Back in the caller: tell what the result is assigned to, or what the library returned."""
        origin, depth = call.origin, len(self.frames) - 1
        note = self.presentation.notes[origin.note]
        if note.watches:
            self._add(origin, note.kind, depth, note.text, self._watched(note.watches), origin.note)
        elif note.kind == "return":
            self.frame.result_at = origin
        elif left.hidden and c.is_arithmetic(left.function.type.result):
            name = f"{left.function.name}()"
            told = self._add(origin, "statement", depth, "", {name: result}, STEP)
            self.last_result = (told, name, call.results[0])

    # --- adding to the story -------------------------------------------------------------------------------

    def _add(self, origin: Origin, kind: str, depth: int, text: str, values: dict[str, str], note: int) -> _Told:
        """Tell something, as part of the last step if it is about the same statement."""
        last = self.story[-1] if self.story else None
        if last is not None and self._is_same_statement(last, origin, kind, depth, note):
            told = last
            told.values |= values
            told.notes.add(note)
            if kind != "statement":
                told.kind, told.text, told.origin = kind, text, origin
        else:
            told = self._append(origin, self._procedure(depth), kind, depth, text, values, note)
        return told

    def _append(
        self, origin: Origin, procedure: str, kind: str, depth: int, text: str, values: dict[str, str], note: int
    ) -> _Told:
        """Tell something as a step of its own."""
        told = _Told(origin, procedure, kind, depth, text, values, {note}, self.thread, self.context)
        self.story.append(told)
        return told

    def _is_same_statement(self, last: _Told, origin: Origin, kind: str, depth: int, note: int) -> bool:
        """Whether something is part of what was told last."""
        if (last.thread, last.context, last.depth) != (self.thread, self.context, depth):
            return False
        if (last.origin.file, last.origin.line) != (origin.file, origin.line):
            return False
        if kind == "fail":
            return last.kind in ("statement", "branch")
        same_place = last.kind == "statement" and last.origin.column == origin.column
        return same_place and (note == STEP or note not in last.notes)

    def _procedure(self, depth: int) -> str:
        return self.frames[depth].function.name

    # --- values --------------------------------------------------------------------------------------------

    def _watched(self, watches: Sequence[Watch]) -> dict[str, str]:
        return dict(self._shown(watches))

    def _shown(self, watches: Sequence[Watch]) -> Iterator[tuple[str, str]]:
        for watch in watches:
            if watch.when is not TRUE and not self.states.value(watch.when):
                continue
            if isinstance(watch.value, str):
                yield watch.text, watch.value
                continue
            value, holes = self.states.value(watch.value), [self.states.value(expr) for expr, _ in watch.holes]
            if value is None or None in holes:
                continue
            self._forget_result(watch.value)
            text = watch.text
            for number, (_, type_) in zip(holes, watch.holes, strict=True):
                text = text.replace(HOLE, self._text(number, type_), 1)
            shown = self._text(value, watch.type)
            if shown != text:  # an array whose address is taken
                yield text, shown

    def _forget_result(self, value: Expr) -> None:
        """Do not tell the result of a call by itself when it is told as what is assigned."""
        if self.last_result is not None and value is self.last_result[2]:
            told, name, _ = self.last_result
            told.values.pop(name, None)
            self.last_result = None

    def _text(self, value: object, type_: c.CType) -> str:
        assert isinstance(value, bool | int | Fraction)
        return self.values.text(value, type_)

    def _number(self, expr: Expr | str) -> int | None:
        value = None if isinstance(expr, str) else self.states.value(expr)
        return value if isinstance(value, int) else None


def _result(scalars: Sequence[Scalar], text: Callable[[Scalar], str]) -> str:
    """What a function returns; of a struct, its members."""
    if len(scalars) == 1 and not scalars[0].name:
        return text(scalars[0])
    parts = ", ".join(f"{s.name} = {text(s)}" for s in scalars)
    return f"{{{parts}}}" if parts else ""
