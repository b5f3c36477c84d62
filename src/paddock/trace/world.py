"""An interpretation of what a program leaves open: constants, functions, and what SMT-LIB does not fix.

A solver's model gives one; whatever it does not mention has a default. The world does not look at the
program's axioms: `default_world` and `Interpreter.check_axioms` do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from paddock.ir.program import Program
from paddock.ir.types import Type
from paddock.trace.domains import Domains
from paddock.trace.values import Index, MapValue, Undecided, Value


class World:
    """`functions` gives an uninterpreted function as a map from its arguments. `unspecified` gives the
    results that SMT-LIB leaves open, by operator and arguments: `("div", (7,))` is 7 div 0, `("->f", (d,))`
    is the field f of a datum d whose constructor has none. `universes` says how many elements a sort has."""

    def __init__(
        self,
        program: Program,
        *,
        constants: Mapping[str, Value] | None = None,
        functions: Mapping[str, MapValue] | None = None,
        unspecified: Mapping[tuple[str, Index], Value] | None = None,
        universes: Mapping[Type, int] | None = None,
    ) -> None:
        self.program = program
        self.domains = Domains(program, universes)
        self._functions = dict(functions or {})
        self._unspecified = dict(unspecified or {})
        self._constants = dict(constants or {})
        self._complete_constants()

    def constant(self, name: str) -> Value:
        value = self._constants.get(name)
        if value is None:
            raise Undecided(f"the constant {name} has no value")
        return value

    def function(self, name: str, args: Index) -> Value:
        """The value of a function without a body."""
        table = self._functions.get(name)
        return table.select(args) if table is not None else self.default(self.program.function_named[name].result)

    def table(self, name: str) -> MapValue | None:
        """A function without a body as a map, if its value at all but finitely many arguments is known to be one."""
        return self._functions.get(name) or MapValue(self.default(self.program.function_named[name].result))

    def division_by_zero(self, op: str, numerator: int | Fraction) -> Value:
        """`numerator` divided by 0 with `div`, `mod`, `rem` or `/`."""
        return self._unspecified.get((op, (numerator,)), Fraction(0) if op == "/" else 0)

    def unspecified(self, op: str, args: Index, params: Sequence[Type], type_: Type) -> Value:
        """What an operator gives for arguments, of these types, for which SMT-LIB leaves it open."""
        value = self._unspecified.get((op, args))
        return self.default(type_) if value is None else value

    def default(self, type_: Type) -> Value:
        """Some value of this type, always the same."""
        return self.domains.first(type_)

    def _complete_constants(self) -> None:
        """Give the constants without a value one; unique ones of a type get different values."""
        given = self._constants
        taken: dict[Type, set[Value]] = {}
        for constant in self.program.constants:
            if constant.unique and constant.name in given:
                taken.setdefault(constant.var.type, set()).add(given[constant.name])
        unused: dict[Type, Iterator[Value]] = {}
        for constant in self.program.constants:
            if constant.name in given:
                continue
            type_ = constant.var.type
            if type_ not in unused:
                unused[type_] = self._except(type_, taken.get(type_, set()))
            # Where there is no value, only a program that reads the constant needs to know.
            with suppress(Undecided, StopIteration):
                given[constant.name] = next(unused[type_]) if constant.unique else self.default(type_)

    def _except(self, type_: Type, taken: set[Value]) -> Iterator[Value]:
        return (value for value in self.domains.distinct(type_) if value not in taken)
