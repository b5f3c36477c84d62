"""What the lowering of a whole program shares, and what the lowering of one function keeps.

A variable whose address is never taken is *plain*: one IR variable for each of its leaves. All others have an address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.jumps import is_of_variable_length
from paddock.frontends.c.lower_blocks import Blocks, Names
from paddock.frontends.c.lower_outside import OutsidePointers
from paddock.frontends.c.lower_settings import Settings
from paddock.frontends.c.memory import ANY_LENGTH, Memory
from paddock.frontends.c.memory_leaves import Leaf, Leaves
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.frontends.c.show import Presentation
from paddock.ir.build import TRUE
from paddock.ir.expr import Attribute, Expr, Scope, Var
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Procedure, VarDecl
from paddock.ir.stmt import Assume
from paddock.ir.types import Map, Type

if TYPE_CHECKING:
    from paddock.frontends.c.lower_spared import Spared

FIRST_FUNCTION = 16  # the address of the first function
FUNCTION_SPACING = 16

# Global variables that no C program knows of.
HIDDEN = frozenset({"memory#top", "object#size", "object#live", "object#heap", "heap#blocks"})
ANYTHING = "anything#unsupported"  # a procedure that may change all globals and all memory


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain variable: its IR variables and what they hold, by the keys of its leaves."""

    variables: dict[tuple[int, ...], Var]  # or a literal, for the variable of a quantifier
    types: dict[tuple[int, ...], c.CType]


