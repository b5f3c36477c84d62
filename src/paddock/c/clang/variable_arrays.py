"""Arrays of variable length: each length is kept in a hidden variable that gets its value where the type is written.

    int a[n + 1][m];        size_t length = m; size_t length$1 = n + 1; int a[length$1][length];

libclang gives no length of such a type, but shows the expressions for all lengths, innermost first, below the
declaration.
"""

from __future__ import annotations

from paddock.c.clang import library as k
from paddock.c.clang.context import Context
from paddock.c.clang.library import Type
from paddock.c.clang.snapshot import Node
from paddock.c.conversions import binary, convert, value
from paddock.c.tree import (
    BinaryOperator,
    Declare,
    Expression,
    Initialiser,
    InitialiserItem,
    IntegerConstant,
    Statement,
    Variable,
    VariableUse,
)
from paddock.c.types import ArrayType, CType, PointerType, VariableArrayType
from paddock.ir.origin import Origin

_ARRAYS = (k.T_CONSTANT_ARRAY, k.T_INCOMPLETE_ARRAY, k.T_VARIABLE_ARRAY)


class VariableType:
    """A type that is written in a declaration, and the variables that hold the lengths in it, if any."""

    def __init__(self, type: CType, lengths: list[Variable | None]) -> None:
        self.type = type
        self._lengths = lengths  # of the arrays whose lengths are shown, from the innermost; None if it is constant

    def length_nodes(self, shown: list[Node]) -> list[Node]:
        """Those of the expressions shown before the initialiser that matter: the lengths that are not constant."""
        candidates = [node for node in shown if node.is_expression()]
        lengths = candidates[len(candidates) - len(self._lengths) :] if self._lengths else []
        return [node for node, variable in zip(lengths, self._lengths, strict=False) if variable is not None]

    def declarations(self, nodes: list[Node], origin: Origin) -> list[Statement]:
        """The hidden variables with their values."""
        variables = [variable for variable in self._lengths if variable is not None]
        made: list[Statement] = []
        for variable, node in zip(variables, nodes, strict=False):
            if node.expression is not None:
                length = convert(node.expression, variable.type)
                made.append(Declare(origin, variable, Initialiser((InitialiserItem((), length),), complete=True)))
        return made


def written_type(context: Context, type: Type, name: str, origin: Origin) -> VariableType:
    """The type as it is written in a declaration of that name. A typedef in it has been read before."""
    spine = [type]  # from the outside in
    while spine[-1].kind in (*_ARRAYS, k.T_POINTER):
        inner = context.types.inner(spine[-1])
        assert inner is not None
        spine.append(inner)
    if all(part.kind != k.T_VARIABLE_ARRAY for part in spine):
        return VariableType(context.types.read(type), [])
    made = context.types.read(spine[-1])
    lengths: list[Variable | None] = []
    for part in reversed(spine[:-1]):
        if part.kind == k.T_POINTER:
            made = PointerType(made)
        elif part.kind == k.T_VARIABLE_ARRAY:
            hidden = context.hidden(f"{name}.length", context.model.size_type, origin)
            context.lengths[hidden.unique] = hidden
            lengths.append(hidden)
            made = VariableArrayType(made, hidden.unique)
        else:
            length = context.library.getArraySize(part) if part.kind == k.T_CONSTANT_ARRAY else None
            lengths += [None] if length is not None else []
            made = ArrayType(made, length)
        context.types.learn(part, made)
        context.types.learn(context.types.canonical(part), made)
    return VariableType(made, lengths)


def size_expression(context: Context, type: CType, origin: Origin) -> Expression | None:
    """`sizeof` of a type with arrays of variable length; None if the type has no size."""
    factors: list[Expression] = []
    current = type
    while True:
        try:
            size = context.types.layout.size(current)
            break
        except ValueError:
            if not isinstance(current, ArrayType | VariableArrayType) or current.length is None:
                return None
        if isinstance(current, VariableArrayType):
            length = context.lengths[current.length]
            factors.append(value(VariableUse(length.type, origin, length)))
        else:
            factors.append(IntegerConstant(context.model.size_type, origin, current.length))
        current = current.element
    result: Expression = IntegerConstant(context.model.size_type, origin, size)
    for factor in factors:
        result = binary(BinaryOperator.MULTIPLY, factor, result, origin, context.model)
    return result
