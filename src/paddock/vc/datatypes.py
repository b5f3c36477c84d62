"""Datatypes in a solver: declared once for a program, built, taken apart and changed field by field."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.ir.program import Program
from paddock.ir.types import Named, Type
from paddock.solvers.interface import Constructor, Term, Terms
from paddock.solvers.ops import Op as SmtOp
from paddock.solvers.sorts import ConstructorDecl, DatatypeDecl, Sort


class Datatypes:
    """The datatypes of a program. They are declared first of all, since any sort may contain one."""

    def __init__(self, program: Program, terms: Terms, sort: Callable[[Type], Sort]) -> None:
        self._program = program
        self._terms = terms
        self._constructors = self._declared(sort)

    def _declared(self, sort: Callable[[Type], Sort]) -> dict[str, Constructor]:
        """The constructors by name."""
        declarations = []
        for datatype in self._program.datatypes:
            constructors = [
                ConstructorDecl(c.name, tuple((f.name, sort(f.var.type)) for f in c.fields))
                for c in datatype.constructors
            ]
            declarations.append(DatatypeDecl(datatype.name, tuple(constructors)))
        return self._terms.declare_datatypes(declarations) if declarations else {}

    def construct(self, constructor: str, fields: Sequence[Term]) -> Term:
        """A datum."""
        return self._terms.apply(self._constructors[constructor].make, fields)

    def is_made_by(self, constructor: str, value: Term) -> Term:
        """That a datum is built with a constructor."""
        return self._terms.apply(self._constructors[constructor].test, (value,))

    def get_field(self, type_: Type, field: str, value: Term) -> Term:
        """A field of a datum of this type."""
        cases = [(c, self._terms.apply(c.selectors[n], (value,))) for c, n in self._having(type_, field)]
        return self._by_constructor(value, cases)

    def set_field(self, type_: Type, field: str, value: Term, new: Term) -> Term:
        apply = self._terms.apply
        cases = []
        for constructor, position in self._having(type_, field):
            fields = [apply(s, (value,)) for s in constructor.selectors]
            fields[position] = new
            cases.append((constructor, apply(constructor.make, fields)))
        return self._by_constructor(value, cases)

    def _having(self, type_: Type, field: str) -> list[tuple[Constructor, int]]:
        """The constructors of a datatype that have a field, and where."""
        assert isinstance(type_, Named)
        found = []
        for constructor in self._program.datatype_named[type_.name].constructors:
            names = [f.name for f in constructor.fields]
            if field in names:
                found.append((self._constructors[constructor.name], names.index(field)))
        return found

    def _by_constructor(self, value: Term, cases: Sequence[tuple[Constructor, Term]]) -> Term:
        """The case of the constructor that `value` is built with; the last one if it is none of them."""
        result = cases[-1][1]
        for constructor, case in reversed(cases[:-1]):
            test = self._terms.apply(constructor.test, (value,))
            result = self._terms.app(SmtOp.ITE, (test, case, result))
        return result