@dataclass(slots=True)
class Shared:
    """What all functions of a program have in common while it is lowered."""

    unit: t.Unit
    settings: Settings
    numbers: Numbers
    leaves: Leaves
    pointsto: Classes
    memory: Memory
    recursive: set[str]  # functions that may be active several times at once
    renewed: set[t.Variable]  # locals whose objects must be told apart from those that have ended
    source_line: Callable[[Origin], str]
    presentation: Presentation
    outside: OutsidePointers | None  # if there are pointers from outside
    names: Names = field(default_factory=Names)
    globals: dict[str, VarDecl] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)  # those without a body
    # Their names, by function, type of result, and what they may change.
    missing: dict[tuple[str, str, tuple[Var, ...]], str] = field(default_factory=dict)
    warnings: dict[str, Diagnostic] = field(default_factory=dict)
    plain_globals: dict[t.Variable, Plain] = field(default_factory=dict)
    addresses: dict[t.Variable, int] = field(default_factory=dict)
    strings: dict[t.StringLiteral, int] = field(default_factory=dict)
    function_addresses: dict[str, int] = field(default_factory=dict)
    functions: dict[str, t.Function] = field(default_factory=dict)
    possible_wrappers: set[str] = field(default_factory=set)  # functions that may only assert their parameters
    spared: Spared = field(init=False)  # what functions without a body do not change
    errno: t.Variable | None = None  # the object that holds the number of the last error, if the program uses it
    tracks_sizes: bool = False  # it matters how large objects are, also where no check asks
    may_do_anything: bool = False  # something is not supported, and stands for a call of `ANYTHING`
    inner_entry: str = ""  # the procedure that calls of the function reach in which the program starts

    def refuse(self, message: str, origin: Origin, hint: str = "") -> InputError:
        """The error that says what is wrong with the program."""
        return InputError(Diagnostic(message, origin, self.source_line(origin), hint))

    def warn(self, message: str, origin: Origin) -> None:
        """Say something once."""
        self.warnings.setdefault(message, Diagnostic(message, origin, self.source_line(origin)))

    def unsupported(self, construct: str, origin: Origin) -> None:
        """Refuse a construct, or say that it may do anything."""
        if self.settings.unsupported == "error":
            hint = "--unsupported havoc lets it do anything"
            raise self.refuse(f"{construct} is not supported", origin, hint)
        self.warn(f"{construct} is not supported: it may do anything", origin)

    def refuse_unsupported_type(self, variable: t.Variable) -> None:
        """Refuse a variable of a type that the tree has no words for, or say that it holds just bits."""
        for leaf in self.leaves.of(variable.type):
            if isinstance(leaf.type, c.UnsupportedType):
                self.unsupported(f"the type {leaf.type.name}", variable.origin)

    # --- variables -------------------------------------------------------------------------------------------

    def leaf_type(self, leaf: Leaf) -> Type:
        """The type of the IR variable for a leaf."""
        scalar = self.numbers.type(leaf.type)
        return Map((self.memory.address_type,), scalar) if leaf.dimensions else scalar

    def leaf_name(self, base: str, leaf: Leaf) -> str:
        return ".".join([base, *(f.name or str(f.index) for _, f in leaf.path)])

    def global_variable(self, name: str, type_: Type, origin: Origin, shown: str = "") -> Var:
        """A new global variable; `shown` is what the user calls it if that is something else."""
        var = Var(self.names(name), type_, Scope.GLOBAL)
        attributes = (Attribute("name", (shown,)),) if shown and shown != var.name else ()
        self.globals[var.name] = VarDecl(var, attributes=attributes, origin=origin)
        return var

    def hidden_global(self, name: str, type_: Type) -> Var:
        """A global variable that no C program knows of, made on first use."""
        if name not in self.globals:
            self.globals[name] = VarDecl(Var(name, type_, Scope.GLOBAL))
        return self.globals[name].var

    @property
    def top(self) -> Var:
        """The address at which the next object begins that comes to life at run time."""
        return self.hidden_global("memory#top", self.memory.address_type)

    def is_plain(self, variable: t.Variable) -> bool:
        return variable not in self.pointsto.in_memory

    def procedure_name(self, function: t.Function) -> str:
        """The procedure that a call of a function reaches; that in which a program starts also sets up globals."""
        return self.inner_entry if function.name == self.settings.function else function.name

    # --- constant addresses ----------------------------------------------------------------------------------

    def function_address(self, name: str) -> Expr:
        if name not in self.function_addresses:
            self.function_addresses[name] = FIRST_FUNCTION + FUNCTION_SPACING * len(self.function_addresses)
        return self.numbers.address(self.function_addresses[name])

    def string_address(self, literal: t.StringLiteral) -> Expr:
        """The address of a string."""
        if literal not in self.strings:
            self.strings[literal] = self.memory.place_object(self.leaves.layout.size(literal.type))
        return self.numbers.address(self.strings[literal])

    def has_static_address(self, variable: t.Variable, function: str) -> bool:
        """Whether there is at most one object for a variable of a function at a time, of a size that is known."""
        if variable.storage in (t.Storage.GLOBAL, t.Storage.STATIC_LOCAL):
            return True
        if function in self.recursive or variable in self.renewed:
            return False
        return not is_of_variable_length(variable.type)

    def static_address(self, variable: t.Variable) -> Expr:
        """The address of an object that has a constant one."""
        if variable not in self.addresses:
            try:
                size = self.leaves.layout.size(variable.type)
            except ValueError:
                size = ANY_LENGTH
            self.addresses[variable] = self.memory.place_object(size)
        return self.numbers.address(self.addresses[variable])


