"""Declarations, procedures and programs. All frozen; change them with `replace` of `frozen.py`.

Two pieces that differ only in their origins are equal. A `Program` is monomorphic: no declaration
has type parameters, apart from uninterpreted types and synonyms.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from paddock.frozen import field, frozen
from paddock.ir.expr import Attribute, Attributes, Expr, Lit, Scope, Var
from paddock.ir.origin import NOWHERE, Diagnostic, Origin
from paddock.ir.stmt import Block
from paddock.ir.types import Named, Type


@frozen
class TypeDecl:
    """`type Name a b;`, or with a definition the synonym `type Name a b = T;`.

    Types in the rest of the program are written out; a synonym stays for its reader only.
    """

    name: str
    params: tuple[str, ...] = ()
    definition: Type | None = None
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class VarDecl:
    """A variable with what its declaration says of it; `where` is assumed when it becomes arbitrary."""

    var: Var
    where: Expr | None = None
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)

    @property
    def name(self) -> str:
        return self.var.name


@frozen
class Constructor:
    name: str
    fields: tuple[VarDecl, ...] = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Datatype:
    name: str
    constructors: tuple[Constructor, ...]
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)

    @property
    def type(self) -> Named:
        return Named(self.name, ())


@frozen
class Constant:
    """A constant; `unique` ones of the same type are pairwise different."""

    var: Var
    unique: bool = False
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)

    @property
    def name(self) -> str:
        return self.var.name


@frozen
class Function:
    """A mathematical function. The parameters are bound variables; an anonymous one has the name ""."""

    name: str
    params: tuple[VarDecl, ...]
    result: Type
    body: Expr | None = None
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Axiom:
    condition: Expr
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Clause:
    """One `requires` or `ensures`."""

    condition: Expr
    free: bool = False
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Implementation:
    """A body. It uses the parameter and result names of its procedure; the first block is the entry."""

    locals: tuple[VarDecl, ...]
    blocks: tuple[Block, ...]
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@frozen
class Procedure:
    """A procedure: its contract, and no, one or several implementations."""

    name: str
    params: tuple[VarDecl, ...] = ()
    results: tuple[VarDecl, ...] = ()
    requires: tuple[Clause, ...] = ()
    modifies: tuple[Var, ...] = ()
    ensures: tuple[Clause, ...] = ()
    implementations: tuple[Implementation, ...] = ()
    attributes: Attributes = ()
    origin: Origin = field(default=NOWHERE, compare=False)

    @property
    def body(self) -> Implementation | None:
        """The implementation, where there is at most one (see the pass `merge-implementations`)."""
        if len(self.implementations) > 1:
            raise ValueError(f"procedure {self.name} has several implementations")
        return self.implementations[0] if self.implementations else None


@frozen(caches=True)
class Program:
    """A whole program; the declarations of each kind are in source order.

    Of what has type parameters there are copies for the types that it is used at. The procedures that these were made
    from are `generic`: just names, attributes and places, for messages. `language` is what the front end that made
    the program says about how to show its executions, if it says anything; nothing here looks at it. `warnings` are
    what its user should know of it.
    """

    types: tuple[TypeDecl, ...] = ()
    datatypes: tuple[Datatype, ...] = ()
    constants: tuple[Constant, ...] = ()
    functions: tuple[Function, ...] = ()
    axioms: tuple[Axiom, ...] = ()
    globals: tuple[VarDecl, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    generic: tuple[Procedure, ...] = field(default=(), compare=False)
    language: object = field(default=None, compare=False, repr=False)
    warnings: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def procedure_named(self) -> dict[str, Procedure]:
        return {p.name: p for p in self.procedures}

    @cached_property
    def function_named(self) -> dict[str, Function]:
        return {f.name: f for f in self.functions}

    @cached_property
    def global_named(self) -> dict[str, VarDecl]:
        return {g.name: g for g in self.globals}

    @cached_property
    def datatype_named(self) -> dict[str, Datatype]:
        return {d.name: d for d in self.datatypes}

    @cached_property
    def constructor_named(self) -> dict[str, tuple[Datatype, Constructor]]:
        return {c.name: (d, c) for d in self.datatypes for c in d.constructors}

    def top_level_names(self) -> Iterator[str]:
        """Every name that is visible throughout the program."""
        for group in (self.types, self.datatypes, self.constants, self.functions, self.globals, self.procedures):
            for declaration in group:
                yield declaration.name
        yield from self.constructor_named


FRONTIER = "frontier"  # the attribute of a global that says where free memory starts


def find_attribute(attributes: Attributes, name: str) -> Attribute | None:
    """The first attribute of this name."""
    return next((a for a in attributes if a.name == name), None)


def is_marked(attributes: Attributes, name: str) -> bool:
    """Whether there is an attribute `{:name}` or `{:name true}`."""
    params = [a.params for a in attributes if a.name == name]
    return any(not p or (isinstance(p[0], Lit) and p[0].value is True) for p in params)


def is_always_assumed(clause: Clause) -> bool:
    """Whether a free clause is assumed even where those after it are checked."""
    return clause.free and is_marked(clause.attributes, "always_assume")


def built_in(function: Function) -> str | None:
    """The text of `{:bvbuiltin "…"}` or `{:builtin "…"}`, which says for what of a solver's own a function stands."""
    attribute = find_attribute(function.attributes, "bvbuiltin") or find_attribute(function.attributes, "builtin")
    if attribute is None:
        return None
    return attribute.params[0] if attribute.params and isinstance(attribute.params[0], str) else ""


def is_loop(procedure: Procedure) -> bool:
    """Whether a procedure stands for the iterations of a loop (see the pass `extract-loops`)."""
    return find_attribute(procedure.attributes, "loop") is not None


def global_var(name: str, type_: Type) -> Var:
    return Var(name, type_, Scope.GLOBAL)


def local_var(name: str, type_: Type) -> Var:
    return Var(name, type_, Scope.LOCAL)
