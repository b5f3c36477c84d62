"""What a pass is, and a plan: passes in the order in which they rewrite a program.

A pass is a frozen dataclass whose fields are its options and which is called with a program. The command line spells it
`name`, or `name:option=value:…` with `+` between several values, as in `abstract-globals:track=x+y`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol, Self, get_type_hints, runtime_checkable

from paddock.frozen import fields, frozen
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Program


@runtime_checkable
class Pass(Protocol):
    """A transformation of programs: a pure function with options."""

    name: ClassVar[str]
    summary: ClassVar[str]

    def __call__(self, program: Program) -> Program: ...


@frozen
class Plan:
    """Passes, first to last."""

    passes: tuple[Pass, ...] = ()

    def __call__(self, program: Program) -> Program:
        for step in self.passes:
            program = step(program)
        return program

    def __add__(self, other: Self) -> Self:
        return type(self)((*self.passes, *other.passes))

    def stages(self, program: Program) -> Iterator[tuple[Pass, Program]]:
        """The program after each pass."""
        for step in self.passes:
            program = step(program)
            yield step, program


def with_options(kind: type[Pass], text: str) -> Pass:
    """A pass of a kind with options as the command line spells them. Raises `InputError`."""
    types = get_type_hints(kind)
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    values: dict[str, object] = {}
    for given in filter(None, text.split(":")):
        name, equals, value = given.partition("=")
        if name not in known:
            hint = f"its options are: {', '.join(known)}" if known else "it has none"
            raise InputError(Diagnostic(f"the pass {kind.name} has no option '{name}'", hint=hint))
        try:
            values[name] = _value(value, types[name], bool(equals))
        except ValueError:
            raise InputError(f"the option {name} of the pass {kind.name} cannot be '{value}'") from None
    return kind(**values)


def _value(text: str, type_: object, is_given: bool) -> object:
    if type_ is bool:
        if text not in ("", "yes", "no") or (is_given and not text):
            raise ValueError(text)
        return text != "no"
    if not text:
        raise ValueError(text)
    if type_ is int:
        return int(text)
    return text if type_ is str else tuple(text.split("+"))
