"""What expressions come to where some variables have known values.

Values are Booleans, integers, and bit-vectors as unsigned integers. Functions are looked into where they have a small
body, and bit-vectors computed with where a function stands for an operator of the solver's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from paddock.ir.expr import App, Expr, Fn, Lit, Op, Var
from paddock.ir.graph import postorder
from paddock.ir.program import Function, Program, built_in
from paddock.ir.types import BOOL, INT, Bv, Type
from paddock.ir.walk import rewrite, substitute, subterms

Value = bool | int
Known = Mapping[Var, Value]

_LARGEST = 200  # nodes; longer expressions are not worth it
_UNFOLDINGS = 3  # how deep the bodies of functions are looked into, where they apply functions in turn
_WIDEST = 256  # bits; products grow without end


class Evaluator:
    """Evaluates the expressions of a program. It knows the constants for which an axiom gives the value."""

    def __init__(self, program: Program) -> None:
        self._functions = program.function_named
        self._steps: dict[Expr, list[Expr]] = {}
        self._constants: dict[Var, Value] = {}
        for axiom in program.axioms:
            for condition in conjuncts(axiom.condition):
                for var, value in self.equalities(condition, {}):
                    self._constants.setdefault(var, value)

    def value(self, expr: Expr, known: Known) -> Value | None:
        """The value of an expression; None if it is not known."""
        steps = self._steps.get(expr)
        if steps is None:
            steps = self._steps[expr] = self._made_of(expr)
        values: dict[Expr, Value | None] = {}
        for node in steps:
            match node:
                case Var():
                    values[node] = known.get(node, self._constants.get(node))
                case Lit(bool(value) | int(value), type_) if _is_tracked(type_):
                    values[node] = value
                case App(op, args, type_):
                    function = self._functions.get(op.name) if isinstance(op, Fn) else None
                    values[node] = _applied(function or op, node, [values[arg] for arg in args])
                case _:
                    values[node] = None
        return values[steps[-1]] if steps else None

    def equalities(self, condition: Expr, known: Known) -> Iterator[tuple[Var, Value]]:
        """The variables whose values become known when a condition is assumed that is no conjunction."""
        match condition:
            case Var():
                yield condition, True
            case App(Op.NOT, (Var() as var,)):
                yield var, False
            case App(Op.EQ | Op.IFF, (a, b)):
                for side, other in ((a, b), (b, a)):
                    if isinstance(side, Var) and (value := self.value(other, known)) is not None:
                        yield side, value

    def _made_of(self, expr: Expr) -> list[Expr]:
        """The subterms to evaluate in this order, the whole at last; none if the expression is too large."""
        for _ in range(_UNFOLDINGS):
            unfolded = rewrite(expr, self._unfolded) if _is_small(expr) else expr
            if unfolded is expr:
                break
            expr = unfolded
        if not _is_small(expr):
            return []
        return postorder({e: e.args if isinstance(e, App) else () for e in subterms([expr])}, [expr])

    def _unfolded(self, expr: Expr) -> Expr:
        match expr:
            case App(Fn(name), args) if (function := self._functions.get(name)) and function.body is not None:
                if _is_small(function.body):
                    return substitute(function.body, {p.var: a for p, a in zip(function.params, args, strict=True)})
        return expr


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """Conditions that together say the same, none of them a conjunction."""
    stack = [condition]
    while stack:
        match stack.pop():
            case App(Op.AND, (a, b)):
                stack += [b, a]
            case App(Op.NOT, (App(Op.OR, (a, b)),)):
                stack += [App(Op.NOT, (b,), BOOL), App(Op.NOT, (a,), BOOL)]
            case App(Op.NOT, (App(Op.NOT, (a,)),)):
                stack.append(a)
            case other:
                yield other


def _is_small(expr: Expr) -> bool:
    return sum(1 for _ in islice(subterms([expr]), _LARGEST + 1)) <= _LARGEST


def _is_tracked(type_: Type) -> bool:
    return type_ is BOOL or type_ is INT or isinstance(type_, Bv)


def _applied(op: object, node: App, args: list[Value | None]) -> Value | None:
    match op, args:
        case Op.AND, _:
            return _all(args)
        case Op.OR, _:
            return _not(_all([_not(a) for a in args]))
        case Op.IMPLIES, [a, b]:
            return _not(_all([a, _not(b)]))
        case Op.ITE, [condition, then, otherwise]:
            if condition is None:
                return then if then == otherwise else None
            return then if condition else otherwise
    numbers = [a for a in args if a is not None]
    if len(numbers) < len(args):
        return None
    if isinstance(op, Function):
        return _built_in(op, node, numbers)
    value = _OPERATORS[op](*numbers) if op in _OPERATORS else None
    return None if value is not None and value.bit_length() > _WIDEST else value


def _not(a: Value | None) -> Value | None:
    return None if a is None else not a


def _all(conditions: list[Value | None]) -> Value | None:
    if any(c is False for c in conditions):
        return False
    return None if None in conditions else True


def _quotient(a: int, b: int) -> int | None:
    """Euclidean, as in SMT-LIB."""
    if b == 0:
        return None
    return a // b if b > 0 else -(a // -b)


def _remainder(a: int, b: int) -> int | None:
    return None if b == 0 else a % abs(b)


_OPERATORS: dict[object, Callable[..., Value | None]] = {
    Op.NOT: lambda a: not a,
    Op.NEG: lambda a: -a,
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: _quotient,
    Op.MOD: _remainder,
    Op.EQ: lambda a, b: a == b,
    Op.IFF: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
    Op.GT: lambda a, b: a > b,
    Op.GE: lambda a, b: a >= b,
}

# The operators of bit-vectors by their names in SMT-LIB, on unsigned numbers; results are cut to their width.
_UNSIGNED: dict[str, Callable[..., Value]] = {
    "bvneg": lambda a: -a,
    "bvnot": lambda a: ~a,
    "bvadd": lambda a, b: a + b,
    "bvsub": lambda a, b: a - b,
    "bvmul": lambda a, b: a * b,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvult": lambda a, b: a < b,
    "bvule": lambda a, b: a <= b,
    "bvugt": lambda a, b: a > b,
    "bvuge": lambda a, b: a >= b,
}
_SIGNED: dict[str, Callable[..., Value]] = {
    "bvslt": lambda a, b: a < b,
    "bvsle": lambda a, b: a <= b,
    "bvsgt": lambda a, b: a > b,
    "bvsge": lambda a, b: a >= b,
}


def _built_in(function: Function, node: App, args: list[Value]) -> Value | None:
    """The value of a function that its attribute says is an operator of the solver's."""
    match built_in(function):
        case str(name) if name in _UNSIGNED:
            value = _UNSIGNED[name](*args)
        case str(name) if name in _SIGNED:
            value = _SIGNED[name](*(_signed(n, arg.type) for n, arg in zip(args, node.args, strict=True)))
        case _:
            return None
    return value % (1 << node.type.width) if isinstance(node.type, Bv) else value


def _signed(number: int, type_: Type) -> int:
    assert isinstance(type_, Bv)
    return number - (1 << type_.width) if number >> (type_.width - 1) else number
