"""The inputs of a replayed run of a C program, read off its steps, and the harness that feeds them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from paddock.frontends.c.harness import Build, Content, Inputs, Returned, harness_text
from paddock.frontends.c.harness_schedule import schedule_of
from paddock.frontends.c.known_names import is_nondeterministic
from paddock.frontends.c.show import SET_UP, Note, Presentation, Reached, Scalar, ShownFunction
from paddock.frontends.c.types import CType, FunctionType
from paddock.ir.entry import entry_name
from paddock.ir.program import Program
from paddock.ir.stmt import Call
from paddock.trace.run import Kind, Run
from paddock.trace.states import States
from paddock.trace.values import Value


def harness(run: Run, program: Program, presentation: Presentation, build: Build, bug: str) -> str:
    """The text of a C file that makes a program take the run."""
    schedule = schedule_of(run, program, presentation)
    return harness_text(inputs_of(run, program, presentation), presentation, build, bug, schedule)


def inputs_of(run: Run, program: Program, presentation: Presentation) -> Inputs:
    """All that a run got from outside, in the order in which it did."""
    states = States(run, program)
    entry = presentation.functions[entry_name(program)]
    inputs = Inputs(entry, dict(_arguments(entry.type, entry.parameters, run.initial)))
    inputs.globals = dict(_scalars(presentation.inputs.values(), run.initial))
    waiting: list[Call] = []
    is_set_up = False
    for step in run.steps:
        if not is_set_up and step.label != SET_UP:
            is_set_up = True
            inputs.contents = list(_contents(presentation.reached, states))
        states.advance(step)
        note = presentation.notes[step.statement.origin.note if step.statement is not None else 0]
        match step.kind, step.statement:
            case Kind.CALL, Call() as call:
                waiting.append(call)
            case Kind.RETURN, _ if waiting:
                call = waiting.pop()
                function = presentation.functions.get(call.procedure)
                if function is not None and is_nondeterministic(function.name):
                    _note_unfed(waiting, presentation, inputs)
                if function is not None and not function.has_body:
                    left = presentation.notes[call.origin.note].reached
                    contents = tuple(n for n in _contents(left, states) if not _is_fixed(n.address, presentation))
                    given = Returned(dict(_scalars(function.results, step.values)), contents)
                    inputs.calls.setdefault(function.name, (function.type, []))[1].append(given)
            case _ if note.kind == "allocation":
                _note_allocation(note, [presentation.functions.get(c.procedure) for c in waiting], states, inputs)
            case _ if note.kind == "input" and _note_unfed(waiting, presentation, inputs):
                pass  # the library reads by itself, and not by a function that can be defined
            case _ if note.kind == "input":
                (watch,) = note.watches
                value = None if isinstance(watch.value, str) else states.value(watch.value)
                if isinstance(value, int):
                    type_ = FunctionType(watch.type, (), False, False)
                    inputs.calls.setdefault(note.text, (type_, []))[1].append(Returned({"": (value, watch.type)}))
    for function in presentation.functions.values():  # those that the run does not call must be there, too
        if not function.has_body:
            inputs.calls.setdefault(function.name, (function.type, []))
    return inputs


def _is_fixed(address: int, presentation: Presentation) -> bool:
    """Whether what lies at an address never changes."""
    return any(o.is_fixed and o.start <= address < o.start + o.size for o in presentation.objects)


def _note_allocation(note: Note, running: Sequence[ShownFunction | None], states: States, inputs: Inputs) -> None:
    """Keep whether an allocation fails; one inside of a function of the library is that function's."""
    (watch,) = note.watches
    fails = None if isinstance(watch.value, str) else states.value(watch.value)
    library = next((f for f in running if f is not None and f.hidden), None)
    name, type_ = (note.text, watch.type) if library is None else (library.name, library.type)
    if isinstance(type_, FunctionType):
        inputs.allocations.setdefault(name, (type_, []))[1].append(bool(fails))


def _note_unfed(running: Sequence[Call], presentation: Presentation, inputs: Inputs) -> bool:
    """Keep which function of the library, called where, leaves open what it does: its model has asked for a value. Says
    whether there is one."""
    for call in running:
        function = presentation.functions.get(call.procedure)
        if function is not None and function.hidden and function.name not in inputs.allocations:
            inputs.unfed[f"{function.name} in line {call.origin.line}"] = None
            return True
    return False


def _scalars(scalars: Iterable[Scalar], values: dict[str, Value]) -> Iterator[tuple[str, tuple[int | Fraction, CType]]]:
    for scalar in scalars:
        value = values.get(scalar.var.name)
        if isinstance(value, int | Fraction):
            yield scalar.name, (value, scalar.type)


def _arguments(
    type_: FunctionType, scalars: Sequence[Scalar], values: dict[str, Value]
) -> Iterator[tuple[str, tuple[int | Fraction, CType]]]:
    """The scalars of arguments, behind the number of the parameter instead of its name."""
    number, last = -1, None
    for scalar in scalars:
        name, dot, path = scalar.name.partition(".")
        if name != last or not dot:
            number, last = number + 1, name
        value = values.get(scalar.var.name)
        if isinstance(value, int | Fraction):
            yield f"p{number}{dot}{path}", (value, scalar.type)


def _contents(reached: Iterable[Reached], states: States) -> Iterator[Content]:
    """What is in memory now, as far as it is known."""
    for part in reached:
        start, address, value = (states.value(expr) for expr in (part.start, part.address, part.value))
        if isinstance(start, int) and isinstance(address, int) and isinstance(value, int | Fraction) and start:
            yield Content(start, address, part.type, value, part.argument, part.place)
