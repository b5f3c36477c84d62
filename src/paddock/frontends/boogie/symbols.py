"""What the declarations of a program introduce, before any body or axiom is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.type_symbols import Types
from paddock.frontends.source import Source
from paddock.frozen import field, mutable
from paddock.ir.expr import Scope, Var
from paddock.ir.types import Named, Type, TypeVar


@mutable
class FunctionSymbol:
    """A function, or a datatype's constructor."""

    name: str
    type_params: tuple[TypeVar, ...]
    params: tuple[Type, ...]
    result: Type
    is_constructor: bool
    declaration: s.FunctionSyntax | s.ConstructorSyntax
    source: Source


@mutable
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


@mutable
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
    """Everything that can be named from anywhere in a program.

    Types, variables (with constants) and functions (with constructors and procedures) have names of their own.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.types = Types(problems)
        self.datatypes: dict[str, DatatypeSymbol] = {}
        self.functions: dict[str, FunctionSymbol] = {}
        self.variables: dict[str, Var] = {}  # globals and constants
        self.procedures: dict[str, ProcedureSymbol] = {}
        self.statement_ids: dict[str, tuple[Source, int]] = {}
        self.has_type_params = False
        self.has_generic_datatypes = False

    @property
    def polymorphic(self) -> bool:
        """Whether types may have to be inferred; a program without polymorphism needs no rewriting for that."""
        return self.has_type_params or self.types.has_poly_maps

    @property
    def has_generic_types(self) -> bool:
        """Whether there are types that must be replaced by copies wherever they stand."""
        return self.has_generic_datatypes or self.types.has_poly_maps

    def type_params(self, pos: int, names: list[str]) -> tuple[TypeVar, ...]:
        """Type parameters of a polymorphic declaration, each once."""
        self.has_type_params |= bool(names)
        return self.distinct_params(pos, names)

    def distinct_params(self, pos: int, names: list[str]) -> tuple[TypeVar, ...]:
        if len(set(names)) != len(names):
            self.problems.add(pos, "a type parameter is declared twice")
        for name in names:
            if name in self.types.declared:
                self.problems.add(pos, f"the type parameter '{name}' has the name of a declared type")
        return tuple(TypeVar(n) for n in dict.fromkeys(names))

    def is_new(self, pos: int, name: str, *tables: Mapping[str, object]) -> bool:
        """Whether `name` is still free in the tables; a second definition is an error."""
        for table in tables:
            if name in table:
                self.problems.add(pos, f"{_kind(table[name])} '{name}' is already defined")
                return False
        return True

    def note_id(self, attributes: list[s.AttributeSyntax]) -> None:
        """The `{:id "…"}` of a statement must not be that of another one."""
        for attribute in attributes:
            match attribute.name, attribute.params:
                case "id", [str(name)]:
                    place = self.problems.source, attribute.pos
                    if self.statement_ids.setdefault(name, place) != place:
                        self.problems.add(attribute.pos, f"another statement has the id '{name}'")
                    return

    def unknown(self, pos: int, kind: str, name: str, known: Iterable[str]) -> None:
        """Complain about a name that stands for nothing here, with a guess at what was meant."""
        hint = self.problems.did_you_mean(name, known)
        if not hint and name in self.functions:
            hint = f"it is a function: use it in an expression as {name}(…)"
        elif not hint and name in self.procedures:
            hint = f"it is a procedure: use it in a statement as call {name}(…)"
        self.problems.add(pos, f"undeclared {kind} '{name}'", hint)

    def procedure(self, pos: int, name: str) -> ProcedureSymbol | None:
        found = self.procedures.get(name)
        if found is None:
            self.unknown(pos, "procedure", name, self.procedures)
        return found

    def function(self, pos: int, name: str) -> FunctionSymbol | None:
        found = self.functions.get(name)
        if found is None:
            self.unknown(pos, "function", name, self.functions)
        return found


def _kind(symbol: object) -> str:
    match symbol:
        case FunctionSymbol():
            return "the constructor" if symbol.is_constructor else "the function"
        case ProcedureSymbol():
            return "the procedure"
        case Var():
            return "the constant" if symbol.scope is Scope.CONST else "the variable"
        case _:
            return "the type"
