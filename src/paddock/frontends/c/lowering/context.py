"""What the lowering of all functions of a program has in common.

A variable whose address is never taken is *plain*: one IR variable for each of its leaves. All others have an address.
"""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.constants import ConstantAddresses
from paddock.frontends.c.lowering.locals import numbered_names
from paddock.frontends.c.lowering.messages import Messages
from paddock.frontends.c.lowering.outside import OutsidePointers
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.lowering.spared import Spared
from paddock.frontends.c.memory import Memory
from paddock.frontends.c.memory_leaves import Leaf, Leaves
from paddock.frontends.c.memory_space import Space
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frontends.c.show import Presentation
from paddock.frozen import field, frozen, mutable, replace
from paddock.ir.expr import Attribute, Attributes, Scope, Var
from paddock.ir.origin import Origin
from paddock.ir.program import FRONTIER, Procedure, VarDecl
from paddock.ir.threads import THREAD_LOCAL
from paddock.ir.types import Map, Type

TOP = "memory#top"
# Global variables that no C program knows of.
HIDDEN = frozenset({TOP, "object#size", "object#live", "object#heap", "heap#blocks"})
ANYTHING = "anything#unsupported"  # a procedure that may change all globals and all memory


@frozen
class Plain:
    """A plain variable: its IR variables and what they hold, by the keys of its leaves."""

    variables: dict[tuple[int, ...], Var]  # or a literal, for the variable of a quantifier
    types: dict[tuple[int, ...], c.CType]


def leaf_type(leaf: Leaf, numbers: Numbers) -> Type:
    """The type of the IR variable for a leaf."""
    scalar = numbers.type(leaf.type)
    return Map((numbers.addresses.type,), scalar) if leaf.dimensions else scalar


class GlobalVariables:
    """The global variables of the IR program."""

    def __init__(self, numbers: Numbers) -> None:
        self.declared: dict[str, VarDecl] = {}
        self.plain: dict[t.Variable, Plain] = {}  # those that stand for plain variables of C
        self.addresses: dict[t.Variable, Var] = {}  # of objects in memory of which each thread has its own
        self._names = numbered_names()
        self._address_type = numbers.addresses.type

    def variable(self, name: str, type_: Type, origin: Origin) -> Var:
        """A new global variable, called `name` or nearly so."""
        var = Var(self._names(name), type_, Scope.GLOBAL)
        self.declared[var.name] = VarDecl(var, origin=origin)
        return var

    def of_thread(self, name: str, type_: Type, origin: Origin) -> Var:
        """A new global variable of which each thread has its own."""
        var = self.variable(name, type_, origin)
        self.declared[var.name] = replace(self.declared[var.name], attributes=(Attribute(THREAD_LOCAL),))
        return var

    def hidden(self, name: str, type_: Type, attributes: Attributes = ()) -> Var:
        """A global variable that no C program knows of, made on first use."""
        if name not in self.declared:
            self.declared[name] = VarDecl(Var(name, type_, Scope.GLOBAL), attributes=attributes)
        return self.declared[name].var

    @property
    def top(self) -> Var:
        """The address at which the next object begins that comes to life at run time."""
        return self.hidden(TOP, self._address_type, (Attribute(FRONTIER),))


@mutable
class Bodiless:
    """The procedures that have no body."""

    procedures: dict[str, Procedure] = field(default_factory=dict)
    # Their names, by function, type of result, and what they may change.
    names: dict[tuple[str, str, tuple[Var, ...]], str] = field(default_factory=dict)
    may_do_anything: bool = False  # something is not supported, and stands for a call of `ANYTHING`


@frozen
class ProgramContext:
    """What is known of a program before its functions are lowered, and what they add to."""

    settings: Settings
    layout: c.Layout
    numbers: Numbers
    leaves: Leaves
    pointsto: Classes
    memory: Memory
    space: Space
    outside: OutsidePointers | None  # if there are pointers from outside
    functions: Mapping[str, t.Function]
    possible_wrappers: frozenset[str]  # functions that may only assert their parameters
    errno: t.Variable | None  # the object that holds the number of the last error, if the program uses it
    tracks_sizes: bool  # it matters how large objects are, also where no check asks
    spared: Spared  # what functions without a body do not change
    messages: Messages
    presentation: Presentation
    globals: GlobalVariables
    constants: ConstantAddresses
    has_threads: bool = False  # it may start some
    of_threads: tuple[t.Global, ...] = ()  # objects of which each thread has one
    bodiless: Bodiless = field(default_factory=Bodiless)

    @property
    def inner_entry(self) -> str:
        """The procedure that calls of the function reach in which the program starts."""
        return f"{self.settings.function}.again"

    def procedure_name(self, function: t.Function) -> str:
        """The procedure that a call of a function reaches; that in which a program starts also sets up globals."""
        return self.inner_entry if function.name == self.settings.function else function.name
