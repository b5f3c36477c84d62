"""Quantifiers of CBMC over integers with constant bounds: all values, one after the other.

    __CPROVER_forall { int i; 0 <= i && i < 3 ==> a[i] == 0 }      a[0] == 0 && a[1] == 0 && a[2] == 0

What a value must fulfil to matter (that an implication does not hold, that a conjunction does) bounds the variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import limits, number
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import conjunction, disjunction
from paddock.frontends.c.lowering.context import Plain
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.messages import Messages
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frontends.c.walk import has_effects, nodes_in
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Expr, Var

MOST_VALUES = 1024  # of one variable
_NEGATED = {
    B.LESS: B.GREATER_EQUAL,
    B.GREATER: B.LESS_EQUAL,
    B.LESS_EQUAL: B.GREATER,
    B.GREATER_EQUAL: B.LESS,
    B.EQUAL: B.NOT_EQUAL,
    B.NOT_EQUAL: B.EQUAL,
}
_MIRRORED = {B.LESS: B.GREATER, B.GREATER: B.LESS, B.LESS_EQUAL: B.GREATER_EQUAL, B.GREATER_EQUAL: B.LESS_EQUAL}
_CONSTANT_PARTS = t.IntegerConstant | t.Conversion | t.Unary | t.Binary | t.VariableUse


@frozen
class Quantifiers:
    """Evaluates quantifiers."""

    expressions: Expressions
    variables: Variables
    notes: Notes
    numbers: Numbers
    messages: Messages

    def handlers(self) -> Handlers:
        return Handlers(scalars={t.Quantified: self._quantified})

    def _quantified(self, node: t.Quantified) -> Steps[Expr]:
        """Whether the body holds for all values of the variable, or for one."""
        word = "__CPROVER_forall" if node.universal else "__CPROVER_exists"
        if not self.variables.is_plain(node.variable) or not c.is_integer(node.variable.type):
            raise self.messages.refuse(f"{word} over what is no integer is not supported", node.origin)
        if has_effects(node.body):
            problem = f"{word} of what does something, or calls a function, is not supported"
            raise self.messages.refuse(problem, node.origin)
        least, greatest = yield self._bounds(node)
        if greatest - least >= MOST_VALUES:
            hint = f"such as 0 <= {node.variable.name} && {node.variable.name} < 10, with at most {MOST_VALUES} values"
            raise self.messages.refuse(f"{word} without constant bounds is not supported", node.origin, hint)
        result: Expr = TRUE if node.universal else FALSE
        reads, indices = dict(self.notes.reads), dict(self.notes.indices)
        for value in range(least, greatest + 1):
            # Nothing is written to it, so that a literal does.
            held = cast(Var, self.numbers.literal(value, node.variable.type))
            self.variables.set_plain(node.variable, Plain({(): held}, {(): node.variable.type}))
            holds: Expr = yield self.expressions.value(node.body)
            result = conjunction(result, holds) if node.universal else disjunction(result, holds)
        self.variables.plain.pop(node.variable, None)
        self.notes.reads, self.notes.indices = reads, indices  # a statement does not show a thousand of them
        return self.numbers.of_truth(result, node.type)

    def _bounds(self, node: t.Quantified) -> Steps[tuple[int, int]]:
        """The least and the greatest value that can matter."""
        type_ = self.numbers.integer(node.variable.type)
        least, greatest = (0, 1) if isinstance(node.variable.type, c.BoolType) else limits(type_)
        for op, left, right in _facts(node.body, holds=not node.universal):
            if _is_variable(right, node.variable):
                op, left, right = _MIRRORED.get(op, op), right, left
            if not _is_variable(left, node.variable) or not self._may_be_constant(right, node.variable):
                continue
            term: Expr = yield self.expressions.value(right)
            found = number(term)
            if found is None:
                continue
            compared = self.numbers.integer(left.type)
            if compared.signed and found >> (compared.width - 1) == 1:
                found -= 1 << compared.width
            bounds = _interval(op, found, type_, compared)
            least, greatest = max(least, bounds[0]), min(greatest, bounds[1])
        return least, greatest

    def _may_be_constant(self, node: t.Expression, variable: t.Variable) -> bool:
        """Whether it is made of constants, and of variables of quantifiers around, which have one value at a time."""
        for part in nodes_in(node):
            if not isinstance(part, _CONSTANT_PARTS):
                return False
            variables = self.variables
            if isinstance(part, t.VariableUse) and (
                part.variable is variable or not variables.is_constant(part.variable)
            ):
                return False
        return True


def _interval(op: B, constant: int, type_: c.IntType, compared: c.IntType) -> tuple[int, int]:
    """Where values of a type lie that, converted to another one, compare so with a constant."""
    least, greatest = limits(type_)
    first, last = limits(compared)
    if first <= least and greatest <= last:  # the conversion keeps all values
        lower = {B.GREATER: constant + 1, B.GREATER_EQUAL: constant, B.EQUAL: constant}.get(op, least)
        upper = {B.LESS: constant - 1, B.LESS_EQUAL: constant, B.EQUAL: constant}.get(op, greatest)
        return lower, upper
    upper = {B.LESS: constant - 1, B.LESS_EQUAL: constant, B.EQUAL: constant}.get(op, last)
    if not compared.signed and compared.width >= type_.width and upper <= last + least:  # negative ones are larger
        return 0, upper
    return least, greatest


def _facts(body: t.Expression, *, holds: bool) -> Iterator[tuple[B, t.Expression, t.Expression]]:
    """The comparisons that are certain if an expression holds, or does not."""
    todo = [(body, holds)]
    while todo:
        node, wanted = todo.pop()
        match node:
            case t.Conversion(operand=t.Binary() | t.Logical() | t.Unary() | t.Conversion() as operand):
                todo.append((operand, wanted))
            case t.Unary(operator=t.UnaryOperator.NOT, operand=operand):
                todo.append((operand, not wanted))
            case t.Logical(conjunction=is_conjunction, left=left, right=right) if is_conjunction == wanted:
                todo += [(right, wanted), (left, wanted)]
            case t.Binary(operator=op, left=left, right=right) if op in t.COMPARISONS and c.is_integer(left.type):
                yield (op if wanted else _NEGATED[op]), left, right


def _is_variable(node: t.Expression, variable: t.Variable) -> bool:
    """Whether it is the value of a variable, perhaps converted."""
    if isinstance(node, t.Conversion) and node.kind is t.ConversionKind.INTEGRAL:
        node = node.operand
    match node:
        case t.Conversion(kind=t.ConversionKind.LOAD, operand=t.VariableUse(variable=read)):
            return read is variable
    return False
