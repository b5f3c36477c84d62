"""The variables of a C function as variables of the IR, and the addresses of those that lie in memory."""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.constants import ConstantAddresses
from paddock.frontends.c.lowering.context import GlobalVariables, Plain, leaf_type
from paddock.frontends.c.memory_leaves import Leaf, Leaves, leaf_name
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frozen import field, mutable
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import Origin


@mutable
class Variables:
    """Finds, or makes, the IR variables of the function's variables and of values."""

    blocks: Blocks
    numbers: Numbers
    leaves: Leaves
    pointsto: Classes
    globals: GlobalVariables
    constants: ConstantAddresses
    function: str  # its name
    plain: dict[t.Variable, Plain] = field(default_factory=dict)
    dynamic: dict[t.Variable, Var] = field(default_factory=dict)  # addresses of objects that do not have constant ones
    _by_name: dict[str, Plain] = field(default_factory=dict)

    def is_plain(self, variable: t.Variable) -> bool:
        return variable not in self.pointsto.in_memory

    # --- plain variables ---------------------------------------------------------------------------------------

    def plain_variable(self, variable: t.Variable) -> Plain:
        """The IR variables of a plain variable."""
        known = self.globals.plain.get(variable) or self.plain.get(variable)
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
        variables = {leaf.key: self._declare(name, leaf, origin) for leaf in leaves}
        return Plain(variables, {leaf.key: leaf.type for leaf in leaves})

    def _declare(self, name: str, leaf: Leaf, origin: Origin) -> Var:
        var = self.blocks.locals.declare(leaf_name(name, leaf), leaf_type(leaf, self.numbers), origin)
        if not leaf.dimensions:
            self.blocks.locals.restrict(var, self.numbers.in_range(var, leaf.type))
        return var

    def length(self, name: str) -> Expr:
        """The value of the hidden variable of the type `size_t` that holds the length of an array."""
        return self._by_name[name].variables[()]

    # --- values ------------------------------------------------------------------------------------------------

    def arbitrary(self, type_: c.CType, purpose: str = "any") -> Var:
        """A new temporary that is restricted to the values of a scalar type, and has any of them."""
        var = self.blocks.locals.temporary(self.numbers.type(type_), purpose)
        self.blocks.locals.restrict(var, self.numbers.in_range(var, type_))
        self.blocks.havoc(var)
        return var

    def arbitrary_values(self, type_: c.CType) -> tuple[Expr, ...]:
        """Any value of a type."""
        if isinstance(type_, c.VoidType) or (isinstance(type_, c.UnsupportedType) and not type_.size):
            return ()
        plain = self.new_plain("any.1", type_, self.blocks.origin)
        self.blocks.havoc(*plain.variables.values())
        return tuple(plain.variables.values())

    def results(self, type_: c.CType) -> tuple[Var, ...]:
        """New temporaries for the result of the call that comes next."""
        if isinstance(type_, c.VoidType):
            return ()
        return tuple(self.blocks.result(leaf_type(leaf, self.numbers)) for leaf in self.leaves.of(type_))

    def make_arbitrary(self, mentioned: Iterable[t.Variable]) -> None:
        """Plain variables of the function get any value."""
        held: dict[Var, None] = {}
        for variable in mentioned:
            if variable in self.plain:
                held |= dict.fromkeys(self.plain[variable].variables.values())
        changeable = [var for var in held if var.name in self.blocks.locals.declared]
        if changeable:
            self.blocks.havoc(*changeable)

    # --- addresses ---------------------------------------------------------------------------------------------

    def address_of(self, variable: t.Variable) -> Expr:
        """The address of a variable that has one."""
        if (of_thread := self.globals.addresses.get(variable)) is not None:
            return of_thread
        return self.constants.variable(variable) if self.has_constant_address(variable) else self.own_address(variable)

    def own_address(self, variable: t.Variable) -> Var:
        """The IR variable with the address of an object that does not have a constant one."""
        if variable not in self.dynamic:
            name = f"{variable.unique}.address"
            self.dynamic[variable] = self.blocks.locals.declare(name, self.numbers.addresses.type)
        return self.dynamic[variable]

    def has_constant_address(self, variable: t.Variable) -> bool:
        return self.constants.has_constant(variable, self.function)
