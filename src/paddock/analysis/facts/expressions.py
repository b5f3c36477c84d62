"""Expressions as the pass `facts` evaluates them: each is turned once into a function from what is known.

Large expressions are not worth it: of a term with more than `_LARGEST` nodes nothing is known. That also
bounds the recursion here, whatever the depth of the program's expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from paddock.analysis.facts import values
from paddock.analysis.facts.cells import Cells
from paddock.analysis.facts.state import State
from paddock.analysis.facts.values import Value
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import App, Expr, Fn, Lit, Op, Scope, Var
from paddock.ir.program import Program
from paddock.ir.types import INT
from paddock.ir.walk import substitute

# The value of a variable in a state, a function of the state, or the same value in all states; None: nothing is known.
Meaning = Var | Callable[[State], Value | None] | Value | None

_Costed = tuple[Meaning, int]

_LARGEST = 100
_LARGEST_BODY = 20  # of a function that is looked into
_UNFOLDINGS = 3  # how deep the bodies of functions are looked into, where they apply functions in turn


class Expressions:
    """The meanings of a program's expressions. `constants` says which of its constants have which value; elements of
    maps have values if there are `cells`."""

    def __init__(self, program: Program, constants: dict[Var, Value], cells: Cells | None = None) -> None:
        self._constants = constants
        self._cells = cells
        self._functions = {
            f.name: f for f in program.functions if f.body is not None and is_small(f.body, _LARGEST_BODY)
        }
        self._meanings: dict[Expr, Meaning] = {}

    def meaning(self, expr: Expr) -> Meaning:
        """How to evaluate an expression. A variable that states know about means itself."""
        if expr not in self._meanings:
            self._meanings[expr] = self._meaning(expr, {}, _UNFOLDINGS)[0] if is_small(expr) else None
        return self._meanings[expr]

    def unfolded(self, condition: Expr) -> Expr:
        """The condition, or what it stands for if it is the application of a function."""
        for _ in range(_UNFOLDINGS):
            match condition:
                case App(Fn(name), args) if name in self._functions:
                    function = self._functions[name]
                    assert function.body is not None
                    arguments = {p.var: a for p, a in zip(function.params, args, strict=True)}
                    condition = substitute(function.body, arguments)
                case _:
                    break
        return condition

    def _meaning(self, expr: Expr, arguments: dict[Var, _Costed], unfoldings: int) -> _Costed:
        """The meaning of a small expression, where bound variables are arguments; and how long evaluation takes."""
        if isinstance(expr, Var):
            return arguments.get(expr) or (self._variable(expr), 1)
        if isinstance(expr, Lit):
            return _literal(expr), 1
        if not isinstance(expr, App):
            return None, 1
        op = expr.op
        if self._cells is not None and (cell := self._cells.read(expr)) is not None:
            # Not the cell itself: it is no variable that can be equal to others.
            return (lambda state: state.values.get(cell)), 1
        function = self._functions.get(op.name) if isinstance(op, Fn) else None
        if function is None and op not in _OPERATORS:
            return None, 1
        parts = [self._meaning(arg, arguments, unfoldings) for arg in expr.args]
        if function is not None:
            if unfoldings == 0:
                return None, 1
            assert function.body is not None
            inner = {p.var: part for p, part in zip(function.params, parts, strict=True)}
            return self._meaning(function.body, inner, unfoldings - 1)
        cost = 1 + sum(part[1] for part in parts)
        # An argument that a function uses twice is evaluated twice: small terms can be long to evaluate.
        return (_OPERATORS[op](*(part[0] for part in parts)), cost) if cost <= _LARGEST else (None, 1)

    def _variable(self, var: Var) -> Meaning:
        if var.scope is Scope.BOUND or not values.is_tracked(var.type):
            return None
        return self._constants.get(var, var)


def is_small(expr: Expr, largest: int = _LARGEST) -> bool:
    """Whether it is worth looking at an expression. Binders count as one node, whatever is inside."""
    stack = [expr]
    for _ in range(largest):
        node = stack.pop()
        if isinstance(node, App):
            stack += node.args
        if not stack:
            return True
    return False


def _literal(literal: Lit) -> Meaning:
    if literal.type is INT:
        return values.constant(int(literal.value))
    return literal if values.is_tracked(literal.type) else None


def evaluate(meaning: Meaning, state: State) -> Value | None:
    if isinstance(meaning, Var):
        return state.values.get(meaning)
    return meaning(state) if callable(meaning) else meaning


def is_static(meaning: Meaning) -> TypeGuard[Value | None]:
    """Whether a meaning is the same in all states."""
    return not isinstance(meaning, Var) and not callable(meaning)


def _unary(f: Callable[[Value | None], Value | None]) -> Callable[[Meaning], Meaning]:
    def combined(arg: Meaning) -> Meaning:
        if is_static(arg):
            return f(arg)
        return lambda state: f(evaluate(arg, state))

    return combined


def _binary(f: values.Binary) -> Callable[[Meaning, Meaning], Meaning]:
    def combined(a: Meaning, b: Meaning) -> Meaning:
        if is_static(a) and is_static(b):
            return f(a, b)
        return lambda state: f(evaluate(a, state), evaluate(b, state))

    return combined


def _choice(condition: Meaning, then: Meaning, otherwise: Meaning) -> Meaning:
    def choose(state: State) -> Value | None:
        chosen = evaluate(condition, state)
        if chosen is TRUE:
            return evaluate(then, state)
        if chosen is FALSE:
            return evaluate(otherwise, state)
        one = evaluate(then, state)
        return None if one is None else values.hull(one, evaluate(otherwise, state))

    return choose


# How the meaning of an application is made of those of the arguments.
_OPERATORS: dict[object, Callable[..., Meaning]] = {
    Op.NOT: _unary(values.opposite),
    Op.NEG: _unary(values.negate),
    Op.ADD: _binary(values.add),
    Op.SUB: _binary(values.subtract),
    Op.MUL: _binary(values.multiply),
    Op.DIV: _binary(values.divide),
    Op.MOD: _binary(values.remainder),
    Op.AND: _binary(values.both),
    Op.OR: _binary(values.either),
    Op.IMPLIES: _binary(values.implication),
    Op.IFF: _binary(values.equal),
    Op.EQ: _binary(values.equal),
    Op.NE: _binary(values.different),
    Op.LE: _binary(values.at_most),
    Op.LT: _binary(values.less),
    Op.GE: _binary(lambda a, b: values.at_most(b, a)),
    Op.GT: _binary(lambda a, b: values.less(b, a)),
    Op.ITE: _choice,
}
