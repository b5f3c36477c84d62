"""What the declarations of a program introduce, before any body or axiom is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field

from paddock.boogie import syntax as s
from paddock.boogie.problems import Problems, did_you_mean
from paddock.boogie.source import Source
from paddock.boogie.types import Types
from paddock.ir.expr import Var
from paddock.ir.types import Named, Type, TypeVar


@dataclass(slots=True)
class FunctionSymbol:
    """A function, or a datatype's constructor."""

    name: str
    type_params: tuple[TypeVar, ...]
    params: tuple[Type, ...]
    result: Type
    is_constructor: bool
    declaration: s.FunctionSyntax | s.ConstructorSyntax
    source: Source


@dataclass(slots=True)
class DatatypeSymbol:
    name: str
    type_params: tuple[TypeVar, ...]
    constructors: list[FunctionSymbol]
    fields: dict[str, Type]  # over the type parameters; a field may belong to several constructors
    declaration: s.DatatypeSyntax
    source: Source

    @property
    def type(self) -> Named:
        return Named(self.name, self.type_params)


@dataclass(slots=True)
class ProcedureSymbol:
    name: str
    type_params: tuple[TypeVar, ...]
    params: tuple[Type, ...]
    results: tuple[Type, ...]
    modifies: dict[str, Var]
    declaration: s.ProcedureSyntax
    source: Source
    implementations: list[tuple[Source, s.ImplementationSyntax]] = field(default_factory=list)


class Symbols:
    """Everything that can be named from anywhere in a program; each kind has names of its own."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.types = Types(problems)
        self.datatypes: dict[str, DatatypeSymbol] = {}
        self.functions: dict[str, FunctionSymbol] = {}
        self.variables: dict[str, Var] = {}  # globals and constants
        self.procedures: dict[str, ProcedureSymbol] = {}
        self.has_type_params = False

    @property
    def polymorphic(self) -> bool:
        """Whether types may have to be inferred; a program without polymorphism needs no rewriting for that."""
        return self.has_type_params or self.types.has_poly_maps

    def is_new(self, table: dict[str, object], pos: int, kind: str, name: str) -> bool:
        """Whether `name` is still free in `table`; a second definition is an error."""
        if name in table:
            self.problems.add(pos, f"{kind} '{name}' is already defined")
            return False
        return True

    def procedure(self, pos: int, name: str) -> ProcedureSymbol | None:
        found = self.procedures.get(name)
        if found is None:
            hint = did_you_mean(name, self.procedures)
            if not hint and name in self.functions:
                hint = "it is a function: use it in an expression, without 'call'"
            self.problems.add(pos, f"undeclared procedure '{name}'", hint)
        return found

    def function(self, pos: int, name: str) -> FunctionSymbol | None:
        found = self.functions.get(name)
        if found is None:
            hint = did_you_mean(name, self.functions)
            if not hint and name in self.procedures:
                hint = "it is a procedure: use it with 'call'"
            self.problems.add(pos, f"undeclared function '{name}'", hint)
        return found