class FunctionContext:
    """The lowering of one function: its blocks, its variables."""

    def __init__(self, shared: Shared, function: t.Function | None) -> None:
        self.shared = shared
        self.function = function
        self.numbers = shared.numbers
        self.terms = shared.numbers.terms
        self.memory = shared.memory
        self.leaves = shared.leaves
        self.layout = shared.leaves.layout
        self.pointsto = shared.pointsto
        self.settings = shared.settings
        self.blocks = Blocks(shared.globals)
        self.plain: dict[t.Variable, Plain] = {}
        self.dynamic: dict[t.Variable, Var] = {}  # the addresses of objects that do not have constant ones
        self.begun: dict[t.Variable, None] = {}  # local objects with constant addresses
        self._by_name: dict[str, Plain] = {}

    def declare_leaf(self, name: str, leaf: Leaf, origin: Origin) -> Var:
        type_ = self.shared.leaf_type(leaf)
        var = self.blocks.declare(self.shared.leaf_name(name, leaf), type_, origin)
        if not leaf.dimensions:
            self.restrict(var, leaf.type)
        return var

    def restrict(self, var: Var, type_: c.CType) -> None:
        """Say of a local variable that it holds values of a type, also when it becomes arbitrary."""
        where = self.numbers.in_range(var, type_)
        if where is not None:
            declared = self.blocks.locals[var.name]
            self.blocks.locals[var.name] = VarDecl(var, where, declared.attributes, declared.origin)

    def plain_variable(self, variable: t.Variable) -> Plain:
        """The IR variables of a plain variable."""
        known = self.shared.plain_globals.get(variable) or self.plain.get(variable)
        if known is None:
            known = self.new_plain(variable.unique or "object", variable.type, variable.origin)
            self.set_plain(variable, known)
        return known

    def set_plain(self, variable: t.Variable, plain: Plain) -> None:
        """Say which IR variables a plain variable is."""
        self.plain[variable] = plain
        self._by_name[variable.unique] = plain

    def is_constant(self, variable: t.Variable) -> bool:
        """Whether it is the variable of a quantifier that has some value now."""
        plain = self.plain.get(variable)
        return plain is not None and not all(isinstance(var, Var) for var in plain.variables.values())

    def new_plain(self, name: str, type_: c.CType, origin: Origin) -> Plain:
        leaves = self.leaves.of(type_)
        variables = {leaf.key: self.declare_leaf(name, leaf, origin) for leaf in leaves}
        return Plain(variables, {leaf.key: leaf.type for leaf in leaves})

    def address_of(self, variable: t.Variable) -> Expr:
        """The address of a variable that has one."""
        return self.shared.static_address(variable) if self.has_static_address(variable) else self.own_address(variable)

    def own_address(self, variable: t.Variable) -> Var:
        """The IR variable with the address of an object that does not have a constant one."""
        if variable not in self.dynamic:
            self.dynamic[variable] = self.blocks.declare(f"{variable.unique}.address", self.memory.address_type)
        return self.dynamic[variable]

    def has_static_address(self, variable: t.Variable) -> bool:
        return self.shared.has_static_address(variable, self.function.name if self.function is not None else "")

    def length(self, name: str) -> Expr:
        """The value of the hidden variable of the type `size_t` that holds the length of an array."""
        return self._by_name[name].variables[()]

    def arbitrary(self, type_: c.CType, purpose: str = "any") -> Var:
        """A new temporary that is restricted to the values of a type."""
        var = self.blocks.temporary(self.numbers.type(type_), purpose)
        self.restrict(var, type_)
        return var

    def from_outside(self, pointer: Expr, class_: MemoryClass, type_: c.CType, *, at_start: bool = False) -> None:
        """A pointer to a class, of a type, comes from outside."""
        outside = self.shared.outside
        if outside is not None and isinstance(type_, c.PointerType):
            needs_top = not at_start and outside.pointsto.family(class_) in outside.made_at_run_time
            top = self.shared.top if needs_top else None
            self.assume(outside.may_be(pointer, class_, type_.target, at_start=at_start, top=top))

    def pointers_from_outside(
        self, class_: MemoryClass, leaves: Iterable[Leaf], held: Iterable[Expr], *, at_start: bool = False
    ) -> None:
        """What is held by the leaves of an object of a class comes from outside."""
        for leaf, value in zip(leaves, held, strict=True):
            place = self.pointsto.leaf(class_, leaf) if isinstance(leaf.type, c.PointerType) else None
            if place is not None and not leaf.dimensions:
                self.from_outside(value, self.pointsto.pointee(place), leaf.type, at_start=at_start)

    def assume(self, condition: Expr) -> None:
        if condition is not TRUE:
            self.blocks.emit(Assume(condition, origin=self.blocks.origin))
